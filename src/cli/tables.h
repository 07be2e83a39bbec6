/* The tables of commands and options: what the reader of the command line goes by, and all that
 * tells of it (help, manual, completions). */
#ifndef ARC_CLI_TABLES_H
#define ARC_CLI_TABLES_H

#include "cli/options.h"

typedef struct ArcCommandRow {
    ArcCommand command;
    const char *name;
    const char *operands;
    const char *doc;
    int most; /* operands; at least one unless 0 or help */
} ArcCommandRow;

/* All commands. */
#define ARC_COMMAND_ANY 2047

typedef enum ArcOptionKey {
    ARC_OPTION_HELP,
    ARC_OPTION_VERSION,
    ARC_OPTION_QUIET,
    ARC_OPTION_VERBOSE,
    ARC_OPTION_THREADS,
    ARC_OPTION_SEED,
    ARC_OPTION_SET,
    ARC_OPTION_OUT,
    ARC_OPTION_JSON,
    ARC_OPTION_AT,
    ARC_OPTION_PLANE,
    ARC_OPTION_HELD_OUT,
    ARC_OPTION_FLIGHT,
    ARC_OPTION_POINTS,
    ARC_OPTION_DURATION,
    ARC_OPTION_SIGMA,
    ARC_OPTION_REPLICAS,
    ARC_OPTION_FLIGHTS,
    ARC_OPTION_SWING,
    ARC_OPTION_READINGS,
    ARC_OPTION_DRAW,
    ARC_OPTION_CHECKPOINT,
    ARC_OPTION_EVERY,
    ARC_OPTION_RESUME,
    ARC_OPTION_LOG,
    ARC_OPTION_WARM_START,
    ARC_OPTION_PROFILE,
    ARC_OPTION_BOOTSTRAP,
    ARC_OPTION_BOOTSTRAP_KIND,
    ARC_OPTION_SAMPLE,
    ARC_OPTION_EXPORT_CLOSURE,
    ARC_OPTION_FORMATS,
    ARC_OPTION_CORRECT,
    ARC_OPTION_UNITS,
    ARC_OPTION_FIGURES,
    ARC_OPTION_FORMAT,
    ARC_OPTION_CSV,
    ARC_OPTION_AS
} ArcOptionKey;

typedef struct ArcOptionRow {
    ArcOptionKey key;
    const char *name, *letter, *value, *doc; /* value NULL: takes none */
    int commands;
} ArcOptionRow;

/* The rows in order, from 0; NULL behind the last. */
const ArcCommandRow *arc_command_at(int i);
const ArcOptionRow *arc_option_at(int i);

/* The row of a command; NULL where the bit is no command. */
const ArcCommandRow *arc_command_row(ArcCommand command);

#endif
