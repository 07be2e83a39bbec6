/* The PINN's net, grids, states and residual rows. */
#include "fit/pinn.h"

#include "fit/closed.h"
#include "fit/collocation.h"
#include "fit/phase.h"
#include "fit/segments.h"
#include "fit/swing.h"

#include <math.h>
#include <string.h>

static const double shortest_share = 0.6; /* of the span that observations may cover */
static const double early_share = 0.01;   /* of the span, before its begin */
static const double shortest_part = 0.05; /* of the flight that a segment's net covers */

int arc_pinn_n_rows(const ArcPinn *pinn)
{
    int rows = pinn->problem->n_observations;
    for (const ArcPinn *segment = pinn; segment != NULL; segment = segment->next)
        rows += pinn->problem->D * segment->M;
    return rows;
}

int arc_pinn_own_rows(const ArcPinn *pinn)
{
    return pinn->problem->n_observations + pinn->problem->D * pinn->M;
}

bool arc_pinn_holds(const ArcPinn *pinn, int time)
{
    double s = pinn->s[pinn->M + time];
    return s >= pinn->begin_s && s < pinn->end_s;
}

static double span_of(const ArcProblem *problem)
{
    double t0 = problem->start[problem->t0_index];
    double span = arc_problem_last_time(problem, problem->start) - t0;
    if (arc_problem_times_move(problem))
        span *= 1.0 + ARC_PINN_SPAN_MARGIN;
    return span;
}

void arc_pinn_place_times(ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    double t0 = pinn->values[problem->t0_index];
    for (int i = 0; i < problem->n_times; i++) {
        double s = arc_problem_time(problem, pinn->values, i) - t0;
        pinn->s[pinn->M + i] = s;
        pinn->tau[pinn->M + i] = 2.0 * s / pinn->span_s - 1.0;
    }
}

void arc_pinn_place_observations(ArcPinn *pinn)
{
    arc_pinn_place_times(pinn);
    if (pinn->next != NULL)
        arc_segments_walk(pinn);
    if (pinn->swing != NULL)
        arc_pinn_place_times(pinn->swing);
}

double arc_pinn_stretch(const ArcPinn *pinn, double tau)
{
    return pinn->tau_low < -1.0 ? 1.0 - 0.5 * (1.0 - tau) * (1.0 - pinn->tau_low) : tau;
}

/* s of the earliest point by these values. */
static double first_s(const ArcProblem *problem, const double *values)
{
    double first = 0.0;
    for (int i = 0; arc_problem_may_precede(problem) && i < problem->n_times; i++)
        first = fmin(first, arc_problem_time(problem, values, i) - values[problem->t0_index]);
    return first;
}

/* Rows of the net begin a little before points that lie before the release. */
static void settle_low(ArcPinn *pinn, const double *values)
{
    double first = (1.0 + ARC_PINN_SPAN_MARGIN) * first_s(pinn->problem, values);
    const ArcPhase *phase = pinn->problem->phase;
    if ((phase != NULL && phase->runs_backwards) || pinn->problem->swing != NULL)
        first -= 2.0 * early_share * pinn->span_s;
    pinn->tau_low = 2.0 * first / pinn->span_s - 1.0;
}

void arc_pinn_place_fine(ArcPinn *pinn)
{
    for (int j = 0; j < pinn->F; j++) {
        pinn->fine_tau[j] = arc_pinn_stretch(pinn, 2.0 * j / (pinn->F - 1) - 1.0);
        pinn->fine_s[j] = 0.5 * (pinn->fine_tau[j] + 1.0) * pinn->span_s;
    }
}

void arc_pinn_place_rows(ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    for (int i = 0; i < problem->n_observations; i++)
        pinn->row_weight[i] = 1.0 / problem->observations[i].sigma;
    double *physics = pinn->row_weight + problem->n_observations;
    /* The quadrature of a segment is its part of the flight's. */
    double share = pinn->span_s < pinn->flight_s ? sqrt(pinn->span_s / pinn->flight_s) : 1.0;
    for (int j = 0; j < pinn->M; j++) {
        pinn->s[j] = 0.5 * (pinn->tau[j] + 1.0) * pinn->span_s;
        for (int e = 0; e < problem->D; e++)
            physics[e * pinn->M + j] =
                share * pinn->root_weight[j] /
                (e < problem->d ? pinn->sigma_phys_m_s2 : pinn->sigma_exact_m_s2);
    }
    arc_pinn_place_times(pinn);
}

