/* One format's reader, whatever the file's detection says: the format that ARCFIT_FORMAT names (of
 * `arcfit import --formats`; scripts/fuzz sets it for each). The first two bytes are the settings,
 * the rest the file.
 */
#include "arcfit/recording.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ArcCaptureSettings settings_of(const uint8_t *bytes, const char *format, const char *file)
{
    uint8_t bits = bytes[0];
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
        settings.n_views = 2;
        settings.rows_from = bits & 4 ? ARC_ROWS_FROM_TOP : ARC_ROWS_FROM_BOTTOM;
    }
    settings.track = bits & 16 ? "ball" : NULL;
    settings.position_is_px = (bits & 32) != 0;
    if (bits & 64)
        settings.position_scale_m = 0.01;
    if (bits & 128)
        settings.time_scale_s = 1e-3;
    settings.n_views = bytes[1] & 3;
    settings.rows_from = (ArcRowsFrom)((bytes[1] >> 2) % 3);
    return settings;
}

/* What was read goes into the canonical CSV, and comes back. */
static void send_round(const ArcRecording *recording)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    ArcRecording *again = NULL;
    ArcError err;
    char *text = NULL;
    if (arc_recording_text(recording, NULL, &text, &err) != ARC_OK)
        fuzz_fail("a recording that cannot be written");
    settings.file = fuzz_file((const uint8_t *)text, strlen(text));
    settings.dimensions = 0;
    if (arc_recording_read(&settings, &again, &err) != ARC_OK)
        fuzz_fail(err.text);
    if (again->n_samples != recording->n_samples)
        fuzz_fail("a recording that comes back with other samples");
    arc_recording_free(again);
    arc_text_free(text);
}

/* The formats there are, where ARCFIT_FORMAT is "list". */
int LLVMFuzzerInitialize(int *n, char ***words)
{
    const char *format = getenv("ARCFIT_FORMAT");
    (void)n;
    (void)words;
    if (format == NULL || strcmp(format, "list") != 0)
        return 0;
    for (int i = 0; arc_format_name(i) != NULL; i++)
        puts(arc_format_name(i));
    exit(0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *format = getenv("ARCFIT_FORMAT");
    if (size < 2 || format == NULL)
        return 0;
    ArcCaptureSettings settings = settings_of(bytes, format, fuzz_file(bytes + 2, size - 2));
    ArcRecording *recording = NULL;
    ArcError err;
    ArcStatus status = arc_recording_read(&settings, &recording, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (recording != NULL))
        fuzz_fail("a recording without success, or none with it");
    if (recording != NULL)
        send_round(recording);
    arc_recording_free(recording);
    return 0;
}
