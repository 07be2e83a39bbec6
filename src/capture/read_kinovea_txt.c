/* Kinovea, text for gnuplot.
 *
 * Since 2023:                             until 0.8:
 *   #Kinovea Trajectory data export         #Kinovea Trajectory data export
 *   #T X Y                                  #T X Y
 *                                           0:00:00:00 866.00 320.00
 *   # Trajectory 1                          0:00:00:03 847.00 321.00
 *   0 -0.0005117606 2.134623
 *
 * Both are separated by blanks and have the decimal mark of the user's choice. The old form, in
 * Latin-1, has a timecode h:mm:ss:cc, whose last part is hundredths of a second, so that a video of
 * 30 frames a second shows 03, 07, 10; a blank line begins another track. Units are not told. */
#include "capture/recorder.h"
#include "capture/sheet.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { SURE = 95, TIMECODE_PARTS = 4 };

static const double hundredth_s = 0.01, relative_digit = 1e-6;

/* What is known while the lines are read. */
typedef struct Reading {
    ArcTable table; /* without rows; for places and separators */
    ArcRecorder *recorder;
    int track;      /* of the samples that come; -1: none has begun */
    int n_unnamed;  /* tracks without a name */
    int last_line;  /* of numbers; 0: none yet */
    ArcCell marked; /* the first number with a decimal mark */
    bool has_timecodes, has_numbers;
    double latest;
} Reading;

/* Whether the comment is that text. */
static bool comment_is(const ArcLine *line, const char *text, ArcCell *rest)
{
    int i = 0, end = line->length;
    while (i < end && strchr(" \t#", line->start[i]) != NULL)
        i++;
    while (end > i && strchr(" \t", line->start[end - 1]) != NULL)
        end--;
    *rest = (ArcCell){line->start + i, end - i, line->number, i + 1, false};
    return arc_cell_is_like(rest, text);
}

int arc_kinovea_txt_detect(const ArcSource *source)
{
    ArcLine *lines;
    ArcCell rest;
    return arc_sheet_peek(source, 1, &lines) == 1 && arc_line_is_comment(&lines[0]) &&
                   comment_is(&lines[0], "Kinovea Trajectory data export", &rest)
               ? SURE
               : 0;
}

/* h:mm:ss:cc in seconds. */
static ArcStatus timecode_read(const Reading *reading, const ArcCell *cell, double *time_s,
                               ArcError *err)
{
    static const double unit_s[TIMECODE_PARTS] = {3600.0, 60.0, 1.0, 0.0};
    bool is_negative = cell->length > 0 && cell->text[0] == '-', is_sound = true;
    long long part[TIMECODE_PARTS] = {0};
    double sum = 0.0;
    int n = 0;
    for (int start = is_negative, end; start <= cell->length && is_sound; start = end + 1, n++) {
        for (end = start; end < cell->length && cell->text[end] != ':';)
            end++;
        is_sound = n < TIMECODE_PARTS && end > start && cell->text[start] != '-' &&
                   arc_number_read_integer(cell->text + start, (size_t)(end - start), &part[n]) &&
                   part[n] >= 0 &&
                   part[n] < (n == 0                    ? 1000
                              : n == TIMECODE_PARTS - 1 ? 100
                                                        : 60);
    }
    if (!is_sound || n != TIMECODE_PARTS)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&reading->table, cell),
                                "'%.*s' is no time; a number or h:mm:ss:cc (cc: hundredths) is "
                                "needed",
                                arc_delimited_shown(cell->text, cell->length), cell->text);
    for (int k = 0; k < TIMECODE_PARTS; k++)
        sum += (double)part[k] * unit_s[k];
    sum += (double)part[TIMECODE_PARTS - 1] / 100.0;
    *time_s = is_negative ? -sum : sum;
    return ARC_OK;
}

/* One kind of decimal mark in the whole file. */
static ArcStatus mark_check(Reading *reading, const ArcCell *cell, ArcError *err)
{
    ArcCellMark mark = arc_cell_mark(cell);
    if (mark == ARC_CELL_NO_MARK)
        return ARC_OK;
    if (reading->marked.length == 0)
        reading->marked = *cell;
    const ArcCell *first = &reading->marked;
    if (arc_cell_mark(first) == mark)
        return ARC_OK;
    return arc_error_set_at(
        err, ARC_INPUT, arc_delimited_place(&reading->table, cell),
        "'%.*s' has a decimal %s, but '%.*s' in line %d a decimal %s; write all numbers of a file "
        "in one way",
        arc_delimited_shown(cell->text, cell->length), cell->text,
        mark == ARC_CELL_POINT ? "point" : "comma", arc_delimited_shown(first->text, first->length),
        first->text, first->line, mark == ARC_CELL_POINT ? "comma" : "point");
}

