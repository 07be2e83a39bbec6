/* See offsets.h. */
#include "capture/offsets.h"

#include "base/file.h"
#include "capture/points.h"
#include "capture/sparse.h"
#include "io/delimited.h"
#include "io/gzip.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char points_mark[] = "xypts", offsets_mark[] = "offsets";
enum { MAX_CAMERAS = 1000, LOOK_BYTES = 200 };

/* The path with "offsets" in place of the last "xypts" of the name; NULL where it has none. */
static const char *beside(const ArcSource *source)
{
    const char *name = arc_file_name(source->file), *found = NULL;
    for (const char *at = name; (at = strstr(at, points_mark)) != NULL; at++)
        found = at;
    if (found == NULL)
        return NULL;
    return arc_arena_format(source->scratch, "%.*s%s%s", (int)(found - source->file), source->file,
                            offsets_mark, found + sizeof points_mark - 1);
}

static bool cell_is_offset_of_camera(const ArcCell *cell)
{
    static const char tail[] = "_offset";
    size_t length = sizeof tail - 1;
    return (size_t)cell->length > length + 3 && strncasecmp(cell->text, "cam", 3) == 0 &&
           strncasecmp(cell->text + cell->length - length, tail, length) == 0;
}

/* What is missing is no offset. */
static ArcStatus frames_read(const ArcTable *table, const ArcCell *cell, double *frames,
                             ArcError *err)
{
    ArcStatus status = arc_delimited_number(table, cell, frames, err);
    if (status == ARC_OK && isnan(*frames))
        *frames = 0.0;
    return status;
}

/* A row a frame, a column a camera. */
static ArcStatus table_read(const ArcTable *table, ArcArena *arena, ArcOffsets *offsets,
                            ArcError *err)
{
    size_t n = (size_t)table->n_rows * (size_t)table->n_columns;
    double *frames = ARC_ALLOC(arena, n, double);
    if (frames == NULL)
        return arc_error_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        ArcStatus status = frames_read(table, &table->cells[i], &frames[i], err);
        if (status != ARC_OK)
            return status;
    }
    offsets->n_rows = table->n_rows;
    offsets->n_cameras = table->n_columns;
    offsets->frames = frames;
    return ARC_OK;
}

/* A row a camera; the column of frames is the one named so. */
static ArcStatus argus_read(const ArcTable *table, int column, ArcArena *arena, ArcOffsets *offsets,
                            ArcError *err)
{
    double *frames = ARC_ALLOC(arena, (size_t)table->n_rows, double);
    if (frames == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < table->n_rows; i++) {
        const ArcCell *cell = &table->cells[(size_t)i * (size_t)table->n_columns + (size_t)column];
        ArcStatus status = frames_read(table, cell, &frames[i], err);
        if (status != ARC_OK)
            return status;
    }
    offsets->n_rows = 1;
    offsets->n_cameras = table->n_rows;
    offsets->frames = frames;
    return ARC_OK;
}

static ArcStatus sparse_read(const char *bytes, size_t size, ArcArena *arena, ArcOffsets *offsets,
                             ArcError *err)
{
    ArcSparse *sparse = ARC_ALLOC(arena, 1, ArcSparse);
    if (sparse == NULL)
        return arc_error_no_memory(err);
    ArcStatus status = arc_sparse_read(offsets->file, bytes, size, arena, sparse, err);
    if (status != ARC_OK)
        return status;
    offsets->n_rows = sparse->n_rows;
    offsets->n_cameras = sparse->n_columns;
    offsets->sparse = sparse;
    return ARC_OK;
}

static ArcStatus file_read(const char *bytes, size_t size, ArcArena *arena, ArcOffsets *offsets,
                           ArcError *err)
{
    ArcTable table;
    size_t look = size < LOOK_BYTES ? size : LOOK_BYTES;
    if (memmem(bytes, look, "Sparse format", 13) != NULL)
        return sparse_read(bytes, size, arena, offsets, err);
    ArcStatus status = arc_delimited_read(offsets->file, bytes, size, arena, &table, err);
    if (status != ARC_OK)
        return status;
    bool is_dltdv = table.header != NULL && table.n_columns <= MAX_CAMERAS;
    for (int k = 0; is_dltdv && k < table.n_columns; k++)
        is_dltdv = cell_is_offset_of_camera(&table.header[k]);
    if (is_dltdv)
        return table_read(&table, arena, offsets, err);
    for (int k = 0; table.header != NULL && k < table.n_columns; k++) {
        if (arc_cell_is_like(&table.header[k], "frames_offset"))
            return argus_read(&table, k, arena, offsets, err);
    }
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){offsets->file, 1, 1},
                            "no offsets of cameras: expected columns cam1_offset, cam2_offset, .. "
                            "(DLTdv) or a column frames_offset (Argus)");
}

ArcStatus arc_offsets_read(const ArcSource *source, ArcOffsets *offsets, ArcError *err)
{
    const char *given = source->settings->offsets, *path = given;
    char *bytes;
    size_t size;
    *offsets = (ArcOffsets){0};
    if (given == NULL) {
        path = beside(source);
        if (path == NULL || access(path, R_OK) != 0)
            return ARC_OK;
    }
    offsets->file = path;
    ArcPlace from = given != NULL ? source->settings->place : (ArcPlace){NULL, 0, 0};
    ArcStatus status = arc_gzip_read_file(path, from, source->scratch, &bytes, &size, err);
    return status == ARC_OK ? file_read(bytes, size, source->scratch, offsets, err) : status;
}

/* In frames; 0 where the table tells nothing. */
static double offset_at(const ArcOffsets *offsets, int row, int camera)
{
    if (camera < 0 || camera >= offsets->n_cameras)
        return 0.0;
    if (offsets->sparse != NULL)
        return arc_sparse_value(offsets->sparse, row, camera + 1);
    int at = offsets->n_rows == 1 ? 0 : row - 1;
    if (at < 0 || at >= offsets->n_rows)
        return 0.0;
    return offsets->frames[(size_t)at * (size_t)offsets->n_cameras + (size_t)camera];
}

double arc_offsets_correction(const ArcOffsets *offsets, int row, int camera)
{
    double offset = offset_at(offsets, row, camera);
    return round(offset) - offset;
}

void arc_offsets_note(const ArcOffsets *offsets, ArcRecorder *recorder)
{
    if (offsets->file != NULL)
        arc_recorder_note(recorder,
                          "offsets of the cameras are in '%.150s'; rows are the first camera's "
                          "frames already, so that parts of a frame alone count",
                          arc_file_name(offsets->file));
}
