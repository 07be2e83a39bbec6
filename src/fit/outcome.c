/* Outcomes judged: whether one is worth another start, and which of two is the better. */
#include "fit/loss.h"
#include "fit/method.h"

#include "solve/statistics.h"

#include <math.h>

static const double doubtful_p = 1e-6, far_sd = 4.0;
static const double same_cost = 0.5; /* of half a chi2: no evidence for either */

/* A robust loss is there for points far off, but not for most of them. */
static bool most_are_far(const ArcProblem *problem, const double *r)
{
    int far = 0;
    for (int i = 0; r != NULL && i < problem->n_observations; i++) {
        double slope;
        far += fabs(arc_loss_restore(&problem->loss, r[i], &slope)) > far_sd;
    }
    return 2 * far > problem->n_observations;
}

bool arc_outcome_is_doubtful(const ArcProblem *problem, ArcStop stop, double cost, const double *r)
{
    int dof = arc_problem_n_observed(problem) + problem->n_priors - problem->n_free;
    if (stop == ARC_STOP_INTERRUPTED || !arc_stop_is_converged(stop))
        return stop != ARC_STOP_INTERRUPTED;
    if (problem->loss.kind != ARC_LOSS_GAUSS)
        return most_are_far(problem, r);
    return dof > 0 && arc_statistics_chi2_p(2.0 * cost, dof) < doubtful_p;
}

bool arc_outcome_is_better(const ArcOutcome *a, const ArcOutcome *b)
{
    if (a->T == NULL || b->T == NULL)
        return b->T == NULL && a->T != NULL;
    if (fabs(a->cost - b->cost) <= same_cost && a->converged != b->converged)
        return a->converged;
    return a->cost < b->cost;
}
