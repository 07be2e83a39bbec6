/* A belief corrected by what throws told.
 *
 * Of the open parameters u, scaled to D, the belief is u = m + D (F a + G b): C = D F F' D, a of a
 * standard normal distribution, and G the columns of those that are free without a prior, b
 * anything. So nothing singular is inverted: with L of all results and g = sum L (m_data - m)
 *   H = diag(1, 0) + B' D L D B,  B = [F G],   H y = B' D g
 *   m+ = m + D B y,   C+ = D B inv(H) B' D
 * Known parameters stay where they are, and what the data say is taken at their values.
 * Consistency: chi2 = a'a + sum (m_data - m+)' L (m_data - m+), with as many degrees of freedom as
 * directions that the results tell, less those that b took.
 */
#include "aim/information.h"
#include "solve/statistics.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WHO = 96 };
static const double none_left = 1e-14;   /* of a belief's variance, beside the largest */
static const double told_least = 1e-10;  /* of what flat parameters must have */
static const double tells_least = 1e-14; /* of a result's information beside the belief's */

/* Matrices are (n, n) column by column; n of the open parameters. */
typedef struct Correcting {
    const ArcExperiment *experiment;
    const ArcBelief *before;
    int n, n_known_spread, n_flat; /* n; columns of F, of G */
    int open[ARC_MAX_PARAMETERS];  /* (n) parameters */
    int place[ARC_MAX_PARAMETERS]; /* of a parameter among them; -1: known */
    int flat[ARC_MAX_PARAMETERS];  /* (n_flat) places */
    double *D, *L, *g, *B, *H, *h, *y, *X;
    ArcInformation *told; /* (n_results) */
    ArcArena *arena;
} Correcting;

static ArcStatus correcting_create(Correcting *c, int n_results, ArcError *err)
{
    const ArcBelief *before = c->before;
    for (int i = 0; i < before->n; i++) {
        c->place[i] = arc_belief_is_open(c->experiment, before, i) ? c->n : -1;
        if (c->place[i] < 0)
            continue;
        if (!(before->covariance[i * before->n + i] > 0.0))
            c->flat[c->n_flat++] = c->n;
        c->open[c->n++] = i;
    }
    size_t n = (size_t)c->n;
    double **const vectors[] = {&c->D, &c->g, &c->h, &c->y};
    double **const matrices[] = {&c->L, &c->B, &c->H, &c->X};
    c->told = ARC_ALLOC(c->arena, (size_t)n_results, ArcInformation);
    bool all = c->told != NULL;
    for (int i = 0; i < 4; i++) {
        *vectors[i] = ARC_ALLOC(c->arena, n, double);
        *matrices[i] = ARC_ALLOC(c->arena, n * n, double);
        all = all && *vectors[i] != NULL && *matrices[i] != NULL;
    }
    if (!all)
        return arc_error_no_memory(err);
    return n > 0 ? ARC_OK
                 : arc_error_set(err, ARC_INPUT,
                                 "error: nothing that lasts from throw to throw is uncertain in "
                                 "this experiment; give parameters a prior, as cd: {prior: ..}");
}

/* Adds a result's L and g. False where it tells nothing of an open parameter. */
static bool add_information(Correcting *c, const ArcInformation *told)
{
    const ArcBelief *before = c->before;
    bool tells = false;
    for (int k = 0; k < told->n; k++) {
        int i = told->index[k], u = c->place[i];
        if (u < 0)
            continue;
        double variance = before->covariance[i * before->n + i];
        double own = told->L[k + k * told->n] * (variance > 0.0 ? variance : 1.0);
        tells = tells || own > (variance > 0.0 ? tells_least : 0.0);
        c->g[u] += told->b[k];
        for (int l = 0; l < told->n; l++) {
            int j = told->index[l], v = c->place[j];
            c->g[u] += told->L[k + l * told->n] * (told->m[l] - before->mean[j]);
            if (v >= 0)
                c->L[u + v * c->n] += told->L[k + l * told->n];
        }
    }
    return tells;
}

static ArcStatus refuse_untold(const Correcting *c, int u, ArcError *err)
{
    const ArcParameter *parameter = &c->experiment->parameters[c->open[u]];
    return arc_error_set_at(err, ARC_INPUT, parameter->place,
                            "%s is free without a prior, and the results do not tell it; give it a "
                            "prior, or fix it",
                            parameter->name);
}

