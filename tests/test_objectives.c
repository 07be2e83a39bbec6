/* Jacobians of the residual blocks of every method's stage, against central differences over a
 * sweep of steps: all laws, plane and space, both releases, every axis up, with a free t0, priors,
 * wind and missing coordinates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/objectives.h"
#include "fit_case.h"
#include "objective_check.h"

enum { POINTS = 7, TEXT = 2048 };

/* What a law adds to the parameters, in the plane and in space. */
typedef struct Law {
    const char *name, *parameters;
} Law;

static const Law drags[] = {{"none", ""},
                            {"lumped", "k: {start: 0.06, prior: {mean: 0.1, sd: 0.05}}, "},
                            {"quadratic", "cd: {start: 0.6, prior: {mean: 0.5, sd: 0.1}}, "}};
static const Law lifts[] = {{"none", ""},
                            {"lumped", "s: {start: 0.08}, "},
                            {"constant", "cl: {start: 0.3}, "},
                            {"linear", "cm: {start: 1.2}, "},
                            {"rational", ""}};
enum { DRAGS = 3, LIFTS = 5 };

typedef struct Case {
    int drag, lift, d, up;
    bool polar;
} Case;

static void case_text(const Case *c, char text[TEXT])
{
    static const char *const up[] = {"x", "y", "z"};
    const char *spin = c->d == 2 ? "spin: {start: 12, prior: {mean: 10, sd: 5}}, "
                                 : "wx: {start: 4}, wy: {start: -12}, wz: {start: 6}, ";
    const char *velocity =
        c->polar ? (c->d == 2 ? "speed: {start: 7}, angle: {start: 0.9}"
                              : "speed: {start: 7}, angle: {start: 0.9}, azimuth: {start: 0.4}")
                 : (c->d == 2 ? "vx0: {start: 4}, vy0: {start: 5}"
                              : "vx0: {start: 4}, vy0: {start: 5}, vz0: {start: -3}");
    snprintf(text, TEXT,
             CASE_HEAD "flight: {dimensions: %d, up: %s, ball: basketball, drag: %s, lift: %s, "
                       "wind: [1, -2%s]}\n"
                       "release: %s\n"
                       "parameters: {%s%s%st0: {start: -0.05}, x0: {start: 0.3}, y0: {start: 2}, "
                       "%s%s}\n"
                       "fit: {direct: {tolerance: 1e-13}}\n",
             c->d, up[c->up], drags[c->drag].name, lifts[c->lift].name, c->d == 2 ? "" : ", 0.5",
             c->polar ? "polar" : "cartesian", drags[c->drag].parameters, lifts[c->lift].parameters,
             c->lift == 0 ? "" : spin, c->d == 2 ? "" : "z0: {start: 1}, ", velocity);
}

