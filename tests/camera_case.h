/* One camera of every kind and lens, and positions that all of them see. Include after cmocka.h. */
#ifndef CAMERA_CASE_H
#define CAMERA_CASE_H

#include "arcfit/camera.h"

#include <string.h>

#include "camera_reference.h"
#include "sweep.h"

static const double half_turn_rad = 3.14159265358979323846;

/* The camera of the reference numbers with so much of a lens. */
static inline ArcCamera reference_camera(ArcCameraKind kind, int n_lens)
{
    ArcError err;
    ArcCamera camera = {.name = "side", .kind = kind, .n_lens = n_lens};
    assert_int_equal(arc_camera_set_matrix(&camera, reference_matrix, &err), ARC_OK);
    if (kind == ARC_CAMERA_FISHEYE)
        camera.skew_px = reference_fisheye_skew_px;
    memcpy(camera.lens, kind == ARC_CAMERA_FISHEYE ? reference_fisheye_lens : reference_lens,
           sizeof(double) * (size_t)n_lens);
    memcpy(camera.translation_m, reference_translation_m, sizeof camera.translation_m);
    arc_camera_set_rotation(&camera, reference_vector_rad);
    assert_int_equal(arc_camera_check(&camera, &err), ARC_OK);
    return camera;
}

static inline ArcCamera stick_camera(void)
{
    ArcError err;
    ArcCamera camera;
    const ArcStick stick = {{300, 500}, {700, 470}, 1.5, 0.02};
    const double origin[2] = {310, 520};
    assert_int_equal(arc_camera_from_stick(&stick, origin, &camera, &err), ARC_OK);
    return camera;
}

static inline ArcCamera homography_camera(void)
{
    ArcError err;
    ArcCamera camera = {.kind = ARC_CAMERA_HOMOGRAPHY,
                        .homography = {210, 12, 320, -8, -190, 610, 0.02, -0.015, 1}};
    assert_int_equal(arc_camera_check(&camera, &err), ARC_OK);
    return camera;
}

/* L1 to L11 of the reference camera with a skew: P = K (R, t) over its last. */
static inline void dlt_coefficients(double L[11])
{
    ArcCamera camera = reference_camera(ARC_CAMERA_PINHOLE, 0);
    double p[12];
    for (int k = 0; k < 4; k++) {
        double c[3];
        for (int i = 0; i < 3; i++)
            c[i] = k < 3 ? camera.rotation[3 * i + k] : camera.translation_m[i];
        p[k] = 1400 * c[0] + 2.5 * c[1] + 640.25 * c[2];
        p[4 + k] = 1385.5 * c[1] + 355.75 * c[2];
        p[8 + k] = c[2];
    }
    for (int i = 0; i < 11; i++)
        L[i] = p[i] / p[11];
}

static inline ArcCamera dlt_camera(void)
{
    ArcError err;
    ArcCamera camera;
    double L[11];
    dlt_coefficients(L);
    assert_int_equal(arc_camera_from_dlt(L, false, &camera, &err), ARC_OK);
    return camera;
}

enum { N_CAMERAS = N_REFERENCES + 3 };

/* Each kind, each lens. */
static inline ArcCamera any_camera(int i)
{
    return i == 0   ? stick_camera()
           : i == 1 ? homography_camera()
           : i == 2
               ? dlt_camera()
               : reference_camera(reference_pixels[i - 3].kind, reference_pixels[i - 3].n_lens);
}

/* Positions that every camera sees; a plane camera takes x and z. */
static inline void seen_position(const ArcCamera *camera, int k, double x[3])
{
    memcpy(x, reference_positions_m[k], 3 * sizeof(double));
    if (arc_camera_dimensions(camera) == 2) {
        x[1] = x[2];
        x[2] = 0;
    }
}

#endif
