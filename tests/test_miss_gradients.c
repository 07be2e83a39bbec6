/* The gradient of the miss through every path from the parameters to the goal, against differences:
 * release, arm, swing, bounce, touches of rim and board. What is printed is the largest difference
 * of each, relative to its slope (shot_case.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/numbers.h"
#include "aim/touch.h"
#include "shot_case.h"

typedef struct Case {
    ShotCase shot;
    ArcTouch *touch; /* NULL: the ball's centre alone */
} Case;

/* The miss: of a touched ball where it comes down. */
static int miss_of(void *context, const double *values, double *numbers,
                   double (*by)[ARC_MAX_PARAMETERS])
{
    static ArcTouched touched;
    static ArcShotNumbers is;
    const Case *c = context;
    if (c->touch != NULL) {
        assert_true(arc_touch_fly(c->touch, values, by != NULL, &touched));
        numbers[0] = c->shot.experiment->aim.goal.radius_m - touched.margin_m;
        assert_true(by == NULL || touched.rim || touched.board);
        for (int i = 0; by != NULL && i < c->shot.n; i++)
            by[0][i] = -touched.by_margin[i];
        return 1;
    }
    assert_true(arc_shot_numbers(c->shot.shot, values, 1U << ARC_AIM_MISS, by != NULL, &is));
    numbers[0] = is.value[ARC_AIM_MISS];
    if (by != NULL)
        memcpy(by[0], is.by[ARC_AIM_MISS], sizeof *by);
    return 1;
}

#define PLANE(more) SHOT_HEAD "flight: {dimensions: 2, " SHOT_BALL more "}\n"
#define SPACE(more) SHOT_HEAD "flight: {dimensions: 3, " SHOT_BALL more "}\n"
#define PLANE_POLAR                                                                                \
    PLANE(", lift: linear")                                                                        \
    "release: polar\nparameters: {cd: 0.5, cm: 0.9, spin: -18, x0: 0, y0: 2.1, speed: %s, angle: " \
    "0.9}\n"
#define SPACE_POLAR                                                                                \
    SPACE(", lift: rational, spin_decay: aerodynamic")                                             \
    "release: polar\nparameters: {cd: 0.5, wx: 3, wy: -17, wz: 2, spin_decay: 0.1, x0: 0, y0: 0, " \
    "z0: 2.1, speed: %s, angle: 0.9, azimuth: 0.02}\n"
#define PLANE_ARM                                                                                  \
    PLANE("")                                                                                      \
    "release: arm\narm:\n  base: [0.1 m, 1.4 m]\n  ball: [4 cm, -2 cm]\n  joints:\n"               \
    "    - {length: 0.5 m}\n    - {length: 0.4 m}\n"                                               \
    "parameters: {cd: 0.5, theta1: 2, theta2: 0.5, omega1: %s, omega2: -6}\n"
#define SPACE_ARM                                                                                  \
    SPACE("")                                                                                      \
    "release: arm\narm:\n  base: [0.1 m, 0 m, 1.4 m]\n  joints:\n    - {axis: yaw, length: 0.1 "   \
    "m}\n    - {length: 0.5 m}\n    - {length: 0.4 m}\n"                                           \
    "parameters: {cd: 0.5, theta1: 0.05, theta2: 2, theta3: 0.5, omega1: 0.1, omega2: %s, "        \
    "omega3: -6}\n"
#define SWING                                                                                      \
    PLANE("")                                                                                      \
    "release: arm\narm:\n  base: [0.1 m, 1.4 m]\n  ball: [4 cm, -2 cm]\n  joints:\n"               \
    "    - {length: 0.5 m, mass: 2 kg, centre: 0.22 m, inertia: 0.045 kg m^2, viscous: 0.3 N m s," \
    " coulomb: 0.4 N m, torque: {curve: polynomial, values: [%s, -120 N m, 40 N m]}}\n"            \
    "    - {length: 0.4 m, mass: 1.2 kg, centre: 0.18 m, inertia: 0.018 kg m^2, viscous: 0.2 N m " \
    "s, torque: {curve: trapezoid, values: [-22 N m, 0.3, 0.3]}}\n"                                \
    "aim: {target: {point: [3.5 m, 2.2 m]}, swing: {from: [230 deg, 60 deg], time: 0.3 s}}\n"

