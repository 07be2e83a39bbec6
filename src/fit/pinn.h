/* The PINN: a net for the flight, and the residual rows that its stages share.
 *
 * Release ansatz, s = t - t0 in [0, T], tau = 2 s / T - 1, h = T / 2, N = the net's outputs:
 *   x = x0 + v0 s + s^2 L N            v = v0 + L (2 s N + s^2 N' / h)
 *   a = L (2 N + 4 s N' / h + s^2 N'' / h^2)
 * so that release position and velocity are plain parameters. Rows of a stage's problem:
 *   observations (n_observations), physics (D M, coordinate by coordinate), priors
 *   physics: sqrt(w_j) (a(s_j) - law(s_j))_e / sigma_phys at M points, sum of w = 1
 * the points as collocation.h places them.
 * A flight that keeps the path flown has it as a coordinate of the net, D = d + 1; its rows are
 * kinematics and always weighed by the exact sigma_phys, in m/s.
 * A flight that bounces has a net for each segment, the pinns of a list (segments.h); s then counts
 * from the segment's begin, and what is said of pinn holds for the list that begins with it.
 * exact: sigma_phys = 0.1 sigma / (T^2 sqrt(n)), n fitted points, sigma their root mean square
 * inverse, T the span of the whole flight. Between the points the residual is judged on a uniform
 * grid of F points that training never sees.
 */
#ifndef ARC_FIT_PINN_H
#define ARC_FIT_PINN_H

#include "fit/grading.h"
#include "fit/kinks.h"
#include "fit/method.h"
#include "fit/store.h"
#include "net/net.h"

/* How far, of what it covers, a net reaches over an end that can move: a free t0 must still find
 * the points on its span, and a segment its bounce. */
#define ARC_PINN_SPAN_MARGIN 0.25

/* Scratch of the nets of many flights that are evaluated one at a time: those of one shape, the
 * hidden layers of which are drawn alike and stay so, borrow that of the first, and its basis. In
 * its arena, which outlives the nets; all else zero. */
typedef struct ArcPinnPool {
    ArcArena *arena;
    struct ArcPinnLender *lenders;
} ArcPinnPool;

typedef struct ArcPinn {
    const ArcProblem *problem; /* of a later segment: a copy, whose flight and start are its own */
    struct ArcPinnLender *lender; /* whose scratch this uses; NULL: its own */
    struct ArcPinn *next;         /* the segment after the bounce; NULL */
    struct ArcPinn *swing;        /* of the arm before the release, with the same values; NULL */
    double begin_s, end_s;  /* of the segment, by its own s; -inf and inf at the flight's ends */
    double flight_s;        /* span of the whole flight */
    double side;            /* of the bounce's plane that the ball is on: 1 or -1 */
    double clock_s, path_m; /* at the segment's begin: time since release, path flown */
    ArcNetSettings settings;
    ArcNet *net;
    ArcNetWork *work;
    int n_weights;
    double *weights;
    ArcGrading *grading; /* of units and collocation points; NULL: even */
    ArcKinks kinks;      /* of a phase's equations, */
    double kinks_t0_s;   /* by this t0 */
    bool trained;        /* a stage has set the weights */
    double *values;      /* (n_parameters) */
    double tau_low;      /* where the net's rows begin: -1, or earlier where points lie before the
                            release */
    double span_s, scale_m_s2, sigma_phys_m_s2, sigma_exact_m_s2;
    int M, F;
    int n_points;              /* M + n_times, and the end of a segment that another one follows */
    double *tau;               /* (n_points): collocation points, then the observed times */
    double *s;                 /* (n_points) seconds since the segment begins: t0 */
    double *root_weight;       /* (M) */
    double *fine_tau, *fine_s; /* (F) */
    double *batch_tau, *batch_s;   /* (F), for states at other times */
    double *breach;                /* (F) scratch */
    ArcRandom random;              /* of drawn collocation points */
    double *clock;                 /* (max points) scratch: times since the release */
    double *jets;                  /* (3 max points, D) */
    double *x, *v, *a;             /* (max points, D): state by the net */
    double *law, *a_x, *a_v, *a_p; /* (max points, D [, D | D | P]) */
    double *q_rows;                /* (n_observations + D M, Q) */
    double *t0_rows;               /* (n_observations + D M) */
    ArcSight *sight;               /* of the observed times; NULL: positions are observed */
    double *row_weight;            /* (n_observations + D M) */
    double *r;                     /* (n_observations + D M + n_priors) scratch */
    int max_points;
} ArcPinn;

