/* Batched evaluation of the perceptron: value, first and second time derivative of M points at
 * once, and the reverse pass of all three.
 *
 * Rows are stacked: a (3M, H) row-major matrix holds the values of the M points, then their first,
 * then their second derivatives with respect to tau, so that a layer is one matrix product (in
 * blocks of rows, products.h). With z the pre-activation and s = sigma:
 *   y = s(z)   y' = s'(z) z'   y'' = s'(z) z'' + s''(z) z'^2
 * and, for cotangents Y, Y', Y'' of the layer's output, those of its input are
 *   Z'' = s' Y''      Z' = s' Y' + 2 s'' z' Y''
 *   Z = s' Y + s'' z' Y' + (s'' z'' + s''' z'^2) Y''
 *
 * Equal input gives equal bits on one machine with one number of BLAS threads (they change the
 * order of sums: set one). With one hidden layer and no waves a point's features do not depend on
 * the other points of the batch; what passes through DGEMM does, by rounding. A NaN among the
 * weights or times comes out as NaN jets. Evaluations take no memory. M is 0 to max_points.
 *
 * A net with windows evaluates each window at the points inside it, which may come in any order; a
 * point lies in two at most.
 */
#ifndef ARC_NET_NET_H
#define ARC_NET_NET_H

#include "arcfit/net.h"
#include "base/arena.h"
#include "base/random.h"

typedef struct ArcNet ArcNet;         /* shape only; const once made */
typedef struct ArcNetWork ArcNetWork; /* scratch of one thread */

/* Lives in the arena. ARC_INPUT for widths or counts out of range; ARC_MEMORY. */
ArcStatus arc_net_create(const ArcNetSettings *settings, int n_outputs, ArcArena *arena,
                         ArcNet **net, ArcError *err);

size_t arc_net_n_weights(const ArcNet *net);

/* Columns of the feature matrix: last hidden layer's width + 1 (the bias), times the windows. The
 * last column is the bias, with windows that of the last one. */
int arc_net_n_features(const ArcNet *net);

/* Index of the output layer's first weight; it holds n_outputs x (n_features - 1) weights, then
 * the n_outputs of the last feature. */
size_t arc_net_output_offset(const ArcNet *net);

/* Draws all weights; output weights of SPREAD are zero. weights (n_weights). */
void arc_net_init(const ArcNet *net, ArcRandom *random, double *weights);

/* Room for max_points points, in the arena. */
ArcStatus arc_net_work_create(const ArcNet *net, int max_points, ArcArena *arena, ArcNetWork **work,
                              ArcError *err);

/* tau (M) -> jets (3M, n_outputs). Keeps what the reverse pass needs in work. */
void arc_net_forward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                     const double *tau, double *jets);

/* Jets of the last hidden layer with the bias as last column, with windows of each window's times
 * its B_w, side by side: features (3M, n_features);
 * jets = features * output weights. Does not use the output layer's weights. */
void arc_net_features(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                      const double *tau, double *features);

/* After arc_net_forward at the same M: gradient (n_weights) of sum(bar .* jets), overwritten.
 * bar (3M, n_outputs). */
void arc_net_backward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                      const double *bar, double *gradient);

/* The same for each point apart: column-major J with leading dimension ld >= M,
 * J[i + j ld] = d/dw_j of sum over the three jets and the outputs of bar .* jets at point i. */
void arc_net_jacobian(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                      const double *bar, double *J, size_t ld);

#endif
