/* Predictions: states and crossings of a fitted flight, with first-order standard deviations.
 *
 * var(y) = g' C g with g = dy/dparameters. At a crossing of x_k = level the time's gradient is
 *   dt = -(dx_k) / v_k,   and that of any coordinate there   dx_i + v_i dt,  dv_i + a_i dt. */
#include "fit/predict.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { FIRST_WINDOW = 32, REFINEMENTS = 60 };
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
    flown->x_q = ARC_ALLOC(arena, 2 * n * D * Q, double);
    if (flown->x == NULL || flown->x_q == NULL)
        return arc_error_no_memory(err);
    flown->v = flown->x + n * D;
    flown->a = flown->v + n * D;
    flown->v_q = flown->x_q + n * D * Q;
    *result = flown;
    return arc_flyer_create(flight, predict_tolerance, arena, &flown->simulator, err);
}

bool arc_flown_states(ArcFlown *flown, int n, const double *t_s, bool partials)
{
    ArcSimOutput output = {.x = flown->x,
                           .v = flown->v,
                           .a = flown->a,
                           .x_q = partials ? flown->x_q : NULL,
                           .v_q = partials ? flown->v_q : NULL};
    return arc_flyer_run(flown->simulator, &flown->thrown, n, t_s, &output);
}

/* What a search looks at: position minus level, or velocity, of one axis. */
typedef struct Target {
    int axis;
    bool of_velocity;
    double level;
} Target;

static double target_value(const ArcFlown *flown, const Target *target, int i)
{
    int at = i * flown->thrown.flight->n_coordinates + target->axis;
    return target->of_velocity ? flown->v[at] : flown->x[at] - target->level;
}

static double target_slope(const ArcFlown *flown, const Target *target)
{
    return target->of_velocity ? flown->a[target->axis] : flown->v[target->axis];
}

/* Newton's method kept inside a bracket with a change of sign; leaves the state there, with
 * partials. */
static double refine(ArcFlown *flown, const Target *target, double low, double high, bool rises)
{
    double t = 0.5 * (low + high);
    for (int i = 0; i < REFINEMENTS; i++) {
        if (!arc_flown_states(flown, 1, &t, false))
            return NAN;
        double value = target_value(flown, target, 0);
        if ((value > 0.0) == rises)
            high = t;
        else
            low = t;
        double next = t - value / target_slope(flown, target);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        bool settled = fabs(next - t) <= 1e-14 * fabs(t) + 1e-15;
        t = next;
        if (settled)
            break;
    }
    return arc_flown_states(flown, 1, &t, true) ? t : NAN;
}

/* Between two times on the same side of the level the ball may be through it and back: it is, where
 * it turns in between beyond the level. NaN where it does not. */
static double search_turn(ArcFlown *flown, const Target *target, double low, double high,
                          bool is_above)
{
    const Target turning = {target->axis, true, 0.0};
    double turn = refine(flown, &turning, low, high, is_above);
    if (!isfinite(turn) || (target_value(flown, target, 0) > 0.0) == is_above)
        return NAN;
    return refine(flown, target, low, turn, !is_above);
}

/* Looks through windows that double, so that an early crossing costs a short flight. A start on the
 * level is no crossing. */
static double search(ArcFlown *flown, const Target *target, double after_s, double limit_s)
{
    double t0 = flown->thrown.values[flown->thrown.flight->n_parameters];
    double times[ARC_FLOWN_SEARCH];
    double before = NAN, speed_before = NAN, t_before = NAN, begin = after_s;
    for (double end = after_s + limit_s / FIRST_WINDOW; begin < limit_s; end *= 2.0) {
        end = fmin(end, limit_s);
        for (int i = 0; i < ARC_FLOWN_SEARCH; i++)
            times[i] = t0 + begin + (end - begin) * i / (ARC_FLOWN_SEARCH - 1);
        if (!arc_flown_states(flown, ARC_FLOWN_SEARCH, times, false))
            return NAN;
        for (int i = 0; i < ARC_FLOWN_SEARCH; i++) {
            double value = target_value(flown, target, i);
            double speed = flown->v[i * flown->thrown.flight->n_coordinates + target->axis];
            if (value == 0.0) /* its side is told by the next time */
                continue;
            if (isfinite(before) && (value > 0.0) != (before > 0.0))
                return refine(flown, target, t_before, times[i], value > 0.0);
            if (!target->of_velocity && before * speed_before < 0.0 && value * speed > 0.0) {
                double t = search_turn(flown, target, t_before, times[i], value > 0.0);
                if (isfinite(t))
                    return t;
            }
            before = value;
            speed_before = speed;
            t_before = times[i];
        }
        begin = end;
    }
    return NAN;
}

