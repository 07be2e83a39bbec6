/* Problem: parameters resolved, observations listed, starts from the data. */
#include "fit/problem.h"

#include "base/number.h"
#include "fit/arm_problem.h"
#include "fit/loss.h"
#include "fit/phase.h"
#include "fit/release.h"
#include "fit/start.h"
#include "fit/swing.h"
#include "fit/system.h"

#include <cblas.h>
#include <math.h>
#include <string.h>

/* A scale, a focal length and a clock's rate have no meaning below zero. */
static const double least_factor = 1e-9;
/* What a point counts where its camera cannot see the ball of a flight, behind it or beyond its
 * lens: much more than any that it can see, so that no fit stays there. */
static const double unseen_sigmas = 1e5;

bool arc_problem_reserve(ArcProblem *problem, ArcArena *arena)
{
    size_t n = (size_t)problem->n_parameters;
    problem->parameters = ARC_ALLOC(arena, n, ArcParameter);
    problem->start = ARC_ALLOC(arena, n, double);
    problem->free_parameter = ARC_ALLOC(arena, n, int);
    problem->free_index = ARC_ALLOC(arena, n, int);
    problem->low = ARC_ALLOC(arena, n, double);
    problem->high = ARC_ALLOC(arena, n, double);
    return problem->parameters != NULL && problem->start != NULL &&
           problem->free_parameter != NULL && problem->free_index != NULL && problem->low != NULL &&
           problem->high != NULL;
}

void arc_problem_scatter(const ArcProblem *problem, const double *u, double *values)
{
    for (int k = 0; k < problem->n_free; k++)
        values[problem->free_parameter[k]] = u[k];
    for (int k = 0; k < problem->K; k++)
        values[problem->n_parameters + k] = u[problem->n_free + k];
    if (problem->has_arm)
        arc_problem_tie(problem, values);
}

bool arc_problem_turn_release(const ArcProblem *problem, double *u)
{
    int d = problem->d, up = problem->flight.settings.up, velocity = problem->t0_index + 1 + d;
    double values[3] = {0}, v[3], turned[3];
    if (problem->has_arm)
        return arc_problem_turn_joints(problem, u);
    if (problem->release != ARC_RELEASE_POLAR)
        return false;
    for (int j = 0; j < d; j++) {
        int k = problem->free_index[velocity + j];
        if (k < 0 || problem->parameters[velocity + j].has_prior)
            return false;
        values[j] = u[k];
    }
    arc_release_velocity(problem->release, d, up, values, v, NULL);
    arc_release_from_velocity(problem->release, d, up, v, turned);
    bool changed = false;
    for (int j = 0; j < d; j++) {
        int k = problem->free_index[velocity + j];
        double start = problem->start[velocity + j];
        if (j > 0)
            turned[j] += 2.0 * M_PI * round((start - turned[j]) / (2.0 * M_PI));
        if (turned[j] < problem->low[k] || turned[j] > problem->high[k])
            return false;
        /* Every turn moves one of the angles by half a turn or more. */
        changed = changed || (j > 0 && fabs(turned[j] - values[j]) > 1.0);
    }
    for (int j = 0; j < d && changed; j++)
        u[problem->free_index[velocity + j]] = turned[j];
    return changed;
}

void arc_problem_observe(const ArcProblem *problem, const double *x, const ArcSight *sight,
                         double *r, double *weight)
{
    for (int i = 0; i < problem->n_observations; i++) {
        const ArcObservation *o = &problem->observations[i];
        double y = sight != NULL ? arc_sight_y(sight, i) : x[o->time * problem->D + o->axis];
        double off = (y - o->value) / o->sigma, slope;
        if (sight != NULL && isnan(off))
            off = unseen_sigmas;
        r[i] = arc_loss_transform(&problem->loss, off, &slope);
        weight[i] = slope / o->sigma;
    }
}

void arc_problem_priors(const ArcProblem *problem, const double *u, double *r, double *J, size_t ld)
{
    size_t row = 0;
    for (int k = 0; k < problem->n_free; k++) {
        const ArcParameter *parameter = &problem->parameters[problem->free_parameter[k]];
        if (!parameter->has_prior)
            continue;
        r[row] = (u[k] - parameter->prior_mean) / parameter->prior_sd;
        if (J != NULL)
            J[row + (size_t)k * ld] = 1.0 / parameter->prior_sd;
        row++;
    }
    if (problem->n_readings > 0)
        arc_problem_read(problem, u, r + row, J != NULL ? J + row : NULL, ld);
}

