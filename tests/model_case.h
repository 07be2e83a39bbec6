/* Own equations for tests of what is built on them: a plug-in is compiled once in a suite, whatever
 * reads it how often. The suite is linked with --wrap of arc_equations_load and _free.
 * Include after cmocka.h. */
#ifndef MODEL_CASE_H
#define MODEL_CASE_H

#include "arcfit/equations.h"
#include "arcfit/experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MODEL_MOST = 8 };

ArcStatus __real_arc_equations_load(const char *path, ArcPlace place, ArcEquations **equations,
                                    ArcError *err);
ArcStatus __wrap_arc_equations_load(const char *path, ArcPlace place, ArcEquations **equations,
                                    ArcError *err);
void __real_arc_equations_free(ArcEquations *equations);
void __wrap_arc_equations_free(ArcEquations *equations);

static ArcEquations *model_loaded[MODEL_MOST];
static int n_model_loaded, n_model_freed;

ArcStatus __wrap_arc_equations_load(const char *path, ArcPlace place, ArcEquations **equations,
                                    ArcError *err)
{
    for (int i = 0; i < n_model_loaded; i++) {
        if (strcmp(model_loaded[i]->path, path) != 0)
            continue;
        *equations = model_loaded[i];
        return ARC_OK;
    }
    ArcStatus status = __real_arc_equations_load(path, place, equations, err);
    if (status != ARC_OK)
        return status;
    if (n_model_loaded == MODEL_MOST)
        fail_msg("too many plug-ins");
    model_loaded[n_model_loaded++] = *equations;
    return ARC_OK;
}

/* What others freed stays for the next. */
void __wrap_arc_equations_free(ArcEquations *equations)
{
    n_model_freed += equations != NULL;
}

/* For the suite's end. */
static inline int model_clear(void **state)
{
    (void)state;
    while (n_model_loaded > 0)
        __real_arc_equations_free(model_loaded[--n_model_loaded]);
    return 0;
}

/* Heads of experiments; tests run in the project's folder. */
#define MODEL_OF(name) "arcfit: 1\nmodel: {plugin: experiments/models/" name ".c}\n"
#define PENDULUM MODEL_OF("pendulum")
#define LORENZ MODEL_OF("lorenz")

static inline ArcStatus model_parse(const char *text, int n, const char *const *overrides,
                                    ArcExperiment **experiment, ArcError *err)
{
    return arc_experiment_parse("e.yaml", text, strlen(text), n, overrides, experiment, err);
}

static inline ArcExperiment *model_experiment(const char *text)
{
    ArcError err = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    if (model_parse(text, 0, NULL, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

#endif
