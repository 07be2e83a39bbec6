/* Flying an estimate beyond what was fitted. */
#ifndef ARC_FIT_PREDICT_H
#define ARC_FIT_PREDICT_H

#include "arcfit/closure.h"
#include "arcfit/predict.h"
#include "fit/flyer.h"
#include "fit/method.h"

/* Numbers of a gradient: by the parameters (n_parameters), then by the weights of a closure. */
enum { ARC_MAX_GRADIENT = ARC_MAX_PARAMETERS + ARC_CLOSURE_MAX_WEIGHTS };

/* After so long no apex and no landing is looked for. */
#define ARC_LONGEST_FLIGHT_S 60.0

/* An estimate in the air: simulator, parameters and scratch for up to n times, in the arena. */
typedef struct ArcFlown {
    ArcThrow thrown;
    ArcFlyer *flyer;
    int capacity;
    int K, Q;                      /* weights of a closure among the Q = P + K + 2 D columns */
    double *x, *v, *a, *x_q, *v_q; /* (capacity, D [, Q]) of the last flight */
    double *t_q;                   /* (Q) of the last search */
} ArcFlown;

ArcStatus arc_flown_create(ArcThrow thrown, int capacity, ArcArena *arena, ArcFlown **flown,
                           ArcError *err);

/* From now on with the problem's closure, whose K weights have columns too. */
ArcStatus arc_flown_close(ArcFlown *flown, const ArcProblem *problem, ArcArena *arena,
                          ArcError *err);

/* n ascending times >= t0; false where the flight cannot be followed. */
bool arc_flown_states(ArcFlown *flown, int n, const double *t_s, bool partials);

/* The time of the first event within limit_s after t0, NaN for none. The state there is left in x,
 * v, a, and total derivatives in t_q, x_q, v_q: they vary with the event's time. */
double arc_flown_find(ArcFlown *flown, const ArcSimEvent *event, double limit_s);

/* The same of crossing a plane, and of velocity[axis] falling through zero. */
double arc_flown_crossing(ArcFlown *flown, ArcPlane plane, ArcSimDirection direction,
                          double limit_s);
double arc_flown_apex(ArcFlown *flown, int axis, double limit_s);

/* Gradients (n_parameters, then K weights) at the event found last: of its time since the
 * release, of the coordinate of an axis, and of that of the velocity. */
void arc_flown_time_gradient(const ArcFlown *flown, double *gradient);
void arc_flown_gradient(const ArcFlown *flown, int axis, double *of_x, double *of_v);

/* What fit's estimate moves by: the flight, with its closure where it has one. values: room for
 * ARC_MAX_PARAMETERS + ARC_CLOSURE_MAX_WEIGHTS, of which the parameters' and the weights' are
 * filled. In the arena. ARC_USAGE: a fit that has lost its closure. ARC_MEMORY. */
ArcStatus arc_predict_problem(const ArcExperiment *experiment, const ArcFit *fit, double *values,
                              ArcArena *arena, ArcProblem **problem, ArcError *err);

/* sd of a number with gradient (n_parameters; then the closure's weights, where the fit holds their
 * covariance): NaN where it depends on what the data cannot tell. */
double arc_fit_sd(const ArcFit *fit, const double *gradient);

/* The channels of own equations with bands; as arc_predict_state. */
ArcStatus arc_predict_channels(const ArcEquations *equations, const ArcFit *fit, int n,
                               const double *t_s, const ArcPrediction *prediction, ArcError *err);

/* outcome's flight at any times from t0 on: the method's own over the fitted times, its estimate
 * flown after them, NaN where that cannot be followed. Borrows problem and outcome; in the arena.
 */
ArcStatus arc_trajectory_extend(const ArcProblem *problem, const ArcOutcome *outcome,
                                ArcArena *arena, ArcTrajectory *trajectory, ArcError *err);

#endif
