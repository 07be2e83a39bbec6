/* Reach of hoops and areas: an arm of one link against free fall in closed form, and links whose
 * length is unknown to aim beside the length that reach asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/nearest.h"
#include "arcfit/aim.h"
#include "base/random.h"
#include "reach_case.h"
#include "sweep.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double least_fall_m_s = ARC_REACH_SPEED_M_S;

/* An arm of J links of 0.8, 0.5, .. m from the origin, without air. */
static Case case_create(int J, double low_deg, double high_deg, double rate)
{
    Case c = {.settings = arc_arm_settings_default(), .goal = {.kind = ARC_GOAL_HOOP}};
    ArcFlightSettings flight = arc_flight_settings_default();
    c.settings.n_joints = J;
    for (int j = 0; j < J; j++) {
        c.settings.joints[j].length_m = 0.8 - 0.3 * j;
        c.settings.joints[j].low_rad = low_deg * degree;
        c.settings.joints[j].high_rad = high_deg * degree;
        c.settings.joints[j].rate_limit_rad_s = rate;
    }
    flight.gravity_m_s2 = g_m_s2;
    c.goal.radius_m = 0.2286;
    assert_int_equal(arc_flight_create(&flight, &c.flight, NULL), ARC_OK);
    return c;
}

static double cure_of(const ArcReach *reach, ArcReachLimit limit, int joint)
{
    for (int i = 0; i < reach->n_cures; i++)
        if (reach->cures[i].limit == limit && reach->cures[i].joint == joint)
            return reach->cures[i].change;
    return NAN;
}

/* A link of length l at theta throws at theta + 90 deg. The speed that goes through X; how fast it
 * falls there into fall. Infinite where none does. */
static double speed_through(double l, double theta, const double *X, double *fall)
{
    double D = X[0] - l * cos(theta), H = X[1] - l * sin(theta), slope = -1.0 / tan(theta);
    double square = 0.5 * g_m_s2 * D * D * (1.0 + slope * slope) / (D * slope - H);
    if (!(D > 0.0 && sin(theta) < 0.0 && D * slope > H))
        return INFINITY;
    double speed = sqrt(square), time = D / (speed * -sin(theta));
    *fall = speed * cos(theta) - 2.0 * H / time;
    return speed;
}

/* The least rate by which a link of length l throws down through X, angles within limits. */
static double least_rate(double l, const Case *c, const double *X)
{
    const ArcArmJoint *joint = &c->settings.joints[0];
    double least = INFINITY, best = 0.0, width = joint->high_rad - joint->low_rad;
    for (int zoom = 0; zoom < 4; zoom++, width *= 0.01) {
        double from = zoom == 0 ? joint->low_rad : fmax(best - 0.5 * width, joint->low_rad);
        double to = zoom == 0 ? joint->high_rad : fmin(best + 0.5 * width, joint->high_rad);
        for (int i = 0; i <= 2000; i++) {
            double fall = 0.0, theta = from + (to - from) * i / 2000.0;
            double rate = speed_through(l, theta, X, &fall) / l;
            if (rate < least && fall >= least_fall_m_s) {
                least = rate;
                best = theta;
            }
        }
    }
    return least;
}

/* The shortest link that throws down through X at its limits. */
static double shortest_link(const Case *c, const double *X, double low, double high)
{
    double limit = c->settings.joints[0].rate_limit_rad_s;
    for (int i = 0; i < 50; i++) {
        double middle = 0.5 * (low + high);
        *(least_rate(middle, c, X) <= limit ? &high : &low) = middle;
    }
    return high;
}

static void test_find_hoop_of_a_short_link_wants_the_length_of_free_fall(void **state)
{
    (void)state;
    static const double targets[][2] = {{3.0, 1.2}, {4.2, 1.65}, {2.5, 0.4}};
    for (int i = 0; i < 3; i++) {
        Case c = case_create(1, -85.0, 10.0, 5.0);
        memcpy(c.goal.point_m, targets[i], sizeof targets[i]);
        ArcReach reach = case_reach(&c);
        assert_false(reach.is_reachable);
        double shortest = shortest_link(&c, targets[i], 0.8, 4.0);
        assert_true(shortest < 3.9);
        assert_near(0.8 + cure_of(&reach, ARC_REACH_LENGTH, 0), shortest, 1e-5);
        double rate = least_rate(0.8, &c, targets[i]);
        assert_near(5.0 + cure_of(&reach, ARC_REACH_RATE, 0), rate, 1e-4);
    }
}

