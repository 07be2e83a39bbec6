/* Where a net's units and its collocation points lie closer: by how fast the motion changes.
 *
 * A map tau = m(u) of [-1, 1] onto itself, m' = 1 / density, carries what is even in u: a unit of
 * slope w at centre c in u gets the centre m(c) and the slope w / m'(c), a node of weight q the
 * weight q m'. Half of the density is even, half follows the phase's (phase.h), so that nothing is
 * left out where little happens (equidistribution: de Boor, A Practical Guide to Splines (1978),
 * XII). Motions that begin a little elsewhere than the present one may come to it within 1 / rate,
 * a boundary layer that the present one does not show: where that is short, a share of the density
 * is that of the layer, falling as 1 / (s + 1 / rate).
 */
#ifndef ARC_FIT_GRADING_H
#define ARC_FIT_GRADING_H

#include "arcfit/net.h"
#include "base/arena.h"

enum { ARC_GRADING_POINTS = 2401 };

/* density at equally spaced tau, of mean 1, linear between; passed: its integral from -1, 0 to 2.
 * The layer's share of all is layer_share, its rate is that over the whole of [-1, 1]. */
typedef struct ArcGrading {
    double density[ARC_GRADING_POINTS], passed[ARC_GRADING_POINTS];
    double layer_share, layer_rate;
} ArcGrading;

/* From any density at the equally spaced tau, which is made smooth (less so where it
 * is sharp) and bounded, and the rate at
 * which motions come to that of the first of these times, times what [-1, 1] lasts. */
void arc_grading_make(ArcGrading *grading, const double *density, bool is_sharp, double layer_rate);

/* tau at u, and dtau / du; beyond [-1, 1] m goes on as a line. */
double arc_grading_map(const ArcGrading *grading, double u, double *slope);

/* The units of a net of one hidden layer without waves or windows: slopes as arc_net_init drew
 * them, centres even in u, without the jitter that leaves gaps between many. False for any other
 * net. */
bool arc_grading_units(const ArcGrading *grading, const ArcNetSettings *net, double *weights);

#endif
