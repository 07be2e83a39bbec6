/* SLSQP behind one evaluation of all functions, and the test of its end. */
#include "solve/constrained.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <nlopt.h>
#include <string.h>

enum { ACTIVE = ARC_CONSTRAINED_MAX + ARC_CONSTRAINED_MAX_ROWS };
static const double at_bound = 1e-9; /* by sizes */
static const double rank_share = 1e-11;
static const double close_x = 1e-13, close_f = 1e-15;

/* What is active in a look at the conditions: rows, then bounds as -1 - unknown. */
typedef struct Active {
    int n;
    int which[ACTIVE];
    double sign[ACTIVE]; /* of the multiplier that is allowed; 0: any */
    double value[ACTIVE];
} Active;

struct ArcConstrainedSolver {
    ArcConstrained problem;
    ArcConstrainedSettings settings;
    int m; /* rows */
    nlopt_opt run;
    bool is_known, has_gradient, can_be_had; /* of what was evaluated last: */
    double y[ARC_CONSTRAINED_MAX], z[ARC_CONSTRAINED_MAX];
    double f, gradient[ARC_CONSTRAINED_MAX]; /* by sizes */
    double rows[ARC_CONSTRAINED_MAX_ROWS];
    double *J;    /* (m, n) by sizes */
    double *A;    /* (n, active) column-major */
    double *work; /* of LAPACK */
    int n_work, evaluations;
    double best[ARC_CONSTRAINED_MAX]; /* where the conditions hold */
    bool is_done;
};

ArcConstrainedSettings arc_constrained_settings_default(void)
{
    return (ArcConstrainedSettings){.max_evaluations = 200, .tolerance = 1e-8, .feasible = 1e-9};
}

ArcStatus arc_constrained_create(const ArcConstrained *problem,
                                 const ArcConstrainedSettings *settings, ArcArena *arena,
                                 ArcConstrainedSolver **result, ArcError *err)
{
    ArcConstrainedSolver *solver = ARC_ALLOC(arena, 1, ArcConstrainedSolver);
    if (solver == NULL)
        return arc_error_no_memory(err);
    int n = problem->n, m = ARC_CONSTRAINED_MAX_ROWS;
    solver->problem = *problem;
    solver->settings = *settings;
    solver->m = problem->n_equal + problem->n_most;
    solver->n_work = 64 * (n + m + ACTIVE);
    solver->J = ARC_ALLOC(arena, (size_t)(m * n), double);
    solver->A = ARC_ALLOC(arena, (size_t)n * ACTIVE, double);
    solver->work = ARC_ALLOC(arena, (size_t)solver->n_work, double);
    if (solver->J == NULL || solver->A == NULL || solver->work == NULL)
        return arc_error_no_memory(err);
    *result = solver;
    return ARC_OK;
}

void arc_constrained_set_rows(ArcConstrainedSolver *solver, int n_equal, int n_most,
                              const double *row_size)
{
    solver->problem.n_equal = n_equal;
    solver->problem.n_most = n_most;
    solver->problem.row_size = row_size;
    solver->m = n_equal + n_most;
}

/* Everything at y, unless it is known. */
static bool evaluate(ArcConstrainedSolver *solver, const double *y, bool with_gradient)
{
    const ArcConstrained *problem = &solver->problem;
    size_t bytes = sizeof(double) * (size_t)problem->n;
    if (solver->is_known && (solver->has_gradient || !with_gradient) &&
        memcmp(y, solver->y, bytes) == 0)
        return solver->can_be_had;
    memcpy(solver->y, y, bytes);
    for (int i = 0; i < problem->n; i++)
        solver->z[i] = fmin(fmax(y[i] * problem->size[i], problem->low[i]), problem->high[i]);
    solver->evaluations++;
    solver->is_known = true;
    solver->has_gradient = with_gradient;
    solver->can_be_had = problem->evaluate(problem->context, solver->z, &solver->f,
                                           with_gradient ? solver->gradient : NULL, solver->rows,
                                           with_gradient ? solver->J : NULL);
    if (!solver->can_be_had || !isfinite(solver->f))
        return solver->can_be_had = false;
    for (int r = 0; r < solver->m; r++)
        solver->rows[r] /= problem->row_size[r];
    for (int i = 0; with_gradient && i < problem->n; i++) {
        solver->gradient[i] *= problem->size[i];
        for (int r = 0; r < solver->m; r++)
            solver->J[r * problem->n + i] *= problem->size[i] / problem->row_size[r];
    }
    return true;
}

