/* Experiments whose ball is thrown by an arm: what a file becomes, and each way to be broken. */
#include "arcfit/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ArcExperiment *parse_over(const char *text, int n, const char *const *overrides)
{
    ArcError error = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("lab/f.yaml", text, strlen(text), n, overrides, &experiment, &error) !=
        ARC_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static ArcExperiment *parse(const char *text)
{
    return parse_over(text, 0, NULL);
}

static const ArcParameter *parameter(const ArcExperiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->n_parameters; i++)
        if (strcmp(experiment->parameters[i].name, name) == 0)
            return &experiment->parameters[i];
    fail_msg("no parameter %s", name);
    return NULL;
}

static const char *recorded(const ArcExperiment *experiment, const char *path)
{
    for (int i = 0; i < experiment->n_settings; i++)
        if (strcmp(experiment->setting_paths[i], path) == 0)
            return experiment->setting_values[i];
    return "";
}

static void assert_names(const ArcExperiment *experiment, const char *expected)
{
    char list[1024] = "";
    for (int i = 0; i < experiment->n_parameters; i++) {
        strcat(list, i == 0 ? "" : " ");
        strcat(list, experiment->parameters[i].name);
    }
    assert_string_equal(list, expected);
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-15 * fabs(expected)))
        fail_msg("%.17g instead of %.17g", value, expected);
}

static const char least_text[] = "arcfit: 1\n"
                                 "release: arm\n"
                                 "arm: {joints: [{length: 0.5 m}, {length: 40 cm}]}\n";

/* Positions and velocities of the release follow; the arm's angles and rates are what is free. */
static void test_parse_least_arm_ties_the_release(void **state)
{
    (void)state;
    ArcExperiment *made = parse(least_text);
    assert_true(made->has_arm);
    assert_int_equal(made->release, ARC_RELEASE_ARM);
    assert_names(made, "t0 x0 y0 vx0 vy0 base_x base_y l1 l2 ball_along ball_across theta1 theta2 "
                       "omega1 omega2");
    for (int i = 0; i < made->n_parameters; i++) {
        const ArcParameter *one = &made->parameters[i];
        bool is_tied = i >= 1 && i <= 4, is_free = i >= 11;
        assert_int_equal(one->is_tied, is_tied);
        assert_int_equal(one->is_free, is_free);
        assert_false(one->has_reading || one->has_start || one->has_prior);
        assert_true(one->low == -INFINITY && one->high == INFINITY);
        bool is_shared = i >= 5 && i <= 10;
        assert_int_equal(one->sharing, is_shared ? ARC_SHARED : ARC_PER_FLIGHT);
    }
    assert_true(parameter(made, "l1")->start == 0.5 && parameter(made, "l2")->start == 0.4);
    const ArcArmSettings *arm = &made->arm.settings;
    assert_int_equal(arm->n_joints, 2);
    assert_int_equal(made->captures[0].swing.n_joints, 2);
    assert_false(arm->has_swing || arm->has_encoders);
    assert_true(arm->payload_kg == 0 && arm->friction_width_rad_s == 0.5);
    assert_true(arm->gravity_m_s2 == made->flight_settings.gravity_m_s2);
    assert_true(arm->joints[0].centre_m == 0.25 && arm->joints[0].inertia_kg_m2 == 0);
    assert_string_equal(recorded(made, "arm.joints.1.length"), "0.4 m");
    assert_string_equal(recorded(made, "arm.encoders"), "false");
    assert_string_equal(recorded(made, "arm.payload"), "0 kg");
    arc_experiment_free(made);
}

