/* The shipped arms that throw into a hoop: within all limits, and none of very many other throws
 * that hit takes a smaller peak torque. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/numbers.h"
#include "aim/torques.h"
#include "arcfit/aim.h"
#include "base/random.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OTHERS = 400, HITS = 12 };

typedef struct Case {
    ArcExperiment *experiment;
    ArcAim *aim;
    ArcArena *arena;
    ArcShot *shot;
    int first; /* of the arm's parameters */
} Case;

static Case case_of(const char *path, int n_overrides, const char *const *overrides)
{
    Case c = {.arena = arc_arena_create()};
    ArcError err = {ARC_OK, ""};
    if (arc_experiment_read(path, n_overrides, overrides, &c.experiment, &err) != ARC_OK ||
        arc_aim_find(c.experiment, NULL, NULL, &c.aim, &err) != ARC_OK ||
        arc_shot_create(c.experiment, c.arena, &c.shot, &err) != ARC_OK)
        fail_msg("%s", err.text);
    c.first = arc_experiment_parameter(c.experiment, "base_x");
    return c;
}

static void case_free(Case *c)
{
    arc_aim_free(c->aim);
    arc_experiment_free(c->experiment);
    arc_arena_free(c->arena);
}

/* Within the joints' limits all the way and the hoop's entry. */
static bool is_allowed(const Case *c, const double *values, const ArcShotNumbers *numbers)
{
    double over[ARC_TORQUES_MOST_LIMITS], least = c->experiment->aim.least[ARC_AIM_ENTRY_ANGLE];
    int n = arc_shot_over_limits(c->shot, values, over, NULL);
    bool is = n >= 0 && numbers->value[ARC_AIM_ENTRY_ANGLE] >= least - 1e-9;
    for (int row = 0; row < n; row++)
        is = is && over[row] <= 1e-6;
    return is;
}

/* The unknowns moved by the shortest steps until the throw hits; false where it does not. */
static bool lead_to_hit(Case *c, double *values, ArcShotNumbers *numbers)
{
    for (int step = 0; step < HITS; step++) {
        double square = 0.0, off;
        if (!arc_shot_numbers(c->shot, values, 0, true, numbers))
            return false;
        off = numbers->offset_m[0];
        if (fabs(off) < 1e-9)
            return true;
        for (int i = 0; i < c->experiment->n_parameters; i++)
            if (c->aim->unknown[i])
                square += numbers->by_offset[0][i] * numbers->by_offset[0][i];
        for (int i = 0; i < c->experiment->n_parameters; i++)
            if (c->aim->unknown[i])
                values[i] -= off * numbers->by_offset[0][i] / square;
    }
    return false;
}

/* Throws that hit, from unknowns moved by share of their sizes: none takes less. How many there
 * were. */
static int compare_others(Case *c, double share, uint64_t seed, int n)
{
    const ArcAimSolution *best = &c->aim->solutions[0];
    double values[ARC_MAX_PARAMETERS], peak = best->numbers[ARC_AIM_PEAK_TORQUE];
    static ArcShotNumbers numbers;
    ArcRandom random = arc_random_create(seed, 0);
    int found = 0;
    for (int k = 0; k < n; k++) {
        memcpy(values, best->values, sizeof values);
        for (int i = 0; i < c->experiment->n_parameters; i++)
            if (c->aim->unknown[i])
                values[i] += share * arc_random_normal(&random) * fmax(fabs(values[i]), 0.5);
        if (!lead_to_hit(c, values, &numbers) || !arc_shot_tie(c->shot, values) ||
            !is_allowed(c, values, &numbers))
            continue;
        double other;
        assert_true(arc_shot_peak_torque(c->shot, values, &other, NULL));
        found++;
        if (other < peak * (1.0 - 1e-5))
            fail_msg("%.9g N m is enough, not %.9g", other, peak);
    }
    return found;
}

static void check_hits(const Case *c)
{
    static ArcShotNumbers numbers;
    assert_true(c->aim->is_reachable && c->aim->n_solutions > 0);
    const ArcAimSolution *best = &c->aim->solutions[0];
    assert_true(best->hits);
    assert_true(arc_shot_numbers(c->shot, best->values, 0, false, &numbers));
    assert_near(numbers.offset_m[0], 0.0, 1e-6);
    assert_true(is_allowed(c, best->values, &numbers));
    assert_true(best->velocity_m_s[1] > 0.0 && best->arrival_velocity_m_s[1] < 0.0);
}

static void test_find_arm_throws_with_the_least_peak(void **state)
{
    (void)state;
    Case c = case_of("experiments/aim-arm.yaml", 0, NULL);
    check_hits(&c);
    assert_true(c.aim->solutions[0].numbers[ARC_AIM_PEAK_TORQUE] < 40.0);
    assert_true(compare_others(&c, 0.5, 1, OTHERS) > OTHERS / 20);
    assert_true(compare_others(&c, 0.01, 2, OTHERS) > OTHERS / 5);
    case_free(&c);
}

/* Links of any length within their bounds take no larger peak. */
static void test_find_arm_with_free_links_takes_less(void **state)
{
    (void)state;
    static const char *const overrides[] = {
        "aim.unknowns=[theta1, theta2, omega1, omega2, l1, l2]"};
    Case held = case_of("experiments/aim-arm.yaml", 0, NULL);
    Case c = case_of("experiments/aim-arm.yaml", 1, overrides);
    check_hits(&c);
    assert_true(c.aim->solutions[0].numbers[ARC_AIM_PEAK_TORQUE] <
                held.aim->solutions[0].numbers[ARC_AIM_PEAK_TORQUE]);
    for (int j = 0; j < 2; j++) {
        double length = c.aim->solutions[0].values[c.first + c.experiment->arm.length + j];
        assert_true(length >= 0.2 - 1e-12 && length <= 0.8 + 1e-12);
    }
    case_free(&c);
    case_free(&held);
}

