/* The numbers of a throw: closed forms of the vacuum, every gradient against differences, the
 * clearance beside a search over path and rim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/numbers.h"
#include "shot_case.h"
#include "sweep.h"

static const double g_m_s2 = 9.80665;

#define PLANE(more) SHOT_HEAD "flight: {dimensions: 2" more "}\n"
#define SPACE(more) SHOT_HEAD "flight: {dimensions: 3" more "}\n"

enum {
    ALL = (1 << ARC_AIM_SPEED) | (1 << ARC_AIM_HEIGHT) | (1 << ARC_AIM_CLEARANCE) |
          (1 << ARC_AIM_ENERGY)
};

static ArcShotNumbers numbers_of(const ShotCase *c)
{
    ArcShotNumbers numbers;
    assert_true(arc_shot_numbers(c->shot, c->values, ALL, true, &numbers));
    return numbers;
}

static void test_numbers_of_the_vacuum_are_closed_forms(void **state)
{
    (void)state;
    ShotCase c = shot_case(
        PLANE(", ball: basketball, buoyancy: false") "parameters: {x0: 0, y0: 1.8, vx0: 5, vy0: "
                                                     "7}\n",
        shot_hoop(5.9, 3.0, 0.0));
    const ArcShotNumbers is = numbers_of(&c);
    double down = sqrt(49.0 - 2.0 * g_m_s2 * 1.2), t = (7.0 + down) / g_m_s2;
    double mass = c.experiment->flight.settings.ball.mass_kg;
    assert_near(is.value[ARC_AIM_MISS], fabs(5.0 * t - 5.9), 1e-11);
    assert_near(is.value[ARC_AIM_SPEED], sqrt(74.0), 1e-12);
    assert_near(is.value[ARC_AIM_ENTRY_SPEED], hypot(5.0, down), 1e-11);
    assert_near(is.value[ARC_AIM_ENTRY_ANGLE], atan2(down, 5.0), 1e-12);
    assert_near(is.value[ARC_AIM_TIME], t, 1e-12);
    assert_near(is.value[ARC_AIM_HEIGHT], 1.8 + 24.5 / g_m_s2, 1e-12);
    assert_near(is.value[ARC_AIM_ENERGY], 0.5 * mass * 74.0, 1e-11);
    assert_true(isnan(is.value[ARC_AIM_PEAK_TORQUE]));
    shot_free(&c);
}

/* Without a ball the energy is that of 1 kg, and nothing is taken off the clearance. */
static void test_numbers_without_a_ball_are_of_a_point(void **state)
{
    (void)state;
    ShotCase c = shot_case(PLANE(", gravity: 0") "parameters: {x0: 0, y0: 5, vx0: 3, vy0: -4}\n",
                           shot_hoop(1.55, 3.0, 0.0));
    const ArcShotNumbers is = numbers_of(&c);
    assert_near(is.value[ARC_AIM_ENERGY], 12.5, 1e-12);
    assert_near(is.value[ARC_AIM_CLEARANCE], (0.2286 - 0.05) * 0.8, 1e-12);
    assert_near(is.value[ARC_AIM_HEIGHT], 5.0, 0.0);
    shot_free(&c);
}

/* On a straight path in the plane (R - |o|) sin e - r, through the rim and beyond it. */
static void test_clearance_of_a_straight_path_is_the_closed_form(void **state)
{
    (void)state;
    static const double offsets[] = {-0.6, -0.24, -0.2286, -0.2, -0.05, 0.02, 0.2, 0.2286, 0.3, 2};
    static const double angles[] = {0.3, 0.8, 1.2, 1.5};
    for (int i = 0; i < 10 * 4; i++) {
        double e = angles[i % 4], o = offsets[i / 4];
        char text[512];
        snprintf(text, sizeof text,
                 PLANE(", gravity: 0, ball: basketball") "parameters: {x0: %.17g, y0: %.17g, vx0: "
                                                         "%.17g, vy0: %.17g}\n",
                 1.0 + o - 5.0 * cos(e), 3.0 + 5.0 * sin(e), 6.0 * cos(e), -6.0 * sin(e));
        ShotCase c = shot_case(text, shot_hoop(1.0, 3.0, 0.0));
        const ArcShotNumbers is = numbers_of(&c);
        double radius = c.experiment->flight.radius_m;
        assert_near(is.value[ARC_AIM_CLEARANCE], (0.2286 - fabs(o)) * sin(e) - radius, 1e-11);
        assert_near(is.by[ARC_AIM_CLEARANCE][shot_parameter(&c, "x0")], o > 0.0 ? -sin(e) : sin(e),
                    1e-9);
        shot_free(&c);
    }
}

