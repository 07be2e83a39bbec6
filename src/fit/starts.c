/* Starts: drawn by stream number, run by OpenMP, each with an arena of its own. */
#include "fit/starts.h"

#include "base/random.h"
#include "fit/arm_problem.h"
#include "fit/checkpoint.h"
#include "fit/curriculum.h"
#include "fit/scale.h"
#include "fit/sigmas.h"

#include <math.h>
#include <string.h>

static const double near_share = 0.5; /* of a start without prior and bounds */
/* Half the chi2 by which a pose of an arm is told from another (arm_fit.h). */
static const double told_apart = 0.5 * ARC_ARM_TOLD_APART;

typedef struct Start {
    ArcArena *arena;
    ArcProblem problem; /* a shallow copy with seed and start of its own */
    ArcOutcome outcome;
    ArcStatus status;
    ArcError error;
} Start;

struct ArcStarts {
    ArcArena *arena;
    ArcCheckpoint *checkpoint;
    int n, best;
    int n_drawn; /* of them: the others, behind, are the first at other poses of an arm */
    Start *starts;
};

static double draw_value(const ArcParameter *parameter, double value, ArcRandom *random)
{
    double low = parameter->low, high = parameter->high, drawn;
    if (parameter->has_prior)
        drawn = parameter->prior_mean + parameter->prior_sd * arc_random_normal(random);
    else if (isfinite(high - low))
        drawn = arc_random_uniform(random, low, high);
    else
        drawn = value * (1.0 + near_share * arc_random_normal(random));
    return fmin(fmax(drawn, low), high);
}

static ArcStatus start_prepare(const ArcProblem *problem, int index, Start *start, ArcError *err)
{
    start->arena = arc_arena_create();
    size_t n = (size_t)problem->n_parameters;
    double *values = start->arena == NULL ? NULL : ARC_ALLOC(start->arena, n, double);
    if (values == NULL)
        return arc_error_no_memory(err);
    memcpy(values, problem->start, sizeof(double) * n);
    start->problem = *problem;
    start->problem.start = values;
    if (index >= problem->starts)
        arc_start_pose(problem, index - problem->starts + 1, values);
    if (index == 0 || index >= problem->starts)
        return ARC_OK;
    ArcRandom random =
        arc_random_create(problem->seed, ARC_STREAM_STARTS + ((uint64_t)index << 32));
    start->problem.seed = arc_random_bits(&random);
    for (int i = 0; i < problem->t0_index; i++)
        if (problem->parameters[i].is_free)
            values[i] = draw_value(&problem->parameters[i], values[i], &random);
    return ARC_OK;
}

static void start_run(ArcStarts *starts, int index, ArcMethod method, const ArcFitOptions *options,
                      bool forecast)
{
    Start *start = &starts->starts[index];
    const ArcProblem *problem = &start->problem;
    ArcStartPlace place = {index, index, starts->checkpoint};
    if (!forecast && !problem->curriculum.is_auto &&
        arc_curriculum_applies(problem, method, options))
        start->status = arc_curriculum_fit(problem, &(ArcCurriculumRun){method, options, place},
                                           start->arena, &start->outcome, &start->error);
    else if (method == ARC_PINN)
        start->status =
            arc_pinn_fit(problem, options, place, start->arena, &start->outcome, &start->error);
    else
        start->status = arc_direct_fit(problem, options, forecast, start->arena, &start->outcome,
                                       &start->error);
}

/* Training by gradients alone ends at its limit whatever the start. */
static bool can_arrive(const ArcProblem *problem, ArcMethod method)
{
    ArcOptimizer last = problem->pinn.stages[problem->pinn.n_stages - 1].optimizer;
    return method == ARC_DIRECT || last == ARC_OPTIMIZER_LINEAR || last == ARC_OPTIMIZER_LM;
}

/* Where even the best start failed, once more by stages of the laws. */
static ArcStatus try_stages(ArcStarts *starts, ArcMethod method, const ArcFitOptions *options,
                            ArcError *err)
{
    Start *best = &starts->starts[starts->best];
    const ArcProblem *problem = &best->problem;
    ArcOutcome staged = best->outcome;
    const ArcCurriculumRun run = {method, options, {starts->best, starts->n, starts->checkpoint}};
    if (!problem->curriculum.is_auto || !can_arrive(problem, method) ||
        !arc_outcome_is_doubtful(problem, best->outcome.stop, best->outcome.cost, NULL) ||
        !arc_curriculum_applies(problem, method, options))
        return ARC_OK;
    ArcStatus status = arc_curriculum_fit(problem, &run, best->arena, &staged, err);
    if (status != ARC_OK)
        return status;
    if (staged.stop == ARC_STOP_INTERRUPTED)
        best->outcome.stop = ARC_STOP_INTERRUPTED;
    else if (arc_outcome_is_better(&staged, &best->outcome))
        best->outcome = staged;
    return ARC_OK;
}

