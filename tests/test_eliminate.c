/* Elimination of inner unknowns against projections in long double: both ways, and the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "dense.h"
#include "solve/eliminate.h"
#include "sweep.h"

enum { MAX_M = 80, MAX_N = 40, MAX_P = 8 };

typedef struct Case {
    int m, n, p;
    double J[MAX_M * (MAX_N + MAX_P)], r[MAX_M];
    ArcElimination e;
    ArcArena *arena;
} Case;

static double *column_of(Case *c, int j)
{
    return c->J + (size_t)j * (size_t)c->m;
}

/* Random normal J and r; tests then overwrite the inner columns that they are about. */
static void case_create(Case *c, int m, int n, int p, uint64_t seed)
{
    c->m = m;
    c->n = n;
    c->p = p;
    ArcRandom random = arc_random_create(seed, 77);
    for (int k = 0; k < m * (n + p); k++)
        c->J[k] = arc_random_normal(&random);
    for (int i = 0; i < m; i++)
        c->r[i] = arc_random_normal(&random);
    c->arena = arc_arena_create();
    assert_non_null(c->arena);
    assert_int_equal(arc_elimination_create(m, n, p, c->arena, &c->e, NULL), ARC_OK);
}

static void case_free(Case *c)
{
    arc_arena_free(c->arena);
}

/* [P r] projected on the complement of range(A) into perp (m, p + 1); returns the rank of A. */
static int reference(const Case *c, long double least, long double *perp)
{
    static long double Q[MAX_M * (MAX_N + 1)];
    int rank = dense_basis(c->m, c->n, c->J, least, Q);
    for (int k = 0; k <= c->p; k++) {
        const double *from = k < c->p ? c->J + (size_t)((c->n + k) * c->m) : c->r;
        long double *to = perp + (size_t)(k * c->m);
        for (int i = 0; i < c->m; i++)
            to[i] = from[i];
        dense_project(c->m, rank, Q, to);
    }
    return rank;
}

/* Runs and compares T'T, T'c, inner_norm2, the rank and the inner coefficients A X with the
 * reference; returns the largest error, relative to the columns' lengths. */
static double run_error(Case *c, double truncation, long double least)
{
    static long double perp[MAX_M * (MAX_P + 1)];
    double J_before[MAX_M * (MAX_N + MAX_P)], r_before[MAX_M];
    memcpy(J_before, c->J, sizeof J_before);
    memcpy(r_before, c->r, sizeof r_before);
    assert_true(arc_elimination_run(&c->e, c->J, c->r, truncation));
    assert_memory_equal(J_before, c->J, sizeof(double) * (size_t)(c->m * (c->n + c->p)));
    assert_memory_equal(r_before, c->r, sizeof(double) * (size_t)c->m);
    int rank = reference(c, least, perp), m = c->m, p = c->p;
    assert_int_equal(c->e.rank, rank);
    assert_int_equal(c->e.t_rows, m - rank < p ? (c->e.pivoted ? m - rank : (m < p ? m : p)) : p);
    double worst = 0.0;
    for (int a = 0; a < p; a++)
        for (int b = 0; b <= p; b++) {
            const double *T_a = c->e.T + (size_t)(a * p);
            const double *T_b = b < p ? c->e.T + (size_t)(b * p) : c->e.c;
            long double sum = 0.0L;
            for (int i = 0; i < p; i++)
                sum += (long double)T_a[i] * T_b[i];
            long double exact = dense_dot(m, perp + (size_t)(a * m), perp + (size_t)(b * m));
            worst = fmax(worst, (double)fabsl(sum - exact));
        }
    long double all = 0.0L, left = dense_dot(m, perp + (size_t)(p * m), perp + (size_t)(p * m));
    for (int i = 0; i < m; i++)
        all += (long double)c->r[i] * c->r[i];
    worst = fmax(worst, (double)fabsl(c->e.inner_norm2 - (all - left)));
    /* A X = what the projection took off. */
    for (int k = 0; k <= p; k++)
        for (int i = 0; i < m; i++) {
            long double sum = k < p ? c->J[(size_t)i + (size_t)((c->n + k) * m)] : c->r[i];
            for (int j = 0; j < c->n; j++)
                sum -= (long double)c->J[i + j * m] * c->e.X[(size_t)(j + k * c->n)];
            worst = fmax(worst, (double)fabsl(sum - perp[(size_t)(i + k * m)]));
        }
    return worst / m;
}

