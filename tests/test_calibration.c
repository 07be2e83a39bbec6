/* Calibration files that are trees: each kind read, and each damaged; cameras by name or number. */
#include "arcfit/calibration.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibration_case.h"
#include "sweep.h"

static const char opencv[] = "%YAML:1.0\n"
                             "---\n"
                             "calibration_time: \"Thu Jan 30 14:43:57 2020\"\n"
                             "image_width: 1920\n"
                             "image_height: 1080\n"
                             "camera_matrix: !!opencv-matrix\n"
                             "   rows: 3\n"
                             "   cols: 3\n"
                             "   dt: d\n"
                             "   data: [ 1.3704890781669139e+003, 0., 9.4620086455694741e+02, 0.,\n"
                             "       1.3711542706267094e+03, 5.4099755744500317e+02, 0., 0., 1. ]\n"
                             "distortion_coefficients: !!opencv-matrix\n"
                             "   rows: 5\n"
                             "   cols: 1\n"
                             "   dt: d\n"
                             "   data: [ 9.5e-02, -.1, 1.e-3, 0., 2.5e-01 ]\n"
                             "avg_reprojection_error: 4.7184727361967016e-01\n";

static void test_read_opencv_as_it_is_written(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = plain();
    ArcCalibration *read = calibration_of(opencv, &settings);
    const ArcCamera *camera = &read->cameras[0];
    assert_string_equal(read->format, "opencv");
    assert_int_equal(read->n_cameras, 1);
    assert_false(read->has_pose[0]);
    assert_int_equal(camera->kind, ARC_CAMERA_PINHOLE);
    assert_int_equal(camera->width_px, 1920);
    assert_int_equal(camera->height_px, 1080);
    assert_near(camera->focal_px[0], 1370.4890781669139, 0);
    assert_near(camera->focal_px[1], 1371.1542706267094, 0);
    assert_near(camera->centre_px[1], 540.99755744500317, 0);
    assert_int_equal(camera->n_lens, 5);
    assert_near(camera->lens[1], -0.1, 0);
    assert_near(camera->lens[4], 0.25, 0);
    arc_calibration_free(read);
    /* no marker, no tags, other names, 1 x 4, carriage returns */
    read = calibration_of("%YAML:1.0\r\n"
                          "cameraMatrix: {rows: 3, cols: 3, data: [9, 0, 1, 0, 8, 2, 0, 0, 1]}\r\n"
                          "distCoeffs: {rows: 1, cols: 4, data: [1e-2, 0, 0, 0]}\r\n",
                          &settings);
    assert_near(read->cameras[0].focal_px[1], 8, 0);
    assert_int_equal(read->cameras[0].n_lens, 4);
    assert_int_equal(read->cameras[0].width_px, 0);
    assert_int_equal(read->n_notes, 1);
    assert_non_null(strstr(read->notes[0], "four distortion coefficients are taken for k1 k2 p1"));
    arc_calibration_free(read);
    settings.lens_model = ARC_LENS_FISHEYE;
    read = calibration_of("K: [9, 0, 1, 0, 8, 2, 0, 0, 1]\nD: [1e-2, 0, 0, 0]\n", &settings);
    assert_int_equal(read->cameras[0].kind, ARC_CAMERA_FISHEYE);
    assert_int_equal(read->n_notes, 0);
    arc_calibration_free(read);
}

static void test_read_opencv_by_all_names_and_sizes(void **state)
{
    (void)state;
    static const char *const matrices[] = {"camera_matrix", "cameraMatrix", "Camera_Matrix", "K",
                                           "mtx",           "matrix"};
    static const char *const lenses[] = {"distortion_coefficients",
                                         "distCoeffs",
                                         "Distortion_Coefficients",
                                         "D",
                                         "dist",
                                         "distortions"};
    static const int sizes[] = {4, 5, 8, 12, 14, 0};
    ArcCalibrationSettings settings = plain();
    for (int i = 0; i < 6; i++) {
        char text[600];
        int used = snprintf(text, sizeof text, "%s: [[9, 0, 1], [0, 8, 2], [0, 0, 1]]\n%s: [",
                            matrices[i], lenses[i]);
        for (int k = 0; k < sizes[i]; k++)
            used += snprintf(text + used, sizeof text - (size_t)used, "%s0.00%d",
                             k == 0 ? "" : ", ", k + 1);
        snprintf(text + used, sizeof text - (size_t)used, "]\n");
        ArcCalibration *read = calibration_of(text, &settings);
        assert_int_equal(read->cameras[0].n_lens, sizes[i]);
        if (sizes[i] > 0)
            assert_near(read->cameras[0].lens[3], 0.004, 0);
        arc_calibration_free(read);
    }
}

