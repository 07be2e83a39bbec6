/* Several flights: files one after the other, and the flights that one file counts. */
#include "arcfit/recording.h"
#include "capture/points.h"

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

/* The flights of a recording: their numbers in order, and each sample's place among them. */
typedef struct Flights {
    int n;
    int *number; /* (n) */
    int *count;  /* (n) samples */
    int *of;     /* (n_samples) */
} Flights;

static ArcStatus flights_find(const ArcRecording *recording, ArcArena *arena, Flights *flights,
                              ArcError *err)
{
    size_t n = (size_t)recording->n_samples;
    *flights = (Flights){0};
    flights->number = ARC_ALLOC(arena, 3 * n + 1, int);
    if (flights->number == NULL)
        return arc_error_no_memory(err);
    flights->count = flights->number + n;
    flights->of = flights->count + n;
    for (size_t i = 0; i < n; i++) {
        const ArcSample *sample = &recording->samples[i];
        if ((sample->flight < 0) != (recording->samples[0].flight < 0))
            return arc_error_set_at(err, ARC_INPUT, (ArcPlace){recording->file, sample->line, 1},
                                    "some rows tell the number of their flight, and others do "
                                    "not; give it in all or in none");
        /* Rows of one flight mostly follow each other. */
        int f = i > 0 ? flights->of[i - 1] : 0;
        if (f == flights->n || flights->number[f] != sample->flight)
            for (f = 0; f < flights->n && flights->number[f] != sample->flight;)
                f++;
        if (f == flights->n)
            flights->number[flights->n++] = sample->flight;
        flights->of[i] = f;
        flights->count[f]++;
    }
    return ARC_OK;
}

/* One flight's samples as a recording of their own. */
static ArcStatus flight_add(const ArcCaptureSettings *settings, const ArcRecording *recording,
                            const Flights *flights, int f, List *list, ArcError *err)
{
    char number[16];
    ArcArena *scratch = arc_arena_create();
    ArcSample *samples =
        scratch == NULL ? NULL : ARC_ALLOC(scratch, (size_t)flights->count[f], ArcSample);
    ArcCapture *capture = NULL;
    ArcRecording part = *recording;
    ArcStatus status = samples == NULL ? arc_error_no_memory(err) : ARC_OK;
    int n = 0;
    for (int i = 0; i < recording->n_samples && status == ARC_OK && n < flights->count[f]; i++)
        if (flights->of[i] == f)
            samples[n++] = recording->samples[i];
    part.samples = samples;
    part.n_samples = n;
    snprintf(number, sizeof number, "%d", flights->number[f]);
    if (status == ARC_OK)
        status = arc_capture_of_recording(settings, &part, flights->number[f] < 0 ? NULL : number,
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
                                settings->flight_number, settings->file);
    return arc_error_set_at(err, ARC_INPUT, arc_points_settings_place(settings),
                            "'%s' has no flight %d; it has %d of them, the first is %d, the last "
                            "%d",
                            settings->file, settings->flight_number, flights->n, flights->number[0],
                            flights->number[flights->n - 1]);
}

static ArcStatus file_add(const ArcCaptureSettings *settings, List *list, ArcError *err)
{
    ArcRecording *recording = NULL;
    ArcArena *scratch = arc_arena_create();
    Flights flights = {0};
    ArcStatus status =
        scratch == NULL ? arc_error_no_memory(err) : arc_capture_check_settings(settings, err);
    if (status == ARC_OK)
        status = arc_recording_read(settings, &recording, err);
    if (status == ARC_OK)
        status = flights_find(recording, scratch, &flights, err);
    bool found = false;
    for (int f = 0; f < flights.n && status == ARC_OK; f++) {
        if (settings->one_flight && flights.number[f] != settings->flight_number)
            continue;
        found = true;
        status = flight_add(settings, recording, &flights, f, list, err);
    }
    if (status == ARC_OK && !found && flights.n > 0)
        status = refuse_choice(settings, &flights, err);
    if (status == ARC_OK && flights.n == 0) { /* what is wrong with it says the capture */
        ArcCapture *capture = NULL;
        status = arc_capture_of_recording(settings, recording, NULL, &capture, err);
        if (status == ARC_OK)
            status = list_add(list, capture, err);
    }
    arc_recording_free(recording);
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
    ArcStatus status = ARC_OK;
    for (int i = 0; i < n_settings && status == ARC_OK; i++)
        status = file_add(&settings[i], &list, err);
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
