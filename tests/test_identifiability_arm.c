/* What a flight tells of the arm that threw it: combinations with their scatter, null directions
 * against the kinematics, the number of readings that it takes, and what they leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/result.h"
#include "fit_case.h"
#include "sweep.h"

#define HEAD                                                                                       \
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"                                          \
    "flight: {dimensions: 2, ball: basketball, drag: quadratic}\nrelease: arm\n"                   \
    "arm: {joints: [{length: 0.5 m}, {length: 0.4 m}], base: [0 m, 1 m]}\n"
#define THROW HEAD "parameters: {t0: 0, theta1: 2.27, theta2: -0.44, omega1: -3, omega2: -9}\n"
#define SIX                                                                                        \
    "l1: {start: 0.5}, l2: {start: 0.4}, theta1: {start: 2.27}, theta2: {start: -0.44}, "          \
    "omega1: {start: -3}, omega2: {start: -9}"

static const char six[] = HEAD "parameters: {t0: 0, " SIX "}\n";
static const char six_with_encoders[] =
    "arcfit: 1\ncapture: {file: none.csv, sigma: 2 mm}\n"
    "flight: {dimensions: 2, ball: basketball, drag: quadratic}\nrelease: arm\n"
    "arm: {joints: [{length: 0.5 m}, {length: 0.4 m}], base: [0 m, 1 m], encoders: true}\n"
    "parameters: {t0: 0, gain2: 1.02, " SIX ", offset2: {start: 0, prior: {mean: 0, sd: 0.002}}}\n";
/* The release time is free to half a step of the camera before its first point. */
static const char seven[] =
    HEAD "parameters: {t0: {start: -0.01}, l1: {start: 0.5}, l2: {start: 0.4}, theta1: {start: "
         "2.27, measured: {value: 130.063 deg, sd: 0.1 deg}}, theta2: {start: -0.44, measured: "
         "{value: -25.21 deg, sd: 0.1 deg}}, omega1: {start: -3}, omega2: {start: -9}}\n";

static ArcCapture *throw_seen(uint64_t seed)
{
    return case_capture_seed(THROW, 12, 0.6, 0.002, seed);
}

static int index_of(const ArcFit *fit, const char *name)
{
    return (int)(case_parameter(fit, name) - fit->parameters);
}

static double factor_of(const ArcCombination *combination, int parameter)
{
    for (int i = 0; i < combination->n_parts; i++)
        if (combination->parameters[i] == parameter)
            return combination->factors[i];
    return 0.0;
}

static int exit_code(const ArcFit *fit)
{
    ArcResult result = {.n_fits = 1, .fits = {fit}};
    return arc_result_exit_code(&result);
}

/* The fit of a text with these readings, of what the fit before them found. */
static ArcFit *fit_with(const char *text, const ArcFit *fit, const ArcMeasurement *measurement,
                        const ArcCapture *capture)
{
    ArcError err;
    ArcFit *with = NULL;
    ArcProblem *problem = NULL;
    ArcExperiment *experiment = case_experiment(text);
    for (int i = 0; i < experiment->n_parameters; i++)
        experiment->parameters[i].start = fit->parameters[i].value;
    for (int i = 0; i < measurement->n_readings; i++) {
        int k = measurement->parameters[i];
        ArcParameter *parameter = &experiment->parameters[k];
        int joint = k - index_of(fit, "theta1");
        double value = fit->parameters[k].value;
        if (experiment->arm.settings.has_encoders && (joint == 0 || joint == 1))
            value = value * fit->parameters[index_of(fit, "gain1") + joint].value +
                    fit->parameters[index_of(fit, "offset1") + joint].value;
        parameter->has_reading = true;
        parameter->reading = value;
        parameter->reading_sd = measurement->sd[i];
    }
    if (arc_problem_create(experiment, capture, &problem, &err) != ARC_OK ||
        arc_fit_run(problem, fit->method, NULL, &with, &err) != ARC_OK)
        fail_msg("%s", err.text);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    return with;
}

static void assert_foretold(const ArcFit *fit, const ArcFit *with,
                            const ArcMeasurement *measurement, double tolerance)
{
    assert_true(with->converged);
    assert_int_equal(with->n_unidentified, measurement->n_null_left);
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *e = &with->parameters[i];
        double foretold = e->free_index < 0 ? 0.0 : measurement->sd_after[e->free_index];
        if (e->free_index < 0)
            continue;
        assert_int_equal(e->status == ARC_PARAMETER_UNIDENTIFIED, isnan(foretold));
        if (!isnan(foretold))
            assert_near(foretold / e->sd, 1.0, tolerance);
    }
}