static void test_read_opencv_of_a_pair_has_two_cameras(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = plain();
    ArcCalibration *read = calibration_of("%YAML:1.0\n"
                                          "M1: [9, 0, 1, 0, 8, 2, 0, 0, 1]\n"
                                          "D1: [0.1, 0, 0, 0]\n"
                                          "M2: [7, 0, 1, 0, 6, 2, 0, 0, 1]\n"
                                          "D2: [0.2, 0, 0, 0]\n"
                                          "R1: [1, 0, 0, 0, 1, 0, 0, 0, 1]\n",
                                          &settings);
    assert_int_equal(read->n_cameras, 2);
    assert_string_equal(read->cameras[1].name, "2");
    assert_near(read->cameras[1].focal_px[0], 7, 0);
    assert_near(read->cameras[1].lens[0], 0.2, 0);
    assert_false(read->has_pose[1]);
    arc_calibration_free(read);
}

static void test_read_opencv_damaged_is_refused(void **state)
{
    (void)state;
    ArcCalibrationSettings s = plain();
    assert_calibration_refused(altered(opencv, "1.3704890781669139e+003", "1,37e3"), &s,
                               ":10:10: error: camera_matrix has 10 numbers, but 3 rows and 3 "
                               "columns");
    assert_calibration_refused(altered(opencv, ", 0., 0., 1. ]", " ]"), &s,
                               ":10:10: error: camera_matrix has 6 numbers, but 3 rows and 3");
    assert_calibration_refused(altered(opencv, "1.3711542706267094e+03", ".Nan"), &s,
                               ":11:8: error: '.Nan' is not a number, in camera_matrix");
    assert_calibration_refused(altered(opencv, "camera_matrix", "camera_metrics"), &s,
                               ":3:1: error: no camera: no key is a camera matrix");
    assert_calibration_refused(altered(opencv, ", 1.e-3", ""), &s,
                               ":16:10: error: distortion_coefficients has 4 numbers, but 5 rows");
    assert_calibration_refused(altered(opencv, "0., 0., 1. ]", "640., 360., 1. ]"), &s,
                               ":6:16: error: the camera matrix is not of the form");
    assert_calibration_refused("%YAML:1.0\nK: [9, 0, 0, 0, 8, 0, 640, 360, 1]\n", &s,
                               ":2:4: error: the camera matrix is transposed: its third row is "
                               "(640, 360, 1)");
    assert_calibration_refused(altered(opencv, "1920", "wide"), &s,
                               ":4:14: error: 'wide' is not a number, in image_width");
    assert_calibration_refused(altered(opencv, "   cols: 3\n", ""), &s,
                               ":9:10: error: camera_matrix has 9 numbers, but 3 rows and 9");
    assert_calibration_refused("%YAML:1.0\nK: [9, 0, 1, 0, 8, 2, 0, 0, 1]\nD: [1, 2, 3]\n", &s,
                               ":2:1: error: a pinhole with 3 distortion coefficients; it has 0, "
                               "4, 5, 8, 12 or 14");
    s.width_px = 1280;
    s.height_px = 720;
    assert_calibration_refused(opencv, &s,
                               ":6:1: error: the calibration is of images of 1920 x 1080 px, but "
                               "those measured have 1280 x 720 px");
}

