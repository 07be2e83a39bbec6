/* The smallest change of one length or limit that makes a goal reachable.
 *
 * D by the change t >= 0 is positive at 0. Newton's steps on D come near its zero from that side;
 * once a change b is known that is enough, and a that is not, they go on between the two, with
 * halving where a step leads out.
 */
#include "aim/nearest.h"

#include <math.h>

enum { MOST_LOOKS = 40, FIRST_LOOKS = 12 };
static const double close_share = 1e-7; /* of the largest change, between enough and not enough */

typedef struct Cure {
    ArcNearest *nearest;
    ArcReachLimit limit;
    int joint, direction;
    double value; /* without the change */
    double most;  /* change */
    int n;        /* starts: the minima that were found, then the last look's */
    ArcNearestMinimum starts[ARC_NEAREST_MOST + 1];
} Cure;

/* The largest change that makes sense: an arm that reaches the goal by that link alone, another
 * half turn, a hundred times the rate. */
static double most_change(const ArcNearest *nearest, ArcReachLimit limit, int direction,
                          double value)
{
    const double *to =
        arc_goal_is_target(&nearest->goal) ? nearest->goal.point_m : nearest->goal.position_m;
    double square = 0.0, lengths = 0.0;
    if (limit == ARC_REACH_RATE)
        return 100.0 * value;
    if (limit != ARC_REACH_LENGTH)
        return M_PI;
    if (direction < 0)
        return value;
    for (int c = 0; c < nearest->d; c++) {
        double off = to[c] - nearest->p[nearest->arm->base + c];
        square += off * off;
    }
    for (int j = 0; j < nearest->J; j++)
        lengths += nearest->p[nearest->arm->length + j];
    return sqrt(square) + 2.0 * lengths;
}

/* D with the change, and its slope by it. */
static double look(Cure *cure, double change, double *slope)
{
    double by[ARC_N_REACH_LIMITS][ARC_ARM_MAX_JOINTS];
    ArcNearestMinimum *last = &cure->starts[cure->n], end;
    double *limit = arc_nearest_limit(cure->nearest, cure->limit, cure->joint);
    *limit = cure->value + cure->direction * change;
    double distance = arc_nearest_distance(cure->nearest, cure->n + 1, cure->starts, &end);
    if (isfinite(distance)) {
        *last = end;
        arc_nearest_sensitivities(cure->nearest, &end, by);
        *slope = cure->direction * by[cure->limit][cure->joint];
    } else {
        *slope = 0.0;
    }
    *limit = cure->value;
    return distance;
}

/* A change that is enough, from slope at 0; the largest that is not comes with its D and slope. */
static bool find_enough(Cure *cure, double distance, double slope, double *not_enough,
                        double *enough)
{
    double a = 0.0;
    for (int i = 0; i < FIRST_LOOKS && a < cure->most; i++) {
        double step = slope < 0.0 ? distance / -slope : INFINITY;
        double b = fmin(a + fmin(step, fmax(2.0 * a, cure->most / 16.0)), cure->most);
        distance = look(cure, b, &slope);
        if (distance <= ARC_REACH_TOLERANCE) {
            *not_enough = a;
            *enough = b;
            return true;
        }
        a = b;
    }
    return false;
}

/* From a change that is not enough and one that is to the smallest. */
static double narrow(Cure *cure, double a, double b)
{
    double slope, close = close_share * cure->most;
    double distance = look(cure, a, &slope);
    bool halve = false;
    for (int i = 0; i < MOST_LOOKS && b - a > close; i++) {
        /* What Newton's step ends at is often enough, so that a little less is tried next. */
        double t = slope < 0.0 && !halve ? a + distance / -slope : 0.5 * (a + b);
        if (t >= b - close)
            t = halve ? 0.5 * (a + b) : b - close;
        if (t <= a)
            t = 0.5 * (a + b);
        double there, by;
        there = look(cure, t, &by);
        halve = there <= ARC_REACH_TOLERANCE;
        if (halve) {
            b = t;
        } else {
            a = t;
            distance = there;
            slope = by;
        }
    }
    return b;
}

bool arc_nearest_cure(ArcNearest *nearest, int n, const ArcNearestMinimum *minima,
                      ArcReachLimit limit, int joint, double by, double *change)
{
    double a = 0.0, b = 0.0;
    Cure cure = {.nearest = nearest,
                 .limit = limit,
                 .joint = joint,
                 .value = *arc_nearest_limit(nearest, limit, joint),
                 .n = n};
    if (!isfinite(cure.value) || n == 0)
        return false;
    for (int i = 0; i <= n; i++)
        cure.starts[i] = minima[i < n ? i : 0];
    cure.direction = limit == ARC_REACH_LOW ? -1 : 1;
    if (limit == ARC_REACH_LENGTH && by > 0.0)
        cure.direction = -1;
    cure.most = most_change(nearest, limit, cure.direction, cure.value);
    if (!find_enough(&cure, minima[0].distance, cure.direction * by, &a, &b))
        return false;
    *change = cure.direction * narrow(&cure, a, b);
    return true;
}
