/* From the end of a fit of own equations to what people read. */
#include "fit/system_fit.h"

#include "arcfit/states.h"
#include "fit/residuals.h"
#include "fit/system.h"

#include <math.h>
#include <string.h>

/* Where a fitted system is looked at: by its net up to the last fitted time, else simulated. */
typedef struct Look {
    const ArcProblem *problem;
    const ArcOutcome *outcome;
    ArcPhaseRunner *runner;
    double *s; /* (n) */
} Look;

/* States, rates and second derivatives at n ascending times; NaN where they cannot be had. */
static void look_at(const Look *look, int n, const double *t_s, double *x, double *v, double *a)
{
    const ArcProblem *problem = look->problem;
    const ArcTrajectory *net = &look->outcome->trajectory;
    const double *values = look->outcome->values;
    double last_s = arc_problem_last_time(problem, values);
    int D = problem->D, inside = 0;
    while (look->outcome->pinn != NULL && inside < n && t_s[inside] <= last_s)
        inside++;
    for (int i = inside; i < n; i++)
        look->s[i] = t_s[i] - values[problem->t0_index];
    if (inside > 0)
        net->states(net->context, inside, t_s, x, v, a);
    const ArcSimOutput later = {.x = x + inside * D, .v = v + inside * D, .a = a + inside * D};
    if (inside < n && !arc_phase_run(look->runner, values, n - inside, look->s + inside, &later))
        for (int i = inside * D; i < n * D; i++)
            x[i] = v[i] = a[i] = NAN;
    arc_system_restore(problem, n, x, v, a);
}

static ArcStatus look_create(const ArcProblem *problem, const ArcOutcome *outcome, ArcArena *arena,
                             Look *look, ArcError *err)
{
    int n = problem->n_points;
    *look = (Look){.problem = problem, .outcome = outcome};
    look->s =
        ARC_ALLOC(arena, (size_t)(n > ARC_TRAJECTORY_POINTS ? n : ARC_TRAJECTORY_POINTS), double);
    if (look->s == NULL)
        return arc_error_no_memory(err);
    return arc_phase_runner_create(problem, arena, &look->runner, err);
}

/* States at equal times from t0 to the last used point. */
static ArcStatus fill_trajectory(ArcFit *fit, const Look *look, ArcError *err)
{
    const ArcProblem *problem = look->problem;
    const double *values = look->outcome->values;
    size_t D = (size_t)problem->D, n = ARC_TRAJECTORY_POINTS;
    double *t = ARC_ALLOC(fit->arena, n, double), *x = ARC_ALLOC(fit->arena, 3 * n * D, double);
    if (t == NULL || x == NULL)
        return arc_error_no_memory(err);
    double t0_s = values[problem->t0_index], last_s = arc_residuals_last_used(problem, values);
    for (size_t i = 0; i < n; i++)
        t[i] = i == n - 1 ? last_s : t0_s + (last_s - t0_s) * (double)i / (double)(n - 1);
    look_at(look, (int)n, t, x, x + n * D, x + 2 * n * D);
    fit->dimensions = problem->D;
    fit->n_trajectory = (int)n;
    fit->time_s = t;
    fit->position_m = x;
    fit->velocity_m_s = x + n * D;
    fit->acceleration_m_s2 = problem->equations->order == 2 ? x + 2 * n * D : NULL;
    return ARC_OK;
}

/* The channels at the used points from t0 on. */
static ArcStatus fill_predicted(ArcFit *fit, const Look *look, ArcArena *arena, ArcError *err)
{
    const ArcProblem *problem = look->problem;
    double t0_s = look->outcome->values[problem->t0_index];
    size_t n = (size_t)problem->n_points, D = (size_t)problem->D, axes = (size_t)problem->n_axes;
    double *predicted = ARC_ALLOC(fit->arena, n * axes, double);
    double *t = ARC_ALLOC(arena, n, double), *x = ARC_ALLOC(arena, 3 * n * D, double);
    int *point = ARC_ALLOC(arena, n, int), used = 0;
    if (predicted == NULL || t == NULL || x == NULL || point == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n * axes; i++)
        predicted[i] = NAN;
    for (int i = 0; i < problem->n_points; i++) {
        if (problem->point_use[i] == ARC_POINT_UNUSED || problem->point_time_s[i] < t0_s)
            continue;
        t[used] = problem->point_time_s[i];
        point[used++] = i;
    }
    double *v = x + (size_t)used * D, *a = v + (size_t)used * D;
    look_at(look, used, t, x, v, a);
    for (int i = 0; i < used; i++) {
        double *row = predicted + (size_t)point[i] * axes;
        memcpy(row, x + (size_t)i * D, sizeof(double) * D);
        if (axes > D)
            memcpy(row + D, v + (size_t)i * D, sizeof(double) * D);
    }
    fit->predicted_m = predicted;
    fit->predicted_px = NULL;
    return ARC_OK;
}

