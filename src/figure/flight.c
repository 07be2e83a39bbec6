/* The flight: from the side, the top and the front, in space, and each coordinate against time.
 *
 * A view from above has the level axes e + 1 and e + 2 (e the one that points up, in cyclic order),
 * so that right is right; in space the three axes keep their handedness likewise. Seen along the
 * flight, it is named by the side that it is seen from: with the level axis across to the right and
 * up upwards, the eye looks along up x across. Bands: path_band.c.
 */
#include "arcfit/predict.h"
#include "figure/path.h"
#include "figure/points.h"
#include "figure/targets.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_UNEVEN = 8, N_AHEAD = 21 };

typedef struct Scene {
    ArcMaker *maker;
    int n_paths;
    const ArcPath *paths[2];
    const ArcPath *path; /* of the fit that counts */
    int n_ahead;         /* beyond the last point, up to the last target that is met; 0: none */
    const double *ahead_s, *ahead_m; /* (n_ahead), (n_ahead, d) */
    ArcPoints points;
    ArcFlightBox extent;
    ArcMakerAxes axes;
} Scene;

typedef struct View {
    const char *name, *title;
    int axes[3];
} View;

/* A number of the fit that counts by its name; NaN where there is none. */
static double derived(const Scene *scene, const char *name)
{
    const ArcFit *fit = scene->path->fit;
    for (int i = 0; i < fit->n_derived; i++)
        if (strcmp(fit->derived[i].name, name) == 0)
            return fit->derived[i].value;
    return NAN;
}

/* A single place (d) at a time. */
static void add_place(const Scene *scene, ArcRole role, const char *name, const int axes[3],
                      double time_s)
{
    double x[3];
    double *place = ARC_ALLOC(scene->maker->arena, 3, double);
    if (place == NULL || !arc_path_at(scene->path, time_s, x))
        return;
    for (int k = 0; k < 3; k++)
        place[k] = axes[k] == -1 ? time_s : axes[k] < 0 ? (double)NAN : x[axes[k]];
    if (isnan(place[0]) || isnan(place[1]))
        return;
    arc_maker_series(scene->maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                                .role = role,
                                                .name = name,
                                                .n = 1,
                                                .x = place,
                                                .y = place + 1,
                                                .z = axes[2] < 0 ? NULL : place + 2});
}

static void add_bounces(const Scene *scene, const int axes[3])
{
    const ArcPath *path = scene->path;
    size_t room = (size_t)path->n_bounces;
    double *columns = room == 0 ? NULL : ARC_ALLOC(scene->maker->arena, 3 * room, double);
    size_t n = 0;
    for (int i = 0; columns != NULL && i < path->n; i++) {
        for (int k = 0; k < 3 && path->is_bounce[i]; k++)
            columns[(size_t)k * room + n] = axes[k] == -1 ? path->time_s[i]
                                            : axes[k] < 0 ? (double)NAN
                                                          : path->position_m[i * path->d + axes[k]];
        n += path->is_bounce[i];
    }
    if (columns != NULL)
        arc_maker_series(scene->maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                                    .role = ARC_ROLE_TARGET,
                                                    .name = "bounces",
                                                    .n = (int)n,
                                                    .x = columns,
                                                    .y = columns + room,
                                                    .z = axes[2] < 0 ? NULL : columns + 2 * room});
}

/* The time of the last meeting with a target; NaN: none is met. */
static double last_meeting(const Scene *scene)
{
    const ArcExperiment *experiment = scene->maker->experiment;
    double last = NAN;
    for (int i = 0; experiment != NULL && i < experiment->n_targets; i++) {
        char name[128];
        int length = snprintf(name, sizeof name, "%s_time", experiment->targets[i].name);
        if (length > 0 && length < (int)sizeof name)
            last = fmax(last, derived(scene, name));
    }
    return scene->path->time_s[0] + last;
}