/* The least distance of the path from the rim's circle by brute force: 2e-6 m is what the grid of
 * times and a parabola leave. */
static double searched_distance(const ShotCase *c, double around_s)
{
    const ArcGoal *goal = &c->experiment->aim.goal;
    int up = c->experiment->flight.settings.up, d = c->experiment->flight.settings.dimensions;
    double least = INFINITY, before = INFINITY, last = INFINITY;
    for (int i = -2000; i <= 2000; i++) {
        ArcShotState at;
        double level = 0.0, time = around_s + 1e-4 * i;
        if (time < 0.0)
            continue;
        assert_true(arc_shot_at(c->shot, c->values, time, false, &at));
        for (int k = 0; k < d; k++)
            level = k == up ? level : hypot(level, at.x_m[k] - goal->point_m[k]);
        double distance = hypot(level - goal->radius_m, at.x_m[up] - goal->point_m[up]);
        if (last <= before && last <= distance) {
            double bend = before - 2.0 * last + distance, lean = distance - before;
            least = fmin(least, bend > 0.0 ? last - lean * lean / (8.0 * bend) : last);
        }
        before = last;
        last = distance;
    }
    return least;
}

static void test_clearance_is_what_a_search_finds(void **state)
{
    (void)state;
    static const double speeds[] = {6.9, 7.06, 7.12, 7.2, 7.4}, azimuths[] = {-0.05, 0.0, 0.02};
    int inside = 0, outside = 0;
    for (int i = 0; i < 5 * 3; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 SPACE(", " SHOT_BALL) "release: polar\nparameters: {cd: 0.5, x0: 0, y0: 0, z0: "
                                       "2.1, speed: %g, angle: 0.9, azimuth: %g}\n",
                 speeds[i % 5], azimuths[i / 5]);
        ShotCase c = shot_case(text, shot_hoop(4.2, 0.0, 3.05));
        const ArcShotNumbers is = numbers_of(&c);
        double distance = searched_distance(&c, is.value[ARC_AIM_TIME]);
        bool is_inside = is.value[ARC_AIM_MISS] < 0.2286;
        inside += is_inside;
        outside += !is_inside;
        assert_near(is.value[ARC_AIM_CLEARANCE] + c.experiment->flight.radius_m,
                    is_inside ? distance : -distance, 2e-6);
        shot_free(&c);
    }
    assert_true(inside >= 3 && outside >= 3);
}

/* Where the ball is let go beside the hoop and only leaves it, there is no nearest point. */
static void test_clearance_from_the_release_on_is_that_of_the_release(void **state)
{
    (void)state;
    ShotCase c = shot_case(PLANE(", gravity: 0, ball: basketball") "parameters: {x0: 1.5, y0: 3.1, "
                                                                   "vx0: 4, vy0: -1}\n",
                           shot_hoop(1.0, 3.0, 0.0));
    const ArcShotNumbers is = numbers_of(&c);
    double out = 0.5 - 0.2286, distance = hypot(out, 0.1);
    assert_near(is.value[ARC_AIM_CLEARANCE], -distance - c.experiment->flight.radius_m, 1e-12);
    assert_near(is.by[ARC_AIM_CLEARANCE][shot_parameter(&c, "x0")], -out / distance, 1e-12);
    assert_near(is.by[ARC_AIM_CLEARANCE][shot_parameter(&c, "vx0")], 0.0, 1e-12);
    shot_free(&c);
}

