/* Surfaces that a flight may meet, as the simulator's events (event.h). */
#ifndef ARC_FIT_SURFACE_H
#define ARC_FIT_SURFACE_H

#include "arcfit/flight.h"
#include "sim/event.h"

typedef enum ArcSurfaceKind {
    ARC_SURFACE_PLANE, /* g = x[axis] - level_m */
    ARC_SURFACE_TURN,  /* g = v[axis] */
    ARC_SURFACE_POINT  /* g = (x - point_m) . v: rising at the closest approach */
} ArcSurfaceKind;

typedef struct ArcSurface {
    ArcSurfaceKind kind;
    int d, D; /* dimensions and coordinates of the flight */
    int axis;
    double level_m;
    double point_m[3];
} ArcSurface;

ArcSurface arc_surface_plane(const ArcFlight *flight, ArcPlane plane);
ArcSurface arc_surface_turn(const ArcFlight *flight, int axis);
ArcSurface arc_surface_point(const ArcFlight *flight, const double *point_m);

/* The event of meeting it; borrows surface. */
ArcSimEvent arc_surface_event(const ArcSurface *surface, ArcSimDirection direction);

#endif
