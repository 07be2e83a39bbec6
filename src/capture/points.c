/* Rows become points in SI; then it is decided which of them are fitted. */
#include "capture/points.h"

#include <math.h>
#include <stdio.h>

ArcPlace arc_points_settings_place(const ArcCaptureSettings *settings)
{
    if (settings->place.file != NULL)
        return settings->place;
    return (ArcPlace){settings->file != NULL ? settings->file : "capture", 1, 1};
}

bool arc_points_is_seen(const ArcPoints *points, int i)
{
    for (int k = 0; k < points->d; k++) {
        if (!isnan(points->position_m[i * points->d + k]))
            return true;
    }
    return false;
}

ArcStatus arc_points_create(int n, int d, ArcArena *arena, ArcPoints *points, ArcError *err)
{
    size_t count = (size_t)n, coordinates = (size_t)n * (size_t)d;
    ArcPoints result = {.n = n, .d = d};
    result.time_s = ARC_ALLOC(arena, count, double);
    result.position_m = ARC_ALLOC(arena, coordinates, double);
    result.sigma_m = ARC_ALLOC(arena, coordinates, double);
    result.use = ARC_ALLOC(arena, count, ArcPointUse);
    result.line = ARC_ALLOC(arena, count, int);
    if (result.time_s == NULL || result.position_m == NULL || result.sigma_m == NULL ||
        result.use == NULL || result.line == NULL)
        return arc_error_no_memory(err);
    *points = result;
    return ARC_OK;
}

double arc_points_scale(double value, double scale)
{
    double inverse = round(1.0 / scale);
    return inverse >= 1.0 && 1.0 / inverse == scale ? value / inverse : value * scale;
}

static ArcStatus axes_check(const ArcCaptureSettings *settings, const ArcRecording *recording,
                            ArcError *err)
{
    ArcPlace at = arc_points_settings_place(settings);
    int d = settings->dimensions;
    if (!recording->has_times && recording->n_samples > 0)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%s' has frame numbers but no times; give the frames a second, "
                                "for example `rate: 120 Hz`",
                                settings->file);
    if (recording->axes == 0)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){settings->file, 1, 1},
                                "pixels and no positions; they need a camera");
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

static ArcStatus point_take(const ArcCaptureSettings *settings, const ArcSample *sample, int i,
                            double sigma_m, ArcPoints *points, ArcError *err)
{
    points->line[i] = sample->line;
    points->time_s[i] = sample->time_s;
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
    if (isnan(points->time_s[i]) && arc_points_is_seen(points, i))
        return arc_error_set_at(err, ARC_INPUT,
                                (ArcPlace){settings->file, sample->line, sample->column},
                                "a point without a time; give one or empty its position");
    return ARC_OK;
}

ArcStatus arc_points_take(const ArcCaptureSettings *settings, const ArcRecording *recording,
                          ArcPoints *points, ArcError *err)
{
    double sigma_m = sigma_without(settings, recording);
    ArcStatus status = axes_check(settings, recording, err);
    for (int i = 0; i < points->n && status == ARC_OK; i++)
        status = point_take(settings, &recording->samples[i], i, sigma_m, points, err);
    return status;
}

static ArcStatus times_check(const ArcCaptureSettings *settings, const ArcPoints *points,
                             ArcError *err)
{
    int before = -1;
    for (int i = 0; i < points->n; i++) {
        if (points->use[i] == ARC_POINT_UNUSED)
            continue;
        double step = before < 0 ? 1.0 : points->time_s[i] - points->time_s[before];
        if (!(step > 0.0)) {
            ArcPlace at = {settings->file, points->line[i], 1};
            const char *what = step == 0.0 ? "the same time as" : "an earlier time than";
            return arc_error_set_at(err, ARC_INPUT, at,
                                    "line %d has %s line %d (%.9g s and %.9g s); times must "
                                    "increase from point to point",
                                    points->line[i], what, points->line[before], points->time_s[i],
                                    points->time_s[before]);
        }
        before = i;
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
        int line = points->n > 0 ? points->line[points->n - 1] : 1;
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){settings->file, line, 1},
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
    int n_seen = 0, n_inside = 0, n_used = 0;
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
        if (n_inside++ % settings->every != 0)
            continue;
        n_used++;
        bool held_out = is_held_out(settings, n_used, t);
        points->use[i] = held_out ? ARC_POINT_HELD_OUT : ARC_POINT_FIT;
        points->n_held_out += held_out;
        points->n_fit += !held_out;
    }
    ArcStatus status = times_check(settings, points, err);
    return status == ARC_OK ? counts_check(settings, points, n_seen, err) : status;
}
