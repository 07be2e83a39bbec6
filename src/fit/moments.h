/* The fitted points in the order of their true times, which cross where the clocks of cameras move.
 *
 * Points before the release are on the parabola that leads to it:
 *   x = x0 + v0 s + a(x0, v0, p) s^2 / 2,  s = t - t0 < 0
 * since a clock that is a little off may put a camera's first points there.
 */
#ifndef ARC_FIT_MOMENTS_H
#define ARC_FIT_MOMENTS_H

#include "fit/flyer.h"

typedef struct ArcMoments {
    const ArcProblem *problem;
    double *t_s; /* (n_times) true times, ascending */
    int *order;  /* (n_times) fitted point of each */
    int *place;  /* (n_times) where each fitted point stands in that order */
    double *a_p; /* (D, P) scratch, and one more */
} ArcMoments;

/* For a problem with a view, in the arena. ARC_MEMORY. */
ArcStatus arc_moments_create(const ArcProblem *problem, ArcArena *arena, ArcMoments **moments,
                             ArcError *err);

/* The states at all moments by thrown->values, whose rows stand in the order of the moments; output
 * as the simulator's, without its v_q. False where the flight cannot be followed. */
bool arc_moments_fly(ArcMoments *moments, ArcFlyer *flyer, const ArcThrow *thrown,
                     const ArcSimOutput *output);

#endif
