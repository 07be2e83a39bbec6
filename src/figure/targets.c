/* See targets.h. A plane is drawn across the picture's extent, a rim as a circle, or, seen from
 * the side, as its diameter. */
#include "figure/targets.h"

#include <math.h>
#include <string.h>

enum { RIM_POINTS = 49 };

/* A target's plane: that of a height is level. False of points and rims. */
static bool plane_of(const ArcMaker *maker, const ArcTarget *target, ArcPlane *plane)
{
    *plane = target->plane;
    if (target->kind == ARC_TARGET_HEIGHT)
        *plane = (ArcPlane){arc_maker_axes(maker).up, target->height_m};
    return target->kind == ARC_TARGET_PLANE || target->kind == ARC_TARGET_HEIGHT;
}

static void extend(ArcFlightBox *extent, int axis, double value)
{
    if (!isfinite(value))
        return;
    extent->low_m[axis] = fmin(extent->low_m[axis], value);
    extent->high_m[axis] = fmax(extent->high_m[axis], value);
}

static void extend_by_target(const ArcMaker *maker, const ArcTarget *target, ArcFlightBox *extent)
{
    ArcPlane plane;
    int d = maker->result->capture->dimensions, up = arc_maker_axes(maker).up;
    if (plane_of(maker, target, &plane)) {
        extend(extent, plane.axis, plane.level_m);
        return;
    }
    bool is_rim = target->kind == ARC_TARGET_RIM;
    for (int c = 0; c < d; c++) {
        double at = is_rim ? target->centre_m[c] : target->point_m[c];
        double reach = is_rim && c != up ? target->radius_m : 0.0;
        extend(extent, c, at - reach);
        extend(extent, c, at + reach);
    }
}

ArcFlightBox arc_flight_box(const ArcMaker *maker, int n_paths, const ArcPath *const *paths,
                            const ArcPoints *points)
{
    const ArcExperiment *experiment = maker->experiment;
    ArcFlightBox extent;
    int d = maker->result->capture->dimensions;
    for (int c = 0; c < 3; c++) {
        extent.low_m[c] = INFINITY;
        extent.high_m[c] = -INFINITY;
    }
    for (int k = 0; k < n_paths; k++)
        for (int i = 0; i < paths[k]->n * d; i++)
            extend(&extent, i % d, paths[k]->position_m[i]);
    for (int i = 0; i < points->n * d; i++)
        if (points->kind[i / d] != ARC_POINT_KIND_NONE)
            extend(&extent, i % d, points->position_m[i]);
    for (int i = 0; experiment != NULL && i < experiment->n_targets; i++)
        extend_by_target(maker, &experiment->targets[i], &extent);
    for (int c = 0; c < d; c++) {
        double margin = 0.05 * (extent.high_m[c] - extent.low_m[c]);
        extent.low_m[c] -= margin;
        extent.high_m[c] += margin;
    }
    return extent;
}

/* Points of a line about to be a series, a row (3) each. */
typedef struct Outline {
    int n;
    double x[RIM_POINTS][3];
} Outline;

static void add_outline(ArcMaker *maker, const char *name, ArcRole role, const Outline *outline,
                        const int axes[3])
{
    const double *columns[3] = {NULL, NULL, NULL};
    for (int k = 0; k < 3; k++) {
        if (axes[k] < 0)
            continue;
        columns[k] = arc_maker_column(maker, &outline->x[0][axes[k]], outline->n, 3);
        if (columns[k] == NULL)
            return;
    }
    arc_maker_series(maker, &(ArcSeries){.mark = outline->n > 1 ? ARC_MARK_LINE : ARC_MARK_POINTS,
                                         .role = role,
                                         .name = name,
                                         .n = outline->n,
                                         .x = columns[0],
                                         .y = columns[1],
                                         .z = columns[2]});
}

