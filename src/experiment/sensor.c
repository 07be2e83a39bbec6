/* What an experiment says of its sensors (arcfit/sensor.h): capture.sensor, and of simulate.noise
 * what has the same words. */
#include "experiment/sensor.h"

#include "experiment/cameras.h"
#include "experiment/special.h"

#include <math.h>

static ArcStatus refuse_model(const ArcSetting *setting, ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT, setting->node->place,
                            "%s is of positions and pixels, not of the channels of a model; leave "
                            "it out",
                            setting->path);
}

/* The field of the same in pixels. */
static double *pixels_of(ArcExperiment *experiment, const char *path)
{
    bool is_simulated = strncmp(path, "simulate.", 9) == 0;
    ArcSensor *sensor =
        is_simulated ? &experiment->simulate.noise.sensor : &experiment->capture.sensor;
    return strstr(path, ".bias") != NULL ? &sensor->bias_px : &sensor->quantisation_px;
}

ArcStatus arc_special_sensor_size(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcStatus status;
    double size = NAN;
    if (reader->experiment->equations != NULL)
        return refuse_model(setting, err);
    double *px = pixels_of(reader->experiment, setting->row->path);
    if (!arc_special_read_pixels(setting, px, &status, err))
        status = arc_reader_number(setting->row, setting->path, setting->node, &size, err);
    if (status == ARC_OK)
        memcpy((char *)setting->base + setting->row->offset, &size, sizeof size);
    return status;
}

ArcStatus arc_special_latency(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    if (reader->experiment->equations != NULL)
        return refuse_model(setting, err);
    if (node->kind == ARC_YAML_MAPPING)
        return special_section(reader, setting, node, err);
    if (node->kind != ARC_YAML_SCALAR || special_is_word(node))
        return special_refuse(setting, NULL, err);
    bool is_simulated = strncmp(setting->row->path, "simulate.", 9) == 0;
    const ArcSettingRow *row = arc_setting_find(is_simulated ? "simulate.noise.latency.mean"
                                                             : "capture.sensor.latency.mean");
    ArcSensor *sensor = is_simulated ? &reader->experiment->simulate.noise.sensor
                                     : &reader->experiment->capture.sensor;
    sensor->latency_sd_s = 0.0;
    return arc_reader_number(row, setting->path, node, &sensor->latency_s, err);
}

ArcStatus arc_special_sensor(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcCaptureSettings *capture = &reader->experiment->capture;
    ArcSensor *sensor = &capture->sensor;
    const ArcYamlNode *node = setting->node;
    sensor->place = node->key != NULL ? node->key_place : node->place;
    ArcStatus status = special_section(reader, setting, node, err);
    if (status != ARC_OK)
        return status;
    const ArcYamlNode *grid = arc_yaml_find(node, "quantisation");
    if (grid != NULL && capture->sigma_estimated)
        return arc_error_set_at(err, ARC_INPUT, grid->key_place,
                                "an estimated sigma has the rounding in it; leave quantisation "
                                "out, or give capture.sigma a size");
    return ARC_OK;
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

ArcStatus arc_sensor_check_same(const ArcCaptureSettings *first, const ArcCaptureSettings *other,
                                ArcError *err)
{
    const ArcSensor *a = &first->sensor, *b = &other->sensor;
    if (is_same(a->quantisation_m, b->quantisation_m) &&
        is_same(a->quantisation_px, b->quantisation_px) && is_same(a->bias_m, b->bias_m) &&
        is_same(a->bias_px, b->bias_px) && is_same(a->latency_s, b->latency_s) &&
        is_same(a->latency_sd_s, b->latency_sd_s))
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, b->place.file != NULL ? b->place : other->place,
                            "flights fitted together have one sensor; give every capture the same "
                            "`sensor`");
}

/* A size in pixels for points in metres, or the other way round. */
static ArcStatus check_units(const ArcExperiment *experiment, bool is_px, ArcError *err)
{
    const ArcSensor *sensor = &experiment->capture.sensor;
    const char *what = !isnan(is_px ? sensor->bias_m : sensor->bias_px) ? "bias"
                       : !isnan(is_px ? sensor->quantisation_m : sensor->quantisation_px)
                           ? "quantisation"
                           : NULL;
    if (what == NULL)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, sensor->place,
                            "capture.sensor.%s is %s, but the capture's points are %s; give it in "
                            "%s",
                            what, is_px ? "a length" : "in pixels", is_px ? "pixels" : "in metres",
                            is_px ? "px, as 1 px" : "a unit of length, as 1 mm");
}

/* One parameter with its prior; sd 0 fixes it at the mean. */
static ArcStatus add_parameter(ArcReader *reader, const char *camera, int measure, double mean,
                               double sd, ArcError *err)
{
    ArcExperiment *experiment = reader->experiment;
    ArcPlace place = experiment->capture.sensor.place;
    const char *own = arc_measure_info(measure)->name;
    const char *name = camera == NULL ? own : arc_arena_format(reader->arena, "%s.%s", camera, own);
    if (name == NULL)
        return arc_error_no_memory(err);
    int found, of_camera;
    if (!arc_measure_find(experiment, name, &found, &of_camera))
        return ARC_OK;
    for (int i = 0; i < experiment->n_parameters; i++)
        if (experiment->parameters[i].measure == found &&
            experiment->parameters[i].camera == of_camera)
            return ARC_OK;
    int i = arc_measure_add(experiment, name, place);
    if (i < 0)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "no room for '%s' among the parameters; leave some out", name);
    ArcParameter *parameter = &experiment->parameters[i];
    parameter->is_free = parameter->has_prior = sd > 0.0;
    parameter->has_start = true;
    parameter->start = parameter->prior_mean = mean;
    parameter->prior_sd = sd;
    return ARC_OK;
}

ArcStatus arc_sensor_add_parameters(ArcReader *reader, ArcError *err)
{
    const ArcExperiment *experiment = reader->experiment;
    const ArcCaptureSettings *capture = &experiment->capture;
    const ArcSensor *sensor = &capture->sensor;
    bool is_px = capture->n_cameras > 0 || capture->position_is_px;
    double bias = is_px ? sensor->bias_px : sensor->bias_m;
    int first = is_px ? ARC_MEASURE_BIAS_U : ARC_MEASURE_BIAS_X;
    int n_axes = is_px ? 2 : experiment->flight_settings.dimensions;
    ArcStatus status = check_units(experiment, is_px, err);
    for (int c = 0; c < (capture->n_cameras > 0 ? capture->n_cameras : 1); c++) {
        const char *camera = capture->n_cameras > 1 ? capture->cameras[c].name : NULL;
        for (int k = 0; k < n_axes && status == ARC_OK && !isnan(bias); k++)
            status = add_parameter(reader, camera, first + k, 0.0, bias, err);
        if (status == ARC_OK && !isnan(sensor->latency_s))
            status = add_parameter(reader, camera, ARC_MEASURE_LATENCY, sensor->latency_s,
                                   sensor->latency_sd_s, err);
    }
    return status;
}
