/* The one reader of delimited text. The bytes are checked first (encoding, length of lines), then
 * cut into lines, then the separator is found, then the lines are cut into cells.
 *
 * The separator is the candidate whose cells are numbers most often in the first rows below the
 * titles, since a header may hold any of them ("Time (ms), X"). */
#include "io/delimited.h"

#include "base/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { SNIFF_LINES = 50, NUMBER_BYTES = 512, SHOWN_BYTES = 40, BINARY_BYTES = 8192 };

static const char candidates[] = {'\t', ';', ',', ' '};

typedef struct Line {
    const char *start;
    int length;
    int number;
} Line;

/* Walks over the cells of a line. */
typedef struct Cursor {
    const char *file;
    Line line;
    char delimiter;
    int position; /* of the next cell; -1 behind the last */
} Cursor;

typedef enum CellKind { CELL_NUMBER, CELL_MISSING, CELL_INFINITE, CELL_TEXT } CellKind;

ArcPlace arc_delimited_place(const ArcTable *table, const ArcCell *cell)
{
    return (ArcPlace){table->file, cell->line, cell->column};
}

int arc_delimited_shown(const char *text, int length)
{
    if (length <= SHOWN_BYTES)
        return length;
    int shown = SHOWN_BYTES;
    while (shown > 0 && ((unsigned char)text[shown] & 0xc0) == 0x80)
        shown--;
    return shown;
}

/* Bytes of the well-formed UTF-8 character at the start, 0 where there is none (Unicode 15.0, table
 * 3-7: no overlong forms, no surrogates, nothing above U+10FFFF). */
static size_t utf8_length(const unsigned char *c, size_t size)
{
    if (c[0] < 0x80)
        return 1;
    size_t n = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4 || size < n)
        return 0;
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    bool is_low = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool is_high = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
    return is_low || is_high ? 0 : n;
}

static ArcStatus bad_byte(ArcPlace at, const char *bytes, size_t size, unsigned char byte,
                          ArcError *err)
{
    if (byte == 0 || memchr(bytes, 0, size < BINARY_BYTES ? size : BINARY_BYTES) != NULL)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "binary file (byte 0x%02x): text with one row a line is needed",
                                byte);
    return arc_error_set_at(err, ARC_INPUT, at,
                            "wrong encoding: not UTF-8 (byte 0x%02x); save the file as UTF-8",
                            byte);
}

