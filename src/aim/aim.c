/* Aiming: what is unknown, the throws that hit, what each of them is like, the best first. */
#include "arcfit/aim.h"

#include "aim/numbers.h"
#include "aim/optimise.h"
#include "aim/shortfall.h"

#include <math.h>
#include <string.h>

/* Room for what starts lead to: angles, the experiment's own, poses of an arm. */
enum { MOST_THROWS = ARC_AIM_MAX_ANGLES + 1 + ARC_ARM_MAX_POSES };

typedef struct Aiming {
    const ArcExperiment *experiment;
    const ArcBelief *belief;
    ArcArena *arena;
    ArcShot *shot;
    ArcSearch search;
    ArcOptimise *optimise;
    ArcAim *aim;
    int n_throws;
    ArcSearchThrow throws[MOST_THROWS];
} Aiming;

static ArcPlace goal_place(const ArcExperiment *experiment)
{
    ArcPlace place = experiment->aim.goal.place;
    return place.file != NULL ? place : (ArcPlace){experiment->path, 1, 1};
}

/* What the section names, else what a thrower has in hand: the velocity, the joints. */
static ArcStatus resolve_unknowns(const ArcExperiment *experiment, bool *unknown, ArcError *err)
{
    int d = experiment->flight.settings.dimensions, n = experiment->n_parameters;
    int first = experiment->flight.n_parameters + 1 + d, n_unknown = 0;
    memcpy(unknown, experiment->aim.unknown, sizeof(bool) * (size_t)n);
    for (int i = 0; i < n; i++) {
        if (unknown[i] && (experiment->parameters[i].is_tied || i == first - d - 1))
            return arc_error_set_at(err, ARC_INPUT, goal_place(experiment),
                                    "aim.unknowns: %s is nothing that a throw can choose",
                                    experiment->parameters[i].name);
        n_unknown += unknown[i];
    }
    if (n_unknown > 0)
        return ARC_OK;
    const ArcArm *arm = &experiment->arm;
    int begin = experiment->has_arm ? first + d + arm->theta : first;
    int count = experiment->has_arm ? 2 * arm->settings.n_joints : d;
    for (int i = 0; i < count; i++)
        unknown[begin + i] = true;
    return ARC_OK;
}

/* Inserts a throw behind the others unless it is there. */
static void keep(Aiming *aiming, const ArcSearchThrow *thrown)
{
    if (!isfinite(thrown->distance_m))
        return;
    for (int i = 0; i < aiming->n_throws; i++)
        if (arc_search_is_same(&aiming->search, thrown->z, aiming->throws[i].z))
            return;
    if (aiming->n_throws < MOST_THROWS)
        aiming->throws[aiming->n_throws++] = *thrown;
}

/* What an arm does for it, the goal's place taken for a point. */
static ArcStatus reach(Aiming *aiming, ArcError *err)
{
    const ArcExperiment *experiment = aiming->experiment;
    ArcSearch *search = &aiming->search;
    ArcAim *aim = aiming->aim;
    int J = experiment->arm.settings.n_joints;
    int first = experiment->flight.n_parameters + 1 + 2 * search->d;
    ArcReachTask task = {&experiment->arm, search->values + first, &experiment->flight,
                         search->values, experiment->aim.goal};
    task.goal.kind = ARC_GOAL_POINT;
    ArcStatus status = arc_reach_find(&task, &aim->reach, err);
    if (status != ARC_OK)
        return status;
    aim->has_reach = !aim->reach.is_reachable;
    for (int i = 0; i < aim->reach.n_solutions; i++) {
        const ArcReachThrow *of = &aim->reach.solutions[i];
        ArcSearchThrow thrown;
        arc_search_start(search, thrown.z);
        for (int j = 0; j < J; j++) {
            int theta = search->at[first + experiment->arm.theta + j];
            int omega = search->at[first + experiment->arm.omega + j];
            if (theta >= 0)
                thrown.z[theta] = of->theta_rad[j];
            if (omega >= 0)
                thrown.z[omega] = of->omega_rad_s[j];
        }
        thrown.z[search->K] = of->time_s;
        arc_search_hit(search, &thrown);
        keep(aiming, &thrown);
    }
    return ARC_OK;
}

