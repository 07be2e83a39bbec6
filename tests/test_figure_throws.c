/* Figures of aims: numbers against the aim, flights and scatter in closed form, what is missing,
 * shipped aims, exhaustion. */
#include "aim_report_case.h"

#include "drawn_exhaust.h"
#include "maker_case.h"

#define SPACE                                                                                      \
    "arcfit: 1\nflight: {dimensions: 3, up: z, drag: none}\nrelease: polar\n"                      \
    "parameters: {x0: 0, y0: 0, z0: 2 m}\n"                                                        \
    "aim:\n"                                                                                       \
    "  target: {hoop: {centre: [4.2 m, 1 m, 3.05 m], radius: 23 cm, backboard: x=4.6 m}}\n"        \
    "  scatter: {speed: 0.1 m/s, azimuth: 1 deg}\n"

static ArcAim aim;
static const double rate_95 = 1.959963984540054;

static ArcFigures *draw(const ArcAim *of)
{
    ArcError err = {ARC_OK, ""};
    ArcFigures *figures = NULL;
    if (arc_figures_of_aim(of, &figures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    figures_check(figures);
    for (int i = 0; i < figures->n; i++)
        assert_int_equal(figures->figures[i].group, ARC_FIGURES_AIM);
    return figures;
}

static void test_figures_of_aim_hit_has_its_numbers(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    ArcFigures *figures = draw(&aim);
    const ArcFigure *chance = figure_named(figures, "throws-chance");
    const ArcSeries *linear = figure_series(chance, "by linearisation");
    const ArcSeries *checked = figure_series(chance, "by throws drawn, 95 %");
    assert_int_equal(linear->n, 1);
    assert_true(linear->x[0] == 0.0 && linear->y[0] == 0.631);
    assert_true(checked->n == 1 && checked->y[0] == 0.6275);
    assert_close(checked->low[0], 0.6275 - rate_95 * 0.0015, 1e-15);
    assert_close(checked->high[0], 0.6275 + rate_95 * 0.0015, 1e-15);
    assert_int_equal(chance->x.n_names, 2);
    assert_non_null(strstr(chance->caption, "0.631"));
    assert_non_null(strstr(chance->caption, "Of 100000 throws drawn for it 0.6275 hit"));

    const ArcFigure *moves = figure_named(figures, "throws-moves");
    assert_int_equal(moves->x.n_names, 2);
    assert_string_equal(moves->x.names[0], "speed");
    assert_string_equal(moves->x.names[1], "cd");
    assert_close(moves->series[0].y[0], 0.8 * 0.1, 1e-15);
    assert_close(moves->series[0].y[1], 0.5 * 0.02, 1e-15);
    assert_string_equal(moves->series[0].labels[0], "speed with an sd of 0.1 m/s");

    const ArcFigure *front = figure_named(figures, "throws-front");
    const ArcSeries *points = figure_series(front, "front");
    const ArcSeries *chosen = front->series + front->n_series - 1;
    assert_int_equal(points->n, 3);
    assert_true(points->x[2] == 0.2 && points->y[2] == 8.28 - 1.0);
    assert_string_equal(chosen->name, chosen->labels[0]);
    assert_true(chosen->n == 1 && chosen->x[0] == 0.0 && chosen->y[0] == 8.28);
    assert_string_equal(front->x.label, "miss");
    assert_string_equal(front->y.unit, "m/s");
    arc_figures_free(figures);
    arc_experiment_free(experiment);
}

/* One axis scatters: the density integrates to one, and the rim's edges are in it. */
static void test_figures_of_aim_scatter_in_the_plane_is_a_density(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    double sum = 0.0, square = 0.0;
    report_case_hit(experiment, &aim);
    ArcFigures *figures = draw(&aim);
    const ArcFigure *scatter = figure_named(figures, "throws-scatter");
    const ArcSeries *density = figure_series(scatter, "throws");
    for (int i = 0; i < density->n; i++) {
        sum += density->y[i] * (density->x[1] - density->x[0]);
        square += density->y[i] * density->x[i] * density->x[i] * (density->x[1] - density->x[0]);
    }
    assert_close(sum, 1.0, 1e-3);
    assert_close(sqrt(square), 0.12, 1e-3);
    assert_true(figure_series(scatter, "edges of the target")->x[3] == 0.23);
    arc_figures_free(figures);
    arc_experiment_free(experiment);
}

/* Without drag a flight is a parabola from its release to the target. */
static void test_figures_of_aim_flights_are_those_of_the_throws(void **state)
{
    (void)state;
    ArcError err = {ARC_OK, ""};
    ArcAim *found = NULL;
    ArcExperiment *experiment = report_case_parse(SPACE);
    if (arc_aim_find(experiment, NULL, NULL, &found, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcFigures *figures = draw(found);
    const ArcFigure *side = figure_named(figures, "throws-side");
    const ArcFigure *top = figure_named(figures, "throws-top");
    const ArcFigure *space = figure_named(figures, "throws-space");
    const ArcSeries *release = figure_series(space, "release");
    assert_int_equal(release->n, found->n_solutions);
    assert_true(space->is_space && space->is_equal && side->is_equal && !side->is_space);
    for (int i = 0; i < found->n_solutions; i++) {
        const ArcAimSolution *thrown = &found->solutions[i];
        const double *v = thrown->velocity_m_s;
        const ArcSeries *path = figure_series(space, release->labels[i]);
        double end_s = thrown->numbers[ARC_AIM_TIME];
        for (int k = 0; k < path->n; k++) {
            double t = end_s * k / (path->n - 1);
            assert_close(path->x[k], v[0] * t, 1e-8);
            assert_close(path->y[k], v[1] * t, 1e-8);
            assert_close(path->z[k], 2.0 + v[2] * t - 0.5 * 9.80665 * t * t, 1e-8);
        }
        assert_close(path->x[path->n - 1], 4.2, 1e-5);
        assert_close(figure_series(side, release->labels[i])->y[path->n - 1], 3.05, 1e-5);
        assert_close(figure_series(top, release->labels[i])->y[path->n - 1], 1.0, 1e-5);
        assert_true(release->z[i] == 2.0);
    }
    const ArcSeries *rim = figure_series(top, "rim");
    for (int k = 0; k < rim->n; k++)
        assert_close(hypot(rim->x[k] - 4.2, rim->y[k] - 1.0), 0.23, 1e-12);
    for (int k = 0; k < 5; k++)
        assert_true(figure_series(space, "backboard")->x[k] == 4.6);
    /* However many there are, the best one comes first and so has the first colour. */
    int first = 0;
    while (side->series[first].role != ARC_ROLE_OTHER)
        first++;
    assert_string_equal(side->series[first].name, release->labels[0]);
    const ArcSeries *tops = figure_series(side, "top");
    double rise = found->solutions[0].velocity_m_s[2];
    assert_close(tops->y[0], 2.0 + rise * rise / (2.0 * 9.80665), 1e-8);
    arc_figures_free(figures);
    arc_aim_free(found);
    arc_experiment_free(experiment);
}

/* The ellipse is as wide as the sds and as tilted as the gradients, here by differences. */
static void test_figures_of_aim_scatter_in_space_is_an_ellipse(void **state)
{
    (void)state;
    ArcError err = {ARC_OK, ""};
    ArcAim *found = NULL;
    ArcExperiment *experiment = report_case_parse(SPACE);
    double most[2] = {0.0, 0.0}, level[2][2];
    if (arc_aim_find(experiment, NULL, NULL, &found, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcFigures *figures = draw(found);
    const ArcSeries *ellipse = figure_series(figure_named(figures, "throws-scatter"), "1 sd");
    const double *sd = found->solutions[0].chance.offset_sd_m,
                 *v = found->solutions[0].velocity_m_s;
    bool turned = sd[1] > sd[0];
    for (int i = 0; i < ellipse->n; i++) {
        most[0] = fmax(most[0], ellipse->x[i]);
        most[1] = fmax(most[1], ellipse->y[i]);
    }
    assert_close(most[0], sd[turned], 1e-3 * sd[turned]);
    assert_close(most[1], sd[!turned], 2e-3 * sd[!turned]);
    /* By speed: along (vx, vy) and by the time of the fall; by azimuth: across it. */
    double g = 9.80665, speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double fall = sqrt(v[2] * v[2] - 2.0 * g * 1.05), t = (v[2] + fall) / g;
    double dt = (1.0 + v[2] / fall) / g * v[2] / speed, s_v = 0.1, s_a = M_PI / 180.0;
    for (int c = 0; c < 2; c++) {
        level[0][c] = s_v * (v[c] / speed * t + v[c] * dt);
        level[1][c] = s_a * (c == 0 ? -v[1] : v[0]) * t;
    }
    double together = level[0][0] * level[0][1] + level[1][0] * level[1][1], sum = 0.0;
    for (int i = 0; i < ellipse->n - 1; i++)
        sum += 2.0 * ellipse->x[i] * ellipse->y[i] / (ellipse->n - 1);
    assert_close(sum, together, 1e-6);
    assert_true(fabs(together) > 1e-4);
    arc_figures_free(figures);
    arc_aim_free(found);
    arc_experiment_free(experiment);
}

/* A throw off the board goes to the board, and from there straight to where it comes down. */
static void test_figures_of_aim_bank_turns_at_the_board(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_hit(experiment, &aim);
    aim.n_banks = 1;
    aim.banks[0] = report_case_throw(&aim, 11.0, 0.9);
    ArcFigures *figures = draw(&aim);
    const ArcSeries *bank =
        figure_series(figure_named(figures, "throws-side"), "off the board 1: 11 m/s");
    double radius = experiment->flight.radius_m;
    assert_in_range(bank->n, 10, 60);
    assert_true(bank->x[bank->n - 1] == 4.2 && bank->y[bank->n - 1] == 3.05);
    for (int i = 0; i < bank->n - 1; i++)
        assert_true(bank->x[i] < 4.6 - radius);
    assert_true(bank->x[bank->n - 2] > 4.6 - radius - 0.2);
    arc_figures_free(figures);
    arc_experiment_free(experiment);
}

static void test_figures_of_aim_short_says_what_is_missing(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    report_case_short(experiment, &aim);
    ArcFigures *figures = draw(&aim);
    assert_non_null(strstr(figure_named(figures, "throws-side")->caption, "0.31 m off"));
    assert_int_equal(figures->n_notes, 1);
    assert_non_null(strstr(figures->notes[0], "0.28 m/s faster"));
    arc_figures_free(figures);
    arc_experiment_free(experiment);
}

static void test_figures_of_aim_arm_out_of_reach_shows_it_and_its_cures(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_ARM);
    report_case_arm(experiment, &aim);
    ArcFigures *figures = draw(&aim);
    const ArcFigure *figure = figure_named(figures, "throws-arm");
    const ArcSeries *arm = figure_series(figure, "arm");
    double one = aim.solutions[0].values[report_case_index(&aim, "theta1")];
    double two = one + aim.solutions[0].values[report_case_index(&aim, "theta2")];
    assert_int_equal(arm->n, 4);
    assert_close(arm->x[1] - arm->x[0], 0.5 * cos(one), 1e-12);
    assert_close(arm->y[2] - arm->y[1], 0.4 * sin(two), 1e-12);
    assert_string_equal(figure_series(figure, "joints")->labels[1], "joint 2");
    assert_non_null(strstr(figure->caption, "beyond its limits"));
    assert_int_equal(figures->n_notes, 2);
    assert_non_null(strstr(figures->notes[1], "The arm does not reach the target: "));
    arc_figures_free(figures);
    arc_experiment_free(experiment);
}

/* What no flight can be followed by: values that make none, times that are none. */
static void test_figures_of_aim_throw_that_cannot_fly_is_left_out(void **state)
{
    (void)state;
    static const double times_s[] = {NAN, INFINITY, -1.0, 0.0, 1e300};
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_THROW);
    for (size_t i = 0; i < sizeof times_s / sizeof times_s[0]; i++) {
        report_case_hit(experiment, &aim);
        aim.solutions[0].numbers[ARC_AIM_TIME] = times_s[i];
        aim.solutions[1].values[report_case_index(&aim, "cd")] = 1e300;
        aim.solutions[0].chance.value = NAN;
        ArcFigures *figures = draw(&aim);
        assert_int_equal(figure_series(figure_named(figures, "throws-side"), "release")->n, 2);
        arc_figures_free(figures);
    }
    arc_experiment_free(experiment);
}

static void test_figures_of_aim_shipped_aims_are_drawn(void **state)
{
    (void)state;
    static const char *const names[] = {"arm",  "arm-torque", "basketball",
                                        "drag", "links",      "vacuum"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[64];
        ArcError err = {ARC_OK, ""};
        ArcExperiment *experiment = NULL;
        ArcAim *found = NULL;
        snprintf(path, sizeof path, "experiments/aim-%s.yaml", names[i]);
        if (arc_experiment_read(path, 0, NULL, &experiment, &err) != ARC_OK ||
            arc_aim_find(experiment, NULL, NULL, &found, &err) != ARC_OK)
            fail_msg("%s", err.text);
        ArcFigures *figures = draw(found);
        const ArcFigure *side = figure_named(figures, "throws-side");
        assert_int_equal(figure_series(side, "release")->n, found->n_solutions);
        assert_int_equal(figure_has(figures, "throws-arm"), found->has_arm);
        arc_figures_free(figures);
        arc_aim_free(found);
        arc_experiment_free(experiment);
    }
}

static ArcStatus run_aim(ArcError *err)
{
    ArcFigures *figures = NULL;
    ArcStatus status = arc_figures_of_aim(&aim, &figures, err);
    assert_true((status == ARC_OK) == (figures != NULL));
    arc_figures_free(figures);
    return status;
}

static void test_figures_of_aim_without_memory_says_so(void **state)
{
    (void)state;
    ArcExperiment *experiment = report_case_parse(REPORT_CASE_ARM);
    report_case_arm(experiment, &aim);
    drawn_exhaust(run_aim);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figures_of_aim_hit_has_its_numbers),
        cmocka_unit_test(test_figures_of_aim_scatter_in_the_plane_is_a_density),
        cmocka_unit_test(test_figures_of_aim_flights_are_those_of_the_throws),
        cmocka_unit_test(test_figures_of_aim_scatter_in_space_is_an_ellipse),
        cmocka_unit_test(test_figures_of_aim_bank_turns_at_the_board),
        cmocka_unit_test(test_figures_of_aim_short_says_what_is_missing),
        cmocka_unit_test(test_figures_of_aim_arm_out_of_reach_shows_it_and_its_cures),
        cmocka_unit_test(test_figures_of_aim_throw_that_cannot_fly_is_left_out),
        cmocka_unit_test(test_figures_of_aim_shipped_aims_are_drawn),
        cmocka_unit_test(test_figures_of_aim_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
