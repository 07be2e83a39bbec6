/* Points of the front, one after the other, each from what is near. */
#include "aim/pareto.h"

#include "aim/numbers.h"

#include <math.h>
#include <string.h>

enum { MOST_STARTS = 6, REPAIRS = 3, RUNS = 4, SHIFTS = 4 };
static const double most_miss_m = 1.0;
static const double kept_violation = 1e-7; /* by the sizes of numbers */
static const double beaten = 1e-7;         /* by so much, as a share of the front's extent */

/* A point on its way. */
typedef struct Point {
    ArcSearchThrow thrown;
    double limit;           /* of the limited number */
    double at[2];           /* limited, free */
    bool is_there, is_done; /* at a minimum */
} Point;

typedef struct Front {
    const ArcPareto *from;
    ArcAimNumber limited, free;
    double extent[2];
    Point points[ARC_AIM_MAX_FRONT];
} Front;

/* Both numbers of a throw; false where it cannot be followed. */
static bool look(const Front *front, Point *point)
{
    double values[ARC_MAX_PARAMETERS];
    ArcShotNumbers numbers;
    arc_search_values(front->from->search, point->thrown.z, values);
    if (!arc_shot_numbers(front->from->search->shot, values,
                          1u << front->limited | 1u << front->free, false, &numbers))
        return false;
    point->at[0] = numbers.value[front->limited];
    point->at[1] = numbers.value[front->free];
    return isfinite(point->at[0]) && isfinite(point->at[1]);
}

/* The end from a start in point->thrown, begun again where it stops short of a minimum; whether it
 * keeps its rows. */
static bool descend(const Front *front, const ArcOptimiseTask *task, Point *point)
{
    ArcConstrainedResult end = {.violation = INFINITY};
    for (int run = 0; run < RUNS && !point->is_done; run++) {
        end = arc_optimise_run(front->from->optimise, task, &point->thrown);
        point->is_done = arc_optimise_is_done(&end);
    }
    return end.violation <= kept_violation && look(front, point);
}

/* min of one number under the limits and point->limit. Better than what point holds it is taken. */
static void improve(const Front *front, Point *point, ArcAimNumber number,
                    const ArcSearchThrow *start)
{
    int which = number == front->free;
    ArcOptimiseTask task = *front->from->limits;
    Point tried = {.thrown = *start, .limit = point->limit};
    task.weight[number] = 1.0;
    task.misses = front->limited == ARC_AIM_MISS && point->limit > 0.0;
    if (isfinite(point->limit) && (front->limited != ARC_AIM_MISS || task.misses))
        task.most[front->limited] = fmin(task.most[front->limited], point->limit);
    if (!descend(front, &task, &tried) || (point->is_done && !tried.is_done))
        return;
    bool is_better = !point->is_there || (tried.is_done && !point->is_done) ||
                     tried.at[which] < point->at[which];
    if (is_better) {
        *point = tried;
        point->is_there = true;
    }
}

static void improve_all(const Front *front, Point *point, ArcAimNumber number)
{
    for (int i = 0; i < front->from->n && i < MOST_STARTS; i++)
        improve(front, point, number, &front->from->throws[i]);
}

/* The two ends: the least of the limited number, and of the other one. */
static bool find_ends(Front *front, int n)
{
    Point *first = &front->points[0], *last = &front->points[n - 1];
    bool misses = front->limited == ARC_AIM_MISS;
    double most = front->from->limits->most[ARC_AIM_MISS];
    first->limit = misses ? 0.0 : INFINITY;
    improve_all(front, first, misses ? front->free : front->limited);
    if (!first->is_there)
        return false;
    first->limit = first->at[0];
    last->limit = !misses ? INFINITY : isfinite(most) ? most : most_miss_m;
    improve_all(front, last, front->free);
    improve(front, last, front->free, &first->thrown);
    if (misses)
        first->limit = 0.0;
    return last->is_there;
}

/* Whether b is nowhere worse than a and somewhere better, by more than rounding. */
static bool is_beaten(const Front *front, const Point *a, const Point *b)
{
    double first = (a->at[0] - b->at[0]) / front->extent[0];
    double second = (a->at[1] - b->at[1]) / front->extent[1];
    return first >= -1e-12 && second >= -1e-12 && (first > beaten || second > beaten);
}

/* Points that another beats are looked for again from it, then left out, as those that ended
 * nowhere. Returns how many stay. */
static int repair(Front *front, int n)
{
    for (int turn = 0; turn < REPAIRS; turn++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (front->points[i].is_there && front->points[j].is_there &&
                    is_beaten(front, &front->points[i], &front->points[j]))
                    improve(front, &front->points[i], front->free, &front->points[j].thrown);
    int kept = 0;
    for (int i = 0; i < n; i++) {
        bool stays = front->points[i].is_there && front->points[i].is_done;
        for (int j = 0; j < n && stays; j++)
            stays = !front->points[j].is_there ||
                    !is_beaten(front, &front->points[i], &front->points[j]);
        front->points[i].is_there = stays;
    }
    for (int i = 0; i < n; i++)
        if (front->points[i].is_there)
            front->points[kept++] = front->points[i];
    return kept;
}

/* A point whose minimum is not found moves towards the next, where it is easier. */
static void shift_limit(const Front *front, Point *point, const Point *next)
{
    double limit = 0.5 * (point->limit + next->at[0]);
    Point other = {.limit = limit};
    improve(front, &other, front->free, &point->thrown);
    improve(front, &other, front->free, &next->thrown);
    point->limit = limit;
    if (other.is_done)
        *point = other;
}

static int fill(Front *front, int n)
{
    if (n < 2 || !find_ends(front, n))
        return 0;
    Point *points = front->points, *last = &points[n - 1];
    for (int k = 0; k < 2; k++)
        front->extent[k] = fmax(fabs(last->at[k] - points[0].at[k]), 1e-12);
    for (int i = 1; i < n - 1; i++) {
        points[i].limit = points[0].at[0] + (last->at[0] - points[0].at[0]) * i / (n - 1);
        improve(front, &points[i], front->free, &points[i - 1].thrown);
        improve(front, &points[i], front->free, &last->thrown);
        if (!points[i].is_done)
            improve_all(front, &points[i], front->free);
    }
    for (int i = n - 2; i > 0; i--) {
        improve(front, &points[i], front->free, &points[i + 1].thrown);
        for (int shift = 0; shift < SHIFTS && !points[i].is_done; shift++)
            shift_limit(front, &points[i], &points[i + 1]);
    }
    return repair(front, n);
}

ArcStatus arc_pareto_front(const ArcPareto *pareto, ArcArena *arena, ArcAim *aim, ArcError *err)
{
    const ArcAimSettings *settings = &aim->settings;
    Front *front = ARC_ALLOC(arena, 1, Front);
    if (front == NULL)
        return arc_error_no_memory(err);
    bool is_turned = settings->front[1] == ARC_AIM_MISS;
    front->from = pareto;
    front->limited = settings->front[is_turned];
    front->free = settings->front[!is_turned];
    int n = fill(front, settings->n_front);
    aim->n_front = n;
    for (int i = 0; i < n; i++) {
        const Point *point = &front->points[is_turned ? n - 1 - i : i];
        ArcAimPoint *to = &aim->front[i];
        to->numbers[is_turned] = point->at[0];
        to->numbers[!is_turned] = point->at[1];
        arc_search_values(pareto->search, point->thrown.z, to->values);
    }
    return ARC_OK;
}
