/* Synthetic captures: the experiment's own parameters, or drawn ones, flown, with seeded noise. */
#include "arcfit/simulate.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "fit/noise.h"
#include "fit/predict.h"
#include "fit/synthetic_arm.h"
#include "fit/synthetic_drawn.h"
#include "fit/synthetic_system.h"
#include "fit/synthetic_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_POINTS = 30, MOST_FRAMES = 1000000, MOST_DRAWS = 1000 };
static const double default_duration_s = 1.0;

/* From the prior, as long as it takes to come within the bounds. */
static ArcStatus draw_value(const ArcParameter *parameter, ArcRandom *random, double *value,
                            ArcError *err)
{
    for (int i = 0; i < MOST_DRAWS; i++) {
        double drawn = parameter->prior_mean + parameter->prior_sd * arc_random_normal(random);
        if (drawn < parameter->low || drawn > parameter->high)
            continue;
        *value = drawn;
        return ARC_OK;
    }
    return arc_error_set_at(err, ARC_INPUT, parameter->place,
                            "the prior of '%s' has next to nothing within its bounds to draw from; "
                            "widen them",
                            parameter->name);
}

/* Whether the i-th parameter has no value that a flight could be flown with. Those of an arm have
 * defaults, but for the joints at the release; own equations have them for all. */
static bool lacks_value(const ArcExperiment *experiment, int i)
{
    const ArcParameter *parameter = &experiment->parameters[i];
    int t0 = experiment->flight.n_parameters;
    int arm = t0 + 1 + 2 * experiment->flight.settings.dimensions;
    if (i <= t0 || parameter->has_start || parameter->measure != ARC_MEASURE_NONE ||
        experiment->equations != NULL)
        return false;
    return experiment->has_arm ? i >= arm + experiment->arm.theta : true;
}

/* All that lack a value, from the first on. */
static ArcStatus refuse_lacking(const ArcExperiment *experiment,
                                const ArcSimulateSettings *settings, int first, ArcError *err)
{
    char others[256] = "";
    size_t used = 0;
    for (int i = first + 1; i < experiment->n_parameters; i++) {
        const char *name = experiment->parameters[i].name;
        bool is_drawn = settings->draw && experiment->parameters[i].has_prior;
        if (is_drawn || !lacks_value(experiment, i) || used + strlen(name) + 3 > sizeof others)
            continue;
        used += (size_t)snprintf(others + used, sizeof others - used, "%s%s", used > 0 ? ", " : "",
                                 name);
    }
    const ArcParameter *parameter = &experiment->parameters[first];
    return arc_error_set_at(err, ARC_INPUT, parameter->place,
                            "simulate needs a value for '%s': fix it or give its start (--set "
                            "parameters.%s=VALUE)%s%s",
                            parameter->name, parameter->name, used > 0 ? "; likewise for " : "",
                            others);
}

/* Values of all parameters, drawn by the stream of that flight where they have a prior. */
static ArcStatus draw_all(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                          uint64_t flight, double *values, ArcError *err)
{
    int t0 = experiment->flight.n_parameters;
    ArcStatus status = ARC_OK;
    ArcRandom random = arc_noise_stream(
        (ArcNoiseSource){experiment->seed, settings->replica, flight}, ARC_STREAM_TRUTH);
    for (int i = 0; i < experiment->n_parameters && status == ARC_OK; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        values[i] = parameter->start;
        if (arc_noise_gives(experiment, settings, parameter, &values[i]))
            continue;
        if (settings->draw && parameter->has_prior)
            status = draw_value(parameter, &random, &values[i], err);
        else if (i == t0 && !parameter->has_start)
            values[i] = 0.0;
        else if (lacks_value(experiment, i))
            status = refuse_lacking(experiment, settings, i, err);
    }
    return status;
}

