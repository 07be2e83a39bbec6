/* The search over widths and ridges, round by round. */
#include "fit/closure_search.h"

#include "fit/closure_trial.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 16, LEAST_FOLDS = 3, HALVINGS = 5, STIFFENINGS = 12 };
static const double settled = 0.02; /* of -log evidence */
/* A step may be worse by this, or by this share. */
static const double slack = 10.0, slack_share = 0.02;
/* Of the weights' sds, where the flights cannot be followed with them. */
static const double stiffer = 0.25;
/* Where a coefficient begins; the sd of weights that are none. */
static const double first_cd = 0.3, first_cl = 0.2, no_sd = 1e-9;

/* Weights of the closure from those of the columns. */
static void place_weights(const ArcSearch *search, const double *d, const double *by_column,
                          double *weights)
{
    const ArcTrial *trial = &search->trial;
    int levels = trial->rows.n_levels, S = search->joint->n_shared, H = trial->closure->H;
    memset(weights, 0, sizeof(double) * (size_t)trial->closure->K);
    for (int j = 0; j < levels + trial->rows.ridge.K; j++) {
        int k = trial->rows.weight[j];
        weights[k] = j < levels ? d[S + j] : by_column[j - levels] * trial->unit[k / H];
    }
}

static void keep_values(ArcSearch *search, double *kept, bool restore)
{
    const ArcJoint *joint = search->joint;
    size_t n = (size_t)joint->flights[0]->n_parameters;
    for (int f = 0; f < joint->n_flights; f++, kept += n)
        memcpy(restore ? search->paths[f].values : kept, restore ? kept : search->paths[f].values,
               sizeof(double) * n);
    memcpy(restore ? search->run.s : kept, restore ? kept : search->run.s,
           sizeof(double) * (size_t)joint->n_shared);
}

/* Named unknowns by a share of their step, weights that share of the way from where they are: they
 * are zero, or of the same features, or else all the way. */
static ArcStatus step(ArcSearch *search, const double *d, const double *by_column, double share,
                      double *cost, ArcError *err)
{
    const ArcJoint *joint = search->joint;
    const ArcTrial *trial = &search->trial;
    int all = trial->closure->K;
    bool is_same = search->width_before == trial->closure->width || isnan(search->width_before);
    keep_values(search, search->kept, true);
    place_weights(search, d, by_column, search->weights);
    for (int k = 0; k < all && is_same; k++) {
        double before = isnan(search->width_before) ? 0.0 : search->before[k];
        search->weights[k] = before + share * (search->weights[k] - before);
    }
    arc_paths_step(&search->run, search->paths, &trial->rows, d, by_column, share, search->run.s);
    ArcStatus status =
        arc_paths_close(joint->n_flights, search->paths, trial->closure, search->weights, err);
    if (status == ARC_OK)
        arc_paths_fly(joint->n_flights, search->paths, cost);
    return status;
}

static ArcStatus refuse_closure(const ArcSearch *search, ArcError *err)
{
    return arc_error_set_at(err, ARC_NUMERIC, search->settings->place,
                            "the flights cannot be followed with the closure; give starts nearer "
                            "to them, a large lasting force a term of its own%s",
                            isfinite(search->settings->ridge) ? ", or a larger ridge" : "");
}

/* Flights and weights move to where the trial's linear problem has its least, or less far where
 * that is much worse than where they are. Where no such share can be flown, ridges that are not
 * given grow until one can. */
static ArcStatus move(ArcSearch *search, ArcError *err)
{
    ArcTrial *trial = &search->trial;
    size_t n_d = (size_t)trial->rows.ridge.S, K = (size_t)trial->rows.ridge.K;
    double *d = ARC_ALLOC(trial->arena, n_d + K, double), cost = INFINITY, share = 1.0;
    if (d == NULL)
        return arc_error_no_memory(err);
    arc_ridge_solve(trial->ridge, trial->sd, d, d + n_d);
    keep_values(search, search->kept, false);
    memcpy(search->before, search->weights, sizeof(double) * ARC_CLOSURE_MAX_WEIGHTS);
    double enough = search->cost + fmax(slack, slack_share * search->cost);
    ArcStatus status = ARC_OK;
    for (int i = 0; i < HALVINGS && status == ARC_OK && !(cost <= enough); i++, share *= 0.5)
        status = step(search, d, d + n_d, share, &cost, err);
    search->is_short = share < 0.5;
    int most = isfinite(search->settings->ridge) ? 0 : STIFFENINGS;
    for (int i = 0; i < most && status == ARC_OK && !isfinite(cost); i++, share *= 0.5) {
        cblas_dscal(trial->closure->O, stiffer, trial->sd, 1);
        arc_ridge_solve(trial->ridge, trial->sd, d, d + n_d);
        status = step(search, d, d + n_d, share, &cost, err);
    }
    if (status == ARC_OK && !isfinite(cost))
        return refuse_closure(search, err);
    search->width_before = trial->closure->width;
    search->cost = cost;
    return status;
}

