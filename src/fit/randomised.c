/* Fits repeated over what is not quite known, and what comes together of them
 * (arcfit/randomised.h).
 *
 * Each draw is an experiment of its own with other values, whose fit begins at the estimates of the
 * first; the PINN's keeps its hidden layers. One path serves one flight, several, arms and own
 * equations.
 */
#include "arcfit/randomised.h"

#include "arcfit/joint.h"
#include "base/arena.h"
#include "base/random.h"
#include "fit/joint.h"
#include "fit/uncertainty.h"

#include <math.h>
#include <string.h>

enum { EXCHANGES = 8000 };

typedef struct Randomising {
    ArcExplorer explorer;
    const ArcExperiment *experiment;
    int n_captures, n_draws, n_done;
    const ArcCapture *const *captures;
    double *values; /* (n_draws, quantities) */
    ArcFit **fits;  /* (n_draws); NULL: it did not converge */
    ArcStatus status;
    ArcError error;
} Randomising;

/* Exchanges within column k of w (n_pairs, n) until it is as good as uncorrelated with those before
 * it: two of its numbers, or the sign of one. */
static void take_out_correlations(int n_pairs, int n, int k, ArcRandom *random, double *w)
{
    double dots[ARC_MAX_RANDOM_QUANTITIES] = {0}, changes[ARC_MAX_RANDOM_QUANTITIES];
    for (int i = 0; i < n_pairs; i++)
        for (int l = 0; l < k; l++)
            dots[l] += w[2 * i * n + l] * w[2 * i * n + k];
    for (int trial = 0; trial < EXCHANGES; trial++) {
        double *a = w + 2 * n * (int)arc_random_uniform(random, 0.0, n_pairs);
        double *b = w + 2 * n * (int)arc_random_uniform(random, 0.0, n_pairs);
        double gain = 0.0;
        for (int l = 0; l < k; l++) {
            changes[l] = a == b ? -2.0 * a[l] * a[k] : (a[l] - b[l]) * (b[k] - a[k]);
            gain -= changes[l] * (2.0 * dots[l] + changes[l]);
        }
        if (!(gain > 0.0))
            continue;
        double other = a == b ? -a[k] : b[k];
        b[k] = a[k];
        a[k] = other;
        for (int l = 0; l < k; l++)
            dots[l] += changes[l];
    }
}

void arc_randomised_design(int draws, int n_quantities, uint64_t seed, double *u)
{
    int n_pairs = draws / 2, n = n_quantities;
    ArcRandom random = arc_random_create(seed, ARC_STREAM_RANDOMISE + ((uint64_t)1 << 63));
    for (int k = 0; k < n; k++) {
        /* The middles of the strata above the middle, in an order and with signs of their own. */
        for (int i = 0; i < n_pairs; i++) {
            double sign = arc_random_uniform(&random, 0.0, 1.0) < 0.5 ? -1.0 : 1.0;
            int j = (int)arc_random_uniform(&random, 0.0, i + 1.0);
            u[2 * i * n + k] = u[2 * j * n + k];
            u[2 * j * n + k] = sign * (i + 0.5) / draws;
        }
        take_out_correlations(n_pairs, n, k, &random, u);
    }
    for (int i = 0; i < n_pairs; i++)
        for (int k = 0; k < n; k++) {
            u[(2 * i + 1) * n + k] = 0.5 - u[2 * i * n + k];
            u[2 * i * n + k] += 0.5;
        }
}

/* A problem that begins where the fit ended, with one start. */
static void settle(ArcProblem *problem, const ArcFit *fit)
{
    for (int i = 0; i < problem->n_parameters; i++) {
        const ArcParameter *parameter = &problem->parameters[i];
        if (parameter->is_free)
            problem->start[i] =
                fmin(fmax(fit->parameters[i].value, parameter->low), parameter->high);
    }
    arc_problem_tie(problem, problem->start);
    problem->starts = 1;
    problem->n_poses = 1;
    problem->curriculum = (ArcCurriculum){0};
    if (fit->method == ARC_PINN)
        arc_refit_keep_net(fit, problem->swing != NULL || problem->phase != NULL, &problem->pinn);
}