static const char full_text[] =
    "arcfit: 1\n"
    "capture:\n"
    "  file: throw.csv\n"
    "  swing: {file: motion.csv, sigma: 3 mm, sigma_angle: 18 deg, sigma_rate: 2 rad/s,\n"
    "          window: [-300 ms, 0 s]}\n"
    "  readings: {file: read.csv, sigma_angle: 0.5 rad, sigma_rate: 1 rad/s,\n"
    "             sigma_rate_share: 1 %, sigma_time: 0.5 ms}\n"
    "flight: {ball: {mass: 620 g, diameter: 24 cm}, gravity: 981 cm/s^2}\n"
    "release: arm\n"
    "arm:\n"
    "  joints:\n"
    "    - {axis: pitch, length: 0.5, limits: [-90 deg, 1 rad], rate_limit: 12 rad/s, mass: 2 kg,\n"
    "       centre: 20 cm, inertia: 400 kg cm^2, viscous: 0.1, coulomb: 20 N cm, stall: 60 N m,\n"
    "       idle_rate: 20 rad/s, torque: {curve: spline, coefficients: 4}}\n"
    "    - {length: 0.4, mass: 1.2 kg, torque: {curve: trapezoid, values: [3 N m, 0.1, 30 %]}}\n"
    "  base: [0.1, 1 m]\n"
    "  ball: [5 cm, -1 cm]\n"
    "  friction_width: 0.1 rad/s\n"
    "  span: [-0.4, 0]\n"
    "parameters:\n"
    "  l1: free\n"
    "  base_x: {start: 0.2, bounds: [0, 1], prior: {mean: 0.1, sd: 0.05}}\n"
    "  theta1: {measured: {value: 35 rad, sd: 0.1}}\n"
    "  omega2: {bounds: [-20, 20]}\n"
    "  l2: {measured: {value: 41 cm, sd: 1 mm}, flights: per-flight}\n"
    "  t0: {measured: {value: 400 ms, sd: 1 ms}}\n"
    "  torque2_2: 0.15\n"
    "  torque2_3: {prior: {mean: 0.3, sd: 0.1}}\n";

static void test_parse_full_arm_fills_settings(void **state)
{
    (void)state;
    ArcExperiment *made = parse(full_text);
    const ArcArmSettings *arm = &made->arm.settings;
    const ArcSwingSettings *swing = &made->capture.swing;
    assert_true(arm->has_swing && arm->has_encoders);
    const ArcArmJoint *first = &arm->joints[0], *second = &arm->joints[1];
    assert_near(first->low_rad, -M_PI / 2);
    assert_true(first->high_rad == 1 && first->rate_limit_rad_s == 12 && first->mass_kg == 2);
    assert_near(first->centre_m, 0.2);
    assert_near(first->inertia_kg_m2, 0.04);
    assert_near(first->coulomb_n_m, 0.2);
    assert_true(first->viscous_n_m_s == 0.1 && first->stall_n_m == 60 && first->idle_rad_s == 20);
    assert_int_equal(first->curve, ARC_TORQUE_SPLINE);
    assert_int_equal(first->n_torques, 4);
    assert_int_equal(second->curve, ARC_TORQUE_TRAPEZOID);
    assert_int_equal(second->n_torques, 3);
    assert_true(second->torque[0] == 3 && second->torque[1] == 0.1);
    assert_near(second->torque[2], 0.3);
    assert_near(second->inertia_kg_m2, 1.2 * 0.4 * 0.4 / 12);
    assert_true(second->low_rad == -INFINITY && second->stall_n_m == INFINITY);
    assert_true(arm->base_m[0] == 0.1 && arm->base_m[1] == 1 && arm->ball_m[1] == -0.01);
    assert_near(arm->payload_kg, 0.62);
    assert_near(arm->gravity_m_s2, 9.81);
    assert_true(arm->begin_s == -0.4 && arm->end_s == 0 && arm->friction_width_rad_s == 0.1);
    assert_string_equal(swing->file, "lab/motion.csv");
    assert_int_equal(swing->place.line, 4);
    assert_string_equal(swing->readings, "lab/read.csv");
    assert_int_equal(swing->readings_place.line, 6);
    assert_true(swing->sigma_m == 0.003 && swing->sigma_rad_s == 2);
    assert_near(swing->sigma_rad, M_PI / 10);
    assert_near(swing->window_s[0], -0.3);
    assert_true(swing->window_s[1] == 0 && swing->readings_sigma_rad == 0.5 &&
                swing->readings_sigma_rad_s == 1);
    assert_near(swing->readings_sigma_share, 0.01);
    assert_near(swing->readings_sigma_s, 0.0005);
    assert_int_equal(made->captures[0].swing.n_joints, 2);
    assert_names(made, "t0 x0 y0 vx0 vy0 base_x base_y l1 l2 ball_along ball_across offset1 "
                       "offset2 gain1 gain2 mass1 mass2 centre1 centre2 inertia1 inertia2 payload "
                       "viscous1 viscous2 coulomb1 coulomb2 torque1_1 torque1_2 torque1_3 "
                       "torque1_4 torque2_1 torque2_2 torque2_3 theta1 theta2 omega1 omega2");
    arc_experiment_free(made);
}

