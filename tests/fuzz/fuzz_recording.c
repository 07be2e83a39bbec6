/* Any file as a recording, its format found by content, as `arcfit import` reads it.
 * Words: src/capture/formats.c src/capture/columns.c src/capture/recording.c
 */
#include "arcfit/recording.h"
#include "fuzz.h"

/* Reads bytes; NULL where they are refused. */
static ArcRecording *read_bytes(const uint8_t *bytes, size_t size)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = fuzz_file(bytes, size);
    settings.dimensions = 0;
    ArcRecording *recording = NULL;
    ArcError err;
    ArcStatus status = arc_recording_read(&settings, &recording, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (recording != NULL))
        fuzz_fail("a recording without success, or none with it");
    return recording;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    ArcRecording *recording = read_bytes(bytes, size);
    char *text = NULL;
    if (recording != NULL && arc_recording_text(recording, NULL, &text, NULL) != ARC_OK)
        fuzz_fail("a recording that cannot be written");
    arc_text_free(text);
    arc_recording_free(recording);
    return 0;
}
