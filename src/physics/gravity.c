/* Normal gravity of WGS 84 at geodetic latitude phi and height h above the ellipsoid:
 *
 *   g0 = 9.7803253359 (1 + k sin^2 phi) / sqrt(1 - e2 sin^2 phi)           (Somigliana)
 *   g  = g0 (1 - 2 (1 + f + m - 2 f sin^2 phi) h / a + 3 (h / a)^2)
 *
 * Source: NGA.STND.0036_1.0.0_WGS84 (2014), chapter 4.
 */
#include "arcfit/flight.h"

#include <math.h>

ArcStatus arc_gravity_at(double latitude_rad, double height_m, double *gravity_m_s2, ArcError *err)
{
    if (!(fabs(latitude_rad) <= M_PI / 2))
        return arc_error_set(err, ARC_INPUT,
                             "latitude %g rad is outside -pi/2 to pi/2 (-90 to 90 deg)",
                             latitude_rad);
    if (!(height_m >= -1e3 && height_m <= 5e4))
        return arc_error_set(err, ARC_INPUT, "height %g m is outside -1000 to 50000 m", height_m);
    const double a = 6378137, f = 1 / 298.257223563, m = 3.449786506841e-3;
    double sin2 = sin(latitude_rad) * sin(latitude_rad), h = height_m / a;
    double g0 = 9.7803253359 * (1 + 1.931852652458e-3 * sin2) / sqrt(1 - 6.69437999014e-3 * sin2);
    *gravity_m_s2 = g0 * (1 - 2 * (1 + f + m - 2 * f * sin2) * h + 3 * h * h);
    return ARC_OK;
}
