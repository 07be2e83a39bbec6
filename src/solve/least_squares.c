/* The Gauss-Newton / Levenberg-Marquardt iteration. */
#include "solve/least_squares.h"

#include "solve/damped.h"
#include "solve/eliminate.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_HALVINGS = 40, MAX_DAMPINGS = 40 };
static const double first_lambda = 1e-4;
static const double least_lambda = 1e-14;
/* A decrease below this share of the cost may drown in rounding. */
static const double negligible_change = 3e-8;
static const double rounding_share = 1e-11;

struct ArcLeastSquares {
    ArcObjective objective;
    ArcLeastSquaresSettings settings;
    ArcElimination elimination;
    ArcDampedWork *damped;
    bool direct_solve; /* the damped step is solved on J itself: wide and nothing to eliminate */
    double *low, *high, *step_low, *step_high;
    double *r, *r_new, *J, *J_new, *z_new;
    double *D, *d, *step, *image;
    double image_norm;     /* |J d| */
    double full_step_norm; /* of the last step taken whole and undamped; else infinite */
    bool keeps_factor;     /* the next step changes J too little for another factorisation */
    double lambda, growth;
    double cost;
    double polished_norm; /* image_norm of the last step that was taken below rounding */
};

ArcLeastSquaresSettings arc_least_squares_settings_default(void)
{
    return (ArcLeastSquaresSettings){.max_iterations = 100,
                                     .truncation = 1e-13,
                                     .tolerance = 1e-4,
                                     .relative_tolerance = 1e-10,
                                     .lambda = 0.0};
}

ArcStatus arc_least_squares_create(const ArcObjective *objective,
                                   const ArcLeastSquaresSettings *settings, const double *low,
                                   const double *high, ArcArena *arena, ArcLeastSquares **solver,
                                   ArcError *err)
{
    ArcLeastSquares *s = ARC_ALLOC(arena, 1, ArcLeastSquares);
    if (s == NULL)
        return arc_error_no_memory(err);
    size_t m = (size_t)objective->m, n = (size_t)objective->n_outer;
    size_t all = n + (size_t)objective->n_inner;
    s->objective = *objective;
    s->settings = *settings;
    s->direct_solve =
        settings->n_uniform > 0 && objective->n_inner == 0 && objective->m < objective->n_outer;
    s->low = ARC_ALLOC(arena, 4 * n + 1, double);
    /* What is swapped is aligned alike, since some kernels sum in an order that depends on it. */
    s->r = ARC_ALLOC(arena, m, double);
    s->r_new = ARC_ALLOC(arena, m, double);
    s->J = ARC_ALLOC(arena, m * all, double);
    s->J_new = ARC_ALLOC(arena, m * all, double);
    s->z_new = ARC_ALLOC(arena, 2 * all, double);
    s->D = ARC_ALLOC(arena, 2 * n, double);
    s->image = ARC_ALLOC(arena, m > n ? m : n, double);
    if (s->low == NULL || s->r == NULL || s->r_new == NULL || s->J == NULL || s->J_new == NULL ||
        s->z_new == NULL || s->D == NULL || s->image == NULL)
        return arc_error_no_memory(err);
    s->high = s->low + n;
    s->step_low = s->high + n;
    s->step_high = s->step_low + n;
    s->step = s->z_new + all;
    s->d = s->D + n;
    for (size_t j = 0; j < n; j++) {
        s->low[j] = low != NULL ? low[j] : -INFINITY;
        s->high[j] = high != NULL ? high[j] : INFINITY;
    }
    int q = s->direct_solve ? objective->m : objective->n_outer;
    ArcStatus status = arc_damped_create(q, objective->n_outer, arena, &s->damped, err);
    if (status == ARC_OK && !s->direct_solve)
        status = arc_elimination_create(objective->m, objective->n_inner, objective->n_outer, arena,
                                        &s->elimination, err);
    if (status == ARC_OK)
        *solver = s;
    return status;
}

const double *arc_least_squares_factor(const ArcLeastSquares *solver)
{
    return solver->elimination.T;
}

static double half_square(int n, const double *r)
{
    return 0.5 * cblas_ddot(n, r, 1, r, 1);
}

static ArcDampedProblem damped_problem(const ArcLeastSquares *s)
{
    bool wide = s->direct_solve;
    return (ArcDampedProblem){.q = wide ? s->objective.m : s->objective.n_outer,
                              .n = s->objective.n_outer,
                              .B = wide ? s->J : s->elimination.T,
                              .ld = wide ? s->objective.m : s->objective.n_outer,
                              .c = wide ? s->r : s->elimination.c,
                              .D = s->D,
                              .lambda = s->lambda,
                              .low = s->step_low,
                              .high = s->step_high,
                              .truncation = s->settings.truncation};
}

