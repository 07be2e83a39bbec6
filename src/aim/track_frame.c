/* Lines to frames: canonical rows, with a header or without, and JSON objects. */
#include "arcfit/track.h"

#include "base/number.h"
#include "io/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TIME = 0, AXIS = 1, SIGMA_OF = 4, SIGMA = 7, N_ROLES = 8, SHOWN = 30 };

/* As canonical captures call them. */
static const char *const names[N_ROLES] = {"time_s",    "x_m",       "y_m",       "z_m",
                                           "sigma_x_m", "sigma_y_m", "sigma_z_m", "sigma_m"};

/* Beyond it no capture goes, either. */
static const double largest = 1e12;

ArcFrameColumns arc_frame_columns(int dimensions)
{
    ArcFrameColumns columns = {.dimensions = dimensions, .n = dimensions + 2};
    for (int c = 0; c <= dimensions; c++)
        columns.role[c] = c;
    columns.role[dimensions + 1] = SIGMA;
    return columns;
}

/* What stands there, as far as it is printable, cut short. */
static ArcFrameLine garbage(char why[200], const char *what, const char *text, size_t length)
{
    char shown[SHOWN + 1];
    size_t n = 0;
    for (; n < length && n < SHOWN; n++)
        shown[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
    shown[n] = '\0';
    snprintf(why, 200, "%s: '%s%s'", what, shown, length > n ? "..." : "");
    return ARC_LINE_GARBAGE;
}

static ArcFrame empty_frame(void)
{
    return (ArcFrame){NAN, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
}

/* A number of its role, NaN where it is missing. */
static void put(ArcFrame *frame, int role, double value)
{
    if (role == TIME)
        frame->time_s = value;
    else if (role >= AXIS && role < SIGMA_OF)
        frame->position_m[role - AXIS] = value;
    else if (role >= SIGMA_OF && role < SIGMA)
        frame->sigma_m[role - SIGMA_OF] = value;
    for (int c = 0; c < 3 && role == SIGMA; c++)
        frame->sigma_m[c] = value;
}

/* What no frame can have. */
static ArcFrameLine check(const ArcFrameColumns *columns, const ArcFrame *frame, const char *line,
                          size_t length, char why[200])
{
    if (!isfinite(frame->time_s))
        return garbage(why, "there is no time", line, length);
    if (fabs(frame->time_s) > largest)
        return garbage(why, "the time is beyond 1e12 s", line, length);
    for (int c = 0; c < columns->dimensions; c++) {
        double sigma = frame->sigma_m[c];
        if (!isnan(frame->position_m[c]) && !(fabs(frame->position_m[c]) <= largest))
            return garbage(why, "a position is beyond 1e12 m", line, length);
        if (!isnan(sigma) && !(sigma >= 1e-12 && sigma <= largest))
            return garbage(why, "a sigma is not above zero", line, length);
    }
    return ARC_LINE_FRAME;
}

static void strip(const char **text, size_t *length)
{
    while (*length > 0 && (**text == ' ' || **text == '\t'))
        ++*text, --*length;
    while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t' ||
                           (*text)[*length - 1] == '\r'))
        --*length;
}

/* The next cell of a row, without blanks and quotes about it; false: there is none. */
static bool next_cell(const char **rest, const char *end, const char **cell, size_t *length)
{
    if (*rest == NULL)
        return false;
    const char *comma = memchr(*rest, ',', (size_t)(end - *rest));
    *cell = *rest;
    *length = (size_t)((comma != NULL ? comma : end) - *rest);
    *rest = comma != NULL ? comma + 1 : NULL;
    strip(cell, length);
    if (*length >= 2 && (*cell)[0] == '"' && (*cell)[*length - 1] == '"') {
        ++*cell;
        *length -= 2;
    }
    return true;
}

static int role_of(const char *cell, size_t length)
{
    for (int role = 0; role < N_ROLES; role++)
        if (strlen(names[role]) == length && memcmp(names[role], cell, length) == 0)
            return role;
    return -1;
}

/* Whether one of the cells is a canonical column's name. */
static bool is_header(const char *line, size_t length)
{
    const char *rest = line, *cell;
    size_t n;
    while (next_cell(&rest, line + length, &cell, &n))
        if (role_of(cell, n) >= 0)
            return true;
    return false;
}

