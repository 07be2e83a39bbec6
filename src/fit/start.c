/* Release position and velocity from a parabola through each axis's points.
 *
 * x(s) = c0 + c1 s + c2 s^2, s = t - t0, weighted by 1/sigma, in tau = s / span, by QR. Over a long
 * flight a ball is far from a parabola, but its release is all that is taken. Of a flight with a
 * bounce the points before it count.
 *
 * Where the loss is a robust one the parabola is so too: that of the least absolute deviations,
 * nearly (Huber's loss, reweighted in rounds, in a tenth of the residuals' own median size), which
 * neither far points on one side carry off nor a sigma that is unknown or a flight that is none.
 */
#include "fit/start.h"

#include "fit/loss.h"
#include "fit/release.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 3, ROUNDS = 40 };
static const double median_share = 0.1;
static const double normal_quartile = 0.67448975019608174; /* half of normal numbers are smaller */

/* A point is clearly off another by so many sds; a bounce happens below this share of the height
 * that the ball fell from. */
static const double clear_sds = 6.0, low_share = 0.5;

/* Least squares of n weighted rows (n, TERMS column-major, ld) with so many terms; the coefficients
 * stand in the first places of rhs afterwards. */
static bool parabola_solve(double *matrix, double *rhs, int n, int ld, int terms)
{
    double work[64 * TERMS];
    return LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', n, terms, 1, matrix, ld, rhs, ld, work,
                              64 * TERMS) == 0;
}

/* The first time index from which on points may lie behind a bounce: where the height over the
 * plane has clearly fallen and clearly risen again, low over the plane, its lowest. */
static int first_bounce(const ArcProblem *problem)
{
    const ArcBounce *bounce = &problem->flight.settings.bounce;
    double side = 0.0, top = 0.0, low = 0.0;
    int low_time = problem->n_times;
    for (int i = 0; bounce->is_on && i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        double height = o->value - bounce->plane.level_m, clear = clear_sds * o->sigma;
        if (o->axis != bounce->plane.axis)
            continue;
        if (side == 0.0) {
            side = height < 0.0 ? -1.0 : 1.0;
            top = low = side * height;
            continue;
        }
        height *= side;
        if (low < low_share * top && top - low > clear && height - low > clear)
            return low_time >= TERMS ? low_time : low_time + 1;
        if (height > top)
            top = low = height;
        if (height < low) {
            low = height;
            low_time = o->time;
        }
    }
    return problem->n_times;
}

/* One axis's points while its parabola is found. */
typedef struct Axis {
    int n, ld, terms;
    double *tau, *value, *weight; /* (ld): weight is 1/sigma */
    double *off;                  /* (ld) residuals in sigma */
    double *size;                 /* (ld) their sizes, in order */
    double *matrix, *rhs;         /* (ld, TERMS), (ld) */
} Axis;

static bool axis_create(Axis *axis, int ld, ArcArena *arena)
{
    double *block = ARC_ALLOC(arena, (6 + TERMS) * (size_t)ld, double);
    double **arrays[] = {&axis->tau,  &axis->value, &axis->weight, &axis->off,
                         &axis->size, &axis->rhs,   &axis->matrix};
    for (size_t i = 0; block != NULL && i < sizeof arrays / sizeof arrays[0]; i++)
        *arrays[i] = block + i * (size_t)ld;
    axis->ld = ld;
    return block != NULL;
}

static void axis_load(Axis *axis, const ArcProblem *problem, int index, int n_times, double span)
{
    double t0 = problem->start[problem->t0_index];
    axis->n = 0;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        if (o->axis != index || o->time >= n_times)
            continue;
        axis->tau[axis->n] = (problem->time_s[o->time] - t0) / span;
        axis->value[axis->n] = o->value;
        axis->weight[axis->n++] = 1.0 / o->sigma;
    }
    axis->terms = axis->n < TERMS ? axis->n : TERMS;
    memset(axis->off, 0, sizeof(double) * (size_t)axis->n);
}