/* The part of a plane within the extent: in space its edge, in a view the line that it is. */
static void add_plane(ArcMaker *maker, const char *name, ArcRole role, ArcPlane plane,
                      const ArcFlightBox *extent, const int axes[3])
{
    Outline outline = {0};
    int along[2], n = 0;
    bool is_space = axes[2] >= 0;
    if (!is_space && plane.axis != axes[0] && plane.axis != axes[1])
        return;
    for (int k = 0; k < 3; k++)
        if (axes[k] >= 0 && axes[k] != plane.axis)
            along[n++] = axes[k];
    static const int corners[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    outline.n = is_space ? 5 : 2;
    for (int i = 0; i < outline.n; i++) {
        outline.x[i][plane.axis] = plane.level_m;
        for (int k = 0; k < n; k++)
            outline.x[i][along[k]] =
                corners[i][k] ? extent->high_m[along[k]] : extent->low_m[along[k]];
    }
    add_outline(maker, name, role, &outline, axes);
}

/* A level circle; from the side its diameter, in the plane its two edges. */
static void add_rim(ArcMaker *maker, const ArcTarget *target, const int axes[3])
{
    const ArcMakerAxes which = arc_maker_axes(maker);
    int up = which.up, first = which.forward, second = which.sideways;
    Outline outline = {.n = RIM_POINTS};
    if (axes[2] < 0 && (axes[0] == up || axes[1] == up)) {
        first = axes[0] == up ? axes[1] : axes[0];
        second = -1;
        outline.n = 2;
    }
    for (int i = 0; i < outline.n; i++) {
        double angle = 2.0 * M_PI * i / (outline.n == 2 ? 2 : outline.n - 1);
        memcpy(outline.x[i], target->centre_m, sizeof outline.x[i]);
        outline.x[i][first] += target->radius_m * cos(angle);
        if (second >= 0)
            outline.x[i][second] += target->radius_m * sin(angle);
    }
    add_outline(maker, target->name, ARC_ROLE_TARGET, &outline, axes);
}

static void add_point(ArcMaker *maker, const ArcTarget *target, const int axes[3])
{
    Outline outline = {.n = 1};
    memcpy(outline.x[0], target->point_m, sizeof outline.x[0]);
    add_outline(maker, target->name, ARC_ROLE_TARGET, &outline, axes);
}

static const char bounce_name[] = "plane of the bounces";

/* The plane that the ball bounces on, unless it is a target as well. */
static bool bounce_plane(const ArcMaker *maker, ArcPlane *plane)
{
    const ArcExperiment *experiment = maker->experiment;
    *plane = experiment->flight_settings.bounce.plane;
    for (int i = 0; i < experiment->n_targets; i++) {
        ArcPlane other;
        if (plane_of(maker, &experiment->targets[i], &other) && other.axis == plane->axis &&
            other.level_m == plane->level_m)
            return false;
    }
    return experiment->flight_settings.bounce.is_on;
}

void arc_targets_add(ArcMaker *maker, const ArcFlightBox *extent, const int axes[3])
{
    const ArcExperiment *experiment = maker->experiment;
    if (experiment == NULL)
        return;
    ArcPlane bounce;
    if (bounce_plane(maker, &bounce))
        add_plane(maker, bounce_name, ARC_ROLE_EXPECTED, bounce, extent, axes);
    for (int i = 0; i < experiment->n_targets; i++) {
        const ArcTarget *target = &experiment->targets[i];
        ArcPlane plane;
        const char *name = arc_arena_copy_text(maker->arena, target->name, strlen(target->name));
        ArcTarget named = *target;
        named.name = name;
        if (plane_of(maker, target, &plane))
            add_plane(maker, name, ARC_ROLE_TARGET, plane, extent, axes);
        else if (target->kind == ARC_TARGET_RIM)
            add_rim(maker, &named, axes);
        else
            add_point(maker, &named, axes);
    }
}

static void add_level(ArcMaker *maker, const char *name, ArcRole role, double level_m,
                      const double span_s[2])
{
    double *line = ARC_ALLOC(maker->arena, 4, double);
    if (line == NULL)
        return;
    line[0] = span_s[0];
    line[1] = span_s[1];
    line[2] = line[3] = level_m;
    arc_maker_series(
        maker,
        &(ArcSeries){
            .mark = ARC_MARK_LINE, .role = role, .name = name, .n = 2, .x = line, .y = line + 2});
}

void arc_targets_add_in_time(ArcMaker *maker, int axis, double from_s, double to_s)
{
    const ArcExperiment *experiment = maker->experiment;
    const double span_s[2] = {from_s, to_s};
    if (experiment == NULL)
        return;
    ArcPlane bounce;
    if (bounce_plane(maker, &bounce) && bounce.axis == axis)
        add_level(maker, bounce_name, ARC_ROLE_EXPECTED, bounce.level_m, span_s);
    for (int i = 0; i < experiment->n_targets; i++) {
        const ArcTarget *target = &experiment->targets[i];
        ArcPlane plane;
        if (plane_of(maker, target, &plane) && plane.axis == axis)
            add_level(maker, arc_arena_copy_text(maker->arena, target->name, strlen(target->name)),
                      ARC_ROLE_TARGET, plane.level_m, span_s);
    }
}
