/* What `arcfit aim` found, made by hand with numbers that are easy to find again, for the tests of
 * its reports. */
#ifndef AIM_REPORT_CASE_H
#define AIM_REPORT_CASE_H

#include "arcfit/aim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REPORT_CASE_THROW                                                                          \
    "arcfit: 1\n"                                                                                  \
    "name: Basket\n"                                                                               \
    "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational}\n"                 \
    "release: polar\n"                                                                             \
    "parameters: {x0: 0 m, y0: 1.8 m, speed: {bounds: [0, 9]}, cd: 0.5}\n"                         \
    "fit: {seed: 7}\n"                                                                             \
    "aim:\n"                                                                                       \
    "  target: {hoop: {centre: [4.2 m, 3.05 m], radius: 23 cm, backboard: x=4.6 m}}\n"             \
    "  scatter: {speed: 0.1 m/s}\n"                                                                \
    "  limits: {height: {most: 4 m}}\n"                                                            \
    "  pareto: [miss, speed]\n"                                                                    \
    "  monte_carlo: 100000\n"
#define REPORT_CASE_ARM                                                                            \
    "arcfit: 1\n"                                                                                  \
    "flight: {dimensions: 2, ball: basketball}\n"                                                  \
    "release: arm\n"                                                                               \
    "arm:\n"                                                                                       \
    "  joints:\n"                                                                                  \
    "    - {length: 0.5 m, limits: [-150 deg, 150 deg], rate_limit: 6 rad/s}\n"                    \
    "    - {length: 0.4 m, limits: [0 deg, 150 deg], rate_limit: 8 rad/s}\n"                       \
    "aim: {target: {point: [6 m, 3 m]}}\n"

static ArcExperiment *report_case_parse(const char *text)
{
    ArcError err = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("basket.yaml", text, strlen(text), 0, NULL, &experiment, &err) !=
        ARC_OK)
        fail_msg("%s", err.text);
    return experiment;
}

/* Nothing found yet, of the experiment. */
static void report_case_begin(const ArcExperiment *experiment, ArcAim *aim)
{
    *aim = (ArcAim){.settings = experiment->aim,
                    .n_parameters = experiment->n_parameters,
                    .experiment = experiment,
                    .parameters = experiment->parameters,
                    .dimensions = experiment->flight.settings.dimensions,
                    .up = experiment->flight.settings.up,
                    .has_arm = experiment->has_arm,
                    .least_speed_m_s = NAN};
    for (int i = 0; i < experiment->n_parameters; i++)
        aim->believed[i] = experiment->parameters[i].start;
}

static inline int report_case_index(const ArcAim *aim, const char *name)
{
    int i = arc_experiment_parameter(aim->experiment, name);
    assert_true(i >= 0);
    return i;
}

/* A throw that hits, with 3 Hz of backspin. */
static inline ArcAimSolution report_case_throw(const ArcAim *aim, double speed_m_s,
                                               double angle_rad)
{
    ArcAimSolution of = {.position_m = {0.0, 1.8},
                         .velocity_m_s = {speed_m_s * cos(angle_rad), speed_m_s * sin(angle_rad)},
                         .arrival_m = {4.2, 3.05},
                         .arrival_velocity_m_s = {4.0, -5.0},
                         .numbers = {[ARC_AIM_SPEED] = speed_m_s,
                                     [ARC_AIM_ENTRY_ANGLE] = 0.75,
                                     [ARC_AIM_ENTRY_SPEED] = 6.4,
                                     [ARC_AIM_TIME] = 1.05,
                                     [ARC_AIM_HEIGHT] = 3.75,
                                     [ARC_AIM_CLEARANCE] = 0.062,
                                     [ARC_AIM_ENERGY] = 21.25,
                                     [ARC_AIM_PEAK_TORQUE] = NAN},
                         .cost = NAN,
                         .chance = {.value = NAN, .checked = NAN, .checked_sd = NAN},
                         .hits = true};
    for (int i = 0; i < aim->n_parameters; i++)
        of.values[i] = aim->believed[i];
    of.values[report_case_index(aim, "speed")] = speed_m_s;
    of.values[report_case_index(aim, "angle")] = angle_rad;
    of.values[report_case_index(aim, "spin")] = 6.0 * M_PI;
    of.miss_by[report_case_index(aim, "speed")] = 0.8;
    of.miss_by[report_case_index(aim, "angle")] = 2.0;
    of.miss_by[report_case_index(aim, "cd")] = 0.5;
    of.miss_by[report_case_index(aim, "spin")] = 0.01 / M_PI;
    return of;
}

