/* By how much a fit's own trajectory leaves the equations of motion.
 *
 * The states are those that the fit holds, so that no net is needed: residual = a - law(t, x, v).
 * What the law asks for beside them is followed along the states: the path flown through the air,
 * by Simpson's rule over each interval with the cubic through its ends, and the spin that each
 * bounce leaves (segment.h), met where x + v s + a s^2 / 2 reaches the plane.
 */
#include "fit/phase.h"
#include "fit/predict.h"
#include "fit/segment.h"

#include <math.h>
#include <string.h>

/* A state with the coordinate of the path, where the flight keeps one. */
typedef struct State {
    double s; /* since the release */
    double x[ARC_SIM_MAX_DIMENSIONS], v[ARC_SIM_MAX_DIMENSIONS];
    double a[ARC_SIM_MAX_DIMENSIONS];
} State;

typedef struct Following {
    const ArcProblem *problem;
    const ArcFit *fit;
    double *values; /* with the spin of the present segment */
    double t0_s;
} Following;

static void law_at(const Following *following, const State *state, double *a)
{
    const ArcPhaseStates states = {.n = 1, .s = &state->s, .x = state->x, .v = state->v, .a = a};
    arc_problem_accelerate(following->problem, following->values, &states);
}

/* The fit's i-th state; path: flown until there. */
static State state_of(const Following *following, int i, double path)
{
    const ArcFit *fit = following->fit;
    int d = following->problem->d;
    State state = {.s = fit->time_s[i] - following->t0_s};
    memcpy(state.x, fit->position_m + i * d, sizeof(double) * (size_t)d);
    memcpy(state.v, fit->velocity_m_s + i * d, sizeof(double) * (size_t)d);
    memcpy(state.a, fit->acceleration_m_s2 + i * d, sizeof(double) * (size_t)d);
    state.v[d] = path;
    return state;
}

static double air_speed(const Following *following, const State *state)
{
    double a[ARC_SIM_MAX_DIMENSIONS];
    law_at(following, state, a);
    return a[following->problem->d];
}

/* The path through the air from one state to another of the same segment; 0 where none is kept. */
static double path_between(const Following *following, const State *from, const State *to)
{
    int d = following->problem->d;
    if (following->problem->D == d)
        return 0.0;
    double h = to->s - from->s;
    State middle = *from;
    middle.s += 0.5 * h;
    for (int c = 0; c < d; c++) {
        middle.x[c] = 0.5 * (from->x[c] + to->x[c]) + h / 8.0 * (from->v[c] - to->v[c]);
        middle.v[c] = 0.5 * (from->v[c] + to->v[c]) + h / 8.0 * (from->a[c] - to->a[c]);
    }
    return h / 6.0 *
           (air_speed(following, from) + 4.0 * air_speed(following, &middle) +
            air_speed(following, to));
}

/* The state that a bounce leaves, with its spin among the values; from: the state of the row before
 * it. False where the ball does not leave the plane. */
static bool bounce_from(const Following *following, const ArcMet *met, const State *from,
                        State *after)
{
    const ArcProblem *problem = following->problem;
    State at = {.s = met->time_s - following->t0_s};
    size_t position = sizeof(double) * (size_t)problem->d;
    size_t bytes = sizeof(double) * (size_t)problem->flight.n_parameters;
    memcpy(at.x, met->x_m, position);
    memcpy(at.v, met->v_m_s, position);
    memcpy(at.a, met->a_m_s2, position);
    at.v[problem->d] = from->v[problem->d] + path_between(following, from, &at);
    ArcSegment segment = {0};
    memcpy(segment.p, following->values, bytes);
    const ArcSimMeeting meeting = {.t = at.s, .x = at.x, .v = at.v, .a = at.a};
    if (!arc_segment_bounce(&problem->flight, 0.0, &meeting, &segment, NULL))
        return false;
    memcpy(following->values, segment.p, bytes);
    memcpy(at.v, segment.v, sizeof(double) * (size_t)problem->D);
    law_at(following, &at, at.a);
    *after = at;
    return true;
}

static void follow(const Following *following, double *residual)
{
    ArcMet bounces[ARC_FLYER_BOUNCES];
    const ArcFit *fit = following->fit;
    int d = following->problem->d, k = 0;
    int n = arc_predict_bounces(&following->problem->flight, fit, ARC_FLYER_BOUNCES, bounces);
    State before = state_of(following, 0, 0.0);
    for (int i = 0; i < fit->n_trajectory; i++) {
        double a[ARC_SIM_MAX_DIMENSIONS];
        if (k < n && bounces[k].row == i - 1) {
            State from = before;
            bounce_from(following, &bounces[k++], &from, &before);
        }
        State state = state_of(following, i, before.v[d]);
        if (i > 0)
            state.v[d] += path_between(following, &before, &state);
        law_at(following, &state, a);
        for (int c = 0; c < d; c++)
            residual[i * d + c] = state.a[c] - a[c];
        before = state;
    }
}

ArcStatus arc_predict_physics(const ArcExperiment *experiment, const ArcFit *fit,
                              double *residual_m_s2, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS + ARC_CLOSURE_MAX_WEIGHTS];
    if (experiment->equations != NULL)
        return arc_error_set(err, ARC_USAGE,
                             "error: own equations have rates of their own; ask for a flight");
    if (fit->acceleration_m_s2 == NULL || fit->n_trajectory == 0)
        return arc_error_set(err, ARC_USAGE,
                             "error: the fit holds no accelerations; fit the experiment again");
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcProblem *problem = NULL;
    ArcStatus status = arc_predict_problem(experiment, fit, values, arena, &problem, err);
    if (status == ARC_OK) {
        const Following following = {problem, fit, values, values[problem->t0_index]};
        follow(&following, residual_m_s2);
    }
    arc_arena_free(arena);
    return status;
}
