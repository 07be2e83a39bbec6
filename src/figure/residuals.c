/* Residuals by time, in sd: a figure for each camera, for each axis of positions in metres, and for
 * each channel of own equations.
 *
 * Of a camera the fit that counts alone, its numbers u, v and radius told apart; else both
 * methods'. A residual is measured - fit; an outlier is named with the distance from the flight
 * that the other points tell (spread.h), which is larger.
 */
#include "arcfit/states.h"
#include "figure/observed.h"
#include "report/camera_parts.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

static const double bound_sd = 2.0;
enum { MOST_NAMED = 3 };

/* What one figure shows: the numbers of this camera (or, of metres, of this axis). */
typedef struct Panel {
    int camera, axis;
    const ArcObservedList *lists[2]; /* by the order of the result's fits */
    const ArcObservedList *counts;   /* of the fit that counts */
} Panel;

static bool is_shown(const Panel *panel, const ArcObserved *o)
{
    return o->camera == panel->camera && (panel->camera >= 0 || o->axis == panel->axis);
}

typedef enum Kind { KIND_FITTED, KIND_HELD_OUT, KIND_OUTLIER } Kind;

/* axis -1: all that the panel shows. An outlier is a fitted number, too. */
static bool is_of(const Panel *panel, const ArcObserved *o, Kind kind, int axis)
{
    if (!is_shown(panel, o) || (axis >= 0 && o->axis != axis))
        return false;
    return kind == KIND_HELD_OUT ? o->is_held
                                 : !o->is_held && (kind == KIND_FITTED || o->is_outlier);
}

static void add_points(ArcMaker *maker, const Panel *panel, const ArcObservedList *all, Kind kind,
                       int axis, const ArcSeries *look)
{
    int n = 0;
    for (int i = 0; i < all->n; i++)
        n += is_of(panel, &all->list[i], kind, axis);
    double *x = ARC_ALLOC(maker->arena, 2 * (size_t)n, double);
    const char **labels = ARC_ALLOC(maker->arena, (size_t)n, const char *);
    if (x == NULL || labels == NULL)
        return;
    double *y = x + n;
    ArcSeries series = *look;
    series.mark = ARC_MARK_POINTS;
    for (int i = 0; i < all->n; i++) {
        const ArcObserved *o = &all->list[i];
        if (!is_of(panel, o, kind, axis))
            continue;
        x[series.n] = o->time_s;
        y[series.n] = o->in_sd;
        labels[series.n++] = arc_observed_label(maker, o);
    }
    series.x = x;
    series.y = y;
    series.labels = labels;
    arc_maker_series(maker, &series);
}

/* Zero and +-2 sd from the first to the last time, as one line. */
static void add_bounds(ArcMaker *maker, const Panel *panel)
{
    enum { ROWS = 8 };
    const ArcObservedList *all = panel->counts;
    double from = INFINITY, to = -INFINITY, *x = ARC_ALLOC(maker->arena, 2 * ROWS, double);
    if (x == NULL)
        return;
    for (int i = 0; i < all->n; i++) {
        if (!is_shown(panel, &all->list[i]))
            continue;
        from = fmin(from, all->list[i].time_s);
        to = fmax(to, all->list[i].time_s);
    }
    for (int k = 0; k < ROWS; k++) {
        x[k] = k % 3 == 0 ? from : k % 3 == 1 ? to : (double)NAN;
        x[ROWS + k] = k % 3 == 2 ? (double)NAN : bound_sd * (k / 3 - 1);
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "0 and \xc2\xb1"
                                                 "2 sd",
                                         .n = ROWS,
                                         .x = x,
                                         .y = x + ROWS});
}

static void add_numbers(ArcMaker *maker, const Panel *panel)
{
    if (panel->camera >= 0) {
        for (int axis = 0; axis < 3; axis++)
            add_points(maker, panel, panel->counts, KIND_FITTED, axis,
                       &(ArcSeries){.role = ARC_ROLE_OTHER, .name = arc_camera_parts_axis(axis)});
    } else {
        for (int k = 0; k < maker->result->n_fits; k++) {
            ArcMethod method = maker->result->fits[k]->method;
            add_points(maker, panel, panel->lists[k], KIND_FITTED, -1,
                       &(ArcSeries){.role = arc_maker_method_role(method),
                                    .name = arc_maker_method_name(method)});
        }
    }
    add_points(maker, panel, panel->counts, KIND_HELD_OUT, -1,
               &(ArcSeries){.role = ARC_ROLE_HELD_OUT, .name = "held out"});
    add_points(maker, panel, panel->counts, KIND_OUTLIER, -1,
               &(ArcSeries){.role = ARC_ROLE_OUTLIER, .name = "outliers"});
}

