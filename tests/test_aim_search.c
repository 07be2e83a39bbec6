/* Throws that hit a point: closed forms of free fall, both ways to throw, what an arm does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim_case.h"

#include <stdio.h>

static const double g_m_s2 = 9.80665, degree = M_PI / 180.0;

static void test_find_vacuum_speeds_are_the_closed_form(void **state)
{
    (void)state;
    ArcExperiment *experiment = aim_parse(AIM_HEAD "flight: {dimensions: 2}\n"
                                                   "parameters: {x0: 0, y0: 0}\n"
                                                   "aim: {target: {point: [5 m, 2.5 m]}}\n");
    ArcAim *aim = aim_find(experiment);
    assert_true(aim->is_reachable && aim->n_solutions >= 3);
    for (int i = 0; i < aim->n_solutions; i++) {
        double angle = aim_value(aim, i, "angle"), speed = aim_value(aim, i, "speed");
        double square = g_m_s2 * 25.0 / (2.0 * pow(cos(angle), 2) * (5.0 * tan(angle) - 2.5));
        assert_true(fabs(speed - sqrt(square)) < 1e-8 * speed);
        assert_true(aim->solutions[i].hits && aim->solutions[i].numbers[ARC_AIM_MISS] < 1e-8);
        assert_true(i == 0 || speed >= aim_value(aim, i - 1, "speed"));
    }
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

static void test_find_limited_speed_has_the_flat_and_the_lofted_throw(void **state)
{
    (void)state;
    ArcExperiment *experiment =
        aim_parse(AIM_HEAD "flight: {dimensions: 2, drag: lumped}\n"
                           "parameters: {x0: 0, y0: 1.8, k: 0.0219, speed: 8.5}\n"
                           "aim: {target: {point: [5 m, 3 m]}}\n");
    int speed = aim_parameter(experiment, "speed");
    experiment->aim.unknown[aim_parameter(experiment, "angle")] = true;
    ArcAim *aim = aim_find(experiment);
    assert_int_equal(aim->n_solutions, 2);
    double angles[2] = {aim_value(aim, 0, "angle"), aim_value(aim, 1, "angle")};
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
    ArcExperiment *experiment = aim_parse(AIM_HEAD "flight: {dimensions: 2}\n"
                                                   "parameters: {x0: 0, y0: 0, angle: 80 deg}\n"
                                                   "aim: {target: {point: [5 m, 2.5 m]}}\n");
    experiment->aim.unknown[aim_parameter(experiment, "speed")] = true;
    ArcAim *aim = aim_find(experiment);
    assert_true(aim->is_reachable);
    assert_int_equal(aim->n_solutions, 1);
    assert_true(aim->solutions[0].arrival_velocity_m_s[1] < 0.0);
    assert_true(aim->solutions[0].numbers[ARC_AIM_MISS] < 1e-8);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* Far down and far off: flights of 14 s. */
static void test_find_long_flights_hit_by_the_closed_form(void **state)
{
    (void)state;
    static const double points[2][2] = {{5.0, -1000.0}, {1000.0, 0.0}};
    for (int i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 AIM_HEAD "flight: {dimensions: 2}\nparameters: {x0: 0, y0: 0}\n"
                          "aim: {target: {point: [%.17g m, %.17g m]}, angles: [45 deg]}\n",
                 points[i][0], points[i][1]);
        ArcExperiment *experiment = aim_parse(text);
        ArcAim *aim = aim_find(experiment);
        double D = points[i][0], speed = sqrt(g_m_s2 * D * D / (D - points[i][1]));
        bool is_found = false;
        assert_true(aim->is_reachable);
        for (int k = 0; k < aim->n_solutions; k++)
            is_found = is_found || (aim->solutions[k].numbers[ARC_AIM_TIME] > 14.0 &&
                                    fabs(aim_value(aim, k, "speed") - speed) < 1e-7 * speed);
        assert_true(is_found);
        arc_aim_free(aim);
        arc_experiment_free(experiment);
    }
}

