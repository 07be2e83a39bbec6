/* Result: runs what an experiment asks for and compares the two fits. */
#include "arcfit/result.h"

#include "arcfit/joint.h"
#include "arcfit/randomised.h"
#include "arcfit/version.h"
#include "base/arena.h"
#include "fit/breach.h"
#include "fit/system_fit.h"

#include <math.h>
#include <string.h>

const char *arc_verdict_text(ArcVerdict verdict)
{
    static const char *const texts[] = {"none", "agree", "misfit", "differ", "not converged"};
    return texts[verdict];
}

void arc_result_free(ArcResult *result)
{
    if (result == NULL)
        return;
    for (int i = 0; i < result->n_fits; i++)
        arc_fit_free((ArcFit *)(uintptr_t)result->fits[i]);
    arc_capture_free((ArcCapture *)(uintptr_t)result->capture);
    arc_captures_free(result->captures);
    arc_arena_free(result->arena);
}

int arc_result_exit_code(const ArcResult *result)
{
    for (int i = 0; i < result->n_fits; i++) {
        const ArcFit *fit = result->fits[i];
        if (!fit->converged || fit->n_unidentified > 0)
            return 1;
        for (int f = 0; f < fit->n_flights; f++)
            if (fit->flights[f].n_unidentified > 0)
                return 1;
    }
    return 0;
}

ArcResult arc_result_of_flight(const ArcResult *result, int flight)
{
    ArcResult one = *result;
    one.capture = result->flights[flight];
    one.n_flights = 0;
    one.flights = NULL;
    one.captures = NULL;
    one.comparison = (ArcComparison){.swing_max_rad = NAN, .worst_flight = -1, .worst_p = NAN};
    for (int i = 0; i < result->n_fits; i++)
        one.fits[i] = &result->fits[i]->flights[flight];
    return one;
}

const ArcFit *arc_result_fit(const ArcResult *result, ArcMethod method)
{
    for (int i = 0; i < result->n_fits; i++)
        if (result->fits[i]->method == method)
            return result->fits[i];
    return NULL;
}

const char *arc_result_setting(const ArcResult *result, const char *path)
{
    for (int i = 0; i < result->n_settings; i++)
        if (strcmp(result->setting_paths[i], path) == 0)
            return result->setting_values[i];
    return NULL;
}

static double trajectory_distance(const ArcFit *a, const ArcFit *b)
{
    double largest = 0.0; /* NaN as soon as one distance is */
    if (a->states != NULL && b->states != NULL)
        return arc_system_distance(a, b);
    for (int i = 0; i < a->n_trajectory && i < b->n_trajectory; i++) {
        double square = 0.0;
        for (int c = 0; c < a->dimensions; c++) {
            double off =
                a->position_m[i * a->dimensions + c] - b->position_m[i * a->dimensions + c];
            square += off * off;
        }
        if (!(square <= largest * largest))
            largest = sqrt(square);
        if (isnan(largest))
            break;
    }
    return largest;
}

/* The largest difference of a joint's angle; NaN where one has no swing. */
static double swing_distance(const ArcFit *a, const ArcFit *b)
{
    const ArcSwingFit *one = a->arm == NULL ? NULL : a->arm->swing;
    const ArcSwingFit *other = b->arm == NULL ? NULL : b->arm->swing;
    double largest = 0.0; /* NaN as soon as one difference is */
    if (one == NULL || other == NULL || one->n_joints != other->n_joints)
        return NAN;
    int n = one->n_times < other->n_times ? one->n_times : other->n_times;
    for (int i = 0; i < n * one->n_joints && !isnan(largest); i++) {
        double off = fabs(one->theta_rad[i] - other->theta_rad[i]);
        if (!(off <= largest))
            largest = off;
    }
    return largest;
}

static bool breaks_swing(const ArcFit *pinn)
{
    const ArcSwingFit *swing = pinn->arm == NULL ? NULL : pinn->arm->swing;
    bool breaks = swing != NULL && swing->physics_rms_fine_rad_s2 > swing->sigma_phys_rad_s2;
    for (int f = 0; f < pinn->n_flights && !breaks; f++)
        breaks = breaks_swing(&pinn->flights[f]);
    return breaks;
}

/* A sigma_phys chosen by the data tells nothing of a missing force as long as its interval holds
 * exact physics: its lower end is then 0. */
