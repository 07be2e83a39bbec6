/* Fit: runs a method, then makes of its outcome what people read: estimates with standard
 * deviations, residuals, trajectory. */
#include "arcfit/fit.h"

#include "base/number.h"
#include "fit/arm_fit.h"
#include "fit/derived.h"
#include "fit/fill.h"
#include "fit/identifiability.h"
#include "fit/method.h"
#include "fit/predict.h"
#include "fit/residuals.h"
#include "fit/sigmas.h"
#include "fit/spread.h"
#include "fit/starts.h"
#include "fit/swing_fit.h"
#include "fit/system_fit.h"
#include "solve/diffuse.h"
#include "solve/posterior.h"

#include <cblas.h>
#include <math.h>
#include <string.h>
#include <time.h>

const char *arc_parameter_status_text(ArcParameterStatus status)
{
    static const char *const texts[] = {"free", "fixed", "at-bound", "unidentified", "tied"};
    return texts[status];
}

void arc_fit_free(ArcFit *fit)
{
    if (fit != NULL)
        arc_arena_free(fit->arena);
}

static void *arena_copy(ArcArena *arena, const void *from, size_t count, size_t size)
{
    void *copy = arc_arena_alloc(arena, count, size);
    if (copy != NULL && count > 0)
        memcpy(copy, from, count * size);
    return copy;
}

ArcStatus arc_fit_name_unidentified(ArcFit *fit, const ArcPosterior *posterior, const int *place,
                                    ArcError *err)
{
    int n = posterior->n, n_null = posterior->n_null;
    int *sizes = ARC_ALLOC(fit->arena, (size_t)n_null, int);
    int *members = ARC_ALLOC(fit->arena, (size_t)n_null * (size_t)n, int);
    const int **groups = ARC_ALLOC(fit->arena, (size_t)n_null, const int *);
    double *directions = ARC_ALLOC(fit->arena, (size_t)n_null * (size_t)n + 1, double);
    if (sizes == NULL || members == NULL || groups == NULL || directions == NULL)
        return arc_error_no_memory(err);
    if (n_null > 0) /* else there may be none to copy */
        memcpy(directions, posterior->null, sizeof(double) * (size_t)n_null * (size_t)n);
    /* They may come in any mixture: those that have no unknown in common are taken apart. */
    arc_diffuse_echelon(n_null, n, directions, sizes);
    for (int g = 0; g < n_null; g++) {
        cblas_dscal(n, 1.0 / cblas_dnrm2(n, directions + g * n, 1), directions + g * n, 1);
        groups[g] = members + g * n;
        sizes[g] = 0;
        for (int k = 0; k < n; k++) {
            if (fabs(directions[g * n + k]) > ARC_POSTERIOR_PART)
                members[g * n + sizes[g]++] = place[k];
            directions[g * n + k] *= posterior->scale[k];
        }
    }
    fit->null_directions = directions;
    fit->n_unidentified = n_null;
    fit->unidentified_size = sizes;
    fit->unidentified = groups;
    return ARC_OK;
}

int arc_fit_group_of(const ArcFit *fit, int i)
{
    for (int g = 0; g < fit->n_unidentified; g++)
        for (int k = 0; k < fit->unidentified_size[g]; k++)
            if (fit->unidentified[g][k] == i)
                return g;
    return -1;
}

/* NULL on exhaustion. */
static const char *depth_reason(const ArcFit *fit, const ArcDepth *depth)
{
    char distance[ARC_NUMBER_TEXT], sd[ARC_NUMBER_TEXT];
    arc_number_write_digits(distance, depth->distance_m, 3);
    arc_number_write_digits(sd, depth->sd_m, 2);
    return arc_arena_format(fit->arena,
                            "the view tells it only together with the distance from the camera, "
                            "which is %s m with an sd of %s m",
                            distance, sd);
}

/* Why the data cannot tell parameter i of a group: alone, only together with others, or for want
 * of depth. NULL on exhaustion. */
static const char *unidentified_reason(const ArcFit *fit, const ArcProblem *problem,
                                       const ArcDepth *depth, int i, int group)
{
    if (depth->with != NULL && depth->with[problem->free_index[i]])
        return depth_reason(fit, depth);
    if (fit->unidentified_size[group] == 1)
        return "no residual depends on it";
    char *text = arc_arena_format(fit->arena, "only a combination with");
    for (int k = 0; k < fit->unidentified_size[group] && text != NULL; k++)
        if (fit->unidentified[group][k] != i)
            text = arc_arena_format(fit->arena, "%s %s", text,
                                    problem->parameters[fit->unidentified[group][k]].name);
    return text == NULL ? NULL : arc_arena_format(fit->arena, "%s is determined", text);
}