static void fill_hilbert(Case *c)
{
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->m; i++)
            column_of(c, j)[i] = 1.0 / (i + j + 1.0);
}

/* Hidden units as a net has them: centres over the span, slopes 1 to 1.5. */
static void fill_tanh(Case *c)
{
    for (int j = 0; j < c->n; j++)
        for (int i = 0; i < c->m; i++)
            column_of(c, j)[i] = tanh((1.0 + 0.5 * j / c->n) * (2.0 * i / (c->m - 1) - 1.0) - 1.2 +
                                      2.4 * j / (c->n - 1.0));
}

static void test_elimination_run_random_columns_agree(void **state)
{
    (void)state;
    static Case c;
    const int shapes[][3] = {{40, 10, 4}, {12, 3, 8}, {80, 40, 6}, {11, 10, 1}, {9, 4, 5}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            case_create(&c, shapes[k][0], shapes[k][1], shapes[k][2], seed);
            double error = run_error(&c, 1e-13, 1e-15L);
            if (shapes[k][1] < shapes[k][0] - 1)
                assert_false(c.e.pivoted);
            assert_near(error, 0.0, 1e-12);
            case_free(&c);
        }
}

/* The way is chosen by the conditioning; both are right on the same problem up to rotation. */
static void test_elimination_run_both_ways_agree(void **state)
{
    (void)state;
    static Case c, scaled;
    case_create(&c, 40, 10, 4, 3);
    assert_near(run_error(&c, 1e-13, 1e-15L), 0.0, 1e-14);
    assert_false(c.e.pivoted);
    case_create(&scaled, 40, 10, 4, 3);
    for (int i = 0; i < 40; i++)
        column_of(&scaled, 7)[i] *= 1e-9;
    assert_near(run_error(&scaled, 1e-13, 1e-15L), 0.0, 1e-14);
    assert_true(scaled.e.pivoted);
    for (int i = 0; i < 4; i++)
        for (int j = i; j < 4; j++)
            assert_near(fabs(scaled.e.T[i + j * 4]), fabs(c.e.T[i + j * 4]), 1e-12);
    case_free(&c);
    case_free(&scaled);
}

/* Condition 1e7 to 1e13 and beyond: no error may exceed what a rounding of A itself causes. */
static void test_elimination_run_ill_conditioned_columns_agree(void **state)
{
    (void)state;
    static Case c;
    const struct {
        int n;
        bool tanh;
        double allowed;
    } rows[] = {{3, false, 1e-13}, {5, false, 1e-11}, {7, false, 1e-8}, {8, false, 1e-7},
                {4, true, 1e-13},  {6, true, 1e-11},  {8, true, 1e-9},  {10, true, 1e-7}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        case_create(&c, 60, rows[k].n, 5, 11);
        if (rows[k].tanh)
            fill_tanh(&c);
        else
            fill_hilbert(&c);
        assert_near(run_error(&c, 1e-15, 1e-15L), 0.0, rows[k].allowed);
        case_free(&c);
    }
}

/* A = Q R, R of ones with -1 above: the condition grows as 2^n and R's diagonal shows nothing. */
static void test_elimination_run_hidden_condition_agrees(void **state)
{
    (void)state;
    static Case c;
    static long double Q[40 * 24];
    for (int n = 6; n <= 24; n += 3) {
        case_create(&c, 40, n, 4, 21);
        assert_int_equal(dense_basis(40, n, c.J, 1e-15L, Q), n);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < 40; i++) {
                long double sum = Q[i + j * 40];
                for (int k = 0; k < j; k++)
                    sum -= Q[i + k * 40];
                column_of(&c, j)[i] = (double)sum;
            }
        assert_near(run_error(&c, 1e-13, 1e-15L), 0.0, ldexp(1e-16, n));
        case_free(&c);
    }
}

