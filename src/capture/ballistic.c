/* Gauss-Newton on the flight of some ball, integrated with its partials by classical Runge-Kutta.
 *
 * The partials Y = dx/dp obey Y'' = (da/dv) Y' + da/dp. In every round all residuals r / sigma,
 * weighted by how far off they are, and those of what is known beforehand are solved by QR. A
 * residual beyond `far` errors counts by (far / size)^2 of itself; an error is the median size of
 * the residuals, once enough are left over to tell.
 */
#include "capture/ballistic.h"

#include "capture/stretches.h"

#include "physics/wind.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    M = ARC_BALLISTIC_MOST,
    COLUMNS = M + 1, /* the flight itself, then its partials */
    MOST_POINTS = 768,
    MOST_ROWS = 3 * MOST_POINTS + M,
    ROUNDS = 15,
    STEPS = 24, /* of the integration, over the stretch */
    MOST_STEPS = 4000
};
static const double far = 3.0, settled_sds = 0.02, normal_quartile = 0.67448975019608174;
/* Coordinates left over from which on their own size is taken for an error. */
static const double enough_dof = 6.0;
/* How far lift may change where the speed changes by itself, as a share. */
static const double lift_change = 0.5;

struct ArcBallisticWork {
    double matrix[MOST_ROWS * M], rhs[MOST_ROWS];
    double off[3 * MOST_POINTS], size[3 * MOST_POINTS], weight[3 * MOST_POINTS];
    double x[3 * MOST_POINTS], jacobian[3 * MOST_POINTS * M];
    int axis[3 * MOST_POINTS];
};

ArcBallisticWork *arc_ballistic_work_create(ArcArena *arena)
{
    return ARC_ALLOC(arena, 1, ArcBallisticWork);
}

/* Position and velocity, each with its partials in the columns behind. */
typedef struct State {
    double x[COLUMNS][3], v[COLUMNS][3];
} State;

static int lift_parts(int d)
{
    return d == 2 ? 1 : 3;
}

/* e_c x u; in the plane about the viewer. */
static void turn(int d, int c, const double *u, double *m)
{
    m[0] = m[1] = m[2] = 0.0;
    if (d == 2) {
        m[0] = -u[1];
        m[1] = u[0];
        return;
    }
    m[(c + 2) % 3] = u[(c + 1) % 3];
    m[(c + 1) % 3] = -u[(c + 2) % 3];
}

/* Adds to column c of a the part of it that goes with its velocity. */
static void add_by_velocity(int d, const double by_v[9], const double *v, double *a)
{
    for (int e = 0; e < d; e++)
        for (int c = 0; c < d; c++)
            a[e] += by_v[e * d + c] * v[c];
}

/* Accelerations of all columns; of the first alone where n_columns is 1. */
static void accelerate(const ArcBallistic *fit, const ArcExpectation *expected, double t,
                       const State *state, int n_columns, double a[COLUMNS][3])
{
    int d = fit->d, n_lift = lift_parts(d), drag = 3 * d, lift = drag + 2;
    double u[3] = {0}, speed2 = 0.0, m[3], by_v[9] = {0};
    ArcWindAt wind = {{0}, {0}};
    if (expected->air != NULL)
        wind = arc_wind_at(expected->air, t - expected->first_s, state->x[0]);
    for (int e = 0; e < d; e++) {
        u[e] = state->v[0][e] - wind.velocity_m_s[e];
        speed2 += u[e] * u[e];
    }
    double speed = sqrt(speed2), w = speed / fit->speed_m_s - 1.0;
    double k = fit->p[drag] + fit->p[drag + 1] * w;
    double inverse = speed > 0.0 ? 1.0 / speed : 0.0;
    memset(a, 0, sizeof(double[3]) * (size_t)n_columns);
    for (int e = 0; e < d; e++)
        a[0][e] = fit->p[2 * d + e] - k * speed * u[e];
    for (int c = 0; c < n_lift; c++) {
        turn(d, c, u, m);
        double s = fit->p[lift + c] + fit->p[lift + n_lift + c] * w;
        for (int e = 0; e < d; e++)
            a[0][e] += s * m[e];
    }
    if (n_columns == 1)
        return;
    for (int c = 0; c < d; c++) {
        double along = u[c] * inverse, unit[3] = {c == 0, c == 1, c == 2};
        for (int e = 0; e < d; e++)
            by_v[e * d + c] = -k * (speed * unit[e] + u[e] * along) -
                              fit->p[drag + 1] / fit->speed_m_s * along * speed * u[e];
        for (int i = 0; i < n_lift; i++) {
            double change = fit->p[lift + n_lift + i], by_unit[3];
            turn(d, i, unit, by_unit);
            turn(d, i, u, m);
            for (int e = 0; e < d; e++)
                by_v[e * d + c] += (fit->p[lift + i] + change * w) * by_unit[e] +
                                   change * along / fit->speed_m_s * m[e];
        }
    }
    for (int p = 0; p < fit->m; p++)
        add_by_velocity(d, by_v, state->v[1 + p], a[1 + p]);
    for (int e = 0; e < d; e++) {
        a[1 + 2 * d + e][e] += 1.0;
        a[1 + drag][e] -= speed * u[e];
        a[2 + drag][e] -= w * speed * u[e];
    }
    for (int c = 0; c < n_lift; c++) {
        turn(d, c, u, m);
        for (int e = 0; e < d; e++) {
            a[1 + lift + c][e] += m[e];
            a[1 + lift + n_lift + c][e] += w * m[e];
        }
    }
}

