/* The search for the nearest throw: from many poses, downhill, and what is the same told once. */
#include "aim/nearest.h"

#include "solve/box.h"

#include <math.h>
#include <string.h>

enum { STEPS = 100, ROUNDS = 8, MOST_STARTS = 6, TIMES = 4 };
static const double shortest_s = 1e-3, longest_s = 20.0;
static const double the_same = 1e-4;         /* of the unknowns' sizes, of two minima */
static const double plain_rate_rad_s = 10.0; /* of a joint without a limit */
static const double middle_share = 0.01;     /* of the angles in the effort */
static const double times_s[TIMES] = {0.3, 0.5, 0.8, 1.3};
static const double first_rho = 1e-2;

static double size_of(const ArcNearest *nearest, int i)
{
    return i < nearest->J ? 1.0 : i < 2 * nearest->J ? plain_rate_rad_s : 0.3;
}

/* Where an unknown of the effort is best, and half its range; 0, 0: it has no part. */
static void comfort(const ArcNearest *nearest, int i, double *best, double *half)
{
    int J = nearest->J, j = i % J;
    *best = 0.0;
    *half = 0.0;
    if (i >= 2 * J)
        return;
    if (i >= J) {
        *half = isfinite(nearest->rate[j]) ? nearest->rate[j] : plain_rate_rad_s;
        return;
    }
    bool is_limited = isfinite(nearest->low[j]) && isfinite(nearest->high[j]);
    *best = is_limited ? 0.5 * (nearest->low[j] + nearest->high[j]) : 0.0;
    *half = (is_limited ? 0.5 * (nearest->high[j] - nearest->low[j]) : M_PI) / sqrt(middle_share);
}

static double effort_of(const ArcNearest *nearest, const double *z, double *gradient)
{
    double sum = 0.0;
    for (int i = 0; i < nearest->n; i++) {
        double best, half;
        comfort(nearest, i, &best, &half);
        double part = half > 0.0 ? (z[i] - best) / half : 0.0;
        sum += part * part;
        if (gradient != NULL)
            gradient[i] = half > 0.0 ? part / half : 0.0;
    }
    return sum;
}

/* d r_k / d z_i. */
static double miss_slope(const ArcNearest *nearest, const ArcMiss *miss, int k, int i)
{
    int J = nearest->J;
    double slope = 0.0;
    if (i == 2 * J)
        return miss->by_s[k];
    for (int c = 0; c < nearest->d; c++)
        slope += i < J ? miss->by_x[k][c] * miss->point.x_theta[c][i] +
                             miss->by_v[k][c] * miss->point.v_theta[c][i]
                       : miss->by_v[k][c] * miss->point.x_theta[c][i - J];
    return slope;
}

static double value_at(void *context, const double *z, double *gradient)
{
    ArcNearest *nearest = context;
    ArcMiss miss;
    if (!arc_nearest_miss(nearest, z, &miss))
        return INFINITY;
    double weight[ARC_NEAREST_MISSES], value = 0.0;
    for (int k = 0; k < miss.m; k++) {
        double rho = nearest->has_effort ? nearest->rho : 1.0;
        weight[k] = rho * miss.r[k] + (nearest->has_effort ? nearest->lambda[k] : 0.0);
        value += 0.5 * (weight[k] * miss.r[k] +
                        (nearest->has_effort ? nearest->lambda[k] * miss.r[k] : 0.0));
    }
    for (int i = 0; gradient != NULL && i < nearest->n; i++)
        gradient[i] = 0.0;
    if (nearest->has_effort)
        value += 0.5 * effort_of(nearest, z, gradient);
    for (int i = 0; gradient != NULL && i < nearest->n; i++)
        for (int k = 0; k < miss.m; k++)
            gradient[i] += weight[k] * miss_slope(nearest, &miss, k, i);
    return value;
}

/* Downhill from z, in place; the gradient there, and which bounds hold (-1, 0, 1), nullable. */
static double descend(ArcNearest *nearest, double *z, double *gradient, int *held)
{
    int n = nearest->n, J = nearest->J;
    double low[ARC_NEAREST_UNKNOWNS], high[ARC_NEAREST_UNKNOWNS], size[ARC_NEAREST_UNKNOWNS];
    double own[ARC_NEAREST_UNKNOWNS];
    double *slope = gradient != NULL ? gradient : own;
    for (int i = 0; i < n; i++) {
        low[i] = i < J ? nearest->low[i] : i < 2 * J ? -nearest->rate[i - J] : shortest_s;
        high[i] = i < J ? nearest->high[i] : i < 2 * J ? nearest->rate[i - J] : longest_s;
        size[i] = size_of(nearest, i);
    }
    const ArcBox box = {n, low, high, size, nearest, value_at};
    double value = arc_box_minimise(&box, STEPS, z, slope);
    for (int i = 0; held != NULL && i < n; i++)
        held[i] = arc_box_held(&box, z, slope, i);
    return value;
}

