/* A recording: what one file says, before it is decided which of it are the points of a flight.
 *
 * Every supported format is read into this; the canonical CSV is a recording as text. Numbers are
 * in SI; pixels as OpenCV counts them: u right and v down from the upper left, (0, 0) the centre of
 * the first one. What is missing is NaN.
 */
#ifndef ARCFIT_RECORDING_H
#define ARCFIT_RECORDING_H

#include "arcfit/capture.h"
#include "arcfit/error.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

/* What one camera, or a system of several, saw at one time. */
typedef struct ArcSample {
    int camera;    /* index into the recording's cameras; -1: the file names none */
    int flight;    /* as the file counts them; 0: it does not */
    double frame;  /* from 0; may have a fraction */
    double time_s; /* NaN in all samples where the file has frames and nobody knows the rate */
    double position_m[3]; /* world */
    double sigma_m[3];
    double pixel_px[2]; /* u, v */
    double sigma_px;
    double radius_px, sigma_radius_px; /* of the ball's picture */
    int line, column; /* in the file, from 1; line: the sample's number where it has none */
} ArcSample;

/* Read-only; owned by its arena. */
typedef struct ArcRecording {
    const char *file;
    const char *format; /* the name of the format that was read */
    const char *track;  /* that the samples are of; "" where the file names none */
    int axes;           /* of the positions: 0 (pixels alone), 2 or 3 */
    bool has_times;     /* false: frames alone */
    bool has_pixels;
    int n_cameras;
    const char *const *cameras; /* by name, in order of appearance */
    double rate_per_s;          /* frames a second, where the file or the settings tell; else NaN */
    double image_px[2];         /* width and height, where they tell; else NaN */
    int n_notes;
    const char *const *notes; /* what was taken for granted, a sentence each */
    int n_samples;
    const ArcSample *samples; /* in the file's order; rows without any number are left out */
    void *arena;
} ArcRecording;

/* Reads settings->file, of which dimensions may be 0: as many axes as the file has. ARC_INPUT with
 * file:line:column: what the format's reader refuses; no format known, or two as likely; several
 * tracks and none chosen, no such track; a rate for a file with exact times of its own, or of which
 * its rounded times are no frames. */
ArcStatus arc_recording_read(const ArcCaptureSettings *settings, ArcRecording **recording,
                             ArcError *err);

/* Accepts NULL. */
void arc_recording_free(ArcRecording *recording);

/* The canonical CSV, with only the columns that hold something, comment (nullable, one or more
 * lines) first. Numbers read back as the same bits. The caller frees with arc_text_free (text.h).
 */
ArcStatus arc_recording_text(const ArcRecording *recording, const char *comment, char **text,
                             ArcError *err);

/* Text of a table to a file; gzip when it ends in ".gz". ARC_SYSTEM where it cannot be written. */
ArcStatus arc_recording_save(const char *text, const char *path, ArcError *err);

/* Both in one. */
ArcStatus arc_recording_write(const ArcRecording *recording, const char *comment, const char *path,
                              ArcError *err);

/* Formats by index, "auto" not among them: as settings and `import --formats` name them, and one
 * line of what they are. NULL behind the last. */
const char *arc_format_name(int index);
const char *arc_format_what(int index);

#pragma GCC visibility pop

#endif
