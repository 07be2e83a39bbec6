/* HDF5 files with arrays of times and positions, MATLAB's of version 7.3 among them, and results.
 *
 * A track is a group with an array of times (time, t, time_stamps, ..) and one of positions
 * (position, xyz, ..; n x 2 or 3, or turned), or with arrays x, y (and z); it goes by the group's
 * path. Which arrays to take, `columns: {t: PATH, x: PATH}` may say instead: x alone holds all
 * axes, or y and z are given too. Units by the attribute `units`; times without it by the size of
 * their steps, since a flight is seen more than twice a second.
 */
#include "capture/points.h"
#include "capture/reading.h"
#include "io/hdf5_survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_AXES = 3 };

/* Arrays that are one track; NULL where there is none. */
typedef struct Track {
    const char *name;
    const ArcHdf5Numbers *times;
    const ArcHdf5Numbers *positions; /* all axes; else */
    const ArcHdf5Numbers *axes[MAX_AXES];
    const ArcHdf5Numbers *sigmas; /* as positions */
    int n_axes;
    size_t n;
} Track;

typedef struct Reading {
    const ArcSource *source;
    ArcRecorder *recorder;
    ArcHdf5Survey survey;
    bool is_quiet; /* of a track that was not asked for */
} Reading;

int arc_hdf5_detect(const ArcSource *source)
{
    if (arc_hdf5_survey_is(source->bytes, source->size))
        return ARC_SURE;
    return source->size > 6 && memcmp(source->bytes, "MATLAB", 6) == 0 ? ARC_SURE : 0;
}

/* The group's path without the slash in front; "/" for the root. */
static const char *group_of(const Reading *reading, const char *path)
{
    size_t length = (size_t)(strrchr(path, '/') - path);
    return length == 0 ? "/" : arc_arena_copy_text(reading->source->scratch, path + 1, length - 1);
}

static const char *leaf_of(const char *path)
{
    return strrchr(path, '/') + 1;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++) {
        if (strcasecmp(name, *names) == 0)
            return true;
    }
    return false;
}

/* How many numbers a vector has, also one that stands as a row or a column of two dimensions; 0: it
 * is none. */
static size_t vector_size(const ArcHdf5Numbers *array)
{
    if (array->columns == 0)
        return array->rows;
    return array->columns == 1 ? array->rows : array->rows == 1 ? array->columns : 0;
}

/* Points of a matrix of positions; 0: it is none. */
static size_t matrix_size(const ArcHdf5Numbers *array, int *n_axes)
{
    bool is_plain = array->columns == 2 || array->columns == 3;
    bool is_turned = !is_plain && array->columns > 0 && (array->rows == 2 || array->rows == 3);
    *n_axes = (int)(is_plain ? array->columns : array->rows);
    return is_plain ? array->rows : is_turned ? array->columns : 0;
}

static double matrix_value(const ArcHdf5Numbers *array, size_t i, int k)
{
    size_t axis = (size_t)k;
    return array->columns == 2 || array->columns == 3 ? array->values[i * array->columns + axis]
                                                      : array->values[axis * array->columns + i];
}

static bool is_times(const char *name)
{
    static const char *const names[] = {"t",         "time",       "times",      "time_s",
                                        "timestamp", "timestamps", "time_stamp", "time_stamps",
                                        "stamps",    "frame_time", NULL};
    return is_one_of(name, names);
}

static bool is_positions(const char *name)
{
    static const char *const names[] = {"position", "positions",  "pos",         "xyz",
                                        "xy",       "points",     "coordinates", "position_m",
                                        "ball",     "trajectory", NULL};
    return is_one_of(name, names);
}

/* Puts the array into its place of the track, where its name has one. */
static void track_take(Track *track, const ArcHdf5Numbers *array)
{
    static const char *const axes[MAX_AXES][3] = {
        {"x", "x_m", NULL}, {"y", "y_m", NULL}, {"z", "z_m", NULL}};
    static const char *const sigmas[] = {"sigma", "sigma_m", NULL};
    const char *name = leaf_of(array->path);
    int n_axes;
    if (is_times(name) && vector_size(array) > 0)
        track->times = array;
    else if (is_positions(name) && matrix_size(array, &n_axes) > 0)
        track->positions = array;
    else if (is_one_of(name, sigmas) && matrix_size(array, &n_axes) > 0)
        track->sigmas = array;
    for (int k = 0; k < MAX_AXES; k++) {
        if (is_one_of(name, axes[k]) && vector_size(array) > 0)
            track->axes[k] = array;
    }
}

