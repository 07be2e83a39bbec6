/* The iteration on hard problems with known minima: from near, from far, and within bounds. */
#include "solver_case.h"

#include "mgh_problems.h"

#include <string.h>

static const double no_low[] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY};
static const double no_high[] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};

static bool mgh_evaluate(void *context, const double *z, double *r, double *J)
{
    const MghProblem *problem = context;
    static double unwanted[4096];
    J = J != NULL ? J : unwanted;
    complex_step(problem->f, problem->m, problem->n, z, r, J);
    double sum = 0.0;
    for (int i = 0; i < problem->m; i++)
        sum += r[i] * 0.0;
    return sum == 0.0;
}

static ArcObjective mgh_objective(const MghProblem *problem)
{
    return (ArcObjective){.m = problem->m,
                          .n_outer = problem->n,
                          .context = (void *)(uintptr_t)problem,
                          .evaluate = mgh_evaluate};
}

static void test_least_squares_run_known_minima_are_found(void **state)
{
    (void)state;
    ArcLeastSquaresSettings settings = tight_settings();
    for (int k = 0; k < N_MGH_PROBLEMS; k++) {
        const MghProblem *problem = &mgh_problems[k];
        ArcObjective objective = mgh_objective(problem);
        double z[6];
        memcpy(z, problem->start, sizeof z);
        ArcLeastSquaresResult result =
            arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), z);
        if (!arc_stop_is_converged(result.stop))
            fail_msg("%s: %s", problem->name, arc_stop_text(result.stop));
        bool known = false;
        for (int i = 0; i < 3; i++) {
            double least = problem->least[i];
            known =
                known || (least >= 0.0 && fabs(2.0 * result.cost - least) <= 1e-15 + 1e-8 * least);
        }
        if (!known || result.evaluations > 600)
            fail_msg("%s: %.10g after %d evaluations", problem->name, 2.0 * result.cost,
                     result.evaluations);
    }
}

/* The largest gradient of a free unknown, as the cosine between its column and r: 0 at a minimum. A
 * column that has become nothing (an exponential that ran away) has no say. */
static double gradient_share(const MghProblem *problem, const double *z, const double *low,
                             const double *high)
{
    double r[40], J[6 * 40], largest = 0.0, worst = 0.0, length = 0.0;
    int m = problem->m;
    complex_step(problem->f, m, problem->n, z, r, J);
    for (int k = 0; k < m * problem->n; k++)
        largest = fmax(largest, fabs(J[k]));
    for (int i = 0; i < m; i++)
        length += r[i] * r[i];
    if (length < 1e-24)
        return 0.0;
    for (int j = 0; j < problem->n; j++) {
        double g = 0.0, column = 0.0;
        for (int i = 0; i < m; i++) {
            g += J[i + j * m] * r[i];
            column += J[i + j * m] * J[i + j * m];
        }
        bool blocked = (z[j] <= low[j] && g > 0.0) || (z[j] >= high[j] && g < 0.0);
        if (!blocked && sqrt(column) > 1e-10 * largest)
            worst = fmax(worst, fabs(g) / sqrt(column * length));
    }
    return worst;
}

/* From ten and a hundred times the standard starts, which is where they are hard: never worse than
 * the start, and an honest word. */
static void test_least_squares_run_far_starts_end_honestly(void **state)
{
    (void)state;
    ArcLeastSquaresSettings settings = tight_settings();
    int n_converged = 0;
    for (int k = 0; k < N_MGH_PROBLEMS; k++)
        for (double factor = 10.0; factor <= 100.0; factor *= 10.0) {
            const MghProblem *problem = &mgh_problems[k];
            ArcObjective objective = mgh_objective(problem);
            double z[6], r[40], before = 0.0;
            for (int j = 0; j < 6; j++)
                z[j] = factor * problem->start[j];
            bool valid = mgh_evaluate(objective.context, z, r, NULL);
            for (int i = 0; i < problem->m; i++)
                before += 0.5 * r[i] * r[i];
            ArcLeastSquaresResult result =
                arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), z);
            assert_int_equal(valid && isfinite(before), result.stop != ARC_STOP_NON_FINITE);
            if (!arc_stop_is_converged(result.stop))
                continue;
            assert_true(result.cost <= before * (1.0 + 1e-10));
            n_converged++;
            double share = gradient_share(problem, z, no_low, no_high);
            if (share > 1e-4)
                fail_msg("%s from %g times its start: %s, gradient %g", problem->name, factor,
                         arc_stop_text(result.stop), share);
        }
    assert_true(n_converged >= N_MGH_PROBLEMS);
}

