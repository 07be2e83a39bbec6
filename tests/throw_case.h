/* Cases of fits with an arm: experiments whose release is an arm's, captures of its throws, and
 * what was read off it. Include after cmocka.h. */
#ifndef THROW_CASE_H
#define THROW_CASE_H

#include "base/random.h"
#include "fit_case.h"

#include <math.h>
#include <string.h>

#define DEGREE (M_PI / 180.0)

/* An arm of pitches of these lengths in the plane, its base 1 m high, limits of 170 deg. */
static inline ArcArmSettings arm_settings(int n_joints, double l1, double l2, double l3)
{
    const double lengths[] = {l1, l2, l3};
    ArcArmSettings settings = arc_arm_settings_default();
    settings.n_joints = n_joints;
    settings.base_m[1] = 1.0;
    for (int j = 0; j < n_joints; j++) {
        settings.joints[j].length_m = lengths[j];
        settings.joints[j].low_rad = -170.0 * DEGREE;
        settings.joints[j].high_rad = 170.0 * DEGREE;
    }
    return settings;
}

/* Shoulder that yaws, without a link, then two pitches, in space. */
static inline ArcArmSettings arm_settings_space(double l2, double l3)
{
    ArcArmSettings settings = arm_settings(3, 0.0, l2, l3);
    settings.dimensions = 3;
    settings.up = 2;
    settings.joints[0].axis = ARC_JOINT_YAW;
    settings.base_m[1] = 0.0;
    settings.base_m[2] = 1.0;
    return settings;
}

static inline ArcParameter *arm_parameter(ArcExperiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, name) == 0)
            return &experiment->parameters[i];
    fail_msg("there is no parameter '%s'", name);
    return NULL;
}

static inline void arm_free(ArcExperiment *experiment, const char *name)
{
    arm_parameter(experiment, name)->is_free = true;
}

static inline void arm_measured(ArcExperiment *experiment, const char *name, double value,
                                double sd)
{
    ArcParameter *parameter = arm_parameter(experiment, name);
    parameter->has_reading = true;
    parameter->reading = value;
    parameter->reading_sd = sd;
}

/* The experiment of the text with an arm: its geometry, gains and offsets fixed at the settings'
 * numbers, angles and rates free, each flight's own where there are several. */
static inline ArcExperiment *arm_experiment(const char *text, const ArcArmSettings *settings)
{
    ArcError err;
    ArcExperiment *e = case_experiment(text);
    int d = e->flight.settings.dimensions, release = e->flight.n_parameters + 1;
    int first = release + 2 * d, behind = e->n_parameters - first;
    if (arc_arm_create(settings, &e->arm, &err) != ARC_OK)
        fail_msg("%s", err.text);
    int A = e->arm.n_parameters, J = settings->n_joints;
    assert_true(e->n_parameters + A <= ARC_MAX_PARAMETERS);
    memmove(e->parameters + first + A, e->parameters + first,
            sizeof(ArcParameter) * (size_t)behind);
    e->has_arm = true;
    e->release = ARC_RELEASE_ARM;
    e->n_parameters += A;
    for (int i = 0; i < A; i++) {
        const ArcParameterInfo *info = &e->arm.parameters[i];
        bool is_motion = i >= e->arm.theta && i < e->arm.omega + J;
        e->parameters[first + i] =
            (ArcParameter){.name = info->name,
                           .unit = info->unit,
                           .doc = info->doc,
                           .is_free = is_motion,
                           .start = is_motion ? (double)NAN : info->value,
                           .low = -INFINITY,
                           .high = INFINITY,
                           .camera = -1,
                           .sharing = is_motion ? ARC_PER_FLIGHT : ARC_SHARED};
    }
    for (int j = 0; j < J; j++) {
        e->parameters[first + e->arm.theta + j].low = settings->joints[j].low_rad;
        e->parameters[first + e->arm.theta + j].high = settings->joints[j].high_rad;
    }
    for (int i = 0; i < 2 * d; i++) {
        e->parameters[release + i].is_tied = true;
        e->parameters[release + i].is_free = false;
        e->parameters[release + i].has_start = false;
        e->parameters[release + i].start = NAN;
    }
    return e;
}

/* What the arm truly does: its parameters (arm.h), and when. */
typedef struct ArmThrow {
    ArcArm arm;
    double p[ARC_ARM_MAX_PARAMETERS];
    double t0_s;
} ArmThrow;

static inline ArmThrow arm_throw(const ArcArmSettings *settings, const double *theta,
                                 const double *omega)
{
    ArcError err;
    ArmThrow thrown = {0};
    if (arc_arm_create(settings, &thrown.arm, &err) != ARC_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < thrown.arm.n_parameters; i++)
        thrown.p[i] = thrown.arm.parameters[i].value;
    memcpy(thrown.p + thrown.arm.theta, theta, sizeof *theta * (size_t)settings->n_joints);
    memcpy(thrown.p + thrown.arm.omega, omega, sizeof *omega * (size_t)settings->n_joints);
    return thrown;
}

static inline double *arm_truth(ArmThrow *thrown, const char *name)
{
    for (int i = 0; i < thrown->arm.n_parameters; i++)
        if (strcmp(thrown->arm.parameters[i].name, name) == 0)
            return &thrown->p[i];
    fail_msg("the arm has no '%s'", name);
    return NULL;
}

/* n points over span_s from t = 0 of the flight (its text, as "drag: none") that it throws. */
static inline ArcCapture *arm_capture(const ArmThrow *thrown, const char *flight, int n,
                                      double span_s, double sigma_m, uint64_t seed)
{
    static const char *const up[] = {"x", "y", "z"};
    const ArcArm *arm = &thrown->arm;
    ArcArmPoint ball;
    char text[1024];
    arc_arm_point(arm, ARC_ARM_BALL, thrown->p, thrown->p + arm->theta, thrown->p + arm->omega,
                  &ball);
    int used = snprintf(text, sizeof text,
                        CASE_HEAD "flight: {dimensions: %d, up: %s, %s}\nparameters: {t0: %.17g, "
                                  "x0: %.17g, y0: %.17g, vx0: %.17g, vy0: %.17g",
                        arm->settings.dimensions, up[arm->settings.up], flight, thrown->t0_s,
                        ball.x_m[0], ball.x_m[1], ball.v_m_s[0], ball.v_m_s[1]);
    if (arm->settings.dimensions == 3)
        used += snprintf(text + used, sizeof text - (size_t)used, ", z0: %.17g, vz0: %.17g",
                         ball.x_m[2], ball.v_m_s[2]);
    snprintf(text + used, sizeof text - (size_t)used, "}\n");
    return case_capture_seed(text, n, span_s, sigma_m, seed);
}

static inline ArcProblem *arm_problem(const ArcExperiment *experiment, const ArcCapture *capture)
{
    ArcError err;
    ArcProblem *problem = NULL;
    if (arc_problem_create(experiment, capture, &problem, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return problem;
}

static inline ArcFit *arm_fit(const ArcExperiment *experiment, const ArcCapture *capture,
                              ArcMethod method)
{
    ArcError err;
    ArcFit *fit = NULL;
    ArcProblem *problem = arm_problem(experiment, capture);
    if (arc_fit_run(problem, method, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_problem_free(problem);
    return fit;
}

#endif