/* One that lends: a pinn of whose arrays only the scratch is set. */
typedef struct ArcPinnLender {
    ArcPinn scratch;
    struct ArcBasis *basis; /* NULL until the first one is made */
    ArcArena *arena;
    struct ArcPinnLender *next;
} ArcPinnLender;

/* A net and how many collocation points it has. */
typedef struct ArcPinnShape {
    ArcNetSettings net;
    int collocation;
} ArcPinnShape;

/* Net, grids and scratch for one net and number of collocation points, parameters and net at their
 * starts (`values` of the problem; weights as the net's init draws them). */
ArcStatus arc_pinn_create(const ArcProblem *problem, const ArcNetSettings *settings,
                          int collocation, ArcArena *arena, ArcPinn **pinn, ArcError *err);

/* The same with a net of another shape for the swing, where there is one. */
ArcStatus arc_pinn_create_both(const ArcProblem *problem, const ArcPinnShape *flight,
                               const ArcPinnShape *swing, ArcArena *arena, ArcPinn **pinn,
                               ArcError *err);

/* The net that a fit begins with, the first of the ladder where there is one. */
ArcStatus arc_pinn_first(const ArcProblem *problem, ArcArena *arena, ArcPinn **pinn, ArcError *err);

/* The net of a rung of the ladder (of how many: arc_pinn_n_rungs), or nets, from these values,
 * which are copied. */
ArcStatus arc_pinn_create_rung(const ArcProblem *problem, int rung, const double *values,
                               ArcArena *arena, ArcPinn **pinn, ArcError *err);
int arc_pinn_n_rungs(const ArcProblem *problem);

/* The same for the swing: its ladder is one of its own. */
int arc_pinn_n_swing_rungs(const ArcProblem *problem);
ArcStatus arc_pinn_create_rungs(const ArcProblem *problem, const int rungs[2], const double *values,
                                ArcArena *arena, ArcPinn **pinn, ArcError *err);

/* Whether the residual between the nodes asks for no wider net; rms_before: that of the rung
 * before, infinite on the first. */
bool arc_pinn_is_fine(const ArcPinn *pinn, double rms, double rms_fine, double rms_before);

/* Of own equations (pinn_width.c): whether the estimates are those of the rung before, from which
 * pinn began, T their factor; whether the next rung finds standard deviations no larger. */
bool arc_pinn_is_settled(const ArcPinn *pinn, const double *T, double rms_fine);
bool arc_pinn_is_wide(const ArcProblem *problem, int rung, ArcPinn *pinn);

/* The first rung from this one on whose net can follow the motion that own equations begin with at
 * these values; of a flight this one. */
int arc_pinn_rung_for(const ArcProblem *problem, int rung, const double *values);

/* What pinn alone tells of an outcome: values, trajectory, nets, sigma_phys. The rest is zero. */
ArcStatus arc_pinn_describe(ArcPinn *pinn, ArcArena *arena, ArcOutcome *outcome, ArcError *err);

/* One net for a part of the flight that lasts span_s of flight_s; is_followed: another one comes
 * after it. arc_pinn_create makes all of a flight's. */
typedef struct ArcSegmentSpan {
    double span_s, flight_s;
    int collocation;
    bool is_followed, is_later;
} ArcSegmentSpan;
ArcStatus arc_pinn_create_segment(const ArcProblem *problem, const ArcNetSettings *settings,
                                  ArcSegmentSpan span, ArcArena *arena, ArcPinn **pinn,
                                  ArcError *err);

/* The shortest span of a segment's net: a segment at the very end of the data may last as short as
 * it likes, its net not. */
double arc_pinn_shortest_span(double flight_s);

/* tau of [-1, 1] as one of where the net's rows are. */
double arc_pinn_stretch(const ArcPinn *pinn, double tau);

/* sigma_phys, exact and in force, by the present values. */
void arc_pinn_settle_sigma(ArcPinn *pinn);

/* s of the observed times of this segment alone. */
void arc_pinn_place_times(ArcPinn *pinn);

/* s of the last observed point. */
double arc_pinn_last_s(const ArcPinn *pinn);

/* Whether the i-th observed time lies in pinn's own segment, as it stands. */
bool arc_pinn_holds(const ArcPinn *pinn, int time);

