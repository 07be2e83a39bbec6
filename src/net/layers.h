/* What net.c, jets.c and reverse.c share: the shape of a net and the scratch of an evaluation.
 * Private to this folder. */
#ifndef ARC_NET_LAYERS_H
#define ARC_NET_LAYERS_H

#include "net/kernels.h"
#include "net/net.h"

struct ArcNet {
    ArcNetSettings settings;
    int n_windows;
    ArcNet *window; /* the net of each window, itself with one; NULL where n_windows is 1 */
    int n_inputs;   /* of the first layer */
    int n_outputs;
    size_t offsets[ARC_NET_MAX_LAYERS + 1]; /* first weight of each layer, the output layer last;
                                               with windows only that one */
    size_t n_weights;
    const ArcKernels *kernels;
};

/* One hidden layer of width H at M points. */
typedef struct ArcLayerJets {
    double *y;        /* (3M, H): outputs and their jets; before the activation z and its jets */
    double *partials; /* (3M, H): s', s'' z', s'' z'' + s''' z'^2 */
} ArcLayerJets;

/* Scratch of a net with windows; an entry is a point in a window, in the windows' order and then
 * that of the points. */
typedef struct ArcWindowsWork {
    ArcNetWork *pool;                   /* of the window's net, room for all entries */
    int first[ARC_NET_MAX_WINDOWS + 1]; /* entry of each window */
    int *point;                         /* (2 max_points) of the entry */
    double *tau;                        /* (2 max_points): tau_w */
    double *blend;                      /* (2 max_points, 3): B_w, B_w', B_w'' */
    double *weights;                    /* of one window, in its net's layout; then its gradient */
    double *rows;   /* (3 max_points, features or outputs of a window): its jets, or their bar */
    double *output; /* (max_points, weights of a window's output layer) column-major */
} ArcWindowsWork;

struct ArcNetWork {
    int max_points;
    ArcWindowsWork *windows; /* NULL, or all that there is */
    double *input;           /* (3M, n_inputs): the jets of tau and its waves */
    ArcLayerJets layers[ARC_NET_MAX_LAYERS];
    double *Y;          /* (3M, widest layer): cotangents of a layer's outputs */
    double *Z;          /* (3M, widest layer): cotangents of its z */
    double *transposed; /* (inputs, width) of the layer in hand: its W, transposed */
    double *Z_columns;  /* (widest layer or output, 3M): points contiguous */
    double *y_columns;  /* (widest layer or input, 3M) */
};

/* arc_net_jacobian with the columns of the output layer in a place of their own. */
void arc_net_jacobian_apart(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                            const double *bar, double *J, size_t ld, double *J_output,
                            size_t ld_output);

/* Scratch without a check of max_points; false on exhaustion. */
bool arc_net_work_alloc(const ArcNet *net, size_t max_points, ArcArena *arena, ArcNetWork *work);

/* Width of layer l, the output layer at l = n_hidden, and the inputs at l = -1. */
static inline int arc_layer_width(const ArcNet *net, int l)
{
    if (l < 0)
        return net->n_inputs;
    return l < net->settings.n_hidden ? net->settings.widths[l] : net->n_outputs;
}

/* Output jets of layer l; the input at l = -1. */
static inline const double *arc_layer_output(const ArcNetWork *work, int l)
{
    return l < 0 ? work->input : work->layers[l].y;
}

/* Whether layer l adds the output of the layer below to its own. */
static inline bool arc_layer_is_skipping(const ArcNet *net, int l)
{
    return net->settings.skip && l > 0 && l < net->settings.n_hidden &&
           net->settings.widths[l] == net->settings.widths[l - 1];
}

#endif
