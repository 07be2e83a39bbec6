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
 * exact: sigma_phys = 0.1 sigma / (T^2 sqrt(n)), n fitted points, sigma their root mean square
 * inverse. Between the points the residual is judged on a uniform grid of F points that training
 * never sees.
 */
#ifndef ARC_FIT_PINN_H
#define ARC_FIT_PINN_H

#include "fit/method.h"
#include "fit/store.h"
#include "net/net.h"

typedef struct ArcPinn {
    const ArcProblem *problem;
    ArcNetSettings settings;
    ArcNet *net;
    ArcNetWork *work;
    int n_weights;
    double *weights;
    bool trained;   /* a stage has set the weights */
    double *values; /* (n_parameters) */
    double span_s, scale_m_s2, sigma_phys_m_s2, sigma_exact_m_s2;
    int M, F;
    double *tau;                   /* (M + n_times): collocation points, then the observed times */
    double *s;                     /* (M + n_times) seconds since t0 */
    double *root_weight;           /* (M) */
    double *fine_tau, *fine_s;     /* (F) */
    double *batch_tau, *batch_s;   /* (F), for states at other times */
    double *breach;                /* (F) scratch */
    ArcRandom random;              /* of drawn collocation points */
    double *jets;                  /* (3 max points, D) */
    double *x, *v, *a;             /* (max points, D): state by the net */
    double *law, *a_x, *a_v, *a_p; /* (max points, D [, D | D | P]) */
    double *q_rows;                /* (n_observations + D M, Q) */
    double *t0_rows;               /* (n_observations + D M) */
    double *row_weight;            /* (n_observations + D M) */
    double *r;                     /* (n_observations + D M + n_priors) scratch */
    int max_points;
} ArcPinn;

/* Net, grids and scratch for one net and number of collocation points, parameters and net at their
 * starts (`values` of the problem; weights as the net's init draws them). */
ArcStatus arc_pinn_create(const ArcProblem *problem, const ArcNetSettings *settings,
                          int collocation, ArcArena *arena, ArcPinn **pinn, ArcError *err);

/* The net that a fit begins with, the first of the ladder where there is one. */
ArcStatus arc_pinn_first(const ArcProblem *problem, ArcArena *arena, ArcPinn **pinn, ArcError *err);

/* Rows of observations and physics: (n_observations + D M). */
int arc_pinn_n_rows(const ArcPinn *pinn);

/* s of the observed times, after t0 has changed. */
void arc_pinn_place_observations(ArcPinn *pinn);

/* s of the collocation points and the weights of all rows, after tau, root_weight, span or
 * sigma_phys have changed. */
void arc_pinn_place_rows(ArcPinn *pinn);

/* False where t0 has moved so far that the observations leave the span, or most of it empty. */
bool arc_pinn_fits_span(const ArcPinn *pinn);

/* A span that fits the last observation again; the net is then an untrained one with output weights
 * of zero. */
void arc_pinn_respan(ArcPinn *pinn);

/* From pinn->jets (3 n, D), the net's at n points s: pinn->x, v, a (n, D). */
void arc_pinn_states(ArcPinn *pinn, int n, const double *s);

/* Fills r (rows) from pinn->x, v, a, which hold the states at the M collocation points and then at
 * the observed times; with partials also q_rows, t0_rows, and a_x, a_v. */
void arc_pinn_residual(ArcPinn *pinn, bool partials, double *r);

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
