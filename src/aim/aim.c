/* Aiming: what is unknown, the throws that hit, the best of them, what is missing. */
#include "arcfit/aim.h"

#include "aim/bank.h"
#include "aim/optimise.h"
#include "aim/pareto.h"
#include "aim/shortfall.h"
#include "aim/solutions.h"
#include "aim/torques.h"

#include <math.h>
#include <string.h>

/* Room for what starts lead to: angles, the experiment's own, poses of an arm. */
static const double kept_violation = 1e-7; /* of limits, by the sizes of numbers */
static const double same_hit = 1e-5, same_best = 1e-3;
static const double no_chance = 1.0 - 1e-6;
enum { MOST_THROWS = ARC_AIM_MAX_ANGLES + 1 + ARC_ARM_MAX_POSES, RUNS = 4 };

typedef struct Aiming {
    const ArcExperiment *experiment;
    ArcBelief belief; /* unknowns are known */
    int threads;
    ArcArena *arena;
    ArcShot *shot;
    ArcSearch search;
    ArcOptimise *optimise;
    ArcAim *aim;
    double same; /* share of an unknown's size by which throws may differ and be one */
    int n_throws;
    ArcSearchThrow throws[MOST_THROWS];
} Aiming;

/* What the section names, else what a thrower has in hand: the velocity, the joints, of a driven
 * swing the torques. */
static ArcStatus resolve_unknowns(const ArcExperiment *experiment, bool *unknown, ArcError *err)
{
    int d = experiment->flight.settings.dimensions, n = experiment->n_parameters;
    int first = experiment->flight.n_parameters + 1 + d, n_unknown = 0;
    memcpy(unknown, experiment->aim.unknown, sizeof(bool) * (size_t)n);
    for (int i = 0; i < n; i++) {
        if (unknown[i] && (experiment->parameters[i].is_tied || i == first - d - 1))
            return arc_error_set_at(err, ARC_INPUT, arc_shot_place(experiment),
                                    "aim.unknowns: %s is nothing that a throw can choose",
                                    experiment->parameters[i].name);
        n_unknown += unknown[i];
    }
    if (n_unknown > 0)
        return ARC_OK;
    const ArcArm *arm = &experiment->arm;
    bool is_driven = arc_torques_is_driven(experiment);
    int begin = is_driven             ? first + d + arm->torque[0]
                : experiment->has_arm ? first + d + arm->theta
                                      : first;
    int count = is_driven             ? arm->theta - arm->torque[0]
                : experiment->has_arm ? 2 * arm->settings.n_joints
                                      : d;
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
        if (arc_search_is_alike(&aiming->search, aiming->same, thrown->z, aiming->throws[i].z))
            return;
    if (aiming->n_throws < MOST_THROWS)
        aiming->throws[aiming->n_throws++] = *thrown;
}

