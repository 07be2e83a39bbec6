/* Elimination of own unknowns block by block, and the steps back. */
#include "solve/blocks.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { STACK_ROWS = 64, MOST_TURNS = 60, EASY_TURNS = 20 };
static const double rounding_pull = 1e-12;

static int larger(int a, int b)
{
    return a > b ? a : b;
}

ArcStatus arc_blocks_create(int n_blocks, ArcBlock *blocks, int n_shared, ArcArena *arena,
                            ArcBlocks *result, ArcError *err)
{
    ArcBlocks p = {.n_blocks = n_blocks, .n_shared = n_shared, .blocks = blocks};
    int most_rows = 1, most_own = 0, most_border = 1;
    for (int b = 0; b < n_blocks; b++) {
        const ArcBlock *block = &blocks[b];
        most_rows = larger(most_rows, block->n_outer + block->n_ties + block->n_own);
        most_own = larger(most_own, block->n_own);
        most_border = larger(most_border, block->n_border);
    }
    int columns = most_own + most_border + 1;
    size_t shared = (size_t)n_shared, rows = (size_t)most_rows;
    p.capacity = STACK_ROWS + 2 * (n_shared + 1) + most_rows;
    p.n_work = 64 * (n_shared + columns);
    p.e = ARC_ALLOC(arena, shared, double);
    p.R = ARC_ALLOC(arena, shared * shared + 1, double);
    p.c = ARC_ALLOC(arena, shared, double);
    p.rows = ARC_ALLOC(arena, rows * (size_t)columns, double);
    p.rhs = ARC_ALLOC(arena, rows, double);
    p.stack = ARC_ALLOC(arena, (size_t)p.capacity * (shared + 1), double);
    p.tau = ARC_ALLOC(arena, shared + (size_t)columns, double);
    p.work = ARC_ALLOC(arena, (size_t)p.n_work, double);
    p.column = ARC_ALLOC(arena, (size_t)most_own, int);
    if (p.e == NULL || p.R == NULL || p.c == NULL || p.rows == NULL || p.rhs == NULL ||
        p.stack == NULL || p.tau == NULL || p.work == NULL || p.column == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_damped_create(n_shared, n_shared, arena, &p.damped, err);
    if (status == ARC_OK)
        status =
            arc_elimination_create(most_rows, most_own, most_border, arena, &p.elimination, err);
    if (status == ARC_OK)
        *result = p;
    return status;
}

/* The stack becomes a triangle of at most n_shared + 1 rows. */
static bool compress(ArcBlocks *p)
{
    int columns = p->n_shared + 1, rows = p->n_stacked;
    size_t ld = (size_t)p->capacity;
    if (rows == 0)
        return true;
    if (LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, columns, p->stack, p->capacity, p->tau, p->work,
                            p->n_work) != 0)
        return false;
    p->n_stacked = rows < columns ? rows : columns;
    for (int j = 0; j < columns; j++)
        for (int i = j + 1; i < p->n_stacked; i++)
            p->stack[(size_t)i + (size_t)j * ld] = 0.0;
    return true;
}

/* Rows (n, n_columns + 1), leading dimension ld, the last column their right side, of the shared
 * unknowns `which`. */
static bool stack_rows(ArcBlocks *p, int n, const double *rows, int ld, int n_columns,
                       const int *which)
{
    if (p->n_stacked + n > p->capacity && !compress(p))
        return false;
    size_t to = (size_t)p->capacity;
    for (int j = 0; j <= p->n_shared; j++)
        memset(p->stack + (size_t)j * to + p->n_stacked, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k <= n_columns; k++) {
        size_t j = (size_t)(k < n_columns ? which[k] : p->n_shared);
        memcpy(p->stack + j * to + p->n_stacked, rows + (size_t)k * (size_t)ld,
               sizeof(double) * (size_t)n);
    }
    p->n_stacked += n;
    return true;
}

/* Priors of the shared unknowns, then R and c of all that was stacked. */
static bool finish_stack(ArcBlocks *p)
{
    size_t n = (size_t)p->n_shared, ld = (size_t)p->capacity;
    for (int k = 0; k < p->n_shared; k++) {
        double sd = p->shared.prior_sd[k];
        const double row[2] = {1.0 / sd, p->shared.prior_offset[k] / sd};
        if (isfinite(sd) && !stack_rows(p, 1, row, 1, 1, &k))
            return false;
    }
    if (!compress(p))
        return false;
    memset(p->R, 0, sizeof(double) * n * n);
    memset(p->c, 0, sizeof(double) * n);
    for (size_t i = 0; i < n && i < (size_t)p->n_stacked; i++) {
        p->c[i] = p->stack[i + n * ld];
        for (size_t j = i; j < n; j++)
            p->R[i + j * n] = p->stack[i + j * ld];
    }
    double sum = 0.0;
    for (size_t i = 0; i < n * n; i++)
        sum += 0.0 * p->R[i];
    for (size_t i = 0; i < n; i++)
        sum += 0.0 * p->c[i];
    return sum == 0.0;
}

