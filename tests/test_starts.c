/* Several starts: the same for any number of threads, the first is the only one of a single fit,
 * the better valley wins, their spread, and interruption. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/starts.h"
#include "fit_case.h"
#include "sweep.h"

#define FLIGHT "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational}\n"
#define THROW                                                                                      \
    CASE_HEAD FLIGHT                                                                               \
        "parameters: {cd: 0.5, spin: -25, x0: 0, y0: 2, vx0: 6, vy0: 6}\nfit: {seed: 5}\n"
#define FAR                                                                                        \
    CASE_HEAD FLIGHT                                                                               \
        "parameters: {cd: {start: 0.1, bounds: [0, 2]}, spin: {start: 60, bounds: [-100, 100]}}\n"

static ArcFit *fit_with(const char *text, const ArcCapture *capture, ArcMethod method,
                        const ArcFitOptions *options)
{
    ArcError err;
    ArcProblem *problem = case_problem(text, capture);
    ArcFit *fit = NULL;
    if (arc_fit_run(problem, method, options, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_problem_free(problem);
    return fit;
}

static void assert_same_fit(const ArcFit *a, const ArcFit *b)
{
    assert_int_equal(a->n_parameters, b->n_parameters);
    for (int i = 0; i < a->n_parameters; i++) {
        assert_true(a->parameters[i].value == b->parameters[i].value);
        assert_true(a->parameters[i].sd == b->parameters[i].sd);
    }
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->n_history, b->n_history);
    assert_int_equal(a->net.n_weights, b->net.n_weights);
    if (a->net.n_weights > 0)
        assert_memory_equal(a->net.weights, b->net.weights,
                            sizeof(double) * (size_t)a->net.n_weights);
    assert_true(a->residuals.chi2 == b->residuals.chi2);
}

static const char *const trains[] = {
    "pinn: {net: nets/tanh-24.yaml}", "pinn: {train: [{optimizer: linear}]}",
    "pinn: {net: nets/tanh-16x2.yaml, collocation: {kind: adaptive, every: 10}, "
    "train: [{optimizer: adam, steps: 40}, {optimizer: lbfgs, steps: 30}, "
    "{optimizer: lm, steps: 40}]}"};

static void test_fit_run_starts_are_the_same_for_any_number_of_threads(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 12, 1.0, 0.003);
    for (int i = 0; i < 4; i++) {
        char text[1024];
        snprintf(text, sizeof text, FAR "fit: {starts: 6, %s}\n", i < 3 ? trains[i] : "seed: 2");
        ArcMethod method = i < 3 ? ARC_PINN : ARC_DIRECT;
        ArcFit *one = fit_with(text, capture, method, NULL);
        assert_int_equal(one->n_starts, 6);
        for (int threads = 2; threads <= 4; threads += 2) {
            const ArcFitOptions options = {.threads = threads};
            ArcFit *fit = fit_with(text, capture, method, &options);
            assert_same_fit(one, fit);
            assert_int_equal(fit->n_starts, 6);
            assert_int_equal(fit->n_starts_converged, one->n_starts_converged);
            assert_true(fit->start_spread_sd == one->start_spread_sd);
            arc_fit_free(fit);
        }
        arc_fit_free(one);
    }
    arc_capture_free(capture);
}

/* Start 0 of many is bit for bit the fit with one start; the others are not. */
static void test_starts_run_first_is_the_single_start(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 12, 1.0, 0.003);
    ArcProblem *single = case_problem(FAR "fit: {starts: 1}\n", capture);
    ArcProblem *many = case_problem(FAR "fit: {starts: 5}\n", capture);
    for (int m = 0; m < 2; m++) {
        ArcMethod method = m == 0 ? ARC_PINN : ARC_DIRECT;
        ArcStarts *a = NULL, *b = NULL;
        ArcError err;
        assert_int_equal(arc_starts_run(single, method, NULL, false, &a, &err), ARC_OK);
        assert_int_equal(arc_starts_run(many, method, NULL, false, &b, &err), ARC_OK);
        const ArcOutcome *alone = arc_starts_best(a), *best = arc_starts_best(b);
        /* Rows of start 0 stand in its own history; the best one may be another. */
        assert_true(best->converged || !alone->converged);
        assert_true(!alone->converged || best->cost <= alone->cost);
        assert_true(best->history[0].start < 5 && alone->history[0].start == 0);
        int n = 0, converged = 0;
        double sd[ARC_MAX_PARAMETERS] = {0.0}, spread = -1.0;
        arc_starts_spread(a, sd, &n, &converged, &spread);
        assert_true(n == 1 && converged == alone->converged && spread == 0.0);
        arc_starts_free(a);
        arc_starts_free(b);
        /* A forecast looks at the start alone. */
        assert_int_equal(arc_starts_run(many, ARC_DIRECT, NULL, true, &b, &err), ARC_OK);
        arc_starts_spread(b, sd, &n, &converged, &spread);
        assert_int_equal(n, 1);
        assert_true(arc_starts_best(b)->iterations == 0);
        arc_starts_free(b);
    }
    arc_problem_free(single);
    arc_problem_free(many);
    arc_capture_free(capture);
}

