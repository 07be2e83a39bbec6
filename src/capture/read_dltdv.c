/* Points of DLTdv 5 to 8 and of Argus as tables, and DLTdv's as sparse tables.
 *
 * A row is a video frame (from 1) of the first camera; there is no time. Columns by their names:
 *
 *     pt1_cam1_X pt1_cam1_Y    pixels, rows from the bottom (DLTdv 5 to 7; Argus, with x and y)
 *     ball_cam1_U ball_cam1_V  pixels, rows from the top (DLTdv 8)
 *     ball_X ball_Y ball_Z     world, in the unit of the calibration (Argus also x_1 y_1 z_1)
 *
 * The first pixel is 1: u = U - 1; v = V - 1 from the top, v = H - Y from the bottom of H rows. A
 * missing point is NaN; Argus takes an exact zero as missing as well, and so do points of zeros
 * alone. Sparse tables hold the same columns without names: which camera a column is of follows
 * from the number of cameras, and from where rows are counted only the user knows.
 */
#include "capture/offsets.h"
#include "capture/reading.h"
#include "capture/sheet.h"
#include "capture/sparse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_AXES = 3, NAME_BYTES = 120, MAX_SPARSE_COLUMNS = 30000 };

/* What a column's name says. */
typedef struct Name {
    const char *point;
    int point_length;
    int camera; /* from 1; 0: world */
    int axis;
    bool is_from_top;
    bool is_argus;
} Name;

/* A point in one camera, or in the world: columns that stand side by side. */
typedef struct Group {
    int track, camera; /* camera from 1; 0: world */
    int n_axes;
    bool is_from_top, is_argus;
} Group;

typedef struct Points {
    const ArcSource *source;
    ArcRecorder *recorder;
    ArcOffsets offsets;
    int n_groups;
    Group *groups;
} Points;

static int axis_of(char c)
{
    static const char axes[] = "xyzuv";
    const char *found = c == '\0' ? NULL : strchr(axes, arc_cell_lower(c));
    return found == NULL ? -1 : found - axes >= 3 ? (int)(found - axes) - 3 : (int)(found - axes);
}

static bool is_digits(const char *text, int length)
{
    for (int i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
    }
    return length > 0 && length < 7;
}

static int digits_value(const char *text, int length)
{
    int value = 0;
    for (int i = 0; i < length; i++)
        value = 10 * value + (text[i] - '0');
    return value;
}

/* The N of a name that ends in _camN or _cam_N; its length without that. 0: it does not. */
static int camera_of(const char *name, int *length)
{
    int digits = 0, end = *length;
    while (digits < end && name[end - 1 - digits] >= '0' && name[end - 1 - digits] <= '9')
        digits++;
    int stem = end - digits;
    if (digits == 0 || digits > 6)
        return 0;
    if (stem > 0 && name[stem - 1] == '_')
        stem--;
    if (stem < 5 || strncasecmp(name + stem - 4, "_cam", 4) != 0)
        return 0;
    *length = stem - 4;
    return digits_value(name + end - digits, digits);
}

/* False where the name is none of this format's. */
static bool name_read(const char *text, int length, Name *name)
{
    *name = (Name){0};
    if (length >= 3 && text[1] == '_' && is_digits(text + 2, length - 2) &&
        strchr("xyz", text[0]) != NULL) {
        *name = (Name){.point = text + 2,
                       .point_length = length - 2,
                       .axis = axis_of(text[0]),
                       .is_argus = true};
        return true;
    }
    if (length < 3 || text[length - 2] != '_' || axis_of(text[length - 1]) < 0)
        return false;
    char axis = text[length - 1];
    int stem = length - 2;
    name->axis = axis_of(axis);
    name->camera = camera_of(text, &stem);
    name->point = text;
    name->point_length = stem;
    name->is_from_top = axis == 'U' || axis == 'V' || axis == 'u' || axis == 'v';
    name->is_argus = axis == 'x' || axis == 'y' || axis == 'z';
    return name->camera > 0 ? name->axis < 2 : !name->is_from_top;
}

/* The first line, cut at one separator: as many cells as have names of this format; 0 where one has
 * not. */
static int names_count(const char *line, size_t length, char separator)
{
    int n = 0;
    for (size_t at = 0; at <= length; n++) {
        const char *end = memchr(line + at, separator, length - at);
        size_t size = end == NULL ? length - at : (size_t)(end - (line + at));
        Name name;
        bool is_quoted = size >= 2 && line[at] == '"' && line[at + size - 1] == '"';
        bool is_last = end == NULL && n > 0 && size == 0; /* a separator at the end */
        if (is_last)
            return n;
        if (size > NAME_BYTES ||
            !name_read(line + at + is_quoted, (int)size - 2 * is_quoted, &name))
            return 0;
        at += size + 1;
    }
    return n;
}