/* A net of own equations can end in a valley where shooting does not: once more from where that
 * ends. */
static ArcStatus try_shooting(ArcStarts *starts, ArcMethod method, const ArcFitOptions *options,
                              ArcError *err)
{
    Start *best = &starts->starts[starts->best];
    const ArcProblem *problem = &best->problem;
    size_t bytes = sizeof(double) * (size_t)problem->n_parameters;
    ArcOutcome again;
    if (method != ARC_PINN || problem->equations == NULL ||
        !arc_outcome_is_doubtful(problem, best->outcome.stop, best->outcome.cost, NULL))
        return ARC_OK;
    ArcProblem *near = ARC_ALLOC(best->arena, 1, ArcProblem);
    double *values = ARC_ALLOC(best->arena, (size_t)problem->n_parameters, double);
    if (near == NULL || values == NULL)
        return arc_error_no_memory(err);
    memcpy(values, problem->start, bytes);
    ArcStatus status = arc_direct_shoot(problem, best->arena, values, err);
    if (status != ARC_OK || memcmp(values, problem->start, bytes) == 0)
        return status;
    *near = *problem;
    near->start = values;
    const ArcStartPlace place = {starts->best, starts->n, starts->checkpoint};
    status = arc_pinn_fit(near, options, place, best->arena, &again, err);
    if (status != ARC_OK)
        return status;
    if (again.stop == ARC_STOP_INTERRUPTED)
        best->outcome.stop = ARC_STOP_INTERRUPTED;
    else if (arc_outcome_is_better(&again, &best->outcome))
        best->outcome = again;
    return ARC_OK;
}

/* What all starts share and have to know beforehand, whose costs could not be compared otherwise.
 * sigma first, since that of the physics builds on it, and once more where it is not exact. */
static ArcStatus starts_settle(ArcProblem *problem, ArcMethod method, bool forecast,
                               ArcArena *arena, ArcError *err)
{
    if (forecast) {
        problem->loss = (ArcLoss){.kind = ARC_LOSS_GAUSS};
        return arc_sigmas_foretell(problem, arena, err);
    }
    ArcStatus status = arc_scale_settle(problem, method, arena, err);
    if (status == ARC_OK && method == ARC_PINN && problem->pinn.physics_auto) {
        status = arc_pinn_settle_physics(problem, err);
        if (status == ARC_OK)
            status = arc_scale_settle(problem, method, arena, err);
    }
    return status;
}

/* Takes the arena over where it succeeds. */
static ArcStatus starts_create(const ArcProblem *problem, int n, ArcArena *arena,
                               ArcStarts **result, ArcError *err)
{
    ArcStarts *starts = ARC_ALLOC(arena, 1, ArcStarts);
    Start *list = ARC_ALLOC(arena, (size_t)n, Start);
    if (starts == NULL || list == NULL)
        return arc_error_no_memory(err);
    *starts = (ArcStarts){.arena = arena,
                          .n = n,
                          .n_drawn = n < problem->starts ? n : problem->starts,
                          .starts = list};
    ArcStatus status = ARC_OK;
    for (int i = 0; i < n && status == ARC_OK; i++)
        status = start_prepare(problem, i, &list[i], err);
    if (status == ARC_OK) {
        *result = starts;
        return ARC_OK;
    }
    for (int i = 0; i < n; i++)
        arc_arena_free(list[i].arena);
    return status;
}

/* Of starts that were not all finished the best is not known. */
static void mark_interruption(ArcStarts *starts)
{
    bool interrupted = false;
    for (int i = 0; i < starts->n; i++)
        interrupted = interrupted || starts->starts[i].outcome.stop == ARC_STOP_INTERRUPTED;
    if (interrupted) {
        starts->starts[starts->best].outcome.stop = ARC_STOP_INTERRUPTED;
        starts->starts[starts->best].outcome.converged = false;
    }
}

/* Whether start i is better than the best so far. Of poses of an arm that are not told apart one
 * that converged is, of several the preferred one. */
