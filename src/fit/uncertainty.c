/* Uncertainty beyond the covariance: what was asked for, one after the other. */
#include "fit/uncertainty.h"

#include "fit/objectives.h"
#include "fit/scale.h"

#include <string.h>

enum { REFIT_STEPS = 100 };

const char *arc_profile_end_text(ArcProfileEnd end)
{
    static const char *const texts[] = {"found", "bound", "open", "lost"};
    return texts[end];
}

const char *arc_profile_kind_text(ArcProfileKind kind)
{
    static const char *const texts[] = {"identifiable", "open-below", "open-above", "open", "flat"};
    return texts[kind];
}

int arc_explorer_threads(const ArcExplorer *explorer, int n)
{
    int threads = explorer->options == NULL ? 1 : explorer->options->threads;
    threads = threads < n ? threads : n;
    return threads > 1 ? threads : 1;
}

bool arc_explorer_is_interrupted(const ArcExplorer *explorer)
{
    bool interrupted;
#pragma omp atomic read
    interrupted = explorer->interrupted;
    return interrupted;
}

bool arc_explorer_tell(ArcExplorer *explorer, const char *activity, int done, int total)
{
    const ArcFitOptions *options = explorer->options;
    const ArcProblem *problem = explorer->problem;
    if (options == NULL || options->progress == NULL)
        return true;
    ArcProgressState state = {.method = explorer->fit->method,
                              .optimizer = activity,
                              .done = done,
                              .steps = total,
                              .n_parameters = problem->n_parameters,
                              .parameters = problem->parameters,
                              .values = problem->start};
    bool goes_on = true;
#pragma omp critical(arc_progress)
    {
        goes_on = !explorer->interrupted && options->progress(options->context, &state);
#pragma omp atomic write
        explorer->interrupted = !goes_on;
    }
    return goes_on;
}

void arc_refit_keep_net(const ArcFit *fit, bool has_swing, ArcPinnSettings *pinn)
{
    pinn->physics_auto = false;
    pinn->sigma_phys_m_s2 = fit->residuals.sigma_phys_m_s2;
    if (has_swing)
        return;
    pinn->net_auto = false;
    pinn->net = fit->net.settings;
    pinn->collocation = fit->net.collocation;
    pinn->n_stages = 1;
    pinn->stages[0] = (ArcStage){.optimizer = ARC_OPTIMIZER_LINEAR, .steps = REFIT_STEPS};
}

static void *copy_of(ArcArena *arena, const void *from, size_t count, size_t size)
{
    void *copy = arc_arena_alloc(arena, count, size);
    if (copy != NULL && count > 0)
        memcpy(copy, from, count * size);
    return copy;
}

ArcProblem *arc_refit_problem(const ArcExplorer *explorer, const double *values, ArcArena *arena)
{
    const ArcProblem *from = explorer->problem;
    size_t n = (size_t)from->n_parameters, n_free = (size_t)from->n_free;
    int numbers = from->n_axes > ARC_VIEW_NUMBERS ? from->n_axes : ARC_VIEW_NUMBERS;
    size_t rows = (size_t)from->n_times * (size_t)numbers;
    ArcProblem *copy = copy_of(arena, from, 1, sizeof *from);
    if (copy == NULL)
        return NULL;
    copy->start = copy_of(arena, values, n, sizeof(double));
    copy->parameters = copy_of(arena, from->parameters, n, sizeof(ArcParameter));
    copy->low = copy_of(arena, from->low, n_free, sizeof(double));
    copy->high = copy_of(arena, from->high, n_free, sizeof(double));
    copy->observations = ARC_ALLOC(arena, rows, ArcObservation);
    copy->readings =
        copy_of(arena, from->readings, (size_t)from->n_readings, sizeof(ArcProblemReading));
    if (copy->start == NULL || copy->parameters == NULL || copy->low == NULL ||
        copy->high == NULL || copy->observations == NULL || copy->readings == NULL)
        return NULL;
    memcpy(copy->observations, from->observations,
           sizeof(ArcObservation) * (size_t)from->n_observations);
    if (from->swing != NULL) {
        ArcProblem *swing = copy_of(arena, from->swing, 1, sizeof *swing);
        if (swing == NULL)
            return NULL;
        swing->observations = copy_of(arena, swing->observations, (size_t)swing->n_observations,
                                      sizeof(ArcObservation));
        if (swing->observations == NULL)
            return NULL;
        copy->swing = swing;
    }
    copy->starts = 1;
    copy->n_poses = 1;
    copy->curriculum = (ArcCurriculum){0}; /* it begins at an estimate */
    if (explorer->fit->method == ARC_PINN)
        arc_refit_keep_net(explorer->fit, from->swing != NULL, &copy->pinn);
    return copy;
}

