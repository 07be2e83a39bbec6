/* The rows of a fit at its end: what each observation says, by itself and beside the others.
 *
 * With m the mean of psi' over the observations, the estimate's equations sum psi(r_i) J_i = 0 have
 * the matrix A = m J_o'J_o + J_x'J_x (o: observations, x: priors and physics, whose loss is the
 * square). All here is of the least-squares problem whose rows of observations are weighed by
 * sqrt(m); inner unknowns are eliminated (eliminate.h).
 */
#ifndef ARC_FIT_ROWS_H
#define ARC_FIT_ROWS_H

#include "fit/loss.h"
#include "solve/eliminate.h"
#include "solve/least_squares.h"
#include "solve/posterior.h"

typedef struct ArcRows {
    int m, n, n_outer;   /* rows, observations among them (the first), outer unknowns */
    int n_all;           /* inner and outer unknowns */
    double *off;         /* (n) residuals in sigma */
    double *coordinates; /* (n, n_all) row-major: orthonormal, of the weighed rows */
    double *leverage;    /* (n): squared length of those */
    double effective;    /* their sum: unknowns that the observations determine */
    double curvature;    /* m */
    double *influence;   /* (m, n_outer) row-major: change of the outer unknowns by one unit of a
                            weighed row's residual */
    ArcPosterior posterior;
    ArcObjective objective;
    ArcElimination elimination;
    double *r, *J, *inner, *outer; /* scratch */
} ArcRows;

/* Room for the rows of an objective with n observations. All in the arena. */
ArcStatus arc_rows_create(const ArcObjective *objective, int n, ArcArena *arena, ArcRows **rows,
                          ArcError *err);

/* Residuals, leverages and factor at z; false where they cannot be had. */
bool arc_rows_look(ArcRows *rows, const ArcLoss *loss, const double *z);

/* Posterior and influences after a look that succeeded. Takes memory of the arena. */
ArcStatus arc_rows_weigh(ArcRows *rows, ArcArena *arena, ArcError *err);

#endif
