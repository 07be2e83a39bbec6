/* Regularised incomplete gamma function, as in Abramowitz and Stegun, chapter 6:
 *   D = x^a e^-x / Gamma(a + 1)
 *   1 - Q = D sum_n x^n / ((a + 1) ... (a + n))                      (6.5.29)  for x < a + 1
 *   Q = a D / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / ...))  (6.5.31)  elsewhere
 * D is taken from its saddle point (Loader, "Fast and accurate computation of binomial
 * probabilities", 2000), since a log x alone loses seven digits at a million degrees of freedom.
 */
#include "solve/statistics.h"

#include "solve/stirling.h"

#include <math.h>

static const double CONVERGED = 1e-15;

/* D = x^a e^-x / Gamma(a + 1). */
static double gamma_density(double a, double x)
{
    if (a < ARC_STIRLING_FROM)
        return exp(a * log(x) - x) / tgamma(a + 1.0);
    double u = (x - a) / a;
    return exp(-a * (u - log1p(u)) - arc_stirling_error(a)) / sqrt(2.0 * M_PI * a);
}

/* 1 - Q by the series. */
static double lower_series(double a, double x)
{
    double term = 1.0;
    double sum = 1.0;
    for (double n = 1.0; term > CONVERGED * sum; n += 1.0) {
        term *= x / (a + n);
        sum += term;
    }
    return gamma_density(a, x) * sum;
}

/* Q by the continued fraction (Lentz's method, as modified by Thompson and Barnett, 1986). */
static double upper_fraction(double a, double x)
{
    double b = x + 1.0 - a;
    double c = INFINITY;
    double d = 1.0 / b;
    double fraction = d;
    double change = 0.0;
    /* About the root of a turns are needed; the bound is for rounding that never settles. */
    for (double n = 1.0; fabs(change - 1.0) > CONVERGED && n < 1e6; n += 1.0) {
        double numerator = n * (a - n);
        b += 2.0;
        d = 1.0 / (b + numerator * d);
        c = b + numerator / c;
        change = c * d;
        fraction *= change;
    }
    return a * gamma_density(a, x) * fraction;
}

double arc_statistics_chi2_p(double chi2, int dof)
{
    if (dof < 1 || isnan(chi2))
        return NAN;
    if (chi2 <= 0.0)
        return 1.0;
    if (isinf(chi2))
        return 0.0;
    double a = 0.5 * dof;
    double x = 0.5 * chi2;
    return x < a + 1.0 ? 1.0 - lower_series(a, x) : upper_fraction(a, x);
}