/* What an arm does for it, whatever moves it. */
static ArcStatus reach(Aiming *aiming, ArcError *err)
{
    const ArcExperiment *experiment = aiming->experiment;
    ArcSearch *search = &aiming->search;
    ArcAim *aim = aiming->aim;
    int J = experiment->arm.settings.n_joints;
    int first = experiment->flight.n_parameters + 1 + 2 * search->d;
    const ArcReachTask task = {&experiment->arm, search->values + first, &experiment->flight,
                               search->values, experiment->aim.goal};
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

static bool any_hit(int n, const ArcSearchThrow *throws)
{
    for (int i = 0; i < n; i++)
        if (arc_search_is_hit(&throws[i]))
            return true;
    return false;
}

/* Whether the release's speed is among what is chosen. */
static bool chooses_velocity(const Aiming *aiming)
{
    const ArcExperiment *experiment = aiming->experiment;
    int first = experiment->flight.n_parameters + 1 + aiming->search.d;
    bool chooses = !experiment->has_arm && experiment->release == ARC_RELEASE_CARTESIAN;
    for (int i = first; chooses && i < first + aiming->search.d; i++)
        chooses = aiming->aim->unknown[i];
    return chooses || aiming->search.speed >= 0;
}

/* What the release's speed may be at most. */
static double speed_limit(const Aiming *aiming)
{
    const ArcSearch *search = &aiming->search;
    double limit = aiming->experiment->aim.most[ARC_AIM_SPEED];
    return search->speed >= 0 ? fmin(limit, search->high[search->speed]) : limit;
}

/* Made where it is needed first. */
static ArcStatus make_optimise(Aiming *aiming, ArcError *err)
{
    return aiming->optimise != NULL ? ARC_OK
                                    : arc_optimise_create(&aiming->search, &aiming->belief,
                                                          aiming->arena, &aiming->optimise, err);
}

/* Of a plane's goal what counts is where it is met, if it is. */
static ArcStatus settle_nearest(Aiming *aiming, ArcSearchThrow *nearest, ArcError *err)
{
    ArcOptimiseTask task = arc_optimise_task_default();
    ArcSearchThrow settled = *nearest;
    if (aiming->experiment->aim.goal.kind == ARC_GOAL_POINT)
        return ARC_OK;
    ArcStatus status = make_optimise(aiming, err);
    if (status != ARC_OK)
        return status;
    task.what = ARC_OPTIMISE_NEAREST;
    task.misses = true;
    if (arc_optimise_run(aiming->optimise, &task, &settled).stop != ARC_STOP_NON_FINITE)
        *nearest = settled;
    return ARC_OK;
}

/* Whether the goal is met at all. */
static bool meets(const Aiming *aiming, const ArcSearchThrow *thrown)
{
    double values[ARC_MAX_PARAMETERS];
    ArcShotState state;
    arc_search_values(&aiming->search, thrown->z, values);
    return arc_shot_meet(aiming->shot, values, false, &state);
}

/* The nearest of throws from all angles and from other values of the unknowns beside the velocity.
 */
static ArcStatus find_nearest(Aiming *aiming, ArcError *err)
{
    const ArcAimSettings *settings = &aiming->experiment->aim;
    ArcSearch *search = &aiming->search;
    double values[ARC_MAX_PARAMETERS];
    ArcSearchThrow nearest = {.distance_m = INFINITY};
    bool is_met = false;
    memcpy(values, search->values, sizeof values);
    for (int variant = 0; arc_search_vary(search, values, variant); variant++)
        for (int i = 0; i <= settings->n_angles; i++) {
            ArcSearchThrow thrown;
            if (i == settings->n_angles)
                arc_search_start(search, thrown.z);
            else if (!arc_search_start_angle(search, settings->angles_rad[i], thrown.z))
                continue;
            arc_search_approach(search, &thrown);
            bool meets_it = isfinite(thrown.distance_m) && meets(aiming, &thrown);
            if (meets_it > is_met ||
                (meets_it == is_met && thrown.distance_m < nearest.distance_m)) {
                nearest = thrown;
                is_met = meets_it;
            }
        }
    arc_search_vary(search, values, 0);
    ArcSearchThrow exact = nearest;
    arc_search_hit(search, &exact);
    if (!is_met || meets(aiming, &exact))
        nearest = exact;
    aiming->n_throws = 0;
    ArcStatus status = is_met ? settle_nearest(aiming, &nearest, err) : ARC_OK;
    keep(aiming, &nearest);
    return status;
}

/* Where nothing hits: the least speed that would, which may be within its limit after all; else the
 * nearest throws. */
static ArcStatus search_further(Aiming *aiming, ArcError *err)
{
    ArcSearch *search = &aiming->search;
    ArcAim *aim = aiming->aim;
    ArcSearchThrow slowest;
    bool has_speed = chooses_velocity(aiming);
    if (has_speed) {
        ArcStatus status =
            arc_aim_least_speed(search, aiming->arena, &slowest, &aim->least_speed_m_s, err);
        if (status != ARC_OK)
            return status;
    }
    if (has_speed && aim->least_speed_m_s <= speed_limit(aiming)) {
        aiming->n_throws = 0;
        arc_search_hit(search, &slowest);
        keep(aiming, &slowest);
        return ARC_OK;
    }
    return find_nearest(aiming, err);
}

/* What is asked of the best throw; whether anything is. */
static bool task_of(const Aiming *aiming, ArcOptimiseTask *limits, ArcOptimiseTask *task)
{
    const ArcAimSettings *settings = &aiming->experiment->aim;
    bool is_asked = settings->maximise_probability || arc_shot_count_limits(aiming->shot) > 0;
    *limits = arc_optimise_task_default();
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        limits->least[k] = settings->least[k];
        limits->most[k] = settings->most[k];
        is_asked = is_asked || settings->weight[k] != 0.0 || isfinite(settings->least[k]) ||
                   isfinite(settings->most[k]);
    }
    *task = *limits;
    memcpy(task->weight, settings->weight, sizeof task->weight);
    if (settings->maximise_probability)
        task->what = ARC_OPTIMISE_PROBABILITY;
    return is_asked;
}

