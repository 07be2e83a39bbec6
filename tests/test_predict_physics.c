/* The residual of the equations along a fit's trajectory, its bounces, and points as the fit sees
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/predict.h"
#include "base/arena.h"
#include "view_case.h"

enum { N = 40 };

/* All that the law asks for beside position and velocity: wind by height, a gust, a spin that fades
 * with the path, and that bounces change. */
#define RICH                                                                                       \
    "flight: {ball: basketball, drag: quadratic, lift: rational, spin_decay: aerodynamic, "        \
    "wind: [1 m/s, 0], bounce: {plane: y=12 cm, spin_coupling: 1.5}}\n"
static const char rich_truth[] =
    CASE_HEAD RICH "parameters: {cd: 0.5, spin: -3 Hz, spin_decay: 0.01, x0: 0, y0: 2, vx0: 3, "
                   "vy0: 1, restitution: 0.78, friction: 0.2}\n";
static const char rich_model[] =
    CASE_HEAD RICH "parameters: {cd: {fixed: 0.5}, spin: {fixed: -3 Hz}, spin_decay: {fixed: "
                   "0.01}, restitution: {start: 0.7}, friction: {start: 0.3}}\n";

/* A bounce that changes the spin, and with it the lift. */
#define SPINNING                                                                                   \
    "flight: {ball: basketball, drag: quadratic, lift: rational, "                                 \
    "bounce: {plane: y=12 cm, spin_coupling: 1.5}}\n"
static const char spinning_truth[] =
    CASE_HEAD SPINNING "parameters: {cd: 0.5, spin: -3 Hz, x0: 0, y0: 2, vx0: 3, vy0: 1, "
                       "restitution: 0.78, friction: 0.2}\n";
static const char spinning_model[] =
    CASE_HEAD SPINNING "parameters: {cd: {fixed: 0.5}, spin: {fixed: -3 Hz}, "
                       "restitution: {start: 0.7}, friction: {fixed: 0.2}}\n";

static double rms_of(int n, const double *values)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += values[i] * values[i];
    return sqrt(sum / n);
}

static double largest_of(int n, const double *values)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fabs(values[i]) <= largest ? largest : fabs(values[i]);
    return largest;
}

