/* The topics of help. What a table of arcfit knows is taken from there (topic_tables.h); here
 * stands what none knows. */
#include "cli/topics.h"

#include "cli/topic_tables.h"

#include <string.h>

static const char experiment[] =
    "An experiment is a YAML file: what the cameras saw (`capture`), the equations of motion "
    "(`flight`), the numbers to find (`parameters`) and how (`fit`). This one, my-throw.yaml, is "
    "whole; throw.csv is shown by `arcfit help captures`:\n"
    "  arcfit: 1\n"
    "  name: My throw\n"
    "  capture: {file: throw.csv, sigma: 3 mm}\n"
    "  flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational}\n"
    "  parameters:\n"
    "    cd: {start: 0.5, prior: {mean: 0.5, sd: 0.1}}\n"
    "    spin: {fixed: -3 Hz}\n"
    "The release's position and velocity are free without being named, and begin where the points "
    "say. Values are numbers in SI units, or have a unit: `3 mm`, `52 deg`, `-3 Hz`. Files are "
    "looked for from the experiment's folder. What is mistyped is an error with its line and "
    "column; nothing is passed over.\n\n"
    "For one run any key can be given on the command line, as `--set flight.drag=none`; a list's "
    "entries count from 0: `--set fit.pinn.train.0.steps=20`. `arcfit help flight.wind` shows one "
    "key and those below it, `arcfit help settings` all of them.";

static const char parameters[] =
    "A parameter is a number with a unit that a fit finds, or that is held. Which there are "
    "follows from the laws of the flight, the release, the arm and the cameras; `arcfit check` "
    "lists those of an experiment. In the file each has its name under `parameters`:\n"
    "  parameters:\n"
    "    cd: free                          # begins at its default\n"
    "    vx0: {start: 4 m/s, bounds: [0, 20 m/s]}\n"
    "    spin: {fixed: -3 Hz}              # held; or just -3 Hz\n"
    "    k: {prior: {mean: 0.02, sd: 0.01}}\n"
    "What is not named keeps its default: the release is free, all else is fixed. A prior counts "
    "as one more observation. `arcfit help results` explains what a fit says of them.\n"
    "# Names\n"
    "`arcfit models` has those of each law with their defaults; cameras and clocks have more "
    "(`arcfit help settings`, under parameters).";

static const char nets[] =
    "The PINN fit's network maps time to position. Without a word about it arcfit takes one layer "
    "and widens it while the equations ask for more; most flights need nothing else. Another is a "
    "YAML file that the experiment names:\n"
    "  net: 1\n"
    "  hidden: [16, 16]\n"
    "  activation: tanh\n"
    "  init: glorot-normal\n"
    "as `fit: {pinn: {net: FILE, train: [...]}}`. The stages of `fit.pinn.train` say how it is "
    "trained: `linear`, the default, trains the output layer and the parameters, and needs a net "
    "of one layer or with `skip`; `adam`, then `lm`, trains all weights. The folder nets/ of the "
    "sources has nets for many flights.\n"
    "# Keys of a net file";

static const char captures[] =
    "A capture is a table of what cameras saw of a flight: times, and positions or pixels. The "
    "plainest is CSV with a header whose names carry the units, here throw.csv:\n"
    "  time_s,x_m,y_m\n"
    "  0.00,-0.001,2.137\n"
    "  0.18,0.801,3.013\n"
    "  0.36,1.581,3.578\n"
    "  0.54,2.332,3.817\n"
    "  0.72,3.075,3.755\n"
    "  0.90,3.803,3.387\n"
    "It may also have `z_m`; `sigma_m`, or `sigma_x_m` and so on, the points' standard "
    "deviations; `frame` in place of the times, with `rate` in the experiment; `camera`, `u_px`, "
    "`v_px`, `sigma_px` of pixels; and `flight`, which tells several flights apart. An empty cell "
    "is a missing value. Where a file says no more than its numbers, `capture.columns`, "
    "`capture.units`, `capture.rate` and `capture.track` say the rest. `arcfit import` shows what "
    "arcfit makes of a file, `arcfit check` what is wrong with its points.\n"
    "# Formats\n"
    "Files are known by what is in them, gzipped or not; `capture.format` settles doubts.";

