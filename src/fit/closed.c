/* The closure added to a problem: its columns, unknowns and starts. */
#include "fit/closed.h"

#include <math.h>
#include <string.h>

/* Rows (P) one behind the other become rows (P + K), the new columns zero. */
static void spread_columns(int rows, int P, int K, double *a_p)
{
    for (int i = rows - 1; i >= 0; i--) {
        double *to = a_p + (size_t)i * (size_t)(P + K);
        memmove(to, a_p + (size_t)i * (size_t)P, sizeof(double) * (size_t)P);
        memset(to + P, 0, sizeof(double) * (size_t)K);
    }
}

/* The i-th state with a closure that is frozen: its partials by the weights are dropped. */
static void add_frozen(const ArcClosed *closed, const double *p, const double *w,
                       const ArcPhaseStates *states, int i)
{
    const ArcClosure *closure = closed->closure;
    int D = closure->D, P = closed->P, wide = P + closure->K;
    double a_p[ARC_EQUATIONS_MAX_STATES * (ARC_MAX_PARAMETERS + ARC_CLOSURE_MAX_WEIGHTS)];
    size_t at = (size_t)(i * D);
    double *narrow = states->a_p + at * (size_t)P;
    for (int e = 0; e < D; e++)
        memcpy(a_p + (size_t)e * (size_t)wide, narrow + e * P, sizeof(double) * (size_t)P);
    arc_closure_add(closure, closed->flight, 1, states->s + i, states->x + at, states->v + at, p, w,
                    wide, states->a + at, states->a_x + at * (size_t)D,
                    states->a_v != NULL ? states->a_v + at * (size_t)D : NULL, a_p);
    for (int e = 0; e < D; e++)
        memcpy(narrow + e * P, a_p + (size_t)e * (size_t)wide, sizeof(double) * (size_t)P);
}

void arc_closed_add(const ArcClosed *closed, const double *p, const double *w, bool is_compact,
                    const ArcPhaseStates *states)
{
    const ArcClosure *closure = closed->closure;
    bool is_frozen = closed->K == 0;
    for (int i = 0; is_frozen && states->a_p != NULL && i < states->n; i++)
        add_frozen(closed, p, w, states, i);
    if (is_frozen && states->a_p != NULL)
        return;
    if (is_compact && states->a_p != NULL)
        spread_columns(states->n * closure->D, closed->P, closed->K, states->a_p);
    arc_closure_add(closure, closed->flight, states->n, states->s, states->x, states->v, p, w,
                    closed->P + closure->K, states->a, states->a_x, states->a_v, states->a_p);
}

ArcStatus arc_closed_check(const ArcProblem *problem, ArcPlace place, ArcError *err)
{
    const char *with = problem->view != NULL                   ? "cameras"
                       : problem->flight.settings.bounce.is_on ? "a flight that bounces"
                       : problem->has_arm                      ? "an arm"
                       : problem->loss.kind != ARC_LOSS_GAUSS  ? "a robust loss"
                                                               : NULL;
    if (with == NULL)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, place,
                            "a closure does not go together with %s yet; leave either out", with);
}

/* n numbers and K behind them, filled with `more`. */
static double *longer(ArcArena *arena, const double *numbers, int n, int K, double more)
{
    double *result = ARC_ALLOC(arena, (size_t)(n + K), double);
    if (result == NULL)
        return NULL;
    memcpy(result, numbers, sizeof(double) * (size_t)n);
    for (int k = 0; k < K; k++)
        result[n + k] = more;
    return result;
}

ArcStatus arc_problem_close(ArcProblem *problem, const ArcClosure *closure, const double *weights,
                            bool is_frozen, ArcArena *arena, ArcError *err)
{
    int K = closure->K;
    problem->closure = closure;
    problem->start = longer(arena, problem->start, problem->n_parameters, K, 0.0);
    problem->low = longer(arena, problem->low, problem->n_free, K, -INFINITY);
    problem->high = longer(arena, problem->high, problem->n_free, K, INFINITY);
    if (problem->start == NULL || problem->low == NULL || problem->high == NULL)
        return arc_error_no_memory(err);
    if (weights != NULL)
        memcpy(problem->start + problem->n_parameters, weights, sizeof(double) * (size_t)K);
    if (is_frozen)
        return ARC_OK;
    problem->K = K;
    problem->P += K;
    problem->Q += K;
    return ARC_OK;
}

int arc_problem_n_values(const ArcProblem *problem)
{
    return problem->n_parameters + (problem->closure != NULL ? problem->closure->K : 0);
}

int arc_problem_n_unknowns(const ArcProblem *problem)
{
    return problem->n_free + problem->K;
}

void arc_problem_gather(const ArcProblem *problem, const double *values, double *u)
{
    for (int k = 0; k < problem->n_free; k++)
        u[k] = values[problem->free_parameter[k]];
    for (int k = 0; k < problem->K; k++)
        u[problem->n_free + k] = values[problem->n_parameters + k];
}