static void residual_of(const char *text, const ArcFit *fit, double *residual)
{
    ArcError err;
    ArcExperiment *experiment = case_experiment(text);
    if (arc_predict_physics(experiment, fit, residual, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
}

/* A simulated flight follows its equations: over two bounces, in spite of all that changes. */
static void test_predict_physics_of_a_direct_fit_is_rounding(void **state)
{
    (void)state;
    double residual[2 * ARC_TRAJECTORY_POINTS];
    ArcCapture *capture = case_capture(rich_truth, N, 1.9, 0.003);
    ArcFit *fit = case_fit(rich_model, capture, ARC_DIRECT);
    ArcMet bounces[4];
    ArcExperiment *experiment = case_experiment(rich_model);
    assert_int_equal(arc_predict_bounces(&experiment->flight, fit, 4, bounces), 2);
    assert_int_equal(arc_predict_bounces(&experiment->flight, fit, 1, bounces), 1);
    residual_of(rich_model, fit, residual);
    assert_true(largest_of(2 * ARC_TRAJECTORY_POINTS, residual) < 1e-6);
    arc_experiment_free(experiment);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* On 101 points it is as large as on the grid between the collocation points. */
static void test_predict_physics_of_a_pinn_is_as_large_as_its_rms(void **state)
{
    (void)state;
    double residual[2 * ARC_TRAJECTORY_POINTS];
    ArcCapture *capture = case_capture(spinning_truth, N, 1.2, 0.003);
    ArcFit *fit = case_fit(spinning_model, capture, ARC_PINN);
    residual_of(spinning_model, fit, residual);
    double rms = sqrt(2.0) * rms_of(2 * ARC_TRAJECTORY_POINTS, residual);
    assert_true(rms > 0.3 * fit->residuals.physics_rms_fine_m_s2);
    assert_true(rms < 3.0 * fit->residuals.physics_rms_fine_m_s2);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* With another drag it is the drag that is missing: -(k' - k) |v| v. */
static void test_predict_physics_of_another_law_is_what_is_missing(void **state)
{
    (void)state;
    static const char text[] =
        CASE_HEAD "flight: {drag: lumped}\n"
                  "parameters: {k: {fixed: 0.02}, x0: {start: 0}, y0: {start: 2}, "
                  "vx0: {start: 4}, vy0: {start: 5}}\n";
    double residual[2 * ARC_TRAJECTORY_POINTS];
    ArcCapture *capture = case_capture(text, N, 0.9, 0.003);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    ArcEstimate *k = (ArcEstimate *)(uintptr_t)case_parameter(fit, "k");
    k->value += 0.01;
    residual_of(text, fit, residual);
    for (int i = 0; i < 2 * ARC_TRAJECTORY_POINTS; i++) {
        const double *v = fit->velocity_m_s + 2 * (i / 2);
        assert_true(fabs(residual[i] - 0.01 * hypot(v[0], v[1]) * v[i % 2]) < 1e-7);
    }
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static void test_predict_physics_without_accelerations_is_refused(void **state)
{
    (void)state;
    ArcExperiment *experiment = case_experiment(rich_model);
    const ArcFit fit = {.n_trajectory = ARC_TRAJECTORY_POINTS, .dimensions = 2};
    ArcError err;
    double residual = 7.0;
    assert_int_equal(arc_predict_physics(experiment, &fit, &residual, &err), ARC_USAGE);
    assert_non_null(strstr(err.text, "holds no accelerations"));
    assert_true(residual == 7.0);
    arc_experiment_free(experiment);
}

static void test_predict_bounces_are_where_the_simulator_meets_the_plane(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(rich_truth, N, 1.9, 0.003);
    ArcFit *fit = case_fit(rich_model, capture, ARC_DIRECT);
    ArcExperiment *experiment = case_experiment(rich_model);
    ArcMet met;
    ArcCrossing crossing;
    ArcError err;
    assert_int_equal(arc_predict_bounces(&experiment->flight, fit, 1, &met), 1);
    assert_int_equal(
        arc_predict_crossing(experiment, fit, (ArcPlane){1, 0.12}, 5.0, &crossing, &err), ARC_OK);
    assert_true(fabs(met.time_s - crossing.t_s) < 1e-8);
    for (int c = 0; c < 2; c++) {
        assert_true(fabs(met.x_m[c] - crossing.x_m[c]) < 1e-7);
        assert_true(fabs(met.v_m_s[c] - crossing.v_m_s[c]) < 1e-6);
    }
    arc_experiment_free(experiment);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* The diagonal is that of the sds; the other number by the sd of a sum, told by turning the axes:
 * what a camera that sees x + y would predict is not there, so positive definiteness and symmetry.
 */
static void test_predict_state_covariance_has_the_sds_on_its_diagonal(void **state)
{
    (void)state;
    double sd[2 * 3], C[2 * 9], alone[2 * 3];
    static const char text[] = CASE_HEAD
        "flight: {dimensions: 3}\nparameters: {x0: 0, y0: 1, z0: 2, vx0: 4, vy0: 1, vz0: 5}\n";
    ArcCapture *capture = case_capture(text, N, 0.9, 0.003);
    ArcExperiment *experiment = case_experiment(CASE_HEAD "flight: {dimensions: 3}\n");
    ArcFit *fit = case_fit(CASE_HEAD "flight: {dimensions: 3}\n", capture, ARC_DIRECT);
    const double t_s[2] = {0.2, 0.7};
    const ArcPrediction both = {.x_sd_m = sd, .x_covariance_m2 = C};
    const ArcPrediction one = {.x_sd_m = alone};
    assert_int_equal(arc_predict_state(experiment, fit, 2, t_s, &both, NULL), ARC_OK);
    assert_int_equal(arc_predict_state(experiment, fit, 2, t_s, &one, NULL), ARC_OK);
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 3; c++) {
            assert_true(sd[3 * i + c] == alone[3 * i + c] && sd[3 * i + c] > 0.0);
            assert_true(fabs(sqrt(C[9 * i + 4 * c]) - sd[3 * i + c]) < 1e-12);
            for (int e = 0; e < c; e++) {
                assert_true(C[9 * i + 3 * c + e] == C[9 * i + 3 * e + c]);
                /* Axes of a flight without drag have nothing to do with each other. */
                assert_true(fabs(C[9 * i + 3 * c + e]) < 1e-6 * sd[3 * i + c] * sd[3 * i + e]);
            }
        }
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

/* With a free drag the axes are bound together, as the covariance of the release and k says. */
static void test_predict_state_covariance_at_the_release_is_that_of_its_parameters(void **state)
{
    (void)state;
    static const char truth[] =
        CASE_HEAD "flight: {drag: lumped}\nparameters: {k: 0.05, x0: 0, y0: 2, vx0: 6, vy0: 5}\n";
    static const char model[] =
        CASE_HEAD "flight: {drag: lumped}\nparameters: {k: {start: 0.05}}\n";
    double C[4];
    ArcCapture *capture = case_capture(truth, N, 0.9, 0.003);
    ArcExperiment *experiment = case_experiment(model);
    ArcFit *fit = case_fit(model, capture, ARC_DIRECT);
    const ArcEstimate *x = case_parameter(fit, "x0"), *y = case_parameter(fit, "y0");
    const double t_s = case_parameter(fit, "t0")->value;
    assert_int_equal(
        arc_predict_state(experiment, fit, 1, &t_s, &(ArcPrediction){.x_covariance_m2 = C}, NULL),
        ARC_OK);
    double expected = fit->covariance[x->free_index * fit->n_free + y->free_index];
    assert_true(fabs(expected) > 1e-3 * x->sd * y->sd);
    assert_true(fabs(C[1] - expected) < 1e-9 * x->sd * y->sd);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

/* In metres of another size, turned, by a clock of its own: the places and times of the truth. */
static void test_predict_seen_undoes_scale_roll_and_clock(void **state)
{
    (void)state;
    static const char text[] =
        "arcfit: 1\ncapture: {file: none.csv, sigma: 0.001 um}\nflight: {drag: lumped}\n"
        "parameters: {k: {fixed: 0.02}, x0: {fixed: 0}, y0: {fixed: 2}, vx0: {fixed: 4}, "
        "vy0: {fixed: 5}, t0: {fixed: -0.1}, scale: {fixed: 0.9}, roll: {start: 0.1}, "
        "time_offset: {fixed: 0.05}}\n";
    double time_s[N], position_m[2 * N];
    ArcError err;
    ArcCapture *capture = case_capture(text, N, 0.9, 1e-9);
    ArcExperiment *experiment = case_experiment(text);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    if (arc_predict_seen(experiment, fit, capture, time_s, position_m, &err) != ARC_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < N; i++) {
        assert_true(fabs(time_s[i] - capture->time_s[i] - 0.05) < 1e-12);
        for (int c = 0; c < 2; c++)
            assert_true(fabs(position_m[2 * i + c] - fit->predicted_m[2 * i + c]) < 1e-7);
    }
    /* Not because they are taken from there: a point that is elsewhere is seen there. */
    ((double *)(uintptr_t)capture->position_m)[2 * 5] += 0.1;
    assert_int_equal(arc_predict_seen(experiment, fit, capture, time_s, position_m, &err), ARC_OK);
    double off[2];
    for (int c = 0; c < 2; c++)
        off[c] = position_m[2 * 5 + c] - fit->predicted_m[2 * 5 + c];
    assert_true(fabs(hypot(off[0], off[1]) - 0.09) < 1e-6);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

/* A pixel's point is on its line of sight, and no other of it is nearer to the flight. */
static void test_predict_seen_of_a_pixel_is_next_to_the_flight(void **state)
{
    (void)state;
    static const char text[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {fixed: 0.5}, " CAMERA_THROW "}\n";
    double time_s[2 * 10], position_m[3 * 2 * 10];
    ArcError err;
    ArcCapture *capture = camera_capture(text, 10, 0.9, 0);
    ArcExperiment *experiment = case_experiment(text);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    assert_int_equal(capture->n_points, 20);
    ((double *)(uintptr_t)capture->pixel_px)[2 * 3] = NAN;
    if (arc_predict_seen(experiment, fit, capture, time_s, position_m, &err) != ARC_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < 20; i++) {
        const ArcCamera *camera = &capture->cameras[capture->camera[i]];
        ArcProjection seen;
        const double *x = position_m + 3 * i;
        if (i == 3) {
            assert_true(isnan(x[0]) && isnan(x[1]) && isnan(x[2]));
            continue;
        }
        assert_true(arc_camera_project(camera, NULL, x, 0.0, &seen));
        double along = 0.0, off = 0.0, length = 0.0;
        for (int c = 0; c < 3; c++) {
            double eye = 0.0;
            for (int row = 0; row < 3; row++)
                eye -= camera->rotation[3 * row + c] * camera->translation_m[row];
            double away = x[c] - fit->predicted_m[3 * i + c];
            along += away * (x[c] - eye);
            length = hypot(length, x[c] - eye);
            off = hypot(off, away);
        }
        assert_true(hypot(seen.pixel_px[0] - capture->pixel_px[2 * i],
                          seen.pixel_px[1] - capture->pixel_px[2 * i + 1]) < 1e-6);
        assert_true(off > 1e-6 && off < 0.02);
        assert_true(fabs(along / length) < 1e-2 * off);
    }
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

static bool allow_some(void *context, size_t size)
{
    (void)size;
    int *left = context;
    return (*left)-- > 0;
}

static void test_predict_physics_exhaustion_gives_memory(void **state)
{
    (void)state;
    double residual[2 * ARC_TRAJECTORY_POINTS], time_s[N], position_m[2 * N];
    static const char text[] = CASE_HEAD "parameters: {scale: {fixed: 1.1}}\n";
    ArcCapture *capture =
        case_capture(CASE_HEAD "parameters: {x0: 0, y0: 2, vx0: 4, vy0: 5}\n", N, 0.9, 0.003);
    ArcExperiment *experiment = case_experiment(text);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    ArcStatus status = ARC_MEMORY;
    int refused = 0;
    for (int n = 0; n < 50 && status != ARC_OK; n++) {
        ArcError err;
        int left = n;
        arc_memory_set_hook(allow_some, &left);
        status = arc_predict_physics(experiment, fit, residual, &err);
        if (status == ARC_OK)
            status = arc_predict_seen(experiment, fit, capture, time_s, position_m, &err);
        arc_memory_set_hook(NULL, NULL);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        refused += status != ARC_OK;
    }
    assert_int_equal(status, ARC_OK);
    assert_true(refused > 1);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predict_physics_of_a_direct_fit_is_rounding),
        cmocka_unit_test(test_predict_physics_of_a_pinn_is_as_large_as_its_rms),
        cmocka_unit_test(test_predict_physics_of_another_law_is_what_is_missing),
        cmocka_unit_test(test_predict_physics_without_accelerations_is_refused),
        cmocka_unit_test(test_predict_bounces_are_where_the_simulator_meets_the_plane),
        cmocka_unit_test(test_predict_state_covariance_has_the_sds_on_its_diagonal),
        cmocka_unit_test(test_predict_state_covariance_at_the_release_is_that_of_its_parameters),
        cmocka_unit_test(test_predict_seen_undoes_scale_roll_and_clock),
        cmocka_unit_test(test_predict_seen_of_a_pixel_is_next_to_the_flight),
        cmocka_unit_test(test_predict_physics_exhaustion_gives_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
