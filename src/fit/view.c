/* True times and what is seen, with partials. */
#include "fit/view.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

static double value_of(const ArcViewCamera *camera, const double *theta, int measure, double other)
{
    int m = camera->parameter[measure];
    return m < 0 ? other : theta[m];
}

double arc_view_time(const ArcView *view, const double *theta, int point, double file_s)
{
    if (!view->moves)
        return file_s;
    const ArcViewCamera *camera = &view->cameras[view->camera[point]];
    double rate = view->clock_rate < 0 ? 1.0 : theta[view->clock_rate];
    return view->reference_s + rate * (file_s - view->reference_s) +
           value_of(camera, theta, ARC_MEASURE_TIME_OFFSET, 0.0) -
           value_of(camera, theta, ARC_MEASURE_LATENCY, 0.0) +
           value_of(camera, theta, ARC_MEASURE_LINE_TIME, 0.0) * view->row_px[point];
}

static void fill_corrections(const ArcViewCamera *camera, const double *theta,
                             double corrections[ARC_N_CORRECTIONS])
{
    for (int k = 0; k < ARC_N_CORRECTIONS; k++)
        corrections[k] = value_of(camera, theta, ARC_MEASURE_CORRECTION + k,
                                  arc_correction_neutral((ArcCorrection)k));
}

/* A position as it was measured: turned and in another unit. */
static void look_in_metres(const ArcView *view, const double *corrections, const double *x,
                           ArcProjection *out)
{
    double scale = corrections[ARC_CORRECTION_SCALE], roll = corrections[ARC_CORRECTION_ROLL];
    double c = cos(roll), s = sin(roll), y[ARC_VIEW_NUMBERS] = {0};
    memset(out, 0, sizeof *out);
    for (int i = 0; i < view->d; i++)
        out->by_position[i][i] = 1.0 / scale;
    if (view->d == 2) {
        out->by_position[0][0] = out->by_position[1][1] = c / scale;
        out->by_position[1][0] = s / scale;
        out->by_position[0][1] = -s / scale;
    }
    for (int i = 0; i < view->d; i++) {
        y[i] = cblas_ddot(view->d, out->by_position[i], 1, x, 1);
        out->by_correction[i][ARC_CORRECTION_SCALE] = -y[i] / scale;
    }
    out->by_correction[0][ARC_CORRECTION_ROLL] = -y[1];
    out->by_correction[1][ARC_CORRECTION_ROLL] = y[0];
    out->pixel_px[0] = y[0];
    out->pixel_px[1] = y[1];
    out->radius_px = view->d > 2 ? y[2] : NAN;
}

/* Rate of the true time with each parameter of the measurement, times by_t = h_x v of number i. */
static void add_clocks(const ArcView *view, const ArcViewCamera *camera, const ArcGlance *glance,
                       double by_t, double *by_m)
{
    int offset = camera->parameter[ARC_MEASURE_TIME_OFFSET];
    int latency = camera->parameter[ARC_MEASURE_LATENCY];
    int line = camera->parameter[ARC_MEASURE_LINE_TIME];
    if (view->clock_rate >= 0)
        by_m[view->clock_rate] += by_t * (glance->file_s - view->reference_s);
    if (offset >= 0)
        by_m[offset] += by_t;
    if (latency >= 0)
        by_m[latency] -= by_t;
    if (line >= 0)
        by_m[line] += by_t * view->row_px[glance->point];
}

/* The parameter that number i of a camera's points is off by; -1: there is none. */
static int bias_of(const ArcViewCamera *camera, int i)
{
    if (camera->is_metres)
        return camera->parameter[ARC_MEASURE_BIAS_X + i];
    return i < 2 ? camera->parameter[ARC_MEASURE_BIAS_U + i]
                 : camera->parameter[ARC_MEASURE_RADIUS_BIAS];
}

