/* A linear least-squares problem in blocks that share unknowns.
 *
 *   min over (d_1 .. d_N, e) of  sum_b ( |T_b (d_b, e_b) + c_b|^2 + lambda |D_b d_b|^2
 *                                        + sum_t ((d_b - e)_t + o_bt)^2 / tau_t^2 )
 *                                + sum_k ((e_k + f_k) / w_k)^2 + lambda |D e|^2,
 *   low <= d, e <= high
 *
 * d_b are a block's own unknowns, e the shared ones, e_b those that the block knows. A tie t pulls
 * one own unknown to a shared one, the mean of its population with standard deviation tau.
 *
 * Each block's own unknowns are eliminated by a QR of its few rows (eliminate.h); the rows that are
 * left know shared unknowns alone and are stacked under those of the blocks before, which become a
 * triangle whenever the stack is full. So time and memory grow linearly with the blocks, and no
 * normal equations are formed. Bounds of own unknowns by an active set: what lies outside is held
 * at its bound, what its gradient pulls inside is let go; those of shared ones in damped.h.
 */
#ifndef ARC_SOLVE_BLOCKS_H
#define ARC_SOLVE_BLOCKS_H

#include "solve/damped.h"
#include "solve/eliminate.h"

/* The own unknown and the place among the block's border of the mean that it is tied to. */
typedef struct ArcBlockTie {
    int own, mean;
} ArcBlockTie;

typedef struct ArcBlock {
    int n_own, n_outer; /* columns of T: own ones, then the first of the border */
    int n_border;       /* >= n_outer - n_own; those behind are known by ties alone */
    const int *border;  /* (n_border) indices of shared unknowns, each once */
    const double *T;    /* (n_outer, n_outer) column-major, upper triangular */
    const double *c;    /* (n_outer) */
    int n_ties;
    const ArcBlockTie *ties;
    const double *offset;     /* (n_ties) o */
    const double *D;          /* (n_own) > 0 */
    const double *low, *high; /* (n_own) of the step, low <= 0 <= high */
    bool *held;               /* (n_own) scratch */
    double *d;                /* (n_own) the step */
    double *Y;                /* (n_own, n_border + 1) scratch */
} ArcBlock;

/* Of the shared unknowns; all (n_shared). */
typedef struct ArcBlocksShared {
    const double *D, *low, *high;
    const double *prior_offset, *prior_sd; /* f, w; infinite: no prior */
    const double *population_sd;           /* tau, of those that are means */
} ArcBlocksShared;

typedef struct ArcBlocks {
    int n_blocks, n_shared;
    ArcBlock *blocks;
    ArcBlocksShared shared;
    double *e;          /* (n_shared) the step */
    double *R, *c;      /* (n_shared, n_shared) column-major upper triangular, (n_shared): the
                         * shared unknowns' rows of the last reduction */
    double promised;    /* of the last step: how much it takes off half the sum, without damping */
    double image_norm2; /* |J d|^2 of it */
    double own_log_det; /* of the last reduction: of the own unknowns' part of J'J */
    ArcElimination elimination; /* scratch for the largest block */
    ArcDampedWork *damped;
    double *rows, *rhs;
    double *stack, *tau, *work;
    int n_stacked, capacity, n_work;
    int *column; /* (n_own) of the own unknowns that are not held */
} ArcBlocks;

/* blocks (n_blocks), borrowed, with their sizes set; the arrays of shared may be set later. */
ArcStatus arc_blocks_create(int n_blocks, ArcBlock *blocks, int n_shared, ArcArena *arena,
                            ArcBlocks *result, ArcError *err);

/* Steps d and e, promised and image_norm2. False where something is not finite. */
bool arc_blocks_solve(ArcBlocks *problem, double lambda, double truncation);

/* R of the undamped problem with nothing held and nothing truncated, so that inverse(R'R) is the
 * shared unknowns' covariance. */
bool arc_blocks_factorise(ArcBlocks *problem);

/* After arc_blocks_factorise: the factor of one block's own unknowns, then all shared ones, into F
 * (n_own + n_shared)^2, column-major upper triangular: inverse(F'F) is their covariance. */
bool arc_blocks_factor(ArcBlocks *problem, int block, double *F);

/* Lengths of the columns of one block's own unknowns (n_own), and of the shared ones (n_shared), in
 * all rows, priors and ties included. */
void arc_blocks_own_lengths(const ArcBlocks *problem, int block, double *length);
void arc_blocks_shared_lengths(const ArcBlocks *problem, double *length);

/* Of the own unknowns tied to the shared one k: a typical standard deviation by their own rows
 * alone, all else known. NaN where these tell nothing. */
double arc_blocks_member_sd(const ArcBlocks *problem, int k);

/* The minimum of half the sum without bounds, less what no step changes, plus half the logarithm of
 * det(J'J) of own and shared unknowns and the ties' normalisation: minus the logarithm of the
 * marginal likelihood of the population sds, up to a constant (Laplace, and exact where the problem
 * is linear; shared unknowns without prior integrated over a flat one: REML). NaN where it cannot
 * be had. */
double arc_blocks_evidence(ArcBlocks *problem, const double *population_sd, double truncation);

#endif