double arc_pinn_last_s(const ArcPinn *pinn)
{
    const double *s = pinn->s + pinn->M;
    int n = pinn->problem->n_times;
    double last_s = s[n - 1];
    for (int i = 0; arc_problem_may_precede(pinn->problem) && i < n; i++)
        last_s = fmax(last_s, s[i]);
    return last_s;
}

/* How long the segment lasts, as it stands. */
static double duration_of(const ArcPinn *pinn)
{
    return pinn->next != NULL ? pinn->end_s : arc_pinn_last_s(pinn);
}

double arc_pinn_shortest_span(double flight_s)
{
    return (1.0 + ARC_PINN_SPAN_MARGIN) * shortest_part * flight_s;
}

/* As arc_pinn_fits_span, of the swing or the flight alone. */
static bool fits_span(ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    if (!arc_pinn_holds_kinks(pinn))
        return false;
    bool bounces = problem->flight.settings.bounce.is_on;
    if (!bounces && !arc_problem_times_move(problem))
        return true;
    if (bounces && !arc_segments_are_all(pinn))
        return false;
    double low_s = 0.5 * (pinn->tau_low + 1.0) * pinn->span_s;
    if (first_s(problem, pinn->values) < low_s - early_share * pinn->span_s)
        return false;
    for (; pinn != NULL; pinn = pinn->next) {
        double duration = duration_of(pinn);
        bool is_shortest = pinn->span_s <= arc_pinn_shortest_span(pinn->flight_s);
        if (duration > pinn->span_s || (duration < shortest_share * pinn->span_s && !is_shortest))
            return false;
    }
    return true;
}

bool arc_pinn_fits_span(ArcPinn *pinn)
{
    return fits_span(pinn) && (pinn->swing == NULL || fits_span(pinn->swing));
}

static void respan(ArcPinn *pinn)
{
    pinn->span_s = (1.0 + ARC_PINN_SPAN_MARGIN) * duration_of(pinn);
    pinn->flight_s = pinn->span_s;
    double low = pinn->tau_low;
    settle_low(pinn, pinn->values);
    pinn->trained = false;
    size_t offset = arc_net_output_offset(pinn->net);
    memset(pinn->weights + offset, 0, sizeof(double) * ((size_t)pinn->n_weights - offset));
    if (pinn->problem->phase != NULL) {
        arc_pinn_place_kinks(pinn);
    }
    arc_pinn_settle_sigma(pinn);
    arc_pinn_place_fine(pinn);
    if (pinn->tau_low != low)
        arc_collocation_place(pinn);
    arc_pinn_place_rows(pinn);
}

void arc_pinn_respan(ArcPinn *pinn)
{
    if (!fits_span(pinn))
        respan(pinn);
    if (pinn->swing != NULL && !fits_span(pinn->swing))
        respan(pinn->swing);
}

