/* The points of a flight as they are drawn: where the ball was by each, and what became of it. */
#ifndef ARC_FIGURE_POINTS_H
#define ARC_FIGURE_POINTS_H

#include "figure/maker.h"

typedef enum ArcPointKind {
    ARC_POINT_KIND_NONE, /* unused: not drawn */
    ARC_POINT_KIND_FITTED,
    ARC_POINT_KIND_HELD_OUT,
    ARC_POINT_KIND_OUTLIER, /* a fitted one that lies further off than noise would carry it */
    ARC_N_POINT_KINDS
} ArcPointKind;

/* All points of the capture; position_m (n, d) is NaN where it is not known. */
typedef struct ArcPoints {
    int n, d;
    const double *time_s, *position_m;
    const ArcPointKind *kind; /* (n) */
    const char *const *label; /* (n); NULL of those not drawn */
    int counts[ARC_N_POINT_KINDS];
    int n_seen; /* of those drawn: by cameras */
} ArcPoints;

/* By the fit that counts: through its cameras, clock and scale where the experiment is there, else
 * as the capture has them. ARC_MEMORY. */
ArcStatus arc_maker_points(ArcMaker *maker, ArcPoints *points, ArcError *err);

/* A series each of fitted ones, held out ones and outliers; axes as arc_path_add_line. */
void arc_points_add(ArcMaker *maker, const ArcPoints *points, const int axes[3]);

/* "41 fitted points, 3 held out, 1 outlier" into the arena; "no points" of none. */
const char *arc_points_words(ArcMaker *maker, const ArcPoints *points);

#endif
