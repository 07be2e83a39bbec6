/* Unconstrained coordinates u of a number x with bounds, for methods that know no bounds.
 *
 *   no bound         x = scale u              log |dx/du| = log scale, left out
 *   low only         x = low + exp(u)         u
 *   high only        x = high - exp(u)        u
 *   both             x = low + (high - low) / (1 + exp(-u))
 *                    log(high - low) - |u| - 2 log(1 + exp(-|u|)), its first term left out
 */
#ifndef ARC_SOLVE_BOUNDED_H
#define ARC_SOLVE_BOUNDED_H

typedef struct ArcBounded {
    double low, high; /* -inf, inf: none */
    double scale;     /* > 0: of a number without bounds */
} ArcBounded;

/* x, and what it adds to the logarithm of a density (nullable) up to a constant. */
double arc_bounded_value(const ArcBounded *bounded, double u, double *log_jacobian);

/* u of x, which is first moved off its bounds by margin (> 0), at most to the middle of two. */
double arc_bounded_coordinate(const ArcBounded *bounded, double x, double margin);

#endif
