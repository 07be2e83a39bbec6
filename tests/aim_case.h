/* Cases of aiming tests: experiments from text, throws found for them. Include after cmocka.h. */
#ifndef AIM_CASE_H
#define AIM_CASE_H

#include "arcfit/aim.h"

#include <math.h>
#include <string.h>

#define AIM_HEAD "arcfit: 1\ncapture: {sigma: 2 mm}\nrelease: polar\n"

static inline ArcExperiment *aim_parse(const char *text)
{
    ArcError err;
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("aim.yaml", text, strlen(text), 0, NULL, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

static inline ArcAim *aim_find(const ArcExperiment *experiment)
{
    ArcError err;
    ArcAim *aim = NULL;
    if (arc_aim_find(experiment, NULL, NULL, &aim, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return aim;
}

static inline int aim_parameter(const ArcExperiment *experiment, const char *name)
{
    int i = arc_experiment_parameter(experiment, name);
    if (i < 0)
        fail_msg("no parameter %s", name);
    return i;
}

/* A value of a solution by its parameter's name. */
static inline double aim_value(const ArcAim *aim, int solution, const char *name)
{
    for (int k = 0; k < aim->n_parameters; k++)
        if (strcmp(aim->parameters[k].name, name) == 0)
            return aim->solutions[solution].values[k];
    fail_msg("no parameter %s", name);
    return NAN;
}

#endif
