/* For authors of own equations: all that a model's C file includes.
 *
 *   #include <arcfit/model.h>
 *   static const ArcModelQuantity states[] = {{"x", "m", "what it is", 1, -10, 10}};
 *   static const ArcModelQuantity parameters[] = {{"rate", "1/s", "of decay", 0.5, 0, 5}};
 *   static void rates(real t, const real *x, const real *v, const real *p, real *f)
 *   {
 *       f[0] = -p[0] * x[0];
 *   }
 *   ARC_MODEL("decay", "exponential decay", 1, states, parameters, rates, NULL)
 *
 * First order:  f = x', v is NULL.   Second order: f = x'' of the coordinates x with v = x'.
 * t is the time since the start (s); all in SI. Every f[e] must be set, and rates must give the
 * same for the same arguments, whatever was called before: no static variables, no files, no exit.
 *
 * Every number that depends on x, v or p is `real`, never `double`: the file is compiled a second
 * time with numbers that carry their derivative. + - * / and the functions listed below, those of
 * <math.h> and two smooth ones, take both. To compare, use value(x): `if (value(x[0]) > 0)`. Rates
 * should be smooth: steps of the integrator are short, and partials of no use, where they jump.
 *
 * A derivative is carried as the imaginary part of a complex number, 2^-664 (1e-200) times its
 * size. The product of two of them is below all that a double holds, zero, so that the rules of
 * complex numbers are those of derivatives, and real parts are what they are without (Squire and
 * Trapp, SIAM Rev. 40 (1998) 110). Where there is no derivative (|x|, sqrt(x), hypot at 0) zero is
 * taken.
 */
#ifndef ARCFIT_MODEL_H
#define ARCFIT_MODEL_H

#include <math.h>
#include <stddef.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* A state or a parameter. unit is SI text ("m", "rad/s", "N m", "1"); low and high: the range that
 * makes sense. Behind them, of coordinates of second order, the same of the velocity; where they
 * are left out: 0, and the coordinate's range a second either way. */
typedef struct ArcModelQuantity {
    const char *name, *unit, *doc;
    double value, low, high;
    double velocity, velocity_low, velocity_high;
} ArcModelQuantity;

#ifdef ARC_MODEL_PARTIALS
typedef double _Complex real;
#define ARC_VALUE(x) __real__(x)
/* y with y' = slope x' */
#define ARC_CHAIN(x, y, slope) __builtin_complex((double)(y), (double)(slope) * __imag__(x))
#define ARC_CHAIN2(x, z, y, by_x, by_z)                                                            \
    __builtin_complex((double)(y), (double)(by_x) * __imag__(x) + (double)(by_z) * __imag__(z))
#else
typedef double real;
#define ARC_VALUE(x) (x)
#define ARC_CHAIN(x, y, slope) ((void)(slope), (y))
#define ARC_CHAIN2(x, z, y, by_x, by_z) ((void)(by_x), (void)(by_z), (y))
#endif

static inline double value(real x)
{
    return ARC_VALUE(x);
}

/* A smooth step from 0 to 1, and a smooth max(x, 0), whose derivative it is. */
static inline double logistic(double a)
{
    return 1 / (1 + (exp)(-a));
}

static inline double softplus(double a)
{
    return (a > 0 ? a : 0) + (log1p)((exp)(-(fabs)(a)));
}

/* Each function with its derivative by a, where y is its value. */
#define ARC_FUNCTIONS(X)                                                                           \
    X(exp, y)                                                                                      \
    X(expm1, y + 1)                                                                                \
    X(log, 1 / a)                                                                                  \
    X(log1p, 1 / (1 + a))                                                                          \
    X(sqrt, a > 0 ? 0.5 / y : 0)                                                                   \
    X(sin, (cos)(a))                                                                               \
    X(cos, -(sin)(a))                                                                              \
    X(tan, 1 + y * y)                                                                              \
    X(asin, 1 / (sqrt)(1 - a * a))                                                                 \
    X(acos, -1 / (sqrt)(1 - a * a))                                                                \
    X(atan, 1 / (1 + a * a))                                                                       \
    X(sinh, (cosh)(a))                                                                             \
    X(cosh, (sinh)(a))                                                                             \
    X(tanh, (1 - y) * (1 + y))                                                                     \
    X(erf, 1.1283791670955126 * (exp)(-a * a))                                                     \
    X(logistic, y *(1 - y))                                                                        \
    X(softplus, (logistic)(a))                                                                     \
    X(fabs, a > 0 ? 1 : a < 0 ? -1 : 0)
