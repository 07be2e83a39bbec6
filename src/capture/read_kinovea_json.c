/* Kinovea's JSON export: the one that names its units.
 *
 * data.timeseries is a list of tracks, each with its times and, for every point of it, its
 * positions; a track of one point goes by its own name, one of several by NAME/POINT. Where there
 * are none, data.positions (markers set by hand) is one track. Objects in data.times may repeat
 * keys; nothing of them is needed.
 */
#include "capture/reading.h"
#include "io/json.h"

#include "capture/points.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LOOK_BYTES = 4096, PATH_BYTES = 160 };

/* A list of positions and what its numbers mean. */
typedef struct Series {
    const ArcSource *source;
    ArcRecorder *recorder;
    int track;
    const char *path; /* in the document, for messages */
    double time_unit_s, unit_m;
    bool is_frames, is_pixels;
} Series;

int arc_kinovea_json_detect(const ArcSource *source)
{
    if (!arc_reading_is_json(source))
        return 0;
    bool is_kinovea = arc_reading_has(source, "Kinovea", LOOK_BYTES) &&
                      arc_reading_has(source, "\"metadata\"", LOOK_BYTES);
    return is_kinovea ? ARC_SURE : ARC_PERHAPS;
}

static ArcStatus refuse(const Series *series, ArcError *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static ArcStatus refuse(const Series *series, ArcError *err, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return arc_error_set_at(err, ARC_INPUT, arc_reading_start(series->source), "%s: %s",
                            series->path, what);
}

/* A number; NaN for null, "NaN" and what is missing. False for anything else. */
static bool number_of(const json_t *value, double *number)
{
    *number = NAN;
    if (value == NULL || json_is_null(value))
        return true;
    if (json_is_string(value))
        return strcmp(json_string_value(value), "NaN") == 0;
    if (!json_is_number(value))
        return false;
    *number = json_number_value(value);
    return true;
}

static const char *text_of(const json_t *object, const char *key, const char *fallback)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? fallback : text;
}

/* Units as the file names them, unless the settings say otherwise. */
static ArcStatus units_read(Series *series, const json_t *object, ArcError *err)
{
    const char *time = text_of(object, "timeUnit", ""), *data = text_of(object, "dataUnit", "");
    const ArcCaptureSettings *settings = series->source->settings;
    series->is_frames = strncmp(time, "frame", 5) == 0;
    series->time_unit_s = arc_reading_time_unit(time);
    if (!isnan(settings->time_scale_s))
        series->time_unit_s = settings->time_scale_s;
    series->is_pixels = settings->position_is_px || arc_reading_is_pixel_unit(data);
    series->unit_m = arc_reading_length_unit(data);
    if (!isnan(settings->position_scale_m)) {
        series->unit_m = settings->position_scale_m;
        series->is_pixels = false;
    }
    if (time[0] == '\0' && isnan(series->time_unit_s)) {
        series->time_unit_s = 1.0;
        arc_recorder_note(series->recorder,
                          "times are taken as seconds, since the file names no unit");
    }
    if (data[0] == '\0' && isnan(series->unit_m) && !series->is_pixels) {
        series->unit_m = 1.0;
        arc_recorder_note(series->recorder,
                          "positions are taken as metres, since the file names no unit");
    }
    if (!series->is_frames && isnan(series->time_unit_s))
        return refuse(series, err, "unknown unit of time '%.40s'; say it by `units: {t: ..}`",
                      time);
    if (!series->is_pixels && isnan(series->unit_m))
        return refuse(series, err,
                      "unknown unit of length '%.40s'; say it by `units: {position: ..}`", data);
    return ARC_OK;
}

/* number: of the sample in its series, from 1. */
static ArcStatus sample_put(Series *series, int number, double time, const double position[2],
                            ArcError *err)
{
    ArcSample *sample = arc_recorder_add(series->recorder, series->track, number, 1);
    bool is_seen = !isnan(position[0]) || !isnan(position[1]);
    if (is_seen && isnan(time))
        return refuse(series, err, "a position without a time");
    if (series->is_frames)
        sample->frame = time;
    else
        sample->time_s = arc_points_scale(time, series->time_unit_s);
    if (!series->is_pixels)
        series->recorder->axes = 2;
    for (int k = 0; k < 2; k++) {
        if (series->is_pixels)
            sample->pixel_px[k] = position[k];
        else
            sample->position_m[k] = arc_points_scale(position[k], series->unit_m);
    }
    return ARC_OK;
}