static ArcStatus fit_one(const Randomising *r, const ArcExperiment *made, ArcFit **fit,
                         ArcError *err)
{
    ArcProblem *problem = NULL;
    ArcStatus status = arc_problem_create(made, r->captures[0], &problem, err);
    if (status != ARC_OK)
        return status;
    ArcFit begin = *r->explorer.fit;
    settle(problem, &begin);
    begin.n_parameters = 0; /* of the fit the net alone */
    bool keeps_net = begin.method == ARC_PINN && problem->swing == NULL && problem->phase == NULL;
    const ArcFitOptions options = {.warm_start = keeps_net ? &begin : NULL};
    status = arc_fit_run(problem, begin.method, &options, fit, err);
    arc_problem_free(problem);
    return status;
}

static ArcStatus fit_several(const Randomising *r, const ArcExperiment *made, ArcFit **fit,
                             ArcError *err)
{
    ArcJoint *joint = NULL;
    const ArcFit *from = r->explorer.fit;
    ArcStatus status = arc_joint_create(made, r->n_captures, r->captures, &joint, err);
    if (status != ARC_OK)
        return status;
    for (int f = 0; f < joint->n_flights; f++)
        settle(joint->flights[f], &from->flights[f]);
    for (int k = 0; k < joint->n_shared; k++) {
        ArcJointUnknown *unknown = &joint->shared[k];
        if (!unknown->is_mean)
            unknown->start = joint->flights[0]->start[unknown->parameter];
    }
    status = arc_joint_fit(joint, from->method, NULL, fit, err);
    arc_joint_free(joint);
    return status;
}

static ArcStatus run_draw(Randomising *r, int index, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcExperiment *made = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcExperiment);
    ArcStatus status =
        made == NULL
            ? arc_error_no_memory(err)
            : arc_randomise_apply(r->experiment, r->values + index * r->experiment->randomise.n,
                                  made, err);
    ArcFit *fit = NULL;
    if (status == ARC_OK)
        status = r->explorer.fit->n_flights > 0 ? fit_several(r, made, &fit, err)
                                                : fit_one(r, made, &fit, err);
    arc_arena_free(arena);
    /* A start that cannot be evaluated under other quantities is a fit that fails. */
    if (status == ARC_NUMERIC)
        return ARC_OK;
    if (status == ARC_OK && fit->converged &&
        fit->n_unidentified == r->explorer.fit->n_unidentified)
        r->fits[index] = fit;
    else
        arc_fit_free(fit);
    return status;
}

/* One draw from any thread; the first failure stays. */
static void try_draw(Randomising *r, int index)
{
    ArcError err;
    bool goes_on;
#pragma omp critical(arc_randomised)
    goes_on = r->status == ARC_OK;
    if (!goes_on || arc_explorer_is_interrupted(&r->explorer))
        return;
    ArcStatus status = run_draw(r, index, &err);
    int done;
#pragma omp critical(arc_randomised)
    {
        done = ++r->n_done;
        if (status != ARC_OK && r->status == ARC_OK) {
            r->status = status;
            r->error = err;
        }
    }
    arc_explorer_tell(&r->explorer, "randomise", done, r->n_draws);
}

static const ArcFit *flight_of(const ArcFit *fit, int flight)
{
    return flight < 0 ? fit : &fit->flights[flight];
}

/* The i-th parameter, or behind them the derived number of the same name; NULL: it has none. */
static const ArcEstimate *estimate_of(const ArcFit *fit, const ArcFit *other, int i)
{
    if (i < fit->n_parameters)
        return &other->parameters[i];
    for (int k = 0; k < other->n_derived; k++)
        if (strcmp(other->derived[k].name, fit->derived[i - fit->n_parameters].name) == 0)
            return &other->derived[k];
    return NULL;
}

/* Mean and sds of number i over the draws; false where no draw has it. */
static bool gather(const Randomising *r, int flight, const ArcFit *fit, int i,
                   ArcRandomisedNumber *number)
{
    double sum = 0.0, square = 0.0, noise = 0.0;
    int n = 0;
    for (int pass = 0; pass < 2; pass++) {
        n = 0;
        for (int k = 0; k < r->n_draws; k++) {
            if (r->fits[k] == NULL)
                continue;
            const ArcEstimate *e = estimate_of(fit, flight_of(r->fits[k], flight), i);
            if (e == NULL || !isfinite(e->value) || !isfinite(e->sd))
                continue;
            n++;
            if (pass == 0) {
                sum += e->value;
                noise += e->sd * e->sd;
            } else {
                square += (e->value - number->mean) * (e->value - number->mean);
            }
        }
        if (n < 2)
            return false;
        number->mean = sum / n;
    }
    number->noise_sd = sqrt(noise / n);
    number->randomised_sd = sqrt(square / n);
    number->sd = hypot(number->noise_sd, number->randomised_sd);
    for (int side = 0; side < 2; side++)
        number->ci95[side] =
            number->mean + (side == 0 ? -1.0 : 1.0) * fit->interval_factor * number->sd;
    return true;
}

