/* The table of settings for editors: a JSON Schema of the experiment file, and one of net files. */
#include "experiment/schema.h"

#include "arcfit/settings.h"

#include "experiment/model.h"

#include <string.h>

/* What flights (is_model false) or own equations accept of the rows of a section beyond what the
 * schema says of both: {"properties": {..}}. NULL: nothing. */
static json_t *section_of_kind(ArcSchema *schema, const char *section, bool is_model)
{
    ArcJson *json = &schema->json;
    json_t *properties = arc_json_object(json);
    const ArcSettingRow *row;
    for (int i = 0; (row = arc_setting_at(i)) != NULL; i++) {
        if (!arc_setting_is_in(row, section))
            continue;
        bool has_kinds = row->shape != NULL && strchr(row->shape, ';') != NULL;
        json_t *rule = NULL;
        if (is_model && arc_model_is_of_flights(row->path))
            rule = json_false();
        else if (has_kinds)
            rule = arc_schema_shape(schema, row, is_model, NULL);
        else if (strcmp(arc_setting_name(row), "NAME") != 0)
            rule = section_of_kind(schema, row->path, is_model);
        if (rule != NULL)
            arc_json_put(json, properties, arc_setting_name(row), rule);
    }
    if (json_object_size(properties) == 0) {
        json_decref(properties);
        return NULL;
    }
    json_t *rules = arc_json_object(json);
    if (strcmp(section, "capture") == 0) { /* a list of them, too */
        json_t *items = arc_json_object(json);
        arc_json_put(json, items, "properties", json_deep_copy(properties));
        arc_json_put(json, rules, "items", items);
    }
    arc_json_put(json, rules, "properties", properties);
    return rules;
}

static void put_kinds(ArcSchema *schema, json_t *root)
{
    ArcJson *json = &schema->json;
    json_t *has_model = arc_json_object(json), *names = arc_json_array(json);
    arc_json_push(json, names, arc_json_string(json, "model"));
    arc_json_put(json, has_model, "required", names);
    arc_json_put(json, root, "if", has_model);
    arc_json_put(json, root, "then", section_of_kind(schema, "", true));
    arc_json_put(json, root, "else", section_of_kind(schema, "", false));
}

/* The schema of the rows below section; title and description are of the file. */
static ArcStatus schema_text(const char *section, const char *title, const char *description,
                             char **text, ArcError *err)
{
    *text = NULL;
    ArcSchema schema = {.arena = arc_arena_create()};
    if (schema.arena == NULL)
        return arc_error_no_memory(err);
    ArcJson *json = &schema.json;
    json_t *root = arc_json_object(json), *definitions = arc_schema_patterns(&schema);
    json_t *mapping = arc_schema_section(&schema, section);
    bool is_experiment = section[0] == '\0';
    arc_json_put_string(json, root, "$schema", "http://json-schema.org/draft-07/schema#");
    arc_json_put_string(json, root, "title", title);
    arc_json_put_string(json, root, "description", description);
    if (json_object_update(root, mapping) != 0)
        json->failed = true;
    json_decref(mapping);
    if (is_experiment) {
        put_kinds(&schema, root);
        json_t *parameter = arc_schema_row(&schema, arc_setting_find("parameters.NAME"));
        json_object_del(parameter, "title"); /* editors would show these in place of a name's own */
        json_object_del(parameter, "description");
        arc_json_put(json, definitions, "parameter", parameter);
    }
    arc_json_put(json, root, "definitions", definitions);
    arc_arena_free(schema.arena);
    return arc_json_text(json, root, text, err);
}

ArcStatus arc_settings_schema(char **text, ArcError *err)
{
    return schema_text("", "Experiment of arcfit",
                       "An experiment: what was seen, which equations it follows, how it is "
                       "fitted.\n`arcfit check FILE` knows more than this schema.",
                       text, err);
}

ArcStatus arc_net_schema(char **text, ArcError *err)
{
    return schema_text("net file", "Net file of arcfit",
                       "A network that an experiment names as fit.pinn.net or closure.net.", text,
                       err);
}
