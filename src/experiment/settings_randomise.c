/* The table of settings: what is not quite known. */
#include "experiment/settings_rows.h"

static const ArcSettingRow rows[] = {
    {"randomise", ARC_SETTING_SPECIAL, NULL, "none",
     "what is taken for known and is not quite: fixed parameters, and mass, diameter, density, "
     "temperature, pressure, humidity, gravity, wind_x, wind_y, wind_z. simulate draws it, and a "
     "fit is repeated over draws, whose scatter its intervals then have",
     NO_FIELD, READ(arc_special_randomise, "none, or a mapping by name", "none|NAMES")},
    {"randomise.NAME", ARC_SETTING_SPECIAL, NULL, "none", "its distribution", NO_FIELD,
     READ(NULL, "[low, high], or {mean: number, sd: number}", "[ANY 2]|KEYS")},
    {"randomise.NAME.mean", ARC_SETTING_PARAMETER, NULL, "required", "of a normal distribution",
     FIELD(ArcRandomQuantity, mean), READ(arc_parameter_read, "a number", "ANY")},
    {"randomise.NAME.sd", ARC_SETTING_PARAMETER, NULL, "required", "its standard deviation",
     FIELD(ArcRandomQuantity, sd), READ(arc_parameter_read_sd, "a number above 0", "POSITIVE")},
    {"randomise.draws", ARC_SETTING_WHOLE, "32", NULL, "fits that are made; two by two",
     OF(randomise.draws), RANGE(ARC_ONE, 4, 100000)},
};

const ArcSettingPart arc_settings_randomise = PART(rows);
