/* Predictions and derived numbers with their standard deviations: against closed forms of the
 * vacuum, against differences of the flight itself, and against the scatter of simulated fits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/predict.h"
#include "fit_case.h"
#include "sweep.h"

#define PLANE CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
#define THROW PLANE "parameters: {k: 0.03, s: 0.08, spin: 2, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n"
#define THROW_FIT PLANE "parameters: {k: {start: 0.05}, s: 0.08, spin: {start: 1}}\n"
#define VACUUM CASE_HEAD "flight: {dimensions: 2}\n"
#define VACUUM_THROW VACUUM "parameters: {x0: 0.5, y0: 2, vx0: 4, vy0: 6}\n"

enum { MOST = 12, LOOKED_AT = 32 };
static const double g_m_s2 = 9.80665;

/* Parameters of the vacuum flight: t0 x0 y0 vx0 vy0. */
enum { T0, X0, Y0, VX, VY };

static void check_derived(const ArcFit *fit, const char *name, double value, const double *gradient)
{
    const ArcEstimate *e = case_derived(fit, name);
    double sd = case_propagated(fit, gradient);
    assert_near(e->value / value, 1.0, 1e-8);
    assert_near(e->sd / sd, 1.0, 1e-6);
    assert_near(e->ci95[1] - e->value, 1.96 * e->sd, 1e-12);
    assert_int_equal(e->status, ARC_PARAMETER_FREE);
}

static void check_vacuum(const char *text, const ArcCapture *capture, ArcMethod method)
{
    ArcFit *fit = case_fit(text, capture, method);
    assert_true(fit->converged);
    const ArcEstimate *p = fit->parameters;
    double vx = p[VX].value, vy = p[VY].value, speed = hypot(vx, vy);
    check_derived(fit, "release_speed", speed, (double[5]){0, 0, 0, vx / speed, vy / speed});
    check_derived(fit, "release_angle", atan2(vy, vx),
                  (double[5]){0, 0, 0, -vy / (speed * speed), vx / (speed * speed)});
    check_derived(fit, "apex_time", vy / g_m_s2, (double[5]){0, 0, 0, 0, 1.0 / g_m_s2});
    check_derived(fit, "apex_height", p[Y0].value + vy * vy / (2.0 * g_m_s2),
                  (double[5]){0, 0, 1, 0, vy / g_m_s2});
    check_derived(fit, "flight_time", 2.0 * vy / g_m_s2, (double[5]){0, 0, 0, 0, 2.0 / g_m_s2});
    arc_fit_free(fit);
}

static void test_fit_run_derived_numbers_of_a_vacuum_flight_are_the_closed_forms(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(VACUUM_THROW, 9, 0.8, 0.003);
    check_vacuum(VACUUM, capture, ARC_PINN);
    check_vacuum(VACUUM, capture, ARC_DIRECT);
    /* A free t0 is told by a fixed height; durations count from it. */
    check_vacuum(VACUUM "parameters: {y0: 1.5, t0: {start: -0.1}}\n", capture, ARC_DIRECT);
    arc_capture_free(capture);
}

