/* The start of a flight seen by cameras: a parabola by linear equations.
 *
 *   X(s) = x0 + v0 s + a s^2 / 2,  rows_i (X(s_i), 1) = 0 for each pixel (camera.h)
 *
 * the cross-multiplied equations of projection, divided by their depth (found in rounds) and sigma;
 * positions in metres have rows of their own. The acceleration is gravity but for what drag may
 * change. One camera alone tells the depth by it, so that it is then gravity itself: the equations
 * hold in the camera's own place, too, and nothing else keeps the flight away from there. Where it
 * comes to lie behind the camera all the same (a short flight tells no depth) it is put into that
 * of some distances which suits the pixels best. Of plane points whose scale or roll is free the
 * parabola's own acceleration is set beside gravity first: size and direction of the two give scale
 * and roll ("gravity as ruler and plumb line").
 *
 * Clocks of cameras that are free, have no start and are clearly apart are looked for first,
 * wherever the cameras' points overlap: there the parabola misses them least.
 *
 * In space the pixels themselves then take off what bias the equations leave (start_pixels.h).
 *
 * Where the loss is a robust one the rows are so too (Huber's loss, reweighted in rounds).
 */
#include "fit/start.h"

#include "fit/loss.h"
#include "fit/release.h"
#include "fit/start_pixels.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 4,
    ROBUST_ROUNDS = 30,
    MOST_UNKNOWNS = 9,
    LEAST_POINTS = 3,
    FEWEST = 6,
    CLOCK_STEPS = 64,
    SECTIONS = 24
};
static const double drag_share = 0.3; /* of gravity, as a standard deviation */
static const double no_share = 1e-6;
static const unsigned all_cameras = ~0u;
static const double prior_sds = 4.0;    /* that a clock is looked for within */
static const double clear_cosine = 0.5; /* of the angle between the points' fall and gravity */
static const double far_sigmas = 20.0, far_share = 8.0; /* off the flight, behind a bounce */
static const double normal_quartile = 0.67448975019608174;
static const double median_share = 0.1;
static const double nearest_m = 0.5, furthest_m = 200.0, anchor_share = 0.01;

/* Two or three rows of one point; its equations at unit depth. */
typedef struct Sighting {
    int time, n;
    double s, sigma;
    double rows[3][4]; /* (n, d + 1) */
    double depth[4];   /* (d + 1); of a position: 0, .., 1 */
} Sighting;

typedef struct Start {
    ArcProblem *problem;
    double span, share; /* of gravity, that the acceleration may be off */
    double anchor_m;    /* depth that the flight's middle is held at; 0: as it comes */
    int n;              /* sightings */
    Sighting *sightings;
    int n_rows, ld;
    double *matrix, *rhs, *off, *size; /* (ld, MOST_UNKNOWNS), (ld) ... */
    double c[MOST_UNKNOWNS];           /* x0, v0 span, a span^2 / 2 */
} Start;

static ArcStatus start_create(ArcProblem *problem, ArcArena *arena, Start *start, ArcError *err)
{
    size_t n = (size_t)problem->n_times, rows = 3 * n + 4;
    *start = (Start){.problem = problem, .ld = (int)rows};
    start->sightings = ARC_ALLOC(arena, n, Sighting);
    start->matrix = ARC_ALLOC(arena, rows * MOST_UNKNOWNS, double);
    start->rhs = ARC_ALLOC(arena, 3 * rows, double);
    if (start->sightings == NULL || start->matrix == NULL || start->rhs == NULL)
        return arc_error_no_memory(err);
    start->off = start->rhs + rows;
    start->size = start->off + rows;
    return ARC_OK;
}

/* Value and sigma of number `axis` of a fitted point; false where it is missing. */
static bool find_number(const ArcProblem *problem, int point, bool is_metres, int axis,
                        double *value, double *sigma)
{
    int at = is_metres ? point * problem->d + axis : point * ARC_VIEW_NUMBERS + axis;
    *value = is_metres ? problem->point_position_m[at] : problem->point_pixel_px[at];
    *sigma = is_metres ? problem->point_sigma_m[at] : problem->point_sigma_px[at];
    return isfinite(*value);
}

