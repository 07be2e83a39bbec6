/* The estimate behind a tracker: least squares over the frames so far, begun where it stands.
 *
 * Rows: (x(t_i)_c - y_ic) / sigma_ic of each coordinate that was seen, (u - mean) / sd of each
 * prior, and F (u - u0) + f of frames that were linearised. By QR, [J r] = Q [R c; 0 rest],
 * they are handed to the solver as n + 1 rows, whatever the number of frames:
 *   |J d + r|^2 = |R d + c|^2 + rest^2
 * Of many points the first are linearised about a solution over all, and stand as such rows until
 * there are a sixteenth more, or the estimate has moved by a fifth of an sd: what a frame takes
 * then hardly depends on how many there are.
 */
#ifndef ARC_AIM_TRACK_FIT_H
#define ARC_AIM_TRACK_FIT_H

#include "arcfit/track.h"
#include "base/arena.h"
#include "fit/flyer.h"
#include "solve/least_squares.h"

typedef struct ArcTrackPoint {
    double time_s;
    double x_m[3], sigma_m[3]; /* x NaN: not seen */
    bool is_used, was_used;    /* now; scratch of who tries another choice */
} ArcTrackPoint;

/* Rows F (u - u0) + f of frames that were linearised about u0, and half the square that no u can
 * take from them. */
typedef struct ArcTrackBlock {
    int n_seen, n_used; /* coordinates, points */
    double *F, *f, *u0; /* (n, n) column-major, (n), (n) */
    double cost;
} ArcTrackBlock;

typedef struct ArcTrackFit {
    const ArcExperiment *experiment;
    int d, up, P, D, Q;
    int t0_index, n_values;                                   /* P, P + 1 + 2 d */
    int n;                                                    /* free parameters */
    int free_parameter[ARC_MAX_PARAMETERS];                   /* (n) */
    double low[ARC_MAX_PARAMETERS], high[ARC_MAX_PARAMETERS]; /* (n) */
    int n_priors;
    int n_points;
    ArcTrackPoint *points;               /* (ARC_TRACK_MOST_FRAMES) by time */
    double values[ARC_MAX_PARAMETERS];   /* (n_values) the estimate */
    bool stands;                         /* there is one: the last solve went well */
    double *covariance;                  /* (n, n) of it, the pseudo-inverse */
    bool identified[ARC_MAX_PARAMETERS]; /* (n) */
    int n_null;
    double *null;           /* (n_null, n) in the parameters' units */
    double cost;            /* half the sum of squares there */
    int n_seen, n_all_used; /* coordinates and points in it, of blocks too */
    ArcTrackBlock dropped;  /* the oldest points, which are kept no more */
    ArcTrackBlock frozen;   /* these and the first n_frozen points; in force where n_frozen > 0. Who
                             * changes what is used of them sets it to 0 */
    int n_frozen;
    double trial[ARC_MAX_PARAMETERS]; /* values that are flown */
    ArcFlyer *flyer;
    ArcLeastSquares *solver;
    int n_evaluations; /* of the last solve */
    int n_used;
    int *used;                     /* points of the flown times */
    double *times_s, *x, *v, *x_q; /* (n_used), (n_used, D), .., (n_used, D, Q) */
    int most_rows;
    double *rows, *tau, *work; /* (most_rows, n + 1) column-major */
    double *fold_r, *fold_J;   /* (n + 1), (n + 1, n) */
} ArcTrackFit;

/* Estimates from nothing: starts, priors, defaults. The flyer serves others, too. ARC_MEMORY. */
ArcStatus arc_track_fit_create(const ArcExperiment *experiment, ArcArena *arena, ArcTrackFit **fit,
                               ArcError *err);

/* Puts a point among the others by its time; the oldest half is dropped first where there is no
 * room. Returns its index. */
int arc_track_fit_insert(ArcTrackFit *fit, const ArcTrackPoint *point);

/* The point whose time it is; -1: none. */
int arc_track_fit_find(const ArcTrackFit *fit, double time_s);

/* Solves over the used points; is_cold: from starts by the data, not from where it stands. What is
 * known of the estimate follows. ARC_NUMERIC: the flight cannot be followed; fit->stands is then
 * false. */
ArcStatus arc_track_fit_solve(ArcTrackFit *fit, bool is_cold, ArcError *err);

/* How far a point lies from the estimated flight, as chi2 over its *dof coordinates: foreseen, by
 * an estimate that does not know it, whose covariance counts too; else by its sigma alone. NaN: it
 * cannot be told. */
double arc_track_fit_off(ArcTrackFit *fit, const ArcTrackPoint *point, bool foreseen, int *dof);

/* sd of a number with gradient (n_values): NaN where it depends on what is not told. */
double arc_track_fit_sd(const ArcTrackFit *fit, const double *gradient);

/* Covariance of two numbers. */
double arc_track_fit_covariance(const ArcTrackFit *fit, const double *a, const double *b);

#endif