/* Bounds that cut the free minimum off: held, and the gradient pushes outward where they bind. */
static void test_least_squares_run_bounds_hold_and_are_optimal(void **state)
{
    (void)state;
    ArcLeastSquaresSettings settings = tight_settings();
    int n_active = 0;
    for (int k = 0; k < N_MGH_PROBLEMS; k++) {
        const MghProblem *problem = &mgh_problems[k];
        ArcObjective objective = mgh_objective(problem);
        double z[6], low[6], high[6];
        memcpy(z, problem->start, sizeof z);
        for (int j = 0; j < problem->n; j++) {
            low[j] = problem->start[j] - 0.2 - 0.1 * j;
            high[j] = problem->start[j] + (j == 1 ? 0.0 : 0.3);
        }
        ArcLeastSquaresResult result =
            arc_least_squares_run(solver_of(&objective, &settings, low, high), z);
        if (!arc_stop_is_converged(result.stop))
            fail_msg("%s: %s", problem->name, arc_stop_text(result.stop));
        for (int j = 0; j < problem->n; j++) {
            assert_true(z[j] >= low[j] && z[j] <= high[j]);
            n_active += z[j] == low[j] || z[j] == high[j];
        }
        double share = gradient_share(problem, z, low, high);
        if (share > 1e-5)
            fail_msg("%s: gradient %g, %s", problem->name, share, arc_stop_text(result.stop));
    }
    assert_true(n_active >= 10);
}

static void test_least_squares_run_bounded_rosenbrock_ends_at_its_bound(void **state)
{
    (void)state;
    ArcObjective objective = mgh_objective(&mgh_problems[0]);
    ArcLeastSquaresSettings settings = tight_settings();
    const double low[] = {-INFINITY, -INFINITY}, high[] = {0.5, INFINITY};
    double z[] = {-1.2, 1.0};
    ArcLeastSquaresResult result =
        arc_least_squares_run(solver_of(&objective, &settings, low, high), z);
    assert_true(arc_stop_is_converged(result.stop));
    assert_true(z[0] == 0.5);
    assert_near(z[1], 0.25, 1e-9);
    assert_near(result.cost, 0.125, 1e-14);
}

/* The same bits from the same start, with a new solver and with one that has run before. */
static void test_least_squares_run_is_deterministic(void **state)
{
    (void)state;
    ArcLeastSquaresSettings settings = tight_settings();
    for (int k = 0; k < N_MGH_PROBLEMS; k++) {
        ArcObjective objective = mgh_objective(&mgh_problems[k]);
        ArcLeastSquares *solver = solver_of(&objective, &settings, NULL, NULL);
        double first[6], again[6], other[6];
        memcpy(first, mgh_problems[k].start, sizeof first);
        memcpy(again, first, sizeof again);
        memcpy(other, first, sizeof other);
        ArcLeastSquaresResult a = arc_least_squares_run(solver, first);
        ArcLeastSquaresResult b = arc_least_squares_run(solver, again);
        ArcLeastSquaresResult c =
            arc_least_squares_run(solver_of(&objective, &settings, NULL, NULL), other);
        assert_memory_equal(first, again, sizeof first);
        assert_memory_equal(first, other, sizeof first);
        assert_true(a.stop == b.stop && a.evaluations == b.evaluations && a.cost == b.cost);
        assert_true(a.stop == c.stop && a.evaluations == c.evaluations && a.cost == c.cost);
    }
}

int main(void)
{
#define ROW(name) cmocka_unit_test_setup_teardown(name, create_arena, free_arena)
    const struct CMUnitTest tests[] = {
        ROW(test_least_squares_run_known_minima_are_found),
        ROW(test_least_squares_run_far_starts_end_honestly),
        ROW(test_least_squares_run_bounds_hold_and_are_optimal),
        ROW(test_least_squares_run_bounded_rosenbrock_ends_at_its_bound),
        ROW(test_least_squares_run_is_deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
