/* The damped, bounded step against normal equations and, with bounds, against all active sets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "dense.h"
#include "solve/damped.h"
#include "sweep.h"

enum { MAX_Q = 60, MAX_N = 60 };

typedef struct Case {
    ArcDampedProblem problem;
    ArcDampedWork *work;
    ArcArena *arena;
    double B[(MAX_Q + 3) * MAX_N], c[MAX_Q], D[MAX_N], low[MAX_N], high[MAX_N], d[MAX_N];
} Case;

/* Random B in a taller array, c and D; no damping, no bounds. */
static void case_create(Case *c, int q, int n, uint64_t seed)
{
    ArcRandom random = arc_random_create(seed, 78);
    int ld = q + 3;
    for (int k = 0; k < ld * n; k++)
        c->B[k] = arc_random_normal(&random);
    for (int i = 0; i < q; i++)
        c->c[i] = arc_random_normal(&random);
    for (int j = 0; j < n; j++) {
        c->D[j] = exp(arc_random_normal(&random));
        c->low[j] = -INFINITY;
        c->high[j] = INFINITY;
    }
    c->problem = (ArcDampedProblem){.q = q,
                                    .n = n,
                                    .B = c->B,
                                    .ld = ld,
                                    .c = c->c,
                                    .D = c->D,
                                    .low = c->low,
                                    .high = c->high,
                                    .truncation = 1e-13};
    c->arena = arc_arena_create();
    assert_non_null(c->arena);
    assert_int_equal(arc_damped_create(q, n, c->arena, &c->work, NULL), ARC_OK);
}

/* |B d + c|^2 + lambda |D d|^2, and its half gradient into g. */
static double value_of(const ArcDampedProblem *p, const double *d, double *g)
{
    double residual[MAX_Q], sum = 0.0;
    for (int i = 0; i < p->q; i++) {
        residual[i] = p->c[i];
        for (int j = 0; j < p->n; j++)
            residual[i] += p->B[i + j * p->ld] * d[j];
        sum += residual[i] * residual[i];
    }
    for (int j = 0; j < p->n; j++) {
        g[j] = p->lambda * p->D[j] * p->D[j] * d[j];
        sum += g[j] * d[j];
        for (int i = 0; i < p->q; i++)
            g[j] += p->B[i + j * p->ld] * residual[i];
    }
    return sum;
}

/* The unknowns named in `members` by normal equations, the others as they stand in d. */
static bool solve_normal(const ArcDampedProblem *p, unsigned long members, double *d)
{
    static long double M[DENSE_MAX * DENSE_MAX];
    int list[DENSE_MAX], k = 0;
    for (int j = 0; j < p->n; j++)
        if (members >> j & 1u) {
            list[k++] = j;
            d[j] = 0.0;
        }
    double g[MAX_N];
    value_of(p, d, g);
    for (int a = 0; a < k; a++)
        for (int b = 0; b < k; b++) {
            long double sum = a == b ? p->lambda * p->D[list[a]] * p->D[list[a]] : 0.0L;
            for (int i = 0; i < p->q; i++)
                sum += (long double)p->B[i + list[a] * p->ld] * p->B[i + list[b] * p->ld];
            M[a + b * k] = sum;
        }
    if (!dense_invert(k, M))
        return false;
    for (int a = 0; a < k; a++) {
        long double sum = 0.0L;
        for (int b = 0; b < k; b++)
            sum -= M[a + b * k] * g[list[b]];
        d[list[a]] = (double)sum;
    }
    return true;
}

static void assert_solution(Case *c, const double *expected, double tolerance)
{
    assert_true(arc_damped_solve(c->work, &c->problem, c->d));
    for (int j = 0; j < c->problem.n; j++)
        assert_near(c->d[j], expected[j], tolerance * (1.0 + fabs(expected[j])));
}

static void test_damped_solve_agrees_with_normal_equations(void **state)
{
    (void)state;
    static Case c;
    const int shapes[][2] = {{20, 6}, {7, 7}, {1, 1}, {6, 20}, {10, 50}, {1, 9}};
    const double lambdas[] = {1e-6, 1e-2, 1.0, 1e4};
    double expected[MAX_N];
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        for (int l = 0; l < 4; l++) {
            case_create(&c, shapes[k][0], shapes[k][1], k + 1);
            c.problem.lambda = lambdas[l];
            assert_true(solve_normal(&c.problem, ~0ul, expected));
            assert_solution(&c, expected, 1e-8);
            arc_arena_free(c.arena);
        }
}

static void test_damped_solve_without_damping_is_least_squares(void **state)
{
    (void)state;
    static Case c;
    double expected[MAX_N];
    for (uint64_t seed = 1; seed <= 10; seed++) {
        case_create(&c, 20, 6, seed);
        assert_true(solve_normal(&c.problem, ~0ul, expected));
        assert_solution(&c, expected, 1e-11);
        arc_arena_free(c.arena);
    }
}

