/* What was measured of an arm: its settings. */
#include "arcfit/swing.h"

#include <math.h>

ArcSwingSettings arc_swing_settings_default(void)
{
    return (ArcSwingSettings){.sigma_m = NAN,
                              .sigma_rad = NAN,
                              .sigma_rad_s = NAN,
                              .window_s = {-INFINITY, INFINITY},
                              .readings_sigma_rad = NAN,
                              .readings_sigma_rad_s = NAN,
                              .readings_sigma_s = NAN,
                              .readings_sigma_share = NAN};
}
