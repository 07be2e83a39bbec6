/* The flight at the true time of every frame, through its camera, with noise.
 *
 * A rolling shutter takes a row when it comes to it, so that the true time of a frame depends on
 * the row that the ball is then in: found in rounds.
 */
#include "fit/synthetic_view.h"

#include "fit/back.h"
#include "fit/noise.h"
#include "fit/predict.h"
#include "fit/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_ROUNDS = 6 };
static const double back_tolerance = 1e-10;

typedef struct Look {
    const ArcExperiment *experiment;
    const ArcSimulateSettings *settings;
    const double *values, *theta;
    int d, n; /* points: frames of all cameras, or of none */
    int n_cameras;
    ArcCamera cameras[ARC_MAX_CAMERAS];
    double sigma[ARC_MAX_CAMERAS + 1]; /* stated, of the cameras; the last in metres */
    ArcView *view;
    int *camera;
    ArcPointUse *use;
    bool *kept;
    double *time_s, *jitter_s, *true_s, *sorted_s, *row_px;
    double *x, *back_x, *y;                     /* (n, D), (n, D), (n, 3) */
    double *position_m, *sigma_m;               /* (n, d) */
    double *pixel_px, *sigma_px;                /* (n, 2), (n) */
    double *radius_px, *sigma_radius_px, *room; /* (n), (n), (3 n) */
    int *order;
} Look;

bool arc_synthetic_has_view(const ArcExperiment *experiment)
{
    return experiment->capture.n_cameras > 0 || experiment->capture.position_is_px ||
           experiment->n_parameters > arc_view_first_parameter(experiment);
}

static ArcStatus look_settle_sigmas(Look *look, ArcError *err)
{
    const ArcCaptureSettings *capture = &look->experiment->capture;
    const ArcSimulateSettings *settings = look->settings;
    for (int c = 0; c < look->n_cameras; c++) {
        double own = c < capture->n_cameras ? capture->cameras[c].sigma_px : NAN;
        double sigma = !isnan(settings->sigma_px) ? settings->sigma_px
                       : !isnan(own)              ? own
                                                  : capture->sigma_px;
        look->sigma[c] = sigma;
        if (!(sigma > 0.0))
            return arc_error_set(err, ARC_INPUT,
                                 "error: how much noise? camera '%s' has no sigma; give "
                                 "simulate.sigma or capture.sigma in pixels, as 0.5 px",
                                 look->cameras[c].name);
    }
    look->sigma[look->n_cameras] = settings->sigma_m;
    if (look->n_cameras > 0)
        return arc_noise_check(&settings->noise, 1.0, err);
    return arc_noise_check(&settings->noise, settings->sigma_m, err);
}

static ArcStatus look_allocate(Look *look, int frames, ArcArena *arena, ArcError *err)
{
    size_t D = (size_t)look->experiment->flight.n_coordinates, d = (size_t)look->d;
    look->n = frames * (look->n_cameras > 0 ? look->n_cameras : 1);
    size_t n = (size_t)look->n;
    double **arrays[] = {&look->time_s, &look->jitter_s, &look->true_s,    &look->sorted_s,
                         &look->row_px, &look->sigma_px, &look->radius_px, &look->sigma_radius_px};
    double *block = ARC_ALLOC(arena, n * (8 + 2 * D + 3 + 2 * d + 2 + 3), double);
    look->camera = ARC_ALLOC(arena, n, int);
    look->order = ARC_ALLOC(arena, n, int);
    look->use = ARC_ALLOC(arena, n, ArcPointUse);
    look->kept = ARC_ALLOC(arena, n, bool);
    if (block == NULL || look->camera == NULL || look->order == NULL || look->use == NULL ||
        look->kept == NULL)
        return arc_error_no_memory(err);
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++, block += n)
        *arrays[k] = block;
    look->x = block;
    look->back_x = look->x + n * D;
    look->y = look->back_x + n * D;
    look->position_m = look->y + 3 * n;
    look->sigma_m = look->position_m + n * d;
    look->pixel_px = look->sigma_m + n * d;
    look->room = look->pixel_px + 2 * n;
    return ARC_OK;
}

