/* Sensitivities by transition matrices: against those integrated forwards, against closed forms and
 * differences; kinks, pulses, origins, many times; what is asked of the motion. */
#include "sim/adjoint.h"

#include "neural_motion.h"
#include "sim_motions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_P = 260 };

/* What a run is of; outputs of n times are taken at equal distances up to end. */
typedef struct Case {
    const char *name;
    ArcMotion motion;
    ArcSimStart start;
    double end;
    int n;
} Case;

typedef struct Outputs {
    double *t, *x, *v, *a, *x_q, *v_q;
    int n_steps;
} Outputs;

static double *numbers(int n)
{
    double *block = calloc((size_t)n + 1, sizeof(double));
    assert_non_null(block);
    return block;
}

static Outputs outputs_of(const Case *c)
{
    int d = c->motion.dimensions, Q = c->motion.n_parameters + 2 * d, n = c->n;
    Outputs out = {numbers(n),
                   numbers(n * d),
                   numbers(n * d),
                   numbers(n * d),
                   numbers(n * d * Q),
                   numbers(n * d * Q),
                   0};
    for (int i = 0; i < n; i++)
        out.t[i] = c->start.t0 + (c->end - c->start.t0) * i / (n - 1);
    return out;
}

static void outputs_free(Outputs *out)
{
    free(out->t), free(out->x), free(out->v), free(out->a), free(out->x_q), free(out->v_q);
}

static ArcSimEnd run_of(const Case *c, ArcSimSensitivities how, double tolerance, Outputs *out)
{
    ArcArena *arena = arc_arena_create();
    ArcSimSettings settings = {tolerance, 20000, how};
    ArcSimulator *simulator;
    assert_int_equal(arc_sim_create(&c->motion, &settings, arena, &simulator, NULL), ARC_OK);
    ArcSimOutput output = {out->x, out->v, out->a, out->x_q, out->v_q};
    ArcSimEnd end = arc_sim_run(simulator, &c->start, c->n, out->t, &output, &out->n_steps);
    arc_arena_free(arena);
    return end;
}

/* The largest difference of two sets of rows (n, Q), of each column's own size. */
static double differ(int n, int Q, const double *a, const double *b)
{
    double worst = 0;
    for (int q = 0; q < Q; q++) {
        double size = 0, off = 0;
        for (int i = 0; i < n; i++) {
            size = fmax(size, fabs(b[i * Q + q]));
            double one = fabs(a[i * Q + q] - b[i * Q + q]);
            off = one > off || isnan(one) ? one : off;
        }
        worst = off > worst * size || isnan(off) ? off / (size + 1e-9) : worst;
    }
    return worst;
}

static void check_case(const Case *c, double tolerance, double allowed)
{
    int d = c->motion.dimensions, Q = c->motion.n_parameters + 2 * d;
    Outputs forward = outputs_of(c), adjoint = outputs_of(c);
    assert_int_equal(run_of(c, ARC_SIM_FORWARD, tolerance, &forward), ARC_SIM_DONE);
    assert_int_equal(run_of(c, ARC_SIM_ADJOINT, tolerance, &adjoint), ARC_SIM_DONE);
    double x = differ(c->n, d, adjoint.x, forward.x), v = differ(c->n, d, adjoint.v, forward.v);
    double x_q = differ(c->n * d, Q, adjoint.x_q, forward.x_q);
    double v_q = differ(c->n * d, Q, adjoint.v_q, forward.v_q);
    print_message("%s: %d and %d steps, apart by %.1e %.1e, sensitivities %.1e %.1e\n", c->name,
                  adjoint.n_steps, forward.n_steps, x, v, x_q, v_q);
    if (!(x <= allowed && v <= allowed && x_q <= allowed && v_q <= allowed))
        fail_msg("%s: apart by %g %g, sensitivities %g %g", c->name, x, v, x_q, v_q);
    outputs_free(&forward);
    outputs_free(&adjoint);
}

/* x'' = v (10 (v_y - v_x), v_x (28 - v_z) - v_y, v_x v_y - 8/3 v_z): Lorenz' system of the integral
 * x, p its three numbers. */
static void lorenz(void *context, double t, const double *x, const double *v, const double *p,
                   double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)t, (void)x;
    a[0] = p[0] * (v[1] - v[0]);
    a[1] = v[0] * (p[1] - v[2]) - v[1];
    a[2] = v[0] * v[1] - p[2] * v[2];
    if (a_v == NULL)
        return;
    const double rates[9] = {-p[0], p[0], 0, p[1] - v[2], -1, -v[0], v[1], v[0], -p[2]};
    memset(a_x, 0, 9 * sizeof(double));
    memcpy(a_v, rates, sizeof rates);
    if (a_p == NULL)
        return;
    const double by[9] = {v[1] - v[0], 0, 0, 0, v[0], 0, 0, 0, -v[2]};
    memcpy(a_p, by, sizeof by);
}

