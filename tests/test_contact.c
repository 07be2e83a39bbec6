/* The push of rim and backboard: partials against differences, what a touch leaves of the speed,
 * energy without damping, the limit of a hard surface; by a Runge-Kutta of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "physics/contact.h"
#include "sweep.h"

#include <string.h>

/* A basket with its board behind it, along x. */
static ArcContactSettings basket(int dimensions)
{
    return (ArcContactSettings){.dimensions = dimensions,
                                .up = dimensions - 1,
                                .mass_kg = 0.62,
                                .radius_m = 0.12,
                                .has_rim = true,
                                .centre_m = {4.0, dimensions == 3 ? 0.3 : 3.0, 3.0},
                                .circle_m = 0.2386,
                                .wire_m = 0.01,
                                .has_board = true,
                                .axis = 0,
                                .face_m = 4.38,
                                .front = -1.0,
                                .stiffness_n_m = 5e4,
                                .restitution = 0.75,
                                .width_m = 1e-3};
}

/* x and v, without any other force, by steps of dt until the time is over. */
static void go(const ArcContactLaw *law, double *x, double *v, double dt, int n)
{
    int d = law->settings.dimensions;
    for (int i = 0; i < n; i++) {
        static const double shares[] = {0.0, 0.5, 0.5, 1.0}, weights[] = {1.0, 2.0, 2.0, 1.0};
        double dx[3] = {0}, dv[3] = {0}, of_x[3] = {0}, of_v[3] = {0};
        for (int stage = 0; stage < 4; stage++) {
            double y[3], w[3], a[3] = {0};
            for (int c = 0; c < d; c++) {
                y[c] = x[c] + shares[stage] * dt * of_x[c];
                w[c] = v[c] + shares[stage] * dt * of_v[c];
            }
            arc_contact_add(law, d, y, w, a, NULL, NULL);
            for (int c = 0; c < d; c++) {
                of_x[c] = w[c];
                of_v[c] = a[c];
                dx[c] += weights[stage] * dt / 6.0 * of_x[c];
                dv[c] += weights[stage] * dt / 6.0 * of_v[c];
            }
        }
        for (int c = 0; c < d; c++) {
            x[c] += dx[c];
            v[c] += dv[c];
        }
    }
}

/* What a ball keeps of its speed that flies straight at the board. */
static double kept(ArcContactSettings settings, double speed)
{
    settings.has_rim = false;
    const ArcContactLaw law = arc_contact_create(&settings);
    double far = law.reach_m, x[2] = {settings.face_m - settings.radius_m - far, 1.0};
    double v[2] = {speed, 0.0}, dt = 0.002 / law.rate_rad_s;
    for (int i = 0; i < 1000000 && (v[0] > 0.0 || arc_contact_gap(&law, x) < far); i++)
        go(&law, x, v, dt, 1);
    assert_true(v[0] < 0.0);
    return -v[0] / speed;
}

static void test_restitution_is_kept_at_every_speed(void **state)
{
    (void)state;
    static const double restitutions[] = {0.1, 0.3, 0.5, 0.75, 0.9, 1.0};
    static const double speeds[] = {1.0, 3.0, 8.0};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) {
            ArcContactSettings settings = basket(2);
            settings.restitution = restitutions[i];
            settings.width_m = 1e-5;
            assert_near(kept(settings, speeds[k]), restitutions[i], 2e-3);
        }
}

/* With the default's width, slow touches lose less; at a throw's speeds it is near. */
static void test_restitution_of_the_default_width(void **state)
{
    (void)state;
    assert_near(kept(basket(2), 6.0), 0.75, 0.01);
    assert_near(kept(basket(2), 3.0), 0.75, 0.02);
    assert_true(kept(basket(2), 0.05) > 0.9);
}

/* A push is never a pull. */
static void test_contact_never_pulls(void **state)
{
    (void)state;
    ArcContactSettings settings = basket(2);
    settings.has_rim = false;
    settings.restitution = 0.0;
    const ArcContactLaw law = arc_contact_create(&settings);
    for (int i = 0; i < 1000; i++) {
        double x[2] = {4.22 + 0.0001 * i, 0.0}, v[2] = {-20.0 + 0.04 * i, 0.0}, a[2] = {0};
        arc_contact_add(&law, 2, x, v, a, NULL, NULL);
        assert_true(a[0] <= 0.0);
    }
}

/* Onto the front of the rim from above and in front, and off the board: no energy is lost where the
 * restitution is 1, and none won where it is less. */
static void test_energy_is_kept_without_damping(void **state)
{
    (void)state;
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int i = 0; i < 12; i++) {
            ArcContactSettings settings = basket(dimensions);
            settings.restitution = i % 2 == 0 ? 1.0 : 0.7;
            const ArcContactLaw law = arc_contact_create(&settings);
            int up = dimensions - 1;
            double x[3] = {3.0, 0.32, 0.0}, v[3] = {4.0, 0.3, 0.0};
            x[up] = 3.85 + 0.03 * i;
            v[up] = -4.0;
            double before = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            for (int k = 0; k < 2000 && (k < 300 || arc_contact_gap(&law, x) < 0.3); k++)
                go(&law, x, v, 1e-5, 100);
            assert_true(arc_contact_gap(&law, x) > law.reach_m);
            double after = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            assert_true(fabs(v[0] - 4.0) > 1e-3); /* it was touched */
            if (settings.restitution == 1.0)
                assert_near(after / before, 1.0, 1e-9);
            else
                assert_true(after < 0.99 * before);
        }
}

