/* What the table of settings tells: each key of an experiment, what it is, what it accepts.
 *
 * For help, manual pages, completions and editors; an experiment is read by experiment.h. Paths
 * are the table's: "parameters.NAME.start", where NAME stands for a name that a user chooses or a
 * flight model has; keys of a list's entries stand right below the list ("fit.pinn.train.steps").
 * Those of a net file begin with "net file.".
 */
#ifndef ARCFIT_SETTINGS_H
#define ARCFIT_SETTINGS_H

#include "arcfit/error.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

/* The longest path, with its '\0'. */
enum { ARC_SETTING_PATH = 128 };

/* A row of the table. Texts live as long as the program. */
typedef struct ArcSettingInfo {
    const char *path;
    const char *doc; /* one sentence without its capital and its full stop */
    bool is_file;    /* the name of a file */
    bool is_flag;    /* true or false */
    /* Its choices in turn, NULL behind the last; the pointer is NULL where it has none. */
    const char *(*choice)(int index);
    int n_below; /* rows right below it: more than 0 of a section */
} ArcSettingInfo;

/* The i-th row, from 0; false behind the last. */
bool arc_setting_info(int i, ArcSettingInfo *info);

/* The i-th row's path as `--set` takes it: "fit.pinn.train.0.steps". False where it takes none (a
 * net file's) or there is no such row. */
bool arc_setting_override(int i, char path[ARC_SETTING_PATH]);

/* What the i-th row accepts, its range and its default: "a time, 0 to 1e6 s; default 0 s". Caller
 * frees with arc_text_free. ARC_USAGE: no such row. */
ArcStatus arc_setting_accepts(int i, char **text, ArcError *err);

/* The table's path of a key as a user may write it: as in a file ("fit.pinn.train.0.steps",
 * "parameters.cd.start"), or as in the table. Gives the row's number; -1: there is none, and
 * *nearest (nullable) is the path that may be meant, or NULL. */
int arc_setting_row(const char *key, const char **nearest);

/* The table for people as 80-column text: one row a setting. Caller frees with arc_text_free. */
ArcStatus arc_settings_text(char **text, ArcError *err);

/* The i-th row and those right below it, as arc_settings_text writes them; freed alike. ARC_USAGE:
 * no such row. */
ArcStatus arc_setting_text(int i, char **text, ArcError *err);

/* The table for editors: a JSON Schema (draft-07) of experiment files, or of net files. It knows
 * keys, types, units and ranges, and not what depends on several keys; what it refuses the program
 * refuses, too. Caller frees with arc_text_free. ARC_MEMORY. */
ArcStatus arc_settings_schema(char **text, ArcError *err);
ArcStatus arc_net_schema(char **text, ArcError *err);

#pragma GCC visibility pop

#endif
