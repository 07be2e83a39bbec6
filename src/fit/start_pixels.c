/* The unknowns are lengths: with T the longest |s| and tau = s / T,
 *
 *   X = q0 + tau q1 + tau^2 / 2 q2,   q0 = x0, q1 = T v0, q2 = T^2 g,
 *
 * in the order (q0, q1, q2), d of each. Normal equations of so few unknowns of one size are solved
 * by Cholesky's factor.
 */
#include "fit/start_pixels.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_UNKNOWNS = 9,
    MOST_ROOM = 64 * MOST_UNKNOWNS,
    LINEAR_ROUNDS = 4,
    MOST_STEPS = 40,
    MOST_HALVINGS = 20
};

static const double most_relative_sd = 1.0 / 3;
static const double robust_share = 0.1, normal_quartile = 0.67448975019608174;

/* One pixel as it is used. */
typedef struct Row {
    const ArcSighting *sighting;
    double tau;
    double rows[2][4], depth[4]; /* arc_camera_rows */
    double far, weight;          /* depth by the parabola; of the loss */
} Row;

typedef struct Work {
    int d, n, unknowns; /* unknowns: 2 d or 3 d */
    Row *row;           /* (n) */
    double *size;       /* (n) room for sorting */
    double span_s;      /* T */
    double fall_m[3];   /* T^2 g, where it is known */
    double matrix[MOST_UNKNOWNS * MOST_UNKNOWNS], rhs[MOST_UNKNOWNS], squares;
} Work;

static ArcStatus not_determined(ArcError *err, const char *why)
{
    return arc_error_set(err, ARC_NUMERIC, "the pixels do not determine a flight: %s", why);
}

/* The pixels that can be used, with their equations. */
static ArcStatus work_create(const ArcSightings *seen, ArcArena *scratch, Work *work, ArcError *err)
{
    *work = (Work){.row = ARC_ALLOC(scratch, (size_t)seen->n + 1, Row),
                   .size = ARC_ALLOC(scratch, (size_t)seen->n + 1, double)};
    if (work->row == NULL || work->size == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < seen->n; i++) {
        const ArcSighting *from = &seen->sightings[i];
        Row *row = &work->row[work->n];
        if (!isfinite(from->time_s) || !(from->sigma_px > 0) ||
            !arc_camera_rows(from->camera, from->pixel_px, row->rows, row->depth))
            continue;
        work->d = arc_camera_dimensions(from->camera);
        work->span_s = fmax(work->span_s, fabs(from->time_s - seen->t0_s));
        row->sighting = from;
        row->far = row->weight = 1;
        work->n++;
    }
    work->unknowns = (seen->gravity_m_s2 != NULL ? 2 : 3) * work->d;
    if (2 * work->n < work->unknowns || work->n == 0)
        return not_determined(err, "there are too few of them within what the cameras' lenses see");
    if (!(work->span_s > 0))
        return not_determined(err, "all of them are of the release's time");
    for (int i = 0; i < work->n; i++)
        work->row[i].tau = (work->row[i].sighting->time_s - seen->t0_s) / work->span_s;
    for (int k = 0; k < work->d && seen->gravity_m_s2 != NULL; k++)
        work->fall_m[k] = work->span_s * work->span_s * seen->gravity_m_s2[k];
    return ARC_OK;
}

static void position_at(const Work *work, const double *q, double tau, double x[3])
{
    const double *fall = work->unknowns == 3 * work->d ? q + 2 * work->d : work->fall_m;
    for (int k = 0; k < work->d; k++)
        x[k] = q[k] + tau * q[work->d + k] + 0.5 * tau * tau * fall[k];
}

static void normal_clear(Work *work)
{
    memset(work->matrix, 0, sizeof work->matrix);
    memset(work->rhs, 0, sizeof work->rhs);
    work->squares = 0;
}

