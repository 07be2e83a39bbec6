/* Release position and velocity from a parabola through each axis's points.
 *
 * x(s) = c0 + c1 s + c2 s^2, s = t - t0, weighted by 1/sigma, in tau = s / span, by QR. Over a long
 * flight a ball is far from a parabola, but its release is all that is taken.
 */
#include "fit/start.h"

#include "fit/release.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { TERMS = 3 };

/* Least squares of n weighted rows (n, TERMS column-major, ld) with so many terms; the coefficients
 * stand in the first places of rhs afterwards. */
static bool parabola_solve(double *matrix, double *rhs, int n, int ld, int terms)
{
    double work[64 * TERMS];
    return LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', n, terms, 1, matrix, ld, rhs, ld, work,
                              64 * TERMS) == 0;
}

/* Coefficients of one axis into c, zero where its points do not give them. */
static void parabola_of_axis(const ArcProblem *problem, int axis, double *scratch,
                             double c[static TERMS])
{
    int n = 0, ld = problem->n_times;
    double t0 = problem->start[problem->t0_index];
    double span = problem->time_s[problem->n_times - 1] - t0;
    double *rhs = scratch + (size_t)TERMS * (size_t)ld;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        if (o->axis != axis)
            continue;
        double tau = (problem->time_s[o->time] - t0) / span;
        scratch[n] = 1.0 / o->sigma_m;
        scratch[n + ld] = tau / o->sigma_m;
        scratch[n + 2 * ld] = tau * tau / o->sigma_m;
        rhs[n++] = o->value_m / o->sigma_m;
    }
    memset(c, 0, sizeof(double) * TERMS);
    int terms = n < TERMS ? n : TERMS;
    if (terms == 0 || !parabola_solve(scratch, rhs, n, ld, terms))
        return;
    for (int k = 0; k < terms; k++)
        c[k] = isfinite(rhs[k]) ? rhs[k] / pow(span, k) : 0.0;
}

ArcStatus arc_start_from_data(ArcProblem *problem, ArcError *err)
{
    int d = problem->d, position = problem->t0_index + 1, velocity = position + d;
    ArcArena *arena = arc_arena_create();
    double *scratch =
        arena == NULL ? NULL : ARC_ALLOC(arena, (TERMS + 1) * (size_t)problem->n_times, double);
    if (scratch == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    double v[3], values[3];
    for (int axis = 0; axis < d; axis++) {
        double c[TERMS];
        parabola_of_axis(problem, axis, scratch, c);
        v[axis] = c[1];
        problem->start_acceleration[axis] = 2.0 * c[2];
        if (!problem->parameters[position + axis].has_start)
            problem->start[position + axis] = c[0];
    }
    if (problem->D > d) /* the path flown: its rate is the speed */
        problem->start_acceleration[d] = cblas_dnrm2(d, v, 1);
    arc_release_from_velocity(problem->release, d, problem->flight.settings.up, v, values);
    for (int j = 0; j < d; j++)
        if (!problem->parameters[velocity + j].has_start)
            problem->start[velocity + j] = values[j];
    arc_arena_free(arena);
    return ARC_OK;
}
