/* Vector sums and products: right for every length, and the same bits wherever the arrays stand. */
#include "base/random.h"
#include "solve/vector.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 200 };

static void fill(double *a, int n, uint64_t stream)
{
    ArcRandom random = arc_random_create(7, stream);
    for (int i = 0; i < n; i++)
        a[i] = arc_random_normal(&random);
}

static void test_vector_dot_every_length_is_the_sum_of_products(void **state)
{
    (void)state;
    double a[MOST], b[MOST];
    fill(a, MOST, 1);
    fill(b, MOST, 2);
    for (int n = 0; n <= MOST; n++) {
        long double sum = 0.0L, size = 0.0L;
        for (int i = 0; i < n; i++) {
            sum += (long double)a[i] * b[i];
            size += fabsl((long double)a[i] * b[i]);
        }
        double error = fabs(arc_vector_dot(n, a, b) - (double)sum);
        assert_true(error <= n * DBL_EPSILON * (double)size);
    }
}

static void test_vector_dot_any_alignment_gives_the_same_bits(void **state)
{
    (void)state;
    double a[MOST], b[MOST], a_moved[MOST + 8], b_moved[MOST + 8];
    fill(a, MOST, 3);
    fill(b, MOST, 4);
    for (int n = 0; n <= MOST; n += 7) {
        double expected = arc_vector_dot(n, a, b);
        for (int shift = 1; shift < 8; shift++) {
            memcpy(a_moved + shift, a, sizeof(a));
            memcpy(b_moved + 8 - shift, b, sizeof(b));
            assert_true(arc_vector_dot(n, a_moved + shift, b_moved + 8 - shift) == expected);
        }
    }
}

static void test_vector_dot_non_finite_shows(void **state)
{
    (void)state;
    double a[MOST];
    for (int at = 0; at < 37; at++) {
        fill(a, MOST, 5);
        a[at] = at % 2 == 0 ? NAN : -INFINITY;
        assert_true(!isfinite(arc_vector_dot(37, a, a)));
    }
}

static void test_vector_add_adds_the_multiple(void **state)
{
    (void)state;
    double a[MOST], b[MOST], before[MOST];
    for (int n = 0; n <= MOST; n += 13) {
        fill(a, MOST, 6);
        fill(b, MOST, 7);
        memcpy(before, b, sizeof(b));
        arc_vector_add(n, 0.3, a, b);
        for (int i = 0; i < MOST; i++)
            assert_true(b[i] == (i < n ? before[i] + 0.3 * a[i] : before[i]));
    }
}

static void test_vector_combine_writes_the_sum(void **state)
{
    (void)state;
    double a[MOST], b[MOST], c[MOST];
    fill(a, MOST, 8);
    fill(b, MOST, 9);
    for (int n = 0; n <= MOST; n += 13) {
        memset(c, 0, sizeof(c));
        arc_vector_combine(n, a, -1.7, b, c);
        for (int i = 0; i < MOST; i++)
            assert_true(c[i] == (i < n ? a[i] + -1.7 * b[i] : 0.0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector_dot_every_length_is_the_sum_of_products),
        cmocka_unit_test(test_vector_dot_any_alignment_gives_the_same_bits),
        cmocka_unit_test(test_vector_dot_non_finite_shows),
        cmocka_unit_test(test_vector_add_adds_the_multiple),
        cmocka_unit_test(test_vector_combine_writes_the_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