/* Where a closure stands in place of a law, none is one that is constant: its level alone. */
static ArcStatus close_by_level(ArcSearch *search, ArcError *err)
{
    const double start = search->settings->output == ARC_CLOSURE_CD ? first_cd : first_cl;
    const double sample[2 * ARC_CLOSURE_MAX_INPUTS] = {0, 0, 0, 0, 1, 1, 1, 1};
    const ArcProblem *first = search->joint->flights[0];
    ArcClosureSettings settings = *search->settings;
    settings.width = ARC_WIDEST_CLOSURE;
    settings.trains_all = false;
    bool is_flight = first->phase == NULL;
    ArcStatus status = arc_closure_create(&settings, is_flight ? &first->flight : NULL, first->D, 2,
                                          sample, first->seed, search->arena, &search->level, err);
    if (status != ARC_OK || !search->level->has_level) {
        search->level = NULL;
        return status;
    }
    int K = search->level->K, H = search->level->H;
    double *prior = ARC_ALLOC(search->arena, 3 * (size_t)K, double);
    if (prior == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < K; k++) {
        bool is_level = k % H == H - 1;
        prior[k] = 0.0;
        prior[K + k] = is_level ? 1.0 : no_sd;
        prior[2 * K + k] = is_level ? start : 0.0;
    }
    return arc_joint_run_close(&search->run, search->level, prior, prior + K, prior + 2 * K, err);
}

/* Evidence of none, and what is left out, where the flights are without closure. */
static ArcStatus look_without(ArcSearch *search, ArcError *err)
{
    const double zero[ARC_EQUATIONS_MAX_STATES] = {0},
                 one[ARC_EQUATIONS_MAX_STATES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const double *weights = search->run.s + search->joint->n_shared;
    ArcPathRows rows;
    ArcRidge *ridge = NULL;
    ArcArena *scratch = arc_arena_create();
    ArcStatus status = scratch == NULL ? arc_error_no_memory(err) : ARC_OK;
    if (status == ARC_OK)
        status =
            arc_paths_close(search->joint->n_flights, search->paths, search->level, weights, err);
    if (status == ARC_OK) {
        arc_paths_fly(search->joint->n_flights, search->paths, &search->cost);
        if (!isfinite(search->cost))
            status = arc_error_set_at(err, ARC_NUMERIC, search->settings->place,
                                      "the flights cannot be followed without the closure; give "
                                      "starts nearer to them");
    }
    if (status == ARC_OK)
        status =
            arc_paths_rows(&search->run, search->paths, search->level, one, scratch, &rows, err);
    if (status == ARC_OK)
        status = arc_ridge_create(&rows.ridge, one, one, scratch, &ridge, err);
    if (status == ARC_OK) {
        search->without = arc_ridge_evidence(ridge, zero) + 0.5 * rows.own_log_det;
        search->left_out_without = arc_ridge_left_out(ridge, zero);
    }
    arc_arena_free(scratch);
    return status;
}

/* Sigmas by the scatter that the closure leaves. */
static void settle_sigmas(ArcSearch *search)
{
    const ArcJoint *joint = search->joint;
    ArcTrial *trial = &search->trial;
    double chi2 = 0.0;
    double unknowns = joint->n_unknowns + arc_ridge_effective(trial->ridge, trial->sd);
    for (int f = 0; f < joint->n_flights; f++)
        chi2 += cblas_ddot(search->paths[f].base->n_observations, search->paths[f].r, 1,
                           search->paths[f].r, 1);
    if (!joint->sigma_estimated || !(joint->n_observations - unknowns > 0.5))
        return;
    arc_joint_run_multiply_sigmas(&search->run, sqrt(chi2 / (joint->n_observations - unknowns)));
    arc_paths_fly(joint->n_flights, search->paths, &search->cost);
}

/* Rounds until the evidence stands still; widths are looked through at the first and whenever it
 * does. */
static ArcStatus run_rounds(ArcSearch *search, ArcError *err)
{
    double before = INFINITY, width = NAN;
    bool scan = true;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        ArcStatus status;
        if (scan) {
            status = arc_search_scan(search, err);
        } else {
            double same = search->trial.closure->width;
            ArcTrial trial;
            status = arc_search_try(search, same, &trial, err);
            arc_trial_free(status == ARC_OK ? &search->trial : &trial);
            if (status == ARC_OK)
                search->trial = trial;
        }
        if (status != ARC_OK)
            return status;
        /* At the flights without closure no width has one: there is nowhere to go. */
        if (round == 0 && !arc_trial_has_weights(&search->trial))
            return ARC_OK;
        double now =
            search->trial.evidence + search->joint->n_observations * log(search->run.sigma_factor);
        bool stands = fabs(now - before) < settled;
        if (scan && stands && search->trial.closure->width == width)
            return ARC_OK;
        status = move(search, err);
        if (status != ARC_OK)
            return status;
        settle_sigmas(search);
        scan = !scan && stands && search->n_widths > 1;
        if (!scan && stands && search->n_widths == 1)
            return ARC_OK;
        width = search->trial.closure->width;
        before = now;
    }
    search->is_lost = search->is_short;
    return ARC_OK;
}

