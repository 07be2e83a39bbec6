/* What the tests of text tables share beside reader_case.h: a text of a format, places of refusals,
 * and the samples that lie beside the project. */
#ifndef ARC_TESTS_TABLE_CASE_H
#define ARC_TESTS_TABLE_CASE_H

#include "reader_case.h"
#include "shared_folder.h"

/* The settings' file as it stands, which must be of that format. */
static inline ArcRecording *reader_read_file_as(ArcCaptureSettings settings, const char *format)
{
    ArcRecording *recording = reader_read_file(settings);
    assert_string_equal(recording->format, format);
    return recording;
}

static inline ArcRecording *reader_read_as(ArcCaptureSettings settings, const char *format,
                                           const char *text)
{
    ArcRecording *recording = reader_read_text(settings, text);
    assert_string_equal(recording->format, format);
    return recording;
}

/* The text is refused at LINE:COLUMN of the file with these words; place "": wherever. */
static inline void reader_refuse(ArcCaptureSettings settings, const char *text, const char *place,
                                 const char *words)
{
    ArcRecording *recording = NULL;
    ArcError err = {ARC_OK, ""};
    char expected[128];
    assert_int_equal(arc_file_replace(reader_file, text, strlen(text), NULL), ARC_OK);
    ArcStatus status = arc_recording_read(&settings, &recording, &err);
    snprintf(expected, sizeof expected, "%s:%s: error: ", reader_file, place);
    bool is_placed = place[0] == '\0' || strncmp(err.text, expected, strlen(expected)) == 0;
    if (status != ARC_INPUT || !is_placed || strstr(err.text, words) == NULL)
        fail_msg("status %d, '%s'; expected '%s' and '%s' of:\n%s", status, err.text, place, words,
                 text);
    assert_null(recording);
}

/* A damaged text, the place of the complaint, and words of it. */
typedef struct ReaderDamage {
    const char *text, *place, *words;
} ReaderDamage;

static inline void reader_refuse_all(size_t n, const ReaderDamage *rows)
{
    for (size_t i = 0; i < n; i++)
        reader_refuse(reader_settings(), rows[i].text, rows[i].place, rows[i].words);
}

static inline void reader_assert_note(const ArcRecording *recording, const char *words)
{
    if (!reader_noted(recording, words))
        fail_msg("no note says '%s'; %d notes, the first: %s", words, recording->n_notes,
                 recording->n_notes > 0 ? recording->notes[0] : "");
}

static inline void reader_assert_no_note(const ArcRecording *recording, const char *words)
{
    if (reader_noted(recording, words))
        fail_msg("a note says '%s'", words);
}

/* Time (or frame, where the recording has no times) and two coordinates of a sample, pixels where
 * it has no positions. */
static inline void reader_assert_sample(const ArcRecording *recording, int i, double t, double x,
                                        double y)
{
    assert_true(i < recording->n_samples);
    const ArcSample *sample = &recording->samples[i];
    const double *where = recording->axes > 0 ? sample->position_m : sample->pixel_px;
    double when = recording->has_times ? sample->time_s : sample->frame;
    if (!reader_same(when, t) || !reader_same(where[0], x) || !reader_same(where[1], y))
        fail_msg("sample %d is (%.17g, %.17g, %.17g), not (%.17g, %.17g, %.17g)", i, when, where[0],
                 where[1], t, x, y);
}

/* The recording of a file in samples/ is points.txt within half of the last digits; with_gaps: that
 * is without the frames which the file leaves unmarked. digit: relative to the number where below
 * 0. */
static inline void reader_assert_points(const ArcRecording *recording, bool with_gaps,
                                        double time_digit_s, double digit_m)
{
    char path[1024], line[256];
    FILE *stream = fopen(shared_path(path, "samples/points.txt"), "r");
    assert_non_null(stream);
    int n = 0;
    while (fgets(line, sizeof line, stream) != NULL) {
        double t, x, y, gap;
        if (line[0] == '#' || sscanf(line, "%lf %lf %lf %lf", &t, &x, &y, &gap) != 4 ||
            (with_gaps && gap != 0.0))
            continue;
        assert_true(n < recording->n_samples);
        const ArcSample *sample = &recording->samples[n++];
        double own[3] = {sample->time_s, sample->position_m[0], sample->position_m[1]};
        double true_value[3] = {t, x, y};
        for (int k = 0; k < 3; k++) {
            double digit = k == 0 ? time_digit_s : digit_m;
            double half = digit < 0.0 ? -0.5 * digit * pow(10.0, floor(log10(fabs(true_value[k]))))
                                      : 0.5 * digit;
            if (!(fabs(own[k] - true_value[k]) <= half + 1e-12))
                fail_msg("point %d: %.12g is not within %g of %.12g", n, own[k], half,
                         true_value[k]);
        }
    }
    assert_int_equal(n, recording->n_samples);
    assert_true(n >= 14);
    fclose(stream);
}

/* Settings for a file of the reference folder. */
static inline ArcCaptureSettings reader_sample_settings(char path[1024], const char *name)
{
    char name_in_folder[256];
    ArcCaptureSettings settings = reader_settings();
    snprintf(name_in_folder, sizeof name_in_folder, "samples/%s", name);
    settings.file = shared_path(path, name_in_folder);
    return settings;
}

#endif
