/* A monotone curve through knots: it rises where they rise, falls where they fall, turns at them
 * only, and is constant outside. Slopes at the knots are those of the monotone cubic (Fritsch and
 * Carlson, SIAM J. Numer. Anal. 17 (1980) 238; Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5
 * (1984) 300), at most twice the secant beside; between them it is of fifth degree and straight at
 * the knots, since a net follows a flight with steps in its second derivative badly: with cubics
 * the physics residual between the nodes stayed at 0.13 to 0.21 sigma_phys, so it is 0.03. */
#ifndef ARC_PHYSICS_CURVE_H
#define ARC_PHYSICS_CURVE_H

#include "arcfit/flight.h"

/* Value and slope at a place. */
typedef struct ArcCurvePoint {
    double y, slope;
} ArcCurvePoint;

/* curve->x and y hold n >= 2 knots, x rising; fills the slopes. The last slope is 0; the first too
 * where is_flat, else what the first three knots say. */
void arc_curve_set_slopes(ArcCurve *curve, bool is_flat);

/* NaN gives NaN. */
ArcCurvePoint arc_curve_at(const ArcCurve *curve, double x);

/* y / x and its slope of a curve whose first knot is (0, 0); x >= 0. */
ArcCurvePoint arc_curve_ratio_at(const ArcCurve *curve, double x);

#endif
