/* Minima under constraints: problems of Hock and Schittkowski (Lecture Notes in Economics and
 * Mathematical Systems 187 (1981)) with their published ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/constrained.h"
#include "sweep.h"

#include <math.h>
#include <string.h>

static const double ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};

static ArcConstrainedResult minimise(const ArcConstrained *problem, double *z)
{
    const ArcConstrainedSettings settings = arc_constrained_settings_default();
    ArcArena *arena = arc_arena_create();
    ArcConstrainedSolver *solver = NULL;
    assert_int_equal(arc_constrained_create(problem, &settings, arena, &solver, NULL), ARC_OK);
    ArcConstrainedResult result = arc_constrained_run(solver, z);
    arc_arena_free(arena);
    return result;
}

/* Number 71: x1 x4 (x1 + x2 + x3) + x3, the sum of squares 40, the product 25 at least. */
static bool hs71(void *context, const double *z, double *f, double *gradient, double *rows,
                 double *J)
{
    (void)context;
    *f = z[0] * z[3] * (z[0] + z[1] + z[2]) + z[2];
    rows[0] = z[0] * z[0] + z[1] * z[1] + z[2] * z[2] + z[3] * z[3] - 40.0;
    rows[1] = 25.0 - z[0] * z[1] * z[2] * z[3];
    if (gradient == NULL)
        return true;
    const double by[4] = {z[3] * (2.0 * z[0] + z[1] + z[2]), z[0] * z[3], z[0] * z[3] + 1.0,
                          z[0] * (z[0] + z[1] + z[2])};
    for (int i = 0; i < 4; i++) {
        gradient[i] = by[i];
        J[i] = 2.0 * z[i];
        J[4 + i] = -z[0] * z[1] * z[2] * z[3] / z[i];
    }
    return true;
}

static void test_run_hs71_ends_where_it_is_published(void **state)
{
    (void)state;
    const double low[4] = {1, 1, 1, 1}, high[4] = {5, 5, 5, 5}, size[4] = {1, 2, 3, 0.5};
    const ArcConstrained problem = {.n = 4,
                                    .low = low,
                                    .high = high,
                                    .size = size,
                                    .n_equal = 1,
                                    .n_most = 1,
                                    .row_size = ones,
                                    .evaluate = hs71};
    double z[4] = {1, 5, 5, 1};
    ArcConstrainedResult result = minimise(&problem, z);
    assert_int_equal(result.stop, ARC_STOP_GRADIENT);
    assert_near(result.value, 17.0140173, 1e-7);
    assert_near(z[0], 1.0, 1e-9);
    assert_near(z[1], 4.7429994, 1e-6);
    assert_near(z[2], 3.8211503, 1e-6);
    assert_near(z[3], 1.3794082, 1e-6);
    /* Its published multipliers, by our signs. */
    assert_near(result.multiplier[0], 0.1614686, 1e-5);
    assert_near(result.multiplier[1], 0.5522937, 1e-5);
}

/* Number 43 (Rosen and Suzuki): -44 at (0, 1, 2, -1), the second of three rows inactive. */
static bool hs43(void *context, const double *z, double *f, double *gradient, double *rows,
                 double *J)
{
    (void)context;
    static const double linear[4][4] = {
        {-5, -5, -21, 7}, {1, -1, 1, -1}, {-1, 0, 0, -1}, {2, -1, 0, -1}};
    static const double square[4][4] = {{1, 1, 2, 1}, {1, 1, 1, 1}, {1, 2, 1, 2}, {2, 1, 1, 0}};
    static const double constant[4] = {0, -8, -10, -5};
    for (int r = 0; r < 4; r++) {
        double sum = constant[r];
        for (int i = 0; i < 4; i++) {
            sum += linear[r][i] * z[i] + square[r][i] * z[i] * z[i];
            double slope = linear[r][i] + 2.0 * square[r][i] * z[i];
            if (gradient != NULL && r == 0)
                gradient[i] = slope;
            else if (gradient != NULL)
                J[(r - 1) * 4 + i] = slope;
        }
        if (r == 0)
            *f = sum;
        else
            rows[r - 1] = sum;
    }
    return true;
}

