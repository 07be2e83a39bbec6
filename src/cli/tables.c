/* The tables of commands and options. What a command does in full, with examples, is written here
 * once; help, manual pages and completions follow. */
#include "cli/tables.h"

#include "arcfit/experiment.h"
#include "arcfit/figure.h"
#include "arcfit/text.h"

#include <string.h>

static const ArcCommandRow command_rows[] = {
    {ARC_COMMAND_CHECK, "check", "EXPERIMENT", ARC_WORD_EXPERIMENT,
     "what is fitted, what the data can identify", 1,
     "Reads an experiment and its captures and says what a fit would do with them: which points "
     "are used, what is wrong with them (slips of the clock, outliers, a wrong scale), which "
     "parameters are free, where they begin, and which of them these points can tell. Nothing is "
     "fitted and nothing is written.",
     "  arcfit check my-throw.yaml\n"
     "  arcfit check my-throw.yaml --set parameters.spin=free\n",
     "fit experiment captures parameters"},
    {ARC_COMMAND_FIT, "fit", "EXPERIMENT...", ARC_WORD_EXPERIMENT,
     "PINN and direct fit; a result for each", 1 << 20,
     "Fits each experiment twice from the same points: a small neural network whose motion is held "
     "to the equations (the PINN fit), and the equations integrated from the release (the direct "
     "fit). Prints each parameter with its standard deviation and whether both agree, and writes "
     "one HDF5 file an experiment: -o, else `output.file` of the experiment, else STEM.h5 in the "
     "current folder. Of several experiments -o is a folder; all are checked before any is "
     "fitted.\n\n"
     "The same experiment, seed and machine give the same bytes for any number of threads, but for "
     "the times taken. Ctrl-C ends a fit after its step; with --checkpoint it can be gone on with. "
     "--profile, --bootstrap and --sample look beyond the covariance.",
     "  arcfit fit my-throw.yaml\n"
     "  arcfit fit my-throw.yaml --set flight.lift=none -o no-lift.h5\n"
     "  arcfit fit throws/*.yaml -o results --threads 4\n"
     "  arcfit fit my-throw.yaml --profile spin --bootstrap 1000 --threads 4\n"
     "  arcfit fit long.yaml --checkpoint long.ckpt --log long.csv\n",
     "check compare report results experiment nets"},
    {ARC_COMMAND_COMPARE, "compare", "RESULT|EXPERIMENT...", ARC_WORD_COMPARED,
     "PINN against direct; several: models ranked", 1 << 20,
     "Shows the PINN fit beside the direct fit, parameter by parameter, with a verdict. Results "
     "are read, experiments are fitted. Several of the same points are ranked as models of them: "
     "deviance, AICc, BIC, Akaike weights, and tests where one model is a case of another.",
     "  arcfit compare my-throw.h5\n"
     "  arcfit compare my-throw.h5 no-lift.h5 no-drag.h5\n"
     "  arcfit compare with-drag.yaml without-drag.yaml --json ranking.json\n",
     "fit results report"},
    {ARC_COMMAND_PREDICT, "predict", "RESULT", ARC_WORD_RESULT,
     "states, crossings, held-out points, with sd", 1,
     "Flies a result's estimates and says where the ball is, how fast, and how well that is known: "
     "at given times, where it first crosses a plane, or at the points that the fit did not see "
     "(`capture.hold_out`). A plane that is not crossed gives exit code 1.",
     "  arcfit predict my-throw.h5 --at 1.0 1.2s\n"
     "  arcfit predict my-throw.h5 --plane y=3.05m\n"
     "  arcfit predict my-throw.h5 --held-out --json scores.json\n",
     "fit results units"},
    {ARC_COMMAND_SIMULATE, "simulate", "EXPERIMENT", ARC_WORD_EXPERIMENT,
     "a synthetic capture from given values", 1,
     "Flies the values that the experiment fixes or starts from and writes what a camera would "
     "have seen: points with noise, outliers, lost frames and jitter as `simulate` of the "
     "experiment says. Without -o the table goes to standard output. The file's comment has the "
     "true values. The experiment's own capture need not exist.",
     "  arcfit simulate my-throw.yaml --points 60 -o synthetic.csv\n"
     "  arcfit simulate my-throw.yaml --replicas 500 --draw -o many --threads 4\n"
     "  arcfit simulate my-throw.yaml --set simulate.noise.outliers.share=0.1\n",
     "fit experiment captures"},
    {ARC_COMMAND_AIM, "aim", "EXPERIMENT", ARC_WORD_EXPERIMENT,
     "throws that hit a target, the best first", 1,
     "Turns the fit round: with what is known of ball, air and arm it finds the throws that hit "
     "`aim.target`, a point, a hoop or an area, with their chances, or says what is missing where "
     "none does (exit code 1). With `aim.release` in its place it finds the arm's pose for a "
     "release. --correct learns from throws that were watched. Nothing is written without -o.",
     "  arcfit aim experiments/aim-free-throw.yaml\n"
     "  arcfit aim experiments/aim-free-throw.yaml --set aim.maximise=probability\n"
     "  arcfit aim next.yaml --correct throw-1.h5 throw-2.h5 -o next.h5\n",
     "fit track report experiment"},
    {ARC_COMMAND_TRACK, "track", "EXPERIMENT", ARC_WORD_EXPERIMENT,
     "a flight as its frames come; where it lands", 1,
     "Reads frames from standard input as they come, a line `time_s,x_m,y_m[,z_m]` or a JSON "
     "object each, and answers each at once with a JSON line: the release, where and when the ball "
     "comes down, and the chance that it goes in. The landing is at `aim.target`, else at the "
     "first of `derived`, else at the height of the release.",
     "  arcfit track experiments/track.yaml <data/track-90.csv\n"
     "  camera-program | arcfit track my-throw.yaml --quiet\n",
     "aim fit captures"},
    {ARC_COMMAND_REPORT, "report", "RESULT...", ARC_WORD_RESULT,
     "one self-contained HTML page; figures; CSV", 1 << 20,
     "Writes one HTML file that opens in any browser without a network: what was fitted and how "
     "well, parameters with their intervals, the flight from all sides, residuals, training, and "
     "what else the result has. Several results give a comparison. The files of `arcfit aim -o` "
     "are reported too. The page goes to -o (- is standard output), else to STEM.html of one "
     "result and to report.html of several; it takes the place of an older page, never of another "
     "file.\n\n"
     "--figures writes the same figures as files for a paper, --csv their numbers; the page is "
     "then made only with -o.",
     "  arcfit report my-throw.h5\n"
     "  arcfit report my-throw.h5 no-lift.h5 -o comparison.html --units metric\n"
     "  arcfit report my-throw.h5 --figures figures --format pdf --csv numbers\n",
     "fit compare aim results"},
    {ARC_COMMAND_IMPORT, "import", "FILE", ARC_WORD_FILE,
     "any supported capture -> the canonical CSV", 1,
     "Reads a capture of any format that arcfit knows and writes its canonical CSV, to standard "
     "output without -o; standard error says what was taken for granted. An experiment may name "
     "such files itself; `import` shows what arcfit understands of one.",
     "  arcfit import --formats\n"
     "  arcfit import tracker-export.txt -o throw.csv\n"
     "  arcfit import throw.txt --set capture.track=ball --set capture.rate=30\n",
     "captures experiment units"},
    {ARC_COMMAND_MODELS, "models", "[FILE.c...]", ARC_WORD_MODEL,
     "laws, balls, own equations: parameters", 1 << 20,
     "Lists the laws of drag, lift and spin, what else a flight can have, the arm, and the balls, "
     "with their equations, parameters, units, defaults and sources. Of a C file with own "
     "equations (arcfit/model.h) it compiles and tries it and says what it has.",
     "  arcfit models\n"
     "  arcfit models experiments/models/pendulum.c\n",
     "parameters experiment units"},
    {ARC_COMMAND_HELP, "help", "[TOPIC]", ARC_WORD_TOPIC, "a command, a topic, or a key in full", 8,
     "Explains a command, a topic, or a key of an experiment file with the keys below it. Without "
     "a topic it says how to begin. With --as the same is written as a manual page, as a schema "
     "for editors, or as completions for a shell; `meson install` puts manual pages and "
     "completions where they belong.",
     "  arcfit help experiment\n"
     "  arcfit help fit.pinn.train\n"
     "  arcfit help fit --as man | man -l -\n"
     "  source <(arcfit help --as bash)\n"
     "  arcfit help --as fish | source\n",
     "experiment settings"},
};

