/* Flights over bounces: closed forms in the vacuum, partials by differences, events before, at and
 * behind a bounce, flights that end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "fit/flyer.h"
#include "fit/surface.h"
#include "fit_case.h"
#include "sweep.h"

#define BOUNCE_HEAD CASE_HEAD "fit: {methods: [direct]}\n"
#define VACUUM                                                                                     \
    BOUNCE_HEAD "flight: {dimensions: 2, bounce: {plane: y=0.1, restitution: 0.8, friction: 0}}\n"

enum { MAX_N = 40, MAX_D = 4, MAX_Q = 24, MAX_P = ARC_MAX_PARAMETERS };
static const double g_m_s2 = 9.80665;

/* A flight from an experiment's text, and one run of it. */
typedef struct Flown {
    ArcArena *arena;
    ArcExperiment *experiment;
    ArcFlyer *flyer;
    double values[MAX_P];
    ArcThrow thrown;
    int d, D, Q, n_parameters;
    double x[MAX_N * MAX_D], v[MAX_N * MAX_D], a[MAX_N * MAX_D];
    double x_q[MAX_N * MAX_D * MAX_Q], v_q[MAX_N * MAX_D * MAX_Q];
    double t, slope, t_q[MAX_Q];
} Flown;

static Flown *flown_create(const char *text, double tolerance)
{
    Flown *flown = calloc(1, sizeof *flown);
    ArcError err;
    assert_non_null(flown);
    flown->experiment = case_experiment(text);
    const ArcExperiment *experiment = flown->experiment;
    flown->arena = arc_arena_create();
    flown->n_parameters = experiment->n_parameters;
    for (int i = 0; i < experiment->n_parameters; i++)
        flown->values[i] = experiment->parameters[i].start;
    flown->thrown = (ArcThrow){&experiment->flight, experiment->release, flown->values};
    flown->d = experiment->flight.settings.dimensions;
    flown->D = experiment->flight.n_coordinates;
    flown->Q = experiment->flight.n_parameters + 2 * flown->D;
    assert_true(flown->Q <= MAX_Q);
    if (arc_flyer_create(&experiment->flight, tolerance, flown->arena, &flown->flyer, &err) !=
        ARC_OK)
        fail_msg("%s", err.text);
    return flown;
}

static void flown_free(Flown *flown)
{
    arc_arena_free(flown->arena);
    arc_experiment_free(flown->experiment);
    free(flown);
}

static bool fly(Flown *flown, int n, const double *t_s, bool partials)
{
    ArcSimOutput output = {flown->x, flown->v, flown->a, partials ? flown->x_q : NULL,
                           partials ? flown->v_q : NULL};
    return arc_flyer_run(flown->flyer, &flown->thrown, n, t_s, &output);
}

static bool find(Flown *flown, const ArcSurface *surface, ArcSimDirection direction, bool partials)
{
    const ArcSimEvent event = arc_surface_event(surface, direction);
    ArcSimMeeting meeting = {.x = flown->x,
                             .v = flown->v,
                             .a = flown->a,
                             .t_q = partials ? flown->t_q : NULL,
                             .x_q = partials ? flown->x_q : NULL,
                             .v_q = partials ? flown->v_q : NULL};
    bool found = arc_flyer_find(flown->flyer, &flown->thrown, &event, 60.0, &meeting);
    flown->t = meeting.t;
    flown->slope = meeting.slope;
    return found;
}

/* A ball at rest, struck by 1000 m/s for a thousandth of the flight: the step must not jump over
 * it. The kick is k integral (W exp(-(z / width)^2 / 2))^2 = k W^2 width sqrt(pi). */
static void test_flyer_run_narrow_gust_is_not_jumped_over(void **state)
{
    (void)state;
    static const double widths_s[] = {1e-2, 1e-3, 1e-4, 1e-5};
    for (size_t i = 0; i < sizeof widths_s / sizeof widths_s[0]; i++) {
        char text[512];
        double kick = 1e-7 / widths_s[i] * 1e6 * widths_s[i] * sqrt(M_PI), t = 1.1;
        snprintf(text, sizeof text,
                 "arcfit: 1\nflight: {dimensions: 2, gravity: 0, drag: lumped, wind: {gust: "
                 "{velocity: [1000, 0], time: 0.3171, width: %g}}}\nparameters: {k: %g, x0: 0, "
                 "y0: 2, vx0: 0, vy0: 0, t0: 0.1}\n",
                 widths_s[i], 1e-7 / widths_s[i]);
        Flown *flown = flown_create(text, 1e-10);
        assert_true(fly(flown, 1, &t, false));
        assert_near(flown->x[0], kick * (1 - 0.3171), 0.02 * kick);
        flown_free(flown);
    }
}