ArcStatus arc_system_fill_states(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                                 ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    Look look;
    ArcStatus status =
        arena == NULL ? arc_error_no_memory(err) : look_create(problem, outcome, arena, &look, err);
    if (status == ARC_OK)
        status = fill_trajectory(fit, &look, err);
    if (status == ARC_OK)
        status = fill_predicted(fit, &look, arena, err);
    arc_arena_free(arena);
    return status;
}

static double root_mean(double square, int n)
{
    return n > 0 ? sqrt(square / n) : NAN;
}

static void sum_channel(const ArcFit *fit, const ArcProblem *problem, int c, ArcChannelFit *channel)
{
    double square = 0.0, held = 0.0;
    for (int i = 0; i < problem->n_points; i++) {
        int at = i * problem->n_axes + c;
        double off = fit->predicted_m[at] - problem->point_position_m[at];
        double in_sigma = off / (problem->point_sigma_m[at] * fit->spread.sigma_factor);
        if (problem->point_use[i] == ARC_POINT_FIT && isfinite(problem->point_position_m[at])) {
            channel->n++;
            square += off * off;
            channel->chi2 += in_sigma * in_sigma;
        } else if (problem->point_use[i] == ARC_POINT_HELD_OUT && isfinite(off)) {
            channel->n_held_out++;
            held += off * off;
        }
    }
    channel->rms = root_mean(square, channel->n);
    channel->held_out_rms = root_mean(held, channel->n_held_out);
}

static const char *copy_text(ArcArena *arena, const char *text)
{
    return arc_arena_copy_text(arena, text, strlen(text));
}

ArcStatus arc_system_fill_channels(ArcFit *fit, const ArcProblem *problem, ArcError *err)
{
    const ArcEquations *equations = problem->equations;
    ArcStatesFit *states = ARC_ALLOC(fit->arena, 1, ArcStatesFit);
    if (states == NULL)
        return arc_error_no_memory(err);
    *states = (ArcStatesFit){.model = copy_text(fit->arena, equations->name),
                             .order = equations->order,
                             .n_states = equations->n_states,
                             .n_channels = equations->n_channels};
    bool has_room = states->model != NULL;
    for (int c = 0; c < equations->n_channels; c++) {
        ArcChannelFit *channel = &states->channels[c];
        *channel = (ArcChannelFit){.name = copy_text(fit->arena, equations->channels[c].name),
                                   .unit = copy_text(fit->arena, equations->channels[c].unit)};
        has_room = has_room && channel->name != NULL && channel->unit != NULL;
        sum_channel(fit, problem, c, channel);
    }
    fit->states = states;
    return has_room ? ARC_OK : arc_error_no_memory(err);
}

ArcStatus arc_system_join_channels(ArcFit *fit, ArcError *err)
{
    const ArcStatesFit *first = fit->n_flights > 0 ? fit->flights[0].states : NULL;
    if (first == NULL)
        return ARC_OK;
    ArcStatesFit *states = ARC_ALLOC(fit->arena, 1, ArcStatesFit);
    if (states == NULL)
        return arc_error_no_memory(err);
    *states = *first;
    for (int c = 0; c < states->n_channels; c++) {
        ArcChannelFit *channel = &states->channels[c];
        double square = 0.0, held = 0.0;
        channel->n = channel->n_held_out = 0;
        channel->chi2 = 0.0;
        for (int f = 0; f < fit->n_flights; f++) {
            const ArcChannelFit *one = &fit->flights[f].states->channels[c];
            channel->n += one->n;
            channel->n_held_out += one->n_held_out;
            channel->chi2 += one->chi2;
            square += one->n > 0 ? one->n * one->rms * one->rms : 0.0;
            held +=
                one->n_held_out > 0 ? one->n_held_out * one->held_out_rms * one->held_out_rms : 0.0;
        }
        channel->rms = root_mean(square, channel->n);
        channel->held_out_rms = root_mean(held, channel->n_held_out);
    }
    fit->states = states;
    return ARC_OK;
}

double arc_system_distance(const ArcFit *a, const ArcFit *b)
{
    double largest = 0.0; /* NaN as soon as one distance is */
    int D = b->dimensions;
    for (int c = 0; c < D && !isnan(largest); c++) {
        double low = INFINITY, high = -INFINITY, most = 0.0;
        for (int i = 0; i < a->n_trajectory && i < b->n_trajectory && !isnan(most); i++) {
            double value = b->position_m[i * D + c], off = fabs(a->position_m[i * D + c] - value);
            low = fmin(low, value);
            high = fmax(high, value);
            if (!(off <= most))
                most = off;
        }
        double scale = 0.5 * (high - low);
        double share = most == 0.0 ? 0.0 : most / (scale > 0.0 ? scale : fabs(high));
        if (!(share <= largest))
            largest = share;
    }
    return largest;
}
