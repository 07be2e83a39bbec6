/* Predictions: states and crossings of a fitted flight, with first-order standard deviations.
 *
 * var(y) = g' C g with g = dy/dparameters; at an event by its total derivatives (sim/event.h). With
 * a closure, of weights w:
 *   var(y) = g' C g + 2 g' X h + h' W h,   h = dy/dw, X = cov(parameters, w), W = cov(w)
 * where along the flights the three nearly cancel: the data tell the sum of law and closure much
 * better than either. */
#include "fit/predict.h"

#include "base/number.h"
#include "fit/surface.h"
#include "model/closure.h"

#include <math.h>
#include <string.h>

static const double predict_tolerance = 1e-10;
/* A number moves along a null direction by less than this share of its sd when it does not depend
 * on it: the rest is rounding. */
static const double null_tolerance = 1e-5;

/* Room for the states at capacity times, with K weights' columns. */
static ArcStatus flown_reserve(ArcFlown *flown, int K, ArcArena *arena, ArcError *err)
{
    const ArcFlight *flight = flown->thrown.flight;
    size_t D = (size_t)flight->n_coordinates, n = (size_t)flown->capacity;
    size_t columns = (size_t)(flight->n_parameters + K) + 2 * D;
    flown->K = K;
    flown->Q = (int)columns;
    flown->x_q = ARC_ALLOC(arena, 2 * n * D * columns + columns, double);
    if (flown->x_q == NULL)
        return arc_error_no_memory(err);
    flown->v_q = flown->x_q + n * D * columns;
    flown->t_q = flown->v_q + n * D * columns;
    return ARC_OK;
}

ArcStatus arc_flown_create(ArcThrow thrown, int capacity, ArcArena *arena, ArcFlown **result,
                           ArcError *err)
{
    const ArcFlight *flight = thrown.flight;
    ArcFlown *flown = ARC_ALLOC(arena, 1, ArcFlown);
    if (flown == NULL)
        return arc_error_no_memory(err);
    size_t D = (size_t)flight->n_coordinates, n = (size_t)capacity;
    *flown = (ArcFlown){.thrown = thrown, .capacity = capacity};
    flown->x = ARC_ALLOC(arena, 3 * n * D, double);
    if (flown->x == NULL)
        return arc_error_no_memory(err);
    flown->v = flown->x + n * D;
    flown->a = flown->v + n * D;
    *result = flown;
    ArcStatus status = flown_reserve(flown, 0, arena, err);
    return status != ARC_OK
               ? status
               : arc_flyer_create(flight, predict_tolerance, arena, &flown->flyer, err);
}

ArcStatus arc_flown_close(ArcFlown *flown, const ArcProblem *problem, ArcArena *arena,
                          ArcError *err)
{
    ArcStatus status = flown_reserve(flown, problem->K, arena, err);
    return status != ARC_OK ? status
                            : arc_flyer_create_closed(problem, problem->K == 0, predict_tolerance,
                                                      arena, &flown->flyer, err);
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
    arc_flyer_chain(&flown->thrown, flown->K, flown->t_q, 0.0, gradient);
}

