/* Rows of pixels and positions, and their solution in rounds. */
#include "fit/start_linear.h"

#include "fit/loss.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4, ROBUST_ROUNDS = 30 };
static const double normal_quartile = 0.67448975019608174;
static const double median_share = 0.1;
static const double anchor_share = 0.01;

ArcStatus arc_linear_create(ArcProblem *problem, ArcArena *arena, ArcLinearStart *start,
                            ArcError *err)
{
    size_t n = (size_t)problem->n_times, rows = 3 * n + 4;
    *start = (ArcLinearStart){.problem = problem, .ld = (int)rows};
    start->sightings = ARC_ALLOC(arena, n, ArcLinearSighting);
    start->matrix = ARC_ALLOC(arena, rows * ARC_LINEAR_UNKNOWNS, double);
    start->rhs = ARC_ALLOC(arena, 3 * rows, double);
    if (start->sightings == NULL || start->matrix == NULL || start->rhs == NULL)
        return arc_error_no_memory(err);
    start->off = start->rhs + rows;
    start->size = start->off + rows;
    return ARC_OK;
}

/* Value and sigma of number `axis` of a fitted point; false where it is missing. */
static bool find_number(const ArcProblem *problem, int point, bool is_metres, int axis,
                        double *value, double *sigma)
{
    int at = is_metres ? point * problem->d + axis : point * ARC_VIEW_NUMBERS + axis;
    *value = is_metres ? problem->point_position_m[at] : problem->point_pixel_px[at];
    *sigma = is_metres ? problem->point_sigma_m[at] : problem->point_sigma_px[at];
    return isfinite(*value);
}

/* A measured position is A X / scale. */
static void sight_position(const ArcProblem *problem, int point, const double *theta,
                           ArcLinearSighting *sighting)
{
    const ArcView *view = problem->view;
    double y[3] = {0}, by_x[9], by_m[3 * ARC_MAX_PARAMETERS], origin[3] = {0};
    const ArcGlance glance = {.point = point,
                              .D = problem->d,
                              .file_s = view->reference_s,
                              .x = origin,
                              .v = origin,
                              .y = y,
                              .by_x = by_x,
                              .by_m = by_m};
    arc_view_look(view, theta, &glance);
    for (int axis = 0; axis < problem->d; axis++) {
        double value, sigma;
        if (!find_number(problem, point, true, axis, &value, &sigma))
            continue;
        double *row = sighting->rows[sighting->n++];
        memcpy(row, by_x + axis * problem->d, sizeof(double) * (size_t)problem->d);
        row[problem->d] = -value;
        sighting->sigma = sigma;
    }
    sighting->depth[problem->d] = 1.0;
}

void arc_linear_look(ArcLinearStart *start, unsigned cameras)
{
    const ArcProblem *problem = start->problem;
    const ArcView *view = problem->view;
    const double *theta = problem->start + arc_problem_first_measure(problem);
    double t0 = problem->start[problem->t0_index];
    start->n = 0;
    start->span = arc_problem_last_time(problem, problem->start) - t0;
    for (int i = 0; i < problem->n_times; i++) {
        int point = problem->time_point[i], c = view->camera[point];
        if ((cameras >> c & 1u) == 0)
            continue;
        ArcLinearSighting *sighting = &start->sightings[start->n];
        *sighting =
            (ArcLinearSighting){.time = i, .s = arc_problem_time(problem, problem->start, i) - t0};
        if (view->cameras[c].is_metres) {
            sight_position(problem, point, theta, sighting);
        } else {
            double pixel[2], sigma;
            ArcCamera corrected = arc_view_corrected(view, theta, c);
            bool is_whole = find_number(problem, point, false, 0, &pixel[0], &sigma) &&
                            find_number(problem, point, false, 1, &pixel[1], &sigma);
            sighting->sigma = sigma;
            if (is_whole && arc_camera_rows(&corrected, pixel, sighting->rows, sighting->depth))
                sighting->n = 2;
        }
        start->n += sighting->n > 0;
    }
}

void arc_linear_position(const ArcLinearStart *start, double s, double *x)
{
    int d = start->problem->d;
    double tau = s / start->span;
    for (int c = 0; c < d; c++)
        x[c] = start->c[c] + tau * (start->c[d + c] + tau * start->c[2 * d + c]);
}

double arc_linear_weight(const ArcLinearStart *start, const ArcLinearSighting *sighting, int round)
{
    int d = start->problem->d;
    double x[3], depth = sighting->depth[d];
    arc_linear_position(start, sighting->s, x);
    if (round == 0)
        return 1.0 / sighting->sigma;
    depth += cblas_ddot(d, sighting->depth, 1, x, 1);
    return 1.0 / (fmax(fabs(depth), 1e-3) * sighting->sigma);
}