/* Dropped from 2.1 m with 1 m/s forwards; bounces of 0.8 on y = 0.1. */
static void test_flyer_run_vacuum_bounces_are_the_closed_form(void **state)
{
    (void)state;
    Flown *flown =
        flown_create(VACUUM "parameters: {x0: 0, y0: 2.1, vx0: 1, vy0: 0, t0: 0.5}\n", 1e-10);
    double fall = sqrt(2.0 * 2.0 / g_m_s2), up = 0.8 * g_m_s2 * fall;
    double hop = 2.0 * up / g_m_s2, t[7] = {0.5, 0.5 + 0.5 * fall, 0.5 + fall, 0, 0, 0, 0};
    t[3] = 0.5 + fall + 0.5 * hop;       /* on top between the first and the second bounce */
    t[4] = 0.5 + fall + 1.1 * hop;       /* behind the second */
    t[5] = 0.5 + fall + hop * 1.8 + 0.1; /* behind the third */
    t[6] = t[5] + 0.01;
    assert_true(fly(flown, 7, t, false));
    assert_near(flown->x[2 * 1 + 1], 2.1 - g_m_s2 * fall * fall / 8, 1e-12);
    assert_near(flown->x[2 * 2 + 1], 0.1, 1e-12);
    assert_near(flown->x[2 * 3 + 1], 0.1 + up * up / (2 * g_m_s2), 1e-12);
    assert_near(flown->v[2 * 3 + 1], 0, 1e-12);
    double s = 0.1 * hop;
    assert_near(flown->x[2 * 4 + 1], 0.1 + 0.8 * up * s - g_m_s2 * s * s / 2, 1e-12);
    s = 0.1;
    assert_near(flown->x[2 * 5 + 1], 0.1 + 0.64 * up * s - g_m_s2 * s * s / 2, 1e-11);
    for (int i = 0; i < 7; i++) {
        assert_near(flown->x[2 * i], t[i] - 0.5, 1e-12);
        assert_near(flown->a[2 * i + 1], -g_m_s2, 1e-12);
    }
    flown_free(flown);
}

/* Released under the plane it bounces from below. */
static void test_flyer_run_from_the_other_side_bounces_there(void **state)
{
    (void)state;
    Flown *flown = flown_create(VACUUM "parameters: {x0: 0, y0: 0, vx0: 1, vy0: 3}\n", 1e-10);
    double v1 = sqrt(9 - 2 * g_m_s2 * 0.1), t1 = (3 - v1) / g_m_s2, t = t1 + 0.05;
    assert_true(fly(flown, 1, &t, false));
    assert_near(flown->v[1], -0.8 * v1 - g_m_s2 * 0.05, 1e-11);
    assert_near(flown->x[1], 0.1 - 0.8 * v1 * 0.05 - g_m_s2 * 0.05 * 0.05 / 2, 1e-11);
    flown_free(flown);
}

/* Rows of the flown states to all parameters, by chain (analytic) or by differences of flights. */
static void check_partials(const char *text, int n, const double *t_s)
{
    Flown *flown = flown_create(text, 1e-12), *moved = flown_create(text, 1e-13);
    int d = flown->d, D = flown->D, Q = flown->Q, N = flown->n_parameters;
    assert_true(fly(flown, n, t_s, true));
    for (int p = 0; p < N; p++) {
        double best[2 * MAX_N * 3] = {0}, analytic[2 * MAX_N * 3];
        double at = moved->values[p], size = 0;
        for (int k = 0; k < N_STEPS; k++) {
            double h = steps[k] * 0.1, above[2 * MAX_N * 3] = {0};
            for (int side = 0; side < 2; side++) {
                moved->values[p] = at + (side == 0 ? h : -h);
                assert_true(fly(moved, n, t_s, false));
                for (int i = 0; i < n * d * 2; i++) {
                    int row = i / 2 / d * D + i / 2 % d;
                    double value = i % 2 == 0 ? moved->x[row] : moved->v[row];
                    if (side == 0) {
                        above[i] = value;
                        continue;
                    }
                    double gradient[MAX_P];
                    arc_flyer_chain(&flown->thrown, 0,
                                    (i % 2 == 0 ? flown->x_q : flown->v_q) + row * Q,
                                    i % 2 == 0 ? flown->v[row] : flown->a[row], gradient);
                    analytic[i] = gradient[p];
                    double error = fabs((above[i] - value) / (2 * h) - gradient[p]);
                    best[i] = k == 0 ? error : fmin(best[i], error);
                }
            }
        }
        moved->values[p] = at;
        for (int i = 0; i < n * d * 2; i++) {
            if (!(best[i] <= 3e-6 * (1 + fabs(analytic[i]))))
                fail_msg("%s, number %d: %g off %g", flown->experiment->parameters[p].name, i,
                         best[i], analytic[i]);
            size = fmax(size, fabs(analytic[i]));
        }
        if (!(size > 1e-4))
            fail_msg("%s moves nothing", flown->experiment->parameters[p].name);
    }
    flown_free(flown);
    flown_free(moved);
}

