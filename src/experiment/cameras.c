/* The cameras of a capture, and what of the measurement can be a parameter.
 *
 * A camera's parameters are called CAMERA.NAME; with one camera, or positions in metres, NAME alone
 * does. In the file either `cam1.scale: free` or `cam1: {scale: free}`.
 */
#include "experiment/cameras.h"

#include "experiment/special.h"

#include <math.h>
#include <stdio.h>

/* In the order of the corrections (camera.h), after those that are none. */
static const ArcParameterInfo measures[ARC_N_MEASURES] = {
    [ARC_MEASURE_CLOCK_RATE] = {"clock_rate", "1", 1, 1e-3, 1e3, "true times over the file's"},
    [ARC_MEASURE_TIME_OFFSET] = {"time_offset", "s", 0, -1e6, 1e6,
                                 "true time less the camera's clock"},
    [ARC_MEASURE_LATENCY] = {"latency", "s", 0, -1e6, 1e6, "stated times less the true ones"},
    [ARC_MEASURE_LINE_TIME] = {"line_time", "s", 0, -1, 1,
                               "of a rolling shutter, from one row to the next"},
    [ARC_MEASURE_SIGMA] = {"sigma", "1", 1, 1e-3, 1e3, "factor of the camera's sigmas"},
    [ARC_MEASURE_RADIUS_BIAS] = {"radius_bias", "px", 0, -1e3, 1e3,
                                 "what the apparent radius is read too large"},
    [ARC_MEASURE_BIAS_U] = {"bias_u", "px", 0, -1e6, 1e6, "what u is read too large"},
    [ARC_MEASURE_BIAS_V] = {"bias_v", "px", 0, -1e6, 1e6, "what v is read too large"},
    [ARC_MEASURE_BIAS_X] = {"bias_x", "m", 0, -1e6, 1e6, "what x is read too large"},
    [ARC_MEASURE_BIAS_Y] = {"bias_y", "m", 0, -1e6, 1e6, "what y is read too large"},
    [ARC_MEASURE_BIAS_Z] = {"bias_z", "m", 0, -1e6, 1e6, "what z is read too large"},
    [ARC_MEASURE_CORRECTION +
        ARC_CORRECTION_SCALE] = {"scale", "1", 1, 1e-9, 1e9, "true lengths over the calibration's"},
    [ARC_MEASURE_CORRECTION + ARC_CORRECTION_ROLL] = {"roll", "rad", 0, -M_PI, M_PI,
                                                      "how far the camera is turned clockwise"},
    [ARC_MEASURE_CORRECTION +
        ARC_CORRECTION_X] = {"x", "m", 0, -1e6, 1e6, "camera's place, correction along x"},
    [ARC_MEASURE_CORRECTION +
        ARC_CORRECTION_Y] = {"y", "m", 0, -1e6, 1e6, "camera's place, correction along y"},
    [ARC_MEASURE_CORRECTION +
        ARC_CORRECTION_Z] = {"z", "m", 0, -1e6, 1e6, "camera's place, correction along z"},
    [ARC_MEASURE_CORRECTION + ARC_CORRECTION_RX] = {"rx", "rad", 0, -M_PI, M_PI,
                                                    "camera's turn about its axis to the right"},
    [ARC_MEASURE_CORRECTION + ARC_CORRECTION_RY] = {"ry", "rad", 0, -M_PI, M_PI,
                                                    "camera's turn about its axis downwards"},
    [ARC_MEASURE_CORRECTION +
        ARC_CORRECTION_RZ] = {"rz", "rad", 0, -M_PI, M_PI, "camera's turn about its optical axis"},
    [ARC_MEASURE_CORRECTION +
        ARC_CORRECTION_FOCAL] = {"focal", "1", 1, 1e-2, 1e2, "factor of the focal lengths"},
};

const ArcParameterInfo *arc_measure_info(int measure)
{
    return &measures[measure];
}

/* The camera of that name; -1: none. */
static int find_camera(const ArcCaptureSettings *capture, const char *name, size_t length)
{
    for (int c = 0; c < capture->n_cameras; c++)
        if (strlen(capture->cameras[c].name) == length &&
            strncmp(capture->cameras[c].name, name, length) == 0)
            return c;
    return -1;
}

bool arc_measure_is_camera(const ArcExperiment *experiment, const char *name)
{
    return find_camera(&experiment->capture, name, strlen(name)) >= 0;
}

bool arc_measure_find(const ArcExperiment *experiment, const char *name, int *measure, int *camera)
{
    const ArcCaptureSettings *capture = &experiment->capture;
    const char *dot = strrchr(name, '.'), *own = dot == NULL ? name : dot + 1;
    bool is_alone = capture->n_cameras < 2;
    *camera = dot == NULL ? 0 : find_camera(capture, name, (size_t)(dot - name));
    if (*camera < 0)
        return false;
    if (dot == NULL && capture->n_cameras == 0 && !capture->position_is_px)
        *camera = -1;
    for (*measure = ARC_MEASURE_NONE + 1; *measure < ARC_N_MEASURES; ++*measure) {
        if (strcmp(measures[*measure].name, own) != 0)
            continue;
        return *measure == ARC_MEASURE_CLOCK_RATE ? dot == NULL : dot != NULL || is_alone;
    }
    return false;
}

