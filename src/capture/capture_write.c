/* A capture as the canonical CSV: its points are a recording's samples. */
#include "arcfit/capture.h"
#include "arcfit/recording.h"
#include "base/arena.h"

#include <math.h>

static ArcStatus recording_make(const ArcCapture *capture, ArcArena *arena, ArcRecording *recording,
                                ArcError *err)
{
    int n = capture->n_points, d = capture->dimensions;
    ArcSample *samples = ARC_ALLOC(arena, (size_t)n, ArcSample);
    if (samples == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n; i++) {
        samples[i] = (ArcSample){.camera = -1,
                                 .flight = -1,
                                 .frame = NAN,
                                 .time_s = capture->time_s[i],
                                 .position_m = {NAN, NAN, NAN},
                                 .sigma_m = {NAN, NAN, NAN},
                                 .pixel_px = {NAN, NAN},
                                 .sigma_px = NAN,
                                 .radius_px = NAN,
                                 .sigma_radius_px = NAN};
        for (int k = 0; k < d; k++) {
            samples[i].position_m[k] = capture->position_m[i * d + k];
            samples[i].sigma_m[k] = capture->sigma_m[i * d + k];
        }
    }
    *recording = (ArcRecording){.axes = d, .has_times = true, .n_samples = n, .samples = samples};
    return ARC_OK;
}

ArcStatus arc_capture_text(const ArcCapture *capture, const char *comment, char **text,
                           ArcError *err)
{
    ArcRecording recording;
    ArcArena *arena = arc_arena_create();
    ArcStatus status =
        arena == NULL ? arc_error_no_memory(err) : recording_make(capture, arena, &recording, err);
    if (status == ARC_OK)
        status = arc_recording_text(&recording, comment, text, err);
    arc_arena_free(arena);
    return status;
}

ArcStatus arc_capture_write(const ArcCapture *capture, const char *comment, const char *path,
                            ArcError *err)
{
    ArcRecording recording;
    ArcArena *arena = arc_arena_create();
    ArcStatus status =
        arena == NULL ? arc_error_no_memory(err) : recording_make(capture, arena, &recording, err);
    if (status == ARC_OK)
        status = arc_recording_write(&recording, comment, path, err);
    arc_arena_free(arena);
    return status;
}
