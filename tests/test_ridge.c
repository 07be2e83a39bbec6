/* Ridge regression in groups: its evidence against that of the data's own covariance, the least and
 * the average against grids, the solution, blocks left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "dense.h"
#include "solve/ridge.h"

#include <stdlib.h>

enum { M = 24, S = 2, K = 9, N = S + K + 1, BLOCKS = 4 };

static void assert_near(double value, double expected, double off)
{
    if (!(fabs(value - expected) <= off))
        fail_msg("%.12g is not %.12g", value, expected);
}

static double rows[M * N];
static int first[BLOCKS + 1];
static const double low[2] = {0.01, 0.02}, high[2] = {10.0, 20.0};

/* Rows of two groups (5 and 4 weights) whose first has an sd of about 1 in the data, the second
 * none; each has a weight that is nearly another one's. */
static ArcRidgeRows make_rows(uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 1);
    double weights[K] = {1.2, -0.7, 0.4, 1.5, -1.1};
    for (int i = 0; i < M * (N - 1); i++)
        rows[i] = arc_random_normal(&random);
    for (int i = 0; i < M; i++) {
        rows[i + M * (S + 4)] = rows[i + M * (S + 3)] + 1e-7 * rows[i + M * (S + 4)];
        rows[i + M * (S + 8)] = rows[i + M * (S + 5)] + 1e-2 * rows[i + M * (S + 8)];
        rows[i + M * (N - 1)] = arc_random_normal(&random) + 3.0 * rows[i];
        for (int k = 0; k < K; k++)
            rows[i + M * (N - 1)] -= weights[k] * rows[i + M * (S + k)];
    }
    for (int b = 0; b <= BLOCKS; b++)
        first[b] = 6 * b;
    return (ArcRidgeRows){.m = M,
                          .ld = M,
                          .S = S,
                          .K = K,
                          .G = 2,
                          .size = {5, 4},
                          .n_blocks = BLOCKS,
                          .first = first,
                          .rows = rows};
}

static ArcRidge *make(ArcArena *arena, uint64_t seed)
{
    ArcRidge *ridge = NULL;
    ArcRidgeRows given = make_rows(seed);
    assert_int_equal(arc_ridge_create(&given, low, high, arena, &ridge, NULL), ARC_OK);
    return ridge;
}

/* log det of a symmetric positive matrix in long double, which becomes its inverse. */
static long double log_det(int n, long double *A)
{
    long double L[DENSE_MAX * DENSE_MAX], sum = 0.0L;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            long double value = A[i + j * n];
            for (int k = 0; k < j; k++)
                value -= L[i + k * n] * L[j + k * n];
            L[i + j * n] = i == j ? sqrtl(value) : value / L[j + j * n];
            sum += i == j ? 2.0L * logl(L[j + j * n]) : 0.0L;
        }
    assert_true(dense_invert(n, A));
    return sum;
}

/* -log p by the covariance of the rows, V = 1 + sum of sd^2 A A', d integrated out. */
static double evidence(const double *sd, int begin, int end)
{
    long double V[M * M], D[S * S] = {0}, g[S] = {0}, square = 0.0L;
    int n = 0, at[M];
    for (int i = 0; i < M; i++)
        if (i < begin || i >= end)
            at[n++] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            V[i + j * n] = i == j;
            for (int k = 0; k < K; k++) {
                long double s = sd[k < 5 ? 0 : 1];
                V[i + j * n] += s * s * rows[at[i] + M * (S + k)] * rows[at[j] + M * (S + k)];
            }
        }
    long double sum = 0.5L * log_det(n, V);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            long double v = V[i + j * n], r = rows[at[j] + M * (N - 1)];
            square += v * r * rows[at[i] + M * (N - 1)];
            for (int k = 0; k < S; k++) {
                g[k] += v * r * rows[at[i] + M * k];
                for (int l = 0; l < S; l++)
                    D[k + l * S] += v * rows[at[i] + M * k] * rows[at[j] + M * l];
            }
        }
    sum += 0.5L * log_det(S, D);
    for (int k = 0; k < S; k++)
        for (int l = 0; l < S; l++)
            square -= g[k] * D[k + l * S] * g[l];
    return (double)(sum + 0.5L * square);
}

