/* Where a fit of own equations begins: channels made smooth, and the motion that they tell.
 *
 * A channel is made smooth by a natural cubic spline g with the least of
 *   sum ((y_i - g(t_i)) / sigma_i)^2 + (1/alpha) int g''^2
 * (Reinsch, Numer. Math. 10 (1967) 177), alpha such that the sum is the number of points; banded,
 * (R + alpha Q' S Q) b = Q' y, g = y - alpha S Q b, S = diag(sigma^2) (Green and Silverman,
 * Nonparametric Regression (1994), 2.3). Where sigma is to be found it comes from how far points
 * lie off the line through their neighbours (Gasser, Sroka, Jennen-Steinmetz, Biometrika 73 (1986)
 * 625), by their median.
 *
 * States that are observed follow the splines; the others follow their own equations beside them,
 * from their starts, so that all states of the guess fit together.
 */
#include "fit/system.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAND = 3, ROUNDS = 60, GRID = 601, MOST_STATES = ARC_EQUATIONS_MAX_STATES };
static const double normal_quartile = 0.67448975019608174;
/* Of a channel's size: smaller turns may be noise; a simulated guess may be so far off the data. */
static const double turn_share = 0.1, astray_share = 0.25;
static const double guess_tolerance = 1e-6;
/* Of a state's size: beyond it a motion that is guessed has run away. */
static const double runaway = 1e3;

/* Reinsch's matrices of n points: h (n - 1); R (2), Q'SQ (3) by diagonals, column j of (n - 2). */
typedef struct Splines {
    int n;
    double *h, *R, *QSQ, *rhs, *band, *variance, *y;
    ArcSmoothChannel *smooth;
} Splines;

static double inverse(const Splines *s, int i)
{
    return 1.0 / s->h[i];
}

/* Entry of Q: row i (a point), column j (an inner point j + 1). */
static double q_of(const Splines *s, int i, int j)
{
    if (i == j)
        return inverse(s, j);
    if (i == j + 1)
        return -inverse(s, j) - inverse(s, j + 1);
    return i == j + 2 ? inverse(s, j + 1) : 0.0;
}

static void fill_matrices(Splines *s)
{
    int m = s->n - 2;
    for (int j = 0; j < m; j++) {
        s->R[2 * j] = (s->h[j] + s->h[j + 1]) / 3.0;
        s->R[2 * j + 1] = s->h[j + 1] / 6.0;
        s->rhs[j] = 0.0;
        for (int i = j; i <= j + 2; i++)
            s->rhs[j] += q_of(s, i, j) * s->y[i];
        for (int k = 0; k < BAND; k++) {
            s->QSQ[BAND * j + k] = 0.0;
            for (int i = j + k; i <= j + 2 && j + k < m; i++)
                s->QSQ[BAND * j + k] += q_of(s, i, j) * q_of(s, i, j + k) * s->variance[i];
        }
    }
}