/* ln of the averaged evidence over that of none. */
static double log_bayes(const ArcSearch *search)
{
    double least = INFINITY, sum = 0.0;
    for (int i = 0; i < search->n_widths; i++)
        least = fmin(least, search->average[i]);
    for (int i = 0; i < search->n_widths; i++)
        sum += exp(least - search->average[i]);
    return search->without - (least - log(sum / search->n_widths));
}

/* The closure with the outputs that are wanted, its weights and their prior. */
static ArcStatus found_closure(ArcSearch *search, ArcClosureFound *found, ArcError *err)
{
    const ArcTrial *trial = &search->trial;
    ArcArena *arena = search->joint->arena;
    uint32_t axes = 0;
    int n = 0, O = found->whole->O, H = found->whole->H;
    for (int o = 0; o < O; o++)
        if (isfinite(found->ridge[o]) || found->whole->has_level) {
            found->output[n++] = o;
            axes |= 1u << found->whole->axis[o];
        }
    if (n == 0)
        return ARC_OK;
    ArcStatus status =
        arc_search_closure(search, found->whole->width, axes, arena, &found->closure, err);
    if (status != ARC_OK)
        return status;
    size_t K = (size_t)found->closure->K;
    found->weights = ARC_ALLOC(arena, 3 * K, double);
    if (found->weights == NULL)
        return arc_error_no_memory(err);
    found->mean = found->weights + K;
    found->sd = found->mean + K;
    for (int i = 0; i < n; i++) {
        int o = found->output[i];
        double ridge[ARC_EQUATIONS_MAX_STATES];
        double least = ARC_LEAST_FIELD_SD * search->scale[o] * trial->unit[o];
        for (int j = 0; j < n; j++)
            ridge[j] = isfinite(found->ridge[o]) ? found->ridge[o] : 1.0 / (least * least);
        memcpy(found->weights + i * H, search->weights + o * H, sizeof(double) * (size_t)H);
        for (int k = i * H; k < (i + 1) * H; k++)
            arc_closure_prior(found->closure, k, ridge, &found->mean[k], &found->sd[k]);
    }
    return ARC_OK;
}