static const char ros[] =
    "image_width: 640\n"
    "image_height: 480\n"
    "camera_name: narrow_stereo\n"
    "camera_matrix:\n"
    "  rows: 3\n"
    "  cols: 3\n"
    "  data: [500.5, 0, 319.5, 0, 501, 239.5, 0, 0, 1]\n"
    "distortion_model: rational_polynomial\n"
    "distortion_coefficients:\n"
    "  rows: 1\n"
    "  cols: 8\n"
    "  data: [0.1, 0.2, 0, 0, 0.3, 0.4, 0.5, 0.6]\n"
    "rectification_matrix: {rows: 3, cols: 3, data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}\n";

static void test_read_ros_each_model(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = plain();
    ArcCalibration *read = calibration_of(ros, &settings);
    assert_string_equal(read->format, "ros");
    assert_string_equal(read->cameras[0].name, "narrow_stereo");
    assert_int_equal(read->cameras[0].n_lens, 8);
    assert_false(read->has_pose[0]);
    arc_calibration_free(read);
    /* a message of it, of a fisheye: R is its rectification */
    read = calibration_of("distortion_model: equidistant\n"
                          "K: [500, 0, 320, 0, 500, 240, 0, 0, 1]\n"
                          "D: [0.01, 0.02, 0.03, 0.04]\n"
                          "R: [1, 0, 0, 0, 1, 0, 0, 0, 1]\n"
                          "P: [500, 0, 320, 0, 0, 500, 240, 0, 0, 0, 1, 0]\n",
                          &settings);
    assert_int_equal(read->cameras[0].kind, ARC_CAMERA_FISHEYE);
    assert_near(read->cameras[0].lens[3], 0.04, 0);
    assert_false(read->has_pose[0]);
    arc_calibration_free(read);
}

static void test_read_ros_damaged_is_refused(void **state)
{
    (void)state;
    ArcCalibrationSettings s = plain();
    assert_calibration_refused(altered(ros, "rational_polynomial", "ftheta"), &s,
                               ":8:19: error: the distortion_model 'ftheta' is not known; known "
                               "are plumb_bob, rational_polynomial and equidistant");
    assert_calibration_refused(altered(ros, "rational_polynomial", "equidistant"), &s,
                               ":4:1: error: camera 'narrow_stereo': a fisheye with 8 distortion "
                               "coefficients; it has 4");
    assert_calibration_refused(altered(ros, "500.5", "-500.5"), &s,
                               ":4:1: error: camera 'narrow_stereo': a camera's focal length of "
                               "-500.5 px");
    assert_calibration_refused(altered(ros, "  data: [500.5", "  dato: [500.5"), &s,
                               ":5:3: error: camera_matrix has no list `data`");
    assert_calibration_refused(altered(ros, "cols: 8", "cols: 5"), &s,
                               ":12:9: error: distortion_coefficients has 8 numbers, but 1 rows");
    assert_calibration_refused(altered(ros, "640", "0"), &s,
                               ":1:14: error: an image of 0 x 480 px");
    assert_calibration_refused(altered(ros, "image_height", "image_width"), &s,
                               ":2:1: error: the key 'image_width' is given twice");
}

static const char toml[] = "[cam_0]\n"
                           "name = \"left\"\n"
                           "size = [ 1280, 720,]\n"
                           "matrix = [ [ 1400.0, 0.0, 639.5,], [ 0.0, 1400.0, 359.5,], [ 0.0, 0.0, "
                           "1.0,],]\n"
                           "distortions = [ -0.1,]\n"
                           "rotation = [ 1.5, 0.1, 0.0,]\n"
                           "translation = [ -2.0, 2.5, 7.5,]\n"
                           "fisheye = false\n"
                           "\n"
                           "[cam_1]\n"
                           "size = [ 1280, 720,]\n"
                           "matrix = [ [ 800.0, 0.0, 639.5,], [ 0.0, 800.0, 359.5,], [ 0.0, 0.0, "
                           "1.0,],]\n"
                           "distortions = [ 0.1, 0.01, 0.001, 0.0,]\n"
                           "rotation = [ 1.5, 0.1, 0.0,]\n"
                           "translation = [ -2.0, 2.5, 7.5,]\n"
                           "fisheye = true\n"
                           "\n"
                           "[metadata]\n"
                           "adjusted = false\n";