/* Throws no steeper than 45 deg pass a place 0.6 m up and 1 m ahead on their way up alone. */
static void test_find_hoop_that_is_passed_rising_is_out_of_reach(void **state)
{
    (void)state;
    Case c = case_create(1, -80.0, -45.0, 12.0);
    const double X[2] = {0.8 * cos(45.0 * degree) + 1.0, -0.8 * sin(45.0 * degree) + 0.6};
    memcpy(c.goal.point_m, X, sizeof X);
    ArcReach reach = case_reach(&c);
    assert_false(reach.is_reachable);
    assert_true(reach.nearest.is_within);
    assert_true(reach.nearest.miss_m > 1e-3 || reach.nearest.miss_m_s > 1e-3);
    double flat = -45.0 * degree, steep = 0.0, fall;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (flat + steep);
        double speed = speed_through(0.8, middle, X, &fall);
        *(isfinite(speed) && fall < least_fall_m_s ? &flat : &steep) = middle;
    }
    assert_near(cure_of(&reach, ARC_REACH_HIGH, 0), steep + 45.0 * degree, 1e-5);
    c.goal.kind = ARC_GOAL_POINT;
    reach = case_reach(&c);
    assert_true(reach.is_reachable);
    assert_true(reach.nearest.arrival_m_s[1] > 0.0);
}

static void test_find_hoop_within_reach_is_entered_from_above(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(4, 0);
    int n = 0;
    for (int k = 0; k < 30; k++) {
        Case c = case_create(2, -150.0, 150.0, 12.0);
        c.goal.point_m[0] = arc_random_uniform(&random, 1.5, 4.0);
        c.goal.point_m[1] = arc_random_uniform(&random, -0.5, 2.0);
        ArcReach reach = case_reach(&c);
        for (int i = 0; reach.is_reachable && i < reach.n_solutions; i++, n++) {
            const ArcReachThrow *t = &reach.solutions[i];
            double s = t->time_s, fall = t->velocity_m_s[1] - g_m_s2 * s;
            assert_true(t->is_within && t->miss_m < 1e-8);
            assert_near(t->position_m[0] + t->velocity_m_s[0] * s, c.goal.point_m[0], 1e-7);
            assert_near(t->position_m[1] + (t->velocity_m_s[1] - 0.5 * g_m_s2 * s) * s,
                        c.goal.point_m[1], 1e-7);
            assert_near(t->arrival_m_s[1], fall, 1e-9);
            assert_true(fall <= -least_fall_m_s + 1e-6);
        }
    }
    assert_true(n >= 20);
}

/* r of the hoop by time, lengths and rates, where the ball rises and where it falls. */
static void test_miss_of_a_hoop_has_its_derivatives(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    for (int rises = 0; rises < 2; rises++) {
        Case c = case_create(2, -150.0, 150.0, 12.0);
        ArcNearest nearest;
        ArcMiss miss, moved[2];
        double z[ARC_NEAREST_UNKNOWNS] = {-0.6, 0.2, 6.0, 4.0, rises ? 0.3 : 0.9};
        memcpy(c.goal.point_m, (double[]){3.0, 1.0}, sizeof(double) * 2);
        case_reach(&c);
        const ArcReachTask task = {&c.arm, c.p, &c.flight, NULL, c.goal};
        assert_int_equal(arc_nearest_create(&task, arena, &nearest, NULL), ARC_OK);
        assert_true(arc_nearest_miss(&nearest, z, &miss));
        assert_int_equal(miss.m, 3);
        assert_true(rises ? miss.r[2] > 1.0 : miss.r[2] == 0.0);
        double *const of[] = {&z[4], &nearest.p[c.arm.length], &z[2]};
        for (int which = 0; which < 3; which++)
            for (int k = 0; k < 3; k++) {
                double by = which == 0 ? miss.by_s[k] : 0.0;
                for (int axis = 0; axis < 2; axis++)
                    by += which == 1 ? miss.by_x[k][axis] * miss.point.x_p[axis][c.arm.length] +
                                           miss.by_v[k][axis] * miss.point.v_p[axis][c.arm.length]
                          : which == 2 ? miss.by_v[k][axis] * miss.point.x_theta[axis][0]
                                       : 0.0;
                Sweep sweep = {0};
                double start = *of[which];
                for (int i = 0; i < N_STEPS; i++) {
                    for (int side = 0; side < 2; side++) {
                        *of[which] = start + (side == 0 ? -steps[i] : steps[i]);
                        assert_true(arc_nearest_miss(&nearest, z, &moved[side]));
                    }
                    sweep_add(&sweep, by, moved[1].r[k], moved[0].r[k], steps[i]);
                }
                *of[which] = start;
                assert_near(sweep.best, 0.0, 1e-6 * (1.0 + fabs(by)));
                /* A length moves the release along its own direction, too: all but a hoop that is
                 * fallen through feel each. */
                assert_true((by != 0.0) == (k < 2 || rises));
            }
    }
    arc_arena_free(arena);
}

