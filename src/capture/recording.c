/* A file becomes a recording: unpacked, its format found and read; then what holds for all formats:
 * one track is chosen, frames become times, units are applied.
 *
 * t = frame / rate, so that frame 0 is at 0 s, whatever the first frame that was marked.
 */
#include "arcfit/recording.h"

#include "capture/formats.h"
#include "capture/points.h"
#include "capture/recorder.h"
#include "io/delimited.h"
#include "io/gzip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIST_BYTES = 240, MANY_METRES = 100 };

/* A ball at 10 m/s moves by 1 mm. */
static const double coarse_time_s = 1e-4;

void arc_recording_free(ArcRecording *recording)
{
    if (recording != NULL)
        arc_arena_free(recording->arena);
}

/* Names of those tracks that have something, for a message. */
static const char *track_list(const ArcRecorder *recorder, const bool *is_seen,
                              char list[LIST_BYTES])
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; i < recorder->n_tracks; i++) {
        size_t room = LIST_BYTES - used;
        if (!is_seen[i])
            continue;
        if (room < 16) {
            snprintf(list + used, room, ", ...");
            break;
        }
        int length = arc_delimited_shown(recorder->tracks[i], (int)strlen(recorder->tracks[i]));
        int written = snprintf(list + used, room, "%s%.*s", used == 0 ? "" : ", ", length,
                               recorder->tracks[i]);
        used += (size_t)written < room ? (size_t)written : room - 1;
    }
    return list;
}

/* The index of the track that the settings choose, or of the only one that has points. */
static ArcStatus track_choose(const ArcCaptureSettings *settings, const ArcRecorder *recorder,
                              ArcArena *scratch, int *track, ArcError *err)
{
    bool *is_seen = ARC_ALLOC(scratch, (size_t)recorder->n_tracks + 1, bool);
    int n_seen = 0, chosen = -1, first = 0;
    char list[LIST_BYTES];
    if (is_seen == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < recorder->n_samples; i++) {
        int of = recorder->sample_track[i];
        if (is_seen[of] || !arc_sample_is_seen(&recorder->samples[i]))
            continue;
        is_seen[of] = true;
        n_seen++;
    }
    for (int i = 0; i < recorder->n_tracks; i++) {
        bool is_wanted = settings->track == NULL
                             ? is_seen[i]
                             : strcmp(recorder->tracks[i], settings->track) == 0;
        first = is_wanted && chosen < 0 ? i : first;
        if (is_wanted && (chosen < 0 || settings->track == NULL))
            chosen = i;
    }
    if (settings->track != NULL && chosen < 0)
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                "no track '%s' in '%s'; its tracks are: %s", settings->track,
                                settings->file, track_list(recorder, is_seen, list));
    if (settings->track == NULL && n_seen > 1)
        return arc_error_set_at(
            err, ARC_INPUT, arc_points_settings_place(settings),
            "%d tracks in '%s': %s; choose one with `capture.track`, as in --set "
            "capture.track='%s'",
            n_seen, settings->file, track_list(recorder, is_seen, list), recorder->tracks[first]);
    *track = chosen < 0 ? 0 : chosen;
    return ARC_OK;
}

/* Keeps the track's samples that hold something. */
static void samples_keep(ArcRecorder *recorder, int track)
{
    int n = 0;
    for (int i = 0; i < recorder->n_samples; i++) {
        const ArcSample *sample = &recorder->samples[i];
        bool is_empty =
            !arc_sample_is_seen(sample) && isnan(sample->time_s) && isnan(sample->frame);
        if (recorder->sample_track[i] == track && !is_empty)
            recorder->samples[n++] = *sample;
    }
    recorder->n_samples = n;
}

static bool has_times(const ArcRecorder *recorder)
{
    for (int i = 0; i < recorder->n_samples; i++) {
        if (!isnan(recorder->samples[i].time_s))
            return true;
    }
    return false;
}

