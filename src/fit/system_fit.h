/* What a fit of own equations says (states.h): motion, predictions, residuals by channel. */
#ifndef ARC_FIT_SYSTEM_FIT_H
#define ARC_FIT_SYSTEM_FIT_H

#include "fit/method.h"

/* fit->position_m and the like, predicted_m, and the channels' names; before the residuals. Beyond
 * the fitted times the estimate is simulated. ARC_MEMORY. */
ArcStatus arc_system_fill_states(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                                 ArcError *err);

/* fit->states: residuals by channel, after fit->residuals and fit->spread. ARC_MEMORY. */
ArcStatus arc_system_fill_channels(ArcFit *fit, const ArcProblem *problem, ArcError *err);

/* The same of several runs together, from those of each. ARC_MEMORY. */
ArcStatus arc_system_join_channels(ArcFit *fit, ArcError *err);

/* The largest difference of two fits' states, in half of what the second's states range over; NaN
 * where they cannot be compared. */
double arc_system_distance(const ArcFit *a, const ArcFit *b);

#endif
