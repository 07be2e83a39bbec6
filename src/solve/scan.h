/* A scan for the interval in which something pushed that a linear model leaves out.
 *
 * Model: r = J p + F a + noise, noise ~ N(0, 1) a row; J (rows, n) the nuisance parameters, F
 * (rows, d cells) what a unit push in each of `cells` successive cells along each of d axes does to
 * the rows. With everything projected on the complement of range(J) (r, F), an interval I of cells
 * with a constant push in it explains T_I = s_I' G_I^-1 s_I,  s_I = sum over I of F' r,  G_I = sum
 * over I x I of F' F, push = G_I^-1 s_I with covariance G_I^-1, T_I being chi-square of d degrees
 * where nothing pushes. The scan takes the largest T_I over all intervals (Kulldorff, Commun. Stat.
 * Theory Methods 26 (1997) 1481, with a Gaussian likelihood: Siegmund and Venkatraman, Ann. Stat.
 * 23 (1995) 255). How likely that is without any push is found by drawing s ~ N(0, G), one after
 * the other until so many exceed it (Besag and Clifford, Biometrika 78 (1991) 301): few draws where
 * nothing is seen, all where something is.
 */
#ifndef ARC_SOLVE_SCAN_H
#define ARC_SOLVE_SCAN_H

#include "base/arena.h"
#include "base/random.h"

#include <stdbool.h>

enum { ARC_SCAN_MAX_AXES = 3, ARC_SCAN_DRAWS = 1999, ARC_SCAN_EXCEEDANCES = 20 };

/* J, F, r are column-major and used up. Column of axis c and cell j of F: c cells + j. */
typedef struct ArcScanProblem {
    int rows, n, d, cells;
    double *J, *F, *r;
} ArcScanProblem;

typedef struct ArcScanResult {
    bool found;      /* false: no interval whose push the rows could tell from the parameters */
    int first, last; /* cells of the interval, both included */
    double push[ARC_SCAN_MAX_AXES];
    double covariance[ARC_SCAN_MAX_AXES * ARC_SCAN_MAX_AXES]; /* (d, d) */
    double statistic;                                         /* its T */
    double p;        /* of T with the noise as given; at least 1 / (ARC_SCAN_DRAWS + 1) */
    double p_scaled; /* of T / chi2, which no common factor of the noise changes */
    double chi2;     /* |r|^2 of what the parameters leave over */
    int dof;         /* rows less the rank of J */
} ArcScanResult;

/* Scratch in the arena. ARC_MEMORY. ARC_NUMERIC where a number is not finite. */
ArcStatus arc_scan_run(const ArcScanProblem *problem, ArcRandom random, ArcArena *arena,
                       ArcScanResult *result, ArcError *err);

#endif
