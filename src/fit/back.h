/* The flight before its release, where a camera's clock puts its first points: the same equations,
 * followed backwards.
 *
 * With tau = t0 - t the way y(tau) = x(t0 - tau) has y' = -v and y'' = a(-tau, y, -y', p), y(0) =
 * x0, y'(0) = -v0, so that dx/dv0 = -dy/dy'(0). There is no bounce before the release.
 */
#ifndef ARC_FIT_BACK_H
#define ARC_FIT_BACK_H

#include "fit/flyer.h"

typedef struct ArcBack ArcBack; /* scratch of one thread, in the arena */

/* For up to n times at once; with_q: partials too. flight is copied. */
ArcStatus arc_back_create(const ArcFlight *flight, double tolerance, int n, bool with_q,
                          ArcArena *arena, ArcBack **back, ArcError *err);

/* States at n ascending times before the release; output as the flyer's, without a and v_q. False
 * where the flight cannot be followed so far back. */
bool arc_back_run(ArcBack *back, const ArcThrow *thrown, int n, const double *t_s,
                  const ArcSimOutput *output);

#endif
