/* Captures of cameras: pixels from one file or several, by name and in one order; what is refused.
 */
#include "arcfit/capture.h"
#include "arcfit/text.h"
#include "base/file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { FILES = 3 };
static char paths[FILES][64];

static int setup(void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++) {
        strcpy(paths[i], "/tmp/arcfit-cameras-XXXXXX");
        int fd = mkstemp(paths[i]);
        if (fd < 0 || close(fd) != 0)
            return -1;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++)
        unlink(paths[i]);
    return 0;
}

static void write_file(int i, const char *text)
{
    assert_int_equal(arc_file_replace(paths[i], text, strlen(text), NULL), ARC_OK);
}

/* A camera 6 m beside x, level. */
static ArcCameraSettings beside(const char *name)
{
    ArcCameraSettings camera = arc_camera_settings_default();
    camera.name = name;
    camera.place = (ArcPlace){"e.yaml", 7, 3};
    camera.focal_px[0] = camera.focal_px[1] = 1000.0;
    camera.centre_px[0] = 960.0;
    camera.centre_px[1] = 540.0;
    camera.rotation_rad[0] = 0.5 * M_PI;
    camera.rotation_rad[1] = camera.rotation_rad[2] = 0.0;
    camera.translation_m[0] = -2.5;
    camera.translation_m[1] = 2.0;
    camera.translation_m[2] = 6.0;
    return camera;
}

static ArcCaptureSettings seen_by(int n)
{
    ArcCaptureSettings settings = arc_capture_settings_default();
    settings.file = paths[0];
    settings.place = (ArcPlace){"e.yaml", 2, 10};
    settings.dimensions = 3;
    settings.sigma_px = 0.5;
    settings.n_cameras = n;
    if (n > 0)
        settings.cameras[0] = beside("left");
    if (n > 1)
        settings.cameras[1] = beside("right");
    return settings;
}

static ArcCapture *read_capture(ArcCaptureSettings settings)
{
    ArcCapture *capture = NULL;
    ArcError err = {ARC_OK, ""};
    if (arc_capture_read(&settings, &capture, &err) != ARC_OK)
        fail_msg("%s", err.text);
    return capture;
}

static void assert_refused(ArcCaptureSettings settings, const char *what)
{
    ArcCapture *capture = NULL;
    ArcError err = {ARC_OK, ""};
    assert_int_equal(arc_capture_read(&settings, &capture, &err), ARC_INPUT);
    assert_null(capture);
    if (strstr(err.text, what) == NULL)
        fail_msg("'%s' does not say '%s'", err.text, what);
}

static const char two_cameras[] = "time_s,camera,u_px,v_px\n"
                                  "0,right,10,20\n"
                                  "0.1,right,11,21\n"
                                  "0,left,30,40\n"
                                  "0.05,left,31,41\n";

static void test_read_two_cameras_stand_in_one_order(void **state)
{
    (void)state;
    write_file(0, two_cameras);
    ArcCapture *capture = read_capture(seen_by(2));
    assert_int_equal(capture->n_points, 4);
    assert_int_equal(capture->n_cameras, 2);
    assert_string_equal(capture->cameras[1].name, "right");
    assert_string_equal(capture->camera_files[0], paths[0]);
    static const int camera[] = {1, 0, 0, 1}, line[] = {2, 4, 5, 3};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(capture->camera[i], camera[i]);
        assert_int_equal(capture->line[i], line[i]);
        assert_true(isnan(capture->position_m[3 * i]));
        assert_true(capture->sigma_px[i] == 0.5);
        assert_true(isnan(capture->radius_px[i]));
        assert_int_equal(capture->use[i], ARC_POINT_FIT);
    }
    assert_true(capture->pixel_px[2] == 30.0 && capture->pixel_px[3] == 40.0);
    arc_capture_free(capture);
}

/* A file a camera, each with the sigma of its own; points of equal times keep the cameras' order.
 */
static void test_read_file_for_each_camera(void **state)
{
    (void)state;
    write_file(1, "time_s,u_px,v_px,radius_px\n0,10,20,5\n0.1,11,21,\n");
    write_file(2, "time_s,u_px,v_px,sigma_px\n0,30,40,0.2\n0.1,31,41,\n");
    ArcCaptureSettings settings = seen_by(2);
    settings.file = NULL;
    settings.cameras[0].file = paths[1];
    settings.cameras[1].file = paths[2];
    settings.cameras[1].sigma_px = 0.7;
    ArcCapture *capture = read_capture(settings);
    assert_int_equal(capture->n_points, 4);
    static const int camera[] = {0, 1, 0, 1};
    static const double sigma[] = {0.5, 0.2, 0.5, 0.7};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(capture->camera[i], camera[i]);
        assert_true(capture->sigma_px[i] == sigma[i]);
    }
    assert_true(capture->radius_px[0] == 5.0 && capture->sigma_radius_px[0] == 0.5);
    assert_true(isnan(capture->radius_px[2]));
    assert_string_equal(capture->camera_files[1], paths[2]);
    arc_capture_free(capture);
}

