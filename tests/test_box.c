/* Minima within bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/box.h"
#include "sweep.h"

#include <math.h>

static const double none_low[3] = {-INFINITY, -INFINITY, -INFINITY};
static const double none_high[3] = {INFINITY, INFINITY, INFINITY};
static const double sizes[3] = {1, 1, 1};

/* (u0 - 1)^2 + 2 (u1 + 3)^2 + u0 u1 + (u2 - 4)^2. */
static double quadratic(void *context, const double *u, double *gradient)
{
    (void)context;
    double a = u[0] - 1.0, b = u[1] + 3.0, c = u[2] - 4.0;
    if (gradient != NULL) {
        gradient[0] = 2.0 * a + u[1];
        gradient[1] = 4.0 * b + u[0];
        gradient[2] = 2.0 * c;
    }
    return a * a + 2.0 * b * b + u[0] * u[1] + c * c;
}

static void test_minimise_quadratic_ends_where_the_gradient_is_zero(void **state)
{
    (void)state;
    double u[3] = {10, -20, 30}, gradient[3];
    ArcBox box = {3, none_low, none_high, sizes, NULL, quadratic};
    arc_box_minimise(&box, 50, u, gradient);
    /* 2 u0 + u1 = 2, u0 + 4 u1 = -12. */
    assert_near(u[0], 20.0 / 7.0, 1e-12);
    assert_near(u[1], -26.0 / 7.0, 1e-12);
    assert_near(u[2], 4.0, 1e-12);
}

/* With u0 at most 1 and u2 at least 5: -4 u1 = 12 + 1. */
static void test_minimise_quadratic_in_bounds_is_kkts(void **state)
{
    (void)state;
    const double low[3] = {-1, -INFINITY, 5}, high[3] = {1, INFINITY, 9};
    double u[3] = {-7, 3, 100}, gradient[3];
    ArcBox box = {3, low, high, sizes, NULL, quadratic};
    arc_box_minimise(&box, 50, u, gradient);
    assert_true(u[0] == 1.0 && u[2] == 5.0);
    assert_near(u[1], -13.0 / 4.0, 1e-12);
    assert_int_equal(arc_box_held(&box, u, gradient, 0), 1);
    assert_int_equal(arc_box_held(&box, u, gradient, 1), 0);
    assert_int_equal(arc_box_held(&box, u, gradient, 2), -1);
    assert_near(gradient[0], 2.0 * 0.0 - 13.0 / 4.0, 1e-12);
    assert_near(gradient[2], 2.0, 1e-12);
}

/* Rosenbrock's valley, and the same with its end cut off. */
static double valley(void *context, const double *u, double *gradient)
{
    int *calls = context;
    double a = 1.0 - u[0], b = u[1] - u[0] * u[0];
    (*calls)++;
    if (gradient != NULL) {
        gradient[0] = -2.0 * a - 400.0 * u[0] * b;
        gradient[1] = 200.0 * b;
    }
    return a * a + 100.0 * b * b;
}

static void test_minimise_valley_is_followed_to_its_end(void **state)
{
    (void)state;
    const double high[2] = {0.5, INFINITY};
    double u[2] = {-1.2, 1.0}, gradient[2];
    int calls = 0;
    ArcBox box = {2, none_low, none_high, sizes, &calls, valley};
    arc_box_minimise(&box, 100, u, gradient);
    assert_near(u[0], 1.0, 1e-9);
    assert_near(u[1], 1.0, 1e-9);
    assert_true(calls < 400);
    box.high = high;
    u[0] = -1.2;
    u[1] = 1.0;
    assert_near(arc_box_minimise(&box, 100, u, gradient), 0.25, 1e-12);
    assert_true(u[0] == 0.5);
    assert_near(u[1], 0.25, 1e-9);
}

/* Curved the wrong way where it begins. */
static double wave(void *context, const double *u, double *gradient)
{
    (void)context;
    if (gradient != NULL)
        gradient[0] = -sin(u[0]);
    return cos(u[0]);
}

static void test_minimise_from_a_hill_goes_down(void **state)
{
    (void)state;
    double u = 0.3, gradient;
    ArcBox box = {1, none_low, none_high, sizes, NULL, wave};
    assert_near(arc_box_minimise(&box, 100, &u, &gradient), -1.0, 1e-14);
    assert_near(fabs(remainder(u, 2.0 * M_PI)), M_PI, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimise_quadratic_ends_where_the_gradient_is_zero),
        cmocka_unit_test(test_minimise_quadratic_in_bounds_is_kkts),
        cmocka_unit_test(test_minimise_valley_is_followed_to_its_end),
        cmocka_unit_test(test_minimise_from_a_hill_goes_down),
    };
    return cmocka_run_group_tests_name("box", tests, NULL, NULL);
}
