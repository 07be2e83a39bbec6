/* The kernels for AVX-512. Compiled with the unit's flags: they also settle how vectors are passed
 * to functions, so a target attribute would not do. */
#include <immintrin.h>
#include <sleef.h>

#define Vector __m512d
#define WIDTH 8
#define UNIT(name) avx512_##name
#define KERNELS arc_kernels_avx512

#include "net/kernels_unit.h"

#define avx512_tanh Sleef_finz_tanhd8_u35avx512f
#define avx512_exp Sleef_finz_expd8_u10avx512f
#define avx512_log1p Sleef_finz_log1pd8_u10avx512f
#define avx512_erf Sleef_finz_erfd8_u10avx512f

INLINE __mmask8 avx512_mask(size_t n)
{
    return (__mmask8)((1U << n) - 1U);
}

INLINE Vector avx512_load(size_t n, const double *from)
{
    return n == WIDTH ? _mm512_loadu_pd(from) : _mm512_maskz_loadu_pd(avx512_mask(n), from);
}

INLINE void avx512_store(size_t n, double *to, Vector value)
{
    if (n == WIDTH)
        _mm512_storeu_pd(to, value);
    else
        _mm512_mask_storeu_pd(to, avx512_mask(n), value);
}

INLINE Vector avx512_splat(double value)
{
    return _mm512_set1_pd(value);
}

INLINE Vector avx512_absolute(Vector z)
{
    return _mm512_abs_pd(z);
}

INLINE Vector avx512_larger(Vector a, Vector b)
{
    return _mm512_max_pd(a, b);
}

INLINE Vector avx512_smaller(Vector a, Vector b)
{
    return _mm512_min_pd(a, b);
}

INLINE Vector avx512_where_negative(Vector z, Vector a, Vector b)
{
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(z, _mm512_setzero_pd(), _CMP_LT_OQ), b, a);
}

INLINE Vector avx512_sincos(Vector z, Vector *cosine)
{
    Sleef___m512d_2 pair = Sleef_finz_sincosd8_u35avx512f(z);
    *cosine = pair.y;
    return pair.x;
}

#include "net/kernels_steps.h"
