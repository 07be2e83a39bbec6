/* The best throws: objectives, limits, the chance of a hit, and Pareto fronts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/optimise.h"
#include "aim_case.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

static const double degree = M_PI / 180.0;

#define BASKETBALL "experiments/aim-basketball.yaml"
#define UNLIMITED "parameters.speed={start: 8 m/s}"

static ArcExperiment *read_with(const char *path, const char *a, const char *b, const char *c)
{
    const char *const overrides[] = {a, b, c};
    int n = a == NULL ? 0 : b == NULL ? 1 : c == NULL ? 2 : 3;
    ArcError err;
    ArcExperiment *experiment = NULL;
    if (arc_experiment_read(path, n, overrides, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

/* The numbers of the throw with this angle that hits. */
static void numbers_at(double angle, double *numbers)
{
    ArcExperiment *experiment = read_with(BASKETBALL, UNLIMITED, "aim.unknowns=[speed]", NULL);
    experiment->parameters[aim_parameter(experiment, "angle")].start = angle;
    ArcAim *aim = aim_find(experiment);
    assert_true(aim->is_reachable && aim->n_solutions == 1);
    memcpy(numbers, aim->solutions[0].numbers, sizeof aim->solutions[0].numbers);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* Of throws that hit the angle is the only choice: the best one is where neither side is better. */
static void test_find_weighted_numbers_is_the_best_of_all_angles(void **state)
{
    (void)state;
    ArcExperiment *experiment =
        read_with(BASKETBALL, "aim.objectives={speed: 1, time: 3}", UNLIMITED, NULL);
    ArcAim *aim = aim_find(experiment);
    double angle = aim_value(aim, 0, "angle"), numbers[ARC_N_AIM_NUMBERS];
    assert_true(aim->solutions[0].hits);
    for (int i = -20; i <= 20; i++) {
        numbers_at(angle + 0.01 * i, numbers);
        double cost = numbers[ARC_AIM_SPEED] + 3.0 * numbers[ARC_AIM_TIME];
        assert_true(i == 0 ? fabs(cost - aim->solutions[0].cost) < 1e-8
                           : cost > aim->solutions[0].cost);
    }
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

static void test_find_limits_are_kept(void **state)
{
    (void)state;
    ArcExperiment *experiment = read_with(BASKETBALL, "aim.limits={entry_angle: {least: 45 deg}}",
                                          "aim.objectives={speed: 1}", NULL);
    ArcAim *aim = aim_find(experiment);
    /* Steeper than the slowest throw's 39.9 deg: at the limit. */
    assert_true(aim->is_reachable);
    assert_true(fabs(aim->solutions[0].numbers[ARC_AIM_ENTRY_ANGLE] - 45.0 * degree) < 1e-7);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* The longest flight of 20 m/s is the loftiest: 84.11 deg, far from where any search begins. */
static void test_find_number_made_large_goes_to_its_limit(void **state)
{
    (void)state;
    ArcExperiment *experiment = read_with(BASKETBALL, "aim.objectives={time: -1}",
                                          "parameters.speed.bounds=[0, 20 m/s]", NULL);
    ArcAim *aim = aim_find(experiment);
    assert_int_equal(aim->n_solutions, 1);
    assert_true(aim->solutions[0].hits && fabs(aim_value(aim, 0, "speed") - 20.0) < 1e-9);
    assert_true(aim_value(aim, 0, "angle") > 84.0 * degree);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* What keeps all limits but that of the speed takes 10.08 m/s. */
static void test_find_limits_that_nothing_keeps_have_a_nearest_throw(void **state)
{
    (void)state;
    ArcExperiment *experiment =
        read_with(BASKETBALL, "aim.limits={entry_angle: {least: 70 deg}}", NULL, NULL);
    ArcAim *aim = aim_find(experiment);
    double numbers[ARC_N_AIM_NUMBERS], low = 60.0 * degree, high = 80.0 * degree;
    for (int i = 0; i < 40; i++) { /* the angle that comes in at 70 deg */
        numbers_at(0.5 * (low + high), numbers);
        if (numbers[ARC_AIM_ENTRY_ANGLE] < 70.0 * degree)
            low = 0.5 * (low + high);
        else
            high = 0.5 * (low + high);
    }
    assert_false(aim->is_reachable);
    assert_int_equal(aim->n_solutions, 1);
    assert_true(fabs(aim->least_speed_m_s - numbers[ARC_AIM_SPEED]) < 1e-6);
    assert_true(fabs(aim->shortfall_speed_m_s - (numbers[ARC_AIM_SPEED] - 8.5)) < 1e-6);
    assert_true(aim->solutions[0].numbers[ARC_AIM_ENTRY_ANGLE] > 70.0 * degree - 1e-6);
    assert_true(aim_value(aim, 0, "speed") == 8.5);
    assert_true(aim->shortfall_miss_m > 0.1 && aim->shortfall_miss_m < 2.0);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* The slowest throw would have 5.7 J less for each metre that it may miss by. */
static void test_find_miss_as_an_objective_hits_where_it_costs_enough(void **state)
{
    (void)state;
    static const struct {
        const char *objectives;
        bool hits;
    } cases[] = {{"aim.objectives={energy: 1, miss: 50}", true},
                 {"aim.objectives={energy: 1, miss: 4}", false}};
    for (int i = 0; i < 2; i++) {
        ArcExperiment *experiment = read_with(BASKETBALL, cases[i].objectives, UNLIMITED, NULL);
        ArcAim *aim = aim_find(experiment);
        assert_true(aim->is_reachable && aim->n_solutions > 0);
        assert_true(aim->solutions[0].hits == cases[i].hits);
        if (cases[i].hits)
            assert_true(fabs(aim_value(aim, 0, "speed") - 8.278274) < 1e-5);
        else
            assert_true(aim->solutions[0].cost < 0.31 * pow(8.278274, 2) - 1e-3);
        arc_aim_free(aim);
        arc_experiment_free(experiment);
    }
}

static void test_find_best_chance_is_above_its_neighbours(void **state)
{
    (void)state;
    ArcExperiment *experiment = read_with(BASKETBALL, UNLIMITED, "aim.maximise=probability",
                                          "aim.scatter={speed: 0.1 m/s, angle: 1 deg}");
    ArcAim *aim = aim_find(experiment);
    double best = aim->solutions[0].chance.value, angle = aim_value(aim, 0, "angle");
    assert_true(aim->solutions[0].hits && best > 0.5 && best < 1.0);
    arc_aim_free(aim);
    experiment->aim.maximise_probability = false;
    memset(experiment->aim.unknown, 0, sizeof experiment->aim.unknown);
    experiment->aim.unknown[aim_parameter(experiment, "speed")] = true;
    for (int i = -3; i <= 3; i++) {
        experiment->parameters[aim_parameter(experiment, "angle")].start = angle + 0.02 * i;
        aim = aim_find(experiment);
        double chance = aim->solutions[0].chance.value;
        assert_true(i == 0 ? fabs(chance - best) < 1e-7 : chance < best);
        arc_aim_free(aim);
    }
    arc_experiment_free(experiment);
}

/* A flat throw has no chance to fall clean through a hoop, and no slope towards one. */
static void test_find_best_chance_leaves_throws_without_any_out(void **state)
{
    (void)state;
    ArcExperiment *experiment =
        read_with(BASKETBALL, "aim.target={hoop: {centre: [5 m, 3 m], radius: 0.2286 m}}",
                  "aim.maximise=probability", "aim.scatter={speed: 0.1 m/s, angle: 1 deg}");
    experiment->parameters[aim_parameter(experiment, "speed")].high = INFINITY;
    ArcAim *aim = aim_find(experiment);
    assert_true(aim->is_reachable && aim->n_solutions > 0);
    for (int i = 0; i < aim->n_solutions; i++)
        assert_true(aim->solutions[i].chance.value > 1e-6);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

static void check_no_point_beats_another(const ArcAim *aim)
{
    for (int i = 1; i < aim->n_front; i++) {
        assert_true(aim->front[i].numbers[0] > aim->front[i - 1].numbers[0]);
        assert_true(aim->front[i].numbers[1] < aim->front[i - 1].numbers[1]);
    }
}

/* With a speed at most v the lowest throw is the flat one of that very speed. */
static void test_front_of_speed_and_height_is_the_flat_throws(void **state)
{
    (void)state;
    ArcExperiment *experiment = read_with(BASKETBALL, "aim.pareto=[speed, height]", NULL, NULL);
    ArcExperiment *flat = read_with(BASKETBALL, UNLIMITED, "aim.unknowns=[angle]", NULL);
    ArcAim *aim = aim_find(experiment);
    assert_int_equal(aim->n_front, 20);
    check_no_point_beats_another(aim);
    assert_true(fabs(aim->front[0].numbers[0] - 8.278274) < 1e-6);
    assert_true(fabs(aim->front[19].numbers[0] - 8.5) < 1e-9);
    for (int i = 1; i < aim->n_front; i++) {
        flat->parameters[aim_parameter(flat, "speed")].start = aim->front[i].numbers[0];
        ArcAim *one = aim_find(flat);
        double lowest = INFINITY;
        for (int k = 0; k < one->n_solutions; k++)
            lowest = fmin(lowest, one->solutions[k].numbers[ARC_AIM_HEIGHT]);
        assert_true(fabs(aim->front[i].numbers[1] - lowest) < 1e-6);
        arc_aim_free(one);
    }
    arc_aim_free(aim);
    arc_experiment_free(flat);
    arc_experiment_free(experiment);
}

/* Two links throw into a hoop, from rest within 0.35 s. */
static const char arm_text[] =
    "arcfit: 1\n"
    "capture: {sigma: 2 mm}\n"
    "flight: {dimensions: 2, ball: basketball, drag: quadratic}\n"
    "release: arm\n"
    "arm:\n"
    "  joints:\n"
    "    - {length: 0.5 m, mass: 2 kg, centre: 0.25 m, inertia: 0.045 kg m^2,\n"
    "       limits: [-170 deg, 170 deg], rate_limit: 15 rad/s}\n"
    "    - {length: 0.4 m, mass: 1.2 kg, centre: 0.2 m, inertia: 0.018 kg m^2,\n"
    "       limits: [-150 deg, 150 deg], rate_limit: 15 rad/s}\n"
    "  base: [0 m, 1.4 m]\n"
    "aim:\n"
    "  target: {hoop: {centre: [4.191 m, 3.048 m], radius: 0.2286 m}}\n"
    "  swing: {from: [-120 deg, -30 deg], time: 0.35 s}\n"
    "  limits: {entry_angle: {least: 35 deg}, peak_torque: {most: 120 N m}}\n"
    "  pareto: [miss, peak_torque]\n";

/* Each point's sub-problem, solved again from it and from throws about it. */
static void check_sub_problems(const ArcExperiment *experiment, const ArcAim *aim, int starts)
{
    ArcArena *arena = arc_arena_create();
    ArcShot *shot = NULL;
    ArcSearch search;
    ArcOptimise *optimise = NULL;
    ArcAimNumber limited = aim->settings.front[0], free = aim->settings.front[1];
    assert_int_equal(arc_shot_create(experiment, arena, &shot, NULL), ARC_OK);
    assert_int_equal(
        arc_search_create(shot, aim->unknown, aim->front[0].values, arena, &search, NULL), ARC_OK);
    assert_int_equal(arc_optimise_create(&search, NULL, arena, &optimise, NULL), ARC_OK);
    for (int i = 1; i < aim->n_front; i++) {
        const ArcAimPoint *point = &aim->front[i];
        ArcOptimiseTask task = arc_optimise_task_default();
        memcpy(task.least, experiment->aim.least, sizeof task.least);
        memcpy(task.most, experiment->aim.most, sizeof task.most);
        task.weight[free] = 1.0;
        task.most[limited] = point->numbers[0];
        task.misses = limited == ARC_AIM_MISS;
        ArcShotState goal;
        assert_true(arc_shot_meet(shot, point->values, false, &goal));
        double best = INFINITY;
        for (int k = 0; k <= starts; k++) {
            ArcRandom random = arc_random_create(7, (uint64_t)k);
            ArcSearchThrow thrown;
            for (int u = 0; u < search.K; u++)
                thrown.z[u] = point->values[search.index[u]] +
                              (k > 0 ? 0.05 * arc_random_normal(&random) : 0.0);
            thrown.z[search.K] = goal.t_s;
            ArcConstrainedResult end = arc_optimise_run(optimise, &task, &thrown);
            if (end.violation <= 1e-8)
                best = fmin(best, end.value);
            if (k == 0)
                assert_true(arc_optimise_is_done(&end) && end.optimality <= 1e-6);
        }
        assert_true(fabs(best - point->numbers[1]) <= 1e-6 * (1.0 + fabs(best)));
    }
    arc_arena_free(arena);
}

static void test_front_of_miss_and_peak_torque_is_optimal(void **state)
{
    (void)state;
    ArcExperiment *experiment = aim_parse(arm_text);
    ArcAim *aim = aim_find(experiment);
    assert_int_equal(aim->n_front, 20);
    assert_true(aim->front[0].numbers[0] <= 1e-6);
    check_no_point_beats_another(aim);
    check_sub_problems(experiment, aim, 3);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* The second number may be the miss, too: the same front, turned. */
static void test_front_with_the_miss_second_is_turned(void **state)
{
    (void)state;
    ArcExperiment *one = read_with(BASKETBALL, "aim.pareto=[miss, speed]", NULL, NULL);
    ArcExperiment *other = read_with(BASKETBALL, "aim.pareto=[speed, miss]", NULL, NULL);
    ArcAim *a = aim_find(one), *b = aim_find(other);
    assert_int_equal(a->n_front, 20);
    assert_int_equal(b->n_front, 20);
    check_no_point_beats_another(a);
    check_no_point_beats_another(b);
    for (int i = 0; i < 20; i++) {
        assert_true(fabs(a->front[i].numbers[0] - b->front[19 - i].numbers[1]) < 1e-7);
        assert_true(fabs(a->front[i].numbers[1] - b->front[19 - i].numbers[0]) < 1e-7);
    }
    check_sub_problems(one, a, 2);
    arc_aim_free(a);
    arc_aim_free(b);
    arc_experiment_free(one);
    arc_experiment_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_weighted_numbers_is_the_best_of_all_angles),
        cmocka_unit_test(test_find_limits_are_kept),
        cmocka_unit_test(test_find_number_made_large_goes_to_its_limit),
        cmocka_unit_test(test_find_limits_that_nothing_keeps_have_a_nearest_throw),
        cmocka_unit_test(test_find_miss_as_an_objective_hits_where_it_costs_enough),
        cmocka_unit_test(test_find_best_chance_is_above_its_neighbours),
        cmocka_unit_test(test_find_best_chance_leaves_throws_without_any_out),
        cmocka_unit_test(test_front_of_speed_and_height_is_the_flat_throws),
        cmocka_unit_test(test_front_of_miss_and_peak_torque_is_optimal),
        cmocka_unit_test(test_front_with_the_miss_second_is_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
