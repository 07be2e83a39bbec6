/* Figures as CSV (RFC 4180) in SI units: a row a point, series one behind the other.
 *
 * Columns: series, mark, then x, y, z, low, high (each with its unit: x_m, y_m_s2; z where there is
 * one), label. Low and high have the unit of the axis that they lie along; its name is left out
 * where series differ in that. A cell without a number is empty; title and caption stand above as
 * comments. A spreadsheet takes a text that begins with = + - @ for a formula, so that such a text
 * gets an apostrophe in front.
 */
#include "figure/extent.h"
#include "figure/folder.h"

#include "base/file.h"
#include "base/number.h"
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* "m/s^2" becomes "_m_s2", a plain number "". */
static void add_unit(ArcText *text, const char *unit)
{
    if (strcmp(unit, "1") == 0 || unit[0] == '\0')
        return;
    arc_text_append_bytes(text, "_", 1);
    for (const char *c = unit; *c != '\0'; c++)
        if (*c != '^')
            arc_text_append_bytes(text, isalnum((unsigned char)*c) ? c : "_", 1);
}

static void add_text(ArcText *text, const char *words)
{
    if (words == NULL)
        return;
    bool is_formula = words[0] != '\0' && strchr("=+-@\t\r", words[0]) != NULL;
    if (!is_formula && strpbrk(words, ",\"\r\n") == NULL) {
        arc_text_append(text, "%s", words);
        return;
    }
    arc_text_append(text, "\"%s", is_formula ? "'" : "");
    for (const char *c = words; *c != '\0'; c++)
        arc_text_append(text, *c == '"' ? "\"\"" : "%c", *c);
    arc_text_append(text, "\"");
}

static void add_number(ArcText *text, double value)
{
    char number[ARC_NUMBER_TEXT];
    arc_text_append(text, ",%s", isnan(value) ? "" : arc_number_write(number, value));
}

/* The name of a category, or the number. */
static void add_place(ArcText *text, const ArcAxis *axis, const double *numbers, int i)
{
    if (numbers == NULL) {
        arc_text_append(text, ",");
        return;
    }
    double value = numbers[i];
    if (axis->names == NULL || !(value >= 0.0 && value < axis->n_names) || value != floor(value)) {
        add_number(text, value);
        return;
    }
    arc_text_append(text, ",");
    add_text(text, axis->names[(int)value]);
}

/* Along which axis low and high lie; NULL: of some along x, of some along y. */
static const ArcAxis *reach_axis(const ArcFigure *figure)
{
    int n[2] = {0, 0};
    for (int i = 0; i < figure->n_series; i++)
        if (figure->series[i].low != NULL)
            n[figure->series[i].is_level ? 0 : 1]++;
    bool is_mixed = n[0] > 0 && n[1] > 0 && strcmp(figure->x.unit, figure->y.unit) != 0;
    return is_mixed ? NULL : n[0] > 0 ? &figure->x : &figure->y;
}

static void add_head(ArcText *text, const ArcFigure *figure, bool has_z)
{
    const ArcAxis *reach = reach_axis(figure);
    arc_text_append_comment(text, figure->title);
    arc_text_append_comment(text, figure->caption);
    arc_text_append(text, "# x: ");
    ArcText axes = {0};
    arc_text_append(&axes, "%s; y: %s", figure->x.label, figure->y.label);
    if (has_z)
        arc_text_append(&axes, "; z: %s", figure->z.label);
    char *line = NULL;
    text->failed = arc_text_finish(&axes, &line, NULL) != ARC_OK || text->failed;
    for (char *c = line; c != NULL && *c != '\0'; c++)
        arc_text_append(text, "%c", *c == '\n' || *c == '\r' ? ' ' : *c);
    arc_text_free(line);
    arc_text_append(text, "\nseries,mark,x");
    add_unit(text, figure->x.unit);
    arc_text_append(text, ",y");
    add_unit(text, figure->y.unit);
    if (has_z) {
        arc_text_append(text, ",z");
        add_unit(text, figure->z.unit);
    }
    arc_text_append(text, ",low");
    add_unit(text, reach == NULL ? "1" : reach->unit);
    arc_text_append(text, ",high");
    add_unit(text, reach == NULL ? "1" : reach->unit);
    arc_text_append(text, ",label\n");
}

static void add_series(ArcText *text, const ArcFigure *figure, const ArcSeries *series, bool has_z)
{
    static const char *const marks[] = {"line", "points", "band", "intervals", "bars", "cells"};
    bool is_cells = series->mark == ARC_MARK_CELLS;
    int n = is_cells ? series->n * series->n_rows : series->n;
    for (int i = 0; i < n; i++) {
        add_text(text, series->name);
        arc_text_append(text, ",%s", marks[series->mark]);
        add_place(text, &figure->x, series->x, is_cells ? i % series->n : i);
        add_place(text, &figure->y, series->y, is_cells ? i / series->n : i);
        if (has_z)
            add_place(text, &figure->z, is_cells ? series->cells : series->z, i);
        add_number(text, series->low == NULL || is_cells ? (double)NAN : series->low[i]);
        add_number(text, series->high == NULL || is_cells ? (double)NAN : series->high[i]);
        arc_text_append(text, ",");
        add_text(text, series->labels == NULL || is_cells ? NULL : series->labels[i]);
        arc_text_append(text, "\n");
    }
}

static ArcStatus write_figure(ArcArena *arena, const ArcFigure *figure, const char *folder,
                              ArcError *err)
{
    ArcText text = {0};
    char *bytes = NULL;
    bool has_z = figure->is_space || arc_figure_has_cells(figure);
    const char *path = arc_figure_path(arena, figure, folder, "csv");
    if (path == NULL)
        return arc_error_no_memory(err);
    add_head(&text, figure, has_z);
    for (int i = 0; i < figure->n_series; i++)
        add_series(&text, figure, &figure->series[i], has_z);
    ArcStatus status = arc_text_finish(&text, &bytes, err);
    if (status == ARC_OK)
        status = arc_file_replace(path, bytes, strlen(bytes), err);
    arc_text_free(bytes);
    return status;
}

ArcStatus arc_figures_write_csv(const ArcFigures *figures, const char *folder, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_figure_make_folder(folder, err);
    for (int i = 0; i < figures->n && status == ARC_OK; i++)
        status = write_figure(arena, &figures->figures[i], folder, err);
    arc_arena_free(arena);
    return status;
}
