/* Planes, points and rims: what the ball bounces on, and what derived numbers are asked about. */
#include "base/text.h"
#include "experiment/special.h"

enum { LONGEST_NAME = 20 };

/* axis=level, as y=0.12 m. */
ArcStatus arc_special_plane(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    static const char axes[] = "xyz";
    int dimensions = reader->experiment->flight_settings.dimensions;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SCALAR || arc_yaml_is_null(node))
        return special_refuse(setting, NULL, err);
    const char *axis = node->text[0] == '\0' ? NULL : strchr(axes, node->text[0]);
    const char *level = axis == NULL ? NULL : node->text + 1 + strspn(node->text + 1, " ");
    if (level == NULL || *level != '=')
        return special_refuse(setting, NULL, err);
    ArcPlane plane = {.axis = (int)(axis - axes)};
    if (plane.axis >= dimensions)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s stands across z, but the plane of the flight has x and y; "
                                "give dimensions: 3 for space",
                                setting->path);
    ArcYamlNode number = *node;
    number.text = arc_arena_copy_text(reader->arena, level + 1 + strspn(level + 1, " "),
                                      strlen(level + 1 + strspn(level + 1, " ")));
    if (number.text == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_reader_number(setting->row, setting->path, &number, &plane.level_m, err);
    if (status == ARC_OK)
        memcpy((char *)setting->base + setting->row->offset, &plane, sizeof plane);
    return status;
}

/* One position, an entry an axis. */
ArcStatus arc_special_position(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    int dimensions = reader->experiment->flight_settings.dimensions, axis = 0;
    double position[3] = {0};
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children != dimensions)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s has %d entries; wanted: one position for each of %d dimensions",
                                setting->path, node->n_children, dimensions);
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        ArcStatus status =
            arc_reader_number(setting->row, setting->path, item, &position[axis++], err);
        if (status != ARC_OK)
            return status;
    }
    memcpy((char *)setting->base + setting->row->offset, position, sizeof position);
    return ARC_OK;
}

ArcStatus arc_special_bounce(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcBounce *bounce = &reader->experiment->flight_settings.bounce;
    const ArcYamlNode *node = setting->node;
    bounce->is_on = false;
    if (special_is(node, "none"))
        return ARC_OK;
    if (node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    bounce->is_on = true;
    return arc_reader_section(reader, setting->row->path, setting, err);
}

ArcStatus arc_special_rim(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    return arc_reader_section(reader, setting->row->path, setting, err);
}

/* Names become those of derived numbers ("NAME_time"), beside the ones that every fit has. */
static ArcStatus target_check_name(const ArcYamlNode *node, ArcError *err)
{
    static const char *const taken[] = {"release", "apex", "flight"};
    size_t length = strlen(node->key);
    if (length < 1 || length > LONGEST_NAME ||
        strspn(node->key, "abcdefghijklmnopqrstuvwxyz0123456789_-") != length)
        return arc_error_set_at(err, ARC_INPUT, node->key_place,
                                "'%.100s' in derived is no name of 1 to %d of a-z 0-9 _ -",
                                node->key, LONGEST_NAME);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        if (strcmp(node->key, taken[i]) == 0)
            return arc_error_set_at(err, ARC_INPUT, node->key_place,
                                    "'%s' in derived is what numbers of every fit are called "
                                    "(release_speed, apex_time, flight_time); give another name",
                                    node->key);
    }
    return ARC_OK;
}

static ArcStatus target_read(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    static const struct {
        const char *key;
        ArcTargetKind kind;
    } kinds[] = {{"plane", ARC_TARGET_PLANE},
                 {"height", ARC_TARGET_HEIGHT},
                 {"point", ARC_TARGET_POINT},
                 {"rim", ARC_TARGET_RIM}};
    ArcTarget *target = setting->base;
    const ArcYamlNode *node = setting->node;
    ArcStatus status = target_check_name(node, err);
    if (status == ARC_OK && node->kind != ARC_YAML_MAPPING)
        status = special_refuse(setting, NULL, err);
    if (status == ARC_OK)
        status = arc_reader_section(reader, setting->row->path, setting, err);
    if (status != ARC_OK)
        return status;
    if (node->n_children != 1)
        return arc_error_set_at(err, ARC_INPUT, node->key_place,
                                "%s has %d keys; wanted: one of plane, height, point and rim",
                                setting->path, node->n_children);
    target->name = node->key;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(node->first->key, kinds[i].key) == 0)
            target->kind = kinds[i].kind;
    }
    return ARC_OK;
}

ArcStatus arc_special_derived(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    const ArcSettingRow *row = arc_setting_find("derived.NAME");
    for (const ArcYamlNode *child = node->first; child != NULL; child = child->next) {
        if (experiment->n_targets == ARC_MAX_TARGETS)
            return arc_error_set_at(err, ARC_INPUT, child->key_place,
                                    "derived has more than %d entries; leave some out, or ask "
                                    "`arcfit predict` for them",
                                    ARC_MAX_TARGETS);
        const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
        if (path == NULL)
            return arc_error_no_memory(err);
        ArcSetting one = {row, path, child, &experiment->targets[experiment->n_targets++]};
        ArcStatus status = target_read(reader, &one, err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}
