/* Accelerations of an arm in the plane, several times as fast as those of any arm. Private to this
 * folder. */
#ifndef ARC_PHYSICS_ARM_PLANE_H
#define ARC_PHYSICS_ARM_PLANE_H

#include "arcfit/arm.h"

/* As arc_arm_acceleration of the state-th state, of an arm of two dimensions, whose joints are all
 * pitches. */
void arc_arm_plane_state(const ArcArm *arm, int state, const double *t_s, const double *theta,
                         const double *omega, const double *p, const ArcArmRates *rates);

#endif
