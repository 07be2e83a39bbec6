/* A place in bytes that moves as they are read, and never beyond their end. */
#ifndef ARC_IO_HDF5_CURSOR_H
#define ARC_IO_HDF5_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ArcHdf5Cursor {
    const unsigned char *at, *end;
    bool failed; /* something was read that is not there; it was taken as 0 */
} ArcHdf5Cursor;

static inline size_t arc_hdf5_left(const ArcHdf5Cursor *cursor)
{
    return (size_t)(cursor->end - cursor->at);
}

/* n bytes, NULL where they are not there. */
static inline const unsigned char *arc_hdf5_take(ArcHdf5Cursor *cursor, uint64_t n)
{
    if (cursor->failed || n > arc_hdf5_left(cursor)) {
        cursor->failed = true;
        return NULL;
    }
    const unsigned char *taken = cursor->at;
    cursor->at += n;
    return taken;
}

/* A little-endian number of 1 to 8 bytes. */
static inline uint64_t arc_hdf5_number_of(ArcHdf5Cursor *cursor, int n)
{
    const unsigned char *bytes = arc_hdf5_take(cursor, (uint64_t)n);
    uint64_t value = 0;
    for (int i = n - 1; bytes != NULL && i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

#endif
