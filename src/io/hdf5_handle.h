/* An open HDF5 file: one that is being made (hdf5.c) or one that is read (hdf5_read.c). */
#ifndef ARC_IO_HDF5_HANDLE_H
#define ARC_IO_HDF5_HANDLE_H

#include "io/hdf5.h"
#include "io/hdf5_image.h"

#include <hdf5.h>

enum { ARC_HDF5_SEAL_SIZE = 24 };

extern const char arc_hdf5_seal_head[];

struct ArcHdf5 {
    ArcArena *arena;  /* own where writing, the caller's where reading */
    ArcStatus status; /* of the first failure */
    char reason[512];
    bool writes;
    const char *path;   /* read from */
    ArcHdf5Image image; /* while reading */
    hid_t file;         /* while writing */
    H5E_auto2_t print;  /* the error printing to put back */
    void *print_context;
};

/* Remembers the first failure: what, and behind it the path where there is one. */
void arc_hdf5_fail(ArcHdf5 *file, ArcStatus status, const char *what, const char *path);

/* Opens a file in memory, which begins at its superblock or at a block of the user's, without a
 * seal and whoever wrote it; the bytes outlive it, name stands in messages. ARC_INPUT: no HDF5
 * file, or of a kind that is not read. */
ArcStatus arc_hdf5_open_bytes(const char *name, const char *bytes, size_t size, ArcArena *arena,
                              ArcHdf5 **file, ArcError *err);

/* The bytes that stand behind a file of that many. */
void arc_hdf5_seal(char seal[ARC_HDF5_SEAL_SIZE + 1], const char *bytes, size_t size);

#endif
