/* The cameras of a capture from what its settings say of them. */
#include "capture/points.h"

#include <math.h>
#include <string.h>

ArcCameraSettings arc_camera_settings_default(void)
{
    return (ArcCameraSettings){.unit_m = NAN,
                               .sigma_px = NAN,
                               .focal_px = {NAN, NAN},
                               .centre_px = {NAN, NAN},
                               .rotation_rad = {NAN, NAN, NAN},
                               .translation_m = {NAN, NAN, NAN},
                               .stick = {{NAN, NAN}, {NAN, NAN}, NAN, NAN},
                               .origin_px = {NAN, NAN}};
}

/* Of which nothing is known: a metre a pixel about the image's corner, its rows level. */
static ArcCamera unknown_camera(const ArcCameraSettings *settings)
{
    ArcCamera camera = {.kind = ARC_CAMERA_SCALE, .metres_per_px = 1.0};
    for (int k = 0; k < 2; k++)
        camera.origin_px[k] = isnan(settings->origin_px[k]) ? 0.0 : settings->origin_px[k];
    return camera;
}

static ArcStatus set_pose(const ArcCameraSettings *settings, ArcCamera *camera, ArcError *err)
{
    bool has_rotation = !isnan(settings->rotation_rad[0]);
    bool has_translation = !isnan(settings->translation_m[0]);
    bool is_space = arc_camera_dimensions(camera) == 3;
    if (!has_rotation && !has_translation)
        return ARC_OK;
    if (!is_space)
        return arc_error_set_at(err, ARC_INPUT, settings->place,
                                "camera '%s' sees a plane, so that it has no pose; leave it out",
                                settings->name);
    if (has_rotation)
        arc_camera_set_rotation(camera, settings->rotation_rad);
    if (has_translation)
        memcpy(camera->translation_m, settings->translation_m, sizeof camera->translation_m);
    return ARC_OK;
}

/* From a calibration file; its pose may be missing where the settings have one. */
static ArcStatus take_calibration(const ArcCaptureSettings *capture,
                                  const ArcCameraSettings *settings, ArcNotes *notes,
                                  ArcCamera *camera, ArcError *err)
{
    ArcCalibrationSettings calibration = arc_calibration_settings_default();
    ArcCalibration *read = NULL;
    int index = 0;
    calibration.dlt_rows_from =
        settings->dlt_rows_from == ARC_ROWS_AS_USUAL ? capture->rows_from : settings->dlt_rows_from;
    calibration.lens_model = settings->lens_model;
    calibration.unit_m = settings->unit_m;
    calibration.width_px = isnan(capture->image_px[0]) ? 0 : (int)capture->image_px[0];
    calibration.height_px = isnan(capture->image_px[1]) ? 0 : (int)capture->image_px[1];
    ArcStatus status =
        arc_calibration_read(settings->calibration, settings->place, &calibration, &read, err);
    if (status == ARC_OK)
        status = arc_calibration_find(read, settings->entry, settings->place, &index, err);
    if (status == ARC_OK && !read->has_pose[index] &&
        (isnan(settings->rotation_rad[0]) || isnan(settings->translation_m[0])))
        status = arc_error_set_at(err, ARC_INPUT, settings->place,
                                  "'%s' does not tell where camera '%s' stands; add "
                                  "`pose: {rotation: [..], translation: [..]}`",
                                  settings->calibration, settings->name);
    if (status == ARC_OK) {
        *camera = read->cameras[index];
        arc_notes_add(notes, settings->calibration, read->n_notes, read->notes);
    }
    arc_calibration_free(read);
    return status;
}