static ArcStatus search_all(Aiming *aiming, ArcError *err)
{
    const ArcExperiment *experiment = aiming->experiment;
    ArcSearch *search = &aiming->search;
    ArcSearchThrow thrown;
    bool has_start = false;
    for (int k = 0; k < search->K; k++)
        has_start = has_start || experiment->parameters[search->index[k]].has_start;
    if (has_start) {
        arc_search_start(search, thrown.z);
        arc_search_hit(search, &thrown);
        keep(aiming, &thrown);
    }
    for (int i = 0; i < experiment->aim.n_angles; i++)
        if (arc_search_hit_angle(search, experiment->aim.angles_rad[i], &thrown))
            keep(aiming, &thrown);
    return experiment->has_arm ? reach(aiming, err) : ARC_OK;
}

static bool any_hits(const Aiming *aiming)
{
    for (int i = 0; i < aiming->n_throws; i++)
        if (arc_search_is_hit(&aiming->throws[i]))
            return true;
    return false;
}

/* Where nothing hits: the least speed that would, which may be within its limit after all; else the
 * nearest throws. */
static ArcStatus search_further(Aiming *aiming, ArcError *err)
{
    ArcSearch *search = &aiming->search;
    ArcAim *aim = aiming->aim;
    ArcSearchThrow slowest;
    bool has_speed = search->speed >= 0;
    if (has_speed) {
        ArcStatus status =
            arc_aim_least_speed(search, aiming->arena, &slowest, &aim->least_speed_m_s, err);
        if (status != ARC_OK)
            return status;
    }
    if (has_speed && aim->least_speed_m_s <= search->high[search->speed]) {
        aiming->n_throws = 0;
        arc_search_hit(search, &slowest);
        keep(aiming, &slowest);
        return ARC_OK;
    }
    int n = aiming->n_throws;
    for (int i = 0; i < n; i++)
        arc_search_hit(search, &aiming->throws[i]);
    return ARC_OK;
}

static ArcOptimiseTask task_of(const ArcAimSettings *settings)
{
    ArcOptimiseTask task = arc_optimise_task_default();
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        task.weight[k] = settings->weight[k];
        task.least[k] = settings->least[k];
        task.most[k] = settings->most[k];
    }
    return task;
}

/* The best of what is near each throw that hits. What need not change stays. */
static ArcStatus improve(Aiming *aiming, ArcError *err)
{
    const ArcAimSettings *settings = &aiming->experiment->aim;
    ArcOptimiseTask task = task_of(settings);
    bool has_weight = false, has_limit = false;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        has_weight = has_weight || task.weight[k] != 0.0;
        has_limit = has_limit || isfinite(task.least[k]) || isfinite(task.most[k]);
    }
    if (!has_weight && !has_limit)
        return ARC_OK;
    ArcStatus status =
        arc_optimise_create(&aiming->search, aiming->belief, aiming->arena, &aiming->optimise, err);
    int n = aiming->n_throws;
    aiming->n_throws = 0;
    for (int i = 0; status == ARC_OK && i < n; i++) {
        ArcSearchThrow thrown = aiming->throws[i];
        if (arc_search_is_hit(&thrown) && task.weight[ARC_AIM_MISS] != 0.0)
            arc_optimise_run_missing(aiming->optimise, &task, &thrown);
        else if (arc_search_is_hit(&thrown))
            arc_optimise_run(aiming->optimise, &task, &thrown);
        keep(aiming, &thrown);
    }
    return status;
}

static bool is_within_limits(const ArcExperiment *experiment, const ArcAimSolution *solution)
{
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        double least = experiment->aim.least[k], most = experiment->aim.most[k];
        double slack = 1e-6 * fmax(1.0, fabs(solution->numbers[k]));
        if ((isfinite(least) || isfinite(most)) &&
            !(solution->numbers[k] >= least - slack && solution->numbers[k] <= most + slack))
            return false;
    }
    return true;
}

/* The sum of the weighted numbers, NaN without any. */
static double cost_of(const ArcExperiment *experiment, const double *numbers)
{
    double sum = 0.0;
    bool has = false;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++)
        if (experiment->aim.weight[k] != 0.0) {
            sum += experiment->aim.weight[k] * numbers[k];
            has = true;
        }
    return has ? sum : (double)NAN;
}