/* The damping pulls every unknown by D alone: a huge one gives the gradient step. */
static void test_damped_solve_heavy_damping_is_a_gradient_step(void **state)
{
    (void)state;
    static Case c;
    double zero[MAX_N] = {0.0}, g[MAX_N];
    for (int wide = 0; wide < 2; wide++) {
        case_create(&c, wide ? 4 : 12, wide ? 12 : 4, 6);
        c.problem.lambda = 0.0;
        value_of(&c.problem, zero, g);
        c.problem.lambda = 1e12;
        assert_true(arc_damped_solve(c.work, &c.problem, c.d));
        for (int j = 0; j < c.problem.n; j++)
            assert_near(c.d[j] * 1e12 * c.D[j] * c.D[j] / g[j], -1.0, 1e-8);
        arc_arena_free(c.arena);
    }
}

/* A dependent column: the least value all the same, and one of the two unknowns stays at zero. */
static void test_damped_solve_dependent_columns_give_a_basic_solution(void **state)
{
    (void)state;
    static Case c;
    double expected[MAX_N], g[MAX_N];
    case_create(&c, 20, 5, 12);
    for (int i = 0; i < 20; i++)
        c.B[i + 3 * c.problem.ld] = -2.0 * c.B[i + c.problem.ld];
    assert_true(arc_damped_solve(c.work, &c.problem, c.d));
    assert_true((c.d[1] == 0.0) != (c.d[3] == 0.0));
    memset(expected, 0, sizeof expected);
    assert_true(solve_normal(&c.problem, 0x17, expected));
    double least = value_of(&c.problem, expected, g);
    assert_near(value_of(&c.problem, c.d, g), least, 1e-12);
    memset(c.B, 0, sizeof c.B);
    assert_true(arc_damped_solve(c.work, &c.problem, c.d));
    for (int j = 0; j < 5; j++)
        assert_true(c.d[j] == 0.0);
    arc_arena_free(c.arena);
}

/* Rows as far apart as 1e10: normal equations would lose the second unknown. */
static void test_damped_solve_badly_scaled_rows_agree(void **state)
{
    (void)state;
    static Case c;
    case_create(&c, 3, 2, 1);
    const double B[3][2] = {{1e10, 1e10}, {1.0, -1.0}, {2.0, 1.0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 2; j++)
            c.B[i + j * c.problem.ld] = B[i][j];
        c.c[i] = -(B[i][0] * 3.0 - B[i][1] * 2.0);
    }
    assert_solution(&c, (double[]){3.0, -2.0}, 1e-13);
    arc_arena_free(c.arena);
}

/* The best value over all 3^n ways to hold unknowns at low, at high, or not. */
static double best_of_active_sets(const ArcDampedProblem *p)
{
    int n = p->n, sets = 1;
    for (int j = 0; j < n; j++)
        sets *= 3;
    double best = INFINITY;
    for (int set = 0; set < sets; set++) {
        double d[MAX_N] = {0.0}, g[MAX_N];
        unsigned long members = 0;
        for (int j = 0, digits = set; j < n; j++, digits /= 3) {
            if (digits % 3 == 0)
                members |= 1ul << j;
            else
                d[j] = digits % 3 == 1 ? p->low[j] : p->high[j];
        }
        if (!solve_normal(p, members, d))
            continue;
        bool inside = true;
        for (int j = 0; j < n; j++)
            inside = inside && isfinite(d[j]) && d[j] >= p->low[j] && d[j] <= p->high[j];
        if (inside)
            best = fmin(best, value_of(p, d, g));
    }
    return best;
}

/* Random bounds: some of them already reached, some absent, some without room. */
static void draw_bounds(Case *c, ArcRandom *random)
{
    for (int j = 0; j < c->problem.n; j++) {
        double kind = arc_random_uniform(random, 0.0, 1.0);
        double room = exp(2.0 * arc_random_normal(random) - 2.0);
        c->low[j] = kind < 0.2 ? 0.0 : kind < 0.4 ? -INFINITY : -room;
        c->high[j] = kind > 0.9 ? 0.0 : kind > 0.7 ? INFINITY : room;
        if (kind > 0.6 && kind < 0.65)
            c->low[j] = c->high[j] = 0.0;
    }
}

/* The conditions of Karush, Kuhn and Tucker: inside; the gradient zero where free, and pushing
 * outward at a bound. They prove the least value without the enumeration. */
static void assert_optimal(const Case *c)
{
    const ArcDampedProblem *p = &c->problem;
    double g[MAX_N], slack = 1e-9;
    value_of(p, c->d, g);
    for (int j = 0; j < p->n; j++) {
        assert_true(c->d[j] >= p->low[j] && c->d[j] <= p->high[j]);
        if (c->d[j] > p->low[j])
            assert_true(g[j] <= slack);
        if (c->d[j] < p->high[j])
            assert_true(g[j] >= -slack);
    }
}

