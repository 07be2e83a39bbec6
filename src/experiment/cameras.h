/* The parameters of the measurement, by name. */
#ifndef ARC_EXPERIMENT_CAMERAS_H
#define ARC_EXPERIMENT_CAMERAS_H

#include "arcfit/experiment.h"

enum { ARC_CAMERA_NAME = 20 }; /* the longest */

/* Unit, default, range and what it is; of an ArcMeasure but ARC_MEASURE_NONE. */
const ArcParameterInfo *arc_measure_info(int measure);

/* Whether the capture has a camera of this name. */
bool arc_measure_is_camera(const ArcExperiment *experiment, const char *name);

/* What a name ("scale", "cam1.scale") stands for and the camera that it belongs to, -1 for points
 * in metres; false where this capture has no such parameter. */
bool arc_measure_find(const ArcExperiment *experiment, const char *name, int *measure, int *camera);

/* The place of a parameter of the measurement, which comes to be by its name, free; -1: there is
 * none of that name, or no room. */
int arc_measure_add(ArcExperiment *experiment, const char *name, ArcPlace place);

/* What would bring a parameter of this name that is not found; else owner stays as it is. */
void arc_measure_owner(const ArcExperiment *experiment, const char *name, char owner[64]);

#endif
