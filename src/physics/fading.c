/* Fading of spin: exp(-t / spin_tau), or exp(-spin_decay l) with the path l flown. */
#include "physics/fading.h"

#include <math.h>

ArcFading arc_fading_at(const ArcFlight *flight, double time_s, const double *v, const double *p)
{
    ArcFading fading = {.share = 1};
    if (flight->settings.spin_decay == ARC_SPIN_DECAY_NONE)
        return fading;
    int d = flight->settings.dimensions;
    double parameter = p[flight->n_drag + flight->n_lift + (d == 2 ? 1 : 3)];
    if (flight->settings.spin_decay == ARC_SPIN_DECAY_EXPONENTIAL) {
        fading.by_time = -1 / parameter;
        fading.by_parameter = time_s / (parameter * parameter);
        fading.share = isfinite(parameter) ? exp(-time_s / parameter) : NAN;
    } else {
        double path = v[d];
        fading.by_parameter = -path;
        fading.by_path = -parameter;
        fading.share = isfinite(parameter * path) ? exp(-parameter * path) : NAN;
    }
    return fading;
}
