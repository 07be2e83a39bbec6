/* Arms with numbers of a real one's size, for the tests of their kinematics and dynamics. Include
 * after cmocka.h. */
#ifndef ARM_CASE_H
#define ARM_CASE_H

#include "arcfit/arm.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { CASE_J = ARC_ARM_MAX_JOINTS, CASE_A = ARC_ARM_MAX_PARAMETERS };

/* axes: p, y, r of the joints from the base. */
typedef struct ArmCase {
    int dimensions, up;
    const char *axes;
} ArmCase;

static const ArmCase arm_cases[] = {
    {2, 1, "p"},   {2, 1, "pp"}, {2, 0, "pp"},   {2, 1, "ppp"}, {2, 1, "pppp"},
    {3, 2, "ypp"}, {3, 1, "yp"}, {3, 0, "yprp"}, {3, 2, "ryp"}, {3, 2, "pypr"},
};
enum { N_ARM_CASES = sizeof arm_cases / sizeof arm_cases[0] };

/* A stream of numbers in -1 to 1. */
static inline double arm_draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

static inline void arm_torques(ArcArmJoint *joint, int kind)
{
    static const double trapezoid[] = {9.0, 0.3, 0.45};
    static const double others[] = {6.0, -3.0, 7.5, 11.0, -4.0, 5.0, 2.0, -8.0};
    static const int counts[] = {1, 4, 3, 6};
    joint->curve = (ArcTorqueCurve)kind;
    joint->n_torques = counts[kind];
    for (int k = 0; k < joint->n_torques; k++)
        joint->torque[k] = kind == ARC_TORQUE_TRAPEZOID ? trapezoid[k] : others[k];
}

/* Kinds of curves go round from `first`; every other motor has a limit near what it must give. */
static inline ArcArmSettings arm_case_settings(const ArmCase *of, int first)
{
    ArcArmSettings settings = arc_arm_settings_default();
    settings.dimensions = of->dimensions;
    settings.up = of->up;
    settings.n_joints = (int)strlen(of->axes);
    settings.has_swing = settings.has_encoders = true;
    settings.begin_s = -0.4;
    settings.end_s = 0.1;
    settings.payload_kg = 0.62;
    settings.azimuth_rad = 0.3;
    for (int c = 0; c < 3; c++) {
        settings.base_m[c] = 0.4 - 0.7 * c;
        settings.ball_m[c] = 0.11 - 0.04 * c;
    }
    for (int j = 0; j < settings.n_joints; j++) {
        ArcArmJoint *joint = &settings.joints[j];
        char axis = of->axes[j];
        joint->axis = axis == 'p' ? ARC_JOINT_PITCH : axis == 'y' ? ARC_JOINT_YAW : ARC_JOINT_ROLL;
        joint->length_m = 0.55 - 0.07 * j;
        joint->mass_kg = 2.1 - 0.4 * j;
        joint->centre_m = 0.24 - 0.02 * j;
        joint->inertia_kg_m2 = 0.05 - 0.008 * j;
        joint->viscous_n_m_s = 0.12 + 0.05 * j;
        joint->coulomb_n_m = 0.3 + 0.1 * j;
        arm_torques(joint, (first + j) % 4);
        if (j % 2 == 1) {
            joint->stall_n_m = 11.0;
            joint->idle_rad_s = 9.0;
        }
    }
    settings.friction_width_rad_s = 0.3;
    return settings;
}

static inline ArcArm arm_made(const ArcArmSettings *settings)
{
    ArcArm arm;
    ArcError err;
    if (arc_arm_create(settings, &arm, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return arm;
}

static inline ArcArm arm_case(int which, int first)
{
    ArcArmSettings settings = arm_case_settings(&arm_cases[which], first);
    return arm_made(&settings);
}

/* The parameters' defaults. */
static inline void arm_values(const ArcArm *arm, double *p)
{
    for (int k = 0; k < arm->n_parameters; k++)
        p[k] = arm->parameters[k].value;
}

/* Some state within the span. */
static inline void arm_state(uint64_t *seed, double *t, double *theta, double *omega)
{
    *t = -0.15 + 0.24 * arm_draw(seed);
    for (int j = 0; j < CASE_J; j++) {
        theta[j] = 2.5 * arm_draw(seed);
        omega[j] = 5.0 * arm_draw(seed);
    }
}

/* An analytic column of n numbers (stride apart) beside differences of the fourth order in a
 * variable, f(context, out) being evaluated with it moved: near at the best step of a sweep; where
 * it is zero nothing moves but by rounding. most: of the column's size. */
typedef void (*ArmFunction)(void *context, double *out);

static inline void arm_differences(ArmFunction f, void *context, double *variable, int n,
                                   double step, double *difference)
{
    double at[4][64], start = *variable;
    for (int k = 0; k < 4; k++) {
        *variable = start + step * (k < 2 ? k - 2 : k - 1);
        f(context, at[k]);
    }
    *variable = start;
    for (int i = 0; i < n; i++)
        difference[i] = (at[0][i] - 8 * at[1][i] + 8 * at[2][i] - at[3][i]) / (12 * step);
}

static inline void arm_check_column(ArmFunction f, void *context, double *variable,
                                    const double *column, int n, int stride, double most)
{
    double size = 0, value = 0, best = INFINITY, here[64], difference[64];
    f(context, here);
    for (int i = 0; i < n; i++) {
        assert_true(isfinite(column[i * stride]));
        size = fmax(size, fabs(column[i * stride]));
        value = fmax(value, fabs(here[i]));
    }
    for (double step = 3e-2; step > 1e-6; step *= 0.3) {
        double worst = 0;
        arm_differences(f, context, variable, n, step * fmax(fabs(*variable), 0.1), difference);
        for (int i = 0; i < n; i++)
            worst = fmax(worst, fabs(difference[i] - column[i * stride]));
        best = fmin(best, worst);
    }
    if (!(best <= most * size + 4e-12 * value))
        fail_msg("a partial of size %g is off by %g", size, best);
}

#endif
