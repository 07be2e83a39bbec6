/* Predictions: states and crossings of a fitted flight, with first-order standard deviations.
 *
 * var(y) = g' C g with g = dy/dparameters; at an event by its total derivatives (sim/event.h). */
#include "fit/predict.h"

#include "base/number.h"
#include "fit/surface.h"

#include <math.h>
#include <string.h>

static const double predict_tolerance = 1e-10;
/* A number moves along a null direction by less than this share of its sd when it does not depend
 * on it: the rest is rounding. */
static const double null_tolerance = 1e-5;

ArcStatus arc_flown_create(ArcThrow thrown, int capacity, ArcArena *arena, ArcFlown **result,
                           ArcError *err)
{
    const ArcFlight *flight = thrown.flight;
    ArcFlown *flown = ARC_ALLOC(arena, 1, ArcFlown);
    if (flown == NULL)
        return arc_error_no_memory(err);
    size_t D = (size_t)flight->n_coordinates, n = (size_t)capacity;
    size_t Q = (size_t)flight->n_parameters + 2 * D;
    *flown = (ArcFlown){.thrown = thrown, .capacity = capacity};
    flown->x = ARC_ALLOC(arena, 3 * n * D, double);
    flown->x_q = ARC_ALLOC(arena, 2 * n * D * Q + Q, double);
    if (flown->x == NULL || flown->x_q == NULL)
        return arc_error_no_memory(err);
    flown->v = flown->x + n * D;
    flown->a = flown->v + n * D;
    flown->v_q = flown->x_q + n * D * Q;
    flown->t_q = flown->v_q + n * D * Q;
    *result = flown;
    return arc_flyer_create(flight, predict_tolerance, arena, &flown->flyer, err);
}

ArcStatus arc_flown_close(ArcFlown *flown, const ArcProblem *problem, ArcArena *arena,
                          ArcError *err)
{
    return arc_flyer_create_closed(problem, true, predict_tolerance, arena, &flown->flyer, err);
}

bool arc_flown_states(ArcFlown *flown, int n, const double *t_s, bool partials)
{
    ArcSimOutput output = {.x = flown->x,
                           .v = flown->v,
                           .a = flown->a,
                           .x_q = partials ? flown->x_q : NULL,
                           .v_q = partials ? flown->v_q : NULL};
    return arc_flyer_run(flown->flyer, &flown->thrown, n, t_s, &output);
}

double arc_flown_find(ArcFlown *flown, const ArcSimEvent *event, double limit_s)
{
    ArcSimMeeting meeting = {.x = flown->x,
                             .v = flown->v,
                             .a = flown->a,
                             .t_q = flown->t_q,
                             .x_q = flown->x_q,
                             .v_q = flown->v_q};
    return arc_flyer_find(flown->flyer, &flown->thrown, event, limit_s, &meeting) ? meeting.t : NAN;
}

double arc_flown_crossing(ArcFlown *flown, ArcPlane plane, ArcSimDirection direction,
                          double limit_s)
{
    const ArcSurface surface = arc_surface_plane(flown->thrown.flight, plane);
    const ArcSimEvent event = arc_surface_event(&surface, direction);
    return arc_flown_find(flown, &event, limit_s);
}

double arc_flown_apex(ArcFlown *flown, int axis, double limit_s)
{
    const ArcSurface surface = arc_surface_turn(flown->thrown.flight, axis);
    const ArcSimEvent event = arc_surface_event(&surface, ARC_SIM_FALLING);
    return arc_flown_find(flown, &event, limit_s);
}

/* At an event all that counts from the release is the same whenever that was: rate 0. */
void arc_flown_time_gradient(const ArcFlown *flown, double *gradient)
{
    arc_flyer_chain(&flown->thrown, flown->t_q, 0.0, gradient);
}

void arc_flown_gradient(const ArcFlown *flown, int axis, double *of_x, double *of_v)
{
    const ArcFlight *flight = flown->thrown.flight;
    int Q = flight->n_parameters + 2 * flight->n_coordinates;
    arc_flyer_chain(&flown->thrown, flown->x_q + axis * Q, 0.0, of_x);
    arc_flyer_chain(&flown->thrown, flown->v_q + axis * Q, 0.0, of_v);
}

