/* Cameras in reports. A camera's geometry is stored as a row of numbers, so that a result can be
 * read without its calibration file. */
#include "report/camera_parts.h"

#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 120, GEOMETRY = 48 };
static const char time_path[] = "/capture/time", name_path[] = "/capture/cameras/name";

const char *arc_camera_parts_axis(int axis)
{
    static const char *const names[] = {"u", "v", "radius"};
    return axis >= 0 && axis < 3 ? names[axis] : "";
}

void arc_camera_parts_sigma(const ArcCapture *capture, char *text, size_t size)
{
    double low = INFINITY, high = 0.0;
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER];
    for (int i = 0; i < capture->n_points && capture->n_cameras > 0; i++) {
        if (capture->use[i] == ARC_POINT_UNUSED || capture->camera[i] < 0)
            continue;
        low = fmin(low, capture->sigma_px[i]);
        high = fmax(high, capture->sigma_px[i]);
    }
    arc_table_plain(a, low, 3);
    arc_table_plain(b, high, 3);
    bool is_one = strcmp(a, b) == 0;
    text[0] = '\0';
    if (low <= high)
        snprintf(text, size, "%s%s%s px", a, is_one ? "" : " to ", is_one ? "" : b);
}

void arc_camera_parts_text(ArcText *table, const ArcFit *fit)
{
    const ArcResiduals *r = &fit->residuals;
    char a[ARC_TABLE_NUMBER], b[ARC_TABLE_NUMBER], c[ARC_TABLE_NUMBER], d[ARC_TABLE_NUMBER];
    if (r->n_cameras == 0)
        return;
    arc_text_append(table, "%-15s %8s %10s %12s %14s %12s\n", "cameras", "points", "rms, px",
                    "chi2", "held out, px", "own sigma");
    for (int i = 0; i < r->n_cameras; i++) {
        const ArcCameraResiduals *camera = &r->cameras[i];
        bool has_held = !isnan(camera->held_out_rms_px);
        arc_text_append(table, "%-15s %8d %10s %12s %14s %12s\n",
                        camera->name[0] == '\0' ? "the camera" : camera->name, camera->points,
                        arc_table_plain(a, camera->rms_px, 3), arc_table_plain(b, camera->chi2, 5),
                        has_held ? arc_table_plain(c, camera->held_out_rms_px, 3) : "-",
                        camera->sigma_factor_sd != 0.0 ? arc_table_plain(d, camera->sigma_factor, 3)
                                                       : "-");
    }
    arc_text_append(table, "\n");
}

void arc_camera_parts_json(ArcJson *json, json_t *residuals, const ArcResiduals *of)
{
    if (of->n_cameras == 0)
        return;
    json_t *array = arc_json_array(json);
    for (int i = 0; i < of->n_cameras; i++) {
        const ArcCameraResiduals *camera = &of->cameras[i];
        json_t *object = arc_json_object(json);
        arc_json_put_string(json, object, "name", camera->name);
        arc_json_put_integer(json, object, "points", camera->points);
        arc_json_put_integer(json, object, "observations", camera->observations);
        arc_json_put_number(json, object, "rms_px", camera->rms_px);
        arc_json_put_number(json, object, "chi2", camera->chi2);
        arc_json_put_number(json, object, "held_out_rms_px", camera->held_out_rms_px);
        arc_json_put_number(json, object, "sigma_factor", camera->sigma_factor);
        arc_json_put_number(json, object, "sigma_factor_sd", camera->sigma_factor_sd);
        arc_json_push(json, array, object);
    }
    arc_json_put_number(json, residuals, "rms_px", of->rms_px);
    arc_json_put_number(json, residuals, "held_out_rms_px", of->held_out_rms_px);
    arc_json_put(json, residuals, "cameras", array);
}

json_t *arc_camera_parts_predicted(ArcJson *json, const ArcFit *fit, int n_points)
{
    return fit->predicted_px == NULL ? NULL : arc_json_matrix(json, n_points, 3, fit->predicted_px);
}

/* One number after the other of a camera's geometry, from it or into it. */
typedef struct Row {
    double *at;
    bool reads; /* into the camera */
} Row;

static void move_reals(Row *row, double *values, int n)
{
    memcpy(row->reads ? values : row->at, row->reads ? row->at : values,
           sizeof(double) * (size_t)n);
    row->at += n;
}

