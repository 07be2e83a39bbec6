/* The best of the throws that hit, by numbers of the throw (goal.h).
 *
 * With z = (u, s) as in search.h and y the numbers,
 *   min  sum weight_i y_i(u)   over z,   x(s; u) = X,   least <= y(u) <= most
 * by sequential quadratic programming (solve/constrained.h). A throw that need not hit is
 *   min  sum weight_i y_i(u)   over u,   least <= y(u) <= most
 * where a limit m of the miss o counts as (|o|^2 - m^2) / (2 m), which is smooth. Without weights
 * it is the throw nearest to where the run begins that keeps the limits.
 */
#ifndef ARC_AIM_OPTIMISE_H
#define ARC_AIM_OPTIMISE_H

#include "aim/search.h"
#include "arcfit/belief.h"
#include "solve/constrained.h"

typedef enum ArcOptimiseWhat {
    ARC_OPTIMISE_NUMBERS,     /* their weighted sum */
    ARC_OPTIMISE_PROBABILITY, /* the chance of a hit, made large */
    ARC_OPTIMISE_NEAREST      /* half the square of the miss; it need not hit */
} ArcOptimiseWhat;

typedef struct ArcOptimiseTask {
    ArcOptimiseWhat what;
    double weight[ARC_N_AIM_NUMBERS], least[ARC_N_AIM_NUMBERS], most[ARC_N_AIM_NUMBERS];
    bool misses; /* it need not hit */
} ArcOptimiseTask;

typedef struct ArcOptimise ArcOptimise; /* scratch, in the arena */

/* Numbers of any throw, without limits. */
ArcOptimiseTask arc_optimise_task_default(void);

/* Within the search's bounds; search and belief (of the probability alone) are borrowed. */
ArcStatus arc_optimise_create(ArcSearch *search, const ArcBelief *belief, ArcArena *arena,
                              ArcOptimise **optimise, ArcError *err);

/* From thrown->z, in place. Value is the task's. Multipliers of the hit's d rows come first, by m.
 */
ArcConstrainedResult arc_optimise_run(ArcOptimise *optimise, const ArcOptimiseTask *task,
                                      ArcSearchThrow *thrown);

/* Whether it ended at a minimum, or so near that rounding hides the rest. */
bool arc_optimise_is_done(const ArcConstrainedResult *result);

/* From a throw that hits to the least of a sum in which the miss has a weight: it hits where what
 * it pulls at the ball is less than that weight, else the miss grows until it is not. */
ArcConstrainedResult arc_optimise_run_missing(ArcOptimise *optimise, const ArcOptimiseTask *task,
                                              ArcSearchThrow *thrown);

#endif
