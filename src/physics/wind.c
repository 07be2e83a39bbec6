/* wind = velocity P(z) + gust exp(-((t - time) / width)^2 / 2), z = (x_up - ground) / height.
 *
 * P = z^n with the exponent n of the power law. Its slope grows beyond all bounds at the ground, so
 * below z = 0.01 a cubic with the same value and slope there takes over, flat and zero at the
 * ground: P = 0.01^n y^2 (3 - n - (2 - n) y), y = z / 0.01. Below the ground P is 0.
 */
#include "physics/wind.h"

#include <math.h>

static const double lowest = 0.01;

/* P and dP/dz. */
static void wind_profile(double z, double exponent, double *value, double *slope)
{
    if (z >= lowest) {
        *value = pow(z, exponent);
        *slope = exponent * *value / z;
    } else if (z > 0) {
        double y = z / lowest, size = pow(lowest, exponent);
        *value = size * y * y * (3 - exponent - (2 - exponent) * y);
        *slope = size * y * (2 * (3 - exponent) - 3 * (2 - exponent) * y) / lowest;
    } else {
        *value = *slope = 0 * z; /* not finite where z is not */
    }
}

ArcWindAt arc_wind_at(const ArcFlightSettings *settings, double t_s, const double *x_m)
{
    const ArcShear *shear = &settings->shear;
    const ArcGust *gust = &settings->gust;
    double value = 1, slope = 0, pulse = 0;
    ArcWindAt wind;
    if (shear->is_on) {
        double z = (x_m[settings->up] - shear->ground_m) / shear->height_m;
        wind_profile(z, shear->exponent, &value, &slope);
        slope /= shear->height_m;
    }
    if (gust->is_on) {
        double z = (t_s - gust->time_s) / gust->width_s;
        pulse = exp(-0.5 * z * z);
    }
    for (int e = 0; e < 3; e++) {
        wind.velocity_m_s[e] = settings->wind_m_s[e] * value + gust->velocity_m_s[e] * pulse;
        wind.by_height_1_s[e] = settings->wind_m_s[e] * slope;
    }
    return wind;
}
