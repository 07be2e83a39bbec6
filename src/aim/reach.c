/* Reach of an arm: the nearest throws, the poses that a wanted release has, what is over limits,
 * sensitivities and cures. */
#include "arcfit/reach.h"

#include "aim/nearest.h"

#include <math.h>
#include <string.h>

/* An angle without limits within half a turn of zero; one with limits within them if a whole turn
 * brings it there. */
static double turned(const ArcArmJoint *joint, double theta)
{
    double middle = 0.0;
    if (isfinite(joint->low_rad) && isfinite(joint->high_rad))
        middle = 0.5 * (joint->low_rad + joint->high_rad);
    else if (isfinite(joint->low_rad) || isfinite(joint->high_rad))
        return theta;
    return middle + remainder(theta - middle, 2.0 * M_PI);
}

/* What is over the limits of the arm. */
static void judge_limits(const ArcArm *arm, ArcReachThrow *thrown)
{
    thrown->is_within = true;
    for (int j = 0; j < arm->settings.n_joints; j++) {
        const ArcArmJoint *joint = &arm->settings.joints[j];
        double theta = thrown->theta_rad[j], rate = fabs(thrown->omega_rad_s[j]);
        thrown->angle_over_rad[j] =
            fmax(theta - joint->high_rad, 0.0) - fmax(joint->low_rad - theta, 0.0);
        thrown->rate_over[j] = isfinite(joint->rate_limit_rad_s)
                                   ? fmax(rate / joint->rate_limit_rad_s - 1.0, 0.0)
                                   : 0.0;
        thrown->is_within = thrown->is_within && fabs(thrown->angle_over_rad[j]) <= 1e-9 &&
                            thrown->rate_over[j] <= 1e-9;
    }
}

/* What comes of z. */
static void fill_throw(ArcNearest *nearest, const double *z, ArcReachThrow *thrown)
{
    ArcMiss miss;
    double square = 0.0, of_x = 0.0, of_v = 0.0;
    int J = nearest->J, d = nearest->d;
    bool has_target = arc_goal_is_target(&nearest->goal);
    double turned_z[ARC_NEAREST_UNKNOWNS];
    memcpy(turned_z, z, sizeof turned_z);
    for (int j = 0; j < J; j++)
        turned_z[j] = turned(&nearest->arm->settings.joints[j], z[j]);
    *thrown = (ArcReachThrow){.time_s = has_target ? z[2 * J] : (double)NAN};
    memcpy(thrown->theta_rad, turned_z, sizeof(double) * (size_t)J);
    memcpy(thrown->omega_rad_s, z + J, sizeof(double) * (size_t)J);
    bool followed = arc_nearest_miss(nearest, turned_z, &miss);
    for (int k = 0; k < miss.m; k++)
        square += miss.r[k] * miss.r[k];
    for (int c = 0; c < d; c++)
        of_x += pow(miss.r[c] * ARC_REACH_LENGTH_M, 2);
    for (int k = d; k < miss.m; k++)
        of_v += pow(miss.r[k] * ARC_REACH_SPEED_M_S, 2);
    thrown->distance = followed ? sqrt(square) : INFINITY;
    thrown->miss_m = sqrt(of_x);
    thrown->miss_m_s = sqrt(of_v);
    memcpy(thrown->position_m, miss.point.x_m, sizeof thrown->position_m);
    memcpy(thrown->velocity_m_s, miss.point.v_m_s, sizeof thrown->velocity_m_s);
    memcpy(thrown->arrival_m_s, miss.arrival_m_s, sizeof thrown->arrival_m_s);
    judge_limits(nearest->arm, thrown);
}

/* All poses of a wanted release, whatever the limits. */
static void list_poses(ArcNearest *nearest, const double *near, ArcReach *reach)
{
    double theta[ARC_ARM_MAX_POSES * ARC_ARM_MAX_JOINTS];
    int J = nearest->J;
    int n = arc_arm_poses(nearest->arm, nearest->p, reach->goal.position_m, near, theta);
    reach->is_too_short = n == 0;
    reach->n_poses = n > 0 ? n : 1;
    for (int i = 0; i < reach->n_poses; i++) {
        double z[ARC_NEAREST_UNKNOWNS] = {0}, missing[3] = {0};
        memcpy(z, theta + i * J, sizeof(double) * (size_t)J);
        arc_arm_rates_for(nearest->arm, nearest->p, z, reach->goal.velocity_m_s, z + J, missing);
        fill_throw(nearest, z, &reach->poses[i]);
        memcpy(reach->poses[i].missing_m_s, missing, sizeof(double) * (size_t)nearest->d);
    }
}

/* Cures by every length and limit; of a target, where a look costs a flight or many, by those
 * that the distance depends on. */
