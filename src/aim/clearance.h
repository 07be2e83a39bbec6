/* How much room a throw leaves at its goal, with the gradient by all parameters.
 *
 * Hoop. In the half plane of the distance rho from the hoop's axis and the height h over its rim
 * the rim is the point (R, 0) and the path a curve; with (a, c) = (rho', h') where the curve comes
 * nearest to that point,
 *
 *   clearance = (c (rho - R) - a h) / |(a, c)| - r     at (rho - R) a + h c = 0,
 *
 * r the ball's radius (0 without one). The first term is the distance between the ball's centre and
 * the rim's circle with a sign, that of the side on which the path passes the rim: positive where
 * it comes down within the circle (or rises past it outside), negative where it comes down outside.
 * So the clearance is positive for a ball that passes clean, between 0 and -2 r for one that comes
 * down over the wire, and goes on falling with the miss; it runs smoothly through all of these. It
 * has a corner where front and back of the rim are equally near. A straight path in the plane has
 * (R - |o|) sin(entry angle) - r.
 *
 * By the parameters it varies with x at that time, since the time is that of a minimum:
 *
 *   d clearance = (c e_rho - a e_up) . dx / |(a, c)|
 *
 * Area: the least of half - |o| over its axes. Of a point it has no meaning: NaN.
 */
#ifndef ARC_AIM_CLEARANCE_H
#define ARC_AIM_CLEARANCE_H

#include "aim/numbers.h"

/* numbers: of the throw values, with goal and offset. value and, where partials are wanted, by (n).
 * Looked at is the path so near to the goal that it can come nearest to the rim there. False where
 * the flight cannot be followed. */
bool arc_clearance_find(ArcShot *shot, const double *values, const ArcShotNumbers *numbers,
                        bool partials, double *value, double *by);

#endif
