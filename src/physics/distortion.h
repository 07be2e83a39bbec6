/* Lenses: how the ideal image n = (x, y) = (c1 / c3, c2 / c3) is bent, with partials.
 *
 * Pinhole, q = x^2 + y^2:
 *
 *   g  = (1 + k1 q + k2 q^2 + k3 q^3) / (1 + k4 q + k5 q^2 + k6 q^3)
 *   a' = x g + 2 p1 x y + p2 (q + 2 x^2) + s1 q + s2 q^2
 *   b' = y g + p1 (q + 2 y^2) + 2 p2 x y + s3 q + s4 q^2
 *
 * and where the sensor is tilted (tau_x, tau_y), with T = Ry Rx its rotation,
 *
 *   T = [cy, sy sx, -sy cx; 0, cx, sx; sy, -cy sx, cy cx]   c, s of tau_x, tau_y
 *   (p, w) = [T33, 0, -T13; 0, T33, -T23; 0, 0, 1] T (a', b', 1),   (a, b) = p / w
 *
 * Fisheye, theta = atan(r), r = sqrt(q):
 *
 *   (a, b) = (x, y) theta (1 + k1 theta^2 + k2 theta^4 + k3 theta^6 + k4 theta^8) / r
 *
 * Source: OpenCV documentation, modules calib3d and fisheye; the first after D. C. Brown,
 * Photogrammetric Engineering 32 (1966) 444, the second after Kannala and Brandt, IEEE TPAMI 28
 * (2006) 1335. Beyond the reach, where r g or theta(1 + ..) first stops to grow with r, the same
 * point of the image would be met twice.
 */
#ifndef ARC_PHYSICS_DISTORTION_H
#define ARC_PHYSICS_DISTORTION_H

#include "arcfit/camera.h"

/* What a lens does at one point. det is that of first, > 0. */
typedef struct ArcLensPoint {
    double value[2];
    double first[2][2]; /* by x, y */
    double det, det_by[2];
} ArcLensPoint;

/* How many coefficients there are lenses with: "0, 4, 5, 8, 12 or 14"; false for another number. */
bool arc_lens_has(ArcCameraKind kind, int n_coefficients);

/* The reach of the camera's lens, as |n|^2; infinite where there is no end; 0 where there is no
 * image at all. */
double arc_lens_reach(const ArcCamera *camera);

/* False beyond the reach and where the image folds over. */
bool arc_lens_bend(const ArcCamera *camera, double x, double y, ArcLensPoint *out);

/* The n that is bent to (a, b): the radial part by bisection, then Newton's method. False where
 * there is none within the reach. */
bool arc_lens_straighten(const ArcCamera *camera, const double bent[2], double n[2]);

#endif
