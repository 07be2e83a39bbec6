/* Gauss-Legendre quadrature: exact for polynomials of degree 2 n - 1, for every n in use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/quadrature.h"
#include "sweep.h"

enum { MOST = 240 };

/* The mean over [-1, 1] of the Legendre polynomial of each degree up to 2 n - 1 is zero but for
 * degree 0; powers would hide what happens near the middle. */
static void check_exactness(int n, const double *nodes, const double *weights)
{
    double before[MOST], now[MOST];
    for (int i = 0; i < n; i++) {
        before[i] = 0.0;
        now[i] = 1.0;
    }
    for (int degree = 0; degree <= 2 * n - 1; degree++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            sum += weights[i] * now[i];
            double next =
                ((2 * degree + 1) * nodes[i] * now[i] - degree * before[i]) / (degree + 1);
            before[i] = now[i];
            now[i] = next;
        }
        assert_near(sum, degree == 0 ? 1.0 : 0.0, 2e-14);
    }
}

static void test_quadrature_gauss_is_exact_up_to_twice_its_points(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n++) {
        double nodes[MOST], weights[MOST];
        arc_quadrature_gauss(n, nodes, weights);
        check_exactness(n, nodes, weights);
    }
}

static void test_quadrature_gauss_is_not_exact_beyond(void **state)
{
    (void)state;
    for (int n = 1; n <= 20; n++) {
        double nodes[MOST], weights[MOST], sum = 0.0;
        arc_quadrature_gauss(n, nodes, weights);
        for (int i = 0; i < n; i++)
            sum += weights[i] * pow(nodes[i], 2 * n);
        assert_true(sum < 1.0 / (2 * n + 1) * (1.0 - 1e-13));
    }
}

static void test_quadrature_gauss_nodes_ascend_in_the_open_interval(void **state)
{
    (void)state;
    for (int n = 1; n <= MOST; n++) {
        double nodes[MOST], weights[MOST];
        arc_quadrature_gauss(n, nodes, weights);
        assert_true(nodes[0] > -1.0 && nodes[n - 1] < 1.0);
        for (int i = 0; i < n; i++) {
            assert_true(weights[i] > 0.0);
            assert_true(i == 0 || nodes[i] > nodes[i - 1]);
            assert_true(nodes[i] == -nodes[n - 1 - i]);
        }
    }
}

static void test_quadrature_gauss_three_points_are_the_known_ones(void **state)
{
    (void)state;
    double nodes[3], weights[3];
    arc_quadrature_gauss(3, nodes, weights);
    assert_near(nodes[2], sqrt(0.6), 1e-15);
    assert_near(weights[0], 5.0 / 18.0, 1e-15);
    assert_near(weights[1], 8.0 / 18.0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quadrature_gauss_is_exact_up_to_twice_its_points),
        cmocka_unit_test(test_quadrature_gauss_is_not_exact_beyond),
        cmocka_unit_test(test_quadrature_gauss_nodes_ascend_in_the_open_interval),
        cmocka_unit_test(test_quadrature_gauss_three_points_are_the_known_ones),
    };
    return cmocka_run_group_tests_name("quadrature", tests, NULL, NULL);
}
