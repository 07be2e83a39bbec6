/* Covariance and null directions by the singular value decomposition of the scaled factor. */
#include "solve/posterior.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

/* A direction whose effect is this small beside the largest is one that the data cannot see. */
static const double null_share = 1e-7;

/* A column shorter than this is none: its variance would be beyond all numbers. */
static const double least_length = 1e-140;

typedef struct PosteriorScratch {
    double *scale, *w, *U, *Vt, *work;
    int n_work;
} PosteriorScratch;

static ArcStatus scratch_create(int n, ArcArena *arena, PosteriorScratch *scratch, ArcError *err)
{
    size_t size = (size_t)n;
    scratch->n_work = 64 * (n + 1);
    scratch->scale = ARC_ALLOC(arena, size, double);
    scratch->w = ARC_ALLOC(arena, size, double);
    scratch->U = ARC_ALLOC(arena, size * size, double);
    scratch->Vt = ARC_ALLOC(arena, size * size, double);
    scratch->work = ARC_ALLOC(arena, (size_t)scratch->n_work, double);
    if (scratch->scale == NULL || scratch->w == NULL || scratch->U == NULL || scratch->Vt == NULL ||
        scratch->work == NULL)
        return arc_error_no_memory(err);
    return ARC_OK;
}

static void mark_null(ArcPosterior *posterior, int n, const double *Vt, int k)
{
    double *direction = posterior->null + (size_t)posterior->n_null * (size_t)n;
    for (int j = 0; j < n; j++) {
        direction[j] = Vt[(size_t)k + (size_t)j * (size_t)n];
        if (fabs(direction[j]) > ARC_POSTERIOR_PART)
            posterior->identified[j] = false;
    }
    posterior->n_null++;
}

static void fill_covariance(ArcPosterior *posterior, const PosteriorScratch *s, int rank)
{
    int n = posterior->n;
    size_t size = (size_t)n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < rank; k++)
                sum += s->Vt[(size_t)k + (size_t)i * size] * s->Vt[(size_t)k + (size_t)j * size] /
                       (s->w[k] * s->w[k]);
            double value = sum * s->scale[i] * s->scale[j];
            posterior->covariance[(size_t)i * size + (size_t)j] = value;
            posterior->covariance[(size_t)j * size + (size_t)i] = value;
        }
    }
}

static ArcStatus posterior_create(int n, const double *T, const double *given, ArcArena *arena,
                                  ArcPosterior *posterior, ArcError *err)
{
    size_t size = (size_t)n;
    PosteriorScratch s;
    ArcStatus status = scratch_create(n, arena, &s, err);
    if (status != ARC_OK)
        return status;
    ArcPosterior result = {.n = n};
    result.covariance = ARC_ALLOC(arena, size * size, double);
    result.identified = ARC_ALLOC(arena, size, bool);
    result.null = ARC_ALLOC(arena, size * size, double);
    double *scaled = ARC_ALLOC(arena, size * size, double);
    if (result.covariance == NULL || result.identified == NULL || result.null == NULL ||
        scaled == NULL)
        return arc_error_no_memory(err);
    bool finite = true;
    for (int j = 0; j < n; j++) {
        double norm = cblas_dnrm2(n, T + (size_t)j * size, 1);
        finite = finite && isfinite(norm);
        double length = given != NULL ? given[j] : norm;
        s.scale[j] = length >= least_length ? 1.0 / length : 1.0;
        for (int i = 0; i < n; i++)
            scaled[(size_t)i + (size_t)j * size] = T[(size_t)i + (size_t)j * size] * s.scale[j];
        result.identified[j] = true;
    }
    if (!finite || LAPACKE_dgesvd_work(LAPACK_COL_MAJOR, 'N', 'A', n, n, scaled, n, s.w, s.U, n,
                                       s.Vt, n, s.work, s.n_work) != 0)
        return arc_error_set(err, ARC_NUMERIC, "error: the Jacobian at the estimate is not finite");
    int rank = 0;
    double largest = given != NULL ? fmax(s.w[0], 1.0) : s.w[0];
    while (rank < n && s.w[rank] > null_share * largest && s.w[rank] > 0.0)
        rank++;
    for (int k = rank; k < n; k++)
        mark_null(&result, n, s.Vt, k);
    fill_covariance(&result, &s, rank);
    result.scale = s.scale;
    *posterior = result;
    return ARC_OK;
}

ArcStatus arc_posterior_create(int n, const double *T, ArcArena *arena, ArcPosterior *posterior,
                               ArcError *err)
{
    return posterior_create(n, T, NULL, arena, posterior, err);
}

ArcStatus arc_posterior_create_scaled(int n, const double *T, const double *scale, ArcArena *arena,
                                      ArcPosterior *posterior, ArcError *err)
{
    return posterior_create(n, T, scale, arena, posterior, err);
}
