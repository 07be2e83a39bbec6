/* See gnuplot_script.h. */
#include "figure/gnuplot_script.h"

#include "figure/extent.h"

#include "base/number.h"

#include <math.h>

enum { DIGITS = 9, MOST_NAME = 200 };

static const double bar_share = 0.9;

static double shown(const ArcFigure *figure, int axis, ArcUnits units, double si)
{
    return arc_axis_shown(arc_figure_axis(figure, axis), units, si);
}

/* A row; false (and none) where a number is not finite. */
static bool add_row(ArcText *text, int n, const double *numbers)
{
    char number[ARC_NUMBER_TEXT];
    for (int i = 0; i < n; i++)
        if (!isfinite(numbers[i]))
            return false;
    for (int i = 0; i < n; i++)
        arc_text_append(text, "%s%s", i == 0 ? "" : " ",
                        arc_number_write_digits(number, numbers[i], DIGITS));
    arc_text_append(text, "\n");
    return true;
}

/* How wide the bar at i is: the nearer neighbour's distance. */
static double bar_width(const ArcFigure *figure, const ArcSeries *series, int i)
{
    double width = INFINITY;
    for (int k = i - 1; k <= i + 1; k += 2)
        if (k >= 0 && k < series->n && series->x[k] != series->x[i])
            width = fmin(width, fabs(series->x[k] - series->x[i]));
    if (figure->x.names != NULL)
        return bar_share * fmin(width, 1.0);
    return isfinite(width) ? width : 1.0;
}

/* The columns of row i. */
static int columns(const ArcFigure *figure, const ArcSeries *series, ArcUnits units, int i,
                   double row[4])
{
    int along = series->is_level ? 0 : 1;
    row[0] = shown(figure, 0, units, series->x[i]);
    switch (series->mark) {
    case ARC_MARK_BAND:
        row[1] = shown(figure, 1, units, series->low[i]);
        row[2] = shown(figure, 1, units, series->high[i]);
        return 3;
    case ARC_MARK_INTERVALS:
        row[1] = shown(figure, 1, units, series->y[i]);
        row[2] = shown(figure, along, units, series->low[i]);
        row[3] = shown(figure, along, units, series->high[i]);
        return 4;
    case ARC_MARK_BARS:
        row[1] = shown(figure, 1, units, series->y[i]);
        row[2] = arc_units_shown(units, figure->x.unit).slope * bar_width(figure, series, i);
        return 3;
    default:
        row[1] = shown(figure, 1, units, series->y[i]);
        row[2] = figure->is_space ? shown(figure, 2, units, series->z[i]) : 0.0;
        return figure->is_space ? 3 : 2;
    }
}

/* The edges of node i: half way to its neighbours. */
static void edges(int n, const double *nodes, int i, double edge[2])
{
    double before = i > 0 ? nodes[i] - nodes[i - 1] : n > 1 ? nodes[1] - nodes[0] : 1.0;
    double behind = i + 1 < n ? nodes[i + 1] - nodes[i] : before;
    edge[0] = nodes[i] - 0.5 * before;
    edge[1] = nodes[i] + 0.5 * behind;
}

static void add_cells(ArcText *text, const ArcFigure *figure, const ArcSeries *series,
                      ArcUnits units)
{
    for (int k = 0; k < series->n_rows; k++)
        for (int i = 0; i < series->n; i++) {
            double x[2], y[2];
            edges(series->n, series->x, i, x);
            edges(series->n_rows, series->y, k, y);
            const double row[] = {shown(figure, 0, units, series->x[i]),
                                  shown(figure, 1, units, series->y[k]),
                                  shown(figure, 0, units, x[0]),
                                  shown(figure, 0, units, x[1]),
                                  shown(figure, 1, units, y[0]),
                                  shown(figure, 1, units, y[1]),
                                  shown(figure, 2, units, series->cells[k * series->n + i])};
            add_row(text, 7, row);
        }
}

/* What is parted by NaN is parted by one blank line: two would begin the next series. */
static void add_series(ArcText *text, const ArcFigure *figure, const ArcSeries *series,
                       ArcUnits units)
{
    bool has_rows = false, is_parted = false;
    for (int i = 0; i < series->n; i++) {
        double row[4];
        size_t before = text->size;
        int n = columns(figure, series, units, i, row);
        if (is_parted && has_rows)
            arc_text_append(text, "\n");
        bool is_there = add_row(text, n, row);
        if (!is_there && is_parted && has_rows && !text->failed) {
            text->size = before;
            text->bytes[before] = '\0';
        }
        has_rows = has_rows || is_there;
        is_parted = !is_there;
    }
}

void arc_gnuplot_data(ArcText *text, const ArcFigure *figure, ArcUnits units)
{
    static const char *const heads[] = {
        "x y", "x y", "x low high", "x y low high", "x y width", "x y x_low x_high y_low y_high z"};
    for (int i = 0; i < figure->n_series; i++) {
        const ArcSeries *series = &figure->series[i];
        size_t before = text->size;
        arc_text_append(text, "%s# ", i == 0 ? "" : "\n\n");
        arc_gnuplot_quote(text, series->name == NULL ? "" : series->name, MOST_NAME);
        arc_text_append(text, ": %s%s\n", heads[series->mark],
                        figure->is_space && series->mark <= ARC_MARK_POINTS ? " z" : "");
        before = text->size;
        if (series->mark == ARC_MARK_CELLS)
            add_cells(text, figure, series, units);
        else
            add_series(text, figure, series, units);
        /* A series without a row has to be there all the same: the indices count. */
        if (text->size == before)
            arc_text_append(text, "NaN NaN NaN NaN NaN NaN NaN\n");
    }
}
