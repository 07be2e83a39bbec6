/* The swing that torque curves drive: from rest, forwards to the release, with its sensitivities.
 *
 *   theta'' = acceleration of the arm at begin + s (arm.h),   theta(0) = from, theta'(0) = 0
 * with columns by all parameters that the equations take: lengths, ball, masses, friction, torques.
 */
#ifndef ARC_AIM_DRIVEN_H
#define ARC_AIM_DRIVEN_H

#include "arcfit/arm.h"
#include "sim/simulator.h"

typedef struct ArcDriven {
    const ArcArm *arm; /* with a span; borrowed */
    double from_rad[ARC_ARM_MAX_JOINTS];
    int P, Q;                              /* columns of parameters, and with those of the start */
    int parameter[ARC_ARM_MAX_PARAMETERS]; /* of the arm, of each column */
    bool wanted[ARC_ARM_MAX_PARAMETERS];
    ArcSimulator *simulator;
    double *by_t, *by_p;                            /* scratch of one state */
    double *theta_rad, *omega_rad_s, *alpha_rad_s2; /* (n, J) of the last run */
    double *theta_q, *omega_q;                      /* (n, J, Q) of it, where it had partials */
} ArcDriven;

/* For runs of up to `most` times, in the arena. */
ArcStatus arc_driven_create(const ArcArm *arm, const double *from_rad, int most, ArcArena *arena,
                            ArcDriven **driven, ArcError *err);

/* The states at n ascending times since the begin; p (A). False where it cannot be followed. */
bool arc_driven_run(ArcDriven *driven, const double *p, int n, const double *s, bool partials);

/* by_p (A) += factor times one row (Q) of theta_q or omega_q. */
void arc_driven_add(const ArcDriven *driven, double factor, const double *row, double *by_p);

#endif