/* The gradient by the free parameters: what is tied passes its own on to them. */
static void gradient_of_free(const ArcFit *fit, const double *gradient, double *g)
{
    const ArcArmFit *arm = fit->arm;
    memset(g, 0, sizeof(double) * (size_t)fit->n_free);
    for (int i = 0; i < fit->n_parameters; i++)
        if (fit->parameters[i].free_index >= 0)
            g[fit->parameters[i].free_index] += gradient[i];
    for (int row = 0; arm != NULL && row < 2 * arm->dimensions; row++)
        for (int k = 0; k < fit->n_free; k++)
            g[k] += gradient[arm->release + row] * arm->tie[row * fit->n_free + k];
}

double arc_fit_sd(const ArcFit *fit, const double *gradient)
{
    double g[ARC_MAX_PARAMETERS], variance = 0.0;
    int n = fit->n_free;
    gradient_of_free(fit, gradient, g);
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            variance += g[k] * g[l] * fit->covariance[k * n + l];
    double sd = sqrt(fmax(variance, 0.0));
    for (int null = 0; null < fit->n_unidentified; null++) {
        double along = 0.0;
        for (int k = 0; k < n; k++)
            along += g[k] * fit->null_directions[null * n + k];
        if (fabs(along) > null_tolerance * sd)
            return NAN;
    }
    return sd;
}

static void copy_values(const ArcFit *fit, double *values)
{
    for (int i = 0; i < fit->n_parameters; i++)
        values[i] = fit->parameters[i].value;
}

/* sd of each axis of the i-th flown state from rows of partials and rates of change. */
static void state_sd(const ArcFlown *flown, const ArcFit *fit, int i, const double *rows,
                     const double *rates, double *sd)
{
    int d = flown->thrown.flight->settings.dimensions, D = flown->thrown.flight->n_coordinates;
    int Q = flown->thrown.flight->n_parameters + 2 * D;
    for (int c = 0; c < d; c++) {
        double gradient[ARC_MAX_PARAMETERS] = {0};
        int at = i * D + c;
        arc_flyer_chain(&flown->thrown, rows + at * Q, rates[at], gradient);
        sd[c] = arc_fit_sd(fit, gradient);
    }
}

/* What is wanted of the n states just flown. */
static void predict_fill(const ArcFlown *flown, const ArcFit *fit, int n,
                         const ArcPrediction *prediction)
{
    int d = flown->thrown.flight->settings.dimensions, D = flown->thrown.flight->n_coordinates;
    size_t bytes = sizeof(double) * (size_t)d;
    for (int i = 0; i < n; i++) {
        if (prediction->x_m != NULL)
            memcpy(prediction->x_m + i * d, flown->x + i * D, bytes);
        if (prediction->v_m_s != NULL)
            memcpy(prediction->v_m_s + i * d, flown->v + i * D, bytes);
        if (prediction->x_sd_m != NULL)
            state_sd(flown, fit, i, flown->x_q, flown->v, prediction->x_sd_m + i * d);
        if (prediction->v_sd_m_s != NULL)
            state_sd(flown, fit, i, flown->v_q, flown->a, prediction->v_sd_m_s + i * d);
    }
}

/* A simulation of the laws alone would be another flight. */
static ArcStatus refuse_closure(const ArcExperiment *experiment, ArcError *err)
{
    if (!experiment->closure.is_on)
        return ARC_OK;
    return arc_error_set(err, ARC_USAGE,
                         "error: what a closure adds is not predicted; its flights stand in the "
                         "result's trajectories up to their last points");
}

ArcStatus arc_predict_state(const ArcExperiment *experiment, const ArcFit *fit, int n,
                            const double *t_s, const ArcPrediction *prediction, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS];
    char text[2][ARC_NUMBER_TEXT];
    ArcStatus refused = refuse_closure(experiment, err);
    if (refused != ARC_OK)
        return refused;
    if (experiment->equations != NULL)
        return arc_predict_channels(experiment->equations, fit, n, t_s, prediction, err);
    copy_values(fit, values);
    double t0 = values[experiment->flight.n_parameters];
    if (n > 0 && !(t_s[0] >= t0))
        return arc_error_set(
            err, ARC_INPUT, "error: %s s is before the release at %s s; ask for later times",
            arc_number_write_digits(text[0], t_s[0], 6), arc_number_write_digits(text[1], t0, 6));
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcThrow thrown = {&experiment->flight, experiment->release, values};
    ArcFlown *flown = NULL;
    ArcStatus status = arc_flown_create(thrown, n, arena, &flown, err);
    if (status == ARC_OK && arc_flown_states(flown, n, t_s, true))
        predict_fill(flown, fit, n, prediction);
    else if (status == ARC_OK)
        status = arc_error_set(
            err, ARC_NUMERIC,
            "error: the flight cannot be followed to %s s: %s; ask for earlier times",
            arc_number_write_digits(text[0], t_s[n - 1], 6), arc_flyer_why(flown->flyer));
    arc_arena_free(arena);
    return status;
}

