/* The linear stage of a flight in segments.
 *
 * Rows: observations, each by the segment that holds it; physics of each segment in turn; priors.
 * A row y of segment k depends on the segment's own outputs b_k (basis.h) and, by its form, on
 *   q_k = (p_k, x_k, v_k) and its begin s_k:   dy = y_b db_k + y_q dq_k + y_s ds_k
 * S_k = d(q_k, s_k) / d(b_0 .. b_k-1, u), (Q + 1, n), goes from segment to segment: with e the
 * segment's duration, c the plane's axis and X, V the partials of its state at a fixed e,
 *   de = -X_c / v_c      dx = X + v de      dv = V + a de      ds_k+1 = ds_k + de
 * then through the bounce (segment.h), whose partials at a fixed time move on with de.
 */
#include "fit/basis.h"
#include "fit/objectives.h"
#include "fit/release.h"
#include "fit/segments.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

static const double clock_step_s = 1e-5;

typedef struct Segment {
    ArcPinn *pinn;
    ArcBasis *basis;
    int first_row;    /* of its physics */
    int first_column; /* of its b */
    double *own;      /* (n_observations + D M, D rank) column-major: columns of its b */
    double *r;        /* (n_observations + D M) */
    const double *b;  /* of this evaluation */
} Segment;

typedef struct Segments {
    ArcPinn *first;
    int n, m, n_inner, n_columns;
    Segment *list;
    double *S;        /* (Q + 1, n_columns) row-major */
    double *S_next;   /* (Q, n_columns) scratch */
    double *end;      /* (2 D + 1, n_columns): d(x, v, e) at the end */
    double *by_clock; /* (D M) d law / d time, of the segment with most points */
    double *rows;     /* (n_observations + D M, Q + 1) row-major: weighted partials */
    double *z;
} Segments;

static ArcStatus segments_allocate(ArcPinn *first, ArcArena *arena, Segments **result,
                                   ArcError *err)
{
    const ArcProblem *problem = first->problem;
    Segments *segments = ARC_ALLOC(arena, 1, Segments);
    if (segments == NULL)
        return arc_error_no_memory(err);
    segments->first = first;
    for (const ArcPinn *pinn = first; pinn != NULL; pinn = pinn->next)
        segments->n++;
    segments->list = ARC_ALLOC(arena, (size_t)segments->n, Segment);
    if (segments->list == NULL)
        return arc_error_no_memory(err);
    int row = problem->n_observations, most = 0, k = 0;
    for (ArcPinn *pinn = first; pinn != NULL; pinn = pinn->next, k++) {
        Segment *segment = &segments->list[k];
        ArcStatus status = arc_basis_create(pinn, arena, &segment->basis, err);
        if (status != ARC_OK)
            return status;
        int own_rows = problem->n_observations + problem->D * pinn->M;
        int width = problem->D * segment->basis->rank;
        segment->pinn = pinn;
        segment->first_row = row;
        segment->first_column = segments->n_inner;
        segment->own = ARC_ALLOC(arena, (size_t)own_rows * (size_t)width + 1, double);
        segment->r = ARC_ALLOC(arena, (size_t)own_rows, double);
        if (segment->own == NULL || segment->r == NULL)
            return arc_error_no_memory(err);
        row += problem->D * pinn->M;
        segments->n_inner += width;
        most = own_rows > most ? own_rows : most;
    }
    segments->m = row + problem->n_priors;
    segments->n_columns = segments->n_inner + problem->n_free;
    size_t n = (size_t)segments->n_columns, Q1 = (size_t)problem->Q + 1;
    segments->S = ARC_ALLOC(arena, 2 * Q1 * n, double);
    segments->by_clock = ARC_ALLOC(arena, (size_t)most, double);
    segments->end = ARC_ALLOC(arena, (2 * (size_t)problem->D + 1) * n, double);
    segments->rows = ARC_ALLOC(arena, (size_t)most * Q1, double);
    segments->z = ARC_ALLOC(arena, n, double);
    if (segments->S == NULL || segments->by_clock == NULL || segments->end == NULL ||
        segments->rows == NULL || segments->z == NULL)
        return arc_error_no_memory(err);
    segments->S_next = segments->S + Q1 * n;
    *result = segments;
    return ARC_OK;
}

