/* Paths flown, their fundamental matrices, and what closures do along them. */
#include "fit/closure_rows.h"

#include "fit/flyer.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Gauss' points an interval, and intervals of the span that none is longer than. */
enum { GAUSS = 3, INTERVALS = 24 };
static const double gauss_at[GAUSS] = {-0.77459666924148338, 0.0, 0.77459666924148338};
static const double gauss_weight[GAUSS] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};

/* Scratch of one path for its present closure. */
typedef struct PathWork {
    ArcFlyer *flyer;
    ArcPhaseRunner *runner; /* of a phase, in place of the flyer */
    ArcSight *sight;
    double *s;               /* (most) seconds since the beginning: nodes and observed times */
    double *t;               /* (most) the same as a flight's times */
    int *node, *time;        /* (most) which node, which observed time; -1 */
    double *x, *v, *a;       /* (most, D) */
    double *x_q, *v_q;       /* (most, D, Q) */
    double *seen_x, *seen_v; /* (n_times, D) */
    double *u;               /* (n_free) */
    double *force;           /* (nodes, D) */
} PathWork;

static int most_nodes(const ArcProblem *problem)
{
    return GAUSS * (problem->n_times + INTERVALS + 1);
}

static ArcStatus path_create(const ArcJointRun *run, int flight, ArcArena *arena, ArcPath *path,
                             ArcError *err)
{
    const ArcMember *member = &run->members[flight];
    ArcProblem *base = ARC_ALLOC(arena, 1, ArcProblem);
    if (base == NULL)
        return arc_error_no_memory(err);
    /* The member's sigmas, but not its closure. */
    *base = *run->joint->flights[flight];
    base->observations = member->problem.observations;
    base->sigma_factor = member->problem.sigma_factor;
    size_t n = (size_t)base->n_observations, D = (size_t)base->D;
    size_t nodes = (size_t)most_nodes(base), m = n + (size_t)base->n_priors;
    size_t values = (size_t)base->n_parameters + ARC_CLOSURE_MAX_WEIGHTS;
    *path = (ArcPath){.base = base, .m = (int)m};
    for (int k = 0; k < base->n_free; k++)
        path->n_own += run->joint->column_shared[k] < 0;
    path->values = ARC_ALLOC(arena, values, double);
    path->node_s = ARC_ALLOC(arena, nodes * (2 + 2 * D + 2 * D * D), double);
    path->row = ARC_ALLOC(arena, n * (2 * D + 1) + m, double);
    path->J = ARC_ALLOC(arena, m * (size_t)base->n_free, double);
    path->n_before = ARC_ALLOC(arena, n, int);
    if (path->values == NULL || path->node_s == NULL || path->row == NULL || path->J == NULL ||
        path->n_before == NULL)
        return arc_error_no_memory(err);
    path->node_weight = path->node_s + nodes;
    path->x = path->node_weight + nodes;
    path->v = path->x + nodes * D;
    path->pull = path->v + nodes * D;
    path->bent = path->row + n * 2 * D;
    path->r = path->bent + n;
    memcpy(path->values, member->values, sizeof(double) * (size_t)base->n_parameters);
    return ARC_OK;
}

ArcStatus arc_paths_create(const ArcJointRun *run, ArcArena *arena, ArcPath **result, ArcError *err)
{
    int n = run->joint->n_flights;
    ArcPath *paths = ARC_ALLOC(arena, (size_t)n, ArcPath);
    ArcStatus status = paths == NULL ? arc_error_no_memory(err) : ARC_OK;
    for (int f = 0; f < n && status == ARC_OK; f++)
        status = path_create(run, f, arena, &paths[f], err);
    *result = paths;
    return status;
}

void arc_paths_free(int n, ArcPath *paths)
{
    for (int f = 0; paths != NULL && f < n; f++)
        arc_arena_free(paths[f].arena);
}

