/* The section `aim`: a release or a target, not both. */
#include "experiment/special.h"

ArcGoal arc_goal_default(void)
{
    return (ArcGoal){.kind = ARC_GOAL_NONE};
}

ArcStatus arc_special_aim(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcGoal *goal = &reader->experiment->goal;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    goal->place = setting->node->key != NULL ? setting->node->key_place : setting->node->place;
    return special_section(reader, setting, setting->node, err);
}

ArcStatus arc_special_goal(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcGoal *goal = &reader->experiment->goal;
    bool is_target = strcmp(arc_setting_name(setting->row), "target") == 0;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    if (goal->kind != ARC_GOAL_NONE)
        return arc_error_set_at(err, ARC_INPUT, setting->node->key_place,
                                "aim has a release already; aim at one thing: give release or "
                                "target");
    goal->kind = is_target ? ARC_GOAL_TARGET : ARC_GOAL_RELEASE;
    return special_section(reader, setting, setting->node, err);
}
