/* A figure of characters, in ASCII alone: what a terminal cannot show is not used, whatever its
 * locale.
 *
 * A series is drawn by a letter, lines through all cells that they cross; where lines of two lie in
 * one cell, there is `=`. Bands are dots, cells are darker the larger they are; in space it is seen
 * from the side. Where a metre is as long along both axes, a character is taken for twice as high
 * as wide. Of texts of users control characters, and those that turn the direction of writing, are
 * `?`, so that a terminal does nothing by them.
 */
#include "figure/extent.h"
#include "figure/look.h"

#include "base/arena.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    LEAST_COLUMNS = 20,
    LEAST_ROWS = 5,
    AROUND = 4,
    NUMBERS = 10,
    DIGITS = 3,
    MOST_STEPS = 4000
};

typedef struct Cell {
    char letter; /* 0: nothing */
    short colour;
    short series; /* whose line is there, -1: none's */
} Cell;

typedef struct Picture {
    const ArcFigure *figure;
    ArcText *text;
    int columns, rows, width; /* of the axes; of the picture */
    int up;                   /* the axis that is drawn upwards */
    bool is_coloured, has_both;
    double low[2], high[2]; /* of what is drawn: logarithms where the axis is logarithmic */
    Cell *cells;
} Picture;

static double place(const Picture *picture, int which, double value)
{
    const ArcAxis *axis = arc_figure_axis(picture->figure, which == 0 ? 0 : picture->up);
    return axis->is_log ? (value > 0.0 ? log10(value) : (double)NAN) : value;
}

/* 0 to 1 along the axis. */
static double share(const Picture *picture, int which, double value)
{
    return (place(picture, which, value) - picture->low[which]) /
           (picture->high[which] - picture->low[which]);
}

static void put(Picture *picture, double x, double y, const Cell *cell)
{
    if (!isfinite(x) || !isfinite(y) || x < 0.0 || x > 1.0 || y < 0.0 || y > 1.0)
        return;
    int column = (int)floor(x * (picture->columns - 1) + 0.5);
    int row = picture->rows - 1 - (int)floor(y * (picture->rows - 1) + 0.5);
    Cell *there = &picture->cells[row * picture->columns + column];
    if (there->letter == '=' && there->series == cell->series)
        return;
    bool is_both = there->letter != 0 && cell->series >= 0 && there->series >= 0 &&
                   there->series != cell->series;
    *there = *cell;
    if (is_both) {
        there->letter = '=';
        picture->has_both = true;
    }
}

static void put_line(Picture *picture, double x0, double y0, double x1, double y1, const Cell *cell)
{
    double steps = 2.0 * fmax(fabs(x1 - x0) * picture->columns, fabs(y1 - y0) * picture->rows);
    if (!isfinite(steps))
        return;
    int n = (int)fmin(steps, MOST_STEPS) + 1;
    for (int i = 0; i <= n; i++) {
        double part = (double)i / n;
        put(picture, x0 + part * (x1 - x0), y0 + part * (y1 - y0), cell);
    }
}

/* The node nearest to value. */
static int nearest(int n, const double *nodes, double value)
{
    int found = 0;
    for (int i = 1; i < n; i++)
        if (fabs(nodes[i] - value) < fabs(nodes[found] - value))
            found = i;
    return found;
}

static void put_cells(Picture *picture, const ArcSeries *series)
{
    static const char shades[] = " .:-=+*#%@";
    ArcExtent z = arc_series_extent(picture->figure, series, 2);
    double most = fmax(fabs(z.low), fabs(z.high));
    bool is_downwards = picture->figure->y.names != NULL;
    for (int row = 0; row < picture->rows; row++)
        for (int column = 0; column < picture->columns; column++) {
            double x = (column + 0.5) / picture->columns, y = 1.0 - (row + 0.5) / picture->rows;
            double at_x = picture->low[0] + x * (picture->high[0] - picture->low[0]);
            double at_y = picture->low[1] +
                          (is_downwards ? 1.0 - y : y) * (picture->high[1] - picture->low[1]);
            int i = nearest(series->n, series->x, at_x),
                k = nearest(series->n_rows, series->y, at_y);
            double value = series->cells[k * series->n + i];
            if (!isfinite(value) || !(most > 0.0))
                continue;
            picture->cells[row * picture->columns + column] = (Cell){
                shades[(int)floor(fabs(value) / most * 9.0 + 0.5)], value < 0.0 ? 32 : 166, -1};
        }
}

