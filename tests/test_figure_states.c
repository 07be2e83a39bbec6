/* Figures of own equations: numbers against results made by hand and fitted, bands against
 * predictions, names that mean harm, exhaustion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "arcfit/predict.h"
#include "drawn_exhaust.h"
#include "maker_case.h"
#include "report_states_case.h"

static const double sd_95 = 1.959963984540054;
enum { FINE = 4 };

static ArcFigures *draw(const ArcResult *of, const ArcExperiment *experiment)
{
    ArcError err = {ARC_OK, ""};
    ArcFigures *figures = NULL;
    if (figure_make(arc_make_states, of, experiment, &figures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    figures_check(figures);
    return figures;
}

static void read_and_fit(const char *name, ArcExperiment **experiment, ArcResult **fitted)
{
    char path[64];
    ArcError err = {ARC_OK, ""};
    snprintf(path, sizeof path, "experiments/%s.yaml", name);
    if (arc_experiment_read(path, 0, NULL, experiment, &err) != ARC_OK ||
        arc_result_create(*experiment, 0, NULL, NULL, fitted, &err) != ARC_OK)
        fail_msg("%s", err.text);
}

/* Without an experiment there are lines and points, and no band. */
static void test_make_states_by_hand_has_points_and_lines(void **state)
{
    (void)state;
    make_states_result();
    ArcFigures *figures = draw(&states_result, NULL);
    const ArcFigure *theta = figure_named(figures, "states-2");
    const ArcSeries *points = figure_series(theta, "points");
    const ArcSeries *held_out = figure_series(theta, "held out");
    const ArcSeries *line = figure_series(theta, "direct");
    assert_string_equal(theta->y.label, "theta");
    assert_string_equal(theta->y.unit, "rad");
    assert_true(points->n == 2 && held_out->n == 1);
    assert_true(points->x[1] == 0.1 && points->y[1] == 0.45);
    assert_true(held_out->y[0] == 0.3);
    assert_non_null(strstr(points->labels[1], ":3"));
    for (int i = 0; i < direct.n_trajectory; i++) {
        assert_true(line->x[FINE * i] == direct.time_s[i]);
        assert_true(line->y[FINE * i] == direct.position_m[2 * i + 1]);
    }
    assert_non_null(strstr(theta->caption, "2 numbers of theta"));
    assert_non_null(strstr(theta->caption, "Of the 1 held out it is 0.02 rad"));
    assert_non_null(strstr(figure_named(figures, "states-1")->caption, "x was not observed"));
    for (int i = 0; i < theta->n_series; i++)
        assert_int_not_equal(theta->series[i].mark, ARC_MARK_BAND);
    arc_figures_free(figures);
    figures = draw(&states_first_result, NULL);
    assert_true(figure_has(figures, "states-phase") && !figure_has(figures, "states-3"));
    arc_figures_free(figures);
}

static void test_make_states_pendulum_has_band_phase_and_difference(void **state)
{
    (void)state;
    ArcExperiment *experiment = NULL;
    ArcResult *fitted = NULL;
    read_and_fit("pendulum", &experiment, &fitted);
    ArcFigures *figures = draw(fitted, experiment);
    const ArcFit *a = arc_result_fit(fitted, ARC_PINN), *b = arc_result_fit(fitted, ARC_DIRECT);
    static double value[2 * ARC_TRAJECTORY_POINTS], sd[2 * ARC_TRAJECTORY_POINTS];
    const ArcPrediction prediction = {.x_m = value, .x_sd_m = sd};
    int n = b->n_trajectory;
    assert_int_equal(arc_predict_state(experiment, b, n, b->time_s, &prediction, NULL), ARC_OK);
    for (int c = 0; c < 2; c++) {
        char names[2][32];
        snprintf(names[0], sizeof names[0], "states-%d", c + 1);
        snprintf(names[1], sizeof names[1], "difference-states-%d", c + 1);
        const ArcFigure *channel = figure_named(figures, names[0]);
        const ArcFigure *difference = figure_named(figures, names[1]);
        const ArcSeries *band = figure_series(channel, "95 %");
        const ArcSeries *off = figure_series(difference, "PINN minus direct");
        const ArcSeries *about = figure_series(difference, "95 % of direct");
        const double *of_a = c == 0 ? a->position_m : a->velocity_m_s;
        const double *of_b = c == 0 ? b->position_m : b->velocity_m_s;
        assert_int_equal(channel->group, ARC_FIGURES_STATES);
        assert_int_equal(difference->group, ARC_FIGURES_METHODS);
        for (int i = 0; i < n; i++) {
            assert_true(band->low[i] == value[2 * i + c] - sd_95 * sd[2 * i + c]);
            assert_true(about->high[i] == sd_95 * sd[2 * i + c]);
            assert_true(off->y[i] == of_a[i] - of_b[i]);
        }
    }
    const ArcSeries *points = figure_series(figure_named(figures, "states-1"), "points");
    assert_int_equal(points->n, fitted->capture->n_points);
    assert_string_equal(points->labels[0], "pendulum-100.csv:7");
    const ArcFigure *phase = figure_named(figures, "states-phase");
    const ArcSeries *way = figure_series(phase, "direct");
    assert_string_equal(phase->y.label, "vtheta");
    assert_int_equal(way->n, FINE * (n - 1) + 1);
    assert_true(way->x[FINE * 7] == b->position_m[7] && way->y[FINE * 7] == b->velocity_m_s[7]);
    arc_figures_free(figures);
    arc_result_free(fitted);
    arc_experiment_free(experiment);
}