/* The covariance of the unknowns, by the same law. With a closure, of which each draw has another,
 * what is within a draw is the fit's own: only that belongs to its covariance with the weights, and
 * what the draws add to it makes no variance smaller. */
static ArcStatus total_covariance(const Randomising *r, int flight, ArcFit *fit, ArcError *err)
{
    int n = fit->n_free, n_draws = 0;
    size_t size = (size_t)n * (size_t)n;
    double *total = ARC_ALLOC((ArcArena *)r->explorer.fit->arena, size, double),
           *mean = ARC_ALLOC((ArcArena *)r->explorer.fit->arena, (size_t)n, double);
    if (total == NULL || mean == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < r->n_draws; k++)
        n_draws += r->fits[k] != NULL;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < r->n_draws; k++) {
            const ArcFit *one = r->fits[k] == NULL ? NULL : flight_of(r->fits[k], flight);
            double off[ARC_MAX_PARAMETERS] = {0};
            for (int i = 0; one != NULL && i < one->n_parameters; i++) {
                int at = fit->parameters[i].free_index;
                if (at >= 0 && pass == 0)
                    mean[at] += one->parameters[i].value / n_draws;
                else if (at >= 0)
                    off[at] = one->parameters[i].value - mean[at];
            }
            const double *within =
                fit->weights_covariance != NULL || one == NULL ? fit->covariance : one->covariance;
            for (size_t j = 0; one != NULL && pass == 1 && j < size; j++)
                total[j] += (within[j] + off[j / (size_t)n] * off[j % (size_t)n]) / n_draws;
        }
    }
    fit->covariance = total;
    return ARC_OK;
}

static ArcStatus gather_all(const Randomising *r, int flight, ArcRandomised *shared, ArcFit *fit,
                            ArcError *err)
{
    int n = fit->n_parameters + fit->n_derived;
    ArcRandomised *randomised = ARC_ALLOC((ArcArena *)r->explorer.fit->arena, 1, ArcRandomised);
    ArcRandomisedNumber *numbers =
        ARC_ALLOC((ArcArena *)r->explorer.fit->arena, (size_t)n, ArcRandomisedNumber);
    if (randomised == NULL || numbers == NULL)
        return arc_error_no_memory(err);
    *randomised = *shared;
    for (int i = 0; i < n; i++) {
        ArcEstimate *e = (ArcEstimate *)(uintptr_t)estimate_of(fit, fit, i);
        if (!(e->sd > 0.0) || e->status == ARC_PARAMETER_UNIDENTIFIED)
            continue;
        ArcRandomisedNumber *number = &numbers[randomised->n_numbers];
        *number = (ArcRandomisedNumber){.name = e->name, .unit = e->unit, .value = e->value};
        if (!gather(r, flight, fit, i, number))
            continue;
        randomised->n_numbers++;
        e->sd = number->sd;
        memcpy(e->ci95, number->ci95, sizeof e->ci95);
    }
    randomised->numbers = numbers;
    fit->randomised = randomised;
    return fit->covariance != NULL && fit->n_free > 0 ? total_covariance(r, flight, fit, err)
                                                      : ARC_OK;
}

/* Mean and sd of each quantity over all draws. */
static ArcStatus describe(const Randomising *r, ArcArena *arena, ArcRandomised *shared,
                          ArcError *err)
{
    int n = r->experiment->randomise.n;
    ArcRandomisedQuantity *quantities = ARC_ALLOC(arena, (size_t)n, ArcRandomisedQuantity);
    if (quantities == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < n; k++) {
        const ArcRandomQuantity *from = &r->experiment->randomise.quantities[k];
        double sum = 0.0, square = 0.0;
        for (int i = 0; i < r->n_draws; i++)
            sum += r->values[i * n + k] / r->n_draws;
        for (int i = 0; i < r->n_draws; i++)
            square += (r->values[i * n + k] - sum) * (r->values[i * n + k] - sum) / r->n_draws;
        quantities[k] = (ArcRandomisedQuantity){
            .name = arc_arena_copy_text(arena, from->name, strlen(from->name)),
            .unit = arc_arena_copy_text(arena, from->unit, strlen(from->unit)),
            .mean = sum,
            .sd = sqrt(square)};
        if (quantities[k].name == NULL || quantities[k].unit == NULL)
            return arc_error_no_memory(err);
    }
    *shared = (ArcRandomised){.draws = r->n_draws, .n_quantities = n, .quantities = quantities};
    return ARC_OK;
}

