/* Cameras out of trees: OpenCV, ROS, Pose2Sim, Anipose, mappings of one's own, homographies. */
#include "base/number.h"
#include "capture/calibrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Names of one thing, "" behind the last. */
enum { MOST_NAMES = 10, MOST_NUMBERS = 64, MOST_OF_A_FILE = 9 };
typedef const char *const Names[MOST_NAMES];

static Names matrix_names = {
    "camera_matrix", "cameraMatrix", "Camera_Matrix", "K", "mtx", "matrix", "M", ""};
static Names plane_names = {"homography", "homography_matrix", "H", ""};
static Names lens_names = {"distortion_coefficients",
                           "distCoeffs",
                           "Distortion_Coefficients",
                           "D",
                           "dist",
                           "distortions",
                           "distortion",
                           "dist_coeffs",
                           ""};
static Names rotation_names = {"rotation", "R", "rvec", "rotation_vector", "rotation_matrix", ""};
static Names translation_names = {"translation", "t", "T", "tvec", "translation_vector", ""};
static Names size_names = {"size", "image_size", "resolution", ""};
static Names width_names = {"image_width", "image_Width", "width", ""};
static Names height_names = {"image_height", "image_Height", "height", ""};
static Names model_names = {"distortion_model", "camera_model", ""};
static Names name_names = {"name", "camera_name", ""};

/* Numbers in rows; rows * columns of them. */
typedef struct Numbers {
    int rows, columns, n;
    double value[MOST_NUMBERS];
} Numbers;

/* The value of the first of these names with suffix behind it; NULL where there is none. */
static const ArcYamlNode *find(const ArcYamlNode *map, Names names, const char *suffix)
{
    for (int i = 0; names[i][0] != '\0'; i++) {
        char key[48];
        snprintf(key, sizeof key, "%s%s", names[i], suffix);
        const ArcYamlNode *node = arc_yaml_find(map, key);
        if (node != NULL && !arc_yaml_is_null(node))
            return node;
    }
    return NULL;
}

static ArcStatus take_number(const ArcYamlNode *node, const char *what, double *value,
                             ArcError *err)
{
    if (node->kind != ARC_YAML_SCALAR)
        return arc_error_set_at(err, ARC_INPUT, node->place, "a number of %s is %s", what,
                                arc_yaml_kind_text(node));
    if (!arc_number_read(node->text, strlen(node->text), value) || !isfinite(*value))
        return arc_error_set_at(err, ARC_INPUT, node->place, "'%.40s' is not a number, in %s",
                                node->text, what);
    return ARC_OK;
}

static ArcStatus take_row(const ArcYamlNode *row, const char *what, Numbers *numbers, ArcError *err)
{
    for (const ArcYamlNode *item = row->first; item != NULL; item = item->next) {
        if (numbers->n == MOST_NUMBERS)
            return arc_error_set_at(err, ARC_INPUT, item->place, "more than %d numbers in %s",
                                    MOST_NUMBERS, what);
        ArcStatus status = take_number(item, what, &numbers->value[numbers->n], err);
        if (status != ARC_OK)
            return status;
        numbers->n++;
    }
    return ARC_OK;
}

static ArcStatus take_list(const ArcYamlNode *list, const char *what, Numbers *numbers,
                           ArcError *err)
{
    if (list->first == NULL || list->first->kind != ARC_YAML_SEQUENCE) {
        numbers->rows = 1;
        ArcStatus status = take_row(list, what, numbers, err);
        numbers->columns = numbers->n;
        return status;
    }
    for (const ArcYamlNode *row = list->first; row != NULL; row = row->next, numbers->rows++) {
        if (row->kind != ARC_YAML_SEQUENCE || row->n_children != list->first->n_children)
            return arc_error_set_at(err, ARC_INPUT, row->place,
                                    "the rows of %s must be lists of the same length, %d", what,
                                    list->first->n_children);
        ArcStatus status = take_row(row, what, numbers, err);
        if (status != ARC_OK)
            return status;
    }
    numbers->columns = list->first->n_children;
    return ARC_OK;
}

