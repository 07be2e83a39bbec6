/* The sets of kernels: what each vector unit brings, and which one this processor has.
 *
 * Vector functions come from SLEEF (Shibata and Petrogalli, IEEE Trans. Parallel Distrib. Syst. 31
 * (2020) 1316), in its variants that promise the same bits on every processor with FMA; those that
 * end in u10 err by at most 1 ulp. Elsewhere, and without SLEEF, libm serves one element at a time.
 */
#include "net/kernels.h"

#include <math.h>

#define INLINE static inline __attribute__((always_inline))

static const double ROOT_HALF = 0.70710678118654752440;
static const double ROOT_HALF_OVER_PI = 0.39894228040143267794; /* 1 / sqrt(2 pi) */

#define TARGET
#define Vector double
#define WIDTH 1
#define UNIT(name) scalar_##name

INLINE double scalar_load(size_t n, const double *from)
{
    (void)n;
    return *from;
}

INLINE void scalar_store(size_t n, double *to, double value)
{
    (void)n;
    *to = value;
}

INLINE double scalar_splat(double value)
{
    return value;
}

INLINE double scalar_absolute(double z)
{
    return fabs(z);
}

INLINE double scalar_larger(double a, double b)
{
    return a > b ? a : b;
}

INLINE double scalar_smaller(double a, double b)
{
    return a < b ? a : b;
}

INLINE double scalar_where_negative(double z, double a, double b)
{
    return z < 0.0 ? a : b;
}

INLINE double scalar_sincos(double z, double *cosine)
{
    *cosine = cos(z);
    return sin(z);
}

#define scalar_tanh tanh
#define scalar_exp exp
#define scalar_log1p log1p
#define scalar_erf erf

#include "net/kernels_unit.h"

#undef TARGET
#undef Vector
#undef WIDTH
#undef UNIT

#if defined(ARC_HAVE_SLEEF) && defined(__x86_64__)

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,fma")))
#define Vector __m256d
#define WIDTH 4
#define UNIT(name) avx2_##name

typedef struct Avx2Pair {
    Vector x, y;
} Avx2Pair;

/* Declared here, since sleef.h declares a variant only in files compiled wholly for its unit. */
TARGET Vector Sleef_finz_tanhd4_u35avx2(Vector);
TARGET Vector Sleef_finz_expd4_u10avx2(Vector);
TARGET Vector Sleef_finz_log1pd4_u10avx2(Vector);
TARGET Vector Sleef_finz_erfd4_u10avx2(Vector);
TARGET Avx2Pair Sleef_finz_sincosd4_u35avx2(Vector);

#define avx2_tanh Sleef_finz_tanhd4_u35avx2
#define avx2_exp Sleef_finz_expd4_u10avx2
#define avx2_log1p Sleef_finz_log1pd4_u10avx2
#define avx2_erf Sleef_finz_erfd4_u10avx2

TARGET INLINE __m256i avx2_mask(size_t n)
{
    static const long long bits[] = {-1, -1, -1, -1, 0, 0, 0, 0};
    return _mm256_loadu_si256((const __m256i *)(bits + WIDTH - n));
}

TARGET INLINE Vector avx2_load(size_t n, const double *from)
{
    return n == WIDTH ? _mm256_loadu_pd(from) : _mm256_maskload_pd(from, avx2_mask(n));
}

TARGET INLINE void avx2_store(size_t n, double *to, Vector value)
{
    if (n == WIDTH)
        _mm256_storeu_pd(to, value);
    else
        _mm256_maskstore_pd(to, avx2_mask(n), value);
}

TARGET INLINE Vector avx2_splat(double value)
{
    return _mm256_set1_pd(value);
}

TARGET INLINE Vector avx2_absolute(Vector z)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), z);
}

TARGET INLINE Vector avx2_larger(Vector a, Vector b)
{
    return _mm256_max_pd(a, b);
}

