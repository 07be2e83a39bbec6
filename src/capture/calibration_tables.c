/* Cameras out of tables of numbers.
 *
 * DLT coefficients: rows L1 to L11, or L1 to L8 of a plane, a column for each camera. With l1, l2,
 * l3 the rows of coefficients of u, v and w, and H the image's height, a pixel of theirs is ours by
 *
 *   u = u' - 1,  v = v' - 1 (from the upper left)  or  v = H - v' (from the lower left),
 *
 * so l1 - l3 takes the place of l1, and l2 - l3 or H l3 - l2 that of l2. Whether the world's origin
 * lies behind a camera tells the sign of det(l1, l2, l3), which all cameras share in one world.
 *
 * Argus's lenses: f, centre, aspect ratio (fy / fx), k1 k2 p1 p2 k3. The pose of a profile is that
 * of bundle adjustment, in axes and a unit of its own, and is left out.
 */
#include "base/number.h"
#include "capture/calibrator.h"
#include "io/delimited.h"

#include <math.h>
#include <string.h>

enum { SPACE_ROWS = 11, PLANE_ROWS = 8, CLICKER_COLUMNS = 12, PROFILE_COLUMNS = 17 };
enum { MODE_CELLS = 12, MOST_CAMERAS = 256 };

static ArcStatus table_number(const ArcTable *table, const ArcCell *cell, double *value,
                              ArcError *err)
{
    ArcStatus status = arc_delimited_number(table, cell, value, err);
    if (status == ARC_OK && isnan(*value))
        return arc_error_set_at(err, ARC_INPUT, arc_delimited_place(table, cell),
                                "a coefficient is missing");
    return status;
}

/* Our pixels from theirs, in the coefficients' rows, of which each has so many. */
static void count_from_upper_left(const ArcCalibrationSettings *settings, int n, double *rows)
{
    bool is_lower = settings->dlt_rows_from == ARC_ROWS_FROM_BOTTOM;
    double *l1 = rows, *l2 = rows + n, *l3 = rows + 2 * (ptrdiff_t)n;
    for (int k = 0; k < n; k++) {
        l1[k] -= l3[k];
        l2[k] = is_lower ? settings->height_px * l3[k] - l2[k] : l2[k] - l3[k];
    }
}

static double determinant(const double *a, const double *b, const double *c)
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* The coefficients of one column, as rows of 4 (of a plane 3) that end in w's 1. */
static ArcStatus take_column(const ArcCalibrator *c, const ArcTable *table, int column, int n,
                             double rows[12], ArcError *err)
{
    for (int i = 0; i < table->n_rows; i++) {
        const ArcCell *cell = &table->cells[(ptrdiff_t)i * table->n_columns + column];
        ArcStatus status = table_number(table, cell, &rows[i], err);
        if (status != ARC_OK)
            return status;
    }
    rows[table->n_rows] = 1;
    count_from_upper_left(c->settings, n, rows);
    return ARC_OK;
}

static ArcStatus check_origin(const ArcCalibrator *c, ArcError *err)
{
    if (c->settings->dlt_rows_from == ARC_ROWS_AS_USUAL)
        return arc_error_set_at(
            err, ARC_INPUT, c->from,
            "'%.80s' has DLT coefficients, and cannot tell from where they "
            "count rows; give the camera `dlt_rows_from: top` (DLTdv 8) or `dlt_rows_from: bottom` "
            "(DLTdv 5 to 7, easyWand, Argus)",
            c->file);
    if (c->settings->dlt_rows_from == ARC_ROWS_FROM_BOTTOM && c->settings->height_px <= 0)
        return arc_error_set_at(
            err, ARC_INPUT, c->from,
            "DLT coefficients that count rows from the bottom need the "
            "picture's height; give it, for example `image: {width: 1280, height: 720}`");
    return ARC_OK;
}

static ArcStatus read_plane(ArcCalibrator *c, const ArcTable *table, int column, const char *name,
                            ArcError *err)
{
    ArcCamera camera = {.kind = ARC_CAMERA_HOMOGRAPHY, .name = name};
    double rows[12];
    ArcStatus status = take_column(c, table, column, 3, rows, err);
    if (status != ARC_OK)
        return status;
    memcpy(camera.homography, rows, sizeof camera.homography);
    return arc_calibrator_add(c, &camera, true, arc_delimited_place(table, &table->cells[column]),
                              err);
}

