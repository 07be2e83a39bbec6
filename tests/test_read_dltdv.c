/* Points of DLTdv and Argus, and the offsets of their cameras. */
#include "reader_case.h"
#include "shared_folder.h"

static const char v7[] = "pt1_cam1_X,pt1_cam1_Y,pt1_cam2_X,pt1_cam2_Y,pt2_cam1_X,pt2_cam1_Y,"
                         "pt2_cam2_X,pt2_cam2_Y\n"
                         "NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN\n"
                         "100.000000,20.500000,NaN,NaN,NaN,NaN,NaN,NaN\n"
                         "101.000000,21.500000,7.250000,480.000000,NaN,NaN,NaN,NaN\n";
static const char v8[] = "ball_cam1_U,ball_cam1_V,ball_cam2_U,ball_cam2_V\r\n"
                         "NaN,NaN,NaN,NaN\r\n"
                         "100.000000,460.500000,NaN,NaN\r\n"
                         "101.000000,459.500000,7.250000,1.000000\r\n";
static const char xyz[] = "pt1_X,pt1_Y,pt1_Z\nNaN,NaN,NaN\n0.500000,0.000000,-1.250000\n"
                          "0.600000,0.100000,-1.350000\n";
static const char sparse[] = "Sparse format camera coordinates file\n4\t4\t6\n"
                             "2\t1\t100.000000\n3\t1\t101.000000\n2\t2\t20.500000\n"
                             "3\t2\t21.500000\n3\t3\t7.250000\n3\t4\t480.000000\n";

static ArcCaptureSettings of_height(double height)
{
    ArcCaptureSettings settings = reader_settings();
    settings.image_px[1] = height;
    return settings;
}

static void assert_points(const ArcRecording *recording, const char *track)
{
    assert_string_equal(recording->track, track);
    assert_int_equal(recording->axes, 0);
    assert_int_equal(recording->n_samples, 3);
    const ArcSample *samples = recording->samples;
    assert_true(samples[0].frame == 1.0 && samples[1].frame == 2.0 && samples[2].frame == 2.0);
    assert_string_equal(recording->cameras[samples[0].camera], "cam1");
    assert_string_equal(recording->cameras[samples[2].camera], "cam2");
    assert_true(samples[0].pixel_px[0] == 99.0 && samples[0].pixel_px[1] == 459.5);
    assert_true(samples[1].pixel_px[0] == 100.0 && samples[1].pixel_px[1] == 458.5);
    assert_true(samples[2].pixel_px[0] == 6.25 && samples[2].pixel_px[1] == 0.0);
    assert_false(recording->has_times);
}

static void test_dltdv_read_both_origins_are_the_same_pixels(void **state)
{
    (void)state;
    ArcRecording *recording = reader_read_text(of_height(480), v7);
    assert_string_equal(recording->format, "dltdv");
    assert_points(recording, "pt1");
    reader_round_trip(recording);
    recording = reader_read_text(reader_settings(), v8);
    assert_points(recording, "ball");
    reader_round_trip(recording);
    ArcCaptureSettings from_top = reader_settings();
    from_top.rows_from = ARC_ROWS_FROM_TOP;
    recording = reader_read_text(from_top, v7);
    assert_true(recording->samples[0].pixel_px[1] == 19.5);
    arc_recording_free(recording);
}

static void test_dltdv_read_utf16_is_known_by_itself(void **state)
{
    (void)state;
    char wide[2 * sizeof v8] = "\xff\xfe";
    for (size_t i = 0; i + 1 < sizeof v8; i++) {
        wide[2 * i + 2] = v8[i];
        wide[2 * i + 3] = '\0';
    }
    ArcRecording *recording = reader_read(reader_settings(), wide, 2 * sizeof v8);
    assert_string_equal(recording->format, "dltdv");
    assert_points(recording, "ball");
    arc_recording_free(recording);
}

static void test_dltdv_read_world_points_keep_a_single_zero(void **state)
{
    (void)state;
    ArcRecording *recording = reader_read_text(reader_settings(), xyz);
    assert_int_equal(recording->axes, 3);
    assert_int_equal(recording->n_samples, 2);
    assert_true(recording->samples[0].frame == 1.0);
    assert_true(recording->samples[0].position_m[1] == 0.0);
    assert_true(recording->samples[1].position_m[2] == -1.35);
    assert_true(reader_noted(recording, "taken as metres"));
    reader_round_trip(recording);
    recording = reader_read_text(reader_settings(), "x_1,y_1,z_1,x_2,y_2,z_2\n"
                                                    "1,2,3,NaN,NaN,NaN\n1,0,3,NaN,NaN,NaN\n");
    assert_string_equal(recording->track, "1");
    assert_int_equal(recording->n_samples, 1);
    arc_recording_free(recording);
}

