/* Bands of predictions with a closure: what all points together must add up to, the truth between
 * points, numbers that follow, and a closure of own equations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/predict.h"
#include "closure_case.h"
#include "fit/joint.h"
#include "model_case.h"
#include "system_case.h"

enum { FEW = 4, FEW_POINTS = 12, MANY = 20, POINTS = 30, MOST = 64, MOST_AXES = 4 };

#define FINE "fit: {direct: {tolerance: 1e-13}}\n"
#define FIXED_FIELD                                                                                \
    CLOSURE_FLIGHT "closure: {inputs: [x, y], outputs: acceleration, ridge: 0.5, width: "          \
                   "0.7}\n" FINE

static ArcFit *fit_of(const ArcJoint *joint, ArcMethod method)
{
    ArcError err;
    ArcFit *fit = NULL;
    if (arc_joint_fit(joint, method, NULL, &fit, &err) != ARC_OK)
        fail_msg("%s", err.text);
    assert_true(fit->converged);
    return fit;
}

static void predict(const ArcExperiment *experiment, const ArcFit *flight, int n, const double *t_s,
                    double *x, double *sd)
{
    ArcError err;
    const ArcPrediction prediction = {.x_m = x, .x_sd_m = sd};
    if (arc_predict_state(experiment, flight, n, t_s, &prediction, &err) != ARC_OK)
        fail_msg("%s", err.text);
}

/* Of a linear model with rows J of unit variance and covariance C = inverse(J'J + prior), the
 * variances J_i C J_i' of its points add up to trace(C J'J): the number of unknowns, less what the
 * prior tells of the weights. */
static void check_sum(const ArcJoint *joint, const ArcExperiment *experiment,
                      const ArcCapture *const *captures, ArcMethod method)
{
    ArcFit *fit = fit_of(joint, method);
    double sum = 0.0, known = 0.0, wanted = joint->n_unknowns + fit->closure->effective;
    assert_true(fit->closure->effective > 1.0);
    for (int f = 0; f < fit->n_flights; f++) {
        const ArcCapture *capture = captures[f];
        double x[MOST * MOST_AXES], sd[2][MOST * MOST_AXES];
        int n = capture->n_points, d = capture->dimensions;
        assert_true(n <= MOST && d <= MOST_AXES);
        assert_non_null(fit->flights[f].weights_covariance);
        ArcFit blind = fit->flights[f];
        blind.weights_covariance = NULL;
        predict(experiment, &fit->flights[f], n, capture->time_s, x, sd[0]);
        predict(experiment, &blind, n, capture->time_s, x, sd[1]);
        for (int i = 0; i < n * d; i++) {
            if (!isfinite(capture->position_m[i]))
                continue;
            sum += pow(sd[0][i] / capture->sigma_m[i], 2.0);
            known += pow(sd[1][i] / capture->sigma_m[i], 2.0);
        }
    }
    print_message("variances add up to %.6f of %.6f; with weights as if known to %.1f\n", sum,
                  wanted, known);
    assert_true(fabs(sum - wanted) < 1e-3 * wanted);
    assert_true(fabs(known - wanted) > 0.1 * wanted);
    arc_fit_free(fit);
}

static void test_variances_add_up_to_the_number_of_unknowns(void **state)
{
    (void)state;
    const ClosureTruth truth = CLOSURE_TRUTH;
    const int n_flights[] = {FEW, 1};
    ArcExperiment *experiment = case_experiment(FIXED_FIELD);
    closure_throw(&truth, FEW, FEW_POINTS, 2);
    for (int i = 0; i < 2; i++) {
        ArcJoint *joint = closure_join(FIXED_FIELD, n_flights[i]);
        check_sum(joint, experiment, (const ArcCapture *const *)closure_flights, ARC_DIRECT);
        arc_joint_free(joint);
    }
    closure_land(FEW);
    arc_experiment_free(experiment);
}

static void check_own(const char *text, int n, double span_s, uint32_t channels)
{
    ArcError err;
    ArcJoint *joint = NULL;
    ArcCapture *capture = system_capture_over(text, n, span_s, channels, 1.0, 1);
    ArcExperiment *experiment = model_experiment(text);
    if (arc_joint_create(experiment, 1, (const ArcCapture *const *)&capture, &joint, &err) !=
        ARC_OK)
        fail_msg("%s", err.text);
    check_sum(joint, experiment, (const ArcCapture *const *)&capture, ARC_DIRECT);
    arc_joint_free(joint);
    arc_capture_free(capture);
    arc_experiment_free(experiment);
}