static bool is_better(const ArcStarts *starts, int i)
{
    const Start *start = &starts->starts[i];
    const ArcOutcome *one = &start->outcome, *best = &starts->starts[starts->best].outcome;
    if (i < starts->n_drawn || one->T == NULL || best->T == NULL ||
        fabs(one->cost - best->cost) >= told_apart)
        return arc_outcome_is_better(one, best);
    if (one->converged != best->converged)
        return one->converged;
    return arc_arm_prefers(&start->problem, one->values, best->values);
}

ArcStatus arc_starts_run(const ArcProblem *problem, ArcMethod method, const ArcFitOptions *options,
                         bool forecast, ArcStarts **result, ArcError *err)
{
    int n = forecast ? 1 : problem->starts + problem->n_poses - 1;
    ArcProblem settled = *problem;
    ArcStarts *starts = NULL;
    ArcArena *arena = arc_arena_create();
    ArcStatus status = arena == NULL ? arc_error_no_memory(err) : ARC_OK;
    if (status == ARC_OK)
        status = starts_settle(&settled, method, forecast, arena, err);
    if (status == ARC_OK)
        status = starts_create(&settled, n, arena, &starts, err);
    if (status != ARC_OK) {
        arc_arena_free(arena);
        return status;
    }
    if (method == ARC_PINN)
        status =
            arc_checkpoint_create(problem, options, n + 1, starts->arena, &starts->checkpoint, err);
    int threads = options != NULL && options->threads > 1 && n > 1 ? options->threads : 1;
    if (status == ARC_OK && threads > 1) {
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int i = 0; i < n; i++)
            start_run(starts, i, method, options, forecast);
    } else {
        for (int i = 0; status == ARC_OK && i < n; i++)
            start_run(starts, i, method, options, forecast);
    }
    for (int i = 0; i < n && status == ARC_OK; i++) {
        status = starts->starts[i].status;
        if (status != ARC_OK && err != NULL)
            *err = starts->starts[i].error;
        if (status == ARC_OK && is_better(starts, i))
            starts->best = i;
    }
    if (status == ARC_OK && !forecast)
        status = try_stages(starts, method, options, err);
    if (status == ARC_OK && !forecast)
        status = try_shooting(starts, method, options, err);
    if (status == ARC_OK)
        mark_interruption(starts);
    if (status == ARC_OK)
        *result = starts;
    else
        arc_starts_free(starts);
    return status;
}

const ArcProblem *arc_starts_problem(const ArcStarts *starts)
{
    return &starts->starts[starts->best].problem;
}

const ArcOutcome *arc_starts_best(const ArcStarts *starts)
{
    return &starts->starts[starts->best].outcome;
}

int arc_starts_n(const ArcStarts *starts)
{
    return starts->n;
}

const ArcOutcome *arc_starts_outcome(const ArcStarts *starts, int i)
{
    return &starts->starts[i].outcome;
}

/* Standard deviation of parameter i over the converged starts. */
static double spread_of(const ArcStarts *starts, int i, int n_converged)
{
    double mean = 0.0, sum = 0.0;
    for (int k = 0; k < starts->n_drawn; k++)
        if (starts->starts[k].outcome.converged)
            mean += starts->starts[k].outcome.values[i] / n_converged;
    for (int k = 0; k < starts->n_drawn; k++) {
        double off =
            starts->starts[k].outcome.converged ? starts->starts[k].outcome.values[i] - mean : 0.0;
        sum += off * off;
    }
    return sqrt(sum / (n_converged - 1));
}

void arc_starts_spread(const ArcStarts *starts, const double *sd, int *n, int *n_converged,
                       double *spread_sd)
{
    const ArcProblem *problem = &starts->starts[0].problem;
    int converged = 0;
    double spread = 0.0;
    for (int k = 0; k < starts->n_drawn; k++)
        converged += starts->starts[k].outcome.converged;
    for (int k = 0; converged > 1 && k < problem->n_free; k++)
        if (sd[k] > 0.0)
            spread = fmax(spread, spread_of(starts, problem->free_parameter[k], converged) / sd[k]);
    *n = starts->n_drawn;
    *n_converged = converged;
    *spread_sd = spread;
}

void arc_starts_free(ArcStarts *starts)
{
    if (starts == NULL)
        return;
    arc_checkpoint_free(starts->checkpoint);
    for (int i = 0; i < starts->n; i++)
        arc_arena_free(starts->starts[i].arena);
    arc_arena_free(starts->arena);
}
