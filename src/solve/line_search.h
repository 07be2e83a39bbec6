/* A line search for the strong Wolfe conditions.
 *
 * With phi(a) = F(x + a d), phi'(0) < 0, it looks for a with
 *   phi(a) <= phi(0) + decrease a phi'(0) + rounding |phi(0)|     and
 *   |phi'(a)| <= curvature |phi'(0)|.
 * Bracketing and sectioning after Nocedal and Wright, Numerical Optimization, 2nd ed., algorithms
 * 3.5 and 3.6, the next trial from their cubic, eq. 3.59. Safeguards: a trial keeps a tenth of the
 * bracket from either end; a bracket that shrinks by less than a third in two trials is halved
 * (More and Thuente, ACM Trans. Math. Softw. 20 (1994) 286, section 4). Where two values of F
 * differ by rounding only, the slopes alone decide (the idea of Hager and Zhang, SIAM J. Optim. 16
 * (2005) 170), so that a walk gets as close as its gradient is good, not its F.
 */
#ifndef ARC_SOLVE_LINE_SEARCH_H
#define ARC_SOLVE_LINE_SEARCH_H

#include "solve/descent.h"

typedef struct ArcLineSettings {
    double decrease;     /* above 0, below curvature */
    double curvature;    /* below 1 */
    double rounding;     /* relative error of F that counts as none */
    int max_evaluations; /* > 0 */
} ArcLineSettings;

/* decrease 1e-4, curvature 0.9, rounding 32 units, 25 evaluations. */
ArcLineSettings arc_line_settings_default(void);

typedef struct ArcLine {
    const ArcScalarObjective *objective;
    int n;
    const double *x, *direction; /* (n) */
    double f, slope;             /* phi(0), phi'(0) < 0 */
    double *trial;               /* (n) scratch */
    double *g_trial, *g_kept;    /* (n) scratch, exchanged as the search goes */
} ArcLine;

typedef struct ArcLinePoint {
    bool is_found;   /* a > 0 with the first condition, and F lower by more than rounding or the
                        second */
    bool is_wolfe;   /* with both conditions */
    bool any_finite; /* F was finite somewhere */
    int evaluations;
    double a, f;
    const double *g; /* (n) gradient at x + a d, in the line's scratch */
} ArcLinePoint;

/* Tries first, > 0, before all else. Where F is not finite the step is too long. Where evaluations
 * run out: the lowest point with the first condition. No allocation. */
ArcLinePoint arc_line_search(const ArcLineSettings *settings, ArcLine *line, double first);

#endif
