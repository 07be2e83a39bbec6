/* What is asked beyond a fit, of one with an arm: profiles, bootstrap, chains, robust losses, an
 * estimated sigma, stages of the laws, checkpoints and criteria, all with readings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "arcfit/predict.h"
#include "arcfit/ranking.h"
#include "slow.h"
#include "throw_case.h"
#include "uncertainty_case.h"

enum { POINTS = 14, READINGS = 4 };

#define SIGMA_M 0.002
#define HEAD(fit)                                                                                  \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"                                          \
    "flight: {ball: basketball, drag: quadratic}\nparameters: {cd: {start: 0.45}}\n" fit

static const double theta[] = {130 * DEGREE, -25 * DEGREE}, omega[] = {-3.0, -9.0};
static ArcCapture *capture;
static ArcReading readings[READINGS];

static int make_capture(void **state)
{
    (void)state;
    static const char *const names[] = {"theta1", "theta2", "omega1", "l1"};
    static const double sds[] = {0.1 * DEGREE, 0.1 * DEGREE, 0.03, 1e-3};
    ArcArmSettings settings = arm_settings(2, 0.5, 0.4, 0.0);
    ArmThrow thrown = arm_throw(&settings, theta, omega);
    ArcRandom random = arc_random_create(1, ARC_STREAM_TRUTH);
    capture = arm_capture(&thrown, "ball: basketball, drag: quadratic", POINTS, 0.9, SIGMA_M, 21);
    for (int i = 0; i < READINGS; i++)
        readings[i] = (ArcReading){
            names[i], *arm_truth(&thrown, names[i]) + sds[i] * arc_random_normal(&random), sds[i],
            2};
    capture->n_readings = READINGS;
    capture->readings = readings;
    return 0;
}

static int free_capture(void **state)
{
    (void)state;
    arc_capture_free(capture);
    return 0;
}

/* Both lengths and cd free. */
static ArcExperiment *experiment_of(const char *text)
{
    ArcArmSettings settings = arm_settings(2, 0.497, 0.403, 0.0);
    ArcExperiment *experiment = arm_experiment(text, &settings);
    arm_free(experiment, "l1");
    arm_free(experiment, "l2");
    return experiment;
}

