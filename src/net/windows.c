/* Nets with windows of time: N(tau) = sum_w B_w(tau) N_w(tau_w).
 *
 * In units of a window's share of the span, p = W (tau + 1) / 2, the inner edges are the whole
 * numbers k = 1 to W - 1. At each, window k - 1 hands over to window k by a smooth step S:
 *   t = (p - k) / overlap + 1/2, held to [0, 1]      B_{k-1} = 1 - S(t)      B_k = S(t)
 *   S = t^4 (35 - 84 t + 70 t^2 - 20 t^3)   S' = 140 t^3 (1 - t)^3
 *   S'' = 420 t^2 (1 - t)^2 (1 - 2 t)
 * so that the B_w add up to 1 as they stand, 1 - S(t) being S(1 - t). An overlap of at most 1 keeps
 * every point in two windows at most: the nearest edge tells which.
 *
 * Each window is an ordinary net at the points inside it. With r = d tau_w / d tau the product rule
 *   N = B N_w    N' = B' N_w + r B N_w'    N'' = B'' N_w + 2 r B' N_w' + r^2 B N_w''
 * blends its jets, and transposed takes the cotangents of the blend to those of the window's net.
 */
#include "net/windows.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static size_t larger_of(size_t a, size_t b)
{
    return a > b ? a : b;
}

bool arc_windows_work_alloc(const ArcNet *net, size_t M, ArcArena *arena, ArcNetWork *work)
{
    const ArcNet *window = net->window;
    size_t n_weights = window->n_weights, n_outputs = (size_t)net->n_outputs;
    size_t width = larger_of((size_t)arc_net_n_features(window), n_outputs);
    size_t n_output = n_weights - arc_net_output_offset(window);
    ArcWindowsWork *windows = ARC_ALLOC(arena, 1, ArcWindowsWork);
    work->windows = windows;
    return windows != NULL && (windows->pool = ARC_ALLOC(arena, 1, ArcNetWork)) != NULL &&
           arc_net_work_alloc(window, 2 * M, arena, windows->pool) &&
           (windows->point = ARC_ALLOC(arena, 2 * M, int)) != NULL &&
           (windows->tau = ARC_ALLOC(arena, 2 * M, double)) != NULL &&
           (windows->blend = ARC_ALLOC(arena, 6 * M, double)) != NULL &&
           (windows->weights = ARC_ALLOC(arena, 2 * n_weights, double)) != NULL &&
           (windows->rows = ARC_ALLOC(arena, 3 * M * width, double)) != NULL &&
           (windows->output = ARC_ALLOC(arena, M * n_output, double)) != NULL;
}

size_t arc_windows_output_place(const ArcNet *net, int w, int o, int j)
{
    size_t n_outputs = (size_t)net->n_outputs, columns = (size_t)arc_net_n_features(net) - 1;
    size_t column = (columns + 1) / (size_t)net->n_windows * (size_t)w + (size_t)j;
    return column < columns ? (size_t)o * columns + column : n_outputs * columns + (size_t)o;
}

/* Window w's weights as its own net has them. */
static void take_weights(const ArcNet *net, int w, const double *weights, double *own)
{
    size_t n_hidden = arc_net_output_offset(net->window);
    memcpy(own, weights + (size_t)w * n_hidden, n_hidden * sizeof *own);
    const double *output = weights + arc_net_output_offset(net);
    for (int o = 0; o < net->n_outputs; o++)
        for (int j = 0; j < arc_net_n_features(net->window); j++)
            own[n_hidden + arc_windows_output_place(net->window, 0, o, j)] =
                output[arc_windows_output_place(net, w, o, j)];
}

static void put_gradient(const ArcNet *net, int w, const double *own, double *gradient)
{
    size_t n_hidden = arc_net_output_offset(net->window);
    memcpy(gradient + (size_t)w * n_hidden, own, n_hidden * sizeof *own);
    double *output = gradient + arc_net_output_offset(net);
    for (int o = 0; o < net->n_outputs; o++)
        for (int j = 0; j < arc_net_n_features(net->window); j++)
            output[arc_windows_output_place(net, w, o, j)] =
                own[n_hidden + arc_windows_output_place(net->window, 0, o, j)];
}

/* d tau_w / d tau, and the middle of window w in tau. The end windows end with the span. */
static double rate_of(const ArcNet *net, int w, double *middle)
{
    double low = w > 0 ? w - 0.5 * ARC_NET_WINDOW_OVERLAP : 0.0;
    double high =
        w + 1 < net->n_windows ? w + 1 + 0.5 * ARC_NET_WINDOW_OVERLAP : (double)net->n_windows;
    *middle = (low + high) / net->n_windows - 1.0;
    return net->n_windows / (high - low);
}