static ArcStatus read_space(ArcCalibrator *c, const ArcTable *table, int column, bool is_behind,
                            const char *name, ArcError *err)
{
    ArcCamera camera = {.name = name};
    ArcPlace place = arc_delimited_place(table, &table->cells[column]);
    double rows[12];
    ArcError inner;
    ArcStatus status = take_column(c, table, column, 4, rows, err);
    if (status != ARC_OK)
        return status;
    status = arc_camera_from_dlt(rows, is_behind, &camera, &inner);
    camera.name = name;
    if (status != ARC_OK)
        return arc_calibrator_pass_on(&camera, status, place, &inner, err);
    return arc_calibrator_add(c, &camera, true, place, err);
}

/* The side that the world's origin lies on, by the sign that most cameras share: mirrored or not.
 */
static ArcStatus find_hand(const ArcCalibrator *c, const ArcTable *table, int *hand, ArcError *err)
{
    int sum = 0;
    for (int column = 0; column < table->n_columns; column++) {
        double rows[12];
        ArcStatus status = take_column(c, table, column, 4, rows, err);
        if (status != ARC_OK)
            return status;
        sum += determinant(rows, rows + 4, rows + 8) < 0 ? -1 : 1;
    }
    *hand = sum < 0 ? -1 : 1;
    return ARC_OK;
}

static ArcStatus read_dlt(ArcCalibrator *c, const ArcTable *table, ArcError *err)
{
    int hand = 1;
    bool is_plane = table->n_rows == PLANE_ROWS;
    ArcStatus status = check_origin(c, err);
    c->format = "dlt";
    if (status == ARC_OK && !is_plane)
        status = find_hand(c, table, &hand, err);
    for (int column = 0; column < table->n_columns && status == ARC_OK; column++) {
        const char *name = arc_arena_format(c->arena, "cam%d", column + 1);
        double rows[12] = {0};
        if (name == NULL)
            return arc_error_no_memory(err);
        if (is_plane) {
            status = read_plane(c, table, column, name, err);
            continue;
        }
        status = take_column(c, table, column, 4, rows, err);
        bool is_behind = hand * determinant(rows, rows + 4, rows + 8) < 0;
        if (status == ARC_OK)
            status = read_space(c, table, column, is_behind, name, err);
        if (status == ARC_OK && is_behind)
            arc_calibrator_note(c, "the world's origin is taken to lie behind %s", name);
    }
    if (isnan(c->settings->unit_m))
        arc_calibrator_note(c, "the world of the DLT coefficients is taken to be in metres");
    if (hand < 0)
        arc_calibrator_note(c, "the world of the DLT coefficients is mirrored, or they count "
                               "pixels from the other corner");
    return status;
}

/* f, width, height (0: not told), cx, cy, aspect ratio, k1 k2 p1 p2 k3. */
static ArcStatus add_lens(ArcCalibrator *c, const char *name, const double v[11], ArcPlace place,
                          ArcError *err)
{
    static const double straight[3] = {0};
    if (!(v[1] >= 0 && v[1] <= 1e6 && v[2] >= 0 && v[2] <= 1e6))
        return arc_error_set_at(err, ARC_INPUT, place, "an image of %g x %g px", v[1], v[2]);
    ArcCamera camera = {.name = name,
                        .kind = ARC_CAMERA_PINHOLE,
                        .width_px = (int)lround(v[1]),
                        .height_px = (int)lround(v[2]),
                        .focal_px = {v[0], v[0] * v[5]},
                        .centre_px = {v[3], v[4]},
                        .n_lens = 5};
    memcpy(camera.lens, v + 6, 5 * sizeof(double));
    arc_camera_set_rotation(&camera, straight);
    return arc_calibrator_add(c, &camera, false, place, err);
}

/* Argus's profiles: `cam f w h cx cy AR k1 k2 p1 p2 k3`, or `f cx cy AR s k1 k2 p1 p2 k3 q t`. */
static ArcStatus read_profiles(ArcCalibrator *c, const ArcTable *table, ArcError *err)
{
    bool is_clicker = table->n_columns == CLICKER_COLUMNS;
    c->format = "argus";
    for (int row = 0; row < table->n_rows; row++) {
        const ArcCell *cells = &table->cells[(ptrdiff_t)row * table->n_columns];
        double n[PROFILE_COLUMNS];
        for (int i = 0; i < table->n_columns; i++) {
            ArcStatus status = table_number(table, &cells[i], &n[i], err);
            if (status != ARC_OK)
                return status;
        }
        const char *name = arc_arena_format(c->arena, "cam%d", row + 1);
        const double sba[11] = {n[0], 0, 0, n[1], n[2], n[3], n[5], n[6], n[7], n[8], n[9]};
        if (name == NULL)
            return arc_error_no_memory(err);
        ArcStatus status =
            add_lens(c, name, is_clicker ? n + 1 : sba, arc_delimited_place(table, &cells[0]), err);
        if (status != ARC_OK)
            return status;
    }
    if (!is_clicker)
        arc_calibrator_note(c, "the poses of the camera profile are left out: their axes and their "
                               "unit are those of the bundle adjustment");
    return ARC_OK;
}

