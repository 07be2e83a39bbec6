/* A capture as the canonical CSV: its points are a recording's samples. */
#include "arcfit/captures.h"
#include "arcfit/recording.h"
#include "base/arena.h"
#include "capture/channels.h"

#include <math.h>

static void pixel_make(const ArcCapture *capture, int i, ArcSample *sample)
{
    sample->camera = capture->camera[i];
    sample->pixel_px[0] = capture->pixel_px[2 * i];
    sample->pixel_px[1] = capture->pixel_px[2 * i + 1];
    sample->sigma_px = capture->sigma_px[i];
    if (capture->radius_px == NULL || isnan(capture->radius_px[i]))
        return;
    sample->radius_px = capture->radius_px[i];
    sample->sigma_radius_px = capture->sigma_radius_px[i];
}

/* Whether any point is in metres; a capture without cameras is so altogether. */
static bool has_positions(int n, const ArcCapture *const *captures)
{
    for (int f = 0; f < n; f++) {
        if (captures[f]->n_cameras == 0)
            return true;
        for (int i = 0; i < captures[f]->n_points; i++)
            if (captures[f]->camera[i] < 0)
                return true;
    }
    return false;
}

static void samples_make(const ArcCapture *capture, int flight, ArcSample *samples)
{
    int d = capture->dimensions;
    for (int i = 0; i < capture->n_points; i++) {
        samples[i] = (ArcSample){.camera = -1,
                                 .flight = flight,
                                 .frame = NAN,
                                 .time_s = capture->time_s[i],
                                 .position_m = {NAN, NAN, NAN},
                                 .sigma_m = {NAN, NAN, NAN},
                                 .pixel_px = {NAN, NAN},
                                 .sigma_px = NAN,
                                 .radius_px = NAN,
                                 .sigma_radius_px = NAN};
        if (capture->n_cameras > 0 && capture->camera[i] >= 0)
            pixel_make(capture, i, &samples[i]);
        for (int k = 0; k < d; k++) {
            samples[i].position_m[k] = capture->position_m[i * d + k];
            samples[i].sigma_m[k] = capture->sigma_m[i * d + k];
        }
    }
}

/* Of captures that were seen alike. */
static ArcStatus recording_make(int n, const ArcCapture *const *captures, ArcArena *arena,
                                ArcRecording *recording, ArcError *err)
{
    const ArcCapture *first = captures[0];
    size_t n_samples = 0;
    for (int f = 0; f < n; f++)
        n_samples += (size_t)captures[f]->n_points;
    ArcSample *samples = ARC_ALLOC(arena, n_samples, ArcSample);
    const char **names = ARC_ALLOC(arena, (size_t)first->n_cameras, const char *);
    if (samples == NULL || names == NULL)
        return arc_error_no_memory(err);
    for (int f = 0, at = 0; f < n; at += captures[f]->n_points, f++)
        samples_make(captures[f], n > 1 ? f + 1 : -1, samples + at);
    for (int c = 0; c < first->n_cameras; c++)
        names[c] = first->cameras[c].name;
    bool is_named = first->n_cameras > 1 || (first->n_cameras == 1 && names[0][0] != '\0');
    *recording = (ArcRecording){.axes = has_positions(n, captures) ? first->dimensions : 0,
                                .has_times = true,
                                .has_pixels = first->n_cameras > 0,
                                .n_cameras = is_named ? first->n_cameras : 0,
                                .cameras = names,
                                .n_samples = (int)n_samples,
                                .samples = samples};
    return ARC_OK;
}

ArcStatus arc_captures_text(int n, const ArcCapture *const *captures, const char *comment,
                            char **text, ArcError *err)
{
    ArcRecording recording;
    if (captures[0]->n_channels > 0)
        return arc_channels_text(n, captures, comment, text, err);
    ArcArena *arena = arc_arena_create();
    ArcStatus status = arena == NULL ? arc_error_no_memory(err)
                                     : recording_make(n, captures, arena, &recording, err);
    if (status == ARC_OK)
        status = arc_recording_text(&recording, comment, text, err);
    arc_arena_free(arena);
    return status;
}

ArcStatus arc_capture_text(const ArcCapture *capture, const char *comment, char **text,
                           ArcError *err)
{
    return arc_captures_text(1, &capture, comment, text, err);
}

ArcStatus arc_capture_write(const ArcCapture *capture, const char *comment, const char *path,
                            ArcError *err)
{
    char *text = NULL;
    ArcStatus status = arc_capture_text(capture, comment, &text, err);
    if (status == ARC_OK)
        status = arc_recording_save(text, path, err);
    arc_text_free(text);
    return status;
}
