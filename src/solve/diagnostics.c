/* Ranks, R-hat and effective sample sizes. */
#include "solve/diagnostics.h"

#include "solve/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_DRAWS = 4 };

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void arc_diagnostics_sort(int n, double *values)
{
    qsort(values, (size_t)n, sizeof(double), compare_values);
}

double arc_diagnostics_quantile(int n, const double *sorted, double p)
{
    double at = p * (n - 1);
    int i = (int)at;
    if (i >= n - 1)
        return sorted[n - 1];
    return sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

typedef struct Ranked {
    double value;
    int index;
} Ranked;

static int compare_ranked(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    int order = (x->value > y->value) - (x->value < y->value);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

/* scores[i]: the normal score of value i's rank among n; equal values share their mean rank. */
static void score_ranks(int n, const double *values, Ranked *ranked, double *scores)
{
    for (int i = 0; i < n; i++)
        ranked[i] = (Ranked){values[i], i};
    qsort(ranked, (size_t)n, sizeof(Ranked), compare_ranked);
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && ranked[end].value == ranked[i].value;)
            end++;
        double rank = 0.5 * (i + 1 + end);
        double score = arc_statistics_normal_quantile((rank - 0.375) / (n + 0.25));
        for (int k = i; k < end; k++)
            scores[ranked[k].index] = score;
    }
}

static double mean_of(int n, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum / n;
}

/* Mean variance within chains (n - 1 in the denominator) and variance of the chains' means. */
static void variances(int n_chains, int n, const double *x, double *within, double *between)
{
    double all = mean_of(n_chains * n, x);
    *within = *between = 0.0;
    for (int c = 0; c < n_chains; c++) {
        const double *chain = x + (size_t)c * (size_t)n;
        double mean = mean_of(n, chain), sum = 0.0;
        for (int i = 0; i < n; i++)
            sum += (chain[i] - mean) * (chain[i] - mean);
        *within += sum / (n - 1) / n_chains;
        if (n_chains > 1)
            *between += (mean - all) * (mean - all) / (n_chains - 1);
    }
}

static double r_hat(int n_chains, int n, const double *x)
{
    double within, between;
    variances(n_chains, n, x, &within, &between);
    return within > 0.0 ? sqrt((n - 1.0) / n + between / within) : NAN;
}

/* Chains and their means (n_chains). */
typedef struct Chains {
    int n_chains, n;
    const double *x, *mean;
} Chains;

/* Mean over the chains of the autocovariance at lag t, n in the denominator. */
static double covariance_at(const Chains *chains, int t)
{
    double sum = 0.0;
    for (int c = 0; c < chains->n_chains; c++) {
        const double *x = chains->x + (size_t)c * (size_t)chains->n;
        double mean = chains->mean[c];
        for (int i = 0; i + t < chains->n; i++)
            sum += (x[i] - mean) * (x[i + t] - mean);
    }
    return sum / chains->n / chains->n_chains;
}

double arc_diagnostics_correlation(int n_chains, int n_draws, const double *draws, double *rho)
{
    int n = n_draws, t = 0;
    double within, between, even = 1.0, odd;
    variances(n_chains, n, draws, &within, &between);
    double total = within * (n - 1.0) / n + between;
    if (n < LEAST_DRAWS || !(total > 0.0))
        return NAN;
    const Chains chains = {n_chains, n, draws, rho + n};
    for (int c = 0; c < n_chains; c++)
        rho[n + c] = mean_of(n, draws + (size_t)c * (size_t)n);
    rho[0] = 1.0;
    rho[1] = odd = 1.0 - (within - covariance_at(&chains, 1)) / total;
    /* Sums of neighbours are positive in theory: the first that is not ends the sequence. */
    while (t + 3 < n && even + odd > 0.0) {
        even = 1.0 - (within - covariance_at(&chains, t + 2)) / total;
        odd = 1.0 - (within - covariance_at(&chains, t + 3)) / total;
        if (even + odd < 0.0)
            break;
        t += 2;
        rho[t] = even;
        rho[t + 1] = odd;
    }
    for (int i = 2; i <= t; i += 2) {
        double before = rho[i - 2] + rho[i - 1];
        if (rho[i] + rho[i + 1] > before)
            rho[i] = rho[i + 1] = 0.5 * before;
    }
    double sum = -1.0;
    for (int i = 0; i < t + 2; i++)
        sum += 2.0 * rho[i];
    if (even + odd < 0.0 && even > 0.0)
        sum += even; /* the half of a pair that antithetic chains leave */
    return fmax(sum, 1.0 / log10((double)n_chains * n));
}