/* Frames in order of their stated times, those of all cameras at each. */
static void look_place(Look *look, int frames, const double *t_s)
{
    int each = look->n_cameras > 0 ? look->n_cameras : 1;
    for (int i = 0; i < frames * each; i++) {
        look->time_s[i] = t_s[i / each];
        look->camera[i] = look->n_cameras > 0 ? i % each : -1;
        look->use[i] = ARC_POINT_FIT;
    }
}

static ArcStatus look_create(Look *look, int frames, const double *t_s, ArcArena *arena,
                             ArcError *err)
{
    ArcStatus status =
        arc_capture_cameras(&look->experiment->capture, &look->n_cameras, look->cameras, err);
    if (status == ARC_OK)
        status = look_settle_sigmas(look, err);
    if (status == ARC_OK)
        status = look_allocate(look, frames, arena, err);
    if (status != ARC_OK)
        return status;
    look_place(look, frames, t_s);
    for (int i = 0; i < 2 * look->n; i++)
        look->pixel_px[i] = NAN;
    const ArcCapture frame = {.n_points = look->n,
                              .dimensions = look->d,
                              .time_s = look->time_s,
                              .use = look->use,
                              .n_cameras = look->n_cameras,
                              .cameras = look->cameras,
                              .camera = look->camera,
                              .pixel_px = look->pixel_px};
    status = arc_view_create(look->experiment, &frame, arena, &look->view, err);
    if (status == ARC_OK)
        look->view->row_px = look->row_px;
    return status;
}

