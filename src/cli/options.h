/* The command line, read by one table of options. */
#ifndef ARC_CLI_OPTIONS_H
#define ARC_CLI_OPTIONS_H

#include "arcfit/error.h"
#include "arcfit/fit.h"

#include <stdbool.h>
#include <stdio.h>

/* Commands as bits, so that an option says which of them take it. */
typedef enum ArcCommand {
    ARC_COMMAND_CHECK = 1,
    ARC_COMMAND_FIT = 2,
    ARC_COMMAND_COMPARE = 4,
    ARC_COMMAND_PREDICT = 8,
    ARC_COMMAND_SIMULATE = 16,
    ARC_COMMAND_MODELS = 32,
    ARC_COMMAND_HELP = 64,
    ARC_COMMAND_IMPORT = 128,
    ARC_COMMAND_AIM = 256,
    ARC_COMMAND_TRACK = 512,
    ARC_COMMAND_REPORT = 1024
} ArcCommand;

/* What help is written as. */
typedef enum ArcHelpForm {
    ARC_HELP_TEXT,
    ARC_HELP_MAN,
    ARC_HELP_SCHEMA,
    ARC_HELP_BASH,
    ARC_HELP_ZSH,
    ARC_HELP_FISH
} ArcHelpForm;

/* "text", "man", ...; NULL behind the last. */
const char *arc_help_form_name(int index);

/* What the arguments say; texts are borrowed from argv. */
typedef struct ArcOptions {
    ArcCommand command; /* 0: none */
    bool help, version, quiet, verbose;
    int threads;
    const char *out, *json; /* NULL: not given */
    int n_overrides;
    const char **overrides; /* --set texts, and fit.seed=N for --seed */
    int n_times;
    double *times_s; /* --at, ascending */
    int n_planes;
    ArcPlane *planes; /* --plane */
    int n_corrections;
    const char **corrections; /* --correct */
    bool held_out;
    int flight;                                    /* which of several, from 1; 0: not given */
    bool formats;                                  /* of import */
    int points, replicas, flights;                 /* 0: not given */
    const char *swing, *readings;                  /* of simulate; NULL: not given */
    double duration_s, sigma_m, sigma_px, every_s; /* NaN: not given */
    const char *checkpoint, *resume, *log, *warm_start, *export_closure; /* NULL: not given */
    const char *figures, *csv; /* of report: folders; NULL: not given */
    int units, format;         /* of report: ArcUnits; ArcPictureFormat, -1: not given */
    int form;                  /* of help: ArcHelpForm */
    int n_operands;
    const char **operands;
    void *memory;
    /* Texts of overrides: the seed's; of --profile (in memory), --bootstrap, its kind, --sample. */
    char seed[64];
    char *profile;
    char bootstrap[64], bootstrap_kind[64], sample[64];
} ArcOptions;

/* ARC_USAGE with a message; options then need no free. argv[0] is skipped. */
ArcStatus arc_options_read(int argc, char **argv, ArcOptions *options, ArcError *err);

void arc_options_free(ArcOptions *options);

/* The command of that name, 0 where there is none; err (nullable) then has a suggestion. */
ArcCommand arc_command_find(const char *name, ArcError *err);

#endif
