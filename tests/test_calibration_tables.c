/* Calibration files that are tables, each kind read and damaged; and all samples against one
 * another and against the pixels that were made with them. */
#include "arcfit/calibration.h"

#include "base/number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "calibration_case.h"
#include "shared_folder.h"
#include "sweep.h"

static ArcCalibrationSettings dlt(ArcRowsFrom origin, int height_px)
{
    ArcCalibrationSettings settings = plain();
    settings.dlt_rows_from = origin;
    settings.width_px = height_px == 0 ? 0 : 1280;
    settings.height_px = height_px;
    return settings;
}

/* What a sample of the shared folder holds. */
static ArcCalibration *sample(const char *name, const ArcCalibrationSettings *settings)
{
    char path[1024], relative[256];
    ArcCalibration *calibration = NULL;
    snprintf(relative, sizeof relative, "samples/%s", name);
    if (arc_calibration_read(shared_path(path, relative), here, settings, &calibration,
                             &calibration_error) != ARC_OK)
        fail_msg("%s", calibration_error.text);
    return calibration;
}

enum { MOST_ROWS = 200 };

/* Rows of numbers of a sample below its titles and comments; NaN where it says so. */
static int sample_rows(const char *name, int columns, double *values)
{
    char path[1024], relative[256], line[512];
    snprintf(relative, sizeof relative, "samples/%s", name);
    FILE *file = fopen(shared_path(path, relative), "r");
    int n = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL && n < MOST_ROWS) {
        const char *at = line;
        bool is_row = true;
        for (int i = 0; i < columns && is_row; i++) {
            at += strspn(at, " ,");
            size_t length = strcspn(at, " ,\r\n");
            double *value = &values[n * columns + i];
            is_row = arc_number_read(at, length, value);
            if (!is_row && strncmp(at, "NaN", 3) == 0) {
                *value = NAN;
                is_row = true;
            }
            at += length;
        }
        n += is_row;
    }
    fclose(file);
    return n;
}

/* The samples' cameras: a pinhole rig in TOML, the same as DLT coefficients of two conventions. */
static void read_samples(ArcCalibration *read[3])
{
    ArcCalibrationSettings settings[3] = {plain(), dlt(ARC_ROWS_FROM_BOTTOM, 720),
                                          dlt(ARC_ROWS_FROM_TOP, 0)};
    read[0] = sample("pose2sim_calib.toml", &settings[0]);
    read[1] = sample("dltv7_dltcoefs.csv", &settings[1]);
    read[2] = sample("dltv8_dltcoefs.csv", &settings[2]);
    for (int i = 0; i < 3; i++)
        assert_int_equal(read[i]->n_cameras, 2);
    assert_string_equal(read[0]->cameras[1].name, "cam02");
    assert_string_equal(read[2]->cameras[1].name, "cam2");
}

static void test_samples_project_the_truth_alike(void **state)
{
    (void)state;
    static double truth[MOST_ROWS * 4];
    ArcCalibration *read[3];
    read_samples(read);
    int n = sample_rows("truth.txt", 4, truth);
    assert_true(n > 30);
    for (int camera = 0; camera < 2; camera++)
        for (int i = 0; i < n; i++) {
            ArcProjection to[3];
            for (int k = 0; k < 3; k++)
                assert_true(arc_camera_project(&read[k]->cameras[camera], NULL, truth + 4 * i + 1,
                                               0, &to[k]));
            for (int e = 0; e < 2; e++) {
                assert_near(to[1].pixel_px[e], to[0].pixel_px[e], 1e-3);
                assert_near(to[2].pixel_px[e], to[0].pixel_px[e], 1e-3);
            }
        }
    for (int k = 0; k < 3; k++)
        arc_calibration_free(read[k]);
}

/* The pixels carry noise of 0.3 px, and some are missing. */
static void test_samples_project_the_truth_to_the_measured_pixels(void **state)
{
    (void)state;
    static double truth[MOST_ROWS * 4], v8[MOST_ROWS * 4], v7[MOST_ROWS * 4];
    ArcCalibration *read[3];
    read_samples(read);
    int n = sample_rows("truth.txt", 4, truth), n_pixels = sample_rows("dltdv8_xypts.csv", 4, v8);
    assert_int_equal(n_pixels, n);
    assert_int_equal(sample_rows("dltdv7_xypts.csv", 4, v7), n);
    double squares = 0, sums[4] = {0};
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int camera = 0; camera < 2; camera++) {
            ArcProjection to;
            const double *seen = v8 + 4 * i + 2 * camera;
            const double *flipped = v7 + 4 * i + 2 * camera;
            assert_true(
                arc_camera_project(&read[0]->cameras[camera], NULL, truth + 4 * i + 1, 0, &to));
            if (isnan(seen[0]))
                continue;
            for (int e = 0; e < 2; e++) {
                double off = seen[e] - 1 - to.pixel_px[e]; /* the first pixel is theirs 1 */
                squares += off * off;
                sums[2 * camera + e] += off;
                count++;
            }
            assert_near(flipped[1], 721 - seen[1], 1e-5);
        }
    assert_true(count > 100);
    double rms = sqrt(squares / count);
    assert_true(rms > 0.2 && rms < 0.4);
    for (int e = 0; e < 4; e++) /* and no offset of a whole or half pixel is left */
        assert_near(sums[e] / (count / 4), 0, 4 * rms / sqrt(count / 4));
    for (int k = 0; k < 3; k++)
        arc_calibration_free(read[k]);
}

