/* The finger of a gripper: a joint that closes on a compliant thing.
 *
 *   inertia theta'' = torque - damping theta' - radius F
 *   F = stiffness d (1 + loss d')          d: how deep the finger is pressed into the thing
 *   d = width softplus(radius (theta - touch) / width)
 * The contact comes and goes smoothly within a few widths of touching: softplus(z) = ln(1 + e^z).
 * K. H. Hunt and F. R. E. Crossley, J. Appl. Mech. 42 (1975) 440: damping grows with the depth, so
 * that no force jumps; here for a flat face, whose force is linear in d.
 */
#include <arcfit/model.h>

static const ArcModelQuantity states[] = {
    {"theta", "rad", "angle of the joint, closing", 0, -3.2, 3.2, 0, -50, 50},
};

enum { INERTIA, TORQUE, DAMPING, RADIUS, TOUCH, STIFFNESS, LOSS, WIDTH };

static const ArcModelQuantity parameters[] = {
    [INERTIA] = {"inertia", "kg m^2", "of the finger", 0.002, 1e-5, 1},
    [TORQUE] = {"torque", "N m", "of the motor, at the joint", 0.12, -10, 10},
    [DAMPING] = {"damping", "N m s", "of the joint", 0.008, 0, 1},
    [RADIUS] = {"radius", "m", "from the joint to the finger's tip", 0.08, 0.005, 1},
    [TOUCH] = {"touch", "rad", "angle at which it touches", 0.6, -3.2, 3.2},
    [STIFFNESS] = {"stiffness", "N/m", "of the thing", 900, 1, 1e6},
    [LOSS] = {"loss", "s/m", "of the contact", 1.5, 0, 20},
    [WIDTH] = {"width", "m", "of the contact's beginning", 0.0005, 1e-5, 0.05},
};

static void rates(real t, const real *x, const real *v, const real *p, real *f)
{
    real z = p[RADIUS] * (x[0] - p[TOUCH]) / p[WIDTH];
    real depth = p[WIDTH] * softplus(z), deeper = logistic(z) * p[RADIUS] * v[0];
    real force = p[STIFFNESS] * depth * (1 + p[LOSS] * deeper);
    f[0] = (p[TORQUE] - p[DAMPING] * v[0] - p[RADIUS] * force) / p[INERTIA];
}

ARC_MODEL("gripper", "a finger that closes on a compliant thing", 2, states, parameters, rates,
          NULL)
