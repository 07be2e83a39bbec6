/* Profile likelihood: one parameter held at p, all other unknowns fitted again.
 *
 *   rise(p) = 2 (min F at p - F_min),  interval: rise <= 3.841 (Wilks)
 *
 * Where sigma is estimated or the loss is robust the interval ends at the square of Student's t, as
 * the covariance's does; sigma and the loss's degrees of freedom stay the fit's. A robust F is no
 * likelihood: its rise is scaled so that its parabola is the covariance's (V / C of the parameter,
 * V the inverse of F's curvature, C the sandwich; Ronchetti and Heritier, JASA 89 (1994) 897).
 *
 * From the estimate each side is followed by steps that let sqrt(rise), nearly a line, grow by
 * about 0.4, a little past the interval's end, which is then found by the false position method
 * (Illinois). Each fit starts where the two before point to. The parameter is held by bounds that
 * leave it no room, so that the problem stays as it is otherwise.
 */
#include "fit/uncertainty.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 40, MOST_RETRIES = 4, MOST_ROOT_STEPS = 40 };

static const double beyond = 1.2; /* times the root at the interval's end: the curve goes on */
static const double root_step = 0.4;
static const double root_jump = 0.9; /* a step that lets the root grow more is taken again */
static const double root_tolerance = 1e-7;
static const double flat_rise = 1e-4; /* what integration and solver leave of no rise at all */

typedef struct Point {
    double value, rise;
    double *values; /* (n_parameters) */
} Point;

typedef struct Tracer {
    ArcExplorer *explorer;
    ArcArena *arena;
    ArcProblem *problem; /* the copy whose bounds hold the parameter */
    int parameter, k;    /* and its place among the unknowns */
    double low, high;    /* the parameter's bounds */
    double cost;         /* F_min */
    double share;        /* of 2 (F - F_min) that is the rise */
    double end;          /* square root of the rise at an interval's end */
    double step;         /* first one */
    double *slope;       /* (n_parameters) change of all with the parameter, by the covariance */
    double *guess;       /* (n_parameters) */
    int n_fits;
    ArcStatus status;
    ArcError *err;
} Tracer;

/* One side: points from the estimate outwards, and where its interval ends. */
typedef struct Side {
    double direction;
    int n;
    Point points[MOST_STEPS + 1];
    ArcProfileEnd end;
    int outer; /* the first point past the interval's end; 0: none */
    Point last;
} Side;

/* Fits from tracer->guess with the parameter held at value (NaN: free); false where that fails. */
static bool fit_at(Tracer *t, double value, Point *point)
{
    ArcProblem *problem = t->problem;
    ArcStarts *starts = NULL;
    bool held = !isnan(value);
    problem->low[t->k] = held ? value : t->low;
    problem->high[t->k] = held ? value : t->high;
    for (int k = 0; k < problem->n_free; k++) {
        int i = problem->free_parameter[k];
        problem->start[i] = fmin(fmax(t->guess[i], problem->low[k]), problem->high[k]);
    }
    arc_problem_tie(problem, problem->start);
    t->status = arc_refit_run(t->explorer, problem, &starts, t->err);
    t->n_fits++;
    const ArcOutcome *outcome = t->status == ARC_OK ? arc_starts_best(starts) : NULL;
    bool good = outcome != NULL && outcome->T != NULL && outcome->converged;
    if (good) {
        memcpy(point->values, outcome->values, sizeof(double) * (size_t)problem->n_parameters);
        point->value = point->values[t->parameter];
        point->rise = 2.0 * (outcome->cost - t->cost) * t->share;
    }
    arc_starts_free(starts);
    bool goes_on = arc_explorer_tell(t->explorer, "profile", t->n_fits, 0);
    return good && goes_on;
}

static bool is_stopped(const Tracer *t)
{
    return t->status != ARC_OK || t->explorer->interrupted;
}

