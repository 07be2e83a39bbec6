/* The engine under the table: sections, unknown keys, defaults, and the plain types. */
#include "experiment/reader.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "experiment/model.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MAX_NAMES = 64 };

ArcPlace arc_reader_place(const ArcYamlNode *mapping, const char *key)
{
    const ArcYamlNode *node = arc_yaml_find(mapping, key);
    if (node != NULL)
        return node->place;
    return mapping->key != NULL ? mapping->key_place : mapping->place;
}

ArcStatus arc_reader_record(ArcReader *reader, const char *path, const char *value, ArcError *err)
{
    if (reader->n_records == reader->capacity) {
        int capacity = reader->capacity == 0 ? MAX_NAMES : 2 * reader->capacity;
        const char **paths = ARC_ALLOC(reader->arena, (size_t)capacity, const char *);
        const char **values = ARC_ALLOC(reader->arena, (size_t)capacity, const char *);
        if (paths == NULL || values == NULL)
            return arc_error_no_memory(err);
        for (int i = 0; i < reader->n_records; i++) {
            paths[i] = reader->paths[i];
            values[i] = reader->values[i];
        }
        reader->paths = paths;
        reader->values = values;
        reader->capacity = capacity;
    }
    char *copy = arc_arena_copy_text(reader->arena, value, strlen(value));
    if (copy == NULL)
        return arc_error_no_memory(err);
    reader->paths[reader->n_records] = path;
    reader->values[reader->n_records++] = copy;
    return ARC_OK;
}

ArcStatus arc_reader_scalar(const char *path, const ArcYamlNode *node, const char *accepts,
                            ArcError *err)
{
    if (node->kind != ARC_YAML_SCALAR)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s is %s; wanted: %s", path,
                                arc_yaml_kind_text(node), accepts);
    if (arc_yaml_is_null(node))
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has no value; wanted: %s", path,
                                accepts);
    return ARC_OK;
}

/* ARC_INPUT where a number that was read is outside its range. */
static ArcStatus range_check(const ArcParameterInfo *info, const char *path,
                             const ArcYamlNode *node, double number, ArcError *err)
{
    char low[ARC_NUMBER_TEXT], high[ARC_NUMBER_TEXT];
    bool is_one = strcmp(info->unit, "1") == 0;
    if (number >= info->low && number <= info->high)
        return ARC_OK;
    return arc_error_set_at(
        err, ARC_INPUT, node->place, "%s is '%.100s', out of its range %s to %s%s%s", path,
        node->text, arc_number_write_digits(low, info->low, 6),
        arc_number_write_digits(high, info->high, 6), is_one ? "" : " ", is_one ? "" : info->unit);
}

ArcStatus arc_reader_number(const ArcSettingRow *row, const char *path, const ArcYamlNode *node,
                            double *value, ArcError *err)
{
    double number;
    const ArcParameterInfo info = {
        .unit = arc_quantity_unit(row->quantity), .low = row->low, .high = row->high};
    ArcStatus status = arc_reader_scalar(path, node, arc_quantity_text(row->quantity), err);
    if (status == ARC_OK)
        status = arc_unit_read(node->text, row->quantity, false, node->place, &number, err);
    if (status == ARC_OK)
        status = range_check(&info, path, node, number, err);
    if (status == ARC_OK)
        *value = number;
    return status;
}

ArcStatus arc_reader_parameter(const ArcReader *reader, const char *path, const ArcYamlNode *node,
                               double *value, ArcError *err)
{
    const ArcParameterInfo *info = &reader->parameter;
    double number;
    ArcQuantity quantity = ARC_ONE;
    bool is_listed = arc_quantity_find(info->unit, &quantity);
    ArcStatus status =
        arc_reader_scalar(path, node, is_listed ? arc_quantity_text(quantity) : "a number", err);
    if (status == ARC_OK)
        status = arc_unit_read_as(node->text, info->unit, false, node->place, &number, err);
    if (status == ARC_OK)
        status = range_check(info, path, node, number, err);
    if (status == ARC_OK)
        *value = number;
    return status;
}

ArcStatus arc_reader_whole(const ArcSettingRow *row, const char *path, const ArcYamlNode *node,
                           long long *value, ArcError *err)
{
    ArcStatus status = arc_reader_scalar(path, node, "a whole number", err);
    if (status != ARC_OK)
        return status;
    long long number;
    if (!arc_number_read_integer(node->text, strlen(node->text), &number))
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s is '%.100s', which is not a whole number", path, node->text);
    if ((double)number < row->low || (double)number > row->high)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s is %lld, out of its range %lld to %lld", path, number,
                                (long long)row->low, (long long)row->high);
    *value = number;
    return ARC_OK;
}

