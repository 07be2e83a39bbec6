/* Fitting: a Problem made of an experiment and its capture, fitted by the PINN or directly. Both
 * minimise one sum of squares over the free parameters (the PINN over its net's weights as well):
 * observations, priors and, for the PINN, the residual of the equations of motion. */
#ifndef ARCFIT_FIT_H
#define ARCFIT_FIT_H

#include "arcfit/arm_fit.h"
#include "arcfit/capture.h"
#include "arcfit/experiment.h"
#include "arcfit/identifiability.h"
#include "arcfit/solve.h"
#include "arcfit/spread.h"

#pragma GCC visibility push(default)

enum { ARC_TRAJECTORY_POINTS = 101, ARC_MAX_DERIVED = 64, ARC_MAX_SEGMENTS = 9 };

typedef struct ArcProblem ArcProblem;

/* Joins the two and works out starts from the data; keeps no pointer into them. const once made.
 * ARC_INPUT (with a place) where they do not fit together: t0 after the first used point, another
 * number of axes, no coordinate to fit, nothing free. Starts that the data give keep to bounds. */
ArcStatus arc_problem_create(const ArcExperiment *experiment, const ArcCapture *capture,
                             ArcProblem **problem, ArcError *err);

/* Accepts NULL. */
void arc_problem_free(ArcProblem *problem);

typedef enum ArcParameterStatus {
    ARC_PARAMETER_FREE,
    ARC_PARAMETER_FIXED,
    ARC_PARAMETER_AT_BOUND,
    ARC_PARAMETER_UNIDENTIFIED,
    ARC_PARAMETER_TIED /* the release: it follows from the arm's parameters */
} ArcParameterStatus;

/* "free", "fixed", "at-bound", "unidentified", "tied". */
const char *arc_parameter_status_text(ArcParameterStatus status);

/* A number with its standard deviation. sd and ci95 are 0 width for fixed, NaN for unidentified. */
typedef struct ArcEstimate {
    const char *name;
    const char *unit;
    double value;
    double sd;
    double ci95[2];
    double start;
    ArcParameterStatus status;
    int free_index;     /* row in the covariance, -1 where fixed */
    const char *reason; /* for at-bound and unidentified: why, one phrase; else NULL */
} ArcEstimate;

/* One row of the training history. cost is half the sum of squares, its parts those of the
 * observations, the physics and the priors. What a method or an optimiser does not have is NaN. */
typedef struct ArcHistoryRow {
    int start; /* which of the starts, from 0 */
    int stage; /* 0, 1, ...: rungs of the ladder count as stages */
    int iteration;
    double cost, observations, physics, priors;
    double step_sd; /* length of the Gauss-Newton step in standard deviations */
    double rate;    /* Adam's learning rate; L-BFGS: the accepted share of the direction */
} ArcHistoryRow;

typedef struct ArcResiduals {
    int points;                       /* fitted */
    int observations;                 /* finite fitted coordinates */
    int n_readings;                   /* parameters that were measured (arm_fit.h), t0 among them */
    int n_swing;                      /* numbers of the arm's swing */
    double chi2;                      /* of observations, readings and swing */
    double readings_chi2, swing_chi2; /* parts of it */
    double prior_chi2;
    int dof;       /* observations + readings + swing + priors - free */
    double chi2_p; /* of chi2 + prior_chi2 at dof; with a robust loss of the observations within
                    * 2.5 sigma, 0 where these are less than half of them; NaN where dof < 1 or
                    * sigma is estimated */
    double rms_m;  /* of positions in metres; NaN where there are none */
    double rms_px; /* of what cameras saw; NaN where there are none */
    double physics_rms_m_s2;        /* at the collocation points; NaN for direct */
    double physics_rms_fine_m_s2;   /* between them; NaN for direct */
    double sigma_phys_m_s2;         /* NaN for direct */
    double sigma_phys_ci95_m_s2[2]; /* of `physics: auto`; else NaN */
    int held_out_points;
    double held_out_rms_m, held_out_rms_px; /* NaN where none */
    int n_cameras;                          /* of the capture */
    const ArcCameraResiduals *cameras;
} ArcResiduals;

/* The fitted nets, one a segment between bounces (n_segments, mostly 1), each with its begin_s
 * since the release and its span_s: s = t - t0 - begin_s, tau = 2 s / span_s - 1, x = x0 + v0 s +
 * s^2 scale_m_s2 N(tau), x0 and v0 those of the segment's begin. weights: all nets' (n_weights), as
 * in net.h, one net behind the other; NULL for direct. */
typedef struct ArcFittedNet {
    ArcNetSettings settings;
    int n_outputs; /* coordinates of a state (flight.h) */
    int n_weights;
    const double *weights;
    int n_segments;
    const double *begin_s, *span_s; /* (n_segments) */
    double scale_m_s2;
    int collocation; /* points */
} ArcFittedNet;

