/* Jacobians of the residual blocks of every method's stage, against central differences over a
 * sweep of steps: all laws of drag and lift, spin decay, shear and gust, plane and space, both
 * releases, every axis up, with a free t0, priors, wind and missing coordinates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/objectives.h"
#include "fit_case.h"
#include "law_case.h"
#include "objective_check.h"
#include "slow.h"

enum { POINTS = 7, CASES = 4 * LAW_DRAGS * LAW_LIFTS, TEXT = 2048 };
/* One after the other with the cases. */
static const char *const losses[] = {"gauss", "huber", "cauchy", "student-t"};

typedef struct Case {
    LawCase law;
    int d, up;
    bool polar;
} Case;

static void case_text(const Case *c, char text[TEXT])
{
    static const char *const up[] = {"x", "y", "z"};
    char flight[LAW_TEXT], parameters[LAW_TEXT];
    law_flight(&c->law, c->d, flight);
    law_parameters(&c->law, c->d, c->up, parameters);
    const char *velocity =
        c->polar ? (c->d == 2 ? "speed: {start: 7}, angle: {start: 0.9}"
                              : "speed: {start: 7}, angle: {start: 0.9}, azimuth: {start: 0.4}")
                 : (c->d == 2 ? "vx0: {start: 4}, vy0: {start: 5}"
                              : "vx0: {start: 4}, vy0: {start: 5}, vz0: {start: -3}");
    snprintf(text, TEXT,
             CASE_HEAD "flight: {dimensions: %d, up: %s, ball: basketball, %s}\n"
                       "release: %s\n"
                       "parameters: {%st0: {start: -0.05}, x0: {start: 0.3}, y0: {start: 2}, "
                       "%s%s}\n"
                       "fit: {loss: %s, direct: {tolerance: 1e-13}}\n",
             c->d, up[c->up], flight, c->polar ? "polar" : "cartesian", parameters,
             c->d == 2 ? "" : "z0: {start: 1}, ", velocity,
             losses[(c->law.drag + c->law.lift) % 4]);
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
    assert_int_equal(objective.n_inner, 9 * problem->D);
    double worst = check_objective(problem, &objective, z, 12 * problem->D);
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
    double worst = check_objective(problem, &objective, z, collocation * problem->D);
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
    for (int i = 0; i < CASES; i += FEWER(1, 5)) { /* all laws, not all pairs */
        Case c = {.law = law_case(i), .d = 2 + i / (CASES / 4) % 2, .polar = i / (CASES / 2) == 1};
        c.up = i % c.d;
        ArcProblem *problem = problem_of(&c);
        double of_case = check(problem);
        char name[LAW_NAME];
        law_name(&c.law, name);
        /* differences across the rounded corner of sawicki's law are worse */
        if (!(of_case <= (strcmp(law_lifts[c.law.lift].name, "sawicki") == 0 ? 1e-5 : 1e-6)))
            fail_msg("%s, %d dimensions, axis %d up, %s: error %g of the largest", name, c.d, c.up,
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
                  check_all_cases(check_direct_objective));
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
        const Case c = {.law = {.drag = 1, .lift = 1}, .d = d, .up = d - 1};
        ArcProblem *problem = problem_of(&c);
        assert_true(check_weights_at(problem, 150) <= 1e-6);
        arc_problem_free(problem);
    }
}

/* Both stages see the same physics: at the same net and parameters their residuals are the same. */
static void test_linear_objective_residuals_are_those_of_all_weights(void **state)
{
    (void)state;
    const Case c = {.law = {.drag = 1, .lift = 1}, .d = 3, .up = 2};
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
    const Case c = {.law = {.drag = 1}, .d = 2, .up = 1};
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
