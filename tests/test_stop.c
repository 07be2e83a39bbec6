/* Why the iteration stops: each reason by the smallest problem that has it, and its word. */
#include "solver_case.h"

#include <float.h>
#include <string.h>

/* r = slope * (z - c). */
typedef struct Scalar {
    double c, slope, claimed_slope;
} Scalar;

static bool scalar_evaluate(void *context, const double *z, double *r, double *J)
{
    const Scalar *scalar = context;
    r[0] = scalar->slope * (z[0] - scalar->c);
    if (J != NULL)
        J[0] = scalar->claimed_slope;
    return isfinite(r[0]);
}

static ArcStop stop_of(Scalar scalar, const ArcLeastSquaresSettings *settings, double *z)
{
    ArcObjective objective = {
        .m = 1, .n_outer = 1, .context = &scalar, .evaluate = scalar_evaluate};
    return arc_least_squares_run(solver_of(&objective, settings, NULL, NULL), z).stop;
}

static bool stop_at_third(void *context, int iteration, double cost, double step, const double *r)
{
    int *calls = context;
    assert_true(fabs(0.5 * r[0] * r[0] - cost) <= 1e-12 * cost);
    assert_int_equal(iteration, ++*calls);
    assert_true(cost >= 0.0 && step >= 0.0);
    return iteration < 3;
}

static void test_least_squares_run_each_stop_reason_is_reached(void **state)
{
    (void)state;
    ArcLeastSquaresSettings settings = tight_settings();
    settings.tolerance = 0.0;
    double z = 3.0;
    assert_int_equal(stop_of((Scalar){3.0, 2.0, 2.0}, &settings, &z), ARC_STOP_GRADIENT);
    assert_true(z == 3.0);
    z = 1.0;
    assert_int_equal(stop_of((Scalar){1.0 + DBL_EPSILON, 1.0, 1.0}, &settings, &z), ARC_STOP_STEP);
    z = 1.0;
    assert_int_equal(stop_of((Scalar){2.0, 1.0, -1.0}, &settings, &z), ARC_STOP_STALLED);
    assert_true(z == 1.0);
    z = NAN;
    assert_int_equal(stop_of((Scalar){2.0, 1.0, 1.0}, &settings, &z), ARC_STOP_NON_FINITE);
    assert_true(isnan(z));
    const double bad[] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
        z = 1.0;
        assert_int_equal(stop_of((Scalar){2.0, 1.0, bad[k]}, &settings, &z), ARC_STOP_NON_FINITE);
        assert_true(z == 1.0);
    }
    z = 1.0;
    settings.tolerance = 10.0;
    assert_int_equal(stop_of((Scalar){2.0, 1.0, 1.0}, &settings, &z), ARC_STOP_COST);
    assert_true(z == 2.0);
    settings.tolerance = 0.0;
    settings.max_iterations = 2;
    z = 1.0;
    assert_int_equal(stop_of((Scalar){2.0, 1.0, 3.0}, &settings, &z), ARC_STOP_LIMIT);
    settings.max_iterations = 100;
    int calls = 0;
    settings.progress = stop_at_third;
    settings.progress_context = &calls;
    z = 1.0;
    assert_int_equal(stop_of((Scalar){2.0, 1.0, 3.0}, &settings, &z), ARC_STOP_INTERRUPTED);
    assert_int_equal(calls, 3);
}

/* With an inner unknown steps are halved, and a wrong partial is found out as well. */
static bool wrong_evaluate(void *context, const double *z, double *r, double *J)
{
    (void)context;
    r[0] = z[0] - 1.0;
    r[1] = z[1] - 2.0;
    const double claimed[] = {-1.0, 0.0, 0.0, -1.0};
    if (J != NULL)
        memcpy(J, claimed, sizeof claimed);
    return true;
}

static void test_least_squares_run_wrong_partials_stall_with_inner_unknowns(void **state)
{
    (void)state;
    ArcLeastSquaresSettings settings = tight_settings();
    ArcObjective objective = {.m = 2, .n_inner = 1, .n_outer = 1, .evaluate = wrong_evaluate};
    double z[] = {0.0, 0.0};
    assert_int_equal(arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), z).stop,
                     ARC_STOP_STALLED);
    assert_true(z[0] == 0.0 && z[1] == 0.0);
}

/* Partials that are not finite later on: the end is said so, at the last point that was accepted.
 */
static bool late_nan_evaluate(void *context, const double *z, double *r, double *J)
{
    (void)context;
    r[0] = z[0] * z[0] - 2.0;
    if (J != NULL)
        J[0] = fabs(z[0] - M_SQRT2) < 0.1 ? NAN : 2.0 * z[0];
    return true;
}

static void test_least_squares_run_late_non_finite_partials_are_reported(void **state)
{
    (void)state;
    ArcLeastSquaresSettings settings = tight_settings();
    ArcObjective objective = {.m = 1, .n_outer = 1, .evaluate = late_nan_evaluate};
    double z = 10.0;
    ArcLeastSquaresResult result =
        arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), &z);
    assert_int_equal(result.stop, ARC_STOP_NON_FINITE);
    assert_true(isfinite(z) && isfinite(result.cost));
    assert_near(z, M_SQRT2, 0.1);
}

static void test_stop_text_names_every_reason(void **state)
{
    (void)state;
    const char *texts[] = {"gradient", "step",       "cost",       "limit",
                           "stalled",  "non-finite", "interrupted"};
    for (int k = 0; k < 7; k++) {
        assert_string_equal(arc_stop_text((ArcStop)k), texts[k]);
        assert_int_equal(arc_stop_is_converged((ArcStop)k), k < 3);
    }
    assert_string_equal(arc_stop_text((ArcStop)99), "unknown");
    assert_int_equal(arc_stop_is_converged((ArcStop)99), 0);
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(name, create_arena, free_arena)
    const struct CMUnitTest tests[] = {
        ROW(test_least_squares_run_each_stop_reason_is_reached),
        ROW(test_least_squares_run_wrong_partials_stall_with_inner_unknowns),
        ROW(test_least_squares_run_late_non_finite_partials_are_reported),
        ROW(test_stop_text_names_every_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
