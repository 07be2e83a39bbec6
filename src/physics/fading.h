/* What fading has left of a ball's spin. */
#ifndef ARC_PHYSICS_FADING_H
#define ARC_PHYSICS_FADING_H

#include "arcfit/flight.h"

/* The share of the spin at release that is left, and the derivatives of its logarithm by the time
 * since release, by the path flown (velocity of the last coordinate) and by the law's parameter. */
typedef struct ArcFading {
    double share, by_time, by_path, by_parameter;
} ArcFading;

/* At a state's time and velocity (n_coordinates), with the flight's parameters p. */
ArcFading arc_fading_at(const ArcFlight *flight, double time_s, const double *v, const double *p);

#endif
