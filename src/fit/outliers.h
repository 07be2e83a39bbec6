/* Observations that a fit does not believe (spread.h says which).
 *
 * With leverage h a deleted residual, of the flight that the other points tell, is to first order
 *   d = off + h / (1 - h) psi(off),    and    t = d sqrt(1 - h)
 * is d in its own sd (Cook and Weisberg 1982; for gauss t = off / sqrt(1 - h)). A robust loss keeps
 * the flight where the others want it; under gauss a few far points drag it and make sound ones
 * look bad, so there the worst is taken out, all others are worked out again, and so on until none
 * is beyond the limit. Where sigma is estimated it is so without the points taken out.
 */
#ifndef ARC_FIT_OUTLIERS_H
#define ARC_FIT_OUTLIERS_H

#include "arcfit/spread.h"
#include "fit/problem.h"
#include "fit/rows.h"

/* Lists them in arena, largest first. */
ArcStatus arc_outliers_find(const ArcProblem *problem, const ArcRows *rows, ArcArena *arena,
                            int *n_outliers, const ArcOutlier **outliers, ArcError *err);

#endif
