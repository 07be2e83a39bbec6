/* What a capture looks like before any flight model is fitted: where the ball flies freely, how
 * large gravity comes out, how large the errors are, and what is wrong with times, axes and scale.
 *
 * All by one flight with free gravity, drag and lift (src/capture/ballistic.h), robust against a
 * few wrong points. Of the ball only so much is assumed as its settings say: drag within the range
 * of its kind, lift up to what spin can do; what these can do to gravity is part of its sd.
 */
#ifndef ARCFIT_DIAGNOSIS_H
#define ARCFIT_DIAGNOSIS_H

#include "arcfit/capture.h"
#include "arcfit/flight.h"

#pragma GCC visibility push(default)

enum { ARC_STRETCHES_MOST = 64, ARC_WARNINGS_MOST = 16, ARC_WARNING_POINTS = 8 };
enum { ARC_REASONS_MOST = 3 };

/* Finds where the ball flies freely among the used points of a capture, in order of time: stretches
 * that begin after a release and end before a contact, of at least five points each.
 * sigma_is_known: that the capture's sigmas are to be believed; else they come from the points' own
 * scatter. ARC_MEMORY. */
ArcStatus arc_stretches_find(const ArcCapture *capture, const ArcFlight *flight,
                             bool sigma_is_known, ArcStretch stretches[ARC_STRETCHES_MOST], int *n,
                             ArcError *err);

/* The same at a scale or by a clock that nobody knows yet: where gravity of its true size leaves
 * most points over, with the size that most of them have. ARC_MEMORY. */
ArcStatus arc_stretches_find_unscaled(const ArcCapture *capture, const ArcFlight *flight,
                                      bool sigma_is_known, ArcStretch stretches[ARC_STRETCHES_MOST],
                                      int *n, ArcError *err);

/* Findings, the gravest first, and their codes. value, sd, expected and n of a warning by finding:
 *   no-flight       nothing falls as anything could
 *   axis-flipped    gravity points up: along axis, by sign
 *   axis-swapped    gravity points along another axis
 *   scale           size of gravity in m/s^2, its sd, what is expected; reasons
 *   dropped-frames  n frames in all are missing before points, and the times do not say so
 *   repeated-frames n points stand where the one before them does, though the ball must have moved
 *   after-flight    n points after the flight, before-flight  before it; value: the next one's
 *                   distance from it in m, sd: in errors; why: of the stretch's end
 *   jumps           n points off by value m at most, sd: in errors
 *   camera-offset   axis is the camera, whose picture is later by value s, its sd, than the first
 *                   one's by n pairs of pixels
 *   tilt            angle in rad between gravity and the axis that is down, its sd
 *   drag            k in 1/m, its sd, what such a ball has
 *   large-noise, small-noise   size of the errors over the stated sigmas, its sd
 *   gaps            n frames are missing by their times, value: the step in s */
#define ARC_FINDING_LIST(X)                                                                        \
    X(ARC_FINDING_NO_FLIGHT, "no-flight")                                                          \
    X(ARC_FINDING_AXIS_FLIPPED, "axis-flipped")                                                    \
    X(ARC_FINDING_AXIS_SWAPPED, "axis-swapped")                                                    \
    X(ARC_FINDING_SCALE, "scale")                                                                  \
    X(ARC_FINDING_DROPPED_FRAMES, "dropped-frames")                                                \
    X(ARC_FINDING_REPEATED_FRAMES, "repeated-frames")                                              \
    X(ARC_FINDING_BEFORE_FLIGHT, "before-flight")                                                  \
    X(ARC_FINDING_AFTER_FLIGHT, "after-flight")                                                    \
    X(ARC_FINDING_JUMPS, "jumps")                                                                  \
    X(ARC_FINDING_CAMERA_OFFSET, "camera-offset")                                                  \
    X(ARC_FINDING_TILT, "tilt")                                                                    \
    X(ARC_FINDING_DRAG, "drag")                                                                    \
    X(ARC_FINDING_LARGE_NOISE, "large-noise")                                                      \
    X(ARC_FINDING_SMALL_NOISE, "small-noise")                                                      \
    X(ARC_FINDING_GAPS, "gaps")

typedef enum ArcFinding {
#define ARC_X(name, code) name,
    ARC_FINDING_LIST(ARC_X)
#undef ARC_X
} ArcFinding;

/* What would explain a size of gravity by itself. */
typedef enum ArcReasonKind {
    ARC_REASON_RATE,   /* filmed at `rate` frames a second, not the stated one */
    ARC_REASON_FRAMES, /* the times are frame numbers at `rate` */
    ARC_REASON_MS,     /* the times are milliseconds */
    ARC_REASON_UNIT,   /* the positions are in `unit` instead of m */
    ARC_REASON_METRES  /* they are in m already, and were taken for `unit` */
} ArcReasonKind;

typedef struct ArcReason {
    ArcReasonKind kind;
    double rate_per_s, stated_per_s;
    const char *unit;
} ArcReason;

typedef struct ArcWarning {
    ArcFinding finding;
    double value, sd, expected;
    int n;
    int points[ARC_WARNING_POINTS]; /* of the capture, the first of n; those left over are -1 */
    int axis, sign;
    ArcStretchEnd why;
    int n_reasons;
    ArcReason reasons[ARC_REASONS_MOST]; /* the likeliest first */
} ArcWarning;

typedef struct ArcDiagnosis {
    int n_used;                           /* points */
    double step_s;                        /* usual step in time; NaN with fewer than two points */
    bool is_regular;                      /* the steps are that or multiples of it */
    bool has_flight;                      /* else what follows is NaN */
    ArcStretch stretch;                   /* the longest flight */
    int n_stretches;                      /* of so many */
    double noise_m[3];                    /* size of the errors, axis by axis */
    double speed_m_s[2];                  /* at its beginning and its end */
    double gravity_m_s2, gravity_sd_m_s2; /* its size, buoyancy taken off as the settings say */
    double tilt_rad, tilt_sd_rad;
    double drag_per_m, drag_sd_per_m; /* k of a = -k |u| u at the middle's speed */
    int n_warnings;
    ArcWarning warnings[ARC_WARNINGS_MOST];
} ArcDiagnosis;

/* What a diagnosis need not warn of: a fit leaves it open (arc_experiment_open, experiment.h). */
typedef struct ArcOpen {
    bool scale, tilt;             /* also where the flight has gravity or tilt as a parameter */
    bool offset[ARC_MAX_CAMERAS]; /* of each camera's clock */
} ArcOpen;

/* Looks at the used points of a capture; open may be NULL. ARC_MEMORY. */
ArcStatus arc_diagnosis_create(const ArcCapture *capture, const ArcFlight *flight,
                               bool sigma_is_known, const ArcOpen *open, ArcDiagnosis *diagnosis,
                               ArcError *err);

/* "axis-flipped" and the like. */
const char *arc_finding_code(ArcFinding finding);

#pragma GCC visibility pop

#endif
