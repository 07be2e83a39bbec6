/* Figures of arms that were fitted: the pose by hand, the swing's numbers against the fit, what was
 * read off, several flights, exhaustion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "drawn_exhaust.h"
#include "maker_case.h"

typedef struct Fitted {
    ArcExperiment *experiment;
    ArcResult *result;
    ArcFigures *figures;
} Fitted;

static Fitted fit(const char *name, int n_overrides, const char *const *overrides)
{
    Fitted fitted = {0};
    char path[64];
    ArcError err = {ARC_OK, ""};
    snprintf(path, sizeof path, "experiments/%s.yaml", name);
    if (arc_experiment_read(path, n_overrides, overrides, &fitted.experiment, &err) != ARC_OK ||
        arc_result_create(fitted.experiment, n_overrides, overrides, NULL, &fitted.result, &err) !=
            ARC_OK ||
        figure_make(arc_make_arm, fitted.result, fitted.experiment, &fitted.figures, &err) !=
            ARC_OK)
        fail_msg("%s: %s", name, err.text);
    figures_check(fitted.figures);
    return fitted;
}

static void release(Fitted *fitted)
{
    arc_figures_free(fitted->figures);
    arc_result_free(fitted->result);
    arc_experiment_free(fitted->experiment);
}

static double value(const ArcFit *of, const char *name)
{
    for (int i = 0; i < of->n_parameters; i++)
        if (strcmp(of->parameters[i].name, name) == 0)
            return of->parameters[i].value;
    fail_msg("no parameter %s", name);
    return NAN;
}

static void test_make_arm_pose_is_that_of_its_angles(void **state)
{
    (void)state;
    Fitted fitted = fit("arm-swing", 0, NULL);
    const ArcFit *direct = arc_result_fit(fitted.result, ARC_DIRECT);
    const ArcFigure *side = figure_named(fitted.figures, "arm-side");
    const ArcSeries *arm = figure_series(side, "arm at the release");
    double one = value(direct, "theta1"), two = one + value(direct, "theta2");
    double elbow[2] = {value(direct, "base_x") + value(direct, "l1") * cos(one),
                       value(direct, "base_y") + value(direct, "l1") * sin(one)};
    assert_int_equal(arm->n, 4);
    assert_int_equal(arm->role, ARC_ROLE_ARM);
    assert_close(arm->x[1], elbow[0], 1e-12);
    assert_close(arm->y[1], elbow[1], 1e-12);
    assert_close(arm->x[2], elbow[0] + value(direct, "l2") * cos(two), 1e-12);
    assert_close(arm->y[2], elbow[1] + value(direct, "l2") * sin(two), 1e-12);
    /* The ball is where its flight begins, and where its way in the swing ends. */
    const ArcSeries *flight = figure_series(side, "flight");
    const ArcSeries *way = figure_series(side, "ball in the swing");
    assert_close(arm->x[3], flight->x[0], 1e-9);
    assert_close(arm->y[3], flight->y[0], 1e-9);
    assert_close(way->x[way->n - 1], flight->x[0], 1e-6);
    assert_close(way->y[way->n - 1], flight->y[0], 1e-6);
    assert_in_range(flight->n, 2, direct->n_trajectory);
    const ArcSeries *seen = figure_series(side, "seen of the arm");
    assert_int_equal(2 * seen->n, direct->arm->swing->numbers);
    assert_string_equal(seen->labels[0], "arm-swing-motion.csv:12");
    assert_true(seen->x[1] == direct->arm->swing->measured[2].value);
    assert_true(seen->y[1] == direct->arm->swing->measured[3].value);
    release(&fitted);
}

