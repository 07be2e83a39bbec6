/* Bootstrap: the fit of many captures like the one at hand, drawn from it.
 *
 * residual: y_i = x_i + sigma_i e, where e is drawn from the scaled residuals
 * (y_i - x_i) / (sigma_i sqrt(1 - h_i)), since a fit makes residuals smaller than errors by that (h
 * the leverage, rows.h), all less their mean, weighted as the loss weighs them (Davison and
 * Hinkley, Bootstrap Methods, 1997, section 6.2.3).
 *
 * case: as many times as there are, drawn from them with all coordinates; a time drawn twice counts
 * twice.
 *
 * A prior is an observation of its parameter: it is drawn anew from a normal distribution with its
 * sd, about the estimate (residual) or its mean (case); likewise a reading, and each number that
 * was seen of a swing. Sigma and the loss's degrees of freedom stay those of the fit.
 *
 * Intervals by bootstrap-t: the t's are (replicate - value) / sd, the sd of the replicate by its
 * own covariance and its own scatter. Each replicate has a random stream of its own, so that
 * threads change nothing.
 */
#include "base/random.h"
#include "fit/arm_fit.h"
#include "fit/derived.h"
#include "fit/spread.h"
#include "fit/swing.h"
#include "fit/uncertainty.h"
#include "solve/diagnostics.h"

#include <math.h>
#include <string.h>

enum { LEAST_REPLICATES = 40, LEAST_CASES = 2, LEAST_POOL = 2 };

static const double least_freedom = 1e-6; /* 1 - h from which a residual says something */

typedef struct Bootstrap {
    ArcExplorer *explorer;
    ArcBootstrapKind kind;
    int n, n_numbers;
    const double *values; /* (n_parameters) of the fit */
    double *flown;        /* (n_observations) the fit's positions */
    double *swung;        /* its numbers of the swing, by observation; NULL: there is none */
    int n_pool;
    double *pool;       /* (n_pool) scaled residuals */
    double *replicates; /* (n, n_numbers) */
    double *sds;        /* the same shape */
    int n_done;
    ArcStatus status;
    ArcError error;
} Bootstrap;

/* Numbers of the fit at the observations, from those at the capture's points. */
static void fill_flown(const ArcProblem *problem, const ArcFit *fit, double *flown)
{
    const double *predicted = problem->view != NULL ? fit->predicted_px : fit->predicted_m;
    int stride = problem->view != NULL ? ARC_VIEW_NUMBERS : problem->n_axes;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        flown[i] = predicted[problem->time_point[o->time] * stride + o->axis];
    }
}

/* The loss's mean of the pool is taken off it, of which the estimate is free but for leverage. */
static void centre_pool(Bootstrap *b)
{
    double sum = 0.0, weights = 0.0;
    for (int i = 0; i < b->n_pool; i++) {
        double weight = arc_loss_weight(&b->explorer->fit->spread.loss, b->pool[i]);
        sum += weight * b->pool[i];
        weights += weight;
    }
    for (int i = 0; i < b->n_pool; i++)
        b->pool[i] -= sum / weights;
}

static ArcStatus fill_pool(Bootstrap *b, ArcArena *arena, ArcError *err)
{
    const ArcProblem *problem = b->explorer->problem;
    ArcRows *rows;
    ArcStatus status = arc_explorer_rows(b->explorer, arena, &rows, err);
    b->pool = ARC_ALLOC(arena, (size_t)problem->n_observations, double);
    if (status == ARC_OK && b->pool == NULL)
        status = arc_error_no_memory(err);
    for (int i = 0; status == ARC_OK && i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        double rest = rows != NULL ? 1.0 - rows->leverage[i] : 1.0;
        if (rest > least_freedom)
            b->pool[b->n_pool++] = (o->value - b->flown[i]) / o->sigma / sqrt(rest);
    }
    if (status == ARC_OK)
        centre_pool(b);
    return status;
}

static int draw_below(ArcRandom *random, int n)
{
    return (int)(arc_random_uniform(random, 0.0, 1.0) * n);
}

static void draw_residuals(const Bootstrap *b, ArcRandom *random, ArcProblem *problem)
{
    for (int i = 0; i < problem->n_observations; i++) {
        ArcObservation *o = &problem->observations[i];
        o->value = b->flown[i] + o->sigma * b->pool[draw_below(random, b->n_pool)];
    }
}

/* count (n_times): how often each time is drawn. Observations stay in the order by axis and time.
 */
