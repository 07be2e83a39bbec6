/* The swing as a phase of the throw: Jacobians of both methods by differences, reversed time
 * against a forward integration, continuity at the release, what is observed and its partials. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/objectives.h"
#include "fit/phase.h"
#include "fit/swing.h"
#include "objective_check.h"
#include "swing_case.h"

enum { NODES = 12 };

/* A problem in which everything about the arm is free. */
static ArcProblem *all_free(SwingCase *c, const char *truth, const char *text, SwingSight sight)
{
    ArcError err;
    swing_case(truth, 0.3, 0.9, sight, c);
    ArcExperiment *experiment = case_experiment(text);
    for (int i = 0; i < experiment->n_parameters; i++)
        experiment->parameters[i].is_free = !experiment->parameters[i].is_tied;
    ArcProblem *problem = NULL;
    if (arc_problem_create(experiment, &c->seen, &problem, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    return problem;
}

static SwingSight sight_of_all(void)
{
    SwingSight sight = swing_usual;
    sight.rows = 7;
    sight.points = 6;
    sight.ball = sight.angles = sight.rates = true;
    return sight;
}

#define ALL_HEAD                                                                                   \
    SWING_HEAD "arm:\n  span: [0 s, 0.3 s]\n  base: [0.1 m, 1 m]\n  ball: [3 cm, 2 cm]\n"          \
               "  friction_width: 2 rad/s\n  encoders: true\n  joints:\n"
#define ALL_FREE(torque1, torque2)                                                                 \
    ALL_HEAD "    - {" SWING_LINK_1 ", viscous: 0.1, coulomb: 0.2, torque: {" torque1 "}}\n"       \
             "    - {" SWING_LINK_2 ", viscous: 0.05, coulomb: 0.1, stall: 60 N m, "               \
             "idle_rate: 60 rad/s, torque: {" torque2 "}}\n"                                       \
             "parameters:\n" SWING_RELEASE
#define TRAPEZOID_AND_POLYNOMIAL                                                                   \
    ALL_FREE("curve: trapezoid, values: [40 N m, 0.3, 0.2]",                                       \
             "curve: polynomial, values: [5 N m, 12 N m, -8 N m]")
#define SPLINE_AND_CONSTANT                                                                        \
    ALL_FREE("curve: spline, coefficients: 4, values: [20 N m, 40 N m, 50 N m, 30 N m]",           \
             "curve: constant, values: [8 N m]")
#define FINE "fit: {direct: {tolerance: 1e-13}}\n"

static void check_direct(const char *text)
{
    SwingCase c;
    ArcProblem *problem = all_free(&c, text, text, sight_of_all());
    problem->start[problem->t0_index] = 0.27;
    ArcArena *arena = arc_arena_create();
    ArcObjective objective;
    ArcTrajectory states;
    ArcError err;
    double *values = NULL, u[ARC_MAX_PARAMETERS];
    assert_int_equal(arc_direct_objective(problem, arena, &objective, &states, &values, &err),
                     ARC_OK);
    for (int k = 0; k < problem->n_free; k++)
        u[k] = problem->start[problem->free_parameter[k]];
    const int n = problem->n_observations;
    const int begin[] = {0, n, n + problem->n_priors};
    double worst = check_blocks(&objective, u, 3, begin);
    print_message("direct: %d unknowns, worst %.2g\n", problem->n_free, worst);
    assert_true(worst < 2e-6);
    arc_arena_free(arena);
    arc_problem_free(problem);
    swing_free(&c);
}

static void test_direct_jacobian_against_differences(void **state)
{
    (void)state;
    check_direct(TRAPEZOID_AND_POLYNOMIAL FINE);
    check_direct(SPLINE_AND_CONSTANT FINE);
}

static void check_linear(const char *text)
{
    SwingCase c;
    ArcProblem *problem = all_free(&c, text, text, sight_of_all());
    problem->start[problem->t0_index] = 0.27;
    ArcArena *arena = arc_arena_create();
    ArcNetSettings net = arc_net_settings_default();
    ArcObjective objective;
    ArcPinn *pinn = NULL;
    ArcError err;
    double *z = NULL;
    net.widths[0] = NODES;
    problem->pinn.sigma_phys_m_s2 = 1.0;
    assert_int_equal(arc_pinn_create(problem, &net, 2 * NODES, arena, &pinn, &err), ARC_OK);
    assert_non_null(pinn->swing);
    assert_int_equal(arc_linear_objective(pinn, arena, &objective, &z, &err), ARC_OK);
    int n = problem->n_observations, rows = arc_pinn_n_rows(pinn);
    int end = rows + problem->n_priors;
    const int begin[] = {0, n, rows, end, end + pinn->swing->problem->n_observations};
    double worst = check_blocks(&objective, z, 5, begin);
    print_message("linear: %d unknowns, worst %.2g\n", objective.n_inner + objective.n_outer,
                  worst);
    assert_true(worst < 1e-5);
    arc_arena_free(arena);
    arc_problem_free(problem);
    swing_free(&c);
}

static void test_linear_jacobian_against_differences(void **state)
{
    (void)state;
    check_linear(TRAPEZOID_AND_POLYNOMIAL);
    check_linear(SPLINE_AND_CONSTANT);
}

/* A problem of the swing at the truth, and its runner. */
typedef struct Run {
    SwingCase c;
    ArcProblem *problem;
    ArcArena *arena;
    const ArcProblem *swing;
    ArcPhaseRunner *runner;
    double values[ARC_MAX_PARAMETERS];
} Run;

static void run_create(Run *run, const char *text)
{
    ArcError err;
    SwingSight sight = sight_of_all();
    sight.seed = 0;
    run->problem = all_free(&run->c, text, text, sight);
    run->arena = arc_arena_create();
    ArcExperiment *truth = case_experiment(text);
    for (int i = 0; i < truth->n_parameters; i++)
        run->values[i] = truth->parameters[i].start;
    arc_experiment_free(truth);
    assert_int_equal(arc_swing_with(run->problem, run->arena, &run->swing, &err), ARC_OK);
    assert_int_equal(arc_phase_runner_create(run->swing, run->arena, &run->runner, &err), ARC_OK);
}

static void run_free(Run *run)
{
    arc_arena_free(run->arena);
    arc_problem_free(run->problem);
    swing_free(&run->c);
}

/* Back from the release by the runner, then forwards to it again by Runge and Kutta's rule. */
static void test_reversed_time_comes_back_to_the_release(void **state)
{
    (void)state;
    Run run;
    run_create(&run, SPLINE_AND_CONSTANT FINE);
    const ArcArm *arm = &run.problem->arm;
    const double *p = run.values + run.problem->arm_index;
    double t0 = run.values[run.problem->t0_index], x[2], v[2], s = 0.3;
    const ArcSimOutput output = {.x = x, .v = v};
    assert_true(arc_phase_run(run.runner, run.values, 1, &s, &output));
    double omega[2] = {-v[0], -v[1]};
    swing_move(arm, p, t0 - s, t0, x, omega);
    for (int j = 0; j < 2; j++) {
        assert_near(x[j], p[arm->theta + j], 1e-8);
        assert_near(omega[j], p[arm->omega + j], 1e-6);
    }
    run_free(&run);
}

/* A time on either side of the release: motion and partials go on smoothly through it. */
static void test_runner_goes_both_ways_from_the_release(void **state)
{
    (void)state;
    Run run;
    run_create(&run, SPLINE_AND_CONSTANT FINE);
    enum { N = 3 };
    int J = run.swing->D, Q = run.swing->Q;
    const double s[N] = {-1e-3, 0.0, 1e-3};
    double x[N * 2], v[N * 2], a[N * 2];
    double *x_q = calloc((size_t)(2 * N * J * Q), sizeof(double)), *v_q = x_q + N * J * Q;
    const ArcSimOutput output = {x, v, a, x_q, v_q};
    assert_non_null(x_q);
    assert_true(arc_phase_run(run.runner, run.values, N, s, &output));
    for (int j = 0; j < J; j++) {
        double slope = (x[2 * J + j] - x[j]) / 2e-3, bend = (v[2 * J + j] - v[j]) / 2e-3;
        assert_near(slope, v[J + j], 1e-5 * fabs(v[J + j]) + 1e-3);
        assert_near(bend, a[J + j], 1e-3 * fabs(a[J + j]) + 1e-2);
        for (int q = 0; q < Q; q++) {
            const double *row = x_q + j * Q + q, *rate = v_q + j * Q + q;
            double by = (row[2 * J * Q] - row[0]) / 2e-3;
            assert_near(by, rate[J * Q], 1e-3 * fabs(rate[J * Q]) + 1e-2);
        }
    }
    free(x_q);
    run_free(&run);
}

/* Flight and swing of one set of values meet at t0: place and velocity of the ball. */
static void test_release_is_one_for_swing_and_flight(void **state)
{
    (void)state;
    Run run;
    run_create(&run, SPLINE_AND_CONSTANT);
    const ArcProblem *flight = run.problem;
    const double *p = run.values + flight->arm_index;
    double u[ARC_MAX_PARAMETERS], x[4], v[4], x0[4], v0[4];
    ArcArmPoint ball;
    for (int k = 0; k < flight->n_free; k++)
        u[k] = run.values[flight->free_parameter[k]] * 1.01;
    arc_problem_scatter(flight, u, run.values);
    arc_problem_begin(run.swing, run.values, x, v);
    arc_problem_begin(flight, run.values, x0, v0);
    const double omega[2] = {-v[0], -v[1]};
    arc_arm_point(&flight->arm, ARC_ARM_BALL, p, x, omega, &ball);
    for (int c = 0; c < flight->d; c++) {
        assert_true(ball.x_m[c] == x0[c]);
        assert_true(ball.v_m_s[c] == v0[c]);
    }
    run_free(&run);
}

/* Angles that were read a turn away are within half a turn, and rates come with their sign. */
static void test_observed_angles_and_rates_are_the_arms(void **state)
{
    (void)state;
    Run run;
    ArcError err;
    run_create(&run, SPLINE_AND_CONSTANT);
    const ArcProblem *swing = run.swing;
    const ArcSwingNumber *numbers = arc_swing_numbers(swing);
    ArcSight *sight = NULL;
    int n = swing->n_times, J = swing->D, seen[3] = {0};
    double *x = calloc((size_t)(3 * n * J), sizeof(double)), *v = x + n * J, s[SWING_ROWS];
    assert_int_equal(arc_sight_create(swing, run.arena, &sight, &err), ARC_OK);
    for (int i = 0; i < n; i++)
        s[i] = run.values[swing->t0_index] - swing->time_s[i];
    const ArcSimOutput output = {.x = x, .v = v};
    assert_true(arc_phase_run(run.runner, run.values, n, s, &output));
    for (int i = 0; i < swing->n_observations; i++)
        if (numbers[i].kind == ARC_SWING_ANGLE)
            swing->observations[i].value += 4.0 * M_PI;
    arc_sight_look(sight, run.values, x, v, NULL);
    for (int i = 0; i < swing->n_observations; i++) {
        assert_near(arc_sight_y(sight, i), swing->observations[i].value, 1e-4);
        seen[numbers[i].kind]++;
    }
    assert_true(seen[ARC_SWING_PLACE] > 0 && seen[ARC_SWING_ANGLE] > 0 && seen[ARC_SWING_RATE] > 0);
    free(x);
    run_free(&run);
}

static void refuse(const char *text, const char *words)
{
    SwingCase c;
    ArcError err;
    ArcProblem *problem = NULL;
    swing_case(SWING_TRUTH, 0.3, 0.9, swing_usual, &c);
    ArcExperiment *experiment = case_experiment(text);
    assert_int_equal(arc_problem_create(experiment, &c.seen, &problem, &err), ARC_INPUT);
    if (strstr(err.text, words) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, words);
    assert_null(problem);
    arc_experiment_free(experiment);
    swing_free(&c);
}

static void test_what_a_swing_cannot_do_is_refused(void **state)
{
    (void)state;
    refuse(SWING_SPLINES "parameters: {t0: 0 s}\n",
           ":2:54: error: no row of 'swing.csv' is before");
    refuse(SWING_FIT "fit: {pinn: {train: [{optimizer: lm, steps: 20}]}}\n", "linear stage");
}

/* Where the experiment gives no span, the torque curves have that of the rows. Rows that are later
 * than any release are none of the swing's, and counted. */
static void test_span_is_that_of_the_rows_before_the_release(void **state)
{
    (void)state;
    static const char *const text =
        SWING_HEAD "arm:\n  base: [0 m, 1 m]\n  joints:\n"
                   "    - {" SWING_LINK_1 ", torque: {curve: polynomial, coefficients: 3}}\n"
                   "    - {" SWING_LINK_2 ", torque: {curve: polynomial, coefficients: 3}}\n"
                   "parameters:\n" SWING_FREE;
    SwingCase c;
    ArcError err;
    ArcProblem *problem = NULL;
    swing_case(SWING_TRUTH, 0.3, 0.9, swing_usual, &c);
    ArcExperiment *experiment = case_experiment(text);
    assert_true(isnan(experiment->arm.settings.begin_s));
    c.time_s[18] = 5.0;
    c.time_s[19] = 6.0;
    if (arc_problem_create(experiment, &c.seen, &problem, &err) != ARC_OK)
        fail_msg("%s", err.text);
    const ArcArmSettings *arm = &problem->arm.settings, *swings = &problem->swing->arm.settings;
    assert_int_equal(problem->swing->n_times, 18);
    assert_int_equal(arc_swing_left_out(problem->swing), 2);
    assert_true(arm->begin_s == c.time_s[0] && arm->end_s == c.time_s[17]);
    assert_true(swings->begin_s == arm->begin_s && swings->end_s == arm->end_s);
    arc_problem_free(problem);
    ArcFit *fit = case_fit(text, &c.seen, ARC_DIRECT);
    assert_true(fit->converged);
    assert_int_equal(fit->arm->swing->rows, 18);
    assert_int_equal(fit->arm->swing->left_out, 2);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    swing_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direct_jacobian_against_differences),
        cmocka_unit_test(test_linear_jacobian_against_differences),
        cmocka_unit_test(test_reversed_time_comes_back_to_the_release),
        cmocka_unit_test(test_runner_goes_both_ways_from_the_release),
        cmocka_unit_test(test_release_is_one_for_swing_and_flight),
        cmocka_unit_test(test_observed_angles_and_rates_are_the_arms),
        cmocka_unit_test(test_what_a_swing_cannot_do_is_refused),
        cmocka_unit_test(test_span_is_that_of_the_rows_before_the_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
