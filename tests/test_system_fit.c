/* Fits of own equations: published test problems by both methods, channels in part, several runs,
 * what a fit says beside its parameters, and what lies beyond the covariance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/joint.h"
#include "arcfit/result.h"
#include "arcfit/states.h"
#include "arcfit/uncertainty.h"
#include "base/arena.h"
#include "base/random.h"
#include "fit_case.h"
#include "model_case.h"
#include "system_case.h"

#include <time.h>

static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void assert_close(const ArcFit *fit, const char *name, double truth, double share)
{
    const ArcEstimate *e = case_parameter(fit, name);
    double off = e->value / truth - 1.0;
    if (!(fabs(off) <= share))
        fail_msg("%s by %s is %.12g, off %.2e of %.12g", name,
                 fit->method == ARC_PINN ? "pinn" : "direct", e->value, off, truth);
}

/* Both methods on one capture. */
typedef struct Pair {
    ArcFit *fits[2]; /* by ArcMethod */
    double seconds;
} Pair;

static Pair pair_of(const char *text, const ArcCapture *capture)
{
    Pair pair;
    double begin_s = processor_s();
    for (int m = 0; m < 2; m++) {
        pair.fits[m] = system_fit(text, capture, (ArcMethod)m);
        assert_true(pair.fits[m]->converged);
    }
    pair.seconds = processor_s() - begin_s;
    return pair;
}

static void pair_free(Pair *pair)
{
    arc_fit_free(pair->fits[0]);
    arc_fit_free(pair->fits[1]);
}

#define LORENZ_CAPTURE "capture: {file: none.csv, sigma: 0.001}\n"
#define LORENZ_TRUTH                                                                               \
    LORENZ LORENZ_CAPTURE "parameters: {sigma: {fixed: 10}, rho: {fixed: 15}, "                    \
                          "beta: {fixed: 2.6666666666666667}}\n"
#define LORENZ_ASKED                                                                               \
    LORENZ LORENZ_CAPTURE "parameters: {sigma: {start: 1}, rho: {start: 1}, beta: {start: 1},\n"   \
                          "  x0: {fixed: -8}, y0: {fixed: 7}, z0: {fixed: 27}}\n"

/* Chaotic, from far off: 25 irregular times. */
static void test_lorenz_from_ones_by_both_methods(void **state)
{
    (void)state;
    enum { N = 25 };
    double t_s[N];
    ArcRandom random = arc_random_create(4, ARC_STREAM_STARTS);
    for (int i = 0; i < N; i++)
        t_s[i] = 3.0 / (N - 1) *
                 (i + (i > 0 && i < N - 1 ? arc_random_uniform(&random, -0.45, 0.45) : 0.0));
    ArcCapture *capture = system_capture(LORENZ_TRUTH, N, t_s, 0x7, 1e-9, 1);
    Pair pair = pair_of(LORENZ_ASKED, capture);
    CaseGap gap = case_gap(pair.fits[ARC_PINN], pair.fits[ARC_DIRECT]);
    print_message("lorenz: %.3f s, %.1e sd apart, sd %.1e\n", pair.seconds, gap.estimate_sd,
                  gap.sd_share);
    static const char *const names[] = {"sigma", "rho", "beta"};
    static const double truth[] = {10.0, 15.0, 8.0 / 3.0};
    for (int i = 0; i < 3; i++) {
        assert_close(pair.fits[ARC_DIRECT], names[i], truth[i], 1e-7);
        assert_close(pair.fits[ARC_PINN], names[i],
                     case_parameter(pair.fits[ARC_DIRECT], names[i])->value, 1.5e-3);
        assert_close(pair.fits[ARC_PINN], names[i], truth[i], 1e-6);
    }
    assert_true(pair.seconds < 2.0);
    pair_free(&pair);
    arc_capture_free(capture);
}

#define PREDATORS MODEL_OF("lotka_volterra") "capture: {file: none.csv, sigma: 0.01}\n"

