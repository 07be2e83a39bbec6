/* The interval scan: a push put in comes out, chances hold where there is none, and what the
 * parameters can do counts for nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "slow.h"
#include "solve/scan.h"
#include "sweep.h"

#include <string.h>

enum { ROWS = 40, CELLS = 10, AXES = 2, N = 4, COLUMNS = AXES * CELLS };

typedef struct Case {
    double J[ROWS * N], F[ROWS * COLUMNS], r[ROWS];
} Case;

/* Rows are two axes of twenty times; J a line in each axis, F ramps that begin in each cell. */
static void case_make(Case *c, ArcRandom *random)
{
    memset(c, 0, sizeof *c);
    for (int a = 0; a < AXES; a++)
        for (int i = 0; i < ROWS / AXES; i++) {
            int row = a * (ROWS / AXES) + i;
            double t = i / (ROWS / AXES - 1.0);
            c->J[row + 2 * a * ROWS] = 1.0;
            c->J[row + (2 * a + 1) * ROWS] = t;
            for (int j = 0; j < CELLS; j++)
                c->F[row + (a * CELLS + j) * ROWS] = 10.0 * fmax(t - (j + 0.5) / CELLS, 0.0);
        }
    for (int i = 0; i < ROWS; i++)
        c->r[i] = random != NULL ? arc_random_normal(random) : 0.0;
}

/* Adds what a push in cells first to last does. */
static void case_push(Case *c, int first, int last, const double *push)
{
    for (int a = 0; a < AXES; a++)
        for (int j = first; j <= last; j++)
            for (int i = 0; i < ROWS; i++)
                c->r[i] += push[a] * c->F[i + (a * CELLS + j) * ROWS];
}

static ArcScanResult case_run(Case *c, uint64_t seed)
{
    ArcArena *arena = arc_arena_create();
    ArcScanResult result;
    assert_non_null(arena);
    const ArcScanProblem problem = {ROWS, N, AXES, CELLS, c->J, c->F, c->r};
    assert_int_equal(arc_scan_run(&problem, arc_random_create(seed, 1), arena, &result, NULL),
                     ARC_OK);
    arc_arena_free(arena);
    return result;
}

/* Without noise the interval's push is found to rounding, and takes all of chi2. */
static void test_scan_run_push_without_noise_is_exact(void **state)
{
    (void)state;
    const double push[2] = {3.0, -2.0};
    Case c;
    case_make(&c, NULL);
    case_push(&c, 3, 5, push);
    for (int i = 0; i < ROWS; i++)
        c.r[i] += 7.0 * c.J[i] - 4.0 * c.J[i + 3 * ROWS];
    ArcScanResult result = case_run(&c, 1);
    assert_true(result.found);
    assert_int_equal(result.first, 3);
    assert_int_equal(result.last, 5);
    assert_near(result.push[0], 3.0, 1e-9);
    assert_near(result.push[1], -2.0, 1e-9);
    assert_near(result.statistic / result.chi2, 1.0, 1e-9);
    assert_int_equal(result.dof, ROWS - N);
    assert_near(result.p, 1.0 / (ARC_SCAN_DRAWS + 1), 1e-15);
}

/* Scatter of the found push about the true one, by the covariance that goes with it. */
static void test_scan_run_covariance_is_that_of_the_push(void **state)
{
    (void)state;
    SKIP_UNDER_SANITIZERS();
    const double push[2] = {30.0, 0.0};
    ArcRandom random = arc_random_create(11, 1);
    double sum = 0.0;
    int n = 0;
    for (int i = 0; i < 400; i++) {
        Case c;
        case_make(&c, &random);
        case_push(&c, 2, 6, push);
        ArcScanResult result = case_run(&c, (uint64_t)i);
        if (result.first != 2 || result.last != 6)
            continue;
        double off = result.push[0] - 30.0;
        sum += off * off / result.covariance[0];
        n++;
    }
    print_message("right interval in %d of 400, mean square %.2f\n", n, sum / n);
    assert_true(n > 350);
    assert_near(sum / n, 1.0, 0.25);
}

static void test_scan_run_noise_alone_gives_even_chances(void **state)
{
    (void)state;
    enum { RUNS = 1000 };
    ArcRandom random = arc_random_create(5, 1);
    int below[2][2] = {{0}};
    for (int i = 0; i < RUNS; i++) {
        Case c;
        case_make(&c, &random);
        ArcScanResult result = case_run(&c, (uint64_t)i);
        below[0][0] += result.p <= 0.5;
        below[0][1] += result.p <= 0.05;
        below[1][0] += result.p_scaled <= 0.5;
        below[1][1] += result.p_scaled <= 0.05;
    }
    for (int k = 0; k < 2; k++) {
        print_message("p <= 0.5 in %d, <= 0.05 in %d of %d\n", below[k][0], below[k][1], RUNS);
        assert_near(below[k][0], 0.5 * RUNS, 4.0 * sqrt(0.25 * RUNS));
        assert_near(below[k][1], 0.05 * RUNS, 4.0 * sqrt(0.0475 * RUNS));
    }
}

/* Noise four times the stated: the plain chance falls, the scaled one stays. */
static void test_scan_run_scaled_chance_knows_no_scale(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Case one, other;
        ArcRandom random = arc_random_create(seed, 2);
        case_make(&one, &random);
        other = one;
        for (int i = 0; i < ROWS; i++)
            other.r[i] *= 4.0;
        ArcScanResult a = case_run(&one, seed), b = case_run(&other, seed);
        assert_near(a.p_scaled, b.p_scaled, 1e-12);
        assert_true(b.p <= a.p);
    }
}

/* Pushes that are a parameter's too cannot be told from it. */
static void test_scan_run_what_parameters_do_is_not_found(void **state)
{
    (void)state;
    Case c;
    ArcRandom random = arc_random_create(1, 1);
    case_make(&c, &random);
    for (int k = 0; k < COLUMNS; k++)
        for (int i = 0; i < ROWS; i++)
            c.F[i + k * ROWS] = c.J[i + (k / CELLS * 2) * ROWS] * (1.0 + k);
    ArcScanResult result = case_run(&c, 1);
    assert_false(result.found);
}

static void test_scan_run_what_is_not_finite_is_refused(void **state)
{
    (void)state;
    Case c;
    ArcArena *arena = arc_arena_create();
    ArcScanResult result;
    case_make(&c, NULL);
    c.r[3] = NAN;
    const ArcScanProblem problem = {ROWS, N, AXES, CELLS, c.J, c.F, c.r};
    assert_int_equal(arc_scan_run(&problem, arc_random_create(1, 1), arena, &result, NULL),
                     ARC_NUMERIC);
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan_run_push_without_noise_is_exact),
        cmocka_unit_test(test_scan_run_covariance_is_that_of_the_push),
        cmocka_unit_test(test_scan_run_noise_alone_gives_even_chances),
        cmocka_unit_test(test_scan_run_scaled_chance_knows_no_scale),
        cmocka_unit_test(test_scan_run_what_parameters_do_is_not_found),
        cmocka_unit_test(test_scan_run_what_is_not_finite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
