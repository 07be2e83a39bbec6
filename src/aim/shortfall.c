/* The least speed of a throw that hits. */
#include "aim/shortfall.h"

#include "physics/matrix3.h"

#include <math.h>

enum { SCAN = 28, STARTS = 3 };
static const double first_rad = -1.4, scan_step_rad = 0.1;
static const double same_speed = 1e-6; /* share, of two minima */

typedef struct Least {
    ArcSearch search; /* without a limit of the speed */
    ArcOptimise *optimise;
    ArcOptimiseTask task;
    int n;
    ArcSearchThrow starts[STARTS]; /* the slowest first */
    double speeds[STARTS];
} Least;

/* The speed of a release; NaN where it cannot be had. */
static double speed_of(const ArcSearch *search, const double *z)
{
    double values[ARC_MAX_PARAMETERS];
    ArcShotState release;
    arc_search_values(search, z, values);
    if (!arc_shot_release(search->shot, values, false, &release))
        return NAN;
    return arc_vector3_norm(release.v_m_s);
}

/* Sorts the throw with this angle in among the slowest. */
static void look(Least *least, double angle_rad)
{
    ArcSearchThrow thrown;
    if (!arc_search_hit_angle(&least->search, angle_rad, &thrown) || !arc_search_is_hit(&thrown))
        return;
    double speed = speed_of(&least->search, thrown.z);
    int at = least->n < STARTS ? least->n : STARTS;
    while (at > 0 && speed < least->speeds[at - 1])
        at--;
    if (!isfinite(speed) || at == STARTS)
        return;
    least->n += least->n < STARTS;
    for (int i = least->n - 1; i > at; i--) {
        least->starts[i] = least->starts[i - 1];
        least->speeds[i] = least->speeds[i - 1];
    }
    least->starts[at] = thrown;
    least->speeds[at] = speed;
}

/* Downhill from what was found; whether all of it ends at one speed. */
static bool descend(Least *least, ArcSearchThrow *best, double *speed)
{
    double lowest = INFINITY, highest = 0.0;
    for (int i = 0; i < least->n; i++) {
        ArcSearchThrow thrown = least->starts[i];
        ArcConstrainedResult end = arc_optimise_run(least->optimise, &least->task, &thrown);
        double there = speed_of(&least->search, thrown.z);
        if (!(end.violation <= 1e-6) || !isfinite(there))
            continue;
        highest = fmax(highest, there);
        if (there < lowest) {
            lowest = there;
            *best = thrown;
        }
    }
    *speed = lowest;
    return isfinite(lowest) && highest - lowest <= same_speed * lowest;
}

ArcStatus arc_aim_least_speed(const ArcSearch *search, ArcArena *arena, ArcSearchThrow *thrown,
                              double *speed_m_s, ArcError *err)
{
    const ArcAimSettings *settings = &search->experiment->aim;
    Least *least = ARC_ALLOC(arena, 1, Least);
    if (least == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_search_free_speed(search, arena, &least->search, err);
    if (status == ARC_OK)
        status = arc_optimise_create(&least->search, NULL, arena, &least->optimise, err);
    if (status != ARC_OK)
        return status;
    least->task = arc_optimise_task_default();
    for (int k = 0; k < ARC_N_AIM_NUMBERS; k++) {
        least->task.least[k] = settings->least[k];
        least->task.most[k] = settings->most[k];
    }
    least->task.most[ARC_AIM_SPEED] = INFINITY;
    least->task.weight[ARC_AIM_SPEED] = 1.0;
    for (int variant = 0; arc_search_vary(&least->search, search->values, variant); variant++)
        for (int i = 0; i < settings->n_angles; i++)
            look(least, settings->angles_rad[i]);
    if (!descend(least, thrown, speed_m_s)) {
        least->n = 0;
        arc_search_vary(&least->search, search->values, 0);
        for (int i = 0; i < SCAN; i++)
            look(least, first_rad + i * scan_step_rad);
        ArcSearchThrow other;
        double speed;
        descend(least, &other, &speed);
        if (speed < *speed_m_s) {
            *speed_m_s = speed;
            *thrown = other;
        }
    }
    return ARC_OK;
}
