/* Tables of what was measured of an arm (arcfit/swing.h): swings, and readings at the release. */
#include "arcfit/capture.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum { MOST_COLUMNS = 3 * (ARC_ARM_MAX_JOINTS + 2) + 2 * ARC_ARM_MAX_JOINTS };

/* What a column holds, as a number of a swing tells it. */
typedef struct Column {
    ArcSwingKind kind;
    int index, axis;
} Column;

typedef struct Columns {
    int n;
    Column at[MOST_COLUMNS];
} Columns;

static int column_find(const Columns *columns, const ArcSwingNumber *number)
{
    for (int i = 0; i < columns->n; i++) {
        const Column *column = &columns->at[i];
        if (column->kind == number->kind && column->index == number->index &&
            (number->kind != ARC_SWING_PLACE || column->axis == number->axis))
            return i;
    }
    return -1;
}

/* The columns of all swings, in the order that their numbers first come in. */
static Columns columns_gather(int n, const ArcCapture *const *captures)
{
    Columns columns = {0};
    for (int f = 0; f < n; f++) {
        const ArcSwing *swing = captures[f]->swing;
        for (int i = 0; swing != NULL && i < swing->n_numbers; i++) {
            const ArcSwingNumber *number = &swing->numbers[i];
            if (columns.n < MOST_COLUMNS && column_find(&columns, number) < 0)
                columns.at[columns.n++] = (Column){number->kind, number->index, number->axis};
        }
    }
    return columns;
}

static void append_name(ArcText *out, const Column *column, int n_joints)
{
    char axis = "xyz"[column->axis % 3];
    if (column->kind == ARC_SWING_ANGLE)
        arc_text_append(out, ",theta%d_rad", column->index + 1);
    else if (column->kind == ARC_SWING_RATE)
        arc_text_append(out, ",omega%d_rad_s", column->index + 1);
    else if (column->index == ARC_ARM_BALL)
        arc_text_append(out, ",ball_%c_m", axis);
    else if (column->index == 1 || column->index == n_joints)
        arc_text_append(out, ",%s_%c_m", column->index == n_joints ? "hand" : "elbow", axis);
    else
        arc_text_append(out, ",joint%d_%c_m", column->index, axis);
}

static void append_comment(ArcText *out, const char *comment)
{
    for (const char *line = comment; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        arc_text_append(out, "# %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static void append_row(ArcText *out, const Columns *columns, const double *values)
{
    char text[ARC_NUMBER_TEXT];
    for (int i = 0; i < columns->n; i++)
        arc_text_append(out, ",%s", isnan(values[i]) ? "" : arc_number_write(text, values[i]));
    arc_text_append(out, "\n");
}

static void append_swing(ArcText *out, const Columns *columns, int flight, const ArcSwing *swing)
{
    char text[ARC_NUMBER_TEXT];
    int at = 0;
    for (int row = 0; row < swing->n_rows; row++) {
        double values[MOST_COLUMNS];
        for (int i = 0; i < columns->n; i++)
            values[i] = NAN;
        for (; at < swing->n_numbers && swing->numbers[at].row == row; at++) {
            int i = column_find(columns, &swing->numbers[at]);
            if (i >= 0)
                values[i] = swing->numbers[at].value;
        }
        if (flight > 0)
            arc_text_append(out, "%d,", flight);
        arc_text_append(out, "%s", arc_number_write(text, swing->time_s[row]));
        append_row(out, columns, values);
    }
}

ArcStatus arc_swing_text(int n, const ArcCapture *const *captures, int n_joints,
                         const char *comment, char **text, ArcError *err)
{
    ArcText out = {0};
    Columns columns = columns_gather(n, captures);
    if (columns.n == 0)
        return arc_error_set(err, ARC_INPUT, "error: nothing was seen of a swing");
    append_comment(&out, comment);
    arc_text_append(&out, "%stime_s", n > 1 ? "flight," : "");
    for (int i = 0; i < columns.n; i++)
        append_name(&out, &columns.at[i], n_joints);
    arc_text_append(&out, "\n");
    for (int f = 0; f < n; f++)
        if (captures[f]->swing != NULL)
            append_swing(&out, &columns, n > 1 ? f + 1 : 0, captures[f]->swing);
    return arc_text_finish(&out, text, err);
}

/* Names of all readings, in the order that they first come in; returns how many. */
static int names_gather(int n, const ArcCapture *const *captures,
                        const char *names[ARC_MAX_READINGS])
{
    int n_names = 0;
    for (int f = 0; f < n; f++)
        for (int k = 0; k < captures[f]->n_readings; k++) {
            int i = 0;
            while (i < n_names && strcmp(names[i], captures[f]->readings[k].name) != 0)
                i++;
            if (i == n_names && n_names < ARC_MAX_READINGS)
                names[n_names++] = captures[f]->readings[k].name;
        }
    return n_names;
}

/* Behind a name: of a parameter of this arm or its release. */
static const char *unit_suffix(const char *name)
{
    static const struct {
        const char *begin, *suffix;
    } units[] = {{"theta", "_rad"},   {"offset", "_rad"},    {"azimuth", "_rad"},
                 {"omega", "_rad_s"}, {"gain", ""},          {"mass", "_kg"},
                 {"payload", "_kg"},  {"inertia", "_kg_m2"}, {"viscous", "_n_m_s"},
                 {"coulomb", "_n_m"}, {"torque", "_n_m"},    {"t0", "_s"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strncmp(name, units[i].begin, strlen(units[i].begin)) == 0)
            return units[i].suffix;
    return "_m";
}

ArcStatus arc_readings_text(int n, const ArcCapture *const *captures, const char *comment,
                            char **text, ArcError *err)
{
    const char *names[ARC_MAX_READINGS];
    char number[ARC_NUMBER_TEXT];
    ArcText out = {0};
    int n_names = names_gather(n, captures, names);
    if (n_names == 0)
        return arc_error_set(err, ARC_INPUT, "error: nothing was read of the arm");
    append_comment(&out, comment);
    for (int i = 0; i < n_names; i++)
        arc_text_append(&out, "%s%s%s",
                        i > 0   ? ","
                        : n > 1 ? "flight,"
                                : "",
                        names[i], unit_suffix(names[i]));
    for (int f = 0; f < n; f++) {
        arc_text_append(&out, "\n");
        if (n > 1)
            arc_text_append(&out, "%d,", f + 1);
        for (int i = 0; i < n_names; i++) {
            const ArcCapture *capture = captures[f];
            arc_text_append(&out, "%s", i > 0 ? "," : "");
            for (int k = 0; k < capture->n_readings; k++)
                if (strcmp(capture->readings[k].name, names[i]) == 0)
                    arc_text_append(&out, "%s",
                                    arc_number_write(number, capture->readings[k].value));
        }
    }
    arc_text_append(&out, "\n");
    return arc_text_finish(&out, text, err);
}
