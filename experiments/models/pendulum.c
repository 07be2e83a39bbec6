/* A pendulum with friction in its bearing and drag of the air.
 *
 *   theta'' = -(g / L) sin theta - c theta' - k |theta'| theta'
 * theta: angle from hanging down; L: length to a point of the same period; c: friction as oil
 * has it; k: drag as the air's. R. A. Nelson and M. G. Olsson, Am. J. Phys. 54 (1986) 112.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"theta", "rad", "angle from hanging down", 0.5, -10, 10, 0, -50, 50},
};

static const ArcModelQuantity parameters[] = {
    {"length", "m", "to a point of the same period", 1, 0.01, 100},
    {"friction", "1/s", "of the bearing", 0.05, 0, 10},
    {"drag", "1", "of the air", 0.02, 0, 10},
    {"gravity", "m/s^2", "size", 9.80665, 0, 30},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    f[0] = -p[3] / p[0] * sin(x[0]) - p[1] * v[0] - p[2] * fabs(v[0]) * v[0];
}

ARC_MODEL("pendulum", "a pendulum with friction and drag", 2, states, parameters, rates, NULL)