static void test_flyer_run_partials_over_bounces_are_differences(void **state)
{
    (void)state;
    static const double t[] = {0.3, 0.5, 0.9, 1.4, 1.9};
    /* A plane: gripping and sliding, with spin, without, two bounces and more. */
    check_partials(BOUNCE_HEAD
                   "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational, "
                   "bounce: {plane: y=0.12 m, restitution: 0.8, friction: 0.3}}\n"
                   "parameters: {cd: 0.5, spin: -20, x0: 0, y0: 1.5, vx0: 3, vy0: 1, t0: 0.05}\n",
                   5, t);
    check_partials(BOUNCE_HEAD
                   "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: linear, "
                   "bounce: {plane: y=0.12 m, restitution: 0.8, friction: 0.05}}\n"
                   "parameters: {cd: 0.5, cm: 1, spin: 30, x0: 0, y0: 1.5, vx0: 3, vy0: 1}\n",
                   5, t);
    check_partials(BOUNCE_HEAD "flight: {dimensions: 2, drag: lumped, bounce: {plane: y=0, "
                               "restitution: 0.7, friction: 0.1}}\nrelease: polar\n"
                               "parameters: {k: 0.03, x0: 0, y0: 1.5, speed: 4, angle: 0.3}\n",
                   5, t);
    /* Space, a wall, and the floor. */
    check_partials(BOUNCE_HEAD
                   "flight: {dimensions: 3, ball: basketball, drag: quadratic, lift: linear, "
                   "bounce: {plane: x=1 m, restitution: 0.8, friction: 0.2}}\n"
                   "parameters: {cd: 0.5, cm: 1, wx: 10, wy: -20, wz: 15, x0: 0, y0: 0, z0: 2, "
                   "vx0: 3, vy0: 1, vz0: 2}\n",
                   4, t);
    check_partials(BOUNCE_HEAD
                   "flight: {dimensions: 3, ball: basketball, drag: quadratic, lift: linear, "
                   "bounce: {plane: z=0.12 m, restitution: 0.8, friction: 0.4}}\n"
                   "parameters: {cd: 0.5, cm: 1, wx: 10, wy: -20, wz: 15, x0: 0, y0: 0, z0: 1.5, "
                   "vx0: 3, vy0: 1, vz0: 1}\n",
                   5, t);
}

/* Fading goes on over a bounce, by the time and by the path since the release; so do gusts. */
static void test_flyer_run_partials_of_fading_spin_and_wind_are_differences(void **state)
{
    (void)state;
    static const double t[] = {0.3, 0.5, 0.9, 1.4, 1.9};
    check_partials(BOUNCE_HEAD
                   "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: linear, "
                   "spin_decay: exponential, bounce: {plane: y=0.12 m, restitution: 0.8, friction: "
                   "0.1}, wind: {velocity: [1, 0], gust: {velocity: [3, 1], time: 0.6 s, width: "
                   "0.2 s}}}\n"
                   "parameters: {cd: 0.5, cm: 1, spin: -30, spin_tau: 1.5, x0: 0, y0: 1.5, vx0: 3, "
                   "vy0: 1, t0: 0.05}\n",
                   5, t);
    check_partials(BOUNCE_HEAD
                   "flight: {dimensions: 3, ball: basketball, drag: spin-dependent, lift: linear, "
                   "spin_decay: aerodynamic, bounce: {plane: z=0.12 m, restitution: 0.8, friction: "
                   "0.3}, wind: {velocity: [2, 0, 0], shear: {exponent: 0.2, height: 10 m, ground: "
                   "0 m}}}\n"
                   "parameters: {cd0: 0.5, cm: 1, wx: 10, wy: -20, wz: 15, spin_decay: 0.1, x0: 0, "
                   "y0: 0, z0: 1.5, vx0: 3, vy0: 1, vz0: 1, t0: 0.05}\n",
                   5, t);
}

