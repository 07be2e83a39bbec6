/* Distributions that judge a fit. */
#ifndef ARC_SOLVE_STATISTICS_H
#define ARC_SOLVE_STATISTICS_H

/* The chance that a chi-square variable of dof degrees of freedom exceeds chi2: the regularised
 * incomplete gamma function Q(dof / 2, chi2 / 2). 1 for chi2 <= 0, NaN for dof < 1 or chi2 NaN.
 * Relative error within 1e-10 up to a million degrees of freedom, wherever the result is above the
 * smallest normal double; beyond a million it holds too but takes longer (the root of dof). */
double arc_statistics_chi2_p(double chi2, int dof);

#endif
