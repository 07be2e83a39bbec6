/* What a sensor does to points beside noise, in one vocabulary for fits (`capture.sensor`) and
 * synthetic captures (`simulate.noise`).
 *
 * A number y of axis c is stated at the time t:
 *
 *   y = round_q(h_c(x(t - latency)) + bias_c + sigma z)
 *
 * round_q rounds to the nearest multiple of q. Of what is not known beforehand the standard
 * deviation is given: bias_c ~ N(0, bias^2), one of each axis, and latency ~ N(mean, sd^2), one of
 * each camera; all are drawn once a capture. Gauss is the sigma, dropout `dropped`, and
 * quantisation `rounding` under `simulate.noise`, where they are older than this word.
 *
 * A fit takes rounding for noise of its own variance, sigma^2 + q^2 / 12 (Widrow and Kollar,
 * Quantization Noise, 2008: right to within 1 % from sigma = q / 2 on), and bias and latency for
 * parameters of the measurement with these priors: bias_x, bias_y, bias_z of positions in metres,
 * bias_u and bias_v of a camera, and latency, which is fixed where it has no sd.
 */
#ifndef ARCFIT_SENSOR_H
#define ARCFIT_SENSOR_H

#include "arcfit/error.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

/* NaN: none. Of positions in metres the one, of cameras the other. */
typedef struct ArcSensor {
    ArcPlace place; /* in the experiment; its file is NULL where there is none */
    double quantisation_m, quantisation_px;
    double bias_m, bias_px;
    double latency_s, latency_sd_s;
} ArcSensor;

ArcSensor arc_sensor_default(void);

/* What a sigma is with the quantisation q (NaN: none) in it. */
double arc_sensor_sigma(double sigma, double q);

#pragma GCC visibility pop

#endif
