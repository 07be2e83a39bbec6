/* A result with an arm made by hand, of one flight or of three together, for the tests of reports:
 * two links in the plane, readings, two poses, a swing. */
#ifndef ARC_TESTS_REPORT_ARM_CASE_H
#define ARC_TESTS_REPORT_ARM_CASE_H

#include "report_case.h"

enum {
    ARM_PARAMETERS = 26,
    ARM_FREE = 11,
    ARM_FIRST = 6,
    ARM_JOINTS = 2,
    ARM_READINGS = 3,
    ARM_NUMBERS = 6,
    ARM_PARTS = 4,
    ARM_TIMES = 5,
    ARM_FLIGHTS = 3,
    ARM_SHARED = 5
};

#define ARM_FREE_ROW(name, unit, value, sd, index)                                                 \
    {                                                                                              \
        name, unit, value, sd, {(value)-2 * (sd), (value) + 2 * (sd)}, value, ARC_PARAMETER_FREE,  \
            index, NULL                                                                            \
    }
#define ARM_TIED_ROW(name, unit, value, sd)                                                        \
    {                                                                                              \
        name, unit, value, sd, {(value)-2 * (sd), (value) + 2 * (sd)}, NAN, ARC_PARAMETER_TIED,    \
            -1, NULL                                                                               \
    }
#define ARM_FIXED_ROW(name, unit, value)                                                           \
    {                                                                                              \
        name, unit, value, 0, {value, value}, value, ARC_PARAMETER_FIXED, -1, NULL                 \
    }

static const ArcEstimate arm_estimates[ARM_PARAMETERS] = {
    ARM_FREE_ROW("k", "1/m", 0.02, 0.001, 0),
    ARM_FREE_ROW("t0", "s", 0.4012, 0.0005, 1),
    ARM_TIED_ROW("x0", "m", 0.61, 0.0021),
    ARM_TIED_ROW("y0", "m", 1.53, 0.0019),
    ARM_TIED_ROW("vx0", "m/s", 4.2, 0.011),
    ARM_TIED_ROW("vy0", "m/s", 3.7, 0.012),
    ARM_FIXED_ROW("base_x", "m", 0),
    ARM_FIXED_ROW("base_y", "m", 1),
    ARM_FREE_ROW("l1", "m", 0.5012, 0.0005, 2),
    ARM_FREE_ROW("l2", "m", 0.3991, 0.0006, 3),
    ARM_FIXED_ROW("ball_along", "m", 0),
    ARM_FIXED_ROW("ball_across", "m", 0.03),
    ARM_FREE_ROW("offset1", "rad", 0.01, 0.002, 4),
    ARM_FIXED_ROW("offset2", "rad", 0.5),
    ARM_FIXED_ROW("gain1", "1", 1),
    ARM_FIXED_ROW("gain2", "1", 1),
    ARM_FIXED_ROW("mass1", "kg", 2),
    ARM_FIXED_ROW("mass2", "kg", 1.5),
    ARM_FREE_ROW("inertia1", "kg m^2", 0.04, 0.002, 5),
    ARM_FIXED_ROW("inertia2", "kg m^2", 0.02),
    ARM_FREE_ROW("torque1", "N m", 23.4, 0.5, 6),
    ARM_FIXED_ROW("torque2_1", "N m", 11),
    ARM_FREE_ROW("theta1", "rad", 0.61, 0.005, 7),
    ARM_FREE_ROW("theta2", "rad", -0.73, 0.006, 8),
    ARM_FREE_ROW("omega1", "rad/s", 3.1, 0.1, 9),
    ARM_FREE_ROW("omega2", "rad/s", 5.2, 0.15, 10),
};
static const int arm_shared[ARM_SHARED] = {0, 8, 9, 12, 18};

static ArcEstimate arm_parameters[2][ARM_FLIGHTS][ARM_PARAMETERS];
static ArcEstimate arm_joint_parameters[2][ARM_SHARED];
static double arm_covariance[ARM_FREE * ARM_FREE], arm_tie[2 * ARM_FLIGHTS][4 * ARM_FREE];
static const ArcFittedReading arm_readings[ARM_READINGS] = {
    {"theta1", "rad", 0.61087, 0.0017, 0.6119, 0.6058823529411765, 0},
    {"omega1", "rad/s", 3.0, 0.05, 3.1, 2.0, 4},
    {"t0", "s", 0.4, 0.001, 0.4012, 1.2, 4}};
