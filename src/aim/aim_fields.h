/* What aims hold in rows, as arrays of a file: the same tables for writing and for reading back.
 *
 * A row is a struct, a field of it an array. Files: aim_hdf5.c.
 */
#ifndef ARC_AIM_FIELDS_H
#define ARC_AIM_FIELDS_H

#include "arcfit/aim.h"
#include "base/arena.h"
#include "io/hdf5.h"

#include <stddef.h>

/* What a field of a row is. */
typedef enum ArcAimWidth {
    ARC_AIM_ONE, /* a number */
    ARC_AIM_FLAG,
    ARC_AIM_WHOLE,
    ARC_AIM_AXES, /* a number each axis, parameter or joint */
    ARC_AIM_PARAMETERS,
    ARC_AIM_JOINTS
} ArcAimWidth;

typedef struct ArcAimField {
    const char *name, *units;
    ArcAimWidth width;
    size_t offset;
} ArcAimField;

typedef struct ArcAimTable {
    const char *group, *scale; /* "/throws", "/throws/rank": counts from 1, what rows go by */
    const ArcAimField *fields;
    int n_fields;
    size_t size; /* of a row's struct */
} ArcAimTable;

ArcAimTable arc_aim_table_of_throws(void); /* ArcAimSolution */
ArcAimTable arc_aim_table_of_banks(void);  /* the same */
ArcAimTable arc_aim_table_of_front(void);  /* ArcAimPoint, without its numbers, whose units vary */
ArcAimTable arc_aim_table_of_reach(void);  /* ArcReachThrow */
ArcAimTable arc_aim_table_of_cures(void);  /* ArcReachCure */

/* The file, and how many columns fields have. */
typedef struct ArcAimFile {
    ArcHdf5 *file;
    ArcArena *arena;
    int n_axes, n_parameters, n_joints;
    bool no_memory;
} ArcAimFile;

/* rows structs, the scale first. Of /axis, /parameters/name and /joint the columns are. */
void arc_aim_fields_write(ArcAimFile *file, const ArcAimTable *table, int rows,
                          const void *structs);

/* How many rows there are, at most most; 0 where it fails. */
int arc_aim_fields_rows(ArcAimFile *file, const ArcAimTable *table, int most);

/* Into rows structs; other fields of them stay as they are. */
void arc_aim_fields_read(ArcAimFile *file, const ArcAimTable *table, int rows, void *structs);

#endif
