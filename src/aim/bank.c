/* The search for throws off the board. */
#include "aim/bank.h"

#include "aim/probability.h"
#include "aim/soft.h"
#include "physics/matrix3.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 30 };
static const double longest_step = 0.15; /* of all unknowns together, in SI */
static const double widths = 5.0;        /* of a soft hit that leads from far away */

typedef struct Bank {
    const ArcExperiment *experiment;
    const ArcSearch *search; /* at the hoop */
    ArcTouch *touch;
    ArcExperiment mirrored;
    ArcShot *shot;
    ArcSearch image; /* at the hoop's image */
    ArcTouched touched;
    ArcSoftHit hit;
    ArcAim *aim;
} Bank;

/* The hoop's image, as a point. */
static void mirror(Bank *bank)
{
    const ArcGoal *goal = &bank->experiment->aim.goal;
    int axis = goal->backboard.axis;
    double X = goal->point_m[axis], radius_m = bank->experiment->flight.radius_m;
    double front = X < goal->backboard.level_m ? -1.0 : 1.0;
    double B = goal->backboard.level_m + front * radius_m;
    bank->mirrored = *bank->experiment;
    bank->mirrored.aim.goal.kind = ARC_GOAL_POINT;
    bank->mirrored.aim.goal.point_m[axis] =
        B + (B - X) / fmax(bank->experiment->aim.contact.restitution, ARC_CONTACT_LEAST);
}

/* Steps of the least size towards a soft hit of one. */
static bool lead_in(Bank *bank, double *values)
{
    const ArcSearch *search = bank->search;
    double width_m = widths * arc_soft_width(bank->experiment);
    for (int step = 0; step < MOST_STEPS; step++) {
        double square = 0.0;
        if (!arc_soft_hit(search->shot, bank->touch, values, true, width_m, &bank->hit))
            return false;
        if (bank->hit.margin_m >= bank->experiment->flight.radius_m)
            return true;
        for (int k = 0; k < search->K; k++)
            square += pow(bank->hit.by_margin[search->index[k]], 2);
        double slope = bank->hit.soft.log_by_margin * sqrt(square);
        double length = fmin(-bank->hit.soft.log / slope, longest_step);
        if (!isfinite(length))
            return false;
        for (int k = 0; k < search->K; k++) {
            double *value = &values[search->index[k]];
            *value += length * bank->hit.by_margin[search->index[k]] / sqrt(square);
            *value = fmin(fmax(*value, search->low[k]), search->high[k]);
        }
    }
    return false;
}

/* The throw with what it is like; of what it has no numbers they are NaN. */
static bool describe(Bank *bank, const double *values, ArcAimSolution *to)
{
    const ArcShotState *end = &bank->touched.state;
    const ArcFlightSettings *flight = &bank->experiment->flight.settings;
    ArcShotState release;
    double level = 0.0;
    if (!arc_shot_release(bank->search->shot, values, false, &release))
        return false;
    *to = (ArcAimSolution){
        .cost = NAN, .hits = true, .chance = {.value = NAN, .checked = NAN, .checked_sd = NAN}};
    memcpy(to->values, values, sizeof(double) * (size_t)bank->search->n);
    arc_shot_tie(bank->search->shot, to->values);
    memcpy(to->position_m, release.x_m, sizeof release.x_m);
    memcpy(to->velocity_m_s, release.v_m_s, sizeof release.v_m_s);
    memcpy(to->arrival_m, end->x_m, sizeof end->x_m);
    memcpy(to->arrival_velocity_m_s, end->v_m_s, sizeof end->v_m_s);
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++)
        to->numbers[k] = NAN;
    for (int c = 0; c < flight->dimensions; c++)
        level = c == flight->up ? level : hypot(level, end->v_m_s[c]);
    to->numbers[ARC_AIM_SPEED] = arc_vector3_norm(release.v_m_s);
    to->numbers[ARC_AIM_TIME] = end->t_s;
    to->numbers[ARC_AIM_ENTRY_SPEED] = hypot(level, end->v_m_s[flight->up]);
    to->numbers[ARC_AIM_ENTRY_ANGLE] = atan2(-end->v_m_s[flight->up], level);
    to->numbers[ARC_AIM_MISS] = arc_vector3_norm(bank->touched.offset_m);
    for (int i = 0; i < bank->search->n; i++)
        to->miss_by[i] = hypot(hypot(bank->touched.by_offset[0][i], bank->touched.by_offset[1][i]),
                               bank->touched.by_offset[2][i]);
    return !bank->experiment->has_arm ||
           arc_shot_commands(bank->search->shot, values, to->commands_rad);
}