static ArcStatus work_create(ArcPath *path, ArcError *err)
{
    const ArcProblem *problem = &path->problem;
    size_t D = (size_t)problem->D, times = (size_t)problem->n_times;
    size_t n = (size_t)most_nodes(problem) + times, Q = (size_t)problem->Q;
    PathWork *work = path->work = ARC_ALLOC(path->arena, 1, PathWork);
    if (work == NULL)
        return arc_error_no_memory(err);
    work->s = ARC_ALLOC(path->arena, n * (2 + 3 * D) + 2 * times * D, double);
    work->node = ARC_ALLOC(path->arena, 2 * n, int);
    work->x_q = ARC_ALLOC(path->arena, 2 * n * D * Q, double);
    work->u = ARC_ALLOC(path->arena, (size_t)problem->n_free, double);
    work->force = ARC_ALLOC(path->arena, n * D, double);
    if (work->s == NULL || work->node == NULL || work->x_q == NULL || work->u == NULL ||
        work->force == NULL)
        return arc_error_no_memory(err);
    work->t = work->s + n;
    work->x = work->t + n;
    work->v = work->x + n * D;
    work->a = work->v + n * D;
    work->seen_x = work->a + n * D;
    work->seen_v = work->seen_x + times * D;
    work->time = work->node + n;
    work->v_q = work->x_q + n * D * Q;
    ArcStatus status = arc_sight_create(problem, path->arena, &work->sight, err);
    if (status != ARC_OK)
        return status;
    return problem->phase != NULL
               ? arc_phase_runner_create(problem, path->arena, &work->runner, err)
               : arc_flyer_create_closed(problem, true, problem->direct_tolerance, path->arena,
                                         &work->flyer, err);
}

static ArcStatus path_close(ArcPath *path, const ArcClosure *closure, const double *weights,
                            ArcError *err)
{
    ArcTrajectory states;
    double *values;
    arc_arena_free(path->arena);
    path->arena = arc_arena_create();
    if (path->arena == NULL)
        return arc_error_no_memory(err);
    path->problem = *path->base;
    ArcStatus status = ARC_OK;
    if (closure != NULL) {
        status = arc_problem_close(&path->problem, closure, weights, true, path->arena, err);
        memcpy(path->values + path->base->n_parameters, weights,
               sizeof(double) * (size_t)closure->K);
    }
    if (status == ARC_OK)
        status = arc_direct_objective(&path->problem, path->arena, &path->objective, &states,
                                      &values, err);
    return status == ARC_OK ? work_create(path, err) : status;
}

ArcStatus arc_paths_close(int n, ArcPath *paths, const ArcClosure *closure, const double *weights,
                          ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int f = 0; f < n && status == ARC_OK; f++)
        status = path_close(&paths[f], closure, weights, err);
    return status;
}

/* Nodes between the observed times, and both in the order of time; returns how many. */
static int place_nodes(ArcPath *path)
{
    const ArcProblem *problem = &path->problem;
    PathWork *work = path->work;
    double t0 = path->values[problem->t0_index], before = 0.0;
    double most = (arc_problem_last_time(problem, path->values) - t0) / INTERVALS;
    int n = 0;
    path->n_nodes = 0;
    for (int i = 0; i < problem->n_times; i++) {
        double s = arc_problem_time(problem, path->values, i) - t0;
        int parts = s > before ? (int)fmax(ceil((s - before) / most * (1.0 - 1e-9)), 1.0) : 0;
        for (int part = 0; part < parts; part++)
            for (int g = 0; g < GAUSS; g++) {
                double h = (s - before) / parts, at = before + h * (part + 0.5);
                work->s[n] = at + 0.5 * h * gauss_at[g];
                work->t[n] = t0 + work->s[n];
                work->node[n] = path->n_nodes;
                work->time[n++] = -1;
                path->node_s[path->n_nodes] = work->s[n - 1];
                path->node_weight[path->n_nodes++] = 0.5 * h * gauss_weight[g];
            }
        before = fmax(before, s);
        work->s[n] = s;
        work->t[n] = problem->time_s[i];
        work->node[n] = -1;
        work->time[n++] = i;
    }
    return n;
}

