/* The fitted points in the order of their true times, which cross where the clocks of cameras move.
 *
 * A clock that is a little off may put a camera's first points before the release: there the flight
 * is followed backwards (back.h).
 */
#ifndef ARC_FIT_MOMENTS_H
#define ARC_FIT_MOMENTS_H

#include "fit/back.h"

typedef struct ArcMoments {
    const ArcProblem *problem;
    double *t_s; /* (n_times) true times, ascending */
    int *order;  /* (n_times) fitted point of each */
    int *place;  /* (n_times) where each fitted point stands in that order */
    ArcBack *back;
} ArcMoments;

/* For a problem with a view, in the arena. ARC_MEMORY. */
ArcStatus arc_moments_create(const ArcProblem *problem, ArcArena *arena, ArcMoments **moments,
                             ArcError *err);

/* The states at all moments by thrown->values, whose rows stand in the order of the moments; output
 * as the simulator's, without its v_q. False where the flight cannot be followed. */
bool arc_moments_fly(ArcMoments *moments, ArcFlyer *flyer, const ArcThrow *thrown,
                     const ArcSimOutput *output);

#endif