static ArcStatus time_read(Reading *reading, const ArcCell *cell, double *time, ArcError *err)
{
    bool is_timecode = memchr(cell->text, ':', (size_t)cell->length) != NULL;
    reading->has_timecodes = reading->has_timecodes || is_timecode;
    reading->has_numbers = reading->has_numbers || !is_timecode;
    if (reading->has_timecodes && reading->has_numbers)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&reading->table, cell),
                                "'%.*s': timecodes and numbers in one file; export it once more",
                                arc_delimited_shown(cell->text, cell->length), cell->text);
    if (is_timecode)
        return timecode_read(reading, cell, time, err);
    ArcStatus status = arc_sheet_number(&reading->table, cell, time, err);
    return status == ARC_OK ? mark_check(reading, cell, err) : status;
}

/* The track that unnamed rows are of: a new one behind a blank line. */
static void unnamed_track(Reading *reading, const ArcLine *line)
{
    bool is_behind_blank = reading->last_line > 0 && line->number > reading->last_line + 1;
    if (reading->track >= 0 && (reading->n_unnamed == 0 || !is_behind_blank))
        return;
    char *name = arc_arena_format(reading->recorder->arena, "%d", ++reading->n_unnamed);
    if (name == NULL)
        reading->recorder->failed = true;
    else
        reading->track = arc_recorder_track(reading->recorder, name, strlen(name));
}

static ArcStatus row_read(Reading *reading, const ArcLine *line, const ArcCell *cells, int n,
                          ArcError *err)
{
    double time, position[2];
    if (n != 3)
        return arc_error_set_at(err, ARC_INPUT,
                                (ArcPlace){reading->table.file, line->number,
                                           n > 3 ? cells[3].column : line->length + 1},
                                "%d cell%s where time, x and y are needed", n, n == 1 ? "" : "s");
    ArcStatus status = time_read(reading, &cells[0], &time, err);
    for (int k = 0; k < 2 && status == ARC_OK; k++) {
        status = arc_sheet_number(&reading->table, &cells[1 + k], &position[k], err);
        if (status == ARC_OK)
            status = mark_check(reading, &cells[1 + k], err);
    }
    if (status != ARC_OK)
        return status;
    if (isnan(time) || isnan(position[0]) != isnan(position[1]))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&reading->table, &cells[0]),
                                "a row without its time or one coordinate; it must be damaged");
    unnamed_track(reading, line);
    reading->last_line = line->number;
    reading->latest = fmax(reading->latest, fabs(time));
    if (isnan(position[0]))
        return ARC_OK;
    ArcSample *sample =
        arc_recorder_add(reading->recorder, reading->track, line->number, cells[1].column);
    sample->time_s = time;
    sample->position_m[0] = position[0];
    sample->position_m[1] = position[1];
    return ARC_OK;
}

/* "# Trajectory 1" begins a track of that name; of an equal name, another one. */
static void name_take(Reading *reading, const ArcLine *line)
{
    ArcCell name;
    if (comment_is(line, "Kinovea Trajectory data export", &name) ||
        comment_is(line, "T X Y", &name))
        return;
    reading->track = arc_recorder_new_track(reading->recorder, name.text, (size_t)name.length);
    reading->n_unnamed = 0;
}

static void notes_make(const Reading *reading)
{
    ArcRecorder *recorder = reading->recorder;
    if (!reading->has_timecodes) {
        recorder->time_digit = relative_digit * reading->latest;
        return;
    }
    recorder->time_unit_s = 1.0;
    recorder->time_digit = hundredth_s;
    arc_recorder_note(recorder, "times are timecodes, whose last part is hundredths of a second");
}

ArcStatus arc_kinovea_txt_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcPart part;
    ArcLine *lines;
    int n = 0;
    Reading reading = {.recorder = recorder, .track = -1};
    ArcStatus status = arc_sheet_part(source, &part, err);
    if (status == ARC_OK)
        status = arc_lines_cut(&part, source->scratch, &lines, &n, err);
    if (status != ARC_OK)
        return status;
    reading.table = (ArcTable){.file = source->file, .delimiter = {" ", true}};
    for (int i = 0; i < n && status == ARC_OK; i++) {
        ArcCursor cursor = {.file = source->file,
                            .line = lines[i],
                            .delimiter = reading.table.delimiter,
                            .counts_characters = part.counts_characters};
        ArcCell cells[4], cell;
        int n_cells = 0;
        if (arc_line_is_comment(&lines[i])) {
            name_take(&reading, &lines[i]);
            continue;
        }
        while (arc_cursor_next(&cursor, &cell, &status, err)) {
            if (n_cells < 4)
                cells[n_cells] = cell;
            n_cells++;
        }
        if (status == ARC_OK)
            status = row_read(&reading, &lines[i], cells, n_cells, err);
    }
    if (status == ARC_OK && recorder->n_samples == 0)
        status = arc_error_set_at(err, ARC_INPUT, (ArcPlace){source->file, 1, 1},
                                  "no rows of time, x and y in this file");
    recorder->axes = 2;
    notes_make(&reading);
    return status;
}
