/* Own equations as a phase: Jacobians of both methods against differences, for both orders and
 * channels that are seen in part; scales; starts from the data; graded nets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/grading.h"
#include "fit/objectives.h"
#include "fit/system.h"
#include "fit_case.h"
#include "model_case.h"
#include "objective_check.h"
#include "system_case.h"

enum { POINTS = 9, UNITS = 12 };

#define FINE "fit: {direct: {tolerance: 1e-13}}\n"
#define SIGMA_OF_COUPLED "capture: {file: none.csv, sigma: {a: 1 cm, b: 0.5, va: 0.2, vb: 2}}\n"
#define SIGMA_CLOSE "capture: {file: none.csv, sigma: {a: 0.1 mm}}\n"
#define FREE_COUPLED                                                                               \
    "parameters: {stiffness: {start: 4}, coupling: {start: 0.5}, damping: {start: 0.2},\n"         \
    "  drive: {start: 0.7, prior: {mean: 0.6, sd: 0.2}}, t0: {start: -0.1}, a0: {start: 1.2},\n"   \
    "  b0: {start: -15}, va0: {start: 0.4}, vb0: {start: 4}}\n"
#define SIGMA_OF_LORENZ "capture: {file: none.csv, sigma: 0.1}\n"
#define SIGMA_OF_STATES "capture: {file: none.csv, sigma: 1e-3}\n"
#define FREE_LORENZ                                                                                \
    "parameters: {sigma: {start: 10}, rho: {start: 15}, beta: {start: 2.7}, t0: {start: -0.05},\n" \
    "  x0: {start: -8}, y0: {start: 7}, z0: {start: 27}}\n"

static ArcProblem *problem_of(const char *text, double span_s, uint32_t channels)
{
    ArcCapture *capture = system_capture_over(text, POINTS, span_s, channels, 1.0, 1);
    ArcProblem *problem = system_problem(text, capture);
    assert_int_equal(problem->n_observations, POINTS * __builtin_popcount(channels));
    assert_int_equal(problem->n_free, problem->n_parameters);
    arc_capture_free(capture);
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
    net.widths[0] = UNITS;
    assert_int_equal(arc_pinn_create(problem, &net, 2 * UNITS, arena, &pinn, &err), ARC_OK);
    assert_non_null(pinn->grading);
    assert_int_equal(arc_linear_objective(pinn, arena, &objective, &z, &err), ARC_OK);
    double worst = check_objective(problem, &objective, z, 2 * UNITS * problem->D);
    arc_arena_free(arena);
    return worst;
}

static void check(const char *text, double span_s, uint32_t channels)
{
    ArcProblem *problem = problem_of(text, span_s, channels);
    double direct = check_direct_objective(problem), linear = check_linear(problem);
    print_message("channels %x: direct %.1e, linear %.1e of the largest\n", channels, direct,
                  linear);
    assert_true(direct < 2e-6);
    assert_true(linear < 2e-6);
    arc_problem_free(problem);
}

static void test_jacobians_of_second_order_are_those_of_differences(void **state)
{
    (void)state;
    check(COUPLED SIGMA_OF_COUPLED FREE_COUPLED FINE, 1.5, 0xf); /* all */
    check(COUPLED SIGMA_OF_COUPLED FREE_COUPLED FINE, 1.5, 0x1); /* the first coordinate */
    check(COUPLED SIGMA_OF_COUPLED FREE_COUPLED FINE, 1.5, 0x9); /* it and the other's velocity */
}

static void test_jacobians_of_first_order_are_those_of_differences(void **state)
{
    (void)state;
    check(LORENZ SIGMA_OF_LORENZ FREE_LORENZ FINE, 0.4, 0x7);
    check(LORENZ SIGMA_OF_LORENZ FREE_LORENZ FINE, 0.4, 0x2);
}

