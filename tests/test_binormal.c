/* A normal point within a region: closed forms, and a sum over fine strips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "solve/binormal.h"

#include <math.h>

/* An ellipse of half axes a and b, or a box of half sides a and b. */
typedef struct Shape {
    bool is_box;
    double a, b;
} Shape;

static void shape_at(const void *context, int piece, double s, double x[2], double x_s[2])
{
    const Shape *shape = context;
    static const double corner[5][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}, {1, 1}};
    double half[2] = {shape->a, shape->b}, angle = M_PI_2 * (piece + s);
    for (int k = 0; k < 2 && shape->is_box; k++) {
        x_s[k] = (corner[piece + 1][k] - corner[piece][k]) * half[k];
        x[k] = corner[piece][k] * half[k] + s * x_s[k];
    }
    if (shape->is_box)
        return;
    x[0] = shape->a * cos(angle);
    x[1] = shape->b * sin(angle);
    x_s[0] = -M_PI_2 * shape->a * sin(angle);
    x_s[1] = M_PI_2 * shape->b * cos(angle);
}

/* Where the line enters and leaves, by a walk in fine steps and bisection: slow, and sure. */
static bool is_in(const Shape *shape, double x, double y)
{
    return shape->is_box ? fabs(x) <= shape->a && fabs(y) <= shape->b
                         : x * x / (shape->a * shape->a) + y * y / (shape->b * shape->b) <= 1.0;
}

static bool shape_chord(const void *context, const double from[2], const double along[2],
                        double t[2])
{
    const Shape *shape = context;
    double far = hypot(from[0], from[1]) + hypot(shape->a, shape->b), within = NAN;
    for (int k = 0; k <= 20000 && isnan(within); k++) {
        double s = far * (k - 10000) / 10000.0;
        if (is_in(shape, from[0] + s * along[0], from[1] + s * along[1]))
            within = s;
    }
    for (int side = 0; side < 2; side++) {
        double in = within, out = side == 0 ? -far : far;
        for (int k = 0; k < 60; k++) {
            t[side] = 0.5 * (in + out);
            *(is_in(shape, from[0] + t[side] * along[0], from[1] + t[side] * along[1]) ? &in
                                                                                       : &out) =
                t[side];
        }
    }
    return !isnan(within);
}

static ArcOutline outline_of(const Shape *shape)
{
    return (ArcOutline){shape, 4, shape_at, shape_chord};
}

static double within(const Shape *shape, double mx, double my, double xx, double xy, double yy)
{
    const ArcOutline outline = outline_of(shape);
    return arc_binormal_within(&outline, (const double[]){mx, my},
                               (const double[]){xx, xy, xy, yy});
}

static void check(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g, not %.12g", value, expected);
}

static void test_within_disc_about_the_mean_is_rayleighs(void **state)
{
    (void)state;
    for (double sd = 1e-3; sd < 2e3; sd *= 7.0) {
        const Shape disc = {false, 1.0, 1.0};
        check(within(&disc, 0, 0, sd * sd, 0, sd * sd), -expm1(-0.5 / (sd * sd)), 1e-8);
    }
}

static void test_within_box_is_a_product(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(1, ARC_STREAM_TRUTH);
    for (int trial = 0; trial < 300; trial++) {
        const Shape box = {true, pow(10.0, arc_random_uniform(&random, -2, 1)),
                           pow(10.0, arc_random_uniform(&random, -2, 1))};
        double mx = arc_random_uniform(&random, -2, 2), my = arc_random_uniform(&random, -2, 2);
        double sx = pow(10.0, arc_random_uniform(&random, -4, 1));
        double sy = pow(10.0, arc_random_uniform(&random, -4, 1));
        double expected =
            arc_normal_within(mx, sx, -box.a, box.a) * arc_normal_within(my, sy, -box.b, box.b);
        check(within(&box, mx, my, sx * sx, 0, sy * sy), expected, 1e-8);
    }
}

/* The sum over strips across x of the density's x part times the normal's y part given x. */
static double strips(const Shape *shape, const double m[2], const double S[3])
{
    double sd = sqrt(S[0]), slope = S[1] / S[0], rest = sqrt(S[2] - S[1] * S[1] / S[0]);
    double low = fmax(-shape->a, m[0] - 9 * sd), high = fmin(shape->a, m[0] + 9 * sd), sum = 0.0;
    int n = 40000;
    for (int i = 0; i < n && high > low; i++) {
        /* Strips grow finer towards both ends, where an ellipse's height has a root. */
        double u0 = M_PI * i / n, u1 = M_PI * (i + 1) / n, u = 0.5 * (u0 + u1);
        double x = 0.5 * (low + high) - 0.5 * (high - low) * cos(u), z = (x - m[0]) / sd;
        double width = 0.5 * (high - low) * (cos(u0) - cos(u1));
        double half = shape->is_box ? shape->b
                                    : shape->b * sqrt(fmax(1.0 - x * x / shape->a / shape->a, 0.0));
        sum += width * exp(-0.5 * z * z) / (sd * sqrt(2.0 * M_PI)) *
               arc_normal_within(m[1] + slope * (x - m[0]), rest, -half, half);
    }
    return sum;
}

