/* Sorting by true time, and flying both ways from the release. */
#include "fit/moments.h"

#include <math.h>
#include <string.h>

ArcStatus arc_moments_create(const ArcProblem *problem, ArcArena *arena, ArcMoments **result,
                             ArcError *err)
{
    ArcMoments *moments = ARC_ALLOC(arena, 1, ArcMoments);
    if (moments == NULL)
        return arc_error_no_memory(err);
    size_t n = (size_t)problem->n_times;
    moments->problem = problem;
    moments->t_s = ARC_ALLOC(arena, n, double);
    moments->order = ARC_ALLOC(arena, n, int);
    moments->place = ARC_ALLOC(arena, n, int);
    if (moments->t_s == NULL || moments->order == NULL || moments->place == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < problem->n_times; i++)
        moments->order[i] = i;
    *result = moments;
    return arc_back_create(&problem->flight, problem->direct_tolerance, problem->n_times, true,
                           arena, &moments->back, err);
}

/* By insertion into the last order, which is nearly right; equal times stay in the file's order, so
 * that it does not depend on where the search has been. */
static void sort_times(ArcMoments *moments, const double *values)
{
    const ArcProblem *problem = moments->problem;
    double *t = moments->t_s;
    int *order = moments->order;
    for (int i = 0; i < problem->n_times; i++) {
        int which = order[i], k = i;
        double time_s = arc_problem_time(problem, values, which);
        for (; k > 0 && (t[k - 1] > time_s || (t[k - 1] == time_s && order[k - 1] > which)); k--) {
            t[k] = t[k - 1];
            order[k] = order[k - 1];
        }
        t[k] = time_s;
        order[k] = which;
    }
    for (int i = 0; i < problem->n_times; i++)
        moments->place[order[i]] = i;
}

bool arc_moments_fly(ArcMoments *moments, ArcFlyer *flyer, const ArcThrow *thrown,
                     const ArcSimOutput *output)
{
    const ArcProblem *problem = moments->problem;
    int n = problem->n_times, D = problem->D, before = 0;
    sort_times(moments, thrown->values);
    if (!isfinite(moments->t_s[0]) || !isfinite(moments->t_s[n - 1]))
        return false;
    while (before < n && moments->t_s[before] < thrown->values[problem->t0_index])
        before++;
    if (before > 0 && !arc_back_run(moments->back, thrown, before, moments->t_s, output))
        return false;
    if (before == n)
        return true;
    size_t from = (size_t)before * (size_t)D;
    ArcSimOutput rest = {.x = output->x + from,
                         .v = output->v != NULL ? output->v + from : NULL,
                         .x_q =
                             output->x_q != NULL ? output->x_q + from * (size_t)problem->Q : NULL};
    return arc_flyer_run(flyer, thrown, n - before, moments->t_s + before, &rest);
}