/* Read-only; owned by its arena. Arrays are row-major. */
typedef struct ArcFit {
    ArcMethod method;
    bool converged;
    ArcStop stop;
    int iterations;
    double wall_s; /* of optimisation and covariance, without trajectory and derived numbers */
    int n_parameters;
    const ArcEstimate *parameters;
    int n_derived;
    const ArcEstimate *derived;
    int n_remarks; /* about derived numbers: which are left out and why; inside a rim or outside */
    const char *const *remarks;
    int n_free;
    ArcSpread spread;
    double interval_factor;   /* half a 95 % interval of any number, in its sd */
    const double *covariance; /* (n_free, n_free), the pseudo-inverse where directions are null */
    int n_unidentified; /* groups: null directions of the Jacobian, and one where a view does not
                         * tell the distance: an sd above 0.15 of it. covariance is at given ones */
    const double *null_directions;  /* (n_unidentified, n_free), in the parameters' units */
    const int *unidentified_size;   /* (n_unidentified) parameters in each */
    const int *const *unidentified; /* indices into parameters */
    const ArcIdentifiability *identifiability; /* NULL: all is told, and no arm to measure */
    ArcResiduals residuals;
    int n_trajectory; /* ARC_TRAJECTORY_POINTS, from t0 to the last used point, held out or not */
    int dimensions;
    const double *time_s;                                        /* (n_trajectory) */
    const double *position_m, *velocity_m_s, *acceleration_m_s2; /* (n_trajectory, d) */
    const double *predicted_m; /* (capture points, d) at every used point from t0 on; else NaN */
    const double
        *predicted_px; /* (capture points, 3) u, v, radius by its camera; NULL: no camera */
    int n_history;
    const ArcHistoryRow *history;
    ArcFittedNet net;
    const char
        *stop_note;     /* where training met what is not finite, and what to change; else NULL */
    const char *stages; /* of the laws, in order, that led to this fit; NULL: none */
    int n_starts, n_starts_converged;
    double start_spread_sd; /* largest sd over converged starts of an estimate, in its sd */
    const struct ArcUncertainty *uncertainty; /* beyond the covariance; NULL: not asked for */
    const struct ArcRandomised *randomised;   /* by other values (randomised.h); NULL: none */
    const ArcFittedReading *readings;         /* (residuals.n_readings); NULL of several flights */
    const ArcArmFit *arm;                     /* that threw; NULL: none, or several flights */
    const struct ArcStatesFit *states;        /* of own equations (states.h); NULL: a flight */
    const struct ArcClosureFit *closure;      /* of all flights together (closure.h); NULL: none */
    const double *weights_covariance; /* (n_free, weights) with them; NULL: they count as known */
    /* Of several flights (joint.h) parameters, covariance and unidentified are those of the shared
     * ones, and there is no trajectory; each flight is a fit of its own, with all parameters. */
    int n_flights; /* 0: one flight, which this is */
    const struct ArcFit *flights;
    const char *flight; /* of one of several: its name; else NULL */
    void *arena;
} ArcFit;

/* Where a run stands after an iteration, or after a piece of what follows the fit (uncertainty.h).
 * Pointers are valid during the call only. */
typedef struct ArcProgressState {
    ArcMethod method;
    const char *optimizer;    /* "linear", "lm", "adam", "lbfgs"; "direct"; "profile NAME",
                               * "bootstrap", "sample", "randomise" */
    int steps;                /* at most, of this stage */
    const ArcHistoryRow *row; /* NULL after the fit: then done of steps is done */
    int done;
    int n_parameters;
    const ArcParameter *parameters; /* name and unit of each */
    const double *values;           /* (n_parameters) */
} ArcProgressState;

/* Called after every iteration, by one thread at a time, so that it must not fit itself; return
 * false to stop (ARC_STOP_INTERRUPTED). */
typedef bool (*ArcProgress)(void *context, const ArcProgressState *state);

/* All zero: defaults. */
typedef struct ArcFitOptions {
    ArcProgress progress; /* may be NULL */
    void *context;
    int threads;                     /* for several starts; 0: one */
    const char *checkpoint;          /* file that the PINN's training is saved in; NULL: none */
    double checkpoint_every_s;       /* 0: after every step */
    const char *resume;              /* checkpoint to go on from; NULL: from the beginning */
    const struct ArcFit *warm_start; /* earlier fit whose net and parameters are the start */
} ArcFitOptions;

/* Fits. A fit that does not converge or identify is still ARC_OK: look at fit. ARC_MEMORY.
 * ARC_NUMERIC where not even the start can be evaluated; the message names the term. */
ArcStatus arc_fit_run(const ArcProblem *problem, ArcMethod method, const ArcFitOptions *options,
                      ArcFit **fit, ArcError *err);

/* Accepts NULL. */
void arc_fit_free(ArcFit *fit);

/* What the data can identify, judged at the start values without fitting: the same fields as a fit,
 * estimates at their starts, sd as expected there. */
ArcStatus arc_fit_forecast(const ArcProblem *problem, ArcFit **fit, ArcError *err);

#pragma GCC visibility pop

#endif
