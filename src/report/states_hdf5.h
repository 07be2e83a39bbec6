/* Own equations to HDF5 and back. Channels and states have units of their own, so that each is an
 * array by itself. What does not fit refuses the file.
 *
 *   /model              name path order as attributes; {channel,unit}; text, that of the plug-in
 *   GROUP/NAME          (rows) of each channel
 *   GROUP/states        {name,unit,points,rms,chi2,held_out_points,held_out_rms} of n fits
 *   GROUP/trajectory/   time, states/NAME/{value,rate[,second]}
 */
#ifndef ARC_REPORT_STATES_HDF5_H
#define ARC_REPORT_STATES_HDF5_H

#include "arcfit/result.h"
#include "arcfit/states.h"
#include "io/hdf5.h"

#include <stdbool.h>

typedef struct ArcStatesFile {
    ArcHdf5 *file;
    ArcArena *arena;
    const ArcStatesFit *states; /* names and units; NULL: of flights */
    bool no_memory;
} ArcStatesFile;

/* Of what equations are broken by: behind an attribute's name "_m_s2", of own ones "" (shares of
 * the states' sizes by s, or s^2); and its unit. */
const char *arc_states_physics_suffix(const ArcStatesFit *states);
const char *arc_states_physics_unit(const ArcStatesFit *states);

/* What stands before all fits; nothing of flights. */
void arc_states_write_model(ArcStatesFile *set, const ArcResult *result);

/* Its mirror image: path and text into result, names and units into set. */
void arc_states_read_model(ArcStatesFile *set, ArcResult *result);

/* values (rows, n_channels) along the scale. */
void arc_states_write_channels(ArcStatesFile *set, const char *group, const char *scale, int rows,
                               const double *values);
const double *arc_states_read_channels(ArcStatesFile *set, const char *group, int rows);

/* The channels of n fits, one fit behind the other; nothing where they have none. */
void arc_states_write_fits(ArcStatesFile *set, const char *group, int n, const ArcFit *fits);
void arc_states_read_fits(ArcStatesFile *set, const char *group, int n, ArcFit *fits);

/* motion: values, rates and, of second order, second derivatives, (rows, n_states) each. */
void arc_states_write_trajectory(ArcStatesFile *set, const char *group, int rows,
                                 const double *time_s, const double *const motion[3]);

/* The mirror image; time_s (rows) and motion are left alone where it fails. Returns rows. */
int arc_states_read_trajectory(ArcStatesFile *set, const char *group, const double **time_s,
                               const double *motion[3]);

#endif
