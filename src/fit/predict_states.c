/* Channels of own equations at any times, with first-order standard deviations.
 *
 *   y(t) = Y(t - t0; p, y0),  var(y) = g' C g,  g = (dY/dp, -dY/dt, dY/dy0)
 * since the equations count time from t0.
 */
#include "base/number.h"
#include "fit/predict.h"
#include "fit/system_run.h"

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

/* dY/dt of all channels at one time. */
static void channel_rates(const ArcEquations *equations, double t_s, const double *p,
                          const double *y, double *rates)
{
    int D = equations->n_states;
    bool is_first = equations->order == 1;
    if (!is_first)
        memcpy(rates, y + D, sizeof(double) * (size_t)D);
    arc_equations_rates(equations, 1, &t_s, y, is_first ? NULL : y + D, p,
                        rates + (is_first ? 0 : D), NULL, NULL, NULL);
}

/* sds of the channels at one time from their partials y_q (C,P+C). */
static void channel_sds(const ArcEquations *equations, const ArcFit *fit, const double *rates,
                        const double *y_q, double *sd)
{
    int P = equations->n_parameters, C = equations->n_channels;
    for (int c = 0; c < C; c++) {
        double gradient[ARC_MAX_PARAMETERS] = {0};
        const double *row = y_q + c * (P + C);
        memcpy(gradient, row, sizeof(double) * (size_t)P);
        gradient[P] = -rates[c];
        memcpy(gradient + P + 1, row + P, sizeof(double) * (size_t)C);
        sd[c] = arc_fit_sd(fit, gradient);
    }
}

static ArcStatus run_channels(const ArcEquations *equations, const ArcFit *fit, int n,
                              const double *t_s, const ArcPrediction *prediction, ArcArena *arena,
                              ArcError *err)
{
    size_t C = (size_t)equations->n_channels, P = (size_t)equations->n_parameters;
    double values[ARC_MAX_PARAMETERS], scale[ARC_EQUATIONS_MAX_STATES];
    double rates[ARC_EQUATIONS_MAX_CHANNELS];
    double *since = ARC_ALLOC(arena, (size_t)n, double);
    double *y = ARC_ALLOC(arena, (size_t)n * C, double);
    double *y_q = ARC_ALLOC(arena, (size_t)n * C * (P + C), double);
    if (since == NULL || y == NULL || y_q == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < fit->n_parameters; k++)
        values[k] = fit->parameters[k].value;
    for (int i = 0; i < n; i++)
        since[i] = t_s[i] - values[P];
    typical_sizes(fit, equations->n_states, scale);
    ArcSystemRun *run = NULL;
    ArcStatus status =
        arc_system_run_create(equations, scale, predict_tolerance, n, arena, &run, err);
    if (status != ARC_OK)
        return status;
    if (!arc_system_run(run, values, values + P + 1, n, since, y, y_q)) {
        char text[ARC_NUMBER_TEXT];
        return arc_error_set(err, ARC_NUMERIC,
                             "error: the run cannot be followed to %s s: %s; ask for earlier times",
                             arc_number_write_digits(text, t_s[n - 1], 6), arc_system_run_why(run));
    }
    for (size_t i = 0; i < (size_t)n; i++) {
        channel_rates(equations, since[i], values, y + i * C, rates);
        if (prediction->x_m != NULL)
            memcpy(prediction->x_m + i * C, y + i * C, sizeof(double) * C);
        if (prediction->x_sd_m != NULL)
            channel_sds(equations, fit, rates, y_q + i * C * (P + C), prediction->x_sd_m + i * C);
    }
    return ARC_OK;
}

ArcStatus arc_predict_channels(const ArcEquations *equations, const ArcFit *fit, int n,
                               const double *t_s, const ArcPrediction *prediction, ArcError *err)
{
    char text[2][ARC_NUMBER_TEXT];
    double t0 = fit->parameters[equations->n_parameters].value;
    if (fit->closure != NULL)
        return arc_error_set(err, ARC_USAGE,
                             "error: own equations with a closure cannot be "
                             "predicted yet; see the fit's trajectory (--json)");
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