static void test_lotka_volterra_without_noise_by_both_methods(void **state)
{
    (void)state;
    ArcCapture *capture = system_capture_over(PREDATORS, 501, 5.0, 0x3, 1e-9, 1);
    Pair pair = pair_of(PREDATORS "parameters: {growth: {start: 1}, catch: {start: 0.7}, "
                                  "death: {start: 2}, gain: {start: 1.5}}\n",
                        capture);
    CaseGap gap = case_gap(pair.fits[ARC_PINN], pair.fits[ARC_DIRECT]);
    print_message("predators: %.3f s, %.1e sd apart, sd %.1e\n", pair.seconds, gap.estimate_sd,
                  gap.sd_share);
    for (int m = 0; m < 2; m++) {
        assert_close(pair.fits[m], "growth", 1.5, 1e-6);
        assert_close(pair.fits[m], "catch", 1.0, 1e-6);
        assert_close(pair.fits[m], "death", 3.0, 1e-6);
        assert_close(pair.fits[m], "gain", 1.0, 1e-6);
        assert_close(pair.fits[m], "prey0", 5.0, 1e-6);
    }
    assert_true(gap.sd_share < 0.01);
    pair_free(&pair);
    arc_capture_free(capture);
}

/* Speed 30 m/s at 70 degrees, k = 0.01 1/m, g = 9.8 m/s^2: five points of nine decimals. */
static const double projectile_s[] = {0.15, 0.5, 1.0, 3.2, 4.7};
static const double projectile_m[] = {1.505968644,  4.028928486,  4.796656614,  12.004769008,
                                      9.08736989,   20.411398385, 25.185299666, 24.956421961,
                                      34.154843859, 3.172182423};

static void test_projectile_by_model_and_by_flight(void **state)
{
    (void)state;
    enum { N = 5 };
    static const double vx = 10.26060, vy = 28.19078, k = 0.01; /* 30 m/s at 70 degrees */
    double values[4 * N], sigmas[4 * N];
    ArcError err;
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 4; c++) {
            values[4 * i + c] = c < 2 ? projectile_m[2 * i + c] : NAN;
            sigmas[4 * i + c] = 1e-6;
        }
    ArcCapture given = *GIVEN(N, 4, projectile_s, values, sigmas), *seen = NULL, *flown = NULL;
    ArcExperiment *model = model_experiment(MODEL_OF("ball"));
    given.n_channels = 4;
    given.channels = model->equations->channels;
    if (arc_capture_create(&given, &seen, &err) != ARC_OK ||
        arc_capture_create(GIVEN(N, 2, projectile_s, projectile_m, sigmas), &flown, &err) != ARC_OK)
        fail_msg("%s", err.text);
    Pair pair = pair_of(MODEL_OF("ball") "capture: {file: none.csv, sigma: 1 um}\n"
                                         "parameters: {k: {start: 0.02}, g: {fixed: 9.8}, "
                                         "t0: {fixed: 0}, x0: {fixed: 0}, y0: {fixed: 0}}\n",
                        seen);
    for (int m = 0; m < 2; m++) {
        assert_close(pair.fits[m], "k", k, 1e-6);
        assert_close(pair.fits[m], "vx0", vx, 1e-6);
        assert_close(pair.fits[m], "vy0", vy, 1e-6);
        ArcFit *fit = case_fit("arcfit: 1\ncapture: {file: none.csv, sigma: 1 um}\n"
                               "flight: {dimensions: 2, up: y, drag: lumped, gravity: 9.8}\n"
                               "release: cartesian\n"
                               "parameters: {k: {start: 0.02}, t0: {fixed: 0}, x0: {fixed: 0}, "
                               "y0: {fixed: 0}}\n",
                               flown, (ArcMethod)m);
        assert_close(fit, "k", k, 1e-6);
        assert_close(fit, "vx0", vx, 1e-6);
        assert_close(fit, "vy0", vy, 1e-6);
        assert_close(fit, "k", case_parameter(pair.fits[m], "k")->value, 1e-8);
        arc_fit_free(fit);
    }
    pair_free(&pair);
    arc_capture_free(seen);
    arc_capture_free(flown);
    arc_experiment_free(model);
}

#define DRONE                                                                                      \
    MODEL_OF("drone")                                                                              \
    "capture: {file: none.csv, sigma: 1 cm}\n"                                                     \
    "parameters: {drag: {start: 0.6}, lag: {start: 0.3}, thrust0: {fixed: 11.8}}\n"

