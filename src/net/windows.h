/* Nets with windows of time: each function does what arc_net_* of the same name (net.h) does, for a
 * net whose `window` is set. Private to this folder. */
#ifndef ARC_NET_WINDOWS_H
#define ARC_NET_WINDOWS_H

#include "net/layers.h"

/* False on exhaustion. */
bool arc_windows_work_alloc(const ArcNet *net, size_t max_points, ArcArena *arena,
                            ArcNetWork *work);

/* Where, from the output layer's first weight on, the weight of output o for feature j of window w
 * stands; j = H: its bias. Of any net. */
size_t arc_windows_output_place(const ArcNet *net, int w, int o, int j);

void arc_windows_forward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                         const double *tau, double *jets);
void arc_windows_features(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *tau, double *features);
void arc_windows_backward(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *bar, double *gradient);
void arc_windows_jacobian(const ArcNet *net, ArcNetWork *work, const double *weights, int M,
                          const double *bar, double *J, size_t ld);

#endif