static ArcStatus truth_of(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                          double *truth, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS], own[ARC_MAX_PARAMETERS];
    ArcStatus status = draw_all(experiment, settings, 0, values, err);
    if (status == ARC_OK && settings->flight > 0)
        status = draw_all(experiment, settings, settings->flight, own, err);
    if (status != ARC_OK)
        return status;
    for (int i = 0; i < experiment->n_parameters && settings->flight > 0; i++)
        if (experiment->parameters[i].sharing != ARC_SHARED)
            values[i] = own[i];
    arc_synthetic_arm_tie(experiment, values);
    memcpy(truth, values, sizeof(double) * (size_t)experiment->n_parameters);
    return ARC_OK;
}

ArcStatus arc_simulate_truth(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                             double *truth, ArcError *err)
{
    ArcArena *arena;
    const ArcExperiment *drawn;
    ArcStatus status = arc_synthetic_draw(experiment, settings, &arena, &drawn, err);
    if (status == ARC_OK)
        status = truth_of(drawn, settings, truth, err);
    arc_arena_free(arena);
    return status;
}

static ArcStatus flight_time_of(const ArcExperiment *experiment,
                                const ArcSimulateSettings *settings, double *seconds, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS];
    ArcStatus status = arc_simulate_truth(experiment, settings, values, err);
    if (status != ARC_OK)
        return status;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcFlown *flown = NULL;
    ArcThrow thrown = {&experiment->flight, experiment->release, values};
    status = arc_flown_create(thrown, 1, arena, &flown, err);
    if (status == ARC_OK) {
        int up = experiment->flight.settings.up, t0 = experiment->flight.n_parameters;
        ArcPlane level = {up, values[t0 + 1 + up]};
        *seconds =
            arc_flown_crossing(flown, level, ARC_SIM_FALLING, ARC_LONGEST_FLIGHT_S) - values[t0];
    }
    arc_arena_free(arena);
    return status;
}

ArcStatus arc_simulate_flight_time(const ArcExperiment *experiment,
                                   const ArcSimulateSettings *settings, double *seconds,
                                   ArcError *err)
{
    ArcArena *arena;
    const ArcExperiment *drawn;
    ArcStatus status = arc_synthetic_draw(experiment, settings, &arena, &drawn, err);
    if (status == ARC_OK)
        status = flight_time_of(drawn, settings, seconds, err);
    arc_arena_free(arena);
    return status;
}

/* The number of frames, and the time from the first to the last. */
static ArcStatus settle_frames(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                               int *n, double *duration_s, ArcError *err)
{
    double rate = settings->rate_per_s, seconds = settings->duration_s, frames = settings->points;
    bool has_rate = isfinite(rate), has_duration = isfinite(seconds), has_points = frames > 0;
    if (has_rate && has_duration && has_points)
        return arc_error_set(err, ARC_INPUT,
                             "error: %g frames at %g a second last no %g s; leave points, rate or "
                             "duration out",
                             frames, rate, seconds);
    if (!has_duration && !(has_rate && has_points) && experiment->equations != NULL)
        return arc_error_set(err, ARC_INPUT,
                             "error: simulate needs to know how long the model %s runs; give "
                             "simulate.duration (or --duration), points and rate, or times",
                             experiment->equations->name);
    if (!has_duration && !(has_rate && has_points)) {
        ArcStatus status = arc_simulate_flight_time(experiment, settings, &seconds, err);
        if (status != ARC_OK)
            return status;
        if (isnan(seconds))
            seconds = default_duration_s;
    }
    if (!has_points)
        frames = has_rate ? floor(seconds * rate + 1e-9) + 1.0 : DEFAULT_POINTS;
    if (!(frames >= 2.0 && frames <= MOST_FRAMES))
        return arc_error_set(err, ARC_INPUT,
                             "error: a capture needs two to %d points, not %g; give other points, "
                             "rate or duration",
                             MOST_FRAMES, frames);
    *n = (int)frames;
    *duration_s = seconds;
    return ARC_OK;
}

