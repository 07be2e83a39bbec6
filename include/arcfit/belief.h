/* What is known of an experiment's parameters beside its unknowns: a normal distribution.
 *
 * From the experiment alone it is made of the priors. A result adds what its data say: its fit's
 * estimate m and covariance C hold the fit's own priors (m0, C0 of those parameters that had one),
 * so that the data alone are worth
 *   information  L = inv(C) - inv(C0),   L m_data = inv(C) m - inv(C0) m0
 * and results are summed up by information, each throw once:
 *   inv(C+) = inv(C) + sum L,   inv(C+) m+ = inv(C) m + sum L m_data
 * Parameters are joined by name. Each throw's own release is integrated out first: it is not asked
 * about again.
 */
#ifndef ARCFIT_BELIEF_H
#define ARCFIT_BELIEF_H

#include "arcfit/experiment.h"
#include "arcfit/result.h"

#pragma GCC visibility push(default)

/* Of all n = n_parameters of an experiment, in its order: mean, and covariance (n, n) row-major, of
 * which rows and columns of what is taken for known are zero. */
typedef struct ArcBelief {
    int n;
    double mean[ARC_MAX_PARAMETERS];
    double covariance[ARC_MAX_PARAMETERS * ARC_MAX_PARAMETERS];
} ArcBelief;

/* By the experiment's fixed values, starts and priors. */
void arc_belief_of_experiment(const ArcExperiment *experiment, ArcBelief *belief);

/* The estimates of a result's direct fit (else its PINN's) for all parameters of those names that
 * are no unknowns of the aim, with their covariance; others as the experiment has them. ARC_INPUT:
 * it has none of them, or one is unidentified. */
ArcStatus arc_belief_of_result(const ArcExperiment *experiment, const ArcResult *result,
                               ArcBelief *belief, ArcError *err);

/* After n observed throws, each the result of a fit, from belief on, in place. ARC_INPUT: a result
 * that tells nothing of any uncertain parameter; ARC_NUMERIC: information that is not positive. */
ArcStatus arc_belief_correct(const ArcExperiment *experiment, int n,
                             const ArcResult *const *results, ArcBelief *belief, ArcError *err);

#pragma GCC visibility pop

#endif
