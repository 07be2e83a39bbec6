/* Derived numbers of a fit: release speed and direction, apex, flight time. */
#ifndef ARC_FIT_DERIVED_H
#define ARC_FIT_DERIVED_H

#include "fit/problem.h"

/* Fills fit->derived, after its parameters and covariance:
 *   release_speed m/s, release_angle rad, release_azimuth rad (space only)
 *   apex_time s after t0, apex_height m; flight_time s until the ball is back at release height:
 *   these by flying the estimate, and left out where the ball does not rise or come back;
 *   then those of the experiment's targets (derived_targets.c), with a remark where one is not met.
 */
ArcStatus arc_fit_derive(ArcFit *fit, const ArcProblem *problem, const double *values,
                         ArcError *err);

#endif
