/* Mappings as schemas: sections with their keys, mappings by any name, and parameters. */
#include "experiment/schema.h"

#include "base/number.h"
#include "experiment/cameras.h"
#include "experiment/special.h"

#include <string.h>

/* A default as JSON. */
static json_t *default_value(ArcSchema *schema, const ArcYamlNode *node)
{
    ArcJson *json = &schema->json;
    double number;
    if (node->kind == ARC_YAML_SCALAR) {
        long long whole;
        size_t length = strlen(node->text);
        bool is_true = strcmp(node->text, "true") == 0;
        if (is_true || strcmp(node->text, "false") == 0)
            return json_boolean(is_true);
        if (arc_number_read_integer(node->text, length, &whole))
            return json_integer(whole);
        return arc_number_read(node->text, length, &number) ? arc_json_number(json, number)
                                                            : arc_json_string(json, node->text);
    }
    bool is_list = node->kind == ARC_YAML_SEQUENCE;
    json_t *all = is_list ? arc_json_array(json) : arc_json_object(json);
    for (const ArcYamlNode *child = node->first; child != NULL; child = child->next) {
        if (is_list)
            arc_json_push(json, all, default_value(schema, child));
        else
            arc_json_put(json, all, child->key, default_value(schema, child));
    }
    return all;
}

static void put_default(ArcSchema *schema, json_t *object, const char *text)
{
    ArcYamlNode *node = NULL;
    if (arc_yaml_parse("", text, strlen(text), schema->arena, &node, NULL) != ARC_OK)
        schema->json.failed = true;
    else
        arc_json_put(&schema->json, object, "default", default_value(schema, node));
}

/* The shapes of plain types. */
static const char *plain_shape(const ArcSettingRow *row)
{
    static const char *const shapes[] = {
        [ARC_SETTING_SECTION] = "KEYS",  [ARC_SETTING_TEXT] = "TEXT",
        [ARC_SETTING_FILE] = "FILE",     [ARC_SETTING_NUMBER] = "NUMBER",
        [ARC_SETTING_WHOLE] = "WHOLE",   [ARC_SETTING_FLAG] = "FLAG",
        [ARC_SETTING_CHOICE] = "CHOICE", [ARC_SETTING_PARAMETER] = "ANY",
        [ARC_SETTING_SPECIAL] = ""};
    return row->shape != NULL ? row->shape : shapes[row->type];
}

/* "where the fit begins", a line "a number; default: by the data", of a parameter that is known
 * (not NULL) what it is before; below the key's path. */
static void put_description(ArcSchema *schema, json_t *object, const ArcSettingRow *row,
                            const char *path, const char *known)
{
    ArcText text = {0};
    char *words = NULL;
    arc_json_put_string(&schema->json, object, "title", path);
    if (known != NULL)
        arc_text_append(&text, "%s\n", known);
    arc_text_append(&text, "%s\n", row->doc);
    arc_setting_describe(&text, row);
    if (arc_text_finish(&text, &words, NULL) != ARC_OK)
        schema->json.failed = true;
    else
        arc_json_put_string(&schema->json, object, "description", words);
    arc_text_free(words);
}

json_t *arc_schema_row(ArcSchema *schema, const ArcSettingRow *row)
{
    ArcSettingRow shaped = *row;
    shaped.shape = plain_shape(row);
    json_t *object = arc_schema_shape(schema, &shaped, -1, NULL);
    put_description(schema, object, row, row->path, NULL);
    if (row->default_text != NULL)
        put_default(schema, object, row->default_text);
    return object;
}

/* {"type": "object", "properties": {}}, the properties into *properties. */
static json_t *mapping_create(ArcSchema *schema, json_t **properties)
{
    json_t *mapping = arc_json_object(&schema->json);
    *properties = arc_json_object(&schema->json);
    arc_json_put_string(&schema->json, mapping, "type", "object");
    arc_json_put(&schema->json, mapping, "properties", *properties);
    return mapping;
}

