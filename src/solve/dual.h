/* Many damped unknowns beside few others, in the dual form.
 *
 * min over (y, d) of |Y y + W d + r|^2 + lambda D^2 |d|^2, Y (m, k), W (m, n), n mostly far above
 * m: with K = I + W W' / (lambda D^2) = L L' the damped unknowns are answered by d = -W' K^-1 (Y y
 * + r) / (lambda D^2) and what is left for y is the whitened problem |L^-1 (Y y + r)|^2, for which
 * eliminate.h and damped.h serve as for any other. Costs m^2 n for W W' once, m^3 for each lambda.
 * D^2 is the mean squared length of W's columns, one for all, since a scale of its own lets a dead
 * weight run away.
 */
#ifndef ARC_SOLVE_DUAL_H
#define ARC_SOLVE_DUAL_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct ArcDual {
    int m, n;
    double *gram; /* (m + 1, m) column-major: W W' in the upper triangle, L in the one below it */
    double D2;    /* D^2 */
    double lambda;
} ArcDual;

ArcStatus arc_dual_create(int m, int n, ArcArena *arena, ArcDual *dual, ArcError *err);

/* A new W (m, n) column-major; D2 is not finite where W is not, or its squares overflow. */
void arc_dual_load(ArcDual *dual, const double *W);

/* L for this lambda > 0; false where W is not finite. */
bool arc_dual_factorise(ArcDual *dual, double lambda);

/* B (m, columns) becomes L^-1 B. */
void arc_dual_whiten(const ArcDual *dual, int columns, double *B);

/* d (n) for rest (m) = Y y + r, which is used up. */
void arc_dual_answer(const ArcDual *dual, const double *W, double *rest, double *d);

#endif
