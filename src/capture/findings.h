/* What the fitted flight of a diagnosis shows. */
#ifndef ARC_CAPTURE_FINDINGS_H
#define ARC_CAPTURE_FINDINGS_H

#include "capture/diagnosing.h"

/* Size and direction of gravity, drag and speed; warnings of scale, axes and tilt. */
void arc_findings_of_gravity(ArcDiagnosing *diagnosing);

/* Points before the flight and after it. */
void arc_findings_of_ends(ArcDiagnosing *diagnosing);

/* Size of the errors, axis by axis; warnings of points far off and of sigmas that are wrong.
 * ARC_MEMORY. */
ArcStatus arc_findings_of_errors(ArcDiagnosing *diagnosing, ArcError *err);

#endif
