/* Own equations run from their starts, seen by channel with seeded noise.
 *
 * A channel is off by sigma_c (z + what else noise.c adds in standard deviations), then rounded to
 * its grid. A true time before the start is met by the rates there, as the jitter is short.
 */
#include "fit/synthetic_system.h"

#include "base/arena.h"
#include "base/number.h"
#include "fit/noise.h"
#include "fit/system_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bit each. */
static uint32_t channels_seen(const ArcExperiment *experiment, const ArcSimulateSettings *settings)
{
    if (settings->channels != 0)
        return settings->channels;
    return (uint32_t)(((uint64_t)1 << experiment->equations->n_states) - 1);
}

double arc_simulate_sigma(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                          int channel)
{
    if ((channels_seen(experiment, settings) >> channel & 1u) == 0)
        return NAN;
    double own = settings->channel_sigma[channel];
    return isnan(own) ? experiment->capture.channel_sigma[channel] : own;
}

bool arc_synthetic_rounding_text(const ArcExperiment *experiment,
                                 const ArcSimulateSettings *settings, const char *separator,
                                 ArcText *out)
{
    bool has_any = false;
    for (int c = 0; c < experiment->equations->n_channels; c++) {
        const ArcParameterInfo *channel = &experiment->equations->channels[c];
        bool is_one = strcmp(channel->unit, "1") == 0;
        if (!(settings->channel_rounding[c] > 0))
            continue;
        arc_text_append(out, "%srounding of %s to %g%s%s", has_any ? ", " : separator,
                        channel->name, settings->channel_rounding[c], is_one ? "" : " ",
                        is_one ? "" : channel->unit);
        has_any = true;
    }
    return has_any;
}

typedef struct Moment {
    double time_s;
    int index;
} Moment;

static int compare_moments(const void *a, const void *b)
{
    double x = ((const Moment *)a)->time_s, y = ((const Moment *)b)->time_s;
    return (x > y) - (x < y);
}

/* Everything of one capture. */
typedef struct Synthesis {
    const ArcExperiment *experiment;
    const ArcSimulateSettings *settings;
    const double *values;
    int n, C, seen;                          /* seen: how many channels */
    int channel[ARC_EQUATIONS_MAX_CHANNELS]; /* (seen) */
    double *time_s, *true_s;                 /* (n) */
    Moment *moments;                         /* (n) by true time */
    double *sorted_s;                        /* (n) since the start, of those from it on */
    double *y, *ordered, *sigma;             /* (n,C) */
    double *noise;                           /* (n,seen) in standard deviations */
    bool *kept;
    ArcArena *arena;
} Synthesis;

static ArcStatus synthesis_create(Synthesis *synthesis, const double *t_s, ArcError *err)
{
    ArcArena *arena = synthesis->arena;
    size_t n = (size_t)synthesis->n, size = n * (size_t)synthesis->C;
    synthesis->time_s = ARC_ALLOC(arena, 3 * n, double);
    synthesis->moments = ARC_ALLOC(arena, n, Moment);
    synthesis->kept = ARC_ALLOC(arena, n, bool);
    synthesis->y = ARC_ALLOC(arena, 4 * size, double);
    if (synthesis->time_s == NULL || synthesis->moments == NULL || synthesis->kept == NULL ||
        synthesis->y == NULL)
        return arc_error_no_memory(err);
    synthesis->true_s = synthesis->time_s + n;
    synthesis->sorted_s = synthesis->true_s + n;
    synthesis->ordered = synthesis->y + size;
    synthesis->sigma = synthesis->ordered + size;
    synthesis->noise = synthesis->sigma + size;
    memcpy(synthesis->time_s, t_s, sizeof(double) * n);
    return ARC_OK;
}

/* The channels at s < 0 by the rates at the start. */
static void before_start(const ArcEquations *equations, const double *p, const double *start,
                         double s, double *y)
{
    int D = equations->n_states;
    double at = 0.0, f[ARC_EQUATIONS_MAX_STATES];
    bool is_first = equations->order == 1;
    arc_equations_rates(equations, 1, &at, start, is_first ? NULL : start + D, p, f, NULL, NULL,
                        NULL);
    for (int c = 0; c < D; c++) {
        y[c] = start[c] + s * (is_first ? f[c] : start[D + c] + 0.5 * s * f[c]);
        if (!is_first)
            y[D + c] = start[D + c] + s * f[c];
    }
}

/* The states at the true times, in the order of the stated ones. */
static ArcStatus synthesis_run(Synthesis *synthesis, ArcError *err)
{
    const ArcEquations *equations = synthesis->experiment->equations;
    int n = synthesis->n, C = synthesis->C, before = 0, P = equations->n_parameters;
    const double *p = synthesis->values, *start = synthesis->values + P + 1;
    double t0 = synthesis->values[P];
    for (int i = 0; i < n; i++)
        synthesis->moments[i] = (Moment){synthesis->true_s[i] - t0, i};
    qsort(synthesis->moments, (size_t)n, sizeof *synthesis->moments, compare_moments);
    for (; before < n && synthesis->moments[before].time_s < 0; before++)
        before_start(equations, p, start, synthesis->moments[before].time_s,
                     synthesis->ordered + before * C);
    for (int i = before; i < n; i++)
        synthesis->sorted_s[i] = synthesis->moments[i].time_s;
    const ArcSystem system = arc_system(equations, NULL);
    ArcSystemRun *run = NULL;
    ArcStatus status = arc_system_run_create(&system, 1e-12, n, synthesis->arena, &run, err);
    if (status != ARC_OK)
        return status;
    if (before < n && !arc_system_run(run, p, start, n - before, synthesis->sorted_s + before,
                                      synthesis->ordered + before * C, NULL)) {
        char text[ARC_NUMBER_TEXT];
        return arc_error_set(err, ARC_NUMERIC,
                             "error: the model %s cannot be followed to %s s: %s; give earlier "
                             "times or other parameters",
                             equations->name,
                             arc_number_write_digits(text, synthesis->true_s[n - 1], 6),
                             arc_system_run_why(run));
    }
    for (int i = 0; i < n; i++)
        memcpy(synthesis->y + synthesis->moments[i].index * C, synthesis->ordered + i * C,
               sizeof(double) * (size_t)C);
    return ARC_OK;
}

