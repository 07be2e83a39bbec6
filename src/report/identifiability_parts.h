/* What the data tell of the free parameters, and which measurement would tell the rest, as parts of
 * the reports. */
#ifndef ARC_REPORT_IDENTIFIABILITY_PARTS_H
#define ARC_REPORT_IDENTIFIABILITY_PARTS_H

#include "arcfit/fit.h"
#include "base/text.h"
#include "io/json.h"

/* The entries "told", "not told", "would settle" of a table; nothing where there is nothing to say.
 */
void arc_identifiability_parts_text(ArcText *table, const ArcFit *fit);

/* An object; null where there is nothing to say. */
json_t *arc_identifiability_parts_json(ArcJson *json, const ArcFit *fit);

#endif
