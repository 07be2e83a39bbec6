/* The multilayer perceptron tau -> R^n_outputs and its time jets.
 *
 * Hidden layers of any widths with one activation, a linear output layer. Layer l maps y_{l-1} to
 * y_l = sigma(W_l y_{l-1} + b_l); the output layer has no activation. Optionally
 *   skip      hidden layers as wide as the one below add to it: y_l = y_{l-1} + sigma(...)
 *             (He et al., CVPR 2016)
 *   fourier   the first layer sees tau and waves of it: tau, sin w_1 tau, cos w_1 tau, ...,
 *             sin w_N tau, cos w_N tau, with w_k = pi k base: the first has `base` periods over
 *             tau in [-1, 1] (Tancik et al., NeurIPS 2020, with fixed frequencies)
 *
 * With `windows` W > 1 the net is a sum of W such nets in windows of time (finite basis: Moseley,
 * Markham, Nissen-Meyer, Adv. Comput. Math. 49 (2023) 62):
 *   N(tau) = sum_w B_w(tau) N_w(tau_w)
 * Each N_w has weights of its own and sees its own time tau_w, which runs over [-1, 1] on its
 * window. The B_w are smooth (three continuous derivatives), add up to 1 everywhere, and B_w is 0
 * outside its window; two neighbours overlap by ARC_NET_WINDOW_OVERLAP of a window's share 2 / W.
 * Beyond tau in [-1, 1] the end windows go on alone. `spread`, slopes and waves count in tau_w.
 *
 * Weights are one flat vector: for each layer its W (row-major, width x inputs), then b. With
 * windows: the hidden layers of each window in turn, then one output layer over all features,
 * those of window w being its last hidden outputs and its bias (H + 1): W (n_outputs x
 * (W (H + 1) - 1)), then the biases of the last window (n_outputs).
 */
#ifndef ARCFIT_NET_H
#define ARCFIT_NET_H

#include "arcfit/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

enum { ARC_NET_MAX_LAYERS = 8, ARC_NET_MAX_WIDTH = 1024, ARC_NET_MAX_MODES = 64 };
enum { ARC_NET_MAX_WINDOWS = 64 };

/* Of a window's share of the span: how far two neighbours reach into each other. */
#define ARC_NET_WINDOW_OVERLAP 0.75

/* One row per activation: enumerator, name in a net file. gelu is the exact one, by erf. */
#define ARC_ACTIVATION_LIST(X)                                                                     \
    X(ARC_ACTIVATION_TANH, tanh)                                                                   \
    X(ARC_ACTIVATION_SIN, sin)                                                                     \
    X(ARC_ACTIVATION_SILU, silu)                                                                   \
    X(ARC_ACTIVATION_SOFTPLUS, softplus)                                                           \
    X(ARC_ACTIVATION_GELU, gelu)

typedef enum ArcActivation {
#define ARC_X(enumerator, word) enumerator,
    ARC_ACTIVATION_LIST(ARC_X)
#undef ARC_X
        ARC_ACTIVATION_COUNT
} ArcActivation;

typedef enum ArcNetInit {
    ARC_INIT_SPREAD, /* first layer: centres evenly over tau in [-1.2, 1.2], jittered, slopes in
                        slope_low..slope_high with random sign; deeper layers, and the weights of
                        the waves, glorot-normal */
    ARC_INIT_GLOROT_NORMAL, /* Glorot and Bengio, AISTATS 2010 */
    ARC_INIT_GLOROT_UNIFORM
} ArcNetInit;

typedef struct ArcNetSettings {
    int n_hidden;                   /* hidden layers, at least 1 */
    int widths[ARC_NET_MAX_LAYERS]; /* of the hidden layers */
    ArcActivation activation;
    ArcNetInit init;
    double slope_low, slope_high; /* of ARC_INIT_SPREAD */
    int fourier_modes;            /* waves, 0 to ARC_NET_MAX_MODES; 0: tau alone */
    double fourier_base;          /* periods of the first over tau in [-1, 1]; above 0 */
    bool skip;                    /* needs two neighbouring hidden layers of one width */
    int windows;                  /* of time, 0 to ARC_NET_MAX_WINDOWS; 0 counts as 1 */
} ArcNetSettings;

/* One layer of 24 tanh units, spread, slopes 1 to 1.5; no waves (base 1), no skip, one window. */
ArcNetSettings arc_net_settings_default(void);

/* True where some hidden layer has the width of the one below it, so that `skip` does something. */
bool arc_net_settings_can_skip(const ArcNetSettings *settings);

/* Number of weights of the net with so many outputs. The settings are in range. */
size_t arc_net_settings_n_weights(const ArcNetSettings *settings, int n_outputs);

/* Names as in a net file; NULL where the index is beyond the table. */
const char *arc_activation_name(int activation);
const char *arc_net_init_name(int init);

/* Whether weights of one fit the other and mean the same there: layers, activation, options. */
bool arc_net_settings_have_same_shape(const ArcNetSettings *a, const ArcNetSettings *b);

#pragma GCC visibility pop

#endif
