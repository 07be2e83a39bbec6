/* The Gauss-Newton / Levenberg-Marquardt iteration. */
#include "solve/least_squares_work.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_HALVINGS = 40, MAX_DAMPINGS = 40, SHORT_STEPS = 4, CLOSE_ATTEMPTS = 3, ONLY_HALVED = 6 };
static const double first_lambda = 1e-4;
static const double least_lambda = 1e-14;
/* Of the step, along which curvature is differenced; and how much the correction may be. */
static const double geodesic_length = 0.1, geodesic_share = 0.75;
static const double least_dual_lambda = 1e-12, light_lambda = 1e-4, largest_dual_lambda = 1e4;
/* How much a good step lessens the damping at most. With damped unknowns the others take full steps
 * anyway, so that lambda may fall quickly; a slow fall ends in steps that are short by damping. */
static const double relief = 1.0 / 3.0, dual_relief = 0.03;
/* A decrease below this share of the cost may drown in rounding. */
static const double negligible_change = 3e-8;
static const double rounding_share = 1e-11;
/* A correction that leaves more of the cost than this is the last. */
static const double correction_gain = 0.5;

static double half_square(int n, const double *r)
{
    return 0.5 * cblas_ddot(n, r, 1, r, 1);
}

static int count_all(const ArcLeastSquares *s)
{
    return s->objective.n_inner + s->objective.n_damped + s->objective.n_outer;
}

/* Where the outer unknowns begin in z. */
static int outer_offset(const ArcLeastSquares *s)
{
    return s->objective.n_inner + s->objective.n_damped;
}

static ArcDampedProblem damped_problem(const ArcLeastSquares *s)
{
    int p = s->objective.n_outer;
    return (ArcDampedProblem){.q = p,
                              .n = p,
                              .B = s->elimination.T,
                              .ld = p,
                              .c = s->elimination.c,
                              .D = s->D,
                              .lambda = s->objective.n_damped > 0 ? 0.0 : s->lambda,
                              .low = s->step_low,
                              .high = s->step_high,
                              .truncation = s->settings.truncation};
}

/* Scales of the damping: each column's largest norm so far (More 1978). With damped unknowns, whose
 * elimination belongs to one damping, they only scale: the norms of the present columns, so that
 * nothing of the iteration before is needed to go on. */
static void update_scales(ArcLeastSquares *s, bool first)
{
    ArcDampedProblem p = damped_problem(s);
    bool renew = first || s->objective.n_damped > 0;
    for (int j = 0; j < p.n; j++) {
        double norm = cblas_dnrm2(p.q, p.B + (size_t)j * (size_t)p.ld, 1);
        if (renew || norm > s->D[j])
            s->D[j] = norm > 0.0 ? norm : (renew ? 1.0 : s->D[j]);
    }
}

/* The elimination of the problem that the damped unknowns leave to the others, for r or another
 * right side. */
static bool eliminate_whitened(ArcLeastSquares *s, const double *r)
{
    size_t m = (size_t)s->objective.m, n_inner = (size_t)s->objective.n_inner;
    size_t n_outer = (size_t)s->objective.n_outer;
    memcpy(s->white, s->J, sizeof(double) * m * n_inner);
    memcpy(s->white + m * n_inner, s->J + m * (size_t)outer_offset(s),
           sizeof(double) * m * n_outer);
    double *r_white = s->white + m * (n_inner + n_outer);
    memcpy(r_white, r, sizeof(double) * m);
    arc_dual_whiten(&s->dual, (int)(n_inner + n_outer) + 1, s->white);
    return arc_elimination_run(&s->elimination, s->white, r_white, s->settings.truncation);
}

/* The damped, bounded step of the outer unknowns into d and of the inner ones behind it, both into
 * step. */
static bool solve_others(ArcLeastSquares *s, double *step)
{
    ArcDampedProblem p = damped_problem(s);
    int n_inner = s->objective.n_inner;
    if (!arc_damped_solve(s->damped, &p, s->d))
        return false;
    if (n_inner > 0) {
        const double *X = s->elimination.X;
        memcpy(step, X + (size_t)n_inner * (size_t)p.n, sizeof(double) * (size_t)n_inner);
        cblas_dgemv(CblasColMajor, CblasNoTrans, n_inner, p.n, -1.0, X, n_inner, s->d, 1, -1.0,
                    step, 1);
    }
    memcpy(step + outer_offset(s), s->d, sizeof(double) * (size_t)p.n);
    return true;
}