static void test_dltdv_read_argus_names_and_zeros(void **state)
{
    (void)state;
    ArcRecording *recording = reader_read_text(
        of_height(480), "ball_cam_1_x,ball_cam_1_y\n0.0,0.0\n100,20.5\n0.0,30\n101,21.5\n");
    assert_int_equal(recording->n_samples, 2);
    assert_true(recording->samples[1].frame == 3.0);
    assert_true(recording->samples[0].pixel_px[1] == 459.5);
    assert_string_equal(recording->cameras[0], "cam1");
    arc_recording_free(recording);
}

static void test_dltdv_read_other_separators_are_found(void **state)
{
    (void)state;
    ArcRecording *recording =
        reader_read_text(reader_settings(), "ball_cam1_U;ball_cam1_V\nNaN;NaN\n100,5;460,25\n");
    assert_int_equal(recording->n_samples, 1);
    assert_true(recording->samples[0].frame == 1.0);
    assert_true(recording->samples[0].pixel_px[0] == 99.5);
    arc_recording_free(recording);
}

static void test_dltdv_read_sparse_tables_say_the_same(void **state)
{
    (void)state;
    ArcCaptureSettings settings = of_height(480);
    settings.n_views = 2;
    settings.rows_from = ARC_ROWS_FROM_BOTTOM;
    ArcRecording *recording = reader_read_text(settings, sparse);
    assert_string_equal(recording->format, "dltdv-sparse");
    assert_points(recording, "pt1");
    reader_round_trip(recording);
    recording = reader_read_text(reader_settings(), "Sparse format 3D coordinates file\n9\t3\t3\n"
                                                    "5\t1\t0.5\n5\t2\t0.25\n5\t3\t2\n");
    assert_int_equal(recording->axes, 3);
    assert_true(recording->samples[0].frame == 4.0);
    assert_true(recording->samples[0].position_m[2] == 2.0);
    arc_recording_free(recording);
}

static char offsets_file[96], points_file[96];

/* The points beside a table of offsets; both are taken away again. */
static ArcRecording *read_beside(const char *offsets)
{
    ArcCaptureSettings settings = reader_settings();
    snprintf(points_file, sizeof points_file, "%s/a xypts.csv.cvs", reader_folder);
    snprintf(offsets_file, sizeof offsets_file, "%s/a offsets.csv.cvs", reader_folder);
    assert_int_equal(arc_file_replace(points_file, v8, strlen(v8), NULL), ARC_OK);
    assert_int_equal(arc_file_replace(offsets_file, offsets, strlen(offsets), NULL), ARC_OK);
    settings.file = points_file;
    ArcRecording *recording = reader_read_file(settings);
    unlink(points_file);
    unlink(offsets_file);
    return recording;
}

static void test_dltdv_read_offsets_count_by_their_part_of_a_frame(void **state)
{
    (void)state;
    ArcRecording *recording = read_beside("cam1_offset,cam2_offset\n0,3\n0,3\n0,3\n");
    assert_points(recording, "ball");
    assert_true(reader_noted(recording, "offsets of the cameras are in 'a offsets.csv.cvs'"));
    arc_recording_free(recording);
    /* Row 3 of camera 2 was clicked in its frame round(3 + 2.25) = 5, and 5 - 2.25 is 2.75. */
    recording = read_beside("cam1_offset,cam2_offset\n0,2.25\n0,2.25\n0.000000,2.250000\n");
    assert_true(recording->samples[1].frame == 2.0);
    assert_true(recording->samples[2].frame == 1.75);
    arc_recording_free(recording);
    recording = read_beside("Sparse format camera offsets file\n3\t2\t1\n3\t2\t-1.750000\n");
    assert_true(recording->samples[2].frame == 1.75);
    arc_recording_free(recording);
    recording = read_beside("Filename,seconds_offset,frames_offset,max_correlation\n"
                            "cam1.mp4,0.0,0.0,1.0\ncam2.mp4,-0.02,-2.4,0.8\n");
    reader_near(recording->samples[2].frame, 2.4, 1e-15);
    arc_recording_free(recording);
}

static void test_dltdv_read_offsets_that_are_none_are_refused(void **state)
{
    (void)state;
    ArcCaptureSettings settings = reader_settings();
    settings.offsets = "/tmp/arcfit-no-such-file";
    settings.place = (ArcPlace){"experiment.yaml", 3, 2};
    reader_refused_text(settings, v8, "experiment.yaml:3:2: error:");
    settings.offsets = reader_csv;
    assert_int_equal(arc_file_replace(reader_csv, "a,b\n1,2\n", 8, NULL), ARC_OK);
    reader_refused_text(settings, v8, "no offsets of cameras");
}

