/* The information of a result's data: its fit's, less that of its priors.
 *
 * Everything is done in z = s / D, D the prior's sd where there is one, else the posterior's, so
 * that numbers are near one whatever the units. Null directions N of the fit (of all its unknowns)
 * leave of s the combinations Q' z with Q'N_s = 0, of which the covariance K = Q'C_z Q holds
 * whatever was taken for the rest:
 *   inv(K) = V diag(1/c) V',   M = inv(K) - Q'E Q,   E = 1 for a prior
 *   L = D^-1 Q M Q' D^-1,      b = D^-1 E (z - z0) along what M tells
 * Eigenvalues of M are what the data say in units of the prior; below told_least they are rounding.
 */
#include "aim/information.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static const double told_least = 1e-9; /* of the prior's information */
static const double most_wider = 0.1;  /* of it that may be lacking: a robust fit's covariance */
static const double null_part = 1e-3;  /* of a null direction that has a part in what lasts */
static const double no_variance = 1e-15;

ArcStatus arc_symmetric_eigen(int n, double *A, double *w, ArcEigenWords words, ArcArena *arena,
                              ArcError *err)
{
    int room = 67 * (n + 1);
    double *work = ARC_ALLOC(arena, (size_t)room, double);
    bool good = true;
    if (work == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n * n; i++)
        good = good && isfinite(A[i]);
    if (good &&
        (n == 0 || LAPACKE_dsyev_work(LAPACK_COL_MAJOR, 'V', 'U', n, A, n, w, work, room) == 0))
        return ARC_OK;
    return arc_error_set(err, ARC_NUMERIC, "error: %s: %s", words.who, words.what);
}

/* Numbers in the arena for one result. Matrices are column by column. */
typedef struct Whitening {
    int n, r;           /* parameters; combinations that the fit tells */
    double *D, *E, *z0; /* (n): sd; whether there is a prior; (m - prior mean) / D */
    double *Q;          /* (n, r) */
    double *K, *V, *c;  /* (r, r), its eigenvectors, (r) */
    double *M, *mu;     /* (r, r), (r) */
    double *T;          /* (n, n) for products */
} Whitening;

static ArcStatus whitening_create(int n, ArcArena *arena, Whitening *w, ArcError *err)
{
    size_t size = (size_t)n * (size_t)n;
    *w = (Whitening){.n = n};
    double **const vectors[] = {&w->D, &w->E, &w->z0, &w->c, &w->mu};
    double **const matrices[] = {&w->Q, &w->K, &w->V, &w->M, &w->T};
    bool all = true;
    for (int i = 0; i < 5; i++) {
        *vectors[i] = ARC_ALLOC(arena, (size_t)n, double);
        *matrices[i] = ARC_ALLOC(arena, size, double);
        all = all && *vectors[i] != NULL && *matrices[i] != NULL;
    }
    return all ? ARC_OK : arc_error_no_memory(err);
}

/* The fit's sd of unknown k, with what null directions leave open. */
static double open_sd(const ArcFit *fit, int k)
{
    double square = fit->covariance[k * fit->n_free + k];
    for (int g = 0; g < fit->n_unidentified; g++)
        square += pow(fit->null_directions[g * fit->n_free + k], 2);
    return square > 0.0 ? sqrt(square) : 1.0;
}

static void set_scales(const ArcMeeting *meeting, Whitening *w)
{
    for (int i = 0; i < w->n; i++) {
        const ArcParameter *parameter = &meeting->of->parameters[meeting->there[i]];
        double mean, sd, value = arc_meeting_estimate(meeting, parameter->name)->value;
        bool has_prior = arc_belief_prior(parameter, &mean, &sd);
        w->E[i] = has_prior ? 1.0 : 0.0;
        w->D[i] = has_prior ? sd : open_sd(meeting->fit, meeting->row[i]);
        w->z0[i] = has_prior ? (value - mean) / w->D[i] : 0.0;
    }
}

/* Q: the eigenvectors of N_s N_s' that belong to none of the fit's null directions, each of which
 * is brought to length one among all its unknowns first. */
static ArcStatus set_combinations(const ArcMeeting *meeting, ArcArena *arena, Whitening *w,
                                  ArcError *err)
{
    const ArcEigenWords words = {meeting->who, "its null directions are not finite"};
    const ArcFit *fit = meeting->fit;
    int n = w->n;
    for (int g = 0; g < fit->n_unidentified; g++) {
        const double *null = fit->null_directions + (size_t)g * (size_t)fit->n_free;
        double length = 0.0;
        for (int k = 0; k < fit->n_free; k++)
            length += pow(null[k] / open_sd(fit, k), 2);
        for (int j = 0; j < n && length > 0.0; j++)
            for (int i = 0; i < n; i++)
                w->T[i + j * n] +=
                    null[meeting->row[i]] / w->D[i] * null[meeting->row[j]] / w->D[j] / length;
    }
    ArcStatus status = arc_symmetric_eigen(n, w->T, w->c, words, arena, err);
    while (status == ARC_OK && w->r < n && w->c[w->r] < null_part * null_part)
        w->r++;
    memcpy(w->Q, w->T, sizeof(double) * (size_t)n * (size_t)w->r);
    return status;
}

