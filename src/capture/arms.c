/* Which flight has which rows of an arm's tables; copies of what they gave. */
#include "capture/arms.h"

#include "capture/arm_table.h"
#include "capture/points.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Notes of a capture that is made already go on behind those it has. */
static ArcNotes notes_open(const ArcCapture *capture)
{
    return (ArcNotes){.arena = capture->arena,
                      .n = capture->n_notes,
                      .capacity = capture->n_notes,
                      .texts = (const char **)(uintptr_t)capture->notes};
}

static ArcStatus notes_close(const ArcNotes *notes, ArcCapture *capture, ArcError *err)
{
    capture->n_notes = notes->n;
    capture->notes = notes->texts;
    return notes->failed ? arc_error_no_memory(err) : ARC_OK;
}

/* One table for all captures of the settings. */
typedef struct Share {
    const ArcCaptureSettings *settings;
    ArcArmTable read;
    bool is_swing;
    int *rows; /* (n_rows) */
    ArcArena *scratch;
} Share;

static ArcStatus share_give(Share *share, ArcCapture *capture, bool *has_rows, ArcError *err)
{
    ArcSwingReading reading = {.settings = share->settings,
                               .read = &share->read,
                               .rows = share->rows,
                               .scratch = share->scratch,
                               .arena = capture->arena};
    ArcNotes notes = notes_open(capture);
    ArcStatus status = arc_arm_table_rows(&share->read, capture, share->rows, &reading.n, err);
    if (status == ARC_OK && share->is_swing)
        status = arc_swing_read(&reading, &capture->swing, err);
    else if (status == ARC_OK)
        status = arc_readings_read(&reading, &capture->n_readings, &capture->readings, err);
    if (status != ARC_OK)
        return status;
    *has_rows = *has_rows || reading.n > 0;
    arc_arm_table_note(&share->read, &notes);
    const char *text = "no row of it is of this flight, of which it tells nothing";
    if (reading.n == 0)
        arc_notes_add(&notes, share->read.table.file, 1, &text);
    return notes_close(&notes, capture, err);
}

/* Rows of flights that there are not, where all flights of a file are there. */
static ArcStatus share_note_rest(const Share *share, ArcCapture *capture, ArcError *err)
{
    int n = 0;
    ArcNotes notes = notes_open(capture);
    for (int row = 0; row < share->read.table.n_rows; row++)
        n += !share->read.is_taken[row];
    if (n == 0 || capture->flight == NULL || share->settings->one_flight)
        return ARC_OK;
    const char *text = arc_arena_format(
        notes.arena, "%d rows are of flights that '%s' does not have", n, capture->file);
    notes.failed = text == NULL;
    if (text != NULL)
        arc_notes_add(&notes, share->read.table.file, 1, &text);
    return notes_close(&notes, capture, err);
}

static ArcStatus share_read(Share *share, int n, ArcCapture *const *captures, bool *has_rows,
                            ArcError *err)
{
    const ArcSwingSettings *swing = &share->settings->swing;
    const ArcTable *table = &share->read.table;
    ArcStatus status = share->is_swing ? arc_arm_table_read(swing->file, swing->place,
                                                            share->scratch, &share->read, err)
                                       : arc_arm_table_read(swing->readings, swing->readings_place,
                                                            share->scratch, &share->read, err);
    if (status == ARC_OK)
        status = share->is_swing ? arc_swing_find_columns(share->settings, &share->read, err)
                                 : arc_readings_find_columns(share->settings, &share->read, err);
    if (status == ARC_OK && share->read.flight < 0 && n > 1)
        status = arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                                  "no column `flight`, but '%s' holds %d flights; give one, which "
                                  "tells the flight of each row",
                                  captures[0]->file, n);
    if (status != ARC_OK)
        return status;
    share->rows = ARC_ALLOC(share->scratch, (size_t)table->n_rows, int);
    if (share->rows == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n && status == ARC_OK; i++)
        status = share_give(share, captures[i], has_rows, err);
    return status == ARC_OK && n > 0 ? share_note_rest(share, captures[0], err) : status;
}

ArcStatus arc_arms_read(const ArcCaptureSettings *settings, int n, ArcCapture *const *captures,
                        bool has_rows[2], ArcError *err)
{
    ArcStatus status = ARC_OK;
    const char *const files[] = {settings->swing.file, settings->swing.readings};
    for (int k = 0; k < 2 && status == ARC_OK; k++) {
        if (files[k] == NULL)
            continue;
        Share share = {.settings = settings, .is_swing = k == 0, .scratch = arc_arena_create()};
        status = share.scratch == NULL ? arc_error_no_memory(err)
                                       : share_read(&share, n, captures, &has_rows[k], err);
        arc_arena_free(share.scratch);
    }
    return status;
}

