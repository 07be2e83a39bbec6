/* Where the ball was by each point, as a fit sees it: the view undone.
 *
 * With y the point's numbers, h(x) what the view sees of a position and x_0 the fit's at that time:
 *   x <- x + B' (B B')^-1 (y - h(x)),   B = dh/dx, from x_0 on,
 * which is the inverse where B is square, and of a ray its point next to where it began.
 */
#include "arcfit/predict.h"
#include "base/arena.h"
#include "fit/view.h"

#include <math.h>
#include <string.h>

enum { STEPS = 4 };

typedef struct Seeing {
    const ArcCapture *capture;
    const ArcView *view;
    double theta[ARC_MAX_PARAMETERS];
    int d;
    double *by_m; /* scratch */
} Seeing;

/* Adds the shortest step to x (d) by which rows B (n, d) of it change by off (n): the rows made
 * orthogonal one after the other. False where they are not independent. */
static bool add_shortest(int n, int d, double B[3][3], const double *off, double *x)
{
    double along[3];
    for (int i = 0; i < n; i++) {
        double size = 0.0, rest = off[i], whole = 0.0;
        for (int c = 0; c < d; c++)
            whole += B[i][c] * B[i][c];
        for (int j = 0; j < i; j++) {
            double share = 0.0;
            for (int c = 0; c < d; c++)
                share += B[i][c] * B[j][c];
            for (int c = 0; c < d; c++)
                B[i][c] -= share * B[j][c];
            rest -= share * along[j];
        }
        for (int c = 0; c < d; c++)
            size += B[i][c] * B[i][c];
        if (!(size > 1e-20 * whole))
            return false;
        along[i] = rest / sqrt(size);
        for (int c = 0; c < d; c++)
            B[i][c] /= sqrt(size);
    }
    for (int i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            x[c] += along[i] * B[i][c];
    return true;
}

/* One step of a point towards what was seen; false where it cannot be had. */
static bool step_towards(const Seeing *seeing, int point, int n, const double *seen, double *x)
{
    const double v[3] = {0, 0, 0};
    double y[ARC_VIEW_NUMBERS], by_x[ARC_VIEW_NUMBERS * 3], B[3][3], off[3];
    int d = seeing->d, used = 0;
    ArcGlance glance = {.point = point,
                        .D = d,
                        .file_s = seeing->capture->time_s[point],
                        .x = x,
                        .v = v,
                        .y = y,
                        .by_x = by_x,
                        .by_m = seeing->by_m};
    arc_view_look(seeing->view, seeing->theta, &glance);
    for (int i = 0; i < n; i++) {
        if (isnan(seen[i]))
            continue;
        if (!isfinite(y[i]))
            return false;
        off[used] = seen[i] - y[i];
        memcpy(B[used++], by_x + i * d, sizeof(double) * (size_t)d);
    }
    return add_shortest(used, d, B, off, x);
}

/* x (d): from the fit's position to what was seen. */
static void see(const Seeing *seeing, int point, const double *predicted, double *x)
{
    const ArcCapture *capture = seeing->capture;
    int d = seeing->d;
    bool is_pixel = capture->n_cameras > 0 && capture->camera[point] >= 0;
    const double *seen = is_pixel ? capture->pixel_px + 2 * point : capture->position_m + point * d;
    bool known = !is_pixel || (isfinite(seen[0]) && isfinite(seen[1]));
    memcpy(x, predicted, sizeof(double) * (size_t)d);
    for (int i = 0; i < STEPS && known; i++)
        known = step_towards(seeing, point, is_pixel ? 2 : d, seen, x);
    for (int c = 0; c < d; c++)
        if (!known || (!is_pixel && isnan(seen[c])))
            x[c] = NAN;
}

static void see_all(const Seeing *seeing, const ArcFit *fit, double *time_s, double *position_m)
{
    const ArcCapture *capture = seeing->capture;
    size_t d = (size_t)seeing->d, n = (size_t)capture->n_points;
    if (seeing->view == NULL) {
        memcpy(time_s, capture->time_s, sizeof(double) * n);
        memcpy(position_m, capture->position_m, sizeof(double) * n * d);
        return;
    }
    for (int i = 0; i < capture->n_points; i++) {
        time_s[i] = arc_view_time(seeing->view, seeing->theta, i, capture->time_s[i]);
        see(seeing, i, fit->predicted_m + (size_t)i * d, position_m + (size_t)i * d);
    }
}

ArcStatus arc_predict_seen(const ArcExperiment *experiment, const ArcFit *fit,
                           const ArcCapture *capture, double *time_s, double *position_m,
                           ArcError *err)
{
    Seeing seeing = {.capture = capture, .d = capture->dimensions};
    if (experiment->equations != NULL)
        return arc_error_set(err, ARC_USAGE, "error: own equations have no positions");
    if (seeing.d != experiment->flight.settings.dimensions || seeing.d != fit->dimensions)
        return arc_error_set(err, ARC_INPUT, "error: the capture is not that of the fit");
    ArcArena *arena = arc_arena_create();
    ArcView *view = NULL;
    ArcStatus status = arena == NULL ? arc_error_no_memory(err)
                                     : arc_view_create(experiment, capture, arena, &view, err);
    seeing.view = view;
    if (status == ARC_OK && view != NULL) {
        int first = arc_view_first_parameter(experiment);
        for (int m = 0; m < view->M && first + m < fit->n_parameters; m++)
            seeing.theta[m] = fit->parameters[first + m].value;
        seeing.by_m = ARC_ALLOC(arena, ARC_VIEW_NUMBERS * (size_t)view->M, double);
        if (seeing.by_m == NULL)
            status = arc_error_no_memory(err);
    }
    if (status == ARC_OK)
        see_all(&seeing, fit, time_s, position_m);
    arc_arena_free(arena);
    return status;
}
