/* Objectives one behind the other: rows, columns and elimination against one that was written out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "solve/stacked.h"
#include "sweep.h"

#include <string.h>

enum { OUTER = 3, PARTS = 2, MOST = 12 };

/* Linear rows r = A z - b of a part, bent a little: r_i += z_last^2 / 10. */
typedef struct Part {
    int m, n;
    double A[MOST * MOST], b[MOST];
} Part;

static bool evaluate(void *context, const double *z, double *r, double *J)
{
    const Part *part = context;
    double last = z[part->n - 1];
    for (int i = 0; i < part->m; i++) {
        r[i] = 0.1 * last * last - part->b[i];
        for (int k = 0; k < part->n; k++) {
            double a = part->A[i * part->n + k];
            r[i] += a * z[k];
            if (J != NULL)
                J[i + k * part->m] = a + (k == part->n - 1 ? 0.2 * last : 0.0);
        }
    }
    return last < 100.0;
}

static ArcObjective part_create(Part *part, int m, int n_inner, ArcRandom *random)
{
    *part = (Part){.m = m, .n = n_inner + OUTER};
    for (int i = 0; i < m * part->n; i++)
        part->A[i] = arc_random_normal(random);
    for (int i = 0; i < m; i++)
        part->b[i] = arc_random_normal(random);
    return (ArcObjective){
        .m = m, .n_inner = n_inner, .n_outer = OUTER, .context = part, .evaluate = evaluate};
}

typedef struct Case {
    ArcArena *arena;
    Part parts[PARTS];
    ArcObjective objectives[PARTS], stacked;
} Case;

static void case_create(Case *c)
{
    ArcError err;
    ArcRandom random = arc_random_create(5, 1);
    c->arena = arc_arena_create();
    c->objectives[0] = part_create(&c->parts[0], 9, 4, &random);
    c->objectives[1] = part_create(&c->parts[1], 7, 2, &random);
    assert_int_equal(arc_stacked_create(PARTS, c->objectives, c->arena, &c->stacked, &err), ARC_OK);
}

static void test_stacked_rows_and_columns_stand_where_they_belong(void **state)
{
    (void)state;
    Case c;
    case_create(&c);
    assert_int_equal(c.stacked.m, 16);
    assert_int_equal(c.stacked.n_inner, 6);
    assert_int_equal(arc_stacked_count(&c.stacked), PARTS);
    assert_int_equal(arc_stacked_count(&c.objectives[0]), 0);
    const double z[9] = {1, -2, 3, 0.5, 4, -1, 0.3, 0.7, -0.4};
    double r[16], J[16 * 9] = {0}, own_r[MOST], own_J[MOST * MOST];
    assert_true(c.stacked.evaluate(c.stacked.context, z, r, J));
    for (int part = 0, row = 0; part < PARTS; part++) {
        int first, n_inner = c.objectives[part].n_inner, m = c.objectives[part].m;
        assert_int_equal(arc_stacked_part(&c.stacked, part, &first)->m, m);
        assert_int_equal(first, part == 0 ? 0 : 4);
        double own[MOST];
        memcpy(own, z + first, sizeof(double) * (size_t)n_inner);
        memcpy(own + n_inner, z + 6, sizeof(double) * OUTER);
        evaluate(&c.parts[part], own, own_r, own_J);
        for (int i = 0; i < m; i++, row++) {
            assert_true(r[row] == own_r[i]);
            for (int k = 0; k < 9; k++) {
                bool is_inner = k >= first && k < first + n_inner;
                double expected = k >= 6     ? own_J[i + (n_inner + k - 6) * m]
                                  : is_inner ? own_J[i + (k - first) * m]
                                             : 0.0;
                assert_true(J[row + k * 16] == expected);
            }
        }
    }
    arc_arena_free(c.arena);
}

static void test_stacked_part_that_fails_fails_all(void **state)
{
    (void)state;
    Case c;
    case_create(&c);
    double z[9] = {0}, r[16];
    z[8] = 200.0;
    assert_false(c.stacked.evaluate(c.stacked.context, z, r, NULL));
    arc_arena_free(c.arena);
}

