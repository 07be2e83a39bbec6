/* See hardly.h. */
#include "report/hardly.h"

#include <math.h>
#include <string.h>

static const double most_share = 1.0 / 3, most_depth_share = 0.25;

/* Of parameters that multiply something: their neutral value says nothing of 0. */
static bool is_factor(const char *name)
{
    static const char *const factors[] = {"gravity", "scale", "clock_rate", "focal"};
    const char *dot = strrchr(name, '.'), *own = dot == NULL ? name : dot + 1;
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
        if (strcmp(own, factors[i]) == 0)
            return true;
    return false;
}

/* A drag coefficient whose sd is as large as itself and as what is usual. */
static bool is_unknown_drag(const ArcEstimate *e)
{
    double usual = strcmp(e->name, "cd") == 0 ? 0.5 : strcmp(e->name, "k") == 0 ? 0.02 : INFINITY;
    return e->sd >= fmax(usual, fabs(e->value));
}

/* 0, 1, 2 for x0, y0, z0; -1: none of them. */
static int axis_of(const char *name)
{
    static const char axes[] = "xyz";
    const char *axis = name[0] == '\0' ? NULL : strchr(axes, name[0]);
    return axis != NULL && strcmp(name + 1, "0") == 0 ? (int)(axis - axes) : -1;
}

/* From the release to the nearest camera, which stands at -R' t; infinite where there is none. */
static double camera_distance(const ArcFit *fit, const ArcCapture *capture)
{
    double release_m[3] = {NAN, NAN, NAN}, least = INFINITY;
    for (int p = 0; p < fit->n_parameters; p++) {
        int axis = axis_of(fit->parameters[p].name);
        if (axis >= 0)
            release_m[axis] = fit->parameters[p].value;
    }
    for (int c = 0; capture != NULL && c < capture->n_cameras; c++) {
        const ArcCamera *camera = &capture->cameras[c];
        double square = 0.0;
        if (arc_camera_dimensions(camera) != 3)
            continue;
        for (int i = 0; i < 3; i++) { /* |x0 + R' t| = |R x0 + t| */
            double off = camera->translation_m[i];
            for (int k = 0; k < 3; k++)
                off += camera->rotation[3 * i + k] * release_m[k];
            square += off * off;
        }
        least = fmin(least, sqrt(square));
    }
    return least;
}

const char *arc_hardly_known(const ArcFit *fit, int parameter, const ArcCapture *capture)
{
    const ArcEstimate *e = &fit->parameters[parameter];
    if (e->status != ARC_PARAMETER_FREE || !isfinite(e->sd))
        return NULL;
    if (is_factor(e->name) && e->sd >= most_share * fabs(e->value))
        return "its sd is a third of it or more";
    if (is_unknown_drag(e))
        return "its sd is as large as the number";
    if (axis_of(e->name) >= 0 && e->sd >= most_depth_share * camera_distance(fit, capture))
        return "its sd is a quarter of the distance to the camera or more";
    return NULL;
}