ArcStatus arc_calibrator_read_table(ArcCalibrator *c, const char *bytes, size_t size, ArcError *err)
{
    ArcTable table;
    ArcStatus status = arc_delimited_read(c->file, bytes, size, c->arena, &table, err);
    if (status != ARC_OK)
        return status;
    int rows = table.n_rows, columns = table.n_columns;
    if ((rows == SPACE_ROWS || rows == PLANE_ROWS) && columns <= MOST_CAMERAS)
        return read_dlt(c, &table, err);
    if ((columns == CLICKER_COLUMNS || columns == PROFILE_COLUMNS) && rows <= MOST_CAMERAS)
        return read_profiles(c, &table, err);
    bool is_transposed = columns == SPACE_ROWS || columns == PLANE_ROWS;
    return arc_error_set_at(err, ARC_INPUT, (ArcPlace){c->file, 1, 1},
                            "no calibration: a table of %d rows and %d columns; DLT coefficients "
                            "have 11 rows, or 8 of a plane, and a column for each camera%s",
                            rows, columns, is_transposed ? "; this one looks transposed" : "");
}

/* One cell of a line of a comma-separated list; the cursor goes behind its comma. */
static const char *take_cell(const char **at, const char *end, size_t *length)
{
    const char *cell = *at, *comma = memchr(cell, ',', (size_t)(end - cell));
    *length = (size_t)((comma == NULL ? end : comma) - cell);
    *at = comma == NULL ? end + 1 : comma + 1;
    return cell;
}

/* Mode,focal_length,image_width,image_height,cx,cy,aspect_ratio,k1,k2,t1,t2,k3,End */
static ArcStatus read_mode(ArcCalibrator *c, const char *line, const char *end, int number,
                           ArcError *err)
{
    const char *at = line, *name = NULL;
    double values[MODE_CELLS - 1] = {0};
    int n = 0;
    for (; at <= end; n++) {
        size_t length;
        const char *cell = take_cell(&at, end, &length);
        ArcPlace place = {c->file, number, (int)(cell - line) + 1};
        if (n == 0)
            name = arc_arena_copy_text(c->arena, cell, length);
        else if (n < MODE_CELLS &&
                 (!arc_number_read(cell, length, &values[n - 1]) || !isfinite(values[n - 1])))
            return arc_error_set_at(err, ARC_INPUT, place, "'%.*s' is not a number",
                                    arc_delimited_shown(cell, (int)length), cell);
    }
    if (name == NULL)
        return arc_error_no_memory(err);
    if (n < MODE_CELLS)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){c->file, number, 1},
                                "a mode of %d values; it has a name, f, width, height, cx, cy, "
                                "aspect ratio, k1, k2, t1, t2 and k3",
                                n);
    if (n > MODE_CELLS + 1) {
        arc_calibrator_note(c,
                            "the mode '%.40s' has an omnidirectional lens, which is not known; "
                            "it is left out",
                            name);
        return ARC_OK;
    }
    return add_lens(c, name, values, (ArcPlace){c->file, number, 1}, err);
}

ArcStatus arc_calibrator_read_modes(ArcCalibrator *c, const char *bytes, size_t size, ArcError *err)
{
    const char *line = bytes, *stop = bytes + size;
    c->format = "argus";
    for (int number = 1; line < stop; number++) {
        const char *next = memchr(line, '\n', (size_t)(stop - line));
        const char *end = next == NULL ? stop : next;
        if (end > line && end[-1] == '\r')
            end--;
        if (number > 1 && end > line) {
            ArcStatus status = read_mode(c, line, end, number, err);
            if (status != ARC_OK)
                return status;
        }
        if (next == NULL)
            break;
        line = next + 1;
    }
    if (c->n_cameras == 0)
        return arc_error_set_at(err, ARC_INPUT, (ArcPlace){c->file, 1, 1},
                                "no lens: there is no mode below the header");
    return ARC_OK;
}
