/* The least-squares problems that the solver sees: residuals and Jacobian of each method's stage.
 *
 * An objective's unknowns z are (inner, damped, free parameters u), the first two of the PINN's
 * stages alone, and its rows the observations, then for the PINN the physics (pinn.h), then the
 * priors; where a swing comes before the flight (swing.h), its own rows and inner unknowns follow
 * those of the flight. Each is made with everything it needs in the
 * arena; evaluating takes no memory. J must be zero before the first evaluation into it: what is
 * always zero is never written.
 */
#ifndef ARC_FIT_OBJECTIVES_H
#define ARC_FIT_OBJECTIVES_H

#include "fit/pinn.h"
#include "fit/store.h"
#include "solve/descent.h"
#include "solve/least_squares.h"

/* Direct fit: z = u. states flies the unknowns evaluated last, or those in `values`
 * (n_parameters), which the caller may set. */
ArcStatus arc_direct_objective(const ArcProblem *problem, ArcArena *arena, ArcObjective *objective,
                               ArcTrajectory *states, double **values, ArcError *err);

/* Linear stage: z = (b (D, rank), u), b in the orthonormal basis of accelerations that pinn's
 * hidden layers make. start (n_inner + n_outer): pinn's values and, for a net that no stage has
 * trained yet, the data's parabola, else the net's own accelerations. Where the hidden layers are
 * not finite, no evaluation succeeds. */
ArcStatus arc_linear_objective(ArcPinn *pinn, ArcArena *arena, ArcObjective *objective,
                               double **start, ArcError *err);

/* The inner unknowns of the flight alone, which come first, where there is a swing too. */
int arc_linear_n_inner(const ArcObjective *objective);

/* Sets pinn's output weights to those of b, for an objective of arc_linear_objective. */
void arc_linear_store(const ArcObjective *objective, const double *z);

/* All weights: z = (output layer, hidden layers, u), the output layer inner, the hidden ones
 * damped. start: pinn's, with an output layer of zero where its own is beyond use. */
ArcStatus arc_weights_objective(ArcPinn *pinn, ArcArena *arena, ArcObjective *objective,
                                double **start, ArcError *err);

/* Sets pinn's weights to those of z, for an objective of arc_weights_objective. */
void arc_weights_store(const ArcObjective *objective, const double *z);

/* The same rows as a scalar with its gradient, weighed by a loss balance (pinn_gradient.c). */
typedef struct ArcGradient ArcGradient;

/* x (n = weights + parameters, scaled to a size of one): pinn's weights and values. In the arena.
 */
ArcStatus arc_gradient_create(ArcPinn *pinn, ArcArena *arena, ArcGradient **gradient, double **x,
                              ArcError *err);
ArcScalarObjective arc_gradient_objective(ArcGradient *gradient);
int arc_gradient_n(const ArcGradient *gradient);

/* Half the squares of observations, physics and priors at the last evaluation, without balance. */
const double *arc_gradient_parts(const ArcGradient *gradient);

/* The same at x, evaluated where that was not the last: a line search may end elsewhere. */
const double *arc_gradient_parts_at(ArcGradient *gradient, const double *x);

/* Moves parameters of x that left their bounds back. */
void arc_gradient_keep_bounds(const ArcGradient *gradient, double *x);

/* Renews the balance at x; true where the objective has changed by it. */
bool arc_gradient_balance(ArcGradient *gradient, const double *x);

/* The balance and the sizes of the parameters, for a checkpoint. */
void arc_gradient_store_balance(ArcGradient *gradient, ArcStore *store);

/* Sets pinn's weights and values to x, which may be in the middle of a stage. */
void arc_gradient_finish(ArcGradient *gradient, const double *x);

#endif