static const char at_low[] = "it stands at its lower bound";
static const char at_high[] = "it stands at its upper bound";

static bool is_at_bound(const ArcProblem *problem, int k, double value)
{
    return value <= problem->low[k] || value >= problem->high[k];
}

/* The sd of a camera's own sigma, which no row of the covariance has; NaN where it is not known.
 * False for any other parameter. */
static bool own_sigma_sd(const ArcProblem *problem, const ArcSpreadFound *found, int i, double *sd)
{
    for (int k = 0; k < problem->n_sigmas; k++) {
        if (problem->sigma_parameter[k] != i)
            continue;
        *sd = found->sigma_sd != NULL ? found->sigma_sd[k] : (double)NAN;
        return true;
    }
    return false;
}

static const char tied_to_unknown[] = "it depends on an unidentified parameter of the arm";

/* sd of parameter i, which follows from the arm's. */
static void tied_sd(const ArcFit *fit, int i, ArcEstimate *e)
{
    double gradient[ARC_MAX_PARAMETERS] = {0};
    gradient[i] = 1.0;
    e->status = ARC_PARAMETER_TIED;
    e->sd = arc_fit_sd(fit, gradient);
    e->reason = isnan(e->sd) ? tied_to_unknown : NULL;
}

static ArcStatus fit_fill_parameters(ArcFit *fit, const ArcProblem *problem, const double *values,
                                     const ArcSpreadFound *found, ArcError *err)
{
    const ArcPosterior *posterior = &found->posterior;
    size_t n = (size_t)problem->n_parameters;
    ArcEstimate *estimates = ARC_ALLOC(fit->arena, n, ArcEstimate);
    if (estimates == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < problem->n_parameters; i++) {
        const ArcParameter *parameter = &problem->parameters[i];
        ArcEstimate *e = &estimates[i];
        int k = problem->free_index[i], group = arc_fit_group_of(fit, i);
        bool is_sigma = false;
        *e = (ArcEstimate){.value = values[i],
                           .start = problem->start[i],
                           .free_index = k,
                           .status = ARC_PARAMETER_FIXED};
        e->name = arc_arena_copy_text(fit->arena, parameter->name, strlen(parameter->name));
        e->unit = arc_arena_copy_text(fit->arena, parameter->unit, strlen(parameter->unit));
        if (group >= 0) {
            e->status = ARC_PARAMETER_UNIDENTIFIED;
            e->sd = NAN;
            e->reason = unidentified_reason(fit, problem, &found->depth, i, group);
        } else if (k >= 0) {
            e->status =
                is_at_bound(problem, k, values[i]) ? ARC_PARAMETER_AT_BOUND : ARC_PARAMETER_FREE;
            e->sd = sqrt(posterior->covariance[k * posterior->n + k]);
            if (e->status == ARC_PARAMETER_AT_BOUND)
                e->reason = values[i] <= problem->low[k] ? at_low : at_high;
        } else if (own_sigma_sd(problem, found, i, &e->sd)) {
            bool low = values[i] <= parameter->low, high = values[i] >= parameter->high;
            e->status = low || high ? ARC_PARAMETER_AT_BOUND : ARC_PARAMETER_FREE;
            e->reason = low ? at_low : high ? at_high : NULL;
            is_sigma = true;
        }
        e->ci95[0] = e->value - fit->interval_factor * e->sd;
        e->ci95[1] = e->value + fit->interval_factor * e->sd;
        if (is_sigma)
            arc_sigmas_interval(e->value, e->sd, e->ci95);
        bool reasoned = e->status == ARC_PARAMETER_FREE || e->status == ARC_PARAMETER_FIXED ||
                        e->reason != NULL;
        if (e->name == NULL || e->unit == NULL || !reasoned)
            return arc_error_no_memory(err);
    }
    fit->n_parameters = problem->n_parameters;
    fit->parameters = estimates;
    for (int i = 0; i < problem->n_parameters; i++) {
        if (!problem->parameters[i].is_tied)
            continue;
        tied_sd(fit, i, &estimates[i]);
        estimates[i].ci95[0] = estimates[i].value - fit->interval_factor * estimates[i].sd;
        estimates[i].ci95[1] = estimates[i].value + fit->interval_factor * estimates[i].sd;
    }
    return ARC_OK;
}

/* n states of D coordinates become those of d dimensions, in place. */
static void drop_path(int n, int D, int d, double *states)
{
    for (int i = 1; D > d && i < n; i++)
        memmove(states + i * d, states + i * D, sizeof(double) * (size_t)d);
}

