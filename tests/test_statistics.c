/* The chi-square tail against SciPy's and against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/statistics.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* dof, chi2, scipy.stats.chi2.sf(chi2, dof) of SciPy 1.10.1. */
static const struct {
    int dof;
    double chi2, p;
} reference[] = {
    {1, 1e-300, 1.0},
    {1, 1e-08, 0.9999202115440526},
    {1, 0.02, 0.887537083981715},
    {1, 1.0, 0.31731050786291115},
    {1, 1.01414, 0.3139130619588968},
    {1, 2.41421, 0.12023861419785227},
    {1, 5.24264, 0.022039803985687306},
    {1, 9.48528, 0.002071270005313213},
    {1, 200.0, 2.0884875837625688e-45},
    {2, 0.04, 0.9801986733067553},
    {2, 2.0, 0.36787944117144245},
    {2, 2.02, 0.3642189795715234},
    {2, 4.0, 0.1353352832366127},
    {2, 8.0, 0.018315638888734182},
    {2, 14.0, 0.0009118819655545164},
    {2, 1400.0, 9.85967654375939e-305},
    {3, 0.06, 0.9961607906500483},
    {3, 0.55051, 0.9076624245222531},
    {3, 3.0, 0.3916251762710877},
    {3, 3.02449, 0.3878646907665946},
    {3, 5.44949, 0.14169108138236902},
    {3, 10.3485, 0.015824625984044043},
    {3, 17.6969, 0.0005079144023853755},
    {5, 0.1, 0.9998376833880774},
    {5, 1.83772, 0.8711128714239813},
    {5, 5.0, 0.4158801869955079},
    {5, 5.03162, 0.4120334486972547},
    {5, 8.16228, 0.14751592539299266},
    {5, 14.4868, 0.012795695882528657},
    {5, 23.9737, 0.00021965408264651144},
    {8, 0.16, 0.9999983990008955},
    {8, 4.0, 0.857123460498547},
    {8, 8.0, 0.43347012036670896},
    {8, 8.04, 0.42957258468806436},
    {8, 12.0, 0.15120388277664784},
    {8, 20.0, 0.010336050675925726},
    {8, 32.0, 9.314161294264013e-05},
    {8, 600.0, 2.3400119619130212e-124},
    {17, 0.34, 0.9999999999979289},
    {17, 11.169, 0.8476448175497096},
    {17, 17.0, 0.4543661137906363},
    {17, 17.0583, 0.4504230619488622},
    {17, 22.831, 0.1548338224320162},
    {17, 34.4929, 0.007247378864570755},
    {17, 51.9857, 2.0664401896640693e-05},
    {31, 7.37798, 0.9999962175885806},
    {31, 23.126, 0.8445256283698377},
    {31, 31.0, 0.46621250621750804},
    {31, 31.0787, 0.46225158274366307},
    {31, 38.874, 0.15644951649496705},
    {31, 54.622, 0.005502696575603478},
    {31, 78.244, 5.84394203711085e-06},
    {32, 8.0, 0.9999951073892801},
    {32, 24.0, 0.8444156524501832},
    {32, 32.0, 0.4667448913877211},
    {32, 32.08, 0.46278120868462597},
    {32, 40.0, 0.1565131346397429},
    {32, 56.0, 0.005425745355836205},
    {32, 80.0, 5.463980711299846e-06},
    {33, 8.62788, 0.9999938363022876},
    {33, 24.876, 0.84431125744088},
    {33, 33.0, 0.46725288137290993},
    {33, 33.0812, 0.4632904659572209},
    {33, 41.124, 0.15657427430007445},
    {33, 57.3721, 0.005352544438516958},
    {33, 81.7442, 5.1194657664683995e-06},
    {40, 13.1672, 0.9999807899002942},
    {40, 31.0557, 0.8437466157550739},
    {40, 40.0, 0.4702572668392401},
    {40, 40.0894, 0.466290825008779},
    {40, 48.9443, 0.1569134148381249},
    {40, 66.8328, 0.004923315346403416},
    {40, 93.6656, 3.4090927275486445e-06},
    {100, 57.5736, 0.99978937628316},
    {100, 85.8579, 0.8422412848887341},
    {100, 100.0, 0.48119168452795674},
    {100, 100.141, 0.47722363411825347},
    {100, 114.142, 0.15792423527983057},
    {100, 142.426, 0.00343693420028247},
    {100, 184.853, 5.216958728052563e-07},
    {1000, 865.836, 0.9991279645829835},
    {1000, 955.279, 0.8414260511713438},
    {1000, 1000.0, 0.49405285382923964},
    {1000, 1000.45, 0.4900402140406481},
    {1000, 1044.72, 0.15858422207911013},
    {1000, 1134.16, 0.0019255317955792252},
    {1000, 1268.33, 1.4370339629530702e-08},
    {1000, 3000.0, 1.6436845843568014e-198},
    {9999, 9574.76, 0.9988122246387438},
    {9999, 9857.59, 0.841345492781948},
    {9999, 9999.0, 0.49811927192721916},
    {9999, 10000.4, 0.49417015415865895},
    {9999, 10140.4, 0.15867148308368198},
    {9999, 10423.2, 0.0015233093747964693},
    {9999, 10847.5, 2.5634728276550824e-09},
    {9999, 14000.0, 1.3384758835512643e-140},
    {100000, 98658.4, 0.9987020718806837},
    {100000, 99552.8, 0.8413381770883919},
    {100000, 100000.0, 0.4994052918952067},
    {100000, 100004.0, 0.4958371685465335},
    {100000, 100447.0, 0.15876970239184157},
    {100000, 101342.0, 0.0013995852512145807},
    {100000, 102683.0, 1.356962498561232e-09},
    {1000000, 995757.0, 0.9986678827347266},
    {1000000, 998586.0, 0.8413082492276248},
    {1000000, 1000000.0, 0.4998119368033945},
    {1000000, 1000010.0, 0.4969910269678821},
    {1000000, 1001410.0, 0.1593765040921873},
    {1000000, 1004240.0, 0.0013750292028372798},
    {1000000, 1008490.0, 1.0693787849632144e-09},
    {1000000, 1020000.0, 3.8839118311895263e-45},
};