/* The spline of this alpha, into smooth; its chi2, NaN where it cannot be had. */
static double spline_of(Splines *s, double alpha)
{
    int m = s->n - 2;
    double *bend = s->smooth->bend, *g = s->smooth->g, chi2 = 0.0;
    for (int j = 0; j < m; j++)
        for (int k = 0; k < BAND; k++)
            s->band[BAND * j + k] = (k < 2 ? s->R[2 * j + k] : 0.0) + alpha * s->QSQ[BAND * j + k];
    memcpy(bend + 1, s->rhs, sizeof(double) * (size_t)m);
    bend[0] = bend[s->n - 1] = 0.0;
    if (LAPACKE_dpbsv_work(LAPACK_COL_MAJOR, 'L', m, BAND - 1, 1, s->band, BAND, bend + 1, m) != 0)
        return NAN;
    for (int i = 0; i < s->n; i++) {
        double off = 0.0;
        for (int j = i - 2; j <= i; j++)
            off += j >= 0 && j < m ? q_of(s, i, j) * bend[j + 1] : 0.0;
        off *= alpha * s->variance[i];
        g[i] = s->y[i] - off;
        chi2 += off * off / s->variance[i];
    }
    return chi2;
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What the variances are to be multiplied by, from points off the line between their neighbours. */
static double variance_factor(Splines *s)
{
    int m = s->n - 2;
    for (int i = 0; i < m; i++) {
        double a = s->h[i + 1] / (s->h[i] + s->h[i + 1]), b = 1.0 - a;
        double off = a * s->y[i] + b * s->y[i + 2] - s->y[i + 1];
        double size = a * a * s->variance[i] + b * b * s->variance[i + 2] + s->variance[i + 1];
        s->band[i] = off * off / size;
    }
    qsort(s->band, (size_t)m, sizeof(double), compare_reals);
    return s->band[m / 2] / (normal_quartile * normal_quartile);
}

/* chi2 grows with alpha, from 0 to that of a straight line. */
static void choose_alpha(Splines *s, double factor)
{
    double n = s->n * factor, low, high;
    double unit = s->h[0] * s->h[0] * s->h[0] / s->variance[0];
    low = log(unit) - 40.0;
    high = log(unit) + 40.0;
    for (int i = 0; i < ROUNDS; i++) {
        double middle = 0.5 * (low + high), chi2 = spline_of(s, exp(middle));
        *(chi2 <= n ? &low : &high) = middle;
    }
    if (isnan(spline_of(s, exp(low))))
        spline_of(s, 0.0);
}

/* The spline of a channel; of fewer than three points what they tell. */
static ArcStatus smooth_channel(const ArcProblem *problem, int channel, ArcSmoothChannel *smooth,
                                ArcArena *scratch, ArcError *err)
{
    size_t n = (size_t)problem->n_observations;
    Splines s = {.smooth = smooth};
    smooth->t_s = ARC_ALLOC(problem->arena, 3 * n, double);
    s.h = ARC_ALLOC(scratch, (5 + 2 + 2 * BAND) * n, double);
    if (smooth->t_s == NULL || s.h == NULL)
        return arc_error_no_memory(err);
    s.variance = s.h + n;
    s.y = s.variance + n;
    s.rhs = s.y + n;
    s.R = s.rhs + n;
    s.QSQ = s.R + 2 * n;
    s.band = s.QSQ + BAND * n;
    smooth->g = smooth->t_s + n;
    smooth->bend = smooth->g + n;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        if (o->axis != channel)
            continue;
        smooth->t_s[s.n] = problem->time_s[o->time];
        smooth->g[s.n] = s.y[s.n] = o->value;
        s.variance[s.n++] = o->sigma * o->sigma;
    }
    smooth->n = s.n;
    for (int i = 0; i + 1 < s.n; i++)
        s.h[i] = smooth->t_s[i + 1] - smooth->t_s[i];
    if (s.n < 3)
        return ARC_OK;
    fill_matrices(&s);
    choose_alpha(&s, problem->sigma_estimated ? variance_factor(&s) : 1.0);
    return ARC_OK;
}

/* g, g', g'' at t; a line beyond the ends. */
static void smooth_at(const ArcSmoothChannel *smooth, double t, double g[3])
{
    int n = smooth->n, i = 0, high = n - 1;
    const double *T = smooth->t_s;
    g[0] = smooth->g[0];
    g[1] = g[2] = 0.0;
    if (n < 2)
        return;
    while (high - i > 1) {
        int middle = (i + high) / 2;
        *(T[middle] <= t ? &i : &high) = middle;
    }
    double h = T[i + 1] - T[i], at = fmin(fmax(t, T[0]), T[n - 1]);
    double b = (at - T[i]) / h, a = 1.0 - b, y0 = smooth->g[i], y1 = smooth->g[i + 1];
    double b0 = smooth->bend[i], b1 = smooth->bend[i + 1];
    g[0] = a * y0 + b * y1 + ((a * a * a - a) * b0 + (b * b * b - b) * b1) * h * h / 6.0;
    g[1] = (y1 - y0) / h + ((1.0 - 3.0 * a * a) * b0 + (3.0 * b * b - 1.0) * b1) * h / 6.0;
    g[2] = a * b0 + b * b1;
    if (t < T[0] || t > T[n - 1]) {
        g[0] += g[1] * (t - at);
        g[2] = 0.0;
    }
}