/* Columns of fixed parameters are left out, and those that are there are the same. */
static void test_columns_are_those_of_free_parameters(void **state)
{
    (void)state;
    ArcCapture *capture =
        system_capture_over(LORENZ SIGMA_OF_LORENZ FREE_LORENZ, POINTS, 0.4, 0x7, 1.0, 1);
    ArcProblem *all = system_problem(LORENZ SIGMA_OF_LORENZ FREE_LORENZ FINE, capture);
    ArcProblem *some = system_problem(LORENZ SIGMA_OF_LORENZ
                                      "parameters: {sigma: {fixed: 10}, rho: {fixed: 15}, "
                                      "beta: {start: 2.7}, t0: {fixed: -0.05}, x0: {fixed: -8}, "
                                      "y0: {start: 7}, z0: {fixed: 27}}\n" FINE,
                                      capture);
    assert_int_equal(all->P, 3);
    assert_int_equal(some->P, 1);
    assert_int_equal(some->n_free, 2);
    ArcArena *arena = arc_arena_create();
    ArcObjective objectives[2];
    ArcTrajectory states;
    double *values, z[2][ARC_MAX_PARAMETERS], r[2][64], J[2][64 * 8] = {0};
    const ArcProblem *problems[2] = {all, some};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            arc_direct_objective(problems[i], arena, &objectives[i], &states, &values, NULL),
            ARC_OK);
        for (int k = 0; k < problems[i]->n_free; k++)
            z[i][k] = problems[i]->start[problems[i]->free_parameter[k]];
        assert_true(objectives[i].evaluate(objectives[i].context, z[i], r[i], J[i]));
    }
    const int of_all[2] = {2, 5}; /* beta, y0 */
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3 * POINTS; i++) {
            double a = J[0][of_all[k] * 3 * POINTS + i], b = J[1][k * 3 * POINTS + i];
            assert_true(fabs(a - b) <= 1e-6 * (1.0 + fabs(a)));
        }
    arc_arena_free(arena);
    arc_problem_free(all);
    arc_problem_free(some);
    arc_capture_free(capture);
}

/* What is observed begins where the data say, what is not where the model does; sizes are those of
 * the motion. */
