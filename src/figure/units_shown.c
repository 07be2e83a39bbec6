/* Units that numbers are shown in, by the SI unit that they have.
 *
 * Slopes are shown units a SI unit: the foot is 0.3048 m and the pound 0.45359237 kg exactly (NIST
 * SP 811).
 */
#include "arcfit/figure.h"

#include <math.h>
#include <string.h>

typedef struct ShownRow {
    ArcUnits units;
    const char *si_unit;
    ArcShownUnit shown;
} ShownRow;

#define PER_FOOT (1.0 / 0.3048)

static const ShownRow rows[] = {
    {ARC_UNITS_METRIC, "rad", {"deg", 180.0 / M_PI, 0.0}},
    {ARC_UNITS_METRIC, "rad/s", {"rev/s", 0.5 / M_PI, 0.0}},
    {ARC_UNITS_METRIC, "s/rad", {"s/rev", 2.0 * M_PI, 0.0}},
    {ARC_UNITS_METRIC, "K", {"degC", 1.0, -273.15}},
    {ARC_UNITS_METRIC, "Pa", {"hPa", 0.01, 0.0}},
    {ARC_UNITS_IMPERIAL, "m", {"ft", PER_FOOT, 0.0}},
    {ARC_UNITS_IMPERIAL, "m/s", {"mph", 3600.0 / 1609.344, 0.0}},
    {ARC_UNITS_IMPERIAL, "m/s^2", {"ft/s^2", PER_FOOT, 0.0}},
    {ARC_UNITS_IMPERIAL, "1/m", {"1/ft", 0.3048, 0.0}},
    {ARC_UNITS_IMPERIAL, "m^2", {"ft^2", PER_FOOT *PER_FOOT, 0.0}},
    {ARC_UNITS_IMPERIAL, "rad", {"deg", 180.0 / M_PI, 0.0}},
    {ARC_UNITS_IMPERIAL, "rad/s", {"rpm", 30.0 / M_PI, 0.0}},
    {ARC_UNITS_IMPERIAL, "s/rad", {"min/rev", M_PI / 30.0, 0.0}},
    {ARC_UNITS_IMPERIAL, "kg", {"lb", 1.0 / 0.45359237, 0.0}},
    {ARC_UNITS_IMPERIAL, "kg/m^3", {"lb/ft^3", 0.3048 * 0.3048 * 0.3048 / 0.45359237, 0.0}},
    {ARC_UNITS_IMPERIAL, "K", {"degF", 1.8, -459.67}},
    {ARC_UNITS_IMPERIAL, "Pa", {"inHg", 1.0 / 3386.389, 0.0}},
    {ARC_UNITS_IMPERIAL, "N m", {"lbf ft", 1.0 / 1.3558179483314004, 0.0}},
    {ARC_UNITS_IMPERIAL, "J", {"ft lbf", 1.0 / 1.3558179483314004, 0.0}},
};

const char *arc_units_name(int index)
{
    static const char *const names[] = {"si", "metric", "imperial"};
    return index >= 0 && index < 3 ? names[index] : NULL;
}

ArcShownUnit arc_units_shown(ArcUnits units, const char *si_unit)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].units == units && strcmp(rows[i].si_unit, si_unit) == 0)
            return rows[i].shown;
    }
    return (ArcShownUnit){si_unit, 1.0, 0.0};
}