static int compare_sizes(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The sigma that the residuals' median size tells, in units of the points' own; by their mean
 * square where few are left over. */
static double axis_scale(Axis *axis)
{
    int n = axis->n, spare = n - axis->terms;
    if (spare < 1)
        return 0.0;
    if (n < 3 * TERMS)
        return cblas_dnrm2(n, axis->off, 1) / sqrt(spare);
    for (int i = 0; i < n; i++)
        axis->size[i] = fabs(axis->off[i]);
    qsort(axis->size, (size_t)n, sizeof(double), compare_sizes);
    return axis->size[n / 2] / normal_quartile;
}

/* Coefficients into c, zero where the points do not give them; the residuals into off. */
static void axis_solve(Axis *axis, const ArcLoss *loss, int rounds, double c[static TERMS])
{
    memset(c, 0, sizeof(double) * TERMS);
    for (int round = 0; round < rounds && axis->terms > 0; round++) {
        double unit = fmax(median_share * axis_scale(axis), 1e-6);
        for (int i = 0; i < axis->n; i++) {
            double pull = round == 0 ? 1.0 : arc_loss_weight(loss, axis->off[i] / unit);
            double w = axis->weight[i] * sqrt(pull), term = w;
            for (int k = 0; k < TERMS; k++, term *= axis->tau[i])
                axis->matrix[i + k * axis->ld] = term;
            axis->rhs[i] = w * axis->value[i];
        }
        if (!parabola_solve(axis->matrix, axis->rhs, axis->n, axis->ld, axis->terms))
            return;
        for (int k = 0; k < axis->terms; k++)
            c[k] = isfinite(axis->rhs[k]) ? axis->rhs[k] : 0.0;
        for (int i = 0; i < axis->n; i++)
            axis->off[i] = axis->weight[i] *
                           (axis->value[i] - (c[0] + axis->tau[i] * (c[1] + axis->tau[i] * c[2])));
    }
}

/* A first factor of all sigmas, where it is to be estimated. */
static void scale_sigmas(ArcProblem *problem, double factor)
{
    double smallest = INFINITY;
    for (int i = 0; i < problem->n_observations; i++)
        smallest = fmin(smallest, problem->observations[i].sigma);
    problem->sigma_factor = fmax(factor, ARC_LEAST_ESTIMATED_SIGMA_M / smallest);
    for (int i = 0; i < problem->n_observations; i++)
        problem->observations[i].sigma *= problem->sigma_factor;
}

ArcStatus arc_start_from_data(ArcProblem *problem, ArcError *err)
{
    if (problem->view != NULL)
        return arc_start_from_view(problem, err);
    int d = problem->d, position = problem->t0_index + 1, velocity = position + d;
    ArcArena *arena = arc_arena_create();
    Axis points;
    if (arena == NULL || !axis_create(&points, problem->n_times, arena)) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    double v[3], values[3], factor = 0.0;
    int n_times = first_bounce(problem);
    double span = problem->time_s[problem->n_times - 1] - problem->start[problem->t0_index];
    bool robust = problem->loss.kind != ARC_LOSS_GAUSS;
    ArcLoss loss = arc_loss_convex(&problem->loss);
    for (int axis = 0; axis < d; axis++) {
        double c[TERMS];
        axis_load(&points, problem, axis, n_times, span);
        axis_solve(&points, &loss, robust ? ROUNDS : 1, c);
        factor = fmax(factor, axis_scale(&points));
        v[axis] = c[1] / span;
        problem->start_acceleration[axis] = 2.0 * c[2] / (span * span);
        if (!problem->parameters[position + axis].has_start)
            problem->start[position + axis] = c[0];
    }
    if (problem->D > d) /* the path flown: its rate is the speed */
        problem->start_acceleration[d] = cblas_dnrm2(d, v, 1);
    arc_release_from_velocity(problem->release, d, problem->flight.settings.up, v, values);
    for (int j = 0; j < d; j++)
        if (!problem->parameters[velocity + j].has_start)
            problem->start[velocity + j] = values[j];
    if (problem->sigma_estimated)
        scale_sigmas(problem, factor);
    arc_arena_free(arena);
    return ARC_OK;
}
