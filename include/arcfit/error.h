/* Statuses and messages.
 *
 * Every function that can fail returns an ArcStatus and takes an ArcError last, which may be NULL.
 * On failure outputs are untouched and handles are NULL. A message is one line: what, where, the
 * value, and what to do. Why an optimiser stopped is an ArcStop (solve.h), not an error.
 */
#ifndef ARCFIT_ERROR_H
#define ARCFIT_ERROR_H

#include <stddef.h>

#pragma GCC visibility push(default)

/* One row per status: enumerator, process exit code of the program, text. */
#define ARC_STATUS_LIST(X)                                                                         \
    X(ARC_OK, 0, "ok")                                                                             \
    X(ARC_USAGE, 2, "bad usage")                                                                   \
    X(ARC_INPUT, 2, "bad input")                                                                   \
    X(ARC_MEMORY, 3, "out of memory")                                                              \
    X(ARC_SYSTEM, 3, "system failure")                                                             \
    X(ARC_NUMERIC, 1, "numerical failure")                                                         \
    X(ARC_INTERRUPTED, 130, "interrupted")

typedef enum ArcStatus {
#define ARC_X(name, exit_code, text) name,
    ARC_STATUS_LIST(ARC_X)
#undef ARC_X
} ArcStatus;

/* A place in a text file; line and column count from 1, columns in bytes. file is borrowed. */
typedef struct ArcPlace {
    const char *file;
    int line;
    int column;
} ArcPlace;

/* The text is complete: "FILE:LINE:COLUMN: error: MESSAGE" where there is a place. */
typedef struct ArcError {
    ArcStatus status;
    char text[1024];
} ArcError;

/* The status's own words, for example "bad input". Never NULL. */
const char *arc_status_text(ArcStatus status);

/* The exit code that the program ends with for this status. */
int arc_status_exit_code(ArcStatus status);

/* Fills err (when not NULL) and returns status, so that callers write `return arc_error_set(...)`.
 * Line breaks and control characters of the formatted text are replaced by '?'. */
ArcStatus arc_error_set(ArcError *err, ArcStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place in front: "file:line:column: error: ...". */
ArcStatus arc_error_set_at(ArcError *err, ArcStatus status, ArcPlace place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#pragma GCC visibility pop

#endif