static const char *first_line(const ArcSource *source, size_t *length)
{
    size_t size;
    const char *text = arc_reading_text(source, &size);
    *length = 0;
    while (*length < size && text[*length] != '\r' && text[*length] != '\n')
        ++*length;
    return text;
}

/* The separator of a first line of such names; '\0' where there is none. */
static char separator_of(const ArcSource *source)
{
    static const char separators[] = ",;\t";
    size_t length;
    const char *line = first_line(source, &length);
    for (size_t k = 0; k < sizeof separators - 1; k++) {
        if (names_count(line, length, separators[k]) >= 2)
            return separators[k];
    }
    return '\0';
}

int arc_dltdv_detect(const ArcSource *source)
{
    static const char *const others[] = {"_dltres", "cam1_offset", "frames_offset", "_X+-CI"};
    size_t length;
    const char *line = first_line(source, &length);
    if (separator_of(source) != '\0')
        return ARC_SURE;
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
        if (memmem(line, length, others[k], strlen(others[k])) != NULL)
            return ARC_LIKELY;
    }
    return 0;
}

int arc_dltdv_sparse_detect(const ArcSource *source)
{
    return arc_reading_has(source, "Sparse format", 64) ? ARC_SURE : 0;
}

static bool is_from_bottom(const Points *points, const Group *group)
{
    ArcRowsFrom rows_from = points->source->settings->rows_from;
    return rows_from == ARC_ROWS_AS_USUAL ? !group->is_from_top : rows_from == ARC_ROWS_FROM_BOTTOM;
}

/* Pixels that count from the bottom need the picture's height. */
static ArcStatus groups_check(const Points *points, ArcError *err)
{
    bool has_world = false, has_pixels = false;
    for (int i = 0; i < points->n_groups; i++) {
        const Group *group = &points->groups[i];
        has_world = has_world || group->camera == 0;
        has_pixels = has_pixels || group->camera > 0;
        if (group->camera > 0 && is_from_bottom(points, group) &&
            isnan(points->source->settings->image_px[1]))
            return arc_error_set_at(
                err, ARC_INPUT, arc_reading_start(points->source),
                "its rows count from the bottom of the picture, whose height is not in the file; "
                "give it, for example `image: {width: 1280, height: 720}` (or `rows_from: top`)");
    }
    if (has_world && has_pixels)
        return arc_error_set_at(err, ARC_INPUT, arc_reading_start(points->source),
                                "world points and pixels in one table; expected one kind");
    points->recorder->axes = has_world ? 3 : 0;
    return ARC_OK;
}

/* One point in one row, unless it is missing; values (n_axes). */
static void point_put(Points *points, const Group *group, const double *values, int row,
                      const ArcCell *at)
{
    bool all_zero = true, any_missing = false;
    for (int k = 0; k < group->n_axes; k++) {
        all_zero = all_zero && values[k] == 0.0;
        any_missing = any_missing || isnan(values[k]) || (group->is_argus && values[k] == 0.0);
    }
    if (all_zero || any_missing)
        return;
    ArcSample *sample = arc_recorder_add(points->recorder, group->track, at->line, at->column);
    sample->frame = row - 1;
    if (group->camera == 0) {
        for (int k = 0; k < 3; k++)
            sample->position_m[k] = values[k];
        return;
    }
    char name[24];
    int length = snprintf(name, sizeof name, "cam%d", group->camera);
    sample->camera = arc_recorder_camera(points->recorder, name, (size_t)length);
    sample->frame += arc_offsets_correction(&points->offsets, row, group->camera - 1);
    sample->pixel_px[0] = values[0] - 1.0;
    sample->pixel_px[1] = is_from_bottom(points, group)
                              ? points->source->settings->image_px[1] - values[1]
                              : values[1] - 1.0;
}

