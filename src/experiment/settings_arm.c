/* The table of settings: the arm that throws. */
#include "experiment/settings_rows.h"

static const ArcSettingRow rows[] = {
    {"x", ARC_SETTING_FLAG, "false", NULL, "x", NO_FIELD, PLAIN},
};

const ArcSettingPart arc_settings_arm = PART(rows);
