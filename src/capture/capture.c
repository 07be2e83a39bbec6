/* A capture from a file or from memory. */
#include "arcfit/capture.h"

#include "arcfit/captures.h"
#include "arcfit/equations.h"
#include "arcfit/recording.h"
#include "capture/arms.h"
#include "capture/channels.h"
#include "capture/files.h"
#include "capture/points.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

ArcCaptureSettings arc_capture_settings_default(void)
{
    ArcCaptureSettings settings = {.format = "auto",
                                   .dimensions = 2,
                                   .rate_per_s = NAN,
                                   .image_px = {NAN, NAN},
                                   .sigma_m = NAN,
                                   .sigma_px = NAN,
                                   .time_scale_s = NAN,
                                   .position_scale_m = NAN,
                                   .t0_s = NAN,
                                   .window_s = {-INFINITY, INFINITY},
                                   .swing = arc_swing_settings_default(),
                                   .sensor = arc_sensor_default(),
                                   .every = 1,
                                   .hold_out = ARC_HOLD_OUT_NONE,
                                   .hold_out_every = 2,
                                   .hold_out_after_s = INFINITY};
    for (int c = 0; c < ARC_EQUATIONS_MAX_CHANNELS; c++)
        settings.channel_sigma[c] = NAN;
    return settings;
}

void arc_capture_free(ArcCapture *capture)
{
    if (capture != NULL)
        arc_arena_free(capture->arena);
}

static bool scale_is_good(double scale)
{
    return isnan(scale) || (scale > 0.0 && isfinite(scale));
}

/* Settings may come from a program as well as from a checked experiment. */
ArcStatus arc_capture_check_settings(const ArcCaptureSettings *settings, ArcError *err)
{
    ArcPlace at = arc_points_settings_place(settings);
    double sigma = settings->sigma_m;
    bool has_file = settings->file != NULL;
    for (int c = 0; c < settings->n_cameras; c++)
        has_file = has_file || settings->cameras[c].file != NULL;
    if (!has_file)
        return arc_error_set_at(err, ARC_INPUT, at, "the capture names no file; add `file:`");
    if (settings->equations == NULL && settings->dimensions != 2 && settings->dimensions != 3)
        return arc_error_set_at(err, ARC_INPUT, at, "%d dimensions; 2 or 3 are possible",
                                settings->dimensions);
    if (!isnan(sigma) && !(sigma >= ARC_POINTS_LEAST_SIGMA_M && sigma <= ARC_POINTS_MOST))
        return arc_error_set_at(err, ARC_INPUT, at, "sigma is %g m; it must be from %g to %g m",
                                sigma, ARC_POINTS_LEAST_SIGMA_M, ARC_POINTS_MOST);
    if (!scale_is_good(settings->time_scale_s) || !scale_is_good(settings->position_scale_m))
        return arc_error_set_at(err, ARC_INPUT, at, "a unit must be above zero and finite");
    if (!scale_is_good(settings->rate_per_s))
        return arc_error_set_at(err, ARC_INPUT, at, "a rate must be above zero and finite");
    if (settings->n_columns < 0 || settings->n_columns > ARC_CAPTURE_MAX_COLUMNS)
        return arc_error_set_at(err, ARC_INPUT, at, "%d columns are chosen; at most %d can be",
                                settings->n_columns, ARC_CAPTURE_MAX_COLUMNS);
    if (!(settings->window_s[0] <= settings->window_s[1]))
        return arc_error_set_at(err, ARC_INPUT, at, "window [%g s, %g s] ends before it begins",
                                settings->window_s[0], settings->window_s[1]);
    if (settings->every < 1)
        return arc_error_set_at(err, ARC_INPUT, at, "every is %d; it must be 1 or more",
                                settings->every);
    if (settings->hold_out == ARC_HOLD_OUT_EVERY && settings->hold_out_every < 2)
        return arc_error_set_at(err, ARC_INPUT, at, "hold_out every is %d; it must be 2 or more",
                                settings->hold_out_every);
    if (settings->hold_out == ARC_HOLD_OUT_AFTER && isnan(settings->hold_out_after_s))
        return arc_error_set_at(err, ARC_INPUT, at, "hold_out after is not a time");
    return ARC_OK;
}

