/* Groups reduced to the directions that count, then Cholesky factors at given sds. */
#include "solve/ridge.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { GRID = 13, COARSE = 7, SECTIONS = 16, SWEEPS = 8 };
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
    double *B;     /* (m, n + 1): rows by what is kept, r last */
    double *N;     /* (n + 1, n + 1) B'B, upper */
    double *less;  /* the same of all blocks but one */
    double *H, *h; /* (n, n), (n) scratch */
    int *column;   /* (n) of those that are not left out */
};

/* Eigenvectors of A_g'A_g that count, the largest first. */
static ArcStatus reduce_group(ArcRidge *p, const ArcRidgeRows *rows, int g, int begin,
                              ArcArena *scratch, ArcArena *arena, ArcError *err)
{
    int n = rows->size[g], m = rows->m;
    size_t size = (size_t)n;
    const double *A = rows->rows + (size_t)(rows->S + begin) * (size_t)m;
    double *gram = ARC_ALLOC(scratch, size * size + size, double), *w = gram + size * size;
    if (gram == NULL)
        return arc_error_no_memory(err);
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasTrans, n, m, 1.0, A, m, 0.0, gram, n);
    double sum = 0.0;
    for (int k = 0; k < n; k++)
        sum += 0.0 * gram[k * (n + 1)];
    if (!(sum == 0.0) || (n > 0 && LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'U', n, gram, n, w) != 0))
        return arc_error_set(err, ARC_NUMERIC, "error: the closure's features are not finite");
    int kept = 0;
    while (kept < n && w[n - 1 - kept] * p->high[g] * p->high[g] > least_share)
        kept++;
    p->kept[g] = kept;
    p->V[g] = ARC_ALLOC(arena, size * (size_t)kept + 1, double);
    if (p->V[g] == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < kept; k++)
        memcpy(p->V[g] + (size_t)k * size, gram + (size_t)(n - 1 - k) * size,
               sizeof(double) * size);
    p->n += kept;
    return ARC_OK;
}

/* B, and N of all rows. */
static void fill_rows(ArcRidge *p, const ArcRidgeRows *rows)
{
    size_t m = (size_t)p->m;
    int n1 = p->n + 1, to = p->S, from = p->S;
    memcpy(p->B, rows->rows, sizeof(double) * m * (size_t)p->S);
    for (int g = 0; g < p->G; g++) {
        if (p->kept[g] > 0)
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, p->m, p->kept[g], p->size[g],
                        1.0, rows->rows + (size_t)from * m, p->m, p->V[g], p->size[g], 0.0,
                        p->B + (size_t)to * m, p->m);
        to += p->kept[g];
        from += p->size[g];
    }
    memcpy(p->B + (size_t)p->n * m, rows->rows + (size_t)from * m, sizeof(double) * m);
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
    p->N = ARC_ALLOC(arena, 2 * n1 * n1 + n * n + n, double);
    if (p->first == NULL || p->column == NULL || p->B == NULL || p->N == NULL)
        return arc_error_no_memory(err);
    p->less = p->N + n1 * n1;
    p->H = p->less + n1 * n1;
    p->h = p->H + n * n;
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

/* With the g-th sd set. */
static double measure_at(ArcRidge *p, ArcRidgeMeasure measure, double *sd, int g, double value)
{
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
    double at_a = measure_at(p, measure, sd, g, exp(a)),
           at_b = measure_at(p, measure, sd, g, exp(b));
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
    double sd[ARC_RIDGE_MAX_GROUPS], least = INFINITY, sum = 0.0;
    int n = p->G > 1 ? COARSE : GRID, n_other = p->G == 2 ? n : 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n_other; j++) {
            for (int g = 0; g < p->G; g++)
                sd[g] = grid_at(p, g, p->G == 2 && g == 1 ? j : i, n);
            double value = arc_ridge_evidence(p, sd);
            if (isfinite(value))
                add_exp(value, &least, &sum);
        }
    return sum > 0.0 ? least - log(sum / (n * n_other)) : INFINITY;
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
