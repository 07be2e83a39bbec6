/* Synthetic captures of own equations (arcfit/simulate.h). */
#ifndef ARC_FIT_SYNTHETIC_SYSTEM_H
#define ARC_FIT_SYNTHETIC_SYSTEM_H

#include "arcfit/simulate.h"
#include "base/text.h"

/* Runs the truth (values) at n ascending times. ARC_INPUT: a channel that is seen without sigma,
 * noise that is a ball's; ARC_NUMERIC where the equations cannot be followed. */
ArcStatus arc_synthetic_system(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                               const double *values, int n, const double *t_s, ArcCapture **capture,
                               ArcError *err);

/* "noise" and the like of the channels' rounding, behind separator; false: there is none. */
bool arc_synthetic_rounding_text(const ArcExperiment *experiment,
                                 const ArcSimulateSettings *settings, const char *separator,
                                 ArcText *out);

#endif
