/* Calibration files: the cameras that one file describes.
 *
 * Known by content are OpenCV's YAML, ROS camera_info, TOML of Pose2Sim and Anipose, JSON or YAML
 * with one mapping a camera, DLT coefficients as a table (11 rows, or 8 of a plane; a column for
 * each camera), and lenses of Argus (CSV of modes, camera profiles). One mapping a camera may hold
 *
 *   camera_matrix cameraMatrix Camera_Matrix K mtx matrix      K, or f (fx, fy), cx, cy
 *   distortion_coefficients distCoeffs Distortion_Coefficients D dist distortions distortion
 *   image_width image_height, size image_size resolution       width, height
 *   rotation R rvec rotation_vector rotation_matrix            3 numbers (Rodrigues) or 9
 *   translation t T tvec translation_vector                    x_cam = R X + t
 *   fisheye, distortion_model camera_model                     which lens
 *   homography homography_matrix H                             9 numbers in place of all these:
 *                                                              [u v 1] ~ H [x y 1] of a plane
 *   name camera_name
 *
 * where K, distortion, rotation and translation are lists, lists of rows, or OpenCV's rows, cols,
 * data; K1, D1, K2, .. are cameras 1, 2, .. of a file without poses. What else stands there is
 * passed over.
 */
#ifndef ARCFIT_CALIBRATION_H
#define ARCFIT_CALIBRATION_H

#include "arcfit/camera.h"
#include "arcfit/error.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

/* Where the rows of a picture are counted from, in a file's pixels or by DLT coefficients (where
 * the first one is 1). */
typedef enum ArcRowsFrom {
    ARC_ROWS_AS_USUAL,    /* as the format has them; DLT coefficients cannot tell */
    ARC_ROWS_FROM_TOP,    /* DLTdv 8 */
    ARC_ROWS_FROM_BOTTOM, /* DLTdv 5 to 7, easyWand, Argus: needs the picture's height */
} ArcRowsFrom;

/* Which lens a camera has whose calibration does not say so. */
typedef enum ArcLensModel { ARC_LENS_PINHOLE, ARC_LENS_FISHEYE } ArcLensModel;

/* What a file may not tell. */
typedef struct ArcCalibrationSettings {
    ArcRowsFrom dlt_rows_from;
    int width_px, height_px; /* of the images that were measured; 0: not known */
    double unit_m;           /* of the file's lengths; NaN: metres are taken */
    ArcLensModel lens_model; /* of cameras of which the file does not say which lens they have */
} ArcCalibrationSettings;

ArcCalibrationSettings arc_calibration_settings_default(void);

/* Read-only; owned by its arena. */
typedef struct ArcCalibration {
    const char *file;
    const char *format; /* "opencv", "ros", "toml", "cameras", "dlt", "argus" */
    int n_cameras;
    const ArcCamera *cameras; /* by name ("" where the file gives none), in the file's order */
    const bool *has_pose; /* else rotation is none and translation 0, and a pose is still needed */
    const ArcPlace *places;
    int n_notes;
    const char *const *notes; /* what was taken for granted, a sentence each */
    void *arena;
} ArcCalibration;

/* Reads file; from is where it is named, for messages about what it cannot tell. ARC_INPUT with
 * file:line:column: no calibration, a key that is missing or given twice, not a number, a matrix of
 * the wrong size or transposed, a rotation that is none, a lens that is not known, one for images
 * of another size than the settings'; at from: coefficients whose pixels the settings do not
 * explain. ARC_MEMORY. */
ArcStatus arc_calibration_read(const char *file, ArcPlace from,
                               const ArcCalibrationSettings *settings, ArcCalibration **calibration,
                               ArcError *err);

/* Accepts NULL. */
void arc_calibration_free(ArcCalibration *calibration);

/* The index of the camera that entry names, by its name or else its number from 1; the only one
 * where entry is NULL or empty. ARC_INPUT at place: there is none, or more than one; the text lists
 * them. */
ArcStatus arc_calibration_find(const ArcCalibration *calibration, const char *entry, ArcPlace place,
                               int *index, ArcError *err);

#pragma GCC visibility pop

#endif