static void test_fit_run_falling_ball_has_no_apex(void **state)
{
    (void)state;
    ArcCapture *capture =
        case_capture(VACUUM "parameters: {x0: 0.5, y0: 2, vx0: 4, vy0: -1}\n", 9, 0.8, 0.003);
    ArcFit *fit = case_fit(VACUUM, capture, ARC_DIRECT);
    assert_int_equal(fit->n_derived, 2);
    assert_string_equal(fit->derived[0].name, "release_speed");
    assert_string_equal(fit->derived[1].name, "release_angle");
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* Fit, experiment and the experiment with the fit's estimates as fixed values. */
typedef struct Predicted {
    ArcExperiment *experiment;
    ArcCapture *capture;
    ArcFit *fit;
} Predicted;

static Predicted predicted_create(const char *truth, const char *text, ArcMethod method)
{
    Predicted p = {.experiment = case_experiment(text),
                   .capture = case_capture(truth, 11, 0.8, 0.003)};
    p.fit = case_fit(text, p.capture, method);
    assert_true(p.fit->converged);
    return p;
}

static void predicted_free(Predicted *p)
{
    arc_fit_free(p->fit);
    arc_capture_free(p->capture);
    arc_experiment_free(p->experiment);
}

/* The fit with parameter i moved by so much. */
static ArcFit moved_fit(const ArcFit *fit, int i, double by, ArcEstimate *parameters)
{
    ArcFit moved = *fit;
    memcpy(parameters, fit->parameters, sizeof *parameters * (size_t)fit->n_parameters);
    parameters[i].value += by;
    moved.parameters = parameters;
    return moved;
}

static void state_at(const Predicted *p, const ArcFit *fit, double t_s, double state[4])
{
    ArcError err;
    const ArcPrediction prediction = {.x_m = state, .v_m_s = state + 2};
    assert_int_equal(arc_predict_state(p->experiment, fit, 1, &t_s, &prediction, &err), ARC_OK);
}

static void check_state_sds(const char *text, ArcMethod method)
{
    Predicted p = predicted_create(THROW, text, method);
    const double t_s[3] = {0.3, 0.8, 1.4};
    double x[6], v[6], x_sd[6], v_sd[6];
    const ArcPrediction prediction = {.x_m = x, .v_m_s = v, .x_sd_m = x_sd, .v_sd_m_s = v_sd};
    ArcError err;
    assert_int_equal(arc_predict_state(p.experiment, p.fit, 3, t_s, &prediction, &err), ARC_OK);
    for (int i = 0; i < 3; i++) {
        double gradient[4][MOST];
        for (int k = 0; k < p.fit->n_parameters; k++) {
            ArcEstimate parameters[MOST];
            double above[4], below[4], step = 1e-4;
            ArcFit moved = moved_fit(p.fit, k, step, parameters);
            state_at(&p, &moved, t_s[i], above);
            moved = moved_fit(p.fit, k, -step, parameters);
            state_at(&p, &moved, t_s[i], below);
            for (int c = 0; c < 4; c++)
                gradient[c][k] = (above[c] - below[c]) / (2.0 * step);
        }
        for (int c = 0; c < 2; c++) {
            assert_near(x_sd[2 * i + c] / case_propagated(p.fit, gradient[c]), 1.0, 1e-5);
            assert_near(v_sd[2 * i + c] / case_propagated(p.fit, gradient[2 + c]), 1.0, 1e-5);
        }
    }
    /* Beyond the data the band widens. */
    assert_true(x_sd[4] > x_sd[2] && x_sd[5] > x_sd[3]);
    predicted_free(&p);
}

static void test_predict_state_sds_are_those_of_differences(void **state)
{
    (void)state;
    check_state_sds(THROW_FIT, ARC_PINN);
    check_state_sds(THROW_FIT, ARC_DIRECT);
    check_state_sds("release: polar\n" THROW_FIT, ARC_DIRECT);
    check_state_sds(PLANE "parameters: {k: {start: 0.05}, s: 0.08, spin: 2, y0: 1.9, t0: {start: "
                          "-0.02}}\n",
                    ARC_DIRECT);
}

static void test_predict_state_inside_the_data_is_the_fits_trajectory(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        Predicted p = predicted_create(THROW, THROW_FIT, m == 0 ? ARC_PINN : ARC_DIRECT);
        ArcError err;
        double x[2 * ARC_TRAJECTORY_POINTS], v[2 * ARC_TRAJECTORY_POINTS];
        const ArcPrediction prediction = {.x_m = x, .v_m_s = v};
        assert_int_equal(arc_predict_state(p.experiment, p.fit, ARC_TRAJECTORY_POINTS,
                                           p.fit->time_s, &prediction, &err),
                         ARC_OK);
        for (int i = 0; i < 2 * ARC_TRAJECTORY_POINTS; i++) {
            assert_near(x[i], p.fit->position_m[i], 1e-7);
            assert_near(v[i], p.fit->velocity_m_s[i], 1e-6);
        }
        predicted_free(&p);
    }
}