/* A motion on a grid of equal times from t0 on: states of both orders (GRID, 2 D: x, then x'), and
 * the rates of the latter (GRID, D), of first order x'' is not there. */
typedef struct Path {
    const ArcProblem *problem;
    const ArcSystemPhase *system;
    const double *values;
    double step_s;
    double *z, *f;
} Path;

/* What the splines tell of z = (x, x'), over it; where is_known (D) x'' is f. */
static void follow(const Path *path, double s, double *z, double *f, bool *is_known)
{
    const ArcSystemPhase *system = path->system;
    int D = path->problem->D;
    bool is_first = system->equations->order == 1;
    double t = path->values[path->problem->t0_index] + s, g[3];
    for (int c = 0; c < D; c++) {
        const ArcSmoothChannel *x = &system->smooth[c], *v = &system->smooth[D + c];
        is_known[c] = x->n > 1 || (!is_first && v->n > 1);
        if (x->n > 1) {
            smooth_at(x, t, g);
            z[c] = g[0];
            if (!is_first)
                z[D + c] = g[1];
            f[c] = g[is_first ? 1 : 2];
        } else if (is_known[c]) {
            smooth_at(v, t, g);
            z[D + c] = g[0];
            f[c] = g[1];
        }
    }
}

/* z' at s, of which f are the highest derivatives. */
static void path_rates(const Path *path, double s, double *z, double *f, double *rate)
{
    const ArcEquations *equations = path->system->equations;
    bool is_first = equations->order == 1, is_known[MOST_STATES];
    int D = path->problem->D;
    double own[MOST_STATES], known[MOST_STATES];
    follow(path, s, z, known, is_known);
    arc_equations_rates(equations, 1, &s, z, is_first ? NULL : z + D, path->values, own, NULL, NULL,
                        NULL);
    for (int c = 0; c < D; c++) {
        f[c] = is_known[c] ? known[c] : own[c];
        rate[c] = is_first ? f[c] : z[D + c];
        if (!is_first)
            rate[D + c] = f[c];
    }
}

/* Whether no state has run away from a start of this size. */
static bool is_sound(int n, const double *z)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += 0.0 * z[i];
    return sum == 0.0;
}

/* Runge and Kutta's method along the grid; a motion that runs away stands still instead. */
static void follow_path(Path *path)
{
    static const double shares[] = {0.0, 0.5, 0.5, 1.0}, weights[] = {1.0, 2.0, 2.0, 1.0};
    int D = path->problem->D, n = path->system->equations->order * D;
    double h = path->step_s, rates[4][2 * MOST_STATES], f[MOST_STATES], size[2 * MOST_STATES];
    const double *start = path->values + path->problem->t0_index + 1;
    memcpy(path->z, start, sizeof(double) * (size_t)n);
    for (int c = 0; c < n; c++)
        size[c] = runaway * fmax(1.0, fabs(start[c]));
    for (int i = 0; i < GRID; i++) {
        double *z = path->z + i * 2 * D, at[2 * MOST_STATES];
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < n; c++)
                at[c] = z[c] + (k > 0 ? shares[k] * h * rates[k - 1][c] : 0.0);
            path_rates(path, (i + shares[k]) * h, at, f, rates[k]);
            if (k == 0) {
                memcpy(z, at, sizeof(double) * (size_t)n);
                memcpy(path->f + i * D, f, sizeof(double) * (size_t)D);
            }
        }
        if (i == GRID - 1)
            break;
        double *next = z + 2 * D;
        memcpy(next, z, sizeof(double) * (size_t)n);
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < n; c++)
                next[c] += weights[k] * h / 6.0 * rates[k][c];
        for (int c = 0; c < n; c++)
            if (!is_sound(1, next + c) || fabs(next[c]) > size[c] + 10.0 * fabs(start[c])) {
                next[c] = z[c];
                path->f[i * D + c % D] = 0.0;
            }
    }
    for (int i = 0; i < GRID * D; i++)
        path->f[i] = isfinite(path->f[i]) ? path->f[i] : 0.0;
}

