/* Sensors: bias, latency and rounding of synthetic captures are of their size; fits that are told
 * of them cover the truth, which fits that are not told do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit_case.h"
#include "slow.h"
#include "sweep.h"
#include "view_case.h"

enum { POINTS = 20 };

static const char sensor_text[] =
    "arcfit: 1\n"
    "capture: {file: none.csv, sigma: 1 mm, sensor: {quantisation: 2 mm, bias: 4 mm, latency: "
    "{mean: 8 ms, sd: 1 ms}}}\n"
    "flight: {drag: lumped}\n"
    "parameters: {k: {start: 0.05}, t0: 0, x0: {start: 0}, y0: {start: 2}, vx0: {start: 4}, vy0: "
    "{start: 6}}\n"
    "simulate: {noise: {rounding: 2 mm, bias: 4 mm, latency: {mean: 8 ms, sd: 1 ms}}}\n";

static ArcCapture *capture_of(const ArcExperiment *experiment, ArcSimulateSettings settings)
{
    ArcError err;
    ArcCapture *capture = NULL;
    double t_s[POINTS];
    for (int i = 0; i < POINTS; i++)
        t_s[i] = 0.05 * i;
    if (arc_simulate_capture(experiment, POINTS, t_s, settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return capture;
}

/* In vacuum, with next to no noise, so that each is read off the points. */
static void test_simulate_sensor_offsets_are_of_their_size(void **state)
{
    (void)state;
    enum { MANY = 400 };
    ArcExperiment *experiment = case_experiment(
        CASE_HEAD
        "parameters: {t0: 0, x0: 0, y0: 2, vx0: 4, vy0: 6}\n"
        "simulate: {sigma: 1e-9 m, noise: {bias: 4 mm, latency: {mean: 8 ms, sd: 2 ms}}}\n");
    double mean = 0.0, square = 0.0, late_mean = 0.0, late_square = 0.0;
    for (int m = 0; m < MANY; m++) {
        ArcSimulateSettings settings = experiment->simulate;
        settings.replica = (uint64_t)m + 1;
        ArcCapture *capture = capture_of(experiment, settings);
        /* x = 4 (t - l) + bias, y = 2 + 6 (t - l) - g (t - l)^2 / 2 + bias: l by the bend of y's
         * difference, that is by its slope at t = 0. */
        const double *x = capture->position_m;
        double slope = (x[2 * 2 + 1] - x[1]) / 0.1 + 9.80665 * 0.05; /* 6 + g l */
        double late = (slope - 6.0) / 9.80665, bias = x[0] + 4.0 * late;
        for (int i = 0; i < POINTS; i++)
            assert_near(x[2 * i] - 4.0 * (capture->time_s[i] - late), bias, 1e-6);
        mean += bias / MANY;
        square += bias * bias / MANY;
        late_mean += late / MANY;
        late_square += (late - 0.008) * (late - 0.008) / MANY;
        arc_capture_free(capture);
    }
    assert_near(mean / 0.004, 0.0, 4.5 / sqrt(MANY));
    assert_near(sqrt(square) / 0.004, 1.0, 4.5 / sqrt(2.0 * MANY));
    assert_near((late_mean - 0.008) / 0.002, 0.0, 4.5 / sqrt(MANY));
    assert_near(sqrt(late_square) / 0.002, 1.0, 4.5 / sqrt(2.0 * MANY));
    arc_experiment_free(experiment);
}

/* The comment tells what was drawn: in the parameters where the experiment has them. */
static void test_simulate_text_tells_sensor(void **state)
{
    (void)state;
    ArcError err;
    char *text = NULL;
    ArcExperiment *experiment = case_experiment(sensor_text);
    assert_int_equal(arc_simulate_text(experiment, &experiment->simulate, &text, &err), ARC_OK);
    const char *late = strstr(text, "latency 0.0");
    assert_non_null(late);
    assert_non_null(strstr(text, "truth:"));
    assert_true(late > strstr(text, "truth:"));
    assert_non_null(strstr(text, "rounding to 0.002 m"));
    assert_non_null(strstr(text, "bias_x "));
    arc_text_free(text);
    arc_experiment_free(experiment);
    experiment = case_experiment(CASE_HEAD "parameters: {t0: 0, x0: 0, y0: 2, vx0: 4, vy0: 6}\n"
                                           "simulate: {noise: {bias: 4 mm, latency: 8 ms}}\n");
    assert_int_equal(arc_simulate_text(experiment, &experiment->simulate, &text, &err), ARC_OK);
    assert_non_null(strstr(text, "latency 0.008 s, bias "));
    arc_text_free(text);
    arc_experiment_free(experiment);
}

