/* The elementwise kernels, for every vector unit of this processor. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "naive_activation.h"
#include "net/kernels.h"
#include "sweep.h"

#include <string.h>

enum { MAX_POINTS = 1003 };

/* sigma and its derivatives at n points z: the outputs of z' = 1, z'' = 0. */
typedef struct Values {
    double d[4][MAX_POINTS];
} Values;

static void evaluate(const ArcKernels *kernels, int activation, size_t n, const double *z,
                     Values *values)
{
    static double y[3 * MAX_POINTS], partials[3 * MAX_POINTS], b[MAX_POINTS];
    memcpy(y, z, n * sizeof *y);
    for (size_t i = 0; i < n; i++) {
        b[i] = 0.0;
        y[n + i] = 1.0;
        y[2 * n + i] = 0.0;
    }
    kernels->activate[activation](1, n, n, b, NULL, y, partials);
    for (int k = 0; k < 3; k++)
        memcpy(values->d[k], y + (size_t)k * n, n * sizeof *y);
    memcpy(values->d[3], partials + 2 * n, n * sizeof *y);
}

/* sigma within 5e-16 relative for tanh and sin, and all within a few units of rounding of their
 * terms, which grow with z. */
static void test_kernels_activate_every_unit_is_accurate(void **state)
{
    (void)state;
    static double z[MAX_POINTS];
    static Values values;
    for (int i = 0; i < MAX_POINTS; i++)
        z[i] = 30.0 * pow((double)(i - MAX_POINTS / 2) / (MAX_POINTS / 2), 3.0);
    for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++)
        for (int activation = 0; activation < ARC_ACTIVATION_COUNT; activation++) {
            const ArcKernels *kernels = arc_kernels((ArcVectorUnit)unit);
            if (kernels == NULL)
                continue;
            evaluate(kernels, activation, MAX_POINTS, z, &values);
            for (int i = 0; i < MAX_POINTS; i++) {
                NaiveActivation expected = naive_activation((ArcActivation)activation, z[i]);
                double relative = activation == ARC_ACTIVATION_GELU ? 0.0 : 7e-16;
                double s = (double)expected.d[0];
                assert_near(values.d[0][i], s,
                            relative * fabs(s) + 3e-16 * (relative == 0.0) * (1.0 + fabs(z[i])));
                for (int k = 1; k < 4; k++)
                    assert_near(values.d[k][i], (double)expected.d[k], 4e-15);
            }
        }
}

/* Digits of the function itself, worked out with 40 digits. */
static void test_kernels_activate_known_values(void **state)
{
    (void)state;
    static const double expected[ARC_ACTIVATION_COUNT][4] = {
        [ARC_ACTIVATION_TANH] = {0.63514895238728731921, 0.59658580828133142601,
                                 -0.75784170227802138953, 0.25085547326918848635},
        [ARC_ACTIVATION_SIN] = {0.68163876002333416673, 0.73168886887382088631,
                                -0.68163876002333416673, -0.73168886887382088631},
        [ARC_ACTIVATION_SILU] = {0.50938402438154472987, 0.84259994449675349527,
                                 0.37722677521501975225, -0.28448363129214709144},
        [ARC_ACTIVATION_SOFTPLUS] = {1.1368710061148999437, 0.67917869917539297316,
                                     0.21789499376181402948, -0.078084283078144408949},
        [ARC_ACTIVATION_GELU] = {0.5800294857173488505, 0.99922572173923510437,
                                 0.43288505872253133209, -0.77636994227410510646},
    };
    static Values values;
    for (int activation = 0; activation < ARC_ACTIVATION_COUNT; activation++) {
        evaluate(arc_kernels(arc_kernels_vector_unit()), activation, 1, &(double){0.75}, &values);
        for (int k = 0; k < 4; k++)
            assert_near(values.d[k][0], expected[activation][k], 4e-16);
    }
}

static void test_kernels_activate_derivatives_match_differences(void **state)
{
    (void)state;
    static Values at, sides;
    const ArcKernels *kernels = arc_kernels(arc_kernels_vector_unit());
    for (int activation = 0; activation < ARC_ACTIVATION_COUNT; activation++)
        for (double z = -3.13; z < 3.2; z += 0.2) {
            evaluate(kernels, activation, 1, &z, &at);
            for (int order = 0; order < 3; order++) {
                Sweep sweep = {0};
                for (int k = 0; k < N_STEPS; k++) {
                    double pair[2] = {z + steps[k], z - steps[k]};
                    evaluate(kernels, activation, 2, pair, &sides);
                    const double *d = sides.d[order];
                    sweep_add(&sweep, at.d[order + 1][0], d[0], d[1], steps[k]);
                }
                sweep_check(&sweep, at.d[order + 1][0], 1.0);
            }
        }
}

