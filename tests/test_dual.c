/* Damped unknowns in the dual form, against normal equations of the whole problem in long double.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "dense.h"
#include "solve/dual.h"
#include "sweep.h"

enum { MAX_M = 20, MAX_N = 40, MAX_K = 4 };

/* min over (y, d) of |Y y + W d + r|^2 + lambda D^2 |d|^2. */
typedef struct Case {
    int m, n, k;
    double W[MAX_M * MAX_N], Y[MAX_M * MAX_K], r[MAX_M];
    ArcArena *arena;
    ArcDual dual;
} Case;

static void case_create(Case *c, int m, int n, int k, double scale)
{
    ArcRandom random = arc_random_create((uint64_t)(m + 100 * n), 90);
    c->m = m;
    c->n = n;
    c->k = k;
    for (int i = 0; i < m * n; i++)
        c->W[i] = scale * arc_random_normal(&random);
    for (int i = 0; i < m * k; i++)
        c->Y[i] = arc_random_normal(&random);
    for (int i = 0; i < m; i++)
        c->r[i] = arc_random_normal(&random);
    c->arena = arc_arena_create();
    assert_non_null(c->arena);
    assert_int_equal(arc_dual_create(m, n, c->arena, &c->dual, NULL), ARC_OK);
    arc_dual_load(&c->dual, c->W);
}

/* Entry of [Y W] in column j. */
static double entry(const Case *c, int i, int j)
{
    return j < c->k ? c->Y[i + j * c->m] : c->W[i + (j - c->k) * c->m];
}

static double mean_square(const Case *c)
{
    double sum = 0.0;
    for (int i = 0; i < c->m * c->n; i++)
        sum += c->W[i] * c->W[i];
    return sum / c->n;
}

/* y and d by the normal equations into all (k + n). */
static void solve_normal(const Case *c, double lambda, double *all)
{
    static long double M[DENSE_MAX * DENSE_MAX];
    int n = c->k + c->n;
    long double g[DENSE_MAX];
    for (int a = 0; a < n; a++) {
        g[a] = 0.0L;
        for (int i = 0; i < c->m; i++)
            g[a] += (long double)entry(c, i, a) * c->r[i];
        for (int b = 0; b < n; b++) {
            M[a + b * n] = a == b && a >= c->k ? (long double)lambda * mean_square(c) : 0.0L;
            for (int i = 0; i < c->m; i++)
                M[a + b * n] += (long double)entry(c, i, a) * entry(c, i, b);
        }
    }
    assert_true(dense_invert(n, M));
    for (int a = 0; a < n; a++) {
        long double sum = 0.0L;
        for (int b = 0; b < n; b++)
            sum -= M[a + b * n] * g[b];
        all[a] = (double)sum;
    }
}

/* y by the normal equations of what whitening leaves, then d by the answer. */
static void solve_dual(const Case *c, double *all)
{
    double white[MAX_M * (MAX_K + 1)], rest[MAX_M];
    static long double M[DENSE_MAX * DENSE_MAX];
    int m = c->m, k = c->k;
    memcpy(white, c->Y, sizeof(double) * (size_t)(m * k));
    memcpy(white + m * k, c->r, sizeof(double) * (size_t)m);
    arc_dual_whiten(&c->dual, k + 1, white);
    dense_gram(m, k, white, M);
    assert_true(dense_invert(k, M));
    for (int a = 0; a < k; a++) {
        long double sum = 0.0L;
        for (int b = 0; b < k; b++)
            for (int i = 0; i < m; i++)
                sum -= M[a + b * k] * white[i + b * m] * white[i + k * m];
        all[a] = (double)sum;
    }
    for (int i = 0; i < m; i++) {
        rest[i] = c->r[i];
        for (int a = 0; a < k; a++)
            rest[i] += c->Y[i + a * m] * all[a];
    }
    arc_dual_answer(&c->dual, c->W, rest, all + k);
}

static double largest_gap(const Case *c, const double *a, const double *b)
{
    double largest = 0.0, gap = 0.0;
    for (int j = 0; j < c->k + c->n; j++) {
        largest = fmax(largest, fabs(b[j]));
        double apart = fabs(a[j] - b[j]);
        gap = apart <= gap ? gap : apart;
    }
    return gap / largest;
}

static void test_dual_answer_agrees_with_normal_equations(void **state)
{
    (void)state;
    static Case c;
    const int shapes[][3] = {{6, 40, 2}, {20, 20, 4}, {20, 5, 3}, {1, 9, 0}, {9, 1, 1}};
    const double lambdas[] = {1e-6, 1e-2, 1.0, 1e6}, scales[] = {1e-5, 1.0, 1e5};
    double worst = 0.0;
    for (int s = 0; s < 5; s++)
        for (int k = 0; k < 3; k++) {
            case_create(&c, shapes[s][0], shapes[s][1], shapes[s][2], scales[k]);
            assert_near(c.dual.D2 / mean_square(&c), 1.0, 1e-13);
            for (int l = 0; l < 4; l++) {
                double own[MAX_K + MAX_N], expected[MAX_K + MAX_N];
                assert_true(arc_dual_factorise(&c.dual, lambdas[l]));
                solve_dual(&c, own);
                solve_normal(&c, lambdas[l], expected);
                double gap = largest_gap(&c, own, expected);
                assert_near(gap, 0.0, 1e-8);
                worst = fmax(worst, gap);
            }
            arc_arena_free(c.arena);
        }
    print_message("worst gap %.1e of the largest unknown\n", worst);
}

