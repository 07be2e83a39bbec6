/* Fits with what is asked beyond their covariance. Include after fit_case.h. */
#ifndef UNCERTAINTY_CASE_H
#define UNCERTAINTY_CASE_H

#include "arcfit/uncertainty.h"

/* The fit of text to capture with what text's fit: asks for. */
static inline ArcFit *case_explore(const char *text, const ArcCapture *capture, ArcMethod method,
                                   int threads)
{
    ArcError err;
    ArcExperiment *experiment = case_experiment(text);
    ArcProblem *problem = case_problem(text, capture);
    ArcFit *fit = case_fit(text, capture, method);
    const ArcFitOptions options = {.threads = threads};
    if (arc_uncertainty_run(problem, &experiment->uncertainty, &options, fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_non_null(fit->uncertainty);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    return fit;
}

static inline const ArcProfile *case_profile(const ArcFit *fit, const char *name)
{
    const ArcUncertainty *u = fit->uncertainty;
    for (int i = 0; i < u->n_profiles; i++)
        if (strcmp(fit->parameters[u->profiles[i].parameter].name, name) == 0)
            return &u->profiles[i];
    fail_msg("there is no profile of '%s'", name);
    return NULL;
}

#endif
