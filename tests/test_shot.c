/* A throw followed to its goal: closed forms of the vacuum, and every state's partials by every
 * parameter against differences, for all releases, laws, axes and goals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shot_case.h"
#include "sweep.h"

#include <stdio.h>

static const double g_m_s2 = 9.80665;

#define PLANE(more) SHOT_HEAD "flight: {dimensions: 2" more "}\n"
#define SPACE(more) SHOT_HEAD "flight: {dimensions: 3" more "}\n"
#define BACKSPIN "lift: linear"

static void test_meet_vacuum_is_the_closed_form(void **state)
{
    (void)state;
    ShotCase c = shot_case(PLANE() "parameters: {x0: 0.5, y0: 1.8, vx0: 5, vy0: 7, t0: 0.3}\n",
                           shot_hoop(4.0, 3.0, 0.0));
    ArcShotState at;
    double root = sqrt(49.0 - 2.0 * g_m_s2 * 1.2), t = (7.0 + root) / g_m_s2;
    assert_true(arc_shot_meet(c.shot, c.values, true, &at));
    assert_near(at.t_s, t, 1e-12);
    assert_near(at.x_m[0], 0.5 + 5.0 * t, 1e-11);
    assert_near(at.x_m[1], 3.0, 1e-12);
    assert_near(at.v_m_s[1], -root, 1e-11);
    /* dt/dvy0 = t / root, dt/dy0 = 1 / root; what it moves along is 5 times that. */
    int vx0 = shot_parameter(&c, "vx0"), vy0 = shot_parameter(&c, "vy0");
    int y0 = shot_parameter(&c, "y0"), x0 = shot_parameter(&c, "x0");
    assert_near(at.by_t[vy0], t / root, 1e-11);
    assert_near(at.by_t[y0], 1.0 / root, 1e-11);
    assert_near(at.by_t[vx0], 0.0, 1e-13);
    assert_near(at.by_x[0][vx0], t, 1e-11);
    assert_near(at.by_x[0][x0], 1.0, 1e-12);
    assert_near(at.by_x[0][vy0], 5.0 * t / root, 1e-10);
    assert_near(at.by_x[1][vy0], 0.0, 1e-11);
    assert_near(at.by_v[1][vy0], 1.0 - g_m_s2 * t / root, 1e-10);
    assert_near(at.by_x[0][shot_parameter(&c, "t0")], 0.0, 0.0);
    shot_free(&c);
}

/* The first closest approach to a point: (x - X) . v = 0. */
static void test_meet_point_is_the_closest_approach(void **state)
{
    (void)state;
    ShotCase c = shot_case(PLANE(", gravity: 0") "parameters: {x0: 0, y0: 0, vx0: 3, vy0: 4}\n",
                           shot_point(4.0, 3.0, 0.0));
    ArcShotState at;
    assert_true(arc_shot_meet(c.shot, c.values, false, &at));
    assert_near(at.t_s, (3.0 * 4.0 + 4.0 * 3.0) / 25.0, 1e-12);
    assert_near(at.x_m[0], 72.0 / 25.0, 1e-11);
    assert_near(at.x_m[1], 96.0 / 25.0, 1e-11);
    shot_free(&c);
}

/* A steep throw turns late: first it comes near the point on its way up, 4.8 m
 * beside it. By hand: x(t) = X at t with 5 = v cos t, 1.2 = v sin t - g t^2 / 2. */
static void test_meet_point_steep_throw_is_met_on_its_way_down(void **state)
{
    (void)state;
    for (double vy = 10.0; vy < 250.0; vy *= 1.5) {
        char text[256];
        double t = (vy + sqrt(vy * vy - 2.0 * g_m_s2 * 1.2)) / g_m_s2;
        snprintf(text, sizeof text,
                 PLANE() "parameters: {x0: 0, y0: 1.8, vx0: %.17g, vy0: %.17g}\n", (5.0 + 1e-3) / t,
                 vy);
        ShotCase c = shot_case(text, shot_point(5.0, 3.0, 0.0));
        ArcShotState at;
        assert_true(arc_shot_meet(c.shot, c.values, false, &at));
        assert_near(at.t_s, t, 1e-3);
        assert_true(hypot(at.x_m[0] - 5.0, at.x_m[1] - 3.0) < 1.001e-3);
        shot_free(&c);
    }
}