static void fill_partials(const ArcView *view, const ArcViewCamera *camera,
                          const ArcProjection *seen, const ArcGlance *glance)
{
    int d = view->d, D = glance->D, M = view->M;
    memset(glance->by_x, 0, sizeof(double) * ARC_VIEW_NUMBERS * (size_t)D);
    memset(glance->by_m, 0, sizeof(double) * ARC_VIEW_NUMBERS * (size_t)M);
    for (int i = 0; i < ARC_VIEW_NUMBERS; i++) {
        double *by_m = glance->by_m + i * M;
        memcpy(glance->by_x + i * D, seen->by_position[i], sizeof(double) * (size_t)d);
        for (int k = 0; k < ARC_N_CORRECTIONS; k++) {
            int m = camera->parameter[ARC_MEASURE_CORRECTION + k];
            if (m >= 0)
                by_m[m] = seen->by_correction[i][k];
        }
        add_clocks(view, camera, glance, cblas_ddot(d, seen->by_position[i], 1, glance->v, 1),
                   by_m);
        int bias = bias_of(camera, i);
        if (bias >= 0 && isfinite(glance->y[i]))
            by_m[bias] = 1.0;
    }
}

void arc_view_look(const ArcView *view, const double *theta, const ArcGlance *glance)
{
    const ArcViewCamera *camera = &view->cameras[view->camera[glance->point]];
    double corrections[ARC_N_CORRECTIONS];
    ArcProjection seen;
    memset(&seen, 0, sizeof seen);
    fill_corrections(camera, theta, corrections);
    bool is_seen = true;
    if (camera->is_metres)
        look_in_metres(view, corrections, glance->x, &seen);
    else
        is_seen =
            arc_camera_project(&camera->camera, corrections, glance->x, view->radius_m, &seen);
    const double numbers[ARC_VIEW_NUMBERS] = {seen.pixel_px[0], seen.pixel_px[1], seen.radius_px};
    for (int i = 0; i < ARC_VIEW_NUMBERS; i++) {
        int bias = bias_of(camera, i);
        glance->y[i] = !is_seen ? NAN : numbers[i] + (bias < 0 ? 0.0 : theta[bias]);
    }
    if (glance->by_x != NULL)
        fill_partials(view, camera, &seen, glance);
}

ArcCamera arc_view_corrected(const ArcView *view, const double *theta, int camera)
{
    double corrections[ARC_N_CORRECTIONS];
    fill_corrections(&view->cameras[camera], theta, corrections);
    return arc_camera_corrected(&view->cameras[camera].camera, corrections);
}

static ArcStatus view_take_cameras(ArcView *view, const ArcExperiment *experiment,
                                   const ArcCapture *capture, ArcArena *arena, ArcError *err)
{
    view->n_cameras = capture->n_cameras + 1;
    view->cameras = ARC_ALLOC(arena, (size_t)view->n_cameras, ArcViewCamera);
    if (view->cameras == NULL)
        return arc_error_no_memory(err);
    for (int c = 0; c < view->n_cameras; c++) {
        ArcViewCamera *camera = &view->cameras[c];
        camera->is_metres = c == capture->n_cameras;
        camera->place = c < experiment->capture.n_cameras ? experiment->capture.cameras[c].place
                                                          : experiment->capture.place;
        camera->per_m = 1.0;
        for (int k = 0; k < ARC_N_MEASURES; k++)
            camera->parameter[k] = -1;
        if (camera->is_metres) {
            camera->name = "";
            continue;
        }
        camera->camera = capture->cameras[c];
        const char *name = capture->cameras[c].name != NULL ? capture->cameras[c].name : "";
        camera->name = arc_arena_copy_text(arena, name, strlen(name));
        camera->camera.name = camera->name;
        if (camera->name == NULL)
            return arc_error_no_memory(err);
    }
    return ARC_OK;
}

/* Whether the camera has what the parameter changes. */
static bool camera_has(const ArcView *view, const ArcViewCamera *camera, int measure)
{
    int k = measure - ARC_MEASURE_CORRECTION;
    bool is_correction = measure >= ARC_MEASURE_CORRECTION;
    if (measure >= ARC_MEASURE_BIAS_U && measure <= ARC_MEASURE_BIAS_Z)
        return camera->is_metres
                   ? measure >= ARC_MEASURE_BIAS_X && measure - ARC_MEASURE_BIAS_X < view->d
                   : measure < ARC_MEASURE_BIAS_X;
    if (!camera->is_metres)
        return !is_correction || arc_camera_has_correction(&camera->camera, (ArcCorrection)k);
    return measure == ARC_MEASURE_TIME_OFFSET || measure == ARC_MEASURE_LATENCY ||
           measure == ARC_MEASURE_SIGMA || (is_correction && k == ARC_CORRECTION_SCALE) ||
           (is_correction && k == ARC_CORRECTION_ROLL && view->d == 2);
}

