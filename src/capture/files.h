/* The recordings that a capture is made of. */
#ifndef ARC_CAPTURE_FILES_H
#define ARC_CAPTURE_FILES_H

#include "capture/points.h"

/* Its own file, and those of cameras that have one. */
typedef struct ArcFiles {
    int n, n_samples;
    ArcCaptureSettings settings[ARC_MAX_CAMERAS + 1];
    ArcIntake intakes[ARC_MAX_CAMERAS + 1];
    ArcRecording *recordings[ARC_MAX_CAMERAS + 1];
} ArcFiles;

/* Checks settings that may come from a program as well as from an experiment. ARC_INPUT. */
ArcStatus arc_capture_check_settings(const ArcCaptureSettings *settings, ArcError *err);

/* files is zero; it is to be freed also where this fails. */
ArcStatus arc_files_read(const ArcCaptureSettings *settings, ArcFiles *files, ArcError *err);
void arc_files_free(ArcFiles *files);

/* The capture of these files' samples; flight (copied) is its number, NULL for none. */
ArcStatus arc_capture_of_files(const ArcCaptureSettings *settings, const ArcFiles *files,
                               const char *flight, ArcCapture **capture, ArcError *err);

/* The handle of points that are settled, put into the arena that holds them. */
ArcStatus arc_capture_of_points(const char *file, const ArcPoints *points, ArcArena *arena,
                                ArcCapture **capture, ArcError *err);

#endif
