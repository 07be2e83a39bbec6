/* Events: closed forms on the parabola, two crossings in one step, touches, starts on the surface,
 * sensitivities by differences, convergence, work limits. */
#include "sim/event.h"

#include "sim_motions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sweep.h"

enum { MAX_D = 3, MAX_Q = 9 };

/* An event's place. */
typedef struct Met {
    double t, slope, x[MAX_D], v[MAX_D], a[MAX_D];
    double t_q[MAX_Q], x_q[MAX_D * MAX_Q], v_q[MAX_D * MAX_Q];
} Met;

/* x[axis] = level. */
typedef struct Plane {
    int d, axis;
    double level;
} Plane;

static double plane_value(const void *context, double t, const double *x, const double *v,
                          double *g_t, double *g_x, double *g_v)
{
    (void)t, (void)v;
    const Plane *plane = context;
    *g_t = 0;
    for (int e = 0; e < plane->d; e++) {
        g_x[e] = e == plane->axis;
        g_v[e] = 0;
    }
    return x[plane->axis] - plane->level;
}

/* Rate of the distance from a point, times the distance. */
static double approach_value(const void *context, double t, const double *x, const double *v,
                             double *g_t, double *g_x, double *g_v)
{
    (void)t;
    const double *point = context;
    double g = *g_t = 0;
    for (int e = 0; e < 2; e++) {
        g += (x[e] - point[e]) * v[e];
        g_x[e] = v[e];
        g_v[e] = x[e] - point[e];
    }
    return g;
}

/* x_2 minus a level that rises with the time. */
static double lift_value(const void *context, double t, const double *x, const double *v,
                         double *g_t, double *g_x, double *g_v)
{
    (void)v;
    const double *speed = context;
    *g_t = -*speed;
    g_x[0] = g_v[0] = g_v[1] = 0;
    g_x[1] = 1;
    return x[1] - *speed * t;
}

/* Not a number on one side. */
static double broken_value(const void *context, double t, const double *x, const double *v,
                           double *g_t, double *g_x, double *g_v)
{
    double g = plane_value(context, t, x, v, g_t, g_x, g_v);
    return g < 0 ? sqrt(g) : g;
}

static ArcSimEnd find_with(const ArcMotion *motion, const ArcSimSettings *settings,
                           const ArcSimStart *start, const ArcSimEvent *event, double until,
                           Met *met)
{
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    ArcSimulator *simulator;
    assert_int_equal(arc_sim_create(motion, settings, arena, &simulator, NULL), ARC_OK);
    ArcSimMeeting meeting = {
        .x = met->x, .v = met->v, .a = met->a, .t_q = met->t_q, .x_q = met->x_q, .v_q = met->v_q};
    ArcSimEnd end = arc_sim_find(simulator, start, event, until, &meeting);
    met->t = meeting.t;
    met->slope = meeting.slope;
    arc_arena_free(arena);
    return end;
}

static ArcSimEnd find(const ArcMotion *motion, double tolerance, const ArcSimStart *start,
                      const ArcSimEvent *event, double until, Met *met)
{
    ArcSimSettings settings = arc_sim_settings_default();
    settings.tolerance = tolerance;
    return find_with(motion, &settings, start, event, until, met);
}

/* A throw in the vacuum from (0, 2) at (5, 6), begun at 0.3 s. */
static const double throw_x[2] = {0, 2}, throw_v[2] = {5, 6};
static const ArcSimStart throw = {.t0 = 0.3, .origin = 0.3, .x0 = throw_x, .v0 = throw_v};