static void put_bar(Picture *picture, const ArcSeries *series, int i, const Cell *cell)
{
    double y = series->y == NULL ? (double)NAN : share(picture, 1, series->y[i]);
    double x = share(picture, 0, series->x[i]);
    Cell rod = *cell;
    rod.series = -1;
    if (series->mark == ARC_MARK_BARS) {
        put_line(picture, x, share(picture, 1, 0.0), x, y, &rod);
        return;
    }
    rod.letter = series->mark == ARC_MARK_BAND ? '.' : series->is_level ? '-' : '|';
    if (series->is_level)
        put_line(picture, share(picture, 0, series->low[i]), y, share(picture, 0, series->high[i]),
                 y, &rod);
    else
        put_line(picture, x, share(picture, 1, series->low[i]), x,
                 share(picture, 1, series->high[i]), &rod);
    if (series->mark == ARC_MARK_INTERVALS)
        put(picture, x, y, cell);
}

static void put_series(Picture *picture, int index)
{
    const ArcSeries *series = &picture->figure->series[index];
    const ArcLook look = arc_series_look(picture->figure, index);
    const double *heights = picture->up == 2 ? series->z : series->y;
    bool is_line = series->mark == ARC_MARK_LINE;
    Cell cell = {look.letter, (short)look.terminal, (short)(is_line ? index : -1)};
    if (series->role == ARC_ROLE_EXPECTED)
        cell.series = -1;
    if (series->mark == ARC_MARK_CELLS) {
        put_cells(picture, series);
        return;
    }
    for (int i = 0; i < series->n; i++) {
        if (series->mark != ARC_MARK_LINE && series->mark != ARC_MARK_POINTS) {
            put_bar(picture, series, i, &cell);
            continue;
        }
        double x = share(picture, 0, series->x[i]), y = share(picture, 1, heights[i]);
        put(picture, x, y, &cell);
        if (is_line && i > 0)
            put_line(picture, share(picture, 0, series->x[i - 1]),
                     share(picture, 1, heights[i - 1]), x, y, &cell);
    }
}

/* What is drawn along an axis: all of it, and something where there is nothing. */
static void choose_range(Picture *picture, int which)
{
    int number = which == 0 ? 0 : picture->up;
    const ArcAxis *axis = arc_figure_axis(picture->figure, number);
    ArcExtent extent = arc_figure_extent(picture->figure, number);
    if (axis->names != NULL)
        extent = (ArcExtent){-0.5, axis->n_names - 0.5};
    if (!(extent.low <= extent.high))
        extent = (ArcExtent){axis->is_log ? 1.0 : 0.0, axis->is_log ? 10.0 : 1.0};
    picture->low[which] = place(picture, which, extent.low);
    picture->high[which] = place(picture, which, extent.high);
    double reach = picture->high[which] - picture->low[which];
    if (!(reach > 1e-12 * fabs(picture->high[which]))) {
        double more = picture->high[which] == 0.0 ? 1.0 : 0.1 * fabs(picture->high[which]);
        picture->low[which] -= more;
        picture->high[which] += more;
    }
}

/* As many rows as a metre being as long both ways wants, or a longer axis along. */
static void choose_shape(Picture *picture)
{
    picture->rows -= picture->rows % 2 == 0 ? 1 : 0; /* the middle has a row */
    if (!picture->figure->is_equal || picture->figure->x.names != NULL)
        return;
    double wide = picture->high[0] - picture->low[0], high = picture->high[1] - picture->low[1];
    int rows = (int)ceil(0.5 * high / wide * picture->columns);
    if (rows < picture->rows) {
        picture->rows = rows < 3 ? 3 : rows;
        return;
    }
    double more = 0.5 * (0.5 * high * picture->columns / picture->rows - wide);
    picture->low[0] -= more;
    picture->high[0] += more;
}

/* At most `most` characters of words as a terminal may have them; returns how many. */
static int add_words(ArcText *text, const char *words, int most)
{
    size_t left = strlen(words);
    int n = 0;
    for (; left > 0 && n < most; n++) {
        size_t length = arc_text_character_length(words, left);
        const unsigned char *c = (const unsigned char *)words;
        bool is_control = length == 0 || c[0] < 0x20 || c[0] == 0x7f ||
                          (length == 2 && c[0] == 0xc2 && c[1] < 0xa0) ||
                          (length == 3 && c[0] == 0xe2 &&
                           ((c[1] == 0x80 && c[2] >= 0x8e && c[2] <= 0xae) ||
                            (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9)) &&
                           !(c[1] == 0x80 && c[2] >= 0x90 && c[2] <= 0xa7));
        length = length == 0 ? 1 : length;
        arc_text_append_bytes(text, is_control ? "?" : words, is_control ? 1 : length);
        words += length;
        left -= length;
    }
    return n;
}