/* T is the outer corner of the triangular factor of the whole J, so inverse(T'T) is the outer block
 * of the whole inverse(J'J). */
static void test_elimination_run_inverse_is_outer_block_of_whole(void **state)
{
    (void)state;
    static Case c;
    static long double whole[DENSE_MAX * DENSE_MAX], own[DENSE_MAX * DENSE_MAX];
    case_create(&c, 50, 12, 4, 5);
    for (int i = 0; i < 50; i++)
        column_of(&c, 13)[i] = column_of(&c, 2)[i] + 1e-3 * column_of(&c, 13)[i];
    assert_true(arc_elimination_run(&c.e, c.J, c.r, 1e-13));
    dense_gram(50, 16, c.J, whole);
    assert_true(dense_invert(16, whole));
    dense_gram(4, 4, c.e.T, own);
    assert_true(dense_invert(4, own));
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double expected = (double)whole[(12 + i) + (12 + j) * 16];
            double scale = sqrt((double)(whole[(12 + i) * 17] * whole[(12 + j) * 17]));
            assert_near((double)own[i + j * 4], expected, 1e-10 * scale);
        }
    case_free(&c);
}

/* The outer step from T and c, the inner one from X: together the whole least-squares solution. */
static void test_elimination_run_steps_solve_the_whole_problem(void **state)
{
    (void)state;
    static Case c;
    static long double whole[DENSE_MAX * DENSE_MAX];
    for (uint64_t seed = 1; seed <= 10; seed++) {
        int m = 30, n = 7, p = 3, all = n + p;
        case_create(&c, m, n, p, seed);
        if (seed % 2 == 0)
            for (int i = 0; i < m; i++)
                column_of(&c, 1)[i] *= 1e7;
        assert_true(arc_elimination_run(&c.e, c.J, c.r, 1e-13));
        assert_int_equal(c.e.pivoted, seed % 2 == 0);
        double d[3], y[7];
        for (int i = p - 1; i >= 0; i--) {
            d[i] = -c.e.c[i];
            for (int j = i + 1; j < p; j++)
                d[i] -= c.e.T[i + j * p] * d[j];
            d[i] /= c.e.T[i + i * p];
        }
        for (int i = 0; i < n; i++) {
            y[i] = -c.e.X[i + p * n];
            for (int k = 0; k < p; k++)
                y[i] -= c.e.X[i + k * n] * d[k];
        }
        dense_gram(m, all, c.J, whole);
        assert_true(dense_invert(all, whole));
        for (int i = 0; i < all; i++) {
            long double z = 0.0L;
            for (int j = 0; j < all; j++)
                for (int k = 0; k < m; k++)
                    z -= whole[i + j * all] * c.J[k + j * m] * c.r[k];
            double own = i < n ? y[i] : d[i - n];
            assert_near(own, (double)z, 1e-10 * fabs((double)z));
        }
        case_free(&c);
    }
}

static void test_elimination_run_dependent_columns_are_truncated(void **state)
{
    (void)state;
    static Case c;
    case_create(&c, 30, 6, 3, 9);
    for (int i = 0; i < 30; i++) {
        column_of(&c, 3)[i] = column_of(&c, 0)[i];
        column_of(&c, 5)[i] = 2.0 * column_of(&c, 1)[i] - column_of(&c, 4)[i];
    }
    assert_near(run_error(&c, 1e-13, 1e-13L), 0.0, 1e-13);
    assert_true(c.e.pivoted);
    assert_int_equal(c.e.rank, 4);
    case_free(&c);
}

static void test_elimination_run_zero_columns_take_nothing(void **state)
{
    (void)state;
    static Case c;
    case_create(&c, 20, 4, 3, 2);
    memset(column_of(&c, 2), 0, sizeof(double) * 20);
    assert_near(run_error(&c, 1e-13, 1e-15L), 0.0, 1e-13);
    assert_int_equal(c.e.rank, 3);
    assert_true(c.e.X[2] == 0.0);
    memset(c.J, 0, sizeof(double) * 20 * 4);
    assert_near(run_error(&c, 1e-13, 1e-15L), 0.0, 1e-13);
    assert_int_equal(c.e.rank, 0);
    memset(column_of(&c, 4), 0, sizeof(double) * 20);
    assert_near(run_error(&c, 1e-13, 1e-15L), 0.0, 1e-13);
    assert_true(c.e.T[0] == 0.0);
    case_free(&c);
}

