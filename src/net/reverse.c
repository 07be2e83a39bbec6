/* The reverse pass: from cotangents of the output jets to the gradient, or to one Jacobian row a
 * point. The chain rule (kernels.h) takes the cotangents Y of a layer's outputs to Z of its z; then
 *   its weights get Z' y of the layer below over the stacked rows (one DGEMM),
 *   its biases the sums of Z,
 *   and the layer below Z W (one DGEMM), plus Y itself where the layer skips.
 */
#include "net/layers.h"
#include "net/products.h"
#include "net/windows.h"

#include <assert.h>
#include <string.h>

enum { TRANSPOSE_COLUMNS = 8 };

/* Where a sweep leaves its results: gradient (n_weights), or J column-major when not NULL. */
typedef struct Sink {
    double *gradient;
    double *J, *J_output; /* hidden layers, output layer */
    size_t ld, ld_output;
} Sink;

/* gradient of W (fan_out, fan_in) and b (fan_out) behind it; Z (3M, fan_out), y (3M, fan_in). */
static void layer_gradient(const ArcNet *net, int M, int l, const double *Z, const double *y,
                           double *gradient)
{
    int fan_in = arc_layer_width(net, l - 1), fan_out = arc_layer_width(net, l);
    arc_product_gradient(3 * M, fan_in, fan_out, Z, y, gradient);
    net->kernels->sum_rows((size_t)M, (size_t)fan_out, Z,
                           gradient + (size_t)fan_out * (size_t)fan_in);
}

/* rows (n, width) -> columns (width, n), a few columns at a time: more would share cache sets. */
static void transpose(int n, int width, const double *restrict rows, double *restrict columns)
{
    for (int begin = 0; begin < width; begin += TRANSPOSE_COLUMNS) {
        int end = width - begin < TRANSPOSE_COLUMNS ? width : begin + TRANSPOSE_COLUMNS;
        for (int i = 0; i < n; i++)
            for (int j = begin; j < end; j++)
                columns[(size_t)j * (size_t)n + (size_t)i] =
                    rows[(size_t)i * (size_t)width + (size_t)j];
    }
}

/* Columns of J for W and b of layer l; J points to the layer's first column. */
static void layer_jacobian(const ArcNet *net, ArcNetWork *work, int M, int l, const double *Z,
                           const Sink *sink)
{
    int fan_in = arc_layer_width(net, l - 1), fan_out = arc_layer_width(net, l);
    size_t rows = 3 * (size_t)M;
    transpose(3 * M, fan_out, Z, work->Z_columns);
    transpose(3 * M, fan_in, arc_layer_output(work, l - 1), work->y_columns);
    bool is_output = l == net->settings.n_hidden;
    size_t ld = is_output ? sink->ld_output : sink->ld;
    double *column = is_output ? sink->J_output : sink->J + net->offsets[l] * ld;
    for (int a = 0; a < fan_out; a++) {
        net->kernels->jacobian_columns((size_t)M, (size_t)fan_in,
                                       work->Z_columns + (size_t)a * rows, work->y_columns, column,
                                       ld);
        column += (size_t)fan_in * ld;
    }
    for (int a = 0; a < fan_out; a++, column += ld)
        memcpy(column, work->Z_columns + (size_t)a * rows, (size_t)M * sizeof *column);
}

static void reverse_sweep(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *bar, Sink sink)
{
    assert(M >= 0 && M <= work->max_points);
    const double *Z = bar;
    for (int l = net->settings.n_hidden; l >= 0; l--) {
        if (sink.J != NULL)
            layer_jacobian(net, work, M, l, Z, &sink);
        else
            layer_gradient(net, M, l, Z, arc_layer_output(work, l - 1),
                           sink.gradient + net->offsets[l]);
        if (l == 0)
            break;
        int fan_in = arc_layer_width(net, l - 1), fan_out = arc_layer_width(net, l);
        /* Of a layer that skips, Y still holds its own cotangents: those below add to them. */
        arc_product_backward(3 * M, fan_in, fan_out, Z, weights + net->offsets[l],
                             arc_layer_is_skipping(net, l) ? 1.0 : 0.0, work->Y);
        net->kernels->reverse((size_t)M * (size_t)fan_in, work->layers[l - 1].partials, work->Y,
                              work->Z);
        Z = work->Z;
    }
}

void arc_net_backward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                      const double *bar, double *gradient)
{
    if (net->window != NULL) {
        arc_windows_backward(net, work, weights, M, bar, gradient);
        return;
    }
    reverse_sweep(net, work, weights, M, bar, (Sink){.gradient = gradient});
}

void arc_net_jacobian_apart(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                            const double *bar, double *J, size_t ld, double *J_output,
                            size_t ld_output)
{
    assert(ld >= (size_t)M && ld_output >= (size_t)M);
    reverse_sweep(net, work, weights, M, bar,
                  (Sink){.J = J, .ld = ld, .J_output = J_output, .ld_output = ld_output});
}

void arc_net_jacobian(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                      const double *bar, double *J, size_t ld)
{
    if (net->window != NULL) {
        arc_windows_jacobian(net, work, weights, M, bar, J, ld);
        return;
    }
    arc_net_jacobian_apart(net, work, weights, M, bar, J, ld, J + arc_net_output_offset(net) * ld,
                           ld);
}