static int compare_sizes(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double arc_linear_off(ArcLinearStart *start)
{
    for (int i = 0; i < start->n_rows; i++)
        start->size[i] = fabs(start->off[i]);
    qsort(start->size, (size_t)start->n_rows, sizeof(double), compare_sizes);
    return start->n_rows > 0 ? start->size[start->n_rows / 2] / normal_quartile : 0.0;
}

/* Adds the row by X and 1 of a point at tau, with its weight. */
static void add_row(ArcLinearStart *start, const double *row, double tau, double weight)
{
    int d = start->problem->d, i = start->n_rows++;
    for (int c = 0; c < d; c++) {
        double value = weight * row[c];
        for (int k = 0; k < 3; k++, value *= tau)
            start->matrix[i + (k * d + c) * start->ld] = value;
    }
    start->rhs[i] = -weight * row[d];
}

/* Holds the middle sighting's depth, as row i. */
static void add_anchor(ArcLinearStart *start, int i)
{
    const ArcLinearSighting *sighting = &start->sightings[start->n / 2];
    int d = start->problem->d;
    double weight = 1.0 / (anchor_share * start->anchor_m), tau = sighting->s / start->span;
    for (int c = 0; c < d; c++) {
        double value = weight * sighting->depth[c];
        for (int k = 0; k < 3; k++, value *= tau)
            start->matrix[i + (k * d + c) * start->ld] = value;
    }
    start->rhs[i] = weight * (start->anchor_m - sighting->depth[d]);
}

/* One least-squares solution; rows of `gravity` keep the acceleration near it. */
static bool start_round(ArcLinearStart *start, const ArcLoss *loss, int round, bool gravity)
{
    const ArcProblem *problem = start->problem;
    int d = problem->d;
    double work[64 * ARC_LINEAR_UNKNOWNS], unit = fmax(median_share * arc_linear_off(start), 1e-9);
    start->n_rows = 0;
    for (int i = 0; i < start->n; i++) {
        const ArcLinearSighting *sighting = &start->sightings[i];
        for (int k = 0; k < sighting->n; k++) {
            double pull = 1.0;
            if (round > 0 && loss != NULL)
                pull = arc_loss_weight(loss, start->off[start->n_rows] / unit);
            add_row(start, sighting->rows[k], sighting->s / start->span,
                    arc_linear_weight(start, sighting, round) * sqrt(pull));
        }
    }
    int n = start->n_rows, total = n;
    double half = 0.5 * start->span * start->span, size = 1.0;
    for (int c = 0; c < d; c++)
        size = fmax(size, fabs(problem->flight.gravity_m_s2[c]));
    for (int c = 0; gravity && c < d; c++, total++) {
        double weight = 1.0 / (start->share * size * half);
        for (int k = 0; k < 3 * d; k++)
            start->matrix[total + k * start->ld] = k == 2 * d + c ? weight : 0.0;
        start->rhs[total] = weight * problem->flight.gravity_m_s2[c] * half;
    }
    if (start->anchor_m > 0.0)
        add_anchor(start, total++);
    if (total < 3 * d ||
        LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', total, 3 * d, 1, start->matrix, start->ld,
                           start->rhs, start->ld, work, 64 * ARC_LINEAR_UNKNOWNS) != 0)
        return false;
    for (int k = 0; k < 3 * d; k++)
        if (!isfinite(start->rhs[k]))
            return false;
    memcpy(start->c, start->rhs, sizeof(double) * (size_t)(3 * d));
    int row = 0;
    for (int i = 0; i < start->n; i++) {
        const ArcLinearSighting *sighting = &start->sightings[i];
        double x[3], weight = arc_linear_weight(start, sighting, 1);
        arc_linear_position(start, sighting->s, x);
        for (int k = 0; k < sighting->n; k++)
            start->off[row++] =
                weight * (cblas_ddot(d, sighting->rows[k], 1, x, 1) + sighting->rows[k][d]);
    }
    return true;
}

bool arc_linear_solve(ArcLinearStart *start, bool gravity)
{
    const ArcProblem *problem = start->problem;
    bool robust = problem->loss.kind != ARC_LOSS_GAUSS, found = start->n > 0;
    ArcLoss loss = arc_loss_convex(&problem->loss);
    memset(start->c, 0, sizeof start->c);
    memset(start->off, 0, sizeof(double) * (size_t)start->ld);
    start->n_rows = 0;
    for (int round = 0; found && round < (robust ? ROBUST_ROUNDS : ROUNDS); round++)
        found = start_round(start, robust ? &loss : NULL, round, gravity);
    return found;
}

int arc_linear_open(const ArcProblem *problem, int c, int measure)
{
    int m = problem->view->cameras[c].parameter[measure];
    int i = arc_problem_first_measure(problem) + m;
    bool is_open = m >= 0 && problem->parameters[i].is_free && !problem->parameters[i].has_start;
    return is_open ? i : -1;
}
