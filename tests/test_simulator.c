/* Simulator: closed forms of state and sensitivities, order of convergence, invariants, ends. */
#include "sim/simulator.h"

#include "sim_motions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_N = 2001, MAX_D = 3, MAX_Q = 12 };

/* One run's times and outputs. */
typedef struct Run {
    int n, n_steps;
    double t[MAX_N], x[MAX_N * MAX_D], v[MAX_N * MAX_D], a[MAX_N * MAX_D];
    double x_q[MAX_N * MAX_D * MAX_Q], v_q[MAX_N * MAX_D * MAX_Q];
} Run;

static Run run, other;

static void set_times(Run *r, int n, double t0, double span)
{
    r->n = n;
    for (int i = 0; i < n; i++)
        r->t[i] = n > 1 ? t0 + span * i / (n - 1) : t0 + span;
}

static ArcSimulator *simulator_of(const ArcMotion *motion, double tolerance, ArcArena *arena)
{
    ArcSimSettings settings = arc_sim_settings_default();
    settings.tolerance = tolerance;
    ArcSimulator *simulator;
    assert_int_equal(arc_sim_create(motion, &settings, arena, &simulator, NULL), ARC_OK);
    return simulator;
}

static ArcSimEnd simulate(const ArcMotion *motion, double tolerance, double t0, const double *x0,
                          const double *v0, const double *p, Run *r)
{
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    ArcSimulator *simulator = simulator_of(motion, tolerance, arena);
    ArcSimOutput output = {r->x, r->v, r->a, r->x_q, r->v_q};
    ArcSimEnd end = arc_sim_run(simulator, &(ArcSimStart){.t0 = t0, .x0 = x0, .v0 = v0, .p = p},
                                r->n, r->t, &output, &r->n_steps);
    arc_arena_free(arena);
    return end;
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

static void test_sim_run_vacuum_is_the_parabola(void **state)
{
    (void)state;
    double x0[2] = {0.3, 2}, v0[2] = {5, 6};
    set_times(&run, 11, 0.1, 1.2);
    assert_int_equal(simulate(&VACUUM, 1e-10, 0.1, x0, v0, NULL, &run), ARC_SIM_DONE);
    assert_int_equal(run.n_steps, 1);
    for (int i = 0; i < run.n; i++) {
        double s = run.t[i] - 0.1;
        assert_near(run.x[2 * i], 0.3 + 5 * s, 1e-13);
        assert_near(run.x[2 * i + 1], 2 + 6 * s - G * s * s / 2, 1e-13);
        assert_near(run.v[2 * i + 1], 6 - G * s, 1e-13);
        assert_near(run.a[2 * i + 1], -G, 0);
        for (int c = 0; c < 4; c++) {
            for (int e = 0; e < 2; e++) {
                assert_near(run.x_q[i * 8 + e * 4 + c], c == e ? 1 : c == e + 2 ? s : 0, 1e-14);
                assert_near(run.v_q[i * 8 + e * 4 + c], c == e + 2 ? 1 : 0, 1e-14);
            }
        }
    }
}

static void test_sim_run_linear_drag_is_the_closed_form(void **state)
{
    (void)state;
    double x0[2] = {0, 1}, v0[2] = {9, 7}, b = 0.8;
    set_times(&run, 21, 0, 2);
    assert_int_equal(simulate(&LINEAR_DRAG, 1e-12, 0, x0, v0, &b, &run), ARC_SIM_DONE);
    for (int i = 0; i < run.n; i++) {
        double t = run.t[i], decay = exp(-b * t), reach = (1 - decay) / b;
        double reach_b = (t * decay - reach) / b;
        assert_near(run.x[2 * i], 9 * reach, 1e-10);
        assert_near(run.x[2 * i + 1], 1 + (7 + G / b) * reach - G / b * t, 1e-10);
        assert_near(run.v[2 * i + 1], (7 + G / b) * decay - G / b, 1e-10);
        const double *x_q = run.x_q + i * 10, *v_q = run.v_q + i * 10;
        assert_near(x_q[0], 9 * reach_b, 1e-8);
        assert_near(x_q[5], (7 + G / b) * reach_b - G / (b * b) * (reach - t), 1e-8);
        assert_near(x_q[3], reach, 1e-8);
        assert_near(x_q[9], reach, 1e-8);
        assert_near(v_q[0], -9 * t * decay, 1e-8);
        assert_near(v_q[3], decay, 1e-8);
    }
}

static void test_sim_run_oscillator_follows_the_position_partials(void **state)
{
    (void)state;
    double x0 = 0.7, v0 = -0.4, k = 6.25, w = sqrt(k), w_k = 0.5 / w;
    set_times(&run, 41, 0, 5);
    assert_int_equal(simulate(&OSCILLATOR, 1e-12, 0, &x0, &v0, &k, &run), ARC_SIM_DONE);
    for (int i = 0; i < run.n; i++) {
        double t = run.t[i], c = cos(w * t), s = sin(w * t);
        const double *x_q = run.x_q + i * 3, *v_q = run.v_q + i * 3;
        assert_near(run.x[i], x0 * c + v0 * s / w, 1e-10);
        assert_near(run.v[i], v0 * c - x0 * w * s, 1e-10);
        assert_near(run.a[i], -k * run.x[i], 1e-13);
        assert_near(x_q[0], w_k * (-x0 * t * s + v0 * (t * c / w - s / k)), 1e-8);
        assert_near(x_q[1], c, 1e-8);
        assert_near(x_q[2], s / w, 1e-8);
        assert_near(v_q[0], w_k * (-v0 * t * s - x0 * (s + w * t * c)), 1e-8);
        assert_near(v_q[1], -w * s, 1e-8);
        assert_near(v_q[2], c, 1e-8);
    }
}

/* Fourth-order central differences of whole runs at a tight tolerance, against sensitivities. */
static void check_sensitivities(const ArcMotion *motion, double t0, const double *x0,
                                const double *v0, const double *p, double span)
{
    static const double offsets[4] = {1e-3, -1e-3, 2e-3, -2e-3};
    static const double weights[4] = {8 / 12e-3, -8 / 12e-3, -1 / 12e-3, 1 / 12e-3};
    int d = motion->dimensions, P = motion->n_parameters, Q = P + 2 * d;
    double q[MAX_Q];
    memcpy(q, p, (size_t)P * sizeof(double));
    memcpy(q + P, x0, (size_t)d * sizeof(double));
    memcpy(q + P + d, v0, (size_t)d * sizeof(double));
    set_times(&run, 4, t0, span);
    set_times(&other, 4, t0, span);
    assert_int_equal(simulate(motion, 1e-11, t0, x0, v0, p, &run), ARC_SIM_DONE);
    for (int c = 0; c < Q; c++) {
        double start = q[c], slope_x[4 * MAX_D] = {0}, slope_v[4 * MAX_D] = {0}, size = 0;
        for (int k = 0; k < 4; k++) {
            q[c] = start + offsets[k];
            ArcSimEnd end = simulate(motion, 1e-13, t0, q + P, q + P + d, q, &other);
            assert_int_equal(end, ARC_SIM_DONE);
            for (int i = 0; i < 4 * d; i++) {
                slope_x[i] += weights[k] * other.x[i];
                slope_v[i] += weights[k] * other.v[i];
            }
        }
        q[c] = start;
        for (int i = 0; i < 4 * d; i++) {
            assert_near(run.x_q[i * Q + c], slope_x[i], 1e-8);
            assert_near(run.v_q[i * Q + c], slope_v[i], 1e-8);
            size = fmax(size, fabs(run.x_q[i * Q + c]));
        }
        assert_true(size > 1e-2);
    }
}

static void test_sim_run_sensitivities_are_differences_of_runs(void **state)
{
    (void)state;
    double p2[2] = {0.05, -1.5}, p3[3] = {1.3, 0.4, 0.9};
    double x0[3] = {0.3, -0.8, 0.5}, v0[3] = {5, 6.5, 0}, w0[3] = {0.7, 0.2, -1.1};
    check_sensitivities(&BALL, 0, x0, v0, p2, 0.8);
    check_sensitivities(&CROWDED, 0.4, x0, w0, p3, 2);
}

static void test_sim_run_left_out_columns_are_those_of_a_full_run(void **state)
{
    (void)state;
    double x0[2] = {0, 2}, v0[2] = {5, 6}, p[2] = {0.1, 1.2};
    ArcMotion full = BALL;
    full.position_free = false;
    set_times(&run, 7, 0, 0.8);
    set_times(&other, 7, 0, 0.8);
    assert_int_equal(simulate(&BALL, 1e-10, 0, x0, v0, p, &run), ARC_SIM_DONE);
    assert_int_equal(simulate(&full, 1e-10, 0, x0, v0, p, &other), ARC_SIM_DONE);
    for (int i = 0; i < 7 * 2 * 6; i++) {
        assert_near(run.x_q[i], other.x_q[i], 1e-7);
        assert_near(run.v_q[i], other.v_q[i], 1e-7);
    }
}

/* Error at the end of an orbit of n steps of equal length: runs of one step each. */
static double orbit_error(int n)
{
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    ArcSimulator *simulator = simulator_of(&ORBIT, 1, arena);
    double x[2] = {1, 0}, v[2] = {0, 1}, span = 3, h = span / n;
    ArcSimOutput output = {.x = x, .v = v};
    for (int i = 0; i < n; i++) {
        double start[2], speed[2], end = (i + 1) * h;
        int n_steps;
        memcpy(start, x, sizeof start);
        memcpy(speed, v, sizeof speed);
        ArcSimEnd how =
            arc_sim_run(simulator, &(ArcSimStart){.t0 = i * h, .x0 = start, .v0 = speed}, 1, &end,
                        &output, &n_steps);
        assert_int_equal(how, ARC_SIM_DONE);
        assert_int_equal(n_steps, 1);
    }
    arc_arena_free(arena);
    return hypot(x[0] - cos(span), x[1] - sin(span));
}

static void test_sim_run_global_error_falls_with_the_eighth_order(void **state)
{
    (void)state;
    for (int n = 6; n <= 12; n *= 2) {
        double order = log2(orbit_error(n) / orbit_error(2 * n));
        if (!(order > 7.5 && order < 9.5))
            fail_msg("order %g from %d to %d steps", order, n, 2 * n);
    }
}

/* Errors of one step h of quadratic drag against its closed form, at the end and inside. */
typedef struct StepErrors {
    double x_end, q_end, x_inside, v_inside, q_inside;
} StepErrors;

static StepErrors step_errors(double h)
{
    double x0 = 0, v0 = 1, k = 0.5;
    StepErrors errors = {0};
    set_times(&run, 12, 0, h);
    assert_int_equal(simulate(&QUADRATIC_DRAG, 1, 0, &x0, &v0, &k, &run), ARC_SIM_DONE);
    assert_int_equal(run.n_steps, 1);
    for (int i = 0; i < run.n; i++) {
        double s = 1 + k * v0 * run.t[i], reach = run.t[i] / s;
        double x = fabs(run.x[i] - log1p(k * v0 * run.t[i]) / k);
        double v = fabs(run.v[i] - v0 / s);
        double q =
            fabs(run.x_q[i * 3] - (v0 * reach - log(s) / k) / k) + fabs(run.x_q[i * 3 + 2] - reach);
        if (i == run.n - 1) {
            errors.x_end = x;
            errors.q_end = q;
        } else {
            errors.x_inside = fmax(errors.x_inside, x);
            errors.v_inside = fmax(errors.v_inside, v);
            errors.q_inside = fmax(errors.q_inside, q);
        }
    }
    return errors;
}

static void test_sim_run_local_errors_fall_with_their_order(void **state)
{
    (void)state;
    /* over a factor of four in the step: of order 9 at the end and 8 inside, in the limit */
    StepErrors coarse = step_errors(0.6), fine = step_errors(0.15);
    double end = log2(coarse.x_end / fine.x_end) / 2, end_q = log2(coarse.q_end / fine.q_end) / 2;
    double inside = log2(coarse.x_inside / fine.x_inside) / 2;
    double inside_v = log2(coarse.v_inside / fine.v_inside) / 2;
    double inside_q = log2(coarse.q_inside / fine.q_inside) / 2;
    if (!(end > 7.8 && end_q > 7.8 && inside > 7.3 && inside_v > 7.3 && inside_q > 7.3))
        fail_msg("orders %g %g at the end, %g %g %g inside", end, end_q, inside, inside_v,
                 inside_q);
    assert_true(coarse.x_end < 1e-8 && coarse.x_inside < 1e-6);
}

static void test_sim_run_error_follows_the_tolerance(void **state)
{
    (void)state;
    double x0 = 0, v0 = 20, k = 0.5;
    for (double tolerance = 1e-6; tolerance > 1e-13; tolerance *= 1e-2) {
        double worst = 0, worst_q = 0;
        set_times(&run, 50, 0, 4);
        assert_int_equal(simulate(&QUADRATIC_DRAG, tolerance, 0, &x0, &v0, &k, &run), ARC_SIM_DONE);
        for (int i = 0; i < run.n; i++) {
            double s = 1 + k * v0 * run.t[i];
            worst = fmax(worst, fabs(run.x[i] - log(s) / k));
            worst_q = fmax(worst_q, fabs(run.x_q[i * 3 + 2] - run.t[i] / s));
        }
        assert_true(worst < 50 * tolerance + 2e-14);
        assert_true(worst_q < 1e4 * tolerance);
    }
}

static void test_sim_run_energy_is_lost_by_drag_alone(void **state)
{
    (void)state;
    double x0[2] = {0, 2}, v0[2] = {20, 15}, p[2] = {0.06, -2}, lost = 0, last = INFINITY;
    set_times(&run, 2001, 0, 2.5);
    assert_int_equal(simulate(&BALL, 1e-13, 0, x0, v0, p, &run), ARC_SIM_DONE);
    double h = 2.5 / 2000, first = 0;
    for (int i = 0; i < run.n; i++) {
        const double *x = run.x + 2 * i, *v = run.v + 2 * i;
        double speed2 = v[0] * v[0] + v[1] * v[1], energy = speed2 / 2 + G * x[1];
        double simpson = i == 0 || i == 2000 ? 1 : i % 2 == 1 ? 4 : 2;
        lost += simpson * h / 3 * p[0] * speed2 * sqrt(speed2);
        assert_true(energy < last);
        last = energy;
        first = i == 0 ? energy : first;
    }
    assert_true(lost > 100);
    assert_near(last, first - lost, 1e-8);
}

static void test_sim_run_magnus_alone_keeps_the_energy(void **state)
{
    (void)state;
    double x0[2] = {0, 2}, v0[2] = {7, 6}, p[2] = {0, 2.5};
    set_times(&run, 500, 0, 3);
    assert_int_equal(simulate(&BALL, 1e-12, 0, x0, v0, p, &run), ARC_SIM_DONE);
    double first = (49 + 36) / 2.0 + G * 2;
    for (int i = 0; i < run.n; i++) {
        const double *x = run.x + 2 * i, *v = run.v + 2 * i;
        assert_near((v[0] * v[0] + v[1] * v[1]) / 2 + G * x[1], first, 1e-10 * first);
    }
}

static void test_sim_run_start_and_repeated_times_are_given_as_they_are(void **state)
{
    (void)state;
    double x0[2] = {1, 2}, v0[2] = {3, 4}, p[2] = {0.1, 1};
    static const double times[6] = {0.5, 0.5, 0.7, 0.7, 0.9, 0.9};
    run.n = 6;
    memcpy(run.t, times, sizeof times);
    assert_int_equal(simulate(&BALL, 1e-10, 0.5, x0, v0, p, &run), ARC_SIM_DONE);
    for (int i = 0; i < 6; i += 2)
        assert_memory_equal(run.x + 2 * i, run.x + 2 * i + 2, 2 * sizeof(double));
    assert_memory_equal(run.x, x0, sizeof x0);
    assert_memory_equal(run.v, v0, sizeof v0);
    assert_true(run.x[4] != run.x[8]);
    run.n = 2;
    assert_int_equal(simulate(&BALL, 1e-10, 0.5, x0, v0, p, &run), ARC_SIM_DONE);
    assert_int_equal(run.n_steps, 0);
    run.n = 0;
    assert_int_equal(simulate(&BALL, 1e-10, 0.5, x0, v0, p, &run), ARC_SIM_DONE);
}

static void test_sim_run_values_alone_are_near_those_with_sensitivities(void **state)
{
    (void)state;
    double x0[2] = {1, 2}, v0[2] = {3, 4}, p[2] = {0.1, 1};
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    ArcSimulator *simulator = simulator_of(&BALL, 1e-11, arena);
    set_times(&run, 9, 0, 1);
    set_times(&other, 9, 0, 1);
    assert_int_equal(simulate(&BALL, 1e-11, 0, x0, v0, p, &run), ARC_SIM_DONE);
    ArcSimOutput only_x = {.x = other.x}, only_a = {.a = other.a};
    ArcSimEnd end = arc_sim_run(simulator, &(ArcSimStart){.x0 = x0, .v0 = v0, .p = p}, 9, other.t,
                                &only_x, NULL);
    assert_int_equal(end, ARC_SIM_DONE);
    end = arc_sim_run(simulator, &(ArcSimStart){.x0 = x0, .v0 = v0, .p = p}, 9, other.t, &only_a,
                      NULL);
    assert_int_equal(end, ARC_SIM_DONE);
    for (int i = 0; i < 18; i++) {
        assert_near(other.x[i], run.x[i], 1e-10);
        assert_near(other.a[i], run.a[i], 1e-9);
    }
    arc_arena_free(arena);
}

static void test_sim_run_again_gives_the_same_bits_whatever_ran_between(void **state)
{
    (void)state;
    double x0[2] = {1, 2}, v0[2] = {3, 4}, p[2] = {0.1, 1}, wild[2] = {30, -80};
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    ArcSimulator *simulator = simulator_of(&BALL, 1e-10, arena);
    ArcSimOutput first = {run.x, run.v, NULL, run.x_q, NULL};
    ArcSimOutput second = {other.x, other.v, NULL, other.x_q, NULL};
    ArcSimOutput values = {.x = other.x};
    set_times(&run, 9, 0, 1);
    assert_int_equal(
        arc_sim_run(simulator, &(ArcSimStart){.x0 = x0, .v0 = v0, .p = p}, 9, run.t, &first, NULL),
        ARC_SIM_DONE);
    assert_int_equal(arc_sim_run(simulator, &(ArcSimStart){.x0 = x0, .v0 = v0, .p = wild}, 9, run.t,
                                 &second, NULL),
                     ARC_SIM_DONE);
    assert_true(memcmp(run.x, other.x, 18 * sizeof(double)) != 0);
    assert_int_equal(
        arc_sim_run(simulator, &(ArcSimStart){.x0 = v0, .v0 = x0, .p = p}, 9, run.t, &values, NULL),
        ARC_SIM_DONE);
    assert_int_equal(
        arc_sim_run(simulator, &(ArcSimStart){.x0 = x0, .v0 = v0, .p = p}, 9, run.t, &second, NULL),
        ARC_SIM_DONE);
    assert_memory_equal(run.x, other.x, 18 * sizeof(double));
    assert_memory_equal(run.v, other.v, 18 * sizeof(double));
    assert_memory_equal(run.x_q, other.x_q, 18 * 6 * sizeof(double));
    arc_arena_free(arena);
}

static void test_sim_run_not_finite_motions_end_as_such(void **state)
{
    (void)state;
    double x0[2] = {0}, v0[2] = {2, 1}, p[2] = {0.1, 1}, bad[2] = {NAN, 1}, huge[2] = {1e200, 1};
    set_times(&run, 5, 0, 1);
    assert_int_equal(simulate(&BALL, 1e-10, 0, x0, bad, p, &run), ARC_SIM_NON_FINITE);
    assert_int_equal(simulate(&BALL, 1e-10, 0, x0, v0, bad, &run), ARC_SIM_NON_FINITE);
    assert_int_equal(simulate(&BALL, 1e-10, 0, x0, huge, p, &run), ARC_SIM_NON_FINITE);
    assert_int_equal(simulate(&CLIFF, 1e-10, 0, x0, v0, NULL, &run), ARC_SIM_NON_FINITE);
    assert_true(simulate(&EXPLOSION, 1e-10, 0, x0, v0, NULL, &run) != ARC_SIM_DONE);
    set_times(&run, 5, 0, 0.4);
    assert_int_equal(simulate(&EXPLOSION, 1e-10, 0, x0, v0, NULL, &run), ARC_SIM_DONE);
    assert_near(run.v[4], 2 / (1 - 2 * 0.4), 1e-7);
    run.t[4] = NAN;
    assert_int_equal(simulate(&BALL, 1e-10, 0, x0, v0, p, &run), ARC_SIM_NON_FINITE);
}

static void test_sim_run_extreme_drag_ends_at_the_terminal_speed(void **state)
{
    (void)state;
    double x0[2] = {0}, v0[2] = {50, 30}, p[2] = {1e4, 0};
    set_times(&run, 5, 0, 1);
    assert_int_equal(simulate(&BALL, 1e-10, 0, x0, v0, p, &run), ARC_SIM_DONE);
    assert_true(run.n_steps < 1000);
    assert_near(run.v[9], -sqrt(G / p[0]), 1e-9);
}

static void test_sim_run_too_many_steps_end_as_such(void **state)
{
    (void)state;
    double x0 = 1, v0 = 0, k = 1e4;
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    ArcSimSettings settings = {1e-10, 20, ARC_SIM_AUTO};
    ArcSimulator *simulator;
    assert_int_equal(arc_sim_create(&OSCILLATOR, &settings, arena, &simulator, NULL), ARC_OK);
    ArcSimOutput output = {.x = run.x};
    double end = 1;
    ArcSimEnd how = arc_sim_run(simulator, &(ArcSimStart){.x0 = &x0, .v0 = &v0, .p = &k}, 1, &end,
                                &output, NULL);
    assert_int_equal(how, ARC_SIM_TOO_MANY_STEPS);
    end = 0.02;
    how = arc_sim_run(simulator, &(ArcSimStart){.x0 = &x0, .v0 = &v0, .p = &k}, 1, &end, &output,
                      NULL);
    assert_int_equal(how, ARC_SIM_DONE);
    assert_near(run.x[0], cos(2), 1e-8);
    arc_arena_free(arena);
}

static void shaken(void *context, double t, const double *x, const double *v, const double *p,
                   double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)x, (void)v, (void)p, (void)a_p;
    a[0] = cos(t);
    if (a_x != NULL)
        a_x[0] = a_v[0] = 0;
}