/* One state of three is seen; what the fit says of all of them. */
static void test_states_that_are_not_seen_follow_the_equations(void **state)
{
    (void)state;
    ArcCapture *capture = system_capture_over(DRONE, 61, 3.0, 0x1, 1.0, 3);
    Pair pair = pair_of(DRONE, capture);
    const ArcFit *pinn = pair.fits[ARC_PINN], *direct = pair.fits[ARC_DIRECT];
    CaseGap gap = case_gap(pinn, direct);
    print_message("drone: %.3f s, %.1e sd apart, sd %.1e\n", pair.seconds, gap.estimate_sd,
                  gap.sd_share);
    assert_true(gap.estimate_sd < 0.05);
    assert_true(gap.sd_share < 0.01);
    for (int m = 0; m < 2; m++) {
        const ArcFit *fit = pair.fits[m];
        const ArcStatesFit *states = fit->states;
        assert_int_equal(fit->dimensions, 3);
        assert_string_equal(states->model, "drone");
        assert_int_equal(states->channels[0].n, 61);
        assert_int_equal(states->channels[1].n, 0);
        assert_true(isnan(states->channels[1].rms));
        assert_true(fabs(states->channels[0].rms / 0.01 - 1.0) < 0.3);
        assert_true(isnan(fit->residuals.rms_m) && fit->acceleration_m_s2 == NULL);
        assert_true(fabs(states->channels[0].chi2 - fit->residuals.chi2) < 1e-9 * 61);
        assert_int_equal(fit->n_derived, 0);
        /* The last point is the trajectory's end, and rates are the states' own. */
        int last = ARC_TRAJECTORY_POINTS - 1;
        assert_true(fabs(fit->position_m[3 * last] - fit->predicted_m[3 * 60]) < 1e-12);
        for (int i = 0; i <= last; i++)
            assert_true(fabs(fit->velocity_m_s[3 * i] - fit->position_m[3 * i + 1]) < 1e-4);
    }
    pair_free(&pair);
    arc_capture_free(capture);
}

/* Runs from other starts share the model's parameters. */
static void test_several_runs_share_the_parameters(void **state)
{
    (void)state;
    static const char *const truths[] = {"parameters: {V0: {fixed: -1}, R0: {fixed: 1}}\n",
                                         "parameters: {V0: {fixed: 1.5}, R0: {fixed: 0.2}}\n",
                                         "parameters: {V0: {fixed: 0.5}, R0: {fixed: -0.5}}\n"};
    const char *head = MODEL_OF("fitzhugh_nagumo") "capture: {file: none.csv, sigma: 0.05}\n";
    ArcCapture *captures[3];
    ArcError err;
    char text[512];
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%s%s", head, truths[i]);
        captures[i] = system_capture_over(text, 25, 6.0 + i, 0x3, 1.0, 10 + (uint64_t)i);
    }
    snprintf(text, sizeof text, "%s%s", head,
             "parameters: {a: {start: 0.4}, b: {start: 0.4}, c: {start: 2.5}}\n");
    ArcExperiment *experiment = model_experiment(text);
    ArcJoint *joint = NULL;
    ArcFit *fits[2] = {NULL, NULL};
    const ArcCapture *const list[] = {captures[0], captures[1], captures[2]};
    if (arc_joint_create(experiment, 3, list, &joint, &err) != ARC_OK)
        fail_msg("%s", err.text);
    for (int m = 0; m < 2; m++) {
        if (arc_joint_fit(joint, (ArcMethod)m, NULL, &fits[m], &err) != ARC_OK)
            fail_msg("%s", err.text);
        assert_true(fits[m]->converged);
        assert_int_equal(fits[m]->n_parameters, 3);
        assert_int_equal(fits[m]->states->channels[0].n, 75);
        assert_int_equal(fits[m]->flights[1].states->channels[1].n, 25);
    }
    CaseGap gap = case_gap(fits[ARC_PINN], fits[ARC_DIRECT]);
    print_message("three runs: %.1e sd apart, sd %.1e\n", gap.estimate_sd, gap.sd_share);
    assert_true(gap.estimate_sd < 0.05);
    assert_true(gap.sd_share < 0.01);
    for (int i = 0; i < 3; i++) {
        const ArcEstimate *e = &fits[ARC_DIRECT]->parameters[i];
        assert_true(fabs(e->value - (i == 2 ? 3.0 : 0.2)) < 4.0 * e->sd);
        arc_capture_free(captures[i]);
    }
    arc_fit_free(fits[0]);
    arc_fit_free(fits[1]);
    arc_joint_free(joint);
    arc_experiment_free(experiment);
}

