/* The perceptron's jets one point at a time, by plain loops, with the tangent along one weight
 * carried forward: shares neither layout, nor algebra, nor tanh with the kernels under test. */
#ifndef NAIVE_NET_H
#define NAIVE_NET_H

#include "arcfit/net.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { NAIVE_MAX_WIDTH = 64 };

/* d[0..2]: value, first and second derivative with respect to tau; t[0..2]: how they change. */
typedef struct NaiveJet {
    double d[3];
    double t[3];
} NaiveJet;

/* tanh of a jet with its tangent. */
static inline NaiveJet naive_tanh(NaiveJet z)
{
    double s = tanh(z.d[0]), c = 1.0 / cosh(z.d[0]);
    double s1 = c * c, s2 = -2.0 * s * s1, s3 = s1 * (4.0 * s * s - 2.0 * s1);
    NaiveJet y;
    y.d[0] = s;
    y.d[1] = s1 * z.d[1];
    y.d[2] = s1 * z.d[2] + s2 * z.d[1] * z.d[1];
    y.t[0] = s1 * z.t[0];
    y.t[1] = s1 * z.t[1] + s2 * z.t[0] * z.d[1];
    y.t[2] = s1 * z.t[2] + s2 * z.t[0] * z.d[2] + 2.0 * s2 * z.d[1] * z.t[1] +
             s3 * z.t[0] * z.d[1] * z.d[1];
    return y;
}

/* Output jets at tau and their derivative with respect to weight number `along`
 * (n_weights or more: none). */
static inline void naive_net_jets(const ArcNetSettings *settings, int n_outputs,
                                  const double *weights, size_t along, double tau,
                                  NaiveJet *outputs)
{
    NaiveJet in[NAIVE_MAX_WIDTH], out[NAIVE_MAX_WIDTH];
    in[0] = (NaiveJet){.d = {tau, 1.0, 0.0}};
    int fan_in = 1;
    size_t first = 0;
    for (int l = 0; l <= settings->n_hidden; l++) {
        int fan_out = l < settings->n_hidden ? settings->widths[l] : n_outputs;
        size_t first_bias = first + (size_t)fan_in * (size_t)fan_out;
        for (int a = 0; a < fan_out; a++) {
            size_t bias = first_bias + (size_t)a;
            NaiveJet z = {.d = {weights[bias]}, .t = {along == bias ? 1.0 : 0.0}};
            for (int b = 0; b < fan_in; b++) {
                size_t k = first + (size_t)(a * fan_in + b);
                for (int order = 0; order < 3; order++) {
                    z.d[order] += weights[k] * in[b].d[order];
                    z.t[order] += weights[k] * in[b].t[order] + (along == k ? in[b].d[order] : 0.0);
                }
            }
            out[a] = l < settings->n_hidden ? naive_tanh(z) : z;
        }
        memcpy(in, out, sizeof in);
        first = first_bias + (size_t)fan_out;
        fan_in = fan_out;
    }
    memcpy(outputs, in, (size_t)n_outputs * sizeof *outputs);
}

#endif
