/* Pictures of characters at the prompt. */
#ifndef ARC_CLI_PICTURES_H
#define ARC_CLI_PICTURES_H

#include "arcfit/figure.h"

/* Prints a picture of the result's first flight of each group, a blank line before each: the flight
 * from the side, else the group's first; of the methods' difference that in height. What a result
 * does not have is left out. experiment: for bands; NULL: restored from the result where that is
 * one flight. Returns the exit code. */
int arc_pictures_print(const ArcResult *result, const ArcExperiment *experiment, int n,
                       const ArcFigureGroup *groups);

#endif
