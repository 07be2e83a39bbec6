/* Own equations (equations.h) as a problem that both methods fit.
 *
 * The problem is a phase (phase.h) that runs forwards, s = t - t0, in coordinates scaled to a size
 * of about one, X = x / scale, so that one sigma_phys serves all states. Equations of first order
 * x' = f(s, x; p) run as second-order ones of their integral,
 *   Z'' = f(s, Z'; p) / scale,   Z(0) = 0,   Z'(0) = x0 / scale
 * (Z' is the scaled state): the right side never looks at Z, which makes them position-free.
 * Parameters: the model's (t0_index), t0, then the start of each channel.
 */
#ifndef ARC_FIT_SYSTEM_H
#define ARC_FIT_SYSTEM_H

#include "fit/phase.h"

/* A channel made smooth: a natural cubic spline through n times; 0: it was not observed. */
typedef struct ArcSmoothChannel {
    int n;
    double *t_s, *g, *bend; /* (n) times, values, second derivatives */
} ArcSmoothChannel;

typedef struct ArcSystemPhase {
    ArcPhase phase;
    const ArcEquations *equations;
    int column_of[ARC_EQUATIONS_MAX_PARAMETERS]; /* of the model's parameters; -1: fixed */
    double scale[ARC_EQUATIONS_MAX_STATES];
    double span_s;
    int turns; /* of the observed channel that turns most often */
    ArcSmoothChannel smooth[ARC_EQUATIONS_MAX_CHANNELS];
} ArcSystemPhase;

/* Sizes of a problem of own equations. ARC_INPUT: settings that make sense of flights alone, or a
 * capture of other channels. */
ArcStatus arc_system_shape(ArcProblem *problem, const ArcExperiment *experiment,
                           const ArcCapture *capture, ArcError *err);

/* The phase, once observations and t0 are known, and starts from the data. ARC_MEMORY. */
ArcStatus arc_system_create(ArcProblem *problem, ArcError *err);

const ArcSystemPhase *arc_system_of(const ArcProblem *problem);

/* n states of the phase's coordinates (x, v, a of a trajectory), in place: states, their rates, and
 * of second order second derivatives, in their own units. Of first order x becomes v and v a. */
void arc_system_restore(const ArcProblem *problem, int n, double *x, double *v, double *a);

/* Smooth channels, the starts that the experiment does not give, scales and turns
 * (start_system.c). ARC_MEMORY. */
ArcStatus arc_start_system(ArcProblem *problem, ArcSystemPhase *system, ArcError *err);

/* The motion that a fit from these values may begin with, at n ascending s: x, v, a (n,D) in the
 * phase's coordinates, each may be NULL. By the values themselves where that stays with the
 * observations: misfit is then how far it is off them, a root mean square in sigma, else infinite.
 * False: no memory. The second gives a alone. */
bool arc_start_system_motion(const ArcProblem *problem, const double *values, int n,
                             const double *s, const ArcSimOutput *motion, double *misfit);
bool arc_start_system_guess(const ArcProblem *problem, const double *values, int n, const double *s,
                            double *a);

/* What that motion asks of a net (system_gain.c): as phase.h says. */
bool arc_system_detail(const ArcProblem *problem, const double *values, int n, const double *s,
                       ArcDetail *detail);
double arc_system_sigma(const ArcProblem *problem, const double *values);

#endif
