/* Flights that touch rim and backboard: against a Runge-Kutta of the test's own, closed forms of
 * hard surfaces, energy, sensitivities by differences, and a bank shot found by them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "aim/touch.h"
#include "shot_case.h"
#include "sweep.h"

static const double g_m_s2 = 9.80665;

#define PLANE(more) SHOT_HEAD "flight: {dimensions: 2, " more "}\n"
#define SPACE(more) SHOT_HEAD "flight: {dimensions: 3, " more "}\n"
#define VACUUM "ball: basketball, buoyancy: false"

typedef struct Case {
    ShotCase shot;
    ArcTouch *touch;
} Case;

/* A basket at 3.048 m with its board behind it. */
static ArcGoal basket(int dimensions)
{
    ArcGoal goal = dimensions == 3 ? shot_hoop(4.191, 0.1, 3.048) : shot_hoop(4.191, 3.048, 0.0);
    goal.has_backboard = true;
    goal.backboard = (ArcPlane){0, 4.572};
    return goal;
}

/* By the experiment's contact. */
static void case_touch(Case *c)
{
    ArcError err;
    if (arc_touch_create(c->shot.shot, c->shot.arena, &c->touch, &err) != ARC_OK)
        fail_msg("%s", err.text);
}

static Case case_create(const char *text, ArcGoal goal)
{
    Case c = {.shot = shot_case(text, goal)};
    case_touch(&c);
    return c;
}

static double *value_of(Case *c, const char *name)
{
    return &c->shot.values[shot_parameter(&c->shot, name)];
}

static ArcTouched fly(Case *c)
{
    static ArcTouched touched;
    assert_true(arc_touch_fly(c->touch, c->shot.values, true, &touched));
    return touched;
}

#define DRAG_THROW                                                                                 \
    PLANE(SHOT_BALL ", lift: linear")                                                              \
    "release: polar\nparameters: {cd: 0.5, cm: 0.9, spin: -18, x0: 0, y0: 2.1, speed: 7.3, "       \
    "angle: 0.9}\n"

/* Without a touch it is the flight of shot.h, down to a ball's radius below the rim. */
static void test_fly_clean_throw_is_the_shot(void **state)
{
    (void)state;
    Case c = case_create(DRAG_THROW, basket(2));
    ArcShotState at;
    *value_of(&c, "speed") = 7.33;
    const ArcTouched touched = fly(&c);
    c.shot.experiment->aim.goal.point_m[1] -= c.shot.experiment->flight.radius_m;
    ShotCase low = shot_case(DRAG_THROW, c.shot.experiment->aim.goal);
    assert_true(arc_shot_meet(low.shot, c.shot.values, true, &at));
    assert_int_equal(touched.end, ARC_TOUCH_IN);
    assert_false(touched.rim || touched.board);
    assert_near(touched.state.t_s, at.t_s, 2e-6);
    assert_near(touched.offset_m[0], at.x_m[0] - 4.191, 1e-5);
    assert_near(touched.margin_m, 0.2286 - fabs(touched.offset_m[0]), 0.0);
    for (int i = 0; i < low.n; i++) /* the board's softness reaches some millimetres */
        assert_near(touched.by_offset[0][i], at.by_x[0][i], 1e-2 * (0.1 + fabs(at.by_x[0][i])));
    shot_free(&low);
    shot_free(&c.shot);
}

/* A board so hard that it is a mirror at a ball's radius, which keeps e of the speed: with more
 * stiffness nearer and nearer. */
