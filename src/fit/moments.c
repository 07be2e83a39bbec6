/* Sorting by true time, and the parabola before the release. */
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
    moments->a_p = ARC_ALLOC(arena, (size_t)problem->D * (size_t)problem->P + 1, double);
    if (moments->t_s == NULL || moments->order == NULL || moments->place == NULL ||
        moments->a_p == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < problem->n_times; i++)
        moments->order[i] = i;
    *result = moments;
    return ARC_OK;
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

/* Partials of the parabola's point at s by q, into x_q (D, Q). */
static void parabola_partials(const ArcProblem *problem, double s, const double *a_x,
                              const double *a_v, const double *a_p, double *x_q)
{
    int D = problem->D, P = problem->P, Q = problem->Q;
    double half = 0.5 * s * s;
    for (int c = 0; c < D; c++) {
        double *row = x_q + c * Q;
        for (int k = 0; k < P; k++)
            row[k] = half * a_p[c * P + k];
        for (int e = 0; e < D; e++) {
            row[P + e] = (c == e ? 1.0 : 0.0) + half * a_x[c * D + e];
            row[P + D + e] = (c == e ? s : 0.0) + half * a_v[c * D + e];
        }
    }
}

/* The first n moments, which lie before the release. */
static void fly_before(ArcMoments *moments, const ArcThrow *thrown, int n,
                       const ArcSimOutput *output)
{
    const ArcProblem *problem = moments->problem;
    int D = problem->D;
    bool partials = output->x_q != NULL;
    double t0, x0[4], v0[4], a0[4], a_x[16], a_v[16];
    const double since = 0.0;
    arc_flyer_release(thrown, &t0, x0, v0);
    arc_flight_acceleration(thrown->flight, 1, &since, x0, v0, thrown->values, a0,
                            partials ? a_x : NULL, partials ? a_v : NULL,
                            partials ? moments->a_p : NULL);
    for (int i = 0; i < n; i++) {
        double s = moments->t_s[i] - t0;
        for (int c = 0; c < D; c++) {
            output->x[i * D + c] = x0[c] + s * (v0[c] + 0.5 * s * a0[c]);
            if (output->v != NULL)
                output->v[i * D + c] = v0[c] + s * a0[c];
        }
        if (partials)
            parabola_partials(problem, s, a_x, a_v, moments->a_p,
                              output->x_q + (size_t)(i * D) * (size_t)problem->Q);
    }
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
    if (before > 0)
        fly_before(moments, thrown, before, output);
    if (before == n)
        return true;
    size_t from = (size_t)before * (size_t)D;
    ArcSimOutput rest = {.x = output->x + from,
                         .v = output->v != NULL ? output->v + from : NULL,
                         .x_q =
                             output->x_q != NULL ? output->x_q + from * (size_t)problem->Q : NULL};
    return arc_flyer_run(flyer, thrown, n - before, moments->t_s + before, &rest);
}