/* v^2 = g (h + sqrt(h^2 + D^2)), at half way between the line to the target and upright. */
static void test_find_out_of_reach_in_vacuum_misses_by_the_closed_form(void **state)
{
    (void)state;
    ArcExperiment *experiment =
        aim_parse(AIM_HEAD "flight: {dimensions: 2}\n"
                           "parameters: {x0: 0, y0: 0, speed: {bounds: [0 m/s, 8.5 m/s]}}\n"
                           "aim: {target: {point: [5 m, 2.5 m]}}\n");
    ArcAim *aim = aim_find(experiment);
    double least = sqrt(g_m_s2 * (2.5 + hypot(2.5, 5.0)));
    assert_false(aim->is_reachable);
    assert_true(fabs(aim->least_speed_m_s - least) < 1e-7);
    assert_true(fabs(aim->shortfall_speed_m_s - (least - 8.5)) < 1e-7);
    assert_int_equal(aim->n_solutions, 1);
    assert_true(aim_value(aim, 0, "speed") == 8.5);
    /* The nearest point of the parabola of safety y = v^2 / (2 g) - g x^2 / (2 v^2). */
    double a = 8.5 * 8.5 / (2.0 * g_m_s2), nearest = INFINITY;
    for (int i = 0; i <= 200000; i++) {
        double x = 3.0 + 2e-5 * i;
        nearest = fmin(nearest, hypot(x - 5.0, a - x * x / (4.0 * a) - 2.5));
    }
    assert_true(fabs(aim->shortfall_miss_m - nearest) < 1e-8);
    assert_true(aim->solutions[0].numbers[ARC_AIM_MISS] == aim->shortfall_miss_m);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* The least speed between two limits, one just below it and one just above. */
static void test_find_near_the_least_speed_knows_on_which_side(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool reaches;
    } cases[] = {{AIM_HEAD "flight: {dimensions: 2, drag: lumped}\n"
                           "parameters: {x0: 0, y0: 1.8, k: 0.0219,"
                           " speed: {bounds: [0 m/s, 8.2782 m/s]}}\n"
                           "aim: {target: {point: [5 m, 3 m]}}\n",
                  false},
                 {AIM_HEAD "flight: {dimensions: 2, drag: lumped}\n"
                           "parameters: {x0: 0, y0: 1.8, k: 0.0219,"
                           " speed: {bounds: [0 m/s, 8.2783 m/s]}}\n"
                           "aim: {target: {point: [5 m, 3 m]}}\n",
                  true}};
    for (int i = 0; i < 2; i++) {
        ArcExperiment *experiment = aim_parse(cases[i].text);
        ArcAim *aim = aim_find(experiment);
        assert_true(aim->is_reachable == cases[i].reaches);
        assert_true(fabs(aim_value(aim, 0, "angle") / degree - 50.96) < 0.3);
        if (!cases[i].reaches)
            assert_true(fabs(aim->least_speed_m_s - 8.278274) < 1e-6);
        arc_aim_free(aim);
        arc_experiment_free(experiment);
    }
}

/* In space, polar and cartesian: the same least speed; at 6 m/s the polar search knows its limit as
 * a bound, the other as a limit of a number. */
static void test_find_hoop_in_space_out_of_reach_by_any_form(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "arcfit: 1\ncapture: {sigma: 2 mm}\nrelease: polar\n"
        "flight: {dimensions: 3, ball: basketball, drag: quadratic, wind: [0.5 m/s, 1 m/s, 0]}\n"
        "parameters: {x0: 0, y0: 0, z0: 2, speed: {bounds: [0 m/s, 6 m/s]}}\n"
        "aim: {target: {hoop: {centre: [3 m, -3 m, 3.048 m], radius: 0.2286 m}}}\n",
        "arcfit: 1\ncapture: {sigma: 2 mm}\nrelease: cartesian\n"
        "flight: {dimensions: 3, ball: basketball, drag: quadratic, wind: [0.5 m/s, 1 m/s, 0]}\n"
        "parameters: {x0: 0, y0: 0, z0: 2}\n"
        "aim: {target: {hoop: {centre: [3 m, -3 m, 3.048 m], radius: 0.2286 m}},"
        " limits: {speed: {most: 6 m/s}}}\n"};
    double least[2];
    for (int i = 0; i < 2; i++) {
        ArcExperiment *experiment = aim_parse(texts[i]);
        ArcAim *aim = aim_find(experiment);
        assert_false(aim->is_reachable);
        assert_int_equal(aim->n_solutions, 1);
        assert_true(aim->solutions[0].numbers[ARC_AIM_SPEED] < 6.0 + 1e-6);
        assert_true(aim->shortfall_miss_m > 1.0 && aim->shortfall_miss_m < 2.1);
        least[i] = aim->least_speed_m_s;
        assert_true(fabs(aim->shortfall_speed_m_s - (least[i] - 6.0)) < 1e-12);
        arc_aim_free(aim);
        arc_experiment_free(experiment);
    }
    assert_true(fabs(least[0] - least[1]) < 1e-6 && fabs(least[0] - 7.577) < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_vacuum_speeds_are_the_closed_form),
        cmocka_unit_test(test_find_limited_speed_has_the_flat_and_the_lofted_throw),
        cmocka_unit_test(test_find_steep_throw_hits_on_its_way_down),
        cmocka_unit_test(test_find_long_flights_hit_by_the_closed_form),
        cmocka_unit_test(test_find_out_of_reach_in_vacuum_misses_by_the_closed_form),
        cmocka_unit_test(test_find_near_the_least_speed_knows_on_which_side),
        cmocka_unit_test(test_find_hoop_in_space_out_of_reach_by_any_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
