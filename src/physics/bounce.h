/* The bounce of a ball on a plane: velocity and rotation after it, with all partials.
 *
 * n is the plane's normal towards the ball, v_n = n . v < 0, v_t the velocity along the plane, w
 * the rotation, r the radius, m the mass, I the moment of inertia, kappa = m r^2 / I (solid
 * sphere 2.5, thin shell 1.5), e the restitution, mu the friction. The point of contact slips by
 *
 *   u = v_t + w x (-r n),
 *
 * and the plane gives the ball the impulse m (-(1 + e) v_n n + J), J along the plane:
 *
 *   v_n' = -e v_n     v_t' = v_t + J     w' = w + (kappa / r) (-n) x J     J = -a u
 *
 * which keeps the angular momentum about the point of contact. Sliding all the time would give
 * a = mu (1 + e) |v_n| / |u| (Coulomb), a contact that comes to grip, u' = 0, a = 1 / (1 + kappa);
 * of the two the smaller holds, rounded where they meet:
 *
 *   a = 1 / (1 + kappa) (1 + z^16)^(-1/16),   z = |u| / ((1 + kappa) mu (1 + e) |v_n|),
 *
 * 4 % under both at z = 1 and 1e-6 from the nearer one where z is off by a factor of 2. So a <= 1 /
 * (1 + kappa), and no energy is gained where e <= 1. Source: the elementary model of sliding, then
 * rolling, that R. Cross, Am. J. Phys. 70 (2002) 1093, sets out; he measured that real balls grip,
 * stretch along the plane, and come off with somewhat more spin.
 */
#ifndef ARC_PHYSICS_BOUNCE_H
#define ARC_PHYSICS_BOUNCE_H

#include "arcfit/flight.h"

/* The columns of the partials. */
enum {
    ARC_BOUNCE_V = 0, /* three of the velocity before, then three of the rotation */
    ARC_BOUNCE_W = 3,
    ARC_BOUNCE_RESTITUTION = 6,
    ARC_BOUNCE_FRICTION,
    ARC_BOUNCE_COUPLING,
    ARC_BOUNCE_COLUMNS,
    ARC_BOUNCE_ROWS = 6 /* velocity and rotation after */
};

/* A ball and a plane; axis is the normal's, its side is told by the velocity. */
typedef struct ArcContact {
    int axis;
    double radius_m; /* 0: the ball's rotation is not known; it slips by v_t and keeps it */
    double restitution, friction, spin_coupling;
} ArcContact;

/* v, w (3) before -> v_after, w_after (3); partials (ARC_BOUNCE_ROWS, ARC_BOUNCE_COLUMNS) row-major
 * may be NULL. Along a plane's flight the third axis is zero throughout, and w = (0, 0, -spin). */
void arc_bounce(const ArcContact *contact, const double v[3], const double w[3], double v_after[3],
                double w_after[3], double *partials);

/* Appends the bounce's parameters to a flight whose others are set, where its bounce is on.
 * ARC_INPUT: a plane that the dimensions do not have, a spin without a ball, a coefficient out of
 * its range. */
ArcStatus arc_bounce_add(ArcFlight *flight, ArcError *err);

#endif
