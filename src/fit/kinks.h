/* What a smooth net cannot make: the kinks of equations that are pieced together in time.
 *
 * Where a phase's equations have a jump in a higher derivative at a known time (the knots of a
 * torque curve), the accelerations have it too. There the output layer has a few features more,
 *   a = ((s - s_k) / T)^q for s > s_k, else 0,   q = 3 to 6
 * given as what N of the ansatz must be for them, T the span of the net. So fewer units do, and the
 * net answers a change of each piece of the curve as the equations do.
 */
#ifndef ARC_FIT_KINKS_H
#define ARC_FIT_KINKS_H

#include "base/arena.h"

enum { ARC_MAX_KINKS = 32, ARC_KINK_ORDERS = 4 };

typedef struct ArcKinks {
    int n_places, n; /* features: orders of each place */
    double place_s[ARC_MAX_KINKS];
    double *weights; /* (D, n) of the output layer */
} ArcKinks;

/* Jets in tau, s = span (tau + 1) / 2, of all features at m points: part 0 to 2 of feature j at
 * point i stands at features[(part m + i) stride + j]. */
void arc_kinks_features(const ArcKinks *kinks, double span_s, int m, const double *tau,
                        double *features, int stride);

/* Adds what the weights make of them to the net's jets (3, m, D). */
void arc_kinks_add(const ArcKinks *kinks, double span_s, int D, int m, const double *tau,
                   double *jets);

#endif