ArcStatus arc_arms_check(int n_settings, const ArcCaptureSettings *settings, bool (*has_rows)[2],
                         ArcError *err)
{
    for (int i = 0; i < n_settings; i++) {
        const ArcSwingSettings *own = &settings[i].swing;
        for (int k = 0; k < 2; k++) {
            const char *file = k == 0 ? own->file : own->readings;
            bool has_any = file == NULL;
            for (int j = 0; j < n_settings && !has_any; j++) {
                const ArcSwingSettings *other = &settings[j].swing;
                const char *same = k == 0 ? other->file : other->readings;
                has_any = has_rows[j][k] && same != NULL && strcmp(same, file) == 0;
            }
            if (!has_any)
                return arc_error_set_at(err, ARC_INPUT, k == 0 ? own->place : own->readings_place,
                                        "no row of '%s' is of a flight here; its column `flight` "
                                        "tells the flight's number as the points' file counts it, "
                                        "or the name of that file",
                                        file);
        }
    }
    return ARC_OK;
}

static ArcStatus swing_copy(const ArcSwing *given, ArcArena *arena, const ArcSwing **copy,
                            ArcError *err)
{
    size_t n_rows = (size_t)given->n_rows, n_numbers = (size_t)given->n_numbers;
    const char *file = given->file == NULL ? "(memory)" : given->file;
    ArcSwing *made = ARC_ALLOC(arena, 1, ArcSwing);
    double *time_s = ARC_ALLOC(arena, n_rows + 1, double);
    ArcSwingNumber *numbers = ARC_ALLOC(arena, n_numbers + 1, ArcSwingNumber);
    char *name = arc_arena_copy_text(arena, file, strlen(file));
    if (made == NULL || time_s == NULL || numbers == NULL || name == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n_rows; i++) {
        time_s[i] = given->time_s[i];
        if (!isfinite(time_s[i]) || (i > 0 && !(time_s[i] > time_s[i - 1])))
            return arc_error_set(err, ARC_INPUT,
                                 "error: time %g s of row %zu of a swing; times must be finite and "
                                 "increase",
                                 time_s[i], i + 1);
    }
    for (size_t i = 0; i < n_numbers; i++) {
        const ArcSwingNumber *number = &given->numbers[i];
        numbers[i] = *number;
        if (number->row < 0 || number->row >= given->n_rows || !isfinite(number->value) ||
            !(number->sigma > 0 && isfinite(number->sigma)))
            return arc_error_set(err, ARC_INPUT,
                                 "error: number %g, standard deviation %g, row %d of a swing of %d "
                                 "rows; they must be finite, and the second above zero",
                                 number->value, number->sigma, number->row, given->n_rows);
    }
    *made = (ArcSwing){name, given->n_rows, time_s, given->n_numbers, numbers};
    *copy = made;
    return ARC_OK;
}

static ArcStatus readings_copy(const ArcCapture *given, ArcCapture *capture, ArcError *err)
{
    ArcReading *made = ARC_ALLOC(capture->arena, (size_t)given->n_readings, ArcReading);
    if (made == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < given->n_readings; i++) {
        const ArcReading *reading = &given->readings[i];
        made[i] = *reading;
        made[i].name = arc_arena_copy_text(capture->arena, reading->name, strlen(reading->name));
        if (made[i].name == NULL)
            return arc_error_no_memory(err);
        if (!isfinite(reading->value) || !(reading->sd > 0 && isfinite(reading->sd)))
            return arc_error_set(err, ARC_INPUT,
                                 "error: reading %g of %s, standard deviation %g; both must be "
                                 "finite, and the second above zero",
                                 reading->value, reading->name, reading->sd);
    }
    capture->n_readings = given->n_readings;
    capture->readings = made;
    return ARC_OK;
}

ArcStatus arc_arms_copy(const ArcCapture *given, ArcCapture *capture, ArcError *err)
{
    ArcStatus status = ARC_OK;
    if (given->swing != NULL)
        status = swing_copy(given->swing, capture->arena, &capture->swing, err);
    if (status == ARC_OK && given->n_readings > 0)
        status = readings_copy(given, capture, err);
    return status;
}
