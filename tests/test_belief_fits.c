/* Beliefs corrected by fits of an arm's throws: priors count once, throws one by one tell what they
 * tell together; what of a result cannot be used, in words; results from files; text and JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/belief.h"
#include "arcfit/joint.h"
#include "arcfit/report.h"
#include "fit_case.h"
#include "sweep.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

enum { POINTS = 25, MOST_OVERRIDES = 16 };

#define CAPTURE                                                                                    \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm, readings: {file: none2.csv, sigma_angle: "  \
    "0.05 deg, "                                                                                   \
    "sigma_rate_share: 0.1 %}}\nfit: {methods: [direct]}\n"
#define ARM                                                                                        \
    "flight: {dimensions: 2, ball: basketball, drag: quadratic}\nrelease: arm\n"                   \
    "arm: {encoders: true, joints: [{length: 0.5 m}, {length: 0.4 m}], base: [0 m, 1.4 m]}\n"      \
    "simulate: {readings: [theta1, theta2, omega1, omega2]}\n"
#define PARAMETERS                                                                                 \
    "parameters:\n  t0: 0 s\n"                                                                     \
    "  l1: {prior: {mean: 50 cm, sd: 1 cm}}\n  l2: {prior: {mean: 40 cm, sd: 1 cm}}\n"             \
    "  base_y: {prior: {mean: 1.4 m, sd: 1 cm}}\n"                                                 \
    "  offset1: {prior: {mean: 0 deg, sd: 2 deg}}\n"                                               \
    "  offset2: {prior: {mean: 0 deg, sd: 2 deg}}\n  cd: {prior: {mean: 0.5, sd: 0.1}}\n"
#define TEXT CAPTURE ARM PARAMETERS

static const char *const shared[] = {"l1", "l2", "base_y", "offset1", "offset2", "cd"};
enum { SHARED = sizeof shared / sizeof shared[0] };

static const char *const truth[] = {"parameters.l1=50.4 cm",      "parameters.l2=39.6 cm",
                                    "parameters.base_y=1.405 m",  "parameters.offset1=1 deg",
                                    "parameters.offset2=-1 deg",  "parameters.cd=0.58",
                                    "parameters.omega1=10 rad/s", "parameters.omega2=4 rad/s"};
enum { TRUTHS = sizeof truth / sizeof truth[0] };

/* A throw of the true arm from a pose of its own. */
static ArcCapture *watch(int seed)
{
    ArcError err;
    ArcExperiment *e = NULL;
    ArcCapture *capture = NULL;
    char pose[2][64];
    const char *overrides[MOST_OVERRIDES];
    double t_s[POINTS];
    memcpy(overrides, truth, sizeof truth);
    snprintf(pose[0], sizeof pose[0], "parameters.theta1=%d deg", 30 + 5 * (seed % 3));
    snprintf(pose[1], sizeof pose[1], "parameters.theta2=%d deg", 40 - 7 * (seed % 4));
    overrides[TRUTHS] = pose[0];
    overrides[TRUTHS + 1] = pose[1];
    for (int i = 0; i < POINTS; i++)
        t_s[i] = 0.9 * i / (POINTS - 1);
    if (arc_experiment_parse("case.yaml", TEXT, strlen(TEXT), TRUTHS + 2, overrides, &e, &err) !=
        ARC_OK)
        fail_msg("%s", err.text);
    e->seed = (uint64_t)seed;
    if (arc_simulate_capture(e, POINTS, t_s, e->simulate, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(e);
    return capture;
}

/* A result of one fit, and what it rests on. */
typedef struct Watched {
    ArcFit *fit;
    ArcResult result;
} Watched;

static Watched result_of(const char *text, ArcFit *fit)
{
    return (Watched){
        fit, {.experiment_path = "case.yaml", .experiment_text = text, .n_fits = 1, .fits = {fit}}};
}

static Watched fit_throw(const char *text, int seed, ArcMethod method)
{
    ArcCapture *capture = watch(seed);
    if (strstr(text, "release: arm") == NULL)
        capture->n_readings = 0;
    ArcFit *fit = case_fit(text, capture, method);
    arc_capture_free(capture);
    return result_of(text, fit);
}

static ArcBelief *belief_of(const ArcExperiment *experiment)
{
    ArcBelief *belief = calloc(1, sizeof *belief); /* its padding is compared, too */
    assert_non_null(belief);
    arc_belief_of_experiment(experiment, belief);
    return belief;
}

static void correct(const ArcExperiment *experiment, const Watched *watched, ArcBelief *belief)
{
    ArcError err;
    const ArcResult *const results[] = {&watched->result};
    if (arc_belief_correct(experiment, 1, results, belief, &err) != ARC_OK)
        fail_msg("%s", err.text);
}

/* Largest differences of a belief from a fit of the shared ones: means in sds, covariances in
 * correlations. */
static double off_from(const ArcExperiment *experiment, const ArcBelief *belief, const ArcFit *fit)
{
    double off = 0.0;
    for (int k = 0; k < SHARED; k++) {
        int i = arc_experiment_parameter(experiment, shared[k]);
        const ArcEstimate *a = case_find(fit->n_parameters, fit->parameters, shared[k]);
        off = fmax(off, fabs(belief->mean[i] - a->value) / a->sd);
        for (int l = 0; l < SHARED; l++) {
            int j = arc_experiment_parameter(experiment, shared[l]);
            const ArcEstimate *b = case_find(fit->n_parameters, fit->parameters, shared[l]);
            double C = fit->covariance[a->free_index * fit->n_free + b->free_index];
            off = fmax(off, fabs(belief->covariance[i * belief->n + j] - C) / (a->sd * b->sd));
        }
    }
    return off;
}

static void test_correct_same_prior_gives_the_fit_itself(void **state)
{
    (void)state;
    ArcExperiment *e = case_experiment(TEXT);
    for (int method = ARC_PINN; method <= ARC_DIRECT; method++) {
        Watched watched = fit_throw(TEXT, 1, (ArcMethod)method);
        ArcBelief *belief = belief_of(e), *of_result = belief_of(e);
        correct(e, &watched, belief);
        double off = off_from(e, belief, watched.fit);
        print_message("off by %.2g\n", off);
        assert_true(off < 1e-6);
        ArcError err;
        assert_int_equal(arc_belief_of_result(e, &watched.result, of_result, &err), ARC_OK);
        assert_true(off_from(e, of_result, watched.fit) == 0.0);
        arc_fit_free(watched.fit);
        free(belief);
        free(of_result);
    }
    arc_experiment_free(e);
}

static void test_correct_two_throws_are_their_joint_fit(void **state)
{
    (void)state;
    ArcError err;
    ArcJoint *joint = NULL;
    ArcFit *fit = NULL;
    ArcExperiment *e = case_experiment(TEXT);
    ArcCapture *captures[2] = {watch(1), watch(2)};
    if (arc_joint_create(e, 2, (const ArcCapture *const *)captures, &joint, &err) != ARC_OK ||
        arc_joint_fit(joint, ARC_DIRECT, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    Watched one = fit_throw(TEXT, 1, ARC_DIRECT), two = fit_throw(TEXT, 2, ARC_DIRECT);
    Watched both = result_of(TEXT, fit);
    ArcBelief *singly = belief_of(e), *jointly = belief_of(e);
    correct(e, &one, singly);
    correct(e, &two, singly);
    correct(e, &both, jointly);
    /* The joint fit itself, to rounding; single ones as far as the equations bend. */
    double of_joint = off_from(e, jointly, fit), of_singles = off_from(e, singly, fit);
    print_message("jointly off by %.2g, singly by %.2g\n", of_joint, of_singles);
    assert_true(of_joint < 1e-6);
    assert_true(of_singles < 0.2);
    for (int f = 0; f < 2; f++)
        arc_capture_free(captures[f]);
    arc_fit_free(one.fit);
    arc_fit_free(two.fit);
    arc_fit_free(fit);
    arc_joint_free(joint);
    free(singly);
    free(jointly);
    arc_experiment_free(e);
}

/* What an experiment's throw says of another one. */
static void assert_refused(const char *here, const Watched *watched, ArcStatus status,
                           const char *words)
{
    ArcError err = {ARC_OK, ""};
    ArcExperiment *e = case_experiment(here);
    ArcBelief *belief = belief_of(e), *before = belief_of(e);
    const ArcResult *const results[] = {&watched->result};
    assert_int_equal(arc_belief_correct(e, 1, results, belief, &err), status);
    if (strstr(err.text, words) == NULL)
        fail_msg("'%s' is not in: %s", words, err.text);
    assert_memory_equal(belief, before, sizeof *belief);
    free(belief);
    free(before);
    arc_experiment_free(e);
}

static void test_correct_results_of_other_things_are_refused(void **state)
{
    (void)state;
    static const char fixed[] = CAPTURE ARM "parameters:\n  t0: 0 s\n  l1: 50.2 cm\n"
                                            "  l2: {prior: {mean: 40 cm, sd: 1 cm}}\n"
                                            "  base_y: {prior: {mean: 1.4 m, sd: 1 cm}}\n"
                                            "  offset1: {prior: {mean: 0 deg, sd: 2 deg}}\n"
                                            "  offset2: {prior: {mean: 0 deg, sd: 2 deg}}\n"
                                            "  cd: {prior: {mean: 0.5, sd: 0.1}}\n";
    static const char ball[] = "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"
                               "flight: {dimensions: 2, drag: lumped}\n"
                               "parameters: {k: {prior: {mean: 0.02, sd: 0.01}}}\n";
    static const char space[] = "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"
                                "flight: {dimensions: 3, ball: basketball, drag: quadratic}\n"
                                "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}}\n";
    static const char known[] = CAPTURE ARM "parameters: {t0: 0 s, cd: 0.5}\n";
    Watched watched = fit_throw(TEXT, 1, ARC_DIRECT), held = fit_throw(fixed, 1, ARC_DIRECT);
    Watched thrown = fit_throw(ball, 1, ARC_DIRECT);
    assert_refused(TEXT, &held, ARC_INPUT, "l1 is uncertain here and was fixed at 0.502 m there");
    assert_refused(CAPTURE ARM "parameters: {l2: {prior: {mean: 40 cm, sd: 1 cm}}}\n", &held,
                   ARC_INPUT, "l1 was fixed at 0.502 m, and is 0.5 m here");
    assert_refused(TEXT, &thrown, ARC_INPUT, "a parameter k, which this experiment has not");
    assert_refused(space, &watched, ARC_INPUT, "a throw in 2 dimensions, this experiment of one");
    assert_refused(known, &watched, ARC_INPUT, "nothing that lasts from throw to throw");
    assert_refused(CAPTURE ARM "parameters: {l1: 50.2 cm, gain1: {prior: {mean: 1, sd: 0.01}}}\n",
                   &held, ARC_INPUT, "gain1 is uncertain here and was fixed at 1 there");
    ArcFit fit = *watched.fit;
    Watched changed = watched;
    changed.result.fits[0] = &fit;
    fit.converged = false;
    assert_refused(TEXT, &changed, ARC_INPUT, "did not converge");
    fit.converged = true;
    changed.result.model_text = "";
    assert_refused(TEXT, &changed, ARC_INPUT, "own equations");
    changed = watched;
    changed.result.experiment_text = "arcfit: 2\n";
    assert_refused(TEXT, &changed, ARC_INPUT, "case.yaml:1:");
    arc_fit_free(watched.fit);
    arc_fit_free(held.fit);
    arc_fit_free(thrown.fit);
}

/* Estimates and covariances that no fit gives. */
static void test_correct_impossible_numbers_are_refused(void **state)
{
    (void)state;
    Watched watched = fit_throw(TEXT, 1, ARC_DIRECT), changed = watched;
    ArcFit fit = *watched.fit;
    int n = fit.n_free;
    double *covariance = calloc((size_t)(n * n), sizeof *covariance);
    ArcEstimate *estimates = calloc((size_t)fit.n_parameters, sizeof *estimates);
    assert_true(covariance != NULL && estimates != NULL);
    memcpy(estimates, fit.parameters, sizeof *estimates * (size_t)fit.n_parameters);
    fit.covariance = covariance;
    fit.parameters = estimates;
    changed.result.fits[0] = &fit;
    assert_refused(TEXT, &changed, ARC_NUMERIC, "covariance is not positive");
    for (int i = 0; i < n * n; i++)
        covariance[i] = 4.0 * watched.fit->covariance[i];
    assert_refused(TEXT, &changed, ARC_NUMERIC, "wider than its own priors");
    covariance[3] = NAN;
    assert_refused(TEXT, &changed, ARC_NUMERIC, "covariance is not positive");
    memcpy(covariance, watched.fit->covariance, sizeof *covariance * (size_t)(n * n));
    for (int i = 0; i < fit.n_parameters; i++)
        if (strcmp(estimates[i].name, "cd") == 0)
            estimates[i].status = ARC_PARAMETER_AT_BOUND;
    assert_refused(TEXT, &changed, ARC_INPUT, "its cd is at a bound");
    for (int i = 0; i < fit.n_parameters; i++)
        if (strcmp(estimates[i].name, "cd") == 0)
            estimates[i].unit = "kg";
    assert_refused(TEXT, &changed, ARC_INPUT, "its cd is in kg");
    arc_fit_free(watched.fit);
    free(covariance);
    free(estimates);
}

static void test_correct_the_same_throw_counts_once(void **state)
{
    (void)state;
    ArcError err;
    ArcExperiment *e = case_experiment(TEXT);
    ArcBelief *belief = belief_of(e);
    Watched one = fit_throw(TEXT, 1, ARC_DIRECT), two = fit_throw(TEXT, 2, ARC_DIRECT);
    const ArcResult *const results[] = {&one.result, &two.result, &one.result};
    assert_int_equal(arc_belief_correct(e, 3, results, belief, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "result 3 of 3: it is the same throw as result 1"));
    assert_int_equal(arc_belief_correct(e, 2, results, belief, &err), ARC_OK);
    arc_fit_free(one.fit);
    arc_fit_free(two.fit);
    free(belief);
    arc_experiment_free(e);
}

/* Without priors and readings a flight tells a few combinations of an arm only. */
static void test_correct_unidentified_parameters(void **state)
{
    (void)state;
    static const char open[] = CAPTURE ARM "parameters: {t0: 0 s, l1: free, l2: free, cd: free, "
                                           "offset1: free, offset2: free, base_y: free}\n";
    ArcError err;
    ArcExperiment *e = case_experiment(TEXT);
    ArcBelief *belief = belief_of(e), *told = belief_of(e);
    Watched watched = fit_throw(open, 1, ARC_DIRECT), with = fit_throw(TEXT, 1, ARC_DIRECT);
    assert_true(watched.fit->n_unidentified > 0);
    /* Added to priors what the flight tells is the same, as near as the equations are straight. */
    correct(e, &watched, told);
    correct(e, &with, belief);
    double off = off_from(e, told, with.fit);
    print_message("off by %.2g without priors in the fit\n", off);
    assert_true(off < 0.3);
    int cd = arc_experiment_parameter(e, "cd");
    assert_true(sqrt(told->covariance[cd * (told->n + 1)]) < 0.01);
    /* Such estimates cannot be taken over, and without priors here nothing holds what is not told.
     */
    assert_int_equal(arc_belief_of_result(e, &watched.result, told, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "its data do not tell"));
    assert_refused(open, &watched, ARC_INPUT, "is free without a prior, and the results do not");
    arc_fit_free(watched.fit);
    arc_fit_free(with.fit);
    free(belief);
    free(told);
    arc_experiment_free(e);
}

/* A release that the experiment leaves to the data is where the throw was. */
static void test_of_result_takes_what_was_left_to_data(void **state)
{
    (void)state;
    static const char text[] = "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"
                               "flight: {dimensions: 2, ball: basketball, drag: quadratic}\n"
                               "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, t0: 0 s}\n";
    ArcError err;
    Watched watched = fit_throw(text, 1, ARC_DIRECT);
    ArcExperiment *e = case_experiment(text);
    ArcBelief *belief = belief_of(e);
    int x0 = arc_experiment_parameter(e, "x0"), y0 = arc_experiment_parameter(e, "y0");
    int vx0 = arc_experiment_parameter(e, "vx0"), cd = arc_experiment_parameter(e, "cd");
    e->parameters[y0].has_start = true;
    e->parameters[y0].start = 2.5;
    double start = e->parameters[vx0].start;
    assert_int_equal(arc_belief_of_result(e, &watched.result, belief, &err), ARC_OK);
    assert_true(belief->mean[x0] == case_parameter(watched.fit, "x0")->value);
    assert_true(belief->mean[y0] == 2.5 || isnan(belief->mean[y0]));
    assert_true(belief->mean[vx0] == start || (isnan(start) && isnan(belief->mean[vx0])));
    const ArcEstimate *of_cd = case_parameter(watched.fit, "cd");
    assert_near(sqrt(belief->covariance[cd * (belief->n + 1)]), of_cd->sd, 1e-12);
    assert_true(belief->covariance[x0 * (belief->n + 1)] == 0.0);
    arc_belief_apply(belief, e);
    assert_true(e->parameters[cd].start == of_cd->value);
    arc_fit_free(watched.fit);
    free(belief);
    arc_experiment_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_correct_same_prior_gives_the_fit_itself),
        cmocka_unit_test(test_correct_two_throws_are_their_joint_fit),
        cmocka_unit_test(test_correct_results_of_other_things_are_refused),
        cmocka_unit_test(test_correct_impossible_numbers_are_refused),
        cmocka_unit_test(test_correct_the_same_throw_counts_once),
        cmocka_unit_test(test_correct_unidentified_parameters),
        cmocka_unit_test(test_of_result_takes_what_was_left_to_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