#define ARC_X(name, slope)                                                                         \
    static inline real real_##name(real x)                                                         \
    {                                                                                              \
        const double a = ARC_VALUE(x), y = (name)(a);                                              \
        return ARC_CHAIN(x, y, slope);                                                             \
    }
ARC_FUNCTIONS(ARC_X)
#undef ARC_X

/* x to the power z; a variable z takes an x above zero. */
static inline real real_pow(real x, real z)
{
    const double a = ARC_VALUE(x), b = ARC_VALUE(z), y = (pow)(a, b);
    return ARC_CHAIN2(x, z, y, b == 0 ? 0 : b * (pow)(a, b - 1), a > 0 ? y * (log)(a) : 0);
}

static inline real real_hypot(real x, real z)
{
    const double a = ARC_VALUE(x), b = ARC_VALUE(z), y = (sqrt)(a * a + b * b);
    return ARC_CHAIN2(x, z, y, y > 0 ? a / y : 0, y > 0 ? b / y : 0);
}

/* The angle of (x, y). */
static inline real real_atan2(real y, real x)
{
    const double a = ARC_VALUE(y), b = ARC_VALUE(x), r2 = a * a + b * b;
    return ARC_CHAIN2(y, x, (atan2)(a, b), r2 > 0 ? b / r2 : 0, r2 > 0 ? -a / r2 : 0);
}

static inline real real_fmax(real x, real z)
{
    return ARC_VALUE(x) < ARC_VALUE(z) ? z : x;
}

static inline real real_fmin(real x, real z)
{
    return ARC_VALUE(x) > ARC_VALUE(z) ? z : x;
}

/* So that a model writes sin(x) as ever. */
#define exp(x) real_exp(x)
#define expm1(x) real_expm1(x)
#define log(x) real_log(x)
#define log1p(x) real_log1p(x)
#define sqrt(x) real_sqrt(x)
#define sin(x) real_sin(x)
#define cos(x) real_cos(x)
#define tan(x) real_tan(x)
#define asin(x) real_asin(x)
#define acos(x) real_acos(x)
#define atan(x) real_atan(x)
#define sinh(x) real_sinh(x)
#define cosh(x) real_cosh(x)
#define tanh(x) real_tanh(x)
#define erf(x) real_erf(x)
#define fabs(x) real_fabs(x)
#define logistic(x) real_logistic(x)
#define softplus(x) real_softplus(x)
#define pow(x, z) real_pow(x, z)
#define hypot(x, z) real_hypot(x, z)
#define atan2(y, x) real_atan2(y, x)
#define fmax(x, z) real_fmax(x, z)
#define fmin(x, z) real_fmin(x, z)

typedef void (*ArcModelRates)(real t, const real *x, const real *v, const real *p, real *f);
typedef void (*ArcModelPartials)(double t, const double *x, const double *v, const double *p,
                                 double *f_x, double *f_v, double *f_p);

/* What ARC_MODEL fills. */
typedef struct ArcModel {
    const char *name, *doc;
    int order, n_states, n_parameters;
    const ArcModelQuantity *states, *parameters;
    ArcModelRates rates;
    ArcModelPartials partials; /* NULL: none of its own */
} ArcModel;
extern const ArcModel arc_model;

/* Names the model: its name, a line on it, its order (1 or 2), the arrays of its states and
 * parameters, its rates, and hand-written partials or NULL:
 *   static void partials(double t, const double *x, const double *v, const double *p,
 *                        double *f_x, double *f_v, double *f_p)
 * f_x[e * D + c] = d f_e / d x_c, f_v likewise (first order: NULL), f_p[e * P + k] = d f_e / d p_k,
 * of D states and P parameters. */
#define ARC_MODEL(name, doc, order, states, parameters, rates, partials)                           \
    enum {                                                                                         \
        arc_order = (order),                                                                       \
        arc_D = (int)(sizeof(states) / sizeof(ArcModelQuantity)),                                  \
        arc_P = (int)(sizeof(parameters) / sizeof(ArcModelQuantity))                               \
    };                                                                                             \
    static inline void arc_rates(real t, const real *x, const real *v, const real *p, real *f)     \
    {                                                                                              \
        rates(t, x, v, p, f);                                                                      \
    }                                                                                              \
    const ArcModel arc_model = {name,   doc,        arc_order, arc_D,   arc_P,                     \
                                states, parameters, rates,     partials};

#endif
