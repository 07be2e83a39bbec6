/* Figures of residuals: numbers against chi2, outliers by their lines, quantiles in closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "figure_case.h"
#include "view_case.h"

static const char truth[] =
    CASE_HEAD "flight: {drag: lumped}\nparameters: {k: 0.02, x0: 0, y0: 2, vx0: 4, vy0: 5}\n";
static const char model[] = "arcfit: 1\ncapture: {file: %s, sigma: 3 mm, hold_out: {every: 4}}\n"
                            "flight: {drag: lumped}\nparameters: {k: {start: 0.02}}\n";
static const char estimated[] = "arcfit: 1\ncapture: {file: %s, sigma: estimate}\n"
                                "flight: {drag: lumped}\nparameters: {k: {start: 0.02}}\n";

static FigureCase plain;

static int make_cases(void **state)
{
    (void)state;
    plain = figure_case_of(truth, 24, 0.9, 0.003, model);
    return 0;
}

static int free_cases(void **state)
{
    (void)state;
    figure_case_free(&plain);
    return 0;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

/* The squares of a series of all residual figures but the quantiles. */
static double squares(const ArcFigures *figures, const char *const names[2], int *n)
{
    double sum = 0.0;
    *n = 0;
    for (int i = 0; i < figures->n; i++) {
        const ArcFigure *figure = &figures->figures[i];
        if (strncmp(figure->name, "residuals-", 10) != 0 || strstr(figure->name, "quantiles"))
            continue;
        for (int k = 0; k < 2; k++) {
            const ArcSeries *series = names[k] == NULL ? NULL : series_find(figure, names[k]);
            for (int j = 0; series != NULL && j < series->n; j++)
                sum += series->y[j] * series->y[j];
            *n += series == NULL ? 0 : series->n;
        }
    }
    return sum;
}

static void test_make_residuals_squares_are_chi2_of_both_fits(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const ArcFit *fit = plain.result->fits[k];
        const char *const names[2] = {fit->method == ARC_PINN ? "PINN" : "direct", NULL};
        int n;
        assert_near(squares(plain.figures, names, &n), fit->residuals.chi2, 1e-9);
        assert_int_equal(n, fit->residuals.observations);
        assert_int_equal(n, 36);
    }
}

static void test_make_residuals_held_out_points_are_their_own_series(void **state)
{
    (void)state;
    const ArcFit *direct = arc_result_fit(plain.result, ARC_DIRECT);
    int n;
    double sum = squares(plain.figures, (const char *const[2]){"held out", NULL}, &n);
    assert_int_equal(n, 12);
    assert_near(0.003 * sqrt(sum / n), direct->residuals.held_out_rms_m, 1e-12);
    assert_null(series_find(figure_of(plain.figures, "residuals-x"), "outliers"));
    assert_non_null(strstr(figure_of(plain.figures, "residuals-x")->caption, "Held out: 6, rms"));
}

static void test_make_residuals_estimated_sigma_counts(void **state)
{
    (void)state;
    FigureCase one = figure_case_of(truth, 24, 0.9, 0.003, estimated);
    const ArcFit *direct = arc_result_fit(one.result, ARC_DIRECT);
    int n;
    assert_true(fabs(direct->spread.sigma_factor - 1.0) > 1e-3);
    double sum = squares(one.figures, (const char *const[2]){"direct", NULL}, &n);
    assert_near(sum, direct->residuals.chi2, 1e-9 * sum);
    assert_true(sum < n && sum > 0.5 * n);
    assert_non_null(strstr(figure_of(one.figures, "residuals-quantiles")->caption,
                           "sigma was found from this scatter"));
    figure_case_free(&one);
}

