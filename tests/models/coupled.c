/* Two coupled oscillators that are driven, so that rates depend on all there is. */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"a", "m", "place of the first", 1, -10, 10, 0.5, -10, 10},
    {"b", "rad", "angle of the second", -20, -100, 100, 3, -100, 100},
};

static const ArcModelQuantity parameters[] = {
    {"stiffness", "1/s^2", "of the first", 4, 0, 50},
    {"coupling", "1/s^2", "of both", 0.5, -5, 5},
    {"damping", "1/s", "of both", 0.2, 0, 5},
    {"drive", "m/s^2", "amplitude", 0.7, -5, 5},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    f[0] = -p[0] * x[0] + p[1] * sin(x[1]) - p[2] * v[0] * v[0] * v[0] + p[3] * cos(2 * t);
    f[1] = -2 * x[1] - p[1] * x[0] * v[0] - p[2] * v[1];
}

ARC_MODEL("coupled", "two oscillators", 2, states, parameters, rates, NULL)
