/* The formats of captures: one row each, one reader (read_NAME.c) each.
 *
 * A reader puts what its file says into a recorder; what holds for all formats (the choice of a
 * track, frames into times, units) is done afterwards in recording.c.
 */
#ifndef ARC_CAPTURE_FORMATS_H
#define ARC_CAPTURE_FORMATS_H

#include "arcfit/recording.h"
#include "base/arena.h"
#include "io/encoding.h"

/* A file's bytes in memory, unpacked where it was gzipped, a '\0' behind the last. */
typedef struct ArcSource {
    const char *file; /* for messages */
    const char *bytes;
    size_t size;
    ArcDecoded decoded; /* the same as UTF-8; its text is NULL where the bytes are no text */
    const ArcCaptureSettings *settings;
    ArcArena *scratch; /* outlives the reading */
} ArcSource;

typedef struct ArcRecorder ArcRecorder;

typedef struct ArcFormat {
    const char *name;
    const char *what; /* one line for people */
    /* How surely the file is of this format, 0 (not) to 100; looks at the content alone. */
    int (*detect)(const ArcSource *source);
    ArcStatus (*read)(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
} ArcFormat;

/* The table and its length. */
const ArcFormat *arc_formats(int *n);

/* The row of that name, or by content where it is "auto" or NULL. ARC_INPUT at the settings' place:
 * no such name; at 1:1 of the file: no format, or two as likely. */
ArcStatus arc_format_find(const ArcSource *source, const ArcFormat **format, ArcError *err);

/* Readers; each in the file of its name. */
int arc_csv_detect(const ArcSource *source);
/* Whether it begins as the canonical CSV does, which then no word in a cell makes another format.
 */
bool arc_csv_is_canonical(const ArcSource *source);
ArcStatus arc_csv_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_tracker_detect(const ArcSource *source);
ArcStatus arc_tracker_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_kinovea_csv_detect(const ArcSource *source);
ArcStatus arc_kinovea_csv_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_kinovea_txt_detect(const ArcSource *source);
ArcStatus arc_kinovea_txt_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_tracknet_detect(const ArcSource *source);
ArcStatus arc_tracknet_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_deeplabcut_detect(const ArcSource *source);
ArcStatus arc_deeplabcut_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_sleap_detect(const ArcSource *source);
ArcStatus arc_sleap_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_optitrack_detect(const ArcSource *source);
ArcStatus arc_optitrack_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_vicon_detect(const ArcSource *source);
ArcStatus arc_vicon_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_c3d_detect(const ArcSource *source);
ArcStatus arc_c3d_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_dltdv_detect(const ArcSource *source);
ArcStatus arc_dltdv_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_dltdv_sparse_detect(const ArcSource *source);
ArcStatus arc_dltdv_sparse_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_hdf5_detect(const ArcSource *source);
ArcStatus arc_hdf5_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_kinovea_json_detect(const ArcSource *source);
ArcStatus arc_kinovea_json_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_kva_detect(const ArcSource *source);
ArcStatus arc_kva_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_sportvu_detect(const ArcSource *source);
ArcStatus arc_sportvu_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_tracker_trk_detect(const ArcSource *source);
ArcStatus arc_tracker_trk_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);
int arc_tracker_trz_detect(const ArcSource *source);
ArcStatus arc_tracker_trz_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err);

#endif
