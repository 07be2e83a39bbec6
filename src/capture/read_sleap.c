/* SLEAP, analysis CSV: a row for each instance (an animal, a ball) in each picture of a video.
 *
 *   track,frame_idx,instance.score,NODE.x,NODE.y,NODE.score,...
 *
 * Frames count from 0, pixels from the upper left corner. A node that is not seen has empty cells;
 * an instance that was not tracked has an empty track. */
#include "capture/recorder.h"
#include "capture/sheet.h"

#include <math.h>
#include <string.h>

enum { SURE = 95, SURE_PART = 30 };

/* Where columns stand. */
typedef struct Layout {
    int track, frame;
    int n_nodes;
    int *node; /* (n_nodes): column of x; y is behind it */
} Layout;

static bool ends_with(const ArcCell *cell, const char *end)
{
    size_t length = strlen(end);
    return (size_t)cell->length > length &&
           memcmp(cell->text + cell->length - length, end, length) == 0;
}

static bool is_node(const ArcCell *x, const ArcCell *y)
{
    return ends_with(x, ".x") && ends_with(y, ".y") && x->length == y->length &&
           memcmp(x->text, y->text, (size_t)x->length - 1) == 0;
}

int arc_sleap_detect(const ArcSource *source)
{
    ArcLine *lines;
    ArcCell *cells;
    if (arc_sheet_peek(source, 1, &lines) < 1)
        return 0;
    int n = arc_sheet_cells(source, &lines[0], arc_sheet_delimiter(&lines[0]), &cells), n_nodes = 0;
    for (int i = 0; i + 1 < n; i++)
        n_nodes += is_node(&cells[i], &cells[i + 1]);
    if (n_nodes == 0 || arc_sheet_column(n, cells, "frame_idx") < 0)
        return 0;
    bool is_whole = arc_sheet_column(n, cells, "track") >= 0 &&
                    arc_sheet_column(n, cells, "instance.score") >= 0;
    return is_whole ? SURE : SURE_PART;
}

static ArcStatus layout_find(const ArcSource *source, const ArcTable *table, Layout *layout,
                             ArcError *err)
{
    int n = table->n_columns;
    *layout = (Layout){.track = arc_sheet_column(n, table->header, "track"),
                       .frame = arc_sheet_column(n, table->header, "frame_idx"),
                       .node = ARC_ALLOC(source->scratch, (size_t)n, int)};
    if (layout->node == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < n; i++) {
        if (i + 1 < n && is_node(&table->header[i], &table->header[i + 1]))
            layout->node[layout->n_nodes++] = i;
        else if (ends_with(&table->header[i], ".x"))
            return arc_error_set_at(
                err, ARC_INPUT, arc_delimited_place(table, &table->header[i]),
                "column '%.*s' has no .y behind it",
                arc_delimited_shown(table->header[i].text, table->header[i].length),
                table->header[i].text);
    }
    if (layout->frame >= 0 && layout->n_nodes > 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                            "a column is missing: frame_idx and NODE.x, NODE.y are needed");
}

/* The recorder's track of a row's node: its track, its node where it has none, or TRACK/NODE where
 * there are several nodes. */
static int track_of(const ArcTable *table, int row, const Layout *layout, int node,
                    ArcRecorder *recorder)
{
    const ArcCell *x = &table->header[layout->node[node]];
    ArcCell none = {"", 0, 0, 0, false};
    const ArcCell *track = layout->track < 0 ? &none : arc_sheet_cell(table, row, layout->track);
    if (track->length == 0)
        return arc_recorder_track(recorder, x->text, (size_t)x->length - 2);
    if (layout->n_nodes == 1)
        return arc_recorder_track(recorder, track->text, (size_t)track->length);
    char *name = arc_arena_format(recorder->arena, "%.*s/%.*s", track->length, track->text,
                                  x->length - 2, x->text);
    if (name == NULL)
        recorder->failed = true;
    return name == NULL ? 0 : arc_recorder_track(recorder, name, strlen(name));
}

/* Two instances of one track in one frame are two things that nobody told apart. */
static bool is_twice(const ArcRecorder *recorder, int track, double frame)
{
    for (int i = recorder->n_samples - 1; i >= 0 && recorder->samples[i].frame == frame; i--) {
        if (recorder->sample_track[i] == track)
            return true;
    }
    return false;
}

static ArcStatus row_read(const ArcTable *table, int row, const Layout *layout,
                          ArcRecorder *recorder, ArcError *err)
{
    double frame, pixel[2];
    const ArcCell *number = arc_sheet_cell(table, row, layout->frame);
    ArcStatus status = arc_sheet_frame(table, number, &frame, err);
    if (status == ARC_OK && isnan(frame))
        status = arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, number),
                                  "a row without its frame");
    for (int i = 0; i < layout->n_nodes && status == ARC_OK; i++) {
        int column = layout->node[i];
        const ArcCell *cell = arc_sheet_cell(table, row, column);
        status = arc_sheet_point(table, row, 2, (int[]){column, column + 1}, pixel, err);
        if (status != ARC_OK || isnan(pixel[0]))
            continue;
        int track = track_of(table, row, layout, i, recorder);
        if (is_twice(recorder, track, frame))
            return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                    "two instances without a track of their own in frame %g; track "
                                    "them in SLEAP",
                                    frame);
        ArcSample *sample = arc_recorder_add(recorder, track, cell->line, cell->column);
        sample->frame = frame;
        sample->pixel_px[0] = pixel[0];
        sample->pixel_px[1] = pixel[1];
    }
    return status;
}

ArcStatus arc_sleap_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcTable table;
    Layout layout;
    ArcStatus status = arc_sheet_read(source, 1, &table, err);
    if (status == ARC_OK)
        status = layout_find(source, &table, &layout, err);
    for (int row = 0; status == ARC_OK && row < table.n_rows; row++)
        status = row_read(&table, row, &layout, recorder, err);
    return status;
}
