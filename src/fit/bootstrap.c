/* Bootstrap: the fit of many captures like the one at hand, drawn from it.
 *
 * residual: y_i = x_i + sigma_i e, e drawn from the scaled residuals r_i = (y_i - x_i) / sigma_i,
 *   each divided by sqrt(1 - h_i), since a fit makes residuals smaller than errors by that (h the
 *   leverage, diagonal of the projection onto the Jacobian with the priors' rows), all less their
 *   mean (Davison and Hinkley, Bootstrap Methods, 1997, section 6.2.3).
 * case: as many times as there are, drawn from them with all coordinates; a time drawn twice counts
 *   twice.
 * A prior is an observation of its parameter: it is drawn anew from a normal distribution with its
 * sd, about the estimate (residual) or its mean (case).
 *
 * Each replicate has a random stream of its own, so that threads change nothing.
 */
#include "base/random.h"
#include "fit/derived.h"
#include "fit/objectives.h"
#include "fit/uncertainty.h"
#include "solve/diagnostics.h"
#include "solve/posterior.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { LEAST_REPLICATES = 40, LEAST_CASES = 2 };

static const double least_freedom = 1e-6; /* 1 - h from which a residual says something */
static const double rank_share = 1e-10;

typedef struct Bootstrap {
    ArcExplorer *explorer;
    ArcBootstrapKind kind;
    int n, n_numbers;
    const double *values; /* (n_parameters) of the fit */
    double *flown;        /* (n_observations) the fit's positions */
    int n_pool;
    double *pool;       /* (n_pool) scaled residuals */
    double *replicates; /* (n, n_numbers) */
    double *sds;        /* the same shape */
    int n_done;
    ArcStatus status;
    ArcError error;
} Bootstrap;

/* Positions of the fit at the observations, from those at the capture's points. */
static void fill_flown(const ArcProblem *problem, const ArcFit *fit, double *flown)
{
    int n = 0;
    for (int axis = 0; axis < problem->d; axis++)
        for (int i = 0; i < problem->n_points; i++) {
            int at = i * problem->d + axis;
            if (problem->point_use[i] == ARC_POINT_FIT && isfinite(problem->point_position_m[at]))
                flown[n++] = fit->predicted_m[at];
        }
}

/* Leverages of the m rows of J (m, n) column-major, which is used up: squares of the rows of an
 * orthonormal basis of its columns. tau (n), pivot (n), h (m). */
static ArcStatus leverages(int m, int n, double *J, double *tau, int *pivot, double *h,
                           ArcError *err)
{
    for (int k = 0; k < n; k++) {
        double *column = J + (size_t)k * (size_t)m, sum = 0.0;
        for (int i = 0; i < m; i++)
            sum += column[i] * column[i];
        for (int i = 0; i < m && sum > 0.0; i++)
            column[i] /= sqrt(sum);
        pivot[k] = 0;
    }
    int rank = 0, most = m < n ? m : n;
    int info = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, m, n, J, m, pivot, tau);
    while (info == 0 && rank < most &&
           fabs(J[(size_t)rank * (size_t)(m + 1)]) > rank_share * fabs(J[0]))
        rank++;
    if (info == 0)
        info = LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, rank, rank, J, m, tau);
    if (info != 0)
        return arc_error_no_memory(err);
    for (int i = 0; i < m; i++) {
        h[i] = 0.0;
        for (int k = 0; k < rank; k++)
            h[i] += J[(size_t)i + (size_t)k * (size_t)m] * J[(size_t)i + (size_t)k * (size_t)m];
    }
    return ARC_OK;
}

/* Leverages of the observations at the fit's values, by the simulated flight for both methods. */
static ArcStatus find_leverages(const Bootstrap *b, ArcArena *arena, double **leverage,
                                ArcError *err)
{
    const ArcProblem *problem = b->explorer->problem;
    ArcObjective objective;
    ArcTrajectory states;
    double *all = NULL, u[ARC_MAX_PARAMETERS];
    ArcStatus status = arc_direct_objective(problem, arena, &objective, &states, &all, err);
    if (status != ARC_OK)
        return status;
    size_t m = (size_t)objective.m, n = (size_t)objective.n_outer;
    double *J = ARC_ALLOC(arena, m * n, double), *r = ARC_ALLOC(arena, m, double);
    double *h = ARC_ALLOC(arena, m, double), *tau = ARC_ALLOC(arena, n, double);
    int *pivot = ARC_ALLOC(arena, n, int);
    if (J == NULL || r == NULL || h == NULL || tau == NULL || pivot == NULL)
        return arc_error_no_memory(err);
    for (size_t k = 0; k < n; k++)
        u[k] = b->values[problem->free_parameter[k]];
    *leverage = h;
    if (!objective.evaluate(objective.context, u, r, J))
        return ARC_OK;
    return leverages(objective.m, objective.n_outer, J, tau, pivot, h, err);
}