static void test_fly_hard_board_is_the_closed_form(void **state)
{
    (void)state;
    double last = INFINITY;
    for (int i = 0; i < 4; i++) {
        Case c = {.shot = shot_case(PLANE(VACUUM) "parameters: {x0: 3, y0: 3, vx0: 2.16, vy0: 4}\n",
                                    basket(2))};
        ArcAimContact *contact = &c.shot.experiment->aim.contact;
        contact->stiffness_n_m = 4e4 * pow(16.0, i);
        contact->width_m = 1e-3 * pow(1.0 / 16.0, i);
        case_touch(&c);
        double radius = c.shot.experiment->flight.radius_m, there = 4.572 - radius;
        double t = (4.0 + sqrt(16.0 - 2.0 * g_m_s2 * (0.048 - radius))) / g_m_s2;
        double x = there - 0.75 * 2.16 * (t - (there - 3.0) / 2.16);
        const ArcTouched touched = fly(&c);
        assert_true(touched.board && !touched.rim);
        assert_int_equal(touched.end, ARC_TOUCH_IN);
        assert_near(touched.state.t_s, t, 1e-9);
        double off = fabs(touched.state.x_m[0] - x);
        assert_true(off < 0.4 * last);
        last = off;
        shot_free(&c.shot);
    }
    assert_near(last, 0.0, 1e-3);
}

/* The same equation by a Runge-Kutta with steps of 2e-6 s: state where it comes down. */
static void check_beside_own_steps(double speed, double restitution)
{
    Case c = {.shot = shot_case(PLANE(VACUUM) "parameters: {x0: 0, y0: 2.1, vx0: 0, vy0: 0}\n",
                                basket(2))};
    ArcAimContact *is = &c.shot.experiment->aim.contact;
    is->restitution = restitution;
    case_touch(&c);
    *value_of(&c, "vx0") = speed * cos(0.9);
    *value_of(&c, "vy0") = speed * sin(0.9);
    const ArcTouched touched = fly(&c);
    const ArcFlight *flight = &c.shot.experiment->flight;
    const ArcContactSettings settings = {.dimensions = 2,
                                         .up = 1,
                                         .mass_kg = flight->settings.ball.mass_kg,
                                         .radius_m = flight->radius_m,
                                         .has_rim = true,
                                         .centre_m = {4.191, 3.048},
                                         .circle_m = 0.2286 + is->wire_m,
                                         .wire_m = is->wire_m,
                                         .has_board = true,
                                         .axis = 0,
                                         .face_m = 4.572,
                                         .front = -1.0,
                                         .stiffness_n_m = is->stiffness_n_m,
                                         .restitution = restitution,
                                         .width_m = is->width_m};
    const ArcContactLaw law = arc_contact_create(&settings);
    double y[4] = {0.0, 2.1, speed * cos(0.9), speed * sin(0.9)}, dt = 2e-6, t = 0.0;
    double low = 3.048 - flight->radius_m, before = 0.0, at = 0.0;
    for (; t < 5.0 && !(before > low && y[1] <= low); t += dt) {
        static const double shares[] = {0.0, 0.5, 0.5, 1.0}, weights[] = {1.0, 2.0, 2.0, 1.0};
        double k[4] = {0}, sum[4] = {0};
        before = y[1];
        at = y[0];
        for (int stage = 0; stage < 4; stage++) {
            double z[4], a[2] = {0.0, -g_m_s2};
            for (int i = 0; i < 4; i++)
                z[i] = y[i] + shares[stage] * dt * k[i];
            arc_contact_add(&law, 2, z, z + 2, a, NULL, NULL);
            k[0] = z[2];
            k[1] = z[3];
            k[2] = a[0];
            k[3] = a[1];
            for (int i = 0; i < 4; i++)
                sum[i] += weights[stage] * dt / 6.0 * k[i];
        }
        for (int i = 0; i < 4; i++)
            y[i] += sum[i];
    }
    double share = (before - low) / (before - y[1]);
    assert_true(touched.rim);
    assert_near(touched.state.t_s, t - dt * (1.0 - share), 1e-7);
    assert_near(touched.state.x_m[0], at + share * (y[0] - at), 1e-7);
    assert_near(touched.state.v_m_s[0], y[2], 1e-6);
    assert_near(touched.state.v_m_s[1], y[3], 1e-4); /* it falls on to the step's end */
    shot_free(&c.shot);
}

