/* The numbers of a throw, each with its gradient. */
#include "aim/clearance.h"
#include "physics/matrix3.h"

#include <math.h>
#include <string.h>

/* Of a flight without a ball. */
static const double plain_mass_kg = 1.0, plain_radius_m = 0.01;

/* A throw, and where its numbers go. */
typedef struct Taking {
    ArcShot *shot;
    const ArcExperiment *experiment;
    const double *values;
    unsigned wanted;
    bool partials;
    int n, d, up;
    ArcShotNumbers *to;
} Taking;

bool arc_goal_has_axis(const ArcGoal *goal, int up, int axis)
{
    return goal->kind == ARC_GOAL_POINT || axis != (goal->kind == ARC_GOAL_HOOP ? up : goal->axis);
}

double arc_goal_ball_radius(const ArcExperiment *experiment)
{
    return experiment->flight.settings.has_ball ? experiment->flight.radius_m : 0.0;
}

double arc_goal_point_radius(const ArcExperiment *experiment)
{
    return experiment->flight.settings.has_ball ? experiment->flight.radius_m : plain_radius_m;
}

void arc_goal_offset(const ArcExperiment *experiment, const double *x_m, double offset_m[3])
{
    const ArcGoal *goal = &experiment->aim.goal;
    const ArcFlightSettings *flight = &experiment->flight.settings;
    for (int c = 0; c < 3; c++)
        offset_m[c] = c < flight->dimensions && arc_goal_has_axis(goal, flight->up, c)
                          ? x_m[c] - goal->point_m[c]
                          : 0.0;
}

static bool is_wanted(const Taking *taking, ArcAimNumber number)
{
    return (taking->wanted >> number & 1) != 0;
}

/* A number, and its gradient as a sum of w rows. */
static void put(const Taking *taking, ArcAimNumber number, double value, int m, const double *w,
                const double (*rows)[ARC_MAX_PARAMETERS])
{
    taking->to->value[number] = value;
    if (!taking->partials)
        return;
    double *by = taking->to->by[number];
    memset(by, 0, sizeof(double) * (size_t)taking->n);
    for (int c = 0; c < m; c++)
        for (int i = 0; i < taking->n; i++)
            by[i] += w[c] * rows[c][i];
}

static void put_miss(const Taking *taking)
{
    ArcShotNumbers *to = taking->to;
    double miss = arc_vector3_norm(to->offset_m), w[3];
    for (int c = 0; c < 3; c++)
        w[c] = miss > 0.0 ? to->offset_m[c] / miss : 0.0;
    put(taking, ARC_AIM_MISS, miss, 3, w, to->by_offset);
}

static void put_entry(const Taking *taking)
{
    const ArcShotState *goal = &taking->to->goal;
    const double *v = goal->v_m_s;
    double speed = arc_vector3_norm(v), w[3], level[3] = {v[0], v[1], v[2]};
    level[taking->up] = 0.0;
    double along = arc_vector3_norm(level);
    for (int c = 0; c < 3; c++)
        w[c] = speed > 0.0 ? v[c] / speed : 0.0;
    put(taking, ARC_AIM_ENTRY_SPEED, speed, 3, w, goal->by_v);
    for (int c = 0; c < 3; c++)
        w[c] = along > 0.0 ? v[taking->up] * level[c] / (along * speed * speed) : 0.0;
    w[taking->up] = speed > 0.0 ? -along / (speed * speed) : 0.0;
    put(taking, ARC_AIM_ENTRY_ANGLE, atan2(-v[taking->up], along), 3, w, goal->by_v);
    w[0] = 1.0;
    put(taking, ARC_AIM_TIME, goal->t_s, 1, w, (const double(*)[ARC_MAX_PARAMETERS])goal->by_t);
}

static bool put_release(const Taking *taking)
{
    ArcShotState release;
    if (!arc_shot_release(taking->shot, taking->values, taking->partials, &release))
        return false;
    const ArcFlightSettings *flight = &taking->experiment->flight.settings;
    double mass = flight->has_ball ? flight->ball.mass_kg : plain_mass_kg;
    double speed = arc_vector3_norm(release.v_m_s), w[3];
    for (int c = 0; c < 3; c++)
        w[c] = speed > 0.0 ? release.v_m_s[c] / speed : 0.0;
    put(taking, ARC_AIM_SPEED, speed, 3, w, release.by_v);
    for (int c = 0; c < 3; c++)
        w[c] = mass * release.v_m_s[c];
    put(taking, ARC_AIM_ENERGY, 0.5 * mass * speed * speed, 3, w, release.by_v);
    return !taking->experiment->aim.swing.is_on ||
           arc_shot_arm_energy(taking->shot, taking->values, &taking->to->value[ARC_AIM_ENERGY],
                               taking->partials ? taking->to->by[ARC_AIM_ENERGY] : NULL);
}

