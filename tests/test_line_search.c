/* The line search: both conditions on hard functions of one variable, and what it does where they
 * cannot be had. */
#include "solve/line_search.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* phi(a) with its slope, from one of the functions below; counted. */
typedef struct Curve {
    double (*phi)(double a, double *slope);
    int evaluations;
} Curve;

static bool evaluate_curve(void *context, const double *x, double *f, double *g)
{
    Curve *curve = context;
    curve->evaluations++;
    *f = curve->phi(x[0], g);
    return isfinite(*f) && isfinite(g[0]);
}

static ArcLinePoint search(const ArcLineSettings *settings, Curve *curve, double first)
{
    static double buffers[3];
    static const double x[1] = {0.0}, direction[1] = {1.0};
    ArcScalarObjective objective = {.context = curve, .evaluate = evaluate_curve};
    double slope, f = curve->phi(0.0, &slope);
    ArcLine line = {.objective = &objective,
                    .n = 1,
                    .x = x,
                    .direction = direction,
                    .f = f,
                    .slope = slope,
                    .trial = buffers,
                    .g_trial = buffers + 1,
                    .g_kept = buffers + 2};
    return arc_line_search(settings, &line, first);
}

/* More and Thuente's test functions, section 5 of their paper: 5.1 concave far out, 5.2 flat at
 * zero with its minimum at 1.6 - 0.004, 5.3 with ripples. */
static double more_thuente_1(double a, double *slope)
{
    double b = 2.0, q = a * a + b;
    *slope = (a * a - b) / (q * q);
    return -a / q;
}

static double more_thuente_2(double a, double *slope)
{
    double b = 0.004, q = a + b;
    *slope = 5.0 * pow(q, 4) - 8.0 * pow(q, 3);
    return pow(q, 5) - 2.0 * pow(q, 4);
}

static double more_thuente_3(double a, double *slope)
{
    double b = 0.01, l = 39.0;
    double bend = a <= 1.0 - b   ? 1.0 - a
                  : a >= 1.0 + b ? a - 1.0
                                 : (a - 1.0) * (a - 1.0) / (2.0 * b) + b / 2.0;
    double bend_slope = a <= 1.0 - b ? -1.0 : a >= 1.0 + b ? 1.0 : (a - 1.0) / b;
    double ripple = 2.0 * (1.0 - b) / (l * M_PI);
    *slope = bend_slope + (1.0 - b) * cos(l * M_PI * a / 2.0);
    return bend + ripple * sin(l * M_PI * a / 2.0);
}

/* Yanai, Ozawa and Kaneko's, 5.4 to 5.6, with their pairs of b. */
static double yanai(double a, double b1, double b2, double *slope)
{
    double g1 = hypot(1.0, b1) - b1, g2 = hypot(1.0, b2) - b2;
    double r1 = hypot(1.0 - a, b2), r2 = hypot(a, b1);
    *slope = -g1 * (1.0 - a) / r1 + g2 * a / r2;
    return g1 * r1 + g2 * r2;
}

static double more_thuente_4(double a, double *slope)
{
    return yanai(a, 0.001, 0.001, slope);
}

static double more_thuente_5(double a, double *slope)
{
    return yanai(a, 0.01, 0.001, slope);
}

static double more_thuente_6(double a, double *slope)
{
    return yanai(a, 0.001, 0.01, slope);
}

/* Not finite from 3 on, its minimum at 2.5. */
static double cliff(double a, double *slope)
{
    *slope = a < 3.0 ? -1.0 + 0.5 / (3.0 - a) : NAN;
    return a < 3.0 ? -a - 0.5 * log(3.0 - a) : NAN;
}

/* Level but for 1e-14 of it, so that F tells nothing where its slope still does. */
static double hidden(double a, double *slope)
{
    *slope = 2e-17 * (a - 3.0);
    return 1.0 + 1e-17 * (a - 3.0) * (a - 3.0);
}

