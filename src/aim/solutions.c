/* Throws judged: their numbers, their chances, their order. */
#include "aim/solutions.h"

#include "aim/numbers.h"
#include "aim/probability.h"
#include "aim/torques.h"
#include "physics/matrix3.h"

#include <math.h>
#include <string.h>

static const double hit_m = 1e-9;
static const double limit_share = 1e-6; /* of a number, that it may be over its limit */
static const double joint_slack = 1e-6; /* rad, rad/s, in the swing */

typedef struct Judge {
    const ArcSearch *search;
    const ArcExperiment *experiment;
    const ArcBelief *belief;
    ArcOdds *odds; /* NULL: nothing scatters */
    int threads;
} Judge;

static bool is_within_limits(const ArcAimSettings *settings, const double *numbers)
{
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        double slack = limit_share * fmax(1.0, fabs(numbers[k]));
        bool has_limit = isfinite(settings->least[k]) || isfinite(settings->most[k]);
        if (has_limit &&
            !(numbers[k] >= settings->least[k] - slack && numbers[k] <= settings->most[k] + slack))
            return false;
    }
    return true;
}

/* Joints within theirs, all the way to the release. */
static bool keeps_joints(ArcShot *shot, const double *values)
{
    double over[ARC_TORQUES_MOST_LIMITS];
    int n = arc_shot_over_limits(shot, values, over, NULL);
    bool is_within = n >= 0;
    for (int row = 0; row < n; row++)
        is_within = is_within && over[row] <= joint_slack;
    return is_within;
}

/* The sum of the weighted numbers, NaN without any. */
static double cost_of(const ArcAimSettings *settings, const double *numbers)
{
    double sum = 0.0;
    bool has_weight = false;
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++)
        if (settings->weight[k] != 0.0) {
            sum += settings->weight[k] * numbers[k];
            has_weight = true;
        }
    return has_weight ? sum : (double)NAN;
}

/* A throw that hits its point meets it there; planes may be crossed before by what bounces, curves
 * or is blown about. */
static bool knows_time(const Judge *by, const ArcSearchThrow *thrown)
{
    const ArcFlight *flight = &by->experiment->flight;
    const double *wind = flight->settings.wind_m_s;
    bool is_plain = !flight->has_rotation && !flight->settings.bounce.is_on &&
                    !flight->settings.gust.is_on && wind[0] == 0.0 && wind[1] == 0.0 &&
                    wind[2] == 0.0;
    return thrown->distance_m <= hit_m &&
           (by->experiment->aim.goal.kind == ARC_GOAL_POINT || is_plain);
}

/* The numbers, the offset with its gradient. */
static bool take_numbers(const Judge *by, const ArcSearchThrow *thrown, const double *values,
                         double *numbers, ArcShotNumbers *at_goal)
{
    const unsigned all = (1u << ARC_N_AIM_NUMBERS) - 1;
    ArcShot *shot = by->search->shot;
    double time_s = thrown->z[by->search->K];
    if (!knows_time(by, thrown) ||
        !arc_shot_numbers_near(shot, values, time_s, all, false, at_goal)) {
        if (!arc_shot_numbers(shot, values, all, false, at_goal))
            return false;
        time_s = at_goal->goal.t_s;
    }
    memcpy(numbers, at_goal->value, sizeof at_goal->value);
    return arc_shot_numbers_near(shot, values, time_s, 0, true, at_goal) ||
           arc_shot_numbers(shot, values, 0, true, at_goal);
}

/* A throw that never comes to the goal, a hoop's height that it does not rise to: how far it is
 * from the place after its time, and the numbers of its release. */
static bool judge_short(const Judge *by, const ArcSearchThrow *thrown, ArcAimSolution *solution)
{
    ArcShot *shot = by->search->shot;
    const ArcGoal *goal = &by->experiment->aim.goal;
    ArcShotState state;
    ArcShotNumbers numbers;
    double off[3] = {0.0};
    if (!arc_shot_at(shot, solution->values, thrown->z[by->search->K], true, &state) ||
        !arc_shot_release_numbers(shot, solution->values, false, &numbers))
        return false;
    memcpy(solution->arrival_m, state.x_m, sizeof state.x_m);
    memcpy(solution->arrival_velocity_m_s, state.v_m_s, sizeof state.v_m_s);
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++)
        solution->numbers[k] = NAN;
    for (int c = 0; c < by->search->d; c++)
        off[c] = state.x_m[c] - goal->point_m[c];
    solution->numbers[ARC_AIM_MISS] = arc_vector3_norm(off);
    solution->numbers[ARC_AIM_TIME] = state.t_s;
    solution->numbers[ARC_AIM_SPEED] = numbers.value[ARC_AIM_SPEED];
    solution->numbers[ARC_AIM_ENERGY] = numbers.value[ARC_AIM_ENERGY];
    for (int i = 0; i < by->search->n; i++)
        solution->miss_by[i] = hypot(hypot(state.by_x[0][i], state.by_x[1][i]), state.by_x[2][i]);
    solution->cost = NAN;
    return true;
}