static void test_sim_run_the_clock_of_the_motion_counts_from_the_origin(void **state)
{
    (void)state;
    static const ArcMotion motion = {1, 0, true, NULL, shaken, 0, 0, false};
    ArcArena *arena = arc_arena_create();
    ArcSimulator *simulator = simulator_of(&motion, 1e-12, arena);
    double x0 = 1, v0 = 0, t[2] = {7.5, 9}, x[2], a[2];
    ArcSimOutput output = {.x = x, .a = a};
    for (double origin = 6; origin < 8; origin += 0.5) {
        ArcSimEnd end =
            arc_sim_run(simulator, &(ArcSimStart){.t0 = 7, .origin = origin, .x0 = &x0, .v0 = &v0},
                        2, t, &output, NULL);
        assert_int_equal(end, ARC_SIM_DONE);
        for (int i = 0; i < 2; i++) {
            double begin = 7 - origin, now = t[i] - origin;
            assert_near(x[i], 1 + cos(begin) - cos(now) - (now - begin) * sin(begin), 1e-11);
            assert_near(a[i], cos(now), 1e-15);
        }
    }
    arc_arena_free(arena);
}

static void test_sim_create_bad_settings_are_refused_with_the_value(void **state)
{
    (void)state;
    static const struct {
        ArcMotion motion;
        ArcSimSettings settings;
        const char *part;
    } rows[] = {
        {{17, 0, true, NULL, vacuum, 0, 0, false}, {1e-10, 10, ARC_SIM_AUTO}, "not 17"},
        {{0, 0, true, NULL, vacuum, 0, 0, false}, {1e-10, 10, ARC_SIM_AUTO}, "not 0"},
        {{2, -1, true, NULL, vacuum, 0, 0, false}, {1e-10, 10, ARC_SIM_AUTO}, "-1 parameters"},
        {{2, 0, true, NULL, vacuum, 0, 0, false}, {0, 10, ARC_SIM_AUTO}, "tolerance 0"},
        {{2, 0, true, NULL, vacuum, 0, 0, false}, {NAN, 10, ARC_SIM_AUTO}, "tolerance"},
        {{2, 0, true, NULL, vacuum, 0, 0, false}, {1e-10, 0, ARC_SIM_AUTO}, "not 0"},
    };
    ArcArena *arena = arc_arena_create();
    assert_non_null(arena);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ArcError err = {0};
        ArcSimulator *simulator = (ArcSimulator *)arena;
        assert_int_equal(
            arc_sim_create(&rows[i].motion, &rows[i].settings, arena, &simulator, &err), ARC_INPUT);
        assert_null(simulator);
        assert_non_null(strstr(err.text, rows[i].part));
    }
    arc_arena_free(arena);
}