/* States at 101 equally spaced times from t0 to the last used point. */
static ArcStatus fit_fill_trajectory(ArcFit *fit, const ArcProblem *problem, const double *values,
                                     const ArcTrajectory *trajectory, ArcError *err)
{
    size_t D = (size_t)problem->D, n = ARC_TRAJECTORY_POINTS;
    double *t = ARC_ALLOC(fit->arena, n, double);
    double *x = ARC_ALLOC(fit->arena, 3 * n * D, double);
    if (t == NULL || x == NULL)
        return arc_error_no_memory(err);
    double t0_s = values[problem->t0_index], last_s = arc_residuals_last_used(problem, values);
    for (size_t i = 0; i < n; i++)
        t[i] = i == n - 1 ? last_s : t0_s + (last_s - t0_s) * (double)i / (double)(n - 1);
    if (!trajectory->states(trajectory->context, (int)n, t, x, x + n * D, x + 2 * n * D))
        for (size_t i = 0; i < 3 * n * D; i++)
            x[i] = NAN;
    for (int part = 0; part < 3; part++)
        drop_path((int)n, problem->D, problem->d, x + (size_t)part * n * D);
    fit->n_trajectory = (int)n;
    fit->time_s = t;
    fit->position_m = x;
    fit->velocity_m_s = x + n * D;
    fit->acceleration_m_s2 = x + 2 * n * D;
    return ARC_OK;
}

static ArcStatus fit_fill_states(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                                 ArcError *err)
{
    if (problem->equations != NULL)
        return arc_system_fill_states(fit, problem, outcome, err);
    ArcArena *scratch = arc_arena_create();
    if (scratch == NULL)
        return arc_error_no_memory(err);
    ArcTrajectory trajectory;
    ArcStatus status = arc_trajectory_extend(problem, outcome, scratch, &trajectory, err);
    if (status == ARC_OK)
        status = fit_fill_trajectory(fit, problem, outcome->values, &trajectory, err);
    if (status == ARC_OK)
        status = arc_residuals_predict(fit, problem, outcome->values, &trajectory, err);
    arc_arena_free(scratch);
    return status;
}

ArcStatus arc_fit_fill(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                       const ArcSpreadFound *found, ArcError *err)
{
    const ArcPosterior *posterior = &found->posterior;
    fit->spread = found->spread;
    fit->interval_factor = found->interval_factor;
    fit->n_free = problem->n_free;
    fit->dimensions = problem->d;
    fit->covariance = posterior->covariance;
    fit->converged = outcome->converged;
    fit->stop = outcome->stop;
    fit->iterations = outcome->iterations;
    fit->net = outcome->net;
    fit->n_history = outcome->n_history;
    fit->history =
        arena_copy(fit->arena, outcome->history, (size_t)outcome->n_history, sizeof(ArcHistoryRow));
    fit->net.weights = arena_copy(fit->arena, outcome->net.weights, (size_t)outcome->net.n_weights,
                                  sizeof(double));
    size_t n_segments = (size_t)outcome->net.n_segments;
    fit->net.begin_s = arena_copy(fit->arena, outcome->net.begin_s, n_segments, sizeof(double));
    fit->net.span_s = arena_copy(fit->arena, outcome->net.span_s, n_segments, sizeof(double));
    if (fit->history == NULL || fit->net.weights == NULL || fit->net.begin_s == NULL ||
        fit->net.span_s == NULL)
        return arc_error_no_memory(err);
    if (outcome->net.n_weights == 0)
        fit->net.weights = NULL;
    ArcStatus status = arc_fit_name_unidentified(fit, posterior, problem->free_parameter, err);
    if (status == ARC_OK)
        status = arc_fit_create_arm(fit, problem, outcome->values, err);
    if (status == ARC_OK)
        status = arc_fit_fill_readings(fit, problem, outcome->values, err);
    if (status == ARC_OK)
        status = fit_fill_parameters(fit, problem, outcome->values, found, err);
    if (status == ARC_OK)
        status =
            arc_fit_find_identifiability(fit, problem, posterior, problem->free_parameter, err);
    if (status == ARC_OK)
        status = fit_fill_states(fit, problem, outcome, err);
    if (status == ARC_OK)
        status = arc_fit_fill_swing(fit, problem, outcome, err);
    if (status != ARC_OK)
        return status;
    status = arc_residuals_fill(fit, problem, outcome, found->chi2_p, err);
    if (status != ARC_OK)
        return status;
    if (problem->equations != NULL)
        return arc_system_fill_channels(fit, problem, err);
    if (problem->closure != NULL)
        return ARC_OK; /* numbers that follow depend on it: by arc_joint_closure */
    return arc_fit_derive(fit, problem, outcome->values, err);
}

