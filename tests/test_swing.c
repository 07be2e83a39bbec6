/* The swing as a phase of the throw: Jacobians of both methods by differences, reversed time against
 * a forward integration, continuity at the release, what is observed and its partials. */
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
    assert_true(worst < 2e-6);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direct_jacobian_against_differences),
        cmocka_unit_test(test_linear_jacobian_against_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
