/* Moist air: density and viscosity. */
#ifndef ARCFIT_AIR_H
#define ARCFIT_AIR_H

#include "arcfit/error.h"

#pragma GCC visibility push(default)

/* density_kg_m3 is used when > 0, else it follows from the other three. */
typedef struct ArcAir {
    double temperature_k;
    double pressure_pa;
    double humidity; /* relative, 0 to 1 */
    double density_kg_m3;
} ArcAir;

/* Moist air, CIPM-2007 (Picard et al., Metrologia 45 (2008) 149). ARC_INPUT outside 300 to 1100 hPa
 * (the equation is stated from 600 on), -40 to 60 degC, humidity 0 to 1. */
ArcStatus arc_air_density(const ArcAir *air, double *density_kg_m3, ArcError *err);

/* Kinematic viscosity: Sutherland's formula over the density. ARC_INPUT as above; the temperature
 * counts even where the density is given. */
ArcStatus arc_air_viscosity(const ArcAir *air, double *viscosity_m2_s, ArcError *err);

#pragma GCC visibility pop

#endif