static ArcStatus finish(Randomising *r, ArcFit *fit, ArcError *err)
{
    ArcRandomised shared;
    ArcStatus status = describe(r, fit->arena, &shared, err);
    for (int i = 0; i < r->n_draws; i++)
        shared.n_failed += r->fits[i] == NULL;
    if (!fit->converged)
        shared.note = "the fit did not converge, so that it was not repeated";
    else if (r->explorer.interrupted)
        shared.note = "it was interrupted";
    else if (shared.n_failed * 2 > r->n_draws)
        shared.note = "most of the fits with other values did not converge";
    if (status == ARC_OK && shared.note != NULL) {
        ArcRandomised *randomised = ARC_ALLOC((ArcArena *)r->explorer.fit->arena, 1, ArcRandomised);
        if (randomised == NULL)
            return arc_error_no_memory(err);
        *randomised = shared;
        fit->randomised = randomised;
        return ARC_OK;
    }
    for (int f = 0; f < fit->n_flights && status == ARC_OK; f++) {
        ArcFit *flight = (ArcFit *)(uintptr_t)&fit->flights[f];
        status = gather_all(r, f, &shared, flight, err);
    }
    return status == ARC_OK ? gather_all(r, -1, &shared, fit, err) : status;
}

ArcStatus arc_randomised_run(const ArcExperiment *experiment, int n_captures,
                             const ArcCapture *const *captures, const ArcFitOptions *options,
                             ArcFit *fit, ArcError *err)
{
    const ArcRandomise *randomise = &experiment->randomise;
    int n = randomise->n, draws = randomise->draws + randomise->draws % 2;
    if (n == 0)
        return ARC_OK;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    /* Whom the caller sees at work. */
    ArcProblem shown = {.n_parameters = experiment->n_parameters,
                        .parameters = (ArcParameter *)(uintptr_t)experiment->parameters};
    double start[ARC_MAX_PARAMETERS];
    for (int i = 0; i < experiment->n_parameters; i++)
        start[i] = experiment->parameters[i].start;
    shown.start = start;
    Randomising r = {.explorer = {.problem = &shown, .fit = fit, .options = options},
                     .experiment = experiment,
                     .n_captures = n_captures,
                     .captures = captures,
                     .n_draws = draws};
    r.values = ARC_ALLOC(arena, (size_t)draws * (size_t)n, double);
    r.fits = ARC_ALLOC(arena, (size_t)draws, ArcFit *);
    ArcStatus status = r.values == NULL || r.fits == NULL ? arc_error_no_memory(err) : ARC_OK;
    if (status == ARC_OK) {
        arc_randomised_design(draws, n, experiment->seed, r.values);
        for (int i = 0; i < draws * n; i++)
            r.values[i] = arc_random_quantity_at(&randomise->quantities[i % n], r.values[i]);
    }
    if (status == ARC_OK && fit->converged) {
#pragma omp parallel for schedule(dynamic) num_threads(arc_explorer_threads(&r.explorer, draws))
        for (int i = 0; i < draws; i++)
            try_draw(&r, i);
        status = r.status;
        if (status != ARC_OK && err != NULL)
            *err = r.error;
    }
    if (status == ARC_OK)
        status = finish(&r, fit, err);
    for (int i = 0; r.fits != NULL && i < draws; i++)
        arc_fit_free(r.fits[i]);
    arc_arena_free(arena);
    return status;
}

double arc_randomised_noise_sd(const ArcFit *fit, int parameter)
{
    const ArcEstimate *e = &fit->parameters[parameter];
    const ArcRandomised *randomised = fit->randomised;
    for (int i = 0; randomised != NULL && i < randomised->n_numbers; i++)
        if (strcmp(randomised->numbers[i].name, e->name) == 0)
            return randomised->numbers[i].noise_sd;
    return e->sd;
}