static void test_fly_touches_are_those_of_small_steps(void **state)
{
    (void)state;
    check_beside_own_steps(7.0, 0.75);
    check_beside_own_steps(7.3, 0.75);
    check_beside_own_steps(7.1, 1.0);
    check_beside_own_steps(7.5, 0.3);
}

/* Restitution 1, no air: the energy at the end is that of the release, whatever was touched. */
static void test_fly_without_damping_keeps_the_energy(void **state)
{
    (void)state;
    int touches = 0;
    for (int dimensions = 2; dimensions <= 3; dimensions++)
        for (int i = 0; i < 16; i++) {
            const char *text = dimensions == 2
                                   ? PLANE(VACUUM) "release: polar\nparameters: {x0: 0, y0: 2.1, "
                                                   "speed: 7, angle: 0.9}\n"
                                   : SPACE(VACUUM) "release: polar\nparameters: {x0: 0, y0: 0, z0: "
                                                   "2.1, speed: 7, angle: 0.9, azimuth: 0.02}\n";
            Case c = {.shot = shot_case(text, basket(dimensions))};
            c.shot.experiment->aim.contact.restitution = 1.0;
            case_touch(&c);
            double speed = 6.8 + 0.08 * i, energy = 0.0;
            *value_of(&c, "speed") = speed;
            const ArcTouched touched = fly(&c);
            touches += touched.rim + touched.board;
            for (int k = 0; k < dimensions; k++)
                energy += 0.5 * pow(touched.state.v_m_s[k], 2);
            energy += g_m_s2 * (touched.state.x_m[dimensions - 1] - 2.1);
            if (touched.end != ARC_TOUCH_LIES &&
                arc_contact_gap(arc_touch_law(c.touch), touched.state.x_m) > 0.04)
                assert_near(energy, 0.5 * speed * speed, 1e-6);
            shot_free(&c.shot);
        }
    assert_true(touches > 12);
}

/* The end of a flight: t, x, v and the offset. */
static int all_numbers(void *context, const double *values, double *numbers,
                       double (*by)[ARC_MAX_PARAMETERS])
{
    Case *c = context;
    static ArcTouched touched;
    int m = 0, d = c->shot.experiment->flight.settings.dimensions;
    assert_true(arc_touch_fly(c->touch, values, by != NULL, &touched));
    for (int k = 0; k < 2 * d; k++) {
        const ArcShotState *state = &touched.state;
        numbers[m] = k < d ? state->x_m[k] : state->v_m_s[k - d];
        if (by != NULL)
            memcpy(by[m], k < d ? state->by_x[k] : state->by_v[k - d], sizeof *by);
        m++;
    }
    numbers[m] = touched.state.t_s;
    numbers[m + 1] = touched.margin_m;
    if (by != NULL) {
        memcpy(by[m], touched.state.by_t, sizeof *by);
        memcpy(by[m + 1], touched.by_margin, sizeof *by);
    }
    return m + 2;
}

static void check_partials(Case *c, const char *without, bool rim, bool board)
{
    const ArcTouched touched = fly(c);
    assert_true(touched.rim == rim && touched.board == board);
    ShotGap gap = shot_gap(all_numbers, c, c->shot.experiment, c->shot.values, without);
    if (!(gap.largest <= 1e-5))
        fail_msg("number %d by %s: off %g", gap.row,
                 c->shot.experiment->parameters[gap.parameter].name, gap.largest);
    shot_free(&c->shot);
}

