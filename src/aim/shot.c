/* A throw from its parameters to its goal: the flight by the simulator, its columns mapped onto the
 * experiment's parameters.
 *
 * With y a number of the flight and (x0, v0) the release that an arm gives, of parameters p_A:
 *   dy/dp_A = dy/dx0 dx0/dp_A + dy/dv0 dv0/dp_A
 */
#include "aim/shot.h"

#include "fit/predict.h"
#include "fit/surface.h"

#include <math.h>
#include <string.h>

struct ArcShot {
    const ArcExperiment *experiment;
    const ArcGoal *goal;
    int n, P, d, up;
    int release, arm; /* first parameters of these: position, then velocity */
    double *values;   /* (n) tied */
    double *tie;      /* (2 d, A) of the release by the arm's; NULL: no arm */
    ArcFlown *flown;
    ArcSurface surface;
    ArcSimDirection direction;
};

static ArcStatus check(const ArcExperiment *experiment, ArcError *err)
{
    const ArcGoal *goal = &experiment->aim.goal;
    ArcPlace place = goal->place;
    if (place.file == NULL)
        place = (ArcPlace){experiment->path, 1, 1};
    if (experiment->equations != NULL)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "aim throws a ball, and own equations are none; describe it by "
                                "`flight`");
    if (experiment->closure.is_on)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "aim knows the equations alone, without what a closure learned; "
                                "leave `closure` out");
    if (!arc_goal_is_target(goal))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "there is nothing to hit; give aim.target with point, hoop or "
                                "area");
    return ARC_OK;
}

/* The surface that the goal is met on. */
static void take_surface(ArcShot *shot)
{
    const ArcFlight *flight = &shot->experiment->flight;
    const ArcGoal *goal = shot->goal;
    int axis = goal->kind == ARC_GOAL_HOOP ? shot->up : goal->axis;
    shot->surface = goal->kind == ARC_GOAL_POINT
                        ? arc_surface_point(flight, goal->point_m)
                        : arc_surface_plane(flight, (ArcPlane){axis, goal->point_m[axis]});
    shot->direction = goal->kind == ARC_GOAL_POINT  ? ARC_SIM_RISING
                      : goal->kind == ARC_GOAL_HOOP ? ARC_SIM_FALLING
                                                    : ARC_SIM_EITHER;
}

ArcStatus arc_shot_create(const ArcExperiment *experiment, ArcArena *arena, ArcShot **result,
                          ArcError *err)
{
    ArcStatus status = check(experiment, err);
    ArcShot *shot = status == ARC_OK ? ARC_ALLOC(arena, 1, ArcShot) : NULL;
    if (status != ARC_OK)
        return status;
    if (shot == NULL)
        return arc_error_no_memory(err);
    int P = experiment->flight.n_parameters, d = experiment->flight.settings.dimensions;
    *shot = (ArcShot){.experiment = experiment,
                      .goal = &experiment->aim.goal,
                      .n = experiment->n_parameters,
                      .P = P,
                      .d = d,
                      .up = experiment->flight.settings.up,
                      .release = P + 1,
                      .arm = P + 1 + 2 * d};
    shot->values = ARC_ALLOC(arena, (size_t)shot->n, double);
    if (shot->values == NULL)
        return arc_error_no_memory(err);
    if (experiment->has_arm) {
        shot->tie = ARC_ALLOC(arena, (size_t)(2 * d * experiment->arm.n_parameters), double);
        if (shot->tie == NULL)
            return arc_error_no_memory(err);
    }
    take_surface(shot);
    ArcThrow thrown = {&experiment->flight,
                       experiment->has_arm ? ARC_RELEASE_CARTESIAN : experiment->release,
                       shot->values};
    status = arc_flown_create(thrown, 1, arena, &shot->flown, err);
    if (status == ARC_OK)
        *result = shot;
    return status;
}

const ArcExperiment *arc_shot_experiment(const ArcShot *shot)
{
    return shot->experiment;
}

/* Release position and velocity of the arm by its parameters. */
static void take_tie(ArcShot *shot, const ArcArmPoint *point)
{
    const ArcArm *arm = &shot->experiment->arm;
    int A = arm->n_parameters;
    memset(shot->tie, 0, sizeof(double) * (size_t)(2 * shot->d * A));
    for (int c = 0; c < shot->d; c++) {
        double *of_x = shot->tie + c * A, *of_v = shot->tie + (shot->d + c) * A;
        memcpy(of_x, point->x_p[c], sizeof(double) * (size_t)arm->n_geometry);
        memcpy(of_v, point->v_p[c], sizeof(double) * (size_t)arm->n_geometry);
        for (int j = 0; j < arm->settings.n_joints; j++) {
            of_x[arm->theta + j] = point->x_theta[c][j];
            of_v[arm->theta + j] = point->v_theta[c][j];
            of_v[arm->omega + j] = point->x_theta[c][j];
        }
    }
}

bool arc_shot_tie(ArcShot *shot, double *values)
{
    if (shot->tie == NULL)
        return true;
    const ArcArm *arm = &shot->experiment->arm;
    ArcArmPoint point;
    const double *p = values + shot->arm;
    arc_arm_point(arm, ARC_ARM_BALL, p, p + arm->theta, p + arm->omega, &point);
    memcpy(values + shot->release, point.x_m, sizeof(double) * (size_t)shot->d);
    memcpy(values + shot->release + shot->d, point.v_m_s, sizeof(double) * (size_t)shot->d);
    take_tie(shot, &point);
    return true;
}

static bool take_values(ArcShot *shot, const double *values)
{
    memcpy(shot->values, values, sizeof(double) * (size_t)shot->n);
    return arc_shot_tie(shot, shot->values);
}

