/* What throws are like, and which is the best. */
#ifndef ARC_AIM_SOLUTIONS_H
#define ARC_AIM_SOLUTIONS_H

#include "aim/search.h"
#include "arcfit/aim.h"

/* n throws judged into aim's solutions: those that hit within all limits, the best first; where
 * none does the nearest one; all where the miss is an objective. Their chances, where anything
 * scatters, by belief, in which unknowns are known; threads of a Monte Carlo. Errors as
 * arc_odds_create. */
ArcStatus arc_aim_judge(const ArcSearch *search, const ArcBelief *belief, int threads, int n,
                        const ArcSearchThrow *throws, ArcAim *aim, ArcError *err);

#endif
