/* The second fit, its reduction to a scan, and what the scan found in words of the flight. */
#include "fit/breach.h"

#include "base/random.h"
#include "fit/objectives.h"
#include "solve/least_squares.h"
#include "solve/scan.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double soft_share = 0.2; /* of gravity: how far the second flight may go */
static const double near_sd = 0.5;    /* of the Gauss-Newton step that is left of that flight */
static const double rank_share = 1e-12;
enum { MAX_CELLS = 48, MANY_TIMES = 10 };

/* Some successive collocation points of one segment of the flight; times since t0. */
typedef struct Cell {
    double begin_s, end_s;
} Cell;

typedef struct Search {
    const ArcFit *fit;
    ArcProblem problem; /* a shallow copy with physics and start of its own */
    ArcArena *arena;
    ArcPinn *pinn;
    bool tolerated;
    int rows, n_inner, n_outer, n_physics, n_cells;
    double *J, *r;    /* of the second fit at its end */
    Cell *cells;      /* (n_cells) */
    double *response; /* (n_physics, columns): forcings, then their output weights */
    int columns;      /* d n_cells, then rho, then J_pu */
    ArcScanProblem scan;
} Search;

/* The problem as the first fit left it, with loose physics on a fixed grid: of the flight alone,
 * whatever was seen of a swing before. */
static ArcStatus soften(Search *search, const ArcProblem *problem, ArcError *err)
{
    size_t n = (size_t)problem->n_parameters;
    search->problem = *problem;
    ArcProblem *soft = &search->problem;
    soft->start = ARC_ALLOC(search->arena, n, double);
    if (soft->start == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++)
        soft->start[i] = search->fit->parameters[i].value;
    soft->swing = NULL;
    soft->loss = search->fit->spread.loss;
    soft->pinn.collocation_kind = ARC_COLLOCATION_GAUSS;
    search->tolerated = !soft->pinn.physics_auto && soft->pinn.sigma_phys_m_s2 > 0.0;
    if (!search->tolerated)
        soft->pinn.sigma_phys_m_s2 = soft_share * search->fit->net.scale_m_s2;
    soft->pinn.physics_auto = false;
    return ARC_OK;
}

/* The second fit; *done false where it does not get there. */
static ArcStatus fit_softly(Search *search, bool *done, ArcError *err)
{
    const ArcFittedNet *net = &search->fit->net;
    ArcObjective objective;
    ArcLeastSquares *solver = NULL;
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    double *z = NULL;
    *done = false;
    ArcStatus status = arc_pinn_create(&search->problem, &net->settings, net->collocation,
                                       search->arena, &search->pinn, err);
    if (status != ARC_OK)
        return status;
    /* With a free t0 the first fit may have found another span than its start told. */
    if (net->n_segments == 1) {
        search->pinn->span_s = net->span_s[0];
        arc_pinn_place_rows(search->pinn);
    }
    arc_pinn_warm_start(search->pinn, search->fit);
    status = arc_linear_objective(search->pinn, search->arena, &objective, &z, err);
    if (status == ARC_OK)
        status = arc_least_squares_create(&objective, &settings, search->problem.low,
                                          search->problem.high, search->arena, &solver, err);
    if (status != ARC_OK)
        return status;
    search->rows = objective.m;
    search->n_inner = objective.n_inner;
    search->n_outer = objective.n_outer;
    search->n_physics = arc_pinn_n_rows(search->pinn) - search->problem.n_observations;
    size_t m = (size_t)objective.m, n = (size_t)(objective.n_inner + objective.n_outer);
    search->J = ARC_ALLOC(search->arena, m * n, double);
    search->r = ARC_ALLOC(search->arena, m, double);
    if (search->J == NULL || search->r == NULL)
        return arc_error_no_memory(err);
    ArcLeastSquaresResult result = arc_least_squares_run(solver, z);
    /* The problem is linearised there, so that a point near the minimum does as well. */
    *done = result.stop != ARC_STOP_NON_FINITE &&
            arc_least_squares_remaining(solver, z) <= near_sd && objective.n_inner > 0 &&
            objective.evaluate(objective.context, z, search->r, search->J);
    return ARC_OK;
}

