/* A result made by hand, with every kind of parameter in it, for the tests of reports. */
#ifndef ARC_TESTS_REPORT_CASE_H
#define ARC_TESTS_REPORT_CASE_H

#include "arcfit/report.h"

#include <math.h>
#include <string.h>

enum {
    N_POINTS = 4,
    N_PARAMETERS = 4,
    N_FREE = 3,
    N_HISTORY = 3,
    N_OUTLIERS = 2,
    N_WEIGHTS = 3 * (5 + 1) + 3 * 4 + 2 * 4
};

static const double point_times[N_POINTS] = {0, 0.1, 0.25, 0.4};
static const double point_positions[N_POINTS * 2] = {0, 2, 0.7, 2.4, 1.5, NAN, 2.4, 2.1};
static const double point_sigmas[N_POINTS * 2] = {3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 3e-3, 4e-3};
static const ArcPointUse point_uses[N_POINTS] = {ARC_POINT_FIT, ARC_POINT_FIT, ARC_POINT_HELD_OUT,
                                                 ARC_POINT_UNUSED};
static const int point_lines[N_POINTS] = {2, 3, 4, 6};
static ArcCapture capture = {.file = "../data/throw.csv",
                             .n_points = N_POINTS,
                             .dimensions = 2,
                             .time_s = point_times,
                             .position_m = point_positions,
                             .sigma_m = point_sigmas,
                             .use = point_uses,
                             .line = point_lines,
                             .n_fit = 2,
                             .n_held_out = 1};
static ArcEstimate parameters[2][N_PARAMETERS] = {
    {{"k", "1/m", 0.1, NAN, {NAN, NAN}, 0.2, ARC_PARAMETER_UNIDENTIFIED, 1, "no data tell it"},
     {"spin", "rad/s", -20.5, 0, {-20.5, -20.5}, -20.5, ARC_PARAMETER_FIXED, -1, NULL},
     {"vx0", "m/s", 5.123456, 0.0123, {5.1, 5.15}, 5, ARC_PARAMETER_FREE, 0, NULL},
     {"angle", "rad", 0.9, 1.2e-7, {0.9, 0.9}, 1, ARC_PARAMETER_AT_BOUND, 2, "at its low bound"}}};
static ArcEstimate derived[1] = {
    {"release_angle", "rad", 0.94, 0.001, {0.938, 0.942}, NAN, ARC_PARAMETER_FREE, -1, NULL}};
static const double covariance[N_FREE * N_FREE] = {1.5e-4, NAN,   1e-10, NAN,     NAN,
                                                   NAN,    1e-10, NAN,   1.44e-14};
static const int group_size[1] = {2};
static const int group_members[2] = {0, 1};
static const int *const groups[1] = {group_members};
static const double null_directions[N_FREE] = {0, 1, 0.5};
static const ArcHistoryRow history[N_HISTORY] = {
    {2, 0, 1, 5.5e10, 3.25, 2, 0.25, 100, NAN},
    {2, 0, 2, 1.5, 1, NAN, 0.5, 0.1, NAN},
    {2, 1, 123456, 1.2345678e-300, 0.9, 0.1, 1.25e-300, NAN, 1e-3}};
static double times[ARC_TRAJECTORY_POINTS], states[3][2 * ARC_TRAJECTORY_POINTS];
static double predicted[2 * N_POINTS];
static double weights[N_WEIGHTS];
static double net_begin[1] = {0}, net_span[1] = {0.4};
static ArcFit pinn, direct;
static const char *const setting_paths[] = {"flight.drag", "flight.lift"};
static const char *const setting_values[] = {"lumped", "none"};
static const char *const overrides[] = {"fit.seed=7"};
static const double differences[N_PARAMETERS] = {NAN, NAN, 1e-4, 2e-8};
static const double in_sd[N_PARAMETERS] = {NAN, NAN, 0.0081, -0.17};
static ArcResult result;
static const ArcBreach breach = {.searched = true,
                                 .tolerated = true,
                                 .interval_s = {0.25, 0.3},
                                 .size_m_s2 = 5.63,
                                 .size_sd_m_s2 = 0.1,
                                 .direction = {-0.6, 0.8, 0},
                                 .relative = {-0.28, 0, 0.96},
                                 .displacement_m = 0.413,
                                 .chi2_explained = 57.09,
                                 .p = 0.0005,
                                 .p_scaled = 0.0055};

static const char *const remarks[] = {"hoop: the ball's centre passes inside the rim",
                                      "wall is left out: the flight never crosses x = 5 m"};

static const ArcOutlier outliers[N_OUTLIERS] = {{1, 3, 1, -1, -0.0625, -20.5, 0.0625},
                                                {0, 2, 0, -1, 0.015625, 5.25, 0.25}};