/* The best of what is near a throw that hits, in place. */
static ArcConstrainedResult improve_one(Aiming *aiming, const ArcOptimiseTask *task,
                                        ArcSearchThrow *thrown)
{
    ArcConstrainedResult end;
    bool is_sum = task->what == ARC_OPTIMISE_NUMBERS;
    if (is_sum && task->weight[ARC_AIM_MISS] != 0.0)
        return arc_optimise_run_missing(aiming->optimise, task, thrown);
    int run = 0;
    do
        end = arc_optimise_run(aiming->optimise, task, thrown);
    while (++run < RUNS && is_sum && !arc_optimise_is_done(&end));
    return end;
}

/* The best of what is near each throw that hits. Where no chance is left nothing tells where there
 * is more: such a throw counts where there is no other. Returns how many keep the limits. */
static int improve(Aiming *aiming, const ArcOptimiseTask *task, int n, const ArcSearchThrow *throws)
{
    ArcSearchThrow ends[MOST_THROWS];
    bool has_chance[MOST_THROWS], any_chance = false;
    int n_kept = 0;
    for (int i = 0; i < n; i++) {
        ends[i] = throws[i];
        has_chance[i] = true;
        if (!arc_search_is_hit(&throws[i]))
            continue;
        ArcConstrainedResult end = improve_one(aiming, task, &ends[i]);
        has_chance[i] = task->what != ARC_OPTIMISE_PROBABILITY || end.value < no_chance;
        any_chance = any_chance || has_chance[i];
        n_kept += end.violation <= kept_violation;
    }
    for (int i = 0; i < n; i++)
        if (has_chance[i] || !any_chance)
            keep(aiming, &ends[i]);
    return n_kept;
}

/* Where no throw that hits keeps the limits: the slowest that keeps all but the speed's, if that is
 * slow enough after all, and the nearest that keeps all. */
static ArcStatus find_limited(Aiming *aiming, const ArcOptimiseTask *limits, int n,
                              ArcSearchThrow *throws, ArcError *err)
{
    ArcSearchThrow slowest;
    ArcAim *aim = aiming->aim;
    if (chooses_velocity(aiming)) {
        ArcStatus status = arc_aim_least_speed(&aiming->search, aiming->arena, &slowest,
                                               &aim->least_speed_m_s, err);
        if (status != ARC_OK)
            return status;
        if (aim->least_speed_m_s <= speed_limit(aiming))
            keep(aiming, &slowest);
    }
    ArcOptimiseTask nearest = *limits;
    nearest.what = ARC_OPTIMISE_NEAREST;
    nearest.misses = true;
    for (int i = 0; i < n; i++) {
        arc_optimise_run(aiming->optimise, &nearest, &throws[i]);
        keep(aiming, &throws[i]);
    }
    return ARC_OK;
}

/* The best throws and the front, where they are asked for. */
static ArcStatus optimise(Aiming *aiming, ArcError *err)
{
    const ArcAimSettings *settings = &aiming->experiment->aim;
    ArcOptimiseTask limits, task;
    bool is_asked = task_of(aiming, &limits, &task);
    if (!is_asked && !settings->has_front)
        return ARC_OK;
    ArcStatus status = make_optimise(aiming, err);
    if (status == ARC_OK && settings->has_front && any_hit(aiming->n_throws, aiming->throws)) {
        const ArcPareto pareto = {&aiming->search, aiming->optimise, &limits, aiming->n_throws,
                                  aiming->throws};
        status = arc_pareto_front(&pareto, aiming->arena, aiming->aim, err);
    }
    if (status != ARC_OK || !is_asked)
        return status;
    ArcSearchThrow throws[MOST_THROWS];
    int n = aiming->n_throws;
    memcpy(throws, aiming->throws, sizeof throws);
    aiming->n_throws = 0;
    aiming->same = same_best;
    return improve(aiming, &task, n, throws) > 0 || !any_hit(n, throws)
               ? ARC_OK
               : find_limited(aiming, &limits, n, throws, err);
}

/* What is known of the parameters, by the experiment where nobody says; unknowns are what they are
 * chosen to be. */
