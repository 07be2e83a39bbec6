/* A basketball in the plane, y up, that flies through a draught: the world of gust.yaml, whose
 * flight does not know of the last term.
 *
 *   x'' = -k |v| x' + s spin y' + gust exp(-((x - gust_x)^2 + (y - gust_y)^2) / (2 gust_sd^2))
 *   y'' = -k |v| y' - s spin x' - g
 * k = density pi diameter^2 cd / (8 mass), as `drag: quadratic` has it; s and spin as `lift: lumped`
 * has them, topspin positive. R. D. Mehta, Annu. Rev. Fluid Mech. 17 (1985) 151.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"x", "m", "to the right", 0, -100, 100, 5, -50, 50},
    {"y", "m", "up", 2, -100, 100, 5, -50, 50},
};

static const ArcModelQuantity parameters[] = {
    {"cd", "1", "drag coefficient", 0.5, 0, 2},
    {"s", "1", "lift", 0.005, -1, 1},
    {"spin", "rad/s", "topspin positive", -15, -1000, 1000},
    {"g", "m/s^2", "gravity", 9.80665, 0, 30},
    {"gust", "m/s^2", "at its middle, to the right", 2, -100, 100},
    {"gust_sd", "m", "how far it reaches", 0.5, 0.01, 100},
    {"gust_x", "m", "where it is", 1.8, -100, 100},
    {"gust_y", "m", "where it is", 3.3, -100, 100},
    {"density", "kg/m^3", "of the air", 1.2, 0, 10},
    {"mass", "kg", "of the ball", 0.62, 0.001, 100},
    {"diameter", "m", "of the ball", 0.24, 0.001, 10},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    real k = p[8] * 3.14159265358979323846 * p[10] * p[10] * p[0] / (8 * p[9]);
    real drag = k * sqrt(v[0] * v[0] + v[1] * v[1]), lift = p[1] * p[2];
    real dx = x[0] - p[6], dy = x[1] - p[7];
    real gust = p[4] * exp(-(dx * dx + dy * dy) / (2 * p[5] * p[5]));
    f[0] = -drag * v[0] + lift * v[1] + gust;
    f[1] = -drag * v[1] - lift * v[0] - p[3];
}

ARC_MODEL("gusty ball", "a basketball that flies through a draught", 2, states, parameters, rates,
          NULL)
