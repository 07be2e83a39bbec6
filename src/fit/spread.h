/* From the end of a fit to its covariance, intervals and outliers.
 *
 * gauss: C = inverse(J'J), intervals of 1.96 sd; Student's t with n - e degrees of freedom where
 * sigma is estimated (scale.h). Robust losses: the estimate is an M-estimate, with the covariance
 *   C = A^-1 B A^-1,   A = m J_o'J_o + J_x'J_x,   m = mean psi',
 *   B = sum_o (psi / (1 - h))^2 J_i J_i' + J_x'J_x
 * (o: observations, h their leverages in A; x: priors and physics, whose variance is 1): Huber's
 * sandwich with each residual as it would be without its own point, which is the jackknife's form
 * (MacKinnon and White, J. Econometrics 29 (1985) 305, "HC3"); intervals by Student's t with n - e
 * degrees of freedom. Of 3,000 captures of a flight in the plane with 10 % outliers under huber,
 * intervals covered so many per cent, a mean over five parameters:
 *   points                                                     12     30    100
 *   inverse(m J'J)                                            89.4   92.6   93.2
 *   psi^2                                                     84.8   92.4   94.0
 *   psi^2 / (1 - h)                                           91.0   94.2   94.6
 *   K^2 sum psi^2 / (n - e) for all (Huber 1973)              92.4   94.3   94.6
 *   psi^2 / (1 - h)^2                                         95.3   95.7   95.0
 */
#ifndef ARC_FIT_SPREAD_H
#define ARC_FIT_SPREAD_H

#include "arcfit/spread.h"
#include "fit/depth.h"
#include "fit/method.h"
#include "solve/posterior.h"

/* What spread.h of the public headers says, and beside it what only the fit keeps. */
typedef struct ArcSpreadFound {
    const double *sigma_sd; /* (n_sigmas) of the cameras' own factors; NULL: not found */
    ArcSpread spread;
    ArcPosterior posterior;
    ArcDepth depth;         /* who calls arc_depth_judge fills it */
    double interval_factor; /* half a 95 % interval in sd */
    double chi2_p;        /* robust: of the points near the flight; NaN where sigma is estimated */
    struct ArcRows *rows; /* the fit's, in scratch; NULL: not looked at, or not to be had */
} ArcSpreadFound;

/* sigma where all fitted numbers share it, NaN where they do not. *is_px: all are pixels. */
double arc_spread_common_sigma(const ArcProblem *problem, bool *is_px);

/* All but the outliers. problem: with sigmas and loss in force. Lives in arena. */
ArcStatus arc_spread_find(const ArcProblem *problem, const ArcOutcome *outcome, ArcArena *arena,
                          ArcArena *scratch, ArcSpreadFound *found, ArcError *err);

/* The outliers, with the same arenas. */
ArcStatus arc_spread_find_outliers(const ArcProblem *problem, const ArcOutcome *outcome,
                                   ArcArena *arena, ArcArena *scratch, ArcSpreadFound *found,
                                   ArcError *err);

#endif