/* L^-1 K L^-T = I: what whitening makes of the columns of K's root has orthonormal rows. */
static void test_dual_whiten_makes_the_covariance_one(void **state)
{
    (void)state;
    static Case c;
    case_create(&c, 8, 30, 0, 3.0);
    double lambda = 0.3, B[8 * 38] = {0.0};
    assert_true(arc_dual_factorise(&c.dual, lambda));
    for (int i = 0; i < 8; i++)
        B[i * 9] = 1.0;
    for (int i = 0; i < 8 * 30; i++)
        B[64 + i] = c.W[i] / sqrt(lambda * c.dual.D2);
    arc_dual_whiten(&c.dual, 38, B);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            double sum = 0.0;
            for (int k = 0; k < 38; k++)
                sum += B[i + 8 * k] * B[j + 8 * k];
            assert_near(sum, i == j, 1e-13);
        }
    arc_arena_free(c.arena);
}

/* Hardly damped and wide: W d answers r whole, by the shortest d. Heavily: a gradient step. */
static void test_dual_answer_at_the_ends_of_lambda(void **state)
{
    (void)state;
    static Case c;
    double d[MAX_N], rest[MAX_M];
    case_create(&c, 6, 40, 0, 1.0);
    assert_true(arc_dual_factorise(&c.dual, 1e-12));
    memcpy(rest, c.r, sizeof rest);
    arc_dual_answer(&c.dual, c.W, rest, d);
    for (int i = 0; i < 6; i++) {
        double left = c.r[i];
        for (int j = 0; j < 40; j++)
            left += c.W[i + 6 * j] * d[j];
        assert_near(left, 0.0, 1e-9);
    }
    assert_true(arc_dual_factorise(&c.dual, 1e14));
    memcpy(rest, c.r, sizeof rest);
    arc_dual_answer(&c.dual, c.W, rest, d);
    for (int j = 0; j < 40; j++) {
        double g = 0.0;
        for (int i = 0; i < 6; i++)
            g += c.W[i + 6 * j] * c.r[i];
        assert_near(d[j] * 1e14 * c.dual.D2 / g, -1.0, 1e-10);
    }
    arc_arena_free(c.arena);
}

static void test_dual_factorise_dead_unknowns_stay(void **state)
{
    (void)state;
    static Case c;
    case_create(&c, 5, 7, 0, 0.0);
    double rest[5] = {1.0, 2.0, 3.0, 4.0, 5.0}, d[7];
    assert_true(c.dual.D2 > 0.0 && arc_dual_factorise(&c.dual, 1e-12));
    arc_dual_answer(&c.dual, c.W, rest, d);
    for (int j = 0; j < 7; j++)
        assert_true(d[j] == 0.0);
    arc_arena_free(c.arena);
}

static void test_dual_factorise_non_finite_number_is_refused(void **state)
{
    (void)state;
    static Case c;
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e200};
    case_create(&c, 6, 9, 0, 1.0);
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 6 * 9; i++) {
            double good = c.W[i];
            c.W[i] = bad[k];
            arc_dual_load(&c.dual, c.W);
            assert_false(arc_dual_factorise(&c.dual, 1.0));
            c.W[i] = good;
        }
    arc_dual_load(&c.dual, c.W);
    assert_true(arc_dual_factorise(&c.dual, 1.0));
    arc_arena_free(c.arena);
}

static bool refuse(void *context, size_t size)
{
    (void)size;
    return (*(int *)context)-- > 0;
}

static void test_dual_create_without_memory_says_so(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    ArcDual dual;
    int allowed = 0;
    arc_memory_set_hook(refuse, &allowed);
    ArcStatus status = arc_dual_create(1000, 2000, arena, &dual, NULL);
    arc_memory_set_hook(NULL, NULL);
    assert_int_equal(status, ARC_MEMORY);
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dual_answer_agrees_with_normal_equations),
        cmocka_unit_test(test_dual_whiten_makes_the_covariance_one),
        cmocka_unit_test(test_dual_answer_at_the_ends_of_lambda),
        cmocka_unit_test(test_dual_factorise_dead_unknowns_stay),
        cmocka_unit_test(test_dual_factorise_non_finite_number_is_refused),
        cmocka_unit_test(test_dual_create_without_memory_says_so),
    };
    return cmocka_run_group_tests_name("dual", tests, NULL, NULL);
}
