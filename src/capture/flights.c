/* Several flights: files one after the other, and the flights that one file counts. */
#include "arcfit/captures.h"

#include "arcfit/diagnosis.h"

#include "capture/arms.h"
#include "capture/channels.h"
#include "capture/files.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A list of captures that grows. */
typedef struct List {
    ArcArena *arena;
    int n, capacity;
    ArcCapture **captures;
} List;

static ArcStatus list_add(List *list, ArcCapture *capture, ArcError *err)
{
    if (list->n == list->capacity) {
        int capacity = 2 * list->capacity + 8;
        ArcCapture **grown = ARC_ALLOC(list->arena, (size_t)capacity, ArcCapture *);
        if (grown == NULL) {
            arc_capture_free(capture);
            return arc_error_no_memory(err);
        }
        if (list->n > 0)
            memcpy(grown, list->captures, sizeof *grown * (size_t)list->n);
        list->captures = grown;
        list->capacity = capacity;
    }
    list->captures[list->n++] = capture;
    return ARC_OK;
}

/* The flights of the files: their numbers in order, and each sample's place among them. */
typedef struct Flights {
    int n;
    int *number; /* (n) */
    int *count;  /* (n) samples */
    int *of;     /* (n_samples of all files) */
} Flights;

static ArcStatus flights_find(const ArcFiles *files, ArcArena *arena, Flights *flights,
                              ArcError *err)
{
    size_t n = (size_t)files->n_samples;
    int before = -1, f = 0;
    *flights = (Flights){0};
    flights->number = ARC_ALLOC(arena, 3 * n + 1, int);
    if (flights->number == NULL)
        return arc_error_no_memory(err);
    flights->count = flights->number + n;
    flights->of = flights->count + n;
    for (int k = 0, at = 0; k < files->n; k++) {
        const ArcRecording *recording = files->recordings[k];
        for (int i = 0; i < recording->n_samples; i++, at++) {
            const ArcSample *sample = &recording->samples[i];
            if (at > 0 && (sample->flight < 0) != (before < 0))
                return arc_error_set_at(err, ARC_INPUT,
                                        (ArcPlace){recording->file, sample->line, 1},
                                        "some rows tell the number of their flight, and others do "
                                        "not; give it in all or in none");
            before = sample->flight;
            /* Rows of one flight mostly follow each other. */
            if (flights->n == 0 || flights->number[f] != sample->flight)
                for (f = 0; f < flights->n && flights->number[f] != sample->flight;)
                    f++;
            if (f == flights->n)
                flights->number[flights->n++] = sample->flight;
            flights->of[at] = f;
            flights->count[f]++;
        }
    }
    return ARC_OK;
}

/* The samples of flight f alone: files whose recordings borrow all else, in scratch. */
static ArcStatus files_of_flight(const ArcFiles *files, const Flights *flights, int f,
                                 ArcArena *scratch, ArcFiles **result, ArcError *err)
{
    ArcFiles *part = ARC_ALLOC(scratch, 1, ArcFiles);
    ArcRecording *recordings = ARC_ALLOC(scratch, (size_t)files->n, ArcRecording);
    ArcSample *samples = ARC_ALLOC(scratch, (size_t)flights->count[f], ArcSample);
    if (part == NULL || recordings == NULL || samples == NULL)
        return arc_error_no_memory(err);
    int n = 0, at = 0;
    *part = *files;
    for (int k = 0; k < files->n; k++) {
        int first = n;
        for (int i = 0; i < files->recordings[k]->n_samples; i++, at++)
            if (flights->of[at] == f)
                samples[n++] = files->recordings[k]->samples[i];
        recordings[k] = *files->recordings[k];
        recordings[k].samples = samples + first;
        recordings[k].n_samples = n - first;
        part->recordings[k] = &recordings[k];
        part->intakes[k].recording = &recordings[k];
        part->intakes[k].settings = &part->settings[k];
        part->intakes[k].first = first;
    }
    part->n_samples = n;
    *result = part;
    return ARC_OK;
}

