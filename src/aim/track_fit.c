/* The tracker's least squares: rows, their compression, the solve and what is known after it. */
#include "aim/track_fit.h"

#include "fit/release.h"
#include "solve/posterior.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    ITERATIONS = 20,
    EVALUATIONS = 60, /* of a frame: the next one is waiting */
    BLOCK = 64,
    FEW = 256, /* points that are all flown for each frame */
    TAIL = 8   /* points that are not frozen with the others */
};

/* In sd of the estimates: what the last step may be long. It is taken, too, and leaves less than
 * its square. */
static const double step_tolerance = 0.03;
/* In sd: so far from where they were linearised frozen points are as good as others. */
static const double linear_share = 0.2;
/* A number moves along a null direction by less than this share of its sd when it does not depend
 * on it (fit/predict.c). */
static const double null_tolerance = 1e-5;
/* Of a release of which nothing is known, so that its direction has one. */
static const double plain_speed_m_s = 1.0;

/* Rows of the used points at the flown states; returns how many there are. */
static int fill_points(ArcTrackFit *fit, bool with_J)
{
    const ArcThrow thrown = {&fit->experiment->flight, fit->experiment->release, fit->trial};
    size_t ld = (size_t)fit->most_rows, Q = (size_t)fit->Q;
    double all[ARC_MAX_PARAMETERS];
    int row = 0;
    for (int k = 0; k < fit->n_used; k++) {
        const ArcTrackPoint *point = &fit->points[fit->used[k]];
        for (int c = 0; c < fit->d; c++) {
            size_t at = (size_t)(k * fit->D + c);
            if (isnan(point->x_m[c]))
                continue;
            double w = 1.0 / point->sigma_m[c];
            fit->rows[(size_t)row + (size_t)fit->n * ld] = w * (fit->x[at] - point->x_m[c]);
            if (with_J) {
                arc_flyer_chain(&thrown, 0, fit->x_q + at * Q, fit->v[at], all);
                for (int j = 0; j < fit->n; j++)
                    fit->rows[(size_t)row + (size_t)j * ld] = w * all[fit->free_parameter[j]];
            }
            row++;
        }
    }
    return row;
}

/* What is in force of linearised points. */
static const ArcTrackBlock *block_of(const ArcTrackFit *fit)
{
    return fit->n_frozen > 0 ? &fit->frozen : &fit->dropped;
}

/* Rows of the priors and of what is linearised, from a row on; returns the row behind. */
static int fill_known(ArcTrackFit *fit, const double *u, int row)
{
    size_t ld = (size_t)fit->most_rows;
    int n = fit->n;
    for (int j = 0; j < n; j++) {
        const ArcParameter *parameter = &fit->experiment->parameters[fit->free_parameter[j]];
        if (!parameter->has_prior)
            continue;
        for (int i = 0; i < n; i++)
            fit->rows[(size_t)row + (size_t)i * ld] = i == j ? 1.0 / parameter->prior_sd : 0.0;
        fit->rows[(size_t)row + (size_t)n * ld] =
            (u[j] - parameter->prior_mean) / parameter->prior_sd;
        row++;
    }
    const ArcTrackBlock *block = block_of(fit);
    for (int i = 0; i < n && block->n_seen > 0; i++, row++) {
        double sum = block->f[i];
        for (int j = 0; j < n; j++) {
            double slope = block->F[i + j * n];
            fit->rows[(size_t)row + (size_t)j * ld] = slope;
            sum += slope * (u[j] - block->u0[j]);
        }
        fit->rows[(size_t)row + (size_t)n * ld] = sum;
    }
    return row;
}

static bool fly(ArcTrackFit *fit, bool partials)
{
    const ArcThrow thrown = {&fit->experiment->flight, fit->experiment->release, fit->trial};
    const ArcSimOutput output = {.x = fit->x, .v = fit->v, .x_q = partials ? fit->x_q : NULL};
    return fit->n_used == 0 ||
           (fit->trial[fit->t0_index] <= fit->times_s[0] &&
            arc_flyer_run(fit->flyer, &thrown, fit->n_used, fit->times_s, &output));
}

