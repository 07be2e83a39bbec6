/* An arm's equations of motion, written for the independent integration alone: Lagrange's, from
 * where the bodies are and nothing else.
 *
 *   x_b(q)  places of the links' centres and of the payload, by products of rotation matrices
 *   T = sum m |dx/dt|^2 / 2 + I (|W|^2 - (W . e)^2) / 2,   V = sum m g z
 *   d/dt (dT/dq') - dT/dq + dV/dq = motor - friction
 *
 * dx/dt = sum dx/dq_j q_j', W from dR/dt R'. M_jk = T(e_j + e_k) - T(e_j) - T(e_k), as T is a
 * quadratic form of q'. In each angle x and R are trigonometric polynomials of degree 1, T of
 * degree 2, whose derivatives M. Riesz's interpolation formula gives without error (Zygmund,
 * Trigonometric Series, ch. X.3), from shifted values:
 *   degree 1: (f(q + pi/2) - f(q - pi/2)) / 2
 *   degree 2: sum over t = pi/4, 3 pi/4, 5 pi/4, 7 pi/4 of +-1 / (8 sin(t/2)^2) f(q + t)
 * Joints turn about: p -y, y z, r x of the frame reached; links lie along x, z is up.
 *
 * Curves over xi = (t - begin) / (end - begin), within the span alone:
 *   constant, polynomial by Horner's rule; spline by de Boor's algorithm of nested means
 *   trapezoid  q1 ramp(xi / q2) ramp((1 - xi) / q3); a ramp's slope is 4/3 between u = 1/4 and 3/4,
 *              and 4/3 s^3 (10 - 15 s + 6 s^2), s = 4 u or 4 (1 - u), beside that
 * motor = c / (1 + (c / L)^8)^(1/8), L = stall (1 -+ w / idle), c > 0: -; no less than a tenth of
 * the stall torque may be left in what is integrated. friction = b w + f tanh(w / width).
 *
 * All is complex, so that partials are Im f(z + i h) / h, to rounding (complex step).
 */
#ifndef ARC_TESTS_CVODES_ARM_EQUATIONS_H
#define ARC_TESTS_CVODES_ARM_EQUATIONS_H

#include <complex.h>

typedef double complex Complex;

enum { MAX_JOINTS = 4, MAX_TORQUES = 8, MAX_VALUES = 64 };

/* Where a parameter stands: slot of the whole arm, or AT(joint, slot). */
enum { ALONG, ACROSS, SIDE, PAYLOAD, JOINTS };
enum { LENGTH, MASS, CENTRE, INERTIA, VISCOUS, COULOMB, THETA, OMEGA, TORQUE, OF_JOINT = 16 };
enum { N_SLOTS = JOINTS + MAX_JOINTS * OF_JOINT };
#define AT(joint, slot) (JOINTS + (joint)*OF_JOINT + (slot))

/* curve: c constant, p polynomial, t trapezoid, s spline. stall 0: no limit; idle 0: none. */
typedef struct Joint {
    char axis, curve;
    int n_torques;
    double stall_n_m, idle_rad_s;
} Joint;

/* values: names, as arcfit calls them, and numbers, theta and omega at the start. */
typedef struct Arm {
    const char *name;
    int dimensions, up, n_joints;
    Joint joints[MAX_JOINTS];
    double begin_s, end_s, width_rad_s;
    double start_s, span_s;
    const char *values;
} Arm;

/* Slot of a name; -1: there is none. */
int arm_slot(const char *name);

/* q'' at a time; z (2 J): angles, rates. */
void arm_accelerations(const Arm *arm, double t, const Complex *values, const Complex *z,
                       Complex *accelerations);

#endif
