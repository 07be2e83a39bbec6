/* A figure in words: its axes, and of each series what it is, where it begins and ends and where it
 * is lowest and highest; of few points, all of them. */
#include "figure/extent.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>

enum { DIGITS = 4, FEW = 12 };

typedef struct Words {
    ArcText text;
    const ArcFigure *figure;
    ArcUnits units;
} Words;

/* A number with its unit, or the name of a category; what is missing says so. */
static void add_number(Words *words, const ArcAxis *axis, double si, bool with_unit)
{
    char number[ARC_NUMBER_TEXT];
    if (axis->names != NULL && si >= -0.5 && si < axis->n_names - 0.5) {
        arc_text_append(&words->text, "%s", axis->names[(int)floor(si + 0.5)]);
        return;
    }
    if (!isfinite(si)) {
        arc_text_append(&words->text, "%s",
                        isnan(si) ? "nothing"
                        : si > 0  ? "infinity"
                                  : "-infinity");
        return;
    }
    const char *unit = with_unit ? arc_axis_unit(axis, words->units) : "";
    arc_number_write_digits(number, arc_axis_shown(axis, words->units, si), DIGITS);
    arc_text_append(&words->text, "%s%s%s", number, unit[0] == '\0' ? "" : " ", unit);
}

static void add_range(Words *words, const ArcAxis *axis, ArcExtent extent)
{
    if (!(extent.low <= extent.high)) {
        arc_text_append(&words->text, "nothing");
        return;
    }
    add_number(words, axis, extent.low, axis->names != NULL);
    arc_text_append(&words->text, " to ");
    add_number(words, axis, extent.high, true);
}

static void add_axis(Words *words, const char *before, int number)
{
    const ArcAxis *axis = arc_figure_axis(words->figure, number);
    bool is_plain = axis->label[0] == '\0';
    arc_text_append(&words->text, "%s%s%s", before, axis->label, is_plain ? "" : " ");
    if (axis->names == NULL) {
        add_range(words, axis, arc_figure_extent(words->figure, number));
        arc_text_append(&words->text, "%s", axis->is_log ? ", logarithmic" : "");
        return;
    }
    for (int i = 0; i < axis->n_names; i++)
        arc_text_append(&words->text, "%s%s", i == 0 ? "" : ", ", axis->names[i]);
}

/* "(1.2 m, 3 m)". */
static void add_point(Words *words, const ArcSeries *series, int i)
{
    const ArcFigure *figure = words->figure;
    arc_text_append(&words->text, "(");
    add_number(words, &figure->x, series->x[i], true);
    if (series->y != NULL) {
        arc_text_append(&words->text, ", ");
        add_number(words, &figure->y, series->y[i], true);
    }
    if (figure->is_space && series->z != NULL) {
        arc_text_append(&words->text, ", ");
        add_number(words, &figure->z, series->z[i], true);
    }
    arc_text_append(&words->text, ")");
}

/* Of a point: its label and how far its bar or band reaches. */
static void add_rest(Words *words, const ArcSeries *series, int i)
{
    const ArcAxis *along = series->is_level ? &words->figure->x : &words->figure->y;
    if (series->low != NULL && series->high != NULL) {
        arc_text_append(&words->text, " from ");
        add_number(words, along, series->low[i], false);
        arc_text_append(&words->text, " to ");
        add_number(words, along, series->high[i], true);
    }
    if (series->labels != NULL && series->labels[i] != NULL && series->labels[i][0] != '\0')
        arc_text_append(&words->text, " %s", series->labels[i]);
}

/* The index of the lowest (sign 1) or highest (-1) finite number; -1: there is none. */
static int extreme(int n, const double *numbers, double sign)
{
    int found = -1;
    for (int i = 0; i < n; i++)
        if (isfinite(numbers[i]) && (found < 0 || sign * numbers[i] < sign * numbers[found]))
            found = i;
    return found;
}

static int finite_end(const ArcSeries *series, int first, int step)
{
    int i = first;
    while (i >= 0 && i < series->n &&
           !(isfinite(series->x[i]) && (series->y == NULL || isfinite(series->y[i]))))
        i += step;
    return i >= 0 && i < series->n ? i : -1;
}