static void test_sensitivities_through_touches_are_differences(void **state)
{
    (void)state;
    static const struct {
        double speed;
        bool rim, board;
    } plane[] = {
        {7.33, false, false}, {7.08, true, false}, {7.82, false, true}, {7.98, true, true}};
    for (int i = 0; i < 4; i++) {
        Case c = case_create(DRAG_THROW, basket(2));
        *value_of(&c, "speed") = plane[i].speed;
        check_partials(&c, " t0 ", plane[i].rim, plane[i].board);
    }
    Case space = case_create(
        SPACE(SHOT_BALL
              ", lift: rational, spin_decay: aerodynamic") "parameters: {cd: 0.5, wx: 3, wy: -17, "
                                                           "wz: 2, spin_decay: 0.1, x0: "
                                                           "0.1, y0: 0.2, z0: 2.1, vx0: 4.4, vy0: "
                                                           "-0.25, vz0: 5.6}\n",
        basket(3));
    check_partials(&space, " t0 ", true, false);
    Case up = case_create(SPACE("up: y, " SHOT_BALL) "release: polar\nparameters: {cd: 0.5, x0: 0, "
                                                     "y0: 2.1, z0: 0, speed: 8.05, angle: 0.9, "
                                                     "azimuth: 0.02}\n",
                          (ArcGoal){.kind = ARC_GOAL_HOOP,
                                    .point_m = {0.1, 3.048, 4.191},
                                    .radius_m = 0.2286,
                                    .has_backboard = true,
                                    .backboard = {2, 4.572}});
    check_partials(&up, " t0 ", true, true);
    Case arm = case_create(PLANE(SHOT_BALL) "release: arm\narm:\n  joints:\n    - {length: 0.5 m}\n"
                                            "    - {length: 0.4 m}\n  base: [0.1 m, 1.4 m]\n"
                                            "parameters: {cd: 0.5, theta1: 2, theta2: 0.5, omega1: "
                                            "-7.6, omega2: -6}\n",
                           basket(2));
    check_partials(&arm, " t0 x0 y0 vx0 vy0 ", false, true);
}

/* Throws off the board that fall down in front of the rim: whether they go in has no slope there,
 * but the touched ball's offset has one, along which a few steps lead in. */
static void test_bank_shot_is_found_by_gradient_steps(void **state)
{
    (void)state;
    Case c = case_create(DRAG_THROW, basket(2));
    double *speed = value_of(&c, "speed"), *angle = value_of(&c, "angle");
    int of_speed = shot_parameter(&c.shot, "speed"), of_angle = shot_parameter(&c.shot, "angle");
    for (int i = 0; i < 12; i++) {
        ArcTouched touched;
        *angle = 0.9;
        for (int side = -1; side <= 1; side++) {
            *speed = 8.3 + 0.03 * i + 0.01 * side;
            assert_int_equal(fly(&c).end, ARC_TOUCH_OUT);
        }
        *speed = 8.3 + 0.03 * i;
        touched = fly(&c);
        assert_true(touched.board && !touched.rim);
        int k = 0;
        for (; k < 10 && touched.end != ARC_TOUCH_IN; k++) {
            double g[2] = {touched.by_margin[of_speed], touched.by_margin[of_angle]};
            double missing = 0.2286 - touched.margin_m, size = hypot(g[0], g[1]);
            double step = fmin(missing / size, 0.15) / size;
            *speed += step * g[0];
            *angle += step * g[1];
            touched = fly(&c);
        }
        assert_int_equal(touched.end, ARC_TOUCH_IN);
        assert_true(touched.board);
    }
    shot_free(&c.shot);
}

/* Dropped onto the middle of the wire it comes to lie there. */
static void test_fly_ball_on_the_wire_lies(void **state)
{
    (void)state;
    Case c = case_create(PLANE(VACUUM) "parameters: {x0: 0, y0: 3.4, vx0: 0, vy0: 0}\n", basket(2));
    *value_of(&c, "x0") = 4.191 - 0.2286 - c.shot.experiment->aim.contact.wire_m;
    const ArcTouched touched = fly(&c);
    assert_int_equal(touched.end, ARC_TOUCH_LIES);
    assert_true(touched.rim);
    assert_true(touched.state.t_s > 3.0 && touched.state.t_s < 3.6);
    assert_near(touched.state.by_t[shot_parameter(&c.shot, "y0")], 0.0, 0.0);
    shot_free(&c.shot);
}

