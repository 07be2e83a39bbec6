/* What throws are like, and which is the best. */
#ifndef ARC_AIM_SOLUTIONS_H
#define ARC_AIM_SOLUTIONS_H

#include "aim/search.h"
#include "arcfit/aim.h"

/* n throws of a search; belief, in which unknowns are known, and threads of a Monte Carlo for their
 * chances. All borrowed. */
typedef struct ArcAimThrows {
    const ArcSearch *search;
    int n;
    const ArcSearchThrow *throws;
    const ArcBelief *belief;
    int threads;
} ArcAimThrows;

/* Throws judged into aim's solutions: those that hit within all limits, the best first; where none
 * does the nearest one; all where the miss is an objective. Their chances where anything scatters.
 * Errors as arc_odds_create. */
ArcStatus arc_aim_judge(const ArcAimThrows *throws, ArcAim *aim, ArcError *err);

#endif
