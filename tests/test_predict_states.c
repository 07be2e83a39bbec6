/* Channels of own equations with their bands against closed forms, of first and second order. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "arcfit/predict.h"
#include "arcfit/states.h"

/* x' = -k x + b t, and x'' = -w^2 x. */
static const char *const texts[2] = {
    "#include <arcfit/model.h>\n"
    "static const ArcModelQuantity states[] = {{\"x\", \"m\", \"it\", 1, -10, 10}};\n"
    "static const ArcModelQuantity parameters[] = {{\"k\", \"1/s\", \"decay\", 0.5, 0, 5},\n"
    "    {\"b\", \"m/s^2\", \"growth\", 0.1, -5, 5}};\n"
    "static void rates(real t, const real *x, const real *v, const real *p, real *f)\n"
    "{ f[0] = p[1] * t - p[0] * x[0]; }\n"
    "ARC_MODEL(\"decay\", \"decay and growth\", 1, states, parameters, rates, NULL)\n",
    "#include <arcfit/model.h>\n"
    "static const ArcModelQuantity states[] = {{\"x\", \"m\", \"it\", 1, -10, 10}};\n"
    "static const ArcModelQuantity parameters[] = {{\"w\", \"1/s\", \"rate\", 2, 0, 5}};\n"
    "static void rates(real t, const real *x, const real *v, const real *p, real *f)\n"
    "{ f[0] = -p[0] * p[0] * x[0]; }\n"
    "ARC_MODEL(\"swing\", \"an oscillator\", 2, states, parameters, rates, NULL)\n"};

enum { MOST = 4, TIMES = 5 };
static char folder[] = "/tmp/arcfit-test-predict-XXXXXX";
static ArcEquations *equations[2];
static const double times[TIMES] = {0.25, 0.5, 1, 2, 7};

/* x (of the oscillator also x') by values: parameters, t0, starts. */
static void closed_form(int which, const double *values, double t, double y[2])
{
    if (which == 0) {
        double k = values[0], b = values[1], s = t - values[2], x0 = values[3];
        y[0] = (x0 + b / (k * k)) * exp(-k * s) + b * s / k - b / (k * k);
        return;
    }
    double w = values[0], s = t - values[1], x0 = values[2], v0 = values[3];
    y[0] = x0 * cos(w * s) + v0 / w * sin(w * s);
    y[1] = v0 * cos(w * s) - x0 * w * sin(w * s);
}

/* A fit whose parameters are all free but for the last, with covariance C. */
static ArcFit made_fit(ArcEstimate *estimates, const double *values, const double *covariance)
{
    for (int p = 0; p < MOST; p++)
        estimates[p] = (ArcEstimate){.name = "p",
                                     .unit = "1",
                                     .value = values[p],
                                     .status = p < 3 ? ARC_PARAMETER_FREE : ARC_PARAMETER_FIXED,
                                     .free_index = p < 3 ? 2 - p : -1};
    return (ArcFit){
        .n_parameters = MOST, .parameters = estimates, .n_free = 3, .covariance = covariance};
}

static void check_bands(int which, const double *values)
{
    static const double covariance[9] = {4e-4, 1e-4, 0, 1e-4, 9e-4, -2e-4, 0, -2e-4, 1e-4};
    ArcEstimate estimates[MOST];
    const ArcFit fit = made_fit(estimates, values, covariance);
    const ArcExperiment experiment = {.equations = equations[which]};
    int C = equations[which]->n_channels;
    double y[TIMES * 2], sd[TIMES * 2];
    ArcError err;
    if (arc_predict_state(&experiment, &fit, TIMES, times, &(ArcPrediction){.x_m = y, .x_sd_m = sd},
                          &err) != ARC_OK)
        fail_msg("%s", err.text);
    for (int i = 0; i < TIMES; i++) {
        double expected[2], g[2][3];
        closed_form(which, values, times[i], expected);
        for (int p = 0; p < 3; p++) {
            double step = 1e-5, shifted[MOST], up[2], down[2];
            memcpy(shifted, values, sizeof shifted);
            shifted[p] = values[p] + step;
            closed_form(which, shifted, times[i], up);
            shifted[p] = values[p] - step;
            closed_form(which, shifted, times[i], down);
            for (int c = 0; c < C; c++)
                g[c][2 - p] = (up[c] - down[c]) / (2 * step);
        }
        for (int c = 0; c < C; c++) {
            double variance = 0;
            for (int k = 0; k < 9; k++)
                variance += g[c][k / 3] * covariance[k] * g[c][k % 3];
            assert_float_equal(y[i * C + c], expected[c], 1e-9);
            assert_float_equal(sd[i * C + c], sqrt(variance), 1e-8);
        }
    }
}