/* The window on the left of the edge nearest to tau, and t there. */
static int left_window(const ArcNet *net, double tau, double *t)
{
    double p = 0.5 * net->n_windows * (tau + 1.0);
    double edge = fmin(fmax(round(p), 1.0), net->n_windows - 1.0); /* a NaN goes to the first */
    *t = (p - edge) / ARC_NET_WINDOW_OVERLAP + 0.5;
    if (*t < 0.0 || *t > 1.0)
        *t = *t < 0.0 ? 0.0 : 1.0;
    return (int)edge - 1;
}

/* B_w, B_w', B_w'' of the window on the left or, else, on the right of the edge. */
static void blend_of(const ArcNet *net, double t, bool is_left, double blend[3])
{
    double rate = 0.5 * net->n_windows / ARC_NET_WINDOW_OVERLAP;
    double sign = is_left ? -1.0 : 1.0, both = t * (1.0 - t);
    /* The lesser of S and 1 - S: from there the sum would lose digits. */
    double u = t < 0.5 ? t : 1.0 - t;
    double lesser = u * u * u * u * (35.0 + u * (-84.0 + u * (70.0 - u * 20.0)));
    blend[0] = (t < 0.5) == is_left ? 1.0 - lesser : lesser;
    blend[1] = sign * rate * 140.0 * both * both * both;
    blend[2] = sign * rate * rate * 420.0 * both * both * (1.0 - 2.0 * t);
}

/* The entries of M points, by counting. */
static void place_points(const ArcNet *net, ArcWindowsWork *work, int M, const double *tau)
{
    int *first = work->first, next[ARC_NET_MAX_WINDOWS];
    double t;
    memset(first, 0, sizeof work->first);
    for (int i = 0; i < M; i++) {
        int left = left_window(net, tau[i], &t);
        first[left + 1] += t != 1.0;
        first[left + 2] += t != 0.0;
    }
    for (int w = 0; w < net->n_windows; w++) {
        first[w + 1] += first[w];
        next[w] = first[w];
    }
    for (int i = 0; i < M; i++) {
        int left = left_window(net, tau[i], &t);
        for (int side = 0; side < 2; side++) {
            if (t == (side == 0 ? 1.0 : 0.0))
                continue;
            int entry = next[left + side]++;
            double middle, rate = rate_of(net, left + side, &middle);
            work->point[entry] = i;
            work->tau[entry] = rate * (tau[i] - middle);
            blend_of(net, t, side == 0, work->blend + 3 * (size_t)entry);
        }
    }
}

/* The pool's scratch from window w's entries on. */
static ArcNetWork work_of(const ArcNet *net, const ArcWindowsWork *work, int w)
{
    ArcNetWork own = *work->pool;
    size_t rows = 3 * (size_t)work->first[w];
    own.input += rows * (size_t)net->n_inputs;
    for (int l = 0; l < net->settings.n_hidden; l++) {
        own.layers[l].y += rows * (size_t)net->settings.widths[l];
        own.layers[l].partials += rows * (size_t)net->settings.widths[l];
    }
    return own;
}

/* Adds window w's jets, rows (3 entries, width), to all, (3M, n_columns), from `column` on. */
static void blend_rows(const ArcNet *net, const ArcWindowsWork *work, int w, int M, size_t width,
                       size_t column, size_t n_columns, double *all)
{
    int first = work->first[w], n = work->first[w + 1] - first;
    double middle, r = rate_of(net, w, &middle);
    size_t jet = (size_t)n * width, all_jet = (size_t)M * n_columns;
    for (int i = 0; i < n; i++) {
        const double *B = work->blend + 3 * (size_t)(first + i);
        const double *from = work->rows + (size_t)i * width;
        double *to = all + (size_t)work->point[first + i] * n_columns + column;
        for (size_t k = 0; k < width; k++) {
            double N0 = from[k], N1 = r * from[k + jet], N2 = r * r * from[k + 2 * jet];
            to[k] += B[0] * N0;
            to[k + all_jet] += B[1] * N0 + B[0] * N1;
            to[k + 2 * all_jet] += B[2] * N0 + 2.0 * B[1] * N1 + B[0] * N2;
        }
    }
}

