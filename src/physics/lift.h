/* Laws of lift given by a curve CL(S) that no closed form of f in acceleration.c has. */
#ifndef ARC_PHYSICS_LIFT_H
#define ARC_PHYSICS_LIFT_H

#include "arcfit/flight.h"

/* CL / S, finite at S = 0, and its slope in S; the slope of CL itself. */
typedef struct ArcLiftShape {
    double ratio, slope, rise;
} ArcLiftShape;

/* Of lift sawicki and table. S >= 0; NaN gives NaN. */
ArcLiftShape arc_lift_shape(const ArcFlight *flight, double S);

#endif