static void add_scaled(State *to, const State *from, double h, double v[COLUMNS][3],
                       double a[COLUMNS][3], int n_columns)
{
    for (int c = 0; c < n_columns; c++)
        for (int e = 0; e < 3; e++) {
            to->x[c][e] = from->x[c][e] + h * v[c][e];
            to->v[c][e] = from->v[c][e] + h * a[c][e];
        }
}

/* One step of classical Runge-Kutta from t to t + h. */
static void step(const ArcBallistic *fit, const ArcExpectation *expected, double t, double h,
                 int n_columns, State *state)
{
    State at[3];
    double a[4][COLUMNS][3], v_mean[COLUMNS][3], a_mean[COLUMNS][3];
    accelerate(fit, expected, t, state, n_columns, a[0]);
    add_scaled(&at[0], state, 0.5 * h, state->v, a[0], n_columns);
    accelerate(fit, expected, t + 0.5 * h, &at[0], n_columns, a[1]);
    add_scaled(&at[1], state, 0.5 * h, at[0].v, a[1], n_columns);
    accelerate(fit, expected, t + 0.5 * h, &at[1], n_columns, a[2]);
    add_scaled(&at[2], state, h, at[1].v, a[2], n_columns);
    accelerate(fit, expected, t + h, &at[2], n_columns, a[3]);
    for (int c = 0; c < n_columns; c++)
        for (int e = 0; e < 3; e++) {
            v_mean[c][e] =
                (state->v[c][e] + 2.0 * (at[0].v[c][e] + at[1].v[c][e]) + at[2].v[c][e]) / 6.0;
            a_mean[c][e] = (a[0][c][e] + 2.0 * (a[1][c][e] + a[2][c][e]) + a[3][c][e]) / 6.0;
        }
    add_scaled(state, state, h, v_mean, a_mean, n_columns);
}

static State initial(const ArcBallistic *fit)
{
    State state = {{{0}}, {{0}}};
    for (int e = 0; e < fit->d; e++) {
        state.x[0][e] = fit->p[e];
        state.v[0][e] = fit->p[fit->d + e];
        state.x[1 + e][e] = 1.0;
        state.v[1 + fit->d + e][e] = 1.0;
    }
    return state;
}

/* Goes from time t to `to`; steps no longer than most_s, and short where drag or lift is strong. */
static void advance(const ArcBallistic *fit, const ArcExpectation *expected, double t, double to,
                    double most_s, int n_columns, State *state)
{
    int d = fit->d;
    double speed = 0.0, rate = 0.0;
    for (int e = 0; e < d; e++)
        speed += state->v[0][e] * state->v[0][e];
    for (int i = 0; i < 2 + lift_parts(d); i++)
        rate += fabs(fit->p[3 * d + i]) * (i < 2 ? sqrt(speed) : 1.0);
    double longest = fmin(most_s, 0.2 / (rate + 1e-9));
    double wanted = ceil(fabs(to - t) / longest);
    int n = wanted < MOST_STEPS ? (int)wanted : MOST_STEPS;
    double h = n > 0 ? (to - t) / n : 0.0;
    for (int i = 0; i < n; i++)
        step(fit, expected, t + i * h, h, n_columns, state);
}

