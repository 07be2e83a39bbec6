/* Frame offsets between cameras, beside a sound table of pixels. The first byte chooses how.
 * Words: src/capture/offsets.c src/capture/sparse.c
 */
#include "arcfit/recording.h"
#include "fuzz.h"

static const char table[] = "ball_cam1_U,ball_cam1_V,ball_cam2_U,ball_cam2_V\n"
                            "304,495,240,506\n311,487,NaN,NaN\n318,480,254,488\n";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = fuzz_text_file(table);
    settings.offsets = fuzz_file(bytes + 1, size - 1);
    settings.place = (ArcPlace){"fuzz.yaml", 1, 1};
    settings.dimensions = 0;
    settings.format = bytes[0] & 1 ? "dltdv" : "auto";
    if (bytes[0] & 2)
        settings.rate_per_s = 120;
    ArcRecording *recording = NULL;
    ArcError err;
    ArcStatus status = arc_recording_read(&settings, &recording, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (recording != NULL))
        fuzz_fail("a recording without success, or none with it");
    arc_recording_free(recording);
    return 0;
}
