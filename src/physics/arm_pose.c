/* Kinematics of the arm: its places, their velocities and all partials.
 *
 * In the arm's own axes (x level, z up) joint j turns about the unit vector a_j through o_(j-1), so
 * that of a place x behind it, with W_i = a_1 omega_1 + ... + a_i omega_i the rotation of link i:
 *   x_j = dx/dtheta_j = a_j x (x - o_(j-1)),   d x_j / dtheta_k = a_min(j,k) x x_max(j,k)
 *   v = sum x_j omega_j,   dx/dl_i = e_i,   dv/dl_i = W_i x e_i,   e_i = R_i (1, 0, 0)
 */
#include "physics/arm_chain.h"

#include <string.h>

/* Partials by theta of the place x, which lies behind the first n joints; by_theta (n) vectors. */
static void by_angles(const ArcArm *arm, const ArcArmChain *chain, int n, const double *x,
                      const double *omega, ArcArmPoint *point)
{
    double by_theta[ARC_ARM_MAX_JOINTS][3], v[3] = {0};
    for (int j = 0; j < n; j++) {
        const double *o = chain->o[j];
        const double from[3] = {x[0] - o[0], x[1] - o[1], x[2] - o[2]};
        arc_vector3_cross(chain->axis[j], from, by_theta[j]);
        for (int i = 0; i < 3; i++)
            v[i] += by_theta[j][i] * omega[j];
        arc_arm_chain_put(arm, by_theta[j], &point->x_theta[0][j], ARC_ARM_MAX_JOINTS);
    }
    for (int k = 0; k < n; k++) {
        double sum[3] = {0}, term[3];
        for (int j = 0; j < n; j++) {
            arc_vector3_cross(chain->axis[j < k ? j : k], by_theta[j < k ? k : j], term);
            for (int i = 0; i < 3; i++)
                sum[i] += term[i] * omega[j];
        }
        arc_arm_chain_put(arm, sum, &point->v_theta[0][k], ARC_ARM_MAX_JOINTS);
    }
    arc_arm_chain_put(arm, v, point->v_m_s, 1);
    if (arm->azimuth < 0)
        return;
    static const double up[3] = {0, 0, 1};
    double turned[3];
    arc_vector3_cross(up, x, turned);
    arc_arm_chain_put(arm, turned, &point->x_p[0][arm->azimuth], ARC_ARM_MAX_GEOMETRY);
    arc_vector3_cross(up, v, turned);
    arc_arm_chain_put(arm, turned, &point->v_p[0][arm->azimuth], ARC_ARM_MAX_GEOMETRY);
}

/* Partials by a length along the column `column` of R_i: unit vector and how fast it turns. */
static void by_length(const ArcArm *arm, const ArcArmChain *chain, int i, int column, int parameter,
                      ArcArmPoint *point)
{
    const double *R = chain->R[i];
    const double e[3] = {R[column], R[3 + column], R[6 + column]};
    double turning[3];
    arc_vector3_cross(chain->W[i], e, turning);
    arc_arm_chain_put(arm, e, &point->x_p[0][parameter], ARC_ARM_MAX_GEOMETRY);
    arc_arm_chain_put(arm, turning, &point->v_p[0][parameter], ARC_ARM_MAX_GEOMETRY);
}

void arc_arm_point(const ArcArm *arm, int place, const double *p, const double *theta,
                   const double *omega, ArcArmPoint *point)
{
    int J = arm->settings.n_joints, d = arm->settings.dimensions;
    int n = place == ARC_ARM_BALL ? J : place;
    ArcArmChain chain;
    double x[3], ball[3];
    *point = (ArcArmPoint){0};
    arc_arm_chain_place(arm, p, theta, omega, &chain);
    memcpy(x, chain.o[n], sizeof x);
    arc_arm_chain_ball(arm, p, &chain, ball);
    for (int i = 0; place == ARC_ARM_BALL && i < 3; i++)
        x[i] += ball[i];
    arc_arm_chain_put(arm, x, point->x_m, 1);
    by_angles(arm, &chain, n, x, omega, point);
    for (int i = 1; i <= n; i++)
        by_length(arm, &chain, i, 0, arm->length + i - 1, point);
    for (int b = 0; place == ARC_ARM_BALL && b < d; b++)
        by_length(arm, &chain, J, arc_arm_ball_columns[b], arm->ball + b, point);
    for (int c = 0; c < d; c++) {
        point->x_m[c] += p[arm->base + c];
        point->x_p[c][arm->base + c] = 1.0;
    }
}