static bool is_known(const Bank *bank, const double *values)
{
    double z[2][ARC_SEARCH_UNKNOWNS] = {{0}};
    const ArcSearch *search = bank->search;
    for (int i = 0; i < bank->aim->n_banks; i++) {
        for (int k = 0; k < search->K; k++) {
            z[0][k] = values[search->index[k]];
            z[1][k] = bank->aim->banks[i].values[search->index[k]];
        }
        if (arc_search_is_same(search, z[0], z[1]))
            return true;
    }
    return false;
}

/* From a throw at the image; kept where it goes in off the board alone, the slower before. */
static void try_throw(Bank *bank, const ArcSearchThrow *thrown)
{
    ArcAim *aim = bank->aim;
    ArcAimSolution found;
    double values[ARC_MAX_PARAMETERS];
    if (!arc_search_is_hit(thrown) || aim->n_banks == ARC_AIM_MAX_BANKS)
        return;
    arc_search_values(&bank->image, thrown->z, values);
    if (!lead_in(bank, values) || !arc_touch_fly(bank->touch, values, true, &bank->touched))
        return;
    if (bank->touched.end != ARC_TOUCH_IN || !bank->touched.board || bank->touched.rim ||
        is_known(bank, values) || !describe(bank, values, &found))
        return;
    int at = aim->n_banks++;
    for (; at > 0 && found.numbers[ARC_AIM_SPEED] < aim->banks[at - 1].numbers[ARC_AIM_SPEED]; at--)
        aim->banks[at] = aim->banks[at - 1];
    aim->banks[at] = found;
}

/* All that is searched with. */
static ArcStatus create(const ArcSearch *search, ArcAim *aim, Bank **result, ArcError *err)
{
    Bank *bank = ARC_ALLOC(aim->arena, 1, Bank);
    if (bank == NULL)
        return arc_error_no_memory(err);
    bank->experiment = search->experiment;
    bank->search = search;
    bank->aim = aim;
    mirror(bank);
    *result = bank;
    ArcStatus status = arc_touch_create(search->shot, aim->arena, &bank->touch, err);
    if (status == ARC_OK)
        status = arc_shot_create(&bank->mirrored, aim->arena, &bank->shot, err);
    return status != ARC_OK ? status
                            : arc_search_create(bank->shot, aim->unknown, search->values,
                                                aim->arena, &bank->image, err);
}

/* Chances by throws flown one by one: no linearisation knows a touch. */
static ArcStatus check_chances(const ArcAimThrows *throws, ArcAim *aim, ArcError *err)
{
    int n = throws->search->experiment->aim.monte_carlo;
    ArcStatus status = ARC_OK;
    for (int i = 0; n > 0 && i < aim->n_banks && status == ARC_OK; i++)
        status =
            arc_aim_check_chance(throws->search->experiment, throws->belief, aim->banks[i].values,
                                 (ArcAimTrial){n, throws->threads}, &aim->banks[i].chance, err);
    return status;
}

ArcStatus arc_aim_bank(const ArcAimThrows *throws, ArcAim *aim, ArcError *err)
{
    const ArcAimSettings *settings = &throws->search->experiment->aim;
    ArcSearchThrow thrown;
    Bank *bank = NULL;
    aim->n_banks = 0;
    if (!settings->contact.is_on || settings->goal.kind != ARC_GOAL_HOOP ||
        !settings->goal.has_backboard)
        return ARC_OK;
    ArcStatus status = create(throws->search, aim, &bank, err);
    if (status != ARC_OK)
        return status;
    for (int i = 0; i < settings->n_angles; i++)
        if (arc_search_hit_angle(&bank->image, settings->angles_rad[i], &thrown))
            try_throw(bank, &thrown);
    for (int i = 0; i < throws->n; i++) {
        thrown = throws->throws[i];
        arc_search_hit(&bank->image, &thrown);
        try_throw(bank, &thrown);
    }
    return check_chances(throws, aim, err);
}
