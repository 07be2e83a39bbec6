/* Throws that hit a point: closed forms of free fall, both ways to throw, what an arm does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/aim.h"

#include <math.h>
#include <string.h>

static ArcExperiment *parse(const char *text)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("aim.yaml", text, strlen(text), 0, NULL, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

static ArcAim *find(const ArcExperiment *experiment)
{
    ArcError err;
    ArcAim *aim = NULL;
    if (arc_aim_find(experiment, NULL, NULL, &aim, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return aim;
}

#define HEAD "arcfit: 1\ncapture: {sigma: 2 mm}\nrelease: polar\n"

static const double g_m_s2 = 9.80665, degree = M_PI / 180.0;

/* A value of a solution by its parameter's name. */
static double value_of(const ArcAim *aim, int i, const char *name)
{
    for (int k = 0; k < aim->n_parameters; k++)
        if (strcmp(aim->parameters[k].name, name) == 0)
            return aim->solutions[i].values[k];
    fail_msg("no parameter %s", name);
    return NAN;
}

static void test_find_vacuum_speeds_are_the_closed_form(void **state)
{
    (void)state;
    ArcExperiment *experiment = parse(HEAD "flight: {dimensions: 2}\n"
                                           "parameters: {x0: 0, y0: 0}\n"
                                           "aim: {target: {point: [5 m, 2.5 m]}}\n");
    ArcAim *aim = find(experiment);
    assert_true(aim->is_reachable && aim->n_solutions >= 3);
    for (int i = 0; i < aim->n_solutions; i++) {
        double angle = value_of(aim, i, "angle"), speed = value_of(aim, i, "speed");
        double square = g_m_s2 * 25.0 / (2.0 * pow(cos(angle), 2) * (5.0 * tan(angle) - 2.5));
        assert_true(fabs(speed - sqrt(square)) < 1e-8 * speed);
        assert_true(aim->solutions[i].hits && aim->solutions[i].numbers[ARC_AIM_MISS] < 1e-8);
        assert_true(i == 0 || speed >= value_of(aim, i - 1, "speed"));
    }
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

static void test_find_limited_speed_has_the_flat_and_the_lofted_throw(void **state)
{
    (void)state;
    ArcExperiment *experiment = parse(HEAD "flight: {dimensions: 2, drag: lumped}\n"
                                           "parameters: {x0: 0, y0: 1.8, k: 0.0219, speed: 8.5}\n"
                                           "aim: {target: {point: [5 m, 3 m]}}\n");
    int speed = arc_experiment_parameter(experiment, "speed");
    experiment->aim.unknown[arc_experiment_parameter(experiment, "angle")] = true;
    ArcAim *aim = find(experiment);
    assert_int_equal(aim->n_solutions, 2);
    double angles[2] = {value_of(aim, 0, "angle"), value_of(aim, 1, "angle")};
    assert_true(fabs(fmin(angles[0], angles[1]) / degree - 43.06) < 0.01);
    assert_true(fabs(fmax(angles[0], angles[1]) / degree - 58.83) < 0.01);
    assert_true(aim->solutions[0].values[speed] == 8.5);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* 80 deg passes the point first on its way up, 2 m beside it. */
static void test_find_steep_throw_hits_on_its_way_down(void **state)
{
    (void)state;
    ArcExperiment *experiment = parse(HEAD "flight: {dimensions: 2}\n"
                                           "parameters: {x0: 0, y0: 0, angle: 80 deg}\n"
                                           "aim: {target: {point: [5 m, 2.5 m]}}\n");
    experiment->aim.unknown[arc_experiment_parameter(experiment, "speed")] = true;
    ArcAim *aim = find(experiment);
    assert_true(aim->is_reachable);
    assert_int_equal(aim->n_solutions, 1);
    assert_true(aim->solutions[0].arrival_velocity_m_s[1] < 0.0);
    assert_true(aim->solutions[0].numbers[ARC_AIM_MISS] < 1e-8);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_vacuum_speeds_are_the_closed_form),
        cmocka_unit_test(test_find_limited_speed_has_the_flat_and_the_lofted_throw),
        cmocka_unit_test(test_find_steep_throw_hits_on_its_way_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
