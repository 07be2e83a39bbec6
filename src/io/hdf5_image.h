/* An HDF5 file that stands in memory, read without the HDF5 library.
 *
 * The library (1.10) crashes on damaged and hostile files, so it only writes. What is read here is
 * the part of the format that it writes by default, h5py and MATLAB with it: superblocks 0 to 3,
 * object headers 1 and 2, groups by symbol tables or by links in the header, arrays in one piece,
 * in the header, or in chunks of a version 1 tree, shuffled and deflated. Not read, and said so:
 * big groups and chunk indexes of the format of 1.10 (`libver="latest"`), shared and compound
 * types. Reference: HDF5 File Format Specification Version 3.0 (The HDF Group).
 *
 * Every address and length is checked against the file, and the work is counted, so that no file
 * takes long or much memory.
 */
#ifndef ARC_IO_HDF5_IMAGE_H
#define ARC_IO_HDF5_IMAGE_H

#include "base/arena.h"
#include "io/hdf5_cursor.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ARC_HDF5_MAX_RANK = 8, ARC_HDF5_MAX_FILTERS = 8 };

/* bytes begin at the superblock; addresses count from there. */
typedef struct ArcHdf5Image {
    const unsigned char *bytes;
    size_t size;
    uint64_t root; /* object header of "/" */
    long work;     /* steps left, for all that is read of the file */
} ArcHdf5Image;

typedef enum ArcHdf5Class {
    ARC_HDF5_CLASS_OTHER,
    ARC_HDF5_CLASS_INTEGER,
    ARC_HDF5_CLASS_FLOAT,
    ARC_HDF5_CLASS_STRING,  /* of fixed length */
    ARC_HDF5_CLASS_VARIABLE /* string of any length */
} ArcHdf5Class;

typedef struct ArcHdf5Type {
    ArcHdf5Class class;
    uint32_t size; /* bytes of one element, above 0 */
    bool is_big_endian, is_signed;
    bool is_space_padded;
} ArcHdf5Type;

/* rank 0: one element. */
typedef struct ArcHdf5Space {
    bool is_known;
    int rank;
    uint64_t sizes[ARC_HDF5_MAX_RANK];
    uint64_t count; /* elements */
} ArcHdf5Space;

typedef enum ArcHdf5Layout {
    ARC_HDF5_LAYOUT_NONE,
    ARC_HDF5_LAYOUT_WHOLE,   /* data: in one piece, NULL where it was never written */
    ARC_HDF5_LAYOUT_CHUNKED, /* tree of chunks */
    ARC_HDF5_LAYOUT_UNKNOWN
} ArcHdf5Layout;

/* An array, or an attribute (which is in one piece). */
typedef struct ArcHdf5Data {
    ArcHdf5Type type;
    ArcHdf5Space space;
    ArcHdf5Layout layout;
    const unsigned char *data;
    size_t size; /* bytes of data */
    uint64_t tree;
    int chunk_rank;
    uint64_t chunk[ARC_HDF5_MAX_RANK];
    int n_filters; /* -1: more, or others, than are read */
    uint16_t filters[ARC_HDF5_MAX_FILTERS];
    const unsigned char *fill; /* one element where nothing was written; NULL: zeros */
} ArcHdf5Data;

/* Reads the superblock, which may stand behind a block of the user's (512 bytes, 1024, ...). False
 * where there is none, or of a kind that is not read. */
bool arc_hdf5_image_open(const unsigned char *bytes, size_t size, ArcHdf5Image *image);

/* n bytes at address; NULL where they are not in the file. */
const unsigned char *arc_hdf5_image_at(const ArcHdf5Image *image, uint64_t address, uint64_t n);

/* Takes steps from the work; false where none are left. */
bool arc_hdf5_image_work(ArcHdf5Image *image, long steps);

/* A message in an object header; its data in a cursor. */
typedef struct ArcHdf5Message {
    unsigned type;
    bool is_shared;
    ArcHdf5Cursor data;
} ArcHdf5Message;

/* Looks at one message; true: wants the next. */
typedef bool (*ArcHdf5Visit)(void *context, ArcHdf5Message *message);

/* Shows every message of the object header at address. False where there is no header. */
bool arc_hdf5_image_visit(ArcHdf5Image *image, uint64_t address, ArcHdf5Visit visit, void *context);

/* The object header of an absolute path; false where there is no such object. */
bool arc_hdf5_image_find(ArcHdf5Image *image, const char *path, uint64_t *address);

/* The name of the index-th member of a group, in the file's order; NULL behind the last, and on
 * exhaustion. */
const char *arc_hdf5_image_member(ArcHdf5Image *image, uint64_t group, int index, ArcArena *arena);

/* What the object at address holds as an array; false where it is none. */
bool arc_hdf5_image_array(ArcHdf5Image *image, uint64_t address, ArcHdf5Data *array);

/* The object's attribute of that name. */
bool arc_hdf5_image_attribute(ArcHdf5Image *image, uint64_t address, const char *name,
                              ArcHdf5Data *attribute);

/* All elements as they stand, row-major, (count * type.size) bytes in the arena; NULL with a
 * reason: damaged, not read here, or "" on exhaustion. */
const unsigned char *arc_hdf5_image_bytes(ArcHdf5Image *image, const ArcHdf5Data *data,
                                          ArcArena *arena, const char **reason);

/* True where so many elements can be in the file: no more than deflation could have packed. */
bool arc_hdf5_image_can_hold(const ArcHdf5Image *image, uint64_t count, uint64_t size);

/* Element i of what arc_hdf5_image_bytes gave, of an integer or a float; NaN of others. */
double arc_hdf5_element_real(const ArcHdf5Type *type, const unsigned char *bytes, size_t i);

/* The same of an integer as its bits, sign extended. */
uint64_t arc_hdf5_element_bits(const ArcHdf5Type *type, const unsigned char *bytes, size_t i);

/* The same of a string, copied; NULL with a reason as above. */
const char *arc_hdf5_element_text(ArcHdf5Image *image, const ArcHdf5Type *type,
                                  const unsigned char *bytes, size_t i, ArcArena *arena,
                                  const char **reason);

#endif
