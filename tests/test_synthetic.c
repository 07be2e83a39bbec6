/* Synthetic captures: each kind of noise has the size that was asked for, and leaves the others as
 * they were; truths are drawn from their priors; replicas stand by themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"
#include "sweep.h"

enum { MANY = 20000, FEW = 40 };
static const double sigma_m = 0.003, speed_m_s = 4.0;

/* In vacuum, so that positions are closed forms and a time is told by x alone. */
#define THROW                                                                                      \
    CASE_HEAD "parameters: {t0: 0, x0: 0, y0: 2, vx0: 4, vy0: {start: 6, prior: {mean: 6, sd: "    \
              "0.5}, bounds: [5.5, 9]}}\n"

static ArcCapture *synthesise(const ArcSimulateSettings *settings, int n)
{
    ArcError err;
    ArcCapture *capture = NULL;
    ArcExperiment *experiment = case_experiment(THROW);
    double *t_s = calloc((size_t)n, sizeof *t_s);
    assert_non_null(t_s);
    for (int i = 0; i < n; i++)
        t_s[i] = 1.0 * i / (n - 1);
    if (arc_simulate_capture(experiment, n, t_s, *settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    free(t_s);
    arc_experiment_free(experiment);
    return capture;
}

static ArcSimulateSettings plain_settings(void)
{
    ArcSimulateSettings settings = arc_simulate_settings_default();
    settings.sigma_m = sigma_m;
    return settings;
}

static double height_m(double t_s)
{
    return 2.0 + 6.0 * t_s - 0.5 * 9.80665 * t_s * t_s;
}

/* A share of n that was drawn with probability p, within 4.5 of its standard deviations. */
static void assert_share(double share, double p, double n)
{
    assert_near(share, p, 4.5 * sqrt(p * (1.0 - p) / n));
}

static void test_simulate_capture_gauss_is_of_its_sigma(void **state)
{
    (void)state;
    ArcSimulateSettings settings = plain_settings();
    ArcCapture *capture = synthesise(&settings, MANY);
    double square = 0.0, cross = 0.0;
    for (int i = 0; i < MANY; i++) {
        double t = capture->time_s[i];
        double dx = capture->position_m[2 * i] - speed_m_s * t;
        double dy = capture->position_m[2 * i + 1] - height_m(t);
        square += dx * dx + dy * dy;
        cross += dx * dy;
        assert_true(capture->sigma_m[2 * i] == sigma_m);
    }
    assert_near(square / (2 * MANY * sigma_m * sigma_m), 1.0, 4.5 * sqrt(1.0 / MANY));
    assert_near(cross / (MANY * sigma_m * sigma_m), 0.0, 4.5 * sqrt(1.0 / MANY));
    arc_capture_free(capture);
}

static void test_simulate_capture_outliers_are_of_their_share_and_size(void **state)
{
    (void)state;
    ArcSimulateSettings settings = plain_settings();
    ArcCapture *plain = synthesise(&settings, MANY);
    settings.noise.outlier_share = 0.1;
    settings.noise.outlier_size_sd = 10.0;
    ArcCapture *by_sd = synthesise(&settings, MANY);
    settings.noise.outlier_size_m = 10.0 * sigma_m;
    ArcCapture *by_length = synthesise(&settings, MANY);
    int outliers = 0;
    double square = 0.0;
    for (int i = 0; i < MANY; i++) {
        const double *a = by_sd->position_m + 2 * i, *b = plain->position_m + 2 * i;
        bool is_outlier = a[0] != b[0];
        /* A whole point or none of it; the others keep their bits. */
        assert_true(is_outlier == (a[1] != b[1]));
        outliers += is_outlier;
        double off = a[0] - speed_m_s * by_sd->time_s[i];
        square += is_outlier ? off * off : 0.0;
    }
    assert_share((double)outliers / MANY, 0.1, MANY);
    double size = sqrt(square / outliers) / sigma_m;
    assert_near(size / 10.0, 1.0, 4.5 / sqrt(2.0 * outliers));
    assert_memory_equal(by_sd->position_m, by_length->position_m, sizeof(double) * 2 * MANY);
    arc_capture_free(plain);
    arc_capture_free(by_sd);
    arc_capture_free(by_length);
}

/* Frames are lost in the wanted share and runs; what is left keeps its bits. */
static void check_dropped(double share, double run, double wanted_run)
{
    ArcSimulateSettings settings = plain_settings();
    ArcCapture *plain = synthesise(&settings, MANY);
    settings.noise.dropped_share = share;
    settings.noise.dropped_run = run;
    ArcCapture *capture = synthesise(&settings, MANY);
    int at = 0, runs = 0, lost = 0;
    bool in_run = false;
    for (int i = 0; i < MANY; i++) {
        bool is_kept = at < capture->n_points && capture->time_s[at] == plain->time_s[i];
        if (is_kept)
            assert_memory_equal(capture->position_m + 2 * at, plain->position_m + 2 * i,
                                2 * sizeof(double));
        at += is_kept;
        lost += !is_kept;
        runs += !is_kept && !in_run;
        in_run = !is_kept;
    }
    assert_int_equal(at, capture->n_points);
    assert_true(capture->time_s[0] == 0.0 && capture->time_s[at - 1] == 1.0);
    /* Frames of a run are not independent: so many fewer count. */
    assert_share((double)lost / MANY, share, MANY / (2.0 * wanted_run));
    assert_near((double)lost / runs / wanted_run, 1.0, 4.5 / sqrt(runs));
    arc_capture_free(plain);
    arc_capture_free(capture);
}

static void test_simulate_capture_dropped_frames_are_of_their_share_and_runs(void **state)
{
    (void)state;
    check_dropped(0.2, NAN, 1.25);
    check_dropped(0.2, 1.0, 1.0);
    check_dropped(0.3, 5.0, 5.0);
    /* However many are lost, two are left. */
    ArcSimulateSettings settings = plain_settings();
    settings.noise.dropped_share = 0.99;
    ArcCapture *capture = synthesise(&settings, 5);
    assert_true(capture->n_points >= 2);
    assert_true(capture->time_s[0] == 0.0 && capture->time_s[capture->n_points - 1] == 1.0);
    arc_capture_free(capture);
}

static void test_simulate_capture_rounding_gives_the_nearest_of_the_grid(void **state)
{
    (void)state;
    static const double grids_m[] = {0.002, 0.0137};
    ArcSimulateSettings settings = plain_settings();
    ArcCapture *plain = synthesise(&settings, MANY);
    for (int k = 0; k < 2; k++) {
        settings.noise.sensor.quantisation_m = grids_m[k];
        ArcCapture *capture = synthesise(&settings, MANY);
        for (int i = 0; i < 2 * MANY; i++) {
            double x = capture->position_m[i], cells = x / grids_m[k];
            assert_near(cells, round(cells), 1e-9);
            assert_true(fabs(x - plain->position_m[i]) <= 0.5 * grids_m[k] * (1.0 + 1e-9));
        }
        arc_capture_free(capture);
    }
    arc_capture_free(plain);
}

static void test_simulate_capture_jitter_moves_points_along_the_flight(void **state)
{
    (void)state;
    ArcSimulateSettings settings = plain_settings();
    settings.sigma_m = 1e-9;
    settings.noise.jitter_s = 0.004; /* eighty frames long */
    ArcCapture *capture = synthesise(&settings, MANY);
    double sum = 0.0, square = 0.0;
    int before = 0;
    for (int i = 0; i < MANY; i++) {
        double t = capture->position_m[2 * i] / speed_m_s, off = t - capture->time_s[i];
        assert_near(capture->position_m[2 * i + 1], height_m(t), 1e-7);
        assert_true(i == 0 || capture->time_s[i] > capture->time_s[i - 1]);
        before += t < 0.0;
        sum += off;
        square += off * off;
    }
    assert_true(before > 0);
    assert_near(sum / MANY / 0.004, 0.0, 4.5 / sqrt(MANY));
    assert_near(sqrt(square / MANY) / 0.004, 1.0, 4.5 / sqrt(2.0 * MANY));
    arc_capture_free(capture);
}

static void test_simulate_capture_replicas_stand_by_themselves(void **state)
{
    (void)state;
    ArcSimulateSettings settings = plain_settings();
    settings.noise = (ArcNoise){.outlier_share = 0.2,
                                .outlier_size_sd = 5.0,
                                .outlier_size_m = NAN,
                                .dropped_share = 0.3,
                                .dropped_run = NAN,
                                .jitter_s = 0.001};
    settings.replica = 3;
    ArcCapture *third = synthesise(&settings, FEW), *again = synthesise(&settings, FEW);
    settings.replica = 4;
    ArcCapture *fourth = synthesise(&settings, FEW);
    assert_int_equal(third->n_points, again->n_points);
    assert_memory_equal(third->position_m, again->position_m,
                        sizeof(double) * 2 * (size_t)third->n_points);
    assert_true(third->position_m[0] != fourth->position_m[0]);
    assert_true(third->n_points != fourth->n_points ||
                memcmp(third->time_s, fourth->time_s, sizeof(double) * (size_t)third->n_points) !=
                    0);
    arc_capture_free(third);
    arc_capture_free(again);
    arc_capture_free(fourth);
}

/* A normal distribution cut at one sd below its mean. */
static void test_simulate_truth_drawn_follows_prior_within_bounds(void **state)
{
    (void)state;
    ArcError err;
    ArcSimulateSettings settings = plain_settings();
    ArcExperiment *experiment = case_experiment(THROW);
    double truth[ARC_MAX_PARAMETERS], sum = 0.0, least = INFINITY;
    assert_int_equal(arc_simulate_truth(experiment, &settings, truth, &err), ARC_OK);
    assert_true(truth[4] == 6.0);
    settings.draw = true;
    for (int i = 0; i < MANY; i++) {
        settings.replica = (uint64_t)i;
        assert_int_equal(arc_simulate_truth(experiment, &settings, truth, &err), ARC_OK);
        assert_true(truth[3] == 4.0);
        sum += (truth[4] - 6.0) / 0.5;
        least = fmin(least, truth[4]);
    }
    /* phi(-1) / (1 - Phi(-1)) and its variance */
    assert_near(sum / MANY, 0.28760, 4.5 * sqrt(0.6297 / MANY));
    assert_true(least >= 5.5 && least < 5.51);
    experiment->parameters[4].prior_mean = -1000.0;
    assert_int_equal(arc_simulate_truth(experiment, &settings, truth, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "prior of 'vy0'"));
    arc_experiment_free(experiment);
}

static void check_times(int points, double rate, double duration_s, int n, double last_s)
{
    ArcError err;
    ArcSimulateSettings settings = plain_settings();
    settings.points = points;
    settings.rate_per_s = rate;
    settings.duration_s = duration_s;
    ArcExperiment *experiment = case_experiment(THROW);
    double *t_s = NULL;
    int made = 0;
    ArcStatus status = arc_simulate_times(experiment, &settings, &made, &t_s, &err);
    if (n == 0) {
        assert_int_equal(status, ARC_INPUT);
    } else {
        assert_int_equal(status, ARC_OK);
        assert_int_equal(made, n);
        assert_true(t_s[0] == 0.0);
        assert_near(t_s[n - 1], last_s, 1e-9);
        free(t_s);
    }
    arc_experiment_free(experiment);
}

static void test_simulate_times_follow_points_rate_and_duration(void **state)
{
    (void)state;
    const double back_s = 2.0 * 6.0 / 9.80665;
    check_times(0, NAN, NAN, 30, back_s);
    check_times(7, NAN, NAN, 7, back_s);
    check_times(7, NAN, 0.5, 7, 0.5);
    check_times(7, 120.0, NAN, 7, 0.05);
    check_times(0, 100.0, 0.57, 58, 0.57);
    check_times(0, 100.0, NAN, 123, 1.22);
    check_times(7, 100.0, 0.5, 0, 0.0);
    check_times(0, 1.0, 0.5, 0, 0.0);
}

static void test_simulate_capture_refuses_noise_that_cannot_be(void **state)
{
    (void)state;
    static const struct {
        ArcNoise noise;
        double sigma_m;
        const char *words;
    } rows[] = {{{.outlier_share = 1.5}, 0.01, "outliers of share 1.5"},
                {{.outlier_size_sd = -1.0, .outlier_size_m = NAN}, 0.01, "outliers"},
                {{.dropped_share = 1.0}, 0.01, "dropped"},
                {{.dropped_share = 0.8, .dropped_run = 2.0}, 0.01, "runs of 4 or more"},
                {{.dropped_run = 0.5}, 0.01, "the run 1 or more"},
                {{.dropped_run = NAN, .sensor.quantisation_m = -1.0}, 0.01, "rounding"},
                {{.dropped_run = NAN, .jitter_s = NAN}, 0.01, "jitter"},
                {{.dropped_run = NAN}, 0.0, "--sigma"},
                {{.dropped_run = NAN}, INFINITY, "--sigma"}};
    ArcExperiment *experiment = case_experiment(THROW);
    const double t_s[] = {0.1, 0.2};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcError err = {ARC_OK, ""};
        ArcCapture *capture = NULL;
        ArcSimulateSettings settings = arc_simulate_settings_default();
        settings.noise = rows[i].noise;
        settings.sigma_m = rows[i].sigma_m;
        ArcStatus status = arc_simulate_capture(experiment, 2, t_s, settings, &capture, &err);
        if (status != ARC_INPUT || strstr(err.text, rows[i].words) == NULL)
            fail_msg("row %zu: %d, %s", i, (int)status, err.text);
        assert_null(capture);
    }
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simulate_capture_gauss_is_of_its_sigma),
        cmocka_unit_test(test_simulate_capture_outliers_are_of_their_share_and_size),
        cmocka_unit_test(test_simulate_capture_dropped_frames_are_of_their_share_and_runs),
        cmocka_unit_test(test_simulate_capture_rounding_gives_the_nearest_of_the_grid),
        cmocka_unit_test(test_simulate_capture_jitter_moves_points_along_the_flight),
        cmocka_unit_test(test_simulate_capture_replicas_stand_by_themselves),
        cmocka_unit_test(test_simulate_truth_drawn_follows_prior_within_bounds),
        cmocka_unit_test(test_simulate_times_follow_points_rate_and_duration),
        cmocka_unit_test(test_simulate_capture_refuses_noise_that_cannot_be),
    };
    return cmocka_run_group_tests_name("synthetic", tests, NULL, NULL);
}
