/* Cameras: from a position in metres to a pixel, with partials, and back.
 *
 * A pixel (u, v) has its origin at the upper left; the centre of the first pixel is (0, 0), v
 * points down. A plane camera (d = 2) sees one plane, in which x points forward and y up; a space
 * camera (d = 3) sees all that lies in front of it. K, R, t are a space camera's matrix and pose.
 *
 *   scale       u = u0 + (x cos a - y sin a) / m,  v = v0 - (x sin a + y cos a) / m
 *               m metres per pixel, (u0, v0) the pixel of (0, 0), a from the image's rows, turning
 *               from right to up, to the x axis
 *   homography  u = (h1 x + h2 y + h3) / w,  v = (h4 x + h5 y + h6) / w,  w = h7 x + h8 y + h9 > 0
 *   pinhole     c = R X + t, c3 > 0 the depth;  n = (c1 / c3, c2 / c3);  (a, b) = lens(n)
 *               u = fx a + skew b + cx,  v = fy b + cy
 *   fisheye     the same with another lens
 *   dlt         u = (L1 x + L2 y + L3 z + L4) / w,  v = (L5 x + .. + L8) / w,
 *               w = L9 x + L10 y + L11 z + 1: taken apart into K, R and t without a lens; where the
 *               world is mirrored (z down in a world said to be z up), R is a reflection
 *
 * The lens of a pinhole has the first 4, 5, 8, 12 or 14 of k1 k2 p1 p2 k3 k4 k5 k6 s1 s2 s3 s4
 * tau_x tau_y, that of a fisheye k1 to k4, in OpenCV's order and sense (OpenCV documentation,
 * calib3d and fisheye; equations in src/physics/distortion.h). A lens's equation holds to where it
 * first stops to grow outwards; what lies beyond is not projected.
 *
 * Corrections are what is found out about a camera beyond its calibration, all in a row:
 *
 *   scale (1)         the calibration's unit of length in metres: too long a stick is < 1
 *   roll (0)          rad: the camera turned clockwise, seen from behind it, about its optical axis
 *                     (a plane camera: about the plane's normal through (0, 0)); what it sees turns
 *                     the other way. For a space camera the same as rz: free one of the two
 *   x y z (0)         m: where the camera (a plane camera: the plane's origin) stands too far
 *   rx ry rz (0)      rad, space cameras alone: a rotation vector about the camera's own axes (x to
 *                     the right, y down, z forward), by which it is turned
 *   focal (1)         space cameras alone: a factor of fx, fy and skew
 *
 * Space:  c = Q (R (X - (x, y, z)) + scale t),  Q = exp(-[(rx, ry, rz + roll)] x).
 * Plane:  the camera takes A (X - (x, y)) / scale for X, A the rotation by roll from x to y.
 *
 * A ball of radius r has the apparent radius of the circle of the same area as its outline, which
 * is an ellipse: with the depth z and the distance D of its centre the semi-axes in n are r /
 * sqrt(z^2 - r^2) and r sqrt(D^2 - r^2) / (z^2 - r^2) (the cone of rays that touch it; on the axis
 * f r / z to 2nd order). A lens widens it as at the centre. The centre of that ellipse lies r^2 /
 * z^2 further out than the pixel of the ball's centre. A plane camera: the disc in the plane.
 */
#ifndef ARCFIT_CAMERA_H
#define ARCFIT_CAMERA_H

#include "arcfit/error.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum { ARC_LENS_COEFFICIENTS = 14 };

typedef enum ArcCameraKind {
    ARC_CAMERA_SCALE,
    ARC_CAMERA_HOMOGRAPHY,
    ARC_CAMERA_DLT,
    ARC_CAMERA_PINHOLE,
    ARC_CAMERA_FISHEYE
} ArcCameraKind;

/* The order of a camera's corrections. */
typedef enum ArcCorrection {
    ARC_CORRECTION_SCALE,
    ARC_CORRECTION_ROLL,
    ARC_CORRECTION_X,
    ARC_CORRECTION_Y,
    ARC_CORRECTION_Z,
    ARC_CORRECTION_RX,
    ARC_CORRECTION_RY,
    ARC_CORRECTION_RZ,
    ARC_CORRECTION_FOCAL,
    ARC_N_CORRECTIONS
} ArcCorrection;

/* A camera by value. Fill the fields of its kind and call arc_camera_check, which fills those at
 * the end, or take one of the makers below. Matrices are (3, 3) row-major. */
