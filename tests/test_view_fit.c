/* What fits find through cameras, by both methods. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/predict.h"
#include "arcfit/uncertainty.h"
#include "base/arena.h"
#include "slow.h"
#include "view_case.h"

/* Estimates of the two methods may differ by this share of their sds, and these by that. */
static const double same_sd = 1e-3, same_share = 1e-3;

static ArcFit *fit_both(const char *text, const ArcCapture *capture)
{
    ArcFit *direct = case_fit(text, capture, ARC_DIRECT), *pinn = case_fit(text, capture, ARC_PINN);
    assert_true(direct->converged && pinn->converged);
    CaseGap gap = case_gap(pinn, direct);
    if (!(gap.estimate_sd <= same_sd && gap.sd_share <= same_share))
        fail_msg("the methods are %g sd apart, their sds %g", gap.estimate_sd, gap.sd_share);
    arc_fit_free(pinn);
    return direct;
}

/* Within four sds of the truth, and as precise as at most so much. */
static void assert_found(const ArcFit *fit, const char *name, double truth, double largest_sd)
{
    const ArcEstimate *e = case_parameter(fit, name);
    if (!(fabs(e->value - truth) <= 4.0 * e->sd && e->sd <= largest_sd && e->sd > 0.0))
        fail_msg("%s is %g +- %g, truly %g", name, e->value, e->sd, truth);
}

static const char two_truth[] = CAMERA_TWO CAMERA_BALL
    "parameters: {cd: {start: 0.5}, " CAMERA_THROW ", right.time_offset: 0.0037}\n";
static const char two_fit[] =
    CAMERA_TWO CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, "
                           "right.time_offset: {bounds: [-50 ms, 50 ms]}}\n";

static void test_fit_two_cameras_find_the_offset_of_their_clocks(void **state)
{
    (void)state;
    ArcCapture *capture = camera_capture(two_truth, 40, 1.0, 5);
    ArcFit *fit = fit_both(two_fit, capture);
    assert_found(fit, "right.time_offset", 0.0037, 0.0004);
    assert_found(fit, "x0", 0.0, 0.003);
    assert_found(fit, "vz0", 5.792, 0.01);
    assert_int_equal(fit->residuals.n_cameras, 2);
    assert_int_equal(fit->residuals.cameras[0].points, 40);
    assert_true(fit->residuals.rms_px > 0.4 && fit->residuals.rms_px < 0.6);
    assert_true(isnan(fit->residuals.rms_m));
    assert_true(fit->residuals.chi2_p > 1e-3);
    /* Without it the flight is a misfit. */
    ArcFit *wrong =
        case_fit(CAMERA_TWO CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}}\n",
                 capture, ARC_DIRECT);
    assert_true(wrong->residuals.chi2_p < 1e-6);
    arc_fit_free(wrong);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* True times cross, and some lie before the release: points stand by the file's times. */
