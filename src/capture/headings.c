/* See headings.h. */
#include "capture/headings.h"

#include "capture/points.h"
#include "capture/sheet.h"

#include <math.h>
#include <string.h>

typedef struct Unit {
    const char *suffix; /* behind '_' */
    const char *text;   /* between brackets, where it differs */
    ArcHeadingKind kind;
    double scale;
} Unit;

/* Those that end in another one come before it. */
static const Unit units[] = {
    {"rad_s", "rad/s", ARC_HEADING_RATE, 1},
    {"deg_s", "deg/s", ARC_HEADING_RATE, M_PI / 180},
    {"n_m_s", "n m s", ARC_HEADING_DAMPING, 1},
    {"n_m", "n m", ARC_HEADING_TORQUE, 1},
    {"kg_m2", "kg m^2", ARC_HEADING_INERTIA, 1},
    {"kg", "kg", ARC_HEADING_MASS, 1},
    {"g", "g", ARC_HEADING_MASS, 1e-3},
    {"rad", "rad", ARC_HEADING_ANGLE, 1},
    {"deg", "deg", ARC_HEADING_ANGLE, M_PI / 180},
    {"mm", "mm", ARC_HEADING_LENGTH, 1e-3},
    {"cm", "cm", ARC_HEADING_LENGTH, 1e-2},
    {"m", "m", ARC_HEADING_LENGTH, 1},
    {"us", "us", ARC_HEADING_TIME, 1e-6},
    {"ms", "ms", ARC_HEADING_TIME, 1e-3},
    {"s", "s", ARC_HEADING_TIME, 1},
};

enum { N_UNITS = sizeof units / sizeof units[0] };

/* The unit between brackets at the end of name, which is cut before it. */
static const Unit *unit_in_brackets(char *name)
{
    size_t length = strlen(name);
    char close = name[length - 1];
    char *open = close == ')' ? strrchr(name, '(') : close == ']' ? strrchr(name, '[') : NULL;
    if (open == NULL)
        return NULL;
    name[length - 1] = '\0';
    for (int i = 0; i < N_UNITS; i++) {
        if (strcmp(open + 1, units[i].text) != 0 && strcmp(open + 1, units[i].suffix) != 0)
            continue;
        while (open > name && (open[-1] == ' ' || open[-1] == '\t'))
            open--;
        *open = '\0';
        return &units[i];
    }
    name[length - 1] = close;
    return NULL;
}

static const Unit *unit_behind(char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < N_UNITS; i++) {
        size_t n = strlen(units[i].suffix);
        if (length <= n + 1 || name[length - n - 1] != '_' ||
            strcmp(name + length - n, units[i].suffix) != 0)
            continue;
        name[length - n - 1] = '\0';
        return &units[i];
    }
    return NULL;
}

ArcHeading arc_heading_parse(const ArcCell *cell)
{
    ArcHeading heading = {"", ARC_HEADING_NONE, 1};
    if (cell->length == 0 || cell->length >= ARC_HEADING_BYTES)
        return heading;
    for (int i = 0; i < cell->length; i++)
        heading.name[i] = arc_cell_lower(cell->text[i]);
    const Unit *unit = unit_in_brackets(heading.name);
    if (unit == NULL)
        unit = unit_behind(heading.name);
    if (unit != NULL) {
        heading.kind = unit->kind;
        heading.scale = unit->scale;
    }
    return heading;
}

int arc_heading_number(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0 || name[length] < '1' || name[length] > '9' ||
        name[length + 1] != '\0')
        return 0;
    return name[length] - '0';
}

ArcStatus arc_heading_check(const ArcTable *table, const ArcCell *cell, const ArcHeading *heading,
                            ArcHeadingKind kind, ArcError *err)
{
    int i = 0;
    if (heading->kind == kind)
        return ARC_OK;
    if (kind == ARC_HEADING_NONE)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                "'%.*s' has a unit, but %s is a plain number",
                                arc_delimited_shown(cell->text, cell->length), cell->text,
                                heading->name);
    while (units[i].kind != kind || units[i].scale != 1)
        i++;
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                            "'%.*s' has %s; call the column %s_%s, or by another such unit",
                            arc_delimited_shown(cell->text, cell->length), cell->text,
                            heading->kind == ARC_HEADING_NONE ? "no unit that is known"
                                                              : "the unit of something else",
                            heading->name, units[i].suffix);
}

ArcStatus arc_heading_number_of(const ArcTable *table, const ArcCell *cell, double scale,
                                double *value, ArcError *err)
{
    double number = NAN;
    ArcStatus status = arc_sheet_number(table, cell, &number, err);
    if (status == ARC_OK)
        *value = arc_points_scale(number, scale);
    return status;
}