/* Columns side by side that are one point's axes x, y (and z). */
static ArcStatus group_read(Points *points, const ArcTable *table, int first, ArcError *err)
{
    Group *group = &points->groups[points->n_groups];
    const ArcCell *cells = &table->header[first];
    Name name, next;
    bool good = name_read(cells[0].text, cells[0].length, &name) && name.axis == 0;
    int n_axes = name.camera > 0 ? 2 : 3;
    for (int k = 1; good && k < n_axes; k++)
        good = first + k < table->n_columns && name_read(cells[k].text, cells[k].length, &next) &&
               next.axis == k && next.camera == name.camera &&
               next.point_length == name.point_length &&
               memcmp(next.point, name.point, (size_t)name.point_length) == 0;
    if (!good)
        return arc_error_set_at(
            err, ARC_INPUT, arc_delimited_place(table, &cells[0]),
            "column '%.*s' does not begin a point: expected NAME_camN_X and "
            "NAME_camN_Y (or _U and _V) side by side, or NAME_X, NAME_Y, NAME_Z",
            arc_delimited_shown(cells[0].text, cells[0].length), cells[0].text);
    *group = (Group){
        .track = arc_recorder_track(points->recorder, name.point, (size_t)name.point_length),
        .camera = name.camera,
        .n_axes = n_axes,
        .is_from_top = name.is_from_top,
        .is_argus = name.is_argus};
    points->n_groups++;
    return ARC_OK;
}

static ArcStatus groups_read(Points *points, const ArcTable *table, ArcError *err)
{
    points->groups = ARC_ALLOC(points->source->scratch, (size_t)table->n_columns, Group);
    if (points->groups == NULL)
        return arc_error_no_memory(err);
    for (int k = 0; k < table->n_columns;) {
        /* What a separator behind the last name leaves. */
        if (k > 0 && k == table->n_columns - 1 && table->header[k].length == 0)
            break;
        ArcStatus status = group_read(points, table, k, err);
        if (status != ARC_OK)
            return status;
        k += points->groups[points->n_groups - 1].n_axes;
    }
    return groups_check(points, err);
}

/* Rows count by their lines, so that none is lost that a separator alone fills. */
static ArcStatus rows_read(Points *points, const ArcTable *table, ArcError *err)
{
    for (int i = 0; i < table->n_rows; i++) {
        const ArcCell *cells = &table->cells[(size_t)i * (size_t)table->n_columns];
        int row = cells[0].line - table->header[0].line;
        for (int g = 0, k = 0; g < points->n_groups; k += points->groups[g++].n_axes) {
            double values[MAX_AXES];
            for (int a = 0; a < points->groups[g].n_axes; a++) {
                ArcStatus status = arc_delimited_number(table, &cells[k + a], &values[a], err);
                if (status != ARC_OK)
                    return status;
            }
            point_put(points, &points->groups[g], values, row, &cells[k]);
        }
    }
    return ARC_OK;
}

static ArcStatus finish(Points *points, ArcError *err)
{
    ArcRecorder *recorder = points->recorder;
    recorder->has_turned_rows = true;
    recorder->image_px[0] = points->source->settings->image_px[0];
    recorder->image_px[1] = points->source->settings->image_px[1];
    arc_offsets_note(&points->offsets, recorder);
    if (recorder->n_samples == 0 && !recorder->failed)
        return arc_error_set_at(err, ARC_INPUT, arc_reading_start(points->source),
                                "no point in this file: all are NaN or missing");
    return ARC_OK;
}

static ArcStatus table_refuse(const ArcSource *source, ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT, arc_reading_start(source),
                            "no points of DLTdv or Argus: expected columns pt1_cam1_X, .. "
                            "(xypts) or pt1_X, .. (xyzpts); residuals, offsets and intervals go "
                            "with them");
}

ArcStatus arc_dltdv_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    Points points = {.source = source, .recorder = recorder};
    char separator[2] = {separator_of(source), '\0'};
    ArcDelimited request = {.delimiter = {separator, false}, .header_line = 1};
    ArcTable table;
    if (separator[0] == '\0')
        return table_refuse(source, err);
    ArcStatus status = arc_sheet_part(source, &request.part, err);
    if (status != ARC_OK)
        return status;
    status = arc_delimited_read_text(&request, source->scratch, &table, err);
    if (status == ARC_OK && table.header == NULL)
        status = table_refuse(source, err);
    if (status == ARC_OK)
        status = groups_read(&points, &table, err);
    if (status == ARC_OK && recorder->axes == 0)
        status = arc_offsets_read(source, &points.offsets, err);
    if (status == ARC_OK)
        status = rows_read(&points, &table, err);
    return status == ARC_OK ? finish(&points, err) : status;
}

