/* A robot arm that throws the ball: a serial chain of revolute joints.
 *
 * Kinematics. The chain begins at the base with the first level axis as its x and up as its z, in
 * space turned by the azimuth about up. Joint i turns what follows by theta_i about its axis in the
 * frame reached so far, R_i = R_(i-1) R_axis(theta_i): yaw about z, pitch about -y (so that it
 * raises x), roll about x; behind it lies its link, of length l_i along x:
 *   o_i = o_(i-1) + R_i (l_i, 0, 0),   ball = o_n + R_n (along, side, across)
 * In the plane all joints are pitches: link i points at theta_1 + ... + theta_i above level.
 *
 * Dynamics. Links are slender bodies, masses m_i with their centres c_i from the joint along the
 * link and inertia I_i about axes across it (none about its own), and the payload m_b is a point at
 * the ball:
 *   M(theta) theta'' + h(theta, theta') + dV/dtheta = motor - friction
 *   friction_i = b_i theta_i' + f_i tanh(theta_i' / w)
 *   motor_i = c (1 + (c / L)^8)^(-1/8), c = curve_i(t), so nearly c up to half and never more than
 *             L = stall (1 -+ theta_i' / idle), - for c > 0: what stays of the stall torque
 * M and h as in Featherstone, Rigid Body Dynamics Algorithms (2008); Spong, Hutchinson, Vidyasagar,
 * Robot Modeling and Control (2006), ch. 7, has the plane's two links written out.
 *
 * Torque curves run over xi = (t - begin) / (end - begin), t by the capture's clock:
 *   constant    torque1
 *   polynomial  torque1_1 + torque1_2 xi + torque1_3 xi^2 + ...
 *   trapezoid   torque1_1, reached in the share torque1_2 of the span, left in the last share
 *               torque1_3 of it; the corners rounded
 *   spline      cubic B-spline on equal knots from xi = 0 to 1 with these coefficients, the first
 *               and the last of which are its ends
 * Beyond the span a curve goes on as it ended. All has two derivatives (physics/torque.h).
 *
 * Parameters p (A = n_parameters) in this order; J joints, d dimensions; names count from 1:
 *   geometry (n_geometry): base_x base_y [base_z azimuth], l1.., ball_along ball_across [ball_side]
 *   offset1.., gain1..          an encoder reads gain theta + offset; where there are encoders
 *   mass1.. centre1.. inertia1.. payload viscous1.. coulomb1.. torque1..
 *                               where there is a swing, seen or planned (aim.swing)
 *   theta1.. omega1..           at the release
 */
#ifndef ARCFIT_ARM_H
#define ARCFIT_ARM_H

#include "arcfit/error.h"
#include "arcfit/law.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum {
    ARC_ARM_MAX_JOINTS = 4,
    ARC_ARM_MAX_TORQUES = 8, /* coefficients of one curve */
    ARC_ARM_MAX_GEOMETRY = 11,
    ARC_ARM_MAX_PARAMETERS = 84,
    ARC_ARM_MAX_POSES = 4,
    ARC_ARM_BALL = -1 /* a place: */
};

/* Of the torque curves, at most. */
#define ARC_ARM_MOST_SPAN_S 1e6

typedef enum ArcJointAxis { ARC_JOINT_PITCH, ARC_JOINT_YAW, ARC_JOINT_ROLL } ArcJointAxis;

typedef enum ArcTorqueCurve {
    ARC_TORQUE_CONSTANT,
    ARC_TORQUE_POLYNOMIAL,
    ARC_TORQUE_TRAPEZOID,
    ARC_TORQUE_SPLINE
} ArcTorqueCurve;

/* A joint, its motor and the link behind it; numbers are the defaults of the parameters. */
typedef struct ArcArmJoint {
    ArcJointAxis axis;
    double length_m;
    double low_rad, high_rad; /* what it can reach; -inf, inf */
    double rate_limit_rad_s;  /* inf: none */
    double mass_kg, centre_m, inertia_kg_m2;
    double viscous_n_m_s, coulomb_n_m;
    ArcTorqueCurve curve;
    int n_torques; /* 1, or as many as curve takes */
    double torque[ARC_ARM_MAX_TORQUES];
    double stall_n_m, idle_rad_s; /* of the motor: none is left at idle_rad_s; inf: no limit */
} ArcArmJoint;

typedef struct ArcArmSettings {
    int dimensions, up; /* as the flight's */
    int n_joints;
    ArcArmJoint joints[ARC_ARM_MAX_JOINTS];
    double base_m[3], azimuth_rad;
    double ball_m[3]; /* along, across, side */
    double payload_kg;
    double gravity_m_s2;
    double friction_width_rad_s; /* w: over which Coulomb's friction turns its sign; much narrower
                                  * a net does not follow a joint that turns round */
    bool has_encoders;
    bool has_swing;
    bool is_planned;       /* the swing, by aim alone: nothing is seen of it */
    double begin_s, end_s; /* of the torque curves */
} ArcArmSettings;

