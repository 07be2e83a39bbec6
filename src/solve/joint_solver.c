/* The iteration over blocks. */
#include "solve/joint_solver.h"

#include "solve/blocks.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_ATTEMPTS = 40 };
static const double first_lambda = 1e-4, least_lambda = 1e-14, relief = 1.0 / 3.0;
/* Of the cost: what its rounding may hide. */
static const double rounding_share = 1e-11;

/* What is kept of a block at a point. */
typedef struct Point {
    double *T, *c, *X; /* of eliminate.h; (p, p), (p), (n_inner, p + 1) */
    double inner_norm2, cost;
} Point;

typedef struct Block {
    int m, n_inner, n_outer, n_own;
    const int *order; /* (n_outer) outer unknowns, own ones first */
    double *z_new, *step;
    Point now, next;
    double *offset, *low, *high, *D;
} Block;

struct ArcJointSolver {
    int n_blocks;
    const ArcJointBlock *given;
    ArcJointShared shared;
    ArcLeastSquaresSettings settings;
    Block *blocks;
    ArcBlock *linear_blocks;
    ArcBlocks linear;
    ArcElimination elimination; /* scratch for the largest block */
    double *J, *r, *columns;
    double *s_new, *D, *low, *high, *prior_offset;
    bool has_inner;
    double lambda, growth, cost, image_norm, full_step_norm, polished_norm;
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Where k stands in list, after what was added to it if it was not there. */
static int place_in(int *list, int *n, int k)
{
    int i = 0;
    while (i < *n && list[i] != k)
        i++;
    if (i == *n)
        list[(*n)++] = k;
    return i;
}

/* Order of the outer unknowns, the border, and the ties. */
static ArcStatus block_arrange(const ArcJointBlock *given, Block *block, ArcBlock *linear,
                               ArcArena *arena, ArcError *err)
{
    size_t n = (size_t)given->objective.n_outer;
    int *order = ARC_ALLOC(arena, n, int), *border = ARC_ALLOC(arena, 2 * n + 1, int);
    ArcBlockTie *ties = ARC_ALLOC(arena, n, ArcBlockTie);
    if (order == NULL || border == NULL || ties == NULL)
        return arc_error_no_memory(err);
    int own = 0, n_border = 0, n_ties = 0;
    for (int j = 0; j < (int)n; j++)
        if (given->shared[j] < 0)
            order[own++] = j;
    for (int j = 0, k = own; j < (int)n; j++)
        if (given->shared[j] >= 0) {
            order[k++] = j;
            place_in(border, &n_border, given->shared[j]);
        }
    for (int j = 0; j < own && given->mean != NULL; j++)
        if (given->mean[order[j]] >= 0)
            ties[n_ties++] = (ArcBlockTie){j, place_in(border, &n_border, given->mean[order[j]])};
    *block = (Block){.m = given->objective.m,
                     .n_inner = given->objective.n_inner,
                     .n_outer = (int)n,
                     .n_own = own,
                     .order = order};
    *linear = (ArcBlock){.n_own = own,
                         .n_outer = (int)n,
                         .n_border = n_border,
                         .border = border,
                         .n_ties = n_ties,
                         .ties = ties};
    return ARC_OK;
}

static bool point_create(const Block *block, ArcArena *arena, Point *point)
{
    size_t p = (size_t)block->n_outer, n = (size_t)block->n_inner;
    point->T = ARC_ALLOC(arena, p * (p + 1) + n * (p + 1), double);
    if (point->T == NULL)
        return false;
    point->c = point->T + p * p;
    point->X = point->c + p;
    return true;
}

static ArcStatus block_create(const ArcJointBlock *given, Block *block, ArcBlock *linear,
                              ArcArena *arena, ArcError *err)
{
    ArcStatus status = block_arrange(given, block, linear, arena, err);
    if (status != ARC_OK)
        return status;
    size_t n = (size_t)(block->n_inner + block->n_outer), own = (size_t)block->n_own;
    size_t border = (size_t)linear->n_border, ties = (size_t)linear->n_ties;
    block->z_new = ARC_ALLOC(arena, 2 * n + ties + 4 * own + own * (border + 1), double);
    linear->held = ARC_ALLOC(arena, own + 1, bool);
    if (block->z_new == NULL || linear->held == NULL || !point_create(block, arena, &block->now) ||
        !point_create(block, arena, &block->next))
        return arc_error_no_memory(err);
    block->step = block->z_new + n;
    block->offset = block->step + n;
    block->low = block->offset + ties;
    block->high = block->low + own;
    block->D = block->high + own;
    linear->d = block->D + own;
    linear->Y = linear->d + own;
    linear->offset = block->offset;
    linear->low = block->low;
    linear->high = block->high;
    linear->D = block->D;
    return ARC_OK;
}

/* J, r and the elimination for the largest block, and what belongs to the shared unknowns. */
static ArcStatus scratch_create(ArcJointSolver *s, ArcArena *arena, ArcError *err)
{
    size_t most_J = 1, n = (size_t)s->shared.n;
    int m = 1, inner = 0, outer = 1;
    for (int b = 0; b < s->n_blocks; b++) {
        const Block *block = &s->blocks[b];
        size_t size = (size_t)block->m * (size_t)(block->n_inner + block->n_outer);
        most_J = size > most_J ? size : most_J;
        m = larger(m, block->m);
        inner = larger(inner, block->n_inner);
        outer = larger(outer, block->n_outer);
    }
    s->has_inner = inner > 0;
    s->J = ARC_ALLOC(arena, most_J, double);
    s->r = ARC_ALLOC(arena, (size_t)m, double);
    s->columns = ARC_ALLOC(arena, (size_t)m * (size_t)outer, double);
    s->s_new = ARC_ALLOC(arena, 5 * n + 1, double);
    if (s->J == NULL || s->r == NULL || s->columns == NULL || s->s_new == NULL)
        return arc_error_no_memory(err);
    s->D = s->s_new + n;
    s->low = s->D + n;
    s->high = s->low + n;
    s->prior_offset = s->high + n;
    return arc_elimination_create(m, inner, outer, arena, &s->elimination, err);
}

ArcStatus arc_joint_solver_create(int n_blocks, const ArcJointBlock *blocks,
                                  const ArcJointShared *shared,
                                  const ArcLeastSquaresSettings *settings, ArcArena *arena,
                                  ArcJointSolver **solver, ArcError *err)
{
    ArcJointSolver *s = ARC_ALLOC(arena, 1, ArcJointSolver);
    if (s == NULL)
        return arc_error_no_memory(err);
    s->n_blocks = n_blocks;
    s->given = blocks;
    s->shared = *shared;
    s->settings = *settings;
    s->blocks = ARC_ALLOC(arena, (size_t)n_blocks, Block);
    s->linear_blocks = ARC_ALLOC(arena, (size_t)n_blocks, ArcBlock);
    if (s->blocks == NULL || s->linear_blocks == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = ARC_OK;
    for (int b = 0; b < n_blocks && status == ARC_OK; b++)
        status = block_create(&blocks[b], &s->blocks[b], &s->linear_blocks[b], arena, err);
    if (status == ARC_OK)
        status = scratch_create(s, arena, err);
    if (status == ARC_OK)
        status = arc_blocks_create(n_blocks, s->linear_blocks, shared->n, arena, &s->linear, err);
    if (status != ARC_OK)
        return status;
    s->linear.shared = (ArcBlocksShared){.D = s->D,
                                         .low = s->low,
                                         .high = s->high,
                                         .prior_offset = s->prior_offset,
                                         .prior_sd = shared->prior_sd,
                                         .population_sd = shared->population_sd};
    *solver = s;
    return ARC_OK;
}

/* Outer columns of J, own ones first. */
static void order_columns(ArcJointSolver *s, const Block *block)
{
    bool ordered = true;
    for (int k = 0; k < block->n_outer; k++)
        ordered = ordered && block->order[k] == k;
    if (ordered)
        return;
    size_t m = (size_t)block->m;
    double *outer = s->J + (size_t)block->n_inner * m;
    memcpy(s->columns, outer, sizeof(double) * m * (size_t)block->n_outer);
    for (int k = 0; k < block->n_outer; k++)
        memcpy(outer + (size_t)k * m, s->columns + (size_t)block->order[k] * m, sizeof(double) * m);
}

/* One block at its z_new into its next point; false where that cannot be had. */
static bool evaluate_block(ArcJointSolver *s, int b)
{
    Block *block = &s->blocks[b];
    const ArcObjective *objective = &s->given[b].objective;
    size_t m = (size_t)block->m, p = (size_t)block->n_outer, n = (size_t)block->n_inner;
    memset(s->J, 0, sizeof(double) * m * (n + p));
    if (!objective->evaluate(objective->context, block->z_new, s->r, s->J))
        return false;
    block->next.cost = 0.5 * cblas_ddot(block->m, s->r, 1, s->r, 1);
    if (!isfinite(block->next.cost))
        return false;
    order_columns(s, block);
    ArcElimination e = s->elimination;
    arc_elimination_set_shape(&e, block->m, block->n_inner, block->n_outer);
    if (!arc_elimination_run(&e, s->J, s->r, s->settings.truncation))
        return false;
    memcpy(block->next.T, e.T, sizeof(double) * p * p);
    memcpy(block->next.c, e.c, sizeof(double) * p);
    memcpy(block->next.X, e.X, sizeof(double) * n * (p + 1));
    block->next.inner_norm2 = n > 0 ? e.inner_norm2 : 0.0;
    return true;
}

/* Half the squares of ties and priors at the points z (by block_z) and shared. */
static double cost_of_ties(const ArcJointSolver *s, bool next)
{
    const double *shared = next ? s->s_new : s->shared.s;
    double sum = 0.0;
    for (int b = 0; b < s->n_blocks; b++) {
        const Block *block = &s->blocks[b];
        const ArcBlock *linear = &s->linear_blocks[b];
        const double *z = (next ? block->z_new : s->given[b].z) + block->n_inner;
        for (int t = 0; t < linear->n_ties; t++) {
            int mean = linear->border[linear->ties[t].mean];
            double off = (z[block->order[linear->ties[t].own]] - shared[mean]) /
                         s->shared.population_sd[mean];
            sum += off * off;
        }
    }
    for (int k = 0; k < s->shared.n; k++) {
        double off = (shared[k] - s->shared.prior_mean[k]) / s->shared.prior_sd[k];
        sum += isfinite(s->shared.prior_sd[k]) ? off * off : 0.0;
    }
    return 0.5 * sum;
}

/* All blocks at z_new and s_new; false where one fails (its index into *failed) or the cost comes
 * above the limit. */
static bool evaluate_new(ArcJointSolver *s, double limit, double *cost, int *failed,
                         ArcLeastSquaresResult *result)
{
    result->evaluations++;
    *cost = cost_of_ties(s, true);
    *failed = -1;
    for (int b = 0; b < s->n_blocks; b++) {
        if (!evaluate_block(s, b)) {
            *failed = b;
            return false;
        }
        *cost += s->blocks[b].next.cost;
        if (!(*cost <= limit))
            return false;
    }
    return true;
}

/* The linear problem at the point that stands. */
static void place_linear(ArcJointSolver *s)
{
    for (int b = 0; b < s->n_blocks; b++) {
        Block *block = &s->blocks[b];
        ArcBlock *linear = &s->linear_blocks[b];
        const double *z = s->given[b].z + block->n_inner;
        linear->T = block->now.T;
        linear->c = block->now.c;
        for (int j = 0; j < block->n_own; j++) {
            int k = block->order[j];
            block->low[j] = fmin(s->given[b].low[k] - z[k], 0.0);
            block->high[j] = fmax(s->given[b].high[k] - z[k], 0.0);
        }
        for (int t = 0; t < linear->n_ties; t++)
            block->offset[t] = z[block->order[linear->ties[t].own]] -
                               s->shared.s[linear->border[linear->ties[t].mean]];
    }
    for (int k = 0; k < s->shared.n; k++) {
        s->low[k] = fmin(s->shared.low[k] - s->shared.s[k], 0.0);
        s->high[k] = fmax(s->shared.high[k] - s->shared.s[k], 0.0);
        s->prior_offset[k] = s->shared.s[k] - s->shared.prior_mean[k];
    }
}

static void keep_longest(int n, const double *length, bool first, double *D)
{
    for (int k = 0; k < n; k++)
        if (first || length[k] > D[k])
            D[k] = length[k] > 0.0 ? length[k] : (first ? 1.0 : D[k]);
}

/* Scales of the damping: each column's largest norm so far (More 1978). */
static void update_scales(ArcJointSolver *s, bool first)
{
    /* The new points are not in use between two steps. */
    arc_blocks_shared_lengths(&s->linear, s->s_new);
    keep_longest(s->shared.n, s->s_new, first, s->D);
    for (int b = 0; b < s->n_blocks; b++) {
        Block *block = &s->blocks[b];
        arc_blocks_own_lengths(&s->linear, b, block->z_new);
        keep_longest(block->n_own, block->z_new, first, block->D);
    }
}

static void accept(ArcJointSolver *s, double cost)
{
    for (int b = 0; b < s->n_blocks; b++) {
        Block *block = &s->blocks[b];
        Point swap = block->now;
        block->now = block->next;
        block->next = swap;
        memcpy(s->given[b].z, block->z_new,
               sizeof(double) * (size_t)(block->n_inner + block->n_outer));
    }
    memcpy(s->shared.s, s->s_new, sizeof(double) * (size_t)s->shared.n);
    s->cost = cost;
    place_linear(s);
}

/* The step at the present damping into each block's step, |J step| into image_norm; false where
 * something is not finite. */
static bool solve_step(ArcJointSolver *s, double *promised)
{
    if (!arc_blocks_solve(&s->linear, s->lambda, s->settings.truncation))
        return false;
    double norm2 = s->linear.image_norm2;
    *promised = s->linear.promised;
    for (int b = 0; b < s->n_blocks; b++) {
        Block *block = &s->blocks[b];
        const ArcBlock *linear = &s->linear_blocks[b];
        int n = block->n_inner, p = block->n_outer;
        double *inner = block->step, *outer = block->step + n;
        memcpy(inner, block->now.X + n * p, sizeof(double) * (size_t)n);
        cblas_dscal(n, -1.0, inner, 1);
        for (int k = 0; k < p; k++) {
            double step =
                k < block->n_own ? linear->d[k] : s->linear.e[linear->border[k - block->n_own]];
            outer[block->order[k]] = step;
            cblas_daxpy(n, -step, block->now.X + k * n, 1, inner, 1);
        }
        norm2 += block->now.inner_norm2;
        *promised += 0.5 * block->now.inner_norm2;
    }
    s->image_norm = sqrt(norm2);
    return true;
}

/* z_new = z + share * step; false where the step is below the rounding of every unknown. */
static bool take_step(ArcJointSolver *s, double share)
{
    bool moves = false;
    for (int k = 0; k < s->shared.n; k++) {
        double step = share * s->linear.e[k];
        s->s_new[k] = fmin(fmax(s->shared.s[k] + step, s->shared.low[k]), s->shared.high[k]);
        moves = moves || fabs(step) > 2.0 * DBL_EPSILON * fabs(s->shared.s[k]);
    }
    for (int b = 0; b < s->n_blocks; b++) {
        const ArcJointBlock *given = &s->given[b];
        Block *block = &s->blocks[b];
        int n = block->n_inner;
        for (int i = 0; i < n + block->n_outer; i++) {
            block->z_new[i] = given->z[i] + share * block->step[i];
            moves = moves || fabs(share * block->step[i]) > 2.0 * DBL_EPSILON * fabs(given->z[i]);
        }
        for (int j = 0; j < block->n_outer; j++)
            block->z_new[n + j] =
                given->shared[j] >= 0
                    ? s->s_new[given->shared[j]]
                    : fmin(fmax(block->z_new[n + j], given->low[j]), given->high[j]);
    }
    return moves;
}

static void damp_less(ArcJointSolver *s, double gain)
{
    double centred = 2.0 * gain - 1.0;
    s->lambda *= fmax(relief, 1.0 - centred * centred * centred);
    if (s->lambda < least_lambda)
        s->lambda = 0.0;
    s->growth = 2.0;
}

static void damp_more(ArcJointSolver *s)
{
    s->lambda = s->lambda > 0.0 ? s->lambda * s->growth : first_lambda;
    s->growth *= 2.0;
}

typedef enum Search { SEARCH_ACCEPTED, SEARCH_ROUNDING, SEARCH_STALLED, SEARCH_STEP } Search;

/* Tries steps until one decreases the cost: halved with inner unknowns, else damped more. Where the
 * cost no longer tells better from worse, steps are taken as long as they get shorter. */
static Search search_step(ArcJointSolver *s, double promised, bool last,
                          ArcLeastSquaresResult *result)
{
    double share = 1.0, cost;
    bool near = false;
    int failed;
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        bool moves = take_step(s, share);
        bool had = moves && promised >= 0.0 &&
                   evaluate_new(s, s->cost * (1.0 + rounding_share), &cost, &failed, result);
        if (had && cost < s->cost) {
            double gain = promised > 0.0 ? (s->cost - cost) / promised : 1.0;
            s->full_step_norm = attempt == 0 && s->lambda == 0.0 ? s->image_norm : INFINITY;
            accept(s, cost);
            if (!s->has_inner)
                damp_less(s, gain);
            return SEARCH_ACCEPTED;
        }
        if (attempt == 0) {
            near = s->lambda == 0.0 && promised <= rounding_share * s->cost;
            if (near && had && !last && s->image_norm <= 0.9 * s->polished_norm) {
                s->polished_norm = s->image_norm;
                accept(s, cost);
                return SEARCH_ACCEPTED;
            }
            if (near)
                return SEARCH_ROUNDING;
            if (!moves)
                return SEARCH_STEP;
        }
        if (!moves)
            break;
        if (s->has_inner) {
            share *= 0.5;
        } else {
            damp_more(s);
            if (!solve_step(s, &promised))
                break;
        }
    }
    return SEARCH_STALLED;
}

/* A damped step may be short, or promise little, by its damping alone: one without tells. */
static bool undamp(ArcJointSolver *s, double enough, double *promised)
{
    double lambda = s->lambda;
    bool drowns = *promised <= rounding_share * s->cost;
    if (lambda == 0.0 || (s->image_norm > enough && !drowns))
        return true;
    s->lambda = 0.0;
    if (solve_step(s, promised) && (drowns || s->image_norm <= enough))
        return true;
    s->lambda = lambda;
    return solve_step(s, promised);
}

/* One iteration; false when the run is over, with result->stop set. */
static bool iterate(ArcJointSolver *s, ArcLeastSquaresResult *result)
{
    const ArcLeastSquaresSettings *settings = &s->settings;
    double promised,
        enough = fmax(settings->tolerance, settings->relative_tolerance * sqrt(2.0 * s->cost));
    update_scales(s, result->iterations == 0);
    if (!solve_step(s, &promised) || !undamp(s, enough, &promised)) {
        result->stop = ARC_STOP_NON_FINITE;
        return false;
    }
    /* Undamped full steps shrink at least as fast as they did last time. */
    double shrinkage = s->lambda == 0.0 ? s->image_norm / s->full_step_norm : 0.0;
    bool foreseen = shrinkage > 0.0 && shrinkage < 1.0 && s->image_norm * shrinkage <= enough;
    bool short_enough = s->lambda == 0.0 && s->image_norm <= enough;
    bool last = promised >= 0.0 && (short_enough || foreseen);
    if (last && s->image_norm == 0.0) {
        result->stop = ARC_STOP_GRADIENT;
        return false;
    }
    double norm = s->image_norm;
    Search search = search_step(s, promised, last, result);
    result->iterations += search == SEARCH_ACCEPTED;
    result->stop = last || search == SEARCH_ROUNDING ? ARC_STOP_COST
                   : search == SEARCH_STEP           ? ARC_STOP_STEP
                   : search == SEARCH_STALLED        ? ARC_STOP_STALLED
                                                     : ARC_STOP_LIMIT;
    if (settings->progress != NULL && search == SEARCH_ACCEPTED &&
        !settings->progress(settings->progress_context, result->iterations, s->cost, norm, NULL) &&
        !last) {
        result->stop = ARC_STOP_INTERRUPTED;
        return false;
    }
    return search == SEARCH_ACCEPTED && !last;
}

ArcLeastSquaresResult arc_joint_solver_run(ArcJointSolver *s, int *failed)
{
    ArcLeastSquaresResult result = {.stop = ARC_STOP_NON_FINITE};
    double cost;
    int block;
    s->lambda = s->settings.lambda;
    s->growth = 2.0;
    s->full_step_norm = s->polished_norm = INFINITY;
    memset(s->linear.e, 0, sizeof(double) * (size_t)s->shared.n);
    for (int b = 0; b < s->n_blocks; b++)
        memset(s->blocks[b].step, 0,
               sizeof(double) * (size_t)(s->blocks[b].n_inner + s->blocks[b].n_outer));
    take_step(s, 0.0);
    bool begun = evaluate_new(s, INFINITY, &cost, &block, &result);
    if (failed != NULL)
        *failed = block;
    if (!begun)
        return result;
    accept(s, cost);
    result.cost = cost;
    result.stop = ARC_STOP_LIMIT;
    while (result.iterations < s->settings.max_iterations && iterate(s, &result))
        ;
    result.cost = s->cost;
    return result;
}

double arc_joint_solver_cost(const ArcJointSolver *solver, int block)
{
    return solver->blocks[block].now.cost;
}

const double *arc_joint_solver_factor(ArcJointSolver *solver)
{
    return arc_blocks_factorise(&solver->linear) ? solver->linear.R : NULL;
}

bool arc_joint_solver_block_factor(ArcJointSolver *solver, int block, double *F)
{
    return arc_blocks_factor(&solver->linear, block, F);
}

void arc_joint_solver_scales(const ArcJointSolver *solver, int block, double *scale)
{
    if (block >= 0)
        arc_blocks_own_lengths(&solver->linear, block, scale);
    else
        arc_blocks_shared_lengths(&solver->linear, scale);
}

int arc_joint_solver_n_own(const ArcJointSolver *solver, int block)
{
    return solver->blocks[block].n_own;
}

double arc_joint_solver_member_sd(const ArcJointSolver *solver, int k)
{
    return arc_blocks_member_sd(&solver->linear, k);
}

double arc_joint_solver_evidence(ArcJointSolver *solver, const double *population_sd)
{
    return arc_blocks_evidence(&solver->linear, population_sd, solver->settings.truncation);
}
