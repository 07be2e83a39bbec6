/* The canonical CSV and its like: a header says which column is what (columns.h).
 *
 * Rows of a file with neither times nor frames are frames one after the other, where the settings
 * give a rate.
 */
#include "capture/columns.h"
#include "capture/formats.h"
#include "capture/points.h"
#include "capture/recorder.h"
#include "capture/sheet.h"

#include <math.h>
#include <string.h>

/* Any text may be this one, and its messages are the most helpful, so that what nothing else knows
 * comes here. */
enum { SURE = 25 };

static const char *find(const char *text, size_t size, const char *words)
{
    return memmem(text, size, words, strlen(words));
}

bool arc_csv_is_canonical(const ArcSource *source)
{
    if (source->decoded.text == NULL)
        return false;
    const char *line = source->decoded.text, *end = line + source->decoded.size;
    while (line != end && *line == '#') {
        while (line != end && *line != '\n' && *line != '\r')
            line++;
        while (line != end && (*line == '\n' || *line == '\r'))
            line++;
    }
    size_t length = 0, most = (size_t)(end - line);
    while (length < most && line[length] != '\n' && line[length] != '\r')
        length++;
    bool has_clock = find(line, length, "time_s,") == line || find(line, length, "frame,") == line;
    return has_clock &&
           (find(line, length, ",x_m,") != NULL || find(line, length, ",u_px,") != NULL);
}

int arc_csv_detect(const ArcSource *source)
{
    (void)source;
    return SURE;
}

/* A row of the table, by its number from 0. */
typedef struct Row {
    const ArcTable *table;
    const ArcColumns *columns;
    int index;
} Row;

static const ArcCell *cell_of(const Row *row, int role)
{
    return &row->table->cells[(size_t)row->index * (size_t)row->table->n_columns +
                              (size_t)row->columns->index[role]];
}

/* The cell of a role in SI; NaN where it is missing or has no column. */
static ArcStatus cell_read(const Row *row, int role, double *value, ArcError *err)
{
    *value = NAN;
    if (row->columns->index[role] < 0)
        return ARC_OK;
    const ArcCell *cell = cell_of(row, role);
    double number;
    ArcStatus status = arc_delimited_number(row->table, cell, &number, err);
    if (status != ARC_OK)
        return status;
    number = arc_points_scale(number, row->columns->scale[role]);
    ArcPlace at = arc_delimited_place(row->table, cell);
    int shown = arc_delimited_shown(cell->text, cell->length);
    if (fabs(number) > ARC_POINTS_MOST)
        return arc_error_set_at(err, ARC_INPUT, at,
                                "'%.*s' is out of range: beyond %g %s; check the value and its "
                                "unit",
                                shown, cell->text, ARC_POINTS_MOST, arc_columns_unit(role));
    if (arc_columns_is_sigma(role) && number < ARC_POINTS_LEAST_SIGMA_M)
        return arc_error_set_at(
            err, ARC_INPUT, at, "standard deviation '%.*s' must be above zero (at least %g %s)",
            shown, cell->text, ARC_POINTS_LEAST_SIGMA_M, arc_columns_unit(role));
    *value = number;
    return ARC_OK;
}

/* Several roles one after the other; the first that fails ends it. */
static ArcStatus cells_read(const Row *row, int role, int n, double *values, ArcError *err)
{
    ArcStatus status = ARC_OK;
    for (int k = 0; k < n && status == ARC_OK; k++)
        status = cell_read(row, role + k, &values[k], err);
    return status;
}

static ArcStatus flight_read(const Row *row, int *flight, ArcError *err)
{
    double number;
    *flight = -1;
    ArcStatus status = cell_read(row, ARC_ROLE_FLIGHT, &number, err);
    if (status != ARC_OK || isnan(number))
        return status;
    if (number < 0.0 || number > 1e9 || number != floor(number)) {
        const ArcCell *cell = cell_of(row, ARC_ROLE_FLIGHT);
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(row->table, cell),
                                "'%.*s' is no number of a flight; they count from 0 or 1",
                                arc_delimited_shown(cell->text, cell->length), cell->text);
    }
    *flight = (int)number;
    return ARC_OK;
}

/* Quotes that are doubled within quotes are one. */
static void camera_read(const Row *row, ArcRecorder *recorder, ArcSample *sample)
{
    if (row->columns->index[ARC_ROLE_CAMERA] < 0)
        return;
    const ArcCell *cell = cell_of(row, ARC_ROLE_CAMERA);
    if (cell->length == 0)
        return;
    size_t length = 0, size = (size_t)cell->length;
    char *name = arc_arena_copy_text(recorder->arena, cell->text, size);
    if (name == NULL) {
        recorder->failed = true;
        return;
    }
    for (size_t i = 0; i < size; i++) {
        name[length++] = name[i];
        i += cell->is_quoted && name[i] == '"' && i + 1 < size && name[i + 1] == '"';
    }
    sample->camera = arc_recorder_camera(recorder, name, length);
}

