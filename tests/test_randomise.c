/* What is taken for known and is not quite: draws are even, fits over them have the scatter of
 * closed forms in their intervals and cover the truth; both methods, several flights, `simulate`.
 */
#include "arcfit/joint.h"
#include "arcfit/randomised.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"
#include "slow.h"
#include "sweep.h"

enum { POINTS = 20 };

static ArcCapture *capture_of(const ArcExperiment *experiment, uint64_t replica)
{
    ArcError err;
    ArcCapture *capture = NULL;
    double t_s[POINTS];
    for (int i = 0; i < POINTS; i++)
        t_s[i] = 0.05 * i;
    ArcSimulateSettings settings = experiment->simulate;
    settings.replica = replica;
    settings.sigma_m = 0.003;
    if (arc_simulate_capture(experiment, POINTS, t_s, settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return capture;
}

static ArcFit *randomised_fit(const ArcExperiment *experiment, const ArcCapture *capture,
                              ArcMethod method, int threads)
{
    ArcError err;
    ArcProblem *problem = NULL;
    ArcFit *fit = NULL;
    const ArcFitOptions options = {.threads = threads};
    if (arc_problem_create(experiment, capture, &problem, &err) != ARC_OK ||
        arc_fit_run(problem, method, NULL, &fit, &err) != ARC_OK ||
        arc_randomised_run(experiment, 1, &capture, &options, fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_problem_free(problem);
    return fit;
}

static const ArcRandomisedNumber *number_of(const ArcFit *fit, const char *name)
{
    for (int i = 0; i < fit->randomised->n_numbers; i++)
        if (strcmp(fit->randomised->numbers[i].name, name) == 0)
            return &fit->randomised->numbers[i];
    fail_msg("there is no number '%s'", name);
    return NULL;
}

/* Each quantity alone and sums of two: means exact, sds within a few per cent of the truth. */
static void test_design_is_even(void **state)
{
    (void)state;
    enum { N = 32, K = 4 };
    double worst = 0.0, u[N * K];
    for (uint64_t seed = 1; seed <= 50; seed++) {
        arc_randomised_design(N, K, seed, u);
        for (int a = 0; a < K; a++)
            for (int b = a; b < K; b++) {
                double mean = 0.0, square = 0.0;
                for (int i = 0; i < N; i++) {
                    double y = u[i * K + a] + (a == b ? 0.0 : u[i * K + b]);
                    assert_true(u[i * K + a] >= 0.0 && u[i * K + a] <= 1.0);
                    mean += y / N;
                    square += y * y / N;
                }
                double sd = sqrt((a == b ? 1.0 : 2.0) / 12.0);
                assert_near(mean, a == b ? 0.5 : 1.0, 1e-12);
                worst = fmax(worst, fabs(sqrt(square - mean * mean) / sd - 1.0));
            }
    }
    print_message("sd of sums off by at most %.3f, by plain draws %.3f\n", worst,
                  1.0 / sqrt(2.0 * N));
    assert_true(worst < 0.02);
}

/* Without drag the fall alone depends on gravity, by d vy0 / d g and so on of the linear fit: the
 * scatter is in proportion to gravity's, and what is not touched stays as it was. */
static void test_randomised_run_adds_the_scatter_of_gravity(void **state)
{
    (void)state;
    static const char text[] = CASE_HEAD "parameters: {t0: 0}\n"
                                         "randomise: {gravity: [9.7, 9.9], draws: 32}\n";
    ArcExperiment *truth =
        case_experiment(CASE_HEAD "parameters: {t0: 0, x0: 0, y0: 2, vx0: 4, vy0: 6}\n");
    ArcCapture *capture = capture_of(truth, 0);
    ArcExperiment *experiment = case_experiment(text);
    ArcFit *plain = case_fit(CASE_HEAD "parameters: {t0: 0}\n", capture, ARC_DIRECT);
    /* d vy0 / dg by the least squares of t^2 / 2 on (1, t). */
    double s0 = POINTS, s1 = 0, s2 = 0, b0 = 0, b1 = 0;
    for (int i = 0; i < POINTS; i++) {
        double t = 0.05 * i;
        s1 += t;
        s2 += t * t;
        b0 += 0.5 * t * t;
        b1 += 0.5 * t * t * t;
    }
    double slope = (s0 * b1 - s1 * b0) / (s0 * s2 - s1 * s1), sd = slope * 0.2 / sqrt(12.0);
    for (int method = 0; method < 2; method++) {
        ArcFit *fit = randomised_fit(experiment, capture, (ArcMethod)method, 1);
        const ArcRandomisedNumber *vy0 = number_of(fit, "vy0"), *vx0 = number_of(fit, "vx0");
        assert_non_null(fit->randomised);
        assert_int_equal(fit->randomised->n_failed, 0);
        assert_null(fit->randomised->note);
        assert_near(vy0->noise_sd / case_parameter(plain, "vy0")->sd, 1.0, 1e-3);
        assert_near(vy0->randomised_sd / sd, 1.0, 0.02);
        assert_near(vy0->sd, hypot(vy0->noise_sd, vy0->randomised_sd), 1e-12);
        assert_near(vx0->randomised_sd / vx0->noise_sd, 0.0, 1e-3);
        /* The nominal value of gravity is 7 mm/s^2 off the range's middle. */
        assert_near(vy0->mean - vy0->value, slope * (9.8 - 9.80665), 1e-5);
        const ArcEstimate *e = case_parameter(fit, "vy0");
        assert_true(e->sd == vy0->sd && e->value == vy0->value);
        assert_near(0.5 * (e->ci95[1] - e->ci95[0]), fit->interval_factor * vy0->sd, 1e-9);
        assert_near(sqrt(fit->covariance[e->free_index * (fit->n_free + 1)]), e->sd, 1e-9);
        arc_fit_free(fit);
    }
    arc_fit_free(plain);
    arc_experiment_free(experiment);
    arc_experiment_free(truth);
    arc_capture_free(capture);
}

static const char ball_text[] =
    CASE_HEAD "flight: {drag: quadratic, ball: {mass: 2.7 g, diameter: 40 mm}, air: {density: "
              "1.2}}\n"
              "parameters: {cd: free, t0: 0, x0: {start: 0}, y0: {start: 2}, vx0: {start: 8}, vy0: "
              "{start: 6}}\n"
              "randomise: {mass: {mean: 2.7 g, sd: 0.1 g}, wind_x: [-0.3, 0.3]}\n";

/* cd / mass is what the flight tells: a mass 3.7 % unsure makes cd as unsure. */
static void test_randomised_run_of_a_ball_in_the_wind(void **state)
{
    (void)state;
    ArcExperiment *experiment = case_experiment(ball_text);
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, "cd") == 0)
            experiment->parameters[i].start = 0.45;
    ArcCapture *capture = capture_of(experiment, 3);
    ArcFit *fit = randomised_fit(experiment, capture, ARC_DIRECT, 1);
    ArcFit *threaded = randomised_fit(experiment, capture, ARC_DIRECT, 3);
    const ArcRandomisedNumber *cd = number_of(fit, "cd");
    assert_true(cd->randomised_sd > 0.03 * cd->value && cd->randomised_sd < 0.2 * cd->value);
    for (int i = 0; i < fit->randomised->n_numbers; i++)
        assert_memory_equal(&fit->randomised->numbers[i].mean,
                            &threaded->randomised->numbers[i].mean, 6 * sizeof(double));
    assert_string_equal(fit->randomised->quantities[0].name, "mass");
    assert_near(fit->randomised->quantities[0].mean, 0.0027, 1e-9);
    assert_near(fit->randomised->quantities[0].sd, 0.0001, 1e-5);
    arc_fit_free(threaded);
    arc_fit_free(fit);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

static void test_randomised_run_covers_the_truth(void **state)
{
    (void)state;
    ArcExperiment *experiment = case_experiment(ball_text);
    int times = slow_is_wanted() ? 400 : 12, held = 0, held_by_noise = 0;
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, "cd") == 0)
            experiment->parameters[i].start = 0.45;
    for (int m = 1; m <= times; m++) {
        ArcCapture *capture = capture_of(experiment, (uint64_t)m);
        ArcFit *fit = randomised_fit(experiment, capture, ARC_DIRECT, 1);
        const ArcRandomisedNumber *cd = number_of(fit, "cd");
        held += cd->ci95[0] <= 0.45 && 0.45 <= cd->ci95[1];
        held_by_noise += fabs(cd->value - 0.45) <= 1.96 * cd->noise_sd;
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    print_message("cd: %d of %d intervals hold it, by the noise alone %d\n", held, times,
                  held_by_noise);
    assert_true(held >= 0.95 * times - 4.0 * sqrt(0.95 * 0.05 * times));
    assert_true(held_by_noise < held);
    arc_experiment_free(experiment);
}

/* Two flights: what is unsure of both is not averaged out. */
static void test_randomised_run_of_several_flights(void **state)
{
    (void)state;
    ArcError err;
    ArcExperiment *experiment = case_experiment(ball_text);
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, "cd") == 0)
            experiment->parameters[i].start = 0.45;
    const ArcCapture *captures[2];
    for (int f = 0; f < 2; f++) {
        ArcSimulateSettings settings = experiment->simulate;
        double t_s[POINTS];
        ArcCapture *capture = NULL;
        for (int i = 0; i < POINTS; i++)
            t_s[i] = 0.05 * i;
        settings.flight = (uint64_t)f + 1;
        settings.sigma_m = 0.003;
        assert_int_equal(arc_simulate_capture(experiment, POINTS, t_s, settings, &capture, &err),
                         ARC_OK);
        captures[f] = capture;
    }
    for (int method = 0; method < 2; method++) {
        ArcJoint *joint = NULL;
        ArcFit *fit = NULL;
        experiment->randomise.draws = method == ARC_PINN ? 8 : 32;
        if (arc_joint_create(experiment, 2, captures, &joint, &err) != ARC_OK ||
            arc_joint_fit(joint, (ArcMethod)method, NULL, &fit, &err) != ARC_OK ||
            arc_randomised_run(experiment, 2, captures, NULL, fit, &err) != ARC_OK)
            fail_msg("%s", err.text);
        assert_null(fit->randomised->note);
        const ArcRandomisedNumber *cd = number_of(fit, "cd");
        assert_true(cd->randomised_sd > 0.03 * cd->value);
        assert_non_null(fit->flights[1].randomised);
        assert_true(number_of(&fit->flights[1], "vx0")->randomised_sd > 0.0);
        assert_true(case_parameter(fit, "cd")->sd == cd->sd);
        arc_fit_free(fit);
        arc_joint_free(joint);
    }
    for (int f = 0; f < 2; f++)
        arc_capture_free((ArcCapture *)(uintptr_t)captures[f]);
    arc_experiment_free(experiment);
}

