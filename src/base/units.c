/* The table of units and the reader of "number unit". */
#include "base/units.h"

#include "base/dimension.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ArcUnit units[] = {
    {"1", ARC_ONE, 1, 0},
    {"%", ARC_ONE, 0.01, 0},
    {"m", ARC_LENGTH, 1, 0},
    {"cm", ARC_LENGTH, 0.01, 0},
    {"mm", ARC_LENGTH, 1e-3, 0},
    {"um", ARC_LENGTH, 1e-6, 0},
    {"km", ARC_LENGTH, 1e3, 0},
    {"in", ARC_LENGTH, 0.0254, 0},
    {"inch", ARC_LENGTH, 0.0254, 0},
    {"ft", ARC_LENGTH, 0.3048, 0},
    {"yd", ARC_LENGTH, 0.9144, 0},
    {"kg", ARC_MASS, 1, 0},
    {"g", ARC_MASS, 1e-3, 0},
    {"lb", ARC_MASS, 0.45359237, 0},
    {"oz", ARC_MASS, 0.45359237 / 16, 0},
    {"s", ARC_TIME, 1, 0},
    {"ms", ARC_TIME, 1e-3, 0},
    {"us", ARC_TIME, 1e-6, 0},
    {"min", ARC_TIME, 60, 0},
    {"rad", ARC_ANGLE, 1, 0},
    {"deg", ARC_ANGLE, M_PI / 180, 0},
    {"rev", ARC_ANGLE, 2 * M_PI, 0},
    {"m/s", ARC_SPEED, 1, 0},
    {"cm/s", ARC_SPEED, 0.01, 0},
    {"km/h", ARC_SPEED, 1 / 3.6, 0},
    {"mph", ARC_SPEED, 0.44704, 0},
    {"ft/s", ARC_SPEED, 0.3048, 0},
    {"rad/s", ARC_ANGULAR_RATE, 1, 0},
    {"deg/s", ARC_ANGULAR_RATE, M_PI / 180, 0},
    {"Hz", ARC_ANGULAR_RATE, 2 * M_PI, 0},
    {"rps", ARC_ANGULAR_RATE, 2 * M_PI, 0},
    {"rpm", ARC_ANGULAR_RATE, M_PI / 30, 0},
    {"m/s^2", ARC_ACCELERATION, 1, 0},
    {"cm/s^2", ARC_ACCELERATION, 0.01, 0},
    {"mm/s^2", ARC_ACCELERATION, 1e-3, 0},
    {"ft/s^2", ARC_ACCELERATION, 0.3048, 0},
    {"K", ARC_TEMPERATURE, 1, 0},
    {"degC", ARC_TEMPERATURE, 1, 273.15},
    {"degF", ARC_TEMPERATURE, 5.0 / 9, 459.67 * 5 / 9},
    {"Pa", ARC_PRESSURE, 1, 0},
    {"hPa", ARC_PRESSURE, 100, 0},
    {"kPa", ARC_PRESSURE, 1e3, 0},
    {"mbar", ARC_PRESSURE, 100, 0},
    {"bar", ARC_PRESSURE, 1e5, 0},
    {"mmHg", ARC_PRESSURE, 133.322387415, 0},
    {"atm", ARC_PRESSURE, 101325, 0},
    {"kg/m^3", ARC_DENSITY, 1, 0},
    {"g/cm^3", ARC_DENSITY, 1e3, 0},
    {"m^2", ARC_AREA, 1, 0},
    {"cm^2", ARC_AREA, 1e-4, 0},
    {"1/m", ARC_PER_LENGTH, 1, 0},
    {"1/cm", ARC_PER_LENGTH, 100, 0},
    {"1/ft", ARC_PER_LENGTH, 1 / 0.3048, 0},
    {"s/rad", ARC_PER_ANGULAR_RATE, 1, 0},
    {"1/Hz", ARC_PER_ANGULAR_RATE, 0.5 / M_PI, 0},
    {"1/rpm", ARC_PER_ANGULAR_RATE, 30 / M_PI, 0},
    {"1/krpm", ARC_PER_ANGULAR_RATE, 0.03 / M_PI, 0},
    {"1/s", ARC_FREQUENCY, 1, 0},
    {"Hz", ARC_FREQUENCY, 1, 0},
    {"kHz", ARC_FREQUENCY, 1e3, 0},
    {"fps", ARC_FREQUENCY, 1, 0},
    {"px", ARC_PIXELS, 1, 0},
    {"kg m^2", ARC_INERTIA, 1, 0},
    {"kg cm^2", ARC_INERTIA, 1e-4, 0},
    {"g cm^2", ARC_INERTIA, 1e-7, 0},
    {"N m", ARC_TORQUE, 1, 0},
    {"Nm", ARC_TORQUE, 1, 0},
    {"N cm", ARC_TORQUE, 0.01, 0},
    {"lbf ft", ARC_TORQUE, 4.4482216152605 * 0.3048, 0},
    {"N m s", ARC_DAMPING, 1, 0},
    {"Nms", ARC_DAMPING, 1, 0},
    {"J", ARC_ENERGY, 1, 0},
    {"mJ", ARC_ENERGY, 1e-3, 0},
    {"kJ", ARC_ENERGY, 1e3, 0},
    {"N/m", ARC_STIFFNESS, 1, 0},
    {"kN/m", ARC_STIFFNESS, 1e3, 0},
    {"N/cm", ARC_STIFFNESS, 100, 0},
    {"N/mm", ARC_STIFFNESS, 1e3, 0},
};