/* Which are free, where they begin, and what was measured. */
static void test_parse_full_arm_fills_parameters(void **state)
{
    (void)state;
    ArcExperiment *made = parse(full_text);
    static const char *const free_names[] = {"t0",        "base_x",    "l1",        "l2",
                                             "torque1_1", "torque1_4", "torque2_1", "torque2_3",
                                             "theta1",    "theta2",    "omega1",    "omega2"};
    for (size_t i = 0; i < sizeof free_names / sizeof free_names[0]; i++)
        assert_true(parameter(made, free_names[i])->is_free);
    static const char *const fixed_names[] = {"base_y",  "offset1",  "gain2",    "mass1",
                                              "centre1", "inertia2", "viscous1", "coulomb2",
                                              "payload", "torque2_2"};
    for (size_t i = 0; i < sizeof fixed_names / sizeof fixed_names[0]; i++)
        assert_false(parameter(made, fixed_names[i])->is_free);
    assert_true(parameter(made, "gain1")->start == 1 && parameter(made, "offset1")->start == 0);
    assert_true(parameter(made, "mass1")->start == 2 && parameter(made, "base_x")->start == 0.2);
    const ArcParameter *top = parameter(made, "torque2_1"), *share = parameter(made, "torque2_3");
    assert_true(top->has_start && top->start == 3 && top->sharing == ARC_PER_FLIGHT);
    assert_true(share->has_start && share->has_prior);
    assert_near(share->start, 0.3);
    assert_true(parameter(made, "torque2_2")->start == 0.15);
    assert_false(parameter(made, "torque1_2")->has_start);
    const ArcParameter *theta = parameter(made, "theta1"), *t0 = parameter(made, "t0");
    assert_near(theta->low, -M_PI / 2);
    assert_true(theta->high == 1 && parameter(made, "theta2")->high == INFINITY);
    assert_true(theta->has_reading && theta->reading == 35 && theta->reading_sd == 0.1);
    assert_true(t0->has_reading && t0->reading == 0.4 && t0->reading_sd == 0.001);
    assert_true(parameter(made, "l2")->has_reading);
    assert_near(parameter(made, "l2")->reading, 0.41);
    assert_int_equal(parameter(made, "l2")->sharing, ARC_PER_FLIGHT);
    assert_int_equal(parameter(made, "mass1")->sharing, ARC_SHARED);
    assert_true(parameter(made, "omega2")->low == -20 && parameter(made, "omega1")->low < -1e9);
    assert_false(parameter(made, "omega1")->has_reading);
    assert_string_equal(recorded(made, "parameters.theta1.measured.value"), "35 rad");
    assert_string_equal(recorded(made, "parameters.t0.measured.sd"), "0.001 s");
    assert_string_equal(recorded(made, "arm.joints.0.inertia"), "0.04 kg m^2");
    assert_string_equal(recorded(made, "arm.joints.1.torque.coefficients"), "3");
    arc_experiment_free(made);
}

static void test_parse_arm_in_space_has_all_axes(void **state)
{
    (void)state;
    ArcExperiment *made =
        parse("arcfit: 1\nflight: {dimensions: 3}\nrelease: arm\n"
              "arm: {azimuth: 90 deg, base: [1, 2, 3], encoders: true, joints: [{axis: yaw, "
              "length: 0.1}, {length: 0.5}, {axis: roll, length: 0.2}]}\n");
    assert_names(made, "t0 x0 y0 z0 vx0 vy0 vz0 base_x base_y base_z azimuth l1 l2 l3 ball_along "
                       "ball_across ball_side offset1 offset2 offset3 gain1 gain2 gain3 theta1 "
                       "theta2 theta3 omega1 omega2 omega3");
    assert_int_equal(made->arm.settings.joints[0].axis, ARC_JOINT_YAW);
    assert_int_equal(made->arm.settings.joints[1].axis, ARC_JOINT_PITCH);
    assert_int_equal(made->arm.settings.joints[2].axis, ARC_JOINT_ROLL);
    assert_near(made->arm.settings.azimuth_rad, M_PI / 2);
    assert_true(made->arm.settings.base_m[2] == 3 && made->arm.settings.up == 2);
    assert_true(parameter(made, "vz0")->is_tied && !parameter(made, "azimuth")->is_tied);
    arc_experiment_free(made);
}