static ArcFrameLine read_header(ArcFrameColumns *columns, const char *line, size_t length,
                                char why[200])
{
    const char *rest = line, *cell;
    size_t n;
    ArcFrameColumns read = {
        .dimensions = columns->dimensions, .has_header = true, .is_begun = true};
    bool has[N_ROLES] = {false};
    while (next_cell(&rest, line + length, &cell, &n)) {
        if (read.n == ARC_CAPTURE_MAX_COLUMNS)
            return garbage(why, "more than 80 columns", line, length);
        int role = role_of(cell, n);
        if (role >= 0 && has[role])
            return garbage(why, "a column twice", cell, n);
        if (role >= 0)
            has[role] = true;
        read.role[read.n++] = role;
    }
    for (int role = 0; role <= columns->dimensions; role++)
        if (!has[role]) {
            snprintf(why, 200, "the header has no column %s", names[role]);
            return ARC_LINE_GARBAGE;
        }
    *columns = read;
    return ARC_LINE_NOTHING;
}

static bool is_missing(const char *cell, size_t length)
{
    return length == 0 ||
           (length == 3 && (cell[0] == 'n' || cell[0] == 'N') &&
            (cell[1] == 'a' || cell[1] == 'A') && (cell[2] == 'n' || cell[2] == 'N'));
}

static ArcFrameLine read_row(const ArcFrameColumns *columns, const char *line, size_t length,
                             ArcFrame *frame, char why[200])
{
    const char *rest = line, *cell;
    size_t n;
    int column = 0;
    double value;
    *frame = empty_frame();
    for (; next_cell(&rest, line + length, &cell, &n); column++) {
        if (column >= columns->n)
            return garbage(why, "more cells than columns", line, length);
        if (columns->role[column] < 0 || is_missing(cell, n))
            continue;
        if (!arc_number_read(cell, n, &value))
            return garbage(why, "not a number", cell, n);
        put(frame, columns->role[column], value);
    }
    if (column <= columns->dimensions)
        return garbage(why, "too few cells", line, length);
    return check(columns, frame, line, length, why);
}

/* A number of an object, or null; false: it is something else. */
static bool json_value(const json_t *node, double *value)
{
    *value = json_is_number(node) ? json_number_value(node) : (double)NAN;
    return json_is_number(node) || json_is_null(node);
}

/* A key with its value; false: it is no number where one should be. Unknown keys are passed over.
 */
static bool put_key(const ArcFrameColumns *columns, const char *key, const json_t *node,
                    ArcFrame *frame)
{
    double value;
    int role = role_of(key, strlen(key));
    if (strcmp(key, "t") == 0)
        role = TIME;
    else if (strcmp(key, "sigma") == 0)
        role = SIGMA;
    if (strcmp(key, "x") == 0 && json_is_array(node)) {
        if (json_array_size(node) != (size_t)columns->dimensions)
            return false;
        for (int c = 0; c < columns->dimensions; c++) {
            if (!json_value(json_array_get(node, (size_t)c), &value))
                return false;
            put(frame, AXIS + c, value);
        }
        return true;
    }
    if (role < 0)
        return true;
    if (!json_value(node, &value))
        return false;
    put(frame, role, value);
    return true;
}

static ArcFrameLine read_object(const ArcFrameColumns *columns, const char *line, size_t length,
                                ArcFrame *frame, char why[200])
{
    json_t *root = NULL;
    void *at;
    ArcFrameLine result = ARC_LINE_FRAME;
    *frame = empty_frame();
    if (arc_json_read("line", line, length, &root, NULL) != ARC_OK)
        return garbage(why, "not a JSON object", line, length);
    /* A common sigma first, which an axis' own then overrides, in whatever order they stand. */
    for (int pass = 0; pass < 2; pass++)
        for (at = json_object_iter(root); at != NULL; at = json_object_iter_next(root, at)) {
            const char *key = json_object_iter_key(at);
            bool is_common = strcmp(key, "sigma") == 0 || strcmp(key, names[SIGMA]) == 0;
            if (is_common == (pass == 0) &&
                !put_key(columns, key, json_object_iter_value(at), frame))
                result = garbage(why, "not a number", key, strlen(key));
        }
    json_decref(root);
    return result == ARC_LINE_FRAME ? check(columns, frame, line, length, why) : result;
}

ArcFrameLine arc_frame_read(ArcFrameColumns *columns, const char *line, size_t length,
                            ArcFrame *frame, char why[200])
{
    if (!columns->is_begun && length >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
        line += 3;
        length -= 3;
    }
    columns->is_begun = true;
    strip(&line, &length);
    if (length == 0 || line[0] == '#')
        return ARC_LINE_NOTHING;
    if (length > ARC_TRACK_MOST_LINE) {
        snprintf(why, 200, "a line of more than %d bytes", ARC_TRACK_MOST_LINE);
        return ARC_LINE_GARBAGE;
    }
    if (line[0] == '{')
        return read_object(columns, line, length, frame, why);
    if (is_header(line, length))
        return read_header(columns, line, length, why);
    return read_row(columns, line, length, frame, why);
}