/* Where the fit that counts flies on to after the points, if a target is met there. */
static ArcStatus fly_on(Scene *scene, ArcError *err)
{
    ArcMaker *maker = scene->maker;
    double from_s = scene->path->time_s[scene->path->n - 1], to_s = last_meeting(scene);
    size_t d = (size_t)scene->path->d;
    if (!(to_s > from_s))
        return ARC_OK;
    double *t = ARC_ALLOC(maker->arena, N_AHEAD, double);
    double *x = ARC_ALLOC(maker->arena, N_AHEAD * d, double);
    if (t == NULL || x == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < N_AHEAD; i++)
        t[i] = from_s + (to_s - from_s) * i / (N_AHEAD - 1);
    const ArcPrediction prediction = {.x_m = x};
    ArcStatus status =
        arc_predict_state(maker->experiment, scene->path->fit, N_AHEAD, t, &prediction, NULL);
    if (status == ARC_MEMORY)
        return arc_error_no_memory(err);
    if (status == ARC_OK) {
        scene->n_ahead = N_AHEAD;
        scene->ahead_s = t;
        scene->ahead_m = x;
    }
    return ARC_OK;
}

static void add_ahead(const Scene *scene, const int axes[3])
{
    const double *columns[3] = {NULL, NULL, NULL};
    for (int k = 0; k < 3 && scene->n_ahead > 0; k++)
        if (axes[k] >= -1)
            columns[k] = axes[k] == -1 ? scene->ahead_s
                                       : arc_maker_column(scene->maker, scene->ahead_m + axes[k],
                                                          scene->n_ahead, scene->path->d);
    arc_maker_series(scene->maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                                .role = ARC_ROLE_EXPECTED,
                                                .name = "on to the target",
                                                .n = scene->n_ahead,
                                                .x = columns[0],
                                                .y = columns[1],
                                                .z = columns[2]});
}

/* Lines, points and places, above whatever is there. */
static void add_flight(const Scene *scene, const int axes[3])
{
    double t0_s = scene->path->time_s[0];
    add_ahead(scene, axes);
    for (int k = 0; k < scene->n_paths; k++)
        arc_path_add_line(scene->maker, scene->paths[k], axes);
    arc_points_add(scene->maker, &scene->points, axes);
    add_bounces(scene, axes);
    add_place(scene, ARC_ROLE_RELEASE, "release", axes, t0_s);
    double apex_s = derived(scene, "apex_time");
    if (apex_s > 0.0)
        add_place(scene, ARC_ROLE_APEX, "apex", axes, t0_s + apex_s);
}

/* How wide the band is, a sentence; nothing without one. */
static const char *band_words(const Scene *scene, double widest_m)
{
    char number[ARC_TABLE_NUMBER];
    if (!isfinite(widest_m))
        return "";
    return arc_arena_format(scene->maker->arena,
                            " The 95 %% band of the %s fit is %s mm to either side at most.",
                            arc_maker_method_name(scene->path->fit->method),
                            arc_table_plain(number, 1e3 * widest_m, 2));
}

/* Whether a metre can be as long along all axes: a flight 50 times as long as it is wide would be a
 * line. */
static bool is_even(const Scene *scene, const int axes[3])
{
    double least = INFINITY, most = 0.0;
    for (int k = 0; k < 3; k++) {
        if (axes[k] < 0)
            continue;
        double size = scene->extent.high_m[axes[k]] - scene->extent.low_m[axes[k]];
        least = fmin(least, size);
        most = fmax(most, size);
    }
    return most <= MOST_UNEVEN * least;
}

static const char uneven_words[] = " A metre is not as long along all axes.";

/* Of the camera points and the methods whose lines there are. */
static const char *caption_of(const Scene *scene, const char *band)
{
    bool both = scene->n_paths == 2;
    const char *points = arc_points_words(scene->maker, &scene->points);
    return points == NULL || band == NULL
               ? NULL
               : arc_arena_format(scene->maker->arena, "The flight by %s%s, with %s.%s",
                                  both ? "PINN and direct fit"
                                       : arc_maker_method_name(scene->paths[0]->fit->method),
                                  both ? "" : " fit", points, band);
}

