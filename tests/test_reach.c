/* Reach of an arm: closed forms of two links, sensitivities against differences, throws at targets
 * against free fall. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "reach_case.h"
#include "slow.h"
#include "sweep.h"

#include <math.h>
#include <string.h>

/* An arm of J links of 0.5, 0.4, .. m, in the plane or, behind a yaw without length, in space. */
static Case case_create(int dimensions, int J)
{
    Case c = {.settings = arc_arm_settings_default(), .goal = arc_goal_default()};
    ArcFlightSettings flight = arc_flight_settings_default();
    c.settings.dimensions = flight.dimensions = dimensions;
    c.settings.up = flight.up = dimensions - 1;
    c.settings.n_joints = J;
    for (int j = 0; j < J; j++)
        c.settings.joints[j].length_m = 0.5 - 0.1 * (dimensions == 3 ? j - 1 : j);
    if (dimensions == 3) {
        c.settings.joints[0].axis = ARC_JOINT_YAW;
        c.settings.joints[0].length_m = 0.1;
    }
    flight.gravity_m_s2 = g_m_s2;
    assert_int_equal(arc_flight_create(&flight, &c.flight, NULL), ARC_OK);
    return c;
}

static void aim_release(Case *c, double x, double y, double vx, double vy)
{
    c->goal = (ArcGoal){.kind = ARC_GOAL_RELEASE, .position_m = {x, y}, .velocity_m_s = {vx, vy}};
}

/* The release that these joints give, as the goal. */
static void aim_release_of(Case *c, const double *theta, const double *omega)
{
    ArcArmPoint point;
    assert_int_equal(arc_arm_create(&c->settings, &c->arm, NULL), ARC_OK);
    for (int i = 0; i < c->arm.n_parameters; i++)
        c->p[i] = c->arm.parameters[i].value;
    arc_arm_point(&c->arm, ARC_ARM_BALL, c->p, theta, omega, &point);
    c->goal.kind = ARC_GOAL_RELEASE;
    memcpy(c->goal.position_m, point.x_m, sizeof point.x_m);
    memcpy(c->goal.velocity_m_s, point.v_m_s, sizeof point.v_m_s);
}

static void limit_joints(Case *c, double low, double high, double rate)
{
    for (int j = 0; j < c->settings.n_joints; j++) {
        c->settings.joints[j].low_rad = low;
        c->settings.joints[j].high_rad = high;
        c->settings.joints[j].rate_limit_rad_s = rate;
    }
}

static const ArcReachCure *find_cure(const ArcReach *reach, ArcReachLimit limit, int joint)
{
    for (int i = 0; i < reach->n_cures; i++)
        if (reach->cures[i].limit == limit && reach->cures[i].joint == joint)
            return &reach->cures[i];
    return NULL;
}

static void test_find_release_within_reach_has_both_elbows(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    const double theta[2] = {0.7, 0.6}, omega[2] = {3.0, -2.0};
    aim_release_of(&c, theta, omega);
    ArcReach reach = case_reach(&c);
    assert_true(reach.is_reachable && !reach.is_too_short);
    assert_int_equal(reach.n_poses, 2);
    assert_int_equal(reach.n_solutions, 2);
    assert_int_equal(reach.n_cures, 0);
    for (int i = 0; i < 2; i++) {
        const ArcReachThrow *t = &reach.solutions[i];
        assert_true(t->is_within && t->miss_m < 1e-8 && t->miss_m_s < 1e-7);
        assert_near(t->position_m[0], c.goal.position_m[0], 1e-8);
        assert_near(t->velocity_m_s[1], c.goal.velocity_m_s[1], 1e-7);
        assert_true(isnan(t->time_s));
    }
    /* Elbows on both sides, and one of them as it was made. */
    assert_near(reach.poses[0].theta_rad[1], -reach.poses[1].theta_rad[1], 1e-9);
    int made = reach.poses[0].theta_rad[1] > 0.0 ? 0 : 1;
    assert_near(reach.poses[made].theta_rad[0], 0.7, 1e-9);
    assert_near(reach.poses[made].omega_rad_s[0], 3.0, 1e-8);
    assert_near(reach.poses[made].omega_rad_s[1], -2.0, 1e-8);
}

