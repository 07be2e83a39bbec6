/* Problems and fits of own equations for tests: experiments from text, data by the simulator.
 * Include after model_case.h and fit_case.h. */
#ifndef SYSTEM_CASE_H
#define SYSTEM_CASE_H

#define COUPLED "arcfit: 1\nmodel: {plugin: tests/models/coupled.c}\n"

/* n points at t_s of the channels (a bit each) by the experiment's values; their scatter is this
 * share of the capture's sigmas, which they state. */
static inline ArcCapture *system_capture(const char *text, int n, const double *t_s,
                                         uint32_t channels, double share, uint64_t seed)
{
    ArcError err;
    ArcExperiment *experiment = model_experiment(text);
    ArcCapture *drawn = NULL, *capture = NULL;
    ArcSimulateSettings settings = experiment->simulate;
    int C = experiment->equations->n_channels;
    settings.channels = channels;
    for (int c = 0; c < C; c++)
        settings.channel_sigma[c] = share * experiment->capture.channel_sigma[c];
    experiment->seed = seed;
    if (arc_simulate_capture(experiment, n, t_s, settings, &drawn, &err) != ARC_OK)
        fail_msg("%s", err.text);
    double *sigma = calloc((size_t)(n * C), sizeof *sigma);
    assert_non_null(sigma);
    for (int i = 0; i < n * C; i++)
        sigma[i] = experiment->capture.channel_sigma[i % C];
    ArcCapture given = *drawn;
    given.sigma_m = sigma;
    given.channels = experiment->equations->channels;
    if (arc_capture_create(&given, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    free(sigma);
    arc_capture_free(drawn);
    arc_experiment_free(experiment);
    return capture;
}

/* The same at n equal times over span_s. */
static inline ArcCapture *system_capture_over(const char *text, int n, double span_s,
                                              uint32_t channels, double share, uint64_t seed)
{
    double t_s[1024];
    assert_true(n <= 1024);
    for (int i = 0; i < n; i++)
        t_s[i] = span_s * i / (n - 1);
    return system_capture(text, n, t_s, channels, share, seed);
}

/* The equations belong to the suite, so that the problem outlives its experiment. */
static inline ArcProblem *system_problem(const char *text, const ArcCapture *capture)
{
    ArcError err;
    ArcExperiment *experiment = model_experiment(text);
    ArcProblem *problem = NULL;
    if (arc_problem_create(experiment, capture, &problem, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_experiment_free(experiment);
    return problem;
}

static inline ArcFit *system_fit(const char *text, const ArcCapture *capture, ArcMethod method)
{
    ArcError err;
    ArcProblem *problem = system_problem(text, capture);
    ArcFit *fit = NULL;
    if (arc_fit_run(problem, method, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_problem_free(problem);
    return fit;
}

#endif
