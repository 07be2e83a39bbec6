/* What is missing where no throw hits within the limits: the speed that would do, and the nearest
 * throw.
 *
 * The least speed is that of throws without a limit of it,
 *   min speed   over z,   x(s; u) = X,   within all other limits
 * from the angles of the experiment; where these end at different ones, from all angles, a few
 * degrees apart. In free fall it is v^2 = g (h + sqrt(h^2 + D^2)), D along level and h up to X.
 */
#ifndef ARC_AIM_SHORTFALL_H
#define ARC_AIM_SHORTFALL_H

#include "aim/optimise.h"

/* The throw of least speed that hits; where none was found the speed is infinite and thrown as it
 * was. search may have a limit of the speed, which does not count. */
ArcStatus arc_aim_least_speed(const ArcSearch *search, ArcArena *arena, ArcSearchThrow *thrown,
                              double *speed_m_s, ArcError *err);

#endif