static void test_find_release_too_far_wants_either_link_longer(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    const double far = 0.5 + 0.4 + 0.031;
    aim_release(&c, far * cos(0.8), far * sin(0.8), 0, 0);
    ArcReach reach = case_reach(&c);
    assert_false(reach.is_reachable);
    assert_true(reach.is_too_short);
    assert_near(reach.nearest.miss_m, 0.031, 1e-12);
    assert_near(reach.nearest.distance, 3.1, 1e-10);
    assert_near(reach.nearest.theta_rad[0], 0.8, 1e-7);
    assert_near(reach.nearest.theta_rad[1], 0.0, 1e-7);
    assert_int_equal(reach.n_cures, 2);
    for (int j = 0; j < 2; j++) {
        assert_near(reach.by[ARC_REACH_LENGTH][j], -100.0, 1e-9);
        assert_near(reach.by[ARC_REACH_RATE][j], 0.0, 0.0);
        assert_non_null(find_cure(&reach, ARC_REACH_LENGTH, j));
        assert_near(find_cure(&reach, ARC_REACH_LENGTH, j)->change, 0.031, 1e-6);
    }
}

static void test_find_release_too_near_wants_links_more_alike(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    aim_release(&c, 0.08 * cos(2.0), 0.08 * sin(2.0), 0, 0);
    ArcReach reach = case_reach(&c);
    assert_near(reach.nearest.miss_m, 0.02, 1e-12);
    assert_near(find_cure(&reach, ARC_REACH_LENGTH, 0)->change, -0.02, 1e-6);
    assert_near(find_cure(&reach, ARC_REACH_LENGTH, 1)->change, 0.02, 1e-6);
    assert_near(reach.by[ARC_REACH_LENGTH][0], 100.0, 1e-9);
    assert_near(reach.by[ARC_REACH_LENGTH][1], -100.0, 1e-9);
}

/* One elbow by its limit; joint 1 would have to turn 1.12 times as fast as it can. */
static void test_find_release_too_fast_is_over_by_its_ratio(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    const double theta[2] = {0.7, 0.9}, omega[2] = {6.72, 2.0};
    c.settings.joints[1].low_rad = 0.0;
    c.settings.joints[1].high_rad = 2.5;
    c.settings.joints[0].rate_limit_rad_s = 6.0;
    c.settings.joints[1].rate_limit_rad_s = 8.0;
    aim_release_of(&c, theta, omega);
    ArcReach reach = case_reach(&c);
    assert_false(reach.is_reachable || reach.is_too_short);
    assert_int_equal(reach.n_poses, 2);
    int elbow = reach.poses[0].theta_rad[1] > 0.0 ? 0 : 1;
    assert_near(reach.poses[elbow].rate_over[0], 0.12, 1e-9);
    assert_near(reach.poses[elbow].rate_over[1], 0.0, 0.0);
    assert_near(reach.poses[elbow].angle_over_rad[1], 0.0, 0.0);
    assert_near(reach.poses[1 - elbow].angle_over_rad[1], -0.9, 1e-9);
    assert_false(reach.poses[elbow].is_within || reach.poses[1 - elbow].is_within);
    assert_true(reach.nearest.is_within && reach.nearest.distance > 0.1);
    const ArcReachCure *cure = find_cure(&reach, ARC_REACH_RATE, 0);
    assert_non_null(cure);
    assert_near(cure->change, 0.72, 1e-4);
}