static void test_elimination_run_without_inner_unknowns_is_plain_qr(void **state)
{
    (void)state;
    static Case c;
    case_create(&c, 15, 0, 4, 4);
    assert_near(run_error(&c, 1e-13, 1e-15L), 0.0, 1e-14);
    assert_true(c.e.inner_norm2 == 0.0);
    case_free(&c);
    case_create(&c, 2, 0, 5, 4);
    assert_near(run_error(&c, 1e-13, 1e-15L), 0.0, 1e-14);
    assert_int_equal(c.e.t_rows, 2);
    case_free(&c);
}

/* Fewer rows than inner unknowns leave nothing for the outer ones. */
static void test_elimination_run_wide_inner_block_leaves_nothing(void **state)
{
    (void)state;
    static Case c;
    case_create(&c, 5, 8, 3, 6);
    assert_near(run_error(&c, 1e-13, 1e-15L), 0.0, 1e-13);
    assert_int_equal(c.e.rank, 5);
    assert_int_equal(c.e.t_rows, 0);
    for (int i = 0; i < 9; i++)
        assert_true(c.e.T[i] == 0.0);
    case_free(&c);
}

/* Rows left fewer than outer unknowns: T has zero rows, and its scratch stays its own. */
static void test_elimination_run_few_rows_give_zero_rows(void **state)
{
    (void)state;
    static Case c;
    const int shapes[][3] = {{3, 1, 8}, {2, 1, 8}, {4, 2, 8}, {5, 4, 6}, {1, 1, 8}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        case_create(&c, shapes[k][0], shapes[k][1], shapes[k][2], 8);
        double *fence = ARC_ALLOC(c.arena, 1, double);
        *fence = 4.25;
        assert_near(run_error(&c, 1e-13, 1e-15L), 0.0, 1e-13);
        assert_true(*fence == 4.25);
        for (int i = c.e.t_rows; i < c.p; i++) {
            assert_true(c.e.c[i] == 0.0);
            for (int j = 0; j < c.p; j++)
                assert_true(c.e.T[i + j * c.p] == 0.0);
        }
        case_free(&c);
    }
}

static void test_elimination_run_is_reusable(void **state)
{
    (void)state;
    static Case c, other;
    case_create(&c, 25, 6, 4, 1);
    case_create(&other, 25, 6, 4, 2);
    fill_hilbert(&other);
    assert_true(arc_elimination_run(&c.e, c.J, c.r, 1e-13));
    double T[16], X[6 * 5];
    memcpy(T, c.e.T, sizeof T);
    memcpy(X, c.e.X, sizeof X);
    assert_true(arc_elimination_run(&c.e, other.J, other.r, 1e-13));
    assert_true(c.e.pivoted);
    assert_memory_not_equal(T, c.e.T, sizeof T);
    assert_true(arc_elimination_run(&c.e, c.J, c.r, 1e-13));
    assert_memory_equal(T, c.e.T, sizeof T);
    assert_memory_equal(X, c.e.X, sizeof X);
    case_free(&c);
    case_free(&other);
}

/* One bad number in any place, at a time. */
/* Rows of an orthonormal basis: outer times T is P_perp, and inner and outer beside each other give
 * the hat matrix of all columns; by both ways, with and without inner unknowns. */
