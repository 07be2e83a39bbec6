/* What a capture looks like before any flight model is fitted: where the ball flies freely, how
 * large gravity comes out, how large the errors are, and what is wrong with times, axes and scale.
 *
 * All by one flight with free gravity, drag and lift (src/capture/ballistic.h), robust against a
 * few wrong points. Of the ball only so much is assumed as its settings say: drag within the range
 * of its kind, lift up to what spin can do.
 */
#ifndef ARCFIT_DIAGNOSIS_H
#define ARCFIT_DIAGNOSIS_H

#include "arcfit/capture.h"
#include "arcfit/flight.h"

#pragma GCC visibility push(default)

enum { ARC_STRETCHES_MOST = 64 };

/* Finds where the ball flies freely among the used points of a capture, in order of time: stretches
 * that begin after a release and end before a contact, of at least five points each.
 * sigma_is_known: that the capture's sigmas are to be believed; else they come from the points' own
 * scatter. ARC_MEMORY. */
ArcStatus arc_stretches_find(const ArcCapture *capture, const ArcFlight *flight,
                             bool sigma_is_known, ArcStretch stretches[ARC_STRETCHES_MOST], int *n,
                             ArcError *err);

#pragma GCC visibility pop

#endif
