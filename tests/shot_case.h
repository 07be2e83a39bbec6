/* Throws at goals from experiments' texts, and numbers of them against central differences by every
 * parameter. Include after cmocka.h. */
#ifndef SHOT_CASE_H
#define SHOT_CASE_H

#include "aim/shot.h"
#include "fit_case.h"

#define SHOT_HEAD "arcfit: 1\ncapture: {sigma: 2 mm}\n"
#define SHOT_BALL "ball: basketball, drag: quadratic"

enum { SHOT_ROWS = 40, SHOT_STEPS = 7 };

typedef struct ShotCase {
    ArcArena *arena;
    ArcExperiment *experiment;
    ArcShot *shot;
    double values[ARC_MAX_PARAMETERS];
    int n;
} ShotCase;

/* Every parameter at its start; goal as it is, its place apart. */
static inline ShotCase shot_case(const char *text, ArcGoal goal)
{
    ShotCase c = {.arena = arc_arena_create(), .experiment = case_experiment(text)};
    ArcError err;
    c.experiment->aim.goal = goal;
    c.n = c.experiment->n_parameters;
    for (int i = 0; i < c.n; i++)
        c.values[i] = c.experiment->parameters[i].start;
    if (arc_shot_create(c.experiment, c.arena, &c.shot, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return c;
}

static inline void shot_free(ShotCase *c)
{
    arc_arena_free(c->arena);
    arc_experiment_free(c->experiment);
}

static inline ArcGoal shot_point(double x, double y, double z)
{
    return (ArcGoal){.kind = ARC_GOAL_POINT, .point_m = {x, y, z}};
}

/* Of a basket. */
static inline ArcGoal shot_hoop(double x, double y, double z)
{
    return (ArcGoal){.kind = ARC_GOAL_HOOP, .point_m = {x, y, z}, .radius_m = 0.2286};
}

static inline ArcGoal shot_area(int axis, double x, double y, double z)
{
    return (ArcGoal){
        .kind = ARC_GOAL_AREA, .axis = axis, .point_m = {x, y, z}, .half_m = {0.4, 0.5, 0.6}};
}

static inline int shot_parameter(const ShotCase *c, const char *name)
{
    int i = arc_experiment_parameter(c->experiment, name);
    if (i < 0)
        fail_msg("there is no parameter '%s'", name);
    return i;
}

/* Numbers of the throw (at most SHOT_ROWS, their count returned) and, unless by is NULL, their
 * gradients. */
typedef int ShotNumbers(void *context, const double *values, double *numbers,
                        double (*by)[ARC_MAX_PARAMETERS]);

/* How far gradients are from differences: the largest |difference - analytic| of any number, by its
 * best step, over |analytic| where that is at least a hundredth of the number's largest slope, and
 * over this hundredth, or 1e-4, elsewhere. */
typedef struct ShotGap {
    double largest;
    int row, parameter;
} ShotGap;

/* The number's central difference by parameter p of step h, and of h / 2 in extrapolated, so that
 * the error falls with h^4. */
static inline void shot_difference(ShotNumbers *numbers, void *context, double *values, int p,
                                   double h, double *slopes)
{
    double above[SHOT_ROWS], below[SHOT_ROWS], coarse[SHOT_ROWS] = {0}, at = values[p];
    for (int pass = 0; pass < 2; pass++) {
        double step = pass == 0 ? h : 0.5 * h;
        values[p] = at + step;
        int n = numbers(context, values, above, NULL);
        values[p] = at - step;
        numbers(context, values, below, NULL);
        values[p] = at;
        for (int i = 0; i < n; i++) {
            double slope = (above[i] - below[i]) / (2.0 * step);
            slopes[i] = pass == 0 ? slope : (4.0 * slope - coarse[i]) / 3.0;
            coarse[i] = slope;
        }
    }
}

/* A sweep of steps of every parameter; fails where a parameter that moves nothing is not named (a
 * list with spaces round each: " t0 x0 "). */
static inline ShotGap shot_gap(ShotNumbers *numbers, void *context, const ArcExperiment *experiment,
                               const double *at, const char *without)
{
    static double by[SHOT_ROWS][ARC_MAX_PARAMETERS], off[SHOT_ROWS][ARC_MAX_PARAMETERS];
    double values[ARC_MAX_PARAMETERS], found[SHOT_ROWS], slopes[SHOT_ROWS];
    int n = experiment->n_parameters;
    memcpy(values, at, sizeof(double) * (size_t)n);
    int m = numbers(context, values, found, by);
    assert_true(m > 0 && m <= SHOT_ROWS);
    ShotGap gap = {0.0, 0, 0};
    for (int p = 0; p < n; p++) {
        bool moves = false;
        char name[64];
        for (int k = 0; k < SHOT_STEPS; k++) {
            double h = 0.03 * pow(0.25, k) * fmax(1.0, fabs(values[p]));
            shot_difference(numbers, context, values, p, h, slopes);
            for (int i = 0; i < m; i++) {
                double error = fabs(slopes[i] - by[i][p]);
                off[i][p] = k == 0 || error < off[i][p] ? error : off[i][p];
                moves = moves || by[i][p] != 0.0;
            }
        }
        snprintf(name, sizeof name, " %s ", experiment->parameters[p].name);
        if (moves == (strstr(without, name) != NULL))
            fail_msg("%s %s", experiment->parameters[p].name,
                     moves ? "moves something" : "moves nothing");
    }
    for (int i = 0; i < m; i++) {
        double largest = 0.0;
        for (int p = 0; p < n; p++)
            largest = fmax(largest, fabs(by[i][p]));
        for (int p = 0; p < n; p++) {
            double share = off[i][p] / fmax(fabs(by[i][p]), fmax(0.01 * largest, 1e-4));
            if (!(share <= gap.largest))
                gap = (ShotGap){share, i, p};
        }
    }
    return gap;
}

static inline void shot_check(ShotNumbers *numbers, void *context, const ArcExperiment *experiment,
                              const double *at, const char *without, double allowed)
{
    ShotGap gap = shot_gap(numbers, context, experiment, at, without);
    if (!(gap.largest <= allowed))
        fail_msg("number %d by %s: off %g", gap.row, experiment->parameters[gap.parameter].name,
                 gap.largest);
}

#endif