static ArcFit *explore(const char *text, ArcMethod method)
{
    ArcError err;
    ArcFit *fit = NULL;
    ArcExperiment *experiment = experiment_of(text);
    ArcProblem *problem = arm_problem(experiment, capture);
    if (arc_fit_run(problem, method, NULL, &fit, &err) != ARC_OK ||
        arc_uncertainty_run(problem, &experiment->uncertainty, NULL, fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    assert_true(fit->converged);
    return fit;
}

/* Intervals by profile beside those of the covariance, of what is nearly linear. */
static void test_profile_with_an_arm_is_the_covariances(void **state)
{
    (void)state;
    static const char *const names[] = {"l1", "theta2", "omega2"};
    for (int method = ARC_PINN; method <= ARC_DIRECT; method++) {
        ArcExperiment *experiment = experiment_of(HEAD(""));
        ArcProblem *problem = arm_problem(experiment, capture);
        ArcFit *fit = NULL;
        ArcError err;
        assert_int_equal(arc_fit_run(problem, (ArcMethod)method, NULL, &fit, &err), ARC_OK);
        for (int k = 0; k < 3; k++)
            experiment->uncertainty.profiles |=
                UINT64_C(1) << (arm_parameter(experiment, names[k]) - experiment->parameters);
        assert_int_equal(arc_uncertainty_run(problem, &experiment->uncertainty, NULL, fit, &err),
                         ARC_OK);
        for (int k = 0; k < 3; k++) {
            const ArcEstimate *e = case_parameter(fit, names[k]);
            const ArcProfile *profile = case_profile(fit, names[k]);
            for (int side = 0; side < 2; side++)
                if (!(fabs(profile->interval[side] - e->ci95[side]) < 0.05 * e->sd))
                    fail_msg("%s: %.6g by profile, %.6g by covariance", names[k],
                             profile->interval[side], e->ci95[side]);
        }
        arc_fit_free(fit);
        arc_problem_free(problem);
        arc_experiment_free(experiment);
    }
}

/* Replicates draw the readings anew: else lengths would hardly scatter. */
static void test_bootstrap_with_an_arm_draws_readings(void **state)
{
    (void)state;
    static const char *const kinds[] = {HEAD("fit: {bootstrap: 400}\n"),
                                        HEAD("fit: {bootstrap: 400, bootstrap_kind: case}\n")};
    for (int kind = 0; kind < 2; kind++) {
        ArcFit *fit = explore(kinds[kind], ARC_DIRECT);
        const ArcBootstrap *b = fit->uncertainty->bootstrap;
        int seen = 0;
        for (int j = 0; j < b->n_numbers; j++) {
            const ArcBootstrapNumber *number = &b->numbers[j];
            bool is_arm = strcmp(number->name, "l1") == 0 || strcmp(number->name, "theta1") == 0 ||
                          strcmp(number->name, "omega1") == 0;
            if (!is_arm)
                continue;
            seen++;
            /* sds of readings rule these three; the scatter of the points is but a part. */
            double ratio = number->sd / case_parameter(fit, number->name)->sd;
            if (!(fabs(ratio - 1.0) < 0.25))
                fail_msg("kind %d, %s: %.3f of the covariance's sd", kind, number->name, ratio);
        }
        assert_int_equal(seen, 3);
        assert_int_equal(b->n_failed, 0);
        arc_fit_free(fit);
    }
}

static void test_sample_with_an_arm_is_the_covariances(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    static const double sd_apart = 0.15, mean_apart = 0.2;
    ArcFit *fit = explore(HEAD("fit: {sample: 4000}\n"), ARC_DIRECT);
    const ArcSamples *samples = fit->uncertainty->samples;
    assert_true(samples->believable);
    for (int j = 0; j < samples->n_numbers; j++) {
        const ArcSampledNumber *number = &samples->numbers[j];
        const ArcEstimate *e = case_parameter(fit, number->name);
        if (!(fabs(number->sd / e->sd - 1.0) < sd_apart) ||
            !(fabs(number->mean - e->value) < mean_apart * e->sd))
            fail_msg("%s: %.6g, sd %.3g by chains; %.6g, sd %.3g", number->name, number->mean,
                     number->sd, e->value, e->sd);
    }
    arc_fit_free(fit);
}

/* A robust loss is for points: readings stay what they are. */
static void test_fit_robust_with_an_arm(void **state)
{
    (void)state;
    ArcFit *plain = explore(HEAD(""), ARC_DIRECT);
    ArcFit *direct = explore(HEAD("fit: {loss: huber}\n"), ARC_DIRECT);
    ArcFit *pinn = explore(HEAD("fit: {loss: huber}\n"), ARC_PINN);
    CaseGap gap = case_gap(pinn, direct);
    assert_true(gap.estimate_sd < 0.05 && gap.sd_share < 0.02);
    const ArcEstimate *a = case_parameter(plain, "l1"), *b = case_parameter(direct, "l1");
    assert_true(fabs(a->value - b->value) < 0.5 * a->sd);
    assert_true(direct->residuals.chi2_p > 1e-3);
    arc_fit_free(plain);
    arc_fit_free(direct);
    arc_fit_free(pinn);
}

/* sigma of points alone: given half of it, the factor is 2, and readings keep their sds. */
static void test_fit_estimated_sigma_with_an_arm(void **state)
{
    (void)state;
    ArcExperiment *experiment = experiment_of(HEAD(""));
    experiment->capture.sigma_estimated = true;
    ArcFit *direct = arm_fit(experiment, capture, ARC_DIRECT);
    ArcFit *pinn = arm_fit(experiment, capture, ARC_PINN);
    CaseGap gap = case_gap(pinn, direct);
    assert_true(direct->converged && pinn->converged && gap.estimate_sd < 0.05);
    double off = (direct->spread.sigma_factor - 1.0) / direct->spread.sigma_factor_sd;
    assert_true(fabs(off) < 4.0);
    assert_true(direct->spread.sigma_factor_sd < 0.25);
    arc_fit_free(direct);
    arc_fit_free(pinn);
    arc_experiment_free(experiment);
}

/* The flight's laws one after the other end where all at once do. */
static void test_fit_by_stages_with_an_arm(void **state)
{
    (void)state;
    ArcFit *plain = explore(HEAD(""), ARC_DIRECT);
    for (int method = ARC_PINN; method <= ARC_DIRECT; method++) {
        ArcFit *staged = explore(HEAD("fit: {stages: [vacuum, drag]}\n"), (ArcMethod)method);
        assert_non_null(staged->stages);
        CaseGap gap = case_gap(staged, plain);
        assert_true(gap.estimate_sd < 0.05 && gap.sd_share < 1e-3);
        assert_int_equal(staged->residuals.n_readings, READINGS);
        arc_fit_free(staged);
    }
    arc_fit_free(plain);
}

/* Adam and L-BFGS in front of the linear stage. */
static void test_fit_by_gradients_with_an_arm(void **state)
{
    (void)state;
    ArcFit *plain = explore(HEAD(""), ARC_DIRECT);
    ArcFit *fit = explore(HEAD("fit: {pinn: {train: [{optimizer: adam, steps: 30}, {optimizer: "
                               "lbfgs, steps: 30}, {optimizer: lm, steps: 10}, {optimizer: "
                               "linear}]}}\n"),
                          ARC_PINN);
    CaseGap gap = case_gap(fit, plain);
    assert_true(gap.estimate_sd < 0.05);
    arc_fit_free(plain);
    arc_fit_free(fit);
}

/* A checkpoint belongs to its readings. */
static void test_checkpoint_of_other_readings_is_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/arcfit-test-arm-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    ArcExperiment *experiment = experiment_of(HEAD(""));
    ArcError err;
    ArcFit *fit = NULL, *again = NULL;
    ArcFitOptions options = {.checkpoint = path};
    ArcProblem *problem = arm_problem(experiment, capture);
    assert_int_equal(arc_fit_run(problem, ARC_PINN, &options, &fit, &err), ARC_OK);
    options = (ArcFitOptions){.resume = path};
    assert_int_equal(arc_fit_run(problem, ARC_PINN, &options, &again, &err), ARC_OK);
    CaseGap gap = case_gap(again, fit);
    assert_true(gap.estimate_sd < 1e-6);
    arc_fit_free(again);
    arc_fit_free(fit);
    arc_problem_free(problem);
    double kept = readings[0].value;
    readings[0].value += 1e-4;
    problem = arm_problem(experiment, capture);
    fit = NULL;
    assert_int_equal(arc_fit_run(problem, ARC_PINN, &options, &fit, &err), ARC_INPUT);
    assert_null(fit);
    readings[0].value = kept;
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    unlink(path);
}

/* Criteria compare models of the same data, readings among them. */
static void test_ranking_wants_the_same_readings(void **state)
{
    (void)state;
    ArcExperiment *experiment = experiment_of(HEAD(""));
    ArcResult results[2];
    const ArcResult *both[2] = {&results[0], &results[1]};
    for (int other = 0; other < 2; other++) {
        double kept = readings[3].sd;
        for (int i = 0; i < 2; i++) {
            readings[3].sd = i == 1 && other == 1 ? 2.0 * kept : kept;
            results[i] = (ArcResult){.capture = capture, .n_fits = 1};
            results[i].fits[0] = arm_fit(experiment, capture, ARC_DIRECT);
        }
        readings[3].sd = kept;
        ArcRanking *ranking = NULL;
        assert_int_equal(arc_ranking_create(2, both, ARC_DIRECT, &ranking, NULL), ARC_OK);
        assert_true((ranking->not_comparable != NULL) == (other == 1));
        if (other == 0) {
            const ArcCriteria *c = &ranking->models[0].criteria;
            assert_int_equal(c->n, 2 * POINTS + READINGS);
            assert_int_equal(c->k, 7);
        }
        arc_ranking_free(ranking);
        for (int i = 0; i < 2; i++)
            arc_fit_free((ArcFit *)(uintptr_t)results[i].fits[0]);
    }
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_with_an_arm_is_the_covariances),
        cmocka_unit_test(test_bootstrap_with_an_arm_draws_readings),
        cmocka_unit_test(test_sample_with_an_arm_is_the_covariances),
        cmocka_unit_test(test_fit_robust_with_an_arm),
        cmocka_unit_test(test_fit_estimated_sigma_with_an_arm),
        cmocka_unit_test(test_fit_by_stages_with_an_arm),
        cmocka_unit_test(test_fit_by_gradients_with_an_arm),
        cmocka_unit_test(test_checkpoint_of_other_readings_is_refused),
        cmocka_unit_test(test_ranking_wants_the_same_readings),
    };
    return cmocka_run_group_tests(tests, make_capture, free_capture);
}