static bool refuse(void *context, size_t size)
{
    (void)context, (void)size;
    return false;
}

static void test_sim_create_no_memory_is_reported(void **state)
{
    (void)state;
    ArcSimSettings settings = arc_sim_settings_default();
    /* nothing left at all, then room for the handle but not for its block */
    for (size_t room = 0; room <= 1024; room += 1024) {
        ArcArena *arena = arc_arena_create();
        assert_non_null(arena);
        assert_non_null(arc_arena_alloc(arena, 16384 - room, 1));
        ArcSimulator *simulator = (ArcSimulator *)arena;
        arc_memory_set_hook(refuse, NULL);
        ArcStatus status = arc_sim_create(&BALL, &settings, arena, &simulator, NULL);
        arc_memory_set_hook(NULL, NULL);
        assert_int_equal(status, ARC_MEMORY);
        assert_null(simulator);
        arc_arena_free(arena);
    }
}

/* p (t - 0.37)^2 behind 0.37, nothing before. */
static void bent_acceleration(void *context, double t, const double *x, const double *v,
                              const double *p, double *a, double *a_x, double *a_v, double *a_p)
{
    (void)context, (void)x, (void)v;
    double s = fmax(t - 0.37, 0.0);
    a[0] = p[0] * s * s;
    if (a_v == NULL)
        return;
    a_x[0] = a_v[0] = 0.0;
    a_p[0] = s * s;
}

