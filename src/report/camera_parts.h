/* What cameras saw, and how far it is from the fits: in text, JSON, HDF5 and back. Nothing where
 * all points are in metres. */
#ifndef ARC_REPORT_CAMERA_PARTS_H
#define ARC_REPORT_CAMERA_PARTS_H

#include "arcfit/result.h"
#include "base/text.h"
#include "io/hdf5.h"
#include "io/json.h"

/* "0.5 px" or "0.5 to 0.7 px" of the used points; "" where no camera saw one. */
void arc_camera_parts_sigma(const ArcCapture *capture, char *text, size_t size);

/* A row a camera: points, rms in pixels, chi2, its own sigma. */
void arc_camera_parts_text(ArcText *table, const ArcFit *fit);

/* rms_px, held_out_rms_px and cameras into residuals; predicted_px beside it. */
void arc_camera_parts_json(ArcJson *json, json_t *residuals, const ArcResiduals *of);
json_t *arc_camera_parts_predicted(ArcJson *json, const ArcFit *fit, int n_points);

/* The name of an axis of a camera's point: "u", "v", "radius". */
const char *arc_camera_parts_axis(int axis);

/* The capture's cameras and pixels; false on exhaustion. */
bool arc_camera_parts_write(ArcHdf5 *file, ArcArena *arena, const ArcCapture *capture);
bool arc_camera_parts_read(ArcHdf5 *file, ArcArena *arena, ArcCapture *capture);

/* A fit's, in its group. */
bool arc_camera_parts_write_fit(ArcHdf5 *file, ArcArena *arena, const char *group,
                                const ArcFit *fit, int n_points);
bool arc_camera_parts_read_fit(ArcHdf5 *file, ArcArena *arena, const char *group,
                               const ArcCapture *capture, ArcFit *fit);

#endif