static void test_sim_find_plane_of_a_parabola_is_the_closed_form(void **state)
{
    (void)state;
    Plane plane = {2, 1, 3};
    ArcSimEvent event = {&plane, plane_value, ARC_SIM_FALLING};
    Met met;
    double root = sqrt(36 - 2 * G), s = (6 + root) / G;
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 60, &met), ARC_SIM_DONE);
    assert_near(met.t, 0.3 + s, 1e-13);
    assert_near(met.x[0], 5 * s, 1e-12);
    assert_near(met.x[1], 3, 1e-13);
    assert_near(met.v[1], -root, 1e-12);
    assert_near(met.slope, -root, 1e-12);
    assert_near(met.a[1], -G, 0);
    /* q = x0 y0 vx0 vy0; y0 + vy0 s - G s^2 / 2 = 3 */
    const double t_q[4] = {0, 1 / root, 0, s / root};
    for (int c = 0; c < 4; c++) {
        assert_near(met.t_q[c], t_q[c], 1e-12);
        assert_near(met.x_q[c], 5 * t_q[c] + (c == 0) + (c == 2) * s, 1e-12);
        assert_near(met.x_q[4 + c], 0, 1e-12);
        assert_near(met.v_q[4 + c], (c == 3) - G * t_q[c], 1e-12);
    }
    event.direction = ARC_SIM_RISING;
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 60, &met), ARC_SIM_DONE);
    assert_near(met.t, 0.3 + (6 - root) / G, 1e-13);
    event.direction = ARC_SIM_EITHER;
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 60, &met), ARC_SIM_DONE);
    assert_near(met.t, 0.3 + (6 - root) / G, 1e-13);
}

/* In the vacuum one step covers all: the ball is above the level for 2e-5 s of it and more. */
static void test_sim_find_two_crossings_in_one_step_are_both_seen(void **state)
{
    (void)state;
    double apex = 2 + 36 / (2 * G);
    for (double below = 1e-1; below > 1e-8; below *= 0.1) {
        Plane plane = {2, 1, apex - below};
        ArcSimEvent event = {&plane, plane_value, ARC_SIM_RISING};
        Met up, down;
        double half = sqrt(2 * below / G), error = 1e-14 / half + 1e-13;
        assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 1.2, &up), ARC_SIM_DONE);
        event.direction = ARC_SIM_FALLING;
        assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 1.2, &down), ARC_SIM_DONE);
        assert_near(up.t, 0.3 + 6 / G - half, error);
        assert_near(down.t, 0.3 + 6 / G + half, error);
        assert_true(up.v[1] > 0 && down.v[1] < 0);
        assert_near(up.t_q[3], -(6 / G - half) / (G * half), 1e-8 / (half * half));
    }
}

static void test_sim_find_tangent_touch_is_no_event(void **state)
{
    (void)state;
    double apex = 2 + 36 / (2 * G);
    Met met;
    /* Whole, and with the touch anywhere in a step: it may come to lie on a time looked at. */
    for (int i = 0; i <= 40; i++) {
        Plane plane = {2, 1, apex};
        ArcSimEvent event = {&plane, plane_value, ARC_SIM_EITHER};
        double until = 0.3 + 6 / G + 0.02 * i;
        assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, until, &met), ARC_SIM_NO_EVENT);
    }
    /* With drag, as far as the tolerance tells a touch from two crossings or none. */
    double x0[2] = {0, 0}, v0[2] = {5, 6}, p[2] = {0.05, 0};
    ArcSimStart start = {.x0 = x0, .v0 = v0, .p = p};
    const double far_below[2] = {0, -1e9}; /* from there the apex is the farthest point */
    ArcSimEvent turn = {far_below, approach_value, ARC_SIM_FALLING};
    assert_int_equal(find(&BALL, 1e-12, &start, &turn, 5, &met), ARC_SIM_DONE);
    Plane plane = {2, 1, met.x[1]};
    ArcSimEvent event = {&plane, plane_value, ARC_SIM_EITHER};
    plane.level = met.x[1] + 1e-8;
    assert_int_equal(find(&BALL, 1e-12, &start, &event, 1, &met), ARC_SIM_NO_EVENT);
    plane.level -= 2e-8;
    assert_int_equal(find(&BALL, 1e-12, &start, &event, 1, &met), ARC_SIM_DONE);
}

