/* Measurements laid over a covariance with null directions, against the information matrix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "dense.h"
#include "solve/diffuse.h"
#include "solve/eliminate.h"
#include "solve/posterior.h"
#include "sweep.h"

#include <string.h>

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
    arc_arena_free(arena);
    return 0;
}

static void fill_random(int n, double *x, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 81);
    for (int k = 0; k < n; k++)
        x[k] = arc_random_normal(&random);
}

/* J (M, N) column-major, its last `null` columns mixtures of the others. */
static void fill_jacobian(int null, uint64_t seed, double *J)
{
    double mixture[N * N];
    fill_random(M * N, J, seed);
    fill_random(N * N, mixture, seed + 100);
    for (int k = N - null; k < N; k++)
        for (int i = 0; i < M; i++) {
            J[i + k * M] = 0.0;
            for (int l = 0; l < N - null; l++)
                J[i + k * M] += mixture[k * N + l] * J[i + l * M];
        }
}

/* What the posterior of J says, in its scaled unknowns. */
static ArcDiffuse diffuse_of(const double *J, ArcPosterior *posterior)
{
    double r[M] = {1.0};
    ArcElimination e;
    assert_int_equal(arc_elimination_create(M, 0, N, arena, &e, NULL), ARC_OK);
    assert_true(arc_elimination_run(&e, J, r, 1e-13));
    assert_int_equal(arc_posterior_create(N, e.T, arena, posterior, NULL), ARC_OK);
    ArcDiffuse diffuse = {N, posterior->n_null, ARC_ALLOC(arena, N * N, double), posterior->null};
    assert_non_null(diffuse.C);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            diffuse.C[i * N + j] =
                posterior->covariance[i * N + j] / (posterior->scale[i] * posterior->scale[j]);
    return diffuse;
}

/* G (N, N): J'J of scaled unknowns. */
static void information(const double *J, const double *scale, double *G)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            G[i * N + j] = 0.0;
            for (int k = 0; k < M; k++)
                G[i * N + j] += J[k + i * M] * J[k + j * M] * scale[i] * scale[j];
        }
}

static void inform(const double *h, double sd, double *G)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            G[i * N + j] += h[i] * h[j] / (sd * sd);
}

