/* What own equations predict: channels with bands in place of positions and velocities. */
#ifndef ARC_REPORT_STATES_PREDICTION_H
#define ARC_REPORT_STATES_PREDICTION_H

#include "arcfit/report.h"
#include "base/text.h"
#include "io/json.h"

/* The asked times, three channels a table; held-out numbers one by one, and a score a channel. */
void arc_states_prediction_text(ArcText *table, const ArcResult *result,
                                const ArcPredicted *predicted);

/* "states" and "held_out": [{"time_s", "channels": {name: {"unit", "value", "sd"}}}], held-out
 * ones with "observed", "sigma" and "in_sd"; "held_out_channels", and the sums. */
void arc_states_prediction_json(ArcJson *json, json_t *object, const ArcResult *result,
                                const ArcPredicted *predicted);

#endif