static bool breaks_model(const ArcFit *pinn)
{
    const ArcResiduals *r = &pinn->residuals;
    return r->physics_rms_fine_m_s2 > r->sigma_phys_m_s2 && r->sigma_phys_ci95_m_s2[0] != 0.0;
}

/* Whether an estimate of the PINN is further from the direct one than the two can be: by rounding
 * and tolerances, or, where the PINN's is the less certain since its flight may break the model, by
 * the scatter of what it knows less, whose variance is the difference of the two (Hausman,
 * Econometrica 46 (1978) 1251). */
static bool fits_differ(const ArcFit *pinn, const ArcFit *direct, const double *difference)
{
    for (int i = 0; i < direct->n_parameters; i++) {
        double sd = arc_randomised_noise_sd(direct, i), wider = arc_randomised_noise_sd(pinn, i);
        double scatter = sqrt(fmax(wider * wider - sd * sd, 0.0));
        if (fabs(difference[i]) > ARC_AGREE_SD * sd + ARC_AGREE_SCATTER * scatter)
            return true;
    }
    return false;
}

static bool differs(const ArcResult *result, const ArcComparison *comparison)
{
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN);
    const ArcFit *direct = arc_result_fit(result, ARC_DIRECT);
    bool differ = fits_differ(pinn, direct, comparison->difference);
    for (int f = 0; f < comparison->n_flights && !differ; f++)
        differ =
            fits_differ(&pinn->flights[f], &direct->flights[f], comparison->flights[f].difference);
    return differ;
}

/* chi2 first: two methods can agree on a wrong model. */
static ArcVerdict judge(const ArcResult *result, const ArcComparison *comparison)
{
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN);
    for (int i = 0; i < result->n_fits; i++)
        if (!result->fits[i]->converged)
            return ARC_VERDICT_NOT_CONVERGED;
    if (comparison->chi2_p < ARC_MISFIT_P ||
        (result->n_flights > 0 && comparison->worst_p < ARC_MISFIT_P))
        return ARC_VERDICT_MISFIT;
    const ArcBreach *breach = &comparison->physics;
    if (breach->searched && !breach->tolerated && breach->p < ARC_MISFIT_P)
        return ARC_VERDICT_MISFIT;
    if (pinn != NULL && (breaks_model(pinn) || breaks_swing(pinn)))
        return ARC_VERDICT_MISFIT;
    if (!comparison->both)
        return ARC_VERDICT_NONE;
    return differs(result, comparison) ? ARC_VERDICT_DIFFER : ARC_VERDICT_AGREE;
}

/* difference and in_sd (n_parameters each, one behind the other) of two fits of the same flight;
 * returns the largest in_sd. */
static double compare_fits(const ArcFit *pinn, const ArcFit *direct, double *difference)
{
    int n = direct->n_parameters;
    double *in_sd = difference + n, most = 0.0;
    for (int i = 0; i < n; i++) {
        const ArcEstimate *a = &pinn->parameters[i], *b = &direct->parameters[i];
        bool has_sd = b->free_index >= 0 || (b->status == ARC_PARAMETER_TIED && b->sd > 0.0);
        bool compared = has_sd && b->status != ARC_PARAMETER_UNIDENTIFIED &&
                        a->status != ARC_PARAMETER_UNIDENTIFIED;
        difference[i] = compared ? a->value - b->value : NAN;
        in_sd[i] = compared ? difference[i] / arc_randomised_noise_sd(direct, i) : NAN;
        if (compared)
            most = fmax(most, fabs(in_sd[i]));
    }
    return most;
}

