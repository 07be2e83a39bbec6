/* Rows become points in SI; then it is decided which of them are fitted. */
#include "capture/points.h"

#include <math.h>
#include <stdio.h>

ArcPlace arc_points_settings_place(const ArcCaptureSettings *settings)
{
    if (settings->place.file != NULL)
        return settings->place;
    return (ArcPlace){arc_points_name(settings), 1, 1};
}

bool arc_points_is_seen(const ArcPoints *points, int i)
{
    for (int k = 0; k < points->d; k++) {
        if (!isnan(points->position_m[i * points->d + k]))
            return true;
    }
    return points->n_cameras > 0 &&
           (!isnan(points->pixel_px[2 * i]) || !isnan(points->pixel_px[2 * i + 1]) ||
            !isnan(points->radius_px[i]));
}

ArcStatus arc_points_create(int n, int d, int n_cameras, ArcArena *arena, ArcPoints *points,
                            ArcError *err)
{
    size_t count = (size_t)n, coordinates = (size_t)n * (size_t)d;
    ArcPoints result = {.n = n, .d = d, .n_cameras = n_cameras};
    result.time_s = ARC_ALLOC(arena, count, double);
    result.position_m = ARC_ALLOC(arena, coordinates, double);
    result.sigma_m = ARC_ALLOC(arena, coordinates, double);
    result.use = ARC_ALLOC(arena, count, ArcPointUse);
    result.line = ARC_ALLOC(arena, count, int);
    if (result.time_s == NULL || result.position_m == NULL || result.sigma_m == NULL ||
        result.use == NULL || result.line == NULL)
        return arc_error_no_memory(err);
    if (n_cameras > 0) {
        result.camera = ARC_ALLOC(arena, count, int);
        result.pixel_px = ARC_ALLOC(arena, 5 * count, double);
        if (result.camera == NULL || result.pixel_px == NULL)
            return arc_error_no_memory(err);
        result.sigma_px = result.pixel_px + 2 * count;
        result.radius_px = result.sigma_px + count;
        result.sigma_radius_px = result.radius_px + count;
    }
    *points = result;
    return ARC_OK;
}

/* The file that point i is from. */
static const char *points_file(const ArcCaptureSettings *settings, const ArcPoints *points, int i)
{
    int camera = points->n_cameras > 0 ? points->camera[i] : -1;
    bool is_own =
        camera >= 0 && camera < settings->n_cameras && settings->cameras[camera].file != NULL;
    return is_own ? settings->cameras[camera].file : settings->file;
}

const char *arc_points_name(const ArcCaptureSettings *settings)
{
    const char *name = settings->file;
    for (int c = 0; c < settings->n_cameras && name == NULL; c++)
        name = settings->cameras[c].file;
    return name != NULL ? name : "capture";
}

double arc_points_scale(double value, double scale)
{
    double inverse = round(1.0 / scale);
    return inverse >= 1.0 && 1.0 / inverse == scale ? value / inverse : value * scale;
}

static ArcStatus axes_check(const ArcCaptureSettings *settings, const ArcRecording *recording,
                            bool has_cameras, ArcError *err)
{
    ArcPlace at = arc_points_settings_place(settings);
    int d = settings->dimensions;
    if (!recording->has_times && recording->n_samples > 0)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%s' has frame numbers but no times; give the frames a second, "
                                "for example `rate: 120 Hz`",
                                settings->file);
    /* Positions beside pixels may be another system's; a row of them alone is checked by itself. */
    if (has_cameras && (recording->has_pixels || recording->axes == 0))
        return ARC_OK;
    if (recording->axes == 0)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){settings->file, 1, 1},
                                "pixels and no positions; they need a camera, for example "
                                "`cameras: {side: {calibration: FILE}}`, or `cameras: {side: {}}` "
                                "where nothing is known of it but that it looks at a plane");
    if (d == 0)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%s' has positions and no pixels, but the capture has cameras; "
                                "leave them out, or name the columns of pixels, for example "
                                "`columns: {u: px_x, v: px_y}`",
                                settings->file);
    if (recording->axes < d)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%s' has two axes, the flight three dimensions; use "
                                "`dimensions: 2`",
                                settings->file);
    if (recording->axes > d)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%s' has three axes, the flight two dimensions; use "
                                "`dimensions: 3`",
                                settings->file);
    return ARC_OK;
}

/* Of a point without its own: where only a factor is to be found, any one does as long as no point
 * of the file brings another to compare with. */
static double sigma_without(const ArcCaptureSettings *settings, const ArcRecording *recording)
{
    for (int i = 0; i < recording->n_samples && settings->sigma_estimated; i++) {
        const double *sigma = recording->samples[i].sigma_m;
        if (!isnan(sigma[0]) || !isnan(sigma[1]) || !isnan(sigma[2]))
            return settings->sigma_m;
    }
    return settings->sigma_estimated ? ARC_POINTS_UNIT_SIGMA_M : settings->sigma_m;
}

static ArcStatus position_take(const ArcCaptureSettings *settings, const ArcSample *sample, int i,
                               double sigma_m, ArcPoints *points, ArcError *err)
{
    for (int k = 0; k < points->d; k++) {
        int at = i * points->d + k;
        double sigma = isnan(sample->sigma_m[k]) ? sigma_m : sample->sigma_m[k];
        points->position_m[at] = sample->position_m[k];
        points->sigma_m[at] = sigma;
        if (isnan(sigma) && !isnan(points->position_m[at]))
            return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                    "no standard deviation for line %d of '%s'; add `sigma:` "
                                    "(for example `sigma: 3 mm`) to the capture, or a column "
                                    "sigma_m to the file",
                                    points->line[i], settings->file);
    }
    return ARC_OK;
}

