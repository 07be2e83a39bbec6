/* What a fit says of combinations that the data tell, those they do not, and of measurements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arcfit/result.h"
#include "fit_case.h"
#include "sweep.h"

#define LUMPED CASE_HEAD "flight: {dimensions: 2, drag: lumped, lift: lumped}\n"
#define THROW LUMPED "parameters: {k: 0.03, s: 0.08, spin: 2, x0: 0, y0: 2, vx0: 4.6, vy0: 6.4}\n"
#define SPACE CASE_HEAD "flight: {dimensions: 3, drag: lumped, lift: lumped}\n"

static const ArcMethod methods[] = {ARC_PINN, ARC_DIRECT};

static const char product[] =
    LUMPED "parameters: {k: {start: 0.03}, s: {start: 0.08}, spin: {start: 2}}\n";

/* Index among the fit's parameters. */
static int index_of(const ArcFit *fit, const char *name)
{
    return (int)(case_parameter(fit, name) - fit->parameters);
}

/* The factor of a parameter in a combination, 0 where it has no part. */
static double factor_of(const ArcCombination *combination, int parameter)
{
    for (int i = 0; i < combination->n_parts; i++)
        if (combination->parameters[i] == parameter)
            return combination->factors[i];
    return 0.0;
}

/* All determined combinations leave null directions untouched. */
static void assert_across(const ArcFit *fit)
{
    const ArcIdentifiability *found = fit->identifiability;
    for (int c = 0; c < found->n_determined; c++)
        for (int g = 0; g < found->n_undetermined; g++) {
            double sum = 0.0, size = 0.0;
            for (int i = 0; i < fit->n_parameters; i++) {
                double term =
                    factor_of(&found->determined[c], i) * factor_of(&found->undetermined[g], i);
                sum += term;
                size += fabs(term);
            }
            assert_near(sum, 0.0, 1e-9 * size);
        }
}

/* A text of parameters with those that the measurement reads given as it would find them. */
static ArcFit *fit_with(const char *text, const ArcFit *fit, const ArcMeasurement *measurement,
                        const ArcCapture *capture, ArcMethod method)
{
    ArcError err;
    ArcFit *with = NULL;
    ArcProblem *problem = NULL;
    ArcExperiment *experiment = case_experiment(text);
    for (int i = 0; i < measurement->n_readings; i++) {
        ArcParameter *parameter = &experiment->parameters[measurement->parameters[i]];
        parameter->has_prior = true;
        parameter->prior_mean = fit->parameters[measurement->parameters[i]].value;
        parameter->prior_sd = measurement->sd[i];
    }
    assert_int_equal(arc_problem_create(experiment, capture, &problem, &err), ARC_OK);
    assert_int_equal(arc_fit_run(problem, method, NULL, &with, &err), ARC_OK);
    arc_problem_free(problem);
    arc_experiment_free(experiment);
    return with;
}

/* The fit with the measurement has the sds that were foretold. */
static void assert_foretold(const char *text, const ArcFit *fit, const ArcMeasurement *measurement,
                            const ArcCapture *capture, double tolerance)
{
    ArcFit *with = fit_with(text, fit, measurement, capture, fit->method);
    assert_true(with->converged);
    assert_int_equal(with->n_unidentified, measurement->n_null_left);
    int left = 0;
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *e = &with->parameters[i];
        if (e->free_index < 0)
            continue;
        double foretold = measurement->sd_after[e->free_index];
        assert_int_equal(e->status == ARC_PARAMETER_UNIDENTIFIED, isnan(foretold));
        left += isnan(foretold);
        if (!isnan(foretold))
            assert_near(foretold / e->sd, 1.0, tolerance);
    }
    assert_int_equal(left, measurement->n_unidentified_left);
    arc_fit_free(with);
}