static const char results[] =
    "`arcfit fit` writes a result as one HDF5 file: estimates with their covariance, the flight, "
    "residuals, history, the experiment's text, its settings, seed and versions. `compare`, "
    "`predict` and `report` read it, `--json` writes the same numbers as JSON. A file is replaced "
    "in one step: a reader sees the old one or the new one.\n\n"
    "A standard deviation is that of the estimate by the sigmas as they are given; `chi2` is the "
    "sum of squared residuals in standard deviations and its `p` the chance of a larger one if "
    "equations and sigmas are right. The verdict is one of\n"
    "  agree          both fits came to the same flight, and it explains the points\n"
    "  misfit         the points do not follow this flight, or sigma is too small\n"
    "  differ         the fits disagree: look at `arcfit fit --verbose`\n"
    "  not converged  a fit stopped early; the result says which\n"
    "and a sentence says why and what to try. Parameters have a status:";

static const char exit_codes[] =
    "Scripts can rely on these; a message on standard error says more.";

static ArcStatus put_exit_codes(ArcWriter *writer, ArcError *err)
{
    (void)err;
    arc_topic_exit_codes(writer);
    return ARC_OK;
}

static const ArcTopicRow rows[] = {
    {"experiment", 5, "how to write an experiment, with a first one to copy", experiment,
     arc_topic_sections, "captures parameters nets settings units check fit"},
    {"captures", 5, "files of points: columns, formats, what they cannot know", captures,
     arc_topic_formats, "experiment import check simulate units"},
    {"parameters", 7, "what can be found: names, units, how to free and fix them", parameters,
     arc_topic_parameters, "models experiment check results"},
    {"nets", 5, "the network of the PINN fit, and its training", nets, arc_topic_nets,
     "experiment fit settings"},
    {"results", 5, "how to read what a fit says", results, arc_topic_statuses,
     "fit compare predict report exit-codes"},
    {"settings", 5, "every key of an experiment: type, unit, range, default", "",
     arc_topic_settings, "experiment units"},
    {"units", 7, "the units that values can have", "", arc_topic_units, "experiment settings"},
    {"exit-codes", 7, "what the program ends with", exit_codes, put_exit_codes, "fit results"},
};

enum { N_TOPICS = sizeof rows / sizeof rows[0], CODE_COLUMN = 8 };

const ArcTopicRow *arc_topic_at(int i)
{
    return i >= 0 && i < N_TOPICS ? &rows[i] : NULL;
}

const ArcTopicRow *arc_topic_find(const char *name)
{
    for (int i = 0; i < N_TOPICS; i++) {
        const char *a = rows[i].name, *b = name;
        while (*a != '\0' && (*a == *b || (*a == '-' && *b == ' '))) {
            a++;
            b++;
        }
        if (*a == *b)
            return &rows[i];
    }
    return NULL;
}

void arc_topic_exit_codes(ArcWriter *writer)
{
    writer->column = CODE_COLUMN;
    arc_writer_item(writer, "0",
                    "done; every fit converged and every free parameter is identified");
    arc_writer_item(writer, "1",
                    "a fit did not converge, a free parameter is unidentified, a plane is not "
                    "crossed, or a target cannot be hit; what was found is written");
    arc_writer_item(writer, "2",
                    "bad usage or bad input, with file, line and column; nothing is "
                    "written");
    arc_writer_item(writer, "3",
                    "the system failed (disk full, no memory); earlier results are "
                    "intact");
    arc_writer_item(writer, "130", "interrupted; with --checkpoint a fit can be gone on with");
}
