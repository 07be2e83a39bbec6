/* Ridge regression in groups, and what the data say of the ridges.
 *
 *   F(d, W) = |A_d d + sum_g A_g W_g + r|^2 / 2 + sum_g |W_g|^2 / (2 sd_g^2)
 *
 * in rows that come in blocks, with S unknowns d without prior and weights W in G groups, of which
 * each has a normal prior with mean zero and an sd of its own. With everything but the sds
 * integrated out,
 *   -log p(data | sd) = min F + log det(H) / 2 + sum_g n_g log sd_g
 *   H = [A_d A_W]'[A_d A_W] + 1/sd^2
 * (MacKay, Neural Comput. 4 (1992) 415; exact, for F is quadratic). An sd of 0 leaves a group out.
 * Of each group only those directions are kept that could count at the largest sd (pivoted
 * Cholesky), so that matrices are small. Along one sd, what else is unknown is eliminated once and
 * the group's matrix made tridiagonal: each value is then one pass over its numbers.
 */
#ifndef ARC_SOLVE_RIDGE_H
#define ARC_SOLVE_RIDGE_H

#include "base/arena.h"

#include <stdbool.h>

enum { ARC_RIDGE_MAX_GROUPS = 16 };

/* rows (m, S + K + 1) column-major, leading dimension ld: of d, of the weights group by group, r.
 */
typedef struct ArcRidgeRows {
    int m, ld, S, K, G;
    int size[ARC_RIDGE_MAX_GROUPS]; /* of each group; K together */
    int n_blocks;
    const int *first; /* (n_blocks + 1) row that each block begins with; what follows is of none */
    const double *rows;
} ArcRidgeRows;

typedef struct ArcRidge ArcRidge; /* borrows nothing; in its arena */

/* low, high (G): range of the sds. ARC_MEMORY; ARC_NUMERIC where the rows are not finite. */
ArcStatus arc_ridge_create(const ArcRidgeRows *rows, const double *low, const double *high,
                           ArcArena *arena, ArcRidge **ridge, ArcError *err);

/* -log p(data | sd) as above. */
double arc_ridge_evidence(ArcRidge *ridge, const double *sd);

/* Sum over the blocks of minus the log density of a block's rows given all others', up to what no
 * sd changes: evidence of all less that of the others. */
double arc_ridge_left_out(ArcRidge *ridge, const double *sd);

/* The least of either of them over the sds: each within its range, or 0 where that is as good. sd:
 * start, then the end. Returns the least value. */
typedef double (*ArcRidgeMeasure)(ArcRidge *ridge, const double *sd);
double arc_ridge_minimise(ArcRidge *ridge, ArcRidgeMeasure measure, double *sd);

/* -log of p(data | sd) averaged over the ranges, log-uniform: each sd by itself with one or two
 * groups, together (as the same share of their ranges) with more. */
double arc_ridge_average(ArcRidge *ridge);

/* d (S) and weights (K) that minimise F. */
void arc_ridge_solve(ArcRidge *ridge, const double *sd, double *d, double *weights);

/* Weights that the data determine: sum of 1 - var(W_k) / sd^2. */
double arc_ridge_effective(ArcRidge *ridge, const double *sd);

#endif
