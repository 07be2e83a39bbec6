/* Arms with a swing to plan, for the tests of it. Include after cmocka.h. */
#ifndef PLANNED_SWING_CASE_H
#define PLANNED_SWING_CASE_H

#include "aim/numbers.h"
#include "aim/torques.h"
#include "arm_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { J_MAX = ARC_ARM_MAX_JOINTS, TIMES = 9 };

/* An experiment, what is made of it, and all its parameters. */
typedef struct Case {
    ArcExperiment *experiment;
    ArcArena *arena;
    ArcTorques *torques;
    ArcShot *shot;
    int first, A, J; /* of the arm */
    double values[ARC_MAX_PARAMETERS];
    int column; /* which number of theirs the functions below give */
} Case;

#define HEAD "arcfit: 1\ncapture: {sigma: 2 mm}\nrelease: arm\n"
#define FLAT "flight: {dimensions: 2, ball: basketball, drag: quadratic}\n"
#define SPACE "flight: {dimensions: 3, ball: basketball, drag: quadratic}\n"
/* An arm of two links that throws over its head; the second motor is near its limit. */
#define TWO_LINKS                                                                                  \
    "arm:\n  base: [0.1 m, 1.4 m]\n  ball: [4 cm, -2 cm]\n  encoders: true\n  joints:\n"           \
    "    - {length: 0.5 m, mass: 2 kg, centre: 0.22 m, inertia: 0.045 kg m^2, viscous: 0.3 N m s," \
    " coulomb: 0.4 N m, torque: {curve: %s}}\n"                                                    \
    "    - {length: 0.4 m, mass: 1.2 kg, centre: 0.18 m, inertia: 0.018 kg m^2, viscous: 0.2 "     \
    "N m s, stall: 60 N m, idle_rate: 30 rad/s, torque: {curve: %s}}\n"
#define SPLINE "spline, values: [70 N m, 60 N m, 85 N m, 40 N m]"
#define POLYNOMIAL "polynomial, values: [25 N m, 20 N m, -18 N m]"
#define TRAPEZOID "trapezoid, values: [75 N m, 0.2, 0.3]"
#define TARGET "aim:\n  target: {point: [-3.5 m, 2.2 m]}\n"
#define DRIVEN TARGET "  swing: {from: [-60 deg, 40 deg], time: 0.3 s}\n"
#define PLANNED                                                                                    \
    TARGET "  unknowns: [theta1, omega2]\n  swing: {from: [-60 deg, 40 deg], time: 0.3 s}\n"       \
           "parameters: {theta1: {start: 0.9}, theta2: {start: 0.3}, omega1: {start: 5}, "         \
           "omega2: {start: 7}}\n"
#define UNIFORM                                                                                    \
    TARGET "  unknowns: [theta1, omega2]\n  swing: {time: 0.3 s}\n"                                \
           "parameters: {theta1: {start: 0.9}, theta2: {start: 0.3}, omega1: {start: 5}, "         \
           "omega2: {start: 7}}\n"

static inline ArcExperiment *experiment_of(const char *text)
{
    ArcExperiment *experiment;
    ArcError err = {ARC_OK, ""};
    if (arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

static inline Case case_of(const char *text)
{
    Case c = {.experiment = experiment_of(text), .arena = arc_arena_create()};
    ArcError err = {ARC_OK, ""};
    if (arc_torques_create(c.experiment, c.arena, &c.torques, &err) != ARC_OK ||
        arc_shot_create(c.experiment, c.arena, &c.shot, &err) != ARC_OK)
        fail_msg("%s", err.text);
    c.A = c.experiment->arm.n_parameters;
    c.J = c.experiment->arm.settings.n_joints;
    c.first = arc_experiment_parameter(c.experiment, c.experiment->arm.parameters[0].name);
    for (int i = 0; i < c.experiment->n_parameters; i++)
        c.values[i] = c.experiment->parameters[i].start;
    return c;
}

static inline Case case_with(const char *first, const char *second, const char *aim)
{
    char text[4096], arm[2048];
    snprintf(arm, sizeof arm, TWO_LINKS, first, second);
    snprintf(text, sizeof text, HEAD FLAT "%s%s", arm, aim);
    return case_of(text);
}

static inline void case_free(Case *c)
{
    arc_arena_free(c->arena);
    arc_experiment_free(c->experiment);
}

static inline double *value_of(Case *c, const char *name)
{
    int i = arc_experiment_parameter(c->experiment, name);
    assert_true(i >= 0);
    return &c->values[i];
}

#endif
