/* The Jacobian of a least-squares objective against central differences over a sweep of steps.
 * Include after cmocka.h. */
#ifndef OBJECTIVE_CHECK_H
#define OBJECTIVE_CHECK_H

#include "base/random.h"
#include "fit/objectives.h"
#include "sweep.h"

#include <math.h>
#include <stdlib.h>

/* Blocks of rows: observations, physics, priors; of a swing behind them its observations and its
 * physics. */
enum { MOST_BLOCKS = 5 };

/* One objective under test: first row of each block and the end; what z's unknowns are. */
typedef struct Tested {
    const ArcObjective *objective;
    int n_blocks;
    int begin[MOST_BLOCKS + 1];
    double scale[MOST_BLOCKS]; /* largest entry of the whole block */
    double *z, *J, *above, *below;
    double worst; /* error over the block's largest entry of the column */
} Tested;

/* Column k: every entry near its difference at the best step, some entry not zero, and not all of
 * them bit-equal to it. */
static inline void check_column(Tested *tested, int k)
{
    const ArcObjective *o = tested->objective;
    const double *column = tested->J + (size_t)k * (size_t)o->m;
    double *best = calloc((size_t)o->m, sizeof *best);
    assert_non_null(best);
    int n_equal = 0, n_entries = 0;
    double z = tested->z[k];
    for (int s = 0; s < N_STEPS; s++) {
        tested->z[k] = z + steps[s];
        assert_true(o->evaluate(o->context, tested->z, tested->above, NULL));
        tested->z[k] = z - steps[s];
        assert_true(o->evaluate(o->context, tested->z, tested->below, NULL));
        for (int i = 0; i < o->m; i++) {
            double difference = (tested->above[i] - tested->below[i]) / (2.0 * steps[s]);
            double error = fabs(difference - column[i]);
            best[i] = s == 0 || error < best[i] ? error : best[i];
            n_equal += column[i] != 0.0 && difference == column[i];
            n_entries += column[i] != 0.0;
        }
    }
    tested->z[k] = z;
    assert_true(n_entries > 0);
    assert_true(n_equal < n_entries);
    for (int b = 0; b < tested->n_blocks; b++) {
        double largest = 0.0, error = 0.0;
        for (int i = tested->begin[b]; i < tested->begin[b + 1]; i++) {
            largest = fmax(largest, fabs(column[i]));
            error = best[i] <= error ? error : best[i];
        }
        /* A block that does not depend on the unknown moves by rounding at most. */
        double scale = fmax(largest, 1e-4 * tested->scale[b]);
        double share = error == 0.0 ? 0.0 : error / scale;
        tested->worst = share <= tested->worst ? tested->worst : share;
    }
    free(best);
}

/* Checks the objective at z moved a little by seeded noise, so that nothing is special there; its
 * blocks of rows begin at begin (n_blocks) and end with it. */
static inline double check_blocks(const ArcObjective *o, double *z, int n_blocks, const int *begin)
{
    size_t m = (size_t)o->m, n = (size_t)(o->n_inner + o->n_damped + o->n_outer);
    Tested tested = {.objective = o, .z = z, .n_blocks = n_blocks};
    for (int b = 0; b < n_blocks; b++)
        tested.begin[b] = begin[b];
    tested.begin[n_blocks] = o->m;
    tested.J = calloc(m * n, sizeof(double));
    tested.above = calloc(2 * m, sizeof(double));
    assert_true(tested.J != NULL && tested.above != NULL);
    tested.below = tested.above + m;
    ArcRandom random = arc_random_create(7, ARC_STREAM_STARTS);
    for (size_t k = 0; k < n; k++)
        z[k] *= 1.0 + 0.1 * arc_random_uniform(&random, 0.5, 1.0);
    assert_true(o->evaluate(o->context, z, tested.above, tested.J));
    for (int b = 0; b < n_blocks; b++)
        for (size_t k = 0; k < n; k++)
            for (int i = tested.begin[b]; i < tested.begin[b + 1]; i++)
                tested.scale[b] = fmax(tested.scale[b], fabs(tested.J[k * m + (size_t)i]));
    for (int k = 0; k < (int)n; k++)
        check_column(&tested, k);
    free(tested.J);
    free(tested.above);
    return tested.worst;
}

static inline double check_objective(const ArcProblem *problem, const ArcObjective *o, double *z,
                                     int n_physics)
{
    const int begin[] = {0, problem->n_observations, problem->n_observations + n_physics};
    assert_int_equal(o->m, problem->n_observations + n_physics + problem->n_priors);
    return check_blocks(o, z, 3, begin);
}

/* The direct objective of a problem at its starts. Returns the worst error, as above. */
static inline double check_direct_objective(const ArcProblem *problem)
{
    ArcError err;
    ArcArena *arena = arc_arena_create();
    ArcObjective objective;
    ArcTrajectory states;
    double *values = NULL, z[ARC_MAX_PARAMETERS];
    assert_int_equal(arc_direct_objective(problem, arena, &objective, &states, &values, &err),
                     ARC_OK);
    for (int k = 0; k < problem->n_free; k++)
        z[k] = problem->start[problem->free_parameter[k]];
    double worst = check_objective(problem, &objective, z, 0);
    arc_arena_free(arena);
    return worst;
}

#endif