static void number_at(const Picture *picture, int which, double part, ArcUnits units,
                      char number[ARC_NUMBER_TEXT])
{
    const ArcAxis *axis = arc_figure_axis(picture->figure, which == 0 ? 0 : picture->up);
    double value = picture->low[which] + part * (picture->high[which] - picture->low[which]);
    double span = picture->high[which] - picture->low[which];
    if (fabs(value) < 1e-9 * span)
        value = 0.0;
    arc_number_write_digits(
        number, arc_axis_shown(axis, units, axis->is_log ? pow(10.0, value) : value), DIGITS);
}

static void add_colour(const Picture *picture, int colour)
{
    if (picture->is_coloured && colour >= 0)
        arc_text_append(picture->text, "\033[38;5;%dm", colour);
}

static void end_colour(const Picture *picture, int colour)
{
    if (picture->is_coloured && colour >= 0)
        arc_text_append(picture->text, "\033[0m");
}

/* What stands before a row: a number at its top, middle and bottom, or a category's name. */
static void add_margin(const Picture *picture, int row)
{
    const ArcAxis *axis = arc_figure_axis(picture->figure, picture->up);
    char number[ARC_NUMBER_TEXT] = "";
    int last = picture->rows - 1, used = 0;
    if (axis->names != NULL) {
        bool is_downwards = arc_figure_has_cells(picture->figure);
        for (int i = 0; i < axis->n_names; i++) {
            double y = (i + 0.5) / axis->n_names;
            int there = (int)floor((is_downwards ? y : 1.0 - y) * last + 0.5);
            if (there == row && used == 0)
                used = add_words(picture->text, axis->names[i], NUMBERS - 1);
        }
    } else if (row == 0 || row == last || (last >= 6 && row == last / 2)) {
        number_at(picture, 1, last == 0 ? 1.0 : 1.0 - (double)row / last, ARC_UNITS_SI, number);
        used = 0;
        arc_text_append(picture->text, "%*s", NUMBERS - 1, number);
        used = NUMBERS - 1;
    }
    arc_text_append(picture->text, "%*s|", NUMBERS - used, "");
}

static void add_row(const Picture *picture, int row)
{
    const Cell *cells = &picture->cells[row * picture->columns];
    int last = picture->columns;
    while (last > 0 && (cells[last - 1].letter == 0 || cells[last - 1].letter == ' '))
        last--;
    add_margin(picture, row);
    for (int i = 0; i < last; i++) {
        bool is_there = cells[i].letter != 0;
        bool begins = is_there && (i == 0 || cells[i - 1].letter == 0 ||
                                   cells[i - 1].colour != cells[i].colour);
        bool ends = is_there && (i + 1 == last || cells[i + 1].letter == 0 ||
                                 cells[i + 1].colour != cells[i].colour);
        if (begins)
            add_colour(picture, cells[i].colour);
        arc_text_append_bytes(picture->text, is_there ? &cells[i].letter : " ", 1);
        if (ends)
            end_colour(picture, cells[i].colour);
    }
    arc_text_append(picture->text, "\n");
}

/* Categories along, each as much of its name as its part is wide. */
static void add_names(const Picture *picture)
{
    const ArcAxis *axis = &picture->figure->x;
    arc_text_append(picture->text, "\n%*s", NUMBERS + 1, "");
    for (int i = 0, column = 0; i < axis->n_names; i++) {
        int end = (i + 1) * picture->columns / axis->n_names;
        int used = add_words(picture->text, axis->names[i], end - column - 1);
        if (i + 1 < axis->n_names)
            arc_text_append(picture->text, "%*s", end - column - used, "");
        column = end;
    }
    arc_text_append(picture->text, "\n");
}

