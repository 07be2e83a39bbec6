/* Activation functions: sigma and its first three derivatives over a vector, in one pass.
 *
 * One row of the table per activation; a row names a kernel for each vector unit. The vector
 * kernels give every element the same bits wherever it stands in the vector (the tail goes, padded,
 * through the same function), and AVX2 and AVX-512 agree to the bit with each other. They differ
 * from the scalar kernel in rounding only.
 */
#ifndef ARC_NET_ACTIVATION_H
#define ARC_NET_ACTIVATION_H

#include "arcfit/net.h"

#include <stddef.h>

typedef enum ArcVectorUnit {
    ARC_VECTOR_SCALAR,
    ARC_VECTOR_AVX2, /* with FMA */
    ARC_VECTOR_AVX512,
    ARC_VECTOR_COUNT
} ArcVectorUnit;

/* z (n) -> s = sigma(z), s1, s2, s3 its derivatives, (n) each. No output overlaps another array.
 * NaN in, NaN out. */
typedef void (*ArcActivationKernel)(size_t n, const double *z, double *s, double *s1, double *s2,
                                    double *s3);

/* The widest unit that this processor and this build have. */
ArcVectorUnit arc_activation_vector_unit(void);

/* NULL where the processor or the build lacks the unit; the scalar kernel is always there. */
ArcActivationKernel arc_activation_kernel(ArcActivation activation, ArcVectorUnit unit);

#endif
