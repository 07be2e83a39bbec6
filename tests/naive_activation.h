/* The activations from other formulas than the kernels', in long double. */
#ifndef NAIVE_ACTIVATION_H
#define NAIVE_ACTIVATION_H

#include "arcfit/net.h"

#include <math.h>

/* d[0..3]: sigma and its derivatives at z. */
typedef struct NaiveActivation {
    long double d[4];
} NaiveActivation;

/* 1 / (1 + exp(-z)) and its derivatives, by tanh and sech of z / 2. */
static inline NaiveActivation naive_logistic(long double z)
{
    long double t = tanhl(z / 2), h = 1 / (coshl(z / 2) * coshl(z / 2));
    return (NaiveActivation){{1 / (1 + expl(-z)), h / 4, -h * t / 4, (2 * h * t * t - h * h) / 8}};
}

static inline NaiveActivation naive_activation(ArcActivation activation, long double z)
{
    NaiveActivation p = naive_logistic(z);
    long double s = tanhl(z), c = 1 / (coshl(z) * coshl(z));
    long double share = erfcl(-z / sqrtl(2)) / 2, density = expl(-z * z / 2) / sqrtl(2 * acosl(-1));
    switch (activation) {
    case ARC_ACTIVATION_SIN:
        return (NaiveActivation){{sinl(z), cosl(z), -sinl(z), -cosl(z)}};
    case ARC_ACTIVATION_SILU:
        return (NaiveActivation){
            {z * p.d[0], p.d[0] + z * p.d[1], 2 * p.d[1] + z * p.d[2], 3 * p.d[2] + z * p.d[3]}};
    case ARC_ACTIVATION_SOFTPLUS:
        return (NaiveActivation){
            {z > 0 ? z + log1pl(expl(-z)) : log1pl(expl(z)), p.d[0], p.d[1], p.d[2]}};
    case ARC_ACTIVATION_GELU:
        return (NaiveActivation){{z * share, share + z * density, 2 * density - z * z * density,
                                  z * z * z * density - 4 * z * density}};
    case ARC_ACTIVATION_TANH:
    case ARC_ACTIVATION_COUNT:
        break;
    }
    return (NaiveActivation){{s, c, -2 * s * c, c * (4 * s * s - 2 * c)}};
}

#endif
