/* The points of a problem at their true times and through their cameras. */
#include "fit/phase.h"
#include "fit/release.h"

#include <cblas.h>
#include <math.h>

int arc_problem_first_measure(const ArcProblem *problem)
{
    int n_arm = problem->has_arm ? problem->arm.n_parameters : 0;
    if (problem->equations != NULL)
        return problem->n_parameters;
    return problem->t0_index + 1 + 2 * problem->d + n_arm;
}

int arc_problem_n_observed(const ArcProblem *problem)
{
    int n_swing = problem->swing != NULL ? problem->swing->n_observations : 0;
    return problem->n_observations + n_swing;
}

double arc_problem_time(const ArcProblem *problem, const double *values, int time)
{
    if (problem->phase != NULL && problem->phase->runs_backwards)
        return 2.0 * values[problem->t0_index] - problem->time_s[time];
    if (problem->view == NULL)
        return problem->time_s[time];
    return arc_view_time(problem->view, values + arc_problem_first_measure(problem),
                         problem->time_point[time], problem->time_s[time]);
}

double arc_problem_last_time(const ArcProblem *problem, const double *values)
{
    int n = problem->n_times;
    double last_s = arc_problem_time(problem, values, n - 1);
    for (int i = 0; problem->view != NULL && i < n; i++)
        last_s = fmax(last_s, arc_problem_time(problem, values, i));
    return last_s;
}

bool arc_problem_times_move(const ArcProblem *problem)
{
    return problem->free_index[problem->t0_index] >= 0 ||
           (problem->view != NULL && problem->view->time_is_free);
}

bool arc_problem_may_precede(const ArcProblem *problem)
{
    bool is_swing = problem->phase != NULL && problem->phase->runs_backwards;
    return problem->view != NULL || is_swing || problem->swing != NULL;
}

ArcStatus arc_sight_create(const ArcProblem *problem, ArcArena *arena, ArcSight **result,
                           ArcError *err)
{
    const ArcPhase *phase = problem->phase;
    *result = NULL;
    if (problem->view == NULL && phase == NULL)
        return ARC_OK;
    ArcSight *sight = ARC_ALLOC(arena, 1, ArcSight);
    if (sight == NULL)
        return arc_error_no_memory(err);
    size_t numbers = phase != NULL ? (size_t)problem->n_observations
                                   : (size_t)problem->n_times * ARC_VIEW_NUMBERS;
    size_t M = (size_t)(phase != NULL ? phase->M : problem->view->M);
    sight->problem = problem;
    sight->y = ARC_ALLOC(arena, numbers, double);
    sight->by_x = ARC_ALLOC(arena, numbers * (size_t)problem->D, double);
    sight->by_v = phase != NULL ? ARC_ALLOC(arena, numbers * (size_t)problem->D, double) : NULL;
    sight->by_m = ARC_ALLOC(arena, numbers * M + 1, double);
    if (sight->y == NULL || sight->by_x == NULL || sight->by_m == NULL ||
        (phase != NULL && sight->by_v == NULL))
        return arc_error_no_memory(err);
    *result = sight;
    return ARC_OK;
}

void arc_sight_look(ArcSight *sight, const double *values, const double *x, const double *v,
                    const int *place)
{
    const ArcProblem *problem = sight->problem;
    if (problem->phase != NULL) {
        problem->phase->look(sight, values, x, v);
        return;
    }
    const double *theta = values + arc_problem_first_measure(problem);
    int D = problem->D, M = problem->view->M;
    for (int i = 0; i < problem->n_times; i++) {
        int at = (place != NULL ? place[i] : i) * D, number = i * ARC_VIEW_NUMBERS;
        ArcGlance glance = {.point = problem->time_point[i],
                            .D = D,
                            .file_s = problem->time_s[i],
                            .x = x + at,
                            .v = v != NULL ? v + at : NULL,
                            .y = sight->y + number,
                            .by_x = v != NULL ? sight->by_x + number * D : NULL,
                            .by_m = v != NULL ? sight->by_m + number * M : NULL};
        arc_view_look(problem->view, theta, &glance);
    }
}

static int place_of(const ArcSight *sight, int i)
{
    const ArcObservation *o = &sight->problem->observations[i];
    return sight->problem->phase != NULL ? i : o->time * ARC_VIEW_NUMBERS + o->axis;
}

double arc_sight_y(const ArcSight *sight, int i)
{
    return sight->y[place_of(sight, i)];
}

