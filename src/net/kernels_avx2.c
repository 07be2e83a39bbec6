/* The kernels for AVX2 with FMA. Compiled with the unit's flags: they also settle how vectors are
 * passed to functions, so a target attribute would not do. */
#include <immintrin.h>
#include <sleef.h>

#define Vector __m256d
#define WIDTH 4
#define UNIT(name) avx2_##name
#define KERNELS arc_kernels_avx2

#include "net/kernels_unit.h"

#define avx2_tanh Sleef_finz_tanhd4_u35avx2
#define avx2_exp Sleef_finz_expd4_u10avx2
#define avx2_log1p Sleef_finz_log1pd4_u10avx2
#define avx2_erf Sleef_finz_erfd4_u10avx2

INLINE __m256i avx2_mask(size_t n)
{
    static const long long bits[] = {-1, -1, -1, -1, 0, 0, 0, 0};
    return _mm256_loadu_si256((const __m256i *)(bits + WIDTH - n));
}

INLINE Vector avx2_load(size_t n, const double *from)
{
    return n == WIDTH ? _mm256_loadu_pd(from) : _mm256_maskload_pd(from, avx2_mask(n));
}

INLINE void avx2_store(size_t n, double *to, Vector value)
{
    if (n == WIDTH)
        _mm256_storeu_pd(to, value);
    else
        _mm256_maskstore_pd(to, avx2_mask(n), value);
}

INLINE Vector avx2_splat(double value)
{
    return _mm256_set1_pd(value);
}

INLINE Vector avx2_absolute(Vector z)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), z);
}

INLINE Vector avx2_larger(Vector a, Vector b)
{
    return _mm256_max_pd(a, b);
}

INLINE Vector avx2_smaller(Vector a, Vector b)
{
    return _mm256_min_pd(a, b);
}

INLINE Vector avx2_where_negative(Vector z, Vector a, Vector b)
{
    return _mm256_blendv_pd(b, a, _mm256_cmp_pd(z, _mm256_setzero_pd(), _CMP_LT_OQ));
}

INLINE Vector avx2_sincos(Vector z, Vector *cosine)
{
    Sleef___m256d_2 pair = Sleef_finz_sincosd4_u35avx2(z);
    *cosine = pair.y;
    return pair.x;
}

#include "net/kernels_steps.h"
