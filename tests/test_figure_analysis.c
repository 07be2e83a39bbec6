/* Figures of parameters, training, uncertainty, several flights and several results: numbers
 * against those of the result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "drawn_exhaust.h"
#include "figure_case.h"

static const char truth[] =
    CASE_HEAD "flight: {drag: lumped}\nparameters: {k: 0.05, x0: 0, y0: 2, vx0: 4, vy0: 5}\n";
static const char model[] = "arcfit: 1\ncapture: {file: %s, sigma: 3 mm}\nflight: {drag: lumped}\n"
                            "parameters: {k: {start: 0.02, prior: {mean: 0.05, sd: 0.01}}}\n";
static const char deep[] = "arcfit: 1\ncapture: {file: %s, sigma: 3 mm}\nflight: {drag: lumped}\n"
                           "parameters: {k: {start: 0.02}}\n"
                           "fit: {methods: [direct], profile: [k], bootstrap: 12, sample: 2100}\n";

static FigureCase plain, explored;

static int make_cases(void **state)
{
    (void)state;
    plain = figure_case_of(truth, 20, 0.9, 0.003, model);
    explored = figure_case_of(truth, 20, 0.9, 0.003, deep);
    return 0;
}

static int free_cases(void **state)
{
    (void)state;
    figure_case_free(&plain);
    figure_case_free(&explored);
    return 0;
}

static void assert_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

static void test_make_parameters_intervals_are_in_sd_of_the_direct_fit(void **state)
{
    (void)state;
    const ArcFigure *figure = figure_of(plain.figures, "parameters");
    const ArcFit *pinn = arc_result_fit(plain.result, ARC_PINN);
    const ArcFit *direct = arc_result_fit(plain.result, ARC_DIRECT);
    const ArcSeries *of[2] = {series_of(figure, "PINN"), series_of(figure, "direct")};
    const ArcFit *fits[2] = {pinn, direct};
    assert_int_equal(figure->y.n_names, direct->n_free);
    for (int m = 0; m < 2; m++) {
        int n = 0;
        assert_true(of[m]->is_level);
        for (int i = 0; i < direct->n_parameters; i++) {
            const ArcEstimate *e = &direct->parameters[i], *own = &fits[m]->parameters[i];
            if (e->free_index < 0)
                continue;
            assert_string_equal(figure->y.names[n], e->name);
            assert_near(of[m]->x[n], (own->value - e->value) / e->sd, 1e-12);
            assert_near(of[m]->low[n], (own->ci95[0] - e->value) / e->sd, 1e-12);
            assert_near(of[m]->high[n], (own->ci95[1] - e->value) / e->sd, 1e-12);
            n++;
        }
        assert_int_equal(of[m]->n, n);
    }
    const ArcSeries *prior = series_of(figure, "prior");
    const ArcEstimate *k = &direct->parameters[0];
    assert_string_equal(k->name, "k");
    assert_int_equal(prior->n, 1);
    assert_near(prior->x[0], (0.05 - k->value) / k->sd, 1e-12);
    assert_near(prior->high[0] - prior->low[0], fmin(2 * 1.96 * 0.01 / k->sd, 20.0), 1e-3);
}

static void test_make_parameters_correlation_is_symmetric_with_ones(void **state)
{
    (void)state;
    const ArcFigure *figure = figure_of(plain.figures, "correlation");
    const ArcFit *direct = arc_result_fit(plain.result, ARC_DIRECT);
    const ArcSeries *series = &figure->series[0];
    int n = direct->n_free;
    assert_int_equal(series->mark, ARC_MARK_CELLS);
    assert_int_equal(series->n, n);
    assert_int_equal(series->n_rows, n);
    for (int i = 0; i < n; i++) {
        assert_near(series->cells[i * n + i], 1.0, 0.0);
        for (int j = 0; j < n; j++) {
            const double *C = direct->covariance;
            assert_near(series->cells[i * n + j], series->cells[j * n + i], 1e-12);
            assert_near(series->cells[i * n + j] * sqrt(C[i * n + i] * C[j * n + j]), C[i * n + j],
                        1e-12 * sqrt(C[i * n + i] * C[j * n + j]));
        }
    }
}

static void test_make_training_rows_are_the_history(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const ArcFit *fit = plain.result->fits[k];
        const ArcFigure *figure =
            figure_of(plain.figures, fit->method == ARC_PINN ? "training-pinn" : "training-direct");
        const ArcSeries *cost = series_of(figure, "cost");
        int at = 0, gaps = 0, stages = 0;
        assert_true(figure->y.is_log);
        for (int i = 0; i < cost->n; i++) {
            if (isnan(cost->y[i])) {
                gaps++;
                continue;
            }
            assert_near(cost->x[i], at + 1, 0.0);
            assert_near(cost->y[i], fit->history[at++].cost, 0.0);
        }
        for (int i = 1; i < fit->n_history; i++)
            stages += fit->history[i].stage != fit->history[i - 1].stage;
        assert_int_equal(at, fit->n_history);
        assert_int_equal(gaps, stages);
        assert_true((series_find(figure, "physics") != NULL) == (fit->method == ARC_PINN));
    }
}

/* Two starts of two stages, of which the second ends lower. */
static void test_make_training_of_several_starts_tells_them_apart(void **state)
{
    (void)state;
    const ArcHistoryRow rows[] = {{0, 0, 1, 90, 80, 10, 0, 1, NAN},
                                  {0, 0, 2, 70, 60, 10, 0, 1, NAN},
                                  {1, 0, 1, 95, 85, 10, 0, 1, NAN},
                                  {1, 1, 1, 5, 4, 1, 0, 1, NAN},
                                  {1, 1, 2, 3, 2, 1, 0, 1, NAN}};
    ArcResult result = *plain.result;
    ArcFit fit = *arc_result_fit(&result, ARC_PINN);
    fit.n_history = 5;
    fit.history = rows;
    result.n_fits = 1;
    result.fits[0] = &fit;
    ArcFigures *figures = case_figures(&result, plain.experiment);
    const ArcFigure *figure = figure_of(figures, "training-pinn");
    assert_int_equal(series_of(figure, "cost of start 1")->n, 2);
    assert_int_equal(series_of(figure, "cost")->n, 4);
    assert_int_equal(series_of(figure, "next stage")->n, 3);
    assert_near(series_of(figure, "next stage")->x[0], 1.5, 0.0);
    assert_null(series_find(figure, "priors"));
    assert_non_null(
        strstr(figure->caption, "from 95 to 3 in 3 iterations, 2 stages (start 2 of 2"));
    arc_figures_free(figures);
}

