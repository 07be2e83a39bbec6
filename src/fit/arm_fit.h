/* The arm's part of a fit (arcfit/arm_fit.h). */
#ifndef ARC_FIT_ARM_FIT_H
#define ARC_FIT_ARM_FIT_H

#include "fit/starts.h"

/* fit->readings by these values; ARC_MEMORY. */
ArcStatus arc_fit_fill_readings(ArcFit *fit, const ArcProblem *problem, const double *values,
                                ArcError *err);

/* Their sum of squares. */
double arc_problem_readings_chi2(const ArcProblem *problem, const double *values);

/* fit->arm with the tie at these values, as yet without solutions; nothing without an arm. The
 * estimates of what is tied need it. ARC_MEMORY. */
ArcStatus arc_fit_create_arm(ArcFit *fit, const ArcProblem *problem, const double *values,
                             ArcError *err);

/* Its solutions, that of the outcome first. starts: the fits from all poses; NULL: there was one
 * fit. */
void arc_fit_list_poses(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                        const ArcStarts *starts);

#endif
