/* The losses: derivatives against differences, what the solvers are handed, limits, and the
 * constants that make sigma right for normal errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/loss.h"

#include <math.h>

static const ArcLoss losses[] = {
    {.kind = ARC_LOSS_GAUSS},
    {.kind = ARC_LOSS_HUBER, .tuning = 1.345},
    {.kind = ARC_LOSS_HUBER, .tuning = 0.3},
    {.kind = ARC_LOSS_CAUCHY, .tuning = 2.385},
    {.kind = ARC_LOSS_STUDENT_T, .dof = 1.0},
    {.kind = ARC_LOSS_STUDENT_T, .dof = 4.0},
    {.kind = ARC_LOSS_STUDENT_T, .dof = 200.0},
};
enum { N_LOSSES = sizeof losses / sizeof losses[0] };

static void assert_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fmax(fabs(expected), 1.0)))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

/* Not at the corners of huber and of chi. */
static double residual_at(int k)
{
    return -7.03 + 0.17 * k;
}

static void test_loss_derivatives_are_those_of_differences(void **state)
{
    (void)state;
    const double h = 1e-6;
    for (int l = 0; l < N_LOSSES; l++)
        for (int k = 0; k < 83; k++) {
            const ArcLoss *loss = &losses[l];
            double r = residual_at(k);
            assert_close(arc_loss_psi(loss, r),
                         (arc_loss_rho(loss, r + h) - arc_loss_rho(loss, r - h)) / (2.0 * h), 1e-8);
            assert_close(arc_loss_bend(loss, r),
                         (arc_loss_psi(loss, r + h) - arc_loss_psi(loss, r - h)) / (2.0 * h), 1e-8);
            assert_close(arc_loss_chi_slope(loss, r),
                         (arc_loss_chi(loss, r + h) - arc_loss_chi(loss, r - h)) / (2.0 * h), 1e-7);
        }
}

/* Half the square is rho, and square and slope give psi; the weight is psi / r over that at 0. */
static void test_loss_transform_has_cost_and_gradient_of_the_loss(void **state)
{
    (void)state;
    for (int l = 0; l < N_LOSSES; l++)
        for (int k = 0; k < 83; k++) {
            const ArcLoss *loss = &losses[l];
            double r = residual_at(k), slope, again;
            double s = arc_loss_transform(loss, r, &slope);
            assert_close(0.5 * s * s, arc_loss_rho(loss, r), 1e-14);
            assert_close(s * slope, arc_loss_psi(loss, r), 1e-14);
            assert_close(arc_loss_restore(loss, s, &again), r, 1e-12);
            assert_close(again, slope, 1e-12);
            double centre = arc_loss_bend(loss, 0.0);
            assert_close(arc_loss_weight(loss, r), arc_loss_psi(loss, r) / (r * centre), 1e-14);
            /* Between the loss's own curvature and that of reweighted least squares. */
            assert_true(slope * slope <= arc_loss_psi(loss, r) / r * (1.0 + 1e-12));
            assert_true(slope * slope >= arc_loss_bend(loss, r) * (1.0 - 1e-12));
        }
}

static void test_loss_transform_near_zero_is_smooth(void **state)
{
    (void)state;
    for (int l = 0; l < N_LOSSES; l++) {
        double at_zero, near_zero;
        assert_true(arc_loss_transform(&losses[l], 0.0, &at_zero) == 0.0);
        arc_loss_transform(&losses[l], 1e-9, &near_zero);
        assert_close(near_zero, at_zero, 1e-12);
        assert_close(at_zero * at_zero, arc_loss_bend(&losses[l], 0.0), 1e-14);
    }
}

static void test_loss_transform_of_absurd_residuals_stays_finite(void **state)
{
    (void)state;
    for (int l = 1; l < N_LOSSES; l++)
        for (double r = 1e3; r < 1e120; r *= 1e3) {
            double slope, s = arc_loss_transform(&losses[l], r, &slope), again;
            assert_true(isfinite(s) && s > 0.0 && slope > 0.0);
            assert_true(s * s < 1e-2 * r * r);
            assert_true(fabs(arc_loss_restore(&losses[l], s, &again) / r - 1.0) < 1e-9);
        }
}

/* Each becomes gauss at its end. */
static void test_loss_limits_are_gauss(void **state)
{
    (void)state;
    const ArcLoss ends[] = {{.kind = ARC_LOSS_HUBER, .tuning = 100.0},
                            {.kind = ARC_LOSS_CAUCHY, .tuning = 1e7},
                            {.kind = ARC_LOSS_STUDENT_T, .dof = 1e13}};
    for (int l = 0; l < 3; l++)
        for (int k = 0; k < 83; k++) {
            double r = residual_at(k), slope;
            assert_close(arc_loss_rho(&ends[l], r), 0.5 * r * r, 1e-10);
            assert_close(arc_loss_transform(&ends[l], r, &slope), r, 1e-10);
            assert_close(slope, 1.0, 1e-10);
        }
}

/* beta is the mean of chi over normal numbers, over those of student-t for that loss. */
static void test_loss_beta_is_the_mean_of_chi(void **state)
{
    (void)state;
    for (int l = 0; l < N_LOSSES; l++) {
        const ArcLoss *loss = &losses[l];
        bool is_t = loss->kind == ARC_LOSS_STUDENT_T;
        double sum = 0.0, mass = 0.0, step = 1e-3;
        /* In u with r = sinh u, whose tails are short. */
        for (double u = -40.0; u < 40.0; u += step) {
            double r = sinh(u);
            double density =
                cosh(u) * (is_t ? exp(-0.5 * (loss->dof + 1.0) * log1p(r * r / loss->dof))
                                : exp(-0.5 * r * r));
            mass += density;
            sum += density > 0.0 ? density * arc_loss_chi(loss, r) : 0.0;
        }
        assert_close(sum / mass, arc_loss_beta(loss), 1e-6);
    }
}

static void test_loss_convex_is_huber_for_those_with_several_minima(void **state)
{
    (void)state;
    for (int l = 0; l < N_LOSSES; l++) {
        ArcLoss convex = arc_loss_convex(&losses[l]);
        assert_true(arc_loss_is_convex(&convex));
        if (arc_loss_is_convex(&losses[l]))
            assert_true(convex.kind == losses[l].kind && convex.tuning == losses[l].tuning);
        else
            assert_int_equal(convex.kind, ARC_LOSS_HUBER);
        for (int k = 0; k < 83; k++)
            assert_true(arc_loss_bend(&convex, residual_at(k)) >= 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loss_derivatives_are_those_of_differences),
        cmocka_unit_test(test_loss_transform_has_cost_and_gradient_of_the_loss),
        cmocka_unit_test(test_loss_transform_near_zero_is_smooth),
        cmocka_unit_test(test_loss_transform_of_absurd_residuals_stays_finite),
        cmocka_unit_test(test_loss_limits_are_gauss),
        cmocka_unit_test(test_loss_beta_is_the_mean_of_chi),
        cmocka_unit_test(test_loss_convex_is_huber_for_those_with_several_minima),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
