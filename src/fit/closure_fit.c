/* What a fit says of its closure. */
#include "fit/closure_search.h"
#include "fit/derived.h"

#include "model/closure_inputs.h"
#include "model/closure_table.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* Which of all weights the i-th is of those that are wanted. */
static size_t place_of(const ArcClosureFound *found, size_t i)
{
    size_t H = (size_t)found->whole->H;
    return found->is_trained ? i : (size_t)found->output[i / H] * H + i % H;
}

/* The simulator's form of a net's run, where that has ended: no step is taken. */
static ArcStatus simulate_run(const ArcJointRun *run, ArcArena *arena, ArcJointRun *direct,
                              ArcError *err)
{
    ArcStatus status =
        arc_joint_run_create(run->joint, ARC_DIRECT, run->history.options, arena, direct, err);
    if (status == ARC_OK)
        status = arc_joint_run_take(direct, err);
    if (status != ARC_OK)
        return status;
    direct->settings.max_iterations = 0;
    memcpy(direct->s, run->s, sizeof(double) * (size_t)run->n_shared);
    memcpy(direct->population_sd, run->population_sd, sizeof(double) * (size_t)run->n_shared);
    if (run->joint->sigma_estimated)
        arc_joint_run_multiply_sigmas(direct, run->sigma_factor / direct->sigma_factor);
    for (int f = 0; f < run->joint->n_flights; f++)
        direct->members[f].problem.start = run->members[f].values;
    return arc_joint_run_direct(direct, err);
}

/* Weights that the data determine. A net follows only fields that are smooth on its scale: its
 * covariance has less of the others than their prior, which no observation has told. So the
 * simulator's form counts for both methods; what it cannot fly has no number. */
static ArcStatus count_told(ArcJointRun *run, double *told, ArcError *err)
{
    ArcJointRun direct = {.joint = run->joint};
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = ARC_OK;
    if (run->method == ARC_PINN)
        status = simulate_run(run, arena, &direct, err);
    *told = 0.0;
    if (status == ARC_OK)
        status =
            arc_joint_effective_weights(run->method == ARC_PINN ? &direct : run, arena, told, err);
    arc_joint_run_free(&direct);
    arc_arena_free(arena);
    if (status != ARC_NUMERIC)
        return status;
    *told = (double)NAN;
    return ARC_OK;
}

/* Weights and covariance of all outputs: of those that are not wanted zero. */
static ArcStatus fill_weights(ArcJointRun *run, ArcArena *arena, ArcClosureFit *closure,
                              ArcError *err)
{
    const ArcClosureFound *found = run->joint->found;
    size_t K = (size_t)found->whole->K;
    double *weights = ARC_ALLOC(arena, K + K * K, double), *C = weights + K;
    if (weights == NULL)
        return arc_error_no_memory(err);
    memset(weights, 0, sizeof(double) * (K + K * K));
    closure->n_weights = (int)K;
    closure->weights = weights;
    closure->covariance = C;
    if (run->closure == NULL)
        return ARC_OK;
    size_t k = (size_t)run->closure->K, named = (size_t)run->joint->n_shared;
    double *own = ARC_ALLOC(run->arena, k * k, double);
    if (own == NULL)
        return arc_error_no_memory(err);
    if (!arc_joint_weights_covariance(run, own))
        return arc_error_set(err, ARC_NUMERIC,
                             "error: the covariance of the closure's weights "
                             "cannot be had");
    ArcStatus status = count_told(run, &closure->effective, err);
    if (status != ARC_OK)
        return status;
    for (size_t i = 0; i < k; i++) {
        size_t to = place_of(found, i);
        weights[to] = run->s[named + i];
        for (size_t j = 0; j < k; j++)
            C[to * K + place_of(found, j)] = own[i * k + j];
    }
    return ARC_OK;
}

/* Drag of a flight at a state, squared: what is along u, but for what acts on a ball that stands
 * still in the air. */
static double drag2(const ArcFlight *flight, const ArcClosureState *state)
{
    int D = state->D, d = flight->settings.dimensions;
    double still[ARC_SIM_MAX_DIMENSIONS], law[ARC_SIM_MAX_DIMENSIONS], fall[ARC_SIM_MAX_DIMENSIONS];
    double u2 = 0.0, along = 0.0;
    ArcClosureAir air = arc_closure_air(state);
    for (int c = 0; c < D; c++)
        still[c] = state->v[c] - (c < 3 ? air.u[c] : 0.0);
    arc_flight_acceleration(flight, 1, &state->t_s, state->x, state->v, state->p, law, NULL, NULL,
                            NULL);
    arc_flight_acceleration(flight, 1, &state->t_s, state->x, still, state->p, fall, NULL, NULL,
                            NULL);
    for (int c = 0; c < d; c++) {
        u2 += air.u[c] * air.u[c];
        along += (law[c] - fall[c]) * air.u[c];
    }
    return u2 > 0.0 ? along * along / u2 : 0.0;
}

/* Sums of squares along one flight's trajectory: of the closure's acceleration, and of drag's. */
static void add_sizes(const ArcProblem *problem, const double *values, const ArcFit *fit,
                      double sums[2])
{
    const ArcFlight *flight = problem->phase == NULL ? &problem->flight : NULL;
    int d = fit->dimensions, D = problem->D;
    bool is_first = problem->phase != NULL && problem->phase->is_integral;
    for (int i = 0; i < fit->n_trajectory; i++) {
        double a[ARC_SIM_MAX_DIMENSIONS] = {0}, x[ARC_SIM_MAX_DIMENSIONS] = {0};
        double v[ARC_SIM_MAX_DIMENSIONS] = {0}, t_s = fit->time_s[i] - fit->time_s[0];
        memcpy(x, fit->position_m + i * d, sizeof(double) * (size_t)d);
        memcpy(v, fit->velocity_m_s + i * d, sizeof(double) * (size_t)d);
        arc_closure_add(problem->closure, flight, 1, &t_s, x, is_first ? NULL : v, values,
                        values + problem->n_parameters, problem->P, a, NULL, NULL, NULL);
        sums[0] += cblas_ddot(D, a, 1, a, 1);
        const ArcClosureState state = {flight, D, t_s, x, v, values};
        sums[1] += flight != NULL ? drag2(flight, &state) : 0.0;
    }
}

