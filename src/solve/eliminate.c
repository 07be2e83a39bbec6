/* Elimination of inner unknowns: Cholesky with a second projection, or pivoted QR. */
#include "solve/eliminate.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Below this ratio of the Cholesky factor's diagonal two projections are no longer enough; nor are
 * they where the second takes off more than this share of a column: its square would be left. */
static const double cholesky_limit = 1e-5, second_limit = 1e-5;

enum { GRAM_BLOCK = 28 };

static int larger(int a, int b)
{
    return a > b ? a : b;
}

ArcStatus arc_elimination_create(int m, int n, int p, ArcArena *arena, ArcElimination *elimination,
                                 ArcError *err)
{
    ArcElimination e = {.m = m, .n = n, .p = p};
    size_t rows = (size_t)m, inner = (size_t)n, outer = (size_t)p;
    e.n_work = 64 * larger(n + p + 1, 2 * p) + 2 * (n + p + 1);
    e.T = ARC_ALLOC(arena, outer * outer, double);
    e.c = ARC_ALLOC(arena, outer, double);
    e.X = ARC_ALLOC(arena, (inner + 1) * (outer + 1), double);
    e.work = ARC_ALLOC(arena, (size_t)e.n_work, double);
    /* Of the second projection too, which needs (n, p + 1). */
    e.A_copy = ARC_ALLOC(arena, (size_t)larger(m, p + 1) * inner, double);
    e.B = ARC_ALLOC(arena, rows * (outer + 1), double);
    e.G = ARC_ALLOC(arena, inner * inner, double);
    e.scale = ARC_ALLOC(arena, inner + 1, double);
    e.tau = ARC_ALLOC(arena, inner + outer + 1, double);
    e.pivot = ARC_ALLOC(arena, inner + 1, int);
    if (e.T == NULL || e.c == NULL || e.X == NULL || e.work == NULL || e.A_copy == NULL ||
        e.B == NULL || e.G == NULL || e.scale == NULL || e.tau == NULL || e.pivot == NULL)
        return arc_error_no_memory(err);
    e.n_blocks = 1;
    e.blocks[0] = (ArcInnerBlock){0, m, 0, n};
    *elimination = e;
    return ARC_OK;
}

void arc_elimination_set_shape(ArcElimination *e, int m, int n, int p)
{
    e->m = m;
    e->n = n;
    e->p = p;
    arc_elimination_set_blocks(e, 1, &(ArcInnerBlock){0, m, 0, n});
}

void arc_elimination_set_blocks(ArcElimination *e, int n, const ArcInnerBlock *blocks)
{
    e->n_blocks = n;
    memcpy(e->blocks, blocks, sizeof *blocks * (size_t)n);
}

/* Where a block begins in A, and in G. */
static size_t in_A(const ArcElimination *e, const ArcInnerBlock *block)
{
    return (size_t)block->first_row + (size_t)block->first_column * (size_t)e->m;
}

static size_t in_G(const ArcElimination *e, const ArcInnerBlock *block)
{
    return (size_t)block->first_column * (size_t)(e->n + 1);
}

/* B = [P r]. */
static void load_block(ArcElimination *e, const double *J, const double *r)
{
    size_t ld = (size_t)e->m;
    memcpy(e->B, J + (size_t)e->n * ld, sizeof(double) * ld * (size_t)e->p);
    memcpy(e->B + (size_t)e->p * ld, r, sizeof(double) * ld);
}

/* step = R^-T A'B: B's coordinates in the orthonormal A R^-1, R the Cholesky factor in G. */
static void find_coordinates(const ArcElimination *e, const double *A, double *step)
{
    int m = e->m, n = e->n, columns = e->p + 1;
    for (int i = 0; i < e->n_blocks; i++) {
        const ArcInnerBlock *b = &e->blocks[i];
        double *own = step + b->first_column;
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, b->columns, columns, b->rows, 1.0,
                    A + in_A(e, b), m, e->B + b->first_row, m, 0.0, own, n);
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, b->columns,
                    columns, 1.0, e->G + in_G(e, b), n, own, n);
    }
}

