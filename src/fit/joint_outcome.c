/* From the end of a run of several flights to what people read.
 *
 * Covariances come from the triangular factors that the elimination leaves (joint_solver.h): that
 * of the shared unknowns, and for each flight that of its own ones on top of it, which holds what
 * all other flights say of the shared ones. No normal equations are formed.
 *
 * chi2 of one flight is judged by its numbers, priors and ties less its own unknowns: the shared
 * ones are told by all flights, so that this is a little more than it has.
 */
#include "fit/arm_fit.h"
#include "fit/fill.h"
#include "fit/identifiability.h"
#include "fit/joint.h"
#include "fit/residuals.h"
#include "fit/system_fit.h"
#include "solve/posterior.h"
#include "solve/statistics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What all flights' fits have in common. */
typedef struct Common {
    ArcSpread spread;
    double interval_factor;
    int dof;
} Common;

/* sigma where all flights share it, NaN where they do not. */
static double common_sigma(const ArcJointRun *run, bool *is_px)
{
    double sigma = arc_spread_common_sigma(&run->members[0].problem, is_px);
    for (int f = 1; f < run->joint->n_flights; f++) {
        bool other_px;
        double other = arc_spread_common_sigma(&run->members[f].problem, &other_px);
        if (other_px != *is_px || !(fabs(other - sigma) <= 1e-12 * sigma))
            return NAN;
    }
    return sigma;
}

static Common common_of(const ArcJointRun *run)
{
    const ArcJoint *joint = run->joint;
    bool is_px;
    double sigma = common_sigma(run, &is_px);
    Common common = {.spread = {.loss = {.kind = ARC_LOSS_GAUSS},
                                .loss_dof_ci95 = {NAN, NAN},
                                .sigma_estimated = joint->sigma_estimated,
                                .sigma_factor = run->sigma_factor,
                                .sigma_factor_sd = run->sigma_factor_sd,
                                .sigma_m = is_px ? (double)NAN : sigma,
                                .sigma_px = is_px ? sigma : 0.0,
                                .interval_dof = INFINITY},
                     .interval_factor = ARC_Z95,
                     .dof = joint->n_observations + joint->n_priors - joint->n_unknowns};
    if (joint->sigma_estimated) {
        common.spread.interval_dof = fmax(common.dof, 1.0);
        common.interval_factor = arc_statistics_t_quantile(0.975, common.spread.interval_dof);
    }
    return common;
}

/* The part of a posterior of (own, shared) unknowns that a flight's problem has, in its order. */
static ArcStatus restrict_posterior(const ArcJointRun *run, const ArcProblem *problem,
                                    const ArcPosterior *whole, ArcArena *arena,
                                    ArcPosterior *posterior, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    size_t n = (size_t)problem->n_free, size = (size_t)whole->n;
    int at[ARC_MAX_PARAMETERS];
    arc_joint_list_places(joint, problem->n_free, whole->n - joint->n_shared, at);
    *posterior = (ArcPosterior){.n = (int)n};
    posterior->covariance = ARC_ALLOC(arena, n * n, double);
    posterior->identified = ARC_ALLOC(arena, n, bool);
    posterior->null = ARC_ALLOC(arena, (size_t)whole->n_null * n + 1, double);
    posterior->scale = ARC_ALLOC(arena, n, double);
    if (posterior->covariance == NULL || posterior->identified == NULL || posterior->null == NULL ||
        posterior->scale == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        posterior->identified[i] = whole->identified[at[i]];
        posterior->scale[i] = whole->scale[at[i]];
        for (size_t j = 0; j < n; j++)
            posterior->covariance[i * n + j] =
                whole->covariance[(size_t)at[i] * size + (size_t)at[j]];
    }
    for (int g = 0; g < whole->n_null; g++) {
        double *null = posterior->null + (size_t)posterior->n_null * n, most = 0.0;
        for (size_t k = 0; k < n; k++) {
            null[k] = whole->null[(size_t)g * size + (size_t)at[k]];
            most = fmax(most, fabs(null[k]));
        }
        posterior->n_null += most > ARC_POSTERIOR_PART;
    }
    return ARC_OK;
}

