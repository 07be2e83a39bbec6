/* The chance that a throw hits, by linearisation and by many throws.
 *
 * What scatters: uncertain parameters with the belief's covariance, the throw about what was meant
 * (scatter, independent), and what `randomise` lists (wind, air, mass; independent). The offset o
 * at the goal is normal with mean o(values) and covariance S = G C G' + .., G its total
 * derivatives. A hit: point  |o| <= the ball's radius (without a ball 1 cm) area   |o_c| <= half_c
 * along each axis hoop   the ball passes clean: its centre's path, straight with the entry angle e
 * and along the level direction f, is nowhere nearer to the rim's circle than its radius r. In the
 * plane that is |o| <= R - r / sin e. With contact (physics/contact.h) it is a ball that ends up
 *          through the hoop
 */
#ifndef ARC_AIM_PROBABILITY_H
#define ARC_AIM_PROBABILITY_H

#include "aim/numbers.h"
#include "arcfit/aim.h"

/* P of a normal offset with mean o (3) and covariance S (3, 3) being a hit, where the ball comes in
 * with velocity v (3). axes of the goal alone are looked at. */
double arc_hit_chance(const ArcExperiment *experiment, const double *o, const double *S,
                      const double *v);

/* Whether an offset with this velocity is a hit. */
bool arc_hit_is(const ArcExperiment *experiment, const double *o, const double *v);

/* The chance of the throw values (n): chance->value, is_valid, offset_sd_m. belief's covariance
 * and experiment->aim.scatter_sd and randomise count. ARC_NUMERIC: the goal is not met. */
ArcStatus arc_aim_chance(const ArcExperiment *experiment, ArcShot *shot, const ArcBelief *belief,
                         const double *values, ArcArena *arena, ArcAimChance *chance,
                         ArcError *err);

/* The same by n seeded throws flown one by one: chance->checked, checked_sd; the same for any
 * number of threads. */
ArcStatus arc_aim_check_chance(const ArcExperiment *experiment, const ArcBelief *belief,
                               const double *values, int n, int threads, ArcAimChance *chance,
                               ArcError *err);

#endif