static void test_find_release_beyond_an_angle_wants_the_limit_moved(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    const double theta[2] = {0.7, 1.0}, omega[2] = {0, 0};
    c.settings.joints[0].low_rad = -1.0;
    c.settings.joints[0].high_rad = 1.2;
    c.settings.joints[1].low_rad = 0.0;
    c.settings.joints[1].high_rad = 0.9;
    aim_release_of(&c, theta, omega);
    ArcReach reach = case_reach(&c);
    assert_false(reach.is_reachable);
    const ArcReachCure *cure = find_cure(&reach, ARC_REACH_HIGH, 1);
    assert_non_null(cure);
    assert_near(cure->change, 0.1, 1e-5);
    assert_true(reach.by[ARC_REACH_HIGH][1] < 0.0);
    int elbow = reach.poses[0].theta_rad[1] > 0.0 ? 0 : 1;
    assert_near(reach.poses[elbow].angle_over_rad[1], 0.1, 1e-9);
}

/* Of a stretched arm no rates move the ball along it. */
static void test_find_release_of_a_stretched_arm_misses_speed_along_it(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    limit_joints(&c, -2.0, 2.0, 20.0);
    aim_release(&c, 0.9, 0.0, 2.0, 1.5);
    ArcReach reach = case_reach(&c);
    assert_false(reach.is_reachable);
    assert_near(reach.poses[0].missing_m_s[0], 2.0, 1e-4);
    assert_near(reach.poses[0].missing_m_s[1], 0.0, 1e-4);
    assert_near(hypot(reach.nearest.position_m[0], reach.nearest.position_m[1]), 0.9, 0.1);
    assert_non_null(find_cure(&reach, ARC_REACH_LENGTH, 1));
}

static double *limit_of(ArcArmSettings *settings, int limit, int joint)
{
    ArcArmJoint *of = &settings->joints[joint];
    return limit == ARC_REACH_LENGTH ? &of->length_m
           : limit == ARC_REACH_LOW  ? &of->low_rad
           : limit == ARC_REACH_HIGH ? &of->high_rad
                                     : &of->rate_limit_rad_s;
}

/* Partials of the distance by all lengths and limits against differences; how many are not 0. */
static int check_partials(const Case *c, const ArcReach *reach, double tolerance)
{
    int n = 0;
    for (int limit = 0; limit < ARC_N_REACH_LIMITS; limit++)
        for (int j = 0; j < c->settings.n_joints; j++) {
            const double h = 1e-4;
            double off[2];
            if (!isfinite(*limit_of((ArcArmSettings *)(uintptr_t)&c->settings, limit, j)))
                continue;
            for (int side = 0; side < 2; side++) {
                Case moved = *c;
                *limit_of(&moved.settings, limit, j) += side == 0 ? -h : h;
                off[side] = case_reach(&moved).nearest.distance;
            }
            assert_near(reach->by[limit][j], (off[1] - off[0]) / (2.0 * h),
                        tolerance * (1.0 + fabs(reach->by[limit][j])));
            n += reach->by[limit][j] != 0.0;
        }
    return n;
}

static void test_find_release_partials_are_differences(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(5, 0);
    int n = 0, n_unreachable = 0;
    for (int k = 0; k < FEWER(12, 2); k++) {
        Case c = case_create(k % 2 == 0 ? 2 : 3, k % 4 == 2 ? 3 : k % 2 == 0 ? 2 : 3);
        limit_joints(&c, -1.2, 1.4, 4.0);
        c.goal.kind = ARC_GOAL_RELEASE;
        for (int axis = 0; axis < 3; axis++) {
            c.goal.position_m[axis] = 0.7 * arc_random_normal(&random);
            c.goal.velocity_m_s[axis] = 3.0 * arc_random_normal(&random);
        }
        ArcReach reach = case_reach(&c);
        if (reach.is_reachable)
            continue;
        n_unreachable++;
        n += check_partials(&c, &reach, 1e-4);
    }
    assert_true(n_unreachable >= FEWER(8, 1) && n >= FEWER(40, 5));
}