static double tie_sd(const ArcBlocks *p, const ArcBlock *block, int t)
{
    return p->shared.population_sd[block->border[block->ties[t].mean]];
}

/* The block's rows, own unknowns that are not held first, then the border, then the right side into
 * rhs: those of T, ties, and damping. Returns their number; *n_free own columns. */
static int load_rows(ArcBlocks *p, const ArcBlock *block, double lambda, int *n_free)
{
    int n = block->n_outer, damped = 0, free = 0;
    for (int j = 0; j < block->n_own; j++)
        if (!block->held[j])
            p->column[free++] = j;
    if (lambda > 0.0)
        damped = free;
    int rows = n + block->n_ties + damped;
    size_t ld = (size_t)rows;
    int n_border = block->n_border > 0 ? block->n_border : 1;
    memset(p->rows, 0, sizeof(double) * ld * (size_t)(free + n_border));
    memset(p->rhs, 0, sizeof(double) * ld);
    memcpy(p->rhs, block->c, sizeof(double) * (size_t)n);
    for (int k = 0; k < free; k++)
        memcpy(p->rows + (size_t)k * ld, block->T + (size_t)p->column[k] * (size_t)n,
               sizeof(double) * (size_t)n);
    for (int j = 0; j < block->n_own; j++)
        if (block->held[j])
            cblas_daxpy(n, block->d[j], block->T + (size_t)j * (size_t)n, 1, p->rhs, 1);
    double *border = p->rows + (size_t)free * ld;
    for (int k = 0; k < n - block->n_own; k++)
        memcpy(border + (size_t)k * ld, block->T + (size_t)(block->n_own + k) * (size_t)n,
               sizeof(double) * (size_t)n);
    for (int t = 0; t < block->n_ties; t++) {
        const ArcBlockTie *tie = &block->ties[t];
        double weight = 1.0 / tie_sd(p, block, t);
        size_t row = (size_t)(n + t);
        p->rhs[row] = weight * block->offset[t];
        border[row + (size_t)tie->mean * ld] = -weight;
        if (block->held[tie->own])
            p->rhs[row] += weight * block->d[tie->own];
        for (int k = 0; k < free; k++)
            if (p->column[k] == tie->own)
                p->rows[row + (size_t)k * ld] = weight;
    }
    for (int k = 0; k < damped; k++)
        p->rows[(size_t)(n + block->n_ties + k) + (size_t)k * ld] =
            sqrt(lambda) * block->D[p->column[k]];
    *n_free = free;
    return rows;
}

/* The elimination's log det of the own part alone. */
static double log_det_of_own(const ArcElimination *e)
{
    double sum = arc_elimination_log_det(e);
    for (int i = 0; i < e->t_rows; i++) {
        double diagonal = fabs(e->T[(size_t)i * (size_t)(e->p + 1)]);
        sum -= diagonal > 0.0 ? 2.0 * log(diagonal) : 0.0;
    }
    return sum;
}

/* Eliminates one block's own unknowns; Y keeps how they follow the border. */
static bool reduce(ArcBlocks *p, ArcBlock *block, double lambda, double truncation)
{
    int n_free, rows = load_rows(p, block, lambda, &n_free), q = block->n_border;
    ArcElimination e = p->elimination;
    arc_elimination_set_shape(&e, rows, n_free, q > 0 ? q : 1);
    if (!arc_elimination_run(&e, p->rows, p->rhs, truncation))
        return false;
    p->own_log_det += log_det_of_own(&e);
    memcpy(block->Y, e.X, sizeof(double) * (size_t)n_free * (size_t)q);
    memcpy(block->Y + n_free * q, e.X + n_free * e.p, sizeof(double) * (size_t)n_free);
    if (q == 0)
        return true;
    memcpy(p->rows, e.T, sizeof(double) * (size_t)q * (size_t)q);
    memcpy(p->rows + (size_t)q * (size_t)q, e.c, sizeof(double) * (size_t)q);
    return stack_rows(p, e.t_rows, p->rows, q, q, block->border);
}