static void make_fit(ArcFit *fit, ArcMethod method)
{
    *fit = (ArcFit){.method = method,
                    .converged = true,
                    .stop = method == ARC_PINN ? ARC_STOP_COST : ARC_STOP_STEP,
                    .iterations = 4,
                    .wall_s = 0.25,
                    .n_parameters = N_PARAMETERS,
                    .parameters = parameters[method == ARC_PINN ? 0 : 1],
                    .n_derived = 1,
                    .derived = derived,
                    .n_remarks = method == ARC_PINN ? 2 : 1,
                    .remarks = remarks,
                    .spread = {.loss = {.kind = ARC_LOSS_GAUSS},
                               .loss_dof_ci95 = {NAN, NAN},
                               .sigma_factor = 1,
                               .sigma_m = NAN,
                               .interval_dof = INFINITY},
                    .interval_factor = 1.96,
                    .n_free = N_FREE,
                    .covariance = covariance,
                    .n_unidentified = 1,
                    .unidentified_size = group_size,
                    .unidentified = groups,
                    .null_directions = null_directions,
                    .residuals = {.points = 2,
                                  .observations = 4,
                                  .chi2 = 2.7,
                                  .prior_chi2 = 0.1,
                                  .dof = -1,
                                  .chi2_p = NAN,
                                  .rms_m = 0.0021,
                                  .rms_px = NAN,
                                  .physics_rms_m_s2 = NAN,
                                  .physics_rms_fine_m_s2 = NAN,
                                  .sigma_phys_m_s2 = NAN,
                                  .sigma_phys_ci95_m_s2 = {NAN, NAN},
                                  .held_out_points = 1,
                                  .held_out_rms_m = 0.004,
                                  .held_out_rms_px = NAN},
                    .n_trajectory = ARC_TRAJECTORY_POINTS,
                    .dimensions = 2,
                    .time_s = times,
                    .position_m = states[0],
                    .velocity_m_s = states[1],
                    .acceleration_m_s2 = states[2],
                    .predicted_m = predicted,
                    .n_history = N_HISTORY,
                    .history = history,
                    .n_starts = 1,
                    .n_starts_converged = 1};
    if (method == ARC_DIRECT)
        return;
    fit->spread = (ArcSpread){.loss = {ARC_LOSS_STUDENT_T, 0, 5.25, true},
                              .loss_dof_ci95 = {2.5, INFINITY},
                              .sigma_estimated = true,
                              .sigma_factor = 1.25,
                              .sigma_factor_sd = 0.25,
                              .sigma_m = 0.00375,
                              .interval_dof = 17.5,
                              .note = "rests on few points",
                              .n_outliers = N_OUTLIERS,
                              .outliers = outliers};
    fit->interval_factor = 2.1;
    fit->residuals.physics_rms_m_s2 = 1e-6;
    fit->residuals.physics_rms_fine_m_s2 = 2e-6;
    fit->residuals.sigma_phys_m_s2 = 1e-3;
    fit->residuals.sigma_phys_ci95_m_s2[0] = 5e-4;
    fit->residuals.sigma_phys_ci95_m_s2[1] = 2e-3;
    fit->stop_note = "physics not finite at step 3 of stage 1 (adam); lower its rate or set clip";
    fit->stages = "vacuum, all laws";
    fit->n_starts = 8;
    fit->n_starts_converged = 7;
    fit->start_spread_sd = 0.0123;
    fit->net = (ArcFittedNet){.settings = arc_net_settings_default(),
                              .n_outputs = 2,
                              .n_segments = 1,
                              .begin_s = net_begin,
                              .n_weights = N_WEIGHTS,
                              .weights = weights,
                              .span_s = net_span,
                              .scale_m_s2 = 9.8,
                              .collocation = 32};
    fit->net.settings.n_hidden = 2;
    fit->net.settings.widths[0] = fit->net.settings.widths[1] = 3;
    fit->net.settings.skip = true;
    fit->net.settings.fourier_modes = 2;
    fit->net.settings.fourier_base = 0.75;
}

static void make_result(void)
{
    memcpy(parameters[1], parameters[0], sizeof parameters[0]);
    parameters[1][2].value += 1e-4;
    for (int i = 0; i < ARC_TRAJECTORY_POINTS; i++)
        times[i] = 0.004 * i;
    for (int i = 0; i < 6 * ARC_TRAJECTORY_POINTS; i++)
        states[i / (2 * ARC_TRAJECTORY_POINTS)][i % (2 * ARC_TRAJECTORY_POINTS)] = 0.1 * i;
    for (int i = 0; i < 2 * N_POINTS; i++)
        predicted[i] = i < 2 ? (double)NAN : i;
    for (int i = 0; i < N_WEIGHTS; i++)
        weights[i] = 1.0 / (1 + i);
    make_fit(&pinn, ARC_PINN);
    make_fit(&direct, ARC_DIRECT);
    result = (ArcResult){.version = "0.1.0",
                         .experiment_path = "experiments/throw.yaml",
                         .experiment_text = "arcfit: 1\nname: Throw\n",
                         .name = "Throw \xc3\xa9",
                         .seed = 7,
                         .n_fits = 2,
                         .fits = {&pinn, &direct},
                         .comparison = {.both = true,
                                        .n_parameters = N_PARAMETERS,
                                        .difference = differences,
                                        .in_sd = in_sd,
                                        .max_in_sd = 0.17,
                                        .trajectory_max_m = 1e-5,
                                        .swing_max_rad = NAN,
                                        .chi2_p = NAN,
                                        .worst_flight = -1,
                                        .worst_p = NAN,
                                        .verdict = ARC_VERDICT_AGREE,
                                        .physics = breach},
                         .capture = &capture,
                         .n_settings = 2,
                         .setting_paths = setting_paths,
                         .setting_values = setting_values,
                         .n_overrides = 1,
                         .overrides = overrides};
}

/* Equal, NaN for NaN. */
static inline void assert_same(int n, const double *a, const double *b)
{
    for (int i = 0; i < n; i++)
        assert_true(a[i] == b[i] || (isnan(a[i]) && isnan(b[i])));
}

#endif
