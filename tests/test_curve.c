/* The monotone curve of the laws by table, on random knots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "physics/curve.h"

#include "base/random.h"

#include <math.h>

enum { CURVES = 400, STEPS = 40 };

/* 2 to 33 knots from (0, 0) on, spaced and stepped over four orders of size; every second curve
 * turns here and there. */
static ArcCurve draw_curve(ArcRandom *random, int i)
{
    ArcCurve curve = {.n = 2 + (int)(arc_random_bits(random) % ARC_TABLE_MAX_PAIRS)};
    for (int k = 1; k < curve.n; k++) {
        double rise = pow(10, arc_random_uniform(random, -3, 1));
        if (i % 2 == 1 && arc_random_bits(random) % 3 == 0)
            rise = -rise;
        curve.x[k] = curve.x[k - 1] + pow(10, arc_random_uniform(random, -3, 1));
        curve.y[k] = curve.y[k - 1] + rise;
    }
    arc_curve_set_slopes(&curve, i % 4 < 2);
    return curve;
}

static void test_curve_at_random_knots_are_met_and_never_overshot(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(5, ARC_STREAM_STARTS);
    for (int i = 0; i < CURVES; i++) {
        ArcCurve curve = draw_curve(&random, i);
        for (int k = 0; k + 1 < curve.n; k++) {
            double h = curve.x[k + 1] - curve.x[k], rise = curve.y[k + 1] - curve.y[k];
            double before = curve.y[k], tiny = 1e-12 * (1 + fabs(before));
            assert_true(arc_curve_at(&curve, curve.x[k]).y == curve.y[k]);
            for (int s = 1; s <= STEPS; s++) {
                ArcCurvePoint at = arc_curve_at(&curve, curve.x[k] + h * s / STEPS);
                assert_true((at.y - before) * rise >= -tiny * fabs(rise));
                assert_true(at.slope * rise >= -tiny * fabs(rise / h));
                before = at.y;
            }
        }
        assert_true(arc_curve_at(&curve, 1e6).y == curve.y[curve.n - 1]);
        assert_true(arc_curve_at(&curve, -1).y == 0 && arc_curve_at(&curve, -1).slope == 0);
        assert_true(isnan(arc_curve_at(&curve, NAN).y));
    }
}

/* Value, slope and curvature are the same on both sides of a knot, the slope that of differences.
 */
static void test_curve_at_knots_is_twice_differentiable(void **state)
{
    (void)state;
    ArcCurve curve = {.n = 4, .x = {0, 1, 2.5, 3}, .y = {0, 2, 2.6, 3.5}};
    arc_curve_set_slopes(&curve, false);
    double bend = 0;
    for (int k = 1; k < 4; k++) {
        double h = 1e-4, x = curve.x[k];
        ArcCurvePoint below = arc_curve_at(&curve, x - h), above = arc_curve_at(&curve, x + h);
        double slope = arc_curve_at(&curve, x).slope;
        assert_true(fabs((above.y - below.y) / (2 * h) - slope) < 1e-6);
        assert_true(fabs(slope - below.slope) < 1e-5 && fabs(above.slope - slope) < 1e-5);
        bend = fmax(bend, fabs(arc_curve_at(&curve, x - 0.25).slope - slope));
    }
    assert_true(bend > 0.1);
}

static void test_curve_ratio_at_is_the_quotient_and_its_slope(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(6, ARC_STREAM_STARTS);
    for (int i = 0; i < CURVES; i++) {
        ArcCurve curve = draw_curve(&random, i);
        double first = curve.x[1];
        for (double x = 0.13 * first; x < 1.2 * curve.x[curve.n - 1]; x += 0.37 * first + 0.3 * x) {
            ArcCurvePoint ratio = arc_curve_ratio_at(&curve, x), at = arc_curve_at(&curve, x);
            double size = 1 + fabs(at.y / x) + fabs(at.slope);
            assert_true(fabs(ratio.y - at.y / x) < 1e-12 * size);
            assert_true(fabs(ratio.slope * x - (at.slope - at.y / x)) < 1e-11 * size);
        }
        assert_true(arc_curve_ratio_at(&curve, 0).y == curve.slope[0]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curve_at_random_knots_are_met_and_never_overshot),
        cmocka_unit_test(test_curve_at_knots_is_twice_differentiable),
        cmocka_unit_test(test_curve_ratio_at_is_the_quotient_and_its_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
