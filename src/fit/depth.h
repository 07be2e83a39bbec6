/* Whether cameras tell how far away a flight is.
 *
 * One view sees a small flight nearby as it sees a large one far off: gravity alone, or what is
 * known of the drag, tells the size. Where that leaves the distance from the camera, a, an sd of
 * more than 0.15 of it, the interval reaches from a third nearer to a third further, and what the
 * problem's linear form says there is no longer true. The direction of the unknowns that the
 * distance moves along, with C their covariance,
 *   g = C a' / sqrt(a' C a'),   a' = the distance's partials,
 * is then one that the data do not identify, as those that no residual depends on: what takes most
 * of its variance from it is unidentified, and C of the others is as it was.
 */
#ifndef ARC_FIT_DEPTH_H
#define ARC_FIT_DEPTH_H

#include "fit/problem.h"
#include "solve/posterior.h"

typedef struct ArcDepth {
    bool is_unknown;
    double distance_m, sd_m; /* of the release from the nearest camera that has points */
    const bool *with;        /* (n_free) unidentified for that reason; NULL: none */
} ArcDepth;

/* Judges the posterior at values, and takes the direction out of it. */
ArcStatus arc_depth_judge(const ArcProblem *problem, const double *values, ArcArena *arena,
                          ArcPosterior *posterior, ArcDepth *depth, ArcError *err);

/* g (n), one sd along it, becomes a null direction: of the unknowns that it moves, `with` (n), the
 * covariance is what is left at a given distance; that of the others stays. ARC_MEMORY. */
ArcStatus arc_depth_take_out(ArcPosterior *posterior, const double *g, const bool *with,
                             ArcArena *arena, ArcError *err);

#endif
