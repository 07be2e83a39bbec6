/* Predictions and residuals at the points of the capture, in metres and pixels. */
#include "fit/residuals.h"

#include "fit/arm_fit.h"
#include "fit/back.h"
#include "solve/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A used point at its true time, and all of them. */
typedef struct Moment {
    double time_s;
    int point;
} Moment;

typedef struct Moments {
    int n;
    Moment *list;
} Moments;

static double time_of(const ArcProblem *problem, const double *values, int point)
{
    double file_s = problem->point_time_s[point];
    const double *theta = values + arc_problem_first_measure(problem);
    return problem->view == NULL ? file_s : arc_view_time(problem->view, theta, point, file_s);
}

double arc_residuals_last_used(const ArcProblem *problem, const double *values)
{
    double last_s = -INFINITY;
    for (int i = 0; i < problem->n_points; i++)
        if (problem->point_use[i] != ARC_POINT_UNUSED)
            last_s = fmax(last_s, time_of(problem, values, i));
    return last_s;
}

static int compare_moments(const void *a, const void *b)
{
    const Moment *one = a, *other = b;
    if (one->time_s != other->time_s)
        return one->time_s < other->time_s ? -1 : 1;
    return one->point - other->point;
}

/* The used points by time; those before the release are left out of positions in metres. */
static void list_moments(const ArcProblem *problem, const double *values, Moments *moments)
{
    for (int i = 0; i < problem->n_points; i++) {
        double time_s = time_of(problem, values, i);
        bool is_early = !arc_problem_may_precede(problem) && time_s < values[problem->t0_index];
        if (problem->point_use[i] != ARC_POINT_UNUSED && !is_early)
            moments->list[moments->n++] = (Moment){time_s, i};
    }
    qsort(moments->list, (size_t)moments->n, sizeof *moments->list, compare_moments);
}

/* Positions (n, D) at the moments into x; NaN where they cannot be had. Where a clock is free the
 * first may lie before the release. */
static ArcStatus fly_moments(const ArcProblem *problem, const double *values,
                             const Moments *moments, const ArcTrajectory *trajectory, double *x,
                             ArcError *err)
{
    const ArcThrow thrown = {&problem->flight, problem->release, values};
    int before = 0, D = problem->D, n = moments->n;
    ArcArena *scratch = arc_arena_create();
    double *t = scratch == NULL ? NULL : ARC_ALLOC(scratch, (size_t)n, double);
    ArcStatus status = t == NULL ? arc_error_no_memory(err) : ARC_OK;
    for (int i = 0; t != NULL && i < n; i++) {
        t[i] = moments->list[i].time_s;
        before += t[i] < values[problem->t0_index];
    }
    bool known = status == ARC_OK;
    if (status == ARC_OK && before > 0) {
        ArcBack *back = NULL;
        const ArcSimOutput output = {.x = x};
        status = arc_back_create(&problem->flight, problem->direct_tolerance, before, false,
                                 scratch, &back, err);
        known = status == ARC_OK && arc_back_run(back, &thrown, before, t, &output);
    }
    if (known && before < n)
        known = trajectory->states(trajectory->context, n - before, t + before, x + before * D,
                                   NULL, NULL);
    for (int i = 0; !known && i < n * D; i++)
        x[i] = NAN;
    arc_arena_free(scratch);
    return status;
}