/* Fits at value, started where the last points of the side point to, else from the last. */
static bool fit_next(Tracer *t, const Side *side, double value, Point *point)
{
    const Point *last = &side->points[side->n - 1];
    size_t n = (size_t)t->problem->n_parameters;
    for (size_t i = 0; i < n; i++) {
        double slope = t->slope[i];
        if (side->n > 1) {
            const Point *before = &side->points[side->n - 2];
            slope = (last->values[i] - before->values[i]) / (last->value - before->value);
        }
        t->guess[i] = last->values[i] + slope * (value - last->value);
    }
    if (fit_at(t, value, point))
        return true;
    if (is_stopped(t))
        return false;
    memcpy(t->guess, last->values, sizeof(double) * n);
    return fit_at(t, value, point);
}

static double root_of(const Point *point)
{
    return sqrt(fmax(point->rise, 0.0));
}

/* The interval's end between the point before `outer` and it. */
static void find_end(Tracer *t, Side *side)
{
    const Point *inner = &side->points[side->outer - 1], *outer = &side->points[side->outer];
    size_t n = (size_t)t->problem->n_parameters;
    double a = inner->value, b = outer->value, value = b;
    double f_a = root_of(inner) - t->end, f_b = root_of(outer) - t->end;
    for (int i = 0, kept = 0; i < MOST_ROOT_STEPS && f_a < 0.0; i++) {
        value = b - f_b * (b - a) / (f_b - f_a);
        double share = (value - inner->value) / (outer->value - inner->value);
        for (size_t k = 0; k < n; k++)
            t->guess[k] = inner->values[k] + share * (outer->values[k] - inner->values[k]);
        if (value == a || value == b || !fit_at(t, value, &side->last))
            break;
        double f = root_of(&side->last) - t->end;
        if (fabs(f) <= root_tolerance)
            break;
        /* An end that stays twice counts half, so that the other one moves too. */
        if (f > 0.0) {
            b = value;
            f_b = f;
            f_a *= kept == 1 ? 0.5 : 1.0;
            kept = 1;
        } else {
            a = value;
            f_a = f;
            f_b *= kept == -1 ? 0.5 : 1.0;
            kept = -1;
        }
    }
    side->last.value = value;
    side->last.rise = t->end * t->end;
}

/* How a side ends that came to the end of the parameter's range. */
static ArcProfileEnd end_at_range(const Tracer *t, double range)
{
    const ArcProblem *problem = t->problem;
    int i = t->parameter, of_arm = i - problem->arm_index;
    const ArcParameterInfo *infos =
        problem->equations != NULL ? problem->equations->parameters : problem->flight.parameters;
    const ArcParameterInfo *info = i < problem->t0_index ? &infos[i] : NULL;
    if (problem->has_arm && of_arm >= 0 && of_arm < problem->arm.n_parameters)
        info = &problem->arm.parameters[of_arm];
    bool is_widest = info != NULL && (range == info->low || range == info->high);
    return is_widest ? ARC_PROFILE_END_OPEN : ARC_PROFILE_END_BOUND;
}

static void trace(Tracer *t, Side *side)
{
    double range = side->direction < 0.0 ? t->low : t->high, step = t->step;
    int retries = 0;
    side->end = ARC_PROFILE_END_OPEN;
    while (side->n <= MOST_STEPS && !is_stopped(t)) {
        const Point *last = &side->points[side->n - 1];
        Point *next = &side->points[side->n];
        double value = last->value + side->direction * step;
        if (side->direction * (last->value - range) >= 0.0) {
            if (side->outer == 0)
                side->end = end_at_range(t, range);
            break;
        }
        if (side->direction * (value - range) > 0.0)
            value = range;
        bool good = fit_next(t, side, value, next);
        double growth = good ? root_of(next) - root_of(last) : INFINITY;
        if (growth > root_jump && retries < MOST_RETRIES) {
            retries++;
            step = fabs(value - last->value) * (good ? fmax(root_step / growth, 0.1) : 0.25);
            continue;
        }
        if (!good) {
            if (side->outer == 0)
                side->end = ARC_PROFILE_END_LOST;
            break;
        }
        retries = 0;
        if (root_of(next) >= t->end && side->outer == 0) {
            side->outer = side->n;
            side->end = ARC_PROFILE_END_FOUND;
        }
        side->n++;
        if (root_of(next) >= beyond * t->end)
            break;
        step *= growth > 0.0 ? fmin(fmax(root_step / growth, 0.3), 3.0) : 3.0;
    }
    if (side->outer > 0 && !is_stopped(t))
        find_end(t, side);
}