/* A point 60 mm off, in line 9 of its file. */
static void test_make_residuals_outlier_is_named_by_its_line(void **state)
{
    (void)state;
    char text[1024], expected[80];
    ArcError err;
    ArcResult *result = NULL;
    ArcCapture *made = case_capture(truth, 24, 0.9, 0.003);
    double moved[48];
    memcpy(moved, made->position_m, sizeof moved);
    moved[2 * 7 + 1] += 0.06;
    ArcCapture given = *made, *capture = NULL;
    given.position_m = moved;
    assert_int_equal(arc_capture_create(&given, &capture, &err), ARC_OK);
    char path[64];
    snprintf(path, sizeof path, "figure-%d-outlier.csv", (int)getpid());
    assert_int_equal(arc_capture_write(capture, NULL, path, &err), ARC_OK);
    snprintf(text, sizeof text,
             "arcfit: 1\ncapture: {file: %s, sigma: 3 mm}\nflight: {drag: lumped}\n"
             "parameters: {k: {start: 0.02}}\n",
             path);
    ArcExperiment *experiment = case_experiment(text);
    if (arc_result_create(experiment, 0, NULL, NULL, &result, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcFigures *figures = case_figures(result, experiment);
    const ArcFigure *figure = figure_of(figures, "residuals-y");
    const ArcSeries *series = series_of(figure, "outliers");
    snprintf(expected, sizeof expected, "%s:9", path);
    assert_int_equal(series->role, ARC_ROLE_OUTLIER);
    assert_int_equal(series->n, 1);
    assert_string_equal(series->labels[0], expected);
    assert_true(series->y[0] > 12.0);
    assert_non_null(strstr(figure->caption, expected));
    assert_null(series_find(figure_of(figures, "residuals-x"), "outliers"));
    series = series_of(figure_of(figures, "residuals-quantiles"), "outliers");
    assert_string_equal(series->labels[0], expected);
    assert_non_null(
        strstr(figure_of(figures, "residuals-quantiles")->caption, "more than the stated sigma"));
    arc_figures_free(figures);
    arc_result_free(result);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
    arc_capture_free(made);
    remove(path);
}

/* Of both cameras u and v apart, with and without the numbers that a file does not have. */
static void test_make_residuals_of_cameras_are_a_figure_each(void **state)
{
    (void)state;
    static const char text[] =
        CAMERA_TWO CAMERA_BALL "parameters: {cd: {fixed: 0.5}, " CAMERA_THROW "}\n";
    ArcCapture *capture = camera_capture(text, 10, 0.9, 0);
    ArcExperiment *experiment = case_experiment(text);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT), copy;
    const double *seen = fit->predicted_px;
    for (int is_blind = 0; is_blind < 2; is_blind++) {
        copy = *fit;
        copy.predicted_px = is_blind ? NULL : seen;
        const ArcResult result = {.capture = capture, .n_fits = 1, .fits = {&copy}};
        ArcFigures *figures = case_figures(&result, experiment);
        int n;
        double sum = squares(figures, (const char *const[2]){"u", "v"}, &n);
        assert_int_equal(n, 40);
        assert_near(sum, fit->residuals.chi2, 1e-6 * (1.0 + sum));
        assert_int_equal(series_of(figure_of(figures, "residuals-camera-2"), "u")->n, 10);
        assert_non_null(strstr(figure_of(figures, "residuals-camera-1")->title, "left"));
        assert_null(figure_find(figures, "residuals-x"));
        arc_figures_free(figures);
    }
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_capture_free(capture);
}

/* Quantiles at (i - 1/2) / n; of the least of n the band is 1 - (1 - p)^(1 / n). */
static void test_make_quantile_band_of_the_least_is_closed(void **state)
{
    (void)state;
    const ArcFigure *figure = figure_of(plain.figures, "residuals-quantiles");
    const ArcFit *direct = arc_result_fit(plain.result, ARC_DIRECT);
    const ArcSeries *band = series_of(figure, "95 % of each order");
    const ArcSeries *points = series_of(figure, "residuals");
    int n = direct->residuals.observations;
    double s = sqrt((double)direct->residuals.dof / (direct->residuals.dof + direct->n_free));
    assert_int_equal(band->n, n);
    assert_int_equal(points->n, n);
    const double shares[2] = {0.025, 0.975};
    for (int k = 0; k < 2; k++) {
        double edge = (k == 0 ? band->low : band->high)[0] / s;
        double below = 0.5 * erfc(-edge / M_SQRT2);
        assert_near(below, 1.0 - pow(1.0 - shares[k], 1.0 / n), 1e-12);
    }
    for (int i = 0; i < n; i++) {
        assert_near(0.5 * erfc(-points->x[i] / s / M_SQRT2), (i + 0.5) / n, 1e-12);
        assert_near(band->low[i], -band->high[n - 1 - i], 1e-9);
        assert_true(i == 0 || points->y[i] >= points->y[i - 1]);
    }
    assert_non_null(strstr(figure->caption, "as stated, within chance"));
}

static void test_make_quantile_of_student_t_takes_its_quantiles(void **state)
{
    (void)state;
    ArcResult result = *plain.result;
    ArcFit fit = *arc_result_fit(&result, ARC_DIRECT);
    fit.spread.loss = (ArcLoss){.kind = ARC_LOSS_STUDENT_T, .dof = 1.0};
    result.n_fits = 1;
    result.fits[0] = &fit;
    ArcFigures *figures = case_figures(&result, plain.experiment);
    const ArcFigure *figure = figure_of(figures, "residuals-quantiles");
    const ArcSeries *points = series_of(figure, "residuals");
    double s = sqrt((double)fit.residuals.dof / (fit.residuals.dof + fit.n_free));
    assert_string_equal(figure->x.label, "quantiles of Student's t");
    /* One degree of freedom is Cauchy's distribution. */
    for (int i = 0; i < points->n; i++)
        assert_near(0.5 + atan(points->x[i] / s) / M_PI, (i + 0.5) / points->n, 1e-11);
    arc_figures_free(figures);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make_residuals_squares_are_chi2_of_both_fits),
        cmocka_unit_test(test_make_residuals_held_out_points_are_their_own_series),
        cmocka_unit_test(test_make_residuals_estimated_sigma_counts),
        cmocka_unit_test(test_make_residuals_outlier_is_named_by_its_line),
        cmocka_unit_test(test_make_residuals_of_cameras_are_a_figure_each),
        cmocka_unit_test(test_make_quantile_band_of_the_least_is_closed),
        cmocka_unit_test(test_make_quantile_of_student_t_takes_its_quantiles),
    };
    return cmocka_run_group_tests(tests, make_cases, free_cases);
}
