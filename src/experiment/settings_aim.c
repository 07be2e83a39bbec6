/* The table of settings: what a throw is meant for. */
#include "experiment/settings_rows.h"

static const ArcSettingRow rows[] = {
    {"aim", ARC_SETTING_SPECIAL, NULL, "nothing", "what `arcfit aim` is to reach: one of", NO_FIELD,
     READ(arc_special_aim, "a mapping with release or target")},
    {"aim.release", ARC_SETTING_SPECIAL, NULL, "none", "a release that the arm is to give the ball",
     OF(aim.goal.kind), READ(arc_special_goal, "{position: [..], velocity: [..]}")},
    {"aim.release.position", ARC_SETTING_SPECIAL, NULL, "required", "of the ball",
     OF(aim.goal.position_m), ARC_LENGTH, -1e6, 1e6, NULL, arc_special_position,
     "a list of positions, one an axis"},
    {"aim.release.velocity", ARC_SETTING_SPECIAL, NULL, "required", "of the ball",
     OF(aim.goal.velocity_m_s), ARC_SPEED, -1e6, 1e6, NULL, arc_special_velocity,
     "a list of speeds, one an axis"},
    {"aim.target", ARC_SETTING_SPECIAL, NULL, "none", "what the arm's throw is to hit", NO_FIELD,
     READ(arc_special_goal, "{point: [..]}")},
    {"aim.target.point", ARC_SETTING_SPECIAL, NULL, "required", "that the flight passes",
     OF(aim.goal.point_m), ARC_LENGTH, -1e6, 1e6, NULL, arc_special_position,
     "a list of positions, one an axis"},
};

const ArcSettingPart arc_settings_aim = PART(rows);