enum { N_UNITS = sizeof units / sizeof units[0], UNIT_TEXT = 32 };

static const struct {
    const char *text, *unit;
} quantities[] = {
#define ARC_X(name, text, unit) {text, unit},
    ARC_QUANTITY_LIST(ARC_X)
#undef ARC_X
};

const ArcUnit *arc_unit_at(int i)
{
    return i < N_UNITS ? &units[i] : NULL;
}

const char *arc_quantity_text(ArcQuantity quantity)
{
    return quantities[quantity].text;
}

const char *arc_quantity_unit(ArcQuantity quantity)
{
    return quantities[quantity].unit;
}

bool arc_quantity_find(const char *si_unit, ArcQuantity *quantity)
{
    for (int i = 0; i < ARC_N_QUANTITIES; i++) {
        if (strcmp(quantities[i].unit, si_unit) == 0) {
            *quantity = (ArcQuantity)i;
            return true;
        }
    }
    return false;
}

/* One spelling for m/s2, m/s^2 and m/s², um and µm, degC and °C: no '^', ASCII only. */
static bool unit_normalise(const char *text, char out[UNIT_TEXT])
{
    static const struct {
        const char *from, *to;
    } spellings[] = {{"^", ""},         {"\xc2\xb2", "2"}, {"\xc2\xb3", "3"},
                     {"\xc2\xb5", "u"}, {"\xce\xbc", "u"}, {"\xc2\xb0", "deg"}};
    size_t n = 0;
    while (*text != '\0') {
        char self[2] = {*text, '\0'};
        const char *to = self;
        size_t taken = 1;
        for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
            size_t length = strlen(spellings[i].from);
            if (strncmp(text, spellings[i].from, length) == 0) {
                to = spellings[i].to;
                taken = length;
            }
        }
        if (n + strlen(to) >= UNIT_TEXT)
            return false;
        for (; *to != '\0'; to++)
            out[n++] = *to;
        text += taken;
    }
    out[n] = '\0';
    return true;
}

/* The unit of that name, of the quantity if there is one such. */
static const ArcUnit *unit_find(const char *name, ArcQuantity quantity)
{
    const ArcUnit *found = NULL;
    char wanted[UNIT_TEXT], have[UNIT_TEXT];
    if (!unit_normalise(name, wanted))
        return NULL;
    for (int i = 0; i < N_UNITS; i++) {
        if (unit_normalise(units[i].name, have) && strcmp(wanted, have) == 0 &&
            (found == NULL || units[i].quantity == quantity))
            found = &units[i];
    }
    return found;
}

/* Refuses name with the units of quantity that would do. */
static ArcStatus unit_refuse(const char *name, ArcQuantity quantity, ArcPlace place, ArcError *err)
{
    const char *names[N_UNITS];
    char list[256] = "";
    int n = 0;
    size_t used = 0;
    for (int i = 0; i < N_UNITS; i++) {
        if (units[i].quantity != quantity)
            continue;
        names[n++] = units[i].name;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used == 0 ? "" : ", ",
                                 units[i].name);
    }
    const ArcUnit *other = unit_find(name, quantity);
    if (other != NULL)
        return arc_error_set_at(
            err, ARC_INPUT, place, "'%s' is the unit of %s, but %s is wanted (%s)", name,
            arc_quantity_text(other->quantity), arc_quantity_text(quantity), list);
    const char *nearest = arc_text_nearest(name, n, names);
    if (nearest != NULL)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "unknown unit '%s'; did you mean '%s'? units of %s: %s", name,
                                nearest, arc_quantity_text(quantity), list);
    return arc_error_set_at(err, ARC_INPUT, place, "unknown unit '%.100s'; units of %s: %s", name,
                            arc_quantity_text(quantity), list);
}

