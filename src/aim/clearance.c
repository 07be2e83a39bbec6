/* The room that a throw leaves.
 *
 * On a path that is nearly straight the distance from the rim's circle has at most one minimum on
 * each side of the passage by the axis: one looks for the nearest of times close together on each,
 * goes from there to the minimum along x + v s + a s^2 / 2, and takes the nearer of the two.
 */
#include "aim/clearance.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { POLISHINGS = 8 };

/* Times reach so many times farther than a ball of constant speed needs to come nearest. */
static const double margin = 1.5;

/* A hoop, and the half plane of its axis. */
typedef struct Rim {
    const double *centre_m;
    double radius_m;
    int d, up;
} Rim;

/* A state in the half plane: out from the circle (rho - R), over it, and their rates. */
typedef struct Meridian {
    double out, over, out_t, over_t, out_tt, over_tt;
    double radial[3]; /* e_rho */
} Meridian;

static Meridian meridian_of(const Rim *rim, const double *x, const double *v, const double *a)
{
    Meridian m = {
        .over = x[rim->up] - rim->centre_m[rim->up], .over_t = v[rim->up], .over_tt = a[rim->up]};
    double square = 0.0, along = 0.0, bend = 0.0;
    for (int c = 0; c < rim->d; c++) {
        double o = c == rim->up ? 0.0 : x[c] - rim->centre_m[c];
        square += o * o;
        along += o * v[c];
        bend += c == rim->up ? 0.0 : v[c] * v[c] + o * a[c];
        m.radial[c] = o;
    }
    double rho = fmax(sqrt(square), DBL_MIN);
    for (int c = 0; c < rim->d; c++)
        m.radial[c] /= rho;
    m.out = rho - rim->radius_m;
    m.out_t = along / rho;
    m.out_tt = (bend - m.out_t * m.out_t) / rho;
    return m;
}

static double distance_of(const Meridian *m)
{
    return hypot(m->out, m->over);
}

/* From a state to the nearest time, along its parabola: the time from the state, within reach_s. */
static double go_nearest(const Rim *rim, const double *x, const double *v, const double *a,
                         double reach_s, Meridian *at)
{
    double s = 0.0;
    *at = meridian_of(rim, x, v, a);
    for (int i = 0; i < POLISHINGS; i++) {
        double slope = at->out * at->out_t + at->over * at->over_t;
        double curvature = at->out_t * at->out_t + at->over_t * at->over_t + at->out * at->out_tt +
                           at->over * at->over_tt;
        double by = curvature > 0.0 ? -slope / curvature : slope < 0.0 ? reach_s : -reach_s;
        double next = fmin(fmax(s + by, -reach_s), reach_s), y[3], w[3];
        if (fabs(next - s) <= 1e-15 * reach_s)
            break;
        s = next;
        for (int c = 0; c < rim->d; c++) {
            y[c] = x[c] + s * (v[c] + 0.5 * s * a[c]);
            w[c] = v[c] + s * a[c];
        }
        *at = meridian_of(rim, y, w, a);
    }
    return s;
}

/* The time since the release at which the path comes nearest, NaN where it cannot be followed. */
static double nearest_time(ArcShot *shot, const Rim *rim, const double *values,
                           const ArcShotState *goal)
{
    double times[ARC_SHOT_PATH], least[2] = {INFINITY, INFINITY}, speed = 0.0;
    int at[2] = {-1, -1}, n = ARC_SHOT_PATH;
    ArcShotPath path;
    const Meridian met = meridian_of(rim, goal->x_m, goal->v_m_s, goal->a_m_s2);
    for (int c = 0; c < rim->d; c++)
        speed = hypot(speed, goal->v_m_s[c]);
    /* Nothing on the circle that is nearer than the rim is now lies farther from the ball. */
    double span = margin * (met.out + 2.0 * rim->radius_m + fabs(met.out)) / speed;
    double begin = fmax(goal->t_s - span, 0.0), step = (goal->t_s + span - begin) / (n - 1);
    for (int i = 0; i < n; i++)
        times[i] = begin + step * i;
    if (!arc_shot_path(shot, values, n, times, &path))
        return NAN;
    for (int i = 0; i < n; i++) {
        int row = i * path.D;
        const Meridian m = meridian_of(rim, path.x_m + row, path.v_m_s + row, path.a_m_s2 + row);
        int side = m.out_t > 0.0;
        if (distance_of(&m) < least[side]) {
            least[side] = distance_of(&m);
            at[side] = i;
        }
    }
    double best = INFINITY, time_s = NAN; /* of the nearer minimum */
    for (int side = 0; side < 2; side++) {
        Meridian m;
        int row = at[side] * path.D;
        if (at[side] < 0)
            continue;
        double s = go_nearest(rim, path.x_m + row, path.v_m_s + row, path.a_m_s2 + row, step, &m);
        if (distance_of(&m) < best) {
            best = distance_of(&m);
            time_s = fmax(times[at[side]] + s, 0.0);
        }
    }
    return time_s;
}