/* A stage's key that only one optimizer has: {"properties": {"optimizer": {"const": "adam"}}}. */
static json_t *optimizer_rule(ArcSchema *schema, const char *optimizer)
{
    ArcJson *json = &schema->json;
    json_t *rule = arc_json_object(json), *properties = arc_json_object(json);
    json_t *value = arc_json_object(json);
    arc_json_put_string(json, value, "const", optimizer);
    arc_json_put(json, properties, "optimizer", value);
    arc_json_put(json, rule, "properties", properties);
    return rule;
}

/* Puts value at key, or drops it where it is empty. */
static void put_filled(ArcJson *json, json_t *object, const char *key, json_t *value)
{
    bool is_empty = json_array_size(value) == 0 && json_object_size(value) == 0;
    if (is_empty)
        json_decref(value);
    else
        arc_json_put(json, object, key, value);
}

json_t *arc_schema_section(ArcSchema *schema, const char *section)
{
    ArcJson *json = &schema->json;
    json_t *properties, *mapping = mapping_create(schema, &properties);
    json_t *required = arc_json_array(json), *rules = arc_json_object(json);
    const ArcSettingRow *row;
    for (int i = 0; (row = arc_setting_at(i)) != NULL; i++) {
        if (!arc_setting_is_in(row, section))
            continue;
        const char *name = arc_setting_name(row);
        arc_json_put(json, properties, name, arc_schema_row(schema, row));
        if (row->absent != NULL && strcmp(row->absent, "required") == 0)
            arc_json_push(json, required, arc_json_string(json, name));
        if (row->optimizer != NULL)
            arc_json_put(json, rules, name, optimizer_rule(schema, row->optimizer));
    }
    arc_json_put_bool(json, mapping, "additionalProperties", false);
    put_filled(json, mapping, "required", required);
    put_filled(json, mapping, "dependencies", rules);
    return mapping;
}

/* What names of a mapping there can be. */
static void put_name_rule(ArcSchema *schema, json_t *mapping, const char *kind)
{
    ArcJson *json = &schema->json;
    bool is_camera = strcmp(kind, "camera") == 0;
    if (!is_camera && strcmp(kind, "target") != 0)
        return;
    char pattern[96];
    json_t *rule = arc_json_object(json);
    if (is_camera)
        snprintf(pattern, sizeof pattern, "^[^., \\t\"'#:{}\\[\\]=]{1,%d}$", ARC_CAMERA_NAME);
    else
        snprintf(pattern, sizeof pattern, "^(?!(release|apex|flight)$)[a-z0-9_-]{1,20}$");
    arc_json_put_string(json, rule, "pattern", pattern);
    arc_json_put(json, mapping, "propertyNames", rule);
    arc_json_put_integer(json, mapping, "maxProperties",
                         is_camera ? ARC_MAX_CAMERAS : ARC_MAX_TARGETS);
}

json_t *arc_schema_names(ArcSchema *schema, const char *section, const char *kind)
{
    ArcJson *json = &schema->json;
    json_t *properties, *mapping = mapping_create(schema, &properties);
    bool is_throw = strcmp(kind, "throw") == 0;
    const ArcSettingRow *row;
    for (int i = 0; (row = arc_setting_at(i)) != NULL; i++) {
        if (!arc_setting_is_in(row, section))
            continue;
        bool is_any = strcmp(arc_setting_name(row), "NAME") == 0;
        if (!is_any)
            arc_json_put(json, properties, arc_setting_name(row), arc_schema_row(schema, row));
        else if (!is_throw)
            arc_json_put(json, mapping, "additionalProperties", arc_schema_row(schema, row));
        for (int k = 0; is_any && is_throw && arc_aim_number_name(k) != NULL; k++)
            arc_json_put(json, properties, arc_aim_number_name(k), arc_schema_row(schema, row));
    }
    if (is_throw)
        arc_json_put_bool(json, mapping, "additionalProperties", false);
    put_name_rule(schema, mapping, kind);
    return mapping;
}

/* A parameter that is known by name, for editors to offer. */
static void put_parameter(ArcSchema *schema, json_t *properties, const char *name, const char *of,
                          const char *doc)
{
    ArcJson *json = &schema->json;
    json_t *parameter = arc_json_object(json), *all = arc_json_array(json);
    const char *text = arc_arena_format(schema->arena, "%s%s", of, doc);
    const char *path = arc_arena_format(schema->arena, "parameters.%s", name);
    if (text == NULL || path == NULL)
        json->failed = true;
    else
        put_description(schema, parameter, arc_setting_find("parameters.NAME"), path, text);
    arc_json_push(json, all, arc_schema_reference(schema, "parameter"));
    arc_json_put(json, parameter, "allOf", all);
    arc_json_put(json, properties, name, parameter);
}

