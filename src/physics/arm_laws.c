/* Tables of the arm for help and lookup: axes of joints, torque curves, and its equations. */
#include "arcfit/arm.h"

#define COUNT(table) (int)(sizeof table / sizeof table[0])

/* By ArcJointAxis. */
static const ArcLaw axes[] = {
    {"pitch", "about -y: a positive angle raises the link from level", "theta omega", false,
     "the only axis in the plane, where link i points at theta1 + ... + thetai above level"},
    {"yaw", "about z, which points up before any joint turns", "theta omega", false,
     "in space: turns what follows about up"},
    {"roll", "about x, along the link before", "theta omega", false,
     "in space: turns what follows about the link before"},
};

/* By ArcTorqueCurve. */
static const ArcLaw curves[] = {
    {"constant", "q", "torque1", false, "one torque over the whole swing"},
    {"polynomial", "q_1 + q_2 xi + q_3 xi^2 + ...", "torque1_1 torque1_2 torque1_3", false,
     "1 to 8 coefficients, 3 unless told"},
    {"trapezoid", "q_1 S(xi / q_2) S((1 - xi) / q_3), S a ramp from 0 to 1 with rounded corners",
     "torque1_1 torque1_2 torque1_3", false,
     "q_1 the top, reached in the share q_2 of the span and left in the last share q_3"},
    {"spline", "sum of q_k B_k(xi), cubic B-splines on equal knots",
     "torque1_1 torque1_2 torque1_3 torque1_4", false,
     "4 to 8 coefficients, 6 unless told; begins at the first and ends at the last: de Boor, A "
     "Practical Guide to Splines (1978)"},
};

static const ArcLaw terms[] = {
    {"release", "x0 = ball(theta), v0 = sum of d ball / d theta_i omega_i",
     "base_x base_y base_z azimuth l1 ball_along ball_across ball_side theta1 omega1", false,
     "the ball leaves the hand without a jump: the flight's release follows from the arm"},
    {"encoders", "a joint's reading = gain theta + offset", "offset1 gain1", false,
     "where angles are measured, or with encoders: true"},
    {"swing", "M(theta) theta'' + h(theta, theta') + dV/d theta = motor - friction",
     "mass1 centre1 inertia1 payload", false,
     "where the swing was seen (capture.swing). Links are slender; the payload is a point at the "
     "ball: Featherstone, Rigid Body Dynamics Algorithms (2008)"},
    {"friction", "viscous theta' + coulomb tanh(theta' / friction_width)", "viscous1 coulomb1",
     false, "of each joint, during the swing"},
    {"motor", "c (1 + (c / L)^8)^(-1/8), L = stall (1 - sign(c) theta' / idle_rate)", "", false,
     "c by the torque curve, held below L, which ends smoothly at 0; without stall it is c"},
};

const ArcLaw *arc_joint_axes(int *n)
{
    *n = COUNT(axes);
    return axes;
}

const ArcLaw *arc_torque_curves(int *n)
{
    *n = COUNT(curves);
    return curves;
}

const ArcLaw *arc_arm_terms(int *n)
{
    *n = COUNT(terms);
    return terms;
}
