/* Parameter rows of the laws: name, unit, default, range and doc of each. */
#ifndef ARC_PHYSICS_LAWS_H
#define ARC_PHYSICS_LAWS_H

#include "arcfit/flight.h"

typedef struct ArcParameterRows {
    int n;
    const ArcParameterInfo *infos;
} ArcParameterRows;

/* In the flight's order; n is 0 for a law without. */
const ArcParameterRows *arc_drag_parameters(ArcDrag drag);
const ArcParameterRows *arc_lift_parameters(ArcLift lift);
const ArcParameterRows *arc_spin_decay_parameters(ArcSpinDecay decay);

/* Of gravity's size (1), then of its tilt about x, y and z. The default of its size is the
 * settings'. */
const ArcParameterRows *arc_gravity_parameters(void);
const ArcParameterRows *arc_tilt_parameters(int dimensions);

/* Of the rotation: plane spin, space wx wy wz. */
const ArcParameterRows *arc_spin_parameters(int dimensions);

#endif
