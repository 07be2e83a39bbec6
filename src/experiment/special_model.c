/* The section `model`, and what captures of own equations are told: sigmas, columns and units by
 * channel. */
#include "experiment/model.h"

#include "base/file.h"
#include "base/text.h"
#include "experiment/special.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

enum { LIST_BYTES = 300 };

/* Rows that own equations do not have, and all below them. */
static const char *const without[] = {"flight",        "release",           "arm",
                                      "aim",           "derived",           "capture.track",
                                      "capture.rate",  "capture.image",     "capture.offsets",
                                      "capture.views", "capture.rows_from", "capture.cameras",
                                      "capture.split", "capture.swing",     "capture.readings",

                                      "fit.stages",    "simulate.swing",    "simulate.readings"};

enum { N_WITHOUT = sizeof without / sizeof without[0] };

bool arc_model_is_of_flights(const char *path)
{
    for (int i = 0; i < N_WITHOUT; i++) {
        size_t length = strlen(without[i]);
        if (strncmp(path, without[i], length) == 0 && (path[length] == '\0' || path[length] == '.'))
            return true;
    }
    return false;
}

bool arc_model_is_without(const ArcExperiment *experiment, const char *path)
{
    return experiment->equations != NULL && arc_model_is_of_flights(path);
}

ArcStatus arc_model_refuse_key(const char *path, const ArcYamlNode *node, ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT, node->key_place,
                            "'%s' is of a ball's flight, but this experiment has equations of its "
                            "own (`model`); leave one of them out",
                            path);
}

ArcStatus arc_model_refuse_parameter(const ArcExperiment *experiment, const ArcYamlNode *node,
                                     ArcError *err)
{
    const char *names[ARC_MAX_PARAMETERS];
    char list[LIST_BYTES] = "";
    size_t used = 0;
    int n = experiment->n_parameters;
    for (int i = 0; i < n; i++) {
        names[i] = experiment->parameters[i].name;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ",
                                     names[i]);
    }
    const char *nearest = arc_text_nearest(node->key, n, names);
    return arc_error_set_at(
        err, ARC_INPUT, node->key_place, "unknown parameter '%.100s'%s%s%s the model %s has %s",
        node->key, nearest == NULL ? "" : "; did you mean '", nearest == NULL ? "" : nearest,
        nearest == NULL ? ";" : "'?", experiment->equations->name, list);
}

ArcStatus arc_special_plugin(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    ArcStatus status = arc_reader_scalar(setting->path, node, setting->row->accepts, err);
    if (status != ARC_OK)
        return status;
    if (node->text[0] == '\0')
        return special_refuse(setting, "empty", err);
    for (int i = 0; i < N_WITHOUT; i++) { /* of those at the top; before anything is compiled */
        const ArcYamlNode *of_ball = arc_yaml_find(reader->root, without[i]);
        if (of_ball != NULL)
            return arc_model_refuse_key(without[i], of_ball, err);
    }
    const char *path = arc_file_join(reader->arena, reader->folder, node->text);
    if (path == NULL)
        return arc_error_no_memory(err);
    return arc_equations_load(path, node->place, &experiment->equations, err);
}

ArcStatus arc_special_model(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    ArcStatus status = special_section(reader, setting, setting->node, err);
    if (status != ARC_OK)
        return status;
    const ArcEquations *equations = experiment->equations;
    experiment->capture.equations = equations;
    experiment->capture.dimensions = equations->n_channels;
    experiment->flight.n_parameters = equations->n_parameters;
    for (int i = 0; i < equations->n_parameters; i++)
        experiment->flight.parameters[i] = equations->parameters[i];
    return ARC_OK;
}

ArcStatus arc_model_check_capture(const ArcExperiment *experiment, const ArcYamlNode *node,
                                  ArcError *err)
{
    const char *format = experiment->capture.format;
    if (strcmp(format, "auto") == 0 || strcmp(format, "csv") == 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_reader_place(node, "format"),
                            "format '%s' has positions of a ball; a model's states are columns of "
                            "a table of text: give csv or leave the format out",
                            format);
}

