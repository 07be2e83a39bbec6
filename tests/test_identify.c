/* Free, at-bound and unidentified parameters told apart, and what follows for exit codes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/result.h"
#include "fit_case.h"
#include "sweep.h"

#define LUMPED CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
#define THROW LUMPED "parameters: {k: 0.03, s: 0.08, spin: 2, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n"
#define SPACE CASE_HEAD "flight: {dimensions: 3, drag: lumped, lift: lumped}\n"

static const ArcMethod methods[] = {ARC_PINN, ARC_DIRECT};

/* Fits throw (11 points over 0.8 s) by a method. */
static ArcFit *throw_fit(const char *text, int n, ArcMethod method)
{
    ArcCapture *capture = case_capture(THROW, n, 0.8, 0.003);
    ArcFit *fit = case_fit(text, capture, method);
    arc_capture_free(capture);
    return fit;
}

/* The names of group g in order, joined by blanks. */
static const char *group_text(const ArcFit *fit, int g, char text[256])
{
    text[0] = '\0';
    for (int k = 0; k < fit->unidentified_size[g]; k++)
        snprintf(text + strlen(text), 256 - strlen(text), "%s%s", k == 0 ? "" : " ",
                 fit->parameters[fit->unidentified[g][k]].name);
    return text;
}

static bool has_group(const ArcFit *fit, const char *names)
{
    char text[256];
    for (int g = 0; g < fit->n_unidentified; g++)
        if (strcmp(group_text(fit, g, text), names) == 0)
            return true;
    return false;
}

static int exit_code(const ArcFit *fit)
{
    ArcResult result = {.n_fits = 1, .fits = {fit}};
    return arc_result_exit_code(&result);
}

static void test_fit_run_product_of_two_is_one_group(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        ArcFit *fit =
            throw_fit(LUMPED "parameters: {k: {start: 0.1}, s: {start: 0.1}, spin: {start: 1}}\n",
                      11, methods[m]);
        ArcFit *known = throw_fit(
            LUMPED "parameters: {k: {start: 0.1}, s: 0.08, spin: {start: 1}}\n", 11, methods[m]);
        assert_true(fit->converged);
        assert_int_equal(fit->n_unidentified, 1);
        assert_true(has_group(fit, "s spin"));
        const ArcEstimate *s = case_parameter(fit, "s"), *spin = case_parameter(fit, "spin");
        assert_int_equal(s->status, ARC_PARAMETER_UNIDENTIFIED);
        assert_int_equal(spin->status, ARC_PARAMETER_UNIDENTIFIED);
        assert_true(isnan(s->sd) && isnan(spin->sd) && isnan(s->ci95[0]) && isnan(spin->ci95[1]));
        assert_string_equal(s->reason, "only a combination with spin is determined");
        assert_string_equal(spin->reason, "only a combination with s is determined");
        /* The product is determined, and nothing else feels the null direction. */
        assert_near(s->value * spin->value / (0.08 * case_parameter(known, "spin")->value), 1.0,
                    1e-4);
        CaseGap gap = case_gap(fit, known);
        assert_near(gap.estimate_sd, 0.0, 1e-3);
        assert_near(gap.sd_share, 0.0, 1e-3);
        assert_near(case_derived(fit, "release_speed")->sd /
                        case_derived(known, "release_speed")->sd,
                    1.0, 1e-3);
        assert_near(case_derived(fit, "flight_time")->sd / case_derived(known, "flight_time")->sd,
                    1.0, 1e-3);
        assert_int_equal(exit_code(fit), 1);
        assert_int_equal(exit_code(known), 0);
        arc_fit_free(known);
        arc_fit_free(fit);
    }
}

