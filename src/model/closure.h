/* The closure inside the equations: features of the inputs, what they add, and all partials.
 *
 * z_i = (input_i(t, x, v; p) - centre_i) / scale_i; features phi_h(z), h < H (features.h); outputs
 * y_o = sum_h W_oh phi_h(z). Weights w are W row-major (O, H), and behind it, where the hidden
 * layer is trained too, its own.
 */
#ifndef ARC_MODEL_CLOSURE_H
#define ARC_MODEL_CLOSURE_H

#include "arcfit/closure.h"
#include "arcfit/flight.h"
#include "base/arena.h"

typedef struct ArcClosure {
    ArcClosureSettings settings;
    int D;                              /* coordinates of a state */
    int I, H, O;                        /* inputs, features, outputs */
    int K;                              /* weights */
    int axis[ARC_EQUATIONS_MAX_STATES]; /* (O) of accelerations */
    double centre[ARC_CLOSURE_MAX_INPUTS], scale[ARC_CLOSURE_MAX_INPUTS];
    double width;
    double *hidden; /* (H, I + 1) of the features, as features.h has them */
} ArcClosure;

/* In the arena. flight NULL: own equations with D states. points (n, I): inputs that the flights
 * come by, which place and scale the features; settings.width is given (never NaN). */
ArcStatus arc_closure_create(const ArcClosureSettings *settings, const ArcFlight *flight, int D,
                             int n, const double *points, uint64_t seed, ArcArena *arena,
                             ArcClosure **closure, ArcError *err);

/* Inputs z in SI, neither centred nor scaled, of n states: (n, I). p: the flight's parameters. */
void arc_closure_inputs(const ArcClosureSettings *settings, const ArcFlight *flight, int D, int n,
                        const double *t_s, const double *x, const double *v, const double *p,
                        double *z);

/* Outputs y (n,O) at inputs z (n,I) as above, and the features phi (n,H), nullable: an output's
 * variance is phi' C phi. */
void arc_closure_outputs(const ArcClosure *closure, const double *w, int n, const double *z,
                         double *y, double *phi);

/* Adds the closure to the accelerations (rates) of n states: a (n,D), a_x, a_v (n,D,D), a_p (n,D,P)
 * where P counts the K weights too, whose columns are the last; the columns before are p's. a_x,
 * a_v, a_p NULL together, or a_x alone; a_v NULL for own equations of first order. Where it
 * replaces a law, the flight's own has none. */
void arc_closure_add(const ArcClosure *closure, const ArcFlight *flight, int n, const double *t_s,
                     const double *x, const double *v, const double *p, const double *w, int P,
                     double *a, double *a_x, double *a_v, double *a_p);

#endif