/* sds at a crossing; its time also moves with t0. */
static void crossing_sd(const ArcFlown *flown, const ArcFit *fit, int axis, ArcCrossing *crossing)
{
    int d = flown->thrown.flight->settings.dimensions;
    double of_x[ARC_MAX_PARAMETERS] = {0}, of_v[ARC_MAX_PARAMETERS] = {0};
    arc_flown_time_gradient(flown, of_x);
    of_x[flown->thrown.flight->n_parameters] = 1.0;
    crossing->t_sd_s = arc_fit_sd(fit, of_x);
    for (int c = 0; c < d; c++) {
        arc_flown_gradient(flown, c, of_x, of_v);
        crossing->x_sd_m[c] = c == axis ? 0.0 : arc_fit_sd(fit, of_x);
        crossing->v_sd_m_s[c] = arc_fit_sd(fit, of_v);
        crossing->x_m[c] = flown->x[c];
        crossing->v_m_s[c] = flown->v[c];
    }
}

ArcStatus arc_predict_crossing(const ArcExperiment *experiment, const ArcFit *fit, ArcPlane plane,
                               double limit_s, ArcCrossing *crossing, ArcError *err)
{
    ArcStatus refused = refuse_closure(experiment, err);
    if (refused != ARC_OK)
        return refused;
    if (experiment->equations != NULL)
        return arc_error_set(err, ARC_USAGE, "error: own equations know no planes; ask for times");
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    double values[ARC_MAX_PARAMETERS];
    copy_values(fit, values);
    ArcFlown *flown = NULL;
    ArcThrow thrown = {&experiment->flight, experiment->release, values};
    ArcStatus status = arc_flown_create(thrown, 1, arena, &flown, err);
    if (status == ARC_OK) {
        ArcCrossing result = {.t_s = arc_flown_crossing(flown, plane, ARC_SIM_EITHER, limit_s)};
        result.crossed = isfinite(result.t_s);
        if (result.crossed)
            crossing_sd(flown, fit, plane.axis, &result);
        *crossing = result;
    }
    arc_arena_free(arena);
    return status;
}

/* A method's own trajectory over the fitted times and the estimate flown after them. */
typedef struct Extended {
    ArcTrajectory own;
    ArcThrow thrown;
    ArcFlyer *flyer;
    double last_s; /* fitted time */
} Extended;

static bool extended_states(void *context, int n, const double *t_s, double *x, double *v,
                            double *a)
{
    const Extended *extended = context;
    int D = extended->thrown.flight->n_coordinates, inside = 0;
    while (inside < n && t_s[inside] <= extended->last_s)
        inside++;
    if (inside > 0 && !extended->own.states(extended->own.context, inside, t_s, x, v, a))
        return false;
    if (inside == n)
        return true;
    double *const states[3] = {x, v, a};
    double *later[3];
    for (int part = 0; part < 3; part++)
        later[part] = states[part] != NULL ? states[part] + inside * D : NULL;
    ArcSimOutput output = {.x = later[0], .v = later[1], .a = later[2]};
    if (arc_flyer_run(extended->flyer, &extended->thrown, n - inside, t_s + inside, &output))
        return true;
    for (int part = 0; part < 3; part++)
        for (int i = 0; later[part] != NULL && i < (n - inside) * D; i++)
            later[part][i] = NAN;
    return true;
}

ArcStatus arc_trajectory_extend(const ArcProblem *problem, const ArcOutcome *outcome,
                                ArcArena *arena, ArcTrajectory *trajectory, ArcError *err)
{
    Extended *extended = ARC_ALLOC(arena, 1, Extended);
    if (extended == NULL)
        return arc_error_no_memory(err);
    extended->own = outcome->trajectory;
    extended->thrown = (ArcThrow){&problem->flight, problem->release, outcome->values};
    extended->last_s = arc_problem_last_time(problem, outcome->values);
    *trajectory = (ArcTrajectory){extended, extended_states};
    return arc_flyer_create_closed(problem, true, predict_tolerance, arena, &extended->flyer, err);
}