/* The whole step for r or another right side, with the damped unknowns. */
static bool solve_with_damped(ArcLeastSquares *s, const double *r, double *step)
{
    int m = s->objective.m, n_inner = s->objective.n_inner, offset = outer_offset(s);
    double lambda = fmax(s->lambda, least_dual_lambda);
    const double *W = s->J + (size_t)m * (size_t)n_inner;
    if (!arc_dual_factorise(&s->dual, lambda) || !eliminate_whitened(s, r))
        return false;
    /* The others are not damped: their scales serve the pivoting alone, and remember nothing. */
    update_scales(s, true);
    if (!solve_others(s, step))
        return false;
    memcpy(s->rest, r, sizeof(double) * (size_t)m);
    if (n_inner > 0)
        cblas_dgemv(CblasColMajor, CblasNoTrans, m, n_inner, 1.0, s->J, m, step, 1, 1.0, s->rest,
                    1);
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, s->objective.n_outer, 1.0,
                s->J + (size_t)m * (size_t)offset, m, step + offset, 1, 1.0, s->rest, 1);
    arc_dual_answer(&s->dual, W, s->rest, step + n_inner);
    return true;
}

static void bound_step(ArcLeastSquares *s, const double *z)
{
    int offset = outer_offset(s);
    for (int j = 0; j < s->objective.n_outer; j++) {
        s->step_low[j] = fmin(s->low[j] - z[offset + j], 0.0);
        s->step_high[j] = fmax(s->high[j] - z[offset + j], 0.0);
    }
}

/* The step at the present damping into s->step (all unknowns), |J step| into image_norm, the
 * decrease of F that the linear model promises into promised; false where J is not finite. */
static bool solve_step(ArcLeastSquares *s, const double *z, double *promised)
{
    int m = s->objective.m, p = s->objective.n_outer;
    bound_step(s, z);
    if (s->objective.n_damped > 0) {
        if (!solve_with_damped(s, s->r, s->step))
            return false;
        cblas_dgemv(CblasColMajor, CblasNoTrans, m, count_all(s), 1.0, s->J, m, s->step, 1, 0.0,
                    s->image, 1);
        double norm2 = cblas_ddot(m, s->image, 1, s->image, 1);
        *promised = -cblas_ddot(m, s->image, 1, s->r, 1) - 0.5 * norm2;
        s->image_norm = sqrt(norm2);
        return true;
    }
    if (!solve_others(s, s->step))
        return false;
    const ArcElimination *e = &s->elimination;
    cblas_dgemv(CblasColMajor, CblasNoTrans, p, p, 1.0, e->T, p, s->d, 1, 0.0, s->image, 1);
    double norm2 = cblas_ddot(p, s->image, 1, s->image, 1);
    *promised = -cblas_ddot(p, s->image, 1, e->c, 1) - 0.5 * norm2;
    if (s->objective.n_inner > 0) {
        *promised += 0.5 * e->inner_norm2;
        norm2 += e->inner_norm2;
    }
    s->image_norm = sqrt(norm2);
    return true;
}

/* Geodesic acceleration (Transtrum and Sethna, arXiv:1201.5885): with r'' along the step from a
 * difference, half the damped step that answers it is added where it is shorter than the step. */
static void accelerate(ArcLeastSquares *s, const double *z, ArcLeastSquaresResult *result)
{
    size_t first = (size_t)s->objective.n_inner, n = (size_t)s->objective.n_damped;
    size_t all = (size_t)count_all(s);
    for (size_t j = 0; j < all; j++)
        s->z_new[j] = z[j] + geodesic_length * s->step[j];
    result->evaluations++;
    if (!s->objective.evaluate(s->objective.context, s->z_new, s->r_new, NULL))
        return;
    for (int i = 0; i < s->objective.m; i++)
        s->curvature[i] =
            2.0 / geodesic_length * ((s->r_new[i] - s->r[i]) / geodesic_length - s->image[i]);
    if (!solve_with_damped(s, s->curvature, s->acceleration))
        return;
    double velocity = cblas_dnrm2((int)n, s->step + first, 1);
    double acceleration = cblas_dnrm2((int)n, s->acceleration + first, 1);
    if (!(2.0 * acceleration <= geodesic_share * velocity))
        return;
    for (size_t j = 0; j < all; j++)
        s->step[j] += 0.5 * s->acceleration[j];
}

