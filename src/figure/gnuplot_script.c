/* See gnuplot_script.h. A picture is one column of a paper wide, 85 mm, with letters of 8 points;
 * its legend stands below the axes, never over the data. */
#include "figure/gnuplot_script.h"

#include "figure/extent.h"
#include "figure/look.h"

#include <math.h>
#include <string.h>

enum { LONG_NAMES = 30, WIDE_LEGEND = 46 };

/* Of the picture and of what is around its axes, mm. */
static const double width_mm = 85.0, height_mm = 64.0, beside_mm = 17.0, around_mm = 26.0;
static const double least_mm = 45.0, most_mm = 120.0, space_mm = 72.0, line_mm = 4.0;

void arc_gnuplot_quote(ArcText *text, const char *words)
{
    size_t left = strlen(words);
    arc_text_append_bytes(text, "'", 1);
    while (left > 0) {
        size_t length = arc_text_character_length(words, left);
        unsigned char first = (unsigned char)*words;
        if (length == 0 || first < 0x20 || first == 0x7f)
            arc_text_append_bytes(text, length == 0 ? "?" : " ", 1);
        else if (first == '\'')
            arc_text_append_bytes(text, "''", 2);
        else
            arc_text_append_bytes(text, words, length);
        length = length == 0 ? 1 : length;
        words += length;
        left -= length;
    }
    arc_text_append_bytes(text, "'", 1);
}

/* A category's name; gnuplot takes % in it for a format. */
static void quote_name(ArcText *text, const char *name)
{
    ArcText doubled = {0};
    char *bytes = NULL;
    for (const char *c = name; *c != '\0'; c++)
        arc_text_append(&doubled, *c == '%' ? "%%%%" : "%c", *c);
    if (arc_text_finish(&doubled, &bytes, NULL) != ARC_OK)
        text->failed = true;
    else
        arc_gnuplot_quote(text, bytes);
    arc_text_free(bytes);
}

/* Lines that the legend takes below the axes. */
static int legend_lines(const ArcFigure *figure)
{
    int lines = 0, used = WIDE_LEGEND;
    for (int i = 0; i < figure->n_series; i++) {
        const char *name = figure->series[i].name;
        if (name == NULL)
            continue;
        int length = (int)strlen(name) + 6;
        if (used + length > WIDE_LEGEND) {
            lines++;
            used = 0;
        }
        used += length;
    }
    return lines;
}

/* Where a metre is as long along both axes, the picture is as high as the flight is. */
static double picture_height_mm(const ArcFigure *figure)
{
    double legend_mm = line_mm * legend_lines(figure);
    if (figure->is_space)
        return space_mm + legend_mm;
    if (arc_figure_has_cells(figure) && !figure->is_equal)
        return height_mm + 8.0;
    if (!figure->is_equal)
        return height_mm + fmax(0.0, legend_mm - line_mm);
    ArcExtent x = arc_figure_extent(figure, 0), y = arc_figure_extent(figure, 1);
    double height = around_mm + (width_mm - beside_mm) * (y.high - y.low) / (x.high - x.low);
    return isfinite(height) ? fmax(least_mm, fmin(height, most_mm)) + legend_mm : height_mm;
}

static void add_terminal(ArcText *text, const ArcFigure *figure, const ArcGnuplotFiles *files)
{
    double height = picture_height_mm(figure);
    if (files->format == ARC_PICTURE_PDF)
        arc_text_append(text,
                        "set terminal pdfcairo enhanced size %.1fcm,%.1fcm font 'Helvetica,8' "
                        "fontscale 1 linewidth 1 rounded\n",
                        0.1 * width_mm, 0.1 * height);
    else if (files->format == ARC_PICTURE_PNG) /* 300 dots an inch */
        arc_text_append(text,
                        "set terminal pngcairo enhanced size %.0f,%.0f font 'Helvetica,8' "
                        "fontscale 3 linewidth 3 pointscale 3 rounded\n",
                        width_mm * 300.0 / 25.4, height * 300.0 / 25.4);
    else /* 96 dots an inch */
        arc_text_append(text,
                        "set terminal svg enhanced size %.0f,%.0f font 'Helvetica,10.5' linewidth "
                        "1 rounded background 'white'\n",
                        width_mm * 96.0 / 25.4, height * 96.0 / 25.4);
    arc_text_append(text, "set output '%s'\n", files->picture);
}

static void add_label(ArcText *text, char letter, const ArcAxis *axis, ArcUnits units)
{
    const char *unit = arc_axis_unit(axis, units);
    ArcText label = {0};
    char *bytes = NULL;
    arc_text_append(&label, unit[0] == '\0' ? "%s%s" : "%s (%s)", axis->label, unit);
    if (arc_text_finish(&label, &bytes, NULL) != ARC_OK) {
        text->failed = true;
        return;
    }
    arc_text_append(text, letter == 'c' ? "set cblabel " : "set %clabel ", letter);
    arc_gnuplot_quote(text, bytes);
    arc_text_append(text, " noenhanced%s\n", letter == 'z' ? " rotate" : "");
    arc_text_free(bytes);
}

