/* Kinovea's JSON export. */
#include "reader_case.h"
#include "shared_folder.h"

static const char sound[] =
    "{\"metadata\": {\"producer\": \"Kinovea.2025.1.1\", \"imageSize\": {\"width\": 1280, "
    "\"height\": 720},\n \"captureFramerate\": 120.0},\n"
    " \"data\": {\"keyframes\": [], \"positions\": [],\n"
    "  \"times\": [{\"name\": \"a\", \"name\": \"b\"}],\n"
    "  \"timeseries\": [{\"name\": \"ball\", \"timeUnit\": \"ms\", \"dataUnit\": \"cm\",\n"
    "   \"time\": [-20, 0, 20, 40], \"data\": {\"0\": [[1, 2], [3.5, 4], null, [5, "
    "\"NaN\"]]}}]}}\n";

static void test_kinovea_json_read_units_are_applied(void **state)
{
    (void)state;
    ArcRecording *recording = reader_read_text(reader_settings(), sound);
    assert_string_equal(recording->format, "kinovea-json");
    assert_string_equal(recording->track, "ball");
    assert_int_equal(recording->n_samples, 4);
    assert_int_equal(recording->axes, 2);
    assert_true(recording->samples[0].time_s == -0.02);
    assert_true(recording->samples[1].position_m[0] == 0.035);
    assert_true(isnan(recording->samples[2].position_m[0]));
    assert_true(recording->samples[3].position_m[0] == 0.05);
    assert_true(isnan(recording->samples[3].position_m[1]));
    assert_true(recording->image_px[0] == 1280.0 && recording->image_px[1] == 720.0);
    assert_true(recording->rate_per_s == 120.0);
    assert_int_equal(recording->n_notes, 0);
    reader_round_trip(recording);
}

static void test_kinovea_json_read_pixels_and_frames_stay_such(void **state)
{
    (void)state;
    char *pixels = reader_changed(sound, "\"cm\"", "\"px\"");
    char *frames = reader_changed(pixels, "\"ms\"", "\"frames\"");
    ArcRecording *recording = reader_read_text(reader_settings(), frames);
    assert_int_equal(recording->axes, 0);
    assert_true(recording->has_pixels);
    assert_true(recording->samples[1].pixel_px[0] == 3.5);
    assert_true(recording->samples[3].frame == 40.0);
    assert_true(recording->samples[3].time_s == 40.0 / 120.0);
    reader_round_trip(recording);
    free(frames);
    free(pixels);
}

static void test_kinovea_json_read_settings_units_win(void **state)
{
    (void)state;
    ArcCaptureSettings settings = reader_settings();
    settings.position_scale_m = 0.0254;
    settings.time_scale_s = 1.0;
    ArcRecording *recording = reader_read_text(settings, sound);
    reader_near(recording->samples[1].position_m[1], 4 * 0.0254, 1e-15);
    assert_true(recording->samples[2].time_s == 20.0);
    arc_recording_free(recording);
}

static void test_kinovea_json_read_several_points_are_tracks(void **state)
{
    (void)state;
    char *two = reader_changed(sound, "\"data\": {\"0\": [",
                               "\"data\": {\"toe\": [[7, 7], [8, 8], "
                               "[9, 9], [9, 9]], \"heel\": [");
    ArcCaptureSettings settings = reader_settings();
    reader_refused_text(settings, two, "2 tracks in");
    settings.track = "ball/toe";
    ArcRecording *recording = reader_read_text(settings, two);
    assert_true(recording->samples[1].position_m[0] == 0.08);
    arc_recording_free(recording);
    free(two);
}