static void rejudge(const ArcJointRun *run, const ArcProblem *problem, ArcFit *fit)
{
    const ArcJoint *joint = run->joint;
    ArcResiduals *r = &fit->residuals;
    int unknowns = 0;
    for (int k = 0; k < problem->n_free; k++) {
        int i = problem->free_parameter[k], mean = joint->column_mean[k];
        unknowns += joint->column_shared[k] < 0;
        if (mean < 0)
            continue;
        double off = (fit->parameters[i].value - run->s[mean]) / run->population_sd[mean];
        r->prior_chi2 += off * off;
        unknowns--;
    }
    r->dof = arc_problem_n_observed(problem) + problem->n_priors - unknowns;
    r->chi2_p = joint->sigma_estimated ? (double)NAN
                                       : arc_statistics_chi2_p(r->chi2 + r->prior_chi2, r->dof);
}

/* Covariances of all flights; each with scratch of its own, that memory does not grow by it. */
static ArcStatus find_posteriors(ArcJointRun *run, ArcArena *arena, ArcPosterior *posteriors,
                                 ArcError *err)
{
    const ArcJoint *joint = run->joint;
    size_t most = (size_t)(joint->n_shared + joint->flights[0]->n_free);
    size_t bytes = sizeof(double) * (size_t)joint->n_shared;
    size_t scales = most + (size_t)run->n_shared;
    double *F = ARC_ALLOC(run->arena, most * most + scales, double);
    run->with_weights = ARC_ALLOC(run->arena, (size_t)joint->n_flights, double *);
    if (F == NULL || run->with_weights == NULL)
        return arc_error_no_memory(err);
    double *scale = F + most * most, *shared_scale = scale + most;
    arc_joint_solver_scales(run->solver, -1, shared_scale);
    ArcStatus status = ARC_OK;
    for (int f = 0; f < joint->n_flights && status == ARC_OK; f++) {
        int own = arc_joint_solver_n_own(run->solver, f);
        ArcArena *scratch = arc_arena_create();
        ArcPosterior whole;
        if (scratch == NULL)
            return arc_error_no_memory(err);
        arc_joint_solver_scales(run->solver, f, scale);
        memcpy(scale + own, shared_scale, bytes);
        status =
            arc_joint_named_factor(run, f, F)
                ? arc_posterior_create_scaled(own + joint->n_shared, F, scale, scratch, &whole, err)
                : arc_error_set(err, ARC_NUMERIC,
                                "error: the Jacobian at the estimate is not finite");
        if (status == ARC_OK)
            status = arc_joint_keep_weights(run, f, &whole, scratch, err);
        if (status == ARC_OK)
            status = restrict_posterior(run, joint->flights[f], &whole, arena, &posteriors[f], err);
        arc_arena_free(scratch);
    }
    return status;
}