ArcStatus arc_reader_choice(const char *path, const ArcYamlNode *node,
                            const char *(*name)(int index), int *index, ArcError *err)
{
    const char *names[MAX_NAMES];
    int n = 0;
    ArcText list = {0};
    for (; n < MAX_NAMES && name(n) != NULL; n++) {
        names[n] = name(n);
        arc_text_append(&list, "%s%s", n == 0 ? "" : ", ", names[n]);
    }
    char *accepts = NULL;
    ArcStatus status = arc_text_finish(&list, &accepts, err);
    if (status == ARC_OK)
        status = arc_reader_scalar(path, node, accepts, err);
    int found = 0;
    while (status == ARC_OK && found < n && strcmp(node->text, names[found]) != 0)
        found++;
    if (status == ARC_OK && found == n) {
        const char *nearest = arc_text_nearest(node->text, n, names);
        status = arc_error_set_at(
            err, ARC_INPUT, node->place, "'%.100s' is not accepted for %s%s%s%s accepted: %s",
            node->text, path, nearest == NULL ? "" : "; did you mean '",
            nearest == NULL ? "" : nearest, nearest == NULL ? ";" : "'?", accepts);
    }
    arc_text_free(accepts);
    if (status == ARC_OK)
        *index = found;
    return status;
}

static ArcStatus reader_text(ArcReader *reader, const ArcSetting *setting, void *field,
                             ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    bool is_file = setting->row->type == ARC_SETTING_FILE;
    ArcStatus status =
        arc_reader_scalar(setting->path, node, is_file ? "a file's name" : "a text", err);
    if (status != ARC_OK)
        return status;
    if (node->text[0] == '\0')
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s is empty", setting->path);
    const char *text = node->text;
    if (is_file)
        text = arc_file_join(reader->arena, reader->folder, node->text);
    if (text == NULL)
        return arc_error_no_memory(err);
    memcpy(field, &text, sizeof text);
    return ARC_OK;
}

static ArcStatus reader_flag(const ArcSetting *setting, void *field, ArcError *err)
{
    ArcStatus status = arc_reader_scalar(setting->path, setting->node, "true or false", err);
    if (status != ARC_OK)
        return status;
    bool flag = strcmp(setting->node->text, "true") == 0;
    if (!flag && strcmp(setting->node->text, "false") != 0)
        return arc_error_set_at(err, ARC_INPUT, setting->node->place,
                                "'%.100s' is not accepted for %s; accepted: true, false",
                                setting->node->text, setting->path);
    memcpy(field, &flag, sizeof flag);
    return ARC_OK;
}

static ArcStatus reader_whole(const ArcSetting *setting, void *field, ArcError *err)
{
    long long whole;
    ArcStatus status = arc_reader_whole(setting->row, setting->path, setting->node, &whole, err);
    if (status != ARC_OK)
        return status;
    int narrow = (int)whole;
    uint64_t wide = (uint64_t)whole;
    if (setting->row->size == sizeof narrow)
        memcpy(field, &narrow, sizeof narrow);
    else if (setting->row->size == sizeof wide)
        memcpy(field, &wide, sizeof wide);
    return ARC_OK;
}

static ArcStatus reader_choice(const ArcSetting *setting, void *field, ArcError *err)
{
    int index;
    ArcStatus status =
        arc_reader_choice(setting->path, setting->node, setting->row->choice, &index, err);
    if (status != ARC_OK)
        return status;
    const char *name = setting->row->choice(index);
    if (setting->row->size == sizeof index)
        memcpy(field, &index, sizeof index);
    else if (setting->row->size == sizeof name)
        memcpy(field, &name, sizeof name);
    return ARC_OK;
}

static ArcStatus reader_number(const ArcSetting *setting, void *field, ArcError *err)
{
    double number;
    ArcStatus status = arc_reader_number(setting->row, setting->path, setting->node, &number, err);
    if (status == ARC_OK)
        memcpy(field, &number, sizeof number);
    return status;
}