static bool reduce_all(ArcBlocks *p, double lambda, double truncation)
{
    p->n_stacked = 0;
    p->own_log_det = 0.0;
    for (int b = 0; b < p->n_blocks; b++)
        if (!reduce(p, &p->blocks[b], lambda, truncation))
            return false;
    return finish_stack(p);
}

/* d = -(Y_r + Y_e e) of what is not held. */
static void step_back(const ArcBlocks *p, ArcBlock *block)
{
    int q = block->n_border, n_free = 0;
    for (int j = 0; j < block->n_own; j++)
        n_free += !block->held[j];
    for (int j = 0, k = 0; j < block->n_own; j++) {
        if (block->held[j])
            continue;
        double sum = block->Y[k + q * n_free];
        for (int i = 0; i < q; i++)
            sum += block->Y[k + i * n_free] * p->e[block->border[i]];
        block->d[j] = -sum;
        k++;
    }
}

/* T (d, e) of a block into image (n_outer). */
static void image_of(const ArcBlocks *p, const ArcBlock *block, double *image)
{
    int n = block->n_outer;
    for (int i = 0; i < n; i++)
        image[i] = 0.0;
    for (int j = 0; j < n; j++) {
        double step = j < block->n_own ? block->d[j] : p->e[block->border[j - block->n_own]];
        for (int i = 0; i <= j; i++)
            image[i] += step * block->T[i + j * n];
    }
}

/* How far a tie is stretched, in its sd, at the end of the step and at its begin. */
static double tie_image(const ArcBlocks *p, const ArcBlock *block, int t)
{
    const ArcBlockTie *tie = &block->ties[t];
    return (block->d[tie->own] - p->e[block->border[tie->mean]]) / tie_sd(p, block, t);
}

static void take_account(ArcBlocks *p, double image, double rest)
{
    p->image_norm2 += image * image;
    p->promised -= image * (rest + 0.5 * image);
}

/* What the step promises. */
static void account(ArcBlocks *p)
{
    p->promised = p->image_norm2 = 0.0;
    for (int b = 0; b < p->n_blocks; b++) {
        const ArcBlock *block = &p->blocks[b];
        image_of(p, block, p->rhs);
        for (int i = 0; i < block->n_outer; i++)
            take_account(p, p->rhs[i], block->c[i]);
        for (int t = 0; t < block->n_ties; t++)
            take_account(p, tie_image(p, block, t), block->offset[t] / tie_sd(p, block, t));
    }
    for (int k = 0; k < p->n_shared; k++) {
        double sd = p->shared.prior_sd[k];
        if (isfinite(sd))
            take_account(p, p->e[k] / sd, p->shared.prior_offset[k] / sd);
    }
}

/* Derivative of half the sum by d_j at the end of the step; *length: of its column. */
static double gradient(const ArcBlocks *p, const ArcBlock *block, int j, const double *rest,
                       double *length)
{
    int n = block->n_outer;
    const double *column = block->T + (size_t)j * (size_t)n;
    double sum = cblas_ddot(n, column, 1, rest, 1), square = cblas_ddot(n, column, 1, column, 1);
    for (int t = 0; t < block->n_ties; t++) {
        double sd = tie_sd(p, block, t);
        if (block->ties[t].own != j)
            continue;
        sum += (tie_image(p, block, t) + block->offset[t] / sd) / sd;
        square += 1.0 / (sd * sd);
    }
    *length = sqrt(square);
    return sum;
}

/* Lets go of held unknowns that their gradient pulls inside; only the first where one_only. True
 * where there was one. */
static bool let_go(ArcBlocks *p, double lambda, bool one_only)
{
    bool any = false;
    for (int b = 0; b < p->n_blocks && !(any && one_only); b++) {
        ArcBlock *block = &p->blocks[b];
        if (block->n_own == 0 || memchr(block->held, true, (size_t)block->n_own) == NULL)
            continue;
        image_of(p, block, p->rhs);
        cblas_daxpy(block->n_outer, 1.0, block->c, 1, p->rhs, 1);
        double size =
            cblas_dnrm2(block->n_outer, p->rhs, 1) + cblas_dnrm2(block->n_outer, block->c, 1);
        for (int j = 0; j < block->n_own && !(any && one_only); j++) {
            if (!block->held[j] || !(block->low[j] < block->high[j]))
                continue;
            double length, damping = lambda * block->D[j] * block->D[j] * block->d[j];
            double g = gradient(p, block, j, p->rhs, &length) + damping;
            double pull = block->d[j] <= block->low[j] ? -g : g;
            if (pull > rounding_pull * (length * size + fabs(damping))) {
                block->held[j] = false;
                any = true;
            }
        }
    }
    return any;
}

