/* What a fit says of its noise: loss, sigma, how wide its intervals are, outliers (spread.h of the
 * public headers), in the forms of all reports. */
#ifndef ARC_REPORT_SPREAD_H
#define ARC_REPORT_SPREAD_H

#include "arcfit/result.h"
#include "base/text.h"
#include "io/hdf5.h"
#include "io/json.h"

/* Entries for what is not as usual, and the table of outliers of the fit that counts. */
void arc_spread_text(ArcText *table, const ArcResult *result);

/* Puts "loss", "sigma", "intervals" and "outliers" into a fit's object. */
void arc_spread_json(ArcJson *json, json_t *object, const ArcFit *fit);

/* group: the fit's. False on exhaustion. */
bool arc_spread_write(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcFit *fit);

/* Its mirror image: nothing is believed before it is checked. */
bool arc_spread_read(ArcHdf5 *file, ArcArena *arena, const char *group, const ArcCapture *capture,
                     ArcFit *fit);

#endif