/* Checks every byte and counts the lines, so that what follows needs no further care. */
static ArcStatus bytes_check(const char *file, const char *bytes, size_t size, int *n_lines,
                             ArcError *err)
{
    ArcPlace at = {file, 1, 1};
    if (size >= 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
        return arc_error_set_at(err, ARC_INPUT, at,
                                "wrong encoding: UTF-16, not UTF-8; save the file as UTF-8");
    for (size_t i = 0, n = 0; i < size; i += n) {
        unsigned char c = (unsigned char)bytes[i];
        n = utf8_length((const unsigned char *)bytes + i, size - i);
        if (c == 0 || n == 0)
            return bad_byte(at, bytes, size, c, err);
        if (at.column > ARC_DELIMITED_MAX_LINE_BYTES || at.line > ARC_DELIMITED_MAX_CELLS) {
            const char *what =
                at.line > ARC_DELIMITED_MAX_CELLS ? "too many lines" : "line too long";
            at.column = 1;
            return arc_error_set_at(err, ARC_INPUT, at, "%s: at most %d lines of %d bytes", what,
                                    ARC_DELIMITED_MAX_CELLS, ARC_DELIMITED_MAX_LINE_BYTES);
        }
        if (c == '\n' || (c == '\r' && (i + 1 == size || bytes[i + 1] != '\n'))) {
            at.line++;
            at.column = 1;
        } else {
            at.column += (int)n;
        }
    }
    *n_lines = at.line;
    return ARC_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Lines that hold something: neither blank nor a comment. */
static int lines_cut(const char *bytes, size_t size, Line *lines)
{
    int n = 0, number = 0;
    const char *end = bytes + size;
    for (const char *start = bytes; start < end;) {
        const char *stop = start;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        const char *first = start;
        while (first < stop && is_blank(*first))
            first++;
        number++;
        if (first < stop && *first != '#')
            lines[n++] = (Line){start, (int)(stop - start), number};
        start = stop + 1;
        if (start < end && stop[0] == '\r' && stop[1] == '\n')
            start++;
    }
    return n;
}

static bool cursor_is_at_blank(const Cursor *cursor, int i)
{
    char c = cursor->line.start[i];
    return c == ' ' || (c == '\t' && cursor->delimiter != '\t');
}

static bool cursor_is_at_delimiter(const Cursor *cursor, int i)
{
    return cursor->line.start[i] == cursor->delimiter ||
           (cursor->delimiter == ' ' && cursor->line.start[i] == '\t');
}

/* A cell in quotes that begin at i; gives where it ends, -1 where the quote has no end. Doubled
 * quotes stay doubled: no number holds one, and a header's name is compared as it stands. */
static int cursor_quoted(const Cursor *cursor, int i, ArcCell *cell)
{
    const Line *line = &cursor->line;
    int stop = i + 1;
    while (stop < line->length &&
           (line->start[stop] != '"' || (stop + 1 < line->length && line->start[stop + 1] == '"')))
        stop += line->start[stop] == '"' ? 2 : 1;
    if (stop >= line->length)
        return -1;
    cell->text = line->start + i + 1;
    cell->length = stop - i - 1;
    cell->is_quoted = true;
    for (; cell->length > 0 && is_blank(cell->text[0]); cell->length--)
        cell->text++;
    return stop + 1;
}

/* The next cell; false behind the last one, and where *status is not ARC_OK. */
static bool cursor_next(Cursor *cursor, ArcCell *cell, ArcStatus *status, ArcError *err)
{
    const Line *line = &cursor->line;
    int i = cursor->position;
    if (i < 0)
        return false;
    while (i < line->length && cursor_is_at_blank(cursor, i))
        i++;
    if (cursor->delimiter == ' ' && i >= line->length && cursor->position > 0)
        return false;
    *cell = (ArcCell){line->start + i, 0, line->number, i + 1, false};
    if (i < line->length && line->start[i] == '"') {
        i = cursor_quoted(cursor, i, cell);
        if (i < 0) {
            *status = arc_error_set_at(err, ARC_INPUT,
                                       (ArcPlace){cursor->file, line->number, cell->column},
                                       "quote without its end on the same line");
            return false;
        }
        while (i < line->length && cursor_is_at_blank(cursor, i) && cursor->delimiter != ' ')
            i++;
        if (i < line->length && !cursor_is_at_delimiter(cursor, i)) {
            *status =
                arc_error_set_at(err, ARC_INPUT, (ArcPlace){cursor->file, line->number, i + 1},
                                 "text behind a closing quote; a separator must stand here");
            return false;
        }
    } else {
        while (i < line->length && !cursor_is_at_delimiter(cursor, i))
            i++;
        cell->length = (int)(line->start + i - cell->text);
    }
    while (cell->length > 0 && is_blank(cell->text[cell->length - 1]))
        cell->length--;
    cursor->position = i < line->length ? i + 1 : -1;
    return true;
}

static bool cell_is_one_of(const char *text, int length, int n, const char *const *words)
{
    for (int i = 0; i < n; i++) {
        if ((int)strlen(words[i]) == length && strncasecmp(words[i], text, (size_t)length) == 0)
            return true;
    }
    return false;
}

/* 1,234 in a comma-separated file may be a thousand or one and a bit. */
static bool is_thousands(const char *text, int length)
{
    int sign = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const char *comma = memchr(text, ',', (size_t)length);
    int whole = comma == NULL ? 0 : (int)(comma - text) - sign;
    return whole >= 1 && whole <= 3 && text[sign] != '0' && length - sign - whole == 4 &&
           memchr(comma + 1, ',', 3) == NULL;
}

static CellKind cell_kind(const ArcCell *cell, char delimiter, double *value)
{
    static const char *const missing[] = {"", "-", "nan", "na", "null"};
    static const char *const infinite[] = {"inf", "infinity", "\xe2\x88\x9e"};
    char text[NUMBER_BYTES];
    int n = 0;
    if (cell->length >= NUMBER_BYTES)
        return CELL_TEXT;
    for (int i = 0; i < cell->length; i++) {
        bool is_minus = i + 3 <= cell->length && memcmp(cell->text + i, "\xe2\x88\x92", 3) == 0;
        text[n++] = is_minus ? '-' : cell->text[i];
        i += is_minus ? 2 : 0;
    }
    if (cell_is_one_of(text, n, 5, missing))
        return CELL_MISSING;
    int sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
    if (cell_is_one_of(text + sign, n - sign, 3, infinite))
        return CELL_INFINITE;
    bool may_have_comma = delimiter != ',' || (cell->is_quoted && !is_thousands(text, n));
    char *comma = may_have_comma ? memchr(text, ',', (size_t)n) : NULL;
    if (comma != NULL) {
        bool has_digit = comma + 1 < text + n && comma[1] >= '0' && comma[1] <= '9';
        if (!has_digit || memchr(text, '.', (size_t)n) != NULL)
            return CELL_TEXT;
        *comma = '.';
    }
    if (!arc_number_read(text, (size_t)n, value))
        return CELL_TEXT;
    return isfinite(*value) ? CELL_NUMBER : CELL_INFINITE;
}

/* Whether the line is a title or a header: words, and no number; below the first line no failed
 * number either, since that is a damaged row. */
static bool line_is_title(const Line *line, char delimiter, bool is_first)
{
    Cursor cursor = {"", *line, delimiter, 0};
    ArcStatus status = ARC_OK;
    ArcCell cell;
    double value;
    bool has_text = false;
    while (cursor_next(&cursor, &cell, &status, NULL)) {
        CellKind kind = cell_kind(&cell, delimiter, &value);
        bool is_word = kind == CELL_TEXT && strchr("+-.0123456789", cell.text[0]) == NULL;
        if (kind != CELL_MISSING && !is_word && !(is_first && kind == CELL_TEXT))
            return false;
        has_text = has_text || is_word;
    }
    return has_text;
}

/* How well the line reads with this delimiter; where it stands nowhere it cannot be the one. */
static int line_score(const Line *line, char delimiter)
{
    Cursor cursor = {"", *line, delimiter, 0};
    ArcStatus status = ARC_OK;
    ArcCell cell;
    double value;
    int n = 0, score = 0;
    for (; cursor_next(&cursor, &cell, &status, NULL); n++) {
        CellKind kind = cell_kind(&cell, delimiter, &value);
        score += kind == CELL_TEXT ? -2 : kind == CELL_MISSING ? 0 : 1;
    }
    if (status != ARC_OK)
        return score - 2;
    return n >= 2 ? score : -2 * line->length;
}

/* Whether a title's first cell is a word, whatever the separator is. */
static bool line_begins_with_word(const Line *line)
{
    int i = 0;
    while (i < line->length && strchr(" \t,;\"", line->start[i]) != NULL)
        i++;
    return i < line->length && strchr("+-.0123456789\xe2", line->start[i]) == NULL;
}

static char delimiter_find(int n_lines, const Line *lines)
{
    int first = 0;
    while (first < n_lines && line_begins_with_word(&lines[first]))
        first++;
    if (first == n_lines)
        first = 0;
    int last = n_lines - first < SNIFF_LINES ? n_lines : first + SNIFF_LINES;
    long best = 0;
    char delimiter = 0;
    for (size_t c = 0; c < sizeof candidates; c++) {
        long score = 0;
        for (int i = first; i < last; i++)
            score += line_score(&lines[i], candidates[c]);
        if (delimiter == 0 || score > best) {
            best = score;
            delimiter = candidates[c];
        }
    }
    return delimiter;
}

/* Cells of the line; (*n) of them, the array from the arena. */
static ArcStatus line_cells(Cursor cursor, ArcArena *arena, ArcCell **cells, int *n, ArcError *err)
{
    ArcStatus status = ARC_OK;
    ArcCell cell;
    Cursor counter = cursor;
    *n = 0;
    while (cursor_next(&counter, &cell, &status, err))
        (*n)++;
    if (status != ARC_OK)
        return status;
    *cells = ARC_ALLOC(arena, (size_t)*n, ArcCell);
    if (*cells == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < *n; i++)
        cursor_next(&cursor, &(*cells)[i], &status, err);
    return status;
}

static bool is_all_digits(const ArcCell *cell, bool with_exponent)
{
    int i = 0;
    while (i < cell->length && cell->text[i] >= '0' && cell->text[i] <= '9')
        i++;
    bool has_exponent = i > 0 && i < cell->length && (cell->text[i] | 0x20) == 'e';
    return !cell->is_quoted && i > 0 && (i == cell->length || (with_exponent && has_exponent));
}

/* The first pair of cells that looks like one number with a decimal comma; -1 for none. Two whole
 * numbers prove nothing unless every cell of the row is doubled. */
static int find_decimal_comma(const ArcTable *table, int n, const ArcCell *cells)
{
    for (int i = 0; table->delimiter == ',' && i + 1 < n; i++) {
        ArcCell whole = cells[i];
        if (whole.length > 1 && (whole.text[0] == '-' || whole.text[0] == '+')) {
            whole.text++;
            whole.length--;
        }
        const ArcCell *rest = &cells[i + 1];
        bool is_adjacent = rest->column == cells[i].column + cells[i].length + 1;
        bool is_proof = rest->length > 0 && (!is_all_digits(rest, false) || rest->text[0] == '0');
        if (is_adjacent && is_all_digits(&whole, false) && is_all_digits(rest, true) &&
            (is_proof || n == 2 * table->n_columns))
            return i;
    }
    return -1;
}

static ArcStatus wrong_count(const ArcTable *table, Cursor cursor, ArcArena *arena, ArcError *err)
{
    ArcCell *cells;
    int n;
    ArcStatus status = line_cells(cursor, arena, &cells, &n, err);
    if (status != ARC_OK)
        return status;
    int pair = n > table->n_columns ? find_decimal_comma(table, n, cells) : -1;
    if (pair >= 0) {
        int length = cells[pair].length + 1 + cells[pair + 1].length;
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, &cells[pair]),
                                "'%.*s' is not a number in a comma-separated file; decimal commas "
                                "need another separator",
                                arc_delimited_shown(cells[pair].text, length), cells[pair].text);
    }
    int column = n > table->n_columns ? cells[table->n_columns].column : cursor.line.length + 1;
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){table->file, cursor.line.number, column},
                            "%d cell%s where the %s has %d; every row must have as many", n,
                            n == 1 ? "" : "s", table->header != NULL ? "header" : "first row",
                            table->n_columns);
}

