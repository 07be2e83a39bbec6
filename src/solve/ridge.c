/* Groups reduced to the directions that count, then Cholesky factors at given sds. */
#include "solve/ridge.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { GRID = 13, SECTIONS = 16, SWEEPS = 8 };
static const double golden = 0.61803398874989485;
/* A direction that changes the evidence by less than this at the largest sd is left out. */
static const double least_share = 1e-4;
/* Of a column's square: unknowns without prior that no row knows stay solvable. */
static const double jitter = 1e-13;
static const double same_evidence = 1e-3;

struct ArcRidge {
    int m, S, K, G, n; /* n = S + kept directions */
    int size[ARC_RIDGE_MAX_GROUPS], kept[ARC_RIDGE_MAX_GROUPS];
    double *V[ARC_RIDGE_MAX_GROUPS]; /* (size, kept) column-major */
    double low[ARC_RIDGE_MAX_GROUPS], high[ARC_RIDGE_MAX_GROUPS];
    int n_blocks;
    int *first;
    double *B;               /* (m, n + 1): rows by what is kept, r last */
    double *N;               /* (n + 1, n + 1) B'B, upper */
    double *less;            /* the same of all blocks but one */
    double *H, *h;           /* (n, n), (n) scratch */
    double *l, *e, *b, *tau; /* (n) of the group that is looked at alone: diagonal, what is beside
                                it, right side */
    int n_alone;             /* how many, */
    double at_none;          /* and the evidence without it */
    int *column;             /* (n) of those that are not left out */
};

/* An orthonormal basis of the directions of a group that count. */
static ArcStatus reduce_group(ArcRidge *p, const ArcRidgeRows *rows, int g, int begin,
                              ArcArena *scratch, ArcArena *arena, ArcError *err)
{
    int n = rows->size[g], kept = 0;
    size_t size = (size_t)n;
    const double *A = rows->rows + (size_t)(rows->S + begin) * (size_t)rows->ld;
    double *gram = ARC_ALLOC(scratch, size * size + 2 * size, double), sum = 0.0;
    double *work = gram + size * size;
    int *pivot = ARC_ALLOC(scratch, size, int);
    p->V[g] = ARC_ALLOC(arena, size * size + 1, double);
    if (gram == NULL || pivot == NULL || p->V[g] == NULL)
        return arc_error_no_memory(err);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, n, rows->m, 1.0, A, rows->ld, 0.0, gram, n);
    for (int k = 0; k < n; k++)
        sum += 0.0 * gram[k * (n + 1)];
    if (!(sum == 0.0))
        return arc_error_set(err, ARC_NUMERIC, "error: the closure's features are not finite");
    double tolerance = least_share / (p->high[g] * p->high[g]);
    if (n > 0)
        LAPACKE_dpstrf_work(LAPACK_COL_MAJOR, 'L', n, gram, n, pivot, &kept, tolerance, work);
    for (int k = 0; k < kept; k++)
        for (int i = 0; i < n; i++)
            p->V[g][pivot[i] - 1 + k * n] = i >= k ? gram[i + k * n] : 0.0;
    if (kept > 0 && (LAPACKE_dgeqrf(LAPACK_COL_MAJOR, n, kept, p->V[g], n, work) != 0 ||
                     LAPACKE_dorgqr(LAPACK_COL_MAJOR, n, kept, kept, p->V[g], n, work) != 0))
        return arc_error_no_memory(err);
    p->kept[g] = kept;
    p->n += kept;
    return ARC_OK;
}

/* B, and N of all rows. */
static void fill_rows(ArcRidge *p, const ArcRidgeRows *rows)
{
    size_t m = (size_t)p->m, ld = (size_t)rows->ld;
    int n1 = p->n + 1, to = p->S, from = p->S;
    for (int j = 0; j < p->S; j++)
        memcpy(p->B + (size_t)j * m, rows->rows + (size_t)j * ld, sizeof(double) * m);
    for (int g = 0; g < p->G; g++) {
        if (p->kept[g] > 0)
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p->m, p->kept[g], p->size[g],
                        1.0, rows->rows + (size_t)from * ld, rows->ld, p->V[g], p->size[g], 0.0,
                        p->B + (size_t)to * m, p->m);
        to += p->kept[g];
        from += p->size[g];
    }
    memcpy(p->B + (size_t)p->n * m, rows->rows + (size_t)from * ld, sizeof(double) * m);
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, n1, p->m, 1.0, p->B, p->m, 0.0, p->N, n1);
}