static ArcStatus fill_flight(ArcJointRun *run, const ArcSpreadFound *found, int f,
                             ArcArena *scratch, ArcFit *fit, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    ArcMember *member = &run->members[f];
    ArcProblem with_closure, *problem = joint->flights[f];
    ArcStatus status = ARC_OK;
    ArcOutcome outcome = {.values = member->values,
                          .trajectory = member->states,
                          .physics_rms_m_s2 = NAN,
                          .physics_rms_fine_m_s2 = NAN,
                          .sigma_phys_m_s2 = NAN,
                          .sigma_phys_ci95_m_s2 = {NAN, NAN}};
    if (run->closure != NULL) {
        with_closure = *problem;
        problem = &with_closure;
        status = arc_problem_close(problem, run->closure, NULL, true, scratch, err);
    }
    if (status == ARC_OK && run->method == ARC_PINN)
        status = arc_pinn_describe(member->pinn, scratch, &outcome, err);
    if (status != ARC_OK)
        return status;
    if (run->method == ARC_PINN) {
        outcome.physics_rms_m_s2 = member->rms;
        outcome.physics_rms_fine_m_s2 = member->rms_fine;
        outcome.swing_rms_rad_s2 = member->swing_rms;
        outcome.swing_rms_fine_rad_s2 = member->swing_rms_fine;
    }
    outcome.stop = run->result.stop;
    outcome.iterations = run->iterations;
    outcome.converged =
        arc_stop_is_converged(run->result.stop) && (run->method == ARC_DIRECT || member->is_fine);
    status = arc_fit_fill(fit, problem, &outcome, found, err);
    outcome.cost = member->cost;
    if (status == ARC_OK)
        arc_fit_list_poses(fit, problem, &outcome, NULL);
    if (status == ARC_OK)
        rejudge(run, problem, fit);
    fit->flight = arc_arena_copy_text(fit->arena, joint->names[f], strlen(joint->names[f]));
    fit->n_starts = 1;
    fit->n_starts_converged = fit->converged;
    return status != ARC_OK || fit->flight != NULL ? status : arc_error_no_memory(err);
}

