/* The least-squares problem that both methods share: unknowns, observations, priors.
 *
 * Parameters are in the experiment's order: flight (P), t0, position (d), velocity (d; cartesian or
 * polar). `values` (n_parameters) holds them all; u (n_free) the free ones. Physical unknowns of a
 * flight are q = (flight's p, x0, v0), Q = P + 2 D, and t0; D = d unless the flight keeps the path
 * flown as one coordinate more, which starts from zero. Behind the release come the parameters of
 * the arm (A), to which the release is then tied exactly, and those of the measurement, theta (M),
 * where there are some (view.h).
 *
 * A problem of own equations (system.h) has no flight: its parameters are the model's, t0 and the
 * starts of the channels, which are also what is observed; it is a phase (phase.h), and P counts
 * those of the model's parameters that are free.
 *
 * Residuals of the observations: s((h(x(t_i))_c - y_i) / sigma_i), s by the loss (loss.h), h what
 * is measured of a position: itself, unless the problem has a view; of the priors: (u - mean) / sd.
 */
#ifndef ARC_FIT_PROBLEM_H
#define ARC_FIT_PROBLEM_H

#include "arcfit/fit.h"
#include "base/arena.h"
#include "fit/view.h"

/* Rows of priors and readings at most: either of each parameter, and those of the table. */
enum { ARC_MAX_PRIORS = 2 * ARC_MAX_PARAMETERS + ARC_MAX_READINGS };

/* An estimated sigma is never smaller: points without any scatter would else weigh without end. */
#define ARC_LEAST_ESTIMATED_SIGMA_M 1e-9

/* In m, or what a camera saw in px: its axes are then u, v and the radius. */
typedef struct ArcObservation {
    int time; /* index into times */
    int axis;
    double value;
    double sigma;
} ArcObservation;

/* A parameter that was measured: r = (gain p + offset - value) / sd, for the joints' angles with
 * the parameters of their encoders, and a difference of angles within half a turn. */
typedef struct ArcProblemReading {
    int parameter;
    int gain, offset; /* parameters; -1: 1 and 0 */
    bool is_angle;
    double value, sd;
    int line; /* in the table of readings; 0: of the experiment */
} ArcProblemReading;

struct ArcProblem {
    ArcArena *arena;
    ArcFlight flight;
    ArcReleaseForm release;
    int d;        /* dimensions; of own equations the states */
    int n_axes;   /* numbers of a point that no camera saw: d, or channels */
    int P;        /* flight parameters, and behind them K weights of a closure */
    int D;        /* coordinates of a state */
    int Q;        /* P + 2 D */
    int t0_index; /* of t0 among the parameters; position and velocity follow */
    int K;        /* weights of the closure: unknowns behind the n_free named ones, values behind
                   * the n_parameters; 0: none */
    const struct ArcClosure *closure; /* (model/closure.h); NULL: none; with K 0 it is frozen */
    int n_parameters;
    ArcParameter *parameters;     /* start resolved */
    double *start;                /* (n_parameters) values to begin from */
    double start_acceleration[4]; /* (D) of the parabola through the points */
    int n_free;
    int *free_parameter; /* (n_free) parameter of each unknown */
    int *free_index;     /* (n_parameters) unknown of each parameter, -1 where fixed */
    double *low, *high;  /* (n_free) */
    ArcView *view;       /* NULL: positions in metres at the file's times */
    bool has_arm;        /* release position and velocity follow from the arm's parameters: */
    int arm_index;       /* of the first of these among all */
    ArcArm arm;
    int n_poses;   /* that a fit is tried from, the most likely first: start; else 1 */
    double *poses; /* (n_poses, ..) starts from t0 to the arm's last; NULL where there is no arm */
    int n_readings;
    ArcProblemReading *readings;   /* (n_readings) */
    struct ArcProblem *swing;      /* the arm's motion before the release; NULL: none is seen */
    const struct ArcPhase *phase;  /* what moves (phase.h); NULL: a ball in flight */
    const ArcEquations *equations; /* own ones, borrowed; NULL: a flight's */
    int n_times;
    double *time_s;  /* (n_times) of the fitted points, by the file; never falling */
    int *time_point; /* (n_times) point of the capture */
    int n_observations;
    ArcObservation *observations; /* by axis, then by time */
    int n_priors;                 /* rows beside the points: of priors, then of readings */
    int n_points;                 /* of the capture, all */
    double *point_time_s, *point_position_m, *point_sigma_m; /* (n), (n,n_axes), (n,n_axes) */
    double *point_pixel_px, *point_sigma_px; /* (n,3) u, v, radius; NULL where there is no view */
    ArcPointUse *point_use;
    int *point_line;  /* (n) in the file */
    ArcSensor sensor; /* whose rounding is in the sigmas */
    ArcLoss loss;
    bool sigma_estimated;
    double sigma_factor;    /* all sigmas are those of the capture times this; 1 where known */
    double sigma_factor_sd; /* once estimated; else 0 */
    int n_sigmas;           /* cameras whose own factor is to be found: parameters that no solver
                             * moves (scale.h), in force by their starts */
    int sigma_parameter[ARC_MAX_CAMERAS + 1]; /* (n_sigmas) */
    double *sigma_sd;                         /* (n_sigmas) once found; NULL: not yet */
    double sigma_dof;                         /* freedoms behind them */
    double loss_dof_ci95[2]; /* of student-t's estimated degrees of freedom; else NaN */
    int n_targets;           /* of derived numbers */
    ArcTarget targets[ARC_MAX_TARGETS];
    ArcCurriculum curriculum;
    ArcPinnSettings pinn;
    double sigma_phys_ci95_m_s2[2]; /* of `physics: auto`, once found; else NaN */
    double direct_tolerance;
    struct ArcPinnPool *pool; /* of one flight among many: what its net borrows from; NULL */
    int starts;
    uint64_t seed;
};

