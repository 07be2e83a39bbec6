/* Parameters by name: the flight's first, then t0, release position and release velocity, the arm's
 * (parameters_arm.c); then those of the measurement that the file names (cameras.h).
 *
 * A number fixes, `free` frees, a mapping with no `fixed` frees. Ranges of the flight's parameters
 * are its law's; of the release's, what a thrown thing on earth can have. A parameter that the file
 * gives to a law which --set exchanged for another is left out.
 */
#include "base/number.h"
#include "base/text.h"
#include "experiment/arm.h"
#include "experiment/cameras.h"
#include "experiment/model.h"
#include "experiment/sensor.h"
#include "experiment/special.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const ArcParameterInfo release_time = {"t0", "s", 0, -1e9, 1e9, "time of the release"};

/* The same of own equations. */
static const ArcParameterInfo start_time = {"t0", "s", 0, -1e9, 1e9, "time of the start"};

static const ArcParameterInfo release_position[] = {
    {"x0", "m", 0, -1e7, 1e7, "release position along x"},
    {"y0", "m", 0, -1e7, 1e7, "release position along y"},
    {"z0", "m", 0, -1e7, 1e7, "release position along z"},
};

static const ArcParameterInfo release_cartesian[] = {
    {"vx0", "m/s", 0, -1e4, 1e4, "release velocity along x"},
    {"vy0", "m/s", 0, -1e4, 1e4, "release velocity along y"},
    {"vz0", "m/s", 0, -1e4, 1e4, "release velocity along z"},
};

static const ArcParameterInfo release_polar[] = {
    {"speed", "m/s", 0, 0, 1e4, "release speed"},
    {"angle", "rad", 0, -M_PI, M_PI, "release angle above level"},
    {"azimuth", "rad", 0, -2 * M_PI, 2 * M_PI, "release direction in the level, from x towards y"},
};

const ArcParameterInfo *arc_parameter_of_release(int i)
{
    return i == 0   ? &release_time
           : i < 4  ? &release_position[i - 1]
           : i < 7  ? &release_cartesian[i - 4]
           : i < 10 ? &release_polar[i - 7]
                    : NULL;
}

/* Appends a parameter with its default; the flight's are fixed there, the release's are free. */
static void parameters_add(ArcExperiment *experiment, const ArcParameterInfo *info, bool is_free,
                           ArcPlace place)
{
    experiment->parameters[experiment->n_parameters++] = (ArcParameter){.name = info->name,
                                                                        .unit = info->unit,
                                                                        .doc = info->doc,
                                                                        .is_free = is_free,
                                                                        .start = info->value,
                                                                        .low = -INFINITY,
                                                                        .high = INFINITY,
                                                                        .place = place};
}

const ArcParameterInfo *arc_parameter_info(const ArcExperiment *experiment, int i)
{
    int d = experiment->flight_settings.dimensions;
    int n_flight = experiment->flight.n_parameters;
    if (i < n_flight)
        return &experiment->flight.parameters[i];
    if (experiment->equations != NULL && i > n_flight)
        return &experiment->equations->channels[i - n_flight - 1];
    if (experiment->parameters[i].measure != ARC_MEASURE_NONE)
        return arc_measure_info(experiment->parameters[i].measure);
    if (i >= arc_arm_first_parameter(experiment))
        return &experiment->arm.parameters[i - arc_arm_first_parameter(experiment)];
    i -= n_flight;
    if (i == 0)
        return &release_time;
    if (i <= d)
        return &release_position[i - 1];
    i -= d + 1;
    return experiment->release == ARC_RELEASE_POLAR ? &release_polar[i] : &release_cartesian[i];
}

static void parameters_set_default(ArcExperiment *experiment, ArcPlace place)
{
    int n_flight = experiment->flight.n_parameters;
    int n = n_flight + 1 + 2 * experiment->flight_settings.dimensions;
    experiment->n_parameters = 0;
    for (int i = 0; i < n; i++) {
        parameters_add(experiment, arc_parameter_info(experiment, i), i > n_flight, place);
        experiment->parameters[i].sharing = i >= n_flight ? ARC_PER_FLIGHT : ARC_SHARED;
    }
    for (int k = 0; experiment->has_arm && k < experiment->arm.n_parameters; k++)
        parameters_add(experiment, &experiment->arm.parameters[k], false, place);
    if (experiment->has_arm)
        arc_arm_set_parameters(experiment);
}