static void test_dltdv_read_damage_is_named(void **state)
{
    (void)state;
    ArcCaptureSettings any = reader_settings();
    reader_refused_text(any, v7, "give it, for example `image:");
    reader_refused_changed(any, v8, "100.000000,460.5", "100.000000,46O.5",
                           ":3:12: error: '46O.500000' is not a number");
    reader_refused_changed(any, v8, "100.000000,460.500000,NaN,NaN",
                           "100.000000;460.500000;NaN;NaN",
                           ":3:30: error: 1 cell where the header has 4");
    reader_refused_changed(any, v8, "101.000000,459.500000", "101.000000,\"459,500000\"",
                           ":4:12: error: '459,500000' has a decimal comma");
    reader_refused_changed(any, v8, "7.250000,1.000000\r\n", "7.2",
                           ":4:26: error: 3 cells where the header has 4");
    reader_refused_changed(any, v8, "ball_cam2_U,ball_cam2_V", "ball_cam2_V,ball_cam2_U",
                           ":1:25: error: column 'ball_cam2_V' does not begin a point");
    reader_refused_changed(any, v8, ",ball_cam2_V", "", "4 cells where the header has 3");
    reader_refused_text(any, "ball_cam1_U,ball_cam1_V,ball_cam2_U\n1,2,3\n",
                        ":1:25: error: column 'ball_cam2_U' does not begin a point");
    reader_refused_changed(any, v8, "100.000000,460", "inf,460", "inf");
    reader_refused_changed(any, v8, "101.000000", "101.0e20", "out of range");
    reader_refused_text(any, "ball_cam1_U,ball_cam1_V\nNaN,NaN\nNaN,NaN\n", "no point in this");
    reader_refused_text(any, "pt1_dltres\n0.5\n", "residuals, offsets and intervals");
}

static void test_dltdv_read_damaged_sparse_tables_are_named(void **state)
{
    (void)state;
    ArcCaptureSettings any = of_height(480), both = any;
    reader_refused_text(any, sparse, "give `views: N`");
    any.n_views = 2;
    reader_refused_text(any, sparse, "give `rows_from: bottom` or");
    both = any;
    both.rows_from = ARC_ROWS_FROM_TOP;
    reader_refused_changed(both, sparse, "3\t3\t7.250000\n", "", "6 entries are told and 5");
    reader_refused_changed(both, sparse, "3\t3\t7.25", "3\t5\t7.25",
                           ":7:1: error: row 3, column 5");
    reader_refused_changed(both, sparse, "3\t3\t7.25", "3\t1\t7.25", "is given twice");
    reader_refused_changed(both, sparse, "3\t3\t7.25", "3\t3\tx", "'x0000' is not a number");
    reader_refused_changed(both, sparse, "3\t3\t7.25", "3,3,7.25", "1 cell where the header has 3");
    reader_refused_changed(both, sparse, "3\t3\t7.25", "3\t3\t7,25", "decimal comma");
    reader_refused_changed(both, sparse, "3\t3\t7.25", "3.5\t3\t7.25", "no whole number");
    reader_refused_changed(both, sparse, "4\t4\t6", "4\t6\t6", "not two for each of 2 cameras");
    reader_refused_changed(both, sparse, "4\t4\t6", "4\t4000000\t6", "too many (over 30000)");
    reader_refused_changed(both, sparse, "camera coordinates", "residuals", "no points of DLTdv");
}

/* Row `index` (from 0) of a comma-separated file into values (n). */
static bool next_numbers(FILE *stream, char separator, int n, double *values)
{
    char line[400];
    if (fgets(line, sizeof line, stream) == NULL)
        return false;
    char *at = line;
    for (int k = 0; k < n; k++) {
        char *end = at;
        values[k] = strtod(at, &end);
        if (end == at)
            return next_numbers(stream, separator, n, values);
        at = *end == separator ? end + 1 : end;
    }
    return true;
}

/* truth.txt: t, x, y, z of each frame. */
static int read_truth(double truth[][4])
{
    char path[1024];
    FILE *stream = fopen(shared_path(path, "samples/truth.txt"), "r");
    int n = 0;
    assert_non_null(stream);
    while (n < 100 && next_numbers(stream, ' ', 4, truth[n]))
        n++;
    fclose(stream);
    return n;
}