static void test_starts_come_from_the_data(void **state)
{
    (void)state;
    const char *text = COUPLED SIGMA_CLOSE
        "parameters: {stiffness: {start: 4}, a0: {start: 1.2}, va0: {start: 0.4}}\n";
    ArcCapture *capture = system_capture_over(text, 41, 6.0, 0x1, 1.0, 1);
    ArcProblem *problem =
        system_problem(COUPLED SIGMA_CLOSE "parameters: {stiffness: {start: 4}}\n", capture);
    const double *start = problem->start + problem->t0_index + 1;
    print_message("a0 %.4f va0 %.4f b0 %.4f vb0 %.4f\n", start[0], start[2], start[1], start[3]);
    assert_true(fabs(start[0] - 1.2) < 0.02);
    assert_true(fabs(start[2] - 0.4) < 0.3);
    assert_true(start[1] == -20.0 && start[3] == 3.0);
    const ArcSystemPhase *system = arc_system_of(problem);
    assert_true(system->scale[0] > 0.3 && system->scale[0] < 3.0);
    assert_true(system->scale[1] > 5.0 && system->scale[1] < 40.0);
    assert_true(system->phase.turns >= 3 && system->phase.turns <= 5);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

/* The guess is the motion itself where the start is near, else follows the data. */
static void test_guess_follows_the_data(void **state)
{
    (void)state;
    enum { N = 31 };
    ArcCapture *capture = system_capture_over(
        LORENZ SIGMA_OF_STATES "parameters: {rho: {fixed: 15}}\n", 41, 1.0, 0x5, 1.0, 1);
    ArcProblem *problem = system_problem(
        LORENZ SIGMA_OF_STATES "parameters: {sigma: {start: 1}, rho: {start: 1}, beta: {start: 1}}",
        capture);
    const ArcSystemPhase *system = arc_system_of(problem);
    double s[N], a[2][3 * N], values[ARC_MAX_PARAMETERS];
    for (int i = 0; i < N; i++)
        s[i] = 0.1 + 0.8 * i / (N - 1);
    memcpy(values, problem->start, sizeof(double) * (size_t)problem->n_parameters);
    assert_true(arc_start_system_guess(problem, values, N, s, a[0])); /* far */
    values[0] = 10.0;
    values[1] = 15.0;
    values[2] = 8.0 / 3.0;
    values[5] = 7.0;
    assert_true(arc_start_system_guess(problem, values, N, s, a[1])); /* the truth */
    for (int c = 0; c < 3; c += 2) {
        double off = 0.0, size = 0.0;
        for (int i = 0; i < N; i++) {
            off = fmax(off, fabs(a[0][3 * i + c] - a[1][3 * i + c]));
            size = fmax(size, fabs(a[1][3 * i + c]));
        }
        print_message("state %d, scale %.3g: off by %.3g of %.3g\n", c, system->scale[c], off,
                      size);
        assert_true(off < 0.1 * size);
        assert_true(off > 0.0);
    }
    arc_problem_free(problem);
    arc_capture_free(capture);
}

/* m is monotone, keeps the ends, and its slope is its derivative; what is dense gets units. */
static void test_grading_maps_even_onto_graded(void **state)
{
    (void)state;
    double density[ARC_GRADING_POINTS];
    ArcGrading grading;
    for (int i = 0; i < ARC_GRADING_POINTS; i++)
        density[i] = 1.0 + 30.0 * exp(-pow((i - 600) / 80.0, 2));
    arc_grading_make(&grading, density, false, 0.0);
    double slope, before = -INFINITY, largest = 0.0, dense = 0.0;
    for (int i = -1200; i <= 1200; i++) {
        double u = 1e-3 * i, step = 1e-6, other;
        double tau = arc_grading_map(&grading, u, &slope);
        double difference = (arc_grading_map(&grading, u + step, &other) -
                             arc_grading_map(&grading, u - step, &other)) /
                            (2.0 * step);
        assert_true(tau > before);
        before = tau;
        largest = fmax(largest, fabs(difference - slope));
        dense += fabs(tau + 0.5) < 0.1;
    }
    print_message("slopes within %.1e; %.0f of 2401 in a tenth\n", largest, dense);
    assert_true(largest < 1e-3);
    assert_true(dense > 700.0);
    assert_true(fabs(arc_grading_map(&grading, -1.0, &slope) + 1.0) < 1e-12);
    assert_true(fabs(arc_grading_map(&grading, 1.0 - 1e-12, &slope) - 1.0) < 1e-9);
}

/* A layer takes its share, and the map stays smooth and monotone. */
static void test_grading_keeps_a_layer(void **state)
{
    (void)state;
    double density[ARC_GRADING_POINTS], slope, other, before = -2.0;
    ArcGrading grading, plain;
    for (int i = 0; i < ARC_GRADING_POINTS; i++)
        density[i] = 1.0;
    arc_grading_make(&grading, density, false, 1e4);
    arc_grading_make(&plain, density, false, 3.0);
    int early = 0;
    for (int i = -1000; i <= 1000; i++) {
        double tau = arc_grading_map(&grading, 1e-3 * i, &slope);
        double ahead = arc_grading_map(&grading, 1e-3 * i + 1e-7, &other);
        assert_true(tau > before);
        if (abs(i) < 1000)
            assert_true(fabs((ahead - tau) / 1e-7 / slope - 1.0) < 1e-3);
        early += tau < -1.0 + 2e-3;
        before = tau;
        assert_true(fabs(arc_grading_map(&plain, 1e-3 * i, &other) - 1e-3 * i) < 1e-12);
    }
    print_message("%d of 2001 in the first thousandth\n", early);
    assert_true(early > 100);
}

/* Of a free fall the variance that a residual adds has a closed form: of white noise of variance
 * T sigma_phys^2 in the acceleration, T sigma_phys^2 s^3 / 3 at s. */
static void test_sigma_phys_of_a_free_fall_is_that_of_the_formula(void **state)
{
    (void)state;
    enum { N = 200 };
    const double span_s = 1.7, sigma_m = 0.02;
    const char *text = MODEL_OF("ball") "capture: {file: none.csv, sigma: {x: 2 cm}}\n"
                                        "parameters: {k: {fixed: 0}, x0: {start: 0}}\n";
    ArcCapture *capture = system_capture_over(text, N, span_s, 0x1, 1e-6, 1);
    ArcProblem *problem = system_problem(text, capture);
    double scale = arc_system_of(problem)->scale[0], sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += pow(span_s * i / (N - 1), 3) / 3.0 / N;
    double expected = sqrt(0.01 / (N * span_s * sum)) * sigma_m / scale;
    double found = arc_system_sigma(problem, problem->start);
    print_message("sigma_phys %.6g, by the formula %.6g\n", found, expected);
    assert_true(fabs(found / expected - 1.0) < 0.01);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jacobians_of_second_order_are_those_of_differences),
        cmocka_unit_test(test_jacobians_of_first_order_are_those_of_differences),
        cmocka_unit_test(test_columns_are_those_of_free_parameters),
        cmocka_unit_test(test_starts_come_from_the_data),
        cmocka_unit_test(test_guess_follows_the_data),
        cmocka_unit_test(test_grading_maps_even_onto_graded),
        cmocka_unit_test(test_grading_keeps_a_layer),
        cmocka_unit_test(test_sigma_phys_of_a_free_fall_is_that_of_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, model_clear);
}
