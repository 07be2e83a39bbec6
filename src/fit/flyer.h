/* The flight model flown by the simulator: the bridge between physics and sim.
 *
 * A flight with a bounce is flown segment by segment, each to where it meets the plane (segment.h).
 */
#ifndef ARC_FIT_FLYER_H
#define ARC_FIT_FLYER_H

#include "fit/problem.h"
#include "sim/event.h"

/* A ball that bounces more often comes to rest, which no segment describes. */
enum { ARC_FLYER_BOUNCES = 16 };

/* A flight from its release, borrowed: the model, and all parameters in the experiment's order. */
typedef struct ArcThrow {
    const ArcFlight *flight;
    ArcReleaseForm release;
    const double *values; /* (n_parameters), of which P + 1 + 2 d are looked at */
} ArcThrow;

typedef struct ArcFlyer ArcFlyer; /* scratch of one thread, in the arena */

/* flight is copied. */
ArcStatus arc_flyer_create(const ArcFlight *flight, double tolerance, ArcArena *arena,
                           ArcFlyer **flyer, ArcError *err);

/* Of the problem's flight with its closure: values of a throw hold the weights behind the release,
 * and the columns of the output, Q = P + 2 D, those of the weights unless they are frozen. A
 * problem without closure: as arc_flyer_create. */
ArcStatus arc_flyer_create_closed(const ArcProblem *problem, bool is_frozen, double tolerance,
                                  ArcArena *arena, ArcFlyer **flyer, ArcError *err);

/* x0 (D), v0 (D) of the release and its time; D = n_coordinates of the flight. */
void arc_flyer_release(const ArcThrow *thrown, double *t0_s, double *x0, double *v0);

/* Flies from the release to n ascending times >= t0; outputs have D coordinates. False where it
 * cannot be followed. */
bool arc_flyer_run(ArcFlyer *flyer, const ArcThrow *thrown, int n, const double *t_s,
                   const ArcSimOutput *output);

/* Times of the first bounces until a time, at most so many; returns how many there are. */
int arc_flyer_bounces(ArcFlyer *flyer, const ArcThrow *thrown, double until_s, int most,
                      double *bounce_s);

/* The first event (event.h) within limit_s after the release. Where g comes to have another sign by
 * a bounce alone, the bounce is the event, with the velocity before it. meeting: all pointers set,
 * or the partials NULL together. False where there is none. */
bool arc_flyer_find(ArcFlyer *flyer, const ArcThrow *thrown, const ArcSimEvent *event,
                    double limit_s, ArcSimMeeting *meeting);

/* Why the last run or search gave false, a phrase: "more than 10000 steps"; for a search that found
 * nothing NULL. */
const char *arc_flyer_why(const ArcFlyer *flyer);

/* One row of partials, from the physical unknowns (q_row, Q = P + K + 2 D, as the simulator gives
 * it) to the parameters of flight and release, and the K weights of a closure: row (P + 1 + 2 d +
 * K). A flight knows only the time since its release, so that the t0 column is minus the number's
 * rate of change at a fixed time. */
void arc_flyer_chain(const ArcThrow *thrown, int K, const double *q_row, double rate, double *row);

#endif