static int count_segments(const ArcPinn *pinn)
{
    int n = 0;
    for (; pinn != NULL; pinn = pinn->next)
        n++;
    return n;
}

static int cells_of(const ArcPinn *pinn, int n_segments)
{
    int most = MAX_CELLS / n_segments;
    return pinn->M < most ? pinn->M : most;
}

/* Successive points share a cell where there are many; its ends by the quadrature weights. A net
 * reaches a little over its segment's end: what is pushed there reaches no point. */
static ArcStatus place_cells(Search *search, ArcError *err)
{
    int n_segments = count_segments(search->pinn);
    for (const ArcPinn *pinn = search->pinn; pinn != NULL; pinn = pinn->next)
        search->n_cells += cells_of(pinn, n_segments);
    search->cells = ARC_ALLOC(search->arena, (size_t)search->n_cells, Cell);
    if (search->cells == NULL)
        return arc_error_no_memory(err);
    Cell *cell = search->cells;
    for (const ArcPinn *pinn = search->pinn; pinn != NULL; pinn = pinn->next) {
        int n = cells_of(pinn, n_segments), point = 0;
        double sum = 0.0, end_s = pinn->next != NULL ? pinn->next->clock_s : (double)INFINITY;
        for (int k = 0; k < n; k++, cell++) {
            cell->begin_s = fmin(pinn->clock_s + sum * pinn->span_s, end_s);
            for (; point < pinn->M && point * n / pinn->M == k; point++)
                sum += pinn->root_weight[point] * pinn->root_weight[point];
            cell->end_s = fmin(pinn->clock_s + sum * pinn->span_s, end_s);
        }
    }
    return ARC_OK;
}

/* The columns of a unit acceleration in each cell: its points' physics rows, by their weights. */
static void push_cells(const Search *search)
{
    int d = search->problem.d, D = search->problem.D, rows = search->n_physics, first_row = 0;
    int n_segments = count_segments(search->pinn), first_cell = 0;
    for (const ArcPinn *pinn = search->pinn; pinn != NULL; pinn = pinn->next) {
        int n = cells_of(pinn, n_segments), M = pinn->M;
        const double *weight = pinn->row_weight + search->problem.n_observations;
        for (int e = 0; e < d; e++)
            for (int j = 0; j < M; j++) {
                int cell = first_cell + j * n / M;
                search->response[(e * search->n_cells + cell) * rows + first_row + e * M + j] =
                    weight[e * M + j];
            }
        first_cell += n;
        first_row += D * M;
    }
}

/* Rows of the path flown (coordinates from d on) as light as the others in n columns of height
 * n_physics: they are met to their exact sigma by the fit, whose weight would let the little that a
 * net cannot follow there pull on the flight's own equations. */
static void lighten_path(const Search *search, int n, double *columns)
{
    int d = search->problem.d, D = search->problem.D, first_row = 0;
    for (const ArcPinn *pinn = search->pinn; pinn != NULL; pinn = pinn->next) {
        const double *weight = pinn->row_weight + search->problem.n_observations;
        int M = pinn->M;
        for (int i = d * M; i < D * M; i++)
            cblas_dscal(n, weight[i % M] / weight[i], columns + first_row + i, search->n_physics);
        first_row += D * M;
    }
}

/* Output weights that answer a unit acceleration in each cell, rho, and a unit of each parameter.
 */