static void test_fit_clocks_apart_by_frames_are_found(void **state)
{
    (void)state;
    static const char truth[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {start: 0.5}, " CAMERA_THROW
                               ", right.time_offset: -0.041, clock_rate: 1.001}\n";
    static const char fitted[] = CAMERA_TWO CAMERA_BALL
        "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, "
        "right.time_offset: free, clock_rate: {prior: {mean: 1, sd: 0.01}}}\n";
    ArcCapture *capture = camera_capture(truth, 40, 1.0, 6);
    ArcFit *fit = fit_both(fitted, capture);
    assert_found(fit, "right.time_offset", -0.041, 0.0004);
    assert_found(fit, "clock_rate", 1.001, 0.003);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* Cameras that were switched on seconds apart: the start finds where their points overlap. */
static void test_fit_clocks_apart_by_seconds_are_found(void **state)
{
    (void)state;
    static const double offsets[] = {12.3, -0.37, 0.25};
    for (int i = 0; i < 3; i++) {
        char truth[2048];
        snprintf(truth, sizeof truth, "%s%sparameters: {cd: {start: 0.5}, %s}\n", CAMERA_TWO,
                 CAMERA_BALL, CAMERA_THROW);
        ArcCapture *capture = camera_capture(truth, 40, 1.0, 20), *shifted = NULL;
        /* The same frames by a clock that runs ahead or behind, in the order of the files. */
        double time_s[80], pixel[160], sigma_px[80], position[240], sigma[240];
        int camera[80], order[80], n = capture->n_points;
        assert_int_equal(n, 80);
        for (int k = 0; k < n; k++)
            time_s[k] = capture->time_s[k] - (capture->camera[k] == 1 ? offsets[i] : 0.0);
        for (int k = 0; k < n; k++) {
            int j = k;
            for (; j > 0 && time_s[order[j - 1]] > time_s[k]; j--)
                order[j] = order[j - 1];
            order[j] = k;
        }
        double sorted_s[80];
        for (int k = 0; k < n; k++) {
            sorted_s[k] = time_s[order[k]];
            camera[k] = capture->camera[order[k]];
            memcpy(pixel + 2 * k, capture->pixel_px + 2 * order[k], 2 * sizeof(double));
            sigma_px[k] = 0.5;
            for (int c = 0; c < 3; c++)
                position[3 * k + c] = sigma[3 * k + c] = NAN;
        }
        ArcError err;
        const ArcCapture given = {.n_points = n,
                                  .dimensions = 3,
                                  .time_s = sorted_s,
                                  .position_m = position,
                                  .sigma_m = sigma,
                                  .n_cameras = 2,
                                  .cameras = capture->cameras,
                                  .camera = camera,
                                  .pixel_px = pixel,
                                  .sigma_px = sigma_px};
        if (arc_capture_create(&given, &shifted, &err) != ARC_OK)
            fail_msg("%s", err.text);
        static const char fitted[] =
            CAMERA_TWO CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, "
                                   "right.time_offset: free}\n";
        ArcFit *fit = fit_both(fitted, shifted);
        assert_found(fit, "right.time_offset", offsets[i], 0.0005);
        assert_true(fit->residuals.chi2_p > 1e-4);
        arc_fit_free(fit);
        arc_capture_free(shifted);
        arc_capture_free(capture);
    }
}

/* A rolling shutter of 20 us a row, and a camera that was knocked. */
static void test_fit_shutter_and_pose_are_found(void **state)
{
    (void)state;
    static const char truth[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {start: 0.5}, " CAMERA_THROW
                               ", left.line_time: 20 us, right.rx: 0.01, right.ry: -0.02, "
                               "right.rz: 0.005}\n";
    static const char fitted[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, "
                               "left.line_time: {prior: {mean: 0, sd: 100 us}}, right.rx: free, "
                               "right: {ry: free, rz: free}}\n";
    ArcCapture *capture = camera_capture(truth, 40, 1.0, 7);
    ArcFit *fit = fit_both(fitted, capture);
    assert_found(fit, "left.line_time", 20e-6, 5e-6);
    assert_found(fit, "right.rx", 0.01, 1e-3);
    assert_found(fit, "right.ry", -0.02, 2e-3);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static const char one_truth[] =
    CAMERA_ONE CAMERA_BALL "parameters: {cd: {start: 0.5}, " CAMERA_THROW "}\n";

/* sd of the position at mid-flight along an axis. */
static double sd_at_middle(const char *text, const ArcFit *fit, int axis)
{
    ArcExperiment *experiment = case_experiment(text);
    double x[3], sd[3], t = 0.5;
    const ArcPrediction prediction = {.x_m = x, .x_sd_m = sd};
    ArcError err;
    assert_int_equal(arc_predict_state(experiment, fit, 1, &t, &prediction, &err), ARC_OK);
    arc_experiment_free(experiment);
    return sd[axis];
}

static void test_fit_one_camera_and_gravity_find_the_flight_in_space(void **state)
{
    (void)state;
    static const char fitted[] =
        CAMERA_ONE CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.03}}}\n";
    static const char loose[] =
        CAMERA_ONE CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.03}}, gravity: free}\n";
    ArcCapture *capture = camera_capture(one_truth, 120, 1.0, 8);
    ArcFit *fit = fit_both(fitted, capture);
    assert_found(fit, "x0", 0.0, 0.01);
    assert_found(fit, "y0", 0.1, 0.03);
    assert_found(fit, "vy0", 0.2, 0.05);
    double across = sd_at_middle(fitted, fit, 0), depth = sd_at_middle(fitted, fit, 1);
    print_message("one camera: %.2g mm across, %.2g mm in depth\n", 1e3 * across, 1e3 * depth);
    assert_true(across < 0.005 && depth < 0.02 && depth > 2.0 * across);
    assert_int_equal(fit->n_unidentified, 0);
    arc_fit_free(fit);
    /* Nothing but gravity tells the size: all that has a length is unidentified, and says why. */
    for (int method = 0; method < 2; method++) {
        fit = case_fit(loose, capture, (ArcMethod)method);
        static const char *const unknown[] = {"gravity", "x0", "y0", "vx0", "vz0"};
        assert_true(fit->converged && fit->n_unidentified == 1);
        for (int i = 0; i < 5; i++) {
            const ArcEstimate *e = case_parameter(fit, unknown[i]);
            assert_int_equal(e->status, ARC_PARAMETER_UNIDENTIFIED);
            assert_true(isnan(e->sd));
            assert_non_null(strstr(e->reason, "distance from the camera"));
        }
        print_message("gravity free as well: %s\n", case_parameter(fit, "y0")->reason);
        assert_true(case_parameter(fit, "cd")->sd < 0.04);
        assert_true(isnan(sd_at_middle(loose, fit, 1)));
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

static const char plane_flight[] = "flight: {ball: basketball, drag: quadratic}\n";
#define PLANE_CAMERA "arcfit: 1\ncapture: {file: none.csv, sigma: 0.5 px, cameras: {side: {}}}\n"

/* An uncalibrated view from the side: 4 mm a pixel, held 3 degrees askew. */
static void test_fit_gravity_is_ruler_and_plumb_line(void **state)
{
    (void)state;
    char truth[1024], fitted[1024];
    snprintf(truth, sizeof truth,
             PLANE_CAMERA "%sparameters: {cd: {start: 0.5}, x0: {start: 0.5}, y0: {start: -3}, "
                          "vx0: {start: 4.525}, vy0: {start: 5.792}, scale: 0.004, roll: 0.05}\n",
             plane_flight);
    snprintf(fitted, sizeof fitted,
             PLANE_CAMERA "%sparameters: {cd: {prior: {mean: 0.5, sd: 0.02}}, scale: free, "
                          "side: {roll: free}}\n",
             plane_flight);
    ArcCapture *capture = camera_capture(truth, 60, 1.0, 9);
    ArcFit *fit = fit_both(fitted, capture);
    assert_found(fit, "scale", 0.004, 2e-5);
    assert_found(fit, "side.roll", 0.05, 0.01);
    assert_found(fit, "vy0", 5.792, 0.05);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* The same of a file of positions whose metres are feet, told level. */
static void test_fit_gravity_tells_the_unit_of_positions(void **state)
{
    (void)state;
    static const char head[] = "arcfit: 1\ncapture: {file: none.csv, sigma: 3 mm}\n"
                               "flight: {drag: lumped}\n";
    char truth[1024], fitted[1024];
    snprintf(truth, sizeof truth,
             "%sparameters: {k: 0.02, x0: {start: 0}, y0: {start: 2}, vx0: {start: 4}, "
             "vy0: {start: 5}, scale: 0.3048}\n",
             head);
    snprintf(fitted, sizeof fitted, "%sparameters: {k: 0.02, scale: free}\n", head);
    ArcCapture *capture = case_capture_seed(truth, 40, 1.0, 0.003, 3);
    ArcFit *fit = fit_both(fitted, capture);
    assert_found(fit, "scale", 0.3048, 1e-3);
    assert_true(isnan(fit->residuals.rms_px) && fit->residuals.rms_m < 0.005);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static const char sigmas_truth[] = CAMERA_TWO CAMERA_BALL
    "parameters: {cd: {start: 0.5}, " CAMERA_THROW ", left.sigma: 0.7, right.sigma: 1.6}\n";
static const char sigmas_fit[] =
    CAMERA_TWO CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, left.sigma: free, "
                           "right.sigma: {prior: {mean: 1, sd: 1}}}\n";

/* Over many captures each is unbiased, and scatters as its sd says. */
static void test_fit_sigmas_of_cameras_are_found_with_their_scatter(void **state)
{
    (void)state;
    enum { CAPTURES = FEWER(150, 20) };
    CaseScatter left = {0}, right = {0};
    for (int i = 1; i <= CAPTURES; i++) {
        ArcCapture *capture = camera_capture(sigmas_truth, 20, 0.9, (uint64_t)i);
        ArcFit *fit = case_fit(sigmas_fit, capture, ARC_DIRECT);
        const ArcEstimate *l = case_parameter(fit, "left.sigma");
        const ArcEstimate *r = case_parameter(fit, "right.sigma");
        assert_true(fit->converged && l->status == ARC_PARAMETER_FREE && l->free_index < 0);
        assert_true(l->ci95[0] < l->value && l->value < l->ci95[1]);
        assert_true(l->ci95[1] - l->value > l->value - l->ci95[0]);
        case_scatter_add(&left, l->value, l->sd);
        case_scatter_add(&right, r->value, r->sd);
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    case_scatter_check(&left);
    case_scatter_check(&right);
    assert_true(fabs(left.sum / CAPTURES - 0.7) < FEWER(0.02, 0.06));
    assert_true(fabs(right.sum / CAPTURES - 1.6) < FEWER(0.05, 0.14));
}

/* With exact physics the PINN finds the same factors. */
static void test_fit_sigmas_of_cameras_are_those_of_both_methods(void **state)
{
    (void)state;
    ArcCapture *capture = camera_capture(sigmas_truth, 20, 0.9, 4);
    ArcFit *direct = fit_both(sigmas_fit, capture);
    ArcFit *pinn = case_fit(sigmas_fit, capture, ARC_PINN);
    assert_true(fabs(case_parameter(pinn, "left.sigma")->value -
                     case_parameter(direct, "left.sigma")->value) < 1e-6);
    arc_fit_free(pinn);
    arc_fit_free(direct);
    arc_capture_free(capture);
}

/* A factor that its bounds keep from the best stands there, by both methods. */
static void test_fit_sigma_of_a_camera_stays_within_its_bounds(void **state)
{
    (void)state;
    static const char bounded[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, "
                               "left.sigma: {bounds: [0.9, 2]}, right.sigma: {bounds: [0.5, 1]}}\n";
    ArcCapture *capture = camera_capture(sigmas_truth, 20, 0.9, 4);
    for (int method = 0; method < 2; method++) {
        ArcFit *fit = case_fit(bounded, capture, (ArcMethod)method);
        const ArcEstimate *l = case_parameter(fit, "left.sigma");
        const ArcEstimate *r = case_parameter(fit, "right.sigma");
        assert_true(fit->converged && l->value == 0.9 && r->value == 1.0);
        assert_int_equal(l->status, ARC_PARAMETER_AT_BOUND);
        assert_int_equal(r->status, ARC_PARAMETER_AT_BOUND);
        assert_non_null(strstr(l->reason, "lower bound"));
        assert_non_null(strstr(r->reason, "upper bound"));
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* A ball whose radius is seen tells its depth without gravity; a detector that reads it too large
 * is found where gravity tells the depth, too. */
static void test_fit_radius_tells_the_depth(void **state)
{
    (void)state;
    static const char truth[] = CAMERA_ONE CAMERA_BALL
        "parameters: {cd: {start: 0.5}, " CAMERA_THROW ", radius_bias: 0.8}\n";
    static const char weightless[] =
        CAMERA_ONE CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.03}}, gravity: free, "
                               "radius_bias: 0.8}\n";
    static const char biased[] =
        CAMERA_ONE CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.03}}, "
                               "radius_bias: free}\n";
    ArcCapture *capture = camera_capture(truth, 120, 1.0, 10);
    assert_true(isfinite(capture->radius_px[0]));
    ArcFit *fit = fit_both(weightless, capture);
    assert_found(fit, "y0", 0.1, 0.06);
    assert_found(fit, "gravity", 9.80665, 0.1);
    arc_fit_free(fit);
    fit = fit_both(biased, capture);
    assert_found(fit, "radius_bias", 0.8, 0.2);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* Some points by a motion capture system, the others by a camera. */
static void test_fit_positions_and_pixels_work_together(void **state)
{
    (void)state;
    enum { N = 40 };
    ArcError err;
    ArcCapture *seen = camera_capture(one_truth, N, 1.0, 11), *capture = NULL;
    ArcCapture *flown = case_capture_seed(CASE_HEAD CAMERA_BALL
                                          "parameters: {cd: {start: 0.5}, " CAMERA_THROW "}\n",
                                          N, 1.0, 0.01, 12);
    double position[3 * N], sigma[3 * N], pixel[2 * N], sigma_px[N];
    int camera[N];
    for (int i = 0; i < N; i++) {
        bool is_position = i % 4 == 0;
        camera[i] = is_position ? -1 : 0;
        for (int k = 0; k < 3; k++) {
            position[3 * i + k] = is_position ? flown->position_m[3 * i + k] : NAN;
            sigma[3 * i + k] = is_position ? 0.01 : NAN;
        }
        for (int k = 0; k < 2; k++)
            pixel[2 * i + k] = is_position ? NAN : seen->pixel_px[2 * i + k];
        sigma_px[i] = is_position ? NAN : 0.5;
    }
    const ArcCapture given = {.n_points = N,
                              .dimensions = 3,
                              .time_s = flown->time_s,
                              .position_m = position,
                              .sigma_m = sigma,
                              .n_cameras = 1,
                              .cameras = seen->cameras,
                              .camera = camera,
                              .pixel_px = pixel,
                              .sigma_px = sigma_px};
    if (arc_capture_create(&given, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    static const char fitted[] =
        CAMERA_ONE CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}}\n";
    ArcFit *fit = fit_both(fitted, capture);
    assert_found(fit, "y0", 0.1, 0.02);
    assert_true(fit->residuals.rms_m > 0.005 && fit->residuals.rms_m < 0.015);
    assert_true(fit->residuals.rms_px > 0.3 && fit->residuals.rms_px < 0.7);
    assert_int_equal(fit->residuals.observations, 3 * (N / 4) + 2 * (N - N / 4));
    arc_fit_free(fit);
    arc_capture_free(capture);
    arc_capture_free(flown);
    arc_capture_free(seen);
}

/* A pixel that is far off is named with its camera and axis, in pixels. */
static void test_fit_outlier_is_named_by_its_camera(void **state)
{
    (void)state;
    ArcCapture *capture = camera_capture(two_truth, 20, 0.9, 13);
    ((double *)(uintptr_t)capture->pixel_px)[2 * 15 + 1] += 12.0;
    assert_int_equal(capture->camera[15], 1);
    ArcFit *fit = case_fit(two_fit, capture, ARC_DIRECT);
    assert_int_equal(fit->spread.n_outliers, 1);
    assert_int_equal(fit->spread.outliers[0].point, 15);
    assert_int_equal(fit->spread.outliers[0].camera, 1);
    assert_int_equal(fit->spread.outliers[0].axis, 1);
    assert_true(fabs(fit->spread.outliers[0].residual_m - 12.0) < 3.0);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* A ball that bounces, from points before and after it. */
static void test_fit_bounce_is_seen_by_cameras(void **state)
{
    (void)state;
#define BOUNCE                                                                                     \
    "flight: {dimensions: 3, ball: basketball, drag: quadratic, bounce: {plane: z=0.12}}\n"
    static const char truth[] =
        CAMERA_TWO BOUNCE "parameters: {cd: {start: 0.5}, restitution: 0.8, x0: {start: 0}, "
                          "y0: {start: 0.1}, z0: {start: 2}, vx0: {start: 4}, vy0: {start: 0.2}, "
                          "vz0: {start: 1}, right.time_offset: 0.0037}\n";
    static const char fitted[] =
        CAMERA_TWO BOUNCE "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, restitution: free, "
                          "right.time_offset: free}\n";
    ArcCapture *capture = camera_capture(truth, 40, 1.2, 14);
    ArcFit *fit = fit_both(fitted, capture);
    assert_found(fit, "restitution", 0.8, 0.01);
    assert_found(fit, "right.time_offset", 0.0037, 0.0005);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* The bootstrap draws pixels about what the cameras would see of the fit; a profile follows a
 * clock. */
static void test_fit_uncertainty_of_a_clock_is_that_of_the_covariance(void **state)
{
    (void)state;
    ArcError err;
    ArcCapture *capture = camera_capture(two_truth, 20, 0.9, 15);
    ArcExperiment *experiment = case_experiment(two_fit);
    ArcProblem *problem = case_problem(two_fit, capture);
    ArcFit *fit = NULL;
    ArcUncertaintySettings settings = {.bootstrap = 60};
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, "right.time_offset") == 0)
            settings.profiles = (uint64_t)1 << i;
    assert_int_equal(arc_fit_run(problem, ARC_DIRECT, NULL, &fit, &err), ARC_OK);
    assert_int_equal(arc_uncertainty_run(problem, &settings, NULL, fit, &err), ARC_OK);
    const ArcEstimate *e = case_parameter(fit, "right.time_offset");
    const ArcProfile *profile = &fit->uncertainty->profiles[0];
    assert_int_equal(fit->uncertainty->n_profiles, 1);
    assert_true(fabs(profile->interval[0] - e->ci95[0]) < 0.02 * e->sd);
    assert_true(fabs(profile->interval[1] - e->ci95[1]) < 0.02 * e->sd);
    const ArcBootstrap *bootstrap = fit->uncertainty->bootstrap;
    assert_int_equal(bootstrap->n_failed, 0);
    for (int i = 0; i < bootstrap->n_numbers; i++)
        if (strcmp(bootstrap->numbers[i].name, "right.time_offset") == 0)
            assert_true(fabs(bootstrap->numbers[i].sd / e->sd - 1.0) < 0.35);
    arc_fit_free(fit);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

/* Points that a camera cannot see at the fit's end have no residual; a search that rests there has
 * found nothing, whatever its steps say. */
static void test_fit_flight_out_of_sight_is_no_fit(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    /* Thrown past the camera on the left. */
    static const char fitted[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {start: 0.5, bounds: [0, 1]}, x0: 0, y0: 0.1, "
                               "z0: 2.13, vx0: 4.525, vy0: -11, vz0: 5.792}\n";
    ArcCapture *capture = camera_capture(two_truth, 30, 0.9, 17);
    int unseen = 0;
    for (int method = 0; method < 2; method++) {
        ArcFit *fit = case_fit(fitted, capture, method == 0 ? ARC_DIRECT : ARC_PINN);
        if (!isfinite(fit->residuals.chi2)) {
            unseen++;
            assert_false(fit->converged);
            if (arc_stop_is_converged(fit->stop))
                assert_non_null(strstr(fit->stop_note, "can be seen"));
        }
        arc_fit_free(fit);
    }
    assert_true(unseen > 0);
    arc_capture_free(capture);
}

/* No memory at each place in turn, from the problem to its outliers: said, and nothing made. */
static bool budget_hook(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_fit_without_memory_is_said_wherever_it_ends(void **state)
{
    (void)state;
    static const char fitted[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {prior: {mean: 0.5, sd: 0.1}}, "
                               "right.time_offset: free, left.sigma: free}\n";
    enum { PLENTY = 1000000 };
    ArcCapture *capture = camera_capture(two_truth, 8, 0.8, 16);
    ArcExperiment *experiment = case_experiment(fitted);
    int budget = 0, used = PLENTY, failures = 0;
    for (; budget < used; budget += 1 + budget / 40) {
        ArcError err;
        ArcProblem *problem = NULL;
        ArcFit *fit = NULL;
        int left = budget;
        arc_memory_set_hook(budget_hook, &left);
        ArcStatus status = arc_problem_create(experiment, capture, &problem, &err);
        for (int method = 0; status == ARC_OK && method < 2; method++) {
            status = arc_fit_run(problem, method == 0 ? ARC_DIRECT : ARC_PINN, NULL, &fit, &err);
            arc_fit_free(fit);
            fit = NULL;
        }
        arc_memory_set_hook(NULL, NULL);
        arc_problem_free(problem);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        failures += status == ARC_MEMORY;
        if (status == ARC_OK)
            used = budget;
    }
    assert_true(failures > 20 && used < PLENTY);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_two_cameras_find_the_offset_of_their_clocks),
        cmocka_unit_test(test_fit_clocks_apart_by_frames_are_found),
        cmocka_unit_test(test_fit_clocks_apart_by_seconds_are_found),
        cmocka_unit_test(test_fit_shutter_and_pose_are_found),
        cmocka_unit_test(test_fit_one_camera_and_gravity_find_the_flight_in_space),
        cmocka_unit_test(test_fit_gravity_is_ruler_and_plumb_line),
        cmocka_unit_test(test_fit_gravity_tells_the_unit_of_positions),
        cmocka_unit_test(test_fit_sigmas_of_cameras_are_found_with_their_scatter),
        cmocka_unit_test(test_fit_sigmas_of_cameras_are_those_of_both_methods),
        cmocka_unit_test(test_fit_sigma_of_a_camera_stays_within_its_bounds),
        cmocka_unit_test(test_fit_radius_tells_the_depth),
        cmocka_unit_test(test_fit_positions_and_pixels_work_together),
        cmocka_unit_test(test_fit_outlier_is_named_by_its_camera),
        cmocka_unit_test(test_fit_bounce_is_seen_by_cameras),
        cmocka_unit_test(test_fit_flight_out_of_sight_is_no_fit),
        cmocka_unit_test(test_fit_without_memory_is_said_wherever_it_ends),
        cmocka_unit_test(test_fit_uncertainty_of_a_clock_is_that_of_the_covariance),
    };
    return cmocka_run_group_tests_name("view_fit", tests, NULL, NULL);
}
