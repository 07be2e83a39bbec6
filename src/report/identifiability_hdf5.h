/* What the data tell of the free parameters, to HDF5 and back. */
#ifndef ARC_REPORT_IDENTIFIABILITY_HDF5_H
#define ARC_REPORT_IDENTIFIABILITY_HDF5_H

#include "arcfit/fit.h"
#include "io/hdf5.h"

#include <stdbool.h>

/* Below a fit's group ("/fits/pinn"); nothing where there is nothing to say. False on exhaustion.
 */
bool arc_identifiability_write(ArcHdf5 *file, ArcArena *arena, const char *group,
                               const ArcFit *fit);

/* The mirror image, after the fit's parameters and n_free were read; what does not fit refuses the
 * file. False on exhaustion. */
bool arc_identifiability_read(ArcHdf5 *file, ArcArena *arena, const char *group, ArcFit *fit);

#endif
