/* The wind at a place and time, with its slope in the height. */
#ifndef ARC_PHYSICS_WIND_H
#define ARC_PHYSICS_WIND_H

#include "arcfit/flight.h"

typedef struct ArcWindAt {
    double velocity_m_s[3];
    double by_height_1_s[3]; /* d velocity / d height */
} ArcWindAt;

ArcWindAt arc_wind_at(const ArcFlightSettings *settings, double t_s, const double *x_m);

#endif
