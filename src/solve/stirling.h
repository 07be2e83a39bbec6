/* What Stirling's formula lacks, which saddle points of densities are made of (Loader, "Fast and
 * accurate computation of binomial probabilities", 2000). */
#ifndef ARC_SOLVE_STIRLING_H
#define ARC_SOLVE_STIRLING_H

#include <math.h>

/* From here the terms that the series leaves out are below 1e-15. */
#define ARC_STIRLING_FROM 40.0

/* log Gamma(a + 1) - log(sqrt(2 pi a) (a / e)^a), a > 0. */
static inline double arc_stirling_error(double a)
{
    if (a < ARC_STIRLING_FROM)
        return lgamma(a + 1.0) - (0.5 * log(2.0 * M_PI * a) + a * log(a) - a);
    double q = 1.0 / (a * a);
    return (1.0 / 12.0 - q * (1.0 / 360.0 - q * (1.0 / 1260.0 - q / 1680.0))) / a;
}

#endif
