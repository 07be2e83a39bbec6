/* What a fit needs to know of its noise before it begins.
 *
 *   sigma   with `sigma: estimate` all sigmas are s times those of the capture, and s solves
 *             sum chi(r_i) = (n - e) beta,    r_i = residual / (s sigma_i)
 *           together with the fit: chi and beta by the loss (loss.h), n observations, e the
 *           unknowns that these determine (the trace of their part of the hat matrix; what priors
 *           tell is not theirs). For gauss s^2 = chi2 / (n - e), for huber its Proposal 2, for
 *           student-t the likelihood's equation, for cauchy Huber's s. sd(log s) is
 *           sqrt(var chi / (n - e)) / E(r chi'), for gauss 1 / sqrt(2 (n - e)).
 *   own     sigmas of cameras, where parameters name them (sigmas.h), in the same rounds.
 *   nu      of student-t, where it is estimated: the maximum of the likelihood, everything else
 *           fitted at each nu; its interval is where the logarithm falls by 1.92.
 *   start   of a loss with several minima: the Huber fit, then the loss itself at 8, 4 and 2 times
 *           the sigmas.
 *
 * All are found once, for all starts and stages, and then held. With exact physics both methods
 * solve one problem, so the simulator's form serves both; where the flight may break the equations,
 * the linear stage on the first net.
 */
#ifndef ARC_FIT_SCALE_H
#define ARC_FIT_SCALE_H

#include "fit/method.h"

/* Settles them in *problem, whose arrays of observations and starts are replaced by ones of
 * the arena. ARC_OK also where nothing is found: the fit itself then says why it does not
 * converge. ARC_MEMORY. */
ArcStatus arc_scale_settle(ArcProblem *problem, ArcMethod method, ArcArena *arena, ArcError *err);

/* The problem with the sigmas and degrees of freedom that a fit of it has found, as if they had
 * been given; the same one where nothing was to be found. A copy lies in arena; NULL on exhaustion.
 */
const ArcProblem *arc_scale_keep(const ArcProblem *problem, const ArcFit *fit, ArcArena *arena);

#endif
