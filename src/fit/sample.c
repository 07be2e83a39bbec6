/* Markov chains on the direct fit's posterior, exp(-F) with flat priors where none is given; sigma
 * and the loss's degrees of freedom are the fit's.
 *
 * Four ensembles of 2 (n + 1) walkers (ensemble.h) run beside each other, each with a random stream
 * and an objective of its own. Bounds are taken away by coordinates (bounded.h), whose Jacobian
 * comes into the density. Walkers begin scattered about the estimate by the covariance. After a
 * burn-in, in which the sweeps per independent draw are counted, draws are kept that are twice as
 * many sweeps apart; each walker's draws are a chain to the diagnostics.
 */
#include "base/random.h"
#include "fit/objectives.h"
#include "fit/uncertainty.h"
#include "solve/bounded.h"
#include "solve/diagnostics.h"
#include "solve/ensemble.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { N_ENSEMBLES = 4, BURN_IN = 400, LONG_BURN_IN = 6400, MOST_THIN = 400, LEAST_DRAWS = 8 };

static const double apart = 2.0; /* sweeps between draws, in sweeps per independent draw */
static const double burn_in_length = 10.0; /* the same for the burn-in */
static const double null_spread = 10.0;    /* of walkers along what the data do not tell */
static const double margin_share = 0.1;    /* of an sd, from a bound */

/* One ensemble; what its density needs is its own. */
typedef struct Walk {
    ArcEnsemble *ensemble;
    ArcObjective objective;
    double *u, *r; /* (n), (m) */
    const ArcBounded *bounded;
} Walk;

typedef struct Sampler {
    ArcExplorer *explorer;
    ArcArena *arena;
    const ArcProblem *problem;  /* with the fit's noise */
    int n, n_walkers, n_chains; /* unknowns; walkers of one ensemble, of all */
    ArcBounded *bounded;        /* (n) */
    double *margin;             /* (n) */
    Walk walks[N_ENSEMBLES];
    int n_told, n_sweeps; /* done, in all */
} Sampler;

static double log_density(void *context, const double *x)
{
    Walk *walk = context;
    double sum = 0.0, log_jacobian;
    for (int k = 0; k < walk->objective.n_outer; k++) {
        walk->u[k] = arc_bounded_value(&walk->bounded[k], x[k], &log_jacobian);
        sum += log_jacobian;
    }
    if (!walk->objective.evaluate(walk->objective.context, walk->u, walk->r, NULL))
        return -INFINITY;
    for (int i = 0; i < walk->objective.m; i++)
        sum -= 0.5 * walk->r[i] * walk->r[i];
    return sum;
}

/* Coordinates: scale and margins by the sds, by the values where there is none. */
static void place_bounds(Sampler *s)
{
    const ArcProblem *problem = s->explorer->problem;
    const ArcFit *fit = s->explorer->fit;
    for (int k = 0; k < s->n; k++) {
        const ArcEstimate *e = &fit->parameters[problem->free_parameter[k]];
        double sd = e->sd > 0.0 ? e->sd : fmax(0.1 * fabs(e->value), 1e-3);
        s->bounded[k] = (ArcBounded){problem->low[k], problem->high[k], sd};
        s->margin[k] = margin_share * sd;
    }
}

/* A factor L (n, n) row-major of the covariance, L L' = C, null directions added at a length of
 * their own as further columns: (n, n + n_unidentified). */
static ArcStatus factor_covariance(const Sampler *s, double *L, ArcError *err)
{
    const ArcFit *fit = s->explorer->fit;
    size_t n = (size_t)s->n, columns = n + (size_t)fit->n_unidentified;
    double *V = ARC_ALLOC(s->arena, n * n, double), *w = ARC_ALLOC(s->arena, n, double);
    double *sd = ARC_ALLOC(s->arena, n, double);
    if (V == NULL || w == NULL || sd == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++)
        sd[i] = fmax(sqrt(fit->covariance[i * (n + 1)]), 1e-300);
    for (size_t i = 0; i < n * n; i++)
        V[i] = fit->covariance[i] / (sd[i / n] * sd[i % n]);
    if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', s->n, V, s->n, w) != 0)
        return arc_error_set(err, ARC_NUMERIC, "error: the covariance has no eigenvectors");
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++)
            L[i * columns + k] = sd[i] * V[i + k * n] * sqrt(fmax(w[k], 0.0));
        for (size_t g = n; g < columns; g++)
            L[i * columns + g] = null_spread * fit->null_directions[(g - n) * n + i];
    }
    return ARC_OK;
}

