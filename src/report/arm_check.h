/* What a check says of an arm before any fit: what was measured of it, what is free, and what one
 * flight can tell. Nothing where the experiment has no arm, but for readings of t0. */
#ifndef ARC_REPORT_ARM_CHECK_H
#define ARC_REPORT_ARM_CHECK_H

#include "arcfit/fit.h"
#include "base/text.h"
#include "io/json.h"

/* capture and forecast: of the flight that is shown; whole: of several flights together that of all
 * (else forecast again). */
typedef struct ArcArmChecked {
    const ArcExperiment *experiment;
    const ArcCapture *capture;
    const ArcFit *forecast, *whole;
} ArcArmChecked;

/* Entries "arm", "swing", "readings", "one flight", "remark". */
void arc_arm_check_text(ArcText *table, const ArcArmChecked *checked);

/* "arm" and "readings" of a check's object. */
void arc_arm_check_json(ArcJson *json, json_t *object, const ArcArmChecked *checked);

#endif