/* r (n + 1) and J (n + 1, n) of rows in their place, compressed. */
static bool compress(ArcTrackFit *fit, int m, double *r, double *J)
{
    int n = fit->n, ld = fit->most_rows;
    for (; m < n + 1; m++)
        for (int j = 0; j <= n; j++)
            fit->rows[m + j * ld] = 0.0;
    if (LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, m, n + 1, fit->rows, ld, fit->tau, fit->work,
                            BLOCK * (n + 1)) != 0)
        return false;
    bool finite = true;
    for (int j = 0; j <= n; j++) {
        double *column = j < n ? J + (size_t)j * (size_t)(n + 1) : r;
        for (int i = 0; i <= n; i++) {
            column[i] = i <= j ? fit->rows[i + j * ld] : 0.0;
            finite = finite && isfinite(column[i]);
        }
    }
    return finite;
}

/* The solver's objective: n + 1 rows at u. */
static bool evaluate(void *context, const double *u, double *r, double *J)
{
    ArcTrackFit *fit = context;
    int n = fit->n;
    for (int j = 0; j < n; j++)
        fit->trial[fit->free_parameter[j]] = u[j];
    if (fit->n_evaluations++ >= EVALUATIONS || !fly(fit, J != NULL))
        return false;
    int m = fill_known(fit, u, fill_points(fit, J != NULL));
    if (J != NULL)
        return compress(fit, m, r, J);
    memset(r, 0, sizeof(double) * (size_t)n);
    r[n] = cblas_dnrm2(m, fit->rows + (size_t)n * (size_t)fit->most_rows, 1);
    return isfinite(r[n]);
}

/* Where no bounds are given, those of what makes sense at all, as fits take them (fit/problem.c):
 * but for zero, across which an estimate of nothing may scatter. */
static void list_unknowns(ArcTrackFit *fit)
{
    const ArcExperiment *experiment = fit->experiment;
    const ArcFlight *flight = &experiment->flight;
    for (int i = 0; i < fit->n_values; i++) {
        const ArcParameter *parameter = &experiment->parameters[i];
        double low = parameter->low, high = parameter->high;
        if (i < fit->P) {
            bool is_of_bounce = flight->settings.bounce.is_on && i >= flight->bounce_index;
            const ArcParameterInfo *info = &flight->parameters[i];
            if (isinf(low) && (info->low != 0.0 || is_of_bounce))
                low = info->low;
            if (isinf(high))
                high = info->high;
        }
        fit->values[i] = parameter->start;
        if (!parameter->is_free)
            continue;
        fit->low[fit->n] = low;
        fit->high[fit->n] = high;
        fit->free_parameter[fit->n++] = i;
        fit->n_priors += parameter->has_prior;
    }
}

static ArcStatus reserve(ArcTrackFit *fit, ArcArena *arena, ArcError *err)
{
    size_t n = (size_t)fit->n, most = ARC_TRACK_MOST_FRAMES, D = (size_t)fit->D;
    fit->most_rows = ARC_TRACK_MOST_FRAMES * fit->d + 2 * fit->n + 1;
    fit->points = ARC_ALLOC(arena, most, ArcTrackPoint);
    fit->used = ARC_ALLOC(arena, most, int);
    fit->times_s = ARC_ALLOC(arena, most, double);
    fit->x = ARC_ALLOC(arena, most * D, double);
    fit->v = ARC_ALLOC(arena, most * D, double);
    fit->x_q = ARC_ALLOC(arena, most * D * (size_t)fit->Q, double);
    fit->rows = ARC_ALLOC(arena, (size_t)fit->most_rows * (n + 1), double);
    double *small = ARC_ALLOC(arena, (n + 1) * (6 * n + 10 + BLOCK), double);
    if (fit->points == NULL || fit->used == NULL || fit->times_s == NULL || fit->x == NULL ||
        fit->v == NULL || fit->x_q == NULL || fit->rows == NULL || small == NULL)
        return arc_error_no_memory(err);
    fit->covariance = small;
    fit->null = fit->covariance + n * n;
    fit->dropped.F = fit->null + n * n;
    fit->frozen.F = fit->dropped.F + n * n;
    fit->fold_J = fit->frozen.F + n * n;
    fit->fold_r = fit->fold_J + (n + 1) * n;
    fit->dropped.f = fit->fold_r + n + 1;
    fit->dropped.u0 = fit->dropped.f + n;
    fit->frozen.f = fit->dropped.u0 + n;
    fit->frozen.u0 = fit->frozen.f + n;
    fit->tau = fit->frozen.u0 + n;
    fit->work = fit->tau + n + 1;
    return ARC_OK;
}

