/* Kinovea 2023 and later, CSV. Every cell that is not empty stands in quotes, numbers too; the
 * separator is the list separator of the user's Windows, the decimal mark a preference.
 *
 * From the menu (trajectories, as they were marked):
 *   "Time","NAME/POINT/X","NAME/POINT/Y",...    no unit anywhere, rows of all times of all tracks
 * From the dialogs (scatter diagram, kinematics; filtered):
 *   "Time (ms)","X (cm)","Y (cm)"               units in the header
 *
 * Times count from an origin that the user chooses, in a unit that he chooses; they are seconds
 * unless he did. Numbers are those of 32-bit floats, seven digits. */
#include "capture/columns.h"
#include "capture/recorder.h"
#include "capture/sheet.h"

#include <math.h>
#include <string.h>

enum { SURE_QUOTED = 95, SURE_NAMES = 80, SURE_DIALOG = 60 };

/* Of a 32-bit float as text. */
static const double relative_digit = 1e-6;

static bool ends_with(const ArcCell *cell, const char *end)
{
    size_t length = strlen(end);
    return (size_t)cell->length > length &&
           memcmp(cell->text + cell->length - length, end, length) == 0;
}

/* Whether the two cells are the coordinates of one point of a trajectory. */
static bool is_pair(const ArcCell *x, const ArcCell *y)
{
    return ends_with(x, "/X") && ends_with(y, "/Y") && x->length == y->length &&
           memcmp(x->text, y->text, (size_t)x->length - 1) == 0;
}

/* A header of the dialogs: time and X, Y alone, or time and what is no position. Anything else with
 * an X has columns that only free CSV knows, as sigma or Z. */
static bool is_dialog(int n, const ArcCell *cells)
{
    double scale;
    bool has_x = false;
    for (int i = 1; i < n; i++)
        has_x = has_x || arc_columns_is_named(&cells[i], "x");
    bool is_scatter =
        n == 3 && arc_columns_is_named(&cells[1], "x") && arc_columns_is_named(&cells[2], "y");
    return arc_columns_unit_kind(&cells[0], &scale) == ARC_UNIT_TIME && (is_scatter || !has_x);
}

int arc_kinovea_csv_detect(const ArcSource *source)
{
    ArcLine *lines;
    ArcCell *cells;
    if (arc_sheet_peek(source, 1, &lines) < 1)
        return 0;
    int n = arc_sheet_cells(source, &lines[0], arc_sheet_delimiter(&lines[0]), &cells);
    bool is_quoted = true;
    for (int i = 0; i < n; i++)
        is_quoted = is_quoted && cells[i].is_quoted;
    if (n < 3 || !arc_columns_is_named(&cells[0], "time"))
        return 0;
    if (arc_cell_is(&cells[0], "Time") && is_pair(&cells[1], &cells[2]))
        return is_quoted ? SURE_QUOTED : SURE_NAMES;
    return is_quoted && source->settings->n_columns == 0 && is_dialog(n, cells) ? SURE_DIALOG : 0;
}

/* A point whose X is at the column; a time must stand beside it. */
static ArcStatus pair_read(const ArcTable *table, int row, int column, double position[2],
                           ArcError *err)
{
    ArcStatus status = arc_sheet_point(table, row, 2, (int[]){column, column + 1}, position, err);
    const ArcCell *time = arc_sheet_cell(table, row, 0);
    double ignored;
    bool has_time = arc_cell_kind(time, false, &ignored) != ARC_CELL_MISSING;
    if (status == ARC_OK && !isnan(position[0]) && !has_time)
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, time),
                                "a point without a time; give one or empty its position");
    return status;
}

/* The columns of coordinates: index of X; the track of each, -1 where the column is no X. */
static ArcStatus pairs_find(const ArcTable *table, ArcRecorder *recorder, int *track, ArcError *err)
{
    int n = 0;
    for (int i = 0; i < table->n_columns; i++)
        track[i] = -1;
    for (int i = 1; i < table->n_columns; i++) {
        const ArcCell *x = &table->header[i], *y = x + 1;
        bool has_next = i + 1 < table->n_columns;
        bool is_dialog = arc_columns_is_named(x, "x") && has_next && arc_columns_is_named(y, "y");
        if (has_next && (is_dialog || is_pair(x, y))) {
            track[i] =
                arc_recorder_new_track(recorder, x->text, is_dialog ? 0 : (size_t)x->length - 2);
            n++;
            i++;
        } else if (ends_with(x, "/X") || ends_with(x, "/Y")) {
            return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, x),
                                    "column '%.*s' stands alone; a trajectory has /X and /Y beside "
                                    "each other",
                                    arc_delimited_shown(x->text, x->length), x->text);
        }
    }
    if (n > 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                            "no columns of X and Y; export the trajectories themselves (File > "
                            "Export to spreadsheet), since a flight is found from positions alone");
}