static void test_meet_goal_never_met_is_refused(void **state)
{
    (void)state;
    ArcShotState at;
    ShotCase low =
        shot_case(PLANE() "parameters: {x0: 0, y0: 1, vx0: 5, vy0: 3}\n", shot_hoop(4.0, 3.0, 0.0));
    assert_false(arc_shot_meet(low.shot, low.values, false, &at));
    shot_free(&low);
    ShotCase away = shot_case(PLANE() "parameters: {x0: 0, y0: 1, vx0: -5, vy0: 3}\n",
                              shot_area(0, 4.0, 3.0, 0.0));
    assert_false(arc_shot_meet(away.shot, away.values, false, &at));
    shot_free(&away);
}

static void test_apex_vacuum_is_the_closed_form(void **state)
{
    (void)state;
    ShotCase c = shot_case(PLANE() "parameters: {x0: 0, y0: 1.8, vx0: 5, vy0: 7, t0: -0.2}\n",
                           shot_hoop(4.0, 3.0, 0.0));
    ArcShotState at;
    int vy0 = shot_parameter(&c, "vy0");
    assert_true(arc_shot_apex(c.shot, c.values, true, &at));
    assert_near(at.t_s, 7.0 / g_m_s2, 1e-12);
    assert_near(at.x_m[1], 1.8 + 24.5 / g_m_s2, 1e-12);
    assert_near(at.by_x[1][vy0], 7.0 / g_m_s2, 1e-11);
    c.values[vy0] = -1.0;
    assert_true(arc_shot_apex(c.shot, c.values, true, &at));
    assert_near(at.t_s, 0.0, 0.0);
    assert_near(at.by_x[1][shot_parameter(&c, "y0")], 1.0, 0.0);
    shot_free(&c);
}

/* A state by its t, x and v: 7 numbers. */
static int put_state(const ShotCase *c, const ArcShotState *at, int m, double *numbers,
                     double (*by)[ARC_MAX_PARAMETERS])
{
    int d = c->experiment->flight.settings.dimensions;
    for (int k = 0; k <= 2 * d; k++) {
        int axis = k > d ? k - d - 1 : k - 1;
        const double *row = k == 0 ? at->by_t : k > d ? at->by_v[axis] : at->by_x[axis];
        numbers[m + k] = k == 0 ? at->t_s : k > d ? at->v_m_s[axis] : at->x_m[axis];
        if (by != NULL)
            memcpy(by[m + k], row, sizeof by[0]);
    }
    return m + 2 * d + 1;
}

/* All states that a shot gives. */
static int all_states(void *context, const double *values, double *numbers,
                      double (*by)[ARC_MAX_PARAMETERS])
{
    const ShotCase *c = context;
    ArcShotState at;
    int m = 0;
    assert_true(arc_shot_release(c->shot, values, by != NULL, &at));
    m = put_state(c, &at, m, numbers, by);
    assert_true(arc_shot_at(c->shot, values, 0.4, by != NULL, &at));
    m = put_state(c, &at, m, numbers, by);
    assert_true(arc_shot_apex(c->shot, values, by != NULL, &at));
    m = put_state(c, &at, m, numbers, by);
    assert_true(arc_shot_meet(c->shot, values, by != NULL, &at));
    return put_state(c, &at, m, numbers, by);
}

static const double allowed = 1e-7;

static void check_states(const char *text, ArcGoal goal, const char *without)
{
    ShotCase c = shot_case(text, goal);
    shot_check(all_states, &c, c.experiment, c.values, without, allowed);
    shot_free(&c);
}

#define PLANE_THROW "x0: 0.1, y0: 1.8, vx0: 5.2, vy0: 6.6"
#define SPACE_THROW "x0: 0.1, y0: 0.2, z0: 1.8, vx0: 5.2, vy0: 0.4, vz0: 6.6"

static void test_partials_of_a_plane_throw_are_differences(void **state)
{
    (void)state;
    const ArcGoal goals[] = {shot_point(5.0, 2.5, 0.0), shot_hoop(5.0, 3.0, 0.0),
                             shot_area(0, 5.0, 2.5, 0.0), shot_area(1, 5.0, 2.5, 0.0)};
    for (int i = 0; i < 4; i++) {
        check_states(PLANE() "parameters: {" PLANE_THROW ", t0: 0.2}\n", goals[i], " t0 ");
        check_states(PLANE(", " SHOT_BALL ", lift: linear") "parameters: {cd: 0.5, cm: 0.9, spin: "
                                                            "-18, " PLANE_THROW ", t0: 0.2}\n",
                     goals[i], " t0 ");
        check_states(PLANE(", drag: lumped, lift: lumped") "release: polar\nparameters: {k: 0.25, "
                                                           "s: 0.08, spin: 2, x0: 0, y0: 1.8, "
                                                           "speed: 20, angle: 0.9}\n",
                     goals[i], " t0 ");
    }
}

