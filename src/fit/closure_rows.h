/* Flights linearised about where they are, in unknowns and in any closure.
 *
 * Along the path of a flight x(s), which obeys its equations with the closure that it has, another
 * closure's acceleration differs by da(s), so that
 *   dy_i = by_x . dX(t_i) + by_v . dV(t_i),   (dX, dV)(t) = Phi(t) integral_0^t Phi(s)^-1 (0,
 * da(s)) ds with Phi = d(x, v) / d(x0, v0) from the simulator (variation of constants). The
 * integral is taken at Gauss' points between the observations. So closures of any features and
 * width cost a few sums along the path, and no simulation; what is left out is of second order in
 * da.
 */
#ifndef ARC_FIT_CLOSURE_ROWS_H
#define ARC_FIT_CLOSURE_ROWS_H

#include "fit/joint.h"
#include "solve/ridge.h"

/* One flight at its values. */
typedef struct ArcPath {
    const ArcProblem *base; /* without closure */
    ArcProblem problem;     /* with its closure frozen, or none */
    ArcObjective objective;
    double *values; /* named ones, then weights of its closure */
    int n_own, m;   /* unknowns of its own; rows: observations, then priors */
    int n_nodes;
    double *node_s, *node_weight; /* seconds since the beginning, quadrature weights */
    double *x, *v;                /* (n_nodes, D) */
    double *pull;                 /* (n_nodes, 2 D, D) last columns of Phi^-1 */
    double *row;                  /* (n_observations, 2 D) weight (by_x, by_v) Phi(t_i) */
    int *n_before;                /* (n_observations) nodes before it */
    double *r, *J;                /* (m), (m, n_free) column-major */
    double *bent;                 /* (n_observations) what its present closure does to r */
    struct PathWork *work;
    ArcArena *arena; /* of what goes with its closure */
} ArcPath;

/* For the flights of a run that has ended, without closures, at its values and with its sigmas. In
 * the arena, but for what arc_paths_free gives back. */
ArcStatus arc_paths_create(const ArcJointRun *run, ArcArena *arena, ArcPath **paths, ArcError *err);
void arc_paths_free(int n, ArcPath *paths);

/* The closure that all paths have from now on, and its weights; NULL: none. */
ArcStatus arc_paths_close(int n, ArcPath *paths, const ArcClosure *closure, const double *weights,
                          ArcError *err);

/* Flies all paths by their values; *cost: half the sum of their squares, infinite where one cannot
 * be followed. */
void arc_paths_fly(int n, ArcPath *paths, double *cost);

/* Inputs (n_nodes, I) that the settings ask for along a path. */
void arc_path_inputs(const ArcPath *path, const ArcClosureSettings *settings, double *z);

/* Rows of all paths for arc_ridge_create, own unknowns eliminated: d are the shared unknowns, then
 * the closure's levels. */
typedef struct ArcPathRows {
    ArcRidgeRows ridge;
    int n_levels;
    int *weight;        /* (levels, then K) which of the closure's weights each column is */
    double **triangle;  /* (flights) (n_own, n_own + columns): own unknowns' rows */
    double own_log_det; /* of own unknowns' part of J'J */
} ArcPathRows;

/* After arc_paths_fly. closure NULL: none. unit (O): the sds of its weights are in these units. In
 * the arena. */
ArcStatus arc_paths_rows(const ArcJointRun *run, ArcPath *paths, const ArcClosure *closure,
                         const double *unit, ArcArena *arena, ArcPathRows *rows, ArcError *err);

/* The named unknowns move by a share of a solution of these rows, d and weights: own ones of all
 * paths, and shared (n_shared). */
void arc_paths_step(const ArcJointRun *run, ArcPath *paths, const ArcPathRows *rows,
                    const double *d, const double *weights, double share, double *shared);

#endif