const double *arc_sight_by_x(const ArcSight *sight, int i)
{
    return sight->by_x + place_of(sight, i) * sight->problem->D;
}

const double *arc_sight_by_v(const ArcSight *sight, int i)
{
    return sight->by_v != NULL ? sight->by_v + place_of(sight, i) * sight->problem->D : NULL;
}

const double *arc_sight_by_m(const ArcSight *sight, int i)
{
    const ArcProblem *problem = sight->problem;
    int M = problem->phase != NULL ? problem->phase->M : problem->view->M;
    return sight->by_m + place_of(sight, i) * M;
}

double arc_problem_per_metre(const ArcProblem *problem, int i)
{
    const ArcObservation *o = &problem->observations[i];
    const ArcView *view = problem->view;
    if (problem->phase != NULL)
        return problem->phase->per_unit(problem, i);
    if (view == NULL)
        return 1.0;
    const ArcViewCamera *camera = &view->cameras[view->camera[problem->time_point[o->time]]];
    return !camera->is_metres && o->axis == 2 ? 0.0 : camera->per_m;
}

/* Root mean square of the partials by position, over what each camera sees of the parabola that
 * the fit begins with. */
static void measure_cameras(const ArcProblem *problem, const ArcSight *sight)
{
    const ArcView *view = problem->view;
    for (int c = 0; c < view->n_cameras; c++) {
        double square = 0.0;
        int n = 0;
        for (int i = 0; i < problem->n_observations; i++) {
            const ArcObservation *o = &problem->observations[i];
            const double *by_x = arc_sight_by_x(sight, i);
            double size = cblas_dnrm2(problem->d, by_x, 1);
            if (view->camera[problem->time_point[o->time]] != c || !(size > 0.0) ||
                (o->axis == 2 && !view->cameras[c].is_metres))
                continue;
            square += size * size;
            n++;
        }
        view->cameras[c].per_m = n > 0 ? sqrt(square / n) : 1.0;
    }
}

ArcStatus arc_sight_measure(ArcProblem *problem, ArcError *err)
{
    if (problem->view == NULL)
        return ARC_OK;
    ArcArena *arena = arc_arena_create();
    if (arena == NULL)
        return arc_error_no_memory(err);
    int d = problem->d, D = problem->D, n = problem->n_times;
    ArcSight *sight = NULL;
    ArcStatus status = arc_sight_create(problem, arena, &sight, err);
    double *x = ARC_ALLOC(arena, (size_t)(2 * n * D), double), *v = x + n * D, v0[3];
    if (status == ARC_OK && x == NULL)
        status = arc_error_no_memory(err);
    if (status == ARC_OK) {
        const double *release = problem->start + problem->t0_index;
        arc_release_velocity(problem->release, d, problem->flight.settings.up, release + 1 + d, v0,
                             NULL);
        for (int i = 0; i < n; i++) {
            double s = arc_problem_time(problem, problem->start, i) - release[0];
            for (int c = 0; c < d; c++) {
                double a = problem->start_acceleration[c];
                x[i * D + c] = release[1 + c] + s * (v0[c] + 0.5 * s * a);
                v[i * D + c] = v0[c] + s * a;
            }
        }
        arc_sight_look(sight, problem->start, x, v, NULL);
        measure_cameras(problem, sight);
    }
    arc_arena_free(arena);
    return status;
}

bool arc_problem_rests_on_gravity(const ArcProblem *problem)
{
    const ArcView *view = problem->view;
    int first = arc_problem_first_measure(problem), seen = -1;
    bool is_by_one = problem->d == 3;
    if (view == NULL)
        return false;
    for (int i = first; i < problem->n_parameters; i++) {
        int measure = problem->parameters[i].measure;
        if (problem->free_index[i] >= 0 &&
            (measure == ARC_MEASURE_CLOCK_RATE ||
             measure == ARC_MEASURE_CORRECTION + ARC_CORRECTION_SCALE ||
             measure == ARC_MEASURE_CORRECTION + ARC_CORRECTION_FOCAL))
            return true;
    }
    for (int i = 0; i < problem->n_observations; i++) {
        int camera = view->camera[problem->time_point[problem->observations[i].time]];
        bool is_other = seen >= 0 && camera != seen;
        /* An apparent radius tells the depth. */
        bool tells = view->cameras[camera].is_metres || problem->observations[i].axis == 2;
        is_by_one = is_by_one && !is_other && !tells;
        seen = camera;
    }
    return is_by_one;
}
