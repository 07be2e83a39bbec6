/* DeepLabCut, CSV: points of a body (or a ball) in each picture of a video.
 *
 *   scorer,NAME,NAME,NAME,...
 *   individuals,A,A,A,...                   where several are told apart
 *   bodyparts,ball,ball,ball,...
 *   coords,x,y,likelihood,...
 *   0,304.1,495.3,0.99,...                  frames from 0, pixels from the upper left corner
 *
 * Labels made by hand have no likelihood, and the picture's file in place of the frame, which may
 * fill several columns. */
#include "capture/recorder.h"
#include "capture/sheet.h"

#include <math.h>
#include <string.h>

enum { SURE = 95, PEEKED = 4 };

/* Less likely points are missing; what DeepLabCut's own plots leave out as well. */
static const double least_likelihood = 0.6;

/* The header's lines by what stands in their first cell. */
typedef struct Header {
    const ArcTitle *individuals, *bodyparts, *coords;
    int first;  /* column with coordinates */
    int *track; /* (n_columns): of a column that is an x with its y behind; -1 */
} Header;

int arc_deeplabcut_detect(const ArcSource *source)
{
    ArcLine *lines;
    ArcCell *cells;
    int n = arc_sheet_peek(source, PEEKED, &lines);
    if (n < PEEKED - 1)
        return 0;
    ArcDelimiter delimiter = arc_sheet_delimiter(&lines[0]);
    for (int i = 0; i < n; i++) {
        int n_cells = arc_sheet_cells(source, &lines[i], delimiter, &cells);
        if (n_cells < 3 || (i == 0 && !arc_cell_is(&cells[0], "scorer")))
            return 0;
        if (arc_cell_is(&cells[0], "coords"))
            return SURE;
    }
    return 0;
}

static ArcStatus header_find(const ArcTable *table, Header *header, ArcError *err)
{
    *header = (Header){.first = 1};
    for (int i = 0; i < table->n_titles; i++) {
        const ArcTitle *title = &table->titles[i];
        if (title->n_cells == 0)
            continue;
        if (arc_cell_is(&title->cells[0], "individuals"))
            header->individuals = title;
        if (arc_cell_is(&title->cells[0], "bodyparts"))
            header->bodyparts = title;
        if (arc_cell_is(&title->cells[0], "coords"))
            header->coords = title;
    }
    const ArcTitle *parts = header->bodyparts;
    if (parts == NULL || header->coords == NULL || header->coords->cells != table->header)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){table->file, 1, 1},
                                "the lines scorer, bodyparts and coords must stand above the "
                                "numbers");
    for (int i = 0; i < 2; i++) {
        const ArcTitle *title = i == 0 ? parts : header->individuals;
        if (title != NULL && title->n_cells < table->n_columns)
            return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, title->cells),
                                    "%d cells here, %d in the line of coords; both lines must have "
                                    "as many",
                                    title->n_cells, table->n_columns);
    }
    while (header->first < table->n_columns && parts->cells[header->first].length == 0)
        header->first++;
    return ARC_OK;
}

/* The track of the coordinates that begin at the column: individual/bodypart. */
static int track_of(const Header *header, int column, ArcRecorder *recorder)
{
    const ArcCell *part = &header->bodyparts->cells[column];
    if (header->individuals == NULL)
        return arc_recorder_new_track(recorder, part->text, (size_t)part->length);
    const ArcCell *who = &header->individuals->cells[column];
    char *name = arc_arena_format(recorder->arena, "%.*s/%.*s", who->length, who->text,
                                  part->length, part->text);
    if (name == NULL)
        recorder->failed = true;
    return name == NULL ? 0 : arc_recorder_new_track(recorder, name, strlen(name));
}

/* Column x of a point; its likelihood may follow y. */
static ArcStatus point_read(const ArcTable *table, int row, int column, double *pixel,
                            double *likelihood, ArcError *err)
{
    ArcStatus status = arc_sheet_point(table, row, 2, (int[]){column, column + 1}, pixel, err);
    bool is_judged =
        column + 2 < table->n_columns && arc_cell_is(&table->header[column + 2], "likelihood");
    *likelihood = 1.0;
    if (status == ARC_OK && is_judged)
        status = arc_sheet_number(table, arc_sheet_cell(table, row, column + 2), likelihood, err);
    return status;
}

/* Gives how many points of the row are too unlikely. */
static ArcStatus row_read(const ArcTable *table, int row, const Header *header,
                          ArcRecorder *recorder, int *n_unlikely, ArcError *err)
{
    const int *track = header->track;
    double frame, pixel[2], likelihood;
    const ArcCell *picture = arc_sheet_cell(table, row, header->first - 1);
    ArcStatus status = arc_sheet_picture(table, picture, &frame, err);
    if (status == ARC_OK && isnan(frame))
        status = arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, picture),
                                  "a row without its frame");
    for (int i = header->first; i < table->n_columns && status == ARC_OK; i++) {
        const ArcCell *cell = arc_sheet_cell(table, row, i);
        if (track[i] < 0)
            continue;
        status = point_read(table, row, i, pixel, &likelihood, err);
        if (status != ARC_OK || isnan(pixel[0]))
            continue;
        if (!(likelihood >= least_likelihood)) {
            (*n_unlikely)++;
            continue;
        }
        ArcSample *sample = arc_recorder_add(recorder, track[i], cell->line, cell->column);
        sample->frame = frame;
        sample->pixel_px[0] = pixel[0];
        sample->pixel_px[1] = pixel[1];
    }
    return status;
}

static ArcStatus tracks_find(const ArcTable *table, const Header *header, ArcRecorder *recorder,
                             ArcError *err)
{
    int *track = header->track;
    for (int i = 0; i < table->n_columns; i++) {
        const ArcCell *cell = &table->header[i];
        bool is_x = i >= header->first && arc_cell_is(cell, "x");
        track[i] = -1;
        if (is_x && (i + 1 >= table->n_columns || !arc_cell_is(cell + 1, "y")))
            return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                    "x without y behind it; x, y, likelihood are needed");
        if (is_x)
            track[i] = track_of(header, i, recorder);
    }
    if (recorder->n_tracks > 0)
        return ARC_OK;
    return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, table->header),
                            "no columns x, y in the line of coords");
}

/* How many lines the header has. */
static int titles_count(const ArcSource *source)
{
    ArcLine *lines;
    ArcCell *cells;
    int n = arc_sheet_peek(source, PEEKED, &lines);
    for (int i = 0; i < n; i++) {
        if (arc_sheet_cells(source, &lines[i], arc_sheet_delimiter(&lines[i]), &cells) > 0 &&
            arc_cell_is(&cells[0], "coords"))
            return i + 1;
    }
    return PEEKED - 1;
}

ArcStatus arc_deeplabcut_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    ArcTable table;
    Header header;
    int n_unlikely = 0;
    ArcStatus status = arc_sheet_read(source, titles_count(source), &table, err);
    if (status == ARC_OK)
        status = header_find(&table, &header, err);
    if (status != ARC_OK)
        return status;
    int *track = ARC_ALLOC(source->scratch, (size_t)table.n_columns, int);
    if (track == NULL)
        return arc_error_no_memory(err);
    header.track = track;
    status = tracks_find(&table, &header, recorder, err);
    for (int row = 0; row < table.n_rows && status == ARC_OK; row++)
        status = row_read(&table, row, &header, recorder, &n_unlikely, err);
    if (status == ARC_OK && n_unlikely > 0)
        arc_recorder_note(recorder, "%d points whose likelihood is below %g are taken as missing",
                          n_unlikely, least_likelihood);
    return status;
}
