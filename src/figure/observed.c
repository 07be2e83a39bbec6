/* See observed.h. The same numbers whose squares are the fit's chi2 (fit/residuals.c): predictions
 * go through the view (fit/view.h) where a result read back no longer has what it sees. */
#include "figure/observed.h"

#include "fit/view.h"
#include "report/camera_parts.h"

#include <math.h>

/* How far the sum of squares may be from chi2 where the view is missing. */
static const double same_chi2 = 1e-3;

typedef struct Look {
    const ArcCapture *capture;
    const ArcFit *fit;
    const ArcView *view; /* NULL: there is none, or no experiment that tells */
    double theta[ARC_MAX_PARAMETERS];
} Look;

static ArcStatus make_view(ArcMaker *maker, Look *look, ArcError *err)
{
    const ArcExperiment *experiment = maker->experiment;
    ArcView *view = NULL;
    if (experiment == NULL || experiment->equations != NULL ||
        look->capture->dimensions != experiment->flight.settings.dimensions)
        return ARC_OK;
    ArcStatus status = arc_view_create(experiment, look->capture, maker->arena, &view, err);
    if (status == ARC_MEMORY)
        return arc_error_no_memory(err);
    if (status != ARC_OK || view == NULL)
        return ARC_OK;
    int first = arc_view_first_parameter(experiment);
    for (int m = 0; m < view->M && first + m < look->fit->n_parameters; m++)
        look->theta[m] = look->fit->parameters[first + m].value;
    look->view = view;
    return ARC_OK;
}

/* What the fit says of a point's numbers, y (3). */
static void predict(const Look *look, int point, double y[ARC_VIEW_NUMBERS])
{
    const ArcFit *fit = look->fit;
    int d = look->capture->dimensions;
    const double *x = fit->predicted_m + (size_t)point * (size_t)d;
    if (fit->predicted_px != NULL) {
        for (int k = 0; k < ARC_VIEW_NUMBERS; k++)
            y[k] = fit->predicted_px[ARC_VIEW_NUMBERS * point + k];
    } else if (look->view != NULL)
        arc_view_look(
            look->view, look->theta,
            &(ArcGlance){
                .point = point, .D = d, .file_s = look->capture->time_s[point], .x = x, .y = y});
}

static bool is_pixel(const ArcCapture *capture, int point)
{
    return capture->n_cameras > 0 && capture->camera[point] >= 0;
}

static double sigma_of(const Look *look, int point, int axis)
{
    const ArcCapture *capture = look->capture;
    const ArcResiduals *r = &look->fit->residuals;
    double factor = look->fit->spread.sigma_factor;
    if (!is_pixel(capture, point))
        return factor * capture->sigma_m[point * capture->dimensions + axis];
    int camera = capture->camera[point];
    if (camera < r->n_cameras)
        factor *= r->cameras[camera].sigma_factor;
    return factor * (axis == 2 ? capture->sigma_radius_px[point] : capture->sigma_px[point]);
}

static double measured_of(const ArcCapture *capture, int point, int axis)
{
    if (!is_pixel(capture, point))
        return capture->position_m[point * capture->dimensions + axis];
    if (axis == 2)
        return capture->radius_px == NULL ? (double)NAN : capture->radius_px[point];
    return capture->pixel_px[2 * point + axis];
}

static void mark_outlier(const ArcFit *fit, ArcObserved *observed)
{
    for (int i = 0; i < fit->spread.n_outliers; i++) {
        const ArcOutlier *outlier = &fit->spread.outliers[i];
        if (outlier->point == observed->point && outlier->axis == observed->axis) {
            observed->is_outlier = true;
            observed->outlier_sd = outlier->residual_sd;
        }
    }
}

/* The numbers of one point behind the list. */
static void add_point(const Look *look, int point, ArcObservedList *all, ArcObserved *list)
{
    const ArcCapture *capture = look->capture;
    int d = capture->dimensions;
    bool pixel = is_pixel(capture, point);
    bool is_seen = look->fit->predicted_px != NULL || look->view != NULL;
    double time_s = capture->time_s[point], y[ARC_VIEW_NUMBERS] = {NAN, NAN, NAN};
    if (pixel && !is_seen)
        return;
    if (is_seen)
        predict(look, point, y);
    if (look->view != NULL)
        time_s = arc_view_time(look->view, look->theta, point, time_s);
    for (int axis = 0; axis < (pixel ? ARC_VIEW_NUMBERS : d); axis++) {
        double predicted = is_seen ? y[axis] : look->fit->predicted_m[point * d + axis];
        double off = measured_of(capture, point, axis) - predicted;
        double in_sd = isfinite(off) ? off / sigma_of(look, point, axis) : NAN;
        if (!isfinite(in_sd))
            continue;
        ArcObserved *observed = &list[all->n++];
        *observed = (ArcObserved){.point = point,
                                  .camera = pixel ? capture->camera[point] : -1,
                                  .axis = axis,
                                  .time_s = time_s,
                                  .in_sd = in_sd,
                                  .is_held = capture->use[point] == ARC_POINT_HELD_OUT};
        if (!observed->is_held)
            mark_outlier(look->fit, observed);
    }
}

/* Whether the squares add up to what the fit has: else a scale or a bias is missing. */
static bool is_whole(const Look *look, const ArcObservedList *all)
{
    const ArcResiduals *r = &look->fit->residuals;
    double chi2 = 0.0, known = r->chi2 - r->readings_chi2 - r->swing_chi2;
    for (int i = 0; i < all->n; i++)
        chi2 += all->list[i].is_held ? 0.0 : all->list[i].in_sd * all->list[i].in_sd;
    return look->view != NULL || look->fit->predicted_px != NULL || !isfinite(known) ||
           fabs(chi2 - known) <= same_chi2 * (1.0 + known);
}

ArcStatus arc_maker_observed(ArcMaker *maker, const ArcFit *fit, ArcObservedList *observed,
                             ArcError *err)
{
    const ArcCapture *capture = maker->result->capture;
    Look look = {.capture = capture, .fit = fit};
    int most = capture->dimensions > ARC_VIEW_NUMBERS ? capture->dimensions : ARC_VIEW_NUMBERS;
    *observed = (ArcObservedList){0};
    if (fit->predicted_m == NULL)
        return ARC_OK;
    ArcStatus status = make_view(maker, &look, err);
    if (status != ARC_OK)
        return status;
    ArcObserved *list =
        ARC_ALLOC(maker->arena, (size_t)capture->n_points * (size_t)most, ArcObserved);
    if (list == NULL)
        return arc_error_no_memory(err);
    observed->list = list;
    for (int i = 0; i < capture->n_points; i++)
        if (capture->use[i] != ARC_POINT_UNUSED)
            add_point(&look, i, observed, list);
    if (maker->experiment == NULL && !is_whole(&look, observed)) {
        if (fit == maker->fit)
            arc_maker_note(maker, "Residuals are not drawn: without the experiment it is not known "
                                  "how its points were seen.");
        observed->n = 0;
    }
    return ARC_OK;
}

const char *arc_observed_label(ArcMaker *maker, const ArcObserved *observed)
{
    const char *label = arc_maker_point_label(maker, observed->point);
    if (label == NULL || observed->camera < 0)
        return label;
    return arc_arena_format(maker->arena, "%s %s", label, arc_camera_parts_axis(observed->axis));
}

double arc_observed_shrinkage(const ArcFit *fit)
{
    int numbers = fit->residuals.dof + fit->n_free;
    return fit->residuals.dof < 1 || numbers < 1 ? 1.0 : sqrt((double)fit->residuals.dof / numbers);
}