static void test_make_arm_swing_has_both_methods_and_its_residuals(void **state)
{
    (void)state;
    Fitted fitted = fit("arm-swing", 0, NULL);
    const ArcFit *pinn = arc_result_fit(fitted.result, ARC_PINN);
    const ArcFit *direct = arc_result_fit(fitted.result, ARC_DIRECT);
    const ArcSwingFit *swing = direct->arm->swing;
    const ArcFigure *angles = figure_named(fitted.figures, "swing-angles");
    const ArcSeries *of_pinn = figure_series(angles, "all joints, PINN");
    const ArcSeries *of_direct = figure_series(angles, "joint 2, direct");
    assert_int_equal(of_direct->n, swing->n_times);
    for (int i = 0; i < swing->n_times; i++) {
        assert_true(of_direct->y[i] == swing->theta_rad[2 * i + 1]);
        int second = swing->n_times + 1 + i; /* behind the first joint, and what parts it */
        assert_true(of_pinn->y[second] == pinn->arm->swing->theta_rad[2 * i + 1]);
    }
    assert_true(isnan(of_pinn->x[swing->n_times]));
    /* Joints are told apart by their colours, which a role of theirs alone does not give. */
    assert_int_equal(of_direct->role, ARC_ROLE_OTHER);
    const ArcSeries *torque =
        figure_series(figure_named(fitted.figures, "swing-torques"), "joint 1, direct");
    assert_true(torque->y[swing->n_times - 1] == swing->motor_n_m[2 * (swing->n_times - 1)]);
    const ArcSeries *places =
        figure_series(figure_named(fitted.figures, "swing-residuals"), "places");
    double sum = 0.0;
    for (int i = 0; i < places->n; i++)
        sum += places->y[i] * places->y[i];
    assert_int_equal(places->n, swing->numbers);
    assert_close(sum, swing->chi2, 1e-9 * swing->chi2);
    release(&fitted);
}

/* What encoders read is drawn as the angles and rates that it is by their gain and offset. */
static void test_make_arm_encoders_are_decoded(void **state)
{
    (void)state;
    static const char *const overrides[] = {"fit.methods=[direct]"};
    static ArcEstimate estimates[ARC_MAX_PARAMETERS];
    Fitted fitted = fit("arm-encoders", 1, overrides);
    ArcFit turned = *fitted.result->fits[0];
    ArcResult result = *fitted.result;
    ArcFigures *figures = NULL;
    const ArcSwingFit *swing = turned.arm->swing;
    memcpy(estimates, turned.parameters, sizeof *estimates * (size_t)turned.n_parameters);
    estimates[turned.arm->first + fitted.experiment->arm.gain + 1].value = 2.0;
    estimates[turned.arm->first + fitted.experiment->arm.offset + 1].value = 0.5;
    turned.parameters = estimates;
    result.fits[0] = &turned;
    assert_int_equal(figure_make(arc_make_arm, &result, fitted.experiment, &figures, NULL), ARC_OK);
    const ArcSeries *angles = figure_series(figure_named(figures, "swing-angles"), "measured");
    const ArcSeries *rates = figure_series(figure_named(figures, "swing-rates"), "measured");
    int n[2] = {0, 0};
    for (int i = 0; i < swing->numbers; i++) {
        const ArcSwingNumber *number = &swing->measured[i];
        bool is_rate = number->kind == ARC_SWING_RATE, is_turned = number->index == 1;
        const ArcSeries *of = is_rate ? rates : angles;
        double offset = is_turned && !is_rate ? 0.5 : 0.0, gain = is_turned ? 2.0 : 1.0;
        assert_true(of->x[n[is_rate]] == swing->number_time_s[i]);
        assert_close(of->y[n[is_rate]++], (number->value - offset) / gain, 1e-15);
    }
    assert_true(n[0] == 60 && n[1] == 60 && angles->n == 60 && rates->n == 60);
    assert_non_null(strstr(figure_named(figures, "swing-angles")->caption, "60 numbers"));
    arc_figures_free(figures);
    release(&fitted);
}

