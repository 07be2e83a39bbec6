/* How far Markov chains can be believed (Vehtari, Gelman, Simpson, Carpenter and Buerkner, Bayesian
 * Anal. 16 (2021) 667): rank-normalised split R-hat, bulk and tail effective sample size.
 *
 * Every chain is split into halves. Draws are replaced by the normal scores of their ranks,
 * z = Phi^-1((rank - 3/8) / (S + 1/4)). With W the mean variance within the M half chains of n
 * draws and B/n the variance of their means, R-hat = sqrt(((n - 1)/n W + B/n) / W) the larger of
 * that of z and of the scores of |draw - median| (which finds unequal scales). The effective size
 * is M n / (1 + 2 sum rho_t), rho_t the autocorrelation of all chains together, cut off by Geyer's
 * initial monotone sequence: of z for the bulk; for the tails the smaller one of the indicators of
 * the 5 % and 95 % quantile.
 */
#ifndef ARC_SOLVE_DIAGNOSTICS_H
#define ARC_SOLVE_DIAGNOSTICS_H

#include "base/arena.h"

typedef struct ArcChainDiagnosis {
    double r_hat, ess_bulk, ess_tail; /* NaN where all draws are equal or too few */
} ArcChainDiagnosis;

/* draws (n_chains, n_draws) row-major, at least 4 a chain. ARC_MEMORY. */
ArcStatus arc_diagnostics_judge(int n_chains, int n_draws, const double *draws,
                                ArcChainDiagnosis *diagnosis, ArcError *err);

/* Draws per independent draw, 1 + 2 sum rho_t as above, of the draws themselves without split or
 * ranks; NaN where they are all equal or too few. rho: scratch (n_draws + n_chains). */
double arc_diagnostics_correlation(int n_chains, int n_draws, const double *draws, double *rho);

/* Quantile p of n ascending values: linear between order statistics (p (n - 1) + 1), Hyndman and
 * Fan's type 7. */
double arc_diagnostics_quantile(int n, const double *sorted, double p);

/* Sorts n values in ascending order. */
void arc_diagnostics_sort(int n, double *values);

#endif