static void test_dltdv_read_world_sample_is_the_truth(void **state)
{
    (void)state;
    char path[1024];
    double truth[100][4];
    ArcCaptureSettings settings = reader_settings();
    int n = read_truth(truth);
    shared_path(path, "samples/dltdv7_xyzpts.csv");
    settings.file = path;
    settings.rate_per_s = 120.0;
    ArcRecording *recording = reader_read_file(settings);
    assert_true(recording->n_samples > 50);
    for (int i = 0; i < recording->n_samples; i++) {
        int frame = (int)recording->samples[i].frame;
        assert_true(frame < n);
        reader_near(recording->samples[i].time_s, truth[frame][0], 1e-9);
        for (int k = 0; k < 3; k++)
            reader_near(recording->samples[i].position_m[k], truth[frame][1 + k], 0.5000001e-6);
    }
    reader_round_trip(recording);
}

/* The two versions' samples are the same pixels, and 0.3 px from the truth that the
 * coefficients project. */
static void test_dltdv_read_pixel_samples_are_the_truth(void **state)
{
    (void)state;
    char path[1024], other[1024], offsets[1024];
    double truth[100][4], coefficients[11][2], sum = 0.0;
    ArcCaptureSettings settings = of_height(720), second = reader_settings();
    read_truth(truth);
    FILE *stream = fopen(shared_path(path, "samples/dltv8_dltcoefs.csv"), "r");
    assert_non_null(stream);
    for (int i = 0; i < 11; i++)
        assert_true(next_numbers(stream, ',', 2, coefficients[i]));
    fclose(stream);
    shared_path(path, "samples/dltdv7_xypts.csv");
    shared_path(other, "samples/dltdv8_xypts.csv");
    settings.file = path;
    second.file = other;
    second.offsets = shared_path(offsets, "samples/argus_offsets.csv"); /* whole frames */
    ArcRecording *old = reader_read_file(settings), *new = reader_read_file(second);
    assert_true(reader_noted(old, "'dltdv7_offsets.csv'"));
    assert_true(reader_noted(new, "'argus_offsets.csv'"));
    assert_int_equal(old->n_samples, new->n_samples);
    for (int i = 0; i < old->n_samples; i++) {
        const ArcSample *a = &old->samples[i], *b = &new->samples[i];
        const double *x = truth[(int)a->frame] + 1, pixel[2] = {a->pixel_px[0], a->pixel_px[1]};
        double L[11];
        assert_true(a->frame == b->frame);
        for (int k = 0; k < 11; k++)
            L[k] = coefficients[k][a->camera];
        double w = L[8] * x[0] + L[9] * x[1] + L[10] * x[2] + 1.0;
        for (int k = 0; k < 2; k++) {
            const double *row = L + 4 * k;
            double seen = (row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3]) / w - 1.0;
            reader_near(pixel[k], b->pixel_px[k], 1e-9);
            sum += (pixel[k] - seen) * (pixel[k] - seen);
        }
    }
    double rms = sqrt(sum / (2.0 * old->n_samples));
    assert_true(rms > 0.28 && rms < 0.34);
    reader_round_trip(old);
    reader_round_trip(new);
}

static void test_dltdv_read_without_memory_says_so(void **state)
{
    (void)state;
    ArcCaptureSettings settings = of_height(480);
    settings.n_views = 2;
    settings.rows_from = ARC_ROWS_FROM_BOTTOM;
    arc_recording_free(reader_read_text(settings, v7));
    reader_exhaust(settings);
    arc_recording_free(reader_read_text(settings, sparse));
    reader_exhaust(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dltdv_read_both_origins_are_the_same_pixels),
        cmocka_unit_test(test_dltdv_read_utf16_is_known_by_itself),
        cmocka_unit_test(test_dltdv_read_world_points_keep_a_single_zero),
        cmocka_unit_test(test_dltdv_read_argus_names_and_zeros),
        cmocka_unit_test(test_dltdv_read_other_separators_are_found),
        cmocka_unit_test(test_dltdv_read_sparse_tables_say_the_same),
        cmocka_unit_test(test_dltdv_read_offsets_count_by_their_part_of_a_frame),
        cmocka_unit_test(test_dltdv_read_offsets_that_are_none_are_refused),
        cmocka_unit_test(test_dltdv_read_damage_is_named),
        cmocka_unit_test(test_dltdv_read_damaged_sparse_tables_are_named),
        cmocka_unit_test(test_dltdv_read_world_sample_is_the_truth),
        cmocka_unit_test(test_dltdv_read_pixel_samples_are_the_truth),
        cmocka_unit_test(test_dltdv_read_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