static void test_read_toml_of_pose2sim_and_anipose(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = plain();
    ArcCalibration *read = calibration_of(toml, &settings);
    assert_string_equal(read->format, "toml");
    assert_int_equal(read->n_cameras, 2);
    assert_string_equal(read->cameras[0].name, "left");
    assert_string_equal(read->cameras[1].name, "cam_1");
    assert_true(read->has_pose[0] && read->has_pose[1]);
    assert_int_equal(read->cameras[0].n_lens, 4); /* k1 alone */
    assert_near(read->cameras[0].lens[0], -0.1, 0);
    assert_near(read->cameras[0].translation_m[2], 7.5, 0);
    assert_int_equal(read->cameras[1].kind, ARC_CAMERA_FISHEYE);
    assert_int_equal(read->n_notes, 1);
    assert_non_null(strstr(read->notes[0], "in metres (Pose2Sim writes metres, Anipose the unit"));
    arc_calibration_free(read);
    settings.unit_m = 0.03; /* squares of a board */
    read = calibration_of(toml, &settings);
    assert_near(read->cameras[0].translation_m[2], 0.225, 1e-15);
    assert_int_equal(read->n_notes, 0);
    arc_calibration_free(read);
    settings.unit_m = NAN;
    read = calibration_of(altered(toml, "7.5", "7500"), &settings);
    assert_int_equal(read->n_notes, 2);
    assert_non_null(strstr(read->notes[0], "'left' stands 7500 m from the world's origin"));
    arc_calibration_free(read);
}

static void test_read_toml_damaged_is_refused(void **state)
{
    (void)state;
    ArcCalibrationSettings s = plain();
    assert_calibration_refused(altered(toml, "rotation", "rotatoin"), &s,
                               ":7:15: error: a translation without a rotation; a pose has both");
    assert_calibration_refused(altered(toml, "[ 1.5, 0.1, 0.0,]", "[ 1.5, 0.1,]"), &s,
                               ":6:12: error: rotation has 1 x 2 numbers; a rotation has 3 (a "
                               "vector) or 3 x 3");
    assert_calibration_refused(altered(toml, "-2.0, 2.5", "-2.0 2.5"), &s,
                               ":7:22: error: an array goes on with a comma or ends with ']'");
    assert_calibration_refused(altered(toml, "fisheye = false", "fisheye = \"no\""), &s,
                               ":8:11: error: fisheye must be true or false");
    assert_calibration_refused(altered(toml, "[cam_1]", "[cam_0]"), &s,
                               ":10:2: error: the table 'cam_0' is given twice, first in line 1");
    assert_calibration_refused(altered(toml, "[ 0.0, 0.0, 1.0,],]", "[ 0.0, 0.0, 1.0,]"), &s,
                               ":5:1: error: an array goes on with a comma");
    assert_calibration_refused(altered(toml, "[ 0.0, 1400.0, 359.5,]", "[ 0.0, 1400.0,]"), &s,
                               ":4:36: error: the rows of matrix must be lists of the same length");
    assert_calibration_refused(altered(toml, "\"left\"", "left"), &s,
                               ":2:8: error: 'left' is no value; a text stands in quotes");
    assert_calibration_refused("[metadata]\nerror = 0.0\n", &s, ":1:1: error: no camera");
}

/* The published example of a transposed matrix, in numbers of one's own. */
static void test_read_transposed_matrix_is_named(void **state)
{
    (void)state;
    ArcCalibrationSettings s = plain();
    assert_calibration_refused("[cam01]\n"
                               "matrix = [[1400.0, 0.0, 0.0], [0.0, 1400.0, 0.0], [640.0, 360.0, "
                               "1.0]]\n",
                               &s,
                               ":2:10: error: camera 'cam01': the camera matrix is transposed: its "
                               "third row is (640, 360, 1), as MATLAB writes it");
}

