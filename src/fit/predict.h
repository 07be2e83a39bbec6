/* Flying an estimate beyond what was fitted. */
#ifndef ARC_FIT_PREDICT_H
#define ARC_FIT_PREDICT_H

#include "fit/flyer.h"
#include "fit/method.h"

/* Times that a search looks at together: the least capacity for it. */
enum { ARC_FLOWN_SEARCH = 32 };

/* After so long no apex and no landing is looked for. */
#define ARC_LONGEST_FLIGHT_S 60.0

/* An estimate in the air: simulator, parameters and scratch for up to n times, in the arena. */
typedef struct ArcFlown {
    ArcThrow thrown;
    ArcSimulator *simulator;
    int capacity;
    double *x, *v, *a, *x_q, *v_q; /* (capacity, D [, Q]) of the last flight */
} ArcFlown;

ArcStatus arc_flown_create(ArcThrow thrown, int capacity, ArcArena *arena, ArcFlown **flown,
                           ArcError *err);

/* n ascending times >= t0; false where the flight cannot be followed. */
bool arc_flown_states(ArcFlown *flown, int n, const double *t_s, bool partials);

/* First time in (t0 + after_s, t0 + limit_s] at which the ball crosses the plane; NaN for none. The
 * state there is left in x, v, a, x_q, v_q. */
double arc_flown_crossing(ArcFlown *flown, ArcPlane plane, double after_s, double limit_s);

/* First time in (t0, t0 + limit_s] at which velocity[axis] crosses zero; NaN for none; state as
 * above. */
double arc_flown_turning(ArcFlown *flown, int axis, double limit_s);

/* sd of a number with gradient (n_parameters): NaN where it depends on what the data cannot tell.
 */
double arc_fit_sd(const ArcFit *fit, const double *gradient);

/* outcome's flight at any times from t0 on: the method's own over the fitted times, its estimate
 * flown after them, NaN where that cannot be followed. Borrows problem and outcome; in the arena.
 */
ArcStatus arc_trajectory_extend(const ArcProblem *problem, const ArcOutcome *outcome,
                                ArcArena *arena, ArcTrajectory *trajectory, ArcError *err);

#endif
