/* The release of a swing: where its motion meets the flight followed backwards.
 *
 * t0 is where the ball of a motion from the swing alone is nearest to the flight, in place and
 * velocity; motion and torques are then found again, with the flight's beginning as their end.
 */
#include "fit/start_swing.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { DEPARTURE_TERMS = 4, RELEASE_TIMES = 200, J_MAX = ARC_ARM_MAX_JOINTS };
static const double meeting_s = 0.02; /* a velocity off counts as the place it leads to by then */
/* Of the measured rows' span: how far before and behind the last one the release may be. */
static const double early_share = 0.05, late_share = 0.1;

/* The flight about its first points: a cubic of time for each axis. */
typedef struct Departure {
    int n_terms;
    double begin_s, span_s;
    double c[3][DEPARTURE_TERMS];
} Departure;

static ArcStatus find_departure(const ArcProblem *problem, ArcArena *arena, Departure *departure,
                                ArcError *err)
{
    int n = problem->n_times;
    double *A = ARC_ALLOC(arena, (size_t)n * DEPARTURE_TERMS, double);
    double *b = ARC_ALLOC(arena, (size_t)n, double);
    if (A == NULL || b == NULL)
        return arc_error_no_memory(err);
    *departure = (Departure){.begin_s = problem->time_s[0],
                             .span_s = problem->time_s[n - 1] - problem->time_s[0]};
    int terms = n > DEPARTURE_TERMS ? DEPARTURE_TERMS : n > 3 ? 3 : 0;
    if (problem->view != NULL || !(departure->span_s > 0.0))
        return ARC_OK;
    for (int axis = 0; axis < problem->d; axis++) {
        int rows = 0;
        for (int i = 0; i < problem->n_observations; i++) {
            const ArcObservation *o = &problem->observations[i];
            double tau = (problem->time_s[o->time] - departure->begin_s) / departure->span_s;
            if (o->axis != axis)
                continue;
            for (int k = 0; k < terms; k++)
                A[rows + k * n] = pow(tau, k);
            b[rows++] = o->value;
        }
        if (rows <= terms || LAPACKE_dgels(LAPACK_COL_MAJOR, 'N', rows, terms, 1, A, n, b, n) != 0)
            return ARC_OK;
        memcpy(departure->c[axis], b, sizeof(double) * (size_t)terms);
    }
    departure->n_terms = terms;
    return ARC_OK;
}

/* Flight at t: by the cubic, else by the release that stands in the starts. */
static void flight_at(const ArcProblem *problem, const Departure *departure, double t_s, double *x,
                      double *v)
{
    const double *release = problem->start + problem->t0_index;
    int d = problem->d;
    double since = t_s - release[0], tau = (t_s - departure->begin_s) / departure->span_s;
    for (int c = 0; c < d; c++) {
        double g = problem->start_acceleration[c], v0 = release[1 + d + c];
        x[c] = release[1 + c] + since * (v0 + 0.5 * since * g);
        v[c] = v0 + since * g;
        if (departure->n_terms == 0)
            continue;
        x[c] = v[c] = 0.0;
        for (int k = departure->n_terms - 1; k >= 0; k--) {
            v[c] = v[c] * tau + x[c];
            x[c] = x[c] * tau + departure->c[c][k];
        }
        v[c] /= departure->span_s;
    }
}

/* How far flight and ball in the hand are apart at t, in place and soon after. */
static double apart_at(const ArcProblem *problem, const ArcSwingPath *path,
                       const Departure *departure, double t_s)
{
    double theta[J_MAX], omega[J_MAX], x[3], v[3], sum = 0.0;
    ArcArmPoint ball;
    arc_swing_path_at(path, problem->arm.settings.n_joints, t_s, theta, omega);
    arc_arm_point(&problem->arm, ARC_ARM_BALL, problem->start + problem->arm_index, theta, omega,
                  &ball);
    flight_at(problem, departure, t_s, x, v);
    for (int c = 0; c < problem->d; c++) {
        double off = x[c] - ball.x_m[c], off_v = (v[c] - ball.v_m_s[c]) * meeting_s;
        sum += off * off + off_v * off_v;
    }
    return sum;
}

/* Whether t0 is to be found; then the times between which it is looked for: with a little room
 * before the swing's last row, up to the first point. */
bool arc_start_seeks_release(const ArcProblem *problem, const ArcProblem *swing, double *low,
                             double *high)
{
    const ArcParameter *t0 = &problem->parameters[problem->t0_index];
    double span = swing->time_s[0] - swing->time_s[swing->n_times - 1];
    if (!t0->is_free || t0->has_start || t0->has_prior || t0->has_reading)
        return false;
    *low = fmax(t0->low, swing->time_s[0] - early_share * span);
    *high = fmin(t0->high, swing->time_s[0] + late_share * span);
    return *high > *low;
}

static void start_release_time(ArcProblem *problem, const ArcProblem *swing,
                               const ArcSwingPath *path, const Departure *departure)
{
    double low, high, least = INFINITY, best = problem->start[problem->t0_index];
    if (!arc_start_seeks_release(problem, swing, &low, &high))
        return;
    for (int i = 0; i <= RELEASE_TIMES; i++) {
        double t = low + (high - low) * i / RELEASE_TIMES;
        double apart = apart_at(problem, path, departure, t);
        if (apart < least) {
            least = apart;
            best = t;
        }
    }
    problem->start[problem->t0_index] = best;
}

/* Of another pose in place of starts that were given, too. */
ArcStatus arc_start_meeting(ArcProblem *problem, const ArcProblem *swing, const ArcSwingPoses *seen,
                            ArcArena *arena, ArcSwingPath *path, ArcError *err)
{
    Departure departure;
    ArcStatus status = find_departure(problem, arena, &departure, err);
    if (status != ARC_OK)
        return status;
    start_release_time(problem, swing, path, &departure);
    ArcSwingEnd end = {.time_s = problem->start[problem->t0_index]};
    flight_at(problem, &departure, end.time_s, end.x_m, end.v_m_s);
    return arc_start_torques(problem, seen, &end, arena, path, err);
}