static void add_band(Words *words, const ArcSeries *series)
{
    double widest = -1.0;
    int at = -1;
    for (int i = 0; i < series->n; i++)
        if (series->high[i] - series->low[i] > widest) {
            widest = series->high[i] - series->low[i];
            at = i;
        }
    if (at < 0)
        return;
    arc_text_append(&words->text, ", widest at ");
    add_point(words, &(ArcSeries){.x = series->x}, at);
    add_rest(words, series, at);
}

static void add_many(Words *words, const ArcSeries *series)
{
    const ArcAxis *up =
        words->figure->is_space && series->z != NULL ? &words->figure->z : &words->figure->y;
    const double *heights = up == &words->figure->z ? series->z : series->y;
    int begin = finite_end(series, 0, 1), end = finite_end(series, series->n - 1, -1);
    if (series->mark == ARC_MARK_LINE && begin >= 0) {
        arc_text_append(&words->text, " from ");
        add_point(words, series, begin);
        arc_text_append(&words->text, " to ");
        add_point(words, series, end);
    }
    int low = heights == NULL ? -1 : extreme(series->n, heights, 1.0);
    if (low >= 0) {
        arc_text_append(&words->text, ", lowest at ");
        add_point(words, series, low);
        arc_text_append(&words->text, ", highest at ");
        add_point(words, series, extreme(series->n, heights, -1.0));
    }
    if (series->low != NULL && series->high != NULL)
        add_band(words, series);
}

static void add_cells(Words *words, const ArcSeries *series)
{
    const ArcFigure *figure = words->figure;
    int n = series->n * series->n_rows;
    arc_text_append(&words->text, "%d by %d cells", series->n_rows, series->n);
    for (int k = 0; k < 2; k++) {
        int i = extreme(n, series->cells, k == 0 ? 1.0 : -1.0);
        if (i < 0)
            return;
        arc_text_append(&words->text, ", %s ", k == 0 ? "lowest" : "highest");
        add_number(words, &figure->z, series->cells[i], true);
        arc_text_append(&words->text, " at (");
        add_number(words, &figure->x, series->x[i % series->n], true);
        arc_text_append(&words->text, ", ");
        add_number(words, &figure->y, series->y[i / series->n], true);
        arc_text_append(&words->text, ")");
    }
}

static void add_series(Words *words, const ArcSeries *series)
{
    static const char *const before[] = {[ARC_MARK_LINE] = "a line through ",
                                         [ARC_MARK_BAND] = "a band along ",
                                         [ARC_MARK_CELLS] = ""};
    static const char *const kinds[] = {"point", "point", "point", "interval", "bar", ""};
    arc_text_append(&words->text, "%s: ", series->name == NULL ? "Also" : series->name);
    if (series->mark == ARC_MARK_CELLS) {
        add_cells(words, series);
    } else {
        arc_text_append(&words->text, "%s%d %s%s",
                        before[series->mark] == NULL ? "" : before[series->mark], series->n,
                        kinds[series->mark], series->n == 1 ? "" : "s");
        bool is_first = true;
        for (int i = 0; i < series->n && series->n <= FEW; i++) {
            if (!isfinite(series->x[i]) || (series->y != NULL && !isfinite(series->y[i])))
                continue;
            arc_text_append(&words->text, "%s", is_first ? " at " : "; ");
            is_first = false;
            add_point(words, series, i);
            add_rest(words, series, i);
        }
        if (series->n > FEW)
            add_many(words, series);
    }
    arc_text_append(&words->text, ".");
}

ArcStatus arc_figure_words(const ArcFigure *figure, ArcUnits units, char **text, ArcError *err)
{
    Words words = {.figure = figure, .units = units};
    arc_text_append(&words.text, "%s", figure->title);
    if (figure->flight > 0)
        arc_text_append(&words.text, ", flight %d", figure->flight);
    arc_text_append(&words.text, ". ");
    add_axis(&words, "Across: ", 0);
    add_axis(&words, figure->is_space ? "; into the depth: " : "; up: ", 1);
    if (figure->is_space || arc_figure_has_cells(figure))
        add_axis(&words, figure->is_space ? "; up: " : "; by colour: ", 2);
    arc_text_append(&words.text, ".");
    for (int i = 0; i < figure->n_series; i++) {
        arc_text_append(&words.text, " ");
        add_series(&words, &figure->series[i]);
    }
    return arc_text_finish(&words.text, text, err);
}
