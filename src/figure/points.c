/* See points.h. */
#include "figure/points.h"

#include "arcfit/predict.h"

#include <math.h>

static bool is_outlier(const ArcFit *fit, int point)
{
    for (int i = 0; i < fit->spread.n_outliers; i++)
        if (fit->spread.outliers[i].point == point)
            return true;
    return false;
}

static ArcPointKind kind_of(const ArcMaker *maker, int point)
{
    switch (maker->result->capture->use[point]) {
    case ARC_POINT_FIT:
        return is_outlier(maker->fit, point) ? ARC_POINT_KIND_OUTLIER : ARC_POINT_KIND_FITTED;
    case ARC_POINT_HELD_OUT:
        return ARC_POINT_KIND_HELD_OUT;
    case ARC_POINT_UNUSED:
        break;
    }
    return ARC_POINT_KIND_NONE;
}

/* Times and positions; where they cannot be had, those of the capture. */
static ArcStatus see(ArcMaker *maker, ArcPoints *points, ArcError *err)
{
    const ArcCapture *capture = maker->result->capture;
    size_t n = (size_t)capture->n_points, d = (size_t)capture->dimensions;
    points->time_s = capture->time_s;
    points->position_m = capture->position_m;
    if (maker->experiment == NULL || maker->fit->predicted_m == NULL)
        return ARC_OK;
    double *time_s = ARC_ALLOC(maker->arena, n, double);
    double *position_m = ARC_ALLOC(maker->arena, n * d, double);
    if (time_s == NULL || position_m == NULL)
        return arc_error_no_memory(err);
    ArcStatus status =
        arc_predict_seen(maker->experiment, maker->fit, capture, time_s, position_m, NULL);
    if (status == ARC_MEMORY)
        return arc_error_no_memory(err);
    if (status == ARC_OK) {
        points->time_s = time_s;
        points->position_m = position_m;
    }
    return ARC_OK;
}

ArcStatus arc_maker_points(ArcMaker *maker, ArcPoints *points, ArcError *err)
{
    const ArcCapture *capture = maker->result->capture;
    size_t n = (size_t)capture->n_points;
    ArcPointKind *kind = ARC_ALLOC(maker->arena, n, ArcPointKind);
    const char **label = ARC_ALLOC(maker->arena, n, const char *);
    if (kind == NULL || label == NULL)
        return arc_error_no_memory(err);
    *points = (ArcPoints){.n = (int)n, .d = capture->dimensions, .kind = kind, .label = label};
    for (int i = 0; i < points->n; i++) {
        kind[i] = kind_of(maker, i);
        points->counts[kind[i]]++;
        if (kind[i] == ARC_POINT_KIND_NONE)
            continue;
        points->n_seen += capture->n_cameras > 0 && capture->camera[i] >= 0;
        label[i] = arc_maker_point_label(maker, i);
        if (label[i] == NULL)
            return arc_error_no_memory(err);
    }
    return see(maker, points, err);
}

static double coordinate(const ArcPoints *points, int i, int axis)
{
    return axis == -1 ? points->time_s[i] : points->position_m[i * points->d + axis];
}

static void add_kind(ArcMaker *maker, const ArcPoints *points, ArcPointKind kind, const int axes[3])
{
    static const ArcRole roles[] = {ARC_ROLE_POINTS, ARC_ROLE_POINTS, ARC_ROLE_HELD_OUT,
                                    ARC_ROLE_OUTLIER};
    static const char *const names[] = {"", "camera points", "held out", "outliers"};
    size_t room = (size_t)points->counts[kind];
    double *columns = ARC_ALLOC(maker->arena, 3 * room, double);
    const char **labels = ARC_ALLOC(maker->arena, room, const char *);
    int n = 0, n_axes = axes[2] < 0 ? 2 : 3;
    if (columns == NULL || labels == NULL)
        return;
    for (int i = 0; i < points->n; i++) {
        bool known = points->kind[i] == kind;
        for (int k = 0; k < n_axes && known; k++) {
            columns[(size_t)k * room + (size_t)n] = coordinate(points, i, axes[k]);
            known = isfinite(coordinate(points, i, axes[k]));
        }
        if (known)
            labels[n++] = points->label[i];
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = roles[kind],
                                         .name = names[kind],
                                         .n = n,
                                         .x = columns,
                                         .y = columns + room,
                                         .z = n_axes < 3 ? NULL : columns + 2 * room,
                                         .labels = labels});
}

void arc_points_add(ArcMaker *maker, const ArcPoints *points, const int axes[3])
{
    for (int kind = ARC_POINT_KIND_FITTED; kind < ARC_N_POINT_KINDS; kind++)
        if (points->counts[kind] > 0)
            add_kind(maker, points, (ArcPointKind)kind, axes);
}

const char *arc_points_words(ArcMaker *maker, const ArcPoints *points)
{
    const int *counts = points->counts;
    int fitted = counts[ARC_POINT_KIND_FITTED] + counts[ARC_POINT_KIND_OUTLIER];
    int outliers = counts[ARC_POINT_KIND_OUTLIER];
    const char *text =
        arc_arena_format(maker->arena, "%d fitted point%s", fitted, fitted == 1 ? "" : "s");
    if (text != NULL && counts[ARC_POINT_KIND_HELD_OUT] > 0)
        text = arc_arena_format(maker->arena, "%s, %d held out", text,
                                counts[ARC_POINT_KIND_HELD_OUT]);
    if (text != NULL && outliers > 0)
        text = arc_arena_format(maker->arena, "%s, %d outlier%s", text, outliers,
                                outliers == 1 ? "" : "s");
    return text;
}