/* Where each of n ascending times finds the flight: forward from the reference, then backward. */
typedef void (*Visit)(void *context, int i, const State *state);

static void visit(const ArcBallistic *fit, const ArcExpectation *expected, int n,
                  const double *time_s, int n_columns, Visit found, void *context)
{
    double span = fmax(time_s[n - 1], fit->time_s) - fmin(time_s[0], fit->time_s);
    int middle = 0;
    while (middle < n && time_s[middle] < fit->time_s)
        middle++;
    for (int side = 0; side < 2; side++) {
        State state = initial(fit);
        double t = fit->time_s;
        int i = side == 0 ? middle : middle - 1;
        for (; i >= 0 && i < n; i += side == 0 ? 1 : -1) {
            advance(fit, expected, t, time_s[i], span / STEPS, n_columns, &state);
            t = time_s[i];
            found(context, i, &state);
        }
    }
}

typedef struct Prediction {
    const ArcBallistic *fit;
    double *x, *v, *sd;
} Prediction;

static void predict(void *context, int i, const State *state)
{
    const Prediction *to = context;
    int d = to->fit->d, m = to->fit->m;
    for (int e = 0; e < d; e++) {
        to->x[i * d + e] = state->x[0][e];
        to->v[i * d + e] = state->v[0][e];
        if (to->sd == NULL)
            continue;
        double variance = 0.0;
        for (int p = 0; p < m; p++)
            for (int q = 0; q < m; q++)
                variance +=
                    state->x[1 + p][e] * to->fit->covariance[p * m + q] * state->x[1 + q][e];
        to->sd[i * d + e] = sqrt(fmax(variance, 0.0));
    }
}

void arc_ballistic_at(const ArcBallistic *fit, const ArcExpectation *expected, int n,
                      const double *time_s, double *x, double *v, double *sd)
{
    Prediction to = {fit, x, v, sd};
    if (n > 0)
        visit(fit, expected, n, time_s, sd == NULL ? 1 : 1 + fit->m, predict, &to);
}

static void keep_jacobian(void *context, int i, const State *state)
{
    const Prediction *to = context;
    int d = to->fit->d, m = to->fit->m;
    for (int e = 0; e < d; e++)
        for (int p = 0; p < m; p++)
            to->x[(i * d + e) * m + p] = state->x[1 + p][e];
}

void arc_ballistic_jacobian(const ArcBallistic *fit, const ArcExpectation *expected, int n,
                            const double *time_s, double *jacobian)
{
    Prediction to = {fit, jacobian, NULL, NULL};
    if (n > 0)
        visit(fit, expected, n, time_s, 1 + fit->m, keep_jacobian, &to);
}

/* The chosen points of a stretch, with their residuals by coordinate. */
typedef struct Stretch {
    const ArcTrack *track;
    const ArcExpectation *expected;
    ArcBallisticWork *work;
    int begin, every, n; /* points begin, begin + every, ..., n of them */
    double time_s[MOST_POINTS];
    int n_coordinates;
} Stretch;

static double position_of(const Stretch *stretch, int i, int e)
{
    int at = stretch->begin + i * stretch->every;
    return stretch->track->position_m[at * stretch->track->d + e];
}

static double sigma_of(const Stretch *stretch, int i, int e)
{
    int at = stretch->begin + i * stretch->every;
    return stretch->track->sigma_m[at * stretch->track->d + e];
}

/* Least squares of terms (2 or 3) powers of s through one axis, weight by weight; false where the
 * points do not give them. */
static bool powers(const Stretch *stretch, int e, int terms, double middle, double g, double *c)
{
    double A[9] = {0}, b[3] = {0};
    int pivots[3];
    for (int i = 0; i < stretch->n; i++) {
        double s = stretch->time_s[i] - middle, x = position_of(stretch, i, e);
        double basis[3] = {1.0, s, s * s}, w = stretch->work->weight[i];
        if (isnan(x))
            continue;
        if (terms == 2)
            x -= 0.5 * g * s * s;
        for (int p = 0; p < terms; p++) {
            b[p] += w * basis[p] * x;
            for (int q = 0; q < terms; q++)
                A[p * terms + q] += w * basis[p] * basis[q];
        }
    }
    c[2] = 0.5 * g;
    if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, terms, 1, A, terms, pivots, b, terms) != 0)
        return false;
    memcpy(c, b, sizeof(double) * (size_t)terms);
    return isfinite(c[0]) && isfinite(c[1]) && isfinite(c[2]);
}