/* rms of the closure's acceleration along the flights, and its share of drag's. */
static void fill_sizes(const ArcJointRun *run, const ArcFit *fit, ArcClosureFit *closure)
{
    double sums[2] = {0}, numbers = 0.0;
    closure->rms = 0.0;
    closure->rms_share = 0.0;
    if (run->closure == NULL)
        return;
    for (int f = 0; f < fit->n_flights; f++) {
        add_sizes(&run->members[f].problem, run->members[f].values, &fit->flights[f], sums);
        numbers += fit->flights[f].n_trajectory;
    }
    closure->rms = sqrt(sums[0] / numbers);
    closure->rms_share = sums[1] > 0.0 ? sqrt(sums[0] / sums[1]) : (double)NAN;
}

/* Each flight flies by the closure: the covariance of its free parameters with all weights, and the
 * numbers that follow. */
static ArcStatus fill_flight(ArcJointRun *run, int f, const ArcClosureFit *closure, ArcFit *fit,
                             ArcArena *scratch, ArcError *err)
{
    const ArcClosureFound *found = run->joint->found;
    size_t K = (size_t)closure->n_weights, n = (size_t)fit->n_free;
    size_t named = (size_t)fit->n_parameters;
    fit->closure = closure;
    if (run->closure == NULL)
        return ARC_OK; /* it does nothing, for sure */
    size_t k = (size_t)run->closure->K;
    double *X = ARC_ALLOC(fit->arena, n * K, double);
    double *values = ARC_ALLOC(scratch, named + K, double);
    if (X == NULL || values == NULL)
        return arc_error_no_memory(err);
    memset(X, 0, sizeof(double) * n * K);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++)
            X[i * K + place_of(found, j)] = run->with_weights[f][i * k + j];
    fit->weights_covariance = X;
    memcpy(values, run->members[f].values, sizeof(double) * named);
    memcpy(values + named, closure->weights, sizeof(double) * K);
    ArcProblem problem = *run->joint->flights[f];
    ArcStatus status = arc_problem_close(&problem, found->whole, NULL, false, scratch, err);
    return status != ARC_OK ? status : arc_fit_derive(fit, &problem, values, err);
}

static ArcStatus fill_flights(ArcJointRun *run, const ArcClosureFit *closure, ArcFit *fit,
                              ArcError *err)
{
    ArcStatus status = ARC_OK;
    fit->closure = closure;
    for (int f = 0; f < fit->n_flights && status == ARC_OK; f++) {
        ArcArena *scratch = arc_arena_create();
        if (scratch == NULL)
            return arc_error_no_memory(err);
        status = fill_flight(run, f, closure, (ArcFit *)&fit->flights[f], scratch, err);
        arc_arena_free(scratch);
    }
    return status;
}

ArcStatus arc_joint_closure(ArcJointRun *run, ArcFit *fit, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    const ArcClosureFound *found = joint->found;
    if (found == NULL || !found->is_found)
        return ARC_OK;
    ArcClosureFit *closure = ARC_ALLOC(fit->arena, 1, ArcClosureFit);
    if (closure == NULL)
        return arc_error_no_memory(err);
    *closure = (ArcClosureFit){.settings = joint->closure,
                               .n_units = found->whole->H,
                               .width = found->whole->width,
                               .is_lost = found->is_lost,
                               .n_outputs = found->whole->O,
                               .log_bayes = found->log_bayes,
                               .chi2_without = found->chi2_without,
                               .chi2_with = arc_joint_run_chi2(run),
                               .n_folds = found->n_folds,
                               .held_out_with = found->held_out_with,
                               .held_out_without = found->held_out_without};
    memcpy(closure->ridge, found->ridge, sizeof closure->ridge);
    memcpy(closure->centre, found->whole->centre, sizeof closure->centre);
    memcpy(closure->scale, found->whole->scale, sizeof closure->scale);
    closure->n_hidden = (closure->settings.n_inputs + 1) * found->whole->features.H;
    double *hidden = ARC_ALLOC(fit->arena, (size_t)closure->n_hidden, double);
    if (hidden == NULL)
        return arc_error_no_memory(err);
    memcpy(hidden, found->whole->hidden, sizeof(double) * (size_t)closure->n_hidden);
    closure->hidden = hidden;
    double expected = joint->n_observations + joint->n_priors - joint->n_unknowns;
    closure->misfit_explained =
        found->chi2_without > expected
            ? (found->chi2_without - closure->chi2_with) / (found->chi2_without - expected)
            : (double)NAN;
    ArcStatus status = fill_weights(run, fit->arena, closure, err);
    if (status == ARC_OK)
        fill_sizes(run, fit, closure);
    const ArcClosureLearned learned = {.closure = found->whole,
                                       .equations = joint->flights[0]->equations,
                                       .weights = closure->weights,
                                       .covariance = closure->covariance,
                                       .n = found->n_points,
                                       .flown = found->points};
    if (status == ARC_OK)
        status = arc_closure_tabulate(&learned, fit->arena, &closure->table, err);
    return status != ARC_OK ? status : fill_flights(run, closure, fit, err);
}
