/* What a fit does not know of what it took for known, in each kind of report.
 *
 *   GROUP/randomised/          draws failed note as attributes
 *      quantity/{name,unit,mean,sd}
 *      number/{flight,name,unit,value,mean,noise_sd,randomised_sd,sd,low,high}
 *
 * flight is -1 of the whole fit; then follow those of all flights, one behind the other.
 */
#ifndef ARC_REPORT_RANDOMISED_PARTS_H
#define ARC_REPORT_RANDOMISED_PARTS_H

#include "arcfit/randomised.h"
#include "base/arena.h"
#include "base/text.h"
#include "io/hdf5.h"
#include "io/json.h"

#include <stdbool.h>

/* A table of the two parts of each number's sd; nothing where nothing was randomised. */
void arc_randomised_parts_text(ArcText *table, const ArcFit *fit, bool is_named);

/* "randomised" into a fit's object. */
void arc_randomised_parts_json(ArcJson *json, json_t *object, const ArcFit *fit);

/* Below a fit's group; false on exhaustion. Read after the fit's flights; failures are the file's.
 */
bool arc_randomised_parts_write(ArcHdf5 *file, ArcArena *arena, const char *group,
                                const ArcFit *fit);
bool arc_randomised_parts_read(ArcHdf5 *file, ArcArena *arena, const char *group, ArcFit *fit);

#endif