static double violation_of(const ArcConstrainedSolver *solver)
{
    double most = 0.0;
    for (int r = 0; r < solver->m; r++)
        most = fmax(most, r < solver->problem.n_equal ? fabs(solver->rows[r]) : solver->rows[r]);
    return most;
}

static void list_active(const ArcConstrainedSolver *solver, Active *active)
{
    const ArcConstrained *problem = &solver->problem;
    active->n = 0;
    for (int r = 0; r < solver->m; r++) {
        bool equal = r < problem->n_equal;
        if (!equal && solver->rows[r] < -1e2 * solver->settings.feasible)
            continue;
        active->sign[active->n] = equal ? 0.0 : 1.0;
        active->which[active->n++] = r;
    }
    for (int i = 0; i < problem->n; i++) {
        double slack = at_bound * problem->size[i];
        bool low = solver->z[i] <= problem->low[i] + slack;
        bool high = solver->z[i] >= problem->high[i] - slack;
        if (!low && !high)
            continue;
        active->sign[active->n] = low && high ? 0.0 : low ? -1.0 : 1.0;
        active->which[active->n++] = -1 - i;
    }
}

/* Multipliers of what is active by least squares, and the largest part of the sum that they leave.
 */
static double fit_multipliers(ArcConstrainedSolver *solver, Active *active)
{
    int n = solver->problem.n, m = active->n, rank = 0;
    int pivot[ACTIVE] = {0};
    double b[ACTIVE + 1] = {0.0}, left[ARC_CONSTRAINED_MAX], largest = 0.0;
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++)
            solver->A[k * n + i] = active->which[k] >= 0 ? solver->J[active->which[k] * n + i]
                                                         : i == -1 - active->which[k];
    for (int i = 0; i < n; i++)
        b[i] = -solver->gradient[i];
    if (m > 0 && LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, n, m, 1, solver->A, n, b, ACTIVE + 1, pivot,
                                     rank_share, &rank, solver->work, solver->n_work) != 0)
        return INFINITY;
    memcpy(left, solver->gradient, sizeof(double) * (size_t)n);
    for (int k = 0; k < m; k++) {
        active->value[k] = b[k];
        for (int i = 0; i < n; i++)
            left[i] += b[k] * (active->which[k] >= 0 ? solver->J[active->which[k] * n + i]
                                                     : i == -1 - active->which[k]);
    }
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(left[i]));
    return largest;
}

/* What is left of the condition, relative; multipliers (m), nullable. */
static double optimality_of(ArcConstrainedSolver *solver, double *multiplier)
{
    Active active;
    double left, length = cblas_dnrm2(solver->problem.n, solver->gradient, 1);
    list_active(solver, &active);
    for (;;) {
        int worst = -1;
        left = fit_multipliers(solver, &active);
        for (int k = 0; k < active.n; k++)
            if (active.sign[k] * active.value[k] < 0.0 &&
                (worst < 0 || fabs(active.value[k]) > fabs(active.value[worst])))
                worst = k;
        if (worst < 0)
            break;
        active.n--;
        active.which[worst] = active.which[active.n];
        active.sign[worst] = active.sign[active.n];
    }
    for (int r = 0; multiplier != NULL && r < ARC_CONSTRAINED_MAX_ROWS; r++)
        multiplier[r] = 0.0;
    for (int k = 0; multiplier != NULL && k < active.n; k++)
        if (active.which[k] >= 0)
            multiplier[active.which[k]] =
                active.value[k] / solver->problem.row_size[active.which[k]];
    return left / (1.0 + length);
}

static double objective(unsigned n, const double *y, double *gradient, void *context)
{
    ArcConstrainedSolver *solver = context;
    if (!evaluate(solver, y, gradient != NULL))
        return HUGE_VAL;
    if (gradient != NULL) {
        memcpy(gradient, solver->gradient, sizeof(double) * n);
        if (violation_of(solver) <= solver->settings.feasible &&
            optimality_of(solver, NULL) <= solver->settings.tolerance) {
            memcpy(solver->best, y, sizeof(double) * n);
            solver->is_done = true;
            nlopt_force_stop(solver->run);
        }
    }
    return solver->f;
}

static void take_rows(ArcConstrainedSolver *solver, int first, int m, double *result,
                      const double *y, double *gradient)
{
    int n = solver->problem.n;
    bool had = evaluate(solver, y, gradient != NULL);
    for (int r = 0; r < m; r++)
        result[r] = had ? solver->rows[first + r] : 0.0;
    if (gradient != NULL && had)
        memcpy(gradient, solver->J + first * n, sizeof(double) * (size_t)(m * n));
    else if (gradient != NULL)
        memset(gradient, 0, sizeof(double) * (size_t)(m * n));
}