/* z_new = z + share * step; false where the step is below the rounding of every unknown. */
static bool take_step(ArcLeastSquares *s, const double *z, double share)
{
    int offset = outer_offset(s), all = count_all(s);
    bool moves = false;
    for (int i = 0; i < all; i++) {
        s->z_new[i] = z[i] + share * s->step[i];
        if (fabs(share * s->step[i]) > 2.0 * DBL_EPSILON * fabs(z[i]))
            moves = true;
    }
    for (int j = 0; j < s->objective.n_outer; j++)
        s->z_new[offset + j] = fmin(fmax(s->z_new[offset + j], s->low[j]), s->high[j]);
    return moves;
}

static bool evaluate_new(ArcLeastSquares *s, ArcLeastSquaresResult *result, double *cost)
{
    result->evaluations++;
    double *J_new = s->keeps_factor || s->objective.n_damped > 0 ? NULL : s->J_new;
    if (J_new != NULL && s->settings.corrections > 0) { /* most first tries fail: r alone tells */
        if (!s->objective.evaluate(s->objective.context, s->z_new, s->r_new, NULL))
            return false;
        *cost = half_square(s->objective.m, s->r_new);
        if (!(*cost < s->cost))
            return isfinite(*cost);
    }
    if (!s->objective.evaluate(s->objective.context, s->z_new, s->r_new, J_new))
        return false;
    *cost = half_square(s->objective.m, s->r_new);
    return isfinite(*cost);
}

static void accept(ArcLeastSquares *s, double *z, double cost)
{
    double *swap = s->r;
    s->r = s->r_new;
    s->r_new = swap;
    if (!s->keeps_factor && s->objective.n_damped == 0) {
        swap = s->J;
        s->J = s->J_new;
        s->J_new = swap;
    }
    memcpy(z, s->z_new, sizeof(double) * (size_t)count_all(s));
    s->cost = cost;
}

static void damp_less(ArcLeastSquares *s, double gain)
{
    double centred = 2.0 * gain - 1.0;
    double least = s->objective.n_damped > 0 ? dual_relief : relief;
    s->lambda *= fmax(least, 1.0 - centred * centred * centred);
    if (s->lambda < least_lambda)
        s->lambda = 0.0;
    s->growth = 2.0;
}

static void damp_more(ArcLeastSquares *s)
{
    s->lambda = s->lambda > 0.0 ? s->lambda * s->growth : first_lambda;
    s->growth *= 2.0;
    /* Beyond that damped unknowns stand still. What fails yet is the step of the others, which is
     * halved; more damping would only have to be taken back, a third at a time. */
    if (s->objective.n_damped > 0)
        s->lambda = fmin(s->lambda, largest_dual_lambda);
}

/* The decrease that the best single unknown promises, undamped: a damped step promises little far
 * from the end as well, even under a light damping once columns are far shorter than they were. */
static double single_promise(const ArcLeastSquares *s)
{
    ArcDampedProblem p = damped_problem(s);
    double best = 0.0;
    for (int j = 0; j < p.n; j++) {
        const double *column = p.B + (size_t)j * (size_t)p.ld;
        double g = cblas_ddot(p.q, column, 1, p.c, 1);
        double curvature = cblas_ddot(p.q, column, 1, column, 1);
        if (!(curvature > 0.0))
            continue;
        double step = fmin(fmax(-g / curvature, p.low[j]), p.high[j]);
        best = fmax(best, -step * (g + 0.5 * curvature * step));
    }
    return best + (s->objective.n_inner > 0 ? 0.5 * s->elimination.inner_norm2 : 0.0);
}

/* Outcome of looking for a step that decreases the cost. */
typedef enum Search { SEARCH_ACCEPTED, SEARCH_ROUNDING, SEARCH_STALLED, SEARCH_STEP } Search;

/* Where the cost no longer tells better from worse the length of the steps still does: goes on as
 * long as it shrinks. */
static bool polish(ArcLeastSquares *s, double *z, double cost)
{
    if (cost > s->cost * (1.0 + rounding_share) || s->lambda > first_lambda ||
        s->image_norm > 0.9 * s->polished_norm)
        return false;
    s->polished_norm = s->image_norm;
    accept(s, z, cost);
    return true;
}

/* Corrects the inner unknowns of z_new, where r_new stands, as long as each correction lessens the
 * cost enough; true once it is below that of z, with r_new and J_new there. */