ArcStatus arc_residuals_predict(ArcFit *fit, const ArcProblem *problem, const double *values,
                                const ArcTrajectory *trajectory, ArcError *err)
{
    size_t points = (size_t)problem->n_points, d = (size_t)problem->d;
    double *predicted = ARC_ALLOC(fit->arena, points * d, double);
    double *seen = ARC_ALLOC(fit->arena, points * ARC_VIEW_NUMBERS, double);
    double *x = ARC_ALLOC(fit->arena, points * (size_t)problem->D, double);
    Moments moments = {.list = ARC_ALLOC(fit->arena, points, Moment)};
    if (predicted == NULL || seen == NULL || x == NULL || moments.list == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < points * d; i++)
        predicted[i] = NAN;
    for (size_t i = 0; i < points * ARC_VIEW_NUMBERS; i++)
        seen[i] = NAN;
    list_moments(problem, values, &moments);
    ArcStatus status = fly_moments(problem, values, &moments, trajectory, x, err);
    if (status != ARC_OK)
        return status;
    for (int i = 0; i < moments.n; i++) {
        int point = moments.list[i].point;
        ArcGlance glance = {.point = point,
                            .D = problem->D,
                            .file_s = problem->point_time_s[point],
                            .x = x + i * problem->D,
                            .y = seen + point * ARC_VIEW_NUMBERS};
        memcpy(predicted + (size_t)point * d, glance.x, sizeof(double) * d);
        if (problem->view != NULL)
            arc_view_look(problem->view, values + arc_problem_first_measure(problem), &glance);
    }
    fit->predicted_m = predicted;
    fit->predicted_px = problem->view != NULL ? seen : NULL;
    return ARC_OK;
}

/* Sums over the points of one camera, or of all in metres. */
typedef struct Sum {
    int points, observations, held;
    double square, held_square, chi2;
} Sum;

/* The factor of the sigmas of a point's camera, beside that of all. */
static double own_factor(const ArcProblem *problem, const double *values, int camera)
{
    if (problem->view == NULL)
        return 1.0;
    int m = problem->view->cameras[camera].parameter[ARC_MEASURE_SIGMA];
    return m < 0 ? 1.0 : values[arc_problem_first_measure(problem) + m];
}

/* The numbers of one point: what is predicted of them, measured, and their sigmas. */
static void add_point(const ArcFit *fit, const ArcProblem *problem, int point, double factor,
                      Sum *sum)
{
    const ArcView *view = problem->view;
    bool is_metres = view == NULL || view->cameras[view->camera[point]].is_metres;
    int n = is_metres ? problem->n_axes : ARC_VIEW_NUMBERS, from = point * n;
    const double *value = is_metres ? problem->point_position_m : problem->point_pixel_px;
    const double *sigma = is_metres ? problem->point_sigma_m : problem->point_sigma_px;
    const double *predicted =
        view == NULL ? fit->predicted_m + from : fit->predicted_px + point * ARC_VIEW_NUMBERS;
    bool is_held = problem->point_use[point] == ARC_POINT_HELD_OUT;
    sum->points += !is_held;
    for (int k = 0; k < n; k++) {
        double off = predicted[k] - value[from + k];
        if (!isfinite(value[from + k]) || (is_held && !isfinite(off)))
            continue;
        if (is_held) {
            sum->held_square += off * off;
            sum->held++;
            continue;
        }
        sum->square += off * off;
        double in_sigma = off / (sigma[from + k] * factor);
        sum->chi2 += in_sigma * in_sigma;
        sum->observations++;
    }
}

static double root_mean(double square, int n)
{
    return n > 0 ? sqrt(square / n) : NAN;
}

/* Sums by camera, the metres' last. */
static void add_points(const ArcFit *fit, const ArcProblem *problem, const double *values,
                       Sum *sums)
{
    for (int i = 0; i < problem->n_points; i++) {
        int camera = problem->view != NULL ? problem->view->camera[i] : 0;
        double factor = fit->spread.sigma_factor * own_factor(problem, values, camera);
        if (problem->point_use[i] != ARC_POINT_UNUSED)
            add_point(fit, problem, i, factor, &sums[camera]);
    }
}

int arc_residuals_n_held_out(const ArcFit *fit, const ArcProblem *problem, int camera)
{
    Sum sum = {0};
    for (int i = 0; i < problem->n_points; i++) {
        int seen_by = problem->view != NULL ? problem->view->camera[i] : 0;
        if (problem->point_use[i] == ARC_POINT_HELD_OUT && seen_by == camera)
            add_point(fit, problem, i, 1.0, &sum);
    }
    return sum.held;
}

