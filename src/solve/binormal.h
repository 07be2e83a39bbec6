/* The chance that a normal point of the plane lies within a region, to 1e-8.
 *
 * With w the point in standard deviations along the principal axes of its covariance, so that the
 * region's outline is a curve w(s) about an origin that is the mean, rho = |w|, the divergence
 * theorem turns the density's integral over the region into one around its outline:
 *
 *   P = 1 / (2 pi)  closed integral of  (1 - exp(-rho^2 / 2)) / rho^2  (w x w') ds
 *
 * whether the mean is within or not. Where the outline comes near to the mean the integrand has
 * tails that fall as a power, never as the normal's, so that an adaptive rule sees them from afar.
 */
#ifndef ARC_SOLVE_BINORMAL_H
#define ARC_SOLVE_BINORMAL_H

#include <stdbool.h>

/* A convex region of the plane; context is borrowed. */
typedef struct ArcOutline {
    const void *context;
    int n_pieces; /* of its outline, one after the other, counter-clockwise */
    /* The point x and dx/ds of a piece at s, 0 to 1. */
    void (*at)(const void *context, int piece, double s, double x[2], double x_s[2]);
    /* The interval of t for which from + t along is within; along has length 1. False: none. */
    bool (*chord)(const void *context, const double from[2], const double along[2], double t[2]);
} ArcOutline;

/* covariance (2, 2), symmetric; of a variance of 0 in one or both directions all is along a line or
 * at a point. NaN where a number is not finite or a variance is negative by more than rounding. */
double arc_binormal_within(const ArcOutline *outline, const double mean[2],
                           const double covariance[4]);

/* The chance that a normal number lies in [low, high]; sd 0: whether the mean does. */
double arc_normal_within(double mean, double sd, double low, double high);

#endif