static const char json[] =
    "[\n"
    " {\"name\": \"CAM1\", \"f\": 870.5, \"cx\": 949, \"cy\": 487,\n"
    "\t\"R\": [[1, 0, 0], [0, 0, -1], [0, 1, 0]], \"t\": [0.5, -0.25, 2]},\n"
    " {\"name\": \"CAM2\", \"fx\": 800, \"fy\": 810, \"cx\": 949, \"cy\": 487,\n"
    "  \"R\": [0, 0, 0], \"t\": [0, 0, 3], \"note\": \"u = f x/z + cx\"}\n"
    "]\n";

static void test_read_json_list_of_cameras(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = plain();
    ArcCalibration *read = calibration_of(json, &settings);
    assert_string_equal(read->format, "cameras");
    assert_int_equal(read->n_cameras, 2);
    assert_string_equal(read->cameras[1].name, "CAM2");
    assert_near(read->cameras[0].focal_px[1], 870.5, 0);
    assert_near(read->cameras[1].focal_px[1], 810, 0);
    assert_near(read->cameras[0].rotation[5], -1, 0);
    assert_near(read->cameras[1].rotation[4], 1, 0);
    arc_calibration_free(read);
    read = calibration_of("cameras:\n  a: {K: [[9, 0, 1], [0, 9, 2], [0, 0, 1]]}\n"
                          "  b: {f: 5, cx: 1, cy: 2}\n",
                          &settings);
    assert_int_equal(read->n_cameras, 2);
    assert_string_equal(read->cameras[1].name, "b");
    arc_calibration_free(read);
}

static void test_read_json_damaged_is_refused(void **state)
{
    (void)state;
    ArcCalibrationSettings s = plain();
    assert_calibration_refused(altered(json, "\"f\": 870.5, ", ""), &s,
                               ":2:2: error: a camera without a focal length; give f");
    assert_calibration_refused(altered(json, "\"cx\": 949, ", ""), &s,
                               ":2:2: error: a camera without a centre");
    assert_calibration_refused(altered(json, "[0, 0, -1]", "[0, 0, -0.9]"), &s,
                               ":2:2: error: camera 'CAM1': the camera's rotation matrix is none");
    assert_calibration_refused(altered(json, "[0, 0, -1]", "[0, 0, 1]"), &s,
                               ":2:2: error: camera 'CAM1': the camera's rotation matrix is a "
                               "reflection");
    assert_calibration_refused(altered(json, "0.5, -0.25, 2", "0.5, -0.25"), &s,
                               ":3:48: error: t has 1 x 2 numbers; a translation has 3");
    assert_calibration_refused(altered(json, "870.5", "\"wide\""), &s,
                               ":2:24: error: 'wide' is not a number, in f");
    assert_calibration_refused(altered(json, "]\n", ""), &s,
                               ":6:1: error: not valid YAML: did not");
    assert_calibration_refused("[1, 2]\n", &s, ":1:2: error: no camera: it has neither");
}

static const char plane[] = "homography: [[200, 10, 320], [-5, -210, 400], [0, 0.01, 1]]\n"
                            "name: side\nsize: [640, 480]\n";

static void test_read_homography_follows_its_definition(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = plain();
    const double unit_m[2] = {NAN, 0.01};
    for (int i = 0; i < 2; i++) {
        const double x[2] = {i == 0 ? 1.5 : 0.015, i == 0 ? 0.5 : 0.005}, w = 1.005;
        settings.unit_m = unit_m[i];
        ArcProjection seen;
        ArcCalibration *read = calibration_of(plane, &settings);
        assert_int_equal(read->n_cameras, 1);
        assert_string_equal(read->cameras[0].name, "side");
        assert_int_equal(read->cameras[0].kind, ARC_CAMERA_HOMOGRAPHY);
        assert_int_equal(read->cameras[0].height_px, 480);
        assert_true(read->has_pose[0]);
        assert_int_equal(read->n_notes, 1);
        assert_non_null(strstr(read->notes[0], "findHomography(world, image)"));
        assert_true(arc_camera_project(&read->cameras[0], NULL, x, 0.0, &seen));
        assert_near(seen.pixel_px[0], (300 + 5 + 320) / w, 1e-9);
        assert_near(seen.pixel_px[1], (-7.5 - 105 + 400) / w, 1e-9);
        arc_calibration_free(read);
    }
    settings = plain();
    ArcCalibration *read = calibration_of("left: {H: [2, 0, 0, 0, -2, 9, 0, 0, 1]}\n"
                                          "right: {H: [3, 0, 0, 0, -3, 9, 0, 0, 1]}\n",
                                          &settings);
    assert_int_equal(read->n_cameras, 2);
    assert_string_equal(read->cameras[1].name, "right");
    assert_near(read->cameras[1].homography[4], -3, 0);
    arc_calibration_free(read);
}