/* "; outliers: throw.csv:31 (12 sd from the flight that the others tell)". */
static const char *outlier_words(ArcMaker *maker, const Panel *panel, const char *text)
{
    char number[ARC_TABLE_NUMBER];
    int n = 0;
    for (int i = 0; i < panel->counts->n && text != NULL; i++) {
        const ArcObserved *o = &panel->counts->list[i];
        if (!is_of(panel, o, KIND_OUTLIER, -1))
            continue;
        const char *label = arc_observed_label(maker, o);
        if (n++ < MOST_NAMED && label != NULL)
            text = arc_arena_format(maker->arena, "%s%s %s (%s sd)", text,
                                    n == 1 ? " Outliers, by their distance from the flight that "
                                             "the other points tell:"
                                           : ",",
                                    label, arc_table_plain(number, o->outlier_sd, 3));
    }
    if (text != NULL && n > MOST_NAMED)
        text = arc_arena_format(maker->arena, "%s and %d more", text, n - MOST_NAMED);
    return n == 0 || text == NULL ? text : arc_arena_format(maker->arena, "%s.", text);
}

/* " 6 held out: rms 1.1 sd." */
static const char *held_words(ArcMaker *maker, const char *text, int n, double square)
{
    char number[ARC_TABLE_NUMBER];
    if (n == 0 || text == NULL)
        return text;
    return arc_arena_format(maker->arena, "%s Held out: %d, rms %s sd.", text, n,
                            arc_table_plain(number, sqrt(square / n), 3));
}

static const char *caption(ArcMaker *maker, const Panel *panel)
{
    char rms[ARC_TABLE_NUMBER];
    double square[2] = {0.0, 0.0};
    int n[2] = {0, 0}, within = 0;
    for (int i = 0; i < panel->counts->n; i++) {
        const ArcObserved *o = &panel->counts->list[i];
        if (!is_shown(panel, o))
            continue;
        n[o->is_held]++;
        square[o->is_held] += o->in_sd * o->in_sd;
        within += !o->is_held && fabs(o->in_sd) <= bound_sd;
    }
    const char *text =
        n[0] == 0 ? ""
                  : arc_arena_format(maker->arena,
                                     "Measured less fitted by the %s fit: %d number%s, rms %s sd; "
                                     "%d %% within \xc2\xb1"
                                     "2 sd, where 95 %% are expected.",
                                     arc_maker_method_name(maker->fit->method), n[0],
                                     n[0] == 1 ? "" : "s",
                                     arc_table_plain(rms, sqrt(square[0] / n[0]), 3),
                                     (int)lround(100.0 * within / n[0]));
    return outlier_words(maker, panel, held_words(maker, text, n[1], square[1]));
}

/* Title and name of a panel; names of cameras and channels are the user's. */
static ArcFigure *begin(ArcMaker *maker, const Panel *panel)
{
    static const char *const axes[] = {"residuals-x", "residuals-y", "residuals-z"};
    const ArcCapture *capture = maker->result->capture;
    const char *name, *title;
    if (panel->camera >= 0) {
        const char *camera = capture->cameras[panel->camera].name;
        bool has_name = camera != NULL && camera[0] != '\0';
        name = arc_arena_format(maker->arena, "residuals-camera-%d", panel->camera + 1);
        title = arc_arena_format(maker->arena, "Residuals of %s%s",
                                 has_name ? "camera " : "the camera", has_name ? camera : "");
    } else if (maker->fit->states != NULL || capture->n_channels > 0) {
        const ArcStatesFit *states = maker->fit->states;
        name = arc_arena_format(maker->arena, "residuals-channel-%d", panel->axis + 1);
        title = states != NULL
                    ? arc_arena_format(maker->arena, "Residuals of %s",
                                       states->channels[panel->axis].name)
                    : arc_arena_format(maker->arena, "Residuals of channel %d", panel->axis + 1);
    } else {
        name = axes[panel->axis];
        title = arc_arena_format(maker->arena, "Residuals in %c (%s)", "xyz"[panel->axis],
                                 arc_maker_axis_label(maker, panel->axis));
    }
    return name == NULL || title == NULL
               ? NULL
               : arc_maker_figure(maker, ARC_FIGURES_RESIDUALS, name, title);
}

static ArcStatus make_panel(ArcMaker *maker, const Panel *panel, ArcError *err)
{
    bool has_any = false;
    for (int i = 0; i < panel->counts->n && !has_any; i++)
        has_any = is_shown(panel, &panel->counts->list[i]);
    if (!has_any)
        return ARC_OK;
    ArcFigure *figure = begin(maker, panel);
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = "time", .unit = "s"};
    figure->y = (ArcAxis){.label = "measured less fitted", .unit = "sd"};
    figure->caption = caption(maker, panel);
    add_bounds(maker, panel);
    add_numbers(maker, panel);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

ArcStatus arc_make_residuals(ArcMaker *maker, ArcError *err)
{
    const ArcCapture *capture = maker->result->capture;
    ArcObservedList lists[2];
    Panel panel = {.lists = {&lists[0], &lists[1]}};
    ArcStatus status = ARC_OK;
    for (int k = 0; k < maker->result->n_fits && status == ARC_OK; k++) {
        status = arc_maker_observed(maker, maker->result->fits[k], &lists[k], err);
        if (maker->result->fits[k] == maker->fit)
            panel.counts = &lists[k];
    }
    for (int camera = 0; camera < capture->n_cameras && status == ARC_OK; camera++) {
        panel.camera = camera;
        status = make_panel(maker, &panel, err);
    }
    panel.camera = -1;
    for (int axis = 0; axis < capture->dimensions && status == ARC_OK; axis++) {
        panel.axis = axis;
        status = make_panel(maker, &panel, err);
    }
    return status;
}