/* Of several flights each by itself; the worst counts for the whole. */
static ArcStatus compare_flights(ArcResult *result, const ArcFit *pinn, const ArcFit *direct,
                                 ArcComparison *comparison, ArcError *err)
{
    int n = direct->n_flights;
    ArcFlightComparison *flights = ARC_ALLOC(result->arena, (size_t)n, ArcFlightComparison);
    if (flights == NULL)
        return arc_error_no_memory(err);
    comparison->trajectory_max_m = 0.0;
    for (int f = 0; f < n; f++) {
        const ArcFit *a = &pinn->flights[f], *b = &direct->flights[f];
        size_t size = (size_t)b->n_parameters;
        double *difference = ARC_ALLOC(result->arena, 2 * size, double);
        if (difference == NULL)
            return arc_error_no_memory(err);
        flights[f] = (ArcFlightComparison){.difference = difference,
                                           .in_sd = difference + size,
                                           .max_in_sd = compare_fits(a, b, difference),
                                           .trajectory_max_m = trajectory_distance(a, b)};
        comparison->max_in_sd = fmax(comparison->max_in_sd, flights[f].max_in_sd);
        if (!(flights[f].trajectory_max_m <= comparison->trajectory_max_m))
            comparison->trajectory_max_m = flights[f].trajectory_max_m;
        /* fmax passes over those that have no swing. */
        comparison->swing_max_rad = fmax(comparison->swing_max_rad, swing_distance(a, b));
    }
    comparison->n_flights = n;
    comparison->flights = flights;
    return ARC_OK;
}

/* Of those that have a p: with few points a flight has no degree of freedom. */
static void find_worst(const ArcFit *fit, ArcComparison *comparison)
{
    for (int f = 0; f < fit->n_flights; f++) {
        double p = fit->flights[f].residuals.chi2_p * fit->n_flights;
        /* One without degrees of freedom has no p, and is not the worst where another has. */
        if (comparison->worst_flight < 0 || (!isnan(p) && !(p >= comparison->worst_p))) {
            comparison->worst_flight = f;
            comparison->worst_p = p;
        }
    }
}

ArcStatus arc_result_compare(ArcResult *result, ArcError *err)
{
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN),
                 *direct = arc_result_fit(result, ARC_DIRECT);
    const ArcFit *any = direct != NULL ? direct : pinn;
    ArcComparison comparison = {.both = pinn != NULL && direct != NULL,
                                .max_in_sd = NAN,
                                .trajectory_max_m = NAN,
                                .swing_max_rad = NAN,
                                .chi2_p = any->residuals.chi2_p,
                                .worst_flight = -1,
                                .worst_p = NAN,
                                .physics = result->comparison.physics};
    find_worst(any, &comparison);
    if (comparison.both) {
        size_t n = (size_t)direct->n_parameters;
        double *difference = ARC_ALLOC(result->arena, 2 * n, double);
        if (difference == NULL)
            return arc_error_no_memory(err);
        comparison.max_in_sd = compare_fits(pinn, direct, difference);
        comparison.n_parameters = (int)n;
        comparison.difference = difference;
        comparison.in_sd = difference + n;
        comparison.trajectory_max_m = trajectory_distance(pinn, direct);
        comparison.swing_max_rad = swing_distance(pinn, direct);
        ArcStatus status = direct->n_flights > 0
                               ? compare_flights(result, pinn, direct, &comparison, err)
                               : ARC_OK;
        if (status != ARC_OK)
            return status;
    }
    comparison.verdict = judge(result, &comparison);
    result->comparison = comparison;
    return ARC_OK;
}

static const char *copy_text(ArcArena *arena, const char *text)
{
    return arc_arena_copy_text(arena, text, strlen(text));
}

/* Copies n texts; NULL on exhaustion. */
static const char *const *copy_texts(ArcArena *arena, int n, const char *const *texts)
{
    const char **copies = ARC_ALLOC(arena, (size_t)n, const char *);
    for (int i = 0; i < n && copies != NULL; i++) {
        copies[i] = copy_text(arena, texts[i]);
        if (copies[i] == NULL)
            return NULL;
    }
    return copies;
}

/* The plug-in as it was compiled, so that predictions need no file that may change. */
static ArcStatus describe_model(ArcResult *result, const ArcEquations *equations, ArcError *err)
{
    if (equations == NULL)
        return ARC_OK;
    result->model_path = copy_text(result->arena, equations->path);
    result->model_text = copy_text(result->arena, equations->text);
    return result->model_path == NULL || result->model_text == NULL ? arc_error_no_memory(err)
                                                                    : ARC_OK;
}