/* Where the walkers of one ensemble begin: (n_walkers, n). */
static void scatter_walkers(const Sampler *s, const double *L, ArcRandom *random, double *start)
{
    const ArcProblem *problem = s->explorer->problem;
    const ArcFit *fit = s->explorer->fit;
    int columns = s->n + fit->n_unidentified;
    double z[2 * ARC_MAX_PARAMETERS];
    for (int w = 0; w < s->n_walkers; w++) {
        for (int k = 0; k < columns; k++)
            z[k] = arc_random_normal(random);
        for (int i = 0; i < s->n; i++) {
            double x = fit->parameters[problem->free_parameter[i]].value;
            for (int k = 0; k < columns; k++)
                x += L[i * columns + k] * z[k];
            /* A walker that would be beyond a bound goes a little inside, each its own way. */
            double margin = s->margin[i] * arc_random_uniform(random, 0.1, 1.0);
            start[w * s->n + i] = arc_bounded_coordinate(&s->bounded[i], x, margin);
        }
    }
}

static ArcStatus walk_create(Sampler *s, int index, const double *L, ArcError *err)
{
    const ArcProblem *problem = s->explorer->problem;
    Walk *walk = &s->walks[index];
    ArcTrajectory states;
    double *values;
    ArcStatus status =
        arc_direct_objective(problem, s->arena, &walk->objective, &states, &values, err);
    if (status != ARC_OK)
        return status;
    walk->bounded = s->bounded;
    walk->u = ARC_ALLOC(s->arena, (size_t)s->n, double);
    walk->r = ARC_ALLOC(s->arena, (size_t)walk->objective.m, double);
    double *start = ARC_ALLOC(s->arena, (size_t)s->n_walkers * (size_t)s->n, double);
    if (walk->u == NULL || walk->r == NULL || start == NULL)
        return arc_error_no_memory(err);
    ArcRandom random =
        arc_random_create(problem->seed, ARC_STREAM_SAMPLE + ((uint64_t)index << 32));
    scatter_walkers(s, L, &random, start);
    ArcDensity density = {.n = s->n, .context = walk, .log_density = log_density};
    return arc_ensemble_create(&density, s->n_walkers, start, random, s->arena, &walk->ensemble,
                               err);
}

static ArcStatus sampler_create(Sampler *s, ArcError *err)
{
    s->n = s->explorer->problem->n_free;
    s->n_walkers = 2 * (s->n + 1);
    s->n_chains = N_ENSEMBLES * s->n_walkers;
    size_t n = (size_t)s->n;
    size_t columns = n + (size_t)s->explorer->fit->n_unidentified;
    double *L = ARC_ALLOC(s->arena, n * columns, double);
    s->bounded = ARC_ALLOC(s->arena, n, ArcBounded);
    s->margin = ARC_ALLOC(s->arena, n, double);
    if (L == NULL || s->bounded == NULL || s->margin == NULL)
        return arc_error_no_memory(err);
    place_bounds(s);
    ArcStatus status = factor_covariance(s, L, err);
    for (int i = 0; i < N_ENSEMBLES && status == ARC_OK; i++)
        status = walk_create(s, i, L, err);
    return status;
}

/* n sweeps of one ensemble; draws (n chains of all, n_draws) for each unknown: each thin-th sweep
 * of the last n_draws thin ones is kept as coordinates. draws[k + n (draw + n_draws chain)]. */
