/* Parameter rows of the laws: name, unit, default, range and doc of each. */
#ifndef ARC_PHYSICS_LAWS_H
#define ARC_PHYSICS_LAWS_H

#include "arcfit/flight.h"

/* The law's one coefficient; NULL for a law without. */
const ArcParameterInfo *arc_drag_parameter(ArcDrag drag);
const ArcParameterInfo *arc_lift_parameter(ArcLift lift);

/* The n rows of the rotation: plane spin, space wx wy wz. */
const ArcParameterInfo *arc_spin_parameters(int dimensions, int *n);

#endif
