/* A recording while it is made: what a format's reader writes into.
 *
 * Exhaustion is remembered; who fills a recorder asks once, at the end (recording.c does).
 */
#ifndef ARC_CAPTURE_RECORDER_H
#define ARC_CAPTURE_RECORDER_H

#include "arcfit/recording.h"
#include "base/arena.h"

/* Of tracks, and of cameras; no recording has as many, and a table of words would. */
enum { ARC_RECORDER_MOST_NAMES = 1000 };

/* What a reader says of the file as a whole; it sets these before or after the samples. */
struct ArcRecorder {
    ArcArena *arena;
    int axes;           /* of positions: 0, 2, 3 */
    double time_unit_s; /* SI value of 1 in the samples' times; NaN: the file does not tell */
    double time_digit;  /* unit of the last digit of rounded times, as the file counts them; NaN:
                         * they are exact, and a rate has no meaning beside them */
    double position_unit_m; /* SI value of 1 in positions and their sigmas; NaN: it does not tell */
    bool is_in_si; /* the reader has applied the file's units and the settings'; a unit above is 1
                    * then, NaN where it was taken for SI */
    double rate_per_s; /* NaN: it does not tell */
    double image_px[2];
    bool has_turned_rows; /* the reader has settled from where rows count */
    int n_tracks, n_cameras, n_notes, n_samples;
    char **tracks, **cameras, **notes;
    ArcSample *samples;
    int *sample_track; /* (n_samples) */
    int capacity;
    bool failed;
    bool has_too_many; /* tracks or cameras: more than ARC_RECORDER_MOST_NAMES */
};
typedef struct ArcRecorder ArcRecorder;

/* Nothing in it, everything unknown. */
ArcRecorder arc_recorder_begin(ArcArena *arena);

/* The index of the track or camera of that name, which is added where it is new. */
int arc_recorder_track(ArcRecorder *recorder, const char *name, size_t length);
int arc_recorder_camera(ArcRecorder *recorder, const char *name, size_t length);

/* The index of a track of its own; where the name is taken it gets a number: "ball (2)". */
int arc_recorder_new_track(ArcRecorder *recorder, const char *name, size_t length);

/* A new sample with nothing in it, to be filled before the next one is added; never NULL (on
 * exhaustion it is one that nobody reads). */
ArcSample *arc_recorder_add(ArcRecorder *recorder, int track, int line, int column);

/* A sentence about what was taken for granted. */
void arc_recorder_note(ArcRecorder *recorder, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* True where the sample holds a position, pixel or radius. */
bool arc_sample_is_seen(const ArcSample *sample);

#endif