static void test_predict_state_of_first_order_is_its_closed_form(void **state)
{
    (void)state;
    check_bands(0, (const double[]){0.7, 0.4, 0.25, 1.5});
}

static void test_predict_state_of_second_order_is_its_closed_form(void **state)
{
    (void)state;
    check_bands(1, (const double[]){2.5, 0.125, 0.75, -1.25});
}

/* What the data cannot tell has no band where it matters. */
static void test_predict_state_along_null_direction_has_no_sd(void **state)
{
    (void)state;
    static const double covariance[9] = {1e-4, 0, 0, 0, 0, 0, 0, 0, 1e-4}, null[3] = {0, 1, 0};
    ArcEstimate estimates[MOST];
    ArcFit fit = made_fit(estimates, (const double[]){0.7, 0.4, 0.25, 1.5}, covariance);
    const ArcExperiment experiment = {.equations = equations[0]};
    double sd[2];
    fit.n_unidentified = 1;
    fit.null_directions = null; /* b, which says nothing at the start */
    assert_int_equal(arc_predict_state(&experiment, &fit, 2, (const double[]){0.25, 1},
                                       &(ArcPrediction){.x_sd_m = sd}, NULL),
                     ARC_OK);
    assert_true(isfinite(sd[0]));
    assert_true(isnan(sd[1]));
}

static void test_predict_of_states_refuses_what_cannot_be(void **state)
{
    (void)state;
    static const double covariance[9] = {0};
    ArcEstimate estimates[MOST];
    ArcFit fit = made_fit(estimates, (const double[]){0.7, 0.4, 0.25, 1.5}, covariance);
    const ArcExperiment experiment = {.equations = equations[0]};
    double y[2];
    ArcError err;
    ArcCrossing crossing;
    assert_int_equal(arc_predict_state(&experiment, &fit, 1, (const double[]){0.125},
                                       &(ArcPrediction){.x_m = y}, &err),
                     ARC_INPUT);
    assert_string_equal(err.text,
                        "error: 0.125 s is before the start at 0.25 s; ask for later times");
    assert_int_equal(arc_predict_crossing(&experiment, &fit, (ArcPlane){0, 1}, 1, &crossing, &err),
                     ARC_USAGE);
    /* A simulation without the closure would be another run. */
    const ArcExperiment closed = {.equations = equations[0], .closure = {.is_on = true}};
    assert_int_equal(
        arc_predict_state(&closed, &fit, 1, (const double[]){1}, &(ArcPrediction){.x_m = y}, &err),
        ARC_USAGE);
    estimates[0].value = -1000; /* grows beyond all numbers */
    assert_int_equal(arc_predict_state(&experiment, &fit, 1, (const double[]){10},
                                       &(ArcPrediction){.x_m = y}, &err),
                     ARC_NUMERIC);
    assert_non_null(strstr(err.text, "the run cannot be followed to 10 s: "));
}

static int load_models(void **state)
{
    (void)state;
    ArcError err;
    if (mkdtemp(folder) == NULL)
        return 1;
    for (int i = 0; i < 2; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/model.c", folder);
        FILE *file = fopen(path, "w");
        if (file == NULL || fputs(texts[i], file) < 0 || fclose(file) != 0)
            return 1;
        ArcStatus status = arc_equations_load(path, (ArcPlace){path, 1, 1}, &equations[i], &err);
        unlink(path);
        if (status != ARC_OK) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
    }
    return 0;
}

static int free_models(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        arc_equations_free(equations[i]);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predict_state_of_first_order_is_its_closed_form),
        cmocka_unit_test(test_predict_state_of_second_order_is_its_closed_form),
        cmocka_unit_test(test_predict_state_along_null_direction_has_no_sd),
        cmocka_unit_test(test_predict_of_states_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests(tests, load_models, free_models);
}
