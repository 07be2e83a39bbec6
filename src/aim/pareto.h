/* The Pareto front of two numbers a, b of throws that hit, by the epsilon-constraint method:
 *   min b   over z,   x(s; u) = X,   a <= a_i,   all limits
 * with a_i even between the least a and the a of the least b (Haimes, Lasdon, Wismer, IEEE Trans.
 * SMC 1 (1971) 296). Each point begins from its neighbour and from the throws that are known, and
 * the best of the ends is kept; a point that another one beats is looked for again from that one.
 * Of the miss, which may be one of the two, throws need not hit; it is the one that is limited, up
 * to its own limit, without one to 1 m.
 */
#ifndef ARC_AIM_PARETO_H
#define ARC_AIM_PARETO_H

#include "aim/optimise.h"
#include "arcfit/aim.h"

/* What a front is looked for with, all borrowed. */
typedef struct ArcPareto {
    ArcSearch *search;
    ArcOptimise *optimise;
    const ArcOptimiseTask *limits; /* without weights */
    int n;                         /* throws that hit, to begin from */
    const ArcSearchThrow *throws;
} ArcPareto;

/* Points into aim->front, by aim.front and aim.n_front of its settings: the first number rising,
 * none that another beats. None where nothing keeps the limits. */
ArcStatus arc_pareto_front(const ArcPareto *pareto, ArcArena *arena, ArcAim *aim, ArcError *err);

#endif
