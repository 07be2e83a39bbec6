/* Cameras: making and checking them. The equations stand in camera.h; projection.c projects. */
#include "arcfit/camera.h"

#include "physics/distortion.h"
#include "physics/matrix3.h"

#include <math.h>
#include <string.h>

/* A rotation in a file is one to so much; a matrix is singular whose smallest extent over its
 * largest is so little. */
static const double rotation_error = 1e-3, singular = 1e-9;

static const char *const kinds[] = {"scale", "homography", "dlt", "pinhole", "fisheye"};

const char *arc_camera_kind_text(ArcCameraKind kind)
{
    return kinds[kind];
}

double arc_correction_neutral(ArcCorrection correction)
{
    return correction == ARC_CORRECTION_SCALE || correction == ARC_CORRECTION_FOCAL ? 1 : 0;
}

int arc_camera_dimensions(const ArcCamera *camera)
{
    return camera->kind == ARC_CAMERA_SCALE || camera->kind == ARC_CAMERA_HOMOGRAPHY ? 2 : 3;
}

bool arc_camera_has_correction(const ArcCamera *camera, ArcCorrection correction)
{
    return arc_camera_dimensions(camera) == 3 || correction <= ARC_CORRECTION_Y;
}

static bool all_finite(int n, const double *values)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static ArcStatus check_plane(ArcCamera *camera, ArcError *err)
{
    double *h = camera->homography;
    if (camera->kind == ARC_CAMERA_SCALE) {
        double m = camera->metres_per_px, c = cos(camera->angle_rad), s = sin(camera->angle_rad);
        if (!all_finite(2, camera->origin_px) || !isfinite(camera->angle_rad))
            return arc_error_set(err, ARC_INPUT, "a scale's origin or angle is not finite");
        if (!(m > 0) || !isfinite(m))
            return arc_error_set(err, ARC_INPUT,
                                 "a scale of %g metres per pixel; it must be above zero", m);
        const double made[9] = {
            c / m, -s / m, camera->origin_px[0], -s / m, -c / m, camera->origin_px[1], 0, 0, 1};
        memcpy(h, made, sizeof made);
    }
    if (!all_finite(9, h))
        return arc_error_set(err, ARC_INPUT, "a homography's coefficient is not finite");
    double size = 1;
    for (int row = 0; row < 3; row++)
        size *= arc_vector3_norm(h + 3 * row);
    if (!(fabs(arc_matrix3_determinant(h)) > singular * 1e-3 * size))
        return arc_error_set(err, ARC_INPUT,
                             "the homography is singular: it maps the plane onto a line");
    return ARC_OK;
}

/* R by R (3 - R'R) / 2 until it is one to rounding. */
static ArcStatus check_rotation(ArcCamera *camera, ArcError *err)
{
    double *r = camera->rotation, product[9], off = 0;
    if (!all_finite(9, r) || !all_finite(3, camera->translation_m))
        return arc_error_set(err, ARC_INPUT, "a camera's rotation or translation is not finite");
    for (int round = 0; round < 4; round++) {
        double next[9];
        arc_matrix3_multiply_transposed(r, r, product);
        for (int k = 0; k < 9; k++) {
            double one = k % 4 == 0;
            off = round == 0 ? fmax(off, fabs(product[k] - one)) : off;
            product[k] = 1.5 * one - 0.5 * product[k];
        }
        if (!(off <= 2 * rotation_error))
            return arc_error_set(err, ARC_INPUT,
                                 "the camera's rotation matrix is none: R'R is off the unit "
                                 "matrix by %.3g; give an orthogonal matrix or a rotation vector",
                                 off);
        arc_matrix3_multiply(r, product, next);
        memcpy(r, next, sizeof next);
    }
    if (camera->kind != ARC_CAMERA_DLT && arc_matrix3_determinant(r) < 0)
        return arc_error_set(err, ARC_INPUT,
                             "the camera's rotation matrix is a reflection (determinant -1): an "
                             "axis of the world or of the camera points the wrong way");
    return ARC_OK;
}

static ArcStatus check_space(ArcCamera *camera, ArcError *err)
{
    const double *f = camera->focal_px;
    if (!all_finite(2, f) || !all_finite(2, camera->centre_px) || !isfinite(camera->skew_px))
        return arc_error_set(err, ARC_INPUT,
                             "a camera's focal length, skew or centre is not finite");
    for (int i = 0; i < 2; i++)
        if (!(f[i] > 0))
            return arc_error_set(err, ARC_INPUT,
                                 "a camera's focal length of %g px; it must be above zero", f[i]);
    int n = camera->n_lens;
    if (!arc_lens_has(camera->kind, n))
        return arc_error_set(err, ARC_INPUT, "a %s with %d distortion coefficients; it has %s",
                             kinds[camera->kind], n,
                             camera->kind == ARC_CAMERA_FISHEYE   ? "4"
                             : camera->kind == ARC_CAMERA_PINHOLE ? "0, 4, 5, 8, 12 or 14"
                                                                  : "none");
    if (!all_finite(n, camera->lens))
        return arc_error_set(err, ARC_INPUT, "a distortion coefficient is not finite");
    memset(camera->lens + n, 0, sizeof(double) * (size_t)(ARC_LENS_COEFFICIENTS - n));
    camera->reach = arc_lens_reach(camera);
    return check_rotation(camera, err);
}

