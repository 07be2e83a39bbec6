/* What the data say of the outer unknowns: covariance and null directions.
 *
 * From the triangular factor T (eliminate.h): with columns scaled to norm one, T S = U diag(w) V',
 * covariance = S V diag(1/w^2) V' S over the singular values above null_share times the largest.
 * The other columns of V are null directions: combinations that no residual depends on.
 */
#ifndef ARC_SOLVE_POSTERIOR_H
#define ARC_SOLVE_POSTERIOR_H

#include "base/arena.h"

#include <stdbool.h>

/* An unknown takes part in a null direction from this component on. */
#define ARC_POSTERIOR_PART 1e-3

typedef struct ArcPosterior {
    int n;
    double *covariance; /* (n, n), the pseudo-inverse */
    bool *identified;   /* (n) */
    int n_null;
    double *null;  /* (n_null, n) row-major, in scaled unknowns, unit length */
    double *scale; /* (n): unscaled = scale * scaled */
} ArcPosterior;

/* T (n, n) column-major upper triangular. Lives in the arena. ARC_NUMERIC where T is not finite. */
ArcStatus arc_posterior_create(int n, const double *T, ArcArena *arena, ArcPosterior *posterior,
                               ArcError *err);

/* The same by scales (n) of the unknowns' effects instead of T's own columns, of which elimination
 * of others may have left next to nothing: a direction is null where less than null_share of such
 * an effect is left. scale 0: no effect. */
ArcStatus arc_posterior_create_scaled(int n, const double *T, const double *scale, ArcArena *arena,
                                      ArcPosterior *posterior, ArcError *err);

#endif
