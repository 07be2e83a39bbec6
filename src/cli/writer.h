/* Writes help once for two readers: as text of 80 columns, and as a manual page (roff, the macros
 * of man(7)).
 *
 * Words are plain text. What stands in backquotes is typed as it is: text keeps the quotes, a page
 * sets it bold. Nothing in them is a command to roff.
 */
#ifndef ARC_CLI_WRITER_H
#define ARC_CLI_WRITER_H

#include <stdbool.h>
#include <stdio.h>

typedef struct ArcWriter {
    FILE *stream;
    bool is_man;
    int column;        /* of text: where the words of items begin */
    bool is_separated; /* a heading or nothing stands before: no paragraph need be begun */
} ArcWriter;

/* The head of a page: its name and what it is in one line; section of the manual. */
void arc_writer_title(ArcWriter *writer, const char *name, int section, const char *doc);

/* "Options"; a page has it in capitals. */
void arc_writer_heading(ArcWriter *writer, const char *heading);

/* A heading below those. */
void arc_writer_subheading(ArcWriter *writer, const char *heading);

/* Paragraphs, which an empty line parts and whose own lines are joined; lines that begin with
 * blanks stand as they are; a line "# Words" is a subheading. */
void arc_writer_words(ArcWriter *writer, const char *words);

/* A term and what it is, in one line or several; in a row of such. */
void arc_writer_item(ArcWriter *writer, const char *term, const char *words);

/* What a command is typed as: bold words, in italics what stands for others (in capitals). */
void arc_writer_synopsis(ArcWriter *writer, const char *usage);

#endif
