/* Experiments that run side by side: all are checked before any runs. */
#ifndef ARC_CLI_JOBS_H
#define ARC_CLI_JOBS_H

#include "arcfit/report.h"
#include "cli/options.h"

/* One operand: an experiment that is run, or (where allowed) a result that is read. */
typedef struct ArcJob {
    const char *path;
    ArcExperiment *experiment; /* NULL for a result that was read */
    ArcResult *warm;           /* of --warm-start; NULL: none */
    ArcResult *result;         /* NULL until run, and where it failed */
    ArcStatus status;
    ArcError error;
    char *out; /* where the result goes, NULL: nowhere */
} ArcJob;

/* Reads the experiments and their captures and makes their problems; prints every failure. With
 * results true, operands that are HDF5 files are read as results. *code is 0, or the worst exit
 * code. NULL (and a code) where there is no memory. */
ArcJob *arc_jobs_check(const ArcOptions *options, bool results, int *code);

/* Runs all that are not there yet, options->threads at a time; the threads are for the starts where
 * there is one. Returns the worst exit code of the failures (printed), 130 when interrupted. */
int arc_jobs_run(const ArcOptions *options, ArcJob *jobs);

/* Warnings of a result on standard error: what did not converge, is unidentified, at a bound, or
 * does not fit, then with the gravest of what arcfit check finds wrong with the points. */
void arc_jobs_warn(const ArcJob *job);

void arc_jobs_free(const ArcOptions *options, ArcJob *jobs);

/* The results of jobs that have one, in order; *n of them. Freed by the caller with free; NULL
 * where there is no memory. */
const ArcResult **arc_jobs_results(const ArcOptions *options, const ArcJob *jobs, int *n);

#endif