/* Row k of the covariance, or of the null direction that the parameter is in, as the slope of all
 * with it; and the first step. */
static void settle_slope(Tracer *t)
{
    const ArcProblem *problem = t->problem;
    const ArcFit *fit = t->explorer->fit;
    const ArcEstimate *estimate = &fit->parameters[t->parameter];
    size_t n = (size_t)fit->n_free, k = (size_t)t->k;
    const double *row = fit->covariance + k * n;
    double at = estimate->value, size = fabs(at);
    for (int g = 0; g < fit->n_unidentified; g++)
        if (fabs(fit->null_directions[(size_t)g * n + k]) > fabs(row[k]) || isnan(estimate->sd))
            for (int i = 0; i < fit->unidentified_size[g]; i++)
                if (fit->unidentified[g][i] == t->parameter)
                    row = fit->null_directions + (size_t)g * n;
    for (size_t j = 0; j < n && row[k] != 0.0; j++)
        t->slope[problem->free_parameter[j]] = row[j] / row[k];
    t->step = 0.5 * estimate->sd;
    if (!(t->step > 0.0))
        t->step = size > 0.0 ? 0.1 * size : 0.01 * fmin(t->high - t->low, 1.0);
}

/* The part of a robust F's rise that counts, and where an interval ends. */
static ArcStatus settle_rise(Tracer *t, ArcError *err)
{
    const ArcFit *fit = t->explorer->fit;
    size_t diagonal = (size_t)t->k * ((size_t)fit->n_free + 1);
    bool is_normal = isinf(fit->spread.interval_dof);
    t->end = is_normal ? sqrt(ARC_PROFILE_RISE) : fit->interval_factor;
    t->share = 1.0;
    if (fit->spread.loss.kind == ARC_LOSS_GAUSS)
        return ARC_OK;
    ArcRows *rows;
    ArcStatus status = arc_explorer_rows(t->explorer, t->arena, &rows, err);
    if (status == ARC_OK && rows != NULL)
        t->share = rows->posterior.covariance[diagonal] / fit->covariance[diagonal];
    if (!(t->share > 0.0 && isfinite(t->share)))
        t->share = 1.0;
    return status;
}

/* Both sides and their ends as one curve. */
static ArcStatus fill_curve(const Tracer *t, const Side sides[2], ArcProfile *profile,
                            ArcError *err)
{
    ArcArena *arena = t->explorer->fit->arena;
    size_t n = (size_t)(sides[0].n + sides[1].n) + 1;
    double *value = ARC_ALLOC(arena, n, double), *rise = ARC_ALLOC(arena, n, double);
    if (value == NULL || rise == NULL)
        return arc_error_no_memory(err);
    int count = 0;
    for (int s = 0; s < 2; s++) {
        const Side *side = &sides[s];
        int first = s == 0 ? side->n - 1 : 1, step = s == 0 ? -1 : 1;
        for (int i = first; i >= 0 && i < side->n; i += step) {
            bool before = s == 1 && i == side->outer && side->outer > 0;
            bool after = s == 0 && i == side->outer && side->outer > 0;
            if (before) {
                value[count] = side->last.value;
                rise[count++] = side->last.rise;
            }
            value[count] = side->points[i].value;
            rise[count++] = side->points[i].rise;
            if (after) {
                value[count] = side->last.value;
                rise[count++] = side->last.rise;
            }
        }
    }
    profile->n = count;
    profile->value = value;
    profile->rise = rise;
    return ARC_OK;
}

