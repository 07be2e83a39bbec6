/* arcfit track: a flight followed while it flies. Frames come as lines on standard input, for each
 * one a JSON line goes to standard output at once, also for those that are not used; what was wrong
 * with them goes to standard error as well. */
#include "cli/commands.h"
#include "cli/output.h"

#include "arcfit/track.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

/* Standard input, line by line: a line is there as soon as its end has come. */
typedef struct Lines {
    char block[BLOCK];
    size_t n, at; /* bytes in it, and how many are taken */
    char line[ARC_TRACK_MOST_LINE + 1];
    size_t length; /* of the line; one more than the most: it was longer */
    long number;   /* from 1 */
    bool ended;
    int failed; /* errno of a read; 0 */
} Lines;

typedef struct Tracking {
    const ArcOptions *options;
    ArcTracker *tracker;
    ArcFrameColumns columns;
    long n_frames;
    bool hung_up; /* nobody reads any more */
    int failed;   /* errno of a write; 0 */
} Tracking;

/* Waits for bytes or an interrupt, which is let in only here, so that none is missed. */
static bool fill(Lines *lines)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    sigset_t open_mask, before;
    sigemptyset(&open_mask);
    sigaddset(&open_mask, SIGINT);
    sigprocmask(SIG_BLOCK, &open_mask, &before);
    int ready = arc_output_is_interrupted() ? -1 : ppoll(&input, 1, NULL, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (ready < 0)
        return !arc_output_is_interrupted();
    ssize_t n = read(STDIN_FILENO, lines->block, BLOCK);
    if (n < 0 && errno != EINTR && errno != EAGAIN)
        lines->failed = errno;
    lines->ended = n == 0 || lines->failed != 0;
    lines->n = n > 0 ? (size_t)n : 0;
    lines->at = 0;
    return !lines->ended && !arc_output_is_interrupted();
}

/* The next line, of which what is too long is passed over; false at the end. */
static bool next_line(Lines *lines)
{
    bool has_begun = false;
    lines->length = 0;
    while (true) {
        while (lines->at < lines->n) {
            char byte = lines->block[lines->at++];
            if (byte == '\n') {
                lines->number++;
                return true;
            }
            has_begun = true;
            if (lines->length < sizeof lines->line)
                lines->line[lines->length++] = byte;
        }
        if (lines->ended || arc_output_is_interrupted() || (!fill(lines) && !lines->ended))
            return false;
        if (lines->ended) {
            lines->number += has_begun;
            return has_begun;
        }
    }
}

/* A line to standard output, past all buffers; frees text. */
static void put_line(Tracking *tracking, char *text)
{
    size_t length = strlen(text), done = 0;
    while (done < length && !tracking->hung_up && tracking->failed == 0) {
        ssize_t n = write(STDOUT_FILENO, text + done, length - done);
        if (n > 0)
            done += (size_t)n;
        else if (n < 0 && errno == EPIPE)
            tracking->hung_up = true;
        else if (n < 0 && errno != EINTR)
            tracking->failed = errno;
    }
    arc_text_free(text);
}

static ArcStatus skip(Tracking *tracking, const Lines *lines, double time_s, const char *why,
                      ArcError *err)
{
    char *text = NULL;
    const ArcTrackPlace place = {tracking->n_frames, lines->number, false};
    if (!tracking->options->quiet)
        arc_output_warning((ArcPlace){"standard input", (int)lines->number, 1},
                           "frame %ld is not used: %s", tracking->n_frames, why);
    ArcStatus status = arc_track_skip_json(place, time_s, why, &text, err);
    if (status == ARC_OK)
        put_line(tracking, text);
    return status;
}

static ArcStatus put_track(Tracking *tracking, const Lines *lines, bool is_last, ArcError *err)
{
    char *text = NULL;
    const ArcTrackPlace place = {tracking->n_frames, lines->number, is_last};
    ArcStatus status = arc_track_json(arc_tracker_track(tracking->tracker), place, &text, err);
    if (status == ARC_OK)
        put_line(tracking, text);
    return status;
}