/* What an evaluation leaves behind for nobody: net, work, states and rows; own, or, where pinn's
 * problem has a pool, borrowed from the first net of its shape, which is made where none fits. */
ArcStatus arc_pinn_allocate_scratch(ArcPinn *pinn, ArcArena *arena, ArcError *err);
ArcStatus arc_pinn_borrow_scratch(ArcPinn *pinn, ArcError *err);

/* Rows of observations and of the physics of this segment alone. */
int arc_pinn_own_rows(const ArcPinn *pinn);

/* Rows of observations and physics: (n_observations + D M), M of all segments. */
int arc_pinn_n_rows(const ArcPinn *pinn);

/* s of the observed times, after t0 or, in segments, anything has changed. */
void arc_pinn_place_observations(ArcPinn *pinn);

/* s of the collocation points and the weights of all rows, after tau, root_weight, span or
 * sigma_phys have changed. */
void arc_pinn_place_rows(ArcPinn *pinn);

/* s of the fine grid, after the span or tau_low has changed. */
void arc_pinn_place_fine(ArcPinn *pinn);

/* False where t0 or the cameras' clocks have moved so far that the observations leave the span, or
 * most of it empty, or the kinks of a swing are elsewhere. */
bool arc_pinn_fits_span(ArcPinn *pinn);

/* A span that fits the last observation again, of a flight without bounces, or of its swing,
 * whichever does not; the net is then an untrained one with output weights of zero. */
void arc_pinn_respan(ArcPinn *pinn);

/* The kinks of a phase (kinks.h): how many features they make, before the net is; room for them,
 * and their places by the problem's starts; places by the present values, weights zero; whether
 * they are still there. */
int arc_pinn_count_kinks(const ArcProblem *problem);
ArcStatus arc_pinn_create_kinks(ArcPinn *pinn, ArcArena *arena, ArcError *err);
void arc_pinn_place_kinks(ArcPinn *pinn);
bool arc_pinn_holds_kinks(const ArcPinn *pinn);

/* The net's hidden layers as they are drawn, graded where the phase asks for it by the present
 * values (grading.h); output weights with them. ARC_MEMORY. */
bool arc_pinn_is_graded(const ArcPinn *pinn);
ArcStatus arc_pinn_draw(ArcPinn *pinn, ArcError *err);

/* pinn->jets (3 n, D) of the net and its kinks at n points. */
void arc_pinn_forward(ArcPinn *pinn, int n, const double *tau);

/* From pinn->jets (3 n, D), the net's at n points s: pinn->x, v, a (n, D). */
void arc_pinn_states(ArcPinn *pinn, int n, const double *s);

/* pinn->law, with partials also a_x, a_v, a_p, at n states that stand in pinn->x, v; s (n). */
void arc_pinn_law(ArcPinn *pinn, int n, const double *s, bool partials);

/* Fills r (rows) from pinn->x, v, a, which hold the states at the M collocation points and then at
 * the observed times; with partials also q_rows, t0_rows, and a_x, a_v. */
void arc_pinn_residual(ArcPinn *pinn, bool partials, double *r);

/* The same of the swing's net at its collocation points, and on its fine grid, in rad/s^2; NaN
 * without one. */
void arc_pinn_swing_rms(ArcPinn *pinn, double *rms, double *rms_fine);

/* Root mean square of |a - law| on the fine grid; the path's share in units of its own sigma. */
double arc_pinn_physics_rms_fine(ArcPinn *pinn);

/* Everything of pinn that training changes, both ways. */
void arc_pinn_store(ArcPinn *pinn, ArcStore *store);

/* Net and parameters of an earlier fit as the start, where its net has this shape and dimensions;
 * parameters by name. */
void arc_pinn_warm_start(ArcPinn *pinn, const ArcFit *fit);

/* Which block is not finite at the states that stand in pinn: "weights", "parameters",
 * "observations" or "physics"; NULL where all are. */
const char *arc_pinn_non_finite_block(const ArcPinn *pinn);

/* Half the sum of squares of all rows, and the weighted root mean square of |a - law| at the
 * collocation points. */
double arc_pinn_cost(ArcPinn *pinn, double *physics_rms_m_s2);

/* |a - law|^2 on the fine grid (F); returns its mean. */
double arc_pinn_breach(ArcPinn *pinn, double *squared);

#endif