/* A list, a list of rows, or {rows, cols, data}. */
static ArcStatus take_numbers(const ArcYamlNode *node, const char *what, Numbers *numbers,
                              ArcError *err)
{
    *numbers = (Numbers){0};
    if (node->kind == ARC_YAML_SCALAR)
        return arc_error_set_at(err, ARC_INPUT, node->place,
                                "%s must be a list of numbers, not '%.40s'", what, node->text);
    if (node->kind == ARC_YAML_SEQUENCE)
        return take_list(node, what, numbers, err);
    const ArcYamlNode *data = arc_yaml_find(node, "data");
    const ArcYamlNode *sizes[2] = {arc_yaml_find(node, "rows"), arc_yaml_find(node, "cols")};
    if (data == NULL || data->kind != ARC_YAML_SEQUENCE)
        return arc_error_set_at(err, ARC_INPUT, data == NULL ? node->place : data->place,
                                "%s has no list `data`", what);
    ArcStatus status = take_list(data, what, numbers, err);
    double size[2] = {numbers->rows, numbers->columns};
    for (int i = 0; i < 2 && status == ARC_OK; i++)
        if (sizes[i] != NULL)
            status = take_number(sizes[i], what, &size[i], err);
    if (status != ARC_OK)
        return status;
    if (size[0] * size[1] != numbers->n || size[0] != floor(size[0]) || size[1] != floor(size[1]) ||
        size[0] < 0)
        return arc_error_set_at(
            err, ARC_INPUT, data->place,
            "%s has %d numbers, but %g rows and %g columns; the file may be cut "
            "off",
            what, numbers->n, size[0], size[1]);
    numbers->rows = (int)size[0];
    numbers->columns = (int)size[1];
    return ARC_OK;
}

static ArcStatus wrong_count(const ArcYamlNode *node, const char *what, const Numbers *numbers,
                             const char *wanted, ArcError *err)
{
    return arc_error_set_at(err, ARC_INPUT, node->place, "%s has %d x %d numbers; %s", what,
                            numbers->rows, numbers->columns, wanted);
}

/* A number under a name; missing: *has false. */
static ArcStatus find_number(const ArcYamlNode *map, const char *key, double *value, bool *has,
                             ArcError *err)
{
    const ArcYamlNode *node = arc_yaml_find(map, key);
    *has = node != NULL && !arc_yaml_is_null(node);
    return *has ? take_number(node, key, value, err) : ARC_OK;
}

/* K as a matrix, or by f or fx and fy, cx, cy. */
static ArcStatus read_matrix(const ArcYamlNode *map, const char *suffix, ArcCamera *camera,
                             ArcError *err)
{
    const ArcYamlNode *node = find(map, matrix_names, suffix);
    ArcError inner;
    if (node != NULL) {
        Numbers k;
        ArcStatus status = take_numbers(node, node->key, &k, err);
        if (status != ARC_OK)
            return status;
        if (k.n != 9 || (k.rows != 3 && k.rows != 1))
            return wrong_count(node, node->key, &k, "a camera matrix has 3 x 3", err);
        status = arc_camera_set_matrix(camera, k.value, &inner);
        return arc_calibrator_pass_on(camera, status, node->place, &inner, err);
    }
    static const char *const keys[] = {"f", "fx", "fy", "cx", "cy"};
    double values[5];
    bool has[5];
    for (int i = 0; i < 5; i++) {
        ArcStatus status = find_number(map, keys[i], &values[i], &has[i], err);
        if (status != ARC_OK)
            return status;
    }
    if ((!has[0] && (!has[1] || !has[2])) || !has[3] || !has[4])
        return arc_error_set_at(
            err, ARC_INPUT, map->place,
            "a camera without %s; give f (or fx and fy), cx and cy, or a camera "
            "matrix",
            has[3] && has[4] ? "a focal length" : "a centre");
    camera->focal_px[0] = has[1] ? values[1] : values[0];
    camera->focal_px[1] = has[2] ? values[2] : values[0];
    camera->centre_px[0] = values[3];
    camera->centre_px[1] = values[4];
    return ARC_OK;
}