static void test_partials_of_a_space_throw_are_differences(void **state)
{
    (void)state;
    const ArcGoal goals[] = {shot_point(5.0, 0.3, 2.5), shot_hoop(5.0, 0.3, 3.0),
                             shot_area(0, 5.0, 0.3, 2.5)};
    for (int i = 0; i < 3; i++) {
        check_states(SPACE(", " SHOT_BALL ", lift: rational") "parameters: {cd: 0.5, wx: 3, wy: "
                                                              "-17, wz: 2, " SPACE_THROW "}\n",
                     goals[i], " t0 ");
        check_states(SPACE(", " SHOT_BALL) "release: polar\nparameters: {cd: 0.5, x0: 0.1, y0: "
                                           "0.2, z0: 1.8, speed: 8.6, angle: 0.9, azimuth: 0.05}\n",
                     goals[i], " t0 ");
    }
}

static void test_partials_with_other_axes_up_are_differences(void **state)
{
    (void)state;
    check_states(PLANE(", up: x, " SHOT_BALL) "parameters: {cd: 0.5, x0: 1.8, y0: 0.1, vx0: 6.6, "
                                              "vy0: 5.2}\n",
                 shot_hoop(3.0, 5.0, 0.0), " t0 ");
    check_states(PLANE(", up: x, " SHOT_BALL) "release: polar\nparameters: {cd: 0.5, x0: 1.8, y0: "
                                              "0.1, speed: 8.5, angle: 0.9}\n",
                 shot_point(3.0, 5.0, 0.0), " t0 ");
    check_states(SPACE(", up: y, " SHOT_BALL) "release: polar\nparameters: {cd: 0.5, x0: 0.1, y0: "
                                              "1.8, z0: 0.2, speed: 8.6, angle: 0.9, azimuth: "
                                              "1.4}\n",
                 shot_hoop(5.0, 3.0, 0.3), " t0 ");
    check_states(SPACE(", up: x, " SHOT_BALL) "parameters: {cd: 0.5, x0: 1.8, y0: 5, z0: 0.2, vx0: "
                                              "6.6, vy0: -5.2, vz0: 0.3}\n",
                 shot_area(1, 2.5, 0.3, 0.3), " t0 ");
}

/* Spin that fades by time and by path, wind with shear and gust, gravity among the parameters. */
static void test_partials_of_fading_spin_and_wind_are_differences(void **state)
{
    (void)state;
    static const char gust[] =
        PLANE(", " SHOT_BALL ", lift: linear, spin_decay: exponential, wind: {velocity: [1, 0], "
              "gust: {velocity: [1, 1], time: 0.6 s, width: 0.2 s}}") "parameters: {cd: 0.5, cm: "
                                                                      "0.9, spin: -18, spin_tau: "
                                                                      "1.5, " PLANE_THROW "}\n";
    static const char shear[] = SPACE(
        ", " SHOT_BALL ", lift: linear, spin_decay: aerodynamic, wind: {velocity: [1, 0.5, "
        "0], shear: {exponent: 0.2, height: 10 m, ground: 0 m}}") "parameters: {cd: 0.5, cm: 0.9, "
                                                                  "wx: 3, wy: -17, wz: 2, "
                                                                  "spin_decay: 0.1, " SPACE_THROW
                                                                  "}\n";
    static const char gravity[] =
        PLANE(", " SHOT_BALL) "parameters: {gravity: 9.8, tilt: 0.02, cd: 0.5, " PLANE_THROW "}\n";
    check_states(gust, shot_hoop(5.0, 3.0, 0.0), " t0 ");
    check_states(shear, shot_point(5.0, 0.3, 2.5), " t0 ");
    check_states(gravity, shot_hoop(5.0, 3.0, 0.0), " t0 ");
}

