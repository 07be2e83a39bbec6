/* Closures made by hand in the results of report_case.h: a field of two inputs, a curve of one. */
#ifndef ARC_TESTS_REPORT_CLOSURE_CASE_H
#define ARC_TESTS_REPORT_CLOSURE_CASE_H

#include "arcfit/closure.h"
#include "report_case.h"

enum { FIELD_ROWS = 5, FIELD_WEIGHTS = 6, CURVE_ROWS = 3, CURVE_WEIGHTS = 2 };

static const char *const field_inputs[] = {"x", "y"}, *const field_units[] = {"m", "m"};
static const char *const field_outputs[] = {"ax", "ay"};
static const char *const field_output_units[] = {"m/s^2", "m/s^2"};
static const int field_nodes[FIELD_ROWS] = {0, 1, 2, 4, 5};
static const double field_input[FIELD_ROWS * 2] = {1, 1, 1, 2, 1, 3, 2, 2, 2, 3};
static const double field_value[FIELD_ROWS * 2] = {0.1, 0, 0.5, 0, 1.91, -0.25, 0.75, 0, 0.125, 0};
static const double field_sd[FIELD_ROWS * 2] = {0.2, 0.1, 0.2, 0.1, 0.11, 0.1, 0.2, 0.1, 0.2, 0.1};
static const char *const curve_inputs[] = {"speed"}, *const curve_units[] = {"m/s"};
static const char *const curve_outputs[] = {"cd"}, *const curve_output_units[] = {"1"};
static const double curve_input[CURVE_ROWS] = {5, 12.5, 30};
static const double curve_value[CURVE_ROWS] = {0.5, 0.3, 0.2}, curve_sd[CURVE_ROWS] = {0, 0.01, 0};
static double field_weights[FIELD_WEIGHTS], field_covariance[FIELD_WEIGHTS * FIELD_WEIGHTS];
static const double curve_weights[CURVE_WEIGHTS] = {0.25, -0.5};
static const double curve_covariance[CURVE_WEIGHTS * CURVE_WEIGHTS] = {1, 0.5, 0.5, 2};
static const double field_hidden[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, curve_hidden[2] = {0.5, -1};
static ArcClosureFit field, curve;

static void make_closures(void)
{
    make_result();
    for (int k = 0; k < FIELD_WEIGHTS; k++)
        field_weights[k] = 0.5 - k;
    for (int k = 0; k < FIELD_WEIGHTS * FIELD_WEIGHTS; k++)
        field_covariance[k] = 1.0 / (1 + k);
    field = (ArcClosureFit){.settings = arc_closure_settings_default(),
                            .n_units = 3,
                            .n_weights = FIELD_WEIGHTS,
                            .width = 0.53125,
                            .n_outputs = 2,
                            .ridge = {1.25, INFINITY},
                            .weights = field_weights,
                            .n_hidden = 9,
                            .hidden = field_hidden,
                            .centre = {2.5, 1.5},
                            .scale = {3, 3},
                            .covariance = field_covariance,
                            .effective = 2.5,
                            .log_bayes = 131.5,
                            .chi2_without = 842.5,
                            .chi2_with = 590.25,
                            .misfit_explained = 0.975,
                            .rms = 0.5125,
                            .rms_share = 0.125,
                            .n_folds = 10,
                            .held_out_with = 3.25,
                            .held_out_without = 2.75,
                            .table = {.n_rows = FIELD_ROWS,
                                      .n_inputs = 2,
                                      .n_outputs = 2,
                                      .input_names = field_inputs,
                                      .input_units = field_units,
                                      .output_names = field_outputs,
                                      .output_units = field_output_units,
                                      .grid = {2, 3},
                                      .node = field_nodes,
                                      .input = field_input,
                                      .value = field_value,
                                      .sd = field_sd}};
    field.settings.is_on = true;
    field.settings.n_inputs = 2;
    field.settings.inputs[0] = (ArcClosureInput){ARC_CLOSURE_POSITION, 0};
    field.settings.inputs[1] = (ArcClosureInput){ARC_CLOSURE_POSITION, 1};
    field.settings.axes = 3;
    field.settings.net_auto = false;
    curve = field;
    curve.settings.output = ARC_CLOSURE_CD;
    curve.settings.replaces = true;
    curve.settings.n_inputs = 1;
    curve.settings.inputs[0] = (ArcClosureInput){ARC_CLOSURE_SPEED, 0};
    curve.settings.choice = ARC_CLOSURE_CROSS_VALIDATION;
    curve.n_units = curve.n_weights = CURVE_WEIGHTS;
    curve.weights = curve_weights;
    curve.n_hidden = 2;
    curve.hidden = curve_hidden;
    curve.settings.net.activation = ARC_ACTIVATION_SIN;
    curve.covariance = curve_covariance;
    curve.n_outputs = 1;
    curve.n_folds = 0;
    curve.log_bayes = 0.25;
    curve.misfit_explained = NAN;
    curve.rms_share = NAN;
    curve.table = (ArcClosureTable){.n_rows = CURVE_ROWS,
                                    .n_inputs = 1,
                                    .n_outputs = 1,
                                    .input_names = curve_inputs,
                                    .input_units = curve_units,
                                    .output_names = curve_outputs,
                                    .output_units = curve_output_units,
                                    .grid = {CURVE_ROWS, 0},
                                    .input = curve_input,
                                    .value = curve_value,
                                    .sd = curve_sd};
    pinn.closure = &curve;
    direct.closure = &field;
}

#endif
