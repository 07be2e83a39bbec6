/* Settings of the flight that are more than one plain value. */
#include "base/number.h"
#include "base/text.h"
#include "experiment/special.h"

ArcStatus arc_special_gravity(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcFlightSettings *flight = &reader->experiment->flight_settings;
    const ArcYamlNode *node = setting->node;
    if (node->kind == ARC_YAML_SCALAR)
        return arc_reader_number(setting->row, setting->path, node, &flight->gravity_m_s2, err);
    if (node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    ArcStatus status = special_section(reader, setting, node, err);
    if (status == ARC_OK)
        status = arc_gravity_at(flight->latitude_rad, flight->height_m, &flight->gravity_m_s2, err);
    if (status == ARC_OK)
        status = arc_reader_record_number(reader, setting->path, flight->gravity_m_s2,
                                          arc_quantity_unit(setting->row->quantity), err);
    return status;
}

ArcStatus arc_special_ball(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcFlightSettings *flight = &reader->experiment->flight_settings;
    const ArcYamlNode *node = setting->node;
    if (special_is(node, "none"))
        return ARC_OK;
    flight->has_ball = true;
    if (node->kind == ARC_YAML_MAPPING) {
        flight->ball = (ArcBall){.name = "own", .source = "the experiment"};
        return special_section(reader, setting, node, err);
    }
    if (node->kind != ARC_YAML_SCALAR || arc_yaml_is_null(node))
        return special_refuse(setting, NULL, err);
    const ArcBall *preset = arc_ball_find(node->text);
    if (preset != NULL) {
        flight->ball = *preset;
        return ARC_OK;
    }
    int n;
    const ArcBall *presets = arc_ball_presets(&n);
    char list[256] = "none";
    const char *names[32] = {"none"};
    int n_names = 1;
    for (int i = 0; i < n && n_names < 32; i++) {
        names[n_names++] = presets[i].name;
        strncat(list, ", ", sizeof list - strlen(list) - 1);
        strncat(list, presets[i].name, sizeof list - strlen(list) - 1);
    }
    const char *nearest = arc_text_nearest(node->text, n_names, names);
    return arc_error_set_at(err, ARC_INPUT, node->place,
                            "unknown ball '%.100s'%s%s%s known are %s, or {mass: .., diameter: "
                            "..}",
                            node->text, nearest == NULL ? "" : "; did you mean '",
                            nearest == NULL ? "" : nearest, nearest == NULL ? ";" : "'?", list);
}

/* One speed an axis, into the row's field. */
static ArcStatus velocity_read(ArcReader *reader, const ArcSetting *setting, double *velocity_m_s,
                               ArcError *err)
{
    int d = reader->experiment->flight_settings.dimensions;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children != d)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s has %d entries; wanted: one speed for each of %d dimensions",
                                setting->path, node->n_children, d);
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        ArcStatus status =
            arc_reader_number(setting->row, setting->path, item, velocity_m_s++, err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

ArcStatus arc_special_velocity(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    double velocity_m_s[3] = {0};
    ArcStatus status = velocity_read(reader, setting, velocity_m_s, err);
    if (status == ARC_OK)
        memcpy((char *)setting->base + setting->row->offset, velocity_m_s, sizeof velocity_m_s);
    return status;
}

ArcStatus arc_special_wind(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcFlightSettings *flight = &reader->experiment->flight_settings;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_MAPPING)
        return velocity_read(reader, setting, flight->wind_m_s, err);
    ArcStatus status = special_section(reader, setting, node, err);
    if (status == ARC_OK && flight->shear.is_on && arc_yaml_find(node, "velocity") == NULL)
        return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "shear"),
                                "%s.shear needs %s.velocity, the wind at the shear's height",
                                setting->path, setting->path);
    return status;
}

ArcStatus arc_special_shear(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    reader->experiment->flight_settings.shear.is_on = true;
    return special_section(reader, setting, setting->node, err);
}

ArcStatus arc_special_gust(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    reader->experiment->flight_settings.gust.is_on = true;
    return special_section(reader, setting, setting->node, err);
}

/* One pair: x of the row's quantity, and a coefficient in the row's range. */
static ArcStatus table_read_pair(const ArcSetting *setting, const char *path,
                                 const ArcYamlNode *node, ArcTable *table, ArcError *err)
{
    ArcSettingRow x_row = *setting->row, y_row = *setting->row;
    x_row.low = 0;
    x_row.high = 1e4;
    y_row.quantity = ARC_ONE;
    if (node->kind != ARC_YAML_SEQUENCE || node->n_children != 2)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s is no pair; wanted: %s", path,
                                setting->row->accepts);
    double x, y;
    ArcStatus status = arc_reader_number(&x_row, path, node->first, &x, err);
    if (status == ARC_OK)
        status = arc_reader_number(&y_row, path, node->last, &y, err);
    if (status != ARC_OK)
        return status;
    if (table->n > 0 && !(x > table->x[table->n - 1]))
        return arc_error_set_at(err, ARC_INPUT, node->first->place,
                                "%s is at '%s', not above the pair before it; sort the pairs and "
                                "give each place once",
                                path, node->first->text);
    table->x[table->n] = x;
    table->y[table->n++] = y;
    return ARC_OK;
}

/* As a result keeps it, in SI: [[5, 0.5], [10, 0.4]]. */
static ArcStatus table_record(ArcReader *reader, const ArcSetting *setting, const ArcTable *table,
                              ArcError *err)
{
    ArcText list = {0};
    char *text = NULL, x[ARC_NUMBER_TEXT], y[ARC_NUMBER_TEXT];
    for (int i = 0; i < table->n; i++)
        arc_text_append(&list, "%s[%s, %s]", i == 0 ? "[" : ", ", arc_number_write(x, table->x[i]),
                        arc_number_write(y, table->y[i]));
    arc_text_append(&list, "]");
    ArcStatus status = arc_text_finish(&list, &text, err);
    if (status == ARC_OK)
        status = arc_reader_record(reader, setting->path, text, err);
    arc_text_free(text);
    return status;
}

ArcStatus arc_special_table(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcTable table = {0};
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children < 2 || node->n_children > ARC_TABLE_MAX_PAIRS)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, setting->row->accepts);
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        const char *path = arc_arena_format(reader->arena, "%s.%d", setting->path, table.n);
        if (path == NULL)
            return arc_error_no_memory(err);
        ArcStatus status = table_read_pair(setting, path, item, &table, err);
        if (status != ARC_OK)
            return status;
    }
    if (setting->row->low < 0 && table.x[0] == 0 && table.y[0] != 0)
        return arc_error_set_at(err, ARC_INPUT, node->first->last->place,
                                "%s.0: at S = 0 there is no spin and so no lift; give [0, 0] or "
                                "leave the pair out",
                                setting->path);
    memcpy((char *)setting->base + setting->row->offset, &table, sizeof table);
    return table_record(reader, setting, &table, err);
}
