/* What `aim` aims at: a release or a target, not both; of targets one of point, hoop and area. What
 * of it counts is in special_aim.c. */
#include "base/number.h"
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

/* Of a basketball. Stiffness: the air in a ball of radius r and overpressure q alone pushes a plate
 * with 2 pi r q for each metre of dent, with 55 kPa (8 psi) 41 kN/m; a touch then lasts 12 ms.
 * Restitution, an assumption: a ball whose bottom drops 1.8 m and whose top comes up to 1.2 to 1.4
 * m, as reports of the game's rules have it, has 0.73 to 0.80; rims and boards that give way leave
 * less. Wire: rod of 16 to 20 mm, by the same reports. The width is a quarter of the dent of a
 * touch at 1 m/s. */
static const ArcAimContact contact_default = {
    .stiffness_n_m = 4e4, .restitution = 0.75, .width_m = 1e-3, .wire_m = 9e-3};

ArcAimSettings arc_aim_settings_default(void)
{
    static const double angles_deg[] = {30.0, 45.0, 60.0, 75.0};
    ArcAimSettings aim = {.goal = arc_goal_default(),
                          .n_angles = 4,
                          .time_s = NAN,
                          .n_front = 20,
                          .contact = contact_default};
    for (int j = 0; j < ARC_ARM_MAX_JOINTS; j++)
        aim.swing.from_rad[j] = NAN;
    for (int i = 0; i < aim.n_angles; i++)
        aim.angles_rad[i] = angles_deg[i] * M_PI / 180.0;
    for (int i = 0; i < ARC_N_AIM_NUMBERS; i++) {
        aim.least[i] = -INFINITY;
        aim.most[i] = INFINITY;
    }
    return aim;
}

static ArcStatus read_target(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    static const struct {
        const char *key;
        ArcGoalKind kind;
    } kinds[] = {{"point", ARC_GOAL_POINT}, {"hoop", ARC_GOAL_HOOP}, {"area", ARC_GOAL_AREA}};
    const ArcYamlNode *node = setting->node;
    ArcStatus status = special_section(reader, setting, node, err);
    if (status != ARC_OK)
        return status;
    if (node->n_children != 1)
        return arc_error_set_at(err, ARC_INPUT,
                                node->n_children == 0 ? node->key_place : node->last->key_place,
                                "%s has %d keys; aim at one thing: give one of point, hoop and "
                                "area",
                                setting->path, node->n_children);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(node->first->key, kinds[i].key) == 0)
            reader->experiment->aim.goal.kind = kinds[i].kind;
    return ARC_OK;
}

ArcStatus arc_special_goal(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcGoal *goal = &reader->experiment->aim.goal;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    if (goal->kind != ARC_GOAL_NONE)
        return arc_error_set_at(err, ARC_INPUT, setting->node->key_place,
                                "aim has a release already; aim at one thing: give release or "
                                "target");
    if (strcmp(arc_setting_name(setting->row), "target") == 0)
        return read_target(reader, setting, err);
    goal->kind = ARC_GOAL_RELEASE;
    return special_section(reader, setting, setting->node, err);
}

/* The radius must let the ball through, and the board leave the hoop whole. */
static ArcStatus check_hoop(const ArcExperiment *experiment, const ArcSetting *setting,
                            ArcError *err)
{
    const ArcGoal *goal = &experiment->aim.goal;
    const ArcFlightSettings *flight = &experiment->flight_settings;
    char own[ARC_NUMBER_TEXT], other[ARC_NUMBER_TEXT];
    if (flight->has_ball && 2.0 * goal->radius_m <= flight->ball.diameter_m)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(setting->node, "radius"),
                                "a hoop of %s m across lets no ball of %s m through; radius is "
                                "half the diameter",
                                arc_number_write_digits(own, 2.0 * goal->radius_m, 6),
                                arc_number_write_digits(other, flight->ball.diameter_m, 6));
    const ArcPlane *board = &goal->backboard;
    if (goal->has_backboard && fabs(board->level_m - goal->point_m[board->axis]) < goal->radius_m)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(setting->node, "backboard"),
                                "the backboard at %c = %s m cuts the hoop; its face is outside the "
                                "rim",
                                "xyz"[board->axis],
                                arc_number_write_digits(own, board->level_m, 6));
    return ARC_OK;
}

ArcStatus arc_special_hoop(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    ArcStatus status = special_section(reader, setting, setting->node, err);
    return status == ARC_OK ? check_hoop(reader->experiment, setting, err) : status;
}

ArcStatus arc_special_backboard(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcGoal *goal = &reader->experiment->aim.goal;
    ArcStatus status = arc_special_plane(reader, setting, err);
    if (status != ARC_OK)
        return status;
    if (goal->backboard.axis == reader->experiment->flight_settings.up)
        return arc_error_set_at(err, ARC_INPUT, setting->node->place,
                                "%s stands across %c, which is up; a backboard stands upright",
                                setting->path, "xyz"[goal->backboard.axis]);
    goal->has_backboard = true;
    return ARC_OK;
}

ArcStatus arc_special_area_plane(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcPlane plane;
    ArcSettingRow row = *setting->row;
    row.offset = 0;
    const ArcSetting own = {&row, setting->path, setting->node, &plane};
    ArcStatus status = arc_special_plane(reader, &own, err);
    if (status != ARC_OK)
        return status;
    reader->experiment->aim.goal.axis = plane.axis;
    return ARC_OK;
}

ArcStatus arc_special_area_size(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcGoal *goal = &reader->experiment->aim.goal;
    const ArcYamlNode *node = setting->node;
    bool is_list = node->kind == ARC_YAML_SEQUENCE;
    int along = reader->experiment->flight_settings.dimensions - 1;
    if (is_list && node->n_children != along && node->n_children != 1)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s has %d entries; wanted: one length, or %d, one for each axis "
                                "in the plane",
                                setting->path, node->n_children, along);
    const ArcYamlNode *item = is_list ? node->first : node;
    for (int c = 0; c <= along; c++) {
        double size;
        goal->half_m[c] = 0.0;
        if (c == goal->axis)
            continue;
        ArcStatus status = arc_reader_number(setting->row, setting->path, item, &size, err);
        if (status != ARC_OK)
            return status;
        goal->half_m[c] = 0.5 * size;
        item = item->next != NULL && is_list ? item->next : item;
    }
    return ARC_OK;
}

ArcStatus arc_special_area(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcGoal *goal = &reader->experiment->aim.goal;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    ArcStatus status = special_section(reader, setting, node, err);
    if (status != ARC_OK)
        return status;
    ArcPlane plane;
    ArcSettingRow row = *arc_setting_find("aim.target.area.plane");
    row.offset = 0;
    const ArcSetting own = {&row, row.path, arc_yaml_find(node, "plane"), &plane};
    status = arc_special_plane(reader, &own, err);
    if (status != ARC_OK || fabs(goal->point_m[plane.axis] - plane.level_m) <= 1e-9)
        return status;
    char level[ARC_NUMBER_TEXT], centre[ARC_NUMBER_TEXT];
    return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "centre"),
                            "the centre's %c is %s m, but the plane stands at %c = %s m; give them "
                            "alike",
                            "xyz"[plane.axis],
                            arc_number_write_digits(centre, goal->point_m[plane.axis], 9),
                            "xyz"[plane.axis], arc_number_write_digits(level, plane.level_m, 9));
}
