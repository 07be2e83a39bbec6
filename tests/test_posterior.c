/* Covariance and null directions from a triangular factor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "dense.h"
#include "solve/eliminate.h"
#include "solve/posterior.h"
#include "sweep.h"

enum { N = 6, M = 30 };

static ArcArena *arena;

static int create_arena(void **state)
{
    (void)state;
    arena = arc_arena_create();
    return arena == NULL;
}

static int free_arena(void **state)
{
    (void)state;
    arc_memory_set_hook(NULL, NULL);
    arc_arena_free(arena);
    return 0;
}

static void fill_random(double *J, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 80);
    for (int k = 0; k < M * N; k++)
        J[k] = arc_random_normal(&random);
}

/* The posterior of J (M, N) by way of its triangular factor. */
static ArcPosterior posterior_of(const double *J)
{
    double r[M] = {1.0};
    ArcElimination e;
    ArcPosterior posterior;
    assert_int_equal(arc_elimination_create(M, 0, N, arena, &e, NULL), ARC_OK);
    assert_true(arc_elimination_run(&e, J, r, 1e-13));
    assert_int_equal(arc_posterior_create(N, e.T, arena, &posterior, NULL), ARC_OK);
    assert_int_equal(posterior.n, N);
    return posterior;
}

static void assert_inverse(const ArcPosterior *posterior, const double *J, double tolerance)
{
    static long double exact[DENSE_MAX * DENSE_MAX];
    dense_gram(M, N, J, exact);
    assert_true(dense_invert(N, exact));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double scale = sqrt((double)(exact[i * (N + 1)] * exact[j * (N + 1)]));
            assert_near(posterior->covariance[i * N + j], (double)exact[i + j * N],
                        tolerance * scale);
            assert_true(posterior->covariance[i * N + j] == posterior->covariance[j * N + i]);
        }
}

static void test_posterior_create_full_rank_is_the_inverse(void **state)
{
    (void)state;
    double J[M * N];
    for (uint64_t seed = 1; seed <= 10; seed++) {
        fill_random(J, seed);
        ArcPosterior posterior = posterior_of(J);
        assert_int_equal(posterior.n_null, 0);
        for (int j = 0; j < N; j++)
            assert_true(posterior.identified[j]);
        assert_inverse(&posterior, J, 1e-13);
    }
}

/* Units do not matter: columns of 1e-120 to 1e80 give the same answer in their own units. */
static void test_posterior_create_units_do_not_matter(void **state)
{
    (void)state;
    const double unit[N] = {1e-120, 1e-6, 1.0, 1e3, 1e9, 1e80};
    double J[M * N], scaled[M * N];
    fill_random(J, 5);
    for (int k = 0; k < M * N; k++)
        scaled[k] = J[k] * unit[k / M];
    ArcPosterior plain = posterior_of(J), other = posterior_of(scaled);
    assert_int_equal(other.n_null, 0);
    for (int i = 0; i < N; i++) {
        assert_near(other.scale[i] * unit[i] / plain.scale[i], 1.0, 1e-14);
        for (int j = 0; j < N; j++) {
            double expected = plain.covariance[i * N + j];
            double size = sqrt(plain.covariance[i * (N + 1)] * plain.covariance[j * (N + 1)]);
            assert_near(other.covariance[i * N + j] * unit[i] * unit[j], expected, 1e-12 * size);
        }
    }
}

/* Strong correlation is not yet a null direction: 1e-5 apart is resolved (to what the reference
 * keeps of its normal equations). */
static void test_posterior_create_correlated_columns_are_resolved(void **state)
{
    (void)state;
    double J[M * N];
    fill_random(J, 6);
    for (int i = 0; i < M; i++)
        J[i + M] = J[i] + 1e-5 * J[i + M];
    ArcPosterior posterior = posterior_of(J);
    assert_int_equal(posterior.n_null, 0);
    assert_inverse(&posterior, J, 1e-7);
}

/* Only the product a b is seen (columns b * f and a * f): moving a up and b down by the same share
 * changes nothing, and the others keep the covariance of the problem without that freedom. */
static void test_posterior_create_product_gives_one_null_direction(void **state)
{
    (void)state;
    const double a = 0.4, b = -25.0;
    double J[M * N], reduced[M * (N - 1)];
    fill_random(J, 7);
    for (int i = 0; i < M; i++) {
        double f = J[i + 2 * M];
        J[i + 2 * M] = b * f;
        J[i + 4 * M] = a * f;
    }
    ArcPosterior posterior = posterior_of(J);
    assert_int_equal(posterior.n_null, 1);
    double direction[N], length2 = 0.0;
    for (int j = 0; j < N; j++) {
        assert_int_equal(posterior.identified[j], j != 2 && j != 4);
        direction[j] = posterior.null[j] * posterior.scale[j];
        length2 += posterior.null[j] * posterior.null[j];
        if (j != 2 && j != 4)
            assert_near(posterior.null[j], 0.0, 1e-13);
    }
    assert_near(length2, 1.0, 1e-14);
    assert_near((direction[2] / a) / (direction[4] / b), -1.0, 1e-13);
    static long double exact[DENSE_MAX * DENSE_MAX];
    memcpy(reduced, J, sizeof(double) * 4 * M);
    memcpy(reduced + 4 * M, J + 5 * M, sizeof(double) * M);
    dense_gram(M, N - 1, reduced, exact);
    assert_true(dense_invert(N - 1, exact));
    const int kept[] = {0, 1, 3, 5}, at[] = {0, 1, 3, 4};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            assert_near(posterior.covariance[kept[i] * N + kept[j]],
                        (double)exact[at[i] + at[j] * (N - 1)], 1e-13);
}