ArcStatus arc_simulate_times(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                             int *n, double **times_s, ArcError *err)
{
    double truth[ARC_MAX_PARAMETERS], duration_s = NAN;
    bool is_listed = settings->n_times > 0;
    ArcStatus status = arc_simulate_truth(experiment, settings, truth, err);
    *n = settings->n_times;
    if (status == ARC_OK && !is_listed)
        status = settle_frames(experiment, settings, n, &duration_s, err);
    if (status != ARC_OK)
        return status;
    size_t bytes = (size_t)*n * sizeof(double);
    double *times = arc_memory_allows(bytes) ? malloc(bytes) : NULL;
    if (times == NULL)
        return arc_error_no_memory(err);
    double start_s = truth[experiment->flight.n_parameters] + settings->start_s;
    /* Written so that neither way loses a digit. */
    for (int i = 0; i < *n && !is_listed; i++)
        times[i] = start_s + (isfinite(settings->rate_per_s) ? i / settings->rate_per_s
                                                             : duration_s * i / (*n - 1));
    if (is_listed)
        memcpy(times, settings->times_s, bytes);
    *times_s = times;
    return ARC_OK;
}

typedef struct Frame {
    double time_s;
    int index;
} Frame;

static int compare_frames(const void *a, const void *b)
{
    double x = ((const Frame *)a)->time_s, y = ((const Frame *)b)->time_s;
    return (x > y) - (x < y);
}

/* Everything of one capture; x is (n, d). */
typedef struct Synthesis {
    const ArcExperiment *experiment;
    ArcThrow thrown;
    int n, d;
    double *time_s, *x, *sigma; /* of the frames that are kept, in the end */
    Frame *frames;              /* by true time */
    bool *kept;
} Synthesis;

static ArcStatus synthesis_create(Synthesis *synthesis, const double *t_s, ArcArena *arena,
                                  ArcError *err)
{
    size_t n = (size_t)synthesis->n, size = n * (size_t)synthesis->d;
    synthesis->time_s = ARC_ALLOC(arena, n, double);
    synthesis->x = ARC_ALLOC(arena, size, double);
    synthesis->sigma = ARC_ALLOC(arena, size, double);
    synthesis->frames = ARC_ALLOC(arena, n, Frame);
    synthesis->kept = ARC_ALLOC(arena, n, bool);
    if (synthesis->time_s == NULL || synthesis->x == NULL || synthesis->sigma == NULL ||
        synthesis->frames == NULL || synthesis->kept == NULL)
        return arc_error_no_memory(err);
    memcpy(synthesis->time_s, t_s, sizeof(double) * n);
    return ARC_OK;
}

/* Where the ball came from at a true time before release: the parabola of the release. */
static void before_release(const ArcThrow *thrown, double time_s, int d, double *x)
{
    double t0, since = 0.0, x0[ARC_SIM_MAX_DIMENSIONS], v0[ARC_SIM_MAX_DIMENSIONS],
               a0[ARC_SIM_MAX_DIMENSIONS];
    arc_flyer_release(thrown, &t0, x0, v0);
    arc_flight_acceleration(thrown->flight, 1, &since, x0, v0, thrown->values, a0, NULL, NULL,
                            NULL);
    double s = time_s - t0;
    for (int c = 0; c < d; c++)
        x[c] = x0[c] + v0[c] * s + 0.5 * a0[c] * s * s;
}