double arc_flown_crossing(ArcFlown *flown, ArcPlane plane, double after_s, double limit_s)
{
    Target target = {plane.axis, false, plane.level_m};
    return search(flown, &target, after_s, limit_s);
}

double arc_flown_turning(ArcFlown *flown, int axis, double limit_s)
{
    Target target = {axis, true, 0.0};
    return search(flown, &target, 0.0, limit_s);
}

double arc_fit_sd(const ArcFit *fit, const double *gradient)
{
    double variance = 0.0;
    for (int i = 0; i < fit->n_parameters; i++) {
        int k = fit->parameters[i].free_index;
        for (int j = 0; k >= 0 && j < fit->n_parameters; j++) {
            int l = fit->parameters[j].free_index;
            if (l >= 0)
                variance += gradient[i] * gradient[j] * fit->covariance[k * fit->n_free + l];
        }
    }
    double sd = sqrt(fmax(variance, 0.0));
    for (int g = 0; g < fit->n_unidentified; g++) {
        double along = 0.0;
        for (int i = 0; i < fit->n_parameters; i++) {
            int k = fit->parameters[i].free_index;
            if (k >= 0)
                along += gradient[i] * fit->null_directions[g * fit->n_free + k];
        }
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
        double gradient[ARC_MAX_PARAMETERS];
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

ArcStatus arc_predict_state(const ArcExperiment *experiment, const ArcFit *fit, int n,
                            const double *t_s, const ArcPrediction *prediction, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS];
    char text[2][ARC_NUMBER_TEXT];
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
            err, ARC_NUMERIC, "error: the flight cannot be followed to %s s; ask for earlier times",
            arc_number_write_digits(text[0], t_s[n - 1], 6));
    arc_arena_free(arena);
    return status;
}

/* sds at a crossing, where the state's gradient moves with the time's. */
static void crossing_sd(const ArcFlown *flown, const ArcFit *fit, int axis, ArcCrossing *crossing)
{
    int d = flown->thrown.flight->settings.dimensions;
    int Q = flown->thrown.flight->n_parameters + 2 * flown->thrown.flight->n_coordinates;
    double time[ARC_MAX_PARAMETERS], row[ARC_MAX_PARAMETERS];
    arc_flyer_chain(&flown->thrown, flown->x_q + axis * Q, flown->v[axis], time);
    for (int i = 0; i < fit->n_parameters; i++)
        time[i] = -time[i] / flown->v[axis];
    crossing->t_sd_s = arc_fit_sd(fit, time);
    for (int c = 0; c < d; c++) {
        arc_flyer_chain(&flown->thrown, flown->x_q + c * Q, flown->v[c], row);
        for (int i = 0; i < fit->n_parameters; i++)
            row[i] += flown->v[c] * time[i];
        crossing->x_sd_m[c] = c == axis ? 0.0 : arc_fit_sd(fit, row);
        arc_flyer_chain(&flown->thrown, flown->v_q + c * Q, flown->a[c], row);
        for (int i = 0; i < fit->n_parameters; i++)
            row[i] += flown->a[c] * time[i];
        crossing->v_sd_m_s[c] = arc_fit_sd(fit, row);
        crossing->x_m[c] = flown->x[c];
        crossing->v_m_s[c] = flown->v[c];
    }
}

ArcStatus arc_predict_crossing(const ArcExperiment *experiment, const ArcFit *fit, ArcPlane plane,
                               double limit_s, ArcCrossing *crossing, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    double values[ARC_MAX_PARAMETERS];
    copy_values(fit, values);
    ArcFlown *flown = NULL;
    ArcThrow thrown = {&experiment->flight, experiment->release, values};
    ArcStatus status = arc_flown_create(thrown, ARC_FLOWN_SEARCH, arena, &flown, err);
    if (status == ARC_OK) {
        ArcCrossing result = {.t_s = arc_flown_crossing(flown, plane, 0.0, limit_s)};
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
    ArcSimulator *simulator;
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
    if (arc_flyer_run(extended->simulator, &extended->thrown, n - inside, t_s + inside, &output))
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
    extended->last_s = problem->time_s[problem->n_times - 1];
    *trajectory = (ArcTrajectory){extended, extended_states};
    return arc_flyer_create(&problem->flight, predict_tolerance, arena, &extended->simulator, err);
}
