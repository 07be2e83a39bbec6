/* A cart driven by a wheel whose tyre slips.
 *
 *   position' = speed
 *   speed'    = F / mass - rolling tanh(speed / V)
 *   wheel'    = (torque (1 - exp(-t / rise)) - radius F - bearing wheel) / inertia
 *   F = grip mass g sin(shape atan(stiffness slip))            the tyre's curve
 *   slip = (radius wheel - speed) / sqrt(speed^2 + V^2),  V = 1 m/s
 * The curve rises with the slip, has a maximum, and falls off where the wheel spins. H. B. Pacejka
 * and E. Bakker, Veh. Syst. Dyn. 21 (1992) 1; V keeps the slip smooth at rest.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"position", "m", "along the track", 0, -1000, 1000},
    {"speed", "m/s", "of the cart", 0.5, -50, 50},
    {"wheel", "rad/s", "rotation of the wheel", 5, -500, 500},
};

enum { MASS, RADIUS, INERTIA, TORQUE, RISE, BEARING, GRIP, STIFFNESS, SHAPE, ROLLING };

static const ArcModelQuantity parameters[] = {
    [MASS] = {"mass", "kg", "of the cart", 10, 0.1, 1000},
    [RADIUS] = {"radius", "m", "of the wheel", 0.1, 0.01, 1},
    [INERTIA] = {"inertia", "kg m^2", "of the wheel", 0.05, 0.001, 10},
    [TORQUE] = {"torque", "N m", "of the motor", 7, -200, 200},
    [RISE] = {"rise", "s", "time in which the torque comes", 0.3, 0.01, 10},
    [BEARING] = {"bearing", "N m s", "friction of the wheel's bearing", 0.01, 0, 10},
    [GRIP] = {"grip", "1", "largest friction over weight", 0.7, 0.01, 3},
    [STIFFNESS] = {"stiffness", "1", "of the tyre's curve", 8, 0.1, 60},
    [SHAPE] = {"shape", "1", "of the tyre's curve; above 1 it falls off", 1.5, 0.5, 2.5},
    [ROLLING] = {"rolling", "m/s^2", "resistance", 0.15, 0, 5},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    const double V = 1, g = 9.80665;
    real speed = x[1], wheel = x[2];
    real slip = (p[RADIUS] * wheel - speed) / sqrt(speed * speed + V * V);
    real force = p[GRIP] * p[MASS] * g * sin(p[SHAPE] * atan(p[STIFFNESS] * slip));
    real torque = p[TORQUE] * (1 - exp(-t / p[RISE]));
    f[0] = speed;
    f[1] = force / p[MASS] - p[ROLLING] * tanh(speed / V);
    f[2] = (torque - p[RADIUS] * force - p[BEARING] * wheel) / p[INERTIA];
}

ARC_MODEL("cart", "a cart on a tyre that slips", 1, states, parameters, rates, NULL)
