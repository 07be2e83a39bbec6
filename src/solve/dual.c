/* The dual form: Cholesky factors of I + W W' / (lambda D^2). */
#include "solve/dual.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* Where L begins: a row below the triangle of W W', whose leading dimension is m + 1. */
static double *factor_of(const ArcDual *dual)
{
    return dual->gram + 1;
}

ArcStatus arc_dual_create(int m, int n, ArcArena *arena, ArcDual *dual, ArcError *err)
{
    size_t rows = (size_t)m;
    *dual = (ArcDual){.m = m, .n = n};
    dual->gram = ARC_ALLOC(arena, rows * (rows + 1), double);
    return dual->gram == NULL ? arc_error_no_memory(err) : ARC_OK;
}

void arc_dual_load(ArcDual *dual, const double *W)
{
    int m = dual->m;
    cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, m, dual->n, 1.0, W, m, 0.0, dual->gram,
                m + 1);
    double trace = 0.0;
    for (int i = 0; i < m; i++)
        trace += dual->gram[(size_t)i * (size_t)(m + 2)];
    dual->D2 = trace == 0.0 ? 1.0 : trace / dual->n;
}

bool arc_dual_factorise(ArcDual *dual, double lambda)
{
    int m = dual->m;
    size_t rows = (size_t)m, ld = rows + 1;
    double share = 1.0 / (lambda * dual->D2), *factor = factor_of(dual);
    dual->lambda = lambda;
    /* The factorisation itself would pass over a NaN. */
    if (!isfinite(dual->D2))
        return false;
    for (size_t j = 0; j < rows; j++) {
        for (size_t i = j; i < rows; i++)
            factor[i + j * ld] = share * dual->gram[j + i * ld];
        factor[j * (ld + 1)] += 1.0;
    }
    return LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', m, factor, m + 1) == 0;
}

void arc_dual_whiten(const ArcDual *dual, int columns, double *B)
{
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, dual->m, columns,
                1.0, factor_of(dual), dual->m + 1, B, dual->m);
}

void arc_dual_answer(const ArcDual *dual, const double *W, double *rest, double *d)
{
    int m = dual->m;
    const double *factor = factor_of(dual);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, m, factor, m + 1, rest, 1);
    cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, m, factor, m + 1, rest, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, m, dual->n, -1.0 / (dual->lambda * dual->D2), W, m, rest,
                1, 0.0, d, 1);
}
