/* Other programs, started without a shell and never waited for longer than their time. */
#ifndef ARC_MODEL_PROCESS_H
#define ARC_MODEL_PROCESS_H

#include "arcfit/error.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct ArcProcess {
    pid_t id;
    double deadline_s; /* on the monotonic clock */
} ArcProcess;

typedef struct ArcProcessEnd {
    bool timed_out;  /* and was killed */
    int exit_status; /* -1: ended by a signal */
    int signal;      /* 0: none */
} ArcProcessEnd;

/* Starts words[0] (found by PATH where it has no slash) in the folder; standard input and output
 * are nothing, messages go to the file, texts are in English. Zero, or the error number of the
 * system (ENOENT: no such program). */
int arc_process_start(const char *const *words, const char *messages,
                      const char *const *environment, double time_s, ArcProcess *process);

/* Waits for its end, or kills it and all that it started once its time is over. */
ArcProcessEnd arc_process_wait(ArcProcess *process);

#endif