/* Last D columns of the inverse of Phi (2 D, 2 D), into pull (2 D, D); false where there is none.
 */
static bool invert(const ArcPath *path, int at, double *pull)
{
    const PathWork *work = path->work;
    int D = path->problem.D, Q = path->problem.Q, first = path->problem.P,
        pivot[2 * ARC_SIM_MAX_DIMENSIONS];
    double Phi[4 * ARC_SIM_MAX_DIMENSIONS * ARC_SIM_MAX_DIMENSIONS];
    for (int e = 0; e < D; e++) {
        size_t row = (size_t)(at * D + e) * (size_t)Q + (size_t)first;
        memcpy(Phi + e * 2 * D, work->x_q + row, sizeof(double) * (size_t)(2 * D));
        memcpy(Phi + (D + e) * 2 * D, work->v_q + row, sizeof(double) * (size_t)(2 * D));
    }
    memset(pull, 0, sizeof(double) * (size_t)(2 * D * D));
    for (int e = 0; e < D; e++)
        pull[(D + e) * D + e] = 1.0;
    return LAPACKE_dgesv(LAPACK_ROW_MAJOR, 2 * D, D, Phi, 2 * D, pivot, pull, D) == 0;
}

/* Row of an observation at place `at` of the run. */
static void set_row(ArcPath *path, int i, int at)
{
    const ArcProblem *problem = &path->problem;
    const PathWork *work = path->work;
    const ArcObservation *o = &problem->observations[i];
    int D = problem->D;
    size_t Q = (size_t)problem->Q;
    double *row = path->row + (size_t)(i * 2 * D);
    memset(row, 0, sizeof(double) * (size_t)(2 * D));
    for (int e = 0; e < D; e++) {
        double by_x = o->axis == e, by_v = 0.0;
        if (work->sight != NULL) {
            const double *seen_v = arc_sight_by_v(work->sight, i);
            by_x = arc_sight_by_x(work->sight, i)[e];
            by_v = seen_v != NULL ? seen_v[e] : 0.0;
        }
        size_t from = (size_t)(at * D + e) * Q + (size_t)problem->P;
        cblas_daxpy(2 * D, by_x / o->sigma, work->x_q + from, 1, row, 1);
        cblas_daxpy(2 * D, by_v / o->sigma, work->v_q + from, 1, row, 1);
    }
}

/* Rows and nodes of what was flown. */
static bool take_states(ArcPath *path, int n)
{
    const ArcProblem *problem = &path->problem;
    PathWork *work = path->work;
    size_t D = (size_t)problem->D, bytes = sizeof(double) * D;
    for (int i = 0; i < n; i++) {
        size_t from = (size_t)i * D, node = (size_t)fmax(work->node[i], 0) * D;
        size_t time = (size_t)fmax(work->time[i], 0) * D;
        bool is_node = work->node[i] >= 0;
        memcpy(is_node ? path->x + node : work->seen_x + time, work->x + from, bytes);
        memcpy(is_node ? path->v + node : work->seen_v + time, work->v + from, bytes);
        if (is_node && !invert(path, i, path->pull + 2 * D * node))
            return false;
    }
    if (work->sight != NULL)
        arc_sight_look(work->sight, path->values, work->seen_x, work->seen_v, NULL);
    for (int i = 0; i < problem->n_observations; i++) {
        int at = 0, before = 0;
        for (; work->time[at] != problem->observations[i].time; at++)
            before += work->node[at] >= 0;
        path->n_before[i] = before;
        set_row(path, i, at);
    }
    return true;
}