/* Of a sigma s and a grid q the fit takes sqrt(s^2 + q^2 / 12), in metres and in pixels. */
static void test_problem_has_rounding_in_its_sigmas(void **state)
{
    (void)state;
    const char *const texts[] = {CASE_HEAD "parameters: {t0: 0}\n",
                                 "arcfit: 1\ncapture: {file: none.csv, sigma: 3 mm, sensor: "
                                 "{quantisation: 12 mm}}\nparameters: {t0: 0}\n"};
    ArcExperiment *truth =
        case_experiment(CASE_HEAD "parameters: {t0: 0, x0: 0, y0: 2, vx0: 4, vy0: 6}\n");
    ArcCapture *capture = capture_of(truth, truth->simulate);
    ArcFit *plain = case_fit(texts[0], capture, ARC_DIRECT);
    ArcFit *rounded = case_fit(texts[1], capture, ARC_DIRECT);
    double wider = sqrt(9.0 + 12.0) / 3.0;
    assert_near(rounded->parameters[2].sd / plain->parameters[2].sd, wider, 1e-9);
    assert_near(plain->residuals.chi2 / rounded->residuals.chi2, wider * wider, 1e-6);
    assert_near(arc_sensor_sigma(0.5, 1.0), sqrt(0.25 + 1.0 / 12.0), 1e-15);
    assert_true(arc_sensor_sigma(0.5, NAN) == 0.5);
    arc_fit_free(plain);
    arc_fit_free(rounded);
    arc_capture_free(capture);
    arc_experiment_free(truth);
}

