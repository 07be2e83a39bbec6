/* arcfit simulate: flies an experiment's own parameters and writes a capture with noise. The
 * experiment's capture file need not exist. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_POINTS = 30 };
static const double default_duration_s = 1.0;

static double simulate_start(const ArcExperiment *experiment)
{
    for (int p = 0; p < experiment->n_parameters; p++) {
        const ArcParameter *parameter = &experiment->parameters[p];
        if (strcmp(parameter->name, "t0") == 0 && parameter->has_start)
            return parameter->start;
    }
    return 0;
}

/* Fills times (n): those of --at in order, or equally spaced ones from the release on. */
static ArcStatus simulate_times(const ArcOptions *options, const ArcExperiment *experiment, int n,
                                double *times, ArcError *err)
{
    double duration_s = options->duration_s;
    if (options->n_times > 0) {
        memcpy(times, options->times_s, (size_t)n * sizeof(double));
        for (int i = 1; i < n; i++) {
            if (times[i] == times[i - 1])
                return arc_error_set(err, ARC_USAGE, "error: --at gives the time %g s twice",
                                     times[i]);
        }
        return ARC_OK;
    }
    if (isnan(duration_s)) {
        ArcStatus status = arc_simulate_flight_time(experiment, &duration_s, err);
        if (status != ARC_OK)
            return status;
    }
    if (isnan(duration_s))
        duration_s = default_duration_s;
    if (!(duration_s > 0))
        return arc_error_set(err, ARC_USAGE, "error: --duration must be longer than 0 s");
    double start_s = simulate_start(experiment);
    for (int i = 0; i < n; i++)
        times[i] = start_s + duration_s * i / (n - 1);
    return ARC_OK;
}

/* What made the file, without anything that differs from machine to machine. */
static char *simulate_comment(const ArcOptions *options, const ArcExperiment *experiment,
                              double sigma_m)
{
    char *comment = NULL;
    size_t size;
    FILE *stream = open_memstream(&comment, &size);
    const char *slash = strrchr(options->operands[0], '/');
    if (stream == NULL)
        return NULL;
    fprintf(stream, "synthetic: arcfit simulate %s, seed %llu, sigma %g m\n",
            slash == NULL ? options->operands[0] : slash + 1, (unsigned long long)experiment->seed,
            sigma_m);
    for (int i = 0; i < options->n_overrides; i++) {
        if (options->overrides[i] != options->seed)
            fprintf(stream, "set %s\n", options->overrides[i]);
    }
    if (fclose(stream) != 0) {
        free(comment);
        return NULL;
    }
    return comment;
}

static ArcStatus simulate_capture(const ArcOptions *options, const ArcExperiment *experiment,
                                  double sigma_m, ArcCapture **capture, ArcError *err)
{
    int n = options->n_times > 0  ? options->n_times
            : options->points > 0 ? options->points
                                  : DEFAULT_POINTS;
    if (n < 2)
        return arc_error_set(err, ARC_USAGE, "error: a capture needs at least two points");
    if (options->n_times > 0 && (options->points > 0 || !isnan(options->duration_s)))
        return arc_error_set(err, ARC_USAGE,
                             "error: --at gives the times; leave --points and --duration out");
    if (!(sigma_m > 0))
        return arc_error_set(err, ARC_USAGE,
                             "error: how much noise? give --sigma or the experiment's "
                             "capture.sigma, more than 0");
    double *times = malloc((size_t)n * sizeof(double));
    if (times == NULL)
        return arc_error_set(err, ARC_MEMORY, "error: out of memory");
    ArcStatus status = simulate_times(options, experiment, n, times, err);
    if (status == ARC_OK)
        status = arc_simulate_capture(experiment, n, times, sigma_m, capture, err);
    free(times);
    return status;
}

static int simulate_write(const ArcOptions *options, const ArcCapture *capture, const char *comment)
{
    ArcError err;
    char *text = NULL;
    if (options->out == NULL || strcmp(options->out, "-") == 0) {
        ArcStatus status = arc_capture_text(capture, comment, &text, &err);
        return arc_output_text(status, text, &err);
    }
    if (arc_output_check_path(options->out, &err) != ARC_OK ||
        arc_output_check_input(options->out, options->operands[0], &err) != ARC_OK ||
        arc_capture_write(capture, comment, options->out, &err) != ARC_OK)
        return arc_output_error(&err);
    if (!options->quiet)
        printf("%d points in %s\n", capture->n_points, options->out);
    return 0;
}

int arc_command_simulate(const ArcOptions *options)
{
    ArcExperiment *experiment = NULL;
    ArcCapture *capture = NULL;
    ArcError err;
    int code;
    ArcStatus status = arc_experiment_read(options->operands[0], options->n_overrides,
                                           options->overrides, &experiment, &err);
    double sigma_m = options->sigma_m;
    if (status == ARC_OK && isnan(sigma_m))
        sigma_m = experiment->capture.sigma_m;
    if (status == ARC_OK)
        status = simulate_capture(options, experiment, sigma_m, &capture, &err);
    char *comment = status == ARC_OK ? simulate_comment(options, experiment, sigma_m) : NULL;
    if (status == ARC_OK && comment == NULL)
        status = arc_error_set(&err, ARC_MEMORY, "error: out of memory");
    code = status == ARC_OK ? simulate_write(options, capture, comment) : arc_output_error(&err);
    free(comment);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
    return code;
}