/* Of own equations: theirs, fixed unless freed, t0, and the starts, which are free. */
static ArcStatus parameters_set_model(ArcReader *reader, ArcPlace place, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    const ArcEquations *equations = experiment->equations;
    int n = equations->n_parameters;
    experiment->n_parameters = 0;
    for (int i = 0; i <= n; i++)
        parameters_add(experiment, i < n ? &equations->parameters[i] : &start_time, false, place);
    for (int c = 0; c < equations->n_channels; c++) {
        ArcParameterInfo info = equations->channels[c];
        info.name = arc_arena_format(reader->arena, "%s0", info.name);
        info.doc = arc_arena_format(reader->arena, "at the start: %s", info.doc);
        if (info.name == NULL || info.doc == NULL)
            return arc_error_no_memory(err);
        parameters_add(experiment, &info, true, place);
    }
    for (int i = n; i < experiment->n_parameters; i++)
        experiment->parameters[i].sharing = ARC_PER_FLIGHT;
    return ARC_OK;
}

static bool list_has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == length && strncmp(at, word, n) == 0)
            return true;
        at += n;
    }
    return false;
}

/* What would bring a parameter of this name: "lift: constant" and the like; empty: nothing. */
static void parameters_owner(const char *name, char owner[64])
{
    static const struct {
        const char *names, *owner;
    } others[] = {{"vx0 vy0", "release: cartesian"},
                  {"vz0", "release: cartesian with dimensions: 3"},
                  {"speed angle", "release: polar"},
                  {"azimuth", "release: polar or arm with dimensions: 3"},
                  {"z0", "dimensions: 3"},
                  {"tilt", "dimensions: 2"},
                  {"tilt_x", "dimensions: 3 with up: y or z"},
                  {"tilt_y", "dimensions: 3 with up: x or z"},
                  {"tilt_z", "dimensions: 3 with up: x or y"},
                  {"restitution friction spin_coupling", "bounce: {plane: ..}"},
                  {"spin", "a lift law or drag by spin with dimensions: 2"},
                  {"wx wy wz", "a lift law or drag by spin with dimensions: 3"}};
    owner[0] = '\0';
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (list_has_word(others[i].names, name))
            snprintf(owner, 64, "%s", others[i].owner);
    }
    int n;
    const ArcLaw *laws = arc_drag_laws(&n);
    for (int i = 0; i < n; i++) {
        if (list_has_word(laws[i].parameters, name))
            snprintf(owner, 64, "drag: %s", laws[i].name);
    }
    laws = arc_lift_laws(&n);
    for (int i = 0; i < n; i++) {
        if (list_has_word(laws[i].parameters, name))
            snprintf(owner, 64, "lift: %s", laws[i].name);
    }
    laws = arc_spin_decay_laws(&n);
    for (int i = 0; i < n; i++) {
        if (list_has_word(laws[i].parameters, name))
            snprintf(owner, 64, "spin_decay: %s", laws[i].name);
    }
}

/* True for a parameter of the file's law where --set names another law: it has nothing to set. */
static bool parameters_leave_out(const ArcReader *reader, const ArcYamlNode *node)
{
    const ArcYamlNode *flight = arc_yaml_find(reader->root, "flight");
    char owner[64];
    parameters_owner(node->key, owner);
    arc_arm_owner(reader->experiment, node->key, owner);
    if (strstr(owner, "arm") != NULL && arc_arm_is_left_out(reader))
        return !special_is_overridden(node);
    if (flight == NULL || special_is_overridden(node) || special_is_overridden(flight))
        return false;
    if (strncmp(owner, "drag: ", 6) == 0)
        return special_is_overridden(arc_yaml_find(flight, "drag"));
    if (strncmp(owner, "lift: ", 6) == 0)
        return special_is_overridden(arc_yaml_find(flight, "lift"));
    if (strncmp(owner, "spin_decay: ", 12) == 0)
        return special_is_overridden(arc_yaml_find(flight, "spin_decay"));
    if (strncmp(owner, "bounce: ", 8) == 0)
        return special_is_overridden(arc_yaml_find(flight, "bounce"));
    /* A spin goes with the laws that feel it, not with the dimensions. */
    return strstr(owner, "lift law") != NULL && !reader->experiment->flight.has_rotation &&
           (special_is_overridden(arc_yaml_find(flight, "lift")) ||
            special_is_overridden(arc_yaml_find(flight, "drag")));
}

