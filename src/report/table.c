/* Cells, numbers and paragraphs of the text reports. */
#include "report/table.h"

#include "report/remarks.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A derived number has no status, so that its name may be so much longer. */
enum { NAME_WIDTH = 15, LONG_NAME_WIDTH = 28, ESTIMATE_WIDTH = 22, UNIT_WIDTH = 5 };

static bool is_follower(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

int arc_table_length(const char *text)
{
    int n = 0;
    for (; *text != '\0'; text++)
        n += is_follower(*text) ? 0 : 1;
    return n;
}

/* Bytes of a control character at text: of ASCII, or from U+0080 to U+009F; 0: there is none. */
static size_t control_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
        return 2;
    return c[0] < 0x20 || c[0] == 0x7f ? 1 : 0;
}

/* Appends text; a control character, which could steer a terminal, becomes a question mark. */
static void table_append(ArcText *table, const char *text)
{
    while (*text != '\0') {
        size_t plain = 0;
        while (control_length(text + plain) == 0)
            plain++;
        arc_text_append(table, "%.*s", (int)plain, text);
        text += plain;
        if (*text != '\0') {
            arc_text_append(table, "?");
            text += control_length(text);
        }
    }
}

/* Appends text, its beginning left out where it is longer than width; returns its length. */
static int table_clip(ArcText *table, int width, const char *text)
{
    int length = arc_table_length(text);
    if (width > 3 && length > width) {
        for (int skip = length - width + 3; skip > 0; skip--) {
            text++;
            while (is_follower(*text))
                text++;
        }
        arc_text_append(table, "...");
        length = width;
    }
    table_append(table, text);
    return length;
}

void arc_table_cell(ArcText *table, int width, const char *text)
{
    int length = table_clip(table, width, text);
    arc_text_append(table, "%*s", (width > length ? width - length : 0) + 1, "");
}

void arc_table_last(ArcText *table, int width, const char *text)
{
    table_clip(table, width, text);
    while (!table->failed && table->size > 0 && table->bytes[table->size - 1] == ' ')
        table->size--;
    arc_text_append(table, "\n");
}

void arc_table_name(ArcText *table, int width, const char *name)
{
    bool is_long = arc_table_length(name) > width;
    if (is_long)
        arc_table_last(table, 0, name);
    arc_table_cell(table, width, is_long ? "" : name);
}

void arc_table_entry(ArcText *table, const char *name, const char *text)
{
    const int room = ARC_TABLE_WIDTH - NAME_WIDTH - 1;
    arc_table_cell(table, NAME_WIDTH, name);
    int used = 0;
    while (*text != '\0') {
        char word[ARC_TABLE_WIDTH * 4];
        size_t bytes = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)bytes, text);
        int length = arc_table_length(word);
        if (used > 0 && used + 1 + length > room) {
            arc_text_append(table, "\n%*s", NAME_WIDTH + 1, "");
            used = 0;
        } else if (used > 0) {
            arc_text_append(table, " ");
            used++;
        }
        used += table_clip(table, room, word);
        text += bytes + strspn(text + bytes, " ");
    }
    arc_text_append(table, "\n");
}

void arc_table_entry_of(ArcText *table, const char *name, ArcText *line)
{
    char *text;
    if (arc_text_finish(line, &text, NULL) == ARC_OK) {
        arc_table_entry(table, name, text);
        arc_text_free(text);
    } else {
        table->failed = true;
    }
    *line = (ArcText){0};
}

const char *arc_table_plain(char buffer[ARC_TABLE_NUMBER], double value, int digits)
{
    char number[ARC_NUMBER_TEXT];
    snprintf(buffer, ARC_TABLE_NUMBER, "%s",
             isnan(value) ? "none" : arc_number_write_digits(number, value, digits));
    return buffer;
}

/* Decimals that show two digits of sd; -1 where a fixed-point number would not be readable. */
static int table_decimals(double value, double sd)
{
    if (!isfinite(value) || !isfinite(sd) || sd <= 0 || fabs(value) >= 1e7)
        return -1;
    /* 0.0996 rounds to 0.10, whose second digit stands one place earlier. */
    double decimals = 1 - floor(log10(sd / 0.995));
    return decimals > 12 ? -1 : decimals < 0 ? 0 : (int)decimals;
}

