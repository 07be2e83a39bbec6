/* The reverse pass: from cotangents of the output jets to the gradient, or to one Jacobian row a
 * point. With Y, Y', Y'' the cotangents of a layer's output jets, those of its input are
 *   Z'' = s' Y''      Z' = s' Y' + 2 s'' z' Y''
 *   Z = s' Y + s'' z' Y' + (s'' z'' + s''' z'^2) Y''
 * and the layer's weights get Z' y over the stacked rows (one DGEMM), its biases the sums of Z.
 */
#include "net/layers.h"

#include <assert.h>
#include <cblas.h>
#include <string.h>

/* Where a sweep leaves its results: gradient (n_weights), or J column-major when not NULL. */
typedef struct Sink {
    double *gradient;
    double *J;
    size_t ld;
} Sink;

/* Y -> Z in place; bar is three blocks of n. */
static void chain_rule_reverse(size_t n, const ArcLayerJets *layer, double *restrict bar)
{
    const double *restrict z1 = layer->z + n, *restrict z2 = layer->z + 2 * n;
    const double *restrict s1 = layer->s1, *restrict s2 = layer->s2, *restrict s3 = layer->s3;
    for (size_t k = 0; k < n; k++) {
        double Y = bar[k], Y1 = bar[n + k], Y2 = bar[2 * n + k];
        double bend = s2[k] * z1[k];
        bar[k] = s1[k] * Y + bend * Y1 + (s2[k] * z2[k] + s3[k] * (z1[k] * z1[k])) * Y2;
        bar[n + k] = s1[k] * Y1 + 2.0 * bend * Y2;
        bar[2 * n + k] = s1[k] * Y2;
    }
}

/* gradient of W (fan_out, fan_in) and b (fan_out) behind it; Z (3M, fan_out), y (3M, fan_in). */
static void layer_gradient(int M, int fan_in, int fan_out, const double *Z, const double *y,
                           double *gradient)
{
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, fan_out, fan_in, 3 * M, 1.0, Z, fan_out, y,
                fan_in, 0.0, gradient, fan_in);
    double *b = gradient + (size_t)fan_out * (size_t)fan_in;
    memset(b, 0, (size_t)fan_out * sizeof *b);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < fan_out; j++)
            b[j] += Z[(size_t)i * (size_t)fan_out + (size_t)j];
}

/* rows (n, width) -> columns (width, n). */
static void transpose(int n, int width, const double *restrict rows, double *restrict columns)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < width; j++)
            columns[(size_t)j * (size_t)n + (size_t)i] =
                rows[(size_t)i * (size_t)width + (size_t)j];
}

/* out = the three jets' products summed; Z and y are three blocks of M. */
static void jacobian_column(int M, const double *restrict Z, const double *restrict y,
                            double *restrict out)
{
    for (int i = 0; i < M; i++)
        out[i] = Z[i] * y[i] + Z[M + i] * y[M + i] + Z[2 * M + i] * y[2 * M + i];
}

/* Columns of J for W and b of one layer; J points to the layer's first column. */
static void layer_jacobian(ArcNetWork *work, int M, int fan_in, int fan_out, const double *Z,
                           const double *y, double *J, size_t ld)
{
    size_t rows = 3 * (size_t)M;
    transpose(3 * M, fan_out, Z, work->bar_columns);
    transpose(3 * M, fan_in, y, work->y_columns);
    double *column = J;
    for (int a = 0; a < fan_out; a++)
        for (int b = 0; b < fan_in; b++, column += ld)
            jacobian_column(M, work->bar_columns + (size_t)a * rows,
                            work->y_columns + (size_t)b * rows, column);
    for (int a = 0; a < fan_out; a++, column += ld)
        memcpy(column, work->bar_columns + (size_t)a * rows, (size_t)M * sizeof *column);
}

static void reverse_sweep(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *bar, Sink sink)
{
    assert(M >= 0 && M <= work->max_points);
    const double *Z = bar;
    for (int l = net->n_hidden; l >= 0; l--) {
        int fan_in = arc_layer_width(net, l - 1);
        int fan_out = arc_layer_width(net, l);
        const double *y = arc_layer_output(work, l - 1);
        if (sink.J != NULL)
            layer_jacobian(work, M, fan_in, fan_out, Z, y, sink.J + net->offsets[l] * sink.ld,
                           sink.ld);
        else
            layer_gradient(M, fan_in, fan_out, Z, y, sink.gradient + net->offsets[l]);
        if (l == 0)
            break;
        double *below = Z == work->bar ? work->bar_below : work->bar;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 3 * M, fan_in, fan_out, 1.0, Z,
                    fan_out, weights + net->offsets[l], fan_in, 0.0, below, fan_in);
        chain_rule_reverse((size_t)M * (size_t)fan_in, &work->layers[l - 1], below);
        Z = below;
    }
}

void arc_net_backward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                      const double *bar, double *gradient)
{
    reverse_sweep(net, work, weights, M, bar, (Sink){.gradient = gradient});
}

void arc_net_jacobian(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                      const double *bar, double *J, size_t ld)
{
    assert(ld >= (size_t)M);
    reverse_sweep(net, work, weights, M, bar, (Sink){.J = J, .ld = ld});
}
