/* An ArcFit made of what a method found; shared by fits of one flight and of several. */
#ifndef ARC_FIT_FILL_H
#define ARC_FIT_FILL_H

#include "fit/spread.h"

/* Fills fit, whose arena and method are set, from the outcome of problem and its covariance. */
ArcStatus arc_fit_fill(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                       const ArcSpreadFound *found, ArcError *err);

/* Null directions (n_null, n) taken apart where they have no unknown in common, in place. */
void arc_fit_separate(int n_null, int n, double *directions);

#endif