/* Which lens; as the settings say where the file does not. */
static ArcStatus read_model(const ArcCalibrator *c, const ArcYamlNode *map, ArcCameraKind *kind,
                            ArcError *err)
{
    static const char *const pinholes[] = {
        "plumb_bob", "rational_polynomial", "thin_prism", "radtan", "pinhole", ""};
    static const char *const fisheyes[] = {"equidistant", "fisheye", ""};
    const ArcYamlNode *model = find(map, model_names, ""), *flag = arc_yaml_find(map, "fisheye");
    bool is_told = flag != NULL || model != NULL;
    bool is_fisheye = !is_told && c->settings->lens_model == ARC_LENS_FISHEYE;
    *kind = is_fisheye ? ARC_CAMERA_FISHEYE : ARC_CAMERA_PINHOLE;
    if (flag != NULL) {
        bool is_word = flag->kind == ARC_YAML_SCALAR;
        if (is_word && (strcmp(flag->text, "true") == 0 || strcmp(flag->text, "1") == 0))
            *kind = ARC_CAMERA_FISHEYE;
        else if (!is_word || (strcmp(flag->text, "false") != 0 && strcmp(flag->text, "0") != 0))
            return arc_error_set_at(err, ARC_INPUT, flag->place, "fisheye must be true or false");
    }
    if (model == NULL)
        return ARC_OK;
    for (int i = 0; model->kind == ARC_YAML_SCALAR && pinholes[i][0] != '\0'; i++)
        if (strcmp(model->text, pinholes[i]) == 0)
            return ARC_OK;
    for (int i = 0; model->kind == ARC_YAML_SCALAR && fisheyes[i][0] != '\0'; i++)
        if (strcmp(model->text, fisheyes[i]) == 0) {
            *kind = ARC_CAMERA_FISHEYE;
            return ARC_OK;
        }
    return arc_error_set_at(err, ARC_INPUT, model->place,
                            "the %s '%.40s' is not known; known are plumb_bob, "
                            "rational_polynomial and equidistant",
                            model->key, model->kind == ARC_YAML_SCALAR ? model->text : "...");
}

static ArcStatus read_lens(const ArcYamlNode *map, const char *suffix, ArcCamera *camera,
                           ArcError *err)
{
    const ArcYamlNode *node = find(map, lens_names, suffix);
    Numbers d;
    if (node == NULL)
        return ARC_OK;
    ArcStatus status = take_numbers(node, node->key, &d, err);
    if (status != ARC_OK)
        return status;
    if (d.n > ARC_LENS_COEFFICIENTS || (d.rows > 1 && d.columns > 1))
        return wrong_count(node, node->key, &d, "distortion is a row or a column of at most 14",
                           err);
    memcpy(camera->lens, d.value, (size_t)d.n * sizeof(double));
    camera->n_lens = d.n == 1 ? 4 : d.n; /* k1 alone, as old files of Anipose have it */
    return ARC_OK;
}

/* Width and height, whole and above zero. */
static ArcStatus read_size(const ArcYamlNode *map, ArcCamera *camera, ArcError *err)
{
    const ArcYamlNode *both = find(map, size_names, "");
    const ArcYamlNode *sides[2] = {find(map, width_names, ""), find(map, height_names, "")};
    double size[2] = {0};
    if (both == NULL && (sides[0] == NULL || sides[1] == NULL))
        return ARC_OK;
    if (both != NULL) {
        Numbers numbers;
        ArcStatus status = take_numbers(both, both->key, &numbers, err);
        if (status != ARC_OK)
            return status;
        if (numbers.n != 2)
            return wrong_count(both, both->key, &numbers, "an image has a width and a height", err);
        memcpy(size, numbers.value, sizeof size);
    }
    for (int i = 0; i < 2 && both == NULL; i++) {
        ArcStatus status = take_number(sides[i], sides[i]->key, &size[i], err);
        if (status != ARC_OK)
            return status;
    }
    for (int i = 0; i < 2; i++)
        if (!(size[i] >= 1 && size[i] <= 1e6 && size[i] == floor(size[i])))
            return arc_error_set_at(err, ARC_INPUT, both != NULL ? both->place : sides[i]->place,
                                    "an image of %g x %g px; both must be whole numbers above zero",
                                    size[0], size[1]);
    camera->width_px = (int)size[0];
    camera->height_px = (int)size[1];
    return ARC_OK;
}