static ArcStatus respond(Search *search, ArcError *err)
{
    int m = search->rows, n = search->n_inner, rows = search->n_physics, rank;
    int first = search->problem.n_observations, forcings = search->problem.d * search->n_cells;
    search->columns = forcings + 1 + search->n_outer;
    size_t height = (size_t)rows, width = (size_t)n,
           work_size = 4 * width + 64 * (width + 1) + 2 * width + (size_t)search->columns;
    double *A = ARC_ALLOC(search->arena, height * width, double);
    double *work = ARC_ALLOC(search->arena, work_size, double);
    int *pivot = ARC_ALLOC(search->arena, width, int);
    search->response = ARC_ALLOC(search->arena, height * (size_t)search->columns, double);
    if (A == NULL || work == NULL || pivot == NULL || search->response == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < n; k++)
        memcpy(A + k * rows, search->J + first + (size_t)k * (size_t)m, sizeof(double) * height);
    push_cells(search);
    double *rho = search->response + forcings * rows;
    memcpy(rho, search->r + first, sizeof(double) * height);
    for (int k = 0; k < search->n_outer; k++)
        memcpy(rho + (k + 1) * rows, search->J + first + (size_t)(n + k) * (size_t)m,
               sizeof(double) * height);
    lighten_path(search, n, A);
    lighten_path(search, search->columns, search->response);
    if (LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, rows, n, search->columns, A, rows, search->response,
                            rows, pivot, rank_share, &rank, work, (int)work_size) != 0)
        return arc_error_set(err, ARC_NUMERIC, "error: the flight's responses are not finite");
    return ARC_OK;
}

/* Whether the point is an outlier on the axis; axis < 0: on any. */
static bool is_outlier(const ArcSpread *spread, int point, int axis)
{
    for (int i = 0; i < spread->n_outliers; i++)
        if (spread->outliers[i].point == point && (axis < 0 || spread->outliers[i].axis == axis))
            return true;
    return false;
}

/* The rows that the scan looks at: all but outliers between points that are none. Where a single
 * point is wrong no force is: it would take one to the point and another one back. Few points do
 * not tell the two apart, and are all looked at. */
static ArcStatus choose_rows(const Search *search, int rows, int **chosen, int *n, ArcError *err)
{
    const ArcProblem *problem = &search->problem;
    const ArcSpread *spread = &search->fit->spread;
    int *points = ARC_ALLOC(search->arena, (size_t)problem->n_times, int), n_points = 0;
    *chosen = ARC_ALLOC(search->arena, (size_t)rows, int);
    *n = 0;
    if (points == NULL || *chosen == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < problem->n_points; i++)
        if (problem->point_use[i] == ARC_POINT_FIT)
            points[n_points++] = i;
    for (int i = 0; i < rows; i++) {
        if (i < problem->n_observations && n_points >= MANY_TIMES) {
            const ArcObservation *o = &problem->observations[i];
            bool beside = (o->time > 0 && is_outlier(spread, points[o->time - 1], -1)) ||
                          (o->time + 1 < n_points && is_outlier(spread, points[o->time + 1], -1));
            if (!beside && is_outlier(spread, points[o->time], o->axis))
                continue;
        }
        (*chosen)[(*n)++] = i;
    }
    return ARC_OK;
}

