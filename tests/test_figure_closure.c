/* Figures of what closures learned: numbers against closures made by hand, shipped ones,
 * exhaustion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "drawn_exhaust.h"
#include "maker_case.h"
#include "report_closure_case.h"
#include "slow.h"

static const double sd_95 = 1.959963984540054;

static ArcFigures *draw(const ArcResult *of, const ArcExperiment *experiment)
{
    ArcError err = {ARC_OK, ""};
    ArcFigures *figures = NULL;
    if (figure_make(arc_make_closure, of, experiment, &figures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    figures_check(figures);
    return figures;
}

static void test_make_closure_of_one_input_is_a_curve(void **state)
{
    (void)state;
    make_closures();
    direct.closure = &curve;
    ArcFigures *figures = draw(&result, NULL);
    assert_int_equal(figures->n, 1);
    const ArcFigure *figure = figure_named(figures, "closure-1");
    const ArcSeries *band = figure_series(figure, "95 %");
    const ArcSeries *line = figure_series(figure, "learned");
    assert_string_equal(figure->x.label, "speed");
    assert_string_equal(figure->x.unit, "m/s");
    assert_string_equal(figure->y.label, "cd");
    for (int i = 0; i < CURVE_ROWS; i++) {
        assert_true(line->x[i] == curve_input[i] && line->y[i] == curve_value[i]);
        assert_close(band->low[i], curve_value[i] - sd_95 * curve_sd[i], 1e-15);
        assert_close(band->high[i], curve_value[i] + sd_95 * curve_sd[i], 1e-15);
    }
    assert_non_null(strstr(figure->caption, "from 0.2 to 0.5, "));
    assert_non_null(strstr(figure->caption, "2 sd at 3 of 3"));
    arc_figures_free(figures);
}

/* Nodes 0 to 5 of 2 by 3: x 1, 2 and y 1, 2, 3; no flight came near node 3. */
static void test_make_closure_of_two_inputs_is_a_field(void **state)
{
    (void)state;
    make_closures();
    ArcFigures *figures = draw(&result, NULL);
    assert_int_equal(figures->n, 2);
    const ArcFigure *figure = figure_named(figures, "closure-1");
    const ArcSeries *cells = &figure->series[0];
    assert_int_equal(cells->mark, ARC_MARK_CELLS);
    assert_true(cells->n == 2 && cells->n_rows == 3);
    assert_true(cells->x[0] == 1 && cells->x[1] == 2);
    for (int row = 0; row < 3; row++)
        assert_true(cells->y[row] == row + 1);
    assert_true(cells->cells[0] == 0.1 && cells->cells[2] == 0.5 && cells->cells[4] == 1.91);
    assert_true(isnan(cells->cells[1]) && cells->cells[3] == 0.75 && cells->cells[5] == 0.125);
    assert_string_equal(figure->z.label, "ax");
    assert_string_equal(figure->z.unit, "m/s^2");
    assert_string_equal(figure->y.label, "y");
    /* Beyond 2 sd: 0.5 / 0.2, 1.91 / 0.11, 0.75 / 0.2, whose outline has 6 cell sides and more. */
    assert_non_null(strstr(figure->caption, "2 sd at 3 of 5 places and than 4 sd at 1"));
    const ArcSeries *sure = figure_series(figure, "2 sd from zero");
    assert_int_not_equal(sure->role, figure_series(figure, "4 sd from zero")->role);
    const ArcSeries *surer = figure_series(figure, "4 sd from zero");
    assert_int_equal(sure->n, 3 * 8);
    assert_int_equal(surer->n, 3 * 4);
    for (int i = 0; i < surer->n; i++)
        assert_true(isnan(surer->x[i]) || ((surer->x[i] == 0.5 || surer->x[i] == 1.5) &&
                                           (surer->y[i] == 2.5 || surer->y[i] == 3.5)));
    const ArcSeries *flight = figure_series(figure, "flight");
    assert_int_equal(flight->n, direct.n_trajectory + 1);
    assert_true(flight->x[5] == direct.position_m[10] && flight->y[5] == direct.position_m[11]);
    assert_string_equal(figure_named(figures, "closure-2")->z.label, "ay");
    arc_figures_free(figures);
}

