/* A throw from its parameters to its goal: the flight by the simulator, its columns mapped onto the
 * experiment's parameters.
 *
 * With y a number of the flight and (x0, v0) the release that an arm gives, of parameters p_A:
 *   dy/dp_A = dy/dx0 dx0/dp_A + dy/dv0 dv0/dp_A
 * Of a driven swing (torques.h) theta and omega of the release are themselves functions of the
 * other parameters of the arm:
 *   dx0/dp_A = dx0/dp_A |theta, omega + dx0/dtheta dtheta/dp_A + dx0/domega domega/dp_A
 */
#include "aim/shot.h"

#include "aim/torques.h"
#include "fit/predict.h"
#include "fit/surface.h"

#include <math.h>
#include <string.h>

enum { MOST_TURNS = 8, NEAR_STEPS = 6 };
static const double same_s = 1e-11;
static const double apart_s = 1e-6; /* of closest approaches */
static const double hit_m = 1e-9;   /* there is no nearer one */

struct ArcShot {
    const ArcExperiment *experiment;
    const ArcGoal *goal;
    int n, P, d, up;
    int release, arm;    /* first parameters of these: position, then velocity */
    double *values;      /* (n) tied */
    double *tie;         /* (2 d, A) of the release by the arm's; NULL: no arm */
    ArcTorques *torques; /* NULL: no swing */
    bool is_driven;
    double *release_p; /* (2 J, A) of theta and omega by the arm's; of a driven swing */
    double *by_p;      /* (ARC_TORQUES_MOST_TIMES, J, A) of its torques */
    ArcFlown *flown;   /* ARC_SHOT_PATH times at once */
    double *path_s;    /* (ARC_SHOT_PATH) by the experiment's clock */
    ArcSurface surface;
    ArcSimDirection direction;
};

ArcPlace arc_shot_place(const ArcExperiment *experiment)
{
    ArcPlace place = experiment->aim.goal.place;
    return place.file != NULL ? place : (ArcPlace){experiment->path, 1, 1};
}

static ArcStatus check(const ArcExperiment *experiment, ArcError *err)
{
    const ArcGoal *goal = &experiment->aim.goal;
    ArcPlace place = arc_shot_place(experiment);
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

/* What is needed of an arm and its swing. */
static ArcStatus create_arm(ArcShot *shot, ArcArena *arena, ArcError *err)
{
    const ArcExperiment *experiment = shot->experiment;
    size_t J = (size_t)experiment->arm.settings.n_joints;
    size_t A = (size_t)experiment->arm.n_parameters;
    ArcStatus status = arc_torques_create(experiment, arena, &shot->torques, err);
    if (status != ARC_OK || !experiment->has_arm)
        return status;
    shot->is_driven = arc_torques_is_driven(experiment);
    shot->tie = ARC_ALLOC(arena, 2 * (size_t)shot->d * A, double);
    shot->release_p = ARC_ALLOC(arena, 2 * J * A, double);
    shot->by_p =
        ARC_ALLOC(arena, shot->torques != NULL ? ARC_TORQUES_MOST_TIMES * J * A : 0, double);
    return shot->tie == NULL || shot->release_p == NULL || shot->by_p == NULL
               ? arc_error_no_memory(err)
               : ARC_OK;
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
    shot->path_s = ARC_ALLOC(arena, ARC_SHOT_PATH, double);
    if (shot->values == NULL || shot->path_s == NULL)
        return arc_error_no_memory(err);
    status = create_arm(shot, arena, err);
    if (status != ARC_OK)
        return status;
    take_surface(shot);
    ArcThrow thrown = {&experiment->flight,
                       experiment->has_arm ? ARC_RELEASE_CARTESIAN : experiment->release,
                       shot->values};
    status = arc_flown_create(thrown, ARC_SHOT_PATH, arena, &shot->flown, err);
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

/* by (A) by all of the arm's parameters becomes one with theta and omega following from the others,
 * where a swing is driven. */
static void follow_swing(const ArcShot *shot, double *by)
{
    const ArcArm *arm = &shot->experiment->arm;
    int J = arm->settings.n_joints, A = arm->n_parameters;
    double slope[2 * ARC_ARM_MAX_JOINTS];
    if (!shot->is_driven)
        return;
    memcpy(slope, by + arm->theta, sizeof(double) * (size_t)(2 * J));
    memset(by + arm->theta, 0, sizeof(double) * (size_t)(2 * J));
    for (int row = 0; row < 2 * J; row++)
        for (int k = 0; k < A; k++)
            by[k] += slope[row] * shot->release_p[row * A + k];
}

static bool tie(ArcShot *shot, double *values, bool partials)
{
    if (shot->tie == NULL)
        return true;
    const ArcArm *arm = &shot->experiment->arm;
    ArcArmPoint point;
    double *p = values + shot->arm;
    if (shot->is_driven &&
        !arc_torques_release(shot->torques, p, partials ? shot->release_p : NULL))
        return false;
    arc_arm_point(arm, ARC_ARM_BALL, p, p + arm->theta, p + arm->omega, &point);
    memcpy(values + shot->release, point.x_m, sizeof(double) * (size_t)shot->d);
    memcpy(values + shot->release + shot->d, point.v_m_s, sizeof(double) * (size_t)shot->d);
    if (!partials)
        return true;
    take_tie(shot, &point);
    for (int row = 0; row < 2 * shot->d; row++)
        follow_swing(shot, shot->tie + row * arm->n_parameters);
    return true;
}

bool arc_shot_tie(ArcShot *shot, double *values)
{
    return tie(shot, values, false);
}

static bool take_values(ArcShot *shot, const double *values, bool partials)
{
    memcpy(shot->values, values, sizeof(double) * (size_t)shot->n);
    return tie(shot, shot->values, partials);
}

const ArcThrow *arc_shot_throw(ArcShot *shot, const double *values, bool partials)
{
    return take_values(shot, values, partials) ? &shot->flown->thrown : NULL;
}

void arc_shot_chain(const ArcShot *shot, const double *q_row, double *by)
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
            arc_shot_chain(shot, flown->x_q + c * flown->Q, state->by_x[c]);
            arc_shot_chain(shot, flown->v_q + c * flown->Q, state->by_v[c]);
        }
    }
    if (!partials)
        return;
    memset(state->by_t, 0, sizeof state->by_t);
    if (is_event)
        arc_shot_chain(shot, flown->t_q, state->by_t);
}

