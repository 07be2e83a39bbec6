/* Kinematics of the arm: its places, their velocities and all partials.
 *
 * In the arm's own axes (x level, z up) joint j turns about the unit vector a_j through o_(j-1), so
 * that of a place x behind it, with W_i = a_1 omega_1 + ... + a_i omega_i the rotation of link i:
 *   x_j = dx/dtheta_j = a_j x (x - o_(j-1)),   d x_j / dtheta_k = a_min(j,k) x x_max(j,k)
 *   v = sum x_j omega_j,   dx/dl_i = e_i,   dv/dl_i = W_i x e_i,   e_i = R_i (1, 0, 0)
 */
#include "arcfit/arm.h"

#include <math.h>
#include <string.h>

typedef struct Chain {
    double R[ARC_ARM_MAX_JOINTS + 1][9]; /* row-major; [0] of the base */
    double o[ARC_ARM_MAX_JOINTS + 1][3]; /* from the base */
    double axis[ARC_ARM_MAX_JOINTS][3];
    double W[ARC_ARM_MAX_JOINTS + 1][3];
} Chain;

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

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

static void chain_place(const ArcArm *arm, const double *p, const double *theta,
                        const double *omega, Chain *chain)
{
    double angle = arm->azimuth >= 0 ? p[arm->azimuth] : 0.0;
    const double start[9] = {cos(angle), -sin(angle), 0, sin(angle), cos(angle), 0, 0, 0, 1};
    memcpy(chain->R[0], start, sizeof start);
    memset(chain->o[0], 0, sizeof chain->o[0]);
    memset(chain->W[0], 0, sizeof chain->W[0]);
    for (int j = 0; j < arm->settings.n_joints; j++) {
        double *R = chain->R[j + 1], *a = chain->axis[j];
        turn(chain->R[j], arm->settings.joints[j].axis, theta[j], R, a);
        for (int i = 0; i < 3; i++) {
            chain->o[j + 1][i] = chain->o[j][i] + p[arm->length + j] * R[3 * i];
            chain->W[j + 1][i] = chain->W[j][i] + omega[j] * a[i];
        }
    }
}

/* A vector of the arm's axes into column `column` of rows of the capture's axes. */
static void put(const ArcArm *arm, const double *from, double *to, size_t stride)
{
    int up = arm->settings.up, d = arm->settings.dimensions;
    to[(size_t)up * stride] = from[2];
    to[(size_t)(d == 2 ? 1 - up : (up + 1) % 3) * stride] = from[0];
    if (d == 3)
        to[(size_t)((up + 2) % 3) * stride] = from[1];
}

/* Partials by theta of the place x, which lies behind the first n joints; by_theta (n) vectors. */
static void by_angles(const ArcArm *arm, const Chain *chain, int n, const double *x,
                      const double *omega, ArcArmPoint *point)
{
    double by_theta[ARC_ARM_MAX_JOINTS][3], v[3] = {0};
    for (int j = 0; j < n; j++) {
        const double *o = chain->o[j];
        const double from[3] = {x[0] - o[0], x[1] - o[1], x[2] - o[2]};
        cross(chain->axis[j], from, by_theta[j]);
        for (int i = 0; i < 3; i++)
            v[i] += by_theta[j][i] * omega[j];
        put(arm, by_theta[j], &point->x_theta[0][j], ARC_ARM_MAX_JOINTS);
    }
    for (int k = 0; k < n; k++) {
        double sum[3] = {0}, term[3];
        for (int j = 0; j < n; j++) {
            cross(chain->axis[j < k ? j : k], by_theta[j < k ? k : j], term);
            for (int i = 0; i < 3; i++)
                sum[i] += term[i] * omega[j];
        }
        put(arm, sum, &point->v_theta[0][k], ARC_ARM_MAX_JOINTS);
    }
    put(arm, v, point->v_m_s, 1);
    if (arm->azimuth < 0)
        return;
    static const double up[3] = {0, 0, 1};
    double turned[3];
    cross(up, x, turned);
    put(arm, turned, &point->x_p[0][arm->azimuth], ARC_ARM_MAX_GEOMETRY);
    cross(up, v, turned);
    put(arm, turned, &point->v_p[0][arm->azimuth], ARC_ARM_MAX_GEOMETRY);
}

/* Partials by a length along the column `column` of R_i: unit vector and how fast it turns. */
static void by_length(const ArcArm *arm, const Chain *chain, int i, int column, int parameter,
                      ArcArmPoint *point)
{
    const double *R = chain->R[i];
    const double e[3] = {R[column], R[3 + column], R[6 + column]};
    double turning[3];
    cross(chain->W[i], e, turning);
    put(arm, e, &point->x_p[0][parameter], ARC_ARM_MAX_GEOMETRY);
    put(arm, turning, &point->v_p[0][parameter], ARC_ARM_MAX_GEOMETRY);
}

void arc_arm_point(const ArcArm *arm, int place, const double *p, const double *theta,
                   const double *omega, ArcArmPoint *point)
{
    static const int columns[3] = {0, 2, 1}; /* along, across, side */
    int J = arm->settings.n_joints, d = arm->settings.dimensions;
    int n = place == ARC_ARM_BALL ? J : place;
    Chain chain;
    double x[3];
    *point = (ArcArmPoint){0};
    chain_place(arm, p, theta, omega, &chain);
    memcpy(x, chain.o[n], sizeof x);
    for (int b = 0; place == ARC_ARM_BALL && b < d; b++)
        for (int i = 0; i < 3; i++)
            x[i] += p[arm->ball + b] * chain.R[J][3 * i + columns[b]];
    put(arm, x, point->x_m, 1);
    by_angles(arm, &chain, n, x, omega, point);
    for (int i = 1; i <= n; i++)
        by_length(arm, &chain, i, 0, arm->length + i - 1, point);
    for (int b = 0; place == ARC_ARM_BALL && b < d; b++)
        by_length(arm, &chain, J, columns[b], arm->ball + b, point);
    for (int c = 0; c < d; c++) {
        point->x_m[c] += p[arm->base + c];
        point->x_p[c][arm->base + c] = 1.0;
    }
}