static void test_evidence_is_that_of_the_data_s_covariance(void **state)
{
    (void)state;
    const double cases[][2] = {{1.0, 1.0}, {0.01, 20.0}, {10.0, 0.02},
                               {0.0, 0.5}, {3.0, 0.0},   {0.0, 0.0}};
    ArcArena *arena = arc_arena_create();
    ArcRidge *ridge = make(arena, 1);
    for (int i = 0; i < 6; i++)
        assert_near(arc_ridge_evidence(ridge, cases[i]), evidence(cases[i], M, M), 2e-4);
    arc_arena_free(arena);
}

static void test_left_out_blocks_are_densities_given_the_others(void **state)
{
    (void)state;
    const double sd[2] = {0.8, 0.1};
    ArcArena *arena = arc_arena_create();
    ArcRidge *ridge = make(arena, 2);
    double sum = 0.0, all = evidence(sd, M, M);
    for (int b = 0; b < BLOCKS; b++)
        sum += all - evidence(sd, first[b], first[b + 1]);
    assert_near(arc_ridge_left_out(ridge, sd), sum, 2e-3);
    arc_arena_free(arena);
}

/* No sds of a fine grid are better than those found, by either measure. */
static void test_minimise_finds_the_least(void **state)
{
    (void)state;
    const ArcRidgeMeasure measures[] = {arc_ridge_evidence, arc_ridge_left_out};
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (int which = 0; which < 2; which++) {
            ArcArena *arena = arc_arena_create();
            ArcRidge *ridge = make(arena, seed);
            double sd[2] = {1.0, 1.0}, least = arc_ridge_minimise(ridge, measures[which], sd);
            assert_near(measures[which](ridge, sd), least, 1e-9);
            for (int i = 0; i <= 30; i++)
                for (int j = 0; j <= 30; j++) {
                    double other[2] = {i == 0 ? 0.0 : low[0] * pow(high[0] / low[0], i / 30.0),
                                       j == 0 ? 0.0 : low[1] * pow(high[1] / low[1], j / 30.0)};
                    assert_true(measures[which](ridge, other) > least - 2e-3);
                }
            assert_in_range((int)(100.0 * sd[0]), 20, 500);
            arc_arena_free(arena);
        }
}

/* Rows of noise want no weights. */
static void test_minimise_leaves_out_what_noise_does_not_want(void **state)
{
    (void)state;
    int none = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        ArcArena *arena = arc_arena_create();
        ArcRidgeRows given = make_rows(seed);
        ArcRandom random = arc_random_create(seed, 2);
        for (int i = 0; i < M; i++)
            rows[i + M * (N - 1)] = arc_random_normal(&random);
        ArcRidge *ridge = NULL;
        assert_int_equal(arc_ridge_create(&given, low, high, arena, &ridge, NULL), ARC_OK);
        double sd[2] = {1.0, 1.0};
        arc_ridge_minimise(ridge, arc_ridge_evidence, sd);
        none += sd[0] == 0.0;
        /* Averaged, noise is no evidence for them. */
        const double zero[2] = {0.0, 0.0};
        assert_true(arc_ridge_evidence(ridge, zero) - arc_ridge_average(ridge) < 4.0);
        arc_arena_free(arena);
    }
    assert_in_range(none, 15, 39);
}