/* With one valley all starts end in one place, but for rounding. */
static void test_fit_run_easy_flight_has_no_spread(void **state)
{
    (void)state;
#define EASY CASE_HEAD FLIGHT "parameters: {cd: {start: 0.4}, spin: -25}\n"
    ArcCapture *capture = case_capture(THROW, 12, 1.0, 0.003);
    ArcFit *single = case_fit(EASY, capture, ARC_PINN);
    ArcFit *many = case_fit(EASY "fit: {starts: 5}\n", capture, ARC_PINN);
    assert_true(single->converged && many->converged);
    assert_int_equal(many->n_starts_converged, 5);
    CaseGap gap = case_gap(many, single);
    print_message("spread %.1e sd, best %.1e sd from the single start\n", many->start_spread_sd,
                  gap.estimate_sd);
    assert_true(many->start_spread_sd > 0.0 && many->start_spread_sd < 1e-2);
    assert_true(gap.estimate_sd < 1e-2);
    arc_fit_free(single);
    arc_fit_free(many);
    arc_capture_free(capture);
}

/* Lift of one size for either sign of the spin: no small step leads from topspin to backspin, and
 * with the wrong one the best that the coefficient can do is to vanish. */
#define LIFT "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: constant}\n"
#define WRONG                                                                                      \
    CASE_HEAD LIFT "parameters: {cd: 0.5, cl: {start: 0.1, bounds: [0, 1]}, "                      \
                   "spin: {start: 20, bounds: [-30, 30]}}\n"

static void test_fit_run_starts_find_the_better_valley(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(
        CASE_HEAD LIFT "parameters: {cd: 0.5, cl: 0.25, spin: -25, x0: 0, y0: 2, vx0: 6, vy0: 6}\n"
                       "fit: {seed: 5}\n",
        12, 1.0, 0.003);
    for (int m = 0; m < 2; m++) {
        ArcMethod method = m == 0 ? ARC_PINN : ARC_DIRECT;
        ArcFit *single = case_fit(WRONG, capture, method);
        ArcFit *many = case_fit(WRONG "fit: {starts: 8}\n", capture, method);
        const ArcEstimate *cl = case_parameter(many, "cl");
        print_message("%s: one start cl %.3g, chi2 %.4g; eight (%d converged): cl %.3g, chi2 "
                      "%.4g, spread %.2g sd\n",
                      m == 0 ? "pinn" : "direct", case_parameter(single, "cl")->value,
                      single->residuals.chi2, many->n_starts_converged, cl->value,
                      many->residuals.chi2, many->start_spread_sd);
        assert_true(many->converged);
        assert_near((cl->value - 0.25) / cl->sd, 0.0, 4.0);
        assert_true(case_parameter(many, "spin")->value < 0.0);
        assert_true(many->residuals.chi2 < 50.0 && single->residuals.chi2 > 100.0);
        /* Some of the starts ended in the worse valley, and the spread says so. */
        assert_true(many->start_spread_sd > 1.0);
        arc_fit_free(single);
        arc_fit_free(many);
    }
    arc_capture_free(capture);
}