static void draw_cases(const ArcProblem *from, ArcRandom *random, int *count, ArcProblem *problem)
{
    int n = 0;
    for (int i = 0; i < from->n_times; i++)
        count[draw_below(random, from->n_times)]++;
    for (int i = 0; i < from->n_observations; i++)
        for (int k = 0; k < count[from->observations[i].time]; k++)
            problem->observations[n++] = from->observations[i];
    problem->n_observations = n;
}

static void draw_priors(const Bootstrap *b, ArcRandom *random, ArcProblem *problem)
{
    for (int i = 0; i < problem->n_parameters; i++) {
        ArcParameter *p = &problem->parameters[i];
        if (!p->is_free || !p->has_prior)
            continue;
        double about = b->kind == ARC_BOOTSTRAP_CASE ? p->prior_mean : b->values[i];
        p->prior_mean = about + p->prior_sd * arc_random_normal(random);
    }
    for (int i = 0; i < problem->n_readings; i++) {
        ArcProblemReading *reading = &problem->readings[i];
        if (b->kind == ARC_BOOTSTRAP_RESIDUAL)
            reading->value = b->explorer->fit->readings[i].fitted;
        reading->value += reading->sd * arc_random_normal(random);
    }
}

static void draw_swing(const Bootstrap *b, ArcRandom *random, ArcProblem *swing)
{
    for (int i = 0; i < swing->n_observations; i++) {
        ArcObservation *o = &swing->observations[i];
        if (b->kind == ARC_BOOTSTRAP_RESIDUAL)
            o->value = b->swung[i];
        o->value += o->sigma * arc_random_normal(random);
    }
}

/* Observations less those that are an earlier one drawn again, which stand behind it. */
static int count_distinct(const ArcProblem *problem)
{
    int n = 0;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        n += i == 0 || o->time != o[-1].time || o->axis != o[-1].axis;
    }
    return n;
}

/* What the covariance's sds lack: how far the errors are from given sigmas, as the fit with this
 * half sum of squares sees it. A robust loss and an estimated sigma have it in the covariance. A
 * fit that goes through all its points, however often each was drawn, tells nothing of errors. */
static double scatter_of(const ArcProblem *problem, double cost)
{
    int others = problem->n_priors - problem->n_free;
    int swung = arc_problem_n_observed(problem) - problem->n_observations;
    if (count_distinct(problem) + swung + others <= 0)
        return NAN;
    if (problem->loss.kind != ARC_LOSS_GAUSS)
        return 1.0;
    return sqrt(2.0 * cost / (arc_problem_n_observed(problem) + others));
}

/* Numbers of a replicate and their sds into its rows, unless it tells fewer apart than the fit. */
static ArcStatus fill_replicate(Bootstrap *b, int index, const ArcStarts *starts, ArcArena *arena,
                                ArcError *err)
{
    const ArcOutcome *outcome = arc_starts_best(starts);
    const ArcProblem *problem = arc_starts_problem(starts);
    const ArcFit *fit = b->explorer->fit;
    size_t at = (size_t)index * (size_t)b->n_numbers;
    double *number = b->replicates + at, *sd = b->sds + at;
    ArcSpreadFound found;
    ArcFit replicate = *fit;
    if (outcome->T == NULL || !outcome->converged)
        return ARC_OK;
    ArcStatus status = arc_spread_find(problem, outcome, arena, arena, &found, err);
    const ArcPosterior *posterior = &found.posterior;
    if (status != ARC_OK || posterior->n_null > fit->n_unidentified)
        return status;
    replicate.arena = arena;
    replicate.covariance = posterior->covariance;
    status = arc_fit_create_arm(&replicate, problem, outcome->values, err);
    if (status != ARC_OK)
        return status;
    if (problem->equations == NULL)
        status = arc_fit_derive(&replicate, problem, outcome->values, err);
    if (status != ARC_OK)
        return status;
    double scatter = scatter_of(problem, outcome->cost);
    for (int k = 0; k < fit->n_free; k++) {
        number[k] = outcome->values[problem->free_parameter[k]];
        sd[k] = scatter * sqrt(posterior->covariance[k * (fit->n_free + 1)]);
    }
    for (int i = 0; i < fit->n_derived; i++)
        for (int j = 0; j < replicate.n_derived; j++)
            if (strcmp(fit->derived[i].name, replicate.derived[j].name) == 0) {
                number[fit->n_free + i] = replicate.derived[j].value;
                sd[fit->n_free + i] = scatter * replicate.derived[j].sd;
            }
    return ARC_OK;
}