/* S of the first segment: the parameters themselves. */
static void begin_partials(Segments *segments)
{
    const ArcPinn *pinn = segments->first;
    const ArcProblem *problem = pinn->problem;
    int d = problem->d, P = problem->P, n = segments->n_columns,
        velocity = problem->t0_index + 1 + d;
    double v[3], v_q[9], R[6 * ARC_ARM_MAX_PARAMETERS];
    int A = problem->arm.n_parameters;
    arc_release_velocity(problem->release, d, problem->flight.settings.up, pinn->values + velocity,
                         v, v_q);
    if (problem->has_arm)
        arc_problem_tie_partials(problem, pinn->values, R);
    memset(segments->S, 0, sizeof(double) * (size_t)(problem->Q + 1) * (size_t)n);
    for (int k = 0; k < problem->n_free; k++) {
        double *column = segments->S + segments->n_inner + k;
        int i = problem->free_parameter[k];
        if (i < P)
            column[i * n] = 1.0;
        else if (i > problem->t0_index && i < velocity)
            column[(P + i - problem->t0_index - 1) * n] = 1.0;
        else if (i >= velocity && i < velocity + d)
            for (int c = 0; c < d; c++)
                column[(P + problem->D + c) * n] = v_q[c * d + i - velocity];
        else if (problem->has_arm && i >= problem->arm_index && i < problem->arm_index + A)
            for (int c = 0; c < d; c++) {
                column[(P + c) * n] = R[c * A + i - problem->arm_index];
                column[(P + problem->D + c) * n] = R[(d + c) * A + i - problem->arm_index];
            }
    }
}

/* The segment's state at s by its b, from the basis at its last point. */
static void state_by_basis(void *context, double s, double *x, double *v, double *a)
{
    Segment *segment = context;
    ArcPinn *pinn = segment->pinn;
    const ArcBasis *basis = segment->basis;
    const ArcProblem *problem = pinn->problem;
    int d = problem->d, rank = basis->rank, last = pinn->n_points - 1;
    const double *position = pinn->values + problem->t0_index + 1;
    double v0[4] = {0};
    if (problem->D > d)
        v0[d] = pinn->path_m;
    pinn->s[last] = s;
    pinn->tau[last] = 2.0 * s / pinn->span_s - 1.0;
    arc_basis_place(segment->basis, last);
    arc_release_velocity(problem->release, d, problem->flight.settings.up, position + d, v0, NULL);
    for (int c = 0; c < problem->D; c++) {
        const double *b = segment->b + c * rank;
        x[c] = (c < d ? position[c] : 0.0) + s * v0[c] +
               cblas_ddot(rank, basis->Bx + last, basis->points, b, 1);
        v[c] = v0[c] + cblas_ddot(rank, basis->Bv + last, basis->points, b, 1);
        a[c] = cblas_ddot(rank, basis->Ba + last, basis->points, b, 1);
    }
}

/* Residuals of one segment's rows into r. */
static void segment_residuals(Segment *segment, bool partials, double *r)
{
    ArcPinn *pinn = segment->pinn;
    const ArcProblem *problem = pinn->problem;
    arc_pinn_place_times(pinn);
    arc_basis_place(segment->basis, pinn->M);
    arc_basis_states(segment->basis, segment->b);
    arc_pinn_residual(pinn, partials, segment->r);
    for (int i = 0; i < problem->n_observations; i++)
        if (arc_pinn_holds(pinn, problem->observations[i].time))
            r[i] = segment->r[i];
    memcpy(r + segment->first_row, segment->r + problem->n_observations,
           sizeof(double) * (size_t)(problem->D * pinn->M));
}

/* d law / d time of the flight's clock at the collocation points; most laws know no clock. */
static void law_by_clock(Segments *segments, ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    int n = problem->D * pinn->M;
    memset(segments->by_clock, 0, sizeof(double) * (size_t)n);
    if (arc_flight_is_timeless(&problem->flight))
        return;
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int j = 0; j < pinn->M; j++)
            pinn->clock[j] = pinn->clock_s + pinn->s[j] + sign * clock_step_s;
        arc_flight_acceleration(&problem->flight, pinn->M, pinn->clock, pinn->x, pinn->v,
                                pinn->values, pinn->law, NULL, NULL, NULL);
        cblas_daxpy(n, 0.5 * sign / clock_step_s, pinn->law, 1, segments->by_clock, 1);
    }
}

/* Adds to n rows of J from `to` on what they have by q, s: rows from `from` on of the segment's. */
static void add_by_start(Segments *segments, int from, int n, double *to)
{
    int Q1 = segments->first->problem->Q + 1, n_columns = segments->n_columns;
    /* J' = S' rows', since J is column-major and the others are row-major. */
    cblas_dgemm(CblasColMajor, CblasTrans, CblasTrans, n, n_columns, Q1, 1.0,
                segments->rows + (size_t)from * (size_t)Q1, Q1, segments->S, n_columns, 1.0, to,
                segments->m);
}