/* The arm's state after the swing by Runge and Kutta's classical method. */
static void swing_by_hand(const Case *c, const double *values, double *y)
{
    ArcArm arm = c->experiment->arm;
    double T = c->experiment->aim.swing.time_s;
    int J = arm.settings.n_joints, n = 2000;
    arm.settings.begin_s = 0.0;
    arm.settings.end_s = T;
    for (int step = 0; step < n; step++) {
        double h = T / n, k[4][2 * ARC_ARM_MAX_JOINTS], at[2 * ARC_ARM_MAX_JOINTS];
        for (int stage = 0; stage < 4; stage++) {
            double share = stage == 0 ? 0.0 : stage == 3 ? 1.0 : 0.5, t = h * (step + share);
            for (int i = 0; i < 2 * J; i++)
                at[i] = y[i] + (stage == 0 ? 0.0 : share * h * k[stage - 1][i]);
            ArcArmRates rates = {.a = k[stage] + J};
            memcpy(k[stage], at + J, sizeof(double) * (size_t)J);
            arc_arm_acceleration(&arm, 1, &t, at, at + J, values + c->first, &rates);
        }
        for (int i = 0; i < 2 * J; i++)
            y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        /* Between the times that are looked at a joint may be over by next to nothing. */
        for (int j = 0; j < J; j++) {
            assert_true(y[j] <= arm.settings.joints[j].high_rad + 1e-3);
            assert_true(y[j] >= arm.settings.joints[j].low_rad - 1e-3);
            assert_true(fabs(y[J + j]) <= arm.settings.joints[j].rate_limit_rad_s + 0.05);
        }
    }
}

static void test_find_torques_throw_into_the_hoop(void **state)
{
    (void)state;
    Case c = case_of("experiments/aim-arm-torque.yaml", 0, NULL);
    const ArcArm *arm = &c.experiment->arm;
    const double degree = M_PI / 180.0;
    double y[2 * ARC_ARM_MAX_JOINTS] = {-120.0 * degree, -30.0 * degree};
    assert_true(arc_torques_is_driven(c.experiment));
    for (int i = 0; i < c.experiment->n_parameters; i++)
        assert_true(c.aim->unknown[i] ==
                    (i >= c.first + arm->torque[0] && i < c.first + arm->theta));
    check_hits(&c);
    const double *values = c.aim->solutions[0].values;
    swing_by_hand(&c, values, y);
    for (int i = 0; i < 4; i++)
        assert_near(values[c.first + arm->theta + i], y[i], 1e-7);
    assert_true(c.aim->solutions[0].numbers[ARC_AIM_PEAK_TORQUE] < 30.0);
    assert_true(compare_others(&c, 0.01, 3, OTHERS / 4) > OTHERS / 40);
    case_free(&c);
}

/* An arm too slow for the hoop's height: the nearest throw, and the one rate that would do. With
 * the same acceleration throughout no rate of the swing is above the release's. */
static void test_find_slow_arm_falls_short_and_is_told_by_how_much(void **state)
{
    (void)state;
    char faster[2][64];
    const char *overrides[] = {"arm.joints.0.rate_limit=5 rad/s", "arm.joints.1.rate_limit=5 rad/s",
                               "aim.limits={}", "aim.objectives={}", "aim.swing={time: 0.35 s}"};
    Case c = case_of("experiments/aim-arm.yaml", 5, overrides);
    assert_false(c.aim->is_reachable);
    assert_true(c.aim->has_reach && c.aim->n_solutions == 1 && !c.aim->solutions[0].hits);
    const ArcReachCure *cure = NULL;
    for (int i = 0; i < c.aim->reach.n_cures; i++)
        if (c.aim->reach.cures[i].limit == ARC_REACH_RATE && c.aim->reach.cures[i].joint == 1)
            cure = &c.aim->reach.cures[i];
    assert_non_null(cure);
    /* Reach also asks that the ball comes down there. */
    assert_near(c.aim->solutions[0].numbers[ARC_AIM_MISS], c.aim->reach.nearest.miss_m, 0.02);
    assert_near(c.aim->shortfall_miss_m, c.aim->solutions[0].numbers[ARC_AIM_MISS], 0.0);
    assert_true(c.aim->solutions[0].miss_by[c.first + c.experiment->arm.omega] > 0.0);
    for (int is_enough = 0; is_enough < 2; is_enough++) {
        double rate = 5.0 + cure->change * (is_enough ? 1.001 : 0.98);
        snprintf(faster[is_enough], sizeof faster[0], "arm.joints.1.rate_limit=%.9g rad/s", rate);
        overrides[1] = faster[is_enough];
        Case other = case_of("experiments/aim-arm.yaml", 5, overrides);
        assert_true(other.aim->is_reachable == (is_enough != 0));
        case_free(&other);
    }
    case_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_arm_throws_with_the_least_peak),
        cmocka_unit_test(test_find_arm_with_free_links_takes_less),
        cmocka_unit_test(test_find_torques_throw_into_the_hoop),
        cmocka_unit_test(test_find_slow_arm_falls_short_and_is_told_by_how_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
