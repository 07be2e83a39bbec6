/* Own equations (arcfit/equations.h) run by the simulator, from values to channels.
 *
 * Second order: the simulator's coordinates are X_c = x_c / scale_c. First order: those of the
 * integral, X' = x / scale, X'' = f(t, X'; p) / scale, which never looks at X: X0 = 0, V0 = x0, and
 * what is seen is X'. scale is a typical size of each coordinate, so that the simulator's one
 * absolute tolerance serves all; time is in seconds since the start.
 */
#ifndef ARC_FIT_SYSTEM_RUN_H
#define ARC_FIT_SYSTEM_RUN_H

#include "arcfit/equations.h"
#include "model/closure.h"
#include "sim/simulator.h"

/* What is run. Read only, so that several threads may share it. */
typedef struct ArcSystem {
    const ArcEquations *equations;
    double scale[ARC_EQUATIONS_MAX_STATES]; /* (D) */
    const ArcClosure *closure; /* added to the rates, its weights behind the p; NULL: none */
    int K;                     /* its weights among the columns of partials: all, or 0 */
} ArcSystem;

/* scale (D) NULL: ones. Without closure. */
ArcSystem arc_system(const ArcEquations *equations, const double *scale);

/* Own equations may turn many times: more steps than a flight needs. */
enum { ARC_SYSTEM_STEPS = 100000 };

typedef struct ArcSystemRun ArcSystemRun; /* scratch of one thread, in the arena */

/* Of a copy of the system, for up to n_times. Errors as arc_sim_create. */
ArcStatus arc_system_run_create(const ArcSystem *system, double tolerance, int n_times,
                                ArcArena *arena, ArcSystemRun **run, ArcError *err);

/* Channels y (n,C) in SI at n ascending times t_s >= 0 since the start, from p (P, and the
 * weights) and start (C), the channels' values there. y_q (n,C,P+K+C) by p and start, or NULL.
 * False where it cannot be followed so far; outputs are then undefined. */
bool arc_system_run(ArcSystemRun *run, const double *p, const double *start, int n,
                    const double *t_s, double *y, double *y_q);

/* Why the last run failed. */
const char *arc_system_run_why(const ArcSystemRun *run);

#endif