ArcStatus arc_ridge_create(const ArcRidgeRows *rows, const double *low, const double *high,
                           ArcArena *arena, ArcRidge **result, ArcError *err)
{
    ArcRidge *p = ARC_ALLOC(arena, 1, ArcRidge);
    ArcArena *scratch = arc_arena_create();
    ArcStatus status = p == NULL || scratch == NULL ? arc_error_no_memory(err) : ARC_OK;
    if (status == ARC_OK) {
        *p = (ArcRidge){.m = rows->m,
                        .S = rows->S,
                        .K = rows->K,
                        .G = rows->G,
                        .n = rows->S,
                        .n_blocks = rows->n_blocks};
        memcpy(p->low, low, sizeof(double) * (size_t)p->G);
        memcpy(p->high, high, sizeof(double) * (size_t)p->G);
        memcpy(p->size, rows->size, sizeof p->size);
    }
    for (int g = 0, begin = 0; g < rows->G && status == ARC_OK; begin += rows->size[g++])
        status = reduce_group(p, rows, g, begin, scratch, arena, err);
    arc_arena_free(scratch);
    if (status != ARC_OK)
        return status;
    size_t n = (size_t)p->n, n1 = n + 1, m = (size_t)p->m;
    p->first = ARC_ALLOC(arena, (size_t)p->n_blocks + 1, int);
    p->column = ARC_ALLOC(arena, n + 1, int);
    p->B = ARC_ALLOC(arena, m * n1, double);
    p->N = ARC_ALLOC(arena, 2 * n1 * n1 + n * n + 5 * n, double);
    if (p->first == NULL || p->column == NULL || p->B == NULL || p->N == NULL)
        return arc_error_no_memory(err);
    p->less = p->N + n1 * n1;
    p->H = p->less + n1 * n1;
    p->h = p->H + n * n;
    p->l = p->h + n;
    p->e = p->l + n;
    p->b = p->e + n;
    p->tau = p->b + n;
    memcpy(p->first, rows->first, sizeof(int) * ((size_t)p->n_blocks + 1));
    fill_rows(p, rows);
    *result = p;
    return ARC_OK;
}

/* Factor of H over the columns that count into H, and h = inverse(U') of the right side; *n_used;
 * false where it cannot be had. *logs: of the sds, one for each weight. */
static bool factorise(ArcRidge *p, const double *N, const double *sd, int *n_used, double *logs)
{
    int n = 0, n1 = p->n + 1;
    *logs = 0.0;
    for (int k = 0; k < p->S; k++)
        p->column[n++] = k;
    for (int g = 0, at = p->S; g < p->G; at += p->kept[g++])
        for (int k = 0; k < p->kept[g] && sd[g] > 0.0; k++)
            p->column[n++] = at + k;
    for (int j = 0; j < n; j++) {
        const double *from = N + (size_t)p->column[j] * (size_t)n1;
        for (int i = 0; i <= j; i++)
            p->H[i + j * n] = from[p->column[i]];
        p->h[j] = N[(size_t)p->n * (size_t)n1 + (size_t)p->column[j]];
    }
    for (int j = 0; j < p->S; j++)
        p->H[j * (n + 1)] += jitter * p->N[(size_t)j * (size_t)(n1 + 1)] + 1e-290;
    for (int g = 0, j = p->S; g < p->G; g++)
        for (int k = 0; k < p->kept[g] && sd[g] > 0.0; k++, j++) {
            p->H[j * (n + 1)] += 1.0 / (sd[g] * sd[g]);
            *logs += log(sd[g]);
        }
    *n_used = n;
    if (n == 0)
        return true;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, p->H, n) != 0)
        return false;
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasTrans, CblasNonUnit, n, p->H, n, p->h, 1);
    return true;
}

static double evidence_of(ArcRidge *p, const double *N, const double *sd)
{
    int n;
    double logs, square = N[(size_t)p->n * (size_t)(p->n + 2)];
    if (!factorise(p, N, sd, &n, &logs))
        return INFINITY;
    for (int j = 0; j < n; j++)
        logs += log(p->H[j * (n + 1)]);
    return 0.5 * (square - cblas_ddot(n, p->h, 1, p->h, 1)) + logs;
}

double arc_ridge_evidence(ArcRidge *p, const double *sd)
{
    return evidence_of(p, p->N, sd);
}