/* NAME.scale and the like of a camera that there is not, or that has no such thing. */
static ArcStatus parameters_refuse_camera(const ArcExperiment *experiment, const ArcYamlNode *node,
                                          int length, const char *name, ArcError *err)
{
    const ArcCaptureSettings *capture = &experiment->capture;
    char list[512] = "";
    size_t used = 0;
    if (strcmp(name + length + 1, arc_measure_info(ARC_MEASURE_CLOCK_RATE)->name) == 0)
        return arc_error_set_at(err, ARC_INPUT, node->key_place,
                                "'%s' is of all cameras together; write it without '%.*s.'",
                                name + length + 1, length, name);
    for (int c = 0; c < capture->n_cameras && used < sizeof list; c++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", c == 0 ? "" : ", ",
                                 capture->cameras[c].name);
    return arc_error_set_at(err, ARC_INPUT, node->key_place,
                            "unknown parameter '%.60s' of '%.*s'; this experiment's cameras are "
                            "%s, and `arcfit help settings` lists what of a camera can be one",
                            name + length + 1, length, name, list);
}

static ArcStatus parameters_refuse(const ArcExperiment *experiment, const ArcYamlNode *node,
                                   const char *name, ArcError *err)
{
    char owner[64];
    const char *names[ARC_MAX_PARAMETERS];
    char list[512] = "";
    size_t used = 0;
    int n = 0;
    for (int i = 0; i < experiment->n_parameters; i++) {
        if (experiment->parameters[i].is_tied)
            continue;
        names[n++] = experiment->parameters[i].name;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", n == 1 ? "" : ", ",
                                     names[n - 1]);
    }
    const char *dot = strchr(name, '.');
    if (dot != NULL && experiment->capture.n_cameras > 0)
        return parameters_refuse_camera(experiment, node, (int)(dot - name), name, err);
    parameters_owner(name, owner);
    arc_arm_owner(experiment, name, owner);
    arc_measure_owner(experiment, name, owner);
    if (experiment->equations != NULL)
        return arc_model_refuse_parameter(experiment, node, err);
    if (owner[0] != '\0')
        return arc_error_set_at(err, ARC_INPUT, node->key_place,
                                "the parameter '%s' belongs to %s, which this flight does not "
                                "have; its parameters are %s",
                                name, owner, list);
    const char *nearest = arc_text_nearest(name, n, names);
    return arc_error_set_at(err, ARC_INPUT, node->key_place,
                            "unknown parameter '%.100s'%s%s%s this flight has %s", node->key,
                            nearest == NULL ? "" : "; did you mean '",
                            nearest == NULL ? "" : nearest, nearest == NULL ? ";" : "'?", list);
}

ArcStatus arc_parameter_read(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    double value;
    ArcStatus status = arc_reader_parameter(reader, setting->path, setting->node, &value, err);
    if (status == ARC_OK)
        memcpy((char *)setting->base + setting->row->offset, &value, sizeof value);
    return status;
}

ArcStatus arc_parameter_read_sd(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    double sd;
    ArcStatus status = arc_reader_scalar(setting->path, node, setting->row->accepts, err);
    if (status == ARC_OK)
        status = arc_unit_read_as(node->text, reader->parameter.unit, true, node->place, &sd, err);
    if (status != ARC_OK)
        return status;
    if (!(sd >= 1e-100 && sd <= 1e100))
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s is '%.100s'; a standard deviation is above 0 and below 1e100",
                                setting->path, node->text);
    memcpy((char *)setting->base + setting->row->offset, &sd, sizeof sd);
    return ARC_OK;
}

ArcStatus arc_parameter_read_prior(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcParameter *parameter = setting->base;
    parameter->has_prior = true;
    return arc_reader_section(reader, setting->row->path, setting, err);
}