static void walk_run(Sampler *s, int index, int n_sweeps, int thin, int n_draws, double *draws)
{
    ArcEnsemble *ensemble = s->walks[index].ensemble;
    size_t n = (size_t)s->n, walkers = (size_t)s->n_walkers;
    int first = n_sweeps - n_draws * thin;
    for (int sweep = 1; sweep <= n_sweeps; sweep++) {
        int done;
#pragma omp critical(arc_sample)
        done = ++s->n_told;
        if (arc_explorer_is_interrupted(s->explorer) ||
            !arc_explorer_tell(s->explorer, "sample", done, s->n_sweeps))
            return;
        arc_ensemble_sweep(ensemble);
        if (sweep <= first || (sweep - first) % thin != 0)
            continue;
        size_t draw = (size_t)((sweep - first) / thin - 1);
        for (size_t w = 0; w < walkers; w++)
            memcpy(draws + (((size_t)index * walkers + w) * (size_t)n_draws + draw) * n,
                   ensemble->x + w * n, sizeof(double) * n);
    }
}

static void run_all(Sampler *s, int n_sweeps, int thin, int n_draws, double *draws)
{
#pragma omp parallel for schedule(dynamic)                                                         \
    num_threads(arc_explorer_threads(s->explorer, N_ENSEMBLES))
    for (int i = 0; i < N_ENSEMBLES; i++)
        walk_run(s, i, n_sweeps, thin, n_draws, draws);
}

/* One unknown's column of draws, chain by chain. */
static void take_column(const Sampler *s, int n_draws, const double *draws, int k, double *column)
{
    size_t all = (size_t)s->n_chains * (size_t)n_draws;
    for (size_t i = 0; i < all; i++)
        column[i] = draws[i * (size_t)s->n + (size_t)k];
}

/* Burn-in, and the sweeps per independent draw in its second half; as long as it is not many of
 * these, once more and longer. */
static ArcStatus burn_in(Sampler *s, int *n_burn_in, double *correlation, ArcError *err)
{
    *n_burn_in = 0;
    for (int length = BURN_IN; length <= LONG_BURN_IN; length *= 4) {
        ArcArena *arena = arc_arena_create();
        int n = length / 2;
        size_t all = (size_t)s->n_chains * (size_t)n;
        double *draws = arena == NULL ? NULL : ARC_ALLOC(arena, all * (size_t)s->n, double);
        double *column = draws == NULL ? NULL : ARC_ALLOC(arena, all, double);
        double *rho = column == NULL ? NULL : ARC_ALLOC(arena, (size_t)(n + s->n_chains), double);
        if (rho == NULL) {
            arc_arena_free(arena);
            return arc_error_no_memory(err);
        }
        s->n_sweeps += N_ENSEMBLES * length;
        run_all(s, length, 1, n, draws);
        *n_burn_in += length;
        *correlation = 1.0;
        for (int k = 0; k < s->n && !s->explorer->interrupted; k++) {
            take_column(s, n, draws, k, column);
            double of_k = arc_diagnostics_correlation(s->n_chains, n, column, rho);
            *correlation = fmax(*correlation, isnan(of_k) ? n : of_k);
        }
        arc_arena_free(arena);
        if (s->explorer->interrupted || length == LONG_BURN_IN ||
            *correlation * burn_in_length <= length)
            break;
    }
    return ARC_OK;
}

/* What the draws of one unknown (column, by now values) say; they are sorted. */
static ArcStatus summarise(const Sampler *s, int n_draws, double *column, ArcSampledNumber *number,
                           ArcError *err)
{
    int all = s->n_chains * n_draws;
    ArcChainDiagnosis diagnosis;
    ArcStatus status = arc_diagnostics_judge(s->n_chains, n_draws, column, &diagnosis, err);
    double mean = 0.0, sum = 0.0;
    for (int i = 0; i < all; i++)
        mean += column[i] / all;
    for (int i = 0; i < all; i++)
        sum += (column[i] - mean) * (column[i] - mean);
    arc_diagnostics_sort(all, column);
    number->mean = mean;
    number->sd = sqrt(sum / (all - 1));
    number->ci95[0] = arc_diagnostics_quantile(all, column, 0.025);
    number->ci95[1] = arc_diagnostics_quantile(all, column, 0.975);
    number->r_hat = diagnosis.r_hat;
    number->ess_bulk = diagnosis.ess_bulk;
    number->ess_tail = diagnosis.ess_tail;
    return status;
}

