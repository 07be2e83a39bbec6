/* What `window: auto` took, in words and as JSON. */
#ifndef ARC_REPORT_STRETCH_PARTS_H
#define ARC_REPORT_STRETCH_PARTS_H

#include "arcfit/capture.h"
#include "base/text.h"
#include "io/json.h"

/* One paragraph; nothing where the capture's window was not found so. */
void arc_stretch_parts_text(ArcText *table, const ArcCapture *capture);

/* {"from_s", "to_s", "stretches", "begin", "end"}, the last two {"why", "line", "off_m", "off_sd",
 * "jump_m_s"}; NULL where the window was not found so. */
json_t *arc_stretch_parts_json(ArcJson *json, const ArcCapture *capture);

/* "bounce", "contact", "gap", "points". */
const char *arc_stretch_parts_why(ArcStretchEnd end);

#endif