/* Starts are drawn within bounds and, where there is one, from the prior. */
static void test_fit_run_starts_of_priors_and_bounds_agree(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 12, 1.0, 0.003);
    ArcFit *single = case_fit(CASE_HEAD FLIGHT
                              "parameters: {cd: {start: 0.5, prior: {mean: 0.5, sd: 0.1}, bounds: "
                              "[0.45, 0.6]}, spin: {start: -20, prior: {mean: -20, sd: 8}}}\n",
                              capture, ARC_PINN);
    ArcFit *many = case_fit(CASE_HEAD FLIGHT
                            "parameters: {cd: {start: 0.5, prior: {mean: 0.5, sd: 0.1}, bounds: "
                            "[0.45, 0.6]}, spin: {start: -20, prior: {mean: -20, sd: 8}}}\n"
                            "fit: {starts: 6}\n",
                            capture, ARC_PINN);
    assert_int_equal(many->n_starts_converged, 6);
    CaseGap gap = case_gap(many, single);
    assert_true(gap.estimate_sd < 1e-2 && many->start_spread_sd < 1e-2);
    arc_fit_free(single);
    arc_fit_free(many);
    arc_capture_free(capture);
}

/* With physics: auto the starts share one sigma_phys, or their costs could not be compared. */
static void test_fit_run_auto_physics_is_one_for_all_starts(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 12, 1.0, 0.003);
    ArcFit *single = case_fit(FAR "fit: {pinn: {physics: auto}}\n", capture, ARC_PINN);
    ArcFit *many = case_fit(FAR "fit: {starts: 4, pinn: {physics: auto}}\n", capture, ARC_PINN);
    assert_true(single->residuals.sigma_phys_m_s2 == many->residuals.sigma_phys_m_s2);
    assert_memory_equal(single->residuals.sigma_phys_ci95_m_s2,
                        many->residuals.sigma_phys_ci95_m_s2, 2 * sizeof(double));
    arc_fit_free(single);
    arc_fit_free(many);
    arc_capture_free(capture);
}

typedef struct Watch {
    int calls, allowed, last_start;
    bool seen[8];
} Watch;

static bool watch(void *context, const ArcProgressState *state)
{
    Watch *w = context;
    w->last_start = state->row->start;
    w->seen[state->row->start] = true;
    return ++w->calls <= w->allowed;
}

static void test_fit_run_starts_report_and_stop_at_an_interruption(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 12, 1.0, 0.003);
    for (int threads = 1; threads <= 2; threads++) {
        Watch w = {.allowed = 1 << 20};
        ArcFitOptions options = {.threads = threads, .progress = watch, .context = &w};
        ArcFit *whole = fit_with(FAR "fit: {starts: 5}\n", capture, ARC_PINN, &options);
        for (int i = 0; i < 5; i++)
            assert_true(w.seen[i]);
        int calls = w.calls;
        w = (Watch){.allowed = 2};
        ArcFit *stopped = fit_with(FAR "fit: {starts: 5}\n", capture, ARC_PINN, &options);
        /* Each start still hears it for itself, and then stops. */
        assert_true(w.calls <= 2 + 5 && w.calls < calls);
        assert_int_equal(stopped->stop, ARC_STOP_INTERRUPTED);
        assert_false(stopped->converged);
        assert_int_equal(stopped->n_starts_converged, 0);
        assert_true(isfinite(stopped->parameters[0].value));
        arc_fit_free(whole);
        arc_fit_free(stopped);
    }
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_starts_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(test_starts_run_first_is_the_single_start),
        cmocka_unit_test(test_fit_run_easy_flight_has_no_spread),
        cmocka_unit_test(test_fit_run_starts_find_the_better_valley),
        cmocka_unit_test(test_fit_run_starts_of_priors_and_bounds_agree),
        cmocka_unit_test(test_fit_run_auto_physics_is_one_for_all_starts),
        cmocka_unit_test(test_fit_run_starts_report_and_stop_at_an_interruption),
    };
    return cmocka_run_group_tests_name("starts", tests, NULL, NULL);
}