/* A start, given or default, must lie inside the bounds; the release's may come from the data. */
static ArcStatus parameter_check_start(const ArcReader *reader, const ArcParameter *parameter,
                                       const ArcYamlNode *node, bool has_default, ArcError *err)
{
    if (!parameter->has_start && !has_default)
        return ARC_OK;
    if (parameter->start >= parameter->low && parameter->start <= parameter->high)
        return ARC_OK;
    char start[ARC_NUMBER_TEXT], low[ARC_NUMBER_TEXT], high[ARC_NUMBER_TEXT];
    ArcPlace place = arc_reader_place(node, parameter->has_start ? "start" : "bounds");
    return arc_error_set_at(err, ARC_INPUT, place,
                            "%s %s of '%s' is outside its bounds %s to %s %s%s",
                            parameter->has_start ? "the start" : "the default start",
                            arc_number_write_digits(start, parameter->start, 6), parameter->name,
                            arc_number_write_digits(low, parameter->low, 6),
                            arc_number_write_digits(high, parameter->high, 6),
                            reader->parameter.unit, parameter->has_start ? "" : "; give a start");
}

static ArcStatus parameter_read_mapping(ArcReader *reader, const ArcSetting *setting,
                                        bool has_default, ArcError *err)
{
    ArcParameter *parameter = setting->base;
    const ArcYamlNode *node = setting->node;
    ArcStatus status = arc_reader_section(reader, "parameters.NAME", setting, err);
    if (status != ARC_OK)
        return status;
    const ArcYamlNode *fixed = arc_yaml_find(node, "fixed");
    if (fixed != NULL && node->n_children > 1) {
        const ArcYamlNode *other = node->first == fixed ? fixed->next : node->first;
        return arc_error_set_at(err, ARC_INPUT, other->key_place,
                                "'%s' contradicts 'fixed' in %s; keep one of them", other->key,
                                setting->path);
    }
    parameter->is_free = fixed == NULL;
    if (fixed != NULL || arc_yaml_find(node, "start") != NULL)
        parameter->has_start = true;
    return parameter_check_start(reader, parameter, node, has_default, err);
}

static ArcStatus parameter_read_one(ArcReader *reader, const ArcSetting *setting, bool has_default,
                                    ArcError *err)
{
    ArcParameter *parameter = setting->base;
    const ArcYamlNode *node = setting->node;
    if (node->kind == ARC_YAML_MAPPING)
        return parameter_read_mapping(reader, setting, has_default, err);
    ArcStatus status = arc_reader_scalar(setting->path, node, "a number, free, or a mapping", err);
    if (status != ARC_OK)
        return status;
    if (strcmp(node->text, "free") == 0) {
        parameter->is_free = true;
        return arc_reader_record(reader, setting->path, "free", err);
    }
    if (strcmp(node->text, "fixed") == 0)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s: to fix a parameter give its value, a number", setting->path);
    status = arc_reader_parameter(reader, setting->path, node, &parameter->start, err);
    if (status != ARC_OK)
        return status;
    parameter->is_free = false;
    parameter->has_start = true;
    status = parameter_check_start(reader, parameter, node, has_default, err);
    if (status != ARC_OK)
        return status;
    return arc_reader_record_number(reader, setting->path, parameter->start, reader->parameter.unit,
                                    err);
}

/* The constant law needs a direction of lift, which a spin of zero does not have. */
static ArcStatus parameters_check_spin(const ArcReader *reader, ArcError *err)
{
    const ArcExperiment *experiment = reader->experiment;
    if (experiment->flight_settings.lift != ARC_LIFT_CONSTANT)
        return ARC_OK;
    const ArcYamlNode *flight = arc_yaml_find(reader->root, "flight");
    ArcPlace place = arc_reader_place(flight == NULL ? reader->root : flight, "lift");
    const ArcYamlNode *given = arc_yaml_find(reader->root, "parameters");
    for (int i = 0; i < experiment->flight.n_parameters; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        if (strcmp(parameter->unit, "rad/s") != 0)
            continue;
        if (parameter->start != 0)
            return ARC_OK;
        if (given != NULL && arc_yaml_find(given, parameter->name) != NULL)
            place = parameter->place;
    }
    return arc_error_set_at(err, ARC_INPUT, place,
                            "with constant lift a spin of zero has no direction; give %s a value "
                            "or a start other than 0",
                            experiment->flight_settings.dimensions == 2 ? "spin" : "wx, wy or wz");
}