static void move_whole(Row *row, int *value)
{
    double number = *value;
    move_reals(row, &number, 1);
    if (row->reads)
        *value = number >= 0.0 && number < 1e9 ? (int)number : 0;
}

static void move_camera(Row row, ArcCamera *camera)
{
    move_whole(&row, &camera->width_px);
    move_whole(&row, &camera->height_px);
    move_reals(&row, &camera->metres_per_px, 1);
    move_reals(&row, &camera->angle_rad, 1);
    move_reals(&row, camera->origin_px, 2);
    move_reals(&row, camera->homography, 9);
    move_reals(&row, camera->focal_px, 2);
    move_reals(&row, &camera->skew_px, 1);
    move_reals(&row, camera->centre_px, 2);
    move_reals(&row, camera->rotation, 9);
    move_reals(&row, camera->translation_m, 3);
    move_whole(&row, &camera->n_lens);
    move_reals(&row, camera->lens, ARC_LENS_COEFFICIENTS);
    move_reals(&row, &camera->reach, 1);
}
_Static_assert(33 + ARC_LENS_COEFFICIENTS + 1 == GEOMETRY, "numbers of a camera");

/* An array along another one, which stands in the file. */
static void write_along(ArcHdf5 *file, const char *path, const char *along, ArcHdf5Kind kind,
                        size_t rows, const void *data, const char *units)
{
    arc_hdf5_write(file, &(ArcHdf5Array){.path = path,
                                         .units = units,
                                         .kind = kind,
                                         .rows = rows,
                                         .data = data,
                                         .scale = {along, NULL}});
}

/* Column c of a matrix (n, columns) as an array along the points. */
static void write_column(ArcHdf5 *file, const char *path, int n, const double *matrix, int columns,
                         int c, double *room)
{
    for (int i = 0; i < n; i++)
        room[i] = matrix[i * columns + c];
    write_along(file, path, time_path, ARC_HDF5_REAL, (size_t)n, room, "px");
}

static bool write_cameras(ArcHdf5 *file, ArcArena *arena, const ArcCapture *capture)
{
    size_t n = (size_t)capture->n_cameras;
    const char **texts = ARC_ALLOC(arena, 3 * n, const char *);
    double *geometry = ARC_ALLOC(arena, n * GEOMETRY, double);
    int numbers[GEOMETRY];
    if (texts == NULL || geometry == NULL)
        return false;
    for (size_t c = 0; c < n; c++) {
        ArcCamera camera = capture->cameras[c];
        texts[c] = camera.name;
        texts[n + c] = capture->camera_files[c];
        texts[2 * n + c] = arc_camera_kind_text(camera.kind);
        move_camera((Row){geometry + c * GEOMETRY, false}, &camera);
    }
    for (int k = 0; k < GEOMETRY; k++)
        numbers[k] = k;
    write_along(file, name_path, NULL, ARC_HDF5_TEXT, n, texts, "text");
    write_along(file, "/capture/cameras/file", name_path, ARC_HDF5_TEXT, n, texts + n, "text");
    write_along(file, "/capture/cameras/kind", name_path, ARC_HDF5_TEXT, n, texts + 2 * n, "text");
    write_along(file, "/capture/cameras/number", NULL, ARC_HDF5_INTEGER, GEOMETRY, numbers, "1");
    arc_hdf5_write(file, &(ArcHdf5Array){.path = "/capture/cameras/geometry",
                                         .units = "px, m, rad",
                                         .kind = ARC_HDF5_REAL,
                                         .rows = n,
                                         .columns = GEOMETRY,
                                         .data = geometry,
                                         .scale = {name_path, "/capture/cameras/number"}});
    return true;
}

bool arc_camera_parts_write(ArcHdf5 *file, ArcArena *arena, const ArcCapture *capture)
{
    int n = capture->n_points;
    if (capture->n_cameras == 0)
        return true;
    double *room = ARC_ALLOC(arena, (size_t)n, double);
    if (room == NULL || !write_cameras(file, arena, capture))
        return false;
    write_along(file, "/capture/camera", time_path, ARC_HDF5_INTEGER, (size_t)n, capture->camera,
                "1");
    write_column(file, "/capture/u", n, capture->pixel_px, 2, 0, room);
    write_column(file, "/capture/v", n, capture->pixel_px, 2, 1, room);
    write_column(file, "/capture/sigma_px", n, capture->sigma_px, 1, 0, room);
    write_column(file, "/capture/radius", n, capture->radius_px, 1, 0, room);
    write_column(file, "/capture/sigma_radius", n, capture->sigma_radius_px, 1, 0, room);
    return true;
}

