/* What a joint's motor gives and its friction takes.
 *
 * Curves c(xi), xi = (t - begin) / (end - begin), with coefficients q:
 *   constant    q1
 *   polynomial  q1 + q2 xi + q3 xi^2 + ...
 *   trapezoid   q1 S(xi / q2) S((1 - xi) / q3); S a ramp from S(0) = 0 to S(1) = 1 whose corners
 *               are rounded: its slope rises and falls within the first and last quarter by the
 *               smooth step 6 s^5 - 15 s^4 + 10 s^3; constant outside
 *   spline      sum q_k B_k(xi), the cubic B-spline on equal knots from 0 to 1, the end knots
 *               fourfold, so that it begins at q1 and ends at the last (de Boor, A Practical Guide
 *               to Splines, 1978)
 * Outside 0 to 1 xi turns to rest within a small share D = 0.05 of the span, -D tanh(-xi / D) and
 * 1 + D tanh((xi - 1) / D), so that c keeps two derivatives and then stays as it ended.
 *
 * Of the torque c a motor at the rate w gives
 *   motor = c (1 + (c / L)^8)^(-1/8),   L = stall g(1 - w / idle) for c > 0, stall g(1 + w / idle)
 * for c < 0: nearly c while |c| < L / 2 (0.05 % less there), never more than L. g(s) = s from s =
 * 0.1 on and 0 below 0, joined by the polynomial 0.1 (6 u^3 - 8 u^4 + 3 u^5), u = 10 s. With no
 * stall torque given it is c; all of it has two derivatives.
 *
 *   friction = viscous w + coulomb tanh(w / width)
 */
#ifndef ARC_PHYSICS_TORQUE_H
#define ARC_PHYSICS_TORQUE_H

#include "arcfit/arm.h"

/* A torque in N m and its partials by the time, the joint's rate, and the coefficients. */
typedef struct ArcTorque {
    double value, by_t, by_omega;
    double by[ARC_ARM_MAX_TORQUES];
} ArcTorque;

/* The curve alone; by_omega 0. xi and its slope in time as of a span. */
void arc_torque_curve(const ArcArmJoint *joint, double xi, double xi_t, const double *q,
                      ArcTorque *torque);

/* What the motor of joint j (from 0) gives; p (A). */
void arc_torque_motor(const ArcArm *arm, int j, double t_s, double omega, const double *p,
                      ArcTorque *motor);

/* Of joint j; by[0] is by the viscous, by[1] by the Coulomb coefficient. */
void arc_torque_friction(const ArcArm *arm, int j, double omega, const double *p,
                         ArcTorque *friction);

/* Where the curve of joint j has jumps in a higher derivative: xi of a spline's knots, of a
 * trapezoid's corners, and of the span's ends; into xi (ARC_ARM_MAX_TORQUES), returns how many. */
int arc_torque_knots(const ArcArm *arm, int j, const double *p, double *xi);

#endif