static ArcStatus result_describe(ArcResult *result, const ArcExperiment *experiment,
                                 int n_overrides, const char *const *overrides, ArcError *err)
{
    ArcArena *arena = result->arena;
    result->version = ARC_VERSION;
    result->experiment_path = copy_text(arena, experiment->path);
    result->experiment_text = copy_text(arena, experiment->text);
    result->name = copy_text(arena, experiment->name);
    result->seed = experiment->seed;
    result->n_settings = experiment->n_settings;
    result->setting_paths = copy_texts(arena, experiment->n_settings, experiment->setting_paths);
    result->setting_values = copy_texts(arena, experiment->n_settings, experiment->setting_values);
    result->n_overrides = n_overrides;
    result->overrides = copy_texts(arena, n_overrides, overrides);
    if (result->experiment_path == NULL || result->experiment_text == NULL ||
        result->name == NULL || result->setting_paths == NULL || result->setting_values == NULL ||
        result->overrides == NULL)
        return arc_error_no_memory(err);
    return describe_model(result, experiment->equations, err);
}

static ArcStatus run_one(ArcResult *result, const ArcExperiment *experiment,
                         const ArcFitOptions *options, ArcError *err)
{
    ArcProblem *problem = NULL;
    ArcStatus status = arc_problem_create(experiment, result->capture, &problem, err);
    const ArcMethod methods[] = {ARC_PINN, ARC_DIRECT};
    for (int i = 0; i < 2 && status == ARC_OK; i++) {
        if (!(methods[i] == ARC_PINN ? experiment->use_pinn : experiment->use_direct))
            continue;
        ArcFit *fit = NULL;
        status = arc_fit_run(problem, methods[i], options, &fit, err);
        if (status != ARC_OK)
            break;
        result->fits[result->n_fits++] = fit;
        status = arc_uncertainty_run(problem, &experiment->uncertainty, options, fit, err);
        if (status == ARC_OK)
            status = arc_randomised_run(experiment, 1, &result->capture, options, fit, err);
    }
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN);
    if (status == ARC_OK && pinn != NULL)
        status = arc_breach_find(problem, pinn, &result->comparison.physics, err);
    arc_problem_free(problem);
    return status;
}

static ArcStatus run_several(ArcResult *result, const ArcExperiment *experiment,
                             const ArcFitOptions *options, ArcError *err)
{
    ArcJoint *joint = NULL;
    ArcStatus status =
        arc_joint_create(experiment, result->n_flights, result->flights, &joint, err);
    const ArcMethod methods[] = {ARC_PINN, ARC_DIRECT};
    for (int i = 0; i < 2 && status == ARC_OK; i++) {
        if (!(methods[i] == ARC_PINN ? experiment->use_pinn : experiment->use_direct))
            continue;
        ArcFit *fit = NULL;
        status = arc_joint_fit(joint, methods[i], options, &fit, err);
        if (status != ARC_OK)
            break;
        result->fits[result->n_fits++] = fit;
        status =
            arc_randomised_run(experiment, result->n_flights, result->flights, options, fit, err);
    }
    arc_joint_free(joint);
    return status;
}

/* The arrays of a capture that has them, as what can be written. */
typedef struct Arrays {
    double *time_s, *position_m, *sigma_m, *pixel_px, *sigma_px, *radius_px, *sigma_radius_px;
    ArcPointUse *use;
    int *line, *camera;
} Arrays;

static bool arrays_create(ArcArena *arena, size_t n, size_t d, Arrays *arrays)
{
    double *numbers = ARC_ALLOC(arena, n * (6 + 2 * d), double);
    arrays->use = ARC_ALLOC(arena, n, ArcPointUse);
    arrays->line = ARC_ALLOC(arena, 2 * n, int);
    if (numbers == NULL || arrays->use == NULL || arrays->line == NULL)
        return false;
    arrays->time_s = numbers;
    arrays->position_m = arrays->time_s + n;
    arrays->sigma_m = arrays->position_m + n * d;
    arrays->pixel_px = arrays->sigma_m + n * d;
    arrays->sigma_px = arrays->pixel_px + 2 * n;
    arrays->radius_px = arrays->sigma_px + n;
    arrays->sigma_radius_px = arrays->radius_px + n;
    arrays->camera = arrays->line + n;
    return true;
}