/* Counts points and axes; false where the arrays are no track. */
static bool track_count(Track *track)
{
    if (track->positions != NULL) {
        track->n = matrix_size(track->positions, &track->n_axes);
    } else {
        if (track->axes[0] == NULL || track->axes[1] == NULL)
            return false;
        track->n = vector_size(track->axes[0]);
        track->n_axes = track->axes[2] != NULL ? 3 : 2;
        for (int k = 1; k < track->n_axes; k++) {
            if (vector_size(track->axes[k]) != track->n)
                return false;
        }
    }
    int n_axes;
    if (track->sigmas != NULL &&
        (track->positions == NULL || matrix_size(track->sigmas, &n_axes) != track->n ||
         n_axes != track->n_axes))
        track->sigmas = NULL;
    return true;
}

/* SI value of the times' unit; 1 where nothing tells. */
static double time_unit_of(const Reading *reading, const ArcHdf5Numbers *times)
{
    size_t n = vector_size(times);
    double given = reading->source->settings->time_scale_s;
    double step = n < 2 ? NAN : (times->values[n - 1] - times->values[0]) / (double)(n - 1);
    double unit = arc_reading_time_unit(times->units);
    if (!isnan(given))
        return given;
    if (!isnan(unit))
        return unit;
    unit = !(step > 0.5) ? 1.0 : step < 100.0 ? 1e-3 : step < 1e5 ? 1e-6 : 1e-9;
    if (!reading->is_quiet)
        arc_recorder_note(
            reading->recorder,
            "times of '%.100s' are taken as %s, since their steps are about %.3g and the "
            "file names no unit",
            times->path,
            unit == 1.0    ? "seconds"
            : unit == 1e-3 ? "milliseconds"
            : unit == 1e-6 ? "microseconds"
                           : "nanoseconds",
            step);
    return unit;
}

static double length_unit_of(const Reading *reading, const Track *track)
{
    const ArcHdf5Numbers *array = track->positions != NULL ? track->positions : track->axes[0];
    double given = reading->source->settings->position_scale_m;
    double unit = arc_reading_length_unit(array->units);
    if (!isnan(given))
        return given;
    if (isnan(unit) && !reading->is_quiet)
        arc_recorder_note(reading->recorder,
                          "positions are taken as metres, since '%.100s' names no unit that is "
                          "known",
                          array->path);
    return isnan(unit) ? 1.0 : unit;
}

/* Big stamps count from the first of their track, so that none is rounded. */
static ArcStatus track_put(const Reading *reading, const Track *track, ArcError *err)
{
    static const double long_ago_s = 1e7;
    const ArcHdf5Numbers *times = track->times;
    if (times != NULL && vector_size(times) != track->n)
        return arc_error_set_at(err, ARC_INPUT, arc_reading_start(reading->source),
                                "'%.100s' has %zu times and %zu positions", times->path,
                                vector_size(times), track->n);
    int index = arc_recorder_track(reading->recorder, track->name, strlen(track->name));
    double time_s = times == NULL ? 1.0 : time_unit_of(reading, times);
    double length_m = length_unit_of(reading, track), origin = 0.0;
    if (times != NULL && (times->origin != 0.0 || fabs(times->values[0]) * time_s > long_ago_s)) {
        origin = times->origin != 0.0 ? 0.0 : times->values[0];
        if (!reading->is_quiet)
            arc_recorder_note(reading->recorder,
                              "times of '%.100s' are counted from its first, %.9g s", times->path,
                              (times->values[0] + times->origin) * time_s);
    }
    if (track->n_axes > reading->recorder->axes)
        reading->recorder->axes = track->n_axes;
    for (size_t i = 0; i < track->n; i++) {
        ArcSample *sample = arc_recorder_add(reading->recorder, index, (int)i + 1, 1);
        if (times != NULL)
            sample->time_s = arc_points_scale(times->values[i] - origin, time_s);
        else
            sample->frame = (double)i;
        for (int k = 0; k < track->n_axes; k++) {
            double value = track->positions != NULL ? matrix_value(track->positions, i, k)
                                                    : track->axes[k]->values[i];
            sample->position_m[k] = arc_points_scale(value, length_m);
            if (track->sigmas != NULL)
                sample->sigma_m[k] = arc_points_scale(matrix_value(track->sigmas, i, k), length_m);
        }
    }
    return ARC_OK;
}

static const ArcHdf5Numbers *array_find(const Reading *reading, const char *path)
{
    for (int i = 0; i < reading->survey.n; i++) {
        const char *other = reading->survey.arrays[i].path;
        if (strcmp(other, path) == 0 || strcmp(other + 1, path) == 0)
            return &reading->survey.arrays[i];
    }
    return NULL;
}