/* An axis of logarithms has no place for a cost of 0. */
static void test_make_training_without_a_cost_is_no_figure(void **state)
{
    (void)state;
    const ArcHistoryRow rows[] = {{.iteration = 1, .rate = 1}};
    ArcResult result = *plain.result;
    ArcFit fit = *arc_result_fit(&result, ARC_PINN);
    fit.n_history = 1;
    fit.history = rows;
    result.n_fits = 1;
    result.fits[0] = &fit;
    ArcFigures *figures = case_figures(&result, plain.experiment);
    assert_true(figures->n > 0);
    for (int i = 0; i < figures->n; i++)
        assert_true(figures->figures[i].n_series > 0);
    arc_figures_free(figures);
}

static void test_make_uncertainty_profile_is_that_of_the_fit(void **state)
{
    (void)state;
    const ArcFit *fit = arc_result_fit(explored.result, ARC_DIRECT);
    const ArcProfile *profile = &fit->uncertainty->profiles[0];
    const ArcFigure *figure = figure_of(explored.figures, "profile-1");
    const ArcSeries *line = series_of(figure, "direct"), *ends;
    assert_int_equal(line->n, profile->n);
    assert_true(line->x == profile->value && line->y == profile->rise);
    ends = series_of(figure, "ends of the interval");
    assert_int_equal(ends->n, 2);
    for (int side = 0; side < 2; side++) {
        assert_near(ends->x[side], profile->interval[side], 0.0);
        assert_near(ends->y[side], ARC_PROFILE_RISE, 1e-9);
    }
    const ArcSeries *parabola = series_of(figure, "by the covariance");
    const ArcEstimate *k = &fit->parameters[profile->parameter];
    for (int i = 0; i < parabola->n; i++)
        assert_near(sqrt(parabola->y[i]), fabs(parabola->x[i] - k->value) / k->sd, 1e-9);
}

