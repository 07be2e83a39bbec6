/* What an experiment names around its flight, as lines and points: targets, the bounce's plane. */
#ifndef ARC_FIGURE_TARGETS_H
#define ARC_FIGURE_TARGETS_H

#include "figure/path.h"
#include "figure/points.h"

/* What a picture of the flight spans, a row an axis of the capture. */
typedef struct ArcFlightBox {
    double low_m[3], high_m[3];
} ArcFlightBox;

/* Of paths and points, and of targets that are places, with a margin of 5 %. */
ArcFlightBox arc_flight_box(const ArcMaker *maker, int n_paths, const ArcPath *const *paths,
                            const ArcPoints *points);

/* Adds them to a view along axes a and b; c < 0: in a plane, else in space. A plane that lies in
 * the picture's is left out. */
void arc_targets_add(ArcMaker *maker, const ArcFlightBox *extent, const int axes[3]);

/* The levels of axis as lines over a span of time. */
void arc_targets_add_in_time(ArcMaker *maker, int axis, double from_s, double to_s);

#endif