/* The settings' unit wins over the file's, unless the reader has applied both. */
static double unit_of(double given, double of_file, bool is_in_si)
{
    return is_in_si || isnan(given) ? of_file : given;
}

/* A file of unknown unit that counts frames in its column of times; the rate turns them into times.
 */
static bool times_are_frames(const ArcRecorder *recorder)
{
    for (int i = 0; i < recorder->n_samples; i++) {
        double time = recorder->samples[i].time_s;
        if (!isnan(time) && time != round(time))
            return false;
    }
    return isnan(recorder->time_unit_s) && !isnan(recorder->time_digit);
}

/* Rounded times by the rate: each is the nearest frame's, and must be within the rounding of it. */
static ArcStatus times_snap(const ArcCaptureSettings *settings, ArcRecorder *recorder,
                            double unit_s, ArcError *err)
{
    double rate = settings->rate_per_s, digit_s = recorder->time_digit * unit_s;
    if (!(digit_s * rate < 1.0))
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                "times of '%s' are rounded to %g s, too coarsely to tell frames at "
                                "%g Hz apart",
                                settings->file, digit_s, rate);
    for (int i = 0; i < recorder->n_samples; i++) {
        ArcSample *sample = &recorder->samples[i];
        double time_s = arc_points_scale(sample->time_s, unit_s), frame = round(time_s * rate);
        if (fabs(time_s - frame / rate) > 0.51 * digit_s + 1e-12)
            return arc_error_set_at(err, ARC_INPUT, (ArcPlace){settings->file, sample->line, 1},
                                    "%.9g s is no time of a frame at %g Hz (the nearest is %.9g "
                                    "s); give the rate of this file, or none",
                                    time_s, rate, frame / rate);
        if (!isnan(frame))
            sample->time_s = frame / rate;
    }
    arc_recorder_note(recorder,
                      "times, which the file rounds to %g s, are those of whole frames at "
                      "%g Hz",
                      digit_s, rate);
    return ARC_OK;
}

/* A sentence on what the times are, where the file does not tell. */
static void times_note(ArcRecorder *recorder)
{
    double before = NAN, step = INFINITY;
    for (int i = 0; i < recorder->n_samples; i++) {
        double time = recorder->samples[i].time_s;
        if (!isnan(before) && time > before)
            step = fmin(step, time - before);
        before = isnan(time) ? before : time;
    }
    if (step >= 1.0 && isfinite(step))
        arc_recorder_note(recorder,
                          "times are taken as seconds, since the file names no unit; they are %g "
                          "apart, as milliseconds or frames are (`capture.units.t`, "
                          "`capture.rate`)",
                          step);
    else
        arc_recorder_note(recorder, "times are taken as seconds, since the file names no unit");
}

static ArcStatus times_own(const ArcCaptureSettings *settings, ArcRecorder *recorder, ArcError *err)
{
    double unit_s = unit_of(settings->time_scale_s, recorder->time_unit_s, recorder->is_in_si);
    if (isnan(unit_s))
        times_note(recorder);
    unit_s = isnan(unit_s) ? 1.0 : unit_s;
    if (!isnan(settings->rate_per_s) && !isnan(recorder->time_digit))
        return times_snap(settings, recorder, unit_s, err);
    if (!isnan(settings->rate_per_s))
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                "'%s' has times of its own, so that a rate has no meaning for it; "
                                "leave `rate` out (where its clock is wrong, `units: {t: ..}` or "
                                "the parameter clock_rate sets it right)",
                                settings->file);
    for (int i = 0; i < recorder->n_samples; i++)
        recorder->samples[i].time_s = arc_points_scale(recorder->samples[i].time_s, unit_s);
    if (recorder->time_digit * recorder->time_unit_s >= coarse_time_s)
        arc_recorder_note(recorder,
                          "times are rounded: their last digit is %g s; `capture.rate` (frames a "
                          "second) sets them right",
                          recorder->time_digit * unit_s);
    return ARC_OK;
}

