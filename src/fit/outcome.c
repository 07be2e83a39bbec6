/* Outcomes judged: whether one is worth another start, and which of two is the better. */
#include "fit/method.h"

#include "solve/statistics.h"

#include <math.h>

static const double doubtful_p = 1e-6;
static const double same_cost = 0.5; /* of half a chi2: no evidence for either */

bool arc_outcome_is_doubtful(const ArcProblem *problem, ArcStop stop, double cost)
{
    int dof = problem->n_observations + problem->n_priors - problem->n_free;
    return stop != ARC_STOP_INTERRUPTED &&
           (!arc_stop_is_converged(stop) ||
            (dof > 0 && arc_statistics_chi2_p(2.0 * cost, dof) < doubtful_p));
}

bool arc_outcome_is_better(const ArcOutcome *a, const ArcOutcome *b)
{
    if (a->T == NULL || b->T == NULL)
        return b->T == NULL && a->T != NULL;
    if (fabs(a->cost - b->cost) <= same_cost && a->converged != b->converged)
        return a->converged;
    return a->cost < b->cost;
}
