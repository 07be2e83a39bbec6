/* Why an optimiser stopped. */
#ifndef ARCFIT_SOLVE_H
#define ARCFIT_SOLVE_H

#pragma GCC visibility push(default)

/* One row per reason: enumerator, the word in results, whether it counts as convergence. */
#define ARC_STOP_LIST(X)                                                                           \
    X(ARC_STOP_GRADIENT, "gradient", 1) /* no descent direction is left */                         \
    X(ARC_STOP_STEP, "step", 1)         /* the step is below the unknowns' rounding */             \
    X(ARC_STOP_COST, "cost", 1)         /* the model promises no further decrease */               \
    X(ARC_STOP_LIMIT, "limit", 0)       /* out of iterations */                                    \
    X(ARC_STOP_STALLED, "stalled", 0)   /* no step decreases the cost, promise above rounding */   \
    X(ARC_STOP_NON_FINITE, "non-finite", 0) /* residuals or partials are not finite */             \
    X(ARC_STOP_INTERRUPTED, "interrupted", 0)

typedef enum ArcStop {
#define ARC_X(name, text, converged) name,
    ARC_STOP_LIST(ARC_X)
#undef ARC_X
} ArcStop;

/* The word in results, for example "gradient". Never NULL. */
const char *arc_stop_text(ArcStop stop);

/* True for the reasons that count as convergence. */
int arc_stop_is_converged(ArcStop stop);

#pragma GCC visibility pop

#endif