/* The ball where it is at the true times. */
static ArcStatus synthesis_fly(Synthesis *synthesis, double *true_s, ArcArena *arena, ArcError *err)
{
    int n = synthesis->n, d = synthesis->d, D = synthesis->experiment->flight.n_coordinates;
    double t0 = synthesis->thrown.values[synthesis->experiment->flight.n_parameters];
    Frame *frames = synthesis->frames;
    for (int i = 0; i < n; i++)
        frames[i] = (Frame){true_s[i], i};
    qsort(frames, (size_t)n, sizeof *frames, compare_frames);
    int before = 0;
    for (; before < n && frames[before].time_s < t0; before++) {
        before_release(&synthesis->thrown, frames[before].time_s, d,
                       synthesis->x + frames[before].index * d);
    }
    for (int i = before; i < n; i++)
        true_s[i] = frames[i].time_s;
    ArcFlown *flown = NULL;
    ArcStatus status = arc_flown_create(synthesis->thrown, n, arena, &flown, err);
    if (status != ARC_OK || before == n)
        return status;
    if (!arc_flown_states(flown, n - before, true_s + before, false)) {
        char text[ARC_NUMBER_TEXT];
        return arc_error_set(err, ARC_NUMERIC,
                             "error: the flight cannot be followed to %s s: %s; give earlier times",
                             arc_number_write_digits(text, true_s[n - 1], 6),
                             arc_flyer_why(flown->flyer));
    }
    for (int i = before; i < n; i++)
        memcpy(synthesis->x + frames[i].index * d, flown->x + (i - before) * D,
               sizeof(double) * (size_t)d);
    return ARC_OK;
}

static int synthesis_compress(Synthesis *synthesis)
{
    int kept = 0, d = synthesis->d;
    for (int i = 0; i < synthesis->n; i++) {
        if (!synthesis->kept[i])
            continue;
        synthesis->time_s[kept] = synthesis->time_s[i];
        memmove(synthesis->x + kept * d, synthesis->x + i * d, sizeof(double) * (size_t)d);
        kept++;
    }
    return kept;
}

static ArcStatus synthesis_run(Synthesis *synthesis, const ArcSimulateSettings *settings,
                               ArcArena *arena, ArcCapture **capture, ArcError *err)
{
    const ArcNoise *noise = &settings->noise;
    ArcNoiseSource source = arc_noise_source(synthesis->experiment, settings);
    int n = synthesis->n, d = synthesis->d;
    double *true_s = ARC_ALLOC(arena, (size_t)n, double);
    if (true_s == NULL)
        return arc_error_no_memory(err);
    ArcNoiseOffset offset = arc_noise_offset(synthesis->experiment, settings, 0);
    arc_noise_jitter(noise, source, n, synthesis->time_s, true_s);
    for (int i = 0; i < n; i++)
        true_s[i] -= offset.latency_s;
    ArcStatus status = synthesis_fly(synthesis, true_s, arena, err);
    if (status != ARC_OK)
        return status;
    for (int i = 0; i < n * d; i++)
        synthesis->x[i] += offset.bias[i % d];
    arc_noise_add(noise, source, settings->sigma_m, n, d, synthesis->x);
    arc_noise_drop(noise, source, n, synthesis->kept);
    for (int i = 0; i < n * d; i++)
        synthesis->sigma[i] = settings->sigma_m;
    return arc_capture_create(&(ArcCapture){.n_points = synthesis_compress(synthesis),
                                            .dimensions = d,
                                            .time_s = synthesis->time_s,
                                            .position_m = synthesis->x,
                                            .sigma_m = synthesis->sigma},
                              capture, err);
}

static ArcStatus synthesise(Synthesis *synthesis, const double *t_s,
                            const ArcSimulateSettings *settings, ArcCapture **capture,
                            ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcStatus status =
        arena == NULL ? arc_error_no_memory(err) : synthesis_create(synthesis, t_s, arena, err);
    if (status == ARC_OK)
        status = synthesis_run(synthesis, settings, arena, capture, err);
    arc_arena_free(arena);
    return status;
}