/* Replicas have values of their own, of the right spread, told in the comment. */
static void test_simulate_draws_what_is_randomised(void **state)
{
    (void)state;
    enum { MANY = 400 };
    ArcError err;
    ArcExperiment *experiment =
        case_experiment(CASE_HEAD "parameters: {t0: 0, x0: 0, y0: 2, vx0: 4, vy0: 6}\n"
                                  "randomise: {gravity: [9, 10], vx0: {mean: 4, sd: 0.5}}\n");
    double sum = 0.0, square = 0.0;
    for (int m = 1; m <= MANY; m++) {
        double truth[ARC_MAX_PARAMETERS];
        ArcSimulateSettings settings = experiment->simulate;
        settings.replica = (uint64_t)m;
        assert_int_equal(arc_simulate_truth(experiment, &settings, truth, &err), ARC_OK);
        sum += truth[3] / MANY;
        square += (truth[3] - 4.0) * (truth[3] - 4.0) / MANY;
    }
    assert_near((sum - 4.0) / 0.5, 0.0, 4.5 / sqrt(MANY));
    assert_near(sqrt(square) / 0.5, 1.0, 4.5 / sqrt(2.0 * MANY));
    char *text = NULL;
    assert_int_equal(arc_simulate_text(experiment, &experiment->simulate, &text, &err), ARC_OK);
    const char *gravity = strstr(text, "randomised: gravity 9.");
    assert_non_null(gravity);
    double g = strtod(gravity + strlen("randomised: gravity "), NULL), seconds;
    assert_int_equal(arc_simulate_flight_time(experiment, &experiment->simulate, &seconds, &err),
                     ARC_OK);
    assert_near(seconds, 12.0 / g, 1e-6);
    arc_text_free(text);
    arc_experiment_free(experiment);
}

