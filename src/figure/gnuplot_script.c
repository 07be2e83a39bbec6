/* See gnuplot_script.h. A picture is one column of a paper wide, 85 mm, with letters of 8 points;
 * its legend stands below the axes, never over the data. */
#include "figure/gnuplot_script.h"

#include "figure/extent.h"
#include "figure/look.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    LONG_NAMES = 34,
    WIDE_LEGEND = 50,
    MOST_LEGEND = 44,
    MOST_NAME = 24,
    SHORT_NAME = 16,
    MOST_TITLE = 50,
    MOST_UP = 34,
    MOST_TICS = 6,
    MOST_ALONG = 9,
    MOST_DEEP = 3,
    MOST_IN_SPACE = 5,
    LONG_TICS = 52,
    MOST_DECIMALS = 6
};

/* Of the picture, of its axes and of what is around them, mm. */
static const double width_mm = 85.0, axes_mm = 46.0, top_mm = 7.0, line_mm = 3.4, letter_mm = 1.4;
static const double beside_mm = 14.0, beside_cells_mm = 30.0, least_mm = 18.0, most_mm = 90.0;
static const double space_mm = 62.0;
static const double near_zero = 0.1;    /* of the largest */
static const double least_plain = 1e-4; /* below, gnuplot writes all numbers by powers of ten */

void arc_gnuplot_quote(ArcText *text, const char *words, int most)
{
    size_t left = strlen(words);
    arc_text_append_bytes(text, "'", 1);
    while (left > 0) {
        size_t length = arc_text_character_length(words, left);
        unsigned char first = (unsigned char)*words;
        if (length == 4) /* cairo draws what is of no font as large as the picture, or nothing */
            arc_text_append(text, "\xe2\x96\xa1");
        else if (length == 0 || first < 0x20 || first == 0x7f)
            arc_text_append_bytes(text, length == 0 ? "?" : " ", 1);
        else if (first == '\'')
            arc_text_append_bytes(text, "''", 2);
        else
            arc_text_append_bytes(text, words, length);
        length = length == 0 ? 1 : length;
        words += length;
        left -= length;
        if (--most <= 0 && left > 0) {
            arc_text_append(text, "...");
            break;
        }
    }
    arc_text_append_bytes(text, "'", 1);
}

/* words in one line, or in two, joined by a line break that is ours: it alone stands in double
 * quotes. */
static void quote_in_lines(ArcText *text, const char *words, int width)
{
    size_t length = strlen(words), first = length;
    if (length > (size_t)width)
        for (size_t i = (size_t)width; i > 0 && first == length; i--)
            first = words[i] == ' ' ? i : first;
    ArcText part = {0};
    char *line = NULL;
    arc_text_append_bytes(&part, words, first);
    if (arc_text_finish(&part, &line, NULL) != ARC_OK) {
        text->failed = true;
        return;
    }
    arc_gnuplot_quote(text, line, width);
    arc_text_free(line);
    if (first == length)
        return;
    arc_text_append(text, ".\"\\n\".");
    arc_gnuplot_quote(text, words + first + 1, width);
}

/* In characters, `most` at most. */
static int length_of(const char *words, int most)
{
    int n = 0;
    for (const char *c = words; *c != '\0'; c++)
        n += ((unsigned char)*c & 0xc0) != 0x80 ? 1 : 0;
    return n < most ? n : most;
}

/* What is too long loses its middle: names of results are told apart by their ends. */
static void quote_middle_cut(ArcText *text, const char *words)
{
    enum { HEAD = 10, TAIL = MOST_NAME - HEAD - 3 };
    ArcText short_one = {0};
    char *bytes = NULL;
    int length = length_of(words, INT_MAX), n = 0;
    for (const char *c = words; *c != '\0'; c++) {
        n += ((unsigned char)*c & 0xc0) != 0x80 ? 1 : 0;
        if (length <= MOST_NAME || n <= HEAD || n > length - TAIL)
            arc_text_append_bytes(&short_one, c, 1);
        else if (n == HEAD + 1 && ((unsigned char)*c & 0xc0) != 0x80)
            arc_text_append(&short_one, "...");
    }
    if (arc_text_finish(&short_one, &bytes, NULL) != ARC_OK)
        text->failed = true;
    else
        arc_gnuplot_quote(text, bytes, MOST_NAME);
    arc_text_free(bytes);
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
        quote_middle_cut(text, bytes);
    arc_text_free(bytes);
}

