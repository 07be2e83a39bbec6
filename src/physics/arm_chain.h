/* The arm's chain in its own axes (x level, z up, from the base): where its links are and what they
 * turn about, for kinematics and dynamics alike. Joint j (from 0) turns about the unit vector
 * axis[j] through o[j]; what lies behind it turns with W[j + 1]. */
#ifndef ARC_PHYSICS_ARM_CHAIN_H
#define ARC_PHYSICS_ARM_CHAIN_H

#include "arcfit/arm.h"

typedef struct ArcArmChain {
    double R[ARC_ARM_MAX_JOINTS + 1][9]; /* row-major; [0] of the base, its columns the axes */
    double o[ARC_ARM_MAX_JOINTS + 1][3]; /* ends of the links; [0] 0 */
    double axis[ARC_ARM_MAX_JOINTS][3];
    double W[ARC_ARM_MAX_JOINTS + 1][3];
} ArcArmChain;

static inline void arc_vector3_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Columns of R along which the ball's parameters count: along, across, side. */
extern const int arc_arm_ball_columns[3];

/* omega NULL: at rest. */
void arc_arm_chain_place(const ArcArm *arm, const double *p, const double *theta,
                         const double *omega, ArcArmChain *chain);

/* The ball from the end of the last link. */
void arc_arm_chain_ball(const ArcArm *arm, const double *p, const ArcArmChain *chain, double *x);

/* A vector of the arm's axes into rows of the capture's axes, and back (what is not there: 0). */
void arc_arm_chain_put(const ArcArm *arm, const double *from, double *to, size_t stride);
void arc_arm_chain_take(const ArcArm *arm, const double *from, double *to);

#endif
