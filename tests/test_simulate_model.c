/* Synthetic captures of own equations: what is seen is the equations' own motion with noise of its
 * size, by channel; and the runs beneath them, whose sensitivities are those of differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/simulate.h"
#include "arcfit/text.h"
#include "base/arena.h"
#include "fit/system_run.h"
#include "model_case.h"

#include <math.h>

enum { MANY = 4000, MOST_C = 4, MOST_Q = 8 };

static ArcCapture *simulate(const ArcExperiment *experiment, const ArcSimulateSettings *settings)
{
    int n = 0;
    double *t_s = NULL;
    ArcCapture *capture = NULL;
    ArcError err = {ARC_OK, ""};
    if (arc_simulate_times(experiment, settings, &n, &t_s, &err) != ARC_OK ||
        arc_simulate_capture(experiment, n, t_s, *settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    free(t_s);
    return capture;
}

static double value(const ArcCapture *capture, int i, int c)
{
    return capture->position_m[i * capture->n_channels + c];
}

/* A pendulum of small swing without friction is a cosine. */
static void test_channels_are_the_equations_motion(void **state)
{
    (void)state;
    ArcExperiment *experiment = model_experiment(
        PENDULUM "parameters: {gravity: 9.80665, friction: 0, drag: 0, theta0: 1e-4, t0: 2}\n"
                 "simulate: {points: 21, rate: 10, sigma: 1e-15, channels: [theta, vtheta]}\n");
    ArcCapture *capture = simulate(experiment, &experiment->simulate);
    assert_int_equal(capture->n_points, 21);
    assert_int_equal(capture->n_channels, 2);
    assert_string_equal(capture->channels[1].name, "vtheta");
    double rate = sqrt(9.80665);
    for (int i = 0; i < 21; i++) {
        double s = 0.1 * i;
        assert_true(fabs(capture->time_s[i] - 2 - s) < 1e-14);
        assert_true(fabs(value(capture, i, 0) - 1e-4 * cos(rate * s)) < 5e-12);
        assert_true(fabs(value(capture, i, 1) + 1e-4 * rate * sin(rate * s)) < 2e-11);
    }
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* Gaussian noise of each channel's own sigma, which the capture states; states alone by default. */
static void test_noise_is_of_each_channels_sigma(void **state)
{
    (void)state;
    ArcExperiment *experiment = model_experiment(
        PENDULUM "capture: {sigma: {vtheta: 0.5}}\nsimulate: {duration: 4 s, points: 4000}\n");
    ArcSimulateSettings settings = experiment->simulate;
    settings.channel_sigma[0] = 0.02;
    ArcCapture *capture = simulate(experiment, &settings);
    assert_int_equal(capture->n_points, MANY);
    assert_true(isnan(value(capture, 0, 1)));
    settings.channels = 3;
    ArcCapture *both = simulate(experiment, &settings);
    settings.channel_sigma[0] = settings.channel_sigma[1] = 1e-15;
    ArcCapture *clean = simulate(experiment, &settings);
    double square[2] = {0, 0}, product = 0;
    for (int i = 0; i < MANY; i++) {
        double off[2];
        for (int c = 0; c < 2; c++) {
            off[c] = value(both, i, c) - value(clean, i, c);
            square[c] += off[c] * off[c] / MANY;
        }
        product += off[0] * off[1] / MANY;
        assert_true(both->sigma_m[2 * i] == 0.02 && both->sigma_m[2 * i + 1] == 0.5);
    }
    assert_true(fabs(sqrt(square[0]) / 0.02 - 1) < 4.5 / sqrt(2.0 * MANY));
    assert_true(fabs(sqrt(square[1]) / 0.5 - 1) < 4.5 / sqrt(2.0 * MANY));
    assert_true(fabs(product / (0.02 * 0.5)) < 4.5 / sqrt(MANY));
    arc_capture_free(capture);
    arc_capture_free(both);
    arc_capture_free(clean);
    arc_experiment_free(experiment);
}

static void test_other_noise_acts_on_channels(void **state)
{
    (void)state;
    ArcExperiment *experiment = model_experiment(
        LORENZ "simulate: {duration: 1 s, points: 4000, sigma: 0.01, channels: [x, "
               "z], noise: {rounding: {x: 0.25}, outliers: {share: 0.1, size: "
               "100}, dropped: {share: 0.2}}}\n");
    ArcCapture *capture = simulate(experiment, &experiment->simulate);
    ArcSimulateSettings plain = experiment->simulate;
    plain.noise = arc_simulate_settings_default().noise;
    plain.channel_rounding[0] = 0;
    ArcCapture *clean = simulate(experiment, &plain);
    int n_far = 0, n = capture->n_points, k = 0;
    assert_true(fabs(n - 0.8 * MANY) < 4.5 * sqrt(MANY * 0.2 * 0.8));
    for (int i = 0; i < n; i++) {
        while (clean->time_s[k] < capture->time_s[i])
            k++;
        assert_true(clean->time_s[k] == capture->time_s[i]);
        assert_true(4 * value(capture, i, 0) == round(4 * value(capture, i, 0)));
        n_far += fabs(value(capture, i, 2) - value(clean, k, 2)) > 0.05;
        assert_true(isnan(value(capture, i, 1)));
        assert_true(capture->sigma_m[3 * i + 2] == 0.01);
    }
    /* Of outliers of sd 1 all but 4 % are beyond 0.05. */
    assert_true(fabs(n_far - 0.096 * n) < 4.5 * sqrt(0.09 * n));
    char *text = NULL;
    ArcError err;
    assert_int_equal(arc_simulate_text(experiment, &experiment->simulate, &text, &err), ARC_OK);
    assert_string_equal(text, "noise: gauss, outliers 0.1 of the points at 100 sd, dropped 0.2 of "
                              "the frames, rounding of x to 0.25\ntruth: sigma 10, rho 28, beta "
                              "2.6666666666666665, t0 0 s, x0 -8, y0 7, z0 27\n");
    arc_text_free(text);
    arc_capture_free(capture);
    arc_capture_free(clean);
    arc_experiment_free(experiment);
}

/* The true time of a frame is off by the jitter, before the start, too. */
static void test_jitter_moves_along_the_motion(void **state)
{
    (void)state;
    ArcExperiment *experiment = model_experiment(
        PENDULUM "parameters: {vtheta0: 1, theta0: 0}\n"
                 "simulate: {points: 4000, duration: 1e-3 s, sigma: 1e-12, noise: {jitter: 1e-4 "
                 "s}}\n");
    ArcCapture *capture = simulate(experiment, &experiment->simulate);
    double square = 0;
    for (int i = 0; i < MANY; i++) /* so short a time it moves at 1 rad/s */
        square += pow(value(capture, i, 0) - capture->time_s[i], 2) / MANY;
    assert_true(fabs(sqrt(square) / 1e-4 - 1) < 4.5 / sqrt(2.0 * MANY));
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

static void test_listed_times_and_replicas(void **state)
{
    (void)state;
    ArcExperiment *experiment =
        model_experiment(LORENZ "parameters: {rho: {start: 28, prior: {mean: 28, sd: 1}}}\n"
                                "simulate: {times: [0, 0.1, 0.15, 2], sigma: 0.1, draw: true}\n");
    ArcSimulateSettings settings = experiment->simulate;
    ArcCapture *one = simulate(experiment, &settings);
    assert_int_equal(one->n_points, 4);
    assert_true(one->time_s[2] == 0.15);
    settings.replica = 2;
    ArcCapture *two = simulate(experiment, &settings);
    double truth[2][ARC_MAX_PARAMETERS];
    ArcError err;
    assert_int_equal(arc_simulate_truth(experiment, &settings, truth[0], &err), ARC_OK);
    settings.replica = 3;
    assert_int_equal(arc_simulate_truth(experiment, &settings, truth[1], &err), ARC_OK);
    assert_true(truth[0][1] != truth[1][1] && truth[0][0] == truth[1][0]);
    assert_true(value(one, 3, 0) != value(two, 3, 0));
    arc_capture_free(one);
    arc_capture_free(two);
    arc_experiment_free(experiment);
    /* A flight may have such a list, too. */
    experiment = model_experiment("arcfit: 1\ncapture: {sigma: 1 mm}\nparameters: {t0: 0, x0: 0, "
                                  "y0: 2, vx0: 4, vy0: 6}\nsimulate: {times: [0, 0.3, 0.35]}\n");
    one = simulate(experiment, &experiment->simulate);
    assert_int_equal(one->n_points, 3);
    assert_true(one->time_s[2] == 0.35);
    arc_capture_free(one);
    arc_experiment_free(experiment);
}

static void assert_no_capture(const char *text, const char *message, ArcStatus expected)
{
    ArcError err = {ARC_OK, ""};
    ArcExperiment *experiment = model_experiment(text);
    ArcCapture *capture = NULL;
    int n = 0;
    double *t_s = NULL;
    ArcStatus status = arc_simulate_times(experiment, &experiment->simulate, &n, &t_s, &err);
    if (status == ARC_OK)
        status = arc_simulate_capture(experiment, n, t_s, experiment->simulate, &capture, &err);
    free(t_s);
    arc_experiment_free(experiment);
    if (status != expected || strstr(err.text, message) == NULL)
        fail_msg("'%s' instead of '%s'", err.text, message);
}

static void test_what_cannot_be_simulated_is_refused(void **state)
{
    (void)state;
    assert_no_capture(LORENZ "simulate: {points: 5, sigma: 1}\n",
                      "how long the model lorenz runs; give simulate.duration", ARC_INPUT);
    assert_no_capture(LORENZ "simulate: {duration: 1 s}\n", "how much noise of x?", ARC_INPUT);
    assert_no_capture(LORENZ "simulate: {duration: 1 s, sigma: {x: 1}}\n", "how much noise of y?",
                      ARC_INPUT);
    assert_no_capture(LORENZ "parameters: {t0: 1 s}\nsimulate: {times: [0.5, 2], sigma: 1}\n",
                      "times from the start at 1 s on", ARC_INPUT);
    assert_no_capture(LORENZ "parameters: {sigma: 100, rho: 200, x0: 100}\n"
                             "simulate: {duration: 1000000 s, sigma: 1}\n",
                      "lorenz cannot be followed to 1e+06 s: it takes too many steps", ARC_NUMERIC);
}

/* Sensitivities of a run by central differences, in scaled coordinates as in plain ones. */
static void check_run(const char *head, const double *scale)
{
    const double t_s[] = {0, 0.1, 0.4, 1};
    enum { N = 4 };
    ArcExperiment *experiment = model_experiment(head);
    const ArcEquations *equations = experiment->equations;
    int C = equations->n_channels, P = equations->n_parameters, Q = P + C;
    ArcArena *arena = arc_arena_create();
    ArcSystemRun *run = NULL;
    ArcError err;
    double q[MOST_Q], y[N * MOST_C], y_q[N * MOST_C * MOST_Q], low[N * MOST_C], high[N * MOST_C];
    assert_true(C <= MOST_C && Q <= MOST_Q);
    const ArcSystem system = arc_system(equations, scale);
    if (arc_system_run_create(&system, 1e-13, N, arena, &run, &err) != ARC_OK)
        fail_msg("%s", err.text);
    for (int k = 0; k < P; k++)
        q[k] = equations->parameters[k].value;
    for (int k = 0; k < C; k++)
        q[P + k] = equations->channels[k].value + 0.1;
    assert_true(arc_system_run(run, q, q + P, N, t_s, y, y_q));
    for (int c = 0; c < C; c++)
        assert_true(fabs(y[c] - q[P + c]) < 1e-14 * (1 + fabs(q[P + c])));
    for (int k = 0; k < Q; k++) {
        double kept = q[k], h = 1e-5 * (1 + fabs(kept));
        q[k] = kept + h;
        assert_true(arc_system_run(run, q, q + P, N, t_s, high, NULL));
        q[k] = kept - h;
        assert_true(arc_system_run(run, q, q + P, N, t_s, low, NULL));
        q[k] = kept;
        for (int i = 0; i < N * C; i++) {
            double slope = (high[i] - low[i]) / (2 * h), own = y_q[i * Q + k];
            if (!(fabs(slope - own) <= 2e-6 * (1 + fabs(own))))
                fail_msg("channel %d by %d: %.12g instead of %.12g", i, k, own, slope);
        }
    }
    arc_arena_free(arena);
    arc_experiment_free(experiment);
}

static void test_run_sensitivities_are_those_of_differences(void **state)
{
    (void)state;
    const double scale[] = {20, 0.3, 700}, swing[] = {0.01};
    check_run(LORENZ, NULL);
    check_run(LORENZ, scale);
    check_run(PENDULUM, NULL);
    check_run(PENDULUM, swing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channels_are_the_equations_motion),
        cmocka_unit_test(test_noise_is_of_each_channels_sigma),
        cmocka_unit_test(test_other_noise_acts_on_channels),
        cmocka_unit_test(test_jitter_moves_along_the_motion),
        cmocka_unit_test(test_listed_times_and_replicas),
        cmocka_unit_test(test_what_cannot_be_simulated_is_refused),
        cmocka_unit_test(test_run_sensitivities_are_those_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, model_clear);
}