static void equal_rows(unsigned m, double *result, unsigned n, const double *y, double *gradient,
                       void *context)
{
    (void)n;
    take_rows(context, 0, (int)m, result, y, gradient);
}

static void most_rows(unsigned m, double *result, unsigned n, const double *y, double *gradient,
                      void *context)
{
    (void)n;
    ArcConstrainedSolver *solver = context;
    take_rows(solver, solver->problem.n_equal, (int)m, result, y, gradient);
}

/* The problem as NLopt takes it; false where it refuses. */
static bool describe(ArcConstrainedSolver *solver, nlopt_opt run)
{
    const ArcConstrained *problem = &solver->problem;
    double low[ARC_CONSTRAINED_MAX], high[ARC_CONSTRAINED_MAX], feasible[ARC_CONSTRAINED_MAX_ROWS];
    for (int i = 0; i < problem->n; i++) {
        low[i] = problem->low[i] / problem->size[i];
        high[i] = problem->high[i] / problem->size[i];
    }
    for (int r = 0; r < solver->m; r++)
        feasible[r] = solver->settings.feasible;
    return nlopt_set_min_objective(run, objective, solver) >= 0 &&
           nlopt_set_lower_bounds(run, low) >= 0 && nlopt_set_upper_bounds(run, high) >= 0 &&
           (problem->n_equal == 0 ||
            nlopt_add_equality_mconstraint(run, (unsigned)problem->n_equal, equal_rows, solver,
                                           feasible) >= 0) &&
           (problem->n_most == 0 ||
            nlopt_add_inequality_mconstraint(run, (unsigned)problem->n_most, most_rows, solver,
                                             feasible) >= 0) &&
           nlopt_set_xtol_rel(run, close_x) >= 0 && nlopt_set_ftol_rel(run, close_f) >= 0 &&
           nlopt_set_maxeval(run, solver->settings.max_evaluations) >= 0;
}

ArcConstrainedResult arc_constrained_look(ArcConstrainedSolver *solver, const double *z)
{
    ArcConstrainedResult result = {
        .stop = ARC_STOP_NON_FINITE, .value = NAN, .violation = INFINITY, .optimality = INFINITY};
    double y[ARC_CONSTRAINED_MAX];
    for (int i = 0; i < solver->problem.n; i++)
        y[i] = z[i] / solver->problem.size[i];
    solver->is_known = false;
    if (!evaluate(solver, y, true))
        return result;
    result.value = solver->f;
    result.violation = violation_of(solver);
    result.optimality = optimality_of(solver, result.multiplier);
    result.stop = result.violation <= solver->settings.feasible &&
                          result.optimality <= solver->settings.tolerance
                      ? ARC_STOP_GRADIENT
                      : ARC_STOP_STALLED;
    return result;
}

ArcConstrainedResult arc_constrained_run(ArcConstrainedSolver *solver, double *z)
{
    const ArcConstrained *problem = &solver->problem;
    double y[ARC_CONSTRAINED_MAX], f;
    int n = problem->n;
    solver->evaluations = 0;
    solver->is_done = false;
    ArcConstrainedResult result = arc_constrained_look(solver, z);
    if (result.stop == ARC_STOP_NON_FINITE || result.stop == ARC_STOP_GRADIENT)
        return result;
    for (int i = 0; i < n; i++)
        y[i] = fmin(fmax(z[i], problem->low[i]), problem->high[i]) / problem->size[i];
    solver->run = nlopt_create(NLOPT_LD_SLSQP, (unsigned)n);
    bool runs = solver->run != NULL && describe(solver, solver->run);
    nlopt_result end = runs ? nlopt_optimize(solver->run, y, &f) : NLOPT_FAILURE;
    nlopt_destroy(solver->run);
    solver->run = NULL;
    if (solver->is_done)
        memcpy(y, solver->best, sizeof(double) * (size_t)n);
    for (int i = 0; i < n; i++)
        z[i] = fmin(fmax(y[i] * problem->size[i], problem->low[i]), problem->high[i]);
    int evaluations = solver->evaluations;
    result = arc_constrained_look(solver, z);
    result.evaluations = evaluations + 1;
    if (result.stop == ARC_STOP_STALLED && end == NLOPT_MAXEVAL_REACHED)
        result.stop = ARC_STOP_LIMIT;
    return result;
}
