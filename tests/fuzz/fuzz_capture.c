/* Captures as an experiment's settings read them. The first two bytes are the settings, the
 * rest the file, plain or gzip.
 * Words: src/capture/columns.c src/capture/channel_columns.c
 */
#include "arcfit/captures.h"
#include "arcfit/equations.h"
#include "fuzz.h"

/* Of what a capture asks of a model; no code stands behind it. */
static ArcEquations model = {.name = "model",
                             .order = 2,
                             .n_states = 2,
                             .n_channels = 4,
                             .channels = {{"x", "m", 0, -1, 1, "a"},
                                          {"theta", "rad", 0, -1, 1, "b"},
                                          {"vx", "m/s", 0, -1, 1, "c"},
                                          {"vtheta", "rad/s", 0, -1, 1, "d"}}};

static ArcCaptureSettings settings_of(uint8_t bits, uint8_t more, const char *file)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = file;
    settings.place = (ArcPlace){"fuzz.yaml", 1, 1};
    settings.dimensions = bits & 1 ? 3 : 2;
    if (bits & 2)
        settings.sigma_m = 3e-3;
    settings.sigma_estimated = (bits & 4) != 0;
    settings.every = bits & 8 ? 2 : 1;
    settings.hold_out = (ArcHoldOut)(bits >> 4 & 1);
    settings.hold_out_every = 3;
    if (bits & 32) {
        settings.n_columns = 2;
        settings.columns[0] = (ArcColumnChoice){"t", "1", NULL, {"fuzz.yaml", 2, 1}};
        settings.columns[1] = (ArcColumnChoice){"x", "b", NULL, {"fuzz.yaml", 3, 1}};
    }
    if (bits & 64)
        settings.window_s[1] = 0.5;
    settings.window_auto = (more & 1) != 0;
    if (more & 2)
        settings.rate_per_s = 120;
    settings.track = more & 4 ? "ball" : NULL;
    if (more & 16) {
        settings.equations = &model;
        settings.window_auto = false;
        for (int c = 0; c < 4; c++)
            settings.channel_sigma[c] = bits & 2 ? 0.1 : settings.channel_sigma[c];
        if (settings.n_columns > 0)
            settings.columns[1].unit = "mm";
    }
    return settings;
}

/* All flights that the file counts. */
static int read_flights(const ArcCaptureSettings *settings)
{
    ArcCaptures *captures = NULL;
    ArcError err;
    ArcStatus status = arc_captures_read(1, settings, &captures, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (captures != NULL))
        fuzz_fail("captures without success, or none with it");
    arc_captures_free(captures);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 2)
        return 0;
    ArcCaptureSettings settings = settings_of(bytes[0], bytes[1], fuzz_file(bytes + 2, size - 2));
    if (bytes[1] & 8)
        return read_flights(&settings);
    ArcCapture *capture = NULL;
    ArcError err;
    ArcStatus status = arc_capture_read(&settings, &capture, &err);
    fuzz_check_verdict(status, &err);
    if ((status == ARC_OK) != (capture != NULL))
        fuzz_fail("a capture without success, or none with it");
    char *text = NULL;
    if (status == ARC_OK && arc_capture_text(capture, NULL, &text, &err) != ARC_OK)
        fuzz_fail("a capture that cannot be written");
    arc_text_free(text);
    arc_capture_free(capture);
    return 0;
}