/* B -= A R^-1 step; step becomes the coefficients of A's own columns. */
static void take_off(ArcElimination *e, const double *A, double *step)
{
    int m = e->m, n = e->n, columns = e->p + 1;
    for (int i = 0; i < e->n_blocks; i++) {
        const ArcInnerBlock *b = &e->blocks[i];
        double *own = step + b->first_column;
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, b->columns,
                    columns, 1.0, e->G + in_G(e, b), n, own, n);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, b->rows, columns, b->columns, -1.0,
                    A + in_A(e, b), m, own, n, 1.0, e->B + b->first_row, m);
    }
}

/* True when the second projection's coordinates are a small part of every column of [P r]. */
static bool is_small(const ArcElimination *e, const double *J, const double *r, const double *step)
{
    int m = e->m, n = e->n;
    for (int k = 0; k <= e->p; k++) {
        const double *column = k < e->p ? J + (size_t)(n + k) * (size_t)m : r;
        const double *part = step + (size_t)k * (size_t)n;
        if (!(cblas_ddot(n, part, 1, part, 1) <=
              second_limit * second_limit * cblas_ddot(m, column, 1, column, 1)))
            return false;
    }
    return true;
}

/* The lower triangle of one block of A'A, in pieces small enough for the kernels that need no
 * packing. */
static void multiply_gram(ArcElimination *e, const double *A, const ArcInnerBlock *block)
{
    int m = e->m, n = block->columns, n_pieces = (n + GRAM_BLOCK - 1) / GRAM_BLOCK;
    int piece = n_pieces > 0 ? (n + n_pieces - 1) / n_pieces : 1;
    size_t ld = (size_t)m;
    const double *own = A + in_A(e, block);
    double *G = e->G + in_G(e, block);
    for (int j = 0; j < n; j += piece) {
        int columns = n - j < piece ? n - j : piece;
        for (int i = j; i < n; i += piece) {
            int rows = n - i < piece ? n - i : piece;
            cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, columns, block->rows, 1.0,
                        own + (size_t)i * ld, m, own + (size_t)j * ld, m, 0.0,
                        G + (size_t)i + (size_t)j * (size_t)e->n, e->n);
        }
    }
}

/* The Cholesky factor of A'A into G, block by block; false where a block has none. */
static bool factor_gram(ArcElimination *e, const double *A)
{
    if (e->n_blocks > 1)
        memset(e->G, 0, sizeof(double) * (size_t)e->n * (size_t)e->n);
    for (int i = 0; i < e->n_blocks; i++) {
        const ArcInnerBlock *block = &e->blocks[i];
        multiply_gram(e, A, block);
        if (block->rows < block->columns ||
            LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', block->columns, e->G + in_G(e, block),
                                e->n) != 0)
            return false;
    }
    return true;
}

/* True when A was well enough conditioned for this way. */
static bool eliminate_by_cholesky(ArcElimination *e, const double *J, const double *r)
{
    int m = e->m, n = e->n;
    if (m < n || !factor_gram(e, J))
        return false;
    double low = INFINITY, high = 0.0;
    for (int i = 0; i < n; i++) {
        double diagonal = e->G[(size_t)i * (size_t)(n + 1)];
        if (isnan(diagonal))
            return false;
        low = fmin(low, diagonal);
        high = fmax(high, diagonal);
    }
    if (!(low > cholesky_limit * high))
        return false;
    find_coordinates(e, J, e->X);
    take_off(e, J, e->X);
    find_coordinates(e, J, e->A_copy);
    if (!is_small(e, J, r, e->A_copy))
        return false;
    take_off(e, J, e->A_copy);
    cblas_daxpy(n * (e->p + 1), 1.0, e->A_copy, 1, e->X, 1);
    e->rank = n;
    e->pivoted = false;
    return true;
}

/* Column-scaled QR with pivoting; the rows of Q'B below the rank become B. Returns rows left, -1
 * where the factorisation failed. */
