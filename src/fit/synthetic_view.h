/* Synthetic captures through cameras. */
#ifndef ARC_FIT_SYNTHETIC_VIEW_H
#define ARC_FIT_SYNTHETIC_VIEW_H

#include "arcfit/capture.h"
#include "arcfit/experiment.h"

/* Whether the experiment's captures are seen by cameras, or its measurement has parameters. */
bool arc_synthetic_has_view(const ArcExperiment *experiment);

/* What each camera sees of the flight of `values` at n times by its own clock: frames in which it
 * does not see the ball are left out, apparent radii made where they have a bias. The rest as
 * arc_simulate_capture (simulate.h). */
ArcStatus arc_synthetic_look(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                             const double *values, int n, const double *t_s, ArcCapture **capture,
                             ArcError *err);

#endif
