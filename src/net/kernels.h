/* The elementwise kernels of a layer: all that is not a matrix product.
 *
 * There is one set a vector unit. The vector sets give every element the same bits wherever it
 * stands in its row, and AVX2 and AVX-512 agree to the bit with each other; they differ from the
 * scalar set in rounding only.
 *
 * Activations sigma and their derivatives s1, s2, s3, with p = 1 / (1 + exp(-z)), q = p (1 - p),
 * P the normal distribution and f its density:
 *   tanh      s1 = 1 - s^2      s2 = -2 s s1               s3 = s1 (6 s^2 - 2)
 *   sin       s1 = cos z        s2 = -s                    s3 = -s1
 *   silu z p  s1 = p + z q      s2 = 2 q + z q (1 - 2 p)   s3 = 3 q (1 - 2 p) + z q (1 - 6 q)
 *   softplus  s1 = p            s2 = q                     s3 = q (1 - 2 p)      s = log(1 + exp z)
 *   gelu z P  s1 = P + z f      s2 = f (2 - z^2)           s3 = z f (z^2 - 4)
 * gelu is the exact one, by erf (Hendrycks and Gimpel, arXiv:1606.08415), not its tanh form; silu
 * is Elfwing et al., Neural Networks 107 (2018) 3.
 */
#ifndef ARC_NET_KERNELS_H
#define ARC_NET_KERNELS_H

#include "arcfit/net.h"

#include <stddef.h>

typedef enum ArcVectorUnit {
    ARC_VECTOR_SCALAR,
    ARC_VECTOR_AVX2, /* with FMA */
    ARC_VECTOR_AVX512,
    ARC_VECTOR_COUNT
} ArcVectorUnit;

typedef struct ArcKernels {
    /* One pass over `rows` points of a layer of width H, in place from the products z, z', z'' to
     * the outputs; y and partials hold three jets, (rows, H) each, `jet` doubles apart:
     *   z += b     y = s(z)     y' = s1 z'     y'' = s1 z'' + s2 z'^2     [each + skip's]
     *   partials = s1,  s2 z',  s2 z'' + s3 z'^2
     * b (H); skip as y, or NULL. No array overlaps another. NaN in, NaN out; an infinite z comes
     * out as the limits or as NaN. */
    void (*activate[ARC_ACTIVATION_COUNT])(size_t rows, size_t H, size_t jet, const double *b,
                                           const double *skip, double *y, double *partials);

    /* The chain rule in reverse: cotangents Y of y to Z of z; partials, Y and Z three jets of n:
     *   Z'' = s1 Y''     Z' = s1 Y' + 2 (s2 z') Y''
     *   Z = s1 Y + (s2 z') Y' + (s2 z'' + s3 z'^2) Y'' */
    void (*reverse)(size_t n, const double *partials, const double *Y, double *Z);

    /* sum (H) of the rows of Z (rows, H), row after row. */
    void (*sum_rows)(size_t rows, size_t H, const double *Z, double *sum);

    /* Column k of out, k < n, is Z y + Z' y' + Z'' y'' with the k-th y: Z (3, M), y (n, 3, M),
     * out column-major (M, n) with leading dimension ld. */
    void (*jacobian_columns)(size_t M, size_t n, const double *Z, const double *y, double *out,
                             size_t ld);
} ArcKernels;

/* The widest unit that this processor and this build have. */
ArcVectorUnit arc_kernels_vector_unit(void);

/* NULL where the processor or the build lacks the unit; the scalar set is always there. */
const ArcKernels *arc_kernels(ArcVectorUnit unit);

#endif