/* Both methods: the same estimates and sds with bias and latency among the unknowns. */
static void test_fit_with_sensor_agrees_by_both_methods(void **state)
{
    (void)state;
    ArcExperiment *experiment = case_experiment(sensor_text);
    ArcCapture *capture = capture_of(experiment, experiment->simulate);
    ArcFit *direct = case_fit(sensor_text, capture, ARC_DIRECT);
    ArcFit *pinn = case_fit(sensor_text, capture, ARC_PINN);
    assert_true(direct->converged && pinn->converged);
    CaseGap gap = case_gap(pinn, direct);
    assert_true(gap.estimate_sd < 0.05);
    assert_true(gap.sd_share < 0.01);
    /* What the points do not tell stays with its prior; the release knows it. */
    const ArcEstimate *bias = case_parameter(direct, "bias_x"), *x0 = case_parameter(direct, "x0");
    const ArcEstimate *late = case_parameter(direct, "latency");
    assert_near(bias->sd, 0.004, 1e-5);
    assert_near(late->sd, 0.001, 1e-4);
    assert_true(x0->sd > hypot(0.004, 0.9 * 4.0 * 0.001));
    arc_fit_free(direct);
    arc_fit_free(pinn);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* How many of so many captures' 95 % intervals hold the truth of this parameter. */
static double coverage(const char *told, const char *name, double truth, int times)
{
    ArcExperiment *experiment = case_experiment(sensor_text);
    int held = 0;
    for (int m = 0; m < times; m++) {
        ArcSimulateSettings settings = experiment->simulate;
        settings.replica = (uint64_t)m + 1;
        ArcCapture *capture = capture_of(experiment, settings);
        ArcFit *fit = case_fit(told, capture, ARC_DIRECT);
        const ArcEstimate *e = case_parameter(fit, name);
        held += e->ci95[0] <= truth && truth <= e->ci95[1];
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    arc_experiment_free(experiment);
    return (double)held / times;
}

static void test_fit_with_sensor_covers_the_truth(void **state)
{
    (void)state;
    static const char untold[] =
        "arcfit: 1\ncapture: {file: none.csv, sigma: 1 mm}\nflight: {drag: lumped}\n"
        "parameters: {k: {start: 0.05}, t0: 0, x0: {start: 0}, y0: {start: 2}, vx0: {start: 4}, "
        "vy0: {start: 6}}\n";
    static const struct {
        const char *name;
        double truth;
    } numbers[] = {{"x0", 0.0}, {"y0", 2.0}, {"vy0", 6.0}, {"k", 0.05}};
    int times = slow_is_wanted() ? 400 : 60;
    double binomial = sqrt(0.95 * 0.05 / times);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        double share = coverage(sensor_text, numbers[i].name, numbers[i].truth, times);
        print_message("%s: %.1f %% of %d intervals hold it\n", numbers[i].name, 100.0 * share,
                      times);
        assert_near(share, 0.95, 4.0 * binomial);
    }
    assert_true(coverage(untold, "x0", 0.0, 30) < 0.5);
}

/* Two cameras with offsets and latencies of their own, which their pixels show of each other. */
static void test_fit_of_cameras_with_sensors_finds_the_throw(void **state)
{
    (void)state;
    static const char text[] =
        "arcfit: 1\ncapture: {file: none.csv, sigma: 0.5 px, cameras: {" CAMERA_LEFT
        ", " CAMERA_RIGHT "}, sensor: {quantisation: 1 px, bias: 3 px, latency: {mean: 8 ms, sd: "
        "2 ms}}}\n" CAMERA_BALL "parameters: {cd: {start: 0.5, prior: {mean: 0.5, sd: 0.1}}, t0: "
        "0, " CAMERA_THROW "}\n"
        "simulate: {noise: {rounding: 1 px, bias: 3 px, latency: {mean: 8 ms, sd: 2 ms}}}\n";
    static const struct {
        const char *name;
        double truth;
    } release[] = {{"x0", 0.0}, {"z0", 2.13}, {"vx0", 4.525}, {"vz0", 5.792}};
    ArcExperiment *experiment = case_experiment(text);
    ArcCapture *capture = capture_of(experiment, experiment->simulate);
    double truth[ARC_MAX_PARAMETERS], apart = 0.0;
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    assert_int_equal(arc_simulate_truth(experiment, &experiment->simulate, truth, NULL), ARC_OK);
    for (int i = 0; i < 2 * capture->n_points; i++)
        assert_true(capture->pixel_px[i] == round(capture->pixel_px[i]));
    assert_true(fit->converged);
    assert_true(fit->residuals.chi2_p > 1e-3);
    for (size_t k = 0; k < sizeof release / sizeof release[0]; k++) {
        const ArcEstimate *e = case_parameter(fit, release[k].name);
        assert_true(fabs(e->value - release[k].truth) < 4.0 * e->sd);
    }
    int n_sensor = 0;
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *e = &fit->parameters[i];
        bool is_late = strstr(e->name, ".latency") != NULL;
        if (!is_late && strstr(e->name, ".bias_") == NULL)
            continue;
        n_sensor++;
        assert_true(fabs(e->value - truth[i]) < 4.0 * e->sd);
        apart += is_late ? (strncmp(e->name, "left", 4) == 0 ? 1.0 : -1.0) * truth[i] : 0.0;
    }
    assert_int_equal(n_sensor, 6);
    /* Each camera draws its own. */
    assert_true(fabs(apart) > 1e-6);
    arc_fit_free(fit);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

static void assert_refused(const char *capture, const char *fragment)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    char text[512];
    snprintf(text, sizeof text, "arcfit: 1\ncapture: %s\n", capture);
    ArcStatus status =
        arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err);
    if (status != ARC_INPUT || strncmp(err.text, "f.yaml:2:", 9) != 0 ||
        strstr(err.text, fragment) == NULL)
        fail_msg("%s: status %d, '%s' without '%s'", capture, (int)status,
                 status == ARC_OK ? "" : err.text, fragment);
}

static void test_experiment_refuses_sensor_that_cannot_be(void **state)
{
    (void)state;
    assert_refused("{file: a.csv, sigma: estimate, sensor: {quantisation: 1 mm}}", "rounding");
    assert_refused("{file: a.csv, sensor: {bias: 1 px}}", "in pixels, but");
    assert_refused("{file: a.csv, sensor: {quantisation: 1 px}}", "in pixels, but");
    assert_refused("{file: a.csv, cameras: {a: {}}, sensor: {bias: 1 mm}}", "a length, but");
    assert_refused("{file: a.csv, sensor: {latency: soon}}", "latency");
    assert_refused("{file: a.csv, sensor: {latency: {mean: 1 mm}}}", "mm");
    assert_refused("{file: a.csv, sensor: {bias: -1 mm}}", "range");
    assert_refused("{file: a.csv, sensor: {gauss: 1 mm}}", "unknown key");
    assert_refused("[{file: a.csv, sensor: {bias: 1 mm}}, {file: b.csv}]", "one sensor");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simulate_sensor_offsets_are_of_their_size),
        cmocka_unit_test(test_simulate_text_tells_sensor),
        cmocka_unit_test(test_problem_has_rounding_in_its_sigmas),
        cmocka_unit_test(test_fit_with_sensor_agrees_by_both_methods),
        cmocka_unit_test(test_fit_with_sensor_covers_the_truth),
        cmocka_unit_test(test_fit_of_cameras_with_sensors_finds_the_throw),
        cmocka_unit_test(test_experiment_refuses_sensor_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
