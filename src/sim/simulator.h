/* Integration of second-order equations of motion with forward sensitivities and dense output.
 *
 * x'' = a(t, x, x', p), x(t0) = x0, x'(t0) = v0 in d dimensions. For q = (p_1..p_P, x0_1..x0_d,
 * v0_1..v0_d), Q = P + 2 d, the sensitivities X = dx/dq follow the variational equations
 *   X'' = a_x X + a_v X' + a_p       (a_p only for the columns of p)
 * integrated together with the state by DOP853, the 8(5,3) pair of Hairer, Norsett and Wanner
 * (Solving Ordinary Differential Equations I, sec. II.10), 7th-order dense output, the error
 * of state and sensitivities both held under the tolerance.
 */
#ifndef ARC_SIM_SIMULATOR_H
#define ARC_SIM_SIMULATOR_H

#include "base/arena.h"

enum { ARC_SIM_MAX_DIMENSIONS = 3 };

/* The equations: one state, d and P as given to create, row-major a_x (d,d), a_v (d,d), a_p (d,P).
 * The partials are NULL together when only the rate is wanted. */
typedef struct ArcMotion {
    int dimensions;
    int n_parameters;
    bool position_free; /* a_x is always zero: X of the x0 columns is the identity */
    void *context;
    void (*acceleration)(void *context, double t, const double *x, const double *v, const double *p,
                         double *a, double *a_x, double *a_v, double *a_p);
} ArcMotion;

typedef struct ArcSimSettings {
    double tolerance; /* relative and (times a length of 1 m, a speed of 1 m/s) absolute */
    int max_steps;
} ArcSimSettings;

/* tolerance 1e-10, 10,000 steps. */
ArcSimSettings arc_sim_settings_default(void);

typedef enum ArcSimEnd {
    ARC_SIM_DONE,
    ARC_SIM_NON_FINITE, /* state or rate became infinite or NaN */
    ARC_SIM_TOO_MANY_STEPS
} ArcSimEnd;

typedef struct ArcSimulator ArcSimulator; /* scratch of one thread, in the arena */

ArcStatus arc_sim_create(const ArcMotion *motion, const ArcSimSettings *settings, ArcArena *arena,
                         ArcSimulator **simulator, ArcError *err);

/* What one run gives at each of n times, any pointer may be NULL (x_q and v_q together: then no
 * sensitivities are integrated): x, v, a (n,d); x_q, v_q (n,d,Q). Row-major. */
typedef struct ArcSimOutput {
    double *x, *v, *a;
    double *x_q, *v_q;
} ArcSimOutput;

/* t (n) ascending, all >= t0 (a time of t0 gives the start itself). The outputs of a run that does
 * not end with ARC_SIM_DONE are undefined. Returns how it ended; n_steps (nullable) counts accepted
 * steps. */
ArcSimEnd arc_sim_run(ArcSimulator *simulator, double t0, const double *x0, const double *v0,
                      const double *p, int n, const double *t, const ArcSimOutput *output,
                      int *n_steps);

#endif
