/* What readers of text tables share: the first lines of a file, columns by name, numbers within
 * bounds, and how coarsely they are written. */
#ifndef ARC_CAPTURE_SHEET_H
#define ARC_CAPTURE_SHEET_H

#include "capture/formats.h"
#include "io/delimited.h"

/* How the numbers of some cells are written: of each of these the most. Programs write all numbers
 * of a column in one way, but some leave zeros at the end out. */
typedef struct ArcRounding {
    bool has_any;
    ArcCellForm most;
} ArcRounding;

/* The file as text. ARC_INPUT: it is none. ARC_MEMORY. */
ArcStatus arc_sheet_part(const ArcSource *source, ArcPart *part, ArcError *err);

/* The first lines that are not blank, most of them at most; how many there are, 0 where the file is
 * no text. For detectors, which read no further. */
int arc_sheet_peek(const ArcSource *source, int most, ArcLine **lines);

/* What parts the cells of a header: the tab, semicolon, comma or '|' that stands in it most often
 * outside quotes, else blanks. */
ArcDelimiter arc_sheet_delimiter(const ArcLine *header);

/* The line's cells; 0 of them where its quotes are broken. For detectors. */
int arc_sheet_cells(const ArcSource *source, const ArcLine *line, ArcDelimiter delimiter,
                    ArcCell **cells);

/* Reads the file as a table below n_titles lines that are not blank, the last of which is the
 * header and tells the delimiter. What arc_delimited_read_text refuses; no header; no
 * rows. */
ArcStatus arc_sheet_read(const ArcSource *source, int n_titles, ArcTable *table, ArcError *err);

/* ARC_INPUT where the table has no header. */
ArcStatus arc_sheet_check_header(const ArcTable *table, ArcError *err);

/* ARC_INPUT at the header where no rows are below it. */
ArcStatus arc_sheet_check_rows(const ArcTable *table, ArcError *err);

/* The first column of that name, in any case; -1: none. */
int arc_sheet_column(int n, const ArcCell *cells, const char *name);

/* SI value of 1 of the unit of length that the cell names (reading.h); NaN: none. */
double arc_sheet_length_unit(const ArcCell *cell);

/* The table's cell. */
const ArcCell *arc_sheet_cell(const ArcTable *table, int row, int column);

/* arc_delimited_number, and refuses what is beyond ARC_POINTS_MOST. */
ArcStatus arc_sheet_number(const ArcTable *table, const ArcCell *cell, double *value,
                           ArcError *err);

/* The same of a frame: a whole number from 0 on, or missing. */
ArcStatus arc_sheet_frame(const ArcTable *table, const ArcCell *cell, double *frame, ArcError *err);

/* The same of a frame that may be told by its picture's file: 0004.jpg is 4. */
ArcStatus arc_sheet_picture(const ArcTable *table, const ArcCell *cell, double *frame,
                            ArcError *err);

/* Two or three coordinates of one point from columns[0..n): all of them or none, or ARC_INPUT at
 * the one that is missing. */
ArcStatus arc_sheet_point(const ArcTable *table, int row, int n, const int *columns, double *values,
                          ArcError *err);

/* Takes a cell's number into account. */
void arc_rounding_see(ArcRounding *rounding, const ArcCell *cell);

/* A note on positions of five significant digits or less, and the times' last digit for the
 * recorder.
 */
void arc_rounding_note(ArcRecorder *recorder, const ArcRounding *time, const ArcRounding *position);

#endif
