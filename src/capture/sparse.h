/* DLTdv's sparse tables: a title, `rows columns entries`, then `row column value` (from 1), by
 * tabs.
 *
 * What is not in the table is missing; an exact zero cannot be stored.
 */
#ifndef ARC_CAPTURE_SPARSE_H
#define ARC_CAPTURE_SPARSE_H

#include "arcfit/error.h"
#include "base/arena.h"

#include <stddef.h>

typedef struct ArcSparseEntry {
    int row, column; /* from 1 */
    double value;
    int line;
} ArcSparseEntry;

typedef struct ArcSparse {
    const char *title;
    int n_rows, n_columns, n;
    ArcSparseEntry *entries; /* by row, then by column */
} ArcSparse;

/* A whole file in memory. ARC_INPUT with its place: text for a number, a place outside the table,
 * an entry given twice, fewer or more entries than told. ARC_MEMORY. */
ArcStatus arc_sparse_read(const char *file, const char *bytes, size_t size, ArcArena *arena,
                          ArcSparse *sparse, ArcError *err);

/* 0 where nothing is stored. */
double arc_sparse_value(const ArcSparse *sparse, int row, int column);

#endif
