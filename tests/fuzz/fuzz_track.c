/* Lines of frames into a tracker: each is a frame, nothing or garbage with its words; what the
 * tracker says of a landing is in numbers.
 * Words: src/aim/track_frame.c
 */
#include "arcfit/track.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

/* An experiment with priors, so that it speaks from the first frame, or without. */
static ArcTracker *make_tracker(const ArcExperiment *const experiments[2], int which)
{
    ArcTracker *tracker = NULL;
    if (arc_tracker_create(experiments[which], &tracker, NULL) != ARC_OK)
        fuzz_fail("no tracker");
    return tracker;
}

static ArcExperiment *parse(const char *text)
{
    ArcExperiment *experiment = NULL;
    if (arc_experiment_parse("fuzz.yaml", text, strlen(text), 0, NULL, &experiment, NULL) != ARC_OK)
        fuzz_fail("no experiment");
    return experiment;
}

static void check_track(const ArcTrack *track)
{
    if (track->points < 0 || track->points > track->frames)
        fuzz_fail("more points than frames");
    for (int c = 0; c < track->dimensions && track->has_landing; c++)
        if (!isfinite(track->landing_m[c]) ||
            !(track->landing_covariance_m2[c * (track->dimensions + 1)] >= 0.0))
            fuzz_fail("a landing without its sd");
}

/* The first byte chooses the experiment. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static ArcExperiment *experiments[2];
    if (experiments[0] == NULL) {
        experiments[0] = parse("arcfit: 1\ncapture: {sigma: 3 mm}\n"
                               "flight: {dimensions: 2, drag: lumped}\nparameters:\n"
                               "  k: {prior: {mean: 0.03, sd: 0.01}}\n"
                               "  x0: {prior: {mean: 0, sd: 0.1}}\n"
                               "  y0: {prior: {mean: 2, sd: 0.1}}\n"
                               "  vx0: {prior: {mean: 4, sd: 0.5}}\n"
                               "  vy0: {prior: {mean: 5, sd: 0.5}}\n");
        experiments[1] = parse("arcfit: 1\ncapture: {sigma: 3 mm}\nrelease: polar\n"
                               "flight: {dimensions: 2, drag: lumped}\nparameters: {k: 0.03}\n");
    }
    if (size == 0)
        return 0;
    ArcTracker *tracker = make_tracker((const ArcExperiment *const *)experiments, bytes[0] % 2);
    ArcFrameColumns columns = arc_frame_columns(2);
    const char *at = (const char *)bytes + 1, *end = (const char *)bytes + size;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end != NULL ? line_end : end) - at);
        ArcFrame frame;
        char why[200] = "";
        ArcFrameLine kind = arc_frame_read(&columns, at, length, &frame, why);
        if (kind == ARC_LINE_GARBAGE && (why[0] == '\0' || strchr(why, '\n') != NULL))
            fuzz_fail("garbage without its words");
        if (kind == ARC_LINE_FRAME && arc_tracker_add(tracker, &frame, NULL, NULL, NULL) != ARC_OK)
            fuzz_fail("a frame that is refused");
        check_track(arc_tracker_track(tracker));
        at += length + 1;
    }
    arc_tracker_free(tracker);
    return 0;
}