static const ArcSwingPart arm_parts[ARM_PARTS] = {{ARC_SWING_PLACE, 1, 2, 0.0019, 1.8},
                                                  {ARC_SWING_PLACE, 2, 2, 0.0022, 2.4},
                                                  {ARC_SWING_ANGLE, 0, 1, 0.0017, 0.95},
                                                  {ARC_SWING_RATE, 1, 1, 0.035, 1.1}};
static const ArcSwingNumber arm_numbers[ARM_NUMBERS] = {
    {0, ARC_SWING_PLACE, 1, 0, 0.31, 0.002, 2},  {0, ARC_SWING_PLACE, 1, 1, 1.4, 0.002, 2},
    {1, ARC_SWING_PLACE, 2, 0, 0.7, 0.002, 3},   {1, ARC_SWING_PLACE, 2, 1, 1.6, 0.002, 3},
    {1, ARC_SWING_ANGLE, 0, 0, 0.55, 0.0017, 3}, {1, ARC_SWING_RATE, 1, 0, -1.5, 0.035, 3}};
static const double arm_number_times[ARM_NUMBERS] = {0.1, 0.1, 0.2, 0.2, 0.2, 0.2};
static const double arm_fitted[ARM_NUMBERS] = {0.312, 1.398, 0.701, 1.602, 0.5517, -1.465};
static const double arm_times[ARM_TIMES] = {0.1, 0.175, 0.25, 0.325, 0.4012};
/* Angles, rates, accelerations, torques, friction: (5, times, joints). */
static double arm_motion[2][5][ARM_TIMES * ARM_JOINTS];
static ArcSwingFit arm_swings[2];
static ArcArmFit arms[2][ARM_FLIGHTS];
static ArcFit arm_fits[2], arm_flights[2][ARM_FLIGHTS], arm_joints[2];
static ArcCapture arm_captures[ARM_FLIGHTS];
static const ArcCapture *arm_capture_list[ARM_FLIGHTS] = {&arm_captures[0], &arm_captures[1],
                                                          &arm_captures[2]};
static ArcCapture arm_capture_all;
static double arm_all_times[ARM_FLIGHTS * N_POINTS], arm_all_values[3][2 * ARM_FLIGHTS * N_POINTS];
static ArcPointUse arm_all_uses[ARM_FLIGHTS * N_POINTS];
static int arm_all_lines[ARM_FLIGHTS * N_POINTS];
static ArcResult arm_result, arm_joint_result;
static double arm_differences[2][ARM_PARAMETERS], arm_joint_differences[2][ARM_SHARED];
static ArcFlightComparison arm_compared[ARM_FLIGHTS];
static const char *const arm_setting_paths[] = {"capture.swing.file", "flight.drag", "flight.lift"};
static const char *const arm_setting_values[] = {"../data/swing.csv", "lumped", "none"};

static void make_swing(int which)
{
    double sign = which == 0 ? 1 + 1e-5 : 1; /* the PINN's is a little off */
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < ARM_TIMES * ARM_JOINTS; i++)
            arm_motion[which][k][i] = sign * (0.1 + 0.25 * k) * (i - 3) * (i % 2 == 0 ? 1 : -0.5);
    arm_swings[which] = (ArcSwingFit){.rows = 2,
                                      .numbers = ARM_NUMBERS,
                                      .chi2 = 6.25,
                                      .n_parts = ARM_PARTS,
                                      .parts = arm_parts,
                                      .measured = arm_numbers,
                                      .number_time_s = arm_number_times,
                                      .fitted = arm_fitted,
                                      .physics_rms_rad_s2 = which == 0 ? 0.01 : NAN,
                                      .physics_rms_fine_rad_s2 = which == 0 ? 0.02 : NAN,
                                      .sigma_phys_rad_s2 = which == 0 ? 0.5 : NAN,
                                      .n_times = ARM_TIMES,
                                      .n_joints = ARM_JOINTS,
                                      .time_s = arm_times,
                                      .theta_rad = arm_motion[which][0],
                                      .omega_rad_s = arm_motion[which][1],
                                      .acceleration_rad_s2 = arm_motion[which][2],
                                      .motor_n_m = arm_motion[which][3],
                                      .friction_n_m = arm_motion[which][4]};
}

