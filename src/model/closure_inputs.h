/* What a closure sees of a state, and how that comes from state and parameters.
 *
 * Some inputs depend on the velocity against the air u = v - wind(t, height) and on the rotation w
 * that is left of it: speed = |u|, S = r |w x u| / |u|^2. Gradients are kept by x, v, u and w and
 * brought to the columns of state and parameters once a row.
 */
#ifndef ARC_MODEL_CLOSURE_INPUTS_H
#define ARC_MODEL_CLOSURE_INPUTS_H

#include "arcfit/closure.h"
#include "arcfit/flight.h"
#include "physics/fading.h"

/* A state as it is given to arc_closure_add. v NULL: first order. */
typedef struct ArcClosureState {
    const ArcFlight *flight; /* NULL: own equations */
    int D;
    double t_s;
    const double *x, *v, *p;
} ArcClosureState;

/* The ball in the air; m = w x u. All zero for own equations. */
typedef struct ArcClosureAir {
    double u[3], by_height[3]; /* of the wind */
    double w[3], m[3];
    double speed, size; /* |u|, |m| */
    ArcFading fading;
} ArcClosureAir;

typedef struct ArcClosureGradient {
    double by_x[ARC_EQUATIONS_MAX_STATES], by_v[ARC_EQUATIONS_MAX_STATES], by_u[3], by_w[3];
} ArcClosureGradient;

/* A force along or across the flight, with its partials by u and w. */
typedef struct ArcClosureForce {
    double f[3], by_u[3][3], by_w[3][3];
} ArcClosureForce;

ArcClosureAir arc_closure_air(const ArcClosureState *state);

/* Input i in SI. */
double arc_closure_input(const ArcClosureSettings *settings, int i, const ArcClosureState *state,
                         const ArcClosureAir *air);

/* gradient += factor d input_i. */
void arc_closure_add_input(const ArcClosureSettings *settings, int i, const ArcClosureState *state,
                           const ArcClosureAir *air, double factor, ArcClosureGradient *gradient);

/* Acceleration by cd = 1 and by cl = 1: -c |u| u and c |u|^2 m / |m|; none where that has no
 * direction. */
ArcClosureForce arc_closure_drag(const ArcFlight *flight, const ArcClosureAir *air);
ArcClosureForce arc_closure_lift(const ArcFlight *flight, const ArcClosureAir *air);

/* Adds a gradient to rows of a_x (D), a_v (D) and a_p (the parameters'), each nullable. */
void arc_closure_chain(const ArcClosureState *state, const ArcClosureAir *air,
                       const ArcClosureGradient *gradient, double *a_x, double *a_v, double *a_p);

#endif
