/* The perceptron's jets one point at a time, by plain loops, with the tangent along one weight
 * carried forward: shares neither layout, nor algebra, nor activations with the kernels under
 * test. */
#ifndef NAIVE_NET_H
#define NAIVE_NET_H

#include "naive_activation.h"

#include <stddef.h>
#include <string.h>

enum { NAIVE_MAX_WIDTH = ARC_NET_MAX_WIDTH };

/* d[0..2]: value, first and second derivative with respect to tau; t[0..2]: how they change. */
typedef struct NaiveJet {
    double d[3];
    double t[3];
} NaiveJet;

/* The activation of a jet with its tangent. */
static inline NaiveJet naive_activate(ArcActivation activation, NaiveJet z)
{
    NaiveActivation f = naive_activation(activation, z.d[0]);
    double s1 = (double)f.d[1], s2 = (double)f.d[2], s3 = (double)f.d[3];
    NaiveJet y;
    y.d[0] = (double)f.d[0];
    y.d[1] = s1 * z.d[1];
    y.d[2] = s1 * z.d[2] + s2 * z.d[1] * z.d[1];
    y.t[0] = s1 * z.t[0];
    y.t[1] = s1 * z.t[1] + s2 * z.t[0] * z.d[1];
    y.t[2] = s1 * z.t[2] + s2 * z.t[0] * z.d[2] + 2.0 * s2 * z.d[1] * z.t[1] +
             s3 * z.t[0] * z.d[1] * z.d[1];
    return y;
}

/* tau and its waves; returns how many. */
static inline int naive_inputs(const ArcNetSettings *settings, double tau, NaiveJet *in)
{
    in[0] = (NaiveJet){.d = {tau, 1.0, 0.0}};
    for (int k = 1; k <= settings->fourier_modes; k++) {
        double w = acos(-1.0) * settings->fourier_base * k, s = sin(w * tau), c = cos(w * tau);
        in[2 * k - 1] = (NaiveJet){.d = {s, w * c, -w * w * s}};
        in[2 * k] = (NaiveJet){.d = {c, -w * s, -w * w * c}};
    }
    return 1 + 2 * settings->fourier_modes;
}

/* Output jets at tau and their derivative with respect to weight number `along`
 * (n_weights or more: none). */
static inline void naive_net_jets(const ArcNetSettings *settings, int n_outputs,
                                  const double *weights, size_t along, double tau,
                                  NaiveJet *outputs)
{
    NaiveJet in[NAIVE_MAX_WIDTH], out[NAIVE_MAX_WIDTH];
    int fan_in = naive_inputs(settings, tau, in);
    size_t first = 0;
    for (int l = 0; l <= settings->n_hidden; l++) {
        bool is_hidden = l < settings->n_hidden;
        int fan_out = is_hidden ? settings->widths[l] : n_outputs;
        bool skips = settings->skip && is_hidden && l > 0 && fan_in == fan_out;
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
            out[a] = is_hidden ? naive_activate(settings->activation, z) : z;
            for (int order = 0; order < 3 && skips; order++) {
                out[a].d[order] += in[a].d[order];
                out[a].t[order] += in[a].t[order];
            }
        }
        memcpy(in, out, (size_t)fan_out * sizeof *in);
        first = first_bias + (size_t)fan_out;
        fan_in = fan_out;
    }
    memcpy(outputs, in, (size_t)n_outputs * sizeof *outputs);
}

#endif