double arc_fit_seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fit_count_starts(ArcFit *fit, const ArcStarts *starts, const ArcPosterior *posterior)
{
    double sd[ARC_MAX_PARAMETERS];
    for (int k = 0; k < posterior->n; k++)
        sd[k] =
            posterior->identified[k] ? sqrt(posterior->covariance[k * (posterior->n + 1)]) : 0.0;
    arc_starts_spread(starts, sd, &fit->n_starts, &fit->n_starts_converged, &fit->start_spread_sd);
}

/* A flight converges at any sigma, and where a camera that saw the ball cannot see it any more; it
 * is not the fit that was asked for. */
static void fit_doubt(ArcFit *fit)
{
    const char *why = NULL;
    if (isnan(fit->spread.sigma_factor_sd))
        why = "sigma could not be found from the points; give capture.sigma a length, another "
              "loss, or starts nearer to what was seen";
    else if (isnan(fit->residuals.chi2))
        why = ARC_RESIDUALS_UNSEEN;
    if (why == NULL)
        return;
    fit->converged = false;
    if (fit->stop_note == NULL)
        fit->stop_note = why;
}

static ArcStatus fit_make(ArcFit *fit, const ArcProblem *problem, const ArcStarts *starts,
                          bool forecast, ArcArena *scratch, ArcError *err)
{
    double begin_s = fit->wall_s;
    const ArcOutcome *outcome = arc_starts_best(starts);
    if (outcome->T == NULL)
        return arc_error_set(err, ARC_NUMERIC,
                             "error: the %s cannot be evaluated at the start values; give starts "
                             "or bounds nearer to the %s%s%s",
                             fit->method == ARC_PINN      ? "physics residual"
                             : problem->equations != NULL ? "simulated run"
                                                          : "simulated flight",
                             problem->equations != NULL ? "run" : "flight",
                             outcome->note != NULL ? ": " : "",
                             outcome->note != NULL ? outcome->note : "");
    const ArcProblem *settled = arc_starts_problem(starts);
    ArcSpreadFound found;
    ArcStatus status = arc_spread_find(settled, outcome, fit->arena, scratch, &found, err);
    if (status != ARC_OK)
        return status;
    status =
        arc_depth_judge(settled, outcome->values, fit->arena, &found.posterior, &found.depth, err);
    if (status != ARC_OK)
        return status;
    fit->wall_s = arc_fit_seconds_now() - begin_s;
    if (!forecast)
        status = arc_spread_find_outliers(settled, outcome, fit->arena, scratch, &found, err);
    if (status != ARC_OK)
        return status;
    fit_count_starts(fit, starts, &found.posterior);
    if (outcome->stages != NULL) {
        fit->stages = arc_arena_copy_text(fit->arena, outcome->stages, strlen(outcome->stages));
        if (fit->stages == NULL)
            return arc_error_no_memory(err);
    }
    if (outcome->note != NULL) {
        fit->stop_note = arc_arena_copy_text(fit->arena, outcome->note, strlen(outcome->note));
        if (fit->stop_note == NULL)
            return arc_error_no_memory(err);
    }
    status = arc_fit_fill(fit, problem, outcome, &found, err);
    if (!forecast && status == ARC_OK)
        fit_doubt(fit);
    if (status == ARC_OK)
        arc_fit_list_poses(fit, problem, outcome, starts);
    return status;
}

static ArcStatus fit_create(const ArcProblem *problem, ArcMethod method,
                            const ArcFitOptions *options, bool forecast, ArcFit **result,
                            ArcError *err)
{
    double begin_s = arc_fit_seconds_now();
    ArcArena *arena = arc_arena_create(), *scratch = arc_arena_create();
    ArcFit *fit = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcFit);
    ArcStarts *starts = NULL;
    ArcStatus status = fit == NULL || scratch == NULL ? arc_error_no_memory(err) : ARC_OK;
    if (status == ARC_OK) {
        fit->arena = arena;
        fit->wall_s = begin_s; /* until it is over */
        fit->method = method;
        status = arc_starts_run(problem, method, options, forecast, &starts, err);
    }
    if (status == ARC_OK)
        status = fit_make(fit, problem, starts, forecast, scratch, err);
    arc_starts_free(starts);
    arc_arena_free(scratch);
    if (status == ARC_OK)
        *result = fit;
    else
        arc_arena_free(arena);
    return status;
}

ArcStatus arc_fit_run(const ArcProblem *problem, ArcMethod method, const ArcFitOptions *options,
                      ArcFit **fit, ArcError *err)
{
    return fit_create(problem, method, options, false, fit, err);
}

ArcStatus arc_fit_forecast(const ArcProblem *problem, ArcFit **fit, ArcError *err)
{
    return fit_create(problem, ARC_DIRECT, NULL, true, fit, err);
}
