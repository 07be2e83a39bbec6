/* An ArcFit made of what a method found; shared by fits of one flight and of several. */
#ifndef ARC_FIT_FILL_H
#define ARC_FIT_FILL_H

#include "fit/spread.h"

/* Fills fit, whose arena and method are set, from the outcome of problem and its covariance. */
ArcStatus arc_fit_fill(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                       const ArcSpreadFound *found, ArcError *err);

/* The null directions of a posterior as groups of estimates, of which place (n) is each unknown's;
 * fit's arena is set. Directions that have no unknown in common are told apart. ARC_MEMORY. */
ArcStatus arc_fit_name_unidentified(ArcFit *fit, const ArcPosterior *posterior, const int *place,
                                    ArcError *err);

/* The first group that estimate i takes part in, -1 where the data identify it. */
int arc_fit_group_of(const ArcFit *fit, int i);

/* A clock that is never set, for wall_s. */
double arc_fit_seconds_now(void);

#endif