ArcStatus arc_camera_check(ArcCamera *camera, ArcError *err)
{
    ArcCamera checked = *camera;
    if (checked.name == NULL)
        checked.name = "";
    ArcStatus status = arc_camera_dimensions(&checked) == 2 ? check_plane(&checked, err)
                                                            : check_space(&checked, err);
    if (status == ARC_OK)
        *camera = checked;
    return status;
}

ArcStatus arc_camera_from_stick(const ArcStick *stick, const double origin_px[2], ArcCamera *camera,
                                ArcError *err)
{
    const double *from_px = stick->from_px, *to_px = stick->to_px;
    double length_m = stick->length_m, angle_rad = stick->angle_rad;
    double right = to_px[0] - from_px[0], up = from_px[1] - to_px[1], length = hypot(right, up);
    if (!(length > 0) || !isfinite(length))
        return arc_error_set(err, ARC_INPUT,
                             "a stick from (%g, %g) to (%g, %g) px; its ends must be two pixels",
                             from_px[0], from_px[1], to_px[0], to_px[1]);
    if (!(length_m > 0) || !isfinite(length_m))
        return arc_error_set(err, ARC_INPUT, "a stick %g m long; it must be above zero", length_m);
    ArcCamera made = {.name = "",
                      .kind = ARC_CAMERA_SCALE,
                      .metres_per_px = length_m / length,
                      .angle_rad = isnan(angle_rad) ? 0 : atan2(up, right) - angle_rad,
                      .origin_px = {origin_px[0], origin_px[1]}};
    ArcStatus status = arc_camera_check(&made, err);
    if (status == ARC_OK)
        *camera = made;
    return status;
}

/* M = K R with K upper triangular, its diagonal above zero: from the last row upwards. */
ArcStatus arc_camera_from_dlt(const double L[11], bool is_behind, ArcCamera *camera, ArcError *err)
{
    if (!all_finite(11, L))
        return arc_error_set(err, ARC_INPUT, "a DLT coefficient is not finite");
    double side = is_behind ? -1 : 1, m[9], p[3] = {side * L[3], side * L[7], side}, *r;
    for (int k = 0; k < 3; k++) {
        m[k] = side * L[k];
        m[3 + k] = side * L[4 + k];
        m[6 + k] = side * L[8 + k];
    }
    ArcCamera made = {.name = "", .kind = ARC_CAMERA_DLT};
    r = made.rotation;
    double depth = arc_vector3_norm(m + 6), k[9] = {0};
    for (int row = 2; row >= 0; row--) {
        double before = arc_vector3_norm(m + 3 * row);
        memcpy(r + 3 * row, m + 3 * row, 3 * sizeof(double));
        for (int axis = 2; axis > row; axis--) {
            k[3 * row + axis] = arc_vector3_dot(r + 3 * row, r + 3 * axis);
            for (int i = 0; i < 3; i++)
                r[3 * row + i] -= k[3 * row + axis] * r[3 * axis + i];
        }
        double left = arc_vector3_norm(r + 3 * row);
        if (!(left > singular * before))
            return arc_error_set(err, ARC_INPUT,
                                 "the DLT coefficients are singular: no camera sees so%s",
                                 row == 2 ? " (L9, L10 and L11 are zero)" : "");
        k[4 * row] = left;
        for (int i = 0; i < 3; i++)
            r[3 * row + i] /= left;
    }
    /* K t = p */
    double t2 = p[2] / depth, t1 = (p[1] - k[5] * t2) / k[4];
    double t0 = (p[0] - k[1] * t1 - k[2] * t2) / k[0];
    memcpy(made.translation_m, (double[]){t0, t1, t2}, 3 * sizeof(double));
    for (int i = 0; i < 2; i++) {
        made.focal_px[i] = k[4 * i] / depth;
        made.centre_px[i] = k[3 * i + 2] / depth;
    }
    made.skew_px = k[1] / depth;
    ArcStatus status = arc_camera_check(&made, err);
    if (status == ARC_OK)
        *camera = made;
    return status;
}

ArcStatus arc_camera_set_matrix(ArcCamera *camera, const double m[9], ArcError *err)
{
    if (!all_finite(9, m))
        return arc_error_set(err, ARC_INPUT, "the camera matrix has a value that is not finite");
    if ((m[6] != 0 || m[7] != 0) && m[2] == 0 && m[5] == 0)
        return arc_error_set(err, ARC_INPUT,
                             "the camera matrix is transposed: its third row is (%g, %g, %g), as "
                             "MATLAB writes it; write [fx s cx; 0 fy cy; 0 0 1], transpose a "
                             "rotation of MATLAB's too, and take 1 from its centre",
                             m[6], m[7], m[8]);
    if (m[6] != 0 || m[7] != 0 || m[8] != 1 || m[3] != 0)
        return arc_error_set(err, ARC_INPUT,
                             "the camera matrix is not of the form [fx s cx; 0 fy cy; 0 0 1]: its "
                             "rows are (%g, %g, %g), (%g, %g, %g), (%g, %g, %g)",
                             m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]);
    camera->focal_px[0] = m[0];
    camera->skew_px = m[1];
    camera->centre_px[0] = m[2];
    camera->focal_px[1] = m[4];
    camera->centre_px[1] = m[5];
    return ARC_OK;
}

void arc_camera_set_rotation(ArcCamera *camera, const double vector_rad[3])
{
    arc_rotation_matrix(vector_rad, camera->rotation);
}
