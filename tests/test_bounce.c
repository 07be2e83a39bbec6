/* The bounce: closed forms of sliding and gripping, conserved angular momentum, energy, partials by
 * differences. */
#include "physics/bounce.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sweep.h"

static const double radius_m = 0.12;

/* A stream of numbers in -1 to 1. */
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

static void cross(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Slip of the point of contact by its definition. */
static void slip_of(const ArcContact *contact, double side, const double *v, const double *w,
                    double *u)
{
    double arm[3] = {0}, turning[3];
    arm[contact->axis] = -side * contact->radius_m;
    cross(w, arm, turning);
    for (int e = 0; e < 3; e++)
        u[e] = e == contact->axis ? 0 : v[e] + turning[e];
}

static void test_bounce_far_from_the_corner_is_the_closed_form(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = -1; side <= 1; side += 2) {
            double v[3] = {4, 1.5, -2}, w[3] = {20, -30, 10}, after[3], turned[3], u[3], left[3];
            v[axis] = -5.0 * side;
            ArcContact contact = {axis, radius_m, 0.8, 20, 1.5};
            arc_bounce(&contact, v, w, after, turned, NULL);
            assert_near(after[axis], 4.0 * side, 1e-15);
            assert_near(turned[axis], w[axis], 0);
            slip_of(&contact, side, after, turned, left); /* it grips: no slip is left */
            for (int e = 0; e < 3; e++)
                assert_near(left[e], 0, 1e-12);
            contact.friction = 0.002; /* it slides: the impulse is mu times the normal one */
            slip_of(&contact, side, v, w, u);
            arc_bounce(&contact, v, w, after, turned, NULL);
            double size = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
            for (int e = 0; e < 3; e++) {
                if (e != axis)
                    assert_near(after[e] - v[e], -0.002 * 1.8 * 5 * u[e] / size, 1e-12);
            }
            contact.friction = 0;
            arc_bounce(&contact, v, w, after, turned, NULL);
            for (int e = 0; e < 3; e++) {
                assert_near(turned[e], w[e], 0);
                if (e != axis)
                    assert_near(after[e], v[e], 0);
            }
        }
    }
}

/* A ball without spin that slides along the floor comes to roll forwards: topspin, w = (0, 0, -).
 */
static void test_bounce_of_a_skidding_ball_turns_it_forwards(void **state)
{
    (void)state;
    const double v[3] = {6, -3, 0}, w[3] = {0};
    double after[3], turned[3];
    const ArcContact contact = {1, radius_m, 0.7, 0.3, 2.5};
    arc_bounce(&contact, v, w, after, turned, NULL);
    assert_true(after[0] < 6 && after[0] > 0);
    assert_true(turned[2] < 0);
    assert_true(after[2] == 0 && turned[0] == 0 && turned[1] == 0);
}

static void test_bounce_at_the_corner_is_under_both_limits_by_four_percent(void **state)
{
    (void)state;
    const double w[3] = {0};
    double after[3], turned[3], share = 2.0 / 7, limit = 0.3 * 1.7 * 3 / share;
    const ArcContact contact = {1, radius_m, 0.7, 0.3, 2.5};
    const double v[3] = {limit, -3, 0};
    arc_bounce(&contact, v, w, after, turned, NULL);
    assert_near((limit - after[0]) / (share * limit), pow(2, -1.0 / 16), 1e-12);
    for (double off = 0.5; off <= 2; off *= 4) { /* and 1e-6 from the nearer at a factor of two */
        const double other[3] = {off * limit, -3, 0};
        arc_bounce(&contact, other, w, after, turned, NULL);
        double lost = off < 1 ? share * off * limit : share * limit;
        assert_near((other[0] - after[0]) / lost, 1, 1e-6);
    }
}