static ArcStatus capture_of(const ArcExperiment *experiment, int n, const double *t_s,
                            ArcSimulateSettings settings, ArcCapture **capture, ArcError *err)
{
    double values[ARC_MAX_PARAMETERS];
    char text[ARC_NUMBER_TEXT];
    if (isnan(settings.sigma_m))
        settings.sigma_m = experiment->capture.sigma_m;
    ArcStatus status = arc_simulate_truth(experiment, &settings, values, err);
    bool has_view = arc_synthetic_has_view(experiment);
    bool is_model = experiment->equations != NULL;
    if (status == ARC_OK && !has_view && !is_model)
        status = arc_noise_check(&settings.noise, settings.sigma_m, err);
    if (status != ARC_OK)
        return status;
    double t0 = values[experiment->flight.n_parameters];
    if (n < 1 || !(t_s[0] >= t0))
        return arc_error_set(err, ARC_INPUT, "error: simulate needs times from the %s at %s s on",
                             is_model ? "start" : "release", arc_number_write_digits(text, t0, 6));
    if (is_model)
        return arc_synthetic_system(experiment, &settings, values, n, t_s, capture, err);
    Synthesis synthesis = {.experiment = experiment,
                           .thrown = {&experiment->flight, experiment->release, values},
                           .n = n,
                           .d = experiment->flight.settings.dimensions};
    ArcCapture *made = NULL;
    status = has_view ? arc_synthetic_look(experiment, &settings, values, n, t_s, &made, err)
                      : synthesise(&synthesis, t_s, &settings, &made, err);
    if (status == ARC_OK)
        status = arc_synthetic_arm_add(experiment, &settings, values, made, err);
    if (status == ARC_OK)
        *capture = made;
    else
        arc_capture_free(made);
    return status;
}

ArcStatus arc_simulate_capture(const ArcExperiment *experiment, int n, const double *t_s,
                               ArcSimulateSettings settings, ArcCapture **capture, ArcError *err)
{
    ArcArena *arena;
    const ArcExperiment *drawn;
    ArcStatus status = arc_synthetic_draw(experiment, &settings, &arena, &drawn, err);
    if (status == ARC_OK)
        status = capture_of(drawn, n, t_s, settings, capture, err);
    arc_arena_free(arena);
    return status;
}

static bool has_offset(const ArcNoise *noise)
{
    const ArcSensor *sensor = &noise->sensor;
    return !isnan(sensor->latency_s) || !isnan(sensor->bias_m) || !isnan(sensor->bias_px);
}

/* Bias and latency as they were drawn, unless they are among the parameters. */
static void append_offsets(ArcText *out, const ArcExperiment *experiment,
                           const ArcSimulateSettings *settings, const char *separator)
{
    const ArcSensor *sensor = &settings->noise.sensor;
    int n_cameras = experiment->capture.n_cameras, d = experiment->flight.settings.dimensions;
    bool is_px = n_cameras > 0 || experiment->capture.position_is_px;
    bool has_bias = !isnan(is_px ? sensor->bias_px : sensor->bias_m);
    for (int c = 0; c < (n_cameras > 0 ? n_cameras : 1) && has_offset(&settings->noise); c++) {
        char number[ARC_NUMBER_TEXT];
        ArcNoiseOffset offset = arc_noise_offset(experiment, settings, c);
        const char *name = n_cameras > 1 ? experiment->capture.cameras[c].name : "";
        if (offset.latency_s != 0.0) {
            arc_text_append(out, "%slatency%s%s %s s", separator, name[0] == '\0' ? "" : " of ",
                            name, arc_number_write(number, offset.latency_s));
            separator = ", ";
        }
        if (!has_bias || (offset.bias[0] == 0.0 && offset.bias[1] == 0.0))
            continue;
        arc_text_append(out, "%sbias%s%s", separator, name[0] == '\0' ? "" : " of ", name);
        for (int k = 0; k < (is_px ? 2 : d); k++)
            arc_text_append(out, " %s", arc_number_write(number, offset.bias[k]));
        arc_text_append(out, is_px ? " px" : " m");
        separator = ", ";
    }
}

