/* The swing: the arm's motion before the release, as a phase of the throw.
 *
 * It shares the flight's parameters and unknowns, and runs backwards from the release, s = t0 - t:
 *   x = theta(t0 - s),   x0 = theta,   v0 = -omega,
 *   x'' = acceleration of the arm at t0 - s with the rates -x' (arm.h)
 * so that angles, rates and the time of the release are the flight's own, exactly.
 * What is observed (capture's ArcSwing): places of the arm, gain theta + offset of an encoder,
 * within half a turn of what was read, and rates as they are.
 */
#ifndef ARC_FIT_SWING_H
#define ARC_FIT_SWING_H

#include "fit/problem.h"

/* problem->swing from what was measured, and the starts that follow from it (start_swing.h), before
 * the unknowns are listed; nothing where problem has no arm or there is no swing. In the problem's
 * arena; it becomes a problem to solve by arc_swing_with. ARC_INPUT: no row before any release that
 * the bounds of t0 allow, settings that a swing cannot be fitted with; at place, the swing's in the
 * experiment. Torque curves without a span get that of the rows. */
ArcStatus arc_swing_create(ArcProblem *problem, const ArcSwing *swing, ArcPlace place,
                           ArcError *err);

/* A copy of problem's swing that goes with its present unknowns, starts, bounds and loss; NULL
 * where it has none. *swing stays in the arena. */
ArcStatus arc_swing_with(const ArcProblem *problem, ArcArena *arena, const ArcProblem **swing,
                         ArcError *err);

/* The observations of a swing's problem in the order of their times, as fits list them: order
 * (n_observations). */
void arc_swing_in_time(const ArcProblem *swing, int *order);

/* The numbers as the observations of a swing's problem have them, one each. */
const ArcSwingNumber *arc_swing_numbers(const ArcProblem *swing);

/* How many rows are later than any release can be, and not among them. */
int arc_swing_left_out(const ArcProblem *swing);

#endif