const char *arc_table_number(char buffer[ARC_TABLE_NUMBER], double value, double sd)
{
    int decimals = table_decimals(value, sd);
    if (decimals < 0)
        return arc_table_plain(buffer, value, 6);
    snprintf(buffer, ARC_TABLE_NUMBER, "%.*f", decimals, value);
    char *comma = strchr(buffer, ',');
    if (comma != NULL)
        *comma = '.';
    if (buffer[0] == '-' && strspn(buffer, "-0.") == strlen(buffer)) /* rounded to no sign */
        memmove(buffer, buffer + 1, strlen(buffer));
    return buffer;
}

const char *arc_table_value(char buffer[ARC_TABLE_NUMBER], double value, double sd, double factor)
{
    char number[ARC_TABLE_NUMBER], deviation[ARC_TABLE_NUMBER];
    value *= factor;
    sd *= fabs(factor);
    if (sd == 0)
        return arc_table_plain(buffer, value, 6);
    arc_table_number(number, value, sd);
    if (isnan(sd))
        snprintf(deviation, sizeof deviation, "?");
    else if (table_decimals(value, sd) > 5 || table_decimals(value, sd) < 0)
        arc_table_plain(deviation, sd, 2);
    else
        arc_table_number(deviation, sd, sd);
    snprintf(buffer, ARC_TABLE_NUMBER, "%.28s \xc2\xb1 %.28s", number, deviation);
    if (arc_table_length(buffer) > ESTIMATE_WIDTH)
        snprintf(buffer, ARC_TABLE_NUMBER, "%.28s \xc2\xb1 %.28s",
                 arc_table_plain(number, value, 6), arc_table_plain(deviation, sd, 2));
    return buffer;
}

const char *arc_table_other_unit(const char *unit, double *factor)
{
    if (strcmp(unit, "rad") == 0) {
        *factor = 180 / M_PI;
        return "deg";
    }
    if (strcmp(unit, "rad/s") == 0) {
        *factor = 1 / (2 * M_PI);
        return "rev/s";
    }
    return NULL;
}

const char *arc_table_unit(const char *unit)
{
    return strcmp(unit, "kg m^2") == 0 ? "kg m\xc2\xb2" : unit;
}

const char *arc_table_joint_unit(const char *unit, double *factor)
{
    static const char *const units[][2] = {{"rad", "deg"}, {"rad/s", "deg/s"}};
    for (int i = 0; i < 2; i++)
        if (strcmp(unit, units[i][0]) == 0) {
            *factor = 180 / M_PI;
            return units[i][1];
        }
    return NULL;
}

/* What a line says around the estimates, and their factor to its unit. */
typedef struct TableRow {
    const char *name, *unit;
    const char *status; /* "": none */
    double factor;
    int width;     /* of the name */
    bool is_joint; /* whose rates are read in deg/s */
} TableRow;

static void table_estimate_row(ArcText *table, int n_fits, const ArcEstimate *const *estimates,
                               const TableRow *row)
{
    char value[ARC_TABLE_NUMBER];
    arc_table_name(table, row->width, row->name);
    for (int i = 0; i < n_fits; i++)
        arc_table_cell(table, ESTIMATE_WIDTH,
                       arc_table_value(value, estimates[i]->value, estimates[i]->sd, row->factor));
    if (row->status[0] == '\0') {
        arc_table_last(table, 0, arc_table_unit(row->unit));
        return;
    }
    arc_table_cell(table, UNIT_WIDTH, arc_table_unit(row->unit));
    arc_table_last(table, 0, row->status);
}

const char *arc_table_status(int n_fits, const ArcEstimate *const *estimates)
{
    if (n_fits == 2 && estimates[0]->status != estimates[1]->status)
        return "see below";
    return arc_parameter_status_text(estimates[0]->status);
}