/* Of both orders, each coordinate in its own unit. */
static void test_variances_of_own_equations_add_up_too(void **state)
{
    (void)state;
    check_own("arcfit: 1\nmodel: {plugin: experiments/models/lorenz.c}\n"
              "capture: {file: none.csv, sigma: 0.1}\n"
              "parameters: {sigma: {start: 10}, x0: {start: -8}, y0: {start: 7}, z0: {start: 27}}\n"
              "closure: {inputs: [x, y], outputs: [y, z], ridge: 0.1, width: 0.8}\n" FINE,
              40, 0.6, 0x7);
    check_own(COUPLED "capture: {file: none.csv, sigma: {a: 1 cm, b: 0.5, va: 0.2, vb: 2}}\n"
                      "parameters: {stiffness: {start: 4}, coupling: 0.5, damping: 0.2, "
                      "drive: 0.7, a0: {start: 1.2}, b0: {start: -15}, va0: {start: 0.4}, "
                      "vb0: {start: 4}}\n"
                      "closure: {inputs: [a, vb], outputs: [a, b], ridge: 1, width: 0.8}\n" FINE,
              40, 2.0, 0xb);
}

/* Between the points, the truth lies within bands as often as they say, and the height of the apex
 * is that of the state there. */
static void test_bands_between_points_cover_the_truth(void **state)
{
    (void)state;
    const ClosureTruth truth = CLOSURE_TRUTH;
    double z2 = 0.0, largest = 0.0;
    int n = 0, inside = 0;
    ArcCapture *exact[MANY];
    ArcRandom random = arc_random_create(7, 3);
    for (int f = 0; f < MANY; f++) {
        double speed = arc_random_uniform(&random, 5.5, 7.5);
        double angle = arc_random_uniform(&random, 50.0, 70.0) * M_PI / 180.0;
        double release[4] = {0.1 * arc_random_normal(&random),
                             2.0 + 0.1 * arc_random_normal(&random), speed * cos(angle),
                             speed * sin(angle)};
        double span_s = 1.94 * release[3] / 9.80665;
        closure_flights[f] = closure_fly(&truth, release, POINTS, span_s, 0.002, &random);
        exact[f] = closure_fly(&truth, release, 2 * POINTS - 1, span_s, 1e-9, &random);
    }
    ArcJoint *joint = closure_join(CLOSURE_FIELD, MANY);
    ArcExperiment *experiment = case_experiment(CLOSURE_FIELD);
    ArcFit *fit = fit_of(joint, ARC_DIRECT);
    for (int f = 0; f < MANY; f++) {
        const ArcFit *flight = &fit->flights[f];
        double x[4 * POINTS], sd[4 * POINTS];
        predict(experiment, flight, exact[f]->n_points, exact[f]->time_s, x, sd);
        for (int i = 2; i < 2 * exact[f]->n_points; i++) {
            if (i / 2 % 2 == 0)
                continue; /* a point of the fit */
            double z = (x[i] - exact[f]->position_m[i]) / sd[i];
            z2 += z * z;
            inside += fabs(z) < 1.96;
            largest = fmax(largest, sd[i]);
            n++;
        }
        const ArcEstimate *apex = case_derived(flight, "apex_height");
        double apex_s = case_derived(flight, "apex_time")->value;
        predict(experiment, flight, 1, &apex_s, x, sd);
        assert_true(fabs(x[1] - apex->value) < 1e-7);
        assert_true(fabs(sd[1] - apex->sd) < 1e-4 * sd[1]);
    }
    print_message("between points: %.3f of %d inside, z of rms %.3f, sd at most %.2g mm\n",
                  (double)inside / n, n, sqrt(z2 / n), 1e3 * largest);
    assert_true(inside > 0.9 * n && inside < 0.99 * n);
    assert_true(fabs(sqrt(z2 / n) - 1.0) < 0.25);
    assert_true(largest < 0.003);
    arc_fit_free(fit);
    arc_experiment_free(experiment);
    arc_joint_free(joint);
    closure_land(MANY);
    for (int f = 0; f < MANY; f++)
        arc_capture_free(exact[f]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variances_add_up_to_the_number_of_unknowns),
        cmocka_unit_test(test_variances_of_own_equations_add_up_too),
        cmocka_unit_test(test_bands_between_points_cover_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, model_clear);
}
