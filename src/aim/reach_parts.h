/* What reach says of a goal that is out of reach, for reports of reach and of aim. */
#ifndef ARC_AIM_REACH_PARTS_H
#define ARC_AIM_REACH_PARTS_H

#include "arcfit/reach.h"
#include "base/text.h"
#include "io/json.h"

/* Lines: the lengths and limits that would have to change, and what the miss changes with. */
void arc_reach_parts_text(ArcText *text, const ArcReach *reach);

/* One length or limit that would have to change: "link 1 would need 12 cm more". */
void arc_reach_parts_cure(ArcText *text, const ArcReachCure *cure);

/* The same as the keys `changes` and `distance_by` of shortfall. */
void arc_reach_parts_json(ArcJson *json, json_t *shortfall, const ArcReach *reach);

#endif
