/* Where a net's units and its collocation points lie closer: by how fast the motion changes.
 *
 * A map tau = m(u) of [-1, 1] onto itself, m' = 1 / density, carries what is even in u: a unit of
 * slope w at centre c in u gets the centre m(c) and the slope w / m'(c), a node of weight q the
 * weight q m'. Half of the density is even, half follows the phase's (phase.h), so that nothing is
 * left out where little happens (equidistribution: de Boor, A Practical Guide to Splines (1978),
 * XII).
 */
#ifndef ARC_FIT_GRADING_H
#define ARC_FIT_GRADING_H

#include "arcfit/net.h"
#include "base/arena.h"

enum { ARC_GRADING_POINTS = 601 };

/* density at equally spaced tau, of mean 1, linear between; passed: its integral from -1, 0 to 2.
 */
typedef struct ArcGrading {
    double density[ARC_GRADING_POINTS], passed[ARC_GRADING_POINTS];
} ArcGrading;

/* From any density at the equally spaced tau, which is made smooth and bounded. */
void arc_grading_make(ArcGrading *grading, const double *density);

/* tau at u, and dtau / du; beyond [-1, 1] m goes on as a line. */
double arc_grading_map(const ArcGrading *grading, double u, double *slope);

/* The units of a net of one hidden layer without waves or windows: slopes as arc_net_init drew
 * them, centres even in u, without the jitter that leaves gaps between many. False for any other
 * net. */
bool arc_grading_units(const ArcGrading *grading, const ArcNetSettings *net, double *weights);

#endif
