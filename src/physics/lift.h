/* Laws of lift given by a curve CL(S) that no closed form of f in acceleration.c has. */
#ifndef ARC_PHYSICS_LIFT_H
#define ARC_PHYSICS_LIFT_H

#include "arcfit/flight.h"

/* CL / S, finite at S = 0, and its slope in S; the slope of CL itself. */
typedef struct ArcLiftShape {
    double ratio, slope, rise;
} ArcLiftShape;

/* Whether a law is given by its curve. */
static inline bool arc_lift_is_shape(ArcLift lift)
{
    return lift == ARC_LIFT_SAWICKI || lift == ARC_LIFT_TABLE;
}

/* Of those. S >= 0; NaN gives NaN. */
ArcLiftShape arc_lift_shape(const ArcFlight *flight, double S);

#endif
