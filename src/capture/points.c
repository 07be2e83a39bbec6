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

/* Divides by 1000 rather than multiplying by 0.001, so that 9 ms is the double nearest to 0.009. */
static double scale_apply(double value, double scale)
{
    double inverse = round(1.0 / scale);
    return inverse >= 1.0 && 1.0 / inverse == scale ? value / inverse : value * scale;
}

/* The cell of a role in SI; NaN where it is missing or has no column. */
static ArcStatus cell_read(const ArcTable *table, const ArcColumns *columns, int row, int role,
                           double *value, ArcError *err)
{
    *value = NAN;
    if (columns->index[role] < 0)
        return ARC_OK;
    const ArcCell *cell =
        &table->cells[(size_t)row * (size_t)table->n_columns + (size_t)columns->index[role]];
    double number;
    ArcStatus status = arc_delimited_number(table, cell, &number, err);
    if (status != ARC_OK)
        return status;
    number = scale_apply(number, columns->scale[role]);
    ArcPlace at = arc_delimited_place(table, cell);
    int shown = arc_delimited_shown(cell->text, cell->length);
    if (fabs(number) > ARC_POINTS_MOST)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%.*s' is out of range: beyond %g %s; check the value and its "
                                "unit",
                                shown, cell->text, ARC_POINTS_MOST, role == ARC_ROLE_T ? "s" : "m");
    if (role >= ARC_ROLE_SIGMA && number < ARC_POINTS_LEAST_SIGMA_M)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "standard deviation '%.*s' must be above zero (at least %g m)",
                                shown, cell->text, ARC_POINTS_LEAST_SIGMA_M);
    *value = number;
    return ARC_OK;
}

/* Of a point without its own: where only a factor is to be found, any one does as long as no point
 * of the file brings another to compare with. */
static double sigma_without(const ArcCaptureSettings *settings, const ArcColumns *columns)
{
    bool file_has_some = columns->index[ARC_ROLE_SIGMA] >= 0;
    for (int k = 0; k < settings->dimensions; k++)
        file_has_some = file_has_some || columns->index[ARC_ROLE_SIGMA_X + k] >= 0;
    return settings->sigma_estimated && !file_has_some ? ARC_POINTS_UNIT_SIGMA_M
                                                       : settings->sigma_m;
}

/* The axis's own sigma, else the row's, else the settings'. */
static ArcStatus sigma_read(const ArcCaptureSettings *settings, const ArcTable *table,
                            const ArcColumns *columns, int row, ArcPoints *points, ArcError *err)
{
    double of_row;
    ArcStatus status = cell_read(table, columns, row, ARC_ROLE_SIGMA, &of_row, err);
    for (int k = 0; k < points->d && status == ARC_OK; k++) {
        int at = row * points->d + k;
        double sigma;
        status = cell_read(table, columns, row, ARC_ROLE_SIGMA_X + k, &sigma, err);
        if (isnan(sigma))
            sigma = !isnan(of_row) ? of_row : sigma_without(settings, columns);
        points->sigma_m[at] = sigma;
        if (status == ARC_OK && isnan(sigma) && !isnan(points->position_m[at]))
            return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                    "no standard deviation for line %d of '%s'; add `sigma:` "
                                    "(for example `sigma: 3 mm`) to the capture, or a column "
                                    "sigma_m to the file",
                                    points->line[row], settings->file);
    }
    return status;
}

ArcStatus arc_points_read(const ArcCaptureSettings *settings, const ArcTable *table,
                          const ArcColumns *columns, ArcPoints *points, ArcError *err)
{
    for (int i = 0; i < points->n; i++) {
        const ArcCell *row = &table->cells[(size_t)i * (size_t)table->n_columns];
        points->line[i] = row->line;
        ArcStatus status = cell_read(table, columns, i, ARC_ROLE_T, &points->time_s[i], err);
        for (int k = 0; k < points->d && status == ARC_OK; k++)
            status = cell_read(table, columns, i, ARC_ROLE_X + k,
                               &points->position_m[i * points->d + k], err);
        if (status == ARC_OK)
            status = sigma_read(settings, table, columns, i, points, err);
        if (status != ARC_OK)
            return status;
        if (isnan(points->time_s[i]) && arc_points_is_seen(points, i))
            return arc_error_set_at(err, ARC_INPUT,
                                    arc_delimited_place(table, &row[columns->index[ARC_ROLE_T]]),
                                    "a point without a time; give one or empty its position");
    }
    return ARC_OK;
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
