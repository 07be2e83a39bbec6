/* The shank of somebody who sits, swung forward by the thigh's muscle.
 *
 *   theta'      = omega                       theta: of the shank, 0 hanging, forward positive
 *   inertia omega' = M a g(theta) h(omega) - weight sin theta - P(theta) - damping omega
 *   a'          = (e(t) - a) / activation     a: how active the muscle is, e: what it is told
 *   g = exp(-((theta - best) / breadth)^2)    torque by angle
 *   h = 1 - tanh(omega / shortening)          by speed: less the faster it shortens
 *   P = passive (exp(10 (theta - extended)) - exp(10 (flexed - theta)))   ends of the joint
 *   e = 1 between on and off, within 30 ms of each smoothly
 * Torque by angle and speed: M. A. King and M. R. Yeadon, J. Biomech. 35 (2002) 207; passive
 * exponentials: R. Riener and T. Edrich, J. Biomech. 32 (1999) 539; activation: F. E. Zajac, Crit.
 * Rev. Biomed. Eng. 17 (1989) 359.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"theta", "rad", "angle of the shank from hanging", 0, -2, 2},
    {"omega", "rad/s", "its rate", 0, -30, 30},
    {"active", "1", "activation of the muscle", 0.02, -0.5, 1.5},
};

enum {
    INERTIA,
    WEIGHT,
    DAMPING,
    TORQUE,
    BEST,
    BREADTH,
    SHORTENING,
    ACTIVATION,
    ON,
    OFF,
    PASSIVE,
    EXTENDED,
    FLEXED
};

static const ArcModelQuantity parameters[] = {
    [INERTIA] = {"inertia", "kg m^2", "of shank and foot about the knee", 0.4, 0.01, 5},
    [WEIGHT] = {"weight", "N m", "weight times lever", 10, 0.1, 100},
    [DAMPING] = {"damping", "N m s", "of the joint", 0.6, 0, 10},
    [TORQUE] = {"torque", "N m", "largest of the muscle", 25, 0, 500},
    [BEST] = {"best", "rad", "angle of the largest torque", 0.4, -2, 2},
    [BREADTH] = {"breadth", "rad", "of the torque's curve by angle", 0.9, 0.1, 5},
    [SHORTENING] = {"shortening", "rad/s", "rate that takes most of the torque", 14, 1, 60},
    [ACTIVATION] = {"activation", "s", "time constant", 0.06, 0.005, 0.5},
    [ON] = {"on", "s", "when the muscle is told to pull", 0.25, -5, 20},
    [OFF] = {"off", "s", "when it is told to rest", 0.6, -5, 20},
    [PASSIVE] = {"passive", "N m", "torque at the joint's ends", 2, 0, 50},
    [EXTENDED] = {"extended", "rad", "angle at the joint's end forward", 1.4, 0, 3},
    [FLEXED] = {"flexed", "rad", "and backward", -0.9, -3, 0},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    const double rise = 0.03, steep = 10;
    real theta = x[0], omega = x[1], active = x[2];
    real told = (tanh((t - p[ON]) / rise) - tanh((t - p[OFF]) / rise)) / 2;
    real away = (theta - p[BEST]) / p[BREADTH];
    real muscle = p[TORQUE] * active * exp(-away * away) * (1 - tanh(omega / p[SHORTENING]));
    real ends = exp(steep * (theta - p[EXTENDED])) - exp(steep * (p[FLEXED] - theta));
    real torque = muscle - p[WEIGHT] * sin(theta) - p[PASSIVE] * ends - p[DAMPING] * omega;
    f[0] = omega;
    f[1] = torque / p[INERTIA];
    f[2] = (told - active) / p[ACTIVATION];
}

ARC_MODEL("knee", "a shank swung by its muscle", 1, states, parameters, rates, NULL)