/* Copies of the cameras and of the names of their files. */
static ArcStatus cameras_keep(const ArcCaptureSettings *settings, int n, const ArcCamera *cameras,
                              ArcArena *arena, ArcCapture *capture, ArcError *err)
{
    ArcCamera *kept = ARC_ALLOC(arena, (size_t)n, ArcCamera);
    const char **files = ARC_ALLOC(arena, (size_t)n, const char *);
    if (kept == NULL || files == NULL)
        return arc_error_no_memory(err);
    for (int c = 0; c < n; c++) {
        const char *name = cameras[c].name != NULL ? cameras[c].name : "";
        bool is_own = settings != NULL && c < settings->n_cameras && settings->cameras[c].file;
        kept[c] = cameras[c];
        kept[c].name = arc_arena_copy_text(arena, name, strlen(name));
        files[c] = is_own ? arc_arena_copy_text(arena, settings->cameras[c].file,
                                                strlen(settings->cameras[c].file))
                          : capture->file;
        if (kept[c].name == NULL || files[c] == NULL)
            return arc_error_no_memory(err);
    }
    capture->n_cameras = n;
    capture->cameras = kept;
    capture->camera_files = files;
    return ARC_OK;
}

ArcStatus arc_capture_of_points(const char *file, const ArcPoints *points, ArcArena *arena,
                                ArcCapture **capture, ArcError *err)
{
    ArcCapture *result = ARC_ALLOC(arena, 1, ArcCapture);
    char *name = arc_arena_copy_text(arena, file, strlen(file));
    if (result == NULL || name == NULL)
        return arc_error_no_memory(err);
    *result = (ArcCapture){.file = name,
                           .n_points = points->n,
                           .dimensions = points->d,
                           .time_s = points->time_s,
                           .position_m = points->position_m,
                           .sigma_m = points->sigma_m,
                           .use = points->use,
                           .line = points->line,
                           .camera = points->camera,
                           .pixel_px = points->pixel_px,
                           .sigma_px = points->sigma_px,
                           .radius_px = points->radius_px,
                           .sigma_radius_px = points->sigma_radius_px,
                           .n_fit = points->n_fit,
                           .n_held_out = points->n_held_out,
                           .stretch = points->stretch,
                           .n_stretches = points->n_stretches,
                           .arena = arena};
    *capture = result;
    return ARC_OK;
}

static ArcStatus file_read(ArcFiles *files, int camera, ArcError *err)
{
    int i = files->n;
    ArcStatus status = arc_recording_read(&files->settings[i], &files->recordings[i], err);
    if (status != ARC_OK)
        return status;
    files->intakes[i] = (ArcIntake){.settings = &files->settings[i],
                                    .recording = files->recordings[i],
                                    .first = files->n_samples,
                                    .camera = camera};
    files->n_samples += files->recordings[i]->n_samples;
    files->n++;
    return ARC_OK;
}

ArcStatus arc_files_read(const ArcCaptureSettings *settings, ArcFiles *files, ArcError *err)
{
    ArcStatus status = ARC_OK;
    if (settings->file != NULL) {
        files->settings[0] = *settings;
        if (settings->n_cameras > 0)
            files->settings[0].dimensions = 0;
        status = file_read(files, -1, err);
    }
    for (int c = 0; c < settings->n_cameras && status == ARC_OK; c++) {
        const ArcCameraSettings *camera = &settings->cameras[c];
        ArcCaptureSettings *own = &files->settings[files->n];
        if (camera->file == NULL)
            continue;
        *own = *settings;
        own->file = camera->file;
        own->dimensions = 0;
        own->format = camera->format != NULL ? camera->format : settings->format;
        own->place = camera->place;
        status = file_read(files, c, err);
    }
    return status;
}

/* A camera without points is of no use, and perhaps no purpose. */
static void notes_add_blind(const ArcPoints *points, const ArcCamera *cameras, const char *file,
                            ArcNotes *notes)
{
    for (int c = 0; c < points->n_cameras; c++) {
        int n = 0;
        for (int i = 0; i < points->n; i++)
            n += points->camera[i] == c && arc_points_is_seen(points, i);
        const char *name = cameras[c].name != NULL ? cameras[c].name : "";
        const char *text =
            arc_arena_format(notes->arena, "no point is of camera '%s', which tells nothing", name);
        notes->failed = notes->failed || text == NULL;
        if (n == 0 && text != NULL)
            arc_notes_add(notes, file, 1, &text);
    }
}

static ArcStatus notes_keep(const ArcNotes *notes, ArcCapture *capture, ArcError *err)
{
    capture->n_notes = notes->n;
    capture->notes = notes->texts;
    return notes->failed ? arc_error_no_memory(err) : ARC_OK;
}

