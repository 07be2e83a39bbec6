/* What net.c, jets.c and reverse.c share: the shape of a net and the scratch of an evaluation.
 * Private to this folder. */
#ifndef ARC_NET_LAYERS_H
#define ARC_NET_LAYERS_H

#include "net/activation.h"
#include "net/net.h"

struct ArcNet {
    int n_hidden;
    int n_outputs;
    int widths[ARC_NET_MAX_LAYERS];         /* of the hidden layers */
    size_t offsets[ARC_NET_MAX_LAYERS + 1]; /* first weight of each layer, the output layer last */
    size_t n_weights;
    ArcNetInit init;
    double slope_low, slope_high;
    ArcActivationKernel activate;
};

/* One hidden layer of width H at M points. */
typedef struct ArcLayerJets {
    double *z;            /* (3M, H): pre-activations and their jets */
    double *y;            /* (3M, H): outputs and their jets */
    double *s1, *s2, *s3; /* (M, H): derivatives of the activation at z */
} ArcLayerJets;

struct ArcNetWork {
    int max_points;
    double *input; /* (3M, 1): tau, ones, zeros: the jets of tau itself */
    ArcLayerJets layers[ARC_NET_MAX_LAYERS];
    double *bar, *bar_below; /* (3M, widest layer): cotangents of two neighbouring layers */
    double *bar_columns;     /* (widest layer or output, 3M): cotangents, points contiguous */
    double *y_columns;       /* (widest layer, 3M) */
};

/* Width of layer l, the output layer at l = n_hidden, and 1 (tau) at l = -1. */
static inline int arc_layer_width(const ArcNet *net, int l)
{
    if (l < 0)
        return 1;
    return l < net->n_hidden ? net->widths[l] : net->n_outputs;
}

/* Output jets of layer l; the input at l = -1. */
static inline const double *arc_layer_output(const ArcNetWork *work, int l)
{
    return l < 0 ? work->input : work->layers[l].y;
}

#endif
