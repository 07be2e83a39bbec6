/* A problem with a closure (model/closure.h) in its equations, whose weights are unknowns too.
 *
 * The K weights have no names: their values stand behind the n_parameters named ones, as unknowns
 * they come behind the n_free, and their columns of partials are the last of the P by which the
 * accelerations are known. So all that goes by names stays as it was. Frozen, the closure's force
 * is there and its weights are taken from the values, but none of them is an unknown: K = 0.
 */
#ifndef ARC_FIT_CLOSED_H
#define ARC_FIT_CLOSED_H

#include "fit/phase.h"
#include "model/closure.h"

/* What a closure is added to. */
typedef struct ArcClosed {
    const ArcFlight *flight; /* NULL: own equations */
    const ArcClosure *closure;
    int D, P;           /* coordinates; columns of partials without the weights' */
    int K;              /* weights among the columns: the closure's, or 0 where it is frozen */
    const double *size; /* of a phase's coordinates (phase.h); NULL: 1 */
    bool is_integral;
} ArcClosed;

/* The problem's equations with a closure, its own or another one. */
ArcClosed arc_problem_closed(const ArcProblem *problem, const ArcClosure *closure, bool is_frozen);

/* Adds the closure with weights w to accelerations that stand in states without it. Of a_p, which
 * has room for (n, D, P + K), what stands there is (n, D, P) and becomes (n, D, P + K) where
 * is_compact, else it has its place already. p: parameters of the flight. Pointers to partials in
 * states may be NULL one by one. */
void arc_closed_add(const ArcClosed *closed, const double *p, const double *w, bool is_compact,
                    const ArcPhaseStates *states);

/* Inputs z (n, I) in SI that the settings ask for, at the states. */
void arc_closed_inputs(const ArcClosed *closed, const ArcClosureSettings *settings, const double *p,
                       const ArcPhaseStates *states, double *z);

/* Refuses what a closure cannot be together with: cameras, bounces, an arm. */
ArcStatus arc_closed_check(const ArcProblem *problem, ArcPlace place, ArcError *err);

/* The problem gets the closure, with weights (K, nullable: zero) as their starts; is_frozen: not as
 * unknowns. It is to be a copy of one without; its new arrays are in the arena. ARC_MEMORY. */
ArcStatus arc_problem_close(ArcProblem *problem, const ArcClosure *closure, const double *weights,
                            bool is_frozen, ArcArena *arena, ArcError *err);

/* Numbers among the values, unknowns: named ones and weights. */
int arc_problem_n_values(const ArcProblem *problem);
int arc_problem_n_unknowns(const ArcProblem *problem);

/* Unknowns u (n_free + K) from the values. */
void arc_problem_gather(const ArcProblem *problem, const double *values, double *u);

#endif
