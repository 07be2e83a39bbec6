/* Rotations by their vector: the exponential and its slope, from no angle to more than half a turn.
 */
#include "physics/matrix3.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sweep.h"

static const double angles_rad[] = {0, 1e-12, 1e-8, 3e-8, 1e-4, 0.0199, 0.0201, 0.3, 1.5, 3, 4};
enum { N_ANGLES = sizeof angles_rad / sizeof angles_rad[0] };
static const double axis[3] = {2.0 / 7, -3.0 / 7, 6.0 / 7};

static void vector_of(double angle_rad, double vector[3])
{
    for (int k = 0; k < 3; k++)
        vector[k] = angle_rad * axis[k];
}

static void test_rotation_matrix_turns_about_its_axis(void **state)
{
    (void)state;
    const double side[3] = {3 / sqrt(13), 2 / sqrt(13), 0}; /* square to the axis */
    double up[3], turned[3], matrix[9], vector[3];
    for (int k = 0; k < 3; k++)
        up[k] = axis[(k + 1) % 3] * side[(k + 2) % 3] - axis[(k + 2) % 3] * side[(k + 1) % 3];
    for (int i = 0; i < N_ANGLES; i++) {
        vector_of(angles_rad[i], vector);
        arc_rotation_matrix(vector, matrix);
        arc_matrix3_apply(matrix, axis, turned);
        for (int k = 0; k < 3; k++)
            assert_near(turned[k], axis[k], 4e-15);
        arc_matrix3_apply(matrix, side, turned);
        for (int k = 0; k < 3; k++)
            assert_near(turned[k], cos(angles_rad[i]) * side[k] + sin(angles_rad[i]) * up[k],
                        1e-15);
        assert_near(arc_matrix3_determinant(matrix), 1, 4e-15);
    }
}

/* J(f) is the mean of exp(s [f]) over s from 0 to 1; by Gauss's rule of 8 points in 4 parts. */
static void test_rotation_slope_is_the_mean_of_the_rotations_on_the_way(void **state)
{
    (void)state;
    static const double nodes[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                    0.9602898564975363};
    static const double weights[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                      0.1012285362903763};
    for (int i = 0; i < N_ANGLES; i++) {
        double vector[3], slope[9], mean[9] = {0};
        vector_of(angles_rad[i], vector);
        arc_rotation_slope(vector, slope);
        for (int part = 0; part < 4; part++)
            for (int node = 0; node < 8; node++) {
                double at = node < 4 ? nodes[node] : -nodes[node - 4], partial[3], matrix[9];
                vector_of(angles_rad[i] * (part + 0.5 + 0.5 * at) / 4, partial);
                arc_rotation_matrix(partial, matrix);
                for (int k = 0; k < 9; k++)
                    mean[k] += weights[node % 4] / 8 * matrix[k];
            }
        for (int k = 0; k < 9; k++)
            assert_near(slope[k], mean[k], 2e-14);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotation_matrix_turns_about_its_axis),
        cmocka_unit_test(test_rotation_slope_is_the_mean_of_the_rotations_on_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