/* Without drag and wind the spin between two bounces is w exp(-t / tau), t since the release. */
static void test_flyer_run_spin_fades_on_behind_a_bounce(void **state)
{
    (void)state;
    /* It grips: the slip is gone, whatever was left of the spin decides how much speed remains. */
    Flown *flown = flown_create(
        BOUNCE_HEAD "flight: {dimensions: 2, ball: basketball, lift: lumped, "
                    "spin_decay: exponential, buoyancy: false, bounce: {plane: y=0.12 m, "
                    "restitution: 0.8, friction: 9, spin_coupling: 1.5}}\n"
                    "parameters: {s: 0, spin: -50, spin_tau: 0.7, x0: 0, y0: 1.12, "
                    "vx0: 2, vy0: 0, t0: 0.2}\n",
        1e-11);
    double fall = sqrt(2.0 / g_m_s2), hop = 1.6 * fall, r = 0.12, kappa = 1.5;
    double spin = -50 * exp(-fall / 0.7), slip = 2 - r * spin, v1 = 2 - slip / (1 + kappa);
    double spin1 = spin + kappa / r * slip / (1 + kappa); /* now rolling: r spin = v */
    assert_near(r * spin1, v1, 1e-12);
    double slip2 = v1 - r * spin1 * exp(-hop / 0.7), v2 = v1 - slip2 / (1 + kappa);
    double t[2] = {0.2 + fall + 0.5 * hop, 0.2 + fall + 1.1 * hop};
    assert_true(fly(flown, 2, t, false));
    assert_near(flown->v[0], v1, 1e-9);
    assert_near(flown->v[2], v2, 1e-9);
    flown_free(flown);
}

static void test_flyer_find_before_at_and_behind_a_bounce(void **state)
{
    (void)state;
    Flown *flown = flown_create(VACUUM "parameters: {x0: 0, y0: 2.1, vx0: 1, vy0: 0}\n", 1e-10);
    const ArcFlight *flight = &flown->experiment->flight;
    double fall = sqrt(2.0 * 2.0 / g_m_s2), up = 0.8 * g_m_s2 * fall;
    ArcSurface surface =
        arc_surface_plane(flight, (ArcPlane){1, 1.0}); /* before: on the way down */
    assert_true(find(flown, &surface, ARC_SIM_EITHER, false));
    assert_near(flown->t, sqrt(2.0 * 1.1 / g_m_s2), 1e-11);
    assert_true(find(flown, &surface, ARC_SIM_RISING, false)); /* behind: on the way up */
    assert_near(flown->t, fall + (up - sqrt(up * up - 2 * g_m_s2 * 0.9)) / g_m_s2, 1e-11);
    surface = arc_surface_plane(flight, (ArcPlane){1, 0.1}); /* at: the bounce's own plane */
    assert_true(find(flown, &surface, ARC_SIM_FALLING, false));
    assert_near(flown->t, fall, 1e-11);
    assert_near(flown->v[1], -g_m_s2 * fall, 1e-10);
    surface = arc_surface_turn(flight, 1); /* by the bounce alone v_y comes to rise */
    assert_true(find(flown, &surface, ARC_SIM_RISING, false));
    assert_near(flown->t, fall, 1e-11);
    assert_true(find(flown, &surface, ARC_SIM_FALLING, false)); /* the apex behind it */
    assert_near(flown->t, fall + up / g_m_s2, 1e-11);
    surface = arc_surface_plane(flight, (ArcPlane){0, 1.2}); /* behind the second */
    assert_true(find(flown, &surface, ARC_SIM_EITHER, false));
    assert_near(flown->t, 1.2, 1e-11);
    double under[2] = {fall, -1}; /* the bounce is what comes nearest to it */
    surface = arc_surface_point(flight, under);
    assert_true(find(flown, &surface, ARC_SIM_RISING, false));
    assert_near(flown->t, fall, 1e-11);
    flown_free(flown);
}