enum {
    N_COMMANDS = sizeof command_rows / sizeof command_rows[0],
    ANY = ARC_COMMAND_ANY,
    RUNS = ARC_COMMAND_CHECK | ARC_COMMAND_FIT | ARC_COMMAND_COMPARE | ARC_COMMAND_SIMULATE |
           ARC_COMMAND_AIM
};

#define PLAIN ARC_WORD_NONE, NULL
#define OF(kind) kind, NULL
#define ONE_OF(choice) ARC_WORD_CHOICE, choice

static const ArcOptionRow option_rows[] = {
    {ARC_OPTION_HELP, "--help", "-h", NULL, "show this help", PLAIN, ANY},
    {ARC_OPTION_VERSION, "--version", NULL, NULL, "show the version", PLAIN, ANY},
    {ARC_OPTION_QUIET, "--quiet", "-q", NULL, "no tables and no progress", PLAIN, ANY},
    {ARC_OPTION_VERBOSE, "--verbose", "-v", NULL, "pictures, correlations and history too", PLAIN,
     ANY},
    {ARC_OPTION_THREADS, "--threads", NULL, "N",
     "work on N experiments, starts, refits or replicas at a time (1); what is written does not "
     "depend on it",
     PLAIN, ANY},
    {ARC_OPTION_SEED, "--seed", NULL, "N", "seed of all random numbers (fit.seed)", PLAIN, RUNS},
    {ARC_OPTION_SET, "--set", NULL, "KEY=VALUE",
     "any key of the experiment, for this run; may repeat", OF(ARC_WORD_SETTING),
     RUNS | ARC_COMMAND_IMPORT | ARC_COMMAND_TRACK},
    {ARC_OPTION_OUT, "--out", "-o", "FILE",
     "the file to write; a folder where there are many: of several experiments, of --replicas",
     OF(ARC_WORD_FILE),
     ARC_COMMAND_FIT | ARC_COMMAND_SIMULATE | ARC_COMMAND_AIM | ARC_COMMAND_IMPORT |
         ARC_COMMAND_REPORT},
    {ARC_OPTION_JSON, "--json", NULL, "FILE",
     "the same as JSON; - is standard output, where then nothing else goes", OF(ARC_WORD_JSON),
     ARC_COMMAND_CHECK | ARC_COMMAND_FIT | ARC_COMMAND_COMPARE | ARC_COMMAND_PREDICT |
         ARC_COMMAND_AIM},
    {ARC_OPTION_AT, "--at", NULL, "TIME...", "states or points at these times", PLAIN,
     ARC_COMMAND_PREDICT | ARC_COMMAND_SIMULATE},
    {ARC_OPTION_PLANE, "--plane", NULL, "AXIS=VALUE", "first crossing, as y=3.05m; may repeat",
     PLAIN, ARC_COMMAND_PREDICT},
    {ARC_OPTION_HELD_OUT, "--held-out", NULL, NULL, "score the points that were held out", PLAIN,
     ARC_COMMAND_PREDICT},
    {ARC_OPTION_FLIGHT, "--flight", NULL, "N", "which of several flights that were fitted together",
     PLAIN, ARC_COMMAND_PREDICT},
    {ARC_OPTION_POINTS, "--points", NULL, "N", "equally spaced points (30)", PLAIN,
     ARC_COMMAND_SIMULATE},
    {ARC_OPTION_DURATION, "--duration", NULL, "TIME",
     "from release (until back at its height, or 1 s)", PLAIN, ARC_COMMAND_SIMULATE},
    {ARC_OPTION_SIGMA, "--sigma", NULL, "LENGTH",
     "noise of each coordinate, or N px (capture.sigma)", PLAIN, ARC_COMMAND_SIMULATE},
    {ARC_OPTION_REPLICAS, "--replicas", NULL, "N",
     "so many captures STEM-0001.csv ... in folder -o", PLAIN, ARC_COMMAND_SIMULATE},
    {ARC_OPTION_FLIGHTS, "--flights", NULL, "N", "so many flights in one file, thrown alike", PLAIN,
     ARC_COMMAND_SIMULATE},
    {ARC_OPTION_SWING, "--swing", NULL, "FILE", "the arm's motion before, as simulate.swing says",
     OF(ARC_WORD_TABLE), ARC_COMMAND_SIMULATE},
    {ARC_OPTION_READINGS, "--readings", NULL, "FILE", "what simulate.readings reads off the arm",
     OF(ARC_WORD_TABLE), ARC_COMMAND_SIMULATE},
    {ARC_OPTION_DRAW, "--draw", NULL, NULL, "draw parameters from their priors", PLAIN,
     ARC_COMMAND_SIMULATE},
    {ARC_OPTION_CHECKPOINT, "--checkpoint", NULL, "FILE",
     "save the PINN's training there as it goes", OF(ARC_WORD_FILE), ARC_COMMAND_FIT},
    {ARC_OPTION_EVERY, "--every", NULL, "TIME", "between two checkpoints (30 s); 0 s: each step",
     PLAIN, ARC_COMMAND_FIT},
    {ARC_OPTION_RESUME, "--resume", NULL, "FILE", "go on from a checkpoint of this experiment",
     OF(ARC_WORD_FILE), ARC_COMMAND_FIT},
    {ARC_OPTION_LOG, "--log", NULL, "FILE", "a CSV row for each iteration, as it comes",
     OF(ARC_WORD_TABLE), ARC_COMMAND_FIT},
    {ARC_OPTION_WARM_START, "--warm-start", NULL, "RESULT",
     "begin with the net of an earlier result", OF(ARC_WORD_RESULT), ARC_COMMAND_FIT},
    {ARC_OPTION_EXPORT_CLOSURE, "--export-closure", NULL, "FILE",
     "the closure that was learned, with its band, as CSV", OF(ARC_WORD_TABLE), ARC_COMMAND_FIT},
    {ARC_OPTION_PROFILE, "--profile", NULL, "PARAM", "its profile likelihood too; may repeat",
     OF(ARC_WORD_PARAMETER), ARC_COMMAND_FIT},
    {ARC_OPTION_BOOTSTRAP, "--bootstrap", NULL, "N", "N fits of redrawn captures too", PLAIN,
     ARC_COMMAND_FIT},
    {ARC_OPTION_BOOTSTRAP_KIND, "--bootstrap-kind", NULL, "KIND",
     "redraw residuals (residual) or points (case)", ONE_OF(arc_bootstrap_name), ARC_COMMAND_FIT},
    {ARC_OPTION_SAMPLE, "--sample", NULL, "N", "N draws of Markov chains too, 2000 or more", PLAIN,
     ARC_COMMAND_FIT},
    {ARC_OPTION_CORRECT, "--correct", NULL, "RESULT...",
     "by observed throws, each fitted; may repeat", OF(ARC_WORD_RESULT), ARC_COMMAND_AIM},
    {ARC_OPTION_UNITS, "--units", NULL, "UNITS",
     "that a page or figures show: si, metric, imperial (si)", ONE_OF(arc_units_name),
     ARC_COMMAND_REPORT},
    {ARC_OPTION_FIGURES, "--figures", NULL, "FOLDER",
     "the figures as files, by gnuplot, with their .gp", OF(ARC_WORD_FOLDER), ARC_COMMAND_REPORT},
    {ARC_OPTION_FORMAT, "--format", NULL, "FORMAT", "of the figures: svg, pdf, png (svg)",
     ONE_OF(arc_picture_format_name), ARC_COMMAND_REPORT},
    {ARC_OPTION_CSV, "--csv", NULL, "FOLDER", "all series of the figures as CSV",
     OF(ARC_WORD_FOLDER), ARC_COMMAND_REPORT},
    {ARC_OPTION_AS, "--as", NULL, "FORM",
     "text, man, schema (of experiment, nets); bash, zsh, fish: completions",
     ONE_OF(arc_help_form_name), ARC_COMMAND_HELP},
    {ARC_OPTION_FORMATS, "--formats", NULL, NULL, "list the formats that can be read", PLAIN,
     ARC_COMMAND_IMPORT},
};

enum { N_OPTIONS = sizeof option_rows / sizeof option_rows[0] };

const char *arc_word_endings(ArcWordKind kind)
{
    switch (kind) {
    case ARC_WORD_EXPERIMENT:
        return "yaml yml";
    case ARC_WORD_RESULT:
        return "h5";
    case ARC_WORD_COMPARED:
        return "h5 yaml yml";
    case ARC_WORD_TABLE:
        return "csv";
    case ARC_WORD_JSON:
        return "json";
    case ARC_WORD_MODEL:
        return "c";
    case ARC_WORD_FILE:
        return "";
    default:
        return NULL;
    }
}

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