int arc_measure_add(ArcExperiment *experiment, const char *name, ArcPlace place)
{
    int measure, camera, n = experiment->n_parameters;
    if (experiment->equations != NULL || n == ARC_MAX_PARAMETERS ||
        !arc_measure_find(experiment, name, &measure, &camera))
        return -1;
    parameters_add(experiment, arc_measure_info(measure), true, place);
    experiment->parameters[n].name = name;
    experiment->parameters[n].measure = measure;
    experiment->parameters[n].camera = camera;
    return n;
}

/* What an earlier entry said of the parameter. */
static void parameters_forget(ArcParameter *parameter)
{
    parameter->is_free = true;
    parameter->has_start = parameter->has_prior = parameter->has_reading = false;
    parameter->start = arc_measure_info(parameter->measure)->value;
    parameter->sharing = ARC_SHARED;
    parameter->low = -INFINITY;
    parameter->high = INFINITY;
}

/* One entry, whose name is prefix and key. */
static ArcStatus parameters_read_entry(ArcReader *reader, const ArcSetting *setting,
                                       const ArcYamlNode *child, const char *prefix, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    const char *name = arc_arena_format(reader->arena, "%s%s", prefix, child->key);
    const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
    if (name == NULL || path == NULL)
        return arc_error_no_memory(err);
    int i = arc_experiment_parameter(experiment, name);
    if (i < 0)
        i = arc_measure_add(experiment, name, child->key_place);
    else if (experiment->parameters[i].measure != ARC_MEASURE_NONE)
        parameters_forget(&experiment->parameters[i]); /* "cam1.scale" and scale of cam1 */
    if (i < 0 && experiment->equations == NULL && prefix[0] == '\0' &&
        parameters_leave_out(reader, child))
        return ARC_OK;
    if (i < 0)
        return parameters_refuse(experiment, child, name, err);
    if (experiment->parameters[i].is_tied)
        return arc_arm_refuse_tied(experiment, child, err);
    reader->parameter = *arc_parameter_info(experiment, i);
    experiment->parameters[i].place = child->key_place;
    ArcSetting one = {setting->row, path, child, &experiment->parameters[i]};
    bool has_default = i < experiment->flight.n_parameters || arc_arm_has_default(experiment, i);
    return parameter_read_one(reader, &one, has_default, err);
}

/* All entries of a mapping; one of a camera's name holds that camera's. */
static ArcStatus parameters_read_all(ArcReader *reader, const ArcSetting *setting,
                                     const ArcYamlNode *node, ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (const ArcYamlNode *child = node->first; child != NULL && status == ARC_OK;
         child = child->next) {
        bool is_camera = child->kind == ARC_YAML_MAPPING &&
                         arc_measure_is_camera(reader->experiment, child->key);
        if (!is_camera) {
            status = parameters_read_entry(reader, setting, child, "", err);
            continue;
        }
        const char *inner = arc_arena_format(reader->arena, "%s.", child->key);
        const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
        if (inner == NULL || path == NULL)
            return arc_error_no_memory(err);
        ArcSetting of_camera = *setting;
        of_camera.path = path;
        for (const ArcYamlNode *own = child->first; own != NULL && status == ARC_OK;
             own = own->next)
            status = parameters_read_entry(reader, &of_camera, own, inner, err);
    }
    return status;
}

ArcStatus arc_parameters_read(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    const ArcYamlNode *node = setting->node;
    if (node->kind != ARC_YAML_MAPPING)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s is %s; wanted: %s", setting->path,
                                arc_yaml_is_null(node) ? "empty" : arc_yaml_kind_text(node),
                                setting->row->accepts);
    ArcPlace place = node->key != NULL ? node->key_place : node->place;
    ArcStatus status = ARC_OK;
    if (experiment->equations == NULL)
        parameters_set_default(experiment, place);
    else
        status = parameters_set_model(reader, place, err);
    if (status == ARC_OK)
        status = parameters_read_all(reader, setting, node, err);
    if (status == ARC_OK)
        status = arc_sensor_add_parameters(reader, err);
    return status == ARC_OK ? parameters_check_spin(reader, err) : status;
}

int arc_experiment_parameter(const ArcExperiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, name) == 0)
            return i;
    return -1;
}
