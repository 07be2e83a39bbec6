/* Tracking data of ball games as SportVU gave them: JSON with events, each a list of moments
 *
 *     [quarter, time in ms since 1970, game clock, shot clock, null, [[team, player, x, y, z], ..]]
 *
 * 25 a second, in feet, x and y from a corner of the court, z up. The ball is team -1, player -1;
 * the players have no height and are left out. An event becomes a flight. Events overlap: a moment
 * that an earlier event holds is not read again.
 */
#include "capture/reading.h"
#include "io/json.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double foot_m = 0.3048;

typedef struct Seen Seen;

/* Where the reading stands. */
typedef struct Cursor {
    const ArcSource *source;
    ArcRecorder *recorder;
    Seen *seen;
    double origin_ms;
    size_t event, moment;
} Cursor;

/* Times that were seen: open addressing, a power of two and at most half full. */
struct Seen {
    size_t size;
    double *times; /* NaN: free */
};

int arc_sportvu_detect(const ArcSource *source)
{
    return arc_reading_is_json(source) && arc_reading_has(source, "\"moments\"", 0) ? ARC_SURE : 0;
}

static size_t moments_count(const json_t *events)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(events); i++)
        n += json_array_size(json_object_get(json_array_get(events, i), "moments"));
    return n;
}

static bool seen_create(Seen *seen, size_t n, ArcArena *arena)
{
    seen->size = 16;
    while (seen->size < 2 * n)
        seen->size *= 2;
    seen->times = ARC_ALLOC(arena, seen->size, double);
    for (size_t i = 0; seen->times != NULL && i < seen->size; i++)
        seen->times[i] = NAN;
    return seen->times != NULL;
}

/* True where the time is new, which it no longer is then. */
static bool seen_add(Seen *seen, double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    size_t at = (size_t)((bits * 0x9e3779b97f4a7c15u) >> 20) & (seen->size - 1);
    while (!isnan(seen->times[at])) {
        if (seen->times[at] == time)
            return false;
        at = (at + 1) & (seen->size - 1);
    }
    seen->times[at] = time;
    return true;
}

/* The ball's entry; NULL where it was not seen. */
static const json_t *ball_of(const json_t *entries)
{
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        if (json_number_value(json_array_get(entry, 0)) == -1.0 &&
            json_number_value(json_array_get(entry, 1)) == -1.0)
            return entry;
    }
    return NULL;
}

static ArcStatus moment_refuse(const Cursor *cursor, const char *what, ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT, arc_reading_start(cursor->source),
                            "events[%zu].moments[%zu] %s; expected [quarter, time in ms, game "
                            "clock, shot clock, null, [[team, player, x, y, z], ..]]",
                            cursor->event, cursor->moment, what);
}

static ArcStatus moment_read(Cursor *cursor, const json_t *moment, ArcError *err)
{
    const json_t *time = json_array_get(moment, 1), *entries = json_array_get(moment, 5);
    if (!json_is_number(time))
        return moment_refuse(cursor, "has no time", err);
    if (!json_is_array(entries))
        return moment_refuse(cursor, "has no list of positions", err);
    double time_ms = json_number_value(time);
    const json_t *ball = ball_of(entries);
    if (isnan(cursor->origin_ms))
        cursor->origin_ms = time_ms;
    if (ball == NULL || !seen_add(cursor->seen, time_ms))
        return ARC_OK;
    ArcSample *sample = arc_recorder_add(cursor->recorder, 0, (int)cursor->moment + 1, 1);
    sample->time_s = time_ms - cursor->origin_ms;
    sample->flight = (int)cursor->event;
    for (size_t k = 0; k < 3; k++) {
        const json_t *value = json_array_get(ball, 2 + k);
        if (!json_is_number(value) && !json_is_null(value))
            return moment_refuse(cursor, "has a ball without x, y and z in numbers", err);
        if (json_is_number(value))
            sample->position_m[k] = json_number_value(value);
    }
    return ARC_OK;
}

static ArcStatus events_read(const ArcSource *source, const json_t *root, ArcRecorder *recorder,
                             ArcError *err)
{
    const json_t *events = json_is_array(root) ? root : json_object_get(root, "events");
    size_t n_moments = moments_count(events);
    Seen seen;
    Cursor cursor = {.source = source, .recorder = recorder, .seen = &seen, .origin_ms = NAN};
    if (n_moments == 0)
        return arc_error_set_at(err, ARC_INPUT, arc_reading_start(source),
                                "no events with moments in this JSON; the file is cut or of "
                                "another format");
    if (!seen_create(&seen, n_moments, source->scratch))
        return arc_error_no_memory(err);
    recorder->axes = 3;
    recorder->time_unit_s = 1e-3;
    recorder->position_unit_m = foot_m;
    recorder->rate_per_s = 25.0;
    arc_recorder_track(recorder, "ball", 4);
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *moments = json_object_get(json_array_get(events, i), "moments");
        cursor.event = i;
        for (size_t k = 0; k < json_array_size(moments); k++) {
            cursor.moment = k;
            ArcStatus status = moment_read(&cursor, json_array_get(moments, k), err);
            if (status != ARC_OK)
                return status;
        }
    }
    arc_recorder_note(recorder,
                      "times are counted from the first moment, %.3f s since 1970; a flight is an "
                      "event, without what an earlier one holds",
                      cursor.origin_ms / 1000.0);
    return ARC_OK;
}

ArcStatus arc_sportvu_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    json_t *root = NULL;
    size_t size;
    const char *text = arc_reading_text(source, &size);
    ArcStatus status = arc_json_read(source->file, text, size, &root, err);
    if (status == ARC_OK)
        status = events_read(source, root, recorder, err);
    json_decref(root);
    return status;
}
