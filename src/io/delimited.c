/* The one reader of delimited text. The text is cut into lines, then the separator and the header
 * are found, then the lines are cut into cells.
 *
 * The separator is the candidate whose cells are numbers most often in the first rows below the
 * titles, since a header may hold any of them ("Time (ms), X"). */
#include "io/delimited.h"

#include "io/encoding.h"

#include <math.h>
#include <string.h>

enum { SNIFF_LINES = 50, SHOWN_BYTES = 40 };

static const ArcDelimiter candidates[] = {
    {"\t", false}, {";", false}, {",", false}, {" ", true}, {"|", false}};

/* The lines that hold something, and how they are cut. */
typedef struct Sheet {
    const ArcDelimited *request;
    ArcDelimiter delimiter;
    int n;
    const ArcLine *lines;
} Sheet;

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

static bool is_comma(ArcDelimiter delimiter)
{
    return strcmp(delimiter.text, ",") == 0;
}

static ArcCursor cursor_at(const Sheet *sheet, int line)
{
    const ArcPart *part = &sheet->request->part;
    return (ArcCursor){.file = part->file,
                       .line = sheet->lines[line],
                       .delimiter = sheet->delimiter,
                       .counts_characters = part->counts_characters};
}

/* What a line's cells are. */
typedef struct Tally {
    int n, n_numbers, n_missing, n_words, n_others;
    bool is_last_empty; /* nothing behind the last separator */
    bool is_broken;     /* a quote */
} Tally;

static Tally line_tally(const Sheet *sheet, int line)
{
    ArcCursor cursor = cursor_at(sheet, line);
    ArcStatus status = ARC_OK;
    ArcCell cell;
    Tally tally = {0};
    double value;
    while (arc_cursor_next(&cursor, &cell, &status, NULL)) {
        ArcCellKind kind = arc_cell_kind(&cell, is_comma(sheet->delimiter), &value);
        bool is_word = kind == ARC_CELL_TEXT && strchr("+-.0123456789", cell.text[0]) == NULL;
        tally.n++;
        tally.n_words += is_word;
        tally.n_others += kind == ARC_CELL_TEXT && !is_word;
        tally.n_missing += kind == ARC_CELL_MISSING;
        tally.n_numbers += kind == ARC_CELL_NUMBER || kind == ARC_CELL_INFINITE;
        tally.is_last_empty = cell.length == 0 && !cell.is_quoted;
    }
    tally.is_broken = status != ARC_OK;
    return tally;
}

/* Whether the line is a title or a header: words, and no number; below the first line no failed
 * number either, since that is a damaged row. */
static bool tally_is_title(const Tally *tally, bool is_first)
{
    return tally->n_numbers == 0 && tally->n_words > 0 && (is_first || tally->n_others == 0);
}

/* Whether rows like the second one may stand below a header like the first one: as many cells, but
 * for one that is empty behind a trailing separator. */
static bool tally_fits(const Tally *header, const Tally *row)
{
    return header->n == row->n || (header->n == row->n + 1 && header->is_last_empty) ||
           (row->n == header->n + 1 && row->is_last_empty);
}

/* How well the line reads; where the delimiter stands nowhere it cannot be the one. */
static int line_score(const Sheet *sheet, int line)
{
    Tally tally = line_tally(sheet, line);
    int score = tally.n_numbers - 2 * (tally.n_words + tally.n_others);
    if (tally.is_broken)
        return score - 2;
    return tally.n >= 2 ? score : -2 * sheet->lines[line].length;
}

/* Whether a title's first cell is a word, whatever the separator is. */
static bool line_begins_with_word(const ArcLine *line)
{
    int i = 0;
    while (i < line->length && strchr(" \t,;|\"", line->start[i]) != NULL)
        i++;
    return i < line->length && strchr("+-.0123456789\xe2", line->start[i]) == NULL;
}