static void test_sim_find_start_on_the_surface_is_no_event(void **state)
{
    (void)state;
    Plane plane = {2, 1, 2};
    ArcSimEvent event = {&plane, plane_value, ARC_SIM_EITHER};
    Met met;
    /* left and met again */
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 60, &met), ARC_SIM_DONE);
    assert_near(met.t, 0.3 + 12 / G, 1e-13);
    assert_near(met.v[1], -6, 1e-12);
    /* left for good */
    double down[2] = {5, -6}, level[2] = {5, 0};
    ArcSimStart start = {.x0 = throw_x, .v0 = down};
    assert_int_equal(find(&VACUUM, 1e-10, &start, &event, 60, &met), ARC_SIM_NO_EVENT);
    start.v0 = level; /* it leaves by its acceleration alone */
    assert_int_equal(find(&VACUUM, 1e-10, &start, &event, 60, &met), ARC_SIM_NO_EVENT);
    /* left for a moment: the whole arc lies in the first of the times looked at */
    double lob[2] = {5, 1e-3};
    start.v0 = lob;
    assert_int_equal(find(&VACUUM, 1e-10, &start, &event, 60, &met), ARC_SIM_DONE);
    assert_near(met.t, 2e-3 / G, 1e-12);
    /* never left */
    plane = (Plane){2, 0, 0};
    double up[2] = {0, 6};
    start.v0 = up;
    assert_int_equal(find(&VACUUM, 1e-10, &start, &event, 60, &met), ARC_SIM_NO_EVENT);
}

static void test_sim_find_nothing_met_is_said(void **state)
{
    (void)state;
    Plane plane = {2, 1, 100};
    ArcSimEvent event = {&plane, plane_value, ARC_SIM_EITHER};
    Met met;
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 60, &met), ARC_SIM_NO_EVENT);
    plane.level = -100; /* after the time is up */
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 1.5, &met), ARC_SIM_NO_EVENT);
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 60, &met), ARC_SIM_DONE);
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 0.3, &met), ARC_SIM_NO_EVENT);
    event.direction = ARC_SIM_RISING;
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 60, &met), ARC_SIM_NO_EVENT);
}

static void test_sim_find_moving_surface_counts_from_the_origin(void **state)
{
    (void)state;
    double speed = 3; /* 2 + 6 s - G s^2 / 2 = 3 s, s from the start */
    ArcSimEvent event = {&speed, lift_value, ARC_SIM_EITHER};
    Met met;
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 60, &met), ARC_SIM_DONE);
    double root = sqrt(9 + 4 * G);
    assert_near(met.t, 0.3 + (3 + root) / G, 1e-13);
    assert_near(met.t_q[1], 1 / root, 1e-12);
}

static void test_sim_find_closest_approach_is_where_it_stands_square(void **state)
{
    (void)state;
    double x0[2] = {0, 2}, v0[2] = {5, 6}, p[2] = {0.05, -1}, point[2] = {3, 2.5};
    ArcSimStart start = {.x0 = x0, .v0 = v0, .p = p};
    ArcSimEvent event = {point, approach_value, ARC_SIM_RISING};
    Met met;
    assert_int_equal(find(&BALL, 1e-12, &start, &event, 5, &met), ARC_SIM_DONE);
    double near = hypot(met.x[0] - point[0], met.x[1] - point[1]);
    assert_near((met.x[0] - point[0]) * met.v[0] + (met.x[1] - point[1]) * met.v[1], 0, 1e-11);
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    ArcSimulator *simulator;
    ArcSimSettings settings = {1e-12, 1000, ARC_SIM_AUTO};
    assert_int_equal(arc_sim_create(&BALL, &settings, arena, &simulator, NULL), ARC_OK);
    double t[101], x[202];
    for (int i = 0; i <= 100; i++)
        t[i] = met.t * 1.2 * i / 100;
    ArcSimOutput output = {.x = x};
    assert_int_equal(arc_sim_run(simulator, &start, 101, t, &output, NULL), ARC_SIM_DONE);
    for (int i = 0; i <= 100; i++)
        assert_true(hypot(x[2 * i] - point[0], x[2 * i + 1] - point[1]) >= near - 1e-12);
    arc_arena_free(arena);
}