void arc_flown_gradient(const ArcFlown *flown, int axis, double *of_x, double *of_v)
{
    int from = axis * flown->Q;
    arc_flyer_chain(&flown->thrown, flown->K, flown->x_q + from, 0.0, of_x);
    arc_flyer_chain(&flown->thrown, flown->K, flown->v_q + from, 0.0, of_v);
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

/* 2 g' X h + h' W h of the closure's weights. */
static double variance_of_weights(const ArcFit *fit, const double *g, const double *h)
{
    int K = fit->closure->n_weights;
    const double *W = fit->closure->covariance;
    double variance = 0.0;
    for (int i = 0; i < K; i++) {
        double along = 0.0;
        for (int k = 0; k < fit->n_free; k++)
            along += 2.0 * g[k] * fit->weights_covariance[k * K + i];
        for (int j = 0; j < K; j++)
            along += W[i * K + j] * h[j];
        variance += h[i] * along;
    }
    return variance;
}

double arc_fit_sd(const ArcFit *fit, const double *gradient)
{
    double g[ARC_MAX_PARAMETERS], variance = 0.0;
    int n = fit->n_free;
    gradient_of_free(fit, gradient, g);
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            variance += g[k] * g[l] * fit->covariance[k * n + l];
    if (fit->weights_covariance != NULL)
        variance += variance_of_weights(fit, g, gradient + fit->n_parameters);
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

/* Without the closure that was fitted a flight would be another one. */
static ArcStatus refuse_closure(const ArcExperiment *experiment, const ArcFit *fit, ArcError *err)
{
    if (!experiment->closure.is_on || fit->closure != NULL)
        return ARC_OK;
    return arc_error_set(err, ARC_USAGE,
                         "error: the fit does not hold its closure, without which its flights "
                         "cannot be predicted; fit the experiment again");
}

ArcStatus arc_predict_problem(const ArcExperiment *experiment, const ArcFit *fit, double *values,
                              ArcArena *arena, ArcProblem **result, ArcError *err)
{
    const ArcFlight *flight = &experiment->flight;
    const ArcClosureFit *learned = fit->closure;
    int d = flight->settings.dimensions, D = flight->n_coordinates;
    ArcClosure *closure = NULL;
    ArcStatus status = refuse_closure(experiment, fit, err);
    if (status == ARC_OK && learned != NULL)
        status = arc_closure_restore(learned, flight, D, arena, &closure, err);
    if (status != ARC_OK)
        return status;
    ArcProblem *problem = ARC_ALLOC(arena, 1, ArcProblem);
    if (problem == NULL)
        return arc_error_no_memory(err);
    int K = closure != NULL && fit->weights_covariance != NULL ? learned->n_weights : 0;
    *problem = (ArcProblem){.flight = *flight,
                            .release = experiment->release,
                            .d = d,
                            .D = D,
                            .P = flight->n_parameters + K,
                            .t0_index = flight->n_parameters,
                            .n_parameters = flight->n_parameters + 1 + 2 * d,
                            .closure = closure,
                            .K = K};
    for (int i = 0; i < fit->n_parameters; i++)
        values[i] = fit->parameters[i].value;
    if (closure != NULL)
        memcpy(values + problem->n_parameters, learned->weights,
               sizeof(double) * (size_t)learned->n_weights);
    *result = problem;
    return ARC_OK;
}

/* The fit's estimate in the air, with its closure where it has one, whose weights the flyer looks
 * for behind the release. values: room for the parameters and the weights. */
static ArcStatus create_flown(const ArcExperiment *experiment, const ArcFit *fit, double *values,
                              int n, ArcArena *arena, ArcFlown **flown, ArcError *err)
{
    ArcProblem *problem = NULL;
    ArcThrow thrown = {&experiment->flight, experiment->release, values};
    ArcStatus status = arc_predict_problem(experiment, fit, values, arena, &problem, err);
    if (status == ARC_OK)
        status = arc_flown_create(thrown, n, arena, flown, err);
    if (status == ARC_OK && problem->closure != NULL)
        status = arc_flown_close(*flown, problem, arena, err);
    return status;
}

/* sd of each axis of the i-th flown state from rows of partials and rates of change. */
static void state_sd(const ArcFlown *flown, const ArcFit *fit, int i, const double *rows,
                     const double *rates, double *sd)
{
    int d = flown->thrown.flight->settings.dimensions, D = flown->thrown.flight->n_coordinates;
    for (int c = 0; c < d; c++) {
        double gradient[ARC_MAX_GRADIENT] = {0};
        int at = i * D + c;
        const double *row = rows + (size_t)at * (size_t)flown->Q;
        arc_flyer_chain(&flown->thrown, flown->K, row, rates[at], gradient);
        sd[c] = arc_fit_sd(fit, gradient);
    }
}

/* C (d, d) of the i-th flown position by cov(a, b) = (var(a + b) - var(a) - var(b)) / 2, and sd (d;
 * may be NULL). */
static void position_covariance(const ArcFlown *flown, const ArcFit *fit, int i, double *C,
                                double *sd)
{
    int d = flown->thrown.flight->settings.dimensions, D = flown->thrown.flight->n_coordinates;
    int n = fit->n_parameters + flown->K;
    double gradient[3][ARC_MAX_GRADIENT] = {{0}}, sum[ARC_MAX_GRADIENT];
    for (int c = 0; c < d; c++) {
        const double *row = flown->x_q + (size_t)(i * D + c) * (size_t)flown->Q;
        arc_flyer_chain(&flown->thrown, flown->K, row, flown->v[i * D + c], gradient[c]);
        double own = arc_fit_sd(fit, gradient[c]);
        C[c * d + c] = own * own;
        if (sd != NULL)
            sd[c] = own;
        for (int e = 0; e < c; e++) {
            for (int k = 0; k < n; k++)
                sum[k] = gradient[c][k] + gradient[e][k];
            double both = arc_fit_sd(fit, sum);
            C[c * d + e] = C[e * d + c] = 0.5 * (both * both - C[c * d + c] - C[e * d + e]);
        }
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
        double *x_sd = prediction->x_sd_m != NULL ? prediction->x_sd_m + i * d : NULL;
        if (prediction->x_covariance_m2 != NULL)
            position_covariance(flown, fit, i, prediction->x_covariance_m2 + i * d * d, x_sd);
        else if (x_sd != NULL)
            state_sd(flown, fit, i, flown->x_q, flown->v, x_sd);
        if (prediction->v_sd_m_s != NULL)
            state_sd(flown, fit, i, flown->v_q, flown->a, prediction->v_sd_m_s + i * d);
    }
}

ArcStatus arc_predict_state(const ArcExperiment *experiment, const ArcFit *fit, int n,
                            const double *t_s, const ArcPrediction *prediction, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS + ARC_CLOSURE_MAX_WEIGHTS];
    char text[2][ARC_NUMBER_TEXT];
    ArcStatus refused = refuse_closure(experiment, fit, err);
    if (refused != ARC_OK)
        return refused;
    if (experiment->equations != NULL)
        return arc_predict_channels(experiment->equations, fit, n, t_s, prediction, err);
    double t0 = fit->parameters[experiment->flight.n_parameters].value;
    if (n > 0 && !(t_s[0] >= t0))
        return arc_error_set(
            err, ARC_INPUT, "error: %s s is before the release at %s s; ask for later times",
            arc_number_write_digits(text[0], t_s[0], 6), arc_number_write_digits(text[1], t0, 6));
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcFlown *flown = NULL;
    ArcStatus status = create_flown(experiment, fit, values, n, arena, &flown, err);
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
    double of_x[ARC_MAX_GRADIENT] = {0}, of_v[ARC_MAX_GRADIENT] = {0};
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
    ArcStatus refused = refuse_closure(experiment, fit, err);
    if (refused != ARC_OK)
        return refused;
    if (experiment->equations != NULL)
        return arc_error_set(err, ARC_USAGE, "error: own equations know no planes; ask for times");
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    double values[ARC_MAX_PARAMETERS + ARC_CLOSURE_MAX_WEIGHTS];
    ArcFlown *flown = NULL;
    ArcStatus status = create_flown(experiment, fit, values, 1, arena, &flown, err);
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
