/* The reader of the command line, which follows the tables of commands and options. Options and
 * operands may come in any order; `--` ends the options; a long option takes its value as
 * `--json FILE` or `--json=FILE`. */
#include "cli/options.h"

#include "cli/option_values.h"
#include "cli/tables.h"

#include "arcfit/experiment.h"
#include "arcfit/figure.h"
#include "arcfit/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_OPTIONS = 64,
    MOST_THREADS = 1024,
    MOST_POINTS = 1000000,
    MOST_REPLICAS = 1000000,
    MOST_FLIGHTS = 100000
};

void arc_options_free(ArcOptions *options)
{
    free(options->memory);
    options->memory = NULL;
}

/* One block for all lists; none is longer than argc + 1 (one more override for the seed), nor the
 * text of --profile longer than "fit.profile=[]" and all arguments with two bytes more each. */
static bool options_reserve(ArcOptions *options, int argc, char **argv)
{
    size_t n = (size_t)argc + 1, text = 32;
    for (int i = 1; i < argc; i++)
        text += strlen(argv[i]) + 2;
    char *memory = calloc(1, n * (sizeof(ArcPlane) + sizeof(double) + 3 * sizeof(char *)) + text);
    if (memory == NULL)
        return false;
    options->memory = memory;
    options->planes = (ArcPlane *)(void *)memory;
    options->times_s = (double *)(void *)(options->planes + n);
    options->overrides = (const char **)(void *)(options->times_s + n);
    options->operands = options->overrides + n;
    options->corrections = options->operands + n;
    options->profile = (char *)(options->corrections + n);
    return true;
}

/* Where an option whose value is taken as it is keeps it; NULL: it is another. */
static const char **place_of(ArcOptions *options, ArcOptionKey key)
{
    switch (key) {
    case ARC_OPTION_OUT:
        return &options->out;
    case ARC_OPTION_JSON:
        return &options->json;
    case ARC_OPTION_SWING:
        return &options->swing;
    case ARC_OPTION_READINGS:
        return &options->readings;
    case ARC_OPTION_CHECKPOINT:
        return &options->checkpoint;
    case ARC_OPTION_RESUME:
        return &options->resume;
    case ARC_OPTION_LOG:
        return &options->log;
    case ARC_OPTION_WARM_START:
        return &options->warm_start;
    case ARC_OPTION_EXPORT_CLOSURE:
        return &options->export_closure;
    case ARC_OPTION_FIGURES:
        return &options->figures;
    case ARC_OPTION_CSV:
        return &options->csv;
    default:
        return NULL;
    }
}

static ArcStatus option_apply(ArcOptions *options, const ArcOptionRow *row, const char *value,
                              ArcError *err)
{
    const char **place = place_of(options, row->key);
    if (place != NULL) {
        *place = value;
        return ARC_OK;
    }
    switch (row->key) {
    case ARC_OPTION_HELP:
        options->help = true;
        break;
    case ARC_OPTION_VERSION:
        options->version = true;
        break;
    case ARC_OPTION_QUIET:
        options->quiet = true;
        break;
    case ARC_OPTION_VERBOSE:
        options->verbose = true;
        break;
    case ARC_OPTION_HELD_OUT:
        options->held_out = true;
        break;
    case ARC_OPTION_FORMATS:
        options->formats = true;
        break;
    case ARC_OPTION_SET:
        options->overrides[options->n_overrides++] = value;
        break;
    case ARC_OPTION_SEED:
        return arc_option_read_seed(options, value, err);
    case ARC_OPTION_THREADS:
        return arc_option_read_whole(value, row->name, MOST_THREADS, &options->threads, err);
    case ARC_OPTION_FLIGHT:
        return arc_option_read_whole(value, row->name, MOST_REPLICAS, &options->flight, err);
    case ARC_OPTION_POINTS:
        return arc_option_read_whole(value, row->name, MOST_POINTS, &options->points, err);
    case ARC_OPTION_AT:
        return arc_option_read_value(value, row->name, "s", &options->times_s[options->n_times++],
                                     err);
    case ARC_OPTION_CORRECT:
        options->corrections[options->n_corrections++] = value;
        break;
    case ARC_OPTION_PLANE:
        return arc_option_read_plane(options, value, err);
    case ARC_OPTION_DURATION:
        return arc_option_read_value(value, row->name, "s", &options->duration_s, err);
    case ARC_OPTION_SIGMA:
        return arc_option_read_sigma(options, value, err);
    case ARC_OPTION_REPLICAS:
        return arc_option_read_whole(value, row->name, MOST_REPLICAS, &options->replicas, err);
    case ARC_OPTION_FLIGHTS:
        return arc_option_read_whole(value, row->name, MOST_FLIGHTS, &options->flights, err);
    case ARC_OPTION_DRAW:
        options->overrides[options->n_overrides++] = "simulate.draw=true";
        break;
    case ARC_OPTION_EVERY:
        return arc_option_read_value(value, row->name, "s", &options->every_s, err);
    case ARC_OPTION_PROFILE:
        return arc_option_add_profile(options, value, err);
    case ARC_OPTION_BOOTSTRAP:
        return arc_option_set_count(options, options->bootstrap, "bootstrap", value, err);
    case ARC_OPTION_BOOTSTRAP_KIND:
        return arc_option_set_bootstrap_kind(options, value, err);
    case ARC_OPTION_UNITS:
        return arc_option_read_name(value, row->name, arc_units_name, &options->units, err);
    case ARC_OPTION_FORMAT:
        return arc_option_read_name(value, row->name, arc_picture_format_name, &options->format,
                                    err);
    case ARC_OPTION_AS:
        return arc_option_read_name(value, row->name, arc_help_form_name, &options->form, err);
    case ARC_OPTION_SAMPLE:
        return arc_option_set_count(options, options->sample, "sample", value, err);
    default:
        break; /* place_of has it */
    }
    return ARC_OK;
}

