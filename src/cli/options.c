/* Tables of commands and options, and the reader that follows them. Options and operands may come
 * in any order; `--` ends the options; a long option takes its value as `--json FILE` or
 * `--json=FILE`. */
#include "cli/options.h"

#include "cli/option_values.h"

#include "arcfit/experiment.h"
#include "arcfit/text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct CommandRow {
    ArcCommand command;
    const char *name;
    const char *operands;
    const char *doc;
    int most; /* operands; at least one unless 0 or help */
} CommandRow;

static const CommandRow command_rows[] = {
    {ARC_COMMAND_CHECK, "check", "EXPERIMENT", "what is fitted, what the data can identify", 1},
    {ARC_COMMAND_FIT, "fit", "EXPERIMENT...", "PINN and direct fit; a result for each", 1 << 20},
    {ARC_COMMAND_COMPARE, "compare", "RESULT|EXPERIMENT...",
     "PINN against direct; several: models ranked", 1 << 20},
    {ARC_COMMAND_PREDICT, "predict", "RESULT", "states, crossings, held-out points, with sd", 1},
    {ARC_COMMAND_SIMULATE, "simulate", "EXPERIMENT", "a synthetic capture from given values", 1},
    {ARC_COMMAND_AIM, "aim", "EXPERIMENT", "throws that hit a target, the best first", 1},
    {ARC_COMMAND_TRACK, "track", "EXPERIMENT", "a flight as its frames come; where it lands", 1},
    {ARC_COMMAND_IMPORT, "import", "FILE", "any supported capture -> the canonical CSV", 1},
    {ARC_COMMAND_MODELS, "models", "[FILE.c...]", "laws, balls, own equations: parameters",
     1 << 20},
    {ARC_COMMAND_HELP, "help", "[TOPIC]", "a command, `settings` or `units`", 1},
};

enum {
    N_COMMANDS = sizeof command_rows / sizeof command_rows[0],
    ANY = 1023,
    RUNS = ARC_COMMAND_CHECK | ARC_COMMAND_FIT | ARC_COMMAND_COMPARE | ARC_COMMAND_SIMULATE |
           ARC_COMMAND_AIM,
    MOST_THREADS = 1024,
    MOST_POINTS = 1000000,
    MOST_REPLICAS = 1000000,
    MOST_FLIGHTS = 100000
};

typedef enum OptionKey {
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_THREADS,
    OPTION_SEED,
    OPTION_SET,
    OPTION_OUT,
    OPTION_JSON,
    OPTION_AT,
    OPTION_PLANE,
    OPTION_HELD_OUT,
    OPTION_FLIGHT,
    OPTION_POINTS,
    OPTION_DURATION,
    OPTION_SIGMA,
    OPTION_REPLICAS,
    OPTION_FLIGHTS,
    OPTION_SWING,
    OPTION_READINGS,
    OPTION_DRAW,
    OPTION_CHECKPOINT,
    OPTION_EVERY,
    OPTION_RESUME,
    OPTION_LOG,
    OPTION_WARM_START,
    OPTION_PROFILE,
    OPTION_BOOTSTRAP,
    OPTION_BOOTSTRAP_KIND,
    OPTION_SAMPLE,
    OPTION_EXPORT_CLOSURE,
    OPTION_FORMATS,
    OPTION_CORRECT
} OptionKey;

typedef struct OptionRow {
    OptionKey key;
    const char *name, *letter, *value, *doc; /* value NULL: takes none */
    int commands;
} OptionRow;

