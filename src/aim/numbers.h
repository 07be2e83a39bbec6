/* The numbers of a throw (goal.h) with their gradients by all parameters.
 *
 * At the goal, with o = x - X over the axes that lie in it (all of a point), v, its upward part u
 * and its level part of size l:
 *   miss         |o|
 *   entry angle  atan2(-u, l)
 *   entry speed  |v|
 *   time         of the goal
 *   height       the largest of release, goal and the tops between them: those where the flight
 *                first turns down
 *   speed        |v0| of the release
 *   energy       m v0^2 / 2
 *   clearance    aim/clearance.h
 *   peak torque  aim/torques.h
 */
#ifndef ARC_AIM_NUMBERS_H
#define ARC_AIM_NUMBERS_H

#include "aim/shot.h"

/* A throw with all its numbers. */
typedef struct ArcShotNumbers {
    double value[ARC_N_AIM_NUMBERS]; /* NaN: not asked for, or without a meaning here */
    double by[ARC_N_AIM_NUMBERS][ARC_MAX_PARAMETERS];
    double offset_m[3]; /* at the goal; 0 along an axis across it */
    double by_offset[3][ARC_MAX_PARAMETERS];
    ArcShotState goal;
} ArcShotNumbers;

/* wanted: a bit each, 1 << ArcAimNumber; offset and goal come always. False where the goal is not
 * met or a wanted number cannot be had. A miss of 0 has the gradient 0. */
bool arc_shot_numbers(ArcShot *shot, const double *values, unsigned wanted, bool partials,
                      ArcShotNumbers *numbers);

/* The same where it is known near which time the goal is met (arc_shot_meet_near). */
bool arc_shot_numbers_near(ArcShot *shot, const double *values, double time_s, unsigned wanted,
                           bool partials, ArcShotNumbers *numbers);

/* Of the release alone: speed and energy, without a flight to the goal. */
bool arc_shot_release_numbers(ArcShot *shot, const double *values, bool partials,
                              ArcShotNumbers *numbers);

/* Which axes lie in the goal: of a point all, of a hoop the level ones, of an area those along it.
 */
bool arc_goal_has_axis(const ArcGoal *goal, int up, int axis);

/* x_m less the goal's place along these axes, 0 along others; x_m has the flight's dimensions. */
void arc_goal_offset(const ArcExperiment *experiment, const double *x_m, double offset_m[3]);

/* Of the ball, 0 without one; within which a point is hit: the ball's, without one 1 cm. */
double arc_goal_ball_radius(const ArcExperiment *experiment);
double arc_goal_point_radius(const ArcExperiment *experiment);

#endif
