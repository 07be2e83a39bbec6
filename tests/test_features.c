/* Features of a closure: values by their formulas, slopes and gradients against differences, where
 * units are placed. */
#include "model/features.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { I = 3, H = 21, HIDDEN = (I + 1) * H, N = 50 };

static const double Z[I] = {0.3, -0.45, 0.7};

/* Every kind: radial, then each activation. */
static ArcFeatures features_of(int kind)
{
    static double gain[H];
    for (int h = 0; h < H; h++)
        gain[h] = 1 + 0.5 * sin(h);
    return (ArcFeatures){I, H, kind == 0, kind == 0 ? 0 : (ArcActivation)(kind - 1), gain};
}

static void draw_points(double *points)
{
    ArcRandom random = arc_random_create(3, 1);
    for (int i = 0; i < N * I; i++)
        points[i] = arc_random_uniform(&random, -1, 1);
}

static void draw_hidden(const ArcFeatures *features, double *hidden)
{
    double points[N * I], distance[N];
    int chosen[H];
    ArcRandom random = arc_random_create(4, 1);
    draw_points(points);
    int count = arc_features_choose(I, N, points, 0, H, chosen, distance);
    assert_int_equal(count, H);
    if (features->is_radial) {
        arc_features_place(features, points, 0, 8, chosen, 0.6, hidden);
        arc_features_place(features, points, 8, H - 8, chosen + 8, 0.9, hidden);
    } else {
        arc_features_draw(features, points, count, chosen, 0.6, &random, hidden);
    }
}

static double formula(const ArcFeatures *features, const double *hidden, int h)
{
    double b = hidden[I * H + h], r2 = 0, z = b;
    for (int i = 0; i < I; i++) {
        r2 += pow(Z[i] - hidden[i * H + h], 2);
        z += hidden[i * H + h] * Z[i];
    }
    if (features->is_radial)
        return features->gain[h] * exp(-b * b * r2 / 2);
    switch (features->activation) {
    case ARC_ACTIVATION_TANH:
        return (exp(2 * z) - 1) / (exp(2 * z) + 1);
    case ARC_ACTIVATION_SIN:
        return cos(z - M_PI / 2);
    case ARC_ACTIVATION_SILU:
        return z / (1 + exp(-z));
    case ARC_ACTIVATION_SOFTPLUS:
        return log(1 + exp(z));
    case ARC_ACTIVATION_GELU:
        return z * (1 + erf(z / sqrt(2))) / 2;
    case ARC_ACTIVATION_COUNT:
        break;
    }
    return NAN;
}

static void test_features_at_all_kinds_follow_their_formula(void **state)
{
    (void)state;
    for (int kind = 0; kind <= ARC_ACTIVATION_COUNT; kind++) {
        ArcFeatures features = features_of(kind);
        double hidden[HIDDEN], phi[H];
        draw_hidden(&features, hidden);
        arc_features_at(&features, hidden, Z, phi, NULL);
        for (int h = 0; h < H; h++)
            assert_true(fabs(phi[h] - formula(&features, hidden, h)) < 1e-14);
    }
}

static double weighted_sum(const ArcFeatures *features, const double *hidden, const double *z,
                           const double *W)
{
    double phi[H];
    arc_features_at(features, hidden, z, phi, NULL);
    return arc_features_dot(H, W, phi);
}

static void test_features_gradient_all_kinds_are_the_derivatives(void **state)
{
    (void)state;
    const double step = 1e-5, factor = 1.7;
    for (int kind = 0; kind <= ARC_ACTIVATION_COUNT; kind++) {
        ArcFeatures features = features_of(kind);
        double hidden[HIDDEN], W[H], phi[H], slope[H], weighted[H], by_z[I], by_hidden[HIDDEN];
        draw_hidden(&features, hidden);
        for (int h = 0; h < H; h++)
            W[h] = sin(1 + 3 * h);
        arc_features_at(&features, hidden, Z, phi, slope);
        arc_features_gradient(&features, hidden, Z, W, slope, weighted, by_z);
        arc_features_by_hidden(&features, hidden, Z, W, slope, factor, by_hidden);
        for (int i = 0; i < I; i++) {
            double z[I];
            memcpy(z, Z, sizeof z);
            z[i] = Z[i] + step;
            double forth = weighted_sum(&features, hidden, z, W);
            z[i] = Z[i] - step;
            double back = weighted_sum(&features, hidden, z, W);
            assert_true(fabs(by_z[i] - (forth - back) / (2 * step)) < 1e-8);
            assert_true(fabs(by_z[i]) > 1e-3);
        }
        for (int k = 0; k < HIDDEN; k++) {
            double start = hidden[k];
            hidden[k] = start + step;
            double forth = weighted_sum(&features, hidden, Z, W);
            hidden[k] = start - step;
            double back = weighted_sum(&features, hidden, Z, W);
            hidden[k] = start;
            assert_true(fabs(by_hidden[k] - factor * (forth - back) / (2 * step)) < 1e-8);
        }
    }
}