int arc_model_channel(const ArcExperiment *experiment, const char *path, const char *name,
                      ArcPlace place, ArcError *err)
{
    const ArcEquations *equations = experiment->equations;
    const char *names[ARC_EQUATIONS_MAX_CHANNELS];
    char list[LIST_BYTES] = "";
    size_t used = 0;
    int found = arc_equations_channel(equations, name), n = equations->n_channels;
    if (found >= 0)
        return found;
    for (int c = 0; c < n; c++) {
        names[c] = equations->channels[c].name;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", c == 0 ? "" : ", ",
                                     names[c]);
    }
    const char *nearest = arc_text_nearest(name, n, names);
    arc_error_set_at(err, ARC_INPUT, place, "'%.60s' in %s is no channel%s%s%s the model %s has %s",
                     name, path, nearest == NULL ? "" : "; did you mean '",
                     nearest == NULL ? "" : nearest, nearest == NULL ? ";" : "'?", equations->name,
                     list);
    return -1;
}

/* A standard deviation of one channel, above 0. */
static ArcStatus sigma_read(const ArcParameterInfo *channel, const char *path,
                            const ArcYamlNode *node, double *value, ArcError *err)
{
    double sigma;
    ArcStatus status = arc_reader_scalar(path, node, "a number", err);
    if (status == ARC_OK)
        status = arc_unit_read_as(node->text, channel->unit, true, node->place, &sigma, err);
    if (status != ARC_OK)
        return status;
    if (!(sigma >= 1e-100 && sigma <= 1e100))
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s is '%.100s'; it must be above 0 and below 1e100", path,
                                node->text);
    *value = sigma;
    return ARC_OK;
}

/* One number for all channels that have its unit. */
static ArcStatus sigma_read_common(const ArcExperiment *experiment, const ArcSetting *setting,
                                   double *values, ArcError *err)
{
    const ArcEquations *equations = experiment->equations;
    ArcError first = {ARC_OK, ""};
    int n = 0;
    for (int c = 0; c < equations->n_channels; c++) {
        ArcError own = {ARC_OK, ""};
        ArcStatus status =
            sigma_read(&equations->channels[c], setting->path, setting->node, &values[c], &own);
        n += status == ARC_OK;
        if (status != ARC_OK && first.status == ARC_OK)
            first = own;
    }
    if (n > 0)
        return ARC_OK;
    if (err != NULL)
        *err = first;
    return first.status;
}

