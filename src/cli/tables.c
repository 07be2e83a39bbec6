/* The tables of commands and options, and the usage that they give. */
#include "cli/tables.h"

#include "arcfit/text.h"

#include <string.h>

static const ArcCommandRow command_rows[] = {
    {ARC_COMMAND_CHECK, "check", "EXPERIMENT", "what is fitted, what the data can identify", 1},
    {ARC_COMMAND_FIT, "fit", "EXPERIMENT...", "PINN and direct fit; a result for each", 1 << 20},
    {ARC_COMMAND_COMPARE, "compare", "RESULT|EXPERIMENT...",
     "PINN against direct; several: models ranked", 1 << 20},
    {ARC_COMMAND_PREDICT, "predict", "RESULT", "states, crossings, held-out points, with sd", 1},
    {ARC_COMMAND_SIMULATE, "simulate", "EXPERIMENT", "a synthetic capture from given values", 1},
    {ARC_COMMAND_AIM, "aim", "EXPERIMENT", "throws that hit a target, the best first", 1},
    {ARC_COMMAND_TRACK, "track", "EXPERIMENT", "a flight as its frames come; where it lands", 1},
    {ARC_COMMAND_REPORT, "report", "RESULT...", "one self-contained HTML page; figures; CSV",
     1 << 20},
    {ARC_COMMAND_IMPORT, "import", "FILE", "any supported capture -> the canonical CSV", 1},
    {ARC_COMMAND_MODELS, "models", "[FILE.c...]", "laws, balls, own equations: parameters",
     1 << 20},
    {ARC_COMMAND_HELP, "help", "[TOPIC]", "a command, `settings` or `units`", 1},
};

enum {
    N_COMMANDS = sizeof command_rows / sizeof command_rows[0],
    ANY = ARC_COMMAND_ANY,
    RUNS = ARC_COMMAND_CHECK | ARC_COMMAND_FIT | ARC_COMMAND_COMPARE | ARC_COMMAND_SIMULATE |
           ARC_COMMAND_AIM
};