/* One equation by_x X = value, weighted, for X at tau. */
static void normal_add(Work *work, const double *by_x, double tau, double value, double weight)
{
    double line[MOST_UNKNOWNS];
    int u = work->unknowns, d = work->d;
    for (int j = 0; j < u; j++)
        line[j] = by_x[j % d] * (j < d ? 1 : j < 2 * d ? tau : 0.5 * tau * tau);
    for (int i = 0; i < u; i++) {
        for (int j = 0; j <= i; j++)
            work->matrix[i * u + j] += weight * line[i] * line[j];
        work->rhs[i] += weight * line[i] * value;
    }
    work->squares += weight * value * value;
}

/* The solution in place of rhs, the factor in place of the matrix. False where it is singular. */
static bool normal_solve(Work *work)
{
    lapack_int u = work->unknowns;
    for (int i = 0; i < u; i++) /* singular to rounding counts as such */
        work->matrix[i * u + i] *= 1 + 1e-14;
    return LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'U', u, 1, work->matrix, u, work->rhs, u) == 0;
}

/* The cross-multiplied equations over the depths; false where they are singular. */
static bool solve_linear(Work *work, double *q)
{
    int d = work->d;
    bool has_gravity = work->unknowns == 2 * d;
    normal_clear(work);
    for (int i = 0; i < work->n; i++) {
        const Row *row = &work->row[i];
        double over = row->far * row->sighting->sigma_px, tau = row->tau;
        for (int k = 0; k < 2; k++) {
            double value = -row->rows[k][d];
            for (int e = 0; e < d && has_gravity; e++)
                value -= 0.5 * tau * tau * row->rows[k][e] * work->fall_m[e];
            normal_add(work, row->rows[k], tau, value, row->weight / (over * over));
        }
    }
    if (!normal_solve(work))
        return false;
    memcpy(q, work->rhs, sizeof(double) * (size_t)work->unknowns);
    return true;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Huber's weights in a tenth of the median size, from sizes (n); untouched where all are 0. */
static void weigh(Work *work, double *size)
{
    for (int i = 0; i < work->n; i++)
        work->row[i].weight = size[i];
    qsort(size, (size_t)work->n, sizeof(double), compare);
    double unit = robust_share * size[work->n / 2] / normal_quartile;
    for (int i = 0; i < work->n; i++) {
        double own = work->row[i].weight;
        work->row[i].weight = own > unit && unit > 0 ? unit / own : 1;
    }
}

/* Depths by q, at least a thousandth of the mean; and robust weights by the equations' errors. */
static bool take_depths(Work *work, const double *q, bool is_robust)
{
    int d = work->d, in_front = 0;
    double mean = 0;
    for (int i = 0; i < work->n; i++) {
        Row *row = &work->row[i];
        double x[3], off[2];
        position_at(work, q, row->tau, x);
        row->far = row->depth[d];
        for (int k = 0; k < 2; k++)
            off[k] = row->rows[k][d];
        for (int e = 0; e < d; e++) {
            row->far += row->depth[e] * x[e];
            for (int k = 0; k < 2; k++)
                off[k] += row->rows[k][e] * x[e];
        }
        mean += fabs(row->far) / work->n;
        in_front += row->far > 0;
        work->size[i] = hypot(off[0], off[1]) / (fabs(row->far) * row->sighting->sigma_px);
    }
    for (int i = 0; i < work->n; i++)
        work->row[i].far = fmax(work->row[i].far, 1e-3 * mean);
    if (is_robust)
        weigh(work, work->size);
    return in_front > work->n / 2 && mean > 0;
}

/* Normal equations of the pixels at q, weighted as they are; false where one is out of sight. */
static bool take_pixels(Work *work, const double *q)
{
    normal_clear(work);
    for (int i = 0; i < work->n; i++) {
        const Row *row = &work->row[i];
        double x[3], off[2];
        ArcProjection to;
        position_at(work, q, row->tau, x);
        if (!arc_camera_project(row->sighting->camera, NULL, x, 0, &to))
            return false;
        double sigma = row->sighting->sigma_px;
        for (int k = 0; k < 2; k++) {
            off[k] = row->sighting->pixel_px[k] - to.pixel_px[k];
            normal_add(work, to.by_position[k], row->tau, off[k], row->weight / (sigma * sigma));
        }
        work->size[i] = hypot(off[0], off[1]) / sigma;
    }
    return true;
}

/* Gauss-Newton on the pixels. False where the start is out of sight; it stays as good as it is
 * where a step does not help. */
static bool polish(Work *work, bool is_robust, double *q)
{
    if (!take_pixels(work, q))
        return false;
    for (int step = 0; step < MOST_STEPS; step++) {
        if (is_robust) {
            weigh(work, work->size);
            take_pixels(work, q);
        }
        double from[MOST_UNKNOWNS], before = work->squares, share = 1, slope[MOST_UNKNOWNS];
        size_t bytes = sizeof(double) * (size_t)work->unknowns;
        int halvings = 0;
        memcpy(from, q, bytes);
        memcpy(slope, work->rhs, bytes);
        if (!normal_solve(work))
            return true;
        double to[MOST_UNKNOWNS], gain = 0;
        memcpy(to, work->rhs, bytes);
        for (int j = 0; j < work->unknowns; j++)
            gain += to[j] * slope[j];
        for (; halvings < MOST_HALVINGS; halvings++, share *= 0.5) {
            for (int j = 0; j < work->unknowns; j++)
                q[j] = from[j] + share * to[j];
            if (take_pixels(work, q) && work->squares <= before)
                break;
        }
        if (halvings == MOST_HALVINGS) {
            memcpy(q, from, bytes);
            take_pixels(work, q);
            return true;
        }
        if (gain <= 1e-6 * (is_robust ? 1e-3 * before : 1))
            return true;
    }
    return true;
}

/* The largest sd of any direction over the depth, by the pixels' normal equations with full
 * weights.
 */
static double relative_sd(Work *work, const double *q)
{
    int u = work->unknowns, d = work->d;
    double eigen[MOST_UNKNOWNS], room[MOST_ROOM], size = 0, extent = 0, start[3];
    for (int i = 0; i < work->n; i++)
        work->row[i].weight = 1;
    if (!take_pixels(work, q) ||
        LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'N', 'U', u, work->matrix, u, eigen, room,
                           MOST_ROOM) != 0 ||
        !(eigen[0] > 0))
        return INFINITY;
    position_at(work, q, 0, start);
    for (int i = 0; i < work->n; i++) {
        double x[3], off2 = 0;
        position_at(work, q, work->row[i].tau, x);
        for (int k = 0; k < d; k++)
            off2 += (x[k] - start[k]) * (x[k] - start[k]);
        extent = fmax(extent, sqrt(off2));
        size += work->row[i].far / work->n;
    }
    return 1 / sqrt(eigen[0]) / (d == 3 ? size : extent);
}