static void test_make_uncertainty_samples_are_counted_and_thinned(void **state)
{
    (void)state;
    const ArcFit *fit = arc_result_fit(explored.result, ARC_DIRECT);
    const ArcSamples *samples = fit->uncertainty->samples;
    double sum = 0.0;
    const ArcFigure *figure = figure_of(explored.figures, "samples-1");
    const ArcSeries *bars = series_of(figure, "draws of the chains");
    for (int i = 0; i < bars->n; i++)
        sum += bars->y[i];
    assert_near(sum, samples->n_kept, 0.0);
    const ArcSeries *curve = series_of(figure, "by the covariance");
    double area = 0.0, step = curve->x[1] - curve->x[0], width = bars->x[1] - bars->x[0];
    for (int i = 0; i < curve->n; i++)
        area += curve->y[i] * step / width;
    assert_near(area, samples->n_kept, 0.03 * samples->n_kept);
    const ArcSeries *pairs =
        series_of(figure_of(explored.figures, "pair-1"), "draws of the chains");
    assert_true(pairs->n <= 2000 && pairs->n > 900);
    assert_non_null(figure_find(explored.figures, "pair-6"));
    assert_null(figure_find(explored.figures, "pair-7"));
}

static void test_make_uncertainty_bootstrap_counts_replicates(void **state)
{
    (void)state;
    const ArcFit *fit = arc_result_fit(explored.result, ARC_DIRECT);
    const ArcSeries *bars = series_of(figure_of(explored.figures, "bootstrap-1"), "replicates");
    double sum = 0.0;
    for (int i = 0; i < bars->n; i++)
        sum += bars->y[i];
    assert_near(sum, fit->uncertainty->bootstrap->numbers[0].n, 0.0);
    assert_near(sum, 12.0, 0.0);
}

