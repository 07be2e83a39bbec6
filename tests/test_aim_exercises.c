/* The exercises that tutorials begin with, as they are shipped: what is known of them by closed
 * forms or by an integration of its own, and searches from random starts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim_case.h"
#include "base/random.h"
#include "slow.h"

#include <math.h>
#include <string.h>

static const double g_m_s2 = 9.80665, degree = M_PI / 180.0, target_m = 5.0;

static ArcExperiment *read_experiment(const char *path, int n, const char *const *overrides)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    if (arc_experiment_read(path, n, overrides, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

/* What a plain flight has: lumped drag and lift. */
typedef struct Flight {
    double k, s, spin, y0;
} Flight;

static void rates(const Flight *flight, const double *state, double *rate)
{
    double speed = hypot(state[2], state[3]), w = flight->s * flight->spin;
    rate[0] = state[2];
    rate[1] = state[3];
    /* Topspin is positive, and pulls what flies along x down. */
    rate[2] = -flight->k * speed * state[2] + w * state[3];
    rate[3] = -g_m_s2 - flight->k * speed * state[3] - w * state[2];
}

static void step(const Flight *flight, double h, double *state)
{
    double a[4], b[4], c[4], d[4], at[4];
    rates(flight, state, a);
    for (int i = 0; i < 4; i++)
        at[i] = state[i] + 0.5 * h * a[i];
    rates(flight, at, b);
    for (int i = 0; i < 4; i++)
        at[i] = state[i] + 0.5 * h * b[i];
    rates(flight, at, c);
    for (int i = 0; i < 4; i++)
        at[i] = state[i] + h * c[i];
    rates(flight, at, d);
    for (int i = 0; i < 4; i++)
        state[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
}

/* The height where the flight has come as far as the target; -inf: it never does. */
static double height_there(const Flight *flight, double speed, double angle)
{
    double state[4] = {0.0, flight->y0, speed * cos(angle), speed * sin(angle)}, before[4];
    const double h = 2e-3;
    for (int i = 0; i < 5000 && state[1] > -50.0; i++) {
        memcpy(before, state, sizeof before);
        step(flight, h, state);
        if (state[0] < target_m)
            continue;
        double part = (target_m - before[0]) / (state[0] - before[0]) * h;
        for (int k = 0; k < 3; k++) { /* Newton's steps to the very place */
            memcpy(state, before, sizeof before);
            step(flight, part, state);
            part += (target_m - state[0]) / state[2];
        }
        return state[1];
    }
    return -INFINITY;
}

/* The least speed by which some angle comes so high: the angle by golden section, the speed by
 * halving. */
static double speed_for(const Flight *flight, double angle, double height)
{
    double low = 1.0, high = 100.0;
    for (int i = 0; i < 45; i++) {
        double middle = 0.5 * (low + high);
        if (height_there(flight, middle, angle) < height)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double least_speed(const Flight *flight, double height, double *angle)
{
    const double share = 0.5 * (sqrt(5.0) - 1.0);
    double low = 0.6, high = 1.3;
    while (high - low > 1e-6) {
        double a = high - share * (high - low), b = low + share * (high - low);
        if (speed_for(flight, a, height) < speed_for(flight, b, height))
            high = b;
        else
            low = a;
    }
    *angle = 0.5 * (low + high);
    return speed_for(flight, *angle, height);
}

static double vacuum_least(double rise)
{
    return sqrt(g_m_s2 * (rise + hypot(rise, target_m)));
}

static void test_vacuum_least_speed_is_the_closed_form(void **state)
{
    (void)state;
    const char *const overrides[] = {"aim.objectives={speed: 1}"};
    ArcExperiment *experiment = read_experiment("experiments/aim-vacuum.yaml", 1, overrides);
    ArcAim *aim = aim_find(experiment);
    assert_true(aim->is_reachable);
    assert_true(fabs(aim_value(aim, 0, "speed") - vacuum_least(2.5)) < 1e-8);
    assert_true(fabs(aim_value(aim, 0, "angle") - 0.5 * (atan2(2.5, target_m) + 0.5 * M_PI)) <
                1e-6);
    assert_true(vacuum_least(2.5) > 8.9);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* The least speeds of the ball from 1.8 m, with their angles. */
static void test_basketball_least_speeds_are_those_of_another_integration(void **state)
{
    (void)state;
    static const struct {
        const char *overrides[3];
        Flight flight;
        double gravity_share, speed, angle_deg;
    } cases[] = {
        {{"aim.objectives={speed: 1}", "parameters.k=0.0219", "flight.buoyancy=false"},
         {.k = 0.0219, .y0 = 1.8},
         1.0,
         8.278,
         50.96},
        {{"aim.objectives={speed: 1}", "parameters.k=0", "flight.buoyancy=false"},
         {.k = 0.0, .y0 = 1.8},
         1.0,
         7.886,
         51.75},
        {{"aim.objectives={speed: 1}", "parameters.k=0.25", "parameters.speed={start: 8 m/s}"},
         {.k = 0.25, .y0 = 1.8},
         1.0,
         15.6,
         41.96},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ArcExperiment *experiment =
            read_experiment("experiments/aim-basketball.yaml", 3, cases[i].overrides);
        ArcAim *aim = aim_find(experiment);
        double angle, speed = least_speed(&cases[i].flight, 3.0, &angle);
        assert_true(aim->is_reachable);
        assert_true(fabs(aim_value(aim, 0, "speed") - speed) < 2e-6);
        assert_true(fabs(aim_value(aim, 0, "angle") - angle) < 2e-4);
        assert_true(fabs(speed - cases[i].speed) < 0.0015);
        assert_true(fabs(angle / degree - cases[i].angle_deg) < 0.02);
        arc_aim_free(aim);
        arc_experiment_free(experiment);
    }
    assert_true(fabs(vacuum_least(1.2) - 7.886) < 5e-4);
}

/* Buoyancy takes the share rho V / m off gravity, and time runs slower: v goes with its root. */
static void test_basketball_with_buoyancy_is_slower_by_the_root(void **state)
{
    (void)state;
    const char *const overrides[] = {"aim.objectives={speed: 1}", "flight.buoyancy=true"};
    ArcExperiment *experiment = read_experiment("experiments/aim-basketball.yaml", 2, overrides);
    ArcAim *aim = aim_find(experiment);
    double radius = 0.12, volume = 4.0 / 3.0 * M_PI * pow(radius, 3);
    double share = 1.0 - experiment->flight.density_kg_m3 * volume / 0.62;
    assert_true(fabs(aim_value(aim, 0, "speed") - 8.2782745 * sqrt(share)) < 1e-6);
    assert_true(fabs(aim_value(aim, 0, "speed") - 8.220) < 5e-4);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

static void test_basketball_at_its_limit_is_thrown_flat_and_lofted(void **state)
{
    (void)state;
    const Flight flight = {.k = 0.0219, .y0 = 1.8};
    ArcExperiment *experiment = read_experiment("experiments/aim-basketball.yaml", 0, NULL);
    ArcAim *aim = aim_find(experiment);
    bool has_flat = false, has_lofted = false;
    for (int i = 0; i < aim->n_solutions; i++) {
        double angle = aim_value(aim, i, "angle"), speed = aim_value(aim, i, "speed");
        assert_true(aim->solutions[i].hits && speed <= 8.5);
        assert_true(fabs(height_there(&flight, speed, angle) - 3.0) < 1e-6);
        has_flat = has_flat || (speed == 8.5 && fabs(angle / degree - 43.06) < 0.01);
        has_lofted = has_lofted || (speed == 8.5 && fabs(angle / degree - 58.83) < 0.01);
    }
    assert_true(has_flat && has_lofted);
    arc_aim_free(aim);
    arc_experiment_free(experiment);
}

/* Starts of an exercise, and what its answer is. */
typedef struct Exercise {
    const char *path;
    int n_overrides;
    const char *overrides[3];
    bool draws_air; /* k in 0.2 to 0.5, s in 0.05 to 0.15 */
    bool is_reachable;
    bool by_scan; /* the nearest throw is looked for by another integration */
    int few, many;
} Exercise;

static void start(ArcExperiment *experiment, const char *name, double value)
{
    int i = arc_experiment_parameter(experiment, name);
    if (i < 0)
        return;
    experiment->parameters[i].start = value;
    experiment->parameters[i].has_start = true;
}

static void draw(ArcExperiment *experiment, ArcRandom *random, bool draws_air)
{
    start(experiment, "angle", arc_random_uniform(random, 0.8, 1.2));
    start(experiment, "speed", arc_random_uniform(random, 6.5, 8.5));
    start(experiment, "spin", arc_random_uniform(random, 0.0, 5.0));
    experiment->aim.time_s = arc_random_uniform(random, 0.9, 1.3);
    double k = arc_random_uniform(random, 0.2, 0.5), s = arc_random_uniform(random, 0.05, 0.15);
    if (draws_air) {
        start(experiment, "k", k);
        start(experiment, "s", s);
    }
}

static double start_of(const ArcExperiment *experiment, const char *name)
{
    return experiment->parameters[aim_parameter(experiment, name)].start;
}

/* How near a throw comes. */
static double pass(const Flight *flight, double speed, double angle, double height)
{
    double state[4] = {0.0, flight->y0, speed * cos(angle), speed * sin(angle)}, least = INFINITY;
    double before = INFINITY;
    for (int i = 0; i < 2000; i++) {
        step(flight, 1e-3, state);
        double distance = hypot(state[0] - target_m, state[1] - height);
        least = fmin(least, distance);
        if (distance > before && state[3] < 0.0)
            break;
        before = distance;
    }
    return least;
}

/* By angles a hundredth of a radian apart, then by golden section: the throw at the limit that
 * comes nearest. */
static double scan(const Flight *flight, double speed, double height)
{
    double best = 0.0, nearest = INFINITY;
    const double share = 0.5 * (sqrt(5.0) - 1.0);
    for (int i = 0; i <= 150; i++) {
        double distance = pass(flight, speed, 0.01 * i, height);
        if (distance < nearest) {
            nearest = distance;
            best = 0.01 * i;
        }
    }
    double low = best - 0.01, high = best + 0.01;
    while (high - low > 1e-5) {
        double a = high - share * (high - low), b = low + share * (high - low);
        if (pass(flight, speed, a, height) < pass(flight, speed, b, height))
            high = b;
        else
            low = a;
    }
    return pass(flight, speed, 0.5 * (low + high), height);
}

static void check_unreachable(const Exercise *exercise, const ArcExperiment *experiment,
                              const ArcAim *aim)
{
    assert_false(aim->is_reachable);
    assert_true(aim->shortfall_miss_m > 1e-3);
    assert_true(aim->shortfall_speed_m_s > 0.0);
    assert_true(aim_value(aim, 0, "speed") <= 8.5);
    if (exercise->by_scan) {
        const Flight flight = {.k = start_of(experiment, "k"), .y0 = 1.8};
        assert_true(fabs(aim->shortfall_miss_m - scan(&flight, 8.5, 3.0)) < 2e-5);
    }
    if (exercise->draws_air && !exercise->by_scan) {
        /* Lift does no work, and no way to the height h = 2.5 m costs less than straight up, where
         * v^2 = g / k (exp(2 k h) - 1). */
        double k = start_of(experiment, "k");
        assert_true(sqrt(g_m_s2 / k * (exp(2.0 * k * 2.5) - 1.0)) > 8.5);
    }
    if (!exercise->draws_air)
        assert_true(fabs(aim->least_speed_m_s - vacuum_least(2.5)) < 1e-6);
}

static void run_exercise(const Exercise *exercise)
{
    ArcExperiment *experiment =
        read_experiment(exercise->path, exercise->n_overrides, exercise->overrides);
    int n = slow_is_wanted() ? exercise->many : FEWER(exercise->few, 3), hits = 0;
    for (int i = 0; i < n; i++) {
        ArcRandom random = arc_random_create(20, (uint64_t)i);
        draw(experiment, &random, exercise->draws_air);
        ArcAim *aim = aim_find(experiment);
        if (!exercise->is_reachable)
            check_unreachable(exercise, experiment, aim);
        hits += aim->is_reachable && aim->solutions[0].numbers[ARC_AIM_MISS] < 1e-3;
        arc_aim_free(aim);
    }
    if (slow_is_wanted())
        print_message("%s%s%s%s: %d of %d hit\n", exercise->path,
                      exercise->n_overrides > 0 ? " " : "",
                      exercise->n_overrides > 0 ? exercise->overrides[0] : "",
                      exercise->draws_air ? ", k and s drawn" : "", hits, n);
    if (exercise->is_reachable)
        assert_true(100 * hits >= 99 * n);
    arc_experiment_free(experiment);
}

#define LIMIT "parameters.speed.bounds=[0 m/s, 8.5 m/s]"

static void test_random_starts_are_answered_truly(void **state)
{
    static const Exercise exercises[] = {
        {"experiments/aim-vacuum.yaml", 0, {NULL}, false, true, false, 100, 1000},
        {"experiments/aim-vacuum.yaml", 1, {LIMIT}, false, false, false, 100, 1000},
        {"experiments/aim-drag.yaml", 0, {NULL}, true, true, false, 100, 1000},
        {"experiments/aim-drag.yaml", 1, {LIMIT}, true, false, false, 10, 1000},
        {"experiments/aim-basketball.yaml", 0, {NULL}, false, true, false, 100, 1000},
        {"experiments/aim-basketball.yaml",
         1,
         {"parameters.speed={start: 8 m/s}"},
         true,
         true,
         false,
         100,
         1000},
        {"experiments/aim-basketball.yaml", 0, {NULL}, true, false, true, 20, 1000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof exercises / sizeof *exercises; i++)
        run_exercise(&exercises[i]);
}

/* Six unknowns of an arm, from random poses, rates and links. */
static void test_arm_with_six_free_hits_from_random_starts(void **state)
{
    (void)state;
    ArcExperiment *experiment = read_experiment("experiments/aim-links.yaml", 0, NULL);
    int n = slow_is_wanted() ? 1000 : FEWER(20, 2), hits = 0;
    for (int i = 0; i < n; i++) {
        ArcRandom random = arc_random_create(21, (uint64_t)i);
        start(experiment, "theta1", arc_random_uniform(&random, -2.0, 2.0));
        start(experiment, "theta2", arc_random_uniform(&random, -2.0, 2.0));
        start(experiment, "omega1", arc_random_uniform(&random, -10.0, 10.0));
        start(experiment, "omega2", arc_random_uniform(&random, -10.0, 10.0));
        start(experiment, "l1", arc_random_uniform(&random, 0.2, 1.0));
        start(experiment, "l2", arc_random_uniform(&random, 0.2, 1.0));
        ArcAim *aim = aim_find(experiment);
        bool hit = aim->is_reachable && aim->solutions[0].numbers[ARC_AIM_MISS] < 1e-3;
        for (int k = 0; k < aim->n_solutions; k++) {
            assert_true(aim_value(aim, k, "l1") >= 0.2 && aim_value(aim, k, "l1") <= 1.0);
            assert_true(fabs(aim_value(aim, k, "omega2")) <= 20.0);
        }
        hits += hit;
        arc_aim_free(aim);
    }
    if (slow_is_wanted())
        print_message("experiments/aim-links.yaml: %d of %d hit\n", hits, n);
    assert_true(100 * hits >= 99 * n);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vacuum_least_speed_is_the_closed_form),
        cmocka_unit_test(test_basketball_least_speeds_are_those_of_another_integration),
        cmocka_unit_test(test_basketball_with_buoyancy_is_slower_by_the_root),
        cmocka_unit_test(test_basketball_at_its_limit_is_thrown_flat_and_lofted),
        cmocka_unit_test(test_random_starts_are_answered_truly),
        cmocka_unit_test(test_arm_with_six_free_hits_from_random_starts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
