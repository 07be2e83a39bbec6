/* A drone that holds its height: a controller, motors that lag behind it, and a limit of thrust.
 *
 *   height' = climb
 *   climb'  = (thrust - drag climb) / mass - g
 *   thrust' = (command - thrust) / lag
 *   command = limit / 2 (1 + tanh(2 u / limit - 1)),  u = trim + stiffness (target - height)
 *                                                         - damping climb
 * The command is u itself in the middle of its range and bends smoothly into 0 and the limit.
 * R. Mahony, V. Kumar and P. Corke, IEEE Robot. Autom. Mag. 19(3) (2012) 20.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"height", "m", "above the ground", 0.2, -10, 100},
    {"climb", "m/s", "speed upwards", 0, -30, 30},
    {"thrust", "N", "of all motors", 11.8, 0, 200},
};

enum { MASS, DRAG, LAG, STIFFNESS, DAMPING, TARGET, TRIM, LIMIT, G };

static const ArcModelQuantity parameters[] = {
    [MASS] = {"mass", "kg", "of the drone", 1.2, 0.05, 50},
    [DRAG] = {"drag", "kg/s", "of the air, linear in the climb", 0.3, 0, 10},
    [LAG] = {"lag", "s", "of the motors", 0.12, 0.005, 2},
    [STIFFNESS] = {"stiffness", "N/m", "of the controller", 6, 0, 200},
    [DAMPING] = {"damping", "kg/s", "of the controller", 4, 0, 100},
    [TARGET] = {"target", "m", "height to hold", 2, -10, 100},
    [TRIM] = {"trim", "N", "thrust that the controller takes for hovering", 11.8, 0, 200},
    [LIMIT] = {"limit", "N", "of thrust", 24, 1, 400},
    [G] = {"g", "m/s^2", "gravity", 9.80665, 0, 30},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    real height = x[0], climb = x[1], thrust = x[2];
    real wanted = p[TRIM] + p[STIFFNESS] * (p[TARGET] - height) - p[DAMPING] * climb;
    real command = p[LIMIT] / 2 * (1 + tanh(2 * wanted / p[LIMIT] - 1));
    f[0] = climb;
    f[1] = (thrust - p[DRAG] * climb) / p[MASS] - p[G];
    f[2] = (command - thrust) / p[LAG];
}

ARC_MODEL("drone", "height control of a drone whose motors lag", 1, states, parameters, rates, NULL)
