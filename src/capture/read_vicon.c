/* Vicon Nexus, CSV: the section Trajectories of an ASCII export.
 *
 *   Trajectories
 *   100                                   frames a second
 *   ,,Subject:Ball,,,Subject:Hand,,
 *   Frame,Sub Frame,X,Y,Z,X,Y,Z
 *   ,,mm,mm,mm,mm,mm,mm
 *   1,0,12.3,...                          frames from 1; empty cells: nothing was seen
 *
 * Other sections (Devices, Model Outputs, ...) may stand before and behind it, each after a blank
 * line. */
#include "capture/recorder.h"
#include "capture/sheet.h"

#include <math.h>
#include <string.h>

enum { SURE = 95, SURE_OTHER = 80 };

/* Lines of the section, by their index: section + 1 is the rate, + 2 the names, + 3 the axes. */
enum { RATE = 1, NAMES = 2, AXES = 3, UNITS = 4 };

static bool is_section(const ArcLine *line, const char *name)
{
    ArcCell cell = {line->start, 0, 0, 0, false};
    while (cell.length < line->length && strchr(",;\t\"", line->start[cell.length]) == NULL)
        cell.length++;
    return arc_cell_is(&cell, name);
}

static bool is_any_section(const ArcLine *line)
{
    static const char *const names[] = {"Trajectories", "Devices",  "Model Outputs",
                                        "Joints",       "Segments", "Events"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_section(line, names[i]))
            return true;
    }
    return false;
}

int arc_vicon_detect(const ArcSource *source)
{
    ArcLine *lines;
    ArcCell *cells;
    double rate;
    if (arc_sheet_peek(source, 2, &lines) < 2 || !is_any_section(&lines[0]))
        return 0;
    int n = arc_sheet_cells(source, &lines[1], arc_sheet_delimiter(&lines[1]), &cells);
    if (n < 1 || arc_cell_kind(&cells[0], true, &rate) != ARC_CELL_NUMBER)
        return 0;
    return is_section(&lines[0], "Trajectories") ? SURE : SURE_OTHER;
}

/* The section's first line and the one behind its last. */
static ArcStatus section_find(const ArcSource *source, int n, const ArcLine *lines, int *first,
                              int *end, ArcError *err)
{
    int at = 0;
    while (at < n && !is_section(&lines[at], "Trajectories"))
        at++;
    if (at + UNITS >= n)
        return arc_error_set_at(err, ARC_INPUT,
                                (ArcPlace){source->file, n > 0 ? lines[n - 1].number : 1, 1},
                                "%s; export the trajectories from Nexus",
                                at == n ? "no section Trajectories in this file"
                                        : "the section Trajectories ends in its header");
    *first = at;
    *end = at + UNITS;
    while (*end < n && lines[*end].number == lines[*end - 1].number + 1)
        (*end)++;
    return ARC_OK;
}

/* The track of each column that is an X with Y and Z behind; -1 of the others. */
static ArcStatus tracks_find(const ArcTable *table, ArcRecorder *recorder, int *track,
                             ArcError *err)
{
    const ArcTitle *names = &table->titles[0], *axes = &table->titles[1];
    for (int i = 0; i < table->n_columns; i++) {
        track[i] = -1;
        if (i + 2 >= table->n_columns || i + 2 >= axes->n_cells || i >= names->n_cells ||
            !arc_cell_is(&axes->cells[i], "X") || !arc_cell_is(&axes->cells[i + 1], "Y") ||
            !arc_cell_is(&axes->cells[i + 2], "Z"))
            continue;
        const ArcCell *name = &names->cells[i];
        track[i] = arc_recorder_new_track(recorder, name->text, (size_t)name->length);
        recorder->position_unit_m = arc_sheet_length_unit(&table->header[i]);
    }
    if (recorder->n_tracks > 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){table->file, table->header->line - 1, 1},
                            "no columns X, Y, Z in this line");
}

static ArcStatus row_read(const ArcTable *table, int row, const int *track, ArcRecorder *recorder,
                          ArcError *err)
{
    double frame, position[3];
    const ArcCell *number = arc_sheet_cell(table, row, 0);
    ArcStatus status = arc_sheet_frame(table, number, &frame, err);
    if (status == ARC_OK && !(frame >= 1.0))
        status = arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, number),
                                  "a row without its frame; they count from 1");
    for (int i = 0; i < table->n_columns && status == ARC_OK; i++) {
        const ArcCell *cell = arc_sheet_cell(table, row, i);
        if (track[i] < 0)
            continue;
        status = arc_sheet_point(table, row, 3, (int[]){i, i + 1, i + 2}, position, err);
        if (status != ARC_OK || isnan(position[0]))
            continue;
        ArcSample *sample = arc_recorder_add(recorder, track[i], cell->line, cell->column);
        sample->frame = frame - 1.0;
        for (int k = 0; k < 3; k++)
            sample->position_m[k] = position[k];
    }
    return status;
}

static ArcStatus rate_read(const ArcSource *source, const ArcPart *part, const ArcLine *line,
                           double *rate, ArcError *err)
{
    ArcCursor cursor = {.file = part->file,
                        .line = *line,
                        .delimiter = arc_sheet_delimiter(line),
                        .counts_characters = part->counts_characters};
    ArcTable table = {.file = part->file, .delimiter = {",", false}};
    ArcCell *cells;
    int n;
    ArcStatus status = arc_cursor_cells(cursor, source->scratch, &cells, &n, err);
    if (status == ARC_OK)
        status = arc_sheet_number(&table, &cells[0], rate, err);
    if (status == ARC_OK && !(*rate > 0.0))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&table, &cells[0]),
                                "the line behind Trajectories must be the frame rate");
    return status;
}

ArcStatus arc_vicon_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcTable table;
    ArcLine *lines;
    ArcDelimited request = {.header_line = ARC_HEADER_FOUND};
    int n = 0, first = 0, end = 0;
    ArcStatus status = arc_sheet_part(source, &request.part, err);
    if (status == ARC_OK)
        status = arc_lines_cut(&request.part, source->scratch, &lines, &n, err);
    if (status == ARC_OK)
        status = section_find(source, n, lines, &first, &end, err);
    if (status == ARC_OK)
        status = rate_read(source, &request.part, &lines[first + RATE], &recorder->rate_per_s, err);
    if (status != ARC_OK)
        return status;
    const ArcLine *top = &lines[first + NAMES], *bottom = &lines[end - 1];
    request.part.text = top->start;
    request.part.size = (size_t)(bottom->start + bottom->length - top->start);
    request.part.first_line = top->number;
    request.delimiter = arc_sheet_delimiter(&lines[first + AXES]);
    request.header_line = lines[first + UNITS].number;
    status = arc_delimited_read_text(&request, source->scratch, &table, err);
    if (status == ARC_OK)
        status = arc_sheet_check_header(&table, err);
    if (status == ARC_OK)
        status = arc_sheet_check_rows(&table, err);
    if (status != ARC_OK)
        return status;
    int *track = ARC_ALLOC(source->scratch, (size_t)table.n_columns, int);
    if (track == NULL)
        return arc_error_no_memory(err);
    recorder->axes = 3;
    status = tracks_find(&table, recorder, track, err);
    for (int row = 0; row < table.n_rows && status == ARC_OK; row++)
        status = row_read(&table, row, track, recorder, err);
    if (status == ARC_OK)
        arc_recorder_note(recorder, "frames count from 1 in the file; the first one is at 0 s");
    return status;
}