/* Central differences of whole searches over a sweep of steps, against the sensitivities. */
static void check_sensitivities(const ArcMotion *motion, const double *p, const double *x0,
                                const double *v0, const ArcSimEvent *event)
{
    int d = motion->dimensions, P = motion->n_parameters, Q = P + 2 * d;
    double q[MAX_Q];
    Met met, above, below;
    memcpy(q, p, (size_t)P * sizeof(double));
    memcpy(q + P, x0, (size_t)d * sizeof(double));
    memcpy(q + P + d, v0, (size_t)d * sizeof(double));
    ArcSimStart start = {.t0 = 0.2, .origin = 0.2, .x0 = q + P, .v0 = q + P + d, .p = q};
    assert_int_equal(find(motion, 1e-12, &start, event, 20, &met), ARC_SIM_DONE);
    for (int c = 0; c < Q; c++) {
        double best[1 + 2 * MAX_D], analytic[1 + 2 * MAX_D], at = q[c];
        for (int k = 0; k < N_STEPS; k++) {
            double h = steps[k];
            q[c] = at + h;
            assert_int_equal(find(motion, 1e-13, &start, event, 20, &above), ARC_SIM_DONE);
            q[c] = at - h;
            assert_int_equal(find(motion, 1e-13, &start, event, 20, &below), ARC_SIM_DONE);
            q[c] = at;
            for (int i = 0; i < 1 + 2 * d; i++) {
                const double *row = i == 0   ? met.t_q
                                    : i <= d ? met.x_q + (i - 1) * Q
                                             : met.v_q + (i - 1 - d) * Q;
                double up = i == 0 ? above.t : i <= d ? above.x[i - 1] : above.v[i - 1 - d];
                double down = i == 0 ? below.t : i <= d ? below.x[i - 1] : below.v[i - 1 - d];
                analytic[i] = row[c];
                double error = fabs((up - down) / (2 * h) - row[c]);
                best[i] = k == 0 ? error : fmin(best[i], error);
            }
        }
        double size = 0;
        for (int i = 0; i < 1 + 2 * d; i++) {
            assert_near(best[i] / (1 + fabs(analytic[i])), 0, 2e-8);
            size = fmax(size, fabs(analytic[i]));
        }
        assert_true(size > 1e-2);
    }
}

static void test_sim_find_sensitivities_are_differences_of_searches(void **state)
{
    (void)state;
    double p2[2] = {0.05, -1.5}, p3[3] = {1.3, 0.4, 0.9};
    double x2[2] = {0.3, 1}, v2[2] = {5, 6.5}, point[2] = {3, 1.5}, speed = 0.7;
    double x3[3] = {0.3, -0.8, 0.5}, v3[3] = {0.7, 0.2, -1.1};
    Plane ground = {2, 1, 0.1}, wall = {2, 0, 2.5}, across = {3, 1, 0.1};
    check_sensitivities(&BALL, p2, x2, v2, &(ArcSimEvent){&ground, plane_value, ARC_SIM_FALLING});
    check_sensitivities(&BALL, p2, x2, v2, &(ArcSimEvent){&wall, plane_value, ARC_SIM_EITHER});
    check_sensitivities(&BALL, p2, x2, v2, &(ArcSimEvent){point, approach_value, ARC_SIM_RISING});
    check_sensitivities(&BALL, p2, x2, v2, &(ArcSimEvent){&speed, lift_value, ARC_SIM_FALLING});
    check_sensitivities(&CROWDED, p3, x3, v3, &(ArcSimEvent){&across, plane_value, ARC_SIM_EITHER});
}

