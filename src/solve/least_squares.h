/* Gauss-Newton and Levenberg-Marquardt for min over z of F(z) = |r(z)|^2 / 2, with bounds.
 *
 * z = (inner, damped, outer). Inner unknowns are eliminated from each linearised problem
 * (eliminate.h), so that a net's output weights cost no accuracy of the few outer unknowns; only
 * outer ones have bounds. A step solves min |T d + c|^2 + lambda |D d|^2 (damped.h); its gain ratio
 * is the true decrease over the promised one. A failed step is halved where there are inner
 * unknowns (their part of the step knows no lambda), else lambda grows (Nielsen, IMM-REP-1999-05).
 * The damping starts at `lambda`; zero is pure Gauss-Newton as long as that works.
 *
 * Damped unknowns, many (a net's hidden weights), are answered in the dual form (dual.h); lambda is
 * theirs alone, and the others take full steps beside them, as in variable projection (Kaufman, BIT
 * 15 (1975) 49). A failed step is then both halved and damped more.
 *
 * Along a long valley damping shortens all later steps too; a few halvings before it do not.
 *
 * Where inner unknowns answer the outer ones by stiff rows (a net that must follow its equations),
 * a whole step leaves these rows by its second order, far above what it gains in the others. Such a
 * step is then corrected: the inner unknowns are solved for again at the new outer ones, by the
 * factor at hand, a few times (Gauss-Newton on the inner problem, its Jacobian held).
 *
 * Near the end decreases drown in the cost's rounding, half the digits before the unknowns do; from
 * there steps are taken as long as they get shorter, if relative_tolerance asks for it.
 */
#ifndef ARC_SOLVE_LEAST_SQUARES_H
#define ARC_SOLVE_LEAST_SQUARES_H

#include "arcfit/solve.h"
#include "base/arena.h"
#include "solve/eliminate.h"

#include <stdbool.h>

/* What a solver sees: r (m), and J (m, n_inner + n_damped + n_outer) column-major unless J is NULL.
 * evaluate returns false where a result is not finite or cannot be had; that point is then refused.
 */
typedef struct ArcObjective {
    int m, n_inner, n_damped, n_outer;
    void *context;
    bool (*evaluate)(void *context, const double *z, double *r, double *J);
    int n_blocks; /* of the inner columns (eliminate.h); 0: one */
    ArcInnerBlock blocks[ARC_MAX_INNER_BLOCKS];
} ArcObjective;

typedef struct ArcLeastSquaresSettings {
    int max_iterations;
    double truncation;         /* of the pivoted QR, relative */
    double tolerance;          /* converged once a step promises |J d| below this ... */
    double relative_tolerance; /* ... or below this times |r| */
    double lambda;             /* first damping, relative to squared column lengths */
    int halvings;              /* tried before damping, without inner unknowns */
    int corrections;           /* of the inner unknowns, of a step that fails; 0: none */
    bool geodesic;             /* second-order correction of steps with damped unknowns */
    /* After every accepted step, with r there; false interrupts a run that would go on; may be
     * NULL. */
    bool (*progress)(void *context, int iteration, double cost, double step, const double *r);
    void *progress_context;
} ArcLeastSquaresSettings;

/* 100 iterations, truncation 1e-13, tolerance 1e-4 (in units of r), relative 1e-10, lambda 0. */
ArcLeastSquaresSettings arc_least_squares_settings_default(void);

typedef struct ArcLeastSquares ArcLeastSquares; /* scratch and the last factorisation */

/* low, high (n_outer), copied; NULL: none. */
ArcStatus arc_least_squares_create(const ArcObjective *objective,
                                   const ArcLeastSquaresSettings *settings, const double *low,
                                   const double *high, ArcArena *arena, ArcLeastSquares **solver,
                                   ArcError *err);

typedef struct ArcLeastSquaresResult {
    ArcStop stop;
    int iterations; /* accepted steps */
    int evaluations;
    double cost; /* F at the end; 0 where the start cannot be evaluated */
} ArcLeastSquaresResult;

/* Improves z in place. With ARC_STOP_NON_FINITE before the first step z is
 * as it was. No allocation. */
ArcLeastSquaresResult arc_least_squares_run(ArcLeastSquares *solver, double *z);

/* The same step by step: begin at z, then step until it returns false; result tells at any time
 * where the run stands. */
bool arc_least_squares_begin(ArcLeastSquares *solver, double *z, ArcLeastSquaresResult *result);
bool arc_least_squares_step(ArcLeastSquares *solver, double *z, ArcLeastSquaresResult *result);

/* |J d| of the undamped step that is left at z, after begin or a step; NaN where it cannot be had.
 * Scales begin anew with it: ask at the end of a run. */
double arc_least_squares_remaining(ArcLeastSquares *solver, const double *z);

/* log det(J'J) at the last factorisation, over the directions that count. */
double arc_least_squares_log_det(const ArcLeastSquares *solver);

/* Between two steps: all that is needed beside z to go on bit for bit in a solver created alike.
 * restore evaluates at z again; false where that fails. */
size_t arc_least_squares_state_size(const ArcLeastSquares *solver);
void arc_least_squares_save(const ArcLeastSquares *solver, const ArcLeastSquaresResult *result,
                            double *state);
bool arc_least_squares_restore(ArcLeastSquares *solver, double *z, const double *state,
                               ArcLeastSquaresResult *result);

/* After a run that could be evaluated: r (m) at the last accepted z. */
const double *arc_least_squares_residual(const ArcLeastSquares *solver);

/* After a run: the triangular factor T (n_outer, n_outer, column-major) of the outer unknowns at
 * the last accepted z, from which posterior.h works (at the one before, where the last step changes
 * it by less than 1e-7); without damped unknowns only. */
const double *arc_least_squares_factor(const ArcLeastSquares *solver);

#endif