/* One number or parameter of every fit, with a second line where its unit has another. */
static void table_estimates(ArcText *table, int n_fits, const ArcEstimate *const *estimates,
                            TableRow shown)
{
    const ArcEstimate *first = estimates[0]->name != NULL ? estimates[0] : estimates[1];
    bool is_joint = shown.is_joint;
    shown.name = first->name;
    shown.unit = first->unit;
    shown.factor = 1;
    table_estimate_row(table, n_fits, estimates, &shown);
    shown.name = shown.status = "";
    shown.unit = is_joint ? arc_table_joint_unit(first->unit, &shown.factor)
                          : arc_table_other_unit(first->unit, &shown.factor);
    if (shown.unit != NULL && (first->value != 0 || first->sd != 0))
        table_estimate_row(table, n_fits, estimates, &shown);
}

void arc_table_estimate(ArcText *table, int n_fits, const ArcEstimate *const *estimates,
                        const char *last, bool is_joint)
{
    table_estimates(table, n_fits, estimates,
                    (TableRow){.status = last, .width = NAME_WIDTH, .is_joint = is_joint});
}

void arc_table_heading(ArcText *table, int n_fits, const ArcFit *const *fits, const char *name,
                       const char *last)
{
    arc_table_cell(table, NAME_WIDTH, name);
    for (int i = 0; i < n_fits; i++)
        arc_table_cell(table, ESTIMATE_WIDTH, fits[i]->method == ARC_PINN ? "PINN" : "direct");
    arc_table_cell(table, UNIT_WIDTH, "unit");
    arc_table_last(table, 0, last);
}

/* What the names of the derived numbers take. */
static int table_derived_width(int n_fits, const ArcFit *const *fits)
{
    int width = NAME_WIDTH;
    for (int f = 0; f < n_fits; f++) {
        for (int p = 0; p < fits[f]->n_derived; p++) {
            int length = arc_table_length(fits[f]->derived[p].name);
            width = length > width ? length : width;
        }
    }
    return width < LONG_NAME_WIDTH ? width : LONG_NAME_WIDTH;
}

/* Derived numbers go by their names: a fit may lack some that another has. */
static void table_derived(ArcText *table, int n_fits, const ArcFit *const *fits, int width)
{
    static const ArcEstimate none = {.value = NAN};
    for (int f = 0; f < n_fits; f++) {
        for (int p = 0; p < fits[f]->n_derived; p++) {
            const char *name = fits[f]->derived[p].name;
            const ArcEstimate *row[2] = {&none, &none};
            for (int i = 0; i < n_fits; i++) {
                const ArcEstimate *found = arc_remarks_derived(fits[i], name);
                row[i] = found != NULL ? found : &none;
            }
            if (f == 0 || row[0] == &none)
                table_estimates(table, n_fits, row, (TableRow){.status = "", .width = width});
        }
    }
}

void arc_table_estimates(ArcText *table, int n_fits, const ArcFit *const *fits, bool is_derived)
{
    if (is_derived) {
        int width = table_derived_width(n_fits, fits);
        arc_table_cell(table, width, "derived");
        for (int i = 0; i < n_fits; i++)
            arc_table_cell(table, ESTIMATE_WIDTH, fits[i]->method == ARC_PINN ? "PINN" : "direct");
        arc_table_last(table, 0, "unit");
        table_derived(table, n_fits, fits, width);
        return;
    }
    arc_table_heading(table, n_fits, fits, "parameter", "status");
    for (int p = 0; p < fits[0]->n_parameters; p++) {
        const ArcEstimate *row[2] = {&fits[0]->parameters[p], &fits[n_fits - 1]->parameters[p]};
        arc_table_estimate(table, n_fits, row, arc_table_status(n_fits, row), false);
    }
}

void arc_table_group(ArcText *table, const ArcFit *fit, int group)
{
    for (int i = 0; i < fit->unidentified_size[group]; i++)
        arc_text_append(table, "%s%s", i == 0 ? "" : ", ",
                        fit->parameters[fit->unidentified[group][i]].name);
}