static ArcStatus read_pose(const ArcYamlNode *map, ArcCamera *camera, bool *has_pose, ArcError *err)
{
    const ArcYamlNode *turn = find(map, rotation_names, ""),
                      *shift = find(map, translation_names, "");
    static const double straight[3] = {0};
    Numbers numbers;
    arc_camera_set_rotation(camera, straight);
    *has_pose = turn != NULL && shift != NULL;
    if (turn == NULL && shift == NULL)
        return ARC_OK;
    if (!*has_pose)
        return arc_error_set_at(err, ARC_INPUT, turn != NULL ? turn->place : shift->place,
                                "a %s without a %s; a pose has both",
                                turn != NULL ? "rotation" : "translation",
                                turn != NULL ? "translation" : "rotation");
    ArcStatus status = take_numbers(turn, turn->key, &numbers, err);
    if (status != ARC_OK)
        return status;
    if (numbers.n == 3)
        arc_camera_set_rotation(camera, numbers.value);
    else if (numbers.n == 9 && (numbers.rows == 3 || numbers.rows == 1))
        memcpy(camera->rotation, numbers.value, sizeof camera->rotation);
    else
        return wrong_count(turn, turn->key, &numbers,
                           "a rotation has 3 (a vector) or 3 x 3 (a matrix)", err);
    status = take_numbers(shift, shift->key, &numbers, err);
    if (status != ARC_OK)
        return status;
    if (numbers.n != 3)
        return wrong_count(shift, shift->key, &numbers, "a translation has 3", err);
    memcpy(camera->translation_m, numbers.value, sizeof camera->translation_m);
    return ARC_OK;
}

/* A camera that sees a plane: [u v 1] ~ H [x y 1]. */
static ArcStatus read_homography(ArcCalibrator *c, const ArcYamlNode *map, ArcCamera *camera,
                                 ArcError *err)
{
    const ArcYamlNode *node = find(map, plane_names, "");
    Numbers h;
    ArcStatus status = take_numbers(node, node->key, &h, err);
    if (status != ARC_OK)
        return status;
    if (h.n != 9 || (h.rows != 3 && h.rows != 1))
        return wrong_count(node, node->key, &h, "a homography has 3 x 3", err);
    camera->kind = ARC_CAMERA_HOMOGRAPHY;
    memcpy(camera->homography, h.value, sizeof camera->homography);
    status = read_size(map, camera, err);
    if (status != ARC_OK)
        return status;
    if (c->n_cameras == 0)
        arc_calibrator_note(c,
                            "homographies are taken to lead from places in the plane%s to "
                            "pixels, as OpenCV's findHomography(world, image) gives them",
                            isnan(c->settings->unit_m) ? ", in metres," : "");
    return arc_calibrator_add(c, camera, true, node->key_place, err);
}