static ArcStatus point_take(const ArcIntake *intake, const ArcSample *sample, int i, double sigma_m,
                            ArcPoints *points, ArcError *err)
{
    bool is_pixel = false;
    ArcStatus status = ARC_OK;
    points->line[i] = sample->line;
    points->time_s[i] = sample->time_s;
    if (points->n_cameras > 0)
        status = arc_points_take_pixel(intake, sample, i, points, &is_pixel, err);
    bool is_position =
        !is_pixel && (!isnan(sample->position_m[0]) || !isnan(sample->position_m[1]));
    if (status == ARC_OK && is_position && intake->recording->axes != points->d)
        return arc_error_set_at(err, ARC_INPUT,
                                (ArcPlace){intake->settings->file, sample->line, sample->column},
                                "a position of %d axes in a flight of %d dimensions; give its "
                                "pixel, or leave it out",
                                intake->recording->axes, points->d);
    if (status == ARC_OK && !is_pixel)
        status = position_take(intake->settings, sample, i, sigma_m, points, err);
    if (status != ARC_OK)
        return status;
    if (isnan(points->time_s[i]) && arc_points_is_seen(points, i))
        return arc_error_set_at(err, ARC_INPUT,
                                (ArcPlace){intake->settings->file, sample->line, sample->column},
                                "a point without a time; give one or empty its position");
    return ARC_OK;
}

ArcStatus arc_points_take(const ArcIntake *intake, ArcPoints *points, ArcError *err)
{
    const ArcRecording *recording = intake->recording;
    double sigma_m = sigma_without(intake->settings, recording);
    ArcStatus status = axes_check(intake->settings, recording, points->n_cameras > 0, err);
    for (int i = 0; i < recording->n_samples && status == ARC_OK; i++)
        status =
            point_take(intake, &recording->samples[i], intake->first + i, sigma_m, points, err);
    return status;
}

/* Which of the counters a point belongs to: 0 of positions, then the cameras'. */
static int kind_of(const ArcPoints *points, int i)
{
    return points->n_cameras > 0 ? points->camera[i] + 1 : 0;
}

static ArcStatus times_check(const ArcCaptureSettings *settings, const ArcPoints *points,
                             ArcError *err)
{
    int last[ARC_MAX_CAMERAS + 1];
    for (int kind = 0; kind <= ARC_MAX_CAMERAS; kind++)
        last[kind] = -1;
    for (int i = 0; i < points->n; i++) {
        int kind = kind_of(points, i), before = last[kind];
        if (points->use[i] == ARC_POINT_UNUSED)
            continue;
        double step = before < 0 ? 1.0 : points->time_s[i] - points->time_s[before];
        if (!(step > 0.0)) {
            ArcPlace at = {points_file(settings, points, i), points->line[i], 1};
            const char *what = step == 0.0 ? "the same time as" : "an earlier time than";
            return arc_error_set_at(err, ARC_INPUT, at,
                                    "line %d has %s line %d (%.9g s and %.9g s); times must "
                                    "increase from point to point",
                                    points->line[i], what, points->line[before], points->time_s[i],
                                    points->time_s[before]);
        }
        last[kind] = i;
    }
    return ARC_OK;
}

/* counter is the point's number among the used ones, from 1. */
static bool is_held_out(const ArcCaptureSettings *settings, int counter, double time_s)
{
    switch (settings->hold_out) {
    case ARC_HOLD_OUT_NONE:
        return false;
    case ARC_HOLD_OUT_EVERY:
        return counter % settings->hold_out_every == 0;
    case ARC_HOLD_OUT_AFTER:
        return time_s > settings->hold_out_after_s;
    }
    return false;
}

static ArcStatus counts_check(const ArcCaptureSettings *settings, const ArcPoints *points,
                              int n_seen, ArcError *err)
{
    if (n_seen < 2) {
        int last = points->n - 1;
        ArcPlace at = {arc_points_name(settings), 1, 1};
        if (last >= 0)
            at = (ArcPlace){points_file(settings, points, last), points->line[last], 1};
        return arc_error_set_at(err, ARC_INPUT, at,
                                "%d point%s in this file; at least two are needed", n_seen,
                                n_seen == 1 ? "" : "s");
    }
    if (points->n_fit < 2)
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                "window, every and hold_out leave %d of %d points to fit; at "
                                "least two are needed",
                                points->n_fit, n_seen);
    return ARC_OK;
}

ArcStatus arc_points_select(const ArcCaptureSettings *settings, ArcPoints *points, ArcError *err)
{
    int n_seen = 0, n_inside[ARC_MAX_CAMERAS + 1] = {0}, n_used[ARC_MAX_CAMERAS + 1] = {0};
    points->n_fit = 0;
    points->n_held_out = 0;
    for (int i = 0; i < points->n; i++) {
        double t = points->time_s[i];
        points->use[i] = ARC_POINT_UNUSED;
        if (!arc_points_is_seen(points, i))
            continue;
        n_seen++;
        if (t < settings->window_s[0] || t > settings->window_s[1])
            continue;
        int kind = kind_of(points, i);
        if (n_inside[kind]++ % settings->every != 0)
            continue;
        bool held_out = is_held_out(settings, ++n_used[kind], t);
        points->use[i] = held_out ? ARC_POINT_HELD_OUT : ARC_POINT_FIT;
        points->n_held_out += held_out;
        points->n_fit += !held_out;
    }
    ArcStatus status = times_check(settings, points, err);
    return status == ARC_OK ? counts_check(settings, points, n_seen, err) : status;
}
