/* The arm's part of a problem while it is made: its parameters behind the release, which is tied to
 * them, and what was read off: numbers of the experiment (`measured`) and of the capture's table.
 */
#include "fit/arm_problem.h"

#include <math.h>
#include <string.h>

/* What no user can bring about. */
static ArcStatus check_form(const ArcExperiment *experiment, ArcError *err)
{
    const ArcArm *arm = &experiment->arm;
    int d = experiment->flight.settings.dimensions, release = experiment->flight.n_parameters + 1;
    bool is_arm = experiment->release == ARC_RELEASE_ARM, sound = is_arm == experiment->has_arm;
    if (experiment->has_arm) {
        sound = sound && arm->settings.dimensions == d &&
                arm->settings.up == experiment->flight.settings.up &&
                experiment->n_parameters >= release + 2 * d + arm->n_parameters;
        for (int i = 0; i < 2 * d && sound; i++)
            sound = experiment->parameters[release + i].is_tied &&
                    !experiment->parameters[release + i].is_free;
    }
    return sound ? ARC_OK
                 : arc_error_set(err, ARC_USAGE,
                                 "error: the experiment's arm does not go with its flight; make "
                                 "both of the same axes, with release: arm");
}

ArcStatus arc_problem_take_arm(ArcProblem *problem, const ArcExperiment *experiment, ArcError *err)
{
    ArcStatus status = check_form(experiment, err);
    problem->n_poses = 1;
    if (status != ARC_OK || !experiment->has_arm)
        return status;
    problem->has_arm = true;
    problem->arm = experiment->arm;
    problem->arm_index = problem->t0_index + 1 + 2 * problem->d;
    for (int i = 0; i < problem->arm.n_parameters; i++) {
        const ArcParameterInfo *info = &problem->arm.parameters[i];
        ArcParameter *parameter = &problem->parameters[problem->arm_index + i];
        parameter->low = fmax(parameter->low, info->low);
        parameter->high = fmin(parameter->high, info->high);
    }
    for (int j = 0; j < problem->arm.settings.n_joints; j++) {
        const ArcArmJoint *joint = &problem->arm.settings.joints[j];
        ArcParameter *theta = &problem->parameters[problem->arm_index + problem->arm.theta + j];
        theta->low = fmax(theta->low, joint->low_rad);
        theta->high = fmin(theta->high, joint->high_rad);
        if (theta->is_free && theta->low > theta->high)
            return arc_error_set_at(err, ARC_INPUT, theta->place,
                                    "the bounds of '%s' leave no angle within the joint's limits",
                                    theta->name);
    }
    return ARC_OK;
}

static int find(const ArcProblem *problem, const char *name)
{
    for (int i = 0; i < problem->n_parameters; i++)
        if (strcmp(problem->parameters[i].name, name) == 0)
            return i;
    return -1;
}

/* A reading of parameter i, with its encoder where it has one. */
static ArcProblemReading reading_of(const ArcProblem *problem, int i)
{
    const ArcArm *arm = &problem->arm;
    ArcProblemReading reading = {.parameter = i, .gain = -1, .offset = -1};
    int of_arm = i - problem->arm_index, joint = of_arm - arm->theta;
    if (!problem->has_arm || of_arm < 0)
        return reading;
    bool is_theta = joint >= 0 && joint < arm->settings.n_joints;
    reading.is_angle = is_theta || (arm->azimuth >= 0 && of_arm == arm->azimuth);
    if (is_theta && arm->gain >= 0) {
        reading.gain = problem->arm_index + arm->gain + joint;
        reading.offset = problem->arm_index + arm->offset + joint;
    }
    return reading;
}

/* The place of a reading: in the table, or where the experiment has the parameter. */
static ArcStatus add_reading(ArcProblem *problem, ArcProblemReading reading, ArcPlace place,
                             ArcError *err)
{
    const ArcParameter *parameter = &problem->parameters[reading.parameter];
    if (parameter->is_tied)
        return arc_error_set_at(err, ARC_INPUT, place,
                                "'%s' follows from the arm; give readings of the arm's parameters",
                                parameter->name);
    if (!isfinite(reading.value) || !(reading.sd > 0.0) || !isfinite(reading.sd))
        return arc_error_set_at(err, ARC_INPUT, place,
                                "the reading of '%s' is no number with an sd above zero",
                                parameter->name);
    problem->readings[problem->n_readings++] = reading;
    return ARC_OK;
}

ArcStatus arc_problem_take_readings(ArcProblem *problem, const ArcExperiment *experiment,
                                    const ArcCapture *capture, ArcError *err)
{
    int n = capture->n_readings;
    for (int i = 0; i < problem->n_parameters; i++)
        n += problem->parameters[i].has_reading;
    if (n == 0)
        return ARC_OK;
    problem->readings = ARC_ALLOC(problem->arena, (size_t)n, ArcProblemReading);
    if (problem->readings == NULL)
        return arc_error_no_memory(err);
    if (capture->n_readings > ARC_MAX_READINGS)
        return arc_error_set(err, ARC_USAGE, "error: more than %d readings of one flight",
                             ARC_MAX_READINGS);
    ArcStatus status = ARC_OK;
    for (int i = 0; i < problem->n_parameters && status == ARC_OK; i++) {
        const ArcParameter *parameter = &problem->parameters[i];
        ArcProblemReading reading = reading_of(problem, i);
        reading.value = parameter->reading;
        reading.sd = parameter->reading_sd;
        if (parameter->has_reading)
            status = add_reading(problem, reading, parameter->place, err);
    }
    for (int k = 0; k < capture->n_readings && status == ARC_OK; k++) {
        const ArcReading *given = &capture->readings[k];
        ArcPlace place = experiment->capture.place;
        if (experiment->capture.swing.readings != NULL && given->line > 0)
            place = (ArcPlace){experiment->capture.swing.readings, given->line, 1};
        int i = find(problem, given->name);
        if (i < 0)
            return arc_error_set_at(err, ARC_INPUT, place,
                                    "'%s' was read off, and is no parameter here; leave it out",
                                    given->name);
        ArcProblemReading reading = reading_of(problem, i);
        reading.value = given->value;
        reading.sd = given->sd;
        reading.line = given->line;
        status = add_reading(problem, reading, place, err);
    }
    problem->n_priors += problem->n_readings;
    return status;
}

const ArcProblemReading *arc_problem_reading(const ArcProblem *problem, int parameter)
{
    for (int i = 0; i < problem->n_readings; i++)
        if (problem->readings[i].parameter == parameter)
            return &problem->readings[i];
    return NULL;
}

double arc_problem_reading_start(const ArcProblem *problem, const ArcProblemReading *reading)
{
    double gain = reading->gain < 0 ? 1.0 : problem->start[reading->gain];
    double offset = reading->offset < 0 ? 0.0 : problem->start[reading->offset];
    return gain == 0.0 ? reading->value : (reading->value - offset) / gain;
}
