/* A table of an arm, rows of which belong to flights: that of a swing, and that of readings.
 *
 * A column `flight` tells the flight of a row by its number, as the flight's own file counts it, or
 * by the name of the flight's file, with its ending or without.
 */
#ifndef ARC_CAPTURE_ARM_TABLE_H
#define ARC_CAPTURE_ARM_TABLE_H

#include "arcfit/capture.h"
#include "base/arena.h"
#include "capture/headings.h"
#include "capture/notes.h"

typedef struct ArcArmTable {
    ArcTable table;
    ArcPlace from;       /* where the experiment names it */
    ArcHeading *heading; /* (n_columns) */
    bool *is_known;      /* (n_columns) */
    bool *is_taken;      /* (n_rows) by some flight */
    int flight;          /* column; -1: there is none */
} ArcArmTable;

/* Reads the file, gzipped or not, and its headings; arena keeps them. ARC_INPUT: what the reader of
 * delimited text refuses; no header; no rows; two columns `flight`. */
ArcStatus arc_arm_table_read(const char *path, ArcPlace from, ArcArena *arena, ArcArmTable *read,
                             ArcError *err);

/* The rows of the capture's flight: their indices into rows (n_rows), n of them; all without a
 * column `flight`. ARC_INPUT at a row that does not tell its flight. */
ArcStatus arc_arm_table_rows(ArcArmTable *read, const ArcCapture *capture, int *rows, int *n,
                             ArcError *err);

/* The cell, and its number in SI; NaN: missing. ARC_INPUT at the cell: no number, or too large. */
const ArcCell *arc_arm_table_cell(const ArcArmTable *read, int row, int column);
ArcStatus arc_arm_table_number(const ArcArmTable *read, int row, int column, double *value,
                               ArcError *err);

/* Checks that column is of the kind and no earlier one has its name. */
ArcStatus arc_arm_table_take(ArcArmTable *read, int column, ArcHeadingKind kind, ArcError *err);

/* Notes the columns that nobody took. */
void arc_arm_table_note(const ArcArmTable *read, ArcNotes *notes);

/* Rows (n) of a table that are one flight's. */
typedef struct ArcSwingReading {
    const ArcCaptureSettings *settings;
    ArcArmTable *read;
    int n;
    const int *rows;
    ArcArena *scratch, *arena; /* the second keeps the swing */
} ArcSwingReading;

/* The table of a swing; read_swing.c. Which columns are what, once for all flights: ARC_INPUT at
 * the header. Then the swing of one; NULL: none of its rows has a number. */
ArcStatus arc_swing_find_columns(const ArcCaptureSettings *settings, ArcArmTable *read,
                                 ArcError *err);
ArcStatus arc_swing_read(const ArcSwingReading *reading, const ArcSwing **swing, ArcError *err);

/* The same of the table of readings; read_readings.c. */
ArcStatus arc_readings_find_columns(const ArcCaptureSettings *settings, ArcArmTable *read,
                                    ArcError *err);
ArcStatus arc_readings_read(const ArcSwingReading *reading, int *n, const ArcReading **readings,
                            ArcError *err);

#endif