static ArcDelimiter delimiter_find(const Sheet *sheet)
{
    int first = 0;
    while (first < sheet->n && line_begins_with_word(&sheet->lines[first]))
        first++;
    if (first == sheet->n)
        first = 0;
    int last = sheet->n - first < SNIFF_LINES ? sheet->n : first + SNIFF_LINES;
    long best = 0;
    ArcDelimiter delimiter = {NULL, false};
    for (size_t c = 0; c < sizeof candidates / sizeof candidates[0]; c++) {
        Sheet attempt = *sheet;
        long score = 0;
        attempt.delimiter = candidates[c];
        for (int i = first; i < last; i++)
            score += line_score(&attempt, i);
        if (delimiter.text == NULL || score > best) {
            best = score;
            delimiter = candidates[c];
        }
    }
    return delimiter;
}

/* How many lines stand above the rows. */
static int titles_count(const Sheet *sheet)
{
    int header_line = sheet->request->header_line, n = 0;
    if (header_line != ARC_HEADER_FOUND) {
        while (n < sheet->n && sheet->lines[n].number <= header_line)
            n++;
        return n;
    }
    for (int i = 0; i + 1 < sheet->n && i < ARC_DELIMITED_MAX_TITLES; i++) {
        Tally tally = line_tally(sheet, i), next = line_tally(sheet, i + 1);
        if (tally.n_numbers > 0 && tally.n_words + tally.n_others == 0)
            break;
        if (tally_is_title(&tally, i == 0) && !tally_is_title(&next, false) &&
            tally_fits(&tally, &next))
            return i + 1;
    }
    for (; n < sheet->n; n++) {
        Tally tally = line_tally(sheet, n);
        if (!tally_is_title(&tally, n == 0))
            break;
    }
    return n;
}

static bool is_all_digits(const ArcCell *cell, bool with_exponent)
{
    int i = 0;
    while (i < cell->length && cell->text[i] >= '0' && cell->text[i] <= '9')
        i++;
    bool has_exponent = i > 0 && i < cell->length && arc_cell_lower(cell->text[i]) == 'e';
    return !cell->is_quoted && i > 0 && (i == cell->length || (with_exponent && has_exponent));
}

/* The first pair of cells that looks like one number with a decimal comma; -1 for none. Two whole
 * numbers prove nothing unless every cell of the row is doubled. */
static int find_decimal_comma(const ArcTable *table, int n, const ArcCell *cells)
{
    for (int i = 0; is_comma(table->delimiter) && i + 1 < n; i++) {
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

static ArcStatus wrong_count(const ArcTable *table, const Sheet *sheet, int line, ArcArena *arena,
                             ArcError *err)
{
    ArcCell *cells;
    int n;
    ArcCursor cursor = cursor_at(sheet, line);
    const char *advice = sheet->request->advice;
    ArcStatus status = arc_cursor_cells(cursor, arena, &cells, &n, err);
    if (status != ARC_OK)
        return status;
    int pair = n > table->n_columns ? find_decimal_comma(table, n, cells) : -1;
    if (pair >= 0) {
        int length = cells[pair].length + 1 + cells[pair + 1].length;
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, &cells[pair]),
                                "'%.*s' is not a number in a comma-separated file; decimal commas "
                                "need another separator%s",
                                arc_delimited_shown(cells[pair].text, length), cells[pair].text,
                                advice != NULL ? advice : "");
    }
    int column = n > table->n_columns ? cells[table->n_columns].column
                                      : arc_cursor_column(&cursor, cursor.line.length);
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){table->file, cursor.line.number, column},
                            "%d cell%s where the %s has %d; every row must have as many", n,
                            n == 1 ? "" : "s", table->header != NULL ? "header" : "first row",
                            table->n_columns);
}

