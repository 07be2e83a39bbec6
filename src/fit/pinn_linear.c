/* The linear stage: output layer and parameters by Gauss-Newton, hidden layers held.
 *
 * The net's outputs enter through b, in the orthonormal basis of basis.h. A flight in segments has
 * an objective of its own (segments_linear.c).
 */
#include "fit/basis.h"
#include "fit/closed.h"
#include "fit/objectives.h"
#include "fit/segments.h"
#include "solve/stacked.h"

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
    int first;
    for (int i = 0; i < arc_stacked_count(objective); i++) {
        const ArcObjective *part = arc_stacked_part(objective, i, &first);
        arc_linear_store(part, z + first);
    }
    if (arc_stacked_count(objective) > 0)
        return;
    if (objective->evaluate != linear_evaluate) {
        arc_segments_store(objective, z);
        return;
    }
    const Linear *linear = objective->context;
    arc_basis_store(linear->basis, z);
}

/* Of one net, or of those of a flight in segments. */
static ArcStatus linear_of(ArcPinn *pinn, ArcArena *arena, ArcObjective *objective, double **start,
                           ArcError *err)
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
    int n_outer = arc_problem_n_unknowns(problem);
    linear->z = ARC_ALLOC(arena, (size_t)(n_inner + n_outer), double);
    if (linear->z == NULL)
        return arc_error_no_memory(err);
    *objective = (ArcObjective){.m = linear->m,
                                .n_inner = n_inner,
                                .n_outer = n_outer,
                                .context = linear,
                                .evaluate = linear_evaluate};
    *start = linear->z;
    if (linear->basis->rank > 0)
        status = arc_basis_start(linear->basis, linear->z, err);
    arc_problem_gather(problem, pinn->values, linear->z + n_inner);
    return status;
}

ArcStatus arc_linear_objective(ArcPinn *pinn, ArcArena *arena, ArcObjective *objective,
                               double **start, ArcError *err)
{
    double *starts[2] = {NULL, NULL};
    ArcObjective parts[2];
    ArcStatus status = linear_of(pinn, arena, &parts[0], &starts[0], err);
    if (status == ARC_OK && pinn->swing != NULL)
        status = linear_of(pinn->swing, arena, &parts[1], &starts[1], err);
    if (status != ARC_OK)
        return status;
    *objective = parts[0];
    *start = starts[0];
    if (pinn->swing == NULL)
        return ARC_OK;
    size_t n[2] = {(size_t)parts[0].n_inner, (size_t)parts[1].n_inner};
    size_t n_outer = (size_t)parts[0].n_outer;
    double *z = ARC_ALLOC(arena, n[0] + n[1] + n_outer, double);
    if (z == NULL)
        return arc_error_no_memory(err);
    memcpy(z, starts[0], sizeof(double) * n[0]);
    memcpy(z + n[0], starts[1], sizeof(double) * n[1]);
    memcpy(z + n[0] + n[1], starts[0] + n[0], sizeof(double) * n_outer);
    *start = z;
    return arc_stacked_create(2, parts, arena, objective, err);
}

int arc_linear_n_inner(const ArcObjective *objective)
{
    int first;
    if (arc_stacked_count(objective) > 0)
        return arc_stacked_part(objective, 0, &first)->n_inner;
    return objective->n_inner;
}