static void test_posterior_create_zero_column_is_unidentified(void **state)
{
    (void)state;
    double J[M * N];
    fill_random(J, 8);
    memset(J + 3 * M, 0, sizeof(double) * M);
    ArcPosterior posterior = posterior_of(J);
    assert_int_equal(posterior.n_null, 1);
    assert_true(posterior.scale[3] == 1.0);
    for (int j = 0; j < N; j++) {
        assert_int_equal(posterior.identified[j], j != 3);
        assert_near(fabs(posterior.null[j]), j == 3 ? 1.0 : 0.0, 1e-13);
        assert_true(isfinite(posterior.covariance[j * (N + 1)]));
    }
}

/* Neither is a column whose variance would be infinite. */
static void test_posterior_create_column_beyond_numbers_is_unidentified(void **state)
{
    (void)state;
    double J[M * N];
    fill_random(J, 9);
    for (int i = 0; i < M; i++) {
        J[2 * M + i] *= 1e-170;
        J[3 * M + i] *= 1e-130;
    }
    ArcPosterior posterior = posterior_of(J);
    assert_int_equal(posterior.n_null, 1);
    for (int j = 0; j < N; j++) {
        assert_int_equal(posterior.identified[j], j != 2);
        assert_true(isfinite(posterior.covariance[j * (N + 1)]));
    }
}

static void test_posterior_create_zero_factor_identifies_nothing(void **state)
{
    (void)state;
    double T[9] = {0.0};
    ArcPosterior posterior;
    assert_int_equal(arc_posterior_create(3, T, arena, &posterior, NULL), ARC_OK);
    assert_int_equal(posterior.n_null, 3);
    for (int j = 0; j < 3; j++)
        assert_false(posterior.identified[j]);
}

static void test_posterior_create_one_unknown(void **state)
{
    (void)state;
    double T = -4.0;
    ArcPosterior posterior;
    assert_int_equal(arc_posterior_create(1, &T, arena, &posterior, NULL), ARC_OK);
    assert_int_equal(posterior.n_null, 0);
    assert_near(posterior.covariance[0], 1.0 / 16.0, 1e-16);
    assert_near(posterior.scale[0], 0.25, 1e-16);
}

static void test_posterior_create_non_finite_factor_is_numeric(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    ArcError err;
    for (int k = 0; k < 3; k++)
        for (int at = 0; at < 4; at++) {
            double T[4] = {2.0, 0.0, 1.0, 3.0};
            if (at == 1)
                continue;
            T[at] = bad[k];
            ArcPosterior posterior = {.n = -5};
            assert_int_equal(arc_posterior_create(2, T, arena, &posterior, &err), ARC_NUMERIC);
            assert_int_equal(err.status, ARC_NUMERIC);
            assert_non_null(strstr(err.text, "not finite"));
            assert_int_equal(posterior.n, -5);
        }
}

static bool refuse(void *context, size_t size)
{
    (void)size;
    return (*(int *)context)-- > 0;
}

static void test_posterior_create_without_memory_says_so(void **state)
{
    (void)state;
    enum { LARGE = 400 };
    double *T = ARC_ALLOC(arena, LARGE * LARGE, double);
    assert_non_null(T);
    ArcPosterior posterior = {.n = -5};
    int refused = 0;
    for (int allowed = 0; allowed < 50; allowed++) {
        int left = allowed;
        arc_memory_set_hook(refuse, &left);
        ArcStatus status = arc_posterior_create(LARGE, T, arena, &posterior, NULL);
        arc_memory_set_hook(NULL, NULL);
        if (status == ARC_OK)
            break;
        assert_int_equal(status, ARC_MEMORY);
        assert_int_equal(posterior.n, -5);
        refused++;
    }
    assert_true(refused > 0);
    assert_int_equal(posterior.n, LARGE);
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(name, create_arena, free_arena)
    const struct CMUnitTest tests[] = {
        ROW(test_posterior_create_full_rank_is_the_inverse),
        ROW(test_posterior_create_units_do_not_matter),
        ROW(test_posterior_create_correlated_columns_are_resolved),
        ROW(test_posterior_create_product_gives_one_null_direction),
        ROW(test_posterior_create_zero_column_is_unidentified),
        ROW(test_posterior_create_column_beyond_numbers_is_unidentified),
        ROW(test_posterior_create_zero_factor_identifies_nothing),
        ROW(test_posterior_create_one_unknown),
        ROW(test_posterior_create_non_finite_factor_is_numeric),
        ROW(test_posterior_create_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