static void test_clearance_of_area_and_point(void **state)
{
    (void)state;
    ShotCase area = shot_case(SPACE(", gravity: 0") "parameters: {x0: 0, y0: 0, z0: 1, vx0: 4, "
                                                    "vy0: 1, vz0: -0.5}\n",
                              shot_area(0, 2.0, 0.3, 1.0));
    ArcShotNumbers is = numbers_of(&area); /* o = (0.2, -0.25), half = (0.5, 0.6) */
    assert_near(is.value[ARC_AIM_CLEARANCE], 0.3, 1e-12);
    assert_near(is.by[ARC_AIM_CLEARANCE][shot_parameter(&area, "y0")], -1.0, 1e-12);
    assert_near(is.by[ARC_AIM_CLEARANCE][shot_parameter(&area, "z0")], 0.0, 1e-12);
    area.values[shot_parameter(&area, "z0")] = 0.7;
    is = numbers_of(&area); /* o = (0.2, -0.55) */
    assert_near(is.value[ARC_AIM_CLEARANCE], 0.05, 1e-12);
    assert_near(is.by[ARC_AIM_CLEARANCE][shot_parameter(&area, "z0")], 1.0, 1e-12);
    shot_free(&area);
    ShotCase point = shot_case(PLANE() "parameters: {x0: 0, y0: 1, vx0: 4, vy0: 5}\n",
                               shot_point(2.0, 2.0, 0.0));
    is = numbers_of(&point);
    assert_true(isnan(is.value[ARC_AIM_CLEARANCE]));
    shot_free(&point);
}

/* Thrown at the floor it rises higher than it was let go; thrown up without gravity it has no top.
 */
static void test_height_with_a_bounce_and_without_a_top(void **state)
{
    (void)state;
    ShotCase c = shot_case(
        PLANE(", bounce: {plane: y=0, restitution: 0.9, friction: 0}") "parameters: {x0: 0, y0: 1, "
                                                                       "vx0: 2, vy0: -6}\n",
        shot_hoop(2.0, 1.5, 0.0));
    ArcShotNumbers is = numbers_of(&c);
    double square = 36.0 + 2.0 * g_m_s2, top = 0.81 * square / (2.0 * g_m_s2);
    assert_true(top > 1.5);
    assert_near(is.value[ARC_AIM_HEIGHT], top, 1e-10);
    assert_near(is.by[ARC_AIM_HEIGHT][shot_parameter(&c, "vy0")], 0.81 * -6.0 / g_m_s2, 1e-8);
    shot_free(&c);
    ShotCase up = shot_case(PLANE(", gravity: 0") "parameters: {x0: 0, y0: 1, vx0: 2, vy0: 3}\n",
                            shot_area(0, 2.0, 4.0, 0.0));
    is = numbers_of(&up);
    assert_near(is.value[ARC_AIM_HEIGHT], 4.0, 1e-12);
    shot_free(&up);
}

/* A throw straight at the target: the miss is 0, and so is its gradient. */
static void test_miss_of_zero_has_no_gradient(void **state)
{
    (void)state;
    ShotCase c = shot_case(PLANE(", gravity: 0") "parameters: {x0: 0, y0: 1, vx0: 2, vy0: 0}\n",
                           shot_point(2.0, 1.0, 0.0));
    const ArcShotNumbers is = numbers_of(&c);
    assert_near(is.value[ARC_AIM_MISS], 0.0, 0.0);
    for (int i = 0; i < c.n; i++)
        assert_near(is.by[ARC_AIM_MISS][i], 0.0, 0.0);
    shot_free(&c);
}

/* Every number but those without a meaning, and the offset. */
static int all_numbers(void *context, const double *values, double *numbers,
                       double (*by)[ARC_MAX_PARAMETERS])
{
    const ShotCase *c = context;
    ArcShotNumbers is;
    int m = 0;
    assert_true(arc_shot_numbers(c->shot, values, ALL, by != NULL, &is));
    for (int k = 0; k < ARC_N_AIM_NUMBERS + 3; k++) {
        bool is_number = k < ARC_N_AIM_NUMBERS;
        double value = is_number ? is.value[k] : is.offset_m[k - ARC_N_AIM_NUMBERS];
        if (isnan(value))
            continue;
        numbers[m] = value;
        if (by != NULL)
            memcpy(by[m], is_number ? is.by[k] : is.by_offset[k - ARC_N_AIM_NUMBERS], sizeof *by);
        m++;
    }
    return m;
}

static void check_gradients(const char *text, ArcGoal goal, const char *without)
{
    ShotCase c = shot_case(text, goal);
    shot_check(all_numbers, &c, c.experiment, c.values, without, 1e-7);
    shot_free(&c);
}