/* By focal length and centre. */
static ArcStatus take_inner(const ArcCameraSettings *settings, ArcCamera *camera, ArcError *err)
{
    if (isnan(settings->centre_px[0]))
        return arc_error_set_at(err, ARC_INPUT, settings->place,
                                "camera '%s' has a focal length and no centre; add "
                                "`centre: [u, v]`, mostly the middle of the image",
                                settings->name);
    if (isnan(settings->rotation_rad[0]) || isnan(settings->translation_m[0]))
        return arc_error_set_at(err, ARC_INPUT, settings->place,
                                "camera '%s' stands nowhere; add "
                                "`pose: {rotation: [..], translation: [..]}`",
                                settings->name);
    bool is_fisheye = settings->lens_model == ARC_LENS_FISHEYE;
    *camera = (ArcCamera){.kind = is_fisheye ? ARC_CAMERA_FISHEYE : ARC_CAMERA_PINHOLE,
                          .n_lens = is_fisheye && settings->n_lens == 0 ? 4 : settings->n_lens};
    memcpy(camera->focal_px, settings->focal_px, sizeof camera->focal_px);
    memcpy(camera->centre_px, settings->centre_px, sizeof camera->centre_px);
    memcpy(camera->lens, settings->lens, sizeof camera->lens);
    return ARC_OK;
}

/* Exactly one way to know a camera, or none. */
static ArcStatus check_ways(const ArcCameraSettings *settings, ArcError *err)
{
    int n = (settings->calibration != NULL) + !isnan(settings->focal_px[0]) +
            !isnan(settings->stick.length_m);
    if (n > 1)
        return arc_error_set_at(err, ARC_INPUT, settings->place,
                                "camera '%s' is described twice; keep one of calibration, focal "
                                "and stick",
                                settings->name);
    if (isnan(settings->focal_px[0]) && (!isnan(settings->centre_px[0]) || settings->n_lens > 0))
        return arc_error_set_at(err, ARC_INPUT, settings->place,
                                "camera '%s' has a %s, which goes with `focal:` alone; leave it "
                                "out%s",
                                settings->name, settings->n_lens > 0 ? "lens" : "centre",
                                settings->calibration != NULL ? ", the calibration has its own"
                                                              : "");
    if (settings->entry != NULL && settings->calibration == NULL)
        return arc_error_set_at(err, ARC_INPUT, settings->place,
                                "camera '%s' has an entry, but no calibration that it is in",
                                settings->name);
    return ARC_OK;
}

static ArcStatus camera_take(const ArcCaptureSettings *capture, const ArcCameraSettings *settings,
                             ArcNotes *notes, ArcCamera *camera, ArcError *err)
{
    ArcError inner = {ARC_OK, ""};
    ArcStatus status = check_ways(settings, err);
    if (status != ARC_OK)
        return status;
    if (settings->calibration != NULL || !isnan(settings->focal_px[0])) {
        status = settings->calibration != NULL
                     ? take_calibration(capture, settings, notes, camera, err)
                     : take_inner(settings, camera, err);
        if (status != ARC_OK)
            return status;
    } else if (!isnan(settings->stick.length_m)) {
        const ArcCamera unknown = unknown_camera(settings);
        status = arc_camera_from_stick(&settings->stick, unknown.origin_px, camera, &inner);
    } else {
        *camera = unknown_camera(settings);
    }
    if (status == ARC_OK)
        status = set_pose(settings, camera, err);
    else
        return arc_error_set_at(err, status, settings->place, "camera '%s': %.400s", settings->name,
                                inner.text);
    if (status == ARC_OK && arc_camera_check(camera, &inner) != ARC_OK)
        status = arc_error_set_at(err, ARC_INPUT, settings->place, "camera '%s': %.400s",
                                  settings->name, inner.text);
    camera->name = settings->name;
    return status;
}

ArcStatus arc_cameras_take(const ArcCaptureSettings *settings, ArcNotes *notes, int *n,
                           ArcCamera *cameras, ArcError *err)
{
    int n_cameras = settings->n_cameras;
    if (n_cameras == 0 && settings->position_is_px) {
        const ArcCameraSettings unknown = arc_camera_settings_default();
        cameras[0] = unknown_camera(&unknown);
        cameras[0].name = "";
        *n = 1;
        return arc_camera_check(&cameras[0], err);
    }
    for (int c = 0; c < n_cameras; c++) {
        ArcStatus status = camera_take(settings, &settings->cameras[c], notes, &cameras[c], err);
        if (status != ARC_OK)
            return status;
    }
    *n = n_cameras;
    return ARC_OK;
}

ArcStatus arc_capture_cameras(const ArcCaptureSettings *settings, int *n, ArcCamera *cameras,
                              ArcError *err)
{
    return arc_cameras_take(settings, NULL, n, cameras, err);
}