static ArcStatus flight_add(const ArcCaptureSettings *settings, const ArcFiles *files,
                            const Flights *flights, int f, List *list, ArcError *err)
{
    char number[16];
    ArcArena *scratch = arc_arena_create();
    ArcFiles *part = NULL;
    ArcCapture *capture = NULL;
    ArcStatus status = scratch == NULL ? arc_error_no_memory(err)
                                       : files_of_flight(files, flights, f, scratch, &part, err);
    snprintf(number, sizeof number, "%d", flights->number[f]);
    if (status == ARC_OK)
        status = arc_capture_of_files(settings, part, flights->number[f] < 0 ? NULL : number,
                                      &capture, err);
    size_t used = status != ARC_OK && err != NULL ? strlen(err->text) : 0;
    if (status == ARC_INPUT && err != NULL && flights->n > 1)
        snprintf(err->text + used, sizeof err->text - used, " (flight %s)", number);
    arc_arena_free(scratch);
    return status == ARC_OK ? list_add(list, capture, err) : status;
}

static ArcStatus refuse_choice(const ArcCaptureSettings *settings, const Flights *flights,
                               ArcError *err)
{
    if (flights->n == 1 && flights->number[0] < 0)
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                "flight %d is chosen, but '%s' has no column that counts flights; "
                                "leave `flight` out",
                                settings->flight_number, arc_points_name(settings));
    return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                            "'%s' has no flight %d; it has %d of them, the first is %d, the last "
                            "%d",
                            arc_points_name(settings), settings->flight_number, flights->n,
                            flights->number[0], flights->number[flights->n - 1]);
}

/* Leaves a capture the points of a window: those around it are other flights'. */
static void window_keep(ArcCapture *capture, const double window_s[2])
{
    int begin = 0, end = capture->n_points;
    while (begin < end && !(capture->time_s[begin] >= window_s[0]))
        begin++;
    while (end > begin && !(capture->time_s[end - 1] <= window_s[1]))
        end--;
    size_t first = (size_t)begin, d = (size_t)capture->dimensions;
    capture->n_points = end - begin;
    capture->time_s += first;
    capture->position_m += first * d;
    capture->sigma_m += first * d;
    capture->use += first;
    capture->line += first;
    if (capture->n_cameras == 0)
        return;
    capture->camera += first;
    capture->pixel_px += 2 * first;
    capture->sigma_px += first;
    capture->radius_px += first;
    capture->sigma_radius_px += first;
}

/* Flight number f of the files, in a window of its own. */
static ArcStatus stretch_add(const ArcCaptureSettings *settings, const ArcFiles *files,
                             const ArcStretch *stretch, int number, List *list, ArcError *err)
{
    ArcCapture *capture = NULL;
    ArcCaptureSettings own = *settings;
    char name[16];
    snprintf(name, sizeof name, "%d", number);
    own.window_s[0] = stretch->window_s[0];
    own.window_s[1] = stretch->window_s[1];
    ArcStatus status = arc_capture_of_files(&own, files, number == 0 ? NULL : name, &capture, err);
    if (status != ARC_OK)
        return status;
    window_keep(capture, own.window_s);
    return list_add(list, capture, err);
}

/* `split: auto`: a capture for every stretch of free flight in the window. */
static ArcStatus split_stretches(const ArcCaptureSettings *settings, const ArcFiles *files,
                                 List *list, ArcError *err)
{
    ArcCapture *whole = NULL;
    ArcStretch stretches[ARC_STRETCHES_MOST];
    ArcCaptureSettings all = *settings;
    int n = 0;
    bool is_blind = settings->n_cameras == 1 && settings->dimensions == 3;
    if (settings->window_auto || settings->one_flight || is_blind)
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                "split: auto looks for all flights where the ball is%s",
                                settings->window_auto  ? "; leave out window: auto"
                                : settings->one_flight ? "; leave out `flight`"
                                                       : ", which one camera in space does not "
                                                         "tell; give a capture each `window`");
    all.every = 1;
    all.hold_out = ARC_HOLD_OUT_NONE;
    ArcStatus status = arc_capture_of_files(&all, files, NULL, &whole, err);
    if (status == ARC_OK)
        status = arc_window_stretches(settings, whole, stretches, &n, err);
    for (int i = 0; i < n && status == ARC_OK; i++)
        status = stretch_add(settings, files, &stretches[i], n > 1 ? i + 1 : 0, list, err);
    arc_capture_free(whole);
    return status;
}