static void tell_commands(const ArcExperiment *experiment, ArcAimSolution *solution)
{
    const ArcArm *arm = &experiment->arm;
    if (!experiment->has_arm)
        return;
    const double *p = solution->values + experiment->flight.n_parameters + 1 +
                      2 * experiment->flight.settings.dimensions;
    for (int j = 0; j < arm->settings.n_joints; j++) {
        double theta = p[arm->theta + j];
        solution->commands_rad[j] =
            arm->settings.has_encoders ? p[arm->gain + j] * theta + p[arm->offset + j] : theta;
    }
}

/* What a throw is like; false where it cannot be followed to the goal. */
static bool judge(Aiming *aiming, const double *z, ArcAimSolution *solution)
{
    const ArcExperiment *experiment = aiming->experiment;
    ArcShotNumbers numbers;
    ArcShotState release;
    *solution = (ArcAimSolution){.chance = {.value = NAN, .checked = NAN, .checked_sd = NAN}};
    arc_search_values(&aiming->search, z, solution->values);
    unsigned all = (1u << ARC_N_AIM_NUMBERS) - 1;
    if (!arc_shot_release(aiming->shot, solution->values, false, &release) ||
        !arc_shot_numbers(aiming->shot, solution->values, all, true, &numbers))
        return false;
    memcpy(solution->position_m, release.x_m, sizeof release.x_m);
    memcpy(solution->velocity_m_s, release.v_m_s, sizeof release.v_m_s);
    memcpy(solution->arrival_m, numbers.goal.x_m, sizeof numbers.goal.x_m);
    memcpy(solution->arrival_velocity_m_s, numbers.goal.v_m_s, sizeof numbers.goal.v_m_s);
    memcpy(solution->numbers, numbers.value, sizeof numbers.value);
    for (int i = 0; i < experiment->n_parameters; i++)
        solution->miss_by[i] = sqrt(numbers.by_offset[0][i] * numbers.by_offset[0][i] +
                                    numbers.by_offset[1][i] * numbers.by_offset[1][i] +
                                    numbers.by_offset[2][i] * numbers.by_offset[2][i]);
    solution->cost = cost_of(experiment, solution->numbers);
    solution->hits = solution->numbers[ARC_AIM_MISS] <= ARC_AIM_TOLERANCE_M &&
                     is_within_limits(experiment, solution);
    tell_commands(experiment, solution);
    return true;
}

/* Of two throws, whether the first is the better one: it hits, else it is nearer; then by what is
 * asked for; else the slower release. */
static bool is_before(const ArcExperiment *experiment, const ArcAimSolution *a,
                      const ArcAimSolution *b)
{
    if (a->hits != b->hits)
        return a->hits;
    if (!a->hits)
        return a->numbers[ARC_AIM_MISS] < b->numbers[ARC_AIM_MISS];
    if (experiment->aim.maximise_probability && isfinite(a->chance.value))
        return a->chance.value > b->chance.value;
    if (isfinite(a->cost))
        return a->cost < b->cost;
    return a->numbers[ARC_AIM_SPEED] < b->numbers[ARC_AIM_SPEED];
}

static void list_solutions(Aiming *aiming)
{
    ArcAim *aim = aiming->aim;
    for (int i = 0; i < aiming->n_throws; i++) {
        ArcAimSolution solution;
        if (!judge(aiming, aiming->throws[i].z, &solution))
            continue;
        int n = aim->n_solutions, at = n < ARC_AIM_MAX_SOLUTIONS ? n : ARC_AIM_MAX_SOLUTIONS;
        while (at > 0 && is_before(aiming->experiment, &solution, &aim->solutions[at - 1]))
            at--;
        if (at == ARC_AIM_MAX_SOLUTIONS)
            continue;
        aim->n_solutions = n < ARC_AIM_MAX_SOLUTIONS ? n + 1 : n;
        memmove(aim->solutions + at + 1, aim->solutions + at,
                sizeof solution * (size_t)(aim->n_solutions - at - 1));
        aim->solutions[at] = solution;
    }
    aim->is_reachable = aim->n_solutions > 0 && aim->solutions[0].hits;
    while (aim->is_reachable && !aim->solutions[aim->n_solutions - 1].hits)
        aim->n_solutions--;
    if (!aim->is_reachable && aim->n_solutions > 1)
        aim->n_solutions = 1;
}

/* The values that a throw is looked for with. */
static void take_values(const Aiming *aiming, double *values)
{
    const ArcExperiment *experiment = aiming->experiment;
    for (int i = 0; i < experiment->n_parameters; i++)
        values[i] =
            aiming->aim->unknown[i] ? experiment->parameters[i].start : aiming->belief->mean[i];
}