/* The row of an argument like "-o", "--json" or "--json=FILE"; *value is what follows '='. */
static const ArcOptionRow *option_find(const char *argument, const char **value, ArcError *err)
{
    const char *names[MOST_OPTIONS];
    const ArcOptionRow *row;
    int n = 0;
    const char *equals = strncmp(argument, "--", 2) == 0 ? strchr(argument, '=') : NULL;
    size_t length = equals == NULL ? strlen(argument) : (size_t)(equals - argument);
    *value = equals == NULL ? NULL : equals + 1;
    for (; (row = arc_option_at(n)) != NULL && n < MOST_OPTIONS; n++) {
        names[n] = row->name;
        if ((strlen(row->name) == length && strncmp(argument, row->name, length) == 0) ||
            (row->letter != NULL && strcmp(argument, row->letter) == 0))
            return row;
    }
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), argument);
    const char *nearest = arc_text_nearest(name, n, names);
    if (nearest != NULL)
        arc_error_set(err, ARC_USAGE, "error: unknown option '%s'; did you mean '%s'?", name,
                      nearest);
    else
        arc_error_set(err, ARC_USAGE,
                      "error: unknown option '%s'; `arcfit help` lists them, and `--` ends them",
                      name);
    return NULL;
}

/* True for what --at takes besides its first value: text that begins as a number does. */
static bool is_numeric(const char *text)
{
    if (text[0] == '-' || text[0] == '+')
        text++;
    if (text[0] == '.')
        text++;
    return text[0] >= '0' && text[0] <= '9';
}

/* Whether an option that takes several values takes this argument, too. What follows --correct
 * before the experiment was named is the experiment. */
static bool takes_more(const ArcOptions *options, ArcOptionKey key, const char *argument)
{
    return (key == ARC_OPTION_AT && is_numeric(argument)) ||
           (key == ARC_OPTION_CORRECT && argument[0] != '-' && options->n_operands > 0);
}

/* Reads the option at argv[*i] with its values; *used collects the rows for the check by command.
 */
static ArcStatus option_read(int argc, char **argv, int *i, ArcOptions *options, uint64_t *used,
                             ArcError *err)
{
    const char *value;
    const ArcOptionRow *row = option_find(argv[*i], &value, err);
    if (row == NULL)
        return ARC_USAGE;
    if (row->value == NULL && value != NULL)
        return arc_error_set(err, ARC_USAGE, "error: option '%s' takes no value", row->name);
    if (row->value != NULL && value == NULL) {
        if (*i + 1 >= argc)
            return arc_error_set(err, ARC_USAGE, "error: option '%s' wants a value: %s %s",
                                 row->name, row->name, row->value);
        value = argv[++*i];
    }
    *used |= UINT64_C(1) << row->key;
    ArcStatus status = option_apply(options, row, value, err);
    while (status == ARC_OK && *i + 1 < argc && takes_more(options, row->key, argv[*i + 1]))
        status = option_apply(options, row, argv[++*i], err);
    return status;
}

