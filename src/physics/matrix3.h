/* Vectors of three and (3, 3) matrices, row-major; rotations by their vector.
 *
 * With |f| = theta, a = f / theta and [f] the matrix of the cross product f x,
 *
 *   exp([f])  = I + sin(theta) / theta [f] + (1 - cos(theta)) / theta^2 [f]^2      (Rodrigues)
 *   J(f)      = I + (1 - cos(theta)) / theta^2 [f] + (theta - sin(theta)) / theta^3 [f]^2
 *
 * and exp([f + df]) = exp([J(f) df]) exp([f]) to first order.
 */
#ifndef ARC_PHYSICS_MATRIX3_H
#define ARC_PHYSICS_MATRIX3_H

double arc_vector3_dot(const double a[3], const double b[3]);
double arc_vector3_norm(const double a[3]);

/* a b, a' b, and a x. */
void arc_matrix3_multiply(const double a[9], const double b[9], double product[9]);
void arc_matrix3_multiply_transposed(const double a[9], const double b[9], double product[9]);
void arc_matrix3_apply(const double a[9], const double x[3], double product[3]);

double arc_matrix3_determinant(const double a[9]);

/* exp([vector]), and J(vector). */
void arc_rotation_matrix(const double vector_rad[3], double matrix[9]);
void arc_rotation_slope(const double vector_rad[3], double matrix[9]);

#endif
