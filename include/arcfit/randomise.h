/* `randomise:`: what a fit takes for known and is not quite, each with a distribution.
 *
 * A quantity is a parameter that the fit does not free, or a physical setting that is no parameter.
 * Its distribution is uniform over [low, high], or normal with mean and sd, cut off where the
 * quantity has no meaning. `simulate` draws each capture with its own values; a fit is repeated
 * over draws of them (randomised.h).
 */
#ifndef ARCFIT_RANDOMISE_H
#define ARCFIT_RANDOMISE_H

#include "arcfit/error.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum { ARC_MAX_RANDOM_QUANTITIES = 16, ARC_RANDOMISE_DRAWS = 32 };

typedef struct ArcRandomQuantity {
    const char *name; /* of the parameter; or mass, diameter, density, temperature, pressure,
                       * humidity, gravity, wind_x, wind_y, wind_z */
    const char *unit; /* SI */
    ArcPlace place;
    int parameter;  /* index into the experiment's; -1: a setting */
    size_t setting; /* of a setting: its number's place in ArcFlightSettings */
    bool is_normal;
    double low, high; /* uniform: the range; normal: where it is cut off */
    double mean, sd;  /* of a normal one before the cut; of a uniform one */
} ArcRandomQuantity;

typedef struct ArcRandomise {
    int n; /* 0: nothing */
    ArcRandomQuantity quantities[ARC_MAX_RANDOM_QUANTITIES];
    int draws; /* fits that are made */
} ArcRandomise;

struct ArcExperiment;

/* The quantile u (0 to 1) of a quantity. */
double arc_random_quantity_at(const ArcRandomQuantity *quantity, double u);

/* The experiment with other values (n) of its quantities, into *made, which borrows all else.
 * ARC_INPUT where there is no such flight. */
ArcStatus arc_randomise_apply(const struct ArcExperiment *experiment, const double *values,
                              struct ArcExperiment *made, ArcError *err);

#pragma GCC visibility pop

#endif
