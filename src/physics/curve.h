/* A monotone cubic through knots (Fritsch and Carlson, SIAM J. Numer. Anal. 17 (1980) 238, with the
 * slopes of Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300): it rises where the knots
 * rise, falls where they fall, and has one slope everywhere. Constant outside its knots. */
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
