/* Estimates as a group of an HDF5 file: {name,value,sd,ci95,unit,start,status,free_index,reason}.
 */
#ifndef ARC_REPORT_ESTIMATES_PARTS_H
#define ARC_REPORT_ESTIMATES_PARTS_H

#include "arcfit/fit.h"
#include "io/hdf5.h"

/* group/name. False where there is no memory. */
bool arc_estimates_write(ArcHdf5 *file, ArcArena *arena, const char *group, const char *name, int n,
                         const ArcEstimate *estimates);

/* The same read back, at most so many rows; what does not fit refuses the file. */
bool arc_estimates_read(ArcHdf5 *file, ArcArena *arena, const char *group, const char *name,
                        int most, int *n, const ArcEstimate **estimates);

#endif