/* Cotangents of window w's jets, into rows, from those of all outputs. */
static void unblend_bar(const ArcNet *net, const ArcWindowsWork *work, int w, int M,
                        const double *bar)
{
    int first = work->first[w], n = work->first[w + 1] - first;
    double middle, r = rate_of(net, w, &middle);
    size_t width = (size_t)net->n_outputs, jet = (size_t)n * width, all_jet = (size_t)M * width;
    for (int i = 0; i < n; i++) {
        const double *B = work->blend + 3 * (size_t)(first + i);
        const double *from = bar + (size_t)work->point[first + i] * width;
        double *to = work->rows + (size_t)i * width;
        for (size_t k = 0; k < width; k++) {
            double J0 = from[k], J1 = from[k + all_jet], J2 = from[k + 2 * all_jet];
            to[k] = B[0] * J0 + B[1] * J1 + B[2] * J2;
            to[k + jet] = r * (B[0] * J1 + 2.0 * B[1] * J2);
            to[k + 2 * jet] = r * r * B[0] * J2;
        }
    }
}

void arc_windows_forward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                         const double *tau, double *jets)
{
    assert(M >= 0 && M <= work->max_points);
    ArcWindowsWork *windows = work->windows;
    size_t n_outputs = (size_t)net->n_outputs;
    place_points(net, windows, M, tau);
    memset(jets, 0, 3 * (size_t)M * n_outputs * sizeof *jets);
    for (int w = 0; w < net->n_windows; w++) {
        ArcNetWork own = work_of(net, windows, w);
        take_weights(net, w, weights, windows->weights);
        arc_net_forward(net->window, &own, windows->weights,
                        windows->first[w + 1] - windows->first[w], windows->tau + windows->first[w],
                        windows->rows);
        blend_rows(net, windows, w, M, n_outputs, 0, n_outputs, jets);
    }
}

void arc_windows_features(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *tau, double *features)
{
    assert(M >= 0 && M <= work->max_points);
    ArcWindowsWork *windows = work->windows;
    size_t width = (size_t)arc_net_n_features(net->window);
    size_t n_columns = width * (size_t)net->n_windows;
    size_t n_hidden = arc_net_output_offset(net->window);
    place_points(net, windows, M, tau);
    memset(features, 0, 3 * (size_t)M * n_columns * sizeof *features);
    for (int w = 0; w < net->n_windows; w++) {
        ArcNetWork own = work_of(net, windows, w);
        arc_net_features(net->window, &own, weights + (size_t)w * n_hidden,
                         windows->first[w + 1] - windows->first[w],
                         windows->tau + windows->first[w], windows->rows);
        blend_rows(net, windows, w, M, width, (size_t)w * width, n_columns, features);
    }
}

void arc_windows_backward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *bar, double *gradient)
{
    ArcWindowsWork *windows = work->windows;
    double *own_gradient = windows->weights + net->window->n_weights;
    for (int w = 0; w < net->n_windows; w++) {
        ArcNetWork own = work_of(net, windows, w);
        take_weights(net, w, weights, windows->weights);
        unblend_bar(net, windows, w, M, bar);
        arc_net_backward(net->window, &own, windows->weights,
                         windows->first[w + 1] - windows->first[w], windows->rows, own_gradient);
        put_gradient(net, w, own_gradient, gradient);
    }
}

/* The first n of M elements to their points, which ascend, and zeros between them; n of them stand
 * at `from`, which may be `column` itself. */
static void scatter(int n, int M, const int *point, const double *from, double *column)
{
    int next = M;
    for (int i = n - 1; i >= 0; i--) {
        double value = from[i];
        for (int k = point[i] + 1; k < next; k++)
            column[k] = 0.0;
        next = point[i];
        column[next] = value;
    }
    for (int k = 0; k < next; k++)
        column[k] = 0.0;
}

void arc_windows_jacobian(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *bar, double *J, size_t ld)
{
    ArcWindowsWork *windows = work->windows;
    size_t n_hidden = arc_net_output_offset(net->window);
    int features = arc_net_n_features(net->window);
    for (int w = 0; w < net->n_windows; w++) {
        int n = windows->first[w + 1] - windows->first[w];
        const int *point = windows->point + windows->first[w];
        double *J_hidden = J + (size_t)w * n_hidden * ld,
               *J_output = J + arc_net_output_offset(net) * ld;
        ArcNetWork own = work_of(net, windows, w);
        take_weights(net, w, weights, windows->weights);
        unblend_bar(net, windows, w, M, bar);
        arc_net_jacobian_apart(net->window, &own, windows->weights, n, windows->rows, J_hidden, ld,
                               windows->output, (size_t)n);
        for (size_t k = 0; k < n_hidden; k++)
            scatter(n, M, point, J_hidden + k * ld, J_hidden + k * ld);
        for (int o = 0; o < net->n_outputs; o++)
            for (int j = 0; j < features; j++)
                scatter(n, M, point,
                        windows->output +
                            arc_windows_output_place(net->window, 0, o, j) * (size_t)n,
                        J_output + arc_windows_output_place(net, w, o, j) * ld);
    }
}