/* Arrays along the points as columns of a matrix (n, columns); NULL on exhaustion. */
static double *read_columns(ArcHdf5 *file, ArcArena *arena, const char *const *paths, int n,
                            int columns)
{
    double *matrix = ARC_ALLOC(arena, (size_t)(n * columns), double);
    for (int c = 0; c < columns && matrix != NULL; c++) {
        const double *column = arc_hdf5_reals(file, paths[c], n, 0);
        for (int i = 0; i < n && arc_hdf5_is_good(file); i++)
            matrix[i * columns + c] = column[i];
    }
    return matrix;
}

static int kind_of(ArcHdf5 *file, const char *text)
{
    for (int kind = 0; kind <= ARC_CAMERA_FISHEYE; kind++)
        if (strcmp(text, arc_camera_kind_text((ArcCameraKind)kind)) == 0)
            return kind;
    arc_hdf5_refuse(file, "no kind of camera is called '%.40s'", text);
    return 0;
}

static bool read_cameras(ArcHdf5 *file, ArcArena *arena, ArcCapture *capture)
{
    int n = arc_hdf5_rows(file, name_path);
    if (n > ARC_MAX_CAMERAS)
        arc_hdf5_refuse(file, "%d cameras; at most %d can be", n, ARC_MAX_CAMERAS);
    const char **names = arc_hdf5_texts(file, name_path, n);
    const char **kinds = arc_hdf5_texts(file, "/capture/cameras/kind", n);
    capture->camera_files = arc_hdf5_texts(file, "/capture/cameras/file", n);
    double *geometry = arc_hdf5_reals(file, "/capture/cameras/geometry", n, GEOMETRY);
    ArcCamera *cameras = ARC_ALLOC(arena, (size_t)n, ArcCamera);
    if (cameras == NULL)
        return false;
    for (int c = 0; c < n && arc_hdf5_is_good(file); c++) {
        cameras[c].name = names[c];
        cameras[c].kind = (ArcCameraKind)kind_of(file, kinds[c]);
        move_camera((Row){geometry + c * GEOMETRY, true}, &cameras[c]);
        if (cameras[c].n_lens > ARC_LENS_COEFFICIENTS)
            arc_hdf5_refuse(file, "a lens of %d coefficients", cameras[c].n_lens);
    }
    capture->n_cameras = arc_hdf5_is_good(file) ? n : 0;
    capture->cameras = cameras;
    return true;
}

bool arc_camera_parts_read(ArcHdf5 *file, ArcArena *arena, ArcCapture *capture)
{
    static const char *const pixels[] = {"/capture/u", "/capture/v"};
    int n = capture->n_points;
    if (!arc_hdf5_has(file, name_path))
        return true;
    if (!read_cameras(file, arena, capture))
        return false;
    capture->camera = arc_hdf5_integers(file, "/capture/camera", n);
    capture->pixel_px = read_columns(file, arena, pixels, n, 2);
    capture->sigma_px = arc_hdf5_reals(file, "/capture/sigma_px", n, 0);
    capture->radius_px = arc_hdf5_reals(file, "/capture/radius", n, 0);
    capture->sigma_radius_px = arc_hdf5_reals(file, "/capture/sigma_radius", n, 0);
    for (int i = 0; arc_hdf5_is_good(file) && i < n; i++)
        if (capture->camera[i] < -1 || capture->camera[i] >= capture->n_cameras)
            arc_hdf5_refuse(file, "'/capture/camera' is out of range");
    return capture->pixel_px != NULL;
}

static const char *path_of(char path[PATH_SIZE], const char *group, const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", group, name);
    return path;
}

static const char *const predicted_names[] = {"predicted_u", "predicted_v", "predicted_radius"};
static const char *const sum_names[] = {"cameras/rms_px", "cameras/chi2", "cameras/held_out_rms_px",
                                        "cameras/sigma_factor", "cameras/sigma_factor_sd"};
enum { N_NUMBERS = sizeof sum_names / sizeof sum_names[0] };