/* What the present closure has done to the residuals. */
static void set_bent(ArcPath *path)
{
    const ArcProblem *problem = &path->problem;
    int D = problem->D, done = 0;
    double *force = path->work->force, sum[2 * ARC_SIM_MAX_DIMENSIONS] = {0};
    memset(path->bent, 0, sizeof(double) * (size_t)problem->n_observations);
    if (problem->closure == NULL)
        return;
    memset(force, 0, sizeof(double) * (size_t)(path->n_nodes * D));
    const ArcClosed closed = arc_problem_closed(problem, problem->closure, true);
    const ArcPhaseStates states = {
        .n = path->n_nodes, .s = path->node_s, .x = path->x, .v = path->v, .a = force};
    arc_closed_add(&closed, path->values, path->values + problem->n_parameters, false, &states);
    /* Observations stand axis by axis: the sums begin anew with each. */
    for (int i = 0; i < problem->n_observations; i++) {
        if (path->n_before[i] < done) {
            done = 0;
            memset(sum, 0, sizeof sum);
        }
        for (; done < path->n_before[i]; done++)
            cblas_dgemv(CblasRowMajor, CblasNoTrans, 2 * D, D, path->node_weight[done],
                        path->pull + done * 2 * D * D, D, force + done * D, 1, 1.0, sum, 1);
        path->bent[i] = cblas_ddot(2 * D, path->row + i * 2 * D, 1, sum, 1);
    }
}

static bool path_fly(ArcPath *path)
{
    const ArcProblem *problem = &path->problem;
    PathWork *work = path->work;
    memset(path->J, 0, sizeof(double) * (size_t)(path->m * problem->n_free));
    arc_problem_gather(problem, path->values, work->u);
    if (!path->objective.evaluate(path->objective.context, work->u, path->r, path->J))
        return false;
    int n = place_nodes(path);
    const ArcSimOutput output = {
        .x = work->x, .v = work->v, .a = work->a, .x_q = work->x_q, .v_q = work->v_q};
    const ArcThrow thrown = {&problem->flight, problem->release, path->values};
    bool done = work->runner != NULL
                    ? arc_phase_run(work->runner, path->values, n, work->s, &output)
                    : arc_flyer_run(work->flyer, &thrown, n, work->t, &output);
    if (!done || !take_states(path, n))
        return false;
    set_bent(path);
    return true;
}

void arc_paths_fly(int n, ArcPath *paths, double *cost)
{
    *cost = 0.0;
    for (int f = 0; f < n; f++) {
        if (!path_fly(&paths[f])) {
            *cost = INFINITY;
            return;
        }
        *cost += 0.5 * cblas_ddot(paths[f].m, paths[f].r, 1, paths[f].r, 1);
    }
}

void arc_path_inputs(const ArcPath *path, const ArcClosureSettings *settings, double *z)
{
    const ArcProblem *problem = &path->problem;
    const ArcClosed closed = arc_problem_closed(problem, NULL, true);
    const ArcPhaseStates states = {
        .n = path->n_nodes, .s = path->node_s, .x = path->x, .v = path->v};
    arc_closed_inputs(&closed, settings, path->values, &states, z);
}

/* Scratch of arc_paths_rows: forces of all weights at the nodes, their integral so far, and one
 * path's rows before its own unknowns are eliminated. */
typedef struct Columns {
    double *by_w; /* (nodes, D, P + K) */
    double *a;    /* (nodes, D) */
    double *sum;  /* (2 D, K) */
    double *zero; /* (K) */
    double *rows; /* (most m, n_own + columns) */
    double *tau;
} Columns;

