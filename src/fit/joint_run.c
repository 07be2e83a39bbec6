/* A run of several flights: each one's objective, and the solver over all. */
#include "fit/closure_search.h"
#include "fit/joint.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 200, MOST_ROUNDS = 60, HISTORY_ROWS = 2000 };
/* From a closure's search that has not arrived, of nets whose steps are dear, and of shooting. */
enum { LOST_NET_ITERATIONS = 8, LOST_ITERATIONS = 40 };
/* A joint sum of squares is steep in what is shared: so short a step is beside the sd, and the
 * parameters are then right to nine digits. */
static const double joint_tolerance = 1e-6;
/* A simulated swing is rough in its last digits. */
static const double swing_tolerance = 1e-3;
static const double hidden_lambda = 1e-2;
static const double settled_change = 1e-5; /* of log tau, far below its sd */

static bool note_iteration(void *context, int iteration, double cost, double step, const double *r)
{
    (void)r;
    ArcHistory *history = context;
    const ArcHistoryRow row = {.stage = history->stage,
                               .iteration = iteration,
                               .cost = cost,
                               .observations = NAN,
                               .physics = NAN,
                               .priors = NAN,
                               .step_sd = step,
                               .rate = NAN};
    return arc_history_add(history, &row);
}

/* Sigmas of its own where they are estimated. */
static ArcStatus member_take(ArcJointRun *run, int flight, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    ArcMember *member = &run->members[flight];
    *member = (ArcMember){.problem = *joint->flights[flight], .rms_before = INFINITY};
    size_t n = (size_t)member->problem.n_observations;
    /* The segments of a flight that bounces are evaluated together, and own equations of each run
     * have a scale of their own. */
    if (!member->problem.flight.settings.bounce.is_on && member->problem.equations == NULL)
        member->problem.pool = &run->pool;
    if (!joint->sigma_estimated)
        return ARC_OK;
    member->problem.observations = ARC_ALLOC(run->arena, n, ArcObservation);
    if (member->problem.observations == NULL)
        return arc_error_no_memory(err);
    memcpy(member->problem.observations, joint->flights[flight]->observations,
           sizeof(ArcObservation) * n);
    return ARC_OK;
}

/* Values of a member: its own start, and the shared ones where they stand. */
static void place_shared(const ArcJointRun *run, double *values)
{
    const ArcJoint *joint = run->joint;
    for (int k = 0; k < joint->n_shared; k++)
        if (!joint->shared[k].is_mean)
            values[joint->shared[k].parameter] = run->s[k];
    for (int k = joint->n_shared; k < run->n_shared; k++)
        values[joint->flights[0]->n_parameters + k - joint->n_shared] = run->s[k];
}

static ArcStatus create_objective(ArcJointRun *run, ArcMember *member, const double *values,
                                  ArcError *err)
{
    const ArcProblem *problem = &member->problem;
    double *start = NULL;
    if (run->method == ARC_PINN) {
        member->rung = arc_pinn_rung_for(problem, member->rung, values);
        ArcStatus status =
            arc_pinn_create_rung(problem, member->rung, values, member->arena, &member->pinn, err);
        if (status == ARC_OK)
            status = arc_linear_objective(member->pinn, member->arena, &member->objective,
                                          &member->z, err);
        if (status == ARC_OK)
            member->values = member->pinn->values;
        return status;
    }
    ArcStatus status = arc_direct_objective(problem, member->arena, &member->objective,
                                            &member->states, &start, err);
    if (status != ARC_OK)
        return status;
    member->values = start;
    memcpy(start, values, sizeof(double) * (size_t)arc_problem_n_values(problem));
    member->z = ARC_ALLOC(member->arena, (size_t)arc_problem_n_unknowns(problem), double);
    if (member->z == NULL)
        return arc_error_no_memory(err);
    arc_problem_gather(problem, values, member->z);
    return ARC_OK;
}

