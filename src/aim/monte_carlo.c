/* A chance by many throws: blocks of them, each with a random stream of its own, so that the sum is
 * the same for any number of threads. With contact a ball that does not pass clean is followed over
 * its touches.
 */
#include "aim/probability.h"
#include "aim/sources.h"
#include "aim/touch.h"

#include <math.h>

enum { BLOCK = 250 }; /* throws */

/* Whoever tells a hit, under one experiment. */
typedef struct Judge {
    const ArcExperiment *experiment;
    ArcShot *shot;
    ArcTouch *touch; /* NULL: without contact */
} Judge;

/* What a thread needs to throw. */
typedef struct Thrower {
    const ArcExperiment *experiment;
    ArcSources sources;
    Judge judge;
    ArcExperiment made; /* of a throw whose settings are drawn */
    double thrown[ARC_MAX_PARAMETERS];
    double quantities[ARC_MAX_RANDOM_QUANTITIES];
} Thrower;

static ArcStatus create_judge(const ArcExperiment *experiment, ArcArena *arena, Judge *judge,
                              ArcError *err)
{
    *judge = (Judge){.experiment = experiment};
    ArcStatus status = arc_shot_create(experiment, arena, &judge->shot, err);
    if (status == ARC_OK && experiment->aim.contact.is_on &&
        experiment->aim.goal.kind == ARC_GOAL_HOOP)
        status = arc_touch_create(judge->shot, arena, &judge->touch, err);
    return status;
}

static ArcStatus create_thrower(const ArcExperiment *experiment, const ArcBelief *belief,
                                ArcArena *arena, Thrower **result, ArcError *err)
{
    Thrower *thrower = ARC_ALLOC(arena, 1, Thrower);
    if (thrower == NULL)
        return arc_error_no_memory(err);
    thrower->experiment = experiment;
    ArcStatus status = arc_sources_create(experiment, arena, &thrower->sources, err);
    if (status == ARC_OK)
        status = create_judge(experiment, arena, &thrower->judge, err);
    if (status == ARC_OK) {
        arc_sources_take(&thrower->sources, belief);
        *result = thrower;
    }
    return status;
}

/* Whether it hits: what misses the goal altogether does not. */
static bool judge_throw(const Judge *judge, const double *values)
{
    ArcShotState state;
    ArcTouched touched;
    double o[3];
    if (!arc_shot_meet(judge->shot, values, false, &state))
        return false;
    arc_goal_offset(judge->experiment, state.x_m, o);
    if (arc_hit_is(judge->experiment, o, state.v_m_s))
        return true;
    return judge->touch != NULL && arc_touch_fly(judge->touch, values, false, &touched) &&
           touched.end == ARC_TOUCH_IN;
}

/* Under settings of its own a throw needs a shot of its own. Impossible ones do not hit. */
static ArcStatus judge_made(Thrower *thrower, bool *is_hit, ArcError *err)
{
    ArcError inner;
    *is_hit = false;
    if (arc_randomise_apply(thrower->experiment, thrower->quantities, &thrower->made, &inner) !=
        ARC_OK)
        return ARC_OK;
    ArcArena *arena = arc_arena_create();
    Judge judge;
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = create_judge(&thrower->made, arena, &judge, err);
    if (status == ARC_OK)
        *is_hit = judge_throw(&judge, thrower->thrown);
    arc_arena_free(arena);
    return status;
}

static ArcStatus throw_block(Thrower *thrower, const double *values, int block, int n, int *hits,
                             ArcError *err)
{
    ArcRandom random =
        arc_random_create(thrower->experiment->seed, ARC_STREAM_THROWS + ((uint64_t)block << 32));
    ArcStatus status = ARC_OK;
    *hits = 0;
    for (int i = 0; i < n && status == ARC_OK; i++) {
        bool is_hit;
        arc_sources_draw(&thrower->sources, values, &random, thrower->thrown, thrower->quantities);
        if (thrower->sources.has_settings)
            status = judge_made(thrower, &is_hit, err);
        else
            is_hit = judge_throw(&thrower->judge, thrower->thrown);
        *hits += status == ARC_OK && is_hit;
    }
    return status;
}

ArcStatus arc_aim_check_chance(const ArcExperiment *experiment, const ArcBelief *belief,
                               const double *values, ArcAimTrial trial, ArcAimChance *chance,
                               ArcError *err)
{
    int n = trial.n_throws, threads = trial.threads;
    int n_blocks = (n + BLOCK - 1) / BLOCK, total = 0;
    ArcStatus failed = ARC_OK;
    ArcError first = {ARC_OK, ""};
#pragma omp parallel num_threads(threads > 1 ? threads : 1) reduction(+ : total)
    {
        ArcArena *arena = arc_arena_create();
        Thrower *thrower = NULL;
        ArcError inner = {ARC_OK, ""};
        ArcStatus status = arena == NULL
                               ? arc_error_no_memory(&inner)
                               : create_thrower(experiment, belief, arena, &thrower, &inner);
#pragma omp for schedule(dynamic)
        for (int block = 0; block < n_blocks; block++) {
            int size = block < n_blocks - 1 ? BLOCK : n - block * BLOCK, hits;
            if (status != ARC_OK)
                continue;
            status = throw_block(thrower, values, block, size, &hits, &inner);
            total += hits;
        }
        arc_arena_free(arena);
#pragma omp critical(arc_aim_check_chance)
        if (status != ARC_OK && failed == ARC_OK) {
            failed = status;
            first = inner;
        }
    }
    if (failed != ARC_OK) {
        if (err != NULL)
            *err = first;
        return failed;
    }
    chance->checked = n > 0 ? (double)total / n : (double)NAN;
    chance->checked_sd = sqrt(chance->checked * (1.0 - chance->checked) / n);
    return ARC_OK;
}
