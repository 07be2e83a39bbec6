/* The simulator in up to 16 dimensions: a chain of oscillators, each pulled back and tied to its
 * neighbours, the outer ones to walls,
 *
 *   x_e'' = -k x_e + c (x_(e-1) - 2 x_e + x_(e+1)),   x_0 = x_(d+1) = 0,   p = (k, c)
 *
 * whose modes are sines, sqrt(2 / (d + 1)) sin(pi m e / (d + 1)), of frequencies w_m^2 = k + 4 c
 * sin^2(pi m / (2 (d + 1))): all of state and sensitivities in closed form. */
#include "sim/simulator.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_D = ARC_SIM_MAX_DIMENSIONS, P = 2, MAX_Q = P + 2 * MAX_D, TIMES = 6 };

static void chain(void *context, double t, const double *x, const double *v, const double *p,
                  double *a, double *a_x, double *a_v, double *a_p)
{
    (void)t, (void)v;
    int d = *(const int *)context;
    if (a_x != NULL) {
        memset(a_x, 0, sizeof(double) * (size_t)(d * d));
        memset(a_v, 0, sizeof(double) * (size_t)(d * d));
    }
    for (int e = 0; e < d; e++) {
        double bend = (e > 0 ? x[e - 1] : 0) - 2 * x[e] + (e < d - 1 ? x[e + 1] : 0);
        a[e] = -p[0] * x[e] + p[1] * bend;
        if (a_x == NULL)
            continue;
        a_x[e * d + e] = -p[0] - 2 * p[1];
        if (e > 0)
            a_x[e * d + e - 1] = p[1];
        if (e < d - 1)
            a_x[e * d + e + 1] = p[1];
        a_p[e * P] = -x[e];
        a_p[e * P + 1] = bend;
    }
}

/* State and sensitivities at t in closed form. */
typedef struct Truth {
    double x[MAX_D], v[MAX_D], x_q[MAX_D * MAX_Q], v_q[MAX_D * MAX_Q];
} Truth;

/* What mode m adds, of strengths b of x0 and r of v0. */
static void add_mode(int d, int m, double t, const double *p, const double *x0, const double *v0,
                     Truth *truth)
{
    double mode[MAX_D], b = 0, r = 0, half = sin(M_PI * m / (2 * (d + 1)));
    double square = p[0] + 4 * p[1] * half * half, w = sqrt(square), by[P] = {1, 4 * half * half};
    double c = cos(w * t), s = sin(w * t);
    int Q = P + 2 * d;
    for (int e = 0; e < d; e++) {
        mode[e] = sqrt(2.0 / (d + 1)) * sin(M_PI * m * (e + 1) / (d + 1));
        b += mode[e] * x0[e];
        r += mode[e] * v0[e];
    }
    double x_w = -b * t * s + r * (t * c / w - s / square);
    double v_w = -b * (s + w * t * c) - r * t * s;
    for (int e = 0; e < d; e++) {
        truth->x[e] += mode[e] * (b * c + r * s / w);
        truth->v[e] += mode[e] * (r * c - b * w * s);
        for (int k = 0; k < P; k++) {
            truth->x_q[e * Q + k] += mode[e] * x_w * by[k] / (2 * w);
            truth->v_q[e * Q + k] += mode[e] * v_w * by[k] / (2 * w);
        }
        for (int k = 0; k < d; k++) {
            truth->x_q[e * Q + P + k] += mode[e] * mode[k] * c;
            truth->x_q[e * Q + P + d + k] += mode[e] * mode[k] * s / w;
            truth->v_q[e * Q + P + k] -= mode[e] * mode[k] * w * s;
            truth->v_q[e * Q + P + d + k] += mode[e] * mode[k] * c;
        }
    }
}