double arc_ridge_left_out(ArcRidge *p, const double *sd)
{
    int n1 = p->n + 1;
    double all = evidence_of(p, p->N, sd), sum = 0.0;
    for (int b = 0; b < p->n_blocks; b++) {
        int rows = p->first[b + 1] - p->first[b];
        memcpy(p->less, p->N, sizeof(double) * (size_t)n1 * (size_t)n1);
        cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, n1, rows, -1.0, p->B + p->first[b], p->m,
                    1.0, p->less, n1);
        sum += all - evidence_of(p, p->less, sd);
    }
    return isnan(sum) ? INFINITY : sum;
}

/* Group g alone at the sds of the others: l, b and at_none. False where it cannot be had. */
static bool look_alone(ArcRidge *p, const double *sd, int g)
{
    double others[ARC_RIDGE_MAX_GROUPS], logs;
    int n, r = p->kept[g], at = p->S;
    size_t n1 = (size_t)p->n + 1;
    memcpy(others, sd, sizeof(double) * (size_t)p->G);
    others[g] = 0.0;
    for (int i = 0; i < g; i++)
        at += p->kept[i];
    double *S = p->less, *X = p->less + (size_t)r * (size_t)r;
    p->n_alone = r;
    if (!factorise(p, p->N, others, &n, &logs))
        return false;
    for (int k = 0; k < r; k++)
        for (int i = 0; i < n; i++) {
            int row = p->column[i], column = at + k;
            X[i + k * n] = row < column ? p->N[(size_t)row + (size_t)column * n1]
                                        : p->N[(size_t)column + (size_t)row * n1];
        }
    for (int k = 0; k < r; k++) {
        memcpy(S + k * r, p->N + (size_t)at + (size_t)(at + k) * n1, sizeof(double) * (size_t)r);
        p->b[k] = p->N[(size_t)(at + k) + (size_t)p->n * n1];
    }
    p->at_none = 0.5 * (p->N[(size_t)p->n * (n1 + 1)] - cblas_ddot(n, p->h, 1, p->h, 1)) + logs;
    for (int j = 0; j < n; j++)
        p->at_none += log(p->H[j * (n + 1)]);
    if (r == 0)
        return true;
    if (n > 0) {
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasTrans, CblasNonUnit, n, r, 1.0, p->H,
                    n, X, n);
        cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, r, n, -1.0, X, n, 1.0, S, r);
        cblas_dgemv(CblasColMajor, CblasTrans, n, r, -1.0, X, n, p->h, 1, 1.0, p->b, 1);
    }
    return LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'U', r, S, r, p->l, p->e, p->tau) == 0 &&
           LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'U', 'T', r, 1, S, r, p->tau, p->b, r) == 0;
}

/* By the factors L D L' of the tridiagonal matrix with 1 / sd^2 on its diagonal. */
static double measure_alone(const ArcRidge *p, double sd)
{
    double ridge = 1.0 / (sd * sd), logs = 0.0, square = 0.0, d = 1.0, y = 0.0;
    if (!(sd > 0.0))
        return p->at_none;
    for (int k = 0; k < p->n_alone; k++) {
        double beside = k > 0 ? p->e[k - 1] / d : 0.0;
        y = p->b[k] - beside * y;
        d = p->l[k] + ridge - (k > 0 ? beside * p->e[k - 1] : 0.0);
        if (!(d > 0.0))
            return INFINITY;
        logs += log(d);
        square += y * y / d;
    }
    double sum = p->at_none + 0.5 * (logs - square) + p->n_alone * log(sd);
    return isnan(sum) ? INFINITY : sum;
}

/* With the g-th sd set; evidence from what look_alone has left. */
static double measure_at(ArcRidge *p, ArcRidgeMeasure measure, double *sd, int g, double value)
{
    if (measure == arc_ridge_evidence)
        return measure_alone(p, value);
    double kept = sd[g];
    sd[g] = value;
    double result = measure(p, sd);
    sd[g] = kept;
    return isnan(result) ? INFINITY : result;
}

static double grid_at(const ArcRidge *p, int g, int i, int n)
{
    return exp(log(p->low[g]) + (log(p->high[g]) - log(p->low[g])) * i / (n - 1));
}