/* Scales of the damping: each column's largest norm so far (More 1978); the first n_uniform columns
 * share their root mean square, since a scale of its own lets a dead hidden weight run away. */
static void update_scales(ArcLeastSquares *s, bool first)
{
    ArcDampedProblem p = damped_problem(s);
    int n_uniform = s->settings.n_uniform;
    double sum = 0.0;
    for (int j = 0; j < p.n; j++) {
        double norm = cblas_dnrm2(p.q, p.B + (size_t)j * (size_t)p.ld, 1);
        if (j < n_uniform)
            sum += norm * norm;
        else if (first || norm > s->D[j])
            s->D[j] = norm > 0.0 ? norm : (first ? 1.0 : s->D[j]);
    }
    double shared = n_uniform > 0 ? sqrt(sum / n_uniform) : 0.0;
    for (int j = 0; j < n_uniform; j++)
        s->D[j] = shared > 0.0 ? shared : 1.0;
}

/* The step at the present damping into s->step (all unknowns), |J step| into image_norm, the
 * decrease of F that the linear model promises into promised; false where J is not finite. */
static bool solve_step(ArcLeastSquares *s, const double *z, double *promised)
{
    ArcDampedProblem p = damped_problem(s);
    int n_inner = s->objective.n_inner;
    for (int j = 0; j < p.n; j++) {
        s->step_low[j] = fmin(s->low[j] - z[n_inner + j], 0.0);
        s->step_high[j] = fmax(s->high[j] - z[n_inner + j], 0.0);
    }
    if (!arc_damped_solve(s->damped, &p, s->d))
        return false;
    cblas_dgemv(CblasColMajor, CblasNoTrans, p.q, p.n, 1.0, p.B, p.ld, s->d, 1, 0.0, s->image, 1);
    double norm2 = cblas_ddot(p.q, s->image, 1, s->image, 1);
    *promised = -cblas_ddot(p.q, s->image, 1, p.c, 1) - 0.5 * norm2;
    if (n_inner > 0) {
        const double *X = s->elimination.X;
        memcpy(s->step, X + (size_t)n_inner * (size_t)p.n, sizeof(double) * (size_t)n_inner);
        cblas_dgemv(CblasColMajor, CblasNoTrans, n_inner, p.n, -1.0, X, n_inner, s->d, 1, -1.0,
                    s->step, 1);
        *promised += 0.5 * s->elimination.inner_norm2;
        norm2 += s->elimination.inner_norm2;
    }
    memcpy(s->step + n_inner, s->d, sizeof(double) * (size_t)p.n);
    s->image_norm = sqrt(norm2);
    return true;
}

/* z_new = z + share * step; false where the step is below the rounding of every unknown. */
static bool take_step(ArcLeastSquares *s, const double *z, double share)
{
    int n_inner = s->objective.n_inner, all = n_inner + s->objective.n_outer;
    bool moves = false;
    for (int i = 0; i < all; i++) {
        s->z_new[i] = z[i] + share * s->step[i];
        if (fabs(share * s->step[i]) > 2.0 * DBL_EPSILON * fabs(z[i]))
            moves = true;
    }
    for (int j = 0; j < s->objective.n_outer; j++)
        s->z_new[n_inner + j] = fmin(fmax(s->z_new[n_inner + j], s->low[j]), s->high[j]);
    return moves;
}

static bool evaluate_new(ArcLeastSquares *s, ArcLeastSquaresResult *result, double *cost)
{
    result->evaluations++;
    double *J_new = s->keeps_factor ? NULL : s->J_new;
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
    if (!s->keeps_factor) {
        swap = s->J;
        s->J = s->J_new;
        s->J_new = swap;
    }
    memcpy(z, s->z_new, sizeof(double) * (size_t)(s->objective.n_inner + s->objective.n_outer));
    s->cost = cost;
}

static void damp_less(ArcLeastSquares *s, double gain)
{
    double centred = 2.0 * gain - 1.0;
    s->lambda *= fmax(1.0 / 3.0, 1.0 - centred * centred * centred);
    if (s->lambda < least_lambda)
        s->lambda = 0.0;
    s->growth = 2.0;
}