static ArcStatus fill_cameras(const ArcFit *fit, const ArcProblem *problem, const double *values,
                              const Sum *sums, ArcCameraResiduals *cameras)
{
    for (int c = 0; c + 1 < problem->view->n_cameras; c++) {
        const char *name = problem->view->cameras[c].name;
        name = arc_arena_copy_text(fit->arena, name, strlen(name));
        if (name == NULL)
            return ARC_MEMORY;
        int m = problem->view->cameras[c].parameter[ARC_MEASURE_SIGMA];
        cameras[c] = (ArcCameraResiduals){
            .name = name,
            .points = sums[c].points,
            .observations = sums[c].observations,
            .rms_px = root_mean(sums[c].square, sums[c].observations),
            .chi2 = sums[c].chi2,
            .held_out_rms_px = root_mean(sums[c].held_square, sums[c].held),
            .sigma_factor = own_factor(problem, values, c),
            .sigma_factor_sd =
                m < 0 ? 0.0 : fit->parameters[arc_problem_first_measure(problem) + m].sd};
    }
    return ARC_OK;
}

ArcStatus arc_residuals_fill(ArcFit *fit, const ArcProblem *problem, const ArcOutcome *outcome,
                             double core_p, ArcError *err)
{
    int n = problem->view != NULL ? problem->view->n_cameras : 1;
    Sum *sums = ARC_ALLOC(fit->arena, (size_t)n, Sum), pixels = {0};
    ArcCameraResiduals *cameras = ARC_ALLOC(fit->arena, (size_t)n, ArcCameraResiduals);
    if (sums == NULL || cameras == NULL)
        return arc_error_no_memory(err);
    ArcResiduals r = {.points = problem->n_times,
                      .observations = problem->n_observations,
                      .n_readings = problem->n_readings,
                      .readings_chi2 = arc_problem_readings_chi2(problem, outcome->values),
                      .dof = arc_problem_n_observed(problem) + problem->n_priors - problem->n_free,
                      .physics_rms_m_s2 = outcome->physics_rms_m_s2,
                      .physics_rms_fine_m_s2 = outcome->physics_rms_fine_m_s2,
                      .sigma_phys_m_s2 = outcome->sigma_phys_m_s2,
                      .sigma_phys_ci95_m_s2 = {outcome->sigma_phys_ci95_m_s2[0],
                                               outcome->sigma_phys_ci95_m_s2[1]},
                      .n_cameras = n - 1,
                      .cameras = cameras};
    add_points(fit, problem, outcome->values, sums);
    for (int i = 0; i < problem->n_points; i++)
        r.held_out_points += problem->point_use[i] == ARC_POINT_HELD_OUT;
    for (int c = 0; c < n; c++)
        r.chi2 += sums[c].chi2;
    if (fit->arm != NULL && fit->arm->swing != NULL) {
        r.n_swing = fit->arm->swing->numbers;
        r.swing_chi2 = fit->arm->swing->chi2;
    }
    r.chi2 += r.readings_chi2 + r.swing_chi2;
    for (int c = 0; c < n - 1; c++) {
        pixels.square += sums[c].square;
        pixels.observations += sums[c].observations;
        pixels.held_square += sums[c].held_square;
        pixels.held += sums[c].held;
    }
    if (n > 1 && fill_cameras(fit, problem, outcome->values, sums, cameras) != ARC_OK)
        return arc_error_no_memory(err);
    for (int i = 0; i < problem->n_parameters; i++) {
        const ArcParameter *p = &problem->parameters[i];
        double off = (outcome->values[i] - p->prior_mean) / p->prior_sd;
        if (problem->free_index[i] >= 0 && p->has_prior)
            r.prior_chi2 += off * off;
    }
    const Sum *metres = &sums[n - 1];
    bool has_metres = problem->equations == NULL; /* channels have units of their own (states.h) */
    r.rms_m = has_metres ? root_mean(metres->square, metres->observations) : (double)NAN;
    r.rms_px = root_mean(pixels.square, pixels.observations);
    r.held_out_rms_m = has_metres ? root_mean(metres->held_square, metres->held) : (double)NAN;
    r.held_out_rms_px = root_mean(pixels.held_square, pixels.held);
    bool plain = fit->spread.loss.kind == ARC_LOSS_GAUSS && !fit->spread.sigma_estimated &&
                 problem->n_sigmas == 0;
    r.chi2_p = plain ? arc_statistics_chi2_p(r.chi2 + r.prior_chi2, r.dof) : core_p;
    fit->residuals = r;
    return ARC_OK;
}
