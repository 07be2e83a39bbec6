/* The perceptron's jets one point at a time, by plain loops, with the tangent along one weight
 * carried forward; with windows of time their blend: shares neither layout, nor algebra, nor
 * activations with the kernels under test. */
#ifndef NAIVE_NET_H
#define NAIVE_NET_H

#include "naive_activation.h"

#include <stddef.h>
#include <stdlib.h>
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

/* Output jets of one window's net at its own tau and their derivative with respect to weight number
 * `along` (n_weights or more: none). */
static inline void naive_window_jets(const ArcNetSettings *settings, int n_outputs,
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

static inline NaiveJet naive_product(NaiveJet a, NaiveJet b)
{
    NaiveJet y;
    y.d[0] = a.d[0] * b.d[0];
    y.d[1] = a.d[1] * b.d[0] + a.d[0] * b.d[1];
    y.d[2] = a.d[2] * b.d[0] + 2.0 * a.d[1] * b.d[1] + a.d[0] * b.d[2];
    y.t[0] = a.t[0] * b.d[0] + a.d[0] * b.t[0];
    y.t[1] = a.t[1] * b.d[0] + a.d[1] * b.t[0] + a.t[0] * b.d[1] + a.d[0] * b.t[1];
    y.t[2] = a.t[2] * b.d[0] + a.d[2] * b.t[0] + 2.0 * (a.t[1] * b.d[1] + a.d[1] * b.t[1]) +
             a.t[0] * b.d[2] + a.d[0] * b.t[2];
    return y;
}

/* From 0 to 1 about the edge below window w of W: the upper half of the seventh binomial expansion
 * of (t + (1 - t))^7, term by term. */
static inline NaiveJet naive_step(int w, int W, double tau)
{
    static const double binomial[8] = {1.0, 7.0, 21.0, 35.0, 35.0, 21.0, 7.0, 1.0};
    double width = 2.0 * ARC_NET_WINDOW_OVERLAP / W, edge = -1.0 + 2.0 * w / W;
    double t = 0.5 + (tau - edge) / width;
    NaiveJet step = {.d = {w <= 0 || (w < W && t >= 1.0) ? 1.0 : 0.0}};
    if (w <= 0 || w >= W || t <= 0.0 || t >= 1.0)
        return step;
    NaiveJet up = {.d = {t, 1.0 / width, 0.0}}, down = {.d = {1.0 - t, -1.0 / width, 0.0}};
    for (int k = 4; k < 8; k++) {
        NaiveJet term = {.d = {binomial[k], 0.0, 0.0}};
        for (int n = 0; n < 7; n++)
            term = naive_product(term, n < k ? up : down);
        for (int order = 0; order < 3; order++)
            step.d[order] += term.d[order];
    }
    return step;
}

/* Window w's part of the weights in its own order; returns the place of weight `along` there. */
static inline size_t naive_window_weights(const ArcNetSettings *settings, int n_outputs, int w,
                                          const double *weights, size_t along, double *own)
{
    int W = settings->windows, H = settings->widths[settings->n_hidden - 1];
    ArcNetSettings window = *settings;
    window.windows = 1;
    size_t n_own = arc_net_settings_n_weights(&window, n_outputs), place = SIZE_MAX;
    size_t n_hidden = n_own - (size_t)(n_outputs * (H + 1));
    for (size_t k = 0; k < n_own; k++) {
        size_t from = (size_t)w * n_hidden + k;
        if (k >= n_hidden) {
            int at = (int)(k - n_hidden), is_bias = at >= n_outputs * H;
            int output = is_bias ? at - n_outputs * H : at / H, unit = is_bias ? H : at % H;
            int row = W * (H + 1) - 1;
            from = (size_t)W * n_hidden;
            from += (size_t)(is_bias && w == W - 1 ? n_outputs * row + output
                                                   : output * row + w * (H + 1) + unit);
        }
        own[k] = weights[from];
        place = from == along ? k : place;
    }
    return place;
}

/* Output jets at tau and their derivative with respect to weight number `along`
 * (n_weights or more: none). */
static inline void naive_net_jets(const ArcNetSettings *settings, int n_outputs,
                                  const double *weights, size_t along, double tau,
                                  NaiveJet *outputs)
{
    int W = settings->windows;
    if (W <= 1) {
        naive_window_jets(settings, n_outputs, weights, along, tau, outputs);
        return;
    }
    double *own = malloc(arc_net_settings_n_weights(settings, n_outputs) * sizeof *own);
    assert_non_null(own);
    memset(outputs, 0, (size_t)n_outputs * sizeof *outputs);
    for (int w = 0; w < W; w++) {
        double reach = ARC_NET_WINDOW_OVERLAP / W;
        double low = w == 0 ? -1.0 : -1.0 + 2.0 * w / W - reach;
        double high = w == W - 1 ? 1.0 : -1.0 + 2.0 * (w + 1) / W + reach;
        double rate = 2.0 / (high - low);
        NaiveJet begin = naive_step(w, W, tau), end = naive_step(w + 1, W, tau), jets[8];
        NaiveJet B = {.d = {begin.d[0] - end.d[0], begin.d[1] - end.d[1], begin.d[2] - end.d[2]}};
        size_t place = naive_window_weights(settings, n_outputs, w, weights, along, own);
        naive_window_jets(settings, n_outputs, own, place, rate * (tau - low) - 1.0, jets);
        for (int o = 0; o < n_outputs; o++) {
            double power = 1.0;
            for (int order = 0; order < 3; order++, power *= rate) {
                jets[o].d[order] *= power;
                jets[o].t[order] *= power;
            }
            jets[o] = naive_product(B, jets[o]);
            for (int order = 0; order < 3; order++) {
                outputs[o].d[order] += jets[o].d[order];
                outputs[o].t[order] += jets[o].t[order];
            }
        }
    }
    free(own);
}

#endif
