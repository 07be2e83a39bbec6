/* Where the equations are held: the collocation points of a PINN.
 *
 *   gauss     Gauss-Legendre points and weights
 *   uniform   midpoints of equal parts, equal weights
 *   random    drawn evenly anew at times, equal weights
 *   adaptive  drawn where the equations are broken most: from candidates with probability
 *             proportional to |breach|^2 / mean + 1 (Wu, Zhu, Tan, Kartha, Lu, Comput. Methods
 *             Appl. Mech. Eng. 403 (2023) 115671, RAD with k = 2, c = 1), weights inverse to it
 */
#ifndef ARC_FIT_COLLOCATION_H
#define ARC_FIT_COLLOCATION_H

#include "fit/pinn.h"

/* The first points of pinn's kind into tau and root_weight; s and the rows' weights follow. */
void arc_collocation_place(ArcPinn *pinn);

/* New points for the kinds that are drawn, by the breach of the net and values that stand in pinn;
 * false, and nothing done, for the others. */
bool arc_collocation_redraw(ArcPinn *pinn);

#endif