static void test_bounce_keeps_the_angular_momentum_and_gains_no_energy(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int n = 0; n < 20000; n++) {
        double v[3], w[3], after[3], turned[3], arm[3] = {0}, shift[3], impulse[3], torque[3];
        for (int e = 0; e < 3; e++) {
            v[e] = 20 * draw(&seed);
            w[e] = 300 * draw(&seed);
        }
        ArcContact contact = {n % 3, radius_m, 0.5 + 0.5 * draw(&seed), 1 + draw(&seed),
                              2.5 + 2.5 * draw(&seed)};
        arc_bounce(&contact, v, w, after, turned, NULL);
        double inertia = radius_m * radius_m / contact.spin_coupling, before_e = 0, after_e = 0;
        arm[contact.axis] = v[contact.axis] > 0 ? -radius_m : radius_m; /* contact to centre */
        for (int e = 0; e < 3; e++) {
            impulse[e] = after[e] - v[e];
            shift[e] = inertia * (turned[e] - w[e]);
            before_e += v[e] * v[e] + inertia * w[e] * w[e];
            after_e += after[e] * after[e] + inertia * turned[e] * turned[e];
        }
        cross(arm, impulse, torque); /* arm x m v + I w is kept about the contact */
        for (int e = 0; e < 3; e++)
            assert_near(torque[e] + shift[e], 0, 1e-12);
        assert_true(after_e <= before_e * (1 + 1e-14));
    }
}

static void test_bounce_without_rotation_grips_the_velocity_alone(void **state)
{
    (void)state;
    const double v[3] = {2, 1, -4}, w[3] = {5, 6, 7};
    double after[3], turned[3];
    const ArcContact contact = {2, 0, 0.6, 50, 1.5};
    arc_bounce(&contact, v, w, after, turned, NULL);
    assert_near(after[0], 2 * (1 - 1 / 2.5), 1e-12);
    assert_near(after[1], 1 - 1 / 2.5, 1e-12);
    assert_memory_equal(turned, w, sizeof w);
}

/* All inputs in a row: v, w, e, mu, kappa. */
static void bounce_of(int axis, const double *q, double *out)
{
    ArcContact contact = {axis, radius_m, q[6], q[7], q[8]};
    arc_bounce(&contact, q, q + 3, out, out + 3, NULL);
}

static void check_partials(int axis, double *q)
{
    double partials[ARC_BOUNCE_ROWS * ARC_BOUNCE_COLUMNS], out[6], turned[3];
    ArcContact contact = {axis, radius_m, q[6], q[7], q[8]};
    arc_bounce(&contact, q, q + 3, out, turned, partials);
    for (int c = 0; c < ARC_BOUNCE_COLUMNS; c++) {
        double best[6], at = q[c];
        for (int k = 0; k < N_STEPS; k++) {
            double above[6], below[6], h = steps[k] * (c >= 3 && c < 6 ? 10 : 0.1);
            q[c] = at + h;
            bounce_of(axis, q, above);
            q[c] = at - h;
            bounce_of(axis, q, below);
            q[c] = at;
            for (int row = 0; row < 6; row++) {
                double analytic = partials[row * ARC_BOUNCE_COLUMNS + c];
                double error = fabs((above[row] - below[row]) / (2 * h) - analytic);
                best[row] = k == 0 ? error : fmin(best[row], error);
            }
        }
        for (int row = 0; row < 6; row++) {
            double size = 1 + fabs(partials[row * ARC_BOUNCE_COLUMNS + c]);
            assert_near(best[row] / size, 0, 1e-7);
        }
    }
}

static void test_bounce_partials_are_differences(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        /* sliding, about the corner, gripping, no slip at all */
        for (int n = 0; n < 4; n++) {
            static const double frictions[] = {0.05, 0.35, 3, 1};
            double q[9] = {4, 1.5, -2, 20, -30, 10, 0.8, frictions[n], 1.7};
            q[axis] = axis == 1 ? 5 : -5;
            if (n == 3) {
                for (int e = 0; e < 6; e++)
                    q[e] = e == axis ? -3 : 0;
            }
            check_partials(axis, q);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounce_far_from_the_corner_is_the_closed_form),
        cmocka_unit_test(test_bounce_of_a_skidding_ball_turns_it_forwards),
        cmocka_unit_test(test_bounce_at_the_corner_is_under_both_limits_by_four_percent),
        cmocka_unit_test(test_bounce_keeps_the_angular_momentum_and_gains_no_energy),
        cmocka_unit_test(test_bounce_without_rotation_grips_the_velocity_alone),
        cmocka_unit_test(test_bounce_partials_are_differences),
    };
    return cmocka_run_group_tests_name("bounce", tests, NULL, NULL);
}