/* Between its rows a line follows the motion: here against the simulated one. */
static void test_make_states_lines_between_rows_follow_the_motion(void **state)
{
    (void)state;
    ArcExperiment *experiment = NULL;
    ArcResult *fitted = NULL;
    read_and_fit("lorenz", &experiment, &fitted);
    ArcFigures *figures = draw(fitted, experiment);
    const ArcFit *fit = arc_result_fit(fitted, ARC_DIRECT);
    static double value[3 * (FINE * ARC_TRAJECTORY_POINTS)];
    const ArcPrediction prediction = {.x_m = value};
    const ArcSeries *x = figure_series(figure_named(figures, "states-1"), "direct");
    const ArcFigure *phase = figure_named(figures, "states-phase");
    assert_int_equal(arc_predict_state(experiment, fit, x->n, x->x, &prediction, NULL), ARC_OK);
    for (int i = 0; i < x->n; i++)
        assert_close(x->y[i], value[3 * i], 2e-3);
    assert_true(phase->is_space);
    assert_string_equal(phase->z.label, "z");
    assert_int_equal(figure_series(phase, "points")->n, 25);
    assert_true(figure_series(phase, "start")->z[0] == fit->position_m[2]);
    arc_figures_free(figures);
    arc_result_free(fitted);
    arc_experiment_free(experiment);
}

static void test_make_states_names_are_texts_alone(void **state)
{
    (void)state;
    static const char evil[] = "<script>%s%n`x`\"'\\\xd7\xa9";
    make_states_result();
    ArcStatesFit named = states_made;
    named.channels[1].name = evil;
    named.channels[1].unit = "%d";
    named.model = evil;
    states_fits[0].states = states_fits[1].states = &named;
    states_capture.file = "/a/%s%n.csv";
    ArcFigures *figures = draw(&states_result, NULL);
    const ArcFigure *theta = figure_named(figures, "states-2");
    assert_string_equal(theta->y.label, evil);
    assert_true(strncmp(theta->title, evil, strlen(evil)) == 0);
    assert_non_null(strstr(theta->caption, evil));
    assert_string_equal(figure_series(theta, "points")->labels[0], "%s%n.csv:2");
    arc_figures_free(figures);
}

static ArcStatus run_states(ArcError *err)
{
    ArcFigures *figures = NULL;
    ArcStatus status = figure_make(arc_make_states, &states_result, NULL, &figures, err);
    arc_figures_free(figures);
    return status;
}

static void test_make_states_without_memory_says_so(void **state)
{
    (void)state;
    make_states_result();
    drawn_exhaust(run_states);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make_states_by_hand_has_points_and_lines),
        cmocka_unit_test(test_make_states_pendulum_has_band_phase_and_difference),
        cmocka_unit_test(test_make_states_lines_between_rows_follow_the_motion),
        cmocka_unit_test(test_make_states_names_are_texts_alone),
        cmocka_unit_test(test_make_states_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