/* Linear drag: the apex is at ln(1 + b v / G) / b. */
static void test_sim_find_error_follows_the_tolerance(void **state)
{
    (void)state;
    double x0[2] = {0, 1}, v0[2] = {9, 30}, b = 0.8, exact = log1p(b * 30 / G) / b;
    double top = 1 + (30 + G / b) * (1 - exp(-b * exact)) / b - G / b * exact;
    ArcSimStart start = {.x0 = x0, .v0 = v0, .p = &b};
    Plane plane = {2, 1, 0.9 * top};
    ArcSimEvent event = {&plane, plane_value, ARC_SIM_FALLING};
    Met reference, met;
    double fall = exact; /* Newton on the closed form for the way down */
    fall += 1;
    for (int i = 0; i < 50; i++) {
        double e = exp(-b * fall);
        fall -= (1 + (30 + G / b) * (1 - e) / b - G / b * fall - plane.level) /
                ((30 + G / b) * e - G / b);
    }
    for (double tolerance = 1e-4; tolerance > 1e-13; tolerance *= 1e-2) {
        assert_int_equal(find(&LINEAR_DRAG, tolerance, &start, &event, 30, &met), ARC_SIM_DONE);
        assert_near(met.t, fall, 20 * tolerance + 1e-14);
        assert_near(met.x[1], plane.level, 1e-12);
    }
    assert_int_equal(find(&LINEAR_DRAG, 1e-3, &start, &event, 30, &reference), ARC_SIM_DONE);
    assert_true(fabs(reference.t - fall) > fabs(met.t - fall));
}

static void test_sim_find_values_alone_are_those_with_sensitivities(void **state)
{
    (void)state;
    double x0[2] = {0, 2}, v0[2] = {5, 6}, p[2] = {0.05, -1};
    ArcSimStart start = {.x0 = x0, .v0 = v0, .p = p};
    Plane plane = {2, 1, 0};
    ArcSimEvent event = {&plane, plane_value, ARC_SIM_FALLING};
    Met met;
    assert_int_equal(find(&BALL, 1e-10, &start, &event, 5, &met), ARC_SIM_DONE);
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    ArcSimulator *simulator;
    ArcSimSettings settings = arc_sim_settings_default();
    assert_int_equal(arc_sim_create(&BALL, &settings, arena, &simulator, NULL), ARC_OK);
    double x[2];
    ArcSimMeeting only = {.x = x};
    assert_int_equal(arc_sim_find(simulator, &start, &event, 5, &only), ARC_SIM_DONE);
    assert_near(only.t, met.t, 1e-10);
    assert_near(x[0], met.x[0], 1e-9);
    arc_arena_free(arena);
}

/* Nothing hangs: counted in evaluations of the motion. */
static int n_evaluations;

static void counted(void *context, double t, const double *x, const double *v, const double *p,
                    double *a, double *a_x, double *a_v, double *a_p)
{
    n_evaluations++;
    ball(context, t, x, v, p, a, a_x, a_v, a_p);
}

static void test_sim_find_extreme_motions_end_within_the_limit(void **state)
{
    (void)state;
    const struct {
        double v0[2], p[2];
        ArcSimEnd end;
    } rows[] = {
        {{1e4, 1e4}, {1e3, 0}, ARC_SIM_DONE},            /* stops at once, then falls slowly */
        {{10, 10}, {0.02, 1e5}, ARC_SIM_TOO_MANY_STEPS}, /* circles 1e5 rad/s */
        {{1e4, 1e4}, {0.02, 1e3}, ARC_SIM_DONE},         /* half a circle of 10 m */
        {{1e4, 1e4}, {0, 0}, ARC_SIM_NO_EVENT},          /* away for more than a minute */
        {{1e300, 0}, {1, 0}, ARC_SIM_NON_FINITE},
    };
    ArcMotion motion = BALL;
    motion.acceleration = counted;
    Plane plane = {2, 1, -0.5};
    ArcSimEvent event = {&plane, plane_value, ARC_SIM_FALLING};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double x0[2] = {0, 0};
        ArcSimStart start = {.x0 = x0, .v0 = rows[i].v0, .p = rows[i].p};
        Met met;
        n_evaluations = 0;
        ArcSimEnd end = find(&motion, 1e-10, &start, &event, 60, &met);
        print_message("row %d: end %d, %d evaluations\n", (int)i, (int)end, n_evaluations);
        assert_int_equal(end, rows[i].end);
        assert_true(n_evaluations < 10000 * 30 + 1000);
    }
}

