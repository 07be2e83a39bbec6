/* From the end of a fit to its covariance, intervals and outliers.
 *
 * gauss: C = inverse(J'J), intervals of 1.96 sd; Student's t with n - e degrees of freedom where
 * sigma is estimated (scale.h). Robust losses: the estimate is an M-estimate, with the covariance
 *   C = A^-1 B A^-1,   A = m J_o'J_o + J_x'J_x,   B = v J_o'J_o + J_x'J_x
 *   v = K^2 sum psi^2 / (n - e),   m = mean psi',   K = 1 + e / n var psi' / m^2
 * (Huber, Ann. Statist. 1 (1973) 799, equation 6.5, with rows x of priors and physics, whose
 * variance is their own), intervals by Student's t with n - e degrees of freedom.
 */
#ifndef ARC_FIT_SPREAD_H
#define ARC_FIT_SPREAD_H

#include "arcfit/spread.h"
#include "fit/method.h"
#include "solve/posterior.h"

/* What spread.h of the public headers says, and beside it what only the fit keeps. */
typedef struct ArcSpreadFound {
    ArcSpread spread;
    ArcPosterior posterior;
    double interval_factor; /* half a 95 % interval in sd */
    double chi2_p;          /* of the points that are believed; NaN where sigma is estimated */
} ArcSpreadFound;

/* problem: with sigmas and loss in force. Lives in arena. forecast: posterior and factor alone. */
ArcStatus arc_spread_find(const ArcProblem *problem, const ArcOutcome *outcome, bool forecast,
                          ArcArena *arena, ArcSpreadFound *found, ArcError *err);

#endif
