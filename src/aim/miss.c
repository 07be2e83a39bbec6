/* What a throw misses: of a wanted release its position and velocity, of a target the place where
 * its flight is after s, and of a hoop that the ball comes down. */
#include "aim/nearest.h"

#include <math.h>
#include <string.h>

static const double tolerance = 1e-12; /* of the flight */

ArcStatus arc_nearest_create(const ArcReachTask *task, ArcArena *arena, ArcNearest *nearest,
                             ArcError *err)
{
    const ArcArm *arm = task->arm;
    int J = arm->settings.n_joints, d = arm->settings.dimensions;
    bool has_target = arc_goal_is_target(&task->goal), is_hoop = task->goal.kind == ARC_GOAL_HOOP;
    *nearest = (ArcNearest){.arm = arm,
                            .goal = task->goal,
                            .J = J,
                            .d = d,
                            .n = 2 * J + has_target,
                            .m = has_target ? d + is_hoop : 2 * d,
                            .n_equations = has_target ? d : 2 * d,
                            .flight = task->flight};
    memcpy(nearest->p, task->p, sizeof(double) * (size_t)arm->n_parameters);
    for (int j = 0; j < J; j++) {
        nearest->low[j] = arm->settings.joints[j].low_rad;
        nearest->high[j] = arm->settings.joints[j].high_rad;
        nearest->rate[j] = arm->settings.joints[j].rate_limit_rad_s;
    }
    if (!has_target)
        return ARC_OK;
    size_t P = (size_t)task->flight->n_parameters, D = (size_t)task->flight->n_coordinates;
    nearest->values = ARC_ALLOC(arena, P + 1 + 2 * D, double);
    nearest->x_q = ARC_ALLOC(arena, 2 * D * (P + 2 * D), double);
    nearest->x_v_a = ARC_ALLOC(arena, 3 * D, double);
    if (nearest->values == NULL || nearest->x_q == NULL || nearest->x_v_a == NULL)
        return arc_error_no_memory(err);
    if (P > 0)
        memcpy(nearest->values, task->flight_p, sizeof(double) * P);
    return arc_flyer_create(task->flight, tolerance, arena, &nearest->flyer, err);
}

static void miss_release(const ArcNearest *nearest, ArcMiss *miss)
{
    for (int c = 0; c < nearest->d; c++) {
        int k = nearest->d + c;
        miss->r[c] = (miss->point.x_m[c] - nearest->goal.position_m[c]) / ARC_REACH_LENGTH_M;
        miss->r[k] = (miss->point.v_m_s[c] - nearest->goal.velocity_m_s[c]) / ARC_REACH_SPEED_M_S;
        miss->by_x[c][c] = 1.0 / ARC_REACH_LENGTH_M;
        miss->by_v[k][c] = 1.0 / ARC_REACH_SPEED_M_S;
        miss->arrival_m_s[c] = NAN;
    }
}

/* A ball that rises through a hoop's height does not go in; one that falls with less than V hardly
 * crosses it. */
static void miss_entry(const ArcNearest *nearest, ArcMiss *miss)
{
    int up = nearest->arm->settings.up, d = nearest->d, D = nearest->flight->n_coordinates;
    int P = nearest->flight->n_parameters, Q = P + 2 * D;
    const double *v = nearest->x_v_a + D, *a = v + D;
    const double *row = nearest->x_q + (D + up) * Q + P;
    double over = v[up] / ARC_REACH_SPEED_M_S + 1.0;
    if (!(over > 0.0))
        return;
    miss->r[d] = over;
    miss->by_s[d] = a[up] / ARC_REACH_SPEED_M_S;
    for (int k = 0; k < d; k++) {
        miss->by_x[d][k] = row[k] / ARC_REACH_SPEED_M_S;
        miss->by_v[d][k] = row[D + k] / ARC_REACH_SPEED_M_S;
    }
}

static bool miss_target(ArcNearest *nearest, double s, ArcMiss *miss)
{
    int d = nearest->d, D = nearest->flight->n_coordinates, P = nearest->flight->n_parameters;
    int Q = P + 2 * D;
    double *values = nearest->values, *x = nearest->x_v_a, *v = x + D;
    const ArcThrow thrown = {nearest->flight, ARC_RELEASE_CARTESIAN, values};
    const ArcSimOutput output = {x, v, v + D, nearest->x_q, nearest->x_q + D * Q};
    values[P] = 0.0;
    memcpy(values + P + 1, miss->point.x_m, sizeof(double) * (size_t)d);
    memcpy(values + P + 1 + d, miss->point.v_m_s, sizeof(double) * (size_t)d);
    if (!arc_flyer_run(nearest->flyer, &thrown, 1, &s, &output))
        return false;
    for (int c = 0; c < d; c++) {
        const double *row = nearest->x_q + c * Q + P;
        miss->r[c] = (x[c] - nearest->goal.point_m[c]) / ARC_REACH_LENGTH_M;
        miss->by_s[c] = v[c] / ARC_REACH_LENGTH_M;
        miss->arrival_m_s[c] = v[c];
        for (int k = 0; k < d; k++) {
            miss->by_x[c][k] = row[k] / ARC_REACH_LENGTH_M;
            miss->by_v[c][k] = row[D + k] / ARC_REACH_LENGTH_M;
        }
    }
    if (nearest->goal.kind == ARC_GOAL_HOOP)
        miss_entry(nearest, miss);
    return true;
}

bool arc_nearest_miss(ArcNearest *nearest, const double *z, ArcMiss *miss)
{
    *miss = (ArcMiss){.m = nearest->m};
    arc_arm_point(nearest->arm, ARC_ARM_BALL, nearest->p, z, z + nearest->J, &miss->point);
    if (arc_goal_is_target(&nearest->goal))
        return miss_target(nearest, z[2 * nearest->J], miss);
    miss_release(nearest, miss);
    return true;
}