/* Room for n_parameters parameters, their starts and places among the unknowns, in the arena; false
 * on exhaustion. */
bool arc_problem_reserve(ArcProblem *problem, ArcArena *arena);

/* Writes u (n_free + K) into the free places of values, and what is tied to them. */
void arc_problem_scatter(const ArcProblem *problem, const double *u, double *values);

/* A polar release comes back to its start's ranges where an optimiser has turned it over: speed
 * positive, angles within half a turn of their starts; likewise each angle of an arm's joints. True
 * where u (n_free) has changed; not where one of them is fixed or has a prior, or a bound is in the
 * way. */
bool arc_problem_turn_release(const ArcProblem *problem, double *u);

/* Numbers that are observed, of a swing too. */
int arc_problem_n_observed(const ArcProblem *problem);

/* Parameters of the measurement among all: the first's index. */
int arc_problem_first_measure(const ArcProblem *problem);

/* True time of a fitted point by these values (n_parameters), and the last of all. */
double arc_problem_time(const ArcProblem *problem, const double *values, int time);
double arc_problem_last_time(const ArcProblem *problem, const double *values);

/* Whether the points' times since the release change with the unknowns. */
bool arc_problem_times_move(const ArcProblem *problem);

/* Whether points may lie before the release. */
bool arc_problem_may_precede(const ArcProblem *problem);

/* What a problem with a view sees at all its times, with partials; of a problem with a phase it is
 * one number an observation in place of (n_times, 3). */
typedef struct ArcSight {
    const ArcProblem *problem;
    double *y;    /* (n_times, 3) */
    double *by_x; /* (n_times, 3, D) */
    double *by_v; /* (n_observations, D); NULL: cameras see no velocity */
    double *by_m; /* (n_times, 3, M) */
} ArcSight;

/* *sight is NULL where the problem has neither view nor phase. In the arena. ARC_MEMORY. */
ArcStatus arc_sight_create(const ArcProblem *problem, ArcArena *arena, ArcSight **sight,
                           ArcError *err);

/* The sight of positions x and velocities v (n_times, D), in the order that place (n_times) tells,
 * NULL: in that of the times. v NULL: no partials. */
void arc_sight_look(ArcSight *sight, const double *values, const double *x, const double *v,
                    const int *place);

/* How many pixels a metre is for each camera where the flight begins: the view's per_m. */
ArcStatus arc_sight_measure(ArcProblem *problem, ArcError *err);

/* What a metre, or a phase's unit, is in the i-th observation's unit; a radius tells next to
 * nothing: 0. */
double arc_problem_per_metre(const ArcProblem *problem, int i);

/* Whether gravity is what gives the flight its size: one camera in space sees all, or a scale,
 * focal length or clock is free. A flight that may break its equations then has none. */
bool arc_problem_rests_on_gravity(const ArcProblem *problem);

/* The i-th observation as it would be seen. */
double arc_sight_y(const ArcSight *sight, int i);

/* Partials of the i-th observation by position (D), velocity (D; NULL: none) and by the
 * measurement's parameters (M). */
const double *arc_sight_by_x(const ArcSight *sight, int i);
const double *arc_sight_by_v(const ArcSight *sight, int i);
const double *arc_sight_by_m(const ArcSight *sight, int i);

/* Residuals of the observations at positions x (n_times, D), or by a sight that has looked there
 * (else NULL): r (n_observations), very large where a camera cannot see the ball, and the weights
 * of their rows, by which partials of what is measured become those of r: s' / sigma. */
void arc_problem_observe(const ArcProblem *problem, const double *x, const ArcSight *sight,
                         double *r, double *weight);

/* Residuals of the priors, then of the readings at u: r (n_priors). Their Jacobian's rows into J,
 * whose first row stands for the first prior, leading dimension ld; only what is not always zero is
 * written. J may be NULL. */
void arc_problem_priors(const ArcProblem *problem, const double *u, double *r, double *J,
                        size_t ld);

/* Residuals of the readings alone, as arc_problem_priors. */
void arc_problem_read(const ArcProblem *problem, const double *u, double *r, double *J, size_t ld);

/* The release that the arm's parameters among values give, into its places there; nothing without
 * an arm (tie.c). */
void arc_problem_tie(const ArcProblem *problem, double *values);

/* Partials of release position, then velocity, by the arm's parameters: R (2 d, A) row-major. */
void arc_problem_tie_partials(const ArcProblem *problem, const double *values, double *R);

/* The same by the free unknowns: tie (2 d, n_free) row-major. */
void arc_problem_tie_free(const ArcProblem *problem, const double *values, double *tie);

/* The joints' angles in u come back to within half a turn of their starts; true where one has. */
bool arc_problem_turn_joints(const ArcProblem *problem, double *u);

/* Partials of n numbers y to the physical unknowns, row-major, and the weights of their rows. */
typedef struct ArcPartials {
    int n;
    const double *q;       /* (n, Q) d y / d q */
    const double *t0;      /* (n) d y / d t0; NULL: zero */
    const double *weight;  /* (n) */
    const ArcSight *sight; /* d y / d theta of the observations, which come first; NULL: none */
} ArcPartials;

/* Columns of the free unknowns from those of the physical ones, into J (column-major, ld):
 * J[i + k ld] = weight[i] * d y_i / d u_k. values: all parameters. */
void arc_problem_chain(const ArcProblem *problem, const double *values, const ArcPartials *partials,
                       double *J, size_t ld);

#endif