ArcStatus arc_unit_slope(const char *unit, ArcQuantity quantity, ArcPlace place, double *slope,
                         ArcError *err)
{
    const ArcUnit *found = unit_find(unit, quantity);
    if (found == NULL || found->quantity != quantity)
        return unit_refuse(unit, quantity, place, err);
    *slope = found->slope;
    return ARC_OK;
}

/* The number in front, and the name of its unit. */
static ArcStatus number_read(const char *text, const char *wanted, const char *si_unit,
                             ArcPlace place, double *number, const char **name, ArcError *err)
{
    size_t n = arc_number_read_prefix(text, strlen(text), number);
    if (n == 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "'%.100s' is not a number; %s is wanted, in %s or with a unit",
                                text, wanted, si_unit);
    if (text[n] == ',')
        return arc_error_set_at(err, ARC_INPUT, place,
                                "'%.100s' is not a number; the decimal mark is a point", text);
    *name = text + n + strspn(text + n, " \t");
    return ARC_OK;
}

ArcStatus arc_unit_read(const char *text, ArcQuantity quantity, bool is_difference, ArcPlace place,
                        double *value, ArcError *err)
{
    double number;
    const char *name = "";
    ArcStatus status = number_read(text, arc_quantity_text(quantity), arc_quantity_unit(quantity),
                                   place, &number, &name, err);
    if (status != ARC_OK)
        return status;
    ArcUnit unit = {"", quantity, 1, 0};
    if (*name != '\0') {
        const ArcUnit *found = unit_find(name, quantity);
        if (found == NULL || found->quantity != quantity)
            return unit_refuse(name, quantity, place, err);
        unit = *found;
    }
    double result = unit.slope * number + (is_difference ? 0 : unit.offset);
    if (!isfinite(result))
        return arc_error_set_at(err, ARC_INPUT, place, "'%.100s' is too large for a number", text);
    *value = result;
    return ARC_OK;
}

/* "N m/rad" of a value in it, by a name that is a product of the same dimension. */
static ArcStatus product_slope(const char *name, const char *unit, ArcPlace place, double *slope,
                               ArcError *err)
{
    ArcDimension wanted, given;
    const char *wrong = "";
    int length = 0;
    if (!arc_dimension_read(unit, &wanted, NULL, NULL))
        return arc_error_set_at(err, ARC_INPUT, place, "the unit '%.60s' is not known", unit);
    if (!arc_dimension_read(name, &given, &wrong, &length) && length < (int)strlen(name))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "unknown unit '%.60s', because of '%.*s'; give one as %s has it, "
                                "or none",
                                name, length, wrong, unit);
    if (!arc_dimension_read(name, &given, NULL, NULL))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "unknown unit '%.60s'; give one as %s has it, or none", name, unit);
    if (!arc_dimension_is_alike(&wanted, &given))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "'%.60s' is the unit of something else; %s, or a unit of the same "
                                "dimension, is wanted",
                                name, unit);
    *slope = given.slope / wanted.slope;
    return ARC_OK;
}

ArcStatus arc_unit_read_as(const char *text, const char *unit, bool is_difference, ArcPlace place,
                           double *value, ArcError *err)
{
    ArcQuantity quantity = ARC_ONE;
    bool is_listed = arc_quantity_find(unit, &quantity);
    double number, slope = 1.0;
    const char *name = "";
    ArcStatus status = number_read(text, is_listed ? arc_quantity_text(quantity) : "a number", unit,
                                   place, &number, &name, err);
    if (status != ARC_OK)
        return status;
    const ArcUnit *listed = is_listed && *name != '\0' ? unit_find(name, quantity) : NULL;
    if (is_listed && (*name == '\0' || (listed != NULL && listed->quantity == quantity)))
        return arc_unit_read(text, quantity, is_difference, place, value, err);
    if (*name != '\0')
        status = product_slope(name, unit, place, &slope, err);
    if (status != ARC_OK)
        return is_listed ? unit_refuse(name, quantity, place, err) : status;
    if (!isfinite(slope * number))
        return arc_error_set_at(err, ARC_INPUT, place, "'%.100s' is too large for a number", text);
    *value = slope * number;
    return ARC_OK;
}

ArcStatus arc_unit_check(const char *unit, const char *what, ArcPlace place, ArcError *err)
{
    ArcDimension dimension;
    const char *wrong = unit;
    int length = 0;
    if (arc_dimension_read(unit, &dimension, &wrong, &length))
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, place,
                            "the unit '%.60s' of %s is not known, because of '%.*s'; write "
                            "products of units as N m/rad or 1/(kg m), and 1 where there is none "
                            "(`arcfit help units` lists them)",
                            unit, what, length, wrong);
}