/* Position, velocity and acceleration of one axis in the middle, by the least absolute deviations,
 * nearly, from a parabola; of few points from that under the gravity that is expected. */
static bool begin_axis(const Stretch *stretch, int e, double middle, double c[3])
{
    double *weight = stretch->work->weight, g = stretch->expected->gravity_m_s2[e];
    int n_seen = 0;
    for (int i = 0; i < stretch->n; i++) {
        weight[i] = 1.0;
        n_seen += isfinite(position_of(stretch, i, e));
    }
    if (n_seen < 2)
        return false;
    int terms = n_seen < 5 ? 2 : 3;
    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0.0;
        if (!powers(stretch, e, terms, middle, g, c))
            return false;
        for (int i = 0; i < stretch->n; i++) {
            double s = stretch->time_s[i] - middle, x = position_of(stretch, i, e);
            stretch->work->off[i] = isnan(x) ? 0.0 : fabs(x - (c[0] + s * (c[1] + s * c[2])));
            sum += stretch->work->off[i];
        }
        double least = 0.1 * sum / n_seen + 1e-300;
        for (int i = 0; i < stretch->n; i++)
            weight[i] = 1.0 / fmax(stretch->work->off[i], least);
    }
    return true;
}

typedef struct Round {
    Stretch *stretch;
    const ArcBallistic *fit;
} Round;

/* Residuals in sigma and partials of one point into the work. */
static void keep_row(void *context, int i, const State *state)
{
    Round *round = context;
    Stretch *stretch = round->stretch;
    ArcBallisticWork *work = stretch->work;
    int d = round->fit->d, m = round->fit->m;
    for (int e = 0; e < d; e++) {
        double x = position_of(stretch, i, e), sigma = sigma_of(stretch, i, e);
        if (isnan(x))
            continue;
        int row = stretch->n_coordinates++;
        work->off[row] = (x - state->x[0][e]) / sigma;
        for (int p = 0; p < m; p++)
            work->jacobian[row * M + p] = state->x[1 + p][e] / sigma;
    }
}

/* The size of an error in sigmas, by the median of the residuals and what the unknowns take up. */
static double error_size(ArcBallisticWork *work, int n, double dof)
{
    for (int i = 0; i < n; i++)
        work->size[i] = fabs(work->off[i]);
    return arc_track_median(n, work->size) / normal_quartile * sqrt(n / fmax(dof, 0.1 * n));
}

/* What is known beforehand, a row each: mean and sd of unknown 2 d + i. */
static void prior_of(const ArcBallistic *fit, const ArcExpectation *expected, int i, double *mean,
                     double *sd)
{
    int d = fit->d, n_lift = lift_parts(d);
    *mean = i < d ? expected->gravity_m_s2[i] : i == d ? expected->drag_per_m : 0.0;
    double lift_sd = expected->lift_sd_per_m * fit->speed_m_s;
    if (i < d)
        *sd = expected->gravity_sd_m_s2;
    else if (i == d)
        *sd = expected->drag_sd_per_m;
    else if (i == d + 1)
        *sd = expected->drag_change * (expected->drag_per_m + expected->drag_sd_per_m);
    else
        *sd = i < d + 2 + n_lift ? lift_sd : lift_change * lift_sd;
}

/* One round: solves for the change of p, renews covariance, chi2, dof and factor. False where it
 * cannot. */
