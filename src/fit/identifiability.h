/* Identifiability of a fit from its posterior; the public header has the equations. */
#ifndef ARC_FIT_IDENTIFIABILITY_H
#define ARC_FIT_IDENTIFIABILITY_H

#include "arcfit/identifiability.h"
#include "fit/problem.h"
#include "solve/posterior.h"

/* Fills fit->identifiability, NULL where there is nothing to say. fit: with its parameters,
 * covariance and arena; place (n): of each unknown among the parameters; problem NULL: of what
 * several flights share. ARC_MEMORY. */
ArcStatus arc_fit_find_identifiability(ArcFit *fit, const ArcProblem *problem,
                                       const ArcPosterior *posterior, const int *place,
                                       ArcError *err);

#endif