static void test_elimination_rows_span_the_columns(void **state)
{
    (void)state;
    static Case c;
    static long double perp[MAX_M * (MAX_P + 1)], Q[MAX_M * (MAX_N + MAX_P + 1)];
    static double inner[MAX_M * MAX_N], outer[MAX_M * MAX_P];
    const struct {
        int m, n, p;
        double shrink; /* of an inner column: 1e-9 takes the pivoted way */
    } rows[] = {{40, 10, 4, 1.0}, {40, 10, 4, 1e-9}, {30, 0, 5, 1.0}, {20, 6, 3, 1e-9}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        int m = rows[k].m, n = rows[k].n, p = rows[k].p, n_rows = m / 2;
        case_create(&c, m, n, p, 40 + k);
        for (int i = 0; n > 0 && i < m; i++)
            column_of(&c, 1)[i] *= rows[k].shrink;
        reference(&c, 1e-15L, perp);
        assert_true(arc_elimination_run(&c.e, c.J, c.r, 1e-13));
        assert_int_equal(c.e.pivoted, rows[k].shrink < 1.0);
        assert_true(arc_elimination_rows(&c.e, c.J, n_rows, inner, outer));
        int rank = dense_basis(m, n + p, c.J, 1e-15L, Q);
        assert_int_equal(rank, n + p);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < p; j++) {
                double product = 0.0;
                for (int l = 0; l <= j; l++)
                    product += outer[i + l * m] * c.e.T[l + j * p];
                assert_near(product, (double)perp[i + j * m], 1e-12);
            }
        for (int i = 0; i < n_rows; i++) {
            double leverage = 0.0;
            long double hat = 0.0L;
            for (int j = 0; j < n; j++)
                leverage += inner[i + j * n_rows] * inner[i + j * n_rows];
            for (int j = 0; j < p; j++)
                leverage += outer[i + j * m] * outer[i + j * m];
            for (int j = 0; j < rank; j++)
                hat += Q[i + j * m] * Q[i + j * m];
            assert_near(leverage, (double)hat, 1e-12);
        }
        case_free(&c);
    }
}

static void test_elimination_run_non_finite_number_is_refused(void **state)
{
    (void)state;
    static Case c;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int hilbert = 0; hilbert < 2; hilbert++) {
        case_create(&c, 12, 4, 3, 1);
        if (hilbert)
            fill_hilbert(&c);
        for (int k = 0; k < 3; k++) {
            for (int at = 0; at < 12 * 7; at++) {
                double good = c.J[at];
                c.J[at] = bad[k];
                assert_false(arc_elimination_run(&c.e, c.J, c.r, 1e-13));
                c.J[at] = good;
            }
            double good = c.r[5];
            c.r[5] = bad[k];
            assert_false(arc_elimination_run(&c.e, c.J, c.r, 1e-13));
            c.r[5] = good;
        }
        assert_true(arc_elimination_run(&c.e, c.J, c.r, 1e-13));
        case_free(&c);
    }
}

static bool refuse(void *context, size_t size)
{
    (void)size;
    return (*(int *)context)-- > 0;
}

static void test_elimination_create_without_memory_says_so(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    ArcElimination e = {.m = -7};
    int allowed = 0;
    arc_memory_set_hook(refuse, &allowed);
    ArcStatus status = arc_elimination_create(2000, 200, 10, arena, &e, NULL);
    arc_memory_set_hook(NULL, NULL);
    assert_int_equal(status, ARC_MEMORY);
    assert_int_equal(e.m, -7);
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elimination_run_random_columns_agree),
        cmocka_unit_test(test_elimination_run_both_ways_agree),
        cmocka_unit_test(test_elimination_run_ill_conditioned_columns_agree),
        cmocka_unit_test(test_elimination_run_hidden_condition_agrees),
        cmocka_unit_test(test_elimination_run_inverse_is_outer_block_of_whole),
        cmocka_unit_test(test_elimination_run_steps_solve_the_whole_problem),
        cmocka_unit_test(test_elimination_run_dependent_columns_are_truncated),
        cmocka_unit_test(test_elimination_run_zero_columns_take_nothing),
        cmocka_unit_test(test_elimination_run_without_inner_unknowns_is_plain_qr),
        cmocka_unit_test(test_elimination_run_wide_inner_block_leaves_nothing),
        cmocka_unit_test(test_elimination_run_few_rows_give_zero_rows),
        cmocka_unit_test(test_elimination_run_is_reusable),
        cmocka_unit_test(test_elimination_rows_span_the_columns),
        cmocka_unit_test(test_elimination_run_non_finite_number_is_refused),
        cmocka_unit_test(test_elimination_create_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
