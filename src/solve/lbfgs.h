/* L-BFGS with a strong Wolfe line search, one call a step.
 *
 * Liu and Nocedal, Math. Program. 45 (1989) 503: the direction is -H g by the two-loop recursion
 * over the last memory pairs s = x_new - x, y = g_new - g, from H = (s'y / y'y) I of the newest one
 * (Nocedal and Wright, Numerical Optimization, 2nd ed., algorithms 7.4 and 7.5). A pair without
 * enough curvature is not stored; a direction that is no descent, or along which no lower point is
 * found, gives way to steepest descent with the pairs forgotten.
 */
#ifndef ARC_SOLVE_LBFGS_H
#define ARC_SOLVE_LBFGS_H

#include "base/arena.h"
#include "solve/descent.h"
#include "solve/line_search.h"

typedef struct ArcLbfgsSettings {
    ArcLineSettings line;
    int memory;                /* pairs, > 0 */
    double first_length;       /* > 0: |x_new - x| that steepest descent tries, at most */
    double gradient_tolerance; /* gradient: |g| is at most this times |g| at the start */
    double step_tolerance;     /* step: |x_new - x| is at most this times |x_new| */
    double cost_tolerance;     /* cost: F fell by at most this times |F| ... */
    int cost_patience;         /* ... in so many steps in a row, > 0 */
    int max_steps;             /* limit, > 0 */
} ArcLbfgsSettings;

/* 20 pairs, first length 1, gradient 1e-9, step 1e-16, cost 1e-13 in 5 steps, 1000 steps. */
ArcLbfgsSettings arc_lbfgs_settings_default(void);

typedef struct ArcLbfgs ArcLbfgs; /* lives in the arena of its creation */

/* For n unknowns. ARC_INPUT where a setting is out of range, ARC_MEMORY. */
ArcStatus arc_lbfgs_create(const ArcLbfgsSettings *settings, int n, ArcArena *arena,
                           ArcLbfgs **lbfgs, ArcError *err);

/* One accepted line search from x (n), which moves there; report->cost and gradient_norm are of the
 * new x. F at x itself is known from the step before; an x that is not the one which that step left
 * starts anew. Reasons to stop are those of the settings, and
 *   non-finite   F is not finite at x, or at no point along steepest descent
 *   cost         no lower point is found, and the direction promised none beyond F's rounding
 *   stalled      no lower point is found, though one is promised
 * with which x stays as it was. No allocation. */
void arc_lbfgs_step(ArcLbfgs *lbfgs, const ArcScalarObjective *objective, double *x,
                    ArcDescentReport *report);

/* Forgets F, its gradient and all pairs, but not the count of steps; for an F that changes, as with
 * new weights of its terms. */
void arc_lbfgs_restart(ArcLbfgs *lbfgs);

/* Counters, x, F, gradient and pairs. */
ArcDescentState arc_lbfgs_state(const ArcLbfgs *lbfgs);

/* Takes a stored state (count values). ARC_INPUT, the optimiser as it was, where it does not belong
 * to an L-BFGS of this many unknowns and pairs, or its counters are damaged. */
ArcStatus arc_lbfgs_restore(ArcLbfgs *lbfgs, const double *values, size_t count, ArcError *err);

#endif
