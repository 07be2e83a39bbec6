/* Several flights fitted together: their part of each report. */
#ifndef ARC_REPORT_FLIGHTS_PARTS_H
#define ARC_REPORT_FLIGHTS_PARTS_H

#include "arcfit/result.h"
#include "base/text.h"
#include "io/hdf5.h"
#include "io/json.h"
#include "report/states_hdf5.h"

/* How many flights there are, where their points come from, and a row each with the parameters of
 * its own; without verbose of the first and the least likely ones. Nothing of one flight. */
void arc_flights_section(ArcText *table, const ArcResult *result, bool verbose);

/* "; of single flights ...": the flight whose chi2 is the least likely, where it is a misfit. */
void arc_flights_say_worst(ArcText *text, const ArcResult *result);

/* [{"flight", "name", "parameters" (its own), "derived", "residuals", "trajectory", ...}]. */
json_t *arc_flights_json(ArcJson *json, const ArcFit *fit);

/* [{"parameters": {name: {"difference", "in_sd"}}, "trajectory_max_m"}]. */
json_t *arc_flights_comparison_json(ArcJson *json, const ArcResult *result);

/* Whether the parameter is one of the flight's own, not shared by all. */
bool arc_flights_is_own(const ArcFit *joint, const char *name);

/* /flights: where each stands in /capture. False where there is no memory. */
bool arc_flights_write_captures(ArcHdf5 *file, ArcArena *arena, const ArcResult *result);
bool arc_flights_read_captures(ArcHdf5 *file, ArcArena *arena, ArcResult *result);

/* group/flights: all flights' numbers, one behind the other. What does not fit refuses the file.
 * Reading needs the model of own equations, where there is one. */
bool arc_flights_write(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit);
bool arc_flights_read(ArcStatesFile *set, const char *group, const ArcResult *result, ArcFit *fit);

#endif