static void test_make_arm_in_space_is_seen_from_three_sides(void **state)
{
    (void)state;
    static const char *const overrides[] = {"fit.methods=[direct]"};
    Fitted fitted = fit("arm-yaw", 1, overrides);
    const ArcFit *direct = arc_result_fit(fitted.result, ARC_DIRECT);
    const ArcSeries *flight = figure_series(figure_named(fitted.figures, "arm-space"), "flight");
    const ArcSeries *arm =
        figure_series(figure_named(fitted.figures, "arm-space"), "arm at the release");
    assert_close(arm->z[arm->n - 1], flight->z[0], 1e-9);
    assert_true(flight->z[1] == direct->position_m[3 + 2]);
    assert_true(figure_has(fitted.figures, "arm-top") && figure_has(fitted.figures, "arm-side"));
    assert_false(figure_has(fitted.figures, "swing-angles"));
    release(&fitted);
}

/* Readings of each throw in their sds, and the names of many flights. */
static void test_make_arm_readings_of_several_flights(void **state)
{
    (void)state;
    static const char *const overrides[] = {"fit.methods=[direct]"};
    ArcExperiment *experiment = NULL;
    ArcResult *result = NULL;
    ArcFigures *figures = NULL;
    ArcError err = {ARC_OK, ""};
    if (arc_experiment_read("experiments/arm-calibration.yaml", 1, overrides, &experiment, &err) !=
            ARC_OK ||
        arc_result_create(experiment, 1, overrides, NULL, &result, &err) != ARC_OK)
        fail_msg("%s", err.text);
    ArcResult third = arc_result_of_flight(result, 2);
    if (figure_make(arc_make_arm, &third, experiment, &figures, &err) != ARC_OK)
        fail_msg("%s", err.text);
    figures_check(figures);
    const ArcFigure *figure = figure_named(figures, "arm-readings");
    const ArcSeries *direct = figure_series(figure, "direct");
    const ArcFit *of = third.fits[0];
    assert_int_equal(direct->n, of->residuals.n_readings);
    double sum = 0.0;
    for (int i = 0; i < direct->n; i++) {
        const ArcFittedReading *reading = &of->readings[i];
        assert_string_equal(figure->x.names[i], reading->name);
        assert_true(direct->y[i] == reading->residual_sd);
        sum += direct->y[i] * direct->y[i];
    }
    assert_close(sum, of->residuals.readings_chi2, 1e-9);
    assert_true(figure_has(figures, "arm-side"));
    arc_figures_free(figures);
    arc_result_free(result);
    arc_experiment_free(experiment);
}

static void test_make_arm_without_experiment_leaves_the_pose_out(void **state)
{
    (void)state;
    static const char *const overrides[] = {"fit.methods=[direct]"};
    Fitted fitted = fit("arm-swing", 1, overrides);
    ArcFigures *figures = NULL;
    assert_int_equal(figure_make(arc_make_arm, fitted.result, NULL, &figures, NULL), ARC_OK);
    assert_true(figure_has(figures, "swing-angles"));
    assert_false(figure_has(figures, "arm-side"));
    assert_int_equal(figures->n_notes, 1);
    arc_figures_free(figures);
    release(&fitted);
}

static Fitted exhausted;

static ArcStatus run_arm(ArcError *err)
{
    ArcFigures *figures = NULL;
    ArcStatus status =
        figure_make(arc_make_arm, exhausted.result, exhausted.experiment, &figures, err);
    arc_figures_free(figures);
    return status;
}

static void test_make_arm_without_memory_says_so(void **state)
{
    (void)state;
    static const char *const overrides[] = {"fit.methods=[direct]"};
    exhausted = fit("arm-encoders", 1, overrides);
    drawn_exhaust(run_arm);
    release(&exhausted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make_arm_pose_is_that_of_its_angles),
        cmocka_unit_test(test_make_arm_swing_has_both_methods_and_its_residuals),
        cmocka_unit_test(test_make_arm_encoders_are_decoded),
        cmocka_unit_test(test_make_arm_in_space_is_seen_from_three_sides),
        cmocka_unit_test(test_make_arm_readings_of_several_flights),
        cmocka_unit_test(test_make_arm_without_experiment_leaves_the_pose_out),
        cmocka_unit_test(test_make_arm_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