static void test_predict_state_before_t0_is_refused(void **state)
{
    (void)state;
    Predicted p = predicted_create(THROW, THROW_FIT, ARC_DIRECT);
    const double t_s = -0.1;
    double x[2] = {7, 7};
    ArcError err;
    const ArcPrediction prediction = {.x_m = x};
    assert_int_equal(arc_predict_state(p.experiment, p.fit, 1, &t_s, &prediction, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "-0.1 s is before the release at 0 s"));
    assert_true(x[0] == 7 && x[1] == 7);
    predicted_free(&p);
}

/* Crossing of a height in a vacuum: t and x there have closed forms. */
static void test_predict_crossing_of_a_vacuum_flight_is_the_closed_form(void **state)
{
    (void)state;
    Predicted p = predicted_create(VACUUM_THROW, VACUUM, ARC_DIRECT);
    const ArcEstimate *e = p.fit->parameters;
    ArcCrossing crossing;
    ArcError err;
    double level = 3.05, vy = e[VY].value, rise = level - e[Y0].value;
    double root = sqrt(vy * vy - 2.0 * g_m_s2 * rise), t = (vy - root) / g_m_s2;
    assert_int_equal(
        arc_predict_crossing(p.experiment, p.fit, (ArcPlane){1, level}, 3.0, &crossing, &err),
        ARC_OK);
    assert_true(crossing.crossed);
    assert_near(crossing.t_s, t, 1e-9);
    assert_near(crossing.x_m[1], level, 1e-9);
    assert_near(crossing.v_m_s[1], root, 1e-7);
    /* y(t) = level: dt = -(dy0 + t dvy) / v; x there moves with it. */
    const double of_t[5] = {0, 0, -1.0 / root, 0, -t / root};
    const double of_x[5] = {0, 1, e[VX].value * of_t[Y0], t, e[VX].value * of_t[VY]};
    const double of_vy[5] = {0, 0, -g_m_s2 * of_t[Y0], 0, 1.0 - g_m_s2 * of_t[VY]};
    assert_near(crossing.t_sd_s / case_propagated(p.fit, of_t), 1.0, 1e-6);
    assert_near(crossing.x_sd_m[0] / case_propagated(p.fit, of_x), 1.0, 1e-6);
    assert_near(crossing.v_sd_m_s[1] / case_propagated(p.fit, of_vy), 1.0, 1e-6);
    assert_true(crossing.x_sd_m[1] == 0.0);
    assert_int_equal(
        arc_predict_crossing(p.experiment, p.fit, (ArcPlane){1, 100.0}, 3.0, &crossing, &err),
        ARC_OK);
    assert_false(crossing.crossed);
    predicted_free(&p);
}

/* A plane that the ball passes exactly at one of the times that the search looks at. */
static void test_flown_crossing_at_a_looked_at_time_is_found(void **state)
{
    (void)state;
    const double values[5] = {0, 0, 2, 1, 6}, limit_s = 60.0;
    double times[LOOKED_AT];
    ArcError err;
    ArcExperiment *experiment = case_experiment(VACUUM);
    const ArcThrow thrown = {&experiment->flight, experiment->release, values};
    ArcArena *arena = arc_arena_create();
    ArcFlown *flown = NULL;
    assert_int_equal(arc_flown_create(thrown, LOOKED_AT, arena, &flown, &err), ARC_OK);
    for (int i = 0; i < LOOKED_AT; i++)
        times[i] = limit_s / 32.0 * i / (LOOKED_AT - 1);
    for (int i = 1; i < LOOKED_AT; i++) {
        assert_true(arc_flown_states(flown, LOOKED_AT, times, false));
        ArcPlane plane = {0, flown->x[2 * i]};
        assert_near(arc_flown_crossing(flown, plane, ARC_SIM_EITHER, limit_s), times[i], 1e-12);
    }
    arc_arena_free(arena);
    arc_experiment_free(experiment);
}

