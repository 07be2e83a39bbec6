/* Own equations in the reports: their words, channels and residuals, as text and JSON. Nothing
 * where a result is of flights. */
#ifndef ARC_REPORT_STATES_PARTS_H
#define ARC_REPORT_STATES_PARTS_H

#include "arcfit/result.h"
#include "arcfit/states.h"
#include "base/text.h"
#include "io/json.h"

enum { ARC_STATES_UNIT = 64 };

/* NULL: flights. Before any fit a check shows its forecast as fits[0], n_fits being 0. */
const ArcStatesFit *arc_states_parts_of_result(const ArcResult *result);

/* "flight" or "run", by what was fitted. */
const char *arc_states_parts_word(const ArcResult *result);

/* The channel whose start the parameter is ("theta0": theta); -1: of none. */
int arc_states_parts_start(const ArcStatesFit *states, const char *parameter);

/* The unit of the n-th rate of something: "rad/s^2" for n = 2 and "rad", n = 1 and "rad/s". */
const char *arc_states_parts_rate_unit(char buffer[ARC_STATES_UNIT], const char *unit, int n);

/* Entries "model" and "sigma" of a header. */
void arc_states_parts_header(ArcText *table, const ArcResult *result);

/* All estimates: parameters and states at t0, a table each; is_compared: how far both methods are
 * apart in place of the statuses. */
void arc_states_parts_estimates(ArcText *table, const ArcResult *result, bool is_compared);

/* A row a channel that was seen: its numbers, and rms and chi2 of each fit; held-out ones below. */
void arc_states_parts_text(ArcText *table, const ArcResult *result);

/* "; most is off in theta (chi2 91 of 40 numbers)": the channel of the largest chi2 by number. */
void arc_states_parts_say_where(ArcText *text, const ArcFit *fit);

/* {"model", "order", "channels": [..]} into a fit's object, and into its residuals what equations
 * are broken by without m/s^2 in the names: shares of the states' sizes by s, or s^2. */
void arc_states_parts_json(ArcJson *json, json_t *object, const ArcFit *fit);

/* {"time_s", "states": {name: {"unit", "value", "rate"[, "second"]}}}. */
json_t *arc_states_parts_trajectory(ArcJson *json, const ArcFit *fit);

/* "trajectory_max_m" of a comparison; of own equations null, and "trajectory_max" in shares of the
 * states' sizes. */
void arc_states_parts_distance(ArcJson *json, json_t *object, const ArcResult *result,
                               double distance);

/* What a check says of the channels: points and sigmas. */
void arc_states_parts_check_text(ArcText *table, const ArcStatesFit *states,
                                 const ArcCapture *capture);
json_t *arc_states_parts_check_json(ArcJson *json, const ArcStatesFit *states,
                                    const ArcCapture *capture);

#endif