static void test_kinovea_json_read_markers_alone_are_a_track(void **state)
{
    (void)state;
    ArcRecording *recording =
        reader_read_text(reader_settings(),
                         "{\"metadata\": {\"producer\": \"Kinovea.2023.1\"}, \"data\": "
                         "{\"positions\": [{\"name\": \"M 1\", \"time\": 0.5, \"x\": 1, \"y\": 2},"
                         " {\"name\": \"M 2\", \"time\": 0.6, \"x\": 3, \"y\": 4}]}}");
    assert_string_equal(recording->track, "positions");
    assert_int_equal(recording->n_samples, 2);
    assert_true(recording->samples[1].position_m[1] == 4.0);
    assert_int_equal(recording->n_notes, 2);
    arc_recording_free(recording);
}

static void test_kinovea_json_read_damage_is_named(void **state)
{
    (void)state;
    ArcCaptureSettings any = reader_settings();
    char cut[sizeof sound];
    memcpy(cut, sound, sizeof cut);
    cut[sizeof cut - 40] = '\0';
    reader_refused_text(any, cut, "capture:6:");
    reader_refused_text(any, cut, "not JSON");
    reader_refused_changed(any, sound, "[3.5, 4]", "[3,5, 4]; ", "not JSON");
    reader_refused_changed(any, sound, "[3.5, 4]", "[\"3,5\", 4]",
                           "data.timeseries[0] 'ball': entry 1 is not a time and a position");
    reader_refused_changed(any, sound, "[3.5, 4], ", "", "4 times and 3 positions");
    reader_refused_changed(any, sound, "\"time\"", "\"tiem\"", "a track needs 'time' and 'data'");
    reader_refused_changed(any, sound, "\"timeseries\"", "\"series\"",
                           "no track in data.timeseries");
    reader_refused_changed(any, sound, "\"cm\"", "\"furlong\"", "unknown unit of length 'furlong'");
    reader_refused_changed(any, sound, "\"ms\"", "\"h/10000\"", "unknown unit of time");
    reader_refused_changed(any, sound, "[3.5, 4]", "[3.5e300, 4]", "out of range");
    reader_refused_text(any, "{\"a\": 1}", "JSON neither of Kinovea");
}

/* Every position within half of the last digit that the file shows. */
static void test_kinovea_json_read_sample_is_the_points(void **state)
{
    (void)state;
    char path[1024], line[200];
    ArcCaptureSettings settings = reader_settings();
    FILE *stream = fopen(shared_path(path, "samples/points.txt"), "r");
    assert_non_null(stream);
    shared_path(path, "samples/kinovea_2025.json");
    settings.file = path;
    ArcRecording *recording = reader_read_file(settings);
    int n = 0;
    while (fgets(line, sizeof line, stream) != NULL) {
        double t, x, y;
        if (sscanf(line, "%lf %lf %lf", &t, &x, &y) != 3)
            continue;
        assert_true(n < recording->n_samples);
        reader_near(recording->samples[n].time_s, t, 0.5000001e-7);
        reader_near(recording->samples[n].position_m[0], x, 0.5000001e-7);
        reader_near(recording->samples[n].position_m[1], y, 0.5000001e-7);
        n++;
    }
    fclose(stream);
    assert_int_equal(n, recording->n_samples);
    reader_round_trip(recording);
}

static void test_kinovea_json_read_without_memory_says_so(void **state)
{
    (void)state;
    arc_recording_free(reader_read_text(reader_settings(), sound));
    reader_exhaust(reader_settings());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinovea_json_read_units_are_applied),
        cmocka_unit_test(test_kinovea_json_read_pixels_and_frames_stay_such),
        cmocka_unit_test(test_kinovea_json_read_settings_units_win),
        cmocka_unit_test(test_kinovea_json_read_several_points_are_tracks),
        cmocka_unit_test(test_kinovea_json_read_markers_alone_are_a_track),
        cmocka_unit_test(test_kinovea_json_read_damage_is_named),
        cmocka_unit_test(test_kinovea_json_read_sample_is_the_points),
        cmocka_unit_test(test_kinovea_json_read_without_memory_says_so),
    };
    return cmocka_run_group_tests(tests, reader_setup, reader_teardown);
}
