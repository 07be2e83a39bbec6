/* Projection with its partials, and the lines that pixels see.
 *
 * Space, with y = R (X - o) + s t, Q = exp(-[f]), c = Q y, o the correction of the place, s the
 * scale, f the rotation's correction:
 *
 *   dc/dX = Q R,  dc/do = -Q R,  dc/ds = Q t,  dc/df = [c] J(-f)      (J: matrix3.h)
 *
 * n = (c1, c2) / c3, dn/dc = (I, -n) / c3; the lens and its Jacobian (distortion.h); K. The
 * apparent radius is F sqrt(fx fy det) b with det the lens's and, by the outline's semi-axes,
 *
 *   b^2 = r^2 sqrt(D^2 - r^2) / (z^2 - r^2)^(3/2),
 *   d ln b / dc = c / (2 (D^2 - r^2)) - (0, 0, 3 z / (2 (z^2 - r^2))).
 *
 * Plane, with p = A (X - o) / s and w = h7 p1 + h8 p2 + h9: u = (h1 p1 + h2 p2 + h3) / w,
 * du/dp = (h1 - u h7, h2 - u h8) / w; a disc of radius r has an area times |det H| / (s^2 w^3).
 */
#include "arcfit/camera.h"

#include "physics/distortion.h"
#include "physics/matrix3.h"

#include <math.h>
#include <string.h>

static const double no_correction[ARC_N_CORRECTIONS] = {1, 0, 0, 0, 0, 0, 0, 0, 1};

static bool project_plane(const ArcCamera *camera, const double *change, const double *x,
                          double radius_m, ArcProjection *out)
{
    const double *h = camera->homography;
    double s = change[ARC_CORRECTION_SCALE], roll = change[ARC_CORRECTION_ROLL];
    double c = cos(roll) / s, d = sin(roll) / s;
    double from[2] = {x[0] - change[ARC_CORRECTION_X], x[1] - change[ARC_CORRECTION_Y]};
    double p[2] = {c * from[0] - d * from[1], d * from[0] + c * from[1]};
    double w = h[6] * p[0] + h[7] * p[1] + h[8];
    if (!(w > 0) || !isfinite(w))
        return false;
    ArcProjection to = {0};
    double by[3][2]; /* u, v and radius by p */
    for (int i = 0; i < 2; i++) {
        to.pixel_px[i] = (h[3 * i] * p[0] + h[3 * i + 1] * p[1] + h[3 * i + 2]) / w;
        for (int k = 0; k < 2; k++)
            by[i][k] = (h[3 * i + k] - to.pixel_px[i] * h[6 + k]) / w;
    }
    if (radius_m > 0)
        to.radius_px = radius_m / s * sqrt(fabs(arc_matrix3_determinant(h)) / w) / w;
    for (int k = 0; k < 2; k++)
        by[2][k] = -1.5 * to.radius_px / w * h[6 + k];
    for (int i = 0; i < 3; i++) {
        double *row = to.by_correction[i];
        to.by_position[i][0] = c * by[i][0] + d * by[i][1];
        to.by_position[i][1] = -d * by[i][0] + c * by[i][1];
        row[ARC_CORRECTION_X] = -to.by_position[i][0];
        row[ARC_CORRECTION_Y] = -to.by_position[i][1];
        row[ARC_CORRECTION_SCALE] =
            -(p[0] * by[i][0] + p[1] * by[i][1]) / s - (i == 2 ? to.radius_px / s : 0);
        row[ARC_CORRECTION_ROLL] = -p[1] * by[i][0] + p[0] * by[i][1];
    }
    *out = to;
    return true;
}

/* The camera's coordinates c of X with their partials. */
typedef struct Seen {
    double c[3];
    double by_x[9], by_scale[3], by_turn[9];
} Seen;

