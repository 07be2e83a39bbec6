/* Units: a closed table, each unit of one quantity but Hz. Everything inside arcfit is SI.
 *
 * value_si = slope * value + offset. A difference or standard deviation takes the slope alone, so
 * that an sd of 1 degC is 1 K. Hz, rpm and rps of angular rates are revolutions: 3 Hz = 6 pi rad/s;
 * where a number per second is wanted (frames) Hz is 1/s. Angle is a
 * quantity of its own. Sources: SI brochure (BIPM 2019); NIST SP 811 for feet, pounds, mmHg, atm.
 */
#ifndef ARC_BASE_UNITS_H
#define ARC_BASE_UNITS_H

#include "arcfit/error.h"

#include <stdbool.h>

/* One row per quantity: enumerator, name with article, SI unit. */
#define ARC_QUANTITY_LIST(X)                                                                       \
    X(ARC_ONE, "a plain number", "1")                                                              \
    X(ARC_LENGTH, "a length", "m")                                                                 \
    X(ARC_MASS, "a mass", "kg")                                                                    \
    X(ARC_TIME, "a time", "s")                                                                     \
    X(ARC_ANGLE, "an angle", "rad")                                                                \
    X(ARC_SPEED, "a speed", "m/s")                                                                 \
    X(ARC_ANGULAR_RATE, "an angular rate", "rad/s")                                                \
    X(ARC_ACCELERATION, "an acceleration", "m/s^2")                                                \
    X(ARC_TEMPERATURE, "a temperature", "K")                                                       \
    X(ARC_PRESSURE, "a pressure", "Pa")                                                            \
    X(ARC_DENSITY, "a density", "kg/m^3")                                                          \
    X(ARC_AREA, "an area", "m^2")                                                                  \
    X(ARC_PER_LENGTH, "an inverse length", "1/m")                                                  \
    X(ARC_PER_ANGULAR_RATE, "an inverse angular rate", "s/rad")                                    \
    X(ARC_FREQUENCY, "a number per second", "1/s")                                                 \
    X(ARC_PIXELS, "a number of pixels", "px")                                                      \
    X(ARC_INERTIA, "a moment of inertia", "kg m^2")                                                \
    X(ARC_TORQUE, "a torque", "N m")                                                               \
    X(ARC_DAMPING, "a friction by the rate", "N m s")                                              \
    X(ARC_ENERGY, "an energy", "J")                                                                \
    X(ARC_STIFFNESS, "a stiffness", "N/m")

typedef enum ArcQuantity {
#define ARC_X(name, text, unit) name,
    ARC_QUANTITY_LIST(ARC_X)
#undef ARC_X
        ARC_N_QUANTITIES
} ArcQuantity;

/* A row of the table of units. */
typedef struct ArcUnit {
    const char *name;
    ArcQuantity quantity;
    double slope, offset;
} ArcUnit;

/* The table's rows in order, from 0; NULL behind the last. */
const ArcUnit *arc_unit_at(int i);

/* "a length". */
const char *arc_quantity_text(ArcQuantity quantity);

/* The SI unit: "m". */
const char *arc_quantity_unit(ArcQuantity quantity);

/* The quantity that has this SI unit; false where there is none. */
bool arc_quantity_find(const char *si_unit, ArcQuantity *quantity);

/* Reads "number" (SI) or "number unit" as quantity into SI. is_difference: without the unit's
 * offset. ARC_INPUT at place: no number, not finite, unknown unit (with those that would do), a
 * unit of another quantity. */
ArcStatus arc_unit_read(const char *text, ArcQuantity quantity, bool is_difference, ArcPlace place,
                        double *value, ArcError *err);

/* The same for a number whose unit is any product of units (dimension.h), as own equations have
 * them: "3" or "3 UNIT", where UNIT is of the same dimension, into that unit. */
ArcStatus arc_unit_read_as(const char *text, const char *unit, bool is_difference, ArcPlace place,
                           double *value, ArcError *err);

/* ARC_INPUT at place where a unit is no such product, naming the part that is not known. what says
 * whose unit it is, for the message ("parameter 'k'"). */
ArcStatus arc_unit_check(const char *unit, const char *what, ArcPlace place, ArcError *err);

/* The slope of a unit given by itself ("ms"). ARC_INPUT at place as above. */
ArcStatus arc_unit_slope(const char *unit, ArcQuantity quantity, ArcPlace place, double *slope,
                         ArcError *err);

#endif