/* The numbers of a camera in the order of their names. */
static void move_sums(double *at, bool reads, ArcCameraResiduals *camera)
{
    double *const fields[N_NUMBERS] = {&camera->rms_px, &camera->chi2, &camera->held_out_rms_px,
                                       &camera->sigma_factor, &camera->sigma_factor_sd};
    for (int k = 0; k < N_NUMBERS; k++)
        *(reads ? fields[k] : &at[k]) = *(reads ? &at[k] : fields[k]);
}

bool arc_camera_parts_write_fit(ArcHdf5 *file, ArcArena *arena, const char *group,
                                const ArcFit *fit, int n_points)
{
    const ArcResiduals *r = &fit->residuals;
    size_t n = (size_t)r->n_cameras;
    char path[PATH_SIZE], points_path[PATH_SIZE];
    if (n == 0 || fit->predicted_px == NULL)
        return true;
    double *room = ARC_ALLOC(arena, (size_t)n_points, double), row[N_NUMBERS];
    double *sums = ARC_ALLOC(arena, N_NUMBERS * n, double);
    int *counts = ARC_ALLOC(arena, 2 * n, int);
    if (room == NULL || sums == NULL || counts == NULL)
        return false;
    for (int c = 0; c < 3; c++)
        write_column(file, path_of(path, group, predicted_names[c]), n_points, fit->predicted_px, 3,
                     c, room);
    for (size_t i = 0; i < n; i++) {
        ArcCameraResiduals camera = r->cameras[i];
        counts[i] = camera.points;
        counts[n + i] = camera.observations;
        move_sums(row, false, &camera);
        for (size_t k = 0; k < N_NUMBERS; k++)
            sums[k * n + i] = row[k];
    }
    path_of(points_path, group, "cameras/points");
    write_along(file, points_path, NULL, ARC_HDF5_INTEGER, n, counts, "1");
    write_along(file, path_of(path, group, "cameras/observations"), points_path, ARC_HDF5_INTEGER,
                n, counts + n, "1");
    for (size_t k = 0; k < N_NUMBERS; k++)
        write_along(file, path_of(path, group, sum_names[k]), points_path, ARC_HDF5_REAL, n,
                    sums + k * n, strstr(sum_names[k], "px") != NULL ? "px" : "1");
    path_of(path, group, "cameras");
    arc_hdf5_put_number(file, path, "rms_px", r->rms_px);
    arc_hdf5_put_number(file, path, "held_out_rms_px", r->held_out_rms_px);
    return true;
}

bool arc_camera_parts_read_fit(ArcHdf5 *file, ArcArena *arena, const char *group,
                               const ArcCapture *capture, ArcFit *fit)
{
    ArcResiduals *r = &fit->residuals;
    char path[PATH_SIZE], paths[3][PATH_SIZE];
    int n = capture->n_cameras;
    r->rms_px = r->held_out_rms_px = NAN;
    if (n == 0)
        return true;
    const char *const predicted[] = {path_of(paths[0], group, predicted_names[0]),
                                     path_of(paths[1], group, predicted_names[1]),
                                     path_of(paths[2], group, predicted_names[2])};
    fit->predicted_px = read_columns(file, arena, predicted, capture->n_points, 3);
    ArcCameraResiduals *cameras = ARC_ALLOC(arena, (size_t)n, ArcCameraResiduals);
    if (fit->predicted_px == NULL || cameras == NULL)
        return false;
    const int *points = arc_hdf5_integers(file, path_of(path, group, "cameras/points"), n);
    const int *observations =
        arc_hdf5_integers(file, path_of(path, group, "cameras/observations"), n);
    const double *sums[N_NUMBERS];
    for (int k = 0; k < N_NUMBERS; k++)
        sums[k] = arc_hdf5_reals(file, path_of(path, group, sum_names[k]), n, 0);
    for (int i = 0; i < n && arc_hdf5_is_good(file); i++) {
        double row[N_NUMBERS];
        for (int k = 0; k < N_NUMBERS; k++)
            row[k] = sums[k][i];
        cameras[i].name = capture->cameras[i].name;
        cameras[i].points = points[i];
        cameras[i].observations = observations[i];
        move_sums(row, true, &cameras[i]);
    }
    path_of(path, group, "cameras");
    r->rms_px = arc_hdf5_number(file, path, "rms_px");
    r->held_out_rms_px = arc_hdf5_number(file, path, "held_out_rms_px");
    r->n_cameras = n;
    r->cameras = cameras;
    return true;
}