static void test_average_is_that_of_a_fine_grid(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    ArcRidge *ridge = make(arena, 3);
    double sum = 0.0, reference = evidence((double[2]){1.0, 0.02}, M, M);
    enum { FINE = 60 };
    for (int i = 0; i < FINE; i++)
        for (int j = 0; j < FINE; j++) {
            double sd[2] = {low[0] * pow(high[0] / low[0], (i + 0.5) / FINE),
                            low[1] * pow(high[1] / low[1], (j + 0.5) / FINE)};
            sum += exp(reference - arc_ridge_evidence(ridge, sd)) / (FINE * FINE);
        }
    assert_near(arc_ridge_average(ridge), reference - log(sum), 0.15);
    arc_arena_free(arena);
}

/* At the solution the gradient of F is zero, and unknowns beside it are worse. */
static void test_solve_minimises_and_counts_what_is_determined(void **state)
{
    (void)state;
    const double sd[2] = {1.5, 0.3};
    ArcArena *arena = arc_arena_create();
    ArcRidge *ridge = make(arena, 4);
    double d[S], weights[K], r[M], trace = 0.0;
    arc_ridge_solve(ridge, sd, d, weights);
    for (int i = 0; i < M; i++) {
        r[i] = rows[i + M * (N - 1)];
        for (int k = 0; k < S + K; k++)
            r[i] += rows[i + M * k] * (k < S ? d[k] : weights[k - S]);
    }
    long double H[(S + K) * (S + K)] = {0};
    for (int k = 0; k < S + K; k++) {
        double s = sd[k - S < 5 ? 0 : 1];
        double gradient = k < S ? 0.0 : weights[k - S] / (s * s);
        for (int i = 0; i < M; i++)
            gradient += rows[i + M * k] * r[i];
        assert_near(gradient, 0.0, 2e-3);
        for (int l = 0; l < S + K; l++) {
            H[k + l * (S + K)] = k == l && k >= S ? 1.0 / (s * s) : 0.0;
            for (int i = 0; i < M; i++)
                H[k + l * (S + K)] += (long double)rows[i + M * k] * rows[i + M * l];
        }
    }
    assert_true(dense_invert(S + K, H));
    for (int k = S; k < S + K; k++) {
        double s = sd[k - S < 5 ? 0 : 1];
        trace += 1.0 - (double)H[k * (S + K + 1)] / (s * s);
    }
    assert_near(arc_ridge_effective(ridge, sd), trace, 1e-3);
    arc_arena_free(arena);
}

/* Three groups go together; a row that is not a number is refused. */
static void test_ridge_takes_more_groups_and_no_nonsense(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    ArcRidgeRows given = make_rows(5);
    const double lows[3] = {0.01, 0.01, 0.01}, highs[3] = {10.0, 10.0, 10.0};
    ArcRidge *ridge = NULL;
    given.G = 3;
    given.size[1] = given.size[2] = 2;
    assert_int_equal(arc_ridge_create(&given, lows, highs, arena, &ridge, NULL), ARC_OK);
    double sum = 0.0, reference = arc_ridge_evidence(ridge, (double[3]){1.0, 1.0, 1.0});
    for (int i = 0; i <= 12; i++) {
        double sd = 0.01 * pow(1000.0, i / 12.0);
        sum += exp(reference - arc_ridge_evidence(ridge, (double[3]){sd, sd, sd})) / 13.0;
    }
    assert_near(arc_ridge_average(ridge), reference - log(sum), 1e-9);
    rows[M * (S + 1)] = NAN;
    ArcError err;
    assert_int_equal(arc_ridge_create(&given, lows, highs, arena, &ridge, &err), ARC_NUMERIC);
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evidence_is_that_of_the_data_s_covariance),
        cmocka_unit_test(test_left_out_blocks_are_densities_given_the_others),
        cmocka_unit_test(test_minimise_finds_the_least),
        cmocka_unit_test(test_minimise_leaves_out_what_noise_does_not_want),
        cmocka_unit_test(test_average_is_that_of_a_fine_grid),
        cmocka_unit_test(test_solve_minimises_and_counts_what_is_determined),
        cmocka_unit_test(test_ridge_takes_more_groups_and_no_nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