/* One row of columns q of the flight onto the experiment's parameters. */
static void chain(const ArcShot *shot, const double *q_row, double *by)
{
    memset(by, 0, sizeof(double) * (size_t)shot->n);
    arc_flyer_chain(&shot->flown->thrown, 0, q_row, 0.0, by);
    by[shot->P] = 0.0;
    if (shot->tie == NULL)
        return;
    int A = shot->experiment->arm.n_parameters;
    for (int row = 0; row < 2 * shot->d; row++) {
        double slope = by[shot->release + row];
        by[shot->release + row] = 0.0;
        for (int k = 0; k < A; k++)
            by[shot->arm + k] += slope * shot->tie[row * A + k];
    }
}

/* What the last flight left. */
static void take_state(const ArcShot *shot, double t_s, bool is_event, bool partials,
                       ArcShotState *state)
{
    const ArcFlown *flown = shot->flown;
    state->t_s = t_s - shot->values[shot->P];
    for (int c = 0; c < 3; c++) {
        bool is_there = c < shot->d;
        state->x_m[c] = is_there ? flown->x[c] : 0.0;
        state->v_m_s[c] = is_there ? flown->v[c] : 0.0;
        state->a_m_s2[c] = is_there ? flown->a[c] : 0.0;
        if (!partials)
            continue;
        memset(state->by_x[c], 0, sizeof state->by_x[c]);
        memset(state->by_v[c], 0, sizeof state->by_v[c]);
        if (is_there) {
            chain(shot, flown->x_q + c * flown->Q, state->by_x[c]);
            chain(shot, flown->v_q + c * flown->Q, state->by_v[c]);
        }
    }
    if (!partials)
        return;
    memset(state->by_t, 0, sizeof state->by_t);
    if (is_event)
        chain(shot, flown->t_q, state->by_t);
}

bool arc_shot_at(ArcShot *shot, const double *values, double time_s, bool partials,
                 ArcShotState *state)
{
    if (!take_values(shot, values))
        return false;
    double t_s = shot->values[shot->P] + time_s;
    if (!arc_flown_states(shot->flown, 1, &t_s, partials))
        return false;
    take_state(shot, t_s, false, partials, state);
    return true;
}

static bool find(ArcShot *shot, const double *values, const ArcSimEvent *event, bool partials,
                 ArcShotState *state)
{
    if (!take_values(shot, values))
        return false;
    ArcFlown *flown = shot->flown;
    ArcSimMeeting meeting = {.x = flown->x,
                             .v = flown->v,
                             .a = flown->a,
                             .t_q = partials ? flown->t_q : NULL,
                             .x_q = partials ? flown->x_q : NULL,
                             .v_q = partials ? flown->v_q : NULL};
    if (!arc_flyer_find(flown->flyer, &flown->thrown, event, ARC_LONGEST_FLIGHT_S, &meeting))
        return false;
    take_state(shot, meeting.t, true, partials, state);
    return true;
}

/* A surface that counts from a time on, by which g has fallen below zero again. */
typedef struct Later {
    ArcSimEvent event;
    double after_s;
    int d;
} Later;

static double later_value(const void *context, double t, const double *x, const double *v,
                          double *g_t, double *g_x, double *g_v)
{
    const Later *later = context;
    double g = later->event.value(later->event.context, t, x, v, g_t, g_x, g_v);
    if (t >= later->after_s || g <= 0.0)
        return g;
    *g_t = -*g_t;
    for (int c = 0; c < later->d; c++) {
        g_x[c] = -g_x[c];
        g_v[c] = -g_v[c];
    }
    return -g;
}

static double distance_to(const ArcShot *shot, const ArcShotState *state)
{
    double square = 0.0;
    for (int c = 0; c < shot->d; c++)
        square += pow(state->x_m[c] - shot->goal->point_m[c], 2);
    return sqrt(square);
}

/* A steep throw passes a point on its way up, and may come nearer on its way down: where the top is
 * before the point again. */
static void meet_later(ArcShot *shot, const double *values, bool partials, ArcShotState *state)
{
    ArcShotState top, again;
    double ahead = 0.0;
    if (!arc_shot_apex(shot, values, false, &top))
        return;
    for (int c = 0; c < shot->d; c++)
        ahead += (shot->goal->point_m[c] - top.x_m[c]) * top.v_m_s[c];
    const Later later = {arc_surface_event(&shot->surface, shot->direction), top.t_s, shot->d};
    const ArcSimEvent event = {&later, later_value, shot->direction};
    if (ahead > 0.0 && find(shot, values, &event, partials, &again) &&
        distance_to(shot, &again) < distance_to(shot, state))
        *state = again;
}

bool arc_shot_meet(ArcShot *shot, const double *values, bool partials, ArcShotState *state)
{
    const ArcSimEvent event = arc_surface_event(&shot->surface, shot->direction);
    if (!find(shot, values, &event, partials, state))
        return false;
    if (shot->goal->kind == ARC_GOAL_POINT && state->v_m_s[shot->up] > 0.0)
        meet_later(shot, values, partials, state);
    return true;
}

bool arc_shot_apex(ArcShot *shot, const double *values, bool partials, ArcShotState *state)
{
    const ArcSurface surface = arc_surface_turn(&shot->experiment->flight, shot->up);
    if (!arc_shot_release(shot, values, partials, state))
        return false;
    const ArcSimEvent event = arc_surface_event(&surface, ARC_SIM_FALLING);
    return state->v_m_s[shot->up] <= 0.0 || find(shot, values, &event, partials, state);
}

bool arc_shot_release(ArcShot *shot, const double *values, bool partials, ArcShotState *state)
{
    return arc_shot_at(shot, values, 0.0, partials, state);
}
