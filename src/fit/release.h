/* The release: velocity from its parameters, cartesian or polar, with partials.
 *
 * Polar: angle above level, azimuth from the first level axis towards the second. With e the axis
 * up, the level axes are e+1, e+2 in cyclic order in space, the other one in the plane:
 *   v_up = speed sin(angle), v_1 = speed cos(angle) cos(azimuth), v_2 = speed cos(angle)
 * sin(azimuth)
 */
#ifndef ARC_FIT_RELEASE_H
#define ARC_FIT_RELEASE_H

#include "arcfit/experiment.h"

/* values (d) -> v (d); v_q (d,d) row-major, d v_i / d values_j; NULL: not wanted. */
void arc_release_velocity(ArcReleaseForm form, int d, int up, const double *values, double *v,
                          double *v_q);

/* The inverse: parameters whose velocity is v. A polar angle of a zero velocity is zero. */
void arc_release_from_velocity(ArcReleaseForm form, int d, int up, const double *v, double *values);

/* speed, angle, azimuth (d = 2: the first two) of any velocity, with gradients g (3, d) row-major.
 */
void arc_release_polar(int d, int up, const double *v, double polar[3], double *gradient);

#endif
