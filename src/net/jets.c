/* Forward evaluation: value, first and second derivative with respect to tau of all layers.
 *
 * A layer is one DGEMM over the stacked rows, then one pass that adds the bias and takes the
 * activation and the chain rule
 *   y = s(z)   y' = s'(z) z'   y'' = s'(z) z'' + s''(z) z'^2
 * in place, and leaves the three products that the reverse pass needs.
 */
#include "net/layers.h"
#include "net/products.h"
#include "net/windows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BLOCK_DOUBLES = 512 };

/* The jets of tau and its waves: input (3M, n_inputs). The waves follow from the first by the
 * addition theorem, one rotation each. */
static void input_jets(const ArcNet *net, int M, const double *tau, double *input)
{
    size_t n = (size_t)net->n_inputs, jet = (size_t)M * n;
    double base = M_PI * net->settings.fourier_base;
    for (int i = 0; i < M; i++) {
        double *row = input + (size_t)i * n;
        row[0] = tau[i];
        row[jet] = 1.0;
        row[2 * jet] = 0.0;
        if (n == 1)
            continue;
        double first_cos = cos(base * tau[i]), first_sin = sin(base * tau[i]);
        double c = 1.0, s = 0.0;
        for (int k = 1; k <= net->settings.fourier_modes; k++) {
            double rate = base * k, before = c;
            c = before * first_cos - s * first_sin;
            s = s * first_cos + before * first_sin;
            double *wave = row + 2 * k - 1;
            wave[0] = s;
            wave[1] = c;
            wave[jet] = rate * c;
            wave[jet + 1] = -rate * s;
            wave[2 * jet] = -rate * rate * s;
            wave[2 * jet + 1] = -rate * rate * c;
        }
    }
}

/* z = W tau, z' = W, z'' = 0: one input needs no DGEMM. Activated in blocks of points that stay in
 * the first-level cache. */
static void first_layer(const ArcNet *net, int M, const double *tau, const double *W,
                        const ArcLayerJets *layer)
{
    size_t H = (size_t)net->settings.widths[0], jet = (size_t)M * H;
    int block = BLOCK_DOUBLES / (int)H < 8 ? 8 : BLOCK_DOUBLES / (int)H;
    for (int i = 0; i < M; i += block) {
        int n_rows = M - i < block ? M - i : block;
        double *z = layer->y + (size_t)i * H;
        for (int k = 0; k < n_rows; k++) {
            double *row = z + (size_t)k * H;
            for (size_t j = 0; j < H; j++)
                row[j] = W[j] * tau[i + k];
            memcpy(row + jet, W, H * sizeof *row);
        }
        memset(z + 2 * jet, 0, (size_t)n_rows * H * sizeof *z);
        net->kernels->activate[net->settings.activation]((size_t)n_rows, H, jet, W + H, NULL, z,
                                                         layer->partials + (size_t)i * H);
    }
}

static void hidden_layers(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *tau)
{
    assert(M >= 0 && M <= work->max_points);
    input_jets(net, M, tau, work->input);
    for (int l = 0; l < net->settings.n_hidden; l++) {
        int fan_in = arc_layer_width(net, l - 1);
        int H = net->settings.widths[l];
        const double *W = weights + net->offsets[l];
        const double *below = arc_layer_output(work, l - 1);
        const ArcLayerJets *layer = &work->layers[l];
        if (l == 0 && fan_in == 1) {
            first_layer(net, M, tau, W, layer);
            continue;
        }
        arc_product_forward(3 * M, fan_in, H, below, W, work->transposed, layer->y);
        net->kernels->activate[net->settings.activation](
            (size_t)M, (size_t)H, (size_t)M * (size_t)H, W + (size_t)H * (size_t)fan_in,
            arc_layer_is_skipping(net, l) ? below : NULL, layer->y, layer->partials);
    }
}

void arc_net_forward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                     const double *tau, double *jets)
{
    if (net->window != NULL) {
        arc_windows_forward(net, work, weights, M, tau, jets);
        return;
    }
    hidden_layers(net, work, weights, M, tau);
    int last = net->settings.n_hidden - 1, width = net->settings.widths[last];
    const double *W = weights + net->offsets[last + 1];
    const double *b = W + (size_t)net->n_outputs * (size_t)width;
    arc_product_forward(3 * M, width, net->n_outputs, arc_layer_output(work, last), W,
                        work->transposed, jets);
    for (int i = 0; i < M; i++)
        for (int o = 0; o < net->n_outputs; o++)
            jets[(size_t)i * (size_t)net->n_outputs + (size_t)o] += b[o];
}

void arc_net_features(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                      const double *tau, double *features)
{
    if (net->window != NULL) {
        arc_windows_features(net, work, weights, M, tau, features);
        return;
    }
    hidden_layers(net, work, weights, M, tau);
    int last = net->settings.n_hidden - 1;
    size_t H = (size_t)net->settings.widths[last];
    const double *y = arc_layer_output(work, last);
    for (int i = 0; i < 3 * M; i++) {
        double *row = features + (size_t)i * (H + 1);
        memcpy(row, y + (size_t)i * H, H * sizeof *row);
        row[H] = i < M ? 1.0 : 0.0;
    }
}