static void test_sim_find_failures_are_told_apart(void **state)
{
    (void)state;
    Plane plane = {2, 1, 1};
    Met met;
    ArcSimEvent event = {&plane, broken_value, ARC_SIM_EITHER};
    assert_int_equal(find(&VACUUM, 1e-10, &throw, &event, 60, &met), ARC_SIM_NON_FINITE);
    double x0 = 0, v0 = 0, k = 1e4;
    ArcSimStart start = {.x0 = &x0, .v0 = &v0, .p = &k};
    Plane line = {1, 0, 1};
    event = (ArcSimEvent){&line, plane_value, ARC_SIM_EITHER};
    assert_int_equal(find(&CLIFF, 1e-10, &start, &event, 60, &met), ARC_SIM_NON_FINITE);
    x0 = 0.5; /* swings 100 rad/s and never comes to 1 */
    ArcSimSettings settings = {1e-10, 50, ARC_SIM_AUTO};
    assert_int_equal(find_with(&OSCILLATOR, &settings, &start, &event, 60, &met),
                     ARC_SIM_TOO_MANY_STEPS);
    v0 = NAN;
    assert_int_equal(find(&OSCILLATOR, 1e-10, &start, &event, 60, &met), ARC_SIM_NON_FINITE);
}

/* Each of the first swings of an oscillator, by starting over from the last. */
static void test_sim_find_from_event_to_event_walks_all_of_them(void **state)
{
    (void)state;
    double x0 = 1, v0 = 0, k = 6.25, t0 = 0;
    Plane line = {1, 0, 0.25};
    ArcSimEvent event = {&line, plane_value, ARC_SIM_EITHER};
    double swing = acos(0.25) / 2.5, whole = 2 * M_PI / 2.5;
    for (int i = 0; i < 12; i++) {
        Met met;
        ArcSimStart start = {.t0 = t0, .x0 = &x0, .v0 = &v0, .p = &k};
        assert_int_equal(find(&OSCILLATOR, 1e-12, &start, &event, 100, &met), ARC_SIM_DONE);
        double expected = i % 2 == 0 ? swing + whole * (i / 2) : whole * (i / 2 + 1) - swing;
        assert_near(met.t, expected, 1e-9);
        t0 = met.t;
        x0 = 0.25;
        v0 = met.v[0];
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim_find_plane_of_a_parabola_is_the_closed_form),
        cmocka_unit_test(test_sim_find_two_crossings_in_one_step_are_both_seen),
        cmocka_unit_test(test_sim_find_tangent_touch_is_no_event),
        cmocka_unit_test(test_sim_find_start_on_the_surface_is_no_event),
        cmocka_unit_test(test_sim_find_nothing_met_is_said),
        cmocka_unit_test(test_sim_find_moving_surface_counts_from_the_origin),
        cmocka_unit_test(test_sim_find_closest_approach_is_where_it_stands_square),
        cmocka_unit_test(test_sim_find_sensitivities_are_differences_of_searches),
        cmocka_unit_test(test_sim_find_error_follows_the_tolerance),
        cmocka_unit_test(test_sim_find_values_alone_are_those_with_sensitivities),
        cmocka_unit_test(test_sim_find_extreme_motions_end_within_the_limit),
        cmocka_unit_test(test_sim_find_failures_are_told_apart),
        cmocka_unit_test(test_sim_find_from_event_to_event_walks_all_of_them),
    };
    return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