static void judge(const Side sides[2], ArcProfile *profile)
{
    double highest = 0.0;
    for (int i = 0; i < profile->n; i++) {
        highest = fmax(highest, fabs(profile->rise[i]));
        if (i == 0 || profile->rise[i] < profile->lowest) {
            profile->lowest = profile->rise[i];
            profile->lowest_value = profile->value[i];
        }
    }
    for (int s = 0; s < 2; s++) {
        const Side *side = &sides[s];
        profile->end[s] = side->end;
        profile->interval[s] = side->end == ARC_PROFILE_END_FOUND ? side->last.value
                               : side->end == ARC_PROFILE_END_BOUND
                                   ? side->points[side->n - 1].value
                                   : side->direction * INFINITY;
    }
    bool below = sides[0].end != ARC_PROFILE_END_FOUND;
    bool above = sides[1].end != ARC_PROFILE_END_FOUND;
    profile->kind = !below && !above                        ? ARC_PROFILE_IDENTIFIABLE
                    : below && above && highest < flat_rise ? ARC_PROFILE_FLAT
                    : below && above                        ? ARC_PROFILE_OPEN
                    : below                                 ? ARC_PROFILE_OPEN_BELOW
                                                            : ARC_PROFILE_OPEN_ABOVE;
}

static ArcStatus tracer_create(ArcExplorer *explorer, int parameter, ArcArena *arena, Tracer *t,
                               ArcError *err)
{
    size_t n = (size_t)explorer->problem->n_parameters;
    int k = explorer->problem->free_index[parameter];
    *t = (Tracer){.explorer = explorer,
                  .arena = arena,
                  .parameter = parameter,
                  .k = k,
                  .low = explorer->problem->low[k],
                  .high = explorer->problem->high[k],
                  .err = err};
    t->slope = ARC_ALLOC(arena, n, double);
    t->guess = ARC_ALLOC(arena, n, double);
    if (t->slope == NULL || t->guess == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++)
        t->guess[i] = explorer->fit->parameters[i].value;
    t->problem = arc_refit_problem(explorer, t->guess, arena);
    if (t->problem == NULL)
        return arc_error_no_memory(err);
    settle_slope(t);
    return settle_rise(t, err);
}

/* A side with the estimate as its first point. */
static ArcStatus side_create(const Tracer *t, const Point *estimate, double direction, Side *side,
                             ArcError *err)
{
    size_t n = (size_t)t->problem->n_parameters;
    *side = (Side){.direction = direction, .n = 1};
    double *values = ARC_ALLOC(t->arena, n * (MOST_STEPS + 2), double);
    if (values == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i <= MOST_STEPS; i++)
        side->points[i].values = values + i * n;
    side->last.values = values + (size_t)(MOST_STEPS + 1) * n;
    memcpy(values, estimate->values, sizeof(double) * n);
    side->points[0].value = estimate->value;
    side->points[0].rise = estimate->rise;
    return ARC_OK;
}

ArcStatus arc_profile_run(ArcExplorer *explorer, int parameter, ArcProfile *profile, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    Tracer t;
    Side *sides = ARC_ALLOC(arena, 2, Side);
    Point estimate = {.values = ARC_ALLOC(arena, ARC_MAX_PARAMETERS, double)};
    ArcStatus status = sides == NULL || estimate.values == NULL ? arc_error_no_memory(err) : ARC_OK;
    if (status == ARC_OK)
        status = tracer_create(explorer, parameter, arena, &t, err);
    if (status == ARC_OK) {
        /* The minimum by the same solver, so that nothing but the parameter makes a rise. */
        bool good = fit_at(&t, NAN, &estimate);
        t.cost = good ? 0.5 * estimate.rise / t.share : 0.0;
        estimate.rise = 0.0;
        for (int s = 0; s < 2 && t.status == ARC_OK; s++) {
            status = side_create(&t, &estimate, s == 0 ? -1.0 : 1.0, &sides[s], err);
            if (status != ARC_OK)
                break;
            sides[s].end = ARC_PROFILE_END_LOST;
            if (good)
                trace(&t, &sides[s]);
        }
        status = t.status != ARC_OK ? t.status : status;
    }
    if (status == ARC_OK && !explorer->interrupted) {
        profile->parameter = parameter;
        profile->n_fits = t.n_fits;
        status = fill_curve(&t, sides, profile, err);
        judge(sides, profile);
    }
    arc_arena_free(arena);
    return status;
}