static void test_damped_solve_bounds_give_the_best_active_set(void **state)
{
    (void)state;
    static Case c;
    ArcRandom random = arc_random_create(4, 79);
    for (uint64_t seed = 1; seed <= 400; seed++) {
        int n = 2 + (int)(seed % 4), q = seed % 3 == 0 ? n : n + 4;
        case_create(&c, q, n, seed);
        /* Strongly correlated columns, so that the first guess of what is held is often wrong. */
        for (int j = 1; j < n; j++)
            for (int i = 0; i < q; i++)
                c.B[i + j * c.problem.ld] = c.B[i] + 0.3 * c.B[i + j * c.problem.ld];
        draw_bounds(&c, &random);
        c.problem.lambda = seed % 2 == 0 ? 0.0 : 0.1;
        assert_true(arc_damped_solve(c.work, &c.problem, c.d));
        double g[MAX_N], best = best_of_active_sets(&c.problem);
        double value = value_of(&c.problem, c.d, g);
        assert_true(value <= best * (1.0 + 1e-9) + 1e-20);
        assert_optimal(&c);
        arc_arena_free(c.arena);
    }
}

static void test_damped_solve_many_bounds_are_optimal(void **state)
{
    (void)state;
    static Case c;
    ArcRandom random = arc_random_create(5, 79);
    for (uint64_t seed = 1; seed <= 60; seed++) {
        bool wide = seed % 2 == 0;
        case_create(&c, wide ? 15 : 40, 30, seed);
        draw_bounds(&c, &random);
        c.problem.lambda = 0.01;
        assert_true(arc_damped_solve(c.work, &c.problem, c.d));
        assert_optimal(&c);
        arc_arena_free(c.arena);
    }
}

/* At its bound with the gradient pushing out an unknown stays; pushing in, it leaves. */
static void test_damped_solve_at_a_bound_follows_the_gradient(void **state)
{
    (void)state;
    static Case c;
    case_create(&c, 2, 2, 1);
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            c.B[i + j * c.problem.ld] = i == j ? 1.0 : 0.0;
    for (int side = -1; side <= 1; side += 2) {
        c.c[0] = 3.0 * side;
        c.c[1] = 4.0;
        c.low[0] = side > 0 ? 0.0 : -INFINITY;
        c.high[0] = side > 0 ? INFINITY : 0.0;
        assert_solution(&c, (double[]){0.0, -4.0}, 1e-15);
        assert_true(c.d[0] == 0.0);
        c.c[0] = -3.0 * side;
        assert_solution(&c, (double[]){3.0 * side, -4.0}, 1e-15);
    }
    /* No room at all. */
    c.low[0] = c.high[0] = 0.0;
    c.low[1] = c.high[1] = 0.0;
    assert_solution(&c, (double[]){0.0, 0.0}, 1e-300);
    arc_arena_free(c.arena);
}

static void test_damped_solve_non_finite_number_is_refused(void **state)
{
    (void)state;
    static Case c;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int wide = 0; wide < 2; wide++) {
        case_create(&c, wide ? 3 : 6, wide ? 6 : 3, 2);
        for (int k = 0; k < 3; k++) {
            for (int j = 0; j < c.problem.n; j++)
                for (int i = 0; i < c.problem.q; i++) {
                    double *at = &c.B[i + j * c.problem.ld], good = *at;
                    *at = bad[k];
                    assert_false(arc_damped_solve(c.work, &c.problem, c.d));
                    *at = good;
                }
            double good = c.c[1];
            c.c[1] = bad[k];
            assert_false(arc_damped_solve(c.work, &c.problem, c.d));
            c.c[1] = good;
        }
        assert_true(arc_damped_solve(c.work, &c.problem, c.d));
        arc_arena_free(c.arena);
    }
}

static bool refuse(void *context, size_t size)
{
    (void)size;
    return (*(int *)context)-- > 0;
}

static void test_damped_create_without_memory_says_so(void **state)
{
    (void)state;
    ArcArena *arena = arc_arena_create();
    ArcDampedWork *work = NULL;
    int allowed = 0;
    arc_memory_set_hook(refuse, &allowed);
    ArcStatus status = arc_damped_create(2000, 2000, arena, &work, NULL);
    arc_memory_set_hook(NULL, NULL);
    assert_int_equal(status, ARC_MEMORY);
    assert_null(work);
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damped_solve_agrees_with_normal_equations),
        cmocka_unit_test(test_damped_solve_without_damping_is_least_squares),
        cmocka_unit_test(test_damped_solve_heavy_damping_is_a_gradient_step),
        cmocka_unit_test(test_damped_solve_dependent_columns_give_a_basic_solution),
        cmocka_unit_test(test_damped_solve_badly_scaled_rows_agree),
        cmocka_unit_test(test_damped_solve_bounds_give_the_best_active_set),
        cmocka_unit_test(test_damped_solve_many_bounds_are_optimal),
        cmocka_unit_test(test_damped_solve_at_a_bound_follows_the_gradient),
        cmocka_unit_test(test_damped_solve_non_finite_number_is_refused),
        cmocka_unit_test(test_damped_create_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