static ArcStatus fill_flights(ArcJointRun *run, const Common *common,
                              const ArcPosterior *posteriors, ArcFit *fit, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    ArcFit *flights = ARC_ALLOC(fit->arena, (size_t)joint->n_flights, ArcFit);
    if (flights == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = ARC_OK;
    for (int f = 0; f < joint->n_flights && status == ARC_OK; f++) {
        ArcSpreadFound found = {.spread = common->spread,
                                .posterior = posteriors[f],
                                .interval_factor = common->interval_factor,
                                .chi2_p = NAN};
        ArcArena *scratch = arc_arena_create();
        if (scratch == NULL)
            return arc_error_no_memory(err);
        flights[f] = (ArcFit){.method = run->method, .wall_s = NAN, .arena = fit->arena};
        status = arc_depth_judge(joint->flights[f], run->members[f].values, fit->arena,
                                 &found.posterior, &found.depth, err);
        if (status == ARC_OK)
            status = fill_flight(run, &found, f, scratch, &flights[f], err);
        arc_arena_free(scratch);
    }
    fit->n_flights = joint->n_flights;
    fit->flights = flights;
    return status;
}

/* A sum of squares over what flights tell as root mean squares. */
typedef struct Mean {
    double square;
    int n;
} Mean;

static void mean_add(Mean *mean, double rms, int n)
{
    mean->square += isnan(rms) ? 0.0 : rms * rms * n;
    mean->n += isnan(rms) ? 0 : n;
}

static double mean_root(const Mean *mean)
{
    return mean->n > 0 ? sqrt(mean->square / mean->n) : NAN;
}

/* What each camera saw of all flights. */
static ArcStatus fill_cameras(const ArcJoint *joint, ArcFit *fit, ArcResiduals *r, ArcError *err)
{
    int n = fit->flights[0].residuals.n_cameras;
    ArcCameraResiduals *cameras = ARC_ALLOC(fit->arena, (size_t)n, ArcCameraResiduals);
    Mean all = {0}, all_held = {0};
    if (cameras == NULL)
        return arc_error_no_memory(err);
    for (int c = 0; c < n; c++) {
        Mean mean = {0}, held = {0};
        cameras[c] = fit->flights[0].residuals.cameras[c];
        cameras[c].points = cameras[c].observations = 0;
        cameras[c].chi2 = 0.0;
        for (int f = 0; f < fit->n_flights; f++) {
            const ArcCameraResiduals *one = &fit->flights[f].residuals.cameras[c];
            cameras[c].points += one->points;
            cameras[c].observations += one->observations;
            cameras[c].chi2 += one->chi2;
            mean_add(&mean, one->rms_px, one->observations);
            mean_add(&held, one->held_out_rms_px,
                     arc_residuals_n_held_out(&fit->flights[f], joint->flights[f], c));
        }
        cameras[c].rms_px = mean_root(&mean);
        cameras[c].held_out_rms_px = mean_root(&held);
        mean_add(&all, cameras[c].rms_px, mean.n);
        mean_add(&all_held, cameras[c].held_out_rms_px, held.n);
    }
    r->n_cameras = n;
    r->cameras = cameras;
    r->rms_px = mean_root(&all);
    r->held_out_rms_px = mean_root(&all_held);
    return ARC_OK;
}

/* Sums over the flights; the physics residual is the worst. */
static ArcStatus fill_residuals(const ArcJointRun *run, const Common *common, ArcFit *fit,
                                ArcError *err)
{
    const ArcJoint *joint = run->joint;
    ArcResiduals r = {.dof = common->dof,
                      .physics_rms_m_s2 = NAN,
                      .physics_rms_fine_m_s2 = NAN,
                      .sigma_phys_m_s2 = NAN,
                      .sigma_phys_ci95_m_s2 = {NAN, NAN}};
    Mean metres = {0}, held = {0};
    double worst = 0.0;
    for (int f = 0; f < fit->n_flights; f++) {
        const ArcResiduals *one = &fit->flights[f].residuals;
        int seen = 0;
        for (int c = 0; c < one->n_cameras; c++)
            seen += one->cameras[c].observations;
        r.points += one->points;
        r.observations += one->observations;
        r.n_readings += one->n_readings;
        r.n_swing += one->n_swing;
        r.chi2 += one->chi2;
        r.readings_chi2 += one->readings_chi2;
        r.swing_chi2 += one->swing_chi2;
        r.prior_chi2 += one->prior_chi2;
        r.held_out_points += one->held_out_points;
        mean_add(&metres, one->rms_m, one->observations - seen);
        mean_add(&held, one->held_out_rms_m,
                 arc_residuals_n_held_out(&fit->flights[f], joint->flights[f], one->n_cameras));
        double share = one->physics_rms_fine_m_s2 / one->sigma_phys_m_s2;
        if (run->method == ARC_PINN && share >= worst) {
            worst = share;
            r.physics_rms_m_s2 = one->physics_rms_m_s2;
            r.physics_rms_fine_m_s2 = one->physics_rms_fine_m_s2;
            r.sigma_phys_m_s2 = one->sigma_phys_m_s2;
        }
    }
    for (int k = 0; k < joint->n_shared; k++) {
        double off = (run->s[k] - joint->shared[k].prior_mean) / joint->shared[k].prior_sd;
        r.prior_chi2 += isfinite(joint->shared[k].prior_sd) ? off * off : 0.0;
    }
    for (int k = joint->n_shared; k < run->n_shared; k++) {
        double off = (run->s[k] - run->shared.prior_mean[k]) / run->shared.prior_sd[k];
        r.prior_chi2 += off * off;
    }
    r.rms_m = mean_root(&metres);
    r.held_out_rms_m = mean_root(&held);
    r.chi2_p =
        joint->sigma_estimated ? (double)NAN : arc_statistics_chi2_p(r.chi2 + r.prior_chi2, r.dof);
    ArcStatus status = fill_cameras(joint, fit, &r, err);
    fit->residuals = r;
    return status;
}

/* Why a shared unknown is unidentified: by itself, or with others, of which some may be the
 * flights' own. */
static const char *shared_reason(const ArcFit *fit, int g, int i)
{
    char text[256] = "";
    size_t used = 0;
    for (int k = 0; k < fit->unidentified_size[g]; k++)
        if (fit->unidentified[g][k] != i)
            used += (size_t)snprintf(text + used, sizeof text - used, " %.30s",
                                     fit->parameters[fit->unidentified[g][k]].name);
    const ArcFit *first = &fit->flights[0];
    for (int h = 0; h < first->n_unidentified; h++) {
        bool here = false;
        for (int k = 0; k < first->unidentified_size[h]; k++)
            here = here || strcmp(first->parameters[first->unidentified[h][k]].name,
                                  fit->parameters[i].name) == 0;
        for (int k = 0; here && k < first->unidentified_size[h] && used < 200; k++) {
            const char *name = first->parameters[first->unidentified[h][k]].name;
            if (strcmp(name, fit->parameters[i].name) != 0 && strstr(text, name) == NULL)
                used += (size_t)snprintf(text + used, sizeof text - used, " %.30s", name);
        }
    }
    return used == 0
               ? "no residual depends on it"
               : arc_arena_format(fit->arena, "only a combination with%s is determined", text);
}

/* The shared unknown k as an estimate, but for what null directions say. */
static ArcEstimate shared_estimate(const ArcJointRun *run, const ArcPosterior *posterior, int k,
                                   double factor)
{
    const ArcJointUnknown *unknown = &run->joint->shared[k];
    double value = run->s[k], sd = sqrt(posterior->covariance[k * (posterior->n + 1)]);
    bool low = value <= unknown->low, high = value >= unknown->high;
    return (ArcEstimate){.value = value,
                         .sd = sd,
                         .ci95 = {value - factor * sd, value + factor * sd},
                         .start = unknown->start,
                         .status = low || high ? ARC_PARAMETER_AT_BOUND : ARC_PARAMETER_FREE,
                         .free_index = k,
                         .reason = low    ? "it stands at its lower bound"
                                   : high ? "it stands at its upper bound"
                                          : NULL};
}

static ArcEstimate population_estimate(const ArcPopulation *population)
{
    return (ArcEstimate){
        .value = population->sd,
        .sd = population->sd_sd,
        .ci95 = {population->ci95[0], population->ci95[1]},
        .start = NAN,
        .status = population->is_zero ? ARC_PARAMETER_AT_BOUND : ARC_PARAMETER_FREE,
        .free_index = -1,
        .reason = population->is_zero ? "they do not differ beyond their noise" : NULL};
}

/* Estimates in the experiment's order: shared ones, free or fixed, and a population's two. place:
 * where each shared unknown has come to stand. */
static ArcStatus list_estimates(const ArcJointRun *run, const ArcPosterior *posterior,
                                const ArcPopulation *populations, int *place, ArcFit *fit,
                                ArcError *err)
{
    const ArcJoint *joint = run->joint;
    const ArcProblem *first = joint->flights[0];
    ArcEstimate *estimates = ARC_ALLOC(fit->arena, 2 * (size_t)first->n_parameters, ArcEstimate);
    if (estimates == NULL)
        return arc_error_no_memory(err);
    int n = 0;
    for (int i = 0; i < first->n_parameters; i++) {
        const ArcParameter *given = &joint->given[i];
        int k = joint->shared_of[i] >= 0 ? joint->shared_of[i] : joint->mean_of[i];
        bool is_mean = joint->mean_of[i] >= 0;
        if (given->sharing == ARC_PER_FLIGHT || given->is_tied)
            continue;
        ArcEstimate *e = &estimates[n++];
        *e = (ArcEstimate){.value = first->start[i],
                           .ci95 = {first->start[i], first->start[i]},
                           .start = first->start[i],
                           .status = ARC_PARAMETER_FIXED,
                           .free_index = -1};
        if (k >= 0) {
            double factor = is_mean && populations[k].mean_dof > 0.0
                                ? arc_statistics_t_quantile(0.975, populations[k].mean_dof)
                                : fit->interval_factor;
            place[k] = n - 1;
            *e = shared_estimate(run, posterior, k, factor);
        }
        e->name = arc_arena_format(fit->arena, is_mean ? "%s.mean" : "%s", given->name);
        e->unit = arc_arena_copy_text(fit->arena, given->unit, strlen(given->unit));
        if (e->name == NULL || e->unit == NULL)
            return arc_error_no_memory(err);
        if (!is_mean || !(populations[k].mean_dof > 0.0))
            continue;
        estimates[n] = population_estimate(&populations[k]);
        estimates[n].name = arc_arena_format(fit->arena, "%s.sd", given->name);
        estimates[n].unit = e->unit;
        if (estimates[n++].name == NULL)
            return arc_error_no_memory(err);
    }
    fit->n_parameters = n;
    fit->parameters = estimates;
    return ARC_OK;
}

static ArcStatus fill_shared(const ArcJointRun *run, const ArcPosterior *posterior,
                             const ArcPopulation *populations, ArcFit *fit, ArcError *err)
{
    int place[ARC_MAX_PARAMETERS] = {0};
    fit->n_free = run->joint->n_shared;
    fit->covariance = posterior->covariance;
    ArcStatus status = list_estimates(run, posterior, populations, place, fit, err);
    if (status == ARC_OK)
        status = arc_fit_name_unidentified(fit, posterior, place, err);
    ArcEstimate *estimates = (ArcEstimate *)(uintptr_t)fit->parameters;
    for (int i = 0; i < fit->n_parameters && status == ARC_OK; i++) {
        int group = arc_fit_group_of(fit, i);
        if (group < 0)
            continue;
        estimates[i].status = ARC_PARAMETER_UNIDENTIFIED;
        estimates[i].sd = estimates[i].ci95[0] = estimates[i].ci95[1] = NAN;
        estimates[i].reason = shared_reason(fit, group, i);
        if (estimates[i].reason == NULL)
            return arc_error_no_memory(err);
    }
    return status == ARC_OK ? arc_fit_find_identifiability(fit, NULL, posterior, place, err)
                            : status;
}

/* Of a fit without shared unknowns: nothing. */
static ArcStatus shared_posterior(ArcJointRun *run, ArcArena *arena, ArcPosterior *posterior,
                                  ArcError *err)
{
    static double nothing;
    int n = run->joint->n_shared;
    double *R = ARC_ALLOC(run->arena, (size_t)(n * n + run->n_shared), double);
    *posterior = (ArcPosterior){.covariance = &nothing};
    if (R == NULL)
        return arc_error_no_memory(err);
    double *scale = R + n * n;
    if (!arc_joint_named_factor(run, -1, R))
        return arc_error_set(err, ARC_NUMERIC, "error: the Jacobian at the estimate is not finite");
    arc_joint_solver_scales(run->solver, -1, scale);
    return n == 0 ? ARC_OK : arc_posterior_create_scaled(n, R, scale, arena, posterior, err);
}

/* What no flight can tell without its distance from the camera (depth.h), all together cannot. */
static ArcStatus judge_shared(const ArcJointRun *run, const ArcFit *fit, ArcPosterior *posterior,
                              ArcError *err)
{
    const ArcJoint *joint = run->joint;
    int n = posterior->n, first = -1;
    bool with[ARC_MAX_PARAMETERS];
    double g[ARC_MAX_PARAMETERS];
    for (int k = 0; k < n; k++) {
        int i = joint->shared[k].parameter;
        with[k] = !joint->shared[k].is_mean && posterior->identified[k];
        for (int f = 0; f < fit->n_flights; f++)
            with[k] = with[k] && fit->flights[f].parameters[i].status == ARC_PARAMETER_UNIDENTIFIED;
        first = with[k] && first < 0 ? k : first;
    }
    if (first < 0)
        return ARC_OK;
    double sd = sqrt(posterior->covariance[first * (n + 1)]);
    for (int k = 0; k < n; k++)
        g[k] = posterior->covariance[first * n + k] / sd;
    return arc_depth_take_out(posterior, g, with, fit->arena, err);
}

/* Positions at all points, one flight behind the other, and a trajectory of nothing. */
static ArcStatus gather_predicted(const ArcJoint *joint, ArcFit *fit, ArcError *err)
{
    size_t n = 0, d = (size_t)joint->flights[0]->n_axes;
    for (int f = 0; f < joint->n_flights; f++)
        n += (size_t)joint->flights[f]->n_points;
    double *all = ARC_ALLOC(fit->arena, n * (d + ARC_VIEW_NUMBERS), double);
    if (all == NULL)
        return arc_error_no_memory(err);
    double *seen = all + n * d;
    fit->predicted_px = fit->flights[0].predicted_px != NULL ? seen : NULL;
    fit->predicted_m = fit->time_s = fit->position_m = all;
    fit->velocity_m_s = fit->acceleration_m_s2 = all;
    for (int f = 0; f < joint->n_flights; f++) {
        size_t count = (size_t)joint->flights[f]->n_points * d;
        size_t numbers = (size_t)joint->flights[f]->n_points * ARC_VIEW_NUMBERS;
        memcpy(all, fit->flights[f].predicted_m, sizeof(double) * count);
        if (fit->predicted_px != NULL)
            memcpy(seen, fit->flights[f].predicted_px, sizeof(double) * numbers);
        all += count;
        seen += numbers;
    }
    return ARC_OK;
}

static void fill_end(const ArcJointRun *run, const Common *common, ArcFit *fit)
{
    const ArcJoint *joint = run->joint;
    int coarse = 0;
    fit->spread = common->spread;
    fit->interval_factor = common->interval_factor;
    fit->dimensions = joint->flights[0]->d;
    fit->stop = run->history.interrupted ? ARC_STOP_INTERRUPTED : run->result.stop;
    fit->iterations = run->iterations;
    for (int f = 0; f < joint->n_flights && run->method == ARC_PINN; f++)
        coarse += !run->members[f].is_fine;
    fit->converged = arc_stop_is_converged(fit->stop) && coarse == 0;
    fit->n_starts = 1;
    fit->n_starts_converged = fit->converged;
    if (joint->sigma_estimated && isnan(run->sigma_factor_sd)) {
        fit->converged = false;
        fit->stop_note = "sigma could not be found from the points; give capture.sigma a length";
    }
}

ArcStatus arc_joint_outcome(ArcJointRun *run, ArcFit *fit, ArcError *err)
{
    double begin_s = fit->wall_s;
    size_t n = (size_t)run->joint->n_shared;
    const Common common = common_of(run);
    ArcPosterior posterior;
    ArcPopulation *populations = ARC_ALLOC(run->arena, n, ArcPopulation);
    ArcHistoryRow *rows = ARC_ALLOC(fit->arena, (size_t)run->history.n, ArcHistoryRow);
    ArcPosterior *posteriors = ARC_ALLOC(run->arena, (size_t)run->joint->n_flights, ArcPosterior);
    if (populations == NULL || rows == NULL || posteriors == NULL)
        return arc_error_no_memory(err);
    memcpy(rows, run->history.rows, sizeof(ArcHistoryRow) * (size_t)run->history.n);
    fit->n_history = run->history.n;
    fit->history = rows;
    ArcStatus status = ARC_OK;
    if (run->joint->n_populations > 0 && run->settings.max_iterations > 0)
        status = arc_populations_describe(run, run->arena, populations, err);
    if (status == ARC_OK)
        status = shared_posterior(run, fit->arena, &posterior, err);
    if (status == ARC_OK)
        status = find_posteriors(run, fit->arena, posteriors, err);
    if (status != ARC_OK)
        return status;
    fill_end(run, &common, fit);
    fit->wall_s = arc_fit_seconds_now() - begin_s;
    status = fill_flights(run, &common, posteriors, fit, err);
    if (status == ARC_OK)
        status = judge_shared(run, fit, &posterior, err);
    if (status == ARC_OK)
        status = fill_shared(run, &posterior, populations, fit, err);
    if (status == ARC_OK)
        status = gather_predicted(run->joint, fit, err);
    if (status == ARC_OK)
        status = fill_residuals(run, &common, fit, err);
    if (status == ARC_OK)
        status = arc_system_join_channels(fit, err);
    if (status == ARC_OK && run->settings.max_iterations > 0 && isnan(fit->residuals.chi2)) {
        fit->converged = false;
        fit->stop_note = ARC_RESIDUALS_UNSEEN;
    }
    return status;
}