/* The problem of a case, with every fourth coordinate missing. */
static ArcProblem *problem_of(const Case *c)
{
    char text[TEXT];
    case_text(c, text);
    ArcCapture *flown = case_capture(text, POINTS, 0.8, 0.003), *capture = NULL;
    double position[3 * POINTS];
    memcpy(position, flown->position_m, sizeof(double) * (size_t)(c->d * POINTS));
    for (int i = 2; i < c->d * POINTS; i += 4)
        position[i] = NAN;
    ArcError err;
    if (arc_capture_create(GIVEN(POINTS, c->d, flown->time_s, position, flown->sigma_m), &capture,
                           &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcProblem *problem = case_problem(text, capture);
    assert_true(problem->n_observations < c->d * POINTS);
    assert_int_equal(problem->n_free, problem->n_parameters);
    arc_capture_free(capture);
    arc_capture_free(flown);
    return problem;
}

static double check_direct(const ArcProblem *problem)
{
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcObjective objective;
    ArcTrajectory states;
    double *values = NULL, z[ARC_MAX_PARAMETERS];
    assert_int_equal(arc_direct_objective(problem, arena, &objective, &states, &values, &err),
                     ARC_OK);
    for (int k = 0; k < problem->n_free; k++)
        z[k] = problem->start[problem->free_parameter[k]];
    double worst = check_objective(problem, &objective, z, 0);
    arc_arena_free(arena);
    return worst;
}

static double check_linear(const ArcProblem *problem)
{
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcObjective objective;
    ArcPinn *pinn = NULL;
    double *z = NULL;
    ArcNetSettings net = arc_net_settings_default();
    net.widths[0] = 8;
    assert_int_equal(arc_pinn_create(problem, &net, 12, arena, &pinn, &err), ARC_OK);
    assert_int_equal(arc_linear_objective(pinn, arena, &objective, &z, &err), ARC_OK);
    assert_int_equal(objective.n_inner, 9 * problem->d);
    double worst = check_objective(problem, &objective, z, 12 * problem->d);
    arc_arena_free(arena);
    return worst;
}

static double check_weights_at(const ArcProblem *problem, int collocation)
{
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcObjective objective;
    ArcPinn *pinn = NULL;
    double *z = NULL;
    ArcNetSettings net = arc_net_settings_default();
    net.n_hidden = 2;
    net.widths[0] = 5;
    net.widths[1] = 4;
    net.init = ARC_INIT_GLOROT_NORMAL;
    assert_int_equal(arc_pinn_create(problem, &net, collocation, arena, &pinn, &err), ARC_OK);
    assert_int_equal(arc_weights_objective(pinn, arena, &objective, &z, &err), ARC_OK);
    for (int k = 0; k < pinn->n_weights; k++)
        z[k] += 0.3; /* biases start at zero */
    double worst = check_objective(problem, &objective, z, collocation * problem->d);
    arc_arena_free(arena);
    return worst;
}

static double check_weights(const ArcProblem *problem)
{
    return check_weights_at(problem, 12);
}

static double check_all_cases(double (*check)(const ArcProblem *))
{
    double worst = 0.0;
    for (int i = 0; i < DRAGS * LIFTS * 4; i++) {
        Case c = {.drag = i % DRAGS,
                  .lift = i / DRAGS % LIFTS,
                  .d = 2 + i / (DRAGS * LIFTS) % 2,
                  .polar = i / (2 * DRAGS * LIFTS) == 1};
        c.up = i % c.d;
        ArcProblem *problem = problem_of(&c);
        double of_case = check(problem);
        if (!(of_case <= 1e-6))
            fail_msg("%s drag, %s lift, %d dimensions, axis %d up, %s: error %g of the largest",
                     drags[c.drag].name, lifts[c.lift].name, c.d, c.up,
                     c.polar ? "polar" : "cartesian", of_case);
        worst = fmax(worst, of_case);
        arc_problem_free(problem);
    }
    return worst;
}

static void test_direct_objective_jacobian_is_that_of_differences(void **state)
{
    (void)state;
    print_message("direct: worst error %.1e of the column's largest entry\n",
                  check_all_cases(check_direct));
}

static void test_linear_objective_jacobian_is_that_of_differences(void **state)
{
    (void)state;
    print_message("linear stage: worst error %.1e of the column's largest entry\n",
                  check_all_cases(check_linear));
}

static void test_weights_objective_jacobian_is_that_of_differences(void **state)
{
    (void)state;
    print_message("all weights: worst error %.1e of the column's largest entry\n",
                  check_all_cases(check_weights));
}

/* Rows are made in batches: here the first holds collocation points alone, the last the rest of
 * them and the observations. */
static void test_weights_objective_jacobian_of_several_batches_is_that_of_differences(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        const Case c = {.drag = 1, .lift = 1, .d = d, .up = d - 1};
        ArcProblem *problem = problem_of(&c);
        assert_true(check_weights_at(problem, 150) <= 1e-6);
        arc_problem_free(problem);
    }
}

/* Both stages see the same physics: at the same net and parameters their residuals are the same. */
static void test_linear_objective_residuals_are_those_of_all_weights(void **state)
{
    (void)state;
    const Case c = {.drag = 1, .lift = 1, .d = 3, .up = 2};
    ArcProblem *problem = problem_of(&c);
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcObjective linear, weights;
    ArcPinn *pinn = NULL;
    double *z = NULL, *start = NULL;
    ArcNetSettings net = arc_net_settings_default();
    net.widths[0] = 10;
    assert_int_equal(arc_pinn_create(problem, &net, 32, arena, &pinn, &err), ARC_OK);
    assert_int_equal(arc_linear_objective(pinn, arena, &linear, &z, &err), ARC_OK);
    double *r = calloc(2 * (size_t)linear.m, sizeof *r);
    assert_true(r != NULL && linear.evaluate(linear.context, z, r, NULL));
    arc_linear_store(&linear, z);
    assert_int_equal(arc_weights_objective(pinn, arena, &weights, &start, &err), ARC_OK);
    assert_int_equal(weights.m, linear.m);
    assert_true(weights.evaluate(weights.context, start, r + linear.m, NULL));
    double largest = 0.0, apart = 0.0;
    for (int i = 0; i < linear.m; i++) {
        largest = fmax(largest, fabs(r[i]));
        apart = fmax(apart, fabs(r[i] - r[linear.m + i]));
    }
    /* The weights are larger than what they add up to. */
    assert_true(largest > 1.0);
    assert_near(apart / largest, 0.0, 1e-9);
    free(r);
    arc_arena_free(arena);
    arc_problem_free(problem);
}

/* Drawn output weights are no start: the data's parabola is, until a stage has trained the net. */
static void test_linear_objective_untrained_net_starts_from_the_parabola(void **state)
{
    (void)state;
    const Case c = {.drag = 1, .lift = 0, .d = 2, .up = 1};
    ArcProblem *problem = problem_of(&c);
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcObjective objective;
    ArcPinn *pinn = NULL;
    double *zero = NULL, *drawn = NULL, *trained = NULL;
    ArcNetSettings net = arc_net_settings_default();
    assert_int_equal(arc_pinn_create(problem, &net, 32, arena, &pinn, &err), ARC_OK);
    assert_int_equal(arc_linear_objective(pinn, arena, &objective, &zero, &err), ARC_OK);
    for (int k = (int)arc_net_output_offset(pinn->net); k < pinn->n_weights; k++)
        pinn->weights[k] = 0.1;
    assert_int_equal(arc_linear_objective(pinn, arena, &objective, &drawn, &err), ARC_OK);
    pinn->trained = true;
    assert_int_equal(arc_linear_objective(pinn, arena, &objective, &trained, &err), ARC_OK);
    double apart = 0.0;
    for (int i = 0; i < objective.n_inner + objective.n_damped + objective.n_outer; i++) {
        assert_true(zero[i] == drawn[i]);
        apart = fmax(apart, fabs(trained[i] - drawn[i]));
    }
    assert_true(apart > 1.0);
    arc_arena_free(arena);
    arc_problem_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direct_objective_jacobian_is_that_of_differences),
        cmocka_unit_test(test_linear_objective_jacobian_is_that_of_differences),
        cmocka_unit_test(test_weights_objective_jacobian_is_that_of_differences),
        cmocka_unit_test(test_weights_objective_jacobian_of_several_batches_is_that_of_differences),
        cmocka_unit_test(test_linear_objective_residuals_are_those_of_all_weights),
        cmocka_unit_test(test_linear_objective_untrained_net_starts_from_the_parabola),
    };
    return cmocka_run_group_tests_name("objectives", tests, NULL, NULL);
}