/* The observations' alone: nothing else depends on how they were measured. */
static void measure_column(const ArcProblem *problem, const ArcPartials *partials, int m,
                           double *column)
{
    for (int i = 0; i < problem->n_observations && i < partials->n; i++)
        column[i] = partials->weight[i] * arc_sight_by_m(partials->sight, i)[m];
}

/* By a parameter of the arm, through the release that it gives: R (2 d), A apart. */
static void arm_column(const ArcProblem *problem, const ArcPartials *partials, const double *R,
                       double *column)
{
    int d = problem->d, A = problem->arm.n_parameters;
    for (int i = 0; i < partials->n; i++) {
        const double *row = partials->q + (size_t)i * (size_t)problem->Q + problem->P;
        double sum = 0.0;
        for (int c = 0; c < d; c++)
            sum += row[c] * R[c * A] + row[problem->D + c] * R[(d + c) * A];
        column[i] = partials->weight[i] * sum;
    }
}

/* The weights of a closure, whose columns are the last of the P. */
static void weight_columns(const ArcProblem *problem, const ArcPartials *partials, double *J,
                           size_t ld)
{
    const double *q = partials->q + (problem->P - problem->K);
    for (int k = 0; k < problem->K; k++) {
        double *column = J + (size_t)(problem->n_free + k) * ld;
        for (int i = 0; i < partials->n; i++)
            column[i] = partials->weight[i] * q[(size_t)i * (size_t)problem->Q + (size_t)k];
    }
}

void arc_problem_chain(const ArcProblem *problem, const double *values, const ArcPartials *partials,
                       double *J, size_t ld)
{
    int d = problem->d, P = problem->P, Q = problem->Q, n = partials->n;
    const double *q_rows = partials->q, *t0_rows = partials->t0, *weight = partials->weight;
    int velocity = problem->t0_index + 1 + d, first_measure = arc_problem_first_measure(problem);
    double v[3], v_q[9], R[6 * ARC_ARM_MAX_PARAMETERS];
    weight_columns(problem, partials, J, ld);
    if (problem->phase != NULL) {
        problem->phase->chain(problem, values, partials, J, ld);
        return;
    }
    arc_release_velocity(problem->release, d, problem->flight.settings.up, values + velocity, v,
                         v_q);
    if (problem->has_arm)
        arc_problem_tie_partials(problem, values, R);
    for (int k = 0; k < problem->n_free; k++) {
        int parameter = problem->free_parameter[k];
        double *column = J + (size_t)k * ld;
        if (parameter >= first_measure) {
            measure_column(problem, partials, parameter - first_measure, column);
        } else if (problem->has_arm && parameter >= problem->arm_index) {
            arm_column(problem, partials, R + parameter - problem->arm_index, column);
        } else if (parameter == problem->t0_index) {
            for (int i = 0; i < n; i++)
                column[i] = t0_rows != NULL ? weight[i] * t0_rows[i] : 0.0;
        } else if (parameter < velocity) {
            int q =
                parameter < problem->t0_index ? parameter : parameter - problem->t0_index - 1 + P;
            for (int i = 0; i < n; i++)
                column[i] = weight[i] * q_rows[(size_t)i * (size_t)Q + (size_t)q];
        } else {
            int j = parameter - velocity;
            for (int i = 0; i < n; i++) {
                const double *row = q_rows + (size_t)i * (size_t)Q + P + problem->D;
                double sum = 0.0;
                for (int c = 0; c < d; c++)
                    sum += row[c] * v_q[c * d + j];
                column[i] = weight[i] * sum;
            }
        }
    }
}

