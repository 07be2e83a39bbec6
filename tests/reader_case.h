/* What the tests of capture readers share: bytes as a file, read, refused, and sent round through
 * the canonical CSV. */
#ifndef ARC_TESTS_READER_CASE_H
#define ARC_TESTS_READER_CASE_H

#include "arcfit/recording.h"
#include "arcfit/text.h"
#include "base/arena.h"
#include "base/file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char reader_folder[] = "/tmp/arcfit-reader-XXXXXX";
static char reader_file[64], reader_csv[64];

static inline int reader_setup(void **state)
{
    (void)state;
    if (mkdtemp(reader_folder) == NULL)
        return -1;
    snprintf(reader_file, sizeof reader_file, "%s/capture", reader_folder);
    snprintf(reader_csv, sizeof reader_csv, "%s/canonical.csv", reader_folder);
    return 0;
}

static inline int reader_teardown(void **state)
{
    (void)state;
    unlink(reader_file);
    unlink(reader_csv);
    return rmdir(reader_folder);
}

/* As `arcfit import` reads. */
static inline ArcCaptureSettings reader_settings(void)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = reader_file;
    settings.dimensions = 0;
    return settings;
}

static inline ArcRecording *reader_read_file(ArcCaptureSettings settings)
{
    ArcRecording *recording = NULL;
    ArcError err = {ARC_OK, ""};
    if (arc_recording_read(&settings, &recording, &err) != ARC_OK) {
        fail_msg("%s", err.text);
        return NULL;
    }
    return recording;
}

static inline ArcRecording *reader_read(ArcCaptureSettings settings, const void *bytes, size_t size)
{
    assert_int_equal(arc_file_replace(reader_file, bytes, size, NULL), ARC_OK);
    return reader_read_file(settings);
}

static inline ArcRecording *reader_read_text(ArcCaptureSettings settings, const char *text)
{
    return reader_read(settings, text, strlen(text));
}

/* Refused as bad input, in words that hold what. */
static inline void reader_refused(ArcCaptureSettings settings, const void *bytes, size_t size,
                                  const char *what)
{
    ArcRecording *recording = NULL;
    ArcError err = {ARC_OK, ""};
    assert_int_equal(arc_file_replace(reader_file, bytes, size, NULL), ARC_OK);
    if (arc_recording_read(&settings, &recording, &err) != ARC_INPUT)
        fail_msg("not refused, but to be: %s", what);
    assert_null(recording);
    if (strstr(err.text, what) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, what);
}

static inline void reader_refused_text(ArcCaptureSettings settings, const char *text,
                                       const char *what)
{
    reader_refused(settings, text, strlen(text), what);
}

/* text with the first `from` replaced by `to`; the caller frees. */
static inline char *reader_changed(const char *text, const char *from, const char *to)
{
    const char *found = strstr(text, from);
    size_t size = strlen(text) + strlen(to) + 1;
    char *changed = malloc(size);
    if (found == NULL || changed == NULL) {
        fail_msg("no '%s' to change", from);
        return changed;
    }
    snprintf(changed, size, "%.*s%s%s", (int)(found - text), text, to, found + strlen(from));
    return changed;
}

static inline void reader_refused_changed(ArcCaptureSettings settings, const char *text,
                                          const char *from, const char *to, const char *what)
{
    char *changed = reader_changed(text, from, to);
    reader_refused_text(settings, changed, what);
    free(changed);
}

static inline bool reader_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static inline void reader_near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g", a, b);
}

/* Writes the canonical CSV, reads it, and wants every number back; frees. */
static inline void reader_round_trip(ArcRecording *recording)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = reader_csv;
    settings.dimensions = 0;
    assert_int_equal(arc_recording_write(recording, "round trip", reader_csv, NULL), ARC_OK);
    ArcRecording *again = reader_read_file(settings);
    assert_string_equal(again->format, "csv");
    assert_int_equal(again->axes, recording->axes);
    assert_int_equal(again->has_times, recording->has_times);
    assert_int_equal(again->n_samples, recording->n_samples);
    for (int i = 0; i < again->n_samples; i++) {
        const ArcSample *a = &recording->samples[i], *b = &again->samples[i];
        assert_true(reader_same(a->time_s, b->time_s));
        assert_true(reader_same(a->frame, b->frame));
        assert_int_equal(a->flight, b->flight);
        for (int k = 0; k < recording->axes; k++) {
            assert_true(reader_same(a->position_m[k], b->position_m[k]));
            assert_true(reader_same(a->sigma_m[k], b->sigma_m[k]));
        }
        for (int k = 0; k < 2; k++)
            assert_true(reader_same(a->pixel_px[k], b->pixel_px[k]));
        if (a->camera >= 0)
            assert_string_equal(recording->cameras[a->camera], again->cameras[b->camera]);
    }
    arc_recording_free(again);
    arc_recording_free(recording);
}

static int reader_allowed;

static inline bool reader_memory(void *context, size_t size)
{
    (void)context;
    (void)size;
    return reader_allowed-- > 0;
}

/* Reads the file that stands there with memory that ends after the first block, the second, ...,
 * until it is enough. */
static inline void reader_exhaust(ArcCaptureSettings settings)
{
    ArcStatus status = ARC_MEMORY;
    for (int n = 0; status != ARC_OK; n++) {
        ArcRecording *recording = NULL;
        ArcError err = {ARC_OK, ""};
        reader_allowed = n;
        arc_memory_set_hook(reader_memory, NULL);
        status = arc_recording_read(&settings, &recording, &err);
        arc_memory_set_hook(NULL, NULL);
        if (status != ARC_OK && status != ARC_MEMORY)
            fail_msg("%s", err.text);
        assert_true(n < 10000);
        arc_recording_free(recording);
    }
}

/* Whether a note holds the words. */
static inline bool reader_noted(const ArcRecording *recording, const char *words)
{
    for (int i = 0; i < recording->n_notes; i++) {
        if (strstr(recording->notes[i], words) != NULL)
            return true;
    }
    return false;
}

#endif