/* The dynamics come with a swing, seen or made; encoders with angles that are measured. */
static void test_parse_arm_has_what_is_measured(void **state)
{
    (void)state;
    static const struct {
        const char *more;
        bool has_swing, has_encoders;
    } rows[] = {
        {"", false, false},
        {"capture: {swing: {file: a.csv}}\n", true, false},
        {"capture: {swing: {file: a.csv, sigma_angle: 1 deg}}\n", true, true},
        {"capture: {readings: {file: a.csv}}\n", false, true},
        {"capture: [{file: b.csv}, {file: c.csv, swing: {file: a.csv}}]\n", true, false},
        {"parameters: {theta2: {measured: {value: 1, sd: 1}}}\n", false, true},
        {"parameters: {t0: {measured: {value: 1, sd: 1}}}\n", false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", least_text, rows[i].more);
        ArcExperiment *made = parse(text);
        assert_int_equal(made->arm.settings.has_swing, rows[i].has_swing);
        assert_int_equal(made->arm.settings.has_encoders, rows[i].has_encoders);
        assert_true(isnan(made->arm.settings.begin_s) && isnan(made->arm.settings.end_s));
        for (int k = 0; k < made->n_captures; k++)
            assert_int_equal(made->captures[k].swing.n_joints, 2);
        arc_experiment_free(made);
    }
}

static void test_parse_reading_of_the_release_time_needs_no_arm(void **state)
{
    (void)state;
    ArcExperiment *made =
        parse("arcfit: 1\nparameters: {t0: {measured: {value: 20 ms, sd: 1 ms}}}\n");
    assert_false(made->has_arm);
    assert_true(parameter(made, "t0")->is_free && parameter(made, "t0")->has_reading);
    arc_experiment_free(made);
}

static void test_parse_overrides_reach_joints_and_take_the_arm_away(void **state)
{
    (void)state;
    static const char *const longer[] = {"arm.joints.1.length=0.7 m",
                                         "arm.joints.0.torque.curve=polynomial",
                                         "arm.joints.0.torque.coefficients=2"};
    ArcExperiment *made = parse_over(full_text, 3, longer);
    assert_true(made->arm.settings.joints[1].length_m == 0.7);
    assert_int_equal(made->arm.settings.joints[0].n_torques, 2);
    assert_true(parameter(made, "l2")->start == 0.7);
    arc_experiment_free(made);
    static const char *const other[] = {"release=polar"};
    made = parse_over(full_text, 1, other);
    assert_false(made->has_arm);
    assert_names(made, "t0 x0 y0 speed angle");
    assert_null(made->capture.swing.file);
    assert_null(made->captures[0].swing.readings);
    arc_experiment_free(made);
}

typedef struct Refusal {
    const char *text, *message;
} Refusal;

static void assert_refused(const char *text, const char *message)
{
    ArcError error = {ARC_OK, ""};
    ArcExperiment *experiment = NULL;
    ArcStatus status =
        arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &error);
    if (status != ARC_INPUT || strncmp(error.text, message, strlen(message)) != 0)
        fail_msg("status %d, '%s' instead of '%s' of:\n%s", (int)status, error.text, message, text);
    assert_null(experiment);
}

#define ARM "arcfit: 1\nrelease: arm\n"
#define TWO "arm: {joints: [{length: 1}, {length: 1}]}\n"