/* Units of the header; those of X and Y must be the same. */
static ArcStatus units_take(const ArcTable *table, const int *track, ArcRecorder *recorder,
                            ArcError *err)
{
    double scale, other;
    ArcUnitKind kind = arc_columns_unit_kind(&table->header[0], &scale);
    if (kind == ARC_UNIT_TIME)
        recorder->time_unit_s = scale;
    if (kind != ARC_UNIT_NONE)
        arc_recorder_note(recorder, "Kinovea filters what its dialogs export; the export of the "
                                    "menu (File) has the points as they were marked");
    for (int i = 1; i < table->n_columns; i++) {
        const ArcCell *x = &table->header[i];
        if (track[i] < 0)
            continue;
        kind = arc_columns_unit_kind(x, &scale);
        if (kind == ARC_UNIT_UNKNOWN || kind != arc_columns_unit_kind(x + 1, &other) ||
            (kind == ARC_UNIT_LENGTH && other != scale))
            return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, x),
                                    "the unit of X and Y is not known or not one; give it with "
                                    "`units: {position: ..}` in the experiment");
        if (kind == ARC_UNIT_LENGTH)
            recorder->position_unit_m = scale;
    }
    return ARC_OK;
}

/* Positions whose header says px. */
static void pixels_take(const ArcTable *table, const int *track, ArcRecorder *recorder)
{
    double scale;
    bool is_px = false;
    for (int i = 1; i < table->n_columns; i++)
        is_px = is_px || (track[i] >= 0 &&
                          arc_columns_unit_kind(&table->header[i], &scale) == ARC_UNIT_PIXEL);
    recorder->axes = is_px ? 0 : 2;
    for (int i = 0; i < recorder->n_samples && is_px; i++) {
        ArcSample *sample = &recorder->samples[i];
        for (int k = 0; k < 2; k++) {
            sample->pixel_px[k] = sample->position_m[k];
            sample->position_m[k] = NAN;
        }
    }
}

static ArcStatus rows_read(const ArcTable *table, const int *track, ArcRecorder *recorder,
                           ArcError *err)
{
    ArcStatus status = ARC_OK;
    double latest = 0.0;
    for (int row = 0; row < table->n_rows && status == ARC_OK; row++) {
        double time = NAN;
        status = arc_sheet_number(table, arc_sheet_cell(table, row, 0), &time, err);
        latest = fmax(latest, fabs(time));
        for (int i = 1; i < table->n_columns && status == ARC_OK; i++) {
            double position[2] = {NAN, NAN};
            if (track[i] >= 0)
                status = pair_read(table, row, i, position, err);
            if (status != ARC_OK || isnan(position[0]))
                continue;
            const ArcCell *cell = arc_sheet_cell(table, row, i);
            ArcSample *sample = arc_recorder_add(recorder, track[i], cell->line, cell->column);
            sample->time_s = time;
            sample->position_m[0] = position[0];
            sample->position_m[1] = position[1];
        }
    }
    recorder->time_digit = relative_digit * latest;
    return status;
}

ArcStatus arc_kinovea_csv_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcTable table;
    ArcStatus status = arc_sheet_read(source, 1, &table, err);
    if (status != ARC_OK)
        return status;
    int *track = ARC_ALLOC(source->scratch, (size_t)table.n_columns, int);
    if (track == NULL)
        return arc_error_no_memory(err);
    status = pairs_find(&table, recorder, track, err);
    if (status == ARC_OK)
        status = units_take(&table, track, recorder, err);
    if (status == ARC_OK)
        status = rows_read(&table, track, recorder, err);
    pixels_take(&table, track, recorder);
    return status;
}
