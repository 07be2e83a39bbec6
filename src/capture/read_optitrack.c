/* OptiTrack (Motive 1.x to 3.x), CSV: markers and rigid bodies in space.
 *
 *   Format Version,1.23,Take Name,...,Export Frame Rate,120.000000,...,Length Units,Meters,...
 *   ,,Rigid Body,Rigid Body,...           what it is; from 1.24 on with Type, Name, ID, Parent in
 *   ,,Ball,Ball,...                       the second cell of their lines
 *   ,,"4CF0B31A..",...
 *   ,,Rotation,Rotation,...,Position,Position,Position
 *   Frame,Time (Seconds),X,Y,Z,W,X,Y,Z
 *   0,0.000000,...                        blank cells: nothing was seen
 *
 * Every X, Y, Z under Position is a track. y is up in Motive, and in its files unless it was told
 * otherwise. */
#include "capture/recorder.h"
#include "capture/sheet.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

enum { SURE = 95, SURE_HEADER = 30, PEEKED = 12 };

/* Columns of the header, and the lines above it. */
typedef struct Layout {
    const ArcTitle *types, *names, *quantities; /* NULL: no such line */
    int frame, time;
    int *track; /* (n_columns): of a column that is the X of a position; -1 */
} Layout;

static bool begins_with(const ArcCell *cell, const char *begin)
{
    ArcCell start = *cell;
    int length = (int)strlen(begin);
    start.length = cell->length < length ? cell->length : length;
    return arc_cell_is_like(&start, begin);
}

/* How many of the first lines are above the rows; 0: there is no header. */
static int titles_count(const ArcSource *source)
{
    ArcLine *lines;
    ArcCell *cells;
    int n = arc_sheet_peek(source, PEEKED, &lines);
    for (int i = 0; i < n; i++) {
        int n_cells = arc_sheet_cells(source, &lines[i], arc_sheet_delimiter(&lines[i]), &cells);
        if (n_cells >= 5 && arc_cell_is_like(&cells[0], "frame") && begins_with(&cells[1], "time"))
            return arc_sheet_column(n_cells, cells, "x") > 0 ? i + 1 : 0;
    }
    return 0;
}

int arc_optitrack_detect(const ArcSource *source)
{
    ArcLine *lines;
    ArcCell *cells;
    if (arc_sheet_peek(source, 1, &lines) < 1)
        return 0;
    int n = arc_sheet_cells(source, &lines[0], arc_sheet_delimiter(&lines[0]), &cells);
    if (n > 1 && arc_cell_is_like(&cells[0], "format version"))
        return SURE;
    return titles_count(source) > 0 ? SURE_HEADER : 0;
}

static const ArcCell *title_cell(const ArcTitle *title, int column)
{
    static const ArcCell none = {"", 0, 0, 0, false};
    return title != NULL && column < title->n_cells ? &title->cells[column] : &none;
}

static bool has_cell(const ArcTitle *title, const char *name)
{
    return arc_sheet_column(title->n_cells, title->cells, name) >= 0;
}

/* What stands behind a key of the first line; NULL: it has no such key. */
static const ArcCell *value_of(const ArcTable *table, const char *key)
{
    const ArcTitle *title = &table->titles[0];
    if (!arc_cell_is_like(title_cell(title, 0), "format version"))
        return NULL;
    for (int i = 0; i + 1 < title->n_cells; i += 2) {
        if (arc_cell_is_like(&title->cells[i], key))
            return &title->cells[i + 1];
    }
    return NULL;
}

static ArcStatus rate_read(const ArcTable *table, const char *key, double *rate, ArcError *err)
{
    const ArcCell *cell = value_of(table, key);
    *rate = NAN;
    if (cell == NULL)
        return ARC_OK;
    ArcStatus status = arc_sheet_number(table, cell, rate, err);
    if (status == ARC_OK && !(*rate > 0.0))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                "'%.*s' is no frame rate",
                                arc_delimited_shown(cell->text, cell->length), cell->text);
    return status;
}

/* What the first line says of the whole file. */
static ArcStatus facts_take(const ArcTable *table, ArcRecorder *recorder, ArcError *err)
{
    double exported, captured;
    const ArcCell *unit = value_of(table, "length units");
    ArcStatus status = rate_read(table, "export frame rate", &exported, err);
    if (status == ARC_OK)
        status = rate_read(table, "capture frame rate", &captured, err);
    if (status != ARC_OK)
        return status;
    if (unit != NULL)
        recorder->position_unit_m = arc_sheet_length_unit(unit);
    recorder->time_unit_s = 1.0;
    recorder->rate_per_s = isnan(exported) ? captured : exported;
    recorder->axes = 3;
    if (!isnan(exported) && !isnan(captured) && exported != captured)
        arc_recorder_note(recorder, "exported at %g frames a second of %g captured", exported,
                          captured);
    arc_recorder_note(recorder, "axes are the file's; y is up in Motive unless its export was told "
                                "otherwise (`flight: {up: y}`)");
    return ARC_OK;
}

