/* See sparse.h. */
#include "capture/sparse.h"

#include "io/delimited.h"
#include "io/encoding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE_LINE = 1, SIZE_LINE = 2, MOST = 1000000000 };

/* A whole number from least to most. */
static ArcStatus count_read(const ArcTable *table, const ArcCell *cell, int least, int *count,
                            ArcError *err)
{
    double value;
    ArcStatus status = arc_delimited_number(table, cell, &value, err);
    if (status != ARC_OK)
        return status;
    if (!(value >= least && value <= MOST) || value != floor(value))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                "'%.*s' is no whole number from %d on",
                                arc_delimited_shown(cell->text, cell->length), cell->text, least);
    *count = (int)value;
    return ARC_OK;
}

static int by_place(const void *a, const void *b)
{
    const ArcSparseEntry *left = a, *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    return (left->column > right->column) - (left->column < right->column);
}

static ArcStatus entry_read(const ArcTable *table, int i, const ArcSparse *sparse,
                            ArcSparseEntry *entry, ArcError *err)
{
    const ArcCell *cells = &table->cells[(size_t)i * 3];
    entry->line = cells[0].line;
    ArcStatus status = count_read(table, &cells[0], 1, &entry->row, err);
    if (status == ARC_OK)
        status = count_read(table, &cells[1], 1, &entry->column, err);
    if (status == ARC_OK)
        status = arc_delimited_number(table, &cells[2], &entry->value, err);
    if (status == ARC_OK && (entry->row > sparse->n_rows || entry->column > sparse->n_columns))
        status = arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, &cells[0]),
                                  "row %d, column %d lies outside the table of %d rows and %d "
                                  "columns (line %d)",
                                  entry->row, entry->column, sparse->n_rows, sparse->n_columns,
                                  SIZE_LINE);
    return status;
}

static ArcStatus entries_read(const ArcTable *table, int told, ArcArena *arena, ArcSparse *sparse,
                              ArcError *err)
{
    sparse->n = table->n_rows;
    sparse->entries = ARC_ALLOC(arena, (size_t)sparse->n, ArcSparseEntry);
    if (sparse->entries == NULL)
        return arc_error_no_memory(err);
    if (sparse->n != told)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){table->file, SIZE_LINE, 1},
                                "%d entries are told and %d are there; the file is %s", told,
                                sparse->n, sparse->n < told ? "cut short" : "damaged");
    for (int i = 0; i < sparse->n; i++) {
        ArcStatus status = entry_read(table, i, sparse, &sparse->entries[i], err);
        if (status != ARC_OK)
            return status;
    }
    qsort(sparse->entries, (size_t)sparse->n, sizeof *sparse->entries, by_place);
    for (int i = 1; i < sparse->n; i++) {
        if (by_place(&sparse->entries[i - 1], &sparse->entries[i]) == 0)
            return arc_error_set_at(err, ARC_INPUT,
                                    (ArcPlace){table->file, sparse->entries[i].line, 1},
                                    "row %d, column %d is given twice", sparse->entries[i].row,
                                    sparse->entries[i].column);
    }
    return ARC_OK;
}

/* The title, and the sizes below it. */
static ArcStatus head_read(const ArcTable *table, ArcArena *arena, ArcSparse *sparse, int *told,
                           ArcError *err)
{
    if (table->n_titles < 2 || table->header == NULL || table->n_columns != 3)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){table->file, SIZE_LINE, 1},
                                "a sparse table begins with a title and a line of its rows, "
                                "columns and entries; expected three numbers, separated by tabs");
    const ArcCell *title = table->titles[table->n_titles - 2].cells;
    sparse->title = arc_arena_copy_text(arena, title->text, (size_t)title->length);
    if (sparse->title == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = count_read(table, &table->header[0], 0, &sparse->n_rows, err);
    if (status == ARC_OK)
        status = count_read(table, &table->header[1], 1, &sparse->n_columns, err);
    if (status == ARC_OK)
        status = count_read(table, &table->header[2], 0, told, err);
    return status;
}

ArcStatus arc_sparse_read(const char *file, const char *bytes, size_t size, ArcArena *arena,
                          ArcSparse *sparse, ArcError *err)
{
    ArcDecoded decoded;
    ArcTable table;
    int told = 0;
    ArcStatus status = arc_encoding_decode(file, bytes, size, arena, &decoded, err);
    if (status != ARC_OK)
        return status;
    const ArcDelimited request = {.part = {file, decoded.text, decoded.size, 1,
                                           arc_encoding_counts_characters(decoded.encoding)},
                                  .delimiter = {"\t", false},
                                  .header_line = SIZE_LINE};
    *sparse = (ArcSparse){.title = ""};
    status = arc_delimited_read_text(&request, arena, &table, err);
    if (status == ARC_OK)
        status = head_read(&table, arena, sparse, &told, err);
    return status == ARC_OK ? entries_read(&table, told, arena, sparse, err) : status;
}

double arc_sparse_value(const ArcSparse *sparse, int row, int column)
{
    const ArcSparseEntry wanted = {.row = row, .column = column};
    const ArcSparseEntry *found =
        bsearch(&wanted, sparse->entries, (size_t)sparse->n, sizeof *sparse->entries, by_place);
    return found == NULL ? 0.0 : found->value;
}