void arc_measure_owner(const ArcExperiment *experiment, const char *name, char owner[64])
{
    const ArcCaptureSettings *capture = &experiment->capture;
    const char *dot = strrchr(name, '.'), *own = dot == NULL ? name : dot + 1;
    for (int measure = ARC_MEASURE_NONE + 1; measure < ARC_N_MEASURES; measure++) {
        if (strcmp(measures[measure].name, own) != 0)
            continue;
        if (dot == NULL && capture->n_cameras > 1)
            snprintf(owner, 64, "one camera (%.20s.%.20s)", capture->cameras[0].name, own);
        else if (measure == ARC_MEASURE_CLOCK_RATE)
            snprintf(owner, 64, "all cameras (clock_rate)");
        else
            snprintf(owner, 64, "a camera of that name");
    }
}

/* So many numbers of the row's quantity and range into its field. */
static ArcStatus read_numbers(const ArcSetting *setting, int least, int *n, ArcError *err)
{
    const ArcYamlNode *node = setting->node;
    int most = (int)(setting->row->size / sizeof(double));
    double *field = (double *)((char *)setting->base + setting->row->offset);
    if (node->kind != ARC_YAML_SEQUENCE)
        return special_refuse(setting, NULL, err);
    if (node->n_children < least || node->n_children > most)
        return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d entries; wanted: %s",
                                setting->path, node->n_children, setting->row->accepts);
    *n = 0;
    for (const ArcYamlNode *item = node->first; item != NULL; item = item->next) {
        double value;
        ArcStatus status = arc_reader_number(setting->row, setting->path, item, &value, err);
        if (status != ARC_OK)
            return status;
        field[(*n)++] = value;
    }
    return ARC_OK;
}

ArcStatus arc_special_numbers(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    (void)reader;
    int n, all = (int)(setting->row->size / sizeof(double));
    return read_numbers(setting, all, &n, err);
}

/* One focal length serves both axes. */
ArcStatus arc_special_focal(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcCameraSettings *camera = setting->base;
    if (setting->node->kind == ARC_YAML_SEQUENCE)
        return arc_special_numbers(reader, setting, err);
    ArcStatus status =
        arc_reader_number(setting->row, setting->path, setting->node, &camera->focal_px[0], err);
    camera->focal_px[1] = camera->focal_px[0];
    return status;
}

ArcStatus arc_special_lens(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    (void)reader;
    ArcCameraSettings *camera = setting->base;
    return read_numbers(setting, 0, &camera->n_lens, err);
}

ArcStatus arc_special_part(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    if (setting->node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    return arc_reader_section(reader, setting->row->path, setting, err);
}

static ArcStatus camera_check_name(const ArcYamlNode *node, ArcError *err)
{
    size_t length = strlen(node->key);
    bool is_plain =
        length >= 1 && length <= ARC_CAMERA_NAME && strpbrk(node->key, "., \t\"'#:{}[]=") == NULL;
    if (is_plain)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, node->key_place,
                            "'%.100s' is no name for a camera: 1 to %d characters without . , : # "
                            "= and quotes",
                            node->key, ARC_CAMERA_NAME);
}

ArcStatus arc_special_cameras(ArcReader *reader, const ArcSetting *setting, ArcError *err)
{
    ArcCaptureSettings *capture = &reader->experiment->capture;
    const ArcYamlNode *node = setting->node;
    const ArcSettingRow *row = arc_setting_find("capture.cameras.NAME");
    if (node->kind != ARC_YAML_MAPPING)
        return special_refuse(setting, NULL, err);
    for (const ArcYamlNode *child = node->first; child != NULL; child = child->next) {
        ArcCameraSettings *camera = &capture->cameras[capture->n_cameras];
        if (capture->n_cameras == ARC_MAX_CAMERAS)
            return arc_error_set_at(err, ARC_INPUT, child->key_place,
                                    "more than %d cameras; leave some out", ARC_MAX_CAMERAS);
        ArcStatus status = camera_check_name(child, err);
        if (status != ARC_OK)
            return status;
        *camera = arc_camera_settings_default();
        camera->name = child->key;
        camera->place = child->key_place;
        const char *path = arc_arena_format(reader->arena, "%s.%s", setting->path, child->key);
        if (path == NULL)
            return arc_error_no_memory(err);
        ArcSetting one = {row, path, child, camera};
        status = arc_special_part(reader, &one, err);
        if (status != ARC_OK)
            return status;
        capture->n_cameras++;
    }
    return ARC_OK;
}