/* One camera; suffix: its number in a file of several, "" else. name may be NULL. */
static ArcStatus read_camera(ArcCalibrator *c, const ArcYamlNode *map, const char *suffix,
                             const char *name, ArcError *err)
{
    const ArcYamlNode *own = suffix[0] == '\0' ? find(map, name_names, "") : NULL;
    ArcCamera camera = {.name = name != NULL ? name : ""};
    static const double straight[3] = {0};
    bool has_pose = false;
    if (own != NULL && own->kind == ARC_YAML_SCALAR)
        camera.name = own->text;
    if (suffix[0] == '\0' && find(map, matrix_names, "") == NULL &&
        find(map, plane_names, "") != NULL)
        return read_homography(c, map, &camera, err);
    ArcStatus status = read_model(c, map, &camera.kind, err);
    if (status == ARC_OK)
        status = read_matrix(map, suffix, &camera, err);
    if (status == ARC_OK)
        status = read_lens(map, suffix, &camera, err);
    if (status == ARC_OK)
        status = read_size(map, &camera, err);
    /* R of a ROS message and of a rectified pair is no pose */
    bool is_rectified = suffix[0] != '\0' || find(map, model_names, "") != NULL;
    if (is_rectified)
        arc_camera_set_rotation(&camera, straight);
    else if (status == ARC_OK)
        status = read_pose(map, &camera, &has_pose, err);
    if (status != ARC_OK)
        return status;
    bool is_told = find(map, model_names, "") != NULL || arc_yaml_find(map, "fisheye") != NULL;
    if (!is_told && camera.kind == ARC_CAMERA_PINHOLE && camera.n_lens == 4)
        arc_calibrator_note(c, "four distortion coefficients are taken for k1 k2 p1 p2, not for "
                               "those of a fisheye");
    const ArcYamlNode *matrix = find(map, matrix_names, suffix);
    ArcPlace place = map->key != NULL ? map->key_place
                     : matrix != NULL ? matrix->key_place
                                      : map->place;
    return arc_calibrator_add(c, &camera, has_pose, place, err);
}

static bool is_camera(const ArcYamlNode *node)
{
    return node->kind == ARC_YAML_MAPPING &&
           (find(node, matrix_names, "") != NULL || find(node, plane_names, "") != NULL ||
            arc_yaml_find(node, "cx") != NULL || arc_yaml_find(node, "f") != NULL ||
            arc_yaml_find(node, "fx") != NULL);
}

/* A list of cameras, or a mapping of them by name. */
static ArcStatus read_many(ArcCalibrator *c, const ArcYamlNode *many, ArcError *err)
{
    for (const ArcYamlNode *node = many->first; node != NULL; node = node->next) {
        if (many->kind == ARC_YAML_SEQUENCE && !is_camera(node))
            return arc_error_set_at(err, ARC_INPUT, node->place,
                                    "no camera: it has neither a camera matrix nor f, cx and cy");
        if (!is_camera(node))
            continue;
        ArcStatus status = read_camera(c, node, "", node->key, err);
        if (status != ARC_OK)
            return status;
    }
    return ARC_OK;
}

ArcStatus arc_calibrator_read_map(ArcCalibrator *c, const ArcYamlNode *root, ArcError *err)
{
    const ArcYamlNode *many = arc_yaml_find(root, "cameras");
    ArcStatus status = ARC_OK;
    if (root->kind == ARC_YAML_MAPPING && find(root, model_names, "") != NULL)
        c->format = "ros";
    if (is_camera(root)) {
        status = read_camera(c, root, "", NULL, err);
    } else if (many != NULL && many->kind != ARC_YAML_SCALAR) {
        status = read_many(c, many, err);
    } else if (root->kind != ARC_YAML_SCALAR) {
        for (int i = 1; i <= MOST_OF_A_FILE && status == ARC_OK; i++) {
            char number[2] = {(char)('0' + i), '\0'};
            if (find(root, matrix_names, number) != NULL)
                status = read_camera(c, root, number, number, err);
        }
        if (status == ARC_OK && c->n_cameras == 0)
            status = read_many(c, root, err);
    }
    if (status == ARC_OK && c->n_cameras > 0 && c->has_pose[0] && isnan(c->settings->unit_m) &&
        arc_camera_dimensions(&c->cameras[0]) == 3)
        arc_calibrator_note(c, "translations are taken to be in metres (Pose2Sim writes metres, "
                               "Anipose the unit of its board)");
    if (status == ARC_OK && c->n_cameras == 0)
        return arc_error_set_at(
            err, ARC_INPUT, root->place,
            "no camera: no key is a camera matrix (camera_matrix, cameraMatrix, "
            "K, mtx, matrix) nor f, cx and cy nor a homography");
    return status;
}