static bool correct(ArcLeastSquares *s, double *cost, ArcLeastSquaresResult *result)
{
    const ArcObjective *objective = &s->objective;
    double *y = s->acceleration, before = *cost;
    for (int i = 0; i < s->settings.corrections && isfinite(before); i++) {
        arc_elimination_inner(&s->elimination, s->J, s->r_new, y);
        cblas_daxpy(objective->n_inner, 1.0, y, 1, s->z_new, 1);
        result->evaluations++;
        if (!objective->evaluate(objective->context, s->z_new, s->r_new, NULL))
            return false;
        *cost = half_square(objective->m, s->r_new);
        bool gains = *cost < correction_gain * before;
        if (!gains && *cost < s->cost)
            break;
        if (!gains)
            return false;
        before = *cost;
    }
    return *cost < s->cost && evaluate_new(s, result, cost) && *cost < s->cost;
}

/* Tries steps until one decreases the cost: halved with inner unknowns, damped more where there is
 * something to damp. A step that six halvings do not make good runs along a direction that next to
 * nothing tells; halving it alone would cut what is told with it, so that it is damped as well. */
static Search search_step(ArcLeastSquares *s, double *z, double promised, bool last,
                          ArcLeastSquaresResult *result)
{
    bool halve = s->objective.n_inner + s->objective.n_damped > 0, near = false;
    bool is_close = false; /* what rounding of large output weights leaves of the promise */
    bool damps = s->objective.n_inner == 0 || s->objective.n_damped > 0;
    bool corrects = s->settings.corrections > 0 && s->objective.n_inner > 0;
    /* Before a correction, which is solved for in the same place. */
    double whole = s->lambda > 0.0 ? fmax(promised, single_promise(s)) : promised;
    double share = 1.0;
    for (int attempt = 0; attempt < (halve ? MAX_HALVINGS : MAX_DAMPINGS); attempt++) {
        if (s->objective.n_damped > 0 && s->settings.geodesic)
            accelerate(s, z, result);
        bool moves = take_step(s, z, share);
        double cost = INFINITY;
        bool tried = moves && promised >= 0.0 && evaluate_new(s, result, &cost);
        if (tried && (cost < s->cost || (corrects && correct(s, &cost, result)))) {
            double gain = promised > 0.0 ? (s->cost - cost) / promised : 1.0;
            accept(s, z, cost);
            s->full_step_norm = attempt == 0 && s->lambda == 0.0 ? s->image_norm : INFINITY;
            if (damps || s->lambda > 0.0)
                damp_less(s, gain);
            return SEARCH_ACCEPTED;
        }
        /* Only the first step tells how near the end is; later ones are short by our own doing. */
        if (attempt == 0) {
            bool is_light = s->objective.n_damped == 0 || s->lambda <= light_lambda;
            is_close = s->objective.n_damped > 0 && s->image_norm <= 10.0 * s->settings.tolerance;
            near = is_light && whole <= rounding_share * s->cost;
            if (near && !last && polish(s, z, cost))
                return SEARCH_ACCEPTED;
            if (near && (last || whole <= 0.1 * s->settings.relative_tolerance * s->cost))
                return SEARCH_ROUNDING;
            if (!moves && !near && s->lambda <= first_lambda)
                return SEARCH_STEP;
        }
        if (!moves || (is_close && attempt >= CLOSE_ATTEMPTS))
            break;
        s->keeps_factor = false;
        bool halves = halve || attempt < s->settings.halvings;
        share = halves ? 0.5 * share : 1.0;
        if ((damps && (halve || !halves)) || (!damps && attempt >= ONLY_HALVED)) {
            damp_more(s);
            if (!solve_step(s, z, &promised))
                break;
        }
    }
    return near || is_close ? SEARCH_ROUNDING : SEARCH_STALLED;
}

/* What steps are solved from, at the accepted z. */
static bool factorise(ArcLeastSquares *s, const double *z)
{
    if (s->objective.n_damped == 0)
        return arc_elimination_run(&s->elimination, s->J, s->r, s->settings.truncation);
    if (!s->objective.evaluate(s->objective.context, z, s->r, s->J))
        return false;
    arc_dual_load(&s->dual, s->J + (size_t)s->objective.m * (size_t)s->objective.n_inner);
    return isfinite(s->dual.D2);
}

/* Whether a step is short because the end is near, and not because of its damping. */
static bool is_undamped_short(ArcLeastSquares *s, double promise)
{
    /* Each accepted step is damped less than the one before: short ones in a row tell. */
    if (s->objective.n_damped > 0)
        return s->n_short >= SHORT_STEPS && s->lambda <= light_lambda;
    return s->lambda == 0.0 || (s->lambda <= first_lambda && single_promise(s) <= promise);
}

