/* Forward evaluation: value, first and second derivative with respect to tau of all layers.
 *
 * A layer is one DGEMM over the stacked rows, then the activation and the chain rule
 *   y = s(z)   y' = s'(z) z'   y'' = s'(z) z'' + s''(z) z'^2
 * taken over blocks of points that stay in the first-level cache.
 */
#include "net/layers.h"

#include <assert.h>
#include <cblas.h>
#include <string.h>

enum { BLOCK_DOUBLES = 512 };

/* z = W tau + b, z' = W, z'' = 0: one input needs no DGEMM. z is (3M, H). */
static void first_layer(int M, int H, const double *tau, const double *W, const double *b,
                        double *z)
{
    size_t jet = (size_t)M * (size_t)H;
    for (int i = 0; i < M; i++) {
        double *row = z + (size_t)i * (size_t)H;
        for (int j = 0; j < H; j++)
            row[j] = W[j] * tau[i] + b[j];
        memcpy(row + jet, W, (size_t)H * sizeof *row);
    }
    memset(z + 2 * jet, 0, jet * sizeof *z);
}

/* out = in W', in (3M, fan_in), W (fan_out, fan_in), out (3M, fan_out), row-major. */
static void multiply_weights(int M, int fan_in, int fan_out, const double *in, const double *W,
                             double *out)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, 3 * M, fan_out, fan_in, 1.0, in, fan_in, W,
                fan_in, 0.0, out, fan_out);
}

/* Adds b (H) to each of n rows. */
static void add_bias(int n, int H, const double *b, double *rows)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < H; j++)
            rows[(size_t)i * (size_t)H + (size_t)j] += b[j];
}

static void chain_rule(size_t n, const double *restrict z1, const double *restrict z2,
                       const double *restrict s1, const double *restrict s2, double *restrict y1,
                       double *restrict y2)
{
    for (size_t k = 0; k < n; k++) {
        y1[k] = s1[k] * z1[k];
        y2[k] = s1[k] * z2[k] + s2[k] * (z1[k] * z1[k]);
    }
}

/* From z without its bias (b NULL: with it) to y and the activation's derivatives. */
static void activate_layer(const ArcNet *net, int M, int H, const double *b, ArcLayerJets *layer)
{
    size_t jet = (size_t)M * (size_t)H;
    int rows = BLOCK_DOUBLES / H < 8 ? 8 : BLOCK_DOUBLES / H;
    for (int i = 0; i < M; i += rows) {
        int n_rows = M - i < rows ? M - i : rows;
        size_t n = (size_t)n_rows * (size_t)H;
        size_t at = (size_t)i * (size_t)H;
        double *z = layer->z + at;
        double *y = layer->y + at;
        if (b != NULL)
            add_bias(n_rows, H, b, z);
        net->activate(n, z, y, layer->s1 + at, layer->s2 + at, layer->s3 + at);
        chain_rule(n, z + jet, z + 2 * jet, layer->s1 + at, layer->s2 + at, y + jet, y + 2 * jet);
    }
}

static void hidden_layers(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *tau)
{
    assert(M >= 0 && M <= work->max_points);
    for (int i = 0; i < M; i++) {
        work->input[i] = tau[i];
        work->input[M + i] = 1.0;
        work->input[2 * M + i] = 0.0;
    }
    for (int l = 0; l < net->n_hidden; l++) {
        int fan_in = arc_layer_width(net, l - 1);
        int H = net->widths[l];
        const double *W = weights + net->offsets[l];
        const double *b = W + (size_t)H * (size_t)fan_in;
        if (l == 0)
            first_layer(M, H, tau, W, b, work->layers[l].z);
        else
            multiply_weights(M, fan_in, H, arc_layer_output(work, l - 1), W, work->layers[l].z);
        activate_layer(net, M, H, l == 0 ? NULL : b, &work->layers[l]);
    }
}

void arc_net_forward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                     const double *tau, double *jets)
{
    hidden_layers(net, work, weights, M, tau);
    int last = net->n_hidden - 1;
    const double *W = weights + net->offsets[net->n_hidden];
    const double *b = W + (size_t)net->n_outputs * (size_t)net->widths[last];
    multiply_weights(M, net->widths[last], net->n_outputs, arc_layer_output(work, last), W, jets);
    add_bias(M, net->n_outputs, b, jets);
}

void arc_net_features(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                      const double *tau, double *features)
{
    hidden_layers(net, work, weights, M, tau);
    size_t H = (size_t)net->widths[net->n_hidden - 1];
    const double *y = arc_layer_output(work, net->n_hidden - 1);
    for (int i = 0; i < 3 * M; i++) {
        double *row = features + (size_t)i * (H + 1);
        memcpy(row, y + (size_t)i * H, H * sizeof *row);
        row[H] = i < M ? 1.0 : 0.0;
    }
}