static ArcStatus run_replicate(Bootstrap *b, int index, ArcArena *arena, ArcError *err)
{
    const ArcProblem *from = b->explorer->problem;
    ArcRandom random =
        arc_random_create(from->seed, ARC_STREAM_BOOTSTRAP + ((uint64_t)index << 32));
    ArcProblem *problem = arc_refit_problem(b->explorer, b->values, arena);
    int *count = ARC_ALLOC(arena, (size_t)from->n_times, int);
    if (problem == NULL || count == NULL)
        return arc_error_no_memory(err);
    if (b->kind == ARC_BOOTSTRAP_RESIDUAL)
        draw_residuals(b, &random, problem);
    else
        draw_cases(from, &random, count, problem);
    draw_priors(b, &random, problem);
    if (problem->swing != NULL)
        draw_swing(b, &random, problem->swing);
    ArcStarts *starts = NULL;
    ArcStatus status = ARC_OK;
    if (arc_problem_n_observed(problem) + problem->n_priors >= problem->n_free)
        status = arc_refit_run(b->explorer, problem, &starts, err);
    if (status == ARC_OK && starts != NULL)
        status = fill_replicate(b, index, starts, arena, err);
    arc_starts_free(starts);
    return status;
}

/* One replicate from any thread; the first failure stays. */
static void try_replicate(Bootstrap *b, int index)
{
    ArcArena *arena = arc_arena_create();
    ArcError err;
    bool goes_on;
#pragma omp critical(arc_bootstrap)
    goes_on = b->status == ARC_OK;
    goes_on = goes_on && !arc_explorer_is_interrupted(b->explorer);
    if (goes_on) {
        ArcStatus status =
            arena == NULL ? arc_error_no_memory(&err) : run_replicate(b, index, arena, &err);
        int done;
#pragma omp critical(arc_bootstrap)
        {
            done = ++b->n_done;
            if (status != ARC_OK && b->status == ARC_OK) {
                b->status = status;
                b->error = err;
            }
        }
        arc_explorer_tell(b->explorer, "bootstrap", done, b->n);
    }
    arc_arena_free(arena);
}