static void test_adjoint_is_forward(void **state)
{
    (void)state;
    static double p_ball[2] = {0.05, -1.5}, p_crowded[3] = {1.3, 0.4, 0.9}, k = 6.25, b = 0.8;
    static double p_lorenz[3] = {10, 28, 8.0 / 3}, lorenz_0[3] = {0}, lorenz_v[3] = {-8, 7, 27};
    static double x0[3] = {0.3, -0.8, 0.5}, v0[3] = {5, 6.5, 0}, w0[3] = {0.7, 0.2, -1.1};
    static const double kinks[] = {0.9, 1.3};
    ArcMotion attractor = {.dimensions = 3,
                           .n_parameters = 3,
                           .position_free = true,
                           .acceleration = lorenz,
                           .spares_a_p = true};
    ArcMotion pulsed = CROWDED;
    pulsed.pulse_s = 0.7;
    pulsed.pulse_width_s = 0.01;
    const Case cases[] = {
        {"a ball", BALL, {.x0 = x0, .v0 = v0, .p = p_ball}, 0.8, 7},
        {"linear drag", LINEAR_DRAG, {.x0 = x0, .v0 = v0, .p = &b}, 2, 301},
        {"an oscillator", OSCILLATOR, {.x0 = x0, .v0 = v0, .p = &k}, 5, 41},
        {"all at once",
         CROWDED,
         {.t0 = 0.4, .origin = -0.2, .x0 = x0, .v0 = w0, .p = p_crowded},
         2,
         11},
        {"with kinks",
         CROWDED,
         {.t0 = 0.4, .x0 = x0, .v0 = w0, .p = p_crowded, .n_kinks = 2, .kinks = kinks},
         2,
         11},
        {"with a pulse", pulsed, {.t0 = 0.4, .x0 = x0, .v0 = w0, .p = p_crowded}, 2, 11},
        {"Lorenz", attractor, {.x0 = lorenz_0, .v0 = lorenz_v, .p = p_lorenz}, 3, 26},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_case(&cases[i], 1e-14, 1e-10);
}

static void test_adjoint_of_neural_motions_is_forward(void **state)
{
    (void)state;
    static double p[MAX_P];
    const double x0[3] = {0.3, 1.8, 0.5}, v0[3] = {5, 6.5, -1};
    for (int d = 2; d <= 3; d++) {
        NeuralMotion net = {d, d == 2 ? 14 : 20};
        Case c = {d == 2 ? "a net in the plane" : "a net in space",
                  neural_motion(&net, p),
                  {.t0 = 0.2, .origin = 0.1, .x0 = x0, .v0 = v0, .p = p},
                  1.2,
                  31};
        assert_true(c.motion.n_parameters >= 50 && c.motion.n_parameters <= MAX_P);
        check_case(&c, 1e-14, 1e-10);
        check_case(&c, 1e-10, 5e-7);
    }
}

/* Squares of what the states miss targets by, and their gradient by p, as a fit takes it. */
static double misfit(const Case *c, ArcSimSensitivities how, double *gradient)
{
    int d = c->motion.dimensions, P = c->motion.n_parameters, Q = P + 2 * d;
    double sum = 0;
    Outputs out = outputs_of(c);
    assert_int_equal(run_of(c, how, 1e-13, &out), ARC_SIM_DONE);
    memset(gradient, 0, (size_t)P * sizeof(double));
    for (int i = 0; i < c->n * d; i++) {
        double miss = out.x[i] - sin(3.0 * i);
        sum += 0.5 * miss * miss;
        for (int k = 0; k < P; k++)
            gradient[k] += miss * out.x_q[i * Q + k];
    }
    outputs_free(&out);
    return sum;
}

static void test_adjoint_gradient_of_a_neural_motion_is_the_difference(void **state)
{
    (void)state;
    static double p[MAX_P], gradient[MAX_P], unused[MAX_P];
    static const double steps[4] = {1e-3, -1e-3, 2e-3, -2e-3};
    static const double weights[4] = {8 / 12e-3, -8 / 12e-3, -1 / 12e-3, 1 / 12e-3};
    const double x0[2] = {0.3, 1.8}, v0[2] = {5, 6.5};
    NeuralMotion net = {2, 24};
    Case c = {"a net", neural_motion(&net, p), {.x0 = x0, .v0 = v0, .p = p}, 1, 13};
    double size = 0, worst = 0;
    misfit(&c, ARC_SIM_AUTO, gradient);
    for (int k = 0; k < c.motion.n_parameters; k++)
        size = fmax(size, fabs(gradient[k]));
    for (int k = 0; k < c.motion.n_parameters; k += 3) {
        double value = p[k], slope = 0;
        for (int i = 0; i < 4; i++) {
            p[k] = value + steps[i];
            slope += weights[i] * misfit(&c, ARC_SIM_AUTO, unused);
        }
        p[k] = value;
        worst = fmax(worst, fabs(slope - gradient[k]) / size);
    }
    print_message("%d weights: gradient off by %.1e of its largest\n", c.motion.n_parameters,
                  worst);
    assert_true(size > 1 && worst < 1e-8 && worst > 0);
}

static void counted(void *context, double t, const double *x, const double *v, const double *p,
                    double *a, double *a_x, double *a_v, double *a_p)
{
    int *calls = context;
    calls[a_v == NULL ? 0 : a_p == NULL ? 1 : 2]++;
    ball(NULL, t, x, v, p, a, a_x, a_v, a_p);
}

static void test_adjoint_asks_for_the_parameters_partials_at_the_nodes_alone(void **state)
{
    (void)state;
    const double x0[2] = {0.3, 1.8}, v0[2] = {5, 6.5}, p[2] = {0.05, -1.5};
    int calls[3] = {0}, all[3] = {0};
    ArcMotion motion = BALL;
    motion.acceleration = counted;
    motion.context = calls;
    motion.spares_a_p = true;
    Case c = {"a ball", motion, {.x0 = x0, .v0 = v0, .p = p}, 0.8, 7};
    Outputs out = outputs_of(&c);
    assert_int_equal(run_of(&c, ARC_SIM_ADJOINT, 1e-10, &out), ARC_SIM_DONE);
    assert_int_equal(calls[2], 8 * out.n_steps);
    assert_true(calls[1] >= 15 * out.n_steps);
    /* who cannot spare them is asked for them all the time */
    c.motion.spares_a_p = false;
    c.motion.context = all;
    assert_int_equal(run_of(&c, ARC_SIM_ADJOINT, 1e-10, &out), ARC_SIM_DONE);
    assert_int_equal(all[1], 0);
    assert_int_equal(all[2], calls[1] + calls[2]);
    outputs_free(&out);
}

static void test_adjoint_is_chosen_by_size(void **state)
{
    (void)state;
    ArcMotion motion = BALL;
    ArcSimSettings settings = arc_sim_settings_default();
    assert_int_equal(settings.sensitivities, ARC_SIM_AUTO);
    motion.spares_a_p = true;
    assert_false(arc_sim_wants_adjoint(&motion, &settings));
    motion.n_parameters = 128;
    assert_true(arc_sim_wants_adjoint(&motion, &settings));
    motion.spares_a_p = false;
    assert_false(arc_sim_wants_adjoint(&motion, &settings));
    settings.sensitivities = ARC_SIM_ADJOINT;
    assert_true(arc_sim_wants_adjoint(&motion, &settings));
    settings.sensitivities = ARC_SIM_FORWARD;
    assert_false(arc_sim_wants_adjoint(&motion, &settings));
    motion.n_parameters = 0;
    settings.sensitivities = ARC_SIM_ADJOINT;
    assert_false(arc_sim_wants_adjoint(&motion, &settings));
}

/* A push that is felt in a hundredth of the time alone, of which a step of the motion knows nothing
 * while its strength is 0: x'' = p exp(-(t - 0.43)^2 / (2 0.01^2)). */
static void narrow(void *context, double t, const double *x, const double *v, const double *p,
                   double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)x, (void)v;
    double s = (t - 0.43) / 0.01, push = exp(-0.5 * s * s);
    a[0] = p[0] * push;
    if (a_v != NULL)
        a_x[0] = a_v[0] = 0;
    if (a_p != NULL)
        a_p[0] = push;
}