static const OptionRow option_rows[] = {
    {OPTION_HELP, "--help", "-h", NULL, "show this help", ANY},
    {OPTION_VERSION, "--version", NULL, NULL, "show the version", ANY},
    {OPTION_QUIET, "--quiet", "-q", NULL, "no tables and no progress", ANY},
    {OPTION_VERBOSE, "--verbose", "-v", NULL, "correlations and history too", ANY},
    {OPTION_THREADS, "--threads", NULL, "N", "experiments, starts, refits, replicas at a time (1)",
     ANY},
    {OPTION_SEED, "--seed", NULL, "N", "the experiment's fit.seed", RUNS},
    {OPTION_SET, "--set", NULL, "KEY=VALUE", "any key of the experiment; may repeat",
     RUNS | ARC_COMMAND_IMPORT | ARC_COMMAND_TRACK},
    {OPTION_OUT, "--out", "-o", "FILE", "the file to write; of several results: a folder",
     ARC_COMMAND_FIT | ARC_COMMAND_SIMULATE | ARC_COMMAND_AIM | ARC_COMMAND_IMPORT},
    {OPTION_JSON, "--json", NULL, "FILE", "the same as JSON; - is standard output",
     ARC_COMMAND_CHECK | ARC_COMMAND_FIT | ARC_COMMAND_COMPARE | ARC_COMMAND_PREDICT |
         ARC_COMMAND_AIM},
    {OPTION_AT, "--at", NULL, "TIME...", "states or points at these times",
     ARC_COMMAND_PREDICT | ARC_COMMAND_SIMULATE},
    {OPTION_PLANE, "--plane", NULL, "AXIS=VALUE", "first crossing, as y=3.05m; may repeat",
     ARC_COMMAND_PREDICT},
    {OPTION_HELD_OUT, "--held-out", NULL, NULL, "score the points that were held out",
     ARC_COMMAND_PREDICT},
    {OPTION_FLIGHT, "--flight", NULL, "N", "which of several flights that were fitted together",
     ARC_COMMAND_PREDICT},
    {OPTION_POINTS, "--points", NULL, "N", "equally spaced points (30)", ARC_COMMAND_SIMULATE},
    {OPTION_DURATION, "--duration", NULL, "TIME", "from release (until back at its height, or 1 s)",
     ARC_COMMAND_SIMULATE},
    {OPTION_SIGMA, "--sigma", NULL, "LENGTH", "noise of each coordinate, or N px (capture.sigma)",
     ARC_COMMAND_SIMULATE},
    {OPTION_REPLICAS, "--replicas", NULL, "N", "so many captures STEM-0001.csv ... in folder -o",
     ARC_COMMAND_SIMULATE},
    {OPTION_FLIGHTS, "--flights", NULL, "N", "so many flights in one file, thrown alike",
     ARC_COMMAND_SIMULATE},
    {OPTION_SWING, "--swing", NULL, "FILE", "the arm's motion before, as simulate.swing says",
     ARC_COMMAND_SIMULATE},
    {OPTION_READINGS, "--readings", NULL, "FILE", "what simulate.readings reads off the arm",
     ARC_COMMAND_SIMULATE},
    {OPTION_DRAW, "--draw", NULL, NULL, "draw parameters from their priors", ARC_COMMAND_SIMULATE},
    {OPTION_CHECKPOINT, "--checkpoint", NULL, "FILE", "save the PINN's training there as it goes",
     ARC_COMMAND_FIT},
    {OPTION_EVERY, "--every", NULL, "TIME", "between two checkpoints (30 s); 0 s: each step",
     ARC_COMMAND_FIT},
    {OPTION_RESUME, "--resume", NULL, "FILE", "go on from a checkpoint of this experiment",
     ARC_COMMAND_FIT},
    {OPTION_LOG, "--log", NULL, "FILE", "a CSV row for each iteration, as it comes",
     ARC_COMMAND_FIT},
    {OPTION_WARM_START, "--warm-start", NULL, "RESULT", "begin with the net of an earlier result",
     ARC_COMMAND_FIT},
    {OPTION_EXPORT_CLOSURE, "--export-closure", NULL, "FILE",
     "the closure that was learned, with its band, as CSV", ARC_COMMAND_FIT},
    {OPTION_PROFILE, "--profile", NULL, "PARAM", "its profile likelihood too; may repeat",
     ARC_COMMAND_FIT},
    {OPTION_BOOTSTRAP, "--bootstrap", NULL, "N", "N fits of redrawn captures too", ARC_COMMAND_FIT},
    {OPTION_BOOTSTRAP_KIND, "--bootstrap-kind", NULL, "KIND",
     "redraw residuals (residual) or points (case)", ARC_COMMAND_FIT},
    {OPTION_SAMPLE, "--sample", NULL, "N", "N draws of Markov chains too, 2000 or more",
     ARC_COMMAND_FIT},
    {OPTION_CORRECT, "--correct", NULL, "RESULT...", "by observed throws, each fitted; may repeat",
     ARC_COMMAND_AIM},
    {OPTION_FORMATS, "--formats", NULL, NULL, "list the formats that can be read",
     ARC_COMMAND_IMPORT},
};

enum { N_OPTIONS = sizeof option_rows / sizeof option_rows[0] };

/* "fit"; NULL where the bit is no command. */
static const char *command_name(ArcCommand command)
{
    for (int i = 0; i < N_COMMANDS; i++) {
        if (command_rows[i].command == command)
            return command_rows[i].name;
    }
    return NULL;
}