static ArcStatus split_files(const ArcCaptureSettings *settings, const ArcFiles *files,
                             ArcArena *scratch, List *list, ArcError *err)
{
    Flights flights = {0};
    bool found = false;
    ArcStatus status = flights_find(files, scratch, &flights, err);
    if (status == ARC_OK && settings->split == ARC_SPLIT_AUTO && flights.n == 1)
        return split_stretches(settings, files, list, err);
    if (status == ARC_OK && settings->split == ARC_SPLIT_AUTO && flights.n > 1)
        return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                                "'%s' counts %d flights by itself; leave `split` out",
                                arc_points_name(settings), flights.n);
    for (int f = 0; f < flights.n && status == ARC_OK; f++) {
        if (settings->one_flight && flights.number[f] != settings->flight_number)
            continue;
        found = true;
        status = flight_add(settings, files, &flights, f, list, err);
    }
    if (status == ARC_OK && !found && flights.n > 0)
        return refuse_choice(settings, &flights, err);
    if (status == ARC_OK && flights.n == 0) { /* what is wrong with it says the capture */
        ArcCapture *capture = NULL;
        status = arc_capture_of_files(settings, files, NULL, &capture, err);
        if (status == ARC_OK)
            status = list_add(list, capture, err);
    }
    return status;
}

/* Runs of own equations: a file's rows are one, or those that it counts. */
static ArcStatus channels_add(const ArcCaptureSettings *settings, List *list, ArcError *err)
{
    int n = 0;
    ArcCapture **runs = NULL;
    ArcArena *scratch = arc_arena_create();
    ArcStatus status =
        scratch == NULL ? arc_error_no_memory(err) : arc_capture_check_settings(settings, err);
    if (status == ARC_OK)
        status = arc_channels_read(settings, scratch, &n, &runs, err);
    for (int i = 0; i < n; i++) {
        if (status == ARC_OK)
            status = list_add(list, runs[i], err);
        else
            arc_capture_free(runs[i]);
    }
    arc_arena_free(scratch);
    return status;
}

/* has_rows: arms.h. */
static ArcStatus files_add(const ArcCaptureSettings *settings, List *list, bool has_rows[2],
                           ArcError *err)
{
    int before = list->n;
    ArcArena *scratch = arc_arena_create();
    ArcFiles *files = scratch == NULL ? NULL : ARC_ALLOC(scratch, 1, ArcFiles);
    ArcStatus status =
        files == NULL ? arc_error_no_memory(err) : arc_capture_check_settings(settings, err);
    if (status == ARC_OK)
        status = arc_files_read(settings, files, err);
    if (status == ARC_OK)
        status = split_files(settings, files, scratch, list, err);
    if (status == ARC_OK)
        status = arc_arms_read(settings, list->n - before, list->captures + before, has_rows, err);
    if (files != NULL)
        arc_files_free(files);
    arc_arena_free(scratch);
    return status;
}

ArcStatus arc_captures_read(int n_settings, const ArcCaptureSettings *settings,
                            ArcCaptures **captures, ArcError *err)
{
    *captures = NULL;
    ArcArena *arena = arc_arena_create();
    ArcCaptures *made = arena == NULL ? NULL : ARC_ALLOC(arena, 1, ArcCaptures);
    if (made == NULL) {
        arc_arena_free(arena);
        return arc_error_no_memory(err);
    }
    List list = {.arena = arena};
    bool(*has_rows)[2] = arc_arena_alloc(arena, (size_t)n_settings, sizeof *has_rows);
    ArcStatus status = has_rows == NULL ? arc_error_no_memory(err) : ARC_OK;
    for (int i = 0; i < n_settings && status == ARC_OK; i++)
        status = settings[i].equations != NULL ? channels_add(&settings[i], &list, err)
                                               : files_add(&settings[i], &list, has_rows[i], err);
    if (status == ARC_OK)
        status = arc_arms_check(n_settings, settings, has_rows, err);
    *made = (ArcCaptures){list.n, (const ArcCapture *const *)list.captures, arena};
    if (status == ARC_OK)
        *captures = made;
    else
        arc_captures_free(made);
    return status;
}

void arc_captures_free(ArcCaptures *captures)
{
    if (captures == NULL)
        return;
    for (int i = 0; i < captures->n; i++)
        arc_capture_free((ArcCapture *)(uintptr_t)captures->captures[i]);
    arc_arena_free(captures->arena);
}