/* Solved with its blocks, and as if it had none. */
static void test_stacked_blocks_change_nothing_but_time(void **state)
{
    (void)state;
    Case c;
    ArcError err;
    case_create(&c);
    assert_int_equal(c.stacked.n_blocks, PARTS);
    double z[2][9] = {{0}}, T[2][OUTER * OUTER];
    for (int way = 0; way < 2; way++) {
        ArcObjective objective = c.stacked;
        ArcLeastSquares *solver = NULL;
        ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
        objective.n_blocks = way == 0 ? PARTS : 0;
        assert_int_equal(
            arc_least_squares_create(&objective, &settings, NULL, NULL, c.arena, &solver, &err),
            ARC_OK);
        ArcLeastSquaresResult result = arc_least_squares_run(solver, z[way]);
        assert_true(arc_stop_is_converged(result.stop));
        memcpy(T[way], arc_least_squares_factor(solver), sizeof T[way]);
    }
    for (int k = 0; k < 9; k++)
        assert_near(z[0][k], z[1][k], 1e-9);
    for (int j = 0; j < OUTER; j++)
        for (int k = 0; k < OUTER; k++) {
            double products[2] = {0};
            for (int way = 0; way < 2; way++)
                for (int i = 0; i < OUTER; i++)
                    products[way] += T[way][i + j * OUTER] * T[way][i + k * OUTER];
            assert_near(products[0], products[1], 1e-10);
        }
    arc_arena_free(c.arena);
}

/* Rows that tie an inner unknown stiffly to an outer one along a curve, as equations tie a net: a
 * whole step leaves the curve by its second order, far above what it gains. */
typedef struct Stiff {
    double weight;
    int calls;
} Stiff;

static bool evaluate_stiff(void *context, const double *z, double *r, double *J)
{
    Stiff *stiff = context;
    double y = z[0], u = z[1], w = stiff->weight;
    stiff->calls++;
    r[0] = w * (y + 0.1 * y * y - sin(u));
    r[1] = y - 0.8;
    r[2] = 0.1 * (u - 1.0);
    if (J == NULL)
        return true;
    J[0] = w * (1.0 + 0.2 * y);
    J[1] = 1.0;
    J[2] = 0.0;
    J[3] = -w * cos(u);
    J[4] = 0.0;
    J[5] = 0.1;
    return true;
}

static void test_corrections_take_whole_steps_along_a_stiff_curve(void **state)
{
    (void)state;
    ArcError err;
    double ends[2], y[2], costs[2];
    for (int way = 0; way < 2; way++) {
        ArcArena *arena = arc_arena_create();
        Stiff stiff = {.weight = 1e6};
        const ArcObjective objective = {
            .m = 3, .n_inner = 1, .n_outer = 1, .context = &stiff, .evaluate = evaluate_stiff};
        ArcLeastSquares *solver = NULL;
        ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
        double z[2] = {0.0, 0.0};
        settings.corrections = way == 0 ? 8 : 0;
        settings.relative_tolerance = 0.0;
        assert_int_equal(
            arc_least_squares_create(&objective, &settings, NULL, NULL, arena, &solver, &err),
            ARC_OK);
        ArcLeastSquaresResult result = arc_least_squares_run(solver, z);
        y[way] = z[0];
        ends[way] = z[1];
        costs[way] = result.cost;
        assert_true(way == 1 || (arc_stop_is_converged(result.stop) && result.iterations < 10));
        arc_arena_free(arena);
    }
    assert_near(y[0] + 0.1 * y[0] * y[0], sin(ends[0]), 1e-10);
    /* At rest along the curve: y' = cos u / (1 + 0.2 y). */
    double slope = cos(ends[0]) / (1.0 + 0.2 * y[0]);
    assert_near((y[0] - 0.8) * slope + 0.01 * (ends[0] - 1.0), 0.0, 1e-5);
    assert_true(costs[0] < 0.01 * costs[1]); /* without them it sticks where it began */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stacked_rows_and_columns_stand_where_they_belong),
        cmocka_unit_test(test_stacked_part_that_fails_fails_all),
        cmocka_unit_test(test_stacked_blocks_change_nothing_but_time),
        cmocka_unit_test(test_corrections_take_whole_steps_along_a_stiff_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