static void test_read_homography_damaged_is_refused(void **state)
{
    (void)state;
    ArcCalibrationSettings s = plain();
    assert_calibration_refused(
        altered(plane, ", [0, 0.01, 1]", ""), &s,
        ":1:13: error: homography has 2 x 3 numbers; a homography has 3 x 3");
    assert_calibration_refused(altered(plane, "0.01, 1]", "0.01]"), &s,
                               ":1:47: error: the rows of homography must be lists of the same");
    assert_calibration_refused(altered(plane, "-210", "two"), &s,
                               ":1:35: error: 'two' is not a number, in homography");
    assert_calibration_refused(altered(plane, "-210", "-2,10"), &s, ":1:30: error: the rows of");
    assert_calibration_refused(altered(plane, "[0, 0.01, 1]", "[0, 0, 0]"), &s,
                               ":1:1: error: camera 'side': ");
    assert_calibration_refused(altered(plane, "]]\n", "]\n"), &s, ":2:1: error: not valid YAML");
}

/* In UTF-16, and with a letter of Latin-1 in a comment. */
static void test_read_other_encodings_are_taken(void **state)
{
    (void)state;
    static const char latin[] = "# Kalibrierung f\xfcr links\n";
    ArcCalibrationSettings s = plain();
    ArcCalibration *read = NULL, *wide = NULL, *noted = NULL;
    char bytes[8192];
    size_t n = strlen(toml);
    assert_true(2 * n + 2 <= sizeof bytes);
    memcpy(bytes, "\xfe\xff", 2);
    for (size_t k = 0; k < n; k++) {
        bytes[2 + 2 * k] = '\0';
        bytes[3 + 2 * k] = toml[k];
    }
    read = calibration_of(toml, &s);
    if (arc_calibration_read(calibration_write_bytes(bytes, 2 * n + 2), here, &s, &wide,
                             &calibration_error) != ARC_OK)
        fail_msg("%s", calibration_error.text);
    snprintf(bytes, sizeof bytes, "%s%s", latin, toml);
    noted = calibration_of(bytes, &s);
    assert_int_equal(wide->n_cameras, read->n_cameras);
    assert_int_equal(wide->n_notes, read->n_notes);
    assert_int_equal(noted->n_notes, read->n_notes + 1);
    assert_non_null(strstr(noted->notes[0], "read as Windows-1252"));
    for (int c = 0; c < read->n_cameras; c++) {
        assert_memory_equal(wide->cameras[c].rotation, read->cameras[c].rotation,
                            sizeof read->cameras[c].rotation);
        assert_memory_equal(noted->cameras[c].lens, read->cameras[c].lens,
                            sizeof read->cameras[c].lens);
    }
    unlink(calibration_file);
    arc_calibration_free(read);
    arc_calibration_free(wide);
    arc_calibration_free(noted);
}

static void test_read_other_files_are_refused(void **state)
{
    (void)state;
    ArcCalibrationSettings s = plain();
    assert_calibration_refused("", &s, ":1:1: error: empty");
    assert_calibration_refused("# nothing\n", &s, ":1:1: error: empty");
    assert_calibration_refused("<?xml version=\"1.0\"?>\n", &s, ":1:1: error: XML, which is no");
    assert_calibration_refused("MATLAB 5.0 MAT-file\n", &s, ":1:1: error: a MATLAB file");
    assert_calibration_refused("just words\n", &s, ":1:1: error: no camera");
    ArcCalibration *calibration = NULL;
    assert_int_equal(
        arc_calibration_read("/nowhere/c.yml", here, &s, &calibration, &calibration_error),
        ARC_INPUT);
    assert_non_null(strstr(calibration_error.text, "e.yaml:5:7: error: "));
    assert_null(calibration);
}