/* D, and B by the eigenvectors of the scaled covariance. */
static ArcStatus factor_before(Correcting *c, ArcError *err)
{
    const ArcEigenWords words = {"what was known before", "its covariance is not positive"};
    const ArcBelief *before = c->before;
    int n = c->n;
    for (int u = 0; u < n; u++) {
        double variance = before->covariance[c->open[u] * (before->n + 1)];
        double information = c->L[u + u * n];
        if (!(variance > 0.0) && !(information > 0.0))
            return refuse_untold(c, u, err);
        c->D[u] = sqrt(variance > 0.0 ? variance : 1.0 / information);
    }
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++)
            c->H[u + v * n] =
                before->covariance[c->open[u] * before->n + c->open[v]] / (c->D[u] * c->D[v]);
    ArcStatus status = arc_symmetric_eigen(n, c->H, c->h, words, c->arena, err);
    if (status != ARC_OK)
        return status;
    if (c->h[0] < -1e-8 * c->h[n - 1])
        return arc_error_set(err, ARC_NUMERIC, "error: %s: %s", words.who, words.what);
    for (int k = n - 1; k >= 0 && c->h[k] > none_left * c->h[n - 1]; k--) {
        cblas_daxpy(n, sqrt(c->h[k]), c->H + k * n, 1, c->B + c->n_known_spread * n, 1);
        c->n_known_spread++;
    }
    for (int k = 0; k < c->n_flat; k++)
        c->B[c->flat[k] + (c->n_known_spread + k) * n] = 1.0;
    return ARC_OK;
}

/* H with columns brought to diagonal one, by its eigenvectors; X = B inv(sqrt H). */
static ArcStatus solve(Correcting *c, ArcError *err)
{
    const ArcEigenWords words = {"the results", "their information is not positive"};
    int n = c->n, q = c->n_known_spread + c->n_flat, r = c->n_known_spread;
    double *T = ARC_ALLOC(c->arena, (size_t)n * (size_t)n, double);
    double *scale = ARC_ALLOC(c->arena, (size_t)q, double);
    if (T == NULL || scale == NULL)
        return arc_error_no_memory(err);
    for (int v = 0; v < n; v++) {
        c->g[v] *= c->D[v];
        for (int u = 0; u < n; u++)
            c->L[u + v * n] *= c->D[u] * c->D[v];
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, q, n, 1.0, c->L, n, c->B, n, 0.0, T,
                n);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, q, q, n, 1.0, c->B, n, T, n, 0.0, c->H, q);
    for (int k = 0; k < q; k++) {
        c->H[k + k * q] += k < r ? 1.0 : 0.0;
        if (!(c->H[k + k * q] > 0.0))
            return refuse_untold(c, c->flat[k - r], err);
        scale[k] = 1.0 / sqrt(c->H[k + k * q]);
    }
    for (int l = 0; l < q; l++)
        for (int k = 0; k < q; k++)
            c->H[k + l * q] *= scale[k] * scale[l];
    ArcStatus status = arc_symmetric_eigen(q, c->H, c->h, words, c->arena, err);
    if (status != ARC_OK)
        return status;
    if (!(c->h[0] > told_least)) {
        int worst = 0;
        for (int k = 1; k < c->n_flat; k++)
            worst = fabs(c->H[r + k]) > fabs(c->H[r + worst]) ? k : worst;
        return c->n_flat > 0
                   ? refuse_untold(c, c->flat[worst], err)
                   : arc_error_set(err, ARC_NUMERIC, "error: %s: %s", words.who, words.what);
    }
    for (int k = 0; k < q; k++)
        for (int l = 0; l < q; l++)
            c->H[l + k * q] *= scale[l] / sqrt(c->h[k]);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, q, q, 1.0, c->B, n, c->H, q, 0.0,
                c->X, n);
    cblas_dgemv(CblasColMajor, CblasTrans, n, q, 1.0, c->B, n, c->g, 1, 0.0, T, 1);
    cblas_dgemv(CblasColMajor, CblasTrans, q, q, 1.0, c->H, q, T, 1, 0.0, scale, 1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, q, q, 1.0, c->H, q, scale, 1, 0.0, c->y, 1);
    return ARC_OK;
}

static void fill_after(const Correcting *c, ArcBelief *after)
{
    int n = c->n, q = c->n_known_spread + c->n_flat;
    *after = *c->before;
    for (int u = 0; u < n; u++) {
        int i = c->open[u];
        after->mean[i] += c->D[u] * cblas_ddot(q, c->B + u, n, c->y, 1);
        for (int v = 0; v < n; v++)
            after->covariance[i * after->n + c->open[v]] =
                c->D[u] * c->D[v] * cblas_ddot(q, c->X + u, n, c->X + v, n);
    }
}