ArcStatus arc_track_fit_create(const ArcExperiment *experiment, ArcArena *arena,
                               ArcTrackFit **result, ArcError *err)
{
    const ArcFlight *flight = &experiment->flight;
    ArcTrackFit *fit = ARC_ALLOC(arena, 1, ArcTrackFit);
    if (fit == NULL)
        return arc_error_no_memory(err);
    fit->experiment = experiment;
    fit->d = flight->settings.dimensions;
    fit->up = flight->settings.up;
    fit->P = fit->t0_index = flight->n_parameters;
    fit->D = flight->n_coordinates;
    fit->Q = fit->P + 2 * fit->D;
    fit->n_values = fit->P + 1 + 2 * fit->d;
    list_unknowns(fit);
    memcpy(fit->trial, fit->values, sizeof fit->trial);
    ArcLeastSquaresSettings settings = arc_least_squares_settings_default();
    settings.max_iterations = ITERATIONS;
    settings.tolerance = step_tolerance;
    const ArcObjective objective = {
        .m = fit->n + 1, .n_outer = fit->n, .context = fit, .evaluate = evaluate};
    ArcStatus status = reserve(fit, arena, err);
    if (status == ARC_OK)
        status = arc_flyer_create(flight, experiment->direct_tolerance, arena, &fit->flyer, err);
    if (status == ARC_OK)
        status = arc_least_squares_create(&objective, &settings, fit->low, fit->high, arena,
                                          &fit->solver, err);
    if (status == ARC_OK)
        *result = fit;
    return status;
}

/* The used points from one to another, which are flown; all others that count are in the block. */
static void list_used(ArcTrackFit *fit, int from, int to)
{
    const ArcTrackBlock *block = block_of(fit);
    fit->n_used = 0;
    fit->n_seen = block->n_seen;
    for (int i = from; i < to; i++) {
        const ArcTrackPoint *point = &fit->points[i];
        if (!point->is_used)
            continue;
        fit->used[fit->n_used] = i;
        fit->times_s[fit->n_used++] = point->time_s;
        for (int c = 0; c < fit->d; c++)
            fit->n_seen += !isnan(point->x_m[c]);
    }
    fit->n_all_used = block->n_used + fit->n_used;
}

int arc_track_fit_find(const ArcTrackFit *fit, double time_s)
{
    for (int i = fit->n_points - 1; i >= 0; i--)
        if (fit->points[i].time_s == time_s)
            return i;
    return -1;
}

/* The first points, and those dropped before, as rows about the estimate; priors stay rows of their
 * own. False, block as it was, where they cannot be flown. */
