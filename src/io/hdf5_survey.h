/* All number arrays of an HDF5 file that another program wrote, and what is said of their units.
 *
 * Read without the HDF5 library; hdf5_image.h says what is read. Links out of the file and soft
 * links are not followed.
 */
#ifndef ARC_IO_HDF5_SURVEY_H
#define ARC_IO_HDF5_SURVEY_H

#include "arcfit/error.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    ARC_HDF5_SURVEY_MAX_ARRAYS = 20000,
    ARC_HDF5_SURVEY_MAX_DEPTH = 16,  /* of groups */
    ARC_HDF5_SURVEY_MAX_COLUMNS = 64 /* of the narrower dimension of two */
};

/* An array of one or two dimensions. */
typedef struct ArcHdf5Numbers {
    const char *path;  /* "/originals/0/positions" */
    const char *units; /* attribute `units`, "" where there is none */
    size_t rows;
    size_t columns;       /* 0: one dimension only */
    const double *values; /* row-major */
    double origin; /* what was taken off every value: the first of whole numbers that no double
                      holds, such as nanoseconds since 1970; else 0 */
} ArcHdf5Numbers;

typedef struct ArcHdf5Survey {
    int n;
    int n_unread; /* arrays of numbers stored in a way that is not read */
    ArcHdf5Numbers *arrays;
} ArcHdf5Survey;

/* True where the bytes begin as HDF5 files do, or behind a block of 512 bytes as MATLAB's do. */
bool arc_hdf5_survey_is(const char *bytes, size_t size);

/* file is its name in messages; arrays of no numbers, with more dimensions, or too wide are passed
 * over. ARC_INPUT at file:1:1: truncated or damaged, or of a kind that is not read. ARC_MEMORY. */
ArcStatus arc_hdf5_survey(const char *file, const char *bytes, size_t size, ArcArena *arena,
                          ArcHdf5Survey *survey, ArcError *err);

#endif
