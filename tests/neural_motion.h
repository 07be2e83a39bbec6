/* A neural ODE: a ball with drag and a net of one hidden layer that adds to its acceleration, all
 * of whose weights are parameters,
 *
 *   a = -k |v| v - g up y + W tanh(U z + b),   z = (x, v, t),   p = (k, U, b, W)
 */
#ifndef ARC_TESTS_NEURAL_MOTION_H
#define ARC_TESTS_NEURAL_MOTION_H

#include "sim/simulator.h"

#include <math.h>
#include <string.h>

enum { NEURAL_MAX_UNITS = 128 };

typedef struct NeuralMotion {
    int d, H;
} NeuralMotion;

static inline int neural_parameters(const NeuralMotion *net)
{
    return 1 + net->H * (2 * net->d + 2) + net->d * net->H;
}

/* By U and b of unit h (rows of I + 1), through the slope of the unit. */
static inline void neural_partials_hidden(const NeuralMotion *net, const double *z, const double *W,
                                          const double *slope, int e, double *a_p)
{
    int I = 2 * net->d + 1;
    for (int h = 0; h < net->H; h++) {
        double factor = W[e * net->H + h] * slope[h];
        for (int i = 0; i < I; i++)
            a_p[h * (I + 1) + i] = factor * z[i];
        a_p[h * (I + 1) + I] = factor;
    }
}

static inline void neural_acceleration(void *context, double t, const double *x, const double *v,
                                       const double *p, double *a, double *a_x, double *a_v,
                                       double *a_p)
{
    const NeuralMotion *net = context;
    int d = net->d, H = net->H, I = 2 * d + 1, P = neural_parameters(net);
    const double *U = p + 1, *W = U + H * (I + 1);
    double z[7], phi[NEURAL_MAX_UNITS], slope[NEURAL_MAX_UNITS], speed = 0;
    for (int e = 0; e < d; e++) {
        z[e] = x[e];
        z[d + e] = v[e];
        speed += v[e] * v[e];
    }
    z[2 * d] = t;
    speed = sqrt(speed);
    for (int h = 0; h < H; h++) {
        double sum = U[h * (I + 1) + I];
        for (int i = 0; i < I; i++)
            sum += U[h * (I + 1) + i] * z[i];
        phi[h] = tanh(sum);
        slope[h] = 1 - phi[h] * phi[h];
    }
    for (int e = 0; e < d; e++) {
        double slopes[7] = {0};
        a[e] = -p[0] * speed * v[e] - (e == 1 ? 9.80665 : 0);
        for (int h = 0; h < H; h++)
            a[e] += W[e * H + h] * phi[h];
        for (int h = 0; h < H && a_v != NULL; h++)
            for (int i = 0; i < I; i++)
                slopes[i] += W[e * H + h] * slope[h] * U[h * (I + 1) + i];
        for (int c = 0; c < d && a_v != NULL; c++) {
            a_x[e * d + c] = slopes[c];
            a_v[e * d + c] = slopes[d + c] - p[0] * (v[e] * v[c] / speed + (e == c ? speed : 0));
        }
        if (a_p == NULL)
            continue;
        double *row = a_p + e * P;
        row[0] = -speed * v[e];
        neural_partials_hidden(net, z, W, slope, e, row + 1);
        memset(row + P - d * H, 0, (size_t)(d * H) * sizeof(double));
        memcpy(row + P - d * H + e * H, phi, (size_t)H * sizeof(double));
    }
}

/* The motion, and weights that make it felt. */
static inline ArcMotion neural_motion(NeuralMotion *net, double *p)
{
    int I = 2 * net->d + 1, P = neural_parameters(net);
    p[0] = 0.06;
    for (int k = 1; k < P; k++)
        p[k] = sin(12.9898 * k + 78.233 * (k % 7));
    for (int h = 0; h < net->H; h++)
        for (int i = 0; i < I; i++)
            p[1 + h * (I + 1) + i] *= i < net->d ? 1 : 0.3;
    return (ArcMotion){.dimensions = net->d,
                       .n_parameters = P,
                       .context = net,
                       .acceleration = neural_acceleration,
                       .spares_a_p = true};
}

#endif