ArcStatus arc_member_create(ArcJointRun *run, int flight, ArcError *err)
{
    ArcMember *member = &run->members[flight];
    double values[ARC_MAX_PARAMETERS + ARC_CLOSURE_MAX_WEIGHTS];
    memcpy(values, member->values != NULL ? member->values : member->problem.start,
           sizeof(double) * (size_t)arc_problem_n_values(&member->problem));
    place_shared(run, values);
    arc_problem_tie(&member->problem, values);
    arc_arena_free(member->arena);
    member->values = NULL;
    member->arena = arc_arena_create();
    if (member->arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = create_objective(run, member, values, err);
    if (status != ARC_OK)
        return status;
    run->blocks[flight] = (ArcJointBlock){.objective = member->objective,
                                          .shared = run->column_shared,
                                          .mean = run->column_mean,
                                          .low = member->problem.low,
                                          .high = member->problem.high,
                                          .z = member->z};
    arc_arena_free(run->solver_arena);
    run->solver_arena = NULL;
    run->solver = NULL;
    return ARC_OK;
}

static ArcStatus create_shared(ArcJointRun *run, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    size_t n = (size_t)run->n_shared, named = (size_t)joint->n_shared;
    double *block = ARC_ALLOC(run->arena, 6 * n, double);
    if (block == NULL)
        return arc_error_no_memory(err);
    double *low = block, *high = low + n, *mean = high + n, *sd = mean + n;
    run->s = sd + n;
    run->population_sd = run->s + n;
    for (size_t k = 0; k < named; k++) {
        low[k] = joint->shared[k].low;
        high[k] = joint->shared[k].high;
        mean[k] = joint->shared[k].prior_mean;
        sd[k] = joint->shared[k].prior_sd;
        run->s[k] = joint->shared[k].start;
    }
    for (size_t k = named; k < n; k++) {
        low[k] = -INFINITY;
        high[k] = INFINITY;
        mean[k] = run->s[k] = 0.0;
        sd[k] = INFINITY;
    }
    run->shared = (ArcJointShared){.n = run->n_shared,
                                   .low = low,
                                   .high = high,
                                   .prior_mean = mean,
                                   .prior_sd = sd,
                                   .population_sd = run->population_sd,
                                   .s = run->s};
    arc_populations_begin(run);
    return ARC_OK;
}

ArcStatus arc_joint_run_create(const ArcJoint *joint, ArcMethod method,
                               const ArcFitOptions *options, ArcArena *arena, ArcJointRun *run,
                               ArcError *err)
{
    *run = (ArcJointRun){.joint = joint,
                         .method = method,
                         .arena = arena,
                         .settings = arc_least_squares_settings_default(),
                         .history = {.problem = &joint->head,
                                     .method = method,
                                     .options = options,
                                     .capacity = HISTORY_ROWS},
                         .n_shared = joint->n_shared,
                         .column_shared = joint->column_shared,
                         .column_mean = joint->column_mean,
                         .failed = -1,
                         .sigma_factor = 1.0};
    run->pool.arena = arena;
    run->settings.max_iterations = MOST_ITERATIONS;
    bool has_swing = false;
    for (int f = 0; f < joint->n_flights; f++)
        has_swing = has_swing || joint->flights[f]->swing != NULL;
    run->settings.tolerance = has_swing ? swing_tolerance : joint_tolerance;
    run->settings.progress = note_iteration;
    run->members = ARC_ALLOC(arena, (size_t)joint->n_flights, ArcMember);
    run->blocks = ARC_ALLOC(arena, (size_t)joint->n_flights, ArcJointBlock);
    if (run->members == NULL || run->blocks == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = create_shared(run, err);
    if (status == ARC_OK)
        status = arc_history_create(&run->history, arena, err);
    for (int f = 0; f < joint->n_flights && status == ARC_OK; f++)
        status = member_take(run, f, err);
    run->history.values = run->s;
    return status;
}

ArcStatus arc_joint_run_close(ArcJointRun *run, const ArcClosure *closure, const double *mean,
                              const double *sd, const double *weights, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    int n_free = joint->flights[0]->n_free, K = closure->K, named = joint->n_shared;
    int *columns = ARC_ALLOC(run->arena, 2 * (size_t)(n_free + K), int);
    if (columns == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < n_free + K; k++) {
        columns[k] = k < n_free ? joint->column_shared[k] : named + k - n_free;
        columns[n_free + K + k] = k < n_free ? joint->column_mean[k] : -1;
    }
    run->closure = closure;
    run->column_shared = columns;
    run->column_mean = columns + n_free + K;
    run->n_shared = named + K;
    run->marginal = ARC_ALLOC(run->arena, arc_joint_marginal_size(run), double);
    if (run->marginal == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = create_shared(run, err);
    if (status != ARC_OK)
        return status;
    run->history.values = run->s;
    double *prior_sd = (double *)(uintptr_t)run->shared.prior_sd;
    double *prior_mean = (double *)(uintptr_t)run->shared.prior_mean;
    memcpy(prior_sd + named, sd, sizeof(double) * (size_t)K);
    memcpy(prior_mean + named, mean, sizeof(double) * (size_t)K);
    memcpy(run->s + named, weights, sizeof(double) * (size_t)K);
    for (int f = 0; f < joint->n_flights && status == ARC_OK; f++)
        status =
            arc_problem_close(&run->members[f].problem, closure, weights, false, run->arena, err);
    return status;
}

ArcStatus arc_joint_run_take(ArcJointRun *run, ArcError *err)
{
    const ArcJoint *joint = run->joint;
    const ArcClosureFound *found = joint->found;
    if (found == NULL || !found->is_found)
        return ARC_OK;
    ArcStatus status = ARC_OK;
    if (found->closure != NULL)
        status =
            arc_joint_run_close(run, found->closure, found->mean, found->sd, found->weights, err);
    if (status != ARC_OK)
        return status;
    if (found->is_lost)
        run->settings.max_iterations =
            run->method == ARC_PINN ? LOST_NET_ITERATIONS : LOST_ITERATIONS;
    /* A hidden layer is far from linear. */
    if (run->closure != NULL && run->closure->settings.trains_all && run->method == ARC_DIRECT)
        run->settings.lambda = hidden_lambda;
    memcpy(run->s, found->shared, sizeof(double) * (size_t)joint->n_shared);
    for (int f = 0; f < joint->n_flights; f++) {
        ArcProblem *problem = &run->members[f].problem;
        size_t n = (size_t)problem->n_parameters, all = (size_t)arc_problem_n_values(problem);
        double *start = ARC_ALLOC(run->arena, all, double);
        if (start == NULL)
            return arc_error_no_memory(err);
        memcpy(start, problem->start, sizeof(double) * all);
        problem->start = memcpy(start, found->values + (size_t)f * n, sizeof(double) * n);
    }
    if (joint->sigma_estimated)
        arc_joint_run_multiply_sigmas(run, found->sigma_factor);
    return ARC_OK;
}

void arc_joint_run_free(ArcJointRun *run)
{
    for (int f = 0; run->members != NULL && f < run->joint->n_flights; f++)
        arc_arena_free(run->members[f].arena);
    arc_arena_free(run->solver_arena);
}

/* Values of member's parameters from z, and for the PINN its weights. */
static void member_keep(const ArcJointRun *run, ArcMember *member)
{
    const double *u = member->z + member->objective.n_inner;
    arc_problem_scatter(&member->problem, u, member->values);
    if (run->method == ARC_PINN)
        arc_linear_store(&member->objective, member->z);
}

static ArcStatus create_solver(ArcJointRun *run, ArcError *err)
{
    if (run->solver != NULL)
        return ARC_OK;
    run->settings.progress_context = &run->history;
    run->solver_arena = arc_arena_create();
    if (run->solver_arena == NULL)
        return arc_error_no_memory(err);
    return arc_joint_solver_create(run->joint->n_flights, run->blocks, &run->shared, &run->settings,
                                   run->solver_arena, &run->solver, err);
}

/* Releases that an optimiser has turned over; true where there was one. */
static bool turn_releases(ArcJointRun *run)
{
    bool turned = false;
    for (int f = 0; f < run->joint->n_flights; f++) {
        ArcMember *member = &run->members[f];
        double *u = member->z + member->objective.n_inner;
        turned = arc_problem_turn_release(&member->problem, u) || turned;
    }
    return turned;
}

static void run_solver(ArcJointRun *run)
{
    arc_history_begin(&run->history, run->method == ARC_PINN ? "linear" : "direct",
                      run->settings.max_iterations, 0);
    run->result = arc_joint_solver_run(run->solver, &run->failed);
    run->iterations += run->result.iterations;
    run->history.stage++;
}

/* Population sds and the fit that they belong to, in turn. */
static void run_populations(ArcJointRun *run)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double moved;
        if (!arc_stop_is_converged(run->result.stop) || run->settings.max_iterations == 0)
            return;
        arc_populations_improve(run, &moved);
        run_solver(run);
        if (moved < settled_change)
            return;
    }
    if (arc_stop_is_converged(run->result.stop))
        run->result.stop = ARC_STOP_STALLED;
}

ArcStatus arc_joint_solve(ArcJointRun *run, ArcError *err)
{
    ArcStatus status = create_solver(run, err);
    if (status != ARC_OK)
        return status;
    run_solver(run);
    if (run->result.stop != ARC_STOP_NON_FINITE && turn_releases(run))
        run_solver(run);
    if (run->joint->n_populations > 0)
        run_populations(run);
    for (int f = 0; f < run->joint->n_flights; f++) {
        ArcMember *member = &run->members[f];
        member_keep(run, member);
        if (run->failed < 0)
            member->cost = arc_joint_solver_cost(run->solver, f);
    }
    return ARC_OK;
}