/* Both cameras' pixels give the truth back, as well as their covariance says. */
static void test_samples_triangulate_to_the_truth(void **state)
{
    (void)state;
    static double truth[MOST_ROWS * 4], v8[MOST_ROWS * 4];
    const double sigma[2] = {0.3, 0.3};
    ArcCalibration *read[3];
    read_samples(read);
    int n = sample_rows("truth.txt", 4, truth), count = 0;
    double off2 = 0;
    assert_int_equal(sample_rows("dltdv8_xypts.csv", 4, v8), n);
    for (int i = 0; i < n; i++) {
        const ArcCamera *cameras[2] = {&read[2]->cameras[0], &read[2]->cameras[1]};
        double pixels[4], x[3], covariance[9];
        for (int k = 0; k < 4; k++)
            pixels[k] = v8[4 * i + k] - 1;
        if (isnan(pixels[0]) || isnan(pixels[2]))
            continue;
        if (arc_camera_triangulate(2, cameras, pixels, sigma, x, covariance, &calibration_error) !=
            ARC_OK)
            fail_msg("%s", calibration_error.text);
        for (int k = 0; k < 3; k++) {
            double off = x[k] - truth[4 * i + 1 + k];
            assert_near(off, 0, 5 * sqrt(covariance[4 * k]));
            off2 += off * off / covariance[4 * k];
            count++;
        }
    }
    assert_true(count > 100);
    assert_near(off2 / count, 1, 0.4);
    for (int k = 0; k < 3; k++)
        arc_calibration_free(read[k]);
}

static void test_samples_of_one_camera_agree_with_the_rig(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = plain();
    ArcCalibration *rig = sample("pose2sim_calib.toml", &settings);
    static const char *const names[] = {"opencv_cam1.yml", "ros_cam1.yaml"};
    for (int i = 0; i < 2; i++) {
        ArcCalibration *read = sample(names[i], &settings);
        assert_int_equal(read->n_cameras, 1);
        assert_false(read->has_pose[0]);
        assert_int_equal(read->cameras[0].n_lens, 5);
        assert_int_equal(read->cameras[0].width_px, 1280);
        for (int e = 0; e < 2; e++) {
            assert_near(read->cameras[0].focal_px[e], rig->cameras[0].focal_px[e], 0);
            assert_near(read->cameras[0].centre_px[e], rig->cameras[0].centre_px[e], 0);
        }
        arc_calibration_free(read);
    }
    arc_calibration_free(rig);
}

static void test_read_real_rig_of_three_cameras(void **state)
{
    (void)state;
    char path[1024];
    ArcCalibrationSettings settings = plain();
    ArcCalibration *read = NULL;
    if (arc_calibration_read(shared_path(path, "data/table-tennis-3cam/cameras.json"), here,
                             &settings, &read, &calibration_error) != ARC_OK)
        fail_msg("%s", calibration_error.text);
    assert_int_equal(read->n_cameras, 3);
    assert_string_equal(read->cameras[2].name, "CAM3");
    assert_true(read->has_pose[2]);
    arc_calibration_free(read);
}

static const char space[] = "182.050981413,232.978544159\n82.6451612903,-0.116646122844\n"
                            "10.3306451613,6.28557409225\n276.398037174,216.448086069\n"
                            "0,28.3539123099\n69.0967741935,62.0241831778\n"
                            "-174.830645161,-207.952965392\n902.435483871,982.405608036\n"
                            "0,0.062806673209\n0.129032258065,0.137389597645\n"
                            "0.0161290322581,0.00981354268891\n";

