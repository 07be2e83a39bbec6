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

#endif