ArcStatus arc_pinn_allocate_scratch(ArcPinn *pinn, ArcArena *arena, ArcError *err)
{
    const ArcProblem *problem = pinn->problem;
    size_t D = (size_t)problem->D, P = (size_t)problem->P, Q = (size_t)problem->Q;
    size_t points = (size_t)pinn->max_points, rows = (size_t)arc_pinn_own_rows(pinn);
    ArcStatus status = arc_net_create(&pinn->settings, problem->D, arena, &pinn->net, err);
    if (status == ARC_OK)
        status = arc_net_work_create(pinn->net, pinn->max_points, arena, &pinn->work, err);
    if (status != ARC_OK)
        return status;
    pinn->batch_tau = ARC_ALLOC(arena, 3 * (size_t)pinn->F, double);
    pinn->clock = ARC_ALLOC(arena, points, double);
    pinn->jets = ARC_ALLOC(arena, 3 * points * D, double);
    pinn->x = ARC_ALLOC(arena, 4 * points * D, double);
    pinn->a_x = ARC_ALLOC(arena, 2 * points * D * D, double);
    pinn->a_p = ARC_ALLOC(arena, points * D * P + 1, double);
    pinn->q_rows = ARC_ALLOC(arena, rows * Q, double);
    pinn->t0_rows = ARC_ALLOC(arena, rows, double);
    pinn->r = ARC_ALLOC(arena, rows + (size_t)problem->n_priors, double);
    if (pinn->batch_tau == NULL || pinn->clock == NULL || pinn->jets == NULL || pinn->x == NULL ||
        pinn->a_x == NULL || pinn->a_p == NULL || pinn->q_rows == NULL || pinn->t0_rows == NULL ||
        pinn->r == NULL)
        return arc_error_no_memory(err);
    pinn->batch_s = pinn->batch_tau + pinn->F;
    pinn->breach = pinn->batch_s + pinn->F;
    pinn->v = pinn->x + points * D;
    pinn->a = pinn->v + points * D;
    pinn->law = pinn->a + points * D;
    pinn->a_v = pinn->a_x + points * D * D;
    return ARC_OK;
}

static ArcStatus pinn_allocate(ArcPinn *pinn, ArcArena *arena, ArcError *err)
{
    const ArcProblem *problem = pinn->problem;
    size_t trained = (size_t)pinn->n_points;
    ArcStatus status = problem->pool != NULL ? arc_pinn_borrow_scratch(pinn, err)
                                             : arc_pinn_allocate_scratch(pinn, arena, err);
    if (status != ARC_OK)
        return status;
    pinn->n_weights = (int)arc_net_n_weights(pinn->net);
    pinn->weights = ARC_ALLOC(arena, (size_t)pinn->n_weights, double);
    pinn->values = ARC_ALLOC(arena, (size_t)arc_problem_n_values(problem), double);
    pinn->tau = ARC_ALLOC(arena, trained, double);
    pinn->s = ARC_ALLOC(arena, trained, double);
    pinn->root_weight = ARC_ALLOC(arena, (size_t)pinn->M, double);
    pinn->fine_tau = ARC_ALLOC(arena, 2 * (size_t)pinn->F, double);
    pinn->row_weight = ARC_ALLOC(arena, (size_t)arc_pinn_own_rows(pinn), double);
    if (pinn->weights == NULL || pinn->values == NULL || pinn->tau == NULL || pinn->s == NULL ||
        pinn->root_weight == NULL || pinn->fine_tau == NULL || pinn->row_weight == NULL)
        return arc_error_no_memory(err);
    pinn->fine_s = pinn->fine_tau + pinn->F;
    return ARC_OK;
}

ArcStatus arc_pinn_create_segment(const ArcProblem *problem, const ArcNetSettings *settings,
                                  ArcSegmentSpan span, ArcArena *arena, ArcPinn **result,
                                  ArcError *err)
{
    ArcPinn *pinn = ARC_ALLOC(arena, 1, ArcPinn);
    if (pinn == NULL)
        return arc_error_no_memory(err);
    pinn->problem = problem;
    pinn->settings = *settings;
    pinn->begin_s = -INFINITY;
    pinn->end_s = INFINITY;
    pinn->M = span.collocation + arc_pinn_count_kinks(problem);
    pinn->F = 3 * pinn->M + 5;
    pinn->span_s = span.span_s;
    pinn->flight_s = span.flight_s;
    pinn->tau_low = -1.0;
    if (!span.is_later)
        settle_low(pinn, problem->start);
    double gravity = problem->flight.settings.gravity_m_s2;
    pinn->scale_m_s2 = problem->phase != NULL ? problem->phase->scale
                       : gravity > 0.0        ? gravity
                                              : 1.0;
    pinn->n_points = pinn->M + problem->n_times + span.is_followed;
    pinn->max_points = pinn->F > pinn->n_points ? pinn->F : pinn->n_points;
    ArcStatus status = pinn_allocate(pinn, arena, err);
    if (status != ARC_OK)
        return status;
    if (problem->phase != NULL) {
        status = arc_pinn_create_kinks(pinn, arena, err);
        if (status != ARC_OK)
            return status;
    }
    memcpy(pinn->values, problem->start, sizeof(double) * (size_t)arc_problem_n_values(problem));
    arc_pinn_settle_sigma(pinn);
    if (arc_pinn_is_graded(pinn)) {
        pinn->grading = ARC_ALLOC(arena, 1, ArcGrading);
        if (pinn->grading == NULL)
            return arc_error_no_memory(err);
    }
    status = arc_pinn_draw(pinn, err);
    if (status == ARC_OK)
        status = arc_sight_create(problem, arena, &pinn->sight, err);
    if (status != ARC_OK)
        return status;
    pinn->random = arc_random_create(problem->seed, ARC_STREAM_COLLOCATION);
    arc_pinn_place_fine(pinn);
    arc_collocation_place(pinn);
    *result = pinn;
    return ARC_OK;
}