static void test_sim_run_steps_end_at_kinks(void **state)
{
    (void)state;
    static const ArcMotion bent = {
        .dimensions = 1, .n_parameters = 1, .acceleration = bent_acceleration};
    static const double kinks[] = {-1.0, 0.0, 0.37, 1.0, 5.0};
    const double x0 = 0.2, v0 = 1.5, p = 30.0;
    int n_steps[2];
    for (int with = 0; with < 2; with++) {
        ArcArena *arena = arc_arena_create();
        ArcSimulator *simulator = simulator_of(&bent, 1e-12, arena);
        const ArcSimStart start = {.x0 = &x0,
                                   .v0 = &v0,
                                   .p = &p,
                                   .n_kinks = with ? (int)(sizeof kinks / sizeof kinks[0]) : 0,
                                   .kinks = kinks};
        ArcSimOutput output = {.x = run.x, .v = run.v, .x_q = run.x_q};
        set_times(&run, 21, 0.0, 1.0);
        assert_int_equal(arc_sim_run(simulator, &start, run.n, run.t, &output, &n_steps[with]),
                         ARC_SIM_DONE);
        for (int i = 0; i < run.n; i++) {
            double t = run.t[i], s = fmax(t - 0.37, 0.0), quartic = s * s * s * s / 12;
            assert_near(run.x[i], x0 + v0 * t + p * quartic, with ? 1e-14 : 1e-10);
            assert_near(run.x_q[3 * i], quartic, with ? 1e-14 : 1e-7);
        }
        arc_arena_free(arena);
    }
    assert_true(n_steps[1] <= 4);
    assert_true(n_steps[0] > 2 * n_steps[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sim_run_vacuum_is_the_parabola),
        cmocka_unit_test(test_sim_run_linear_drag_is_the_closed_form),
        cmocka_unit_test(test_sim_run_oscillator_follows_the_position_partials),
        cmocka_unit_test(test_sim_run_sensitivities_are_differences_of_runs),
        cmocka_unit_test(test_sim_run_left_out_columns_are_those_of_a_full_run),
        cmocka_unit_test(test_sim_run_global_error_falls_with_the_eighth_order),
        cmocka_unit_test(test_sim_run_local_errors_fall_with_their_order),
        cmocka_unit_test(test_sim_run_error_follows_the_tolerance),
        cmocka_unit_test(test_sim_run_energy_is_lost_by_drag_alone),
        cmocka_unit_test(test_sim_run_magnus_alone_keeps_the_energy),
        cmocka_unit_test(test_sim_run_start_and_repeated_times_are_given_as_they_are),
        cmocka_unit_test(test_sim_run_values_alone_are_near_those_with_sensitivities),
        cmocka_unit_test(test_sim_run_again_gives_the_same_bits_whatever_ran_between),
        cmocka_unit_test(test_sim_run_not_finite_motions_end_as_such),
        cmocka_unit_test(test_sim_run_extreme_drag_ends_at_the_terminal_speed),
        cmocka_unit_test(test_sim_run_too_many_steps_end_as_such),
        cmocka_unit_test(test_sim_run_the_clock_of_the_motion_counts_from_the_origin),
        cmocka_unit_test(test_sim_create_bad_settings_are_refused_with_the_value),
        cmocka_unit_test(test_sim_run_steps_end_at_kinks),
        cmocka_unit_test(test_sim_create_no_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