static void layout_find(const ArcTable *table, Layout *layout)
{
    for (int i = 0; i + 1 < table->n_titles; i++) {
        const ArcTitle *title = &table->titles[i];
        const ArcCell *label = title_cell(title, 1);
        bool is_type = arc_cell_is(label, "Type") || has_cell(title, "Rigid Body") ||
                       has_cell(title, "Marker") || has_cell(title, "Rigid Body Marker") ||
                       has_cell(title, "Bone");
        if (layout->types == NULL && is_type) {
            layout->types = title;
            layout->names = i + 2 < table->n_titles ? title + 1 : NULL;
        } else if (arc_cell_is(label, "Name")) {
            layout->names = title;
        }
        if (has_cell(title, "Position") || has_cell(title, "Rotation"))
            layout->quantities = title;
    }
    layout->frame = 0;
    layout->time = 1;
}

/* The track of the column's position; an equal name of another type gets its type behind. */
static int track_of(const Layout *layout, int column, ArcRecorder *recorder)
{
    const ArcCell *name = title_cell(layout->names, column);
    const ArcCell *type = title_cell(layout->types, column);
    bool is_taken = false;
    for (int i = 0; i < recorder->n_tracks; i++)
        is_taken = is_taken || arc_cell_is(name, recorder->tracks[i]);
    if (!is_taken || type->length == 0)
        return arc_recorder_new_track(recorder, name->text, (size_t)name->length);
    char *other = arc_arena_format(recorder->arena, "%.*s (%.*s)", name->length, name->text,
                                   type->length, type->text);
    if (other == NULL)
        recorder->failed = true;
    return other == NULL ? 0 : arc_recorder_new_track(recorder, other, strlen(other));
}

static ArcStatus tracks_find(const ArcTable *table, Layout *layout, ArcRecorder *recorder,
                             ArcError *err)
{
    for (int i = 0; i < table->n_columns; i++) {
        layout->track[i] = -1;
        bool is_position = layout->quantities == NULL ||
                           arc_cell_is_like(title_cell(layout->quantities, i), "Position");
        if (i <= layout->time || !is_position || !arc_cell_is_like(&table->header[i], "X"))
            continue;
        if (i + 2 >= table->n_columns || !arc_cell_is_like(&table->header[i + 1], "Y") ||
            !arc_cell_is_like(&table->header[i + 2], "Z"))
            return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, &table->header[i]),
                                    "X without Y and Z behind it");
        layout->track[i] = track_of(layout, i, recorder);
    }
    if (recorder->n_tracks > 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                            "no columns X, Y, Z of a Position; export markers or rigid bodies");
}

static ArcStatus row_read(const ArcTable *table, int row, const Layout *layout,
                          ArcRecorder *recorder, ArcRounding rounding[2], ArcError *err)
{
    double frame, time, position[3];
    const ArcCell *clock = arc_sheet_cell(table, row, layout->time);
    ArcStatus status =
        arc_sheet_frame(table, arc_sheet_cell(table, row, layout->frame), &frame, err);
    if (status == ARC_OK)
        status = arc_sheet_number(table, clock, &time, err);
    if (status == ARC_OK && isnan(time))
        status = arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, clock),
                                  "a row without its time");
    arc_rounding_see(&rounding[0], clock);
    for (int i = 0; i < table->n_columns && status == ARC_OK; i++) {
        const ArcCell *cell = arc_sheet_cell(table, row, i);
        if (layout->track[i] < 0)
            continue;
        status = arc_sheet_point(table, row, 3, (int[]){i, i + 1, i + 2}, position, err);
        if (status != ARC_OK || isnan(position[0]))
            continue;
        ArcSample *sample = arc_recorder_add(recorder, layout->track[i], cell->line, cell->column);
        sample->frame = frame;
        sample->time_s = time;
        for (int k = 0; k < 3; k++) {
            sample->position_m[k] = position[k];
            arc_rounding_see(&rounding[1], cell + k);
        }
    }
    return status;
}

ArcStatus arc_optitrack_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcTable table;
    ArcPart part;
    Layout layout = {.types = NULL};
    ArcRounding rounding[2] = {{.has_any = false}, {.has_any = false}};
    int n_titles = titles_count(source);
    ArcStatus status = arc_sheet_part(source, &part, err);
    if (status == ARC_OK && n_titles == 0)
        status =
            arc_error_set_at(err, ARC_INPUT, (ArcPlace){source->file, 1, 1},
                             "no line Frame,Time (Seconds),X,Y,Z in the first %d lines; export "
                             "with header information",
                             PEEKED);
    if (status == ARC_OK)
        status = arc_sheet_read(source, n_titles, &table, err);
    if (status != ARC_OK)
        return status;
    layout.track = ARC_ALLOC(source->scratch, (size_t)table.n_columns, int);
    if (layout.track == NULL)
        return arc_error_no_memory(err);
    layout_find(&table, &layout);
    status = facts_take(&table, recorder, err);
    if (status == ARC_OK)
        status = tracks_find(&table, &layout, recorder, err);
    for (int row = 0; row < table.n_rows && status == ARC_OK; row++)
        status = row_read(&table, row, &layout, recorder, rounding, err);
    if (status == ARC_OK)
        arc_rounding_note(recorder, &rounding[0], &rounding[1]);
    return status;
}