/* The weights' columns (K), the k-th at columns[k], each of m numbers. */
static void fill_columns(ArcPath *path, const ArcClosure *closure, const Columns *scratch,
                         double *const *columns)
{
    const ArcProblem *problem = &path->problem;
    int D = problem->D, K = closure->K, wide = problem->P + K, done = 0;
    size_t n_states = (size_t)(path->n_nodes * D);
    memset(scratch->by_w, 0, sizeof(double) * n_states * (size_t)wide);
    memset(scratch->a, 0, sizeof(double) * n_states);
    const ArcClosed closed = arc_problem_closed(problem, closure, false);
    const ArcPhaseStates states = {.n = path->n_nodes,
                                   .s = path->node_s,
                                   .x = path->x,
                                   .v = path->v,
                                   .a = scratch->a,
                                   .a_p = scratch->by_w};
    arc_closed_add(&closed, path->values, scratch->zero, false, &states);
    memset(scratch->sum, 0, sizeof(double) * (size_t)(2 * D * K));
    for (int i = 0; i < problem->n_observations; i++) {
        if (path->n_before[i] < done) {
            done = 0;
            memset(scratch->sum, 0, sizeof(double) * (size_t)(2 * D * K));
        }
        for (; done < path->n_before[i]; done++)
            cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2 * D, K, D,
                        path->node_weight[done], path->pull + done * 2 * D * D, D,
                        scratch->by_w + (size_t)(done * D) * (size_t)wide + problem->P, wide, 1.0,
                        scratch->sum, K);
        const double *row = path->row + i * 2 * D;
        for (int k = 0; k < K; k++) {
            double value = 0.0;
            for (int e = 0; e < 2 * D; e++)
                value += row[e] * scratch->sum[e * K + k];
            columns[k][i] = value;
        }
    }
    for (int k = 0; k < K; k++)
        memset(columns[k] + problem->n_observations, 0,
               sizeof(double) * (size_t)(path->m - problem->n_observations));
}

/* Which weight each column is: levels first, then group by group. */
static void list_weights(const ArcClosure *closure, ArcPathRows *rows)
{
    int n = 0, H = closure->H, features = H - closure->has_level;
    rows->n_levels = closure->has_level ? closure->O : 0;
    for (int o = 0; o < rows->n_levels; o++)
        rows->weight[n++] = o * H + H - 1;
    for (int o = 0; o < closure->O; o++)
        for (int h = 0; h < features; h++)
            rows->weight[n++] = o * H + h;
    rows->ridge.G = closure->O;
    rows->ridge.K = closure->O * features;
    for (int o = 0; o < closure->O; o++)
        rows->ridge.size[o] = features;
}

/* One path's rows, own columns first, into scratch->rows: (m, n_own + columns). */
static void load_path(const ArcJointRun *run, ArcPath *path, const ArcClosure *closure,
                      const double *unit, const Columns *scratch, double **columns,
                      const ArcPathRows *rows)
{
    const ArcJoint *joint = run->joint;
    size_t m = (size_t)path->m, bytes = sizeof(double) * m;
    double *first = scratch->rows + (size_t)path->n_own * m, *own = scratch->rows;
    int S = joint->n_shared, n = rows->n_levels + rows->ridge.K;
    memset(first, 0, bytes * (size_t)S);
    for (int k = 0; k < path->problem.n_free; k++) {
        int shared = joint->column_shared[k];
        memcpy(shared >= 0 ? first + (size_t)shared * m : own, path->J + (size_t)k * m, bytes);
        own += shared < 0 ? m : 0;
    }
    for (int j = 0; j < n; j++)
        columns[rows->weight[j]] = first + (size_t)(S + j) * m;
    if (closure != NULL)
        fill_columns(path, closure, scratch, columns);
    for (int j = rows->n_levels; j < n; j++)
        cblas_dscal(path->m, unit[rows->weight[j] / closure->H], first + (size_t)(S + j) * m, 1);
    double *r = first + (size_t)(S + n) * m;
    memcpy(r, path->r, bytes);
    cblas_daxpy(path->problem.n_observations, -1.0, path->bent, 1, r, 1);
}

