/* Laws of drag beyond a constant: drag = -D(|u|, rate, p) u. */
#ifndef ARC_PHYSICS_DRAG_H
#define ARC_PHYSICS_DRAG_H

#include "arcfit/flight.h"

enum { ARC_DRAG_MAX_PARAMETERS = 4 };

typedef struct ArcDragFactor {
    double value;    /* D, 1/s */
    double by_speed; /* dD / d|u| */
    double by_rate;  /* dD / d rate */
    double by_parameter[ARC_DRAG_MAX_PARAMETERS];
} ArcDragFactor;

/* rate: |w|. p: the law's own parameters. */
ArcDragFactor arc_drag_factor(const ArcFlight *flight, double speed, double rate, const double *p);

#endif