static bool linearise(ArcTrackFit *fit, int n_points, ArcTrackBlock *block)
{
    int n = fit->n, n_last = fit->dropped.n_seen > 0 ? n : 0;
    double u[ARC_MAX_PARAMETERS];
    fit->n_frozen = 0;
    list_used(fit, 0, n_points);
    memcpy(fit->trial, fit->values, sizeof fit->trial);
    for (int j = 0; j < n; j++)
        u[j] = fit->values[fit->free_parameter[j]];
    if (!fit->stands || fit->n_seen == 0 || !fly(fit, true))
        return false;
    int first = fill_points(fit, true), m = fill_known(fit, u, first);
    /* What was dropped before stands behind the priors, whose rows are taken out again. */
    for (int j = 0; j <= n; j++) {
        double *column = fit->rows + (size_t)j * (size_t)fit->most_rows;
        memmove(column + first, column + m - n_last, sizeof(double) * (size_t)n_last);
    }
    if (!compress(fit, first + n_last, fit->fold_r, fit->fold_J))
        return false;
    for (int j = 0; j < n; j++)
        memcpy(block->F + j * n, fit->fold_J + j * (n + 1), sizeof(double) * (size_t)n);
    memcpy(block->f, fit->fold_r, sizeof(double) * (size_t)n);
    memcpy(block->u0, u, sizeof(double) * (size_t)n);
    block->cost = fit->dropped.cost + 0.5 * fit->fold_r[n] * fit->fold_r[n];
    block->n_seen = fit->n_seen;
    block->n_used = fit->n_all_used;
    return true;
}

/* The oldest half goes, all that it tells as rows. */
static void drop_half(ArcTrackFit *fit)
{
    int half = fit->n_points / 2;
    linearise(fit, half, &fit->dropped);
    fit->n_points -= half;
    memmove(fit->points, fit->points + half, sizeof(ArcTrackPoint) * (size_t)fit->n_points);
}

int arc_track_fit_insert(ArcTrackFit *fit, const ArcTrackPoint *point)
{
    if (fit->n_points == ARC_TRACK_MOST_FRAMES)
        drop_half(fit);
    int at = fit->n_points++;
    for (; at > 0 && fit->points[at - 1].time_s > point->time_s; at--)
        fit->points[at] = fit->points[at - 1];
    fit->points[at] = *point;
    if (at < fit->n_frozen)
        fit->n_frozen = 0;
    return at;
}

/* Coordinate c of the first used point that has it, of the last, and their times; false: none. */
static bool ends_of(const ArcTrackFit *fit, int c, double x[2], double time_s[2])
{
    bool found = false;
    for (int k = 0; k < fit->n_used; k++) {
        const ArcTrackPoint *point = &fit->points[fit->used[k]];
        if (isnan(point->x_m[c]))
            continue;
        if (!found) {
            x[0] = point->x_m[c];
            time_s[0] = point->time_s;
        }
        x[1] = point->x_m[c];
        time_s[1] = point->time_s;
        found = true;
    }
    return found;
}

/* Values to begin from: those that the experiment gives, prior means, and of the release what the
 * first and the last point make of it without air. */
static void start(ArcTrackFit *fit)
{
    const ArcParameter *parameters = fit->experiment->parameters;
    const ArcFlightSettings *flight = &fit->experiment->flight.settings;
    double x0[3] = {0}, v0[3] = {0}, given[3], t0 = fit->values[fit->t0_index];
    for (int c = 0; c < fit->d; c++) {
        double x[2], time_s[2], g = c == fit->up ? flight->gravity_m_s2 : 0.0;
        v0[c] = plain_speed_m_s;
        if (!ends_of(fit, c, x, time_s))
            continue;
        double first = time_s[0] - t0, span = time_s[1] - time_s[0];
        v0[c] = span > 0.0 ? (x[1] - x[0]) / span + 0.5 * g * (first + time_s[1] - t0) : v0[c];
        x0[c] = x[0] - v0[c] * first + 0.5 * g * first * first;
    }
    arc_release_from_velocity(fit->experiment->release, fit->d, fit->up, v0, given);
    for (int j = 0; j < fit->n; j++) {
        int i = fit->free_parameter[j], of_release = i - fit->t0_index - 1;
        double value = parameters[i].start;
        if (!parameters[i].has_start && parameters[i].has_prior)
            value = parameters[i].prior_mean;
        else if (i == fit->t0_index && !parameters[i].has_start)
            value = t0;
        else if (!parameters[i].has_start && of_release >= fit->d)
            value = given[of_release - fit->d];
        else if (!parameters[i].has_start && of_release >= 0)
            value = x0[of_release];
        if (i == fit->t0_index && fit->n_used > 0)
            value = fmin(value, fit->times_s[0]);
        fit->values[i] = fmin(fmax(value, fit->low[j]), fit->high[j]);
    }
}

