/* See arm_table.h. */
#include "capture/arm_table.h"

#include "base/file.h"
#include "base/number.h"
#include "capture/points.h"
#include "capture/sheet.h"
#include "io/gzip.h"

#include <string.h>

enum { LIST_BYTES = 200 };

static ArcStatus headings_parse(ArcArmTable *read, ArcArena *arena, ArcError *err)
{
    const ArcTable *table = &read->table;
    size_t n = (size_t)table->n_columns;
    read->heading = ARC_ALLOC(arena, n, ArcHeading);
    read->is_known = ARC_ALLOC(arena, n, bool);
    read->is_taken = ARC_ALLOC(arena, (size_t)table->n_rows, bool);
    if (read->heading == NULL || read->is_known == NULL || read->is_taken == NULL)
        return arc_error_no_memory(err);
    read->flight = -1;
    for (int i = 0; i < table->n_columns; i++) {
        read->heading[i] = arc_heading_parse(&table->header[i]);
        if (strcmp(read->heading[i].name, "flight") != 0)
            continue;
        ArcStatus status = arc_arm_table_take(read, i, ARC_HEADING_NONE, err);
        if (status != ARC_OK)
            return status;
        read->flight = i;
    }
    return ARC_OK;
}

ArcStatus arc_arm_table_read(const char *path, ArcPlace from, ArcArena *arena, ArcArmTable *read,
                             ArcError *err)
{
    char *bytes = NULL;
    size_t size = 0;
    ArcTable *table = &read->table;
    *read = (ArcArmTable){.from = from};
    ArcStatus status = arc_gzip_read_file(path, from, arena, &bytes, &size, err);
    if (status == ARC_OK)
        status = arc_delimited_read(path, bytes, size, arena, table, err);
    if (status == ARC_OK)
        status = arc_sheet_check_header(table, err);
    if (status == ARC_OK && table->n_rows == 0)
        status = arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                                  "no rows with numbers below the header");
    return status == ARC_OK ? headings_parse(read, arena, err) : status;
}

const ArcCell *arc_arm_table_cell(const ArcArmTable *read, int row, int column)
{
    return arc_sheet_cell(&read->table, row, column);
}

ArcStatus arc_arm_table_number(const ArcArmTable *read, int row, int column, double *value,
                               ArcError *err)
{
    return arc_heading_number_of(&read->table, arc_arm_table_cell(read, row, column),
                                 read->heading[column].scale, value, err);
}

static bool cell_is_text(const ArcCell *cell, const char *text, size_t length)
{
    return (size_t)cell->length == length && memcmp(cell->text, text, length) == 0;
}

/* Whether the cell names the capture's flight. */
static bool cell_is_of(const ArcCell *cell, const ArcCapture *capture)
{
    const char *name = arc_file_name(capture->file), *dot = strrchr(name, '.');
    size_t length = strlen(name), stem = dot == NULL || dot == name ? length : (size_t)(dot - name);
    long long number, own;
    if (cell_is_text(cell, name, length) || cell_is_text(cell, name, stem))
        return true;
    if (capture->flight == NULL)
        return false;
    bool are_numbers = arc_number_read_integer(cell->text, (size_t)cell->length, &number) &&
                       arc_number_read_integer(capture->flight, strlen(capture->flight), &own);
    return are_numbers ? number == own
                       : cell_is_text(cell, capture->flight, strlen(capture->flight));
}

ArcStatus arc_arm_table_rows(ArcArmTable *read, const ArcCapture *capture, int *rows, int *n,
                             ArcError *err)
{
    *n = 0;
    for (int row = 0; row < read->table.n_rows; row++) {
        if (read->flight >= 0) {
            const ArcCell *cell = arc_arm_table_cell(read, row, read->flight);
            if (cell->length == 0)
                return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&read->table, cell),
                                        "this row does not tell its flight; give it in all rows, "
                                        "or leave the column out");
            if (!cell_is_of(cell, capture))
                continue;
        }
        read->is_taken[row] = true;
        rows[(*n)++] = row;
    }
    return ARC_OK;
}

ArcStatus arc_arm_table_take(ArcArmTable *read, int column, ArcHeadingKind kind, ArcError *err)
{
    const ArcCell *cell = &read->table.header[column];
    for (int i = 0; i < column; i++)
        if (strcmp(read->heading[i].name, read->heading[column].name) == 0)
            return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&read->table, cell),
                                    "both column %d and column %d are '%s'; leave one out", i + 1,
                                    column + 1, read->heading[column].name);
    read->is_known[column] = true;
    return arc_heading_check(&read->table, cell, &read->heading[column], kind, err);
}

void arc_arm_table_note(const ArcArmTable *read, ArcNotes *notes)
{
    char list[LIST_BYTES] = "";
    size_t used = 0;
    for (int i = 0; i < read->table.n_columns; i++) {
        const ArcCell *cell = &read->table.header[i];
        size_t shown = (size_t)arc_delimited_shown(cell->text, cell->length);
        if (read->is_known[i] || used + shown + 8 > LIST_BYTES)
            continue;
        memcpy(list + used, used == 0 ? "" : ", ", used == 0 ? 0 : 2);
        used += used == 0 ? 0 : 2;
        memcpy(list + used, cell->text, shown);
        used += shown;
        list[used] = '\0';
    }
    if (used == 0)
        return;
    const char *text = arc_arena_format(
        notes->arena, "columns that are nothing of this arm are not read: %s", list);
    notes->failed = notes->failed || text == NULL;
    if (text != NULL)
        arc_notes_add(notes, read->table.file, 1, &text);
}