static ArcStatus problem_reserve_points(ArcProblem *problem, size_t n, ArcError *err)
{
    ArcArena *arena = problem->arena;
    size_t d = (size_t)problem->n_axes, numbers = d > ARC_VIEW_NUMBERS ? d : ARC_VIEW_NUMBERS;
    problem->point_time_s = ARC_ALLOC(arena, n, double);
    problem->point_position_m = ARC_ALLOC(arena, n * d, double);
    problem->point_sigma_m = ARC_ALLOC(arena, n * d, double);
    problem->point_use = ARC_ALLOC(arena, n, ArcPointUse);
    problem->point_line = ARC_ALLOC(arena, n, int);
    problem->time_s = ARC_ALLOC(arena, n, double);
    problem->time_point = ARC_ALLOC(arena, n, int);
    problem->observations = ARC_ALLOC(arena, n * numbers, ArcObservation);
    problem->point_pixel_px = ARC_ALLOC(arena, problem->view != NULL ? n * numbers : 0, double);
    problem->point_sigma_px = ARC_ALLOC(arena, problem->view != NULL ? n * numbers : 0, double);
    if (problem->point_time_s == NULL || problem->point_position_m == NULL ||
        problem->point_sigma_m == NULL || problem->point_use == NULL ||
        problem->point_line == NULL || problem->time_s == NULL || problem->time_point == NULL ||
        problem->observations == NULL || problem->point_pixel_px == NULL ||
        problem->point_sigma_px == NULL)
        return arc_error_no_memory(err);
    return ARC_OK;
}

/* Pixels and radii; NaN of a point in metres. A radius tells nothing of a ball without size. */
static void problem_take_pixels(ArcProblem *problem, const ArcCapture *capture)
{
    for (int i = 0; i < capture->n_points; i++) {
        double *pixel = problem->point_pixel_px + i * ARC_VIEW_NUMBERS;
        double *sigma = problem->point_sigma_px + i * ARC_VIEW_NUMBERS;
        pixel[0] = pixel[1] = pixel[2] = sigma[0] = sigma[1] = sigma[2] = NAN;
        if (capture->n_cameras == 0 || capture->camera[i] < 0)
            continue;
        memcpy(pixel, capture->pixel_px + (size_t)i * 2, 2 * sizeof(double));
        sigma[0] = sigma[1] =
            arc_sensor_sigma(capture->sigma_px[i], problem->sensor.quantisation_px);
        if (capture->radius_px != NULL && problem->view->radius_m > 0.0) {
            pixel[2] = capture->radius_px[i];
            sigma[2] = capture->sigma_radius_px[i];
        }
    }
}

/* Number `axis` of a point with its sigma; NaN where it is missing. */
static void number_of(const ArcProblem *problem, int point, int axis, double *value, double *sigma)
{
    const ArcView *view = problem->view;
    bool is_metres = view == NULL || view->cameras[view->camera[point]].is_metres;
    int at = is_metres ? point * problem->n_axes + axis : point * ARC_VIEW_NUMBERS + axis;
    *value = *sigma = NAN;
    if (is_metres && axis >= problem->n_axes)
        return;
    *value = (is_metres ? problem->point_position_m : problem->point_pixel_px)[at];
    *sigma = (is_metres ? problem->point_sigma_m : problem->point_sigma_px)[at];
}

/* Copies the capture's points and lists the finite fitted numbers, axis by axis. */
static ArcStatus problem_take_capture(ArcProblem *problem, const ArcCapture *capture, ArcError *err)
{
    size_t n = (size_t)capture->n_points, d = (size_t)problem->n_axes;
    problem->n_points = capture->n_points;
    if (problem_reserve_points(problem, n, err) != ARC_OK)
        return ARC_MEMORY;
    memcpy(problem->point_time_s, capture->time_s, sizeof(double) * n);
    memcpy(problem->point_position_m, capture->position_m, sizeof(double) * n * d);
    memcpy(problem->point_sigma_m, capture->sigma_m, sizeof(double) * n * d);
    for (size_t i = 0; i < n * d; i++)
        problem->point_sigma_m[i] =
            arc_sensor_sigma(problem->point_sigma_m[i], problem->sensor.quantisation_m);
    memcpy(problem->point_use, capture->use, sizeof(ArcPointUse) * n);
    if (capture->line != NULL)
        memcpy(problem->point_line, capture->line, sizeof(int) * n);
    if (problem->view != NULL)
        problem_take_pixels(problem, capture);
    int n_axes = problem->view != NULL ? ARC_VIEW_NUMBERS : problem->n_axes;
    for (int axis = 0; axis < n_axes; axis++) {
        int time = 0;
        for (int i = 0; i < capture->n_points; i++) {
            double value, sigma;
            if (capture->use[i] != ARC_POINT_FIT)
                continue;
            number_of(problem, i, axis, &value, &sigma);
            problem->time_s[time] = capture->time_s[i];
            problem->time_point[time] = i;
            if (isfinite(value))
                problem->observations[problem->n_observations++] =
                    (ArcObservation){time, axis, value, sigma};
            time++;
        }
        problem->n_times = time;
    }
    return ARC_OK;
}