/* Two pitches in the plane with y up, links of 1 m without mass, constant torques, all else zero,
 * no limits, g 9.80665 m/s^2, w 0.5 rad/s. All ARC_ARM_MAX_JOINTS joints are such. */
ArcArmSettings arc_arm_settings_default(void);

typedef struct ArcArm {
    ArcArmSettings settings;
    int n_geometry, n_parameters;
    int base, azimuth, length, ball; /* index of the first of each; -1: there are none */
    int offset, gain;
    int mass, centre, inertia, payload, viscous, coulomb;
    int torque[ARC_ARM_MAX_JOINTS];
    int theta, omega;
    ArcParameterInfo parameters[ARC_ARM_MAX_PARAMETERS];
} ArcArm;

/* Checks the settings and lists the parameters. ARC_INPUT, without a place: numbers out of range,
 * another axis than pitch in the plane, limits that cross, and with a swing a span of the curves
 * that is empty or more or fewer coefficients than a curve takes. */
ArcStatus arc_arm_create(const ArcArmSettings *settings, ArcArm *arm, ArcError *err);

/* A place of the arm with its partials; rows are the d axes. The velocity's partials by the joint
 * rates are x_theta. */
typedef struct ArcArmPoint {
    double x_m[3], v_m_s[3];
    double x_theta[3][ARC_ARM_MAX_JOINTS], v_theta[3][ARC_ARM_MAX_JOINTS];
    double x_p[3][ARC_ARM_MAX_GEOMETRY], v_p[3][ARC_ARM_MAX_GEOMETRY];
} ArcArmPoint;

/* Place 0 is the base, i the end of link i, ARC_ARM_BALL the ball. p (A), theta, omega (J). */
void arc_arm_point(const ArcArm *arm, int place, const double *p, const double *theta,
                   const double *omega, ArcArmPoint *point);

/* Joint accelerations of n states and their partials; by_* are NULL together. Of by_p only the
 * columns that wanted (A) names are written. */
typedef struct ArcArmRates {
    double *a;                   /* (n,J) */
    double *by_theta, *by_omega; /* (n,J,J) row-major */
    double *by_t;                /* (n,J) */
    double *by_p;                /* (n,J,A) */
    const bool *wanted;
} ArcArmRates;

/* t_s (n) by the capture's clock, theta, omega (n,J), p (A). A state that is not finite, or in
 * which masses leave a joint nothing to move, gives rates that are not finite. */
void arc_arm_acceleration(const ArcArm *arm, int n, const double *t_s, const double *theta,
                          const double *omega, const double *p, const ArcArmRates *rates);

/* What the motors give at t, and what friction takes: (J) each; NULL: not wanted. */
void arc_arm_torques(const ArcArm *arm, double t_s, const double *omega, const double *p,
                     double *motor_n_m, double *friction_n_m);

/* Kinetic energy and that of height, of arm and payload, in J. */
void arc_arm_energy(const ArcArm *arm, const double *theta, const double *omega, const double *p,
                    double *kinetic_j, double *height_j);

/* Torques that the joints need for a motion: M a + h + dV/dtheta + friction; torque_n_m (J). */
void arc_arm_inverse_dynamics(const ArcArm *arm, const double *theta, const double *omega,
                              const double *acceleration, const double *p, double *torque_n_m);

/* The same torques with their partials: by_theta, by_omega, by_acceleration (J,J), by_p (J,A),
 * row-major. */
typedef struct ArcArmDemand {
    double torque_n_m[ARC_ARM_MAX_JOINTS];
    double by_theta[ARC_ARM_MAX_JOINTS * ARC_ARM_MAX_JOINTS];
    double by_omega[ARC_ARM_MAX_JOINTS * ARC_ARM_MAX_JOINTS];
    double by_acceleration[ARC_ARM_MAX_JOINTS * ARC_ARM_MAX_JOINTS];
    double by_p[ARC_ARM_MAX_JOINTS * ARC_ARM_MAX_PARAMETERS];
} ArcArmDemand;

void arc_arm_demand(const ArcArm *arm, const double *theta, const double *omega,
                    const double *acceleration, const double *p, ArcArmDemand *demand);

/* Poses that put the ball at x_m (d), whatever the limits: theta (ARC_ARM_MAX_POSES, J) row-major,
 * angles within half a turn of near (J), the nearest to near first; returns how many. All of them
 * of pitches behind a yaw or none; of other chains those that a search about near finds. Joints
 * that an arm has to spare stand where near has them, unless it does not reach the target so. 0:
 * out of reach; the first row is then the pose that comes nearest. */
int arc_arm_poses(const ArcArm *arm, const double *p, const double *x_m, const double *near,
                  double *theta);

/* Rates (J) that move the ball with v_m_s (d) in this pose, the smallest where there are several,
 * and the velocity (d) that no rates can give (nullable). */
void arc_arm_rates_for(const ArcArm *arm, const double *p, const double *theta, const double *v_m_s,
                       double *omega, double *missing_m_s);

#pragma GCC visibility pop

#endif