/* Just under the apex the ball is through the plane and back within milliseconds. */
static void test_predict_crossing_just_under_the_apex_is_found(void **state)
{
    (void)state;
    Predicted p = predicted_create(VACUUM_THROW, VACUUM, ARC_DIRECT);
    const ArcEstimate *e = p.fit->parameters;
    double vy = e[VY].value, apex_m = e[Y0].value + vy * vy / (2.0 * g_m_s2);
    for (double below_m = 1e-2; below_m > 1e-9; below_m *= 0.1) {
        ArcCrossing crossing;
        ArcError err;
        double root = sqrt(2.0 * g_m_s2 * below_m);
        assert_int_equal(arc_predict_crossing(p.experiment, p.fit, (ArcPlane){1, apex_m - below_m},
                                              60.0, &crossing, &err),
                         ARC_OK);
        assert_true(crossing.crossed);
        assert_near(crossing.t_s, (vy - root) / g_m_s2, 1e-6);
        assert_true(crossing.v_m_s[1] > 0.0);
        assert_int_equal(arc_predict_crossing(p.experiment, p.fit, (ArcPlane){1, apex_m + below_m},
                                              60.0, &crossing, &err),
                         ARC_OK);
        assert_false(crossing.crossed);
    }
    predicted_free(&p);
}