static ArcStatus reader_value(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    void *field = (char *)setting->base + setting->row->offset;
    switch (setting->row->type) {
    case ARC_SETTING_SECTION:
        return arc_reader_section(reader, setting->row->path, setting, err);
    case ARC_SETTING_TEXT:
    case ARC_SETTING_FILE:
        return reader_text(reader, setting, field, err);
    case ARC_SETTING_NUMBER:
        return reader_number(setting, field, err);
    case ARC_SETTING_WHOLE:
        return reader_whole(setting, field, err);
    case ARC_SETTING_FLAG:
        return reader_flag(setting, field, err);
    case ARC_SETTING_CHOICE:
        return reader_choice(setting, field, err);
    case ARC_SETTING_PARAMETER:
    case ARC_SETTING_SPECIAL:
        return setting->row->read(reader, setting, err);
    }
    return ARC_OK;
}

ArcStatus arc_reader_record_number(ArcReader *reader, const char *path, double value,
                                   const char *unit, ArcError *err)
{
    char number[ARC_NUMBER_TEXT];
    bool is_one = strcmp(unit, "1") == 0;
    const char *text = arc_arena_format(reader->arena, "%s%s%s", arc_number_write(number, value),
                                        is_one ? "" : " ", is_one ? "" : unit);
    return text == NULL ? arc_error_no_memory(err) : arc_reader_record(reader, path, text, err);
}

/* True for a special row that is one number where it begins like one. */
static bool reader_is_number(const ArcSettingRow *row, const ArcYamlNode *node)
{
    return row->type == ARC_SETTING_SPECIAL && row->quantity != ARC_ONE &&
           row->size == sizeof(double) && node->kind == ARC_YAML_SCALAR && node->text[0] != '\0' &&
           strchr("+-.0123456789", node->text[0]) != NULL;
}

/* Two numbers, each with its unit; of a row without a range they are the parameter's bounds. */
static ArcStatus reader_record_pair(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcSettingRow *row = setting->row;
    char low[ARC_NUMBER_TEXT], high[ARC_NUMBER_TEXT];
    double pair[2];
    const char *unit =
        row->low == row->high ? reader->parameter.unit : arc_quantity_unit(row->quantity);
    bool is_one = strcmp(unit, "1") == 0;
    memcpy(pair, (const char *)setting->base + row->offset, sizeof pair);
    const char *text = arc_arena_format(
        reader->arena, "[%s%s%s, %s%s%s]", arc_number_write(low, pair[0]), is_one ? "" : " ",
        is_one ? "" : unit, arc_number_write(high, pair[1]), is_one ? "" : " ", is_one ? "" : unit);
    return text == NULL ? arc_error_no_memory(err)
                        : arc_reader_record(reader, setting->path, text, err);
}

/* Scalars and lists of scalars are recorded; what hangs below them records itself. Numbers with a
 * field of their own are recorded in SI, so that a result does not depend on the unit typed. */
static ArcStatus reader_record_setting(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    ArcSettingType type = setting->row->type;
    if (type == ARC_SETTING_NUMBER || type == ARC_SETTING_PARAMETER ||
        reader_is_number(setting->row, node)) {
        double value;
        memcpy(&value, (const char *)setting->base + setting->row->offset, sizeof value);
        if (isnan(value)) /* it went into another field: a sigma in pixels */
            return arc_reader_record(reader, setting->path, node->text, err);
        const char *unit = type == ARC_SETTING_PARAMETER
                               ? reader->parameter.unit
                               : arc_quantity_unit(setting->row->quantity);
        return arc_reader_record_number(reader, setting->path, value, unit, err);
    }
    if (node->kind == ARC_YAML_SCALAR)
        return arc_reader_record(reader, setting->path, node->text, err);
    if (setting->row->read == arc_special_pair)
        return reader_record_pair(reader, setting, err);
    if (node->kind == ARC_YAML_MAPPING || node->first == NULL ||
        node->first->kind != ARC_YAML_SCALAR)
        return ARC_OK;
    ArcText list = {0};
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next)
        arc_text_append(&list, "%s%s", item == node->first ? "[" : ", ",
                        item->text == NULL ? "" : item->text);
    arc_text_append(&list, "]");
    char *text = NULL;
    ArcStatus status = arc_text_finish(&list, &text, err);
    if (status == ARC_OK)
        status = arc_reader_record(reader, setting->path, text, err);
    arc_text_free(text);
    return status;
}

/* False for the keys of a stage that another optimizer has, and with own equations for those of the
 * flight (model.h). */
static bool reader_is_known(const ArcReader *reader, const ArcSettingRow *row)
{
    if (arc_model_is_without(reader->experiment, row->path))
        return false;
    return row->optimizer == NULL || reader->optimizer == NULL ||
           strcmp(row->optimizer, reader->optimizer) == 0;
}