/* A spin that starts at zero hides s altogether at the start, but not at the end. */
static void test_fit_forecast_zero_spin_hides_the_lift(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcProblem *problem = case_problem(
        LUMPED "parameters: {k: {start: 0.1}, s: {start: 0.1}, spin: {start: 0}}\n", capture);
    ArcFit *fit = NULL;
    ArcError err;
    assert_int_equal(arc_fit_forecast(problem, &fit, &err), ARC_OK);
    assert_true(has_group(fit, "s"));
    assert_string_equal(case_parameter(fit, "s")->reason, "no residual depends on it");
    assert_true(case_parameter(fit, "k")->value == 0.1);
    assert_int_equal(fit->iterations, 0);
    arc_fit_free(fit);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

/* Two null directions at once stay two groups, however the decomposition mixes them. */
static void test_fit_run_two_null_directions_are_two_groups(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(
        SPACE "parameters: {k: 0.03, s: 0.08, wx: 1, wy: -3, wz: 2, x0: 0, y0: 0, z0: 2, vx0: "
              "4.6, vy0: 1, vz0: 6.4}\n",
        15, 0.8, 0.001);
    for (int m = 0; m < 2; m++) {
        ArcFit *fit =
            case_fit(SPACE "parameters: {k: {start: 0.1}, s: {start: 0.1}, wx: {start: 1}, wy: "
                           "{start: -3}, wz: {start: 2}, t0: {start: -0.01}}\n",
                     capture, methods[m]);
        assert_true(fit->converged);
        assert_int_equal(fit->n_unidentified, 2);
        assert_true(has_group(fit, "s wx wy wz"));
        /* vy0 hardly changes along the flight, so a shift of t0 leaves it where it is. */
        assert_true(has_group(fit, "t0 x0 y0 z0 vx0 vz0"));
        assert_string_equal(case_parameter(fit, "s")->reason,
                            "only a combination with wx wy wz is determined");
        assert_int_equal(case_parameter(fit, "k")->status, ARC_PARAMETER_FREE);
        assert_true(case_parameter(fit, "k")->sd > 0.0);
        assert_true(isnan(case_derived(fit, "release_speed")->sd));
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

static void test_fit_run_bound_in_the_way_is_at_bound(void **state)
{
    (void)state;
    static const char *const low =
        LUMPED "parameters: {k: {start: 0.1, bounds: [0.06, 1]}, s: 0.08, spin: {start: 0}}\n";
    static const char *const high =
        LUMPED "parameters: {k: {start: 0.005, bounds: [0, 0.01]}, s: 0.08, spin: {start: 0}}\n";
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = throw_fit(low, 30, methods[m]);
        const ArcEstimate *k = case_parameter(fit, "k");
        assert_true(fit->converged);
        assert_int_equal(k->status, ARC_PARAMETER_AT_BOUND);
        assert_true(k->value == 0.06);
        assert_true(k->sd > 0.0);
        assert_string_equal(k->reason, "it stands at its lower bound");
        assert_int_equal(fit->n_unidentified, 0);
        assert_int_equal(exit_code(fit), 0);
        arc_fit_free(fit);
        fit = throw_fit(high, 30, methods[m]);
        k = case_parameter(fit, "k");
        assert_true(fit->converged);
        assert_int_equal(k->status, ARC_PARAMETER_AT_BOUND);
        assert_true(k->value == 0.01);
        assert_string_equal(k->reason, "it stands at its upper bound");
        arc_fit_free(fit);
    }
}

/* Rational lift saturates: a flight that bends more than it can would take the spin to infinity. */
static void test_fit_run_runaway_ends_at_the_laws_range(void **state)
{
    (void)state;
    static const char ball[] = "ball: basketball, drag: quadratic";
    char truth[512], text[512];
    snprintf(truth, sizeof truth,
             CASE_HEAD "flight: {dimensions: 2, %s, lift: constant}\n"
                       "parameters: {cd: 0.5, cl: 1.5, spin: 10, x0: 0, y0: 2, vx0: 9, vy0: 3}\n",
             ball);
    snprintf(text, sizeof text,
             CASE_HEAD "flight: {dimensions: 2, %s, lift: rational}\n"
                       "parameters: {cd: 0.5, spin: {start: 10}}\n",
             ball);
    ArcCapture *capture = case_capture(truth, 20, 0.8, 0.003);
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = case_fit(text, capture, methods[m]);
        const ArcEstimate *spin = case_parameter(fit, "spin");
        assert_true(fit->converged);
        assert_int_equal(spin->status, ARC_PARAMETER_AT_BOUND);
        assert_true(spin->value == 1e5);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* From a slow decay a step overshoots to a negative time constant, behind which the flight of a
 * spin that grows leads to infinity; the law's range ends before. */
static void test_fit_run_time_constant_stays_above_zero(void **state)
{
    (void)state;
    static const char flight[] = "flight: {dimensions: 2, ball: tennis, drag: quadratic, "
                                 "lift: linear, spin_decay: exponential}\n";
    char truth[512], text[512];
    snprintf(truth, sizeof truth,
             CASE_HEAD "%sparameters: {cm: 1.2, spin: 100, spin_tau: 1, x0: 0, y0: 2, vx0: 20, "
                       "vy0: 3}\n",
             flight);
    snprintf(text, sizeof text,
             CASE_HEAD "%sparameters: {cm: 1.2, spin: 100, spin_tau: {start: 25}}\n"
                       "fit: {stages: none}\n",
             flight);
    ArcCapture *capture = case_capture(truth, 20, 0.8, 0.003);
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = case_fit(text, capture, methods[m]);
        const ArcEstimate *tau = case_parameter(fit, "spin_tau");
        assert_true(fit->converged);
        assert_true(fabs(tau->value - 1.0) < 4.0 * tau->sd);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* Constant lift in the plane feels only the sign of the spin. */
static void test_fit_run_parameter_without_effect_is_unidentified(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = throw_fit(
            CASE_HEAD "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: constant}\n"
                      "parameters: {cd: 0.5, cl: {start: 0.1}, spin: {start: 10}}\n",
            11, methods[m]);
        const ArcEstimate *spin = case_parameter(fit, "spin");
        assert_true(fit->converged);
        assert_int_equal(fit->n_unidentified, 1);
        assert_true(has_group(fit, "spin"));
        assert_int_equal(spin->status, ARC_PARAMETER_UNIDENTIFIED);
        assert_string_equal(spin->reason, "no residual depends on it");
        assert_true(spin->value == 10.0);
        assert_int_equal(case_parameter(fit, "cl")->status, ARC_PARAMETER_FREE);
        arc_fit_free(fit);
    }
}

static void test_fit_run_prior_identifies(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        ArcFit *fit =
            throw_fit(LUMPED "parameters: {k: {start: 0.1}, s: {start: 0.1, prior: {mean: "
                             "0.08, sd: 0.01}}, spin: {start: 1}}\n",
                      11, methods[m]);
        assert_true(fit->converged);
        assert_int_equal(fit->n_unidentified, 0);
        assert_near(case_parameter(fit, "s")->sd / 0.01, 1.0, 1e-6);
        assert_near(case_parameter(fit, "s")->value, 0.08, 1e-7);
        arc_fit_free(fit);
    }
}

/* Two points give position and velocity; drag as well is one too many. */
static void test_fit_run_two_points_do_not_give_drag(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        ArcFit *fit =
            throw_fit(LUMPED "parameters: {k: {start: 0.1}, s: 0.08, spin: 2}\n", 2, methods[m]);
        assert_int_equal(fit->n_unidentified, 1);
        assert_int_equal(case_parameter(fit, "k")->status, ARC_PARAMETER_UNIDENTIFIED);
        assert_int_equal(case_parameter(fit, "x0")->status, ARC_PARAMETER_FREE);
        assert_int_equal(fit->residuals.dof, -1);
        assert_true(isnan(fit->residuals.chi2_p));
        assert_int_equal(exit_code(fit), 1);
        arc_fit_free(fit);
        fit = throw_fit(LUMPED "parameters: {k: 0.03, s: 0.08, spin: 2}\n", 2, methods[m]);
        assert_true(fit->converged);
        assert_int_equal(fit->n_unidentified, 0);
        assert_near(fit->residuals.chi2, 0.0, 1e-6);
        arc_fit_free(fit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_product_of_two_is_one_group),
        cmocka_unit_test(test_fit_forecast_zero_spin_hides_the_lift),
        cmocka_unit_test(test_fit_run_two_null_directions_are_two_groups),
        cmocka_unit_test(test_fit_run_bound_in_the_way_is_at_bound),
        cmocka_unit_test(test_fit_run_runaway_ends_at_the_laws_range),
        cmocka_unit_test(test_fit_run_time_constant_stays_above_zero),
        cmocka_unit_test(test_fit_run_parameter_without_effect_is_unidentified),
        cmocka_unit_test(test_fit_run_prior_identifies),
        cmocka_unit_test(test_fit_run_two_points_do_not_give_drag),
    };
    return cmocka_run_group_tests_name("identify", tests, NULL, NULL);
}