/* A measured position is A X / scale. */
static void sight_position(const ArcProblem *problem, int point, const double *theta,
                           Sighting *sighting)
{
    const ArcView *view = problem->view;
    double y[3] = {0}, by_x[9], by_m[3 * ARC_MAX_PARAMETERS], origin[3] = {0};
    const ArcGlance glance = {.point = point,
                              .D = problem->d,
                              .file_s = view->reference_s,
                              .x = origin,
                              .v = origin,
                              .y = y,
                              .by_x = by_x,
                              .by_m = by_m};
    arc_view_look(view, theta, &glance);
    for (int axis = 0; axis < problem->d; axis++) {
        double value, sigma;
        if (!find_number(problem, point, true, axis, &value, &sigma))
            continue;
        double *row = sighting->rows[sighting->n++];
        memcpy(row, by_x + axis * problem->d, sizeof(double) * (size_t)problem->d);
        row[problem->d] = -value;
        sighting->sigma = sigma;
    }
    sighting->depth[problem->d] = 1.0;
}

/* The fitted points of the cameras whose bits are set, as the problem's starts have them. */
static void start_look(Start *start, unsigned cameras)
{
    const ArcProblem *problem = start->problem;
    const ArcView *view = problem->view;
    const double *theta = problem->start + arc_problem_first_measure(problem);
    double t0 = problem->start[problem->t0_index];
    start->n = 0;
    start->span = arc_problem_last_time(problem, problem->start) - t0;
    for (int i = 0; i < problem->n_times; i++) {
        int point = problem->time_point[i], c = view->camera[point];
        if ((cameras >> c & 1u) == 0)
            continue;
        Sighting *sighting = &start->sightings[start->n];
        *sighting = (Sighting){.time = i, .s = arc_problem_time(problem, problem->start, i) - t0};
        if (view->cameras[c].is_metres) {
            sight_position(problem, point, theta, sighting);
        } else {
            double pixel[2], sigma;
            ArcCamera corrected = arc_view_corrected(view, theta, c);
            bool is_whole = find_number(problem, point, false, 0, &pixel[0], &sigma) &&
                            find_number(problem, point, false, 1, &pixel[1], &sigma);
            sighting->sigma = sigma;
            if (is_whole && arc_camera_rows(&corrected, pixel, sighting->rows, sighting->depth))
                sighting->n = 2;
        }
        start->n += sighting->n > 0;
    }
}

/* The parabola at tau = s / span. */
static void position_at(const Start *start, double s, double *x)
{
    int d = start->problem->d;
    double tau = s / start->span;
    for (int c = 0; c < d; c++)
        x[c] = start->c[c] + tau * (start->c[d + c] + tau * start->c[2 * d + c]);
}

/* What a sighting's rows are divided by: its depth at the parabola, which the first round does not
 * know, and sigma. */
static double weight_of(const Start *start, const Sighting *sighting, int round)
{
    int d = start->problem->d;
    double x[3], depth = sighting->depth[d];
    position_at(start, sighting->s, x);
    if (round == 0)
        return 1.0 / sighting->sigma;
    depth += cblas_ddot(d, sighting->depth, 1, x, 1);
    return 1.0 / (fmax(fabs(depth), 1e-3) * sighting->sigma);
}