ArcCommand arc_command_find(const char *name, ArcError *err)
{
    const char *names[N_COMMANDS];
    for (int i = 0; i < N_COMMANDS; i++) {
        names[i] = command_rows[i].name;
        if (strcmp(name, names[i]) == 0)
            return command_rows[i].command;
    }
    const char *nearest = arc_text_nearest(name, N_COMMANDS, names);
    if (nearest != NULL)
        arc_error_set(err, ARC_USAGE, "error: unknown command '%.100s'; did you mean '%s'?", name,
                      nearest);
    else
        arc_error_set(err, ARC_USAGE, "error: unknown command '%.100s'; `arcfit help` lists them",
                      name);
    return (ArcCommand)0;
}

void arc_command_usage(FILE *stream, ArcCommand command)
{
    for (int i = 0; i < N_COMMANDS; i++) {
        const CommandRow *row = &command_rows[i];
        if (row->command == command)
            fprintf(stream, "arcfit %s%s%s\n\n%s\n\n", row->name,
                    row->operands[0] == '\0' ? "" : " ", row->operands, row->doc);
        else if ((int)command == 0)
            fprintf(stream, "arcfit %-8s %-20s %s\n", row->name, row->operands, row->doc);
    }
    if ((int)command == 0)
        fprintf(stream, "\n");
    for (int i = 0; i < N_OPTIONS; i++) {
        const OptionRow *row = &option_rows[i];
        char name[48];
        if ((int)command != 0 ? (row->commands & (int)command) == 0 : row->commands != ANY)
            continue;
        snprintf(name, sizeof name, "%s%s%s %s", row->letter == NULL ? "" : row->letter,
                 row->letter == NULL ? "    " : ", ", row->name,
                 row->value == NULL ? "" : row->value);
        fprintf(stream, "  %-26s %s\n", name, row->doc);
    }
    if ((int)command == 0)
        fprintf(stream, "\n`arcfit help COMMAND` shows the options of one command.\n");
}

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
static const char **place_of(ArcOptions *options, OptionKey key)
{
    switch (key) {
    case OPTION_OUT:
        return &options->out;
    case OPTION_JSON:
        return &options->json;
    case OPTION_SWING:
        return &options->swing;
    case OPTION_READINGS:
        return &options->readings;
    case OPTION_CHECKPOINT:
        return &options->checkpoint;
    case OPTION_RESUME:
        return &options->resume;
    case OPTION_LOG:
        return &options->log;
    case OPTION_WARM_START:
        return &options->warm_start;
    case OPTION_EXPORT_CLOSURE:
        return &options->export_closure;
    default:
        return NULL;
    }
}

static ArcStatus option_apply(ArcOptions *options, const OptionRow *row, const char *value,
                              ArcError *err)
{
    const char **place = place_of(options, row->key);
    if (place != NULL) {
        *place = value;
        return ARC_OK;
    }
    switch (row->key) {
    case OPTION_HELP:
        options->help = true;
        break;
    case OPTION_VERSION:
        options->version = true;
        break;
    case OPTION_QUIET:
        options->quiet = true;
        break;
    case OPTION_VERBOSE:
        options->verbose = true;
        break;
    case OPTION_HELD_OUT:
        options->held_out = true;
        break;
    case OPTION_FORMATS:
        options->formats = true;
        break;
    case OPTION_SET:
        options->overrides[options->n_overrides++] = value;
        break;
    case OPTION_SEED:
        return arc_option_read_seed(options, value, err);
    case OPTION_THREADS:
        return arc_option_read_whole(value, row->name, MOST_THREADS, &options->threads, err);
    case OPTION_FLIGHT:
        return arc_option_read_whole(value, row->name, MOST_REPLICAS, &options->flight, err);
    case OPTION_POINTS:
        return arc_option_read_whole(value, row->name, MOST_POINTS, &options->points, err);
    case OPTION_AT:
        return arc_option_read_value(value, row->name, "s", &options->times_s[options->n_times++],
                                     err);
    case OPTION_CORRECT:
        options->corrections[options->n_corrections++] = value;
        break;
    case OPTION_PLANE:
        return arc_option_read_plane(options, value, err);
    case OPTION_DURATION:
        return arc_option_read_value(value, row->name, "s", &options->duration_s, err);
    case OPTION_SIGMA:
        return arc_option_read_sigma(options, value, err);
    case OPTION_REPLICAS:
        return arc_option_read_whole(value, row->name, MOST_REPLICAS, &options->replicas, err);
    case OPTION_FLIGHTS:
        return arc_option_read_whole(value, row->name, MOST_FLIGHTS, &options->flights, err);
    case OPTION_DRAW:
        options->overrides[options->n_overrides++] = "simulate.draw=true";
        break;
    case OPTION_EVERY:
        return arc_option_read_value(value, row->name, "s", &options->every_s, err);
    case OPTION_PROFILE:
        return arc_option_add_profile(options, value, err);
    case OPTION_BOOTSTRAP:
        return arc_option_set_count(options, options->bootstrap, "bootstrap", value, err);
    case OPTION_BOOTSTRAP_KIND:
        return arc_option_set_bootstrap_kind(options, value, err);
    case OPTION_SAMPLE:
        return arc_option_set_count(options, options->sample, "sample", value, err);
    default:
        break; /* place_of has it */
    }
    return ARC_OK;
}