/* F, J and r of the scan: observations, then priors. */
static ArcStatus reduce(Search *search, ArcError *err)
{
    const ArcProblem *problem = &search->problem;
    int m = search->rows, n = search->n_inner, observed = problem->n_observations;
    int rows = observed + problem->n_priors, forcings = problem->d * search->n_cells;
    size_t height = (size_t)rows;
    double *all = ARC_ALLOC(search->arena, height * (size_t)search->columns, double);
    if (all == NULL)
        return arc_error_no_memory(err);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, observed, search->columns, n, 1.0,
                search->J, m, search->response, search->n_physics, 0.0, all, rows);
    double *r = all + (size_t)forcings * height, *J = r + height;
    int *chosen, n_chosen;
    ArcStatus status = choose_rows(search, rows, &chosen, &n_chosen, err);
    if (status != ARC_OK)
        return status;
    int priors = observed + search->n_physics; /* their first row in the whole problem */
    for (int k = -1; k < search->n_outer; k++) {
        const double *whole = k < 0 ? search->r : search->J + (size_t)(n + k) * (size_t)m;
        double *column = k < 0 ? r : J + (size_t)k * height;
        for (int i = 0; i < observed; i++)
            column[i] = whole[i] - column[i];
        for (int i = observed; i < rows; i++)
            column[i] = whole[priors + i - observed];
    }
    /* r + F a + J du are the residuals; the scan's data are -r. */
    cblas_dscal(rows, -1.0, r, 1);
    for (int k = 0; k < search->columns; k++)
        for (int i = 0; i < n_chosen; i++)
            all[(size_t)k * (size_t)n_chosen + (size_t)i] =
                all[(size_t)k * height + (size_t)chosen[i]];
    r = all + (size_t)forcings * (size_t)n_chosen;
    J = r + n_chosen;
    search->scan = (ArcScanProblem){.rows = n_chosen,
                                    .n = search->n_outer,
                                    .d = problem->d,
                                    .cells = search->n_cells,
                                    .J = J,
                                    .F = all,
                                    .r = r};
    return ARC_OK;
}

/* Unit vectors along v, level across it to the right, and upwards square to both (d axes; in the
 * plane there is no across). */
static void flight_frame(int d, int up, const double *v, double frame[3][3])
{
    double along[3] = {0, 0, 0}, top[3] = {0, 0, 0}, size = 0.0;
    for (int c = 0; c < d; c++)
        size = hypot(size, v[c]);
    for (int c = 0; c < d; c++)
        along[c] = size > 0.0 ? v[c] / size : c != up && c == (up + 1) % d;
    top[up] = 1.0;
    memset(frame, 0, sizeof(double) * 9);
    memcpy(frame[0], along, sizeof along);
    if (d == 2) {
        double sign = along[0] * top[1] - along[1] * top[0] < 0.0 ? -1.0 : 1.0;
        frame[2][0] = -sign * along[1];
        frame[2][1] = sign * along[0];
        return;
    }
    for (int turn = 0; turn < 2; turn++) {
        double length = 0.0;
        for (int c = 0; c < 3; c++) {
            int i = (c + 1) % 3, j = (c + 2) % 3;
            frame[1][c] = along[i] * top[j] - along[j] * top[i];
            length = hypot(length, frame[1][c]);
        }
        for (int c = 0; c < 3 && length > 0.0; c++)
            frame[1][c] /= length;
        if (length > 1e-9)
            break;
        top[up] = 0.0; /* straight up: across is any level axis */
        top[(up + 1) % 3] = 1.0;
    }
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        frame[2][c] = frame[1][i] * along[j] - frame[1][j] * along[i];
    }
}

/* Of the second fit, at the collocation point next to the time since t0. */
static const double *velocity_at(const Search *search, double time_s)
{
    const double *velocity = search->pinn->v;
    double nearest = INFINITY;
    for (const ArcPinn *pinn = search->pinn; pinn != NULL; pinn = pinn->next) {
        double end_s = pinn->next != NULL ? pinn->next->clock_s : (double)INFINITY;
        for (int j = 0; j < pinn->M; j++) {
            double at_s = pinn->clock_s + pinn->s[j], away = fabs(at_s - time_s);
            if (at_s > end_s || away >= nearest)
                continue;
            nearest = away;
            velocity = pinn->v + j * search->problem.D;
        }
    }
    return velocity;
}

/* The noise in the problem's sigmas: of an estimated one what scatter the push leaves. */
static double noise_factor(const Search *search, const ArcScanResult *scan)
{
    const ArcSpread *spread = &search->fit->spread;
    int left = scan->dof - search->problem.d;
    if (!spread->sigma_estimated || left < 1)
        return spread->sigma_factor / search->problem.sigma_factor;
    return sqrt((scan->chi2 - scan->statistic) / left);
}

