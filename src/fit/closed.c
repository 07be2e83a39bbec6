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

ArcClosed arc_problem_closed(const ArcProblem *problem, const ArcClosure *closure, bool is_frozen)
{
    const ArcPhase *phase = problem->phase;
    return (ArcClosed){.flight = phase == NULL ? &problem->flight : NULL,
                       .closure = closure,
                       .D = problem->D,
                       .P = problem->P - problem->K,
                       .K = is_frozen || closure == NULL ? 0 : closure->K,
                       .size = phase != NULL ? phase->state_size : NULL,
                       .is_integral = phase != NULL && phase->is_integral};
}

enum { MOST_STATES = ARC_EQUATIONS_MAX_STATES };

/* One state as the closure sees it, and what it adds to it, in its own units. */
typedef struct Alone {
    double x[MOST_STATES], v[MOST_STATES], size[MOST_STATES], a[MOST_STATES];
    double a_x[MOST_STATES * MOST_STATES], a_v[MOST_STATES * MOST_STATES];
    double a_p[MOST_STATES * (ARC_MAX_PARAMETERS + ARC_CLOSURE_MAX_WEIGHTS)];
} Alone;

static void take_state(const ArcClosed *closed, const ArcPhaseStates *states, int i, Alone *alone)
{
    int D = closed->D;
    for (int c = 0; c < D; c++) {
        double size = alone->size[c] = closed->size != NULL ? closed->size[c] : 1.0;
        alone->x[c] = size * (closed->is_integral ? states->v : states->x)[i * D + c];
        alone->v[c] = size * states->v[i * D + c];
    }
}

/* Adds a (D) and the partials by state to those of the i-th state. */
static void give_state(const ArcClosed *closed, const Alone *alone, const ArcPhaseStates *states,
                       int i)
{
    int D = closed->D;
    for (int e = 0; e < D; e++) {
        states->a[i * D + e] += alone->a[e] / alone->size[e];
        for (int c = 0; c < D; c++) {
            int at = (i * D + e) * D + c;
            double ratio = alone->size[c] / alone->size[e];
            double by_x = ratio * alone->a_x[e * D + c];
            if (states->a_x != NULL && !closed->is_integral)
                states->a_x[at] += by_x;
            if (states->a_v != NULL)
                states->a_v[at] += closed->is_integral ? by_x : ratio * alone->a_v[e * D + c];
        }
    }
}

/* The i-th state by itself, where units differ or the weights' partials are to be dropped. */
static void add_alone(const ArcClosed *closed, const double *p, const double *w,
                      const ArcPhaseStates *states, int i)
{
    const ArcClosure *closure = closed->closure;
    int D = closed->D, P = closed->P, width = P + closed->K;
    size_t wide = (size_t)(P + closure->K);
    Alone alone;
    take_state(closed, states, i, &alone);
    memset(alone.a, 0, sizeof(double) * (size_t)D);
    memset(alone.a_x, 0, sizeof(double) * (size_t)(D * D));
    memset(alone.a_v, 0, sizeof(double) * (size_t)(D * D));
    bool by_state = states->a_x != NULL || states->a_v != NULL, by_p = states->a_p != NULL;
    if (by_p)
        memset(alone.a_p, 0, sizeof(double) * (size_t)D * wide);
    arc_closure_add(closure, closed->flight, 1, states->s + i, alone.x,
                    closed->is_integral ? NULL : alone.v, p, w, (int)wide, alone.a,
                    by_state ? alone.a_x : NULL,
                    by_state && !closed->is_integral ? alone.a_v : NULL, by_p ? alone.a_p : NULL);
    give_state(closed, &alone, states, i);
    for (int e = 0; e < D && by_p; e++) {
        double *row = states->a_p + (size_t)(i * D + e) * (size_t)width;
        const double *from = alone.a_p + (size_t)e * wide;
        for (int k = 0; k < width; k++)
            row[k] = (k < P ? row[k] : 0.0) + from[k] / alone.size[e];
    }
}

void arc_closed_add(const ArcClosed *closed, const double *p, const double *w, bool is_compact,
                    const ArcPhaseStates *states)
{
    const ArcClosure *closure = closed->closure;
    bool is_alone = closed->size != NULL || (closed->K == 0 && states->a_p != NULL);
    if (is_compact && states->a_p != NULL && closed->K > 0)
        spread_columns(states->n * closed->D, closed->P, closed->K, states->a_p);
    for (int i = 0; is_alone && i < states->n; i++)
        add_alone(closed, p, w, states, i);
    if (!is_alone)
        arc_closure_add(closure, closed->flight, states->n, states->s, states->x, states->v, p, w,
                        closed->P + closure->K, states->a, states->a_x, states->a_v, states->a_p);
}

void arc_closed_inputs(const ArcClosed *closed, const ArcClosureSettings *settings, const double *p,
                       const ArcPhaseStates *states, double *z)
{
    Alone alone;
    if (closed->size == NULL) {
        arc_closure_inputs(settings, closed->flight, closed->D, states->n, states->s, states->x,
                           states->v, p, z);
        return;
    }
    for (int i = 0; i < states->n; i++) {
        take_state(closed, states, i, &alone);
        arc_closure_inputs(settings, NULL, closed->D, 1, states->s + i, alone.x,
                           closed->is_integral ? NULL : alone.v, p, z + i * settings->n_inputs);
    }
}

ArcStatus arc_closed_check(const ArcProblem *problem, ArcPlace place, ArcError *err)
{
    const char *with = problem->view != NULL ? "cameras, or with a clock, bias or latency that is "
                                               "a parameter,"
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
