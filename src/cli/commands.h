/* The commands, one file each; every one returns the exit code of the process. */
#ifndef ARC_CLI_COMMANDS_H
#define ARC_CLI_COMMANDS_H

#include "cli/options.h"

int arc_command_aim(const ArcOptions *options);
int arc_command_check(const ArcOptions *options);
int arc_command_fit(const ArcOptions *options);
int arc_command_compare(const ArcOptions *options);
int arc_command_predict(const ArcOptions *options);
int arc_command_simulate(const ArcOptions *options);
int arc_command_track(const ArcOptions *options);
int arc_command_report(const ArcOptions *options);
int arc_command_import(const ArcOptions *options);
int arc_command_models(const ArcOptions *options);
int arc_command_help(const ArcOptions *options);

/* What models prints of the arm. */
void arc_models_arm(void);

/* Own equations of the operands: tried, and what they have; those that fail are told. */
int arc_models_equations(const ArcOptions *options);

/* Whether names, blank between, have the name. */
bool arc_models_lists(const char *names, const char *name);

#endif