static void test_fit_run_product_of_two_has_one_combination(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = case_fit(product, capture, methods[m]);
        const ArcIdentifiability *found = fit->identifiability;
        int s = index_of(fit, "s"), spin = index_of(fit, "spin");
        double slope = fit->parameters[spin].value / fit->parameters[s].value;
        assert_non_null(found);
        assert_int_equal(found->n_free, 7);
        assert_int_equal(found->rank, 6);
        assert_int_equal(found->release_numbers, 0);
        assert_int_equal(found->n_determined, 1);
        assert_int_equal(found->n_undetermined, 1);
        /* s spin is told: s d spin + spin d s. */
        const ArcCombination *told = &found->determined[0], *open = &found->undetermined[0];
        assert_near(factor_of(told, s) / factor_of(told, spin) / slope, 1.0, 1e-5);
        assert_near(factor_of(open, spin) / factor_of(open, s) / -slope, 1.0, 1e-5);
        assert_true(told->factors[0] == 1.0 && open->factors[0] == 1.0);
        assert_near(told->value / (2.0 * fit->parameters[told->parameters[0]].value), 1.0, 1e-5);
        assert_across(fit);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* Its sd is the scatter of the same combination over captures. */
static void test_fit_run_sd_of_a_combination_is_its_scatter(void **state)
{
    (void)state;
    enum { FITS = 400 };
    CaseScatter scatter = {0};
    ArcCapture *capture = case_capture_seed(THROW, 11, 0.8, 0.003, 1000);
    ArcFit *first = case_fit(product, capture, ARC_DIRECT);
    const ArcCombination *told = &first->identifiability->determined[0];
    assert_int_equal(told->n_parts, 2);
    arc_capture_free(capture);
    for (uint64_t seed = 1; seed <= FITS; seed++) {
        capture = case_capture_seed(THROW, 11, 0.8, 0.003, seed);
        ArcFit *fit = case_fit(product, capture, ARC_DIRECT);
        double value = 0.0;
        assert_true(fit->converged && fit->identifiability->n_determined == 1);
        for (int i = 0; i < told->n_parts; i++)
            value += told->factors[i] * fit->parameters[told->parameters[i]].value;
        case_scatter_add(&scatter, value, told->sd);
        arc_fit_free(fit);
        arc_capture_free(capture);
    }
    case_scatter_check(&scatter);
    arc_fit_free(first);
}

static void test_fit_run_measurement_has_the_sds_foretold(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    for (int m = 0; m < 2; m++) {
        ArcFit *fit = case_fit(product, capture, methods[m]);
        const ArcIdentifiability *found = fit->identifiability;
        assert_true(found->n_measurements >= 2);
        assert_int_equal(found->measurements[0].n_readings, 1);
        assert_int_equal(found->measurements[0].n_null_left, 0);
        for (int i = 0; i < found->n_measurements; i++)
            assert_foretold(product, fit, &found->measurements[i], capture, 0.01);
        /* The order: what leaves nothing open first. */
        for (int i = 1; i < found->n_measurements; i++)
            assert_true(found->measurements[i].n_null_left >=
                        found->measurements[i - 1].n_null_left);
        arc_fit_free(fit);
    }
    arc_capture_free(capture);
}

/* Two null directions take two readings; none alone is enough, and each pair in the list is. */
static void test_fit_run_two_directions_take_two_readings(void **state)
{
    (void)state;
    static const char text[] =
        SPACE "parameters: {k: {start: 0.03}, s: {start: 0.08}, wx: {start: 1}, wy: {start: -3}, "
              "wz: {start: 2}, t0: {start: -0.01}}\n";
    ArcCapture *capture = case_capture(
        SPACE "parameters: {k: 0.03, s: 0.08, wx: 1, wy: -3, wz: 2, x0: 0, y0: 0, z0: 2, vx0: "
              "4.6, vy0: 1, vz0: 6.4}\n",
        15, 0.8, 0.001);
    ArcFit *fit = case_fit(text, capture, ARC_DIRECT);
    const ArcIdentifiability *found = fit->identifiability;
    assert_int_equal(found->n_undetermined, 2);
    assert_int_equal(found->rank, found->n_free - 2);
    assert_across(fit);
    bool single = false;
    for (int i = 0; i < found->n_measurements; i++) {
        const ArcMeasurement *m = &found->measurements[i];
        assert_int_equal(m->n_settled, m->n_readings);
        assert_int_equal(m->n_null_left, 2 - m->n_readings);
        single = single || m->n_readings == 1;
        assert_true(m->n_readings == (single ? 1 : 2));
        assert_foretold(text, fit, m, capture, 0.05);
    }
    assert_true(single && found->measurements[0].n_readings == 2);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

/* The first of the list leaves smaller sds, in those of instruments, than any reading that is not
 * in it, by fits with each of them. */
static void test_fit_run_best_measurement_is_the_best_of_all(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcFit *fit = case_fit(product, capture, ARC_DIRECT);
    double best = INFINITY;
    int best_parameter = -1;
    for (int i = 0; i < fit->n_parameters; i++) {
        const ArcEstimate *e = &fit->parameters[i];
        if (e->free_index < 0)
            continue;
        const ArcMeasurement reading = {
            .n_readings = 1,
            .parameters = {i},
            .sd = {arc_instrument_sd(e->name, e->unit, e->value, NULL)}};
        ArcFit *with = fit_with(product, fit, &reading, capture, ARC_DIRECT);
        double sum = 0.0;
        for (int k = 0; k < with->n_parameters && with->n_unidentified == 0; k++) {
            const ArcEstimate *after = &with->parameters[k], *before = &fit->parameters[k];
            if (after->free_index >= 0)
                sum += log(after->sd /
                           arc_instrument_sd(before->name, before->unit, before->value, NULL));
        }
        if (with->n_unidentified == 0 && sum < best) {
            best = sum;
            best_parameter = i;
        }
        arc_fit_free(with);
    }
    assert_int_equal(fit->identifiability->measurements[0].parameters[0], best_parameter);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static void test_fit_forecast_says_it_before_a_fit(void **state)
{
    (void)state;
    ArcError err;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcProblem *problem = case_problem(product, capture);
    ArcFit *fit = NULL;
    assert_int_equal(arc_fit_forecast(problem, &fit, &err), ARC_OK);
    assert_int_equal(fit->identifiability->n_determined, 1);
    assert_near(fabs(factor_of(&fit->identifiability->determined[0], index_of(fit, "spin")) /
                     factor_of(&fit->identifiability->determined[0], index_of(fit, "s"))),
                0.04, 1e-9);
    arc_fit_free(fit);
    arc_problem_free(problem);
    arc_capture_free(capture);
}

static void test_fit_run_all_told_has_nothing_to_say(void **state)
{
    (void)state;
    ArcCapture *capture = case_capture(THROW, 11, 0.8, 0.003);
    ArcFit *fit = case_fit(LUMPED "parameters: {k: {start: 0.03}, s: 0.08, spin: {start: 2}}\n",
                           capture, ARC_DIRECT);
    assert_null(fit->identifiability);
    arc_fit_free(fit);
    arc_capture_free(capture);
}

static void test_instrument_sd_is_the_larger_of_its_parts(void **state)
{
    (void)state;
    const char *instrument = NULL;
    assert_near(arc_instrument_sd("l1", "m", 0.5, &instrument), 1e-3, 0.0);
    assert_non_null(strstr(instrument, "1 mm"));
    assert_near(arc_instrument_sd("t0", "s", 0.4, NULL), 1e-3, 0.0);
    assert_near(arc_instrument_sd("spin_tau", "s", 12.0, NULL), 0.12, 1e-15);
    assert_near(arc_instrument_sd("theta1", "rad", 2.0, NULL), 0.1 * M_PI / 180.0, 1e-15);
    assert_near(arc_instrument_sd("omega1", "rad/s", -8.0, NULL), 0.08, 1e-15);
    assert_near(arc_instrument_sd("omega1", "rad/s", 0.1, NULL), 0.5 * M_PI / 180.0, 1e-15);
    assert_true(isnan(arc_instrument_sd("k", "1/m", 0.0, NULL)));
    assert_true(isnan(arc_instrument_sd("any", "furlong", 1.0, NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_run_product_of_two_has_one_combination),
        cmocka_unit_test(test_fit_run_sd_of_a_combination_is_its_scatter),
        cmocka_unit_test(test_fit_run_measurement_has_the_sds_foretold),
        cmocka_unit_test(test_fit_run_two_directions_take_two_readings),
        cmocka_unit_test(test_fit_run_best_measurement_is_the_best_of_all),
        cmocka_unit_test(test_fit_forecast_says_it_before_a_fit),
        cmocka_unit_test(test_fit_run_all_told_has_nothing_to_say),
        cmocka_unit_test(test_instrument_sd_is_the_larger_of_its_parts),
    };
    return cmocka_run_group_tests_name("identifiability", tests, NULL, NULL);
}