#define CART                                                                                       \
    MODEL_OF("cart")                                                                               \
    "capture: {file: none.csv, sigma: {position: 2 mm, wheel: 0.1 rad/s}}\n"                       \
    "parameters: {grip: {start: 0.4}, stiffness: {start: 4}, rolling: {start: 0.05}}\n"

/* The wheel comes to the cart's speed within milliseconds of any beginning, which the fitted motion
 * does not show: a net that could not follow that would know the beginning 10 times too well. */
static void test_a_boundary_layer_leaves_the_beginning_open(void **state)
{
    (void)state;
    ArcCapture *capture =
        system_capture_over(MODEL_OF("cart") "capture: {file: none.csv, sigma: {position: 2 mm, "
                                             "wheel: 0.1 rad/s}}\n",
                            61, 3.0, 0x5, 1.0, 1);
    Pair pair = pair_of(CART, capture);
    CaseGap gap = case_gap(pair.fits[ARC_PINN], pair.fits[ARC_DIRECT]);
    print_message("cart: %.3f s, %.1e sd apart, sd %.1e\n", pair.seconds, gap.estimate_sd,
                  gap.sd_share);
    assert_true(gap.estimate_sd < 0.05);
    assert_true(gap.sd_share < 0.03);
    pair_free(&pair);
    arc_capture_free(capture);
}

/* Points that the equations cannot follow: both methods come to rest, and the verdict says it. */
static void test_wrong_equations_are_a_misfit(void **state)
{
    (void)state;
    ArcCapture *capture = system_capture_over(PENDULUM "capture: {file: none.csv, sigma: 5 mrad}\n",
                                              61, 6.0, 0x1, 1.0, 1);
    Pair pair = pair_of(PENDULUM "capture: {file: none.csv, sigma: 5 mrad}\n"
                                 "parameters: {length: {start: 0.7}, friction: {fixed: 0}, "
                                 "drag: {fixed: 0}}\n",
                        capture);
    ArcResult result = {.n_fits = 2, .fits = {pair.fits[0], pair.fits[1]}};
    result.arena = arc_arena_create();
    assert_int_equal(arc_result_compare(&result, NULL), ARC_OK);
    assert_int_equal(result.comparison.verdict, ARC_VERDICT_MISFIT);
    assert_true(result.comparison.trajectory_max_m < 0.1);
    arc_arena_free(result.arena);
    pair_free(&pair);
    arc_capture_free(capture);
}

static void test_what_own_equations_cannot_have_is_refused(void **state)
{
    (void)state;
    static const char *const settings[] = {"fit: {pinn: {physics: 0.5 m/s^2}}\n",
                                           "fit: {pinn: {train: [{optimizer: lm, steps: 10}]}}\n"};
    ArcCapture *capture = system_capture_over(DRONE, 11, 1.0, 0x1, 1.0, 1);
    for (int i = 0; i < 2; i++) {
        char text[512];
        ArcError err = {ARC_OK, ""};
        ArcExperiment *experiment = NULL;
        ArcProblem *problem = NULL;
        snprintf(text, sizeof text, "%s%s", DRONE, settings[i]);
        ArcStatus status = model_parse(text, 0, NULL, &experiment, &err);
        if (status == ARC_OK)
            status = arc_problem_create(experiment, capture, &problem, &err);
        assert_int_equal(status, ARC_INPUT);
        print_message("%s\n", err.text);
        arc_experiment_free(experiment);
    }
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lorenz_from_ones_by_both_methods),
        cmocka_unit_test(test_lotka_volterra_without_noise_by_both_methods),
        cmocka_unit_test(test_projectile_by_model_and_by_flight),
        cmocka_unit_test(test_states_that_are_not_seen_follow_the_equations),
        cmocka_unit_test(test_several_runs_share_the_parameters),
        cmocka_unit_test(test_a_boundary_layer_leaves_the_beginning_open),
        cmocka_unit_test(test_wrong_equations_are_a_misfit),
        cmocka_unit_test(test_what_own_equations_cannot_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, model_clear);
}
