/* Delimited text (CSV and its relatives) as a table of cells that know their place.
 *
 * What is read: UTF-8 with or without a byte-order mark; lines ended by CR LF, LF or CR; cells
 * separated by tab, semicolon, comma or runs of spaces; cells in double quotes ("" for a quote
 * inside); one empty cell behind a trailing separator. Blank lines and lines that begin with '#'
 * are skipped. The lines above the first row with a number are titles, and the last of them is the
 * header; a file may have none.
 *
 * Numbers have a decimal point, or a decimal comma where the separator is not the comma or the cell
 * is quoted; U+2212 is a minus as well. Thousands separators are refused.
 */
#ifndef ARC_IO_DELIMITED_H
#define ARC_IO_DELIMITED_H

#include "arcfit/error.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum { ARC_DELIMITED_MAX_LINE_BYTES = 1 << 20, ARC_DELIMITED_MAX_CELLS = 10000000 };

/* Without the quotes and the blanks around it; not terminated. line and column count from 1,
 * columns in bytes behind the byte-order mark. */
typedef struct ArcCell {
    const char *text;
    int length;
    int line;
    int column;
    bool is_quoted;
} ArcCell;

/* Every row has n_columns cells. header is NULL where the file has none. */
typedef struct ArcTable {
    const char *file; /* borrowed, for messages */
    char delimiter;
    int n_rows;
    int n_columns;
    const ArcCell *header; /* (n_columns) */
    const ArcCell *cells;  /* (n_rows, n_columns) row-major */
} ArcTable;

/* Reads a whole file that stands in memory; file is its name in messages. delimiter 0: found from
 * the rows below the header. The table points into bytes and into the arena, which must outlive it.
 * ARC_INPUT with file:line:column: empty, binary, not UTF-8, a line over 1 MB, too many lines or
 * cells, a quote without its end, a row with another number of cells than the header. ARC_MEMORY.
 */
ArcStatus arc_delimited_read(const char *file, const char *bytes, size_t size, char delimiter,
                             ArcArena *arena, ArcTable *table, ArcError *err);

/* The cell's number; NaN for a missing one (empty, -, and NaN, NA, null in any case).
 * ARC_INPUT at the cell: text, infinity, overflow. */
ArcStatus arc_delimited_number(const ArcTable *table, const ArcCell *cell, double *value,
                               ArcError *err);

/* The cell's place in the table's file. */
ArcPlace arc_delimited_place(const ArcTable *table, const ArcCell *cell);

/* How many bytes of text to show in a message: at most 40, never half a character. */
int arc_delimited_shown(const char *text, int length);

#endif