/* One point of a track: positions [[x, y], ...], as many as there are times. */
static ArcStatus positions_read(Series *series, const json_t *times, const json_t *positions,
                                ArcError *err)
{
    size_t n = json_array_size(times);
    if (!json_is_array(positions) || json_array_size(positions) != n)
        return refuse(series, err, "%zu times and %zu positions; the file is cut or damaged", n,
                      json_array_size(positions));
    for (size_t i = 0; i < n; i++) {
        const json_t *pair = json_array_get(positions, i);
        double time, position[2] = {NAN, NAN};
        bool good = number_of(json_array_get(times, i), &time);
        if (!json_is_null(pair))
            good = good && json_array_size(pair) >= 2 &&
                   number_of(json_array_get(pair, 0), &position[0]) &&
                   number_of(json_array_get(pair, 1), &position[1]);
        if (!good)
            return refuse(series, err, "entry %zu is not a time and a position [x, y] of numbers",
                          i);
        ArcStatus status = sample_put(series, (int)i + 1, time, position, err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

static ArcStatus track_read(Series *series, const json_t *object, ArcError *err)
{
    const char *name = text_of(object, "name", ""), *key;
    const json_t *times = json_object_get(object, "time");
    json_t *data = json_object_get(object, "data"), *positions;
    if (!json_is_array(times) || !json_is_object(data))
        return refuse(series, err, "a track needs 'time' and 'data'; the file is cut or damaged");
    ArcStatus status = units_read(series, object, err);
    json_object_foreach(data, key, positions)
    {
        const char *own = json_object_size(data) == 1
                              ? name
                              : arc_arena_format(series->source->scratch, "%s/%s", name, key);
        if (own == NULL)
            return arc_error_no_memory(err);
        series->track = arc_recorder_track(series->recorder, own, strlen(own));
        if (status == ARC_OK)
            status = positions_read(series, times, positions, err);
    }
    return status;
}

static ArcStatus tracks_read(const ArcSource *source, const json_t *list, ArcRecorder *recorder,
                             ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (size_t i = 0; i < json_array_size(list) && status == ARC_OK; i++) {
        char path[PATH_BYTES];
        const json_t *object = json_array_get(list, i);
        Series series = {.source = source, .recorder = recorder, .path = path};
        snprintf(path, sizeof path, "data.timeseries[%zu] '%.60s'", i, text_of(object, "name", ""));
        status = track_read(&series, object, err);
    }
    return status;
}

/* Markers set by hand, one after the other. */
static ArcStatus markers_read(const ArcSource *source, const json_t *markers, ArcRecorder *recorder,
                              ArcError *err)
{
    static const char name[] = "positions";
    Series series = {.source = source, .recorder = recorder, .path = "data.positions"};
    series.track = arc_recorder_track(recorder, name, sizeof name - 1);
    ArcStatus status = units_read(&series, json_array_get(markers, 0), err);
    for (size_t i = 0; i < json_array_size(markers) && status == ARC_OK; i++) {
        const json_t *marker = json_array_get(markers, i);
        double time, position[2];
        if (number_of(json_object_get(marker, "time"), &time) &&
            number_of(json_object_get(marker, "x"), &position[0]) &&
            number_of(json_object_get(marker, "y"), &position[1]))
            status = sample_put(&series, (int)i + 1, time, position, err);
        else
            status = refuse(&series, err, "entry %zu has no time, x and y in numbers", i);
    }
    return status;
}

static void metadata_read(const json_t *metadata, ArcRecorder *recorder)
{
    const json_t *image = json_object_get(metadata, "imageSize");
    double rate;
    if (number_of(json_object_get(metadata, "captureFramerate"), &rate) && rate > 0.0)
        recorder->rate_per_s = rate;
    number_of(json_object_get(image, "width"), &recorder->image_px[0]);
    number_of(json_object_get(image, "height"), &recorder->image_px[1]);
}

static ArcStatus document_read(const ArcSource *source, const json_t *root, ArcRecorder *recorder,
                               ArcError *err)
{
    const json_t *data = json_object_get(root, "data");
    const json_t *series = json_object_get(data, "timeseries");
    const json_t *markers = json_object_get(data, "positions");
    ArcStatus status;
    if (json_array_size(series) == 0 && json_array_size(markers) == 0)
        return arc_error_set_at(
            err, ARC_INPUT, arc_reading_start(source),
            "JSON neither of Kinovea (no track in data.timeseries, no data.positions) nor of "
            "another program that is known (events with moments); export CSV instead");
    arc_reading_in_si(recorder);
    metadata_read(json_object_get(root, "metadata"), recorder);
    status = json_array_size(series) > 0 ? tracks_read(source, series, recorder, err)
                                         : markers_read(source, markers, recorder, err);
    return status;
}

ArcStatus arc_kinovea_json_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    json_t *root = NULL;
    size_t size;
    const char *text = arc_reading_text(source, &size);
    ArcStatus status = arc_json_read(source->file, text, size, &root, err);
    if (status == ARC_OK)
        status = document_read(source, root, recorder, err);
    json_decref(root);
    return status;
}