typedef struct ArcCamera {
    const char *name; /* borrowed; "" where it has none */
    ArcCameraKind kind;
    int width_px, height_px;         /* of the image; 0 where not known */
    double metres_per_px, angle_rad; /* scale */
    double origin_px[2];             /* scale */
    double homography[9];            /* homography; of a scale it is filled in */
    double focal_px[2], skew_px;     /* space cameras, from here */
    double centre_px[2];
    double rotation[9], translation_m[3];
    int n_lens;
    double lens[ARC_LENS_COEFFICIENTS];
    double reach; /* filled in: the lens holds for |n|^2 < reach */
} ArcCamera;

/* A ball in an image. Rows of the partials: u, v, radius; columns of by_position: x, y(, z). */
typedef struct ArcProjection {
    double pixel_px[2], radius_px;
    double by_position[3][3];
    double by_correction[3][ARC_N_CORRECTIONS];
} ArcProjection;

/* "scale", "homography", "dlt", "pinhole", "fisheye". */
const char *arc_camera_kind_text(ArcCameraKind kind);

/* The value that corrects nothing: 1 of scale and focal, else 0. */
double arc_correction_neutral(ArcCorrection correction);

/* Whether the camera has this correction: a plane camera has scale, roll, x and y. */
bool arc_camera_has_correction(const ArcCamera *camera, ArcCorrection correction);

/* 2 or 3: what a position has. */
int arc_camera_dimensions(const ArcCamera *camera);

/* Checks a camera and fills in what follows: the homography of a scale, the lens's reach, a
 * rotation made one to the last digit. ARC_INPUT: a value that is not finite, no size or focal
 * length, a number of lens coefficients that there is none with, a homography that is singular, a
 * rotation that is none (by more than 1e-3) or a reflection; the text tells the value. */
ArcStatus arc_camera_check(ArcCamera *camera, ArcError *err);

/* A stick of known length in the picture of a plane. */
typedef struct ArcStick {
    double from_px[2], to_px[2];
    double length_m;
    double angle_rad; /* above the world's x axis (0 level, pi/2 plumb); NaN: the image's rows are
                       * level */
} ArcStick;

/* A plane camera by a stick; origin_px: where (0, 0) is seen. ARC_INPUT: no length. */
ArcStatus arc_camera_from_stick(const ArcStick *stick, const double origin_px[2], ArcCamera *camera,
                                ArcError *err);

/* A space camera by the coefficients L1 to L11 in the pixels of this header. is_behind: the world's
 * origin lies behind the camera; else in front, as what it was calibrated with. ARC_INPUT:
 * singular.
 */
ArcStatus arc_camera_from_dlt(const double coefficients[11], bool is_behind, ArcCamera *camera,
                              ArcError *err);

/* K as a calibration writes it: [fx skew cx; 0 fy cy; 0 0 1]. ARC_INPUT where it is not of that
 * form; a transposed one is said to be so. */
ArcStatus arc_camera_set_matrix(ArcCamera *camera, const double matrix[9], ArcError *err);

/* R by a rotation vector (axis times angle in rad; Rodrigues). */
void arc_camera_set_rotation(ArcCamera *camera, const double vector_rad[3]);

/* Position (d) to pixel. corrections (ARC_N_CORRECTIONS) may be NULL: none. ball_radius_m 0: no
 * radius. False, and out untouched, where the camera cannot see it: behind it, beyond the lens's
 * reach, a position that is not finite, or a ball that the camera stands in. */
bool arc_camera_project(const ArcCamera *camera, const double *corrections,
                        const double *position_m, double ball_radius_m, ArcProjection *out);

/* The camera with its corrections built in; a scale becomes a homography. */
ArcCamera arc_camera_corrected(const ArcCamera *camera, const double *corrections);

/* A space camera: pixel to n = (c1 / c3, c2 / c3), by Newton's method. False where no n within the
 * lens's reach has this pixel. */
bool arc_camera_undistort(const ArcCamera *camera, const double pixel_px[2], double normal[2]);

/* The line (a plane camera: the point) that a pixel sees, as equations linear in the position:
 * rows (2, d + 1) with rows (X, 1) = 0. depth (d + 1): depth (X, 1) is how far X lies in front, and
 * rows (X, 1) / depth (X, 1) is the projection of X minus the pixel, to first order. False as
 * above. */
bool arc_camera_rows(const ArcCamera *camera, const double pixel_px[2], double rows[2][4],
                     double depth[4]);

/* The position (d) that n pixels (n, 2) of as many cameras see, by least squares of the pixels over
 * sigma_px (n); covariance (d, d) row-major may be NULL. One plane camera is enough; in space it
 * takes two. ARC_INPUT: cameras of a plane and of space together. ARC_NUMERIC: a pixel outside the
 * lens, rays that are parallel, a position behind a camera. */
ArcStatus arc_camera_triangulate(int n, const ArcCamera *const *cameras, const double *pixels_px,
                                 const double *sigma_px, double *position_m, double *covariance_m2,
                                 ArcError *err);

#pragma GCC visibility pop

#endif