static void test_read_dlt_of_a_plane_follows_its_definition(void **state)
{
    (void)state;
    static const double L[8] = {210, 12, 320, -8, 190, 110, 0.02, -0.015};
    static const char text[] = "210\n12\n320\n-8\n190\n110\n0.02\n-0.015\n";
    const double x[2] = {1.5, 0.75};
    for (int i = 0; i < 2; i++) {
        ArcCalibrationSettings settings =
            dlt(i == 0 ? ARC_ROWS_FROM_TOP : ARC_ROWS_FROM_BOTTOM, 720);
        ArcCalibration *read = calibration_of(text, &settings);
        ArcProjection to;
        double w = L[6] * x[0] + L[7] * x[1] + 1, u = (L[0] * x[0] + L[1] * x[1] + L[2]) / w;
        double v = (L[3] * x[0] + L[4] * x[1] + L[5]) / w;
        assert_int_equal(arc_camera_dimensions(&read->cameras[0]), 2);
        assert_true(arc_camera_project(&read->cameras[0], NULL, x, 0, &to));
        assert_near(to.pixel_px[0], u - 1, 1e-10);
        assert_near(to.pixel_px[1], i == 0 ? v - 1 : 720 - v, 1e-10);
        arc_calibration_free(read);
    }
}

static void test_read_dlt_of_a_mirrored_world_is_noted(void **state)
{
    (void)state;
    ArcCalibrationSettings right = dlt(ARC_ROWS_FROM_TOP, 720);
    ArcCalibrationSettings wrong = dlt(ARC_ROWS_FROM_BOTTOM, 720);
    ArcCalibration *read = calibration_of(space, &right);
    assert_int_equal(read->n_notes, 1);
    assert_non_null(strstr(read->notes[0], "taken to be in metres"));
    arc_calibration_free(read);
    read = calibration_of(space, &wrong);
    assert_int_equal(read->n_notes, 2);
    assert_non_null(strstr(read->notes[1], "is mirrored, or they count pixels from the other"));
    arc_calibration_free(read);
}

/* Three cameras at x = 0, 1, 2 that look along y, the last one with the origin behind it. */
static void test_read_dlt_with_the_origin_behind_a_camera(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = dlt(ARC_ROWS_FROM_TOP, 0);
    static const double depth[3] = {4, 5, -2}; /* of the origin */
    char text[2000];
    size_t used = 0;
    for (int row = 0; row < 11; row++)
        for (int i = 0; i < 3; i++) {
            /* u = 1000 (x - i) / w + 501, v = -1000 z / w + 401, w = y + depth */
            const double L[11] = {
                1000, 501, 0, 501 * depth[i] - 1000 * i, 0, 401, -1000, 401 * depth[i], 0, 1, 0};
            used += (size_t)snprintf(text + used, sizeof text - used, "%.17g%s", L[row] / depth[i],
                                     i < 2 ? "," : "\n");
        }
    ArcCalibration *read = calibration_of(text, &settings);
    const double x[3] = {0.5, 3, 0.25};
    assert_int_equal(read->n_cameras, 3);
    for (int i = 0; i < 3; i++) {
        ArcProjection to;
        double w = x[1] + depth[i];
        assert_true(arc_camera_project(&read->cameras[i], NULL, x, 0, &to));
        assert_near(to.pixel_px[0], 1000 * (x[0] - i) / w + 500, 1e-9);
        assert_near(to.pixel_px[1], -1000 * x[2] / w + 400, 1e-9);
    }
    assert_int_equal(read->n_notes, 2);
    assert_non_null(strstr(read->notes[0], "origin is taken to lie behind cam3"));
    arc_calibration_free(read);
}

static void test_read_dlt_damaged_is_refused(void **state)
{
    (void)state;
    ArcCalibrationSettings s = dlt(ARC_ROWS_FROM_TOP, 0), none = plain();
    ArcCalibrationSettings flat = dlt(ARC_ROWS_FROM_BOTTOM, 0);
    assert_calibration_refused(space, &none, "e.yaml:5:7: error: '");
    assert_non_null(strstr(calibration_error.text, "`dlt_rows_from: top` (DLTdv 8) or"));
    assert_calibration_refused(space, &flat,
                               "e.yaml:5:7: error: DLT coefficients that count rows from the "
                               "bottom need the picture's height");
    assert_calibration_refused(altered(space, "276.398037174,216.448086069\n", ""), &s,
                               ":1:1: error: no calibration: a table of 10 rows and 2 columns");
    assert_calibration_refused(altered(space, "6.28557409225", "NaN"), &s,
                               ":3:15: error: a coefficient is missing");
    assert_calibration_refused(altered(space, "6.28557409225", "six"), &s, ":3:15: error: 'six'");
    assert_calibration_refused(altered(space, "82.6451612903,", ""), &s, ":2:");
    assert_calibration_refused("1,2,3,4,5,6,7,8,9,10,11\n2,3,4,5,6,7,8,9,10,11,12\n", &s,
                               ":1:1: error: no calibration: a table of 2 rows and 11 columns; DLT "
                               "coefficients have 11 rows, or 8 of a plane, and a column for each "
                               "camera; this one looks transposed");
    assert_calibration_refused("1\n2\n3\n4\n5\n6\n7\n8\n0\n0\n0\n", &s,
                               ":1:1: error: camera 'cam1': the DLT coefficients are singular");
    assert_calibration_refused("1\n2\n3\n2\n4\n6\n0\n0\n", &s,
                               ":1:1: error: camera 'cam1': the homography is singular");
}

