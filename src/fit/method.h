/* What a method (pinn, direct) hands to the fit: estimates, the factor of the posterior, a
 * trajectory.
 */
#ifndef ARC_FIT_METHOD_H
#define ARC_FIT_METHOD_H

#include "fit/problem.h"

/* Half a 95 % interval in standard deviations. */
#define ARC_Z95 1.96

/* The fitted flight at any times. n ascending times from t0 on -> x, v, a (n,d), each may be NULL.
 * False where it cannot be had there. */
typedef struct ArcTrajectory {
    void *context;
    bool (*states)(void *context, int n, const double *t_s, double *x, double *v, double *a);
} ArcTrajectory;

typedef struct ArcOutcome {
    ArcStop stop;
    bool converged;
    int iterations;
    double *values; /* (n_parameters) */
    const double
        *T; /* (n_free, n_free) column-major; NULL: not even the start could be evaluated */
    ArcTrajectory trajectory;
    int n_history;
    ArcHistoryRow *history;
    double physics_rms_m_s2, physics_rms_fine_m_s2, sigma_phys_m_s2; /* NaN for direct */
    ArcFittedNet net;
} ArcOutcome;

/* Where the iterations of one fit are noted; shared by all its stages. */
typedef struct ArcHistory {
    ArcMethod method;
    const ArcFitOptions *options;
    int stage;
    int n, capacity;
    ArcHistoryRow *rows;
} ArcHistory;

ArcStatus arc_history_create(ArcMethod method, const ArcFitOptions *options, int capacity,
                             ArcArena *arena, ArcHistory *history, ArcError *err);

/* The progress function of least_squares.h; context is an ArcHistory. */
bool arc_history_note(void *context, int iteration, double cost, double step);

/* forecast: no iteration, the factor and states at the start. All in the arena. */
ArcStatus arc_direct_fit(const ArcProblem *problem, const ArcFitOptions *options, bool forecast,
                         ArcArena *arena, ArcOutcome *outcome, ArcError *err);
ArcStatus arc_pinn_fit(const ArcProblem *problem, const ArcFitOptions *options, ArcArena *arena,
                       ArcOutcome *outcome, ArcError *err);

#endif
