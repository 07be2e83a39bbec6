/* A calibration while it is made: what the readers of its kinds of files write into.
 *
 * The readers: calibration_maps.c (trees of YAML, TOML, JSON), calibration_tables.c (numbers in
 * rows).
 */
#ifndef ARC_CAPTURE_CALIBRATOR_H
#define ARC_CAPTURE_CALIBRATOR_H

#include "arcfit/calibration.h"
#include "base/arena.h"
#include "io/yaml.h"

typedef struct ArcCalibrator {
    const char *file;
    ArcPlace from;
    const ArcCalibrationSettings *settings;
    ArcArena *arena;
    const char *format;
    int n_cameras, n_notes, capacity;
    ArcCamera *cameras;
    bool *has_pose;
    ArcPlace *places;
    const char **notes; /* (ARC_CALIBRATOR_NOTES) */
} ArcCalibrator;

enum { ARC_CALIBRATOR_NOTES = 16 };

/* Checks a camera and adds it, in metres, under its name (copied). place is where it stands.
 * ARC_INPUT at place: what arc_camera_check refuses, an image of another size than the settings'.
 * ARC_MEMORY. */
ArcStatus arc_calibrator_add(ArcCalibrator *calibrator, const ArcCamera *camera, bool has_pose,
                             ArcPlace place, ArcError *err);

/* Passes a message of physics on with the place and the camera's name before it. */
ArcStatus arc_calibrator_pass_on(const ArcCamera *camera, ArcStatus status, ArcPlace place,
                                 const ArcError *inner, ArcError *err);

/* A sentence about what was taken for granted; beyond the room for them they are left out. */
void arc_calibrator_note(ArcCalibrator *calibrator, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Cameras out of a tree. ARC_INPUT at the node that is wrong. */
ArcStatus arc_calibrator_read_map(ArcCalibrator *calibrator, const ArcYamlNode *root,
                                  ArcError *err);

/* Cameras out of a table of numbers, or out of Argus's list of modes. */
ArcStatus arc_calibrator_read_table(ArcCalibrator *calibrator, const char *bytes, size_t size,
                                    ArcError *err);
ArcStatus arc_calibrator_read_modes(ArcCalibrator *calibrator, const char *bytes, size_t size,
                                    ArcError *err);

#endif
