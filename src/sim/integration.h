/* Inside the simulator: the state of a run and its single steps, for what looks into them.
 *
 * The unknown is a pair of vectors (x, v) of equal size, x' = v, v' = a. Each holds the state in
 * its first numbers, as many as lanes (d and zeros up to a multiple of 4), and then, in a run with
 * sensitivities, the matrix of columns q, row-major (d, stride), stride even, padded with zeros:
 *
 *   x = [x_1 .. x_d 0 | dx_1/dq_1 .. dx_1/dq_C 0 | dx_2/dq_1 ..],   v the same of the velocity
 *
 * so that a Runge-Kutta combination is one loop over contiguous numbers. A run by transition
 * matrices (adjoint.h) has the columns of x0 and v0 alone. In a position-free motion the columns of
 * x0 are known (identity, zero) and left out, and the x of a stage is never needed.
 */
#ifndef ARC_SIM_INTEGRATION_H
#define ARC_SIM_INTEGRATION_H

#include "sim/dop853.h"
#include "sim/simulator.h"

/* Vectors are multiples of a block, rows of sensitivities of a pair. */
enum { ARC_SIM_BLOCK = 4, ARC_SIM_PAIR = 2 };

/* Of the sensitivities those that are integrated with the state. */
typedef enum ArcSimColumns {
    ARC_SIM_NO_COLUMNS,
    ARC_SIM_STATE_COLUMNS, /* by x0 and v0 */
    ARC_SIM_ALL_COLUMNS
} ArcSimColumns;

struct ArcSimulator {
    ArcMotion motion;
    ArcSimSettings settings;
    double sensitivity_tolerance;
    int lanes;  /* numbers of a vector before the sensitivities */
    int stride; /* of a row of sensitivities, in this run */
    int size;   /* of a vector in this run */
    int n_p;    /* columns of p in this run */
    ArcSimColumns columns;
    double origin;   /* of the motion's clock in this run */
    const double *p; /* of this run */
    int n_kinks;     /* of this run */
    const double *kinks;
    double *v, *a; /* (ARC_DOP853_STAGES, size): velocities and accelerations of the stages */
    double *x, *x_new, *x_stage;
    double *x_dense, *v_dense;
    double *a_x, *a_v, *a_p;
    double *a_p_unasked;     /* where the motion puts a_p if it is not asked for: a_p, or NULL */
    double *inverse_scale;   /* as a vector with all columns */
    double *peak, *peak_new; /* (stride): largest value of each column before and after a step */
    struct ArcSimAdjoint *adjoint; /* NULL: sensitivities are integrated forwards */
};

static inline int arc_sim_round_up(int n, int to)
{
    return (n + to - 1) / to * to;
}

/* One over the error that is allowed of a column whose largest value so far is peak. One smaller
 * than 1e-9 (m or m/s for one unit of q) may be rounding alone. */
static inline double arc_sim_inverse_allowed(const ArcSimulator *sim, double peak)
{
    return 1 / (sim->sensitivity_tolerance * (peak + 1e-9));
}

/* out = base + h * sum of weight * stage, of vectors of size n, a multiple of a block; out may be
 * base. */
void arc_sim_combine(int n, const ArcDop853Row *row, const double *stages, const double *base,
                     double h, double *out);

/* The layout of vectors from now on. */
void arc_sim_set_columns(ArcSimulator *sim, ArcSimColumns columns);

/* A step h from begin; end is begin + h, or the last time itself. */
typedef struct ArcSimStep {
    double begin, end, h;
} ArcSimStep;

/* How far a run is, and its step control. */
typedef struct ArcSimClock {
    double now, end;
    double h;    /* step to try next */
    double most; /* that h may grow by */
    int tried;
    int n_steps; /* accepted */
} ArcSimClock;

/* Sets the start and its rate; false where it is not finite. */
bool arc_sim_begin(ArcSimulator *sim, const ArcSimStart *start, ArcSimColumns columns);

/* A clock from the start just set to end > t0. */
ArcSimClock arc_sim_clock(ArcSimulator *sim, double t0, double end);

/* Tries until a step is accepted: its end is in x_new and in stage ARC_DOP853_STEP of v and a, its
 * begin still in x and stage 0. The clock stands at the step's end. */
ArcSimEnd arc_sim_step(ArcSimulator *sim, ArcSimClock *clock, ArcSimStep *step);

/* Makes the end of the step the start of the next. */
void arc_sim_advance(ArcSimulator *sim);

/* Another step h from the same begin, with the rate at its end; false where it is not finite. */
bool arc_sim_again(ArcSimulator *sim, double begin, double h);

/* The stages that the dense output of the accepted step needs. */
void arc_sim_dense_prepare(ArcSimulator *sim, const ArcSimStep *step);

/* Whole vectors at a time inside the step, into x_dense and, where wanted, v_dense. */
void arc_sim_dense(ArcSimulator *sim, const ArcSimStep *step, double t, bool with_v);

/* Position and velocity (lanes) at a time inside the step, by its dense output. */
void arc_sim_dense_state(ArcSimulator *sim, const ArcSimStep *step, double t, double *x, double *v);

/* The i-th outputs from a state's vectors. */
void arc_sim_write(ArcSimulator *sim, const ArcSimOutput *output, int i, double t, const double *x,
                   const double *v);

#endif