static ArcStatus take_line(Tracking *tracking, const Lines *lines, ArcError *err)
{
    ArcFrame frame;
    ArcFrameUse use;
    char why[200];
    double off;
    ArcFrameLine kind = arc_frame_read(&tracking->columns, lines->line, lines->length, &frame, why);
    if (kind == ARC_LINE_NOTHING)
        return ARC_OK;
    tracking->n_frames++;
    if (kind == ARC_LINE_GARBAGE)
        return skip(tracking, lines, NAN, why, err);
    ArcStatus status = arc_tracker_add(tracking->tracker, &frame, &use, &off, err);
    if (status == ARC_OK && use == ARC_FRAME_OUTLIER) {
        snprintf(why, sizeof why, "outlier, %.3g sd off", off);
        return skip(tracking, lines, frame.time_s, why, err);
    }
    if (status == ARC_OK && use > ARC_FRAME_LATE)
        return skip(tracking, lines, frame.time_s, arc_frame_use_text(use), err);
    if (status == ARC_OK && use == ARC_FRAME_LATE && !tracking->options->quiet)
        arc_output_warning((ArcPlace){"standard input", (int)lines->number, 1},
                           "frame %ld is late; it is used by its time", tracking->n_frames);
    return status == ARC_OK ? put_track(tracking, lines, false, err) : status;
}

/* What is missing at the end, on one line; the exit code. */
static int judge(const ArcTrack *track)
{
    char names[400] = "";
    size_t used = 0;
    for (int i = 0; i < track->n_numbers && used + 1 < sizeof names; i++)
        if (track->numbers[i].status == ARC_PARAMETER_UNIDENTIFIED)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     used == 0 ? "" : ", ", track->numbers[i].name);
    if (track->is_identified && track->has_landing)
        return 0;
    if (track->points == 0)
        fputs("error: standard input: no frame could be used\n", stderr);
    else if (track->state == ARC_TRACK_LOST)
        fputs("error: standard input: no flight of the model fits the frames\n", stderr);
    else if (!track->is_identified)
        fprintf(stderr,
                "error: standard input: the frames do not tell %s; give it a prior, or fix it\n",
                names);
    else if (track->state == ARC_TRACK_NO_LANDING)
        fputs("error: standard input: the flight does not reach its target\n", stderr);
    else
        fputs("error: standard input: the frames do not tell the landing; give priors\n", stderr);
    return arc_status_exit_code(ARC_NUMERIC);
}

/* Frames until the end of the input, of who reads, or an interrupt. */
static int run(Tracking *tracking, Lines *lines)
{
    ArcError err;
    ArcStatus status = ARC_OK;
    while (status == ARC_OK && !tracking->hung_up && tracking->failed == 0 && next_line(lines))
        status = take_line(tracking, lines, &err);
    bool interrupted = arc_output_end_interrupt();
    if (status == ARC_OK && !tracking->hung_up && tracking->failed == 0)
        status = put_track(tracking, lines, true, &err);
    if (status != ARC_OK)
        return arc_output_error(&err);
    if (lines->failed != 0 || tracking->failed != 0) {
        fprintf(stderr, "error: cannot %s: %s\n",
                tracking->failed != 0 ? "write to standard output" : "read standard input",
                strerror(tracking->failed != 0 ? tracking->failed : lines->failed));
        return arc_status_exit_code(ARC_SYSTEM);
    }
    if (interrupted)
        return arc_status_exit_code(ARC_INTERRUPTED);
    return tracking->hung_up ? 0 : judge(arc_tracker_track(tracking->tracker));
}

int arc_command_track(const ArcOptions *options)
{
    static Lines lines;
    ArcExperiment *experiment = NULL;
    Tracking tracking = {.options = options};
    ArcError err;
    int code;
    ArcStatus status = arc_experiment_read(options->operands[0], options->n_overrides,
                                           options->overrides, &experiment, &err);
    if (status == ARC_OK)
        status = arc_tracker_create(experiment, &tracking.tracker, &err);
    if (status != ARC_OK) {
        code = arc_output_error(&err);
    } else {
        if (experiment->randomise.n > 0 && !options->quiet)
            arc_output_warning((ArcPlace){options->operands[0], 1, 1},
                               "`randomise` is not known here: no sd holds what it would add");
        tracking.columns = arc_frame_columns(experiment->flight.settings.dimensions);
        signal(SIGPIPE, SIG_IGN);
        arc_output_catch_interrupt(false);
        code = run(&tracking, &lines);
    }
    arc_tracker_free(tracking.tracker);
    arc_experiment_free(experiment);
    return code;
}
