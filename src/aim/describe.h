/* A throw as people tell it, and the units that they read its numbers in. Reports alone use these:
 * all else is SI.
 */
#ifndef ARC_AIM_DESCRIBE_H
#define ARC_AIM_DESCRIBE_H

#include "arcfit/aim.h"

/* The release by its velocity; spin: the flight's only one, in space the length of its vector. NaN:
 * it has none. */
typedef struct ArcAimRelease {
    double speed_m_s, angle_rad, azimuth_rad, spin_rad_s;
} ArcAimRelease;

void arc_aim_describe(const ArcAim *aim, const ArcAimSolution *solution, ArcAimRelease *release);

/* What of the joints' limits a throw of an arm does not keep; all zero without an arm. */
typedef struct ArcAimOvers {
    double angle_rad[ARC_ARM_MAX_JOINTS]; /* above the high limit > 0, below the low one < 0 */
    double rate[ARC_ARM_MAX_JOINTS];      /* over its limit, as a share of that */
    bool is_within;
} ArcAimOvers;

void arc_aim_describe_overs(const ArcAim *aim, const ArcAimSolution *solution, ArcAimOvers *overs);

/* Joints of the arm, 0 without; the first of its parameters among all. */
int arc_aim_joints(const ArcAim *aim);
int arc_aim_arm_parameter(const ArcAim *aim, int index);

/* A unit that people read: value in it = factor * value in SI. step (SI): a usable change of it. */
typedef struct ArcAimUnit {
    const char *name;
    double factor, step;
} ArcAimUnit;

ArcAimUnit arc_aim_number_unit_read(int number);
ArcAimUnit arc_aim_parameter_unit_read(const ArcAim *aim, int i);

/* "point", "hoop", ..: a kind of goal in files. */
const char *arc_aim_goal_name(ArcGoalKind kind);

/* "release speed", "entry angle", ..: what a number is called in words. */
const char *arc_aim_number_words(int number);

/* Speed of a velocity, and its angles above level and in the plane of the others. */
double arc_aim_split(int dimensions, int up, const double *v, double *above, double *azimuth);

#endif