static ArcStatus make_view(const Scene *scene, const View *view, ArcError *err)
{
    ArcMaker *maker = scene->maker;
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_FLIGHT, view->name, view->title);
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->is_equal = is_even(scene, view->axes);
    figure->is_space = view->axes[2] >= 0;
    figure->x = (ArcAxis){.label = arc_maker_axis_label(maker, view->axes[0]), .unit = "m"};
    figure->y = (ArcAxis){.label = arc_maker_axis_label(maker, view->axes[1]), .unit = "m"};
    if (figure->is_space)
        figure->z = (ArcAxis){.label = arc_maker_axis_label(maker, view->axes[2]), .unit = "m"};
    double widest = figure->is_space
                        ? NAN
                        : arc_path_add_band(maker, scene->path, view->axes[0], view->axes[1]);
    arc_targets_add(maker, &scene->extent, view->axes);
    add_flight(scene, view->axes);
    const char *caption = caption_of(scene, band_words(scene, widest));
    if (caption != NULL && !figure->is_equal)
        caption = arc_arena_format(maker->arena, "%s%s", caption, uneven_words);
    if (caption == NULL)
        return arc_error_no_memory(err);
    figure->caption = caption;
    return ARC_OK;
}

/* Half the widest interval of a coordinate; NaN where none is known. */
static double widest_of(const ArcPath *path, int axis)
{
    double widest = NAN;
    for (int i = 0; path->sd_m != NULL && i < path->n; i++)
        if (isfinite(path->sd_m[i * path->d + axis]))
            widest = fmax(widest, path->fit->interval_factor * path->sd_m[i * path->d + axis]);
    return widest;
}

static ArcStatus make_in_time(const Scene *scene, int axis, ArcError *err)
{
    static const char *const names[] = {"flight-x", "flight-y", "flight-z"};
    ArcMaker *maker = scene->maker;
    const ArcPath *path = scene->path;
    const char *label = arc_maker_axis_label(maker, axis);
    const char *title = arc_arena_format(maker->arena, "%c (%s) against time", "xyz"[axis], label);
    ArcFigure *figure =
        title == NULL ? NULL : arc_maker_figure(maker, ARC_FIGURES_FLIGHT, names[axis], title);
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = "time", .unit = "s"};
    figure->y = (ArcAxis){.label = label, .unit = "m"};
    arc_path_add_band_in_time(maker, path, axis);
    double last_s = scene->n_ahead > 0 ? scene->ahead_s[N_AHEAD - 1] : path->time_s[path->n - 1];
    arc_targets_add_in_time(maker, axis, path->time_s[0], last_s);
    add_flight(scene, (const int[3]){-1, axis, -2});
    const char *caption = caption_of(scene, band_words(scene, widest_of(path, axis)));
    if (caption == NULL)
        return arc_error_no_memory(err);
    figure->caption = caption;
    return ARC_OK;
}

/* Where cameras stand, in space. */
static void add_cameras(const Scene *scene, const int axes[3])
{
    ArcMaker *maker = scene->maker;
    const ArcCapture *capture = maker->result->capture;
    size_t room = (size_t)capture->n_cameras;
    double *columns = room == 0 ? NULL : ARC_ALLOC(maker->arena, 3 * room, double);
    const char **labels = ARC_ALLOC(maker->arena, room, const char *);
    size_t n = 0;
    for (size_t i = 0; columns != NULL && labels != NULL && i < room; i++) {
        const ArcCamera *camera = &capture->cameras[i];
        if (arc_camera_dimensions(camera) != 3)
            continue;
        for (int k = 0; k < 3; k++) {
            double at = 0.0; /* c = R X + t is 0 at X = -R' t */
            for (int row = 0; row < 3; row++)
                at -= camera->rotation[3 * row + axes[k]] * camera->translation_m[row];
            columns[(size_t)k * room + n] = at;
        }
        labels[n++] = camera->name;
    }
    if (n > 0)
        arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                             .role = ARC_ROLE_OTHER,
                                             .name = "cameras",
                                             .n = (int)n,
                                             .x = columns,
                                             .y = columns + room,
                                             .z = columns + 2 * room,
                                             .labels = labels});
}

