/* A sensor's settings, and what rounding adds to a sigma. */
#include "arcfit/sensor.h"

#include <math.h>

ArcSensor arc_sensor_default(void)
{
    return (ArcSensor){.quantisation_m = NAN,
                       .quantisation_px = NAN,
                       .bias_m = NAN,
                       .bias_px = NAN,
                       .latency_s = NAN,
                       .latency_sd_s = NAN};
}

double arc_sensor_sigma(double sigma, double q)
{
    return isnan(q) ? sigma : sqrt(sigma * sigma + q * q / 12.0);
}