/* One row; a single empty cell more than the columns is a trailing separator. */
static ArcStatus row_read(const ArcTable *table, Cursor cursor, ArcArena *arena, ArcCell *row,
                          ArcError *err)
{
    Cursor start = cursor;
    ArcStatus status = ARC_OK;
    ArcCell cell;
    int n = 0;
    bool is_extra_empty = true;
    while (cursor_next(&cursor, &cell, &status, err)) {
        if (n < table->n_columns)
            row[n] = cell;
        else
            is_extra_empty = cell.length == 0 && !cell.is_quoted;
        n++;
    }
    if (status != ARC_OK)
        return status;
    if (n == table->n_columns || (n == table->n_columns + 1 && is_extra_empty))
        return ARC_OK;
    return wrong_count(table, start, arena, err);
}

static ArcStatus table_fill(ArcTable *table, int n_lines, const Line *lines, ArcArena *arena,
                            ArcError *err)
{
    int n_titles = 0;
    while (n_titles < n_lines && line_is_title(&lines[n_titles], table->delimiter, n_titles == 0))
        n_titles++;
    ArcCell *first;
    const Line *top = &lines[n_titles > 0 ? n_titles - 1 : 0];
    Cursor cursor = {table->file, *top, table->delimiter, 0};
    ArcStatus status = line_cells(cursor, arena, &first, &table->n_columns, err);
    if (status != ARC_OK)
        return status;
    if (table->n_columns > 1 && first[table->n_columns - 1].length == 0 && n_titles > 0)
        table->n_columns--;
    table->header = n_titles > 0 ? first : NULL;
    table->n_rows = n_lines - n_titles;
    size_t n_columns = (size_t)table->n_columns;
    if ((size_t)table->n_rows * n_columns > ARC_DELIMITED_MAX_CELLS)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){table->file, 1, 1},
                                "%d rows of %d cells are too many: at most %d cells are read",
                                table->n_rows, table->n_columns, ARC_DELIMITED_MAX_CELLS);
    ArcCell *cells = arc_arena_alloc(arena, (size_t)table->n_rows * n_columns, sizeof *cells);
    if (cells == NULL)
        return arc_error_no_memory(err);
    table->cells = cells;
    for (int i = 0; i < table->n_rows && status == ARC_OK; i++) {
        cursor.line = lines[n_titles + i];
        status = row_read(table, cursor, arena, cells + (size_t)i * n_columns, err);
    }
    return status;
}