static ArcStatus take_belief(Aiming *aiming, const ArcBelief *given, double *values, ArcError *err)
{
    const ArcExperiment *experiment = aiming->experiment;
    ArcBelief *belief = &aiming->belief;
    ArcAim *aim = aiming->aim;
    int n = experiment->n_parameters;
    if (given != NULL)
        *belief = *given;
    ArcStatus status = given != NULL ? ARC_OK : arc_belief_for_aim(experiment, belief, err);
    for (int i = 0; status == ARC_OK && i < n; i++) {
        bool unknown = aim->unknown[i];
        for (int j = 0; unknown && j < n; j++)
            belief->covariance[i * n + j] = belief->covariance[j * n + i] = 0.0;
        values[i] = unknown ? experiment->parameters[i].start : belief->mean[i];
        aim->believed[i] = values[i];
        aim->believed_sd[i] = sqrt(belief->covariance[i * n + i]);
    }
    return status;
}

/* How much faster than its limit the release would have to be. */
static double missing_speed(const Aiming *aiming)
{
    double missing = aiming->aim->least_speed_m_s - speed_limit(aiming);
    return isfinite(missing) && missing > 0.0 ? missing : (double)NAN;
}

/* The least speed, where a limit of it kept throws from hitting that would. */
static ArcStatus look_for_speed(Aiming *aiming, ArcError *err)
{
    ArcAim *aim = aiming->aim;
    ArcSearchThrow slowest;
    if (aim->is_reachable || aiming->search.speed < 0 || isfinite(aim->least_speed_m_s) ||
        !isfinite(aim->settings.most[ARC_AIM_SPEED]))
        return ARC_OK;
    return arc_aim_least_speed(&aiming->search, aiming->arena, &slowest, &aim->least_speed_m_s,
                               err);
}

static ArcStatus find(Aiming *aiming, const ArcBelief *given, ArcError *err)
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
    if (status == ARC_OK)
        status = take_belief(aiming, given, values, err);
    if (status == ARC_OK)
        status = arc_search_create(aiming->shot, aim->unknown, values, aiming->arena,
                                   &aiming->search, err);
    if (status == ARC_OK)
        status = search_all(aiming, err);
    if (status == ARC_OK && !any_hit(aiming->n_throws, aiming->throws))
        status = search_further(aiming, err);
    bool hits = any_hit(aiming->n_throws, aiming->throws);
    if (status == ARC_OK)
        status = optimise(aiming, err);
    const ArcAimThrows throws = {&aiming->search, aiming->n_throws, aiming->throws, &aiming->belief,
                                 aiming->threads};
    if (status == ARC_OK)
        status = arc_aim_judge(&throws, aim, err);
    if (status == ARC_OK)
        status = arc_aim_bank(&throws, aim, err);
    if (status != ARC_OK)
        return status;
    if (aim->n_solutions == 0)
        return arc_error_set_at(err, ARC_NUMERIC, arc_shot_place(experiment),
                                "no throw can be followed to the goal; check the flight and the "
                                "bounds of the unknowns");
    /* A throw that had better miss could have hit. */
    if (experiment->aim.weight[ARC_AIM_MISS] != 0.0)
        aim->is_reachable = hits;
    status = look_for_speed(aiming, err);
    aim->shortfall_miss_m = aim->is_reachable ? 0.0 : aim->solutions[0].numbers[ARC_AIM_MISS];
    aim->shortfall_speed_m_s = aim->is_reachable ? 0.0 : missing_speed(aiming);
    return status;
}

ArcStatus arc_aim_find(const ArcExperiment *experiment, const ArcBelief *belief,
                       const ArcAimOptions *options, ArcAim **result, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    Aiming *aiming = arena != NULL ? ARC_ALLOC(arena, 1, Aiming) : NULL;
    ArcAim *aim = arena != NULL ? ARC_ALLOC(arena, 1, ArcAim) : NULL;
    ArcStatus status = ARC_OK;
    *result = NULL;
    if (aiming == NULL || aim == NULL) {
        status = arc_error_no_memory(err);
    } else {
        aiming->experiment = experiment;
        aiming->same = same_hit;
        aiming->threads = options != NULL ? options->threads : 0;
        aiming->arena = arena;
        aiming->aim = aim;
        status = find(aiming, belief, err);
    }
    if (status == ARC_OK)
        *result = aim;
    else
        arc_arena_free(arena);
    return status;
}

void arc_aim_free(ArcAim *aim)
{
    if (aim == NULL)
        return;
    arc_experiment_free(aim->owned);
    arc_arena_free(aim->arena);
}