static bool solve_round(Stretch *stretch, ArcBallistic *fit, double change[M])
{
    ArcBallisticWork *work = stretch->work;
    int m = fit->m, first = 2 * fit->d;
    Round round = {stretch, fit};
    double error = fit->dof >= enough_dof ? fit->factor : 0.0, blocks[64 * M];
    stretch->n_coordinates = 0;
    visit(fit, stretch->expected, stretch->n, stretch->time_s, 1 + m, keep_row, &round);
    int n = stretch->n_coordinates, rows = n + m - first;
    fit->chi2 = 0.0;
    for (int i = 0; i < n; i++) {
        double off = fabs(work->off[i]), limit = far * fmax(error, 1.0);
        bool is_less = error > 0.0 && off > limit && !stretch->expected->is_plain;
        double root = is_less ? limit / off : 1.0;
        if (!isfinite(off))
            return false;
        fit->chi2 += root * root * off * off;
        work->rhs[i] = root * work->off[i];
        for (int p = 0; p < m; p++)
            work->matrix[i + p * rows] = root * work->jacobian[i * M + p];
    }
    for (int i = 0; i < m - first; i++) {
        double mean, sd;
        prior_of(fit, stretch->expected, i, &mean, &sd);
        for (int p = 0; p < m; p++)
            work->matrix[n + i + p * rows] = p == first + i ? 1.0 / sd : 0.0;
        work->rhs[n + i] = (mean - fit->p[first + i]) / sd;
    }
    if (LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', rows, m, 1, work->matrix, rows, work->rhs, rows,
                           blocks, 64 * M) != 0)
        return false;
    memcpy(change, work->rhs, sizeof(double) * (size_t)m);
    for (int p = 0; p < m; p++)
        memcpy(fit->covariance + p * m, work->matrix + p * rows, sizeof(double) * (size_t)m);
    if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'U', m, fit->covariance, m) != 0)
        return false;
    double taken = m;
    for (int p = 0; p < m; p++) {
        for (int q = 0; q < p; q++)
            fit->covariance[q * m + p] = fit->covariance[p * m + q];
        double mean, sd;
        if (p < first)
            continue;
        prior_of(fit, stretch->expected, p - first, &mean, &sd);
        taken -= fit->covariance[p * m + p] / (sd * sd);
    }
    fit->n_coordinates = n;
    fit->dof = n - taken;
    fit->factor = error_size(work, n, fit->dof);
    return true;
}

bool arc_ballistic_fit(ArcBallisticWork *work, const ArcTrack *track, int begin, int end,
                       const ArcExpectation *expected, ArcBallistic *fit)
{
    int d = track->d, n = end - begin, every = (n + MOST_POINTS - 1) / MOST_POINTS;
    if (n < 2)
        return false;
    Stretch stretch = {.track = track, .expected = expected, .work = work};
    stretch.begin = begin;
    stretch.every = every;
    stretch.n = (n + every - 1) / every;
    for (int i = 0; i < stretch.n; i++)
        stretch.time_s[i] = track->time_s[begin + i * every];
    ArcBallistic made = {.d = d, .m = 3 * d + 2 + 2 * lift_parts(d)};
    made.time_s = 0.5 * (stretch.time_s[0] + stretch.time_s[stretch.n - 1]);
    double g = 0.0, speed = 0.0;
    for (int e = 0; e < d; e++)
        g += expected->gravity_m_s2[e] * expected->gravity_m_s2[e];
    for (int e = 0; e < d; e++) {
        double c[3];
        if (!begin_axis(&stretch, e, made.time_s, c))
            return false;
        made.p[e] = c[0];
        made.p[d + e] = c[1];
        made.p[2 * d + e] =
            expected->gravity_sd_m_s2 < 0.5 * sqrt(g) ? expected->gravity_m_s2[e] : 2.0 * c[2];
        speed += c[1] * c[1];
    }
    made.span_s = stretch.time_s[stretch.n - 1] - stretch.time_s[0];
    made.speed_m_s = fmax(sqrt(speed), 0.25 * sqrt(g) * made.span_s) + 1e-9;
    made.p[3 * d] = expected->drag_per_m;
    for (int round = 0; round < ROUNDS; round++) {
        double change[M], most = 0.0;
        if (!solve_round(&stretch, &made, change))
            return false;
        for (int p = 0; p < made.m; p++) {
            made.p[p] += change[p];
            most = fmax(most, fabs(change[p]) / sqrt(made.covariance[p * made.m + p]));
        }
        if (!isfinite(most))
            return false;
        if (most < settled_sds * fmax(1.0, made.factor) && round > 1) {
            *fit = made;
            return true;
        }
    }
    return false;
}
