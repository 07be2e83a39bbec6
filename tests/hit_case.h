/* Throws at a target: experiments from text, their goal filled in. Include after cmocka.h. */
#ifndef HIT_CASE_H
#define HIT_CASE_H

#include "aim/probability.h"
#include "fit_case.h"

#define HIT_DEGREE (M_PI / 180.0)

/* Rim and ball of basketball in metres. */
#define HIT_RIM_M 0.2286
#define HIT_HEIGHT_M 3.048

static inline ArcExperiment *hit_point(const char *text, double x, double y, double z)
{
    ArcExperiment *experiment = case_experiment(text);
    experiment->aim.goal = (ArcGoal){.kind = ARC_GOAL_POINT, .point_m = {x, y, z}};
    return experiment;
}

/* A hoop of radius 9 in; up is the experiment's. */
static inline ArcExperiment *hit_hoop(const char *text, double x, double y, double z)
{
    ArcExperiment *experiment = hit_point(text, x, y, z);
    experiment->aim.goal.kind = ARC_GOAL_HOOP;
    experiment->aim.goal.radius_m = HIT_RIM_M;
    return experiment;
}

/* An area across an axis, of half a size along all others. */
static inline ArcExperiment *hit_area(const char *text, int axis, double x, double y, double z,
                                      double half)
{
    ArcExperiment *experiment = hit_point(text, x, y, z);
    experiment->aim.goal.kind = ARC_GOAL_AREA;
    experiment->aim.goal.axis = axis;
    for (int c = 0; c < 3; c++)
        experiment->aim.goal.half_m[c] = c == axis ? 0.0 : half;
    return experiment;
}

static inline void hit_scatter(ArcExperiment *experiment, const char *name, double sd)
{
    int i = arc_experiment_parameter(experiment, name);
    assert_true(i >= 0);
    experiment->aim.scatter_sd[i] = sd;
}

static inline void hit_value(const ArcExperiment *experiment, double *values, const char *name,
                             double value)
{
    int i = arc_experiment_parameter(experiment, name);
    assert_true(i >= 0);
    values[i] = value;
}

/* All at their starts, what has none at 0. */
static inline void hit_values(const ArcExperiment *experiment, double *values)
{
    for (int i = 0; i < experiment->n_parameters; i++)
        values[i] =
            isfinite(experiment->parameters[i].start) ? experiment->parameters[i].start : 0.0;
}

#endif
