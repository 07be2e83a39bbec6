/* A smooth function of a few unknowns made small within bounds on each of them.
 *
 * Newton's method in the free unknowns, those that do not stand at a bound which the gradient
 * pushes them against (Bertsekas, SIAM J. Control 20 (1982) 221):
 *   (H + mu diag|H|) step = -g,   u+ = the nearest point to u + step within the bounds
 * mu grows until H + mu diag|H| is positive definite and the function falls, and shrinks with
 * success. H comes from central differences of the gradient, so that what it ends at is as exact as
 * the gradient.
 */
#ifndef ARC_SOLVE_BOX_H
#define ARC_SOLVE_BOX_H

#include <stdbool.h>

enum { ARC_BOX_MAX = 16 };

typedef struct ArcBox {
    int n;                    /* at most ARC_BOX_MAX */
    const double *low, *high; /* (n), -inf, inf: none */
    const double *size;       /* (n) of a change that matters, > 0 */
    void *context;
    /* The function at u (n), and its gradient (n; nullable). */
    double (*value)(void *context, const double *u, double *gradient);
} ArcBox;

/* From u (n), moved into the bounds first, to a minimum nearby, in place, at most so many steps;
 * returns the value there and the gradient (n). */
double arc_box_minimise(const ArcBox *box, int steps, double *u, double *gradient);

/* Whether unknown i stands at a bound, and goes down only beyond: -1 the low one, 1 the high. */
int arc_box_held(const ArcBox *box, const double *u, const double *gradient, int i);

#endif