/* (m_data - s)' L (m_data - s) at a belief's means. */
static double square_of(const ArcInformation *told, const ArcBelief *belief)
{
    double square = told->rest;
    for (int k = 0; k < told->n; k++) {
        double e = belief->mean[told->index[k]] - told->m[k];
        square -= 2.0 * told->b[k] * e;
        for (int l = 0; l < told->n; l++)
            square += e * told->L[k + l * told->n] * (belief->mean[told->index[l]] - told->m[l]);
    }
    return fmax(square, 0.0);
}

static void judge(const Correcting *c, ArcBeliefChange *change)
{
    int n = change->n_results;
    change->chi2 = cblas_ddot(c->n_known_spread, c->y, 1, c->y, 1);
    change->dof = -c->n_flat;
    change->worst_p = 2.0;
    for (int i = 0; i < n; i++) {
        double square = square_of(&c->told[i], &change->after);
        double p = fmin(n * arc_statistics_chi2_p(square, c->told[i].rank), 1.0);
        change->chi2 += square;
        change->dof += c->told[i].rank;
        if (p < change->worst_p) {
            change->worst_p = p;
            change->worst = i;
        }
    }
    change->chi2_p = arc_statistics_chi2_p(change->chi2, change->dof);
}

/* The same numbers in both. */
static bool is_same(const ArcResult *a, const ArcResult *b)
{
    const ArcFit *f = a->fits[0], *g = b->fits[0];
    bool same = f->n_parameters == g->n_parameters && f->residuals.chi2 == g->residuals.chi2;
    for (int i = 0; same && i < f->n_parameters; i++)
        same = f->parameters[i].value == g->parameters[i].value;
    return same;
}

static ArcStatus take_result(Correcting *c, int k, int n, const ArcResult *const *results,
                             ArcError *err)
{
    ArcMeeting meeting;
    char who[WHO];
    snprintf(who, sizeof who, n == 1 ? "the result" : "result %d of %d", k + 1, n);
    for (int i = 0; i < k; i++)
        if (is_same(results[i], results[k]))
            return arc_error_set(err, ARC_INPUT,
                                 "error: %s: it is the same throw as result %d; each counts once",
                                 who, i + 1);
    ArcStatus status = arc_meeting_open(c->experiment, results[k], who, c->arena, &meeting, err);
    if (status != ARC_OK)
        return status;
    status = arc_meeting_join(c->experiment, c->before, &meeting, err);
    if (status == ARC_OK)
        status = arc_information_find(&meeting, c->arena, &c->told[k], err);
    if (status == ARC_OK && !add_information(c, &c->told[k]))
        status = arc_error_set(err, ARC_INPUT,
                               "error: %s: its data tell nothing of what is uncertain here", who);
    arc_experiment_free(meeting.of);
    return status;
}

ArcStatus arc_belief_change(const ArcExperiment *experiment, int n, const ArcResult *const *results,
                            const ArcBelief *before, ArcBeliefChange *change, ArcError *err)
{
    if (n < 1)
        return arc_error_set(err, ARC_USAGE, "error: a correction wants one result or more");
    Correcting c = {.experiment = experiment, .before = before, .arena = arc_arena_create()};
    ArcBeliefChange *made = c.arena == NULL ? NULL : ARC_ALLOC(c.arena, 1, ArcBeliefChange);
    ArcStatus status = made == NULL ? arc_error_no_memory(err) : correcting_create(&c, n, err);
    for (int k = 0; k < n && status == ARC_OK; k++)
        status = take_result(&c, k, n, results, err);
    if (status == ARC_OK)
        status = factor_before(&c, err);
    if (status == ARC_OK)
        status = solve(&c, err);
    if (status == ARC_OK) {
        made->n_results = n;
        for (int k = 0; k < n; k++)
            made->n_throws += results[k]->n_flights > 0 ? results[k]->n_flights : 1;
        made->before = *before;
        fill_after(&c, &made->after);
        judge(&c, made);
        *change = *made;
    }
    arc_arena_free(c.arena);
    return status;
}

ArcStatus arc_belief_correct(const ArcExperiment *experiment, int n,
                             const ArcResult *const *results, ArcBelief *belief, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcBeliefChange *change = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcBeliefChange);
    ArcStatus status = change == NULL
                           ? arc_error_no_memory(err)
                           : arc_belief_change(experiment, n, results, belief, change, err);
    if (status == ARC_OK)
        *belief = change->after;
    arc_arena_free(arena);
    return status;
}
