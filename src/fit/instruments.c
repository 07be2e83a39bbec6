/* What ordinary instruments measure, by a parameter's name or else its unit: the sd is the larger
 * of an absolute part and a share of the value. */
#include "arcfit/identifiability.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct Instrument {
    const char *name; /* how the parameter's begins; NULL: any */
    const char *unit;
    double sd, share;
    const char *text;
} Instrument;

static const Instrument instruments[] = {
    {"t0", "s", 1e-3, 0.0, "a switch in the gripper, or frames of 500 Hz"},
    {NULL, "s", 0.0, 0.01, "a bench test, to 1 %"},
    {NULL, "m", 1e-3, 0.0, "a steel rule or the drawing, to 1 mm"},
    {NULL, "rad", 0.1 * M_PI / 180.0, 0.0, "a joint's encoder or a digital level, to 0.1 deg"},
    {NULL, "rad/s", 0.5 * M_PI / 180.0, 0.01,
     "an encoder's rate, a gyroscope or marks on what turns, to 1 % or 0.5 deg/s"},
    {NULL, "m/s", 0.01, 0.01, "light gates or a radar, to 1 % or 1 cm/s"},
    {NULL, "1", 1e-3, 0.01, "a test by itself, to 1 % or 0.001"},
    {NULL, "1/m", 0.0, 0.01, "a test by itself, to 1 %"},
    {NULL, "kg", 1e-3, 1e-3, "scales, to 1 g or 0.1 %"},
    {NULL, "kg m^2", 0.0, 0.01, "the link swung as a pendulum, to 1 %"},
    {NULL, "N m", 1e-2, 0.01, "a force gauge at a lever, to 1 % or 0.01 N m"},
    {NULL, "N m s", 0.0, 0.05, "the joint's coasting, to 5 %"},
};

double arc_instrument_sd(const char *name, const char *unit, double value, const char **instrument)
{
    for (size_t i = 0; i < sizeof instruments / sizeof *instruments; i++) {
        const Instrument *row = &instruments[i];
        double sd = fmax(row->sd, row->share * fabs(value));
        if ((row->name != NULL && strcmp(row->name, name) != 0) || strcmp(row->unit, unit) != 0 ||
            !(sd > 0.0))
            continue;
        if (instrument != NULL)
            *instrument = row->text;
        return sd;
    }
    return NAN;
}