static ArcArmFit made_arm(int which, int flight)
{
    ArcArmFit arm = {.n_joints = ARM_JOINTS,
                     .dimensions = 2,
                     .first = ARM_FIRST,
                     .n_parameters = ARM_PARAMETERS - ARM_FIRST,
                     .theta = ARM_PARAMETERS - 4,
                     .omega = ARM_PARAMETERS - 2,
                     .release = 2,
                     .tie = arm_tie[2 * flight + which],
                     .n_solutions = flight == 1 ? 1 : 2,
                     .solutions = {{{0.61, -0.73}, {3.1, 5.2}, 9.25, true, true, true, false},
                                   {{-0.03, 0.73}, {4.4, -5.2}, 9.5, true, true, true, false}},
                     .swing = flight == 1 ? NULL : &arm_swings[which]};
    for (int i = 0; i < 4 * ARM_FREE; i++)
        arm_tie[2 * flight + which][i] = 1.0 / (1 + i + flight) - (which == 0 ? 0.25 : 0.125);
    return arm;
}

/* One flight of an arm, flight: among those fitted together. */
static ArcFit made_flight(int which, int flight)
{
    ArcFit fit;
    make_fit(&fit, which == 0 ? ARC_PINN : ARC_DIRECT);
    fit.n_parameters = ARM_PARAMETERS;
    fit.parameters = arm_parameters[which][flight];
    memcpy(arm_parameters[which][flight], arm_estimates, sizeof arm_estimates);
    for (int p = 0; p < ARM_PARAMETERS; p++)
        if (which == 0 && arm_estimates[p].sd > 0)
            arm_parameters[which][flight][p].value += 0.01 * arm_estimates[p].sd;
    arm_parameters[which][flight][ARM_PARAMETERS - 4].value += 0.5 * flight;
    fit.n_free = ARM_FREE;
    fit.covariance = arm_covariance;
    fit.n_unidentified = 0;
    fit.null_directions = NULL;
    fit.residuals.observations = 4;
    fit.residuals.n_readings = flight == 1 ? 2 : ARM_READINGS;
    fit.residuals.n_swing = flight == 1 ? 0 : ARM_NUMBERS;
    fit.residuals.chi2 = 15.5;
    fit.residuals.readings_chi2 = 5.75;
    fit.residuals.swing_chi2 = flight == 1 ? 0 : 6.25;
    fit.residuals.dof = 2;
    fit.residuals.chi2_p = 0.3;
    fit.readings = arm_readings;
    arms[which][flight] = made_arm(which, flight);
    fit.arm = &arms[which][flight];
    fit.spread = (ArcSpread){.loss = {.kind = ARC_LOSS_GAUSS},
                             .loss_dof_ci95 = {NAN, NAN},
                             .sigma_factor = 1,
                             .sigma_m = NAN,
                             .interval_dof = INFINITY};
    fit.stop_note = fit.stages = NULL;
    fit.n_remarks = 0;
    fit.remarks = NULL;
    return fit;
}

static void make_arm_captures(void)
{
    static const char *const numbers[ARM_FLIGHTS] = {"1", "2", "3"};
    for (int f = 0; f < ARM_FLIGHTS; f++) {
        arm_captures[f] = capture;
        arm_captures[f].flight = numbers[f];
        for (int i = 0; i < N_POINTS; i++) {
            int to = f * N_POINTS + i;
            arm_all_times[to] = point_times[i];
            arm_all_uses[to] = point_uses[i];
            arm_all_lines[to] = point_lines[i];
            for (int c = 0; c < 2; c++) {
                arm_all_values[0][2 * to + c] = point_positions[2 * i + c];
                arm_all_values[1][2 * to + c] = point_sigmas[2 * i + c];
                arm_all_values[2][2 * to + c] = predicted[2 * i + c];
            }
        }
    }
    arm_capture_all = capture;
    arm_capture_all.n_points = ARM_FLIGHTS * N_POINTS;
    arm_capture_all.n_fit = ARM_FLIGHTS * capture.n_fit;
    arm_capture_all.n_held_out = ARM_FLIGHTS * capture.n_held_out;
    arm_capture_all.time_s = arm_all_times;
    arm_capture_all.position_m = arm_all_values[0];
    arm_capture_all.sigma_m = arm_all_values[1];
    arm_capture_all.use = arm_all_uses;
    arm_capture_all.line = arm_all_lines;
}

