/* Result: runs what an experiment asks for and compares the two fits. */
#include "arcfit/result.h"

#include "arcfit/version.h"
#include "base/arena.h"
#include "fit/breach.h"

#include <math.h>
#include <string.h>

/* Methods that differ by more than this share of an sd differ. */
static const double agree_sd = 0.05;
static const double scatter_share = 3.0;

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
    arc_arena_free(result->arena);
}

int arc_result_exit_code(const ArcResult *result)
{
    for (int i = 0; i < result->n_fits; i++)
        if (!result->fits[i]->converged || result->fits[i]->n_unidentified > 0)
            return 1;
    return 0;
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
static bool differs(const ArcResult *result, const ArcComparison *comparison)
{
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN);
    const ArcFit *direct = arc_result_fit(result, ARC_DIRECT);
    for (int i = 0; i < comparison->n_parameters; i++) {
        double sd = direct->parameters[i].sd, wider = pinn->parameters[i].sd;
        double scatter = sqrt(fmax(wider * wider - sd * sd, 0.0));
        if (fabs(comparison->difference[i]) > agree_sd * sd + scatter_share * scatter)
            return true;
    }
    return false;
}

/* chi2 first: two methods can agree on a wrong model. */
static ArcVerdict judge(const ArcResult *result, const ArcComparison *comparison)
{
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN);
    for (int i = 0; i < result->n_fits; i++)
        if (!result->fits[i]->converged)
            return ARC_VERDICT_NOT_CONVERGED;
    if (comparison->chi2_p < ARC_MISFIT_P)
        return ARC_VERDICT_MISFIT;
    const ArcBreach *breach = &comparison->physics;
    if (breach->searched && !breach->tolerated && breach->p < ARC_MISFIT_P)
        return ARC_VERDICT_MISFIT;
    if (pinn != NULL && breaks_model(pinn))
        return ARC_VERDICT_MISFIT;
    if (!comparison->both)
        return ARC_VERDICT_NONE;
    return differs(result, comparison) ? ARC_VERDICT_DIFFER : ARC_VERDICT_AGREE;
}

ArcStatus arc_result_compare(ArcResult *result, ArcError *err)
{
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN),
                 *direct = arc_result_fit(result, ARC_DIRECT);
    const ArcFit *any = direct != NULL ? direct : pinn;
    ArcComparison comparison = {.both = pinn != NULL && direct != NULL,
                                .max_in_sd = NAN,
                                .trajectory_max_m = NAN,
                                .chi2_p = any->residuals.chi2_p,
                                .physics = result->comparison.physics};
    if (comparison.both) {
        size_t n = (size_t)direct->n_parameters;
        double *difference = ARC_ALLOC(result->arena, 2 * n, double), *in_sd = difference + n;
        if (difference == NULL)
            return arc_error_no_memory(err);
        comparison.max_in_sd = 0.0;
        for (size_t i = 0; i < n; i++) {
            const ArcEstimate *a = &pinn->parameters[i], *b = &direct->parameters[i];
            bool compared = b->free_index >= 0 && b->status != ARC_PARAMETER_UNIDENTIFIED &&
                            a->status != ARC_PARAMETER_UNIDENTIFIED;
            difference[i] = compared ? a->value - b->value : NAN;
            in_sd[i] = compared ? difference[i] / b->sd : NAN;
            if (compared)
                comparison.max_in_sd = fmax(comparison.max_in_sd, fabs(in_sd[i]));
        }
        comparison.n_parameters = (int)n;
        comparison.difference = difference;
        comparison.in_sd = in_sd;
        comparison.trajectory_max_m = trajectory_distance(pinn, direct);
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
    return ARC_OK;
}

static ArcStatus result_run(ArcResult *result, const ArcExperiment *experiment,
                            const ArcFitOptions *options, ArcError *err)
{
    ArcCapture *capture = NULL;
    ArcStatus status = arc_capture_read(&experiment->capture, &capture, err);
    if (status != ARC_OK)
        return status;
    result->capture = capture;
    ArcProblem *problem = NULL;
    status = arc_problem_create(experiment, capture, &problem, err);
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
    }
    const ArcFit *pinn = arc_result_fit(result, ARC_PINN);
    if (status == ARC_OK && pinn != NULL)
        status = arc_breach_find(problem, pinn, &result->comparison.physics, err);
    arc_problem_free(problem);
    return status;
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
