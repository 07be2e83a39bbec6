/* Vectors of three, (3, 3) matrices, rotations. */
#include "physics/matrix3.h"

#include <math.h>

double arc_vector3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double arc_vector3_norm(const double a[3])
{
    return sqrt(arc_vector3_dot(a, a));
}

void arc_matrix3_multiply(const double a[9], const double b[9], double product[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product[3 * i + j] =
                a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

void arc_matrix3_multiply_transposed(const double a[9], const double b[9], double product[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}

void arc_matrix3_apply(const double a[9], const double x[3], double product[3])
{
    for (int i = 0; i < 3; i++)
        product[i] = arc_vector3_dot(a + 3 * i, x);
}

double arc_matrix3_determinant(const double a[9])
{
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
           a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/* I + p [f] + q [f]^2, where [f]^2 = f f' - |f|^2. */
static void cross_series(const double f[3], double p, double q, double matrix[9])
{
    double square = arc_vector3_dot(f, f);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix[3 * i + j] = (i == j ? 1 - q * square : 0) + q * f[i] * f[j];
    matrix[1] -= p * f[2];
    matrix[2] += p * f[1];
    matrix[3] += p * f[2];
    matrix[5] -= p * f[0];
    matrix[6] -= p * f[1];
    matrix[7] += p * f[0];
}

void arc_rotation_matrix(const double vector_rad[3], double matrix[9])
{
    double angle = arc_vector3_norm(vector_rad), half = 0.5 * angle;
    double sine = angle > 1e-8 ? sin(angle) / angle : 1;
    double half_sine = half > 1e-8 ? sin(half) / half : 1;
    cross_series(vector_rad, sine, 0.5 * half_sine * half_sine, matrix);
}

void arc_rotation_slope(const double vector_rad[3], double matrix[9])
{
    double angle = arc_vector3_norm(vector_rad), half = 0.5 * angle, square = angle * angle;
    double half_sine = half > 1e-8 ? sin(half) / half : 1;
    double cubic = angle > 0.02 ? (1 - sin(angle) / angle) / square
                                : (1 - square / 20 * (1 - square / 42)) / 6;
    cross_series(vector_rad, 0.5 * half_sine * half_sine, cubic, matrix);
}