/* Own unknowns eliminated: what is left goes into `to` (ld), returns how many rows. */
static int reduce_path(const ArcPath *path, int n_columns, const Columns *scratch, double *triangle,
                       double *to, size_t ld)
{
    int m = path->m, own = path->n_own;
    if (m < own)
        return 0;
    double *rest = scratch->rows + (size_t)own * (size_t)m;
    if (own > 0) {
        LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, own, scratch->rows, m, scratch->tau);
        LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', m, n_columns, own, scratch->rows, m,
                       scratch->tau, rest, m);
    }
    for (int j = 0; j < own + n_columns; j++)
        memcpy(triangle + (size_t)j * (size_t)own, scratch->rows + (size_t)j * (size_t)m,
               sizeof(double) * (size_t)own);
    for (int j = 0; j < n_columns; j++)
        memcpy(to + (size_t)j * ld, rest + (size_t)j * (size_t)m + own,
               sizeof(double) * (size_t)(m - own));
    return m - own;
}

/* Priors of the shared unknowns, and of levels, whose sd is 1; returns how many rows. */
static int add_priors(const ArcJointRun *run, const ArcPathRows *rows, const double *shared,
                      const double *level, double *to, size_t ld)
{
    const ArcJoint *joint = run->joint;
    int n = 0;
    size_t last = (size_t)(joint->n_shared + rows->n_levels + rows->ridge.K);
    for (int k = 0; k < joint->n_shared; k++) {
        const ArcJointUnknown *unknown = &joint->shared[k];
        if (!isfinite(unknown->prior_sd))
            continue;
        to[(size_t)n + (size_t)k * ld] = 1.0 / unknown->prior_sd;
        to[(size_t)n++ + last * ld] = (shared[k] - unknown->prior_mean) / unknown->prior_sd;
    }
    for (int k = 0; k < rows->n_levels; k++)
        to[(size_t)n++ + (size_t)(joint->n_shared + k) * ld] = level[k];
    return n;
}

static ArcStatus columns_create(const ArcJointRun *run, const ArcPath *paths,
                                const ArcClosure *closure, size_t n_columns, ArcArena *arena,
                                Columns *scratch, ArcError *err)
{
    size_t nodes = 1, m = 1, own = 1, D = (size_t)paths[0].problem.D;
    size_t K = closure != NULL ? (size_t)closure->K : 0, wide = (size_t)paths[0].problem.P + K;
    for (int f = 0; f < run->joint->n_flights; f++) {
        nodes = (size_t)fmax((double)nodes, paths[f].n_nodes);
        m = (size_t)fmax((double)m, paths[f].m);
        own = (size_t)fmax((double)own, paths[f].n_own);
    }
    scratch->by_w = ARC_ALLOC(arena, nodes * D * wide + nodes * D, double);
    scratch->sum = ARC_ALLOC(arena, (2 * D + 1) * K + own, double);
    scratch->rows = ARC_ALLOC(arena, m * (own + n_columns), double);
    if (scratch->by_w == NULL || scratch->sum == NULL || scratch->rows == NULL)
        return arc_error_no_memory(err);
    scratch->a = scratch->by_w + nodes * D * wide;
    scratch->zero = scratch->sum + 2 * D * K;
    scratch->tau = scratch->zero + K;
    memset(scratch->zero, 0, sizeof(double) * K);
    return ARC_OK;
}