/* Cameras a point: by the settings, else as many as have offsets. */
static ArcStatus views_find(const Points *points, const ArcSparse *sparse, int *n_views,
                            ArcError *err)
{
    *n_views = points->source->settings->n_views;
    if (*n_views == 0)
        *n_views = points->offsets.n_cameras;
    if (*n_views == 0)
        return arc_error_set_at(err, ARC_INPUT, arc_reading_start(points->source),
                                "%d columns of pixels, and nothing tells of how many cameras (no "
                                "offsets beside the file); give `views: N`",
                                sparse->n_columns);
    if (sparse->n_columns % (2 * *n_views) != 0)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){points->source->file, 2, 1},
                                "%d columns are not two for each of %d cameras and each point",
                                sparse->n_columns, *n_views);
    if (points->source->settings->rows_from == ARC_ROWS_AS_USUAL)
        return arc_error_set_at(
            err, ARC_INPUT, arc_reading_start(points->source),
            "DLTdv 5 to 7 count rows from the bottom, DLTdv 8 from the top, and "
            "a sparse file does not tell which wrote it; give `rows_from: "
            "bottom` or `rows_from: top`");
    return ARC_OK;
}

/* Points of a sparse table while they are put. */
typedef struct SparseWalk {
    Points *points;
    const ArcSparse *sparse;
    int n_axes, n_views;
    int *tracks; /* of each point, + 1; 0: none yet */
} SparseWalk;

static int sparse_track(SparseWalk *walk, int point)
{
    char name[32];
    if (walk->tracks[point] == 0) {
        int length = snprintf(name, sizeof name, "pt%d", point + 1);
        walk->tracks[point] = arc_recorder_track(walk->points->recorder, name, (size_t)length) + 1;
    }
    return walk->tracks[point] - 1;
}

/* The point that entry i begins. */
static void sparse_point(SparseWalk *walk, int i)
{
    const ArcSparseEntry *entries = &walk->sparse->entries[i];
    int seen = (entries[0].column - 1) / walk->n_axes;
    double values[MAX_AXES];
    for (int k = 0; k < walk->n_axes; k++) {
        bool is_there = i + k < walk->sparse->n && entries[k].row == entries[0].row &&
                        entries[k].column == entries[0].column + k;
        values[k] = is_there ? entries[k].value : NAN;
    }
    Group group = {.track = sparse_track(walk, seen / walk->n_views),
                   .camera = walk->n_axes == 2 ? seen % walk->n_views + 1 : 0,
                   .n_axes = walk->n_axes};
    ArcCell at = {.line = entries[0].line, .column = 1};
    point_put(walk->points, &group, values, entries[0].row, &at);
}

static ArcStatus sparse_walk(SparseWalk *walk, ArcError *err)
{
    Points *points = walk->points;
    int n_columns = walk->sparse->n_columns;
    Group any = {.camera = walk->n_axes == 2 ? 1 : 0, .n_axes = walk->n_axes};
    points->groups = &any;
    points->n_groups = 1;
    ArcStatus status = groups_check(points, err);
    if (status == ARC_OK && (n_columns > MAX_SPARSE_COLUMNS || n_columns % walk->n_axes != 0))
        status = arc_error_set_at(err, ARC_INPUT, (ArcPlace){points->source->file, 2, 1},
                                  "%d columns are not %d for each point, or too many (over %d)",
                                  n_columns, walk->n_axes, MAX_SPARSE_COLUMNS);
    if (status != ARC_OK)
        return status;
    walk->tracks = ARC_ALLOC(points->source->scratch, (size_t)n_columns, int);
    if (walk->tracks == NULL)
        return arc_error_no_memory(err);
    for (int i = 0; i < walk->sparse->n; i++) {
        if ((walk->sparse->entries[i].column - 1) % walk->n_axes == 0)
            sparse_point(walk, i);
    }
    points->groups = NULL;
    points->n_groups = 0;
    return finish(points, err);
}

ArcStatus arc_dltdv_sparse_read(const ArcSource *source, ArcRecorder *recorder, ArcError *err)
{
    Points points = {.source = source, .recorder = recorder};
    ArcSparse sparse;
    int n_views = 1;
    ArcStatus status =
        arc_sparse_read(source->file, source->bytes, source->size, source->scratch, &sparse, err);
    if (status != ARC_OK)
        return status;
    bool is_pixels = strstr(sparse.title, "camera coordinates") != NULL;
    bool is_world = strstr(sparse.title, "3D coordinates") != NULL ||
                    strstr(sparse.title, "smoothed 3D data") != NULL;
    if (!is_pixels && !is_world)
        return table_refuse(source, err);
    if (is_pixels)
        status = arc_offsets_read(source, &points.offsets, err);
    if (is_pixels && status == ARC_OK)
        status = views_find(&points, &sparse, &n_views, err);
    SparseWalk walk = {
        .points = &points, .sparse = &sparse, .n_axes = is_pixels ? 2 : 3, .n_views = n_views};
    return status == ARC_OK ? sparse_walk(&walk, err) : status;
}
