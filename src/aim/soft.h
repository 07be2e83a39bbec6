/* How nearly a throw hits, smoothly: a hit test whose edge has a width.
 *
 *   soft = 1 / (1 + exp(-margin / width)),   margin = gap - distance
 *
 * of a hoop the clearance (clearance.h): how much room is left between ball and rim, below 0 as far
 * as it fails; of an area its clearance; of a point the ball's radius (1 cm without a ball) less
 * the miss. With contact it is R - |offset| where the touched ball comes down (touch.h). Width -> 0
 * gives the hit test itself: 1 in, 0 out. Far out soft is 0 to rounding, its logarithm goes on
 * falling with the miss, which is what a search is to climb.
 */
#ifndef ARC_AIM_SOFT_H
#define ARC_AIM_SOFT_H

#include "aim/touch.h"

/* soft and its logarithm, and their slopes by the margin. */
typedef struct ArcSoft {
    double value, by_margin;
    double log, log_by_margin;
} ArcSoft;

/* width_m > 0. */
ArcSoft arc_soft_of(double margin_m, double width_m);

typedef struct ArcSoftHit {
    double margin_m;
    double by_margin[ARC_MAX_PARAMETERS]; /* of margin_m by the parameters */
    ArcSoft soft;
} ArcSoftHit;

/* The ball's way of missing in metres over which a soft hit turns over, where none is asked for: a
 * tenth of the gap between ball and rim, of the area's smallest half, of a point's radius. */
double arc_soft_width(const ArcExperiment *experiment);

/* Of a throw: touch NULL: of a clean hit. by_* where partials are wanted. False where the throw
 * cannot be followed to its goal. */
bool arc_soft_hit(ArcShot *shot, ArcTouch *touch, const double *values, bool partials,
                  double width_m, ArcSoftHit *hit);

#endif
