/* A cell of delimited text, and what stands in it.
 *
 * A number has a decimal point, or a decimal comma where a comma does not part the cells or the
 * cell is quoted; U+2212 is a minus as well. Missing are the empty cell, "-", and NaN, NA, null in
 * any case. Thousands separators are no part of a number. No locale has a say.
 */
#ifndef ARC_IO_CELL_H
#define ARC_IO_CELL_H

#include <stdbool.h>

/* Without the quotes and the blanks around it; not terminated. line and column count from 1;
 * columns in bytes behind the byte-order mark, or in characters where the file is not UTF-8
 * (encoding.h). */
typedef struct ArcCell {
    const char *text;
    int length;
    int line;
    int column;
    bool is_quoted;
} ArcCell;

typedef enum ArcCellKind {
    ARC_CELL_NUMBER,
    ARC_CELL_MISSING,
    ARC_CELL_INFINITE, /* or beyond a double's range */
    ARC_CELL_TEXT
} ArcCellKind;

/* How a number writes its fraction. */
typedef enum ArcCellMark { ARC_CELL_NO_MARK, ARC_CELL_POINT, ARC_CELL_COMMA } ArcCellMark;

/* What the cell is; value is set for a number only. parted_by_comma: a comma separates cells. */
ArcCellKind arc_cell_kind(const ArcCell *cell, bool parted_by_comma, double *value);

/* The mark of a cell that is a number. */
ArcCellMark arc_cell_mark(const ArcCell *cell);

/* 1,234 where a comma separates cells: a thousand, or one and a bit. */
bool arc_cell_is_thousand(const ArcCell *cell);

/* Digits in groups of three, by a comma, a point, a blank of any width, an apostrophe or '_'. */
bool arc_cell_is_grouped(const ArcCell *cell);

/* How a number is written: -0,00125E-2 has 5 decimals, exponent -2 and 3 significant digits. */
typedef struct ArcCellForm {
    int decimals, exponent, digits;
} ArcCellForm;

/* False where the cell holds no number. */
bool arc_cell_form(const ArcCell *cell, ArcCellForm *form);

/* Whether the cell holds that name; letters of a to z in any case for the second. */
bool arc_cell_is(const ArcCell *cell, const char *name);
bool arc_cell_is_like(const ArcCell *cell, const char *name);

/* c in lower case where it is one of A to Z, in every locale. */
char arc_cell_lower(char c);

#endif
