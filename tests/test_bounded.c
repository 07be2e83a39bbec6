/* Numbers with bounds as unconstrained ones: there and back, the Jacobian, the ends. */
#include "solve/bounded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep.h"

static const ArcBounded cases[] = {
    {-INFINITY, INFINITY, 0.25}, {2.0, INFINITY, 1.0}, {-INFINITY, -3.0, 1.0}, {-1.0, 5.0, 1.0}};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static void test_bounded_value_inverts_the_coordinate(void **state)
{
    (void)state;
    for (int c = 0; c < N_CASES; c++)
        for (double u = -6.0; u <= 6.0; u += 0.5) {
            double x = arc_bounded_value(&cases[c], u, NULL);
            assert_true(x >= cases[c].low && x <= cases[c].high);
            assert_near(arc_bounded_coordinate(&cases[c], x, 1e-12), u, 1e-11);
        }
}

/* Up to a constant, which the first u takes off. */
static void test_bounded_value_jacobian_is_the_slope(void **state)
{
    (void)state;
    const double h = 1e-5;
    for (int c = 0; c < N_CASES; c++) {
        double constant = NAN;
        for (double u = -4.0; u <= 4.0; u += 0.5) {
            double log_jacobian;
            arc_bounded_value(&cases[c], u, &log_jacobian);
            double slope = fabs(arc_bounded_value(&cases[c], u + h, NULL) -
                                arc_bounded_value(&cases[c], u - h, NULL)) /
                           (2.0 * h);
            double off = log(slope) - log_jacobian;
            constant = isnan(constant) ? off : constant;
            assert_near(off, constant, 1e-7);
        }
    }
}

static void test_bounded_coordinate_at_bounds_is_finite(void **state)
{
    (void)state;
    for (int c = 1; c < N_CASES; c++) {
        double low = isfinite(cases[c].low) ? cases[c].low : -100.0;
        double high = isfinite(cases[c].high) ? cases[c].high : 100.0;
        for (int side = 0; side < 2; side++) {
            double u = arc_bounded_coordinate(&cases[c], side == 0 ? low - 1.0 : high + 1.0, 1e-3);
            double x = arc_bounded_value(&cases[c], u, NULL);
            assert_true(isfinite(u) && x > cases[c].low && x < cases[c].high);
        }
    }
    /* Never beyond the middle, however wide the margin. */
    assert_near(arc_bounded_coordinate(&cases[3], -1.0, 100.0), 0.0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounded_value_inverts_the_coordinate),
        cmocka_unit_test(test_bounded_value_jacobian_is_the_slope),
        cmocka_unit_test(test_bounded_coordinate_at_bounds_is_finite),
    };
    return cmocka_run_group_tests_name("bounded", tests, NULL, NULL);
}
