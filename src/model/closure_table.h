/* What a closure has learned, as a table over its inputs.
 *
 * An output's value at inputs z is y(z) with the fitted weights, its variance j' C j with j = dy /
 * dw and the weights' covariance C.
 */
#ifndef ARC_MODEL_CLOSURE_TABLE_H
#define ARC_MODEL_CLOSURE_TABLE_H

#include "arcfit/equations.h"
#include "model/closure.h"

typedef struct ArcClosureLearned {
    const ArcClosure *closure;
    const ArcEquations *equations; /* own ones, for their names; NULL: a flight */
    const double *weights;         /* (K) */
    const double *covariance;      /* (K, K) */
    int n;                         /* inputs that the flights came by, */
    const double *flown;           /* (n, I) in SI, n > 0 */
} ArcClosureLearned;

/* In the arena. Where the data are (closure.h): of one input from the least to the largest; of two
 * the nodes over their box that a flight comes within half a width of, or a cell; of more at most
 * 201 of the points, evenly. */
ArcStatus arc_closure_tabulate(const ArcClosureLearned *learned, ArcArena *arena,
                               ArcClosureTable *table, ArcError *err);

#endif