static void test_flyer_find_partials_over_bounces_are_differences(void **state)
{
    (void)state;
    static const char text[] =
        BOUNCE_HEAD "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational, "
                    "bounce: {plane: y=0.12 m, restitution: 0.8, friction: 0.3}}\n"
                    "parameters: {cd: 0.5, spin: -20, x0: 0, y0: 1.5, vx0: 3, vy0: 1}\n";
    Flown *flown = flown_create(text, 1e-12), *moved = flown_create(text, 1e-13);
    const ArcFlight *flight = &flown->experiment->flight;
    double point[2] = {3.5, 0.3};
    const ArcSurface surfaces[] = {arc_surface_plane(flight, (ArcPlane){0, 3.0}),
                                   arc_surface_plane(flight, (ArcPlane){1, 0.12}),
                                   arc_surface_turn(flight, 1), arc_surface_point(flight, point)};
    const ArcSimDirection directions[] = {ARC_SIM_EITHER, ARC_SIM_FALLING, ARC_SIM_RISING,
                                          ARC_SIM_RISING};
    for (int s = 0; s < 4; s++) {
        assert_true(find(flown, &surfaces[s], directions[s], true));
        for (int p = 0; p < flown->n_parameters; p++) {
            double best[5] = {0}, analytic[5], at = moved->values[p];
            double of_t[MAX_P], of_x[2][MAX_P], of_v[2][MAX_P];
            arc_flyer_chain(&flown->thrown, 0, flown->t_q, -1.0, of_t);
            for (int c = 0; c < 2; c++) {
                arc_flyer_chain(&flown->thrown, 0, flown->x_q + c * flown->Q, 0.0, of_x[c]);
                arc_flyer_chain(&flown->thrown, 0, flown->v_q + c * flown->Q, 0.0, of_v[c]);
            }
            for (int k = 0; k < N_STEPS; k++) {
                double h = steps[k] * 0.1, at_both[2][5];
                for (int side = 0; side < 2; side++) {
                    moved->values[p] = at + (side == 0 ? h : -h);
                    assert_true(find(moved, &surfaces[s], directions[s], false));
                    memcpy(at_both[side] + 1, moved->x, 2 * sizeof(double));
                    memcpy(at_both[side] + 3, moved->v, 2 * sizeof(double));
                    at_both[side][0] = moved->t;
                }
                for (int i = 0; i < 5; i++) {
                    analytic[i] = i == 0 ? of_t[p] : i < 3 ? of_x[i - 1][p] : of_v[i - 3][p];
                    double error = fabs((at_both[0][i] - at_both[1][i]) / (2 * h) - analytic[i]);
                    best[i] = k == 0 ? error : fmin(best[i], error);
                }
            }
            moved->values[p] = at;
            for (int i = 0; i < 5; i++)
                if (!(best[i] <= 3e-6 * (1 + fabs(analytic[i]))))
                    fail_msg("surface %d, %s, number %d: %g off %g", s,
                             flown->experiment->parameters[p].name, i, best[i], analytic[i]);
        }
    }
    flown_free(flown);
    flown_free(moved);
}

static void test_flyer_why_tells_what_ended_a_flight(void **state)
{
    (void)state;
    double t = 20.0;
    Flown *flown = flown_create(VACUUM "parameters: {x0: 0, y0: 2.1, vx0: 1, vy0: 0}\n", 1e-10);
    assert_false(fly(flown, 1, &t, false));
    assert_non_null(strstr(arc_flyer_why(flown->flyer), "comes to rest"));
    ArcSurface wall = arc_surface_plane(&flown->experiment->flight, (ArcPlane){0, 30.0});
    assert_false(find(flown, &wall, ARC_SIM_EITHER, false));
    assert_non_null(strstr(arc_flyer_why(flown->flyer), "comes to rest"));
    flown->values[0] = 0.0; /* restitution */
    t = 1.0;
    assert_false(fly(flown, 1, &t, false));
    assert_non_null(strstr(arc_flyer_why(flown->flyer), "comes to rest"));
    flown_free(flown);
    flown = flown_create(CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
                                   "parameters: {k: 0.01, s: 1, spin: 1e5, x0: 0, y0: 0, vx0: 9, "
                                   "vy0: 9}\n",
                         1e-10);
    assert_false(fly(flown, 1, &t, false));
    assert_non_null(strstr(arc_flyer_why(flown->flyer), "10000 steps"));
    flown->values[2] = 0.0;
    assert_true(fly(flown, 1, &t, false));
    wall = arc_surface_plane(&flown->experiment->flight, (ArcPlane){0, -30.0});
    assert_false(find(flown, &wall, ARC_SIM_EITHER, false));
    assert_null(arc_flyer_why(flown->flyer));
    flown_free(flown);
}