void arc_files_free(ArcFiles *files)
{
    for (int i = 0; i < files->n; i++)
        arc_recording_free(files->recordings[i]);
    files->n = 0;
}

/* arena keeps the capture. */
static ArcStatus capture_make(const ArcCaptureSettings *settings, const ArcFiles *files,
                              ArcArena *arena, ArcCapture **capture, ArcError *err)
{
    ArcPoints points;
    ArcCamera cameras[ARC_MAX_CAMERAS];
    int n_cameras = 0, d = settings->dimensions;
    ArcNotes notes = {.arena = arena};
    ArcStatus status = arc_cameras_take(settings, &notes, &n_cameras, cameras, err);
    ArcCaptureSettings settled = *settings;
    if (status == ARC_OK)
        status = arc_points_create(files->n_samples, d, n_cameras, arena, &points, err);
    for (int i = 0; i < files->n && status == ARC_OK; i++) {
        const ArcRecording *recording = files->recordings[i];
        arc_notes_add(&notes, recording->file, recording->n_notes, recording->notes);
        status = arc_points_take(&files->intakes[i], &points, err);
    }
    if (status == ARC_OK && settings->window_auto)
        status = arc_points_find_window(&settled, cameras, &points, arena, err);
    if (status == ARC_OK)
        status = arc_points_select(&settled, &points, err);
    if (status == ARC_OK && n_cameras > 0)
        status = arc_points_sort(&points, arena, err);
    if (status == ARC_OK)
        status = arc_capture_of_points(files->settings[0].file, &points, arena, capture, err);
    if (status == ARC_OK && n_cameras > 0)
        status = cameras_keep(settings, n_cameras, cameras, arena, *capture, err);
    if (status == ARC_OK) {
        notes_add_blind(&points, cameras, files->settings[0].file, &notes);
        status = notes_keep(&notes, *capture, err);
    }
    return status;
}

ArcStatus arc_capture_of_files(const ArcCaptureSettings *settings, const ArcFiles *files,
                               const char *flight, ArcCapture **capture, ArcError *err)
{
    ArcCapture *made = NULL;
    ArcArena *arena = arc_arena_create();
    ArcStatus status =
        arena == NULL ? arc_error_no_memory(err) : capture_make(settings, files, arena, &made, err);
    if (status == ARC_OK && !isnan(settings->t0_s)) {
        made->has_t0 = true;
        made->t0_s = settings->t0_s;
    }
    if (status == ARC_OK && flight != NULL) {
        made->flight = arc_arena_copy_text(arena, flight, strlen(flight));
        status = made->flight == NULL ? arc_error_no_memory(err) : ARC_OK;
    }
    if (status == ARC_OK)
        *capture = made;
    else
        arc_arena_free(arena);
    return status;
}

ArcStatus arc_capture_read(const ArcCaptureSettings *settings, ArcCapture **capture, ArcError *err)
{
    *capture = NULL;
    ArcCaptures *captures = NULL;
    ArcStatus status = arc_captures_read(1, settings, &captures, err);
    if (status != ARC_OK)
        return status;
    if (captures->n > 1)
        status = arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                  "'%s' holds %d flights; choose one, for example `flight: %s`",
                                  captures->captures[0]->file, captures->n,
                                  captures->captures[0]->flight);
    else
        *capture = (ArcCapture *)(uintptr_t)captures->captures[0];
    if (status == ARC_OK)
        arc_arena_free(captures->arena);
    else
        arc_captures_free(captures);
    return status;
}

/* A number with its standard deviation, which must be one where the number is there. */
static bool number_is_good(double value, double sigma)
{
    return !isinf(value) && !isinf(sigma) && (isnan(value) || sigma > 0.0);
}

static ArcStatus time_check(const ArcPoints *points, int i, const int *last, ArcError *err)
{
    double t = points->time_s[i];
    int kind = points->n_cameras > 0 ? points->camera[i] + 1 : 0;
    bool falls = (i > 0 && t < points->time_s[i - 1]) ||
                 (last[kind] >= 0 && t <= points->time_s[last[kind]]);
    if (!isfinite(t) || falls)
        return arc_error_set(err, ARC_INPUT,
                             "error: time %g s of point %d; times must be finite and increase", t,
                             i + 1);
    return ARC_OK;
}

