/* Numbers with bounds as unconstrained ones. */
#include "solve/bounded.h"

#include <math.h>
#include <stddef.h>

double arc_bounded_value(const ArcBounded *bounded, double u, double *log_jacobian)
{
    double low = bounded->low, high = bounded->high, jacobian, x;
    if (isfinite(low) && isfinite(high)) {
        double small = exp(-fabs(u)), share = small / (1.0 + small);
        jacobian = -fabs(u) - 2.0 * log1p(small);
        x = u < 0.0 ? low + (high - low) * share : high - (high - low) * share;
    } else if (isfinite(low) || isfinite(high)) {
        jacobian = u;
        x = isfinite(low) ? low + exp(u) : high - exp(u);
    } else {
        jacobian = 0.0;
        x = bounded->scale * u;
    }
    if (log_jacobian != NULL)
        *log_jacobian = jacobian;
    return x;
}

double arc_bounded_coordinate(const ArcBounded *bounded, double x, double margin)
{
    double low = bounded->low, high = bounded->high;
    if (isfinite(low) && isfinite(high)) {
        double least = fmin(margin, 0.5 * (high - low));
        x = fmin(fmax(x, low + least), high - least);
        return log((x - low) / (high - x));
    }
    if (isfinite(low))
        return log(fmax(x - low, margin));
    if (isfinite(high))
        return log(fmax(high - x, margin));
    return x / bounded->scale;
}
