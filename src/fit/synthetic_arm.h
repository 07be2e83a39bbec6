/* What an arm adds to a synthetic capture: the release, its swing, readings. */
#ifndef ARC_FIT_SYNTHETIC_ARM_H
#define ARC_FIT_SYNTHETIC_ARM_H

#include "arcfit/capture.h"
#include "arcfit/experiment.h"
#include "fit/noise.h"

/* Release position and velocity among values (n_parameters) by the arm's; nothing without one. */
void arc_synthetic_arm_tie(const ArcExperiment *experiment, double *values);

/* Gives capture, which the caller has just made, the swing and readings that settings ask for, in
 * its arena. ARC_INPUT: no arm, no sigma, a reading of no parameter; ARC_NUMERIC where the arm's
 * motion cannot be followed back. */
ArcStatus arc_synthetic_arm_add(const ArcExperiment *experiment,
                                const ArcSimulateSettings *settings, const double *values,
                                ArcCapture *capture, ArcError *err);

#endif