/* No throw within the limits, of very many, comes nearer. */
static void test_find_release_nearest_is_nearer_than_all_others(void **state)
{
    (void)state;
    enum { THROWS = 40000 };
    ArcRandom random = arc_random_create(8, 0);
    for (int k = 0; k < 8; k++) {
        Case c = case_create(k % 2 == 0 ? 2 : 3, k < 4 ? 3 : 2 + k % 2);
        int J = c.settings.n_joints, d = c.settings.dimensions;
        double least = INFINITY;
        limit_joints(&c, -1.2, 1.4, 4.0);
        c.goal.kind = ARC_GOAL_RELEASE;
        for (int axis = 0; axis < 3; axis++) {
            c.goal.position_m[axis] = 0.5 * arc_random_normal(&random);
            c.goal.velocity_m_s[axis] = 2.0 * arc_random_normal(&random);
        }
        ArcReach reach = case_reach(&c);
        for (int i = 0; i < THROWS; i++) {
            double theta[ARC_ARM_MAX_JOINTS], omega[ARC_ARM_MAX_JOINTS], square = 0.0;
            ArcArmPoint point;
            for (int j = 0; j < J; j++) {
                theta[j] = arc_random_uniform(&random, -1.2, 1.4);
                omega[j] = arc_random_uniform(&random, -4.0, 4.0);
            }
            arc_arm_point(&c.arm, ARC_ARM_BALL, c.p, theta, omega, &point);
            for (int axis = 0; axis < d; axis++)
                square += pow((point.x_m[axis] - c.goal.position_m[axis]) / 0.01, 2) +
                          pow((point.v_m_s[axis] - c.goal.velocity_m_s[axis]) / 0.1, 2);
            least = fmin(least, sqrt(square));
        }
        assert_true(reach.nearest.distance <= least);
        assert_true(reach.nearest.is_within);
    }
}

/* Each cure is enough, and a little less is not. */
static void test_find_release_cures_are_just_enough(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(6, 0);
    int n = 0;
    for (int k = 0; k < 8; k++) {
        Case c = case_create(2, 2);
        double theta[2], omega[2];
        limit_joints(&c, -1.2, 1.4, 4.0);
        for (int j = 0; j < 2; j++) {
            theta[j] = 1.0 + 0.5 * arc_random_normal(&random);
            omega[j] = 3.0 * arc_random_normal(&random);
        }
        aim_release_of(&c, theta, omega);
        ArcReach reach = case_reach(&c);
        for (int i = 0; i < reach.n_cures; i++, n++) {
            const ArcReachCure *cure = &reach.cures[i];
            for (int less = 0; less < 2; less++) {
                Case changed = c;
                *limit_of(&changed.settings, (int)cure->limit, cure->joint) +=
                    cure->change * (less ? 0.999 : 1.0 + 1e-9);
                assert_true(case_reach(&changed).is_reachable == !less);
            }
        }
    }
    assert_true(n >= 6);
}

/* With joints to spare the throw of least effort: others that reach the goal take more. */
static void test_find_release_of_three_links_takes_least_effort(void **state)
{
    (void)state;
    Case c = case_create(2, 3);
    const double theta[3] = {0.4, 0.7, 0.3}, omega[3] = {3.0, 1.0, -2.0};
    limit_joints(&c, -2.5, 2.5, 12.0);
    aim_release_of(&c, theta, omega);
    ArcReach reach = case_reach(&c);
    assert_true(reach.is_reachable && reach.nearest.is_within);
    double least = 0.0;
    for (int j = 0; j < 3; j++)
        least += pow(reach.nearest.omega_rad_s[j] / 12.0, 2) +
                 0.01 * pow(reach.nearest.theta_rad[j] / 2.5, 2);
    int n = 0;
    for (int k = 0; k < 200; k++) {
        double near[3] = {0, 0, 0}, poses[ARC_ARM_MAX_POSES * 3], rates[3], effort = 0.0;
        near[0] = -2.5 + 5.0 * k / 199.0;
        int found = arc_arm_poses(&c.arm, c.p, c.goal.position_m, near, poses);
        for (int i = 0; i < found; i++, n++) {
            effort = 0.0;
            arc_arm_rates_for(&c.arm, c.p, poses + 3 * i, c.goal.velocity_m_s, rates, NULL);
            for (int j = 0; j < 3; j++)
                effort += pow(rates[j] / 12.0, 2) + 0.01 * pow(poses[3 * i + j] / 2.5, 2);
            assert_true(effort > least - 1e-9);
        }
    }
    assert_true(n > 50);
}