/* The first and last number along, the axis's label between them. */
static void add_foot(const Picture *picture)
{
    const ArcAxis *axis = &picture->figure->x;
    const char *unit = arc_axis_unit(axis, ARC_UNITS_SI);
    char first[ARC_NUMBER_TEXT] = "", last[ARC_NUMBER_TEXT] = "";
    ArcText label = {0};
    char *bytes = NULL;
    arc_text_append(picture->text, "%*s+", NUMBERS, "");
    for (int i = 0; i < picture->columns; i++)
        arc_text_append_bytes(picture->text, "-", 1);
    if (axis->names != NULL) {
        add_names(picture);
        return;
    }
    number_at(picture, 0, 0.0, ARC_UNITS_SI, first);
    number_at(picture, 0, 1.0, ARC_UNITS_SI, last);
    int room = picture->columns - (int)(strlen(first) + strlen(last)) - 2;
    if (room < 0) { /* not both numbers fit: neither is cut */
        arc_text_append(picture->text, "\n%*s%s\n", NUMBERS + 1, "", first);
        return;
    }
    int length = add_words(&label, axis->label, room), wide = (int)strlen(unit);
    if (wide > 0 && length + wide + 3 <= room) {
        arc_text_append_bytes(&label, " (", 2);
        length += add_words(&label, unit, wide) + 3;
        arc_text_append_bytes(&label, ")", 1);
    }
    if (arc_text_finish(&label, &bytes, NULL) != ARC_OK) {
        picture->text->failed = true;
        return;
    }
    int before = room - length > 0 ? (room - length) / 2 : 0;
    arc_text_append(picture->text, "\n%*s%s %*s%s%*s %s\n", NUMBERS + 1, "", first, before, "",
                    bytes, room - length - before > 0 ? room - length - before : 0, "", last);
    arc_text_free(bytes);
}

static void add_title(const Picture *picture)
{
    const ArcAxis *axis = arc_figure_axis(picture->figure, picture->up);
    const char *unit = arc_axis_unit(axis, ARC_UNITS_SI);
    int left = picture->width;
    char number[32] = "";
    if (picture->figure->flight > 0)
        snprintf(number, sizeof number, ", flight %d", picture->figure->flight);
    left -= add_words(picture->text, picture->figure->title, left - (int)strlen(number));
    left -= add_words(picture->text, number, left);
    if (axis->label[0] != '\0' && left > (int)strlen(axis->label) + (int)strlen(unit) + 5) {
        arc_text_append(picture->text, ": ");
        add_words(picture->text, axis->label, left);
        if (unit[0] != '\0')
            arc_text_append(picture->text, " (%s)", unit);
    }
    arc_text_append(picture->text, "\n");
}

static void add_legend(const Picture *picture)
{
    int left = picture->width;
    for (int i = 0; i < picture->figure->n_series; i++) {
        const ArcSeries *series = &picture->figure->series[i];
        const ArcLook look = arc_series_look(picture->figure, i);
        if (series->name == NULL || left < 8)
            continue;
        char letter = series->mark == ARC_MARK_BAND ? '.' : look.letter;
        bool is_first = left == picture->width;
        arc_text_append(picture->text, "%s", is_first ? "" : "  ");
        add_colour(picture, look.terminal);
        arc_text_append_bytes(picture->text, &letter, 1);
        end_colour(picture, look.terminal);
        arc_text_append(picture->text, " ");
        left -= (is_first ? 2 : 4);
        left -= add_words(picture->text, series->name, left);
    }
    if (picture->has_both && left > 8)
        arc_text_append(picture->text, "  = both");
    if (left < picture->width)
        arc_text_append(picture->text, "\n");
}

ArcStatus arc_figure_picture(const ArcFigure *figure, int columns, int rows, bool is_coloured,
                             char **text, ArcError *err)
{
    ArcText made = {0};
    Picture picture = {.figure = figure,
                       .text = &made,
                       .columns = columns - NUMBERS - 1,
                       .rows = rows - AROUND,
                       .width = columns,
                       .up = figure->is_space ? 2 : 1,
                       .is_coloured = is_coloured};
    if (columns < LEAST_COLUMNS || rows < LEAST_ROWS)
        return arc_error_set(
            err, ARC_USAGE,
            "error: a picture of %d by %d characters is too small: %d by %d at least", columns,
            rows, LEAST_COLUMNS, LEAST_ROWS);
    choose_range(&picture, 0);
    choose_range(&picture, 1);
    choose_shape(&picture);
    ArcArena *arena = arc_arena_create();
    if (arena != NULL)
        picture.cells = ARC_ALLOC(arena, (size_t)picture.columns * (size_t)picture.rows, Cell);
    if (picture.cells == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    for (int i = 0; i < figure->n_series; i++)
        put_series(&picture, i);
    add_title(&picture);
    for (int row = 0; row < picture.rows; row++)
        add_row(&picture, row);
    add_foot(&picture);
    add_legend(&picture);
    arc_arena_free(arena);
    return arc_text_finish(&made, text, err);
}