ArcStatus arc_paths_rows(const ArcJointRun *run, ArcPath *paths, const ArcClosure *closure,
                         const double *unit, ArcArena *arena, ArcPathRows *rows, ArcError *err)
{
    int n_flights = run->joint->n_flights, S = run->joint->n_shared;
    size_t K = closure != NULL ? (size_t)closure->K : 0, m = 0, n = (size_t)S + K + 1;
    *rows = (ArcPathRows){.weight = ARC_ALLOC(arena, K + 1, int),
                          .triangle = ARC_ALLOC(arena, (size_t)n_flights, double *)};
    ArcArena *own = arc_arena_create();
    double **columns = own == NULL ? NULL : ARC_ALLOC(own, K + 1, double *);
    int *first = ARC_ALLOC(arena, (size_t)n_flights + 1, int);
    for (int f = 0; f < n_flights; f++)
        m += (size_t)paths[f].m;
    size_t ld = m + n;
    double *all = ARC_ALLOC(arena, ld * n, double);
    Columns scratch = {0};
    ArcStatus status = columns == NULL || rows->weight == NULL || rows->triangle == NULL ||
                               first == NULL || all == NULL
                           ? arc_error_no_memory(err)
                           : columns_create(run, paths, closure, n, own, &scratch, err);
    if (status != ARC_OK) {
        arc_arena_free(own);
        return status;
    }
    memset(all, 0, sizeof(double) * ld * n);
    if (closure != NULL)
        list_weights(closure, rows);
    int n_columns = S + rows->n_levels + rows->ridge.K + 1, row = 0;
    for (int f = 0; f < n_flights && status == ARC_OK; f++) {
        ArcPath *path = &paths[f];
        first[f] = row;
        double *triangle = rows->triangle[f] =
            ARC_ALLOC(arena, (size_t)(path->n_own * (path->n_own + n_columns)) + 1, double);
        if (triangle == NULL) {
            status = arc_error_no_memory(err);
            break;
        }
        load_path(run, path, closure, unit, &scratch, columns, rows);
        row += reduce_path(path, n_columns, &scratch, triangle, all + row, ld);
        for (int j = 0; j < path->n_own; j++) {
            double diagonal = fabs(triangle[j * (path->n_own + 1)]);
            rows->own_log_det += diagonal > 0.0 ? 2.0 * log(diagonal) : 0.0;
        }
    }
    first[n_flights] = row;
    static const double one[ARC_EQUATIONS_MAX_STATES] = {1, 1, 1, 1, 1, 1, 1, 1,
                                                         1, 1, 1, 1, 1, 1, 1, 1};
    if (status == ARC_OK)
        row += add_priors(run, rows, run->s, one, all + row, ld);
    rows->ridge.S = S + rows->n_levels;
    rows->ridge.m = row;
    rows->ridge.ld = (int)ld;
    rows->ridge.n_blocks = n_flights;
    rows->ridge.first = first;
    rows->ridge.rows = all;
    arc_arena_free(own);
    return status;
}

void arc_paths_step(const ArcJointRun *run, ArcPath *paths, const ArcPathRows *rows,
                    const double *d, const double *weights, double share, double *shared)
{
    const ArcJoint *joint = run->joint;
    int S = joint->n_shared, n_d = rows->ridge.S, K = rows->ridge.K;
    for (int k = 0; k < S; k++)
        shared[k] =
            fmin(fmax(shared[k] + share * d[k], joint->shared[k].low), joint->shared[k].high);
    for (int f = 0; f < joint->n_flights; f++) {
        ArcPath *path = &paths[f];
        int own = path->n_own, at = 0;
        double step[ARC_MAX_PARAMETERS];
        const double *triangle = rows->triangle[f], *rest = triangle + own * own;
        if (path->m < own)
            continue;
        memcpy(step, rest + (n_d + K) * own, sizeof(double) * (size_t)own);
        for (int j = 0; j < n_d + K; j++)
            cblas_daxpy(own, j < n_d ? d[j] : weights[j - n_d], rest + j * own, 1, step, 1);
        if (own > 0)
            cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, own, triangle, own,
                        step, 1);
        for (int k = 0; k < path->base->n_free; k++) {
            int parameter = path->base->free_parameter[k], s = joint->column_shared[k];
            double value = s >= 0 ? shared[s] : path->values[parameter] - share * step[at++];
            path->values[parameter] = fmin(fmax(value, path->base->low[k]), path->base->high[k]);
        }
    }
}
