/* The table of activations and its kernels.
 *
 * tanh: s1 = 1 - s^2, s2 = -2 s s1, s3 = s1 (6 s^2 - 2).
 *
 * Vector kernels call SLEEF (Shibata and Petrogalli, IEEE Trans. Parallel Distrib. Syst. 31 (2020)
 * 1316), in its variants that promise the same bits on every processor with FMA and an error within
 * 3.5 ulp (1.6 were seen; the 1 ulp variant takes twice as long and the derivatives round as much).
 */
#include "net/activation.h"

#include <math.h>
#include <string.h>

static void tanh_scalar(size_t n, const double *z, double *s, double *s1, double *s2, double *s3)
{
    for (size_t i = 0; i < n; i++) {
        double y = tanh(z[i]);
        double slope = 1.0 - y * y;
        s[i] = y;
        s1[i] = slope;
        s2[i] = -2.0 * y * slope;
        s3[i] = slope * (6.0 * y * y - 2.0);
    }
}

#if defined(ARC_HAVE_SLEEF) && defined(__x86_64__)

#include <immintrin.h>

#define ARC_TARGET_AVX2 __attribute__((target("avx2,fma")))
#define ARC_TARGET_AVX512 __attribute__((target("avx512f")))

/* Declared here, since sleef.h declares a variant only in files compiled wholly for its unit. */
ARC_TARGET_AVX2 __m256d Sleef_finz_tanhd4_u35avx2(__m256d);
ARC_TARGET_AVX512 __m512d Sleef_finz_tanhd8_u35avx512f(__m512d);

/* A step takes one vector at offset i; a loop takes n elements, the tail padded with zeros. */
#define ARC_DEFINE_TANH(unit, target, Vector, width, load, store, splat, function)                 \
    target static inline void tanh_step_##unit(size_t i, const double *z, double *s, double *s1,   \
                                               double *s2, double *s3)                             \
    {                                                                                              \
        Vector y = function(load(z + i));                                                          \
        Vector slope = splat(1.0) - y * y;                                                         \
        store(s + i, y);                                                                           \
        store(s1 + i, slope);                                                                      \
        store(s2 + i, splat(-2.0) * y * slope);                                                    \
        store(s3 + i, slope * (splat(6.0) * y * y - splat(2.0)));                                  \
    }                                                                                              \
    target static void tanh_##unit(size_t n, const double *z, double *s, double *s1, double *s2,   \
                                   double *s3)                                                     \
    {                                                                                              \
        size_t whole = n - n % (width);                                                            \
        for (size_t i = 0; i < whole; i += (width))                                                \
            tanh_step_##unit(i, z, s, s1, s2, s3);                                                 \
        size_t tail = (n - whole) * sizeof(double);                                                \
        if (tail == 0)                                                                             \
            return;                                                                                \
        double padded[5][width] = {{0.0}};                                                         \
        memcpy(padded[0], z + whole, tail);                                                        \
        tanh_step_##unit(0, padded[0], padded[1], padded[2], padded[3], padded[4]);                \
        memcpy(s + whole, padded[1], tail);                                                        \
        memcpy(s1 + whole, padded[2], tail);                                                       \
        memcpy(s2 + whole, padded[3], tail);                                                       \
        memcpy(s3 + whole, padded[4], tail);                                                       \
    }

ARC_DEFINE_TANH(avx2, ARC_TARGET_AVX2, __m256d, 4, _mm256_loadu_pd, _mm256_storeu_pd,
                _mm256_set1_pd, Sleef_finz_tanhd4_u35avx2)
ARC_DEFINE_TANH(avx512, ARC_TARGET_AVX512, __m512d, 8, _mm512_loadu_pd, _mm512_storeu_pd,
                _mm512_set1_pd, Sleef_finz_tanhd8_u35avx512f)

static int has_unit(ArcVectorUnit unit)
{
    if (unit == ARC_VECTOR_AVX512)
        return __builtin_cpu_supports("avx512f");
    if (unit == ARC_VECTOR_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return unit == ARC_VECTOR_SCALAR;
}

#else

#define tanh_avx2 NULL
#define tanh_avx512 NULL

static int has_unit(ArcVectorUnit unit)
{
    return unit == ARC_VECTOR_SCALAR;
}

#endif

static const struct {
    const char *name;
    ArcActivationKernel kernels[ARC_VECTOR_COUNT];
} activation_table[] = {
    [ARC_ACTIVATION_TANH] = {"tanh", {tanh_scalar, tanh_avx2, tanh_avx512}},
};

enum { N_ACTIVATIONS = sizeof activation_table / sizeof activation_table[0] };

const char *arc_activation_name(int activation)
{
    return activation >= 0 && activation < N_ACTIVATIONS ? activation_table[activation].name : NULL;
}

ArcVectorUnit arc_activation_vector_unit(void)
{
    if (has_unit(ARC_VECTOR_AVX512))
        return ARC_VECTOR_AVX512;
    return has_unit(ARC_VECTOR_AVX2) ? ARC_VECTOR_AVX2 : ARC_VECTOR_SCALAR;
}

ArcActivationKernel arc_activation_kernel(ArcActivation activation, ArcVectorUnit unit)
{
    return has_unit(unit) ? activation_table[activation].kernels[unit] : NULL;
}