/* Factors of the cameras' sigmas: in force from the start, and sought where they are free. */
static ArcStatus problem_take_sigmas(ArcProblem *problem, ArcError *err)
{
    const ArcView *view = problem->view;
    if (view == NULL)
        return ARC_OK;
    int first = arc_problem_first_measure(problem);
    for (int i = 0; i < problem->n_observations; i++) {
        ArcObservation *o = &problem->observations[i];
        int m =
            view->cameras[view->camera[problem->time_point[o->time]]].parameter[ARC_MEASURE_SIGMA];
        if (m >= 0)
            o->sigma *= problem->start[first + m];
    }
    for (int m = 0; m < view->M; m++) {
        const ArcParameter *parameter = &problem->parameters[first + m];
        if (parameter->measure != ARC_MEASURE_SIGMA || !parameter->is_free)
            continue;
        if (problem->sigma_estimated)
            return arc_error_set_at(err, ARC_INPUT, parameter->place,
                                    "'%s' and `sigma: estimate` both look for the scatter; give "
                                    "capture.sigma a size, or leave the parameter out",
                                    parameter->name);
        problem->sigma_parameter[problem->n_sigmas++] = first + m;
    }
    return ARC_OK;
}

/* Where no bounds are given, what makes sense at all ends a runaway (a lift law that saturates lets
 * the spin go to infinity). Zero is no such end: an estimate of no drag scatters about it. But a
 * bounce below zero has no meaning, and neither has what a law divides by (its range begins above
 * zero): across zero lies a flight of another kind. */
static void widest_bounds(const ArcParameterInfo *info, bool is_of_bounce, ArcParameter *parameter)
{
    if (isinf(parameter->low) && (info->low != 0.0 || is_of_bounce))
        parameter->low = info->low;
    if (isinf(parameter->high))
        parameter->high = info->high;
}

static ArcStatus problem_take_parameters(ArcProblem *problem, const ArcExperiment *experiment,
                                         ArcError *err)
{
    ArcArena *arena = problem->arena;
    size_t n = (size_t)experiment->n_parameters;
    const ArcFlight *flight = &experiment->flight;
    const ArcParameterInfo *infos =
        problem->equations != NULL ? problem->equations->parameters : flight->parameters;
    bool bounces = problem->equations == NULL && flight->settings.bounce.is_on;
    int first_of_bounce = bounces ? flight->bounce_index : problem->t0_index;
    problem->n_parameters = experiment->n_parameters;
    if (!arc_problem_reserve(problem, arena))
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        ArcParameter *parameter = &problem->parameters[i];
        *parameter = experiment->parameters[i];
        parameter->name = arc_arena_copy_text(arena, parameter->name, strlen(parameter->name));
        parameter->unit = arc_arena_copy_text(arena, parameter->unit, strlen(parameter->unit));
        if (parameter->name == NULL || parameter->unit == NULL)
            return arc_error_no_memory(err);
        if (parameter->is_free && parameter->sharing == ARC_HIERARCHICAL)
            return arc_error_set_at(err, ARC_INPUT, parameter->place,
                                    "flights: hierarchical of '%s' needs several flights, and here "
                                    "is one; leave it out",
                                    parameter->name);
        parameter->doc = NULL;
        if ((int)i < problem->t0_index)
            widest_bounds(&infos[i], (int)i >= first_of_bounce, parameter);
        if (parameter->measure == ARC_MEASURE_CORRECTION + ARC_CORRECTION_SCALE ||
            parameter->measure == ARC_MEASURE_CORRECTION + ARC_CORRECTION_FOCAL ||
            parameter->measure == ARC_MEASURE_CLOCK_RATE)
            parameter->low = fmax(parameter->low, least_factor);
        problem->start[i] = parameter->start;
        problem->free_index[i] = -1;
    }
    return ARC_OK;
}