/* Whole commands on extreme parameters: an answer, or the reason, and soon. */
static void test_flights_of_extreme_parameters_end_with_an_answer_or_a_reason(void **state)
{
    (void)state;
#define WILD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
#define GUST                                                                                       \
    "flight: {dimensions: 2, drag: lumped, lift: lumped, wind: {velocity: [0, 0], gust: "          \
    "{velocity: [300, 100], time: 0.5 s, width: %s}}}\n"
    static const struct {
        const char *parameters, *reason; /* NULL: it can be flown */
    } rows[] = {
        {"k: 100, s: 0.1, spin: 0, vx0: 1e4, vy0: 1e4", NULL},
        {"k: 100, s: 1, spin: 100, vx0: 1e4, vy0: 1e4", NULL},
        {"k: 100, s: 1, spin: 1e3, vx0: 1e4, vy0: 1e4", "it changes too fast: more than 10000"},
        {"k: 0, s: 0, spin: 0, vx0: 1e4, vy0: 1e4", NULL},
        {"k: 0.01, s: 1, spin: 1e5, vx0: 10, vy0: 10", "it changes too fast: more than 10000"},
        {"k: 100, s: 1, spin: 1e5, vx0: 1e4, vy0: 1e4", "it changes too fast: more than 10000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, CASE_HEAD WILD "parameters: {x0: 0, y0: 0, %s}\n",
                 rows[i].parameters);
        ArcError err = {ARC_OK, ""};
        ArcExperiment *experiment = case_experiment(text);
        ArcCapture *capture = NULL;
        const double t_s[3] = {0.1, 1.0, 20.0};
        double seconds;
        clock_t begin = clock();
        ArcSimulateSettings settings = arc_simulate_settings_default();
        settings.sigma_m = 0.003;
        ArcStatus status = arc_simulate_capture(experiment, 3, t_s, settings, &capture, &err);
        if (status != (rows[i].reason == NULL ? ARC_OK : ARC_NUMERIC) ||
            (rows[i].reason != NULL && strstr(err.text, rows[i].reason) == NULL))
            fail_msg("%s: status %d, '%s'", rows[i].parameters, (int)status, err.text);
        assert_int_equal(arc_simulate_flight_time(experiment, &settings, &seconds, &err), ARC_OK);
        assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 5.0);
        arc_capture_free(capture);
        arc_experiment_free(experiment);
    }
    /* Gusts as wide as the flight, and far shorter than a step. */
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 CASE_HEAD GUST "parameters: {k: 100, s: 1, spin: 100, x0: 0, "
                                "y0: 0, vx0: 1e4, vy0: 1e4}\n",
                 i == 0 ? "1000 s" : "1 ms");
        arc_capture_free(case_capture(text, 9, 2.0, 0.003));
    }
    /* What is asked about a start where nothing can be flown says why. */
    ArcCapture *capture = case_capture(
        CASE_HEAD WILD "parameters: {k: 0.03, x0: 0, y0: 2, vx0: 4, vy0: 5}\n", 9, 0.8, 0.003);
    ArcProblem *problem =
        case_problem(CASE_HEAD WILD "parameters: {k: free, s: 1, spin: {start: 1e5}}\n", capture);
    ArcFit *fit = NULL;
    ArcError err = {ARC_OK, ""};
    assert_int_equal(arc_fit_forecast(problem, &fit, &err), ARC_NUMERIC);
    assert_non_null(strstr(err.text, "cannot be evaluated at the start values"));
    assert_non_null(strstr(err.text, "it changes too fast: more than 10000 steps"));
    arc_problem_free(problem);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flyer_run_narrow_gust_is_not_jumped_over),
        cmocka_unit_test(test_flyer_run_vacuum_bounces_are_the_closed_form),
        cmocka_unit_test(test_flyer_run_from_the_other_side_bounces_there),
        cmocka_unit_test(test_flyer_run_partials_over_bounces_are_differences),
        cmocka_unit_test(test_flyer_run_partials_of_fading_spin_and_wind_are_differences),
        cmocka_unit_test(test_flyer_run_spin_fades_on_behind_a_bounce),
        cmocka_unit_test(test_flyer_find_before_at_and_behind_a_bounce),
        cmocka_unit_test(test_flyer_find_partials_over_bounces_are_differences),
        cmocka_unit_test(test_flyer_why_tells_what_ended_a_flight),
        cmocka_unit_test(test_flights_of_extreme_parameters_end_with_an_answer_or_a_reason),
    };
    return cmocka_run_group_tests_name("flyer", tests, NULL, NULL);
}
