/* TrackNet and its forks, CSV: where a ball is in each picture of a video.
 *
 *   Frame,Visibility,X,Y                  frames from 0, whole pixels from the upper left corner
 *   29,0,0,0                              not seen; its X and Y mean nothing
 *
 * The columns may stand in any order among others. The first version's labels have the picture's
 * file in place of the frame: file name,visibility,x-coordinate,y-coordinate,status. */
#include "capture/recorder.h"
#include "capture/sheet.h"

#include <math.h>

enum { SURE = 90 };

typedef struct Columns {
    int frame, visibility, x, y;
    bool are_files; /* the frame is in a file's name */
} Columns;

static bool columns_find(int n, const ArcCell *cells, Columns *columns)
{
    *columns =
        (Columns){arc_sheet_column(n, cells, "frame"), arc_sheet_column(n, cells, "visibility"),
                  arc_sheet_column(n, cells, "x"), arc_sheet_column(n, cells, "y"), false};
    if (columns->frame < 0) {
        *columns = (Columns){arc_sheet_column(n, cells, "file name"), columns->visibility,
                             arc_sheet_column(n, cells, "x-coordinate"),
                             arc_sheet_column(n, cells, "y-coordinate"), true};
    }
    return columns->frame >= 0 && columns->visibility >= 0 && columns->x >= 0 && columns->y >= 0;
}

int arc_tracknet_detect(const ArcSource *source)
{
    ArcLine *lines;
    ArcCell *cells;
    Columns columns;
    if (arc_sheet_peek(source, 1, &lines) < 1)
        return 0;
    int n = arc_sheet_cells(source, &lines[0], arc_sheet_delimiter(&lines[0]), &cells);
    return columns_find(n, cells, &columns) ? SURE : 0;
}

static ArcStatus row_read(const ArcTable *table, int row, const Columns *columns,
                          ArcRecorder *recorder, bool *are_whole, ArcError *err)
{
    double frame, visibility, pixel[2];
    const ArcCell *name = arc_sheet_cell(table, row, columns->frame);
    const ArcCell *x = arc_sheet_cell(table, row, columns->x);
    const ArcCell *seen = arc_sheet_cell(table, row, columns->visibility);
    ArcStatus status = columns->are_files ? arc_sheet_picture(table, name, &frame, err)
                                          : arc_sheet_frame(table, name, &frame, err);
    if (status == ARC_OK)
        status = arc_sheet_number(table, seen, &visibility, err);
    if (status == ARC_OK)
        status = arc_sheet_point(table, row, 2, (int[]){columns->x, columns->y}, pixel, err);
    if (status != ARC_OK)
        return status;
    if (isnan(visibility) || isnan(frame))
        return arc_error_set_at(err, ARC_INPUT,
                                arc_delimited_place(table, isnan(frame) ? name : seen),
                                "a row without its %s; 0 means that the ball is not seen",
                                isnan(frame) ? "frame" : "visibility");
    if (visibility == 0.0 || isnan(pixel[0]))
        return ARC_OK;
    ArcSample *sample = arc_recorder_add(recorder, 0, x->line, x->column);
    sample->frame = frame;
    sample->pixel_px[0] = pixel[0];
    sample->pixel_px[1] = pixel[1];
    *are_whole = *are_whole && arc_cell_mark(x) == ARC_CELL_NO_MARK &&
                 arc_cell_mark(arc_sheet_cell(table, row, columns->y)) == ARC_CELL_NO_MARK;
    return ARC_OK;
}

ArcStatus arc_tracknet_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcTable table;
    Columns columns;
    bool are_whole = true;
    ArcStatus status = arc_sheet_read(source, 1, &table, err);
    if (status != ARC_OK)
        return status;
    if (!columns_find(table.n_columns, table.header, &columns))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(&table, table.header),
                                "a column is missing: Frame, Visibility, X and Y are needed");
    arc_recorder_track(recorder, "", 0);
    for (int row = 0; row < table.n_rows && status == ARC_OK; row++)
        status = row_read(&table, row, &columns, recorder, &are_whole, err);
    if (status == ARC_OK && recorder->n_samples < table.n_rows)
        arc_recorder_note(recorder, "the ball is not seen in %d of %d frames (Visibility 0)",
                          table.n_rows - recorder->n_samples, table.n_rows);
    if (are_whole && recorder->n_samples > 0)
        arc_recorder_note(recorder, "pixels are whole numbers, which alone is a standard deviation "
                                    "of 0.29 px");
    return status;
}
