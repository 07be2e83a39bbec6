/* The start of a flight seen by cameras: a parabola by linear equations (start_linear.h).
 *
 * The acceleration is gravity but for what drag may change. One camera alone tells the depth by it,
 * so that it is then gravity itself: the equations hold in the camera's own place, too, and nothing
 * else keeps the flight away from there. Where it comes to lie behind the camera all the same (a
 * short flight tells no depth) it is put into that of some distances which suits the pixels best.
 * Of plane points whose scale or roll is free the parabola's own acceleration is set beside gravity
 * first: size and direction of the two give scale and roll ("gravity as ruler and plumb line").
 *
 * In space the pixels themselves then take off what bias the equations leave (start_pixels.h).
 */
#include "fit/start.h"

#include "fit/release.h"
#include "fit/start_linear.h"
#include "fit/start_pixels.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

enum { LEAST_POINTS = 3, FEWEST = 6 };
static const double no_share = 1e-6;
static const unsigned all_cameras = ~0u;
static const double clear_cosine = 0.5; /* of the angle between the points' fall and gravity */
static const double far_sigmas = 20.0, far_share = 8.0; /* off the flight, behind a bounce */
static const double nearest_m = 0.5, furthest_m = 200.0;

static bool is_in_front(const ArcLinearStart *start)
{
    int d = start->problem->d;
    for (int i = 0; i < start->n; i++) {
        const ArcLinearSighting *sighting = &start->sightings[i];
        double x[3];
        arc_linear_position(start, sighting->s, x);
        if (sighting->depth[d] + cblas_ddot(d, sighting->depth, 1, x, 1) <= 0.0)
            return false;
    }
    return true;
}

/* A flight in space that has come to lie behind a camera goes to where all see it, if there is such
 * a place; else it stays. */
static void keep_in_front(ArcLinearStart *start)
{
    double kept[ARC_LINEAR_UNKNOWNS], least = INFINITY;
    if (start->problem->d != 3 || is_in_front(start))
        return;
    memcpy(kept, start->c, sizeof kept);
    for (double depth_m = nearest_m; depth_m < furthest_m; depth_m *= 2.0) {
        start->anchor_m = depth_m;
        if (!arc_linear_solve(start, true) || !is_in_front(start))
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
static void stop_at_bounce(ArcLinearStart *start)
{
    int all = start->n, d = start->problem->d;
    for (int n = FEWEST; n < all; n++) {
        const ArcLinearSighting *next = &start->sightings[n];
        double x[3], off = 0.0;
        start->n = n;
        if (!arc_linear_solve(start, true))
            continue;
        double rms = cblas_dnrm2(start->n_rows, start->off, 1) / sqrt(start->n_rows);
        arc_linear_position(start, next->s, x);
        for (int k = 0; k < next->n; k++)
            off = fmax(off, arc_linear_weight(start, next, 1) *
                                fabs(cblas_ddot(d, next->rows[k], 1, x, 1) + next->rows[k][d]));
        if (off > far_sigmas + far_share * rms)
            return;
    }
    start->n = all;
}

/* Scale and roll of plane points from their own acceleration beside gravity's. ARC_INPUT where they
 * fall upwards and no roll could tell why. */
static ArcStatus measure_by_gravity(ArcLinearStart *start, int c, ArcError *err)
{
    ArcProblem *problem = start->problem;
    int scale = arc_linear_open(problem, c, ARC_MEASURE_CORRECTION + ARC_CORRECTION_SCALE);
    int roll = arc_linear_open(problem, c, ARC_MEASURE_CORRECTION + ARC_CORRECTION_ROLL);
    const double *g = problem->flight.gravity_m_s2;
    if (problem->d != 2 || (scale < 0 && roll < 0))
        return ARC_OK;
    arc_linear_look(start, 1u << c);
    if (start->n < LEAST_POINTS || !arc_linear_solve(start, false))
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
static void scale_sigmas(ArcLinearStart *start)
{
    ArcProblem *problem = start->problem;
    double smallest = INFINITY, factor = arc_linear_off(start);
    for (int i = 0; i < problem->n_observations; i++)
        smallest = fmin(smallest, problem->observations[i].sigma);
    problem->sigma_factor = fmax(factor, ARC_LEAST_ESTIMATED_SIGMA_M / smallest);
    for (int i = 0; i < problem->n_observations; i++)
        problem->observations[i].sigma *= problem->sigma_factor;
}

/* Whether all is seen by one camera in space. */
static bool is_by_one(const ArcLinearStart *start)
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
static ArcStatus refine(ArcLinearStart *start, ArcArena *arena, ArcError *err)
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
static void take_release(const ArcLinearStart *start)
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
static bool is_seen(const ArcLinearStart *start, const ArcLinearSighting *sighting)
{
    const ArcProblem *problem = start->problem;
    double x[4] = {0}, v[4] = {0}, y[ARC_VIEW_NUMBERS];
    arc_linear_position(start, sighting->s, x);
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
static ArcStatus check_seen(const ArcLinearStart *start, ArcError *err)
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
    ArcLinearStart start;
    ArcStatus status =
        arena == NULL ? arc_error_no_memory(err) : arc_linear_create(problem, arena, &start, err);
    if (status == ARC_OK) {
        for (int c = 0; c < problem->view->n_cameras && status == ARC_OK; c++)
            status = measure_by_gravity(&start, c, err);
    }
    if (status == ARC_OK) {
        arc_linear_clocks(&start);
        arc_linear_look(&start, all_cameras);
        start.share = is_by_one(&start) ? no_share : ARC_LINEAR_DRAG_SHARE;
        if (problem->flight.settings.bounce.is_on)
            stop_at_bounce(&start);
        if (arc_linear_solve(&start, true)) {
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