static void test_within_correlated_is_the_sum_over_strips(void **state)
{
    (void)state;
    ArcRandom random = arc_random_create(2, ARC_STREAM_TRUTH);
    int inner = 0;
    for (int trial = 0; trial < 200; trial++) {
        const Shape shape = {trial % 2 == 0, pow(10.0, arc_random_uniform(&random, -1, 0.5)),
                             pow(10.0, arc_random_uniform(&random, -1, 0.5))};
        double m[2] = {arc_random_uniform(&random, -1, 1), arc_random_uniform(&random, -1, 1)};
        double sx = pow(10.0, arc_random_uniform(&random, -2, 0.5));
        double sy = pow(10.0, arc_random_uniform(&random, -2, 0.5));
        double r = arc_random_uniform(&random, -0.99, 0.99);
        const double S[3] = {sx * sx, r * sx * sy, sy * sy};
        double expected = strips(&shape, m, S);
        check(within(&shape, m[0], m[1], S[0], S[1], S[2]), expected, 1e-6);
        inner += expected > 0.01 && expected < 0.99;
    }
    assert_true(inner > 60);
}

/* Flat covariances, exactly and nearly, are one number's along a line. */
static void test_within_flat_covariance_is_along_a_line(void **state)
{
    (void)state;
    for (int box = 0; box < 2; box++) {
        const Shape shape = {box == 1, 1.0, 0.5};
        for (double angle = 0.1; angle < 3.0; angle += 0.4) {
            double c = cos(angle), s = sin(angle), sd = 0.6, t[2] = {0, 0};
            const double from[2] = {0.2, -0.1}, along[2] = {c, s};
            assert_true(shape_chord(&shape, from, along, t));
            double expected = arc_normal_within(0.0, sd, t[0], t[1]);
            for (int k = 0; k < 3; k++) {
                double thin = k == 0 ? 0.0 : k == 1 ? 1e-12 : 1e-7, v = sd * sd, w = thin * thin;
                check(within(&shape, from[0], from[1], v * c * c + w * s * s, (v - w) * c * s,
                             v * s * s + w * c * c),
                      expected, k == 2 ? 1e-6 : 1e-8);
            }
        }
        assert_true(within(&shape, 0.99, 0.0, 0, 0, 0) == 1.0);
        assert_true(within(&shape, 1.01, 0.0, 0, 0, 0) == 0.0);
        check(within(&shape, 0.0, 0.6, 4.0, 0, 0), 0.0, 0.0);
    }
}

/* However narrow the density and however near to the outline. */
static void test_within_narrow_density_near_the_outline(void **state)
{
    (void)state;
    const Shape disc = {false, 1.0, 1.0};
    for (double sd = 1e-2; sd > 1e-8; sd *= 0.1)
        for (double angle = 0.3; angle < 6.2; angle += 0.9)
            for (int k = -6; k <= 6; k++) {
                double at = 1.0 - k * sd;
                /* So near to it a circle is a line, bent by sd. */
                check(within(&disc, at * cos(angle), at * sin(angle), sd * sd, 0, sd * sd),
                      0.5 * erfc(-k * M_SQRT1_2), 0.25 * sd + 2e-8);
            }
}

static void test_within_what_is_not_finite_is_nan(void **state)
{
    (void)state;
    const Shape disc = {false, 1.0, 1.0};
    assert_true(isnan(within(&disc, NAN, 0, 1, 0, 1)));
    assert_true(isnan(within(&disc, 0, 0, INFINITY, 0, 1)));
    assert_true(isnan(within(&disc, 0, 0, -1, 0, 1)));
    assert_true(isnan(arc_normal_within(0, -1, 0, 1)));
    assert_true(isnan(arc_normal_within(NAN, 0, 0, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_within_disc_about_the_mean_is_rayleighs),
        cmocka_unit_test(test_within_box_is_a_product),
        cmocka_unit_test(test_within_correlated_is_the_sum_over_strips),
        cmocka_unit_test(test_within_flat_covariance_is_along_a_line),
        cmocka_unit_test(test_within_narrow_density_near_the_outline),
        cmocka_unit_test(test_within_what_is_not_finite_is_nan),
    };
    return cmocka_run_group_tests_name("binormal", tests, NULL, NULL);
}
