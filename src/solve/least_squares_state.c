/* A solver of least squares: made, asked, and stored between two steps. */
#include "solve/least_squares_work.h"

#include <math.h>
#include <string.h>

enum { N_STATE = 7 };

ArcLeastSquaresSettings arc_least_squares_settings_default(void)
{
    return (ArcLeastSquaresSettings){.max_iterations = 100,
                                     .truncation = 1e-13,
                                     .tolerance = 1e-4,
                                     .relative_tolerance = 1e-10,
                                     .lambda = 0.0};
}

ArcStatus arc_least_squares_create(const ArcObjective *objective,
                                   const ArcLeastSquaresSettings *settings, const double *low,
                                   const double *high, ArcArena *arena, ArcLeastSquares **solver,
                                   ArcError *err)
{
    ArcLeastSquares *s = ARC_ALLOC(arena, 1, ArcLeastSquares);
    if (s == NULL)
        return arc_error_no_memory(err);
    size_t m = (size_t)objective->m, n = (size_t)objective->n_outer;
    size_t others = n + (size_t)objective->n_inner, all = others + (size_t)objective->n_damped;
    s->objective = *objective;
    s->settings = *settings;
    s->low = ARC_ALLOC(arena, 4 * n + 1, double);
    /* What is swapped is aligned alike, since some kernels sum in an order that depends on it. */
    s->r = ARC_ALLOC(arena, m, double);
    s->r_new = ARC_ALLOC(arena, m, double);
    s->J = ARC_ALLOC(arena, m * all, double);
    /* With damped unknowns J is large: points are tried by r alone, and only one J is kept. */
    bool has_damped = objective->n_damped > 0;
    s->J_new = ARC_ALLOC(arena, has_damped ? 1 : m * all, double);
    s->white = ARC_ALLOC(arena, has_damped ? m * (others + 1) : 1, double);
    s->z_new = ARC_ALLOC(arena, 2 * all, double);
    s->D = ARC_ALLOC(arena, 2 * n, double);
    s->image = ARC_ALLOC(arena, m > n ? m : n, double);
    s->curvature = ARC_ALLOC(arena, 2 * m, double);
    s->acceleration = ARC_ALLOC(arena, all, double);
    if (s->low == NULL || s->r == NULL || s->r_new == NULL || s->J == NULL || s->J_new == NULL ||
        s->z_new == NULL || s->D == NULL || s->image == NULL || s->curvature == NULL ||
        s->acceleration == NULL || s->white == NULL)
        return arc_error_no_memory(err);
    s->high = s->low + n;
    s->step_low = s->high + n;
    s->step_high = s->step_low + n;
    s->step = s->z_new + all;
    s->rest = s->curvature + m;
    s->d = s->D + n;
    for (size_t j = 0; j < n; j++) {
        s->low[j] = low != NULL ? low[j] : -INFINITY;
        s->high[j] = high != NULL ? high[j] : INFINITY;
    }
    int p = objective->n_outer;
    ArcStatus status = arc_damped_create(p, p, arena, &s->damped, err);
    if (status == ARC_OK)
        status = arc_elimination_create(objective->m, objective->n_inner, objective->n_outer, arena,
                                        &s->elimination, err);
    if (status == ARC_OK && objective->n_blocks > 0)
        arc_elimination_set_blocks(&s->elimination, objective->n_blocks, objective->blocks);
    if (status == ARC_OK && has_damped)
        status = arc_dual_create(objective->m, objective->n_damped, arena, &s->dual, err);
    if (status == ARC_OK)
        *solver = s;
    return status;
}

const double *arc_least_squares_factor(const ArcLeastSquares *solver)
{
    return solver->elimination.T;
}

const double *arc_least_squares_residual(const ArcLeastSquares *solver)
{
    return solver->r;
}

double arc_least_squares_log_det(const ArcLeastSquares *solver)
{
    return arc_elimination_log_det(&solver->elimination);
}

size_t arc_least_squares_state_size(const ArcLeastSquares *solver)
{
    return (size_t)solver->objective.n_outer + N_STATE;
}

void arc_least_squares_save(const ArcLeastSquares *s, const ArcLeastSquaresResult *result,
                            double *state)
{
    const double scalars[N_STATE] = {s->lambda,        s->growth,          s->full_step_norm,
                                     s->polished_norm, result->iterations, result->evaluations,
                                     s->n_short};
    memcpy(state, scalars, sizeof scalars);
    memcpy(state + N_STATE, s->D, sizeof(double) * (size_t)s->objective.n_outer);
}

bool arc_least_squares_restore(ArcLeastSquares *s, double *z, const double *state,
                               ArcLeastSquaresResult *result)
{
    *result = (ArcLeastSquaresResult){0};
    if (!arc_least_squares_look(s, z, result))
        return false;
    s->lambda = state[0];
    s->growth = state[1];
    s->full_step_norm = state[2];
    s->polished_norm = state[3];
    result->iterations = (int)state[4];
    result->evaluations = (int)state[5];
    s->n_short = (int)state[6];
    memcpy(s->D, state + N_STATE, sizeof(double) * (size_t)s->objective.n_outer);
    return true;
}
