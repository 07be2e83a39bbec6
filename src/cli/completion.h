/* Completions for shells, as scripts that need nothing beside: subcommands, options, their values,
 * files by kind, and behind --set every key of an experiment with its choices. */
#ifndef ARC_CLI_COMPLETION_H
#define ARC_CLI_COMPLETION_H

#include "arcfit/error.h"
#include "cli/options.h"
#include "cli/parameter_names.h"
#include "cli/tables.h"

#include <stdio.h>

/* The script for a shell: ARC_HELP_BASH, ARC_HELP_ZSH or ARC_HELP_FISH. ARC_MEMORY. */
ArcStatus arc_completion_write(FILE *stream, ArcHelpForm shell, ArcError *err);

/* One shell each. */
void arc_completion_bash(FILE *stream, const ArcKnownParameters *known);
void arc_completion_zsh(FILE *stream, const ArcKnownParameters *known);
void arc_completion_fish(FILE *stream, const ArcKnownParameters *known);

/* Each key that --set takes, of parameters also each that is known: put gets its path
 * ("fit.starts", "parameters.cd", "parameters.NAME.start", "fit.pinn.train.0.steps") and what it
 * is. */
void arc_completion_paths(FILE *stream, const ArcKnownParameters *known,
                          void (*put)(FILE *stream, const char *path, const char *doc));

/* Each key that has choices: put gets a pattern of its path, in which * stands for names and
 * numbers, and the choices, blank between. */
void arc_completion_choices(FILE *stream,
                            void (*put)(FILE *stream, const char *pattern, const char *choices));

/* Names of commands and topics, blank between. */
void arc_completion_topics(FILE *stream);

/* What an option's choices are, blank between. */
void arc_completion_option_choices(FILE *stream, const ArcOptionRow *option);

/* text in single quotes, as Bourne's shells read it: ' is '\''. */
void arc_completion_quote(FILE *stream, const char *text);

#endif