static double downhill(double a, double *slope)
{
    *slope = -1.0;
    return -a;
}

/* Its slope tells lies: F rises whichever way. */
static double uphill(double a, double *slope)
{
    *slope = -1.0;
    return fabs(a);
}

static double nowhere(double a, double *slope)
{
    *slope = a == 0.0 ? -1.0 : NAN;
    return a == 0.0 ? 0.0 : NAN;
}

static void test_line_search_hard_functions_meet_both_conditions(void **state)
{
    (void)state;
    double (*const functions[])(double, double *) = {more_thuente_1, more_thuente_2, more_thuente_3,
                                                     more_thuente_4, more_thuente_5, more_thuente_6,
                                                     cliff,          hidden};
    /* A search without its safeguards takes more of some, but gets there all the same. */
    const int most_evaluations[] = {16, 26, 18, 12, 12, 12, 16, 10};
    const double conditions[][2] = {{1e-4, 0.9}, {1e-3, 0.1}, {0.1, 0.1}, {1e-3, 1e-3}};
    for (size_t k = 0; k < 8; k++) {
        for (size_t c = 0; c < 4; c++) {
            for (double first = 1e-3; first < 2e3; first *= 10.0) {
                ArcLineSettings s = arc_line_settings_default();
                s.decrease = conditions[c][0];
                s.curvature = conditions[c][1];
                s.max_evaluations = 60;
                Curve curve = {.phi = functions[k]};
                ArcLinePoint point = search(&s, &curve, first);
                double slope_0, f_0 = functions[k](0.0, &slope_0), slope;
                double f = functions[k](point.a, &slope);
                assert_true(point.is_found && point.is_wolfe && point.any_finite);
                assert_true(point.f == f && point.g[0] == slope);
                assert_true(f <= f_0 + s.decrease * point.a * slope_0 + s.rounding * fabs(f_0));
                assert_true(fabs(slope) <= -s.curvature * slope_0);
                assert_int_equal(point.evaluations, curve.evaluations);
                assert_true(point.evaluations <= most_evaluations[k]);
            }
        }
    }
}

static void test_line_search_good_first_trial_is_taken_at_once(void **state)
{
    (void)state;
    ArcLineSettings s = arc_line_settings_default();
    Curve curve = {.phi = more_thuente_1};
    ArcLinePoint point = search(&s, &curve, 1.0);
    assert_true(point.is_wolfe && point.a == 1.0);
    assert_int_equal(curve.evaluations, 1);
}

static void test_line_search_endless_descent_gives_the_lowest_point(void **state)
{
    (void)state;
    ArcLineSettings s = arc_line_settings_default();
    s.max_evaluations = 7;
    Curve curve = {.phi = downhill};
    ArcLinePoint point = search(&s, &curve, 1.0);
    assert_true(point.is_found && !point.is_wolfe);
    assert_int_equal(curve.evaluations, 7);
    assert_true(point.a > 1000.0 && point.f == -point.a && point.g[0] == -1.0);
}

static void test_line_search_no_lower_point_is_not_found(void **state)
{
    (void)state;
    ArcLineSettings s = arc_line_settings_default();
    Curve rising = {.phi = uphill}, broken = {.phi = nowhere};
    ArcLinePoint point = search(&s, &rising, 1.0);
    assert_true(!point.is_found && !point.is_wolfe && point.any_finite);
    assert_true(rising.evaluations <= s.max_evaluations);
    point = search(&s, &broken, 1.0);
    assert_true(!point.is_found && !point.is_wolfe && !point.any_finite);
    assert_true(broken.evaluations <= s.max_evaluations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_search_hard_functions_meet_both_conditions),
        cmocka_unit_test(test_line_search_good_first_trial_is_taken_at_once),
        cmocka_unit_test(test_line_search_endless_descent_gives_the_lowest_point),
        cmocka_unit_test(test_line_search_no_lower_point_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
