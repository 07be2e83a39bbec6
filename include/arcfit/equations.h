/* Own equations: a system of differential equations that users bring as a C file (model.h).
 *
 * First order:  x' = f(t, x; p)          D states x
 * Second order: x'' = f(t, x, x'; p)     D coordinates x, with velocities v = x'
 * t is the time since the start t0. Partials are by complex steps through the same source, or the
 * file's own where it gives them (Squire and Trapp, SIAM Rev. 40 (1998) 110: with a step of 1e-200
 * they are as exact as the rates).
 */
#ifndef ARCFIT_EQUATIONS_H
#define ARCFIT_EQUATIONS_H

#include "arcfit/error.h"
#include "arcfit/law.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum { ARC_EQUATIONS_MAX_STATES = 16, ARC_EQUATIONS_MAX_PARAMETERS = 31 };
/* What can be observed: all states, of second order the coordinates and then their velocities. */
enum { ARC_EQUATIONS_MAX_CHANNELS = 2 * ARC_EQUATIONS_MAX_STATES };

/* Read-only; owned by its arena. Of an ArcParameterInfo value is the default, low and high the
 * range that makes sense. */
typedef struct ArcEquations {
    const char *path; /* of the file */
    const char *text; /* of the file, as it was when it was compiled */
    const char *name, *doc;
    int order;                                             /* 1 or 2 */
    int n_states;                                          /* D */
    int n_channels;                                        /* D of first order, 2 D of second */
    ArcParameterInfo channels[ARC_EQUATIONS_MAX_CHANNELS]; /* x, then of second order v, whose names
                                                            * are those of x with a v before it and
                                                            * whose units have "/s" behind */
    int n_parameters;                                      /* P */
    ArcParameterInfo parameters[ARC_EQUATIONS_MAX_PARAMETERS];
    bool has_partials; /* the file brings its own */
    struct ArcEquationsCode *code;
    void *arena;
} ArcEquations;

/* Compiles the file with the C compiler ($CC, else cc), tries it in a child process, so that what
 * crashes, writes out of bounds, hangs or returns NaN is told and harms nothing, and loads it.
 * ARC_INPUT at place: no such file, it does not compile (with the compiler's first message at its
 * own file:line:column), has no model, names or units that cannot be, or fails its trial.
 * ARC_SYSTEM: no compiler, no room for temporary files. *equations is NULL where it fails. */
ArcStatus arc_equations_load(const char *path, ArcPlace place, ArcEquations **equations,
                             ArcError *err);

/* Accepts NULL. */
void arc_equations_free(ArcEquations *equations);

/* Rates f of n states with partials, row-major: t_s (n), x (n,D), v (n,D; first order: NULL),
 * p (P) -> f (n,D), f_x (n,D,D), f_v (n,D,D; first order: NULL), f_p (n,D,P). f_x[i][e][c] =
 * d f_e / d x_c. The partials may be NULL together. Rates that are not finite come out so; where
 * they are not, partials by complex steps may be any numbers, since they are compiled for finite
 * ones. Safe from several threads. */
void arc_equations_rates(const ArcEquations *equations, int n, const double *t_s, const double *x,
                         const double *v, const double *p, double *f, double *f_x, double *f_v,
                         double *f_p);

/* The path of the file whose rates this thread is calling just now; NULL: none. For handlers of
 * signals: what passed its trial may still crash where the trial did not look. */
const char *arc_equations_running(void);

/* The channel of that name ("theta", "vtheta"); -1: none. */
int arc_equations_channel(const ArcEquations *equations, const char *name);

#pragma GCC visibility pop

#endif