/* Round about the axis nothing turns the ball: its angular momentum about it stays. */
static void test_rim_gives_no_turn_about_its_axis(void **state)
{
    (void)state;
    ArcContactSettings settings = basket(3);
    settings.has_board = false;
    const ArcContactLaw law = arc_contact_create(&settings);
    double x[3] = {4.25, 0.35, 3.5}, v[3] = {-0.5, 1.5, -4.0};
    double before = (x[0] - 4.0) * v[1] - (x[1] - 0.3) * v[0];
    go(&law, x, v, 1e-5, 40000);
    assert_true(fabs(v[2] + 4.0) > 0.1);
    assert_near((x[0] - 4.0) * v[1] - (x[1] - 0.3) * v[0], before, 1e-9);
}

/* Harder and sharper surfaces come to a mirror at a ball's radius: the way back is behind by less
 * and less. */
static void test_hard_board_is_a_mirror(void **state)
{
    (void)state;
    double last = INFINITY;
    for (int i = 0; i < 4; i++) {
        ArcContactSettings settings = basket(2);
        settings.has_rim = false;
        settings.restitution = 1.0;
        settings.stiffness_n_m = 5e4 * pow(16.0, i);
        settings.width_m = 1e-3 * pow(0.25, i);
        const ArcContactLaw law = arc_contact_create(&settings);
        double x[2] = {4.0, 1.0}, v[2] = {5.0, 1.0}, off;
        go(&law, x, v, 2e-6, 100000); /* 0.2 s */
        off = fabs(x[0] - (4.26 - (5.0 * 0.2 - 0.26)));
        assert_true(off < 0.3 * last);
        last = off;
    }
    assert_true(last < 1e-3);
}

/* Gaps by hand: over the wire, beside it, before the board. */
static void test_gap_is_the_distance_between_surfaces(void **state)
{
    (void)state;
    ArcContactSettings settings = basket(3);
    const ArcContactLaw law = arc_contact_create(&settings);
    double over[3] = {4.0, 0.3 - 0.2386, 3.25}, inside[3] = {4.0, 0.3 + 0.1, 3.0};
    double before[3] = {4.2, 0.3, 5.0};
    assert_near(arc_contact_gap_rim(&law, over), 0.25 - 0.13, 1e-12);
    assert_near(arc_contact_gap_rim(&law, inside), 0.1386 - 0.13, 1e-12);
    assert_near(arc_contact_gap_board(&law, before), 0.06, 1e-12);
    assert_near(arc_contact_gap(&law, before), 0.06, 1e-12);
    settings.has_rim = settings.has_board = false;
    const ArcContactLaw nothing = arc_contact_create(&settings);
    assert_true(isinf(arc_contact_gap(&nothing, over)));
}

static void check_partials(int dimensions, const double *x, const double *v)
{
    const ArcContactSettings settings = basket(dimensions);
    const ArcContactLaw law = arc_contact_create(&settings);
    int d = dimensions, D = d + 1; /* a coordinate that is none of place */
    double a[4] = {0}, a_x[16] = {0}, a_v[16] = {0}, size = 0.0;
    arc_contact_add(&law, D, x, v, a, a_x, a_v);
    for (int of = 0; of < 2 * d; of++)
        for (int c = 0; c < d; c++) {
            double analytic = of < d ? a_x[c * D + of] : a_v[c * D + of - d], best = INFINITY;
            for (int k = 0; k < N_STEPS; k++) {
                double sides[2], h = 0.01 * steps[k];
                for (int side = 0; side < 2; side++) {
                    double y[3], w[3], b[4] = {0};
                    memcpy(y, x, sizeof(double) * (size_t)d);
                    memcpy(w, v, sizeof(double) * (size_t)d);
                    (of < d ? y : w)[of % d] += side == 0 ? h : -h;
                    arc_contact_add(&law, D, y, w, b, NULL, NULL);
                    sides[side] = b[c];
                }
                best = fmin(best, fabs((sides[0] - sides[1]) / (2.0 * h) - analytic));
            }
            size = fmax(size, fabs(analytic));
            assert_near(best / (1.0 + fabs(analytic)), 0.0, 1e-6);
        }
    assert_true(size > 1.0);
    for (int k = 0; k < D; k++) { /* the last coordinate is left alone */
        assert_near(a_x[d * D + k], 0.0, 0.0);
        assert_near(a_v[k * D + d], 0.0, 0.0);
    }
    assert_near(a[d], 0.0, 0.0);
}

static void test_partials_are_differences(void **state)
{
    (void)state;
    static const double plane[][2] = {{4.0 - 0.2386 - 0.05, 3.11},
                                      {4.0 - 0.15, 3.09},
                                      {4.0 + 0.15, 2.92},
                                      {4.262, 3.4},
                                      {4.27, 3.1}};
    static const double space[][3] = {{3.8, 0.2, 3.12},
                                      {4.12, 0.42, 3.03},
                                      {4.262, 0.2, 3.4},
                                      {4.27, 0.35, 3.09},
                                      {4.05, 0.03, 2.95}};
    static const double rates[][3] = {{3.0, -4.0, -1.0}, {-2.0, 0.2, 4.0}, {0.01, -0.02, 0.01}};
    for (int i = 0; i < 5 * 3; i++) {
        check_partials(2, plane[i / 3], rates[i % 3]);
        check_partials(3, space[i / 3], rates[i % 3]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_restitution_is_kept_at_every_speed),
        cmocka_unit_test(test_restitution_of_the_default_width),
        cmocka_unit_test(test_contact_never_pulls),
        cmocka_unit_test(test_energy_is_kept_without_damping),
        cmocka_unit_test(test_rim_gives_no_turn_about_its_axis),
        cmocka_unit_test(test_hard_board_is_a_mirror),
        cmocka_unit_test(test_gap_is_the_distance_between_surfaces),
        cmocka_unit_test(test_partials_are_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
