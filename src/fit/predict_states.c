/* Channels of own equations at any times, with first-order standard deviations.
 *
 *   y(t) = Y(t - t0; p, y0),  var(y) = g' C g,  g = (dY/dp, -dY/dt, dY/dy0)
 * since the equations count time from t0. With a closure its weights count too (predict.c).
 */
#include "base/number.h"
#include "fit/predict.h"
#include "fit/system_run.h"
#include "model/closure.h"

#include <math.h>
#include <string.h>

static const double predict_tolerance = 1e-10;

/* The sizes that the fitted run had, by which the simulator's tolerance counts; 1 where none. */
static void typical_sizes(const ArcFit *fit, int D, double *scale)
{
    for (int c = 0; c < D; c++) {
        scale[c] = 0.0;
        for (int i = 0; i < fit->n_trajectory && fit->dimensions == D; i++)
            scale[c] = fmax(scale[c], fabs(fit->position_m[i * D + c]));
        if (!(scale[c] > 0.0) || isinf(scale[c]))
            scale[c] = 1.0;
    }
}

/* dY/dt of all channels at one time; p with the weights behind it. */
static void channel_rates(const ArcSystem *system, double t_s, const double *p, const double *y,
                          double *rates)
{
    const ArcEquations *equations = system->equations;
    int D = equations->n_states, P = equations->n_parameters;
    bool is_first = equations->order == 1;
    if (!is_first)
        memcpy(rates, y + D, sizeof(double) * (size_t)D);
    arc_equations_rates(equations, 1, &t_s, y, is_first ? NULL : y + D, p,
                        rates + (is_first ? 0 : D), NULL, NULL, NULL);
    if (system->closure != NULL)
        arc_closure_add(system->closure, NULL, 1, &t_s, y, is_first ? NULL : y + D, p, p + P,
                        P + system->K, rates + (is_first ? 0 : D), NULL, NULL, NULL);
}

/* sds of the channels at one time from their partials y_q (C,P+K+C). */
static void channel_sds(const ArcSystem *system, const ArcFit *fit, const double *rates,
                        const double *y_q, double *sd)
{
    int P = system->equations->n_parameters, C = system->equations->n_channels, K = system->K;
    for (int c = 0; c < C; c++) {
        double gradient[ARC_MAX_GRADIENT] = {0};
        const double *row = y_q + c * (P + K + C);
        memcpy(gradient, row, sizeof(double) * (size_t)P);
        gradient[P] = -rates[c];
        memcpy(gradient + P + 1, row + P + K, sizeof(double) * (size_t)C);
        memcpy(gradient + P + 1 + C, row + P, sizeof(double) * (size_t)K);
        sd[c] = arc_fit_sd(fit, gradient);
    }
}

/* The fitted equations, with their closure where the fit has one. */
static ArcStatus fitted_system(const ArcEquations *equations, const ArcFit *fit, ArcArena *arena,
                               ArcSystem *system, ArcError *err)
{
    double scale[ARC_EQUATIONS_MAX_STATES];
    ArcClosure *closure = NULL;
    typical_sizes(fit, equations->n_states, scale);
    *system = arc_system(equations, scale);
    if (fit->closure == NULL)
        return ARC_OK;
    ArcStatus status =
        arc_closure_restore(fit->closure, NULL, equations->n_states, arena, &closure, err);
    system->closure = closure;
    system->K = fit->weights_covariance != NULL ? fit->closure->n_weights : 0;
    return status;
}

/* Estimates, and of a closure the weights: p (P, K) and starts (C). */
static void take_values(const ArcFit *fit, int P, double *p, double *start)
{
    for (int k = 0; k < fit->n_parameters; k++) {
        if (k < P)
            p[k] = fit->parameters[k].value;
        if (k > P)
            start[k - P - 1] = fit->parameters[k].value;
    }
    if (fit->closure != NULL)
        memcpy(p + P, fit->closure->weights, sizeof(double) * (size_t)fit->closure->n_weights);
}

static ArcStatus run_channels(const ArcEquations *equations, const ArcFit *fit, int n,
                              const double *t_s, const ArcPrediction *prediction, ArcArena *arena,
                              ArcError *err)
{
    ArcSystem system;
    ArcSystemRun *run = NULL;
    ArcStatus status = fitted_system(equations, fit, arena, &system, err);
    if (status != ARC_OK)
        return status;
    size_t C = (size_t)equations->n_channels, P = (size_t)equations->n_parameters;
    size_t columns = P + (size_t)system.K + C;
    double p[ARC_MAX_GRADIENT], start[ARC_EQUATIONS_MAX_CHANNELS];
    double rates[ARC_EQUATIONS_MAX_CHANNELS];
    double *since = ARC_ALLOC(arena, (size_t)n, double);
    double *y = ARC_ALLOC(arena, (size_t)n * C, double);
    double *y_q = ARC_ALLOC(arena, (size_t)n * C * columns, double);
    if (since == NULL || y == NULL || y_q == NULL)
        return arc_error_no_memory(err);
    take_values(fit, (int)P, p, start);
    for (int i = 0; i < n; i++)
        since[i] = t_s[i] - fit->parameters[P].value;
    status = arc_system_run_create(&system, predict_tolerance, n, arena, &run, err);
    if (status != ARC_OK)
        return status;
    if (!arc_system_run(run, p, start, n, since, y, y_q)) {
        char text[ARC_NUMBER_TEXT];
        return arc_error_set(err, ARC_NUMERIC,
                             "error: the run cannot be followed to %s s: %s; ask for earlier times",
                             arc_number_write_digits(text, t_s[n - 1], 6), arc_system_run_why(run));
    }
    for (size_t i = 0; i < (size_t)n; i++) {
        channel_rates(&system, since[i], p, y + i * C, rates);
        if (prediction->x_m != NULL)
            memcpy(prediction->x_m + i * C, y + i * C, sizeof(double) * C);
        if (prediction->x_sd_m != NULL)
            channel_sds(&system, fit, rates, y_q + i * C * columns, prediction->x_sd_m + i * C);
    }
    return ARC_OK;
}

ArcStatus arc_predict_channels(const ArcEquations *equations, const ArcFit *fit, int n,
                               const double *t_s, const ArcPrediction *prediction, ArcError *err)
{
    char text[2][ARC_NUMBER_TEXT];
    double t0 = fit->parameters[equations->n_parameters].value;
    if (n > 0 && !(t_s[0] >= t0))
        return arc_error_set(
            err, ARC_INPUT, "error: %s s is before the start at %s s; ask for later times",
            arc_number_write_digits(text[0], t_s[0], 6), arc_number_write_digits(text[1], t0, 6));
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status =
        n > 0 ? run_channels(equations, fit, n, t_s, prediction, arena, err) : ARC_OK;
    arc_arena_free(arena);
    return status;
}