/* One iteration; false when the run is over, with result->stop set. */
static bool iterate(ArcLeastSquares *s, double *z, ArcLeastSquaresResult *result)
{
    const ArcLeastSquaresSettings *settings = &s->settings;
    if (s->objective.n_damped == 0)
        update_scales(s, result->iterations == 0);
    double promised;
    if (!solve_step(s, z, &promised)) {
        result->stop = ARC_STOP_NON_FINITE;
        return false;
    }
    double enough = fmax(settings->tolerance, settings->relative_tolerance * sqrt(2.0 * s->cost));
    /* Undamped full steps shrink at least as fast as they did last time, so the next one can be
     * foreseen. A heavily damped step is short without being near the end. */
    double shrinkage =
        s->lambda == 0.0 && s->objective.n_damped == 0 ? s->image_norm / s->full_step_norm : 0.0;
    bool foreseen = shrinkage > 0.0 && shrinkage < 1.0 && s->image_norm * shrinkage <= enough;
    s->n_short = s->image_norm <= enough ? s->n_short + 1 : 0;
    bool short_enough = s->image_norm <= enough && is_undamped_short(s, 0.5 * enough * enough);
    bool last = promised >= 0.0 && (short_enough || foreseen);
    /* Over a step J changes by about the shrinkage for each length of the last one. */
    s->keeps_factor = last && foreseen && shrinkage * shrinkage <= negligible_change;
    if (last && s->image_norm == 0.0) {
        result->stop = ARC_STOP_GRADIENT;
        return false;
    }
    Search search = search_step(s, z, promised, last, result);
    if (search == SEARCH_ACCEPTED) {
        result->iterations++;
        if (!s->keeps_factor && !factorise(s, z)) {
            result->stop = ARC_STOP_NON_FINITE;
            return false;
        }
    }
    result->stop = last || search == SEARCH_ROUNDING ? ARC_STOP_COST
                   : search == SEARCH_STEP           ? ARC_STOP_STEP
                   : search == SEARCH_STALLED        ? ARC_STOP_STALLED
                                                     : ARC_STOP_LIMIT;
    if (settings->progress != NULL && search == SEARCH_ACCEPTED &&
        !settings->progress(settings->progress_context, result->iterations, s->cost, s->image_norm,
                            s->r) &&
        !last) {
        result->stop = ARC_STOP_INTERRUPTED;
        return false;
    }
    return search == SEARCH_ACCEPTED && !last;
}

/* r, J and the factor at z; false, with the reason in result->stop, where they cannot be had. */
bool arc_least_squares_look(ArcLeastSquares *s, double *z, ArcLeastSquaresResult *result)
{
    size_t all = (size_t)count_all(s);
    double cost;
    s->keeps_factor = false;
    s->cost = INFINITY;
    memcpy(s->z_new, z, sizeof(double) * all);
    result->stop = ARC_STOP_NON_FINITE;
    if (!evaluate_new(s, result, &cost))
        return false;
    accept(s, z, cost);
    result->cost = s->cost;
    if (!factorise(s, z))
        return false;
    result->stop = ARC_STOP_LIMIT;
    return true;
}

bool arc_least_squares_begin(ArcLeastSquares *s, double *z, ArcLeastSquaresResult *result)
{
    *result = (ArcLeastSquaresResult){0};
    s->lambda = s->settings.lambda;
    s->growth = 2.0;
    s->n_short = 0;
    s->full_step_norm = INFINITY;
    s->polished_norm = INFINITY;
    return arc_least_squares_look(s, z, result);
}

bool arc_least_squares_step(ArcLeastSquares *s, double *z, ArcLeastSquaresResult *result)
{
    if (result->iterations >= s->settings.max_iterations)
        return false;
    bool goes_on = iterate(s, z, result);
    result->cost = s->cost;
    return goes_on;
}

ArcLeastSquaresResult arc_least_squares_run(ArcLeastSquares *s, double *z)
{
    ArcLeastSquaresResult result;
    if (arc_least_squares_begin(s, z, &result))
        while (arc_least_squares_step(s, z, &result))
            ;
    return result;
}

double arc_least_squares_remaining(ArcLeastSquares *s, const double *z)
{
    double lambda = s->lambda, promised;
    s->lambda = 0.0;
    if (s->objective.n_damped == 0)
        update_scales(s, true);
    bool solved = solve_step(s, z, &promised);
    s->lambda = lambda;
    return solved ? s->image_norm : NAN;
}
