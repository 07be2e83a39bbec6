/* What a method (pinn, direct) hands to the fit: estimates, the factor of the posterior, a
 * trajectory.
 */
#ifndef ARC_FIT_METHOD_H
#define ARC_FIT_METHOD_H

#include "fit/problem.h"
#include "fit/store.h"

/* Half a 95 % interval in standard deviations. */
#define ARC_Z95 1.96

/* The fitted flight at any times. n ascending times from t0 on -> x, v, a (n,D), each may be NULL.
 * False where it cannot be had there. */
typedef struct ArcTrajectory {
    void *context;
    bool (*states)(void *context, int n, const double *t_s, double *x, double *v, double *a);
} ArcTrajectory;

typedef struct ArcOutcome {
    ArcStop stop;
    bool converged;
    int iterations;
    double cost;          /* half the sum of squares at the end */
    double *values;       /* (n_parameters) */
    struct ArcPinn *pinn; /* the net's; NULL for direct */
    const double
        *T; /* (n_free, n_free) column-major; NULL: not even the start could be evaluated */
    ArcTrajectory trajectory;
    ArcTrajectory swing; /* of the PINN's net, by the clock that goes on from t0; or zero */
    int n_history;
    ArcHistoryRow *history;
    double physics_rms_m_s2, physics_rms_fine_m_s2, sigma_phys_m_s2; /* NaN for direct */
    double sigma_phys_ci95_m_s2[2];
    double swing_rms_rad_s2, swing_rms_fine_rad_s2,
        swing_sigma_phys_rad_s2; /* likewise, of a swing */
    ArcFittedNet net;
    const char *note;   /* where training met what is not finite; NULL */
    const char *stages; /* of the laws that led to it: "vacuum, drag, all laws"; NULL: none */
} ArcOutcome;

/* A fit that failed, or of which the points disagree, is worth another start. With a robust loss
 * that is told by most of the residuals r (n_observations), or not at all where r is NULL. */
bool arc_outcome_is_doubtful(const ArcProblem *problem, ArcStop stop, double cost, const double *r);

/* A clearly lower cost wins even where it has not converged: a higher valley is a wrong answer. */
bool arc_outcome_is_better(const ArcOutcome *a, const ArcOutcome *b);

/* Where the iterations of one fit are noted; shared by all its stages. Long stages are thinned to
 * about a thousand rows, first and last kept. */
typedef struct ArcHistory {
    const ArcProblem *problem;
    ArcMethod method;
    const ArcFitOptions *options;
    const char *optimizer; /* of the present stage */
    int start, stage, steps;
    int n_physics;        /* rows of physics behind those of the observations */
    const double *values; /* all parameters, for who looks on */
    bool interrupted;
    int n, capacity;
    ArcHistoryRow *rows;
} ArcHistory;

/* Makes the rows of a history whose problem, method, options and capacity are set. */
ArcStatus arc_history_create(ArcHistory *history, ArcArena *arena, ArcError *err);

/* A stage of at most so many steps begins. */
void arc_history_begin(ArcHistory *history, const char *optimizer, int steps, int n_physics);

/* Rows that a stage of so many steps may add. */
int arc_history_rows_of(int steps);

/* Notes a row and asks the progress function; false: stop. */
bool arc_history_add(ArcHistory *history, const ArcHistoryRow *row);

/* The progress function of least_squares.h; context is an ArcHistory. */
bool arc_history_note(void *context, int iteration, double cost, double step, const double *r);

/* The rows noted so far, for a checkpoint. */
void arc_history_store(ArcHistory *history, ArcStore *store);

struct ArcCheckpoint;

/* Where `physics: auto` is asked for, finds sigma_phys and its interval, by the first net. Once for
 * all starts, whose costs could not be compared otherwise. ARC_MEMORY. */
ArcStatus arc_pinn_settle_physics(ArcProblem *problem, ArcError *err);

/* forecast: no iteration, the factor and states at the start. All in the arena. */
ArcStatus arc_direct_fit(const ArcProblem *problem, const ArcFitOptions *options, bool forecast,
                         ArcArena *arena, ArcOutcome *outcome, ArcError *err);

/* Shooting alone, from the problem's start: values (n_parameters) become where it ends, or stay as
 * they are where it comes to no rest. ARC_MEMORY. */
ArcStatus arc_direct_shoot(const ArcProblem *problem, ArcArena *arena, double *values,
                           ArcError *err);

/* Which of the starts a fit is, and where it saves itself. */
typedef struct ArcStartPlace {
    int start;
    int section;                      /* of the checkpoint */
    struct ArcCheckpoint *checkpoint; /* NULL: nowhere */
} ArcStartPlace;

ArcStatus arc_pinn_fit(const ArcProblem *problem, const ArcFitOptions *options, ArcStartPlace place,
                       ArcArena *arena, ArcOutcome *outcome, ArcError *err);

#endif