ArcStatus arc_model_read_sigma(ArcReader *reader, const ArcSetting *setting, double *values,
                               bool *estimated, ArcError *err)
{
    const ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    if (estimated != NULL && special_is(node, "estimate")) {
        *estimated = true;
        return ARC_OK;
    }
    if (node->kind == ARC_YAML_SCALAR && !special_is_word(node) && !arc_yaml_is_null(node))
        return sigma_read_common(experiment, setting, values, err);
    if (node->kind != ARC_YAML_MAPPING || node->n_children == 0)
        return special_refuse(setting, node->kind == ARC_YAML_MAPPING ? "empty" : NULL, err);
    for (const ArcYamlNode *child = node->first; child != NULL; child = child->next) {
        const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
        if (path == NULL)
            return arc_error_no_memory(err);
        bool is_factor =
            estimated != NULL && strcmp(child->key, "factor") == 0 && special_is(child, "estimate");
        ArcStatus status = ARC_OK;
        if (is_factor) {
            *estimated = true;
            status = arc_reader_record(reader, path, "estimate", err);
        } else {
            int c = arc_model_channel(experiment, setting->path, child->key, child->key_place, err);
            if (c < 0)
                return ARC_INPUT;
            const ArcParameterInfo *channel = &experiment->equations->channels[c];
            status = sigma_read(channel, path, child, &values[c], err);
            if (status == ARC_OK)
                status = arc_reader_record_number(reader, path, values[c], channel->unit, err);
        }
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

/* The entry of the capture's columns for that role, made where there is none; NULL: too many. */
static ArcColumnChoice *choice_of_role(ArcCaptureSettings *capture, const char *role)
{
    for (int i = 0; i < capture->n_columns; i++)
        if (strcmp(capture->columns[i].role, role) == 0)
            return &capture->columns[i];
    if (capture->n_columns == ARC_CAPTURE_MAX_COLUMNS)
        return NULL;
    capture->columns[capture->n_columns] = (ArcColumnChoice){.role = role};
    return &capture->columns[capture->n_columns++];
}

/* One column of a model's capture by its name or number. */
static ArcStatus column_read(ArcReader *reader, const ArcSetting *setting, const ArcYamlNode *child,
                             ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    const char *key = child->key;
    bool is_own = strcmp(key, "t") == 0 || strcmp(key, "flight") == 0;
    bool is_sigma =
        arc_equations_channel(experiment->equations, key) < 0 && strncmp(key, "sigma_", 6) == 0;
    const char *name = key + (is_sigma ? 6 : 0);
    if (!is_own && arc_model_channel(experiment, setting->path, name, child->key_place, err) < 0)
        return ARC_INPUT;
    ArcStatus status = arc_reader_scalar(setting->path, child, "a column's name", err);
    if (status != ARC_OK)
        return status;
    ArcColumnChoice *choice = choice_of_role(&experiment->capture, key);
    if (choice == NULL)
        return arc_error_set_at(err, ARC_INPUT, child->key_place, "%s has too many entries",
                                setting->path);
    choice->column = child->text;
    choice->place = child->place;
    const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, key);
    return path == NULL ? arc_error_no_memory(err)
                        : arc_reader_record(reader, path, child->text, err);
}

ArcStatus arc_special_columns(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    ArcStatus status = ARC_OK;
    if (reader->experiment->equations == NULL || node->kind != ARC_YAML_MAPPING)
        return special_section(reader, setting, node, err);
    for (const ArcYamlNode *child = node->first; child != NULL && status == ARC_OK;
         child = child->next)
        status = column_read(reader, setting, child, err);
    return status;
}

static ArcStatus unit_read(ArcReader *reader, const ArcSetting *setting, const ArcYamlNode *child,
                           ArcError *err)
{
    ArcCaptureSettings *capture = &reader->experiment->capture;
    ArcStatus status = arc_reader_scalar(setting->path, child, "a unit", err);
    if (status != ARC_OK)
        return status;
    if (strcmp(child->key, "t") == 0) {
        status = arc_unit_slope(child->text, ARC_TIME, child->place, &capture->time_scale_s, err);
    } else {
        int c =
            arc_model_channel(reader->experiment, setting->path, child->key, child->key_place, err);
        if (c < 0)
            return ARC_INPUT;
        const ArcParameterInfo *channel = &reader->experiment->equations->channels[c];
        double one;
        const char *text = arc_arena_format(reader->arena, "1 %s", child->text);
        if (text == NULL)
            return arc_error_no_memory(err);
        status = arc_unit_read_as(text, channel->unit, true, child->place, &one, err);
        ArcColumnChoice *choice = choice_of_role(capture, channel->name);
        if (status == ARC_OK && choice == NULL)
            return arc_error_set_at(err, ARC_INPUT, child->key_place, "%s has too many entries",
                                    setting->path);
        if (status == ARC_OK) {
            choice->unit = child->text;
            choice->place = choice->column == NULL ? child->place : choice->place;
        }
    }
    const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
    if (status != ARC_OK)
        return status;
    return path == NULL ? arc_error_no_memory(err)
                        : arc_reader_record(reader, path, child->text, err);
}

ArcStatus arc_special_units(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    ArcStatus status = ARC_OK;
    if (reader->experiment->equations == NULL || node->kind != ARC_YAML_MAPPING)
        return special_section(reader, setting, node, err);
    for (const ArcYamlNode *child = node->first; child != NULL && status == ARC_OK;
         child = child->next)
        status = unit_read(reader, setting, child, err);
    return status;
}