/* An axis's own sigma wins over the row's. */
static ArcStatus sigmas_read(const Row *row, ArcSample *sample, ArcError *err)
{
    double of_row, own[3];
    ArcStatus status = cell_read(row, ARC_ROLE_SIGMA, &of_row, err);
    if (status == ARC_OK)
        status = cells_read(row, ARC_ROLE_SIGMA_X, 3, own, err);
    for (int k = 0; k < 3 && status == ARC_OK; k++)
        sample->sigma_m[k] = isnan(own[k]) ? of_row : own[k];
    return status;
}

static ArcStatus row_read(const Row *row, ArcRecorder *recorder, ArcError *err)
{
    const ArcCell *first = &row->table->cells[(size_t)row->index * (size_t)row->table->n_columns];
    ArcSample *sample = arc_recorder_add(recorder, 0, first->line, first->column);
    bool is_counted =
        row->columns->index[ARC_ROLE_T] < 0 && row->columns->index[ARC_ROLE_FRAME] < 0;
    ArcStatus status = cell_read(row, ARC_ROLE_T, &sample->time_s, err);
    if (status == ARC_OK)
        status = cell_read(row, ARC_ROLE_FRAME, &sample->frame, err);
    if (status == ARC_OK)
        status = cells_read(row, ARC_ROLE_X, 3, sample->position_m, err);
    if (status == ARC_OK)
        status = sigmas_read(row, sample, err);
    if (status == ARC_OK)
        status = cells_read(row, ARC_ROLE_U, 2, sample->pixel_px, err);
    if (status == ARC_OK)
        status = cell_read(row, ARC_ROLE_SIGMA_PX, &sample->sigma_px, err);
    if (status == ARC_OK)
        status = cell_read(row, ARC_ROLE_RADIUS, &sample->radius_px, err);
    if (status == ARC_OK)
        status = cell_read(row, ARC_ROLE_SIGMA_RADIUS, &sample->sigma_radius_px, err);
    if (status == ARC_OK)
        status = flight_read(row, &sample->flight, err);
    if (status != ARC_OK)
        return status;
    camera_read(row, recorder, sample);
    if (is_counted)
        sample->frame = row->index;
    bool is_timed = row->columns->index[ARC_ROLE_T] >= 0;
    if (arc_sample_is_seen(sample) && isnan(is_timed ? sample->time_s : sample->frame))
        return arc_error_set_at(
            err, ARC_INPUT,
            arc_delimited_place(row->table, cell_of(row, is_timed ? ARC_ROLE_T : ARC_ROLE_FRAME)),
            "a point without a %s; give one or empty its position", is_timed ? "time" : "frame");
    return ARC_OK;
}

ArcStatus arc_csv_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcDelimited request = {.header_line = ARC_HEADER_FOUND};
    ArcTable table;
    ArcColumns columns;
    ArcStatus status = arc_sheet_part(source, &request.part, err);
    if (status == ARC_OK)
        status = arc_delimited_read_text(&request, source->scratch, &table, err);
    if (status == ARC_OK)
        status = table.header == NULL ? ARC_OK : arc_sheet_check_rows(&table, err);
    if (status == ARC_OK)
        status = arc_columns_find(source->settings, &table, &columns, err);
    if (status != ARC_OK)
        return status;
    recorder->axes = columns.axes;
    /* Columns are in SI already, by their header or the settings, or taken for it. */
    recorder->is_in_si = true;
    recorder->time_unit_s = columns.is_assumed[ARC_ROLE_T] ? NAN : 1.0;
    recorder->position_unit_m = columns.is_assumed[ARC_ROLE_X] ? NAN : 1.0;
    if (table.n_titles > 1)
        arc_recorder_note(recorder, "what stands above the header in line %d is not read",
                          table.header->line);
    arc_recorder_track(recorder, "", 0);
    for (int i = 0; i < table.n_rows && status == ARC_OK; i++)
        status = row_read(&(Row){&table, &columns, i}, recorder, err);
    if (status == ARC_OK && columns.index[ARC_ROLE_T] < 0 && columns.index[ARC_ROLE_FRAME] < 0)
        arc_recorder_note(recorder, "rows are taken as frames one after the other, since the file "
                                    "has no column of times or frames");
    return status;
}