/* Covariance and null directions at the solution. */
static ArcStatus look(ArcTrackFit *fit, ArcError *err)
{
    size_t n = (size_t)fit->n;
    ArcPosterior posterior;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    ArcStatus status =
        arc_posterior_create(fit->n, arc_least_squares_factor(fit->solver), arena, &posterior, err);
    if (status == ARC_OK) {
        memcpy(fit->covariance, posterior.covariance, sizeof(double) * n * n);
        memcpy(fit->identified, posterior.identified, sizeof(bool) * n);
        fit->n_null = posterior.n_null;
        for (size_t k = 0; k < (size_t)posterior.n_null; k++)
            for (size_t j = 0; j < n; j++)
                fit->null[k * n + j] = posterior.null[k * n + j] * posterior.scale[j];
    }
    arc_arena_free(arena);
    return status;
}

/* A polar release that was turned over comes back to a speed above zero and an angle within a
 * quarter turn; not where one of its numbers is fixed, bounded away or has a prior. True where u
 * has changed. */
static bool turn_release(const ArcTrackFit *fit, double *u)
{
    int velocity = fit->t0_index + 1 + fit->d, first = fit->n - fit->d;
    double *values = u + first, v[3], turned[3];
    if (fit->experiment->release != ARC_RELEASE_POLAR || first < 0 ||
        fit->free_parameter[first] != velocity || values[0] >= 0.0)
        return false;
    arc_release_velocity(ARC_RELEASE_POLAR, fit->d, fit->up, values, v, NULL);
    arc_release_from_velocity(ARC_RELEASE_POLAR, fit->d, fit->up, v, turned);
    for (int c = 0; c < fit->d; c++) {
        const ArcParameter *parameter = &fit->experiment->parameters[velocity + c];
        if (parameter->has_prior || turned[c] < parameter->low || turned[c] > parameter->high)
            return false;
    }
    memcpy(values, turned, sizeof(double) * (size_t)fit->d);
    return true;
}

/* Solves over the points that are not frozen, and what stands for those. */
static ArcStatus solve_once(ArcTrackFit *fit, bool is_cold, ArcError *err)
{
    double u[ARC_MAX_PARAMETERS];
    fit->n_evaluations = 0;
    list_used(fit, fit->n_frozen, fit->n_points);
    if (is_cold)
        start(fit);
    memcpy(fit->trial, fit->values, sizeof fit->trial);
    for (int j = 0; j < fit->n; j++)
        u[j] = fit->values[fit->free_parameter[j]];
    ArcLeastSquaresResult result = arc_least_squares_run(fit->solver, u);
    if (turn_release(fit, u)) {
        fit->n_frozen = 0; /* whose rows are linear in the angles as they were */
        list_used(fit, 0, fit->n_points);
        result = arc_least_squares_run(fit->solver, u);
    }
    fit->stands = result.stop != ARC_STOP_NON_FINITE;
    if (!fit->stands)
        return arc_error_set(err, ARC_NUMERIC, "error: the flight cannot be followed");
    for (int j = 0; j < fit->n; j++)
        fit->values[fit->free_parameter[j]] = u[j];
    fit->cost = result.cost + block_of(fit)->cost;
    ArcStatus status = look(fit, err);
    fit->stands = status == ARC_OK;
    return status;
}