/* Holds what lies outside at its bound; true where there was one. */
static bool hold_outside(ArcBlocks *p)
{
    bool any = false;
    for (int b = 0; b < p->n_blocks; b++) {
        ArcBlock *block = &p->blocks[b];
        for (int j = 0; j < block->n_own; j++) {
            if (block->held[j] || (block->d[j] >= block->low[j] && block->d[j] <= block->high[j]))
                continue;
            block->d[j] = block->d[j] < block->low[j] ? block->low[j] : block->high[j];
            block->held[j] = true;
            any = true;
        }
    }
    return any;
}

/* Nothing held, but unknowns at a bound that their gradient pushes out; no step yet. */
static void begin(ArcBlocks *p)
{
    memset(p->e, 0, sizeof(double) * (size_t)p->n_shared);
    for (int b = 0; b < p->n_blocks; b++) {
        ArcBlock *block = &p->blocks[b];
        memset(block->d, 0, sizeof(double) * (size_t)block->n_own);
        for (int j = 0; j < block->n_own; j++) {
            double length;
            block->held[j] = false;
            if (block->low[j] < 0.0 && block->high[j] > 0.0)
                continue;
            double g = gradient(p, block, j, block->c, &length);
            block->held[j] =
                (block->low[j] >= 0.0 && g > 0.0) || (block->high[j] <= 0.0 && g < 0.0);
        }
    }
}

static bool solve_shared(ArcBlocks *p, double lambda, double truncation)
{
    int n = p->n_shared;
    const ArcDampedProblem problem = {.q = n,
                                      .n = n,
                                      .B = p->R,
                                      .ld = n,
                                      .c = p->c,
                                      .D = p->shared.D,
                                      .lambda = lambda,
                                      .low = p->shared.low,
                                      .high = p->shared.high,
                                      .truncation = truncation};
    return n == 0 || arc_damped_solve(p->damped, &problem, p->e);
}

bool arc_blocks_solve(ArcBlocks *p, double lambda, double truncation)
{
    begin(p);
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        if (!reduce_all(p, lambda, truncation) || !solve_shared(p, lambda, truncation))
            return false;
        for (int b = 0; b < p->n_blocks; b++)
            step_back(p, &p->blocks[b]);
        if (!hold_outside(p) && !let_go(p, lambda, turn >= EASY_TURNS))
            break;
    }
    account(p);
    return isfinite(p->promised);
}

/* Plain QR of the block's own columns and border: the triangle in p->rows, (n_own + n_border) wide,
 * leading dimension *ld, at least that many rows (zero ones where there were fewer). */
static bool triangle_of(ArcBlocks *p, const ArcBlock *block, int *ld)
{
    int n_free, width = block->n_own + block->n_border;
    for (int j = 0; j < block->n_own; j++)
        block->held[j] = false;
    int rows = load_rows(p, block, 0.0, &n_free);
    *ld = rows;
    return rows == 0 || width == 0 ||
           LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, width, p->rows, rows, p->tau, p->work,
                               p->n_work) == 0;
}

bool arc_blocks_factorise(ArcBlocks *p)
{
    p->n_stacked = 0;
    for (int b = 0; b < p->n_blocks; b++) {
        const ArcBlock *block = &p->blocks[b];
        int rows, q = block->n_border;
        if (!triangle_of(p, block, &rows))
            return false;
        /* What lies below the own unknowns' rows, as they go into the stack; the right side is of
         * no interest. */
        size_t ld = (size_t)rows;
        double *from = p->rows + (size_t)block->n_own * ld + block->n_own;
        int left = rows - block->n_own < q ? rows - block->n_own : q;
        if (left <= 0)
            continue;
        for (int k = 0; k < q; k++)
            for (int i = k + 1; i < left; i++)
                from[(size_t)i + (size_t)k * ld] = 0.0;
        memset(from + (size_t)q * ld, 0, sizeof(double) * (size_t)left);
        if (!stack_rows(p, left, from, rows, q, block->border))
            return false;
    }
    return finish_stack(p);
}