/* The effort of the throw from this pose that hits X after s, in free fall. */
static double vacuum_effort(const Case *c, const double *theta, const double *X, double s)
{
    ArcArmPoint point;
    double none[2] = {0}, v[3] = {0}, omega[2], effort = 0.0;
    arc_arm_point(&c->arm, ARC_ARM_BALL, c->p, theta, none, &point);
    v[0] = (X[0] - point.x_m[0]) / s;
    v[1] = (X[1] - point.x_m[1]) / s + 0.5 * g_m_s2 * s;
    double det =
        point.x_theta[0][0] * point.x_theta[1][1] - point.x_theta[0][1] * point.x_theta[1][0];
    omega[0] = (v[0] * point.x_theta[1][1] - v[1] * point.x_theta[0][1]) / det;
    omega[1] = (v[1] * point.x_theta[0][0] - v[0] * point.x_theta[1][0]) / det;
    for (int j = 0; j < 2; j++) {
        const ArcArmJoint *joint = &c->settings.joints[j];
        if (fabs(omega[j]) > joint->rate_limit_rad_s)
            return INFINITY;
        effort += pow(omega[j] / joint->rate_limit_rad_s, 2) + 0.01 * pow(theta[j] / 2.5, 2);
    }
    return effort;
}

static void test_find_target_is_hit_with_least_effort(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    const double X[2] = {3.5, 1.2};
    limit_joints(&c, -2.5, 2.5, 15.0);
    c.goal = (ArcGoal){.kind = ARC_GOAL_POINT, .point_m = {X[0], X[1]}};
    ArcReach reach = case_reach(&c);
    const ArcReachThrow *t = &reach.nearest;
    assert_true(reach.is_reachable && t->is_within);
    for (int axis = 0; axis < 2; axis++) {
        double fall = axis == 1 ? 0.5 * g_m_s2 * t->time_s * t->time_s : 0.0;
        assert_near(t->position_m[axis] + t->velocity_m_s[axis] * t->time_s - fall, X[axis], 1e-8);
    }
    assert_near(t->arrival_m_s[1], t->velocity_m_s[1] - g_m_s2 * t->time_s, 1e-9);
    double least = vacuum_effort(&c, t->theta_rad, X, t->time_s), best = INFINITY;
    for (int i = 0; i <= 50; i++)
        for (int j = 0; j <= 50; j++)
            for (int k = 1; k <= 60; k++) {
                const double theta[2] = {-2.5 + 0.1 * i, -2.5 + 0.1 * j};
                best = fmin(best, vacuum_effort(&c, theta, X, 0.02 * k));
            }
    assert_true(isfinite(best) && least <= best + 1e-9);
    assert_true(least > 0.9 * best);
}

static void test_find_target_too_far_tells_what_is_missing(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    limit_joints(&c, -2.0, 2.0, 5.0);
    c.goal = (ArcGoal){.kind = ARC_GOAL_POINT, .point_m = {4.0, 1.0}};
    ArcReach reach = case_reach(&c);
    assert_false(reach.is_reachable);
    assert_true(reach.nearest.is_within && reach.nearest.miss_m > 0.1);
    assert_true(check_partials(&c, &reach, 1e-3) >= 3);
    assert_true(reach.by[ARC_REACH_RATE][0] < 0.0 && reach.by[ARC_REACH_LENGTH][0] < 0.0);
    assert_true(reach.n_cures > 0);
    for (int i = 0; i < reach.n_cures; i++)
        for (int less = 0; less < 2; less++) {
            Case changed = c;
            *limit_of(&changed.settings, (int)reach.cures[i].limit, reach.cures[i].joint) +=
                reach.cures[i].change * (less ? 0.99 : 1.0001);
            assert_true(case_reach(&changed).is_reachable == !less);
        }
}