/* C is a generalised inverse of G, and N its null directions: G C G = G, N N' = 1, N G = 0. */
static void assert_knows(const ArcDiffuse *diffuse, const double *G)
{
    double GC[N * N], GCG[N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            GC[i * N + j] = 0.0;
            for (int k = 0; k < N; k++)
                GC[i * N + j] += G[i * N + k] * diffuse->C[k * N + j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            GCG[i * N + j] = 0.0;
            for (int k = 0; k < N; k++)
                GCG[i * N + j] += GC[i * N + k] * G[k * N + j];
            assert_near(GCG[i * N + j], G[i * N + j], 1e-8 * (1.0 + fabs(G[i * N + j])));
        }
    for (int g = 0; g < diffuse->m; g++) {
        for (int other = 0; other < diffuse->m; other++) {
            double product = 0.0;
            for (int k = 0; k < N; k++)
                product += diffuse->N[g * N + k] * diffuse->N[other * N + k];
            assert_near(product, g == other ? 1.0 : 0.0, 1e-12);
        }
        for (int i = 0; i < N; i++) {
            double product = 0.0;
            for (int k = 0; k < N; k++)
                product += G[i * N + k] * diffuse->N[g * N + k];
            assert_near(product, 0.0, 1e-9);
        }
    }
}

static void assert_inverse(const double *C, const double *G)
{
    static long double exact[DENSE_MAX * DENSE_MAX];
    for (int i = 0; i < N * N; i++)
        exact[i] = G[i];
    assert_true(dense_invert(N, exact));
    for (int i = 0; i < N * N; i++)
        assert_near(C[i], (double)exact[i], 1e-8 * (1.0 + fabs((double)exact[i])));
}

static void test_measure_settles_one_direction_after_the_other(void **state)
{
    (void)state;
    double J[M * N], G[N * N], h[N], work[3 * N];
    for (int null = 0; null <= 3; null++) {
        ArcPosterior posterior;
        fill_jacobian(null, 1 + (uint64_t)null, J);
        ArcDiffuse diffuse = diffuse_of(J, &posterior);
        assert_int_equal(diffuse.m, null);
        information(J, posterior.scale, G);
        assert_knows(&diffuse, G);
        for (int k = 0; k < 5; k++) {
            double sd = 0.1 + k;
            fill_random(N, h, 50 + (uint64_t)k);
            inform(h, sd, G);
            assert_true(arc_diffuse_measure(&diffuse, h, sd, 1e-6, work) == (k < null));
            assert_int_equal(diffuse.m, k < null ? null - k - 1 : 0);
            assert_knows(&diffuse, G);
            if (diffuse.m == 0)
                assert_inverse(diffuse.C, G);
        }
    }
}

/* A measurement of what is told already leaves the directions as they are. */
static void test_measure_across_null_directions_settles_none(void **state)
{
    (void)state;
    double J[M * N], G[N * N], h[N], work[3 * N];
    ArcPosterior posterior;
    fill_jacobian(2, 7, J);
    ArcDiffuse diffuse = diffuse_of(J, &posterior);
    information(J, posterior.scale, G);
    memcpy(h, G + N, sizeof h);
    inform(h, 0.3, G);
    assert_false(arc_diffuse_measure(&diffuse, h, 0.3, 1e-6, work));
    assert_int_equal(diffuse.m, 2);
    assert_knows(&diffuse, G);
}

/* What is added to C along null directions has no meaning, and no effect once they are settled. */
static void test_measure_does_not_feel_the_part_along_null_directions(void **state)
{
    (void)state;
    double J[M * N], G[N * N], h[N], any[N], work[3 * N];
    ArcPosterior posterior;
    fill_jacobian(1, 9, J);
    ArcDiffuse diffuse = diffuse_of(J, &posterior);
    information(J, posterior.scale, G);
    fill_random(N, any, 3);
    fill_random(N, h, 4);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            diffuse.C[i * N + j] += diffuse.N[i] * any[j] + any[i] * diffuse.N[j];
    inform(h, 0.5, G);
    assert_true(arc_diffuse_measure(&diffuse, h, 0.5, 1e-6, work));
    assert_inverse(diffuse.C, G);
}

static void test_straighten_drops_what_others_have(void **state)
{
    (void)state;
    double rows[4 * N];
    fill_random(4 * N, rows, 11);
    for (int k = 0; k < N; k++)
        rows[2 * N + k] = 2.0 * rows[k] - 0.5 * rows[N + k];
    ArcDiffuse diffuse = {N, 4, NULL, rows};
    double last[N], left[N];
    memcpy(last, rows + 3 * N, sizeof last);
    arc_diffuse_straighten(&diffuse);
    assert_int_equal(diffuse.m, 3);
    memcpy(left, last, sizeof left);
    for (int g = 0; g < 3; g++)
        for (int other = 0; other < 3; other++) {
            double product = 0.0, along = 0.0;
            for (int k = 0; k < N; k++) {
                product += rows[g * N + k] * rows[other * N + k];
                along += rows[g * N + k] * last[k];
            }
            assert_near(product, g == other ? 1.0 : 0.0, 1e-14);
            for (int k = 0; k < N && other == 0; k++)
                left[k] -= along * rows[g * N + k];
        }
    for (int k = 0; k < N; k++)
        assert_near(left[k], 0.0, 1e-13);
}

static void test_echelon_keeps_the_span_and_leads_alone(void **state)
{
    (void)state;
    enum { ROWS = 3 };
    double rows[ROWS * N], before[ROWS * N];
    int lead[ROWS];
    fill_random(ROWS * N, rows, 12);
    memcpy(before, rows, sizeof rows);
    arc_diffuse_echelon(ROWS, N, rows, lead);
    for (int g = 0; g < ROWS; g++)
        for (int other = 0; other < ROWS; other++)
            assert_near(rows[g * N + lead[other]], g == other ? 1.0 : 0.0, 1e-14);
    /* Each row of before is the sum of rows by its entries at the leads. */
    for (int g = 0; g < ROWS; g++)
        for (int k = 0; k < N; k++) {
            double sum = 0.0;
            for (int other = 0; other < ROWS; other++)
                sum += before[g * N + lead[other]] * rows[other * N + k];
            assert_near(sum, before[g * N + k], 1e-12);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_measure_settles_one_direction_after_the_other,
                                        create_arena, free_arena),
        cmocka_unit_test_setup_teardown(test_measure_across_null_directions_settles_none,
                                        create_arena, free_arena),
        cmocka_unit_test_setup_teardown(test_measure_does_not_feel_the_part_along_null_directions,
                                        create_arena, free_arena),
        cmocka_unit_test(test_straighten_drops_what_others_have),
        cmocka_unit_test(test_echelon_keeps_the_span_and_leads_alone),
    };
    return cmocka_run_group_tests_name("diffuse", tests, NULL, NULL);
}
