/* Distribution function by erfc; quantile by a rational start (Abramowitz and Stegun, 26.2.23,
 * off by 4.5e-4 at most) and Halley's iteration on log P, which is nearly a parabola in the tail.
 */
#include "solve/normal.h"

#include <math.h>

double arc_normal_cdf(double z)
{
    return 0.5 * erfc(-z * M_SQRT1_2);
}

/* z <= 0 with P(Z <= z) = p <= 1/2. */
static double lower_quantile(double p)
{
    double t = sqrt(-2.0 * log(p));
    double z = (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
               t;
    for (int i = 0; i < 4; i++) {
        /* f = log P(z) - log p; f' = density / P =: h; f'' = -h (z + h). */
        double P = arc_normal_cdf(z);
        double h = exp(-0.5 * z * z) / (sqrt(2.0 * M_PI) * P);
        double f = log(P / p);
        z -= 2.0 * f / (2.0 * h + f * (z + h));
    }
    return z;
}

double arc_normal_quantile(double p)
{
    if (!(p > 0.0 && p < 1.0))
        return p == 0.0 ? -INFINITY : p == 1.0 ? INFINITY : NAN;
    return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1.0 - p);
}
