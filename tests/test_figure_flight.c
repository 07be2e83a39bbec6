/* Figures of a flight: points and lines against the result, bands against predictions, places. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "figure_case.h"

/* A throw of which every fourth point is held out; targets of every kind. */
static const char plane_truth[] =
    CASE_HEAD "flight: {drag: lumped}\nparameters: {k: 0.02, x0: 0, y0: 2, vx0: 4, vy0: 5}\n";
static const char plane_model[] =
    "arcfit: 1\ncapture: {file: %s, sigma: 3 mm, hold_out: {every: 4}}\n"
    "flight: {drag: lumped}\nparameters: {k: {start: 0.02}}\n"
    "derived: {wall: {plane: x=3 m}, hoop: {rim: {centre: [3.5 m, 2.4 m], radius: 23 cm}},"
    " tip: {point: [2 m, 3 m]}}\n";
/* In space with y up, thrown along z and to the side. */
static const char space_truth[] =
    CASE_HEAD "flight: {dimensions: 3, up: y}\n"
              "parameters: {x0: 1, y0: 2, z0: 0, vx0: 0.2, vy0: 4, vz0: 7}\n";
static const char space_model[] =
    "arcfit: 1\ncapture: {file: %s, sigma: 4 mm}\nflight: {dimensions: 3, up: y}\n";
/* Onto a floor. */
static const char bounce_truth[] =
    CASE_HEAD "flight: {ball: basketball, bounce: {plane: y=12 cm}}\n"
              "parameters: {x0: 0, y0: 1.5, vx0: 2, vy0: 1, restitution: 0.8}\n";
static const char bounce_model[] = "arcfit: 1\ncapture: {file: %s, sigma: 3 mm}\n"
                                   "flight: {ball: basketball, bounce: {plane: y=12 cm}}\n";

static FigureCase plane, space, bounce;

static int make_cases(void **state)
{
    (void)state;
    plane = figure_case_of(plane_truth, 24, 0.9, 0.003, plane_model);
    space = figure_case_of(space_truth, 20, 0.8, 0.004, space_model);
    bounce = figure_case_of(bounce_truth, 40, 1.2, 0.003, bounce_model);
    return 0;
}

