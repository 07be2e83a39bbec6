/* Structs to HDF5 and back, an array a field, by one table for both ways. */
#ifndef ARC_REPORT_FIELDS_H
#define ARC_REPORT_FIELDS_H

#include "base/arena.h"
#include "io/hdf5.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum ArcFieldKind {
    ARC_FIELD_REAL,
    ARC_FIELD_WHOLE, /* int, or an enumeration */
    ARC_FIELD_BOOL,
    ARC_FIELD_TEXT,
    ARC_FIELD_WIDE /* several real numbers, as many as the set has columns */
} ArcFieldKind;

typedef struct ArcField {
    const char *name, *units;
    ArcFieldKind kind;
    size_t offset;
} ArcField;

/* The first field's array is the scale of the others'; it is not a wide one. */
typedef struct ArcFieldTable {
    const char *name; /* group below that of the set */
    const ArcField *fields;
    size_t n_fields, size; /* size: of the struct */
} ArcFieldTable;

/* Where structs go, or come from. */
typedef struct ArcFieldSet {
    ArcHdf5 *file;
    ArcArena *arena;
    const char *group; /* "/fits/pinn" */
    int columns;       /* of wide fields */
    const char *along; /* below group: the scale of these columns */
    bool no_memory;
} ArcFieldSet;

enum { ARC_FIELD_PATH = 128 };

const char *arc_field_path(char path[ARC_FIELD_PATH], const ArcFieldSet *set, const char *rest);

/* n * size bytes in the set's arena; NULL on exhaustion, which the set remembers. */
void *arc_field_alloc(ArcFieldSet *set, size_t n, size_t size);

bool arc_field_is_good(const ArcFieldSet *set);

void arc_field_write(ArcFieldSet *set, const ArcFieldTable *table, size_t rows,
                     const void *structs);

/* An array of units, kind, rows, columns and data as shape has them, along scales below the group;
 * NULL: it is a scale itself. */
void arc_field_write_array(ArcFieldSet *set, const char *name, const char *rows_name,
                           const char *columns_name, const ArcHdf5Array *shape);

/* How many rows the table's first field has, at most most; 0 where it fails. */
int arc_field_rows(ArcFieldSet *set, const ArcFieldTable *table, int most);

/* Fields into rows structs; others stay as they are. */
void arc_field_read(ArcFieldSet *set, const ArcFieldTable *table, int rows, void *structs);

/* Refuses the file: what stands at this name below the group does not fit. */
void arc_field_refuse(ArcFieldSet *set, const char *name);

/* n counts from 0 on that add up to total. */
bool arc_field_counts_fit(int n, const int *counts, int total);

#endif
