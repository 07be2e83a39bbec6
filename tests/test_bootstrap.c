/* The bootstrap: beside the covariance where that is right, threads, failures, what cannot be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "fit_case.h"
#include "slow.h"
#include "sweep.h"
#include "uncertainty_case.h"

#define LUMPED CASE_HEAD "flight: {dimensions: 2, drag: lumped}\n"
#define THROW LUMPED "parameters: {k: 0.03, x0: 0.5, y0: 2, vx0: 4.6, vy0: 6.4}\n"

static const ArcEstimate *estimate_of(const ArcFit *fit, int number)
{
    const char *name = fit->uncertainty->bootstrap->numbers[number].name;
    for (int i = 0; i < fit->n_derived; i++)
        if (strcmp(fit->derived[i].name, name) == 0)
            return &fit->derived[i];
    return case_parameter(fit, name);
}

/* 300 points of gaussian noise: sds scatter by 1/sqrt(2 N) = 3.5 %, and the residuals' own. */
static void test_bootstrap_of_many_points_agrees_with_the_covariance(void **state)
{
    (void)state;
    static const char *const texts[] = {
        LUMPED "parameters: {k: {prior: {mean: 0.03, sd: 0.0002}}}\nfit: {bootstrap: 400}\n",
        LUMPED "parameters: {k: {prior: {mean: 0.03, sd: 0.0002}}}\n"
               "fit: {bootstrap: 400, bootstrap_kind: case}\n"};
    ArcCapture *capture = case_capture(THROW, 300, 0.9, 3e-3);
    for (int kind = 0; kind < 2; kind++) {
        ArcFit *fit = case_explore(texts[kind], capture, ARC_DIRECT, 2);
        const ArcBootstrap *b = fit->uncertainty->bootstrap;
        assert_int_equal(b->kind, kind);
        assert_int_equal(b->n_failed, 0);
        assert_int_equal(b->n_numbers, fit->n_free + fit->n_derived);
        for (int j = 0; j < b->n_numbers; j++) {
            const ArcEstimate *e = estimate_of(fit, j);
            const ArcBootstrapNumber *number = &b->numbers[j];
            assert_int_equal(number->n, 400);
            assert_near(number->sd / e->sd, 1.0, 0.17);
            assert_near(number->bias / e->sd, 0.0, 0.2);
            for (int side = 0; side < 2; side++) {
                assert_near((number->percentile95[side] - e->ci95[side]) / e->sd, 0.0, 0.6);
                assert_near((number->t95[side] - e->ci95[side]) / e->sd, 0.0, 0.6);
            }
        }
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* Few points: residuals are smaller than errors by sqrt(dof / n), which the leverage gives back. */
static void test_bootstrap_of_few_points_is_corrected_for_leverage(void **state)
{
    (void)state;
    double ratio = 0.0;
    enum { CAPTURES = 40 };
    for (int c = 0; c < CAPTURES; c++) {
        ArcCapture *capture = case_capture_seed(THROW, 6, 0.9, 3e-3, (uint64_t)c + 100);
        ArcFit *fit = case_explore(LUMPED "parameters: {k: free}\nfit: {bootstrap: 60}\n", capture,
                                   ARC_DIRECT, 1);
        const ArcBootstrapNumber *x0 = &fit->uncertainty->bootstrap->numbers[1];
        assert_string_equal(x0->name, "x0");
        ratio += pow(x0->sd / case_parameter(fit, "x0")->sd, 2) / CAPTURES;
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    /* 12 numbers, 5 unknowns: without the correction 7/12. */
    assert_near(ratio, 1.0, 0.25);
}

static void test_bootstrap_is_the_same_for_any_threads(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 12, 0.9, 3e-3);
    for (int m = 0; m < 2; m++) {
        static const char text[] = LUMPED "parameters: {k: free}\nfit: {bootstrap: 50}\n";
        ArcMethod method = m == 0 ? ARC_DIRECT : ARC_PINN;
        ArcFit *one = case_explore(text, capture, method, 1);
        ArcFit *four = case_explore(text, capture, method, 4);
        const ArcBootstrap *a = one->uncertainty->bootstrap, *b = four->uncertainty->bootstrap;
        assert_memory_equal(a->replicates, b->replicates,
                            sizeof(double) * (size_t)(a->n * a->n_numbers));
        for (int j = 0; j < a->n_numbers; j++) {
            assert_true(a->numbers[j].sd == b->numbers[j].sd);
            assert_memory_equal(a->numbers[j].t95, b->numbers[j].t95, sizeof a->numbers[j].t95);
        }
        arc_fit_free(one);
        arc_fit_free(four);
    }
    arc_capture_free(capture);
}

static void test_bootstrap_of_the_pinn_is_that_of_the_direct_fit(void **state)
{
    (void)state;
    static const char text[] = LUMPED "parameters: {k: free}\nfit: {bootstrap: 60}\n";
    ArcCapture *capture = case_capture(THROW, 12, 0.9, 3e-3);
    ArcFit *direct = case_explore(text, capture, ARC_DIRECT, 1);
    ArcFit *pinn = case_explore(text, capture, ARC_PINN, 1);
    const ArcBootstrap *a = pinn->uncertainty->bootstrap, *b = direct->uncertainty->bootstrap;
    assert_int_equal(a->n_failed, 0);
    for (int i = 0; i < b->n; i++)
        for (int j = 0; j < b->n_numbers; j++) {
            int at = i * b->n_numbers + j;
            assert_near((a->replicates[at] - b->replicates[at]) / estimate_of(direct, j)->sd, 0.0,
                        1e-2);
        }
    arc_fit_free(direct);
    arc_fit_free(pinn);
    arc_capture_free(capture);
}

/* Adds noise ten times as wide to a tenth of the coordinates. */
static void spoil(ArcCapture *capture, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 99);
    double *x = (double *)(uintptr_t)capture->position_m;
    for (int i = 0; i < 2 * capture->n_points; i++)
        if (arc_random_uniform(&random, 0.0, 1.0) < 0.1)
            x[i] += 0.03 * arc_random_normal(&random);
}

/* Coordinates of a tenth are ten times as noisy: replicates scatter as the sandwich says, the
 * outliers among the residuals being drawn too. */
static void test_bootstrap_of_robust_losses_agrees_with_the_sandwich(void **state)
{
    (void)state;
    static const char *const fits[] = {"loss: huber", "loss: student-t"};
    ArcCapture *capture = case_capture(THROW, 150, 0.9, 3e-3);
    spoil(capture, 5);
    for (int f = 0; f < 2; f++) {
        char text[256];
        snprintf(text, sizeof text, LUMPED "parameters: {k: free}\nfit: {%s, bootstrap: 300}\n",
                 fits[f]);
        ArcFit *fit = case_explore(text, capture, ARC_DIRECT, 2);
        const ArcBootstrap *b = fit->uncertainty->bootstrap;
        assert_int_equal(b->n_failed, 0);
        for (int j = 0; j < b->n_numbers; j++) {
            const ArcEstimate *e = estimate_of(fit, j);
            const ArcBootstrapNumber *number = &b->numbers[j];
            assert_near(number->sd / e->sd, 1.0, 0.25);
            assert_near(number->bias / e->sd, 0.0, 0.3);
            for (int side = 0; side < 2; side++)
                assert_near((number->t95[side] - e->ci95[side]) / e->sd, 0.0, 0.8);
        }
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* With sigma estimated, what the capture says of it plays no part. */
static void test_bootstrap_of_an_estimated_sigma_is_free_of_the_given_one(void **state)
{
    (void)state;
    static const char *const sigmas[] = {"3 mm", "estimate"};
    ArcCapture *capture = case_capture(THROW, 12, 0.9, 3e-3);
    ArcFit *fits[2];
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "arcfit: 1\ncapture: {file: none.csv, sigma: %s}\nflight: {drag: lumped}\n"
                 "parameters: {k: free}\nfit: {bootstrap: 100}\n",
                 sigmas[i]);
        fits[i] = case_explore(text, capture, ARC_DIRECT, 1);
    }
    const ArcBootstrap *a = fits[0]->uncertainty->bootstrap, *b = fits[1]->uncertainty->bootstrap;
    for (int j = 0; j < a->n_numbers; j++)
        for (int side = 0; side < 2; side++)
            assert_near((a->numbers[j].t95[side] - b->numbers[j].t95[side]) / a->numbers[j].sd, 0.0,
                        1e-3);
    arc_fit_free(fits[0]);
    arc_fit_free(fits[1]);
    arc_capture_free(capture);
}

/* As many unknowns as numbers: no scatter to draw from. Points too few to be left out. */
static void test_bootstrap_without_freedom_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int points;
        const char *says;
    } cases[] = {
        {CASE_HEAD "flight: {dimensions: 2}\nfit: {bootstrap: 50}\n", 2, "no more observations"},
        {LUMPED "parameters: {k: free}\nfit: {bootstrap: 50, bootstrap_kind: case}\n", 4,
         "too few points"},
        {LUMPED "parameters: {k: {prior: {mean: 0.03, sd: 100}}, x0: {prior: {mean: 0, sd: 1e6}}}\n"
                "fit: {bootstrap: 50}\n",
         2, "whatever their errors"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ArcCapture *capture = case_capture(THROW, cases[i].points, 0.9, 3e-3);
        ArcFit *fit = case_explore(cases[i].text, capture, ARC_DIRECT, 1);
        assert_null(fit->uncertainty->bootstrap);
        assert_non_null(fit->uncertainty->note);
        assert_non_null(strstr(fit->uncertainty->note, cases[i].says));
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
}

/* Of five points only two are drawn at times: a flight goes through both, and tells nothing
 * of errors by its scatter. */
static void test_bootstrap_flight_through_all_its_points_has_no_scatter(void **state)
{
    (void)state;
    static const char text[] = LUMPED "parameters: {k: {start: 0.03, prior: {mean: 0.03, sd: "
                                      "0.006}}}\nfit: {bootstrap: 300, bootstrap_kind: case}\n";
    ArcCapture *capture = case_capture(THROW, 5, 0.9, 3e-3);
    ArcFit *fit = case_explore(text, capture, ARC_DIRECT, 1);
    const ArcBootstrap *b = fit->uncertainty->bootstrap;
    assert_non_null(b);
    for (int j = 0; j < b->n_numbers; j++)
        assert_true(b->numbers[j].t95[1] - b->numbers[j].t95[0] < 100.0 * b->numbers[j].sd);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* Whole points of so few are at times drawn twice over: such fits fail, and are counted. */
static void test_bootstrap_failed_replicates_are_counted(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 5, 0.9, 3e-3);
    ArcFit *fit =
        case_explore(LUMPED "parameters: {k: free}\nfit: {bootstrap: 200, bootstrap_kind: case}\n",
                     capture, ARC_DIRECT, 1);
    const ArcBootstrap *b = fit->uncertainty->bootstrap;
    assert_non_null(b);
    int n_failed = 0;
    for (int i = 0; i < b->n; i++)
        n_failed += isnan(b->replicates[i * b->n_numbers]);
    assert_int_equal(b->n_failed, n_failed);
    assert_true(b->n_failed > 0 && b->n_failed < b->n);
    for (int j = 0; j < b->n_numbers; j++)
        assert_true(b->numbers[j].n <= b->n - b->n_failed);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static bool stop_at_ten(void *context, const ArcProgressState *progress)
{
    (void)context;
    return progress->row != NULL || progress->done < 10;
}

static void test_bootstrap_interrupted_is_left_out(void **state)
{
    (void)state;
    ArcError err;
    static const char text[] = LUMPED "parameters: {k: free}\nfit: {bootstrap: 1000}\n";
    ArcCapture *capture = case_capture(THROW, 12, 0.9, 3e-3);
    ArcExperiment *experiment = case_experiment(text);
    ArcProblem *problem = case_problem(text, capture);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    const ArcFitOptions options = {.progress = stop_at_ten};
    assert_int_equal(arc_uncertainty_run(problem, &experiment->uncertainty, &options, fit, &err),
                     ARC_OK);
    assert_null(fit->uncertainty->bootstrap);
    assert_string_equal(fit->uncertainty->note, "it was interrupted");
    arc_fit_free(fit);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

/* How often the 95 % intervals by bootstrap-t hold the truth, number by number, over captures of 20
 * points with outliers. 1.5 % is allowed of 4,000 captures, of 1,000 by chance twice that. */
static void test_bootstrap_slow_intervals_of_twenty_points_hold_the_truth(void **state)
{
    (void)state;
    static const char text[] = LUMPED "parameters: {k: free}\nfit: {loss: huber, bootstrap: 300}\n";
    enum { CAPTURES = 1000 };
    int inside[ARC_MAX_PARAMETERS + ARC_MAX_DERIVED] = {0}, n_numbers = 0;
    if (!slow_is_wanted()) {
        print_message("skipped: ARCFIT_SLOW=1 runs it, without sanitizers\n");
        skip();
    }
    ArcCapture *clean = case_capture(THROW, 20, 0.9, 1e-9);
    ArcFit *truth = case_fit(LUMPED "parameters: {k: free}\n", clean, ARC_DIRECT);
    for (int c = 0; c < CAPTURES; c++) {
        ArcCapture *capture = case_capture_seed(THROW, 20, 0.9, 3e-3, (uint64_t)c + 1000);
        spoil(capture, (uint64_t)c);
        ArcFit *fit = case_explore(text, capture, ARC_DIRECT, 2);
        const ArcBootstrap *b = fit->uncertainty->bootstrap;
        n_numbers = b->n_numbers;
        for (int j = 0; j < n_numbers; j++) {
            double value = j < fit->n_free ? case_parameter(truth, b->numbers[j].name)->value
                                           : case_derived(truth, b->numbers[j].name)->value;
            inside[j] += b->numbers[j].t95[0] <= value && value <= b->numbers[j].t95[1];
        }
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    for (int j = 0; j < n_numbers; j++) {
        double share = 100.0 * inside[j] / CAPTURES;
        const char *name = j < truth->n_free ? truth->parameters[j + (j > 0)].name
                                             : truth->derived[j - truth->n_free].name;
        print_message("%s %.1f %%\n", name, share);
        assert_near(share, 95.0, 3.0);
    }
    arc_fit_free(truth);
    arc_capture_free(clean);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bootstrap_of_many_points_agrees_with_the_covariance),
        cmocka_unit_test(test_bootstrap_of_few_points_is_corrected_for_leverage),
        cmocka_unit_test(test_bootstrap_is_the_same_for_any_threads),
        cmocka_unit_test(test_bootstrap_of_the_pinn_is_that_of_the_direct_fit),
        cmocka_unit_test(test_bootstrap_of_robust_losses_agrees_with_the_sandwich),
        cmocka_unit_test(test_bootstrap_of_an_estimated_sigma_is_free_of_the_given_one),
        cmocka_unit_test(test_bootstrap_without_freedom_says_so),
        cmocka_unit_test(test_bootstrap_flight_through_all_its_points_has_no_scatter),
        cmocka_unit_test(test_bootstrap_failed_replicates_are_counted),
        cmocka_unit_test(test_bootstrap_interrupted_is_left_out),
        cmocka_unit_test(test_bootstrap_slow_intervals_of_twenty_points_hold_the_truth),
    };
    return cmocka_run_group_tests_name("bootstrap", tests, NULL, NULL);
}