static void append_noise(ArcText *out, const ArcExperiment *experiment,
                         const ArcSimulateSettings *settings)
{
    const ArcNoise *noise = &settings->noise;
    bool by_sd = isnan(noise->outlier_size_m);
    const char *separator = "noise: gauss, ";
    if (noise->outlier_share > 0.0) {
        arc_text_append(out, "%soutliers %g of the points at %g %s", separator,
                        noise->outlier_share,
                        by_sd ? noise->outlier_size_sd : noise->outlier_size_m, by_sd ? "sd" : "m");
        separator = ", ";
    }
    if (noise->dropped_share > 0.0) {
        arc_text_append(out, "%sdropped %g of the frames", separator, noise->dropped_share);
        if (isfinite(noise->dropped_run))
            arc_text_append(out, " in runs of %g", noise->dropped_run);
        separator = ", ";
    }
    const ArcSensor *sensor = &noise->sensor;
    if (sensor->quantisation_m > 0.0 || sensor->quantisation_px > 0.0) {
        bool is_px = sensor->quantisation_px > 0.0;
        arc_text_append(out, "%srounding to %g %s", separator,
                        is_px ? sensor->quantisation_px : sensor->quantisation_m,
                        is_px ? "px" : "m");
        separator = ", ";
    }
    if (experiment->equations != NULL &&
        arc_synthetic_rounding_text(experiment, settings, separator, out))
        separator = ", ";
    if (noise->jitter_s > 0.0)
        arc_text_append(out, "%sjitter of %g s", separator, noise->jitter_s);
    if (noise->jitter_s > 0.0)
        separator = ", ";
    append_offsets(out, experiment, settings, separator);
    arc_text_append(out, "\n");
}

/* The truth of one flight, or of the first of several what they share before what is its own. */
static void append_truth(ArcText *out, const ArcExperiment *experiment,
                         const ArcSimulateSettings *settings, const double *truth, bool is_shared)
{
    bool is_several = settings->flight > 0;
    const char *separator = "";
    arc_text_append(out, "truth");
    if (is_several && !is_shared)
        arc_text_append(out, " of flight %llu", (unsigned long long)settings->flight);
    arc_text_append(out, ":");
    for (int i = 0; i < experiment->n_parameters; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        char number[ARC_NUMBER_TEXT];
        bool is_plain = strcmp(parameter->unit, "1") == 0;
        if (is_several && is_shared != (parameter->sharing == ARC_SHARED))
            continue;
        arc_text_append(out, "%s %s %s%s%s", separator, parameter->name,
                        arc_number_write(number, truth[i]), is_plain ? "" : " ",
                        is_plain ? "" : parameter->unit);
        separator = ",";
    }
    arc_text_append(out, "%s\n", settings->draw ? " (drawn where there is a prior)" : "");
}

ArcStatus arc_simulate_text(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                            char **text, ArcError *err)
{
    const ArcNoise *noise = &settings->noise;
    double truth[ARC_MAX_PARAMETERS];
    ArcText out = {0};
    ArcStatus status = arc_simulate_truth(experiment, settings, truth, err);
    if (status != ARC_OK)
        return status;
    bool is_noisy = noise->outlier_share > 0.0 || noise->dropped_share > 0.0 ||
                    noise->sensor.quantisation_m > 0.0 || noise->sensor.quantisation_px > 0.0 ||
                    noise->jitter_s > 0.0 || has_offset(noise);
    for (int c = 0; c < ARC_EQUATIONS_MAX_CHANNELS; c++)
        is_noisy = is_noisy || settings->channel_rounding[c] > 0.0;
    if (is_noisy && settings->flight <= 1)
        append_noise(&out, experiment, settings);
    bool is_drawn = experiment->randomise.n > 0;
    if (is_drawn && settings->flight <= 1)
        arc_synthetic_drawn_text(&out, experiment, settings);
    if (settings->flight == 1)
        append_truth(&out, experiment, settings, truth, true);
    if (is_noisy || is_drawn || settings->draw || settings->replica > 0 || settings->flight > 0)
        append_truth(&out, experiment, settings, truth, false);
    return arc_text_finish(&out, text, err);
}
