/* Affine-invariant ensemble sampler: the stretch move of Goodman and Weare (Commun. Appl. Math.
 * Comput. Sci. 5 (2010) 65), in the two-group form of Foreman-Mackey et al. (PASP 125 (2013) 306).
 *
 * W walkers x_k in n dimensions. One sweep moves the first half along lines to walkers x_j drawn
 * from the second, then the second along lines to the first:
 *   y = x_j + Z (x_k - x_j),  density of Z ~ 1/sqrt(Z) on [1/2, 2]
 *   accepted with probability min(1, Z^(n-1) p(y) / p(x_k))
 * which leaves p invariant and is as good for any linear image of p.
 */
#ifndef ARC_SOLVE_ENSEMBLE_H
#define ARC_SOLVE_ENSEMBLE_H

#include "base/arena.h"
#include "base/random.h"

/* log p up to a constant; -inf or NaN where p is zero or cannot be had. */
typedef struct ArcDensity {
    int n;
    void *context;
    double (*log_density)(void *context, const double *x);
} ArcDensity;

typedef struct ArcEnsemble {
    ArcDensity density;
    int n_walkers;
    double *x;           /* (n_walkers, n) */
    double *log_density; /* (n_walkers) */
    double *moved;       /* (n) scratch */
    ArcRandom random;
    long long n_tried, n_accepted;
} ArcEnsemble;

/* n_walkers even, more than n; start (n_walkers, n), copied, spanning all dimensions. A walker
 * whose density is zero begins anew by its first move that is not. In the arena. ARC_MEMORY. */
ArcStatus arc_ensemble_create(const ArcDensity *density, int n_walkers, const double *start,
                              ArcRandom random, ArcArena *arena, ArcEnsemble **ensemble,
                              ArcError *err);

/* Moves every walker once. No allocation. */
void arc_ensemble_sweep(ArcEnsemble *ensemble);

#endif