/* The row of an argument like "-o", "--json" or "--json=FILE"; *value is what follows '='. */
static const OptionRow *option_find(const char *argument, const char **value, ArcError *err)
{
    const char *names[N_OPTIONS];
    const char *equals = strncmp(argument, "--", 2) == 0 ? strchr(argument, '=') : NULL;
    size_t length = equals == NULL ? strlen(argument) : (size_t)(equals - argument);
    *value = equals == NULL ? NULL : equals + 1;
    for (int i = 0; i < N_OPTIONS; i++) {
        const OptionRow *row = &option_rows[i];
        names[i] = row->name;
        if ((strlen(row->name) == length && strncmp(argument, row->name, length) == 0) ||
            (row->letter != NULL && strcmp(argument, row->letter) == 0))
            return row;
    }
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), argument);
    const char *nearest = arc_text_nearest(name, N_OPTIONS, names);
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
static bool takes_more(const ArcOptions *options, OptionKey key, const char *argument)
{
    return (key == OPTION_AT && is_numeric(argument)) ||
           (key == OPTION_CORRECT && argument[0] != '-' && options->n_operands > 0);
}

/* Reads the option at argv[*i] with its values; *used collects the rows for the check by command.
 */
static ArcStatus option_read(int argc, char **argv, int *i, ArcOptions *options, uint64_t *used,
                             ArcError *err)
{
    const char *value;
    const OptionRow *row = option_find(argv[*i], &value, err);
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
    const uint64_t single = UINT64_C(1) << OPTION_CHECKPOINT | UINT64_C(1) << OPTION_EVERY |
                            UINT64_C(1) << OPTION_RESUME | UINT64_C(1) << OPTION_LOG |
                            UINT64_C(1) << OPTION_WARM_START;
    for (int i = 0; i < N_OPTIONS && options->n_operands > 1; i++) {
        if ((used & single & (UINT64_C(1) << option_rows[i].key)) != 0)
            return arc_error_set(err, ARC_USAGE,
                                 "error: '%s' goes with one experiment, not with %d",
                                 option_rows[i].name, options->n_operands);
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
    for (int i = 0; i < N_OPTIONS; i++) {
        if ((used & (UINT64_C(1) << option_rows[i].key)) != 0 &&
            (option_rows[i].commands & (int)options->command) == 0)
            return arc_error_set(err, ARC_USAGE, "error: `arcfit %s` takes no option '%s'",
                                 command_name(options->command), option_rows[i].name);
    }
    bool is_empty = options->out != NULL && options->out[0] == '\0';
    for (int i = 0; i < options->n_operands; i++)
        is_empty = is_empty || options->operands[i][0] == '\0';
    if (is_empty)
        return arc_error_set(err, ARC_USAGE, "error: an empty name where a file's should be");
    for (int i = 0; i < N_COMMANDS; i++) {
        const CommandRow *row = &command_rows[i];
        if (row->command != options->command)
            continue;
        if (options->n_operands > row->most)
            return arc_error_set(err, ARC_USAGE, "error: unexpected '%.200s'; usage: arcfit %s%s%s",
                                 options->operands[row->most], row->name,
                                 row->operands[0] == '\0' ? "" : " ", row->operands);
        bool is_complete = row->command == ARC_COMMAND_HELP || row->command == ARC_COMMAND_MODELS ||
                           options->formats;
        if (options->n_operands == 0 && !is_complete)
            return arc_error_set(err, ARC_USAGE, "error: what to %s? usage: arcfit %s %s",
                                 row->name, row->name, row->operands);
    }
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
    *options = (ArcOptions){
        .threads = 1, .duration_s = NAN, .sigma_m = NAN, .sigma_px = NAN, .every_s = NAN};
    if (!options_reserve(options, argc, argv))
        return arc_error_set(err, ARC_MEMORY, "error: out of memory");
    ArcStatus status = options_read_all(argc, argv, options, err);
    if (status != ARC_OK)
        arc_options_free(options);
    return status;
}