/* What law_by_clock found, for row i of the segment's. */
static double by_clock(const Segments *segments, const ArcPinn *pinn, int i)
{
    int row = i - pinn->problem->n_observations, e = row / pinn->M, j = row % pinn->M;
    return segments->by_clock[j * pinn->problem->D + e];
}

/* What observation i has by the parameters of the measurement. */
static void add_measures(const Segments *segments, const ArcPinn *pinn, int i, double *J)
{
    const ArcProblem *problem = pinn->problem;
    const double *by_m = arc_sight_by_m(pinn->sight, i);
    int first = arc_problem_first_measure(problem);
    for (int m = 0; m < problem->view->M; m++) {
        int k = problem->free_index[first + m];
        if (k >= 0)
            J[(size_t)i + (size_t)(segments->n_inner + k) * (size_t)segments->m] +=
                pinn->row_weight[i] * by_m[m];
    }
}

/* The rows of one segment into J, whose rows of observations are added to. */
static void segment_columns(Segments *segments, Segment *segment, double *J)
{
    ArcPinn *pinn = segment->pinn;
    const ArcProblem *problem = pinn->problem;
    int n_observations = problem->n_observations, n_physics = problem->D * pinn->M;
    int own_rows = n_observations + n_physics, Q = problem->Q;
    size_t ld = (size_t)segments->m;
    arc_basis_columns(segment->basis, segment->own, (size_t)own_rows);
    law_by_clock(segments, pinn);
    int t0 = problem->free_index[problem->t0_index];
    for (int i = 0; i < own_rows; i++) {
        double *row = segments->rows + (size_t)i * (size_t)(Q + 1);
        bool holds = i >= n_observations || arc_pinn_holds(pinn, problem->observations[i].time);
        double weight = holds ? pinn->row_weight[i] : 0.0;
        for (int q = 0; q < Q; q++)
            row[q] = weight * pinn->q_rows[(size_t)i * (size_t)Q + (size_t)q];
        /* A later begin moves the segment as a later release does. */
        row[Q] = weight * (i < n_observations ? pinn->t0_rows[i] : -by_clock(segments, pinn, i));
        if (holds && i < n_observations && t0 >= 0)
            J[(size_t)i + (size_t)(segments->n_inner + t0) * ld] += row[Q];
        if (holds && i < n_observations && pinn->sight != NULL)
            add_measures(segments, pinn, i, J);
    }
    for (int k = 0; k < problem->D * segment->basis->rank; k++) {
        const double *from = segment->own + (size_t)k * (size_t)own_rows;
        double *to = J + (size_t)(segment->first_column + k) * ld;
        for (int i = 0; i < n_observations; i++)
            if (arc_pinn_holds(pinn, problem->observations[i].time))
                to[i] += from[i];
        memcpy(to + segment->first_row, from + n_observations, sizeof(double) * (size_t)n_physics);
    }
    add_by_start(segments, 0, n_observations, J);
    add_by_start(segments, n_observations, n_physics, J + segment->first_row);
}

/* d(x, v, e) where the segment ends, total: into segments->end. */
static void end_partials(Segments *segments, const Segment *segment, const double *v,
                         const double *a)
{
    const ArcProblem *problem = segment->pinn->problem;
    const ArcBasis *basis = segment->basis;
    int D = problem->D, n = segments->n_columns, rank = basis->rank;
    int last = segment->pinn->n_points - 1, axis = problem->flight.settings.bounce.plane.axis;
    double *X = segments->end, *V = X + D * n, *e = V + D * n;
    memcpy(X, segments->S + problem->P * n, sizeof(double) * (size_t)(2 * D * n));
    cblas_daxpy(D * n, segment->pinn->end_s, V, 1, X, 1);
    for (int c = 0; c < D; c++) {
        int own = c * n + segment->first_column + c * rank;
        cblas_daxpy(rank, 1.0, basis->Bx + last, basis->points, X + own, 1);
        cblas_daxpy(rank, 1.0, basis->Bv + last, basis->points, V + own, 1);
    }
    for (int k = 0; k < n; k++)
        e[k] = -X[axis * n + k] / v[axis];
    for (int c = 0; c < D; c++) {
        cblas_daxpy(n, v[c], e, 1, X + c * n, 1);
        cblas_daxpy(n, a[c], e, 1, V + c * n, 1);
    }
}

