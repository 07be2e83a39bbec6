/* F's tail and the quantiles of t and the normal distribution against values of mpmath 1.4.1 (50
 * digits or more), against closed forms, and against each other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/statistics.h"

#include <math.h>

static const struct {
    double F, d1, d2, p;
} tails[] = {
    {0.001, 1, 1, 0.979875021696355869},
    {1, 1, 1, 0.5},
    {161.4476387975881, 1, 1, 0.050000000000000061},
    {4.0, 1, 10, 0.0733880347707403656},
    {3.5, 2, 7, 0.0883883476483184406},
    {0.3, 3, 20, 0.824988986404968805},
    {250, 3, 5, 7.25367344989979305e-6},
    {2.5, 4.5, 60.25, 0.0455094869479635461},
    {1.0, 1000, 1000, 0.5},
    {1.2, 1000, 1000, 0.00198809413014965542},
    {1.01, 1, 1000000, 0.314903082186267368},
    {1e6, 2, 3, 1.83711317358119295e-9},
    {40, 5, 100000, 3.12967892856057992e-41},
    {0.99, 100000, 7, 0.578437236285488883},
};

static const struct {
    double p, dof, t;
} quantiles[] = {
    {0.975, 1, 12.7062047361746933},         {0.975, 2, 4.30265272974946179},
    {0.975, 3, 3.18244630528370844},         {0.975, 5, 2.57058183563631478},
    {0.975, 8, 2.30600413520416611},         {0.975, 30, 2.04227245630123789},
    {0.975, 194, 1.97226753258213513},       {0.975, 1000000, 1.95996635681410666},
    {0.025, 4, -2.7764451051977943},         {0.6, 7, 0.263166861352022752},
    {0.4999, 0.5, -0.000370814960954450976}, {0.99999, 4, 23.332182700855984},
    {1e-12, 3, -10331.1082442924862},        {1e-90, 2.5, -8.76543788227999197e+35},
    {1e-90, 40, -1049.42509884326902},       {0.75, 2, 0.816496580927726033},
    {0.7500001, 11, 0.697445659990608284},   {0.9995, 17.3, 3.95146941926092541},
    {0.975, INFINITY, 1.95996398454005386},  {0.6, INFINITY, 0.253347103135799741},
    {0.75, INFINITY, 0.674489750196081743},  {0.76, INFINITY, 0.706302562840087484},
    {0.995, INFINITY, 2.57582930354890045},  {0.9999, INFINITY, 3.71901648545570839},
    {1e-10, INFINITY, -6.3613409024040562},  {1e-100, INFINITY, -21.2734535609653243},
    {0.3, INFINITY, -0.524400512708040816},
};

static void assert_relative(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g is not %.17g within a relative %g", value, expected, tolerance);
}

static void test_f_p_agrees_with_mpmath(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof tails / sizeof tails[0]; k++)
        assert_relative(arc_statistics_f_p(tails[k].F, tails[k].d1, tails[k].d2), tails[k].p,
                        1e-11);
}

static void test_t_quantile_agrees_with_mpmath(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof quantiles / sizeof quantiles[0]; k++)
        assert_relative(arc_statistics_t_quantile(quantiles[k].p, quantiles[k].dof), quantiles[k].t,
                        1e-12);
}

/* With 2 over d2 degrees of freedom the tail is (1 + 2 F / d2)^(-d2 / 2). */
static void test_f_p_closed_form(void **state)
{
    (void)state;
    for (double d2 = 0.5; d2 < 3e5; d2 *= 3.0)
        for (double F = 1e-3; F < 100.0; F *= 2.0)
            assert_relative(arc_statistics_f_p(F, 2.0, d2), exp(-0.5 * d2 * log1p(2.0 * F / d2)),
                            1e-11);
}

/* F of 1 over 2 (1 over dof) is the square of t, and turned over it is F of the other order. */
static void test_f_p_turns_over(void **state)
{
    (void)state;
    for (double d1 = 1.0; d1 < 2000.0; d1 *= 2.7)
        for (double d2 = 1.0; d2 < 2000.0; d2 *= 3.1)
            for (double F = 0.1; F < 10.0; F *= 1.7)
                assert_relative(arc_statistics_f_p(F, d1, d2) + arc_statistics_f_p(1.0 / F, d2, d1),
                                1.0, 1e-11);
}

/* dof 1: tan(pi (p - 1/2)); dof 2: (2 p - 1) / sqrt(2 p (1 - p)). */
static void test_t_quantile_closed_forms(void **state)
{
    (void)state;
    for (double p = 0.005; p < 1.0; p += 0.00731) {
        double off = 2.0 * p - 1.0;
        assert_relative(arc_statistics_t_quantile(p, 1.0), tan(M_PI * (p - 0.5)), 1e-11);
        assert_relative(arc_statistics_t_quantile(p, 2.0), off / sqrt(2.0 * p * (1.0 - p)), 1e-12);
    }
}

/* t^2 is F of 1 over dof degrees of freedom. */
static void test_t_quantile_returns_to_its_chance(void **state)
{
    (void)state;
    for (double dof = 0.3; dof < 1e6; dof *= 2.3)
        for (double q = 0.49; q > 1e-60; q *= 0.3) {
            double t = arc_statistics_t_quantile(q, dof);
            if (fabs(t) < 1e150)
                assert_relative(0.5 * arc_statistics_f_p(t * t, 1.0, dof), q, 1e-10);
        }
}

static void test_quantiles_edges(void **state)
{
    (void)state;
    assert_true(isnan(arc_statistics_t_quantile(NAN, 3.0)));
    assert_true(isnan(arc_statistics_t_quantile(-0.1, 3.0)));
    assert_true(isnan(arc_statistics_t_quantile(1.1, 3.0)));
    assert_true(isnan(arc_statistics_t_quantile(0.9, 0.0)));
    assert_true(isnan(arc_statistics_t_quantile(0.9, NAN)));
    assert_true(arc_statistics_t_quantile(0.5, 3.0) == 0.0);
    assert_true(arc_statistics_t_quantile(0.0, 3.0) == -INFINITY);
    assert_true(arc_statistics_t_quantile(1.0, 3.0) == INFINITY);
    assert_true(arc_statistics_t_quantile(1e-300, 0.5) == -INFINITY);
    assert_true(arc_statistics_normal_quantile(0.975) ==
                arc_statistics_t_quantile(0.975, INFINITY));
    assert_true(isnan(arc_statistics_f_p(NAN, 1.0, 1.0)));
    assert_true(isnan(arc_statistics_f_p(1.0, 0.0, 1.0)));
    assert_true(isnan(arc_statistics_f_p(1.0, 1.0, -1.0)));
    assert_true(arc_statistics_f_p(0.0, 3.0, 4.0) == 1.0);
    assert_true(arc_statistics_f_p(-1.0, 3.0, 4.0) == 1.0);
    assert_true(arc_statistics_f_p(INFINITY, 3.0, 4.0) == 0.0);
    assert_true(arc_statistics_beta_i(2.0, 3.0, 0.0, 1.0) == 0.0);
    assert_true(arc_statistics_beta_i(2.0, 3.0, 1.0, 0.0) == 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_f_p_agrees_with_mpmath),
        cmocka_unit_test(test_t_quantile_agrees_with_mpmath),
        cmocka_unit_test(test_f_p_closed_form),
        cmocka_unit_test(test_f_p_turns_over),
        cmocka_unit_test(test_t_quantile_closed_forms),
        cmocka_unit_test(test_t_quantile_returns_to_its_chance),
        cmocka_unit_test(test_quantiles_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