TARGET INLINE Vector avx2_smaller(Vector a, Vector b)
{
    return _mm256_min_pd(a, b);
}

TARGET INLINE Vector avx2_where_negative(Vector z, Vector a, Vector b)
{
    return _mm256_blendv_pd(b, a, _mm256_cmp_pd(z, _mm256_setzero_pd(), _CMP_LT_OQ));
}

TARGET INLINE Vector avx2_sincos(Vector z, Vector *cosine)
{
    Avx2Pair pair = Sleef_finz_sincosd4_u35avx2(z);
    *cosine = pair.y;
    return pair.x;
}

#include "net/kernels_unit.h"

#undef TARGET
#undef Vector
#undef WIDTH
#undef UNIT

#define TARGET __attribute__((target("avx512f")))
#define Vector __m512d
#define WIDTH 8
#define UNIT(name) avx512_##name

typedef struct Avx512Pair {
    Vector x, y;
} Avx512Pair;

TARGET Vector Sleef_finz_tanhd8_u35avx512f(Vector);
TARGET Vector Sleef_finz_expd8_u10avx512f(Vector);
TARGET Vector Sleef_finz_log1pd8_u10avx512f(Vector);
TARGET Vector Sleef_finz_erfd8_u10avx512f(Vector);
TARGET Avx512Pair Sleef_finz_sincosd8_u35avx512f(Vector);

#define avx512_tanh Sleef_finz_tanhd8_u35avx512f
#define avx512_exp Sleef_finz_expd8_u10avx512f
#define avx512_log1p Sleef_finz_log1pd8_u10avx512f
#define avx512_erf Sleef_finz_erfd8_u10avx512f

TARGET INLINE __mmask8 avx512_mask(size_t n)
{
    return (__mmask8)((1U << n) - 1U);
}

TARGET INLINE Vector avx512_load(size_t n, const double *from)
{
    return n == WIDTH ? _mm512_loadu_pd(from) : _mm512_maskz_loadu_pd(avx512_mask(n), from);
}

TARGET INLINE void avx512_store(size_t n, double *to, Vector value)
{
    if (n == WIDTH)
        _mm512_storeu_pd(to, value);
    else
        _mm512_mask_storeu_pd(to, avx512_mask(n), value);
}

TARGET INLINE Vector avx512_splat(double value)
{
    return _mm512_set1_pd(value);
}

TARGET INLINE Vector avx512_absolute(Vector z)
{
    return _mm512_abs_pd(z);
}

TARGET INLINE Vector avx512_larger(Vector a, Vector b)
{
    return _mm512_max_pd(a, b);
}

TARGET INLINE Vector avx512_smaller(Vector a, Vector b)
{
    return _mm512_min_pd(a, b);
}

TARGET INLINE Vector avx512_where_negative(Vector z, Vector a, Vector b)
{
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(z, _mm512_setzero_pd(), _CMP_LT_OQ), b, a);
}

TARGET INLINE Vector avx512_sincos(Vector z, Vector *cosine)
{
    Avx512Pair pair = Sleef_finz_sincosd8_u35avx512f(z);
    *cosine = pair.y;
    return pair.x;
}

#include "net/kernels_unit.h"

ArcVectorUnit arc_kernels_vector_unit(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return ARC_VECTOR_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return ARC_VECTOR_AVX2;
    return ARC_VECTOR_SCALAR;
}

#else

#define avx2_kernels scalar_kernels
#define avx512_kernels scalar_kernels

ArcVectorUnit arc_kernels_vector_unit(void)
{
    return ARC_VECTOR_SCALAR;
}

#endif

/* Each unit includes the ones before it. */
const ArcKernels *arc_kernels(ArcVectorUnit unit)
{
    static const ArcKernels *const sets[ARC_VECTOR_COUNT] = {&scalar_kernels, &avx2_kernels,
                                                             &avx512_kernels};
    return unit <= arc_kernels_vector_unit() ? sets[unit] : NULL;
}
