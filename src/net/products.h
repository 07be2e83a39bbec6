/* The matrix products of a layer, each in blocks of rows.
 *
 * OpenBLAS has kernels for small products (up to a million multiplications on AVX-512), which skip
 * the copies that its large ones make first. A layer of 64 runs a quarter faster in blocks that
 * stay below that limit; where a layer is too wide for blocks of a useful height, and with another
 * BLAS, a block more or less costs a per cent. All matrices are row-major and without gaps.
 */
#ifndef ARC_NET_PRODUCTS_H
#define ARC_NET_PRODUCTS_H

#include <stddef.h>

/* Room in `transposed` for arc_product_forward, in doubles. */
size_t arc_product_n_transposed(int fan_in, int fan_out);

/* out (rows, fan_out) = in (rows, fan_in) W', W (fan_out, fan_in). */
void arc_product_forward(int rows, int fan_in, int fan_out, const double *in, const double *W,
                         double *transposed, double *out);

/* out (rows, fan_in) = beta out + Z (rows, fan_out) W. */
void arc_product_backward(int rows, int fan_in, int fan_out, const double *Z, const double *W,
                          double beta, double *out);

/* gradient (fan_out, fan_in) = Z' y, Z (rows, fan_out), y (rows, fan_in). */
void arc_product_gradient(int rows, int fan_in, int fan_out, const double *Z, const double *y,
                          double *gradient);

#endif
