/* arcfit simulate: flies an experiment's own parameters and writes a capture with noise, or many
 * replicas of it, or several flights in one file; of an arm also its swing and readings. The
 * experiment's capture file need not exist. A replica depends on its number alone, so that neither
 * their count nor the number of threads changes a byte of it. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/captures.h"
#include "arcfit/recording.h"
#include "arcfit/report.h"
#include "arcfit/simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The flights of one file; the comments of that and of the tables beside it. */
typedef struct Synthetic {
    int n;
    ArcCapture **captures; /* (n) */
    char *comment, *short_comment;
} Synthetic;

static void synthetic_free(Synthetic *synthetic)
{
    for (int f = 0; f < synthetic->n && synthetic->captures != NULL; f++)
        arc_capture_free(synthetic->captures[f]);
    free(synthetic->captures);
    free(synthetic->comment);
    free(synthetic->short_comment);
}

/* What the options say wins over what the experiment says of the same and contradicts. */
static ArcStatus simulate_settings(const ArcOptions *options, const ArcExperiment *experiment,
                                   ArcSimulateSettings *settings, ArcError *err)
{
    bool has_points = options->points > 0, has_duration = !isnan(options->duration_s);
    *settings = experiment->simulate;
    if (options->points == 1 || options->n_times == 1)
        return arc_error_set(err, ARC_USAGE, "error: a capture needs at least two points");
    if (options->n_times > 0 && (has_points || has_duration))
        return arc_error_set(err, ARC_USAGE,
                             "error: --at gives the times; leave --points and --duration out");
    for (int i = 1; i < options->n_times; i++) {
        if (options->times_s[i] == options->times_s[i - 1])
            return arc_error_set(err, ARC_USAGE, "error: --at gives the time %g s twice",
                                 options->times_s[i]);
    }
    if (has_duration && !(options->duration_s > 0))
        return arc_error_set(err, ARC_USAGE, "error: --duration must be longer than 0 s");
    if (has_points && has_duration)
        settings->rate_per_s = NAN;
    else if (has_points && isfinite(settings->rate_per_s))
        settings->duration_s = NAN;
    else if (has_duration && isfinite(settings->rate_per_s))
        settings->points = 0;
    if (has_points)
        settings->points = options->points;
    if (has_duration)
        settings->duration_s = options->duration_s;
    if (options->n_times > 0 || has_points || has_duration)
        settings->n_times = 0;
    if (experiment->equations != NULL && (!isnan(options->sigma_m) || !isnan(options->sigma_px)))
        return arc_error_set(err, ARC_USAGE,
                             "error: --sigma is of the points of a ball; of a model give --set "
                             "simulate.sigma=.., one number or {CHANNEL: number}");
    if (!isnan(options->sigma_m))
        settings->sigma_m = options->sigma_m;
    if (!isnan(options->sigma_px))
        settings->sigma_px = options->sigma_px;
    if (isnan(settings->sigma_m))
        settings->sigma_m = experiment->capture.sigma_m;
    return ARC_OK;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Of the channels of a model. */
static void print_sigmas(FILE *stream, const ArcExperiment *experiment,
                         const ArcSimulateSettings *settings)
{
    const char *separator = ", sigma ";
    for (int c = 0; c < experiment->equations->n_channels; c++) {
        const ArcParameterInfo *channel = &experiment->equations->channels[c];
        double sigma = arc_simulate_sigma(experiment, settings, c);
        bool is_one = strcmp(channel->unit, "1") == 0;
        if (isnan(sigma))
            continue;
        fprintf(stream, "%s%s %g%s%s", separator, channel->name, sigma, is_one ? "" : " ",
                is_one ? "" : channel->unit);
        separator = ", ";
    }
}

/* What made the file, without anything that differs from machine to machine. */
static void print_origin(FILE *stream, const ArcOptions *options, const ArcExperiment *experiment,
                         const ArcSimulateSettings *settings)
{
    double sigma_px = isnan(settings->sigma_px) ? experiment->capture.sigma_px : settings->sigma_px;
    fprintf(stream, "synthetic: arcfit simulate %s, seed %llu", name_of(options->operands[0]),
            (unsigned long long)experiment->seed);
    if (settings->replica > 0)
        fprintf(stream, ", replica %llu", (unsigned long long)settings->replica);
    if (options->flights > 0)
        fprintf(stream, ", %d flights", options->flights);
    if (!isnan(settings->sigma_m))
        fprintf(stream, ", sigma %g m", settings->sigma_m);
    if (!isnan(sigma_px))
        fprintf(stream, ", sigma %g px", sigma_px);
    if (experiment->equations != NULL)
        print_sigmas(stream, experiment, settings);
    fputs("\n", stream);
    for (int i = 0; i < options->n_overrides; i++)
        if (options->overrides[i] != options->seed)
            fprintf(stream, "set %s\n", options->overrides[i]);
}

static ArcStatus print_truths(FILE *stream, const ArcOptions *options,
                              const ArcExperiment *experiment, ArcSimulateSettings settings,
                              ArcError *err)
{
    ArcStatus status = ARC_OK;
    int n = options->flights > 0 ? options->flights : 1;
    for (int f = 0; f < n && status == ARC_OK; f++) {
        char *text = NULL;
        settings.flight = options->flights > 0 ? (uint64_t)f + 1 : 0;
        status = arc_simulate_text(experiment, &settings, &text, err);
        if (status == ARC_OK)
            fputs(text, stream);
        arc_text_free(text);
    }
    return status;
}

static ArcStatus simulate_comment(const ArcOptions *options, const ArcExperiment *experiment,
                                  const ArcSimulateSettings *settings, bool with_truth,
                                  char **comment, ArcError *err)
{
    size_t size;
    FILE *stream = open_memstream(comment, &size);
    if (stream == NULL)
        return arc_error_set(err, ARC_MEMORY, "error: out of memory");
    print_origin(stream, options, experiment, settings);
    ArcStatus status =
        with_truth ? print_truths(stream, options, experiment, *settings, err) : ARC_OK;
    if (fclose(stream) != 0 && status == ARC_OK)
        status = arc_error_set(err, ARC_MEMORY, "error: out of memory");
    if (status != ARC_OK) {
        free(*comment);
        *comment = NULL;
    }
    return status;
}

static ArcStatus make_flight(const ArcOptions *options, const ArcExperiment *experiment,
                             const ArcSimulateSettings *settings, ArcCapture **capture,
                             ArcError *err)
{
    int n = options->n_times;
    double *made = NULL;
    ArcStatus status = ARC_OK;
    if (n == 0)
        status = arc_simulate_times(experiment, settings, &n, &made, err);
    if (status == ARC_OK)
        status = arc_simulate_capture(experiment, n, made != NULL ? made : options->times_s,
                                      *settings, capture, err);
    free(made);
    return status;
}

static ArcStatus synthetic_make(const ArcOptions *options, const ArcExperiment *experiment,
                                ArcSimulateSettings settings, Synthetic *synthetic, ArcError *err)
{
    ArcStatus status = ARC_OK;
    int n = options->flights > 0 ? options->flights : 1;
    synthetic->captures = calloc((size_t)n, sizeof *synthetic->captures);
    if (synthetic->captures == NULL)
        return arc_error_set(err, ARC_MEMORY, "error: out of memory");
    synthetic->n = n;
    for (int f = 0; f < n && status == ARC_OK; f++) {
        settings.flight = options->flights > 0 ? (uint64_t)f + 1 : 0;
        status = make_flight(options, experiment, &settings, &synthetic->captures[f], err);
    }
    if (status == ARC_OK)
        status = simulate_comment(options, experiment, &settings, true, &synthetic->comment, err);
    if (status == ARC_OK)
        status =
            simulate_comment(options, experiment, &settings, false, &synthetic->short_comment, err);
    return status;
}

/* FOLDER/STEM-0001.csv */
static char *replica_path(const ArcOptions *options, int number)
{
    char *path = NULL;
    size_t size;
    const char *name = name_of(options->operands[0]), *dot = strrchr(name, '.');
    size_t folder = strlen(options->out),
           stem = dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
    bool has_slash = folder > 0 && options->out[folder - 1] == '/';
    FILE *stream = open_memstream(&path, &size);
    if (stream == NULL)
        return NULL;
    fprintf(stream, "%s%s%.*s-%04d.csv", options->out, has_slash ? "" : "/", (int)stem, name,
            number);
    if (fclose(stream) == 0)
        return path;
    free(path);
    return NULL;
}

static ArcStatus replica_run(const ArcOptions *options, const ArcExperiment *experiment,
                             ArcSimulateSettings settings, int number, bool is_written,
                             ArcError *err)
{
    Synthetic synthetic = {0};
    char *path = replica_path(options, number);
    settings.replica = (uint64_t)number;
    ArcStatus status = path == NULL ? arc_error_set(err, ARC_MEMORY, "error: out of memory")
                                    : arc_output_check_path(path, err);
    if (status == ARC_OK)
        status = arc_output_check_input(path, options->operands[0], err);
    if (status == ARC_OK)
        status = arc_output_check_capture(path, &experiment->capture, err);
    if (status == ARC_OK)
        status = synthetic_make(options, experiment, settings, &synthetic, err);
    if (status == ARC_OK && is_written)
        status = arc_capture_write(synthetic.captures[0], synthetic.comment, path, err);
    free(path);
    synthetic_free(&synthetic);
    return status;
}

/* All replicas; the failure that is told is the first one's by number. */
static int simulate_replicas(const ArcOptions *options, const ArcExperiment *experiment,
                             const ArcSimulateSettings *settings)
{
    int n = options->replicas, failed = n + 1, n_written = 0;
    ArcError first;
    if (options->out == NULL || strcmp(options->out, "-") == 0) {
        (void)arc_error_set(&first, ARC_USAGE,
                            "error: --replicas wants a folder to write to: -o FOLDER");
        return arc_output_error(&first);
    }
    if (options->flights > 0 || options->swing != NULL || options->readings != NULL) {
        (void)arc_error_set(&first, ARC_USAGE,
                            "error: --replicas writes flights alone; leave --flights, --swing and "
                            "--readings out");
        return arc_output_error(&first);
    }
    /* What is wrong with all of them comes before anything is written. */
    if (replica_run(options, experiment, *settings, 1, false, &first) != ARC_OK)
        return arc_output_error(&first);
    arc_output_catch_interrupt(false);
#pragma omp parallel for schedule(dynamic) num_threads(options->threads < n ? options->threads : n)
    for (int i = 1; i <= n; i++) {
        ArcError err;
        bool goes_on;
#pragma omp critical(arc_simulate_replicas)
        goes_on = i <= failed && !arc_output_is_interrupted();
        if (!goes_on)
            continue;
        ArcStatus status = replica_run(options, experiment, *settings, i, true, &err);
#pragma omp critical(arc_simulate_replicas)
        {
            n_written += status == ARC_OK ? 1 : 0;
            if (status != ARC_OK && i < failed) {
                failed = i;
                first = err;
            }
        }
    }
    bool interrupted = arc_output_end_interrupt();
    if (failed <= n)
        return arc_output_error(&first);
    if (interrupted && n_written < n) {
        fprintf(stderr, "error: interrupted; %d of %d captures were written\n", n_written, n);
        return arc_status_exit_code(ARC_INTERRUPTED);
    }
    if (!options->quiet)
        printf("%d captures in %s\n", n, options->out);
    return 0;
}

/* What is written, as text: all of it is made before the first is written. */
typedef struct Tables {
    char *swing, *readings, *points; /* NULL: not asked for */
} Tables;

static void tables_free(Tables *tables)
{
    arc_text_free(tables->swing);
    arc_text_free(tables->readings);
    arc_text_free(tables->points);
}

static ArcStatus tables_make(const ArcOptions *options, const ArcExperiment *experiment,
                             const Synthetic *synthetic, Tables *tables, ArcError *err)
{
    const ArcCapture *const *captures = (const ArcCapture *const *)synthetic->captures;
    int n = synthetic->n;
    ArcStatus status = ARC_OK;
    if (options->swing != NULL)
        status = arc_swing_text(n, captures, experiment->arm.settings.n_joints,
                                synthetic->short_comment, &tables->swing, err);
    if (status == ARC_OK && options->readings != NULL)
        status = arc_readings_text(n, captures, synthetic->short_comment, &tables->readings, err);
    if (status == ARC_OK)
        status = arc_captures_text(n, captures, synthetic->comment, &tables->points, err);
    return status;
}

static ArcStatus tables_write(const ArcOptions *options, const Tables *tables, ArcError *err)
{
    ArcStatus status = ARC_OK;
    if (tables->swing != NULL)
        status = arc_recording_save(tables->swing, options->swing, err);
    if (status == ARC_OK && tables->readings != NULL)
        status = arc_recording_save(tables->readings, options->readings, err);
    return status;
}

/* What is wrong with the paths comes before anything is written. */
static ArcStatus check_paths(const ArcOptions *options, const ArcExperiment *experiment,
                             ArcError *err)
{
    const char *const paths[] = {options->out, options->swing, options->readings};
    for (int i = 0; i < 3; i++) {
        if (paths[i] == NULL || strcmp(paths[i], "-") == 0)
            continue;
        ArcStatus status = arc_output_check_path(paths[i], err);
        if (status == ARC_OK)
            status = arc_output_check_calibrations(paths[i], &experiment->capture, err);
        if (status == ARC_OK && i > 0)
            status = arc_output_check_input(paths[i], options->operands[0], err);
        for (int k = 0; k < i && status == ARC_OK; k++)
            if (paths[k] != NULL && strcmp(paths[i], paths[k]) == 0)
                status = arc_error_set(err, ARC_USAGE,
                                       "error: '%.400s' cannot be written twice; give every table "
                                       "a file of its own",
                                       paths[i]);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

static int simulate_write(const ArcOptions *options, const ArcExperiment *experiment,
                          const Synthetic *synthetic)
{
    ArcError err;
    Tables tables = {0};
    bool is_printed = options->out == NULL || strcmp(options->out, "-") == 0;
    int points = 0, code = 0;
    for (int f = 0; f < synthetic->n; f++)
        points += synthetic->captures[f]->n_points;
    ArcStatus status = check_paths(options, experiment, &err);
    if (status == ARC_OK)
        status = tables_make(options, experiment, synthetic, &tables, &err);
    if (status == ARC_OK)
        status = tables_write(options, &tables, &err);
    if (is_printed) {
        code = arc_output_text(status, status == ARC_OK ? tables.points : NULL, &err);
        if (status == ARC_OK)
            tables.points = NULL; /* freed there */
    } else {
        if (status == ARC_OK)
            status = arc_recording_save(tables.points, options->out, &err);
        if (status != ARC_OK)
            code = arc_output_error(&err);
        else if (!options->quiet && synthetic->n == 1)
            printf("%d points in %s\n", points, options->out);
        else if (!options->quiet)
            printf("%d points of %d flights in %s\n", points, synthetic->n, options->out);
    }
    tables_free(&tables);
    return code;
}

int arc_command_simulate(const ArcOptions *options)
{
    ArcExperiment *experiment = NULL;
    ArcSimulateSettings settings;
    Synthetic synthetic = {0};
    ArcError err;
    int code;
    ArcStatus status = arc_experiment_read(options->operands[0], options->n_overrides,
                                           options->overrides, &experiment, &err);
    if (status == ARC_OK)
        status = simulate_settings(options, experiment, &settings, &err);
    if (status == ARC_OK && options->replicas == 0)
        status = synthetic_make(options, experiment, settings, &synthetic, &err);
    if (status != ARC_OK)
        code = arc_output_error(&err);
    else if (options->replicas > 0)
        code = simulate_replicas(options, experiment, &settings);
    else
        code = simulate_write(options, experiment, &synthetic);
    synthetic_free(&synthetic);
    arc_experiment_free(experiment);
    return code;
}
