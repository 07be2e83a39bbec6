/* The section `aim`: a release or a target, not both. */
#include "experiment/special.h"

#include <math.h>

ArcGoal arc_goal_default(void)
{
    return (ArcGoal){.kind = ARC_GOAL_NONE};
}

bool arc_goal_is_target(const ArcGoal *goal)
{
    return goal->kind == ARC_GOAL_POINT || goal->kind == ARC_GOAL_HOOP ||
           goal->kind == ARC_GOAL_AREA;
}

static const struct {
    const char *name, *unit;
} numbers[ARC_N_AIM_NUMBERS] = {
    [ARC_AIM_MISS] = {"miss", "m"},
    [ARC_AIM_SPEED] = {"speed", "m/s"},
    [ARC_AIM_ENTRY_ANGLE] = {"entry_angle", "rad"},
    [ARC_AIM_ENTRY_SPEED] = {"entry_speed", "m/s"},
    [ARC_AIM_TIME] = {"time", "s"},
    [ARC_AIM_HEIGHT] = {"height", "m"},
    [ARC_AIM_CLEARANCE] = {"clearance", "m"},
    [ARC_AIM_ENERGY] = {"energy", "J"},
    [ARC_AIM_PEAK_TORQUE] = {"peak_torque", "N m"},
};

const char *arc_aim_number_name(int number)
{
    return number >= 0 && number < ARC_N_AIM_NUMBERS ? numbers[number].name : NULL;
}

const char *arc_aim_number_unit(int number)
{
    return number >= 0 && number < ARC_N_AIM_NUMBERS ? numbers[number].unit : NULL;
}

ArcAimSettings arc_aim_settings_default(void)
{
    static const double angles_deg[] = {30.0, 45.0, 60.0, 75.0};
    ArcAimSettings aim = {.goal = arc_goal_default(), .n_angles = 4, .time_s = NAN, .n_front = 20};
    for (int i = 0; i < aim.n_angles; i++)
        aim.angles_rad[i] = angles_deg[i] * M_PI / 180.0;
    for (int i = 0; i < ARC_N_AIM_NUMBERS; i++) {
        aim.least[i] = -INFINITY;
        aim.most[i] = INFINITY;
    }
    return aim;
}

ArcStatus arc_special_aim(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcGoal *goal = &reader->experiment->aim.goal;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    goal->place = setting->node->key != NULL ? setting->node->key_place : setting->node->place;
    return special_section(reader, setting, setting->node, err);
}

ArcStatus arc_special_goal(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcGoal *goal = &reader->experiment->aim.goal;
    bool is_target = strcmp(arc_setting_name(setting->row), "target") == 0;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    if (goal->kind != ARC_GOAL_NONE)
        return arc_error_set_at(err, ARC_INPUT, setting->node->key_place,
                                "aim has a release already; aim at one thing: give release or "
                                "target");
    goal->kind = is_target ? ARC_GOAL_POINT : ARC_GOAL_RELEASE;
    return special_section(reader, setting, setting->node, err);
}
