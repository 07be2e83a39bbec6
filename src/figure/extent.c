/* See extent.h. */
#include "figure/extent.h"

#include <math.h>
#include <string.h>

const ArcAxis *arc_figure_axis(const ArcFigure *figure, int axis)
{
    return axis == 0 ? &figure->x : axis == 1 ? &figure->y : &figure->z;
}

static void include(ArcExtent *extent, const ArcAxis *axis, int n, const double *numbers)
{
    for (int i = 0; numbers != NULL && i < n; i++) {
        if (!isfinite(numbers[i]) || (axis->is_log && numbers[i] <= 0.0))
            continue;
        extent->low = fmin(extent->low, numbers[i]);
        extent->high = fmax(extent->high, numbers[i]);
    }
}

ArcExtent arc_series_extent(const ArcFigure *figure, const ArcSeries *series, int axis)
{
    static const double zero = 0.0;
    const ArcAxis *along = arc_figure_axis(figure, axis);
    ArcExtent extent = {INFINITY, -INFINITY};
    bool is_cells = series->mark == ARC_MARK_CELLS;
    bool has_reach = series->mark == ARC_MARK_BAND || series->mark == ARC_MARK_INTERVALS;
    if (axis == 2)
        include(&extent, along, is_cells ? series->n * series->n_rows : series->n,
                is_cells ? series->cells : series->z);
    else if (axis == 1)
        include(&extent, along, is_cells ? series->n_rows : series->n, series->y);
    else
        include(&extent, along, series->n, series->x);
    if (has_reach && axis == (series->is_level ? 0 : 1)) {
        include(&extent, along, series->n, series->low);
        include(&extent, along, series->n, series->high);
    }
    if (series->mark == ARC_MARK_BARS && axis == 1)
        include(&extent, along, 1, &zero);
    return extent;
}

ArcExtent arc_figure_extent(const ArcFigure *figure, int axis)
{
    ArcExtent extent = {INFINITY, -INFINITY};
    for (int i = 0; i < figure->n_series; i++) {
        ArcExtent one = arc_series_extent(figure, &figure->series[i], axis);
        extent.low = fmin(extent.low, one.low);
        extent.high = fmax(extent.high, one.high);
    }
    return extent;
}

double arc_axis_shown(const ArcAxis *axis, ArcUnits units, double si)
{
    ArcShownUnit shown = arc_units_shown(units, axis->unit);
    return shown.slope * si + shown.offset;
}

const char *arc_axis_unit(const ArcAxis *axis, ArcUnits units)
{
    ArcShownUnit shown = arc_units_shown(units, axis->unit);
    return strcmp(shown.unit, "1") == 0 ? "" : shown.unit;
}

bool arc_figure_has_cells(const ArcFigure *figure)
{
    for (int i = 0; i < figure->n_series; i++)
        if (figure->series[i].mark == ARC_MARK_CELLS)
            return true;
    return false;
}