static ArcStatus fill_samples(const Sampler *s, int n_draws, double *draws, ArcSamples *samples,
                              ArcError *err)
{
    const ArcFit *fit = s->explorer->fit;
    size_t all = (size_t)s->n_chains * (size_t)n_draws, n = (size_t)s->n;
    ArcSampledNumber *numbers = ARC_ALLOC(fit->arena, n, ArcSampledNumber);
    double *column = ARC_ALLOC(s->arena, all, double);
    if (numbers == NULL || column == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < all * n; i++)
        draws[i] = arc_bounded_value(&s->bounded[i % n], draws[i], NULL);
    samples->believable = true;
    for (int k = 0; k < s->n; k++) {
        const ArcEstimate *e = &fit->parameters[s->explorer->problem->free_parameter[k]];
        ArcSampledNumber *number = &numbers[k];
        *number = (ArcSampledNumber){.name = e->name, .unit = e->unit, .value = e->value};
        take_column(s, n_draws, draws, k, column);
        ArcStatus status = summarise(s, n_draws, column, number, err);
        if (status != ARC_OK)
            return status;
        samples->believable = samples->believable && number->r_hat <= ARC_SAMPLES_R_HAT &&
                              fmin(number->ess_bulk, number->ess_tail) >= ARC_SAMPLES_ESS;
    }
    long long tried = 0, accepted = 0;
    for (int i = 0; i < N_ENSEMBLES; i++) {
        tried += s->walks[i].ensemble->n_tried;
        accepted += s->walks[i].ensemble->n_accepted;
    }
    samples->n_ensembles = N_ENSEMBLES;
    samples->n_walkers = s->n_walkers;
    samples->n_kept = (int)all;
    samples->acceptance = (double)accepted / (double)tried;
    samples->n_numbers = s->n;
    samples->numbers = numbers;
    samples->draws = draws;
    return ARC_OK;
}

static ArcStatus sample(Sampler *s, int n, ArcSamples *samples, ArcError *err)
{
    double correlation = 1.0;
    ArcStatus status = sampler_create(s, err);
    if (status == ARC_OK)
        status = burn_in(s, &samples->n_burn_in, &correlation, err);
    if (status != ARC_OK || s->explorer->interrupted)
        return status;
    int n_draws = (n + s->n_chains - 1) / s->n_chains;
    n_draws = n_draws < LEAST_DRAWS ? LEAST_DRAWS : n_draws;
    samples->thin = (int)fmin(ceil(apart * correlation), MOST_THIN);
    size_t all = (size_t)s->n_chains * (size_t)n_draws * (size_t)s->n;
    double *draws = ARC_ALLOC(s->explorer->fit->arena, all, double);
    if (draws == NULL)
        return arc_error_no_memory(err);
    s->n_sweeps += N_ENSEMBLES * n_draws * samples->thin;
    for (int i = 0; i < N_ENSEMBLES; i++)
        s->walks[i].ensemble->n_tried = s->walks[i].ensemble->n_accepted = 0;
    run_all(s, n_draws * samples->thin, samples->thin, n_draws, draws);
    return s->explorer->interrupted ? ARC_OK : fill_samples(s, n_draws, draws, samples, err);
}

ArcStatus arc_sample_run(ArcExplorer *explorer, int n, ArcUncertainty *uncertainty, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcSamples *samples = ARC_ALLOC(explorer->fit->arena, 1, ArcSamples);
    if (arena == NULL || samples == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    Sampler sampler = {.explorer = explorer, .arena = arena};
    ArcStatus status = sample(&sampler, n, samples, err);
    if (status == ARC_OK && !explorer->interrupted)
        uncertainty->samples = samples;
    arc_arena_free(arena);
    return status;
}
