/* Captures of several flights: files one after the other, and the flights that a file counts. */
#ifndef ARCFIT_CAPTURES_H
#define ARCFIT_CAPTURES_H

#include "arcfit/capture.h"

#pragma GCC visibility push(default)

/* Captures of several flights, in order. */
typedef struct ArcCaptures {
    int n;
    const ArcCapture *const *captures; /* (n) */
    void *arena;
} ArcCaptures;

/* Reads n_settings files in turn: of each, one capture for every number in its column `flight`, in
 * the order of their first rows; one where it has none or a flight is chosen. With `split` the
 * stretches of free flight of a file that counts none are its flights, from 1. Errors as
 * arc_capture_read, of which the message then names the flight; rows without a number among others
 * that have one; a chosen flight that is not there; nothing to split. */
ArcStatus arc_captures_read(int n_settings, const ArcCaptureSettings *settings,
                            ArcCaptures **captures, ArcError *err);

/* n captures as the canonical CSV (arc_capture_text), with a column `flight` where n > 1, that of i
 * being i + 1. text is for arc_text_free. */
ArcStatus arc_captures_text(int n, const ArcCapture *const *captures, const char *comment,
                            char **text, ArcError *err);

/* Accepts NULL. */
void arc_captures_free(ArcCaptures *captures);

#pragma GCC visibility pop

#endif
