/* The little of HDF5 that results need: groups, arrays with units and dimension scales, attributes.
 *
 * A file is built in memory and written in one piece, because HDF5 1.10 reports success on a full
 * disk. Equal contents give equal bytes (no times are stored). Behind HDF5's own end of file stand
 * 24 bytes with the CRC-32 of all before, which HDF5 programs ignore. arc_hdf5_open wants them, so
 * that a result which is damaged, or which another program has changed, is refused.
 *
 * Files are read without the HDF5 library, which crashes on hostile ones (hdf5_image.h, which also
 * says what is read of other programs' files).
 *
 * Failures are remembered: calls on a failed file do nothing, and the last call tells. Paths are
 * absolute ("/fits/direct/covariance"); "/" is the root.
 */
#ifndef ARC_IO_HDF5_H
#define ARC_IO_HDF5_H

#include "arcfit/error.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ArcHdf5 ArcHdf5;

typedef enum ArcHdf5Kind { ARC_HDF5_REAL, ARC_HDF5_INTEGER, ARC_HDF5_TEXT } ArcHdf5Kind;

/* An array to write. Stored as 64-bit floats, 32-bit integers or UTF-8 strings; from 1024 numbers
 * on chunked, shuffled and deflated. */
typedef struct ArcHdf5Array {
    const char *path;  /* its groups are made where missing */
    const char *units; /* attribute `units`: SI text, "1" for pure numbers, "text" for text */
    ArcHdf5Kind kind;
    size_t rows;
    size_t columns;       /* 0: one dimension only */
    const void *data;     /* row-major: double, int or const char * (NULL is written as "") */
    const char *scale[2]; /* for each dimension the path of an array written before; NULL for the
                             first: this array is itself a dimension scale */
} ArcHdf5Array;

/* Starts an empty file in memory. ARC_MEMORY, ARC_SYSTEM. */
ArcStatus arc_hdf5_create(ArcHdf5 **file, ArcError *err);

void arc_hdf5_write(ArcHdf5 *file, const ArcHdf5Array *array);

/* Attributes of the object at path, a group (made where missing) or an array. */
void arc_hdf5_put_number(ArcHdf5 *file, const char *path, const char *name, double value);
void arc_hdf5_put_count(ArcHdf5 *file, const char *path, const char *name, uint64_t value);
void arc_hdf5_put_text(ArcHdf5 *file, const char *path, const char *name, const char *text);

/* Replaces the file at path. ARC_MEMORY where anything failed since create; ARC_SYSTEM where it
 * cannot be written. */
ArcStatus arc_hdf5_save(ArcHdf5 *file, const char *path, ArcError *err);

/* True when the file at path begins as HDF5 files do. */
bool arc_hdf5_is_file(const char *path);

/* Reads the whole file into memory; what is read from it lies in arena. ARC_INPUT: missing, no HDF5
 * file, truncated, damaged, changed since arcfit wrote it. */
ArcStatus arc_hdf5_open(const char *path, ArcArena *arena, ArcHdf5 **file, ArcError *err);

bool arc_hdf5_has(ArcHdf5 *file, const char *path);

/* Size of an array's first dimension; 0 where it fails. */
int arc_hdf5_rows(ArcHdf5 *file, const char *path);

/* Arrays of exactly that shape (columns 0: one dimension); NULL where it fails. */
double *arc_hdf5_reals(ArcHdf5 *file, const char *path, int rows, int columns);
int *arc_hdf5_integers(ArcHdf5 *file, const char *path, int rows);
const char **arc_hdf5_texts(ArcHdf5 *file, const char *path, int rows);

/* Attributes; NaN, 0 and "" where it fails. */
double arc_hdf5_number(ArcHdf5 *file, const char *path, const char *name);
uint64_t arc_hdf5_count(ArcHdf5 *file, const char *path, const char *name);
const char *arc_hdf5_text(ArcHdf5 *file, const char *path, const char *name);

/* Marks the file as bad for a reason of the caller's, for example "schema 7 is not known". */
void arc_hdf5_refuse(ArcHdf5 *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool arc_hdf5_is_good(const ArcHdf5 *file);

/* ARC_OK, or what went wrong first: ARC_INPUT at file:1:1, ARC_MEMORY. */
ArcStatus arc_hdf5_status(const ArcHdf5 *file, ArcError *err);

/* Accepts NULL. */
void arc_hdf5_close(ArcHdf5 *file);

/* "1.10.8" */
const char *arc_hdf5_version(char buffer[32]);

#endif