static void settle(ArcNearest *nearest, ArcNearestMinimum *minimum)
{
    minimum->distance = sqrt(2.0 * fmax(descend(nearest, minimum->z, NULL, NULL), 0.0));
    minimum->effort = effort_of(nearest, minimum->z, NULL);
}

/* Of the throws that reach the goal, the one of least effort: multipliers until the miss is
 * nothing. The minimum stays as it was where that fails. */
static void relax(ArcNearest *nearest, ArcNearestMinimum *minimum)
{
    ArcNearestMinimum relaxed = *minimum;
    nearest->has_effort = true;
    nearest->rho = first_rho;
    memset(nearest->lambda, 0, sizeof nearest->lambda);
    for (int round = 0; round < ROUNDS; round++) {
        ArcMiss miss;
        descend(nearest, relaxed.z, NULL, NULL);
        if (!arc_nearest_miss(nearest, relaxed.z, &miss))
            break;
        for (int k = 0; k < nearest->n_equations; k++)
            nearest->lambda[k] += nearest->rho * miss.r[k];
        nearest->rho = fmin(10.0 * nearest->rho, 1e2);
    }
    nearest->has_effort = false;
    settle(nearest, &relaxed);
    if (relaxed.distance <= ARC_REACH_TOLERANCE && relaxed.effort < minimum->effort)
        *minimum = relaxed;
}

static bool is_before(const ArcNearestMinimum *a, const ArcNearestMinimum *b)
{
    bool reaches = a->distance <= ARC_REACH_TOLERANCE, other = b->distance <= ARC_REACH_TOLERANCE;
    if (reaches && other)
        return a->effort < b->effort;
    return a->distance < b->distance;
}

static bool is_same(const ArcNearest *nearest, const ArcNearestMinimum *a,
                    const ArcNearestMinimum *b)
{
    for (int i = 0; i < nearest->n; i++) {
        double off = a->z[i] - b->z[i];
        if (i < nearest->J)
            off = remainder(off, 2.0 * M_PI);
        if (!(fabs(off) <= the_same * size_of(nearest, i)))
            return false;
    }
    return true;
}

/* Sorts a minimum in among the first n of most; returns how many there are then. */
static int insert(const ArcNearest *nearest, int n, int most, ArcNearestMinimum *minima,
                  const ArcNearestMinimum *minimum)
{
    for (int i = 0; i < n; i++)
        if (is_same(nearest, minimum, &minima[i]))
            return n;
    int at = n < most ? n : most;
    while (at > 0 && is_before(minimum, &minima[at - 1]))
        at--;
    if (at == most)
        return n;
    n += n < most;
    memmove(minima + at + 1, minima + at, sizeof *minima * (size_t)(n - at - 1));
    minima[at] = *minimum;
    return n;
}

/* Rates that give the pose z the wanted velocity, as far as limits let them. */
static void start_rates(const ArcNearest *nearest, double *z)
{
    ArcArmPoint point;
    double v[3] = {0}, s = nearest->n > 2 * nearest->J ? z[2 * nearest->J] : 0.0;
    double none[ARC_ARM_MAX_JOINTS] = {0};
    arc_arm_point(nearest->arm, ARC_ARM_BALL, nearest->p, z, none, &point);
    for (int c = 0; c < nearest->d; c++)
        v[c] = arc_goal_is_target(&nearest->goal) ? (nearest->goal.point_m[c] - point.x_m[c]) / s
                                                  : nearest->goal.velocity_m_s[c];
    if (arc_goal_is_target(&nearest->goal))
        v[nearest->arm->settings.up] += 0.5 * nearest->arm->settings.gravity_m_s2 * s;
    arc_arm_rates_for(nearest->arm, nearest->p, z, v, z + nearest->J, NULL);
    for (int j = 0; j < nearest->J; j++)
        z[nearest->J + j] = fmin(fmax(z[nearest->J + j], -nearest->rate[j]), nearest->rate[j]);
}

/* What a joint can reach, a turn where that has no end. */
static void turn_of(const ArcNearest *nearest, int j, double *low, double *high)
{
    *low = nearest->low[j];
    *high = nearest->high[j];
    if (isinf(*low))
        *low = isinf(*high) ? -M_PI : *high - 2.0 * M_PI;
    if (isinf(*high))
        *high = *low + 2.0 * M_PI;
}

/* Starts of a time of flight: poses all over the limits, those that come nearest first. */
static int list_starts(ArcNearest *nearest, double s, int most, ArcNearestMinimum *starts)
{
    int J = nearest->J, each = J <= 2 ? 7 : J == 3 ? 5 : 4, n = 0, total = 1;
    for (int j = 0; j < J; j++)
        total *= each;
    for (int place = 0; place < total; place++) {
        ArcNearestMinimum start = {.effort = 0.0};
        for (int j = 0, rest = place; j < J; j++, rest /= each) {
            double low, high;
            turn_of(nearest, j, &low, &high);
            start.z[j] = low + (high - low) * (0.5 + rest % each) / each;
        }
        start.z[2 * J] = s;
        start_rates(nearest, start.z);
        double value = value_at(nearest, start.z, NULL);
        start.distance = sqrt(2.0 * value);
        if (isfinite(value))
            n = insert(nearest, n, most, starts, &start);
    }
    return n;
}