static void test_kernels_activate_any_lane_gives_same_bits(void **state)
{
    (void)state;
    enum { N = 29 };
    static Values whole, part, avx2;
    double z[N];
    for (int i = 0; i < N; i++)
        z[i] = 0.37 * (i - 11);
    for (int activation = 0; activation < ARC_ACTIVATION_COUNT; activation++)
        for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++) {
            const ArcKernels *kernels = arc_kernels((ArcVectorUnit)unit);
            if (kernels == NULL)
                continue;
            evaluate(kernels, activation, N, z, &whole);
            for (int start = 0; start < N; start++)
                for (int n = 1; start + n <= N; n++) {
                    evaluate(kernels, activation, (size_t)n, z + start, &part);
                    for (int k = 0; k < 4; k++)
                        assert_memory_equal(part.d[k], whole.d[k] + start,
                                            (size_t)n * sizeof(double));
                }
            if (unit == ARC_VECTOR_AVX2)
                avx2 = whole;
            for (int k = 0; k < 4 && unit == ARC_VECTOR_AVX512; k++)
                assert_memory_equal(avx2.d[k], whole.d[k], sizeof z);
        }
}

static void test_kernels_activate_non_finite_is_seen(void **state)
{
    (void)state;
    double z[8] = {NAN, 0.0, 400.0, -400.0, 1e150, -1e150, -1e-310, NAN};
    static Values values;
    for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++)
        for (int activation = 0; activation < ARC_ACTIVATION_COUNT; activation++) {
            const ArcKernels *kernels = arc_kernels((ArcVectorUnit)unit);
            if (kernels == NULL)
                continue;
            evaluate(kernels, activation, 8, z, &values);
            for (int k = 0; k < 4; k++)
                for (int i = 0; i < 8; i++)
                    assert_int_equal(isnan(values.d[k][i]) != 0, isnan(z[i]) != 0);
            if (activation == ARC_ACTIVATION_SIN)
                continue;
            /* Far out all are straight lines: rising like z, level, or zero. */
            bool is_tanh = activation == ARC_ACTIVATION_TANH;
            for (int i = 2; i < 6; i++) {
                double step = is_tanh ? 2.0 * (z[i] > 0.0) - 1.0 : z[i] * (z[i] > 0.0);
                assert_near(values.d[0][i], step, 1e-160);
                assert_near(values.d[1][i], !is_tanh && z[i] > 0.0 ? 1.0 : 0.0, 1e-160);
                assert_near(values.d[2][i], 0.0, 1e-160);
                assert_near(values.d[3][i], 0.0, 1e-160);
            }
        }
}

/* All of a layer's arrays, each with two numbers of guard behind it. */
enum { ROWS = 3, MAX_H = 19, GUARD = 2, SIZE = 3 * ROWS * MAX_H + GUARD };

static void fill(double *values, size_t n, double shift)
{
    for (size_t k = 0; k < n; k++)
        values[k] = sin(3.7 * (double)k + shift);
}

/* Bias, chain rule and skip, at widths with and without a tail. */
static void test_kernels_activate_layer_matches_the_equations(void **state)
{
    (void)state;
    for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++)
        for (size_t H = 1; H <= MAX_H; H++) {
            const ArcKernels *kernels = arc_kernels((ArcVectorUnit)unit);
            if (kernels == NULL)
                continue;
            double z[SIZE], y[SIZE], partials[SIZE], skip[SIZE], b[MAX_H];
            size_t jet = ROWS * H, n = 3 * jet;
            bool has_skip = H % 2 == 0;
            fill(z, SIZE, 0.1);
            fill(skip, SIZE, 0.2);
            fill(b, MAX_H, 0.3);
            fill(partials, SIZE, 0.4);
            memcpy(y, z, sizeof y);
            kernels->activate[ARC_ACTIVATION_SILU](ROWS, H, jet, b, has_skip ? skip : NULL, y,
                                                   partials);
            for (size_t k = 0; k < jet; k++) {
                NaiveActivation f = naive_activation(ARC_ACTIVATION_SILU, z[k] + b[k % H]);
                double s1 = (double)f.d[1], s2 = (double)f.d[2], s3 = (double)f.d[3];
                double z1 = z[jet + k], z2 = z[2 * jet + k], on = has_skip ? 1.0 : 0.0;
                assert_near(y[k], (double)f.d[0] + on * skip[k], 2e-15);
                assert_near(y[jet + k], s1 * z1 + on * skip[jet + k], 2e-15);
                assert_near(y[2 * jet + k], s1 * z2 + s2 * z1 * z1 + on * skip[2 * jet + k], 2e-15);
                assert_near(partials[k], s1, 2e-15);
                assert_near(partials[jet + k], s2 * z1, 2e-15);
                assert_near(partials[2 * jet + k], s2 * z2 + s3 * z1 * z1, 2e-15);
            }
            assert_memory_equal(y + n, z + n, GUARD * sizeof *y);
            fill(z, SIZE, 0.4);
            assert_memory_equal(partials + n, z + n, GUARD * sizeof *y);
        }
}