static bool path_create(const ArcProblem *problem, const ArcSystemPhase *system,
                        const double *values, ArcArena *arena, Path *path)
{
    size_t n = (size_t)(GRID * problem->D);
    *path = (Path){.problem = problem, .system = system, .values = values};
    path->step_s = system->span_s / (GRID - 1);
    path->z = ARC_ALLOC(arena, 3 * n, double);
    path->f = path->z + 2 * n;
    return path->z != NULL;
}

/* What is observed at t0, where the experiment does not say. */
static void take_starts(ArcProblem *problem, const ArcSystemPhase *system)
{
    double t0_s = problem->start[problem->t0_index], g[3];
    int D = problem->D;
    for (int channel = 0; channel < problem->n_axes; channel++) {
        int i = problem->t0_index + 1 + channel;
        const ArcSmoothChannel *own = &system->smooth[channel];
        bool is_rate = channel >= D;
        if (problem->parameters[i].has_start || !problem->parameters[i].is_free)
            continue;
        if (own->n > 0) {
            smooth_at(own, t0_s, g);
            problem->start[i] = g[0];
        } else if (is_rate && system->smooth[channel - D].n > 1) {
            smooth_at(&system->smooth[channel - D], t0_s, g);
            problem->start[i] = g[1];
        }
    }
}

/* How often a state of the path turns by more than a share of its size. */
static int count_turns(const Path *path, int c, double size)
{
    int D = path->problem->D, turns = 0;
    double extreme = path->z[c], direction = 0.0;
    for (int i = 1; i < GRID; i++) {
        double value = path->z[i * 2 * D + c], off = value - extreme;
        bool goes_on = direction == 0.0 || off * direction > 0.0;
        if (!goes_on && fabs(off) < turn_share * size)
            continue;
        if (direction == 0.0 && fabs(off) < turn_share * size)
            continue;
        turns += !goes_on;
        direction = off;
        extreme = value;
    }
    return turns;
}

/* Half of what each state ranges over, its largest value where it stands still. */
static void measure_states(const Path *path, ArcSystemPhase *system)
{
    int D = path->problem->D;
    for (int c = 0; c < D; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < GRID; i++) {
            low = fmin(low, path->z[i * 2 * D + c]);
            high = fmax(high, path->z[i * 2 * D + c]);
        }
        double size = 0.5 * (high - low), largest = fmax(fabs(low), fabs(high));
        system->scale[c] = size > 1e-6 * largest ? size : largest > 0.0 ? largest : 1.0;
        int turns = count_turns(path, c, system->scale[c]);
        if (system->smooth[c].n > 0 && turns > system->turns)
            system->turns = turns;
    }
}

ArcStatus arc_start_system(ArcProblem *problem, ArcSystemPhase *system, ArcError *err)
{
    ArcArena *scratch = arc_arena_create();
    ArcStatus status = scratch == NULL ? arc_error_no_memory(err) : ARC_OK;
    for (int c = 0; c < problem->n_axes && status == ARC_OK; c++)
        status = smooth_channel(problem, c, &system->smooth[c], scratch, err);
    Path path;
    if (status == ARC_OK) {
        take_starts(problem, system);
        if (path_create(problem, system, problem->start, scratch, &path)) {
            follow_path(&path);
            measure_states(&path, system);
            system->phase.turns = system->turns;
        } else {
            status = arc_error_no_memory(err);
        }
    }
    arc_arena_free(scratch);
    return status;
}

/* Root mean square of what simulated states (n_times, D) are off the observations, in sigma;
 * infinite where they do not stay with them. */
