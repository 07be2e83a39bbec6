/* Integration of second-order equations of motion with forward sensitivities and dense output.
 *
 * x'' = a(t, x, x', p), x(t0) = x0, x'(t0) = v0 in d dimensions. For q = (p_1..p_P, x0_1..x0_d,
 * v0_1..v0_d), Q = P + 2 d, the sensitivities X = dx/dq follow the variational equations
 *   X'' = a_x X + a_v X' + a_p       (a_p only for the columns of p)
 * integrated together with the state by DOP853 (dop853.h), the 8(5,3) pair of Dormand and Prince
 * with 7th-order dense output. The error of each step is held under the tolerance; that of the
 * sensitivities under 1000 times the tolerance (at most 1e-4) of their own column's size, which is
 * plenty for steering an optimiser and for standard deviations. Of many parameters the columns come
 * cheaper from the adjoint system (adjoint.h).
 */
#ifndef ARC_SIM_SIMULATOR_H
#define ARC_SIM_SIMULATOR_H

#include "base/arena.h"

enum { ARC_SIM_MAX_DIMENSIONS = 16 }; /* a multiple of 4 */

/* The equations: one state, row-major a_x (d,d), a_v (d,d), a_p (d,P). The partials are NULL
 * together when only the rate is wanted, a_p alone where the motion spares it. context is borrowed
 * and must outlive the simulator. */
typedef struct ArcMotion {
    int dimensions;
    int n_parameters;
    bool position_free; /* a never looks at x and a_x is zero: X of the x0 columns is the identity,
                         * and the x that acceleration is given means nothing */
    void *context;
    /* t counts from the start's origin. */
    void (*acceleration)(void *context, double t, const double *x, const double *v, const double *p,
                         double *a, double *a_x, double *a_v, double *a_p);
    /* A pulse in time, on the motion's clock, that a step could jump over: steps come no nearer
     * than to half the time that is left until it, down to its width. Width 0: there is none. */
    double pulse_s, pulse_width_s;
    bool spares_a_p; /* a_p may be NULL while a_x and a_v are not, and is then not worked out */
} ArcMotion;

/* How sensitivities of a run are had; those of a search for an event always forwards. */
typedef enum ArcSimSensitivities {
    ARC_SIM_AUTO,    /* by transition matrices where that is cheaper (adjoint.h) */
    ARC_SIM_FORWARD, /* all columns integrated with the state */
    ARC_SIM_ADJOINT  /* by transition matrices */
} ArcSimSensitivities;

typedef struct ArcSimSettings {
    double tolerance; /* relative and (times a length of 1 m, a speed of 1 m/s) absolute */
    int max_steps;    /* tried ones, accepted or not */
    ArcSimSensitivities sensitivities;
} ArcSimSettings;

/* tolerance 1e-10, 10,000 steps, sensitivities as is cheaper. */
ArcSimSettings arc_sim_settings_default(void);

typedef enum ArcSimEnd {
    ARC_SIM_DONE,
    ARC_SIM_NON_FINITE,     /* state or rate became infinite or NaN */
    ARC_SIM_TOO_MANY_STEPS, /* or steps too small for the clock */
    ARC_SIM_NO_EVENT        /* of a search for one (event.h) */
} ArcSimEnd;

typedef struct ArcSimulator ArcSimulator; /* scratch of one thread, in the arena */

/* All memory is taken here, from the arena; arc_sim_run takes none. ARC_INPUT: dimensions, numbers
 * or tolerance (1e-14 to 1) out of range. ARC_MEMORY. */
ArcStatus arc_sim_create(const ArcMotion *motion, const ArcSimSettings *settings, ArcArena *arena,
                         ArcSimulator **simulator, ArcError *err);

/* Where a run begins, borrowed for its time: x0, v0 (d), p (P; may be NULL where P is 0). origin:
 * the time from which the motion's own clock counts. kinks (n_kinks) ascending: times at which a
 * higher derivative of the acceleration jumps; steps end there, since over one they would be short.
 */
typedef struct ArcSimStart {
    double t0, origin;
    const double *x0, *v0;
    const double *p;
    int n_kinks;
    const double *kinks;
} ArcSimStart;

/* What one run gives at each of n times, any pointer may be NULL (x_q and v_q both: then no
 * sensitivities are integrated): x, v, a (n,d); x_q, v_q (n,d,Q). Row-major. */
typedef struct ArcSimOutput {
    double *x, *v, *a;
    double *x_q, *v_q;
} ArcSimOutput;

/* t (n) ascending, all >= t0 (a time of t0 gives the start itself; times may repeat). The outputs
 * of a run that does not end with ARC_SIM_DONE are undefined. Returns how it ended; n_steps
 * (nullable) counts accepted steps. A run depends on its arguments only, not on earlier runs. */
ArcSimEnd arc_sim_run(ArcSimulator *simulator, const ArcSimStart *start, int n, const double *t,
                      const ArcSimOutput *output, int *n_steps);

#endif
