/* Sensors in experiments: their settings, and the parameters that come of them. */
#ifndef ARC_EXPERIMENT_SENSOR_H
#define ARC_EXPERIMENT_SENSOR_H

#include "experiment/reader.h"

/* Parameters of the measurement for bias and latency of capture.sensor, with their priors; those
 * that `parameters` names stay as they are there. ARC_INPUT: a unit that the capture's points do
 * not have, too many parameters. */
ArcStatus arc_sensor_add_parameters(ArcReader *reader, ArcError *err);

/* ARC_INPUT where two captures of an experiment have different sensors. */
ArcStatus arc_sensor_check_same(const ArcCaptureSettings *first, const ArcCaptureSettings *other,
                                ArcError *err);

#endif
