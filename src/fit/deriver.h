/* Where the derived numbers of one fit are gathered. */
#ifndef ARC_FIT_DERIVER_H
#define ARC_FIT_DERIVER_H

#include "fit/predict.h"

/* Each named target leaves at most two remarks. */
enum { ARC_MAX_REMARKS = 2 * ARC_MAX_TARGETS };

typedef struct ArcDeriver {
    ArcFit *fit;
    const ArcProblem *problem;
    const double *values;
    ArcEstimate *derived; /* (ARC_MAX_DERIVED), in the fit's arena, as the texts are */
    int n;
    const char **remarks; /* (ARC_MAX_REMARKS) */
    int n_remarks;
    bool failed; /* out of memory */
} ArcDeriver;

/* A number with its gradient (n_parameters, then a closure's weights); NULL: it has none here, so
 * that it has no sd. name and unit are borrowed for as long as the fit lives. */
void arc_deriver_add(ArcDeriver *deriver, const char *name, const char *unit, double value,
                     const double *gradient);

/* The numbers of the experiment's targets, by flying the estimate. */
void arc_deriver_targets(ArcDeriver *deriver, ArcFlown *flown);

#endif