static void see(const ArcCamera *camera, const double *change, const double *x, Seen *seen)
{
    double s = change[ARC_CORRECTION_SCALE], y[3], from[3], back[3], q[9], slope[9];
    for (int k = 0; k < 3; k++) {
        from[k] = x[k] - change[ARC_CORRECTION_X + k];
        back[k] = -change[ARC_CORRECTION_RX + k] - (k == 2 ? change[ARC_CORRECTION_ROLL] : 0);
    }
    arc_matrix3_apply(camera->rotation, from, y);
    for (int k = 0; k < 3; k++)
        y[k] += s * camera->translation_m[k];
    arc_rotation_matrix(back, q);
    arc_rotation_slope(back, slope);
    arc_matrix3_apply(q, y, seen->c);
    arc_matrix3_multiply(q, camera->rotation, seen->by_x);
    arc_matrix3_apply(q, camera->translation_m, seen->by_scale);
    const double *c = seen->c;
    const double cross[9] = {0, -c[2], c[1], c[2], 0, -c[0], -c[1], c[0], 0};
    arc_matrix3_multiply(cross, slope, seen->by_turn);
}

/* The apparent radius, and its partials by c into by. False where the camera stands in the ball. */
static bool outline(const ArcCamera *camera, const double *c, const ArcLensPoint *lens, double r,
                    double *radius_px, double by[3])
{
    double depth2 = c[2] * c[2] - r * r, far2 = arc_vector3_dot(c, c) - r * r;
    if (!(depth2 > 0))
        return false;
    double b = r * sqrt(sqrt(far2 / depth2) / depth2);
    *radius_px = b * sqrt(camera->focal_px[0] * camera->focal_px[1] * lens->det);
    double by_n[2] = {0.5 * lens->det_by[0] / lens->det, 0.5 * lens->det_by[1] / lens->det};
    for (int k = 0; k < 3; k++) {
        double slope = k < 2 ? by_n[k] / c[2] : -(by_n[0] * c[0] + by_n[1] * c[1]) / (c[2] * c[2]);
        slope += 0.5 * c[k] / far2 - (k == 2 ? 1.5 * c[2] / depth2 : 0);
        by[k] = *radius_px * slope;
    }
    return true;
}

static bool project_space(const ArcCamera *camera, const double *change, const double *x,
                          double radius_m, ArcProjection *out)
{
    Seen seen;
    ArcLensPoint lens;
    double factor = change[ARC_CORRECTION_FOCAL], by[3][3] = {{0}};
    see(camera, change, x, &seen);
    double depth = seen.c[2], n[2] = {seen.c[0] / depth, seen.c[1] / depth};
    if (!(depth > 0) || !isfinite(depth) || !arc_lens_bend(camera, n[0], n[1], &lens))
        return false;
    ArcProjection to = {0};
    if (radius_m > 0 && !outline(camera, seen.c, &lens, radius_m, &to.radius_px, by[2]))
        return false;
    const double k[2][2] = {{camera->focal_px[0], camera->skew_px}, {0, camera->focal_px[1]}};
    for (int i = 0; i < 2; i++) {
        double from_centre = k[i][0] * lens.value[0] + k[i][1] * lens.value[1];
        to.pixel_px[i] = camera->centre_px[i] + factor * from_centre;
        to.by_correction[i][ARC_CORRECTION_FOCAL] = from_centre;
        for (int j = 0; j < 2; j++)
            by[i][j] = (k[i][0] * lens.first[0][j] + k[i][1] * lens.first[1][j]) / depth;
        by[i][2] = -(by[i][0] * n[0] + by[i][1] * n[1]);
    }
    to.by_correction[2][ARC_CORRECTION_FOCAL] = to.radius_px;
    to.radius_px *= factor;
    for (int i = 0; i < 3; i++) {
        double *row = to.by_correction[i];
        for (int j = 0; j < 3; j++)
            by[i][j] *= factor;
        for (int j = 0; j < 3; j++) {
            double by_x = 0, by_turn = 0;
            for (int m = 0; m < 3; m++) {
                by_x += by[i][m] * seen.by_x[3 * m + j];
                by_turn += by[i][m] * seen.by_turn[3 * m + j];
            }
            to.by_position[i][j] = by_x;
            row[ARC_CORRECTION_X + j] = -by_x;
            row[ARC_CORRECTION_RX + j] = by_turn;
        }
        row[ARC_CORRECTION_SCALE] = arc_vector3_dot(by[i], seen.by_scale);
        row[ARC_CORRECTION_ROLL] = row[ARC_CORRECTION_RZ];
    }
    *out = to;
    return true;
}