static void assert_refused(const char *randomise, const char *fragment)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    char text[512];
    snprintf(text, sizeof text,
             CASE_HEAD "parameters: {t0: 0}\nflight: {drag: lumped}\nrandomise: %s\n", randomise);
    ArcStatus status =
        arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err);
    if (status != ARC_INPUT || strncmp(err.text, "f.yaml:5:", 9) != 0 ||
        strstr(err.text, fragment) == NULL)
        fail_msg("%s: status %d, '%s' without '%s'", randomise, (int)status,
                 status == ARC_OK ? "" : err.text, fragment);
}

static void test_experiment_refuses_what_cannot_be_randomised(void **state)
{
    (void)state;
    assert_refused("{x0: [0, 1]}", "free");
    assert_refused("{mass: [1, 2]}", "no ball");
    assert_refused("{wind_z: [1, 2]}", "plane");
    assert_refused("{gravty: [1, 2]}", "did you mean 'gravity'");
    assert_refused("{gravity: [2, 1]}", "below");
    assert_refused("{gravity: [1 kg, 2 kg]}", "kg");
    assert_refused("{gravity: {mean: 9.8, sd: 0}}", "standard deviation");
    assert_refused("{gravity: {mean: 9.8}}", "sd");
    assert_refused("{gravity: 9.8}", "wanted");
    assert_refused("{draws: 8}", "without a quantity");
    assert_refused("{gravity: [9, 10], draws: 2}", "range");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_design_is_even),
        cmocka_unit_test(test_randomised_run_adds_the_scatter_of_gravity),
        cmocka_unit_test(test_randomised_run_of_a_ball_in_the_wind),
        cmocka_unit_test(test_randomised_run_covers_the_truth),
        cmocka_unit_test(test_randomised_run_of_several_flights),
        cmocka_unit_test(test_simulate_draws_what_is_randomised),
        cmocka_unit_test(test_experiment_refuses_what_cannot_be_randomised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