/* Order statistic p (n + 1) of n ascending values, linear between two. */
static double order_statistic(int n, const double *sorted, double p)
{
    double at = fmin(fmax(p * (n + 1) - 1.0, 0.0), n - 1.0);
    int i = (int)at;
    return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

/* What the replicates say of number j; sd: the fit's own, as the replicates have theirs. */
static void summarise(const Bootstrap *b, int j, double sd, double *scratch,
                      ArcBootstrapNumber *number)
{
    int n = 0, n_t = 0;
    double mean = 0.0, sum = 0.0, *t = scratch + b->n;
    for (int i = 0; i < b->n; i++) {
        size_t at = (size_t)i * (size_t)b->n_numbers + (size_t)j;
        if (!isfinite(b->replicates[at]))
            continue;
        scratch[n++] = b->replicates[at];
        double ratio = (b->replicates[at] - number->value) / b->sds[at];
        if (isfinite(ratio))
            t[n_t++] = ratio;
    }
    for (int i = 0; i < n; i++)
        mean += scratch[i] / n;
    for (int i = 0; i < n; i++)
        sum += (scratch[i] - mean) * (scratch[i] - mean);
    number->n = n;
    number->bias = n > 0 ? mean - number->value : NAN;
    number->sd = n > 1 ? sqrt(sum / (n - 1)) : NAN;
    arc_diagnostics_sort(n, scratch);
    arc_diagnostics_sort(n_t, t);
    for (int side = 0; side < 2; side++) {
        double p = side == 0 ? 0.025 : 0.975;
        bool enough = n >= LEAST_REPLICATES, t_enough = enough && 10 * n_t >= 9 * n;
        number->percentile95[side] = enough ? order_statistic(n, scratch, p) : NAN;
        number->t95[side] = t_enough ? number->value - sd * order_statistic(n_t, t, 1.0 - p) : NAN;
    }
}

static ArcStatus fill_result(const Bootstrap *b, ArcArena *scratch, ArcBootstrap *result,
                             ArcError *err)
{
    const ArcFit *fit = b->explorer->fit;
    const ArcProblem *problem = b->explorer->problem;
    ArcBootstrapNumber *numbers = ARC_ALLOC(fit->arena, (size_t)b->n_numbers, ArcBootstrapNumber);
    double *room = ARC_ALLOC(scratch, 2 * (size_t)b->n, double);
    if (numbers == NULL || room == NULL)
        return arc_error_no_memory(err);
    double scatter = scatter_of(problem, 0.5 * (fit->residuals.chi2 + fit->residuals.prior_chi2));
    for (int j = 0; j < b->n_numbers; j++) {
        const ArcEstimate *e = j < fit->n_free ? &fit->parameters[problem->free_parameter[j]]
                                               : &fit->derived[j - fit->n_free];
        numbers[j] = (ArcBootstrapNumber){.name = e->name, .unit = e->unit, .value = e->value};
        summarise(b, j, scatter * e->sd, room, &numbers[j]);
    }
    *result = (ArcBootstrap){.kind = b->kind,
                             .n = b->n,
                             .n_numbers = b->n_numbers,
                             .numbers = numbers,
                             .replicates = b->replicates};
    for (int i = 0; i < b->n; i++)
        result->n_failed += isnan(b->replicates[(size_t)i * (size_t)b->n_numbers]);
    return ARC_OK;
}

static ArcStatus bootstrap_create(Bootstrap *b, ArcArena *arena, ArcError *err)
{
    const ArcProblem *problem = b->explorer->problem;
    const ArcFit *fit = b->explorer->fit;
    b->n_numbers = fit->n_free + fit->n_derived;
    size_t all = (size_t)b->n * (size_t)b->n_numbers;
    double *values = ARC_ALLOC(arena, (size_t)problem->n_parameters, double);
    b->flown = ARC_ALLOC(arena, (size_t)problem->n_observations, double);
    b->replicates = ARC_ALLOC(fit->arena, all, double);
    b->sds = ARC_ALLOC(arena, all, double);
    if (values == NULL || b->flown == NULL || b->replicates == NULL || b->sds == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < all; i++)
        b->replicates[i] = b->sds[i] = NAN;
    for (int i = 0; i < problem->n_parameters; i++)
        values[i] = fit->parameters[i].value;
    b->values = values;
    fill_flown(problem, fit, b->flown);
    if (problem->swing != NULL) {
        size_t n = (size_t)problem->swing->n_observations;
        int *order = ARC_ALLOC(arena, n, int);
        b->swung = ARC_ALLOC(arena, n, double);
        if (order == NULL || b->swung == NULL)
            return arc_error_no_memory(err);
        arc_swing_in_time(problem->swing, order);
        for (size_t k = 0; k < n; k++)
            b->swung[order[k]] = fit->arm->swing->fitted[k];
    }
    return b->kind == ARC_BOOTSTRAP_RESIDUAL ? fill_pool(b, arena, err) : ARC_OK;
}

/* Why there can be no bootstrap of this kind, NULL where there can. */
static const char *reason_against(const ArcProblem *problem, ArcBootstrapKind kind)
{
    if (arc_problem_n_observed(problem) + problem->n_priors - problem->n_free < 1)
        return "there are no more observations than parameters, so that their scatter, which a "
               "bootstrap draws from, is not known";
    if (kind == ARC_BOOTSTRAP_CASE &&
        problem->n_times * problem->n_axes < LEAST_CASES * problem->n_free)
        return "there are too few points to draw whole points from; use bootstrap_kind residual";
    return NULL;
}

ArcStatus arc_bootstrap_run(ArcExplorer *explorer, const ArcUncertaintySettings *settings,
                            ArcUncertainty *uncertainty, ArcError *err)
{
    const char *reason = reason_against(explorer->problem, settings->bootstrap_kind);
    if (reason != NULL) {
        uncertainty->note = reason;
        return ARC_OK;
    }
    ArcArena *arena = arc_arena_create();
    ArcBootstrap *result = ARC_ALLOC(explorer->fit->arena, 1, ArcBootstrap);
    if (arena == NULL || result == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    Bootstrap b = {
        .explorer = explorer, .kind = settings->bootstrap_kind, .n = settings->bootstrap};
    ArcStatus status = bootstrap_create(&b, arena, err);
    if (status == ARC_OK && b.kind == ARC_BOOTSTRAP_RESIDUAL && b.n_pool < LEAST_POOL) {
        uncertainty->note = "the model can follow the points whatever their errors, so that their "
                            "scatter, which a bootstrap draws from, is not known";
        arc_arena_free(arena);
        return ARC_OK;
    }
    if (status == ARC_OK) {
#pragma omp parallel for schedule(dynamic) num_threads(arc_explorer_threads(explorer, b.n))
        for (int i = 0; i < b.n; i++)
            try_replicate(&b, i);
        status = b.status;
        if (status != ARC_OK && err != NULL)
            *err = b.error;
    }
    if (status == ARC_OK && !explorer->interrupted) {
        status = fill_result(&b, arena, result, err);
        uncertainty->bootstrap = result;
    }
    arc_arena_free(arena);
    return status;
}
