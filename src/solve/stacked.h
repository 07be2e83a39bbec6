/* Several objectives of the same outer unknowns as one.
 *
 * Unknowns: the inner ones of each part, one part behind the other, then the outer ones. Rows: each
 * part's, one part behind the other, so that whoever knows the first part's rows finds them where
 * they were.
 */
#ifndef ARC_SOLVE_STACKED_H
#define ARC_SOLVE_STACKED_H

#include "solve/least_squares.h"

enum { ARC_MAX_STACKED = 4 };

/* n parts without damped unknowns, copied. In the arena. */
ArcStatus arc_stacked_create(int n, const ArcObjective *parts, ArcArena *arena,
                             ArcObjective *stacked, ArcError *err);

/* How many parts an objective has: 0 where it is not stacked. */
int arc_stacked_count(const ArcObjective *objective);

/* One of them, and where its inner unknowns begin. */
const ArcObjective *arc_stacked_part(const ArcObjective *stacked, int part, int *first_inner);

#endif