static void assert_relative(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        fail_msg("%.17g is not %.17g within a relative %g", value, expected, tolerance);
}

static void test_statistics_chi2_p_agrees_with_scipy(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof reference / sizeof reference[0]; k++)
        assert_relative(arc_statistics_chi2_p(reference[k].chi2, reference[k].dof), reference[k].p,
                        1e-10);
}

/* dof 2: exp(-x); dof 4: exp(-x) (1 + x); dof 1: erfc(sqrt(x)); x = chi2 / 2. */
static void test_statistics_chi2_p_closed_forms(void **state)
{
    (void)state;
    for (double chi2 = 0.01; chi2 < 300.0; chi2 *= 1.3) {
        double x = 0.5 * chi2;
        assert_relative(arc_statistics_chi2_p(chi2, 1), erfc(sqrt(x)), 1e-12);
        assert_relative(arc_statistics_chi2_p(chi2, 2), exp(-x), 1e-12);
        assert_relative(arc_statistics_chi2_p(chi2, 4), exp(-x) * (1.0 + x), 1e-12);
    }
}

/* Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1), across the switch from series to fraction. */
static void test_statistics_chi2_p_recurrence_holds(void **state)
{
    (void)state;
    for (int dof = 1; dof < 300; dof += 7)
        for (double chi2 = 0.5 * dof; chi2 < 2.0 * dof; chi2 += 0.11 * dof) {
            double a = 0.5 * dof, x = 0.5 * chi2;
            double step = exp(a * log(x) - x - lgamma(a + 1.0));
            assert_relative(arc_statistics_chi2_p(chi2, dof + 2),
                            arc_statistics_chi2_p(chi2, dof) + step, 1e-11);
        }
}

static void test_statistics_chi2_p_decreases_in_chi2(void **state)
{
    (void)state;
    const int dofs[] = {1, 9, 1000, 1000000};
    for (int k = 0; k < 4; k++) {
        double sd = sqrt(2.0 * dofs[k]), before = 1.0;
        for (double z = -3.0; z < 6.0; z += 0.25) {
            double chi2 = dofs[k] + z * sd;
            if (chi2 <= 0.0)
                continue;
            double p = arc_statistics_chi2_p(chi2, dofs[k]);
            assert_true(p < before && p > 0.0);
            before = p;
        }
    }
}

static void test_statistics_chi2_p_edges(void **state)
{
    (void)state;
    assert_true(isnan(arc_statistics_chi2_p(1.0, 0)));
    assert_true(isnan(arc_statistics_chi2_p(1.0, -4)));
    assert_true(isnan(arc_statistics_chi2_p(NAN, 3)));
    assert_true(arc_statistics_chi2_p(0.0, 3) == 1.0);
    assert_true(arc_statistics_chi2_p(-1.0, 3) == 1.0);
    assert_true(arc_statistics_chi2_p(INFINITY, 3) == 0.0);
    assert_true(arc_statistics_chi2_p(DBL_MAX, 3) == 0.0);
    assert_true(arc_statistics_chi2_p(DBL_MAX, 1000000) == 0.0);
    assert_true(arc_statistics_chi2_p(DBL_MIN, 1000000) == 1.0);
    assert_relative(arc_statistics_chi2_p(INT_MAX, INT_MAX), 0.5, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics_chi2_p_agrees_with_scipy),
        cmocka_unit_test(test_statistics_chi2_p_closed_forms),
        cmocka_unit_test(test_statistics_chi2_p_recurrence_holds),
        cmocka_unit_test(test_statistics_chi2_p_decreases_in_chi2),
        cmocka_unit_test(test_statistics_chi2_p_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
