/* The swing's part of a fit (arcfit/arm_fit.h). */
#ifndef ARC_FIT_SWING_FIT_H
#define ARC_FIT_SWING_FIT_H

#include "fit/method.h"

/* fit->arm->swing, after fit->arm; nothing without a swing. ARC_MEMORY. */
ArcStatus arc_fit_fill_swing(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                             ArcError *err);

#endif
