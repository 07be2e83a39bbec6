/* The surfaces' g with its partials. */
#include "fit/surface.h"

#include <string.h>

ArcSurface arc_surface_plane(const ArcFlight *flight, ArcPlane plane)
{
    return (ArcSurface){.kind = ARC_SURFACE_PLANE,
                        .d = flight->settings.dimensions,
                        .D = flight->n_coordinates,
                        .axis = plane.axis,
                        .level_m = plane.level_m};
}

ArcSurface arc_surface_turn(const ArcFlight *flight, int axis)
{
    return (ArcSurface){.kind = ARC_SURFACE_TURN,
                        .d = flight->settings.dimensions,
                        .D = flight->n_coordinates,
                        .axis = axis};
}

ArcSurface arc_surface_point(const ArcFlight *flight, const double *point_m)
{
    ArcSurface surface = {
        .kind = ARC_SURFACE_POINT, .d = flight->settings.dimensions, .D = flight->n_coordinates};
    memcpy(surface.point_m, point_m, sizeof(double) * (size_t)surface.d);
    return surface;
}

static double surface_value(const void *context, double t, const double *x, const double *v,
                            double *g_t, double *g_x, double *g_v)
{
    (void)t;
    const ArcSurface *surface = context;
    double g = 0.0;
    *g_t = 0.0;
    for (int c = 0; c < surface->D; c++)
        g_x[c] = g_v[c] = 0.0;
    switch (surface->kind) {
    case ARC_SURFACE_PLANE:
        g_x[surface->axis] = 1.0;
        return x[surface->axis] - surface->level_m;
    case ARC_SURFACE_TURN:
        g_v[surface->axis] = 1.0;
        return v[surface->axis];
    case ARC_SURFACE_POINT:
        break;
    }
    for (int c = 0; c < surface->d; c++) {
        double off = x[c] - surface->point_m[c];
        g += off * v[c];
        g_x[c] = v[c];
        g_v[c] = off;
    }
    return g;
}

ArcSimEvent arc_surface_event(const ArcSurface *surface, ArcSimDirection direction)
{
    return (ArcSimEvent){surface, surface_value, direction};
}
