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

enum { ARC_DIAGNOSIS_MOST = 32, ARC_STRETCHES_MOST = 64 };

/* Why a stretch of free flight begins or ends where it does. */
typedef enum ArcStretchEnd {
    ARC_END_OF_POINTS, /* no points beyond */
    ARC_END_GAP,       /* the points beyond come much later or earlier */
    ARC_END_BOUNCE,    /* the ball meets something and flies on */
    ARC_END_CONTACT    /* it leaves its path: held, caught, touched, or another thing is tracked */
} ArcStretchEnd;

/* Points first to last of the capture; side 0 is the beginning, 1 the end. */
typedef struct ArcStretch {
    int first, last;
    double window_s[2]; /* their times */
    int n_points;       /* used ones among them */
    ArcStretchEnd ends[2];
    int outside[2];        /* the next used point beyond; -1: none */
    double off_m[2];       /* how far it lies from the flight; NaN: none */
    double off_sd[2];      /* the same in errors */
    double jump_m_s[2][3]; /* of the velocity there, forwards in time; NaN where not known */
} ArcStretch;

/* Finds where the ball flies freely among the used points of a capture, in order of time: stretches
 * that begin after a release and end before a contact, of at least five points each.
 * sigma_is_known: that the capture's sigmas are to be believed; else they come from the points' own
 * scatter. ARC_MEMORY. */
ArcStatus arc_stretches_find(const ArcCapture *capture, const ArcFlight *flight,
                             bool sigma_is_known, ArcStretch stretches[ARC_STRETCHES_MOST], int *n,
                             ArcError *err);

#pragma GCC visibility pop

#endif
