/* The throws of an aim: what is said of all of them, and what is missing where none hits. */
#include "figure/throws.h"

#include "aim/describe.h"
#include "aim/reach_parts.h"
#include "figure/scene.h"

#include <math.h>

static const double degrees = 180.0 / M_PI;

/* "throw 1: 8.28 m/s at 51.6 deg" of each. NULL on exhaustion. */
static const char *const *name_throws(ArcMaker *maker, const ArcAim *aim)
{
    const char **names = ARC_ALLOC(maker->arena, (size_t)aim->n_solutions, const char *);
    for (int i = 0; names != NULL && i < aim->n_solutions; i++) {
        ArcAimRelease release;
        arc_aim_describe(aim, &aim->solutions[i], &release);
        names[i] =
            arc_maker_words(maker, "throw %d: %.3g m/s at %.3g deg%s", i + 1, release.speed_m_s,
                            release.angle_rad * degrees, aim->solutions[i].hits ? "" : ", misses");
    }
    return names;
}

/* What the arm would need, in one sentence. */
static ArcStatus note_cures(ArcMaker *maker, const ArcReach *reach, ArcError *err)
{
    ArcText text = {0};
    char *words = NULL;
    for (int i = 0; i < reach->n_cures && i < 4; i++) {
        arc_text_append(&text, "%s", i == 0 ? "" : "; or ");
        arc_reach_parts_cure(&text, &reach->cures[i]);
    }
    ArcStatus status = arc_text_finish(&text, &words, err);
    if (status != ARC_OK)
        return status;
    if (reach->n_cures > 0)
        arc_maker_note(maker, "The arm does not reach the target: %s.", words);
    else
        arc_maker_note(maker, "The arm does not reach the target, and no change of a single "
                              "length or limit is enough.");
    arc_text_free(words);
    return ARC_OK;
}

static ArcStatus note_shortfall(ArcMaker *maker, const ArcAim *aim, ArcError *err)
{
    if (aim->is_reachable)
        return ARC_OK;
    if (isfinite(aim->shortfall_speed_m_s))
        arc_maker_note(maker,
                       "No throw hits: the nearest is %.3g m off, and the release would have to "
                       "be %.3g m/s faster than its limit (at least %.3g m/s).",
                       aim->shortfall_miss_m, aim->shortfall_speed_m_s, aim->least_speed_m_s);
    else
        arc_maker_note(maker, "No throw hits: the nearest is %.3g m off.", aim->shortfall_miss_m);
    return aim->has_reach ? note_cures(maker, &aim->reach, err) : ARC_OK;
}

ArcStatus arc_figures_of_aim(const ArcAim *aim, ArcFigures **figures, ArcError *err)
{
    ArcMaker maker = {.arena = arc_arena_create(), .experiment = aim->experiment};
    ArcThrows throws = {.maker = &maker, .aim = aim};
    *figures = NULL;
    if (maker.arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_shot_create(aim->experiment, maker.arena, &throws.shot, err);
    throws.names = name_throws(&maker, aim);
    if (status == ARC_OK && throws.names != NULL) {
        arc_throws_draw_paths(&throws);
        arc_throws_draw_numbers(&throws);
        status = note_shortfall(&maker, aim, err);
    }
    return arc_maker_finish(&maker, status, figures, err);
}