static const char modes[] =
    "Mode,focal_length,image_width,image_height,cx,cy,aspect_ratio,k1,k2,t1,t2,k3,End\r\n"
    "1080p-120fps-wide,900,1920,1080,959.5,539.5,1.01,-0.25,0.06,0.001,0,0.002,0\r\n"
    "omni,900,1920,1080,959.5,539.5,1,0,0,0,0,0,0,1,2,3,4\r\n";

static void test_read_argus_lenses(void **state)
{
    (void)state;
    ArcCalibrationSettings settings = plain();
    ArcCalibration *read = calibration_of(modes, &settings);
    assert_string_equal(read->format, "argus");
    assert_int_equal(read->n_cameras, 1);
    assert_string_equal(read->cameras[0].name, "1080p-120fps-wide");
    assert_near(read->cameras[0].focal_px[1], 909, 1e-12);
    assert_near(read->cameras[0].lens[2], 0.001, 0);
    assert_near(read->cameras[0].lens[4], 0.002, 0);
    assert_int_equal(read->cameras[0].height_px, 1080);
    assert_non_null(strstr(read->notes[0], "'omni' has an omnidirectional lens"));
    arc_calibration_free(read);
    read = calibration_of("1 900 1920 1080 959.5 539.5 1 -0.25 0.06 0 0 0.01\n"
                          "2 901 1920 1080 959.5 539.5 1 -0.25 0.06 0 0 0.01\n",
                          &settings);
    assert_int_equal(read->n_cameras, 2);
    assert_near(read->cameras[1].focal_px[0], 901, 0);
    assert_near(read->cameras[1].lens[4], 0.01, 0);
    arc_calibration_free(read);
    read =
        calibration_of("900 959.5 539.5 1 0 -0.25 0.06 0 0 0.01 1 0 0 0 0.1 0.2 0.3\n", &settings);
    assert_near(read->cameras[0].centre_px[0], 959.5, 0);
    assert_near(read->cameras[0].lens[1], 0.06, 0);
    assert_false(read->has_pose[0]);
    assert_non_null(strstr(read->notes[0], "poses of the camera profile are left out"));
    arc_calibration_free(read);
}

static void test_read_argus_damaged_is_refused(void **state)
{
    (void)state;
    ArcCalibrationSettings s = plain();
    assert_calibration_refused(altered(modes, "959.5", "centre"), &s,
                               ":2:33: error: 'centre' is not a number");
    assert_calibration_refused(altered(modes, ",0.002,0", ""), &s,
                               ":2:1: error: a mode of 11 values");
    assert_calibration_refused(altered(modes, "900", "0"), &s,
                               ":2:1: error: camera '1080p-120fps-wide': a camera's focal length");
    assert_calibration_refused(altered(modes, "1920", "-1920"), &s,
                               ":2:1: error: an image of -1920");
    assert_calibration_refused("Mode,focal_length\n", &s, ":1:1: error: no lens");
    assert_calibration_refused("1 900 1920 1080 959.5 539.5 1 -0.25 0.06 0 0\n", &s,
                               ":1:1: error: no calibration: a table of 1 rows and 11 columns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_project_the_truth_alike),
        cmocka_unit_test(test_samples_project_the_truth_to_the_measured_pixels),
        cmocka_unit_test(test_samples_triangulate_to_the_truth),
        cmocka_unit_test(test_samples_of_one_camera_agree_with_the_rig),
        cmocka_unit_test(test_read_real_rig_of_three_cameras),
        cmocka_unit_test(test_read_dlt_of_a_plane_follows_its_definition),
        cmocka_unit_test(test_read_dlt_of_a_mirrored_world_is_noted),
        cmocka_unit_test(test_read_dlt_with_the_origin_behind_a_camera),
        cmocka_unit_test(test_read_dlt_damaged_is_refused),
        cmocka_unit_test(test_read_argus_lenses),
        cmocka_unit_test(test_read_argus_damaged_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
