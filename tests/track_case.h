/* What tests of the tracker share: frames of a capture, one by one into a tracker. Include after
 * cmocka.h. */
#ifndef TRACK_CASE_H
#define TRACK_CASE_H

#include "arcfit/track.h"
#include "fit_case.h"

static inline void assert_near(double a, double b, double most)
{
    if (!(fabs(a - b) <= most))
        fail_msg("%.12g is not %.12g within %g", a, b, most);
}

static inline ArcTracker *track_create(const ArcExperiment *experiment)
{
    ArcError err;
    ArcTracker *tracker = NULL;
    if (arc_tracker_create(experiment, &tracker, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return tracker;
}

static inline ArcFrame track_frame(const ArcCapture *capture, int i)
{
    ArcFrame frame = {
        .time_s = capture->time_s[i], .position_m = {NAN, NAN, NAN}, .sigma_m = {NAN, NAN, NAN}};
    for (int c = 0; c < capture->dimensions; c++) {
        frame.position_m[c] = capture->position_m[i * capture->dimensions + c];
        frame.sigma_m[c] = capture->sigma_m[i * capture->dimensions + c];
    }
    return frame;
}

static inline ArcFrameUse track_add(ArcTracker *tracker, ArcFrame frame)
{
    ArcError err;
    ArcFrameUse use = ARC_FRAME_USED;
    if (arc_tracker_add(tracker, &frame, &use, NULL, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return use;
}

/* A frame in the plane with the experiment's sigma. */
static inline ArcFrameUse track_see(ArcTracker *tracker, double time_s, double x_m, double y_m)
{
    return track_add(tracker, (ArcFrame){time_s, {x_m, y_m, NAN}, {NAN, NAN, NAN}});
}

static inline const ArcTrackNumber *track_number(const ArcTrack *track, const char *name)
{
    for (int i = 0; i < track->n_numbers; i++)
        if (strcmp(track->numbers[i].name, name) == 0)
            return &track->numbers[i];
    fail_msg("'%s' is not tracked", name);
    return NULL;
}

#define G_M_S2 9.80665

/* Experiments: what flies, priors, releases. */
#define PLANE                                                                                      \
    CASE_HEAD "flight: {dimensions: 2, ball: basketball, drag: quadratic, lift: rational}\n"
#define PRIORS                                                                                     \
    "  cd: {start: 0.5, prior: {mean: 0.5, sd: 0.1}}\n"                                            \
    "  spin: {start: -19, prior: {mean: -19, sd: 6}}\n"
#define STARTS "  x0: {start: 0}\n  y0: {start: 2}\n"
#define CARTESIAN STARTS "  vx0: {start: 4.5}\n  vy0: {start: 5.8}\n"
#define POLAR STARTS "  speed: {start: 7.4}\n  angle: {start: 0.9}\n"
#define SPACE                                                                                      \
    CASE_HEAD "flight: {dimensions: 3, ball: table-tennis, drag: quadratic, lift: linear}\n"       \
              "parameters:\n  cd: {start: 0.5, prior: {mean: 0.5, sd: 0.1}}\n"                     \
              "  cm: {fixed: 1.47}\n"                                                              \
              "  wx: {start: 0, prior: {mean: 0, sd: 50}}\n"                                       \
              "  wy: {start: 90, prior: {mean: 60, sd: 50}}\n"                                     \
              "  wz: {start: 20, prior: {mean: 0, sd: 50}}\n"                                      \
              "  x0: {start: -1.4}\n  y0: {start: 0.1}\n  z0: {start: 0.3}\n"                      \
              "  vx0: {start: 6}\n  vy0: {start: -0.5}\n  vz0: {start: 2}\n"

/* Without air: all follows from the release. */
#define VACUUM                                                                                     \
    CASE_HEAD "flight: {dimensions: 2}\nparameters:\n"                                             \
              "  x0: {prior: {mean: 0, sd: 0.1}}\n  y0: {prior: {mean: 2, sd: 0.1}}\n"             \
              "  vx0: {prior: {mean: 4, sd: 0.3}}\n  vy0: {prior: {mean: 5, sd: 0.2}}\n"

#define THROWN PLANE "parameters:\n" PRIORS CARTESIAN
enum { N = 40 };

/* Frames of a throw, and where its tracker ends. */
typedef struct Flown {
    ArcExperiment *experiment;
    ArcCapture *capture;
    ArcTracker *tracker;
    const ArcTrack *track;
} Flown;

static inline Flown flown_create(const char *text)
{
    Flown flown = {.experiment = case_experiment(text),
                   .capture = case_capture(text, N, 0.96, 3e-3)};
    flown.tracker = track_create(flown.experiment);
    flown.track = arc_tracker_track(flown.tracker);
    return flown;
}

static inline void flown_free(Flown *flown)
{
    arc_tracker_free(flown->tracker);
    arc_capture_free(flown->capture);
    arc_experiment_free(flown->experiment);
}

/* The rest of the frames from i on, all good. */
static inline void flown_rest(Flown *flown, int i)
{
    for (; i < N; i++)
        assert_int_equal(track_add(flown->tracker, track_frame(flown->capture, i)), ARC_FRAME_USED);
}

/* Both end at the same: within a small part of an sd. */
static inline void assert_same_end(const ArcTrack *a, const ArcTrack *b)
{
    assert_int_equal(a->points, b->points);
    for (int i = 0; i < a->n_numbers; i++)
        assert_near(a->numbers[i].value, b->numbers[i].value, 5e-3 * b->numbers[i].sd);
}

#endif
