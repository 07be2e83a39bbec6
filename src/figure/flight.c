/* The flight: from the side, the top and the front, and in space. */
#include "figure/maker.h"

/* The fitted points of axes a and b. */
static void add_points(ArcMaker *maker, int a, int b)
{
    const ArcCapture *capture = maker->result->capture;
    int d = capture->dimensions, n = 0;
    double *x = ARC_ALLOC(maker->arena, (size_t)capture->n_points, double);
    double *y = ARC_ALLOC(maker->arena, (size_t)capture->n_points, double);
    if (x == NULL || y == NULL)
        return;
    for (int i = 0; i < capture->n_points; i++) {
        if (capture->use[i] != ARC_POINT_FIT)
            continue;
        x[n] = capture->position_m[i * d + a];
        y[n++] = capture->position_m[i * d + b];
    }
    arc_maker_series(maker, &(ArcSeries){.mark = ARC_MARK_POINTS,
                                         .role = ARC_ROLE_POINTS,
                                         .name = "camera points",
                                         .n = n,
                                         .x = x,
                                         .y = y});
}

ArcStatus arc_make_flight(ArcMaker *maker, ArcError *err)
{
    const ArcResult *result = maker->result;
    int d = result->capture->dimensions;
    if (maker->fit->states != NULL || maker->fit->n_trajectory == 0)
        return ARC_OK;
    ArcFigure *figure =
        arc_maker_figure(maker, ARC_FIGURES_FLIGHT, "flight-side", "The flight from the side");
    if (figure == NULL)
        return arc_error_no_memory(err);
    figure->is_equal = true;
    figure->x = (ArcAxis){.label = arc_maker_axis_label(maker, 0), .unit = "m"};
    figure->y = (ArcAxis){.label = arc_maker_axis_label(maker, d - 1), .unit = "m"};
    for (int i = 0; i < result->n_fits; i++) {
        const ArcFit *fit = result->fits[i];
        arc_maker_series(
            maker, &(ArcSeries){.mark = ARC_MARK_LINE,
                                .role = arc_maker_method_role(fit->method),
                                .name = arc_maker_method_name(fit->method),
                                .n = fit->n_trajectory,
                                .x = arc_maker_column(maker, fit->position_m, fit->n_trajectory, d),
                                .y = arc_maker_column(maker, fit->position_m + d - 1,
                                                      fit->n_trajectory, d)});
    }
    add_points(maker, 0, d - 1);
    return ARC_OK;
}