ArcStatus arc_start_from_pixels(const ArcSightings *seen, ArcPixelParabola *parabola,
                                ArcArena *scratch, ArcError *err)
{
    Work work;
    double q[MOST_UNKNOWNS];
    ArcStatus status = work_create(seen, scratch, &work, err);
    if (status != ARC_OK)
        return status;
    for (int round = 0; round < LINEAR_ROUNDS * (seen->is_robust ? 5 : 1); round++) {
        if (!solve_linear(&work, q))
            return not_determined(err, seen->gravity_m_s2 == NULL
                                           ? "with gravity unknown one camera tells no distance"
                                           : "the cameras and times are too few");
        if (!take_depths(&work, q, seen->is_robust))
            return not_determined(err, "the parabola that fits them lies behind the cameras");
    }
    if (!polish(&work, seen->is_robust, q))
        return not_determined(err, "the parabola that fits them passes out of a camera's sight");
    take_depths(&work, q, false);
    ArcPixelParabola made = {.relative_sd = relative_sd(&work, q)};
    made.is_determined = made.relative_sd < most_relative_sd;
    double T = work.span_s;
    const double *fall = work.unknowns == 3 * work.d ? q + 2 * work.d : work.fall_m;
    for (int k = 0; k < work.d; k++) {
        made.position_m[k] = q[k];
        made.velocity_m_s[k] = q[work.d + k] / T;
        made.gravity_m_s2[k] = fall[k] / (T * T);
        if (!isfinite(q[k] + q[work.d + k]))
            return not_determined(err, "their equations have no finite solution");
    }
    *parabola = made;
    return ARC_OK;
}