static ArcStatus problem_take_targets(ArcProblem *problem, const ArcExperiment *experiment,
                                      ArcError *err)
{
    for (int i = 0; i < experiment->n_targets; i++) {
        ArcTarget *target = &problem->targets[problem->n_targets++];
        *target = experiment->targets[i];
        target->name = arc_arena_copy_text(problem->arena, target->name, strlen(target->name));
        if (target->name == NULL)
            return arc_error_no_memory(err);
    }
    return ARC_OK;
}

/* t0 as the capture tells it, where the parameter does not. */
static void problem_take_t0(ArcProblem *problem, const ArcExperiment *experiment,
                            const ArcCapture *capture)
{
    ArcParameter *t0 = &problem->parameters[problem->t0_index];
    const ArcProblemReading *reading = arc_problem_reading(problem, problem->t0_index);
    if (reading != NULL && t0->is_free && !t0->has_start)
        problem->start[problem->t0_index] = reading->value;
    if (!capture->has_t0 || t0->has_start)
        return;
    t0->has_start = true;
    t0->start = problem->start[problem->t0_index] = capture->t0_s;
    t0->place = experiment->capture.place;
}

/* t0: given, or the first fitted time; never after it, but by what clocks may be off. */
static ArcStatus problem_settle_t0(ArcProblem *problem, ArcError *err)
{
    ArcParameter *t0 = &problem->parameters[problem->t0_index];
    double first_s = arc_problem_time(problem, problem->start, 0);
    double last_s = arc_problem_last_time(problem, problem->start);
    bool is_read = arc_problem_reading(problem, problem->t0_index) != NULL && t0->is_free;
    char t0_text[ARC_NUMBER_TEXT], first_text[ARC_NUMBER_TEXT];
    for (int i = 1; problem->view != NULL && i < problem->n_times; i++)
        first_s = fmin(first_s, arc_problem_time(problem, problem->start, i));
    if (!t0->has_start) {
        double start = is_read ? fmin(problem->start[problem->t0_index], first_s) : first_s;
        problem->start[problem->t0_index] = fmin(fmax(start, t0->low), t0->high);
    }
    /* Clocks that are yet to be found say little of what comes first. */
    if (problem->view != NULL && problem->view->time_is_free)
        first_s = last_s;
    arc_number_write_digits(t0_text, problem->start[problem->t0_index], 6);
    arc_number_write_digits(first_text, first_s, 6);
    if (problem->start[problem->t0_index] > first_s)
        return arc_error_set_at(err, ARC_INPUT, t0->place,
                                "t0 is %s s, after the first used point at %s s; use "
                                "capture.window to leave earlier points out",
                                t0_text, first_text);
    if (!(problem->start[problem->t0_index] < last_s))
        return arc_error_set_at(err, ARC_INPUT, t0->place,
                                "the only used point is at t0, %s s; give more points, or an "
                                "earlier t0",
                                t0_text);
    if (t0->is_free)
        t0->high = fmin(t0->high, first_s);
    return ARC_OK;
}

static void problem_list_unknowns(ArcProblem *problem)
{
    for (int i = 0; i < problem->n_parameters; i++) {
        const ArcParameter *parameter = &problem->parameters[i];
        if (!parameter->is_free || parameter->measure == ARC_MEASURE_SIGMA)
            continue;
        int k = problem->n_free++;
        problem->free_parameter[k] = i;
        problem->free_index[i] = k;
        problem->low[k] = parameter->low;
        problem->high[k] = parameter->high;
        problem->n_priors += parameter->has_prior;
        problem->start[i] = fmin(fmax(problem->start[i], parameter->low), parameter->high);
    }
    arc_problem_tie(problem, problem->start);
}

/* What moves, and the sizes that follow from it. */
static ArcStatus take_shape(ArcProblem *problem, const ArcExperiment *experiment,
                            const ArcCapture *capture, ArcError *err)
{
    if (experiment->equations != NULL)
        return arc_system_shape(problem, experiment, capture, err);
    problem->flight = experiment->flight;
    problem->release = experiment->release;
    problem->d = problem->n_axes = experiment->flight.settings.dimensions;
    problem->P = experiment->flight.n_parameters;
    problem->D = experiment->flight.n_coordinates;
    problem->Q = problem->P + 2 * problem->D;
    problem->t0_index = problem->P;
    if (capture->n_channels == 0 && capture->dimensions == problem->d)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, experiment->capture.place,
                            "the capture has %d axes, the flight %d dimensions; make them one",
                            capture->dimensions, problem->d);
}

