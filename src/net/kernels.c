/* The sets of kernels: what each vector unit brings, and which one this processor has.
 *
 * Vector functions come from SLEEF (Shibata and Petrogalli, IEEE Trans. Parallel Distrib. Syst. 31
 * (2020) 1316), in its variants that promise the same bits on every processor with FMA. exp, log1p
 * and erf err by 1 ulp at most. tanh and sincos are the variants within 3.5 ulp, of which 2.8 and
 * 1.3 were seen: those within 1 ulp take twice as long for tanh, and a step of four layers of 64 a
 * tenth, while the derivatives round as much either way. Elsewhere, and without SLEEF, libm serves
 * one element at a time.
 */
#include "net/kernels.h"

#include "net/kernels_unit.h"

#ifdef ARC_HAVE_VECTORS

ArcVectorUnit arc_kernels_vector_unit(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return ARC_VECTOR_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return ARC_VECTOR_AVX2;
    return ARC_VECTOR_SCALAR;
}

#else

ArcVectorUnit arc_kernels_vector_unit(void)
{
    return ARC_VECTOR_SCALAR;
}

#endif

/* Each unit includes the ones before it. */
const ArcKernels *arc_kernels(ArcVectorUnit unit)
{
    static const ArcKernels *const sets[ARC_VECTOR_COUNT] = {
        &arc_kernels_scalar,
#ifdef ARC_HAVE_VECTORS
        &arc_kernels_avx2,
        &arc_kernels_avx512,
#endif
    };
    return unit <= arc_kernels_vector_unit() ? sets[unit] : NULL;
}
