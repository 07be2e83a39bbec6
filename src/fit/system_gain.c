/* What a motion of own equations asks of a net: where it changes fast, and how closely the
 * equations are to be followed.
 *
 * A residual of the equations is to the fit white noise of variance T sigma_phys^2 (its rows are
 * weighed so that their mean square counts, pinn.h), which drives the states off by delta:
 *   W = E delta delta' ,   W' = A W + W A' + T sigma_phys^2 B,   W(0) = 0
 * A = d(rates) / d(states) along the motion, B ones where equations stand. Followed by the
 * trapezoidal rule, which no stiffness upsets. sigma_phys is such that the observations' variances
 * grow by share / n of their own on average, n times: even if all of that looked like one
 * parameter, its variance grew by no more than the share. For a free fall that is a flight's
 * sigma_phys times 3.5 (pinn.h).
 */
#include "fit/system.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { GRID = 401, MOST = 2 * ARC_EQUATIONS_MAX_STATES };
static const double variance_share = 0.01;
/* In sigma: a motion so near to the observations is where the fitted one is. */
static const double near_misfit = 1.5;

/* The motion on a grid of equal times, with its partials; D states, n = D or 2 D numbers. */
typedef struct Motion {
    int D, n;
    double step_s;
    double *s, *x, *v, *a, *a_x, *a_v, *a_p;
} Motion;

static bool motion_create(const ArcProblem *problem, const double *values, ArcArena *arena,
                          Motion *motion)
{
    size_t D = (size_t)problem->D, P = (size_t)problem->P;
    double misfit;
    *motion = (Motion){.D = problem->D, .n = problem->equations->order * problem->D};
    motion->step_s = arc_system_of(problem)->span_s / (GRID - 1);
    motion->s = ARC_ALLOC(arena, GRID * (1 + 3 * D + 2 * D * D + D * P), double);
    if (motion->s == NULL)
        return false;
    motion->x = motion->s + GRID;
    motion->v = motion->x + GRID * D;
    motion->a = motion->v + GRID * D;
    motion->a_x = motion->a + GRID * D;
    motion->a_v = motion->a_x + GRID * D * D;
    motion->a_p = motion->a_v + GRID * D * D;
    for (int i = 0; i < GRID; i++)
        motion->s[i] = i * motion->step_s;
    const ArcSimOutput output = {.x = motion->x, .v = motion->v, .a = motion->a};
    if (!arc_start_system_motion(problem, values, GRID, motion->s, &output, &misfit))
        return false;
    const ArcPhaseStates states = {GRID,      motion->s,   motion->x,   motion->v,
                                   motion->a, motion->a_x, motion->a_v, motion->a_p};
    arc_problem_accelerate(problem, values, &states);
    return true;
}

/* sign h / 2 A + 1 at the i-th time, (n, n) column-major. */
static void fill_step(const Motion *motion, int i, double sign, double *F)
{
    int D = motion->D, n = motion->n, first = n - D;
    double half = 0.5 * sign * motion->step_s;
    memset(F, 0, sizeof(double) * (size_t)(n * n));
    for (int e = 0; e < D; e++) {
        for (int c = 0; c < D; c++) {
            F[first + e + (first + c) * n] = half * motion->a_v[(i * D + e) * D + c];
            if (first > 0)
                F[first + e + c * n] = half * motion->a_x[(i * D + e) * D + c];
        }
        if (first > 0)
            F[e + (first + e) * n] = half;
    }
    for (int e = 0; e < n; e++)
        F[e * (n + 1)] += 1.0;
}

/* W at the next time, of noise of variance 1 a second. False where a step is singular. */
static bool advance(const Motion *motion, int i, double *W)
{
    int n = motion->n, first = n - motion->D, pivot[MOST];
    double E[MOST * MOST], F[MOST * MOST], G[MOST * MOST];
    fill_step(motion, i, 1.0, F);
    fill_step(motion, i + 1, -1.0, E);
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, n, E, n, pivot, F, n) != 0)
        return false;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, F, n, W, n, 0.0, G, n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, 1.0, G, n, F, n, 0.0, W, n);
    for (int e = first; e < n; e++)
        W[e * (n + 1)] += motion->step_s;
    return true;
}

