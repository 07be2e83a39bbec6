/* Where texts go, messages, and the interrupt. */
#ifndef ARC_CLI_OUTPUT_H
#define ARC_CLI_OUTPUT_H

#include "arcfit/captures.h"
#include "arcfit/error.h"
#include "arcfit/report.h"
#include "cli/options.h"

#include <stdbool.h>
#include <stdio.h>

/* From here on a crash of a plug-in's rates is told with its path, exit 2; others are as before. */
void arc_output_catch_crashes(void);

/* Prints the message of a failure and returns its exit code. */
int arc_output_error(const ArcError *err);

/* A line on standard error: "FILE:LINE:COLUMN: warning: ...". */
void arc_output_warning(ArcPlace place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What was taken for granted while captures were read, on standard error; what holds for one flight
 * after the other is said once. */
void arc_output_notes(const ArcCaptures *captures);

/* True when tables go to standard output: neither --quiet nor --json -. */
bool arc_output_is_text_wanted(const ArcOptions *options);

/* Prints text, or (status not ARC_OK) the error; frees text. Returns the exit code. */
int arc_output_text(ArcStatus status, char *text, const ArcError *err);

/* The same of a report, whose verdict has a colour where standard output has. */
int arc_output_report(ArcStatus status, char *text, const ArcError *err);

/* The one rule of colours: a terminal that is not dumb, and NO_COLOR is not set. */
bool arc_output_is_coloured(FILE *stream);

/* The same for JSON, to the file of --json or standard output. */
int arc_output_json(ArcStatus status, char *text, const char *file, const ArcError *err);

/* Fails early where path can never be written: a folder stands there, or its folder cannot exist.
 */
ArcStatus arc_output_check_path(const char *path, ArcError *err);

/* Refuses to write to path where that is the file input (NULL: none) under any name. ARC_USAGE. */
ArcStatus arc_output_check_input(const char *path, const char *input, ArcError *err);

/* The same for what a capture is read from: calibrations alone, or points and all. ARC_USAGE. */
ArcStatus arc_output_check_calibrations(const char *path, const ArcCaptureSettings *settings,
                                        ArcError *err);
ArcStatus arc_output_check_capture(const char *path, const ArcCaptureSettings *settings,
                                   ArcError *err);

/* The same for the operands, of -o and --json alike. ARC_USAGE. */
ArcStatus arc_output_check_operands(const ArcOptions *options, ArcError *err);

/* A result's experiment (report.h), and its note on standard error. */
ArcStatus arc_output_restore(const ArcResult *result, ArcExperiment **experiment, ArcError *err);

/* From now on SIGINT sets a flag, and a second one ends the process. With may_leave it ends with
 * exit code 130 where nobody looks at the flag for a second; nothing may be written meanwhile. */
void arc_output_catch_interrupt(bool may_leave);

/* The process ends by itself no more. True when it was interrupted. */
bool arc_output_end_interrupt(void);

bool arc_output_is_interrupted(void);

/* label in a first column of standard output, words behind it wrapped at 80 columns. */
void arc_output_row(const char *label, const char *words);

#endif
