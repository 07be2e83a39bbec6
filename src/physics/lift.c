/* Sawicki, Hubbard and Stronge (Am. J. Phys. 71 (2003) 1152): CL = 1.5 S up to S = 0.1, then
 * 0.09 + 0.6 S. The corner is rounded between S = 0.08 and 0.12, so that slope and curvature are
 * continuous too: with z = (S - 0.1) / 0.02,
 *
 *   CL = 1.5 S - 0.9 h,   h = 0.02 (3 + 8 z + 6 z^2 - z^4) / 16 for |z| < 1
 *
 * h being 0 before and S - 0.1 behind. CL is at most 0.0034 (at S = 0.1) below the law's.
 */
#include "physics/lift.h"

#include "physics/curve.h"

static const double corner = 0.1, half_width = 0.02;

static ArcLiftShape lift_sawicki(double S)
{
    if (S <= corner - half_width)
        return (ArcLiftShape){1.5, 0, 1.5};
    double z = (S - corner) / half_width, bend = S - corner, bend_slope = 1;
    if (z < 1) {
        bend = half_width * (3 + z * (8 + z * (6 - z * z))) / 16;
        bend_slope = (8 + z * (12 - 4 * z * z)) / 16;
    }
    return (ArcLiftShape){1.5 - 0.9 * bend / S, -0.9 * (bend_slope - bend / S) / S,
                          1.5 - 0.9 * bend_slope};
}

ArcLiftShape arc_lift_shape(const ArcFlight *flight, double S)
{
    if (flight->settings.lift == ARC_LIFT_SAWICKI)
        return lift_sawicki(S);
    ArcCurvePoint at = arc_curve_ratio_at(&flight->lift_curve, S);
    return (ArcLiftShape){at.y, at.slope, arc_curve_at(&flight->lift_curve, S).slope};
}
