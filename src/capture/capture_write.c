/* A capture as the canonical CSV: its points are a recording's samples. */
#include "arcfit/capture.h"
#include "arcfit/recording.h"
#include "base/arena.h"

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
static bool has_positions(const ArcCapture *capture)
{
    for (int i = 0; i < capture->n_points && capture->n_cameras > 0; i++)
        if (capture->camera[i] < 0)
            return true;
    return capture->n_cameras == 0;
}

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
        if (capture->n_cameras > 0 && capture->camera[i] >= 0)
            pixel_make(capture, i, &samples[i]);
        for (int k = 0; k < d; k++) {
            samples[i].position_m[k] = capture->position_m[i * d + k];
            samples[i].sigma_m[k] = capture->sigma_m[i * d + k];
        }
    }
    const char **names = ARC_ALLOC(arena, (size_t)capture->n_cameras, const char *);
    if (names == NULL)
        return arc_error_no_memory(err);
    for (int c = 0; c < capture->n_cameras; c++)
        names[c] = capture->cameras[c].name;
    bool is_named = capture->n_cameras > 1 || (capture->n_cameras == 1 && names[0][0] != '\0');
    *recording = (ArcRecording){.axes = has_positions(capture) ? d : 0,
                                .has_times = true,
                                .has_pixels = capture->n_cameras > 0,
                                .n_cameras = is_named ? capture->n_cameras : 0,
                                .cameras = names,
                                .n_samples = n,
                                .samples = samples};
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