/* One camera needs no name in the file, and one that is not known no description. */
static void test_read_one_camera_without_its_name(void **state)
{
    (void)state;
    write_file(0, "time_s,u_px,v_px\n0,10,20\n0.1,11,21\n");
    ArcCapture *capture = read_capture(seen_by(1));
    assert_int_equal(capture->camera[1], 0);
    arc_capture_free(capture);
    ArcCaptureSettings settings = seen_by(0);
    settings.dimensions = 2;
    settings.position_is_px = true;
    write_file(0, "t,x,y\n0,10,20\n0.1,11,21\n");
    capture = read_capture(settings);
    assert_int_equal(capture->n_cameras, 1);
    assert_int_equal(capture->cameras[0].kind, ARC_CAMERA_SCALE);
    assert_true(capture->cameras[0].metres_per_px == 1.0);
    assert_true(capture->pixel_px[2] == 11.0 && capture->pixel_px[3] == 21.0);
    arc_capture_free(capture);
}

/* Window, every and hold_out count each camera's points by themselves. */
static void test_read_counts_each_camera(void **state)
{
    (void)state;
    write_file(0, "time_s,camera,u_px,v_px\n"
                  "0,left,1,1\n0,right,1,1\n0.1,left,1,1\n0.1,right,1,1\n"
                  "0.2,left,1,1\n0.2,right,1,1\n0.3,left,1,1\n0.3,right,1,1\n");
    ArcCaptureSettings settings = seen_by(2);
    settings.every = 2;
    settings.hold_out = ARC_HOLD_OUT_EVERY;
    settings.hold_out_every = 2;
    ArcCapture *capture = read_capture(settings);
    static const ArcPointUse use[] = {ARC_POINT_FIT,    ARC_POINT_FIT,      ARC_POINT_UNUSED,
                                      ARC_POINT_UNUSED, ARC_POINT_HELD_OUT, ARC_POINT_HELD_OUT,
                                      ARC_POINT_UNUSED, ARC_POINT_UNUSED};
    for (int i = 0; i < 8; i++)
        assert_int_equal(capture->use[i], use[i]);
    arc_capture_free(capture);
}

static void test_write_reads_back_the_same(void **state)
{
    (void)state;
    ArcError err;
    write_file(0, two_cameras);
    ArcCapture *capture = read_capture(seen_by(2));
    assert_int_equal(arc_capture_write(capture, "twice", paths[1], &err), ARC_OK);
    ArcCaptureSettings settings = seen_by(2);
    settings.file = paths[1];
    ArcCapture *again = read_capture(settings);
    assert_int_equal(again->n_points, capture->n_points);
    for (int i = 0; i < capture->n_points; i++) {
        assert_true(again->time_s[i] == capture->time_s[i]);
        assert_int_equal(again->camera[i], capture->camera[i]);
        assert_memory_equal(again->pixel_px + 2 * i, capture->pixel_px + 2 * i, 2 * sizeof(double));
        assert_true(again->sigma_px[i] == capture->sigma_px[i]);
    }
    arc_capture_free(again);
    arc_capture_free(capture);
}

static void test_read_broken_captures_are_refused(void **state)
{
    (void)state;
    ArcCaptureSettings settings = seen_by(2);
    write_file(0, "time_s,camera,u_px,v_px\n0,left,1,1\n0,top,1,1\n");
    assert_refused(settings, ":3:1: error: the camera 'top' is not among capture.cameras");
    write_file(0, "time_s,u_px,v_px\n0,1,1\n0.1,1,1\n");
    assert_refused(settings, ":2:1: error: which of 2 cameras saw this?");
    assert_refused(seen_by(0), "1:1: error: pixels and no positions; they need a camera");
    write_file(0, "time_s,camera,u_px,v_px\n0,left,1,1\n0.1,right,1,1\n0,left,1,1\n");
    assert_refused(settings, ":4:1: error: line 4 has the same time as line 2");
    write_file(0, two_cameras);
    settings.sigma_px = NAN;
    settings.sigma_m = 0.003;
    assert_refused(settings, "e.yaml:2:10: error: no standard deviation in pixels for line 2");
    settings = seen_by(2);
    settings.window_auto = true;
    assert_refused(settings, "window: auto finds no free flight");
    settings = seen_by(2);
    write_file(0, "time_s,x_m,y_m,z_m\n0,1,1,1\n0.1,1,1,1\n");
    assert_refused(settings, "has positions and no pixels, but the capture has cameras");
}

/* Files that only the cameras name stand in the messages, too. */
static void test_read_broken_files_of_cameras_are_named(void **state)
{
    (void)state;
    char wanted[128];
    ArcCaptureSettings settings = seen_by(1);
    settings.file = NULL;
    settings.cameras[0].file = paths[1];
    write_file(1, "time_s,u_px,v_px\n0,10,20\n");
    snprintf(wanted, sizeof wanted, "%s:2:1: error: 1 point in this file", paths[1]);
    assert_refused(settings, wanted);
    settings.one_flight = true;
    settings.flight_number = 3;
    write_file(1, "time_s,u_px,v_px\n0,10,20\n0.1,11,21\n");
    snprintf(wanted, sizeof wanted, "flight 3 is chosen, but '%s' has no column", paths[1]);
    assert_refused(settings, wanted);
}