static void test_adjoint_integral_is_refined_where_the_partials_are_narrow(void **state)
{
    (void)state;
    static const ArcMotion motion = {1, 1, false, NULL, narrow, 0, 0, true};
    const double x0 = 0, v0 = 1, p = 0, width = 0.01;
    Case c = {"a push", motion, {.x0 = &x0, .v0 = &v0, .p = &p}, 1, 101};
    Outputs out = outputs_of(&c);
    assert_int_equal(run_of(&c, ARC_SIM_ADJOINT, 1e-10, &out), ARC_SIM_DONE);
    assert_int_equal(out.n_steps, 1);
    for (int i = 0; i < c.n; i++) {
        double s = (out.t[i] - 0.43) / (width * sqrt(2.0)), from = -0.43 / (width * sqrt(2.0));
        double expected = width * sqrt(M_PI / 2) * (erf(s) - erf(from));
        assert_true(fabs(out.v_q[3 * i] - expected) < 1e-8);
        assert_true(fabs(out.v_q[3 * i + 2] - 1) < 1e-14);
        assert_true(fabs(out.x_q[3 * i + 2] - out.t[i]) < 1e-14);
    }
    outputs_free(&out);
}

static void test_adjoint_runs_again_with_the_same_bits(void **state)
{
    (void)state;
    static double p[MAX_P], wild[MAX_P];
    const double x0[2] = {0.3, 1.8}, v0[2] = {5, 6.5};
    NeuralMotion net = {2, 12};
    Case c = {"a net", neural_motion(&net, p), {.x0 = x0, .v0 = v0, .p = p}, 1, 13};
    int n = c.n * 2 * (c.motion.n_parameters + 4);
    Outputs first = outputs_of(&c), again = outputs_of(&c);
    ArcArena *arena = arc_arena_create();
    ArcSimSettings settings = {1e-10, 1000, ARC_SIM_ADJOINT};
    ArcSimulator *simulator;
    assert_int_equal(arc_sim_create(&c.motion, &settings, arena, &simulator, NULL), ARC_OK);
    ArcSimOutput one = {.x = first.x, .x_q = first.x_q}, two = {.x = again.x, .x_q = again.x_q};
    ArcSimOutput plain = {.x = again.x};
    for (int k = 0; k < c.motion.n_parameters; k++)
        wild[k] = 1.5 * p[k];
    ArcSimStart other = {.x0 = v0, .v0 = x0, .p = wild};
    assert_int_equal(arc_sim_run(simulator, &c.start, c.n, first.t, &one, NULL), ARC_SIM_DONE);
    assert_int_equal(arc_sim_run(simulator, &other, c.n, first.t, &two, NULL), ARC_SIM_DONE);
    assert_true(memcmp(first.x_q, again.x_q, (size_t)n * sizeof(double)) != 0);
    assert_int_equal(arc_sim_run(simulator, &other, c.n, first.t, &plain, NULL), ARC_SIM_DONE);
    assert_int_equal(arc_sim_run(simulator, &c.start, c.n, first.t, &two, NULL), ARC_SIM_DONE);
    assert_memory_equal(first.x_q, again.x_q, (size_t)n * sizeof(double));
    arc_arena_free(arena);
    outputs_free(&first);
    outputs_free(&again);
}

