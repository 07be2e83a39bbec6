/* Each camera's own sigma: a factor s_c of the capture's, found together with the fit.
 *
 *   sum of chi(r_i) / beta over c = n_c - e_c + (s_c - mean) s_c / sd^2
 *   r_i = residual / (s_c sigma_i)
 *
 * n_c the camera's observations, e_c the unknowns that they determine (the trace of their part of
 * the hat matrix H), mean and sd the prior of s_c, if it has one; chi and beta by the loss
 * (loss.h). For gauss this is restricted maximum likelihood (Patterson and Thompson, Biometrika 58
 * (1971) 545) in Foerstner's iteration, whose information of log s is I_cd = 2 sum over i of c, j
 * of d of (delta_ij - H_ij)^2 + delta_cd s_c^2 / sd^2. Estimates of s and of the flight do not
 * correlate. Under a robust loss I_cc alone, by the scatter of chi.
 */
#ifndef ARC_FIT_SIGMAS_H
#define ARC_FIT_SIGMAS_H

#include "fit/problem.h"
#include "fit/rows.h"

/* One step for rows that have looked at the end of a fit: sigmas of the observations and starts of
 * the factors become the new ones. Returns the largest change of a logarithm. */
double arc_sigmas_step(ArcProblem *problem, const ArcRows *rows);

/* Standard deviations (n_sigmas) of the factors, and the freedoms behind the sigmas of the fit,
 * into problem. In the arena. ARC_MEMORY. */
ArcStatus arc_sigmas_inform(ArcProblem *problem, const ArcRows *rows, ArcArena *arena,
                            ArcError *err);

/* Standard deviations as they are to be expected at the starts, where no fit has been made: each
 * camera's observations tell their share of the unknowns. ARC_MEMORY. */
ArcStatus arc_sigmas_foretell(ArcProblem *problem, ArcArena *arena, ArcError *err);

/* A 95 % interval of a factor with that sd: of chi with as many freedoms as have this scatter of
 * its logarithm (Wilson and Hilferty, Proc. Natl. Acad. Sci. 17 (1931) 684). */
void arc_sigmas_interval(double factor, double sd, double ci95[2]);

/* What the factors add to minus the log of the likelihood: sum of n_c log s_c. */
double arc_sigmas_log(const ArcProblem *problem);

#endif