/* Off a wall, and off the floor, to the goal. */
static void test_partials_over_a_bounce_are_differences(void **state)
{
    (void)state;
    check_states(PLANE(", " SHOT_BALL ", lift: linear, bounce: {plane: x=5.1 m, restitution: 0.8, "
                       "friction: 0.05}") "parameters: {cd: 0.5, cm: 0.9, spin: -18, "
                                          "x0: 0.1, y0: 1.8, vx0: 6.2, vy0: 6.6}\n",
                 shot_hoop(4.6, 2.9, 0.0), " t0 ");
    check_states(SPACE(", " SHOT_BALL ", lift: linear, bounce: {plane: z=0.12 m, restitution: 0.8, "
                       "friction: 0.3}") "parameters: {cd: 0.5, cm: 0.9, wx: 3, wy: "
                                         "-17, wz: 2, x0: 0.1, y0: 0.2, z0: 1.8, "
                                         "vx0: 5, vy0: 0.4, vz0: 3}\n",
                 shot_area(0, 6.0, 0.6, 1.0), " t0 ");
}

#define PLANE_ARM                                                                                  \
    "release: arm\narm:\n  joints:\n    - {length: 0.5 m}\n    - {length: 0.4 m}\n"                \
    "  base: [0.1 m, 1.4 m]\n"
#define SPACE_ARM                                                                                  \
    "release: arm\narm:\n  joints:\n    - {axis: yaw, length: 0.1 m}\n"                            \
    "    - {axis: pitch, length: 0.5 m}\n    - {axis: pitch, length: 0.4 m}\n"                     \
    "  base: [0.1 m, 0.2 m, 1.4 m]\n  ball: [60 mm, 10 mm, 20 mm]\n"

static void test_partials_of_an_arm_are_differences(void **state)
{
    (void)state;
    check_states(PLANE(", " SHOT_BALL) PLANE_ARM
                 "parameters: {cd: 0.5, theta1: 2, theta2: 0.5, omega1: -7, "
                 "omega2: -6}\n",
                 shot_hoop(4.0, 2.2, 0.0), " t0 x0 y0 vx0 vy0 offset1 offset2 gain1 gain2 ");
    check_states(PLANE(", up: x, " SHOT_BALL) PLANE_ARM
                 "parameters: {cd: 0.5, theta1: 1, theta2: 0.5, omega1: 7, "
                 "omega2: 6}\n",
                 shot_point(2.0, -3.0, 0.0), " t0 x0 y0 vx0 vy0 offset1 offset2 gain1 gain2 ");
    check_states(SPACE(", " SHOT_BALL) SPACE_ARM
                 "parameters: {cd: 0.5, theta1: 0.1, theta2: 2, theta3: 0.5, omega1: 0.3, "
                 "omega2: -7, omega3: -6}\n",
                 shot_point(4.0, 0.5, 2.0),
                 " t0 x0 y0 z0 vx0 vy0 vz0 offset1 offset2 offset3 gain1 gain2 gain3 ");
}

static void test_create_own_equations_and_no_target_are_refused(void **state)
{
    (void)state;
    ArcError err;
    ArcShot *shot = NULL;
    ArcArena *arena = arc_arena_create();
    ArcExperiment *experiment = case_experiment(PLANE() "parameters: {" PLANE_THROW "}\n");
    assert_int_equal(arc_shot_create(experiment, arena, &shot, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "nothing to hit"));
    assert_null(shot);
    experiment->aim.goal = shot_point(1.0, 1.0, 0.0);
    experiment->closure.is_on = true;
    assert_int_equal(arc_shot_create(experiment, arena, &shot, &err), ARC_INPUT);
    assert_non_null(strstr(err.text, "closure"));
    arc_arena_free(arena);
    arc_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meet_vacuum_is_the_closed_form),
        cmocka_unit_test(test_meet_point_is_the_closest_approach),
        cmocka_unit_test(test_meet_point_steep_throw_is_met_on_its_way_down),
        cmocka_unit_test(test_meet_goal_never_met_is_refused),
        cmocka_unit_test(test_apex_vacuum_is_the_closed_form),
        cmocka_unit_test(test_partials_of_a_plane_throw_are_differences),
        cmocka_unit_test(test_partials_of_a_space_throw_are_differences),
        cmocka_unit_test(test_partials_with_other_axes_up_are_differences),
        cmocka_unit_test(test_partials_of_fading_spin_and_wind_are_differences),
        cmocka_unit_test(test_partials_over_a_bounce_are_differences),
        cmocka_unit_test(test_partials_of_an_arm_are_differences),
        cmocka_unit_test(test_create_own_equations_and_no_target_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