bool arc_shot_at(ArcShot *shot, const double *values, double time_s, bool partials,
                 ArcShotState *state)
{
    if (!take_values(shot, values, partials))
        return false;
    double t_s = shot->values[shot->P] + time_s;
    if (!arc_flown_states(shot->flown, 1, &t_s, partials))
        return false;
    take_state(shot, t_s, false, partials, state);
    return true;
}

static bool find(ArcShot *shot, const double *values, const ArcSimEvent *event, double limit_s,
                 bool partials, ArcShotState *state)
{
    if (!take_values(shot, values, partials))
        return false;
    ArcFlown *flown = shot->flown;
    ArcSimMeeting meeting = {.x = flown->x,
                             .v = flown->v,
                             .a = flown->a,
                             .t_q = partials ? flown->t_q : NULL,
                             .x_q = partials ? flown->x_q : NULL,
                             .v_q = partials ? flown->v_q : NULL};
    if (!arc_flyer_find(flown->flyer, &flown->thrown, event, limit_s, &meeting))
        return false;
    take_state(shot, meeting.t, true, partials, state);
    return true;
}

/* A surface that counts from a time on; before it g keeps to one side. */
typedef struct Later {
    ArcSimEvent event;
    double after_s, side;
    int d;
} Later;

static double later_value(const void *context, double t, const double *x, const double *v,
                          double *g_t, double *g_x, double *g_v)
{
    const Later *later = context;
    double g = later->event.value(later->event.context, t, x, v, g_t, g_x, g_v);
    if (t >= later->after_s || g * later->side >= 0.0)
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

/* A throw may pass a point more than once: a steep one on its way up and down, one that curves at
 * each turn. Of its closest approaches the nearest. */
static void meet_again(ArcShot *shot, const double *values, bool partials, ArcShotState *state)
{
    const ArcSimEvent nearing = arc_surface_event(&shot->surface, ARC_SIM_FALLING);
    const ArcSimEvent passing = arc_surface_event(&shot->surface, ARC_SIM_RISING);
    /* By when it turns on its way up; twice, as lift may hold it there. */
    double g = shot->experiment->flight.settings.gravity_m_s2;
    double rise_s = g > 0.0 ? 2.0 * state->v_m_s[shot->up] / g : 0.0;
    ArcShotState away, again = {.t_s = state->t_s};
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        double until_s = fmin(again.t_s + fmax(again.t_s + 1.0, rise_s), ARC_LONGEST_FLIGHT_S);
        const Later leaving = {nearing, again.t_s + apart_s, 1.0, shot->d};
        const ArcSimEvent turned = {&leaving, later_value, ARC_SIM_FALLING};
        if (!find(shot, values, &turned, until_s, false, &away))
            return;
        const Later coming = {passing, away.t_s + apart_s, -1.0, shot->d};
        const ArcSimEvent met = {&coming, later_value, ARC_SIM_RISING};
        if (!find(shot, values, &met, ARC_LONGEST_FLIGHT_S, partials, &again))
            return;
        if (distance_to(shot, &again) < distance_to(shot, state))
            *state = again;
    }
}

