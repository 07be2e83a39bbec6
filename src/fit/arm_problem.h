/* An arm in a problem: taken from the experiment, and where its poses begin. */
#ifndef ARC_FIT_ARM_PROBLEM_H
#define ARC_FIT_ARM_PROBLEM_H

#include "fit/problem.h"

/* The arm, whose parameters stand behind the release, within what makes sense of them and the
 * joints' limits. ARC_INPUT: bounds beyond the limits. */
ArcStatus arc_problem_take_arm(ArcProblem *problem, const ArcExperiment *experiment, ArcError *err);

/* Readings of the experiment, then of the capture; n_priors counts them. ARC_INPUT: of what is no
 * parameter, or tied. */
ArcStatus arc_problem_take_readings(ArcProblem *problem, const ArcExperiment *experiment,
                                    const ArcCapture *capture, ArcError *err);

/* The first reading of a parameter; NULL: none. */
const ArcProblemReading *arc_problem_reading(const ArcProblem *problem, int parameter);

/* What a reading says of its parameter by the starts of its encoder. */
double arc_problem_reading_start(const ArcProblem *problem, const ArcProblemReading *reading);

/* Starts of the joints' angles and rates from the release that stands in start, and the poses that
 * a fit is tried from (start_arm.c). A t0 of which nothing is known is sought where the flight
 * followed backwards meets the pose that was read off. ARC_MEMORY. */
ArcStatus arc_start_arm(ArcProblem *problem, ArcError *err);

/* Makes the list of the problem's poses, which all are its start as it is. ARC_MEMORY. */
ArcStatus arc_start_list(ArcProblem *problem, int n, ArcError *err);

/* The start as it is becomes a pose of the problem's list. */
void arc_start_keep(ArcProblem *problem, int pose);

/* The pose of the problem's list, from the second (1) on, as start (n_parameters). */
void arc_start_pose(const ArcProblem *problem, int pose, double *start);

/* chi2 of the angles that were read off, at theta (J) by the starts of the encoders. */
double arc_arm_against(const ArcProblem *problem, const double *theta);

/* Of chi2, 100 sd: a pose that something speaks against so is no start. */
#define ARC_ARM_AGAINST 1e4

/* Whether the pose of values (n_parameters) comes before that of others, which the data do not tell
 * from it. */
bool arc_arm_prefers(const ArcProblem *problem, const double *values, const double *others);

/* Whether angles and rates (J each) are within the bounds and the limits of the joints. */
bool arc_arm_is_within(const ArcProblem *problem, const double *theta, const double *omega);

/* The same with some slack, in which a start may lie. */
bool arc_arm_may_begin(const ArcProblem *problem, const double *theta, const double *omega);

/* Largest difference of two poses' angles, each within half a turn. */
double arc_arm_apart(const ArcProblem *problem, const double *one, const double *other);

#endif
