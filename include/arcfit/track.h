/* Track: a flight followed while it flies, and where it will come down.
 *
 * Frames come one by one, each the ball's position at a time. After each the release and all that
 * is free are estimated anew from all frames so far and the priors, by exact nonlinear least
 * squares that begins where the last frame's ended,
 *   min over u  sum |x(t_i; u) - y_i|^2 / sigma_i^2 + sum ((u - mean) / sd)^2
 * and the flight is followed to its landing, where it meets the first of these that there is: the
 * aim's target (goal.h), the first derived target that is a plane, a height, a point or a rim, its
 * own release height on the way down. With G the landing's total derivatives and C the estimates'
 * covariance, the landing's is G C G'.
 *
 * A frame that lies beyond what the flight so far foresees, nu' inv(H C H' + sigma^2) nu, by a
 * chance of 1e-6, is an outlier and not used. Where three in a row are, the frames are asked which
 * flight most of them agree with: so that a bad first frame, or a prior far off, does not keep all
 * good ones out.
 *
 * t0 is the first frame's time where the experiment sets none.
 */
#ifndef ARCFIT_TRACK_H
#define ARCFIT_TRACK_H

#include "arcfit/experiment.h"
#include "arcfit/fit.h"

#include <stdbool.h>

#pragma GCC visibility push(default)

enum {
    ARC_TRACK_MOST_FRAMES = 1024, /* that are looked at again; of more the oldest half becomes a
                                   * prior of the others, linear about the estimate there */
    ARC_TRACK_MOST_LINE = 4096    /* bytes of a line with a frame */
};

/* A ball seen at a time; NaN: that coordinate was not, or brings no sigma of its own. */
typedef struct ArcFrame {
    double time_s;
    double position_m[3];
    double sigma_m[3];
} ArcFrame;

/* What became of a frame. Only the first two are used. */
typedef enum ArcFrameUse {
    ARC_FRAME_USED,
    ARC_FRAME_LATE, /* it came after a later one; it has its place by its time */
    ARC_FRAME_EMPTY,
    ARC_FRAME_REPEATED, /* the time of another */
    ARC_FRAME_BEFORE,   /* the release, or the window */
    ARC_FRAME_BEHIND,   /* a minute after the release, or the window */
    ARC_FRAME_OUTLIER
} ArcFrameUse;

/* "used", "late", "empty", "repeated", "before the release", "long after", "outlier". */
const char *arc_frame_use_text(ArcFrameUse use);

typedef enum ArcTrackState {
    ARC_TRACK_TOO_FEW,    /* frames: they do not tell the landing yet */
    ARC_TRACK_IN_FLIGHT,  /* the landing is foreseen */
    ARC_TRACK_LANDED,     /* the last used frame is behind it */
    ARC_TRACK_NO_LANDING, /* the flight does not get there */
    ARC_TRACK_LOST        /* no flight fits: none can be followed */
} ArcTrackState;

/* "too few points", "in flight", "landed", "no landing", "lost". */
const char *arc_track_state_text(ArcTrackState state);

typedef struct ArcTrackNumber {
    const char *name, *unit;
    double value, sd;          /* sd NaN: unidentified */
    ArcParameterStatus status; /* free, at-bound, unidentified */
} ArcTrackNumber;

/* Where a flight so far stands. */
typedef struct ArcTrack {
    ArcTrackState state;
    int frames, points; /* that came, and of these that are used */
    double time_s;      /* of the last used; NaN: none */
    double t0_s;        /* of the release; NaN: not known yet */
    int n_numbers;
    ArcTrackNumber numbers[ARC_MAX_PARAMETERS]; /* what is free, in the experiment's order */
    bool is_identified;                         /* all of it */
    int dimensions;
    bool has_landing;
    double landing_m[3], landing_velocity_m_s[3];
    double landing_covariance_m2[9];          /* (d, d) row-major; 0 across a plane */
    double landing_time_s, landing_time_sd_s; /* on the frames' clock */
    double hit_probability;                   /* NaN: without an aim.target */
    double chi2;                              /* of the used points and the priors, at dof */
    int dof;                                  /* used coordinates + priors - free parameters */
} ArcTrack;

typedef struct ArcTracker ArcTracker;

/* experiment is borrowed. ARC_INPUT, with a place, for what it does not follow: own equations, an
 * arm, cameras, a sensor's bias or latency, a closure, several flights, a sigma to be estimated or
 * none at all, a hierarchical parameter, nothing free. */
ArcStatus arc_tracker_create(const ArcExperiment *experiment, ArcTracker **tracker, ArcError *err);

/* Takes a frame in and estimates anew. A frame that is not used is ARC_OK, too: *use tells, and
 * *off, of an outlier, how many standard deviations it is off (else NaN); both nullable. ARC_INPUT:
 * a time that is not finite, a sigma that is not above zero. ARC_MEMORY. */
ArcStatus arc_tracker_add(ArcTracker *tracker, const ArcFrame *frame, ArcFrameUse *use, double *off,
                          ArcError *err);

/* Where it stands; the tracker's own, until the next frame. */
const ArcTrack *arc_tracker_track(const ArcTracker *tracker);

/* Accepts NULL. */
void arc_tracker_free(ArcTracker *tracker);

/* One JSON line with its line break, of the frame number `frame` from 1 in the line `line` of the
 * input; is_last: that of the end, with the total. The caller frees with arc_text_free. */
typedef struct ArcTrackPlace {
    long frame, line;
    bool is_last;
} ArcTrackPlace;

ArcStatus arc_track_json(const ArcTrack *track, ArcTrackPlace place, char **text, ArcError *err);

/* The line of a frame that was not used; time_s NaN: not known. */
ArcStatus arc_track_skip_json(ArcTrackPlace place, double time_s, const char *why, char **text,
                              ArcError *err);

/* Lines of text to frames: a header of canonical columns (time_s, x_m, y_m, z_m, and sigma_m or
 * sigma_x_m, sigma_y_m, sigma_z_m, in any order, others are passed over), rows in its order or,
 * without one, in that order with sigma_m last; or JSON objects, {"time_s": 0.1, "x_m": 0.5,
 * "y_m": 2.1, "sigma_m": 0.003} or {"t": 0.1, "x": [0.5, 2.1], "sigma": 0.003}. An empty cell, nan
 * and null are missing numbers. */
typedef struct ArcFrameColumns {
    int dimensions;
    bool has_header, is_begun; /* a line has come */
    int n;
    int role[ARC_CAPTURE_MAX_COLUMNS]; /* of each column: 0 the time, 1.. axes, 4.. their sigmas, 7
                                        * sigma of all; -1: passed over */
} ArcFrameColumns;

typedef enum ArcFrameLine {
    ARC_LINE_FRAME,
    ARC_LINE_NOTHING, /* blank, a comment, a header */
    ARC_LINE_GARBAGE
} ArcFrameLine;

ArcFrameColumns arc_frame_columns(int dimensions);

/* A line without its end (a carriage return there is taken off) into frame. Of garbage, why has a
 * phrase with what stands there. A header that lacks a column that is needed is garbage. */
ArcFrameLine arc_frame_read(ArcFrameColumns *columns, const char *line, size_t length,
                            ArcFrame *frame, char why[200]);

#pragma GCC visibility pop

#endif