static ArcStatus point_check(const ArcPoints *points, int i, ArcError *err)
{
    for (int k = 0; k < points->d; k++) {
        double x = points->position_m[i * points->d + k];
        double sigma = points->sigma_m[i * points->d + k];
        if (!number_is_good(x, sigma))
            return arc_error_set(err, ARC_INPUT,
                                 "error: position %g m, standard deviation %g m of point %d; "
                                 "both must be finite and the latter above zero",
                                 x, sigma, i + 1);
    }
    if (points->n_cameras == 0)
        return ARC_OK;
    if (points->camera[i] < -1 || points->camera[i] >= points->n_cameras)
        return arc_error_set(err, ARC_INPUT, "error: camera %d of point %d; there are %d",
                             points->camera[i], i + 1, points->n_cameras);
    if (!number_is_good(points->pixel_px[2 * i], points->sigma_px[i]) ||
        !number_is_good(points->pixel_px[2 * i + 1], points->sigma_px[i]) ||
        !number_is_good(points->radius_px[i], points->sigma_radius_px[i]))
        return arc_error_set(err, ARC_INPUT,
                             "error: pixel (%g, %g), standard deviation %g px of point %d; all "
                             "must be finite and the latter above zero",
                             points->pixel_px[2 * i], points->pixel_px[2 * i + 1],
                             points->sigma_px[i], i + 1);
    return ARC_OK;
}

static void pixels_copy(const ArcCapture *given, ArcPoints *points)
{
    size_t n = (size_t)given->n_points, bytes = n * sizeof(double);
    memcpy(points->camera, given->camera, n * sizeof(int));
    memcpy(points->pixel_px, given->pixel_px, 2 * bytes);
    memcpy(points->sigma_px, given->sigma_px, bytes);
    for (size_t i = 0; i < n; i++)
        points->radius_px[i] = points->sigma_radius_px[i] = NAN;
    if (given->radius_px != NULL) {
        memcpy(points->radius_px, given->radius_px, bytes);
        memcpy(points->sigma_radius_px, given->sigma_radius_px, bytes);
    }
}

/* What is given, checked. */
static ArcStatus points_copy(const ArcCapture *given, ArcPoints *points, ArcError *err)
{
    int n = given->n_points, last[ARC_MAX_CAMERAS + 1];
    size_t bytes = (size_t)n * sizeof(double);
    ArcStatus status = ARC_OK;
    memcpy(points->time_s, given->time_s, bytes);
    memcpy(points->position_m, given->position_m, bytes * (size_t)given->dimensions);
    memcpy(points->sigma_m, given->sigma_m, bytes * (size_t)given->dimensions);
    if (given->n_cameras > 0)
        pixels_copy(given, points);
    for (int kind = 0; kind <= ARC_MAX_CAMERAS; kind++)
        last[kind] = -1;
    for (int i = 0; i < n && status == ARC_OK; i++) {
        points->use[i] = ARC_POINT_FIT;
        status = point_check(points, i, err);
        if (status == ARC_OK)
            status = time_check(points, i, last, err);
        if (status == ARC_OK)
            last[given->n_cameras > 0 ? given->camera[i] + 1 : 0] = i;
    }
    points->n_fit = n;
    return status;
}

ArcStatus arc_capture_create(const ArcCapture *given, ArcCapture **capture, ArcError *err)
{
    int n = given->n_points, dimensions = given->dimensions;
    *capture = NULL;
    bool is_model = given->n_channels > 0 && given->n_channels == dimensions &&
                    dimensions <= ARC_EQUATIONS_MAX_CHANNELS && given->n_cameras == 0;
    if (n < 1 || (!is_model && dimensions != 2 && dimensions != 3) || given->n_cameras < 0 ||
        given->n_cameras > ARC_MAX_CAMERAS)
        return arc_error_set(err, ARC_USAGE,
                             "error: a capture of %d points in %d dimensions by %d cameras; at "
                             "least one, in 2 or 3, by up to %d, is needed",
                             n, dimensions, given->n_cameras, ARC_MAX_CAMERAS);
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcPoints points;
    ArcStatus status = arc_points_create(n, dimensions, given->n_cameras, arena, &points, err);
    if (status == ARC_OK)
        status = points_copy(given, &points, err);
    if (status == ARC_OK)
        status = arc_capture_of_points("(memory)", &points, arena, capture, err);
    if (status == ARC_OK && given->n_cameras > 0)
        status = cameras_keep(NULL, given->n_cameras, given->cameras, arena, *capture, err);
    if (status == ARC_OK && is_model)
        status = arc_channels_keep(given->n_channels, given->channels, *capture, err);
    if (status == ARC_OK)
        status = arc_arms_copy(given, *capture, err);
    if (status != ARC_OK) {
        *capture = NULL;
        arc_arena_free(arena);
    }
    return status;
}
