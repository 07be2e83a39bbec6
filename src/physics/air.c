/* Density of moist air by the CIPM-2007 equation:
 *
 *   rho = p Ma / (Z R T) (1 - xv (1 - Mv / Ma)),   xv = h f(p, t) psv(T) / p
 *
 * with mole fraction of water vapour xv, saturation pressure psv, enhancement factor f and
 * compressibility Z; t in degC, T in K. Air of 400 ppm carbon dioxide.
 * Source: Picard, Davis, Glaeser and Fujii, Metrologia 45 (2008) 149.
 *
 * Viscosity by Sutherland's formula, dry air: 1.458e-6 T^1.5 / (T + 110.4) Pa s.
 * Source: U.S. Standard Atmosphere 1976, eq. 51.
 */
#include "arcfit/flight.h"

#include <math.h>

static const double zero_celsius_k = 273.15;
static const double gas_constant_j_mol_k = 8.314472; /* CODATA 2006, as in the paper */
static const double molar_mass_dry_kg_mol = 28.96546e-3;
static const double molar_mass_water_kg_mol = 18.01528e-3;

static double air_saturation_pressure_pa(double T)
{
    return exp(1.2378847e-5 * T * T - 1.9121316e-2 * T + 33.93711047 - 6.3431645e3 / T);
}

static double air_compressibility(double p, double t, double T, double xv)
{
    double first = 1.58123e-6 - 2.9331e-8 * t + 1.1043e-10 * t * t +
                   (5.707e-6 - 2.051e-8 * t) * xv + (1.9898e-4 - 2.376e-6 * t) * xv * xv;
    double second = 1.83e-11 - 0.765e-8 * xv * xv;
    double ratio = p / T;
    return 1 - ratio * first + ratio * ratio * second;
}

static ArcStatus air_check_temperature(const ArcAir *air, ArcError *err)
{
    double t = air->temperature_k - zero_celsius_k;
    if (t >= -40 && t <= 60)
        return ARC_OK;
    return arc_error_set(err, ARC_INPUT,
                         "air temperature %g K is outside 233.15 to 333.15 K (-40 to 60 degC); "
                         "give it in K or with a unit",
                         air->temperature_k);
}

static ArcStatus air_check(const ArcAir *air, ArcError *err)
{
    ArcStatus status = air_check_temperature(air, err);
    if (status != ARC_OK)
        return status;
    if (!(air->pressure_pa >= 30000 && air->pressure_pa <= 110000))
        return arc_error_set(err, ARC_INPUT,
                             "air pressure %g Pa is outside 30000 to 110000 Pa; give the pressure "
                             "measured at the place, not reduced to sea level",
                             air->pressure_pa);
    if (!(air->humidity >= 0 && air->humidity <= 1))
        return arc_error_set(
            err, ARC_INPUT, "air humidity %g is outside 0 to 1; give 0.5 for 50 %%", air->humidity);
    return ARC_OK;
}

ArcStatus arc_air_density(const ArcAir *air, double *density_kg_m3, ArcError *err)
{
    /* 0 stands for "not given"; what is neither that nor a density of a fluid is a slip. */
    if (!(air->density_kg_m3 >= 0 && air->density_kg_m3 <= 2000))
        return arc_error_set(err, ARC_INPUT, "air density %g kg/m^3 is outside 0 to 2000 kg/m^3",
                             air->density_kg_m3);
    if (air->density_kg_m3 > 0) {
        *density_kg_m3 = air->density_kg_m3;
        return ARC_OK;
    }
    ArcStatus status = air_check(air, err);
    if (status != ARC_OK)
        return status;
    double T = air->temperature_k, t = T - zero_celsius_k, p = air->pressure_pa;
    double enhancement = 1.00062 + 3.14e-8 * p + 5.6e-7 * t * t;
    double xv = air->humidity * enhancement * air_saturation_pressure_pa(T) / p;
    double Z = air_compressibility(p, t, T, xv);
    *density_kg_m3 = p * molar_mass_dry_kg_mol / (Z * gas_constant_j_mol_k * T) *
                     (1 - xv * (1 - molar_mass_water_kg_mol / molar_mass_dry_kg_mol));
    return ARC_OK;
}

ArcStatus arc_air_viscosity(const ArcAir *air, double *viscosity_m2_s, ArcError *err)
{
    double density, T = air->temperature_k;
    ArcStatus status = arc_air_density(air, &density, err);
    if (status == ARC_OK)
        status = air_check_temperature(air, err);
    if (status == ARC_OK)
        *viscosity_m2_s = 1.458e-6 * T * sqrt(T) / (T + 110.4) / density;
    return status;
}