/* Splits chains into halves; the middle one of an odd number of draws is left out. */
static void split(int n_chains, int n_draws, const double *draws, double *halves)
{
    size_t half = (size_t)n_draws / 2;
    for (size_t c = 0; c < (size_t)n_chains; c++) {
        const double *chain = draws + c * (size_t)n_draws;
        memcpy(halves + 2 * c * half, chain, sizeof(double) * half);
        memcpy(halves + (2 * c + 1) * half, chain + (size_t)n_draws - half, sizeof(double) * half);
    }
}

typedef struct Judge {
    int n_chains, n, all; /* half chains, draws in each, product */
    double *x, *other, *scores, *rho;
    Ranked *ranked;
} Judge;

static double effective_size(Judge *judge, const double *x)
{
    return judge->all / arc_diagnostics_correlation(judge->n_chains, judge->n, x, judge->rho);
}

/* Effective size of the indicator of x <= limit. */
static double indicator_size(Judge *judge, double limit)
{
    for (int i = 0; i < judge->all; i++)
        judge->scores[i] = judge->x[i] <= limit ? 1.0 : 0.0;
    return effective_size(judge, judge->scores);
}

static ArcChainDiagnosis judge_halves(Judge *judge)
{
    ArcChainDiagnosis diagnosis;
    memcpy(judge->other, judge->x, sizeof(double) * (size_t)judge->all);
    arc_diagnostics_sort(judge->all, judge->other);
    double low = arc_diagnostics_quantile(judge->all, judge->other, 0.05);
    double high = arc_diagnostics_quantile(judge->all, judge->other, 0.95);
    double median = arc_diagnostics_quantile(judge->all, judge->other, 0.5);
    double at_low = indicator_size(judge, low), at_high = indicator_size(judge, high);
    diagnosis.ess_tail = isnan(at_low) || isnan(at_high) ? NAN : fmin(at_low, at_high);
    score_ranks(judge->all, judge->x, judge->ranked, judge->scores);
    diagnosis.r_hat = r_hat(judge->n_chains, judge->n, judge->scores);
    diagnosis.ess_bulk = effective_size(judge, judge->scores);
    for (int i = 0; i < judge->all; i++)
        judge->other[i] = fabs(judge->x[i] - median);
    score_ranks(judge->all, judge->other, judge->ranked, judge->scores);
    double folded = r_hat(judge->n_chains, judge->n, judge->scores);
    if (!isnan(diagnosis.r_hat))
        diagnosis.r_hat = fmax(diagnosis.r_hat, folded);
    return diagnosis;
}

ArcStatus arc_diagnostics_judge(int n_chains, int n_draws, const double *draws,
                                ArcChainDiagnosis *diagnosis, ArcError *err)
{
    Judge judge = {.n_chains = 2 * n_chains, .n = n_draws / 2};
    *diagnosis = (ArcChainDiagnosis){NAN, NAN, NAN};
    if (judge.n < LEAST_DRAWS / 2)
        return ARC_OK;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    judge.all = judge.n_chains * judge.n;
    size_t all = (size_t)judge.all;
    judge.x = ARC_ALLOC(arena, all, double);
    judge.other = ARC_ALLOC(arena, all, double);
    judge.scores = ARC_ALLOC(arena, all, double);
    judge.rho = ARC_ALLOC(arena, (size_t)(judge.n + judge.n_chains), double);
    judge.ranked = ARC_ALLOC(arena, all, Ranked);
    ArcStatus status = ARC_OK;
    if (judge.x == NULL || judge.other == NULL || judge.scores == NULL || judge.rho == NULL ||
        judge.ranked == NULL)
        status = arc_error_no_memory(err);
    if (status == ARC_OK) {
        split(n_chains, n_draws, draws, judge.x);
        *diagnosis = judge_halves(&judge);
    }
    arc_arena_free(arena);
    return status;
}