/* The array that the settings name for a role. */
static ArcStatus chosen_find(const Reading *reading, const char *role, const ArcHdf5Numbers **array,
                             ArcError *err)
{
    const ArcCaptureSettings *settings = reading->source->settings;
    *array = NULL;
    for (int i = 0; i < settings->n_columns; i++) {
        const ArcColumnChoice *choice = &settings->columns[i];
        if (strcmp(choice->role, role) != 0)
            continue;
        *array = array_find(reading, choice->column);
        if (*array == NULL)
            return arc_error_set_at(err, ARC_INPUT, choice->place,
                                    "no array of numbers '%.100s' in '%s'; its arrays are, for "
                                    "example, '%.100s'",
                                    choice->column, reading->source->file,
                                    reading->survey.n > 0 ? reading->survey.arrays[0].path : "");
    }
    return ARC_OK;
}

static ArcStatus choices_read(const Reading *reading, bool *is_chosen, ArcError *err)
{
    static const char *const roles[MAX_AXES] = {"x", "y", "z"};
    Track track = {.name = ""};
    int n_axes;
    ArcStatus status = chosen_find(reading, "t", &track.times, err);
    for (int k = 0; k < MAX_AXES && status == ARC_OK; k++)
        status = chosen_find(reading, roles[k], &track.axes[k], err);
    if (status != ARC_OK)
        return status;
    *is_chosen = track.axes[0] != NULL;
    if (!*is_chosen)
        return ARC_OK;
    if (track.axes[1] == NULL && matrix_size(track.axes[0], &n_axes) > 0)
        track.positions = track.axes[0];
    if (!track_count(&track))
        return arc_error_set_at(err, ARC_INPUT, arc_reading_start(reading->source),
                                "'%.100s' holds no positions (n x 2 or n x 3), and there are no "
                                "arrays for y and z that go with it",
                                track.axes[0]->path);
    return track_put(reading, &track, err);
}

static int by_path(const void *a, const void *b)
{
    const ArcHdf5Numbers *left = a, *right = b;
    return strcmp(left->path, right->path);
}

/* Arrays of one group stand side by side once they are sorted by group. */
static int by_group(const void *a, const void *b)
{
    const ArcHdf5Numbers *left = a, *right = b;
    size_t n = (size_t)(strrchr(left->path, '/') - left->path);
    size_t m = (size_t)(strrchr(right->path, '/') - right->path);
    int order = strncmp(left->path, right->path, n < m ? n : m);
    return order != 0 ? order : n != m ? (n > m) - (n < m) : by_path(a, b);
}

static ArcStatus groups_read(Reading *reading, ArcError *err)
{
    const ArcHdf5Survey *survey = &reading->survey;
    const char *wanted = reading->source->settings->track;
    bool is_result =
        array_find(reading, "/capture/time") != NULL && array_find(reading, "/capture/use") != NULL;
    int n_tracks = 0;
    if (survey->n > 0)
        qsort(survey->arrays, (size_t)survey->n, sizeof *survey->arrays, by_group);
    for (int i = 0, next; i < survey->n; i = next) {
        Track track = {.name = group_of(reading, survey->arrays[i].path)};
        if (track.name == NULL)
            return arc_error_no_memory(err);
        for (next = i; next < survey->n; next++) {
            const char *group = group_of(reading, survey->arrays[next].path);
            if (group == NULL)
                return arc_error_no_memory(err);
            if (strcmp(group, track.name) != 0)
                break;
            track_take(&track, &survey->arrays[next]);
        }
        if (!track_count(&track) ||
            (track.times == NULL && isnan(reading->source->settings->rate_per_s)))
            continue;
        if (wanted == NULL && is_result && strcmp(track.name, "capture") != 0)
            continue;
        reading->is_quiet = wanted != NULL && strcmp(wanted, track.name) != 0;
        n_tracks++;
        ArcStatus status = track_put(reading, &track, err);
        if (status != ARC_OK)
            return status;
    }
    if (n_tracks == 0)
        return arc_error_set_at(err, ARC_INPUT, arc_reading_start(reading->source),
                                "no group with arrays of times and positions among %d arrays; name "
                                "them, for example `columns: {t: /group/time, x: /group/position}`",
                                survey->n);
    return ARC_OK;
}

ArcStatus arc_hdf5_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    Reading reading = {.source = source, .recorder = recorder};
    bool is_chosen = false;
    if (!arc_hdf5_survey_is(source->bytes, source->size))
        return arc_error_set_at(err, ARC_INPUT, arc_reading_start(source),
                                "a MATLAB file of version 5 or 7; save it as CSV, or as version "
                                "7.3: save(name, '-v7.3')");
    arc_reading_in_si(recorder);
    ArcStatus status = arc_hdf5_survey(source->file, source->bytes, source->size, source->scratch,
                                       &reading.survey, err);
    if (status == ARC_OK && reading.survey.n_unread > 0)
        arc_recorder_note(recorder, "%d arrays are stored in a way that is not read",
                          reading.survey.n_unread);
    if (status == ARC_OK)
        status = choices_read(&reading, &is_chosen, err);
    if (status == ARC_OK && !is_chosen)
        status = groups_read(&reading, err);
    return status;
}
