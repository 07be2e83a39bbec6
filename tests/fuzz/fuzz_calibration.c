/* Calibration files of all kinds; each camera projects, and sees back. The first byte is the
 * settings, the rest the file.
 * Words: src/capture/calibration_maps.c
 */
#include "arcfit/calibration.h"
#include "fuzz.h"

#include <math.h>

static void look(const ArcCamera *camera)
{
    static const double places_m[][3] = {{0, 0, 0}, {1, 2, 3}, {-5, 1, 0.5}, {100, -40, 2000}};
    for (int i = 0; i < 4; i++) {
        ArcProjection to;
        double rows[2][4], depth[4];
        if (!arc_camera_project(camera, NULL, places_m[i], 0.1, &to))
            continue;
        if (arc_camera_rows(camera, to.pixel_px, rows, depth) && isnan(rows[0][0] + depth[0]))
            fuzz_fail("a line that is no number");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    ArcCalibrationSettings settings = arc_calibration_settings_default();
    settings.dlt_rows_from = (ArcRowsFrom)(bytes[0] % 3);
    settings.height_px = settings.width_px = bytes[0] & 4 ? 720 : 0;
    if (bytes[0] & 8)
        settings.unit_m = 0.025;
    ArcCalibration *calibration = NULL;
    ArcError err;
    ArcStatus status =
        arc_calibration_read(fuzz_file(bytes + 1, size - 1), (ArcPlace){"fuzz.yaml", 1, 1},
                             &settings, &calibration, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (calibration != NULL))
        fuzz_fail("a calibration without success, or none with it");
    int index;
    for (int i = 0; status == ARC_OK && i < calibration->n_cameras; i++)
        look(&calibration->cameras[i]);
    if (status == ARC_OK)
        fuzz_check_verdict(
            arc_calibration_find(calibration, "1", (ArcPlace){"fuzz.yaml", 1, 1}, &index, &err),
            &err);
    arc_calibration_free(calibration);
    return 0;
}