/* What belongs to the training of one experiment. */
static ArcStatus training_check(const ArcOptions *options, uint64_t used, ArcError *err)
{
    const uint64_t single = UINT64_C(1) << ARC_OPTION_CHECKPOINT | UINT64_C(1) << ARC_OPTION_EVERY |
                            UINT64_C(1) << ARC_OPTION_RESUME | UINT64_C(1) << ARC_OPTION_LOG |
                            UINT64_C(1) << ARC_OPTION_WARM_START;
    const ArcOptionRow *row;
    for (int i = 0; (row = arc_option_at(i)) != NULL && options->n_operands > 1; i++) {
        if ((used & single & (UINT64_C(1) << row->key)) != 0)
            return arc_error_set(err, ARC_USAGE,
                                 "error: '%s' goes with one experiment, not with %d", row->name,
                                 options->n_operands);
    }
    if (isnan(options->every_s))
        return ARC_OK;
    if (options->checkpoint == NULL)
        return arc_error_set(err, ARC_USAGE, "error: --every goes with --checkpoint FILE");
    if (options->every_s < 0)
        return arc_error_set(err, ARC_USAGE, "error: --every wants 0 s or more, not %g s",
                             options->every_s);
    return ARC_OK;
}

/* Whether the command takes the options and operands that came. */
static ArcStatus options_check(const ArcOptions *options, uint64_t used, ArcError *err)
{
    if (options->help || options->version)
        return ARC_OK;
    if ((int)options->command == 0)
        return arc_error_set(err, ARC_USAGE, "error: no command; `arcfit help` lists them");
    const ArcCommandRow *row = arc_command_row(options->command);
    const ArcOptionRow *option;
    for (int i = 0; (option = arc_option_at(i)) != NULL; i++) {
        if ((used & (UINT64_C(1) << option->key)) != 0 &&
            (option->commands & (int)options->command) == 0)
            return arc_error_set(err, ARC_USAGE, "error: `arcfit %s` takes no option '%s'",
                                 row->name, option->name);
    }
    bool is_empty = options->out != NULL && options->out[0] == '\0';
    for (int i = 0; i < options->n_operands; i++)
        is_empty = is_empty || options->operands[i][0] == '\0';
    if (is_empty)
        return arc_error_set(err, ARC_USAGE, "error: an empty name where a file's should be");
    if (options->n_operands > row->most)
        return arc_error_set(err, ARC_USAGE, "error: unexpected '%.200s'; usage: arcfit %s%s%s",
                             options->operands[row->most], row->name,
                             row->operands[0] == '\0' ? "" : " ", row->operands);
    bool is_complete =
        row->command == ARC_COMMAND_HELP || row->command == ARC_COMMAND_MODELS || options->formats;
    if (options->n_operands == 0 && !is_complete)
        return arc_error_set(err, ARC_USAGE, "error: what to %s? usage: arcfit %s %s", row->name,
                             row->name, row->operands);
    return training_check(options, used, err);
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static ArcStatus options_read_all(int argc, char **argv, ArcOptions *options, ArcError *err)
{
    bool ended = false;
    uint64_t used = 0;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (!ended && strcmp(argument, "--") == 0) {
            ended = true;
        } else if (!ended && argument[0] == '-' && argument[1] != '\0') {
            ArcStatus status = option_read(argc, argv, &i, options, &used, err);
            if (status != ARC_OK)
                return status;
        } else if ((int)options->command == 0) {
            options->command = arc_command_find(argument, err);
            if ((int)options->command == 0)
                return ARC_USAGE;
        } else {
            options->operands[options->n_operands++] = argument;
        }
    }
    qsort(options->times_s, (size_t)options->n_times, sizeof(double), compare_times);
    return options_check(options, used, err);
}

ArcStatus arc_options_read(int argc, char **argv, ArcOptions *options, ArcError *err)
{
    *options = (ArcOptions){.threads = 1,
                            .duration_s = NAN,
                            .sigma_m = NAN,
                            .sigma_px = NAN,
                            .every_s = NAN,
                            .format = -1};
    if (!options_reserve(options, argc, argv))
        return arc_error_set(err, ARC_MEMORY, "error: out of memory");
    ArcStatus status = options_read_all(argc, argv, options, err);
    if (status != ARC_OK)
        arc_options_free(options);
    return status;
}
