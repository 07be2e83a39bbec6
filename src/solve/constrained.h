/* A smooth function made small under smooth constraints, by sequential quadratic programming.
 *
 *   min f(z)   with   h(z) = 0,   c(z) <= 0,   low <= z <= high
 *
 * The steps are those of SLSQP (Kraft, DFVLR-FB 88-28 (1988)) as NLopt has it, in z / size. At a
 * minimum there are multipliers l with l_c >= 0, l_c c = 0, and of bounds alike, so that
 *   grad f + l_h h' + l_c c' + l_b = 0                       (Karush, Kuhn, Tucker)
 * The multipliers are worked out by least squares over what is active, of which those of the wrong
 * sign are let go, and what is left of the sum tells how near the minimum is.
 */
#ifndef ARC_SOLVE_CONSTRAINED_H
#define ARC_SOLVE_CONSTRAINED_H

#include "arcfit/solve.h"
#include "base/arena.h"

#include <stdbool.h>

enum { ARC_CONSTRAINED_MAX = 80, ARC_CONSTRAINED_MAX_ROWS = 300 };

typedef struct ArcConstrained {
    int n;                    /* at most ARC_CONSTRAINED_MAX */
    const double *low, *high; /* (n), -inf, inf: none */
    const double *size;       /* (n) of a change that matters, > 0 */
    int n_equal, n_most;      /* rows of h and c, at most ARC_CONSTRAINED_MAX_ROWS together */
    const double *row_size;   /* (n_equal + n_most) of a row's value that matters, > 0 */
    void *context;
    /* f and the rows of h, then c, with their gradients: (n), and (rows, n) row-major; gradients
     * are NULL together. False: that point cannot be had. */
    bool (*evaluate)(void *context, const double *z, double *f, double *gradient, double *rows,
                     double *J);
} ArcConstrained;

typedef struct ArcConstrainedSettings {
    int max_evaluations; /* with and without gradients */
    double tolerance;    /* of the condition above, by sizes, relative to 1 + |grad f| */
    double feasible;     /* of the rows, by their sizes */
} ArcConstrainedSettings;

/* 200, 1e-8, 1e-9. */
ArcConstrainedSettings arc_constrained_settings_default(void);

typedef struct ArcConstrainedResult {
    ArcStop stop; /* ARC_STOP_GRADIENT: a minimum by its tolerance */
    int evaluations;
    double value;
    double violation;                            /* the largest of the rows, by their sizes */
    double optimality;                           /* what is left of the condition */
    double multiplier[ARC_CONSTRAINED_MAX_ROWS]; /* of the rows by their own units; 0: inactive */
} ArcConstrainedResult;

typedef struct ArcConstrainedSolver ArcConstrainedSolver; /* scratch, in the arena */

/* problem is copied, its arrays borrowed; there is room for the most rows. */
ArcStatus arc_constrained_create(const ArcConstrained *problem,
                                 const ArcConstrainedSettings *settings, ArcArena *arena,
                                 ArcConstrainedSolver **solver, ArcError *err);

/* Another number of rows, with their sizes (borrowed). */
void arc_constrained_set_rows(ArcConstrainedSolver *solver, int n_equal, int n_most,
                              const double *row_size);

/* From z (n), moved into its bounds, in place: to the best point that keeps the rows, else to the
 * one that breaks them least. ARC_STOP_NON_FINITE: z cannot be had, and is as it was. */
ArcConstrainedResult arc_constrained_run(ArcConstrainedSolver *solver, double *z);

/* Where z stands, without a step: value, violation, optimality, multipliers. */
ArcConstrainedResult arc_constrained_look(ArcConstrainedSolver *solver, const double *z);

#endif
