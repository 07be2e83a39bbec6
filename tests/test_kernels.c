/* The kernels of the activations, for every vector unit of this processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/activation.h"
#include "sweep.h"

#include <stdbool.h>
#include <string.h>

static void test_activation_kernel_units_agree_with_libm(void **state)
{
    (void)state;
    enum { N = 1003 };
    static double z[N], s[N], s1[N], s2[N], s3[N];
    for (int i = 0; i < N; i++)
        z[i] = 12.0 * pow((double)(i - N / 2) / (N / 2), 3.0);
    for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++) {
        ArcActivationKernel kernel =
            arc_activation_kernel(ARC_ACTIVATION_TANH, (ArcVectorUnit)unit);
        if (kernel == NULL)
            continue;
        kernel(N, z, s, s1, s2, s3);
        for (int i = 0; i < N; i++) {
            double y = tanh(z[i]), slope = pow(cosh(z[i]), -2.0);
            assert_near(s[i], y, 1e-15 * fabs(y));
            assert_near(s1[i], slope, 1e-15);
            assert_near(s2[i], -2.0 * y * slope, 2e-15);
            assert_near(s3[i], slope * (4.0 * y * y - 2.0 * slope), 4e-15);
        }
    }
}

static void test_activation_kernel_derivatives_match_differences(void **state)
{
    (void)state;
    ArcActivationKernel kernel =
        arc_activation_kernel(ARC_ACTIVATION_TANH, arc_activation_vector_unit());
    for (double z = -3.1; z < 3.2; z += 0.2) {
        double at[4];
        kernel(1, &z, &at[0], &at[1], &at[2], &at[3]);
        for (int order = 0; order < 3; order++) {
            Sweep sweep = {0};
            for (int k = 0; k < N_STEPS; k++) {
                double sides[2] = {z + steps[k], z - steps[k]}, d[4][2];
                kernel(2, sides, d[0], d[1], d[2], d[3]);
                sweep_add(&sweep, at[order + 1], d[order][0], d[order][1], steps[k]);
            }
            sweep_check(&sweep, at[order + 1], 1.0);
        }
    }
}

static void test_activation_kernel_any_lane_gives_same_bits(void **state)
{
    (void)state;
    enum { N = 29 };
    double z[N], whole[4][N], part[4][N];
    for (int i = 0; i < N; i++)
        z[i] = 0.37 * (i - 11);
    double avx2[4][N];
    bool has_avx2 = false;
    for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++) {
        ArcActivationKernel kernel =
            arc_activation_kernel(ARC_ACTIVATION_TANH, (ArcVectorUnit)unit);
        if (kernel == NULL)
            continue;
        kernel(N, z, whole[0], whole[1], whole[2], whole[3]);
        for (int start = 0; start < N; start++)
            for (int n = 0; start + n <= N; n++) {
                kernel((size_t)n, z + start, part[0], part[1], part[2], part[3]);
                for (int k = 0; k < 4; k++)
                    assert_memory_equal(part[k], whole[k] + start, (size_t)n * sizeof(double));
            }
        if (unit == ARC_VECTOR_AVX2) {
            memcpy(avx2, whole, sizeof avx2);
            has_avx2 = true;
        }
        if (unit == ARC_VECTOR_AVX512 && has_avx2)
            assert_memory_equal(avx2, whole, sizeof avx2);
    }
}

static void test_activation_kernel_non_finite_is_seen(void **state)
{
    (void)state;
    double z[9] = {NAN, INFINITY, -INFINITY, 0.0, 400.0, -400.0, 1e308, -1e-310, NAN};
    for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++) {
        ArcActivationKernel kernel =
            arc_activation_kernel(ARC_ACTIVATION_TANH, (ArcVectorUnit)unit);
        if (kernel == NULL)
            continue;
        double s[9], s1[9], s2[9], s3[9];
        kernel(9, z, s, s1, s2, s3);
        assert_true(isnan(s[0]) && isnan(s1[0]) && isnan(s2[0]) && isnan(s3[0]));
        assert_true(isnan(s[8]) && isnan(s3[8]));
        for (int i = 1; i < 7; i++) {
            double expected = z[i] > 0.0 ? 1.0 : z[i] < 0.0 ? -1.0 : 0.0;
            assert_true(s[i] == expected);
            assert_true(s1[i] == 1.0 - expected * expected);
            assert_true(s2[i] == 0.0);
        }
        assert_near(s[7], 0.0, 1e-300);
    }
}

static void test_activation_name_known_and_unknown(void **state)
{
    (void)state;
    assert_string_equal(arc_activation_name(ARC_ACTIVATION_TANH), "tanh");
    assert_null(arc_activation_name(-1));
    assert_null(arc_activation_name(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_activation_kernel_units_agree_with_libm),
        cmocka_unit_test(test_activation_kernel_derivatives_match_differences),
        cmocka_unit_test(test_activation_kernel_any_lane_gives_same_bits),
        cmocka_unit_test(test_activation_kernel_non_finite_is_seen),
        cmocka_unit_test(test_activation_name_known_and_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
