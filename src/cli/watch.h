/* The progress line: one line on a terminal that is written over as a fit goes on. */
#ifndef ARC_CLI_WATCH_H
#define ARC_CLI_WATCH_H

#include "arcfit/fit.h"

/* One fit that is looked at. Begins with shown, number and total set and all else zero. */
typedef struct ArcWatch {
    bool shown;
    int number, total; /* which of how many experiments */
    double drawn_s;    /* when the line was last drawn */
    double began_s;    /* when the stage was first seen, and at which of its steps */
    int began_at;
    ArcMethod method; /* of the stage that the time left is reckoned for */
    int start, stage;
} ArcWatch;

/* Draws the line anew, at most ten times a second: method, optimizer, stage, step, the losses by
 * block, the rate, the longest that the stage can still take, and as many free parameters as 80
 * columns hold. By one thread at a time, as ArcProgress is. */
void arc_watch_show(ArcWatch *watch, const ArcProgressState *state);

#endif
