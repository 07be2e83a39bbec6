/* The standard normal distribution. */
#ifndef ARC_SOLVE_NORMAL_H
#define ARC_SOLVE_NORMAL_H

/* P(Z <= z), to rounding in both tails. */
double arc_normal_cdf(double z);

/* Its inverse: z with P(Z <= z) = p, to 1e-14 relative where |z| > 1e-2 and 1e-16 absolute below;
 * -inf, inf at 0 and 1, NaN outside. */
double arc_normal_quantile(double p);

#endif
