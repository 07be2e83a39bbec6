/* What the files of the vector units share. Each defines before it includes this
 *   Vector, WIDTH  the unit's type, and how many doubles it holds
 *   UNIT(name)     the name with the unit's before it
 *   KERNELS        the name of its set
 * and kernels_steps.h makes the kernels of it.
 */
#ifndef ARC_NET_KERNELS_UNIT_H
#define ARC_NET_KERNELS_UNIT_H

#include "net/kernels.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

/* A set for each unit; those of a processor's vectors where the build has them. */
extern const ArcKernels arc_kernels_scalar, arc_kernels_avx2, arc_kernels_avx512;

#endif