/* False where it cannot be followed to the goal. */
static bool judge(const Judge *by, const ArcSearchThrow *thrown, ArcAimSolution *solution)
{
    ArcShot *shot = by->search->shot;
    ArcShotNumbers numbers;
    ArcShotState release;
    *solution = (ArcAimSolution){.chance = {.value = NAN, .checked = NAN, .checked_sd = NAN}};
    arc_search_values(by->search, thrown->z, solution->values);
    const double *values = solution->values;
    if (!arc_shot_release(shot, values, false, &release))
        return false;
    memcpy(solution->position_m, release.x_m, sizeof release.x_m);
    memcpy(solution->velocity_m_s, release.v_m_s, sizeof release.v_m_s);
    if (by->experiment->has_arm)
        arc_shot_commands(shot, values, solution->commands_rad);
    if (!take_numbers(by, thrown, values, solution->numbers, &numbers))
        return judge_short(by, thrown, solution);
    memcpy(solution->arrival_m, numbers.goal.x_m, sizeof numbers.goal.x_m);
    memcpy(solution->arrival_velocity_m_s, numbers.goal.v_m_s, sizeof numbers.goal.v_m_s);
    for (int i = 0; i < by->search->n; i++)
        solution->miss_by[i] =
            hypot(hypot(numbers.by_offset[0][i], numbers.by_offset[1][i]), numbers.by_offset[2][i]);
    const ArcAimSettings *settings = &by->experiment->aim;
    solution->cost = cost_of(settings, solution->numbers);
    solution->hits = solution->numbers[ARC_AIM_MISS] <= ARC_AIM_TOLERANCE_M &&
                     is_within_limits(settings, solution->numbers) && keeps_joints(shot, values);
    return true;
}

/* The chance; by many throws where that is asked for. */
static ArcStatus take_chance(const Judge *by, ArcAimSolution *solution, ArcError *err)
{
    int n = by->experiment->aim.monte_carlo;
    if (by->odds == NULL ||
        !arc_odds_full(by->odds, by->belief, solution->values, &solution->chance) || n == 0)
        return ARC_OK;
    return arc_aim_check_chance(by->experiment, by->belief, solution->values,
                                (ArcAimTrial){n, by->threads}, &solution->chance, err);
}

/* Whether the first is the better one: it hits; else it may miss and keeps its limits, else it is
 * nearer. Then by what is asked for, else the slower release. */
static bool is_before(const Judge *by, const ArcAimSolution *a, const ArcAimSolution *b)
{
    const ArcAimSettings *settings = &by->experiment->aim;
    bool may_miss = settings->weight[ARC_AIM_MISS] != 0.0;
    if (!may_miss && a->hits != b->hits)
        return a->hits;
    bool keeps = is_within_limits(settings, a->numbers);
    if (keeps != is_within_limits(settings, b->numbers))
        return keeps;
    if (!may_miss && !a->hits)
        return a->numbers[ARC_AIM_MISS] < b->numbers[ARC_AIM_MISS];
    if (settings->maximise_probability && isfinite(a->chance.value))
        return a->chance.value > b->chance.value;
    if (isfinite(a->cost))
        return a->cost < b->cost;
    return a->numbers[ARC_AIM_SPEED] < b->numbers[ARC_AIM_SPEED];
}

static void insert(const Judge *by, const ArcAimSolution *solution, ArcAim *aim)
{
    int n = aim->n_solutions, at = n;
    while (at > 0 && is_before(by, solution, &aim->solutions[at - 1]))
        at--;
    if (at == ARC_AIM_MAX_SOLUTIONS)
        return;
    aim->n_solutions = n < ARC_AIM_MAX_SOLUTIONS ? n + 1 : n;
    memmove(aim->solutions + at + 1, aim->solutions + at,
            sizeof *solution * (size_t)(aim->n_solutions - at - 1));
    aim->solutions[at] = *solution;
}

static bool is_scattered(const ArcExperiment *experiment, const ArcBelief *belief)
{
    bool scatters = experiment->randomise.n > 0;
    for (int i = 0; i < experiment->n_parameters; i++)
        scatters = scatters || experiment->aim.scatter_sd[i] > 0.0 ||
                   belief->covariance[i * belief->n + i] > 0.0;
    return scatters;
}

ArcStatus arc_aim_judge(const ArcAimThrows *throws, ArcAim *aim, ArcError *err)
{
    const ArcExperiment *experiment = throws->search->experiment;
    Judge by = {.search = throws->search,
                .experiment = experiment,
                .belief = throws->belief,
                .threads = throws->threads};
    ArcStatus status = ARC_OK;
    if (is_scattered(experiment, throws->belief))
        status = arc_odds_create(experiment, aim->arena, &by.odds, err);
    for (int i = 0; status == ARC_OK && i < throws->n; i++) {
        ArcAimSolution solution;
        if (!judge(&by, &throws->throws[i], &solution))
            continue;
        status = take_chance(&by, &solution, err);
        insert(&by, &solution, aim);
    }
    if (status != ARC_OK)
        return status;
    int hits = 0;
    for (int i = 0; i < aim->n_solutions; i++)
        hits += aim->solutions[i].hits;
    aim->is_reachable = hits > 0;
    if (experiment->aim.weight[ARC_AIM_MISS] == 0.0)
        aim->n_solutions = hits > 0 ? hits : aim->n_solutions > 0;
    return ARC_OK;
}
