/* Distributions that judge a fit. */
#ifndef ARC_SOLVE_STATISTICS_H
#define ARC_SOLVE_STATISTICS_H

/* The chance that a chi-square variable of dof degrees of freedom exceeds chi2: the regularised
 * incomplete gamma function Q(dof / 2, chi2 / 2). 1 for chi2 <= 0, NaN for dof < 1 or chi2 NaN.
 * Relative error within 1e-10 up to a million degrees of freedom, wherever the result is above the
 * smallest normal double; beyond a million it holds too but takes longer (the root of dof). */
double arc_statistics_chi2_p(double chi2, int dof);

/* The regularised incomplete beta function I_x(a, b), y = 1 - x given beside x, since a tail lives
 * in the smaller of the two. a, b > 0. Relative error within 1e-11 up to a, b of a million. */
double arc_statistics_beta_i(double a, double b, double x, double y);

/* The chance that an F variable of d1 over d2 degrees of freedom exceeds F: I_x(d2 / 2, d1 / 2),
 * x = d2 / (d2 + d1 F). 1 for F <= 0, NaN where a number is NaN or a d is not positive. */
double arc_statistics_f_p(double F, double d1, double d2);

/* The t below which Student's t of dof (> 0, INFINITY: normal) degrees of freedom lies with the
 * chance p; -INFINITY at p = 0, INFINITY at p = 1 and where it overflows. NaN for p outside [0, 1],
 * dof not positive. Relative error within 1e-12 for chances from 1e-100 to 1 - 1e-100. */
double arc_statistics_t_quantile(double p, double dof);

/* The same for the standard normal distribution. */
double arc_statistics_normal_quantile(double p);

#endif