static const ArcOptionRow option_rows[] = {
    {ARC_OPTION_HELP, "--help", "-h", NULL, "show this help", ANY},
    {ARC_OPTION_VERSION, "--version", NULL, NULL, "show the version", ANY},
    {ARC_OPTION_QUIET, "--quiet", "-q", NULL, "no tables and no progress", ANY},
    {ARC_OPTION_VERBOSE, "--verbose", "-v", NULL, "correlations and history too", ANY},
    {ARC_OPTION_THREADS, "--threads", NULL, "N",
     "experiments, starts, refits, replicas at a time (1)", ANY},
    {ARC_OPTION_SEED, "--seed", NULL, "N", "the experiment's fit.seed", RUNS},
    {ARC_OPTION_SET, "--set", NULL, "KEY=VALUE", "any key of the experiment; may repeat",
     RUNS | ARC_COMMAND_IMPORT | ARC_COMMAND_TRACK},
    {ARC_OPTION_OUT, "--out", "-o", "FILE", "the file to write; of several experiments: a folder",
     ARC_COMMAND_FIT | ARC_COMMAND_SIMULATE | ARC_COMMAND_AIM | ARC_COMMAND_IMPORT |
         ARC_COMMAND_REPORT},
    {ARC_OPTION_JSON, "--json", NULL, "FILE", "the same as JSON; - is standard output",
     ARC_COMMAND_CHECK | ARC_COMMAND_FIT | ARC_COMMAND_COMPARE | ARC_COMMAND_PREDICT |
         ARC_COMMAND_AIM},
    {ARC_OPTION_AT, "--at", NULL, "TIME...", "states or points at these times",
     ARC_COMMAND_PREDICT | ARC_COMMAND_SIMULATE},
    {ARC_OPTION_PLANE, "--plane", NULL, "AXIS=VALUE", "first crossing, as y=3.05m; may repeat",
     ARC_COMMAND_PREDICT},
    {ARC_OPTION_HELD_OUT, "--held-out", NULL, NULL, "score the points that were held out",
     ARC_COMMAND_PREDICT},
    {ARC_OPTION_FLIGHT, "--flight", NULL, "N", "which of several flights that were fitted together",
     ARC_COMMAND_PREDICT},
    {ARC_OPTION_POINTS, "--points", NULL, "N", "equally spaced points (30)", ARC_COMMAND_SIMULATE},
    {ARC_OPTION_DURATION, "--duration", NULL, "TIME",
     "from release (until back at its height, or 1 s)", ARC_COMMAND_SIMULATE},
    {ARC_OPTION_SIGMA, "--sigma", NULL, "LENGTH",
     "noise of each coordinate, or N px (capture.sigma)", ARC_COMMAND_SIMULATE},
    {ARC_OPTION_REPLICAS, "--replicas", NULL, "N",
     "so many captures STEM-0001.csv ... in folder -o", ARC_COMMAND_SIMULATE},
    {ARC_OPTION_FLIGHTS, "--flights", NULL, "N", "so many flights in one file, thrown alike",
     ARC_COMMAND_SIMULATE},
    {ARC_OPTION_SWING, "--swing", NULL, "FILE", "the arm's motion before, as simulate.swing says",
     ARC_COMMAND_SIMULATE},
    {ARC_OPTION_READINGS, "--readings", NULL, "FILE", "what simulate.readings reads off the arm",
     ARC_COMMAND_SIMULATE},
    {ARC_OPTION_DRAW, "--draw", NULL, NULL, "draw parameters from their priors",
     ARC_COMMAND_SIMULATE},
    {ARC_OPTION_CHECKPOINT, "--checkpoint", NULL, "FILE",
     "save the PINN's training there as it goes", ARC_COMMAND_FIT},
    {ARC_OPTION_EVERY, "--every", NULL, "TIME", "between two checkpoints (30 s); 0 s: each step",
     ARC_COMMAND_FIT},
    {ARC_OPTION_RESUME, "--resume", NULL, "FILE", "go on from a checkpoint of this experiment",
     ARC_COMMAND_FIT},
    {ARC_OPTION_LOG, "--log", NULL, "FILE", "a CSV row for each iteration, as it comes",
     ARC_COMMAND_FIT},
    {ARC_OPTION_WARM_START, "--warm-start", NULL, "RESULT",
     "begin with the net of an earlier result", ARC_COMMAND_FIT},
    {ARC_OPTION_EXPORT_CLOSURE, "--export-closure", NULL, "FILE",
     "the closure that was learned, with its band, as CSV", ARC_COMMAND_FIT},
    {ARC_OPTION_PROFILE, "--profile", NULL, "PARAM", "its profile likelihood too; may repeat",
     ARC_COMMAND_FIT},
    {ARC_OPTION_BOOTSTRAP, "--bootstrap", NULL, "N", "N fits of redrawn captures too",
     ARC_COMMAND_FIT},
    {ARC_OPTION_BOOTSTRAP_KIND, "--bootstrap-kind", NULL, "KIND",
     "redraw residuals (residual) or points (case)", ARC_COMMAND_FIT},
    {ARC_OPTION_SAMPLE, "--sample", NULL, "N", "N draws of Markov chains too, 2000 or more",
     ARC_COMMAND_FIT},
    {ARC_OPTION_CORRECT, "--correct", NULL, "RESULT...",
     "by observed throws, each fitted; may repeat", ARC_COMMAND_AIM},
    {ARC_OPTION_UNITS, "--units", NULL, "UNITS",
     "that a page or figures show: si, metric, imperial (si)", ARC_COMMAND_REPORT},
    {ARC_OPTION_FIGURES, "--figures", NULL, "FOLDER",
     "the figures as files, by gnuplot, with their .gp", ARC_COMMAND_REPORT},
    {ARC_OPTION_FORMAT, "--format", NULL, "FORMAT", "of the figures: svg, pdf, png (svg)",
     ARC_COMMAND_REPORT},
    {ARC_OPTION_CSV, "--csv", NULL, "FOLDER", "all series of the figures as CSV",
     ARC_COMMAND_REPORT},
    {ARC_OPTION_AS, "--as", NULL, "FORM", "text, man, schema; bash, zsh, fish: completions",
     ARC_COMMAND_HELP},
    {ARC_OPTION_FORMATS, "--formats", NULL, NULL, "list the formats that can be read",
     ARC_COMMAND_IMPORT},
};

enum { N_OPTIONS = sizeof option_rows / sizeof option_rows[0] };

const ArcCommandRow *arc_command_at(int i)
{
    return i >= 0 && i < N_COMMANDS ? &command_rows[i] : NULL;
}

const ArcOptionRow *arc_option_at(int i)
{
    return i >= 0 && i < N_OPTIONS ? &option_rows[i] : NULL;
}

const ArcCommandRow *arc_command_row(ArcCommand command)
{
    for (int i = 0; i < N_COMMANDS; i++) {
        if (command_rows[i].command == command)
            return &command_rows[i];
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
    const ArcCommandRow *row;
    for (int i = 0; (row = arc_command_at(i)) != NULL; i++) {
        if (row->command == command)
            fprintf(stream, "arcfit %s%s%s\n\n%s\n\n", row->name,
                    row->operands[0] == '\0' ? "" : " ", row->operands, row->doc);
        else if ((int)command == 0)
            fprintf(stream, "arcfit %-8s %-20s %s\n", row->name, row->operands, row->doc);
    }
    if ((int)command == 0)
        fprintf(stream, "\n");
    const ArcOptionRow *option;
    for (int i = 0; (option = arc_option_at(i)) != NULL; i++) {
        char name[48];
        if ((int)command != 0 ? (option->commands & (int)command) == 0
                              : option->commands != ARC_COMMAND_ANY)
            continue;
        snprintf(name, sizeof name, "%s%s%s %s", option->letter == NULL ? "" : option->letter,
                 option->letter == NULL ? "    " : ", ", option->name,
                 option->value == NULL ? "" : option->value);
        fprintf(stream, "  %-26s %s\n", name, option->doc);
    }
    if ((int)command == 0)
        fprintf(stream, "\n`arcfit help COMMAND` shows the options of one command.\n");
}
