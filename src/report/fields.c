/* See fields.h. Arrays go by the order of the table, so that equal structs give equal bytes. */
#include "report/fields.h"

#include <stdio.h>
#include <string.h>

const char *arc_field_path(char path[ARC_FIELD_PATH], const ArcFieldSet *set, const char *rest)
{
    snprintf(path, ARC_FIELD_PATH, "%.50s/%.70s", set->group, rest);
    return path;
}

static const char *path_of(char path[ARC_FIELD_PATH], const ArcFieldSet *set,
                           const ArcFieldTable *table, const ArcField *field)
{
    snprintf(path, ARC_FIELD_PATH, "%.50s/%.40s/%.30s", set->group, table->name, field->name);
    return path;
}

void *arc_field_alloc(ArcFieldSet *set, size_t n, size_t size)
{
    void *room = arc_arena_alloc(set->arena, n, size);
    if (room == NULL)
        set->no_memory = true;
    return room;
}

bool arc_field_is_good(const ArcFieldSet *set)
{
    return !set->no_memory && arc_hdf5_is_good(set->file);
}

void arc_field_refuse(ArcFieldSet *set, const char *name)
{
    arc_hdf5_refuse(set->file, "'%s/%s' does not fit", set->group, name);
}

bool arc_field_counts_fit(int n, const int *counts, int total)
{
    int left = total;
    for (int i = 0; i < n; i++) {
        if (counts[i] < 0 || counts[i] > left)
            return false;
        left -= counts[i];
    }
    return left == 0;
}

static bool is_real(ArcFieldKind kind)
{
    return kind == ARC_FIELD_REAL || kind == ARC_FIELD_WIDE;
}

static size_t columns_of(const ArcFieldSet *set, const ArcField *field)
{
    return field->kind == ARC_FIELD_WIDE ? (size_t)set->columns : 1;
}

/* A field of rows structs as an array of its own; NULL on exhaustion. */
static void *gather(ArcFieldSet *set, const ArcField *field, const char *structs, size_t size,
                    size_t rows)
{
    size_t columns = columns_of(set, field);
    size_t element = field->kind == ARC_FIELD_TEXT ? sizeof(const char *)
                     : is_real(field->kind)        ? sizeof(double)
                                                   : sizeof(int);
    char *array = arc_field_alloc(set, rows * columns, element);
    for (size_t i = 0; array != NULL && i < rows; i++) {
        const char *from = structs + i * size + field->offset;
        int flag = field->kind == ARC_FIELD_BOOL ? *(const bool *)from : 0;
        memcpy(array + i * columns * element,
               field->kind == ARC_FIELD_BOOL ? (const char *)&flag : from, columns * element);
    }
    return array;
}

void arc_field_write(ArcFieldSet *set, const ArcFieldTable *table, size_t rows, const void *structs)
{
    char scale[ARC_FIELD_PATH], path[ARC_FIELD_PATH], along[ARC_FIELD_PATH];
    path_of(scale, set, table, &table->fields[0]);
    for (size_t k = 0; k < table->n_fields; k++) {
        const ArcField *field = &table->fields[k];
        bool is_wide = field->kind == ARC_FIELD_WIDE;
        const void *data = gather(set, field, structs, table->size, rows);
        if (data == NULL)
            return;
        arc_hdf5_write(
            set->file,
            &(ArcHdf5Array){.path = path_of(path, set, table, field),
                            .units = field->units,
                            .kind = field->kind == ARC_FIELD_TEXT ? ARC_HDF5_TEXT
                                    : is_real(field->kind)        ? ARC_HDF5_REAL
                                                                  : ARC_HDF5_INTEGER,
                            .rows = rows,
                            .columns = is_wide ? (size_t)set->columns : 0,
                            .data = data,
                            .scale = {k == 0 ? NULL : scale,
                                      is_wide ? arc_field_path(along, set, set->along) : NULL}});
    }
}

void arc_field_write_array(ArcFieldSet *set, const char *name, const char *rows_name,
                           const char *columns_name, const ArcHdf5Array *shape)
{
    char path[ARC_FIELD_PATH], rows[ARC_FIELD_PATH], columns[ARC_FIELD_PATH];
    ArcHdf5Array array = *shape;
    array.path = arc_field_path(path, set, name);
    array.scale[0] = rows_name == NULL ? NULL : arc_field_path(rows, set, rows_name);
    array.scale[1] = columns_name == NULL ? NULL : arc_field_path(columns, set, columns_name);
    arc_hdf5_write(set->file, &array);
}

int arc_field_rows(ArcFieldSet *set, const ArcFieldTable *table, int most)
{
    char path[ARC_FIELD_PATH];
    int rows = arc_hdf5_rows(set->file, path_of(path, set, table, &table->fields[0]));
    if (rows <= most)
        return rows;
    arc_hdf5_refuse(set->file, "'%s' has too many rows", path);
    return 0;
}

/* A field from an array into rows structs. */
static void scatter(ArcFieldSet *set, const ArcField *field, const char *path, int rows,
                    const ArcFieldTable *table, char *structs)
{
    size_t columns = columns_of(set, field);
    const char **texts = NULL;
    const double *reals = NULL;
    const int *whole = NULL;
    if (field->kind == ARC_FIELD_TEXT)
        texts = arc_hdf5_texts(set->file, path, rows);
    else if (is_real(field->kind))
        reals =
            arc_hdf5_reals(set->file, path, rows, field->kind == ARC_FIELD_WIDE ? set->columns : 0);
    else
        whole = arc_hdf5_integers(set->file, path, rows);
    for (size_t i = 0; i < (size_t)rows && arc_field_is_good(set); i++) {
        char *to = structs + i * table->size + field->offset;
        if (texts != NULL)
            memcpy(to, &texts[i], sizeof texts[i]);
        else if (reals != NULL)
            memcpy(to, reals + i * columns, columns * sizeof *reals);
        else if (field->kind == ARC_FIELD_BOOL)
            *(bool *)to = whole[i] != 0;
        else
            memcpy(to, &whole[i], sizeof whole[i]);
    }
}

void arc_field_read(ArcFieldSet *set, const ArcFieldTable *table, int rows, void *structs)
{
    char path[ARC_FIELD_PATH];
    for (size_t k = 0; k < table->n_fields && arc_field_is_good(set); k++)
        scatter(set, &table->fields[k], path_of(path, set, table, &table->fields[k]), rows, table,
                structs);
}