ArcStatus arc_refit_run(const ArcExplorer *explorer, const ArcProblem *problem, ArcStarts **starts,
                        ArcError *err)
{
    /* The hidden layers are the fit's; parameters begin where the problem says. */
    ArcFit begin = *explorer->fit;
    begin.n_parameters = 0;
    bool keeps_net = begin.method == ARC_PINN && problem->swing == NULL;
    const ArcFitOptions options = {.warm_start = keeps_net ? &begin : NULL};
    return arc_starts_run(problem, begin.method, &options, false, starts, err);
}

ArcStatus arc_explorer_rows(const ArcExplorer *explorer, ArcArena *arena, ArcRows **rows,
                            ArcError *err)
{
    const ArcFit *fit = explorer->fit;
    double values[ARC_MAX_PARAMETERS], u[ARC_MAX_PARAMETERS], *flown;
    for (int i = 0; i < fit->n_parameters; i++)
        values[i] = fit->parameters[i].value;
    const ArcProblem *problem = explorer->problem;
    for (int k = 0; k < problem->n_free; k++)
        u[k] = values[problem->free_parameter[k]];
    ArcObjective objective;
    ArcTrajectory states;
    ArcRows *made = NULL;
    ArcStatus status = arc_direct_objective(problem, arena, &objective, &states, &flown, err);
    if (status == ARC_OK)
        status = arc_rows_create(&objective, problem->n_observations, arena, &made, err);
    *rows = NULL;
    if (status != ARC_OK || !arc_rows_look(made, &problem->loss, u))
        return status;
    *rows = made;
    return arc_rows_weigh(made, arena, err);
}

static ArcStatus run_profiles(ArcExplorer *explorer, const ArcUncertaintySettings *settings,
                              ArcUncertainty *uncertainty, ArcError *err)
{
    ArcArena *arena = explorer->fit->arena;
    int n = explorer->problem->n_parameters;
    ArcProfile *profiles = ARC_ALLOC(arena, (size_t)n, ArcProfile);
    ArcStatus status = profiles == NULL ? arc_error_no_memory(err) : ARC_OK;
    uncertainty->profiles = profiles;
    for (int i = 0; i < n && status == ARC_OK && !explorer->interrupted; i++) {
        if ((settings->profiles >> i & 1u) == 0 || explorer->problem->free_index[i] < 0)
            continue;
        status = arc_profile_run(explorer, i, &profiles[uncertainty->n_profiles], err);
        uncertainty->n_profiles += status == ARC_OK && !explorer->interrupted;
    }
    return status;
}

ArcStatus arc_uncertainty_run(const ArcProblem *problem, const ArcUncertaintySettings *settings,
                              const ArcFitOptions *options, ArcFit *fit, ArcError *err)
{
    if (settings->profiles == 0 && settings->bootstrap == 0 && settings->sample == 0)
        return ARC_OK;
    ArcUncertainty *uncertainty = ARC_ALLOC(fit->arena, 1, ArcUncertainty);
    const ArcProblem *kept = arc_scale_keep(problem, fit, fit->arena);
    ArcExplorer explorer = {.problem = kept, .fit = fit, .options = options};
    if (uncertainty == NULL || kept == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = ARC_OK;
    if (!fit->converged) {
        uncertainty->note = "the fit did not converge, so that there is no minimum to start from";
    } else {
        if (settings->profiles != 0)
            status = run_profiles(&explorer, settings, uncertainty, err);
        if (status == ARC_OK && settings->bootstrap > 0 && !explorer.interrupted)
            status = arc_bootstrap_run(&explorer, settings, uncertainty, err);
        if (status == ARC_OK && settings->sample > 0 && fit->method == ARC_DIRECT &&
            !explorer.interrupted)
            status = arc_sample_run(&explorer, settings->sample, uncertainty, err);
        if (explorer.interrupted)
            uncertainty->note = "it was interrupted";
    }
    if (status == ARC_OK)
        fit->uncertainty = uncertainty;
    return status;
}
