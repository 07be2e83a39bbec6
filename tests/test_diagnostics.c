/* R-hat and effective sample sizes, on chains of which they are known. */
#include "solve/diagnostics.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sweep.h"

/* Chains x_t = phi x_(t-1) + sqrt(1 - phi^2) z_t, begun in equilibrium; shift times its number is
 * added to a chain, which is then scaled by growth to the power of its number. */
static double *chains_create(int n_chains, int n, double phi, double shift, double growth)
{
    double *draws = calloc((size_t)n_chains * (size_t)n, sizeof *draws);
    assert_non_null(draws);
    for (int c = 0; c < n_chains; c++) {
        ArcRandom random = arc_random_create(7, (uint64_t)c);
        double x = arc_random_normal(&random);
        for (int i = 0; i < n; i++) {
            draws[c * n + i] = shift * c + x * pow(growth, c);
            x = phi * x + sqrt(1.0 - phi * phi) * arc_random_normal(&random);
        }
    }
    return draws;
}

static ArcChainDiagnosis judge(int n_chains, int n, const double *draws)
{
    ArcChainDiagnosis diagnosis;
    assert_int_equal(arc_diagnostics_judge(n_chains, n, draws, &diagnosis, NULL), ARC_OK);
    return diagnosis;
}

/* The mean of an AR(1) chain of N draws is worth N (1 - phi) / (1 + phi) independent ones. */
static void test_diagnostics_judge_autoregressive_chains_have_their_known_size(void **state)
{
    (void)state;
    static const double phis[] = {-0.5, 0.0, 0.5, 0.9};
    enum { CHAINS = 4, N = 20000 };
    for (size_t i = 0; i < sizeof phis / sizeof phis[0]; i++) {
        double *draws = chains_create(CHAINS, N, phis[i], 0.0, 1.0),
               *rho = calloc(N + CHAINS, sizeof *rho);
        double tau = (1.0 + phis[i]) / (1.0 - phis[i]);
        ArcChainDiagnosis d = judge(CHAINS, N, draws);
        assert_non_null(rho);
        assert_near(arc_diagnostics_correlation(CHAINS, N, draws, rho) / tau, 1.0, 0.1);
        assert_near(d.ess_bulk * tau / (CHAINS * N), 1.0, 0.1);
        assert_true(d.r_hat < 1.01 && d.r_hat > 0.999);
        /* Indicators of the tails forget faster than the chain where it goes on in one direction.
         */
        assert_true(d.ess_tail > 0.8 * (phis[i] > 0.0 ? d.ess_bulk : CHAINS * N));
        free(rho);
        free(draws);
    }
}

/* Between means that are shift apart: R-hat^2 = (n - 1)/n + var(means)/W, of ranks though; two far
 * clusters have scores of two half normals, |z| of mean sqrt(2/pi) and variance 1 - 2/pi. */
static void test_diagnostics_judge_far_chains_have_their_known_r_hat(void **state)
{
    (void)state;
    enum { N = 8000 };
    double *draws = chains_create(2, N, 0.0, 100.0, 1.0);
    ArcChainDiagnosis d = judge(2, N, draws);
    double mean2 = 2.0 / M_PI, within = 1.0 - mean2;
    assert_near(d.r_hat, sqrt(1.0 + 4.0 / 3.0 * mean2 / within), 0.02);
    assert_true(d.ess_bulk < 10.0);
    free(draws);
}

/* Equal means and unequal scales: found by the folded draws alone. */
static void test_diagnostics_judge_unequal_scales_are_found(void **state)
{
    (void)state;
    double *draws = chains_create(4, 2000, 0.0, 0.0, 2.0);
    assert_true(judge(4, 2000, draws).r_hat > 1.1);
    free(draws);
}

/* Rank normalisation: a monotone function of the draws changes nothing but the tails' place. */
static void test_diagnostics_judge_is_the_same_for_heavy_tails(void **state)
{
    (void)state;
    enum { N = 1000 };
    double *draws = chains_create(4, N, 0.3, 0.0, 1.0);
    ArcChainDiagnosis before = judge(4, N, draws);
    for (int i = 0; i < 4 * N; i++)
        draws[i] = sinh(5.0 * draws[i]);
    ArcChainDiagnosis after = judge(4, N, draws);
    assert_near(after.ess_bulk, before.ess_bulk, 1e-6);
    free(draws);
}

/* A trend within chains: the halves of each differ. */
static void test_diagnostics_judge_trend_is_found_by_splitting(void **state)
{
    (void)state;
    enum { N = 1000 };
    double *draws = chains_create(4, N, 0.0, 0.0, 1.0);
    for (int i = 0; i < 4 * N; i++)
        draws[i] += 2.0 * (i % N) / N;
    assert_true(judge(4, N, draws).r_hat > 1.05);
    free(draws);
}

static void test_diagnostics_judge_equal_or_few_draws_give_no_number(void **state)
{
    (void)state;
    const double equal[8] = {1, 1, 1, 1, 1, 1, 1, 1}, few[4] = {1, 2, 3, 4};
    ArcChainDiagnosis d = judge(2, 4, equal);
    assert_true(isnan(d.r_hat) && isnan(d.ess_bulk) && isnan(d.ess_tail));
    d = judge(2, 2, few);
    assert_true(isnan(d.r_hat) && isnan(d.ess_bulk) && isnan(d.ess_tail));
}

static void test_diagnostics_quantile_is_linear_between_order_statistics(void **state)
{
    (void)state;
    double values[5] = {4, 0, 16, 9, 1};
    arc_diagnostics_sort(5, values);
    assert_true(values[0] == 0 && values[4] == 16);
    assert_near(arc_diagnostics_quantile(5, values, 0.0), 0.0, 0.0);
    assert_near(arc_diagnostics_quantile(5, values, 0.5), 4.0, 0.0);
    assert_near(arc_diagnostics_quantile(5, values, 0.9), 13.2, 1e-14);
    assert_near(arc_diagnostics_quantile(5, values, 1.0), 16.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagnostics_judge_autoregressive_chains_have_their_known_size),
        cmocka_unit_test(test_diagnostics_judge_far_chains_have_their_known_r_hat),
        cmocka_unit_test(test_diagnostics_judge_unequal_scales_are_found),
        cmocka_unit_test(test_diagnostics_judge_is_the_same_for_heavy_tails),
        cmocka_unit_test(test_diagnostics_judge_trend_is_found_by_splitting),
        cmocka_unit_test(test_diagnostics_judge_equal_or_few_draws_give_no_number),
        cmocka_unit_test(test_diagnostics_quantile_is_linear_between_order_statistics),
    };
    return cmocka_run_group_tests_name("diagnostics", tests, NULL, NULL);
}