static ArcStatus fill_pool(Bootstrap *b, ArcArena *arena, ArcError *err)
{
    const ArcProblem *problem = b->explorer->problem;
    double *h = NULL, mean = 0.0;
    ArcStatus status = find_leverages(b, arena, &h, err);
    b->pool = ARC_ALLOC(arena, (size_t)problem->n_observations, double);
    if (status != ARC_OK)
        return status;
    if (b->pool == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        if (1.0 - h[i] > least_freedom)
            b->pool[b->n_pool++] = (o->value_m - b->flown[i]) / o->sigma_m / sqrt(1.0 - h[i]);
    }
    for (int i = 0; i < b->n_pool; i++)
        mean += b->pool[i] / b->n_pool;
    for (int i = 0; i < b->n_pool; i++)
        b->pool[i] -= mean;
    return ARC_OK;
}

static int draw_below(ArcRandom *random, int n)
{
    return (int)(arc_random_uniform(random, 0.0, 1.0) * n);
}

static void draw_residuals(const Bootstrap *b, ArcRandom *random, ArcProblem *problem)
{
    for (int i = 0; i < problem->n_observations; i++) {
        ArcObservation *o = &problem->observations[i];
        o->value_m = b->flown[i] + o->sigma_m * b->pool[draw_below(random, b->n_pool)];
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
}

/* How far the errors are from their sigmas, as the fit with this half sum of squares sees it. */
static double scatter_of(const ArcProblem *problem, double cost)
{
    int dof = problem->n_observations + problem->n_priors - problem->n_free;
    return dof > 0 ? sqrt(2.0 * cost / dof) : NAN;
}

/* Numbers of a replicate and their sds into its rows, unless it tells fewer apart than the fit. */
static ArcStatus fill_replicate(Bootstrap *b, int index, const ArcProblem *problem,
                                const ArcOutcome *outcome, ArcArena *arena, ArcError *err)
{
    const ArcFit *fit = b->explorer->fit;
    size_t at = (size_t)index * (size_t)b->n_numbers;
    double *number = b->replicates + at, *sd = b->sds + at;
    ArcPosterior posterior;
    ArcFit replicate = *fit;
    ArcStatus status = arc_posterior_create(problem->n_free, outcome->T, arena, &posterior, err);
    if (status != ARC_OK || posterior.n_null > fit->n_unidentified)
        return status;
    replicate.arena = arena;
    replicate.covariance = posterior.covariance;
    status = arc_fit_derive(&replicate, problem, outcome->values, err);
    if (status != ARC_OK)
        return status;
    double scatter = scatter_of(problem, outcome->cost);
    for (int k = 0; k < fit->n_free; k++) {
        number[k] = outcome->values[problem->free_parameter[k]];
        sd[k] = scatter * sqrt(posterior.covariance[k * (fit->n_free + 1)]);
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
    ArcOutcome outcome = {.T = NULL};
    ArcStatus status = ARC_OK;
    if (problem->n_observations + problem->n_priors >= problem->n_free)
        status = arc_refit_run(b->explorer, problem, arena, &outcome, err);
    if (status == ARC_OK && outcome.T != NULL && outcome.converged)
        status = fill_replicate(b, index, problem, &outcome, arena, err);
    return status;
}

/* One replicate from any thread; the first failure stays. */
static void try_replicate(Bootstrap *b, int index)
{
    ArcArena *arena = arc_arena_create();
    ArcError err;
    bool goes_on;
#pragma omp critical(arc_bootstrap)
    goes_on = b->status == ARC_OK && !b->explorer->interrupted;
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
    return b->kind == ARC_BOOTSTRAP_RESIDUAL ? fill_pool(b, arena, err) : ARC_OK;
}

/* Why there can be no bootstrap of this kind, NULL where there can. */
static const char *reason_against(const ArcProblem *problem, ArcBootstrapKind kind)
{
    if (problem->n_observations + problem->n_priors - problem->n_free < 1)
        return "there are no more observations than parameters, so that their scatter, which a "
               "bootstrap draws from, is not known";
    if (kind == ARC_BOOTSTRAP_CASE && problem->n_times * problem->d < LEAST_CASES * problem->n_free)
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