static ArcStatus create_one(const ArcProblem *problem, const ArcPinnShape *shape, ArcArena *arena,
                            ArcPinn **pinn, ArcError *err)
{
    if (arc_segments_has(problem))
        return arc_segments_create(problem, &shape->net, shape->collocation, arena, pinn, err);
    double span_s = span_of(problem);
    ArcSegmentSpan span = {span_s, span_s, shape->collocation, false, false};
    return arc_pinn_create_segment(problem, &shape->net, span, arena, pinn, err);
}

ArcStatus arc_pinn_create_both(const ArcProblem *problem, const ArcPinnShape *flight,
                               const ArcPinnShape *swing, ArcArena *arena, ArcPinn **result,
                               ArcError *err)
{
    const ArcProblem *before = NULL;
    ArcPinn *pinn = NULL;
    ArcStatus status = create_one(problem, flight, arena, &pinn, err);
    if (status == ARC_OK)
        status = arc_swing_with(problem, arena, &before, err);
    if (status == ARC_OK && before != NULL)
        status = create_one(before, swing, arena, &pinn->swing, err);
    if (status != ARC_OK)
        return status;
    if (before != NULL)
        pinn->swing->values = pinn->values;
    *result = pinn;
    return ARC_OK;
}

ArcStatus arc_pinn_create(const ArcProblem *problem, const ArcNetSettings *settings,
                          int collocation, ArcArena *arena, ArcPinn **pinn, ArcError *err)
{
    const ArcPinnShape shape = {*settings, collocation};
    return arc_pinn_create_both(problem, &shape, &shape, arena, pinn, err);
}

void arc_pinn_states(ArcPinn *pinn, int n, const double *s)
{
    const double *jets = pinn->jets;
    double *x = pinn->x, *v = pinn->v, *a = pinn->a;
    const ArcProblem *problem = pinn->problem;
    int d = problem->d, D = problem->D;
    size_t stride = (size_t)n * (size_t)D;
    double x0[ARC_SIM_MAX_DIMENSIONS], v0[ARC_SIM_MAX_DIMENSIONS];
    arc_problem_begin(problem, pinn->values, x0, v0);
    if (D > d)
        v0[d] = pinn->path_m;
    double L = pinn->scale_m_s2, rate = 2.0 / pinn->span_s;
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < D; c++) {
            size_t at = (size_t)(i * D + c);
            double N0 = L * jets[at];
            double N1 = L * rate * jets[at + stride];
            double N2 = L * rate * rate * jets[at + 2 * stride];
            x[at] = x0[c] + s[i] * (v0[c] + s[i] * N0);
            v[at] = v0[c] + s[i] * (2.0 * N0 + s[i] * N1);
            a[at] = 2.0 * N0 + s[i] * (4.0 * N1 + s[i] * N2);
        }
    }
}