/* Tics with names, and room for all of the first and the last; a matrix is read downwards. */
static void add_names(ArcText *text, char letter, const ArcAxis *axis, bool is_downwards)
{
    int length = 0;
    for (int i = 0; i < axis->n_names; i++)
        length += (int)strlen(axis->names[i]) + 1;
    arc_text_append(text, "set %ctics noenhanced%s (", letter,
                    letter == 'x' && length > LONG_NAMES ? " rotate by -45" : "");
    for (int i = 0; i < axis->n_names; i++) {
        arc_text_append(text, "%s", i == 0 ? "" : ", ");
        quote_name(text, axis->names[i]);
        arc_text_append(text, " %d", i);
    }
    double last = axis->n_names - 0.5;
    arc_text_append(text, ")\nset %crange [%g:%g]\n", letter, is_downwards ? last : -0.5,
                    is_downwards ? -0.5 : last);
}

static void add_axis(ArcText *text, char letter, const ArcFigure *figure, ArcUnits units)
{
    const ArcAxis *axis = arc_figure_axis(figure, letter - 'x');
    add_label(text, letter, axis, units);
    if (axis->is_log)
        arc_text_append(text, "set logscale %c\nset format %c '10^{%%L}'\n", letter, letter);
    if (axis->names != NULL)
        add_names(text, letter, axis, letter == 'y' && arc_figure_has_cells(figure));
}

/* Colours from a middle of white where numbers have both signs, else from light to dark. */
static void add_colours(ArcText *text, const ArcFigure *figure, ArcUnits units)
{
    ArcExtent z = arc_figure_extent(figure, 2);
    add_label(text, 'c', &figure->z, units);
    if (z.low < 0.0) {
        double most = fmax(-z.low, z.high) * arc_units_shown(units, figure->z.unit).slope;
        arc_text_append(text,
                        "set palette defined (-1 '#0072B2', 0 '#FFFFFF', 1 '#D55E00')\nset cbrange "
                        "[%.9g:%.9g]\n",
                        -most, most);
    } else {
        arc_text_append(text, "set palette defined (0 '#F7FBFF', 0.5 '#56B4E9', 1 '#08306B')\n");
        if (!figure->z.is_log)
            arc_text_append(text, "set cbrange [0:*]\n");
    }
    if (figure->z.is_log)
        arc_text_append(text, "set logscale cb\nset format cb '10^{%%L}'\n");
}

static void add_plot(ArcText *text, const ArcFigure *figure, int i, const char *data)
{
    const ArcSeries *series = &figure->series[i];
    const ArcLook look = arc_series_look(figure, i);
    arc_text_append(text, "%s '%s' index %d ",
                    i == 0 ? (figure->is_space ? "splot" : "plot") : ", \\\n    ", data, i);
    switch (series->mark) {
    case ARC_MARK_LINE:
        arc_text_append(text, "with lines linecolor rgb '%s' linewidth %s dashtype %d", look.colour,
                        series->role == ARC_ROLE_EXPECTED ? "1" : "1.5", look.dash);
        break;
    case ARC_MARK_BAND:
        arc_text_append(text,
                        "using 1:2:3 with filledcurves linecolor rgb '%s' fillstyle transparent "
                        "solid 0.2 noborder",
                        look.colour);
        break;
    case ARC_MARK_INTERVALS:
        arc_text_append(text,
                        "using 1:2:3:4 with %cerrorbars linecolor rgb '%s' linewidth 1 pointtype "
                        "%d pointsize 0.4",
                        series->is_level ? 'x' : 'y', look.colour, look.symbol);
        break;
    case ARC_MARK_BARS:
        arc_text_append(
            text,
            "using 1:2:3 with boxes linecolor rgb '%s' fillstyle transparent solid 0.5 border",
            look.colour);
        break;
    case ARC_MARK_CELLS:
        arc_text_append(
            text,
            "using 1:2:3:4:5:6:7 with boxxyerror linecolor palette fillstyle solid 1 noborder");
        break;
    default:
        arc_text_append(text, "with points linecolor rgb '%s' pointtype %d pointsize %s",
                        look.colour, look.symbol, series->n > 300 ? "0.2" : "0.5");
    }
    if (series->name == NULL) {
        arc_text_append(text, " notitle");
        return;
    }
    arc_text_append(text, " title ");
    arc_gnuplot_quote(text, series->name);
    arc_text_append(text, " noenhanced");
}

static void add_space(ArcText *text, const ArcFigure *figure)
{
    arc_text_append(text,
                    "set view 65,30\nset xyplane 0\nset ticslevel 0\n%sset zlabel offset 1,0\n",
                    figure->is_equal ? "set view equal xyz\n" : "");
}

void arc_gnuplot_script(ArcText *text, const ArcFigure *figure, const ArcGnuplotFiles *files)
{
    arc_text_append(text, "# Run in its folder by: gnuplot %s\nreset\n", files->script);
    add_terminal(text, figure, files);
    arc_text_append(text, "set encoding utf8\nset title ");
    arc_gnuplot_quote(text, figure->title);
    arc_text_append(text, " noenhanced\n");
    if (legend_lines(figure) > 0)
        arc_text_append(text, "set key below center horizontal samplen 2 noenhanced\n");
    else
        arc_text_append(text, "unset key\n");
    arc_text_append(text, "set tics nomirror scale 0.5\nset border 3\n");
    add_axis(text, 'x', figure, files->units);
    add_axis(text, 'y', figure, files->units);
    if (figure->is_space) {
        add_axis(text, 'z', figure, files->units);
        add_space(text, figure);
    } else if (figure->is_equal) {
        arc_text_append(text, "set size ratio -1\n");
    }
    if (arc_figure_has_cells(figure))
        add_colours(text, figure, files->units);
    for (int i = 0; i < figure->n_series; i++)
        add_plot(text, figure, i, files->data);
    arc_text_append(text, "\nunset output\n");
}
