/* Gravity: as parameters of a flight, and that of a place on earth.
 *
 * Of size G, upwards e, turned by the level rotation vector q, what buoyancy and inertia leave of
 * it being c (flight.h):
 *
 *   g = -c G (cos|q| e + sinc|q| q x e),   sinc y = sin y / y
 *   dg/dq_k = -c G (-sinc|q| q_k e + q_k (sinc'|q| / |q|) q x e + sinc|q| e_k x e)
 *
 * Normal gravity of WGS 84 at geodetic latitude phi and height h above the ellipsoid:
 *
 *   g0 = 9.7803253359 (1 + k sin^2 phi) / sqrt(1 - e2 sin^2 phi)           (Somigliana)
 *   g  = g0 (1 - 2 (1 + f + m - 2 f sin^2 phi) h / a + 3 (h / a)^2)
 *
 * Source: NGA.STND.0036_1.0.0_WGS84 (2014), chapter 4.
 */
#include "physics/gravity.h"

#include "physics/laws.h"

#include <math.h>

/* Below this tilt the series of sinc and its slope are exact to rounding. */
static const double small_tilt_rad = 1e-2;

void arc_gravity_add(ArcFlight *flight)
{
    const ArcFlightSettings *settings = &flight->settings;
    const ArcParameterInfo *tilts = arc_tilt_parameters(settings->dimensions)->infos;
    flight->gravity_index = flight->n_parameters;
    if (settings->has_gravity) {
        ArcParameterInfo *row = &flight->parameters[flight->n_parameters++];
        *row = arc_gravity_parameters()->infos[0];
        row->value = settings->gravity_m_s2;
    }
    for (int e = 0; e < 3; e++)
        if (settings->has_tilt[e])
            flight->parameters[flight->n_parameters++] = tilts[settings->dimensions == 2 ? 0 : e];
    flight->n_gravity = flight->n_parameters - flight->gravity_index;
}

/* e_k x e_up, added to m with the given factor. */
static void add_cross(int k, int up, double factor, double m[3])
{
    if (k != up)
        m[3 - k - up] += (up - k + 3) % 3 == 1 ? factor : -factor;
}

void arc_gravity_vector(const ArcFlight *flight, const double *p, double *g, double *g_p)
{
    const ArcFlightSettings *settings = &flight->settings;
    int up = settings->up, n = flight->n_gravity, k = 0;
    p += flight->gravity_index;
    double size = settings->has_gravity ? p[k++] : settings->gravity_m_s2;
    double q[3] = {0}, m[3] = {0}, weight = -flight->gravity_share * size;
    for (int e = 0; e < 3; e++) {
        q[e] = settings->has_tilt[e] ? p[k++] : 0;
        add_cross(e, up, q[e], m);
    }
    double y2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2], y = sqrt(y2);
    bool is_small = y < small_tilt_rad;
    double sinc = is_small ? 1 - y2 / 6 * (1 - y2 / 20 * (1 - y2 / 42)) : sin(y) / y;
    double slope =
        is_small ? -1.0 / 3 + y2 / 30 * (1 - y2 / 28 * (1 - y2 / 54)) : (cos(y) - sinc) / y2;
    double unit[3] = {sinc * m[0], sinc * m[1], sinc * m[2]};
    unit[up] += cos(y);
    for (int e = 0; e < 3; e++)
        g[e] = weight * unit[e];
    if (g_p == NULL)
        return;
    k = 0;
    for (int e = 0; e < 3 && settings->has_gravity; e++)
        g_p[e * n] = -flight->gravity_share * unit[e];
    k = settings->has_gravity;
    for (int axis = 0; axis < 3; axis++) {
        if (!settings->has_tilt[axis])
            continue;
        double column[3];
        for (int e = 0; e < 3; e++)
            column[e] = q[axis] * slope * m[e];
        column[up] -= sinc * q[axis];
        add_cross(axis, up, sinc, column);
        for (int e = 0; e < 3; e++)
            g_p[e * n + k] = weight * column[e];
        k++;
    }
}

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
