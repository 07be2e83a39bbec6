/* The kernels one element at a time, by libm: for any processor. */
#define Vector double
#define WIDTH 1
#define UNIT(name) scalar_##name
#define KERNELS arc_kernels_scalar

#include "net/kernels_unit.h"

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

#include "net/kernels_steps.h"