/* Noise on what is seen; what is not seen is missing. */
static void synthesis_blur(Synthesis *synthesis)
{
    const ArcSimulateSettings *settings = synthesis->settings;
    ArcNoiseSource source = arc_noise_source(synthesis->experiment, settings);
    int n = synthesis->n, C = synthesis->C, seen = synthesis->seen;
    arc_noise_add(&settings->noise, source, 1.0, n, seen, synthesis->noise);
    arc_noise_drop(&settings->noise, source, n, synthesis->kept);
    for (int i = 0; i < n * C; i++)
        synthesis->sigma[i] = NAN;
    for (int k = 0; k < seen; k++) {
        int c = synthesis->channel[k];
        double sigma = arc_simulate_sigma(synthesis->experiment, settings, c);
        double grid = settings->channel_rounding[c];
        for (int i = 0; i < n; i++) {
            double y = synthesis->y[i * C + c] + sigma * synthesis->noise[i * seen + k];
            synthesis->ordered[i * C + c] = arc_noise_round(grid, y);
            synthesis->sigma[i * C + c] = sigma;
        }
    }
    for (int i = 0; i < n * C; i++)
        synthesis->y[i] = isnan(synthesis->sigma[i]) ? NAN : synthesis->ordered[i];
}

static int synthesis_compress(Synthesis *synthesis)
{
    int kept = 0, C = synthesis->C;
    size_t bytes = sizeof(double) * (size_t)C;
    for (int i = 0; i < synthesis->n; i++) {
        if (!synthesis->kept[i])
            continue;
        synthesis->time_s[kept] = synthesis->time_s[i];
        memmove(synthesis->y + kept * C, synthesis->y + i * C, bytes);
        memmove(synthesis->sigma + kept * C, synthesis->sigma + i * C, bytes);
        kept++;
    }
    return kept;
}

/* What is seen, and that all of it has a sigma. */
static ArcStatus channels_find(Synthesis *synthesis, ArcError *err)
{
    const ArcExperiment *experiment = synthesis->experiment;
    uint32_t channels = channels_seen(experiment, synthesis->settings);
    for (int c = 0; c < synthesis->C; c++) {
        if ((channels >> c & 1u) == 0)
            continue;
        double sigma = arc_simulate_sigma(experiment, synthesis->settings, c);
        if (!(sigma > 0 && isfinite(sigma)))
            return arc_error_set(err, ARC_INPUT,
                                 "error: how much noise of %s? give capture.sigma or "
                                 "simulate.sigma, for example --set simulate.sigma.%s=0.01",
                                 experiment->equations->channels[c].name,
                                 experiment->equations->channels[c].name);
        synthesis->channel[synthesis->seen++] = c;
    }
    return ARC_OK;
}

static ArcStatus synthesise(Synthesis *synthesis, const double *t_s, ArcCapture **capture,
                            ArcError *err)
{
    const ArcSimulateSettings *settings = synthesis->settings;
    const ArcEquations *equations = synthesis->experiment->equations;
    ArcStatus status = channels_find(synthesis, err);
    if (status == ARC_OK)
        status = arc_noise_check(&settings->noise, 1.0, err);
    if (status == ARC_OK && !isnan(settings->noise.outlier_size_m))
        status = arc_error_set(err, ARC_INPUT,
                               "error: of a model outliers have a size in standard deviations, "
                               "not in metres");
    if (status == ARC_OK)
        status = synthesis_create(synthesis, t_s, err);
    if (status != ARC_OK)
        return status;
    arc_noise_jitter(&settings->noise, arc_noise_source(synthesis->experiment, settings),
                     synthesis->n, synthesis->time_s, synthesis->true_s);
    status = synthesis_run(synthesis, err);
    if (status != ARC_OK)
        return status;
    synthesis_blur(synthesis);
    return arc_capture_create(&(ArcCapture){.n_points = synthesis_compress(synthesis),
                                            .dimensions = synthesis->C,
                                            .n_channels = synthesis->C,
                                            .channels = equations->channels,
                                            .time_s = synthesis->time_s,
                                            .position_m = synthesis->y,
                                            .sigma_m = synthesis->sigma},
                              capture, err);
}

ArcStatus arc_synthetic_system(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                               const double *values, int n, const double *t_s, ArcCapture **capture,
                               ArcError *err)
{
    Synthesis synthesis = {.experiment = experiment,
                           .settings = settings,
                           .values = values,
                           .n = n,
                           .C = experiment->equations->n_channels,
                           .arena = arc_arena_create()};
    ArcStatus status = synthesis.arena == NULL ? arc_error_no_memory(err)
                                               : synthesise(&synthesis, t_s, capture, err);
    arc_arena_free(synthesis.arena);
    return status;
}