static bool lets_pass(void *context, size_t size)
{
    int *left = context;
    (void)size;
    return (*left)-- > 0;
}

static void test_read_without_memory_fails_at_every_place(void **state)
{
    (void)state;
    static const char *const texts[] = {opencv, toml, json};
    ArcCalibrationSettings settings = plain();
    for (int i = 0; i < 3; i++) {
        int n_failed = 0;
        for (int room = 0;; room++) {
            int left = room;
            ArcCalibration *read = NULL;
            const char *path = calibration_write(texts[i]);
            arc_memory_set_hook(lets_pass, &left);
            ArcStatus status =
                arc_calibration_read(path, here, &settings, &read, &calibration_error);
            arc_memory_set_hook(NULL, NULL);
            arc_calibration_free(read);
            unlink(path);
            if (status == ARC_OK)
                break;
            assert_int_equal(status, ARC_MEMORY);
            assert_null(read);
            n_failed++;
        }
        assert_true(n_failed > 0);
    }
}

static void find_is(const ArcCalibration *calibration, const char *entry, int expected)
{
    int index = -1;
    if (arc_calibration_find(calibration, entry, here, &index, &calibration_error) != ARC_OK)
        fail_msg("%s", calibration_error.text);
    assert_int_equal(index, expected);
}

static void find_fails(const ArcCalibration *calibration, const char *entry, const char *part)
{
    int index = -1;
    assert_int_equal(arc_calibration_find(calibration, entry, here, &index, &calibration_error),
                     ARC_INPUT);
    if (strstr(calibration_error.text, part) == NULL ||
        strncmp(calibration_error.text, "e.yaml:5:7: error: ", 19) != 0)
        fail_msg("'%s' does not say '%s'", calibration_error.text, part);
    assert_int_equal(index, -1);
}

static void test_find_by_name_number_or_the_only_one(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = plain();
    ArcCalibration *read = calibration_of(toml, &settings);
    find_is(read, "left", 0);
    find_is(read, "cam_1", 1);
    find_is(read, "2", 1);
    find_fails(read, NULL, "has 2 cameras: left, cam_1; say which with `entry:`");
    find_fails(read, "3", "has no camera '3'; it has left, cam_1");
    find_fails(read, "right", "has no camera 'right'");
    arc_calibration_free(read);
    read = calibration_of(opencv, &settings);
    find_is(read, NULL, 0);
    find_is(read, "", 0);
    find_is(read, "1", 0);
    find_fails(read, "left", "has no camera 'left'; it has 1");
    arc_calibration_free(read);
    read = calibration_of(altered(json, "CAM2", "CAM1"), &settings);
    find_fails(read, "CAM1", "2 cameras of '");
    find_is(read, "2", 1);
    arc_calibration_free(read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_opencv_as_it_is_written),
        cmocka_unit_test(test_read_opencv_by_all_names_and_sizes),
        cmocka_unit_test(test_read_opencv_of_a_pair_has_two_cameras),
        cmocka_unit_test(test_read_opencv_damaged_is_refused),
        cmocka_unit_test(test_read_ros_each_model),
        cmocka_unit_test(test_read_ros_damaged_is_refused),
        cmocka_unit_test(test_read_toml_of_pose2sim_and_anipose),
        cmocka_unit_test(test_read_toml_damaged_is_refused),
        cmocka_unit_test(test_read_transposed_matrix_is_named),
        cmocka_unit_test(test_read_json_list_of_cameras),
        cmocka_unit_test(test_read_json_damaged_is_refused),
        cmocka_unit_test(test_read_homography_follows_its_definition),
        cmocka_unit_test(test_read_homography_damaged_is_refused),
        cmocka_unit_test(test_read_other_encodings_are_taken),
        cmocka_unit_test(test_read_other_files_are_refused),
        cmocka_unit_test(test_read_without_memory_fails_at_every_place),
        cmocka_unit_test(test_find_by_name_number_or_the_only_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
