/* One damped, bounded step of a linear least-squares problem in few or many unknowns.
 *
 *   min over d of |B d + c|^2 + lambda |D d|^2,   low <= d <= high
 *
 * B (q, n) column-major. Solved by column-scaled QR with pivoting and truncation of the stacked
 * matrix [B D^-1; sqrt(lambda) I]. Bounds by an active set: unknowns that the solution would push
 * out are held at their bound, the rest is solved again; one that the gradient then pulls inside is
 * freed (as in BVLS: Stark and Parker, Computational Statistics 10 (1995) 129), until none is.
 */
#ifndef ARC_SOLVE_DAMPED_H
#define ARC_SOLVE_DAMPED_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct ArcDampedWork ArcDampedWork;

/* For up to q rows and n unknowns. */
ArcStatus arc_damped_create(int q, int n, ArcArena *arena, ArcDampedWork **work, ArcError *err);

typedef struct ArcDampedProblem {
    int q, n;
    const double *B; /* column-major, leading dimension ld */
    int ld;
    const double *c;    /* (q) */
    const double *D;    /* (n), > 0 */
    double lambda;      /* >= 0 */
    const double *low;  /* (n) of the step, <= 0; -inf where free */
    const double *high; /* (n) of the step, >= 0 */
    double truncation;
} ArcDampedProblem;

/* Fills d (n). False where B, c or the solution is not finite; d is then of no use. */
bool arc_damped_solve(ArcDampedWork *work, const ArcDampedProblem *problem, double *d);

#endif