int arc_view_first_parameter(const ArcExperiment *experiment)
{
    int n_arm = experiment->has_arm ? experiment->arm.n_parameters : 0;
    return experiment->flight.n_parameters + 1 + 2 * experiment->flight.settings.dimensions + n_arm;
}

static ArcStatus view_take_parameters(ArcView *view, const ArcExperiment *experiment, ArcError *err)
{
    int first = arc_view_first_parameter(experiment);
    view->M = experiment->n_parameters - first;
    view->clock_rate = -1;
    for (int m = 0; m < view->M; m++) {
        const ArcParameter *parameter = &experiment->parameters[first + m];
        bool is_neutral = !parameter->is_free && parameter->start == 0.0;
        if (parameter->measure == ARC_MEASURE_CLOCK_RATE) {
            view->clock_rate = m;
            is_neutral = !parameter->is_free && parameter->start == 1.0;
        } else {
            int c = parameter->camera < 0 ? view->n_cameras - 1 : parameter->camera;
            view->cameras[c].parameter[parameter->measure] = m;
            if (!camera_has(view, &view->cameras[c], parameter->measure))
                return arc_error_set_at(
                    err, ARC_INPUT, parameter->place, "%s has no '%s'; leave it out",
                    view->cameras[c].is_metres ? "a capture of positions in metres"
                                               : "a camera of this kind",
                    parameter->name);
        }
        if (parameter->measure <= ARC_MEASURE_LINE_TIME) {
            view->moves = view->moves || !is_neutral;
            view->time_is_free = view->time_is_free || parameter->is_free;
        }
    }
    return ARC_OK;
}

static ArcStatus view_take_points(ArcView *view, const ArcCapture *capture, ArcArena *arena,
                                  ArcError *err)
{
    size_t n = (size_t)capture->n_points;
    int *camera = ARC_ALLOC(arena, n, int);
    double *row_px = ARC_ALLOC(arena, n, double);
    if (camera == NULL || row_px == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        bool is_pixel = capture->n_cameras > 0 && capture->camera[i] >= 0;
        camera[i] = is_pixel ? capture->camera[i] : view->n_cameras - 1;
        row_px[i] =
            is_pixel && isfinite(capture->pixel_px[2 * i + 1]) ? capture->pixel_px[2 * i + 1] : 0.0;
    }
    view->camera = camera;
    view->row_px = row_px;
    int first = 0;
    while (first < capture->n_points && capture->use[first] != ARC_POINT_FIT)
        first++;
    view->reference_s = first < capture->n_points ? capture->time_s[first] : 0.0;
    return ARC_OK;
}

ArcStatus arc_view_create(const ArcExperiment *experiment, const ArcCapture *capture,
                          ArcArena *arena, ArcView **result, ArcError *err)
{
    const ArcFlight *flight = &experiment->flight;
    int d = flight->settings.dimensions;
    *result = NULL;
    if (capture->n_cameras == 0 && experiment->n_parameters == arc_view_first_parameter(experiment))
        return ARC_OK;
    for (int c = 0; c < capture->n_cameras; c++)
        if (arc_camera_dimensions(&capture->cameras[c]) != d)
            return arc_error_set_at(
                err, ARC_INPUT,
                c < experiment->capture.n_cameras ? experiment->capture.cameras[c].place
                                                  : experiment->capture.place,
                "camera '%s' (%s) sees %s, but the flight has %d dimensions; "
                "give flight.dimensions: %d, or another calibration",
                capture->cameras[c].name, arc_camera_kind_text(capture->cameras[c].kind),
                d == 3 ? "one plane" : "space", d, 5 - d);
    ArcView *view = ARC_ALLOC(arena, 1, ArcView);
    if (view == NULL)
        return arc_error_no_memory(err);
    *view = (ArcView){.d = d, .radius_m = flight->radius_m};
    ArcStatus status = view_take_cameras(view, experiment, capture, arena, err);
    if (status == ARC_OK)
        status = view_take_parameters(view, experiment, err);
    if (status == ARC_OK)
        status = view_take_points(view, capture, arena, err);
    if (status == ARC_OK)
        *result = view;
    return status;
}