/* Which basket: that of the plane, of space; NONE: an area before it. */
typedef enum Basket { HOOP, POINT, AREA } Basket;

static const struct {
    const char *name, *text, *value;
    Basket at;
    bool is_touched;
    const char *without;
} paths[] = {
    {"release, polar, plane", PLANE_POLAR, "7.2", HOOP, false, " t0 "},
    {"release, polar, space", SPACE_POLAR, "7.2", HOOP, false, " t0 "},
    {"release, cartesian, plane",
     SHOT_HEAD "flight: {dimensions: 2, drag: lumped}\n"
               "parameters: {k: 0.02, x0: 0, y0: 2.1, vx0: %s, vy0: 5.6}\n",
     "4.5", POINT, false, " t0 "},
    {"release, cartesian, space",
     SPACE("") "parameters: {cd: 0.5, x0: 0, y0: 0, z0: 2.1, vx0: %s, vy0: 0.1, vz0: 5.6}\n", "4.5",
     AREA, false, " t0 "},
    {"arm, plane", PLANE_ARM, "-7", HOOP, false, " t0 x0 y0 vx0 vy0 "},
    {"arm, space", SPACE_ARM, "-7", POINT, false, " t0 x0 y0 z0 vx0 vy0 vz0 "},
    {"swing", SWING, "-40 N m", POINT, false, " t0 x0 y0 vx0 vy0 theta1 theta2 omega1 omega2 "},
    {"bounce",
     PLANE(
         ", lift: linear, bounce: {plane: y=0.12 m, restitution: 0.8, friction: 0.2}") "parameters:"
                                                                                       " {cd: 0.5, "
                                                                                       "cm: 0.9, "
                                                                                       "spin: -18, "
                                                                                       "x0: 0, y0: "
                                                                                       "2.1, vx0: "
                                                                                       "%s, vy0: "
                                                                                       "-8}\n",
     "4", AREA, false, " t0 "},
    {"contact, rim", PLANE_POLAR, "7.08", HOOP, true, " t0 "},
    {"contact, board", PLANE_POLAR, "7.82", HOOP, true, " t0 "},
    {"contact, board and rim", PLANE_POLAR, "7.98", HOOP, true, " t0 "},
    {"contact, space", SPACE_POLAR, "7.1", HOOP, true, " t0 "},
    {"contact, arm", PLANE_ARM, "-7.6", HOOP, true, " t0 x0 y0 vx0 vy0 "},
    {"contact, swing", SWING, "-19 N m", HOOP, true,
     " t0 x0 y0 vx0 vy0 theta1 theta2 omega1 omega2 "},
};
enum { N_PATHS = sizeof paths / sizeof paths[0] };

static ArcGoal goal_of(Basket basket, int dimensions)
{
    double y = dimensions == 3 ? 0.05 : 3.048, z = dimensions == 3 ? 3.048 : 0.0;
    ArcGoal goal = basket == HOOP    ? shot_hoop(4.191, y, z)
                   : basket == POINT ? shot_point(4.191, y, z)
                                     : shot_area(0, 4.0, y, z);
    goal.has_backboard = basket == HOOP;
    goal.backboard = (ArcPlane){0, 4.572};
    return goal;
}

static void test_miss_gradient_through_every_path_is_differences(void **state)
{
    (void)state;
    double largest = 0.0;
    for (int i = 0; i < N_PATHS; i++) {
        char text[2048];
        bool is_space = strstr(paths[i].text, "dimensions: 3") != NULL;
        snprintf(text, sizeof text, paths[i].text, paths[i].value);
        Case c = {.shot = shot_case(text, goal_of(paths[i].at, is_space ? 3 : 2))};
        ArcError err;
        if (paths[i].is_touched &&
            arc_touch_create(c.shot.shot, c.shot.arena, &c.touch, &err) != ARC_OK)
            fail_msg("%s", err.text);
        ShotGap gap = shot_gap(miss_of, &c, c.shot.experiment, c.shot.values, paths[i].without);
        print_message("%-26s %.1e by %s\n", paths[i].name, gap.largest,
                      c.shot.experiment->parameters[gap.parameter].name);
        assert_true(gap.largest < (paths[i].is_touched ? 5e-6 : 1e-7));
        largest = fmax(largest, gap.largest);
        shot_free(&c.shot);
    }
    print_message("%-26s %.1e\n", "largest", largest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_miss_gradient_through_every_path_is_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