static void test_parse_broken_arm_is_refused_at_its_place(void **state)
{
    (void)state;
    static const Refusal rows[] = {
        {ARM, "f.yaml:2:10: error: release: arm needs an arm"},
        {"arcfit: 1\n" TWO, "f.yaml:2:1: error: there is an arm, but the release is not its own"},
        {ARM "arm: none\n", "f.yaml:2:10: error: release: arm needs an arm"},
        {ARM "arm: two\n", "f.yaml:3:6: error: 'two' is not accepted for arm; wanted: none, or"},
        {ARM "arm: {}\n", "f.yaml:3:1: error: 'joints' is missing: arm.joints"},
        {ARM "arm: {joints: []}\n", "f.yaml:3:15: error: arm.joints has 0 entries"},
        {ARM "arm: {joints: 2}\n", "f.yaml:3:15: error: '2' is not accepted for arm.joints"},
        {ARM "arm: {joints: [{length: 1}, {length: 1}, {length: 1}, {length: 1}, {length: 1}]}\n",
         "f.yaml:3:15: error: arm.joints has 5 entries; wanted: a list of 1 to 4"},
        {ARM "arm: {joints: [{length: 1}, 3]}\n", "f.yaml:3:29: error: arm.joints.1 is text"},
        {ARM "arm: {joints: [{mass: 1}]}\n", "f.yaml:3:16: error: 'length' is missing: "
                                             "arm.joints.0.length"},
        {ARM "arm: {joints: [{lenght: 1}]}\n",
         "f.yaml:3:17: error: unknown key 'lenght' in arm.joints.0; did you mean 'length'?"},
        {ARM "arm: {joint: []}\n", "f.yaml:3:7: error: unknown key 'joint' in arm; did you mean"},
        {ARM "arm: {joints: [{length: 1, axis: pich}]}\n",
         "f.yaml:3:34: error: 'pich' is not accepted for arm.joints.0.axis; did you mean 'pitch'?"},
        {ARM "arm: {joints: [{length: 1, axis: yaw}]}\n",
         "f.yaml:3:34: error: arm.joints.0 turns out of the plane"},
        {ARM "arm: {joints: [{length: 1, limits: [1, -1]}]}\n",
         "f.yaml:3:36: error: arm.joints.0.limits: the first, '1', must be below"},
        {ARM "arm: {joints: [{length: 1, limits: [1, 2 m]}]}\n",
         "f.yaml:3:40: error: 'm' is the unit of a length, but an angle is wanted"},
        {ARM "arm: {joints: [{length: 1, mass: -1}]}\n",
         "f.yaml:3:34: error: arm.joints.0.mass is '-1', out of its range"},
        {ARM "arm: {joints: [{length: 1, idle_rate: 3}]}\n",
         "f.yaml:3:39: error: arm.joints.0.idle_rate needs arm.joints.0.stall"},
        {ARM "arm: {joints: [{length: 1, torque: 3}]}\n",
         "f.yaml:3:36: error: '3' is not accepted for arm.joints.0.torque"},
        {ARM "arm: {joints: [{length: 1, torque: {coefficients: 2}}]}\n",
         "f.yaml:3:51: error: arm.joints.0.torque has 2 coefficients, but a curve of its kind"},
        {ARM "arm: {joints: [{length: 1, torque: {curve: spline, coefficients: 3}}]}\n",
         "f.yaml:3:66: error: arm.joints.0.torque has 3 coefficients, but a curve of its kind has "
         "4 to 8"},
        {ARM "arm: {joints: [{length: 1, torque: {curve: spline, values: [1, 2]}}]}\n",
         "f.yaml:3:60: error: arm.joints.0.torque has 2 coefficients"},
        {ARM
         "arm: {joints: [{length: 1, torque: {curve: spline, coefficients: 4, values: [1]}}]}\n",
         "f.yaml:3:77: error: arm.joints.0.torque.values has 1 entries for 4 coefficients"},
        {ARM "arm: {joints: [{length: 1, torque: {curve: trapezoid, values: [1, 2, 0.1]}}]}\n",
         "f.yaml:3:67: error: arm.joints.0.torque.values is '2', out of its range 0.001 to 1"},
        {ARM "arm: {joints: [{length: 1, torque: {values: 3}}]}\n",
         "f.yaml:3:45: error: '3' is not accepted for arm.joints.0.torque.values"},
        {ARM "arm: {joints: [{length: 1, torque: {values: []}}]}\n",
         "f.yaml:3:45: error: arm.joints.0.torque.values has 0 entries"},
        {ARM "arm: {joints: [{length: 1}], azimuth: 1}\n",
         "f.yaml:3:39: error: arm.azimuth turns the arm in space"},
        {ARM "arm: {joints: [{length: 1}], base: [1]}\n",
         "f.yaml:3:36: error: arm.base has 1 entries"},
        {ARM "arm: {joints: [{length: 1}], ball: [1, 2, 3]}\n",
         "f.yaml:3:36: error: arm.ball has 3 entries"},
        {ARM "arm: {joints: [{length: 1}], span: [1, 1]}\n",
         "f.yaml:3:36: error: arm.span: the first, '1', must be below"},
        {ARM "capture: {swing: {file: a}}\narm: {joints: [{length: 1}], span: [-1e9, 1e9]}\n",
         "f.yaml:4:36: error: the torque curves' span -1e+09 to 1e+09 s is longer than 1e+06 s"},
        {ARM "arm: {joints: [{length: 1}], encoders: maybe}\n",
         "f.yaml:3:40: error: 'maybe' is not accepted for arm.encoders"},
        {ARM "capture: {swing: {file: a}}\narm: {joints: [&a {length: 1}]}\n",
         "f.yaml:4:16: error:"},
        {ARM "capture: {swing: {file: a}}\nflight: {dimensions: 3}\narm: {joints: ["
             "{length: 1, torque: {curve: spline, coefficients: 8}}, "
             "{length: 1, torque: {curve: spline, coefficients: 8}}, "
             "{length: 1, torque: {curve: spline, coefficients: 8}}], encoders: true}\n",
         "f.yaml:5:15: error: flight, release and arm have 69 parameters, but 64 is the most"},
        {"arcfit: 1\ncapture: {swing: {file: a.csv}}\n",
         "f.yaml:2:25: error: this is measured of an arm, and there is none"},
        {"arcfit: 1\ncapture: {readings: {file: a.csv}}\n",
         "f.yaml:2:28: error: this is measured of an arm, and there is none"},
        {"arcfit: 1\ncapture: {swing: a.csv}\n",
         "f.yaml:2:18: error: 'a.csv' is not accepted for capture.swing; wanted: a mapping"},
        {"arcfit: 1\ncapture: {swing: {sigma: 1}}\n",
         "f.yaml:2:11: error: 'file' is missing: capture.swing.file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused(rows[i].text, rows[i].message);
}

static void test_parse_broken_arm_parameters_are_refused_at_their_place(void **state)
{
    (void)state;
    static const Refusal rows[] = {
        {ARM TWO "parameters: {x0: 1}\n", "f.yaml:4:14: error: 'x0' follows from the arm"},
        {ARM TWO "parameters: {vy0: free}\n", "f.yaml:4:14: error: 'vy0' follows from the arm"},
        {ARM TWO "parameters: {speed: 1}\n",
         "f.yaml:4:14: error: the parameter 'speed' belongs to release: polar"},
        {ARM TWO "parameters: {theta3: 1}\n",
         "f.yaml:4:14: error: the parameter 'theta3' belongs to an arm of 3 joints or more, which "
         "this flight does not have; its parameters are t0, base_x, base_y, l1"},
        {ARM TWO "parameters: {thetta1: 1}\n",
         "f.yaml:4:14: error: unknown parameter 'thetta1'; did you mean 'theta1'?"},
        {ARM TWO "parameters: {base_z: 1}\n",
         "f.yaml:4:14: error: the parameter 'base_z' belongs to an arm with dimensions: 3"},
        {ARM TWO "parameters: {azimuth: 1}\n",
         "f.yaml:4:14: error: the parameter 'azimuth' belongs to release: polar or arm with "
         "dimensions: 3"},
        {ARM TWO "parameters: {mass1: free}\n",
         "f.yaml:4:14: error: the parameter 'mass1' belongs to an arm with a swing"},
        {ARM TWO "parameters: {torque1: free}\n",
         "f.yaml:4:14: error: the parameter 'torque1' belongs to an arm with a swing"},
        {ARM TWO "parameters: {gain2: free}\n",
         "f.yaml:4:14: error: the parameter 'gain2' belongs to an arm with encoders: true"},
        {ARM "capture: {swing: {file: a}}\n" TWO "parameters: {torque1_2: free}\n",
         "f.yaml:5:14: error: the parameter 'torque1_2' belongs to a torque curve with other"},
        {"arcfit: 1\nparameters: {theta1: 1}\n",
         "f.yaml:2:14: error: the parameter 'theta1' belongs to release: arm, which"},
        {"arcfit: 1\nparameters: {l2: 1}\n",
         "f.yaml:2:14: error: the parameter 'l2' belongs to release: arm, which"},
        {ARM TWO "parameters: {l1: -1}\n", "f.yaml:4:18: error: parameters.l1 is '-1', out of"},
        {ARM "arm: {joints: [{length: 1, limits: [-1, 1]}]}\nparameters: {theta1: 2}\n",
         "f.yaml:4:14: error: the start 2 of 'theta1' is outside its bounds -1 to 1 rad"},
        {ARM "arm: {joints: [{length: 1, limits: [-1, 1]}]}\nparameters: {theta1: {start: 2}}\n",
         "f.yaml:4:30: error: the start 2 of 'theta1' is outside its bounds -1 to 1 rad"},
        {ARM TWO "parameters: {l1: {bounds: [2, 3]}}\n",
         "f.yaml:4:27: error: the default start 1 of 'l1' is outside its bounds 2 to 3 m"},
        {ARM TWO "parameters: {theta1: {measured: 1}}\n",
         "f.yaml:4:33: error: parameters.theta1.measured is text; wanted: {value: number, sd: "
         "number}"},
        {ARM TWO "parameters: {theta1: {measured: {value: 1}}}\n",
         "f.yaml:4:23: error: 'sd' is missing: parameters.theta1.measured.sd"},
        {ARM TWO "parameters: {theta1: {measured: {sd: 1}}}\n",
         "f.yaml:4:23: error: 'value' is missing: parameters.theta1.measured.value"},
        {ARM TWO "parameters: {theta1: {measured: {value: 1, sd: 0}}}\n",
         "f.yaml:4:48: error: parameters.theta1.measured.sd is '0'; a standard deviation is above"},
        {ARM TWO "parameters: {theta1: {measured: {value: 1 m, sd: 1}}}\n",
         "f.yaml:4:41: error: 'm' is the unit of a length, but an angle is wanted"},
        {ARM TWO "parameters: {l1: {measured: {value: -1, sd: 1}}}\n",
         "f.yaml:4:37: error: parameters.l1.measured.value is '-1', out of its range"},
        {ARM TWO "parameters: {theta1: {fixed: 1, measured: {value: 1, sd: 1}}}\n",
         "f.yaml:4:33: error: 'measured' contradicts 'fixed' in parameters.theta1"},
        {"arcfit: 1\nflight: {drag: lumped}\nparameters: {k: {measured: {value: 1, sd: 1}}}\n",
         "f.yaml:3:18: error: 'k' is nothing that a reading measures"},
        {"arcfit: 1\nparameters: {vx0: {measured: {value: 1, sd: 1}}}\n",
         "f.yaml:2:20: error: 'vx0' is nothing that a reading measures"},
        {ARM TWO "fit: {profile: [x0]}\n", "f.yaml:4:17: error: fit.profile: 'x0' follows from the "
                                           "arm; ask for a free parameter"},
        {ARM TWO "fit: {profile: [l1]}\n", "f.yaml:4:17: error: fit.profile: 'l1' is fixed"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_refused(rows[i].text, rows[i].message);
}

/* A swing that aim plans brings masses and torques, all fixed; one that is seen frees the torques.
 */
static void test_parse_planned_swing_has_dynamics_that_are_fixed(void **state)
{
    (void)state;
    static const char *const swings[] = {
        "capture: {sigma: 1 mm}\naim: {target: {point: [1 m, 1 m]}, swing: {time: 0.3 s}}\n",
        "capture: {sigma: 1 mm, swing: {file: a}}\n"};
    for (int seen = 0; seen < 2; seen++) {
        char text[512];
        ArcExperiment *experiment;
        ArcError err = {ARC_OK, ""};
        snprintf(text, sizeof text, "arcfit: 1\nrelease: arm\narm: {joints: [{length: 1 m}]}\n%s",
                 swings[seen]);
        if (arc_experiment_parse("f.yaml", text, strlen(text), 0, NULL, &experiment, &err) !=
            ARC_OK)
            fail_msg("%s", err.text);
        int mass = arc_experiment_parameter(experiment, "mass1");
        int torque = arc_experiment_parameter(experiment, "torque1");
        assert_true(experiment->arm.settings.has_swing);
        assert_true(experiment->arm.settings.is_planned == (seen == 0));
        assert_true(mass >= 0 && torque >= 0);
        assert_false(experiment->parameters[mass].is_free);
        assert_true(experiment->parameters[torque].is_free == (seen == 1));
        arc_experiment_free(experiment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_planned_swing_has_dynamics_that_are_fixed),
        cmocka_unit_test(test_parse_least_arm_ties_the_release),
        cmocka_unit_test(test_parse_full_arm_fills_settings),
        cmocka_unit_test(test_parse_full_arm_fills_parameters),
        cmocka_unit_test(test_parse_arm_in_space_has_all_axes),
        cmocka_unit_test(test_parse_arm_has_what_is_measured),
        cmocka_unit_test(test_parse_reading_of_the_release_time_needs_no_arm),
        cmocka_unit_test(test_parse_overrides_reach_joints_and_take_the_arm_away),
        cmocka_unit_test(test_parse_broken_arm_is_refused_at_its_place),
        cmocka_unit_test(test_parse_broken_arm_parameters_are_refused_at_their_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