/* Let go behind the board it does not see it. */
static void test_fly_from_behind_the_board_has_none(void **state)
{
    (void)state;
    Case c =
        case_create(PLANE(VACUUM) "parameters: {x0: 8, y0: 2.1, vx0: -4.4, vy0: 5.6}\n", basket(2));
    const ArcTouched touched = fly(&c);
    assert_false(touched.board);
    shot_free(&c.shot);
}

static void test_fly_never_so_high_is_refused(void **state)
{
    (void)state;
    static ArcTouched touched;
    Case c = case_create(PLANE(VACUUM) "parameters: {x0: 0, y0: 1, vx0: 4, vy0: 2}\n", basket(2));
    assert_false(arc_touch_fly(c.touch, c.shot.values, true, &touched));
    shot_free(&c.shot);
}

static void check_refused(const char *text, ArcGoal goal, const char *words)
{
    ArcError err;
    ArcTouch *touch = NULL;
    ShotCase c = shot_case(text, goal);
    assert_int_equal(arc_touch_create(c.shot, c.arena, &touch, &err), ARC_INPUT);
    if (strstr(err.text, words) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, words);
    assert_null(touch);
    shot_free(&c);
}

static void test_create_without_what_it_needs_is_refused(void **state)
{
    (void)state;
    ArcGoal narrow = basket(2);
    narrow.radius_m = 0.1;
    check_refused(DRAG_THROW, shot_point(4.0, 3.0, 0.0), "no rim");
    check_refused(PLANE("drag: none") "parameters: {x0: 0, y0: 2, vx0: 4, vy0: 6}\n", basket(2),
                  "flight.ball");
    check_refused(PLANE(VACUUM ", bounce: {plane: y=0}") "parameters: {x0: 0, y0: 2, vx0: 4, vy0: "
                                                         "6}\n",
                  basket(2), "flight.bounce");
    check_refused(DRAG_THROW, narrow, "does not fit");
}

static bool refuse(void *context, size_t size)
{
    int *left = context;
    (void)size;
    return (*left)-- > 0;
}

/* Each block refused in turn; arenas start anew, so that creating asks for some. */
static void test_create_no_memory_is_reported(void **state)
{
    (void)state;
    ShotCase c = shot_case(DRAG_THROW, basket(2));
    int n_refused = 0;
    for (ArcStatus status = ARC_MEMORY; status != ARC_OK; n_refused++) {
        ArcArena *arena = arc_arena_create();
        ArcTouch *touch = NULL;
        ArcError err;
        int left = n_refused;
        assert_non_null(arena);
        arc_memory_set_hook(refuse, &left);
        status = arc_touch_create(c.shot, arena, &touch, &err);
        arc_memory_set_hook(NULL, NULL);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        assert_int_equal(touch != NULL, status == ARC_OK);
        arc_arena_free(arena);
    }
    assert_true(n_refused > 1);
    shot_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fly_clean_throw_is_the_shot),
        cmocka_unit_test(test_fly_hard_board_is_the_closed_form),
        cmocka_unit_test(test_fly_touches_are_those_of_small_steps),
        cmocka_unit_test(test_fly_without_damping_keeps_the_energy),
        cmocka_unit_test(test_sensitivities_through_touches_are_differences),
        cmocka_unit_test(test_bank_shot_is_found_by_gradient_steps),
        cmocka_unit_test(test_fly_ball_on_the_wire_lies),
        cmocka_unit_test(test_fly_from_behind_the_board_has_none),
        cmocka_unit_test(test_fly_never_so_high_is_refused),
        cmocka_unit_test(test_create_without_what_it_needs_is_refused),
        cmocka_unit_test(test_create_no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