static void test_kernels_reverse_matches_the_equations(void **state)
{
    (void)state;
    for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++)
        for (size_t n = 0; n <= MAX_H; n++) {
            const ArcKernels *kernels = arc_kernels((ArcVectorUnit)unit);
            if (kernels == NULL)
                continue;
            double partials[SIZE], Y[SIZE], Z[SIZE];
            fill(partials, SIZE, 0.1);
            fill(Y, SIZE, 0.2);
            Z[3 * n] = 7.0;
            kernels->reverse(n, partials, Y, Z);
            assert_true(Z[3 * n] == 7.0);
            for (size_t k = 0; k < n; k++) {
                double s1 = partials[k], bend = partials[n + k], curl = partials[2 * n + k];
                double Y1 = Y[n + k], Y2 = Y[2 * n + k];
                assert_near(Z[k], s1 * Y[k] + bend * Y1 + curl * Y2, 1e-15);
                assert_near(Z[n + k], s1 * Y1 + 2.0 * bend * Y2, 1e-15);
                assert_near(Z[2 * n + k], s1 * Y2, 1e-15);
            }
        }
}

static void test_kernels_sum_rows_matches_loop(void **state)
{
    (void)state;
    for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++)
        for (size_t H = 1; H <= MAX_H; H++) {
            const ArcKernels *kernels = arc_kernels((ArcVectorUnit)unit);
            if (kernels == NULL)
                continue;
            double Z[SIZE], sum[MAX_H + 1];
            fill(Z, SIZE, 0.1);
            sum[H] = 7.0;
            kernels->sum_rows(ROWS, H, Z, sum);
            assert_true(sum[H] == 7.0);
            for (size_t j = 0; j < H; j++)
                assert_true(sum[j] == Z[j] + Z[H + j] + Z[2 * H + j]);
            kernels->sum_rows(0, H, Z, sum);
            for (size_t j = 0; j < H; j++)
                assert_true(sum[j] == 0.0);
        }
}

static void test_kernels_jacobian_columns_match_loop(void **state)
{
    (void)state;
    enum { N = 6, LD = MAX_H + GUARD };
    for (int unit = 0; unit < ARC_VECTOR_COUNT; unit++)
        for (size_t M = 0; M <= MAX_H; M++) {
            const ArcKernels *kernels = arc_kernels((ArcVectorUnit)unit);
            if (kernels == NULL)
                continue;
            double Z[3 * MAX_H], y[3 * N * MAX_H], out[N * LD];
            fill(Z, 3 * M, 0.1);
            fill(y, 3 * N * M, 0.2);
            for (int k = 0; k < N * LD; k++)
                out[k] = 7.0;
            kernels->jacobian_columns(M, N, Z, y, out, LD);
            for (size_t k = 0; k < N; k++)
                for (size_t i = 0; i < LD; i++) {
                    const double *own = y + 3 * k * M + i;
                    double sum =
                        i >= M ? 7.0
                               : Z[i] * own[0] + Z[M + i] * own[M] + Z[2 * M + i] * own[2 * M];
                    assert_near(out[k * LD + i], sum, i >= M ? 0.0 : 1e-15);
                }
        }
}

static void test_kernels_vector_unit_has_a_set(void **state)
{
    (void)state;
    ArcVectorUnit widest = arc_kernels_vector_unit();
    assert_non_null(arc_kernels(ARC_VECTOR_SCALAR));
    assert_non_null(arc_kernels(widest));
    for (int unit = (int)widest + 1; unit < ARC_VECTOR_COUNT; unit++)
        assert_null(arc_kernels((ArcVectorUnit)unit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels_activate_every_unit_is_accurate),
        cmocka_unit_test(test_kernels_activate_known_values),
        cmocka_unit_test(test_kernels_activate_derivatives_match_differences),
        cmocka_unit_test(test_kernels_activate_any_lane_gives_same_bits),
        cmocka_unit_test(test_kernels_activate_non_finite_is_seen),
        cmocka_unit_test(test_kernels_activate_layer_matches_the_equations),
        cmocka_unit_test(test_kernels_reverse_matches_the_equations),
        cmocka_unit_test(test_kernels_sum_rows_matches_loop),
        cmocka_unit_test(test_kernels_jacobian_columns_match_loop),
        cmocka_unit_test(test_kernels_vector_unit_has_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
