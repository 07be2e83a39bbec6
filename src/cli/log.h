/* The log of a fit: a CSV file with a row an iteration, for both methods.
 *
 *   method,start,stage,optimizer,iteration,cost,observations,physics,priors,step_sd,rate,
 *   then each parameter by name and unit: k_per_m,spin_rad_s,...
 *
 * A value that a method or an optimizer does not have is an empty cell. Every row is written in one
 * piece as it comes, so that the file ends in a whole row whenever the program does.
 */
#ifndef ARC_CLI_LOG_H
#define ARC_CLI_LOG_H

#include "arcfit/fit.h"

typedef struct ArcLog ArcLog;

/* Starts the file anew; with append, behind the rows of the run that is gone on with (steps after
 * its last checkpoint then stand there twice). ARC_SYSTEM: it cannot be written. ARC_INPUT: append
 * to something that is no log of these parameters. */
ArcStatus arc_log_open(const char *path, bool append, const ArcExperiment *experiment, ArcLog **log,
                       ArcError *err);

/* False once the file cannot be written; arc_log_close then says why. */
bool arc_log_add(ArcLog *log, const ArcProgressState *state);

/* Accepts NULL. ARC_SYSTEM where any row could not be written. */
ArcStatus arc_log_close(ArcLog *log, ArcError *err);

#endif
