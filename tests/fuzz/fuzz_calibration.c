/* Calibration files of every kind. The first byte is what the settings tell; each camera that is
 * read is asked where it sees a point.
 * Words: src/capture/calibration.c src/capture/calibration_maps.c src/capture/calibration_tables.c
 */
#include "arcfit/calibration.h"
#include "fuzz.h"

#include <math.h>

/* Where the camera sees a point, and what it sees there. */
static void look(const ArcCamera *camera)
{
    const double position_m[3] = {0.1, -0.2, 3};
    double normal[2], rows[2][4], depth[4];
    ArcProjection seen;
    if (!arc_camera_project(camera, NULL, position_m, 0.1, &seen))
        return;
    if (isnan(seen.pixel_px[0]) || isnan(seen.pixel_px[1]))
        fuzz_fail("a camera that sees no number");
    if (camera->kind == ARC_CAMERA_PINHOLE)
        arc_camera_undistort(camera, seen.pixel_px, normal);
    arc_camera_rows(camera, seen.pixel_px, rows, depth);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    ArcCalibrationSettings settings = arc_calibration_settings_default();
    settings.dlt_origin = (ArcPixelOrigin)(bytes[0] % 3);
    settings.width_px = bytes[0] & 4 ? 1280 : 0;
    settings.height_px = bytes[0] & 4 ? 720 : 0;
    settings.unit_m = bytes[0] & 8 ? 1e-3 : NAN;
    ArcCalibration *calibration = NULL;
    ArcError err;
    ArcStatus status =
        arc_calibration_read(fuzz_file(bytes + 1, size - 1), (ArcPlace){"fuzz.yaml", 1, 1},
                             &settings, &calibration, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (calibration != NULL))
        fuzz_fail("a calibration without success, or none with it");
    for (int i = 0; calibration != NULL && i < calibration->n_cameras; i++)
        look(&calibration->cameras[i]);
    arc_calibration_free(calibration);
    return 0;
}
