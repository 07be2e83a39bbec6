/* Populations: each flight's own parameter from a normal one, whose mean and sd are found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "joint_case.h"

/* Mean and sd of a population over many sets of n flights: covered as often as they say. Intervals
 * of an sd that may be zero are too long rather than too short. */
static void check_population(int n, double tau)
{
    int mean = 0, sd = 0, zero = 0, times = slow_is_wanted() ? 2000 : FEWER(100, 12);
    char line[64];
    for (int i = 0; i < times; i++) {
        fly(n, 0.5, tau, 0.003, 1000 + (uint64_t)i);
        ArcFit *fit = fit_joint(POPULATION_TEXT, n, ARC_DIRECT);
        assert_true(fit->converged);
        const ArcEstimate *mu = case_parameter(fit, "cd.mean"), *is = case_parameter(fit, "cd.sd");
        mean += mu->ci95[0] <= 0.5 && mu->ci95[1] >= 0.5;
        sd += is->ci95[0] <= tau && is->ci95[1] >= tau;
        zero += is->value == 0.0;
        arc_fit_free(fit);
        land(n);
    }
    snprintf(line, sizeof line, "%d flights, sd %g: mean covered in", n, tau);
    tell(line, mean, times);
    tell("  sd covered in", sd, times);
    tell("  sd zero in", zero, times);
    assert_share(mean, times, tau > 0.0 ? 0.95 : 0.97);
    assert_true(sd >= FEWER(0.9, 0.75) * times);
}

static void test_fit_population_is_covered(void **state)
{
    (void)state;
    check_population(10, 0.05);
    check_population(5, 0.01);
    check_population(20, 0.005);
}

/* The funnel: no scatter at all, and the fit of a shared parameter is left. */
static void test_fit_population_without_scatter_is_the_shared_fit(void **state)
{
    (void)state;
    enum { N = FEWER(20, 8) };
    int zero = 0;
    for (int i = 0; i < N; i++) {
        fly(8, 0.5, 0.0, 0.003, 2000 + (uint64_t)i);
        ArcFit *fit = fit_joint(POPULATION_TEXT, 8, ARC_DIRECT);
        ArcFit *shared = fit_joint(SHARED_TEXT, 8, ARC_DIRECT);
        assert_true(fit->converged);
        const ArcEstimate *tau = case_parameter(fit, "cd.sd");
        const ArcEstimate *mu = case_parameter(fit, "cd.mean"), *cd = case_parameter(shared, "cd");
        if (tau->value == 0.0) {
            zero++;
            assert_int_equal(tau->status, ARC_PARAMETER_AT_BOUND);
            assert_true(fabs(mu->value - cd->value) < 1e-2 * cd->sd);
            assert_true(fabs(mu->sd - cd->sd) < 1e-2 * cd->sd);
        }
        assert_true(tau->ci95[0] >= 0.0 && tau->ci95[1] > tau->value);
        arc_fit_free(fit);
        arc_fit_free(shared);
        land(8);
    }
    /* Half of the time the flights scatter less than their noise lets them. */
    assert_in_range(zero, N / 5, N - 2);
}

static void test_fit_pinn_population_agrees_with_direct(void **state)
{
    (void)state;
    fly(10, 0.5, 0.1, 0.003, 8);
    ArcFit *pinn = fit_joint(POPULATION_TEXT, 10, ARC_PINN);
    ArcFit *direct = fit_joint(POPULATION_TEXT, 10, ARC_DIRECT);
    for (int i = 0; i < direct->n_parameters; i++) {
        const ArcEstimate *a = &pinn->parameters[i], *b = &direct->parameters[i];
        assert_true(fabs(a->value - b->value) < 1e-2 * b->sd);
        assert_true(fabs(a->sd - b->sd) < 2e-2 * b->sd);
    }
    arc_fit_free(pinn);
    arc_fit_free(direct);
    land(10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fit_population_is_covered),
        cmocka_unit_test(test_fit_population_without_scatter_is_the_shared_fit),
        cmocka_unit_test(test_fit_pinn_population_agrees_with_direct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
