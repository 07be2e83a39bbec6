/* The kernels of one vector unit (equations in kernels.h), in terms of kernels_unit.h and of these
 * functions of Vector, which the file that includes this defines: load, store (of the first
 * n <= WIDTH elements, zero behind them), splat, absolute, larger, smaller (the second where either
 * is NaN), where_negative(z, a, b) (a where z < 0, else b), tanh, exp, log1p, erf, sincos.
 */
#ifndef ARC_NET_KERNELS_STEPS_H
#define ARC_NET_KERNELS_STEPS_H

#include "net/kernels_unit.h"

static const double ROOT_HALF = 0.70710678118654752440;
static const double ROOT_HALF_OVER_PI = 0.39894228040143267794; /* 1 / sqrt(2 pi) */

typedef struct UNIT(Jets) {
    Vector s, s1, s2, s3;
} UNIT(Jets);

INLINE UNIT(Jets) UNIT(jets_tanh)(Vector z)
{
    Vector s = UNIT(tanh)(z), s1 = UNIT(splat)(1.0) - s * s;
    return (UNIT(Jets)){s, s1, UNIT(splat)(-2.0) * s * s1,
                        s1 * (UNIT(splat)(6.0) * s * s - UNIT(splat)(2.0))};
}

INLINE UNIT(Jets) UNIT(jets_sin)(Vector z)
{
    Vector cosine, sine = UNIT(sincos)(z, &cosine);
    return (UNIT(Jets)){sine, cosine, -sine, -cosine};
}

/* p, q and 1 - 2 p from e = exp(-|z|), so that none loses its digits to a difference. */
typedef struct UNIT(Logistic) {
    Vector e, p, q, slope;
} UNIT(Logistic);

INLINE UNIT(Logistic) UNIT(logistic)(Vector z)
{
    Vector one = UNIT(splat)(1.0);
    Vector e = UNIT(exp)(-UNIT(absolute)(z)), larger = one / (one + e), smaller = e * larger;
    Vector difference = (one - e) * larger;
    return (UNIT(Logistic)){e, UNIT(where_negative)(z, smaller, larger), smaller * larger,
                            UNIT(where_negative)(z, difference, -difference)};
}

INLINE UNIT(Jets) UNIT(jets_silu)(Vector z)
{
    UNIT(Logistic) f = UNIT(logistic)(z);
    Vector bent = f.q * f.slope;
    return (UNIT(Jets)){z * f.p, f.p + z * f.q, UNIT(splat)(2.0) * f.q + z * bent,
                        UNIT(splat)(3.0) * bent +
                            z * (f.q * (UNIT(splat)(1.0) - UNIT(splat)(6.0) * f.q))};
}

INLINE UNIT(Jets) UNIT(jets_softplus)(Vector z)
{
    UNIT(Logistic) f = UNIT(logistic)(z);
    Vector positive = UNIT(larger)(z, UNIT(splat)(0.0));
    return (UNIT(Jets)){positive + UNIT(log1p)(f.e), f.p, f.q, f.q * f.slope};
}

INLINE UNIT(Jets) UNIT(jets_gelu)(Vector z)
{
    Vector half = UNIT(splat)(0.5);
    /* Beyond 1500 the density is zero; an infinite square would make it NaN. */
    Vector square = UNIT(smaller)(UNIT(splat)(1500.0), z * z);
    Vector share = half + half * UNIT(erf)(z * UNIT(splat)(ROOT_HALF));
    Vector density = UNIT(splat)(ROOT_HALF_OVER_PI) * UNIT(exp)(-half * square);
    return (UNIT(Jets)){z * share, share + z * density, density * (UNIT(splat)(2.0) - square),
                        z * (density * (square - UNIT(splat)(4.0)))};
}

/* The case is known when this is compiled into its caller. */
INLINE UNIT(Jets) UNIT(jets)(ArcActivation activation, Vector z)
{
    switch (activation) {
    case ARC_ACTIVATION_SIN:
        return UNIT(jets_sin)(z);
    case ARC_ACTIVATION_SILU:
        return UNIT(jets_silu)(z);
    case ARC_ACTIVATION_SOFTPLUS:
        return UNIT(jets_softplus)(z);
    case ARC_ACTIVATION_GELU:
        return UNIT(jets_gelu)(z);
    case ARC_ACTIVATION_TANH:
    case ARC_ACTIVATION_COUNT:
        break;
    }
    return UNIT(jets_tanh)(z);
}

/* n elements of a row. */
INLINE void UNIT(step)(ArcActivation activation, size_t n, size_t jet, const double *b,
                       const double *skip, double *y, double *partials)
{
    Vector z1 = UNIT(load)(n, y + jet), z2 = UNIT(load)(n, y + 2 * jet);
    UNIT(Jets) f = UNIT(jets)(activation, UNIT(load)(n, y) + UNIT(load)(n, b));
    Vector bend = f.s2 * z1;
    Vector y0 = f.s, y1 = f.s1 * z1, y2 = f.s1 * z2 + bend * z1;
    if (skip != NULL) {
        y0 += UNIT(load)(n, skip);
        y1 += UNIT(load)(n, skip + jet);
        y2 += UNIT(load)(n, skip + 2 * jet);
    }
    UNIT(store)(n, y, y0);
    UNIT(store)(n, y + jet, y1);
    UNIT(store)(n, y + 2 * jet, y2);
    UNIT(store)(n, partials, f.s1);
    UNIT(store)(n, partials + jet, bend);
    UNIT(store)(n, partials + 2 * jet, f.s2 * z2 + f.s3 * (z1 * z1));
}