/* Those of laws, whose names stand in one text. */
static void put_laws(ArcSchema *schema, json_t *properties, const char *of, int n,
                     const ArcLaw *laws)
{
    for (int i = 0; i < n; i++)
        for (const char *at = laws[i].parameters; *at != '\0'; at += strspn(at, " ")) {
            size_t length = strcspn(at, " ");
            const char *name = arc_arena_copy_text(schema->arena, at, length);
            if (name == NULL)
                schema->json.failed = true;
            else
                put_parameter(schema, properties, name, of, laws[i].name);
            at += length;
        }
}

static void put_known(ArcSchema *schema, json_t *properties)
{
    static const char *const others[][2] = {{"gravity", "size of gravity"},
                                            {"tilt", "of gravity, in the plane"},
                                            {"tilt_x", "of gravity about x, in space"},
                                            {"tilt_y", "of gravity about y, in space"},
                                            {"tilt_z", "of gravity about z, in space"},
                                            {"spin", "in the plane, with lift or drag by spin"},
                                            {"wx", "spin about x, in space"},
                                            {"wy", "spin about y, in space"},
                                            {"wz", "spin about z, in space"}};
    int n;
    for (int m = ARC_MEASURE_NONE + 1; m < ARC_N_MEASURES; m++)
        put_parameter(schema, properties, arc_measure_info(m)->name,
                      "of the measurement: ", arc_measure_info(m)->doc);
    for (int i = 0; arc_parameter_of_release(i) != NULL; i++)
        put_parameter(schema, properties, arc_parameter_of_release(i)->name, "",
                      arc_parameter_of_release(i)->doc);
    const ArcLaw *laws = arc_drag_laws(&n);
    put_laws(schema, properties, "of drag: ", n, laws);
    laws = arc_lift_laws(&n);
    put_laws(schema, properties, "of lift: ", n, laws);
    laws = arc_spin_decay_laws(&n);
    put_laws(schema, properties, "of spin_decay: ", n, laws);
    put_laws(schema, properties, "of flight.", 1, arc_bounce_law());
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        put_parameter(schema, properties, others[i][0], "", others[i][1]);
    for (int j = 1; j <= ARC_ARM_MAX_JOINTS; j++) {
        char name[16];
        snprintf(name, sizeof name, "theta%d", j);
        put_parameter(schema, properties, name, "", "angle of an arm's joint at the release");
        snprintf(name, sizeof name, "omega%d", j);
        put_parameter(schema, properties, name, "", "rate of an arm's joint at the release");
        snprintf(name, sizeof name, "l%d", j);
        put_parameter(schema, properties, name, "", "length of an arm's link");
    }
}

/* A camera's own, in a mapping below its name. */
static json_t *camera_parameters(ArcSchema *schema)
{
    json_t *properties, *mapping = mapping_create(schema, &properties);
    for (int m = ARC_MEASURE_NONE + 1; m < ARC_N_MEASURES; m++)
        put_parameter(schema, properties, arc_measure_info(m)->name, "", arc_measure_info(m)->doc);
    arc_json_put_bool(&schema->json, mapping, "additionalProperties", false);
    return mapping;
}

json_t *arc_schema_parameters(ArcSchema *schema)
{
    ArcJson *json = &schema->json;
    json_t *properties, *mapping = mapping_create(schema, &properties);
    json_t *other = arc_json_object(json), *any = arc_json_array(json);
    put_known(schema, properties);
    arc_json_push(json, any, arc_schema_reference(schema, "parameter"));
    arc_json_push(json, any, camera_parameters(schema));
    put_description(schema, other, arc_setting_find("parameters.NAME"), "parameters.NAME", NULL);
    arc_json_put(json, other, "anyOf", any);
    arc_json_put(json, mapping, "additionalProperties", other);
    return mapping;
}
