/* The PINN's residual of the equations of motion along the flight: the acceleration of its net less
 * what the model says at the net's position and velocity (arc_predict_physics), up to the last
 * fitted point, behind which the flight is simulated. Its expected size is sigma_phys: the sd of an
 * acceleration beside the model that the fit allows. */
#include "arcfit/predict.h"
#include "figure/maker.h"
#include "report/table.h"

#include <math.h>

/* The rows of the trajectory that a net made. */
static int count_fitted(const ArcMaker *maker, const ArcFit *pinn)
{
    const ArcCapture *capture = maker->result->capture;
    double last_s = -INFINITY, step_s;
    int n = 0;
    for (int i = 0; i < capture->n_points; i++)
        if (capture->use[i] == ARC_POINT_FIT)
            last_s = fmax(last_s, capture->time_s[i]);
    step_s = (pinn->time_s[pinn->n_trajectory - 1] - pinn->time_s[0]) / pinn->n_trajectory;
    while (n < pinn->n_trajectory && pinn->time_s[n] <= last_s + 1e-6 * step_s)
        n++;
    /* A free clock may shift the points against the flight by less than a step. */
    return n == 0 || capture->n_held_out == 0 ? pinn->n_trajectory : n;
}

/* A level at both signs over a span of time, as one line. */
static void add_bounds(ArcMaker *maker, const double span_s[2], double level)
{
    double *x = ARC_ALLOC(maker->arena, 10, double);
    if (x == NULL || !(level > 0.0))
        return;
    double *y = x + 5;
    x[0] = x[3] = span_s[0];
    x[1] = x[4] = span_s[1];
    y[0] = y[1] = level;
    y[3] = y[4] = -level;
    x[2] = y[2] = NAN;
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                         .role = ARC_ROLE_EXPECTED,
                                         .name = "sigma_phys to either side",
                                         .n = 5,
                                         .x = x,
                                         .y = y});
}

/* The interval in which the flight leaves its equations, over the height of the picture. */
static void add_breach(ArcMaker *maker, double height)
{
    const ArcBreach *breach = &maker->result->comparison.physics;
    double *x = ARC_ALLOC(maker->arena, 6, double);
    if (x == NULL)
        return;
    x[0] = breach->interval_s[0];
    x[1] = breach->interval_s[1];
    x[2] = x[3] = -height;
    x[4] = x[5] = height;
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_BAND,
                                         .role = ARC_ROLE_OUTLIER,
                                         .name = "the flight leaves its equations",
                                         .n = 2,
                                         .x = x,
                                         .low = x + 2,
                                         .high = x + 4});
}

static bool is_broken(const ArcMaker *maker)
{
    const ArcBreach *breach = &maker->result->comparison.physics;
    return maker->flight == 0 && breach->searched && breach->p < ARC_MISFIT_P;
}

/* What the search found, a sentence; "" where there was none. */
static const char *breach_words(const ArcMaker *maker)
{
    const ArcBreach *breach = &maker->result->comparison.physics;
    char from[ARC_TABLE_NUMBER], to[ARC_TABLE_NUMBER], size[ARC_TABLE_NUMBER], p[ARC_TABLE_NUMBER];
    if (maker->flight > 0 || !breach->searched)
        return "";
    arc_table_plain(p, breach->p, 2);
    if (!is_broken(maker))
        return arc_arena_format(maker->arena,
                                " A search for where the flight leaves its equations found "
                                "nothing (p = %s).",
                                p);
    return arc_arena_format(
        maker->arena, " A looser fit leaves the equations from %s to %s s by %s m/s^2 (p %s %s).",
        arc_table_plain(from, breach->interval_s[0], 3),
        arc_table_plain(to, breach->interval_s[1], 3), arc_table_plain(size, breach->size_m_s2, 2),
        breach->p > ARC_BREACH_LEAST_P ? "=" : "at most", p);
}

static const char *caption_of(const ArcMaker *maker, const ArcFit *pinn)
{
    char rms[ARC_TABLE_NUMBER], sigma[ARC_TABLE_NUMBER];
    const ArcResiduals *r = &pinn->residuals;
    const char *breach = breach_words(maker);
    return breach == NULL
               ? NULL
               : arc_arena_format(maker->arena,
                                  "By how much the PINN's flight breaks the equations of motion: "
                                  "%s m/s^2 rms, where %s (sigma_phys) is allowed.%s",
                                  arc_table_plain(rms, r->physics_rms_fine_m_s2, 2),
                                  arc_table_plain(sigma, r->sigma_phys_m_s2, 2), breach);
}

static ArcStatus make_figure(ArcMaker *maker, const ArcFit *pinn, const double *residual,
                             ArcError *err)
{
    int d = pinn->dimensions, n = count_fitted(maker, pinn);
    double sigma = pinn->residuals.sigma_phys_m_s2, height = sigma > 0.0 ? sigma : 0.0;
    ArcFigure *figure = arc_maker_figure(maker, ARC_FIGURES_PHYSICS, "physics",
                                         "Residual of the equations of motion");
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->x = (ArcAxis){.label = "time", .unit = "s"};
    figure->y =
        (ArcAxis){.label = "acceleration of the net less that of the model", .unit = "m/s^2"};
    for (int i = 0; i < n * d; i++)
        height = fmax(height, fabs(residual[i]));
    if (is_broken(maker))
        add_breach(maker, 1.05 * height);
    add_bounds(maker, (const double[2]){pinn->time_s[0], pinn->time_s[n - 1]}, sigma);
    for (int axis = 0; axis < d; axis++)
        arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                             .role = ARC_ROLE_OTHER,
                                             .name = arc_maker_axis_label(maker, axis),
                                             .n = n,
                                             .x = pinn->time_s,
                                             .y = arc_maker_column(maker, residual + axis, n, d)});
    figure->caption = caption_of(maker, pinn);
    return figure->caption == NULL ? arc_error_no_memory(err) : ARC_OK;
}

ArcStatus arc_make_physics(ArcMaker *maker, ArcError *err)
{
    const ArcFit *pinn = arc_result_fit(maker->result, ARC_PINN);
    ArcError why;
    if (pinn == NULL || maker->experiment == NULL || pinn->states != NULL ||
        pinn->n_trajectory == 0)
        return ARC_OK;
    size_t size = (size_t)pinn->n_trajectory * (size_t)pinn->dimensions;
    double *residual = ARC_ALLOC(maker->arena, size, double);
    if (residual == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_predict_physics(maker->experiment, pinn, residual, &why);
    if (status == ARC_MEMORY)
        return arc_error_no_memory(err);
    if (status == ARC_OK)
        return make_figure(maker, pinn, residual, err);
    arc_maker_note(maker, "The residual of the equations of motion is not drawn: %s", why.text);
    return ARC_OK;
}