static int eliminate_by_qr(ArcElimination *e, const double *A, double truncation)
{
    int m = e->m, n = e->n, columns = e->p + 1;
    size_t ld = (size_t)m;
    memcpy(e->A_copy, A, sizeof(double) * ld * (size_t)n);
    for (int j = 0; j < n; j++) {
        double norm = cblas_dnrm2(m, A + (size_t)j * ld, 1);
        if (!isfinite(norm))
            return -1;
        e->scale[j] = norm >= DBL_MIN ? 1.0 / norm : 1.0;
        cblas_dscal(m, e->scale[j], e->A_copy + (size_t)j * ld, 1);
        e->pivot[j] = 0;
    }
    if (LAPACKE_dgeqp3_work(LAPACK_COL_MAJOR, m, n, e->A_copy, m, e->pivot, e->tau, e->work,
                            e->n_work) != 0)
        return -1;
    int limit = m < n ? m : n;
    int rank = 0;
    while (rank < limit &&
           fabs(e->A_copy[(size_t)rank * (ld + 1)]) > truncation * fabs(e->A_copy[0]))
        rank++;
    if (LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', m, columns, limit, e->A_copy, m, e->tau,
                            e->B, m, e->work, e->n_work) != 0)
        return -1;
    e->inner_norm2 = cblas_ddot(rank, e->B + (size_t)e->p * ld, 1, e->B + (size_t)e->p * ld, 1);
    memset(e->X, 0, sizeof(double) * (size_t)n * (size_t)columns);
    if (rank > 0)
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit, rank, columns,
                    1.0, e->A_copy, m, e->B, m);
    for (int k = 0; k < columns; k++) {
        for (int i = 0; i < rank; i++) {
            int j = e->pivot[i] - 1;
            e->X[(size_t)j + (size_t)k * (size_t)n] =
                e->scale[j] * e->B[(size_t)i + (size_t)k * ld];
        }
        memmove(e->B + (size_t)k * ld, e->B + (size_t)k * ld + rank,
                sizeof(double) * (size_t)(m - rank));
    }
    e->rank = rank;
    e->pivoted = true;
    return m - rank;
}

/* T and c of the rows x (p + 1) block B. */
static bool triangularise(ArcElimination *e, int rows)
{
    int m = e->m, p = e->p;
    size_t ld = (size_t)m;
    int t_rows = rows < p ? rows : p;
    memset(e->T, 0, sizeof(double) * (size_t)p * (size_t)p);
    memset(e->c, 0, sizeof(double) * (size_t)p);
    e->t_rows = t_rows;
    if (rows == 0)
        return true;
    /* r_perp rides along as a last column: its top rows become c. */
    if (LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, rows, p + 1, e->B, m, e->tau + e->n, e->work,
                            e->n_work) != 0)
        return false;
    for (int j = 0; j < p; j++)
        for (int i = 0; i <= j && i < t_rows; i++)
            e->T[(size_t)i + (size_t)j * (size_t)p] = e->B[(size_t)i + (size_t)j * ld];
    for (int i = 0; i < t_rows; i++)
        e->c[i] = e->B[(size_t)i + (size_t)p * ld];
    return true;
}

/* A non-finite number anywhere in J has spread to these by now. */
static bool is_finite(const ArcElimination *e, const double *r)
{
    int p = e->p;
    double sum = 0.0 * e->inner_norm2;
    for (int i = 0; i < e->m; i++)
        sum += 0.0 * r[i];
    for (int i = 0; i < p * p; i++)
        sum += 0.0 * e->T[i];
    for (int i = 0; i < p; i++)
        sum += 0.0 * e->c[i];
    return sum == 0.0;
}