static void test_find_target_in_space_turns_to_it(void **state)
{
    (void)state;
    Case c = case_create(3, 3);
    limit_joints(&c, -2.5, 2.5, 12.0);
    c.goal = (ArcGoal){.kind = ARC_GOAL_POINT, .point_m = {2.0, 1.5, 1.0}};
    ArcReach reach = case_reach(&c);
    const ArcReachThrow *t = &reach.nearest;
    assert_true(reach.is_reachable && t->is_within);
    for (int axis = 0; axis < 3; axis++) {
        double fall = axis == 2 ? 0.5 * g_m_s2 * t->time_s * t->time_s : 0.0;
        assert_near(t->position_m[axis] + t->velocity_m_s[axis] * t->time_s - fall,
                    c.goal.point_m[axis], 1e-8);
    }
}

static void test_find_nothing_to_aim_at_is_refused(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    ArcReach reach = {.n_joints = 77};
    ArcError err;
    assert_int_equal(arc_arm_create(&c.settings, &c.arm, NULL), ARC_OK);
    ArcReachTask task = {&c.arm, c.p, &c.flight, NULL, c.goal};
    task.goal.place = (ArcPlace){"case.yaml", 3, 1};
    assert_int_equal(arc_reach_find(&task, &reach, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "case.yaml:3:1"));
    assert_int_equal(reach.n_joints, 77);
    task.goal.kind = ARC_GOAL_POINT;
    task.goal.point_m[1] = NAN;
    assert_int_equal(arc_reach_find(&task, &reach, &err), ARC_INPUT);
}

static void test_text_says_what_is_missing(void **state)
{
    (void)state;
    Case c = case_create(2, 2);
    char *text = NULL;
    aim_release(&c, 0.931, 0.0, 0, 0);
    ArcReach reach = case_reach(&c);
    assert_int_equal(arc_reach_text(&reach, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "link 2 would need 31 mm more"));
    assert_non_null(strstr(text, "misses by 31 mm and 0 m/s"));
    arc_text_free(text);
    const double theta[2] = {0.7, 0.9}, omega[2] = {6.72, 2.0};
    c.settings.joints[1].low_rad = 0.0;
    c.settings.joints[1].high_rad = 150 * degree;
    c.settings.joints[0].rate_limit_rad_s = 6.0;
    aim_release_of(&c, theta, omega);
    reach = case_reach(&c);
    assert_int_equal(arc_reach_text(&reach, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "joint 1's rate is over its limit by 12 %"));
    assert_non_null(strstr(text, "joint 2's angle is under its low limit by 51.6 deg"));
    arc_text_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_release_within_reach_has_both_elbows),
        cmocka_unit_test(test_find_release_too_far_wants_either_link_longer),
        cmocka_unit_test(test_find_release_too_near_wants_links_more_alike),
        cmocka_unit_test(test_find_release_too_fast_is_over_by_its_ratio),
        cmocka_unit_test(test_find_release_beyond_an_angle_wants_the_limit_moved),
        cmocka_unit_test(test_find_release_of_a_stretched_arm_misses_speed_along_it),
        cmocka_unit_test(test_find_release_partials_are_differences),
        cmocka_unit_test(test_find_release_nearest_is_nearer_than_all_others),
        cmocka_unit_test(test_find_release_cures_are_just_enough),
        cmocka_unit_test(test_find_release_of_three_links_takes_least_effort),
        cmocka_unit_test(test_find_target_is_hit_with_least_effort),
        cmocka_unit_test(test_find_target_too_far_tells_what_is_missing),
        cmocka_unit_test(test_find_target_in_space_turns_to_it),
        cmocka_unit_test(test_find_nothing_to_aim_at_is_refused),
        cmocka_unit_test(test_text_says_what_is_missing),
    };
    return cmocka_run_group_tests_name("reach", tests, NULL, NULL);
}