ArcStatus arc_delimited_read(const char *file, const char *bytes, size_t size, char delimiter,
                             ArcArena *arena, ArcTable *table, ArcError *err)
{
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3;
        size -= 3;
    }
    int n_lines = 0;
    ArcStatus status = bytes_check(file, bytes, size, &n_lines, err);
    if (status != ARC_OK)
        return status;
    Line *lines = ARC_ALLOC(arena, (size_t)n_lines, Line);
    if (lines == NULL)
        return arc_error_no_memory(err);
    n_lines = lines_cut(bytes, size, lines);
    if (n_lines == 0)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){file, 1, 1}, "%s",
                                size == 0 ? "empty file"
                                          : "nothing but blank lines and comments in this file");
    char found = delimiter != 0 ? delimiter : delimiter_find(n_lines, lines);
    ArcTable result = {.file = file, .delimiter = found};
    status = table_fill(&result, n_lines, lines, arena, err);
    if (status == ARC_OK)
        *table = result;
    return status;
}

ArcStatus arc_delimited_number(const ArcTable *table, const ArcCell *cell, double *value,
                               ArcError *err)
{
    ArcPlace at = arc_delimited_place(table, cell);
    int shown = arc_delimited_shown(cell->text, cell->length);
    double number = 0.0;
    CellKind kind = cell_kind(cell, table->delimiter, &number);
    if (kind == CELL_NUMBER || kind == CELL_MISSING) {
        *value = kind == CELL_NUMBER ? number : NAN;
        return ARC_OK;
    }
    if (kind == CELL_INFINITE)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%.*s' is infinite or too large for a number; leave the cell "
                                "empty where a value is missing",
                                shown, cell->text);
    if (cell->is_quoted && table->delimiter == ',' && is_thousands(cell->text, cell->length))
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%.*s' may be a thousand or a fraction; write it without a comma",
                                shown, cell->text);
    return arc_error_set_at(err, ARC_INPUT, at,
                            "'%.*s' is not a number; leave the cell empty where a value is missing",
                            shown, cell->text);
}