bool arc_elimination_run(ArcElimination *e, const double *J, const double *r, double truncation)
{
    size_t ld = (size_t)e->m;
    load_block(e, J, r);
    e->inner_norm2 = 0.0;
    e->rank = 0;
    e->pivoted = false;
    int rows = e->m;
    if (e->n > 0) {
        if (eliminate_by_cholesky(e, J, r)) {
            const double *r_perp = e->B + (size_t)e->p * ld;
            double sum = 0.0;
            for (size_t i = 0; i < ld; i++)
                sum += (r[i] - r_perp[i]) * (r[i] - r_perp[i]);
            e->inner_norm2 = sum;
        } else {
            load_block(e, J, r);
            rows = eliminate_by_qr(e, J, truncation);
        }
    }
    return rows >= 0 && triangularise(e, rows) && is_finite(e, r);
}

void arc_elimination_inner(ArcElimination *e, const double *J, const double *r, double *y)
{
    int m = e->m, n = e->n;
    if (!e->pivoted) {
        cblas_dgemv(CblasColMajor, CblasTrans, m, n, -1.0, J, m, r, 1, 0.0, y, 1);
        cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, e->G, n, y, 1);
        cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, n, e->G, n, y, 1);
        return;
    }
    memcpy(e->B, r, sizeof(double) * (size_t)m);
    memset(y, 0, sizeof(double) * (size_t)n);
    LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', m, 1, m < n ? m : n, e->A_copy, m, e->tau, e->B,
                        m, e->work, e->n_work);
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, e->rank, e->A_copy, m, e->B,
                1);
    for (int i = 0; i < e->rank; i++)
        y[e->pivot[i] - 1] = -e->scale[e->pivot[i] - 1] * e->B[i];
}

double arc_elimination_log_det(const ArcElimination *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->rank; i++) {
        size_t at = (size_t)i;
        /* The pivoted QR is of scaled columns. */
        double diagonal = e->pivoted
                              ? e->A_copy[at * (size_t)(e->m + 1)] / e->scale[e->pivot[i] - 1]
                              : e->G[at * (size_t)(e->n + 1)];
        sum += log(fabs(diagonal));
    }
    for (int i = 0; i < e->t_rows; i++) {
        double diagonal = fabs(e->T[(size_t)i * (size_t)(e->p + 1)]);
        sum += diagonal > 0.0 ? log(diagonal) : 0.0;
    }
    return 2.0 * sum;
}

/* Q of P_perp from the reflectors in B, turned back into the rows' own order. */
static bool outer_rows(ArcElimination *e, double *outer)
{
    int m = e->m, p = e->p, hidden = e->pivoted ? e->rank : 0, k = e->t_rows;
    size_t ld = (size_t)m;
    memset(outer, 0, sizeof(double) * ld * (size_t)p);
    for (int j = 0; j < k; j++)
        memcpy(outer + (size_t)j * ld + hidden, e->B + (size_t)j * ld,
               sizeof(double) * (size_t)(m - hidden));
    if (k == 0)
        return true;
    if (LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, m - hidden, k, k, outer + hidden, m, e->tau + e->n,
                            e->work, e->n_work) != 0)
        return false;
    int limit = m < e->n ? m : e->n;
    return !e->pivoted || LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'N', m, k, limit, e->A_copy, m,
                                              e->tau, outer, m, e->work, e->n_work) == 0;
}

bool arc_elimination_rows(ArcElimination *e, const double *J, int n_rows, double *inner,
                          double *outer)
{
    int m = e->m, n = e->n;
    if (!outer_rows(e, outer))
        return false;
    if (n == 0)
        return true;
    memset(inner, 0, sizeof(double) * (size_t)n_rows * (size_t)n);
    if (e->pivoted && LAPACKE_dorgqr_work(LAPACK_COL_MAJOR, m, e->rank, e->rank, e->A_copy, m,
                                          e->tau, e->work, e->n_work) != 0)
        return false;
    const double *from = e->pivoted ? e->A_copy : J;
    for (int j = 0; j < e->rank; j++)
        memcpy(inner + (size_t)j * (size_t)n_rows, from + (size_t)j * (size_t)m,
               sizeof(double) * (size_t)n_rows);
    if (!e->pivoted && n_rows > 0)
        cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, n_rows, n, 1.0,
                    e->G, n, inner, n_rows);
    return true;
}