static void make_arm_joint(int which)
{
    ArcFit *joint = &arm_joints[which];
    *joint = arm_fits[which];
    for (int f = 0; f < ARM_FLIGHTS; f++) {
        static const char *const names[ARM_FLIGHTS] = {"../data/throw.csv, flight 1",
                                                       "../data/throw.csv, flight 2",
                                                       "../data/throw.csv, flight 3"};
        arm_flights[which][f] = made_flight(which, f);
        arm_flights[which][f].flight = names[f];
        for (int end = 0; end < 2; end++)
            arm_flights[which][f].residuals.sigma_phys_ci95_m_s2[end] = NAN;
    }
    for (int p = 0; p < ARM_SHARED; p++) {
        arm_joint_parameters[which][p] = arm_parameters[which][0][arm_shared[p]];
        arm_joint_parameters[which][p].free_index = p;
    }
    joint->n_parameters = joint->n_free = ARM_SHARED;
    joint->parameters = arm_joint_parameters[which];
    joint->n_flights = ARM_FLIGHTS;
    joint->flights = arm_flights[which];
    joint->arm = NULL;
    joint->readings = NULL;
    joint->residuals.n_readings = 2 * ARM_READINGS + 2;
    joint->residuals.readings_chi2 = 17.25;
    joint->residuals.n_swing = 2 * ARM_NUMBERS;
    joint->residuals.swing_chi2 = 12.5;
    joint->n_derived = 0;
    joint->net = (ArcFittedNet){.weights = NULL};
    joint->predicted_m = arm_all_values[2];
    joint->n_trajectory = 0;
}

static ArcResult made_arm_result(const ArcFit *fits)
{
    ArcResult made = result;
    made.fits[0] = &fits[0];
    made.fits[1] = &fits[1];
    made.n_settings = 3;
    made.setting_paths = arm_setting_paths;
    made.setting_values = arm_setting_values;
    made.comparison.n_parameters = fits[0].n_parameters;
    made.comparison.chi2_p = 0.3;
    made.comparison.swing_max_rad = 1e-4;
    made.comparison.physics = (ArcBreach){.searched = false};
    return made;
}

static void make_arm_result(void)
{
    make_result();
    for (int i = 0; i < ARM_FREE * ARM_FREE; i++)
        arm_covariance[i] = i % (ARM_FREE + 1) == 0 ? 1e-4 : 1e-6;
    for (int p = 0; p < ARM_PARAMETERS; p++) {
        bool is_open = arm_estimates[p].sd > 0;
        arm_differences[0][p] = is_open ? 0.01 * arm_estimates[p].sd : NAN;
        arm_differences[1][p] = is_open ? 0.01 : NAN;
    }
    for (int p = 0; p < ARM_SHARED; p++)
        for (int k = 0; k < 2; k++)
            arm_joint_differences[k][p] = arm_differences[k][arm_shared[p]];
    make_arm_captures();
    for (int which = 0; which < 2; which++) {
        make_swing(which);
        arm_fits[which] = made_flight(which, 0);
        make_arm_joint(which);
    }
    arm_result = made_arm_result(arm_fits);
    arm_result.comparison.difference = arm_differences[0];
    arm_result.comparison.in_sd = arm_differences[1];
    arm_joint_result = made_arm_result(arm_joints);
    arm_joint_result.comparison.difference = arm_joint_differences[0];
    arm_joint_result.comparison.in_sd = arm_joint_differences[1];
    arm_joint_result.comparison.n_flights = ARM_FLIGHTS;
    arm_joint_result.comparison.flights = arm_compared;
    for (int f = 0; f < ARM_FLIGHTS; f++)
        arm_compared[f] = (ArcFlightComparison){arm_differences[0], arm_differences[1], 0.01, 1e-5};
    arm_joint_result.n_flights = ARM_FLIGHTS;
    arm_joint_result.flights = arm_capture_list;
    arm_joint_result.capture = &arm_capture_all;
}

#endif
