/* The release's velocity: cartesian and polar, each way, with partials, for every axis up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/release.h"
#include "sweep.h"

#include <math.h>

static void test_release_velocity_cartesian_is_the_values(void **state)
{
    (void)state;
    const double values[3] = {3.0, -4.0, 5.0};
    double v[3], v_q[9];
    arc_release_velocity(ARC_RELEASE_CARTESIAN, 3, 2, values, v, v_q);
    for (int i = 0; i < 3; i++) {
        assert_true(v[i] == values[i]);
        for (int j = 0; j < 3; j++)
            assert_true(v_q[3 * i + j] == (i == j ? 1.0 : 0.0));
    }
}

static void test_release_velocity_polar_follows_the_axes(void **state)
{
    (void)state;
    const double values[3] = {10.0, 0.5, 0.3};
    for (int up = 0; up < 3; up++) {
        double v[3];
        arc_release_velocity(ARC_RELEASE_POLAR, 3, up, values, v, NULL);
        assert_near(v[up], 10.0 * sin(0.5), 1e-15);
        assert_near(v[(up + 1) % 3], 10.0 * cos(0.5) * cos(0.3), 1e-14);
        assert_near(v[(up + 2) % 3], 10.0 * cos(0.5) * sin(0.3), 1e-14);
    }
    for (int up = 0; up < 2; up++) {
        double v[2];
        arc_release_velocity(ARC_RELEASE_POLAR, 2, up, values, v, NULL);
        assert_near(v[up], 10.0 * sin(0.5), 1e-15);
        assert_near(v[1 - up], 10.0 * cos(0.5), 1e-14);
    }
}

/* d v_i / d values_j against central differences; zero where the other axes leave no choice. */
static void check_partials(int d, int up)
{
    const double values[3] = {8.0, 0.7, -0.4};
    double v[3], v_q[9];
    arc_release_velocity(ARC_RELEASE_POLAR, d, up, values, v, v_q);
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            if (i == up && j == 2) {
                assert_true(v_q[i * d + j] == 0.0);
                continue;
            }
            Sweep sweep = {0};
            for (int k = 0; k < N_STEPS; k++) {
                double above[3], below[3], moved[3] = {values[0], values[1], values[2]};
                moved[j] = values[j] + steps[k];
                arc_release_velocity(ARC_RELEASE_POLAR, d, up, moved, above, NULL);
                moved[j] = values[j] - steps[k];
                arc_release_velocity(ARC_RELEASE_POLAR, d, up, moved, below, NULL);
                sweep_add(&sweep, v_q[i * d + j], above[i], below[i], steps[k]);
            }
            sweep_check(&sweep, v_q[i * d + j], 1.0);
        }
    }
}

static void test_release_velocity_polar_partials_are_those_of_differences(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++)
        for (int up = 0; up < d; up++)
            check_partials(d, up);
}

static void check_gradient(int d, int up)
{
    const double v[3] = {4.0, -3.0, 6.0};
    double polar[3], gradient[9];
    arc_release_polar(d, up, v, polar, gradient);
    for (int k = 0; k < d; k++) {
        for (int i = 0; i < d; i++) {
            if (k == 2 && i == up) {
                assert_true(gradient[k * d + i] == 0.0);
                continue;
            }
            Sweep sweep = {0};
            for (int s = 0; s < N_STEPS; s++) {
                double above[3], below[3], moved[3] = {v[0], v[1], v[2]};
                moved[i] = v[i] + steps[s];
                arc_release_polar(d, up, moved, above, NULL);
                moved[i] = v[i] - steps[s];
                arc_release_polar(d, up, moved, below, NULL);
                sweep_add(&sweep, gradient[k * d + i], above[k], below[k], steps[s]);
            }
            sweep_check(&sweep, gradient[k * d + i], 1.0);
        }
    }
}

static void test_release_polar_gradients_are_those_of_differences(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++)
        for (int up = 0; up < d; up++)
            check_gradient(d, up);
}

static void test_release_from_velocity_gives_the_velocity_back(void **state)
{
    (void)state;
    const double velocities[][3] = {{3, 4, 5}, {-3, 4, -5}, {-1, -2, 3}, {0, 0, 2}, {0, -1, 0}};
    const ArcReleaseForm forms[] = {ARC_RELEASE_CARTESIAN, ARC_RELEASE_POLAR};
    for (int d = 2; d <= 3; d++)
        for (int up = 0; up < d; up++)
            for (size_t k = 0; k < sizeof velocities / sizeof velocities[0]; k++)
                for (int form = 0; form < 2; form++) {
                    double values[3], v[3];
                    arc_release_from_velocity(forms[form], d, up, velocities[k], values);
                    arc_release_velocity(forms[form], d, up, values, v, NULL);
                    for (int i = 0; i < d; i++)
                        assert_near(v[i], velocities[k][i], 1e-14);
                }
}

static void test_release_polar_zero_velocity_has_no_direction(void **state)
{
    (void)state;
    const double v[3] = {0};
    double polar[3] = {1, 1, 1}, gradient[9];
    arc_release_polar(3, 2, v, polar, gradient);
    for (int i = 0; i < 3; i++)
        assert_true(polar[i] == 0.0);
    for (int i = 0; i < 9; i++)
        assert_true(gradient[i] == 0.0);
}

static void test_release_polar_plane_backwards_is_beyond_upright(void **state)
{
    (void)state;
    const double v[2] = {-1.0, 1.0};
    double polar[3];
    arc_release_polar(2, 1, v, polar, NULL);
    assert_near(polar[1], 0.75 * M_PI, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_release_velocity_cartesian_is_the_values),
        cmocka_unit_test(test_release_velocity_polar_follows_the_axes),
        cmocka_unit_test(test_release_velocity_polar_partials_are_those_of_differences),
        cmocka_unit_test(test_release_polar_gradients_are_those_of_differences),
        cmocka_unit_test(test_release_from_velocity_gives_the_velocity_back),
        cmocka_unit_test(test_release_polar_zero_velocity_has_no_direction),
        cmocka_unit_test(test_release_polar_plane_backwards_is_beyond_upright),
    };
    return cmocka_run_group_tests_name("release", tests, NULL, NULL);
}