static void test_predict_sds_are_the_scatter_of_simulated_fits(void **state)
{
    (void)state;
    CaseScatter x = {0}, y = {0}, t = {0}, x_there = {0}, apex = {0}, duration = {0};
    ArcExperiment *experiment = case_experiment(THROW_FIT);
    for (uint64_t seed = 1; seed <= 600; seed++) {
        ArcCapture *capture = case_capture_seed(THROW, 11, 0.8, 0.003, seed);
        ArcFit *fit = case_fit(THROW_FIT, capture, ARC_DIRECT);
        const double t_s = 1.3;
        double x_m[2], x_sd[2];
        const ArcPrediction prediction = {.x_m = x_m, .x_sd_m = x_sd};
        ArcCrossing crossing;
        ArcError err;
        assert_int_equal(arc_predict_state(experiment, fit, 1, &t_s, &prediction, &err), ARC_OK);
        assert_int_equal(
            arc_predict_crossing(experiment, fit, (ArcPlane){1, 1.0}, 5.0, &crossing, &err),
            ARC_OK);
        assert_true(crossing.crossed);
        case_scatter_add(&x, x_m[0], x_sd[0]);
        case_scatter_add(&y, x_m[1], x_sd[1]);
        case_scatter_add(&t, crossing.t_s, crossing.t_sd_s);
        case_scatter_add(&x_there, crossing.x_m[0], crossing.x_sd_m[0]);
        const ArcEstimate *height = case_derived(fit, "apex_height");
        const ArcEstimate *time = case_derived(fit, "flight_time");
        case_scatter_add(&apex, height->value, height->sd);
        case_scatter_add(&duration, time->value, time->sd);
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    arc_experiment_free(experiment);
    case_scatter_check(&x);
    case_scatter_check(&y);
    case_scatter_check(&t);
    case_scatter_check(&x_there);
    case_scatter_check(&apex);
    case_scatter_check(&duration);
}

/* What depends on an unidentified parameter has no sd; what does not keeps its own. */
static void test_predict_sd_of_the_unidentified_is_not_a_number(void **state)
{
    (void)state;
    static const char vertical[] =
        VACUUM "parameters: {x0: {start: 1}, t0: {start: -0.1}, vx0: 0}\n";
    ArcCapture *capture =
        case_capture(VACUUM "parameters: {x0: 0.5, y0: 2, vx0: 0, vy0: 6}\n", 9, 0.8, 0.003);
    ArcExperiment *experiment = case_experiment(vertical);
    ArcFit *fit = case_fit(vertical, capture, ARC_DIRECT);
    /* t0, y0 and vy0 may move together along the flight; x0 may not. */
    assert_int_equal(fit->n_unidentified, 1);
    assert_int_equal(fit->unidentified_size[0], 3);
    assert_true(isnan(case_derived(fit, "release_speed")->sd));
    assert_int_equal(case_derived(fit, "release_speed")->status, ARC_PARAMETER_UNIDENTIFIED);
    assert_true(isfinite(case_derived(fit, "apex_height")->sd));
    assert_true(isnan(case_derived(fit, "apex_time")->sd));
    const double t_s = 0.5;
    double x[2], v[2], x_sd[2], v_sd[2];
    const ArcPrediction prediction = {.x_m = x, .v_m_s = v, .x_sd_m = x_sd, .v_sd_m_s = v_sd};
    ArcError err;
    assert_int_equal(arc_predict_state(experiment, fit, 1, &t_s, &prediction, &err), ARC_OK);
    assert_true(x_sd[0] > 0.0 && x_sd[1] > 0.0 && v_sd[1] > 0.0);
    assert_true(v_sd[0] == 0.0);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

static void test_simulate_flight_time_of_a_vacuum_flight_is_the_closed_form(void **state)
{
    (void)state;
    ArcError err;
    double seconds = 0.0;
    const ArcSimulateSettings plain = arc_simulate_settings_default();
    ArcExperiment *experiment = case_experiment(VACUUM_THROW);
    assert_int_equal(arc_simulate_flight_time(experiment, &plain, &seconds, &err), ARC_OK);
    assert_near(seconds, 2.0 * 6.0 / g_m_s2, 1e-9);
    arc_experiment_free(experiment);
    experiment = case_experiment(VACUUM "parameters: {x0: 0, y0: 2, vx0: 4, vy0: -6}\n");
    assert_int_equal(arc_simulate_flight_time(experiment, &plain, &seconds, &err), ARC_OK);
    assert_true(isnan(seconds));
    arc_experiment_free(experiment);
    experiment = case_experiment(VACUUM);
    assert_int_equal(arc_simulate_flight_time(experiment, &plain, &seconds, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "simulate needs a value for 'x0'"));
    assert_non_null(strstr(err.text, "; likewise for y0, vx0, vy0"));
    arc_experiment_free(experiment);
}

static void test_simulate_capture_refuses_what_it_cannot_fly(void **state)
{
    (void)state;
    ArcError err;
    ArcCapture *capture = NULL;
    const double before = -0.1, inside = 0.1;
    ArcExperiment *experiment = case_experiment(VACUUM_THROW);
    ArcSimulateSettings settings = arc_simulate_settings_default();
    settings.sigma_m = 0.01;
    assert_int_equal(arc_simulate_capture(experiment, 1, &before, settings, &capture, &err),
                     ARC_INPUT);
    assert_int_equal(arc_simulate_capture(experiment, -1, &inside, settings, &capture, &err),
                     ARC_INPUT);
    assert_null(capture);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_derived_numbers_of_a_vacuum_flight_are_the_closed_forms),
        cmocka_unit_test(test_fit_run_falling_ball_has_no_apex),
        cmocka_unit_test(test_predict_state_sds_are_those_of_differences),
        cmocka_unit_test(test_predict_state_inside_the_data_is_the_fits_trajectory),
        cmocka_unit_test(test_predict_state_before_t0_is_refused),
        cmocka_unit_test(test_predict_crossing_of_a_vacuum_flight_is_the_closed_form),
        cmocka_unit_test(test_flown_crossing_at_a_looked_at_time_is_found),
        cmocka_unit_test(test_predict_crossing_just_under_the_apex_is_found),
        cmocka_unit_test(test_predict_sds_are_the_scatter_of_simulated_fits),
        cmocka_unit_test(test_predict_sd_of_the_unidentified_is_not_a_number),
        cmocka_unit_test(test_simulate_flight_time_of_a_vacuum_flight_is_the_closed_form),
        cmocka_unit_test(test_simulate_capture_refuses_what_it_cannot_fly),
    };
    return cmocka_run_group_tests_name("predict", tests, NULL, NULL);
}
