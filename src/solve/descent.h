/* What the first-order optimisers (adam.h, lbfgs.h) share: the objective, the report of a step, and
 * the block that a checkpoint stores.
 *
 * Both walk down a scalar F(x) of n unknowns by its gradient, one call a step, so that the caller
 * may log, stop or store between any two steps.
 */
#ifndef ARC_SOLVE_DESCENT_H
#define ARC_SOLVE_DESCENT_H

#include "arcfit/solve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* F at x (n) to *f and its gradient to g (n). evaluate returns false where a result is not finite
 * or cannot be had; that point is then refused. A gradient whose squared norm overflows counts as
 * not finite too. */
typedef struct ArcScalarObjective {
    void *context;
    bool (*evaluate)(void *context, const double *x, double *f, double *g);
} ArcScalarObjective;

typedef struct ArcDescentReport {
    bool is_done;         /* no further step is of use, and stop says why */
    ArcStop stop;         /* of meaning where is_done */
    int64_t steps;        /* taken since the start, over restores */
    int evaluations;      /* of this call */
    double cost;          /* F; the optimiser's header says where */
    double gradient_norm; /* |g| there, before any clipping */
    double rate;          /* Adam: the schedule's; L-BFGS: the accepted multiple of the direction */
    bool is_wolfe;        /* L-BFGS: the accepted point meets both strong Wolfe conditions */
} ArcDescentReport;

/* All that an optimiser carries from step to step, borrowed from it. With it and x, restored into
 * an optimiser created alike, the walk goes on bit for bit. Every number is finite. */
typedef struct ArcDescentState {
    const double *values;
    size_t count;
} ArcDescentState;

#endif
