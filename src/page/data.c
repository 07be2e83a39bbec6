/* The figures' numbers as JSON, which the page's script draws from. */
#include "page/markup.h"
#include "page/parts.h"

#include <string.h>

enum { MOST_UNITS = 64 };

static const char *const marks[] = {"line", "points", "band", "intervals", "bars", "cells"};
static const char *const roles[ARC_N_ROLES] = {"pinn",     "direct",  "points", "held-out",
                                               "outlier",  "release", "apex",   "target",
                                               "expected", "arm",     "other"};
static const char *const groups[ARC_N_FIGURE_GROUPS] = {
    "flight",   "residuals", "methods", "physics", "parameters", "uncertainty",
    "training", "arm",       "closure", "states",  "aim",        "comparison"};

static void put_numbers(ArcText *page, const char *name, int n, const double *values)
{
    if (values == NULL)
        return;
    arc_text_append(page, ",\"%s\":[", name);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            arc_text_append_bytes(page, ",", 1);
        arc_markup_number(page, values[i]);
    }
    arc_text_append(page, "]");
}

static void put_texts(ArcText *page, const char *name, int n, const char *const *texts)
{
    if (texts == NULL)
        return;
    arc_text_append(page, ",\"%s\":[", name);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            arc_text_append(page, ",");
        arc_markup_json(page, texts[i] == NULL ? "" : texts[i]);
    }
    arc_text_append(page, "]");
}

static void put_text(ArcText *page, const char *name, const char *text)
{
    arc_text_append(page, ",\"%s\":", name);
    arc_markup_json(page, text);
}

static void put_axis(ArcText *page, const char *name, const ArcAxis *axis)
{
    arc_text_append(page, ",\"%s\":{\"log\":%s", name, axis->is_log ? "true" : "false");
    put_text(page, "label", axis->label);
    put_text(page, "unit", axis->unit);
    put_texts(page, "names", axis->n_names, axis->names);
    arc_text_append(page, "}");
}

static void put_cells(ArcText *page, const ArcSeries *series)
{
    put_numbers(page, "x", series->n, series->x);
    put_numbers(page, "y", series->n_rows, series->y);
    arc_text_append(page, ",\"cells\":[");
    for (int row = 0; row < series->n_rows; row++) {
        arc_text_append(page, "%s[", row > 0 ? "," : "");
        for (int i = 0; i < series->n; i++) {
            if (i > 0)
                arc_text_append_bytes(page, ",", 1);
            arc_markup_number(page, series->cells[(size_t)row * (size_t)series->n + (size_t)i]);
        }
        arc_text_append(page, "]");
    }
    arc_text_append(page, "]");
}

static void put_series(ArcText *page, const ArcSeries *series)
{
    arc_text_append(page, "{\"mark\":\"%s\",\"role\":\"%s\"", marks[series->mark],
                    roles[series->role]);
    if (series->name != NULL)
        put_text(page, "name", series->name);
    if (series->is_level)
        arc_text_append(page, ",\"level\":true");
    if (series->mark == ARC_MARK_CELLS) {
        put_cells(page, series);
    } else {
        put_numbers(page, "x", series->n, series->x);
        put_numbers(page, "y", series->n, series->y);
        put_numbers(page, "z", series->n, series->z);
        put_numbers(page, "low", series->n, series->low);
        put_numbers(page, "high", series->n, series->high);
        put_texts(page, "labels", series->n, series->labels);
    }
    arc_text_append(page, "}");
}

static void put_figure(ArcText *page, const ArcPagePart *part, const ArcFigure *figure)
{
    arc_text_append(page, "{\"name\":\"");
    arc_page_prefix(page, part);
    arc_markup_id(page, figure->name);
    arc_text_append(page, "\",\"group\":\"%s\",\"space\":%s,\"equal\":%s,\"flight\":%d",
                    groups[figure->group], figure->is_space ? "true" : "false",
                    figure->is_equal ? "true" : "false", figure->flight);
    put_text(page, "title", figure->title);
    put_text(page, "caption", figure->caption);
    put_axis(page, "x", &figure->x);
    put_axis(page, "y", &figure->y);
    put_axis(page, "z", &figure->z);
    arc_text_append(page, ",\"series\":[");
    for (int i = 0; i < figure->n_series; i++) {
        if (i > 0)
            arc_text_append(page, ",");
        put_series(page, &figure->series[i]);
    }
    arc_text_append(page, "]}");
}

void arc_page_data(ArcText *page, const ArcPagePart *part, int *n_written)
{
    for (int i = 0; i < part->figures->n; i++) {
        arc_text_append(page, "%s", (*n_written)++ > 0 ? ",\n" : "");
        put_figure(page, part, &part->figures->figures[i]);
    }
}

/* Writes a unit that is not among the n known ones. */
static void put_unit(ArcText *page, const char *unit, const char *known[MOST_UNITS], int *n)
{
    for (int i = 0; i < *n; i++)
        if (strcmp(known[i], unit) == 0)
            return;
    if (*n == MOST_UNITS) /* it is shown as it is */
        return;
    known[(*n)++] = unit;
    if (*n > 1)
        arc_text_append(page, ",");
    arc_markup_json(page, unit);
    arc_text_append(page, ":[");
    for (int u = 0; arc_units_name(u) != NULL; u++) {
        ArcShownUnit shown = arc_units_shown((ArcUnits)u, unit);
        arc_text_append(page, "%s[", u > 0 ? "," : "");
        arc_markup_json(page, shown.unit);
        arc_text_append(page, ",%.17g,%.17g]", shown.slope, shown.offset);
    }
    arc_text_append(page, "]");
}

void arc_page_units(ArcText *page, int n, const ArcPagePart *parts)
{
    const char *known[MOST_UNITS];
    int n_known = 0;
    arc_text_append(page, "{");
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < parts[p].figures->n; i++) {
            const ArcFigure *figure = &parts[p].figures->figures[i];
            put_unit(page, figure->x.unit, known, &n_known);
            put_unit(page, figure->y.unit, known, &n_known);
            put_unit(page, figure->z.unit, known, &n_known);
        }
    }
    arc_text_append(page, "}");
}
