/* What was measured beside flights, and their arms, to HDF5 and back. */
#ifndef ARC_REPORT_ARM_HDF5_H
#define ARC_REPORT_ARM_HDF5_H

#include "arcfit/fit.h"
#include "io/hdf5.h"

#include <stdbool.h>

/* Below group ("/fits/pinn", "/fits/pinn/flights"): of n fits, one behind the other. What they have
 * in common with the flights fitted together stands at the latter. False on exhaustion. */
bool arc_arm_hdf5_write(ArcHdf5 *file, ArcArena *arena, const char *group, int n,
                        const ArcFit *fits);

/* The mirror image, into fits whose parameters, n_free and dimensions have been read; what does not
 * fit refuses the file. False on exhaustion. */
bool arc_arm_hdf5_read(ArcHdf5 *file, ArcArena *arena, const char *group, int n, ArcFit *fits);

#endif
