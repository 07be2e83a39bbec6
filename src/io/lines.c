/* Lines are cut after their lengths were checked, so that what follows counts in int. */
#include "io/lines.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static ArcStatus lines_count(const ArcPart *part, int *n_lines, ArcError *err)
{
    size_t length = 0;
    int n = 1;
    for (size_t i = 0; i < part->size; i++) {
        char c = part->text[i];
        bool is_end =
            c == '\n' || (c == '\r' && (i + 1 == part->size || part->text[i + 1] != '\n'));
        length = is_end ? 0 : length + 1;
        n += is_end;
        if (length > ARC_LINES_MAX_BYTES || n > ARC_LINES_MAX)
            return arc_error_set_at(err, ARC_INPUT,
                                    (ArcPlace){part->file, part->first_line + n - 1, 1},
                                    "%s: at most %d lines of %d bytes",
                                    n > ARC_LINES_MAX ? "too many lines" : "line too long",
                                    ARC_LINES_MAX, ARC_LINES_MAX_BYTES);
    }
    *n_lines = n;
    return ARC_OK;
}

ArcStatus arc_lines_cut(const ArcPart *part, ArcArena *arena, ArcLine **lines, int *n,
                        ArcError *err)
{
    int n_lines = 0, used = 0, number = part->first_line - 1;
    ArcStatus status = lines_count(part, &n_lines, err);
    if (status != ARC_OK)
        return status;
    ArcLine *cut = ARC_ALLOC(arena, (size_t)n_lines, ArcLine);
    if (cut == NULL)
        return arc_error_no_memory(err);
    const char *end = part->text + part->size;
    for (const char *start = part->text; start < end;) {
        const char *stop = start, *first = start;
        while (stop < end && *stop != '\n' && *stop != '\r')
            stop++;
        while (first < stop && is_blank(*first))
            first++;
        number++;
        if (first < stop)
            cut[used++] = (ArcLine){start, (int)(stop - start), number};
        start = stop + 1;
        if (start < end && stop[0] == '\r' && stop[1] == '\n')
            start++;
    }
    *lines = cut;
    *n = used;
    return ARC_OK;
}

bool arc_line_is_comment(const ArcLine *line)
{
    int i = 0;
    while (i < line->length && is_blank(line->start[i]))
        i++;
    return i < line->length && line->start[i] == '#';
}

int arc_cursor_column(ArcCursor *cursor, int i)
{
    if (!cursor->counts_characters)
        return i + 1;
    for (; cursor->counted < i; cursor->counted++)
        cursor->inner += ((unsigned char)cursor->line.start[cursor->counted] & 0xc0) == 0x80;
    return i + 1 - cursor->inner;
}

static bool is_at_delimiter(const ArcCursor *cursor, int i)
{
    const char *at = cursor->line.start + i, *delimiter = cursor->delimiter.text;
    if (cursor->delimiter.merges_blanks)
        return is_blank(*at);
    if (*at != *delimiter)
        return false;
    size_t length = strlen(delimiter);
    return length == 1 ||
           ((size_t)(cursor->line.length - i) >= length && memcmp(at, delimiter, length) == 0);
}

/* Where blanks that belong to no cell end. */
static int skip_blanks(const ArcCursor *cursor, int i)
{
    bool merges = cursor->delimiter.merges_blanks;
    while (i < cursor->line.length && is_blank(cursor->line.start[i]) &&
           (merges || !is_at_delimiter(cursor, i)))
        i++;
    return i;
}

/* A cell in quotes that begin at i; gives where it ends, -1 where the quote has no end. Doubled
 * quotes stay doubled: no number holds one, and a header's name is compared as it stands. */
static int quoted_cell(const ArcCursor *cursor, int i, ArcCell *cell)
{
    const ArcLine *line = &cursor->line;
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

static bool refuse(ArcCursor *cursor, int column, const char *what, ArcStatus *status,
                   ArcError *err)
{
    ArcPlace at = {cursor->file, cursor->line.number, column};
    *status = arc_error_set_at(err, ARC_INPUT, at, "%s", what);
    return false;
}

bool arc_cursor_next(ArcCursor *cursor, ArcCell *cell, ArcStatus *status, ArcError *err)
{
    const ArcLine *line = &cursor->line;
    if (cursor->position < 0)
        return false;
    int i = skip_blanks(cursor, cursor->position);
    if (cursor->delimiter.merges_blanks && i >= line->length && cursor->position > 0)
        return false;
    *cell = (ArcCell){line->start + i, 0, line->number, arc_cursor_column(cursor, i), false};
    if (i < line->length && line->start[i] == '"') {
        i = quoted_cell(cursor, i, cell);
        if (i < 0)
            return refuse(cursor, cell->column, "quote without its end on the same line", status,
                          err);
        if (!cursor->delimiter.merges_blanks)
            i = skip_blanks(cursor, i);
        if (i < line->length && !is_at_delimiter(cursor, i))
            return refuse(cursor, arc_cursor_column(cursor, i),
                          "text behind a closing quote; a separator must stand here", status, err);
    } else {
        while (i < line->length && !is_at_delimiter(cursor, i))
            i++;
        cell->length = (int)(line->start + i - cell->text);
    }
    while (cell->length > 0 && is_blank(cell->text[cell->length - 1]))
        cell->length--;
    int step = cursor->delimiter.merges_blanks ? 1 : (int)strlen(cursor->delimiter.text);
    cursor->position = i < line->length ? i + step : -1;
    return true;
}

ArcStatus arc_cursor_cells(ArcCursor cursor, ArcArena *arena, ArcCell **cells, int *n,
                           ArcError *err)
{
    ArcStatus status = ARC_OK;
    ArcCell cell;
    ArcCursor counter = cursor;
    *n = 0;
    while (arc_cursor_next(&counter, &cell, &status, err))
        (*n)++;
    if (status != ARC_OK)
        return status;
    *cells = ARC_ALLOC(arena, (size_t)*n, ArcCell);
    if (*cells == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < *n; i++)
        arc_cursor_next(&cursor, &(*cells)[i], &status, err);
    return status;
}
