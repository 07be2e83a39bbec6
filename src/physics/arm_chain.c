#include "physics/arm_chain.h"

#include <math.h>
#include <string.h>

const int arc_arm_ball_columns[3] = {0, 2, 1};

/* R turned by the angle about one of its own axes. */
static void turn(const double *R, ArcJointAxis axis, double angle, double *turned, double *about)
{
    double c = cos(angle), s = sin(angle);
    for (int i = 0; i < 3; i++) {
        double x = R[3 * i], y = R[3 * i + 1], z = R[3 * i + 2];
        bool is_yaw = axis == ARC_JOINT_YAW, is_roll = axis == ARC_JOINT_ROLL;
        about[i] = is_yaw ? z : is_roll ? x : -y;
        turned[3 * i] = is_yaw ? c * x + s * y : is_roll ? x : c * x + s * z;
        turned[3 * i + 1] = is_yaw ? c * y - s * x : is_roll ? c * y + s * z : y;
        turned[3 * i + 2] = is_yaw ? z : is_roll ? c * z - s * y : c * z - s * x;
    }
}

void arc_arm_chain_place(const ArcArm *arm, const double *p, const double *theta,
                         const double *omega, ArcArmChain *chain)
{
    double angle = arm->azimuth >= 0 ? p[arm->azimuth] : 0.0;
    const double start[9] = {cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1};
    memcpy(chain->R[0], start, sizeof start);
    memset(chain->o[0], 0, sizeof chain->o[0]);
    memset(chain->W[0], 0, sizeof chain->W[0]);
    for (int j = 0; j < arm->settings.n_joints; j++) {
        double *R = chain->R[j + 1], *a = chain->axis[j], rate = omega != NULL ? omega[j] : 0.0;
        turn(chain->R[j], arm->settings.joints[j].axis, theta[j], R, a);
        for (int i = 0; i < 3; i++) {
            chain->o[j + 1][i] = chain->o[j][i] + p[arm->length + j] * R[3 * i];
            chain->W[j + 1][i] = chain->W[j][i] + rate * a[i];
        }
    }
}

void arc_arm_chain_ball(const ArcArm *arm, const double *p, const ArcArmChain *chain, double *x)
{
    const double *R = chain->R[arm->settings.n_joints];
    memset(x, 0, sizeof(double) * 3);
    for (int b = 0; b < arm->settings.dimensions; b++)
        for (int i = 0; i < 3; i++)
            x[i] += p[arm->ball + b] * R[3 * i + arc_arm_ball_columns[b]];
}

/* Axis of the capture along the arm's own. */
static int axis_of(const ArcArm *arm, int own)
{
    int up = arm->settings.up, d = arm->settings.dimensions;
    return own == 2 ? up : own == 1 ? (up + 2) % 3 : d == 2 ? 1 - up : (up + 1) % 3;
}

void arc_arm_chain_put(const ArcArm *arm, const double *from, double *to, size_t stride)
{
    to[(size_t)axis_of(arm, 2) * stride] = from[2];
    to[(size_t)axis_of(arm, 0) * stride] = from[0];
    if (arm->settings.dimensions == 3)
        to[(size_t)axis_of(arm, 1) * stride] = from[1];
}

void arc_arm_chain_take(const ArcArm *arm, const double *from, double *to)
{
    to[2] = from[axis_of(arm, 2)];
    to[0] = from[axis_of(arm, 0)];
    to[1] = arm->settings.dimensions == 3 ? from[axis_of(arm, 1)] : 0.0;
}