static const double no_low[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
static const double no_high[4] = {INFINITY, INFINITY, INFINITY, INFINITY};

static void test_run_hs43_has_an_inactive_row(void **state)
{
    (void)state;
    const ArcConstrained problem = {.n = 4,
                                    .low = no_low,
                                    .high = no_high,
                                    .size = ones,
                                    .n_most = 3,
                                    .row_size = ones,
                                    .evaluate = hs43};
    double z[4] = {0};
    ArcConstrainedResult result = minimise(&problem, z);
    assert_int_equal(result.stop, ARC_STOP_GRADIENT);
    assert_near(result.value, -44.0, 1e-8);
    const double end[4] = {0, 1, 2, -1};
    for (int i = 0; i < 4; i++)
        assert_near(z[i], end[i], 1e-6);
    assert_true(result.multiplier[1] == 0.0);
    assert_true(result.multiplier[0] > 0.0 && result.multiplier[2] > 0.0);
}

/* Rosenbrock's function, which cannot be had beyond x = 1.2. */
static bool fenced(void *context, const double *z, double *f, double *gradient, double *rows,
                   double *J)
{
    int *calls = context;
    (void)rows, (void)J;
    ++*calls;
    if (z[0] > 1.2)
        return false;
    double a = 1.0 - z[0], b = z[1] - z[0] * z[0];
    *f = a * a + 100.0 * b * b;
    if (gradient != NULL) {
        gradient[0] = -2.0 * a - 400.0 * z[0] * b;
        gradient[1] = 200.0 * b;
    }
    return true;
}

static void test_run_where_points_cannot_be_had_goes_round(void **state)
{
    (void)state;
    int calls = 0;
    const ArcConstrained problem = {.n = 2,
                                    .low = no_low,
                                    .high = no_high,
                                    .size = ones,
                                    .context = &calls,
                                    .evaluate = fenced};
    double z[2] = {-1.2, 1.0}, outside[2] = {2.0, 1.0};
    ArcConstrainedResult result = minimise(&problem, z);
    assert_int_equal(result.stop, ARC_STOP_GRADIENT);
    assert_near(z[0], 1.0, 1e-6);
    assert_near(z[1], 1.0, 1e-6);
    assert_int_equal(result.evaluations, calls);
    result = minimise(&problem, outside);
    assert_int_equal(result.stop, ARC_STOP_NON_FINITE);
    assert_true(outside[0] == 2.0 && outside[1] == 1.0);
}

/* x <= -1 and x >= 1: nothing keeps both. */
static bool torn(void *context, const double *z, double *f, double *gradient, double *rows,
                 double *J)
{
    (void)context;
    *f = z[0] * z[0];
    rows[0] = z[0] + 1.0;
    rows[1] = 1.0 - z[0];
    if (gradient != NULL) {
        gradient[0] = 2.0 * z[0];
        J[0] = 1.0;
        J[1] = -1.0;
    }
    return true;
}

static void test_run_without_a_feasible_point_says_so(void **state)
{
    (void)state;
    const ArcConstrained problem = {.n = 1,
                                    .low = no_low,
                                    .high = no_high,
                                    .size = ones,
                                    .n_most = 2,
                                    .row_size = ones,
                                    .evaluate = torn};
    double z[1] = {0.3};
    ArcConstrainedResult result = minimise(&problem, z);
    assert_true(result.stop != ARC_STOP_GRADIENT);
    assert_true(result.violation >= 1.0);
}

static void test_look_away_from_the_end_tells_what_is_left(void **state)
{
    (void)state;
    const double low[2] = {0.5, -INFINITY}, high[2] = {INFINITY, INFINITY};
    int calls = 0;
    const ArcConstrained problem = {
        .n = 2, .low = low, .high = high, .size = ones, .context = &calls, .evaluate = fenced};
    const ArcConstrainedSettings settings = arc_constrained_settings_default();
    ArcArena *arena = arc_arena_create();
    ArcConstrainedSolver *solver = NULL;
    assert_int_equal(arc_constrained_create(&problem, &settings, arena, &solver, NULL), ARC_OK);
    /* At the bound the gradient (-101, 100 + 2 x 0) points out of it by x alone. */
    const double z[2] = {0.5, 0.75};
    ArcConstrainedResult result = arc_constrained_look(solver, z);
    assert_int_equal(result.stop, ARC_STOP_STALLED);
    /* The bound may push up only, and x wants to grow: nothing of the gradient is taken off. */
    assert_near(result.optimality, 101.0 / (1.0 + hypot(101.0, 100.0)), 1e-12);
    arc_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_hs71_ends_where_it_is_published),
        cmocka_unit_test(test_run_hs43_has_an_inactive_row),
        cmocka_unit_test(test_run_where_points_cannot_be_had_goes_round),
        cmocka_unit_test(test_run_without_a_feasible_point_says_so),
        cmocka_unit_test(test_look_away_from_the_end_tells_what_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
