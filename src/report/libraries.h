/* The libraries that a file's numbers came through, as attributes of its root. */
#ifndef ARC_REPORT_LIBRARIES_H
#define ARC_REPORT_LIBRARIES_H

#include "io/hdf5.h"

/* Those of this program. */
void arc_libraries_write(ArcHdf5 *file);

/* Those of the program that wrote file, in words: "OpenBLAS 0.3.21 ..., HDF5 1.10.8, ...". In the
 * arena; NULL on exhaustion, "" of a file that has failed. */
const char *arc_libraries_read(ArcHdf5 *file, ArcArena *arena);

#endif
