/* Release position and velocity from pixels: a vacuum parabola seen by one or more cameras.
 *
 * X(s) = x0 + v0 s + g s^2 / 2, s = t - t0. Each pixel gives two equations linear in X
 * (arc_camera_rows), which are linear in (x0, v0), and in g too where it is not known. They are
 * solved by weighted least squares, the first time as they stand, then divided by the depth that
 * came out, so that they count pixels; a few steps of Gauss-Newton on the pixels themselves take
 * off what is left of their bias (noise in the equations' factors pulls the ball towards the
 * camera).
 *
 * One space camera tells distance by gravity alone: with g unknown it never does. Plane cameras
 * give g in the unit of their calibration, |g| / 9.81 of it is the scale: gravity as ruler.
 */
#ifndef ARC_FIT_START_PIXELS_H
#define ARC_FIT_START_PIXELS_H

#include "arcfit/camera.h"
#include "base/arena.h"

/* A pixel of one camera; where u or v is NaN, or no place of the lens, it is passed over. */
typedef struct ArcSighting {
    const ArcCamera *camera;
    double time_s;
    double pixel_px[2], sigma_px;
} ArcSighting;

/* What is seen; all borrowed. Cameras are all of a plane or all of space. */
typedef struct ArcSightings {
    int n;
    const ArcSighting *sightings;
    double t0_s;
    const double *gravity_m_s2; /* (2 or 3); NULL: unknown */
    bool is_robust;             /* the least absolute deviations, nearly, in the place of squares */
} ArcSightings;

typedef struct ArcPixelParabola {
    double position_m[3], velocity_m_s[3];
    double gravity_m_s2[3]; /* as given, or as found */
    double relative_sd; /* of the least certain direction, over the mean depth (a plane: over the
                         * extent of the flight) */
    bool is_determined; /* relative_sd < 1/3 */
} ArcPixelParabola;

/* ARC_NUMERIC: too few pixels, or pixels that determine nothing at all; the text tells what is
 * missing. ARC_MEMORY. */
ArcStatus arc_start_from_pixels(const ArcSightings *seen, ArcPixelParabola *parabola,
                                ArcArena *scratch, ArcError *err);

#endif