bool arc_blocks_factor(ArcBlocks *p, int index, double *F)
{
    const ArcBlock *block = &p->blocks[index];
    int rows, own = block->n_own, n = own + p->n_shared;
    if (!triangle_of(p, block, &rows))
        return false;
    memset(F, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < own && i < rows; i++) {
        for (int j = i; j < own; j++)
            F[i + j * n] = p->rows[i + j * rows];
        for (int k = 0; k < block->n_border; k++)
            F[i + (own + block->border[k]) * n] = p->rows[i + (own + k) * rows];
    }
    for (int j = 0; j < p->n_shared; j++)
        memcpy(F + own + (own + j) * n, p->R + j * p->n_shared,
               sizeof(double) * (size_t)p->n_shared);
    return true;
}

static double column_length(const ArcBlock *block, int j)
{
    return cblas_dnrm2(block->n_outer, block->T + j * block->n_outer, 1);
}

void arc_blocks_own_lengths(const ArcBlocks *p, int index, double *length)
{
    const ArcBlock *block = &p->blocks[index];
    for (int j = 0; j < block->n_own; j++)
        length[j] = column_length(block, j);
    for (int t = 0; t < block->n_ties; t++) {
        int j = block->ties[t].own;
        length[j] = hypot(length[j], 1.0 / tie_sd(p, block, t));
    }
}

void arc_blocks_shared_lengths(const ArcBlocks *p, double *length)
{
    for (int k = 0; k < p->n_shared; k++)
        length[k] = isfinite(p->shared.prior_sd[k]) ? 1.0 / p->shared.prior_sd[k] : 0.0;
    for (int b = 0; b < p->n_blocks; b++) {
        const ArcBlock *block = &p->blocks[b];
        for (int j = block->n_own; j < block->n_outer; j++) {
            int k = block->border[j - block->n_own];
            length[k] = hypot(length[k], column_length(block, j));
        }
        for (int t = 0; t < block->n_ties; t++) {
            int k = block->border[block->ties[t].mean];
            length[k] = hypot(length[k], 1.0 / tie_sd(p, block, t));
        }
    }
}

double arc_blocks_member_sd(const ArcBlocks *p, int k)
{
    double sum = 0.0;
    int n = 0;
    for (int b = 0; b < p->n_blocks; b++) {
        const ArcBlock *block = &p->blocks[b];
        for (int t = 0; t < block->n_ties; t++) {
            if (block->border[block->ties[t].mean] != k)
                continue;
            double length = column_length(block, block->ties[t].own);
            sum += length * length;
            n++;
        }
    }
    return sum > 0.0 ? sqrt(n / sum) : NAN;
}

/* Half the sum at no step, but for what T's rows leave out, and the ties' normalisation. */
static double sum_at_begin(const ArcBlocks *p)
{
    double sum = 0.0, logs = 0.0;
    for (int b = 0; b < p->n_blocks; b++) {
        const ArcBlock *block = &p->blocks[b];
        sum += cblas_ddot(block->n_outer, block->c, 1, block->c, 1);
        for (int t = 0; t < block->n_ties; t++) {
            double sd = tie_sd(p, block, t), off = block->offset[t] / sd;
            sum += off * off;
            logs += log(sd);
        }
    }
    for (int k = 0; k < p->n_shared; k++) {
        double off = p->shared.prior_offset[k] / p->shared.prior_sd[k];
        sum += isfinite(p->shared.prior_sd[k]) ? off * off : 0.0;
    }
    return 0.5 * sum + logs;
}

double arc_blocks_evidence(ArcBlocks *p, const double *population_sd, double truncation)
{
    const ArcBlocksShared kept = p->shared;
    double result = NAN;
    p->shared.population_sd = population_sd;
    for (int b = 0; b < p->n_blocks; b++)
        memset(p->blocks[b].held, 0, sizeof(bool) * (size_t)p->blocks[b].n_own);
    if (reduce_all(p, 0.0, truncation)) {
        double log_det = p->own_log_det, least = 0.0;
        /* R d = -c to the last row that counts. */
        for (int k = 0; k < p->n_shared; k++) {
            double diagonal = fabs(p->R[k + k * p->n_shared]);
            log_det += diagonal > 0.0 ? 2.0 * log(diagonal) : 0.0;
        }
        memcpy(p->e, p->c, sizeof(double) * (size_t)p->n_shared);
        cblas_dscal(p->n_shared, -1.0, p->e, 1);
        cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, p->n_shared, p->R,
                    p->n_shared, p->e, 1);
        for (int b = 0; b < p->n_blocks; b++)
            step_back(p, &p->blocks[b]);
        account(p);
        least = sum_at_begin(p) - p->promised;
        result = least + 0.5 * log_det;
    }
    p->shared = kept;
    return result;
}