static int free_cases(void **state)
{
    (void)state;
    figure_case_free(&plane);
    figure_case_free(&space);
    figure_case_free(&bounce);
    return 0;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

static void test_make_flight_in_the_plane_has_side_and_times(void **state)
{
    (void)state;
    const ArcFigure *side = figure_of(plane.figures, "flight-side");
    assert_true(side->is_equal && !side->is_space);
    assert_string_equal(side->x.label, "forward");
    assert_string_equal(side->y.label, "height");
    assert_non_null(figure_find(plane.figures, "flight-x"));
    assert_non_null(figure_find(plane.figures, "flight-y"));
    assert_null(figure_find(plane.figures, "flight-z"));
    assert_null(figure_find(plane.figures, "flight-top"));
    assert_null(figure_find(plane.figures, "flight-space"));
    assert_non_null(strstr(side->caption, "18 fitted points, 6 held out"));
}

static void test_make_flight_lines_are_those_of_the_fits(void **state)
{
    (void)state;
    const ArcFigure *side = figure_of(plane.figures, "flight-side");
    for (int k = 0; k < 2; k++) {
        const ArcFit *fit = plane.result->fits[k];
        const ArcSeries *line = series_of(side, fit->method == ARC_PINN ? "PINN" : "direct");
        assert_int_equal(line->mark, ARC_MARK_LINE);
        assert_int_equal(line->n, ARC_TRAJECTORY_POINTS);
        for (int i = 0; i < line->n; i++) {
            assert_near(line->x[i], fit->position_m[2 * i], 0.0);
            assert_near(line->y[i], fit->position_m[2 * i + 1], 0.0);
        }
    }
}

static void test_make_flight_points_are_those_of_the_capture(void **state)
{
    (void)state;
    const ArcCapture *capture = plane.result->capture;
    const ArcFigure *side = figure_of(plane.figures, "flight-side");
    const ArcSeries *fitted = series_of(side, "camera points"), *held = series_of(side, "held out");
    int n[2] = {0, 0};
    for (int i = 0; i < capture->n_points; i++) {
        bool is_held = capture->use[i] == ARC_POINT_HELD_OUT;
        const ArcSeries *series = is_held ? held : fitted;
        char label[96];
        snprintf(label, sizeof label, "%s:%d", plane.file, capture->line[i]);
        int at = n[is_held]++;
        assert_true(at < series->n);
        assert_near(series->x[at], capture->position_m[2 * i], 0.0);
        assert_near(series->y[at], capture->position_m[2 * i + 1], 0.0);
        assert_string_equal(series->labels[at], label);
    }
    assert_int_equal(fitted->n, n[0]);
    assert_int_equal(held->n, n[1]);
    assert_int_equal(n[1], 6);
}

static void test_make_flight_outlier_is_a_series_of_its_own(void **state)
{
    (void)state;
    ArcResult result = *plane.result;
    ArcFit fits[2];
    const ArcOutlier outlier = {.point = 2, .line = 3, .axis = 1, .camera = -1};
    for (int k = 0; k < 2; k++) {
        fits[k] = *plane.result->fits[k];
        fits[k].spread.n_outliers = 1;
        fits[k].spread.outliers = &outlier;
        result.fits[k] = &fits[k];
    }
    ArcFigures *figures = case_figures(&result, plane.experiment);
    const ArcFigure *side = figure_of(figures, "flight-side");
    assert_int_equal(series_of(side, "outliers")->n, 1);
    assert_near(series_of(side, "outliers")->y[0], result.capture->position_m[5], 0.0);
    assert_int_equal(series_of(side, "outliers")->role, ARC_ROLE_OUTLIER);
    assert_int_equal(series_of(side, "camera points")->n, 17);
    assert_non_null(strstr(side->caption, "18 fitted points, 6 held out, 1 outlier."));
    arc_figures_free(figures);
}

/* Band against time: position +- factor sd of arc_predict_state, by Student's t where the fit has
 * it. */
static void assert_band_in_time(const FigureCase *one, const ArcFit *fit, const ArcFigure *figure,
                                int axis)
{
    ArcError err;
    double x[3], sd[3], t_s = fit->time_s[37];
    const ArcPrediction prediction = {.x_m = x, .x_sd_m = sd};
    assert_int_equal(arc_predict_state(one->experiment, fit, 1, &t_s, &prediction, &err), ARC_OK);
    const ArcSeries *band = series_of(figure, "95 % band");
    assert_int_equal(band->mark, ARC_MARK_BAND);
    int at = 0;
    while (band->x[at] < t_s)
        at++;
    assert_near(band->x[at], t_s, 0.0);
    assert_true(sd[axis] > 0.0);
    /* Flown to this time alone it takes other steps. */
    assert_near(0.5 * (band->low[at] + band->high[at]), x[axis], 1e-8);
    assert_near(0.5 * (band->high[at] - band->low[at]), fit->interval_factor * sd[axis],
                1e-6 * sd[axis]);
}

static void test_make_flight_band_in_time_is_that_of_the_prediction(void **state)
{
    (void)state;
    static const char *const names[] = {"flight-x", "flight-y", "flight-z"};
    const ArcFit *fit = arc_result_fit(plane.result, ARC_DIRECT);
    assert_near(fit->interval_factor, 1.96, 1e-9);
    for (int axis = 0; axis < 2; axis++)
        assert_band_in_time(&plane, fit, figure_of(plane.figures, names[axis]), axis);
    const ArcFit *fit3 = arc_result_fit(space.result, ARC_DIRECT);
    for (int axis = 0; axis < 3; axis++)
        assert_band_in_time(&space, fit3, figure_of(space.figures, names[axis]), axis);
    const ArcFit *bounced = arc_result_fit(bounce.result, ARC_DIRECT);
    for (int axis = 0; axis < 2; axis++)
        assert_band_in_time(&bounce, bounced, figure_of(bounce.figures, names[axis]), axis);
}

static void test_make_flight_band_takes_the_fits_own_factor(void **state)
{
    (void)state;
    ArcResult result = *plane.result;
    ArcFit direct = *arc_result_fit(plane.result, ARC_DIRECT);
    direct.interval_factor = 2.5;
    result.n_fits = 1;
    result.fits[0] = &direct;
    ArcFigures *figures = case_figures(&result, plane.experiment);
    assert_band_in_time(&plane, &direct, figure_of(figures, "flight-x"), 0);
    assert_null(series_find(figure_of(figures, "flight-side"), "PINN"));
    arc_figures_free(figures);
}

/* From the side the half width is that of the height where the flight passes x: an independent way
 * is the sd of y at the crossing of the plane x. */
static void test_make_flight_band_from_the_side_is_that_of_a_crossing(void **state)
{
    (void)state;
    ArcError err;
    const ArcFit *fit = arc_result_fit(plane.result, ARC_DIRECT);
    const ArcSeries *band = series_of(figure_of(plane.figures, "flight-side"), "95 % band");
    assert_int_equal(band->mark, ARC_MARK_BAND);
    for (int i = 20; i < band->n; i += 20) {
        ArcCrossing crossing;
        const ArcPlane here = {0, band->x[i]};
        assert_int_equal(arc_predict_crossing(plane.experiment, fit, here, 5.0, &crossing, &err),
                         ARC_OK);
        assert_true(crossing.crossed);
        double half = 1.96 * crossing.x_sd_m[1];
        assert_near(band->high[i] - band->low[i], 2.0 * half, 1e-4 * half);
        assert_near(0.5 * (band->high[i] + band->low[i]), crossing.x_m[1], 1e-7);
    }
}

static void test_make_flight_release_and_apex_are_places_of_the_flight(void **state)
{
    (void)state;
    const ArcFit *fit = arc_result_fit(plane.result, ARC_DIRECT);
    const ArcFigure *side = figure_of(plane.figures, "flight-side");
    const ArcSeries *release = series_of(side, "release"), *apex = series_of(side, "apex");
    assert_int_equal(release->n, 1);
    assert_near(release->x[0], fit->position_m[0], 0.0);
    assert_near(release->y[0], fit->position_m[1], 0.0);
    assert_near(apex->y[0], case_derived(fit, "apex_height")->value, 1e-7);
    const ArcSeries *in_time = series_of(figure_of(plane.figures, "flight-y"), "apex");
    double t0_s = case_parameter(fit, "t0")->value;
    assert_near(in_time->x[0], t0_s + case_derived(fit, "apex_time")->value, 1e-12);
}

static void test_make_flight_targets_are_drawn_where_they_are(void **state)
{
    (void)state;
    const ArcFigure *side = figure_of(plane.figures, "flight-side");
    const ArcSeries *wall = series_of(side, "wall"), *hoop = series_of(side, "hoop");
    const ArcSeries *tip = series_of(side, "tip");
    assert_near(wall->x[0], 3.0, 0.0);
    assert_near(wall->x[1], 3.0, 0.0);
    assert_true(wall->y[0] < 2.0 && wall->y[1] > 3.0);
    assert_int_equal(hoop->n, 2);
    assert_near(fabs(hoop->x[0] - hoop->x[1]), 0.46, 1e-12);
    assert_near(hoop->y[0], 2.4, 0.0);
    assert_int_equal(tip->mark, ARC_MARK_POINTS);
    assert_near(tip->x[0], 2.0, 0.0);
    assert_near(tip->y[0], 3.0, 0.0);
    assert_int_equal(tip->role, ARC_ROLE_TARGET);
    assert_non_null(series_find(figure_of(plane.figures, "flight-x"), "wall"));
    assert_null(series_find(figure_of(plane.figures, "flight-y"), "wall"));
}

/* The last of the targets is met after the last point: the flight goes on to there. */
static void test_make_flight_goes_on_to_the_last_target(void **state)
{
    (void)state;
    const ArcFit *fit = arc_result_fit(plane.result, ARC_DIRECT);
    const ArcSeries *ahead = series_of(figure_of(plane.figures, "flight-side"), "on to the target");
    double hoop_s = case_derived(fit, "hoop_time")->value;
    assert_true(case_parameter(fit, "t0")->value + hoop_s > fit->time_s[fit->n_trajectory - 1]);
    assert_near(ahead->x[0], fit->position_m[2 * (fit->n_trajectory - 1)], 1e-8);
    assert_near(ahead->x[ahead->n - 1], case_derived(fit, "hoop_x")->value, 1e-8);
    assert_near(ahead->y[ahead->n - 1], 2.4, 1e-8);
    assert_null(series_find(figure_of(space.figures, "flight-side"), "on to the target"));
}

/* With y up a view from above has z to the right and x upwards; the flight goes along z. */
static void test_make_flight_in_space_with_y_up_keeps_its_hand(void **state)
{
    (void)state;
    const ArcFit *fit = arc_result_fit(space.result, ARC_DIRECT);
    const ArcFigure *top = figure_of(space.figures, "flight-top");
    const ArcFigure *front = figure_of(space.figures, "flight-front");
    const ArcFigure *side = figure_of(space.figures, "flight-side");
    const ArcFigure *whole = figure_of(space.figures, "flight-space");
    assert_true(whole->is_space);
    assert_string_equal(whole->x.label, "forward");
    assert_string_equal(whole->y.label, "sideways");
    assert_string_equal(whole->z.label, "height");
    int last = fit->n_trajectory - 1;
    const double *x = fit->position_m + 3 * last;
    assert_near(series_of(whole, "direct")->x[last], x[2], 0.0);
    assert_near(series_of(whole, "direct")->y[last], x[0], 0.0);
    assert_near(series_of(whole, "direct")->z[last], x[1], 0.0);
    assert_near(series_of(top, "direct")->x[last], x[2], 0.0);
    assert_near(series_of(top, "direct")->y[last], x[0], 0.0);
    assert_near(series_of(side, "direct")->x[last], x[2], 0.0);
    assert_near(series_of(side, "direct")->y[last], x[1], 0.0);
    assert_near(series_of(front, "direct")->x[last], x[0], 0.0);
    /* y x x is -z, against the flight. */
    assert_string_equal(front->title, "The flight from the front");
    assert_int_equal(series_of(whole, "camera points")->n, 20);
    assert_non_null(series_of(whole, "camera points")->z);
    assert_non_null(strstr(side->caption, "20 fitted points."));
    assert_false(top->is_equal);
    assert_non_null(strstr(top->caption, "A metre is not as long along all axes."));
}

/* In space where the path climbs and falls again over one place, the band is an outline: closed,
 * and by n' C n away from the path. */
static void test_make_flight_band_of_a_steep_path_is_an_outline(void **state)
{
    (void)state;
    ArcError err;
    const ArcFit *fit = arc_result_fit(space.result, ARC_DIRECT);
    const ArcSeries *outline = series_of(figure_of(space.figures, "flight-front"), "95 % band");
    int n = fit->n_trajectory, at = 30;
    assert_int_equal(outline->mark, ARC_MARK_LINE);
    assert_int_equal(outline->role, ARC_ROLE_EXPECTED);
    assert_int_equal(outline->n, 2 * n + 1);
    assert_near(outline->x[2 * n], outline->x[0], 0.0);
    double C[9], v_a = fit->velocity_m_s[3 * at], v_b = fit->velocity_m_s[3 * at + 1];
    const ArcPrediction prediction = {.x_covariance_m2 = C};
    if (arc_predict_state(space.experiment, fit, 1, &fit->time_s[at], &prediction, &err) != ARC_OK)
        fail_msg("%s", err.text);
    double across = sqrt(v_b * v_b * C[0] - 2.0 * v_a * v_b * C[1] + v_a * v_a * C[4]);
    double half = 1.96 * across / hypot(v_a, v_b);
    int other = 2 * n - 1 - at;
    assert_near(hypot(outline->x[at] - outline->x[other], outline->y[at] - outline->y[other]),
                2.0 * half, 1e-6 * half);
    assert_near(0.5 * (outline->x[at] + outline->x[other]), fit->position_m[3 * at], 1e-12);
    assert_near(0.5 * (outline->y[at] + outline->y[other]), fit->position_m[3 * at + 1], 1e-12);
}

static void test_make_flight_bounce_is_on_its_plane(void **state)
{
    (void)state;
    const ArcFigure *side = figure_of(bounce.figures, "flight-side");
    const ArcSeries *bounces = series_of(side, "bounces"), *line = series_of(side, "direct");
    assert_int_equal(bounces->n, 1);
    assert_near(bounces->y[0], 0.12, 1e-9);
    assert_int_equal(line->n, ARC_TRAJECTORY_POINTS + 1);
    double lowest = INFINITY;
    for (int i = 0; i < line->n; i++)
        lowest = fmin(lowest, line->y[i]);
    assert_near(lowest, 0.12, 1e-9);
    ArcCrossing crossing;
    ArcError err;
    assert_int_equal(arc_predict_crossing(bounce.experiment,
                                          arc_result_fit(bounce.result, ARC_DIRECT),
                                          (ArcPlane){1, 0.12}, 5.0, &crossing, &err),
                     ARC_OK);
    const ArcSeries *in_time = series_of(figure_of(bounce.figures, "flight-y"), "bounces");
    assert_near(in_time->x[0], crossing.t_s, 1e-8);
    const ArcSeries *floor = series_of(side, "plane of the bounces");
    assert_near(floor->y[0], 0.12, 0.0);
    assert_near(floor->y[1], 0.12, 0.0);
}

static void test_make_flight_without_experiment_has_no_bands(void **state)
{
    (void)state;
    ArcFigures *figures = case_figures(plane.result, NULL);
    const ArcFigure *side = figure_of(figures, "flight-side");
    assert_null(series_find(side, "95 % band"));
    assert_null(series_find(side, "wall"));
    assert_int_equal(series_of(side, "camera points")->n, 18);
    assert_null(figure_find(figures, "physics"));
    arc_figures_free(figures);
}

/* A flight that goes too far to be followed: a note, and the rest is drawn. */
static void test_make_flight_that_cannot_be_followed_leaves_a_note(void **state)
{
    (void)state;
    ArcResult result = *plane.result;
    ArcFit direct = *arc_result_fit(plane.result, ARC_DIRECT);
    ArcEstimate parameters[32];
    memcpy(parameters, direct.parameters, sizeof *parameters * (size_t)direct.n_parameters);
    for (int i = 0; i < direct.n_parameters; i++)
        if (strcmp(parameters[i].name, "vx0") == 0)
            parameters[i].value = 1e300;
    direct.parameters = parameters;
    result.n_fits = 1;
    result.fits[0] = &direct;
    ArcFigures *figures = case_figures(&result, plane.experiment);
    assert_null(series_find(figure_of(figures, "flight-side"), "95 % band"));
    assert_int_equal(series_of(figure_of(figures, "flight-side"), "direct")->n,
                     ARC_TRAJECTORY_POINTS);
    bool is_said = false;
    for (int i = 0; i < figures->n_notes; i++)
        is_said =
            is_said || strncmp(figures->notes[i], "The direct fit has no 95 % band: ", 33) == 0;
    assert_true(is_said);
    arc_figures_free(figures);
}

static void test_figures_of_result_exhaustion_gives_memory(void **state)
{
    (void)state;
    assert_figures_exhaustion(plane.result, plane.experiment);
    assert_figures_exhaustion(space.result, space.experiment);
    assert_figures_exhaustion(bounce.result, bounce.experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make_flight_in_the_plane_has_side_and_times),
        cmocka_unit_test(test_make_flight_lines_are_those_of_the_fits),
        cmocka_unit_test(test_make_flight_points_are_those_of_the_capture),
        cmocka_unit_test(test_make_flight_outlier_is_a_series_of_its_own),
        cmocka_unit_test(test_make_flight_band_in_time_is_that_of_the_prediction),
        cmocka_unit_test(test_make_flight_band_takes_the_fits_own_factor),
        cmocka_unit_test(test_make_flight_band_from_the_side_is_that_of_a_crossing),
        cmocka_unit_test(test_make_flight_release_and_apex_are_places_of_the_flight),
        cmocka_unit_test(test_make_flight_targets_are_drawn_where_they_are),
        cmocka_unit_test(test_make_flight_goes_on_to_the_last_target),
        cmocka_unit_test(test_make_flight_in_space_with_y_up_keeps_its_hand),
        cmocka_unit_test(test_make_flight_band_of_a_steep_path_is_an_outline),
        cmocka_unit_test(test_make_flight_bounce_is_on_its_plane),
        cmocka_unit_test(test_make_flight_without_experiment_has_no_bands),
        cmocka_unit_test(test_make_flight_that_cannot_be_followed_leaves_a_note),
        cmocka_unit_test(test_figures_of_result_exhaustion_gives_memory),
    };
    return cmocka_run_group_tests(tests, make_cases, free_cases);
}