static void test_adjoint_not_finite_partials_end_as_such(void **state)
{
    (void)state;
    static double p[MAX_P];
    const double x0[2] = {0.3, 1.8}, v0[2] = {5, 6.5};
    NeuralMotion net = {2, 12};
    Case c = {"a net", neural_motion(&net, p), {.x0 = x0, .v0 = v0, .p = p}, 1, 13};
    Outputs out = outputs_of(&c);
    p[c.motion.n_parameters - 1] = NAN;
    assert_int_equal(run_of(&c, ARC_SIM_ADJOINT, 1e-10, &out), ARC_SIM_NON_FINITE);
    p[c.motion.n_parameters - 1] = 1e300;
    assert_true(run_of(&c, ARC_SIM_ADJOINT, 1e-10, &out) != ARC_SIM_DONE);
    outputs_free(&out);
}

/* Refuses what is asked for after so many times. */
static bool refuse(void *context, size_t size)
{
    int *left = context;
    (void)size;
    return (*left)-- > 0;
}

static void test_adjoint_no_memory_is_reported(void **state)
{
    (void)state;
    ArcMotion motion = BALL;
    motion.n_parameters = 2000;
    ArcSimSettings settings = {1e-10, 1000, ARC_SIM_ADJOINT};
    int n_refused = 0;
    for (ArcStatus status = ARC_MEMORY; status != ARC_OK; n_refused++) {
        ArcArena *arena = arc_arena_create();
        ArcSimulator *simulator = NULL;
        int left = n_refused;
        assert_non_null(arena);
        arc_memory_set_hook(refuse, &left);
        status = arc_sim_create(&motion, &settings, arena, &simulator, NULL);
        arc_memory_set_hook(NULL, NULL);
        assert_true(status == ARC_OK || status == ARC_MEMORY);
        assert_int_equal(simulator != NULL, status == ARC_OK);
        arc_arena_free(arena);
    }
    assert_true(n_refused >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_adjoint_is_forward),
        cmocka_unit_test(test_adjoint_of_neural_motions_is_forward),
        cmocka_unit_test(test_adjoint_gradient_of_a_neural_motion_is_the_difference),
        cmocka_unit_test(test_adjoint_asks_for_the_parameters_partials_at_the_nodes_alone),
        cmocka_unit_test(test_adjoint_is_chosen_by_size),
        cmocka_unit_test(test_adjoint_integral_is_refined_where_the_partials_are_narrow),
        cmocka_unit_test(test_adjoint_runs_again_with_the_same_bits),
        cmocka_unit_test(test_adjoint_not_finite_partials_end_as_such),
        cmocka_unit_test(test_adjoint_no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