static void damp_more(ArcLeastSquares *s)
{
    s->lambda = s->lambda > 0.0 ? s->lambda * s->growth : first_lambda;
    s->growth *= 2.0;
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

/* Tries steps until one decreases the cost: halved with inner unknowns, damped more without. */
static Search search_step(ArcLeastSquares *s, double *z, double promised, bool last,
                          ArcLeastSquaresResult *result)
{
    bool halve = s->objective.n_inner > 0, near = false;
    double share = 1.0;
    for (int attempt = 0; attempt < (halve ? MAX_HALVINGS : MAX_DAMPINGS); attempt++) {
        bool moves = take_step(s, z, share);
        double cost = INFINITY;
        if (moves && promised >= 0.0 && evaluate_new(s, result, &cost) && cost < s->cost) {
            double gain = promised > 0.0 ? (s->cost - cost) / promised : 1.0;
            accept(s, z, cost);
            s->full_step_norm = attempt == 0 && s->lambda == 0.0 ? s->image_norm : INFINITY;
            if (!halve)
                damp_less(s, gain);
            return SEARCH_ACCEPTED;
        }
        /* Only the first step tells how near the end is; later ones are short by our own doing. */
        if (attempt == 0) {
            double whole = s->lambda > 0.0 ? fmax(promised, single_promise(s)) : promised;
            near = whole <= rounding_share * s->cost;
            if (near && !last && polish(s, z, cost))
                return SEARCH_ACCEPTED;
            if (near && (last || whole <= 0.1 * s->settings.relative_tolerance * s->cost))
                return SEARCH_ROUNDING;
            if (!moves && !near && s->lambda <= first_lambda)
                return SEARCH_STEP;
        }
        if (!moves)
            break;
        s->keeps_factor = false;
        if (halve) {
            share *= 0.5;
        } else {
            damp_more(s);
            if (!solve_step(s, z, &promised))
                break;
        }
    }
    return near ? SEARCH_ROUNDING : SEARCH_STALLED;
}

static bool factorise(ArcLeastSquares *s)
{
    return s->direct_solve ||
           arc_elimination_run(&s->elimination, s->J, s->r, s->settings.truncation);
}

/* One iteration; false when the run is over, with result->stop set. */
static bool iterate(ArcLeastSquares *s, double *z, ArcLeastSquaresResult *result)
{
    const ArcLeastSquaresSettings *settings = &s->settings;
    update_scales(s, result->iterations == 0);
    double promised;
    if (!solve_step(s, z, &promised)) {
        result->stop = ARC_STOP_NON_FINITE;
        return false;
    }
    double enough = fmax(settings->tolerance, settings->relative_tolerance * sqrt(2.0 * s->cost));
    /* Undamped full steps shrink at least as fast as they did last time, so the next one can be
     * foreseen. A heavily damped step is short without being near the end. */
    double shrinkage = s->lambda == 0.0 ? s->image_norm / s->full_step_norm : 0.0;
    bool foreseen = shrinkage > 0.0 && shrinkage < 1.0 && s->image_norm * shrinkage <= enough;
    bool short_enough = s->image_norm <= enough && s->lambda <= first_lambda &&
                        (s->lambda == 0.0 || single_promise(s) <= 0.5 * enough * enough);
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
        if (!s->keeps_factor && !factorise(s)) {
            result->stop = ARC_STOP_NON_FINITE;
            return false;
        }
    }
    result->stop = last || search == SEARCH_ROUNDING ? ARC_STOP_COST
                   : search == SEARCH_STEP           ? ARC_STOP_STEP
                   : search == SEARCH_STALLED        ? ARC_STOP_STALLED
                                                     : ARC_STOP_LIMIT;
    if (settings->progress != NULL && search == SEARCH_ACCEPTED &&
        !settings->progress(settings->progress_context, result->iterations, s->cost,
                            s->image_norm)) {
        result->stop = ARC_STOP_INTERRUPTED;
        return false;
    }
    return search == SEARCH_ACCEPTED && !last;
}

ArcLeastSquaresResult arc_least_squares_run(ArcLeastSquares *s, double *z)
{
    ArcLeastSquaresResult result = {.stop = ARC_STOP_LIMIT};
    s->lambda = s->settings.lambda;
    s->growth = 2.0;
    s->full_step_norm = INFINITY;
    s->keeps_factor = false;
    s->polished_norm = INFINITY;
    memcpy(s->z_new, z, sizeof(double) * (size_t)(s->objective.n_inner + s->objective.n_outer));
    if (!evaluate_new(s, &result, &s->cost)) {
        result.stop = ARC_STOP_NON_FINITE;
        return result;
    }
    accept(s, z, s->cost);
    result.cost = s->cost;
    if (!factorise(s)) {
        result.stop = ARC_STOP_NON_FINITE;
        return result;
    }
    while (result.iterations < s->settings.max_iterations && iterate(s, z, &result))
        ;
    result.cost = s->cost;
    return result;
}
