/* Several starts of one fit, in parallel, of which the best is kept.
 *
 * Start 0 is the problem as it is. The others draw another net (seed), and another beginning of
 * each free coefficient of the flight: from its prior, else within its bounds, else near its start.
 * An arm's other poses (start_arm.c) are further starts like the first.
 */
#ifndef ARC_FIT_STARTS_H
#define ARC_FIT_STARTS_H

#include "fit/method.h"

typedef struct ArcStarts ArcStarts;

/* Runs problem->starts fits and one for each further pose, one for a forecast; the best is the one
 * of lowest cost, of equal ones one that converged; interrupted where any start was. The same for
 * any number of threads. */
ArcStatus arc_starts_run(const ArcProblem *problem, ArcMethod method, const ArcFitOptions *options,
                         bool forecast, ArcStarts **starts, ArcError *err);

/* The best one's; lives as long as starts. */
const ArcOutcome *arc_starts_best(const ArcStarts *starts);

/* All of them, those of other poses last. */
int arc_starts_n(const ArcStarts *starts);
const ArcOutcome *arc_starts_outcome(const ArcStarts *starts, int i);

/* The problem that it solved: with the sigmas and the loss in force. */
const ArcProblem *arc_starts_problem(const ArcStarts *starts);

/* Counts, and the largest standard deviation of an estimate over the converged starts in units of
 * sd (n_free); 0 for one start. */
void arc_starts_spread(const ArcStarts *starts, const double *sd, int *n, int *n_converged,
                       double *spread_sd);

/* Accepts NULL. */
void arc_starts_free(ArcStarts *starts);

#endif