static double farthest(int n, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static const double p_of_chain[P] = {9, 30};

static void start_of(int d, double *x0, double *v0)
{
    for (int e = 0; e < d; e++) {
        x0[e] = sin(1.7 * e + 0.3);
        v0[e] = 4 * cos(2.9 * e);
    }
}

static ArcSimulator *simulator_of(const int *d, double tolerance, ArcArena *arena)
{
    ArcMotion motion = {.dimensions = *d,
                        .n_parameters = P,
                        .context = (void *)(uintptr_t)d,
                        .acceleration = chain};
    ArcSimSettings settings = arc_sim_settings_default();
    settings.tolerance = tolerance;
    ArcSimulator *simulator;
    assert_non_null(arena);
    assert_int_equal(arc_sim_create(&motion, &settings, arena, &simulator, NULL), ARC_OK);
    return simulator;
}

static void check_dimensions(int d)
{
    static double x[TIMES * MAX_D], v[TIMES * MAX_D], a[TIMES * MAX_D];
    static double x_q[TIMES * MAX_D * MAX_Q], v_q[TIMES * MAX_D * MAX_Q], plain[TIMES * MAX_D];
    int n = d * (P + 2 * d);
    double x0[MAX_D], v0[MAX_D], t[TIMES];
    ArcArena *arena = arc_arena_create();
    ArcSimulator *simulator = simulator_of(&d, 1e-12, arena);
    ArcSimOutput all = {x, v, a, x_q, v_q}, only_x = {.x = plain};
    start_of(d, x0, v0);
    ArcSimStart start = {.t0 = 0, .x0 = x0, .v0 = v0, .p = p_of_chain};
    for (int i = 0; i < TIMES; i++)
        t[i] = 2.0 * (i + 1) / TIMES;
    assert_int_equal(arc_sim_run(simulator, &start, TIMES, t, &all, NULL), ARC_SIM_DONE);
    assert_int_equal(arc_sim_run(simulator, &start, TIMES, t, &only_x, NULL), ARC_SIM_DONE);
    for (int i = 0; i < TIMES; i++) {
        Truth truth = {0};
        for (int m = 1; m <= d; m++)
            add_mode(d, m, t[i], p_of_chain, x0, v0, &truth);
        double off = fmax(farthest(d, x + i * d, truth.x), farthest(d, plain + i * d, truth.x));
        double off_v = farthest(d, v + i * d, truth.v);
        double off_q = farthest(n, x_q + i * n, truth.x_q);
        double off_v_q = farthest(n, v_q + i * n, truth.v_q);
        if (!(off < 1e-11 && off_v < 1e-10 && off_q < 1e-9 && off_v_q < 1e-8))
            fail_msg("%d dimensions at %g: off by %g %g, sensitivities by %g %g", d, t[i], off,
                     off_v, off_q, off_v_q);
    }
    arc_arena_free(arena);
}

static void test_many_coordinates_are_the_closed_form_with_all_sensitivities(void **state)
{
    (void)state;
    for (int d = 1; d <= MAX_D; d += d < 8 ? 1 : 4)
        check_dimensions(d);
    check_dimensions(MAX_D - 1);
    check_dimensions(MAX_D);
}

/* Error after n steps of equal length, each a run of its own that is not controlled. */
static double error_of_steps(int n)
{
    int d = MAX_D;
    double x[MAX_D], v[MAX_D], x0[MAX_D], v0[MAX_D], span = 1.2, h = span / n;
    ArcArena *arena = arc_arena_create();
    ArcSimulator *simulator = simulator_of(&d, 1, arena);
    ArcSimOutput output = {.x = x, .v = v};
    Truth truth = {0};
    start_of(d, x, v);
    for (int m = 1; m <= d; m++)
        add_mode(d, m, span, p_of_chain, x, v, &truth);
    for (int i = 0; i < n; i++) {
        double end = (i + 1) * h;
        int n_steps;
        memcpy(x0, x, sizeof x);
        memcpy(v0, v, sizeof v);
        ArcSimStart start = {.t0 = i * h, .x0 = x0, .v0 = v0, .p = p_of_chain};
        assert_int_equal(arc_sim_run(simulator, &start, 1, &end, &output, &n_steps), ARC_SIM_DONE);
        assert_int_equal(n_steps, 1);
    }
    arc_arena_free(arena);
    return farthest(d, x, truth.x);
}

static void test_many_coordinates_converge_with_the_eighth_order(void **state)
{
    (void)state;
    for (int n = 16; n <= 32; n *= 2) {
        double order = log2(error_of_steps(n) / error_of_steps(2 * n));
        if (!(order > 7.5 && order < 9.5))
            fail_msg("order %g from %d to %d steps", order, n, 2 * n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_coordinates_are_the_closed_form_with_all_sensitivities),
        cmocka_unit_test(test_many_coordinates_converge_with_the_eighth_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
