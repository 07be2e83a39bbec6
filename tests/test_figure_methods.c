/* Figures of PINN minus direct and of the physics residual; of several flights, of cameras. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/report.h"
#include "figure_case.h"
#include "view_case.h"

static const char truth[] =
    CASE_HEAD "flight: {drag: lumped}\nparameters: {k: 0.02, x0: 0, y0: 2, vx0: 4, vy0: 5}\n";
/* A PINN that may break its equations, of points of which the last ones are held out. */
static const char loose_model[] =
    "arcfit: 1\ncapture: {file: %s, sigma: 3 mm, hold_out: {after: 0.7 s}}\n"
    "flight: {drag: lumped}\nparameters: {k: {start: 0.02}}\n"
    "fit: {pinn: {physics: 0.05}}\n";
static const char model[] = "arcfit: 1\ncapture: {file: %s, sigma: 3 mm}\n"
                            "flight: {drag: lumped}\nparameters: {k: {start: 0.02}}\n";

static FigureCase loose, plain;

static int make_cases(void **state)
{
    (void)state;
    loose = figure_case_of(truth, 24, 0.9, 0.003, loose_model);
    plain = figure_case_of(truth, 24, 0.9, 0.003, model);
    return 0;
}

static int free_cases(void **state)
{
    (void)state;
    figure_case_free(&loose);
    figure_case_free(&plain);
    return 0;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

static void test_make_difference_is_that_of_the_trajectories(void **state)
{
    (void)state;
    static const char *const names[] = {"difference-x", "difference-y"};
    const ArcFit *pinn = arc_result_fit(loose.result, ARC_PINN);
    const ArcFit *direct = arc_result_fit(loose.result, ARC_DIRECT);
    double largest = 0.0;
    for (int i = 0; i < ARC_TRAJECTORY_POINTS; i++) {
        double off[2];
        for (int axis = 0; axis < 2; axis++) {
            const ArcSeries *line =
                series_of(figure_of(loose.figures, names[axis]), "PINN minus direct");
            assert_int_equal(line->n, ARC_TRAJECTORY_POINTS);
            off[axis] = pinn->position_m[2 * i + axis] - direct->position_m[2 * i + axis];
            assert_near(line->x[i], direct->time_s[i], 0.0);
            assert_near(line->y[i], off[axis], 0.0);
        }
        largest = fmax(largest, hypot(off[0], off[1]));
    }
    assert_near(largest, loose.result->comparison.trajectory_max_m, 1e-15);
    assert_true(largest > 1e-5);
}

/* Bands of both, and between them what methods that agree stay within. */
static void test_make_difference_bands_are_those_of_both_fits(void **state)
{
    (void)state;
    const ArcFigure *figure = figure_of(loose.figures, "difference-y");
    const char *const names[] = {"95 % of the PINN", "95 % of the direct fit"};
    double sd[2], t_s = arc_result_fit(loose.result, ARC_DIRECT)->time_s[50];
    for (int k = 0; k < 2; k++) {
        double all[2];
        const ArcFit *fit = loose.result->fits[k];
        const ArcPrediction prediction = {.x_sd_m = all};
        assert_int_equal(fit->method, k == 0 ? ARC_PINN : ARC_DIRECT);
        assert_int_equal(arc_predict_state(loose.experiment, fit, 1, &t_s, &prediction, NULL),
                         ARC_OK);
        const ArcSeries *band = series_of(figure, names[k]);
        sd[k] = all[1];
        assert_near(band->x[50], t_s, 0.0);
        assert_near(band->high[50], fit->interval_factor * sd[k], 1e-6 * sd[k]);
        assert_near(band->low[50], -band->high[50], 0.0);
    }
    assert_true(sd[0] > 1.01 * sd[1]);
    const ArcSeries *agree = series_of(figure, "methods that agree");
    double bound = 0.05 * sd[1] + 3.0 * sqrt(sd[0] * sd[0] - sd[1] * sd[1]);
    assert_near(agree->y[50], bound, 1e-4 * bound);
    assert_near(agree->y[ARC_TRAJECTORY_POINTS + 1 + 50], -agree->y[50], 0.0);
    assert_true(isnan(agree->y[ARC_TRAJECTORY_POINTS]));
}

static void test_make_difference_caption_says_the_largest(void **state)
{
    (void)state;
    const ArcFigure *figure = figure_of(loose.figures, "difference-y");
    const ArcSeries *line = series_of(figure, "PINN minus direct");
    const ArcSeries *band = series_of(figure, "95 % of the direct fit");
    double factor = arc_result_fit(loose.result, ARC_DIRECT)->interval_factor;
    double largest = 0.0, in_sd = 0.0, said_mm = 0.0, said_sd = 0.0;
    for (int i = 0; i < line->n; i++) {
        largest = fmax(largest, fabs(line->y[i]));
        in_sd = fmax(in_sd, factor * fabs(line->y[i]) / band->high[i]);
    }
    assert_int_equal(sscanf(figure->caption,
                            "The methods are at most %lf mm apart, at most %lf sd of the direct",
                            &said_mm, &said_sd),
                     2);
    assert_near(said_mm, 1e3 * largest, 0.051 * 1e3 * largest);
    assert_near(said_sd, in_sd, 0.051 * in_sd);
}

/* Digits of rounding are not told. */
static void test_make_difference_caption_of_none_says_so(void **state)
{
    (void)state;
    assert_string_equal(
        figure_of(plain.figures, "difference-y")->caption,
        "The methods are less than 0.001 mm apart, less than 0.001 sd of the direct "
        "fit; the bands are their 95 % intervals.");
}

static void test_make_difference_of_one_method_is_none(void **state)
{
    (void)state;
    ArcResult result = *plain.result;
    result.n_fits = 1;
    ArcFigures *figures = case_figures(&result, plain.experiment);
    assert_null(figure_find(figures, "difference-x"));
    assert_non_null(figure_find(figures, "physics"));
    result.fits[0] = plain.result->fits[1];
    arc_figures_free(figures);
    figures = case_figures(&result, plain.experiment);
    assert_null(figure_find(figures, "physics"));
    assert_non_null(figure_find(figures, "flight-side"));
    arc_figures_free(figures);
}

/* The net's accelerations less those of the law, up to the last fitted point; sigma_phys above and
 * below. */
static void test_make_physics_is_the_residual_up_to_the_last_fitted_point(void **state)
{
    (void)state;
    const ArcFit *pinn = arc_result_fit(loose.result, ARC_PINN);
    const ArcFigure *figure = figure_of(loose.figures, "physics");
    const ArcSeries *forward = series_of(figure, "forward"), *height = series_of(figure, "height");
    double residual[2 * ARC_TRAJECTORY_POINTS], last_s = 0.0, k = case_parameter(pinn, "k")->value;
    assert_int_equal(arc_predict_physics(loose.experiment, pinn, residual, NULL), ARC_OK);
    const ArcCapture *capture = loose.result->capture;
    for (int i = 0; i < capture->n_points; i++)
        if (capture->use[i] == ARC_POINT_FIT)
            last_s = capture->time_s[i];
    assert_true(capture->n_held_out > 0);
    assert_true(forward->n < ARC_TRAJECTORY_POINTS - 10);
    assert_true(forward->x[forward->n - 1] <= last_s + 1e-9);
    assert_true(pinn->time_s[forward->n] > last_s);
    for (int i = 0; i < forward->n; i++) {
        const double *v = pinn->velocity_m_s + 2 * i, *a = pinn->acceleration_m_s2 + 2 * i;
        assert_near(forward->y[i], residual[2 * i], 0.0);
        assert_near(height->y[i], residual[2 * i + 1], 0.0);
        double speed = hypot(v[0], v[1]);
        assert_near(forward->y[i], a[0] + k * speed * v[0], 1e-12);
        assert_near(height->y[i], a[1] + 9.80665 + k * speed * v[1], 1e-12);
    }
    const ArcSeries *bounds = series_of(figure, "sigma_phys to either side");
    assert_near(bounds->y[0], 0.05, 1e-15);
    assert_near(bounds->y[4], -0.05, 1e-15);
    assert_int_equal(bounds->role, ARC_ROLE_EXPECTED);
    double rms = 0.0, allowed = 0.0;
    assert_int_equal(sscanf(figure->caption,
                            "By how much the PINN's flight breaks the equations of motion: %lf "
                            "m/s^2 rms, where %lf",
                            &rms, &allowed),
                     2);
    assert_near(rms, pinn->residuals.physics_rms_fine_m_s2, 0.06 * rms);
    assert_near(allowed, 0.05, 1e-12);
}

/* The interval that a search found, if it is none of chance. */
static void test_make_physics_marks_the_breach_that_was_found(void **state)
{
    (void)state;
    ArcResult result = *plain.result;
    ArcFigures *figures = case_figures(&result, plain.experiment);
    assert_null(series_find(figure_of(figures, "physics"), "the flight leaves its equations"));
    assert_non_null(
        strstr(figure_of(figures, "physics")->caption, "its equations found nothing (p = "));
    arc_figures_free(figures);
    result.comparison.physics = (ArcBreach){
        .searched = true, .interval_s = {0.25, 0.375}, .size_m_s2 = 4.5, .p = ARC_BREACH_LEAST_P};
    figures = case_figures(&result, plain.experiment);
    const ArcFigure *figure = figure_of(figures, "physics");
    const ArcSeries *band = series_of(figure, "the flight leaves its equations");
    assert_int_equal(band->mark, ARC_MARK_BAND);
    assert_near(band->x[0], 0.25, 0.0);
    assert_near(band->x[1], 0.375, 0.0);
    assert_true(band->low[0] < -arc_result_fit(&result, ARC_PINN)->residuals.sigma_phys_m_s2);
    assert_non_null(
        strstr(figure->caption,
               "leaves the equations from 0.25 to 0.375 s by 4.5 m/s^2 (p at most 0.0005)"));
    arc_figures_free(figures);
}

/* Three throws in one file, which share a drag: figures of each, by its own points and fits. */
static void test_figures_of_several_flights_are_those_of_each(void **state)
{
    (void)state;
    enum { FLIGHTS = 3, POINTS = 12 };
    char text[1024], name[64], path[64];
    ArcError err;
    ArcExperiment *experiment;
    ArcResult *made = NULL, *read = NULL;
    snprintf(name, sizeof name, "figure-%d-flights.csv", (int)getpid());
    snprintf(path, sizeof path, "figure-%d-flights.h5", (int)getpid());
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fprintf(file, "time_s,x_m,y_m,flight\n");
    for (int f = 0; f < FLIGHTS; f++) {
        ArcCapture *capture = case_capture_seed(truth, POINTS, 0.9, 0.003, (uint64_t)f + 1);
        for (int i = 0; i < POINTS; i++)
            fprintf(file, "%.17g,%.17g,%.17g,%d\n", capture->time_s[i], capture->position_m[2 * i],
                    capture->position_m[2 * i + 1], f + 1);
        arc_capture_free(capture);
    }
    fclose(file);
    snprintf(text, sizeof text, model, name);
    experiment = case_experiment(text);
    if (arc_result_create(experiment, 0, NULL, NULL, &made, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcFigures *figures = case_figures(made, experiment);
    for (int f = 0; f < FLIGHTS; f++) {
        char names[3][32], label[96];
        snprintf(names[0], sizeof names[0], "flight-%d-side", f + 1);
        snprintf(names[1], sizeof names[1], "difference-%d-x", f + 1);
        snprintf(names[2], sizeof names[2], "physics-%d", f + 1);
        const ArcFigure *side = figure_of(figures, names[0]);
        const ArcFit *direct = &arc_result_fit(made, ARC_DIRECT)->flights[f];
        const ArcSeries *points = series_of(side, "camera points");
        assert_int_equal(side->flight, f + 1);
        assert_int_equal(points->n, POINTS);
        snprintf(label, sizeof label, "%s:%d", name, 2 + f * POINTS);
        assert_string_equal(points->labels[0], label);
        assert_near(series_of(side, "direct")->y[60], direct->position_m[121], 0.0);
        assert_non_null(series_find(side, "95 % band"));
        assert_int_equal(series_of(figure_of(figures, names[1]), "PINN minus direct")->n,
                         ARC_TRAJECTORY_POINTS);
        assert_int_equal(series_of(figure_of(figures, names[2]), "height")->n,
                         ARC_TRAJECTORY_POINTS);
    }
    assert_figures_exhaustion(made, experiment);
    /* Read back, they are the same; no failure that there are no nets. */
    assert_int_equal(arc_report_write_hdf5(made, path, &err), ARC_OK);
    if (arc_report_read_hdf5(path, &read, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    if (arc_report_experiment(read, &experiment, NULL, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcFigures *again = case_figures(read, experiment);
    assert_int_equal(again->n_notes, 0);
    const ArcSeries *a = series_of(figure_of(figures, "physics-2"), "height");
    const ArcSeries *b = series_of(figure_of(again, "physics-2"), "height");
    for (int i = 0; i < a->n; i++)
        assert_near(a->y[i], b->y[i], 1e-14);
    a = series_of(figure_of(figures, "flight-3-side"), "95 % band");
    b = series_of(figure_of(again, "flight-3-side"), "95 % band");
    for (int i = 0; i < a->n; i++)
        assert_near(a->low[i], b->low[i], 1e-12);
    arc_figures_free(again);
    arc_figures_free(figures);
    arc_experiment_free(experiment);
    arc_result_free(read);
    arc_result_free(made);
    remove(name);
    remove(path);
}

/* What two cameras saw: points next to the flight, the cameras in space, and a note. */
static void test_make_flight_of_pixels_has_points_and_cameras(void **state)
{
    (void)state;
    static const char text[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {fixed: 0.5}, " CAMERA_THROW "}\n";
    ArcCapture *capture = camera_capture(text, 10, 0.9, 0);
    ArcExperiment *experiment = case_experiment(text);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    const ArcResult result = {.capture = capture, .n_fits = 1, .fits = {fit}};
    ArcFigures *figures = case_figures(&result, experiment);
    const ArcFigure *space = figure_of(figures, "flight-space");
    const ArcSeries *points = series_of(space, "camera points"),
                    *cameras = series_of(space, "cameras");
    assert_int_equal(points->n, 20);
    for (int i = 0; i < points->n; i++) {
        assert_true(fabs(points->x[i] - fit->predicted_m[3 * i]) < 0.02);
        assert_true(fabs(points->z[i] - fit->predicted_m[3 * i + 2]) < 0.02);
    }
    assert_int_equal(cameras->n, 2);
    assert_string_equal(cameras->labels[0], "left");
    /* It stands 8 m to the right of the throw's middle. */
    assert_near(cameras->y[0], -8.0, 0.5);
    assert_int_equal(figures->n_notes, 1);
    assert_non_null(strstr(figures->notes[0], "lines of sight pass next to the flight"));
    arc_figures_free(figures);
    figures = case_figures(&result, NULL);
    assert_null(series_find(figure_of(figures, "flight-space"), "camera points"));
    assert_int_equal(figures->n_notes, 1);
    assert_non_null(strstr(figures->notes[0], "The points of cameras are not drawn"));
    arc_figures_free(figures);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make_difference_is_that_of_the_trajectories),
        cmocka_unit_test(test_make_difference_bands_are_those_of_both_fits),
        cmocka_unit_test(test_make_difference_caption_says_the_largest),
        cmocka_unit_test(test_make_difference_caption_of_none_says_so),
        cmocka_unit_test(test_make_difference_of_one_method_is_none),
        cmocka_unit_test(test_make_physics_is_the_residual_up_to_the_last_fitted_point),
        cmocka_unit_test(test_make_physics_marks_the_breach_that_was_found),
        cmocka_unit_test(test_figures_of_several_flights_are_those_of_each),
        cmocka_unit_test(test_make_flight_of_pixels_has_points_and_cameras),
    };
    return cmocka_run_group_tests(tests, make_cases, free_cases);
}
