/* The tables of commands and options: what the reader of the command line goes by, and all that
 * tells of it (help, manual, completions). */
#ifndef ARC_CLI_TABLES_H
#define ARC_CLI_TABLES_H

#include "cli/options.h"

/* What a word of the command line is, so that shells can complete it. */
typedef enum ArcWordKind {
    ARC_WORD_NONE, /* no word, or nothing that could be known: a number, a time, a name */
    ARC_WORD_EXPERIMENT,
    ARC_WORD_RESULT,
    ARC_WORD_COMPARED, /* a result or an experiment */
    ARC_WORD_FILE,     /* any */
    ARC_WORD_TABLE,    /* CSV */
    ARC_WORD_JSON,
    ARC_WORD_MODEL, /* a plug-in */
    ARC_WORD_FOLDER,
    ARC_WORD_TOPIC,
    ARC_WORD_SETTING,   /* path=value */
    ARC_WORD_PARAMETER, /* its name */
    ARC_WORD_CHOICE     /* by the row's function */
} ArcWordKind;

/* How files of that kind end, blank between ("yaml yml"); "" any; NULL: the word is no file. */
const char *arc_word_endings(ArcWordKind kind);

typedef struct ArcCommandRow {
    ArcCommand command;
    const char *name;
    const char *operands;
    ArcWordKind kind; /* of the operands */
    const char *doc;
    int most; /* operands; at least one unless 0 or help */
    /* What it does, and examples: both as arc_writer_words takes them. */
    const char *about;
    const char *examples;
    const char *see; /* names of commands and topics, blank between */
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
    ArcWordKind kind;                        /* of the value */
    const char *(*choice)(int index);        /* of ARC_WORD_CHOICE; NULL behind the last */
    int commands;
} ArcOptionRow;

/* The rows in order, from 0; NULL behind the last. */
const ArcCommandRow *arc_command_at(int i);
const ArcOptionRow *arc_option_at(int i);

/* The row of a command; NULL where the bit is no command. */
const ArcCommandRow *arc_command_row(ArcCommand command);

#endif