/* Times in seconds: the file's own, or its frames by the rate. */
static ArcStatus times_settle(const ArcCaptureSettings *settings, ArcRecorder *recorder,
                              ArcError *err)
{
    double rate = settings->rate_per_s;
    bool is_timed = has_times(recorder);
    ArcStatus status = ARC_OK;
    if (is_timed && !isnan(rate) && times_are_frames(recorder)) {
        arc_recorder_note(recorder, "times are taken as numbers of frames, since all are whole");
        for (int i = 0; i < recorder->n_samples; i++)
            recorder->samples[i].frame = recorder->samples[i].time_s;
        is_timed = false;
    }
    if (is_timed)
        status = times_own(settings, recorder, err);
    if (status != ARC_OK)
        return status;
    if (isnan(rate) && !is_timed)
        rate = recorder->rate_per_s;
    for (int i = 0; i < recorder->n_samples && !is_timed; i++) {
        ArcSample *sample = &recorder->samples[i];
        sample->time_s = isnan(rate) ? NAN : sample->frame / rate;
    }
    if (!isnan(rate))
        recorder->rate_per_s = rate;
    return ARC_OK;
}

/* Positions of a file that names no unit are pixels where the settings say so, or where they have
 * cameras and the file nothing else for them. */
static bool positions_are_pixels(const ArcCaptureSettings *settings, const ArcRecorder *recorder)
{
    bool has_pixels = false;
    for (int i = 0; i < recorder->n_samples; i++)
        has_pixels = has_pixels || !isnan(recorder->samples[i].pixel_px[0]);
    return settings->position_is_px ||
           (settings->n_cameras > 0 && recorder->axes == 2 && !has_pixels);
}

static void positions_to_pixels(ArcRecorder *recorder)
{
    for (int i = 0; i < recorder->n_samples; i++) {
        ArcSample *sample = &recorder->samples[i];
        for (int k = 0; k < 2; k++)
            sample->pixel_px[k] = sample->position_m[k];
        for (int k = 0; k < 3; k++)
            sample->position_m[k] = NAN;
        if (isnan(sample->sigma_px) && sample->sigma_m[0] == sample->sigma_m[1])
            sample->sigma_px = sample->sigma_m[0];
    }
    recorder->axes = 0;
}

static void positions_note(ArcRecorder *recorder)
{
    double most = 0.0;
    for (int i = 0; i < recorder->n_samples; i++) {
        for (int k = 0; k < recorder->axes; k++)
            most = fmax(most, fabs(recorder->samples[i].position_m[k]));
    }
    if (most >= MANY_METRES)
        arc_recorder_note(recorder,
                          "positions are taken as metres, since the file names no unit; they reach "
                          "%g, as pixels or millimetres do (`capture.units.position`)",
                          most);
    else
        arc_recorder_note(recorder, "positions are taken as metres, since the file names no unit");
}

static void positions_settle(const ArcCaptureSettings *settings, ArcRecorder *recorder)
{
    double unit_m =
        unit_of(settings->position_scale_m, recorder->position_unit_m, recorder->is_in_si);
    if (recorder->axes == 0)
        return;
    if (isnan(unit_m) && positions_are_pixels(settings, recorder)) {
        if (!settings->position_is_px)
            arc_recorder_note(recorder, "x and y are taken as pixels, since the file names no unit "
                                        "and the experiment has cameras");
        positions_to_pixels(recorder);
        return;
    }
    if (isnan(unit_m)) {
        positions_note(recorder);
        return;
    }
    for (int i = 0; i < recorder->n_samples; i++) {
        ArcSample *sample = &recorder->samples[i];
        for (int k = 0; k < 3; k++) {
            sample->position_m[k] = arc_points_scale(sample->position_m[k], unit_m);
            sample->sigma_m[k] = arc_points_scale(sample->sigma_m[k], unit_m);
        }
    }
}