/* The least over one sd: on the grid, then by golden section beside its best. */
static double minimise_one(ArcRidge *p, ArcRidgeMeasure measure, double *sd, int g, double *least)
{
    if (measure == arc_ridge_evidence && !look_alone(p, sd, g)) {
        *least = INFINITY;
        return 0.0;
    }
    double none = measure_at(p, measure, sd, g, 0.0), best = INFINITY;
    int at = 0;
    for (int i = 0; i < GRID; i++) {
        double value = measure_at(p, measure, sd, g, grid_at(p, g, i, GRID));
        at = value < best ? i : at;
        best = fmin(best, value);
    }
    double low = log(grid_at(p, g, at > 0 ? at - 1 : 0, GRID));
    double high = log(grid_at(p, g, at < GRID - 1 ? at + 1 : at, GRID));
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = measure_at(p, measure, sd, g, exp(a));
    double at_b = measure_at(p, measure, sd, g, exp(b));
    for (int i = 0; i < SECTIONS; i++) {
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - golden * (high - low);
            at_a = measure_at(p, measure, sd, g, exp(a));
        } else {
            low = a, a = b, at_a = at_b;
            b = low + golden * (high - low);
            at_b = measure_at(p, measure, sd, g, exp(b));
        }
    }
    double middle = exp(0.5 * (low + high));
    best = measure_at(p, measure, sd, g, middle);
    bool wanted = best < none - same_evidence;
    *least = wanted ? best : none;
    return wanted ? middle : 0.0;
}

double arc_ridge_minimise(ArcRidge *p, ArcRidgeMeasure measure, double *sd)
{
    double least = INFINITY, before = measure(p, sd);
    if (p->G == 0)
        return before;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int g = 0; g < p->G; g++)
            sd[g] = minimise_one(p, measure, sd, g, &least);
        if (p->G == 1 || !(least < before - same_evidence))
            break;
        before = least;
    }
    return least;
}

/* Adds exp(-value) to a sum of which the largest part is taken out. */
static void add_exp(double value, double *least, double *sum)
{
    if (value < *least) {
        *sum = *sum * exp(value - *least) + 1.0;
        *least = value;
    } else {
        *sum += exp(*least - value);
    }
}

double arc_ridge_average(ArcRidge *p)
{
    double sd[ARC_RIDGE_MAX_GROUPS] = {0}, least = INFINITY, sum = 0.0;
    bool is_product = p->G <= 2;
    int n_outer = p->G == 1 ? 1 : GRID, n_inner = is_product ? GRID : 1, last = p->G - 1;
    for (int i = 0; i < n_outer; i++) {
        for (int g = 0; g < p->G; g++)
            sd[g] = grid_at(p, g, i, GRID);
        if (is_product && !look_alone(p, sd, last))
            continue;
        for (int j = 0; j < n_inner; j++) {
            double value = is_product ? measure_alone(p, grid_at(p, last, j, GRID))
                                      : arc_ridge_evidence(p, sd);
            if (isfinite(value))
                add_exp(value, &least, &sum);
        }
    }
    return sum > 0.0 ? least - log(sum / (n_outer * n_inner)) : INFINITY;
}

void arc_ridge_solve(ArcRidge *p, const double *sd, double *d, double *weights)
{
    int n;
    double logs;
    memset(d, 0, sizeof(double) * (size_t)p->S);
    memset(weights, 0, sizeof(double) * (size_t)p->K);
    if (!factorise(p, p->N, sd, &n, &logs) || n == 0)
        return;
    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, n, p->H, n, p->h, 1);
    for (int k = 0; k < p->S; k++)
        d[k] = -p->h[k];
    for (int g = 0, at = 0, j = p->S; g < p->G; at += p->size[g++]) {
        if (!(sd[g] > 0.0) || p->kept[g] == 0)
            continue;
        cblas_dgemv(CblasColMajor, CblasNoTrans, p->size[g], p->kept[g], -1.0, p->V[g], p->size[g],
                    p->h + j, 1, 0.0, weights + at, 1);
        j += p->kept[g];
    }
}

double arc_ridge_effective(ArcRidge *p, const double *sd)
{
    int n;
    double logs, sum = 0.0;
    if (!factorise(p, p->N, sd, &n, &logs) || n == 0 ||
        LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', n, p->H, n) != 0)
        return 0.0;
    for (int g = 0, j = p->S; g < p->G; g++)
        for (int k = 0; k < p->kept[g] && sd[g] > 0.0; k++, j++)
            sum += 1.0 - p->H[j * (n + 1)] / (sd[g] * sd[g]);
    return sum;
}