/* The legend: so many entries beside each other, in so many lines. */
typedef struct Legend {
    int columns, lines;
} Legend;

static Legend legend_of(const ArcFigure *figure)
{
    int n = 0, longest = 0;
    for (int i = 0; i < figure->n_series; i++) {
        const char *name = figure->series[i].name;
        if (name == NULL)
            continue;
        int length = length_of(name, MOST_LEGEND);
        n++;
        longest = length > longest ? length : longest;
    }
    int columns = WIDE_LEGEND / (longest + 6);
    columns = columns < 1 ? 1 : columns > n ? n : columns;
    bool is_lone = figure->n_series == 1; /* its axis tells what it is */
    return (Legend){columns, n == 0 || is_lone ? 0 : (n + columns - 1) / columns};
}

static int longest_name(const ArcAxis *axis)
{
    int longest = 0;
    for (int i = 0; i < axis->n_names; i++) {
        int length = length_of(axis->names[i], MOST_NAME);
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Names that do not stand beside each other are turned. */
static bool is_turned(const ArcAxis *axis)
{
    return axis->n_names * (longest_name(axis) + 1) > LONG_NAMES;
}

/* Below the axes, in lines: tics, label, legend. */
static double bottom_lines(const ArcFigure *figure)
{
    double lines = 2.0 + (figure->x.label[0] != '\0' ? 1.4 : 0.0);
    if (figure->x.names != NULL && is_turned(&figure->x))
        lines += 0.4 + 0.36 * longest_name(&figure->x);
    int legend = legend_of(figure).lines;
    return lines + (legend == 0 ? 0.0 : 0.9 + 0.95 * legend);
}

/* What is beside the axes; names of categories up take as much as they are long. */
static double beside_axes_mm(const ArcFigure *figure)
{
    double names = figure->y.names == NULL ? 0.0 : fmax(longest_name(&figure->y) - 4.0, 0.0);
    return (arc_figure_has_cells(figure) ? beside_cells_mm : beside_mm) + letter_mm * names;
}

/* Where a metre is as long along both axes, the picture is as high as the flight is. */
static double picture_height_mm(const ArcFigure *figure)
{
    double around_mm = top_mm + line_mm * bottom_lines(figure);
    if (figure->is_space)
        return space_mm + line_mm * legend_of(figure).lines;
    if (!figure->is_equal)
        return axes_mm + around_mm;
    ArcExtent x = arc_figure_extent(figure, 0), y = arc_figure_extent(figure, 1);
    double high = (width_mm - beside_axes_mm(figure)) * (y.high - y.low) / (x.high - x.low);
    return around_mm + (isfinite(high) ? fmax(least_mm, fmin(high, most_mm)) : axes_mm);
}

static void add_terminal(ArcText *text, const ArcFigure *figure, const ArcGnuplotFiles *files)
{
    double height = picture_height_mm(figure);
    if (files->format == ARC_PICTURE_PDF) /* its letters are of 96 to 72 points an inch */
        arc_text_append(text,
                        "set terminal pdfcairo enhanced size %.1fcm,%.1fcm font 'Helvetica,8' "
                        "fontscale 0.75 linewidth 1.5 pointscale 0.75 rounded\n",
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

static void add_label(ArcText *text, char letter, const ArcFigure *figure, ArcUnits units)
{
    const ArcAxis *axis = arc_figure_axis(figure, letter == 'c' ? 2 : letter - 'x');
    const char *unit = arc_axis_unit(axis, units);
    ArcText label = {0};
    char *bytes = NULL;
    arc_text_append(&label, unit[0] == '\0' ? "%s%s" : "%s (%s)", axis->label, unit);
    if (arc_text_finish(&label, &bytes, NULL) != ARC_OK) {
        text->failed = true;
        return;
    }
    arc_text_append(text, letter == 'c' ? "set cblabel " : "set %clabel ", letter);
    quote_in_lines(text, bytes, letter == 'x' ? MOST_TITLE : MOST_UP);
    const char *turned[] = {" rotate parallel offset 0,-0.3", " rotate parallel offset 0,-0.5",
                            " rotate offset -0.5,0"};
    bool is_deep = figure->is_space && letter >= 'x' && letter <= 'z';
    arc_text_append(text, " noenhanced%s\n", is_deep ? turned[letter - 'x'] : "");
    arc_text_free(bytes);
}

/* Tics with names, and room for all of the first and the last; a matrix is read downwards. */
static void add_names(ArcText *text, char letter, const ArcAxis *axis, bool is_downwards)
{
    arc_text_append(text, "set %ctics noenhanced%s (", letter,
                    letter == 'x' && is_turned(axis) ? " rotate by 45 right" : "");
    for (int i = 0; i < axis->n_names; i++) {
        arc_text_append(text, "%s", i == 0 ? "" : ", ");
        quote_name(text, axis->names[i]);
        arc_text_append(text, " %d", i);
    }
    double last = axis->n_names - 0.5;
    arc_text_append(text, ")\nset %crange [%g:%g]\n", letter, is_downwards ? last : -0.5,
                    is_downwards ? -0.5 : last);
    if (letter == 'x' && is_turned(axis) &&
        longest_name(axis) > SHORT_NAME) /* it ends at its tic */
        arc_text_append(text, "set lmargin %.1f\n", 0.75 * longest_name(axis));
}

static void add_axis(ArcText *text, char letter, const ArcFigure *figure, ArcUnits units)
{
    const ArcAxis *axis = arc_figure_axis(figure, letter - 'x');
    add_label(text, letter, figure, units);
    if (axis->is_log)
        arc_text_append(text, "set logscale %c\nset format %c '10^{%%L}'\n", letter, letter);
    ArcExtent extent = arc_figure_extent(figure, letter - 'x');
    if (!(extent.low <= extent.high)) /* gnuplot draws no axis of nothing without it */
        arc_text_append(text, "set %crange [%s]\n", letter, axis->is_log ? "1:10" : "0:1");
    if (axis->names != NULL)
        add_names(text, letter, axis, letter == 'y' && arc_figure_has_cells(figure));
}

/* Colours from a middle of white where numbers have both signs, else from light to dark. */
static void add_colours(ArcText *text, const ArcFigure *figure, ArcUnits units)
{
    ArcExtent z = arc_figure_extent(figure, 2);
    add_label(text, 'c', figure, units);
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

/* Those of the PINN are seen round those of the direct fit, a lone one among many others. */
static const char *point_size(const ArcSeries *series)
{
    bool is_large = series->role == ARC_ROLE_PINN;
    return series->n > 300 ? (is_large ? "0.35" : "0.2")
           : is_large      ? "0.8"
           : series->n > 1 ? "0.5"
                           : "0.7";
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
        arc_text_append(text, "using 1:2:3:($4+0.03*($4-$3)):5:($6+0.03*($6-$5)):7 with boxxyerror "
                              "linecolor palette fillstyle solid 1 noborder");
        break;
    default:
        arc_text_append(text, "with points linecolor rgb '%s' pointtype %d pointsize %s",
                        look.colour, look.symbol, point_size(series));
    }
    if (series->name == NULL) {
        arc_text_append(text, " notitle");
        return;
    }
    arc_text_append(text, " title ");
    arc_gnuplot_quote(text, series->name, MOST_LEGEND);
    arc_text_append(text, " noenhanced");
}

/* 1, 2 or 5 times a power of ten next to step. */
static double round_step(double step)
{
    double power = pow(10.0, floor(log10(step))), share = step / power;
    return power * (share < 1.5 ? 1.0 : share < 3.5 ? 2.0 : share < 7.5 ? 5.0 : 10.0);
}

/* Whether all that is drawn along x is whole, as iterations are. */
static bool is_counted(const ArcFigure *figure)
{
    for (int i = 0; i < figure->n_series; i++)
        for (int k = 0; k < figure->series[i].n; k++) {
            double x = figure->series[i].x[k];
            if (isfinite(x) && x != floor(x))
                return false;
        }
    return true;
}

/* Tics that stand beside each other with all their digits, which are equally many. */
static void add_tics(ArcText *text, char letter, const ArcFigure *figure, ArcUnits units)
{
    const ArcAxis *axis = arc_figure_axis(figure, letter - 'x');
    ArcExtent extent = arc_figure_extent(figure, letter - 'x');
    double low = arc_axis_shown(axis, units, extent.low);
    double high = arc_axis_shown(axis, units, extent.high), range = high - low;
    double largest = fmax(fabs(low), fabs(high));
    if (axis->names != NULL || axis->is_log || !(range > 1e-9 * largest) || !isfinite(range))
        return;
    int beside = longest_name(&figure->y); /* names up make the axis along shorter */
    int whole = (low < 0.0 ? 1 : 0) + (largest < 10.0 ? 1 : 1 + (int)floor(log10(largest)));
    for (int most = figure->is_space ? MOST_DEEP
                    : letter == 'x'  ? MOST_ALONG
                                     : MOST_TICS;
         most > 0; most--) {
        double step = round_step(range / most);
        if (letter == 'x' && is_counted(figure))
            step = fmax(step, 1.0);
        int decimals = step >= 1.0 ? 0 : (int)ceil(-log10(step) - 1e-9);
        int long_one = whole + (decimals > 0 ? decimals + 1 : 0) + 2;
        bool is_plain =
            whole <= MOST_DECIMALS && decimals <= MOST_DECIMALS && largest >= least_plain;
        if (most > 1 && letter == 'x' && (range / step + 0.5) * long_one > LONG_TICS - beside)
            continue;
        arc_text_append(text, "set %ctics %.9g\n", letter, step);
        if (is_plain)
            arc_text_append(text, "set format %c '%%.%df'\n", letter, decimals);
        return;
    }
}

/* Where a metre is as long along all axes, a short one has few tics. */
static void add_equal_tics(ArcText *text, const ArcFigure *figure, ArcUnits units)
{
    double range[3] = {0}, longest = 0.0;
    int n = figure->is_space ? 3 : 2;
    for (int axis = 0; axis < n; axis++) {
        ArcExtent extent = arc_figure_extent(figure, axis);
        range[axis] = arc_units_shown(units, arc_figure_axis(figure, axis)->unit).slope *
                      (extent.high - extent.low);
        longest = fmax(longest, range[axis]);
    }
    for (int axis = 0; axis < n; axis++) {
        if (arc_figure_axis(figure, axis)->names != NULL || !(range[axis] > 0.0) ||
            !isfinite(range[axis]))
            continue;
        double tics = (figure->is_space ? MOST_DEEP : MOST_TICS) * range[axis] / longest;
        /* Two at least where there is room for them. */
        tics = fmax(tics, figure->is_space || tics < 1.0 ? 1.0 : 2.5);
        arc_text_append(text, "set %ctics %.9g\n", 'x' + axis, round_step(range[axis] / tics));
    }
}

/* The axes fill what is above the legend. gnuplot 5.4 puts it into the axes, or nowhere, if it is
 * not placed by its top and filled downwards. */
static void add_space(ArcText *text, const ArcFigure *figure, ArcUnits units)
{
    double legend_mm = line_mm * legend_of(figure).lines, height = space_mm + legend_mm;
    arc_text_append(text,
                    "set size 1, %.4f\nset origin 0, %.4f\nset lmargin 4\nset rmargin 0\n"
                    "set tmargin 0\nset bmargin 2\nset view 68,25,%s\nset xyplane 0\n"
                    "set border 31 linecolor rgb '#666666'\n"
                    "set grid linecolor rgb '#CCCCCC' linewidth 0.5\n",
                    space_mm / height, legend_mm / height, figure->is_equal ? "1.5" : "1.04,1.25");
    if (figure->is_equal) {
        arc_text_append(text, "set view equal xyz\n");
        add_equal_tics(text, figure, units);
        return;
    }
    for (char letter = 'x'; letter <= 'z'; letter++)
        add_tics(text, letter, figure, units);
}

/* The legend at the foot of the picture, and room for it and what stands below the axes. */
static void add_legend(ArcText *text, const ArcFigure *figure)
{
    Legend legend = legend_of(figure);
    if (!figure->is_space)
        arc_text_append(text, "set bmargin %.1f\n", bottom_lines(figure));
    double legend_mm = line_mm * legend.lines;
    if (legend.lines == 0)
        arc_text_append(text, "unset key\n");
    else if (figure->is_space)
        arc_text_append(text,
                        "set key at screen 0.5, screen %.4f top center vertical maxrows %d "
                        "samplen 2 noenhanced\n",
                        legend_mm / (space_mm + legend_mm), legend.lines);
    else
        arc_text_append(text,
                        "set key at screen 0.5, character 0.3 bottom center horizontal maxcols %d "
                        "samplen 2 noenhanced\n",
                        legend.columns);
}

static bool has_bars(const ArcFigure *figure)
{
    for (int i = 0; i < figure->n_series; i++)
        if (figure->series[i].mark == ARC_MARK_BARS)
            return true;
    return false;
}

/* Whether the axis upwards begins at zero: what is not negative and comes near it would else have
 * room for numbers that there are not, and bars that are cut would lie. */
static bool begins_at_zero(const ArcFigure *figure, ArcUnits units)
{
    ArcExtent y = arc_figure_extent(figure, 1);
    return !figure->is_equal && !figure->y.is_log && figure->y.names == NULL &&
           !arc_figure_has_cells(figure) && y.low >= 0.0 && y.high > 0.0 && isfinite(y.high) &&
           y.low <= near_zero * y.high && arc_units_shown(units, figure->y.unit).offset == 0.0;
}

/* Bars stand on their axis and cells fill theirs; else points keep off the border. */
static void add_room(ArcText *text, const ArcFigure *figure, ArcUnits units)
{
    bool is_tight = arc_figure_has_cells(figure) || has_bars(figure);
    bool is_from_zero = begins_at_zero(figure, units);
    arc_text_append(text, "set autoscale xfix\n%s",
                    arc_figure_has_cells(figure) || figure->is_equal ? "set autoscale yfix\n" : "");
    if (is_from_zero)
        arc_text_append(text, "set yrange [0:*]\n");
    else if (has_bars(figure) && arc_figure_extent(figure, 1).high == 0.0)
        arc_text_append(text, "set yrange [*:0]\n");
    if (!is_tight && !figure->x.is_log && !figure->y.is_log)
        arc_text_append(text, "set offsets graph 0.03, graph 0.03, graph 0.05, graph %s\n",
                        is_from_zero ? "0" : "0.05");
    if (!figure->is_equal) {
        add_tics(text, 'x', figure, units);
        add_tics(text, 'y', figure, units);
        return;
    }
    arc_text_append(text, "set size ratio -1\n");
    add_equal_tics(text, figure, units);
}

/* Which of several flights it is stands in the title: a picture goes without its file's name. */
static void add_title(ArcText *text, const ArcFigure *figure)
{
    ArcText title = {0};
    char *bytes = NULL;
    arc_text_append(&title, "%s", figure->title);
    if (figure->flight > 0)
        arc_text_append(&title, ", flight %d", figure->flight);
    if (arc_text_finish(&title, &bytes, NULL) != ARC_OK) {
        text->failed = true;
        return;
    }
    arc_text_append(text, "set encoding utf8\nset title ");
    quote_in_lines(text, bytes, MOST_TITLE);
    arc_text_append(text, " noenhanced\n");
    arc_text_free(bytes);
}

void arc_gnuplot_script(ArcText *text, const ArcFigure *figure, const ArcGnuplotFiles *files)
{
    arc_text_append(text, "# Run in its folder by: gnuplot %s\nreset\n", files->script);
    add_terminal(text, figure, files);
    add_title(text, figure);
    add_legend(text, figure);
    arc_text_append(text, "set tics nomirror scale 0.5\nset border 3\n");
    add_axis(text, 'x', figure, files->units);
    add_axis(text, 'y', figure, files->units);
    if (figure->is_space) {
        add_axis(text, 'z', figure, files->units);
        add_space(text, figure, files->units);
    } else {
        add_room(text, figure, files->units);
    }
    if (arc_figure_has_cells(figure))
        add_colours(text, figure, files->units);
    for (int i = 0; i < figure->n_series; i++)
        add_plot(text, figure, i, files->data);
    arc_text_append(text, "\nunset output\n");
}