static int compare_sizes(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median size of the residuals, as a sigma. */
static double typical_off(Start *start)
{
    for (int i = 0; i < start->n_rows; i++)
        start->size[i] = fabs(start->off[i]);
    qsort(start->size, (size_t)start->n_rows, sizeof(double), compare_sizes);
    return start->n_rows > 0 ? start->size[start->n_rows / 2] / normal_quartile : 0.0;
}

/* Adds the row by X and 1 of a point at tau, with its weight. */
static void add_row(Start *start, const double *row, double tau, double weight)
{
    int d = start->problem->d, i = start->n_rows++;
    for (int c = 0; c < d; c++) {
        double value = weight * row[c];
        for (int k = 0; k < 3; k++, value *= tau)
            start->matrix[i + (k * d + c) * start->ld] = value;
    }
    start->rhs[i] = -weight * row[d];
}

/* Holds the middle sighting's depth, as row i. */
static void add_anchor(Start *start, int i)
{
    const Sighting *sighting = &start->sightings[start->n / 2];
    int d = start->problem->d;
    double weight = 1.0 / (anchor_share * start->anchor_m), tau = sighting->s / start->span;
    for (int c = 0; c < d; c++) {
        double value = weight * sighting->depth[c];
        for (int k = 0; k < 3; k++, value *= tau)
            start->matrix[i + (k * d + c) * start->ld] = value;
    }
    start->rhs[i] = weight * (start->anchor_m - sighting->depth[d]);
}

/* One least-squares solution; rows of `gravity` keep the acceleration near it. */
static bool start_round(Start *start, const ArcLoss *loss, int round, bool gravity)
{
    const ArcProblem *problem = start->problem;
    int d = problem->d;
    double work[64 * MOST_UNKNOWNS], unit = fmax(median_share * typical_off(start), 1e-9);
    start->n_rows = 0;
    for (int i = 0; i < start->n; i++) {
        const Sighting *sighting = &start->sightings[i];
        for (int k = 0; k < sighting->n; k++) {
            double pull = 1.0;
            if (round > 0 && loss != NULL)
                pull = arc_loss_weight(loss, start->off[start->n_rows] / unit);
            add_row(start, sighting->rows[k], sighting->s / start->span,
                    weight_of(start, sighting, round) * sqrt(pull));
        }
    }
    int n = start->n_rows, total = n;
    double half = 0.5 * start->span * start->span, size = 1.0;
    for (int c = 0; c < d; c++)
        size = fmax(size, fabs(problem->flight.gravity_m_s2[c]));
    for (int c = 0; gravity && c < d; c++, total++) {
        double weight = 1.0 / (start->share * size * half);
        for (int k = 0; k < 3 * d; k++)
            start->matrix[total + k * start->ld] = k == 2 * d + c ? weight : 0.0;
        start->rhs[total] = weight * problem->flight.gravity_m_s2[c] * half;
    }
    if (start->anchor_m > 0.0)
        add_anchor(start, total++);
    if (total < 3 * d ||
        LAPACKE_dgels_work(LAPACK_COL_MAJOR, 'N', total, 3 * d, 1, start->matrix, start->ld,
                           start->rhs, start->ld, work, 64 * MOST_UNKNOWNS) != 0)
        return false;
    for (int k = 0; k < 3 * d; k++)
        if (!isfinite(start->rhs[k]))
            return false;
    memcpy(start->c, start->rhs, sizeof(double) * (size_t)(3 * d));
    int row = 0;
    for (int i = 0; i < start->n; i++) {
        const Sighting *sighting = &start->sightings[i];
        double x[3], weight = weight_of(start, sighting, 1);
        position_at(start, sighting->s, x);
        for (int k = 0; k < sighting->n; k++)
            start->off[row++] =
                weight * (cblas_ddot(d, sighting->rows[k], 1, x, 1) + sighting->rows[k][d]);
    }
    return true;
}

static bool start_solve(Start *start, bool gravity)
{
    const ArcProblem *problem = start->problem;
    bool robust = problem->loss.kind != ARC_LOSS_GAUSS, found = start->n > 0;
    ArcLoss loss = arc_loss_convex(&problem->loss);
    memset(start->c, 0, sizeof start->c);
    memset(start->off, 0, sizeof(double) * (size_t)start->ld);
    start->n_rows = 0;
    for (int round = 0; found && round < (robust ? ROBUST_ROUNDS : ROUNDS); round++)
        found = start_round(start, robust ? &loss : NULL, round, gravity);
    return found;
}

static bool is_in_front(const Start *start)
{
    int d = start->problem->d;
    for (int i = 0; i < start->n; i++) {
        const Sighting *sighting = &start->sightings[i];
        double x[3];
        position_at(start, sighting->s, x);
        if (sighting->depth[d] + cblas_ddot(d, sighting->depth, 1, x, 1) <= 0.0)
            return false;
    }
    return true;
}

/* A flight in space that has come to lie behind a camera goes to where all see it, if there is such
 * a place; else it stays. */
static void keep_in_front(Start *start)
{
    double kept[MOST_UNKNOWNS], least = INFINITY;
    if (start->problem->d != 3 || is_in_front(start))
        return;
    memcpy(kept, start->c, sizeof kept);
    for (double depth_m = nearest_m; depth_m < furthest_m; depth_m *= 2.0) {
        start->anchor_m = depth_m;
        if (!start_solve(start, true) || !is_in_front(start))
            continue;
        double off = cblas_dnrm2(start->n_rows, start->off, 1);
        if (off < least) {
            least = off;
            memcpy(kept, start->c, sizeof kept);
        }
    }
    start->anchor_m = 0.0;
    memcpy(start->c, kept, sizeof kept);
}

/* Leaves the sightings behind a bounce out: those from where one lies far off what those before it
 * foretell. */
static void stop_at_bounce(Start *start)
{
    int all = start->n, d = start->problem->d;
    for (int n = FEWEST; n < all; n++) {
        const Sighting *next = &start->sightings[n];
        double x[3], off = 0.0;
        start->n = n;
        if (!start_solve(start, true))
            continue;
        double rms = cblas_dnrm2(start->n_rows, start->off, 1) / sqrt(start->n_rows);
        position_at(start, next->s, x);
        for (int k = 0; k < next->n; k++)
            off = fmax(off, weight_of(start, next, 1) *
                                fabs(cblas_ddot(d, next->rows[k], 1, x, 1) + next->rows[k][d]));
        if (off > far_sigmas + far_share * rms)
            return;
    }
    start->n = all;
}

/* The start of camera c's parameter may be set: it is free without one. */
static int open_measure(const ArcProblem *problem, int c, int measure)
{
    int m = problem->view->cameras[c].parameter[measure];
    int i = arc_problem_first_measure(problem) + m;
    bool is_open = m >= 0 && problem->parameters[i].is_free && !problem->parameters[i].has_start;
    return is_open ? i : -1;
}

/* Scale and roll of plane points from their own acceleration beside gravity's. ARC_INPUT where they
 * fall upwards and no roll could tell why. */
static ArcStatus measure_by_gravity(Start *start, int c, ArcError *err)
{
    ArcProblem *problem = start->problem;
    int scale = open_measure(problem, c, ARC_MEASURE_CORRECTION + ARC_CORRECTION_SCALE);
    int roll = open_measure(problem, c, ARC_MEASURE_CORRECTION + ARC_CORRECTION_ROLL);
    const double *g = problem->flight.gravity_m_s2;
    if (problem->d != 2 || (scale < 0 && roll < 0))
        return ARC_OK;
    start_look(start, 1u << c);
    if (start->n < LEAST_POINTS || !start_solve(start, false))
        return ARC_OK;
    const double *a = start->c + 4;
    double share = 0.5 * start->span * start->span * cblas_dnrm2(2, g, 1) / cblas_dnrm2(2, a, 1);
    double turn = atan2(a[1], a[0]) - atan2(g[1], g[0]);
    if (scale >= 0 && roll < 0 && cos(turn) < -clear_cosine)
        return arc_error_set_at(err, ARC_INPUT, problem->parameters[scale].place,
                                "the points fall upwards, so that gravity cannot tell their scale; "
                                "turn their vertical axis (`rows_from: bottom`), or give "
                                "`%s` a start",
                                problem->parameters[scale].name);
    if (scale >= 0 && isfinite(share) && share > 0.0)
        problem->start[scale] = share * problem->start[scale];
    if (roll >= 0 && isfinite(turn))
        problem->start[roll] += turn - 2.0 * M_PI * round(turn / (2.0 * M_PI));
    return ARC_OK;
}

/* A first factor of all sigmas, where it is to be estimated. */
static void scale_sigmas(Start *start)
{
    ArcProblem *problem = start->problem;
    double smallest = INFINITY, factor = typical_off(start);
    for (int i = 0; i < problem->n_observations; i++)
        smallest = fmin(smallest, problem->observations[i].sigma);
    problem->sigma_factor = fmax(factor, ARC_LEAST_ESTIMATED_SIGMA_M / smallest);
    for (int i = 0; i < problem->n_observations; i++)
        problem->observations[i].sigma *= problem->sigma_factor;
}

/* Begin and end of the points of some cameras. */
static void time_range(const ArcProblem *problem, unsigned cameras, double range_s[2])
{
    range_s[0] = INFINITY;
    range_s[1] = -INFINITY;
    for (int i = 0; i < problem->n_times; i++) {
        double time_s = arc_problem_time(problem, problem->start, i);
        if ((cameras >> problem->view->camera[problem->time_point[i]] & 1u) == 0)
            continue;
        range_s[0] = fmin(range_s[0], time_s);
        range_s[1] = fmax(range_s[1], time_s);
    }
}

/* How far the points of some cameras are from one parabola, in sigmas, with a clock so set. */
static double misfit_at(Start *start, unsigned cameras, int clock, double offset_s)
{
    ArcProblem *problem = start->problem;
    double range_s[2], *t0 = &problem->start[problem->t0_index], kept = *t0;
    problem->start[clock] = offset_s;
    time_range(problem, cameras, range_s);
    *t0 = range_s[0];
    start_look(start, cameras);
    bool found = start_solve(start, true);
    *t0 = kept;
    return found ? cblas_dnrm2(start->n_rows, start->off, 1) / sqrt(start->n_rows) : INFINITY;
}

/* The least misfit between two offsets, by golden section. */
static double best_between(Start *start, unsigned cameras, int clock, double low, double high)
{
    const double share = 0.61803398874989485;
    double a = high - share * (high - low), b = low + share * (high - low);
    double at_a = misfit_at(start, cameras, clock, a), at_b = misfit_at(start, cameras, clock, b);
    for (int i = 0; i < SECTIONS; i++) {
        if (at_a < at_b) {
            high = b, b = a, at_b = at_a;
            a = high - share * (high - low);
            at_a = misfit_at(start, cameras, clock, a);
        } else {
            low = a, a = b, at_a = at_b;
            b = low + share * (high - low);
            at_b = misfit_at(start, cameras, clock, b);
        }
    }
    return at_a < at_b ? a : b;
}

/* The clock of camera c against those of others: wherever the two overlap. */
static void set_clock(Start *start, unsigned others, int c, int clock)
{
    ArcProblem *problem = start->problem;
    const ArcParameter *parameter = &problem->parameters[clock];
    unsigned both = others | 1u << c;
    double range_s[2], own_s[2], begun = problem->start[clock], best = begun;
    double least = misfit_at(start, both, clock, begun);
    time_range(problem, others, range_s);
    time_range(problem, 1u << c, own_s);
    double low = begun + range_s[0] - own_s[1], high = begun + range_s[1] - own_s[0];
    bool overlap = own_s[0] < range_s[1] && own_s[1] > range_s[0];
    if (least < far_sigmas && overlap)
        return;
    if (parameter->has_prior) {
        low = fmax(low, parameter->prior_mean - prior_sds * parameter->prior_sd);
        high = fmin(high, parameter->prior_mean + prior_sds * parameter->prior_sd);
    }
    low = fmax(low, parameter->low);
    high = fmin(high, parameter->high);
    double step = (high - low) / CLOCK_STEPS;
    for (int i = 0; step > 0.0 && i <= CLOCK_STEPS; i++) {
        double misfit = misfit_at(start, both, clock, low + i * step);
        if (misfit < least) {
            least = misfit;
            best = low + i * step;
        }
    }
    problem->start[clock] = best;
    if (best != begun)
        problem->start[clock] =
            best_between(start, both, clock, fmax(best - step, low), fmin(best + step, high));
}

/* Clocks that are free and have no start, where they are far apart: camera by camera, each beside
 * those that are settled. t0 is then the first point's again. */
static void settle_clocks(Start *start)
{
    ArcProblem *problem = start->problem;
    const ArcView *view = problem->view;
    ArcParameter *t0 = &problem->parameters[problem->t0_index];
    int clock[ARC_MAX_CAMERAS + 1];
    unsigned present = 0, settled = 0;
    double range_s[2];
    start->share = drag_share;
    for (int i = 0; i < problem->n_times; i++)
        present |= 1u << view->camera[problem->time_point[i]];
    for (int c = 0; c < view->n_cameras; c++) {
        clock[c] = open_measure(problem, c, ARC_MEASURE_TIME_OFFSET);
        if ((present >> c & 1u) != 0 && clock[c] < 0)
            settled |= 1u << c;
    }
    for (int c = 0; c < view->n_cameras; c++) {
        if ((present >> c & 1u) == 0 || (settled >> c & 1u) != 0)
            continue;
        if (settled != 0)
            set_clock(start, settled, c, clock[c]);
        settled |= 1u << c;
    }
    time_range(problem, present, range_s);
    if (!t0->has_start)
        problem->start[problem->t0_index] = fmin(fmax(range_s[0], t0->low), t0->high);
}

/* Whether all is seen by one camera in space. */
static bool is_by_one(const Start *start)
{
    const ArcProblem *problem = start->problem;
    for (int i = 1; i < start->n; i++)
        if (problem->view->camera[problem->time_point[start->sightings[i].time]] !=
            problem->view->camera[problem->time_point[start->sightings[0].time]])
            return false;
    return start->n > 0 && start->sightings[0].n == 2 && problem->d == 3;
}

/* In space by the pixels themselves, which are free of the equations' bias, where all is pixels;
 * what there is stays where they do not tell. */
static ArcStatus refine(Start *start, ArcArena *arena, ArcError *err)
{
    const ArcProblem *problem = start->problem;
    const double *theta = problem->start + arc_problem_first_measure(problem);
    const ArcView *view = problem->view;
    ArcSighting *sightings = ARC_ALLOC(arena, (size_t)start->n, ArcSighting);
    ArcCamera *cameras = ARC_ALLOC(arena, (size_t)view->n_cameras, ArcCamera);
    ArcPixelParabola found;
    if (sightings == NULL || cameras == NULL)
        return arc_error_no_memory(err);
    for (int c = 0; c < view->n_cameras; c++)
        if (!view->cameras[c].is_metres)
            cameras[c] = arc_view_corrected(view, theta, c);
    for (int i = 0; i < start->n; i++) {
        int point = problem->time_point[start->sightings[i].time], c = view->camera[point];
        if (view->cameras[c].is_metres)
            return ARC_OK;
        const double *pixel = problem->point_pixel_px + point * ARC_VIEW_NUMBERS;
        sightings[i] = (ArcSighting){.camera = &cameras[c],
                                     .time_s = start->sightings[i].s,
                                     .pixel_px = {pixel[0], pixel[1]},
                                     .sigma_px = start->sightings[i].sigma};
    }
    const ArcSightings seen = {.n = start->n,
                               .sightings = sightings,
                               .gravity_m_s2 =
                                   is_by_one(start) ? problem->flight.gravity_m_s2 : NULL,
                               .is_robust = problem->loss.kind != ARC_LOSS_GAUSS};
    ArcStatus status = arc_start_from_pixels(&seen, &found, arena, NULL);
    if (status != ARC_OK || !found.is_determined)
        return status == ARC_MEMORY ? arc_error_no_memory(err) : ARC_OK;
    for (int c = 0; c < 3; c++) {
        start->c[c] = found.position_m[c];
        start->c[3 + c] = found.velocity_m_s[c] * start->span;
        start->c[6 + c] = 0.5 * found.gravity_m_s2[c] * start->span * start->span;
    }
    return ARC_OK;
}

/* The parabola becomes the start of what has none. */
static void take_release(const Start *start)
{
    ArcProblem *problem = start->problem;
    int d = problem->d, position = problem->t0_index + 1, velocity = position + d;
    double v[3], values[3];
    for (int c = 0; c < d; c++) {
        v[c] = start->c[d + c] / start->span;
        problem->start_acceleration[c] = 2.0 * start->c[2 * d + c] / (start->span * start->span);
        if (!problem->parameters[position + c].has_start)
            problem->start[position + c] = start->c[c];
    }
    if (problem->D > d) /* the path flown: its rate is the speed */
        problem->start_acceleration[d] = cblas_dnrm2(d, v, 1);
    arc_release_from_velocity(problem->release, d, problem->flight.settings.up, v, values);
    for (int j = 0; j < d; j++)
        if (!problem->parameters[velocity + j].has_start)
            problem->start[velocity + j] = values[j];
}

/* Whether its camera sees the ball at the parabola. */
static bool is_seen(const Start *start, const Sighting *sighting)
{
    const ArcProblem *problem = start->problem;
    double x[4] = {0}, v[4] = {0}, y[ARC_VIEW_NUMBERS];
    position_at(start, sighting->s, x);
    const ArcGlance glance = {.point = problem->time_point[sighting->time],
                              .D = problem->d,
                              .file_s = problem->time_s[sighting->time],
                              .x = x,
                              .v = v,
                              .y = y};
    arc_view_look(problem->view, problem->start + arc_problem_first_measure(problem), &glance);
    return isfinite(y[0]) && isfinite(y[1]);
}

/* No flight begins at a start that a camera with points hardly sees; one that is given may do
 * better. */
static ArcStatus check_seen(const Start *start, ArcError *err)
{
    const ArcProblem *problem = start->problem;
    for (int i = 0; i < 2 * problem->d; i++)
        if (problem->parameters[problem->t0_index + 1 + i].has_start)
            return ARC_OK;
    for (int c = 0; c < problem->view->n_cameras; c++) {
        const ArcViewCamera *camera = &problem->view->cameras[c];
        int n = 0, blind = 0;
        for (int i = 0; i < start->n && !camera->is_metres; i++) {
            int point = problem->time_point[start->sightings[i].time];
            n += problem->view->camera[point] == c;
            blind += problem->view->camera[point] == c && !is_seen(start, &start->sightings[i]);
        }
        if (2 * blind > n)
            return arc_error_set_at(err, ARC_INPUT, camera->place,
                                    "camera '%s' does not see the flight that its points and those "
                                    "of other cameras tell: %d of %d lie behind it or beyond its "
                                    "lens; check its calibration (the entry, the unit, x_camera = "
                                    "R x + t), or give x0 .. a start",
                                    camera->name, blind, n);
    }
    return ARC_OK;
}

ArcStatus arc_start_from_view(ArcProblem *problem, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    Start start;
    ArcStatus status =
        arena == NULL ? arc_error_no_memory(err) : start_create(problem, arena, &start, err);
    if (status == ARC_OK) {
        for (int c = 0; c < problem->view->n_cameras && status == ARC_OK; c++)
            status = measure_by_gravity(&start, c, err);
    }
    if (status == ARC_OK) {
        settle_clocks(&start);
        start_look(&start, all_cameras);
        start.share = is_by_one(&start) ? no_share : drag_share;
        if (problem->flight.settings.bounce.is_on)
            stop_at_bounce(&start);
        if (start_solve(&start, true)) {
            if (problem->sigma_estimated)
                scale_sigmas(&start);
            keep_in_front(&start);
            if (problem->d == 3)
                status = refine(&start, arena, err);
            take_release(&start);
            if (status == ARC_OK)
                status = check_seen(&start, err);
        }
    }
    arc_arena_free(arena);
    return status;
}