/* The highest of release, goal and, where the flight turns down between them, the top. */
static bool put_height(const Taking *taking)
{
    static const double one = 1.0;
    ArcShotState release, top;
    const ArcShotState *goal = &taking->to->goal, *highest = goal;
    int up = taking->up;
    if (!arc_shot_release(taking->shot, taking->values, taking->partials, &release))
        return false;
    if (release.x_m[up] > highest->x_m[up])
        highest = &release;
    bool bounces = taking->experiment->flight.settings.bounce.is_on;
    bool turns = (release.v_m_s[up] > 0.0 && goal->v_m_s[up] < 0.0) || bounces;
    if (turns && arc_shot_apex(taking->shot, taking->values, taking->partials, &top) &&
        top.t_s < goal->t_s && top.x_m[up] > highest->x_m[up])
        highest = &top;
    put(taking, ARC_AIM_HEIGHT, highest->x_m[up], 1, &one,
        (const double(*)[ARC_MAX_PARAMETERS])highest->by_x[up]);
    return true;
}

static bool put_clearance(const Taking *taking)
{
    return arc_clearance_find(taking->shot, taking->values, taking->to, taking->partials,
                              &taking->to->value[ARC_AIM_CLEARANCE],
                              taking->to->by[ARC_AIM_CLEARANCE]);
}

static void take_offset(const Taking *taking)
{
    const ArcGoal *goal = &taking->experiment->aim.goal;
    ArcShotNumbers *to = taking->to;
    arc_goal_offset(taking->experiment, to->goal.x_m, to->offset_m);
    for (int c = 0; c < 3; c++) {
        bool has = c < taking->d && arc_goal_has_axis(goal, taking->up, c);
        if (taking->partials && has)
            memcpy(to->by_offset[c], to->goal.by_x[c], sizeof to->by_offset[c]);
        else if (taking->partials)
            memset(to->by_offset[c], 0, sizeof to->by_offset[c]);
    }
}

/* Nothing is known yet. */
static Taking taking_of(ArcShot *shot, const double *values, unsigned wanted, bool partials,
                        ArcShotNumbers *numbers)
{
    const ArcExperiment *experiment = arc_shot_experiment(shot);
    const ArcFlightSettings *flight = &experiment->flight.settings;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++)
        numbers->value[k] = NAN;
    return (Taking){.shot = shot,
                    .experiment = experiment,
                    .values = values,
                    .wanted = wanted,
                    .partials = partials,
                    .n = experiment->n_parameters,
                    .d = flight->dimensions,
                    .up = flight->up,
                    .to = numbers};
}

bool arc_shot_release_numbers(ArcShot *shot, const double *values, bool partials,
                              ArcShotNumbers *numbers)
{
    const Taking taking = taking_of(shot, values, 0, partials, numbers);
    return put_release(&taking);
}

/* All that is wanted, at the goal. */
static bool take_numbers(const Taking *taking)
{
    take_offset(taking);
    put_miss(taking);
    put_entry(taking);
    if ((is_wanted(taking, ARC_AIM_SPEED) || is_wanted(taking, ARC_AIM_ENERGY)) &&
        !put_release(taking))
        return false;
    if (is_wanted(taking, ARC_AIM_PEAK_TORQUE) && taking->experiment->aim.swing.is_on &&
        !arc_shot_peak_torque(taking->shot, taking->values, &taking->to->value[ARC_AIM_PEAK_TORQUE],
                              taking->partials ? taking->to->by[ARC_AIM_PEAK_TORQUE] : NULL))
        return false;
    if (is_wanted(taking, ARC_AIM_HEIGHT) && !put_height(taking))
        return false;
    return !is_wanted(taking, ARC_AIM_CLEARANCE) || put_clearance(taking);
}

bool arc_shot_numbers(ArcShot *shot, const double *values, unsigned wanted, bool partials,
                      ArcShotNumbers *numbers)
{
    const Taking taking = taking_of(shot, values, wanted, partials, numbers);
    return arc_shot_meet(shot, values, partials, &numbers->goal) && take_numbers(&taking);
}

bool arc_shot_numbers_near(ArcShot *shot, const double *values, double time_s, unsigned wanted,
                           bool partials, ArcShotNumbers *numbers)
{
    const Taking taking = taking_of(shot, values, wanted, partials, numbers);
    return arc_shot_meet_near(shot, values, time_s, partials, &numbers->goal) &&
           take_numbers(&taking);
}