/* Release of a two-link arm as the geometry says it. */
static void release_of(const double six_numbers[6], double release[4])
{
    double l1 = six_numbers[0], l2 = six_numbers[1], a = six_numbers[2], w = six_numbers[4];
    double ab = a + six_numbers[3], both = w + six_numbers[5];
    release[0] = l1 * cos(a) + l2 * cos(ab);
    release[1] = 1.0 + l1 * sin(a) + l2 * sin(ab);
    release[2] = -l1 * sin(a) * w - l2 * sin(ab) * both;
    release[3] = l1 * cos(a) * w + l2 * cos(ab) * both;
}

static const char *const names[6] = {"l1", "l2", "theta1", "theta2", "omega1", "omega2"};

static void test_fit_run_six_unknown_of_an_arm_have_four_combinations(void **state)
{
    (void)state;
    ArcCapture *capture = throw_seen(1);
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = case_fit(six, capture, m == 0 ? ARC_PINN : ARC_DIRECT);
        const ArcIdentifiability *found = fit->identifiability;
        assert_non_null(found);
        assert_int_equal(exit_code(fit), 1);
        assert_true(fit->converged);
        assert_int_equal(found->n_free, 6);
        assert_int_equal(found->rank, 4);
        assert_int_equal(found->release_numbers, 4);
        assert_int_equal(found->n_readings, 0);
        assert_int_equal(found->n_determined, 4);
        assert_int_equal(found->n_undetermined, 2);
        double at[6];
        for (int i = 0; i < 6; i++)
            at[i] = case_parameter(fit, names[i])->value;
        /* Along null directions the release stays, to first order: by differences. */
        for (int g = 0; g < 2; g++) {
            const double h = 1e-5;
            double ahead[6], behind[6], a[4], b[4];
            for (int i = 0; i < 6; i++) {
                double step = h * factor_of(&found->undetermined[g], index_of(fit, names[i]));
                ahead[i] = at[i] + step;
                behind[i] = at[i] - step;
            }
            release_of(ahead, a);
            release_of(behind, b);
            for (int c = 0; c < 4; c++)
                assert_near((a[c] - b[c]) / (2.0 * h), 0.0, 2e-3);
        }
        /* Combinations are across them, which makes them functions of the release alone. */
        for (int c = 0; c < 4; c++)
            for (int g = 0; g < 2; g++) {
                double sum = 0.0;
                for (int i = 0; i < fit->n_parameters; i++)
                    sum +=
                        factor_of(&found->determined[c], i) * factor_of(&found->undetermined[g], i);
                assert_near(sum, 0.0, 1e-8);
            }
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

static void test_fit_run_sds_of_combinations_are_their_scatter(void **state)
{
    (void)state;
    enum { FITS = 400 };
    CaseScatter scatter[4] = {0};
    ArcCapture *capture = throw_seen(7777);
    ArcFit *first = case_fit(six, capture, ARC_DIRECT);
    const ArcIdentifiability *found = first->identifiability;
    assert_int_equal(found->n_determined, 4);
    arc_capture_free(capture);
    for (uint64_t seed = 1; seed <= FITS; seed++) {
        capture = throw_seen(seed);
        ArcFit *fit = case_fit(six, capture, ARC_DIRECT);
        assert_true(fit->converged);
        for (int c = 0; c < 4; c++) {
            const ArcCombination *told = &found->determined[c];
            double value = 0.0;
            for (int i = 0; i < told->n_parts; i++)
                value += told->factors[i] * fit->parameters[told->parameters[i]].value;
            case_scatter_add(&scatter[c], value, told->sd);
        }
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    for (int c = 0; c < 4; c++)
        case_scatter_check(&scatter[c]);
    arc_fit_free(first);
}

/* What is recommended, done: the fit with it has the sds foretold, and exits with 0. */
static void test_fit_run_recommended_readings_settle_an_arm(void **state)
{
    (void)state;
    ArcCapture *capture = throw_seen(2);
    ArcFit *fit = case_fit(six, capture, ARC_DIRECT);
    const ArcIdentifiability *found = fit->identifiability;
    assert_true(found->n_measurements > 0);
    assert_int_equal(found->measurements[0].n_readings, 2);
    for (int i = 0; i < found->n_measurements; i++) {
        ArcFit *with = fit_with(six, fit, &found->measurements[i], capture);
        assert_foretold(fit, with, &found->measurements[i], 0.05);
        assert_int_equal(exit_code(with), found->measurements[i].n_null_left > 0);
        arc_fit_free(with);
    }
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* A reading of an angle by an encoder whose offset has an sd of 2 mrad, and whose gain is not one,
 * tells the angle as well as both let it. */
static void test_fit_run_readings_are_the_encoders(void **state)
{
    (void)state;
    ArcCapture *capture = throw_seen(3);
    ArcFit *fit = case_fit(six_with_encoders, capture, ARC_DIRECT);
    const ArcIdentifiability *found = fit->identifiability;
    const double expected_rad = hypot(0.1 * M_PI / 180.0, 0.002) / 1.02;
    int theta2 = index_of(fit, "theta2"), n = 0;
    assert_int_equal(found->rank, 5);
    for (int i = 0; i < found->n_measurements; i++) {
        const ArcMeasurement *m = &found->measurements[i];
        ArcFit *with = fit_with(six_with_encoders, fit, m, capture);
        assert_foretold(fit, with, m, 0.05);
        for (int k = 0; k < m->n_readings && m->n_settled == m->n_readings; k++) {
            if (m->parameters[k] != theta2)
                continue;
            double sd = m->sd_after[fit->parameters[theta2].free_index];
            assert_near(sd / expected_rad, 1.0, 1e-6);
            n++;
        }
        arc_fit_free(with);
    }
    assert_true(n > 0);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* Flight points and readings of the angles alone: rank 6 of 7; a reading of the release time or of
 * a rate settles it. */
static void test_fit_run_angles_alone_leave_rank_6_of_7(void **state)
{
    (void)state;
    ArcCapture *capture = throw_seen(4);
    ArcFit *fit = case_fit(seven, capture, ARC_DIRECT);
    const ArcIdentifiability *found = fit->identifiability;
    bool settles_t0 = false, settles_omega = false;
    assert_int_equal(exit_code(fit), 1);
    assert_int_equal(found->n_free, 7);
    assert_int_equal(found->rank, 6);
    assert_int_equal(found->n_readings, 2);
    assert_int_equal(found->n_undetermined, 1);
    assert_true(factor_of(&found->undetermined[0], index_of(fit, "t0")) != 0.0);
    assert_true(factor_of(&found->undetermined[0], index_of(fit, "theta1")) == 0.0);
    for (int i = 0; i < found->n_measurements; i++) {
        const ArcMeasurement *m = &found->measurements[i];
        assert_int_equal(m->n_readings, 1);
        if (m->n_null_left > 0)
            continue;
        const char *name = fit->parameters[m->parameters[0]].name;
        settles_t0 = settles_t0 || strcmp(name, "t0") == 0;
        settles_omega = settles_omega || strncmp(name, "omega", 5) == 0;
        ArcFit *with = fit_with(seven, fit, m, capture);
        assert_foretold(fit, with, m, 0.05);
        arc_fit_free(with);
    }
    assert_true(settles_t0 && settles_omega);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* With nothing unidentified the list says what to measure next. */
static void test_fit_run_arm_that_is_told_says_what_to_measure_next(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "parameters: {t0: 0, l1: {start: 0.5, prior: {mean: 0.5, sd: 0.005}}, l2: {start: "
             "0.4, prior: {mean: 0.4, sd: 0.005}}, theta1: {start: 2.27}, theta2: {start: "
             "-0.44}, omega1: {start: -3}, omega2: {start: -9}}\n";
    ArcCapture *capture = throw_seen(5);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    const ArcIdentifiability *found = fit->identifiability;
    assert_int_equal(exit_code(fit), 0);
    assert_non_null(found);
    assert_int_equal(found->rank, 6);
    assert_int_equal(found->n_determined, 0);
    assert_int_equal(found->n_undetermined, 0);
    assert_true(found->n_measurements > 2);
    for (int i = 0; i < found->n_measurements; i++) {
        const ArcMeasurement *m = &found->measurements[i];
        double sum = 0.0;
        int n = 0;
        ArcFit *with = fit_with(text, fit, m, capture);
        assert_foretold(fit, with, m, 0.05);
        for (int p = 0; p < fit->n_parameters; p++)
            if (fit->parameters[p].free_index >= 0) {
                sum += log(fit->parameters[p].sd / m->sd_after[fit->parameters[p].free_index]);
                n++;
            }
        assert_near(m->reduction, sum / n, 1e-9);
        assert_true(i == 0 || m->reduction <= found->measurements[i - 1].reduction);
        arc_fit_free(with);
    }
    arc_fit_free(fit);
    arc_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_six_unknown_of_an_arm_have_four_combinations),
        cmocka_unit_test(test_fit_run_sds_of_combinations_are_their_scatter),
        cmocka_unit_test(test_fit_run_recommended_readings_settle_an_arm),
        cmocka_unit_test(test_fit_run_readings_are_the_encoders),
        cmocka_unit_test(test_fit_run_angles_alone_leave_rank_6_of_7),
        cmocka_unit_test(test_fit_run_arm_that_is_told_says_what_to_measure_next),
    };
    return cmocka_run_group_tests_name("identifiability_arm", tests, NULL, NULL);
}
