/* A capture from a file or from memory. */
#include "arcfit/capture.h"

#include "arcfit/recording.h"
#include "capture/points.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

ArcCaptureSettings arc_capture_settings_default(void)
{
    return (ArcCaptureSettings){.format = "auto",
                                .dimensions = 2,
                                .rate_per_s = NAN,
                                .image_px = {NAN, NAN},
                                .sigma_m = NAN,
                                .time_scale_s = NAN,
                                .position_scale_m = NAN,
                                .window_s = {-INFINITY, INFINITY},
                                .every = 1,
                                .hold_out = ARC_HOLD_OUT_NONE,
                                .hold_out_every = 2,
                                .hold_out_after_s = INFINITY};
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
    if (settings->file == NULL)
        return arc_error_set_at(err, ARC_INPUT, at, "the capture names no file; add `file:`");
    if (settings->dimensions != 2 && settings->dimensions != 3)
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

/* Puts the handle into the arena that holds its points. */
static ArcStatus capture_finish(const char *file, const ArcPoints *points, ArcArena *arena,
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
                           .n_fit = points->n_fit,
                           .n_held_out = points->n_held_out,
                           .stretch = points->stretch,
                           .n_stretches = points->n_stretches,
                           .arena = arena};
    *capture = result;
    return ARC_OK;
}

/* arena keeps the capture. */
static ArcStatus capture_make(const ArcCaptureSettings *settings, const ArcRecording *recording,
                              ArcArena *arena, ArcCapture **capture, ArcError *err)
{
    ArcPoints points;
    ArcCaptureSettings settled = *settings;
    ArcStatus status =
        arc_points_create(recording->n_samples, settings->dimensions, arena, &points, err);
    if (status == ARC_OK)
        status = arc_points_take(settings, recording, &points, err);
    if (status == ARC_OK && settings->window_auto)
        status = arc_points_find_window(&settled, &points, arena, err);
    if (status == ARC_OK)
        status = arc_points_select(&settled, &points, err);
    if (status == ARC_OK)
        status = capture_finish(settings->file, &points, arena, capture, err);
    return status;
}

ArcStatus arc_capture_of_recording(const ArcCaptureSettings *settings,
                                   const ArcRecording *recording, const char *flight,
                                   ArcCapture **capture, ArcError *err)
{
    ArcCapture *made = NULL;
    ArcArena *arena = arc_arena_create();
    ArcStatus status = arena == NULL ? arc_error_no_memory(err)
                                     : capture_make(settings, recording, arena, &made, err);
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

/* One capture of the file, whatever flights it counts. */
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
                                  settings->file, captures->n, captures->captures[0]->flight);
    else
        *capture = (ArcCapture *)(uintptr_t)captures->captures[0];
    if (status == ARC_OK)
        arc_arena_free(captures->arena);
    else
        arc_captures_free(captures);
    return status;
}

static ArcStatus point_check(const ArcPoints *points, int i, ArcError *err)
{
    double t = points->time_s[i];
    if (!isfinite(t) || (i > 0 && t <= points->time_s[i - 1]))
        return arc_error_set(err, ARC_INPUT,
                             "error: time %g s of point %d; times must be finite and increase", t,
                             i + 1);
    for (int k = 0; k < points->d; k++) {
        double x = points->position_m[i * points->d + k];
        double sigma = points->sigma_m[i * points->d + k];
        if (isinf(x) || isinf(sigma) || (!isnan(x) && !(sigma > 0.0)))
            return arc_error_set(err, ARC_INPUT,
                                 "error: position %g m, standard deviation %g m of point %d; "
                                 "both must be finite and the latter above zero",
                                 x, sigma, i + 1);
    }
    return ARC_OK;
}

ArcStatus arc_capture_create(const ArcCapture *given, ArcCapture **capture, ArcError *err)
{
    int n = given->n_points, dimensions = given->dimensions;
    *capture = NULL;
    if (n < 1 || (dimensions != 2 && dimensions != 3))
        return arc_error_set(err, ARC_USAGE,
                             "error: a capture of %d points in %d dimensions; at least one, "
                             "in 2 or 3, is needed",
                             n, dimensions);
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcPoints points;
    ArcStatus status = arc_points_create(n, dimensions, arena, &points, err);
    if (status == ARC_OK) {
        size_t bytes = (size_t)n * sizeof(double);
        memcpy(points.time_s, given->time_s, bytes);
        memcpy(points.position_m, given->position_m, bytes * (size_t)dimensions);
        memcpy(points.sigma_m, given->sigma_m, bytes * (size_t)dimensions);
        points.n_fit = n;
    }
    for (int i = 0; i < n && status == ARC_OK; i++) {
        points.use[i] = ARC_POINT_FIT;
        status = point_check(&points, i, err);
    }
    if (status == ARC_OK)
        status = capture_finish("(memory)", &points, arena, capture, err);
    if (status != ARC_OK)
        arc_arena_free(arena);
    return status;
}
