/* Cases of fitting tests: experiments from text, captures flown from them, fits beside each other.
 * Include after cmocka.h. Everything fails the test that cannot be had. */
#ifndef FIT_CASE_H
#define FIT_CASE_H

#include "arcfit/fit.h"
#include "arcfit/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* n points on d axes for arc_capture_create. */
#define GIVEN(n, d, t, x, s)                                                                       \
    (&(ArcCapture){.n_points = n, .dimensions = d, .time_s = t, .position_m = x, .sigma_m = s})

/* The head of every experiment text; the capture's file is never read. */
#define CASE_HEAD "arcfit: 1\ncapture: {file: none.csv, sigma: 3 mm}\n"

static inline ArcExperiment *case_experiment(const char *text)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("case.yaml", text, strlen(text), 0, NULL, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

/* n points over span_s from t = 0, flown by the experiment text `truth`, from its seed or, unless
 * that is 0, the given one. */
static inline ArcCapture *case_capture_seed(const char *truth, int n, double span_s, double sigma_m,
                                            uint64_t seed)
{
    ArcError err;
    ArcExperiment *experiment = case_experiment(truth);
    ArcCapture *capture = NULL;
    double *t_s = calloc((size_t)n, sizeof *t_s);
    assert_non_null(t_s);
    for (int i = 0; i < n; i++)
        t_s[i] = span_s * i / (n - 1);
    if (seed != 0)
        experiment->seed = seed;
    ArcSimulateSettings settings = arc_simulate_settings_default();
    settings.sigma_m = sigma_m;
    if (arc_simulate_capture(experiment, n, t_s, settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    free(t_s);
    return capture;
}

static inline ArcCapture *case_capture(const char *truth, int n, double span_s, double sigma_m)
{
    return case_capture_seed(truth, n, span_s, sigma_m, 0);
}

static inline ArcProblem *case_problem(const char *text, const ArcCapture *capture)
{
    ArcError err;
    ArcExperiment *experiment = case_experiment(text);
    ArcProblem *problem = NULL;
    if (arc_problem_create(experiment, capture, &problem, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    return problem;
}

static inline ArcFit *case_fit(const char *text, const ArcCapture *capture, ArcMethod method)
{
    ArcError err;
    ArcProblem *problem = case_problem(text, capture);
    ArcFit *fit = NULL;
    if (arc_fit_run(problem, method, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_problem_free(problem);
    return fit;
}

static inline const ArcEstimate *case_find(int n, const ArcEstimate *estimates, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(estimates[i].name, name) == 0)
            return &estimates[i];
    fail_msg("there is no estimate '%s'", name);
    return NULL;
}

static inline const ArcEstimate *case_parameter(const ArcFit *fit, const char *name)
{
    return case_find(fit->n_parameters, fit->parameters, name);
}

static inline const ArcEstimate *case_derived(const ArcFit *fit, const char *name)
{
    return case_find(fit->n_derived, fit->derived, name);
}

/* Largest distance of two fits' identified parameters, in the second one's sds, and of the ratio of
 * sds from one. */
typedef struct CaseGap {
    double estimate_sd, sd_share;
} CaseGap;

static inline CaseGap case_gap(const ArcFit *fit, const ArcFit *reference)
{
    CaseGap gap = {0, 0};
    int compared = 0;
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *a = &fit->parameters[i], *b = &reference->parameters[i];
        if (a->free_index < 0 || a->status == ARC_PARAMETER_UNIDENTIFIED ||
            b->status == ARC_PARAMETER_UNIDENTIFIED)
            continue;
        double estimate = fabs(a->value - b->value) / b->sd, share = fabs(a->sd / b->sd - 1.0);
        /* Written so that what is not a number is the largest. */
        gap.estimate_sd = estimate <= gap.estimate_sd ? gap.estimate_sd : estimate;
        gap.sd_share = share <= gap.sd_share ? gap.sd_share : share;
        compared++;
    }
    assert_true(compared > 0);
    return gap;
}

/* The covariance of two parameters of a fit, zero where one is fixed. */
static inline double case_covariance(const ArcFit *fit, int i, int j)
{
    int k = fit->parameters[i].free_index, l = fit->parameters[j].free_index;
    return k < 0 || l < 0 ? 0.0 : fit->covariance[k * fit->n_free + l];
}

/* sd of a number with gradient (n_parameters). */
static inline double case_propagated(const ArcFit *fit, const double *gradient)
{
    double variance = 0.0;
    for (int i = 0; i < fit->n_parameters; i++)
        for (int j = 0; j < fit->n_parameters; j++)
            variance += gradient[i] * gradient[j] * case_covariance(fit, i, j);
    return sqrt(variance);
}

/* The scatter of a number over simulated captures beside the sd that each fit gives it. */
typedef struct CaseScatter {
    int n;
    double sum, square, sd;
} CaseScatter;

static inline void case_scatter_add(CaseScatter *scatter, double value, double sd)
{
    scatter->n++;
    scatter->sum += value;
    scatter->square += value * value;
    scatter->sd += sd;
}

/* With n draws the sd itself is known to sqrt(1 / 2n): 3 % with 600. Within three of that. */
static inline void case_scatter_check(const CaseScatter *s)
{
    double mean = s->sum / s->n, sd = sqrt(s->square / s->n - mean * mean);
    double off = s->sd / s->n / sd - 1.0, allowed = 3.0 / sqrt(2.0 * s->n);
    if (!(fabs(off) <= allowed))
        fail_msg("the sd is off by %.3f of the scatter, allowed %.3f", off, allowed);
}

#endif