/* out (r, r) = Q' A Q, A (n, n) symmetric. */
static void project(const Whitening *w, const double *A, double *out, double *room)
{
    if (w->r == 0)
        return;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, w->n, w->r, w->n, 1.0, A, w->n, w->Q,
                w->n, 0.0, room, w->n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, w->r, w->r, w->n, 1.0, w->Q, w->n, room,
                w->n, 0.0, out, w->r);
}

/* K of the fit's covariance, and M: inv(K) less the priors'. */
static ArcStatus subtract_priors(const ArcMeeting *meeting, ArcArena *arena, Whitening *w,
                                 ArcError *err)
{
    const ArcEigenWords not_positive = {meeting->who,
                                        "its covariance is not positive; it cannot be added"};
    const ArcFit *fit = meeting->fit;
    int n = w->n, r = w->r;
    double *room = ARC_ALLOC(arena, (size_t)n * (size_t)n, double);
    if (room == NULL)
        return arc_error_no_memory(err);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            w->T[i + j * n] = fit->covariance[meeting->row[i] * fit->n_free + meeting->row[j]] /
                              (w->D[i] * w->D[j]);
    project(w, w->T, w->V, room);
    ArcStatus status = arc_symmetric_eigen(r, w->V, w->c, not_positive, arena, err);
    if (status != ARC_OK)
        return status;
    if (r > 0 && !(w->c[0] > no_variance * w->c[r - 1]))
        return arc_error_set(err, ARC_NUMERIC, "error: %s: %s", meeting->who, not_positive.what);
    memset(w->T, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        w->T[i + i * n] = w->E[i];
    project(w, w->T, w->M, room);
    for (int j = 0; j < r; j++)
        for (int i = 0; i < r; i++) {
            double sum = 0.0;
            for (int k = 0; k < r; k++)
                sum += w->V[i + k * r] * w->V[j + k * r] / w->c[k];
            w->M[i + j * r] = sum - w->M[i + j * r];
        }
    status = arc_symmetric_eigen(r, w->M, w->mu, not_positive, arena, err);
    if (status == ARC_OK && r > 0 && w->mu[0] < -most_wider)
        return arc_error_set(err, ARC_NUMERIC,
                             "error: %s: its covariance is wider than its own priors; fit it with "
                             "loss: gauss and given sigmas",
                             meeting->who);
    return status;
}

/* L, b and rest of the eigenvectors that are told; u is one of them in s. */
static void add_told(const Whitening *w, ArcInformation *information, double *u)
{
    int n = w->n;
    for (int k = 0; k < w->r; k++) {
        double along = 0.0;
        if (w->mu[k] < told_least)
            continue;
        cblas_dgemv(CblasColMajor, CblasNoTrans, n, w->r, 1.0, w->Q, n,
                    w->M + (size_t)k * (size_t)w->r, 1, 0.0, u, 1);
        for (int i = 0; i < n; i++)
            along += u[i] * w->E[i] * w->z0[i];
        for (int i = 0; i < n; i++)
            u[i] /= w->D[i];
        cblas_dger(CblasColMajor, n, n, w->mu[k], u, 1, u, 1, information->L, n);
        cblas_daxpy(n, along, u, 1, information->b, 1);
        information->rest += along * along / w->mu[k];
        information->rank++;
    }
}

ArcStatus arc_information_find(const ArcMeeting *meeting, ArcArena *arena,
                               ArcInformation *information, ArcError *err)
{
    size_t n = (size_t)meeting->n;
    Whitening w;
    ArcInformation found = {.n = meeting->n};
    found.index = ARC_ALLOC(arena, n, int);
    found.m = ARC_ALLOC(arena, n, double);
    found.L = ARC_ALLOC(arena, n * n, double);
    found.b = ARC_ALLOC(arena, n, double);
    ArcStatus status = whitening_create(meeting->n, arena, &w, err);
    if (status != ARC_OK || found.index == NULL || found.m == NULL || found.L == NULL ||
        found.b == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        const char *name = meeting->of->parameters[meeting->there[i]].name;
        found.index[i] = meeting->here[i];
        found.m[i] = arc_meeting_estimate(meeting, name)->value;
    }
    set_scales(meeting, &w);
    status = set_combinations(meeting, arena, &w, err);
    if (status == ARC_OK)
        status = subtract_priors(meeting, arena, &w, err);
    if (status != ARC_OK)
        return status;
    add_told(&w, &found, w.T);
    *information = found;
    return ARC_OK;
}
