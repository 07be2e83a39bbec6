/* Several flights fitted together: parameters that they share are told by all of them.
 *
 * A free parameter is shared, each flight's own, or each flight's own from a normal population
 * whose mean and standard deviation are found too (ArcParameter.sharing). One sum of squares is
 * minimised, that of all flights; time and memory grow linearly with their number.
 */
#ifndef ARCFIT_JOINT_H
#define ARCFIT_JOINT_H

#include "arcfit/fit.h"

#pragma GCC visibility push(default)

typedef struct ArcJoint ArcJoint;

/* Joins the experiment with n captures, one a flight; keeps no pointer into them. const once made.
 * As arc_problem_create; its messages name the flight. ARC_INPUT also for what several flights do
 * not have: a robust loss, several starts, stages of the laws, a training other than linear,
 * `physics: auto`, profiles, bootstrap and sampling. */
ArcStatus arc_joint_create(const ArcExperiment *experiment, int n_flights,
                           const ArcCapture *const *captures, ArcJoint **joint, ArcError *err);

/* Accepts NULL. */
void arc_joint_free(ArcJoint *joint);

/* Fits all flights: fit->flights. A fit that does not converge or identify is still ARC_OK.
 * ARC_MEMORY. ARC_NUMERIC where a flight cannot be evaluated at the start, which is named. Of the
 * options progress counts. */
ArcStatus arc_joint_fit(const ArcJoint *joint, ArcMethod method, const ArcFitOptions *options,
                        ArcFit **fit, ArcError *err);

/* What the data can identify, judged at the start values without fitting. */
ArcStatus arc_joint_forecast(const ArcJoint *joint, ArcFit **fit, ArcError *err);

/* The flight of a joint fit that best shows what is wrong: the first with a parameter that the data
 * do not tell, else the first. */
int arc_joint_telling_flight(const ArcFit *fit);

#pragma GCC visibility pop

#endif