/* How much faster than its limit the release would have to be. */
static double missing_speed(const Aiming *aiming)
{
    const ArcSearch *search = &aiming->search;
    double limit = aiming->experiment->aim.most[ARC_AIM_SPEED];
    if (search->speed >= 0)
        limit = fmin(limit, search->high[search->speed]);
    double missing = aiming->aim->least_speed_m_s - limit;
    return isfinite(missing) && missing > 0.0 ? missing : (double)NAN;
}

/* What parameters were taken for. */
static void take_belief(const Aiming *aiming, const double *values)
{
    const ArcExperiment *experiment = aiming->experiment;
    const ArcBelief *belief = aiming->belief;
    ArcAim *aim = aiming->aim;
    for (int i = 0; i < experiment->n_parameters; i++) {
        aim->believed[i] = values[i];
        aim->believed_sd[i] = sqrt(belief->covariance[i * belief->n + i]);
    }
}

static ArcStatus find(Aiming *aiming, ArcError *err)
{
    const ArcExperiment *experiment = aiming->experiment;
    ArcAim *aim = aiming->aim;
    double values[ARC_MAX_PARAMETERS];
    *aim = (ArcAim){.settings = experiment->aim,
                    .n_parameters = experiment->n_parameters,
                    .experiment = experiment,
                    .parameters = experiment->parameters,
                    .dimensions = experiment->flight.settings.dimensions,
                    .up = experiment->flight.settings.up,
                    .has_arm = experiment->has_arm,
                    .least_speed_m_s = NAN,
                    .arena = aiming->arena};
    ArcStatus status = arc_shot_create(experiment, aiming->arena, &aiming->shot, err);
    if (status == ARC_OK)
        status = resolve_unknowns(experiment, aim->unknown, err);
    if (status != ARC_OK)
        return status;
    take_values(aiming, values);
    take_belief(aiming, values);
    status = arc_search_create(experiment, aiming->shot, aim->unknown, values, aiming->arena,
                               &aiming->search, err);
    if (status == ARC_OK)
        status = search_all(aiming, err);
    if (status == ARC_OK && !any_hits(aiming))
        status = search_further(aiming, err);
    if (status == ARC_OK)
        status = improve(aiming, err);
    if (status != ARC_OK)
        return status;
    list_solutions(aiming);
    if (aim->n_solutions == 0)
        return arc_error_set_at(err, ARC_NUMERIC, goal_place(experiment),
                                "no throw can be followed to the goal; check the flight and the "
                                "bounds of the unknowns");
    aim->shortfall_miss_m = aim->is_reachable ? 0.0 : aim->solutions[0].numbers[ARC_AIM_MISS];
    aim->shortfall_speed_m_s = aim->is_reachable ? 0.0 : missing_speed(aiming);
    return ARC_OK;
}

/* What is known of the parameters, where the caller does not say. */
static ArcStatus know(Aiming *aiming, ArcError *err)
{
    if (aiming->belief != NULL)
        return ARC_OK;
    ArcBelief *belief = ARC_ALLOC(aiming->arena, 1, ArcBelief);
    if (belief == NULL)
        return arc_error_no_memory(err);
    aiming->belief = belief;
    return arc_belief_for_aim(aiming->experiment, belief, err);
}

ArcStatus arc_aim_find(const ArcExperiment *experiment, const ArcBelief *belief,
                       const ArcAimOptions *options, ArcAim **result, ArcError *err)
{
    (void)options;
    ArcArena *arena = arc_arena_create();
    Aiming *aiming = arena != NULL ? ARC_ALLOC(arena, 1, Aiming) : NULL;
    ArcAim *aim = arena != NULL ? ARC_ALLOC(arena, 1, ArcAim) : NULL;
    ArcStatus status = ARC_OK;
    *result = NULL;
    if (aiming == NULL || aim == NULL) {
        status = arc_error_no_memory(err);
    } else {
        *aiming = (Aiming){.experiment = experiment, .belief = belief, .arena = arena, .aim = aim};
        status = know(aiming, err);
        if (status == ARC_OK)
            status = find(aiming, err);
    }
    if (status == ARC_OK)
        *result = aim;
    else
        arc_arena_free(arena);
    return status;
}

void arc_aim_free(ArcAim *aim)
{
    if (aim != NULL)
        arc_arena_free(aim->arena);
}