/* Two throws, the chance of the first, an uncertain cd, a front of three points. */
static inline void report_case_hit(const ArcExperiment *experiment, ArcAim *aim)
{
    report_case_begin(experiment, aim);
    aim->unknown[report_case_index(aim, "speed")] = aim->unknown[report_case_index(aim, "angle")] =
        true;
    aim->believed_sd[report_case_index(aim, "cd")] = 0.02;
    aim->is_reachable = true;
    aim->n_solutions = 2;
    aim->solutions[0] = report_case_throw(aim, 8.28, 0.9);
    aim->solutions[1] = report_case_throw(aim, 8.75, 1.1);
    aim->solutions[0].chance = (ArcAimChance){.value = 0.631,
                                              .is_valid = true,
                                              .checked = 0.6275,
                                              .checked_sd = 0.0015,
                                              .offset_sd_m = {0.12, 0.0, 0.0}};
    aim->n_front = 3;
    for (int i = 0; i < 3; i++) {
        aim->front[i].numbers[0] = 0.1 * i;
        aim->front[i].numbers[1] = 8.28 - 0.5 * i;
        memcpy(aim->front[i].values, aim->solutions[0].values, sizeof aim->front[i].values);
        aim->front[i].values[report_case_index(aim, "speed")] = 8.28 - 0.5 * i;
    }
}

/* The same kept from it by the speed's limit. */
static inline void report_case_short(const ArcExperiment *experiment, ArcAim *aim)
{
    report_case_begin(experiment, aim);
    aim->unknown[report_case_index(aim, "speed")] = aim->unknown[report_case_index(aim, "angle")] =
        true;
    aim->n_solutions = 1;
    aim->solutions[0] = report_case_throw(aim, 8.0, 0.9);
    aim->solutions[0].hits = false;
    aim->solutions[0].numbers[ARC_AIM_MISS] = 0.31;
    aim->shortfall_miss_m = 0.31;
    aim->shortfall_speed_m_s = 0.28;
    aim->least_speed_m_s = 8.28;
}

/* An arm that does not reach it, as reach has it. */
static inline void report_case_arm(const ArcExperiment *experiment, ArcAim *aim)
{
    ArcError err = {ARC_OK, ""};
    report_case_begin(experiment, aim);
    if (arc_reach_of_experiment(experiment, &aim->reach, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_false(aim->reach.is_reachable);
    aim->has_reach = true;
    aim->n_solutions = 1;
    ArcAimSolution *of = &aim->solutions[0];
    *of = (ArcAimSolution){.position_m = {0.8, 0.3},
                           .velocity_m_s = {3.0, 4.0},
                           .numbers = {[ARC_AIM_MISS] = 2.5,
                                       [ARC_AIM_SPEED] = 5.0,
                                       [ARC_AIM_TIME] = 0.6,
                                       [ARC_AIM_CLEARANCE] = NAN,
                                       [ARC_AIM_PEAK_TORQUE] = 31.5},
                           .cost = NAN,
                           .chance = {.value = NAN, .checked = NAN, .checked_sd = NAN}};
    for (int i = 0; i < aim->n_parameters; i++)
        of->values[i] = aim->believed[i];
    of->values[report_case_index(aim, "theta1")] = M_PI / 6.0;
    of->values[report_case_index(aim, "theta2")] = -M_PI / 18.0;
    of->values[report_case_index(aim, "omega1")] = 6.6;
    aim->unknown[report_case_index(aim, "theta1")] =
        aim->unknown[report_case_index(aim, "theta2")] = true;
    aim->shortfall_miss_m = 2.5;
    aim->shortfall_speed_m_s = NAN;
}

#endif