/* One row; a single empty cell more than the columns is a trailing separator. */
static ArcStatus row_read(const ArcTable *table, const Sheet *sheet, int line, ArcArena *arena,
                          ArcCell *row, ArcError *err)
{
    ArcCursor cursor = cursor_at(sheet, line);
    ArcStatus status = ARC_OK;
    ArcCell cell;
    int n = 0;
    bool is_extra_empty = true;
    while (arc_cursor_next(&cursor, &cell, &status, err)) {
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
    return wrong_count(table, sheet, line, arena, err);
}

/* The titles' cells; a line whose quotes are broken is an empty one, unless it is the header. */
static ArcStatus titles_read(const Sheet *sheet, int n_titles, ArcArena *arena, ArcTable *table,
                             ArcError *err)
{
    int first = n_titles > ARC_DELIMITED_MAX_TITLES ? n_titles - ARC_DELIMITED_MAX_TITLES : 0;
    ArcTitle *titles = ARC_ALLOC(arena, (size_t)(n_titles - first), ArcTitle);
    if (titles == NULL)
        return arc_error_no_memory(err);
    for (int i = first; i < n_titles; i++) {
        ArcCell *cells = NULL;
        int n = 0;
        ArcStatus status = arc_cursor_cells(cursor_at(sheet, i), arena, &cells, &n, err);
        if (status == ARC_MEMORY || (status != ARC_OK && i == n_titles - 1))
            return status;
        if (status != ARC_OK) {
            cells = ARC_ALLOC(arena, 1, ArcCell);
            if (cells == NULL)
                return arc_error_no_memory(err);
            *cells = (ArcCell){.text = "", .line = sheet->lines[i].number, .column = 1};
            n = 1;
        }
        titles[i - first] = (ArcTitle){cells, n};
    }
    table->n_titles = n_titles - first;
    table->titles = titles;
    if (n_titles == 0)
        return ARC_OK;
    table->header = titles[table->n_titles - 1].cells;
    table->n_columns = titles[table->n_titles - 1].n_cells;
    if (table->n_columns > 1 && table->header[table->n_columns - 1].length == 0)
        table->n_columns--;
    return ARC_OK;
}

/* One kind of decimal mark in the whole table; the first cell with the other one is refused. */
static ArcStatus marks_check(const ArcTable *table, ArcError *err)
{
    const ArcCell *first[3] = {NULL, NULL, NULL};
    size_t n = (size_t)table->n_rows * (size_t)table->n_columns;
    double value;
    for (int mark = ARC_CELL_COMMA; mark >= ARC_CELL_POINT; mark--) {
        bool may_stand = mark == ARC_CELL_POINT || !is_comma(table->delimiter);
        for (size_t i = 0; i < n && first[mark] == NULL; i++) {
            const ArcCell *cell = &table->cells[i];
            if ((may_stand || cell->is_quoted) && (int)arc_cell_mark(cell) == mark &&
                arc_cell_kind(cell, is_comma(table->delimiter), &value) == ARC_CELL_NUMBER)
                first[mark] = cell;
        }
        if (first[mark] == NULL)
            return ARC_OK;
    }
    bool is_comma_first = first[ARC_CELL_COMMA] < first[ARC_CELL_POINT];
    const ArcCell *one = first[is_comma_first ? ARC_CELL_COMMA : ARC_CELL_POINT];
    const ArcCell *other = first[is_comma_first ? ARC_CELL_POINT : ARC_CELL_COMMA];
    return arc_error_set_at(
        err, ARC_INPUT, arc_delimited_place(table, other),
        "'%.*s' has a decimal %s, but '%.*s' in line %d a decimal %s; write all "
        "numbers of a file in one way",
        arc_delimited_shown(other->text, other->length), other->text,
        is_comma_first ? "point" : "comma", arc_delimited_shown(one->text, one->length), one->text,
        one->line, is_comma_first ? "comma" : "point");
}

static ArcStatus table_fill(const Sheet *sheet, ArcArena *arena, ArcTable *table, ArcError *err)
{
    int n_titles = titles_count(sheet);
    ArcStatus status = titles_read(sheet, n_titles, arena, table, err);
    if (status == ARC_OK && n_titles == 0)
        table->n_columns = line_tally(sheet, 0).n;
    if (status != ARC_OK)
        return status;
    if (n_titles == 0 && line_tally(sheet, 0).is_broken) {
        ArcCell *cells;
        return arc_cursor_cells(cursor_at(sheet, 0), arena, &cells, &table->n_columns, err);
    }
    table->n_rows = sheet->n - n_titles;
    size_t n_columns = (size_t)table->n_columns;
    if ((size_t)table->n_rows * n_columns > ARC_DELIMITED_MAX_CELLS)
        return arc_error_set_at(err, ARC_INPUT,
                                (ArcPlace){table->file, sheet->request->part.first_line, 1},
                                "%d rows of %d cells are too many: at most %d cells are read",
                                table->n_rows, table->n_columns, ARC_DELIMITED_MAX_CELLS);
    ArcCell *cells = arc_arena_alloc(arena, (size_t)table->n_rows * n_columns, sizeof *cells);
    if (cells == NULL)
        return arc_error_no_memory(err);
    table->cells = cells;
    for (int i = 0; i < table->n_rows && status == ARC_OK; i++)
        status = row_read(table, sheet, n_titles + i, arena, cells + (size_t)i * n_columns, err);
    return status == ARC_OK ? marks_check(table, err) : status;
}

ArcStatus arc_delimited_read_text(const ArcDelimited *request, ArcArena *arena, ArcTable *table,
                                  ArcError *err)
{
    const ArcPart *part = &request->part;
    ArcLine *lines;
    int n_all, n = 0;
    ArcStatus status = arc_lines_cut(part, arena, &lines, &n_all, err);
    if (status != ARC_OK)
        return status;
    for (int i = 0; i < n_all; i++) {
        if (lines[i].number <= request->header_line || !arc_line_is_comment(&lines[i]))
            lines[n++] = lines[i];
    }
    if (n == 0)
        return arc_error_set_at(
            err, ARC_INPUT, (ArcPlace){part->file, part->first_line, 1}, "%s",
            part->size == 0 ? "empty file" : "nothing but blank lines and comments in this file");
    Sheet sheet = {request, request->delimiter, n, lines};
    if (sheet.delimiter.text == NULL)
        sheet.delimiter = delimiter_find(&sheet);
    ArcTable result = {.file = part->file, .delimiter = sheet.delimiter};
    status = table_fill(&sheet, arena, &result, err);
    if (status == ARC_OK)
        *table = result;
    return status;
}

ArcStatus arc_delimited_read(const char *file, const char *bytes, size_t size, ArcArena *arena,
                             ArcTable *table, ArcError *err)
{
    ArcDecoded decoded;
    ArcStatus status = arc_encoding_decode(file, bytes, size, arena, &decoded, err);
    if (status != ARC_OK)
        return status;
    const ArcDelimited request = {
        .part = {.file = file,
                 .text = decoded.text,
                 .size = decoded.size,
                 .first_line = 1,
                 .counts_characters = arc_encoding_counts_characters(decoded.encoding)},
        .header_line = ARC_HEADER_FOUND};
    return arc_delimited_read_text(&request, arena, table, err);
}

/* Why a cell that must hold a number holds none. */
static const char *text_advice(const ArcTable *table, const ArcCell *cell)
{
    if (cell->is_quoted && is_comma(table->delimiter) && arc_cell_is_thousand(cell))
        return "may be a thousand or a fraction; write it without a comma";
    if (arc_cell_is_grouped(cell))
        return "is not a number; write it without thousands separators";
    return "is not a number; leave the cell empty where a value is missing";
}

ArcStatus arc_delimited_number(const ArcTable *table, const ArcCell *cell, double *value,
                               ArcError *err)
{
    double number = NAN;
    ArcCellKind kind = arc_cell_kind(cell, is_comma(table->delimiter), &number);
    if (kind == ARC_CELL_NUMBER || kind == ARC_CELL_MISSING) {
        *value = kind == ARC_CELL_NUMBER ? number : NAN;
        return ARC_OK;
    }
    const char *why = kind == ARC_CELL_TEXT
                          ? text_advice(table, cell)
                          : "is infinite or too large for a number; leave the cell empty where a "
                            "value is missing";
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell), "'%.*s' %s",
                            arc_delimited_shown(cell->text, cell->length), cell->text, why);
}