static void test_cameras_half_described_are_refused(void **state)
{
    (void)state;
    write_file(0, two_cameras);
    ArcCaptureSettings settings = seen_by(2);
    settings.cameras[0].centre_px[0] = NAN;
    assert_refused(settings, "e.yaml:7:3: error: camera 'left' has a focal length and no centre");
    settings = seen_by(2);
    settings.cameras[1].translation_m[0] = NAN;
    assert_refused(settings, "e.yaml:7:3: error: camera 'right' stands nowhere");
    settings = seen_by(2);
    settings.cameras[0].stick.length_m = 1.0;
    assert_refused(settings, "e.yaml:7:3: error: camera 'left' is described twice");
    settings = seen_by(2);
    settings.cameras[0].entry = "cam1";
    assert_refused(settings, "camera 'left' has an entry, but no calibration that it is in");
    settings = seen_by(2);
    settings.cameras[0].focal_px[0] = settings.cameras[0].centre_px[0] = NAN;
    assert_refused(settings, "camera 'left' sees a plane, so that it has no pose");
    settings = seen_by(2);
    settings.cameras[0].n_lens = 3;
    assert_refused(settings, "e.yaml:7:3: error: camera 'left': ");
    settings = seen_by(2);
    settings.cameras[0].focal_px[0] = settings.cameras[0].centre_px[0] = NAN;
    settings.cameras[0].calibration = "/nowhere/calib.toml";
    assert_refused(settings, "cannot open '/nowhere/calib.toml'");
}

/* A calibration file gives the lens, the experiment where the camera stands. */
static void test_cameras_calibration_without_a_pose_takes_the_settings(void **state)
{
    (void)state;
    write_file(0, two_cameras);
    write_file(1, "[cam_0]\nname = \"a\"\nsize = [1920, 1080]\n"
                  "matrix = [[1200.0, 0.0, 960.0], [0.0, 1210.0, 540.0], [0.0, 0.0, 1.0]]\n"
                  "distortions = [-0.2, 0.05, 0.0, 0.0, 0.0]\n");
    ArcCaptureSettings settings = seen_by(2);
    settings.cameras[0].calibration = paths[1];
    settings.cameras[0].entry = "a";
    settings.cameras[0].focal_px[0] = settings.cameras[0].centre_px[0] = NAN;
    ArcCapture *capture = read_capture(settings);
    assert_true(capture->cameras[0].focal_px[1] == 1210.0);
    assert_true(capture->cameras[0].lens[0] == -0.2);
    assert_true(capture->cameras[0].translation_m[2] == 6.0);
    arc_capture_free(capture);
    settings.cameras[0].translation_m[0] = NAN;
    assert_refused(settings, "does not tell where camera 'left' stands");
}

/* In memory as from a file. */
static void test_create_bad_pixels_are_refused(void **state)
{
    (void)state;
    ArcError err;
    ArcCapture *capture = NULL;
    write_file(0, two_cameras);
    ArcCapture *given = read_capture(seen_by(2));
    double time_s[] = {0, 0, 0.05, 0.1}, pixel[8], sigma[4] = {0.5, 0.5, 0.5, 0.5};
    int camera[4];
    memcpy(camera, given->camera, sizeof camera);
    memcpy(pixel, given->pixel_px, sizeof pixel);
    ArcCapture copy = *given;
    copy.time_s = time_s;
    copy.pixel_px = pixel;
    copy.sigma_px = sigma;
    copy.camera = camera;
    copy.radius_px = NULL;
    assert_int_equal(arc_capture_create(&copy, &capture, &err), ARC_OK);
    assert_true(isnan(capture->radius_px[0]));
    arc_capture_free(capture);
    sigma[2] = 0.0;
    assert_int_equal(arc_capture_create(&copy, &capture, &err), ARC_INPUT);
    sigma[2] = 0.5;
    camera[3] = 2;
    assert_int_equal(arc_capture_create(&copy, &capture, &err), ARC_INPUT);
    camera[3] = 1;
    time_s[2] = 0.0; /* the same camera's second point at one time */
    assert_int_equal(arc_capture_create(&copy, &capture, &err), ARC_INPUT);
    assert_null(capture);
    arc_capture_free(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_two_cameras_stand_in_one_order),
        cmocka_unit_test(test_read_file_for_each_camera),
        cmocka_unit_test(test_read_one_camera_without_its_name),
        cmocka_unit_test(test_read_counts_each_camera),
        cmocka_unit_test(test_write_reads_back_the_same),
        cmocka_unit_test(test_read_broken_captures_are_refused),
        cmocka_unit_test(test_read_broken_files_of_cameras_are_named),
        cmocka_unit_test(test_cameras_half_described_are_refused),
        cmocka_unit_test(test_cameras_calibration_without_a_pose_takes_the_settings),
        cmocka_unit_test(test_create_bad_pixels_are_refused),
    };
    return cmocka_run_group_tests_name("capture_cameras", tests, setup, teardown);
}