static void list_cures(ArcNearest *nearest, int n, const ArcNearestMinimum *minima, ArcReach *reach)
{
    for (int limit = 0; limit < ARC_N_REACH_LIMITS; limit++)
        for (int j = 0; j < nearest->J; j++) {
            ArcReachCure cure = {.limit = (ArcReachLimit)limit, .joint = j};
            double by = reach->by[limit][j];
            if (arc_goal_is_target(&nearest->goal) && by == 0.0)
                continue;
            if (arc_nearest_cure(nearest, n, minima, cure.limit, j, by, &cure.change))
                reach->cures[reach->n_cures++] = cure;
        }
}

static ArcStatus check_goal(const ArcReachTask *task, ArcError *err)
{
    const ArcGoal *goal = &task->goal;
    bool finite = true;
    if (goal->kind == ARC_GOAL_NONE)
        return arc_error_set_at(err, ARC_INPUT, goal->place,
                                "there is nothing to aim at; give aim.release with position and "
                                "velocity, or aim.target with point, hoop or area");
    for (int c = 0; c < task->arm->settings.dimensions; c++)
        finite = finite && (arc_goal_is_target(goal)
                                ? isfinite(goal->point_m[c])
                                : isfinite(goal->position_m[c]) && isfinite(goal->velocity_m_s[c]));
    return finite ? ARC_OK
                  : arc_error_set_at(err, ARC_INPUT, goal->place,
                                     "what is aimed at is not finite, or lacks an axis");
}

/* The spin that the flight is flown with. */
static double spin_of(const ArcReachTask *task)
{
    for (int i = 0; task->flight != NULL && i < task->flight->n_parameters; i++)
        if (strcmp(task->flight->parameters[i].name, "spin") == 0)
            return task->flight_p[i];
    return NAN;
}

static ArcStatus find(const ArcReachTask *task, ArcArena *arena, ArcReach *reach, ArcError *err)
{
    ArcNearest nearest;
    ArcNearestMinimum minima[ARC_NEAREST_MOST];
    ArcStatus status = arc_nearest_create(task, arena, &nearest, err);
    if (status != ARC_OK)
        return status;
    int n = arc_nearest_search(&nearest, minima);
    if (n == 0)
        return arc_error_set_at(err, ARC_INPUT, task->goal.place,
                                "no throw of the arm can be followed to its end; check the flight");
    *reach = (ArcReach){.goal = task->goal,
                        .dimensions = nearest.d,
                        .up = task->arm->settings.up,
                        .n_joints = nearest.J,
                        .spin_rad_s = spin_of(task),
                        .is_reachable = minima[0].distance <= ARC_REACH_TOLERANCE,
                        .n_solutions = n};
    for (int i = 0; i < n; i++)
        fill_throw(&nearest, minima[i].z, &reach->solutions[i]);
    reach->nearest = reach->solutions[0];
    if (task->goal.kind == ARC_GOAL_RELEASE)
        list_poses(&nearest, minima[0].z, reach);
    if (reach->is_reachable)
        return ARC_OK;
    arc_nearest_sensitivities(&nearest, &minima[0], reach->by);
    list_cures(&nearest, n, minima, reach);
    return ARC_OK;
}

ArcStatus arc_reach_find(const ArcReachTask *task, ArcReach *reach, ArcError *err)
{
    ArcStatus status = check_goal(task, err);
    ArcArena *arena = status == ARC_OK ? arc_arena_create() : NULL;
    ArcReach found;
    if (status == ARC_OK)
        status = arena == NULL ? arc_error_no_memory(err) : find(task, arena, &found, err);
    arc_arena_free(arena);
    if (status == ARC_OK)
        *reach = found;
    return status;
}

ArcStatus arc_reach_of_experiment(const ArcExperiment *experiment, ArcReach *reach, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS];
    const ArcPlace top = {experiment->path, 1, 1};
    if (!experiment->has_arm && experiment->aim.goal.kind == ARC_GOAL_NONE)
        return arc_error_set_at(err, ARC_INPUT, top,
                                "there is nothing to aim at; give aim.target with point, hoop or "
                                "area");
    if (!experiment->has_arm)
        return arc_error_set_at(err, ARC_INPUT, top,
                                "a release is wanted, and there is no arm to give it; give "
                                "`release: arm` and `arm`, or aim.target");
    for (int i = 0; i < experiment->n_parameters; i++)
        values[i] = experiment->parameters[i].start;
    int first = experiment->flight.n_parameters + 1 + 2 * experiment->flight.settings.dimensions;
    ArcReachTask task = {&experiment->arm, values + first, &experiment->flight, values,
                         experiment->aim.goal};
    if (task.goal.kind == ARC_GOAL_NONE && task.goal.place.file == NULL)
        task.goal.place = top;
    return arc_reach_find(&task, reach, err);
}