static double misfit_of(const ArcProblem *problem, const double *x, const double *v)
{
    const ArcSystemPhase *system = arc_system_of(problem);
    bool is_first = system->equations->order == 1;
    int D = problem->D;
    double sum = 0.0;
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        double scale = system->scale[o->axis % D];
        double at = (is_first || o->axis >= D ? v : x)[o->time * D + o->axis % D] * scale;
        double off = fabs(at - o->value);
        if (o->axis < D && !(off <= astray_share * scale + 3.0 * o->sigma))
            return INFINITY;
        sum += off * off / (o->sigma * o->sigma);
    }
    return sqrt(sum / problem->n_observations);
}

/* The motion by these values themselves: *misfit, infinite where it cannot be had. False: no
 * memory. */
static bool simulate(const ArcProblem *problem, const double *values, int n, const double *s,
                     const ArcSimOutput *wanted, ArcArena *arena, double *misfit)
{
    ArcProblem rough = *problem;
    ArcPhaseRunner *runner = NULL;
    size_t seen = (size_t)problem->n_times, D = (size_t)problem->D;
    rough.direct_tolerance = fmax(rough.direct_tolerance, guess_tolerance);
    double *x = ARC_ALLOC(arena, 2 * seen * D, double), *v = x + seen * D;
    double *at = ARC_ALLOC(arena, seen, double);
    if (x == NULL || at == NULL || arc_phase_runner_create(&rough, arena, &runner, NULL) != ARC_OK)
        return false;
    for (size_t i = 0; i < seen; i++)
        at[i] = arc_problem_time(problem, values, (int)i) - values[problem->t0_index];
    const ArcSimOutput observed = {.x = x, .v = v};
    *misfit = arc_phase_run(runner, values, problem->n_times, at, &observed)
                  ? misfit_of(problem, x, v)
                  : INFINITY;
    if (isfinite(*misfit) && !arc_phase_run(runner, values, n, s, wanted))
        *misfit = INFINITY;
    return true;
}

/* The path at s in the phase's coordinates, of which x, v, a (D) may be NULL. */
static void path_at(const Path *path, double s, double *x, double *v, double *a)
{
    int D = path->problem->D;
    bool is_first = path->system->equations->order == 1;
    double at = fmin(fmax(s / path->step_s, 0.0), GRID - 1.0);
    int k = (int)fmin(floor(at), GRID - 2.0);
    double share = at - k;
    const double *z = path->z + k * 2 * D, *f = path->f + k * D;
    for (int c = 0; c < D; c++) {
        double inverse = 1.0 / path->system->scale[c];
        int rate = is_first ? c : D + c;
        if (x != NULL)
            x[c] = is_first ? 0.0 : ((1.0 - share) * z[c] + share * z[2 * D + c]) * inverse;
        if (v != NULL)
            v[c] = ((1.0 - share) * z[rate] + share * z[2 * D + rate]) * inverse;
        if (a != NULL)
            a[c] = ((1.0 - share) * f[c] + share * f[D + c]) * inverse;
    }
}

bool arc_start_system_motion(const ArcProblem *problem, const double *values, int n,
                             const double *s, const ArcSimOutput *motion, double *misfit)
{
    const ArcSystemPhase *system = arc_system_of(problem);
    ArcArena *arena = arc_arena_create();
    int D = problem->D;
    double off = INFINITY;
    Path path;
    bool has_room = arena != NULL && simulate(problem, values, n, s, motion, arena, &off) &&
                    (isfinite(off) || path_create(problem, system, values, arena, &path));
    bool is_path = has_room && !isfinite(off);
    if (is_path)
        follow_path(&path);
    for (int i = 0; is_path && i < n; i++)
        path_at(&path, s[i], motion->x != NULL ? motion->x + i * D : NULL,
                motion->v != NULL ? motion->v + i * D : NULL,
                motion->a != NULL ? motion->a + i * D : NULL);
    arc_arena_free(arena);
    *misfit = off;
    return has_room;
}

bool arc_start_system_guess(const ArcProblem *problem, const double *values, int n, const double *s,
                            double *a)
{
    double misfit;
    return arc_start_system_motion(problem, values, n, s, &(ArcSimOutput){.a = a}, &misfit);
}
