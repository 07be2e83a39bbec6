/* Frame offsets between cameras, as DLTdv and Argus write them.
 *
 * A point in row r (from 1) of camera c was clicked in that camera's frame round(r + offset). Rows
 * are therefore frames of the first camera already; what is left is the part of a frame,
 *
 *     true frame = r + round(r + offset) - (r + offset)
 *
 * DLTdv has a row for each frame and a column for each camera. Argus has a row for each camera; its
 * sign is the same, since its offset is minus the lag at which the first camera's sound follows the
 * other's.
 */
#ifndef ARC_CAPTURE_OFFSETS_H
#define ARC_CAPTURE_OFFSETS_H

#include "capture/formats.h"
#include "capture/recorder.h"
#include "capture/sparse.h"

/* file NULL: there are none. */
typedef struct ArcOffsets {
    const char *file;
    int n_rows, n_cameras;
    const double *frames;    /* (n_rows, n_cameras) row-major; one row holds for all frames */
    const ArcSparse *sparse; /* in place of frames */
} ArcOffsets;

/* Reads settings->offsets, or the file beside the source whose name has "offsets" in place of
 * "xypts". ARC_INPUT: no such file (at the settings' place), not a table of offsets. */
ArcStatus arc_offsets_read(const ArcSource *source, ArcOffsets *offsets, ArcError *err);

/* What is to be added to row (from 1) of camera (from 0); 0 beyond the table. */
double arc_offsets_correction(const ArcOffsets *offsets, int row, int camera);

/* Notes what was found. */
void arc_offsets_note(const ArcOffsets *offsets, ArcRecorder *recorder);

#endif