/* What an eye sees that has the level axis across to its right and up upwards: whether it looks
 * towards where the flight goes. */
static bool looks_along(const Scene *scene)
{
    const ArcPath *path = scene->path;
    int up = scene->axes.up, forward = scene->axes.forward;
    double travel = path->position_m[(path->n - 1) * path->d + forward] - path->position_m[forward];
    /* up x across is forward where the three follow each other in this order. */
    bool is_cyclic = scene->axes.sideways == (up + 1) % 3;
    return is_cyclic == (travel >= 0.0);
}

static ArcStatus make_views(const Scene *scene, ArcError *err)
{
    int up = scene->axes.up, forward = scene->axes.forward, sideways = scene->axes.sideways;
    int first = (up + 1) % 3, second = (up + 2) % 3;
    bool is_space = sideways >= 0;
    const View side = {"flight-side", "The flight from the side", {forward, up, -2}};
    const View top = {"flight-top", "The flight from above", {first, second, -2}};
    const View front = {"flight-front",
                        is_space && looks_along(scene) ? "The flight from behind"
                                                       : "The flight from the front",
                        {sideways, up, -2}};
    const View space = {"flight-space", "The flight in space", {first, second, up}};
    ArcStatus status = is_space ? make_view(scene, &space, err) : ARC_OK;
    if (status == ARC_OK && is_space)
        add_cameras(scene, space.axes);
    if (status == ARC_OK)
        status = make_view(scene, &side, err);
    if (status == ARC_OK && is_space)
        status = make_view(scene, &top, err);
    if (status == ARC_OK && is_space)
        status = make_view(scene, &front, err);
    for (int axis = 0; axis < scene->path->d && status == ARC_OK; axis++)
        status = make_in_time(scene, axis, err);
    return status;
}

/* What is to be known of points that cameras saw. */
static void note_cameras(const Scene *scene)
{
    ArcMaker *maker = scene->maker;
    if (scene->points.n_seen == 0 || maker->flight > 1)
        return;
    if (maker->experiment == NULL)
        arc_maker_note(maker, "The points of cameras are not drawn: where they lie is known only "
                              "with the experiment.");
    else if (scene->points.d == 3)
        arc_maker_note(maker,
                       "The points of cameras are drawn where their lines of sight pass next to "
                       "the flight, so that only what they are off across these lines is seen.");
    else
        arc_maker_note(maker, "The points of cameras are drawn where the fit's camera sees them in "
                              "the plane of the flight.");
}

ArcStatus arc_make_flight(ArcMaker *maker, ArcError *err)
{
    const ArcResult *result = maker->result;
    Scene scene = {.maker = maker};
    if (maker->fit->states != NULL || maker->fit->n_trajectory == 0)
        return ARC_OK;
    scene.axes = arc_maker_axes(maker);
    for (int i = 0; i < result->n_fits; i++) {
        ArcStatus status = arc_maker_path(maker, result->fits[i], &scene.paths[i], err);
        if (status != ARC_OK)
            return status;
        if (result->fits[i] == maker->fit)
            scene.path = scene.paths[i];
        scene.n_paths++;
    }
    ArcStatus status = arc_maker_points(maker, &scene.points, err);
    if (status == ARC_OK)
        status = fly_on(&scene, err);
    if (status != ARC_OK)
        return status;
    scene.extent = arc_flight_box(maker, scene.n_paths, scene.paths, &scene.points);
    note_cameras(&scene);
    return make_views(&scene, err);
}