static void test_features_at_far_from_a_radial_unit_is_zero(void **state)
{
    (void)state;
    ArcFeatures features = features_of(0);
    double hidden[HIDDEN], far[I] = {400, 0, 0}, none[I] = {NAN, 0, 0}, phi[H], slope[H];
    draw_hidden(&features, hidden);
    arc_features_at(&features, hidden, far, phi, slope);
    for (int h = 0; h < H; h++)
        assert_true(phi[h] == 0 && slope[h] == 0);
    arc_features_at(&features, hidden, none, phi, slope);
    assert_true(isnan(phi[0]) && isnan(slope[0]));
}

static void test_features_choose_reaches_all_points_with_no_two_close(void **state)
{
    (void)state;
    const double reach = 0.8;
    double points[N * I], distance[N];
    int chosen[N];
    draw_points(points);
    int count = arc_features_choose(I, N, points, reach, N, chosen, distance);
    assert_in_range(count, 5, N - 10);
    for (int i = 0; i < N; i++) {
        double nearest = INFINITY;
        for (int h = 0; h < count; h++) {
            double d2 = 0;
            for (int k = 0; k < I; k++)
                d2 += pow(points[i * I + k] - points[chosen[h] * I + k], 2);
            if (chosen[h] != i)
                nearest = fmin(nearest, sqrt(d2));
            else
                assert_true(distance[i] == 0);
        }
        bool is_chosen = distance[i] == 0;
        assert_true(is_chosen ? nearest > reach : nearest <= reach);
    }
}

/* Equal points are one place: units are not put there twice. */
static void test_features_choose_equal_points_are_chosen_once(void **state)
{
    (void)state;
    double points[N * I] = {0}, distance[N];
    int chosen[N];
    for (int i = 0; i < N; i++)
        points[i * I] = i % 2;
    assert_int_equal(arc_features_choose(I, N, points, 0, N, chosen, distance), 2);
}

static void test_features_draw_ridge_units_have_slope_one_over_width_at_a_point(void **state)
{
    (void)state;
    ArcFeatures features = features_of(1 + ARC_ACTIVATION_TANH);
    double points[N * I], distance[N], hidden[HIDDEN];
    int chosen[4];
    ArcRandom random = arc_random_create(4, 1);
    draw_points(points);
    int count = arc_features_choose(I, N, points, 0, 4, chosen, distance);
    arc_features_draw(&features, points, count, chosen, 0.6, &random, hidden);
    for (int h = 0; h < H; h++) {
        double size2 = 0, z = hidden[I * H + h];
        for (int i = 0; i < I; i++) {
            size2 += pow(hidden[i * H + h], 2);
            z += hidden[i * H + h] * points[chosen[h % count] * I + i];
        }
        assert_true(fabs(sqrt(size2) - 1 / 0.6) < 1e-12 && fabs(z) < 1e-12);
    }
}

static void test_features_dot_any_length_is_the_sum(void **state)
{
    (void)state;
    double a[H], b[H];
    for (int n = 0; n <= H; n++) {
        double sum = 0;
        for (int h = 0; h < n; h++) {
            a[h] = h + 1;
            b[h] = 2 * h - 5;
            sum += a[h] * b[h];
        }
        assert_true(arc_features_dot(n, a, b) == sum);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features_at_all_kinds_follow_their_formula),
        cmocka_unit_test(test_features_gradient_all_kinds_are_the_derivatives),
        cmocka_unit_test(test_features_at_far_from_a_radial_unit_is_zero),
        cmocka_unit_test(test_features_choose_reaches_all_points_with_no_two_close),
        cmocka_unit_test(test_features_choose_equal_points_are_chosen_once),
        cmocka_unit_test(test_features_draw_ridge_units_have_slope_one_over_width_at_a_point),
        cmocka_unit_test(test_features_dot_any_length_is_the_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
