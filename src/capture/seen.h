/* What cameras saw, as positions; and whether their clocks agree. */
#ifndef ARC_CAPTURE_SEEN_H
#define ARC_CAPTURE_SEEN_H

#include "capture/diagnosing.h"

/* Fills points, which have room for all of the capture's, with the positions that its used pixels
 * give: of a plane camera each, of cameras in space where two at least see the ball at one time. */
void arc_seen_positions(const ArcCapture *capture, ArcTrackPoints *points);

/* Warnings of cameras whose clocks are off against the first one's. Without a flight: pixels of two
 * cameras at one time must be of one place. */
void arc_seen_find_offsets(ArcDiagnosing *diagnosing);

#endif
