/* One format's reader, whatever the file's detection says: the format that ARCFIT_FORMAT names (of
 * `arcfit import --formats`; scripts/fuzz sets it for each). The first byte is the settings, the
 * rest the file.
 */
#include "arcfit/recording.h"
#include "fuzz.h"

#include <stdlib.h>

static ArcCaptureSettings settings_of(uint8_t bits, const char *format, const char *file)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = file;
    settings.place = (ArcPlace){"fuzz.yaml", 1, 1};
    settings.format = format;
    settings.dimensions = bits & 1 ? 0 : bits & 2 ? 3 : 2;
    if (bits & 4)
        settings.rate_per_s = 120;
    if (bits & 8) {
        settings.image_px[0] = 1280;
        settings.image_px[1] = 720;
    }
    settings.track = bits & 16 ? "ball" : NULL;
    settings.position_is_px = (bits & 32) != 0;
    if (bits & 64)
        settings.position_scale_m = 0.01;
    if (bits & 128)
        settings.time_scale_s = 1e-3;
    return settings;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *format = getenv("ARCFIT_FORMAT");
    if (size == 0 || format == NULL)
        return 0;
    ArcCaptureSettings settings = settings_of(bytes[0], format, fuzz_file(bytes + 1, size - 1));
    ArcRecording *recording = NULL;
    ArcError err;
    ArcStatus status = arc_recording_read(&settings, &recording, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (recording != NULL))
        fuzz_fail("a recording without success, or none with it");
    char *text = NULL;
    if (recording != NULL && arc_recording_text(recording, NULL, &text, NULL) != ARC_OK)
        fuzz_fail("a recording that cannot be written");
    arc_text_free(text);
    arc_recording_free(recording);
    return 0;
}