static void sort_by_time(Look *look)
{
    int *order = look->order;
    for (int i = 0; i < look->n; i++) {
        int k = i;
        for (; k > 0 && look->true_s[order[k - 1]] > look->true_s[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int i = 0; i < look->n; i++)
        look->sorted_s[i] = look->true_s[order[i]];
}

/* Positions at the sorted times, into the rows of their points. */
static bool look_follow(Look *look, ArcFlown *flown, ArcBack *back)
{
    int D = look->experiment->flight.n_coordinates, before = 0, n = look->n;
    double t0_s = look->values[look->experiment->flight.n_parameters];
    const ArcSimOutput output = {.x = look->back_x};
    while (before < n && look->sorted_s[before] < t0_s)
        before++;
    if (before > 0 && !arc_back_run(back, &flown->thrown, before, look->sorted_s, &output))
        return false;
    if (before < n && !arc_flown_states(flown, n - before, look->sorted_s + before, false))
        return false;
    for (int i = 0; i < n; i++)
        memcpy(look->x + look->order[i] * D,
               i < before ? look->back_x + i * D : flown->x + (i - before) * D,
               sizeof(double) * (size_t)D);
    return true;
}

/* The ball at the true times. */
static ArcStatus look_fly(Look *look, ArcFlown *flown, ArcBack *back, ArcError *err)
{
    int D = look->experiment->flight.n_coordinates, n = look->n;
    for (int i = 0; i < n; i++)
        look->true_s[i] = arc_view_time(look->view, look->theta, i, look->time_s[i]) +
                          look->jitter_s[i] - look->time_s[i];
    sort_by_time(look);
    if (!look_follow(look, flown, back))
        return arc_error_set(err, ARC_NUMERIC,
                             "error: the flight cannot be followed from %g to %g s; give other "
                             "times",
                             look->sorted_s[0], look->sorted_s[n - 1]);
    for (int i = 0; i < n; i++) {
        const ArcGlance glance = {.point = i,
                                  .D = D,
                                  .file_s = look->time_s[i],
                                  .x = look->x + i * D,
                                  .y = look->y + i * ARC_VIEW_NUMBERS};
        arc_view_look(look->view, look->theta, &glance);
    }
    return ARC_OK;
}

/* In rounds where a shutter rolls. */
static ArcStatus look_all(Look *look, ArcArena *arena, ArcError *err)
{
    ArcFlown *flown = NULL;
    ArcBack *back = NULL;
    const ArcExperiment *experiment = look->experiment;
    ArcThrow thrown = {&experiment->flight, experiment->release, look->values};
    bool rolls = false;
    for (int c = 0; c < look->n_cameras; c++)
        rolls = rolls || look->view->cameras[c].parameter[ARC_MEASURE_LINE_TIME] >= 0;
    ArcStatus status = arc_flown_create(thrown, look->n, arena, &flown, err);
    if (status == ARC_OK)
        status =
            arc_back_create(&experiment->flight, back_tolerance, look->n, false, arena, &back, err);
    for (int round = 0; status == ARC_OK && round < (rolls ? ROW_ROUNDS : 1); round++) {
        status = look_fly(look, flown, back, err);
        for (int i = 0; i < look->n && status == ARC_OK; i++) {
            double v = look->y[i * ARC_VIEW_NUMBERS + 1];
            look->row_px[i] = look->camera[i] >= 0 && isfinite(v) ? v : 0.0;
        }
    }
    return status;
}

/* Whether the camera has the ball in its picture, where its size is known. */
static bool is_in_picture(const Look *look, int i)
{
    const double *y = look->y + i * ARC_VIEW_NUMBERS;
    const ArcCamera *camera = &look->cameras[look->camera[i]];
    bool is_sized = camera->width_px > 0 && camera->height_px > 0;
    return isfinite(y[0]) && isfinite(y[1]) &&
           (!is_sized || (y[0] >= -0.5 && y[0] <= camera->width_px - 0.5 && y[1] >= -0.5 &&
                          y[1] <= camera->height_px - 0.5));
}

static double factor_of(const Look *look, int camera)
{
    int m = look->view->cameras[camera].parameter[ARC_MEASURE_SIGMA];
    return m < 0 ? 1.0 : look->theta[m];
}

/* Numbers of one camera's points, with noise of unit size that is then made the camera's. */
static void add_noise(Look *look, int numbers, const double *unit)
{
    for (int i = 0; i < look->n; i++) {
        int c = look->camera[i] < 0 ? look->n_cameras : look->camera[i];
        double sigma = look->sigma[c] * factor_of(look, c);
        for (int k = 0; k < numbers; k++)
            look->y[i * ARC_VIEW_NUMBERS + k] += sigma * unit[i * numbers + k];
    }
}

/* What each camera is constantly off by, and the grid of its numbers, but for the radius. */
static void add_offsets(Look *look)
{
    const ArcSensor *sensor = &look->settings->noise.sensor;
    double grid = look->n_cameras > 0 ? sensor->quantisation_px : sensor->quantisation_m;
    int numbers = look->n_cameras > 0 ? 2 : look->d;
    for (int i = 0; i < look->n; i++) {
        ArcNoiseOffset offset = arc_noise_offset(look->experiment, look->settings,
                                                 look->camera[i] < 0 ? 0 : look->camera[i]);
        for (int k = 0; k < numbers; k++) {
            double *y = &look->y[i * ARC_VIEW_NUMBERS + k];
            *y = arc_noise_round(grid, *y + offset.bias[k]);
        }
    }
}

static void fill_point(Look *look, int i)
{
    const double *y = look->y + i * ARC_VIEW_NUMBERS;
    int d = look->d, c = look->camera[i];
    for (int k = 0; k < d; k++) {
        look->position_m[i * d + k] = c < 0 ? y[k] : NAN;
        look->sigma_m[i * d + k] = c < 0 ? look->sigma[look->n_cameras] : NAN;
    }
    if (c < 0)
        return;
    bool has_radius = look->view->cameras[c].parameter[ARC_MEASURE_RADIUS_BIAS] >= 0;
    look->pixel_px[2 * i] = y[0];
    look->pixel_px[2 * i + 1] = y[1];
    look->sigma_px[i] = look->sigma_radius_px[i] = look->sigma[c];
    look->radius_px[i] = has_radius ? y[2] : NAN;
}

/* Points that are kept, moved together. */
static int compress(Look *look)
{
    int kept = 0, d = look->d;
    for (int i = 0; i < look->n; i++) {
        bool is_seen = look->camera[i] < 0 || is_in_picture(look, i);
        if (!look->kept[i] || !is_seen)
            continue;
        fill_point(look, i);
        look->time_s[kept] = look->time_s[i];
        look->camera[kept] = look->camera[i];
        look->sigma_px[kept] = look->sigma_px[i];
        look->radius_px[kept] = look->radius_px[i];
        look->sigma_radius_px[kept] = look->sigma_radius_px[i];
        memmove(look->pixel_px + 2 * kept, look->pixel_px + 2 * i, 2 * sizeof(double));
        memmove(look->position_m + kept * d, look->position_m + i * d, sizeof(double) * (size_t)d);
        memmove(look->sigma_m + kept * d, look->sigma_m + i * d, sizeof(double) * (size_t)d);
        kept++;
    }
    return kept;
}

static ArcStatus look_finish(Look *look, ArcNoiseSource source, ArcCapture **capture, ArcError *err)
{
    const ArcNoise *noise = &look->settings->noise;
    int numbers = look->n_cameras > 0 ? ARC_VIEW_NUMBERS : look->d;
    memset(look->room, 0, sizeof(double) * (size_t)(look->n * numbers));
    ArcNoise scaled = *noise; /* in sigmas of the camera; a grid and sizes in metres have none */
    scaled.sensor.quantisation_m = NAN;
    scaled.outlier_size_m = look->n_cameras > 0 ? NAN : noise->outlier_size_m / look->sigma[0];
    arc_noise_add(&scaled, source, 1.0, look->n, numbers, look->room);
    add_noise(look, numbers, look->room);
    add_offsets(look);
    arc_noise_drop(noise, source, look->n, look->kept);
    int n = compress(look);
    if (n < 2)
        return arc_error_set(err, ARC_INPUT,
                             "error: the cameras see the ball in %d of %d frames; let them look "
                             "where it flies",
                             n, look->n);
    return arc_capture_create(&(ArcCapture){.n_points = n,
                                            .dimensions = look->d,
                                            .time_s = look->time_s,
                                            .position_m = look->position_m,
                                            .sigma_m = look->sigma_m,
                                            .n_cameras = look->n_cameras,
                                            .cameras = look->cameras,
                                            .camera = look->camera,
                                            .pixel_px = look->pixel_px,
                                            .sigma_px = look->sigma_px,
                                            .radius_px = look->radius_px,
                                            .sigma_radius_px = look->sigma_radius_px},
                              capture, err);
}

ArcStatus arc_synthetic_look(const ArcExperiment *experiment, const ArcSimulateSettings *settings,
                             const double *values, int n, const double *t_s, ArcCapture **capture,
                             ArcError *err)
{
    int d = experiment->flight.settings.dimensions;
    ArcNoiseSource source = arc_noise_source(experiment, settings);
    Look look = {.experiment = experiment,
                 .settings = settings,
                 .values = values,
                 .theta = values + arc_view_first_parameter(experiment),
                 .d = d};
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = look_create(&look, n, t_s, arena, err);
    if (status == ARC_OK) {
        /* True times without the clocks, which are added behind. */
        arc_noise_jitter(&settings->noise, source, look.n, look.time_s, look.jitter_s);
        for (int i = 0; i < look.n; i++)
            look.jitter_s[i] -=
                arc_noise_offset(experiment, settings, look.camera[i] < 0 ? 0 : look.camera[i])
                    .latency_s;
        status = look_all(&look, arena, err);
    }
    if (status == ARC_OK)
        status = look_finish(&look, source, capture, err);
    arc_arena_free(arena);
    return status;
}