/* The same of what a sight sees of x, and of v. */
static void seen_partials(ArcPinn *pinn, int i, double *row)
{
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, P = problem->P, point = pinn->M + problem->observations[i].time;
    const double *by_x = arc_sight_by_x(pinn->sight, i), *by_v = arc_sight_by_v(pinn->sight, i);
    double by_s = 0.0;
    for (int c = 0; c < D; c++) {
        row[P + c] = by_x[c];
        row[P + D + c] = pinn->s[point] * by_x[c] + (by_v != NULL ? by_v[c] : 0.0);
        by_s += pinn->v[point * D + c] * by_x[c];
        by_s += by_v != NULL ? pinn->a[point * D + c] * by_v[c] : 0.0;
    }
    pinn->t0_rows[i] = arc_problem_s_by_t0(problem) * by_s;
}

/* q and t0 partials of the observed positions: x = x0 + v0 s + s^2 L N(s), s = t - t0. */
static void observation_partials(ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, P = problem->P;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        int point = pinn->M + o->time;
        double *row = pinn->q_rows + (size_t)i * (size_t)problem->Q;
        /* Another flight may have had this place before (ArcPinnPool). */
        memset(row, 0, sizeof(double) * (size_t)problem->Q);
        if (pinn->sight != NULL) {
            seen_partials(pinn, i, row);
            continue;
        }
        row[P + o->axis] = 1.0;
        row[P + D + o->axis] = pinn->s[point];
        pinn->t0_rows[i] = -pinn->v[point * D + o->axis];
    }
}

/* q partials of a - law at the collocation points, which lie at fixed s. */
static void physics_partials(ArcPinn *pinn)
{
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, P = problem->P, M = pinn->M;
    double *rows = pinn->q_rows + (size_t)problem->n_observations * (size_t)problem->Q;
    memset(pinn->t0_rows + problem->n_observations, 0, sizeof(double) * (size_t)(D * M));
    for (int e = 0; e < D; e++) {
        for (int j = 0; j < M; j++) {
            double *row = rows + (size_t)(e * M + j) * (size_t)problem->Q;
            const double *a_p = pinn->a_p + (size_t)(j * D + e) * (size_t)P;
            const double *a_x = pinn->a_x + (size_t)((j * D + e) * D);
            const double *a_v = pinn->a_v + (size_t)((j * D + e) * D);
            for (int k = 0; k < P; k++)
                row[k] = -a_p[k];
            for (int c = 0; c < D; c++) {
                row[P + c] = -a_x[c];
                row[P + D + c] = -a_v[c] - pinn->s[j] * a_x[c];
            }
        }
    }
}

void arc_pinn_law(ArcPinn *pinn, int n, const double *s, bool partials)
{
    for (int i = 0; i < n; i++)
        pinn->clock[i] = pinn->clock_s + s[i];
    const ArcPhaseStates states = {.n = n,
                                   .s = pinn->clock,
                                   .x = pinn->x,
                                   .v = pinn->v,
                                   .a = pinn->law,
                                   .a_x = partials ? pinn->a_x : NULL,
                                   .a_v = partials ? pinn->a_v : NULL,
                                   .a_p = partials ? pinn->a_p : NULL};
    arc_problem_accelerate(pinn->problem, pinn->values, &states);
}

void arc_pinn_residual(ArcPinn *pinn, bool partials, double *r)
{
    const ArcProblem *problem = pinn->problem;
    int D = problem->D, M = pinn->M;
    const double *x = pinn->x + M * D;
    if (pinn->sight != NULL)
        arc_sight_look(pinn->sight, pinn->values, x,
                       partials || problem->phase != NULL ? pinn->v + M * D : NULL, NULL);
    arc_problem_observe(problem, x, pinn->sight, r, pinn->row_weight);
    arc_pinn_law(pinn, M, pinn->s, partials);
    double *physics = r + problem->n_observations;
    const double *weight = pinn->row_weight + problem->n_observations;
    for (int e = 0; e < D; e++)
        for (int j = 0; j < M; j++)
            physics[e * M + j] = weight[e * M + j] * (pinn->a[j * D + e] - pinn->law[j * D + e]);
    if (partials) {
        observation_partials(pinn);
        physics_partials(pinn);
    }
}