static void test_figures_of_results_tell_equal_names_apart(void **state)
{
    (void)state;
    ArcError err;
    ArcFigures *figures = NULL;
    const ArcResult *const results[3] = {plain.result, explored.result, plain.result};
    assert_int_equal(arc_figures_of_results(3, results, &figures, &err), ARC_OK);
    const ArcFigure *side = figure_of(figures, "comparison-side");
    assert_int_equal(side->n_series, 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(side->series[i].name, side->series[k].name);
    const ArcFit *direct = arc_result_fit(explored.result, ARC_DIRECT);
    assert_int_equal(side->series[1].n, direct->n_trajectory);
    assert_near(side->series[1].y[50], direct->position_m[101], 0.0);
    const ArcFigure *k = figure_of(figures, "comparison-parameter-1");
    const ArcSeries *intervals = series_of(k, "direct");
    assert_string_equal(k->x.label, "k");
    assert_int_equal(intervals->n, 3);
    assert_int_equal(series_of(k, "PINN")->n, 2);
    assert_near(intervals->low[1], direct->parameters[0].ci95[0], 0.0);
    const ArcSeries *chance = &figure_of(figures, "comparison-chance")->series[0];
    assert_near(chance->y[1], direct->residuals.chi2_p, 0.0);
    assert_near(figure_of(figures, "comparison-rms")->series[0].y[1], direct->residuals.rms_m, 0.0);
    assert_null(figure_find(figures, "comparison-space"));
    arc_figures_free(figures);
}

/* A result of three flights made of one: what the overview takes is each flight's own. */
static void test_make_overview_has_a_number_of_each_flight(void **state)
{
    (void)state;
    const ArcFit *one = arc_result_fit(plain.result, ARC_DIRECT);
    ArcFit flights[3] = {*one, *one, *one}, joint = *one;
    const ArcCapture *captures[3];
    ArcResult result = *plain.result;
    for (int f = 0; f < 3; f++) {
        captures[f] = result.capture;
        flights[f].residuals.chi2_p = 0.01 + 0.3 * f;
        flights[f].flight = f == 1 ? "<b>\"second\"" : NULL;
    }
    joint.n_flights = 3;
    joint.flights = flights;
    joint.position_m = NULL;
    joint.n_trajectory = 0;
    joint.predicted_m = NULL;
    result.n_flights = 3;
    result.flights = captures;
    result.n_fits = 1;
    result.fits[0] = &joint;
    ArcFigures *figures = case_figures(&result, NULL);
    const ArcSeries *side = series_of(figure_of(figures, "flights-side"), "direct");
    assert_int_equal(side->n, 3 * one->n_trajectory + 2);
    assert_true(isnan(side->x[one->n_trajectory]) && isnan(side->y[one->n_trajectory]));
    assert_near(side->x[one->n_trajectory + 1], one->position_m[0], 0.0);
    const ArcSeries *chance = &figure_of(figures, "flights-chance")->series[0];
    assert_int_equal(chance->n, 3);
    assert_near(chance->y[2], 0.61, 1e-15);
    assert_string_equal(chance->labels[1], "<b>\"second\"");
    assert_string_equal(chance->labels[2], "flight 3");
    assert_non_null(strstr(figure_of(figures, "flights-chance")->caption, "flight 1 (p 0.01)"));
    assert_int_equal(series_of(figure_of(figures, "flights-speed"), "direct")->n, 3);
    assert_near(series_of(figure_of(figures, "flights-angle"), "direct")->x[2], 3.0, 0.0);
    assert_non_null(figure_find(figures, "residuals-3-x"));
    arc_figures_free(figures);
}

static ArcStatus run_comparison(ArcError *err)
{
    const ArcResult *const results[2] = {plain.result, explored.result};
    ArcFigures *figures = NULL;
    ArcStatus status = arc_figures_of_results(2, results, &figures, err);
    assert_true((status == ARC_OK) == (figures != NULL));
    arc_figures_free(figures);
    return status;
}

static void test_figures_of_results_exhaustion_gives_memory(void **state)
{
    (void)state;
    drawn_exhaust(run_comparison);
}

static void test_figures_of_result_exhaustion_gives_memory(void **state)
{
    (void)state;
    assert_figures_exhaustion(explored.result, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make_parameters_intervals_are_in_sd_of_the_direct_fit),
        cmocka_unit_test(test_make_parameters_correlation_is_symmetric_with_ones),
        cmocka_unit_test(test_make_training_rows_are_the_history),
        cmocka_unit_test(test_make_training_of_several_starts_tells_them_apart),
        cmocka_unit_test(test_make_training_without_a_cost_is_no_figure),
        cmocka_unit_test(test_make_uncertainty_profile_is_that_of_the_fit),
        cmocka_unit_test(test_make_uncertainty_samples_are_counted_and_thinned),
        cmocka_unit_test(test_make_uncertainty_bootstrap_counts_replicates),
        cmocka_unit_test(test_figures_of_results_tell_equal_names_apart),
        cmocka_unit_test(test_make_overview_has_a_number_of_each_flight),
        cmocka_unit_test(test_figures_of_results_exhaustion_gives_memory),
        cmocka_unit_test(test_figures_of_result_exhaustion_gives_memory),
    };
    return cmocka_run_group_tests(tests, make_cases, free_cases);
}