bool arc_camera_project(const ArcCamera *camera, const double *corrections,
                        const double *position_m, double ball_radius_m, ArcProjection *out)
{
    const double *change = corrections != NULL ? corrections : no_correction;
    return arc_camera_dimensions(camera) == 2
               ? project_plane(camera, change, position_m, ball_radius_m, out)
               : project_space(camera, change, position_m, ball_radius_m, out);
}

ArcCamera arc_camera_corrected(const ArcCamera *camera, const double *change)
{
    ArcCamera made = *camera;
    double s = change[ARC_CORRECTION_SCALE];
    const double *o = change + ARC_CORRECTION_X;
    if (arc_camera_dimensions(camera) == 2) {
        double roll = change[ARC_CORRECTION_ROLL], c = cos(roll) / s, d = sin(roll) / s;
        const double plane[9] = {c, -d, d * o[1] - c * o[0], d, c, -d * o[0] - c * o[1], 0, 0, 1};
        arc_matrix3_multiply(camera->homography, plane, made.homography);
        made.kind = ARC_CAMERA_HOMOGRAPHY;
        return made;
    }
    Seen seen;
    see(camera, change, (double[3]){0}, &seen);
    memcpy(made.rotation, seen.by_x, sizeof made.rotation);
    memcpy(made.translation_m, seen.c, sizeof made.translation_m);
    for (int i = 0; i < 2; i++)
        made.focal_px[i] *= change[ARC_CORRECTION_FOCAL];
    made.skew_px *= change[ARC_CORRECTION_FOCAL];
    return made;
}

bool arc_camera_undistort(const ArcCamera *camera, const double pixel_px[2], double normal[2])
{
    double bent[2];
    bent[1] = (pixel_px[1] - camera->centre_px[1]) / camera->focal_px[1];
    bent[0] =
        (pixel_px[0] - camera->centre_px[0] - camera->skew_px * bent[1]) / camera->focal_px[0];
    return arc_lens_straighten(camera, bent, normal);
}

bool arc_camera_rows(const ArcCamera *camera, const double pixel_px[2], double rows[2][4],
                     double depth[4])
{
    if (arc_camera_dimensions(camera) == 2) {
        const double *h = camera->homography;
        if (!isfinite(pixel_px[0]) || !isfinite(pixel_px[1]))
            return false;
        for (int k = 0; k < 3; k++) {
            depth[k] = h[6 + k];
            for (int i = 0; i < 2; i++)
                rows[i][k] = h[3 * i + k] - pixel_px[i] * h[6 + k];
        }
        return true;
    }
    ArcLensPoint lens;
    double n[2];
    if (!arc_camera_undistort(camera, pixel_px, n) || !arc_lens_bend(camera, n[0], n[1], &lens))
        return false;
    for (int k = 0; k < 4; k++) {
        double pose[3], off[2];
        for (int i = 0; i < 3; i++)
            pose[i] = k < 3 ? camera->rotation[3 * i + k] : camera->translation_m[i];
        for (int i = 0; i < 2; i++)
            off[i] = pose[i] - n[i] * pose[2];
        double a = lens.first[0][0] * off[0] + lens.first[0][1] * off[1];
        double b = lens.first[1][0] * off[0] + lens.first[1][1] * off[1];
        rows[0][k] = camera->focal_px[0] * a + camera->skew_px * b;
        rows[1][k] = camera->focal_px[1] * b;
        depth[k] = pose[2];
    }
    return true;
}
