/* A thrown ball in the plane, y up: the flight of `flight: {drag: lumped, lift: lumped}` as a
 * plug-in, to compare own equations with what is built in.
 *
 *   x'' = -k |v| x' + s spin y'
 *   y'' = -k |v| y' - s spin x' - g
 * k: drag, air's density times front area times drag coefficient over twice the mass; s: lift
 * (Magnus); spin: topspin is positive. R. D. Mehta, Annu. Rev. Fluid Mech. 17 (1985) 151.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"x", "m", "to the right", 0, -1000, 1000, 10, -200, 200},
    {"y", "m", "up", 2, -1000, 1000, 10, -200, 200},
};

static const ArcModelQuantity parameters[] = {
    {"k", "1/m", "drag", 0.01, 0, 1},
    {"s", "1", "lift", 0, -1, 1},
    {"spin", "rad/s", "topspin positive", 0, -1000, 1000},
    {"g", "m/s^2", "gravity", 9.80665, 0, 30},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    real drag = p[0] * sqrt(v[0] * v[0] + v[1] * v[1]), lift = p[1] * p[2];
    f[0] = -drag * v[0] + lift * v[1];
    f[1] = -drag * v[1] - lift * v[0] - p[3];
}

ARC_MODEL("ball", "a thrown ball with drag and lift", 2, states, parameters, rates, NULL)