/* Goes from the segment's end over the bounce: the next segment begins. False where the ball stays
 * on the plane. */
static bool pass_bounce(Segments *segments, Segment *segment, bool partials)
{
    ArcPinn *pinn = segment->pinn;
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, P = problem->P, n = segments->n_columns;
    double x[4], v[4], a[4], after_a[4];
    state_by_basis(segment, pinn->end_s, x, v, a);
    double *e = segments->end + 2 * D * n, *begin = segments->S + problem->Q * n;
    ArcSegment after = {.n = n, .chain = segments->S};
    memcpy(after.p, pinn->values, sizeof(double) * (size_t)P);
    ArcSimMeeting meeting = {.t = pinn->clock_s + pinn->end_s, .x = x, .v = v, .a = a};
    if (partials) {
        end_partials(segments, segment, v, a);
        cblas_daxpy(n, 1.0, e, 1, begin, 1);
        meeting.t_q = begin;
        meeting.x_q = segments->end;
        meeting.v_q = segments->end + D * n;
    }
    if (!arc_segment_bounce(&problem->flight, 0.0, &meeting, &after, segments->S_next))
        return false;
    arc_segments_begin(pinn, &after);
    if (!partials)
        return true;
    /* From partials at the fixed time of the bounce to those at the moving one. */
    arc_flight_acceleration(&problem->flight, 1, &meeting.t, after.x, after.v, after.p, after_a,
                            NULL, NULL, NULL);
    for (int c = 0; c < D; c++) {
        cblas_daxpy(n, after.v[c], begin, 1, segments->S + (P + c) * n, 1);
        cblas_daxpy(n, after_a[c], begin, 1, segments->S + (P + D + c) * n, 1);
    }
    return true;
}

static bool segments_evaluate(void *context, const double *z, double *r, double *J)
{
    Segments *segments = context;
    const ArcProblem *problem = segments->first->problem;
    const double *u = z + segments->n_inner;
    size_t ld = (size_t)segments->m;
    arc_problem_scatter(problem, u, segments->first->values);
    if (J != NULL) {
        memset(J, 0, sizeof(double) * ld * (size_t)segments->n_columns);
        begin_partials(segments);
    }
    for (int k = 0; k < segments->n; k++) {
        Segment *segment = &segments->list[k];
        ArcPinn *pinn = segment->pinn;
        segment->b = z + segment->first_column;
        if (segment->basis->rank == 0)
            return false;
        ArcSegmentState state = {segment, state_by_basis};
        if (pinn->next != NULL && !arc_segments_find_end(pinn, &state))
            return false;
        segment_residuals(segment, J != NULL, r);
        if (J != NULL)
            segment_columns(segments, segment, J);
        if (pinn->next != NULL && !pass_bounce(segments, segment, J != NULL))
            return false;
    }
    int rows = segments->m - problem->n_priors;
    double *outer = J != NULL ? J + (size_t)segments->n_inner * ld : NULL;
    arc_problem_priors(problem, u, r + rows, outer != NULL ? outer + rows : NULL, ld);
    double sum = 0.0;
    for (int i = 0; i < segments->m; i++)
        sum += r[i] * 0.0;
    return sum == 0.0;
}

void arc_segments_store(const ArcObjective *objective, const double *z)
{
    const Segments *segments = objective->context;
    for (int k = 0; k < segments->n; k++)
        arc_basis_store(segments->list[k].basis, z + segments->list[k].first_column);
}

ArcStatus arc_segments_objective(ArcPinn *first, ArcArena *arena, ArcObjective *objective,
                                 double **start, ArcError *err)
{
    const ArcProblem *problem = first->problem;
    Segments *segments = NULL;
    ArcStatus status = segments_allocate(first, arena, &segments, err);
    if (status != ARC_OK)
        return status;
    *objective = (ArcObjective){.m = segments->m,
                                .n_inner = segments->n_inner,
                                .n_outer = problem->n_free,
                                .context = segments,
                                .evaluate = segments_evaluate};
    *start = segments->z;
    for (int k = 0; k < segments->n && status == ARC_OK; k++)
        if (segments->list[k].basis->rank > 0)
            status = arc_basis_start(segments->list[k].basis,
                                     segments->z + segments->list[k].first_column, err);
    for (int k = 0; k < problem->n_free; k++)
        segments->z[segments->n_inner + k] = first->values[problem->free_parameter[k]];
    return status;
}