static void test_make_closure_of_nothing_says_so(void **state)
{
    (void)state;
    static const double zero[CURVE_ROWS];
    make_closures();
    direct.closure = &curve;
    curve.table.value = zero;
    curve.is_lost = true;
    ArcFigures *figures = draw(&result, NULL);
    assert_non_null(strstr(figures->figures[0].caption, "zero at all 3 places"));
    assert_int_equal(figures->n_notes, 1);
    arc_figures_free(figures);
    direct.closure = NULL;
    figures = draw(&result, NULL);
    assert_int_equal(figures->n, 0);
    arc_figures_free(figures);
}

/* Of three inputs and two outputs: each against each, along the flights. */
static void test_make_closure_of_three_inputs_is_drawn_along_the_flights(void **state)
{
    (void)state;
    static const char *const names[] = {"x", "y", "speed"}, *const units[] = {"m", "m", "m/s"};
    static const double inputs[] = {1, 2, 3, 4, 5, 6};
    make_closures();
    field.table.n_inputs = 3;
    field.table.n_rows = 2;
    field.table.input_names = names;
    field.table.input_units = units;
    field.table.input = inputs;
    field.table.node = NULL;
    ArcFigures *figures = draw(&result, NULL);
    assert_int_equal(figures->n, 6);
    const ArcFigure *last = figure_named(figures, "closure-6");
    assert_string_equal(last->x.label, "speed");
    assert_true(last->series[0].x[1] == 6.0 && last->series[0].y[1] == field_value[3]);
    assert_close(last->series[0].high[1], field_value[3] + sd_95 * field_sd[3], 1e-15);
    arc_figures_free(figures);
}

/* The hidden gust and the drag crisis, of thirty flights and more; seconds each. */
static void test_make_closure_shipped_ones_are_drawn(void **state)
{
    (void)state;
    static const char *const names[] = {"gust", "drag-crisis"};
    static const char *const only_direct[] = {"fit.methods=[direct]"};
    if (!slow_is_wanted())
        skip();
    for (int i = 0; i < 2; i++) {
        char path[64];
        ArcExperiment *experiment = NULL;
        ArcResult *fitted = NULL;
        ArcError err = {ARC_OK, ""};
        snprintf(path, sizeof path, "experiments/%s.yaml", names[i]);
        if (arc_experiment_read(path, 1, only_direct, &experiment, &err) != ARC_OK ||
            arc_result_create(experiment, 1, only_direct, NULL, &fitted, &err) != ARC_OK)
            fail_msg("%s", err.text);
        ArcFigures *figures = draw(fitted, experiment);
        const ArcSeries *of = &figure_named(figures, "closure-1")->series[0];
        assert_int_equal(of->mark, i == 0 ? ARC_MARK_CELLS : ARC_MARK_BAND);
        assert_int_equal(of->n, i == 0 ? 41 : 101);
        arc_figures_free(figures);
        arc_result_free(fitted);
        arc_experiment_free(experiment);
    }
}

static ArcStatus run_closure(ArcError *err)
{
    ArcFigures *figures = NULL;
    ArcStatus status = figure_make(arc_make_closure, &result, NULL, &figures, err);
    arc_figures_free(figures);
    return status;
}

static void test_make_closure_without_memory_says_so(void **state)
{
    (void)state;
    make_closures();
    drawn_exhaust(run_closure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make_closure_of_one_input_is_a_curve),
        cmocka_unit_test(test_make_closure_of_two_inputs_is_a_field),
        cmocka_unit_test(test_make_closure_of_nothing_says_so),
        cmocka_unit_test(test_make_closure_of_three_inputs_is_drawn_along_the_flights),
        cmocka_unit_test(test_make_closure_shipped_ones_are_drawn),
        cmocka_unit_test(test_make_closure_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