INLINE void UNIT(activate)(ArcActivation activation, size_t rows, size_t H, size_t jet,
                           const double *b, const double *skip, double *y, double *partials)
{
    size_t tail = H % WIDTH, whole = H - tail;
    for (size_t i = 0; i < rows; i++) {
        size_t at = i * H;
        for (size_t j = 0; j < whole; j += WIDTH)
            UNIT(step)
        (activation, WIDTH, jet, b + j, skip == NULL ? NULL : skip + at + j, y + at + j,
         partials + at + j);
        if (tail > 0)
            UNIT(step)
        (activation, tail, jet, b + whole, skip == NULL ? NULL : skip + at + whole, y + at + whole,
         partials + at + whole);
    }
}

#define DEFINE_ACTIVATE(enumerator, word)                                                          \
    static void UNIT(activate_##word)(size_t rows, size_t H, size_t jet, const double *b,          \
                                      const double *skip, double *y, double *partials)             \
    {                                                                                              \
        UNIT(activate)(enumerator, rows, H, jet, b, skip, y, partials);                            \
    }
ARC_ACTIVATION_LIST(DEFINE_ACTIVATE)
#undef DEFINE_ACTIVATE

INLINE void UNIT(reverse_step)(size_t n, size_t jet, const double *partials, const double *Y,
                               double *Z)
{
    Vector s1 = UNIT(load)(n, partials), bend = UNIT(load)(n, partials + jet);
    Vector Y0 = UNIT(load)(n, Y), Y1 = UNIT(load)(n, Y + jet), Y2 = UNIT(load)(n, Y + 2 * jet);
    Vector curl = UNIT(load)(n, partials + 2 * jet);
    UNIT(store)(n, Z, s1 * Y0 + bend * Y1 + curl * Y2);
    UNIT(store)(n, Z + jet, s1 * Y1 + UNIT(splat)(2.0) * bend * Y2);
    UNIT(store)(n, Z + 2 * jet, s1 * Y2);
}

static void UNIT(reverse)(size_t n, const double *partials, const double *Y, double *Z)
{
    size_t tail = n % WIDTH, whole = n - tail;
    for (size_t k = 0; k < whole; k += WIDTH)
        UNIT(reverse_step)(WIDTH, n, partials + k, Y + k, Z + k);
    if (tail > 0)
        UNIT(reverse_step)(tail, n, partials + whole, Y + whole, Z + whole);
}

static void UNIT(sum_rows)(size_t rows, size_t H, const double *Z, double *sum)
{
    size_t whole = H - H % WIDTH;
    for (size_t j = 0; j < H; j += WIDTH) {
        size_t n = j < whole ? WIDTH : H - whole;
        Vector total = UNIT(splat)(0.0);
        for (size_t i = 0; i < rows; i++)
            total += UNIT(load)(n, Z + i * H + j);
        UNIT(store)(n, sum + j, total);
    }
}

/* `width` columns at a time, so that Z is loaded once for all of them. */
INLINE void UNIT(column_step)(size_t n, int width, size_t M, const double *Z, const double *y,
                              double *out, size_t ld)
{
    Vector Z0 = UNIT(load)(n, Z), Z1 = UNIT(load)(n, Z + M), Z2 = UNIT(load)(n, Z + 2 * M);
    for (int k = 0; k < width; k++, y += 3 * M, out += ld) {
        Vector sum = Z0 * UNIT(load)(n, y) + Z1 * UNIT(load)(n, y + M);
        UNIT(store)(n, out, sum + Z2 * UNIT(load)(n, y + 2 * M));
    }
}

INLINE void UNIT(columns)(int width, size_t M, const double *Z, const double *y, double *out,
                          size_t ld)
{
    size_t tail = M % WIDTH, whole = M - tail;
    for (size_t i = 0; i < whole; i += WIDTH)
        UNIT(column_step)(WIDTH, width, M, Z + i, y + i, out + i, ld);
    if (tail > 0)
        UNIT(column_step)(tail, width, M, Z + whole, y + whole, out + whole, ld);
}

static void UNIT(jacobian_columns)(size_t M, size_t n, const double *Z, const double *y,
                                   double *out, size_t ld)
{
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        UNIT(columns)(4, M, Z, y + 3 * M * k, out + k * ld, ld);
    for (; k < n; k++)
        UNIT(columns)(1, M, Z, y + 3 * M * k, out + k * ld, ld);
}

const ArcKernels KERNELS = {
#define ARC_X(enumerator, word) .activate[enumerator] = UNIT(activate_##word),
    ARC_ACTIVATION_LIST(ARC_X)
#undef ARC_X
        .reverse = UNIT(reverse),
    .sum_rows = UNIT(sum_rows),
    .jacobian_columns = UNIT(jacobian_columns),
};

#endif