/* Where all cameras look at a plane by a stick or gravity, v may count from any row. */
static bool is_height_needed(const ArcCaptureSettings *settings)
{
    bool is_needed = settings->n_cameras == 0;
    for (int c = 0; c < settings->n_cameras; c++)
        is_needed = is_needed || settings->cameras[c].calibration != NULL ||
                    !isnan(settings->cameras[c].focal_px[0]);
    return is_needed;
}

/* Rows that the settings count from the bottom, of a format that counts them from the top. */
static ArcStatus rows_settle(const ArcCaptureSettings *settings, ArcRecorder *recorder,
                             ArcError *err)
{
    double given = settings->image_px[1];
    double height = isnan(given) ? recorder->image_px[1] : given;
    bool has_pixels = false;
    if (settings->rows_from != ARC_ROWS_FROM_BOTTOM || recorder->has_turned_rows)
        return ARC_OK;
    for (int i = 0; i < recorder->n_samples; i++) {
        double *v = &recorder->samples[i].pixel_px[1];
        has_pixels = has_pixels || !isnan(*v);
        *v = isnan(height) ? -*v : height - 1.0 - *v;
    }
    if (!has_pixels || !isnan(height))
        return ARC_OK;
    if (is_height_needed(settings))
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                "rows that count from the bottom of the picture need its height; "
                                "give it, for example `image: {width: 1280, height: 720}`");
    arc_recorder_note(recorder,
                      "rows count from the bottom of a picture whose height is not known; "
                      "v is taken as minus their number");
    return ARC_OK;
}

static bool is_far(double value)
{
    return fabs(value) > ARC_POINTS_MOST;
}

static bool sample_is_far(const ArcSample *sample)
{
    bool is = is_far(sample->time_s) || is_far(sample->frame) || is_far(sample->pixel_px[0]) ||
              is_far(sample->pixel_px[1]) || is_far(sample->sigma_px) ||
              is_far(sample->radius_px) || is_far(sample->sigma_radius_px);
    for (int k = 0; k < 3; k++)
        is = is || is_far(sample->position_m[k]) || is_far(sample->sigma_m[k]);
    return is;
}

/* What no reader may let through, whatever its file said. */
static ArcStatus samples_check(const ArcSource *source, const ArcRecorder *recorder, ArcError *err)
{
    bool is_timed = has_times(recorder);
    int n_seen = 0;
    for (int i = 0; i < recorder->n_samples; i++) {
        const ArcSample *sample = &recorder->samples[i];
        int line = sample->line > 0 ? sample->line : 1;
        ArcPlace place = {source->file, line, sample->column > 0 ? sample->column : 1};
        if (sample_is_far(sample))
            return arc_error_set_at(err, ARC_INPUT, place,
                                    "sample %d is out of range: beyond %g; check the value, the "
                                    "units and the rate",
                                    i + 1, ARC_POINTS_MOST);
        if (isnan(sample->time_s) && (is_timed || isnan(sample->frame)) &&
            arc_sample_is_seen(sample))
            return arc_error_set_at(err, ARC_INPUT, place, "sample %d has no time%s", i + 1,
                                    is_timed ? ", but others have one" : " and no frame");
        n_seen += arc_sample_is_seen(sample);
    }
    if (n_seen > 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){source->file, 1, 1},
                            "nothing was seen: no position and no pixel is in this file");
}

static ArcStatus recorder_finish(const ArcSource *source, const ArcFormat *format,
                                 ArcRecorder *recorder, const char *track, ArcRecording **recording,
                                 ArcError *err)
{
    ArcRecording *result = ARC_ALLOC(recorder->arena, 1, ArcRecording);
    char *file = arc_arena_copy_text(recorder->arena, source->file, strlen(source->file));
    if (result == NULL || file == NULL || recorder->failed)
        return arc_error_no_memory(err);
    *result = (ArcRecording){.file = file,
                             .format = format->name,
                             .track = track,
                             .axes = recorder->axes,
                             .n_cameras = recorder->n_cameras,
                             .cameras = (const char *const *)recorder->cameras,
                             .rate_per_s = recorder->rate_per_s,
                             .image_px = {recorder->image_px[0], recorder->image_px[1]},
                             .has_times = has_times(recorder),
                             .n_notes = recorder->n_notes,
                             .notes = (const char *const *)recorder->notes,
                             .n_samples = recorder->n_samples,
                             .samples = recorder->samples,
                             .arena = recorder->arena};
    for (int i = 0; i < result->n_samples; i++)
        result->has_pixels = result->has_pixels || !isnan(result->samples[i].pixel_px[0]) ||
                             !isnan(result->samples[i].pixel_px[1]);
    *recording = result;
    return ARC_OK;
}

