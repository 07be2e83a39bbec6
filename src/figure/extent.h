/* How far a figure reaches along its axes, and its numbers in shown units. */
#ifndef ARC_FIGURE_EXTENT_H
#define ARC_FIGURE_EXTENT_H

#include "arcfit/figure.h"

/* low > high: nothing finite is there. */
typedef struct ArcExtent {
    double low, high;
} ArcExtent;

/* x (0), y (1) or z (2) of all series, in SI: bars begin at 0, bands and intervals reach from low
 * to high; on a logarithmic axis only what is above 0 counts. */
ArcExtent arc_figure_extent(const ArcFigure *figure, int axis);

/* The same of one series. */
ArcExtent arc_series_extent(const ArcFigure *figure, const ArcSeries *series, int axis);

const ArcAxis *arc_figure_axis(const ArcFigure *figure, int axis);

/* Of a number on an axis; names of categories are not looked at. */
double arc_axis_shown(const ArcAxis *axis, ArcUnits units, double si);

/* "" for a plain number. */
const char *arc_axis_unit(const ArcAxis *axis, ArcUnits units);

/* True where the figure's numbers have a colour each, by its z axis. */
bool arc_figure_has_cells(const ArcFigure *figure);

#endif