static void arrays_add(const Arrays *arrays, size_t at, const ArcCapture *one)
{
    size_t n = (size_t)one->n_points, d = (size_t)one->dimensions, bytes = n * sizeof(double);
    memcpy(arrays->time_s + at, one->time_s, bytes);
    memcpy(arrays->position_m + at * d, one->position_m, bytes * d);
    memcpy(arrays->sigma_m + at * d, one->sigma_m, bytes * d);
    memcpy(arrays->use + at, one->use, n * sizeof *arrays->use);
    memcpy(arrays->line + at, one->line, n * sizeof(int));
    if (one->n_cameras == 0)
        return;
    memcpy(arrays->camera + at, one->camera, n * sizeof(int));
    memcpy(arrays->pixel_px + 2 * at, one->pixel_px, 2 * bytes);
    memcpy(arrays->sigma_px + at, one->sigma_px, bytes);
    memcpy(arrays->radius_px + at, one->radius_px, bytes);
    memcpy(arrays->sigma_radius_px + at, one->sigma_radius_px, bytes);
}

/* The points of all flights, one behind the other; the cameras are those of the first. */
static ArcStatus merge_captures(ArcResult *result, const ArcCaptures *captures, ArcError *err)
{
    const ArcCapture *first = captures->captures[0], *last = captures->captures[captures->n - 1];
    size_t n = 0, at = 0;
    Arrays arrays;
    for (int f = 0; f < captures->n; f++)
        n += (size_t)captures->captures[f]->n_points;
    ArcCapture *merged = ARC_ALLOC(result->arena, 1, ArcCapture);
    if (merged == NULL || !arrays_create(result->arena, n, (size_t)first->dimensions, &arrays))
        return arc_error_no_memory(err);
    *merged = (ArcCapture){.n_points = (int)n,
                           .dimensions = first->dimensions,
                           .n_channels = first->n_channels,
                           .channels = first->channels,
                           .time_s = arrays.time_s,
                           .position_m = arrays.position_m,
                           .sigma_m = arrays.sigma_m,
                           .use = arrays.use,
                           .line = arrays.line};
    if (first->n_cameras > 0) {
        merged->n_cameras = first->n_cameras;
        merged->cameras = first->cameras;
        merged->camera_files = first->camera_files;
        merged->camera = arrays.camera;
        merged->pixel_px = arrays.pixel_px;
        merged->sigma_px = arrays.sigma_px;
        merged->radius_px = arrays.radius_px;
        merged->sigma_radius_px = arrays.sigma_radius_px;
    }
    merged->file = strcmp(first->file, last->file) == 0
                       ? first->file
                       : arc_arena_format(result->arena, "%s to %s", first->file, last->file);
    for (int f = 0; f < captures->n; f++) {
        const ArcCapture *one = captures->captures[f];
        arrays_add(&arrays, at, one);
        merged->n_fit += one->n_fit;
        merged->n_held_out += one->n_held_out;
        at += (size_t)one->n_points;
    }
    result->capture = merged;
    return merged->file == NULL ? arc_error_no_memory(err) : ARC_OK;
}

static ArcStatus result_run(ArcResult *result, const ArcExperiment *experiment,
                            const ArcFitOptions *options, ArcError *err)
{
    ArcCaptures *captures = NULL;
    ArcStatus status =
        arc_captures_read(experiment->n_captures, experiment->captures, &captures, err);
    if (status != ARC_OK)
        return status;
    result->captures = captures;
    /* A closure's weights are shared unknowns, of one flight too. */
    if (captures->n > 1 || experiment->closure.is_on) {
        result->n_flights = captures->n;
        result->flights = captures->captures;
        status = run_several(result, experiment, options, err);
        return status == ARC_OK ? merge_captures(result, captures, err) : status;
    }
    ArcCapture *alias = ARC_ALLOC(result->arena, 1, ArcCapture);
    if (alias == NULL)
        return arc_error_no_memory(err);
    *alias = *captures->captures[0];
    alias->arena = NULL; /* captures own it */
    result->capture = alias;
    return run_one(result, experiment, options, err);
}

ArcStatus arc_result_create(const ArcExperiment *experiment, int n_overrides,
                            const char *const *overrides, const ArcFitOptions *options,
                            ArcResult **result, ArcError *err)
{
    ArcArena *arena = arc_arena_create();
    ArcResult *made = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcResult);
    if (made == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    made->arena = arena;
    ArcStatus status = result_describe(made, experiment, n_overrides, overrides, err);
    if (status == ARC_OK)
        status = result_run(made, experiment, options, err);
    if (status == ARC_OK)
        status = arc_result_compare(made, err);
    if (status == ARC_OK)
        *result = made;
    else
        arc_result_free(made);
    return status;
}
