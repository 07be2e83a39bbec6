/* A text's lines, and the cells of a line.
 *
 * Lines end with CR LF, LF or CR. Cells are parted by a delimiter of one character or more, or by
 * runs of blanks; they may stand in double quotes ("" for a quote inside), and blanks around them
 * are no part of them.
 */
#ifndef ARC_IO_LINES_H
#define ARC_IO_LINES_H

#include "arcfit/error.h"
#include "base/arena.h"
#include "io/cell.h"

#include <stdbool.h>
#include <stddef.h>

enum { ARC_LINES_MAX_BYTES = 1 << 20, ARC_LINES_MAX = 10000000 };

/* A text, or the part of a file that begins at first_line. */
typedef struct ArcPart {
    const char *file; /* for messages */
    const char *text; /* UTF-8 */
    size_t size;
    int first_line;
    bool counts_characters; /* columns count characters, not bytes */
} ArcPart;

/* Without its end; number counts from 1 in the file. */
typedef struct ArcLine {
    const char *start;
    int length;
    int number;
} ArcLine;

/* What parts the cells. */
typedef struct ArcDelimiter {
    const char *text;   /* at least one byte, none of them a quote */
    bool merges_blanks; /* runs of blanks, whatever the text is */
} ArcDelimiter;

/* Walks over the cells of a line; zero but for the first four when it begins. */
typedef struct ArcCursor {
    const char *file;
    ArcLine line;
    ArcDelimiter delimiter;
    bool counts_characters;
    int position; /* of the next cell; -1 behind the last */
    int counted;  /* bytes of the line looked at, and those of them that begin no character */
    int inner;
} ArcCursor;

/* The part's lines that are not blank, into the arena. ARC_INPUT at the line: longer or more than
 * the limits. ARC_MEMORY. */
ArcStatus arc_lines_cut(const ArcPart *part, ArcArena *arena, ArcLine **lines, int *n,
                        ArcError *err);

/* Whether the line's first character that is no blank is '#'. */
bool arc_line_is_comment(const ArcLine *line);

/* The next cell; false behind the last one, and where *status is not ARC_OK: ARC_INPUT for a quote
 * without its end or text behind one. */
bool arc_cursor_next(ArcCursor *cursor, ArcCell *cell, ArcStatus *status, ArcError *err);

/* The column of the line's byte i, which never falls from call to call. */
int arc_cursor_column(ArcCursor *cursor, int i);

/* All cells from the cursor on, into the arena. What arc_cursor_next refuses; ARC_MEMORY. */
ArcStatus arc_cursor_cells(ArcCursor cursor, ArcArena *arena, ArcCell **cells, int *n,
                           ArcError *err);

#endif