bool arc_shot_meet(ArcShot *shot, const double *values, bool partials, ArcShotState *state)
{
    const ArcSimEvent event = arc_surface_event(&shot->surface, shot->direction);
    if (!find(shot, values, &event, ARC_LONGEST_FLIGHT_S, partials, state))
        return false;
    bool may_return = state->v_m_s[shot->up] > 0.0 || shot->experiment->flight.has_rotation;
    if (shot->goal->kind == ARC_GOAL_POINT && may_return && distance_to(shot, state) > hit_m)
        meet_again(shot, values, partials, state);
    return true;
}

/* Total derivatives at an event from those at its time, by g's partials. */
static void make_total(const ArcShot *shot, const double *g_x, const double *g_v, double slope,
                       ArcShotState *state)
{
    for (int i = 0; i < shot->n; i++) {
        double change = 0.0;
        for (int c = 0; c < shot->d; c++)
            change += g_x[c] * state->by_x[c][i] + g_v[c] * state->by_v[c][i];
        state->by_t[i] = -change / slope;
        for (int c = 0; c < shot->d; c++) {
            state->by_x[c][i] += state->v_m_s[c] * state->by_t[i];
            state->by_v[c][i] += state->a_m_s2[c] * state->by_t[i];
        }
    }
}

bool arc_shot_meet_near(ArcShot *shot, const double *values, double time_s, bool partials,
                        ArcShotState *state)
{
    const ArcSimEvent event = arc_surface_event(&shot->surface, shot->direction);
    double g_x[ARC_SIM_MAX_DIMENSIONS], g_v[ARC_SIM_MAX_DIMENSIONS], slope;
    for (int step = 0; step < NEAR_STEPS; step++) {
        if (!arc_shot_at(shot, values, time_s, partials, state))
            return false;
        double g = event.value(event.context, time_s, state->x_m, state->v_m_s, &slope, g_x, g_v);
        for (int c = 0; c < shot->d; c++)
            slope += g_x[c] * state->v_m_s[c] + g_v[c] * state->a_m_s2[c];
        double by_s = -g / slope;
        if (!(slope * (double)shot->direction >= 0.0) || !isfinite(by_s))
            return false;
        if (fabs(by_s) <= same_s) {
            if (partials)
                make_total(shot, g_x, g_v, slope, state);
            return true;
        }
        time_s += by_s;
    }
    return false;
}

ArcStatus arc_shot_loosen(ArcShot *shot, double tolerance, ArcArena *arena, ArcError *err)
{
    return arc_flyer_create(&shot->experiment->flight, tolerance, arena, &shot->flown->flyer, err);
}

bool arc_shot_apex(ArcShot *shot, const double *values, bool partials, ArcShotState *state)
{
    const ArcSurface surface = arc_surface_turn(&shot->experiment->flight, shot->up);
    if (!arc_shot_release(shot, values, partials, state))
        return false;
    const ArcSimEvent event = arc_surface_event(&surface, ARC_SIM_FALLING);
    bool falls = state->v_m_s[shot->up] <= 0.0;
    if (falls && !shot->experiment->flight.settings.bounce.is_on)
        return true;
    return find(shot, values, &event, ARC_LONGEST_FLIGHT_S, partials, state) ||
           (falls && arc_shot_release(shot, values, partials, state));
}