/* The poses that put the ball at the wanted place, moved into the limits. */
static int list_poses(const ArcNearest *nearest, ArcNearestMinimum *starts)
{
    int J = nearest->J;
    double theta[ARC_ARM_MAX_POSES * ARC_ARM_MAX_JOINTS], middle[ARC_ARM_MAX_JOINTS], half;
    for (int j = 0; j < J; j++)
        comfort(nearest, j, &middle[j], &half);
    int n = arc_arm_poses(nearest->arm, nearest->p, nearest->goal.position_m, middle, theta);
    n = n > 0 ? n : 1;
    for (int i = 0; i < n; i++) {
        memset(&starts[i], 0, sizeof starts[i]);
        for (int j = 0; j < J; j++)
            starts[i].z[j] = fmin(fmax(theta[i * J + j], nearest->low[j]), nearest->high[j]);
        start_rates(nearest, starts[i].z);
    }
    return n;
}

int arc_nearest_search(ArcNearest *nearest, ArcNearestMinimum *minima)
{
    bool has_target = arc_goal_is_target(&nearest->goal);
    ArcNearestMinimum starts[ARC_ARM_MAX_POSES + MOST_STARTS * TIMES];
    int n_starts = has_target ? 0 : list_poses(nearest, starts), n = 0;
    for (int k = 0; k < (has_target ? TIMES : 1); k++)
        n_starts += list_starts(nearest, times_s[k], has_target ? 3 : MOST_STARTS * TIMES,
                                starts + n_starts);
    for (int i = 0; i < n_starts; i++) {
        settle(nearest, &starts[i]);
        if (!isfinite(starts[i].distance))
            continue;
        if (starts[i].distance <= ARC_REACH_TOLERANCE && nearest->n > nearest->n_equations)
            relax(nearest, &starts[i]);
        n = insert(nearest, n, ARC_NEAREST_MOST, minima, &starts[i]);
    }
    int reaching = 0;
    while (reaching < n && minima[reaching].distance <= ARC_REACH_TOLERANCE)
        reaching++;
    return reaching > 0 ? reaching : n;
}

double arc_nearest_distance(ArcNearest *nearest, int n_starts, const ArcNearestMinimum *starts,
                            ArcNearestMinimum *end)
{
    ArcNearestMinimum best = {.distance = INFINITY};
    for (int i = 0; i < n_starts && best.distance > ARC_REACH_TOLERANCE; i++) {
        ArcNearestMinimum minimum = starts[i];
        settle(nearest, &minimum);
        if (minimum.distance < best.distance)
            best = minimum;
    }
    if (end != NULL)
        *end = best;
    return best.distance;
}

void arc_nearest_sensitivities(ArcNearest *nearest, const ArcNearestMinimum *minimum,
                               double by[ARC_N_REACH_LIMITS][ARC_ARM_MAX_JOINTS])
{
    int J = nearest->J, held[ARC_NEAREST_UNKNOWNS];
    double z[ARC_NEAREST_UNKNOWNS], gradient[ARC_NEAREST_UNKNOWNS];
    ArcMiss miss;
    memset(by, 0, sizeof(double) * ARC_N_REACH_LIMITS * ARC_ARM_MAX_JOINTS);
    memcpy(z, minimum->z, sizeof z);
    double distance = sqrt(2.0 * descend(nearest, z, gradient, held));
    if (!(distance > ARC_REACH_TOLERANCE) || !arc_nearest_miss(nearest, z, &miss))
        return;
    for (int j = 0; j < J; j++) {
        int length = nearest->arm->length + j;
        for (int k = 0; k < miss.m; k++)
            for (int c = 0; c < nearest->d; c++)
                by[ARC_REACH_LENGTH][j] += miss.r[k] / distance *
                                           (miss.by_x[k][c] * miss.point.x_p[c][length] +
                                            miss.by_v[k][c] * miss.point.v_p[c][length]);
        by[ARC_REACH_LOW][j] = held[j] < 0 ? gradient[j] / distance : 0.0;
        by[ARC_REACH_HIGH][j] = held[j] > 0 ? gradient[j] / distance : 0.0;
        by[ARC_REACH_RATE][j] = held[J + j] != 0 ? held[J + j] * gradient[J + j] / distance : 0.0;
    }
}

double *arc_nearest_limit(ArcNearest *nearest, ArcReachLimit limit, int joint)
{
    switch (limit) {
    case ARC_REACH_LENGTH:
        return &nearest->p[nearest->arm->length + joint];
    case ARC_REACH_LOW:
        return &nearest->low[joint];
    case ARC_REACH_HIGH:
        return &nearest->high[joint];
    default:
        return &nearest->rate[joint];
    }
}
