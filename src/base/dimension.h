/* Units as products of powers: "N m/rad", "1/(kg m)", "m/s^2", "kg*m^2", "J/K".
 *
 * A product is slope * kg^a m^b s^c ..., by the SI brochure (BIPM 2019); two are alike where all
 * powers are. Angle is a dimension of its own (as in units.h), and so are pixels. Factors are those
 * of the table of units that have no offset and one meaning (not degC, not Hz), and the derived
 * units here. Behind a slash stands one factor, or several between parentheses, since "1/m s" can
 * be read in two ways.
 */
#ifndef ARC_BASE_DIMENSION_H
#define ARC_BASE_DIMENSION_H

#include <stdbool.h>
#include <stddef.h>

enum { ARC_N_DIMENSIONS = 8 }; /* m kg s rad K A mol px */

typedef struct ArcDimension {
    double slope; /* SI value of 1 */
    int power[ARC_N_DIMENSIONS];
} ArcDimension;

/* False where text is no such product, with *wrong (nullable) at the factor that is not known or
 * the sign that cannot be there, *length bytes long. */
bool arc_dimension_read(const char *text, ArcDimension *dimension, const char **wrong, int *length);

/* The factors that only this file knows, from 0; NULL behind the last. Those of the table of units
 * come in addition. */
const char *arc_dimension_factor(int i);

bool arc_dimension_is_alike(const ArcDimension *a, const ArcDimension *b);

/* As headers of columns and names of fields have units: "N m" n_m, "m/s^2" m_s2, "kg m^2" kg_m2,
 * "1/s" per_s, "1" nothing. Returns suffix; cut where it is too long for size. */
const char *arc_dimension_suffix(const char *unit, char *suffix, size_t size);

/* The slope of the unit, alike with dimension, that a header has as that suffix; NaN: there is
 * none. *is_unit (nullable) is then whether a unit of the table of units has it: letters as those
 * of C, F, l or d may mean anything. */
double arc_dimension_of_suffix(const char *suffix, const ArcDimension *dimension, bool *is_unit);

#endif