static ArcStatus problem_fill(ArcProblem *problem, const ArcExperiment *experiment,
                              const ArcCapture *capture, ArcError *err)
{
    ArcStatus status = take_shape(problem, experiment, capture, err);
    if (status != ARC_OK)
        return status;
    problem->curriculum = experiment->curriculum;
    problem->pinn = experiment->pinn;
    problem->sigma_phys_ci95_m_s2[0] = problem->sigma_phys_ci95_m_s2[1] = NAN;
    problem->loss = experiment->loss;
    problem->sensor = experiment->capture.sensor;
    problem->sigma_estimated = experiment->capture.sigma_estimated;
    problem->sigma_factor = 1.0;
    problem->loss_dof_ci95[0] = problem->loss_dof_ci95[1] = NAN;
    problem->direct_tolerance = experiment->direct_tolerance;
    problem->starts = experiment->starts;
    problem->seed = experiment->seed;
    status = problem_take_parameters(problem, experiment, err);
    if (status == ARC_OK)
        status = arc_problem_take_arm(problem, experiment, err);
    if (status == ARC_OK)
        status = arc_problem_take_readings(problem, experiment, capture, err);
    if (status == ARC_OK)
        status = problem_take_targets(problem, experiment, err);
    if (status == ARC_OK && problem->equations == NULL)
        status = arc_view_create(experiment, capture, problem->arena, &problem->view, err);
    if (status == ARC_OK)
        status = problem_take_capture(problem, capture, err);
    if (status == ARC_OK)
        status = problem_take_sigmas(problem, err);
    if (status == ARC_OK && problem->n_observations == 0)
        status = arc_error_set_at(err, ARC_INPUT, experiment->capture.place,
                                  "no point to fit has a coordinate; nothing can be fitted");
    if (status == ARC_OK)
        problem_take_t0(problem, experiment, capture);
    if (status == ARC_OK)
        status = problem_settle_t0(problem, err);
    if (status == ARC_OK)
        status = problem->equations != NULL ? arc_system_create(problem, err)
                                            : arc_start_from_data(problem, err);
    if (status == ARC_OK && problem->has_arm)
        status = arc_start_arm(problem, err);
    if (status == ARC_OK)
        status = arc_swing_create(problem, capture->swing,
                                  experiment->capture.swing.file != NULL
                                      ? experiment->capture.swing.place
                                      : experiment->capture.place,
                                  err);
    if (status != ARC_OK)
        return status;
    problem_list_unknowns(problem);
    status = arc_sight_measure(problem, err);
    if (status != ARC_OK)
        return status;
    if (problem->n_free == 0)
        return arc_error_set_at(err, ARC_INPUT, problem->parameters[0].place,
                                "nothing to fit: every parameter is fixed");
    int spare = problem->n_observations + problem->n_priors - problem->n_free;
    if (problem->sigma_estimated && spare < 1)
        return arc_error_set_at(err, ARC_INPUT, experiment->capture.place,
                                "sigma cannot be estimated: %d numbers and %d priors for %d free "
                                "parameters leave no scatter; give a sigma, or fix parameters",
                                problem->n_observations, problem->n_priors, problem->n_free);
    return ARC_OK;
}

ArcStatus arc_problem_create(const ArcExperiment *experiment, const ArcCapture *capture,
                             ArcProblem **problem, ArcError *err)
{
    /* Sums in another order give other bits, and matrices this small gain nothing from threads. */
    if (openblas_get_num_threads() != 1)
        openblas_set_num_threads(1);
    ArcArena *arena = arc_arena_create();
    ArcProblem *result = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcProblem);
    if (result == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    result->arena = arena;
    ArcStatus status = problem_fill(result, experiment, capture, err);
    if (status == ARC_OK)
        *problem = result;
    else
        arc_arena_free(arena);
    return status;
}

void arc_problem_free(ArcProblem *problem)
{
    if (problem != NULL)
        arc_arena_free(problem->arena);
}
