/* What a fit says at the capture's points, and how far these are from it. */
#ifndef ARC_FIT_RESIDUALS_H
#define ARC_FIT_RESIDUALS_H

#include "fit/method.h"

/* Why a fit that came to rest is none: its residuals have no sum, since a camera cannot see the
 * flight at one of its points. */
#define ARC_RESIDUALS_UNSEEN                                                                       \
    "its flight passes where not every fitted point can be seen, behind a camera or beyond its "   \
    "lens; check the calibration and the clocks, or give starts or bounds nearer to the flight"

/* The true time of the last used point, fitted or held out, by these values. */
double arc_residuals_last_used(const ArcProblem *problem, const double *values);

/* fit->predicted_m and, where there are cameras, predicted_px. ARC_MEMORY. */
ArcStatus arc_residuals_predict(ArcFit *fit, const ArcProblem *problem, const double *values,
                                const ArcTrajectory *trajectory, ArcError *err);

/* fit->residuals, after the predictions and fit->spread. Under a robust loss chi2 would tell of the
 * outliers alone, with an estimated sigma of nothing: then chi2_p is core_p, that of the bulk of
 * the points, or none (spread.h). ARC_MEMORY. */
ArcStatus arc_residuals_fill(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                             double core_p, ArcError *err);

/* How many numbers a camera (of metres: the last) has among the points held out that are scored,
 * after the predictions. */
int arc_residuals_n_held_out(const ArcFit *fit, const ArcProblem *problem, int camera);

#endif
