/* What moves in a problem and what is seen of it, where that is no ball in flight: the seam through
 * which both methods take other equations (swing.h).
 *
 * D coordinates x(s), s in seconds since the problem's beginning at t0, forwards or backwards in
 * time, follow
 *   x'' = a(s, x, x'; p),   x(0) = x0,   x'(0) = v0
 * with P columns of partials by p, of the phase's own choice among the problem's parameters, t0
 * too. A problem without a phase is a flight.
 */
#ifndef ARC_FIT_PHASE_H
#define ARC_FIT_PHASE_H

#include "fit/problem.h"
#include "sim/simulator.h"

/* n states and their accelerations, row-major; a_x, a_v (n,D,D), a_p (n,D,P) are NULL together. */
typedef struct ArcPhaseStates {
    int n;
    const double *s;     /* (n) */
    const double *x, *v; /* (n,D) */
    double *a;           /* (n,D) */
    double *a_x, *a_v, *a_p;
} ArcPhaseStates;

/* What of a net a motion asks for (grading.h). */
typedef struct ArcDetail {
    double *density; /* (n) of units, in any unit */
    double rate;     /* at which motions come to the one that begins at s = 0, 1/s */
    bool is_sharp;   /* density is where it will be at the end of the fit */
} ArcDetail;

typedef struct ArcPhase {
    void *context;
    bool runs_backwards;  /* s = t0 - t of a row at t, else t - t0 */
    bool position_free;   /* a never looks at x: of what is a first-order system of v (system.h) */
    double scale;         /* a size of its accelerations */
    double looseness;     /* of the simulator's tolerance; at least 1 */
    int most_steps;       /* of the simulator; 0: as usual */
    double physics_share; /* its sigma_phys, in that of a flight (pinn.h) */
    int turns;            /* of what a net of it has to follow (pinn_ladder.c) */
    const char *too_large, *too_fast; /* why a run fails; NULL: a swing's */
    int M;                            /* parameters of what is seen, beside the states */
    /* A closure sees states in their own units: this many of them are a unit of a coordinate; of
     * equations of first order, of its rate. NULL: 1. */
    const double *state_size;
    bool is_integral; /* of first order: the rates of the coordinates are the states */
    void (*begin)(const ArcProblem *problem, const double *values, double *x0, double *v0);
    /* Without a closure, which arc_problem_accelerate adds; a_p (n,D,P) has room for its columns,
     * the last ones. */
    void (*accelerate)(const ArcProblem *problem, const double *values,
                       const ArcPhaseStates *states);
    /* y, and where v is not NULL by_x, by_v and by_m, of all observations; x, v (n_times, D). */
    void (*look)(ArcSight *sight, const double *values, const double *x, const double *v);
    /* What a unit of x is in the i-th observation's; 0: nothing of x is seen by it. */
    double (*per_unit)(const ArcProblem *problem, int i);
    /* Accelerations (n,D) that a fit may begin with; false: no memory. */
    bool (*guess)(const ArcProblem *problem, const double *values, int n, const double *s,
                  double *a);
    /* Where in s the equations have kinks, into places (ARC_MAX_KINKS, kinks.h); how many. NULL:
     * they have none. */
    int (*kinks)(const ArcProblem *problem, const double *values, double *places);
    /* At n equally spaced s from 0 on; false: no memory. NULL: as many units everywhere. */
    bool (*detail)(const ArcProblem *problem, const double *values, int n, const double *s,
                   ArcDetail *detail);
    /* sigma_phys that leaves estimates as they are; NaN: not known. NULL: a flight's, times
     * physics_share. */
    double (*sigma)(const ArcProblem *problem, const double *values);
    /* As arc_problem_chain, of the named unknowns. */
    void (*chain)(const ArcProblem *problem, const double *values, const ArcPartials *partials,
                  double *J, size_t ld);
} ArcPhase;

/* The same for flights too. x0, v0 (D). */
void arc_problem_begin(const ArcProblem *problem, const double *values, double *x0, double *v0);
void arc_problem_accelerate(const ArcProblem *problem, const double *values,
                            const ArcPhaseStates *states);
bool arc_problem_is_position_free(const ArcProblem *problem);

/* d s / d t0 of a row. */
double arc_problem_s_by_t0(const ArcProblem *problem);

/* A phase simulated from its beginning, both ways. */
typedef struct ArcPhaseRunner ArcPhaseRunner;

ArcStatus arc_phase_runner_create(const ArcProblem *problem, ArcArena *arena,
                                  ArcPhaseRunner **runner, ArcError *err);

/* At n ascending s, of which at most the problem's n_times lie below zero; output as the
 * simulator's. False where it cannot be had. */
bool arc_phase_run(ArcPhaseRunner *runner, const double *values, int n, const double *s,
                   const ArcSimOutput *output);

/* Why the last run failed; NULL where it did not. */
const char *arc_phase_why(const ArcPhaseRunner *runner);

#endif
