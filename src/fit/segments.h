/* A flight that bounces, by one net for each segment between bounces.
 *
 * The pinns of a list, from the release on. Segment k has the release form with its own beginning,
 *   x = x_k + v_k s + s^2 L N_k(tau),   s = t - t0 - s_k,
 * and ends where its own net meets the plane: its duration e solves x(e) = level along the plane's
 * axis. Position goes on there, velocity and spin by the bounce's law (segment.h), so that x, v, p
 * and s of the next segment are functions of what comes before and no unknowns: segments are joined
 * exactly. Each net reaches a little over its segment's end, where the equations hold on.
 */
#ifndef ARC_FIT_SEGMENTS_H
#define ARC_FIT_SEGMENTS_H

#include "fit/pinn.h"
#include "fit/segment.h"
#include "solve/least_squares.h"

/* Whether the flight that begins at the problem's starts meets the plane within the fitted times.
 */
bool arc_segments_has(const ArcProblem *problem);

/* The list of pinns for such a flight, in the arena. ARC_MEMORY; ARC_NUMERIC where the start cannot
 * be flown. */
ArcStatus arc_segments_create(const ArcProblem *problem, const ArcNetSettings *settings,
                              int collocation, ArcArena *arena, ArcPinn **first, ArcError *err);

/* The segment after pinn's begins with what the bounce left, at pinn's end. */
void arc_segments_begin(ArcPinn *pinn, const ArcSegment *after);

/* Ends of the segments by the nets' weights, and the beginnings of those after them. Where a net
 * does not meet the plane its segment keeps the end that it had; false. */
bool arc_segments_walk(ArcPinn *first);

/* Whether the last segment holds the last fitted time, and its net does not meet the plane before
 * it. */
bool arc_segments_are_all(ArcPinn *first);

/* The segment that time t_s lies in. */
ArcPinn *arc_segments_at(ArcPinn *first, double t_s);

/* Linear stage of the list: as arc_linear_objective, z = (b of each segment in turn, u). */
ArcStatus arc_segments_objective(ArcPinn *first, ArcArena *arena, ArcObjective *objective,
                                 double **start, ArcError *err);
void arc_segments_store(const ArcObjective *objective, const double *z);

/* A segment's state at s: x, v, a (D). */
typedef struct ArcSegmentState {
    void *context;
    void (*at)(void *context, double s, double *x, double *v, double *a);
} ArcSegmentState;

/* Sets pinn->end_s to where the segment with these states first meets the plane; false where it
 * does not. */
bool arc_segments_find_end(ArcPinn *pinn, const ArcSegmentState *state);

#endif