/* Mean over the observations of what such noise adds to their variances, in these. */
static double mean_gain(const ArcProblem *problem, const double *values, const Motion *motion)
{
    const ArcSystemPhase *system = arc_system_of(problem);
    double W[MOST * MOST] = {0}, variances[GRID][MOST] = {{0}}, sum = 0.0;
    int n = motion->n, D = motion->D;
    for (int i = 0; i + 1 < GRID; i++) {
        if (!advance(motion, i, W))
            return NAN;
        for (int c = 0; c < n; c++)
            variances[i + 1][c] = W[c * (n + 1)];
    }
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        double s = arc_problem_time(problem, values, o->time) - values[problem->t0_index];
        int at = (int)fmin(fmax(round(s / motion->step_s), 0.0), GRID - 1.0);
        double in_sigma = system->scale[o->axis % D] / o->sigma;
        sum += variances[at][o->axis] * in_sigma * in_sigma;
    }
    return sum / problem->n_observations;
}

double arc_system_sigma(const ArcProblem *problem, const double *values)
{
    ArcArena *arena = arc_arena_create();
    Motion motion;
    double sigma = NAN;
    if (arena != NULL && motion_create(problem, values, arena, &motion)) {
        double gain = mean_gain(problem, values, &motion);
        double span_s = arc_system_of(problem)->span_s;
        sigma = sqrt(variance_share / (problem->n_times * span_s * gain));
    }
    arc_arena_free(arena);
    return sigma;
}

/* The largest sum of a row of the partials at a state, as a rate. NaN: no memory. */
static double first_rate(const ArcProblem *problem, const double *values, const double *x,
                         const double *v, ArcArena *arena)
{
    int D = problem->D;
    double s = 0.0, a[MOST], rate = 0.0;
    double *a_x = ARC_ALLOC(arena, (size_t)(D * (2 * D + problem->P)), double);
    if (a_x == NULL)
        return NAN;
    const double *a_v = a_x + D * D;
    const ArcPhaseStates states = {1, &s, x, v, a, a_x, a_x + D * D, a_x + 2 * D * D};
    arc_problem_accelerate(problem, values, &states);
    for (int e = 0; e < D; e++) {
        double by_x = 0.0, by_v = 0.0;
        for (int c = 0; c < D; c++) {
            by_x += fabs(a_x[e * D + c]);
            by_v += fabs(a_v[e * D + c]);
        }
        rate = fmax(rate, by_v + sqrt(by_x));
    }
    return rate;
}

/* A state of size one that changes within 1/g has derivatives of the order of powers of g: of the
 * one behind the motion's. */
bool arc_system_detail(const ArcProblem *problem, const double *values, int n, const double *s,
                       ArcDetail *detail)
{
    ArcArena *arena = arc_arena_create();
    size_t states = (size_t)(n * problem->D);
    int D = problem->D;
    double *x = arena != NULL ? ARC_ALLOC(arena, 3 * states, double) : NULL, misfit;
    double *v = x + states, *a = v + states;
    const ArcSimOutput motion = {.x = x, .v = v, .a = a};
    bool has_room = x != NULL && arc_start_system_motion(problem, values, n, s, &motion, &misfit);
    double power = 1.0 / (problem->equations->order + 1.0);
    if (has_room) {
        detail->rate = first_rate(problem, values, x, v, arena);
        detail->is_sharp = misfit < near_misfit;
    }
    for (int i = 0; has_room && i < n; i++) {
        int from = i > 0 ? i - 1 : 0, to = i < n - 1 ? i + 1 : n - 1;
        detail->density[i] = 0.0;
        for (int c = 0; c < D; c++) {
            double slope = (a[to * D + c] - a[from * D + c]) / (s[to] - s[from]);
            detail->density[i] = fmax(detail->density[i], pow(fabs(slope), power));
        }
    }
    arc_arena_free(arena);
    return has_room;
}