/* The file, read by the reader of its format into the recorder. Whatever went without memory on the
 * way (a detector, say, that saw nothing for want of it) makes the whole fail. */
static ArcStatus source_read(ArcSource *source, const ArcFormat **format, ArcRecorder *recorder,
                             ArcError *err)
{
    const ArcCaptureSettings *settings = source->settings;
    char *bytes;
    ArcStatus status = arc_gzip_read_file(settings->file, settings->place, source->scratch, &bytes,
                                          &source->size, err);
    if (status != ARC_OK)
        return status;
    source->bytes = bytes;
    (void)arc_encoding_decode(source->file, bytes, source->size, source->scratch, &source->decoded,
                              NULL);
    status = arc_format_find(source, format, err);
    if (status == ARC_OK && settings->offsets != NULL && strncmp((*format)->name, "dltdv", 5) != 0)
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                "offsets belong to the formats dltdv and dltdv-sparse, and '%s' is "
                                "%s; leave `offsets` out",
                                settings->file, (*format)->name);
    if (status == ARC_OK && !arc_arena_is_exhausted(source->scratch))
        status = (*format)->read(source, recorder, err);
    if (recorder->failed || arc_arena_is_exhausted(source->scratch))
        return arc_error_no_memory(err);
    if (status == ARC_OK && recorder->has_too_many)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){source->file, 1, 1},
                                "more than %d tracks or cameras in this file",
                                ARC_RECORDER_MOST_NAMES);
    return status;
}

static ArcStatus recording_read(ArcSource *source, ArcArena *arena, ArcRecording **recording,
                                ArcError *err)
{
    const ArcCaptureSettings *settings = source->settings;
    const ArcFormat *format = NULL;
    ArcRecorder recorder = arc_recorder_begin(arena);
    int track = 0;
    ArcStatus status = source_read(source, &format, &recorder, err);
    if (status == ARC_OK)
        status = track_choose(settings, &recorder, source->scratch, &track, err);
    if (status != ARC_OK)
        return status;
    if (source->decoded.text != NULL && source->decoded.encoding == ARC_ENCODING_WINDOWS_1252)
        arc_recorder_note(&recorder, "read as %s, since it is no UTF-8",
                          arc_encoding_name(source->decoded.encoding));
    samples_keep(&recorder, track);
    status = times_settle(settings, &recorder, err);
    if (status != ARC_OK)
        return status;
    positions_settle(settings, &recorder);
    status = rows_settle(settings, &recorder, err);
    if (status == ARC_OK)
        status = samples_check(source, &recorder, err);
    if (status != ARC_OK)
        return status;
    return recorder_finish(source, format, &recorder,
                           recorder.n_tracks > 0 ? recorder.tracks[track] : "", recording, err);
}

ArcStatus arc_recording_read(const ArcCaptureSettings *settings, ArcRecording **recording,
                             ArcError *err)
{
    *recording = NULL;
    ArcArena *scratch = arc_arena_create();
    ArcArena *arena = arc_arena_create();
    ArcSource source = {.file = settings->file, .settings = settings, .scratch = scratch};
    ArcStatus status = scratch == NULL || arena == NULL
                           ? arc_error_no_memory(err)
                           : recording_read(&source, arena, recording, err);
    arc_arena_free(scratch);
    if (status != ARC_OK)
        arc_arena_free(arena);
    return status;
}
