/* The part of a flight between two bounces: where it begins, and how that varies.
 *
 * The flight's own unknowns are q = (p, x0, v0), Q = P + 2 D. A later segment begins at the fixed
 * time t_s with unknowns q' = (p', x', v') of its own, of which only the spin in p' differs from p.
 * chain = dq'/dq turns what the simulator gives of a segment into what it is of the flight. By
 * other unknowns than q, n of them, chain is dq'/d(those), (Q, n).
 */
#ifndef ARC_FIT_SEGMENT_H
#define ARC_FIT_SEGMENT_H

#include "arcfit/flight.h"
#include "sim/event.h"

typedef struct ArcSegment {
    double t_s;
    double x[ARC_SIM_MAX_DIMENSIONS], v[ARC_SIM_MAX_DIMENSIONS];
    double p[ARC_FLIGHT_MAX_PARAMETERS];
    bool is_first;
    int n;         /* unknowns that partials are kept to: Q, or those of a method */
    double *chain; /* (Q, n) row-major; not looked at where is_first */
} ArcSegment;

/* Turns n rows of partials (Q) from the segment's unknowns to the flight's; scratch (Q). */
void arc_segment_chain(const ArcSegment *segment, int Q, int n, double *rows, double *scratch);

/* At a meeting with the bounce's plane, whose partials are the flight's (t_q NULL: none are kept),
 * makes segment the one after the bounce; t0_s is the release. scratch (Q, n). False where the ball
 * does not leave the plane or a number is not finite. */
bool arc_segment_bounce(const ArcFlight *flight, double t0_s, const ArcSimMeeting *meeting,
                        ArcSegment *segment, double *scratch);

#endif
