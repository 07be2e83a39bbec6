/* Several nonlinear least-squares problems that share unknowns, solved as one.
 *
 *   min F = sum_b |r_b(z_b)|^2 / 2 + sum_bt ((x_bt - s_t) / tau_t)^2 / 2
 *           + sum_k ((s_k - m_k) / w_k)^2 / 2
 *
 * over each block's z_b = (inner, outer), as an ArcObjective has them, where an outer unknown is
 * either the block's own or stands for a shared one s_k. An own one may belong to a population,
 * whose mean is a shared unknown and whose standard deviation tau is given.
 *
 * Gauss-Newton or Levenberg-Marquardt with bounds, as least_squares.h: at a point every block is
 * evaluated and its inner unknowns eliminated, one after the other, and only the small triangle of
 * its outer unknowns is kept; a step is found from those (blocks.h). J and its scratch are shared,
 * so that what is kept of a block is as large as its unknowns. Time and memory grow linearly.
 */
#ifndef ARC_SOLVE_JOINT_SOLVER_H
#define ARC_SOLVE_JOINT_SOLVER_H

#include "solve/least_squares.h"

typedef struct ArcJointBlock {
    ArcObjective objective;   /* without damped unknowns */
    const int *shared;        /* (n_outer) the shared unknown that each stands for; -1: its own */
    const int *mean;          /* (n_outer) of own ones: the shared unknown that is their
                               * population's mean; -1: none. NULL: none at all */
    const double *low, *high; /* (n_outer) bounds of own ones */
    double *z;                /* (n_inner + n_outer): start, then the end */
} ArcJointBlock;

/* All (n_shared). */
typedef struct ArcJointShared {
    int n;
    const double *low, *high;
    const double *prior_mean, *prior_sd; /* sd infinite: no prior */
    const double *population_sd;         /* > 0, of means; may change between runs */
    double *s;                           /* start, then the end */
} ArcJointShared;

typedef struct ArcJointSolver ArcJointSolver;

/* blocks (n_blocks) and all that they and shared point to are borrowed. max_iterations, truncation,
 * tolerance, relative_tolerance, lambda and progress (with r NULL) of settings count. */
ArcStatus arc_joint_solver_create(int n_blocks, const ArcJointBlock *blocks,
                                  const ArcJointShared *shared,
                                  const ArcLeastSquaresSettings *settings, ArcArena *arena,
                                  ArcJointSolver **solver, ArcError *err);

/* From z and s to z and s, without allocation. With ARC_STOP_NON_FINITE before the first step they
 * are as they were, and *failed (nullable) is the first block that cannot be evaluated; else -1. */
ArcLeastSquaresResult arc_joint_solver_run(ArcJointSolver *solver, int *failed);

/* After a run that could be evaluated: half the sum of squares of one block's rows, its ties
 * left out. */
double arc_joint_solver_cost(const ArcJointSolver *solver, int block);

/* The factor R (n, n) of the shared unknowns at the end of a run, column-major upper triangular:
 * inverse(R'R) is their covariance. NULL where it cannot be had. */
const double *arc_joint_solver_factor(ArcJointSolver *solver);

/* After arc_joint_solver_factor: that of one block's own outer unknowns in their order, then all
 * shared ones, F (n_own + n)^2. */
bool arc_joint_solver_block_factor(ArcJointSolver *solver, int block, double *F);

/* After a run: what a unit of each unknown changes in the residuals, before anything but inner
 * unknowns is eliminated: of block's own ones (n_own), of the shared ones (n) where block is -1. */
void arc_joint_solver_scales(const ArcJointSolver *solver, int block, double *scale);
int arc_joint_solver_n_own(const ArcJointSolver *solver, int block);

/* At the end of a run, of the shared unknown k that is a population's mean: the standard deviation
 * of its members by their own rows alone, all else known, as a typical one. */
double arc_joint_solver_member_sd(const ArcJointSolver *solver, int k);

/* Minus the logarithm of the marginal likelihood of population_sd (n) at the end of a run, by the
 * linearised problem there (arc_blocks_evidence). */
double arc_joint_solver_evidence(ArcJointSolver *solver, const double *population_sd);

#endif