static bool of_hoop(ArcShot *shot, const double *values, const ArcShotState *goal, bool partials,
                    double *value, double *by)
{
    const ArcExperiment *experiment = arc_shot_experiment(shot);
    const ArcFlightSettings *flight = &experiment->flight.settings;
    const Rim rim = {experiment->aim.goal.point_m, experiment->aim.goal.radius_m,
                     flight->dimensions, flight->up};
    static const double polish_s = 1e-4;
    ArcShotState at;
    Meridian m;
    double time_s = nearest_time(shot, &rim, values, goal);
    if (!isfinite(time_s) || !arc_shot_at(shot, values, time_s, partials, &at))
        return false;
    double s = time_s > 0.0 ? go_nearest(&rim, at.x_m, at.v_m_s, at.a_m_s2, polish_s, &m) : 0.0;
    if (time_s == 0.0)
        m = meridian_of(&rim, at.x_m, at.v_m_s, at.a_m_s2);
    double along = hypot(m.out_t, m.over_t), w_out = m.over_t / along, w_over = -m.out_t / along;
    /* Where the distance grows from the release on, the rim does not lie across the path. */
    if (time_s == 0.0 && distance_of(&m) > 0.0) {
        double side = w_out * m.out + w_over * m.over > 0.0 ? 1.0 : -1.0;
        w_out = side * m.out / distance_of(&m);
        w_over = side * m.over / distance_of(&m);
    }
    *value = w_out * m.out + w_over * m.over - arc_goal_ball_radius(experiment);
    for (int i = 0; partials && i < experiment->n_parameters; i++) {
        by[i] = 0.0;
        for (int c = 0; c < rim.d; c++)
            by[i] +=
                (c == rim.up ? w_over : w_out * m.radial[c]) * (at.by_x[c][i] + s * at.by_v[c][i]);
    }
    return true;
}

static void of_area(const ArcExperiment *experiment, const ArcShotNumbers *numbers, bool partials,
                    double *value, double *by)
{
    const ArcGoal *goal = &experiment->aim.goal;
    const ArcFlightSettings *flight = &experiment->flight.settings;
    *value = INFINITY;
    for (int c = 0; c < flight->dimensions; c++) {
        double o = numbers->offset_m[c], room = goal->half_m[c] - fabs(o);
        if (!arc_goal_has_axis(goal, flight->up, c) || room >= *value)
            continue;
        *value = room;
        for (int i = 0; partials && i < experiment->n_parameters; i++)
            by[i] = o > 0.0 ? -numbers->by_offset[c][i] : numbers->by_offset[c][i];
    }
}

bool arc_clearance_find(ArcShot *shot, const double *values, const ArcShotNumbers *numbers,
                        bool partials, double *value, double *by)
{
    const ArcExperiment *experiment = arc_shot_experiment(shot);
    switch (experiment->aim.goal.kind) {
    case ARC_GOAL_HOOP:
        return of_hoop(shot, values, &numbers->goal, partials, value, by);
    case ARC_GOAL_AREA:
        of_area(experiment, numbers, partials, value, by);
        return true;
    default:
        *value = NAN;
        if (partials)
            memset(by, 0, sizeof(double) * (size_t)experiment->n_parameters);
        return true;
    }
}
