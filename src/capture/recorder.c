/* Lists that grow by doubling; the arena keeps what they leave behind. */
#include "capture/recorder.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_SAMPLES = 64, NOTE_BYTES = 400 };

ArcRecorder arc_recorder_begin(ArcArena *arena)
{
    return (ArcRecorder){.arena = arena,
                         .time_unit_s = NAN,
                         .time_digit = NAN,
                         .position_unit_m = NAN,
                         .rate_per_s = NAN,
                         .image_px = {NAN, NAN}};
}

/* Appends text to a list of n, whose room is the next power of two from 8 on. */
static int list_append(ArcRecorder *recorder, char ***list, int *n, const char *text, size_t length)
{
    bool is_full = *n == 0 || (*n >= 8 && (*n & (*n - 1)) == 0);
    if (is_full) {
        char **longer = ARC_ALLOC(recorder->arena, (size_t)(*n < 8 ? 8 : 2 * *n), char *);
        if (longer == NULL) {
            recorder->failed = true;
            return 0;
        }
        for (int i = 0; i < *n; i++)
            longer[i] = (*list)[i];
        *list = longer;
    }
    char *copy = arc_arena_copy_text(recorder->arena, text, length);
    if (copy == NULL) {
        recorder->failed = true;
        return 0;
    }
    (*list)[*n] = copy;
    return (*n)++;
}

static int list_index(ArcRecorder *recorder, char ***list, int *n, const char *name, size_t length)
{
    for (int i = 0; i < *n && !recorder->has_too_many; i++) {
        if (strlen((*list)[i]) == length && memcmp((*list)[i], name, length) == 0)
            return i;
    }
    recorder->has_too_many = recorder->has_too_many || *n >= ARC_RECORDER_MOST_NAMES;
    if (recorder->has_too_many)
        return 0;
    return list_append(recorder, list, n, name, length);
}

int arc_recorder_track(ArcRecorder *recorder, const char *name, size_t length)
{
    return list_index(recorder, &recorder->tracks, &recorder->n_tracks, name, length);
}

int arc_recorder_new_track(ArcRecorder *recorder, const char *name, size_t length)
{
    int before = recorder->n_tracks;
    int index = arc_recorder_track(recorder, name, length);
    bool is_open = recorder->n_tracks == before;
    for (int number = 2; is_open && !recorder->failed && !recorder->has_too_many; number++) {
        char *other = arc_arena_format(recorder->arena, "%.*s (%d)", (int)length, name, number);
        if (other == NULL)
            recorder->failed = true;
        else
            index = arc_recorder_track(recorder, other, strlen(other));
        is_open = recorder->n_tracks == before;
    }
    return index;
}

int arc_recorder_camera(ArcRecorder *recorder, const char *name, size_t length)
{
    return list_index(recorder, &recorder->cameras, &recorder->n_cameras, name, length);
}

static bool recorder_grow(ArcRecorder *recorder)
{
    int capacity = recorder->capacity == 0 ? FIRST_SAMPLES : 2 * recorder->capacity;
    ArcSample *samples = ARC_ALLOC(recorder->arena, (size_t)capacity, ArcSample);
    int *tracks = ARC_ALLOC(recorder->arena, (size_t)capacity, int);
    if (samples == NULL || tracks == NULL)
        return false;
    size_t n = (size_t)recorder->n_samples;
    if (n > 0) {
        memcpy(samples, recorder->samples, n * sizeof *samples);
        memcpy(tracks, recorder->sample_track, n * sizeof *tracks);
    }
    recorder->samples = samples;
    recorder->sample_track = tracks;
    recorder->capacity = capacity;
    return true;
}

ArcSample *arc_recorder_add(ArcRecorder *recorder, int track, int line, int column)
{
    static _Thread_local ArcSample nobodys;
    ArcSample *sample = &nobodys;
    if (recorder->n_samples < recorder->capacity || recorder_grow(recorder)) {
        recorder->sample_track[recorder->n_samples] = track;
        sample = &recorder->samples[recorder->n_samples++];
    } else {
        recorder->failed = true;
    }
    *sample = (ArcSample){.camera = -1,
                          .flight = -1,
                          .frame = NAN,
                          .time_s = NAN,
                          .position_m = {NAN, NAN, NAN},
                          .sigma_m = {NAN, NAN, NAN},
                          .pixel_px = {NAN, NAN},
                          .sigma_px = NAN,
                          .radius_px = NAN,
                          .sigma_radius_px = NAN,
                          .line = line,
                          .column = column};
    return sample;
}

void arc_recorder_note(ArcRecorder *recorder, const char *format, ...)
{
    char text[NOTE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    list_append(recorder, &recorder->notes, &recorder->n_notes, text, strlen(text));
}

bool arc_sample_is_seen(const ArcSample *sample)
{
    return !isnan(sample->position_m[0]) || !isnan(sample->position_m[1]) ||
           !isnan(sample->position_m[2]) || !isnan(sample->pixel_px[0]) ||
           !isnan(sample->pixel_px[1]) || !isnan(sample->radius_px);
}