static void test_find_area_is_reached_at_its_centre(void **state)
{
    (void)state;
    Case c = case_create(2, -100.0, 100.0, 2.5);
    c.goal = (ArcGoal){
        .kind = ARC_GOAL_AREA, .point_m = {4.0, 1.0}, .axis = 0, .half_m = {0.0, 0.2, 0.0}};
    ArcReach area = case_reach(&c);
    c.goal.kind = ARC_GOAL_POINT;
    ArcReach point = case_reach(&c);
    assert_false(area.is_reachable || point.is_reachable);
    assert_near(area.nearest.distance, point.nearest.distance, 0.0);
    assert_near(cure_of(&area, ARC_REACH_RATE, 0), cure_of(&point, ARC_REACH_RATE, 0), 0.0);
    assert_int_equal(area.n_cures, point.n_cures);
}

static void test_text_of_a_hoop_names_it(void **state)
{
    (void)state;
    Case c = case_create(1, -80.0, -45.0, 12.0);
    char *text = NULL;
    memcpy(c.goal.point_m, (double[]){1.6, 0.0}, sizeof(double) * 2);
    ArcReach reach = case_reach(&c);
    assert_int_equal(arc_reach_text(&reach, &text, NULL), ARC_OK);
    assert_non_null(strstr(text, "a throw down through the hoop at (1.6, 0) m"));
    assert_non_null(strstr(text, "joint 1's high limit would need"));
    arc_text_free(text);
}

#define LINK                                                                                       \
    "arcfit: 1\ncapture: {sigma: 2 mm}\nrelease: arm\n"                                            \
    "flight: {dimensions: 2, ball: basketball, drag: none}\n"                                      \
    "arm: {joints: [{length: 0.8 m, limits: [-85 deg, 10 deg], rate_limit: 5 rad/s}]}\n"           \
    "aim:\n  target: {hoop: {centre: [3 m, 1.2 m], radius: 0.2286 m}}\n"                           \
    "  unknowns: [theta1, omega1, l1]\n"                                                           \
    "parameters: {l1: {start: 0.8, bounds: [0.5, %.9g]}}\n"

static bool is_hit_with_link_up_to(double longest_m, double *length_m)
{
    char text[1024];
    ArcExperiment *experiment;
    ArcError err = {ARC_OK, ""};
    ArcAim *aim = NULL;
    snprintf(text, sizeof text, LINK, longest_m);
    if (arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err) != ARC_OK ||
        arc_aim_find(experiment, NULL, NULL, &aim, &err) != ARC_OK)
        fail_msg("%s", err.text);
    bool is_hit = aim->is_reachable;
    if (aim->n_solutions > 0)
        *length_m = aim->solutions[0].values[arc_experiment_parameter(experiment, "l1")];
    arc_aim_free(aim);
    arc_experiment_free(experiment);
    return is_hit;
}

/* What reach says of a link is what aim finds where that link is unknown. */
static void test_find_a_free_link_reaches_from_the_length_on_that_reach_tells(void **state)
{
    (void)state;
    char text[1024];
    ArcExperiment *experiment;
    ArcReach reach;
    ArcError err = {ARC_OK, ""};
    double length_m = NAN;
    snprintf(text, sizeof text, LINK, 3.0);
    if (arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err) != ARC_OK ||
        arc_reach_of_experiment(experiment, &reach, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_false(reach.is_reachable);
    double least = 0.8 + cure_of(&reach, ARC_REACH_LENGTH, 0);
    assert_true(is_hit_with_link_up_to(3.0, &length_m));
    assert_true(length_m >= least - 1e-6);
    assert_true(is_hit_with_link_up_to(least + 1e-4, &length_m));
    assert_near(length_m, least, 1.01e-4);
    assert_false(is_hit_with_link_up_to(least - 1e-4, &length_m));
    assert_near(length_m, least - 1e-4, 1e-6);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find_hoop_of_a_short_link_wants_the_length_of_free_fall),
        cmocka_unit_test(test_find_hoop_that_is_passed_rising_is_out_of_reach),
        cmocka_unit_test(test_find_hoop_within_reach_is_entered_from_above),
        cmocka_unit_test(test_miss_of_a_hoop_has_its_derivatives),
        cmocka_unit_test(test_find_area_is_reached_at_its_centre),
        cmocka_unit_test(test_text_of_a_hoop_names_it),
        cmocka_unit_test(test_find_a_free_link_reaches_from_the_length_on_that_reach_tells),
    };
    return cmocka_run_group_tests_name("reach of targets", tests, NULL, NULL);
}
