/* Delimited text (CSV and its relatives) as a table of cells that know their place.
 *
 * What is read: any encoding of encoding.h; lines ended by CR LF, LF or CR; cells separated by tab,
 * semicolon, comma, '|' or runs of blanks, or by a text that the caller names; cells in double
 * quotes ("" for a quote inside); one empty cell behind a trailing separator. Blank lines and lines
 * that begin with '#' are skipped. The header is the line of words with as many cells as the line
 * with numbers below it; lines above it are titles, whatever they hold. A file may have none.
 *
 * One table has decimal points or decimal commas, not both. What a number is: cell.h.
 */
#ifndef ARC_IO_DELIMITED_H
#define ARC_IO_DELIMITED_H

#include "arcfit/error.h"
#include "base/arena.h"
#include "io/cell.h"
#include "io/lines.h"

#include <stdbool.h>
#include <stddef.h>

enum { ARC_DELIMITED_MAX_CELLS = 10000000, ARC_DELIMITED_MAX_TITLES = 16 };

/* A line above the rows, with as many cells as it has. */
typedef struct ArcTitle {
    const ArcCell *cells;
    int n_cells;
} ArcTitle;

/* Every row has n_columns cells. header is NULL where the file has none. */
typedef struct ArcTable {
    const char *file; /* borrowed, for messages */
    ArcDelimiter delimiter;
    int n_rows;
    int n_columns;
    int n_titles;           /* the last ARC_DELIMITED_MAX_TITLES at most */
    const ArcTitle *titles; /* (n_titles); the last one is the header */
    const ArcCell *header;  /* (n_columns) */
    const ArcCell *cells;   /* (n_rows, n_columns) row-major */
} ArcTable;

/* Where the header stands: found, nowhere, or at a line of the file. */
enum { ARC_HEADER_FOUND = -1, ARC_HEADER_NONE = 0 };

/* A text, and what is known of it. */
typedef struct ArcDelimited {
    ArcPart part;
    ArcDelimiter delimiter; /* its text NULL: found from the rows */
    int header_line;        /* ARC_HEADER_FOUND, ARC_HEADER_NONE, or the line's number; then all
                             * above it are titles, whatever they begin with */
    const char *advice; /* against decimal commas that nothing can tell apart; NULL: the usual */
} ArcDelimited;

/* Reads a whole file that stands in memory, in any encoding; file is its name in messages. The
 * delimiter is found from the rows below the header. The table points into bytes and into the
 * arena, which must outlive it. ARC_INPUT with file:line:column: empty, binary, damaged, and what
 * arc_delimited_read_text refuses. ARC_MEMORY. */
ArcStatus arc_delimited_read(const char *file, const char *bytes, size_t size, ArcArena *arena,
                             ArcTable *table, ArcError *err);

/* The same of text that is decoded already. ARC_INPUT: nothing in it, a line over 1 MB, too many
 * lines or cells, a quote without its end, a row with another number of cells than the header,
 * decimal commas and decimal points. */
ArcStatus arc_delimited_read_text(const ArcDelimited *request, ArcArena *arena, ArcTable *table,
                                  ArcError *err);

/* The cell's number; NaN for a missing one. ARC_INPUT at the cell: text, infinity, overflow,
 * thousands separators. */
ArcStatus arc_delimited_number(const ArcTable *table, const ArcCell *cell, double *value,
                               ArcError *err);

/* The cell's place in the table's file. */
ArcPlace arc_delimited_place(const ArcTable *table, const ArcCell *cell);

/* How many bytes of text to show in a message: at most 40, never half a character. */
int arc_delimited_shown(const char *text, int length);

#endif
