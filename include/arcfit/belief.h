/* What is known of an experiment's parameters beside its unknowns: a normal distribution.
 *
 * From the experiment alone it is made of the priors. A result adds what its data say: its fit's
 * estimate m and covariance C hold the fit's own priors (m0, C0 of those parameters that had one),
 * so that the data alone are worth
 *   information  L = inv(C) - inv(C0),   L m_data = inv(C) m - inv(C0) m0
 * and results are summed up by information, each throw once:
 *   inv(C+) = inv(C) + sum L,   inv(C+) m+ = inv(C) m + sum L m_data
 * Parameters are joined by name. Those count that last from throw to throw: of the laws, the arm
 * and the measurement, but not the release, an arm's angles and rates at it, what is each flight's
 * own, and the unknowns of the aim. A throw's own are integrated out first (of C only the rows and
 * columns of those that last are taken). L is taken at each fit's estimate: where the equations
 * bend within a prior, many throws hold by as much as they do.
 *
 * Directions that the data do not tell add nothing. A parameter that is free without a prior counts
 * as known before its first result, which then must tell it.
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
 * last, with their covariance; of its release what the experiment leaves to data, as it was, with
 * none; others as the experiment has them. ARC_INPUT: it has none of them, or one is unidentified
 * or at its bound. */
ArcStatus arc_belief_of_result(const ArcExperiment *experiment, const ArcResult *result,
                               ArcBelief *belief, ArcError *err);

/* Of the experiment, with the result aim.from read where there is one. Errors as
 * arc_report_read_hdf5 and arc_belief_of_result. */
ArcStatus arc_belief_for_aim(const ArcExperiment *experiment, ArcBelief *belief, ArcError *err);

/* The means become the experiment's starts. */
void arc_belief_apply(const ArcBelief *belief, ArcExperiment *experiment);

/* What observed throws changed, and whether they agree. */
typedef struct ArcBeliefChange {
    int n_results, n_throws; /* of which some are fitted together */
    ArcBelief before, after;
    double chi2; /* of the data's estimates and the earlier belief about the later one */
    int dof;
    double chi2_p;  /* NaN where dof is 0 */
    int worst;      /* the result that lies furthest from the later belief, from 0 */
    double worst_p; /* of its own part of chi2, times n_results, at most 1 */
} ArcBeliefChange;

/* n observed throws, each the result of a fit, added to before. ARC_INPUT: a result that tells
 * nothing of any uncertain parameter, did not converge, is there twice, or does not go with the
 * experiment (another dimension, a law's parameter that it has not, another unit, one fixed that is
 * uncertain here, or at another value); a parameter without a prior that is not told. ARC_NUMERIC:
 * information that is not positive. */
ArcStatus arc_belief_change(const ArcExperiment *experiment, int n, const ArcResult *const *results,
                            const ArcBelief *before, ArcBeliefChange *change, ArcError *err);

/* The same from belief on, in place. */
ArcStatus arc_belief_correct(const ArcExperiment *experiment, int n,
                             const ArcResult *const *results, ArcBelief *belief, ArcError *err);

/* In words: each uncertain parameter before and after. The caller frees with arc_text_free. */
ArcStatus arc_belief_change_text(const ArcExperiment *experiment, const ArcBeliefChange *change,
                                 char **text, ArcError *err);

/* The JSON object `of` (of an aim) with the change under its key "correction". */
ArcStatus arc_belief_change_json(const ArcExperiment *experiment, const ArcBeliefChange *change,
                                 const char *of, char **text, ArcError *err);

#pragma GCC visibility pop

#endif