static void describe(const Search *search, const ArcScanResult *scan, ArcBreach *breach)
{
    const ArcProblem *problem = &search->problem;
    int d = problem->d;
    double t0 = search->pinn->values[problem->t0_index], frame[3][3], variance = 0.0;
    double last = arc_problem_last_time(problem, search->pinn->values);
    double factor = noise_factor(search, scan);
    const ArcSpread *spread = &search->fit->spread;
    *breach = (ArcBreach){.searched = true,
                          .tolerated = search->tolerated,
                          .p = spread->sigma_estimated ? scan->p_scaled : scan->p,
                          .p_scaled = scan->p_scaled};
    double begin = t0 + search->cells[scan->first].begin_s;
    double end = fmin(t0 + search->cells[scan->last].end_s, last);
    breach->interval_s[0] = begin;
    breach->interval_s[1] = end;
    breach->chi2_explained = scan->statistic / (factor * factor);
    for (int c = 0; c < d; c++)
        breach->size_m_s2 = hypot(breach->size_m_s2, scan->push[c]);
    flight_frame(d, problem->flight.settings.up, velocity_at(search, 0.5 * (begin + end) - t0),
                 frame);
    for (int c = 0; c < d; c++) {
        breach->direction[c] = scan->push[c] / breach->size_m_s2;
        for (int part = 0; part < 3; part++)
            breach->relative[part] += frame[part][c] * breach->direction[c];
    }
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++)
            variance += breach->direction[a] * scan->covariance[a * d + b] * breach->direction[b];
    breach->size_sd_m_s2 = factor * sqrt(variance);
    breach->displacement_m = breach->size_m_s2 * (end - begin) * (last - 0.5 * (begin + end));
}

/* No push takes more off chi2 than there is. One that seems to, of a flight that passes by chi2, is
 * a flight too far from the second fit for a linear look, as where a prior contradicts the points.
 */
static bool is_beyond_chi2(const ArcFit *fit, const ArcBreach *breach)
{
    const ArcResiduals *r = &fit->residuals;
    return fit->spread.loss.kind == ARC_LOSS_GAUSS && !fit->spread.sigma_estimated &&
           !breach->tolerated && r->chi2_p >= ARC_MISFIT_P &&
           breach->chi2_explained > r->chi2 + r->prior_chi2;
}

static ArcStatus search_run(Search *search, const ArcProblem *problem, ArcBreach *breach,
                            ArcError *err)
{
    bool done;
    ArcScanResult found;
    ArcStatus status = soften(search, problem, err);
    if (status == ARC_OK)
        status = fit_softly(search, &done, err);
    if (status != ARC_OK || !done)
        return status;
    status = place_cells(search, err);
    if (status == ARC_OK)
        status = respond(search, err);
    if (status == ARC_OK)
        status = reduce(search, err);
    if (status == ARC_OK)
        status = arc_scan_run(&search->scan, arc_random_create(problem->seed, ARC_STREAM_BREACH),
                              search->arena, &found, err);
    /* What leaves the range of numbers tells nothing of the flight. */
    if (status == ARC_NUMERIC)
        return ARC_OK;
    if (status == ARC_OK && found.found && found.dof >= problem->d)
        describe(search, &found, breach);
    if (breach->searched && is_beyond_chi2(search->fit, breach))
        *breach = (ArcBreach){.searched = false};
    return status;
}

ArcStatus arc_breach_find(const ArcProblem *problem, const ArcFit *fit, ArcBreach *breach,
                          ArcError *err)
{
    *breach = (ArcBreach){.searched = false};
    if (fit->method != ARC_PINN || fit->net.weights == NULL || !fit->converged ||
        arc_problem_rests_on_gravity(problem) || problem->swing != NULL ||
        problem->equations != NULL)
        return ARC_OK; /* a swing has inner unknowns that the flight's equations do not hold */
    Search search = {.fit = fit, .arena = arc_arena_create()};
    if (search.arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = search_run(&search, problem, breach, err);
    arc_arena_free(search.arena);
    return status;
}