/* Whether the estimate has left the place that the frozen points are linear about. */
static bool has_moved(const ArcTrackFit *fit)
{
    for (int j = 0; j < fit->n && fit->n_frozen > 0; j++) {
        double step = fit->values[fit->free_parameter[j]] - fit->frozen.u0[j];
        if (fabs(step) > linear_share * sqrt(fit->covariance[j * (fit->n + 1)]))
            return true;
    }
    return false;
}

ArcStatus arc_track_fit_solve(ArcTrackFit *fit, bool is_cold, ArcError *err)
{
    is_cold = is_cold || !fit->stands;
    if (is_cold || fit->n_points - fit->n_frozen > TAIL + fit->n_points / 16)
        fit->n_frozen = 0;
    ArcStatus status = solve_once(fit, is_cold, err);
    if (status == ARC_OK && has_moved(fit)) {
        fit->n_frozen = 0;
        status = solve_once(fit, false, err);
    }
    if (status == ARC_OK && fit->n_frozen == 0 && fit->n_points > FEW &&
        linearise(fit, fit->n_points - TAIL, &fit->frozen))
        fit->n_frozen = fit->n_points - TAIL;
    list_used(fit, fit->n_frozen, fit->n_points);
    return status;
}

/* A gradient by the free parameters alone. */
static void free_part(const ArcTrackFit *fit, const double *gradient, double *part)
{
    for (int j = 0; j < fit->n; j++)
        part[j] = gradient[fit->free_parameter[j]];
}

double arc_track_fit_covariance(const ArcTrackFit *fit, const double *a, const double *b)
{
    double of_a[ARC_MAX_PARAMETERS], of_b[ARC_MAX_PARAMETERS], sum = 0.0;
    free_part(fit, a, of_a);
    free_part(fit, b, of_b);
    for (int i = 0; i < fit->n; i++)
        sum +=
            of_a[i] * cblas_ddot(fit->n, fit->covariance + (size_t)i * (size_t)fit->n, 1, of_b, 1);
    return sum;
}

double arc_track_fit_sd(const ArcTrackFit *fit, const double *gradient)
{
    double part[ARC_MAX_PARAMETERS], sd = sqrt(arc_track_fit_covariance(fit, gradient, gradient));
    free_part(fit, gradient, part);
    for (int k = 0; k < fit->n_null; k++) {
        const double *direction = fit->null + (size_t)k * (size_t)fit->n;
        if (fabs(cblas_ddot(fit->n, part, 1, direction, 1)) > null_tolerance * sd)
            return NAN;
    }
    return sd;
}

double arc_track_fit_off(ArcTrackFit *fit, const ArcTrackPoint *point, bool foreseen, int *dof)
{
    const ArcThrow thrown = {&fit->experiment->flight, fit->experiment->release, fit->values};
    const ArcSimOutput output = {.x = fit->x, .v = fit->v, .x_q = fit->x_q};
    double by[3][ARC_MAX_PARAMETERS], nu[3], S[9];
    int m = 0;
    *dof = 0;
    if (!fit->stands || !arc_flyer_run(fit->flyer, &thrown, 1, &point->time_s, &output))
        return NAN;
    for (int c = 0; c < fit->d; c++) {
        if (isnan(point->x_m[c]))
            continue;
        arc_flyer_chain(&thrown, 0, fit->x_q + c * fit->Q, fit->v[c], by[m]);
        if (foreseen && isnan(arc_track_fit_sd(fit, by[m])))
            return NAN;
        nu[m] = fit->x[c] - point->x_m[c];
        for (int i = 0; i <= m; i++)
            S[m * 3 + i] = foreseen ? arc_track_fit_covariance(fit, by[m], by[i]) : 0.0;
        S[m * 4] += point->sigma_m[c] * point->sigma_m[c];
        m++;
    }
    *dof = m;
    /* Row-major lower is column-major upper. */
    if (m == 0 || LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', m, S, 3) != 0)
        return NAN;
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, m, S, 3, nu, 1);
    return cblas_ddot(m, nu, 1, nu, 1);
}