static void test_gradients_in_the_plane_are_differences(void **state)
{
    (void)state;
#define TEXT                                                                                       \
    PLANE(", " SHOT_BALL ", lift: linear")                                                         \
    "parameters: {cd: 0.5, cm: 0.9, spin: -18, x0: 0.1, y0: 1.8, vx0: 5.2, vy0: 6.6}\n"
    check_gradients(TEXT, shot_hoop(4.95, 3.0, 0.0), " t0 ");
    check_gradients(TEXT, shot_hoop(5.2, 3.0, 0.0), " t0 ");
    check_gradients(TEXT, shot_hoop(5.9, 3.0, 0.0), " t0 ");
    check_gradients(TEXT, shot_area(0, 5.0, 2.8, 0.0), " t0 ");
    check_gradients(TEXT, shot_point(5.0, 2.5, 0.0), " t0 ");
#undef TEXT
    check_gradients(PLANE(", up: x, " SHOT_BALL) "release: polar\nparameters: {cd: 0.5, x0: 1.8, "
                                                 "y0: 0.1, speed: 8.5, angle: 0.9}\n",
                    shot_hoop(3.0, 5.2, 0.0), " t0 ");
}

static void test_gradients_in_space_are_differences(void **state)
{
    (void)state;
#define TEXT                                                                                       \
    SPACE(", " SHOT_BALL ", lift: rational, spin_decay: aerodynamic")                              \
    "release: polar\nparameters: {cd: 0.5, wx: 3, wy: -17, wz: 2, spin_decay: 0.1, x0: 0.1, y0: "  \
    "0.2, z0: 1.8, speed: 8.6, angle: 0.9, azimuth: 0.05}\n"
    check_gradients(TEXT, shot_hoop(5.0, 0.45, 3.0), " t0 ");
    check_gradients(TEXT, shot_hoop(5.5, 0.3, 3.0), " t0 ");
    check_gradients(TEXT, shot_area(0, 5.0, 0.3, 2.5), " t0 ");
    check_gradients(TEXT, shot_point(5.0, 0.3, 2.5), " t0 ");
#undef TEXT
    check_gradients(SPACE(", up: y, " SHOT_BALL) "parameters: {cd: 0.5, x0: 0.1, y0: 1.8, z0: 0.2, "
                                                 "vx0: 0.3, vy0: 6.6, vz0: 5.3}\n",
                    shot_hoop(0.4, 3.0, 5.0), " t0 ");
}

static void test_gradients_of_an_arm_are_differences(void **state)
{
    (void)state;
    check_gradients(PLANE(", " SHOT_BALL) "release: arm\narm:\n  joints:\n    - {length: 0.5 m}\n"
                                          "    - {length: 0.4 m}\n  base: [0.1 m, 1.4 m]\n"
                                          "parameters: {cd: 0.5, theta1: 2, theta2: 0.5, omega1: "
                                          "-7, omega2: -6}\n",
                    shot_hoop(4.0, 2.2, 0.0), " t0 x0 y0 vx0 vy0 ");
    check_gradients(SPACE(", " SHOT_BALL) "release: arm\narm:\n  joints:\n    - {axis: yaw, "
                                          "length: 0.1 m}\n    - {axis: pitch, length: 0.5 m}\n"
                                          "    - {axis: pitch, length: 0.4 m}\n  base: [0.1 m, 0.2 "
                                          "m, 1.4 m]\nparameters: {cd: 0.5, theta1: 0.1, theta2: "
                                          "2, theta3: 0.5, omega1: 0.3, omega2: -7, omega3: -6}\n",
                    shot_hoop(4.0, 0.5, 2.2), " t0 x0 y0 z0 vx0 vy0 vz0 ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_of_the_vacuum_are_closed_forms),
        cmocka_unit_test(test_numbers_without_a_ball_are_of_a_point),
        cmocka_unit_test(test_clearance_of_a_straight_path_is_the_closed_form),
        cmocka_unit_test(test_clearance_is_what_a_search_finds),
        cmocka_unit_test(test_clearance_from_the_release_on_is_that_of_the_release),
        cmocka_unit_test(test_clearance_of_area_and_point),
        cmocka_unit_test(test_height_with_a_bounce_and_without_a_top),
        cmocka_unit_test(test_miss_of_zero_has_no_gradient),
        cmocka_unit_test(test_gradients_in_the_plane_are_differences),
        cmocka_unit_test(test_gradients_in_space_are_differences),
        cmocka_unit_test(test_gradients_of_an_arm_are_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
