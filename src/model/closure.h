/* The closure inside the equations: features of the inputs, what they add, and all partials.
 *
 * z_i = (input_i(t, x, v; p) - centre_i) / scale_i; features phi_h(z), h < H (features.h); outputs
 * y_o = sum_h W_oh phi_h(z). Weights w are W row-major (O, H), and behind it, where the hidden
 * layer is trained too, its own. Where the closure stands in place of a law of drag or lift, the
 * last feature is 1: its weight is the curve's level, with a prior of its own.
 */
#ifndef ARC_MODEL_CLOSURE_H
#define ARC_MODEL_CLOSURE_H

#include "arcfit/closure.h"
#include "arcfit/flight.h"
#include "base/arena.h"
#include "model/features.h"

typedef struct ArcClosure {
    ArcClosureSettings settings;
    int D;                              /* coordinates of a state */
    int I, H, O;                        /* inputs, features, outputs */
    int K;                              /* weights */
    int axis[ARC_EQUATIONS_MAX_STATES]; /* (O) of accelerations */
    bool has_level;                     /* the last feature is 1 */
    double centre[ARC_CLOSURE_MAX_INPUTS], scale[ARC_CLOSURE_MAX_INPUTS];
    double width;
    ArcFeatures features; /* all but the level */
    double *hidden;       /* (I + 1, features.H) as drawn */
} ArcClosure;

/* In the arena. flight NULL: own equations with D states. points (n, I), n > 0: inputs that the
 * flights come by, which place and scale the features: the middle of their range is 0, half of it
 * 1, the widest of the inputs of one unit counting for all of these. settings.width is given (never
 * NaN). ARC_INPUT at the settings' place for more weights than ARC_CLOSURE_MAX_WEIGHTS. */
ArcStatus arc_closure_create(const ArcClosureSettings *settings, const ArcFlight *flight, int D,
                             int n, const double *points, uint64_t seed, ArcArena *arena,
                             ArcClosure **closure, ArcError *err);

/* The closure that a fit learned, in the arena. flight NULL: own equations with D states.
 * ARC_INPUT: its numbers do not fit each other. */
ArcStatus arc_closure_restore(const ArcClosureFit *fit, const ArcFlight *flight, int D,
                              ArcArena *arena, ArcClosure **closure, ArcError *err);

/* Normal prior of weight k, given each output's ridge (O): mean 0 and sd 1 / sqrt(ridge), but for a
 * level sd 1, and for numbers of the hidden layer what was drawn, sd 1 / width. */
void arc_closure_prior(const ArcClosure *closure, int k, const double *ridge, double *mean,
                       double *sd);

/* Weights (K) of a closure that does nothing: those of the hidden layer as drawn. */
void arc_closure_start(const ArcClosure *closure, double *w);

/* Inputs z in SI, neither centred nor scaled, of n states: (n, I). p: the flight's parameters. */
void arc_closure_inputs(const ArcClosureSettings *settings, const ArcFlight *flight, int D, int n,
                        const double *t_s, const double *x, const double *v, const double *p,
                        double *z);

/* Outputs y (n,O) at inputs z (n,I) as above, and the features phi (n,H), nullable: an output's
 * variance is phi' C phi. */
void arc_closure_outputs(const ArcClosure *closure, const double *w, int n, const double *z,
                         double *y, double *phi);

/* Partials (n, K) of output o by all weights, at inputs as above: its variance is j' C j, where the
 * hidden layer is trained too. */
void arc_closure_by_weights(const ArcClosure *closure, const double *w, int o, int n,
                            const double *z, double *by_w);

/* Adds the closure to the accelerations (rates) of n states: a (n,D), a_x, a_v (n,D,D), a_p (n,D,P)
 * where P counts the K weights too, whose columns are the last and are set; the columns before are
 * p's and are added to. a_x, a_v and a_p are nullable one by one; v and a_v NULL for own equations
 * of first order. Where it replaces a law, the flight's own has none. Takes no memory, and serves
 * several threads. */
void arc_closure_add(const ArcClosure *closure, const ArcFlight *flight, int n, const double *t_s,
                     const double *x, const double *v, const double *p, const double *w, int P,
                     double *a, double *a_x, double *a_v, double *a_p);

/* True when a_x is zero whatever the state. */
bool arc_closure_is_position_free(const ArcClosureSettings *settings, const ArcFlight *flight);

#endif
