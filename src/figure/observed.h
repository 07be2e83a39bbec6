/* What was seen less what a fit says, number by number of the used points, in sd. */
#ifndef ARC_FIGURE_OBSERVED_H
#define ARC_FIGURE_OBSERVED_H

#include "figure/maker.h"

typedef struct ArcObserved {
    int point, camera; /* camera -1: positions in metres, or channels of own equations */
    int axis;          /* of a camera's point: 0 u, 1 v, 2 the radius */
    double time_s;     /* true time */
    double in_sd;      /* (measured - fit) / sigma in force */
    bool is_held, is_outlier;
    double outlier_sd; /* of an outlier: its distance in its own sd (spread.h); else 0 */
} ArcObserved;

/* By time as the capture has them; those that the fit has no number for are left out. */
typedef struct ArcObservedList {
    int n;
    const ArcObserved *list;
} ArcObservedList;

/* Outliers are those of fit. Nothing, with a note, where the numbers need the experiment and that
 * is not there. ARC_MEMORY. */
ArcStatus arc_maker_observed(ArcMaker *maker, const ArcFit *fit, ArcObservedList *observed,
                             ArcError *err);

/* "throw.csv:31" of a number, "left.csv:31 u" of a camera's. NULL on exhaustion. */
const char *arc_observed_label(ArcMaker *maker, const ArcObserved *observed);

/* The share of the noise's sd that is left in residuals of a fit, the root of dof over numbers: a
 * flight that is fitted to points comes nearer to them than the truth is. 1 where it is not known.
 */
double arc_observed_shrinkage(const ArcFit *fit);

#endif
