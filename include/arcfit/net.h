/* The multilayer perceptron tau -> R^n_outputs and its time jets.
 *
 * Hidden layers of any widths with one activation, a linear output layer. Layer l maps y_{l-1} to
 * y_l = sigma(W_l y_{l-1} + b_l); the output layer has no activation.
 *
 * Weights are one flat vector: for each layer its W (row-major, widths[l] x widths[l-1]), then b.
 */
#ifndef ARCFIT_NET_H
#define ARCFIT_NET_H

#include "arcfit/error.h"

#include <stdint.h>

#pragma GCC visibility push(default)

enum { ARC_NET_MAX_LAYERS = 8, ARC_NET_MAX_WIDTH = 1024 };

typedef enum ArcActivation { ARC_ACTIVATION_TANH } ArcActivation;

typedef enum ArcNetInit {
    ARC_INIT_SPREAD, /* first layer: centres evenly over tau in [-1.2, 1.2], jittered, slopes in
                        slope_low..slope_high with random sign; deeper layers glorot-normal */
    ARC_INIT_GLOROT_NORMAL, /* Glorot and Bengio, AISTATS 2010 */
    ARC_INIT_GLOROT_UNIFORM
} ArcNetInit;

typedef struct ArcNetSettings {
    int n_hidden;                   /* hidden layers, at least 1 */
    int widths[ARC_NET_MAX_LAYERS]; /* of the hidden layers */
    ArcActivation activation;
    ArcNetInit init;
    double slope_low, slope_high; /* of ARC_INIT_SPREAD */
} ArcNetSettings;

/* One layer of 24 tanh units, spread, slopes 1 to 1.5. */
ArcNetSettings arc_net_settings_default(void);

/* Names as in a net file; NULL where the index is beyond the table. */
const char *arc_activation_name(int activation);
const char *arc_net_init_name(int init);

#pragma GCC visibility pop

#endif