/* Refuses keys of node that no row of section has, or only another optimizer. */
static ArcStatus reader_check_keys(const ArcReader *reader, const char *section, const char *path,
                                   const ArcYamlNode *node, ArcError *err)
{
    const char *names[MAX_NAMES];
    const ArcSettingRow *row;
    int n = 0;
    for (int i = 0; (row = arc_setting_at(i)) != NULL && n < MAX_NAMES; i++) {
        if (!arc_setting_is_in(row, section))
            continue;
        const char *name = arc_setting_name(row);
        const ArcYamlNode *child = arc_yaml_find(node, name);
        if (reader_is_known(reader, row))
            names[n++] = name;
        else if (child != NULL && arc_model_is_without(reader->experiment, row->path))
            return arc_model_refuse_key(row->path, child, err);
        else if (child != NULL)
            return arc_error_set_at(err, ARC_INPUT, child->key_place,
                                    "the key '%s' in %s belongs to %s, but this stage's optimizer "
                                    "is %s; leave it out",
                                    name, path, row->optimizer, reader->optimizer);
    }
    for (const ArcYamlNode *child = node->first; child != NULL; child = child->next) {
        int i = 0;
        while (i < n && strcmp(names[i], child->key) != 0)
            i++;
        if (i < n)
            continue;
        const char *where = path[0] == '\0' ? "the experiment" : path;
        const char *nearest = arc_text_nearest(child->key, n, names);
        if (nearest != NULL)
            return arc_error_set_at(err, ARC_INPUT, child->key_place,
                                    "unknown key '%.100s' in %s; did you mean '%s'?", child->key,
                                    where, nearest);
        char list[256] = "";
        for (int j = 0; j < n; j++) {
            strncat(list, j == 0 ? "" : ", ", sizeof list - strlen(list) - 1);
            strncat(list, names[j], sizeof list - strlen(list) - 1);
        }
        return arc_error_set_at(err, ARC_INPUT, child->key_place,
                                "unknown key '%.100s' in %s; known are %s", child->key, where,
                                list);
    }
    return ARC_OK;
}

/* The node of a row: from the file, else from the default; NULL where there is neither. */
static ArcStatus reader_find(ArcReader *reader, const ArcSettingRow *row, const char *path,
                             const ArcYamlNode *parent, ArcYamlNode **node, ArcError *err)
{
    *node = arc_yaml_find(parent, arc_setting_name(row));
    if (*node != NULL)
        return ARC_OK;
    const char *text = row->default_text;
    if (text == NULL && row->type == ARC_SETTING_SECTION)
        text = "{}";
    if (text != NULL)
        return arc_yaml_parse(reader->experiment->path, text, strlen(text), reader->arena, node,
                              err);
    if (strcmp(row->absent, "required") != 0)
        return ARC_OK;
    ArcPlace place = parent->key != NULL ? parent->key_place : parent->place;
    return arc_error_set_at(err, ARC_INPUT, place, "'%s' is missing: %s (%s)",
                            arc_setting_name(row), path, row->doc);
}

ArcStatus arc_reader_section(ArcReader *reader, const char *section, const ArcSetting *setting,
                             ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    const char *path = setting->path;
    const char *accepts = setting->row != NULL ? setting->row->accepts : NULL;
    bool is_shown = accepts != NULL && accepts[0] == '{'; /* {mean: number, sd: number} */
    if (node->kind != ARC_YAML_MAPPING)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s is %s; wanted: %s",
                                path[0] == '\0' ? "the experiment" : path,
                                arc_yaml_is_null(node) ? "empty" : arc_yaml_kind_text(node),
                                is_shown ? accepts : "a mapping of keys");
    ArcStatus status = reader_check_keys(reader, section, path, node, err);
    const ArcSettingRow *row;
    for (int i = 0; status == ARC_OK && (row = arc_setting_at(i)) != NULL; i++) {
        if (!arc_setting_is_in(row, section) || !reader_is_known(reader, row))
            continue;
        ArcYamlNode *child = NULL;
        const char *child_path = arc_arena_format(
            reader->arena, "%s%s%s", path, path[0] == '\0' ? "" : ".", arc_setting_name(row));
        if (child_path == NULL)
            return arc_error_no_memory(err);
        status = reader_find(reader, row, child_path, node, &child, err);
        if (status != ARC_OK || child == NULL)
            continue;
        ArcSetting at = {row, child_path, child, setting->base};
        status = reader_value(reader, &at, err);
        if (status == ARC_OK)
            status = reader_record_setting(reader, &at, err);
    }
    return status;
}
