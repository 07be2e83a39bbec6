/* Convection between plates as three modes: chaotic, so that a fit from a poor start is hard.
 *
 *   x' = sigma (y - x)          x  rolling of the air
 *   y' = x (rho - z) - y        y  difference of temperature between what rises and sinks
 *   z' = x y - beta z           z  distortion of the temperature's profile
 * sigma: viscosity over conduction (Prandtl number); rho: heating over where convection begins
 * (Rayleigh numbers); beta: shape of the rolls. All without dimension, but the time, which is
 * taken in seconds. E. N. Lorenz, J. Atmos. Sci. 20 (1963) 130.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"x", "1", "rolling of the air", -8, -100, 100},
    {"y", "1", "temperature, rising over sinking", 7, -100, 100},
    {"z", "1", "distortion of the profile", 27, -100, 200},
};

static const ArcModelQuantity parameters[] = {
    {"sigma", "1", "viscosity over conduction", 10, 0, 100},
    {"rho", "1", "heating over that where convection begins", 28, 0, 200},
    {"beta", "1", "shape of the rolls", 8.0 / 3, 0, 20},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    f[0] = p[0] * (x[1] - x[0]);
    f[1] = x[0] * (p[1] - x[2]) - x[1];
    f[2] = x[0] * x[1] - p[2] * x[2];
}

ARC_MODEL("lorenz", "convection as three modes, chaotic", 1, states, parameters, rates, NULL)