static ArcStatus take_found(ArcSearch *search, ArcClosureFound *found, ArcError *err)
{
    const ArcJoint *joint = search->joint;
    ArcTrial *trial = &search->trial;
    size_t n = (size_t)joint->flights[0]->n_parameters;
    found->values = ARC_ALLOC(joint->arena, (size_t)joint->n_flights * n, double);
    found->shared = ARC_ALLOC(joint->arena, (size_t)joint->n_shared, double);
    if (found->values == NULL || found->shared == NULL)
        return arc_error_no_memory(err);
    found->log_bayes = log_bayes(search);
    found->is_lost = search->is_lost;
    found->n_points = search->n_points;
    found->points = search->points;
    found->sigma_factor = search->run.sigma_factor;
    bool is_wanted = isfinite(search->settings->ridge) || !(found->log_bayes < 0.0);
    ArcStatus status = arc_search_closure(search, trial->closure->width, search->settings->axes,
                                          joint->arena, &found->whole, err);
    for (int o = 0; o < trial->closure->O; o++) {
        double sd = is_wanted ? trial->sd[o] * trial->unit[o] : 0.0;
        found->ridge[o] = 1.0 / (sd * sd);
    }
    double numbers = joint->n_observations, with[ARC_EQUATIONS_MAX_STATES] = {0};
    if (is_wanted)
        memcpy(with, trial->sd, sizeof with);
    double constant = 0.5 * log(2.0 * M_PI);
    for (int f = 0; f < joint->n_flights; f++)
        for (int i = 0; i < search->paths[f].base->n_observations; i++)
            constant += log(search->paths[f].base->observations[i].sigma) / numbers;
    found->n_folds = joint->n_flights >= LEAST_FOLDS ? joint->n_flights : 0;
    found->held_out_without = found->held_out_with = NAN;
    if (found->n_folds > 0) {
        found->held_out_without = -search->left_out_without / numbers - constant;
        found->held_out_with = found->whole == NULL || !is_wanted
                                   ? found->held_out_without
                                   : -arc_ridge_left_out(trial->ridge, with) / numbers - constant;
    }
    for (int f = 0; f < joint->n_flights; f++)
        memcpy(found->values + (size_t)f * n, search->paths[f].values, sizeof(double) * n);
    memcpy(found->shared, search->run.s, sizeof(double) * (size_t)joint->n_shared);
    if (status == ARC_OK)
        status = found_closure(search, found, err);
    return status;
}

static ArcStatus search_run(ArcSearch *search, ArcClosureFound *found, ArcError *err)
{
    const ArcJoint *joint = search->joint;
    ArcClosure *closure = NULL;
    ArcStatus status = close_by_level(search, err);
    if (status == ARC_OK)
        status = arc_joint_run_direct(&search->run, err);
    if (status != ARC_OK)
        return status;
    found->chi2_without = arc_joint_run_chi2(&search->run);
    status = arc_paths_create(&search->run, search->arena, &search->paths, err);
    if (status == ARC_OK)
        status = look_without(search, err);
    if (status == ARC_OK)
        status = arc_search_points(search, err);
    if (status == ARC_OK)
        status = arc_search_widths(search, err);
    if (status == ARC_OK)
        status = arc_search_closure(search, ARC_WIDEST_CLOSURE, search->settings->axes,
                                    search->arena, &closure, err);
    if (status != ARC_OK)
        return status;
    arc_search_scales(search, closure);
    size_t n = (size_t)joint->flights[0]->n_parameters * (size_t)joint->n_flights;
    search->weights = ARC_ALLOC(search->arena, 2 * ARC_CLOSURE_MAX_WEIGHTS, double);
    search->kept = ARC_ALLOC(search->arena, 2 * (n + (size_t)joint->n_shared), double);
    if (search->weights == NULL || search->kept == NULL)
        return arc_error_no_memory(err);
    search->before = search->weights + ARC_CLOSURE_MAX_WEIGHTS;
    search->width_before = NAN;
    if (search->level != NULL) {
        search->width_before = INFINITY; /* of other features */
        memcpy(search->weights, search->run.s + joint->n_shared,
               sizeof(double) * (size_t)search->level->K);
    }
    search->plain = search->kept + n + joint->n_shared;
    keep_values(search, search->plain, false);
    status = run_rounds(search, err);
    /* The evidence of none is to be at the same sigmas. */
    if (status == ARC_OK && joint->sigma_estimated) {
        keep_values(search, search->kept, false);
        keep_values(search, search->plain, true);
        status = look_without(search, err);
        keep_values(search, search->kept, true);
    }
    return status == ARC_OK ? take_found(search, found, err) : status;
}

ArcStatus arc_closure_search(const ArcJoint *joint, const ArcFitOptions *options, ArcError *err)
{
    ArcClosureFound *found = joint->found;
    if (found->is_found)
        return ARC_OK;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcSearch search = {.joint = joint,
                        .settings = &joint->closure,
                        .arena = arena,
                        .by_left_out = joint->closure.choice == ARC_CLOSURE_CROSS_VALIDATION};
    ArcStatus status = arc_joint_run_create(joint, ARC_DIRECT, options, arena, &search.run, err);
    if (status == ARC_OK)
        status = search_run(&search, found, err);
    arc_trial_free(&search.trial);
    arc_paths_free(joint->n_flights, search.paths);
    arc_joint_run_free(&search.run);
    arc_arena_free(arena);
    if (status == ARC_OK && joint->closure.trains_all)
        status = arc_closure_train(joint, options, err);
    found->is_found = status == ARC_OK;
    return status;
}