bool arc_shot_release(ArcShot *shot, const double *values, bool partials, ArcShotState *state)
{
    return arc_shot_at(shot, values, 0.0, partials, state);
}

bool arc_shot_path(ArcShot *shot, const double *values, int n, const double *time_s,
                   ArcShotPath *path)
{
    const ArcFlown *flown = shot->flown;
    if (!take_values(shot, values, false))
        return false;
    for (int i = 0; i < n; i++)
        shot->path_s[i] = shot->values[shot->P] + time_s[i];
    *path = (ArcShotPath){shot->experiment->flight.n_coordinates, flown->x, flown->v, flown->a};
    return arc_flown_states(shot->flown, n, shot->path_s, false);
}

/* A gradient by the arm's parameters as one by the experiment's. */
static void spread(const ArcShot *shot, const double *by_p, double *by)
{
    memset(by, 0, sizeof(double) * (size_t)shot->n);
    memcpy(by + shot->arm, by_p, sizeof(double) * (size_t)shot->experiment->arm.n_parameters);
}

bool arc_shot_peak_torque(ArcShot *shot, const double *values, double *peak_n_m, double *by)
{
    ArcTorquesPeak peak;
    if (shot->torques == NULL ||
        !arc_torques_peak(shot->torques, values + shot->arm, by != NULL, &peak))
        return false;
    *peak_n_m = peak.torque_n_m;
    if (by != NULL)
        spread(shot, peak.by, by);
    return true;
}

bool arc_shot_torques(ArcShot *shot, const double *values, int n_times, double *torque_n_m,
                      double *by)
{
    int J = shot->experiment->arm.settings.n_joints, A = shot->experiment->arm.n_parameters;
    if (shot->torques == NULL || !arc_torques_at(shot->torques, values + shot->arm, n_times,
                                                 torque_n_m, by != NULL ? shot->by_p : NULL))
        return false;
    for (int row = 0; by != NULL && row < n_times * J; row++)
        spread(shot, shot->by_p + (size_t)row * (size_t)A, by + (size_t)row * (size_t)shot->n);
    return true;
}

int arc_shot_over_limits(ArcShot *shot, const double *values, double *over, double *by)
{
    int A = shot->experiment->arm.n_parameters;
    if (shot->torques == NULL)
        return 0;
    int n = arc_torques_over_limits(shot->torques, values + shot->arm, over,
                                    by != NULL ? shot->by_p : NULL);
    for (int row = 0; by != NULL && row < n; row++)
        spread(shot, shot->by_p + (size_t)row * (size_t)A, by + (size_t)row * (size_t)shot->n);
    return n;
}

int arc_shot_count_limits(const ArcShot *shot)
{
    const ArcArmSettings *arm = &shot->experiment->arm.settings;
    int n = 0;
    for (int j = 0; shot->torques != NULL && j < arm->n_joints; j++) {
        const ArcArmJoint *joint = &arm->joints[j];
        n += isfinite(joint->low_rad) + isfinite(joint->high_rad);
        n += isfinite(joint->rate_limit_rad_s);
    }
    return n;
}

bool arc_shot_arm_energy(ArcShot *shot, const double *values, double *energy_j, double *by)
{
    double by_p[ARC_ARM_MAX_PARAMETERS];
    if (shot->torques == NULL || !take_values(shot, values, by != NULL))
        return false;
    *energy_j =
        arc_torques_energy(shot->torques, shot->values + shot->arm, by != NULL ? by_p : NULL);
    if (by == NULL)
        return true;
    follow_swing(shot, by_p);
    spread(shot, by_p, by);
    return true;
}

bool arc_shot_commands(ArcShot *shot, const double *values, double *commands_rad)
{
    const ArcArm *arm = &shot->experiment->arm;
    memset(commands_rad, 0, sizeof(double) * ARC_ARM_MAX_JOINTS);
    if (!shot->experiment->has_arm)
        return true;
    if (!take_values(shot, values, false))
        return false;
    const double *p = shot->values + shot->arm;
    for (int j = 0; j < arm->settings.n_joints; j++)
        commands_rad[j] = arm->gain < 0 ? p[arm->theta + j]
                                        : p[arm->gain + j] * p[arm->theta + j] + p[arm->offset + j];
    return true;
}
