/* The linear stage: output layer and parameters by Gauss-Newton, hidden layers held.
 *
 * The net's outputs enter through b, in the orthonormal basis of basis.h. A flight in segments has
 * an objective of its own (segments_linear.c).
 */
#include "fit/basis.h"
#include "fit/objectives.h"
#include "fit/segments.h"

#include <math.h>
#include <string.h>

typedef struct Linear {
    ArcPinn *pinn;
    ArcBasis *basis;
    int m; /* all rows */
    double *z;
} Linear;

static bool linear_evaluate(void *context, const double *z, double *r, double *J)
{
    Linear *linear = context;
    ArcPinn *pinn = linear->pinn;
    const ArcProblem *problem = pinn->problem;
    int n_inner = problem->D * linear->basis->rank, rows = arc_pinn_n_rows(pinn);
    const double *u = z + n_inner;
    if (linear->basis->rank == 0)
        return false;
    arc_problem_scatter(problem, u, pinn->values);
    if (arc_problem_times_move(problem)) {
        arc_pinn_place_observations(pinn);
        arc_basis_place(linear->basis, pinn->M);
    }
    arc_basis_states(linear->basis, z);
    arc_pinn_residual(pinn, J != NULL, r);
    size_t ld = (size_t)linear->m;
    double *outer = J != NULL ? J + (size_t)n_inner * ld : NULL;
    arc_problem_priors(problem, u, r + rows, outer != NULL ? outer + rows : NULL, ld);
    if (J != NULL) {
        arc_basis_columns(linear->basis, J, ld);
        ArcPartials partials = {rows, pinn->q_rows, pinn->t0_rows, pinn->row_weight, pinn->sight};
        arc_problem_chain(problem, pinn->values, &partials, outer, ld);
    }
    double sum = 0.0;
    for (int i = 0; i < linear->m; i++)
        sum += r[i] * 0.0;
    return sum == 0.0;
}

void arc_linear_store(const ArcObjective *objective, const double *z)
{
    if (objective->evaluate != linear_evaluate) {
        arc_segments_store(objective, z);
        return;
    }
    const Linear *linear = objective->context;
    arc_basis_store(linear->basis, z);
}

ArcStatus arc_linear_objective(ArcPinn *pinn, ArcArena *arena, ArcObjective *objective,
                               double **start, ArcError *err)
{
    if (pinn->next != NULL)
        return arc_segments_objective(pinn, arena, objective, start, err);
    const ArcProblem *problem = pinn->problem;
    Linear *linear = ARC_ALLOC(arena, 1, Linear);
    if (linear == NULL)
        return arc_error_no_memory(err);
    *linear = (Linear){.pinn = pinn, .m = arc_pinn_n_rows(pinn) + problem->n_priors};
    ArcStatus status = arc_basis_create(pinn, arena, &linear->basis, err);
    if (status != ARC_OK)
        return status;
    int n_inner = problem->D * linear->basis->rank;
    linear->z = ARC_ALLOC(arena, (size_t)(n_inner + problem->n_free), double);
    if (linear->z == NULL)
        return arc_error_no_memory(err);
    *objective = (ArcObjective){.m = linear->m,
                                .n_inner = n_inner,
                                .n_outer = problem->n_free,
                                .context = linear,
                                .evaluate = linear_evaluate};
    *start = linear->z;
    if (linear->basis->rank > 0)
        arc_basis_start(linear->basis, linear->z);
    for (int k = 0; k < problem->n_free; k++)
        linear->z[n_inner + k] = pinn->values[problem->free_parameter[k]];
    return ARC_OK;
}
